//! Documents that contain documents: reads the outermost one, then its members, then theirs.
//!
//! The format of a member is decided like that of a file on disk, by its content and its name. Members wait in a
//! bounded queue while the document that contains them is read; those of a mailbox or an archive, which would not fit,
//! are read before it ends. Inside another document that is not possible, because the members of a member follow it: a
//! container whose members do not fit is read again after it has ended, for those that are left.

mod problems;
mod verdict;

use crate::event::{MemberHead, MemberVerdict, ReaderEvent};
use crate::limits::containers::{MAX_HELD_BYTES, MAX_NESTED_BYTES, MAX_RATIO, SMALL_ARCHIVE_BYTES};
use crate::limits::nested::{MAX_MEMBERS, MAX_TEXT_PER_FILE_BYTE, MEMBER_QUEUE_BYTES, MIN_TEXT_BYTES};
use crate::plain_text::read_text;
use crate::registry::reader_of;
use crate::settings::ReadSettings;
use crate::shared::hidden_text;
use crate::source::{DocumentSink, DocumentSource, ReadSeek, StreamedMember, unreadable};
use pensieve_text::format::{Format, ReaderKind, SniffVerdict, by_name};
use pensieve_text::model::{ContainerMember, Document, Problem, ProblemKind, Segment};
use problems::{
    crash_problem, keep_each_once, no_reader, no_text, report_skipped_parts, stopped, with_problem,
};
use std::collections::VecDeque;
use std::io::{Cursor, Read, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdict::{HEAD_BYTES, VerdictRules, sniff_format};

/// Receives the events of a reader; false stops the reader.
pub type EventSink<'t> = &'t mut dyn FnMut(ReaderEvent) -> bool;

/// Reads a document and everything inside it. A document that cannot be read gives [`ReaderEvent::Failed`].
pub fn read_document(file: &mut dyn ReadSeek, name: &str, settings: &ReadSettings, on_event: EventSink<'_>) {
    let size = file.seek(SeekFrom::End(0)).unwrap_or(0);
    let unpackable = unpackable_bytes(size);
    let mut nest = NestedReader { settings, on_event, members: 0, unpackable, held: 0, is_stopped: false };
    let mut queue = MemberQueue::default();
    nest.read_outermost(file, name, &mut queue);
    nest.drain(&mut queue);
}

/// Bytes that a file of this size and the archives inside it may unpack to.
pub fn unpackable_bytes(size: u64) -> u64 {
    SMALL_ARCHIVE_BYTES.saturating_add(size.saturating_mul(MAX_RATIO))
}

/// Reads a document in memory and everything inside it.
pub fn read_bytes(bytes: &[u8], name: &str, settings: &ReadSettings, on_event: EventSink<'_>) {
    read_document(&mut Cursor::new(bytes), name, settings, on_event);
}

struct NestedReader<'s, 't> {
    settings: &'s ReadSettings,
    on_event: EventSink<'t>,
    members: usize,
    /// Bytes that archives may still unpack to.
    unpackable: u64,
    /// Bytes of containers that are in memory while their members are read.
    held: usize,
    is_stopped: bool,
}

/// A member that waits in the queue, with its depth.
struct PendingMember {
    head: MemberHead,
    bytes: Vec<u8>,
    problem: Option<Problem>,
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
    reading: Reading,
    /// Members that were met.
    met: usize,
    /// It has words or members.
    has_content: bool,
    /// Bytes of text that it may still become.
    text_left: u64,
}

/// When the members of a document are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Between the texts of the document, which is the outermost one.
    Outermost,
    /// After the document, as many as fit into the queue.
    Inside,
    /// After the document, which does not fit: the queue has the members before this one.
    Overflowed(usize),
    /// While the document is read again, from this member on; its own text is known.
    Again(usize),
}

