//! `pensieve repeats`: what documents repeat of earlier ones.

use super::diff;
use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::{file_lookup, signal, terminal};
use clap::Args;
use pensieve_store::repetition::{self, RepetitionSettings, families};
use pensieve_store::store::{FileState, RepeatRow, Store, TextUnpacker, repeated_share};
use pensieve_text::model::Span;
use pensieve_text::model::numbers::{count, counted, mega};
use pensieve_text::text::diff::{compare, hunks};
use pensieve_text::text::sentences;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;

/// Show which passages documents repeat, and which documents are nearly equal.
///
/// A database that has no ledger of repetition gets one; from then on every run keeps it up to date. The first document is the
/// one with the earliest date, else the first by path. With a file: its passages that earlier documents have, and the
/// documents that repeat it.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve repeats corpus.db")]
pub struct RepeatsArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// A file: its path on disk, its path below the ingested folder, or the end of either.
    file: Option<PathBuf>,
    /// How many families and passages are listed.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// With a file: the differences to the document that is most like it, else to the one that has most of its passages first, as a
    /// unified diff with a sentence on each line.
    #[arg(long, requires = "file")]
    diff: bool,
    /// Remove the ledger; runs keep none until this command or `repetition.enabled` asks for one.
    #[arg(long, conflicts_with = "file")]
    drop: bool,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &RepeatsArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let config = context.config(args.config.as_deref(), Vec::new())?;
    let store = Store::open_for_reading(&args.database)?;
    if args.drop {
        drop(store);
        let store = Store::open_for_change(&args.database)?;
        store.repetition().clear()?;
        store.close()?;
        context.say("the ledger of repetition is removed; `pensieve compact` frees its space");
        return Ok(CommandOutcome::Done);
    }
    let store = match store.repetition().is_current()? {
        true => store,
        false => {
            drop(store);
            let settings = RepetitionSettings { enabled: true, ..config.repetition };
            if !bring_up_to_date(args, settings, config.thread_count, context)? {
                return Ok(CommandOutcome::Interrupted);
            }
            Store::open_for_reading(&args.database)?
        }
    };
    match &args.file {
        Some(file) => {
            let file = file_lookup::one(&store, file)?;
            let mut document = DocumentRepetition::of(&store, &file)?;
            if args.diff {
                document.diff = Difference::of(&store, store.files().canonical_of(&file)?.file_id)?;
            }
            match args.json {
                true => context.print_json(&document)?,
                false => context.print(&document.in_words(args.limit))?,
            }
        }
        None => {
            let corpus = CorpusRepetition::of(&store, args.limit)?;
            match args.json {
                true => context.print_json(&corpus)?,
                false => context.print(&corpus.in_words())?,
            }
        }
    }
    Ok(CommandOutcome::Done)
}

/// Makes the ledger, or follows what has changed since; false if the user has stopped it.
fn bring_up_to_date(
    args: &RepeatsArgs,
    settings: RepetitionSettings,
    threads: usize,
    context: &CommandContext,
) -> Result<bool, Failure> {
    let mut store = Store::open_for_change(&args.database)?;
    store.maintenance().finish_load()?;
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let interrupt = signal::watch()?;
    let progress = Progress::new(ProgressChoice::Off, context.level, &interrupt);
    let updated = progress.during(|observer| repetition::update(&store, settings, threads, observer))?;
    let is_current = store.repetition().is_current()?;
    store.close()?;
    if let Some(done) = updated.filter(|done| done.omitted > 0) {
        context.warn(&format!("{} too long to be compared", counted(done.omitted, "document")));
    }
    Ok(is_current)
}

/// The repetition of a corpus.
#[derive(Debug, Default, Serialize)]
pub(super) struct CorpusRepetition {
    documents: u64,
    bytes: u64,
    tokens: u64,
    repeating: u64,
    repeated_bytes: u64,
    /// In proportion to the bytes.
    repeated_tokens: u64,
    /// What of it mails quote of those that they answer, in runs shorter than the others.
    quotations: RepetitionPart,
    /// Lines at the ends of documents that many documents of one format have.
    boilerplate: RepetitionPart,
    near_documents: u64,
    families: Vec<Family>,
    sources: Vec<RepeatedDocument>,
    blocks: Vec<BoilerplateBlock>,
}

/// One kind of repetition.
#[derive(Debug, Default, Serialize)]
struct RepetitionPart {
    documents: u64,
    bytes: u64,
    /// In proportion to the bytes.
    tokens: u64,
}

