//! The parts of a mail: where each begins and ends and what its header says, in one pass over the lines. No content
//! is decoded here, and mails inside the mail are leaves of the tree. Format: RFC 2046 section 5; the numbers are those of IMAP
//! (RFC 9051 section 6.4.5).

use super::header::{MimeHeader, is_distinctive, read_header};
use super::lines::{MailLine, line_at, without_last_break};
use super::parameters::HeaderValue;
use super::transfer::TransferEncoding;
use crate::limits::mail::{MAX_BOUNDARY_SEARCH_BYTES, MAX_MULTIPART_DEPTH, MAX_PARTS};
use pensieve_text::model::{Problem, ProblemKind, ReviewReason, ReviewReasonKind};
use std::ops::Range;

/// A part; a mail without parts is one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// `1.2`; empty for a multipart that is the whole mail.
    pub number: String,
    pub header: MimeHeader,
    /// Its type from the header, or the default type.
    pub kind: HeaderValue,
    pub disposition: HeaderValue,
    pub transfer: TransferEncoding,
    /// Its content, still encoded.
    pub body: Range<usize>,
    /// The multipart around it.
    pub parent: Option<usize>,
    /// The index after the last part inside it.
    pub end: usize,
}

impl Part {
    pub fn is_multipart(&self) -> bool {
        self.kind.main.starts_with("multipart/")
    }

    /// Its content, decoded.
    pub fn content<'b>(&self, bytes: &'b [u8]) -> std::borrow::Cow<'b, [u8]> {
        self.transfer.decode(&bytes[self.body.clone()])
    }

    /// Its content, decoded, and the number of characters that do not belong to its encoding.
    pub fn content_counting<'b>(&self, bytes: &'b [u8]) -> (std::borrow::Cow<'b, [u8]>, usize) {
        self.transfer.decode_counting(&bytes[self.body.clone()])
    }

    /// The name of its file, if it has one.
    pub fn file_name(&self) -> Option<String> {
        self.disposition.text("filename").or_else(|| self.kind.text("name"))
    }
}

/// The parts of a mail, in their order, multiparts before their parts.
#[derive(Debug, Default)]
pub(super) struct MimeParts {
    /// At least one.
    pub parts: Vec<Part>,
    pub review_reasons: Vec<ReviewReason>,
    pub problems: Vec<Problem>,
    /// What follows the last boundary of the outermost multipart; what comes before the first is its own body.
    pub epilogue: Range<usize>,
}

/// Finds the parts of the mail that begins at `at`. The numbers of its parts begin with `prefix`.
pub(super) fn walk(bytes: &[u8], at: usize, prefix: &str) -> MimeParts {
    let mut walker = MimeWalker { bytes, prefix, open: Vec::new(), leaf: None, found: MimeParts::default() };
    walker.run(at);
    let top = &walker.found.parts[0];
    let lost = top.is_multipart() && walker.found.parts.len() == 1;
    if lost && let Some(boundary) = guess(bytes, top.body.start) {
        let mut second =
            MimeWalker { bytes, prefix, open: Vec::new(), leaf: None, found: MimeParts::default() };
        second.run_with(at, Some(boundary));
        second.repaired("the boundary between its parts is not the one that it names");
        walker = second;
    }
    walker.finish()
}

/// A multipart whose end has not been reached.
struct OpenMultipart<'b> {
    part: usize,
    boundary: MimeBoundary<'b>,
    children: usize,
}

/// A boundary as the header has it, unquoted, or guessed from the mail.
enum MimeBoundary<'b> {
    Named(Vec<u8>),
    Seen(&'b [u8]),
}

impl MimeBoundary<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            MimeBoundary::Named(bytes) => bytes,
            MimeBoundary::Seen(bytes) => bytes,
        }
    }
}

/// Whether a line ends a part, and whether another one follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoundaryLine {
    Next,
    Last,
}

struct MimeWalker<'b, 'p> {
    bytes: &'b [u8],
    prefix: &'p str,
    open: Vec<OpenMultipart<'b>>,
    leaf: Option<usize>,
    found: MimeParts,
}

