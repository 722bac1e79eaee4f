//! The scan: looks at every entry below the root once, and reads it only if it is new or looks changed.

use super::recipes::{SkipReason, StageRecipes};
use super::settings::{IngestError, IngestSettings};
use pensieve_isolate::files;
use pensieve_isolate::files::{FileIdentity, FileStat, SourceFolder};
use pensieve_store::scan::{self, ChangeCheck, ScanEntry, ScanError, ToolFolderCounts, stored_path};
use pensieve_store::store::{KnownFile, KnownFiles, Root, Store, StoredSecrets, lock_path, now};
use pensieve_text::format::{Format, extension_of, is_masked_name, is_place_of_secrets};
use pensieve_text::model::{
    ContentHash, FileType, Observer, Problem, ProblemKind, ProcessingStatus, ProgressEvent, RunPhase,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Time stamps come from a clock that ticks every few milliseconds and may lag behind the clock that we read.
const CLOCK_TICK_NS: i64 = 20_000_000;

/// What is known from the bytes of a file.
#[derive(Debug, Clone)]
pub(super) struct FileContent {
    pub hash: ContentHash,
    /// The format that reads it, or why none does.
    pub verdict: Result<&'static Format, SkipReason>,
    pub mime: String,
    /// The settings that the verdict depends on, if it is final.
    pub settings_hash: Option<String>,
}

impl FileContent {
    /// Decides what a file at this path is, from its first bytes. `is_wished` says that the user asks for it even if it holds
    /// secrets.
    pub fn judge(
        identity: &FileIdentity,
        path: &str,
        is_wished: bool,
        recipes: &StageRecipes<'_>,
    ) -> FileContent {
        let whole = identity.head.len() as u64 == identity.stat.size;
        let sniffed = recipes.sniff(&identity.head, whole, path, is_wished);
        let extension = extension_of(path.rsplit('/').next().unwrap_or_default());
        let verdict = recipes.readable(sniffed.verdict, &extension);
        let settings_hash =
            verdict.is_err().then(|| recipes.unread_stages(Some(&sniffed.mime), &extension).to_text());
        FileContent { hash: identity.hash, verdict, mime: sniffed.mime, settings_hash }
    }
}

/// An entry that is new or looks changed.
#[derive(Debug)]
pub(super) struct ScannedEntry {
    pub entry: ScanEntry,
    /// Its index among the known files.
    pub known: Option<usize>,
    /// For regular files that could be read.
    pub content: Option<FileContent>,
    /// For regular files that could not be read.
    pub problem: Option<Problem>,
}

/// Everything that the scan found.
pub(super) struct ScanResult {
    pub started: (i64, u32),
    pub found: Vec<ScannedEntry>,
    /// One flag for each known row: true if the entry still exists.
    pub seen: Vec<AtomicBool>,
    /// Files that are unchanged and were read before.
    pub unchanged: u64,
    pub bytes_hashed: u64,
    /// Problems with paths that have no row.
    pub problems: Vec<(String, Problem)>,
    /// Folders of tools that were left out.
    pub tool_folders: ToolFolderCounts,
    /// True if the user stopped it: what was not found may be there.
    pub is_stopped: bool,
}

/// Scans the tree; returns what was found and the known rows. A scan that the user stopped returns what it has found.
pub(super) fn scan_tree(
    settings: &IngestSettings,
    place: &Path,
    store: Option<&Store>,
    root: Option<&Root>,
    recipes: &StageRecipes<'_>,
    observer: &dyn Observer,
) -> Result<(ScanResult, KnownFiles), IngestError> {
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Scan, files: 0, bytes: 0 });
    let (known, last_scan) = match (store, root) {
        (Some(store), Some(root)) => {
            (store.planning().known_files(root.root_id)?, store.meta().last_scan(root.root_id)?)
        }
        _ => (KnownFiles::default(), None),
    };
    let folder = SourceFolder::open(place).map_err(|error| ScanError::unopened(place, error))?;
    let inspector = EntryInspector {
        folder,
        root: stored_path(std::path::absolute(place).unwrap_or_else(|_| place.to_owned()).as_os_str()).0,
        secrets: settings.scan.secrets,
        known: &known,
        recipes,
        observer,
        check: change_check(settings.scan.check, place),
        racy_from: last_scan.map(|(seconds, nanoseconds)| earlier(seconds, i64::from(nanoseconds))),
        started: now(),
        seen: known.files().iter().map(|_| AtomicBool::new(false)).collect(),
        unchanged: AtomicU64::new(0),
        bytes_hashed: AtomicU64::new(0),
        found: Mutex::new(Vec::new()),
        problems: Mutex::new(Vec::new()),
    };
    let left_out = own_files(&settings.database);
    let walked = scan::walk(
        place,
        &settings.scan_options(),
        &left_out,
        &|entry| inspector.inspect(entry),
        &|path, problem| inspector.add_problem(path, problem),
        &|| observer.interrupted(),
    );
    let is_stopped = matches!(walked, Err(ScanError::Stopped));
    match walked {
        Err(error) if !is_stopped => Err(error.into()),
        walked => {
            let tool_folders = walked.unwrap_or_default();
            Ok((ScanResult { tool_folders, ..inspector.finish(is_stopped) }, known))
        }
    }
}

