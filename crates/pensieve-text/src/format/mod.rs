//! Formats: one table, and the judgement by which a file finds its row.
//!
//! A row says everything the program knows about a format before it opens a file of it; `check-dependencies`, listings
//! and documentation read the same rows. Nothing here opens files: content comes in as the first bytes.

mod magic;
mod sniff;
mod table;

pub use sniff::{SniffOptions, SniffResult, SniffVerdict, sniff};
pub use table::{FORMATS, Format, ReaderKind, by_extension, by_filename, by_name};

use crate::model::{DocumentKind, FileType};

/// The formats that are mail.
const MAIL: &[&str] = &["eml", "mbox", "msg"];

/// What follows the last dot of a name, in lower case; empty for names without and for dot files.
pub fn extension_of(filename: &str) -> String {
    match filename.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => String::new(),
    }
}

/// What a row is for a person, by its type and MIME type: a duplicate has no format of its own.
pub fn document_kind(file_type: FileType, mime: Option<&str>) -> DocumentKind {
    let mail = || MAIL.iter().filter_map(|name| by_name(name)).map(|row| row.mime);
    match file_type {
        _ if mail().any(|known| mime == Some(known)) => DocumentKind::Mail,
        FileType::Member => DocumentKind::Attachment,
        _ => DocumentKind::Document,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_is_mail_wherever_it_lies() {
        let check = |file_type, mime, expected| assert_eq!(document_kind(file_type, mime), expected);
        check(FileType::File, Some("message/rfc822"), DocumentKind::Mail);
        check(FileType::Member, Some("message/rfc822"), DocumentKind::Mail);
        check(FileType::Member, Some("application/pdf"), DocumentKind::Attachment);
        check(FileType::File, Some("application/pdf"), DocumentKind::Document);
        check(FileType::Member, None, DocumentKind::Attachment);
        assert_eq!(MAIL.iter().filter_map(|name| by_name(name)).count(), MAIL.len());
    }
}
