#!/usr/bin/env python3
"""Books that no living tool writes, from those that calibre made: `more.py GOLDEN TEXT`.

A zTXT book; a Mobipocket book packed with HUFF/CDIC; books that are cut off, and one that says it is encrypted.
Standard library only.
"""

import struct
import sys
import zlib

RECORD = 4096


def database(name, kind, records):
    head = name.encode("ascii")[:31].ljust(32, b"\0") + bytes(28) + kind + bytes(8) + struct.pack(">H", len(records))
    at = len(head) + 8 * len(records) + 2
    entries = b""
    for number, record in enumerate(records):
        entries += struct.pack(">II", at, number)
        at += len(record)
    return head + entries + bytes(2) + b"".join(records)


def records_of(book):
    count = struct.unpack_from(">H", book, 76)[0]
    starts = [struct.unpack_from(">I", book, 78 + 8 * number)[0] for number in range(count)] + [len(book)]
    return [book[start:end] for start, end in zip(starts, starts[1:])]


def ztxt(text):
    packer = zlib.compressobj(9)
    records = []
    for at in range(0, len(text), 8192):
        records.append(packer.compress(text[at : at + 8192]) + packer.flush(zlib.Z_FULL_FLUSH))
    records[-1] += packer.flush()
    head = struct.pack(">HHIHHHHB", 0x012C, len(records), len(text), 8192, 0, 0, 0, 1) + bytes(15)
    return database("Saltmere", b"zTXTGPlm", [head, *records])


def unpack(record):
    """PalmDOC."""
    out, at = bytearray(), 0
    while at < len(record):
        byte = record[at]
        at += 1
        if 1 <= byte <= 8:
            out += record[at : at + byte]
            at += byte
        elif byte < 0x80:
            out.append(byte)
        elif byte >= 0xC0:
            out += bytes((32, byte ^ 0x80))
        else:
            pair = (byte & 0x3F) << 8 | record[at]
            at += 1
            for _ in range((pair & 7) + 3):
                out.append(out[-(pair >> 3)])
    return bytes(out)


def codes(weights):
    """Lengths of a Huffman code: all symbols of one length are neighbours, the frequent ones have the short codes."""
    order = sorted(weights, key=lambda symbol: -weights[symbol])
    heap = [(weights[symbol], number, [symbol]) for number, symbol in enumerate(order)]
    lengths = dict.fromkeys(order, 0)
    while len(heap) > 1:
        heap.sort(key=lambda node: node[:2])
        first, second, *heap = heap
        for symbol in first[2] + second[2]:
            lengths[symbol] += 1
        heap.append((first[0] + second[0], first[1], first[2] + second[2]))
    return sorted(order, key=lambda symbol: lengths[symbol]), lengths


