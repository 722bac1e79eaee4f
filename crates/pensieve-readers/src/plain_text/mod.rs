//! Text files: any encoding, any size, in a stream of segments. Runs in the caller's process.

mod element_end;
mod json_end;
mod marked_end;
mod loss;

use loss::LossSearch;
use pensieve_text::format::Format;
use pensieve_text::model::{ContentHasher, Document, Segment};
use pensieve_text::text::decode::{Decoder, EncodingHints, detect};
use pensieve_text::text::secrets::mask_secrets;
use std::io::{self, Read};

/// Largest file that is read whole before its encoding is decided.
const MAX_WHOLE_BYTES: usize = 4 << 20;

/// Bytes of a larger file from which its encoding is decided.
const DETECTION_BYTES: usize = 1 << 20;

/// Bytes that are decoded at a time.
const STEP_BYTES: usize = 256 << 10;

/// Reader name and edition, as `files.extractor` shows it.
pub const EXTRACTOR: &str = concat!("text ", env!("CARGO_PKG_VERSION"));

/// A string that changes whenever the result for the same file may change.
pub const RECIPE: &str = "text 2";

/// The same for formats whose secret values are masked.
pub const MASKED_RECIPE: &str = "masked text 1";

/// Reads text from `file` and passes it to `each` segment by segment; `each` returns false to stop. Every byte also
/// goes through `hasher`, if there is one. The document has no text, but the encoding, and as problems the bytes that
/// cannot be decoded and what is lost. `None` if `each` stopped it. Secret values of formats that have some are masked.
///
/// # Errors
/// If the file cannot be read, `each` fails, or values are to be masked in more than 4 MiB, which is no environment file.
///
/// Cost: one pass; at most 4 MiB of the file in memory, in a buffer that the caller keeps.
pub fn read_text(
    file: &mut dyn Read,
    format: &Format,
    buffer: &mut Vec<u8>,
    mut hasher: Option<&mut ContentHasher>,
    each: &mut dyn FnMut(Segment) -> io::Result<bool>,
) -> io::Result<Option<Document>> {
    buffer.clear();
    file.take(MAX_WHOLE_BYTES as u64 + 1).read_to_end(buffer)?;
    let whole = buffer.len() <= MAX_WHOLE_BYTES;
    if format.is_masked && !whole {
        let message = format!(
            "an {} of more than {MAX_WHOLE_BYTES} bytes, in which no secrets are masked",
            format.label
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    // A secret may begin in one step and end in the next.
    let step_bytes = if format.is_masked { MAX_WHOLE_BYTES } else { STEP_BYTES };
    let sample_bytes = if whole { buffer.len() } else { DETECTION_BYTES };
    let hints = EncodingHints { declared: None, format: format.declared_in };
    let mut decoder = Decoder::new(&detect(&buffer[..sample_bytes], whole, &hints));
    let mut loss = LossSearch::new(format);
    let mut decode = |decoder: &mut Decoder, loss: &mut LossSearch, bytes: &[u8], last: bool| {
        let mut segment = decoder.push(bytes, last);
        if format.is_masked {
            segment = mask_secrets(segment);
        }
        loss.text(&segment.text);
        each(segment)
    };
    let mut wanted = true;
    loop {
        if let Some(hasher) = hasher.as_deref_mut() {
            hasher.update(buffer);
        }
        loss.bytes(buffer);
        let last = buffer.len() < STEP_BYTES || whole;
        let mut steps = buffer.chunks(step_bytes).peekable();
        if steps.peek().is_none() && wanted {
            wanted = decode(&mut decoder, &mut loss, &[], true)?;
        }
        while let Some(step) = steps.next().filter(|_| wanted) {
            wanted = decode(&mut decoder, &mut loss, step, last && steps.peek().is_none())?;
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
    let mut document = Document {
        encoding: Some(decoder.encoding().name().to_owned()),
        problems: decoder.problem().into_iter().collect(),
        ..Document::default()
    };
    loss.damage().into_iter().for_each(|what| document.note_damage(what));
    Ok(Some(document))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::format::by_name;

    fn read(bytes: &[u8], format: &str) -> (String, Document) {
        let mut text = String::new();
        let mut each = |segment: Segment| {
            text.push_str(&segment.text);
            Ok(true)
        };
        let format = by_name(format).expect("it has a row");
        let read = read_text(&mut &bytes[..], format, &mut Vec::new(), None, &mut each);
        let document = read.expect("memory is readable").expect("nothing stops it");
        (text, document)
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
            let (found, document) = read(text.as_bytes(), "text");
            assert!(found == text, "size {size}");
            assert!(document.problems.is_empty(), "size {size}");
        }
        assert_eq!(read(b"", "text").0, "");
    }

    fn check_loss(bytes: &[u8], format: &str, expected: Option<&str>) {
        let document = read(bytes, format).1;
        let problems: Vec<&str> = document.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(problems, expected.into_iter().collect::<Vec<_>>(), "{format}");
        assert_eq!(document.review_reasons.len(), problems.len());
    }

    #[test]
    fn a_block_of_zeros_is_a_problem_and_nothing_around_it_is_lost() {
        let words = "words ".repeat(100);
        let bytes = [words.as_bytes(), &[0; 64], b"more"].concat();
        let lost = "a block of the file is nothing but zeros, from byte 600 on";
        check_loss(&bytes, "text", Some(lost));
        let text = read(&bytes, "text").0;
        assert!(text.starts_with(&words) && text.ends_with("more"));
        let far = [&vec![b'x'; MAX_WHOLE_BYTES + 10][..], &[0; 4096], b"more"].concat();
        check_loss(&far, "csv", Some("a block of the file is nothing but zeros, from byte 4194314 on"));
        let wide: Vec<u8> = "a, b\r\n".repeat(50).encode_utf16().flat_map(u16::to_le_bytes).collect();
        check_loss(&wide, "csv", None);
        check_loss(&[wide.as_slice(), &[0; 200], &wide].concat(), "csv", Some(&lost.replace("600", "599")));
    }

    #[test]
    fn secret_values_are_masked_across_steps() {
        let text = format!("A={}\nSECRET_KEY='x{}x'\n", "a".repeat(STEP_BYTES - 20), "\n".repeat(100));
        let masked = read(text.as_bytes(), "dotenv").0;
        assert!(masked.ends_with("a\nSECRET_KEY='***'\n"), "{}", &masked[masked.len() - 40..]);
        let large = vec![b'a'; MAX_WHOLE_BYTES + 1];
        let format = by_name("dotenv").expect("it has a row");
        let error = read_text(&mut &large[..], format, &mut Vec::new(), None, &mut |_| Ok(true)).unwrap_err();
        assert!(error.to_string().starts_with("an environment file of more than"), "{error}");
    }

    #[test]
    fn a_file_that_must_have_an_end_and_has_none_was_cut() {
        let bracket = Some("the file ends before its last bracket: it was cut short");
        let tag = Some("the file ends before its last tag: it was cut short");
        let line = Some("the file ends before its last line: it was cut short");
        check_loss(b"{\"a\": [1, 2", "json", bracket);
        check_loss(b"{\"a\": [1, 2]}", "json", None);
        check_loss(b"{\"a\": 1}\n{\"a\":", "jsonl", bracket);
        check_loss(b"<?xml version='1.0'?><a><b/>", "xml", tag);
        check_loss(b"<SAMI>\n<BODY>", "text", tag);
        check_loss(b"<a><b/>", "text", None);
        check_loss(b"\\begin{document}\nwords", "tex", line);
        check_loss(b"BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:B", "vcard", line);
        check_loss(b"BEGIN:VCALENDAR\nEND:VCALENDAR\n", "ics", None);
        check_loss(b"plain words that", "text", None);
    }
}