impl RepetitionPart {
    /// Adds a document: the bytes that repeat, and bytes and tokens of all of it.
    fn add(&mut self, repeated: u64, size: Option<&(u64, u64)>) {
        let (bytes, tokens) = size.copied().unwrap_or((1, 0));
        self.documents += 1;
        self.bytes += repeated;
        self.tokens += (tokens as f64 * repeated as f64 / bytes.max(1) as f64) as u64;
    }
}

/// Lines that many documents of one format have.
#[derive(Debug, Serialize)]
struct BoilerplateBlock {
    documents: u64,
    format: String,
    text: String,
}

/// Documents each of which is nearly equal to another one of them.
#[derive(Debug, Serialize)]
struct Family {
    size: u64,
    documents: Vec<String>,
}

/// A document that others repeat.
#[derive(Debug, Serialize)]
struct RepeatedDocument {
    document: String,
    repeated_by: u64,
    bytes: u64,
}

/// Documents of a family that are named.
const MAX_NAMED: usize = 5;

impl CorpusRepetition {
    /// The ledger in numbers; `None` where none is kept or something has changed since.
    pub(super) fn known(store: &Store) -> Result<Option<CorpusRepetition>, Failure> {
        match store.repetition().is_current()? {
            true => CorpusRepetition::of(store, 0).map(Some),
            false => Ok(None),
        }
    }

    /// What a table of numbers says of it: each kind that there is with its documents, and what they repeat.
    pub(super) fn kinds(&self) -> Vec<(&'static str, u64, String)> {
        let percent = self.repeated_bytes as f64 * 100.0 / self.bytes.max(1) as f64;
        let tokens = count(self.repeated_tokens);
        let bytes = mega(self.repeated_bytes);
        let repeating =
            format!("{bytes} MB that an earlier document has ({percent:.0} %), some {tokens} tokens");
        let part = |name, part: &RepetitionPart, what: &str| {
            let remark = format!("{} MB {what}, some {} tokens", mega(part.bytes), count(part.tokens));
            (name, part.documents, remark)
        };
        let mut kinds = vec![
            ("repeating", self.repeating, repeating),
            part("quoting", &self.quotations, "of that in short quotations of the mail that is answered"),
            part(
                "boilerplate",
                &self.boilerplate,
                "in lines that many documents of a format begin or end with",
            ),
            ("nearly equal", self.near_documents, String::new()),
        ];
        kinds.retain(|(.., documents, _)| *documents > 0);
        kinds
    }

    fn of(store: &Store, limit: usize) -> Result<CorpusRepetition, Failure> {
        let table = store.repetition();
        let sizes = table.sizes()?;
        let mut corpus = CorpusRepetition { documents: sizes.len() as u64, ..CorpusRepetition::default() };
        sizes.values().for_each(|(bytes, tokens)| {
            corpus.bytes += bytes;
            corpus.tokens += tokens;
        });
        let mut repeated: BTreeMap<i64, u64> = BTreeMap::new();
        let mut sources: HashMap<i64, (u64, u64, i64)> = HashMap::new();
        let mut covered = (0, 0);
        table.each_repeat(&mut |file_id, repeat| {
            let end = if covered.0 == file_id { covered.1 } else { 0 };
            let new = repeat.end.saturating_sub(repeat.start.max(end)) as u64;
            covered = (file_id, repeat.end.max(end));
            *repeated.entry(file_id).or_default() += new;
            let source = sources.entry(repeat.of_file_id).or_insert((0, 0, 0));
            *source = (source.0 + u64::from(source.2 != file_id), source.1 + new, file_id);
        })?;
        let part = |covered: Vec<(i64, u64)>| {
            let mut part = RepetitionPart::default();
            covered.iter().for_each(|(file_id, bytes)| part.add(*bytes, sizes.get(file_id)));
            part
        };
        let all = part(repeated.into_iter().collect());
        (corpus.repeating, corpus.repeated_bytes, corpus.repeated_tokens) =
            (all.documents, all.bytes, all.tokens);
        corpus.quotations = part(table.covered(false)?);
        corpus.boilerplate = part(table.covered(true)?);
        for block in table.largest_boilerplate(limit)? {
            let text = shown(&clean_text(store, block.file_id)?, block.bytes);
            corpus.blocks.push(BoilerplateBlock { documents: block.documents, format: block.format, text });
        }
        let mut sources: Vec<(i64, (u64, u64, i64))> = sources.into_iter().collect();
        sources.sort_by_key(|(file_id, (_, bytes, _))| (std::cmp::Reverse(*bytes), *file_id));
        for (file_id, (repeated_by, bytes, _)) in sources.into_iter().take(limit) {
            let document = store.files().shown_name(file_id)?;
            corpus.sources.push(RepeatedDocument { document, repeated_by, bytes });
        }
        let families = families(&table.near_pairs()?);
        corpus.near_documents = families.iter().map(|family| family.len() as u64).sum();
        for family in families.into_iter().take(limit) {
            let named = family.iter().take(MAX_NAMED).map(|file_id| store.files().shown_name(*file_id));
            let documents = named.collect::<Result<Vec<_>, _>>()?;
            corpus.families.push(Family { size: family.len() as u64, documents });
        }
        Ok(corpus)
    }

