//! The stages of a collection, in their order: get the texts, read the books, choose passages, check them, write.

use crate::collection::{self, CollectionOutput};
use crate::database::{self, DatabaseError};
use crate::files::CollectionFolder;
use crate::manifest::{Manifest, Work};
use crate::output;
use crate::passage::{BuiltPassage, ExtractionDate, choose_all, make};
use crate::reading::PreparedBook;
use crate::report::{CollectReport, WorkReport, WorkStatus};
use crate::sections::SectionKind;
use crate::stage_checks;
use crate::supply::{SuppliedText, TextFailure, TextSupply, TextSupplyOptions};
use pensieve_store::exit::command_error;
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{ContentHash, NoteLevel, Observer, ProcessingStatus, ProgressEvent, RunPhase};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Everything that a collection depends on.
#[derive(Debug, Clone)]
pub struct CollectSettings {
    /// What is collected.
    pub manifest: Manifest,
    /// The folder of the collection.
    pub out: PathBuf,
    /// A folder with copies of the texts; if it is given, nothing is fetched.
    pub source: Option<PathBuf>,
    /// A database to write the same passages to.
    pub database: Option<PathBuf>,
    /// The date of the results.
    pub moment: ExtractionDate,
    /// Report what would be done, and write nothing.
    pub dry_run: bool,
    /// Ask the server for newer versions of texts that were fetched before.
    pub refresh: bool,
}

/// Why a collection could not be made.
#[derive(Debug, Error)]
pub enum CollectError {
    /// The database of passages cannot be written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The folder of copies cannot be read.
    #[error("cannot read folder `{}`: {source}", path.display())]
    Source {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// No work has a text.
    #[error("no text for any of {}: {first}", counted(*works as u64, "work"))]
    NoTexts {
        /// Number of works in the manifest.
        works: usize,
        /// Why the first has none.
        first: String,
    },
    /// A written file does not read back as it was written.
    #[error("`{}` does not read back as it was written: {what}", path.display())]
    Unsound {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

command_error! { CollectError passes Database {
    Source | Unwritable => Input;
    NoTexts => Input, "check the numbers in the manifest and the network, or give copies with --source";
    Unsound => Bug;
} }

/// The raw bytes of the books that were read, for checks and citations.
struct BookList {
    books: Vec<PreparedBook>,
    raw: Vec<Vec<u8>>,
}

/// Makes a collection.
///
/// # Errors
/// No text can be found, or the folder cannot be written. A work without text is a warning in the report.
pub fn collect(settings: &CollectSettings, observer: &dyn Observer) -> Result<CollectReport, CollectError> {
    if let Some(path) = &settings.source {
        std::fs::read_dir(path).map_err(|source| CollectError::Source { path: path.clone(), source })?;
    }
    let place = CollectionFolder::new(&settings.out);
    let mut report = empty_report(settings);
    let Some(library) = get_texts(settings, &place, observer, &mut report)? else {
        report.interrupted = true;
        return Ok(report);
    };
    if library.books.is_empty() && !report.works.iter().any(|work| work.status == WorkStatus::Planned) {
        let first = report.works.iter().find_map(|work| work.reason.clone()).unwrap_or_default();
        return Err(CollectError::NoTexts { works: report.works.len(), first });
    }
    let made = choose(settings, &library, &mut report, observer);
    if observer.interrupted() {
        report.interrupted = true;
        return Ok(report);
    }
    if !settings.dry_run {
        write(settings, &place, &library, &made, &mut report)?;
    }
    Ok(report)
}

fn empty_report(settings: &CollectSettings) -> CollectReport {
    CollectReport {
        collection: settings.manifest.collection.name.clone(),
        dry_run: settings.dry_run,
        interrupted: false,
        passages: 0,
        works: Vec::new(),
        metadata: None,
        warnings: Vec::new(),
        files: Vec::new(),
    }
}

/// The books of every work that has a text; `None` when the user stopped the run.
fn get_texts(
    settings: &CollectSettings,
    place: &CollectionFolder,
    observer: &dyn Observer,
    report: &mut CollectReport,
) -> Result<Option<BookList>, CollectError> {
    let manifest = &settings.manifest;
    let options = TextSupplyOptions {
        source: settings.source.as_deref(),
        dry_run: settings.dry_run,
        refresh: settings.refresh,
    };
    let mut supply = TextSupply::new(manifest, place, options, observer);
    let mut library = BookList { books: Vec::new(), raw: Vec::new() };
    let files = manifest.works.len() as u64;
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Content, files, bytes: 0 });
    for (at, work) in manifest.works.iter().enumerate() {
        if observer.interrupted() {
            return Ok(None);
        }
        let path = work.stem();
        observer.on_event(&ProgressEvent::Reading { path: &path });
        let text = supply.text(work);
        let answers = supply.take_answers();
        let status = if text.is_ok() { ProcessingStatus::Processed } else { ProcessingStatus::Error };
        observer.on_event(&ProgressEvent::Stored { path: &path, status, bytes: 0, chunks: 0, new_chunks: 0 });
        let (status, reason) = match text {
            Ok(taken) => {
                report.works.push(WorkReport { answers, ..collected(work, &taken) });
                report
                    .warnings
                    .extend(taken.warnings.iter().map(|warning| format!("{}: {warning}", work.title)));
                library.books.push(PreparedBook::new(manifest, at, taken.id, taken.book));
                library.raw.push(taken.raw);
                describe(library.books.last(), report);
                continue;
            }
            Err(TextFailure::Stopped) => return Ok(None),
            Err(TextFailure::Unwritable(path, source)) => {
                return Err(CollectError::Unwritable { path, source });
            }
            Err(TextFailure::ToFetch) => (WorkStatus::Planned, "would be fetched".to_owned()),
            Err(TextFailure::Missing(reason)) => (WorkStatus::Missing, reason),
            Err(TextFailure::Refused(reason)) => (WorkStatus::Refused, reason),
        };
        if status != WorkStatus::Planned {
            let word = if status == WorkStatus::Refused { "refused" } else { "missing" };
            report.warnings.push(format!("{}: {word}: {reason}", work.title));
        }
        report.works.push(WorkReport { status, reason: Some(reason), answers, ..WorkReport::of(work) });
    }
    for warning in &report.warnings {
        observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: warning });
    }
    Ok(Some(library))
}

