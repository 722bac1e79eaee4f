#!/usr/bin/env python3
"""The rounds of benches/search.sh; see there."""

import argparse
import json
import pathlib
import random
import re
import sqlite3
import subprocess
import time

from measure import run

EACH = 20


def vocabulary(connection):
    """Words of the corpus with the number of chunks that have them, most frequent first."""
    connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, chunks_fts, row)")
    rows = connection.execute("SELECT term, doc FROM temp.vocabulary WHERE term GLOB '[a-z]*'")
    words = [(term, doc) for term, doc in rows if re.fullmatch("[a-z]{3,14}", term)]
    return sorted(words, key=lambda row: (-row[1], row[0]))


def queries(connection):
    """Twenty queries of each kind, always the same for the same corpus."""
    random.seed(1)
    words = vocabulary(connection)
    common = [term for term, _ in words[:100]]
    middling = [term for term, doc in words if 50 <= doc <= 500]
    rare = [term for term, doc in words if doc <= 5]
    last = connection.execute("SELECT max(chunk_id) FROM chunks").fetchone()[0]

    def stretch(length):
        while True:
            row = connection.execute("SELECT content FROM chunks WHERE chunk_id = ?", [random.randint(1, last)]).fetchone()
            found = re.findall("[A-Za-z]{2,}", row[0]) if row else []
            if len(found) > length + 5:
                at = random.randrange(len(found) - length)
                return found[at : at + length]

    folders = [row[0] for row in connection.execute(
        "SELECT DISTINCT substr(relative_path, 1, instr(relative_path, '/') - 1) FROM files WHERE relative_path LIKE '%/%' ORDER BY 1")]
    formats = [row[0] for row in connection.execute(
        "SELECT format FROM files WHERE format IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 8")]
    kinds = {
        "rare word": lambda: [random.choice(rare)],
        "word in 50 to 500 chunks": lambda: [random.choice(middling)],
        "one of the 100 most frequent words": lambda: [random.choice(common)],
        "frequent word and another": lambda: [f"{random.choice(common)} {random.choice(middling)}"],
        "phrase of three words": lambda: ['"' + " ".join(stretch(3)) + '"'],
        "prefix of four letters": lambda: [random.choice(middling)[:4] + "*"],
        "NEAR": lambda: ["NEAR({} {}, 8)".format(*stretch(2))],
        "OR of three, NOT one": lambda: ["{} OR {} OR {} NOT {}".format(*random.sample(middling, 3), random.choice(common))],
        "frequent word in one folder": lambda: [random.choice(common), "--path", f"/{random.choice(folders)}/**"],
        "frequent word in one format": lambda: [random.choice(common), "--format", random.choice(formats)],
    }
    return {kind: [make() for _ in range(EACH)] for kind, make in kinds.items()}


def share(times, part):
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    database = arguments.work / "search.db"
    database.unlink(missing_ok=True)
    ingest = run([arguments.pensieve, "ingest", arguments.dir, str(database), "--json", "--progress", "off", "-q"])
    summary = json.loads(ingest["output"])
    print(f"{summary['bytes'] / 1e6:.0f} MB read, {summary['unique_chunks']:,} different chunks, "
          f"{database.stat().st_size / 1e6:.0f} MB of database, ingested in {ingest['wall_s']:.0f} s")
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        asked = queries(connection)
    everything = []
    print("| kind of query | hits, median | p50 ms | p95 ms |\n| --- | ---: | ---: | ---: |")
    for kind, of_kind in asked.items():
        times, hits = [], []
        for words in of_kind:
            command = [arguments.pensieve, "search", str(database), *words, "--json"]
            best = float("inf")
            for _ in range(arguments.rounds):
                begun = time.perf_counter()
                done = subprocess.run(command, capture_output=True, check=True)
                best = min(best, time.perf_counter() - begun)
            times.append(best)
            hits.append(json.loads(done.stdout)["total"])
        everything += times
        print(f"| {kind} | {sorted(hits)[len(hits) // 2]:,} | {share(times, 0.5):.1f} | {share(times, 0.95):.1f} |")
    print(f"| all {len(everything)} | | {share(everything, 0.5):.1f} | {share(everything, 0.95):.1f} |")
    database.unlink(missing_ok=True)


main()
