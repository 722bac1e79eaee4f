#!/usr/bin/env python3
"""Words of documents with known text: pensieve beside pandoc, markitdown, xberg and docling.rs.

Usage: benches/known_text.py DOCUMENTS TEXTS [--pensieve BIN] [--python PYTHON]

DOCUMENTS holds documents, TEXTS for each of them its text (`a.docx.txt` for `a.docx`); PYTHON has the packages of the others.
Words are `\\w+` of the lower-case normal form, after marks of Markdown are taken off; recall and precision compare them as
multisets, order is the longest increasing run of matched words. A document that a program refuses counts zero. Means over documents.
"""

import argparse
import bisect
import collections
import html
import pathlib
import re
import subprocess
import unicodedata

PANDOC = {"docx": "docx", "odt": "odt", "rtf": "rtf", "epub": "epub", "fb2": "fb2", "ipynb": "ipynb"}
MARKITDOWN = "import sys, markitdown; print(markitdown.MarkItDown().convert(sys.argv[1]).text_content)"
XBERG = """
import asyncio, sys, xberg
found = asyncio.run(xberg.extract(xberg.ExtractInput(kind="uri", uri=sys.argv[1])))
print(found.results[0].content)
"""
DOCLING = """
import sys, docling_rs
print(docling_rs.DocumentConverter().convert(sys.argv[1]).document.export_to_markdown())
"""


def words(text):
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def without_marks(text):
    """Markdown without its marks: addresses, tags, emphasis, escapes and numbers of lists are no words of a document."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)", r"\1", text)
    text = re.sub(r"\[\^[^\]\s]{1,20}\]:?", " ", text)
    text = re.sub(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^>\n]{0,300})?/?>|<https?://[^>\s]*>", " ", text)
    text = re.sub(r"^(\s*(?:>\s*)*)(?:\d{1,4}|[ivxlcIVXLC]{1,7}|[A-Za-z])[.)]\s", r"\1", text, flags=re.M)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return html.unescape(re.sub(r"[*`~^]|(?<!\w)_+|_+(?!\w)", "", text))


def order(got, want):
    places = collections.defaultdict(collections.deque)
    for place, word in enumerate(want):
        places[word].append(place)
    run, matched = [], 0
    for place in (places[word].popleft() for word in got if places[word]):
        at = bisect.bisect_left(run, place)
        run[at : at + 1] = [place]
        matched += 1
    return len(run) / matched if matched else 0.0


def output(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def read_by(program, path, arguments):
    kind = path.suffix.lstrip(".").lower()
    match program:
        case "pensieve":
            return output([arguments.pensieve, "convert", str(path)])
        case "pandoc":
            return output(["pandoc", "-f", PANDOC[kind], "-t", "gfm", "--wrap=none", str(path)])
        case "markitdown":
            return output([arguments.python, "-c", MARKITDOWN, str(path)])
        case "xberg":
            return output([arguments.python, "-c", XBERG, str(path)])
        case "docling.rs":
            return output([arguments.python, "-c", DOCLING, str(path)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", type=pathlib.Path)
    parser.add_argument("texts", type=pathlib.Path)
    parser.add_argument("--pensieve", default="target/release/pensieve")
    parser.add_argument("--python", default="python3")
    arguments = parser.parse_args()
    rows = collections.defaultdict(list)
    for path in sorted(arguments.documents.iterdir()):
        known = arguments.texts / f"{path.name}.txt"
        if not known.is_file():
            continue
        want = words(known.read_text(encoding="utf-8"))
        for program in ("pensieve", "pandoc", "markitdown", "xberg", "docling.rs"):
            if program == "pandoc" and path.suffix.lstrip(".").lower() not in PANDOC:
                continue
            text = read_by(program, path, arguments)
            got = words(without_marks(text or ""))
            shared = sum((collections.Counter(got) & collections.Counter(want)).values())
            scores = (shared / max(1, len(want)), shared / max(1, len(got)), order(got, want), text is not None)
            rows[path.suffix.lstrip(".").lower(), program].append(scores)
    print("| documents | program | files | read | recall | precision | order |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for (kind, program), found in sorted(rows.items()):
        means = [sum(column) / len(found) for column in list(zip(*found))[:3]]
        read = sum(scores[3] for scores in found)
        print(f"| {kind} | {program} | {len(found)} | {read} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")


if __name__ == "__main__":
    main()
