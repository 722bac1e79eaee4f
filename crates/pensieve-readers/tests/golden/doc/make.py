#!/usr/bin/env python3
"""Makes the Word documents of this folder: small ones, byte by byte, after [MS-DOC] and [MS-CFB]. Standard library only.

usage: make.py   (writes beside itself)
"""
import os
import struct

FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(streams):
    """A compound file with these streams (name, bytes) in its root, none of them in the mini stream."""
    chains = [data.ljust(max(4096, -(-len(data) // 512) * 512), b"\0") for _, data in streams]

    def entry(name, kind, first, size, right, child):
        units = name.encode("utf-16-le")
        return (units.ljust(64, b"\0") + struct.pack("<HBBIII", len(units) + 2, kind, 1, FREE, right, child)
                + bytes(16 + 4 + 16) + struct.pack("<III", first, size, 0))

    sectors = -(-(len(streams) + 1) // 4)
    directory = entry("Root Entry", 5, END, 0, FREE, 1)
    first = 1 + sectors
    for at, ((name, data), chain) in enumerate(zip(streams, chains)):
        right = at + 2 if at + 1 < len(streams) else FREE
        directory += entry(name, 2, first, max(4096, len(data)), right, FREE)
        first += len(chain) // 512
    chains.insert(0, directory.ljust(sectors * 512, b"\0"))
    fat = [FAT]
    for chain in chains:
        count = len(chain) // 512
        fat += [len(fat) + at + 1 for at in range(count - 1)] + [END]
    assert len(fat) <= 128
    fat += [FREE] * (128 - len(fat))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    header += bytes(10) + struct.pack("<IIIIIIIII", 1, 1, 0, 4096, END, 0, END, 0, 0)
    return header.ljust(512, b"\xff") + struct.pack("<128I", *fat) + b"".join(chains)


def summary(title, author):
    """The stream of metadata, in Windows-1252."""
    values = [(1, struct.pack("<II", 2, 1252)), (2, string(title)), (4, string(author))]
    at = 8 + 8 * len(values)
    table, body = b"", b""
    for number, value in values:
        table += struct.pack("<II", number, at + len(body))
        body += value
    section = struct.pack("<II", at + len(body), len(values)) + table + body
    return struct.pack("<HHIIIII", 0xFFFE, 0, 0, 0, 0, 0, 0) + struct.pack("<I", 1) + bytes(16) + struct.pack("<I", 48) + section


def string(text):
    data = text.encode("cp1252") + b"\0"
    return struct.pack("<II", 30, len(data)) + data.ljust(-(-len(data) // 4) * 4, b"\0")


def wide(text):
    return struct.pack("<H", len(text)) + text.encode("utf-16-le")


def plc(positions, records):
    return struct.pack("<%dI" % len(positions), *positions) + b"".join(records)


def page(runs, record, base):
    """A page of runs (start, end, properties); `record` is the size of what leads to the properties."""
    head = struct.pack("<%dI" % (len(runs) + 1), *[base + r[0] for r in runs], base + runs[-1][1])
    leads, body = b"", bytearray(512)
    at = 510
    for _, _, properties in runs:
        if properties is None:
            leads += bytes(record)
            continue
        at = (at - len(properties)) & ~1
        body[at:at + len(properties)] = properties
        leads += bytes([at // 2]) + bytes(record - 1)
    body[:len(head) + len(leads)] = head + leads
    body[511] = len(runs)
    return bytes(body)


def look(*sprms):
    data = b"".join(sprms)
    return bytes([len(data)]) + data


def paragraph(style=0, *sprms):
    data = struct.pack("<H", style) + b"".join(sprms)
    data += b"\0" * (1 - len(data) % 2)
    return bytes([(len(data) + 1) // 2]) + data


def style(identity, name, base=0xFFF, look_sprms=b""):
    fixed = struct.pack("<HHHHH", identity, 1 | base << 4, 2, 0, 0)
    body = fixed + wide(name) + b"\0\0" + struct.pack("<HH", 2, 0) + struct.pack("<H", len(look_sprms)) + look_sprms
    body += b"\0" * (len(body) % 2)
    return struct.pack("<H", len(body)) + body


IN_TABLE, ROW_END = bytes.fromhex("162401"), bytes.fromhex("172401")
BOLD, ITALIC, HIDDEN, DELETED = (bytes.fromhex(h) for h in ("350801", "360801", "3c0801", "000801"))
SPECIAL = bytes.fromhex("550801")


def row(*edges):
    data = bytes([len(edges) - 1]) + struct.pack("<%dh" % len(edges), *edges) + bytes(20 * (len(edges) - 1))
    return struct.pack("<HH", 0xD608, len(data) + 1) + data


def listed(level):
    return struct.pack("<HB", 0x260A, level) + struct.pack("<Hh", 0x460B, 1)


def document(parts, notes, header, comment, pieces=True, encrypted=False):
    """`parts`: (text, look, paragraph); a part that ends a paragraph names its paragraph."""
    text = "".join(p[0] for p in parts)
    body, rest = len(text), [notes, header, comment]
    whole = text + "".join(rest)
    # The first two thirds are bytes, the rest is UTF-16: two pieces.
    cut = body * 2 // 3
    base = 0x800
    narrow = whole[:cut].encode("cp1252")
    wide_at = base + len(narrow)
    stream_text = narrow + whole[cut:].encode("utf-16-le")
    place = lambda at: at if at <= cut else cut + 2 * (at - cut)
    looks, paragraphs, at, begun = [], [], 0, 0
    for words, own, ends in parts + [(r, None, paragraph()) for r in rest]:
        looks.append((place(at), place(at + len(words)), own))
        at += len(words)
        if ends is not None:
            paragraphs.append((place(begun), place(at), ends))
            begun = at
    stream = bytearray(base) + stream_text
    stream = stream.ljust(-(-len(stream) // 512) * 512, b"\0")
    look_page, paragraph_page = len(stream) // 512, len(stream) // 512 + 1
    stream += page(looks, 1, base) + page(paragraphs, 13, base)
    tables = bytearray()
    places = {}

    def table(index, data):
        places[index] = (len(tables), len(data))
        tables.extend(data)

    sheet = struct.pack("<HHHHHHHHHH", 18, 3, 10, 1, 0, 0, 0, 0, 0, 0)
    sheet += style(0, "Normal") + style(1, "heading 1", 0, BOLD) + style(2, "heading 2", 0)
    table(1, sheet)
    table(2, plc([text.index("\x02"), body], [b"\1\0"]))
    table(3, plc([0, len(notes), len(notes)], []))
    table(4, plc([text.index("\x05"), body], [wide("BR").ljust(20, b"\0") + struct.pack("<HHHI", 0, 0, 0, FREE)]))
    table(5, plc([0, len(comment), len(comment)], []))
    table(11, plc([0] * 8 + [len(header)] * 5, []))
    table(12, plc([base, base + len(stream_text)], [struct.pack("<I", look_page)]))
    table(13, plc([base, base + len(stream_text)], [struct.pack("<I", paragraph_page)]))
    clx = plc([0, cut, len(whole)], [struct.pack("<HIH", 0, 0x40000000 | base * 2, 0), struct.pack("<HIH", 0, wide_at, 0)])
    if pieces:
        table(33, b"\2" + struct.pack("<I", len(clx)) + clx)
    table(36, wide("Bob Reviewer"))
    level = lambda text: (struct.pack("<IBB", 1, 0, 0) + bytes(9 + 1 + 8) + bytes(4) + wide(text))
    table(73, struct.pack("<H", 1) + struct.pack("<II", 7, 0) + bytes(18) + bytes([0, 0]))
    tables.extend(level("\0.") + level("\0.\1") + b"".join(level("") for _ in range(7)))
    table(74, struct.pack("<I", 1) + struct.pack("<I", 7) + bytes(12) + struct.pack("<I", FREE))
    flags = 0x1000 | 0x0200 | (0x0100 if encrypted else 0)
    fib = struct.pack("<HHHHHH", 0xA5EC, 0xC1, 0, 0x409, 0, flags).ljust(0x18, b"\0")
    fib += struct.pack("<II", base, base + len(stream_text))
    fib = fib.ljust(0x20, b"\0") + struct.pack("<H", 14) + bytes(28) + struct.pack("<H", 22)
    fib += struct.pack("<IIIIIIIII", len(stream), 0, 0, body, len(notes), len(header), 0, len(comment), 0)
    fib = fib.ljust(0x98, b"\0") + struct.pack("<H", 93)
    pairs = bytearray(93 * 8)
    for index, (start, length) in places.items():
        struct.pack_into("<II", pairs, 8 * index, start, length)
    stream[:len(fib) + len(pairs)] = fib + pairs
    return compound([("WordDocument", bytes(stream)), ("1Table", bytes(tables)),
                     ("\5SummaryInformation", summary("A Word document", "Ann Author"))])


PARTS = [
    ("Looks\r", None, paragraph(1)),
    ("Plain, ", None, None), ("bold", look(BOLD), None), (", ", None, None), ("italic", look(ITALIC), None),
    (", ", None, None), ("hidden", look(HIDDEN), None), ("gone", look(DELETED), None), ("café.", None, None),
    ("\x02", look(SPECIAL), None), (" A remark.\x05\r", None, paragraph()),
    ("Links\r", None, paragraph(2)),
    ('See \x13 HYPERLINK "http://example.org/" \x14the site\x15, page \x13 PAGEREF x \x147\x15.\x0bNext line.\r', None, paragraph()),
    ("first\r", None, paragraph(0, listed(0))), ("inner\r", None, paragraph(0, listed(1))), ("second\r", None, paragraph(0, listed(0))),
    ("Name\x07", None, paragraph(0, IN_TABLE)), ("Value\x07", None, paragraph(0, IN_TABLE)), ("\x07", None, paragraph(0, IN_TABLE, ROW_END, row(0, 2000, 4000))),
    ("a|b\x07", None, paragraph(0, IN_TABLE)), ("two\r", None, paragraph(0, IN_TABLE)), ("lines\x07", None, paragraph(0, IN_TABLE)),
    ("\x07", None, paragraph(0, IN_TABLE, ROW_END, row(0, 2000, 4000))),
    ("Привет, 日本 \U0001F600 non\x1ebreaking opti\x1fonal.\r", None, paragraph()),
]

NOTES = ("\x02 A footnote.\r", "The header\r\r", "\x05A comment.\r")

def main():
    here = os.path.dirname(os.path.abspath(__file__))
    files = {
        "all.doc": document(PARTS, *NOTES),
        "pieces.doc": document(PARTS, *NOTES, pieces=False),
        "cut.doc": document(PARTS, *NOTES)[:6656],
        "encrypted.doc": document(PARTS, *NOTES, encrypted=True),
    }
    for name, data in files.items():
        with open(os.path.join(here, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
