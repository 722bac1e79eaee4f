//! Counts what the filters of a stream expand its data to, without keeping the result. `hayro-syntax` decodes without
//! a limit: a kilobyte becomes a megabyte, and a gigabyte if packed twice. So the bytes are counted before it
//! decodes. Sources: ISO 32000-2, 7.4 (filters); RFC 1950 and 1951.

use crate::limits::pdf::MAX_STREAM_BYTES;
use flate2::bufread::{DeflateDecoder, ZlibDecoder};
use hayro_font::hayro_syntax::Filter;
use hayro_font::hayro_syntax::object::{Array, Dict, FromBytes, Object, Stream};
use std::borrow::Cow;
use std::io::Read;

/// Codes of an empty LZW table: the bytes, "clear the table" and "end of data".
const LZW_CODES: usize = 258;

/// Codes that an LZW table has room for.
const LZW_TABLE: usize = 4096;

/// Bytes of work that it takes to start a decoder, about: memory for its tables is allocated and cleared.
const DECODER_START_BYTES: usize = 16 << 10;

/// Bytes at the end of packed data among which its checksum is.
const CHECKSUM_END_BYTES: usize = 8;

/// What counting a stream's output found.
pub(super) struct Expansion {
    /// Bytes that the filters make, or `None` if one of them makes more than the limit.
    pub(super) len: Option<usize>,
    /// Bytes that were read and made to find out.
    pub(super) work: usize,
}

/// What one filter makes of its data.
struct Filtered {
    len: usize,
    work: usize,
}

/// How many bytes the filters of a stream make of `data`, or `None` if one of them makes more than `limit`. Pictures
/// count as 0, since they are never decoded.
pub(super) fn decoded_len(stream: &Stream<'_>, data: &[u8], limit: usize) -> Option<usize> {
    expansion(stream, data, limit).len
}

/// How many bytes the filters of a stream make of `data`, and what it costs to count them.
pub(super) fn expansion(stream: &Stream<'_>, data: &[u8], limit: usize) -> Expansion {
    let filters = stream.filters();
    if filters.iter().any(is_picture) {
        return Expansion { len: Some(0), work: 0 };
    }
    let (mut data, mut work) = (Cow::Borrowed(data), 0_usize);
    for (at, filter) in filters.iter().enumerate() {
        let parameters = parameters_of(stream.dict(), at);
        let one = filtered_len(*filter, &data, &parameters, limit);
        work = work.saturating_add(one.work);
        if one.len > limit {
            return Expansion { len: None, work };
        }
        if at + 1 == filters.len() {
            return Expansion { len: Some(one.len), work };
        }
        // The data is decoded once more to keep it.
        work = work.saturating_add(one.work);
        data = Cow::Owned(filtered(*filter, &data, &parameters));
    }
    Expansion { len: Some(data.len()), work }
}

/// True if the filters of a stream cannot make more than `limit` bytes of any `len` bytes.
pub(super) fn is_surely_within(stream: &Stream<'_>, len: usize, limit: usize) -> bool {
    let filters = stream.filters();
    filters.iter().any(is_picture)
        || filters.iter().map(most_from_one_byte).fold(len, usize::saturating_mul) <= limit
}

/// False if the rows of a predictor are empty or longer than a stream may be: memory for a row is allocated in
/// advance.
pub(super) fn has_possible_rows(stream: &Stream<'_>, limit: usize) -> bool {
    (0..stream.filters().len()).map(|at| parameters_of(stream.dict(), at)).all(|parameters| {
        let number = |key: &str, default: usize| parameters.get::<usize>(key).unwrap_or(default);
        let bits = number("BitsPerComponent", 8).saturating_mul(number("Colors", 1));
        let row = bits.saturating_mul(number("Columns", 1));
        number("Predictor", 1) == 1 || (1..=limit).contains(&row.div_ceil(8))
    })
}

/// The first `bytes` that the data of a stream expands to; `None` unless deflate is its only filter.
pub(super) fn flate_start(stream: &Stream<'_>, bytes: usize) -> Option<Vec<u8>> {
    is_only_deflate(stream).then(|| {
        let mut start = Vec::with_capacity(bytes);
        // What comes before an error is read.
        let _ = ZlibDecoder::new(&*stream.raw_data()).take(bytes as u64).read_to_end(&mut start);
        start
    })
}

