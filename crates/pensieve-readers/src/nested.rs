//! Documents that contain documents: reads the outermost one, then its members, then theirs.
//!
//! The format of a member is decided like that of a file on disk, by its content and its name. Members wait in a
//! bounded queue while the document that contains them is read; those of a mailbox, which would not fit, are read
//! before it ends.

use crate::event::{MemberHead, MemberVerdict, ReaderEvent};
use crate::limits::nested::{MAX_DEPTH, MAX_MEMBERS, MEMBER_QUEUE_BYTES};
use crate::plain_text::read_text;
use crate::registry::reader_of;
use crate::selection::{converter_key, no_reader_message};
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource, ReadSeek, unreadable};
use pensieve_text::format::{Format, ReaderKind, SniffOptions, SniffVerdict, by_name, extension_of, sniff};
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{
    ContainerMember, Document, Problem, ProblemKind, ProcessingStatus, ReviewReason, ReviewReasonKind,
    Segment,
};
use std::any::Any;
use std::collections::{HashSet, VecDeque};
use std::io::{Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes from which the format of a member is decided.
const HEAD_BYTES: usize = 64 << 10;

/// Receives the events of a reader; false stops the reader.
pub type EventSink<'t> = &'t mut dyn FnMut(ReaderEvent) -> bool;

/// Reads a document and everything inside it. A document that cannot be read gives [`ReaderEvent::Failed`].
pub(crate) fn read_document(
    file: &mut dyn ReadSeek,
    name: &str,
    settings: &ReadSettings,
    on_event: EventSink<'_>,
) {
    let mut nest = NestedReader { settings, on_event, members: 0, is_stopped: false };
    let mut queue = MemberQueue::default();
    nest.read_outermost(file, name, &mut queue);
    nest.drain(&mut queue);
}

/// Reads a document in memory and everything inside it.
pub fn read_bytes(bytes: &[u8], name: &str, settings: &ReadSettings, on_event: EventSink<'_>) {
    read_document(&mut Cursor::new(bytes), name, settings, on_event);
}

/// The MIME type of a document, and its format or the reason why it has none.
fn sniff_format(head: &[u8], whole: bool, name: &str, settings: &ReadSettings) -> (String, SniffVerdict) {
    let sniffed =
        sniff(head, whole, name, &SniffOptions { svg: settings.svg, converters: &settings.converters });
    (sniffed.mime, sniffed.verdict)
}

struct NestedReader<'s, 't> {
    settings: &'s ReadSettings,
    on_event: EventSink<'t>,
    members: usize,
    is_stopped: bool,
}

/// A member that waits in the queue, with its depth.
struct PendingMember {
    head: MemberHead,
    bytes: Vec<u8>,
    depth: usize,
}

#[derive(Default)]
struct MemberQueue {
    waiting: VecDeque<PendingMember>,
    bytes: usize,
}

impl MemberQueue {
    fn pop(&mut self) -> Option<PendingMember> {
        let next = self.waiting.pop_front()?;
        self.bytes -= next.bytes.len();
        Some(next)
    }
}

/// The sink for the reader of one document.
struct NestedSink<'n, 's, 't> {
    nest: &'n mut NestedReader<'s, 't>,
    queue: &'n mut MemberQueue,
    parent: Option<String>,
    depth: usize,
    /// Members of this document may be read before its own text ends.
    is_outermost: bool,
    /// It has words or members.
    has_content: bool,
}

