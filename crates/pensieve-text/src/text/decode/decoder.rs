//! Decoding as a stream: bytes in, segments of text out, each with its map to the bytes of the file.

use super::decoded_text::DecodedText;
use super::detect::{DetectionMethod, EncodingDetection, settle};
use super::encoding::{ByteOrder, Encoding, EncodingScheme, StatefulEncoding};
use super::multibyte::MultibyteDecoder;
use super::single_byte::{SINGLE_BYTE_TABLES, SingleByteTable};
use super::stateful::StatefulDecoder;
use super::utf7::Utf7Decoder;
use super::utf8_evidence::without_cut_sequence;
use super::utf16_utf32;
use crate::model::{LineAnchor, Segment};
use memchr::memchr_iter;

/// Bytes from the first non-ASCII byte on that decide the encoding of a file that began as ASCII.
const DECISION_BYTES: usize = 64 << 10;

/// Decodes a file that arrives in parts. The text and the map do not depend on how the bytes are divided.
///
/// The encoding of a file that began as ASCII is decided at the first other byte, so [`Decoder::encoding`] is final
/// only at the end.
///
/// Cost: one pass at the speed of validation for UTF-8. A few bytes are held back between two parts, and 64 KiB at the
/// end of ASCII.
#[derive(Clone)]
pub struct Decoder {
    encoding: Encoding,
    scheme_decoder: SchemeDecoder,
    /// True while all bytes were ASCII.
    is_undecided: bool,
    /// Remaining bytes of the byte-order mark.
    bom_left: usize,
    /// The first source byte that is not yet decoded.
    position: usize,
    pending: Vec<u8>,
    line: u64,
    replaced: u64,
    first_replaced: Option<usize>,
}

/// The decoder of one scheme, with its state.
#[derive(Clone)]
enum SchemeDecoder {
    Utf8,
    Utf16(ByteOrder),
    Utf32(ByteOrder),
    SingleByte(&'static SingleByteTable),
    Multibyte(MultibyteDecoder),
    Stateful(StatefulDecoder),
    Utf7(Utf7Decoder),
}

impl Decoder {
    /// A decoder for a file with this detected encoding.
    pub fn new(detection: &EncodingDetection) -> Decoder {
        Decoder {
            encoding: detection.encoding,
            scheme_decoder: SchemeDecoder::new(detection.encoding),
            is_undecided: detection.how == DetectionMethod::Ascii,
            bom_left: detection.bom_len,
            position: 0,
            pending: Vec::new(),
            line: 1,
            replaced: 0,
            first_replaced: None,
        }
    }

    /// Decodes the next bytes. An incomplete character or line end at their end is held back for the next call, unless
    /// these bytes are the last.
    pub fn push(&mut self, bytes: &[u8], last: bool) -> Segment {
        let joined;
        let bytes = if self.pending.is_empty() {
            bytes
        } else {
            self.pending.extend_from_slice(bytes);
            joined = std::mem::take(&mut self.pending);
            &joined[..]
        };
        let decided = if self.is_undecided { self.decide(bytes, last) } else { bytes.len() };
        // A final carriage return may be half of a line end.
        let ready = if last { bytes.len() } else { without_open_line(&bytes[..decided], self.encoding) };
        let is_exact = !self.encoding.is_stateful();
        // Letters of other encodings are longer in UTF-8; an eighth more room spares most copies.
        let mut out = DecodedText::new(self.position, is_exact, ready + ready / 8);
        let bom = self.bom_left.min(ready);
        out.bom(bom);
        self.bom_left -= bom;
        let used = bom + self.scheme_decoder.decode(&bytes[bom..ready], last, &mut out);
        self.pending = bytes[used..].to_vec();
        self.replaced += out.replaced;
        self.first_replaced = self.first_replaced.or(out.first);
        let (text, map, next) = out.finish();
        self.position = next;
        let lines = self.lines(&text);
        Segment { text, map, lines, ..Segment::default() }
    }

