#!/usr/bin/env python3
"""How many texts are embedded while a folder of texts is edited: the changes of pensieve, LangChain's indexing API with its record
manager, and LlamaIndex's ingestion pipeline with docstore and cache, over the same edits in one run.

Usage: benches/bill.py DIR [--rounds 20] [--texts 6] [--seed 1]

Needs langchain-core, langchain-text-splitters, llama-index-core and numpy from PyPI in its Python. Nothing is embedded: texts are
counted where a model would be called. Chunks have at most 512 tokens of cl100k_base, with 50 of overlap, for everyone.
"""

import argparse
import importlib.util
import os
import pathlib
import random
import shutil
import sys
import tempfile
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python" / "src"), str(ROOT / "examples")]
SIZE, OTHER_SIZE, OVERLAP = 512, 384, 50
#: The rounds in which the chunk size is another one.
OTHER_ROUNDS = range(10, 12)
#: The rounds that cut everything anew.
RECUT = (OTHER_ROUNDS.start, OTHER_ROUNDS.stop)


class Bill:
    """What one contender has sent to be embedded."""

    def __init__(self):
        self.sent, self.by_round = Counter(), []

    def embed(self, texts):
        self.sent.update(texts)
        return [[1.0] * 64 for _ in texts]

    def total(self):
        return sum(self.sent.values())

    def end_round(self):
        self.by_round.append(self.total() - sum(self.by_round))

    def row(self, name, stale):
        recut = sum(self.by_round[number] for number in RECUT if number < len(self.by_round))
        edits = self.total() - self.by_round[0] - recut
        again = self.total() - len(self.sent)
        return f"| {name} | {self.by_round[0]:,} | {edits:,} | {recut:,} | {again:,} | {stale:,} |"


class Pensieve:
    """An index of examples/ that follows a database."""

    name = "pensieve changes, examples/numpy_index.py"

    def __init__(self, folder):
        from numpy_index import NumpyIndex

        self.bill, self.database = Bill(), folder / f"{type(self).__name__}.db"
        self.index = NumpyIndex(str(folder / type(self).__name__))

    def run(self, tree, size):
        import follow
        from pensieve._program import checked

        flags = [f"--chunk-size={size}", f"--chunk-overlap={OVERLAP}", "--tokenizer=cl100k_base", "--allow-mass-deletion", "-q"]
        checked(["ingest", *flags, str(tree), str(self.database)])
        follow.embed = self.bill.embed
        follow.follow(str(self.database), self.index)

    def stale(self, _tree, _size):
        import pensieve

        wanted = {chunk.content_hash for chunk in pensieve.chunks(self.database)}
        return len({record.content_hash for record in self.index.records() if record.places} ^ wanted)


class KeepingPensieve(Pensieve):
    """The same, but texts without a place stay in the table: what comes back has its vector."""

    name = "the same, texts without a place kept"

    def __init__(self, folder):
        super().__init__(folder)
        self.index.sweep = lambda: None


class LangChain:
    """`index` with a record manager and full cleanup."""

    name = "LangChain, index() with record manager"

    def __init__(self, _folder):
        from langchain_core.embeddings import Embeddings
        from langchain_core.indexing import InMemoryRecordManager
        from langchain_core.vectorstores import InMemoryVectorStore

        self.bill = bill = Bill()

        class Counted(Embeddings):
            def embed_documents(self, texts):
                return bill.embed(texts)

            def embed_query(self, text):
                return bill.embed([text])[0]

        self.manager = InMemoryRecordManager("texts")
        self.manager.create_schema()
        self.store = InMemoryVectorStore(Counted())

    def documents(self, tree, size):
        from langchain_core.documents import Document
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding_name="cl100k_base", chunk_size=size, chunk_overlap=OVERLAP, disallowed_special=()
        )
        return splitter.split_documents(
            [Document(page_content=text, metadata={"source": name}) for name, text in texts(tree)]
        )

    def run(self, tree, size):
        from langchain_core.indexing import index

        documents = self.documents(tree, size)
        index(documents, self.manager, self.store, cleanup="full", source_id_key="source", key_encoder="sha256")

    def stale(self, tree, size):
        wanted = {(document.page_content, document.metadata["source"]) for document in self.documents(tree, size)}
        found = {(row["text"], row["metadata"]["source"]) for row in self.store.store.values()}
        return len(found ^ wanted)


