//! `pensieve ingest`: the main job. This file turns arguments into settings and the summary into text; the work is
//! done elsewhere.

use super::context::absolute;
use super::progress::{Progress, ProgressChoice};
use super::report::{self, ReportTarget};
use super::summary::{DryRunPlan, RunSummary};
use super::{CommandContext, CommandOutcome, Failure, settings, signal};
use crate::config::{FlagValue, parse_size};
use crate::ingest::{self, IngestSettings, IngestSummary, RunFacts};
use crate::scan::FileList;
use crate::store::Store;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use pensieve_text::model::numbers::counted;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Read a folder into a database, or bring it up to date.
///
/// The first run reads everything, later runs only what has changed. Nothing in the folder is ever changed.
#[derive(Debug, Args)]
#[command(
    override_usage = "pensieve ingest [OPTIONS] <DIR> <DB>\n       pensieve ingest [OPTIONS] --root <DIR> --files-from <LIST> <DB>",
    after_help = "Example: pensieve ingest ~/notes notes.db"
)]
pub struct IngestArgs {
    /// The folder to read.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The database to write; it is created if it does not exist.
    #[arg(value_name = "DB", required_unless_present = "root")]
    database: Option<PathBuf>,
    /// Read only the files that this list names, and delete no others; - is stdin.
    ///
    /// Names end with NUL or with their line, and are relative to DIR. A folder in the list is a row of its own; what it
    /// contains is read only if it is listed too.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// The folder to read, instead of the first argument: `ingest --root DIR --files-from LIST DB`.
    #[arg(long, value_name = "DIR", conflicts_with = "database")]
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
    #[command(flatten)]
    tuning: ConfigFlags,
    #[command(flatten)]
    output: OutputFlags,
}

/// Flags that set keys of the configuration.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings (each overrides the configuration)")]
pub(super) struct ConfigFlags {
    /// Maximum number of tokens in a chunk.
    #[arg(long, value_name = "N")]
    chunk_size: Option<u64>,
    /// Tokens that neighbouring chunks may share.
    #[arg(long, value_name = "N")]
    chunk_overlap: Option<u64>,
    /// How tokens are counted, such as cl100k_base or o200k_base.
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<String>,
    /// How texts are cut.
    #[arg(long, value_parser = PossibleValuesParser::new(["auto", "recursive", "markdown", "paragraph"]))]
    strategy: Option<String>,
    /// Threads that read files; 0 is one for every core.
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Memory of the whole run: bytes, or a size such as 1GiB.
    #[arg(long, value_name = "BYTES", value_parser = size)]
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
    /// End with exit code 1 if any file of the folder has a problem, also one of an earlier run.
    #[arg(long)]
    strict: bool,
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
        let given = [
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

impl IngestArgs {
    /// The folder to read.
    fn folder(&self) -> &Path {
        self.root.as_deref().unwrap_or(&self.folder)
    }

    /// The database; with `--root` it is the only argument.
    fn database(&self) -> &Path {
        self.database.as_deref().unwrap_or(&self.folder)
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

/// Runs the command.
pub fn run(args: &IngestArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let (folder, database) = (args.folder(), args.database());
    let configured = configured(&args.tuning, args.config.as_deref(), folder, database, context)?;
    let sources = [folder.to_owned()];
    let target = args.output.report.as_deref();
    let target = target.map(|given| ReportTarget::new(given, database, &sources)).transpose()?;
    let settings = IngestSettings {
        dry_run: args.dry_run,
        force: args.force_reprocess,
        allow_mass_deletion: args.allow_mass_deletion,
        moved_from: args.moved_from.clone(),
        list: args.files_from.as_deref().map(|list| read_list(list, folder)).transpose()?,
        ..configured
    };
    let interrupt = signal::watch()?;
    let progress = Progress::new(args.output.progress, context.level, &interrupt);
    let summary = progress.during(|observer| ingest::run(&settings, observer))?;
    if let Some(target) = &target {
        report(target, &summary, args)?;
    }
    print_summary(&summary, &args.output, context)?;
    Ok(match summary {
        IngestSummary { interrupted: true, .. } => CommandOutcome::Interrupted,
        summary if args.output.strict && has_problems(args, &summary, context)? => CommandOutcome::Problems,
        _ => CommandOutcome::Done,
    })
}

/// True if files of the folder have problems, found in this run or in an earlier one: a second run over a bad file
/// does not read it again.
fn has_problems(
    args: &IngestArgs,
    summary: &IngestSummary,
    context: &CommandContext,
) -> Result<bool, Failure> {
    let found = summary.done.errors + summary.list_faults;
    if found > 0 || summary.run_id.is_none() {
        return Ok(found > 0);
    }
    let store = Store::open_for_reading(args.database())?;
    let open = match store.roots().at(&absolute(args.folder()))? {
        Some(root) => store.problems().count_below(&root.path)?,
        None => 0,
    };
    if open > 0 {
        context
            .complain(&format!("{} of earlier runs; see `pensieve errors`", counted(open, "open problem")));
    }
    Ok(open > 0)
}

/// Writes the report of a run: what it did and the state of the corpus; for a dry run only its plan.
fn report(target: &ReportTarget, summary: &IngestSummary, args: &IngestArgs) -> Result<(), Failure> {
    let Some(run_id) = summary.run_id else {
        return match target {
            ReportTarget::File(path) => report::save(path, summary),
            ReportTarget::Folder(folder) => report::save(&folder.join("plan.json"), summary),
        };
    };
    let root = Store::open_for_reading(args.database())?.roots().at(&absolute(args.folder()))?;
    let facts = RunFacts {
        command: "ingest",
        run_id,
        root: root.map(|root| (root.root_id, root.path)),
        counts: report::counts(summary)?,
        attachments: report::counts(&summary.attachments)?,
        slowest: &summary.slowest,
    };
    target.write(args.database(), facts)
}

fn print_summary(
    summary: &IngestSummary,
    output: &OutputFlags,
    context: &CommandContext,
) -> Result<(), Failure> {
    match (&summary.plan, output.json) {
        (_, true) => context.print_json(summary)?,
        (Some(lines), false) => context.print(&DryRunPlan { lines, summary }.to_string())?,
        (None, false) if context.level >= super::LogLevel::Warn => {
            context.print(&RunSummary(summary).to_string())?
        }
        (None, false) => {}
    }
    if summary.interrupted && output.progress != ProgressChoice::Json {
        context.say("interrupted: what is done is kept; the same command goes on from there");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use pensieve_text::chunk::StrategyChoice;

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
        let settings =
            settings::work(&crate::config::load(&sources).unwrap(), args.folder(), args.database());
        assert_eq!((settings.chunk.size, settings.chunk.overlap, settings.max_memory), (64, 6, 1 << 30));
        assert!(
            settings.pinned.chunk_size && !settings.pinned.chunk_overlap && settings.converters.is_empty()
        );
        assert_eq!(settings.chunk.strategy, StrategyChoice::Paragraph);
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
