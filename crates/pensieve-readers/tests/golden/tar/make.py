#!/usr/bin/env python3
"""Writes the archives of this folder. Python's standard library alone; the same bytes every time."""
import io
import pathlib
import tarfile

HERE = pathlib.Path(__file__).parent


def archive(form):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=form) as packed:
        def add(name, content=b"", kind=tarfile.REGTYPE, link=""):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname, entry.size = kind, link, len(content)
            packed.addfile(entry, io.BytesIO(content))

        add("notes", kind=tarfile.DIRTYPE)
        add("notes/rivers.md", b"# Rivers\n\nThe Rhine ends in the North Sea.\n")
        add("/etc/hosts", b"127.0.0.1 localhost\n")
        add("link", kind=tarfile.SYMTYPE, link="../../etc/passwd")
        add("hard", kind=tarfile.LNKTYPE, link="notes/rivers.md")
        add("pipe", kind=tarfile.FIFOTYPE)
        add("long/" + 30 * "name of a folder/" + "end.txt", b"A long name.\n")
        add("notes/rivers.md", b"A later version.\n")
        add("mail.eml", b"Subject: One\nFrom: ann@example.org\n\nThe letter.\n")
    return target.getvalue()


gnu = archive(tarfile.GNU_FORMAT)
(HERE / "gnu.tar").write_bytes(gnu)
(HERE / "pax.tar").write_bytes(archive(tarfile.PAX_FORMAT))
(HERE / "cut.tar").write_bytes(gnu[:1600])
