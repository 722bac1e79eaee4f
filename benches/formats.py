#!/usr/bin/env python3
"""The measure of benches/formats.sh; see there."""

import argparse
import collections
import pathlib
import shutil
import sqlite3
import sys
import tempfile

from measure import run

# What pandoc calls them; markitdown knows the others by their names.
PANDOC = {"docx": "docx", "odt": "odt", "rtf": "rtf", "epub": "epub", "fb2": "fb2", "ipynb": "ipynb"}
MARKITDOWN = {"docx", "pptx", "xlsx", "xls", "pdf", "epub", "msg", "ipynb"}
KNOWN = """pdf docx docm dotx odt rtf doc pptx ppt odp xlsx xlsm xlsb xls ods epub fb2 mobi azw azw3 prc pdb lit tcr pages
numbers key eml mbox msg mhtml ipynb""".split()

MARKITDOWN_ALL = """
import sys
from markitdown import MarkItDown
converter, failed = MarkItDown(), 0
for path in sys.argv[1:]:
    try:
        converter.convert(path)
    except Exception:
        failed += 1
print(failed)
"""


def measured(command):
    result = run(command)
    return result["cpu_s"], result["wall_s"], result["peak_tree_mib"], result


def pensieve(binary, files, work):
    tree, database = work / "tree", work / "corpus.db"
    shutil.rmtree(tree, ignore_errors=True)
    database.unlink(missing_ok=True)
    tree.mkdir()
    for number, path in enumerate(files):
        shutil.copy(path, tree / f"{number:05}{path.suffix}")
    cpu, wall, peak, _ = measured([binary, "ingest", str(tree), str(database), "-q", "--progress", "off"])
    with sqlite3.connect(database) as connection:
        failed = connection.execute(
            "SELECT count(*) FROM files WHERE file_type = 'file' AND processing_status NOT IN ('Processed')"
        ).fetchone()[0]
    return cpu, wall, peak, failed


def pandoc(reader, files):
    total = collections.Counter()
    peak = 0
    for path in files:
        cpu, wall, memory, result = measured(["pandoc", "-f", reader, "-t", "gfm", str(path)])
        total.update(cpu=cpu, wall=wall, failed=result["status"] != 0)
        peak = max(peak, memory)
    return total["cpu"], total["wall"], peak, total["failed"]


def markitdown(python, files):
    cpu, wall, peak, result = measured([python, "-c", MARKITDOWN_ALL, *map(str, files)])
    return cpu, wall, peak, result["output"].strip() or "all"


def row(contender, result, mebibytes, files):
    cpu, wall, peak, failed = result
    print(f"| {contender} | {cpu:.2f} | {1000 * cpu / files:.1f} | {mebibytes / max(cpu, 1e-9):.1f} | {peak:.0f} | {failed} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("formats", nargs="*")
    parser.add_argument("--pensieve", required=True)
    parser.add_argument("--python", required=True)
    arguments = parser.parse_args()
    groups = collections.defaultdict(list)
    for path in sorted(arguments.dir.rglob("*")):
        extension = path.suffix.lower().lstrip(".")
        if path.is_file() and extension in (arguments.formats or KNOWN):
            groups[extension].append(path)
    with tempfile.TemporaryDirectory() as work:
        for extension, files in sorted(groups.items()):
            mebibytes = sum(path.stat().st_size for path in files) / 2**20
            print(f"\n{extension}: {len(files)} files, {mebibytes:.1f} MiB\n")
            print("| contender | CPU s | ms a file | MiB/s per core | peak MiB, tree | not read |")
            print("| --- | ---: | ---: | ---: | ---: | ---: |")
            row("pensieve ingest", pensieve(arguments.pensieve, files, pathlib.Path(work)), mebibytes, len(files))
            if extension in PANDOC and shutil.which("pandoc"):
                row("pandoc", pandoc(PANDOC[extension], files), mebibytes, len(files))
            if extension in MARKITDOWN:
                row("markitdown", markitdown(arguments.python, files), mebibytes, len(files))
            sys.stdout.flush()


sys.exit(main())
