"""A corpus as an object: what the commands of the program do, with results that have types."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from . import _feed
from ._program import ConfigurationError, InputError, Path, checked, run

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Source:
    """A place of a text: which document, and where in it. Offsets are bytes, the end excluded."""

    citation: str
    #: The name of the document; its title, where it says one.
    name: str
    title: Optional[str]
    author: Optional[str]
    doc_uid: str
    path: str
    relative_path: str
    format: Optional[str]
    #: Bytes of the clean text of the document.
    start: int
    end: int
    #: Bytes of the file, where its format has them.
    source: Optional[Tuple[int, int]]
    source_exact: Optional[bool]
    #: Lines, pages, cells, slides.
    locator: Optional[Dict[str, Any]]
    heading_path: Optional[str]
    #: Words that belong before the text, such as the header of a cut table.
    context: Optional[str]


@dataclass(frozen=True)
class Hit:
    """A text that answers a question, and its places, the best first."""

    text: str
    score: float
    tokens: int
    content_hash: str
    snippet: str
    sources: Tuple[Source, ...]

    @property
    def citation(self) -> str:
        """The citation of its first place."""
        return self.sources[0].citation

    @property
    def title(self) -> str:
        """The title of the document of its first place, or its name."""
        return self.sources[0].title or self.sources[0].name


@dataclass(frozen=True)
class Piece:
    """One text of a pack."""

    number: int
    text: str
    tokens: int
    source: Source

    @property
    def citation(self) -> str:
        """Its citation."""
        return self.source.citation


@dataclass(frozen=True)
class Pack:
    """The context for a question, within a budget."""

    question: str
    budget: int
    #: Tokens of ``markdown``, in the encoding ``tokenizer``.
    tokens: int
    tokenizer: str
    #: The whole context as one text, with its citations: for a prompt.
    markdown: str
    pieces: Tuple[Piece, ...]
    #: What was done with the question.
    notes: Tuple[str, ...]


@dataclass(frozen=True)
class Citation:
    """Whether the words of a citation are still there."""

    citation: str
    holds: bool
    #: True if they are at another place of their document now.
    moved: bool
    #: The words; ``None`` where the citation no longer holds.
    text: Optional[str]
    #: Why it no longer holds.
    reason: Optional[str]
    source: Optional[Source]


@dataclass(frozen=True)
class Document:
    """A file of a corpus, or a document inside one."""

    doc_uid: str
    path: str
    relative_path: str
    title: Optional[str]
    format: Optional[str]
    mime_type: Optional[str]
    size: int
    tokens: Optional[int]
    #: ``Processed``, ``Error``, ``Skipped_Binary``, ...
    status: str
    #: Why it is not ``Processed``.
    reason: Optional[str]
    #: The document that it is inside of, such as the mail of an attachment.
    parent: Optional[str]
    is_duplicate: bool


@dataclass(frozen=True)
class IngestSummary:
    """What a run has done. ``report`` is the whole object of ``pensieve ingest --json``."""

    new: int
    changed: int
    unchanged: int
    renamed: int
    deleted: int
    errors: int
    chunks: int
    report: Dict[str, Any] = dataclasses.field(repr=False)


_DOCUMENTS = """
    SELECT f.doc_uid, f.full_filepath, f.relative_path,
           (SELECT m.value FROM metadata m WHERE m.file_id = f.file_id AND m.key = 'title' LIMIT 1),
           f.format, f.mime_type, f.size_bytes, f.estimated_tokens, f.processing_status, f.status_reason, p.doc_uid,
           f.duplicate_status = 'duplicate'
    FROM files f LEFT JOIN files p ON p.file_id = f.parent_file_id
    WHERE f.file_type IN ('file', 'member') AND f.processing_status <> 'Deleted'
    ORDER BY f.root_id, f.relative_path"""


class Corpus:
    """A corpus in a database, which :meth:`ingest` makes where there is none.

    >>> corpus = Corpus("notes.db")
    >>> corpus.ingest("~/notes")
    >>> corpus.search("when is tax due?")[0].citation
    """

    def __init__(self, database: Path) -> None:
        #: Where the database is.
        self.path = pathlib.Path(database).expanduser()

    def __repr__(self) -> str:
        return f"Corpus({str(self.path)!r})"

    def ingest(
        self,
        *folders: Path,
        config: Optional[Path] = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        dry_run: bool = False,
        force: bool = False,
        allow_mass_deletion: bool = False,
        wait: int = 0,
        **settings: Any,
    ) -> IngestSummary:
        """Reads folders into the corpus, or brings it up to date; without a folder all that it has.

        ``settings`` are keys of ``pensieve.toml``: ``chunk_size=256``, ``scan={"hidden": False}``. ``wait`` is for how many
        seconds to wait for another run. Raises :class:`ConfigurationError` for a setting that does not exist.
        """
        words = ["ingest", "--json", "--progress=off", f"--wait={wait}"]
        words += [f"--config={os.fspath(config)}"] if config is not None else []
        words += [f"--include={pattern}" for pattern in include] + [f"--exclude={pattern}" for pattern in exclude]
        flags = {"--dry-run": dry_run, "--force-reprocess": force, "--allow-mass-deletion": allow_mass_deletion}
        words += [flag for flag, is_given in flags.items() if is_given]
        words += ["--", *(os.path.expanduser(folder) for folder in folders), str(self.path)]
        report: Dict[str, Any] = json.loads(checked(words, _variables(settings)))
        return _filled(IngestSummary, report, report=report)

    def search(
        self,
        question: str,
        *,
        limit: int = 10,
        path: Union[str, Sequence[str]] = (),
        type: Union[str, Sequence[str]] = (),
        mode: Optional[str] = None,
        **filters: Union[str, Sequence[str]],
    ) -> List[Hit]:
        """The texts that answer a question best. ``path`` are patterns as in ``.gitignore``, ``type`` formats or extensions,
        ``mode`` is ``"words"``, ``"vectors"`` or ``"hybrid"``. ``filters`` are ``author``, ``from_``, ``to``, ``after``,
        ``before``, ``tag`` and ``lang``: ``author="Ann"``, ``after="2024-05"``, ``tag=["oil", "lamp"]``."""
        flags = _filters(path, type, mode, filters)
        words = ["search", "--json", f"--limit={limit}", *flags, "--", str(self.path), question]
        return [_hit(hit) for hit in json.loads(checked(words))["hits"]]

    def pack(
        self,
        question: str,
        *,
        budget: int = 4000,
        path: Union[str, Sequence[str]] = (),
        type: Union[str, Sequence[str]] = (),
        mode: Optional[str] = None,
        **filters: Union[str, Sequence[str]],
    ) -> Pack:
        """The best context for a question within a budget of tokens, with citations; filters as in :meth:`search`."""
        flags = _filters(path, type, mode, filters)
        asked = [f"--budget={budget}", *flags, "--", str(self.path), question]
        packed = json.loads(checked(["pack", "--json", *asked]))
        pieces = tuple(
            Piece(piece["number"], piece["text"], piece["tokens"], _source(piece)) for piece in packed["pieces"]
        )
        markdown = checked(["pack", *asked])
        return _filled(Pack, packed, markdown=markdown, pieces=pieces, notes=tuple(packed["notes"]))

    def list(
        self, *, path: Union[str, Sequence[str]] = (), type: Union[str, Sequence[str]] = (), sort: str = "path",
        reverse: bool = False, **filters: Union[str, Sequence[str]],
    ) -> "List[Dict[str, Any]]":
        """Documents with what is known of them (``title``, ``author``, ``date``, ``tag``, ...), chosen by the filters of
        :meth:`search` and sorted by one of these."""
        words = ["list", "--json", f"--sort={sort}", *_filters(path, type, None, filters)]
        words += ["--reverse"] if reverse else []
        return [json.loads(line) for line in checked([*words, "--", str(self.path)]).splitlines()]

    def cite(self, citation: str) -> Citation:
        """The words of a citation, and whether they are still there; one that no longer holds is an answer, no error."""
        ran = run(["cite", "--json", "--", str(self.path), citation])
        lines = ran.stdout.splitlines()
        if ran.returncode not in (0, 1) or not lines:
            raise InputError.of(ran)
        told = json.loads(lines[0])
        source = _source(told) if told.get("path") is not None and told.get("start") is not None else None
        return _filled(Citation, told, source=source)

    def text(self, document: Union[Path, Document, Source], *, variant: str = "clean") -> str:
        """The whole text of a document, given as it came from here, or by its path."""
        file = document.path if isinstance(document, (Document, Source)) else os.fspath(document)
        words = ["text", "--json", f"--variant={variant}", "--", str(self.path), file]
        return str(json.loads(checked(words))["text"])

    def documents(self) -> Iterator[Document]:
        """Every document, in the order of paths."""
        if not self.path.is_file():
            raise InputError(f"there is no corpus at {str(self.path)!r}")
        with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            for row in connection.execute(_DOCUMENTS):
                yield Document(*row[:-1], is_duplicate=bool(row[-1]))

    def chunks(self, *, path: Optional[str] = None, vectors: Optional[str] = None) -> _feed.Chunks:
        """Every text with all its places, one by one: :func:`pensieve.chunks`."""
        return _feed.chunks(self.path, path=path, vectors=vectors)

    def changes(
        self, *, since: Union[str, int] = 0, limit: Optional[int] = None, vectors: Optional[str] = None
    ) -> _feed.Changes:
        """What an index outside must do to be in step: :func:`pensieve.changes`."""
        return _feed.changes(self.path, since=since, limit=limit, vectors=vectors)


def convert(path: Path) -> str:
    """The clean Markdown of one document of any format."""
    return checked(["convert", "--", os.fspath(path)])


_FILTERS = ("author", "from", "to", "after", "before", "tag", "lang")


def _filters(
    path: Union[str, Sequence[str]],
    type: Union[str, Sequence[str]],
    mode: Optional[str],
    fields: Mapping[str, Union[str, Sequence[str]]],
) -> List[str]:
    def several(value: Union[str, Sequence[str]]) -> Sequence[str]:
        return [value] if isinstance(value, str) else value

    words = [f"--path={pattern}" for pattern in several(path)] + [f"--type={name}" for name in several(type)]
    for name, values in fields.items():
        # `from` is a word of the language.
        flag = name.rstrip("_")
        if flag not in _FILTERS:
            raise TypeError(f"there is no filter {name!r}; there are {', '.join(_FILTERS)}")
        words += [f"--{flag}={value}" for value in several(values)]
    return words + ([] if mode is None else [f"--mode={mode}"])


def _filled(kind: Type[_Result], told: Mapping[str, Any], **given: Any) -> _Result:
    """An object of this kind: its fields as given, the others as the program told them."""
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: given[name] if name in given else told.get(name) for name in names})


def _source(told: Mapping[str, Any]) -> Source:
    source = told.get("source")
    name = told.get("name") or told["relative_path"]
    return _filled(Source, told, name=name, source=None if source is None else (source[0], source[1]))


def _hit(told: Mapping[str, Any]) -> Hit:
    return _filled(Hit, told, text=told["content"], sources=tuple(_source(source) for source in told["sources"]))


def _variables(settings: Mapping[str, Any]) -> Dict[str, str]:
    """Settings as the program takes them from its environment."""
    if not settings:
        return {}
    known = _known_settings()
    variables = {}
    for key, value in _flat(settings):
        if key not in known and not key.startswith("converters."):
            raise ConfigurationError(f"there is no setting {key!r}")
        variables["PENSIEVE_" + key.upper().replace(".", "_")] = value if isinstance(value, str) else json.dumps(value)
    return variables


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[Tuple[str, Any]]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _known_settings() -> List[str]:
    """The keys of the configuration, from the file that the program writes."""
    table, keys = "", []
    for line in checked(["init", "-"]).splitlines():
        if line.startswith(("[", "#[")):
            table = line.strip("#[]") + "."
        elif line.startswith("#") and " = " in line and not line.startswith("# "):
            keys.append(table + line[1:].split(" = ")[0].strip())
    return keys
