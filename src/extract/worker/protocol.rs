//! What parent and child say to each other: protocol 1.
//!
//! A document comes as rows of one flat shape, told apart by `row`. Texts, maps and members are cut into rows of a
//! size that fits any buffer; what belongs together is what follows each other. A request is answered by any number
//! of rows and one `done`; no `document` row before it means that there is no text, and a `problem` row says why.

use crate::model::{ContentHash, Document, Member, Problem, ProblemKind, Segment, TextKind};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The number of the protocol that this program speaks.
pub const PROTOCOL: u32 = 1;

/// How much of a text or of bytes goes into one row, before escaping. A multiple of three, so that base64 needs
/// padding in the last row only.
const PART: usize = 192 * 1024;

/// Something is said that the protocol does not know.
#[derive(Debug, Error)]
pub enum ProtocolError {
    /// The line is no JSON, or not of the shape that was expected.
    #[error("not a line of protocol {PROTOCOL}: {0}")]
    Line(#[from] serde_json::Error),
    /// A field holds what it must not.
    #[error("`{field}` of a row cannot be understood")]
    Field {
        /// Which field.
        field: &'static str,
    },
}

/// One document to be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Whatever the asker knows the document by; every row of the answer carries it.
    pub id: Value,
    /// Where the file is.
    pub path: String,
    /// The bytes of the path in base64, where they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_b64: Option<String>,
    /// Its name, by which a reader is chosen.
    pub name: String,
    /// Settings that the result depends on; what they mean is between the asker and the reader.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub settings: Value,
}

impl Request {
    /// A request for the file at `path`.
    pub fn new(id: impl Into<Value>, path: &Path, name: &str, settings: Value) -> Request {
        Request {
            id: id.into(),
            path: path.to_string_lossy().into_owned(),
            path_b64: path
                .to_str()
                .is_none()
                .then(|| BASE64_STANDARD.encode(path.as_os_str().as_encoded_bytes())),
            name: name.to_owned(),
            settings,
        }
    }

    /// Where the file is, to the byte.
    pub fn location(&self) -> Result<PathBuf, ProtocolError> {
        let Some(encoded) = &self.path_b64 else { return Ok(PathBuf::from(&self.path)) };
        let broken = ProtocolError::Field { field: "path_b64" };
        let Ok(bytes) = BASE64_STANDARD.decode(encoded) else { return Err(broken) };
        #[cfg(unix)]
        return Ok(PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes)));
        #[cfg(not(unix))]
        String::from_utf8(bytes).map(PathBuf::from).map_err(|_| broken)
    }

    /// The request as a line.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("strings and JSON values always serialise");
        line.push(b'\n');
        line
    }

    /// Reads a line.
    pub fn from_line(line: &[u8]) -> Result<Request, ProtocolError> {
        Ok(serde_json::from_slice(line)?)
    }
}

/// One row. A flat shape, because serde buffers tagged ones before it reads them: that costs a copy of every text.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    id: Cow<'a, Value>,
    #[serde(borrow)]
    row: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    encoding: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    mime: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    metadata: Vec<(String, String)>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    map: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    member: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    hash: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    bytes: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'a, str>>,
}

/// Writes the rows of one answer.
pub(super) fn write_answer(
    out: &mut impl Write,
    id: &Value,
    answer: &Result<Document, Problem>,
) -> io::Result<()> {
    let row = |row: &'static str| Row { id: Cow::Borrowed(id), row: row.into(), ..Row::default() };
    match answer {
        Ok(document) => write_document(out, &row, document)?,
        Err(problem) => write_problem(out, row("problem"), problem)?,
    }
    write_row(out, &row("done"))
}

fn write_document<'a>(
    out: &mut impl Write,
    row: &dyn Fn(&'static str) -> Row<'a>,
    document: &'a Document,
) -> io::Result<()> {
    write_row(
        out,
        &Row {
            kind: document.kind.map(|kind| kind.as_str().into()),
            encoding: document.encoding.as_deref().map(Cow::Borrowed),
            mime: document.mime.as_deref().map(Cow::Borrowed),
            metadata: document.metadata.clone(),
            ..row("document")
        },
    )?;
    let mut rest = document.text.text.as_str();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(floor_boundary(rest, PART));
        write_row(out, &Row { text: Some(part.into()), ..row("text") })?;
        rest = after;
    }
    for part in document.text.encode_map().chunks(PART) {
        write_row(out, &Row { map: Some(BASE64_STANDARD.encode(part).into()), ..row("map") })?;
    }
    for member in &document.members {
        write_member(out, row, member)?;
    }
    for problem in &document.problems {
        write_problem(out, row("problem"), problem)?;
    }
    Ok(())
}

/// The first row of a member has its name; rows without one continue it.
fn write_member<'a>(
    out: &mut impl Write,
    row: &dyn Fn(&'static str) -> Row<'a>,
    member: &'a Member,
) -> io::Result<()> {
    let (first, rest) = member.bytes.split_at(member.bytes.len().min(PART));
    let part = |bytes| Row {
        member: Some(member.member.as_str().into()),
        bytes: Some(BASE64_STANDARD.encode(bytes).into()),
        ..row("member")
    };
    let name = Some(member.name.as_str().into());
    write_row(out, &Row { name, hash: Some(member.hash.to_hex().into()), ..part(first) })?;
    rest.chunks(PART).try_for_each(|bytes| write_row(out, &part(bytes)))
}

fn write_problem(out: &mut impl Write, row: Row<'_>, problem: &Problem) -> io::Result<()> {
    let kind = Some(problem.kind.as_str().into());
    write_row(out, &Row { kind, message: Some(problem.message.as_str().into()), ..row })
}

fn write_row(out: &mut impl Write, row: &Row<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}

/// The last character boundary at or before `at`; never 0 for a text that has a character.
fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

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
    let ends = |run: &crate::model::Run| {
        run.units.checked_mul(run.out_unit).and_then(|length| length.checked_add(run.out))
    };
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

    #[cfg(unix)]
    #[test]
    fn requests_carry_any_path() {
        use std::os::unix::ffi::OsStrExt;
        for bytes in [&b"/a/b.html"[..], b"/a/\xff\n\".html"] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            let line = Request::new(1, path, "b.html", Value::Null).to_line();
            assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
            let request = Request::from_line(&line).unwrap();
            assert_eq!(request.location().unwrap(), path);
        }
        assert!(Request::from_line(b"{\"id\":1,\"path\":\"x\",\"name\":\"x\",\"mood\":1}").is_err());
    }
}
