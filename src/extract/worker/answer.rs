//! The parent's half of the protocol: rows become a document again.

use super::protocol::{ProtocolError, Row};
use crate::model::{ContentHash, Document, Member, Problem, ProblemKind, Run, Segment, TextKind};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Value;
use std::borrow::Cow;

/// Puts the rows of one answer together again.
///
/// The child may have been taken over by what it read, so nothing here is taken on trust: positions must lie inside
/// the text, and hashes are computed.
#[derive(Debug, Default)]
pub(super) struct Answer {
    begun: bool,
    document: Document,
    text: String,
    map: Vec<u8>,
    members: Vec<Member>,
    problems: Vec<Problem>,
}

/// What one row did to an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// There is more to come.
    More,
    /// The answer is whole.
    Done(Box<Result<Document, Problem>>),
}

impl Answer {
    /// Takes one line that belongs to the request `id`.
    pub(super) fn take(&mut self, line: &[u8], id: &Value) -> Result<Step, ProtocolError> {
        let row: Row<'_> = serde_json::from_slice(line)?;
        if *row.id != *id {
            return Err(ProtocolError::Field { field: "id" });
        }
        match &*row.row {
            "document" => self.begin(row)?,
            "text" => self.text.push_str(&required(row.text, "text")?),
            "map" => self.map.append(&mut bytes_of(row.map, "map")?),
            "member" => self.add_member(row)?,
            "problem" => self.problems.push(problem_of(row)?),
            "done" => return std::mem::take(self).finish().map(|answer| Step::Done(Box::new(answer))),
            _ => return Err(ProtocolError::Field { field: "row" }),
        }
        Ok(Step::More)
    }

    fn begin(&mut self, row: Row<'_>) -> Result<(), ProtocolError> {
        let kind =
            row.kind.map(|name| TextKind::from_name(&name).ok_or(ProtocolError::Field { field: "kind" }));
        self.begun = true;
        self.document.kind = kind.transpose()?;
        self.document.encoding = row.encoding.map(Cow::into_owned);
        self.document.mime = row.mime.map(Cow::into_owned);
        self.document.metadata = row.metadata;
        Ok(())
    }

