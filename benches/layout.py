#!/usr/bin/env python3
"""Running prose of labelled PDF files beside pdftotext, PyMuPDF4LLM and markitdown, over the same files.

Usage: benches/layout.py DIR [--pensieve BINARY] [--python PYTHON]
       DIR holds NAME.pdf, and truth/NAME.labels.json with the blocks of each section: kind MAIN or AUX, and text
       PYTHON has pymupdf4llm and markitdown[pdf] (PyPI); contenders that are not installed are left out

main_recall  share of 5-word shingles of MAIN blocks that are found: in the MAIN stream, or in all of a peer's text
main_order   share of found MAIN blocks that stand in the order of the truth
aux_leak     share of AUX blocks of which half the shingles stand in that same stream: a peer keeps no stream apart
broken       share of MAIN blocks of at least 20 words that are not found in one piece, hyphens and line ends aside
Time and memory are those of the whole process tree (measure.py), start of the program included.
"""

import argparse
import bisect
import glob
import json
import os
import re
import shutil
import sys
import unicodedata

BENCH = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, BENCH)
import measure  # noqa: E402 (beside this file)


def words(text):
    text = re.sub(r"</?aux>", " ", text)
    text = re.sub(r"(?<=\w)[\u00ad\u2010-]\n(?=[a-z])", "", text)
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def shingles(text, size=5):
    return [tuple(text[at : at + size]) for at in range(max(1, len(text) - size + 1))] if text else []


def longest_rise(numbers):
    tails = []
    for number in numbers:
        at = bisect.bisect_left(tails, number)
        tails[at : at + 1] = [number]
    return len(tails)


def score(stream, truth):
    """The four figures of a stream of words."""
    where = {}
    for at, shingle in enumerate(shingles(stream)):
        where.setdefault(shingle, at)
    joined = " ".join(stream)
    found = total = leaked = aux = broken = long = 0
    places = []
    for section in truth["sections"]:
        for block in section["blocks"]:
            text = words(block["text"])
            wanted = shingles(text)
            hits = [where[shingle] for shingle in wanted if shingle in where]
            if block["kind"] == "MAIN":
                found, total = found + len(hits), total + len(wanted)
                if hits and len(hits) * 2 >= len(wanted):
                    places.append(hits[0])
                if len(text) >= 20:
                    long += 1
                    broken += " ".join(text) not in joined
            elif block["kind"] == "AUX" and wanted:
                aux += 1
                leaked += len(hits) * 2 >= len(wanted)
    return [found / max(1, total), longest_rise(places) / max(1, len(places)), leaked / max(1, aux), broken / max(1, long)]


def main_of_units(text):
    units = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return "\n".join(unit["text"] for unit in units if unit["role"] == "MAIN")


def contenders(arguments):
    python = arguments.python
    yield "pensieve", lambda pdf: [arguments.pensieve, "layout", pdf, "--emit", "units", "-q"], main_of_units
    if shutil.which("pdftotext"):
        yield "pdftotext", lambda pdf: ["pdftotext", "-enc", "UTF-8", pdf, "-"], str
    code = "import sys, pymupdf4llm; print(pymupdf4llm.to_markdown(sys.argv[1], show_progress=False))"
    yield "PyMuPDF4LLM", lambda pdf: [python, "-c", code, pdf], str
    code = "import sys; from markitdown import MarkItDown; print(MarkItDown().convert(sys.argv[1]).text_content)"
    yield "markitdown", lambda pdf: [python, "-c", code, pdf], str


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--pensieve", default=os.environ.get("PENSIEVE", "target/release/pensieve"))
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    truths = sorted(glob.glob(os.path.join(arguments.folder, "truth", "*.labels.json")))
    print("| contender | main_recall | main_order | aux_leak | broken | ms a page, CPU | peak MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, command, stream_of in contenders(arguments):
        rows, seconds, pages, peak = [], 0.0, 0, 0
        for path in truths:
            with open(path, encoding="utf-8") as file:
                truth = json.load(file)
            pdf = os.path.join(arguments.folder, os.path.basename(path).replace(".labels.json", ".pdf"))
            cost = measure.run(command(pdf))
            if cost["status"]:
                break
            rows.append(score(words(stream_of(cost["output"])), truth))
            seconds += cost["cpu_s"]
            peak = max(peak, cost["peak_tree_mib"])
            pages += truth.get("pages", 1)
        if len(rows) < len(truths):
            print(f"| {name} | not installed, or it failed | | | | | |")
            continue
        means = [sum(column) / len(rows) for column in zip(*rows)]
        figures = " | ".join(f"{mean:.3f}" for mean in means)
        print(f"| {name} | {figures} | {1000 * seconds / pages:.1f} | {peak:.0f} |")


if __name__ == "__main__":
    main()
