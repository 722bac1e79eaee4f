#!/usr/bin/env python3
"""Writes the saved pages of this folder. Python's standard library alone; the same bytes every time."""
import base64
import pathlib
import quopri

HERE = pathlib.Path(__file__).parent

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Tea</title><meta name="author" content="Ada"></head><body><article>
<h1>Tea</h1><p>Tea is made of leaves\u2014and water. Some take milk with it, others take lemon, and most take their time
before they take either, for the leaves have to stand until the water has their colour.</p>
<p>A second paragraph says so again, in other words, so that the page is about something: leaves, water, and time.</p>
<img src="cid:cup" alt="A cup"></article></body></html>
"""

HEAD = """From: <Saved by a browser>
Snapshot-Content-Location: http://example.org/tea
Subject: Tea
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

"""

QUOTED = HEAD + """--b
Content-Type: text/html
Content-ID: <frame@mhtml>
Content-Transfer-Encoding: quoted-printable
Content-Location: http://example.org/tea

%s
--b
Content-Type: text/css
Content-Location: http://example.org/style.css

p { color: brown }
--b
Content-Type: image/png
Content-ID: <cup>
Content-Transfer-Encoding: base64

%s--b--
""" % (quopri.encodestring(PAGE.replace("<head>", "<head><meta charset=utf-8>").encode()).decode(),
       base64.encodebytes(b"\x89PNG").decode())

PLAIN = HEAD + """--b
Content-Type: text/html; charset=windows-1252
Content-Transfer-Encoding: 8bit

%s--b--
""" % PAGE

FRAMES = HEAD + """--b
Content-Type: text/html

<frameset><frame src="one.html"></frameset>
--b
Content-Type: text/html
Content-Location: one.html

<p>What the frame shows, and the end of the file is missing"""

FILES = {
    "quoted.mht": QUOTED.replace("\n", "\r\n").encode(),
    "plain.mhtml": PLAIN.encode("cp1252"),
    "damaged.mht": FRAMES.encode(),
}

for name, content in FILES.items():
    (HERE / name).write_bytes(content)
