#!/usr/bin/env python3
"""Which table finds text without spaces between words: letters one by one, pairs of letters, or SQLite's trigrams.

Usage: benches/unspaced.py DIR

Reads the Chinese and Japanese in the UTF-8 files below DIR, writes 12,000 chunks of 600 letters that follow each other as
they do there, and prints size and times of each table, and how often it finds as many chunks as reading all of them does.
Nothing is left behind. Python 3.9 or newer with SQLite 3.34 or newer.
"""

import collections
import os
import pathlib
import random
import re
import sqlite3
import sys
import tempfile
import time

LETTERS = "\u3041-\u30ff\u4e00-\u9fff"
CHUNKS = 12_000


def lines(folder):
    found = set()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix in (".html", ".txt", ".md", ".xml") and path.is_file() and path.stat().st_size < 2_000_000:
            try:
                found.update(re.findall(f"[{LETTERS}、。，！？]{{8,}}", path.read_text("utf-8")))
            except UnicodeDecodeError:
                pass
    return sorted(found)


def chunks(text):
    behind = collections.defaultdict(list)
    for letter, following in zip(text, text[1:]):
        behind[letter].append(following)
    for _ in range(CHUNKS):
        letter, chunk = random.choice(text), []
        for _ in range(600):
            chunk.append(letter)
            letter = random.choice(behind.get(letter) or text)
        yield "".join(chunk)


def apart(text):
    return re.sub(f"([{LETTERS}])", r" \1 ", text)


def pairs(text):
    runs = re.findall(f"[{LETTERS}]+", text)
    return " ".join(run[at : at + 2] for run in runs for at in range(len(run)))


def asked_in_pairs(query):
    return query + "*" if len(query) == 1 else '"' + " ".join(query[at : at + 2] for at in range(len(query) - 1)) + '"'


KINDS = [
    ("letters one by one", "unicode61 remove_diacritics 2", apart, lambda query: f'"{apart(query)}"'),
    ("pairs of letters", "unicode61 remove_diacritics 2", pairs, asked_in_pairs),
    ("trigram", "trigram", str, lambda query: f'"{query}"'),
]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    random.seed(1)
    known = lines(sys.argv[1])
    corpus = list(chunks("\n".join(known)))
    size = sum(len(chunk.encode()) for chunk in corpus)
    queries = {}
    for length in (1, 2, 3, 4):
        runs = [run for line in known for run in re.findall(f"[{LETTERS}]{{{length}}}", line)]
        queries[length] = [random.choice(runs) for _ in range(60)]
    print(f"{size / 1e6:.0f} MB of text in {len(corpus):,} chunks\n")
    print("| table | size, of the text | build s | letters | p50 ms | p95 ms | right |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, tokenizer, written, asked in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.db")
            database = sqlite3.connect(path)
            database.execute("PRAGMA page_size = 8192")
            database.execute(f"CREATE VIRTUAL TABLE t USING fts5(content, content='', tokenize='{tokenizer}')")
            begun = time.perf_counter()
            rows = ((number, written(chunk)) for number, chunk in enumerate(corpus))
            database.executemany("INSERT INTO t(rowid, content) VALUES(?, ?)", rows)
            database.commit()
            built = time.perf_counter() - begun
            database.execute("INSERT INTO t(t) VALUES('optimize')")
            database.commit()
            database.execute("VACUUM")
            share = os.path.getsize(path) / size
            for length, asked_for in queries.items():
                times, right = [], 0
                for number, query in enumerate(asked_for):
                    begun = time.perf_counter()
                    found = database.execute("SELECT rowid, bm25(t) FROM t WHERE t MATCH ?", [asked(query)]).fetchall()
                    times.append((time.perf_counter() - begun) * 1000)
                    # Punctuation between letters does not count where words are divided.
                    if number < 20:
                        plain = re.compile(f"[^{LETTERS}]*".join(query) if tokenizer != "trigram" else query)
                        right += len(found) == sum(1 for chunk in corpus if plain.search(chunk))
                times.sort()
                print(f"| {name} | {share:.2f} | {built:.1f} | {length} | {times[30]:.2f} | {times[57]:.2f} | {right} of 20 |")


main()
