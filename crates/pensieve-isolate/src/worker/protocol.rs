//! The messages between parent and child: protocol 1.
//!
//! A document comes as rows of one flat shape, distinguished by `row`. Texts, maps and bytes are cut into rows that
//! fit any buffer: `text` rows and then `map` rows, the last of which has `last`, are one segment of text. The
//! `document` row follows the text and problems of the document; without one, a `problem` row gives the reason.
//! `page` rows (its own HTML) and `sanitised` rows precede the `document` row of a mail with HTML, `hidden` rows that of
//! a document with text that nobody can see. `member` begins a document inside the document, `end` ends it. A request is answered by any number of rows and one `done`.

use crate::platform::{path_bytes, path_from_bytes};
use base64::prelude::{BASE64_STANDARD, Engine};
use pensieve_readers::event::{MemberHead, MemberVerdict, ReaderEvent};
use pensieve_text::model::{Document, HiddenPassage, MailFacts, Problem, Segment};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The number of the protocol that this program speaks.
pub const PROTOCOL: u32 = 1;

/// Bytes of a text or of a member in one row, before escaping. A multiple of three, so that base64 needs padding in the
/// last row only.
pub(super) const ROW_BYTES: usize = 192 * 1024;

/// A message that does not follow the protocol.
#[derive(Debug, Error)]
pub enum ProtocolError {
    /// The line is not JSON, or not of the expected shape.
    #[error("not a line of protocol {PROTOCOL}: {0}")]
    Line(#[from] serde_json::Error),
    /// A field has an invalid value.
    #[error("`{field}` of a row cannot be understood")]
    Field {
        /// Which field.
        field: &'static str,
    },
}

/// One document to be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerRequest {
    /// The caller's name for the document; every row of the answer carries it.
    pub id: Value,
    /// Where the file is.
    pub path: String,
    /// The bytes of the path in base64, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_b64: Option<String>,
    /// Its name, by which a reader is chosen.
    pub name: String,
    /// Settings that the result depends on; the protocol does not interpret them.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub settings: Value,
}

impl WorkerRequest {
    /// A request for the file at `path`.
    pub fn new(id: impl Into<Value>, path: &Path, name: &str, settings: Value) -> WorkerRequest {
        WorkerRequest {
            id: id.into(),
            path: path.to_string_lossy().into_owned(),
            path_b64: path.to_str().is_none().then(|| BASE64_STANDARD.encode(path_bytes(path.as_os_str()))),
            name: name.to_owned(),
            settings,
        }
    }

    /// Where the file is, to the byte.
    pub fn location(&self) -> Result<PathBuf, ProtocolError> {
        let Some(encoded) = &self.path_b64 else { return Ok(PathBuf::from(&self.path)) };
        let broken = ProtocolError::Field { field: "path_b64" };
        let Ok(bytes) = BASE64_STANDARD.decode(encoded) else { return Err(broken) };
        Ok(path_from_bytes(bytes))
    }

    /// The request as a line.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("strings and JSON values always serialise");
        line.push(b'\n');
        line
    }

    /// Reads a line.
    pub fn from_line(line: &[u8]) -> Result<WorkerRequest, ProtocolError> {
        Ok(serde_json::from_slice(line)?)
    }
}

/// One row. A flat shape, because serde buffers tagged ones before it reads them: that costs a copy of every text.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ProtocolRow<'a> {
    #[serde(borrow)]
    pub(super) id: Cow<'a, Value>,
    #[serde(borrow)]
    pub(super) row: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) encoding: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) mime: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) metadata: Vec<(String, String)>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) map: Option<Cow<'a, str>>,
    #[serde(rename = "doubts", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) review_reasons: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) last: bool,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) member: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<u64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) extension: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mail: Option<Cow<'a, MailFacts>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) locator: Option<Cow<'a, str>>,
}

/// Writes the rows of one event.
pub(super) fn write_event(out: &mut impl Write, id: &Value, event: &ReaderEvent) -> io::Result<()> {
    let row =
        |row: &'static str| ProtocolRow { id: Cow::Borrowed(id), row: row.into(), ..ProtocolRow::default() };
    match event {
        ReaderEvent::Text(segment) => write_text(out, &row, segment),
        ReaderEvent::Document(document) => write_document(out, &row, document),
        ReaderEvent::Failed(problem) => write_problem(out, row("problem"), problem),
        ReaderEvent::Member(head) => write_row(out, &member_row(head, row("member"))),
        ReaderEvent::Bytes(bytes) => bytes.chunks(ROW_BYTES).try_for_each(|part| {
            write_row(out, &ProtocolRow { bytes: Some(BASE64_STANDARD.encode(part).into()), ..row("member") })
        }),
        ReaderEvent::End => write_row(out, &row("end")),
    }
}

/// Ends an answer.
pub(super) fn write_done(out: &mut impl Write, id: &Value) -> io::Result<()> {
    write_row(out, &ProtocolRow { id: Cow::Borrowed(id), row: "done".into(), ..ProtocolRow::default() })
}