impl<'b> MimeWalker<'b, '_> {
    fn run(&mut self, at: usize) {
        self.run_with(at, None);
    }

    fn run_with(&mut self, at: usize, boundary: Option<&'b [u8]>) {
        let mut next = self.begin(at, None, boundary);
        while let Some(line) = line_at(self.bytes, next) {
            next = line.next;
            let Some((level, mark)) = mark_of(&self.open, line.of(self.bytes)) else { continue };
            self.close(line, level, mark);
            if self.open.is_empty() {
                self.found.epilogue = line.next..self.bytes.len();
            }
            if mark == BoundaryLine::Next {
                if self.found.parts.len() >= MAX_PARTS {
                    self.skipped(format!("only the first {MAX_PARTS} parts are read"));
                    break;
                }
                let parent = self.open.last().map(|open| open.part);
                next = self.begin(line.next, parent, None);
            }
        }
        self.close_all();
    }

    /// Reads the header of a part and returns where it ends.
    fn begin(&mut self, at: usize, parent: Option<usize>, boundary: Option<&'b [u8]>) -> usize {
        let open = &self.open;
        let header = read_header(self.bytes, at, &|line| mark_of(open, line).is_some());
        let body = header.end;
        let part = self.part(header, parent);
        let index = self.found.parts.len();
        let is_multipart = part.is_multipart();
        let named = part.kind.bytes("boundary").map(|named| MimeBoundary::Named(named.to_vec()));
        self.found.parts.push(part);
        self.leaf = Some(index);
        if !is_multipart {
            return body;
        }
        let boundary = boundary
            .map(MimeBoundary::Seen)
            .or(named)
            .or_else(|| guess(self.bytes, body).map(MimeBoundary::Seen));
        if self.open.len() >= MAX_MULTIPART_DEPTH {
            self.skipped(format!("parts deeper than {MAX_MULTIPART_DEPTH} are left out"));
        } else if let Some(boundary) = boundary {
            self.open.push(OpenMultipart { part: index, boundary, children: 0 });
        }
        body
    }

    fn part(&mut self, header: MimeHeader, parent: Option<usize>) -> Part {
        let value = |name| header.value(self.bytes, name);
        let mut kind = value("content-type").map(HeaderValue::parse).unwrap_or_default();
        if !kind.main.contains('/') {
            let is_digest = parent.is_some_and(|at| self.found.parts[at].kind.main == "multipart/digest");
            kind.main = if is_digest { "message/rfc822" } else { "text/plain" }.to_owned();
        }
        let number = match (parent, self.open.last_mut()) {
            (Some(_), Some(open)) => {
                open.children += 1;
                let held = &self.found.parts[open.part].number;
                if held.is_empty() { open.children.to_string() } else { format!("{held}.{}", open.children) }
            }
            _ if kind.main.starts_with("multipart/") => self.prefix.to_owned(),
            _ if self.prefix.is_empty() => "1".to_owned(),
            _ => format!("{}.1", self.prefix),
        };
        Part {
            number,
            disposition: value("content-disposition").map(HeaderValue::parse).unwrap_or_default(),
            transfer: value("content-transfer-encoding")
                .map_or(TransferEncoding::Identity, TransferEncoding::of),
            body: header.end..self.bytes.len(),
            kind,
            header,
            parent,
            end: self.found.parts.len() + 1,
        }
    }

    /// Ends the leaf before a boundary, and every multipart inside the one that the boundary belongs to.
    fn close(&mut self, line: MailLine, level: usize, mark: BoundaryLine) {
        if let Some(part) = self.leaf.take() {
            let part = &mut self.found.parts[part];
            part.body.end = without_last_break(self.bytes, part.body.start, line.start.max(part.body.start));
        }
        let kept = if mark == BoundaryLine::Last { level } else { level + 1 };
        let count = self.found.parts.len();
        for open in self.open.drain(kept..) {
            self.found.parts[open.part].end = count;
        }
    }

    fn close_all(&mut self) {
        let count = self.found.parts.len();
        if !self.open.is_empty() {
            let what = match count {
                1 => "the mail has parts, and none of its boundaries is there",
                _ => "the last boundary is missing",
            };
            self.repaired(what);
            let what = format!("{what}: parts of the mail may be lost");
            self.found.problems.push(Problem::new(ProblemKind::Damaged, what));
        }
        for open in self.open.drain(..) {
            self.found.parts[open.part].end = count;
        }
    }

    /// A multipart without parts becomes a part with the text before its first boundary.
    fn finish(mut self) -> MimeParts {
        for (index, part) in self.found.parts.iter_mut().enumerate() {
            if part.is_multipart() && part.end == index + 1 {
                part.kind = HeaderValue::parse(b"text/plain");
                if part.number.is_empty() {
                    part.number = "1".to_owned();
                }
            }
        }
        self.found
    }

    fn skipped(&mut self, detail: String) {
        self.reason(ReviewReasonKind::SkippedParts, detail);
    }

    fn repaired(&mut self, detail: &str) {
        self.reason(ReviewReasonKind::RepairedStructure, detail.to_owned());
    }

    fn reason(&mut self, kind: ReviewReasonKind, detail: String) {
        let reason = ReviewReason::new(kind, detail);
        if !self.found.review_reasons.contains(&reason) {
            self.found.review_reasons.push(reason);
        }
    }
}

