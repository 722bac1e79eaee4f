//! `pensieve stats`: the corpus in numbers.

use super::repeats::CorpusRepetition;
use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::terminal;
use clap::Args;
use pensieve_store::store::{CorpusStats, Store};
use pensieve_text::model::numbers::{count, mega};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Show what a database contains.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve stats corpus.db")]
pub struct StatsArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &StatsArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let corpus = Store::open_for_reading(&args.database)?;
    let stats =
        StatsAnswer { stats: corpus.statistics().corpus()?, repetition: CorpusRepetition::known(&corpus)? };
    match args.json {
        true => context.print_json(&stats)?,
        false => context.print(&format_stats(&stats))?,
    }
    Ok(CommandOutcome::Done)
}

/// What is printed of a corpus.
#[derive(Debug, Default, Serialize)]
struct StatsAnswer {
    #[serde(flatten)]
    stats: CorpusStats,
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<CorpusRepetition>,
}

fn format_stats(answer: &StatsAnswer) -> String {
    let mut out = String::new();
    let (roots, stats) = (&answer.stats.roots, &answer.stats.counts);
    let settings = stats.settings.as_ref().map(|settings| {
        format!(
            "chunk_overlap {}, chunk_size {}, clean_version {}, tokenizer_model {}",
            settings.chunk_overlap, settings.chunk_size, settings.clean_version, settings.tokenizer
        )
    });
    let heads = roots.iter().map(|root| ("root", root.clone())).chain([
        ("settings", settings.unwrap_or_default()),
        ("last run", stats.last_run.clone().unwrap_or_else(|| "none".to_owned())),
        ("size", format!("{} MB", mega(stats.database_bytes))),
    ]);
    for (name, value) in heads {
        let _ = writeln!(out, "{name:<10}{}", terminal::line(&value));
    }
    section(&mut out, "Files", |row| {
        row("all", stats.files, &format!("{} MB", mega(stats.bytes)));
        row("duplicates", stats.duplicates, &format!("{} MB", mega(stats.duplicate_bytes)));
        if stats.members > 0 {
            row("inside others", stats.members, "attachments, mails of mailboxes, ...");
        }
        if stats.needs_review > 0 {
            row("need a look", stats.needs_review, "see `pensieve review`");
        }
        stats.by_status.iter().for_each(|(status, number)| row(status, *number, ""));
    });
    section(&mut out, "Chunks", |row| {
        row("unique", stats.chunks, &format!("{} tokens", count(stats.tokens)));
        let saved = format!("{} tokens saved: each chunk and copy is stored once", count(stats.tokens_saved));
        row("places", stats.sources, if stats.tokens_saved > 0 { &saved } else { "" });
    });
    section(&mut out, "Repetition", |row| {
        let kinds = answer.repetition.iter().flat_map(CorpusRepetition::kinds);
        kinds.for_each(|(name, documents, remark)| row(name, documents, &remark));
    });
    section(&mut out, "Vectors", |row| {
        for model in &stats.vectors {
            row(&terminal::line(&model.model), model.vectors, &format!("{} dimensions", model.dimensions));
        }
    });
    section(&mut out, "Open problems", |row| {
        stats.errors.iter().for_each(|(kind, number)| row(kind, *number, ""));
    });
    let mut formats: Vec<_> = stats.by_format.iter().collect();
    formats.sort_by_key(|(name, format)| (std::cmp::Reverse(format.files), *name));
    section(&mut out, "Formats", |row| {
        for (name, format) in formats {
            let remark = format!("{} MB, {} tokens", mega(format.bytes), count(format.tokens));
            row(name, format.files, &remark);
        }
    });
    out
}

/// Adds a heading and its rows, or nothing if there are no rows.
fn section(out: &mut String, heading: &str, rows: impl FnOnce(&mut dyn FnMut(&str, u64, &str))) {
    let mut lines = String::new();
    rows(&mut |name, number, remark| {
        let line = format!("  {name:<20}{:>16}   {remark}", count(number));
        let _ = writeln!(lines, "{}", line.trim_end());
    });
    if !lines.is_empty() {
        let _ = write!(out, "\n{heading}\n{lines}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_store::store::CorpusCounts;

    #[test]
    fn empty_sections_are_left_out() {
        let counts = CorpusCounts { files: 1200, bytes: 2_500_000, ..CorpusCounts::default() };
        let stats = CorpusStats { roots: vec!["/n".to_owned()], counts };
        let stats = StatsAnswer { stats, repetition: None };
        let expected = "\
root      /n
settings  \n\
last run  none
size      0.0 MB

Files
  all                            1,200   2.5 MB
  duplicates                         0   0.0 MB

Chunks
  unique                             0   0 tokens
  places                             0
";
        assert_eq!(format_stats(&stats), expected);
    }
}