fn collected(work: &Work, taken: &SuppliedText) -> WorkReport {
    WorkReport {
        book_id: Some(taken.id),
        origin: Some(taken.origin),
        bytes: taken.raw.len(),
        sha256: Some(ContentHash::of(&taken.raw).to_string()),
        encoding: Some(taken.book.encoding.name().to_owned()),
        words: taken.book.counted.split_whitespace().count(),
        findings: taken.book.findings.iter().map(|finding| finding.as_str().to_owned()).collect(),
        warnings: taken.warnings.clone(),
        ..WorkReport::of(work)
    }
}

/// Adds the facts of a book that was read to its entry, the last of the report.
fn describe(read: Option<&PreparedBook>, report: &mut CollectReport) {
    let (Some(read), Some(entry)) = (read, report.works.last_mut()) else { return };
    entry.keyword_counts = read.lexicon.counts(&read.book.counted);
    let names = |kind: SectionKind| {
        read.sections
            .iter()
            .filter(|section| section.kind == kind)
            .map(|section| section.name.clone())
            .collect()
    };
    entry.sections = names(SectionKind::Text);
    entry.skipped_sections = names(SectionKind::Malformed);
    report.warnings.extend(
        entry
            .skipped_sections
            .iter()
            .map(|name| format!("{}: section `{name}` is malformed and was left out", entry.title)),
    );
}

/// Chooses passages and checks each one; those that fail are left out and reported.
fn choose(
    settings: &CollectSettings,
    library: &BookList,
    report: &mut CollectReport,
    observer: &dyn Observer,
) -> Vec<BuiltPassage> {
    let (manifest, books) = (&settings.manifest, &library.books[..]);
    let chosen = choose_all(books, &manifest.rules);
    let mut made = make(books, manifest, &chosen, &settings.moment);
    let mut warnings = Vec::new();
    made.retain(|made| {
        let wrong = stage_checks::passage(made, &books[made.book], &library.raw[made.book], &manifest.rules);
        warnings.extend(
            wrong.iter().map(|wrong| format!("passage {} was left out: it {wrong}", made.passage.passage_id)),
        );
        wrong.is_none()
    });
    warnings.extend(stage_checks::together(&made, &manifest.rules));
    for warning in &warnings {
        observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: warning });
    }
    report.warnings.extend(warnings);
    for (at, read) in books.iter().enumerate() {
        report.works[read.work].passages = made.iter().filter(|made| made.book == at).count();
    }
    report.passages = made.len();
    let metadata =
        collection::metadata(manifest, books, &made, &report.works, chosen.steps, &settings.moment);
    for step in &metadata.steps {
        let text = format!(
            "score from {}: {} candidates, {} passages",
            step.min_score, step.candidates, step.passages
        );
        observer.on_event(&ProgressEvent::Note { level: NoteLevel::Info, text: &text });
    }
    if let Some(shortfall) = &metadata.shortfall {
        observer.on_event(&ProgressEvent::Note { level: NoteLevel::Info, text: shortfall });
    }
    report.metadata = Some(metadata);
    made
}

/// Writes every file, and reads the document back.
fn write(
    settings: &CollectSettings,
    place: &CollectionFolder,
    library: &BookList,
    made: &[BuiltPassage],
    report: &mut CollectReport,
) -> Result<(), CollectError> {
    let Some(metadata) = report.metadata.clone() else { return Ok(()) };
    let output = CollectionOutput {
        manifest: &settings.manifest,
        books: &library.books,
        made,
        works: &report.works,
        metadata,
    };
    let written =
        output::write(&output, place).map_err(|(path, source)| CollectError::Unwritable { path, source })?;
    let path = place.processed().join(output::JSON);
    let unsound = |what: String| CollectError::Unsound { path: path.clone(), what };
    let bytes = std::fs::read(&path).map_err(|error| unsound(error.to_string()))?;
    let document: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| unsound(error.to_string()))?;
    let count = document["passages"].as_array().map_or(0, Vec::len);
    if count != made.len() || document["metadata"]["total_passages"] != made.len() {
        return Err(unsound(format!("{count} of {} passages", made.len())));
    }
    if let Some(database) = &settings.database {
        let (manifest, books) = (&settings.manifest, &library.books[..]);
        database::write(database, &database::DatabaseContents { manifest, place, books, made })?;
    }
    let inside = |path: &PathBuf| path.strip_prefix(&settings.out).unwrap_or(path).display().to_string();
    report.files = written.iter().map(inside).collect();
    Ok(())
}
