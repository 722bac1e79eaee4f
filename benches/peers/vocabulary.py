#!/usr/bin/env python3
"""Gives Python's `tiktoken` its vocabulary without a network.

Usage: vocabulary.py FOLDER        then set TIKTOKEN_CACHE_DIR=FOLDER

tiktoken fetches `cl100k_base.tiktoken` and keeps it in TIKTOKEN_CACHE_DIR under the SHA-1 of the address, and checks its
SHA-256 when it reads it back. The same tokens are compiled into Pensieve (`crates/pensieve-text/src/text/tokens/data/cl100k_base.ranks`:
one byte of length and the token, in the order of ranks), so the file is written from there.
"""

import base64
import hashlib
import pathlib
import sys

ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
RANKS = pathlib.Path(__file__).resolve().parents[2] / "crates/pensieve-text/src/text/tokens/data/cl100k_base.ranks"


def lines(ranks):
    at = rank = 0
    while at < len(ranks):
        token = ranks[at + 1 : at + 1 + ranks[at]]
        yield base64.b64encode(token) + b" %d\n" % rank
        at, rank = at + 1 + len(token), rank + 1


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha1(ADDRESS.encode()).hexdigest()
    (folder / name).write_bytes(b"".join(lines(RANKS.read_bytes())))


main()
