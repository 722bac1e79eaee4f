"""The programs in examples/ over a random history: after each round an index has what `export` prints.

Usage: try_consumers.py NAME ROUNDS SEED
"""

import importlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Sequence, Set

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))

import follow
from editing import Editor
from embedding import embed

import pensieve
from pensieve._program import checked

CLASSES = {"numpy": "NumpyIndex", "lancedb": "LanceIndex", "qdrant": "QdrantIndex", "chroma": "ChromaIndex"}
#: The steps of a store that are followed by a kill.
STEPS = ("cursor", "set_cursor", "get", "put", "forget_places", "sweep")
# Small, so that a kill finds many places to hit.
follow.BATCH = 24
# Short, so that cursors expire.
os.environ["PENSIEVE_STORE_JOURNAL"] = "2 runs"


def count_what_is_paid(log: Path) -> None:
    """Notes each text that is embedded, in the process that is killed too."""

    def noted(texts: Sequence[str]) -> List[List[float]]:
        with log.open("a") as file:
            file.write("." * len(texts))
        return embed(texts)

    follow.embed = noted


def open_index(name: str, folder: Path) -> Any:
    return getattr(importlib.import_module(f"{name}_index"), CLASSES[name])(str(folder))


def ingest(tree: Path, database: Path, chunk_size: int) -> None:
    flags = [f"--chunk-size={chunk_size}", "--chunk-overlap=0", "--threads=2", "--allow-mass-deletion", "--quiet"]
    checked(["ingest", *flags, "--", str(tree), str(database)])


def count_restarts(restarts: List[int]) -> None:
    begin_again = follow.begin_again

    def noted(index: Any) -> str:
        restarts.append(1)
        return begin_again(index)

    follow.begin_again = noted


def is_ruined(error: Exception) -> bool:
    """True for the error of Chroma about its own files, which does not go away."""
    return type(error).__module__ == "chromadb.errors" and type(error).__name__ == "InternalError"


class Killed:
    """An index that ends its process after a number of steps, before or after the last one is done."""

    def __init__(self, index: Any, steps: int) -> None:
        self.index, self.left = index, steps

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.index, name)
        return method if name not in STEPS else lambda *words: self.step(method, *words)

    def step(self, method: Any, *words: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), 9)
        done = method(*words)
        if self.left == 1 and method.__name__ != "get":
            os.kill(os.getpid(), 9)
        return done


def follow_until_killed(name: str, database: Path, folder: Path, dice: random.Random) -> None:
    """Kills another process after some steps, or at any moment."""
    at_any_moment = dice.random() < 0.5
    steps = 1_000_000 if at_any_moment else dice.randint(1, 12)
    words = [sys.executable, __file__, "--killed", name, str(database), str(folder), str(steps)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        if at_any_moment:
            time.sleep(dice.random() * 0.5)
            child.kill()
    assert child.returncode in (0, -9), child.returncode


def be_killed(name: str, database: str, folder: str, steps: str) -> None:
    count_what_is_paid(Path(database).with_suffix(".paid"))
    index = open_index(name, Path(folder))
    print("open", flush=True)
    follow.follow(database, Killed(index, int(steps)))


class History:
    """One database, one index, and what is known of both."""

    def __init__(self, name: str, seed: int, folder: Path) -> None:
        self.name, self.dice = name, random.Random(seed)
        self.tree, self.database, self.folder = folder / "tree", folder / "corpus.db", folder / "index"
        self.editor = Editor(self.tree, self.dice)
        self.known: Set[str] = set()
        self.paid = self.database.with_suffix(".paid")
        self.ruined = 0
        self.kills = self.rounds_followed = self.bytes_read = self.bytes_of_states = self.needed = 0
        self.restarts: List[int] = []
        count_what_is_paid(self.paid)
        count_restarts(self.restarts)

    def round(self, number: int) -> None:
        for _ in range(self.dice.randint(0, 4)):
            self.editor.step()
        ingest(self.tree, self.database, 96 if number % 7 == 3 else 48)
        if self.dice.random() < 0.3:
            return  # The index falls behind.
        is_killed = self.dice.random() < 0.5
        if is_killed:
            self.kills += 1
            follow_until_killed(self.name, self.database, self.folder, self.dice)
        try:
            self.catch_up(is_killed)
        except Exception as error:
            # A store that a kill has ruined is thrown away; what it had is paid again.
            if not is_killed or not is_ruined(error):
                raise
            self.ruined += 1
            self.known = set()
            shutil.rmtree(self.folder)
            self.catch_up(is_killed)

    def catch_up(self, is_killed: bool) -> follow.Work:
        index = open_index(self.name, self.folder)
        try:
            work = follow.follow(str(self.database), index)
            records = list(index.records())
        finally:
            index.close()
        self.compare(records)
        hashes = {record.content_hash for record in records}
        new = len(hashes - self.known)
        assert work.embedded <= new if is_killed else work.embedded == new, (work, new, is_killed)
        self.known = hashes
        self.needed += new
        self.rounds_followed += 1
        self.bytes_read += work.bytes_read
        return work

    def compare(self, records: List[follow.Record]) -> None:
        state = self.exported()
        found = {
            (record.content_hash, *place.split("/")): (facts["citation"], facts["path"])
            for record in records
            for place, facts in record.places.items()
        }
        assert found == state, set(found.items()) ^ set(state.items())
        assert all(record.places for record in records), "a text without a place is stale"
        for record, vector in zip(records, embed([record.content for record in records])):
            distance = max(abs(a - b) for a, b in zip(record.vector, vector))
            assert distance < 1e-5, (record.content_hash, distance)

    def exported(self) -> Dict[Any, Any]:
        state = {}
        with pensieve.chunks(self.database) as feed:
            for chunk in feed:
                for place in chunk.places:
                    key = (chunk.content_hash, place.doc_uid, str(place.start))
                    state[key] = (place.citation, place.path)
            self.bytes_of_states += feed.bytes_read
        return state


def run(name: str, rounds: int, seed: int, folder: Path) -> None:
    history = History(name, seed, folder)
    for number in range(rounds):
        history.round(number)
    ingest(history.tree, history.database, 48)
    history.catch_up(is_killed=False)
    assert history.catch_up(is_killed=False).changes == 0
    # One sentence at the end of one file moves nothing. A copy would become a document of its own.
    texts = Counter(file.read_text() for file in history.editor.files())
    file = next(file for file in history.editor.files() if texts[file.read_text()] == 1)
    file.write_text(file.read_text() + f"\n\n{history.editor.sentence()}\n")
    ingest(history.tree, history.database, 48)
    work = history.catch_up(is_killed=False)
    assert 0 < work.changes <= 12 and work.bytes_read < 20_000, work
    paid = len(history.paid.read_text())
    assert history.needed <= paid <= history.needed + history.kills * follow.BATCH, (history.needed, paid)
    print(
        f"{name}: {rounds} rounds, {history.kills} kills, of which {history.ruined} ruined the store; {len(history.restarts)} times from the whole state; "
        f"equal to `export` {history.rounds_followed} times; "
        f"{paid} texts embedded where {history.needed} were new; "
        f"{history.bytes_read / 1e6:.2f} MB of changes read, the states have {history.bytes_of_states / 1e6:.2f} MB"
    )


def main() -> None:
    if sys.argv[1] == "--killed":
        be_killed(*sys.argv[2:])
        return
    name, rounds, seed = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        run(name, int(rounds), int(seed), Path(folder))


main()
