"""A small corpus for the tests of the loaders."""

import contextlib
import io
from pathlib import Path
from typing import Any, Dict

import pensieve

PAGE = Path(__file__).resolve().parents[3] / "docs" / "integrations.md"

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


def run_documented(word: str, database: Path, **names: Any) -> Dict[str, Any]:
    """Runs the example of docs/integrations.md that has this word, with this database; the names that it leaves."""
    examples = [part.split("```")[0] for part in PAGE.read_text(encoding="utf-8").split("```python\n")[1:]]
    example = next(example for example in examples if word in example)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(example.replace('"corpus.db"', repr(str(database))), names)
    return names
