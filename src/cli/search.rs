//! `pensieve search`: ranked hits with their places.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::databases::{AskedDatabase, MoreDatabases};
use super::shared::failure::Failure;
use super::shared::filters::FilterArgs;
use super::shared::{colour, source_line, terminal};
use clap::Args;
use pensieve_store::retrieval::{ExpandedHit, Expansion, FoundHits, expand_hits, search, take_turns};
use pensieve_store::store::{HIGHLIGHT_MARKS, LastWord, RepeatedHits, SearchMode, SearchOptions, WordMatch};
use pensieve_text::model::numbers::counted;
use std::borrow::Cow;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Find chunks by their words or their meaning, best first.
///
/// Words alone are a question: chunks with all of them come first, then those with any; a word that does not occur is
/// corrected, and a note says so. Operators: "a phrase", `word*`, `^first`, `a OR b`, `a NOT b`, `a NEAR/3 b`, ( );
/// `path:docs/**`, `format:pdf`, `heading:install`, `author:ann`, `from:ann`, `to:ben`, `date:2024..2025`, `tag:oil`,
/// `lang:de`, `title:lamp`, `folded:no`, each with NOT or - before it to leave out. docs/search.md explains them.
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
    others: MoreDatabases,
    #[command(flatten)]
    filters: FilterArgs,
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
    #[arg(long, value_name = "HOW", default_value = "fold", value_parser = RepeatedHits::NAMES)]
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

/// The hits of a page.
struct HitPage {
    found: FoundHits<ExpandedHit>,
    /// How they were found.
    mode: SearchMode,
    /// How many hits are listed with others, which they mostly repeat.
    folded: usize,
}

/// Runs the command.
pub fn run(args: &SearchArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let query = args.query.join(" ");
    let mode = args.mode.as_deref().and_then(SearchMode::from_name);
    let asked = args.others.open(&args.database, mode, args.config.as_deref(), context)?;
    let options = options(args, &query);
    let page = match asked.as_slice() {
        [only] => search_one(only, mode, args, options)?,
        several => search_several(several, mode, args, options)?,
    };
    let HitPage { found, mode, folded } = &page;
    for note in &found.notes {
        context.say(&format!("note: {}", terminal::line(note)));
    }
    if args.json {
        context.print_json(&serde_json::json!({
            "query": query, "match": found.word_match, "mode": mode.as_str(), "total": found.total, "notes": found.notes,
            "hits": found.hits,
        }))?;
        return Ok(CommandOutcome::Done);
    }
    let style = HitStyle::of_stdout();
    let hits = found.hits.iter().enumerate();
    let text: Vec<String> = hits.map(|(at, hit)| format_hit(args.offset + at + 1, hit, style)).collect();
    context.print(&text.join("\n"))?;
    for note in expansion_notes(&found.hits) {
        context.say(&format!("note: {}", terminal::line(note)));
    }
    context.say(&summary(args, found.total, *folded, found.hits.len()));
    Ok(CommandOutcome::Done)
}

/// Searches one database.
fn search_one(
    asked: &AskedDatabase,
    mode: Option<SearchMode>,
    args: &SearchArgs,
    options: SearchOptions,
) -> Result<HitPage, Failure> {
    let expansion = args.expand.as_deref().and_then(Expansion::from_name);
    asked.store.at_one_moment(|store| {
        let options = SearchOptions { mode: asked.embedder.mode(store, mode)?, ..options };
        let found = search(store, &options, &asked.embedder)?;
        let (word_match, mode, folded) = (found.match_name(), found.mode, found.folded);
        let notes = found.notes.iter().map(ToString::to_string).collect();
        let hits = expand_hits(store, found.hits, expansion)?;
        Ok(HitPage { found: FoundHits { word_match, total: found.total, notes, hits }, mode, folded })
    })
}

/// Searches several databases; how the first one compares is how the page says that hits were found.
fn search_several(
    asked: &[AskedDatabase],
    mode: Option<SearchMode>,
    args: &SearchArgs,
    options: SearchOptions,
) -> Result<HitPage, Failure> {
    let of_each = SearchOptions { limit: args.limit.saturating_add(args.offset), offset: 0, ..options };
    let page = |one: &AskedDatabase| Ok((one.name.clone(), search_one(one, mode, args, of_each.clone())?));
    let pages = asked.iter().map(page).collect::<Result<Vec<_>, Failure>>()?;
    let mode = pages[0].1.mode;
    let answers = pages.into_iter().map(|(name, page)| (name, page.found)).collect();
    Ok(HitPage { found: take_turns(answers, args.offset, args.limit), mode, folded: 0 })
}

/// The options of a search by words.
fn options(args: &SearchArgs, query: &str) -> SearchOptions {
    SearchOptions {
        query: query.to_owned(),
        mode: SearchMode::Words,
        word_match: WordMatch::from_name(&args.word_match).unwrap_or_default(),
        last_word: LastWord::Whole,
        documents: args.filters.0.clone(),
        limit: args.limit,
        offset: args.offset,
        context: args.context,
        sources: if args.json { usize::MAX } else { MAX_PLACES },
        repeats: RepeatedHits::from_name(&args.repeats).unwrap_or_default(),
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

fn summary(args: &SearchArgs, total: usize, folded: usize, shown: usize) -> String {
    match (total, shown) {
        (0, _) => "nothing found".to_owned(),
        (total, 0) if args.offset >= total => {
            format!("{} found, none after --offset {}", counted(total as u64, "chunk"), args.offset)
        }
        (total, _) if total == shown + folded || shown == 0 => {
            format!("{} found", counted(total as u64, "chunk"))
        }
        (total, _) => {
            let (first, last) = (args.offset + 1, args.offset + shown + folded);
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
        let corpus = found.corpus.as_ref().map(|name| format!("{}: ", terminal::line(name)));
        let _ =
            writeln!(out, "{number:<4}{}{}", corpus.unwrap_or_default(), source_line::source_line(source));
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
