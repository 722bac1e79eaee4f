"""Books to Markdown, side by side: pensieve, pandoc, markitdown. Words kept, dangling links, artefacts, processor time.

Usage: ragmd.py PENSIEVE BOOKS [MARKITDOWN]      BOOKS holds *.epub, and truth/NAME.txt with their text
"""

import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

WORD = re.compile(r"[^\W_]+")
LINK = re.compile(r"\]\(<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:\s+\"[^\"]*\")?\)|href=\"([^\"]*)\"")
ANCHOR = re.compile(r"\bid=\"([^\"]+)\"|\{#([^\s}]+)")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.M | re.S)
ARTEFACTS = re.compile(
    r"!\[\]\(|\{[#.][^}\n]*\}|\[\^[^\]]+\]|</?(?:span|div|section|figure|img|sup|br|p)\b[^>]*>|^:{3,}|\xad|<!--|\[\]\{", re.M
)


def words(text: str) -> Counter:
    return Counter(word.lower() for word in WORD.findall(text))


def dangling(text: str) -> int:
    anchors = {found for pair in ANCHOR.findall(text) for found in pair if found}
    count = 0
    for pair in LINK.findall(text):
        address = pair[0] or pair[1]
        if re.match(r"[a-z]+:", address, re.I):
            continue
        count += not (address.startswith("#") and address[1:] in anchors)
    return count


def plain(text: str) -> str:
    """Without addresses and tags, whose words are nobody's; in code they are what it says."""
    parts = CODE.split(text)
    clean = [re.sub(r"\]\([^)\n]*\)|<[^>\n]+>|\{[#.][^}\n]*\}", " ", part) for part in parts[::2]]
    return " ".join([*clean, *parts[1::2]])


def cpu() -> float:
    """Seconds of processor time of every process that was started and has ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(command: list, output) -> tuple:
    start = cpu()
    ran = subprocess.run(command, capture_output=True, check=False)
    took = cpu() - start
    if ran.returncode != 0:
        return None, took
    return (output.read_text() if output else ran.stdout.decode("utf-8", "replace")), took


def main() -> None:
    pensieve, folder = sys.argv[1], Path(sys.argv[2])
    tools = ["pensieve", "pensieve, notes kept", "pandoc"] + (["markitdown"] if len(sys.argv) > 3 else [])
    books = [book for book in sorted(folder.glob("*.epub")) if (folder / "truth" / f"{book.stem}.txt").exists()]
    with tempfile.TemporaryDirectory() as out:
        print("| tool | books | words kept | dangling links | artefacts / 10,000 words | CPU s / book |")
        print("| --- | --- | --- | --- | --- | --- |")
        for tool in tools:
            kept = total = links = artefacts = made = done = 0
            seconds = 0.0
            for book in books:
                target = Path(out) / f"{book.stem}.rag.md"
                commands = {
                    "pensieve": [pensieve, "-q", "convert", str(book), "--out", out, "--force"],
                    "pensieve, notes kept": [pensieve, "-q", "convert", str(book), "--out", out, "--force", "--footnotes", "end"],
                    "pandoc": ["pandoc", "-f", "epub", "-t", "gfm", "--wrap=none", str(book)],
                    "markitdown": sys.argv[3:4] + [str(book)],
                }
                text, took = run(commands[tool], target if tool.startswith("pensieve") else None)
                truth = words((folder / "truth" / f"{book.stem}.txt").read_text())
                seconds += took
                total += sum(truth.values())
                if text is None:
                    continue
                done += 1
                found = words(plain(text))
                kept += sum((truth & found).values())
                made += sum(found.values())
                links += dangling(text)
                prose = CODE.sub("", re.sub(r'^<a id="[^"]*"></a>$', "", text, flags=re.M))
                artefacts += len(ARTEFACTS.findall(prose))
            rate = artefacts * 10_000 / max(made, 1)
            share = kept / max(total, 1)
            print(f"| {tool} | {done} of {len(books)} | {share:.4f} | {links} | {rate:.1f} | {seconds / len(books):.3f} |")


main()
