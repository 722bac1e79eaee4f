"""An engine's program over a tree: its chunks and places are those of `pensieve export`.

Usage: try_engine.py NAME FOLDER
"""

import base64
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pyarrow.parquet as parquet

ROOT = Path(__file__).resolve().parents[3]
LETTER = b"Subject: %s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nA letter.\n--b\n%s\n--b--\n"
ATTACHED = b"Content-Type: message/rfc822\n\nSubject: deep\n\nDeep words.\n"


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


def main(name: str, source: str, folder: Path) -> None:
    tree = make_tree(folder, source)
    check_lost_worker(tree)
    run("plan", tree, "--shards", "3", "--out", str(folder / "plan"))
    program = ROOT / "examples" / f"{name}_corpus.py"
    words = [sys.executable, str(program), tree, str(folder / "plan"), str(folder / "out")]
    subprocess.run(words, check=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable})
    own, expected = written(folder / "out"), exported(tree, folder)
    assert own.keys() == expected.keys(), f"{len(own.keys() ^ expected.keys())} chunks differ"
    differing = [content_hash for content_hash in own if own[content_hash] != expected[content_hash]]
    assert not differing, f"{len(differing)} chunks differ: {own[differing[0]]} {expected[differing[0]]}"
    places = sum(len(places) for _, _, places in own.values())
    print(f"{name}: {len(own)} chunks at {places} places, as `export` has them")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(*sys.argv[1:], Path(folder))
