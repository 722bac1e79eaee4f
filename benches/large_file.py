#!/usr/bin/env python3
"""The measure of benches/large_file.sh; see there."""

import argparse
import pathlib
import random
import shutil
import sqlite3
import sys

from measure import run

LIMIT_MIB = 512
SYLLABLES = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru".split()


def write_text(path, size):
    """Lines of made-up words, shuffled anew for each MiB: quick to make, and hardly any chunk occurs twice."""
    chance = random.Random(12)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(5000)]
    lines = []
    while sum(map(len, lines)) < 2**20:
        sentence = " ".join(chance.choices(words, k=chance.randint(5, 30)))
        lines.append(sentence.capitalize() + ".\n" + "\n" * (chance.random() < 0.1))
    with open(path, "wb") as file:
        while file.tell() < size:
            chance.shuffle(lines)
            file.write("".join(lines).encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--gib", type=float, default=4)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    work = arguments.dir / "pensieve-large-file"
    shutil.rmtree(work, ignore_errors=True)
    (work / "tree").mkdir(parents=True)
    try:
        write_text(work / "tree/large.txt", int(arguments.gib * 2**30))
        database = work / "large.db"
        command = [arguments.pensieve, "ingest", str(work / "tree"), str(database), "--max-mem", f"{LIMIT_MIB}MiB"]
        result = run([*command, "--json", "--progress", "off", "-q"])
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            state = connection.execute("SELECT size_bytes, processing_status, estimated_tokens FROM files").fetchone()
            chunks = connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
        size, status, tokens = state
        print(f"file {size / 2**30:.2f} GiB: {status}, {tokens} tokens, {chunks} different chunks, exit {result['status']}")
        print(f"wall {result['wall_s']:.0f} s, CPU {result['cpu_s']:.0f} s, {size / 1e6 / result['cpu_s']:.1f} MB/s per core")
        print(f"peak of the process tree {result['peak_tree_mib']} MiB, max_memory {LIMIT_MIB} MiB")
        print(f"database {database.stat().st_size / 2**30:.2f} GiB")
        within = result["status"] == 0 and status == "Processed" and result["peak_tree_mib"] <= LIMIT_MIB
        return 0 if within else 1
    finally:
        shutil.rmtree(work, ignore_errors=True)


sys.exit(main())
