//! `pensieve search`: ranked hits with their places.

use super::filters::FilterArgs;
use super::partitions::PartitionArgs;
use super::{CommandContext, CommandOutcome, Failure, colour, source_line, terminal};
use crate::retrieval::{ExpandedHit, Expansion, expand_hits, search};
use crate::store::{HIGHLIGHT_MARKS, LastWord, SearchMode, SearchOptions, SearchResults, Store, WordMatch};
use clap::Args;
use pensieve_text::model::numbers::counted;
use std::borrow::Cow;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Find chunks by their words or their meaning, best first.
///
/// Words alone are a question: chunks with all of them come first, and where few have them all, those with any follow,
/// best first; a word that does not occur is corrected, and a note says so. "Quoted words" follow each other, and so do the parts of foo-bar, src/main.rs or a@b.org.
/// word* begins with these letters, ^word begins the chunk. OR, NOT and NEAR are written in capitals: NOT leaves out
/// the term or group after it, `a NEAR b`, `a NEAR/3 b` and `NEAR(a b c, 3)` are close to each other, ( ) group.
/// path:docs/**, format:pdf, heading:install, folded:no and author:ann, from:ann, to:ben, date:2024..2025, tag:oil, lang:de,
/// title:lamp narrow the query, and leave out with NOT or - before them.
/// Chinese, Japanese, Korean, Thai and other text without spaces is found by any part of it.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve search corpus.db 'memory limit' --path 'docs/**'")]
pub struct SearchArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// What to look for; several words need no quotes.
    #[arg(required = true)]
    query: Vec<String>,
    #[command(flatten)]
    partitions: PartitionArgs,
    #[command(flatten)]
    filters: FilterArgs,
    /// Only files of this format or extension.
    #[arg(long = "type", value_name = "NAME", alias = "format")]
    formats: Vec<String>,
    /// How chunks are found: by their words, by their meaning, or by both; without it as the configuration or the
    /// database says.
    #[arg(long, value_parser = SearchMode::NAMES)]
    mode: Option<String>,
    /// Maximum number of hits.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Number of hits to skip.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// What a question finds: chunks with any of its words, by how well they answer (auto, any), or with all words as
    /// written.
    #[arg(long = "match", value_name = "WORDS", default_value = "auto", value_parser = WordMatch::NAMES)]
    word_match: String,
    /// Show this many chunks before and after each hit.
    #[arg(long, value_name = "N", default_value_t = 0)]
    context: usize,
    /// Show the text around each hit instead of an excerpt: its section, its pages, or the chunks next to it.
    #[arg(long, value_name = "WHAT", value_parser = Expansion::NAMES)]
    expand: Option<String>,
    /// What becomes of hits that mostly repeat an earlier one, in a database with a ledger of repetition (`pensieve repeats`): fold
    /// lists their places with that one, show leaves them where they are.
    #[arg(long, value_name = "HOW", default_value = "fold", value_parser = ["fold", "show"])]
    repeats: String,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object, with all places of every hit.
    #[arg(long)]
    json: bool,
}

/// Maximum number of places of a hit in the output for people.
const MAX_PLACES: usize = 5;

/// Runs the command.
pub fn run(args: &SearchArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let query = args.query.join(" ");
    let corpus = args.partitions.open(&args.database)?;
    let (found, hits) = corpus.at_one_moment(|corpus| search_corpus(args, &query, corpus, context))?;
    for note in &found.notes {
        context.say(&format!("note: {}", terminal::line(&note.to_string())));
    }
    if args.json {
        let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
        context.print_json(&serde_json::json!({
            "query": query, "match": found.match_name(), "mode": found.mode.as_str(), "total": found.total, "notes": notes,
            "hits": hits,
        }))?;
        return Ok(CommandOutcome::Done);
    }
    let style = HitStyle::of_stdout();
    let text: Vec<String> =
        hits.iter().enumerate().map(|(at, hit)| format_hit(args.offset + at + 1, hit, style)).collect();
    context.print(&text.join("\n"))?;
    for note in expansion_notes(&hits) {
        context.say(&format!("note: {}", terminal::line(note)));
    }
    context.say(&summary(args, &found, hits.len()));
    Ok(CommandOutcome::Done)
}

/// Searches a database, or several as one.
fn search_corpus(
    args: &SearchArgs,
    query: &str,
    store: &Store,
    context: &CommandContext,
) -> Result<(SearchResults, Vec<ExpandedHit>), Failure> {
    let asked = args.mode.as_deref().and_then(SearchMode::from_name);
    let embedder = context.embedder(store, asked, args.config.as_deref())?;
    let options = SearchOptions { mode: embedder.mode(store, asked)?, ..options(args, query) };
    let mut found = search(store, &options, &embedder)?;
    let expansion = args.expand.as_deref().and_then(Expansion::from_name);
    let hits = expand_hits(store, std::mem::take(&mut found.hits), expansion)?;
    Ok((found, hits))
}

