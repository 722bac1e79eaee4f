#!/usr/bin/env python3
"""Writes the documents of this folder from `sources`, as other programs export them: pandoc, LibreOffice, a browser,
LaTeX. `nights.fods` is written by hand. The pages of `handbook.tex`, `paper.tex`, `report.html` and `slides.tex` are
also drawings of the layout (`crates/pensieve-text/tests/layout`)."""

import os
import shutil
import subprocess
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def office(extension, source):
    run("soffice", "--headless", "--convert-to", extension, "--outdir", ".", source)


with tempfile.TemporaryDirectory() as place:
    shutil.copytree(os.path.join(FOLDER, "sources"), place, dirs_exist_ok=True)
    shutil.copy(os.path.join(FOLDER, "nights.fods"), place)
    os.chdir(place)
    for extension in ["docx", "odt", "fb2", "rtf", "pptx", "ipynb"]:
        run("pandoc", "-s", "handbook.md", "-t", extension, "-o", f"handbook.{extension}")
    for version in "23":
        options = ["--toc", "--mathml", "-o", f"handbook{version}.epub"]
        run("pandoc", "-s", "handbook.md", "-t", f"epub{version}", *options)
    os.makedirs("office")
    run("soffice", "--headless", "--convert-to", "rtf", "--outdir", "office", "handbook.odt")
    office("odp", "handbook.pptx")
    run("soffice", "--headless", "--convert-to", "pptx", "--outdir", "office", "handbook.odp")
    for extension in ["rtf", "pptx"]:
        shutil.move(f"office/handbook.{extension}", f"handbook-office.{extension}")
    office("odt", "quay.html")
    for extension in ["docx", "rtf"]:
        office(extension, "quay.odt")
    for extension in ["xls", "xlsx", "ods"]:
        office(extension, "nights.fods")
    browser = ["chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer", "--print-to-pdf=report.pdf"]
    run(*browser, f"file://{place}/report.html")
    run("pdflatex", "-interaction=nonstopmode", "slides.tex")
    for name in sorted(os.listdir(FOLDER)):
        if os.path.isfile(name):
            shutil.copy(name, os.path.join(FOLDER, name))
