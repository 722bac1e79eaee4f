//! Documents inside a document: the mails of a mailbox, what is attached to a mail, embedded files.
//!
//! Each becomes a section of the output under a heading of its own, below the document that holds it, and an entry of
//! the contents. Source code and data stand in a fence: they are no Markdown. What is no document (pictures, archives)
//! is named in the report and has no section.

use super::reading::{Desk, Reading};
use pensieve_readers::books::epub::entitled;
use pensieve_readers::converter;
use pensieve_readers::event::{MemberHead, MemberVerdict, ReaderEvent};
use pensieve_readers::markdown::{Block, MarkdownDraft};
use pensieve_text::format::{Format, ReaderKind, by_name};
use pensieve_text::model::{Document, Locator, Problem, ProblemKind, ProcessingStatus, Segment, TextKind};
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;

/// What ends a page of a text that has pages.
const PAGE_END: char = '\u{c}';

/// A document inside the one that is converted, as far as it is read.
#[derive(Debug)]
pub(super) struct Inside {
    head: MemberHead,
    text: Segment,
    document: Document,
    failure: Option<Problem>,
    /// Its bytes, where a converter is to read them.
    bytes: Option<File>,
}

/// What became of a document inside the one that was converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InsideOutcome {
    /// Its place from the outermost document on, such as `3/1.2`.
    pub path: String,
    /// Its file name.
    pub name: String,
    /// Its MIME type.
    pub mime: String,
    /// The anchor of its section; `None` where it has none.
    pub anchor: Option<String>,
    /// Why it has none.
    pub reason: Option<String>,
}

/// True where the text of a file of this format, read as it is, is no Markdown: code, data, markup of other kinds.
pub(super) fn is_source(format: &Format) -> bool {
    format.kind != TextKind::Prose && !format.is_markdown()
}

/// A text as it stands in Markdown: in a fence of its language where it is source, its pages told where that is wanted.
fn in_markdown(text: Segment, language: Option<&str>, page_markers: bool) -> Segment {
    match language {
        None if page_markers && text.sections.is_empty() && text.text.contains(PAGE_END) => told_pages(&text),
        Some(language) if !text.text.trim().is_empty() => {
            let mut draft = MarkdownDraft::new();
            draft.push(&Block::Code { language: language.to_owned(), text: text.text });
            draft.finish()
        }
        _ => text,
    }
}

/// The text with a mark where a page begins, each a paragraph by itself.
fn told_pages(segment: &Segment) -> Segment {
    let mut text = String::with_capacity(segment.text.len() + 1024);
    let mut done = 0;
    for (at, _) in segment.text.match_indices(PAGE_END) {
        text.push_str(segment.text[done..at].trim_end());
        done = at + PAGE_END.len_utf8();
        if segment.text[done..].trim().is_empty() {
            break;
        }
        match page_at(segment, done) {
            Some(page) => text.push_str(&format!("\n\n<!-- page {page} -->\n\n")),
            None => text.push_str("\n\n<!-- page -->\n\n"),
        }
    }
    text.push_str(&segment.text[done.min(segment.text.len())..]);
    Segment { text, ..Segment::default() }
}

/// The page of the first words from a byte on.
fn page_at(segment: &Segment, at: usize) -> Option<u64> {
    let after = segment.places.0.partition_point(|(span, _)| span.end <= at);
    match &segment.places.0.get(after)?.1 {
        Locator::Pages { first, .. } => Some(*first),
        Locator::Layout(laid) => laid.spots.first().map(|(page, _)| *page),
        _ => None,
    }
}

impl Inside {
    pub(super) fn new(head: MemberHead) -> Inside {
        let failure = match &head.verdict {
            MemberVerdict::Skipped { status: ProcessingStatus::SkippedBinary, .. } => None,
            MemberVerdict::Skipped { reason, .. } => {
                Some(Problem::new(ProblemKind::MissingDependency, reason.clone()))
            }
            MemberVerdict::Read(_) | MemberVerdict::Convert { .. } => None,
        };
        Inside { head, text: Segment::default(), document: Document::default(), failure, bytes: None }
    }

    /// Takes what is told of it.
    pub(super) fn on_event(&mut self, told: ReaderEvent) {
        match told {
            ReaderEvent::Text(segment) => self.text.append(segment),
            ReaderEvent::Document(document) => self.take(*document),
            ReaderEvent::Failed(problem) => self.failure = Some(problem),
            ReaderEvent::Bytes(bytes) => match staged(&bytes) {
                Ok(file) => self.bytes = Some(file),
                Err(error) => {
                    let message = format!("cannot hand it to its converter: {error}");
                    self.failure = Some(Problem::new(ProblemKind::Io, message));
                }
            },
            ReaderEvent::Member(_) | ReaderEvent::End => {}
        }
    }

