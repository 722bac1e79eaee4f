//! Golden documents: what every reader makes of the small files under `tests/golden/<format>/`.
//!
//! `<file>.golden` holds the text, then places, sections, lines, the map, what the reader knows of the
//! document, metadata, the mail, members, problems, hidden text and review reasons where there are any.
//! `UPDATE_GOLDEN=1` writes them anew; read the difference before you keep it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod goldens;

use pensieve_readers::event::{MemberHead, MemberVerdict, ReaderEvent};
use pensieve_readers::nested::read_bytes;
use pensieve_readers::settings::ReadSettings;
use pensieve_text::model::{Document, HiddenPassage, MailFacts, MapRun, Problem, Segment};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What was told of the outermost document.
#[derive(Default)]
struct Heard {
    text: String,
    places: Vec<String>,
    sections: Vec<String>,
    lines: Vec<String>,
    runs: Vec<MapRun>,
    members: Vec<String>,
    document: Option<Document>,
    failure: Option<Problem>,
    in_member: bool,
}

impl Heard {
    fn add(&mut self, segment: &Segment) {
        for (span, place) in &segment.places.0 {
            let begin: String = segment.text[span.range()].chars().take(60).collect();
            self.places.push(format!("{} {begin}", place.to_json()));
        }
        for section in &segment.sections {
            let begin: String = segment.text[section.out..].chars().take(40).collect();
            self.sections
                .push(format!("{} level {} {} at {begin}", section.seq, section.level, section.label));
        }
        self.lines.extend(
            segment
                .lines
                .iter()
                .map(|anchor| (self.text.len() + anchor.out, anchor.line))
                .map(|(out, line)| format!("{out}:{line}")),
        );
        self.runs.extend(segment.map.runs());
        self.text.push_str(&segment.text);
    }

    /// The map in short: how much of the text is that of the source, and where it came from.
    fn map(&self) -> Vec<String> {
        let Some(last) = self.runs.last() else { return Vec::new() };
        let exact = self.runs.iter().filter(|run| run.exact).map(|run| run.units * run.out_unit);
        let sources: usize = self.runs.iter().map(|run| run.src).sum();
        let (count, exact) = (self.runs.len(), exact.sum::<usize>());
        let end = last.src + last.units * last.src_unit;
        vec![format!("{count} runs, {exact} bytes exact, begin at {sources} together, end at {end}")]
    }

    fn on_event(&mut self, told: ReaderEvent) -> bool {
        match told {
            ReaderEvent::Member(head) => {
                self.in_member = true;
                if head.within.is_none() {
                    let skipped = matches!(head.verdict, MemberVerdict::Skipped { .. });
                    let fate = if skipped { " (not read)" } else { "" };
                    let hash = &head.hash.to_string()[..8];
                    let MemberHead { member, name, size, mime, .. } = *head;
                    self.members.push(format!("{member} {name} {mime} {size} bytes {hash}{fate}"));
                }
            }
            ReaderEvent::End => self.in_member = false,
            _ if self.in_member => {}
            ReaderEvent::Text(segment) => self.add(&segment),
            ReaderEvent::Document(document) => {
                self.add(&document.text);
                self.document = Some(*document);
            }
            ReaderEvent::Failed(problem) => self.failure = Some(problem),
            ReaderEvent::Bytes(_) => {}
        }
        true
    }

    fn golden(&self) -> String {
        let mut out = self.text.clone();
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        let mut part = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                writeln!(out, "=== {title}").unwrap();
                lines.iter().for_each(|line| writeln!(out, "{}", line.replace('\n', "\\n")).unwrap());
            }
        };
        part("places", self.places.clone());
        part("sections", self.sections.clone());
        part("lines", self.lines.chunks(20).map(|lines| lines.join(" ")).collect());
        part("map", self.map());
        if let Some(document) = &self.document {
            let kind = document.kind.map(|kind| kind.as_str().to_owned());
            let facts = [("kind", &kind), ("encoding", &document.encoding), ("mime", &document.mime)];
            let facts = facts.iter().filter_map(|(name, fact)| Some(format!("{name}: {}", fact.as_ref()?)));
            part("document", facts.collect());
            let metadata = document.metadata.iter();
            part("metadata", metadata.map(|(key, value)| format!("{key}: {value}")).collect());
            part("mail", document.mail.iter().flat_map(|mail| mail_lines(mail)).collect());
            part("members", self.members.clone());
            part("problems", document.problems.iter().map(told).collect());
            part("hidden", document.hidden_text.iter().map(hidden_line).collect());
            let review_reasons = document.review_reasons.iter();
            part(
                "doubts",
                review_reasons.map(|reason| format!("{}: {}", reason.kind, reason.detail)).collect(),
            );
        }
        part("failed", self.failure.iter().map(told).collect());
        out
    }
}

/// What a mail knows of its thread, and what may be shown of its page.
fn mail_lines(mail: &MailFacts) -> Vec<String> {
    let named = [("id", &mail.message_id), ("answers", &mail.in_reply_to), ("date", &mail.date)];
    let mut lines: Vec<String> =
        named.iter().filter_map(|(name, text)| Some(format!("{name}: {}", text.as_ref()?))).collect();
    lines.extend(mail.refs.iter().map(|id| format!("refers to: {id}")));
    lines.extend(mail.page.iter().map(|page| format!("page: {}", page.sanitised)));
    lines
}

fn hidden_line(passage: &HiddenPassage) -> String {
    let place = passage.locator.as_deref().unwrap_or("-");
    format!("{} {} {place} {}", passage.reason, passage.chars, passage.text)
}

fn told(problem: &Problem) -> String {
    format!("{}: {}", problem.kind, problem.message)
}

fn read(path: &Path, svg: bool) -> String {
    let bytes = fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut heard = Heard::default();
    let settings = ReadSettings { svg, ..ReadSettings::default() };
    read_bytes(&bytes, name, &settings, &mut |told| heard.on_event(told));
    heard.golden()
}

#[test]
fn every_golden_document_is_read_as_it_was_found_right() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    let cases = goldens::documents();
    assert!(!cases.is_empty());
    for (format, path) in cases {
        let found = read(&path, format == "svg");
        let golden = PathBuf::from(format!("{}.golden", path.display()));
        if update {
            fs::write(&golden, &found).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