    fn add_member(&mut self, row: Row<'_>) -> Result<(), ProtocolError> {
        let place = required(row.member, "member")?.into_owned();
        let mut bytes = bytes_of(row.bytes, "bytes")?;
        match (row.name, self.members.last_mut()) {
            (Some(name), _) => {
                let hash = ContentHash::of(b"");
                self.members.push(Member { member: place, name: name.into_owned(), hash, bytes });
            }
            (None, Some(last)) if last.member == place => last.bytes.append(&mut bytes),
            (None, _) => return Err(ProtocolError::Field { field: "name" }),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Result<Document, Problem>, ProtocolError> {
        if !self.begun {
            let unsaid =
                || Problem::new(ProblemKind::ExtractionFailed, "the reader gave neither text nor reason");
            return Ok(Err(self.problems.into_iter().next().unwrap_or_else(unsaid)));
        }
        for member in &mut self.members {
            member.hash = ContentHash::of(&member.bytes);
        }
        let text = match self.map.is_empty() {
            true => Segment { text: self.text, ..Segment::default() },
            false => {
                Segment::decode(self.text, &self.map).map_err(|_| ProtocolError::Field { field: "map" })?
            }
        };
        if !is_sound(&text) {
            return Err(ProtocolError::Field { field: "map" });
        }
        Ok(Ok(Document { text, members: self.members, problems: self.problems, ..self.document }))
    }
}

/// True when everything that is known about a text lies inside the text.
fn is_sound(segment: &Segment) -> bool {
    let end = segment.text.len();
    let runs = segment.map.runs();
    let ends = |run: &Run| run.units.checked_mul(run.out_unit).and_then(|length| length.checked_add(run.out));
    runs.iter().all(|run| ends(run).is_some_and(|at| at <= end))
        && segment.lines.iter().all(|anchor| anchor.out <= end)
        && segment.places.0.iter().all(|(span, _)| span.start <= span.end && span.end <= end)
}

fn required<'a>(field: Option<Cow<'a, str>>, name: &'static str) -> Result<Cow<'a, str>, ProtocolError> {
    field.ok_or(ProtocolError::Field { field: name })
}

fn bytes_of(field: Option<Cow<'_, str>>, name: &'static str) -> Result<Vec<u8>, ProtocolError> {
    let text = required(field, name)?;
    BASE64_STANDARD.decode(text.as_bytes()).map_err(|_| ProtocolError::Field { field: name })
}

fn problem_of(row: Row<'_>) -> Result<Problem, ProtocolError> {
    let kind = row.kind.and_then(|name| ProblemKind::from_name(&name));
    let message = required(row.message, "message")?;
    Ok(Problem::new(kind.ok_or(ProtocolError::Field { field: "kind" })?, message))
}

#[cfg(test)]
mod tests {
    use super::super::protocol::{PART, write_answer};
    use super::*;
    use crate::model::{LineAnchor, Locator, Places, Span, SpanMap};

    fn round_trip(answer: &Result<Document, Problem>) -> (String, Result<Document, Problem>) {
        let id = Value::from(7);
        let mut rows = Vec::new();
        write_answer(&mut rows, &id, answer).unwrap();
        let mut taken = Answer::default();
        let mut last = Step::More;
        for line in rows.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            last = taken.take(line, &id).unwrap();
        }
        let Step::Done(back) = last else { panic!("the last row is `done`") };
        (String::from_utf8(rows).unwrap(), *back)
    }

    fn rich() -> Document {
        let text = "é\u{0}\"\\\n\u{2028}".repeat(60_000);
        let bytes = vec![200; 2 * PART + 5];
        Document {
            text: Segment {
                map: SpanMap::identity(text.len(), 3),
                lines: vec![LineAnchor { out: 0, line: 1 }],
                places: Places(vec![(Span::new(0, 4), Locator::Pages { first: 2, last: 2 })]),
                text,
            },
            kind: Some(TextKind::Markup),
            encoding: Some("windows-1252".to_owned()),
            mime: Some("text/html".to_owned()),
            metadata: vec![("title".to_owned(), "a \"b\"".to_owned())],
            members: vec![
                Member {
                    member: "1".into(),
                    name: "empty".into(),
                    hash: ContentHash::of(b""),
                    bytes: Vec::new(),
                },
                Member { member: "2".into(), name: "a.bin".into(), hash: ContentHash::of(&bytes), bytes },
            ],
            problems: vec![Problem::new(ProblemKind::Undecodable, "x")],
        }
    }

    #[test]
    fn documents_come_back_as_they_were() {
        for document in [Document::default(), rich()] {
            let (rows, back) = round_trip(&Ok(document.clone()));
            assert_eq!(back, Ok(document));
            assert!(rows.lines().all(|row| row.len() < 7 * PART));
        }
    }

    #[test]
    fn a_problem_is_two_rows() {
        let problem = Problem::new(ProblemKind::Damaged, "no end");
        let (rows, back) = round_trip(&Err(problem.clone()));
        assert_eq!(back, Err(problem));
        let expected = "{\"id\":7,\"row\":\"problem\",\"kind\":\"Damaged\",\"message\":\"no end\"}\n\
                        {\"id\":7,\"row\":\"done\"}\n";
        assert_eq!(rows, expected);
    }

    #[test]
    fn what_does_not_belong_is_refused() {
        let refused = |lines: &[&str]| {
            let mut answer = Answer::default();
            lines.iter().any(|line| answer.take(line.as_bytes(), &Value::from(1)).is_err())
        };
        assert!(refused(&["nonsense"]));
        assert!(refused(&["{\"id\":2,\"row\":\"done\"}"]));
        assert!(refused(&["{\"id\":1,\"row\":\"dance\"}"]));
        assert!(refused(&["{\"id\":1,\"row\":\"text\"}"]));
        assert!(refused(&["{\"id\":1,\"row\":\"member\",\"member\":\"1\",\"bytes\":\"\"}"]));
        let map = BASE64_STANDARD
            .encode(Segment { map: SpanMap::identity(9, 0), ..Segment::default() }.encode_map());
        let rows =
            ["{\"id\":1,\"row\":\"document\"}", &format!("{{\"id\":1,\"row\":\"map\",\"map\":\"{map}\"}}")];
        assert!(refused(&[rows[0], rows[1], "{\"id\":1,\"row\":\"done\"}"]));
        assert!(!refused(&["{\"id\":1,\"row\":\"text\",\"text\":\"\"}", "{\"id\":1,\"row\":\"done\"}"]));
    }
}
