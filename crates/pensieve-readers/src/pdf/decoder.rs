//! Decodes the streams of a document within limits: what a stream expands to is counted before it is decoded, unless it
//! is too short to expand far.

use super::expansion::{decoded_len, flate_start, has_its_checksum, has_possible_rows, is_surely_within};
use crate::limits::pdf::{MAX_DECODED_BYTES, MAX_STREAM_BYTES};
use hayro_font::hayro_syntax::object::Stream;
use hayro_font::hayro_syntax::object::stream::DecodeFailure;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Decodes the streams of a document and counts what they expand to.
#[derive(Debug)]
pub(super) struct StreamDecoder {
    left: Cell<usize>,
    has_left_out: Cell<bool>,
    /// Streams that cannot be decoded or are not what was packed, by the addresses of their dictionaries.
    damaged: RefCell<FxHashSet<(usize, usize)>>,
    /// Which streams were admitted, by the addresses of their dictionaries.
    admitted: RefCell<FxHashMap<(usize, usize), bool>>,
}

impl StreamDecoder {
    /// A decoder that has decoded nothing yet.
    pub(super) fn new() -> StreamDecoder {
        StreamDecoder {
            left: Cell::new(MAX_DECODED_BYTES),
            has_left_out: Cell::new(false),
            damaged: RefCell::default(),
            admitted: RefCell::default(),
        }
    }

    /// The data of a stream; empty if it would be too large.
    ///
    /// # Errors
    /// If a filter cannot read its data, or the stream is a picture.
    pub(super) fn decode<'a>(&self, stream: &Stream<'a>) -> Result<Cow<'a, [u8]>, DecodeFailure> {
        if stream.filters().is_empty() {
            return self.decoded(stream);
        }
        if !has_possible_rows(stream, MAX_STREAM_BYTES) {
            return Ok(Cow::default());
        }
        let limit = MAX_STREAM_BYTES.min(self.left.get());
        let raw = stream.raw_data();
        if !is_surely_within(stream, raw.len(), limit) && decoded_len(stream, &raw, limit).is_none() {
            self.note_left_out();
            return Ok(Cow::default());
        }
        let data = self.decoded(stream)?;
        self.spend(data.len());
        // A damaged stream is decoded as far as that goes.
        if !raw.trim_ascii().is_empty() && !has_its_checksum(stream, &data) {
            self.damaged.borrow_mut().insert(key_of(stream));
        }
        Ok(data)
    }

    /// The data of a stream; one that cannot be decoded is noted, whatever it is for.
    fn decoded<'a>(&self, stream: &Stream<'a>) -> Result<Cow<'a, [u8]>, DecodeFailure> {
        stream.decoded_data().inspect_err(|_| {
            self.damaged.borrow_mut().insert(key_of(stream));
        })
    }

    /// The first `bytes` of the data of a stream, or a little more: what cannot be decoded is left out.
    pub(super) fn decode_start<'a>(&self, stream: &Stream<'a>, bytes: usize) -> Cow<'a, [u8]> {
        match flate_start(stream, bytes) {
            Some(start) => {
                self.spend(start.len());
                Cow::Owned(start)
            }
            None => self.decode(stream).unwrap_or_default(),
        }
    }

    /// Whether a stream that a crate decodes expands to at most `limit` bytes. Each stream counts once.
    pub(super) fn admits(&self, stream: &Stream<'_>, limit: usize) -> bool {
        let key = key_of(stream);
        if let Some(known) = self.admitted.borrow().get(&key) {
            return *known;
        }
        let len = decoded_len(stream, &stream.raw_data(), limit.min(self.left.get()));
        match len {
            Some(len) => self.spend(len),
            None => self.note_left_out(),
        }
        let is_admitted = len.is_some() && has_possible_rows(stream, limit);
        self.admitted.borrow_mut().insert(key, is_admitted);
        is_admitted
    }

    /// Bytes that all further streams may expand to.
    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    /// True when a stream was left out because of its size.
    pub(super) fn has_left_out(&self) -> bool {
        self.has_left_out.get()
    }

    /// Streams that cannot be decoded, or whose data is not what was packed; each counts once.
    pub(super) fn damaged(&self) -> u64 {
        self.damaged.borrow().len() as u64
    }

    /// Records that a stream was left out.
    pub(super) fn note_left_out(&self) {
        self.has_left_out.set(true);
    }

    fn spend(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes));
    }
}

