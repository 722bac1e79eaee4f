//! Laws for every encoding and any bytes: maps are complete, cutting changes nothing, exact slices decode alone.

use super::decode_all;
use super::decoder::{Decoder, decode_slice};
use super::detect::{DetectionMethod, EncodingDetection, EncodingHints, detect};
use super::encoding::Encoding;
use super::text_verdict::is_text;
use crate::model::{Segment, Span};

/// Pseudorandom numbers, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    /// Bytes as they occur in files: letters, line ends, escapes, zeros and others.
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        const PIECES: &[&[u8]] = &[
            b"word",
            b" ",
            b"\r\n",
            b"\n",
            b"\r",
            b"\0",
            b"a\0",
            b"\0a",
            b"\r\0",
            b"\0\r",
            b"\r\0\0\0",
            b"\x1b$B",
            b"\x1b(B",
            b"\x1b$)C",
            b"\x0e",
            b"\x0f",
            b"8@8l",
            b"~{",
            b"~}",
            b"~\n",
            b"+AOQ-",
            b"+",
            b"-",
            b"\xc3\xa9",
            b"\xe4\xb8\xad",
            b"\xf0\x9f\x98\x80",
            b"\xe4\xf6",
            b"\x93\xfa\x96{",
            b"\x8f\xb0\xa1",
            b"\x81\x30\x81\x30",
            b"\x3d\xd8\x00\xde",
            b"\xef\xbb\xbf",
            b"\xff\xfe",
            b"\x88\x62",
        ];
        let mut bytes = Vec::new();
        while bytes.len() < len {
            match self.below(3) {
                0 => bytes.push(self.below(256) as u8),
                _ => bytes.extend_from_slice(PIECES[self.below(PIECES.len())]),
            }
        }
        bytes
    }
}

fn check_map(segment: &Segment, bytes: &[u8], encoding: Encoding) {
    let mut out = 0;
    let mut src = 0;
    for run in segment.map.runs() {
        assert_eq!(run.out, out, "{encoding}: no text is without source");
        assert!(run.src >= src && run.src_end() <= bytes.len(), "{encoding}: {run:?}");
        (out, src) = (run.out_end(), run.src_end());
        for unit in (0..run.units).filter(|_| run.out_unit > 0) {
            let text = Span::new(run.out + unit * run.out_unit, run.out + (unit + 1) * run.out_unit);
            if run.out_unit == 1 && run.src_unit == 1 && run.exact {
                continue;
            }
            let source = segment.map.source(text).expect("it has a source");
            let slice = &bytes[source.start..source.end];
            match source.exact {
                true => {
                    let alone = decode_slice(encoding, slice).expect("only stateless text is exact");
                    assert_eq!(alone, segment.text[text.range()], "{encoding}");
                }
                false => assert!(segment.text.is_char_boundary(text.start), "{encoding}"),
            }
        }
    }
    assert_eq!(out, segment.text.len(), "{encoding}: all text has a source");
}

fn check(bytes: &[u8], detection: &EncodingDetection, random: &mut Random) {
    let encoding = detection.encoding;
    let mut whole = Decoder::new(detection);
    let expected = whole.push(bytes, true);
    check_map(&expected, bytes, whole.encoding());
    let mut parts = Decoder::new(detection);
    let mut joined = Segment::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (part, more) = rest.split_at(random.below(9).min(rest.len()));
        joined.append(parts.push(part, more.is_empty() && random.below(2) == 0));
        rest = more;
    }
    joined.append(parts.push(b"", true));
    assert_eq!(joined.text, expected.text, "{encoding} {}", bytes.escape_ascii());
    assert_eq!(joined.map, expected.map, "{encoding} {}", bytes.escape_ascii());
    assert_eq!((parts.replaced(), parts.first_replaced()), (whole.replaced(), whole.first_replaced()));
    for at in 0..expected.text.len() {
        assert_eq!(joined.line_at(at), expected.line_at(at), "{encoding} at {at} of {:?}", expected.text);
    }
}

#[test]
fn cutting_the_bytes_changes_nothing() {
    let mut random = Random(1);
    for encoding in Encoding::all() {
        for round in 0..40 {
            let bytes = random.bytes(round);
            let bom_len = random.below(4).min(bytes.len());
            check(
                &bytes,
                &EncodingDetection { encoding, bom_len, how: DetectionMethod::Declared },
                &mut random,
            );
        }
    }
}

#[test]
fn any_bytes_are_decoded_as_detected() {
    let mut random = Random(2);
    for round in 0..90 {
        let bytes = random.bytes(round * 2);
        let whole = random.below(2) == 0;
        let detection = detect(&bytes, whole, &EncodingHints::default());
        check(&bytes, &detection, &mut random);
        let (segment, encoding, problems) = decode_all(&bytes, &EncodingHints::default());
        assert_eq!(
            problems.is_empty(),
            !segment.map.runs().iter().any(|run| !run.exact && run.out_unit == 3)
                || problems.is_empty() && encoding.is_stateful()
        );
        is_text(&bytes);
    }
}

#[test]
fn ascii_that_ends_late_is_cut_anywhere() {
    let mut random = Random(3);
    for round in 0..40 {
        let bytes = [b"plain words, ".repeat(round % 5 + 1), random.bytes(round)].concat();
        let detection = detect(b"plain words", false, &EncodingHints::default());
        assert_eq!(detection.how, DetectionMethod::Ascii);
        check(&bytes, &detection, &mut random);
    }
}
