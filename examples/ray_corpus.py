"""A corpus by Ray Data: python ray_corpus.py DIR PLAN OUT

Reads the files of a plan with two workers; of equal documents keeps one, as `pensieve ingest` does; writes each chunk once, with
all its places, as Parquet files. The list of documents, without their texts, is held by the program that starts the job."""

import sys
from typing import Any, Dict, List

import ray
from engine_rows import NUMBERS, TEXTS, Worker, canonical, files_of


class Reader:
    """Reads files, in an actor that keeps its worker."""

    def __init__(self, root: str) -> None:
        self.worker = Worker(root)

    def __call__(self, file: Dict[str, Any]) -> List[Dict[str, Any]]:
        rows = self.worker.rows(file["path"])
        # A column has one type, whatever a batch has of it.
        return [{**{key: row[key] or "" for key in TEXTS}, **{key: row[key] or 0 for key in NUMBERS}} for row in rows]


def chunk(group: Any) -> Any:
    """The rows of a text as one, with all its places."""
    group = group.sort_values(["relative_path", "start"])
    return group.head(1)[["content_hash", "text", "tokens"]].assign(places=[list(group["place"])])


def corpus(root: str, paths: List[str], workers: int) -> "ray.data.Dataset":
    """Each chunk once, with its places."""
    files = ray.data.from_items([{"path": path} for path in paths])
    rows = files.flat_map(Reader, fn_constructor_args=(root,), concurrency=workers).materialize()
    documents = rows.filter(lambda row: row["row"] == "document").take_all()
    kept = ray.put(canonical({**row, "parent": row["parent"] or None} for row in documents))
    chunks = rows.filter(lambda row: row["row"] == "chunk" and row["doc_uid"] in ray.get(kept))
    return chunks.groupby("content_hash").map_groups(chunk, batch_format="pandas")


if __name__ == "__main__":
    root, plan, out = sys.argv[1:]
    corpus(root, files_of(plan), 2).write_parquet(out)
