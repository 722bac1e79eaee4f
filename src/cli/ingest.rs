//! `pensieve ingest`: the main job. This file turns arguments into settings and the summary into text; the work is
//! done elsewhere.

use super::shared::context::{CommandContext, CommandOutcome, absolute};
use super::shared::failure::Failure;
use super::shared::ingest_targets::IngestTargets;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::report::{self, ReportTarget};
use super::shared::summary::{CorpusSummary, DryRunPlan, RunSummary};
use super::shared::{settings, signal, terminal};
use crate::config::{FlagValue, parse_size};
use crate::ingest::{self, IngestError, IngestSettings, IngestSummary, RunFacts};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use pensieve_store::scan::{FileList, stored_path};
use pensieve_store::store::{CorpusState, FileProblem, ProblemSeverity, Store};
use pensieve_text::chunk::StrategyChoice;
use pensieve_text::model::numbers::counted;
use serde::Serialize;
use serde_json::Value;
use std::error::Error;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Read folders into a database, or bring it up to date.
///
/// The first run reads everything, later runs only what has changed. Nothing in a folder is ever changed. A database alone
/// stands for every folder that it has, a folder alone is read into ./pensieve.db.
#[derive(Debug, Args)]
#[command(
    override_usage = "pensieve ingest [OPTIONS] <DIR>... <DB>\n       pensieve ingest [OPTIONS] <DIR|DB>\n       pensieve ingest [OPTIONS] --root <DIR> --files-from <LIST> <DB>",
    after_help = "Example: pensieve ingest ~/notes notes.db"
)]
pub struct IngestArgs {
    /// The folders to read, then the database to write; it is created if it does not exist.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Read only the files that this list names, and delete no others; - is stdin.
    ///
    /// Names end with NUL or with their line, and are relative to DIR. A folder in the list is a row of its own; what it
    /// contains is read only if it is listed too.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// The folder to read, where the only argument is the database: `ingest --root DIR --files-from LIST DB`.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Report what would be done, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Read every file again.
    #[arg(long)]
    force_reprocess: bool,
    /// Delete what is gone even if it is every file of the folder, or most of 100 or more.
    #[arg(long)]
    allow_mass_deletion: bool,
    /// The folder that was ingested from this path is now at DIR.
    #[arg(long, value_name = "OLD_DIR")]
    moved_from: Option<PathBuf>,
    /// Wait so long for another run over the database; otherwise its lock is an error.
    #[arg(long, value_name = "SECONDS", default_value = "0", hide_default_value = true, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    wait: u64,
    #[command(flatten)]
    tuning: ConfigFlags,
    #[command(flatten)]
    output: OutputFlags,
}

/// Flags that set keys of the configuration; each can be written as its key, too.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings (each overrides the configuration)")]
pub(super) struct ConfigFlags {
    /// Read only files that this pattern selects, as in .gitignore; may be repeated.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave out what this pattern selects; may be repeated.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Maximum number of tokens in a chunk.
    #[arg(long, value_name = "N")]
    chunk_size: Option<u64>,
    /// Tokens that neighbouring chunks may share.
    #[arg(long, value_name = "N")]
    chunk_overlap: Option<u64>,
    /// How tokens are counted, such as cl100k_base or o200k_base.
    #[arg(long, value_name = "NAME", alias = "tokenizer-model")]
    tokenizer: Option<String>,
    /// How texts are cut.
    #[arg(long, alias = "chunking-strategy", value_parser = PossibleValuesParser::new(StrategyChoice::NAMES))]
    strategy: Option<String>,
    /// Threads that read files; 0 is one for every core.
    #[arg(long, value_name = "N", alias = "thread-count")]
    threads: Option<u64>,
    /// Memory of the whole run: bytes, or a size such as 1GiB.
    #[arg(long, value_name = "BYTES", alias = "max-memory", value_parser = size)]
    max_mem: Option<u64>,
    /// Read structured formats in child processes, so that a bad file harms nothing else.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    isolation: Isolation,
    /// Keep page breaks, as lines `--- PAGE ---`.
    #[arg(long)]
    page_markers: bool,
}

