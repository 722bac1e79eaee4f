//! A plan by several machines: each hashes a part of the files, and one joins the parts without looking at the tree.

use super::error::PlanError;
use super::plan::{self, PlanOptions, PlanSummary};
use super::plan_output::{PlanOutput, PlanTable, is_inside};
use super::planned_entry::PlannedEntry;
use pensieve_isolate::files::{FileStat, SourceFolder};
use pensieve_store::scan::{ScanEntry, ScanError, path_from_stored, stored_path};
use pensieve_text::format::by_name;
use pensieve_text::model::{ContentHash, FileType, Observer};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Which part of the files is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPart {
    /// Its number, from 1.
    pub part: u64,
    /// How many parts there are.
    pub parts: u64,
}

impl PlanPart {
    /// The names of files decide, so that every machine divides alike, whatever else is in the tree.
    fn has(self, path: &str) -> bool {
        let hash = ContentHash::of(path.as_bytes());
        let number = hash.0.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
        number % self.parts == self.part - 1
    }
}

/// A part in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartSummary {
    /// Which part.
    #[serde(flatten)]
    pub part: PlanPart,
    /// Files of the part.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that were hashed.
    pub hashed: u64,
    /// Wall time.
    pub seconds: f64,
    /// True if the user stopped it; nothing was written.
    pub interrupted: bool,
}

/// The first line of the file of a part.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PartHead {
    version: u32,
    root: String,
    #[serde(flatten)]
    part: PlanPart,
}

