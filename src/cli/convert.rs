//! `pensieve convert`: documents to clean Markdown for language models.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::{settings, signal, terminal};
use crate::config::{Config, FlagValue};
use crate::ragmd::rules::RuleError;
use crate::ragmd::{
    BookEngine, CleanOptions, ConvertOptions, ConvertOutcome, Converter, DocumentInput, Footnotes, Isolation,
    Names, OwnRule, RagMdError,
};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use pensieve_isolate::process::sandbox_level;
use pensieve_readers::settings::HtmlOptions;
use pensieve_readers::settings::ReadSettings;
use pensieve_store::scan::{ScanEntry, is_ignore_file, stored_path, walk};
use pensieve_text::format;
use pensieve_text::model::FileType;
use pensieve_text::model::numbers::counted;
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Turn books and other documents into clean Markdown for language models.
///
/// Each FILE becomes NAME.rag.md in the folder DIR; without one, a single document is printed. A folder in the place of a FILE
/// stands for every document below it. A book begins with its table of contents, in which every link leads to its section.
/// Files are local: nothing is fetched, and protected books are refused.
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
    /// Read every FILE as this format, whatever it looks like: one that is none is an error.
    #[arg(long = "type", value_name = "NAME", default_value = "", hide_default_value = true, value_parser = format_name)]
    format: String,
    /// Begin with the metadata of the document, as YAML.
    #[arg(long)]
    front_matter: bool,
    /// What reads the pages of books: the built-in reader, or the pandoc in PATH.
    #[arg(long, value_name = "ENGINE", default_value = "builtin")]
    engine: EngineChoice,
    /// What happens to footnotes: they are left out, put in brackets at their references, or put at the end.
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Footnotes::NAMES))]
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

fn format_name(name: &str) -> Result<String, String> {
    match name.is_empty() || format::by_name(name).is_some() {
        true => Ok(name.to_owned()),
        false => Err("give the name of a format, such as epub, pdf or docx".to_owned()),
    }
}

/// A document and its output.
struct ConversionJob {
    document: PathBuf,
    /// Its path below the folder that was given.
    found_at: Option<String>,
    output: PathBuf,
}

