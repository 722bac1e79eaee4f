#!/usr/bin/env python3
"""Writes the files of this folder. Python's standard library alone; the same bytes every time."""
import bz2
import io
import pathlib
import tarfile

HERE = pathlib.Path(__file__).parent
WORDS = b"SELECT rivers FROM europe;\n"



def pack(content):
    return bz2.compress(content)



target = io.BytesIO()
with tarfile.open(fileobj=target, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for name, content in [("a.txt", b"One.\n"), ("folder/b.rs", b"fn main() {}\n")]:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))

(HERE / "dump.sql.bz2").write_bytes(pack(WORDS))
(HERE / "backup.tar.bz2").write_bytes(pack(target.getvalue()))
