//! The passages as a database of their own: searchable, deduplicated, counted, each with its bytes in the raw file.
//!
//! A file of the database is a raw text; its clean text is the passages of that work, separated by blank lines, in
//! the order of the book, normalised (NFKC) like every clean text; a chunk is a passage. So every law of a corpus
//! holds, and `search`, `export`, `serve` and `verify` work as on any other. What a chunk has no column for is JSON
//! in `metadata`, under the id of the passage.

use crate::files::CollectionFolder;
use crate::manifest::{Manifest, Work};
use crate::passage::BuiltPassage;
use crate::reading::PreparedBook;
use pensieve_isolate::files::{FileStat, identify};
use pensieve_isolate::platform::stat_at_path;
use pensieve_store::exit::command_error;
use pensieve_store::scan::ScanEntry;
use pensieve_store::store::{
    ChunkRow, CorpusSettings, FileState, NewFile, Outcome, PlaceColumns, RAW_VERSION, Recipes, Root, Store,
    StoreError, TaskKind, TextPacker, TextVariant, VersionRow, Writer, WriterOptions,
};
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus, Segment, Span};
use pensieve_text::text::normalize::{Normalizer, UnicodeForm};
use pensieve_text::text::tokens::{TokenCounter, Tokenizer};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The encoding in which passages are counted.
const TOKENIZER: &str = "cl100k_base";

/// The ceiling of a chunk, unless a passage is longer: six hundred words of dialect have about a thousand tokens.
const MIN_CEILING_TOKENS: usize = 2048;

/// The version of clean texts that are passages.
const CLEAN_VERSION: &str = "passages_v1";

/// How many rebuilds `changes` looks back.
const JOURNAL_RUNS: u64 = 30;

/// A stored segment ends after about this much text.
const SEGMENT_BYTES: usize = 256 << 10;

/// Why the database could not be written.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// It contains something else.
    #[error("`{}` holds `{root}`, not this collection alone", path.display())]
    Occupied {
        /// The database.
        path: PathBuf,
        /// What it contains.
        root: String,
    },
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A raw text was removed or cannot be read.
    #[error("cannot read `{}`: {what}", path.display())]
    Raw {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A segment could not be packed.
    #[error("cannot pack text: {0}")]
    Pack(#[from] std::io::Error),
}

command_error! { DatabaseError passes Store {
    Occupied => Database, "it was left untouched; give --db another path";
    Raw | Pack => Input;
} }

/// No file of this database takes over the content of another.
struct NoGroupRecipes;

impl Recipes for NoGroupRecipes {
    fn are_equal(&self, _owner: &FileState, _heir: &FileState) -> bool {
        false
    }
}

/// Everything that goes into the database.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseContents<'c> {
    /// The manifest.
    pub manifest: &'c Manifest,
    /// The folders of the collection.
    pub place: &'c CollectionFolder,
    /// The books, as read.
    pub books: &'c [PreparedBook],
    /// The passages, in order.
    pub made: &'c [BuiltPassage],
}

