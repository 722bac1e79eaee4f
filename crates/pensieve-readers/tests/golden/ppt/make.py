#!/usr/bin/env python3
"""Makes the presentations of this folder: small ones, byte by byte, after [MS-PPT] and [MS-CFB]. Standard library only.

usage: make.py   (writes beside itself)
"""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def atom(kind, data, instance=0):
    return struct.pack("<HHI", instance << 4, kind, len(data)) + data


def container(kind, *inner, instance=0):
    data = b"".join(inner)
    return struct.pack("<HHI", instance << 4 | 15, kind, len(data)) + data


def chars(text):
    return atom(0x0FA0, text.encode("utf-16-le"))


def text_box(kind, text, *more):
    own = atom(0x0FA8, text.encode("latin-1")) if text.isascii() else chars(text)
    return container(0xF00D, atom(0x0F9F, struct.pack("<I", kind)), own, *more)


def styles(levels, length):
    """Levels of paragraphs of (length, level), then one run of plain characters."""
    data = b"".join(struct.pack("<IHI", count, level, 0) for count, level in levels)
    return atom(0x0FA1, data + struct.pack("<II", length, 0))


def shape(*inner):
    return container(0xF004, atom(0xF00A, bytes(8)), *inner)


def cell(left, top, right, bottom, text):
    return shape(atom(0xF00F, struct.pack("<iiii", left, top, right, bottom)), text_box(4, text))


def slide(number_of_notes, shapes, *more):
    body = struct.pack("<I8sIIHH", 0, bytes(8), 0, number_of_notes, 0, 0)
    drawing = container(0x040C, container(0xF002, container(0xF003, shape(), *shapes)))
    return container(0x03EE, atom(0x03EF, body, 2), drawing, *more)


def notes(*shapes):
    drawing = container(0x040C, container(0xF002, container(0xF003, shape(), *shapes)))
    return container(0x03F0, atom(0x03F1, bytes(8), 1), drawing)


def string(instance, text):
    return atom(0x0FBA, text.encode("utf-16-le"), instance)


def listed(reference, number, *outline):
    return atom(0x03F3, struct.pack("<IIIII", reference, 0, 0, number, 0)) + b"".join(outline)


def presentation(encrypted=False, directory=True):
    points = "One point\rInner \u2013 point\rA link"
    link = (container(0x0FF2, atom(0x0FF3, struct.pack("<II8s", 0, 1, bytes(8))))
            + atom(0x0FDF, struct.pack("<II", len(points) - 4, len(points))))
    outline = atom(0x0F9F, struct.pack("<I", 0)) + atom(0x0FA8, b"The title from the outline")
    table = container(
        0xF003, shape(atom(0xF122, struct.pack("<HI", 0x039F, 1), 1)),
        cell(0, 0, 200, 50, "Over both"), cell(0, 50, 100, 100, "a"), cell(100, 50, 200, 100, "b|c"))
    comment = container(0x1388, container(0x138A, string(0, "___PPT10"), atom(
        0x138B, container(0x2EE0, string(0, "Bob Reviewer"), string(1, "Why?"), string(2, "BR")))))
    numbered = text_box(4, "Page *", atom(0x0FD8, struct.pack("<I", 5)))
    one = slide(257, [
        shape(text_box(1, points, styles([(10, 0), (14, 1), (7, 0)], len(points) + 1), link)),
        shape(container(0xF00D, atom(0x0F9E, struct.pack("<I", 0)))),
        container(0xF003, shape(), shape(text_box(4, "Inside a group")), container(0xF003, shape(), shape(text_box(4, "and deeper")))),
        shape(numbered)], container(0x0FD9, atom(0x0FDA, bytes(4)), string(2, "The footer"), instance=3), comment)
    two = slide(0, [shape(text_box(6, "Tables")), table])
    old = slide(0, [shape(text_box(4, "A slide that was deleted"))])
    said = notes(shape(text_box(2, "What is said.\rTwice.")))
    links = container(0x0409, atom(0x040A, bytes(4)), container(
        0x0FD7, atom(0x0FD3, struct.pack("<I", 1)), string(0, "friend"), string(1, "http://example.org/")))
    document = container(
        0x03E8, atom(0x03E9, bytes(40), 1), links,
        container(0x0FF0, listed(2, 256, outline), listed(3, 258), instance=0),
        container(0x0FF0, listed(4, 257), instance=2))
    stream, places = b"", []
    for record in [document, one, two, said]:
        places.append(len(stream))
        stream += record
    stream += old
    table_at = len(stream)
    stream += atom(0x1772, struct.pack("<I", 4 << 20 | 1) + struct.pack("<4I", *places))
    edit_at = len(stream)
    stream += atom(0x0FF5, struct.pack("<IIIIIIHH", 256, 0, 0, table_at if directory else 0, 1 if directory else 99, 5, 1, 0))
    token = 0xF3D1C4DF if encrypted else 0xE391C05F
    current = atom(0x0FF6, struct.pack("<III", 20, token, edit_at) + bytes(12))
    return stream, current


def main():
    with open(os.path.join(HERE, "..", "doc", "make.py"), encoding="utf-8") as file:
        maker = {"__name__": "doc"}
        exec(compile(file.read(), "make.py", "exec"), maker)

    def packed(stream, current):
        meta = maker["summary"]("A presentation", "Ann Author")
        return maker["compound"]([("PowerPoint Document", stream), ("Current User", current), ("\5SummaryInformation", meta)])

    files = {
        "all.ppt": packed(*presentation()),
        "directory.ppt": packed(*presentation(directory=False)),
        "cut.ppt": packed(presentation()[0][:1400], presentation()[1]),
        "encrypted.ppt": packed(*presentation(encrypted=True)),
        "old.ppt": maker["compound"]([("PowerPoint Document", bytes(64)), ("Text_Content", b"A title\r\rOf PowerPoint 95\r")]),
    }
    for name, data in files.items():
        with open(os.path.join(HERE, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
