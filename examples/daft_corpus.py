"""A corpus by Daft: python daft_corpus.py DIR PLAN OUT

Reads the files of a plan with as many workers as there are cores, or machines where Daft runs on Ray; of equal documents keeps
one, as `pensieve ingest` does; writes each chunk once, with all its places, as Parquet files."""

import os
import sys
from typing import List

import daft
from daft import DataFrame, DataType, col
from engine_rows import NUMBERS, TEXTS, Worker, files_of

ROW = DataType.struct({**{key: DataType.string() for key in TEXTS}, **{key: DataType.int64() for key in NUMBERS}})


def read(root: str, paths: List[str], workers: int) -> DataFrame:
    """The documents and chunks of files."""

    @daft.cls(max_concurrency=workers, use_process=False)
    class Reader:
        def __init__(self) -> None:
            self.worker = Worker(root)

        @daft.method(return_dtype=DataType.list(ROW))
        def rows(self, path: str):
            return self.worker.rows(path)

    files = daft.from_pydict({"path": paths})
    rows = files.select(Reader().rows(col("path")).alias("r")).explode("r").where(col("r").not_null())
    return rows.select(*[col("r").get(key).alias(key) for key in TEXTS + NUMBERS])


def canonical(documents: DataFrame) -> DataFrame:
    """The documents that are kept: of equal ones the first file, else the first inside another; nothing that is inside a copy."""
    order = daft.functions.when(col("parent").is_null(), "0").otherwise("1") + col("relative_path")
    documents = documents.select("doc_uid", "parent", "hash", order.alias("order")).collect()
    there, before = documents, None
    while True:
        first = there.groupby("hash").agg(col("order").min())
        kept = there.join(first, on=["hash", "order"], how="semi").select("doc_uid").sort("doc_uid").collect()
        now = kept.to_pydict()["doc_uid"]
        if now == before:
            return kept
        inside = documents.join(kept, left_on="parent", right_on="doc_uid", how="semi")
        there, before = documents.where(col("parent").is_null()).concat(inside), now


def corpus(rows: DataFrame) -> DataFrame:
    """Each chunk once, with its places."""
    rows = rows.collect()
    documents = rows.where((col("row") == "document") & col("hash").not_null())
    chunks = rows.where(col("row") == "chunk").join(canonical(documents), on="doc_uid", how="semi")
    chunks = chunks.sort(["relative_path", "start"])
    by_text = chunks.groupby("content_hash")
    return by_text.agg(col("text").any_value(), col("tokens").any_value(), col("place").list_agg().alias("places"))


if __name__ == "__main__":
    root, plan, out = sys.argv[1:]
    corpus(read(root, files_of(plan), 2)).write_parquet(out)
    # Everything is written; while Python ends, threads of Daft may abort it.
    os._exit(0)
