//! What a file is expected to cost before it is read: processor time by format and size.

use pensieve_text::format::{Format, ReaderKind};
use pensieve_text::model::TextKind;

/// Nanoseconds for each file, whatever it contains: rows, look-ups, digests.
const FILE_NS: u64 = 200_000;

/// Nanoseconds for each document, whatever it contains: it goes to a worker and back.
const DOCUMENT_FILE_NS: u64 = 1_000_000;

/// Nanoseconds for each byte that is only hashed.
const HASH_NS: f64 = 1.0;

/// Nanoseconds for each byte of documents, by format, as `benches/merge.sh` measures them.
const DOCUMENT_NS: &[(&str, f64)] = &[
    ("doc", 100.0),
    ("docx", 45.0),
    ("eml", 90.0),
    ("epub", 110.0),
    ("html", 35.0),
    ("msg", 80.0),
    ("pdf", 65.0),
    ("pptx", 50.0),
    ("rtf", 150.0),
    ("xls", 120.0),
    ("xlsx", 65.0),
];

/// Nanoseconds for each byte of other documents.
const OTHER_DOCUMENT_NS: f64 = 100.0;

/// Nanoseconds for each byte of text, by its kind.
fn text_ns(kind: TextKind) -> f64 {
    match kind {
        TextKind::Prose => 150.0,
        TextKind::Markup | TextKind::Data => 80.0,
        TextKind::Code => 45.0,
    }
}

/// Nanoseconds that it takes to hash a file of this size.
pub(super) fn hashing(size: u64) -> u64 {
    FILE_NS + (size as f64 * HASH_NS) as u64
}

/// Nanoseconds that it takes to read a file of this format and size into a database, in addition to hashing it; a file
/// without a format is not read.
pub(super) fn reading(format: Option<&Format>, size: u64) -> u64 {
    let Some(format) = format else { return 0 };
    let documents = || DOCUMENT_NS.iter().find(|(name, _)| *name == format.name);
    let (fixed, ns) = match format.reader {
        ReaderKind::Text => (0, text_ns(format.kind)),
        _ => (DOCUMENT_FILE_NS, documents().map_or(OTHER_DOCUMENT_NS, |(_, ns)| *ns)),
    };
    fixed + (size as f64 * ns) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::format::by_name;

    #[test]
    fn every_named_format_is_one_of_the_table() {
        assert!(DOCUMENT_NS.is_sorted());
        for (name, _) in DOCUMENT_NS {
            assert!(by_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_is_read_costs_more_than_what_is_hashed() {
        for name in ["text", "rust", "pdf", "rtf"] {
            assert!(reading(by_name(name), 1 << 20) > hashing(1 << 20) - FILE_NS, "{name}");
        }
        assert_eq!(reading(None, 1 << 20), 0);
    }

    #[test]
    fn costs_grow_with_the_size_by_the_format() {
        assert_eq!((hashing(0), hashing(1000)), (200_000, 201_000));
        for (name, empty, thousand) in [
            ("text", 0, 150_000),
            ("markdown", 0, 80_000),
            ("json", 0, 80_000),
            ("rust", 0, 45_000),
            ("html", 1_000_000, 1_035_000),
            ("pdf", 1_000_000, 1_065_000),
            ("odt", 1_000_000, 1_100_000),
        ] {
            let format = by_name(name);
            assert_eq!((reading(format, 0), reading(format, 1000)), (empty, thousand), "{name}");
        }
    }
}
