#!/usr/bin/env python3
"""The steps of benches/equal_files.sh; see there."""

import argparse
import pathlib
import shutil

from measure import run

A_FOLDER = 100


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pensieve", required=True)
    arguments = parser.parse_args()
    print("| step | files | equal: CPU s | different: CPU s | ratio |\n| --- | ---: | ---: | ---: | ---: |")
    equal, different = (Tree(arguments, is_equal) for is_equal in (True, False))
    for name in ("first run", "half deleted", "a quarter changed", "those changed back"):
        (files, cost), (_, other) = (tree.step(name) for tree in (equal, different))
        print(f"| {name} | {files:,} | {cost:.2f} | {other:.2f} | {cost / other:.2f} |")


class Tree:
    """A tree of small files with its database."""

    def __init__(self, arguments, is_equal):
        self.is_equal = is_equal
        self.root = arguments.work / ("equal" if is_equal else "different")
        self.database = self.root.with_suffix(".db")
        self.command = [arguments.pensieve, "ingest", str(self.root), str(self.database), "--progress", "off", "-q"]
        self.count = arguments.files
        shutil.rmtree(self.root, ignore_errors=True)
        self.database.unlink(missing_ok=True)

    def step(self, name):
        """Changes the tree; files concerned and CPU seconds of the run that follows."""
        half, quarter = self.count // 2, self.count // 4
        match name:
            case "first run":
                files = self.write(range(self.count), changed=False)
            case "half deleted":
                files = [self.path(number).unlink() for number in range(half)]
            case "a quarter changed":
                files = self.write(range(half, half + quarter), changed=True)
            case _:
                files = self.write(range(half, half + quarter), changed=False)
        return len(files), run(self.command)["cpu_s"]

    def write(self, numbers, changed):
        for number in numbers:
            path = self.path(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            own = changed or not self.is_equal
            path.write_text(f"word {number} {changed}\n" if own else "")
        return numbers

    def path(self, number):
        return self.root / f"{number // A_FOLDER:05}" / f"{number}.txt"


main()
