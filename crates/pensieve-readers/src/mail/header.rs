//! The header of a mail or of a part: which fields it has and where it ends, however broken it is. Format: RFC 5322
//! sections 2.2 and 3.6; headers without a blank line are read as mail programs show them.

use super::lines::{MailLine, line_at};
use crate::limits::mail::{MAX_FIELD_BYTES, MAX_HEADER_FIELDS};
use std::ops::Range;

/// Lines that decide whether rubbish is between fields or a body begins without a blank line before it.
const MAX_LOOK_AHEAD_LINES: usize = 12;

/// The fields that these readers use.
#[rustfmt::skip]
const WANTED: &[&str] = &[
    "bcc", "cc", "content-disposition", "content-id", "content-location", "content-transfer-encoding", "content-type",
    "date", "from", "in-reply-to", "list-id", "message-id", "references", "reply-to", "resent-date", "resent-from",
    "sender", "subject", "to",
];

/// Fields that distinguish a header from text: lines of a body seldom begin with them.
#[rustfmt::skip]
const DISTINCTIVE: &[&str] = &[
    "content-type", "content-transfer-encoding", "date", "delivered-to", "dkim-signature", "from", "message-id",
    "mime-version", "received", "reply-to", "return-path", "subject", "to", "x-mailer",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeaderField {
    /// Its name, of [`WANTED`].
    pub name: &'static str,
    /// The first byte of its name.
    pub start: usize,
    /// What follows the colon, still folded.
    pub value: Range<usize>,
}

/// The fields of a header that are of [`WANTED`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MimeHeader {
    /// In their order.
    pub fields: Vec<HeaderField>,
    /// The first byte of the body.
    pub end: usize,
    /// A line was no field, or no blank line ended the header.
    pub is_broken: bool,
    /// From the first line that is no field, where fields follow it: for other readers the body begins here.
    pub doubtful: Option<Range<usize>>,
}

impl MimeHeader {
    /// The first field of a name that is not empty.
    pub fn field(&self, bytes: &[u8], name: &str) -> Option<&HeaderField> {
        let mut named = self.all(name);
        named.find(|field| !bytes[field.value.clone()].trim_ascii().is_empty())
    }

    /// The value of the first field of a name.
    pub fn value<'b>(&self, bytes: &'b [u8], name: &str) -> Option<&'b [u8]> {
        self.field(bytes, name).map(|field| &bytes[field.value.clone()])
    }

    pub fn all(&self, name: &str) -> impl Iterator<Item = &HeaderField> {
        self.fields.iter().filter(move |field| field.name == name)
    }
}

/// Reads the header that begins at `at`. A line for which `is_boundary` is true ends it, blank line or not.
pub(super) fn read_header(bytes: &[u8], at: usize, is_boundary: &dyn Fn(&[u8]) -> bool) -> MimeHeader {
    let mut header = MimeHeader { end: at, ..MimeHeader::default() };
    let mut is_kept = false;
    let mut any = false;
    while let Some(line) = line_at(bytes, header.end) {
        let text = line.of(bytes);
        if is_boundary(text) {
            header.doubtful = header.doubtful.map(|doubtful| doubtful.start..line.start);
            return header;
        }
        if text.is_empty() {
            header.doubtful = header.doubtful.map(|doubtful| doubtful.start..line.start);
            header.end = line.next;
            return header;
        }
        if matches!(text[0], b' ' | b'\t') && any {
            if text.trim_ascii().is_empty() && !goes_on(bytes, line.next) {
                header.end = line.next;
                header.is_broken = true;
                return header;
            }
            if let Some(last) = header.fields.last_mut().filter(|_| is_kept)
                && line.end - last.value.start <= MAX_FIELD_BYTES
            {
                last.value.end = line.end;
            }
        } else if let Some(length) = name_length(text) {
            any = true;
            is_kept = keep(&mut header, bytes, line, length);
        } else if !is_unix_from(text) {
            header.is_broken = true;
            if !any && !goes_on(bytes, line.next) || !is_rubbish(bytes, line.next, is_boundary) {
                return header;
            }
            is_kept = false;
            header.doubtful.get_or_insert(line.start..bytes.len());
        }
        header.end = line.next;
    }
    header
}

fn keep(header: &mut MimeHeader, bytes: &[u8], line: MailLine, length: usize) -> bool {
    let name = bytes[line.start..line.start + length].trim_ascii_end();
    let wanted = WANTED.iter().find(|wanted| name.eq_ignore_ascii_case(wanted.as_bytes()));
    let Some(name) = wanted.filter(|_| header.fields.len() < MAX_HEADER_FIELDS) else { return false };
    let start = line.start + length + 1;
    let end = line.end.min(start + MAX_FIELD_BYTES);
    header.fields.push(HeaderField { name, start: line.start, value: start..end });
    true
}

/// The bytes before the colon, if a line is a field. Blanks before the colon are obsolete and allowed.
pub(super) fn name_length(line: &[u8]) -> Option<usize> {
    let length = line.iter().take(998).position(|byte| *byte == b':')?;
    let name = line[..length].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(|byte| (b'!'..=b'~').contains(byte));
    is_name.then_some(length)
}

