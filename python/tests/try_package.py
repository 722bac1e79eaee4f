"""What the installed package promises, tried from a fresh environment: standard library only."""

import inspect
import os
import pickle
import sqlite3
import tempfile
import zipfile
from pathlib import Path

import pensieve

CONTAINER = (
    "<container><rootfiles><rootfile full-path='p.opf' media-type='application/oebps-package+xml'/></rootfiles></container>"
)
PACKAGE = (
    "<package version='3.0'><metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>T</dc:title></metadata>"
    "<manifest><item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
    "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/></spine></package>"
)
NAV = (
    "<html xmlns:epub='http://www.idpf.org/2007/ops'><body><nav epub:type='toc'><ol>"
    "<li><a href='a.xhtml'>Chapter 1: Oaks</a></li></ol></nav></body></html>"
)
EXPECTED = (
    "# Table of Contents\n\n*   [Chapter 1: Oaks](#chapter-1-oaks)\n\n---\n\n"
    "# Chapter 1: Oaks\n<a id=\"chapter-1-oaks\"></a>\n\nAn oak is a tree.\n"
)


# A chapter that the spine names and that is not there.
LACKING = PACKAGE.replace("</manifest>", "<item id='b' href='b.xhtml' media-type='application/xhtml+xml'/></manifest>").replace(
    "</spine>", "<itemref idref='b'/></spine>"
)


def book(path: Path, package_document: str = PACKAGE) -> str:
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr("META-INF/container.xml", CONTAINER)
        package.writestr("p.opf", package_document)
        package.writestr("nav.xhtml", NAV)
        package.writestr("a.xhtml", "<html><body><h2>Chapter 1: Oaks</h2><p>An oak is a tree.</p></body></html>")
    return str(path)


def raises(kind: type, call, *words, **named) -> BaseException:
    try:
        call(*words, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


def try_corpus(folder: Path) -> None:
    corpus = pensieve.Corpus(folder / "notes.db")
    raises(pensieve.InputError, corpus.search, "sea")
    raises(pensieve.InputError, lambda: list(corpus.documents()))
    (folder / "tree" / "b.md").write_text("# Tides\n\nThe tide comes in twice a day.\n\nIt goes out as often.\n")
    (folder / "tree" / ".hidden.txt").write_text("A note that is hidden.\n")
    summary = corpus.ingest(folder / "tree", chunk_size=64, scan={"hidden": False}, exclude=["*.log"])
    assert (summary.new, summary.report["corpus"]["files"]) == (2, 2), summary.report
    assert sqlite3.connect(folder / "notes.db").execute("SELECT value FROM meta WHERE key = 'chunk_size'").fetchone() == ("64",)
    error = raises(pensieve.ConfigurationError, corpus.ingest, folder / "tree", chunk_sise=64)
    assert "chunk_sise" in str(error) and isinstance(error, ValueError), error
    error = raises(pensieve.ConfigurationError, corpus.ingest, folder / "tree", chunk_size=3)
    assert "--" not in str(error) and "error:" not in str(error), error
    hit = corpus.search("when does the tide come in?")[0]
    assert "twice a day" in hit.text and hit.title and hit.sources[0].locator == {"line": [1, 5]}, hit
    assert corpus.search("tide", type="txt") == [] and corpus.search("tide", path="*.md")
    cited = corpus.cite(hit.citation)
    assert cited.holds and cited.text == hit.text and cited.source.relative_path == "b.md", cited
    packed = corpus.pack("tide", budget=200)
    assert packed.pieces[0].citation in packed.markdown and packed.tokens <= 200, packed
    assert [document.relative_path for document in corpus.documents()] == ["a.txt", "b.md"]
    assert corpus.text(next(corpus.documents())) == "The sea is wide.\n"
    assert len(list(corpus.chunks())) == 2 and len(list(corpus.changes(since=0))) == 2
    (folder / "tree" / "b.md").write_text("Nothing of it is left.\n")
    corpus.ingest(scan={"hidden": False})
    gone = corpus.cite(hit.citation)
    assert not gone.holds and gone.text is None and gone.reason, gone
    raises(pensieve.UsageError, corpus.cite, "pensieve:nonsense")
    assert raises(pensieve.InputError, corpus.text, "gone.txt").hint
    (folder / "other.db").write_bytes(b"no database" * 100)
    raises(pensieve.CorpusError, pensieve.Corpus(folder / "other.db").search, "x")
    assert pensieve.__version__.count(".") >= 2, pensieve.__version__


def main() -> None:
    convert = pensieve.process_epub_to_rag_markdown
    signature = "(epub_path: 'str', output_dir: 'str', *, engine: 'str' = 'builtin') -> 'str'"
    assert str(inspect.signature(convert)) == signature, inspect.signature(convert)
    assert (Path(pensieve.__file__).parent / "py.typed").exists()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = convert(book(folder / "book.epub"), str(folder / "out"))
        assert written == str(folder / "out" / "book.rag.md"), written
        assert Path(written).read_bytes() == EXPECTED.encode()
        raises(FileNotFoundError, convert, str(folder / "gone.epub"), str(folder))
        (folder / "bad.epub").write_bytes(b"PK\x03\x04 no book")
        raises(pensieve.EpubProcessingError, convert, str(folder / "bad.epub"), str(folder))
        for number, content in enumerate([b"", b"hello", b"<!DOCTYPE html><title>Log in</title><p>Name:"]):
            (folder / f"none-{number}.epub").write_bytes(content)
            raises(pensieve.EpubProcessingError, convert, str(folder / f"none-{number}.epub"), str(folder / "none"))
        # Other documents are no books, whatever they are called, and nothing of the book is touched.
        page = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>"
        for name in ("book.pdf", "paper.epub"):
            (folder / name).write_bytes(page)
            raises(pensieve.EpubProcessingError, convert, folder / name, folder / "out")
        assert [path.name for path in (folder / "out").iterdir()] == ["book.rag.md"]
        assert Path(written).read_bytes() == EXPECTED.encode()
        assert convert(folder / "book.epub", folder / "out") == written
        assert pensieve.convert(folder / "book.epub") == EXPECTED
        assert isinstance(written, pensieve.ConvertedBook) and written.warnings == [], written.warnings
        assert written.report["output"] == written and pickle.loads(pickle.dumps(written)).report == written.report
        lacking = pensieve.convert_epub(book(folder / "lacking.epub", LACKING), folder / "out")
        assert any("b.xhtml" in warning for warning in lacking.warnings), lacking.warnings
        path = os.environ.get("PATH", "")
        os.environ["PATH"] = str(folder)
        raises(pensieve.PandocNotFoundError, convert, str(folder / "book.epub"), str(folder), engine="pandoc")
        os.environ["PATH"] = path
        os.environ["PENSIEVE_BIN"] = os.environ.get("PENSIEVE_BIN") or pensieve._program()
        assert convert(str(folder / "book.epub"), str(folder / "named")) == str(folder / "named" / "book.rag.md")
        (folder / "tree").mkdir()
        (folder / "tree" / "a.txt").write_text("The sea is wide.\n")
        summary = pensieve.ingest(folder / "tree", folder / "corpus.db")
        assert summary["new"] == 1, summary
        assert pensieve.text(folder / "corpus.db", "a.txt") == "The sea is wide.\n"
        hits = pensieve.search(folder / "corpus.db", "sea")
        assert len(hits) == 1 and "sea" in str(hits[0]), hits
        raises(pensieve.PensieveError, pensieve.text, folder / "corpus.db", "gone.txt")
        sqlite3.connect(folder / "corpus.db").close()
        try_corpus(folder)


main()
