//! Mailboxes (`.mbox`, `.mbx`): each mail becomes a document of its own; the mailbox has no text. A mailbox may have any size:
//! one mail at a time is in memory. Format: RFC 4155 and the variants that it names (mboxo, mboxrd, mboxcl), which differ in how they
//! change lines that begin with `From `; the mailbox of MMDF, whose mails are between lines of four control characters.

use super::header::is_distinctive;
use crate::limits::mail::{MAX_MAIL_BYTES, MAX_MAILBOX_LINE_BYTES, MAX_NAMED_MAILS};
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{ContainerMember, Document, Problem, ProblemKind};
use std::io::{BufRead, BufReader};

/// Separates mails in MMDF mailboxes.
const MMDF: &[u8] = b"\x01\x01\x01\x01";

/// Reads a mailbox.
///
/// # Errors
/// The file cannot be read, there is no mail in it, or the sink stops.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let is_empty = source.size() == 0;
    let file = source.file()?;
    let mut lines = LineReader { file: BufReader::with_capacity(256 << 10, file), is_start: true };
    let mut mailbox = Mailbox::new(sink);
    let mut line = Vec::new();
    while let Some(piece) = lines.next(&mut line)? {
        mailbox.line(&line, piece)?;
    }
    mailbox.end_mail()?;
    if mailbox.count == 0 && !is_empty {
        return Err(Problem::new(
            ProblemKind::Damaged,
            "no mail in the mailbox: no line begins with `From `",
        ));
    }
    Ok(mailbox.finish())
}

/// Which part of a line was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinePart {
    /// Its start.
    Start,
    /// The rest of a line that was too long.
    Rest,
}

struct LineReader<R> {
    file: BufReader<R>,
    is_start: bool,
}

impl<R: std::io::Read> LineReader<R> {
    /// The next line with its end, or a part of a long one.
    fn next(&mut self, line: &mut Vec<u8>) -> Result<Option<LinePart>, Problem> {
        line.clear();
        let piece = if self.is_start { LinePart::Start } else { LinePart::Rest };
        while line.len() < MAX_MAILBOX_LINE_BYTES {
            let unreadable = |error| Problem::new(ProblemKind::Io, format!("cannot read: {error}"));
            let buffer = self.file.fill_buf().map_err(unreadable)?;
            if buffer.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', buffer);
            let length = end.map_or(buffer.len(), |end| end + 1).min(MAX_MAILBOX_LINE_BYTES - line.len());
            line.extend_from_slice(&buffer[..length]);
            self.file.consume(length);
            if line.ends_with(b"\n") {
                break;
            }
        }
        self.is_start = line.ends_with(b"\n");
        Ok(Some(piece).filter(|_| !line.is_empty()))
    }
}

/// A line that may separate two mails: the next line decides.
struct PossibleDivider {
    line: Vec<u8>,
    has_shape: bool,
    after_blank: bool,
}

struct Mailbox<'s> {
    sink: &'s mut dyn DocumentSink,
    count: u64,
    mail: Vec<u8>,
    is_open: bool,
    is_too_large: bool,
    after_blank: bool,
    divider: Option<PossibleDivider>,
    too_large: u64,
    document: Document,
}