impl DocumentSink for NestedSink<'_, '_, '_> {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.has_content |= !segment.text.trim().is_empty();
        let segment = self.within_limit(segment);
        match self.reading {
            _ if segment.text.is_empty() && self.text_left == 0 => Err(too_much_text()),
            Reading::Again(_) => Ok(()),
            _ => self.nest.emit(ReaderEvent::Text(segment)),
        }
    }

    fn member(&mut self, member: ContainerMember) -> Result<(), Problem> {
        if !self.is_wanted(member.bytes.len())? {
            return Ok(());
        }
        let waiting = self.nest.head_of(member, self.parent.as_deref(), self.depth);
        self.queue.bytes += waiting.bytes.len();
        self.queue.waiting.push_back(waiting);
        if self.reading != Reading::Inside && self.queue.bytes > MEMBER_QUEUE_BYTES {
            self.nest.drain(self.queue);
        }
        if self.nest.is_stopped { Err(stopped()) } else { Ok(()) }
    }

    fn stream(&mut self, member: StreamedMember, data: &mut dyn Read) -> Result<(), Problem> {
        if self.is_wanted(usize::MAX)? {
            self.nest.drain(self.queue);
            self.nest.stream(member, data, self.parent.as_deref(), self.depth)?;
        }
        if self.nest.is_stopped { Err(stopped()) } else { Ok(()) }
    }

    fn unpacked(&mut self, bytes: u64) -> Result<(), Problem> {
        if matches!(self.reading, Reading::Again(_)) {
            return Ok(());
        }
        let left = self.nest.unpackable.checked_sub(bytes);
        self.nest.unpackable = left.unwrap_or(0);
        let message =
            || format!("unpacks to more than {SMALL_ARCHIVE_BYTES} bytes and {MAX_RATIO} times its size");
        left.map(drop).ok_or_else(|| Problem::new(ProblemKind::SizeLimit, message()))
    }

    fn room(&self) -> usize {
        self.nest.room()
    }
}

impl NestedSink<'_, '_, '_> {
    /// As much of a segment as the document may still become.
    fn within_limit(&mut self, mut segment: Segment) -> Segment {
        let length = segment.text.len() as u64;
        if length > self.text_left {
            let end = segment.text.floor_char_boundary(self.text_left as usize);
            drop(segment.split_off(end));
            self.text_left = 0;
        } else {
            self.text_left -= length;
        }
        segment
    }

    /// True if the next member, of so many bytes, is read in this reading of its container.
    fn is_wanted(&mut self, bytes: usize) -> Result<bool, Problem> {
        self.has_content = true;
        self.met += 1;
        match self.reading {
            Reading::Overflowed(_) => return Ok(false),
            Reading::Again(from) if self.met <= from => return Ok(false),
            Reading::Inside if self.queue.bytes.saturating_add(bytes) > MEMBER_QUEUE_BYTES => {
                self.reading = Reading::Overflowed(self.met - 1);
                return Ok(false);
            }
            _ => self.nest.members += 1,
        }
        if self.nest.members > MAX_MEMBERS {
            let message = format!("more than {MAX_MEMBERS} documents lie inside it");
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        Ok(true)
    }
}

impl NestedReader<'_, '_> {
    fn emit(&mut self, event: ReaderEvent) -> Result<(), Problem> {
        self.is_stopped |= !self.is_stopped && !(self.on_event)(event);
        if self.is_stopped { Err(stopped()) } else { Ok(()) }
    }

