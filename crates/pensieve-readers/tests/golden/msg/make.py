#!/usr/bin/env python3
"""Writes the Outlook items of this folder. Python's standard library alone; the same bytes every time.

A storage is a dict of names to bytes (streams) or dicts (storages); `compound` writes it as [MS-CFB] has it.
"""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(root):
    rows, small = [], bytearray()
    big = []  # (row, bytes)
    mini_fat = []

    def add(name, node):
        row = {"name": name, "left": FREE, "right": FREE, "child": FREE, "first": END, "size": 0}
        rows.append(row)
        at = len(rows) - 1
        if isinstance(node, dict):
            row["kind"] = 1
            before = None
            for key in sorted(node, key=lambda key: (len(key), key.upper())):
                child = add(key, node[key])
                if before is None:
                    row["child"] = child
                else:
                    rows[before]["right"] = child
                before = child
        else:
            row["kind"], row["size"] = 2, len(node)
            if len(node) >= 4096:
                big.append((row, node))
            elif node:
                row["first"] = len(mini_fat)
                count = -(-len(node) // 64)
                mini_fat.extend([row["first"] + i + 1 for i in range(count - 1)] + [END])
                small.extend(node.ljust(count * 64, b"\0"))
        return at

    add("Root Entry", root)
    rows[0]["kind"] = 5
    fat, sectors = [TABLE], [b""]

    def put(data):
        first = len(fat)
        count = -(-len(data) // 512)
        if not count:
            return END
        fat.extend([first + i + 1 for i in range(count - 1)] + [END])
        sectors.extend(data[i * 512:(i + 1) * 512].ljust(512, b"\0") for i in range(count))
        return first

    for row, data in big:
        row["first"] = put(data)
    rows[0]["first"], rows[0]["size"] = put(bytes(small)), len(small)
    mini = put(struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(-(-len(mini_fat) * 4 // 512) * 512, b"\xff"))
    directory = b""
    for row in rows:
        name = (row["name"] + "\0").encode("utf-16-le")
        directory += struct.pack("<64sHBBIII", name, len(name), row["kind"], 1, row["left"], row["right"], row["child"])
        directory += bytes(36) + struct.pack("<IQ", row["first"], row["size"])
    directory = put(directory.ljust(-(-len(directory) // 512) * 512, b"\0"))
    assert len(fat) <= 128
    sectors[0] = struct.pack("<128I", *(fat + [FREE] * (128 - len(fat))))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIIII", 0, 1, directory, 0, 4096, mini, 1 if mini_fat else 0, END, 0, 0)
    return head + struct.pack("<108I", *[FREE] * 108) + b"".join(sectors)


def item(header, fixed=(), texts=(), binaries=(), unicode=True, **storages):
    """Properties of one storage: fixed as (id, type, eight bytes), texts and binaries by id."""
    kind = 0x1F if unicode else 0x1E
    rows = b"".join(struct.pack("<HHI8s", t, i, 6, v) for i, t, v in fixed)
    node = {}
    for i, text in dict(texts).items():
        data = text.encode("utf-16-le" if unicode else "cp1251")
        node[f"__substg1.0_{i:04X}{kind:04X}"] = data
        rows += struct.pack("<HHIII", kind, i, 6, len(data), 0)
    for i, data in dict(binaries).items():
        node[f"__substg1.0_{i:04X}0102"] = data
        rows += struct.pack("<HHIII", 0x102, i, 6, len(data), 0)
    counts = [sum(name.startswith(start) for name in storages) for start in ("__recip", "__attach")]
    head = bytes(16) + struct.pack("<II", *counts) + bytes(8)
    node["__properties_version1.0"] = (head[:header] if header > 8 else bytes(header)) + rows
    node.update(storages)
    return node


def number(i, value):
    return (i, 3, struct.pack("<q", value))


def time(i, seconds):
    return (i, 0x40, struct.pack("<Q", (seconds + 11644473600) * 10**7))


def recipient(name, mail, kind):
    return item(8, [number(0x0C15, kind)], {0x3001: name, 0x39FE: mail})


JUNE = 1748934900  # 2025-06-03 07:15:00 UTC

inner = item(24, [time(0x39, JUNE - 3600)],
             {0x1A: "IPM.Note", 0x37: "Inner “item”", 0x1000: "What was\r\nattached.", 0x0C1A: "Carol", 0x5D01: "carol@example.net"},
             **{"__recip_version1.0_#00000000": recipient("Ada", "ada@example.org", 1),
                "__attach_version1.0_#00000000": item(8, [number(0x3705, 1)], {0x3707: "deep.txt"}, {0x3701: b"deep\n"})})

note = item(32, [time(0x39, JUNE)], {
    0x1A: "IPM.Note", 0x37: "Minutes – Übersicht", 0x1000: "Dear Bob,\r\n\r\nsee <what> is attached.\r\n# one\r\n",
    0x42: "Ada Example", 0x5D02: "ada@example.org", 0x1035: "<minutes-1@example.org>",
}, **{
    "__recip_version1.0_#00000000": recipient("Bob Brown", "bob@example.net", 1),
    "__recip_version1.0_#00000001": recipient("carol@example.net", "carol@example.net", 2),
    "__recip_version1.0_#00000002": recipient("Dan", "dan@example.net", 3),
    "__attach_version1.0_#00000000": item(8, [number(0x3705, 1)], {0x3707: "..\\plan.txt", 0x370E: "text/plain"}, {0x3701: b"The plan.\n"}),
    "__attach_version1.0_#00000001": item(8, [number(0x3705, 5)], {0x3001: "Inner item"}, **{"__substg1.0_3701000D": inner}),
})

page = item(32, [number(0x3FFD, 1251), number(0x3FDE, 1251)], {0x1A: "IPM.Note", 0x37: "Тема", 0x0E04: "Анна; Борис"},
            {0x1013: "<html><body><p>Привет, <b>мир</b>.</p></body></html>".encode("cp1251")}, unicode=False,
            **{"__substg1.0_007D001E": b"Date: Tue, 3 Jun 2025 09:15:00 +0200\r\nFrom: =?koi8-r?B?4c7OwQ==?= <anna@example.ru>\r\n"})

rtf = rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Packed caf\'e9{\*\htmltag72 </p>}\htmlrtf\par}\htmlrtf0}"
packed = struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf
rich = item(32, (), {0x1A: "IPM.Note", 0x37: "Rich"}, {0x1009: packed})

names = struct.pack("<IHH", 0x8083, 0, 0) + struct.pack("<IHH", 0, 1, 1)
contact = item(32, (), {0x1A: "IPM.Contact", 0x37: "Ada Example", 0x3001: "Ada Example", 0x3A16: "Example & Co",
                        0x8000: "ada@example.org", 0x8001: "friends", 0x3A1C: "+49 1", 0x1000: "Met in June."},
               **{"__nameid_version1.0": {"__substg1.0_00030102": names,
                                          "__substg1.0_00040102": struct.pack("<I", 16) + "Keywords".encode("utf-16-le")}})

FILES = {"note.msg": compound(note), "page.msg": compound(page), "rich.msg": compound(rich), "contact.msg": compound(contact)}
whole = FILES["note.msg"]
FILES["damaged.msg"] = whole[:512] + whole[512:1536] + bytes(512) + whole[2048:-1024]

for name, content in FILES.items():
    (HERE / name).write_bytes(content)
