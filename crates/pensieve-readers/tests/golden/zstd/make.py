#!/usr/bin/env python3
"""Writes the files of this folder. Python's standard library alone; the same bytes every time."""
import struct
import io
import pathlib
import tarfile

HERE = pathlib.Path(__file__).parent
WORDS = b"SELECT rivers FROM europe;\n"



def pack(content):
    """One frame of one block that is not compressed."""
    head = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(content))
    return head + struct.pack("<I", len(content) << 3 | 1)[:3] + content



target = io.BytesIO()
with tarfile.open(fileobj=target, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for name, content in [("a.txt", b"One.\n"), ("folder/b.rs", b"fn main() {}\n")]:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))

(HERE / "dump.sql.zst").write_bytes(pack(WORDS))
(HERE / "backup.tar.zst").write_bytes(pack(target.getvalue()))