/// False if the packed data of a stream, which was decoded to `data`, ends with another checksum than that of what was
/// packed. Only deflate has one.
///
/// Cost: if other filters or a predictor follow, the data is unpacked once more. It must fit into the limit of a stream.
pub(super) fn has_its_checksum(stream: &Stream<'_>, data: &[u8]) -> bool {
    let filters = stream.filters();
    let Some(deflate) = filters.iter().position(|filter| *filter == Filter::FlateDecode) else { return true };
    let mut packed = stream.raw_data();
    if is_only_deflate(stream) {
        return ends_with(&packed, simd_adler32::adler32(&data));
    }
    for (at, filter) in filters[..deflate].iter().enumerate() {
        packed = Cow::Owned(filtered(*filter, &packed, &parameters_of(stream.dict(), at)));
    }
    let (mut checksum, mut buffer) = (simd_adler32::Adler32::new(), vec![0; 16 << 10]);
    let mut unpacked = ZlibDecoder::new(&*packed).take(MAX_STREAM_BYTES as u64);
    while let Ok(length @ 1..) = unpacked.read(&mut buffer) {
        checksum.write(&buffer[..length]);
    }
    ends_with(&packed, checksum.finish())
}

/// True if packed data ends with a checksum; some programs write line ends after it.
fn ends_with(packed: &[u8], checksum: u32) -> bool {
    let end = &packed[packed.len().saturating_sub(CHECKSUM_END_BYTES)..];
    end.windows(4).any(|bytes| bytes == checksum.to_be_bytes())
}

fn is_only_deflate(stream: &Stream<'_>) -> bool {
    let is_plain = parameters_of(stream.dict(), 0).get::<usize>("Predictor").is_none_or(|number| number == 1);
    is_plain && matches!(*stream.filters(), [Filter::FlateDecode])
}

fn is_picture(filter: &Filter) -> bool {
    matches!(filter, Filter::DctDecode | Filter::JpxDecode | Filter::Jbig2Decode | Filter::CcittFaxDecode)
}

fn most_from_one_byte(filter: &Filter) -> usize {
    match filter {
        Filter::FlateDecode => 1032,
        // A full table yields its longest string for each code of twelve bits.
        Filter::LzwDecode => LZW_TABLE * 2 / 3,
        Filter::RunLengthDecode => 64,
        Filter::Ascii85Decode => 4,
        _ => 1,
    }
}

/// The length of one filter's output; counting stops above the limit.
fn filtered_len(filter: Filter, data: &[u8], parameters: &Dict<'_>, limit: usize) -> Filtered {
    let len = match filter {
        Filter::FlateDecode => return flate_len(data, limit),
        Filter::LzwDecode => lzw_len(data, parameters.get::<u8>("EarlyChange") != Some(0), limit),
        Filter::RunLengthDecode => run_length_len(data),
        Filter::Ascii85Decode => ascii_85_len(data),
        Filter::AsciiHexDecode => ascii_hex_len(data),
        _ => data.len(),
    };
    Filtered { len, work: data.len() }
}

/// Deflate data with the header of zlib, or without.
fn flate_len(data: &[u8], limit: usize) -> Filtered {
    let mut zlib = ZlibDecoder::new(data);
    let (len, is_whole) = counted(&mut zlib, limit);
    let work = work_of(zlib.total_in(), len);
    if is_whole {
        return Filtered { len, work };
    }
    let mut bare = DeflateDecoder::new(data);
    let (bare_len, _) = counted(&mut bare, limit);
    Filtered { len: len.max(bare_len), work: work.saturating_add(work_of(bare.total_in(), bare_len)) }
}

fn work_of(read: u64, made: usize) -> usize {
    usize::try_from(read).unwrap_or(usize::MAX).saturating_add(made).saturating_add(DECODER_START_BYTES)
}

/// How many bytes can be read, up to just above the limit, and whether reading ended without an error.
fn counted(decoder: &mut impl Read, limit: usize) -> (usize, bool) {
    let mut buffer = [0; 16 << 10];
    let mut len = 0;
    while len <= limit {
        match decoder.read(&mut buffer) {
            Ok(0) => return (len, true),
            Ok(read) => len += read,
            Err(_) => return (len, false),
        }
    }
    (len, true)
}

