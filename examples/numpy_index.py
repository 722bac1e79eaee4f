"""An index of numpy and SQLite that follows a database: python numpy_index.py corpus.db FOLDER 'a question'"""

import json
import os
import sqlite3
from typing import Iterator, List, Optional

import numpy as np
from follow import Record, main

TABLES = """
CREATE TABLE IF NOT EXISTS records (content_hash TEXT PRIMARY KEY, content TEXT, vector BLOB, places TEXT);
CREATE TABLE IF NOT EXISTS state (cursor TEXT);
"""


class NumpyIndex:
    """Vectors are rows of SQLite; a search multiplies all of them."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        self.sql = sqlite3.connect(os.path.join(folder, "index.db"))
        self.sql.executescript(TABLES)

    def cursor(self) -> Optional[str]:
        row = self.sql.execute("SELECT cursor FROM state").fetchone()
        return row and row[0]

    def set_cursor(self, cursor: str) -> None:
        with self.sql:
            self.sql.execute("DELETE FROM state")
            self.sql.execute("INSERT INTO state VALUES (?)", [cursor])

    def get(self, hashes: List[str]) -> Iterator[Record]:
        return self._read("WHERE content_hash IN (SELECT value FROM json_each(?))", json.dumps(hashes))

    def put(self, records: List[Record]) -> None:
        rows = [
            (record.content_hash, record.content, np.array(record.vector, np.float32).tobytes(), json.dumps(record.places))
            for record in records
        ]
        with self.sql:
            self.sql.executemany("REPLACE INTO records VALUES (?, ?, ?, ?)", rows)

    def forget_places(self) -> None:
        with self.sql:
            self.sql.execute("UPDATE records SET places = '{}'")

    def sweep(self) -> None:
        with self.sql:
            self.sql.execute("DELETE FROM records WHERE places = '{}'")

    def search(self, vector: List[float], k: int) -> List[Record]:
        records = list(self.records())
        scores = np.array([record.vector for record in records]) @ np.array(vector)
        return [records[row] for row in np.argsort(-scores)[:k]]

    def records(self) -> Iterator[Record]:
        """Everything."""
        return self._read("")

    def _read(self, where: str, *values: str) -> Iterator[Record]:
        for content_hash, content, vector, places in self.sql.execute(f"SELECT * FROM records {where}", values):
            yield Record(content_hash, content, np.frombuffer(vector, np.float32).tolist(), json.loads(places))

    def close(self) -> None:
        self.sql.close()


if __name__ == "__main__":
    main(NumpyIndex)
