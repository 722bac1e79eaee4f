//! `pensieve layout`: shows the layout of one PDF file, so that people can check it.

mod chunks;
mod draw;
mod report;

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::settings;
use crate::config::{FlagValue, layout_key, layout_keys, nearest};
use clap::{Args, ValueEnum};
use pensieve_readers::pdf;
use pensieve_readers::settings::PdfOptions;
use pensieve_text::layout::LayoutPage;
use pensieve_text::model::ContentHash;
use report::{LayoutReport, PdfLayout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The prefix of the keys for thresholds.
const KEY_PREFIX: &str = "pdf.layout.";

/// Show how one PDF file is laid out: running prose (MAIN) apart from everything else (AUX).
///
/// Every document is checked by proofs: nothing of a page is lost or duplicated, the order only rises, MAIN and AUX
/// are never mixed. If a proof fails, the command reports it and ends with exit code 1.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve layout book.pdf --emit units > units.ndjson")]
pub struct LayoutArgs {
    /// The file to read.
    #[arg(value_name = "FILE.pdf")]
    file: PathBuf,
    /// What to print: counts as one JSON object, or blocks, units or chunks, one JSON object per line.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = LayoutOutput::Metrics)]
    emit: LayoutOutput,
    /// Print JSON: the output of this command is always JSON.
    #[arg(long)]
    json: bool,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Set one threshold of [pdf.layout] for this run; may be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write one SVG picture per page into this folder, with the blocks coloured by class.
    #[arg(long, value_name = "OUT_DIR")]
    draw: Option<PathBuf>,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LayoutOutput {
    /// Counts, times and findings, as one object.
    Metrics,
    /// Every block with its class and the reasons for it.
    Blocks,
    /// Every sentence in order.
    Units,
    /// The chunks of the document.
    Chunks,
}

/// Runs the command.
pub fn run(args: &LayoutArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let flags = args.set.iter().map(|text| flag(text)).collect::<Result<Vec<FlagValue>, Failure>>()?;
    let config = context.config(args.config.as_deref(), flags)?;
    let bytes = std::fs::read(&args.file)
        .map_err(|source| Failure::Unreadable { path: args.file.clone(), source })?;
    let doc_id = ContentHash::of(&bytes).to_string().chars().take(32).collect::<String>();
    let options = settings::pdf(&config);
    let mut drawing = args.draw.as_deref().map(draw::Drawing::into_folder).transpose()?;
    let layout = lay_out(bytes, &options, drawing.as_mut(), &args.file)?;
    if let Some(drawing) = drawing {
        drawing.finish(&layout.parts)?;
    }
    let chunks = chunks::of(&layout.parts, &config)?;
    let violations = layout.report.violations(&layout.parts, &chunks);
    match args.emit {
        LayoutOutput::Metrics => {
            context.print_json(&layout.report.metrics(&doc_id, &layout, &chunks, &violations))?;
        }
        LayoutOutput::Blocks => print_all(context, report::blocks(&doc_id, &layout.parts))?,
        _ if !violations.is_empty() => {}
        LayoutOutput::Units => print_all(context, report::units(&doc_id, &layout.parts))?,
        LayoutOutput::Chunks => print_all(context, report::chunks(&doc_id, &chunks))?,
    }
    for violation in &violations {
        context.complain(&format!("{}: {violation}", args.file.display()));
    }
    for reason in &layout.document.review_reasons {
        context.say(&format!("needs review: {} ({})", report::words(reason.kind), reason.detail));
    }
    Ok(if violations.is_empty() { CommandOutcome::Done } else { CommandOutcome::Problems })
}

/// Parses `KEY=VALUE`, with or without the prefix `pdf.layout.`.
fn flag(text: &str) -> Result<FlagValue, Failure> {
    let wrong = |message: String| Failure::Usage {
        message,
        hint: "write --set KEY=VALUE with a key of [pdf.layout], such as --set column_width=75".to_owned(),
    };
    let (name, value) = text.split_once('=').ok_or_else(|| wrong(format!("`{text}` has no value")))?;
    let name = name.trim();
    let full = match name.strip_prefix(KEY_PREFIX) {
        Some(_) => name.to_owned(),
        None => format!("{KEY_PREFIX}{name}"),
    };
    let key = layout_key(&full).ok_or_else(|| {
        let nearest = nearest(&full, layout_keys()).unwrap_or_default().trim_start_matches(KEY_PREFIX);
        wrong(format!("there is no key `{name}` in [pdf.layout]; did you mean `{nearest}`?"))
    })?;
    Ok(FlagValue { name: "--set", key, value: value.trim().to_owned() })
}

fn lay_out(
    bytes: Vec<u8>,
    options: &PdfOptions,
    mut drawing: Option<&mut draw::Drawing>,
    path: &Path,
) -> Result<PdfLayout, Failure> {
    let mut report = LayoutReport::default();
    let mut parts = Vec::new();
    let mut undrawn = None;
    let mut last = Instant::now();
    let mut pages = 0;
    let document = pdf::lay_out(
        bytes,
        options,
        pdf::LayoutVisitor {
            page: &mut |page: &LayoutPage| {
                pages += 1;
                if let Some(Err(failure)) = drawing.as_mut().map(|drawing| drawing.page(page)) {
                    undrawn = undrawn.take().or(Some(failure));
                }
            },
            batch: &mut |batch| {
                parts.push(batch);
                Ok(())
            },
            stage: &mut |stage| {
                let now = Instant::now();
                report.times.push((stage, now - last));
                last = now;
            },
        },
    )
    .map_err(|problem| Failure::UnreadableDocument { path: path.to_owned(), problem })?;
    report.pages = pages;
    match undrawn {
        Some(failure) => Err(failure),
        None => Ok(PdfLayout { document, parts, report }),
    }
}

fn print_all(context: &CommandContext, rows: Vec<Value>) -> Result<(), Failure> {
    let mut text = String::new();
    for row in rows {
        text.push_str(&row.to_string());
        text.push('\n');
    }
    context.print(&text)
}
