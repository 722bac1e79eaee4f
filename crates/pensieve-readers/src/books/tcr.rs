//! TCR, the format of Psion's readers: text in which each byte represents a string of a table at the start of the
//! file.
//!
//! After the MobileRead wiki ("TCR"): the mark `!!8-Bit!!`, 256 strings, each after a byte for its length, then the
//! text. The text is plain; its places are lines of the unpacked text.

use crate::books::palm::read_text;
use crate::books::palm_database::damaged;
use crate::limits::tcr::MAX_TEXT_BYTES;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, ProblemKind};

/// The first bytes of a file.
const MARK: &[u8] = b"!!8-Bit!!";

/// Reads a TCR book.
///
/// # Errors
/// `Damaged` if the file does not begin like such a book, or ends before its text.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let rest = bytes.strip_prefix(MARK).ok_or_else(|| damaged("no TCR book: its mark is missing"))?;
    let (table, codes) = table(rest).ok_or_else(|| damaged("the file ends inside its table of strings"))?;
    let mut text = Vec::new();
    let mut is_cut = false;
    let mut unknown = 0;
    for &code in codes {
        if text.len() > MAX_TEXT_BYTES {
            is_cut = true;
            break;
        }
        let string = table[usize::from(code)];
        unknown += usize::from(string.is_empty());
        text.extend_from_slice(string);
    }
    if text.is_empty() {
        return Err(damaged("the book has no text"));
    }
    let mut document = read_text(&text, settings);
    document.mime = Some("application/x-tcr".to_owned());
    if is_cut {
        let message = format!("the book expands beyond {MAX_TEXT_BYTES} bytes: the rest is left out");
        document.problems.push(Problem::new(ProblemKind::SizeLimit, message));
    }
    if unknown > 0 {
        let message = format!("{unknown} of {} bytes have no string", codes.len());
        document.note_skipped(message);
    }
    Ok(document)
}

/// The strings, and the bytes that follow them.
fn table(mut rest: &[u8]) -> Option<([&[u8]; 256], &[u8])> {
    let mut strings: [&[u8]; 256] = [&[]; 256];
    for string in &mut strings {
        let (&length, tail) = rest.split_first()?;
        *string = tail.get(..usize::from(length))?;
        rest = &tail[usize::from(length)..];
    }
    Some((strings, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::DiscardingSink;
    use std::io::Cursor;

    /// A book in which `0` stands for the first string, `1` for the second.
    fn book(strings: [&[u8]; 2], codes: &[u8]) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        for code in 0..=255u8 {
            let string = match code {
                b'0' => strings[0],
                b'1' => strings[1],
                _ => b"",
            };
            bytes.push(string.len() as u8);
            bytes.extend_from_slice(string);
        }
        bytes.extend_from_slice(codes);
        bytes
    }

    fn check(bytes: &[u8], expected: Result<(&str, usize), &str>) {
        let mut file = Cursor::new(bytes);
        let mut source = DocumentSource::new(&mut file, "a.tcr").unwrap();
        let found = read(&mut source, &ReadSettings::default(), &mut DiscardingSink);
        let found = found.map(|document| (document.text.text, document.review_reasons.len()));
        let found = found.map_err(|problem| problem.message);
        let expected =
            expected.map(|(text, review_reasons)| (text.to_owned(), review_reasons)).map_err(str::to_owned);
        assert_eq!(found, expected);
    }

    #[test]
    fn bytes_stand_for_strings() {
        let whole = book([b"one ", b"two\n"], b"0010");
        check(&whole, Ok(("one one two\none ", 0)));
        check(&book([b"one ", b"two\n"], b"01x"), Ok(("one two\n", 1)));
        check(&book([b"caf\xc3\xa9 ", b"\xe2\x80\x9c"], b"10"), Ok(("“café ", 0)));
        check(&whole[..100], Err("the file ends inside its table of strings"));
        check(b"!!8-Bit", Err("no TCR book: its mark is missing"));
        check(&book([b"", b""], b"00"), Err("the book has no text"));
    }

    #[test]
    fn bombs_end() {
        let bomb = book([&[b'a'; 255], b"\n"], &vec![b'0'; 200_000]);
        let mut file = Cursor::new(&bomb);
        let mut source = DocumentSource::new(&mut file, "a.tcr").unwrap();
        let document = read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap();
        assert_eq!(document.problems[0].kind, ProblemKind::SizeLimit);
        assert!(document.text.text.len() < MAX_TEXT_BYTES + 256);
    }
}
