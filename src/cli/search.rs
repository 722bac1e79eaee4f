//! `pensieve search`: ranked hits with the places that they stand in.

use super::{Context, Failure, Outcome, place};
use crate::store::{Hit, SearchOptions, Store};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// Find chunks by their words, best first.
///
/// Words must all occur; "quoted words" must follow each other; OR, NOT, NEAR and prefix* work as in SQLite's FTS5.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve search corpus.db 'memory limit'")]
pub struct SearchArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// What to look for.
    query: String,
    /// Hits at most.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Hits to pass over.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Show so many chunks before and after each hit.
    #[arg(long, value_name = "N", default_value_t = 0)]
    context: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &SearchArgs, context: &Context) -> Result<Outcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let options = SearchOptions {
        query: args.query.clone(),
        limit: args.limit,
        offset: args.offset,
        context: args.context,
    };
    let hits = store.search(&options)?;
    if args.json {
        context.print_json(&serde_json::json!({"query": args.query, "hits": hits}))?;
        return Ok(Outcome::Done);
    }
    let text: Vec<String> =
        hits.iter().enumerate().map(|(at, hit)| told(args.offset + at + 1, hit)).collect();
    context.print_foreign(&text.join("\n"))?;
    if hits.is_empty() {
        context.say("nothing found");
    }
    Ok(Outcome::Done)
}

fn told(rank: usize, hit: &Hit) -> String {
    let mut out = String::new();
    for (at, source) in hit.sources.iter().enumerate() {
        let number = if at == 0 { format!("{rank}.") } else { String::new() };
        let _ = writeln!(out, "{number:<4}{}", place::of(source));
    }
    match (&hit.before[..], &hit.after[..]) {
        ([], []) => indent(&mut out, &hit.snippet),
        (before, after) => {
            before.iter().for_each(|text| indent(&mut out, text));
            indent(&mut out, &hit.content);
            after.iter().for_each(|text| indent(&mut out, text));
        }
    }
    out
}

fn indent(out: &mut String, text: &str) {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "    {line}");
    }
}
