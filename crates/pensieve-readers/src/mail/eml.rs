//! Mails as files (`.eml`, and `.emlx` of Apple Mail): head and body as Markdown, everything attached as documents of
//! their own. Damage by mail programs is repaired if possible; nothing is refused. Format: RFC 5322, RFC 2045 to
//! 2049; `.emlx` is a line with the length, the mail, and a property list.

use super::cms::{CmsContent, open_packet};
use super::enriched::{EnrichedMarkup, enriched_text};
use super::head::MailHead;
use super::header::is_distinctive;
use super::lines::line_at;
use super::mail_text::{FlowedFormat, MailText, placed, plain_text, plain_text_without};
use super::mime::{MimeParts, Part, walk};
use super::names::safe_name;
use super::roles::{PartRole, own_page, roles};
use super::sanitise::mail_page;
use super::tnef;
use super::uuencode::{UuencodedFile, uuencoded_files};
use crate::limits::mail::{MAX_OPENED_PACKETS, MAX_PROBLEMS, MAX_WIDE_MAIL_BYTES};
use crate::settings::ReadSettings;
use crate::shared::hidden_text::HiddenText;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html::read_mail_body;
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{
    AbsentContent, ContainerMember, Document, Locator, LocatorMap, Problem, ProblemKind, ReviewReason,
    Segment, Span, SpanMap,
};
use pensieve_text::text::decode::{DeclarationFormat, Encoding, EncodingHints, decode_all, has_zero_block};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Reads a mail.
///
/// # Errors
/// The file cannot be read, or the sink stops.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let wide = narrowed(&bytes);
    let in_file = wide.is_none();
    let bytes = wide.unwrap_or(bytes);
    let range = mail_range(&bytes);
    let found = walk(&bytes[..range.end], range.start, "");
    let mut head = MailHead::of(&bytes, &found.parts[0].header);
    if !in_file {
        head.forget_sources();
    }
    let mut mail = MailReader::new(&head, sink);
    mail.doubtful(&bytes, found.parts[0].header.doubtful.clone());
    let top = &found.parts[0];
    let outside = top.is_multipart().then(|| [top.body.clone(), found.epilogue.clone()]);
    mail.read_parts(&bytes[..range.end], found, in_file)?;
    mail.read_packets()?;
    if let Some(outside) = outside {
        mail.outside_text(&bytes, outside);
    }
    let mut document = mail.finish();
    let is_blank = |gap: Span| bytes.get(gap.range()).is_some_and(|gap| gap.trim_ascii().is_empty());
    note_losses(&bytes, &head, &mut document);
    if declared_range(&bytes).is_some_and(|mail| mail.end > bytes.len()) {
        document.note_damage("the file is shorter than its first line says: the end of the mail is missing");
    }
    let Segment { text, map, .. } = &mut document.text;
    *map = std::mem::take(map).with_losses(text, is_blank);
    Ok(document)
}

/// Records what the bytes of a mail show to be lost.
pub(super) fn note_losses(bytes: &[u8], head: &MailHead, document: &mut Document) {
    let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    // A mail without a body may end with its header, but not before that names sender and date, nor in the name of a field.
    let last = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_field = last.contains(&b':') || last.starts_with(b" ") || last.starts_with(b"\t");
    if (head.from.is_empty() || head.date.is_none() || !is_field)
        && !bytes.ends_with(b"\n")
        && !bytes.ends_with(b"\r")
        && !["\n\n", "\r\n\r\n", "\r\r"].iter().any(|end| has(end.as_bytes()))
    {
        document.note_damage("the mail ends inside of its header");
    }
    if has_zero_block(bytes) && !has(b"binary") {
        document.note_damage("a block of the mail is nothing but zeros");
    }
}

/// Converts a mail that was saved as UTF-16 to UTF-8.
pub(super) fn narrowed(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = &bytes[..bytes.len().min(4)];
    let is_wide = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || head.contains(&0);
    if !is_wide || bytes.len() > MAX_WIDE_MAIL_BYTES {
        return None;
    }
    let (decoded, encoding, _) = decode_all(bytes, &EncodingHints::default());
    encoding.name().starts_with("utf-16").then(|| decoded.text.into_bytes())
}

