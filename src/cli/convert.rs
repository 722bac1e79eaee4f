//! `pensieve convert`: documents to clean Markdown for language models.

use super::{CommandContext, CommandOutcome, Failure, settings, signal, terminal};
use crate::config::{Config, FlagValue};
use crate::ragmd::rules::RuleError;
use crate::ragmd::{
    BookEngine, CleanOptions, ConvertOptions, ConvertOutcome, Converter, Footnotes, Isolation, Names,
    OwnRule, RagMdError,
};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use pensieve_readers::process::{ProcessLimits, sandbox_level};
use pensieve_readers::settings::HtmlOptions;
use pensieve_readers::settings::ReadSettings;
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Turn books and other documents into clean Markdown for language models.
///
/// Each FILE becomes NAME.rag.md in the folder DIR; without one, a single document is printed. A book begins with its
/// table of contents, in which every link leads to its section. Files are local: nothing is fetched, and protected books
/// are refused.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve convert book.epub --out markdown")]
pub struct ConvertArgs {
    /// The documents: EPUB and everything else that `ingest` reads.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The folder for the Markdown; it is created if it does not exist. Without it, or as `-`, the Markdown of one FILE is
    /// printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files of an earlier run, or of other hands, that have the name of an output.
    #[arg(long)]
    force: bool,
    /// Begin with the metadata of the document, as YAML.
    #[arg(long)]
    front_matter: bool,
    /// What reads the pages of books: the built-in reader, or the pandoc in PATH.
    #[arg(long, value_name = "ENGINE", default_value = "builtin")]
    engine: EngineChoice,
    /// What happens to footnotes: they are left out, put in brackets at their references, or put at the end.
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["drop", "inline", "end"]))]
    footnotes: Option<String>,
    /// Keep page breaks, as `--- PAGE 12 ---`.
    #[arg(long)]
    page_markers: bool,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Documents that are converted at once; 0 is one for every core.
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Print one JSON object for each document, in their order.
    #[arg(long)]
    json: bool,
    /// End with exit code 1 if any document has a problem.
    #[arg(long)]
    strict: bool,
}

/// The name of the standard output in place of a folder.
const STDOUT: &str = "-";

/// What reads the pages of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineChoice {
    /// The built-in reader.
    Builtin,
    /// The user's own pandoc.
    Pandoc,
}

/// A document and its output.
struct ConversionJob<'j> {
    document: &'j Path,
    output: PathBuf,
}

type Converted = Result<ConvertOutcome, RagMdError>;

/// Runs the command.
pub fn run(args: &ConvertArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let threads = args.threads.map(|threads| threads.to_string());
    let flags = [
        threads.map(|value| FlagValue { name: "--threads", key: "thread_count", value }),
        args.footnotes.clone().map(|value| FlagValue { name: "--footnotes", key: "rag.footnotes", value }),
    ];
    let config = context.config(args.config.as_deref(), flags.into_iter().flatten().collect())?;
    context.check_converters(&config)?;
    let folder = output_folder(args)?;
    // Never lowered in silence: documents may be hostile, and the kernel may be old.
    let level = sandbox_level();
    if !level.is_whole() {
        context.warn(&level.to_string());
    }
    let interrupt = signal::watch()?;
    let jobs = folder.map(|folder| jobs(args, folder, context)).unwrap_or_default();
    let threads = match config.thread_count {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let threads = threads.min(jobs.len()).max(1);
    let converter = Converter::new(options(args, &config)?, threads).map_err(Failure::Convert)?;
    let interrupted = || interrupt.load(Ordering::Relaxed);
    let mut reporter = OutcomeReporter { args, context, warned: 0, failure: None };
    if let (None, [document]) = (folder, args.files.as_slice()) {
        reporter.print(document, converter.markdown(document, Path::new(STDOUT), &interrupted))?;
    }
    each_in_order(
        &jobs,
        threads,
        &|job| converter.convert(job.document, &job.output, &interrupted),
        &mut |job, converted| reporter.report(job, converted),
    )?;
    match reporter.failure {
        _ if interrupted() => Ok(CommandOutcome::Interrupted),
        Some(failure) => Err(Failure::Convert(failure)),
        None if args.strict && reporter.warned > 0 => Ok(CommandOutcome::Problems),
        None => Ok(CommandOutcome::Done),
    }
}

/// The folder of the outputs, which is made; `None` to print the only document.
fn output_folder(args: &ConvertArgs) -> Result<Option<&Path>, Failure> {
    let folder = args.out.as_deref().filter(|folder| *folder != Path::new(STDOUT));
    match folder {
        Some(folder) => std::fs::create_dir_all(folder)
            .map_err(|source| Failure::Unwritable { path: folder.to_owned(), source })?,
        None if args.files.len() > 1 || args.json => {
            let what = if args.json { "--json needs" } else { "several documents need" };
            let message = format!("{what} a folder for the Markdown");
            return Err(Failure::Usage { message, hint: "give --out DIR".to_owned() });
        }
        None => {}
    }
    Ok(folder)
}

/// Each document once, with an output of its own.
fn jobs<'a>(args: &'a ConvertArgs, folder: &Path, context: &CommandContext) -> Vec<ConversionJob<'a>> {
    let documents: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut names = Names::in_folder(folder, &documents);
    let mut seen = HashSet::new();
    let mut jobs = Vec::new();
    for document in documents {
        let is_new = seen.insert(document.canonicalize().unwrap_or_else(|_| document.to_owned()));
        if !is_new {
            continue;
        }
        let named = names.next(document);
        if named.is_renamed {
            context.say(&format!(
                "{} goes to {}: another document has the name that it would have",
                terminal::line(&document.to_string_lossy()),
                terminal::line(&named.path.to_string_lossy())
            ));
        }
        jobs.push(ConversionJob { document, output: named.path });
    }
    jobs
}