fn run_length_len(data: &[u8]) -> usize {
    let (mut len, mut at) = (0, 0);
    while let Some(&head) = data.get(at) {
        let (given, taken) = match usize::from(head) {
            128 => break,
            head @ 0..128 => (head + 1, head + 2),
            head => (257 - head, 2),
        };
        (len, at) = (len + given, at + taken);
    }
    len
}

/// Five digits make four bytes, a shorter group at the end one byte less than its digits, and `z` alone makes four.
fn ascii_85_len(data: &[u8]) -> usize {
    let (mut len, mut group) = (0, 0_usize);
    for byte in data.iter().filter(|byte| !is_white_space(**byte)) {
        match byte {
            b'!'..=b'u' if group == 4 => (len, group) = (len + 4, 0),
            b'!'..=b'u' => group += 1,
            b'z' => (len, group) = (len + group.saturating_sub(1) + 4, 0),
            _ => break,
        }
    }
    len + group.saturating_sub(1)
}

fn ascii_hex_len(data: &[u8]) -> usize {
    let digits = data.iter().take_while(|byte| **byte != b'>').filter(|byte| !is_white_space(**byte));
    digits.count().div_ceil(2)
}

/// White space of PDF.
pub(super) fn is_white_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Only the lengths of the strings in the table are kept.
fn lzw_len(data: &[u8], changes_early: bool, limit: usize) -> usize {
    let mut lengths = vec![1; LZW_CODES];
    let (mut len, mut at, mut last) = (0, 0, None);
    while len <= limit {
        let width = match lengths.len() + usize::from(changes_early) {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        let Some(code) = bits(data, at, width) else { break };
        at += width;
        match (code, last) {
            (256, _) => {
                lengths.truncate(LZW_CODES);
                last = None;
                continue;
            }
            (257, _) => break,
            (_, Some(last)) if lengths.len() < LZW_TABLE => lengths.push(last + 1),
            _ => {}
        }
        let Some(&length) = lengths.get(code) else { break };
        len += length;
        last = Some(length);
    }
    len
}

/// A number of up to 16 bits at a bit offset, highest bit first.
fn bits(data: &[u8], at: usize, width: usize) -> Option<usize> {
    let byte = |at: usize| data.get(at).copied().map(usize::from);
    let first = at / 8;
    (at + width <= data.len() * 8).then_some(())?;
    let three = byte(first)? << 16 | byte(first + 1).unwrap_or(0) << 8 | byte(first + 2).unwrap_or(0);
    Some(three >> (24 - at % 8 - width) & ((1 << width) - 1))
}

/// The parameters of the filter at that index.
fn parameters_of<'a>(dict: &Dict<'a>, at: usize) -> Dict<'a> {
    let one = |key: &str| dict.get::<Dict<'a>>(key).filter(|_| at == 0);
    let of_several =
        |key: &str| dict.get::<Array<'a>>(key)?.iter::<Object<'a>>().nth(at).and_then(Object::into_dict);
    ["DP", "DecodeParms"].iter().find_map(|key| one(key).or_else(|| of_several(key))).unwrap_or_default()
}

/// The output of one of several filters: decodes the data as a stream with only that filter.
fn filtered(filter: Filter, data: &[u8], parameters: &Dict<'_>) -> Vec<u8> {
    let name = match filter {
        Filter::FlateDecode => "Fl",
        Filter::LzwDecode => "LZW",
        Filter::RunLengthDecode => "RL",
        Filter::Ascii85Decode => "A85",
        Filter::AsciiHexDecode => "AHx",
        _ => return data.to_vec(),
    };
    let mut stream = format!("<< /Length {} /Filter /{name} /DecodeParms ", data.len()).into_bytes();
    stream.extend_from_slice(if parameters.data().is_empty() { b"<< >>" } else { parameters.data() });
    stream.extend_from_slice(b" >> stream\n");
    stream.extend_from_slice(data);
    stream.extend_from_slice(b"\nendstream");
    let decoded =
        Stream::from_bytes(&stream).and_then(|stream| Some(stream.decoded_data().ok()?.into_owned()));
    decoded.unwrap_or_default()
}
