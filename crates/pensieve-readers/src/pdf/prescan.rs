//! Scans a file before `hayro-syntax` opens it. That crate decodes object and cross-reference streams without a
//! limit. In those that would expand too far, this module overwrites the word `stream` before the data with spaces,
//! so that they are no longer streams and all offsets stay right.
//!
//! Each word `stream` has its dictionary and data looked up ([`super::stream_search`]) at a cost that the file's length
//! bounds, however many there are. Where dictionaries inside of each other or the counting itself cost too much, what is
//! not known yet counts as a bomb.
//!
//! Only the bytes are scanned. Streams of encrypted files, streams whose dictionary hides their type, and attacks by
//! the number of objects pass the scan: the limits of the worker end them.

use super::expansion::{expansion, has_possible_rows, is_surely_within, is_white_space};
use super::stream_search::StreamSearch;
use crate::limits::pdf::MAX_PRESCAN_COUNTED_BYTES;
use hayro_font::hayro_syntax::Filter;
use hayro_font::hayro_syntax::object::{Dict, FromBytes, Name, Stream};
use memchr::memmem;

/// The word between the dictionary and the data of a stream.
const STREAM: &[u8] = b"stream";

/// Overwrites the word before object and cross-reference streams that expand to more than `limit` bytes; true if there
/// are any.
pub(super) fn overwrite_bombs(file: &mut [u8], limit: usize) -> bool {
    let bombs = Prescan::new(file, limit).bombs();
    for bomb in &bombs {
        if let Some(word) = file.get_mut(*bomb..*bomb + STREAM.len()) {
            word.fill(b' ');
        }
    }
    !bombs.is_empty()
}

/// Looks at all streams of a file.
struct Prescan<'a> {
    file: &'a [u8],
    limit: usize,
    search: StreamSearch<'a>,
    /// Bytes that were read and made to count what streams expand to.
    counted: usize,
}