/// Flags for the output.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Messages")]
struct OutputFlags {
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
    /// Write a report of the run to this file, as JSON; into a folder, one about documents and one about attachments.
    #[arg(long, value_name = "FILE|DIR")]
    report: Option<PathBuf>,
    /// End with exit code 1 if a file has a new problem or no text; with `any` if any file has one.
    ///
    /// Problems that were accepted with `pensieve problems --accept` do not count, except with `any`.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "new")]
    strict: Option<StrictProblems>,
}

/// The problems with which a strict run ends with exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrictProblems {
    /// Those of files that had none in the last run over the folder, and of files without any text.
    New,
    /// All that are open, of earlier runs too.
    Any,
}

/// The process in which readers of structured formats run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Isolation {
    /// In child processes.
    #[default]
    Auto,
    /// In this process.
    Off,
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).ok_or_else(|| "give bytes, or a size such as 512MiB".to_owned())
}

impl ConfigFlags {
    /// The given flags, as values of the highest layer.
    fn flags(&self) -> Vec<FlagValue> {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        // JSON of texts is TOML too.
        let list =
            |patterns: &[String]| (!patterns.is_empty()).then(|| serde_json::json!(patterns).to_string());
        let given = [
            ("--include", "scan.include", list(&self.include)),
            ("--exclude", "scan.exclude", list(&self.exclude)),
            ("--chunk-size", "chunk_size", number(self.chunk_size)),
            ("--chunk-overlap", "chunk_overlap", number(self.chunk_overlap)),
            ("--tokenizer", "tokenizer_model", self.tokenizer.clone()),
            ("--strategy", "chunking_strategy", self.strategy.clone()),
            ("--threads", "thread_count", number(self.threads)),
            ("--max-mem", "max_memory", number(self.max_mem)),
            ("--page-markers", "clean.page_markers", self.page_markers.then(|| "true".to_owned())),
        ];
        given
            .into_iter()
            .filter_map(|(name, key, value)| Some(FlagValue { name, key, value: value? }))
            .collect()
    }
}