impl<'s> Mailbox<'s> {
    fn new(sink: &'s mut dyn DocumentSink) -> Mailbox<'s> {
        Mailbox {
            sink,
            count: 0,
            mail: Vec::new(),
            is_open: false,
            is_too_large: false,
            after_blank: true,
            divider: None,
            too_large: 0,
            document: Document::default(),
        }
    }

    fn line(&mut self, line: &[u8], piece: LinePart) -> Result<(), Problem> {
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
        if let Some(divider) = self.divider.take() {
            let has_field = is_distinctive(bare) || is_field(bare);
            if divider.has_shape && (divider.after_blank || has_field) || divider.after_blank && has_field {
                self.end_mail()?;
                self.is_open = true;
            } else {
                self.push(&divider.line);
            }
        }
        let is_start = piece == LinePart::Start;
        if is_start && bare == MMDF {
            self.end_mail()?;
            self.after_blank = true;
            return Ok(());
        }
        if is_start && bare.starts_with(b"From ") {
            let has_shape = has_date(bare);
            self.divider =
                Some(PossibleDivider { line: line.to_vec(), has_shape, after_blank: self.after_blank });
            self.after_blank = false;
            return Ok(());
        }
        // A mailbox that begins with a mail, or mails of MMDF.
        self.is_open |= is_start && !self.is_open && is_distinctive(bare);
        self.after_blank = is_start && bare.is_empty();
        let quotes = bare.iter().take_while(|byte| **byte == b'>').count();
        let is_quoted = is_start && quotes > 0 && bare[quotes..].starts_with(b"From ");
        self.push(if is_quoted { &line[1..] } else { line });
        Ok(())
    }

    fn push(&mut self, line: &[u8]) {
        if !self.is_open {
            return;
        }
        if self.mail.len() + line.len() > MAX_MAIL_BYTES {
            self.is_too_large = true;
            self.mail = Vec::new();
        }
        if !self.is_too_large {
            self.mail.extend_from_slice(line);
        }
    }

    fn end_mail(&mut self) -> Result<(), Problem> {
        if !std::mem::take(&mut self.is_open) {
            return Ok(());
        }
        if let Some(divider) =
            self.divider.take().filter(|divider| !(divider.has_shape && divider.after_blank))
        {
            self.mail.extend_from_slice(&divider.line);
        }
        self.count += 1;
        let mut mail = std::mem::take(&mut self.mail);
        if std::mem::take(&mut self.is_too_large) {
            self.too_large += 1;
            if self.too_large <= MAX_NAMED_MAILS as u64 {
                let message =
                    format!("mail {} has more than {MAX_MAIL_BYTES} bytes and is left out", self.count);
                self.document.problems.push(Problem::new(ProblemKind::SizeLimit, message));
            }
            return Ok(());
        }
        // The blank line before the next mail does not belong to this one.
        let blank: &[u8] = if mail.ends_with(b"\r\n\r\n") { b"\r\n" } else { b"\n" };
        if mail.ends_with(b"\n\n") || mail.ends_with(b"\r\n\r\n") {
            mail.truncate(mail.len() - blank.len());
        }
        if mail.is_empty() {
            return Ok(());
        }
        mail.shrink_to_fit();
        let number = self.count.to_string();
        let name = format!("{number}.eml");
        self.sink.member(ContainerMember::new(number, name, mail))
    }

    fn finish(mut self) -> Document {
        if self.too_large > 0 {
            let detail = format!("{} of {} mails", self.too_large, self.count);
            self.document.note_skipped(detail);
        }
        self.document
    }
}

/// A field that a mail may begin with, besides the distinctive ones.
fn is_field(line: &[u8]) -> bool {
    const STARTS: &[&[u8]] =
        &[b"x-", b"content-", b"status:", b"authentication-", b"arc-", b"list-", b"cc:", b"sender:"];
    let head = line[..line.len().min(16)].to_ascii_lowercase();
    super::header::name_length(line).is_some() && STARTS.iter().any(|start| head.starts_with(start))
}

/// `From someone Mon Jan  1 00:00:00 2001`: a time and a month follow the sender.
fn has_date(line: &[u8]) -> bool {
    let line = &line[..line.len().min(512)];
    let is_time = |window: &[u8]| matches!(window, [a, b':', c, d] if [a, c, d].iter().all(|digit| digit.is_ascii_digit()));
    const MONTHS: [&[u8]; 12] =
        [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    let mut words = line.split(|byte| matches!(byte, b' ' | b'-' | b',')).skip(1);
    let is_month = |word: &[u8]| MONTHS.iter().any(|month| word.to_ascii_lowercase().starts_with(month));
    line.windows(4).any(is_time) && words.any(|word| (3..=9).contains(&word.len()) && is_month(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::Segment;
    use std::io::Cursor;

    #[derive(Default)]
    struct CollectedMails(Vec<(String, String)>);

    impl DocumentSink for CollectedMails {
        fn text(&mut self, _: Segment) -> Result<(), Problem> {
            Ok(())
        }

        fn member(&mut self, member: ContainerMember) -> Result<(), Problem> {
            self.0.push((member.name, String::from_utf8_lossy(&member.bytes).into_owned()));
            Ok(())
        }
    }

    fn mails(bytes: &[u8]) -> Result<(Vec<(String, String)>, Document), Problem> {
        let mut file = Cursor::new(bytes);
        let mut source = DocumentSource::new(&mut file, "a.mbox").unwrap();
        let mut sink = CollectedMails::default();
        read(&mut source, &ReadSettings::default(), &mut sink).map(|document| (sink.0, document))
    }

    fn check(text: &str, expected: &[&str]) {
        let found = mails(text.as_bytes()).unwrap().0;
        let found: Vec<&str> = found.iter().map(|(_, mail)| mail.as_str()).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    const FROM: &str = "From a@b Mon Jan  1 00:00:00 2001\n";

    #[test]
    fn mails_are_cut_where_they_begin() {
        check(
            &format!("{FROM}Subject: a\n\none\n\n{FROM}Subject: b\n\ntwo\n"),
            &["Subject: a\n\none\n", "Subject: b\n\ntwo\n"],
        );
        check(
            &format!("{FROM}Subject: a\n\none\n{FROM}Subject: b\n\ntwo"),
            &["Subject: a\n\none\n", "Subject: b\n\ntwo"],
        );
        // Without a blank line before it, a divider has a field after it.
        check(
            &format!("{FROM}Subject: a\n\none\n{FROM}X-Status: O\nSubject: b\n\ntwo"),
            &["Subject: a\n\none\n", "X-Status: O\nSubject: b\n\ntwo"],
        );
        let heard = format!("{FROM}Subject: a\n\none\n{FROM}X marks the place\n");
        check(&heard, &[heard.strip_prefix(FROM).unwrap()]);
        check("Subject: a\n\none\n", &["Subject: a\n\none\n"]);
        check(
            "From \nSubject: a\n\none\n\nFrom here on\nwe go\n",
            &["Subject: a\n\none\n\nFrom here on\nwe go\n"],
        );
        check("", &[]);
    }

    #[test]
    fn quoted_lines_are_unquoted() {
        check(
            &format!("{FROM}Subject: a\n\n>From x\n>>From y\n>Fro\n"),
            &["Subject: a\n\nFrom x\n>From y\n>Fro\n"],
        );
        let said = "From what I heard, it was 10:30 in May\n";
        check(&format!("{FROM}Subject: a\n\nhe said\n{said}"), &[&format!("Subject: a\n\nhe said\n{said}")]);
    }

    #[test]
    fn mails_between_control_lines_are_found() {
        let text = "\x01\x01\x01\x01\nFrom: a\n\none\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nFrom: b\n\ntwo\n\x01\x01\x01\x01\n";
        check(text, &["From: a\n\none\n", "From: b\n\ntwo\n"]);
    }

    #[test]
    fn a_mail_that_is_too_large_is_left_out() {
        let mut text = format!("{FROM}Subject: a\n\n").into_bytes();
        text.resize(text.len() + MAX_MAIL_BYTES, b'x');
        text.extend(format!("\n\n{FROM}Subject: b\n\ntwo\n").bytes());
        let (found, document) = mails(&text).unwrap();
        assert_eq!(found, [("2.eml".to_owned(), "Subject: b\n\ntwo\n".to_owned())]);
        assert_eq!(document.problems.len(), 1);
    }

    #[test]
    fn a_file_that_is_no_mailbox_is_refused() {
        assert_eq!(mails(b"just some words\n").unwrap_err().kind, ProblemKind::Damaged);
    }
}