/// The check with which files of this place are compared.
fn change_check(check: ChangeCheck, place: &Path) -> ChangeCheck {
    match check {
        ChangeCheck::Auto if !files::has_stable_inodes(place) => ChangeCheck::Auto,
        ChangeCheck::Auto => ChangeCheck::Full,
        other => other,
    }
}

/// The database and the files that SQLite and the lock put beside it, by every path that leads to them.
pub fn own_files(database: &Path) -> Vec<PathBuf> {
    let absolute = std::path::absolute(database).unwrap_or_else(|_| database.to_path_buf());
    let mut names = vec![absolute.clone()];
    if let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name())
        && let Ok(real) = folder.canonicalize()
    {
        names.push(real.join(name));
    }
    names.extend(absolute.canonicalize());
    let suffixed = |path: &PathBuf, suffix: &str| {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    let beside: Vec<PathBuf> = names
        .iter()
        .flat_map(|name| ["-wal", "-shm", "-journal", ".lock"].map(|suffix| suffixed(name, suffix)))
        .chain(names.iter().map(|name| lock_path(name)))
        .collect();
    names.into_iter().chain(beside).collect()
}

/// Inspects entries on the threads of the walk.
struct EntryInspector<'a> {
    folder: SourceFolder,
    /// The absolute path of the scanned folder, in stored form: the places of secrets have names of two or three parts.
    root: String,
    /// Secrets are read as they are.
    secrets: bool,
    known: &'a KnownFiles,
    recipes: &'a StageRecipes<'a>,
    observer: &'a dyn Observer,
    check: ChangeCheck,
    /// Entries touched at or after this moment may have changed without a trace; `None` before the first scan.
    racy_from: Option<(i64, i64)>,
    started: (i64, u32),
    seen: Vec<AtomicBool>,
    unchanged: AtomicU64,
    bytes_hashed: AtomicU64,
    found: Mutex<Vec<ScannedEntry>>,
    problems: Mutex<Vec<(String, Problem)>>,
}