class LlamaIndex:
    """`IngestionPipeline` that updates and deletes by its docstore, with its cache."""

    name = "LlamaIndex, pipeline with docstore and cache"

    def __init__(self, _folder):
        from llama_index.core.base.embeddings.base import BaseEmbedding
        from llama_index.core.ingestion import IngestionCache

        self.bill = bill = Bill()

        class Counted(BaseEmbedding):
            def _get_text_embeddings(self, texts):
                return bill.embed(texts)

            def _get_text_embedding(self, text):
                return bill.embed([text])[0]

            def _get_query_embedding(self, query):
                return bill.embed([query])[0]

            async def _aget_query_embedding(self, query):
                return bill.embed([query])[0]

        self.embedding, self.cache, self.size = Counted(), IngestionCache(), None

    def begin(self, size):
        """A docstore does not see that the settings have changed: whoever changes them begins anew, with the same cache."""
        from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
        from llama_index.core.node_parser import SentenceSplitter
        from llama_index.core.storage.docstore import SimpleDocumentStore
        from llama_index.core.vector_stores import SimpleVectorStore

        self.splitter, self.size = SentenceSplitter(chunk_size=size, chunk_overlap=OVERLAP), size
        self.pipeline = IngestionPipeline(
            transformations=[self.splitter, self.embedding],
            docstore=SimpleDocumentStore(),
            docstore_strategy=DocstoreStrategy.UPSERTS_AND_DELETE,
            vector_store=SimpleVectorStore(),
            cache=self.cache,
        )

    def documents(self, tree):
        from llama_index.core import Document

        named = [(name, text, {"source": name}) for name, text in texts(tree)]
        return [
            Document(id_=name, text=text, metadata=source, excluded_embed_metadata_keys=["source"])
            for name, text, source in named
        ]

    def run(self, tree, size):
        if size != self.size:
            self.begin(size)
        self.pipeline.run(documents=self.documents(tree))

    def stale(self, tree, _size):
        wanted = Counter(node.ref_doc_id for node in self.splitter(self.documents(tree)))
        found = Counter(self.pipeline.vector_store.data.text_id_to_ref_doc_id.values())
        return sum(((wanted - found) + (found - wanted)).values())


def texts(tree):
    """Names and texts, as loaders read files."""
    for path in sorted(tree.iterdir()):
        yield path.name, path.read_text(encoding="utf-8", errors="replace")


def edit(tree, number, dice):
    """A sentence into two texts; each second round a text renamed, copied or deleted as well."""
    files = sorted(tree.iterdir())
    for file in dice.sample(files, 2):
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
        lines.insert(dice.randrange(len(lines)), f"In round {number} this sentence was put in, and nobody has asked for it.")
        file.write_text("\n".join(lines), encoding="utf-8")
    if number % 2:
        return
    file = dice.choice(files)
    step = (number // 2) % 3
    if step == 0:
        file.rename(tree / f"renamed-{number}.txt")
    elif step == 1:
        shutil.copy(file, tree / f"copy-{number}.txt")
    else:
        file.unlink()


def measure(options, folder):
    tree = folder / "tree"
    tree.mkdir()
    found = sorted(path for path in pathlib.Path(options.folder).iterdir() if path.suffix == ".txt")
    for path in found[: options.texts]:
        text = path.read_text(encoding="utf-8", errors="replace")
        (tree / path.name).write_text(text, encoding="utf-8")
    contenders = [kind(folder) for kind in (Pensieve, KeepingPensieve, LangChain, LlamaIndex)]
    dice, size = random.Random(options.seed), SIZE
    for number in range(options.rounds + 1):
        if number:
            edit(tree, number, dice)
        size = OTHER_SIZE if number in OTHER_ROUNDS else SIZE
        for contender in contenders:
            contender.run(tree, size)
            contender.bill.end_round()
        print(number, *(contender.bill.by_round[-1] for contender in contenders), file=sys.stderr, flush=True)
    print("| index | first load | edits | chunk size changed and back | of all, sent again | stale or missing |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for contender in contenders:
        print(contender.bill.row(contender.name, contender.stale(tree, size)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a folder of .txt files")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--texts", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pensieve", default=str(ROOT / "target" / "release" / "pensieve"))
    options = parser.parse_args()
    os.environ.setdefault("PENSIEVE_BIN", os.path.abspath(options.pensieve))
    # The vocabulary that LlamaIndex brings along: nothing is fetched.
    core = pathlib.Path(importlib.util.find_spec("llama_index.core").origin).parent
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(core / "_static" / "tiktoken_cache"))
    with tempfile.TemporaryDirectory() as folder:
        measure(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
