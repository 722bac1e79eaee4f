#!/usr/bin/env python3
"""The rounds of benches/search.sh; see there."""

import argparse
import json
import pathlib
import random
import re
import resource
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

    def run_of(length):
        while True:
            row = connection.execute("SELECT content FROM chunks WHERE chunk_id = ?", [random.randint(1, last)]).fetchone()
            found = re.findall(" ".join(["[A-Za-z]{2,}"] * length), row[0]) if row else []
            if found:
                return random.choice(found).split()

    folders = [row[0] for row in connection.execute(
        "SELECT rtrim(relative_path, replace(relative_path, '/', '')) AS folder FROM files WHERE is_canonical "
        "GROUP BY 1 HAVING count(*) >= 10 AND folder <> '' ORDER BY 1")]
    formats = [row[0] for row in connection.execute(
        "SELECT format FROM files WHERE format IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 8")]
    kinds = {
        "rare word": lambda: [random.choice(rare)],
        "word in 50 to 500 chunks": lambda: [random.choice(middling)],
        "one of the 100 most frequent words": lambda: [random.choice(common)],
        "frequent word and another": lambda: [f"{random.choice(common)} {random.choice(middling)}"],
        "phrase of three words": lambda: ['"' + " ".join(run_of(3)) + '"'],
        "prefix of four letters": lambda: [random.choice(middling)[:4] + "*"],
        "NEAR": lambda: ["NEAR({} {}, 8)".format(*run_of(2))],
        "OR of three, NOT one": lambda: ["{} OR {} OR {} NOT {}".format(*random.sample(middling, 3), random.choice(common))],
        "frequent word in one folder": lambda: [random.choice(common), "--path", f"/{random.choice(folders)}**"],
        "frequent word in one format": lambda: [random.choice(common), "--format", random.choice(formats)],
    }
    return {kind: [make() for _ in range(EACH)] for kind, make in kinds.items()}


def timed(command):
    """Wall and CPU seconds of a command, and what it printed."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, cpu, json.loads(done.stdout)


def told(times):
    """Median and 95th percentile, in milliseconds, of wall and of CPU time."""
    def share(side, part):
        ordered = sorted(time[side] * 1000 for time in times)
        return f"{ordered[min(len(ordered) - 1, int(len(ordered) * part))]:.1f}"

    return " | ".join(share(side, part) for side in (0, 1) for part in (0.5, 0.95))


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
    print("| kind of query | hits, median | wall ms, p50 | p95 | CPU ms, p50 | p95 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind, of_kind in asked.items():
        times, hits = [], []
        for words in of_kind:
            command = [arguments.pensieve, "search", str(database), *words, "--json"]
            best = (float("inf"), float("inf"))
            for _ in range(arguments.rounds):
                *cost, found = timed(command)
                best = tuple(map(min, best, cost))
            times.append(best)
            hits.append(found["total"])
        everything += times
        print(f"| {kind} | {sorted(hits)[len(hits) // 2]:,} | {told(times)} |")
    print(f"| all {len(everything)} | | {told(everything)} |")
    database.unlink(missing_ok=True)


main()
