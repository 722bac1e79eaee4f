//! Packed streams: gzip, bzip2, xz and Zstandard. Streams of one kind that follow each other are one.

use crate::limits::containers::MAX_DICTIONARY_BYTES;
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, BufRead, Read};

/// How a stream is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Bzip2,
    Gzip,
    Xz,
    Zstd,
}

/// The unpacked bytes of a stream. What is wrong with it is an error where it is met.
///
/// # Errors
/// The decoder cannot be made.
pub(crate) fn unpacked<'r>(packing: Packing, data: impl BufRead + 'r) -> io::Result<Box<dyn Read + 'r>> {
    Ok(match packing {
        Packing::Bzip2 => Box::new(MultiBzDecoder::new(data)),
        Packing::Gzip => Box::new(GzipStreams { current: Some(GzDecoder::new(data)) }),
        Packing::Xz => {
            // The decoder counts its own tables too.
            let limit = (MAX_DICTIONARY_BYTES >> 10) as u32 + 1024;
            Box::new(XzReader::new_mem_limit(data, true, limit))
        }
        Packing::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(data)?;
            decoder.window_log_max(MAX_DICTIONARY_BYTES.ilog2())?;
            Box::new(decoder)
        }
    })
}

/// The streams of a gzip file. Zeros after the last one fill a block of a tape.
struct GzipStreams<R> {
    current: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for GzipStreams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(current) = &mut self.current {
            let read = current.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let rest = self.current.take().map(GzDecoder::into_inner);
            self.current = rest.map(next_gzip_stream).transpose()?.flatten().map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// The data at the start of the next stream; `None` if there is none.
fn next_gzip_stream<R: BufRead>(mut data: R) -> io::Result<Option<R>> {
    loop {
        let ahead = data.fill_buf()?;
        match ahead.iter().position(|&byte| byte != 0) {
            _ if ahead.is_empty() => return Ok(None),
            None => {
                let zeros = ahead.len();
                data.consume(zeros);
            }
            Some(at) if ahead.get(at) == Some(&0x1f) => {
                data.consume(at);
                return Ok(Some(data));
            }
            Some(_) => {
                let message = "bytes that are not packed follow its end";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::GzEncoder;

    fn gzip(text: &str) -> Vec<u8> {
        let mut packed = Vec::new();
        GzEncoder::new(text.as_bytes(), Compression::default()).read_to_end(&mut packed).unwrap();
        packed
    }

    fn check(packing: Packing, bytes: &[u8], expected: &str, problem: Option<&str>) {
        let mut text = Vec::new();
        let read = unpacked(packing, bytes).unwrap().read_to_end(&mut text);
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        assert_eq!(read.err().map(|error| error.to_string()).as_deref(), problem);
    }

    #[test]
    fn streams_that_follow_each_other_are_one() {
        let [one, two] = ["one ", "two"].map(gzip);
        check(Packing::Gzip, &[&one[..], &two].concat(), "one two", None);
        check(Packing::Gzip, &[&one[..], &two, &[0; 3000]].concat(), "one two", None);
        let after = Some("bytes that are not packed follow its end");
        check(Packing::Gzip, &[&one[..], b"more"].concat(), "one ", after);
        let [one, two] = ["one ", "two"].map(|text| zstd::encode_all(text.as_bytes(), 1).unwrap());
        check(Packing::Zstd, &[&one[..], &two].concat(), "one two", None);
    }

    #[test]
    fn a_dictionary_that_is_too_large_is_refused() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(27).unwrap();
        encoder.include_contentsize(false).unwrap();
        io::Write::write_all(&mut encoder, b"words").unwrap();
        let packed = encoder.finish().unwrap();
        let mut out = Vec::new();
        assert!(unpacked(Packing::Zstd, &packed[..]).unwrap().read_to_end(&mut out).is_err());
        assert!(out.is_empty());
    }
}
