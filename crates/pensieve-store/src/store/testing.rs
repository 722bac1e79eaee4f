//! For the tests of the store and of what stands on it: databases in memory, written as a run writes them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::database::open::Store;
use super::database::roots::Root;
use super::database::schema::{DatabaseKind, migrate};
use super::read::FileState;
use super::rows::digests;
use super::rows::place_columns::PlaceColumns;
use super::rows::sql::Queries;
use super::rows::text_packing::{TextPacker, TextVariant};
use super::write::{
    AddedChunks, ChunkLines, ChunkRow, NewFile, NewMember, Outcome, Recipes, Task, TaskKind, VersionRow,
    Writer, WriterOptions,
};
use crate::scan::ScanEntry;
use pensieve_isolate::files::FileStat;
use pensieve_text::model::{
    ContentHash, FileType, LineAnchor, ProcessingStatus, Segment, SourceSpan, SpanMap,
};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// Equal bytes under names with the same extension are the same document.
pub struct SameExtension;

impl Recipes for SameExtension {
    fn are_equal(&self, owner: &FileState, heir: &FileState) -> bool {
        owner.extension == heir.extension
    }
}

/// How the texts of tests are cut, and what counts them.
const STRATEGY: &str = "Recursive_512_50";
const TOKENIZER: &str = "cl100k_base";

/// A database in memory with the root `/r`.
pub fn store() -> Store {
    Store::over(connection(), Path::new("memory.db")).unwrap()
}

/// The same as a connection.
pub(super) fn connection() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, DatabaseKind::Empty).unwrap();
    connection.execute("INSERT INTO roots(root_id, path) VALUES(1, '/r')", []).unwrap();
    connection
}

/// The root of [`store`].
pub fn root() -> Root {
    Root { root_id: 1, path: "/r".to_owned(), location: "/r".into() }
}

pub(super) fn options(store: &Store) -> WriterOptions {
    WriterOptions {
        run_id: store.runs().begin("/r", "{}").unwrap(),
        tokenizer: TOKENIZER.to_owned(),
        raw_version: "raw_v1",
        clean_version: "clean_v1",
        search: true,
        threads: 2,
        journal_runs: 30,
    }
}

/// A whole run: everything that `work` writes, committed.
pub fn run<T>(store: &mut Store, work: impl FnOnce(&mut Writer<'_>) -> T) -> T {
    let options = options(store);
    let run_id = options.run_id;
    let mut writer = Writer::new(store, options, &SameExtension).unwrap();
    let result = work(&mut writer);
    writer.complete().unwrap();
    check_digests(store);
    store.runs().end(run_id, "finished", "{}").unwrap();
    result
}

/// Fails if a file is not as its digests say. Maps are left out: tests write texts without their versions.
#[track_caller]
pub fn check_digests(store: &Store) {
    let mut found = Vec::new();
    let mut each = |path: &str, parts: &[&str]| {
        let parts: Vec<_> = parts.iter().filter(|part| !part.contains("maps")).collect();
        found.extend((!parts.is_empty()).then(|| format!("{path}: {parts:?}")));
    };
    store.laws().each_differing_file(0..=i64::MAX, &mut each).unwrap();
    assert_eq!(found, [""; 0]);
}

/// A database with these files, each a path with its chunks; the bytes of a file are its chunks.
pub fn corpus(files: &[(&str, &[&str])]) -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        for (path, chunks) in files {
            let file_id = add(writer, path, &chunks.join("\n"));
            read(writer, file_id, chunks, Outcome::default());
        }
    });
    store
}

/// A database with the file `a.txt`, whose clean text is stored in these segments and has the bytes from 100 on of its
/// source. It has no chunks.
pub fn text_in_segments(segments: &[&str]) -> Store {
    let (mut bytes, mut line) = (0, 1);
    let segment = |text: &&str| {
        let map = SpanMap::identity(text.len(), 100 + bytes);
        let lines = vec![LineAnchor { out: 0, line }];
        bytes += text.len();
        line += text.matches('\n').count() as u64;
        Segment { text: (*text).to_owned(), map, lines, ..Segment::default() }
    };
    let segments: Vec<Segment> = segments.iter().map(segment).collect();
    text_of_segments(&segments)
}

