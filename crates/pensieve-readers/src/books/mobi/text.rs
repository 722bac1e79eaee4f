//! The text of a Mobipocket or KF8 book: its records, unpacked, one after the other.

use super::header::BookHeader;
use super::huff::PhraseDictionary;
use super::index::trailing;
use crate::books::palm_database::{PalmDatabase, damaged};
use crate::books::palmdoc_lz as lz;
use crate::limits::mobi::{MAX_DICTIONARY_RECORDS, MAX_TEXT_BYTES};
use pensieve_text::model::{Problem, ProblemKind};

/// The text of a book.
#[derive(Debug, Default)]
pub(super) struct RawText {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The number of missing or broken records, and of all records.
    pub broken: usize,
    pub records: usize,
    /// The text was cut because it was too large.
    pub is_cut: bool,
}

enum TextCompression {
    Plain,
    PalmDoc,
    Huff(Box<PhraseDictionary>),
}

/// Reads the records of the text.
///
/// # Errors
/// The compression is unknown, or its dictionary cannot be read, or there is no text.
pub(super) fn read(database: &mut PalmDatabase<'_>, header: &BookHeader) -> Result<RawText, Problem> {
    let mut packed = packing(database, header)?;
    let mut text = RawText::default();
    let there = database.len().saturating_sub(header.base + 1);
    text.records = header.records;
    text.broken = header.records.saturating_sub(there);
    for number in 1..=header.records.min(there) {
        let Some(mut record) = database.record(header.base + number) else {
            text.broken += 1;
            continue;
        };
        record.truncate(record.len() - trailing(&record, header.trailing));
        let is_whole = match &mut packed {
            TextCompression::Plain => {
                text.bytes.extend_from_slice(&record);
                true
            }
            TextCompression::PalmDoc => lz::unpack(&record, &mut text.bytes),
            TextCompression::Huff(dictionary) => dictionary.unpack(&record, &mut text.bytes),
        };
        text.broken += usize::from(!is_whole);
        if text.bytes.len() > MAX_TEXT_BYTES {
            text.bytes.truncate(MAX_TEXT_BYTES);
            text.is_cut = true;
            break;
        }
    }
    match text.bytes.is_empty() {
        true => Err(damaged("no record of its text can be read")),
        false => Ok(text),
    }
}

fn packing(database: &mut PalmDatabase<'_>, header: &BookHeader) -> Result<TextCompression, Problem> {
    match header.compression {
        1 => Ok(TextCompression::Plain),
        2 => Ok(TextCompression::PalmDoc),
        17480 => {
            let (first, count) = header.dictionary;
            let first = header.base.saturating_add(first);
            let code = database.record(first).unwrap_or_default();
            let last = first.saturating_add(count.min(MAX_DICTIONARY_RECORDS));
            let phrases = (first.saturating_add(1)..last).filter_map(|number| database.record(number));
            let dictionary = PhraseDictionary::read(&code, phrases);
            let dictionary = dictionary.ok_or_else(|| damaged("its HUFF/CDIC dictionary cannot be read"))?;
            Ok(TextCompression::Huff(Box::new(dictionary)))
        }
        other => Err(damaged(format!("no compression of Mobipocket books: {other}"))),
    }
}

impl RawText {
    /// One problem for each kind of damage.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.is_cut {
            let message = format!("the book expands beyond {MAX_TEXT_BYTES} bytes: the rest is left out");
            problems.push(Problem::new(ProblemKind::SizeLimit, message));
        }
        if self.broken > 0 {
            let message =
                format!("{} of {} records of text are missing or broken", self.broken, self.records);
            problems.push(damaged(message));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_damage_is_a_problem() {
        let problems = |broken: usize, is_cut: bool| {
            let text = RawText { bytes: Vec::new(), broken, records: 5, is_cut };
            text.problems().into_iter().map(|problem| problem.kind).collect::<Vec<_>>()
        };
        assert!(problems(0, false).is_empty());
        assert_eq!(problems(1, false), [damaged("x").kind]);
        assert_eq!(problems(0, true), [ProblemKind::SizeLimit]);
        assert_eq!(problems(2, true), [ProblemKind::SizeLimit, damaged("x").kind]);
    }
}
