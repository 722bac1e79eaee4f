//! The store alone: CPU seconds for each million chunks, from the first to the fifth, without the search table.
//!
//! It writes rows of about 120 bytes through the door that `ingest` uses, in files of fifty chunks, and no text. What it
//! shows is whether the state that finds duplicates decays as it grows: the last million should cost what the first did.
//!
//! Usage: `cargo bench --bench store [-- MILLIONS]`; the database lies in the temporary folder (TMPDIR) meanwhile.

use pensieve_isolate::files::FileStat;
use pensieve_store::scan::ScanEntry;
use pensieve_store::store::{
    ChunkRow, FileState, NewFile, Outcome, PlaceColumns, Recipes, Root, Store, TaskKind, Writer,
    WriterOptions,
};
use pensieve_text::model::{ContentHash, FileType, ProcessingStatus, SourceSpan};
use std::error::Error;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

const CHUNKS_A_FILE: u64 = 50;
const FILES_A_MILLION: u64 = 1_000_000 / CHUNKS_A_FILE;

/// No two names make different documents here.
struct Same;

impl Recipes for Same {
    fn are_equal(&self, _owner: &FileState, _heir: &FileState) -> bool {
        true
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench` to the arguments.
    let millions = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(5);
    let place = std::env::temp_dir().join(format!("pensieve-bench-store-{}.db", std::process::id()));
    let result = fill(&place, millions);
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let _ = fs::remove_file(format!("{}{suffix}", place.display()));
    }
    result
}

fn fill(place: &Path, millions: u64) -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    let mut store = Store::open_for_writing(place)?;
    let root = store.roots().add(Path::new("/bench"))?;
    let options = WriterOptions {
        run_id: store.runs().begin(&root.path, "{}")?,
        tokenizer: "cl100k_base".to_owned(),
        raw_version: "raw_v1",
        clean_version: "clean_v0",
        search: false,
        threads: 1,
        journal_runs: 30,
    };
    let mut writer = Writer::new(&mut store, options, &Same)?;
    writeln!(out, "| million | CPU s | of the first |\n| ---: | ---: | ---: |")?;
    let mut first = 0.0;
    for million in 0..millions {
        let before = cpu_seconds()?;
        for file in million * FILES_A_MILLION..(million + 1) * FILES_A_MILLION {
            add_file(&mut writer, &root, file)?;
        }
        writer.commit()?;
        let spent = cpu_seconds()? - before;
        first = if million == 0 { spent } else { first };
        writeln!(out, "| {} | {spent:.2} | {:.2} |", million + 1, spent / first)?;
    }
    let before = cpu_seconds()?;
    writer.complete()?;
    writeln!(
        out,
        "\nindexes at the end: {:.2} CPU s per million",
        (cpu_seconds()? - before) / millions as f64
    )?;
    store.close()?;
    Ok(())
}

fn add_file(writer: &mut Writer<'_>, root: &Root, number: u64) -> Result<(), Box<dyn Error>> {
    let hash = ContentHash::of(&number.to_le_bytes());
    let new = NewFile { hash: Some(hash), status: Some(ProcessingStatus::Pending), ..NewFile::default() };
    let file_id = writer.add_file(root, &entry(number), &new)?;
    writer.settle(&hash)?;
    let file = writer.store().files().get(file_id)?.ok_or("the row that was just added is gone")?;
    if !writer.start(file.file_id, &TaskKind::Read)? {
        return Err("the store does not want the file".into());
    }
    let chunks: Vec<ChunkRow> = (0..CHUNKS_A_FILE).map(|at| chunk(number, at)).collect();
    writer.add_chunks("Recursive_512_50", chunks)?;
    let outcome = Outcome {
        status: Some(ProcessingStatus::Processed),
        format: Some("text".to_owned()),
        tokens: Some(CHUNKS_A_FILE * 30),
        ..Outcome::default()
    };
    writer.finish(&outcome)?;
    Ok(())
}

fn entry(number: u64) -> ScanEntry {
    let path = format!("folder-{:03}/file-{number:07}.txt", number % 997);
    ScanEntry {
        relative: PathBuf::from(&path),
        path,
        path_bytes: None,
        file_type: FileType::File,
        stat: FileStat { size: CHUNKS_A_FILE * 120, inode: number + 1, ..FileStat::default() },
        symlink_target: None,
        depth: 2,
        hidden: false,
        is_wished: false,
    }
}

fn chunk(file: u64, at: u64) -> ChunkRow {
    let content = format!(
        "Chunk {at:02} of file {file:07}: a row as long as a short paragraph of prose, so that pages fill as they do in use."
    );
    let (start, end) = ((at * 120) as usize, (at * 120) as usize + content.len());
    ChunkRow {
        hash: ContentHash::of(content.as_bytes()),
        content,
        tokens: 30,
        place: PlaceColumns {
            start,
            end,
            source: Some(SourceSpan { start, end, exact: true }),
            locator: Some(format!("{{\"line\":[{},{}]}}", at + 1, at + 1)),
            heading_path: None,
            context: None,
        },
    }
}

/// User and system time of this process, in steps of a hundredth of a second.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let behind_name = stat.rsplit_once(')').ok_or("/proc/self/stat has no name")?.1;
    let fields: Vec<&str> = behind_name.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    Ok(ticks as f64 / 100.0)
}
