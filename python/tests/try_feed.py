"""Chunks and changes of the installed package, tried from a fresh environment: standard library only."""

import gc
import json
import os
import pickle
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List

import pensieve


def raises(kind: type, call, *words, **named) -> BaseException:
    try:
        call(*words, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


def write_tree(tree: Path) -> None:
    (tree / "sub").mkdir(parents=True)
    (tree / "a.md").write_text("# Oaks\n\nAn oak is a tree. Ünder it stands a bench.\n")
    (tree / "sub" / "b.csv").write_text("year,height\n" + "".join(f"{year},{year * 3}\n" for year in range(600)))
    shutil.copy(tree / "a.md", tree / "copy.md")


def exported(database: Path) -> List[Dict[str, Any]]:
    words = [os.environ["PENSIEVE_BIN"], "export", str(database)]
    environment = {name: value for name, value in os.environ.items() if name != "PENSIEVE_BIN"}
    ran = subprocess.run(words, stdout=subprocess.PIPE, check=True, env=environment)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def try_chunks(database: Path) -> None:
    rows = exported(database)
    found = list(pensieve.chunks(database))
    assert [(chunk.content_hash, chunk.content, chunk.tokens) for chunk in found] == [
        (row["content_hash"], row["content"], row["tokens"]) for row in rows
    ]
    for chunk, row in zip(found, rows):
        assert [place.citation for place in chunk.places] == [source["citation"] for source in row["sources"]]
    oak = next(chunk for chunk in found if "oak" in chunk.content)
    assert oak.places[0].heading_path == "Oaks" and len(oak.places[0].duplicates) == 1, oak
    assert all("csv" in place.path for chunk in pensieve.chunks(database, path="*.csv") for place in chunk.places)
    assert raises(pensieve.PensieveError, list, pensieve.chunks(database.with_name("gone.db"))).args[0]


def is_running(feed: Any) -> bool:
    return feed._lines._child.poll() is None


def try_ends(database: Path) -> None:
    with pensieve.chunks(database) as feed:
        next(feed)
    assert not is_running(feed)
    feed.close()
    raises(StopIteration, next, feed)
    forgotten = pensieve.chunks(database)
    next(forgotten)
    child = forgotten._lines._child
    del forgotten
    gc.collect()
    assert child.poll() is not None


def state(database: Path) -> Dict[pensieve.Key, str]:
    return {
        (chunk.content_hash, place.doc_uid, place.start): chunk.content
        for chunk in pensieve.chunks(database)
        for place in chunk.places
    }


def apply(known: Dict[pensieve.Key, str], feed: pensieve.Changes) -> int:
    count = 0
    for count, change in enumerate(feed, 1):
        if isinstance(change, pensieve.Upsert):
            known[change.key] = change.content
        else:
            known.pop(change.key, None)
    return count


def try_changes(tree: Path, database: Path) -> None:
    known: Dict[pensieve.Key, str] = {}
    feed = pensieve.changes(database)
    assert feed.cursor == "0" and apply(known, feed) > 3
    assert known == state(database) and not feed.more and feed.bytes_read > 1000
    (tree / "a.md").write_text("# Elms\n\nAn elm is a tree.\n")
    os.rename(tree / "sub" / "b.csv", tree / "c.csv")
    pensieve.ingest(tree, database)
    cursor, count = feed.cursor, 0
    while True:
        with pensieve.changes(database, since=cursor, limit=2) as feed:
            count += apply(known, feed)
        cursor = feed.cursor
        if not feed.more:
            break
    assert known == state(database) and count > 2, count
    assert list(pensieve.changes(database, since=cursor)) == []
    error = raises(pensieve.PensieveError, list, pensieve.changes(database, since="nonsense"))
    assert "nonsense" in str(error), error
    with pensieve.changes(database) as feed:
        next(feed)
        assert feed.cursor not in ("0", cursor)
    assert not is_running(feed)


def try_expired(tree: Path, folder: Path) -> None:
    database, other = folder / "corpus.db", folder / "other.db"
    time.sleep(1.1)  # Databases are told apart by the second of their first run.
    pensieve.ingest(tree, other)
    feed = pensieve.changes(database)
    for _ in feed:
        pass
    error = raises(pensieve.ExpiredCursorError, list, pensieve.changes(other, since=feed.cursor))
    assert isinstance(error, pensieve.PensieveError)
    assert list(pensieve.changes(other, since=error.oldest)) == []
    assert pickle.loads(pickle.dumps(error)).oldest == error.oldest


def main() -> None:
    os.environ["PENSIEVE_BIN"] = os.environ.get("PENSIEVE_BIN") or pensieve._program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tree(folder / "tree")
        pensieve.ingest(folder / "tree", folder / "corpus.db")
        assert pensieve.pack(folder / "corpus.db", "oak", budget=500)["pieces"][0]["citation"].startswith("pensieve:")
        try_chunks(folder / "corpus.db")
        try_ends(folder / "corpus.db")
        try_changes(folder / "tree", folder / "corpus.db")
        try_expired(folder / "tree", folder)


main()
