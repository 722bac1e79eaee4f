"""Chunks and changes as typed objects, one by one, while the program prints them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Dict, Generic, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar, Union

from ._program import Lines, Path, PensieveError

#: What names a chunk at a place: content_hash, doc_uid, start.
Key = Tuple[str, str, int]

_Item = TypeVar("_Item")
_Self = TypeVar("_Self", bound="Feed[Any]")


@dataclass(frozen=True)
class FileCopy:
    """Another file with the same bytes."""

    doc_uid: str
    name: str
    relative_path: str
    path: str


@dataclass(frozen=True)
class Place:
    """Where a chunk is. Offsets are bytes, the end excluded."""

    doc_uid: str
    #: The path below the ingested folder, for people; a document in an archive or mail has its whole way there.
    name: str
    relative_path: str
    path: str
    format: Optional[str]
    #: Bytes of the clean text of the document.
    start: int
    end: int
    #: Bytes of the file, where its format has them; ``source_exact`` says whether they are just this chunk.
    source: Optional[Tuple[int, int]]
    source_exact: Optional[bool]
    #: Lines, pages, cells, slides.
    locator: Optional[Dict[str, Any]]
    heading_path: Optional[str]
    #: Text to repeat before the chunk, such as the header of a cut table.
    context: Optional[str]
    citation: str
    duplicates: Tuple[FileCopy, ...] = ()


@dataclass(frozen=True)
class Chunk:
    """A text that is stored once, with all its places."""

    #: SHA-256 of the content.
    content_hash: str
    content: str
    tokens: int
    tokenizer: str
    places: Tuple[Place, ...]
    #: Its vector, where it was asked for and is stored.
    vector: Optional[Tuple[float, ...]] = None


@dataclass(frozen=True)
class Upsert:
    """The chunk is at this place: replaces what was known of the key."""

    cursor: str
    content_hash: str
    content: str
    tokens: int
    tokenizer: str
    place: Place
    #: Its vector, where it was asked for and is stored.
    vector: Optional[Tuple[float, ...]] = None

    @property
    def key(self) -> Key:
        """Content hash, document, first byte."""
        return (self.content_hash, self.place.doc_uid, self.place.start)


@dataclass(frozen=True)
class Delete:
    """The chunk is no longer at this place. It may never have been known."""

    cursor: str
    content_hash: str
    doc_uid: str
    start: int

    @property
    def key(self) -> Key:
        """Content hash, document, first byte."""
        return (self.content_hash, self.doc_uid, self.start)


#: One line of the feed.
Change = Union[Upsert, Delete]


class ExpiredCursorError(PensieveError):
    """The changes since the cursor are no longer kept: begin again with ``since=0``."""

    def __init__(self, oldest: str) -> None:
        super().__init__("the changes since this cursor are no longer kept: begin again with since=0")
        #: The oldest cursor that is still held.
        self.oldest = oldest

    def __reduce__(self) -> Tuple[Any, ...]:
        return (ExpiredCursorError, (self.oldest,))


class Feed(Iterator[_Item], Generic[_Item]):
    """An iterator over what the program prints. The program ends when it is closed, left by ``with`` or forgotten."""

    def __init__(self, words: List[str]) -> None:
        self._lines = Lines(words)

    @property
    def bytes_read(self) -> int:
        """Bytes that the program has printed so far."""
        return self._lines.bytes_read

    def _item(self, row: Mapping[str, Any]) -> _Item:
        raise NotImplementedError

    def __next__(self) -> _Item:
        return self._item(json.loads(next(self._lines)))

    def close(self) -> None:
        """Ends the program if it still runs."""
        self._lines.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class Chunks(Feed[Chunk]):
    """All chunks of a database, see :func:`chunks`."""

    def _item(self, row: Mapping[str, Any]) -> Chunk:
        places = tuple(_place(source) for source in row["sources"])
        return Chunk(row["content_hash"], row["content"], row["tokens"], row["tokenizer"], places, _vector(row))


class Changes(Feed[Change]):
    """What an index must do to be in step, see :func:`changes`."""

    def __init__(self, words: List[str], since: str) -> None:
        super().__init__(words)
        #: Continues after the last change that was given; after the loop, after all of them.
        self.cursor = since
        #: True after the loop if ``limit`` has left changes for the next call.
        self.more = False
        self._is_complete = False

    def _item(self, row: Mapping[str, Any]) -> Change:
        if row["op"] == "expired":
            self.close()
            raise ExpiredCursorError(row["oldest"])
        self.cursor = row["cursor"]
        if row["op"] == "end":
            self._is_complete, self.more = True, bool(row.get("more", False))
            return next(self)
        return _change(row)

    def __next__(self) -> Change:
        try:
            return super().__next__()
        except StopIteration:
            if not self._is_complete:
                raise PensieveError("the changes end without their last line") from None
            raise


def chunks(database: Path, *, path: Optional[str] = None, vectors: Optional[str] = None) -> Chunks:
    """All chunks with their places, each once, in the order of ``pensieve export``.

    ``path`` is a pattern as in ``.gitignore``: only chunks of these files. ``vectors`` is a model whose vectors come with the
    chunks. Raises :class:`PensieveError` with the words of the
    program, at the latest at the end of the loop.
    """
    flags = _flags(path=path, vectors=vectors)
    return Chunks(["export", "--format=jsonl", *flags, "--", os.fspath(database)])


def changes(
    database: Path, *, since: Union[str, int] = 0, limit: Optional[int] = None, vectors: Optional[str] = None
) -> Changes:
    """What has happened since a cursor or the number of a run; the whole state since 0.

    The loop has a ``cursor`` at any moment: kept after a change was applied, the next call goes on there. ``limit`` is the
    largest number of changes; ``vectors`` is a model whose vectors come with the chunks. Raises :class:`ExpiredCursorError` where the changes since then are no longer kept, and
    :class:`PensieveError` for anything else.
    """
    flags = _flags(since=since, limit=limit, vectors=vectors)
    return Changes(["changes", *flags, "--", os.fspath(database)], str(since))


def _flags(**values: Union[str, int, None]) -> List[str]:
    return [f"--{name}={value}" for name, value in values.items() if value is not None]


def _change(row: Mapping[str, Any]) -> Change:
    if row["op"] == "delete":
        return Delete(row["cursor"], row["content_hash"], row["doc_uid"], row["start"])
    if row["op"] != "upsert":
        raise PensieveError(f"unknown change {row['op']!r}: this package is older than the program")
    return Upsert(
        row["cursor"], row["content_hash"], row["content"], row["tokens"], row["tokenizer"], _place(row), _vector(row)
    )


def _vector(row: Mapping[str, Any]) -> Optional[Tuple[float, ...]]:
    numbers = row.get("vector")
    return None if numbers is None else tuple(numbers)


def _place(source: Mapping[str, Any]) -> Place:
    bytes_of_file = source["source"]
    return Place(
        doc_uid=source["doc_uid"],
        name=source["name"],
        relative_path=source["relative_path"],
        path=source["path"],
        format=source["format"],
        start=source["start"],
        end=source["end"],
        source=None if bytes_of_file is None else (bytes_of_file[0], bytes_of_file[1]),
        source_exact=source["source_exact"],
        locator=source["locator"],
        heading_path=source["heading_path"],
        context=source["context"],
        citation=source["citation"],
        duplicates=tuple(
            FileCopy(copy["doc_uid"], copy["name"], copy["relative_path"], copy["path"])
            for copy in source.get("duplicates", ())
        ),
    )
