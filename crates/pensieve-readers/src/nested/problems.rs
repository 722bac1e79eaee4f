//! What is wrong with a document, as far as its reader does not say so.

use pensieve_text::model::numbers::counted;
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReason, ReviewReasonKind};
use std::any::Any;
use std::collections::HashSet;

/// A document of whose bytes some are missing.
pub(super) fn with_problem(mut document: Document, problem: Option<Problem>) -> Document {
    if let Some(problem) = problem {
        document.note_skipped(problem.message.clone());
        document.problems.push(problem);
    }
    document
}

/// Removes problems that are equal to an earlier one: two parts of a document may have the same, which is one row.
pub(super) fn keep_each_once(problems: &mut Vec<Problem>) {
    let mut seen = HashSet::new();
    problems.retain(|problem| seen.insert((problem.kind.as_str(), problem.message.clone())));
}

/// Parts that could not be read are a problem too, unless the reader has said which.
pub(super) fn report_skipped_parts(document: &mut Document) {
    if document.problems.iter().any(|problem| problem.kind != ProblemKind::Undecodable) {
        return;
    }
    let skipped = document.review_reasons.iter().find(|reason| reason.kind == ReviewReasonKind::SkippedParts);
    let problem = skipped
        .map(|reason| Problem::new(ProblemKind::Damaged, format!("not all is read: {}", reason.detail)));
    document.problems.extend(problem);
}

/// Why a document without words and members is to be reviewed, if its reader does not say so.
pub(super) fn no_text(document: &Document, bytes: u64) -> Option<ReviewReason> {
    let is_explained = !document.review_reasons.is_empty() || !document.problems.is_empty();
    if bytes == 0 || is_explained || !document.text.text.trim().is_empty() {
        return None;
    }
    let detail = format!("no words in {}", counted(bytes, "byte"));
    Some(ReviewReason::new(ReviewReasonKind::NoText, detail))
}

/// A panic of a reader becomes a problem of its document, like every other failure.
pub(super) fn crash_problem(panic: &(dyn Any + Send)) -> Problem {
    let message =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let message = message.unwrap_or("it did not say why");
    Problem::new(ProblemKind::Crashed, format!("the reader panicked: {message}"))
}

pub(super) fn no_reader(format: &str) -> Problem {
    Problem::new(ProblemKind::ExtractionFailed, format!("no reader for format `{format}`"))
}

pub(super) fn stopped() -> Problem {
    Problem::new(ProblemKind::Io, "stopped")
}