    /// The encoding of the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The number of U+FFFD in place of undecodable bytes.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The source byte of the first U+FFFD.
    pub fn first_replaced(&self) -> Option<usize> {
        self.first_replaced
    }

    /// Decides by the bytes from the first non-ASCII one on, as soon as there are enough. Returns the number of bytes
    /// that may be decoded now.
    fn decide(&mut self, bytes: &[u8], last: bool) -> usize {
        if bytes.is_ascii() {
            return bytes.len();
        }
        // ASCII is the same in all of these encodings, so it is not waited for.
        let ascii = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len());
        let rest = &bytes[ascii..];
        if rest.len() < DECISION_BYTES && !last {
            return ascii;
        }
        self.is_undecided = false;
        self.encoding = settle(&rest[..rest.len().min(DECISION_BYTES)], last && rest.len() <= DECISION_BYTES);
        self.scheme_decoder = SchemeDecoder::new(self.encoding);
        bytes.len()
    }

    /// One anchor for the start of the text and one after each lone carriage return: counting newlines would miss
    /// those lines.
    fn lines(&mut self, text: &str) -> Vec<LineAnchor> {
        let bytes = text.as_bytes();
        let mut anchors = vec![LineAnchor { out: 0, line: self.line }];
        let (mut at, mut line) = (0, self.line);
        for lone in memchr_iter(b'\r', bytes).filter(|&cr| bytes.get(cr + 1) != Some(&b'\n')) {
            line += memchr_iter(b'\n', &bytes[at..lone]).count() as u64 + 1;
            at = lone + 1;
            if at < bytes.len() {
                anchors.push(LineAnchor { out: at, line });
            }
        }
        self.line = line + memchr_iter(b'\n', &bytes[at..]).count() as u64;
        anchors
    }
}

impl SchemeDecoder {
    fn new(encoding: Encoding) -> SchemeDecoder {
        match encoding.0 {
            EncodingScheme::Utf8 => SchemeDecoder::Utf8,
            EncodingScheme::Utf16(order) => SchemeDecoder::Utf16(order),
            EncodingScheme::Utf32(order) => SchemeDecoder::Utf32(order),
            EncodingScheme::SingleByte(index) => {
                SchemeDecoder::SingleByte(&SINGLE_BYTE_TABLES[usize::from(index)])
            }
            EncodingScheme::Multibyte(multi) => SchemeDecoder::Multibyte(MultibyteDecoder::new(multi)),
            EncodingScheme::Stateful(StatefulEncoding::Utf7) => SchemeDecoder::Utf7(Utf7Decoder::default()),
            EncodingScheme::Stateful(stateful) => SchemeDecoder::Stateful(StatefulDecoder::new(stateful)),
        }
    }

    /// Decodes as much as possible and returns the number of decoded bytes: all of them if they are the last.
    fn decode(&mut self, bytes: &[u8], last: bool, out: &mut DecodedText) -> usize {
        match self {
            SchemeDecoder::Utf8 => utf8(bytes, last, out),
            SchemeDecoder::Utf16(order) => utf16_utf32::utf16(bytes, *order, last, out),
            SchemeDecoder::Utf32(order) => utf16_utf32::utf32(bytes, *order, last, out),
            SchemeDecoder::SingleByte(table) => single(bytes, table, out),
            SchemeDecoder::Multibyte(decoder) => decoder.decode(bytes, last, out),
            SchemeDecoder::Stateful(decoder) => decoder.decode(bytes, last, out),
            SchemeDecoder::Utf7(decoder) => decoder.decode(bytes, last, out),
        }
    }
}

/// Decodes bytes without context, such as the source bytes that a chunk cites; undecodable bytes become U+FFFD.
/// `None` if the encoding has a state, so that a slice cannot be decoded alone.
pub fn decode_slice(encoding: Encoding, bytes: &[u8]) -> Option<String> {
    if encoding.is_stateful() {
        return None;
    }
    let mut out = DecodedText::new(0, true, bytes.len());
    SchemeDecoder::new(encoding).decode(bytes, true, &mut out);
    Some(out.text)
}

