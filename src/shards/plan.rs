//! Divides a tree into lists of files, one for each machine.
//!
//! Nothing is extracted: names, sizes and times are enough, the first bytes of files whose names say nothing, and the hashes
//! of files that may be equal. Equal files are in one list, so that they are read once.

use super::balance::balance;
use super::cost;
use super::error::PlanError;
use super::plan_output::{PlanOutput, PlanTable, PlannedShard};
use super::planned_entry::PlannedEntry;
use pensieve_isolate::files::SourceFolder;
use pensieve_store::scan::{self, ScanEntry, ScanError, ScanOptions};
use pensieve_text::format::Format;
use pensieve_text::model::{ContentHash, NoteLevel, Observer, Problem, ProgressEvent, RunPhase};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What is planned.
#[derive(Debug, Clone)]
pub struct PlanOptions {
    /// The folder.
    pub root: PathBuf,
    /// The folder that the lists are written into; it must be new or empty.
    pub out: PathBuf,
    /// How many lists are written.
    pub shards: usize,
    /// Which entries are read.
    pub scan: ScanOptions,
    /// True if every file is hashed, not only those of equal size.
    pub hash_all: bool,
    /// The file with every entry.
    pub table: PlanTable,
}

/// A plan in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanSummary {
    /// The folder, in stored form.
    pub root: String,
    /// Files on disk.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files with the same bytes as another one.
    pub duplicates: u64,
    /// Files that were hashed.
    pub hashed: u64,
    /// Problems with entries that could not be looked at.
    pub problems: u64,
    /// The lists.
    pub shards: Vec<PlannedShard>,
    /// Wall time.
    pub seconds: f64,
    /// True if the user stopped it; nothing was written.
    pub interrupted: bool,
}

/// Divides a tree into lists, and writes them.
///
/// # Errors
/// The tree cannot be read, or the lists cannot be written.
///
/// Cost: one look at each entry, some 400 bytes of memory each; files of equal size are read.
pub fn plan(options: &PlanOptions, observer: &dyn Observer) -> Result<PlanSummary, PlanError> {
    let started = Instant::now();
    let output = PlanOutput::new(&options.out, &options.root)?;
    let (mut entries, problems) = match scan(options, observer) {
        Err(PlanError::Scan(ScanError::Stopped)) => return Ok(summary(&options.root, &[], Vec::new(), true)),
        scanned => scanned?,
    };
    let folder = SourceFolder::open(&options.root);
    let folder = folder.map_err(|error| ScanError::unopened(&options.root, error))?;
    hash(&mut entries, &folder, options, observer);
    if observer.interrupted() {
        return Ok(summary(&options.root, &[], Vec::new(), true));
    }
    let mut shards = assign(&mut entries, &|planned| planned.find_format(&folder), options.shards);
    output.write(&options.root, &entries, &mut shards, options.table)?;
    let mut summary = summary(&options.root, &entries, shards, false);
    summary.problems = problems;
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// Every entry that is listed, in the order of paths, and the number of problems.
pub(super) fn scan(
    options: &PlanOptions,
    observer: &dyn Observer,
) -> Result<(Vec<PlannedEntry>, u64), PlanError> {
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Scan, files: 0, bytes: 0 });
    let found = Mutex::new(Vec::new());
    let problems = Mutex::new(0);
    let each = |entry: ScanEntry| {
        observer.on_event(&ProgressEvent::Scanned { path: &entry.path, hashed: 0 });
        let planned = PlannedEntry { entry, hash: None, shard: 0, format: None };
        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(planned);
    };
    let on_problem = |path: String, problem: Problem| {
        *problems.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += 1;
        observer.on_event(&ProgressEvent::Trouble { path: &path, problem: &problem });
    };
    scan::walk(&options.root, &options.scan, &[], &each, &on_problem, &|| observer.interrupted())?;
    let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    sort(&mut found);
    Ok((found, problems.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())))
}

/// Brings entries into the order of their paths, and leaves out the folders that follow from them.
pub(super) fn sort(found: &mut Vec<PlannedEntry>) {
    found.sort_unstable_by(|a, b| key(&a.entry).cmp(key(&b.entry)));
    let is_listed: Vec<bool> = (0..found.len()).map(|at| !leads_to_next(found, at)).collect();
    let mut listed = is_listed.into_iter();
    found.retain(|_| listed.next().unwrap_or(true));
}

/// The order in which what is below a folder comes directly after it.
fn key(entry: &ScanEntry) -> impl Iterator<Item = u8> + '_ {
    entry.path.bytes().map(|byte| if byte == b'/' { 0 } else { byte })
}