def huff(book):
    """A book with its text packed with HUFF/CDIC: phrases are words."""
    records = records_of(book)
    head = bytearray(records[0])
    count = struct.unpack_from(">H", head, 8)[0]
    text = b"".join(unpack(record[: len(record) - trailing(record, head)]) for record in records[1 : count + 1])
    words, word = [], bytearray()
    for byte in text:
        word.append(byte)
        if byte in b" >" or len(word) > 24:
            words.append(bytes(word))
            word = bytearray()
    words.append(bytes(word))
    weights = {}
    for word in words:
        weights[word] = weights.get(word, 0) + 1
    order, lengths = codes(weights)
    codebits = {}
    # The largest code of a length is its first phrase, so codes are given from above: the shortest are the largest.
    longest = max(lengths.values())
    top = 1 << 32
    smallest, largest = [0] * 33, [0] * 33
    for symbol in order:
        length = lengths[symbol]
        top -= 1 << (32 - length)
        codebits[symbol] = (top >> (32 - length), length)
    for length in range(1, 33):
        own = [number for number, symbol in enumerate(order) if lengths[symbol] == length]
        if own:
            # number = (largest - code): `largest` of a length counts from the first phrase of all.
            smallest[length] = codebits[order[own[-1]]][0]
            largest[length] = codebits[order[own[0]]][0] + own[0]
        else:
            shorter = [codebits[symbol] for symbol in order if lengths[symbol] < length]
            low = min((code << (32 - size) for code, size in shorter), default=1 << 32)
            smallest[length] = low >> (32 - length)
    short = []
    for byte in range(256):
        bits = byte << 24
        length = next(size for size in range(1, 33) if smallest[size] << (32 - size) <= bits) if bits >= (
            smallest[longest] << (32 - longest)
        ) else longest
        is_whole = length <= 8
        short.append(largest[length] << 8 | (0x80 if is_whole else 0) | length if is_whole else 9)
    off1, off2 = 24, 24 + 1024
    code_record = b"HUFF" + struct.pack(">III", 24, off1, off2) + bytes(8) + struct.pack(">256I", *short)
    for length in range(1, 33):
        code_record += struct.pack(">II", smallest[length] & 0xFFFFFFFF, largest[length] & 0xFFFFFFFF)
    dictionaries = []
    bits = 10
    for first in range(0, len(order), 1 << bits):
        part = order[first : first + (1 << bits)]
        places, body = [], b""
        for phrase in part:
            places.append(2 * len(part) + len(body))
            body += struct.pack(">H", len(phrase) | 0x8000) + phrase
        dictionaries.append(
            b"CDIC" + struct.pack(">III", 16, len(order), bits) + struct.pack(f">{len(part)}H", *places) + body
        )
    packed, piece, size = [], [], 0
    for word in words:
        if size + len(word) > RECORD:
            packed.append(piece)
            piece, size = [], 0
        piece.append(word)
        size += len(word)
    packed.append(piece)
    texts = []
    for piece in packed:
        bits_of = "".join(format(codebits[word][0], f"0{codebits[word][1]}b") for word in piece)
        # What fills the last byte must be no code: the beginning of the longest.
        fill = -len(bits_of) % 8
        bits_of += format(codebits[order[-1]][0], f"0{codebits[order[-1]][1]}b")[:fill]
        texts.append(int(bits_of, 2).to_bytes(len(bits_of) // 8, "big"))
    struct.pack_into(">H", head, 0, 17480)
    struct.pack_into(">H", head, 8, len(texts))
    struct.pack_into(">II", head, 112, 1 + len(texts), 1 + len(dictionaries))
    struct.pack_into(">H", head, 242, 0)
    ncx = struct.unpack_from(">I", head, 244)[0]
    index = records[ncx : ncx + 3]
    struct.pack_into(">I", head, 244, 1 + len(texts) + 1 + len(dictionaries))
    return database("Saltmere", b"BOOKMOBI", [bytes(head), *texts, code_record, *dictionaries, *index])


def trailing(record, head):
    flags, size = struct.unpack_from(">H", head, 242)[0], 0
    for _ in range(bin(flags >> 1).count("1")):
        number, shift = 0, 0
        for byte in record[: len(record) - size][::-1][:4]:
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte & 0x80:
                break
        size += number
    if flags & 1:
        size += (record[len(record) - size - 1] & 3) + 1
    return size


def main():
    golden, text = sys.argv[1:]

    def read(name):
        with open(f"{golden}/{name}", "rb") as book:
            return book.read()

    def write(name, content):
        with open(f"{golden}/{name}", "wb") as book:
            book.write(content)

    with open(text, "rb") as words:
        write("pdb/saltmere-ztxt.pdb", ztxt(words.read()))
    old = read("mobi/saltmere-old.mobi")
    write("mobi/saltmere-huff.mobi", huff(old))
    write("mobi/cut-off.mobi", old[: struct.unpack_from(">I", old, 78 + 8 * 3)[0] + 100])
    encrypted = bytearray(old)
    struct.pack_into(">H", encrypted, struct.unpack_from(">I", old, 78)[0] + 12, 2)
    write("mobi/encrypted.mobi", bytes(encrypted[:4096]))
    azw3 = read("azw3/saltmere.azw3")
    write("azw3/cut-off.azw3", azw3[: struct.unpack_from(">I", azw3, 78 + 8 * 4)[0] + 50])
    lit = read("lit/saltmere.lit")
    write("lit/cut-off.lit", lit[: len(lit) - 3000])
    tcr = read("tcr/saltmere.tcr")
    write("tcr/cut-off.tcr", tcr[:4000])


if __name__ == "__main__":
    main()
