#!/usr/bin/env python3
"""Milliseconds of a search by vectors, beside numpy and sqlite-vec, in one run over the same random vectors.

    pip install numpy apsw sqlite-vec
    benches/vectors.py target/release/pensieve --vectors 100000,1000000 --dimensions 384,1024 --folder /tmp/vectors

Pensieve is asked over its HTTP API, answer and texts included, and reads 16-bit numbers from its database; the vector of a
question is remembered from a first round, so the service takes no part in the second, which counts. numpy multiplies a
matrix of 32-bit numbers that is in memory; sqlite-vec reads its own table of 32-bit numbers. `memory` is the largest
resident set of the server.
"""

import argparse
import hashlib
import json
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import apsw
import numpy
import sqlite_vec

QUESTIONS = 12
ROWS = 10_000
PARAGRAPHS = 1_000


def service(dimensions):
    """A service whose vectors are random, but the same for the same text."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            data = [{"index": at, "embedding": of_text(text, dimensions).tolist()} for at, text in enumerate(texts)]
            body = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1/embeddings"


def of_text(text, dimensions):
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return numpy.random.default_rng(seed).standard_normal(dimensions).astype("f4")


def blocks(count, dimensions):
    random = numpy.random.default_rng(7)
    for start in range(0, count, ROWS):
        size = min(ROWS, count - start)
        block = random.standard_normal((size, dimensions), dtype="f4")
        yield start, block / numpy.linalg.norm(block, axis=1, keepdims=True)


def make_corpus(pensieve, folder, count, dimensions):
    """A database of many files of short paragraphs, each a chunk with a vector of its own."""
    tree, database = folder / "tree", folder / "corpus.db"
    tree.mkdir()
    for start in range(0, count, PARAGRAPHS):
        numbers = range(start, min(start + PARAGRAPHS, count))
        text = "\n\n".join(f"Paragraph {number:07} is one of a great many paragraphs." for number in numbers)
        (tree / f"{start:07}.txt").write_text(text)
    ingest = [pensieve, "ingest", tree, database, "--chunk-size", "16", "-q"]
    subprocess.run(ingest, check=True, stdout=subprocess.DEVNULL)
    corpus = sqlite3.connect(database)
    corpus.execute("PRAGMA synchronous = OFF")
    hashes = dict(corpus.execute("SELECT CAST(substr(content, 11, 7) AS INTEGER), content_hash FROM chunks"))
    assert len(hashes) == count, f"{len(hashes)} chunks"
    for start, block in blocks(count, dimensions):
        halves = [row.tobytes() for row in block.astype("<f2")]
        rows = [(hashes[start + at], "m", dimensions, "f16", half, "", "") for at, half in enumerate(halves)]
        corpus.executemany("INSERT INTO vectors VALUES(?, ?, ?, ?, ?, ?, ?)", rows)
    corpus.execute("INSERT INTO vector_models VALUES('m', ?, 1)", [dimensions])
    corpus.commit()
    corpus.close()
    shutil.rmtree(tree)
    return database


def milliseconds(ask, questions):
    times = []
    for question in questions:
        start = time.perf_counter()
        ask(question)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def of_pensieve(pensieve, folder, database, dimensions, questions):
    config = folder / "pensieve.toml"
    config.write_text(f'[embedding]\nendpoint = "{service(dimensions)}"\nmodel = "m"\n')
    command = [pensieve, "serve", database, "--config", config, "--bind", "127.0.0.1:0", "--timeout", "600"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        return of_server(server, questions)
    finally:
        server.terminate()
        server.wait()


def of_server(server, questions):
    address = server.stdout.readline().split()[-1]

    def ask(question):
        query = urllib.parse.urlencode({"query": question, "mode": "vectors", "limit": 10})
        with urllib.request.urlopen(f"{address}/api/v3/search?{query}") as answer:
            found = json.load(answer)
        assert found["mode"] == "vectors" and len(found["hits"]) == 10, found["notes"]
        return [int(hit["content"].split()[1]) for hit in found["hits"]]

    answers = [ask(question) for question in questions]
    took = milliseconds(ask, questions)
    status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    memory = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024
    return took, memory, answers


def of_numpy(count, dimensions, questions):
    matrix = numpy.empty((count, dimensions), "f4")
    for start, block in blocks(count, dimensions):
        matrix[start : start + len(block)] = block

    def ask(question):
        scores = matrix @ of_text(question, dimensions)
        best = numpy.argpartition(-scores, 10)[:10]
        return best[numpy.argsort(-scores[best])].tolist()

    return milliseconds(ask, questions), [ask(question) for question in questions]


def of_sqlite_vec(folder, count, dimensions, questions):
    table = apsw.Connection(str(folder / "vec.db"))
    table.enable_load_extension(True)
    table.load_extension(sqlite_vec.loadable_path())
    table.execute("PRAGMA synchronous = OFF")
    table.execute("BEGIN")
    table.execute(f"CREATE VIRTUAL TABLE v USING vec0(e float[{dimensions}])")
    for start, block in blocks(count, dimensions):
        table.executemany("INSERT INTO v(rowid, e) VALUES(?, ?)", ((start + at, row.tobytes()) for at, row in enumerate(block)))
    table.execute("COMMIT")

    def ask(question):
        vector = of_text(question, dimensions)
        vector /= numpy.linalg.norm(vector)
        return table.execute("SELECT rowid FROM v WHERE e MATCH ? AND k = 10", [vector.tobytes()]).fetchall()

    [ask(question) for question in questions[:2]]
    return milliseconds(ask, questions)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pensieve", type=pathlib.Path)
    parser.add_argument("--vectors", default="100000,1000000")
    parser.add_argument("--dimensions", default="384,1024")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    questions = [f"question number {number}" for number in range(QUESTIONS)]
    print("| vectors | dimensions | pensieve ms | memory MiB | numpy ms | sqlite-vec ms | same ten hits |", flush=True)
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for count in map(int, options.vectors.split(",")):
        for dimensions in map(int, options.dimensions.split(",")):
            folder = options.folder / f"{count}-{dimensions}"
            folder.mkdir(parents=True)
            database = make_corpus(options.pensieve.resolve(), folder, count, dimensions)
            took, memory, answers = of_pensieve(options.pensieve, folder, database, dimensions, questions)
            in_numpy, expected = of_numpy(count, dimensions, questions)
            same = sum(len(set(ours) & set(theirs)) for ours, theirs in zip(answers, expected)) / (10 * QUESTIONS)
            in_sqlite_vec = of_sqlite_vec(folder, count, dimensions, questions)
            print(f"| {count:,} | {dimensions} | {took:.0f} | {memory} | {in_numpy:.0f} | {in_sqlite_vec:.0f} | {same:.1%} |", flush=True)
            for name in ("corpus.db", "vec.db"):
                (folder / name).unlink()


if __name__ == "__main__":
    main()
