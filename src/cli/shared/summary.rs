//! The text of what a run did, or would do.

use super::terminal;
use crate::ingest::{IngestSummary, PlanLine};
use pensieve_store::scan::ToolFolderCounts;
use pensieve_store::store::{CorpusState, ProblemCounts};
use pensieve_text::model::ProcessingStatus;
use pensieve_text::model::numbers::{count, counted, mega, percent, time};
use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

/// The state of a corpus after a run.
#[derive(Debug)]
pub struct CorpusSummary<'s>(pub &'s CorpusState);

impl fmt::Display for CorpusSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CorpusSummary(state) = self;
        write_line(f, "documents", &count(state.files), "files, and documents inside of them")?;
        write_line(f, "chunks", &count(state.chunks), "")?;
        write_line(f, "tokens", &count(state.tokens), "")?;
        let costs = match state.problems {
            0 => String::new(),
            _ => format!("{}, see `pensieve problems`", describe_problems(&state.by_severity)),
        };
        write_line(f, "problems", &count(state.problems), &costs)
    }
}

/// What a run over one folder did: a line, and one for each kind of files that a setting would read.
#[derive(Debug)]
pub struct RunSummary<'s>(pub &'s IngestSummary);

impl fmt::Display for RunSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunSummary(summary) = self;
        write_line(f, "this run", &time(wall_time(summary)), &work(summary))?;
        let tool_folders = self::tool_folders(&summary.tool_folders);
        let kept_out = [
            ("archives", summary.skipped_archives, "not read, see scan.archives"),
            ("secret files", summary.skipped_secrets, "not read, see scan.secrets"),
            ("tool folders", summary.tool_folders.values().sum(), tool_folders.as_str()),
            ("hidden files", summary.hidden, "read, see scan.hidden"),
        ];
        let mut given = kept_out.iter().filter(|(_, number, _)| *number > 0);
        given.try_for_each(|(name, number, remark)| write_line(f, name, &count(*number), remark))
    }
}

/// The work of a run: files by what the scan found, what was read of them, and how much of it was new.
fn work(summary: &IngestSummary) -> String {
    let mut parts = vec![
        changes(summary),
        format!("{}, {} skipped", counted(summary.duplicates, "duplicate"), count(summary.skipped)),
    ];
    let done = &summary.done;
    if done.chunks > 0 {
        let known = percent(summary.dedup_rate());
        let read = format!("{} MB read: {}, {known} known", mega(done.bytes), counted(done.chunks, "chunk"));
        parts.push(read);
    }
    parts.join("; ")
}

fn write_line(f: &mut fmt::Formatter<'_>, name: &str, value: &str, remark: &str) -> fmt::Result {
    let text = format!("{name:<14}{value:>14}   {remark}");
    writeln!(f, "{}", text.trim_end())
}

/// The plan of a dry run: each file with its action, then the counts.
#[derive(Debug)]
pub struct DryRunPlan<'s> {
    /// Every file that would change.
    pub lines: &'s [PlanLine],
    /// The counts.
    pub summary: &'s IngestSummary,
}

impl fmt::Display for DryRunPlan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines {
            // Most files wait for a reader, and their paths can be cut out of the lines.
            let status = line.status.filter(|status| *status != ProcessingStatus::Pending);
            let status = status.map_or(String::new(), |status| format!(" ({})", status.as_str()));
            writeln!(f, "{:<10} {}{status}", line.what, terminal::line(&line.path))?;
        }
        if !self.lines.is_empty() {
            writeln!(f)?;
        }
        for (what, done) in [("read", "read"), ("clean", "cleaned"), ("chunk", "chunked")] {
            let files = self.lines.iter().filter(|line| line.what == what).count() as u64;
            if files > 0 {
                writeln!(f, "{} unchanged to be {done} again", counted(files, "file"))?;
            }
        }
        writeln!(
            f,
            "{}; {}, {} skipped; {}",
            changes(self.summary),
            counted(self.summary.duplicates, "duplicate"),
            count(self.summary.skipped),
            time(wall_time(self.summary))
        )?;
        if self.summary.mass_deletion {
            writeln!(
                f,
                "a run would stop before it deletes so many files, unless --allow-mass-deletion is given"
            )?;
        }
        writeln!(f, "dry run: nothing was written")
    }
}

fn wall_time(summary: &IngestSummary) -> Duration {
    Duration::try_from_secs_f64(summary.seconds).unwrap_or_default()
}

fn changes(summary: &IngestSummary) -> String {
    let parts = [
        (summary.new, "new"),
        (summary.changed, "changed"),
        (summary.unchanged, "unchanged"),
        (summary.renamed, "renamed"),
        (summary.deleted, "deleted"),
        (summary.unreachable, "unreachable"),
        (summary.retried, "retried"),
    ];
    // The first three are always shown: users look for the confirmation that nothing is new or changed.
    let shown = parts.iter().enumerate().filter(|(at, (number, _))| *at < 3 || *number > 0);
    let shown: Vec<String> = shown.map(|(_, (number, name))| format!("{} {name}", count(*number))).collect();
    shown.join(", ")
}

