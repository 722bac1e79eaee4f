//! Documents with documents inside: the outermost one is read, then its members, then theirs, each told whole.
//!
//! A member is judged like a file on disk, by its content and its name. Members wait in a bounded queue while the
//! document that holds them is read; a mailbox, whose members would not fit, has them told on the way.

use crate::event::{MemberHead, MemberVerdict, ReaderEvent};
use crate::plain_text::read_text;
use crate::registry::reader_of;
use crate::selection::{converter_key, no_reader_message};
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource, ReadSeek};
use pensieve_text::format::{Format, ReaderKind, SniffOptions, SniffVerdict, by_name, extension_of, sniff};
use pensieve_text::model::{ContainerMember, Document, Problem, ProblemKind, ProcessingStatus, Segment};
use std::any::Any;
use std::collections::VecDeque;
use std::io::{Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Documents inside each other; deeper ones are not looked into.
const DEEPEST: usize = 8;

/// Documents that one file may hold, those inside its members included.
const MOST_MEMBERS: usize = 1_000_000;

/// Bytes of members that wait for the end of their document.
const QUEUE: usize = 24 << 20;

/// Bytes by which a sniffer judges.
const HEAD: usize = 64 << 10;

/// Where what is told goes; false stops the reader.
pub type EventSink<'t> = &'t mut dyn FnMut(ReaderEvent) -> bool;

/// Reads a document and everything inside it. What goes wrong with it is told as well.
pub fn read_document(file: &mut dyn ReadSeek, name: &str, settings: &ReadSettings, on_event: EventSink<'_>) {
    let mut nest = Nest { settings, on_event, members: 0, is_stopped: false };
    let mut queue = Queue::default();
    nest.read_outermost(file, name, &mut queue);
    nest.drain(&mut queue);
}

/// Reads a document that is in memory, with everything inside it: the entry point of tests and fuzzers.
pub fn read_bytes(bytes: &[u8], name: &str, settings: &ReadSettings, on_event: EventSink<'_>) {
    read_document(&mut Cursor::new(bytes), name, settings, on_event);
}

/// Which row of the format table reads a document, or why none does.
fn judge(head: &[u8], whole: bool, name: &str, settings: &ReadSettings) -> (String, SniffVerdict) {
    let sniffed = sniff(head, whole, name, &SniffOptions { svg: settings.svg });
    (sniffed.mime, sniffed.verdict)
}

struct Nest<'s, 't> {
    settings: &'s ReadSettings,
    on_event: EventSink<'t>,
    members: usize,
    is_stopped: bool,
}

/// A member that waits, with its path and depth.
struct Waiting {
    head: MemberHead,
    bytes: Vec<u8>,
    depth: usize,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    bytes: usize,
}

impl Queue {
    fn pop(&mut self) -> Option<Waiting> {
        let next = self.waiting.pop_front()?;
        self.bytes -= next.bytes.len();
        Some(next)
    }
}

/// Takes what the reader of one document hands over.
struct Hand<'n, 's, 't> {
    nest: &'n mut Nest<'s, 't>,
    queue: &'n mut Queue,
    parent: Option<String>,
    depth: usize,
    /// Members of this document may be told before its own text ends.
    is_outermost: bool,
}