/// The list of files at this path, or on stdin.
fn read_list(path: &Path, folder: &Path) -> Result<FileList, Failure> {
    let read = match path.as_os_str() == "-" {
        true => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    let bytes = read.map_err(|source| Failure::Unreadable { path: path.to_owned(), source })?;
    Ok(FileList::parse(&bytes, &absolute(folder)))
}

/// The settings of a run over this folder, from the flags and the configuration.
pub(super) fn configured(
    tuning: &ConfigFlags,
    config: Option<&Path>,
    folder: &Path,
    database: &Path,
    context: &CommandContext,
) -> Result<IngestSettings, Failure> {
    let config = context.config(config, tuning.flags())?;
    context.check_converters(&config)?;
    if !database.exists() {
        // Otherwise the database may have a chunk size of its own, and `ingest::run` checks.
        config.check_overlap(config.chunk_size)?;
    }
    let isolation = tuning.isolation == Isolation::Auto;
    Ok(IngestSettings { isolation, ..settings::work(&config, folder, database) })
}

/// Runs the command. With --json a failure is an object too.
pub fn run(args: &IngestArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let ended = ingest_all(args, context);
    if let (Err(failure), true) = (&ended, args.output.json) {
        let object = serde_json::json!({
            "error": failure.to_string(), "hint": failure.hint(), "exit_code": failure.exit().code(),
        });
        context.print_json(&object)?;
    }
    ended
}

/// One run after the other. A folder that cannot be read stops no other; it is the failure of the whole at its end.
fn ingest_all(args: &IngestArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let targets = IngestTargets::of("ingest", args.root.as_deref(), &args.paths)?;
    refuse_for_many(args, &targets)?;
    let interrupt = signal::watch()?;
    let (mut runs, mut failed) = (Vec::new(), None);
    for root in &targets.roots {
        match ingest_one(args, root, &targets.database, &interrupt, context) {
            Ok(summary) => runs.push(RunOfRoot { root: absolute(root), summary }),
            Err(failure) if targets.roots.len() > 1 && concerns_one_folder(&failure) => {
                if let Some(before) = failed.replace(failure) {
                    before.report();
                }
            }
            Err(failure) => return Err(failure),
        }
        if runs.last().is_some_and(|run| run.summary.interrupted) {
            break;
        }
    }
    match (runs.is_empty(), failed) {
        (true, Some(failure)) => Err(failure),
        (_, failed) => {
            let outcome = finish(args, &targets.database, &runs, context)?;
            failed.map_or(Ok(outcome), Err)
        }
    }
}

/// What a run over one root has done.
struct RunOfRoot {
    root: PathBuf,
    summary: IngestSummary,
}

/// Refuses flags that mean one folder.
fn refuse_for_many(args: &IngestArgs, targets: &IngestTargets) -> Result<(), Failure> {
    let given = [
        ("--files-from", args.files_from.is_some()),
        ("--moved-from", args.moved_from.is_some()),
        ("--report", args.output.report.is_some()),
    ];
    let flag = given.iter().find(|(_, is_given)| *is_given && targets.roots.len() > 1);
    flag.map_or(Ok(()), |(flag, _)| {
        Err(Failure::Usage {
            message: format!("{flag} is for one folder, and there are {}", targets.roots.len()),
            hint: "ingest the folders one by one".to_owned(),
        })
    })
}

/// True if the other folders can be read all the same.
fn concerns_one_folder(failure: &Failure) -> bool {
    use IngestError::*;
    let Failure::Work(error) = failure else { return false };
    let error: &dyn Error = &**error;
    matches!(
        error.downcast_ref(),
        Some(
            Input { .. }
                | NotAFolder { .. }
                | Overlap { .. }
                | MassDeletion { .. }
                | MassFailure { .. }
                | Scan(_)
        )
    )
}

fn ingest_one(
    args: &IngestArgs,
    folder: &Path,
    database: &Path,
    interrupt: &AtomicBool,
    context: &CommandContext,
) -> Result<IngestSummary, Failure> {
    let configured = configured(&args.tuning, args.config.as_deref(), folder, database, context)?;
    let sources = [folder.to_owned()];
    let target = args.output.report.as_deref();
    let target = target.map(|given| ReportTarget::new(given, database, &sources)).transpose()?;
    let settings = IngestSettings {
        wait: Duration::from_secs(args.wait),
        dry_run: args.dry_run,
        force: args.force_reprocess,
        allow_mass_deletion: args.allow_mass_deletion,
        moved_from: args.moved_from.clone(),
        list: args.files_from.as_deref().map(|list| read_list(list, folder)).transpose()?,
        ..configured
    };
    let progress = Progress::new(args.output.progress, context.level, interrupt);
    let summary = progress.during(|observer| ingest::run(&settings, observer))?;
    if let Some(target) = &target {
        report(target, &summary, folder, database)?;
    }
    Ok(summary)
}

/// Prints what the runs have done and how the corpus is now, and decides on the exit code.
fn finish(
    args: &IngestArgs,
    database: &Path,
    runs: &[RunOfRoot],
    context: &CommandContext,
) -> Result<CommandOutcome, Failure> {
    let has_written = runs.iter().any(|run| run.summary.run_id.is_some());
    let store = has_written.then(|| Store::open_for_reading(database)).transpose()?;
    let state = store.as_ref().map(|store| store.statistics().state()).transpose()?;
    print_summaries(runs, state.as_ref(), &args.output, context)?;
    if runs.iter().any(|run| run.summary.interrupted) {
        return Ok(CommandOutcome::Interrupted);
    }
    let counted_problems = match args.output.strict {
        None => 0,
        Some(strict) => strict_problems(strict, runs, store.as_ref())?,
    };
    if counted_problems == 0 {
        return Ok(CommandOutcome::Done);
    }
    let which =
        if args.output.strict == Some(StrictProblems::New) { "new or lost; see" } else { "open; see" };
    let number = counted(counted_problems, "problem");
    context.complain(&format!("{number} {which} `pensieve problems {}`", database.display()));
    Ok(CommandOutcome::Problems)
}

/// How many problems make a strict run fail: those of the roots that were read, and names of a list that were not.
fn strict_problems(
    strict: StrictProblems,
    runs: &[RunOfRoot],
    store: Option<&Store>,
) -> Result<u64, Failure> {
    let faults: u64 = runs.iter().map(|run| run.summary.list_faults).sum();
    let Some(store) = store else {
        return Ok(faults + runs.iter().map(|run| run.summary.done.errors).sum::<u64>());
    };
    let roots: Vec<String> = runs.iter().map(|run| stored_path(run.root.as_os_str()).0).collect();
    if strict == StrictProblems::Any {
        let open = roots.iter().map(|root| store.problems().count_below(root));
        return Ok(faults + open.collect::<Result<Vec<u64>, _>>()?.iter().sum::<u64>());
    }
    let counts = |problem: &&FileProblem| {
        let is_here = problem.root.as_ref().is_some_and(|root| roots.contains(root));
        is_here && !problem.is_accepted && (problem.is_new || problem.severity == ProblemSeverity::Lost)
    };
    Ok(faults + store.problems().by_file()?.iter().filter(counts).count() as u64)
}

/// Writes the report of a run: what it did and the state of the corpus; for a dry run only its plan.
fn report(
    target: &ReportTarget,
    summary: &IngestSummary,
    folder: &Path,
    database: &Path,
) -> Result<(), Failure> {
    let Some(run_id) = summary.run_id else {
        return match target {
            ReportTarget::File(path) => report::save(path, summary),
            ReportTarget::Folder(folder) => report::save(&folder.join("plan.json"), summary),
        };
    };
    let root = Store::open_for_reading(database)?.roots().at(&absolute(folder))?;
    let facts = RunFacts {
        command: "ingest",
        run_id,
        root: root.map(|root| (root.root_id, root.path)),
        counts: report::counts(summary)?,
        attachments: report::counts(&summary.attachments)?,
        slowest: &summary.slowest,
    };
    target.write(database, facts)
}

fn print_summaries(
    runs: &[RunOfRoot],
    state: Option<&CorpusState>,
    output: &OutputFlags,
    context: &CommandContext,
) -> Result<(), Failure> {
    match (output.json, runs) {
        (true, [run]) => return context.print_json(&RunWithCorpus { summary: &run.summary, corpus: state }),
        (true, _) => return context.print_json(&totals(runs, state)?),
        (false, _) => {}
    }
    let is_quiet = context.level < super::LogLevel::Warn;
    if let Some(state) = state.filter(|_| !is_quiet) {
        context.print(&CorpusSummary(state).to_string())?;
    }
    for RunOfRoot { root, summary } in runs {
        let shown = match &summary.plan {
            Some(lines) => DryRunPlan { lines, summary }.to_string(),
            None if is_quiet => continue,
            None => RunSummary(summary).to_string(),
        };
        if runs.len() > 1 {
            context.print(&format!("\n{}\n", terminal::line(&root.to_string_lossy())))?;
        }
        context.print(&shown)?;
    }
    if runs.iter().any(|run| run.summary.interrupted) && output.progress != ProgressChoice::Json {
        context.say("interrupted: what is done is kept; the same command goes on from there");
    }
    Ok(())
}

/// The counts of a run, in their order, and the state of the corpus after it.
#[derive(Serialize)]
struct RunWithCorpus<'r> {
    #[serde(flatten)]
    summary: &'r IngestSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    corpus: Option<&'r CorpusState>,
}

