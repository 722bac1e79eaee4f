"""`pensieve export --format parquet` in pyarrow, DuckDB, polars and Hugging Face datasets: each has the rows of JSON lines.

Usage: try_parquet.py SEED
"""

import json
import os
import random
import sqlite3
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

# No look-up in the network, and no file outside the temporary folder.
CACHE = tempfile.TemporaryDirectory()
os.environ.update(HF_HOME=CACHE.name, HF_HUB_OFFLINE="1", HF_DATASETS_DISABLE_PROGRESS_BARS="1")

import datasets
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
from editing import Editor

import pensieve
from pensieve._program import checked

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "export.md"
DIMENSIONS = 768
MODEL = "some-model"
Rows = List[Dict[str, Any]]


def with_pyarrow(folder: Path) -> Rows:
    table = pyarrow.dataset.dataset(folder).to_table()
    if "vector" in table.column_names:
        kind = table.schema.field("vector").type
        assert pyarrow.types.is_fixed_size_list(kind) and kind.list_size == DIMENSIONS, kind
    return table.to_pylist()


def with_duckdb(folder: Path) -> Rows:
    found = duckdb.sql(f"SELECT * FROM '{folder}/*.parquet'")
    return [dict(zip(found.columns, row)) for row in found.fetchall()]


def with_polars(folder: Path) -> Rows:
    frame = polars.read_parquet(f"{folder}/*.parquet")
    if "vector" in frame.columns:
        assert frame.schema["vector"] == polars.Array(polars.Float32, DIMENSIONS), frame.schema
    return frame.to_dicts()


def with_datasets(folder: Path) -> Rows:
    rows = datasets.load_dataset("parquet", data_files=f"{folder}/*.parquet", split="train")
    if "vector" in rows.column_names:
        assert rows.features["vector"].length == DIMENSIONS, rows.features
    return list(rows)


READERS: Dict[str, Callable[[Path], Rows]] = {
    "pyarrow": with_pyarrow,
    "duckdb": with_duckdb,
    "polars": with_polars,
    "datasets": with_datasets,
}


def locator_text(locator: Optional[Dict[str, Any]]) -> Optional[str]:
    return None if locator is None else json.dumps(locator, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def jsonl_rows(database: Path, has_vectors: bool, fields: List[str]) -> Rows:
    """The rows of JSON lines with the columns of Parquet."""
    flags = ["--vectors", MODEL] if has_vectors else []
    rows = []
    for line in checked(["export", str(database), *flags]).splitlines():
        found = json.loads(line)
        assert found["text"] == found["content"]
        row = {name: found[name] for name in ("content_hash", "text", "tokens", "tokenizer")}
        for name in ("repeats", "repeats_of", "near", "near_to", "weight"):
            row[name] = found.get(name)
        sources = [{**source, "locator": locator_text(source["locator"])} for source in found["sources"]]
        row["sources"] = [{name: source[name] for name in fields} for source in sources]
        if has_vectors:
            row["vector"] = found.get("vector")
        rows.append(row)
    return rows


def add_vectors(database: Path) -> None:
    """Vectors of two thirds of the chunks, as `pensieve embed` stores them."""
    with sqlite3.connect(database) as corpus:
        corpus.execute("INSERT INTO vector_models VALUES(?, ?, 1)", [MODEL, DIMENSIONS])
        for number, (content_hash,) in enumerate(corpus.execute("SELECT content_hash FROM chunks ORDER BY 1").fetchall()):
            if number % 3:
                dice = random.Random(content_hash)
                blob = struct.pack(f"<{DIMENSIONS}e", *(dice.uniform(-1, 1) for _ in range(DIMENSIONS)))
                values = [content_hash, MODEL, DIMENSIONS, blob]
                corpus.execute("INSERT INTO vectors VALUES(?, ?, ?, 'f16', ?, '2026-01-01T00:00:00.000Z', '')", values)
    corpus.close()


def export(database: Path, folder: Path, *flags: str) -> List[bytes]:
    checked(["export", str(database), "--format=parquet", f"--out={folder}", *flags])
    return [file.read_bytes() for file in sorted(folder.iterdir())]


def compare(database: Path, folder: Path, *flags: str) -> None:
    """Two exports are the same, and each reader has the rows of JSON lines."""
    files = export(database, folder, *flags)
    assert files == export(database, folder.with_name("again"), *flags)
    fields = [field.name for field in pyarrow.dataset.dataset(folder).schema.field("sources").type.value_type]
    expected = jsonl_rows(database, "--vectors" in flags, fields)
    for name, reader in READERS.items():
        rows = reader(folder)
        differing = [at for at, (row, wanted) in enumerate(zip(rows, expected)) if row != wanted]
        assert not differing and len(rows) == len(expected), (name, len(rows), len(expected), differing[:3])
    assert list(pandas.read_parquet(folder)["text"]) == [row["text"] for row in expected]
    places = sum(len(row["sources"]) for row in expected)
    print(f"{len(expected)} chunks at {places} places in {len(files)} files, {' '.join(flags)}: equal in {', '.join(READERS)}")


def try_feeds(database: Path) -> None:
    """The package gives the same vectors with chunks and with changes."""
    expected = {chunk.content_hash: chunk.vector for chunk in pensieve.chunks(database, vectors=MODEL)}
    assert {len(vector) for vector in expected.values() if vector} == {DIMENSIONS} and None in expected.values()
    upserts = (change for change in pensieve.changes(database, vectors=MODEL) if isinstance(change, pensieve.Upsert))
    assert {change.content_hash: change.vector for change in upserts} == expected
    assert all(change.vector is None for change in pensieve.changes(database) if isinstance(change, pensieve.Upsert))


def examples(language: str) -> List[str]:
    """The examples of docs/export.md in a language."""
    return [part.split("```")[0] for part in PAGE.read_text(encoding="utf-8").split(f"```{language}\n")[1:]]


def try_examples(database: Path, folder: Path) -> None:
    export(database, folder / "chunks", "--vectors", MODEL)
    os.chdir(folder)
    for query in examples("sql"):
        values = {"question": [0.1] * DIMENSIONS} if "$question" in query else None
        assert duckdb.execute(query, values).fetchall(), query
    for program in examples("python"):
        exec(program, {})


def try_plan(tree: Path, folder: Path) -> None:
    """`plan --format parquet` has the rows of `plan.json`, and the rest of it as metadata."""
    for kind in ["json", "parquet"]:
        checked(["plan", str(tree), "--shards=3", "--out", str(folder / kind), "--format", kind])
    plan = json.loads((folder / "json" / "plan.json").read_text())
    file = pyarrow.parquet.ParquetFile(folder / "parquet" / "plan.parquet")
    rows = [{key: value for key, value in row.items() if value is not None} for row in file.read().to_pylist()]
    assert rows == plan.pop("entries")
    assert json.loads(file.metadata.metadata[b"pensieve.plan"]) == plan


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, dice = Path(name), random.Random(int(sys.argv[1]))
        database = folder / "corpus.db"
        checked(["ingest", str(ROOT / "fixtures"), str(database), "--chunk-size=64", "--chunk-overlap=8"])
        editor = Editor(folder / "tree", dice)
        for _ in range(4):
            for _ in range(10):
                editor.step()
            checked(["ingest", str(folder / "tree"), str(database), "--allow-mass-deletion"])
        compare(database, folder / "one")
        add_vectors(database)
        compare(database, folder / "vectors", "--vectors", MODEL)
        compare(database, folder / "many", "--vectors", MODEL, "--part-size", "64KiB")
        try_feeds(database)
        try_plan(ROOT / "fixtures", folder)
        try_examples(database, folder)


main()