fn options(args: &ConvertArgs, config: &Config) -> Result<ConvertOptions, Failure> {
    let own: Result<Vec<OwnRule>, RuleError> =
        config.rag.own.iter().map(|rule| OwnRule::parse(rule)).collect();
    let timeout = Duration::from_secs(config.converter_limits.timeout_seconds);
    let chosen = match config.rag.footnotes.as_str() {
        "inline" => Footnotes::Inline,
        "end" => Footnotes::End,
        _ => Footnotes::Drop,
    };
    Ok(ConvertOptions {
        engine: match args.engine {
            EngineChoice::Builtin => BookEngine::Builtin,
            EngineChoice::Pandoc => BookEngine::Pandoc,
        },
        converters: settings::converters(config),
        ocr: settings::ocr(config),
        limits: ProcessLimits {
            wall: timeout,
            cpu: Some(timeout),
            memory: config.converter_limits.memory,
            output: config.converter_limits.output,
        },
        cleaning: CleanOptions {
            off: config.rag.off.clone(),
            own: own.map_err(RagMdError::Rule)?,
            footnotes: chosen,
            page_markers: args.page_markers,
        },
        front_matter: args.front_matter,
        replace: args.force,
        reading: ReadSettings {
            html: HtmlOptions { markdown: true, main_content: config.html.main_content },
            office: config.office.clone(),
            pdf: settings::pdf(config),
            svg: true,
            ..ReadSettings::default()
        },
        isolation: Isolation::Workers(Vec::new()),
    })
}

/// Converts several documents at once and reports the results in the order of the list.
fn each_in_order(
    jobs: &[ConversionJob<'_>],
    threads: usize,
    work: &(dyn Fn(&ConversionJob<'_>) -> Converted + Sync),
    report: &mut dyn FnMut(&ConversionJob<'_>, Converted) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                while let Some((at, job)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, jobs.get(at)?)))
                {
                    if sender.send((at, work(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting: Vec<Option<Converted>> = jobs.iter().map(|_| None).collect();
        let mut reported = 0;
        for (at, converted) in receiver {
            waiting[at] = Some(converted);
            while let Some(converted) = waiting.get_mut(reported).and_then(Option::take) {
                report(&jobs[reported], converted)?;
                reported += 1;
            }
        }
        Ok(())
    })
}

/// Reports the outcome for each document.
struct OutcomeReporter<'t> {
    args: &'t ConvertArgs,
    context: &'t CommandContext,
    warned: usize,
    /// The error of the first document without a result.
    failure: Option<RagMdError>,
}

impl OutcomeReporter<'_> {
    fn report(&mut self, job: &ConversionJob<'_>, converted: Converted) -> Result<(), Failure> {
        match converted {
            Ok(outcome) => self.report_outcome(&outcome),
            Err(error) => self.report_failure(job.document, error),
        }
    }

    fn report_failure(&mut self, document: &Path, error: RagMdError) -> Result<(), Failure> {
        if matches!(error, RagMdError::Interrupted) {
            return Ok(());
        }
        if self.args.json {
            let source = document.to_string_lossy();
            self.context.print_json(&json!({
                "source": source, "output": null, "error": error.name(), "message": error.to_string(),
            }))?;
        }
        // The command ends with the first failure.
        if self.failure.is_some() {
            self.context.warn(&terminal::line(&error.to_string()));
        }
        self.failure.get_or_insert(error);
        Ok(())
    }

    /// Prints the Markdown of a document.
    fn print(
        &mut self,
        document: &Path,
        made: Result<(String, ConvertOutcome), RagMdError>,
    ) -> Result<(), Failure> {
        match made {
            Ok((text, outcome)) => {
                self.report_notes(&outcome);
                self.context.print_foreign(&text)
            }
            Err(error) => self.report_failure(document, error),
        }
    }

    fn report_outcome(&mut self, outcome: &ConvertOutcome) -> Result<(), Failure> {
        self.report_notes(outcome);
        match self.args.json {
            true => self.context.print_json(outcome),
            false => self.context.print_foreign(&format!("{}\n", outcome.output.display())),
        }
    }

    /// What is to be said of a document besides its output.
    fn report_notes(&mut self, outcome: &ConvertOutcome) {
        let source = outcome.source.to_string_lossy();
        for warning in &outcome.warnings {
            self.context.warn(&format!("{}: {}", terminal::line(&source), terminal::line(warning)));
        }
        for log in &outcome.converter_logs {
            self.context.trace(&format!("{source}: {log}"));
        }
        for inside in outcome.inside.iter().filter(|_| !self.args.json) {
            if let Some(reason) = inside.reason.as_deref().filter(|reason| !is_warned(outcome, reason)) {
                let named = [&*source, &inside.name, reason].map(terminal::line);
                self.context.say(&format!("{}: {} inside it is left out: {}", named[0], named[1], named[2]));
            }
        }
        self.warned += usize::from(!outcome.warnings.is_empty());
    }
}

/// True for an inner document whose reason is already among the warnings.
fn is_warned(outcome: &ConvertOutcome, reason: &str) -> bool {
    outcome.warnings.iter().any(|warning| warning.ends_with(reason))
}