/// The options of a search by words.
fn options(args: &SearchArgs, query: &str) -> SearchOptions {
    SearchOptions {
        query: query.to_owned(),
        mode: SearchMode::Words,
        word_match: WordMatch::from_name(&args.word_match).unwrap_or_default(),
        last_word: LastWord::Whole,
        documents: args.filters.filters(&args.formats),
        limit: args.limit,
        offset: args.offset,
        context: args.context,
        sources: if args.json { usize::MAX } else { MAX_PLACES },
        folds_repeats: args.repeats == "fold",
    }
}

/// What was shown instead of what was asked for, once each.
fn expansion_notes(hits: &[ExpandedHit]) -> Vec<&str> {
    let notes = hits.iter().filter_map(|hit| hit.expanded.as_ref()?.note.as_deref());
    let mut notes: Vec<&str> = notes.collect();
    notes.sort_unstable();
    notes.dedup();
    notes
}

fn summary(args: &SearchArgs, found: &SearchResults, shown: usize) -> String {
    match (found.total, shown) {
        (0, _) => "nothing found".to_owned(),
        (total, 0) if args.offset >= total => {
            format!("{} found, none after --offset {}", counted(total as u64, "chunk"), args.offset)
        }
        (total, _) if total == shown + found.folded || shown == 0 => {
            format!("{} found", counted(total as u64, "chunk"))
        }
        (total, _) => {
            let (first, last) = (args.offset + 1, args.offset + shown + found.folded);
            format!("{first}-{last} of {}; --offset {last} shows the next", counted(total as u64, "chunk"))
        }
    }
}

/// How the matched words are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HitStyle {
    /// Bold, on a terminal that supports it.
    Bold,
    /// In brackets, on a terminal without bold or with colour turned off.
    Brackets,
    /// In brackets, with foreign text unchanged, for a program.
    Plain,
}

impl HitStyle {
    fn of_stdout() -> HitStyle {
        match io::stdout().is_terminal() {
            false => HitStyle::Plain,
            true if colour::is_shown(&io::stdout()) => HitStyle::Bold,
            true => HitStyle::Brackets,
        }
    }

    /// Foreign text, escaped for a terminal.
    fn block(self, text: &str) -> Cow<'_, str> {
        if self == HitStyle::Plain { Cow::Borrowed(text) } else { terminal::block(text) }
    }

    /// A snippet or chunk with the store's marks, in this style.
    fn marked(self, text: &str) -> String {
        let (open, close) = if self == HitStyle::Bold { ("\u{1b}[1m", "\u{1b}[0m") } else { ("[", "]") };
        self.block(text).replace(HIGHLIGHT_MARKS.0, open).replace(HIGHLIGHT_MARKS.1, close)
    }
}

fn format_hit(rank: usize, found: &ExpandedHit, style: HitStyle) -> String {
    let mut out = String::new();
    let hit = &found.hit;
    for (at, source) in hit.sources.iter().enumerate() {
        let number = if at == 0 { format!("{rank}.") } else { String::new() };
        let _ = writeln!(out, "{number:<4}{}", source_line::source_line(source));
    }
    if hit.source_count > hit.sources.len() {
        let _ = writeln!(out, "    and {} more places", hit.source_count - hit.sources.len());
    }
    for place in hit.also.iter().take(MAX_PLACES) {
        let _ = writeln!(out, "    also, with changes: {}", source_line::source_line(place));
    }
    if hit.also.len() > MAX_PLACES {
        let _ = writeln!(out, "    and {} more with changes", hit.also.len() - MAX_PLACES);
    }
    if let Some(text) = expanded_text(found) {
        indent(&mut out, &style.marked(&text));
        return out;
    }
    if hit.before.is_empty() && hit.after.is_empty() {
        indent(&mut out, &style.marked(&hit.snippet));
        return out;
    }
    hit.before.iter().for_each(|text| indent(&mut out, &style.block(text)));
    indent(&mut out, &style.marked(&hit.marked_content()));
    hit.after.iter().for_each(|text| indent(&mut out, &style.block(text)));
    out
}

/// The expanded text with the found words marked, and `…` where it continues.
fn expanded_text(found: &ExpandedHit) -> Option<String> {
    let (expanded, place) = (found.expanded.as_ref()?, found.hit.sources.first()?);
    let before = expanded.text.get(..place.at.start.checked_sub(expanded.start)?)?;
    let after = expanded.text.get(place.at.end.checked_sub(expanded.start)?..)?;
    let more = if expanded.truncated { "\n…" } else { "" };
    Some(format!("{before}{}{after}{more}", found.hit.marked_content()))
}

fn indent(out: &mut String, text: &str) {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "    {line}");
    }
}
