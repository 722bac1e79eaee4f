"""Chunks and hits as documents of LangChain: ``pip install 'pensieve-corpus[langchain]'``."""

from __future__ import annotations

from typing import Any, Iterator, List, Literal, Optional

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ImportError("pensieve.langchain needs langchain-core: pip install 'pensieve-corpus[langchain]'") from error

from . import _metadata, chunks, pack, search
from ._program import Path

__all__ = ["PensieveLoader", "PensieveRetriever"]


class PensieveLoader(BaseLoader):
    """Every chunk of a database as a document, once, however often it occurs. They need no text splitter.

    The id of a document is the ``content_hash`` of its text. Its metadata has ``source`` (the path), ``citation``,
    ``heading_path``, ``locator`` and the rest of its first place, and all ``places``.
    """

    def __init__(self, database: Path, *, path: Optional[str] = None) -> None:
        """``path`` is a pattern as in ``.gitignore``: only chunks of these files."""
        self.database = database
        self.path = path

    def lazy_load(self) -> Iterator[Document]:
        """The documents one by one, while the program prints them."""
        with chunks(self.database, path=self.path) as feed:
            for chunk in feed:
                metadata = _metadata.of_chunk(chunk)
                yield Document(id=chunk.content_hash, page_content=chunk.content, metadata=metadata)


class PensieveRetriever(BaseRetriever):
    """Finds documents by ``pensieve search``, or by ``pensieve pack`` the best context within a budget of tokens."""

    database: str
    """The path of the database."""
    mode: Literal["search", "pack"] = "search"
    """``search``: the best chunks. ``pack``: passages without overlap that fill the budget."""
    k: int = 10
    """The largest number of chunks, for ``search``."""
    budget: int = 4000
    """The largest number of tokens, for ``pack``."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> List[Document]:
        if self.mode == "pack":
            return [_packed(piece) for piece in pack(self.database, query, budget=self.budget)["pieces"]]
        return [_found(hit) for hit in search(self.database, query, limit=self.k)]


def _found(hit: Any) -> Document:
    return Document(id=hit["content_hash"], page_content=hit["content"], metadata=_metadata.of_hit(hit))


def _packed(piece: Any) -> Document:
    return Document(id=piece["citation"], page_content=piece["text"], metadata=_metadata.of_piece(piece))
