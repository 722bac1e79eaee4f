#!/usr/bin/env python3
"""Writes the archives of this folder. Python's standard library alone; the same bytes every time."""
import io
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent


def info(name, mode=0o644):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    entry.create_system = 3
    return entry


def archive(entries):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for entry, content in entries:
            packed.writestr(entry, content)
    return target.getvalue()


inner = archive([(info("deep/table.csv"), "river,length\nRhine,1233\n"), (info("pixel.png"), b"\x89PNG\r\n\x1a\n\0")])
whole = archive([
    (info("notes/", 0o40755), ""),
    (info("notes/rivers.md"), "# Rivers\n\nThe Rhine ends in the North Sea.\n"),
    (info("notes/rivers.md"), "The same name again.\n"),
    (info("../../up.txt"), "A name that leads out.\n"),
    (info("link", 0o120777), "notes/rivers.md"),
    (info("inner.zip"), inner),
    (info("empty.txt"), ""),
    (info("caf\u00e9.py"), "print('coffee')\n"),
])
(HERE / "whole.zip").write_bytes(whole)

locked = bytearray(archive([(info("locked.txt"), "no one reads this"), (info("open.txt"), "Open words.\n")]))
at = locked.index(b"PK\x01\x02")
locked[at + 8] |= 1
locked[6] |= 1
(HERE / "locked.zip").write_bytes(locked)

# Both entries of the directory have the data of the first one.
overlap = bytearray(archive([(info("a.txt"), "one\n"), (info("b.txt"), "two\n")]))
first = overlap.index(b"PK\x01\x02")
second = overlap.index(b"PK\x01\x02", first + 4)
overlap[second + 42:second + 46] = overlap[first + 42:first + 46]
(HERE / "overlap.jar").write_bytes(overlap)
