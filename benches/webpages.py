#!/usr/bin/env python3
"""Main text of web pages beside rs-trafilatura and trafilatura, over the same pages: one row per kind of page.

Usage: benches/webpages.py DIR [--fidelity HTML_DIR] [--pensieve BINARY] [--rust BINARY] [--keep FOLDER]
       DIR holds MANIFEST.tsv, pages/, truth/ and score_webpages.py, which explains its measure
       HTML_DIR holds pages of other sources and MANIFEST.tsv with their truth: texts, Markdown, HTML, or snippets that
       must and must not be found
       FOLDER keeps what each contender writes, to read it
`benches/webpages.sh` installs the peers. rs-trafilatura is given the address of a page, as its classifier asks for it.

Prints Markdown tables. F1 is of words, the mean over pages.
"""

import argparse
import collections
import csv
import html
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

CONTENDERS = ["Pensieve", "rs-trafilatura", "trafilatura"]


def manifest(group):
    with open(os.path.join(group, "MANIFEST.tsv"), encoding="utf-8") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def address(row):
    """The address that the source of a page names, or nothing."""
    return next((word for word in row["source"].split() if word.startswith("http")), "")


def read(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)


def by_pensieve(given, pages, folder):
    for group in sorted({page[0] for page in pages}):
        database = os.path.join(folder, os.path.basename(group) + ".db")
        subprocess.run([given.pensieve, "ingest", group, database, "--quiet"], stdout=subprocess.DEVNULL)
        for _, row, output in (page for page in pages if page[0] == group):
            path = os.path.join(group, row["file"])
            text = subprocess.run([given.pensieve, "text", database, path], stdout=subprocess.PIPE).stdout
            write(output + ".md", text.decode("utf-8", "replace"))


def by_rs_trafilatura(given, pages, folder):
    lines = []
    for group, row, output in pages:
        os.makedirs(os.path.dirname(output), exist_ok=True)
        lines.append(f"{os.path.join(group, row['file'])}\t{address(row)}\t{output}.txt\n")
    subprocess.run([given.rust], input="".join(lines), text=True, check=True, stdout=subprocess.DEVNULL)


def by_trafilatura(given, pages, folder):
    import trafilatura

    for group, row, output in pages:
        with open(os.path.join(group, row["file"]), "rb") as file:
            write(output + ".txt", trafilatura.extract(file.read()) or "")


EXTRACT = {"Pensieve": by_pensieve, "rs-trafilatura": by_rs_trafilatura, "trafilatura": by_trafilatura}


def outputs(given, group, folder):
    """What each contender makes of the pages of a group: a folder by name, files named like the pages."""
    rows = manifest(group)
    for name in CONTENDERS:
        place = os.path.join(folder, name, os.path.basename(group))
        pages = [(group, row, os.path.join(place, os.path.splitext(os.path.basename(row["file"]))[0])) for row in rows]
        os.makedirs(place, exist_ok=True)
        EXTRACT[name](given, pages, folder)
        yield name, place


def print_kinds(given, group, folder):
    results = {}
    for name, place in outputs(given, group, folder):
        scorer = os.path.join(group, "score_webpages.py")
        done = subprocess.run([sys.executable, scorer, "--dir", place, group, "--json"], stdout=subprocess.PIPE, check=True)
        results[name] = json.loads(done.stdout)["types"]
    print("| kind | pages | " + " | ".join(results) + " |\n| --- | ---: |" + " ---: |" * len(results))
    for kind, row in next(iter(results.values())).items():
        print(f"| {kind} | {row['pages']} | " + " | ".join(f"{types[kind]['f1']:.3f}" for types in results.values()) + " |")


def words(text):
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def truth(group, row, strip_markdown):
    """The text of a page, or its snippets."""
    for part in (part.strip() for part in row["truth"].split(";")):
        path = os.path.join(group, part)
        if part.endswith(".expected.html"):
            return html.unescape(re.sub(r"<[^>]+>", " ", read(path)))
        if part.endswith(".md"):
            return strip_markdown(read(path))
        if part.endswith(".txt"):
            return read(path)
        if part.endswith(".json") and ".meta." not in part:
            return json.loads(read(path))
    return None


def compare(text, expected):
    """F1 of words; of snippets, the share that is judged right."""
    if isinstance(expected, dict):
        flat = " ".join(words(text))
        found = [" ".join(words(snippet)) in flat for snippet in expected.get("with", [])]
        absent = [" ".join(words(snippet)) not in flat for snippet in expected.get("without", [])]
        return sum(found + absent) / max(1, len(found + absent))
    got, want = collections.Counter(words(text)), collections.Counter(words(expected))
    return 2 * sum((got & want).values()) / max(1, sum(got.values()) + sum(want.values()))


def print_fidelity(given, group, folder, strip_markdown):
    results, counts = collections.defaultdict(dict), {}
    for name, place in outputs(given, group, folder):
        scores = collections.defaultdict(list)
        for row in manifest(group):
            expected = truth(group, row, strip_markdown)
            path = os.path.join(place, os.path.splitext(os.path.basename(row["file"]))[0])
            text = strip_markdown(read(path + ".md")) if name == "Pensieve" else read(path + ".txt")
            if expected is not None:
                scores[row["file"].split("/")[0]].append(compare(text, expected))
        for source, values in scores.items():
            results[source][name], counts[source] = sum(values) / len(values), len(values)
    print("| source | pages | " + " | ".join(CONTENDERS) + " |\n| --- | ---: |" + " ---: |" * len(CONTENDERS))
    for source, row in sorted(results.items()):
        print(f"| {source} | {counts[source]} | " + " | ".join(f"{row[name]:.3f}" for name in CONTENDERS) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group")
    parser.add_argument("--fidelity")
    parser.add_argument("--pensieve", default=os.environ.get("PENSIEVE", "target/release/pensieve"))
    parser.add_argument("--rust", default="target/bench/main_text/release/main_text")
    parser.add_argument("--keep")
    given = parser.parse_args()
    group = os.path.abspath(given.group)
    spec = importlib.util.spec_from_file_location("scorer", os.path.join(group, "score_webpages.py"))
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or temporary
        print_kinds(given, group, folder)
        if given.fidelity:
            print()
            print_fidelity(given, os.path.abspath(given.fidelity), folder, scorer.strip_markdown)


if __name__ == "__main__":
    main()
