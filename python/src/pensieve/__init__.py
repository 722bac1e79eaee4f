"""Books and folders to clean, cited text for language models.

The work is done by the ``pensieve`` program that comes with this package; the functions here run it and give back what
it says. Nothing here reads a document itself, and nothing is fetched.
"""

from __future__ import annotations

import errno
import json
import os
from typing import Any, Dict, List, Optional, Tuple

from ._feed import (
    Change,
    Changes,
    Chunk,
    Chunks,
    Delete,
    ExpiredCursorError,
    FileCopy,
    Key,
    Place,
    Upsert,
    changes,
    chunks,
)
from ._corpus import Citation, Corpus, Document, Hit, IngestSummary, Pack, Piece, Source, convert
from ._program import ConfigurationError, CorpusError, InputError, PensieveError, UsageError
from ._program import Path as _Path, checked as _checked, message as _message, program as _program, run as _run

__all__ = [
    "Change",
    "Changes",
    "Chunk",
    "Chunks",
    "Citation",
    "ConfigurationError",
    "ConvertedBook",
    "Corpus",
    "CorpusError",
    "Delete",
    "Document",
    "EpubProcessingError",
    "ExpiredCursorError",
    "FileCopy",
    "Hit",
    "IngestSummary",
    "InputError",
    "Key",
    "Pack",
    "PandocNotFoundError",
    "PensieveError",
    "Piece",
    "Place",
    "Source",
    "Upsert",
    "UsageError",
    "__version__",
    "changes",
    "chunks",
    "convert",
    "convert_epub",
    "ingest",
    "pack",
    "process_epub_to_rag_markdown",
    "search",
    "text",
]



def __getattr__(name: str) -> str:
    if name == "__version__":
        return _checked(["--version"]).split()[-1]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


#: What the program says of a document that is no error of the document.
_NO_PANDOC = "PandocNotFound"


class EpubProcessingError(PensieveError):
    """A book could not be read or converted."""


class PandocNotFoundError(PensieveError):
    """``engine="pandoc"`` was asked for, and there is no pandoc in ``PATH``."""


class ConvertedBook(str):
    """The path of a written ``.rag.md``, with what the program reported of the book."""

    #: What should be checked: parts that are missing, damaged or guessed. Empty for a sound book.
    warnings: List[str]
    #: The whole object of ``pensieve convert --json``: metadata, contents, documents inside.
    report: Dict[str, Any]

    def __new__(cls, report: Dict[str, Any]) -> "ConvertedBook":
        book = super().__new__(cls, report["output"])
        book.warnings = [str(warning) for warning in report.get("warnings") or []]
        book.report = report
        return book

    def __reduce__(self) -> Tuple[Any, ...]:
        return (ConvertedBook, (self.report,))


def process_epub_to_rag_markdown(epub_path: str, output_dir: str, *, engine: str = "builtin") -> str:
    """Convert one EPUB to clean Markdown for language models; the path of the written ``.rag.md`` comes back.

    Both may also be objects that stand for paths. ``output_dir`` is made where there is none. ``engine`` is ``"builtin"``, which needs nothing installed, or
    ``"pandoc"``, which runs the pandoc in ``PATH`` on the pages of the book.

    Raises ``FileNotFoundError`` where there is no such input, ``PandocNotFoundError`` where pandoc was asked for and is
    not there, ``EpubProcessingError`` for anything else that goes wrong in reading or converting, a file that is no EPUB
    included. The path is a :class:`ConvertedBook`, which also has the warnings.
    """
    return convert_epub(epub_path, output_dir, engine=engine)


def convert_epub(epub_path: _Path, output_dir: _Path, *, engine: str = "builtin") -> ConvertedBook:
    """The same as :func:`process_epub_to_rag_markdown`, typed for those who read the warnings."""
    source = os.fspath(epub_path)
    if not os.path.exists(source):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)
    if engine not in ("builtin", "pandoc"):
        raise EpubProcessingError(f"unknown engine {engine!r}: it is 'builtin' or 'pandoc'")
    # Another document under this name is refused before anything is written.
    words = ["convert", "--json", "--force", "--type=epub", f"--engine={engine}"]
    ran = _run([*words, f"--out={os.fspath(output_dir)}", "--", source])
    told = _last_object(ran.stdout)
    if ran.returncode == 0 and isinstance(told.get("output"), str):
        return ConvertedBook(told)
    if told.get("error") == _NO_PANDOC or (engine == "pandoc" and "`pandoc` was not found" in ran.stderr):
        raise PandocNotFoundError(_message(ran.stderr, ran.returncode))
    raise EpubProcessingError(str(told.get("message") or _message(ran.stderr, ran.returncode)))


def _last_object(output: str) -> Dict[str, Any]:
    lines = output.splitlines()
    try:
        told = json.loads(lines[-1]) if lines else {}
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def ingest(folder: _Path, database: _Path, *, config: Optional[_Path] = None) -> Dict[str, Any]:
    """Read a folder into a database, or bring it up to date; the summary comes back."""
    words = ["ingest", "--json", "--progress", "off"]
    if config is not None:
        words.append(f"--config={os.fspath(config)}")
    summary: Dict[str, Any] = json.loads(_checked([*words, "--", os.fspath(folder), os.fspath(database)]))
    return summary


def search(database: _Path, query: str, *, limit: int = 10) -> List[Dict[str, Any]]:
    """The best hits for a query, each with its text and where it stands."""
    output = _checked(["search", "--json", "--limit", str(limit), "--", os.fspath(database), query])
    rows = [json.loads(line) for line in output.splitlines() if line.strip()]
    if len(rows) == 1 and isinstance(rows[0], dict) and isinstance(rows[0].get("hits"), list):
        hits: List[Dict[str, Any]] = rows[0]["hits"]
        return hits
    return rows


def pack(database: _Path, question: str, *, budget: int = 4000) -> Dict[str, Any]:
    """The best context for a question within a budget of tokens; its ``pieces`` have text, citation and place."""
    words = ["pack", "--json", f"--budget={budget}", "--", os.fspath(database), question]
    packed: Dict[str, Any] = json.loads(_checked(words))
    return packed


def text(database: _Path, file: _Path, *, variant: str = "clean") -> str:
    """The canonical text of one file of a database."""
    words = ["text", "--json", f"--variant={variant}", "--", os.fspath(database), os.fspath(file)]
    return str(json.loads(_checked(words))["text"])
