//! Files whose bytes are as they were and that are read again, because a setting or a converter is another. One that fails
//! then keeps the text of its last good reading: a converter that is broken for a night costs no text.

use super::settings::IngestError;
use pensieve_store::store::{FileState, Outcome, Task, TaskKind};
use pensieve_text::model::{Problem, ProblemKind, ProcessingStatus};
use std::collections::BTreeMap;

/// Failures of one format from which a run ends with an error if they are most of its files: fewer may be damaged files.
const MANY_FAILURES: u64 = 20;

/// How many files of each format were read again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rereads(BTreeMap<String, RereadCount>);

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct RereadCount {
    all: u64,
    failed: u64,
}

impl Rereads {
    /// Counts a file that was read again.
    pub(super) fn note(&mut self, file: &FileState, has_failed: bool) {
        let count = self.0.entry(file.format.clone().unwrap_or_default()).or_default();
        count.all += 1;
        count.failed += u64::from(has_failed);
    }

    /// Refuses a run in which most of many files of one format failed.
    pub(super) fn check(&self) -> Result<(), IngestError> {
        let is_mass = |count: &RereadCount| count.failed >= MANY_FAILURES && count.failed * 2 > count.all;
        match self.0.iter().find(|(_, count)| is_mass(count)) {
            Some((format, count)) => {
                Err(IngestError::MassFailure { format: format.clone(), failed: count.failed, all: count.all })
            }
            None => Ok(()),
        }
    }
}

/// True if a file that was read well before is read again with the same bytes.
pub(super) fn is_reread(task: &Task) -> bool {
    matches!(task.kind, TaskKind::Read) && task.file.status == Some(ProcessingStatus::Processed)
}

/// Why reading a file again has failed; `None` if it has not. What the settings leave out now, such as a picture or a
/// file above a limit of size, has not failed.
pub(super) fn failure(outcome: &Outcome) -> Option<Problem> {
    let kinds = [ProcessingStatus::Error, ProcessingStatus::SkippedDependency];
    outcome.status.filter(|status| kinds.contains(status))?;
    let first = outcome.problems.first();
    let kind = first.map_or(ProblemKind::ExtractionFailed, |problem| problem.kind);
    let message = first.map(|problem| problem.message.as_str()).or(outcome.reason.as_deref());
    let message = message.unwrap_or("it cannot be read again");
    Some(Problem::new(kind, format!("{message}; the text of its last good reading stays")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_many_failures_end_a_run() {
        let check = |all, failed, expected: bool| {
            let counts = BTreeMap::from([("pdf".to_owned(), RereadCount { all, failed })]);
            assert_eq!(Rereads(counts).check().is_err(), expected, "{failed} of {all}");
        };
        check(20, 20, true);
        check(19, 19, false);
        check(39, 20, true);
        check(40, 20, false);
    }
}
