//! The end of a PDF file, which says where the table of its objects is. A file that was changed may have several: each
//! revision is written after the end of the one before. So three things can be missing: every end, the end of the last
//! revision, or the table that an end leads to. What follows the last end without being an object, such as blanks or the
//! trailer of a mail, is nothing of the file. Readers rebuild a table that is not there by searching for objects;
//! whatever the file lost with its end stays lost. Source: ISO 32000-2, 7.5.4 to 7.5.8 and Annex F (linearized files).

use memchr::memmem;

/// The word before the place of the table. It may be missing at the end of the last revision, or misspelled there.
const WORD: &[u8] = b"startxref";

/// Bytes at the start of a file among which `%PDF` is, and the length of a linearized file.
const START_BYTES: usize = 1024;

/// Bytes before the word `obj` that contain its two numbers.
const NUMBER_BYTES: usize = 24;

/// What is wrong with the end of a file, in words. If objects follow the last end, the words before the tables of all
/// revisions are overwritten, so that the table is made again from all objects: that of an older revision has none of
/// the newer ones.
pub(super) fn settle(file: &mut [u8]) -> Option<String> {
    let Some(last) = memmem::rfind(file, WORD) else {
        return Some(format!("the end of the file is missing: {}", what_is_left(file)));
    };
    if has_object(&file[last + WORD.len()..]) {
        let message = format!("the end of the last revision is missing: {}", what_is_left(file));
        let all: Vec<usize> = memmem::find_iter(file, WORD).collect();
        all.into_iter().for_each(|at| file[at..at + WORD.len()].fill(b' '));
        return Some(message);
    }
    let digits = file[last + WORD.len()..].trim_ascii_start();
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let offset = std::str::from_utf8(&digits[..length]).ok().and_then(|digits| digits.parse::<usize>().ok());
    // Offsets count from the header, or from the first byte even if something precedes the header.
    let header = memmem::find(&file[..file.len().min(START_BYTES)], b"%PDF").unwrap_or_default();
    let is_table = |offset: usize| file.get(offset..).is_some_and(begins_table);
    match offset.filter(|&offset| is_table(offset) || is_table(offset.saturating_add(header))) {
        Some(_) => None,
        None => Some(
            "the table of objects is not where the file says: it was made again from the objects that are there"
                .to_owned(),
        ),
    }
}

fn what_is_left(file: &[u8]) -> String {
    let size = match stated_length(file).filter(|length| *length > file.len()) {
        Some(length) => format!(", {} of {length} bytes are there", file.len()),
        None => String::new(),
    };
    format!("it was cut short{size}, and read as far as its objects are there")
}

/// The length that a linearized file states.
fn stated_length(file: &[u8]) -> Option<usize> {
    let start = &file[..file.len().min(START_BYTES)];
    let rest = &start[memmem::find(start, b"/Linearized")?..];
    let digits = rest[memmem::find(rest, b"/L ")? + 3..].trim_ascii_start();
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&digits[..length]).ok()?.parse().ok()
}

/// True if an object begins somewhere in these bytes.
fn has_object(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b" obj").any(|at| {
        let before = &bytes[at.saturating_sub(NUMBER_BYTES)..at];
        let mut words = before.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut is_number = || words.next().is_some_and(|word| word.iter().all(u8::is_ascii_digit));
        is_number() && is_number()
    })
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
            let found = settle(&mut file.as_bytes().to_vec());
            assert_eq!(found.as_deref().map(|what| &what[..7]), expected, "{file}");
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

    #[test]
    fn what_follows_the_end_is_lost_only_if_it_has_objects() {
        let check = |after: &str, expected: Option<&str>| {
            let mut file = format!("%PDF-1.4\nxref\nstartxref\n9\n%%EOF\n{after}").into_bytes();
            let found = settle(&mut file);
            let words = found.as_deref().and_then(|what| what.split_once(':')).map(|(what, _)| what);
            assert_eq!(words, expected, "{after}");
            assert_eq!(memmem::find(&file, WORD).is_none(), expected.is_some(), "{after}");
        };
        check(&"\r\n".repeat(9000), None);
        check(&"\0".repeat(9000), None);
        check("--boundary--\nan obj of text", None);
        check("12 0 obj\n<</Length 9", Some("the end of the last revision is missing"));
        check(
            "7\n0 obj\n<<>>\nendobj\nxref\nstartxrf\n40\n%%EOF",
            Some("the end of the last revision is missing"),
        );
    }

    #[test]
    fn a_linearized_file_says_how_much_is_missing() {
        let mut file =
            b"%PDF-1.5\n1 0 obj\n<</Linearized 1/L 9000/H [1 2]>>\nendobj\nstartxref\n0\n%%EOF\n2 0 obj\n"
                .to_vec();
        let size = file.len();
        let found = settle(&mut file).unwrap_or_default();
        assert!(found.contains(&format!("{size} of 9000 bytes are there")), "{found}");
    }
}
