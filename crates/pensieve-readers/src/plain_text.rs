//! Text files: any encoding, any size, in a stream of segments. Runs in the caller's process.

use pensieve_text::model::{ContentHasher, Problem, Segment};
use pensieve_text::text::decode::{DeclarationFormat, Decoder, EncodingHints, detect};
use std::io::{self, Read};

/// Largest file that is read whole before its encoding is decided.
const MAX_WHOLE_BYTES: usize = 4 << 20;

/// Bytes of a larger file from which its encoding is decided.
const DETECTION_BYTES: usize = 1 << 20;

/// Bytes that are decoded at a time.
const STEP_BYTES: usize = 256 << 10;

/// Reader name and edition, as `files.extractor` shows it.
pub const EXTRACTOR: &str = concat!("text ", env!("CARGO_PKG_VERSION"));

/// Facts about a text file that are known after reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFacts {
    /// The encoding of the file.
    pub encoding: &'static str,
    /// Bytes that could not be decoded.
    pub problem: Option<Problem>,
}

/// Reads text from `file` and passes it to `each` segment by segment; `each` returns false to stop. Every byte also
/// goes through `hasher`, if there is one. `None` if `each` stopped it.
///
/// Cost: one pass; at most 4 MiB of the file in memory, in a buffer that the caller keeps.
pub fn read_text(
    file: &mut dyn Read,
    declared: DeclarationFormat,
    buffer: &mut Vec<u8>,
    mut hasher: Option<&mut ContentHasher>,
    each: &mut dyn FnMut(Segment) -> io::Result<bool>,
) -> io::Result<Option<TextFacts>> {
    buffer.clear();
    file.take(MAX_WHOLE_BYTES as u64 + 1).read_to_end(buffer)?;
    let whole = buffer.len() <= MAX_WHOLE_BYTES;
    let sample_bytes = if whole { buffer.len() } else { DETECTION_BYTES };
    let detection =
        detect(&buffer[..sample_bytes], whole, &EncodingHints { declared: None, format: declared });
    let mut decoder = Decoder::new(&detection);
    let mut wanted = true;
    loop {
        if let Some(hasher) = hasher.as_deref_mut() {
            hasher.update(buffer);
        }
        let last = buffer.len() < STEP_BYTES || whole;
        let mut steps = buffer.chunks(STEP_BYTES).peekable();
        if steps.peek().is_none() && wanted {
            wanted = each(decoder.push(&[], true))?;
        }
        while let Some(step) = steps.next().filter(|_| wanted) {
            wanted = each(decoder.push(step, last && steps.peek().is_none()))?;
        }
        if !wanted {
            return Ok(None);
        }
        if last {
            break;
        }
        buffer.clear();
        file.take(STEP_BYTES as u64).read_to_end(buffer)?;
    }
    // The encoding of a large file that begins with ASCII is decided at the first other byte.
    Ok(Some(TextFacts { encoding: decoder.encoding().name(), problem: decoder.problem() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8]) -> String {
        let mut text = String::new();
        let mut each = |segment: Segment| {
            text.push_str(&segment.text);
            Ok(true)
        };
        read_text(&mut &bytes[..], DeclarationFormat::None, &mut Vec::new(), None, &mut each)
            .expect("memory is readable");
        text
    }

    #[test]
    fn whole_and_streamed_files_come_out_as_they_are() {
        for size in [
            0,
            1,
            STEP_BYTES - 1,
            STEP_BYTES,
            STEP_BYTES + 1,
            MAX_WHOLE_BYTES,
            MAX_WHOLE_BYTES + 1,
            MAX_WHOLE_BYTES + STEP_BYTES,
            MAX_WHOLE_BYTES + 2 * STEP_BYTES + 7,
        ] {
            let text = "abcdefg é\n".repeat(size / 10 + 1);
            assert!(check(text.as_bytes()) == text, "size {size}");
        }
        assert_eq!(check(b""), "");
    }
}
