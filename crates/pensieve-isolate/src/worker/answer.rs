//! The parent's half of the protocol: decodes rows into events.

use super::protocol::{ProtocolError, ProtocolRow};
use base64::prelude::{BASE64_STANDARD, Engine};
use pensieve_readers::event::{MemberHead, MemberVerdict, ReaderEvent};
use pensieve_readers::nested::EventSink;
use pensieve_text::model::{
    Document, HiddenPassage, HiddenReason, MailFacts, MailHtml, MapRun, Problem, ProblemKind,
    ProcessingStatus, ReviewReason, ReviewReasonKind, Segment, TextKind,
};
use serde_json::Value;
use std::borrow::Cow;

/// Decodes the rows of one answer.
///
/// The document may have taken over the child, so its answer is checked: positions must lie inside the text, names and
/// states must be known. The hash of a member is not checked.
#[derive(Debug, Default)]
pub(super) struct AnswerDecoder {
    text: String,
    map: Vec<u8>,
    bytes: Vec<u8>,
    problems: Vec<Problem>,
    page: MailHtml,
    hidden_text: Vec<HiddenPassage>,
    is_concluded: bool,
    in_member: bool,
    converts: bool,
    /// Problems and state of the outermost document while a member is decoded.
    outer: (Vec<Problem>, bool),
}

/// The state of an answer after a row.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) enum AnswerStep {
    /// More rows follow.
    More,
    /// The receiver stopped the reader.
    Refused,
    /// The answer is complete.
    Done,
}

impl AnswerDecoder {
    /// Decodes one line of the answer to request `id`, and emits the event that it completes.
    pub(super) fn take(
        &mut self,
        line: &[u8],
        id: &Value,
        on_event: EventSink<'_>,
    ) -> Result<AnswerStep, ProtocolError> {
        let row: ProtocolRow<'_> = serde_json::from_slice(line)?;
        if *row.id != *id {
            return Err(ProtocolError::Field { field: "id" });
        }
        let mut is_wanted = true;
        let mut emit = |event| is_wanted = is_wanted && on_event(event);
        match &*row.row {
            "text" => self.text.push_str(&required(row.text, "text")?),
            "map" => {
                let is_last = row.last;
                self.map.append(&mut bytes_of(row.map, "map")?);
                if is_last {
                    emit(ReaderEvent::Text(self.segment()?));
                }
            }
            "page" => self.page.raw.push_str(&required(row.page, "page")?),
            "sanitised" => self.page.sanitised.push_str(&required(row.page, "page")?),
            "hidden" => self.hidden_text.push(hidden_passage(row)?),
            "problem" => self.problems.push(problem_of(row)?),
            "document" => {
                self.is_concluded = true;
                emit(ReaderEvent::Document(Box::new(self.document(row)?)));
            }
            "member" if row.member.is_none() => self.bytes.append(&mut bytes_of(row.bytes, "bytes")?),
            "member" => emit(self.begin_member(row)?),
            "end" | "done" if self.in_member != (row.row == "end") => {
                return Err(ProtocolError::Field { field: "row" });
            }
            "end" => {
                self.end_member(&mut emit);
                emit(ReaderEvent::End);
            }
            "done" => {
                if !self.is_concluded {
                    emit(ReaderEvent::Failed(self.failure()));
                }
                return Ok(AnswerStep::Done);
            }
            _ => return Err(ProtocolError::Field { field: "row" }),
        }
        Ok(if is_wanted { AnswerStep::More } else { AnswerStep::Refused })
    }

    fn segment(&mut self) -> Result<Segment, ProtocolError> {
        let broken = ProtocolError::Field { field: "map" };
        let (text, map) = (std::mem::take(&mut self.text), std::mem::take(&mut self.map));
        match Segment::decode(text, &map) {
            Ok(segment) if is_sound(&segment) => Ok(segment),
            _ => Err(broken),
        }
    }