/// The counts of all runs added up, each under `roots`, and the state of the corpus.
fn totals(runs: &[RunOfRoot], state: Option<&CorpusState>) -> Result<Value, Failure> {
    let (mut roots, mut total) = (Vec::new(), Value::Null);
    for RunOfRoot { root, summary } in runs {
        let mut counts = report::counts(summary)?;
        add(&mut total, counts.clone());
        // The numbers of runs are no numbers of things.
        total["run_id"] = counts["run_id"].clone();
        counts["root"] = root.to_string_lossy().into();
        roots.push(counts);
    }
    total["roots"] = roots.into();
    if let Some(state) = state {
        total["corpus"] = report::counts(state)?;
    }
    Ok(total)
}

/// Adds numbers, key by key; a flag is set if it is set in one, lists follow each other.
fn add(total: &mut Value, more: Value) {
    match (total, more) {
        (Value::Object(total), Value::Object(more)) => {
            more.into_iter().for_each(|(key, value)| add(total.entry(key).or_insert(Value::Null), value));
        }
        (Value::Array(total), Value::Array(more)) => total.extend(more),
        (Value::Bool(total), Value::Bool(more)) => *total |= more,
        (total @ Value::Number(_), Value::Number(more)) => {
            *total = match (total.as_u64(), more.as_u64()) {
                (Some(one), Some(other)) => (one + other).into(),
                _ => (total.as_f64().unwrap_or(0.0) + more.as_f64().unwrap_or(0.0)).into(),
            };
        }
        (total, more) => *total = more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: IngestArgs,
    }

    fn parse(words: &[&str]) -> IngestArgs {
        CommandLine::try_parse_from(["ingest"].iter().chain(words)).unwrap().args
    }

    #[test]
    fn flags_become_the_highest_layer() {
        let args =
            parse(&["d", "x.db", "--chunk-size", "64", "--max-mem", "1GiB", "--strategy", "paragraph"]);
        let flags = args.tuning.flags();
        let set: Vec<(&str, &str)> = flags.iter().map(|flag| (flag.key, flag.value.as_str())).collect();
        assert_eq!(
            set,
            [("chunk_size", "64"), ("chunking_strategy", "paragraph"), ("max_memory", "1073741824")]
        );
        let sources = crate::config::ConfigSources { flags, ..Default::default() };
        let config = crate::config::load(&sources).unwrap();
        let settings = settings::work(&config, &args.paths[0], &args.paths[1]);
        assert_eq!((settings.chunk.size, settings.chunk.overlap, settings.max_memory), (64, 6, 1 << 30));
        assert!(
            settings.pinned.chunk_size && !settings.pinned.chunk_overlap && settings.converters.is_empty()
        );
        assert_eq!(settings.chunk.strategy, StrategyChoice::Paragraph);
    }

    #[test]
    fn patterns_replace_those_of_the_configuration() {
        let args = parse(&["d", "x.db", "--include", "*.md", "--include", "a,b", "--exclude", "!x"]);
        let sources = crate::config::ConfigSources { flags: args.tuning.flags(), ..Default::default() };
        let config = crate::config::load(&sources).unwrap();
        assert_eq!(
            (config.scan.include, config.scan.exclude),
            (vec!["*.md".into(), "a,b".into()], vec!["!x".into()])
        );
    }

    #[test]
    fn strict_takes_its_word_after_a_sign_only() {
        let check = |words: &[&str], expected: Option<StrictProblems>| {
            let args = parse(&[words, &["d", "x.db"]].concat());
            assert_eq!((args.output.strict, args.paths.len()), (expected, 2), "{words:?}");
        };
        check(&[], None);
        check(&["--strict"], Some(StrictProblems::New));
        check(&["--strict=new"], Some(StrictProblems::New));
        check(&["--strict=any"], Some(StrictProblems::Any));
    }

    #[test]
    fn counts_of_several_runs_add_up() {
        let mut total = Value::Null;
        for value in [
            serde_json::json!({"new": 1, "seconds": 0.5, "by": {"a": 1}, "is": false, "none": null}),
            serde_json::json!({"new": 2, "seconds": 1, "by": {"a": 1, "b": 2}, "is": true, "none": null}),
        ] {
            add(&mut total, value);
        }
        let expected =
            serde_json::json!({"new": 3, "seconds": 1.5, "by": {"a": 2, "b": 2}, "is": true, "none": null});
        assert_eq!(total, expected);
    }

    #[test]
    fn what_a_flag_cannot_mean_is_told_at_once() {
        for words in
            [["--chunk-size", "many"], ["--max-mem", "lots"], ["--strategy", "best"], ["--progress", "no"]]
        {
            let line = ["ingest", "d", "x.db"].iter().chain(&words);
            assert_eq!(CommandLine::try_parse_from(line).unwrap_err().exit_code(), 2);
        }
    }
}
