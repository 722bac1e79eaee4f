//! Scans a file before `hayro-syntax` opens it. That crate decodes object and cross-reference streams without a
//! limit. In those that would expand too far, this module overwrites the word `stream` before the data with spaces,
//! so that they are no longer streams and all offsets stay right.
//!
//! Only the bytes are scanned. Streams of encrypted files, streams whose dictionary hides their type, and attacks by
//! the number of objects pass the scan: the limits of the worker end them.

use super::expansion::{decoded_len, has_possible_rows, is_surely_within};
use crate::limits::pdf::{MAX_PRESCAN_BYTES, MAX_PRESCAN_DICTIONARIES};
use hayro_font::hayro_syntax::Filter;
use hayro_font::hayro_syntax::object::{FromBytes, Name, Stream};
use memchr::memmem;
use std::borrow::Cow;

/// The word between the dictionary and the data of a stream.
const STREAM: &[u8] = b"stream";

/// Overwrites the word before object and cross-reference streams that expand to more than `limit` bytes; true if there
/// are any.
pub(super) fn overwrite_bombs(file: &mut [u8], limit: usize) -> bool {
    let words = memmem::find_iter(file, STREAM).filter(|word| !file[..*word].ends_with(b"end"));
    let bombs: Vec<usize> = words.filter(|word| is_bomb(file, *word, limit) == Some(true)).collect();
    for bomb in &bombs {
        file[*bomb..*bomb + STREAM.len()].fill(b' ');
    }
    !bombs.is_empty()
}

/// Whether the stream at the word `stream` expands too far.
fn is_bomb(file: &[u8], word: usize, limit: usize) -> Option<bool> {
    let (stream, start, data) = stream_at(file, word)?;
    let dict = stream.dict();
    let kind = dict.get::<Name<'_>>("Type");
    let is_decoded_inside = matches!(kind.as_deref(), Some(b"ObjStm" | b"XRef"))
        || dict.contains_key("First")
        || dict.contains_key("W");
    if !is_decoded_inside {
        return None;
    }
    // The length may be in another object. Deflate data marks its own end.
    let has_far_length = dict.get_ref("Length").is_some() && stream.filters()[..] == [Filter::FlateDecode];
    let data = if has_far_length { &file[start..] } else { data };
    let fits = is_surely_within(&stream, data.len(), limit) || decoded_len(&stream, data, limit).is_some();
    Some(!fits || !has_possible_rows(&stream, limit))
}

