#!/usr/bin/env python3
"""The rounds of benches/watch.sh; see there.

An edit adds a word that no file has. It is searchable when another connection finds the word in the search table.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import time

PATIENCE = 60
WORDS = "lamp tide harbour keeper fog stair light stone letter window boat rope night glass".split()


def make_tree(root, files, dice):
    """Small texts, a hundred in a folder."""
    for number in range(files):
        folder = root / f"{number // 1000:03}" / f"{number // 100 % 10}"
        if number % 100 == 0:
            folder.mkdir(parents=True)
        lines = (" ".join(dice.choices(WORDS, k=12)) for _ in range(dice.randint(3, 30)))
        (folder / f"{number:06}.md").write_text(f"# Page {number}\n\n" + ".\n".join(lines) + ".\n")


def has(database, word):
    """True if the search table has the word."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10)
    try:
        return bool(connection.execute("SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ?", (word,)).fetchall())
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()


def until(is_so, what):
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > PATIENCE:
            raise SystemExit(f"not within {PATIENCE} s: {what}")
        time.sleep(0.003)


def cpu_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def edit(path, word, number):
    """Appends, replaces as editors do, or makes a new file."""
    if number % 3 == 0:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"\nOne more line: {word}.\n")
    elif number % 3 == 1:
        aside = path.with_suffix(".tmp")
        aside.write_text(path.read_text() + f"\nSaved anew: {word}.\n")
        aside.rename(path)
    else:
        path.with_name(f"new-{word}.txt").write_text(f"A new file: {word}.\n")


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, required=True)
    parser.add_argument("--edits", type=int, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    dice = random.Random(7)
    work = arguments.work / "watch"
    shutil.rmtree(work, ignore_errors=True)
    tree, database = work / "tree", work / "watch.db"
    tree.mkdir(parents=True)
    make_tree(tree, arguments.files, dice)
    paths = sorted(tree.rglob("*.md"))
    with open(work / "out", "w") as out, open(work / "err", "w") as err:
        begun = time.monotonic()
        watch = subprocess.Popen(
            [arguments.pensieve, "watch", str(tree), str(database), "--json"], stdout=out, stderr=err
        )
    try:
        until(lambda: "watching" in (work / "err").read_text(), "the first run")
        print(f"first run of {arguments.files} files: {time.monotonic() - begun:.1f} s")
        latencies = []
        for number in range(arguments.edits):
            time.sleep(dice.uniform(0.2, 0.6))
            word = f"zq{number:04}x"
            start = time.monotonic()
            edit(dice.choice(paths), word, number)
            until(lambda: has(database, word), word)
            latencies.append(time.monotonic() - start)
        time.sleep(2)
        before = cpu_seconds(watch)
        time.sleep(10)
        idle = (cpu_seconds(watch) - before) / 10
    finally:
        watch.send_signal(signal.SIGTERM)
        code = watch.wait()
    runs = [json.loads(line) for line in (work / "out").read_text().splitlines()][1:]
    print(
        f"edit to searchable, {len(latencies)} edits: p50 {statistics.median(latencies) * 1000:.0f} ms, "
        f"p95 {quantile(latencies, 0.95) * 1000:.0f} ms, longest {max(latencies) * 1000:.0f} ms"
    )
    took = [run["milliseconds"] for run in runs]
    scan = [run["phases"]["scan"] * 1000 for run in runs]
    print(f"of that the run: median {statistics.median(took)} ms, its second scan {statistics.median(scan):.0f} ms")
    print(f"idle: {idle * 100:.2f} % of a core; exit code {code}")
    shutil.rmtree(work)


main()