/// The mail in the file, without what `.emlx` puts around it, and without blank lines before it.
pub(super) fn mail_range(bytes: &[u8]) -> Range<usize> {
    let mark = bom_length(bytes);
    let declared = declared_range(bytes);
    let mut range = declared.map_or(mark..bytes.len(), |mail| mail.start..mail.end.min(bytes.len()));
    let mut at = range.start;
    while let Some(line) = line_at(bytes, at).filter(|line| line.start < range.end) {
        let text = line.of(bytes);
        if !text.trim_ascii().is_empty() {
            if is_distinctive(text) {
                range.start = line.start;
            }
            break;
        }
        at = line.next;
    }
    range
}

/// The mail of an `.emlx` file, whose first line is its length. The file may be shorter.
fn declared_range(bytes: &[u8]) -> Option<Range<usize>> {
    let first = line_at(bytes, bom_length(bytes))?;
    let length = std::str::from_utf8(first.of(bytes)).ok()?.trim().parse::<usize>().ok()?;
    Some(first.next..first.next.saturating_add(length))
}

fn bom_length(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

struct MailReader<'s> {
    sink: &'s mut dyn DocumentSink,
    document: Document,
    hidden: HiddenText,
    encoding: Option<Encoding>,
    packets: VecDeque<(String, Vec<u8>)>,
    opened: usize,
    has_body: bool,
    has_members: bool,
}