/// A database with the file `a.txt`, whose clean text is these segments. It has no chunks.
pub fn text_of_segments(segments: &[Segment]) -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let file_id = add(writer, "a.txt", "a");
        let start = task(writer, file_id, TaskKind::Read);
        assert!(writer.start(start.file.file_id, &start.kind).unwrap());
        let mut packer = TextPacker::new().unwrap();
        let (mut text, mut chars) = (String::new(), 0);
        for segment in segments {
            writer.add_text(&packer.pack(TextVariant::Clean, text.len(), chars, segment).unwrap()).unwrap();
            text.push_str(&segment.text);
            chars += segment.text.chars().count();
        }
        let clean = VersionRow {
            variant: "clean",
            version: "clean_v1".to_owned(),
            sha256: ContentHash::of(text.as_bytes()),
            bytes: text.len(),
            chars,
            review: Vec::new(),
            review_counts: None,
            facts: Default::default(),
        };
        let status = Some(ProcessingStatus::Processed);
        writer.finish(&Outcome { status, versions: vec![clean], ..Outcome::default() }).unwrap();
    });
    store
}

/// Gives the only document sections, each a title with its first byte and the byte after its last one.
pub fn add_sections(store: &Store, sections: &[(&str, usize, usize)]) {
    for (seq, (label, start, end)) in sections.iter().enumerate() {
        let values = format!("{seq}, 1, '{label}', {start}, {end}");
        execute(
            store,
            &format!(
                "INSERT INTO sections(file_id, seq, level, label, start_index, end_index)
                 SELECT file_id, {values} FROM files"
            ),
        );
    }
}

/// The public id of the only document.
pub fn only_uid(store: &Store) -> String {
    store.ask(|connection| connection.query_row("SELECT doc_uid FROM files", [], |row| row.get(0))).unwrap()
}

/// A regular file of the scan.
pub fn entry(path: &str, size: usize) -> ScanEntry {
    ScanEntry {
        relative: PathBuf::from(path),
        path: path.to_owned(),
        path_bytes: None,
        file_type: FileType::File,
        stat: FileStat {
            size: size as u64,
            mtime_s: 5,
            mtime_ns: 6,
            ctime_s: 7,
            ctime_ns: 8,
            inode: 9,
            ..FileStat::default()
        },
        symlink_target: None,
        depth: path.split('/').count(),
        hidden: false,
        is_wished: false,
    }
}

/// The columns of a new pending row.
pub fn pending(bytes: &str) -> NewFile {
    let hash = Some(ContentHash::of(bytes.as_bytes()));
    NewFile { hash, status: Some(ProcessingStatus::Pending), ..NewFile::default() }
}

/// Adds a file below `/r` and settles its group.
pub fn add(writer: &mut Writer<'_>, path: &str, bytes: &str) -> i64 {
    let file_id = writer.add_file(&root(), &entry(path, bytes.len()), &pending(bytes)).unwrap();
    writer.settle(&ContentHash::of(bytes.as_bytes())).unwrap();
    file_id
}

/// A task for a row.
pub fn task(writer: &Writer<'_>, file_id: i64, kind: TaskKind) -> Task {
    Task { file: writer.store().files().get(file_id).unwrap().unwrap(), kind, problem: None, bytes: None }
}

/// Reads a file as these chunks, if it is wanted; a chunk may have a heading, as `Heading | words`.
pub fn read(writer: &mut Writer<'_>, file_id: i64, chunks: &[&str], outcome: Outcome) -> AddedChunks {
    let task = task(writer, file_id, TaskKind::Read);
    if !writer.start(task.file.file_id, &task.kind).unwrap() {
        return AddedChunks::default();
    }
    write(writer, chunks);
    writer.finish(&processed(chunks, outcome)).unwrap()
}