/// A file that was named, or that a folder has.
struct FoundFile {
    path: PathBuf,
    found_at: Option<PathBuf>,
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
    let files = files(args, &config, &interrupt)?;
    let jobs = folder.map(|folder| jobs(&files, folder, context)).transpose()?.unwrap_or_default();
    let threads = match config.thread_count {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let threads = threads.min(jobs.len()).max(1);
    let converter = Converter::new(options(args, &config)?, threads)?;
    let interrupted = || interrupt.load(Ordering::Relaxed);
    let mut reporter = OutcomeReporter { args, context, warned: 0, left_out: 0, failure: None };
    if let (None, [document]) = (folder, args.files.as_slice()) {
        let input = DocumentInput { format: &args.format, ..DocumentInput::named(document) };
        reporter.print(document, converter.markdown(input, Path::new(STDOUT), &interrupted))?;
    }
    each_in_order(
        &jobs,
        threads,
        &|job| {
            let found_at = job.found_at.as_deref();
            let input = DocumentInput { path: &job.document, format: &args.format, found_at };
            converter.convert(input, &job.output, &interrupted)
        },
        &mut |job, converted| reporter.report(job, converted),
    )?;
    if reporter.left_out > 0 {
        let files = counted(reporter.left_out, "file");
        context.say(&format!("{files} of the folders left out: no documents, or secrets"));
    }
    match reporter.failure {
        _ if interrupted() => Ok(CommandOutcome::Interrupted),
        Some(failure) => Err(failure.into()),
        None if args.strict && reporter.warned > 0 => Ok(CommandOutcome::Problems),
        None => Ok(CommandOutcome::Done),
    }
}

/// The folder of the outputs, which is made; `None` to print the only document.
fn output_folder(args: &ConvertArgs) -> Result<Option<&Path>, Failure> {
    let folder = args.out.as_deref().filter(|folder| *folder != Path::new(STDOUT));
    match folder {
        Some(file) if file.is_file() => {
            let message = format!("`{}` is a file, and --out names a folder", file.display());
            return Err(Failure::Usage {
                message,
                hint: "to print one document, leave --out out".to_owned(),
            });
        }
        Some(folder) => std::fs::create_dir_all(folder)
            .map_err(|source| Failure::Unwritable { path: folder.to_owned(), source })?,
        None if args.files.len() > 1 || args.json || args.files.iter().any(|file| file.is_dir()) => {
            let what = if args.json { "--json needs" } else { "several documents need" };
            let message = format!("{what} a folder for the Markdown");
            return Err(Failure::Usage { message, hint: "give --out DIR".to_owned() });
        }
        None => {}
    }
    Ok(folder)
}

/// The files that were named, and those below the folders that were, in the order of their paths.
fn files(args: &ConvertArgs, config: &Config, interrupt: &AtomicBool) -> Result<Vec<FoundFile>, Failure> {
    let mut files = Vec::new();
    for named in &args.files {
        if !named.is_dir() {
            files.push(FoundFile { path: named.clone(), found_at: None });
            continue;
        }
        let found = Mutex::new(Vec::new());
        let each = |entry: ScanEntry| {
            let name = entry.relative.file_name().unwrap_or_default();
            if entry.file_type == FileType::File && !is_ignore_file(name.as_encoded_bytes()) {
                found.lock().unwrap_or_else(PoisonError::into_inner).push(entry.relative);
            }
        };
        let is_stopped = || interrupt.load(Ordering::Relaxed);
        walk(named, &settings::scan(config), &[], &each, &|_, _| {}, &is_stopped)?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_unstable();
        let found =
            found.into_iter().map(|below| FoundFile { path: named.join(&below), found_at: Some(below) });
        files.extend(found.filter(|file| !is_output(&file.path, args)));
    }
    Ok(files)
}

/// True for what an earlier run has written, where the folder of the outputs is inside the folder of the documents.
fn is_output(path: &Path, args: &ConvertArgs) -> bool {
    let folder = args.out.as_deref().and_then(|folder| folder.canonicalize().ok());
    folder.is_some_and(|folder| path.canonicalize().is_ok_and(|path| path.starts_with(folder)))
}

/// Each document once, with an output of its own: those of a folder in folders like theirs, which are made.
fn jobs(files: &[FoundFile], folder: &Path, context: &CommandContext) -> Result<Vec<ConversionJob>, Failure> {
    let documents: Vec<&Path> = files.iter().map(|file| file.path.as_path()).collect();
    let mut names = Names::in_folder(folder, &documents);
    let mut seen = HashSet::new();
    let mut jobs = Vec::new();
    for FoundFile { path: document, found_at } in files {
        let is_new = seen.insert(document.canonicalize().unwrap_or_else(|_| document.to_owned()));
        if !is_new {
            continue;
        }
        let below = found_at.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let place = folder.join(below);
        std::fs::create_dir_all(&place).map_err(|source| Failure::Unwritable { path: place, source })?;
        let named = names.next(document, below);
        if named.is_renamed {
            context.say(&format!(
                "{} goes to {}: another document has the name that it would have",
                terminal::line(&document.to_string_lossy()),
                terminal::line(&named.path.to_string_lossy())
            ));
        }
        let found_at = found_at.as_deref().map(|path| stored_path(path.as_os_str()).0);
        jobs.push(ConversionJob { document: document.clone(), found_at, output: named.path });
    }
    Ok(jobs)
}

fn options(args: &ConvertArgs, config: &Config) -> Result<ConvertOptions, Failure> {
    let own: Result<Vec<OwnRule>, RuleError> =
        config.rag.own.iter().map(|rule| OwnRule::parse(rule)).collect();
    Ok(ConvertOptions {
        engine: match args.engine {
            EngineChoice::Builtin => BookEngine::Builtin,
            EngineChoice::Pandoc => BookEngine::Pandoc,
        },
        converters: settings::converters(config),
        ocr: settings::ocr(config),
        limits: config.converter_limits.of_process(),
        cleaning: CleanOptions {
            off: config.rag.off.clone(),
            own: own.map_err(RagMdError::Rule)?,
            footnotes: config.rag.footnotes,
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
    jobs: &[ConversionJob],
    threads: usize,
    work: &(dyn Fn(&ConversionJob) -> Converted + Sync),
    report: &mut dyn FnMut(&ConversionJob, Converted) -> Result<(), Failure>,
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
    /// Files of folders that are no documents.
    left_out: u64,
    /// The error of the first document without a result.
    failure: Option<RagMdError>,
}

impl OutcomeReporter<'_> {
    fn report(&mut self, job: &ConversionJob, converted: Converted) -> Result<(), Failure> {
        match converted {
            Ok(outcome) => self.report_outcome(&outcome),
            Err(RagMdError::NoDocument { .. }) if job.found_at.is_some() => {
                self.left_out += 1;
                Ok(())
            }
            Err(error) => self.report_failure(&job.document, error),
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
            self.context.complain(&format!("error: {error}"));
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