    fn rules(&self) -> VerdictRules<'_> {
        VerdictRules { settings: self.settings, room: self.room() }
    }

    /// Bytes that may be held of one more document.
    fn room(&self) -> usize {
        MAX_HELD_BYTES.min(MAX_NESTED_BYTES.saturating_sub(self.held))
    }

    fn read_outermost(&mut self, file: &mut dyn ReadSeek, name: &str, queue: &mut MemberQueue) {
        let answer = self.open(file, name).and_then(|format| {
            let mut sink = NestedSink {
                queue,
                parent: None,
                depth: 0,
                reading: Reading::Outermost,
                met: 0,
                has_content: false,
                text_left: u64::MAX,
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
            SniffVerdict::Binary { reason, .. } | SniffVerdict::Secret { reason } => {
                Err(Problem::new(ProblemKind::ExtractionFailed, reason))
            }
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
        let PendingMember { head, bytes, problem, depth } = waiting;
        let container = InnerContainer { path: head.path.clone(), name: head.name.clone(), depth };
        let verdict = head.verdict.clone();
        if self.emit(ReaderEvent::Member(Box::new(head))).is_err() {
            return;
        }
        let mut left = None;
        match verdict {
            MemberVerdict::Skipped { .. } => {}
            MemberVerdict::Convert { .. } => drop(self.emit(ReaderEvent::Bytes(bytes))),
            MemberVerdict::Read(format) => {
                let Some(format) = by_name(&format) else { return self.end_member(Err(no_reader(&format))) };
                let mut file = Cursor::new(bytes);
                let (answer, reading) =
                    self.read_inner(&container, format, &mut file, queue, Reading::Inside);
                self.end(answer.map(|document| with_problem(document, problem)));
                if let Reading::Overflowed(from) = reading {
                    left = Some((format, file.into_inner(), from));
                }
            }
        }
        let _ = self.emit(ReaderEvent::End);
        if let Some((format, bytes, from)) = left {
            self.read_rest(&container, format, bytes, queue, from);
        }
    }

    /// Ends a member that could not be read.
    fn end_member(&mut self, answer: Result<Document, Problem>) {
        self.end(answer);
        let _ = self.emit(ReaderEvent::End);
    }

    fn read_inner(
        &mut self,
        container: &InnerContainer,
        format: &'static Format,
        file: &mut dyn ReadSeek,
        queue: &mut MemberQueue,
        reading: Reading,
    ) -> (Result<Document, Problem>, Reading) {
        let parent = Some(container.path.clone());
        let depth = container.depth + 1;
        let (met, has_content, text_left) = (0, false, u64::MAX);
        let mut sink = NestedSink { queue, parent, depth, reading, met, has_content, text_left, nest: self };
        let answer = read_as(format, file, &container.name, &mut sink);
        (answer, sink.reading)
    }

    /// Reads the members of a container that did not fit into the queue: the container has ended and is read again.
    fn read_rest(
        &mut self,
        container: &InnerContainer,
        format: &'static Format,
        bytes: Vec<u8>,
        queue: &mut MemberQueue,
        from: usize,
    ) {
        let held = bytes.len();
        self.held += held;
        self.drain(queue);
        // What is wrong with the container is known since it was read first.
        let _ = self.read_inner(container, format, &mut Cursor::new(bytes), queue, Reading::Again(from));
        self.drain(queue);
        self.held -= held;
    }

    /// Reads a member that is too large to be held, if it is plain text; otherwise it is listed.
    fn stream(
        &mut self,
        member: StreamedMember,
        data: &mut dyn Read,
        parent: Option<&str>,
        depth: usize,
    ) -> Result<(), Problem> {
        let mut start = Vec::new();
        data.take(HEAD_BYTES as u64).read_to_end(&mut start).map_err(unreadable)?;
        let StreamedMember { member, name, hash, size, problem } = member;
        let path = inner_path(parent, &member);
        let rules = self.rules();
        let (mime, verdict) = rules.of_streamed(&start, (&member, &name), size, depth);
        let verdict = rules.of_lost(&path).unwrap_or(verdict);
        let format = match &verdict {
            MemberVerdict::Read(format) => by_name(format),
            _ => None,
        };
        let within = parent.map(str::to_owned);
        let head = MemberHead { path, within, member, name, hash, size, mime, verdict };
        self.emit(ReaderEvent::Member(Box::new(head)))?;
        if let Some(format) = format {
            let mut each = |segment| Ok(self.emit(ReaderEvent::Text(segment)).is_ok());
            let read =
                read_text(&mut Cursor::new(start).chain(data), format, &mut Vec::new(), None, &mut each);
            let answer = read.map_err(unreadable).and_then(|document| document.ok_or_else(stopped));
            self.end(answer.map(|document| with_problem(document, problem)));
        }
        self.emit(ReaderEvent::End)
    }

    fn head_of(&self, member: ContainerMember, parent: Option<&str>, depth: usize) -> PendingMember {
        let rules = self.rules();
        let (mime, verdict) = rules.of_held(&member, depth);
        let path = inner_path(parent, &member.member);
        let verdict = rules.of_lost(&path).unwrap_or(verdict);
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
        PendingMember { head, bytes, problem: member.problem, depth }
    }
}

/// A container inside another document.
struct InnerContainer {
    path: String,
    name: String,
    depth: usize,
}

/// The report on a document that becomes far more text than its file has bytes.
fn too_much_text() -> Problem {
    let message = format!(
        "more text than {} MiB and {MAX_TEXT_PER_FILE_BYTE} bytes for each byte of the file; the rest is left out",
        MIN_TEXT_BYTES >> 20
    );
    Problem::new(ProblemKind::OutputLimit, message)
}

/// The path of a member from the outermost document on.
fn inner_path(parent: Option<&str>, member: &str) -> String {
    parent.map_or_else(|| member.to_owned(), |parent| format!("{parent}/{member}"))
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
        sink.text_left = match reader.has_own_limit {
            true => u64::MAX,
            false => MIN_TEXT_BYTES.max(source.size().saturating_mul(MAX_TEXT_PER_FILE_BYTE)),
        };
        let read = catch_unwind(AssertUnwindSafe(|| (reader.read)(&mut source, settings, sink)));
        let read = read.unwrap_or_else(|panic| Err(crash_problem(&*panic)));
        let mut document = match read {
            // What was read before the limit is kept.
            Err(problem) if sink.text_left == 0 => {
                Document { problems: vec![problem], ..Document::default() }
            }
            read => read?,
        };
        document.text = sink.within_limit(document.text);
        if sink.text_left == 0 {
            let problem = too_much_text();
            document.problems.retain(|other| *other != problem);
            document.report(problem);
        }
        hidden_text::apply(settings.hidden_text, &mut document);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::LostMember;
    use crate::shared::archive::testing::package;

    /// One line for each member: its path, its status or format, and the bytes of its text.
    fn members(bytes: &[u8], settings: &ReadSettings) -> Vec<String> {
        let (mut lines, mut text) = (Vec::new(), 0);
        read_bytes(bytes, "a.zip", settings, &mut |event| {
            match event {
                ReaderEvent::Member(head) => {
                    let fate = match head.verdict {
                        MemberVerdict::Read(format) => format,
                        MemberVerdict::Skipped { status, .. } => status.as_str().to_owned(),
                        MemberVerdict::Convert { extension, .. } => extension,
                    };
                    lines.push(format!("{} {fate}", head.path));
                    text = 0;
                }
                ReaderEvent::Text(segment) => text += segment.text.len(),
                ReaderEvent::End => lines.last_mut().unwrap().push_str(&format!(" {text}")),
                _ => {}
            }
            true
        });
        lines
    }

    #[test]
    fn large_texts_are_streamed_and_members_that_do_not_fit_are_read_later() {
        let line = b"some words in a line\n";
        let large = line.repeat(MAX_HELD_BYTES / line.len() + 1);
        let medium = line.repeat(MEMBER_QUEUE_BYTES / line.len() / 2 + 1);
        let inner =
            package(&[("1.txt", &medium), ("large.txt", &large), ("2.txt", &medium), ("3.txt", b"end")]);
        let outer = package(&[("inner.zip", &inner), ("last.txt", b"last")]);
        let expected = [
            "inner.zip zip 0".to_owned(),
            format!("inner.zip/1.txt text {}", medium.len()),
            format!("inner.zip/2.txt text {}", medium.len()),
            "inner.zip/3.txt text 3".to_owned(),
            format!("inner.zip/large.txt text {}", large.len()),
            "last.txt text 4".to_owned(),
        ];
        assert_eq!(members(&outer, &ReadSettings::default()), expected);
    }

    #[test]
    fn a_member_at_which_a_worker_was_lost_is_not_read() {
        let bytes = package(&[("1.txt", b"one"), ("2.txt", b"two")]);
        let lost = LostMember { path: "1.txt".into(), kind: "Timeout".into(), message: "too long".into() };
        let settings = ReadSettings { lost: vec![lost], ..ReadSettings::default() };
        assert_eq!(members(&bytes, &settings), ["1.txt Error 0", "2.txt text 3"]);
        let settings = ReadSettings { skip_archives: true, ..ReadSettings::default() };
        assert_eq!(members(&bytes, &settings), [""; 0]);
    }

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
