//! Names of attachments: as in the mail, but safe to be shown and never a path, with an extension by their type if
//! they have none.

use crate::limits::mail::MAX_NAME_BYTES;

/// Extensions by type, for attachments without a name.
#[rustfmt::skip]
const EXTENSIONS: &[(&str, &str)] = &[
    ("application/epub+zip", "epub"),
    ("application/gzip", "gz"),
    ("application/ics", "ics"),
    ("application/json", "json"),
    ("application/msword", "doc"),
    ("application/pdf", "pdf"),
    ("application/pgp-keys", "asc"),
    ("application/rtf", "rtf"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-outlook", "msg"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/x-zip-compressed", "zip"),
    ("application/xhtml+xml", "xhtml"),
    ("application/xml", "xml"),
    ("application/zip", "zip"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/heic", "heic"),
    ("image/jpeg", "jpg"),
    ("image/jpg", "jpg"),
    ("image/png", "png"),
    ("image/svg+xml", "svg"),
    ("image/tiff", "tif"),
    ("image/webp", "webp"),
    ("message/global", "eml"),
    ("message/news", "eml"),
    ("message/rfc822", "eml"),
    ("text/calendar", "ics"),
    ("text/css", "css"),
    ("text/csv", "csv"),
    ("text/directory", "vcf"),
    ("text/html", "html"),
    ("text/markdown", "md"),
    ("text/plain", "txt"),
    ("text/rfc822-headers", "eml"),
    ("text/richtext", "rtx"),
    ("text/rtf", "rtf"),
    ("text/tab-separated-values", "tsv"),
    ("text/vcard", "vcf"),
    ("text/x-vcard", "vcf"),
    ("text/xml", "xml"),
];

/// A safe name for a part that calls itself `name`, of this type.
pub(super) fn safe_name(name: Option<&str>, kind: &str, number: &str) -> String {
    let extension = EXTENSIONS.iter().find(|row| row.0 == kind).map_or("bin", |row| row.1);
    let last = name.unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
    let is_kept = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    let bare: String = last.chars().filter(is_kept).collect();
    let bare = bare.trim().trim_start_matches('.').trim_end_matches(['.', ' ']);
    if bare.is_empty() {
        return format!("part {number}.{extension}");
    }
    let has_extension = bare.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=10).contains(&extension.len())
            && extension.chars().all(char::is_alphanumeric)
    });
    match has_extension {
        true => shortened(bare),
        false if extension == "bin" => shortened(bare),
        false => format!("{}.{extension}", shortened(bare)),
    }
}

/// Cuts the middle out, so that the extension stays.
fn shortened(name: &str) -> String {
    if name.len() <= MAX_NAME_BYTES {
        return name.to_owned();
    }
    let tail = name.char_indices().rev().map(|(at, _)| at).take_while(|at| name.len() - at <= 20).last();
    let head = name
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take_while(|at| *at <= MAX_NAME_BYTES - 20)
        .last();
    format!("{}{}", &name[..head.unwrap_or(0)], &name[tail.unwrap_or(name.len())..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, kind: &str, expected: &str) {
        assert_eq!(safe_name(Some(name).filter(|name| !name.is_empty()), kind, "1.2"), expected, "{name}");
    }

    #[test]
    fn names_are_no_paths_and_never_empty() {
        check("a.pdf", "application/pdf", "a.pdf");
        check("../../etc/passwd", "application/octet-stream", "passwd");
        check("C:\\docs\\a b.txt", "text/plain", "a b.txt");
        check("", "application/pdf", "part 1.2.pdf");
        check("..", "message/rfc822", "part 1.2.eml");
        check("report", "application/pdf", "report.pdf");
        check("a\u{202e}fdp\0.exe\n", "x/y", "afdp.exe");
        check("v1.2 final", "application/pdf", "v1.2 final.pdf");
    }

    #[test]
    fn long_names_keep_their_extension() {
        let name = safe_name(Some(&format!("{}.pdf", "\u{e9}".repeat(400))), "x/y", "1");
        assert!(name.len() <= MAX_NAME_BYTES && name.ends_with(".pdf"));
    }

    #[test]
    fn types_are_sorted() {
        assert!(EXTENSIONS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