/// The open multipart whose boundary a line is; the innermost if several share it.
fn mark_of(open: &[OpenMultipart<'_>], line: &[u8]) -> Option<(usize, BoundaryLine)> {
    let rest = line.strip_prefix(b"--")?;
    let rest = rest.trim_ascii_end();
    let exact = |open: &OpenMultipart<'_>| rest == open.boundary.bytes();
    if let Some(level) = open.iter().rposition(exact) {
        return Some((level, BoundaryLine::Next));
    }
    let rest = rest.strip_suffix(b"--")?;
    let level = open.iter().rposition(|open| rest == open.boundary.bytes())?;
    Some((level, BoundaryLine::Last))
}

/// The first line that looks like a boundary: two hyphens, a word, and a header or nothing after it.
fn guess(bytes: &[u8], start: usize) -> Option<&[u8]> {
    let mut at = start;
    while let Some(line) = line_at(bytes, at).filter(|line| line.start < start + MAX_BOUNDARY_SEARCH_BYTES) {
        let text = line.of(bytes).trim_ascii_end();
        if let Some(boundary) =
            text.strip_prefix(b"--").filter(|rest| !rest.is_empty() && !rest.contains(&b' '))
            && line_at(bytes, line.next).is_some_and(|next| is_distinctive(next.of(bytes)))
        {
            return Some(boundary);
        }
        at = line.next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let found = walk(text.as_bytes(), 0, "");
        let parts: Vec<(&str, &str, &str)> = found
            .parts
            .iter()
            .filter(|part| !part.is_multipart())
            .map(|part| (part.number.as_str(), part.kind.main.as_str(), &text[part.body.clone()]))
            .collect();
        assert_eq!(parts, expected, "{text}");
    }

    #[test]
    fn parts_are_numbered_as_imap_does() {
        check("Subject: a\n\nbody\n", &[("1", "text/plain", "body\n")]);
        let text = "Content-Type: multipart/mixed; boundary=a\n\npreamble\n--a\n\none\n--a\n\
            Content-Type: multipart/alternative; boundary=\"b c\"\n\n--b c\n\ntwo\n\n--b c\nContent-Type: text/html\n\n\
            three\n--b c--\nepilogue\n--a\nContent-Type: message/rfc822\n\nSubject: x\n\nfour\n--a--\nend";
        check(
            text,
            &[
                ("1", "text/plain", "one"),
                ("2.1", "text/plain", "two\n"),
                ("2.2", "text/html", "three"),
                ("3", "message/rfc822", "Subject: x\n\nfour"),
            ],
        );
    }

    #[test]
    fn broken_structure_is_read_as_far_as_it_goes() {
        let head = "Content-Type: multipart/mixed; boundary=a\n\n";
        check(&format!("{head}no parts at all"), &[("1", "text/plain", "no parts at all")]);
        check(&format!("{head}--a\n\none\n--a\n"), &[("1", "text/plain", "one"), ("2", "text/plain", "")]);
        check(&format!("{head}--b\nContent-Type: text/plain\n\none\n--b--"), &[("1", "text/plain", "one")]);
        check("Content-Type: multipart/mixed\n\n--b\nContent-Type: text/x\n\none", &[("1", "text/x", "one")]);
        check(&format!("{head}--a\n--a\n--a--"), &[("1", "text/plain", ""), ("2", "text/plain", "")]);
    }

    #[test]
    fn depth_and_number_of_parts_are_limited() {
        let mut text = String::new();
        for depth in 0..500 {
            text.push_str(&format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"));
        }
        assert_eq!(walk(text.as_bytes(), 0, "").parts.len(), MAX_MULTIPART_DEPTH + 1);
        let text = format!("Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\n".repeat(20_000));
        assert_eq!(walk(text.as_bytes(), 0, "").parts.len(), MAX_PARTS);
    }
}