/// True for the line that separates the mails of a mailbox, which some programs leave before a single mail.
fn is_unix_from(line: &[u8]) -> bool {
    line.starts_with(b"From ") || line.starts_with(b">From ")
}

/// True when what is at `at` continues a header after a line of blanks: a field, or more of the one before, which
/// either is an encoded word or is followed by another field.
fn goes_on(bytes: &[u8], at: usize) -> bool {
    let Some(line) = line_at(bytes, at) else { return false };
    let text = line.of(bytes);
    let is_folded = |text: &[u8]| matches!(text.first(), Some(b' ' | b'\t'));
    if !is_folded(text) || text.trim_ascii().starts_with(b"=?") {
        return is_folded(text) || is_distinctive(text);
    }
    let mut next = line.next;
    for _ in 0..MAX_LOOK_AHEAD_LINES {
        let Some(line) = line_at(bytes, next) else { return false };
        let text = line.of(bytes);
        if text.is_empty() || !is_folded(text) {
            return is_distinctive(text);
        }
        next = line.next;
    }
    false
}

/// True when a line that is no field is between fields: more of them follow, before any blank line.
fn is_rubbish(bytes: &[u8], at: usize, is_boundary: &dyn Fn(&[u8]) -> bool) -> bool {
    let mut next = at;
    for _ in 0..MAX_LOOK_AHEAD_LINES {
        let Some(line) = line_at(bytes, next) else { return false };
        let text = line.of(bytes);
        if text.is_empty() || is_boundary(text) {
            return false;
        }
        if is_distinctive(text) {
            return true;
        }
        next = line.next;
    }
    false
}

/// True for a line that begins a field which every mail has.
pub(super) fn is_distinctive(line: &[u8]) -> bool {
    let Some(length) = name_length(line) else { return false };
    let name = line[..length].trim_ascii_end();
    DISTINCTIVE.iter().any(|telling| name.eq_ignore_ascii_case(telling.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, fields: &[(&str, &str)], body: &str) {
        let header = read_header(text.as_bytes(), 0, &|line| line.starts_with(b"--"));
        let found: Vec<(&str, &str)> =
            header.fields.iter().map(|field| (field.name, &text[field.value.clone()])).collect();
        assert_eq!(found, fields, "{text:?}");
        assert_eq!(&text[header.end..], body, "{text:?}");
    }

    #[test]
    fn fields_are_found_with_their_folds() {
        check(
            "Subject: a\r\n b\r\nX: y\r\nTo : c\r\n\r\nbody",
            &[("subject", " a\r\n b"), ("to", " c")],
            "body",
        );
        check("From x@y Mon Jan  1 00:00:00 2001\nDate: d\n\nb", &[("date", " d")], "b");
        check("", &[], "");
    }

    #[test]
    fn what_other_readers_take_for_the_body_is_reported() {
        let text = "A: b\nrubbish here\nSubject: c\n\nbody";
        let header = read_header(text.as_bytes(), 0, &|_| false);
        assert_eq!(header.doubtful.map(|range| &text[range]), Some("rubbish here\nSubject: c\n"));
        assert_eq!(read_header(b"A: b\n\nc", 0, &|_| false).doubtful, None);
    }

    #[test]
    fn a_header_ends_where_it_stops_being_one() {
        check("Subject: a\nno header\nOther: x\n\nbody", &[("subject", " a")], "no header\nOther: x\n\nbody");
        check("X: a\nrubbish here\nSubject: b\n\nbody", &[("subject", " b")], "body");
        check("Subject: a\n \n b\nDate: c\n\nbody", &[("subject", " a\n \n b"), ("date", " c")], "body");
        check("Subject: a\n \n  indented\ntext: b\n", &[("subject", " a")], "  indented\ntext: b\n");
        check("Subject: a\n \n =?b\nTo: c\n\nbody", &[("subject", " a\n \n =?b"), ("to", " c")], "body");
        check("Subject: a\n \nbody: is here\n", &[("subject", " a")], "body: is here\n");
        check("Subject: a\n--b\n", &[("subject", " a")], "--b\n");
        check("no header at all\n", &[], "no header at all\n");
    }

    #[test]
    fn names_of_fields_have_no_blanks_inside() {
        let check = |line: &str, expected: Option<usize>| {
            assert_eq!(name_length(line.as_bytes()), expected, "{line}")
        };
        check("Subject: a", Some(7));
        check("Subject : a", Some(8));
        check("Sub ject: a", None);
        check(": a", None);
        check(" : a", None);
        check("no colon", None);
        check("caf\u{e9}: a", None);
        check(&format!("{}: a", "x".repeat(997)), Some(997));
        check(&format!("{}: a", "x".repeat(998)), None);
    }

    #[test]
    fn a_header_may_go_on_after_a_line_of_blanks() {
        check("Subject: a\n \nTo: b\n\nbody", &[("subject", " a\n "), ("to", " b")], "body");
        check(">From x@y Mon\nTo: b\n\nbody", &[("to", " b")], "body");
        check("To: a\nnot a field\n\nbody", &[("to", " a")], "not a field\n\nbody");
        check("To: a\n--\nbody", &[("to", " a")], "--\nbody");
    }
}
