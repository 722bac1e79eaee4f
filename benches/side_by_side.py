#!/usr/bin/env python3
"""The rounds of side_by_side.sh and their table; see there."""

import argparse
import json
import os
import pathlib
import sqlite3
import statistics
import sys

from measure import run

HERE = pathlib.Path(__file__).resolve().parent
LEAN = '[store]\nkeep = ["clean"]\nfts = false\n'
BASE = "Python, one process"


def contenders(arguments, work):
    """Each contender's name and its command line without the database."""
    plain, lean = work / "plain.toml", work / "lean.toml"
    plain.write_text("")
    lean.write_text(LEAN)
    ingest = [arguments.pensieve, "ingest", arguments.dir]
    quiet = ["--json", "--progress", "off", "-q"]
    python = [sys.executable, str(HERE / "peers/python_pipeline.py"), arguments.dir]
    rust = [arguments.rust_peer, arguments.dir]
    cores = len(os.sched_getaffinity(0))
    return {
        "pensieve, everything stored": lambda db: [*ingest, db, "--config", str(plain), *quiet],
        "pensieve, no search index, no raw text": lambda db: [*ingest, db, "--config", str(lean), *quiet],
        BASE: lambda db: [*python, db],
        f"Python, {cores} processes": lambda db: [*python, db, "--processes", str(cores)],
        "Rust crates, bpe-openai": lambda db: [*rust, db, "bpe-openai"],
        "Rust crates, tiktoken-rs": lambda db: [*rust, db, "tiktoken-rs"],
    }


def remove(database):
    for suffix in ["", "-wal", "-shm", ".lock"]:
        pathlib.Path(f"{database}{suffix}").unlink(missing_ok=True)


def facts(database):
    """Of Pensieve's database: files, bytes of text read, chunks."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        files, size = connection.execute(
            "SELECT count(*), sum(size_bytes) FROM files WHERE is_canonical AND processing_status = 'Processed'"
        ).fetchone()
        chunks = connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
    return files, size, chunks


def rounds(arguments, work):
    database = work / "side_by_side.db"
    commands, results, known = contenders(arguments, work), {}, None
    if arguments.only:
        commands = {name: command for name, command in commands.items() if any(word in name for word in arguments.only)}
    for number in range(arguments.runs):
        for name, command in commands.items():
            remove(database)
            if any(result["status"] < 0 for result in results.get(name, [])):
                continue
            result = run(command(str(database)), limit=arguments.limit)
            if result["status"] > 0:
                sys.exit(f"{name} ended with {result['status']}: {' '.join(command('DB'))}")
            result["database_mib"] = round(database.stat().st_size / 2**20, 1)
            results.setdefault(name, []).append(result)
            known = known or (facts(database) if name.startswith("pensieve") else None)
            print(f"round {number + 1}: {name}: {result['cpu_s']} CPU s, {result['wall_s']} s", file=sys.stderr)
    remove(database)
    return results, known


def table(results, text_bytes):
    base = statistics.median(result["cpu_s"] for result in results.get(BASE) or next(iter(results.values())))
    yield "| contender | CPU s (min-max) | Python takes times as much | MB/s per core | wall s | peak MiB, tree | database MiB |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, rows in results.items():
        cpu = [row["cpu_s"] for row in rows]
        if rows[-1]["status"] < 0:
            yield f"| {name} | more than {max(cpu):.0f}, ended | | | | {rows[-1]['peak_tree_mib']:.0f} | |"
            continue
        middle, wall = statistics.median(cpu), statistics.median(row["wall_s"] for row in rows)
        yield (
            f"| {name} | {middle:.1f} ({min(cpu):.1f}-{max(cpu):.1f}) | {base / middle:.2f} | {text_bytes / 1e6 / middle:.1f}"
            f" | {wall:.1f} | {max(row['peak_tree_mib'] for row in rows):.0f} | {rows[0]['database_mib']:.0f} |"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", action="append")
    parser.add_argument("--limit", type=int, default=1800)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    parser.add_argument("--rust-peer", required=True)
    arguments = parser.parse_args()
    results, known = rounds(arguments, arguments.work)
    files, text_bytes, chunks = known or (0, 0, 0)
    print(f"{files} different files with {text_bytes / 1e6:.1f} MB of text, {chunks} different chunks (as Pensieve counts them)")
    for name, rows in results.items():
        printed = rows[0]["output"].strip()
        if not name.startswith("pensieve"):
            print(f"{name}: {printed}")
    print(f"medians of {arguments.runs} rounds\n")
    print("\n".join(table(results, text_bytes)))
    (arguments.work / "side_by_side.json").write_text(json.dumps(results, indent=1))


main()