/// A work, ready to be stored.
struct PreparedRow<'c> {
    work: &'c Work,
    parts: Vec<(Segment, Vec<(Span, &'c BuiltPassage)>)>,
}

/// Writes the passages into a database that contains nothing else, replacing those of an earlier run.
///
/// # Errors
/// The database cannot be written or holds another corpus.
pub fn write(path: &Path, contents: &DatabaseContents<'_>) -> Result<(), DatabaseError> {
    let folder = std::path::absolute(contents.place.raw())?;
    let mut store = Store::open_for_writing(path)?;
    let result = fill(&mut store, path, &folder, contents);
    let closed = store.close();
    result?;
    Ok(closed?)
}

fn fill(
    store: &mut Store,
    path: &Path,
    folder: &Path,
    contents: &DatabaseContents<'_>,
) -> Result<(), DatabaseError> {
    for root in store.roots().all()? {
        if root.location != folder {
            return Err(DatabaseError::Occupied { path: path.to_owned(), root: root.path });
        }
        store.maintenance().forget(&root, &NoGroupRecipes)?;
    }
    let prepared: Vec<PreparedRow<'_>> =
        (0..contents.books.len()).map(|book| prepare(book, contents)).collect();
    let tokenizer = Tokenizer::named(TOKENIZER).expect("the encoding is one of those that are built in");
    let mut counter = tokenizer.counter();
    let texts = prepared.iter().flat_map(|work| &work.parts);
    let spans =
        texts.flat_map(|(segment, spans)| spans.iter().map(move |(span, _)| &segment.text[span.range()]));
    let longest = spans.map(|text| counter.count(text)).max().unwrap_or(0);
    let ceiling = MIN_CEILING_TOKENS.max(longest.next_power_of_two());
    let root = match store.roots().all()?.pop() {
        Some(root) => root,
        None => store.roots().add(folder)?,
    };
    let settings = CorpusSettings {
        tokenizer: TOKENIZER.to_owned(),
        chunk_size: ceiling,
        chunk_overlap: 0,
        clean_version: CLEAN_VERSION.to_owned(),
        is_pinned: false,
    };
    let run_id = store
        .runs()
        .begin(&root.path, &json!({"collection": contents.manifest.collection.name}).to_string())?;
    let options = WriterOptions {
        run_id,
        tokenizer: TOKENIZER.to_owned(),
        raw_version: RAW_VERSION,
        clean_version: CLEAN_VERSION,
        search: true,
        threads: 1,
        journal_runs: JOURNAL_RUNS,
    };
    let mut writer = Writer::new(store, options, &NoGroupRecipes)?;
    writer.store().meta().set_corpus_settings(&settings)?;
    let mut known = BTreeSet::new();
    for work in &prepared {
        add(&mut writer, &root, work, contents, ceiling, &mut counter, &mut known)?;
    }
    writer.commit()?;
    writer.complete()?;
    let counts = json!({"files": known.len(), "chunks": contents.made.len()}).to_string();
    Ok(store.runs().end(run_id, "finished", &counts)?)
}

/// The passages of a book as clean text, with the span of each.
fn prepare<'c>(book: usize, contents: &DatabaseContents<'c>) -> PreparedRow<'c> {
    let read = &contents.books[book];
    let mut rest = read.book.segment.clone();
    let mut parts: Vec<(Segment, Vec<(Span, &BuiltPassage)>)> = Vec::new();
    let mut at = 0;
    for made in contents.made.iter().filter(|made| made.book == book) {
        let mut passage = rest.split_off(made.span.start - at);
        rest = passage.split_off(made.span.len());
        at = made.span.end;
        let mut normalizer = Normalizer::new(UnicodeForm::Nfkc);
        let mut clean = normalizer.push(passage);
        clean.append(normalizer.finish());
        let gap = Segment { text: "\n\n".to_owned(), ..Segment::default() };
        match parts.last_mut() {
            Some((segment, spans)) if segment.text.len() < SEGMENT_BYTES => {
                segment.append(gap);
                let start = segment.text.len();
                segment.append(clean);
                spans.push((Span::new(start, segment.text.len()), made));
            }
            last => {
                // The gap belongs to the preceding segment, so that segments follow each other without gaps.
                if let Some((segment, _)) = last {
                    segment.append(gap);
                }
                let span = Span::new(0, clean.text.len());
                parts.push((clean, vec![(span, made)]));
            }
        }
    }
    PreparedRow { work: &contents.manifest.works[read.work], parts }
}

/// Adds a work: its row, its text and its chunks.
fn add(
    writer: &mut Writer<'_>,
    root: &Root,
    prepared: &PreparedRow<'_>,
    contents: &DatabaseContents<'_>,
    ceiling: usize,
    counter: &mut TokenCounter,
    known: &mut BTreeSet<ContentHash>,
) -> Result<(), DatabaseError> {
    let name = format!("{}.txt", prepared.work.stem());
    let location = contents.place.raw_file(&prepared.work.stem());
    let fail = |what: String| DatabaseError::Raw { path: location.clone(), what };
    let identity = identify(&location, &stat_of(&location)?).map_err(|problem| fail(problem.message))?;
    if prepared.parts.is_empty() || !known.insert(identity.hash) {
        return Ok(());
    }
    let entry = ScanEntry {
        relative: PathBuf::from(&name),
        path: name.clone(),
        path_bytes: None,
        file_type: FileType::File,
        stat: identity.stat,
        symlink_target: None,
        depth: 1,
        hidden: false,
        is_wished: false,
    };
    let new = NewFile {
        hash: Some(identity.hash),
        status: Some(ProcessingStatus::Pending),
        format: Some("text".to_owned()),
        mime: Some("text/plain".to_owned()),
        duplicate: Some(DuplicateStatus::Unique),
        ..NewFile::default()
    };
    writer.add_file(root, &entry, &new)?;
    let row = writer.store().files().at(&root.full_path(&name))?;
    let file = row.ok_or_else(|| fail("its row went away".to_owned()))?;
    if !writer.start(file.file_id, &TaskKind::Read)? {
        return Ok(());
    }
    let outcome = content(writer, prepared, ceiling, counter)?;
    writer.finish(&outcome)?;
    Ok(())
}

