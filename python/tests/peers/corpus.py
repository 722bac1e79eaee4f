"""A small corpus for the tests of the loaders."""

from pathlib import Path

import pensieve

TEXTS = {
    "oaks.md": "# Trees\n\n## Oaks\n\nAn oak bears acorns. It may live for a thousand years.\n",
    "elms.md": "# Trees\n\n## Elms\n\nAn elm bears samaras, which the wind carries.\n",
    "sea.txt": "The sea is wide, and no tree stands in it.\n",
}


def write(folder: Path) -> Path:
    """Ingests the texts, one of them twice; the path of the database."""
    tree = folder / "tree"
    tree.mkdir()
    for name, text in TEXTS.items():
        (tree / name).write_text(text)
    (tree / "oaks again.md").write_text(TEXTS["oaks.md"] + "\n## Ash\n\nOdin hung on one.\n")
    (tree / "copy.txt").write_text(TEXTS["sea.txt"])
    pensieve.ingest(tree, folder / "corpus.db")
    return folder / "corpus.db"
