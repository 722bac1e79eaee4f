#!/usr/bin/env python3
"""The measure of benches/locality and its table; see there."""

import argparse
import codecs
import hashlib
import pathlib
import shutil
import sqlite3
import statistics
import subprocess

SENTENCE = b"This sentence was not in the first edition, and it stands before everything else."
SIZE, OVERLAP = 512, 50


def copies(source, work):
    """The texts as they are, and the same with the sentence at their top."""
    shutil.rmtree(work, ignore_errors=True)
    for path in sorted(source.rglob("*")):
        if not path.is_file() or path.suffix.lower() not in (".txt", ".md", ".text"):
            continue
        content = path.read_bytes()
        mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        end = b"\r\n" if b"\r\n" in content else b"\n"
        variants = {"before": content, "after": mark + SENTENCE + end + end + content[len(mark) :]}
        for name, variant in variants.items():
            target = work / name / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(variant)


def pensieve(binary, folder):
    """Of each text: hash and tokens of each of its chunks, in order."""
    database = folder.with_suffix(".db")
    database.unlink(missing_ok=True)
    command = [binary, "ingest", folder, database, "-q", "--progress", "off"]
    command += ["--chunk-size", str(SIZE), "--chunk-overlap", str(OVERLAP), "--tokenizer", "cl100k_base"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    texts = {}
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        for path, digest, tokens in connection.execute(
            "SELECT f.relative_path, c.content_hash, c.estimated_tokens"
            " FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)"
            " ORDER BY f.relative_path, s.start_index"
        ):
            texts.setdefault(path, []).append((digest, tokens))
    return texts


def langchain(folder, splitter, newline):
    """The same with a splitter of LangChain. Text mode, as loaders read files, makes line ends newlines; with a `newline`
    of "" they stay as they are in the file, as for scripts that read bytes."""
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base")
    texts = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with open(path, encoding="utf-8", errors="replace", newline=newline) as file:
            chunks = splitter.split_text(file.read())
        texts[str(path.relative_to(folder))] = [
            (hashlib.sha256(chunk.encode()).hexdigest(), len(encoding.encode_ordinary(chunk))) for chunk in chunks
        ]
    return texts


def contenders(binary):
    """Each cutter by its name: a folder in, chunks out."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter, TokenTextSplitter

    options = {"encoding_name": "cl100k_base", "chunk_size": SIZE, "chunk_overlap": OVERLAP, "disallowed_special": ()}
    recursive = RecursiveCharacterTextSplitter.from_tiktoken_encoder(**options)
    tokens = TokenTextSplitter(**options)
    return {
        "pensieve": lambda folder: pensieve(binary, folder),
        "LangChain recursive, read in text mode": lambda folder: langchain(folder, recursive, None),
        "LangChain recursive, line ends as in the file": lambda folder: langchain(folder, recursive, ""),
        "LangChain token windows": lambda folder: langchain(folder, tokens, None),
    }


def kept(before, after):
    """Of each text: the share of its chunks whose hash is still there, and how many chunks it had."""
    shares = {}
    for path, chunks in before.items():
        now = {digest for digest, _ in after.get(path, [])}
        shares[path] = (sum(digest in now for digest, _ in chunks) / len(chunks), len(chunks))
    return shares


def report(name, before, after):
    shares = kept(before, after)
    tokens = [tokens for chunks in before.values() for _, tokens in chunks]
    crumbs = sum(count < 0.2 * SIZE for count in tokens) / len(tokens)
    share = [share for share, _ in shares.values()]
    lost = sum((1 - share) * count for share, count in shares.values())
    return (
        f"| {name} | {len(shares)} | {len(tokens)} | {min(share):.1%} | {statistics.median(share):.1%}"
        f" | {1 - lost / len(tokens):.1%} | {statistics.mean(tokens) / SIZE:.2f} | {crumbs:.2%} | {max(tokens)} |"
    ), shares


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    copies(arguments.dir, arguments.work)
    before, after = arguments.work / "before", arguments.work / "after"
    print(f"chunks of at most {SIZE} tokens, overlap of at most {OVERLAP}; one sentence inserted at the top of each text\n")
    print("| cutter | texts | chunks | kept, worst text | kept, median text | kept, all chunks | mean fill | under 0.2 | largest |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    columns = {}
    for name, cut in contenders(arguments.pensieve).items():
        line, columns[name] = report(name, cut(before), cut(after))
        print(line)
    print("\n| text | chunks |", " | ".join(columns), "|\n| --- | ---: |", "---: |" * len(columns))
    ours = columns["pensieve"]
    for path, (_, count) in sorted(ours.items()):
        shares = [f"{shares[path][0]:.1%}" for shares in columns.values()]
        print(f"| {path} | {count} |", " | ".join(shares), "|")


main()