impl EntryInspector<'_> {
    fn inspect(&self, entry: ScanEntry) {
        let known = self.known.find(&entry.path);
        if let Some((at, row)) = known {
            self.seen[at].store(true, Ordering::Relaxed);
            if row.file_type == entry.file_type && self.is_as_known(&entry, row) {
                if entry.file_type == FileType::File {
                    self.unchanged.fetch_add(1, Ordering::Relaxed);
                }
                self.observer.on_event(&ProgressEvent::Scanned { path: &entry.path, hashed: 0 });
                return;
            }
        }
        let found = self.read(entry, known.map(|(at, _)| at));
        let hashed = if found.content.is_some() { found.entry.stat.size } else { 0 };
        self.bytes_hashed.fetch_add(hashed, Ordering::Relaxed);
        self.observer.on_event(&ProgressEvent::Scanned { path: &found.entry.path, hashed });
        self.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(found);
    }

    /// True when nothing indicates that the content of the entry has changed, and that content is known.
    fn is_as_known(&self, entry: &ScanEntry, row: &KnownFile) -> bool {
        let stat = &entry.stat;
        let same = looks_alike(stat, row, self.check);
        match entry.file_type {
            FileType::File => {
                same && row.has_hash && !self.is_racy(stat) && self.keeps_secrets_alike(entry, row)
            }
            _ => same,
        }
    }

    /// True when a reader would do about secrets in the file what was done before: the names of their places may be new, and
    /// the user may have asked for them since.
    fn keeps_secrets_alike(&self, entry: &ScanEntry, row: &KnownFile) -> bool {
        let is_read = entry.is_wished || self.secrets;
        let has_place = || is_place_of_secrets(&self.full_path(entry)) || is_masked_name(name_of(entry));
        match row.secrets {
            // Another file is read in its place.
            _ if !row.is_canonical => true,
            StoredSecrets::Withheld | StoredSecrets::Masked => !is_read,
            StoredSecrets::Key => is_read,
            StoredSecrets::Unnoticed => is_read || entry.stat.size == 0 || !has_place(),
        }
    }

    fn full_path(&self, entry: &ScanEntry) -> String {
        format!("{}/{}", self.root, entry.path)
    }

    /// True when the entry was touched so shortly before the last scan that a change may have left equal times.
    fn is_racy(&self, stat: &FileStat) -> bool {
        let Some(from) = self.racy_from else { return true };
        let touched = (stat.mtime_s, stat.mtime_ns).max((stat.ctime_s, stat.ctime_ns));
        let touched = if self.check == ChangeCheck::Mtime { (stat.mtime_s, stat.mtime_ns) } else { touched };
        touched >= from
    }

    fn read(&self, mut entry: ScanEntry, known: Option<usize>) -> ScannedEntry {
        if entry.file_type != FileType::File {
            return ScannedEntry { entry, known, content: None, problem: None };
        }
        match self.folder.identify(&entry.relative, &entry.stat) {
            Ok(identity) => {
                let path = self.full_path(&entry);
                let content = FileContent::judge(&identity, &path, entry.is_wished, self.recipes);
                entry.stat = identity.stat;
                ScannedEntry { entry, known, content: Some(content), problem: None }
            }
            Err(problem) => ScannedEntry { entry, known, content: None, problem: Some(problem) },
        }
    }

    fn add_problem(&self, path: String, problem: Problem) {
        self.problems.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((path, problem));
    }

    fn finish(self, is_stopped: bool) -> ScanResult {
        let mut found = self.found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.sort_unstable_by(|a, b| a.entry.path.as_bytes().cmp(b.entry.path.as_bytes()));
        let mut problems = self.problems.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        problems.sort_by(|a, b| a.0.cmp(&b.0));
        ScanResult {
            started: self.started,
            found,
            seen: self.seen,
            unchanged: self.unchanged.into_inner(),
            bytes_hashed: self.bytes_hashed.into_inner(),
            problems,
            tool_folders: ToolFolderCounts::new(),
            is_stopped,
        }
    }
}

fn name_of(entry: &ScanEntry) -> &str {
    entry.path.rsplit('/').next().unwrap_or_default()
}

fn looks_alike(stat: &FileStat, row: &KnownFile, check: ChangeCheck) -> bool {
    let size = match row.file_type {
        FileType::File => stat.size == row.size,
        _ => true,
    };
    size && (stat.mtime_s, stat.mtime_ns) == row.mtime
        && (check == ChangeCheck::Mtime || (stat.ctime_s, stat.ctime_ns) == row.ctime)
        && (check != ChangeCheck::Full || stat.inode == row.inode)
}

fn earlier(seconds: i64, nanoseconds: i64) -> (i64, i64) {
    match nanoseconds - CLOCK_TICK_NS {
        left if left >= 0 => (seconds, left),
        left => (seconds - 1, left + 1_000_000_000),
    }
}

impl IngestSettings {
    fn scan_options(&self) -> scan::ScanOptions {
        let listed = self.list.as_ref().map(|list| Arc::clone(&list.paths));
        scan::ScanOptions { listed, threads: self.readers(), ..self.scan.clone() }
    }
}

impl ScannedEntry {
    /// The name of the format that will read it.
    pub fn format(&self) -> Option<&'static str> {
        self.content.as_ref().and_then(|content| content.verdict.as_ref().ok()).map(|format| format.name)
    }

    /// The initial status of its row.
    pub fn first_status(&self) -> Option<ProcessingStatus> {
        match (&self.content, &self.problem) {
            (Some(content), _) => Some(match &content.verdict {
                Ok(_) => ProcessingStatus::Pending,
                Err(refusal) => refusal.status,
            }),
            (None, Some(problem)) if problem.kind == ProblemKind::SizeLimit => {
                Some(ProcessingStatus::SkippedLimit)
            }
            (None, Some(_)) => Some(ProcessingStatus::Error),
            (None, None) => None,
        }
    }
}