/// Adds a member of the current file and reads it as these chunks, if it is wanted.
pub fn read_member(writer: &mut Writer<'_>, within: Option<&str>, member: &str, chunks: &[&str]) -> bool {
    let (place, name) = member.split_once('/').unwrap();
    let bytes = chunks.join("\n");
    let new = NewMember {
        path: member.to_owned(),
        within: within.map(str::to_owned),
        member: place.to_owned(),
        name: name.to_owned(),
        hash: ContentHash::of(bytes.as_bytes()),
        size: bytes.len() as u64,
        mime: "text/plain".to_owned(),
    };
    let is_wanted = writer.start_member(&new).unwrap();
    if is_wanted {
        write(writer, chunks);
        writer.finish_member(&processed(chunks, Outcome::default())).unwrap();
    }
    is_wanted
}

/// Writes the texts and chunks of the current file.
pub fn write(writer: &mut Writer<'_>, chunks: &[&str]) {
    let (text, rows) = rows(chunks);
    let mut packer = TextPacker::new().unwrap();
    let map = SpanMap::identity(text.len(), 0);
    let segment = Segment { text, map, ..Segment::default() };
    for variant in [TextVariant::Raw, TextVariant::Clean] {
        writer.add_text(&packer.pack(variant, 0, 0, &segment).unwrap()).unwrap();
    }
    writer.add_chunks(STRATEGY, rows).unwrap();
}

/// The text of some chunks, one per line, and their rows; each word is a token.
fn rows(chunks: &[&str]) -> (String, Vec<ChunkRow>) {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for chunk in chunks {
        let (heading, content) = match chunk.split_once(" | ") {
            Some((heading, content)) => (Some(heading.to_owned()), content),
            None => (None, *chunk),
        };
        let (start, end) = (text.len(), text.len() + content.len());
        text.push_str(content);
        text.push('\n');
        rows.push(ChunkRow {
            hash: ContentHash::of(content.as_bytes()),
            content: content.to_owned(),
            tokens: content.split(' ').count(),
            place: PlaceColumns {
                start,
                end,
                source: Some(SourceSpan { start, end, exact: true }),
                locator: Some(format!("{{\"line\":{}}}", rows.len() + 1)),
                heading_path: heading,
                context: None,
            },
        });
    }
    (text, rows)
}

/// The outcome of a file that was read as these chunks; fields that `outcome` has already set stay.
fn processed(chunks: &[&str], outcome: Outcome) -> Outcome {
    let (text, rows) = rows(chunks);
    let version = |variant, version: &str| VersionRow {
        variant,
        version: version.to_owned(),
        sha256: ContentHash::of(text.as_bytes()),
        bytes: text.len(),
        chars: text.chars().count(),
        review: Vec::new(),
        review_counts: None,
        facts: Default::default(),
    };
    let mut lines = ChunkLines::default();
    rows.iter().for_each(|row| lines.add(row, STRATEGY, TOKENIZER));
    Outcome {
        status: outcome.status.or(Some(ProcessingStatus::Processed)),
        chunk_lines: Some(lines),
        format: Some("text".to_owned()),
        encoding: Some("UTF-8".to_owned()),
        mime: Some("text/plain".to_owned()),
        extractor: Some("text 1".to_owned()),
        tokens: Some(rows.iter().map(|row| row.tokens as u64).sum()),
        settings_hash: Some("s".to_owned()),
        versions: vec![version("raw", "raw_v1"), version("clean", "clean_v1")],
        ..outcome
    }
}

/// The rows of a query whose first column is text.
pub fn texts(store: &Store, sql: &str) -> Vec<String> {
    store.connection.rows(sql, [], |row| row.get(0)).unwrap()
}

/// Writes the digests of all files anew, after statements that were run as they are.
pub fn rewrite_digests(store: &Store) {
    digests::write_all(&store.connection).unwrap();
}

/// Runs statements as they are.
pub fn execute(store: &Store, sql: &str) {
    store.connection.execute_batch(sql).unwrap();
}