/// The metadata of a file that opening it safely requires.
fn stat_of(path: &Path) -> Result<FileStat, DatabaseError> {
    let found = stat_at_path(path)
        .map_err(|error| DatabaseError::Raw { path: path.to_owned(), what: error.to_string() })?;
    Ok(FileStat { mtime_s: 0, mtime_ns: 0, ..found })
}

/// Stores the text and the chunks of the current file.
fn content(
    writer: &mut Writer<'_>,
    prepared: &PreparedRow<'_>,
    ceiling: usize,
    counter: &mut TokenCounter,
) -> Result<Outcome, DatabaseError> {
    let mut packer = TextPacker::new()?;
    let (mut start, mut chars, mut tokens, mut whole) = (0, 0, 0, String::new());
    let mut metadata = vec![
        ("title".to_owned(), prepared.work.title.clone()),
        ("author".to_owned(), prepared.work.author.clone()),
        ("language".to_owned(), prepared.work.language.clone()),
    ];
    let mut encoding = None;
    for (segment, spans) in &prepared.parts {
        writer.add_text(&packer.pack(TextVariant::Clean, start, chars, segment)?)?;
        let mut rows = Vec::with_capacity(spans.len());
        for (span, made) in spans {
            let row = chunk(segment, *span, start, prepared.work, made, counter);
            tokens += row.tokens as u64;
            rows.push(row);
            metadata.push((made.passage.passage_id.clone(), facts(made)));
            encoding = Some(made.provenance.encoding.clone());
        }
        writer.add_chunks(&format!("Passages_{ceiling}_0"), rows)?;
        start += segment.text.len();
        chars += segment.text.chars().count();
        whole.push_str(&segment.text);
    }
    let version = VersionRow {
        variant: TextVariant::Clean.as_str(),
        version: CLEAN_VERSION.to_owned(),
        sha256: ContentHash::of(whole.as_bytes()),
        bytes: start,
        chars,
        review: Default::default(),
        review_counts: None,
        facts: Default::default(),
    };
    Ok(Outcome {
        status: Some(ProcessingStatus::Processed),
        format: Some("text".to_owned()),
        encoding,
        extractor: Some(concat!("collect ", env!("CARGO_PKG_VERSION")).to_owned()),
        tokens: Some(tokens),
        metadata,
        versions: vec![version],
        ..Outcome::default()
    })
}

fn chunk(
    segment: &Segment,
    span: Span,
    base: usize,
    work: &Work,
    made: &BuiltPassage,
    counter: &mut TokenCounter,
) -> ChunkRow {
    let content = segment.text[span.range()].to_owned();
    ChunkRow {
        hash: ContentHash::of(content.as_bytes()),
        tokens: counter.count(&content),
        content,
        place: PlaceColumns {
            start: base + span.start,
            end: base + span.end,
            source: segment.map.source(span),
            locator: segment.locate(span).map(|locator| locator.to_json()),
            heading_path: Some(format!("{} > {}", work.title, made.passage.chapter_section)),
            context: None,
        },
    }
}

/// The facts of a passage that have no column.
fn facts(made: &BuiltPassage) -> String {
    let passage = &made.passage;
    json!({
        "book_id": passage.book_id,
        "chapter_section": passage.chapter_section,
        "context_type": passage.context_type,
        "keywords_matched": passage.keywords_matched,
        "score": made.score.total,
        "source_ranges": made.provenance.source_ranges,
        "source_url": passage.source_url,
        "word_count": passage.word_count,
    })
    .to_string()
}
