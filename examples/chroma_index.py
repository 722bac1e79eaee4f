"""An index of Chroma that follows a database: python chroma_index.py corpus.db FOLDER 'a question'"""

import json
from typing import Any, Dict, Iterator, List, Optional

import chromadb
from chromadb.config import Settings
from follow import Record, main

PARTS = ["documents", "embeddings", "metadatas"]


class ChromaIndex:
    """A document for each text, named by its hash; the cursor is in the metadata of the collection."""

    def __init__(self, folder: str) -> None:
        self.client = chromadb.PersistentClient(folder, Settings(anonymized_telemetry=False))
        # The vectors are given: Chroma is to load no model of its own.
        self.collection = self.client.get_or_create_collection("records", embedding_function=None)

    def cursor(self) -> Optional[str]:
        return (self.collection.metadata or {}).get("cursor")

    def set_cursor(self, cursor: str) -> None:
        self.collection.modify(metadata={"cursor": cursor})

    def get(self, hashes: List[str]) -> Iterator[Record]:
        return _records(self.collection.get(hashes, include=PARTS))

    def put(self, records: List[Record]) -> None:
        if records:
            self.collection.upsert(
                ids=[record.content_hash for record in records],
                documents=[record.content for record in records],
                embeddings=[record.vector for record in records],
                metadatas=[_metadata(record.places) for record in records],
            )

    def forget_places(self) -> None:
        ids = self.collection.get(include=[])["ids"]
        for first in range(0, len(ids), 1000):
            some = ids[first : first + 1000]
            self.collection.update(some, metadatas=[_metadata({})] * len(some))

    def sweep(self) -> None:
        unused = self.collection.get(where={"is_used": False}, include=[])["ids"]
        if unused:
            self.collection.delete(unused)

    def search(self, vector: List[float], k: int) -> List[Record]:
        ids = self.collection.query(query_embeddings=[vector], n_results=k, include=[])["ids"][0]
        found = {record.content_hash: record for record in self.get(ids)}
        return [found[content_hash] for content_hash in ids]

    def records(self) -> Iterator[Record]:
        """Everything."""
        return _records(self.collection.get(include=PARTS))

    def close(self) -> None:
        self.client.clear_system_cache()


def _metadata(places: Dict[str, Any]) -> Dict[str, Any]:
    return {"places": json.dumps(places), "is_used": bool(places)}


def _records(found: Any) -> Iterator[Record]:
    for row in zip(found["ids"], found["documents"], found["embeddings"], found["metadatas"]):
        content_hash, content, vector, metadata = row
        yield Record(content_hash, content, list(map(float, vector)), json.loads(metadata["places"]))


if __name__ == "__main__":
    main(ChromaIndex)
