#!/usr/bin/env python3
"""64 readers of a corpus that is served while a run writes it: every answer must be right; how long they take.

Usage: benches/serve.py DIR [READERS]      a folder to ingest; half of it is there at the start, the rest comes meanwhile
"""

import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PENSIEVE = os.environ.get("PENSIEVE", os.path.join(ROOT, "target", "release", "pensieve"))
WORDS = ["error", "function", "memory", "value", "the lamp", "return", "\"first line\"", "licence", "test", "open*"]


def files_of(folder):
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "target")]
        found += [os.path.join(place, name) for name in names]
    return sorted(path for path in found if os.path.isfile(path) and not os.path.islink(path))


def copy(paths, source, target):
    for path in paths:
        place = os.path.join(target, os.path.relpath(path, source))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(path, place)


def read(address, stop, times, wrong, uids, seed):
    dice = random.Random(seed)
    connection = http.client.HTTPConnection(address, timeout=60)
    while not stop.is_set():
        uid = dice.choice(uids)
        kind, target = dice.choice([
            ("list", f"/api/v3/docs?limit=50&format={dice.choice(['rust', 'markdown', 'text'])}"),
            ("document", f"/api/v3/docs/{uid}"), ("text", f"/api/v3/docs/{uid}/text?offset={dice.randrange(20000)}&limit=4000"),
            ("chunks", f"/api/v3/docs/{uid}/chunks?limit=20"),
            ("search", "/api/v3/search?query=" + dice.choice(WORDS).replace(" ", "+").replace('"', "%22")),
        ])
        begun = time.perf_counter()
        try:
            connection.request("GET", target)
            answer = connection.getresponse()
            body = answer.read()
        except OSError as error:
            wrong.append(f"{target}: {error}")
            connection = http.client.HTTPConnection(address, timeout=60)
            continue
        took = time.perf_counter() - begun
        # A document without text has no `/text`: that is an answer, not an error.
        if answer.status == 200 or (answer.status == 404 and b"no-text" in body):
            json.loads(body)
            times.setdefault(kind, []).append(took)
        else:
            wrong.append(f"{target}: {answer.status} {body[:200]!r}")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def main():
    source = sys.argv[1]
    readers = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    with tempfile.TemporaryDirectory(prefix="pensieve-serve-") as folder:
        tree, database = os.path.join(folder, "tree"), os.path.join(folder, "corpus.db")
        paths = files_of(source)
        copy(paths[::2], source, tree)
        subprocess.run([PENSIEVE, "ingest", tree, database, "-q"], stderr=subprocess.DEVNULL, check=True)
        words = [PENSIEVE, "serve", database, "--bind", "127.0.0.1:0"]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        address = server.stdout.readline().split("//")[-1].strip()
        connection = http.client.HTTPConnection(address)
        connection.request("GET", "/api/v3/docs?limit=500")
        uids = [doc["doc_uid"] for doc in json.loads(connection.getresponse().read())["docs"]]
        copy(paths[1::2], source, tree)
        stop, times, wrong = threading.Event(), {}, []
        threads = [threading.Thread(target=read, args=(address, stop, times, wrong, uids, at)) for at in range(readers)]
        begun = time.time()
        for thread in threads:
            thread.start()
        subprocess.run([PENSIEVE, "ingest", tree, database, "-q"], stderr=subprocess.DEVNULL, check=True)
        wrote = time.time() - begun
        stop.set()
        for thread in threads:
            thread.join()
        server.terminate()
        code = server.wait()
        mode = subprocess.run([PENSIEVE, "verify", database], capture_output=True, text=True)
    every = [took for taken in times.values() for took in taken]
    print(f"{len(paths)} files, half of them written in {wrote:.1f} s beside {readers} readers: {len(every)} answers, "
          f"{len(wrong)} errors, the server ended with {code}, verify with {mode.returncode}")
    print("| question | answers | p50 ms | p95 ms | p99 ms |\n| --- | ---: | ---: | ---: | ---: |")
    for kind, taken in [*sorted(times.items()), ("all", every)]:
        cells = [f"{percentile(taken, share):.1f}" for share in (0.5, 0.95, 0.99)]
        print(f"| {kind} | {len(taken)} | {' | '.join(cells)} |")
    for line in wrong[:10]:
        print(line, file=sys.stderr)
    return 1 if wrong or code or mode.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
