//! The end of a PDF file, which says where the table of its objects is. Readers rebuild a table that is not there by
//! searching for objects; whatever the file lost with its end stays lost. Source: ISO 32000-2, 7.5.4 to 7.5.8.

use memchr::memmem;

/// Bytes at the end of a file among which its last `startxref` is, and at its start among which `%PDF` is.
const END_BYTES: usize = 4096;
const START_BYTES: usize = 1024;

/// What is wrong with the end of a file.
pub(super) fn damage(file: &[u8]) -> Option<&'static str> {
    const WORD: &[u8] = b"startxref";
    let end = &file[file.len().saturating_sub(END_BYTES)..];
    let Some(at) = memmem::rfind(end, WORD) else {
        return Some(
            "the end of the file is missing: it was cut short, and read as far as its objects are there",
        );
    };
    let digits = end[at + WORD.len()..].trim_ascii_start();
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let offset = std::str::from_utf8(&digits[..length]).ok().and_then(|digits| digits.parse::<usize>().ok());
    // Offsets count from the header, or from the first byte even if something precedes the header.
    let header = memmem::find(&file[..file.len().min(START_BYTES)], b"%PDF").unwrap_or_default();
    let is_table = |offset: usize| file.get(offset..).is_some_and(begins_table);
    match offset.filter(|&offset| is_table(offset) || is_table(offset.saturating_add(header))) {
        Some(_) => None,
        None => Some(
            "the table of objects is not where the file says: it was made again from the objects that are there",
        ),
    }
}

/// True for `xref`, and for an object with a number, which is a cross-reference stream.
fn begins_table(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    bytes.starts_with(b"xref") || bytes.first().is_some_and(u8::is_ascii_digit) && is_object(bytes)
}

/// `12 0 obj`
fn is_object(bytes: &[u8]) -> bool {
    let mut words =
        bytes[..bytes.len().min(40)].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut is_number = || words.next().is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    is_number() && is_number() && words.next().is_some_and(|word| word.starts_with(b"obj"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_leads_to_the_table() {
        let check = |file: &str, expected: Option<&str>| {
            let found = damage(file.as_bytes());
            assert_eq!(found.map(|what| &what[..7]), expected, "{file}");
        };
        check("%PDF-1.4\nxref\n0 1\ntrailer\nstartxref\n9\n%%EOF\n", None);
        check("%PDF-1.4\n12 0 obj\n<<>>\nstartxref\r\n9\r\n%%EOF", None);
        check("junk\n%PDF-1.4\nxref\nstartxref\n9\n%%EOF", None);
        check("junk\n%PDF-1.4\nxref\nstartxref\n14\n%%EOF", None);
        check("%PDF-1.4\nxref\n0 1\ntrailer", Some("the end"));
        check("%PDF-1.4\nxref\nstartxref\n%%EOF", Some("the tab"));
        check("%PDF-1.4\nxref\nstartxref\n99\n%%EOF", Some("the tab"));
        check("%PDF-1.4\nxref\nstartxref\n2\n%%EOF", Some("the tab"));
        check("%PDF-1.4\n9 apples\nstartxref\n9\n%%EOF", Some("the tab"));
        check("", Some("the end"));
    }
}
