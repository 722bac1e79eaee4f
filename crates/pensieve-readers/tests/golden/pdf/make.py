#!/usr/bin/env python3
"""Makes the PDF files of this folder. Standard library only; the same bytes on every machine."""
import hashlib
import pathlib
import zlib

HERE = pathlib.Path(__file__).parent
HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
BOLD = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"


def stream(data, extra=b""):
    """A stream, deflated as most are."""
    packed = zlib.compress(data, 9)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), extra, packed)


def write(name, objects, trailer=b""):
    """A file of numbered objects, of which 1 is the catalog."""
    out, offsets = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        out += b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    (HERE / name).write_bytes(out)
    return out


def pages(*contents, fonts=None, page=b"", catalog=b""):
    """Catalog, pages and their content; fonts are objects 90 and on."""
    fonts = fonts or {b"F": HELVETICA, b"B": BOLD}
    names = b" ".join(b"/%s %d 0 R" % (name, 90 + at) for at, name in enumerate(fonts))
    kids = b" ".join(b"%d 0 R" % (10 + 2 * at) for at in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        2: b"<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 400 500] >>" % (kids, len(contents)),
    }
    for at, content in enumerate(contents):
        objects[10 + 2 * at] = (
            b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << %s >> >> %s >>"
            % (11 + 2 * at, names, page)
        )
        objects[11 + 2 * at] = stream(content)
    objects.update({90 + at: body for at, body in enumerate(fonts.values())})
    return objects


def line(x, y, text, font=b"F", size=10):
    return b"BT /%s %d Tf %d %d Td (%s) Tj ET\n" % (font, size, x, y, text)


LEFT = [b"The first column has lines of text", b"that end with a hyphen like ex-", b"ample and go on below it.",
        b"Its last line is the fourth one."]
RIGHT = [b"The second column is read after", b"the first although its lines are", b"drawn between those of the other",
         b"one, at the very same heights."]


def columns():
    """A heading over two columns, drawn line by line across both; a table below whose rows stay rows."""
    content = line(40, 460, b"A heading over both columns of the page", b"B", 14)
    for at, (left, right) in enumerate(zip(LEFT, RIGHT)):
        content += line(40, 430 - 12 * at, left) + line(220, 430 - 12 * at, right)
    for at, row in enumerate([(b"Name", b"Size", b"Price"), (b"Apple", b"small", b"1.20"), (b"Melon", b"large", b"3.50")]):
        for x, cell in zip((40, 160, 280), row):
            content += line(x, 340 - 14 * at, cell)
    content += line(-300, 300, b"outside of the page")
    # Drawn twice to look bold, and a word cut by kerning.
    content += line(40, 280, b"Twice") + line(40, 280, b"Twice")
    content += b"BT /F 10 Tf 40 260 Td [(K) 80 (erned w) -20 (ords) -330 (apart)] TJ ET\n"
    write("columns.pdf", pages(content))


# Widths of Helvetica in thousandths of its size; capitals and digits differ little enough.
WIDTHS = dict(zip("abcdefghijklmnopqrstuvwxyz", (556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
                                                 556, 333, 500, 278, 556, 500, 722, 500, 500, 500)), **{" ": 278, ".": 278, ",": 278})


def width(text, size):
    """How wide a text is."""
    return sum(WIDTHS.get(c, 667 if c.isupper() else 556) for c in text) * size / 1000


# Words that may be parted at the end of a line.
PARTED = {"containers": "contain", "remembers": "remem", "although": "al"}


