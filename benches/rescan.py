#!/usr/bin/env python3
"""The rounds of benches/rescan.sh; see there."""

import argparse
import json
import pathlib
import statistics

from measure import run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    database = arguments.work / "rescan.db"
    database.unlink(missing_ok=True)
    command = [arguments.pensieve, "ingest", arguments.dir, str(database), "--json", "--progress", "off", "-q"]
    first = run(command)
    # The second run still looks at files that had changed just before the first one began.
    run(command)
    results = [run(command) for _ in range(arguments.runs)]
    summary = json.loads(results[-1]["output"])
    files = summary["unchanged"]
    wall = statistics.median(result["wall_s"] for result in results)
    cpu = statistics.median(result["cpu_s"] for result in results)
    print(f"first run: {first['wall_s']:.1f} s, {first['cpu_s']:.1f} CPU s, peak {first['peak_tree_mib']} MiB")
    print(f"rescan: {files} files unchanged, {summary['new']} new, {summary['changed']} changed; median of {len(results)} runs")
    print(f"wall {wall:.3f} s: {files / wall:,.0f} files/s; CPU {cpu:.3f} s: {files / cpu:,.0f} files per CPU second")
    print(f"peak of the process tree {max(result['peak_tree_mib'] for result in results)} MiB")
    database.unlink(missing_ok=True)


main()