impl DocumentSink for Hand<'_, '_, '_> {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.nest.emit(ReaderEvent::Text(segment))
    }

    fn member(&mut self, member: ContainerMember) -> Result<(), Problem> {
        self.nest.members += 1;
        if self.nest.members > MOST_MEMBERS {
            let message = format!("more than {MOST_MEMBERS} documents lie inside it");
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        let waiting = self.nest.head_of(member, self.parent.as_deref(), self.depth);
        self.queue.bytes += waiting.bytes.len();
        self.queue.waiting.push_back(waiting);
        if self.is_outermost && self.queue.bytes > QUEUE {
            self.nest.drain(self.queue);
        } else if self.queue.bytes > 2 * QUEUE {
            let message = format!("the documents inside it have more than {} bytes", 2 * QUEUE);
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        if self.nest.is_stopped { Err(stopped()) } else { Ok(()) }
    }
}

impl Nest<'_, '_> {
    fn emit(&mut self, event: ReaderEvent) -> Result<(), Problem> {
        self.is_stopped |= !self.is_stopped && !(self.on_event)(event);
        if self.is_stopped { Err(stopped()) } else { Ok(()) }
    }

    fn read_outermost(&mut self, file: &mut dyn ReadSeek, name: &str, queue: &mut Queue) {
        let answer = self.open(file, name).and_then(|format| {
            let mut hand = Hand { queue, parent: None, depth: 0, is_outermost: true, nest: self };
            read_as(format, file, name, &mut hand)
        });
        self.end(answer);
    }

    fn open(&self, file: &mut dyn ReadSeek, name: &str) -> Result<&'static Format, Problem> {
        let unknown = || {
            let message = format!("no reader for format `{}`", self.settings.format);
            Problem::new(ProblemKind::ExtractionFailed, message)
        };
        if !self.settings.format.is_empty() {
            return by_name(&self.settings.format).ok_or_else(unknown);
        }
        let unreadable = |error| Problem::new(ProblemKind::Io, format!("cannot read: {error}"));
        let mut head = Vec::new();
        let read = file.rewind().and_then(|()| file.take(HEAD as u64).read_to_end(&mut head));
        read.and_then(|_| file.rewind()).map_err(unreadable)?;
        match judge(&head, head.len() < HEAD, name, self.settings).1 {
            SniffVerdict::Read(format) => Ok(format),
            SniffVerdict::Binary { reason, .. } => Err(Problem::new(ProblemKind::ExtractionFailed, reason)),
        }
    }

    fn end(&mut self, answer: Result<Document, Problem>) {
        let event = match answer {
            Ok(document) => ReaderEvent::Document(Box::new(document)),
            Err(problem) => ReaderEvent::Failed(problem),
        };
        // Whoever stopped it wants to hear no more.
        let _ = self.emit(event);
    }

    /// Tells every member that waits, and those that come up on the way.
    fn drain(&mut self, queue: &mut Queue) {
        while let Some(next) = queue.pop() {
            if self.is_stopped {
                return;
            }
            let mut inner = Queue::default();
            self.emit_member(next, &mut inner);
            queue.bytes += inner.bytes;
            while let Some(waiting) = inner.waiting.pop_back() {
                queue.waiting.push_front(waiting);
            }
        }
    }

    fn emit_member(&mut self, waiting: Waiting, queue: &mut Queue) {
        let Waiting { head, bytes, depth } = waiting;
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
                        let mut hand =
                            Hand { queue, parent, depth: depth + 1, is_outermost: false, nest: self };
                        read_as(format, &mut file, &name, &mut hand)
                    }
                    None => Err(Problem::new(ProblemKind::ExtractionFailed, "its format is gone")),
                };
                self.end(answer);
            }
        }
        let _ = self.emit(ReaderEvent::End);
    }

    fn head_of(&self, member: ContainerMember, parent: Option<&str>, depth: usize) -> Waiting {
        let (mime, verdict) = self.judged(&member, depth);
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
        Waiting { head, bytes, depth }
    }

    /// The MIME type of a member, and what is to become of it.
    fn judged(&self, member: &ContainerMember, depth: usize) -> (String, MemberVerdict) {
        let skipped = |reason| MemberVerdict::Skipped { status: ProcessingStatus::SkippedBinary, reason };
        if let Some(reason) = &member.absent {
            return ("message/external-body".to_owned(), skipped(reason.clone()));
        }
        let head = &member.bytes[..member.bytes.len().min(HEAD)];
        let (mime, verdict) = judge(head, head.len() == member.bytes.len(), &member.name, self.settings);
        match verdict {
            SniffVerdict::Binary { reason, .. } => (mime, skipped(reason)),
            SniffVerdict::Read(format) => (mime, self.way_of(format, member, depth)),
        }
    }

    fn way_of(&self, format: &'static Format, member: &ContainerMember, depth: usize) -> MemberVerdict {
        let name = format.name.to_owned();
        let chosen = |extension: &str| self.settings.converters.iter().any(|known| known == extension);
        if let Some(extension) = converter_key(format, &extension_of(&member.name), chosen) {
            return MemberVerdict::Convert { format: name, extension: extension.to_owned() };
        }
        let skipped = |status, reason| MemberVerdict::Skipped { status, reason };
        let size = member.bytes.len() as u64;
        if depth >= DEEPEST {
            let reason = format!("it lies more than {DEEPEST} documents deep");
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

/// Reads one document with the reader of its format, or as text.
fn read_as(
    format: &'static Format,
    file: &mut dyn ReadSeek,
    name: &str,
    hand: &mut Hand<'_, '_, '_>,
) -> Result<Document, Problem> {
    if let Some(reader) = reader_of(format.name) {
        let settings = hand.nest.settings;
        let mut source = DocumentSource::new(file, name)?;
        let read = catch_unwind(AssertUnwindSafe(|| (reader.read)(&mut source, settings, hand)));
        return read.unwrap_or_else(|panic| Err(crash(&*panic)));
    }
    if format.reader != ReaderKind::Text {
        let message = format!("no reader for format `{}`", format.name);
        return Err(Problem::new(ProblemKind::ExtractionFailed, message));
    }
    let mut each = |segment| Ok(hand.text(segment).is_ok());
    let facts = read_text(file, format.declared_in, &mut Vec::new(), None, &mut each);
    match facts {
        Ok(Some(facts)) => Ok(Document {
            encoding: Some(facts.encoding.to_owned()),
            problems: facts.problem.into_iter().collect(),
            ..Document::default()
        }),
        Ok(None) => Err(stopped()),
        Err(error) => Err(Problem::new(ProblemKind::Io, format!("cannot read: {error}"))),
    }
}

/// A panic costs its document one problem, like everything else that goes wrong with a document.
fn crash(panic: &(dyn Any + Send)) -> Problem {
    let said =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let said = said.unwrap_or("it did not say why");
    Problem::new(ProblemKind::Crashed, format!("the reader panicked: {said}"))
}

fn stopped() -> Problem {
    Problem::new(ProblemKind::Io, "stopped")
}