    fn document(&mut self, row: ProtocolRow<'_>) -> Result<Document, ProtocolError> {
        let kind =
            row.kind.map(|name| TextKind::from_name(&name).ok_or(ProtocolError::Field { field: "kind" }));
        let reason = |(kind, detail): (String, String)| {
            let kind = ReviewReasonKind::from_name(&kind).ok_or(ProtocolError::Field { field: "doubts" });
            kind.map(|kind| ReviewReason { kind, detail })
        };
        let page = Some(std::mem::take(&mut self.page)).filter(|page| !page.raw.is_empty());
        let mail = row.mail.map(|mail| Box::new(MailFacts { page, ..mail.into_owned() }));
        Ok(Document {
            text: Segment::default(),
            mail,
            kind: kind.transpose()?,
            encoding: row.encoding.map(Cow::into_owned),
            mime: row.mime.map(Cow::into_owned),
            metadata: row.metadata,
            problems: std::mem::take(&mut self.problems),
            hidden_text: std::mem::take(&mut self.hidden_text),
            review_reasons: row.review_reasons.into_iter().map(reason).collect::<Result<_, _>>()?,
        })
    }

    fn begin_member(&mut self, row: ProtocolRow<'_>) -> Result<ReaderEvent, ProtocolError> {
        if self.in_member || !self.text.is_empty() {
            return Err(ProtocolError::Field { field: "row" });
        }
        let head = head_of(row)?;
        self.in_member = true;
        self.converts = matches!(head.verdict, MemberVerdict::Convert { .. });
        self.outer = (std::mem::take(&mut self.problems), self.is_concluded);
        self.is_concluded = matches!(head.verdict, MemberVerdict::Skipped { .. });
        Ok(ReaderEvent::Member(Box::new(head)))
    }

    fn end_member(&mut self, emit: &mut dyn FnMut(ReaderEvent)) {
        if self.converts {
            emit(ReaderEvent::Bytes(std::mem::take(&mut self.bytes)));
        } else if !self.is_concluded {
            emit(ReaderEvent::Failed(self.failure()));
        }
        self.bytes.clear();
        (self.in_member, self.converts) = (false, false);
        (self.problems, self.is_concluded) = std::mem::take(&mut self.outer);
    }

    /// Why there is no document.
    fn failure(&mut self) -> Problem {
        let unknown =
            || Problem::new(ProblemKind::ExtractionFailed, "the reader gave neither text nor reason");
        std::mem::take(&mut self.problems).into_iter().next().unwrap_or_else(unknown)
    }
}

fn head_of(row: ProtocolRow<'_>) -> Result<MemberHead, ProtocolError> {
    let text = |field: Option<Cow<'_, str>>, name| required(field, name).map(Cow::into_owned);
    let verdict = match &*required(row.verdict, "verdict")? {
        "read" => MemberVerdict::Read(text(row.format, "format")?),
        "convert" => MemberVerdict::Convert {
            format: text(row.format, "format")?,
            extension: text(row.extension, "extension")?,
        },
        status => MemberVerdict::Skipped {
            status: ProcessingStatus::from_name(status).ok_or(ProtocolError::Field { field: "verdict" })?,
            reason: text(row.message, "message")?,
            problem: row.kind.map(|kind| problem_kind(&kind)).transpose()?,
        },
    };
    Ok(MemberHead {
        path: text(row.at, "at")?,
        within: row.within.map(Cow::into_owned),
        member: text(row.member, "member")?,
        name: text(row.name, "name")?,
        hash: required(row.hash, "hash")?.parse().map_err(|_| ProtocolError::Field { field: "hash" })?,
        size: row.size.ok_or(ProtocolError::Field { field: "size" })?,
        mime: text(row.mime, "mime")?,
        verdict,
    })
}

