"""An index of Qdrant that follows a database: python qdrant_index.py corpus.db FOLDER 'a question'

Local mode, without a server; `QdrantClient(url=...)` is the only change for one.
"""

from typing import Any, Iterable, List, Optional
from uuid import UUID

from embedding import DIMENSIONS
from follow import Record, main
from qdrant_client import QdrantClient
from qdrant_client.models import Distance, FieldCondition, Filter, MatchValue, PointStruct, VectorParams

UNUSED = Filter(must=[FieldCondition(key="is_used", match=MatchValue(value=False))])
PAGE = 1000


class QdrantIndex:
    """A point for each text, named by its hash; the cursor is the payload of the only point of another collection."""

    def __init__(self, folder: str) -> None:
        self.client = QdrantClient(path=folder)
        for name, size in [("records", DIMENSIONS), ("state", 1)]:
            if not self.client.collection_exists(name):
                self.client.create_collection(name, VectorParams(size=size, distance=Distance.COSINE))

    def cursor(self) -> Optional[str]:
        points = self.client.retrieve("state", [1])
        return points[0].payload["cursor"] if points else None

    def set_cursor(self, cursor: str) -> None:
        self.client.upsert("state", [PointStruct(id=1, vector=[1.0], payload={"cursor": cursor})], wait=True)

    def get(self, hashes: List[str]) -> Iterable[Record]:
        ids = [_point_id(content_hash) for content_hash in hashes]
        return map(_record, self.client.retrieve("records", ids, with_vectors=True))

    def put(self, records: List[Record]) -> None:
        if records:
            self.client.upsert("records", [_point(record) for record in records], wait=True)

    def forget_places(self) -> None:
        self.client.set_payload("records", {"places": {}, "is_used": False}, points=Filter(), wait=True)

    def sweep(self) -> None:
        self.client.delete("records", UNUSED, wait=True)

    def search(self, vector: List[float], k: int) -> List[Record]:
        found = self.client.query_points("records", vector, limit=k, with_vectors=True)
        return [_record(point) for point in found.points]

    def records(self) -> Iterable[Record]:
        """Everything."""
        page = None
        while True:
            points, page = self.client.scroll("records", limit=PAGE, offset=page, with_vectors=True)
            yield from map(_record, points)
            if page is None:
                return

    def close(self) -> None:
        self.client.close()


def _point_id(content_hash: str) -> str:
    return str(UUID(content_hash[:32]))


def _point(record: Record) -> PointStruct:
    payload = {**vars(record), "is_used": bool(record.places)}
    return PointStruct(id=_point_id(record.content_hash), vector=payload.pop("vector"), payload=payload)


def _record(point: Any) -> Record:
    return Record(point.payload["content_hash"], point.payload["content"], point.vector, point.payload["places"])


if __name__ == "__main__":
    main(QdrantIndex)
