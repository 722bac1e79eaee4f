//! `pensieve ingest`: the main job. Arguments become settings, the summary becomes text; the work is done elsewhere.

use super::progress::{Progress, ProgressChoice};
use super::summary::{Closing, Plan};
use super::{Context, Failure, Outcome, absolute, signal};
use crate::chunk::{ChunkOptions, StrategyChoice};
use crate::config::{Config, Flag, parse_size};
use crate::extract::html::HtmlOptions;
use crate::extract::settings::{OfficeOptions, PdfOptions};
use crate::ingest::{self, Check, ConverterLimits, Pinned, Settings, Summary};
use crate::scan::ScanOptions;
use crate::text::clean::CleanOptions;
use crate::text::normalize::UnicodeForm;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use std::fs;
use std::path::{Path, PathBuf};

/// Read a folder into a database, or bring it up to date.
///
/// The first run reads everything, later runs what has changed since. Nothing in the folder is ever changed.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve ingest ~/notes notes.db")]
pub struct IngestArgs {
    /// The folder to read.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The database to write; it is created where there is none.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Say what would be done, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Read every file again.
    #[arg(long)]
    force_reprocess: bool,
    /// The root that used to lie here now lies at DIR.
    #[arg(long, value_name = "OLD_DIR")]
    moved_from: Option<PathBuf>,
    #[command(flatten)]
    tuning: Tuning,
    #[command(flatten)]
    telling: Telling,
}

/// Flags that stand for keys of the configuration.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings (each stands above the configuration)")]
struct Tuning {
    /// Tokens in a chunk at most.
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
    /// Read pages in processes of their own, so that a bad one harms nothing else.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    isolation: Isolation,
    /// Keep page breaks, as lines `--- PAGE ---`.
    #[arg(long)]
    page_markers: bool,
}

/// Flags about what is told.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Messages")]
struct Telling {
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the summary to this file too, as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// End with exit code 1 if any file has a problem.
    #[arg(long)]
    strict: bool,
}

/// Where readers of structured formats run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Isolation {
    /// In processes of their own.
    #[default]
    Auto,
    /// In this process.
    Off,
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).ok_or_else(|| "give bytes, or a size such as 512MiB".to_owned())
}

impl Tuning {
    /// The flags that were given, as values of the highest layer.
    fn flags(&self) -> Vec<Flag> {
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
        given.into_iter().filter_map(|(name, key, value)| Some(Flag { name, key, value: value? })).collect()
    }
}

/// Runs the command.
pub fn run(args: &IngestArgs, context: &Context) -> Result<Outcome, Failure> {
    let config = context.config(args.config.as_deref(), args.tuning.flags())?;
    config.check_converters()?;
    if !args.database.exists() {
        // Else the database may know a chunk size of its own, and `ingest::run` checks.
        config.check_overlap(config.chunk_size)?;
    }
    if let Some(report) = &args.telling.report {
        check_report(report, args)?;
    }
    let settings = Settings {
        isolation: args.tuning.isolation == Isolation::Auto,
        dry_run: args.dry_run,
        force: args.force_reprocess,
        moved_from: args.moved_from.clone(),
        ..settings(&config, &args.folder, &args.database)
    };
    let interrupt = signal::watch()?;
    let progress = Progress::new(args.telling.progress, context.level, &interrupt);
    let summary = progress.during(|observer| ingest::run(&settings, observer))?;
    tell(&summary, &args.telling, context)?;
    Ok(match summary {
        Summary { interrupted: true, .. } => Outcome::Interrupted,
        Summary { errors: 1.., .. } if args.telling.strict => Outcome::Problems,
        _ => Outcome::Done,
    })
}