/// How many kinds of tool folders are named.
const NAMED_TOOL_FOLDERS: usize = 4;

/// Which tool folders were left out, the most frequent first.
fn tool_folders(counts: &ToolFolderCounts) -> String {
    let mut kinds: Vec<(&str, u64)> = counts.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    kinds.sort_by_key(|(_, number)| Reverse(*number));
    let others = kinds.split_off(kinds.len().min(NAMED_TOOL_FOLDERS));
    let named = kinds.iter().map(|(name, number)| format!("{} {name}", count(*number)));
    let others = (!others.is_empty())
        .then(|| format!("{} of other kinds", count(others.iter().map(|(_, number)| number).sum())));
    format!("{} left out, see scan.tool_folders", named.chain(others).collect::<Vec<_>>().join(", "))
}

/// `2 lost, 1 partly, 40 repaired; 3 new`, or that there is nothing.
pub(crate) fn describe_problems(counts: &ProblemCounts) -> String {
    if counts.all() == 0 {
        return "no open problems".to_owned();
    }
    let parts = [(counts.lost, "lost"), (counts.partly, "partly"), (counts.repaired, "repaired")];
    let shown = parts.iter().filter(|(number, _)| *number > 0);
    let shown: Vec<String> = shown.map(|(number, name)| format!("{} {name}", count(*number))).collect();
    let new = match counts.new {
        0 => String::new(),
        new => format!("; {} new", count(new)),
    };
    format!("{}{new}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::DocumentCounts;
    use pensieve_store::store::ProblemCounts;

    #[test]
    fn a_run_is_told_in_a_line_with_what_it_left_out() {
        let summary = IngestSummary {
            new: 1200,
            changed: 3,
            unchanged: 18_797,
            deleted: 2,
            files: 20_000,
            unique: 18_500,
            duplicates: 1000,
            skipped: 500,
            skipped_archives: 12,
            skipped_secrets: 1,
            tool_folders: [("node_modules", 2), ("__pycache__", 9)]
                .map(|(name, number)| (name.to_owned(), number))
                .into(),
            hidden: 40,
            done: DocumentCounts {
                bytes: 310_000_000,
                chunks: 120_000,
                unique_chunks: 110_000,
                tokens_in: 45_000_000,
                tokens_kept: 41_000_000,
                ..DocumentCounts::default()
            },
            seconds: 12.4,
            ..IngestSummary::default()
        };
        let expected = "\
this run              12.4 s   1,200 new, 3 changed, 18,797 unchanged, 2 deleted; 1,000 duplicates, 500 skipped; 310.0 MB read: 120,000 chunks, 8.3 % known
archives                  12   not read, see scan.archives
secret files               1   not read, see scan.secrets
tool folders              11   9 __pycache__, 2 node_modules left out, see scan.tool_folders
hidden files              40   read, see scan.hidden
";
        assert_eq!(RunSummary(&summary).to_string(), expected);
        let nothing = IngestSummary { unchanged: 3, ..IngestSummary::default() };
        let expected =
            "this run               0.0 s   0 new, 0 changed, 3 unchanged; 0 duplicates, 0 skipped\n";
        assert_eq!(RunSummary(&nothing).to_string(), expected);
    }

    #[test]
    fn a_corpus_is_told_with_its_problems() {
        let check = |by_severity: ProblemCounts, expected: &str| {
            let problems = by_severity.all();
            let state = CorpusState { files: 1, chunks: 1200, tokens: 41_000, problems, by_severity };
            let corpus = "\
documents                  1   files, and documents inside of them
chunks                 1,200
tokens                41,000
";
            assert_eq!(CorpusSummary(&state).to_string(), format!("{corpus}{expected}\n"));
        };
        check(ProblemCounts::default(), "problems                   0");
        let counts = ProblemCounts { lost: 2, partly: 0, repaired: 40, new: 3 };
        check(counts, "problems                  42   2 lost, 40 repaired; 3 new, see `pensieve problems`");
    }

    #[test]
    fn a_plan_names_every_file_that_is_touched() {
        let line = |what, path: &str, status| PlanLine { what, path: path.to_owned(), status };
        let lines = [
            line("new", "a.txt", Some(ProcessingStatus::Pending)),
            line("new", "d.bin", Some(ProcessingStatus::SkippedBinary)),
            line("duplicate", "b\n.txt", None),
            line("deleted", "c.txt", None),
            line("read", "e.txt", None),
        ];
        let summary = IngestSummary {
            new: 2,
            duplicates: 1,
            deleted: 1,
            unchanged: 7,
            dry_run: true,
            ..IngestSummary::default()
        };
        let expected = "\
new        a.txt
new        d.bin (Skipped_Binary)
duplicate  b\\n.txt
deleted    c.txt
read       e.txt

1 file unchanged to be read again
2 new, 0 changed, 7 unchanged, 1 deleted; 1 duplicate, 0 skipped; 0.0 s
dry run: nothing was written
";
        assert_eq!(DryRunPlan { lines: &lines, summary: &summary }.to_string(), expected);
        let nothing = DryRunPlan { lines: &[], summary: &summary }.to_string();
        assert_eq!(nothing.lines().count(), 2);
    }
}
