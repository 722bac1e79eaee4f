"""Chunks as typed objects, one by one, while the program prints them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Dict, Generic, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar

from ._program import Lines, Path

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
        return Chunk(row["content_hash"], row["content"], row["tokens"], row["tokenizer"], places)


def chunks(database: Path, *, path: Optional[str] = None) -> Chunks:
    """All chunks with their places, each once, in the order of ``pensieve export``.

    ``path`` is a pattern as in ``.gitignore``: only chunks of these files. Raises :class:`PensieveError` with the words of the
    program, at the latest at the end of the loop.
    """
    narrowed = [] if path is None else [f"--path={path}"]
    return Chunks(["export", "--format=jsonl", *narrowed, "--", os.fspath(database)])


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
