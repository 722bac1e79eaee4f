//! `pensieve problems`: what is wrong with the files of a corpus, by what it costs.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::summary::describe_problems;
use super::shared::{colour, terminal};
use clap::Args;
use pensieve_store::scan::PathPatterns;
use pensieve_store::store::{FileProblem, ProblemCounts, ProblemSeverity, Store};
use pensieve_text::model::numbers::{count, counted};
use std::fmt::Write as _;
use std::path::PathBuf;

/// List what is wrong with files: lost, partly there, or repaired.
///
/// Lost is a file without any text in the corpus, partly one of which text is missing or not right, repaired one of which
/// nothing is missing. --accept marks problems as known: they are no longer listed, and `ingest --strict` does not count them
/// until they are gone and come back.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve problems corpus.db --new")]
pub struct ProblemsArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Only what was not wrong before the last run over the folder.
    #[arg(long)]
    new: bool,
    /// Only this severity.
    #[arg(long, value_name = "WHICH", value_parser = ["lost", "partly", "repaired"])]
    severity: Option<String>,
    /// Only below these paths: a pattern as in .gitignore, below the ingested folder; a leading ! excludes them.
    #[arg(long = "path", value_name = "GLOB")]
    paths: Vec<String>,
    /// Accepted problems too.
    #[arg(long)]
    all: bool,
    /// Accept the problems that are selected.
    #[arg(long, conflicts_with = "reopen")]
    accept: bool,
    /// Take the acceptance of the selected problems back.
    #[arg(long)]
    reopen: bool,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ProblemsArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let mut problems = Store::open_for_reading(&args.database)?.problems().by_file()?;
    let counts = ProblemCounts::of(&problems);
    let accepted = problems.iter().filter(|problem| problem.is_accepted).count() as u64;
    let patterns = PathPatterns::new(&args.paths);
    problems.retain(|problem| is_selected(problem, args) && patterns.choose(&problem.path));
    if args.accept || args.reopen {
        return change(args, &problems, context);
    }
    if args.json {
        problems.iter().try_for_each(|problem| context.print_json(problem))?;
        return Ok(CommandOutcome::Done);
    }
    context.print(&colour::on_stdout(&list(&problems)))?;
    let accepted = match accepted {
        0 => String::new(),
        accepted => format!("; {} accepted, which --all lists", count(accepted)),
    };
    context.say(&format!("{}{accepted}", describe_problems(&counts)));
    Ok(CommandOutcome::Done)
}

fn is_selected(problem: &FileProblem, args: &ProblemsArgs) -> bool {
    let is_listed = if args.reopen { problem.is_accepted } else { args.all || !problem.is_accepted };
    let severity = args.severity.as_deref();
    is_listed
        && (!args.new || problem.is_new)
        && severity.is_none_or(|severity| severity == problem.severity.as_str())
}

/// Accepts what was selected, or takes that back.
fn change(
    args: &ProblemsArgs,
    problems: &[FileProblem],
    context: &CommandContext,
) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_change(&args.database)?;
    store.problems().accept(problems, args.accept)?;
    store.close()?;
    let done = if args.accept { "accepted" } else { "open again" };
    context.print(&format!("{} {done}\n", counted(problems.len() as u64, "file")))?;
    Ok(CommandOutcome::Done)
}

/// The files under a line for each severity; with several roots under one for each root too.
fn list(problems: &[FileProblem]) -> String {
    let first_root = problems.first().map(|problem| &problem.root);
    let has_many_roots = problems.iter().any(|problem| Some(&problem.root) != first_root);
    let mut out = String::new();
    for severity in ProblemSeverity::ALL.iter().copied() {
        let of_severity: Vec<&FileProblem> =
            problems.iter().filter(|problem| problem.severity == severity).collect();
        if of_severity.is_empty() {
            continue;
        }
        let number = counted(of_severity.len() as u64, "file");
        let _ = writeln!(out, "{}: {number}", severity.as_str());
        let mut root = None;
        for problem in of_severity {
            if has_many_roots && root != Some(&problem.root) {
                let name = problem.root.as_deref().unwrap_or("below no folder of the corpus");
                let _ = writeln!(out, "  {}", terminal::line(name));
            }
            root = Some(&problem.root);
            let _ = writeln!(out, "{}{}", if has_many_roots { "    " } else { "  " }, line(problem));
        }
    }
    out
}

fn line(problem: &FileProblem) -> String {
    let reasons: Vec<String> =
        problem.reasons.iter().map(|reason| format!("{}: {}", reason.kind, reason.message)).collect();
    let marks = [(problem.is_new, " (new)"), (problem.is_accepted, " (accepted)")];
    let marks: String = marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| *mark).collect();
    format!("{}{marks}: {}", terminal::line(&problem.path), terminal::line(&reasons.join("; ")))
}
