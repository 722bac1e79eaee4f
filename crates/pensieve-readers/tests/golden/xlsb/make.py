#!/usr/bin/env python3
"""Makes the binary workbooks of this folder; the standard library is all it needs, and the same bytes come out each time."""
import os
import struct
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def package(name, parts):
    with zipfile.ZipFile(os.path.join(HERE, name), "w") as archive:
        for part, content in parts:
            info = zipfile.ZipInfo(part, (2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def relations(*targets):
    rows = "".join(f'<Relationship Id="rId{at}" Type="{REL}/{kind}" Target="{target}"/>' for at, (kind, target) in enumerate(targets, 1))
    return f"<Relationships>{rows}</Relationships>"


def record(kind, content=b""):
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, sizes = len(content), b""
    while True:
        sizes += bytes([length & 0x7F | (0x80 if length > 0x7F else 0)])
        length >>= 7
        if not length:
            return head + sizes + content


def text(words):
    units = words.encode("utf-16-le")
    return struct.pack("<I", len(units) // 2) + units


def cell(kind, column, style, content=b""):
    return record(kind, struct.pack("<II", column, style) + content)


def row(number, *cells):
    return record(0, struct.pack("<I", number) + bytes(13)) + b"".join(cells)


CODES = ["#,##0.00", "yyyy-mm-dd"]
STYLES = (b"".join(record(44, struct.pack("<H", 164 + at) + text(code)) for at, code in enumerate(CODES)) + record(617, struct.pack("<I", 3))
          + b"".join(record(47, struct.pack("<HH", 0, number) + bytes(12)) for number in [0, 164, 165]) + record(618))
STRINGS = record(159, bytes(8)) + b"".join(record(19, b"\0" + text(words)) for words in ["Name", "Value", "東京 & more"]) + record(160)
BOOK = (record(131) + record(153, struct.pack("<I", 0) + bytes(8)) + record(143) + record(156, struct.pack("<II", 0, 1) + text("rId1") + text("Data"))
        + record(156, struct.pack("<II", 1, 2) + text("rId2") + text("Hidden")) + record(144) + record(132))
SHEET = record(129) + record(148, struct.pack("<IIII", 0, 5, 0, 1)) + record(145) + row(
    0, cell(7, 0, 0, struct.pack("<I", 0)), cell(7, 1, 0, struct.pack("<I", 1))) + row(
    1, cell(7, 0, 0, struct.pack("<I", 2)), cell(2, 1, 1, struct.pack("<I", 123450 << 2 | 3))) + row(
    2, cell(6, 0, 0, text("in the cell")), cell(5, 1, 2, struct.pack("<d", 45306.0))) + row(
    3, cell(8, 0, 0, text("of a formula") + bytes(10)), cell(9, 1, 0, struct.pack("<d", 0.5) + bytes(10))) + row(
    4, cell(4, 0, 0, b"\1"), cell(3, 1, 0, b"\x2a")) + row(
    5, cell(62, 0, 0, b"\1" + text("rich") + bytes(8)), cell(1, 1, 0)) + record(146) + record(130)
COMMENTS = (record(632, text("Jo")) + record(635, struct.pack("<IIIII", 0, 1, 1, 1, 1) + bytes(16)) + record(637, b"\0" + text("Jo:\nMore or less.")) + record(636))
PARTS = [
    ("_rels/.rels", relations(("officeDocument", "xl/workbook.bin"))),
    ("xl/workbook.bin", BOOK),
    ("xl/_rels/workbook.bin.rels", relations(("worksheet", "worksheets/sheet1.bin"), ("worksheet", "worksheets/sheet2.bin"), ("styles", "styles.bin"), ("sharedStrings", "sharedStrings.bin"))),
    ("xl/styles.bin", STYLES),
    ("xl/sharedStrings.bin", STRINGS),
]
package("book.xlsb", PARTS + [
    ("xl/worksheets/sheet1.bin", SHEET),
    ("xl/worksheets/_rels/sheet1.bin.rels", relations(("comments", "../comments1.bin"))),
    ("xl/comments1.bin", COMMENTS),
    ("xl/worksheets/sheet2.bin", record(129) + record(145) + row(9, cell(6, 9, 0, text("hidden"))) + record(146) + record(130)),
])
package("damaged.xlsb", PARTS + [("xl/worksheets/sheet1.bin", SHEET[:150])])
