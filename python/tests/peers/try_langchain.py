"""The loader and the retriever against the real langchain-core."""

import json
import tempfile
from pathlib import Path

from corpus import run_documented, write
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore

import pensieve
from pensieve.langchain import PensieveLoader, PensieveRetriever


def try_loader(database: Path) -> None:
    documents = PensieveLoader(database).load()
    chunks = list(pensieve.chunks(database))
    assert [document.page_content for document in documents] == [chunk.content for chunk in chunks]
    assert [document.id for document in documents] == [chunk.content_hash for chunk in chunks]
    for document, chunk in zip(documents, chunks):
        assert document.metadata["citation"] == chunk.places[0].citation
        assert document.metadata["source"] == chunk.places[0].path
        assert [place["citation"] for place in document.metadata["places"]] == [place.citation for place in chunk.places]
        assert json.loads(json.dumps(document.metadata)) == document.metadata
    lazy = PensieveLoader(database, path="*.txt").lazy_load()
    assert "sea" in next(lazy).page_content
    lazy.close()


def try_indexing(database: Path) -> None:
    """The indexing API takes the documents as they are, and skips them the second time."""
    manager = InMemoryRecordManager("corpus")
    manager.create_schema()
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    options = {"cleanup": "full", "source_id_key": "source", "key_encoder": "sha256"}
    first = index(PensieveLoader(database), manager, store, **options)
    again = index(PensieveLoader(database), manager, store, **options)
    assert first["num_added"] == len(PensieveLoader(database).load()) and again["num_added"] == 0, (first, again)


def try_retriever(database: Path) -> None:
    found = PensieveRetriever(database=str(database), k=2).invoke("acorns")
    assert len(found) <= 2 and "acorns" in found[0].page_content
    assert found[0].metadata["heading_path"] and found[0].metadata["score"] > 0
    assert found[0].metadata["citation"].startswith("pensieve:")
    packed = PensieveRetriever(database=str(database), mode="pack", budget=400)
    chain = packed | RunnableLambda(lambda documents: [document.metadata["citation"] for document in documents])
    assert chain.invoke("acorns")[0].startswith("pensieve:")
    assert packed.batch(["acorns", "sea"])[1][0].metadata["relative_path"].endswith(".txt")
    missing = PensieveRetriever(database=str(database) + ".gone")
    try:
        missing.invoke("acorns")
    except pensieve.PensieveError:
        return
    raise AssertionError("a missing database is an error")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = write(Path(folder))
        try_loader(database)
        try_indexing(database)
        try_retriever(database)
        left = run_documented("pensieve.langchain", database)
        assert len(list(left["documents"])) == len(list(pensieve.chunks(database)))
        left = run_documented("pensieve.changes", database, cursor=0, index={})
        assert set(left["index"].values()) == {chunk.content for chunk in pensieve.chunks(database)} and left["cursor"]
    print("langchain-core: loader, retriever and the example of the page tried")


main()