impl DocumentSink for NestedSink<'_, '_, '_> {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.has_content |= !segment.text.trim().is_empty();
        self.nest.emit(ReaderEvent::Text(segment))
    }

    fn member(&mut self, member: ContainerMember) -> Result<(), Problem> {
        self.has_content = true;
        self.nest.members += 1;
        if self.nest.members > MAX_MEMBERS {
            let message = format!("more than {MAX_MEMBERS} documents lie inside it");
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        let waiting = self.nest.head_of(member, self.parent.as_deref(), self.depth);
        self.queue.bytes += waiting.bytes.len();
        self.queue.waiting.push_back(waiting);
        if self.is_outermost && self.queue.bytes > MEMBER_QUEUE_BYTES {
            self.nest.drain(self.queue);
        } else if self.queue.bytes > 2 * MEMBER_QUEUE_BYTES {
            let message = format!("the documents inside it have more than {} bytes", 2 * MEMBER_QUEUE_BYTES);
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        if self.nest.is_stopped { Err(stopped()) } else { Ok(()) }
    }
}

impl NestedReader<'_, '_> {
    fn emit(&mut self, event: ReaderEvent) -> Result<(), Problem> {
        self.is_stopped |= !self.is_stopped && !(self.on_event)(event);
        if self.is_stopped { Err(stopped()) } else { Ok(()) }
    }

    fn read_outermost(&mut self, file: &mut dyn ReadSeek, name: &str, queue: &mut MemberQueue) {
        let answer = self.open(file, name).and_then(|format| {
            let mut sink = NestedSink {
                queue,
                parent: None,
                depth: 0,
                is_outermost: true,
                has_content: false,
                nest: self,
            };
            read_as(format, file, name, &mut sink)
        });
        self.end(answer);
    }

    fn open(&self, file: &mut dyn ReadSeek, name: &str) -> Result<&'static Format, Problem> {
        if !self.settings.format.is_empty() {
            return by_name(&self.settings.format).ok_or_else(|| no_reader(&self.settings.format));
        }
        let mut head = Vec::new();
        let read = file.rewind().and_then(|()| file.take(HEAD_BYTES as u64).read_to_end(&mut head));
        read.and_then(|_| file.rewind()).map_err(unreadable)?;
        match sniff_format(&head, head.len() < HEAD_BYTES, name, self.settings).1 {
            SniffVerdict::Read(format) => Ok(format),
            SniffVerdict::Binary { reason, .. } => Err(Problem::new(ProblemKind::ExtractionFailed, reason)),
        }
    }

    fn end(&mut self, answer: Result<Document, Problem>) {
        let event = match answer {
            Ok(mut document) => {
                keep_each_once(&mut document.problems);
                ReaderEvent::Document(Box::new(document))
            }
            Err(problem) => ReaderEvent::Failed(problem),
        };
        // A receiver that stopped the reader gets no further events.
        let _ = self.emit(event);
    }

    /// Reads the members in the queue, and the members that these contain.
    fn drain(&mut self, queue: &mut MemberQueue) {
        while let Some(next) = queue.pop() {
            if self.is_stopped {
                return;
            }
            let mut inner = MemberQueue::default();
            self.emit_member(next, &mut inner);
            queue.bytes += inner.bytes;
            while let Some(waiting) = inner.waiting.pop_back() {
                queue.waiting.push_front(waiting);
            }
        }
    }

    fn emit_member(&mut self, waiting: PendingMember, queue: &mut MemberQueue) {
        let PendingMember { head, bytes, depth } = waiting;
        let (verdict, path, name) = (head.verdict.clone(), head.path.clone(), head.name.clone());
        if self.emit(ReaderEvent::Member(Box::new(head))).is_err() {
            return;
        }
        match verdict {
            MemberVerdict::Skipped { .. } => {}
            MemberVerdict::Convert { .. } => drop(self.emit(ReaderEvent::Bytes(bytes))),
            MemberVerdict::Read(format) => {
                let answer = match by_name(&format) {
                    Some(format) => {
                        let mut file = Cursor::new(bytes);
                        let parent = Some(path);
                        let mut sink = NestedSink {
                            queue,
                            parent,
                            depth: depth + 1,
                            is_outermost: false,
                            has_content: false,
                            nest: self,
                        };
                        read_as(format, &mut file, &name, &mut sink)
                    }
                    None => Err(Problem::new(ProblemKind::ExtractionFailed, "its format is gone")),
                };
                self.end(answer);
            }
        }
        let _ = self.emit(ReaderEvent::End);
    }

    fn head_of(&self, member: ContainerMember, parent: Option<&str>, depth: usize) -> PendingMember {
        let (mime, verdict) = self.verdict_of(&member, depth);
        let path = match parent {
            Some(parent) => format!("{parent}/{}", member.member),
            None => member.member.clone(),
        };
        let size = member.bytes.len() as u64;
        let within = parent.map(str::to_owned);
        let head = MemberHead {
            path,
            within,
            member: member.member,
            name: member.name,
            hash: member.hash,
            size,
            mime,
            verdict,
        };
        let bytes =
            if matches!(head.verdict, MemberVerdict::Skipped { .. }) { Vec::new() } else { member.bytes };
        PendingMember { head, bytes, depth }
    }

    /// The MIME type of a member, and what to do with it.
    fn verdict_of(&self, member: &ContainerMember, depth: usize) -> (String, MemberVerdict) {
        let skipped = |reason| MemberVerdict::Skipped { status: ProcessingStatus::SkippedBinary, reason };
        if let Some(reason) = &member.absent {
            return ("message/external-body".to_owned(), skipped(reason.clone()));
        }
        let head = &member.bytes[..member.bytes.len().min(HEAD_BYTES)];
        let (mime, verdict) =
            sniff_format(head, head.len() == member.bytes.len(), &member.name, self.settings);
        match verdict {
            SniffVerdict::Binary { reason, .. } => (mime, skipped(reason)),
            SniffVerdict::Read(format) => (mime, self.verdict_for(format, member, depth)),
        }
    }

    fn verdict_for(&self, format: &'static Format, member: &ContainerMember, depth: usize) -> MemberVerdict {
        let name = format.name.to_owned();
        let chosen = |extension: &str| self.settings.converters.iter().any(|known| known == extension);
        if let Some(extension) = converter_key(format, &extension_of(&member.name), chosen) {
            return MemberVerdict::Convert { format: name, extension: extension.to_owned() };
        }
        let skipped = |status, reason| MemberVerdict::Skipped { status, reason };
        let size = member.bytes.len() as u64;
        if depth >= MAX_DEPTH {
            let reason = format!("it lies more than {MAX_DEPTH} documents deep");
            return skipped(ProcessingStatus::SkippedLimit, reason);
        }
        match format.reader {
            ReaderKind::Text => MemberVerdict::Read(name),
            ReaderKind::Document => match format.whole_limit.filter(|&limit| size > limit) {
                Some(limit) => {
                    let reason =
                        format!("{size} bytes, larger than the limit of {limit} for {}", format.label);
                    skipped(ProcessingStatus::SkippedLimit, reason)
                }
                None => MemberVerdict::Read(name),
            },
            ReaderKind::Converter => skipped(ProcessingStatus::SkippedDependency, no_reader_message(format)),
        }
    }
}