/// An entry in the file of a part.
#[derive(Debug, Serialize, Deserialize)]
struct PartLine {
    path: String,
    #[serde(rename = "type")]
    file_type: String,
    size: u64,
    mtime: (i64, i64),
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

/// Hashes a part of the files of a tree, and writes what the plan needs of them into the file `options.out`.
///
/// # Errors
/// The tree cannot be read, or the file exists or cannot be written.
///
/// Cost: one look at each entry of the tree; the files of the part are read.
pub fn plan_part(
    options: &PlanOptions,
    part: PlanPart,
    observer: &dyn Observer,
) -> Result<PartSummary, PlanError> {
    let started = Instant::now();
    if is_inside(&options.out, &options.root) {
        return Err(PlanError::Inside { out: options.out.clone(), root: options.root.clone() });
    }
    let stopped = PartSummary { part, files: 0, bytes: 0, hashed: 0, seconds: 0.0, interrupted: true };
    let mut entries = match plan::scan(options, observer) {
        Err(PlanError::Scan(ScanError::Stopped)) => return Ok(stopped),
        scanned => scanned?.0,
    };
    entries.retain(|planned| part.has(&planned.entry.path));
    let folder = SourceFolder::open(&options.root);
    let folder = folder.map_err(|error| ScanError::unopened(&options.root, error))?;
    plan::hash(&mut entries, &folder, options, observer);
    if observer.interrupted() {
        return Ok(stopped);
    }
    let head = PartHead { version: 1, root: stored_path(options.root.as_os_str()).0, part };
    let written = write_part(&options.out, &head, &entries, &folder);
    written.map_err(|source| PlanError::Unwritable { path: options.out.clone(), source })?;
    let files = || entries.iter().filter(|planned| planned.is_file());
    Ok(PartSummary {
        part,
        files: files().count() as u64,
        bytes: files().map(PlannedEntry::size).sum(),
        hashed: files().filter(|planned| planned.hash.is_some()).count() as u64,
        seconds: started.elapsed().as_secs_f64(),
        interrupted: false,
    })
}

fn write_part(
    path: &Path,
    head: &PartHead,
    entries: &[PlannedEntry],
    folder: &SourceFolder,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create_new(path)?);
    serde_json::to_writer(&mut out, head)?;
    out.write_all(b"\n")?;
    for planned in entries {
        let stat = &planned.entry.stat;
        let format = planned.is_file().then(|| planned.find_format(folder)).flatten();
        let line = PartLine {
            path: planned.entry.path.clone(),
            file_type: planned.entry.file_type.as_str().to_owned(),
            size: planned.size(),
            mtime: (stat.mtime_s, stat.mtime_ns),
            hash: planned.hash.map(|hash| hash.to_hex()),
            format: format.map(|format| format.name.to_owned()),
        };
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    out.into_inner()?.sync_all()
}

/// Joins parts to the plan that one machine makes with all hashes. The tree is not looked at.
///
/// # Errors
/// A part cannot be read, they are not all parts of one plan, or the lists cannot be written.
///
/// Cost: some 400 bytes of memory for each entry.
pub fn merge_parts(
    parts: &[PathBuf],
    out: &Path,
    shards: usize,
    table: PlanTable,
) -> Result<PlanSummary, PlanError> {
    let started = Instant::now();
    let mut entries = Vec::new();
    let mut heads: Vec<PartHead> = Vec::new();
    for path in parts {
        let head = read_part(path, &mut entries)?;
        check_part(path, &head, parts, &heads)?;
        heads.push(head);
    }
    let Some(first) = heads.first() else { return Err(PlanError::MissingPart { part: 1, parts: 1 }) };
    let count = first.part.parts;
    if let Some(part) = (1..=count).find(|number| !heads.iter().any(|head| head.part.part == *number)) {
        return Err(PlanError::MissingPart { part, parts: count });
    }
    let root = path_from_stored(&first.root);
    let output = PlanOutput::new(out, &root)?;
    plan::sort(&mut entries);
    let mut shards = plan::assign(&mut entries, &|planned| planned.format, shards);
    output.write(&root, &entries, &mut shards, table)?;
    let summary = plan::summary(&root, &entries, shards, false);
    Ok(PlanSummary { seconds: started.elapsed().as_secs_f64(), ..summary })
}

/// A part must belong to the plan of those before it, and not be one of them.
fn check_part(path: &Path, head: &PartHead, parts: &[PathBuf], known: &[PartHead]) -> Result<(), PlanError> {
    let path = path.to_owned();
    match known.first().zip(parts.first()) {
        Some((first, _)) if known.iter().any(|known| known.part == head.part && known.root == first.root) => {
            Err(PlanError::SamePart { path, part: head.part.part })
        }
        Some((first, other)) if first.root != head.root || first.part.parts != head.part.parts => {
            Err(PlanError::OtherPlan { path, other: other.clone() })
        }
        _ => Ok(()),
    }
}

fn read_part(path: &Path, entries: &mut Vec<PlannedEntry>) -> Result<PartHead, PlanError> {
    let unreadable = |source| PlanError::Unreadable { path: path.to_owned(), source };
    let invalid = |line: usize| PlanError::NoPart { path: path.to_owned(), line };
    let mut head = None;
    for (number, line) in (1..).zip(BufReader::new(File::open(path).map_err(unreadable)?).lines()) {
        let line = line.map_err(unreadable)?;
        if number == 1 {
            let found: PartHead = serde_json::from_str(&line).map_err(|_| invalid(1))?;
            head = Some(found).filter(|head| head.version == 1);
            continue;
        }
        let entry = serde_json::from_str(&line).ok().and_then(entry_of).ok_or_else(|| invalid(number))?;
        entries.push(entry);
    }
    head.ok_or_else(|| invalid(1))
}

/// The entry that a line describes; none if it is not understood.
fn entry_of(line: PartLine) -> Option<PlannedEntry> {
    let types = [FileType::File, FileType::Folder, FileType::Symlink, FileType::Special];
    let file_type = types.into_iter().find(|known| known.as_str() == line.file_type)?;
    let hash = line.hash.map(|hash| hash.parse()).transpose().ok()?;
    let (mtime_s, mtime_ns) = line.mtime;
    let stat = FileStat { size: line.size, mtime_s, mtime_ns, ..FileStat::default() };
    let entry = ScanEntry {
        relative: path_from_stored(&line.path),
        depth: line.path.split('/').count(),
        path: line.path,
        path_bytes: None,
        file_type,
        stat,
        symlink_target: None,
        hidden: false,
        is_wished: false,
    };
    Some(PlannedEntry { entry, hash, shard: 0, format: line.format.as_deref().and_then(by_name) })
}