def wrapped(text, measure, size):
    """Lines that are no wider than the measure."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, size) <= measure:
            lines[-1] = longer
        elif word in PARTED and width(f"{lines[-1]} {PARTED[word]}-", size) <= measure:
            lines[-1] += f" {PARTED[word]}-"
            lines.append(word.removeprefix(PARTED[word]))
        else:
            lines.append(word)
    return lines


SUBJECTS = ("the careful reader", "a patient gardener", "every old workshop", "the river below", "some quiet teacher", "a second witness")
VERBS = ("compares", "remembers", "prepares", "describes", "measures", "collects")
OBJECTS = ("the tools on the bench", "several answers of the others", "a row of small containers", "the weather of the season",
           "what was written before", "the wooden boards and nails")
ENDS = ("without any hurry", "as long as the light lasts", "before the others arrive", "in the order of their age",
        "although nobody asked for it")


class Prose:
    """Sentences of running prose, each with its number, so that whoever reads them can tell that none is lost or moved."""

    def __init__(self):
        self.count = 0

    def paragraph(self, sentences):
        """A paragraph of so many."""
        told = []
        for _ in range(sentences):
            n = self.count = self.count + 1
            told.append(f"In case {n} {SUBJECTS[n % 6]} {VERBS[n * 5 % 6]} {OBJECTS[n * 7 % 6]} {ENDS[n % 5]}.")
        return " ".join(told)


class Sheets:
    """Six pages of two columns, filled from the top of the first to the foot of the last."""

    LEFT, MEASURE, TOP, FOOT = (30, 210), 160, 440, 75

    def __init__(self):
        self.columns, self.y = [[]], self.TOP

    def take(self, height):
        """The line at which something of this height begins."""
        if self.y - height < self.FOOT:
            self.columns.append([])
            self.y = self.TOP
        self.y -= height
        return self.y + height

    def x(self):
        return self.LEFT[(len(self.columns) - 1) % 2]

    def draw(self, content):
        self.columns[-1].append(content)

    def head(self, text):
        self.take(24)
        self.draw(line(self.x(), self.y + 4, text.encode(), b"B", 12))

    def paragraph(self, text):
        lines = wrapped(text, self.MEASURE - 1, 9)
        for at, row in enumerate(lines):
            self.take(11)
            # Full lines are set to the edges of the column, as books do.
            gaps, free = row.count(" "), self.MEASURE - width(row, 9)
            space = 0 if at + 1 == len(lines) or not gaps else free / gaps
            self.draw(b"%.3f Tw " % space + line(self.x(), self.y, row.encode(), size=9) + b"0 Tw\n")
        self.y -= 7

    def figure(self, caption):
        lines = wrapped(caption, self.MEASURE, 7)
        top = self.take(60 + 9 * len(lines) + 14)
        self.draw(b"q 0.8 g %d %d 160 52 re f Q\nq 160 0 0 52 %d %d cm /I Do Q\n" % (self.x(), top - 56, self.x(), top - 56))
        for at, row in enumerate(lines):
            self.draw(line(self.x(), top - 66 - 9 * at, row.encode(), size=7))

    def box(self, title, text):
        lines = wrapped(text, self.MEASURE - 16, 8)
        height = 28 + 10 * len(lines)
        top = self.take(height + 12)
        self.draw(b"q 0.9 g %d %d 160 %d re f Q\n" % (self.x(), top - height, height))
        self.draw(line(self.x() + 8, top - 14, title.encode(), b"B", 8))
        for at, row in enumerate(lines):
            self.draw(line(self.x() + 8, top - 26 - 10 * at, row.encode(), size=8))

    def note(self, text):
        self.draw(b"q %d 66 50 0.4 re f Q\n" % self.x())
        for at, row in enumerate(wrapped(text, self.MEASURE, 6)):
            self.draw(line(self.x(), 56 - 8 * at, row.encode(), size=6))


def textbook():
    """Two columns over six pages: headings, paragraphs that go on in the next column, a figure, a box, a note, and what is
    repeated on every page. The columns are drawn line by line in turns; only AUX says `beside`."""
    prose, sheets = Prose(), Sheets()
    sheets.head("2.1 Tools and Habits")
    sheets.paragraph(prose.paragraph(5))
    sheets.paragraph(prose.paragraph(4))
    sheets.figure("Figure 2.1 A bench that stands beside the window of the shed.")
    sheets.paragraph(prose.paragraph(6))
    sheets.paragraph(prose.paragraph(9))
    sheets.note("1 A remark beside the text, at its foot.")
    sheets.paragraph(prose.paragraph(7))
    sheets.head("2.2 Weather and Wood")
    sheets.paragraph(prose.paragraph(8))
    sheets.box("Keywords", "bench: what stands beside the wall. shed: a small house beside the large one.")
    sheets.paragraph(prose.paragraph(9))
    sheets.paragraph(prose.paragraph(8))
    sheets.head("2.3 What Others Say")
    while len(sheets.columns) < 12:
        sheets.paragraph(prose.paragraph(7))
    assert len(sheets.columns) == 12
    contents = []
    for page in range(6):
        content = line(30, 475, b"Chapter 2 The Workshop", size=7) + line(195, 25, b"%d" % (page + 31), size=7)
        left, right = sheets.columns[2 * page], sheets.columns[2 * page + 1]
        for at in range(max(len(left), len(right))):
            content += b"".join(right[at:at + 1] + left[at:at + 1])
        contents.append(content)
    objects = pages(*contents)
    objects[80] = stream(b"\x80", b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 1 /ColorSpace /DeviceGray")
    for at in range(6):
        objects[10 + 2 * at] = objects[10 + 2 * at].replace(b"/Resources <<", b"/Resources << /XObject << /I 80 0 R >>")
    write("textbook.pdf", objects)


def structure():
    """Two pages with bookmarks, labels, a form field, a note that is not shown, information and XMP; one is turned."""
    catalog = (
        b"/Outlines 3 0 R /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 7 /P (A-) >>] >> /Lang (en-GB) /Metadata 7 0 R"
    )
    objects = pages(line(40, 460, b"First page"), line(40, 460, b"Second page"), catalog=catalog)
    objects[12] = objects[12].replace(b"/Type /Page ", b"/Type /Page /Rotate 90 ")
    objects[10] = objects[10].replace(b"/Type /Page ", b"/Type /Page /Annots [20 0 R 21 0 R 22 0 R] ")
    objects[3] = b"<< /First 4 0 R /Last 5 0 R >>"
    objects[4] = b"<< /Title (Start) /Parent 3 0 R /Next 5 0 R /Dest [10 0 R /Fit] /First 6 0 R >>"
    objects[5] = b"<< /Title <FEFF005A00FC0072006900630068> /Parent 3 0 R /A << /S /GoTo /D [12 0 R /Fit] >> >>"
    objects[6] = b"<< /Title (Below) /Parent 4 0 R >>"
    objects[7] = stream(
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description><dc:creator><rdf:Seq><rdf:li>Ann Author</rdf:li>'
        b"<rdf:li>Ben Writer</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    objects[8] = b"<< /Title (A title) /Author (Ann Author, Ben Writer) /CreationDate (D:20240229123000+01'00') >>"
    objects[20] = b"<< /Subtype /Widget /FT /Tx /V (Typed value) /Rect [40 400 200 420] >>"
    objects[21] = b"<< /Subtype /Text /Contents (A note behind an icon) /Rect [300 400 320 420] >>"
    objects[22] = b"<< /Subtype /FreeText /F 2 /Contents (Hidden) /Rect [40 300 200 320] >>"
    write("structure.pdf", objects, b"/Info 8 0 R")


def fonts():
    """Ways in which characters are known: ToUnicode, names in Differences, a Unicode CMap, drawn glyphs; and one not at all."""
    to_unicode = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        b"2 beginbfrange <0001> <0004> <0410> <0010> <0010> [<00660069>] endbfrange endcmap"
    )
    cid = b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (%s) /Supplement 0 >> /DW %d >>"
    faces = {
        b"U": b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Any-BoldItalic /Encoding /Identity-H /DescendantFonts [80 0 R] /ToUnicode 81 0 R >>",
        b"D": b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /f_i /Euro /G41 /nonsense] >> >>",
        b"J": b"<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin /Encoding /90ms-RKSJ-H /DescendantFonts [82 0 R] >>",
        b"V": b"<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin /Encoding /UniJIS-UTF16-V /DescendantFonts [82 0 R] >>",
        b"T": b"<< /Type /Font /Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FontBBox [0 0 60 80] /FirstChar 97 /LastChar 98"
        b" /Widths [60 60] /Encoding << /Differences [97 /a /b] >> /CharProcs << /a 83 0 R /b 83 0 R >> >>",
        b"F": HELVETICA,
    }
    content = b"BT /U 10 Tf 40 460 Td <00010002000300040010> Tj ET\n"
    content += b"BT /D 10 Tf 40 440 Td <0102034142> Tj ET\n"
    content += b"BT /J 10 Tf 40 420 Td <93FA967B8CEA> Tj ET\n"
    content += b"BT /T 10 Tf 40 400 Td (ab) Tj 20 0 Td (ba) Tj ET\n"
    content += b"BT /V 10 Tf 360 460 Td <7E2666F8> Tj ET\n"
    # Hebrew, as it stands from left to right.
    content += b"/Span << /ActualText <FEFF05E905DC05D505DD> >> BDC BT /F 10 Tf 40 380 Td (xxxx) Tj ET EMC\n"
    content += b"BT /D 10 Tf 3 Tr 40 360 Td (Invisible text counts) Tj ET\n"
    content += b"BT /D 10 Tf 0 Tr 40 340 Td <0404> Tj ET\n"
    objects = pages(content, fonts=faces)
    objects[80] = cid % (b"Identity", 600)
    objects[81] = stream(to_unicode)
    objects[82] = cid % (b"Japan1", 1000)
    objects[83] = stream(b"60 0 0 0 60 80 d1 0 0 60 80 re f")
    write("fonts.pdf", objects)


def bitmaps():
    """TeX's bitmap fonts, whose glyphs are named by their codes: text in OT1, T1 and T2A, and a font of formulas. Spaces are
    gaps, as TeX has no character for them."""
    lines = [
        (b"O", "%d", b"The o\x0ece keeps \x0cve \x0dags { \\and one \x0b|\"", {}),
        (b"C", "%d", b"Le \x10caf\xe9\x11 e\x1bace les \x1cgures, \x15 na\xefvement", {}),
        # Names to the base of 36, as dvips had them.
        (b"R", "36", bytes(range(0xC0, 0xD0)) + b" \xbe\xef\xf0\xe8\xec\xe5\xf0\xbf \xe5\xbc", {}),
        (b"M", "%d", b"x \x14 y \x15 \x0b", {0x14: 777.8, 0x15: 583.3, 0x0B: 639.7}),
    ]
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    to_36 = lambda code: (digits[(360 + code) // 36] + digits[(360 + code) % 36]).encode()
    content, faces = b"", {}
    for at, (name, form, text, widths) in enumerate(lines):
        codes = sorted(set(text) - {32})
        named = {code: b"a%d" % code if form == "%d" else to_36(code) for code in codes}
        faces[name] = (
            b"<< /Type /Font /Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FontBBox [0 -20 60 80] /FirstChar 0 /LastChar 255"
            b" /Widths [%s] /Encoding << /Differences [%s] >> /CharProcs << %s >> >>"
            % (
                b" ".join(b"%g" % (widths.get(code, 555.6) / 10) for code in range(256)),
                b" ".join(b"%d /%s" % pair for pair in named.items()),
                b" ".join(b"/%s 83 0 R" % glyph for glyph in named.values()),
            )
        )
        words = b" -333 ".join(b"<%s>" % word.hex().encode() for word in text.split(b" "))
        content += b"BT /%s 10 Tf 40 %d Td [%s] TJ ET\n" % (name, 460 - 30 * at, words)
    objects = pages(content, fonts=faces)
    objects[83] = stream(b"55 0 0 0 55 70 d1 5 0 45 70 re f")
    write("bitmaps.pdf", objects)


def damaged():
    """Cut in the middle of the cross-reference table, with a page whose stream is no deflate and one that is whole."""
    objects = pages(line(40, 460, b"This page can still be read."), b"")
    objects[13] = b"<< /Length 9 /Filter /ASCII85Decode >>\nstream\n\x00vz{|}~~~\nendstream"
    whole = write("damaged.pdf", objects)
    (HERE / "damaged.pdf").write_bytes(b"From: a mail header\r\n\r\n" + whole[: whole.index(b"xref\n0") + 40])


def scan():
    """Pages that are pictures."""
    objects = pages(b"q 400 0 0 500 0 0 cm /I Do Q")
    objects[30] = stream(b"\x80", b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 1 /ColorSpace /DeviceGray")
    objects[10] = objects[10].replace(b"/Resources <<", b"/Resources << /XObject << /I 30 0 R >>")
    write("scan.pdf", objects)


def lzw(data):
    """LZW with the early change of code widths that PDF uses."""
    table = {bytes([byte]): byte for byte in range(256)}
    bits, width, word = format(256, "09b"), 9, b""
    for byte in data:
        longer = word + bytes([byte])
        if longer in table:
            word = longer
            continue
        bits += format(table[word], f"0{width}b")
        table[longer] = len(table) + 2
        width = 9 + (len(table) + 2 > 511) + (len(table) + 2 > 1023)
        word = bytes([byte])
    bits += format(table[word], f"0{width}b") + format(257, f"0{width}b")
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))


def ascii85(data):
    """Five characters for four bytes, `z` for four zeros."""
    out = b""
    for at in range(0, len(data), 4):
        group = data[at : at + 4]
        number = int.from_bytes(group + bytes(4 - len(group)), "big")
        digits = bytes(33 + number // 85**place % 85 for place in (4, 3, 2, 1, 0))
        out += b"z" if len(group) == 4 and number == 0 else digits[: len(group) + 1]
    return out + b"~>"


def filtered(name, data):
    return b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(data), name, data)


def operators():
    """Every operator that moves, spaces, raises or hides text, in forms and annotations too; streams in all filters;
    outline entries with every kind of destination; a page that is turned."""
    text = b"BT /F 10 Tf 14 TL 40 460 Td (First line) Tj T* (second line) Tj (third line) ' 2 1 (fourth line) \" ET\n"
    text += b"BT /F 10 Tf 0 Tc 0 Tw 40 390 Td (Water is H) Tj -3 Ts /F 7 Tf (2) Tj 0 Ts /F 10 Tf (O and x) Tj 4 Ts /F 7 Tf (3) Tj ET\n"
    text += b"BT /F 10 Tf 40 370 Td 4 Tc (spaced) Tj 0 Tc 50 Tz ( narrow) Tj 100 Tz 12 Tw ( wide words here) Tj ET\n"
    text += b"BT /F 10 Tf 1 0 0 1 40 350 Tm (placed) Tj 1 0 0 1 100 350 Tm (again) Tj 0 -14 TD (below) Tj T* (and below) Tj ET\n"
    text += b"BT /F 10 Tf 3 Tr 40 300 Td (invisible) Tj 0 Tr ET BT 1 g /F 10 Tf 40 286 Td (white) Tj 0 g ET\n"
    text += b"q 2 0 0 2 0 0 cm BT /F 10 Tf 20 130 Td (twice as large) Tj ET Q\n"
    text += b"q 0 1 -1 0 380 100 cm BT /F 10 Tf 0 0 Td (turned upwards) Tj ET Q\n"
    text += b"/Span << /ActualText (fish) >> BDC BT /F 10 Tf 40 240 Td (\\256sh) Tj ET EMC\n"
    text += b"q 1 0 0 1 40 200 cm /X Do Q BT /F 10 Tf 40 180 Td <48657861> Tj (\\101\\102\\\\\\(\\)) Tj ET\n"
    packed = zlib.compress(line(40, 160, b"From a stream in ASCII."), 9)
    objects = pages(text, b"", b"", line(60, 300, b"A page on its side"), line(40, 460, b"Last page"))
    objects[13] = filtered(b"/LZWDecode", lzw(line(40, 460, b"Words of an older filter: ") + b"".join(line(40, 440 - 12 * at, b"lamp number %d of the quay" % (at * at)) for at in range(24))))
    objects[15] = filtered(b"[/ASCII85Decode /FlateDecode]", ascii85(packed))
    objects[16] = objects[16].replace(b"/Page ", b"/Page /Rotate 90 ")
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Matrix [1 0 0 1 10 0] /Resources << /Font << /F 90 0 R >> >>"
    objects[40] = stream(b"BT /F 10 Tf 0 5 Td (in a form) Tj ET", form)
    objects[10] = objects[10].replace(b"/Resources <<", b"/Resources << /XObject << /X 40 0 R >>").replace(
        b"/Page ", b"/Page /Annots [41 0 R 42 0 R 43 0 R 44 0 R 45 0 R 46 0 R] ")
    box = b"/Type /Annot /Rect [40 %d 240 %d]"
    objects[41] = (box % (120, 140)) + b" /Subtype /Stamp /AP << /N 47 0 R >>"
    objects[42] = (box % (100, 115)) + b" /Subtype /FreeText /Contents (Words of a box)"
    objects[43] = (box % (85, 98)) + b" /Subtype /Widget /FT /Tx /T (name) /V (Rosa Quill)"
    objects[44] = (box % (70, 83)) + b" /Subtype /Widget /FT /Ch /T (quays) /V [(North) (South)]"
    objects[45] = (box % (55, 68)) + b" /Subtype /Widget /FT /Tx /Ff 8192 /T (word) /V (secret)"
    objects[46] = (box % (40, 53)) + b" /Subtype /Widget /Parent 48 0 R"
    for number in range(41, 47):
        objects[number] = b"<< %s >>" % objects[number]
    objects[47] = stream(b"BT /F 5 Tf 0 2 Td (stretched) Tj ET", form.replace(b"200 20", b"100 10").replace(b"1 0 0 1 10 0", b"1 0 0 1 0 0"))
    objects[48] = b"<< /FT /Tx /T (long) /V 49 0 R >>"
    objects[49] = stream(b"A value in a stream")
    entries = [
        b"/Title (By array) /Dest [10 0 R /Fit]",
        b"/Title (By name) /Dest /older",
        b"/Title (By string) /Dest (newer)",
        b"/Title (By action) /A << /S /GoTo /D [16 0 R /Fit] >>",
        b"/Title (Elsewhere) /A << /S /URI /URI (http://example.org) >>",
        b"/Title (By dictionary) /Dest (wrapped)",
    ]
    for at, entry in enumerate(entries):
        chain = b"/Next %d 0 R" % (62 + at) if at + 1 < len(entries) else b""
        objects[61 + at] = b"<< /Parent 60 0 R %s %s >>" % (entry, chain)
    objects[60] = b"<< /Type /Outlines /First 61 0 R /Last 66 0 R >>"
    names = b"/Names << /Dests << /Names [(newer) [14 0 R /Fit] (wrapped) << /D [18 0 R /Fit] >>] >> >>"
    labels = b"/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /St 7 /P (A-) >>] >>"
    objects[1] = objects[1].replace(b"/Catalog", b"/Catalog /Outlines 60 0 R /Dests << /older [12 0 R /Fit] >> %s %s" % (names, labels))
    write("operators.pdf", objects)


PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key, data):
    """RC4, which the older encryption of PDF uses."""
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def encrypted(name, password):
    """The standard security handler with keys of 40 bits (ISO 32000-2, 7.6.4, revision 2)."""
    user, permissions, identity = (password + PADDING)[:32], -4, b"0123456789abcdef"
    owner = rc4(hashlib.md5(user).digest()[:5], user)
    key = hashlib.md5(user + owner + permissions.to_bytes(4, "little", signed=True) + identity).digest()[:5]
    objects = pages(b"")
    content = line(40, 460, b"Once it is opened, it can be read.")
    own = hashlib.md5(key + (11).to_bytes(3, "little") + b"\0\0").digest()[:10]
    objects[11] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), rc4(own, content))
    objects[40] = b"<< /Filter /Standard /V 1 /R 2 /P %d /O <%s> /U <%s> >>" % (
        permissions, owner.hex().encode(), rc4(key, PADDING).hex().encode())
    write(name, objects, b"/Encrypt 40 0 R /ID [<%s> <%s>]" % (identity.hex().encode(), identity.hex().encode()))


if __name__ == "__main__":
    columns()
    textbook()
    structure()
    fonts()
    bitmaps()
    damaged()
    operators()
    scan()
    encrypted("encrypted.pdf", b"")
    (HERE / "locked").mkdir(exist_ok=True)
    encrypted("locked/locked.pdf", b"geheim")