/// True for a folder with something in it: its row follows from the paths below it.
fn leads_to_next(entries: &[PlannedEntry], at: usize) -> bool {
    let folder = &entries[at].entry.path;
    let next = entries.get(at + 1).and_then(|next| next.entry.path.strip_prefix(folder.as_str()));
    next.is_some_and(|rest| rest.starts_with('/'))
}

/// Hashes the files that may be equal to another, or all; a file that cannot be read is equal to none.
pub(super) fn hash(
    entries: &mut [PlannedEntry],
    folder: &SourceFolder,
    options: &PlanOptions,
    observer: &dyn Observer,
) {
    let mut sizes: HashMap<u64, usize> = HashMap::new();
    for planned in entries.iter().filter(|planned| planned.is_file()) {
        *sizes.entry(planned.entry.stat.size).or_default() += 1;
    }
    let is_candidate = |planned: &&mut PlannedEntry| {
        planned.is_file()
            && (options.hash_all || sizes.get(&planned.entry.stat.size).is_some_and(|count| *count > 1))
    };
    let candidates: Vec<Mutex<&mut PlannedEntry>> =
        entries.iter_mut().filter(is_candidate).map(Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(planned) = candidates.get(next.fetch_add(1, Ordering::Relaxed)) {
            if observer.interrupted() {
                return;
            }
            let mut planned = planned.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match folder.identify(&planned.entry.relative, &planned.entry.stat) {
                Ok(identity) => planned.hash = Some(identity.hash),
                Err(problem) => {
                    let text =
                        format!("{} is planned without its hash: {}", planned.entry.path, problem.message);
                    observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &text });
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for number in 1..threads(options) {
            // Fewer threads do the same work.
            let _ = std::thread::Builder::new().name(format!("hash-{number}")).spawn_scoped(scope, work);
        }
        work();
    });
}

fn threads(options: &PlanOptions) -> usize {
    match options.scan.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// The format of an entry, as far as it is known without reading all of it.
type FormatOf<'f> = &'f dyn Fn(&PlannedEntry) -> Option<&'static Format>;

/// Chooses a list for each entry, the same for equal files; returns the lists.
pub(super) fn assign(
    entries: &mut [PlannedEntry],
    format_of: FormatOf<'_>,
    shards: usize,
) -> Vec<PlannedShard> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut by_hash: HashMap<ContentHash, usize> = HashMap::new();
    for (at, planned) in entries.iter().enumerate() {
        let known = planned.hash.map(|hash| *by_hash.entry(hash).or_insert(groups.len()));
        match known.filter(|group| *group < groups.len()) {
            Some(group) => groups[group].push(at),
            None => groups.push(vec![at]),
        }
    }
    let costs: Vec<u64> = groups.iter().map(|group| group_cost(group, entries, format_of)).collect();
    let mut lists = vec![PlannedShard::default(); shards];
    for ((group, cost), shard) in groups.iter().zip(&costs).zip(balance(&costs, shards)) {
        lists[shard].cost_ns += cost;
        for &at in group {
            entries[at].shard = shard;
            lists[shard].add(&entries[at].entry);
        }
    }
    lists
}

/// The first of equal files is read, the others are hashed.
fn group_cost(group: &[usize], entries: &[PlannedEntry], format_of: FormatOf<'_>) -> u64 {
    let hashing = group.iter().map(|at| cost::hashing(entries[*at].size())).sum::<u64>();
    let first = group.first().map(|at| &entries[*at]).filter(|first| first.is_file());
    hashing + first.map_or(0, |first| cost::reading(format_of(first), first.size()))
}

pub(super) fn summary(
    root: &Path,
    entries: &[PlannedEntry],
    shards: Vec<PlannedShard>,
    interrupted: bool,
) -> PlanSummary {
    let files = || entries.iter().filter(|planned| planned.is_file());
    let mut copies: BTreeMap<ContentHash, u64> = BTreeMap::new();
    files().filter_map(|planned| planned.hash).for_each(|hash| *copies.entry(hash).or_default() += 1);
    PlanSummary {
        root: scan::stored_path(root.as_os_str()).0,
        files: files().count() as u64,
        bytes: files().map(PlannedEntry::size).sum(),
        duplicates: copies.values().map(|count| count - 1).sum(),
        hashed: copies.values().sum(),
        problems: 0,
        shards,
        seconds: 0.0,
        interrupted,
    }
}
