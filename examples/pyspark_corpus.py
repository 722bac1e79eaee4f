"""A corpus by PySpark: python pyspark_corpus.py DIR PLAN OUT

Reads the files of a plan in tasks of Spark, each with a worker of its own; of equal documents keeps one, as `pensieve ingest` does;
writes each chunk once, with all its places, as Parquet files. The list of documents, without their texts, is held by the driver."""

import sys
from typing import Iterator, List

import pandas
from engine_rows import NUMBERS, TEXTS, Worker, canonical, files_of
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

SCHEMA = ", ".join([f"`{key}` string" for key in TEXTS] + [f"`{key}` long" for key in NUMBERS])


def read(spark: SparkSession, root: str, paths: List[str], tasks: int) -> DataFrame:
    """The documents and chunks of files."""

    def rows(batches: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        worker = Worker(root)
        for batch in batches:
            for path in batch["path"]:
                yield pandas.DataFrame(worker.rows(path), columns=TEXTS + NUMBERS).astype({key: "Int64" for key in NUMBERS})
        worker.close()

    files = spark.createDataFrame([(path,) for path in paths], "path string").repartition(tasks)
    return files.mapInPandas(rows, SCHEMA)


def corpus(spark: SparkSession, root: str, paths: List[str], tasks: int) -> DataFrame:
    """Each chunk once, with its places."""
    rows = read(spark, root, paths, tasks).cache()
    documents = rows.where("row = 'document'").select("doc_uid", "parent", "hash", "relative_path").collect()
    kept = spark.createDataFrame([(uid,) for uid in canonical(row.asDict() for row in documents)], "doc_uid string")
    chunks = rows.where("row = 'chunk'").join(kept, "doc_uid", "leftsemi")
    place = f.array_sort(f.collect_list(f.struct("relative_path", "start", "place")))
    by_text = chunks.groupBy("content_hash").agg(f.first("text").alias("text"), f.first("tokens").alias("tokens"), place.alias("p"))
    return by_text.select("content_hash", "text", "tokens", f.col("p.place").alias("places"))


def main(root: str, plan: str, out: str) -> None:
    spark = SparkSession.builder.appName("pensieve").getOrCreate()
    corpus(spark, root, files_of(plan), 8).write.parquet(out)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
