#!/usr/bin/env python3
"""Structure of papers (headings, order, tables) beside PyMuPDF4LLM, markitdown and pdftotext, over the same files.

Usage: benches/papers.py DIR [--pensieve BINARY] [--python PYTHON] [--keep FOLDER]
       DIR holds NAME.pdf, truth/NAME.json and score_papers.py, which explains its measures
       PYTHON has pymupdf4llm and markitdown[pdf] (PyPI); contenders that are not installed are left out
       FOLDER keeps what each contender writes, to read it

Prints a Markdown table: a row per measure, a column per contender; `-` where a contender has nothing of the kind.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

PEERS = {
    "PyMuPDF4LLM": "import sys, pymupdf4llm; open(sys.argv[2], 'w').write(pymupdf4llm.to_markdown(sys.argv[1]))",
    "markitdown": "import sys, markitdown; open(sys.argv[2], 'w').write(markitdown.MarkItDown().convert(sys.argv[1]).text_content)",
}

ROWS = [
    "recall", "precision", "order", "order_aux", "h_recall", "h_precision", "h_level", "h_text", "t_f1", "broken",
    "lost", "furniture", "leak", "prose_aux", "aux_prose",
]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def outputs(papers, python, folder):
    """What each peer makes of the papers: its name and its folder."""
    for name, program in PEERS.items():
        if run(python, "-c", program.split(";")[0]).returncode != 0:
            print(f"left out: {name} is not installed", file=sys.stderr)
            continue
        place = os.path.join(folder, name)
        os.makedirs(place, exist_ok=True)
        for paper in papers:
            stem = os.path.splitext(os.path.basename(paper))[0]
            run(python, "-c", program, paper, os.path.join(place, f"{stem}.md"))
        yield name, place
    if shutil.which("pdftotext"):
        place = os.path.join(folder, "pdftotext")
        os.makedirs(place, exist_ok=True)
        for paper in papers:
            stem = os.path.splitext(os.path.basename(paper))[0]
            run("pdftotext", paper, os.path.join(place, f"{stem}.txt"))
        yield "pdftotext", place


def score(group, place):
    done = run(sys.executable, os.path.join(group, "score_papers.py"), place, group, "--json")
    if done.returncode != 0:
        sys.exit(f"score_papers.py failed over {place}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group")
    parser.add_argument("--pensieve", default=os.environ.get("PENSIEVE", "target/release/pensieve"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--keep")
    given = parser.parse_args()
    papers = sorted(glob.glob(os.path.join(given.group, "*.pdf")))
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or temporary
        database = os.path.join(temporary, "papers.db")
        if run(given.pensieve, "ingest", given.group, database, "--quiet").returncode != 0:
            sys.exit(f"{given.pensieve} failed")
        results = {"Pensieve": score(given.group, database)}
        for name, place in outputs(papers, given.python, folder):
            results[name] = score(given.group, place)
    print("| | " + " | ".join(results) + " |\n| --- |" + " ---: |" * len(results))
    for row in ROWS:
        figures = [of(result, row) for result in results.values()]
        print(f"| `{row}` | " + " | ".join(figures) + " |")


def of(result, row):
    value = result["groups"]["all"].get(row)
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
