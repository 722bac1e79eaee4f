#!/usr/bin/env python3
"""Writes the mailboxes of this folder. Python's standard library alone; the same bytes every time."""
import pathlib

HERE = pathlib.Path(__file__).parent

QUOTED = """From ada@example.org Tue Jun  3 09:15:00 2025
From: ada@example.org
Subject: One

>From here on a line is quoted.
>>From there it was quoted before.

From bob@example.org Tue Jun  3 10:15:00 2025 +0200
From: bob@example.org
Subject: Two

He said:

From what I heard, all is well.
"""

DAMAGED = """From - Tue Jun  3 09:15:00 2025
Subject: No blank line before the next one
Content-Type: multipart/mixed; boundary=b

--b

a part without an end
From bob@example.org Tue Jun  3 10:15:00 2025
Subject: Cut

in the mid"""

CONTROL = "\x01\x01\x01\x01\nFrom: a@example.org\n\nOne.\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nFrom: b@example.org\n\nTwo.\n\x01\x01\x01\x01\n"

FILES = {
    "quoted.mbox": QUOTED.encode(),
    "returns.mbox": QUOTED.replace("\n", "\r\n").encode(),
    "damaged.mbox": DAMAGED.encode(),
    "control.mbx": CONTROL.encode(),
}

for name, content in FILES.items():
    (HERE / name).write_bytes(content)