/// The stream whose dictionary ends before the word `stream`, where its data starts, and the data.
fn stream_at(file: &[u8], word: usize) -> Option<(Stream<'_>, usize, &[u8])> {
    let from = word.saturating_sub(MAX_PRESCAN_BYTES);
    let starts = memmem::rfind_iter(&file[from..word], b"<<").take(MAX_PRESCAN_DICTIONARIES);
    starts.map(|start| from + start).find_map(|dictionary| {
        let stream = Stream::from_bytes(&file[dictionary..])?;
        let Cow::Borrowed(data) = stream.raw_data() else { return None };
        let start = data.as_ptr() as usize - file.as_ptr() as usize;
        (word..word + 10).contains(&start).then_some((stream, start, data))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::ZlibEncoder;
    use std::io::Write;

    const LIMIT: usize = 1 << 20;

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut packed = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(bytes).expect("memory takes it");
        packed.finish().expect("memory takes it")
    }

    fn hex(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
    }

    /// Test data of one repeated byte: each code of the table occurs once, so its strings grow by one.
    fn lzw(codes: usize) -> Vec<u8> {
        let numbers = [256, 0].into_iter().chain(258..4096).chain(std::iter::repeat_n(4095, codes));
        let (mut packed, mut buffer, mut count) = (Vec::new(), 0_u32, 0);
        for (at, number) in numbers.enumerate() {
            // The table has 258 + at - 1 codes when the code after `at` is read; its width changes one early.
            let width = match 257 + at.max(1) {
                0..512 => 9,
                512..1024 => 10,
                1024..2048 => 11,
                _ => 12,
            };
            (buffer, count) = (buffer << width | number, count + width);
            while count >= 8 {
                packed.push((buffer >> (count - 8)) as u8);
                count -= 8;
                buffer &= (1 << count) - 1;
            }
        }
        packed
    }

    fn file(entries: &str, word: &str, data: &[u8]) -> Vec<u8> {
        let head = format!("%PDF-1.7\n1 0 obj\n<< {entries} /Length {} >> {word}\r\n", data.len());
        [head.as_bytes(), data, b"\nendstream\nendobj\n"].concat()
    }

    /// Checks whether the word is overwritten, and that everything else stays as it is.
    fn check(entries: &str, data: &[u8], is_bomb: bool) {
        let mut after = file(entries, "stream", data);
        assert_eq!(overwrite_bombs(&mut after, LIMIT), is_bomb, "{entries}");
        let word = if is_bomb { "      " } else { "stream" };
        assert!(after == file(entries, word, data), "{entries}");
    }

    #[test]
    fn streams_that_expand_too_far_are_overwritten_in_place() {
        let (small, large) = (vec![b' '; LIMIT], vec![b' '; LIMIT + 1]);
        for stream in
            ["/Type /ObjStm /N 1 /First 4", "/Type /XRef /W [1 2 1] /Size 9", "/First 4", "/W [1 2 1]"]
        {
            check(&format!("{stream} /Filter /FlateDecode"), &deflated(&large), true);
            check(&format!("{stream} /Filter /FlateDecode"), &deflated(&small), false);
            check(&format!("{stream} /Filter [/Fl /Fl]"), &deflated(&deflated(&large)), true);
            check(&format!("{stream} /Filter [/Fl /Fl]"), &deflated(&deflated(&small)), false);
            check(&format!("{stream} /Filter [/AHx /FlateDecode]"), &hex(&deflated(&large)), true);
            check(&format!("{stream} /Filter [/AHx /FlateDecode]"), &hex(&deflated(&small)), false);
            let rows = "/Filter /Fl /DecodeParms << /Predictor 2 /Columns";
            check(&format!("{stream} {rows} 0 >>"), &deflated(b"no rows"), true);
            check(&format!("{stream} {rows} 3 >>"), &deflated(b"rows"), false);
            check(&format!("{stream} /Fil#74er /LZW"), &lzw(LIMIT / 4096), true);
            check(&format!("{stream} /Filter /LZWDecode"), &lzw(0)[..700], false);
            check(&format!("{stream} /Filter /RunLengthDecode"), &[129, b' '].repeat(LIMIT / 128 + 1), true);
            check(&format!("{stream} /Filter /RunLengthDecode"), &[129, b' '].repeat(LIMIT / 128), false);
        }
    }

    #[test]
    fn content_and_pictures_are_left_to_those_who_decode_them() {
        let large = deflated(&vec![b' '; LIMIT + 1]);
        check("/Filter /FlateDecode", &large, false);
        check("/Subtype /Image /Width 9 /Filter /FlateDecode", &large, false);
        check("/Type /ObjStm /Filter [/FlateDecode /DCTDecode]", &large, false);
    }

    #[test]
    fn a_length_in_another_object_hides_nothing() {
        // The word that would end the stream is in an uncompressed block of its own.
        let mut packed = b"\x78\x01\x00\x0a\x00\xf5\xff endstream".to_vec();
        packed.extend_from_slice(&deflated(&vec![b' '; 2 * LIMIT])[2..]);
        let entries = "/Type /ObjStm /Filter /FlateDecode /DecodeParms << /Predictor 1 >> /N 9";
        let head = format!("<< {entries} /Length 2 0 R >> % more\n stream\n");
        let file = [head.as_bytes(), &packed, b"\nendstream"].concat();
        assert!(overwrite_bombs(&mut file.clone(), LIMIT));
        assert!(!overwrite_bombs(&mut file.clone(), 3 * LIMIT));
    }

    #[test]
    fn what_is_no_stream_is_left_alone() {
        for bytes in
            ["stream", "endstream", "<< stream", ">> stream\n", "<< /W 1 >> stream", "(<<) stream\nendstream"]
        {
            assert!(!overwrite_bombs(&mut bytes.as_bytes().to_vec(), 0), "{bytes}");
        }
    }
}
