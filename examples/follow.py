"""Keeps an index of vectors in step with a database: what the programs beside this one have in common.

The index has a record for each text, once, with all its places, and the cursor up to which it has followed. Records are
written before the cursor that is after them: who is killed in between reads some changes twice, which changes nothing."""

import itertools
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Optional, Protocol

import pensieve
from embedding import embed

BATCH = 256


@dataclass
class Record:
    """A text of the index, with what is known of each place, by document and first byte."""

    content_hash: str
    content: str
    vector: List[float]
    places: Dict[str, Any] = field(default_factory=dict)


class Index(Protocol):
    """What a store has to offer. What a step has written is there after a kill."""

    def cursor(self) -> Optional[str]: ...
    def set_cursor(self, cursor: str) -> None: ...
    def get(self, hashes: List[str]) -> Iterable[Record]: ...
    def put(self, records: List[Record]) -> None: ...
    def forget_places(self) -> None: ...
    def sweep(self) -> None: ...
    def search(self, vector: List[float], k: int) -> List[Record]: ...


@dataclass
class Work:
    """What it took to be in step."""

    changes: int = 0
    embedded: int = 0
    bytes_read: int = 0


def follow(database: str, index: Index) -> Work:
    """Brings the index up to date."""
    work, since = Work(), index.cursor()
    try:
        apply_all(database, begin_again(index) if since is None else since, index, work)
    except pensieve.ExpiredCursorError:
        apply_all(database, begin_again(index), index, work)
    # Texts without a place are kept until here: what has only moved is not embedded again.
    index.sweep()
    return work


def begin_again(index: Index) -> str:
    """Keeps texts and vectors, to learn all places anew."""
    index.forget_places()
    return "0"


def apply_all(database: str, since: str, index: Index, work: Work) -> None:
    with pensieve.changes(database, since=since) as feed:
        while batch := list(itertools.islice(feed, BATCH)):
            work.changes += len(batch)
            work.embedded += apply(batch, index)
            index.set_cursor(batch[-1].cursor)
        index.set_cursor(feed.cursor)
        work.bytes_read += feed.bytes_read


def apply(batch: List[pensieve.Change], index: Index) -> int:
    """Applies changes in their order; the number of texts that were embedded."""
    known = {record.content_hash: record for record in index.get(list({change.content_hash for change in batch}))}
    texts = {change.content_hash: change.content for change in batch if isinstance(change, pensieve.Upsert)}
    new = [content_hash for content_hash in texts if content_hash not in known]
    for content_hash, vector in zip(new, embed([texts[content_hash] for content_hash in new])):
        known[content_hash] = Record(content_hash, texts[content_hash], vector)
    for change in batch:
        place = "{1}/{2}".format(*change.key)
        if isinstance(change, pensieve.Upsert):
            known[change.content_hash].places[place] = {"citation": change.place.citation, "path": change.place.path}
        elif change.content_hash in known:
            known[change.content_hash].places.pop(place, None)
    index.put(list(known.values()))
    return len(new)


def main(open_index: Callable[[str], Index]) -> None:
    """DB FOLDER [QUESTION]: follows the database, then answers."""
    database, folder, *question = sys.argv[1:]
    index = open_index(folder)
    print(follow(database, index))
    for record in index.search(embed(question)[0], 3) if question else []:
        print(*(place["citation"] for place in record.places.values()), record.content[:80].replace("\n", " "))
