"""An engine's program over a tree: its chunks and places are those of `pensieve export`.

Usage: try_engine.py NAME FOLDER
"""

import base64
import contextlib
import importlib
import json
import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pyarrow.parquet as parquet

ROOT = Path(__file__).resolve().parents[3]
LETTER = b"Subject: %s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nA letter.\n--b\n%s\n--b--\n"
ATTACHED = b"Content-Type: message/rfc822\n\nSubject: deep\n\nDeep words.\n"


#: How an engine is told to try a task again, and which ancestor of a worker is its executor.
RETRIES: Dict[str, Tuple[Dict[str, str], int]] = {
    "ray": ({}, 1),
    "pyspark": ({"PYSPARK_SUBMIT_ARGS": "--master local[2,4] --driver-memory 1g pyspark-shell"}, 1),
}
#: A worker that ends its executor at the sixth file, once for all workers; until then it passes everything on.
LETHAL = """#!{python}
import os, signal, subprocess, sys

def ancestor(process, steps):
    for _ in range(steps):
        process = int(open(f"/proc/{{process}}/stat").read().rsplit(")", 1)[1].split()[1])
    return process

child = subprocess.Popen(["{program}", *sys.argv[1:]], stdin=subprocess.PIPE)
for number, line in enumerate(sys.stdin.buffer):
    if number == 5:
        try:
            os.mkdir("{flag}")
            os.kill(ancestor(os.getpid(), {steps}), signal.SIGKILL)
            child.kill()
            sys.exit(1)
        except FileExistsError:
            pass
    child.stdin.write(line)
    child.stdin.flush()
child.stdin.close()
sys.exit(child.wait())
"""


def make_tree(folder: Path, source: str) -> str:
    """Twice a folder, letters inside letters, a name that is no text, a link."""
    tree = folder / "tree"
    shutil.copytree(source, tree / "given")
    shutil.copytree(source, tree / "again")
    (tree / "a.eml").write_bytes(LETTER % (b"one", ATTACHED))
    (tree / "b.eml").write_bytes(LETTER % (b"two", ATTACHED))
    (tree / "zz.eml").write_bytes(b"Subject: deep\n\nDeep words.\n")
    Path(os.fsdecode(os.fsencode(tree) + b"/caf\xe9 100%25.txt")).write_bytes(b"A name that is no text.\n")
    (tree / "link.txt").symlink_to("zz.eml")
    return str(tree)


def run(*words: str) -> str:
    return subprocess.run([os.environ["PENSIEVE_BIN"], *words], check=True, capture_output=True, text=True, env=bare()).stdout


def bare() -> Dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("PENSIEVE_")}


def exported(tree: str, folder: Path) -> Dict[str, Tuple[str, int, List[str]]]:
    """The chunks of a single run."""
    database = str(folder / "corpus.db")
    run("ingest", "--quiet", tree, database)
    rows = map(json.loads, run("export", database).splitlines())
    return {row["content_hash"]: (row["text"], row["tokens"], sorted(map(comparable, row["sources"]))) for row in rows}


def comparable(place: Dict[str, Any]) -> str:
    """A place without the copies of its document."""
    return json.dumps({key: value for key, value in place.items() if key != "duplicates"}, sort_keys=True)


def written(folder: Path) -> Dict[str, Tuple[str, int, List[str]]]:
    """The chunks in the Parquet files of an engine."""
    rows = parquet.read_table(folder).to_pylist()
    assert len({row["content_hash"] for row in rows}) == len(rows), "each chunk has one row"
    places = lambda row: sorted(comparable(json.loads(place)) for place in row["places"])
    return {row["content_hash"]: (row["text"], row["tokens"], places(row)) for row in rows}


def check_lost_worker(tree: str) -> None:
    """A worker that is gone costs the file that it read, and no other."""
    rows = importlib.import_module("engine_rows")
    worker, letter = rows.Worker(tree), base64.b64encode(b"zz.eml").decode()
    assert [row["status"] for row in worker.rows(letter) if row["row"] == "document"] == ["Processed"]
    worker.process.kill()
    worker.process.wait()
    assert [row["status"] for row in worker.rows(letter)] == ["Error"]
    assert [row["status"] for row in worker.rows(letter) if row["row"] == "document"] == ["Processed"]
    worker.close()