/// The length without a final carriage return, which may be half a line end.
fn without_open_line(bytes: &[u8], encoding: Encoding) -> usize {
    let open: &[u8] = match encoding.0 {
        EncodingScheme::Utf16(ByteOrder::Little) => b"\r\0",
        EncodingScheme::Utf16(ByteOrder::Big) => b"\0\r",
        EncodingScheme::Utf32(ByteOrder::Little) => b"\r\0\0\0",
        EncodingScheme::Utf32(ByteOrder::Big) => b"\0\0\0\r",
        _ => b"\r",
    };
    let whole = &bytes[..bytes.len() / open.len() * open.len()];
    if whole.ends_with(open) { whole.len() - open.len() } else { bytes.len() }
}

/// Copies valid UTF-8. Each maximal part of an invalid sequence becomes one U+FFFD, as on the Web.
fn utf8(bytes: &[u8], last: bool, out: &mut DecodedText) -> usize {
    let without_cut_sequence = if last { bytes.len() } else { without_cut_sequence(bytes) };
    // simdutf8 is the faster one, but does not say where text is broken; the standard library does.
    if let Ok(text) = simdutf8::basic::from_utf8(&bytes[..without_cut_sequence]) {
        out.copy(text);
        return without_cut_sequence;
    }
    let mut at = 0;
    loop {
        let error = match std::str::from_utf8(&bytes[at..]) {
            Ok(text) => {
                out.copy(text);
                return bytes.len();
            }
            Err(error) => error,
        };
        let valid = &bytes[at..at + error.valid_up_to()];
        out.copy(std::str::from_utf8(valid).expect("it was found valid"));
        at += error.valid_up_to();
        match error.error_len() {
            Some(len) => {
                out.bad(len);
                at += len;
            }
            None if !last => return at,
            None => {
                out.bad(bytes.len() - at);
                return bytes.len();
            }
        }
    }
}

