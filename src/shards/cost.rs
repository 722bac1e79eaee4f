//! What a file is expected to cost before it is read: processor time by format and size.

use pensieve_text::format::{Format, ReaderKind};
use pensieve_text::model::TextKind;

/// Nanoseconds for each file, whatever it contains: rows, look-ups, digests.
const FILE_NS: u64 = 150_000;

/// Nanoseconds for each byte that is only hashed.
const HASH_NS: f64 = 1.0;

/// Nanoseconds for each byte, by format; `benches/README.md` says how they were measured. Documents are packed, so that
/// their text may be much larger or smaller than they are.
const DOCUMENT_NS: &[(&str, f64)] = &[
    ("docx", 60.0),
    ("eml", 90.0),
    ("epub", 200.0),
    ("html", 200.0),
    ("mbox", 90.0),
    ("odt", 120.0),
    ("pdf", 60.0),
    ("pptx", 20.0),
    ("xlsx", 600.0),
];

/// Nanoseconds for each byte of other documents.
const OTHER_DOCUMENT_NS: f64 = 100.0;

/// Nanoseconds for each byte of text, by its kind.
fn text_ns(kind: TextKind) -> f64 {
    match kind {
        TextKind::Prose | TextKind::Markup => 60.0,
        TextKind::Code | TextKind::Data => 50.0,
    }
}

/// Nanoseconds that it takes to hash a file of this size.
pub(super) fn hashing(size: u64) -> u64 {
    FILE_NS + (size as f64 * HASH_NS) as u64
}

/// Nanoseconds that it takes to read a file of this format and size into a database, in addition to hashing it; `None` is a
/// file that is not read.
pub(super) fn reading(format: Option<&Format>, size: u64) -> u64 {
    let Some(format) = format else { return 0 };
    let ns = match format.reader {
        ReaderKind::Text => text_ns(format.kind),
        ReaderKind::Document | ReaderKind::Converter => {
            DOCUMENT_NS.iter().find(|(name, _)| *name == format.name).map_or(OTHER_DOCUMENT_NS, |(_, ns)| *ns)
        }
    };
    (size as f64 * ns) as u64
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
}