/// True if every position lies inside the text.
fn is_sound(segment: &Segment) -> bool {
    let end = segment.text.len();
    let runs = segment.map.runs();
    let ends =
        |run: &MapRun| run.units.checked_mul(run.out_unit).and_then(|length| length.checked_add(run.out));
    runs.iter().all(|run| ends(run).is_some_and(|at| at <= end))
        && segment.lines.iter().all(|anchor| anchor.out <= end)
        && segment.places.0.iter().all(|(span, _)| span.start <= span.end && span.end <= end)
        && segment.sections.iter().all(|start| segment.text.is_char_boundary(start.out))
        && segment.sections.is_sorted_by_key(|start| start.out)
}

fn required<'a>(field: Option<Cow<'a, str>>, name: &'static str) -> Result<Cow<'a, str>, ProtocolError> {
    field.ok_or(ProtocolError::Field { field: name })
}

fn bytes_of(field: Option<Cow<'_, str>>, name: &'static str) -> Result<Vec<u8>, ProtocolError> {
    let text = required(field, name)?;
    BASE64_STANDARD.decode(text.as_bytes()).map_err(|_| ProtocolError::Field { field: name })
}

fn hidden_passage(row: ProtocolRow<'_>) -> Result<HiddenPassage, ProtocolError> {
    let reason = HiddenReason::from_name(&required(row.kind, "kind")?);
    Ok(HiddenPassage {
        reason: reason.ok_or(ProtocolError::Field { field: "kind" })?,
        locator: row.locator.map(Cow::into_owned),
        chars: row.size.ok_or(ProtocolError::Field { field: "size" })?,
        text: required(row.text, "text")?.into_owned(),
    })
}

fn problem_of(row: ProtocolRow<'_>) -> Result<Problem, ProtocolError> {
    let kind = problem_kind(&required(row.kind, "kind")?)?;
    let message = required(row.message, "message")?;
    Ok(Problem::new(kind, message))
}

fn problem_kind(name: &str) -> Result<ProblemKind, ProtocolError> {
    ProblemKind::from_name(name).ok_or(ProtocolError::Field { field: "kind" })
}

#[cfg(test)]
mod tests {
    use super::super::protocol::{ROW_BYTES, write_done, write_event};
    use super::*;
    use pensieve_text::model::{ContentHash, LineAnchor, Locator, LocatorMap, SectionStart, Span, SpanMap};