impl<'s> MailReader<'s> {
    fn new(head: &MailHead, sink: &'s mut dyn DocumentSink) -> MailReader<'s> {
        let document = Document {
            text: head.segment(),
            metadata: head.metadata(),
            mail: Some(Box::new(head.mail())),
            ..Document::default()
        };
        MailReader {
            sink,
            document,
            hidden: HiddenText::default(),
            encoding: None,
            packets: VecDeque::new(),
            opened: 0,
            has_body: false,
            has_members: false,
        }
    }

    /// Reads the parts of the mail, or of a packet inside it, whose bytes are nowhere in the file.
    fn read_parts(&mut self, bytes: &[u8], found: MimeParts, in_file: bool) -> Result<(), Problem> {
        found.review_reasons.into_iter().for_each(|reason| self.reason(reason));
        found.problems.into_iter().for_each(|problem| self.problem(problem));
        let parts = found.parts;
        self.page(bytes, &parts);
        for (part, role) in parts.iter().zip(roles(bytes, &parts)) {
            match role {
                PartRole::None => {}
                PartRole::Plain | PartRole::Page | PartRole::Enriched => {
                    self.text(bytes, part, role, in_file)?
                }
                PartRole::Member => {
                    let content = self.content(bytes, part);
                    self.member(part, &content)?
                }
                PartRole::External => self.external(part)?,
                PartRole::Tnef => {
                    let content = self.content(bytes, part);
                    self.tnef(part, &content)?
                }
                PartRole::CmsContent => {
                    let content = self.content(bytes, part);
                    self.packet(part, &content)?
                }
                PartRole::Encrypted => self.encrypted("its content is encrypted with PGP"),
            }
        }
        Ok(())
    }

    /// Opens the packets; those inside them go to the end of the queue.
    fn read_packets(&mut self) -> Result<(), Problem> {
        while let Some((number, bytes)) = self.packets.pop_front() {
            let found = walk(&bytes, 0, &number);
            self.read_parts(&bytes, found, false)?;
        }
        Ok(())
    }

    /// Keeps the mail's own page: of several the first.
    fn page(&mut self, bytes: &[u8], parts: &[Part]) {
        let Some(mail) = self.document.mail.as_mut().filter(|mail| mail.page.is_none()) else { return };
        mail.page = own_page(parts).and_then(|part| {
            let charset = part.kind.word("charset");
            let hints = EncodingHints { declared: charset.as_deref(), format: DeclarationFormat::Html };
            mail_page(decode_all(&part.content(bytes), &hints).0.text)
        });
    }

    /// The decoded content of a part; damage is reported.
    fn content<'b>(&mut self, bytes: &'b [u8], part: &Part) -> Cow<'b, [u8]> {
        let (content, strays) = part.content_counting(bytes);
        if strays > 0 {
            let strays = counted(strays as u64, "character");
            let what = format!("part {}: {strays} outside of base64 left out", part.number);
            self.reason(ReviewReason::repaired(what));
        }
        content
    }

    fn text(&mut self, bytes: &[u8], part: &Part, role: PartRole, in_file: bool) -> Result<(), Problem> {
        let content = self.content(bytes, part);
        let is_as_it_stands = in_file && matches!(content, Cow::Borrowed(_));
        let charset = part.kind.word("charset");
        let format = if role == PartRole::Page { DeclarationFormat::Html } else { DeclarationFormat::None };
        let hints = EncodingHints { declared: charset.as_deref(), format };
        let (decoded, encoding, problems) = decode_all(&content, &hints);
        let files = match role {
            PartRole::Plain => uuencoded_files(decoded.text.as_bytes()),
            _ => Vec::new(),
        };
        let made = match role {
            PartRole::Page => self.page_text(decoded, &part.number),
            PartRole::Enriched => {
                through(enriched_text(&decoded.text, EnrichedMarkup::of(&part.kind.main)), &decoded)
            }
            _ => {
                let left_out: Vec<Range<usize>> = files.iter().map(|file| file.lines.clone()).collect();
                through(plain_text_without(&decoded.text, flow_of(part), &left_out), &decoded)
            }
        };
        let is_ascii = content.is_ascii();
        if is_as_it_stands && !is_ascii && self.encoding.is_none() {
            self.encoding = Some(encoding);
        }
        // A file is cited in one encoding: bytes in others are not cited.
        let is_cited =
            is_as_it_stands && (is_ascii && !encoding.is_stateful() || self.encoding == Some(encoding));
        let base = is_cited.then_some(part.body.start);
        let number: Arc<str> = part.number.as_str().into();
        self.add(placed(made, &number, content.len(), base));
        problems.into_iter().for_each(|problem| self.problem(problem));
        self.uuencoded(part, files)
    }

    /// The text of a page that is a part of the mail.
    fn page_text(&mut self, page: Segment, number: &str) -> Segment {
        let place = Locator::part(number, None);
        read_mail_body(page, |reason, words| self.hidden.add(reason, Some(&place), words))
    }

    /// Files between the lines of a text are attachments.
    fn uuencoded(&mut self, part: &Part, files: Vec<UuencodedFile>) -> Result<(), Problem> {
        for (at, file) in files.into_iter().enumerate() {
            let number = format!("{}.{}", part.number, at + 1);
            if !file.is_whole {
                let what = format!("part {number}: the last line of an uuencoded file is missing");
                self.reason(ReviewReason::repaired(what));
            }
            let name = safe_name(Some(&file.name), "", &number);
            self.hand_over(number, name, file.bytes)?;
        }
        Ok(())
    }

    /// Lines of a broken header that may also be the body: they are kept in the text.
    fn doubtful(&mut self, bytes: &[u8], range: Option<Range<usize>>) {
        let Some(range) = range else { return };
        let what = "a line of the header is no field, and fields follow it";
        self.reason(ReviewReason::repaired(what));
        let decoded = decode_all(&bytes[range], &EncodingHints::default()).0;
        let mut lines = plain_text(&decoded.text, FlowedFormat::Fixed);
        lines.map = SpanMap::default();
        lines.places = LocatorMap(vec![(Span::new(0, lines.text.len()), Locator::part("HEADER", None))]);
        self.add(lines);
        self.has_body = false;
    }

    /// The text before and after the parts is for programs that do not know parts. It is read if the parts have no
    /// text.
    fn outside_text(&mut self, bytes: &[u8], outside: [Range<usize>; 2]) {
        let is_encrypted =
            self.document.problems.iter().any(|problem| problem.kind == ProblemKind::Encrypted);
        if self.has_body || self.has_members || is_encrypted {
            return;
        }
        for range in outside {
            let decoded = decode_all(&bytes[range], &EncodingHints::default()).0;
            let made = plain_text(&decoded.text, FlowedFormat::Fixed);
            self.add(placed(Segment { map: SpanMap::default(), ..made }, &"TEXT".into(), 0, None));
        }
    }

    /// Describes an external body in the words of the mail, and lists it among its documents.
    fn external(&mut self, part: &Part) -> Result<(), Problem> {
        let said = |name: &str| Some(format!("{name} {}", part.kind.text(name)?));
        let names = ["name", "access-type", "site", "server", "directory", "url", "expiration"];
        let all = names.into_iter().filter_map(said).collect::<Vec<_>>().join(", ");
        let mut page = MailText::new();
        page.put(&format!("Lies elsewhere: {}\n", super::mail_text::escaped(&all)));
        let number: Arc<str> = part.number.as_str().into();
        self.add(placed(Segment { map: SpanMap::default(), ..page.finish() }, &number, 0, None));
        self.has_members = true;
        let name = part.kind.text("name").or_else(|| part.file_name());
        let name = safe_name(name.as_deref(), &part.kind.main, &part.number);
        let reason = format!("not in the mail, lies elsewhere: {all}");
        let absent = Some(AbsentContent { mime: "message/external-body", reason });
        let member = ContainerMember::listed(part.number.clone(), name, &all);
        self.sink.member(ContainerMember { absent, ..member })
    }

    /// Adds a text after a blank line.
    fn add(&mut self, segment: Segment) {
        if segment.text.trim().is_empty() {
            return;
        }
        self.has_body = true;
        let text = &mut self.document.text;
        if !text.text.is_empty() {
            let gap = if text.text.ends_with('\n') { "\n" } else { "\n\n" };
            text.append(Segment { text: gap.to_owned(), ..Segment::default() });
        }
        text.append(segment);
    }

    fn member(&mut self, part: &Part, content: &[u8]) -> Result<(), Problem> {
        let name = safe_name(part.file_name().as_deref(), &part.kind.main, &part.number);
        self.hand_over(part.number.clone(), name, content.to_vec())
    }

    fn hand_over(&mut self, member: String, name: String, bytes: Vec<u8>) -> Result<(), Problem> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.has_members = true;
        self.sink.member(ContainerMember::new(member, name, bytes))
    }

    fn tnef(&mut self, part: &Part, content: &[u8]) -> Result<(), Problem> {
        let Some(packet) = tnef::read(content) else { return self.member(part, content) };
        if !self.has_body
            && let Some(body) = packet.body
        {
            let number: Arc<str> = part.number.as_str().into();
            let made = match body {
                tnef::TnefBody::Plain(text) => plain_text(&text, FlowedFormat::Fixed),
                tnef::TnefBody::Page(page) => {
                    let hints = EncodingHints { declared: None, format: DeclarationFormat::Html };
                    self.page_text(decode_all(&page, &hints).0, &part.number)
                }
            };
            self.add(placed(Segment { map: Default::default(), ..made }, &number, 0, None));
        }
        for (at, file) in packet.files.into_iter().enumerate() {
            let number = format!("{}.{}", part.number, at + 1);
            let name = safe_name(file.name.as_deref(), &file.kind, &number);
            self.hand_over(number, name, file.bytes)?;
        }
        Ok(())
    }

    fn packet(&mut self, part: &Part, content: &[u8]) -> Result<(), Problem> {
        match open_packet(content) {
            CmsContent::Content(inside) if self.opened < MAX_OPENED_PACKETS => {
                self.opened += 1;
                self.packets.push_back((part.number.clone(), inside));
            }
            CmsContent::Encrypted => self.encrypted("its content is encrypted with S/MIME"),
            CmsContent::Content(_) | CmsContent::Other => return self.member(part, content),
        }
        Ok(())
    }

    fn encrypted(&mut self, what: &str) {
        self.problem(Problem::new(ProblemKind::Encrypted, format!("{what}: only the head is read")));
        self.reason(ReviewReason::skipped(what));
    }

    fn problem(&mut self, problem: Problem) {
        if self.document.problems.len() < MAX_PROBLEMS && !self.document.problems.contains(&problem) {
            self.document.problems.push(problem);
        }
    }

    fn reason(&mut self, reason: ReviewReason) {
        if !self.document.review_reasons.contains(&reason) {
            self.document.review_reasons.push(reason);
        }
    }

    fn finish(mut self) -> Document {
        self.document.encoding = Some(self.encoding.unwrap_or(Encoding::UTF_8).name().to_owned());
        self.hidden.note(&mut self.document);
        self.document
    }
}

fn flow_of(part: &Part) -> FlowedFormat {
    let is_flowed = part.kind.word("format").is_some_and(|format| format.eq_ignore_ascii_case("flowed"));
    let deletes_space = part.kind.word("delsp").is_some_and(|delsp| delsp.eq_ignore_ascii_case("yes"));
    if is_flowed { FlowedFormat::Flowed { deletes_space } } else { FlowedFormat::Fixed }
}

fn through(made: Segment, decoded: &Segment) -> Segment {
    Segment { map: made.map.through(&decoded.map), ..made }
}

#[cfg(test)]
mod tests;