/// The address of a stream's dictionary, which stays as long as the document exists.
fn key_of(stream: &Stream<'_>) -> (usize, usize) {
    let dict = stream.dict().data();
    (dict.as_ptr() as usize, dict.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_font::hayro_syntax::object::FromBytes;
    use std::io::Write;

    fn check(dict: &str, data: &[u8], expected: &[u8]) {
        let mut bytes = format!("<< {dict} /Length {} >> stream\n", data.len()).into_bytes();
        bytes.extend_from_slice(data);
        bytes.extend_from_slice(b"\nendstream");
        let stream = Stream::from_bytes(&bytes).expect("a stream");
        assert_eq!(*StreamDecoder::new().decode_start(&stream, 100), *expected, "{dict}");
    }

    #[test]
    fn a_stream_that_cannot_be_decoded_is_damaged_and_counts_once() {
        let damaged = |data: [u8; 64]| {
            let mut bytes = b"<</Filter/FlateDecode/Length 64>>stream\n".to_vec();
            bytes.extend_from_slice(&data);
            bytes.extend_from_slice(b"\nendstream");
            let stream = Stream::from_bytes(&bytes).unwrap();
            let decoder = StreamDecoder::new();
            let _ = (decoder.decode(&stream), decoder.decode(&stream));
            decoder.damaged()
        };
        assert_eq!((damaged([0; 64]), damaged([0xff; 64]), damaged([b' '; 64])), (1, 1, 0));
    }

    #[test]
    fn damage_is_seen_behind_a_predictor_and_other_filters() {
        // Rows of eight bytes; the first byte of each row names its predictor.
        let rows: Vec<u8> =
            (0..2000_u32).flat_map(|row| [[2; 1].as_slice(), &[row as u8; 8]].concat()).collect();
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::none());
        encoder.write_all(&rows).expect("memory is written");
        let packed = encoder.finish().expect("memory is written");
        let hex = |bytes: &[u8]| bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect();
        let damaged = |dict: &str, data: Vec<u8>| {
            let mut bytes = format!("<< {dict} /Length {} >> stream\n", data.len()).into_bytes();
            bytes.extend_from_slice(&data);
            bytes.extend_from_slice(b"\nendstream");
            let decoder = StreamDecoder::new();
            let _ = decoder.decode(&Stream::from_bytes(&bytes).expect("a stream"));
            decoder.damaged()
        };
        let rows = "/DecodeParms << /Predictor 12 /Columns 8 >>";
        let (deflate, chain) =
            (format!("/Filter /FlateDecode {rows}"), "/Filter [/ASCIIHexDecode /FlateDecode]");
        let mut lost = packed.clone();
        lost[9000..9064].fill(0);
        assert_eq!((damaged(&deflate, packed.clone()), damaged(chain, hex(&packed))), (0, 0));
        assert_eq!((damaged(&deflate, lost.clone()), damaged(chain, hex(&lost))), (1, 1));
        assert_eq!(damaged(&deflate, packed[..12_000].to_vec()), 1);
    }

    #[test]
    fn the_start_of_a_stream_is_decoded_without_the_rest() {
        let text: Vec<u8> = (0..20_000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&text).expect("memory is written");
        let packed = encoder.finish().expect("memory is written");
        check("/Filter /FlateDecode", &packed, &text[..100]);
        check("/Filter /FlateDecode", &packed[..packed.len() / 2], &text[..100]);
        check("/Filter /FlateDecode", b"no deflate", b"");
        check("/Filter /ASCIIHexDecode", b"616263>", b"abc");
        check("", b"abc", b"abc");
    }
}