/// Reads one document with the reader of its format, or as plain text.
fn read_as(
    format: &'static Format,
    file: &mut dyn ReadSeek,
    name: &str,
    sink: &mut NestedSink<'_, '_, '_>,
) -> Result<Document, Problem> {
    if let Some(reader) = reader_of(format.name) {
        let settings = sink.nest.settings;
        let mut source = DocumentSource::new(file, name)?;
        let read = catch_unwind(AssertUnwindSafe(|| (reader.read)(&mut source, settings, sink)));
        let mut document = read.unwrap_or_else(|panic| Err(crash_problem(&*panic)))?;
        source.report(&mut document);
        report_skipped_parts(&mut document);
        if !reader.is_often_wordless && !sink.has_content {
            document.review_reasons.extend(no_text(&document, source.size()));
        }
        return Ok(document);
    }
    if format.reader != ReaderKind::Text {
        return Err(no_reader(format.name));
    }
    let mut each = |segment| Ok(sink.text(segment).is_ok());
    match read_text(file, format, &mut Vec::new(), None, &mut each) {
        Ok(document) => document.ok_or_else(stopped),
        Err(error) => Err(unreadable(error)),
    }
}

/// Removes problems that are equal to an earlier one: two parts of a document may have the same, which is one row.
fn keep_each_once(problems: &mut Vec<Problem>) {
    let mut seen = HashSet::new();
    problems.retain(|problem| seen.insert((problem.kind.as_str(), problem.message.clone())));
}

/// Parts that could not be read are a problem too, unless the reader has said which.
fn report_skipped_parts(document: &mut Document) {
    if document.problems.iter().any(|problem| problem.kind != ProblemKind::Undecodable) {
        return;
    }
    let skipped = document.review_reasons.iter().find(|reason| reason.kind == ReviewReasonKind::SkippedParts);
    let problem = skipped
        .map(|reason| Problem::new(ProblemKind::Damaged, format!("not all is read: {}", reason.detail)));
    document.problems.extend(problem);
}

/// Why a document without words and members is to be reviewed, if its reader does not say so.
fn no_text(document: &Document, bytes: u64) -> Option<ReviewReason> {
    let is_explained = !document.review_reasons.is_empty() || !document.problems.is_empty();
    if bytes == 0 || is_explained || !document.text.text.trim().is_empty() {
        return None;
    }
    let detail = format!("no words in {}", counted(bytes, "byte"));
    Some(ReviewReason::new(ReviewReasonKind::NoText, detail))
}

/// A panic of a reader becomes a problem of its document, like every other failure.
fn crash_problem(panic: &(dyn Any + Send)) -> Problem {
    let message =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let message = message.unwrap_or("it did not say why");
    Problem::new(ProblemKind::Crashed, format!("the reader panicked: {message}"))
}

fn no_reader(format: &str) -> Problem {
    Problem::new(ProblemKind::ExtractionFailed, format!("no reader for format `{format}`"))
}

fn stopped() -> Problem {
    Problem::new(ProblemKind::Io, "stopped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_that_two_parts_have_is_one() {
        let problem = |kind, message: &str| Problem::new(kind, message);
        let [lost, cut] = ["1 character", "the end is missing"];
        let mut problems = vec![
            problem(ProblemKind::Undecodable, lost),
            problem(ProblemKind::Damaged, cut),
            problem(ProblemKind::Undecodable, lost),
            problem(ProblemKind::Undecodable, cut),
        ];
        let kept = [&problems[0], &problems[1], &problems[3]].map(Problem::clone);
        keep_each_once(&mut problems);
        assert_eq!(problems, kept);
    }

    #[test]
    fn documents_without_words_are_to_be_reviewed() {
        let reasons = |bytes: &[u8], name: &str| {
            let mut found = Vec::new();
            let settings = ReadSettings { svg: true, ..ReadSettings::default() };
            read_bytes(bytes, name, &settings, &mut |event| {
                if let ReaderEvent::Document(document) = event {
                    found.extend(document.review_reasons.into_iter().map(|reason| reason.detail));
                }
                true
            });
            found
        };
        assert_eq!(reasons(b"<html><img src='a.png'></html>", "a.html"), ["no words in 30 bytes"]);
        assert_eq!(reasons(b"{\\rtf1 }", "a.rtf"), ["no words in 8 bytes"]);
        assert!(reasons(b"<html><p>words</html>", "a.html").is_empty());
        assert!(reasons(b"", "a.html").is_empty());
        assert!(reasons(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg").is_empty());
        assert!(reasons(b"\n \n", "a.txt").is_empty());
    }
}