/// Decodes one byte per character; bytes whose characters have the same length in UTF-8 are decoded together.
fn single(bytes: &[u8], table: &SingleByteTable, out: &mut DecodedText) -> usize {
    for group in bytes.chunk_by(|a, b| table.len(*a) == table.len(*b)) {
        match table.len(group[0]) {
            0 => group.iter().for_each(|_| out.bad(1)),
            1 => out.copy(std::str::from_utf8(group).expect("these bytes are ASCII")),
            len => out.letters(group.iter().map(|byte| table.char(*byte)), group.len(), len),
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Span;

    fn decoded(bytes: &[u8], name: &str, bom_len: usize) -> (Segment, Decoder) {
        let encoding = Encoding::from_name(name).expect("it is known");
        let mut decoder = Decoder::new(&EncodingDetection { encoding, bom_len, how: DetectionMethod::Bom });
        (decoder.push(bytes, true), decoder)
    }

    fn check(bytes: &[u8], name: &str, expected: &str) {
        let (segment, decoder) = decoded(bytes, name, 0);
        assert_eq!(segment.text, expected, "{name}");
        assert_eq!(decoder.replaced() as usize, expected.matches('\u{fffd}').count(), "{name}");
        let slice = decode_slice(Encoding::from_name(name).expect("it is known"), bytes);
        assert_eq!(slice.as_deref().unwrap_or(expected), expected, "{name}");
    }

    #[test]
    fn bytes_become_text() {
        check("größer 漢字 😀\r\n".as_bytes(), "utf-8", "größer 漢字 😀\r\n");
        check(b"f\xfcr 5 \x80", "windows-1252", "für 5 €");
        check(b"h\0i\0\x3d\xd8\x00\xde", "utf-16-le", "hi😀");
        check(b"\0h\0\0", "utf-16-be", "h\0");
        check(b"\0\x01\xf6\0", "utf-32-be", "😀");
        check(b"\x05\xd8n", "viscii", "Ẵửn");
        check(b"a\0b", "utf-8", "a\0b");
    }

    #[test]
    fn what_means_nothing_is_replaced_as_on_the_web() {
        check(b"a\xc3(\xe2\x82x\xf0\x9f\x98", "utf-8", "a\u{fffd}(\u{fffd}x\u{fffd}");
        check(b"\xed\xa0\x80\xc0\xaf", "utf-8", &"\u{fffd}".repeat(5));
        check(b"\x81", "windows-1252", "\u{fffd}");
        check(b"\x00\xd8a\0b", "utf-16-le", "\u{fffd}a\u{fffd}");
        check(b"\x00\xdc", "utf-16-le", "\u{fffd}");
        check(b"\0\xd8\0\0\x41\0\0\0", "utf-32-le", "\u{fffd}A");
        let (_, decoder) = decoded(b"abc\xff\xff", "utf-8", 0);
        assert_eq!((decoder.replaced(), decoder.first_replaced()), (2, Some(3)));
    }

    #[test]
    fn the_bom_is_no_text_and_the_map_counts_it() {
        let (segment, _) = decoded("\u{feff}\u{feff}é".as_bytes(), "utf-8", 3);
        assert_eq!(segment.text, "\u{feff}é");
        assert_eq!(
            segment.map.source(Span::new(3, 5)).map(|s| (s.start, s.end, s.exact)),
            Some((6, 8, true))
        );
        let (segment, _) = decoded(b"\xff\xfea\0\xe9\0", "utf-16-le", 2);
        assert_eq!(
            segment.map.source(Span::new(1, 3)).map(|s| (s.start, s.end, s.exact)),
            Some((4, 6, true))
        );
    }

    #[test]
    fn replaced_bytes_are_not_exact() {
        let (segment, _) = decoded(b"ab\xffcd", "utf-8", 0);
        assert_eq!(
            segment.map.source(Span::new(0, 7)).map(|s| (s.start, s.end, s.exact)),
            Some((0, 5, false))
        );
        assert_eq!(
            segment.map.source(Span::new(5, 7)).map(|s| (s.start, s.end, s.exact)),
            Some((3, 5, true))
        );
        let (segment, _) = decoded(b"a\x1b$B8@\x1b(B", "iso2022_jp", 0);
        assert_eq!(segment.text, "a言");
        assert_eq!(segment.map.source(Span::new(0, 1)).map(|s| s.exact), Some(false));
    }

    #[test]
    fn lines_end_in_three_ways() {
        let (segment, _) = decoded(b"a\nb\r\nc\rd\r\re", "utf-8", 0);
        let line = |c: char| segment.line_at(segment.text.find(c).expect("it is there"));
        assert_eq!(['a', 'b', 'c', 'd', 'e'].map(line), [1, 2, 3, 4, 6].map(Some));
        assert_eq!(segment.lines[0], LineAnchor { out: 0, line: 1 });
    }

    #[test]
    fn a_file_that_began_as_ascii_is_decided_by_what_follows() {
        let check = |tail: &[u8], text: &str, name: &str| {
            let hints = crate::text::decode::EncodingHints::default();
            let head = b"plain words\n".repeat(10);
            let mut decoder = Decoder::new(&crate::text::decode::detect(&head, false, &hints));
            let mut found = decoder.push(&head, false).text.split_off(head.len());
            for part in tail.chunks(5) {
                found.push_str(&decoder.push(part, false).text);
            }
            found.push_str(&decoder.push(b"", true).text);
            assert_eq!((found.as_str(), decoder.encoding().name()), (text, name));
        };
        check(b"more words", "more words", "utf-8");
        check("größer".as_bytes(), "größer", "utf-8");
        check(b"die Gr\xf6\xdfe der H\xe4user", "die Größe der Häuser", "windows-1252");
    }
}