impl<'a> Prescan<'a> {
    fn new(file: &'a [u8], limit: usize) -> Prescan<'a> {
        Prescan { file, limit, search: StreamSearch::new(file), counted: 0 }
    }

    /// The words `stream` before data that expands too far.
    fn bombs(&mut self) -> Vec<usize> {
        memmem::find_iter(self.file, STREAM).filter(|word| self.is_bomb(*word)).collect()
    }

    /// Whether the stream at the word `stream` expands too far. When looking at the file has cost too much, every
    /// stream that might is taken for one that does: only files made to cost much get so far.
    fn is_bomb(&mut self, word: usize) -> bool {
        let Some(start) = data_start(self.file, word) else { return false };
        match self.search.dictionaries_before(word) {
            Some(dictionaries) => dictionaries.iter().any(|dictionary| self.expands(dictionary, start)),
            None => true,
        }
    }

    /// Whether the data from `start` expands too far if this is the dictionary of its stream.
    fn expands(&mut self, dictionary: &Dict<'_>, start: usize) -> bool {
        if !is_decoded_inside(dictionary) {
            return false;
        }
        let Some(data) = self.search.data_at(start, dictionary.get::<u32>("Length")) else { return false };
        let empty = [dictionary.data(), STREAM, b"\n\nendstream"].concat();
        let Some(stream) = Stream::from_bytes(&empty) else { return false };
        // The length may be in another object. Deflate data marks its own end.
        let has_far_length =
            dictionary.get_ref("Length").is_some() && stream.filters()[..] == [Filter::FlateDecode];
        let data = if has_far_length { self.file.get(start..).unwrap_or_default() } else { data };
        !self.fits(&stream, data) || !has_possible_rows(&stream, self.limit)
    }

    fn fits(&mut self, stream: &Stream<'_>, data: &[u8]) -> bool {
        if is_surely_within(stream, data.len(), self.limit) {
            return true;
        }
        if self.counted > MAX_PRESCAN_COUNTED_BYTES {
            return false;
        }
        let expansion = expansion(stream, data, self.limit);
        self.counted = self.counted.saturating_add(expansion.work);
        expansion.len.is_some()
    }
}

/// Where the data of a stream starts whose word `stream` is at `word`, if that can be the word before data.
fn data_start(file: &[u8], word: usize) -> Option<usize> {
    let (before, after) = (file.get(..word)?, file.get(word + STREAM.len()..)?);
    let follows_dictionary = before.last().is_some_and(|byte| is_white_space(*byte) || *byte == b'>');
    let line_end = match after {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => return None,
    };
    follows_dictionary.then_some(word + STREAM.len() + line_end)
}

/// Whether `hayro-syntax` decodes a stream with this dictionary by itself.
fn is_decoded_inside(dictionary: &Dict<'_>) -> bool {
    let kind = dictionary.get::<Name<'_>>("Type");
    matches!(kind.as_deref(), Some(b"ObjStm" | b"XRef"))
        || dictionary.contains_key("First")
        || dictionary.contains_key("W")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::pdf::{MAX_PRESCAN_BYTES, MAX_PRESCAN_REREAD_BYTES};
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
            check(&format!("{stream} /Filter /A85"), &vec![b'z'; LIMIT / 4 + 1], true);
            check(&format!("{stream} /Filter /ASCII85Decode"), &vec![b'z'; LIMIT / 4], false);
            check(&format!("{stream} /Filter /A85"), &b"a b\nc!u".repeat(LIMIT / 4 + 1), true);
            check(&format!("{stream} /Filter /A85"), &b"a b\nc!u".repeat(LIMIT / 4), false);
            check(&format!("{stream} /Filter /AHx"), &b"a B".repeat(LIMIT + 1), true);
            check(&format!("{stream} /Filter /ASCIIHexDecode"), &b"a B".repeat(LIMIT), false);
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

    /// Many times the same text; the bytes that were parsed twice, and those that were counted.
    fn work_on(text: &str, times: usize) -> (usize, usize) {
        let file = text.repeat(times).into_bytes();
        let mut scan = Prescan::new(&file, LIMIT);
        scan.bombs();
        (scan.search.reread, scan.counted)
    }

    /// If each word cost as much as the rest of the file has bytes, these files would keep the test busy for hours.
    #[test]
    fn words_without_an_end_cost_no_more_than_others() {
        let times = 200_000;
        for text in [
            "<</W 1>>stream\r\n ",
            "<</W 1/First 1>>stream\n",
            "<</Type/ObjStm/Filter/FlateDecode>>stream\n",
            "<</W 1/Length 9>>stream\n",
            "stream\n",
            "<< >> stream\n",
            ">>\nstream\n",
        ] {
            assert_eq!(work_on(text, times), (0, 0), "{text}");
        }
    }

    #[test]
    fn what_is_parsed_and_counted_again_is_limited() {
        for text in ["<</A(>>stream\n", "<< <<%>>stream\n", "<<<<<<<<>>stream\n"] {
            let (reread, _) = work_on(text, 20_000);
            assert!(reread <= MAX_PRESCAN_REREAD_BYTES + MAX_PRESCAN_BYTES, "{text}: {reread}");
        }
        let text = "<</W 1/Length 9 0 R/Filter/Fl>>stream\n";
        let (_, counted) = work_on(&format!("{text} endstream"), 80_000);
        assert!(
            (MAX_PRESCAN_COUNTED_BYTES..MAX_PRESCAN_COUNTED_BYTES + (1 << 20)).contains(&counted),
            "{counted}"
        );
    }

    #[test]
    fn a_bomb_after_costly_bytes_is_overwritten() {
        let bomb = file("/First 4 /Filter /FlateDecode", "stream", &deflated(&vec![b' '; LIMIT + 1]));
        let word = memmem::find(&bomb, STREAM).expect("it is there");
        for text in ["<</A(>>stream\n", "<</W 1/Length 9 0 R/Filter/Fl>>stream\n endstream"] {
            let costly = text.repeat(80_000).into_bytes();
            let file = [costly.as_slice(), &bomb].concat();
            assert!(Prescan::new(&file, LIMIT).bombs().contains(&(costly.len() + word)), "{text}");
        }
    }

    #[test]
    fn a_comment_does_not_hide_the_kind_of_a_stream() {
        let bomb = file("/First 4 %<<\n /Filter /FlateDecode", "stream", &deflated(&vec![b' '; LIMIT + 1]));
        assert!(overwrite_bombs(&mut bomb.clone(), LIMIT));
    }

    #[test]
    fn a_stated_length_may_be_followed_by_any_white_space() {
        let data = deflated(&vec![b' '; LIMIT + 1]);
        let inside = [&data, &b" endstream"[..]].concat();
        let head = format!("<< /W 1 /Filter [/Fl] /Length {} >>stream\n", data.len());
        let blanks = " \r\n\0".repeat(20_000);
        let file = [head.as_bytes(), &inside, blanks.as_bytes(), b"endstream"].concat();
        assert!(overwrite_bombs(&mut file.clone(), LIMIT));
    }
}
