#!/usr/bin/env python3
"""Makes the Pages documents of this folder, and holds what the other two iWork folders need for theirs: the same bytes
each time, nothing but the standard library. Both forms are made: XML as of 2009 and IWA as of 2013."""
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
SPACES = " ".join(
    f'xmlns:{name}="http://developer.apple.com/namespaces/{url}"'
    for name, url in [("sfa", "sfa"), ("sf", "sf"), ("sl", "sl"), ("ls", "ls"), ("key", "keynote2")]
)


def package(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in parts.items():
            out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """A field: a number, bytes (or text, or a message), or a list of them."""
    if isinstance(value, list):
        return b"".join(field(number, one) for one in value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(fields):
    return b"".join(field(number, value) for number, value in fields.items())


def ref(identifier):
    return message({1: identifier})


def table(entries):
    """A table of a storage: (first character, object)."""
    return message({1: [message({1: at} if to is None else {1: at, 2: ref(to)}) for at, to in entries]})


def iwa(objects):
    """A file of an index: {identifier: (type, fields)}, packed as literals."""
    data = b""
    for identifier, (kind, fields) in objects.items():
        body = message(fields)
        info = message({1: identifier, 2: message({1: kind, 2: b"\x01\x00\x05", 3: len(body)})})
        data += varint(len(info)) + info + body
    packed = b""
    for at in range(0, len(data), 60000):
        part = data[at : at + 60000]
        block = varint(len(part)) + b"\xf4" + (len(part) - 1).to_bytes(2, "little") + part
        packed += b"\x00" + len(block).to_bytes(3, "little") + block
    return packed


def storage(text, kind=0, **tables):
    """A text storage; tables by their field numbers (f5=...)."""
    return 2001, {1: kind, 3: text, **{int(name[1:]): entries for name, entries in tables.items()}}


def shape(storage_id, **more):
    return 2011, {1: message({1: message({8: more.get("description", "")})}), 4: ref(storage_id)}


def style(kind, name, parent=None, properties=b""):
    base = {1: name} if name else {}
    return kind, {1: message({**base, **({3: ref(parent)} if parent else {})}), 11: properties}


OLD = f"""<?xml version="1.0"?>
<sl:document {SPACES}>
<sf:metadata><sf:title><sf:string sfa:string="A title"/></sf:title><sf:authors><sf:string sfa:string="Ada"/></sf:authors></sf:metadata>
<sl:section-prototypes><sl:prototype><sf:text-storage><sf:text-body><sf:p>template words</sf:p></sf:text-body></sf:text-storage></sl:prototype></sl:section-prototypes>
<sf:stylesheet><sf:styles><sf:paragraphstyle sf:name="Heading 2" sf:ident="h2"/></sf:styles><sf:anon-styles><sf:paragraphstyle sfa:ID="own" sf:parent-ident="h2"/></sf:anon-styles></sf:stylesheet>
<sl:drawables><sl:page-group><sf:drawable-shape><sf:text><sf:text-storage><sf:text-body><sf:p>In a box.</sf:p></sf:text-body></sf:text-storage></sf:text></sf:drawable-shape></sl:page-group></sl:drawables>
<sf:annotations><sf:annotation><sf:text-storage><sf:text-body><sf:p>A remark.</sf:p></sf:text-body></sf:text-storage></sf:annotation></sf:annotations>
<sf:footers><sf:footer><sf:text-storage><sf:text-body><sf:p>Foot of the page</sf:p></sf:text-body></sf:text-storage></sf:footer></sf:footers>
<sf:text-storage sf:kind="body"><sf:attachments><sf:attachment sfa:ID="t1"><sf:tabular-info><sf:tabular-model sf:name="T" sf:name-is-visible="false"><sf:grid><sf:datasource>
<sf:t sf:ct="0"><sf:ct sfa:s="Year"/></sf:t><sf:t><sf:ct sfa:s="Rain"/></sf:t><sf:n sf:ct="255" sf:v="2020"/><sf:n sf:v="612.5"/></sf:datasource></sf:grid></sf:tabular-model></sf:tabular-info></sf:attachment></sf:attachments>
<sf:text-body><sf:section><sf:layout>
<sf:p sf:style="own">A heading<sf:br/></sf:p>
<sf:p>Some <sf:span>words</sf:span><sf:tab/>and <sf:link href="https://example.org/">a link</sf:link>.<sf:lnbr/>Next line.<sf:attachment-ref sfa:IDREF="t1"/><sf:br/></sf:p>
<sf:p><sf:br/></sf:p><sf:p>Last.</sf:p>
</sf:layout></sf:section></sf:text-body></sf:text-storage>
</sl:document>"""

BODY = "The title\nFirst bold words, a link, a note\u000e and a table\ufffc.\none\ntwo\ninner\n\U0001f600 removed stays\u2028new line\n"


def at(words):
    """Where words stand, in UTF-16 units."""
    return len(BODY[: BODY.index(words)].encode("utf-16-le")) // 2


NEW = {
    1: (10000, {15: b"", 3: ref(30), 4: ref(10), 5: ref(40)}),
    10: storage(
        BODY,
        f5=table([(0, 50), (at("First"), 51)]),
        f6=message({1: [message({1: 0, 2: 0}), message({1: at("inner"), 2: 1}), message({1: at("\U0001f600"), 2: 0})]}),
        f7=table([(0, 60), (at("one"), 61), (at("\U0001f600"), 60)]),
        f8=table([(at("bold"), 52), (at(" words"), None)]),
        f9=table([(at("\ufffc"), 70)]),
        f11=table([(at("a link"), 71), (at(", a note"), None)]),
        f16=table([(at("\u000e"), 72)]),
        f17=table([(0, 40)]),
        f22=table([(at("removed"), 73), (at("stays"), None)]),
    ),
    11: storage("What the note says.", 2),
    12: storage("In a box.\n", 3),
    13: storage("Head of the page", 1),
    14: storage("7", 1),
    20: shape(12),
    21: (3005, {1: message({1: b"", 8: "A cat on a mat"})}),
    22: (3008, {1: b"", 2: [ref(21), ref(22)]}),
    30: (10010, {1: message({1: 0, 4: [message({1: ref(20)}), message({1: ref(22)})]})}),
    40: (10011, {25: ref(41), 23: ref(41)}),
    41: (10012, {1: [ref(13)], 2: [ref(14)]}),
    50: style(2022, "Title"),
    51: style(2022, "Body"),
    52: style(2021, None, properties=message({1: 1})),
    60: (2023, {1: b"", 11: [0, 0]}),
    61: (2023, {1: b"", 11: [3, 2], 15: [0, 0]}),
    70: (2003, {1: ref(80)}),
    71: (2032, {2: "https://example.org/"}),
    72: (2008, {1: b"", 2: ref(11)}),
    73: (2060, {1: 2}),
}


def cell(kind, flags, *values):
    """A cell of version 5."""
    return bytes([5, kind]) + bytes(6) + flags.to_bytes(4, "little") + b"".join(values)


def word(value):
    return value.to_bytes(4, "little")


def decimal(mantissa, exponent):
    return (mantissa | (exponent + 6176) << 113).to_bytes(16, "little")


def row(index, cells):
    """A row of a tile: {column: cell}."""
    offsets, data = [0xFFFF] * (max(cells) + 1), b""
    for column in sorted(cells):
        offsets[column] = len(data)
        data += cells[column]
    return message({1: index, 2: len(cells), 3: b"", 4: b"", 6: data, 7: b"".join(o.to_bytes(2, "little") for o in offsets)})


def grid(first, name, shows_name, rows, strings, formats=()):
    """The objects of a table, numbered from `first`."""
    store = {
        3: message({1: message({1: 0, 2: ref(first + 2)}), 2: 256}),
        4: ref(first + 3),
        22: ref(first + 4),
    }
    return {
        first: (6000, {1: b"", 2: ref(first + 1)}),
        first + 1: (6001, {1: "id", 4: message(store), 8: name, 22: int(shows_name)}),
        first + 2: (6002, {5: [row(index, cells) for index, cells in rows.items()]}),
        first + 3: (6005, {1: 1, 3: [message({1: key, 2: 1, 3: text}) for key, text in strings.items()]}),
        first + 4: (6005, {1: 2, 3: [message({1: key, 6: message(form)}) for key, form in dict(formats).items()]}),
    }


def text(key):
    return cell(3, 0x8, word(key))


if __name__ == "__main__":
    package(HERE / "old.pages", {"buildVersionHistory.plist": "", "index.xml": OLD})
    package(HERE / "damaged.pages", {"index.xml": OLD[: OLD.index("Next line")]})
    rows = {0: {0: text(1), 1: text(2)}, 1: {0: cell(2, 1, decimal(2020, 0)), 1: cell(2, 1, decimal(6125, -1))}}
    tables = grid(80, "T", False, rows, {1: "Year", 2: "Rain"})
    package(HERE / "new.pages", {"Index/Document.iwa": iwa(NEW), "Index/Tables/Tile.iwa": iwa(tables)})
