//! Lines of a mail: every line end that mail programs have written counts. Format: RFC 5322 section 2.1 requires CR
//! LF; LF alone, CR alone and CR CR LF are found in stored mails.

use memchr::memchr2;

/// A line and what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MailLine {
    /// Its first byte.
    pub start: usize,
    /// The first byte of what ends it.
    pub end: usize,
    /// The first byte of the next line.
    pub next: usize,
}

impl MailLine {
    /// Its bytes, without the line end.
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.end]
    }
}

/// The line that begins at `at`; `None` after the last one.
pub(super) fn line_at(bytes: &[u8], at: usize) -> Option<MailLine> {
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    let Some(length) = memchr2(b'\r', b'\n', rest) else {
        return Some(MailLine { start: at, end: bytes.len(), next: bytes.len() });
    };
    let end = at + length;
    // At most two: a run of returns alone is a run of empty lines, and looking far ahead at each would be quadratic.
    let returns = bytes[end..].iter().take(3).take_while(|byte| **byte == b'\r').count();
    let next = match bytes.get(end + returns) {
        Some(b'\n') => end + returns + 1,
        _ => end + 1,
    };
    Some(MailLine { start: end - length, end, next })
}

/// The end of `bytes[start..end]` without its last line end, which belongs to the boundary that follows.
pub(super) fn without_last_break(bytes: &[u8], start: usize, end: usize) -> usize {
    let body = &bytes[start..end];
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    start + body.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[&[u8]]) {
        let mut at = 0;
        let mut found = Vec::new();
        while let Some(line) = line_at(bytes, at) {
            found.push(line.of(bytes));
            at = line.next;
        }
        assert_eq!(found, expected, "{}", bytes.escape_ascii());
    }

    #[test]
    fn every_line_end_is_one() {
        check(b"a\r\nb\nc\rd\r\r\ne", &[b"a", b"b", b"c", b"d", b"e"]);
        check(b"\n\r\n", &[b"", b""]);
        check(b"a\r\r", &[b"a", b""]);
        check(b"", &[]);
    }
}
