#!/usr/bin/env python3
"""Makes the workbooks of this folder; the standard library is all it needs, and the same bytes come out each time."""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def write(name, content):
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(content)


def compound(stream):
    """A compound file with one stream, `Workbook`, in sectors of 512 bytes."""
    stream = stream.ljust(4096, b"\0")
    stream = stream.ljust(-(-len(stream) // 512) * 512, b"\0")
    count = len(stream) // 512
    entry = lambda name, kind, child, start, size: (
        (name.encode("utf-16-le") + b"\0\0").ljust(64, b"\0") + struct.pack("<HBBIII", 2 * len(name) + 2, kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
        + bytes(36) + struct.pack("<IQ", start, size))
    directory = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry("Workbook", 2, 0xFFFFFFFF, 2, len(stream))
    fat = [0xFFFFFFFD, 0xFFFFFFFE] + [at + 3 for at in range(count - 1)] + [0xFFFFFFFE]
    assert len(fat) <= 128
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    header += struct.pack("<IIIIIIIII", 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0) + struct.pack("<108I", *[0xFFFFFFFF] * 108)
    return header + struct.pack("<128I", *fat + [0xFFFFFFFF] * (128 - len(fat))) + directory.ljust(512, b"\0") + stream


def record(kind, content=b""):
    return struct.pack("<HH", kind, len(content)) + content


def text8(words, length="<H"):
    try:
        return struct.pack(length, len(words)) + b"\0" + words.encode("latin-1")
    except UnicodeEncodeError:
        units = words.encode("utf-16-le")
        return struct.pack(length, len(units) // 2) + b"\1" + units


def cell(kind, row, column, style, content):
    return record(kind, struct.pack("<HHH", row, column, style) + content)


def rk(number, is_hundredth=False):
    return struct.pack("<I", (number << 2 | 2 | is_hundredth) & 0xFFFFFFFF)


def formula(row, column, style, result):
    return cell(0x06, row, column, style, result + bytes(6) + b"\0\0")


def book8(sheets, front, cut=0):
    """Records in front, then each sheet: (name, hidden, records)."""
    bof = lambda kind: record(0x809, struct.pack("<HHHHII", 0x600, kind, 0, 0, 0, 0))
    bodies = [bof(0x10) + b"".join(records) + record(0x0A) for _, _, records in sheets]
    names = [text8(name, "<B") for name, _, _ in sheets]
    at = len(bof(5)) + len(front) + sum(4 + 6 + len(name) for name in names) + 4
    head = bof(5) + front
    for (_, hidden, _), name, body in zip(sheets, names, bodies):
        head += record(0x85, struct.pack("<IBB", at, hidden, 0) + name)
        at += len(body)
    stream = head + record(0x0A) + b"".join(bodies)
    return compound(stream[:len(stream) - cut])


def styles8(*codes):
    formats = b"".join(record(0x41E, struct.pack("<H", 164 + at) + text8(code)) for at, code in enumerate(codes))
    return formats + b"".join(record(0xE0, struct.pack("<HH", 0, number) + bytes(16)) for number in [0, 14, 10] + [164 + at for at in range(len(codes))])


FRONT = record(0x42, struct.pack("<H", 1200)) + styles8("#,##0.00 [$€-407]", "[h]:mm")
# The second text is cut by the end of its record; the rest goes on in two bytes a character. The third has runs and a spoken form.
SHARED = record(0xFC, struct.pack("<II", 4, 4) + text8("Name") + struct.pack("<HB", 8, 0) + b"cut ") + record(
    0x3C, b"\1" + "東京go".encode("utf-16-le") + struct.pack("<HBHI", 4, 0x0C, 1, 6) + b"rich" + bytes(4) + b"spoken" + text8("Größe"))
NOTE = (record(0x5D, struct.pack("<HHHHH", 0x15, 0x12, 0x19, 7, 0) + bytes(12)) + record(0x1B6, struct.pack("<HHHHHHHI", 0, 0, 0, 0, 0, 10, 0, 0))
        + record(0x3C, b"\0Jo:\nlooks ") + record(0x3C, bytes(8)) + record(0x1C, struct.pack("<HHHH", 1, 0, 0, 7) + text8("Jo")))
BOX = record(0x5D, struct.pack("<HHHHH", 0x15, 0x12, 6, 8, 0) + bytes(12)) + record(0x1B6, struct.pack("<HHHHHHHI", 0, 0, 0, 0, 0, 8, 0, 0)) + record(0x3C, b"\0Text box")
CHART = record(0x809, struct.pack("<HHHHII", 0x600, 0x20, 0, 0, 0, 0)) + record(0x1025) + record(0x100D, b"\0\0" + text8("Chart title", "<B")) + cell(0x203, 0, 0, 0, struct.pack("<d", 99.0)) + record(0x0A)
FIRST = [
    cell(0xFD, 0, 0, 0, struct.pack("<I", 0)), cell(0xFD, 0, 1, 0, struct.pack("<I", 3)),
    cell(0xFD, 1, 0, 0, struct.pack("<I", 1)), cell(0x203, 1, 1, 3, struct.pack("<d", 1234.5)),
    cell(0xFD, 2, 0, 0, struct.pack("<I", 2)), cell(0x27E, 2, 1, 1, rk(45306)),
    cell(0x204, 3, 0, 0, text8("old text")), cell(0x27E, 3, 1, 2, rk(1250, True)),
    record(0xBD, struct.pack("<HH", 4, 0) + struct.pack("<H", 0) + rk(-7) + struct.pack("<H", 4) + rk(2) + struct.pack("<H", 1)),
    formula(5, 0, 0, b"\0\0\0\0\0\0\xff\xff") + record(0x207, text8("a formula's text")), formula(5, 1, 4, struct.pack("<d", 1.5)),
    formula(6, 0, 0, b"\1\0\1\0\0\0\xff\xff"), formula(6, 1, 0, b"\2\0\x2a\0\0\0\xff\xff"),
    cell(0x205, 7, 0, 0, b"\0\0"), cell(0x205, 7, 1, 0, b"\x07\1"),
    NOTE, BOX, CHART,
]
write("biff8.xls", book8([("Data", 0, FIRST), ("Geheim €", 2, [cell(0x204, 9, 9, 0, text8("hidden"))])], FRONT + SHARED))
write("damaged.xls", book8([("Cut", 0, FIRST[:5]), ("Gone", 0, [])], FRONT + SHARED, cut=40))

# Excel 5: texts in a code page, names of one byte length.
bof5 = lambda kind: record(0x809, struct.pack("<HHHH", 0x500, kind, 0, 0))
head5 = bof5(5) + record(0x42, struct.pack("<H", 1251)) + record(0x22, b"\1\0") + record(0x41E, struct.pack("<HB", 164, 10) + b"yyyy-mm-dd") + record(0xE0, struct.pack("<HH", 0, 164) + bytes(12))
name5 = "Лист".encode("cp1251")
at5 = len(head5) + 4 + 7 + len(name5) + 4
body5 = bof5(0x10) + cell(0x204, 0, 0, 0, struct.pack("<H", 6) + "Привет".encode("cp1251")) + cell(0x203, 0, 1, 0, struct.pack("<d", 0.0)) + record(0x1C, struct.pack("<HHH", 0, 0, 7) + b"ancient") + record(0x0A)
write("biff5.xls", compound(head5 + record(0x85, struct.pack("<IBB", at5, 0, 0) + bytes([len(name5)]) + name5) + record(0x0A) + body5))

# Excel 2: bare records, without a compound file.
old = lambda kind, row, column, content: record(kind, struct.pack("<HH", row, column) + b"\0\0\0" + content)
write("biff2.xls", record(0x09, struct.pack("<HH", 2, 0x10)) + old(0x04, 0, 0, b"\x04Year") + old(0x04, 0, 1, b"\x05Ducks")
      + old(0x02, 1, 0, struct.pack("<H", 1987)) + old(0x03, 1, 1, struct.pack("<d", 12.5)) + old(0x05, 2, 0, b"\1\0") + record(0x0A))

write("xml2003.xls", """<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Title>XML of 2003</Title><Author>Jo Doe</Author></DocumentProperties>
<Styles><Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="p"><NumberFormat ss:Format="0.0%"/></Style></Styles>
<Worksheet ss:Name="First"><Table>
<Row ss:Index="2"><Cell><Data ss:Type="String">Name</Data></Cell><Cell ss:Index="3"><Data ss:Type="String">Value</Data></Cell></Row>
<Row><Cell ss:MergeAcross="1"><Data ss:Type="String">a date</Data></Cell><Cell ss:StyleID="d"><Data ss:Type="DateTime">2024-01-15T00:00:00.000</Data></Cell></Row>
<Row><Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>rich</B> text</ss:Data></Cell><Cell ss:Index="3" ss:StyleID="p"><Data ss:Type="Number">0.125</Data><Comment ss:Author="Jo"><ss:Data>An eighth.</ss:Data></Comment></Cell></Row>
<Row><Cell><Data ss:Type="Boolean">1</Data></Cell><Cell ss:Index="3"><Data ss:Type="Error">#DIV/0!</Data></Cell></Row>
</Table></Worksheet>
<Worksheet ss:Name="Second"><Table/><WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet>
</Workbook>
""".encode())
write("page.xls", b"<html><body><table><tr><th>Name</th><th>Value</th></tr><tr><td>page</td><td>1</td></tr></table></body></html>\n")
