//! Rows of formats that only a program of the user's reads: one for each extension that the table does not have.
//!
//! Everything else treats them as rows of the table, so they are kept until the process ends.

use super::table::{Format, by_extension, converted_row, table_row};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static ROWS: Mutex<BTreeMap<String, &'static Format>> = Mutex::new(BTreeMap::new());

/// The row of an extension that has a converter: that of the table, else one of its own, whose name is the extension.
pub fn format_of_converter(extension: &str) -> &'static Format {
    if let Some(row) = by_extension(extension) {
        return row;
    }
    let name = name_of(extension);
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(row) = rows.get(&name) {
        return row;
    }
    let label = leak(&format!("`.{extension}` file"));
    let row = Box::leak(Box::new(converted_row(leak(&name), label, Box::leak(Box::new([leak(extension)])))));
    rows.insert(name, row);
    row
}

/// The row of that name: of the table, or made by [`format_of_converter`].
pub fn by_name(name: &str) -> Option<&'static Format> {
    table_row(name).or_else(|| ROWS.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied())
}

/// The extension, unless a format of the table has that name.
fn name_of(extension: &str) -> String {
    if table_row(extension).is_some() { format!("{extension}-file") } else { extension.to_owned() }
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The usual extensions of content that has no row, for files whose names do not show it.
#[rustfmt::skip]
const USUAL_EXTENSIONS: &[(&str, &[&str])] = &[
    ("image/png", &["png"]),
    ("image/jpeg", &["jpg", "jpeg"]),
    ("image/tiff", &["tif", "tiff"]),
    ("image/gif", &["gif"]),
    ("image/bmp", &["bmp"]),
    ("image/webp", &["webp"]),
    ("image/heic", &["heic"]),
    ("image/heif", &["heif"]),
    ("image/avif", &["avif"]),
    ("image/jp2", &["jp2"]),
    ("image/x-portable-anymap", &["pnm", "pbm", "pgm", "ppm"]),
    ("image/vnd.djvu", &["djvu", "djv"]),
    ("audio/mpeg", &["mp3"]),
    ("audio/ogg", &["ogg", "oga", "opus"]),
    ("audio/flac", &["flac"]),
    ("audio/wav", &["wav"]),
    ("audio/mp4", &["m4a"]),
    ("video/mp4", &["mp4", "m4v"]),
    ("video/x-matroska", &["mkv", "webm"]),
    ("application/vnd.ms-xpsdocument", &["xps", "oxps"]),
    ("application/vnd.ms-htmlhelp", &["chm"]),
    ("application/vnd.ms-works", &["wps"]),
    ("application/vnd.wordperfect", &["wpd"]),
    ("application/vnd.visio", &["vsd"]),
    ("application/vnd.oasis.opendocument.graphics", &["odg"]),
    ("application/vnd.sun.xml.writer", &["sxw"]),
    ("application/x-abiword", &["abw"]),
    ("application/x-dvi", &["dvi"]),
    ("application/x-hwp", &["hwp"]),
    ("application/x-mspublisher", &["pub"]),
];

/// The extensions that files with this content usually have.
pub(super) fn usual_extensions(mime: &str) -> &'static [&'static str] {
    USUAL_EXTENSIONS.iter().find(|(known, _)| *known == mime).map_or(&[], |(_, extensions)| extensions)
}

/// True for an extension that has a meaning although the table has no row for it.
pub fn is_usual(extension: &str) -> bool {
    USUAL_EXTENSIONS.iter().any(|(_, extensions)| extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::super::ReaderKind;
    use super::*;

    #[test]
    fn an_extension_has_one_row_of_its_own_unless_the_table_has_it() {
        assert_eq!(format_of_converter("docx").name, "docx");
        assert_eq!(by_name("no-such-extension"), None);
        let row = format_of_converter("no-such-extension");
        assert!(std::ptr::eq(row, format_of_converter("no-such-extension")));
        assert_eq!(by_name("no-such-extension"), Some(row));
        assert_eq!((row.reader, row.extensions), (ReaderKind::Converter, ["no-such-extension"].as_slice()));
    }

    #[test]
    fn an_extension_that_is_the_name_of_another_format_has_another_name() {
        assert_eq!(by_extension("notebook"), None);
        let row = format_of_converter("notebook");
        assert_eq!((row.name, row.extensions), ("notebook-file", ["notebook"].as_slice()));
        assert_eq!(by_name("notebook").map(|row| row.extensions), Some(["ipynb"].as_slice()));
        assert_eq!(by_name("notebook-file"), Some(row));
    }
}
