#!/usr/bin/env python3
"""The pipeline that one writes in Python today: os.walk, hashlib, LangChain's recursive splitter on tiktoken, sqlite3.

Usage: python_pipeline.py DIR DB [--processes N]
Needs: requirements.txt, and TIKTOKEN_CACHE_DIR where there is no network (see vocabulary.py)

It does the part of `pensieve ingest` that such scripts do: walk, SHA-256, skip duplicate files, decode as UTF-8, NFKC,
chunks of at most 512 tokens with 50 of overlap, SHA-256 of each chunk, every chunk stored once. It keeps no text, no
offsets, no search table; it detects no encodings, and takes HTML as it is.
"""

import argparse
import hashlib
import multiprocessing
import os
import sqlite3
import unicodedata

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE, hash TEXT);
CREATE TABLE chunks(id INTEGER PRIMARY KEY, hash TEXT UNIQUE, content TEXT, tokens INTEGER);
CREATE TABLE sources(chunk_id INTEGER, file_id INTEGER, n INTEGER);
"""


class Cutter:
    """One splitter and one encoding for each process, made when they are first needed."""

    made = None

    def __init__(self):
        import tiktoken
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        self.encoding = tiktoken.get_encoding("cl100k_base")
        self.splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding_name="cl100k_base", chunk_size=512, chunk_overlap=50, disallowed_special=()
        )

    @classmethod
    def get(cls):
        cls.made = cls.made or cls()
        return cls.made

    def cut(self, text):
        for chunk in self.splitter.split_text(text):
            tokens = len(self.encoding.encode_ordinary(chunk))
            yield hashlib.sha256(chunk.encode()).hexdigest(), chunk, tokens


def walk(folder):
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]


def read(path):
    """The path, the hash of its bytes, and its text; None for what cannot be read or is no text."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return path, None, None
    digest = hashlib.sha256(content).hexdigest()
    if b"\0" in content[:8192]:
        return path, digest, None
    return path, digest, unicodedata.normalize("NFKC", content.decode("utf-8", "replace"))


def cut(work):
    file_id, text = work
    return file_id, list(Cutter.get().cut(text))


def texts(connection, results):
    """Stores the files and gives the texts of those whose bytes are new."""
    seen = set()
    for path, digest, text in results:
        file_id = connection.execute("INSERT INTO files(path, hash) VALUES(?, ?)", (path, digest)).lastrowid
        if text is not None and digest not in seen:
            seen.add(digest)
            yield file_id, text


def store(connection, results):
    count = 0
    for file_id, chunks in results:
        for number, (digest, chunk, tokens) in enumerate(chunks):
            connection.execute(
                "INSERT OR IGNORE INTO chunks(hash, content, tokens) VALUES(?, ?, ?)", (digest, chunk, tokens)
            )
            connection.execute(
                "INSERT INTO sources SELECT id, ?, ? FROM chunks WHERE hash = ?", (file_id, number, digest)
            )
        count += len(chunks)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir")
    parser.add_argument("db")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    connection = sqlite3.connect(arguments.db)
    connection.executescript(SCHEMA)
    paths = walk(arguments.dir)
    if arguments.processes > 1:
        with multiprocessing.Pool(arguments.processes) as pool:
            work = list(texts(connection, pool.imap_unordered(read, paths, 16)))
            chunks = store(connection, pool.imap_unordered(cut, work, 4))
    else:
        chunks = store(connection, map(cut, list(texts(connection, map(read, paths)))))
    connection.commit()
    print(f"{len(paths)} files, {chunks} chunks")


if __name__ == "__main__":
    main()