fn write_text<'a>(
    out: &mut impl Write,
    row: &dyn Fn(&'static str) -> ProtocolRow<'a>,
    segment: &'a Segment,
) -> io::Result<()> {
    parts_of(&segment.text)
        .try_for_each(|part| write_row(out, &ProtocolRow { text: Some(part.into()), ..row("text") }))?;
    let map = segment.encode_map();
    let parts = map.len().div_ceil(ROW_BYTES);
    for (number, part) in (1..).zip(map.chunks(ROW_BYTES)) {
        let map = Some(BASE64_STANDARD.encode(part).into());
        write_row(out, &ProtocolRow { map, last: number == parts, ..row("map") })?;
    }
    Ok(())
}

fn write_document<'a>(
    out: &mut impl Write,
    row: &dyn Fn(&'static str) -> ProtocolRow<'a>,
    document: &'a Document,
) -> io::Result<()> {
    if !document.text.text.is_empty() {
        write_text(out, row, &document.text)?;
    }
    for problem in &document.problems {
        write_problem(out, row("problem"), problem)?;
    }
    if let Some(page) = document.mail.as_ref().and_then(|mail| mail.page.as_ref()) {
        for (name, text) in [("page", &page.raw), ("sanitised", &page.sanitised)] {
            parts_of(text)
                .try_for_each(|part| write_row(out, &ProtocolRow { page: Some(part.into()), ..row(name) }))?;
        }
    }
    document
        .hidden_text
        .iter()
        .try_for_each(|passage| write_row(out, &hidden_row(passage, row("hidden"))))?;
    let review_reasons = document.review_reasons.iter();
    write_row(
        out,
        &ProtocolRow {
            mail: document.mail.as_deref().map(Cow::Borrowed),
            kind: document.kind.map(|kind| kind.as_str().into()),
            encoding: document.encoding.as_deref().map(Cow::Borrowed),
            mime: document.mime.as_deref().map(Cow::Borrowed),
            metadata: document.metadata.clone(),
            review_reasons: review_reasons
                .map(|reason| (reason.kind.as_str().to_owned(), reason.detail.clone()))
                .collect(),
            ..row("document")
        },
    )
}

fn hidden_row<'a>(passage: &'a HiddenPassage, row: ProtocolRow<'a>) -> ProtocolRow<'a> {
    ProtocolRow {
        kind: Some(passage.reason.as_str().into()),
        locator: passage.locator.as_deref().map(Cow::Borrowed),
        size: Some(passage.chars),
        text: Some(passage.text.as_str().into()),
        ..row
    }
}

fn member_row<'a>(head: &'a MemberHead, row: ProtocolRow<'a>) -> ProtocolRow<'a> {
    let text = |text: &'a str| Some(Cow::Borrowed(text));
    let row = ProtocolRow {
        member: text(&head.member),
        at: text(&head.path),
        within: head.within.as_deref().map(Cow::Borrowed),
        name: text(&head.name),
        hash: Some(head.hash.to_hex().into()),
        size: Some(head.size),
        mime: text(&head.mime),
        ..row
    };
    match &head.verdict {
        MemberVerdict::Read(format) => ProtocolRow { verdict: text("read"), format: text(format), ..row },
        MemberVerdict::Convert { format, extension } => {
            ProtocolRow { verdict: text("convert"), format: text(format), extension: text(extension), ..row }
        }
        MemberVerdict::Skipped { status, reason, problem } => ProtocolRow {
            verdict: text(status.as_str()),
            message: text(reason),
            kind: problem.map(|kind| kind.as_str().into()),
            ..row
        },
    }
}

fn write_problem(out: &mut impl Write, row: ProtocolRow<'_>, problem: &Problem) -> io::Result<()> {
    let kind = Some(problem.kind.as_str().into());
    write_row(out, &ProtocolRow { kind, message: Some(problem.message.as_str().into()), ..row })
}

fn write_row(out: &mut impl Write, row: &ProtocolRow<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}

/// A text in parts that fit into a row.
fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (part, after) = rest.split_at(rest.floor_char_boundary(ROW_BYTES));
        rest = after;
        Some(part).filter(|part| !part.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_come_in_parts_that_cut_no_character() {
        let text = format!("{}é{}", "a".repeat(ROW_BYTES - 1), "b".repeat(ROW_BYTES));
        let parts: Vec<&str> = parts_of(&text).collect();
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        assert_eq!(lengths, [ROW_BYTES - 1, ROW_BYTES, 2]);
        assert_eq!(parts.concat(), text);
        assert_eq!(parts_of("").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn requests_carry_any_path() {
        use std::os::unix::ffi::OsStrExt;
        for bytes in [&b"/a/b.html"[..], b"/a/\xff\n\".html"] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            let line = WorkerRequest::new(1, path, "b.html", Value::Null).to_line();
            assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
            let request = WorkerRequest::from_line(&line).unwrap();
            assert_eq!(request.location().unwrap(), path);
        }
        assert!(WorkerRequest::from_line(b"{\"id\":1,\"path\":\"x\",\"name\":\"x\",\"mood\":1}").is_err());
    }
}
