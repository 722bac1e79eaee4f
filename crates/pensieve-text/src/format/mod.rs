//! Formats: one table, and the decision to which row a file belongs.
//!
//! A row contains everything that the program knows about a format before it opens a file of it; `check-dependencies`,
//! listings and documentation read the same rows. Nothing here opens files: the caller passes the first bytes.

mod chats;
mod converted;
mod magic;
mod secrets;
mod sniff;
mod table;

pub use converted::{by_name, format_of_converter, is_usual};
pub use secrets::{KEY_MIME, is_place_of_secrets};
pub use sniff::{SniffOptions, SniffResult, SniffVerdict, archive_mimes, is_archive, is_masked_name, sniff};
pub use table::{FORMATS, Format, ReaderKind, by_extension, by_filename};

use crate::model::{DocumentKind, FileType};

/// The extension of a file name in lower case, without its dot; empty for names without one and for dot files.
pub fn extension_of(filename: &str) -> String {
    match filename.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => String::new(),
    }
}

/// The kind of a file for people, by its type and MIME type, because a duplicate has no format of its own.
pub fn document_kind(file_type: FileType, mime: Option<&str>) -> DocumentKind {
    let mut mail = FORMATS.iter().filter(|row| row.is_mail).map(|row| row.mime);
    match file_type {
        _ if mail.any(|known| mime == Some(known)) => DocumentKind::Mail,
        FileType::Member => DocumentKind::Attachment,
        _ => DocumentKind::Document,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_is_mail_in_a_folder_and_in_a_container() {
        let check = |file_type, mime, expected| assert_eq!(document_kind(file_type, mime), expected);
        check(FileType::File, Some("message/rfc822"), DocumentKind::Mail);
        check(FileType::Member, Some("message/rfc822"), DocumentKind::Mail);
        check(FileType::Member, Some("application/pdf"), DocumentKind::Attachment);
        check(FileType::File, Some("application/pdf"), DocumentKind::Document);
        check(FileType::Member, None, DocumentKind::Attachment);
    }

    #[test]
    fn extensions_are_what_follows_the_last_dot() {
        let check = |name: &str, expected: &str| assert_eq!(extension_of(name), expected, "{name}");
        check("a.TXT", "txt");
        check("a.tar.gz", "gz");
        check("a", "");
        check(".bashrc", "");
        check("a.", "");
        check(".a.b", "b");
    }
}
