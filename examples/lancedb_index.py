"""An index of LanceDB that follows a database: python lancedb_index.py corpus.db FOLDER 'a question'"""

import json
from typing import Any, Iterable, List, Optional

import lancedb
import pyarrow as pa
from embedding import DIMENSIONS
from follow import Record, main

RECORDS = pa.schema(
    [
        ("content_hash", pa.string()),
        ("content", pa.string()),
        ("vector", pa.list_(pa.float32(), DIMENSIONS)),
        ("places", pa.string()),
    ]
)
STATE = pa.schema([("name", pa.string()), ("cursor", pa.string())])


class LanceIndex:
    """One table has the records, another one the cursor."""

    def __init__(self, folder: str) -> None:
        database = lancedb.connect(folder)
        self.table = database.create_table("records", schema=RECORDS, exist_ok=True)
        self.state = database.create_table("state", schema=STATE, exist_ok=True)

    def cursor(self) -> Optional[str]:
        rows = self.state.search().to_list()
        return rows[0]["cursor"] if rows else None

    def set_cursor(self, cursor: str) -> None:
        _upsert(self.state, "name", [{"name": "cursor", "cursor": cursor}])

    def get(self, hashes: List[str]) -> Iterable[Record]:
        wanted = ", ".join(f"'{content_hash}'" for content_hash in hashes)
        return map(_record, self.table.search().where(f"content_hash IN ({wanted})").limit(len(hashes)).to_list())

    def put(self, records: List[Record]) -> None:
        _upsert(self.table, "content_hash", [{**vars(record), "places": json.dumps(record.places)} for record in records])

    def forget_places(self) -> None:
        self.table.update(values={"places": "{}"})

    def sweep(self) -> None:
        self.table.delete("places = '{}'")
        for table in (self.table, self.state):
            # Every step before has left a small file.
            table.optimize()

    def search(self, vector: List[float], k: int) -> List[Record]:
        return [_record(row) for row in self.table.search(vector).limit(k).to_list()]

    def records(self) -> Iterable[Record]:
        """Everything."""
        return map(_record, self.table.to_arrow().to_pylist())

    def close(self) -> None:
        """Nothing is open."""


def _upsert(table: Any, key: str, rows: List[Any]) -> None:
    if rows:
        table.merge_insert(key).when_matched_update_all().when_not_matched_insert_all().execute(rows)


def _record(row: Any) -> Record:
    return Record(row["content_hash"], row["content"], list(row["vector"]), json.loads(row["places"]))


if __name__ == "__main__":
    main(LanceIndex)
