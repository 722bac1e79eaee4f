"""A corpus of a bucket by Daft: python s3_corpus.py s3://BUCKET/PREFIX OUT

Daft lists the objects and fetches them; each worker gets bytes, and no object is written to a disk. Of equal documents one is kept,
and each chunk is written once with all its places, as Parquet files, as daft_corpus.py does for a folder.

The endpoint and the keys come from the environment: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION."""

import base64
import os
import sys

import daft
from daft import DataFrame, DataType, col
from daft.io import IOConfig, S3Config
from daft_corpus import ROW, corpus
from engine_rows import NUMBERS, TEXTS, Worker

#: Objects that are fetched at a time: they are in memory together.
BATCH = 16


def store() -> IOConfig:
    """The object store that the environment names."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    return IOConfig(s3=S3Config(endpoint_url=endpoint, region_name=os.environ.get("AWS_REGION", "us-east-1")))


def read(root: str, workers: int) -> DataFrame:
    """The documents and chunks of all objects below an address."""

    @daft.cls(max_concurrency=workers, use_process=False)
    class Reader:
        def __init__(self) -> None:
            self.worker = Worker(root)

        @daft.method(return_dtype=DataType.list(ROW))
        def rows(self, address: str, data: bytes):
            name = base64.b64encode(address.encode()).decode()
            return self.worker.rows(name, data)

    objects = daft.from_glob_path(root.rstrip("/") + "/**", io_config=store()).into_batches(BATCH)
    fetched = objects.select("path", col("path").download(io_config=store()).alias("data"))
    rows = fetched.select(Reader().rows(col("path"), col("data")).alias("r")).explode("r").where(col("r").not_null())
    return rows.select(*[col("r").get(key).alias(key) for key in TEXTS + NUMBERS])


if __name__ == "__main__":
    root, out = sys.argv[1:]
    corpus(read(root, 2)).write_parquet(out)
    # Everything is written; while Python ends, threads of Daft may abort it.
    os._exit(0)