@contextlib.contextmanager
def object_store(tree: str, names: List[str]) -> Iterator[Dict[str, str]]:
    """A local server that speaks the protocol of S3, with files of a tree below s3://corpus/tree; what its clients must know."""
    import boto3

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    endpoint = f"http://127.0.0.1:{port}"
    words = [os.path.join(os.path.dirname(sys.executable), "moto_server"), "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
    try:
        wait_for(endpoint)
        known = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
        client = boto3.client("s3", endpoint_url=endpoint, **known)
        client.create_bucket(Bucket="corpus")
        for name in names:
            client.put_object(Bucket="corpus", Key=f"tree/{name}", Body=Path(tree, name).read_bytes())
        yield {**keys, "AWS_ENDPOINT_URL": endpoint}
    finally:
        server.kill()
        server.wait()


def wait_for(endpoint: str) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(endpoint, timeout=5).close()
            return
        time.sleep(0.1)
    raise SystemExit(f"{endpoint} does not answer")


def check_bucket(tree: str, folder: Path) -> None:
    """The objects of a bucket have the chunks and places that `export` prints for the same files in a folder."""
    Path(os.fsdecode(os.fsencode(tree) + b"/caf\xe9 100%25.txt")).unlink()
    Path(tree, "link.txt").unlink()
    Path(tree, "Übersicht 100%25.txt").write_text("A name with signs.\n")
    (folder / "corpus.db").unlink()
    rows = exported(tree, folder)
    # A bucket has no ignore files: it has what the run over the folder read.
    names = "SELECT relative_path FROM files WHERE file_type = 'file'"
    with contextlib.closing(sqlite3.connect(folder / "corpus.db")) as database:
        files = [name for (name,) in database.execute(names)]
    with object_store(tree, files) as known:
        words = [sys.executable, str(ROOT / "examples" / "s3_corpus.py"), "s3://corpus/tree", str(folder / "bucket")]
        subprocess.run(words, check=True, env={**os.environ, **known})
    moved = lambda places: sorted(place.replace(tree, "s3://corpus/tree") for place in places)
    expected = {key: (text, tokens, moved(places)) for key, (text, tokens, places) in rows.items()}
    compare("a bucket", written(folder / "bucket"), expected)


def compare(name: str, own: Dict[str, Tuple[str, int, List[str]]], expected: Dict[str, Tuple[str, int, List[str]]]) -> None:
    assert own.keys() == expected.keys(), f"{len(own.keys() ^ expected.keys())} chunks differ"
    differing = [content_hash for content_hash in own if own[content_hash] != expected[content_hash]]
    assert not differing, f"{len(differing)} chunks differ: {own[differing[0]]} {expected[differing[0]]}"
    places = sum(len(places) for _, _, places in own.values())
    print(f"{name}: {len(own)} chunks at {places} places, as `export` has them", flush=True)


def work(name: str, tree: str, folder: Path, out: str, more: Dict[str, str]) -> Tuple[float, float]:
    """Runs the program of an engine; its seconds, and those of processors as far as the engine's processes are waited for."""
    program = ROOT / "examples" / f"{name}_corpus.py"
    words = [sys.executable, str(program), tree, str(folder / "plan"), str(folder / out)]
    return timed(lambda: subprocess.run(words, check=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable, **more}))


def timed(job: Callable[[], Any]) -> Tuple[float, float]:
    cpu = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    wall_before, cpu_before = time.monotonic(), cpu()
    job()
    return time.monotonic() - wall_before, cpu() - cpu_before


def check_lost_executor(name: str, tree: str, folder: Path) -> None:
    """An executor that is killed in the middle is retried, without doubles."""
    more, steps = RETRIES[name]
    lethal, flag = folder / "lethal", folder / "killed"
    real = {"python": sys.executable, "program": os.environ["PENSIEVE_BIN"]}
    lethal.write_text(LETHAL.format(**real, flag=flag, steps=steps))
    lethal.chmod(0o755)
    work(name, tree, folder, "killed-out", {**more, "PENSIEVE_BIN": str(lethal)})
    assert flag.exists(), "nothing was killed"
    compare(f"{name}, an executor killed", written(folder / "killed-out"), exported(tree, folder))


def main(name: str, source: str, folder: Path) -> None:
    tree = make_tree(folder, source)
    check_lost_worker(tree)
    run("plan", tree, "--shards", "3", "--out", str(folder / "plan"))
    wall, cpu = work(name, tree, folder, "out", {})
    own, own_cpu = timed(lambda: exported(tree, folder))
    print(f"{name}: {wall:.1f} s, {cpu:.1f} CPU s; ingest and export: {own:.1f} s, {own_cpu:.1f} CPU s")
    compare(name, written(folder / "out"), exported(tree, folder))
    if name in RETRIES:
        check_lost_executor(name, tree, folder)
    if name == "daft":
        check_bucket(tree, folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(*sys.argv[1:], Path(folder))
