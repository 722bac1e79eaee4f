#!/usr/bin/env python3
"""The steps of benches/merge.sh; see there."""

import argparse
import collections
import json
import pathlib
import shutil

from measure import run

# Extensions with fewer bytes say little about their format.
LEAST_BYTES = 200_000


def ingest(arguments, database, *words):
    flags = ["--json", "--progress", "off", "-q"]
    return run([arguments.pensieve, "ingest", *words, str(database), *flags])


def shards(arguments, place):
    whole, merged, lists = place / "whole.db", place / "merged.db", place / "lists"
    one = ingest(arguments, whole, arguments.dir)
    command = [arguments.pensieve, "plan", arguments.dir, "--shards", str(arguments.shards), "--out", str(lists), "--json"]
    planned = run([*command, "--progress", "off"])
    plan = json.loads(planned["output"])
    print(f"one run: {one['wall_s']:.1f} s, {one['cpu_s']:.1f} CPU s, peak {one['peak_tree_mib']} MiB")
    print(f"plan: {plan['files']} files in {planned['wall_s']:.2f} s: {plan['files'] / planned['wall_s']:,.0f} files/s")
    parts = []
    for shard in plan["shards"]:
        database = place / shard["list"].replace(".list", ".db")
        cost = ingest(arguments, database, "--root", arguments.dir, "--files-from", str(lists / shard["list"]))
        parts.append(database)
        print(f"  {shard['list']}: {shard['bytes'] / 1e6:.1f} MB, expected {shard['cost_seconds']:.1f} s, took {cost['cpu_s']:.1f} CPU s")
    size = sum(part.stat().st_size for part in parts)
    cost = run([arguments.pensieve, "merge", str(merged), *map(str, parts), "--json", "--progress", "off"])
    summary = json.loads(cost["output"])
    print(
        f"merge of {size / 1e6:.0f} MB of shards, {summary['bytes'] / 1e6:.0f} MB of files: {cost['wall_s']:.1f} s, "
        f"{size / 1e6 / cost['wall_s']:.0f} MB of shards/s, {cost['cpu_s']:.1f} CPU s, "
        f"{cost['cpu_s'] / summary['unique_chunks'] * 1e6:.0f} CPU s per million chunks, peak {cost['peak_tree_mib']} MiB"
    )
    fingerprint = run([arguments.pensieve, "fingerprint", str(whole)])["output"].strip()
    print("fingerprint equal" if fingerprint == summary["fingerprint"] else "FINGERPRINT DIFFERS")


def costs(arguments, place):
    root = pathlib.Path(arguments.dir)
    files = collections.defaultdict(list)
    for path in sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()):
        files[path.suffix.lower()].append(path)
    for extension, paths in sorted(files.items()):
        size = sum(path.stat().st_size for path in paths)
        if size < LEAST_BYTES:
            continue
        names, database = place / "names.list", place / "costs.db"
        names.write_bytes(b"".join(bytes(path.relative_to(root)) + b"\0" for path in paths))
        database.unlink(missing_ok=True)
        cost = ingest(arguments, database, "--root", arguments.dir, "--files-from", str(names))
        print(f"{extension or '(none)':10} {len(paths):6} files {size / 1e6:8.1f} MB {cost['cpu_s'] / size * 1e9:8.0f} ns a byte")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    place = arguments.work / "merge"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    (costs if arguments.costs else shards)(arguments, place)
    shutil.rmtree(place)


main()
