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

SENTENCE = "This sentence was not in the first edition, and it stands before everything else.\n\n"
SIZE, OVERLAP = 512, 50


def copies(source, work):
    """The texts as they are, and the same with the sentence at their top."""
    shutil.rmtree(work, ignore_errors=True)
    for path in sorted(source.rglob("*")):
        if not path.is_file() or path.suffix.lower() not in (".txt", ".md", ".text"):
            continue
        content = path.read_bytes()
        mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        variants = {"before": content, "after": mark + SENTENCE.encode() + content[len(mark) :]}
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


def langchain(folder):
    """The same with LangChain's recursive splitter."""
    import tiktoken
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    encoding = tiktoken.get_encoding("cl100k_base")
    splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name="cl100k_base", chunk_size=SIZE, chunk_overlap=OVERLAP, disallowed_special=()
    )
    texts = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = path.read_bytes().decode("utf-8", "replace")
        texts[str(path.relative_to(folder))] = [
            (hashlib.sha256(chunk.encode()).hexdigest(), len(encoding.encode_ordinary(chunk)))
            for chunk in splitter.split_text(text)
        ]
    return texts


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
    ours, our_shares = report("pensieve", pensieve(arguments.pensieve, before), pensieve(arguments.pensieve, after))
    theirs, their_shares = report("LangChain recursive", langchain(before), langchain(after))
    print(f"chunks of at most {SIZE} tokens, overlap of at most {OVERLAP}; one sentence inserted at the top of each text\n")
    print("| cutter | texts | chunks | kept, worst text | kept, median text | kept, all chunks | mean fill | under 0.2 | largest |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(ours)
    print(theirs)
    print("\n| text | chunks | kept by pensieve | kept by LangChain |\n| --- | ---: | ---: | ---: |")
    for path, (share, count) in sorted(our_shares.items()):
        print(f"| {path} | {count} | {share:.1%} | {their_shares[path][0]:.1%} |")


main()