    fn in_words(&self) -> String {
        let all = format!("{} MB of text, {} tokens", mega(self.bytes), count(self.tokens));
        let mut text = String::new();
        for (name, number, remark) in [("documents", self.documents, all)].into_iter().chain(self.kinds()) {
            let line = format!("{name:<14}{:>12}   {remark}", count(number));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if !self.sources.is_empty() {
            text.push_str("\nRepeated most\n");
        }
        for source in &self.sources {
            let by = counted(source.repeated_by, "document");
            let name = terminal::line(&source.document);
            let _ = writeln!(text, "  {name}   {} KB in {by}", count(source.bytes.div_ceil(1000)));
        }
        if !self.families.is_empty() {
            text.push_str("\nNearly equal documents\n");
        }
        for family in &self.families {
            let names: Vec<_> = family.documents.iter().map(|name| terminal::line(name)).collect();
            let more = family.size - names.len() as u64;
            let more = if more > 0 { format!(", {} more", count(more)) } else { String::new() };
            let _ = writeln!(text, "  {:>5}   {}{more}", count(family.size), names.join(", "));
        }
        if !self.blocks.is_empty() {
            text.push_str("\nBoilerplate\n");
        }
        for block in &self.blocks {
            let of = format!("{} of {}", count(block.documents), block.format);
            let _ = writeln!(text, "  {of}   {}", terminal::line(&block.text));
        }
        text
    }
}

/// The repetition of one document.
#[derive(Debug, Serialize)]
struct DocumentRepetition {
    document: String,
    bytes: u64,
    /// The share of its text that earlier documents have.
    repeats: f64,
    passages: Vec<Passage>,
    near: Vec<NearDocument>,
    repeated_by: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<Difference>,
}

/// How a document differs from another one.
#[derive(Debug, Serialize)]
struct Difference {
    of: String,
    hunks: Vec<serde_json::Value>,
    #[serde(skip)]
    unified: String,
}

/// Sentences around each change.
const DIFF_CONTEXT: usize = 1;

impl Difference {
    /// The differences to the document that is most like this one, an earlier one before a later one; else to the one that has most
    /// of its passages. `None` where nothing repeats.
    fn of(store: &Store, file_id: i64) -> Result<Option<Difference>, Failure> {
        let table = store.repetition();
        let near = table.near_of(file_id)?.into_iter().map(|(later, near)| {
            let is_earlier = later == file_id;
            (is_earlier, near.jaccard, if is_earlier { near.of_file_id } else { later })
        });
        let nearest = near.max_by(|left, right| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)));
        let other = match nearest {
            Some((.., other)) => Some(other),
            None => first_source(&table.of_document(file_id)?),
        };
        let Some(other) = other else { return Ok(None) };
        let (old, new) =
            (sentences_of(&clean_text(store, other)?), sentences_of(&clean_text(store, file_id)?));
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
        let found = hunks(&compare(&old, &new), old.len(), DIFF_CONTEXT);
        Ok(Some(Difference {
            of: store.files().shown_name(other)?,
            hunks: found.iter().map(|hunk| diff::hunk_json(hunk, &old, &new)).collect(),
            unified: found.iter().map(|hunk| diff::unified(hunk, &old, &new)).collect(),
        }))
    }
}

/// The sentences of a text, each on a line, so that other line breaks are no difference.
fn sentences_of(text: &str) -> Vec<String> {
    let mut starts = vec![0];
    starts.extend(text.match_indices("\n\n").map(|(at, _)| at + 2));
    sentences::starts(text, Span::new(0, text.len()), |at| starts.push(at));
    starts.push(text.len());
    starts.sort_unstable();
    let line =
        |pair: &[usize]| text[pair[0]..pair[1]].split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    starts.windows(2).map(line).filter(|line| line != "\n").collect()
}

/// The document that has most of some repeats.
fn first_source(rows: &[RepeatRow]) -> Option<i64> {
    let mut sources: BTreeMap<i64, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *sources.entry(row.of_file_id).or_default() += row.end - row.start);
    sources.into_iter().max_by_key(|(_, bytes)| *bytes).map(|(file_id, _)| file_id)
}