/// What a configuration says about the work on a folder and a database.
pub(super) fn settings(config: &Config, root: &Path, database: &Path) -> Settings {
    let scan = &config.scan;
    Settings {
        root: root.to_owned(),
        database: database.to_owned(),
        scan: ScanOptions {
            hidden: scan.hidden,
            follow_symlinks: scan.follow_symlinks,
            ignore_files: scan.ignore_files,
            max_size: scan.max_file_size,
            include: scan.include.clone(),
            exclude: scan.exclude.clone(),
            threads: config.threads,
        },
        check: match scan.check.as_str() {
            "full" => Check::Full,
            "mtime" => Check::Mtime,
            _ => Check::Auto,
        },
        svg: scan.svg,
        html: HtmlOptions { markdown: config.html.markdown, main_content: config.html.main_content },
        office: OfficeOptions { comments: config.office.comments, headers: config.office.headers },
        pdf: PdfOptions { passwords: config.pdf_passwords.clone() },
        clean: CleanOptions {
            version: config.clean.version,
            page_markers: config.clean.page_markers,
            rules: config.clean.rules,
            form: match config.clean.unicode.as_str() {
                "nfc" => UnicodeForm::Nfc,
                "none" => UnicodeForm::None,
                _ => UnicodeForm::Nfkc,
            },
            max_blank_lines: config.clean.max_blank_lines,
            gutenberg: config.clean.gutenberg,
        },
        chunk: ChunkOptions {
            size: config.chunk_size,
            overlap: config.chunk_overlap,
            strategy: match config.strategy.as_str() {
                "recursive" => StrategyChoice::Recursive,
                "markdown" => StrategyChoice::Markdown,
                "paragraph" => StrategyChoice::Paragraph,
                _ => StrategyChoice::Auto,
            },
        },
        tokenizer: config.tokenizer.clone(),
        pinned: Pinned {
            tokenizer: config.is_chosen("tokenizer_model"),
            chunk_size: config.is_chosen("chunk_size"),
            chunk_overlap: config.is_chosen("chunk_overlap"),
        },
        converters: config
            .converters
            .iter()
            .filter(|(_, converter)| converter.at.is_chosen())
            .map(|(extension, converter)| (extension.clone(), converter.command.clone()))
            .collect(),
        limits: ConverterLimits {
            timeout: config.limits.timeout,
            memory: config.limits.memory,
            output: config.limits.output,
        },
        threads: config.threads,
        max_memory: config.max_memory,
        isolation: true,
        worker: Vec::new(),
        keep_raw: config.store.keep_raw,
        fts: config.store.fts,
        dry_run: false,
        force: false,
        moved_from: None,
    }
}

/// The report may lie anywhere but among the sources, which are never touched, and not on the database.
fn check_report(report: &Path, args: &IngestArgs) -> Result<(), Failure> {
    let report = absolute(report);
    let folder = report.parent().unwrap_or(Path::new("/"));
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let real_report = real(folder).join(report.file_name().unwrap_or_default());
    let usage = |message: &str| Failure::Usage {
        message: format!("the report `{}` {message}", report.display()),
        hint: "choose another path for --report".to_owned(),
    };
    let database = absolute(&args.database);
    if real_report.starts_with(real(&args.folder)) || report.starts_with(absolute(&args.folder)) {
        return Err(usage("would lie in the folder that is read"));
    }
    if real_report == real(&database) || report == database {
        return Err(usage("would overwrite the database"));
    }
    if report.is_dir() {
        return Err(usage("is a folder"));
    }
    fs::metadata(folder).map(|_| ()).map_err(|source| Failure::Unwritable { path: report.clone(), source })
}

fn tell(summary: &Summary, telling: &Telling, context: &Context) -> Result<(), Failure> {
    if let Some(report) = &telling.report {
        let mut text = serde_json::to_string_pretty(summary).map_err(std::io::Error::from)?;
        text.push('\n');
        fs::write(report, text).map_err(|source| Failure::Unwritable { path: report.clone(), source })?;
    }
    match (&summary.plan, telling.json) {
        (_, true) => context.print_json(summary)?,
        (Some(lines), false) => context.print(&Plan { lines, summary }.to_string())?,
        (None, false) if context.level >= super::LogLevel::Warn => {
            context.print(&Closing(summary).to_string())?
        }
        (None, false) => {}
    }
    if summary.interrupted && telling.progress != ProgressChoice::Json {
        context.say("interrupted: what is done is kept; the same command goes on from there");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: IngestArgs,
    }

    fn parse(words: &[&str]) -> IngestArgs {
        Line::try_parse_from(["ingest"].iter().chain(words)).unwrap().args
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
        let sources = crate::config::Sources { flags, ..Default::default() };
        let settings = settings(&crate::config::load(&sources).unwrap(), &args.folder, &args.database);
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
            assert_eq!(Line::try_parse_from(line).unwrap_err().exit_code(), 2);
        }
    }

    #[test]
    fn a_report_never_lands_among_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        fs::create_dir_all(at("tree/sub")).unwrap();
        let check = |report: &str| {
            let args = parse(&[&at("tree"), &at("x.db"), "--report", &at(report)]);
            check_report(args.telling.report.as_deref().unwrap(), &args)
                .map_err(|failure| failure.to_string())
        };
        assert_eq!(check("r.json"), Ok(()));
        assert_eq!(check("tree/../r.json"), Ok(()));
        assert!(check("tree/sub/r.json").unwrap_err().ends_with("would lie in the folder that is read"));
        assert!(check("x.db").unwrap_err().ends_with("would overwrite the database"));
        assert!(check("tree").is_err() && check("missing/r.json").is_err());
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("tree"), at("link")).unwrap();
        #[cfg(unix)]
        assert!(check("link/r.json").is_err());
    }
}
