"""The reader and the retriever against the real llama-index-core."""

import json
import tempfile
from pathlib import Path

from corpus import run_documented, write
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.llms import MockLLM
from llama_index.core.schema import MetadataMode

import pensieve
from pensieve.llama_index import PensieveReader, PensieveRetriever


def try_reader(database: Path) -> None:
    documents = PensieveReader().load_data(database)
    chunks = list(pensieve.chunks(database))
    assert [document.text for document in documents] == [chunk.content for chunk in chunks]
    for document, chunk in zip(documents, chunks):
        assert document.id_ == chunk.content_hash
        assert [place["citation"] for place in document.metadata["places"]] == [place.citation for place in chunk.places]
        assert json.loads(json.dumps(document.metadata)) == document.metadata
        shown = document.get_content(MetadataMode.LLM)
        assert chunk.places[0].citation in shown and "places" not in shown
        assert "citation" not in document.get_content(MetadataMode.EMBED)
    assert all("sea" in document.text for document in PensieveReader().lazy_load_data(database, path="*.txt"))


def try_index(database: Path) -> None:
    """Each document stays one node: a chunk is not cut again."""
    documents = PensieveReader().load_data(database)
    index = VectorStoreIndex.from_documents(documents, embed_model=MockEmbedding(embed_dim=8))
    nodes = index.as_retriever(similarity_top_k=100).retrieve("acorns")
    assert sorted(node.text for node in nodes) == sorted(document.text for document in documents)
    assert all(node.metadata["citation"].startswith("pensieve:") for node in nodes)


def try_retriever(database: Path) -> None:
    found = PensieveRetriever(database, k=2).retrieve("acorns")
    assert len(found) <= 2 and "acorns" in found[0].text and found[0].score > 0
    packed = PensieveRetriever(database, mode="pack", budget=400)
    assert packed.retrieve("acorns")[0].metadata["citation"].startswith("pensieve:")
    engine = RetrieverQueryEngine.from_args(packed, llm=MockLLM())
    answer = engine.query("acorns")
    assert "pensieve:" in str(answer) and answer.source_nodes, answer
    try:
        PensieveRetriever(f"{database}.gone").retrieve("acorns")
    except pensieve.PensieveError:
        return
    raise AssertionError("a missing database is an error")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = write(Path(folder))
        try_reader(database)
        try_index(database)
        try_retriever(database)
        assert run_documented("pensieve.llama_index", database)["documents"]
    print("llama-index-core: reader, retriever and the example of the page tried")


main()