/// A passage that an earlier document has.
#[derive(Debug, Serialize)]
struct Passage {
    start: usize,
    end: usize,
    of: String,
    of_start: usize,
    of_end: usize,
    text: String,
}

/// A document that is nearly equal.
#[derive(Debug, Serialize)]
struct NearDocument {
    document: String,
    is_earlier: bool,
    jaccard: f64,
    containment: f64,
}

/// For `why`: how much of its text a file repeats, and the first place of most of it; `None` where no ledger is kept or nothing
/// repeats.
pub(super) fn of_file(store: &Store, file_id: i64) -> Result<Option<String>, Failure> {
    let table = store.repetition();
    if !table.is_current()? {
        return Ok(None);
    }
    let rows = table.of_document(file_id)?;
    let Some(first) = first_source(&rows) else { return Ok(None) };
    let length = table.sizes()?.get(&file_id).map_or(0, |(bytes, _)| *bytes as usize);
    let share = repeated_share(&rows, 0..length) * 100.0;
    Ok(Some(format!("{share:.0} % of its text, most of it first in {}", store.files().shown_name(first)?)))
}

/// Characters of a passage that are shown.
const SHOWN_CHARS: usize = 80;

/// The beginning of some bytes of a text, in one line.
fn shown(text: &str, bytes: Range<usize>) -> String {
    let words = text.get(bytes).unwrap_or_default().split_whitespace();
    words.collect::<Vec<_>>().join(" ").chars().take(SHOWN_CHARS).collect()
}

fn clean_text(store: &Store, file_id: i64) -> Result<String, Failure> {
    let mut unpacker = TextUnpacker::new()?;
    Ok(store.repetition().text(file_id, &mut unpacker)?)
}

impl DocumentRepetition {
    fn of(store: &Store, file: &FileState) -> Result<DocumentRepetition, Failure> {
        let file = store.files().canonical_of(file)?;
        let (table, name) = (store.repetition(), |file_id| store.files().shown_name(file_id));
        let rows = table.of_document(file.file_id)?;
        let text = clean_text(store, file.file_id)?;
        let passage = |row: &RepeatRow| -> Result<Passage, Failure> {
            let RepeatRow { start, end, of_start, of_end, .. } = *row;
            let text = shown(&text, start..end);
            Ok(Passage { start, end, of: name(row.of_file_id)?, of_start, of_end, text })
        };
        let near = table.near_of(file.file_id)?.into_iter().map(|(later, near)| {
            let is_earlier = later == file.file_id;
            let other = if is_earlier { near.of_file_id } else { later };
            let (jaccard, containment) = (near.jaccard, near.containment);
            Ok(NearDocument { document: name(other)?, is_earlier, jaccard, containment })
        });
        Ok(DocumentRepetition {
            document: name(file.file_id)?,
            bytes: text.len() as u64,
            repeats: repeated_share(&rows, 0..text.len()),
            passages: rows.iter().map(passage).collect::<Result<_, _>>()?,
            near: near.collect::<Result<Vec<_>, Failure>>()?,
            repeated_by: table.repeated_by(file.file_id)?.into_iter().map(name).collect::<Result<_, _>>()?,
            diff: None,
        })
    }

    fn in_words(&self, limit: usize) -> String {
        let name = terminal::line(&self.document);
        let mut text = format!("{name}: {:.0} % of its text is in earlier documents\n", self.repeats * 100.0);
        let mut list = |items: Vec<String>| {
            let more = items.len().saturating_sub(limit);
            items.iter().take(limit).for_each(|item| text.push_str(item));
            if more > 0 {
                let _ = writeln!(text, "  {} more", count(more as u64));
            }
        };
        list(
            self.passages
                .iter()
                .map(|passage| {
                    let Passage { start, end, of_start, of_end, .. } = passage;
                    let of = terminal::line(&passage.of);
                    format!(
                        "  bytes {start}-{end} are {of_start}-{of_end} of {of}\n    {}\n",
                        terminal::line(&passage.text)
                    )
                })
                .collect(),
        );
        list(
            self.near
                .iter()
                .map(|near| {
                    let which = if near.is_earlier { "the earlier" } else { "the later" };
                    let name = terminal::line(&near.document);
                    format!(
                        "  nearly equal to {which} {name}: Jaccard {:.2}, containment {:.2}\n",
                        near.jaccard, near.containment
                    )
                })
                .collect(),
        );
        list(
            self.repeated_by.iter().map(|name| format!("  repeated by {}\n", terminal::line(name))).collect(),
        );
        if let Some(diff) = &self.diff {
            let _ = write!(
                text,
                "\n--- {}\n+++ {name}\n{}",
                terminal::line(&diff.of),
                terminal::block(&diff.unified)
            );
        }
        text
    }
}
