//! What readers say of many documents, as a line of counts with a digest, and golden lists of such lines.

use pensieve_readers::event::{MemberVerdict, ReaderEvent};
use pensieve_readers::settings::{BookMode, ReadSettings};
use pensieve_text::model::{ContentHash, Document, Problem, Segment};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// All that readers say of documents.
#[derive(Default)]
pub struct Record {
    pub all: String,
    read: usize,
    words: usize,
    members: usize,
    problems: BTreeMap<String, usize>,
}

impl Record {
    pub fn on_event(&mut self, event: &ReaderEvent) -> bool {
        match event {
            ReaderEvent::Text(segment) => self.text(segment),
            ReaderEvent::Document(document) => self.document(document),
            ReaderEvent::Failed(problem) => self.problem(problem),
            ReaderEvent::Member(head) => {
                self.members += 1;
                let (name, hash) = (&head.name, head.hash);
                let _ = writeln!(self.all, "{} {:?} {name} {hash} {}", head.path, head.within, head.mime);
                let verdict = match &head.verdict {
                    MemberVerdict::Read(format) => format.clone(),
                    MemberVerdict::Convert { format, extension } => format!("convert {format} {extension}"),
                    MemberVerdict::Skipped { reason, .. } => format!("skipped: {reason}"),
                };
                let _ = writeln!(self.all, "{verdict}");
            }
            ReaderEvent::Bytes(bytes) => _ = writeln!(self.all, "{}", ContentHash::of(bytes)),
            ReaderEvent::End => self.all.push_str("end\n"),
        }
        true
    }

    fn text(&mut self, segment: &Segment) {
        self.words += segment.text.split_whitespace().count();
        let _ = writeln!(self.all, "{}", segment.text);
        for run in segment.map.runs() {
            let units = (run.units, run.out_unit, run.src_unit);
            let _ = writeln!(self.all, "{} {} {units:?} {}", run.out, run.src, run.exact);
        }
        for anchor in &segment.lines {
            let _ = writeln!(self.all, "{}:{}", anchor.out, anchor.line);
        }
        for (span, place) in &segment.places.0 {
            let _ = writeln!(self.all, "{}-{} {}", span.start, span.end, place.to_json());
        }
        for section in &segment.sections {
            let (out, seq, level) = (section.out, section.seq, section.level);
            let _ = writeln!(self.all, "{out} {seq} {level} {}", section.label);
        }
    }

    fn document(&mut self, document: &Document) {
        self.read += 1;
        self.text(&document.text);
        let kind = document.kind.map(|kind| kind.as_str());
        let _ = writeln!(self.all, "{kind:?} {:?} {:?}", document.encoding, document.mime);
        for (key, value) in &document.metadata {
            let _ = writeln!(self.all, "{key}: {value}");
        }
        for reason in &document.review_reasons {
            let _ = writeln!(self.all, "{}: {}", reason.kind, reason.detail);
        }
        if let Some(mail) = &document.mail {
            let heads = [&mail.message_id, &mail.in_reply_to, &mail.date, &mail.subject, &mail.from];
            let page = mail.page.as_ref().map(|page| &page.sanitised);
            let _ = writeln!(self.all, "{heads:?} {:?} {:?} {:?} {page:?}", mail.to, mail.cc, mail.refs);
        }
        document.problems.iter().for_each(|problem| self.problem(problem));
    }

    fn problem(&mut self, problem: &Problem) {
        *self.problems.entry(problem.kind.to_string()).or_default() += 1;
        let _ = writeln!(self.all, "{}: {}", problem.kind, problem.message);
    }

    /// The counts and the digest.
    pub fn line(&self) -> String {
        let problems = self.problems.iter().map(|(kind, count)| format!(", {count} {kind}"));
        let digest = &ContentHash::of(self.all.as_bytes()).to_string()[..8];
        let (read, words, members) = (self.read, self.words, self.members);
        format!("{read} read, {words} words, {members} members{} {digest}", problems.collect::<String>())
    }
}

/// Settings that are not the usual ones, so that every way through a reader is taken.
pub fn settings(round: usize) -> ReadSettings {
    let mut settings = ReadSettings { svg: true, ..ReadSettings::default() };
    settings.html.markdown = round % 3 != 2;
    settings.html.main_content = round % 4 != 1;
    settings.office.comments = round % 5 != 4;
    settings.office.headers = round % 5 != 3;
    settings.pdf.layout = round.is_multiple_of(2);
    settings.book = [BookMode::Text, BookMode::Marked, BookMode::Pages][round % 3];
    settings
}

/// Fails at the first line that differs from the golden file; with `UPDATE_GOLDEN` the file is written anew.
#[track_caller]
pub fn compare(golden: &Path, found: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(golden, found).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap_or_default();
    let differs = expected.lines().chain([""]).zip(found.lines().chain([""])).find(|(a, b)| a != b);
    if let Some((expected, found)) = differs {
        panic!("{}:\nexpected: {expected}\nfound:    {found}", golden.display());
    }
}
