//! The files of a plan: one list for each shard, and `plan.json` or `plan.parquet` with every entry.

use super::error::PlanError;
use super::plan_parquet::write_parquet;
use super::planned_entry::PlannedEntry;
use pensieve_isolate::platform::path_bytes;
use pensieve_store::scan::{ScanEntry, stored_path};
use pensieve_store::store::stored_time;
use pensieve_text::model::FileType;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A list in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PlannedShard {
    /// Its file.
    pub list: String,
    /// Files on disk.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Expected processor time.
    pub cost_seconds: f64,
    #[serde(skip)]
    pub(super) cost_ns: u64,
}

impl PlannedShard {
    /// Counts an entry.
    pub(super) fn add(&mut self, entry: &ScanEntry) {
        if entry.file_type == FileType::File {
            self.files += 1;
            self.bytes += entry.stat.size;
        }
    }
}

/// The file with every entry of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanTable {
    /// `plan.json`.
    Json,
    /// `plan.parquet`, with the columns of a line of `plan.json`.
    Parquet,
}

impl PlanTable {
    fn file_name(self) -> &'static str {
        match self {
            PlanTable::Json => "plan.json",
            PlanTable::Parquet => "plan.parquet",
        }
    }
}

/// One entry in `plan.json`.
#[derive(Serialize)]
struct EntryLine<'e> {
    path: &'e str,
    #[serde(rename = "type")]
    file_type: &'static str,
    size: u64,
    modified: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    shard: usize,
}

/// The folder of a plan.
pub(super) struct PlanOutput {
    folder: PathBuf,
}

impl PlanOutput {
    /// The folder at this path, which must be new or empty and outside of the tree; nothing is written yet.
    pub fn new(folder: &Path, root: &Path) -> Result<PlanOutput, PlanError> {
        if is_inside(folder, root) {
            return Err(PlanError::Inside { out: folder.to_owned(), root: root.to_owned() });
        }
        match fs::read_dir(folder).map(|mut found| found.next().is_some()) {
            Ok(true) => Err(PlanError::NotEmpty { out: folder.to_owned() }),
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(PlanError::Unwritable { path: folder.to_owned(), source })
            }
            _ => Ok(PlanOutput { folder: folder.to_owned() }),
        }
    }

    /// Writes the lists, and the table of entries last.
    pub fn write(
        &self,
        root: &Path,
        entries: &[PlannedEntry],
        shards: &mut [PlannedShard],
        table: PlanTable,
    ) -> Result<(), PlanError> {
        let unwritable = |path: &Path| {
            let path = path.to_owned();
            move |source| PlanError::Unwritable { path, source }
        };
        fs::create_dir_all(&self.folder).map_err(unwritable(&self.folder))?;
        let mut listed: Vec<Vec<&PlannedEntry>> = shards.iter().map(|_| Vec::new()).collect();
        entries.iter().for_each(|planned| listed[planned.shard].push(planned));
        let digits = shards.len().saturating_sub(1).to_string().len().max(4);
        for (number, shard) in shards.iter_mut().enumerate() {
            shard.list = format!("shard-{number:0digits$}.list");
            shard.cost_seconds = shard.cost_ns as f64 / 1e9;
            let path = self.folder.join(&shard.list);
            write_list(&path, &listed[number]).map_err(unwritable(&path))?;
        }
        let path = self.folder.join(table.file_name());
        let written = match table {
            PlanTable::Json => write_table(&path, root, entries, shards),
            PlanTable::Parquet => write_parquet(&path, entries, about(root, shards).to_string()),
        };
        written.map_err(unwritable(&path))
    }
}

fn write_list(path: &Path, entries: &[&PlannedEntry]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for planned in entries {
        out.write_all(&path_bytes(planned.entry.relative.as_os_str()))?;
        out.write_all(if planned.entry.file_type == FileType::Folder { b"/\0" } else { b"\0" })?;
    }
    out.into_inner()?.sync_all()
}

/// What `plan.json` has besides the entries.
fn about(root: &Path, shards: &[PlannedShard]) -> serde_json::Value {
    serde_json::json!({"version": 1, "root": stored_path(root.as_os_str()).0, "shards": shards})
}

/// One JSON object with one line for each entry.
fn write_table(
    path: &Path,
    root: &Path,
    entries: &[PlannedEntry],
    shards: &[PlannedShard],
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let root = serde_json::to_string(&stored_path(root.as_os_str()).0)?;
    let shards = serde_json::to_string(shards)?;
    write!(out, "{{\"version\":1,\"root\":{root},\"shards\":{shards},\"entries\":[")?;
    for (number, planned) in entries.iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        let stat = &planned.entry.stat;
        let line = EntryLine {
            path: &planned.entry.path,
            file_type: planned.entry.file_type.as_str(),
            size: planned.size(),
            modified: stored_time(stat.mtime_s, stat.mtime_ns as u32),
            hash: planned.hash.map(|hash| hash.to_hex()),
            shard: planned.shard,
        };
        serde_json::to_writer(&mut out, &line)?;
    }
    out.write_all(b"\n]}\n")?;
    out.into_inner()?.sync_all()
}

/// True if a path is the folder itself or below it, whatever links lead there.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = path.ancestors().find_map(|existing| existing.canonicalize().ok());
    real.zip(folder.canonicalize().ok()).is_some_and(|(path, folder)| path.starts_with(folder))
}
