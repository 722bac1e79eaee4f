"""A folder of notes that is edited at random."""

import random
import shutil
from pathlib import Path
from typing import List

WORDS = "oak elm ash fog lamp sea bell rope ledger tide wind harbour keeper light stone bridge letter ship north rain".split()
FILES = 12
# So that a long history costs as much a round as a short one.
MOST_FILES = 24
PARAGRAPHS = 30


class Editor:
    """Sentences in and out, files renamed, copied, deleted and written anew."""

    def __init__(self, tree: Path, dice: random.Random) -> None:
        self.tree, self.dice, self.count = tree, dice, 0
        tree.mkdir()
        for _ in range(FILES):
            self.add_file()

    def step(self) -> None:
        steps = [self.insert, self.insert, self.insert, self.remove, self.rename, self.copy, self.delete, self.add_file]
        self.dice.choice(steps)()

    def files(self) -> List[Path]:
        return sorted(self.tree.iterdir())

    def sentence(self) -> str:
        self.count += 1
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(5, 20))) + f" {self.count}."

    def new_name(self) -> Path:
        self.count += 1
        return self.tree / f"{self.dice.choice(WORDS)}-{self.count}.md"

    def any_file(self) -> Path:
        return self.dice.choice(self.files())

    def add_file(self) -> None:
        self.make_room()
        paragraphs = [" ".join(self.sentence() for _ in range(self.dice.randint(1, 5))) for _ in range(PARAGRAPHS)]
        self.new_name().write_text("\n\n".join([f"# {self.sentence()}", *paragraphs]) + "\n")

    def insert(self) -> None:
        self.edit(lambda lines: lines.insert(self.dice.randrange(len(lines) + 1), self.sentence()))

    def remove(self) -> None:
        self.edit(lambda lines: lines and lines.pop(self.dice.randrange(len(lines))))

    def edit(self, change) -> None:
        file = self.any_file()
        lines = file.read_text().split("\n\n")
        change(lines)
        file.write_text("\n\n".join(lines))

    def rename(self) -> None:
        self.any_file().rename(self.new_name())

    def copy(self) -> None:
        self.make_room()
        shutil.copy(self.any_file(), self.new_name())

    def delete(self) -> None:
        if len(self.files()) > FILES // 2:
            self.any_file().unlink()

    def make_room(self) -> None:
        while len(self.files()) >= MOST_FILES:
            self.delete()
