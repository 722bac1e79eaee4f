//! Collects what a reader of archives emits.

use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource, ReadFormat, StreamedMember};
use pensieve_text::model::{ContainerMember, Document, Problem, ProblemKind, Segment};
use std::io::{Cursor, Read};

/// What was emitted: one line for each document, `place: content`.
pub(super) struct EntryCollector {
    pub lines: Vec<String>,
    pub room: usize,
    pub unpackable: u64,
}

impl Default for EntryCollector {
    fn default() -> EntryCollector {
        EntryCollector { lines: Vec::new(), room: 1 << 20, unpackable: 1 << 30 }
    }
}

impl DocumentSink for EntryCollector {
    fn text(&mut self, _: Segment) -> Result<(), Problem> {
        Ok(())
    }

    fn member(&mut self, member: ContainerMember) -> Result<(), Problem> {
        let content = String::from_utf8_lossy(&member.bytes).into_owned();
        let absent = member.absent.map(|absent| format!("({})", absent.reason));
        let problem =
            member.problem.map(|problem| format!("[{}: {}]", problem.kind.as_str(), problem.message));
        let facts = [Some(content), absent, problem].into_iter().flatten().collect::<String>();
        self.lines.push(format!("{}: {facts}", member.member));
        Ok(())
    }

    fn stream(&mut self, member: StreamedMember, data: &mut dyn Read) -> Result<(), Problem> {
        let mut bytes = Vec::new();
        data.read_to_end(&mut bytes).unwrap();
        let hash = pensieve_text::model::ContentHash::of(&bytes);
        assert_eq!((member.size, member.hash), (bytes.len() as u64, hash));
        self.lines.push(format!("{}: {} bytes streamed", member.member, bytes.len()));
        Ok(())
    }

    fn unpacked(&mut self, bytes: u64) -> Result<(), Problem> {
        let left = self.unpackable.checked_sub(bytes);
        self.unpackable = left.unwrap_or(0);
        left.map(drop).ok_or_else(|| Problem::new(ProblemKind::SizeLimit, "too much"))
    }

    fn room(&self) -> usize {
        self.room
    }
}

/// Reads an archive into `sink`.
pub(super) fn read_into(
    sink: &mut EntryCollector,
    reader: ReadFormat,
    name: &str,
    bytes: &[u8],
) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, name).unwrap();
    let mut document = reader(&mut source, &ReadSettings::default(), sink)?;
    source.report(&mut document);
    Ok(document)
}

/// Checks the documents of an archive, and the messages of its problems.
#[track_caller]
pub(super) fn check(reader: ReadFormat, name: &str, bytes: &[u8], expected: &[&str], problems: &[&str]) {
    let mut sink = EntryCollector::default();
    let document = read_into(&mut sink, reader, name, bytes).unwrap();
    assert_eq!(sink.lines, expected);
    let messages: Vec<&str> = document.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(messages, problems);
}
