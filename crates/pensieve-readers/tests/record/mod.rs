//! What readers say of many documents, as a line of counts, and golden lists of such lines; and what must hold of all that
//! they say.

use pensieve_readers::event::{MemberVerdict, ReaderEvent};
use pensieve_readers::settings::{BookMode, ReadSettings};
use pensieve_text::model::{Document, Problem, Segment};
use std::collections::BTreeMap;
use std::path::Path;

/// How much readers say of documents.
#[derive(Default)]
pub struct Record {
    read: usize,
    words: usize,
    sections: usize,
    places: usize,
    fields: usize,
    hidden: usize,
    members: usize,
    skipped: usize,
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
                self.skipped += usize::from(matches!(head.verdict, MemberVerdict::Skipped { .. }));
            }
            ReaderEvent::Bytes(_) | ReaderEvent::End => {}
        }
        true
    }

    fn text(&mut self, segment: &Segment) {
        self.words += segment.text.split_whitespace().count();
        self.sections += segment.sections.len();
        self.places += segment.places.0.len();
        check(segment);
    }

    fn document(&mut self, document: &Document) {
        self.read += 1;
        self.text(&document.text);
        self.fields += document.metadata.len();
        self.hidden += document.hidden_text.len();
        document.problems.iter().for_each(|problem| self.problem(problem));
    }

    fn problem(&mut self, problem: &Problem) {
        *self.problems.entry(problem.kind.to_string()).or_default() += 1;
    }

    /// The counts; those that are 0 are left out, but for the first two.
    pub fn line(&self) -> String {
        let counts = [
            (self.sections, "sections"),
            (self.places, "places"),
            (self.fields, "fields"),
            (self.hidden, "hidden"),
            (self.members, "members"),
            (self.skipped, "skipped"),
        ];
        let problems = self.problems.iter().map(|(kind, count)| (*count, kind.as_str()));
        let counts = counts.into_iter().chain(problems).filter(|(count, _)| *count > 0);
        let counts: String = counts.map(|(count, name)| format!(", {count} {name}")).collect();
        format!("{} read, {} words{counts}", self.read, self.words)
    }
}

/// What holds of every segment: all places lie in its text, in order, and its stored form reads back.
fn check(segment: &Segment) {
    let Segment { text, lines, places, sections, .. } = segment;
    let holds = |at: usize| text.is_char_boundary(at);
    assert!(places.0.iter().all(|(span, _)| holds(span.start) && holds(span.end) && span.start <= span.end));
    assert!(places.0.is_sorted_by_key(|(span, _)| span.start));
    assert!(lines.iter().all(|anchor| holds(anchor.out)) && lines.is_sorted_by_key(|anchor| anchor.out));
    assert!(sections.iter().all(|section| holds(section.out)));
    let stored = Segment::decode(text.clone(), &segment.encode_map());
    assert!(stored.is_ok_and(|stored| stored == *segment), "a segment that is stored reads back");
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
