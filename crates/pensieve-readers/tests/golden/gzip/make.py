#!/usr/bin/env python3
"""Writes the files of this folder. Python's standard library alone; the same bytes every time."""
import gzip
import io
import pathlib
import tarfile

HERE = pathlib.Path(__file__).parent
WORDS = b"SELECT rivers FROM europe;\n"



def pack(content):
    return gzip.compress(content, mtime=0)



target = io.BytesIO()
with tarfile.open(fileobj=target, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for name, content in [("a.txt", b"One.\n"), ("folder/b.rs", b"fn main() {}\n")]:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))

(HERE / "dump.sql.gz").write_bytes(pack(WORDS))
(HERE / "backup.tgz").write_bytes(pack(target.getvalue()))
(HERE / "cut.txt.gz").write_bytes(pack(b"".join(b"line %d of many\n" % (n * 7919) for n in range(900)))[:-700])
