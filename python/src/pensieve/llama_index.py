"""Chunks and hits as documents and nodes of LlamaIndex: ``pip install 'pensieve-corpus[llama-index]'``."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document, NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError("pensieve.llama_index needs llama-index-core: pip install 'pensieve-corpus[llama-index]'") from error

from . import _metadata, chunks, pack, search
from ._program import Path

__all__ = ["PensieveReader", "PensieveRetriever"]

#: What is worth the tokens: the rest of the metadata is for programs.
_EMBEDDED = ("heading_path",)
_SHOWN = ("heading_path", "relative_path", "citation")


class PensieveReader(BaseReader):
    """Every chunk of a database as a document, once, however often it occurs. They need no node parser.

    The id of a document is the ``content_hash`` of its text. Its metadata has ``source`` (the path), ``citation``,
    ``heading_path``, ``locator`` and the rest of its first place, and all ``places``; only its headings are embedded, and only
    headings, path and citation are shown to a model.
    """

    def lazy_load_data(self, database: Path, *, path: Optional[str] = None) -> Iterator[Document]:
        """The documents one by one. ``path`` is a pattern as in ``.gitignore``: only chunks of these files."""
        with chunks(database, path=path) as feed:
            for chunk in feed:
                metadata = _metadata.of_chunk(chunk)
                yield Document(id_=chunk.content_hash, text=chunk.content, metadata=metadata, **_hidden(metadata))


class PensieveRetriever(BaseRetriever):
    """Finds nodes by ``pensieve search``, or by ``pensieve pack`` the best context within a budget of tokens."""

    def __init__(
        self, database: Path, *, mode: Literal["search", "pack"] = "search", k: int = 10, budget: int = 4000
    ) -> None:
        """``k`` is the largest number of chunks for ``search``, ``budget`` the largest number of tokens for ``pack``."""
        super().__init__()
        self.database = os.fspath(database)
        self.mode = mode
        self.k = k
        self.budget = budget

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        query = query_bundle.query_str
        if self.mode == "pack":
            return [_packed(piece) for piece in pack(self.database, query, budget=self.budget)["pieces"]]
        return [_found(hit) for hit in search(self.database, query, limit=self.k)]


def _found(hit: Mapping[str, Any]) -> NodeWithScore:
    metadata = _metadata.of_hit(hit)
    node = TextNode(id_=hit["content_hash"], text=hit["content"], metadata=metadata, **_hidden(metadata))
    return NodeWithScore(node=node, score=hit["score"])


def _packed(piece: Mapping[str, Any]) -> NodeWithScore:
    metadata = _metadata.of_piece(piece)
    return NodeWithScore(node=TextNode(id_=piece["citation"], text=piece["text"], metadata=metadata, **_hidden(metadata)))


def _hidden(metadata: Mapping[str, Any]) -> Dict[str, Any]:
    return {
        "excluded_embed_metadata_keys": [key for key in metadata if key not in _EMBEDDED],
        "excluded_llm_metadata_keys": [key for key in metadata if key not in _SHOWN],
    }