    fn round_trip(event: &[ReaderEvent]) -> (String, Vec<ReaderEvent>) {
        let id = Value::from(7);
        let mut rows = Vec::new();
        event.iter().for_each(|event| write_event(&mut rows, &id, event).unwrap());
        write_done(&mut rows, &id).unwrap();
        let (mut answer, mut back, mut last) = (AnswerDecoder::default(), Vec::new(), AnswerStep::More);
        for line in rows.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let mut on_event = |event| {
                back.push(event);
                true
            };
            last = answer.take(line, &id, &mut on_event).unwrap();
        }
        assert_eq!(last, AnswerStep::Done);
        (String::from_utf8(rows).unwrap(), back)
    }

    fn rich() -> Segment {
        let text = "é\u{0}\"\\\n\u{2028}".repeat(60_000);
        Segment {
            map: SpanMap::identity(text.len(), 3),
            lines: vec![LineAnchor { out: 0, line: 1 }],
            places: LocatorMap(vec![(Span::new(0, 4), Locator::page(2))]),
            sections: vec![SectionStart { out: 2, seq: 1, level: 3, label: "é".into() }],
            text,
        }
    }

    fn facts() -> Document {
        Document {
            kind: Some(TextKind::Markup),
            encoding: Some("UTF-8".into()),
            mime: Some("text/html".into()),
            metadata: vec![("title".into(), "a\tb".into()), ("title".into(), "é".into())],
            problems: vec![Problem::new(ProblemKind::Undecodable, "3 bytes")],
            review_reasons: vec![ReviewReason::skipped("1 part")],
            hidden_text: vec![HiddenPassage {
                reason: HiddenReason::Tiny,
                locator: Some("{\"page\":1}".into()),
                chars: 2,
                text: "é\n".into(),
            }],
            mail: Some(Box::new(MailFacts {
                message_id: Some("a@b".into()),
                refs: vec!["x@y".into()],
                page: Some(MailHtml { raw: "<p>é".repeat(60_000), sanitised: "<p>é</p>".into() }),
                ..MailFacts::default()
            })),
            ..Document::default()
        }
    }

    fn head(verdict: MemberVerdict) -> ReaderEvent {
        ReaderEvent::Member(Box::new(MemberHead {
            path: "3/1.2".into(),
            within: Some("3".into()),
            member: "1.2".into(),
            name: "a.pdf".into(),
            hash: ContentHash::of(b"x"),
            size: 1,
            mime: "application/pdf".into(),
            verdict,
        }))
    }

    #[test]
    fn decoded_events_equal_the_written_ones() {
        let convert = MemberVerdict::Convert { format: "pdf".into(), extension: "pdf".into() };
        let skipped =
            |status, reason: &str, problem| MemberVerdict::Skipped { status, reason: reason.into(), problem };
        let image = skipped(ProcessingStatus::SkippedBinary, "an image", None);
        let locked = skipped(ProcessingStatus::Error, "a password", Some(ProblemKind::Encrypted));
        let failed = ReaderEvent::Failed(Problem::new(ProblemKind::Damaged, "no end"));
        let event = [
            ReaderEvent::Text(rich()),
            ReaderEvent::Text(Segment { text: "more".into(), ..Segment::default() }),
            ReaderEvent::Document(Box::new(facts())),
            head(MemberVerdict::Read("pdf".into())),
            failed,
            ReaderEvent::End,
            head(convert),
            ReaderEvent::Bytes(vec![200; 2 * ROW_BYTES + 5]),
            ReaderEvent::End,
            head(image),
            ReaderEvent::End,
            head(locked),
            ReaderEvent::End,
        ];
        let (rows, back) = round_trip(&event);
        assert_eq!(back, event);
        assert!(rows.lines().all(|line| line.len() < 8 * ROW_BYTES), "rows fit a buffer");
    }

    #[test]
    fn a_whole_document_is_decoded_as_text_and_facts() {
        let whole = Document { text: rich(), ..facts() };
        let (_, back) = round_trip(&[ReaderEvent::Document(Box::new(whole))]);
        assert_eq!(back, [ReaderEvent::Text(rich()), ReaderEvent::Document(Box::new(facts()))]);
    }

    #[test]
    fn an_answer_without_document_has_a_reason() {
        let (_, back) = round_trip(&[]);
        assert!(matches!(&back[..], [ReaderEvent::Failed(problem)] if problem.message.contains("neither")));
    }

    fn check_refused(rows: &[&str]) {
        let mut answer = AnswerDecoder::default();
        let id = Value::from(7);
        let results: Vec<_> =
            rows.iter().map(|row| answer.take(row.as_bytes(), &id, &mut |_| true)).collect();
        assert!(results.iter().any(Result::is_err), "{rows:?}");
    }

    #[test]
    fn invalid_rows_are_refused() {
        check_refused(&["hello"]);
        check_refused(&["{\"id\":8,\"row\":\"done\"}"]);
        check_refused(&["{\"id\":7,\"row\":\"song\"}"]);
        check_refused(&["{\"id\":7,\"row\":\"end\"}"]);
        check_refused(&["{\"id\":7,\"row\":\"text\"}"]);
        check_refused(&["{\"id\":7,\"row\":\"map\",\"map\":\"!\",\"last\":true}"]);
        check_refused(&["{\"id\":7,\"row\":\"problem\",\"kind\":\"Sad\",\"message\":\"x\"}"]);
        check_refused(&["{\"id\":7,\"row\":\"member\",\"member\":\"1\"}"]);
        let map = BASE64_STANDARD.encode(rich().encode_map());
        check_refused(&[&format!("{{\"id\":7,\"row\":\"map\",\"map\":\"{map}\",\"last\":true}}")]);
    }
}