    fn take(&mut self, mut document: Document) {
        self.text.append(std::mem::take(&mut document.text));
        self.document = document;
    }

    /// Has its converter read it, where it has one; `None` when the user asked to stop.
    pub(super) fn convert(&mut self, desk: &Desk<'_>) -> Option<()> {
        let (MemberVerdict::Convert { extension, .. }, Some(file)) = (&self.head.verdict, self.bytes.take())
        else {
            return Some(());
        };
        let Some(tool) = desk.tools.get(extension) else {
            self.failure = Some(converter::not_installed(extension));
            return Some(());
        };
        match tool.convert(&file, desk.limits, desk.interrupted) {
            Ok(document) => self.take(document),
            Err(failure) if failure.is_interruption() => return None,
            Err(failure) => self.failure = Some(failure.problem()),
        }
        Some(())
    }

    /// What its section is called: mails by their subject, all else by the name of the file.
    fn title(&self) -> String {
        let subject = self.document.mail.as_ref().and_then(|_| value(&self.document, "subject"));
        one_line(subject.unwrap_or(&self.head.name)).unwrap_or_else(|| self.head.path.clone())
    }

    /// Why it has no section.
    fn reason(&self) -> Option<String> {
        match (&self.failure, &self.head.verdict) {
            (Some(problem), _) => Some(problem.message.clone()),
            (None, MemberVerdict::Skipped { reason, .. }) => Some(reason.clone()),
            (None, _) => None,
        }
    }

    /// What was wrong with it.
    fn warnings(&self) -> impl Iterator<Item = String> {
        let told = self.document.problems.iter().map(|problem| &problem.message);
        let told = told.chain(self.document.review_reasons.iter().map(|reason| &reason.detail));
        let failure = self.failure.iter().map(|problem| &problem.message);
        failure.chain(told).map(|message| format!("{}, inside it: {message}", self.head.name))
    }

    fn into_text(self, page_markers: bool) -> Segment {
        let format = match &self.head.verdict {
            MemberVerdict::Read(name) => by_name(name),
            MemberVerdict::Convert { .. } | MemberVerdict::Skipped { .. } => None,
        };
        let language = format.filter(|format| format.reader == ReaderKind::Text && is_source(format));
        in_markdown(self.text, language.map(|format| format.name), page_markers)
    }
}

fn value<'d>(document: &'d Document, key: &str) -> Option<&'d str> {
    document.metadata.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

/// The words of a title in one line; `None` where there are none.
fn one_line(title: &str) -> Option<String> {
    let words = title.split(|c: char| c.is_whitespace() || c.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    Some(line).filter(|line| !line.is_empty())
}

/// Lays bytes aside.
fn staged(bytes: &[u8]) -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    Ok(file)
}

/// A document and those inside it as one text.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub text: Segment,
    pub document: Document,
    /// In their order; anchors are not known yet.
    pub inside: Vec<InsideOutcome>,
    pub warnings: Vec<String>,
}

/// Puts a document and those inside it together. Those that have a section are the last sections of the text.
pub(super) fn joined(reading: Reading, name: &str, page_markers: bool) -> Joined {
    let Reading { text, source, document, members } = reading;
    let mut whole = in_markdown(text, source, page_markers);
    let mut joined = Joined::default();
    let has_words = !whole.text.trim().is_empty();
    if !members.is_empty() && has_words && whole.sections.is_empty() {
        let title = ["subject", "title"].iter().find_map(|key| value(&document, key)).and_then(one_line);
        whole = entitled(whole, &title.unwrap_or_else(|| name.to_owned()), 1, 0);
    }
    let mut next = whole.sections.iter().map(|section| section.seq + 1).max().unwrap_or(0);
    let mut levels: HashMap<String, usize> = HashMap::new();
    for member in members {
        let above = member.head.within.as_ref().and_then(|path| levels.get(path));
        let level = above.map_or(1 + usize::from(has_words), |above| above + 1);
        levels.insert(member.head.path.clone(), level);
        let MemberHead { path, name, mime, .. } = member.head.clone();
        let reason = member.reason();
        joined.warnings.extend(member.warnings());
        if reason.is_none() {
            let title = member.title();
            append(&mut whole, entitled(member.into_text(page_markers), &title, level, next));
            next += 1;
        }
        joined.inside.push(InsideOutcome { path, name, mime, anchor: None, reason });
    }
    Joined { text: whole, document, ..joined }
}

/// Adds a part behind a blank line.
fn append(whole: &mut Segment, part: Segment) {
    let ends = whole.text.bytes().rev().take_while(|&byte| byte == b'\n').count();
    if !whole.text.is_empty() && ends < 2 {
        whole.append(Segment { text: "\n".repeat(2 - ends), ..Segment::default() });
    }
    whole.append(part);
}
