//! Digests of files: each covers all rows of one file, and is stored in the transaction that changes them.
//!
//! The fingerprint of a corpus is made of them alone, and `verify` finds rows that changed without them. Ids, absolute
//! paths and the rank of the root are in none of them.

use super::digest_lines::LineHasher;
use super::place_columns::source_columns;
use super::sql::Queries;
use pensieve_text::model::{ContentHash, ContentHasher};
use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Row, params};
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// Files whose digests are computed at a time when a database is migrated.
const PAGE_ROWS: usize = 512;

/// The columns of `files` that the fingerprint covers.
const FILE: [&str; 10] = [
    "relative_path",
    "file_type",
    "hash",
    "size_bytes",
    "is_canonical",
    "duplicate_status",
    "processing_status",
    "estimated_tokens",
    "mime_type",
    "format",
];

/// The other columns of `files`, without ids and absolute paths.
const OTHER: [&str; 25] = [
    "doc_uid",
    "root_id",
    "filename",
    "file_extension",
    "parent_file_id",
    "member",
    "creation_date",
    "modification_date",
    "access_date",
    "permissions",
    "mtime_s",
    "mtime_ns",
    "ctime_s",
    "ctime_ns",
    "inode",
    "device",
    "depth_level",
    "is_hidden",
    "is_symlink",
    "symlink_target",
    "encoding",
    "duplicate_group_id",
    "status_reason",
    "extractor",
    "settings_hash",
];

/// The digests in a row of `files`, which an older schema lacks.
const DIGESTS: &str = "digest, chunks_digest, texts_digest, details_digest, row_digest";

/// The columns that [`FileLines`] reads: those of [`FILE`], of [`OTHER`], and the digests.
static LINES: LazyLock<String> = LazyLock::new(|| lines_query(DIGESTS));

fn lines_query(digests: &str) -> String {
    format!("SELECT {}, {}, {digests} FROM files WHERE file_id = ?1", FILE.join(", "), OTHER.join(", "))
}

/// The first of the stored digests in [`LINES`].
const STORED: usize = FILE.len() + OTHER.len();
/// The column with the status.
const STATUS: usize = 6;

const CHUNKS: &str = concat!(
    "SELECT s.start_index, s.end_index, c.content_hash, s.chunking_strategy, ",
    source_columns!(),
    ", c.estimated_tokens, c.tokenizer_model
     FROM chunk_sources s CROSS JOIN chunks c ON c.chunk_id = s.chunk_id
     WHERE s.file_id = ?1 ORDER BY s.start_index, s.end_index, c.content_hash"
);

const TEXTS: &str = "SELECT variant, version, sha256, needs_review FROM text_versions
    WHERE file_id = ?1 AND is_current ORDER BY variant, version";

/// What else is stored for a file. Threads are not part of it: they depend on other files too.
const DETAILS: &[(&str, &str)] = &[
    (
        "version",
        "SELECT variant, version, is_current, sha256, byte_length, char_length, needs_review, review_reasons,
                extractor, settings_hash, created_at, maps_sha256
         FROM text_versions WHERE file_id = ?1 ORDER BY variant, version",
    ),
    ("metadata", "SELECT key, value FROM metadata WHERE file_id = ?1 ORDER BY key, rowid"),
    ("hidden", "SELECT seq, reason, locator, chars, text FROM hidden_text WHERE file_id = ?1 ORDER BY seq"),
    (
        "section",
        "SELECT seq, level, label, anchor, start_index, end_index, locator FROM sections
         WHERE file_id = ?1 ORDER BY seq",
    ),
    (
        "mail",
        "SELECT message_id, in_reply_to, refs, date, subject, sender, recipients, copies_to, transform_version
         FROM mails WHERE file_id = ?1",
    ),
    ("identifier", "SELECT id, is_child FROM mail_ids WHERE file_id = ?1 ORDER BY id"),
    ("page", "SELECT raw, sanitised FROM mail_pages WHERE file_id = ?1"),
    (
        "problem",
        "SELECT error_type, error_message, timestamp FROM errors WHERE file_id = ?1 ORDER BY error_id",
    ),
];

/// A digest as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct StoredDigest(pub Option<ContentHash>);

impl StoredDigest {
    fn read(row: &Row<'_>, column: usize) -> rusqlite::Result<StoredDigest> {
        let Some(bytes) = row.get_ref(column)?.as_blob_or_null()? else { return Ok(StoredDigest(None)) };
        // A damaged digest is no digest: it differs from the right one.
        Ok(StoredDigest(bytes.try_into().ok().map(ContentHash)))
    }
}

impl ToSql for StoredDigest {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let hash = self.0.as_ref();
        Ok(ToSqlOutput::Borrowed(hash.map_or(ValueRef::Null, |hash| ValueRef::Blob(&hash.0))))
    }
}

/// The five digests of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FileDigests {
    /// Its lines in the fingerprint.
    pub file: StoredDigest,
    /// The places of its chunks.
    pub chunks: StoredDigest,
    /// Its current texts.
    pub texts: StoredDigest,
    /// What else is stored for it.
    pub details: StoredDigest,
    /// The other columns of its row.
    pub row: StoredDigest,
}

/// What is known of the content of a file when its digests are updated.
pub(crate) enum KnownContent {
    /// Its content did not change: the stored digests hold.
    Unchanged,
    /// Its content changed; all of it is read.
    Changed,
    /// Its content changed, and these are the lines of its chunks.
    Chunks(LineHasher),
    /// Its content changed and is known: these are the lines of its chunks.
    First(LineHasher, Box<FirstDetails>),
}

/// The details of a file that had none before.
pub(crate) struct FirstDetails {
    /// Its versions.
    pub versions: VersionLines,
    /// Where the others are.
    pub tables: DetailTables,
}

/// The rows of a file in `text_versions`, in the order of variants, as lines of its digests.
#[derive(Default)]
pub(crate) struct VersionLines {
    texts: LineHasher,
    details: LineHasher,
}

impl VersionLines {
    /// Adds a current version; `fields` are the columns of the query for versions in [`DETAILS`].
    pub fn add(&mut self, fields: &[ValueRef<'_>; 12]) {
        let [variant, version, _, sha256, _, _, needs_review, ..] = *fields;
        self.texts.add("text", &[variant, version, sha256, needs_review]);
        self.details.add("version", fields);
    }
}

/// Which tables, besides that of versions, have rows with details of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DetailTables {
    pub metadata: bool,
    pub hidden_text: bool,
    pub sections: bool,
    pub mail: bool,
    pub problems: bool,
}

impl DetailTables {
    /// Those of [`DETAILS`] that are to be read.
    fn queries(self) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        DETAILS.iter().filter(move |(name, _)| match *name {
            "metadata" => self.metadata,
            "hidden" => self.hidden_text,
            "section" => self.sections,
            "mail" | "identifier" | "page" => self.mail,
            "problem" => self.problems,
            _ => false,
        })
    }
}

/// Brings the stored digests of a file up to date.
///
/// Cost: one row is read, and written if it differs; with changed content, the rows of the content are read.
pub(crate) fn update(connection: &Connection, file_id: i64, content: KnownContent) -> rusqlite::Result<()> {
    let Some(lines) = FileLines::read(connection, file_id)? else { return Ok(()) };
    let new = match content {
        KnownContent::Unchanged => lines.digests_with(lines.stored),
        KnownContent::Changed => lines.digests_with(content_digests(connection, file_id, None)?),
        KnownContent::Chunks(chunks) => {
            lines.digests_with(content_digests(connection, file_id, Some(chunks))?)
        }
        KnownContent::First(chunks, first) => {
            let FirstDetails { versions: VersionLines { texts, mut details }, tables } = *first;
            add_lines(&mut details, connection, file_id, tables.queries())?;
            lines.digests_with(FileDigests {
                chunks: StoredDigest(chunks.finish()),
                texts: StoredDigest(texts.finish()),
                details: StoredDigest(details.finish()),
                ..FileDigests::default()
            })
        }
    };
    if new == lines.stored {
        return Ok(());
    }
    let sql = "UPDATE files SET digest = ?2, chunks_digest = ?3, texts_digest = ?4, details_digest = ?5,
                      row_digest = ?6 WHERE file_id = ?1";
    connection.run(sql, params![file_id, new.file, new.chunks, new.texts, new.details, new.row]).map(drop)
}

/// Where the values for the digests stand in a new row of `files`; a column that the row does not have is null.
pub(crate) struct NewRowColumns {
    file: [Option<usize>; FILE.len()],
    other: [Option<usize>; OTHER.len()],
}

impl NewRowColumns {
    /// For rows that are written with these columns.
    pub fn of(columns: &[&str]) -> NewRowColumns {
        let position = |name: &str| columns.iter().position(|column| *column == name);
        NewRowColumns { file: FILE.map(position), other: OTHER.map(position) }
    }

    /// The digests of a row without content, from the values that are written.
    pub fn digests(&self, values: &[Value]) -> FileDigests {
        let value = |at: Option<usize>| at.map_or(ValueRef::Null, |at| ValueRef::from(&values[at]));
        let (mut file, mut other) = (LineHasher::default(), LineHasher::default());
        file.add("file", &self.file.map(value));
        other.add("row", &self.other.map(value));
        let lines =
            FileLines { file: Some(file), row: StoredDigest(other.finish()), stored: FileDigests::default() };
        lines.digests_with(FileDigests::default())
    }
}

/// Writes the digests of every file, and those of all maps: for a database that had none.
///
/// Cost: one pass over all places of chunks and all maps, in one transaction; a page of ids in memory.
pub(crate) fn write_all(connection: &Connection) -> rusqlite::Result<()> {
    let next = "SELECT file_id FROM files WHERE file_id > ?1 ORDER BY file_id LIMIT ?2";
    let mut last = 0;
    loop {
        let page: Vec<i64> = connection.rows(next, [last, PAGE_ROWS as i64], |row| row.get(0))?;
        let Some(end) = page.last() else { return Ok(()) };
        last = *end;
        for file_id in page {
            write_maps(connection, file_id)?;
            update(connection, file_id, KnownContent::Changed)?;
        }
    }
}

fn write_maps(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    let sql = "SELECT variant, version FROM text_versions WHERE file_id = ?1";
    let versions: Vec<(String, String)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let update = "UPDATE text_versions SET maps_sha256 = ?4 WHERE (file_id, variant, version) = (?1, ?2, ?3)";
    for (variant, version) in versions {
        let maps = maps_hash(connection, file_id, &variant, &version)?;
        connection.run(update, params![file_id, variant, version, maps.to_hex()])?;
    }
    Ok(())
}

/// True if the maps of a version are not those that were stored with it, or belong to no version.
fn has_other_maps(connection: &Connection, file_id: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT variant, version, maps_sha256 FROM text_versions WHERE file_id = ?1";
    let versions: Vec<(String, String, Option<String>)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    for (variant, version, stored) in &versions {
        if stored.as_deref() != Some(&maps_hash(connection, file_id, variant, version)?.to_hex()) {
            return Ok(true);
        }
    }
    let sql = "SELECT 1 FROM text_maps m WHERE file_id = ?1 AND NOT EXISTS (SELECT 1 FROM text_versions v
                 WHERE (v.file_id, v.variant, v.version) = (m.file_id, m.variant, m.version))";
    connection.has(sql, [file_id])
}

/// SHA-256 over the stored maps of one version.
pub(crate) fn maps_hash(
    connection: &Connection,
    file_id: i64,
    variant: &str,
    version: &str,
) -> rusqlite::Result<ContentHash> {
    let sql =
        "SELECT content FROM text_maps WHERE (file_id, variant, version) = (?1, ?2, ?3) ORDER BY segment";
    let mut hasher = ContentHasher::new();
    connection.each(sql, params![file_id, variant, version], |row| {
        hasher.update(row.get_ref(0)?.as_bytes()?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(hasher.finish())
}

/// The digest of a file's lines in the fingerprint, from its rows, in a database of any schema; `None` if it is gone.
pub(crate) fn computed_digest(
    connection: &Connection,
    file_id: i64,
) -> rusqlite::Result<Option<ContentHash>> {
    let query = lines_query("NULL, NULL, NULL, NULL, NULL");
    let Some(lines) = connection.first(&query, [file_id], FileLines::from_row)? else { return Ok(None) };
    let content = FileDigests {
        chunks: digest_of(connection, file_id, &[("chunk", CHUNKS)])?,
        texts: digest_of(connection, file_id, &[("text", TEXTS)])?,
        ..FileDigests::default()
    };
    Ok(lines.digests_with(content).file.0)
}

/// The parts of a file that differ from its digests, in words; empty if none does.
pub(crate) fn differing_parts(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<&'static str>> {
    let Some(lines) = FileLines::read(connection, file_id)? else { return Ok(Vec::new()) };
    let found = content_digests(connection, file_id, None)?;
    let stored = lines.stored;
    // The digest of the file is compared for the stored digests of its content: they are compared by themselves.
    let own = lines.digests_with(stored);
    let parts = [
        ("its row", own.file != stored.file),
        ("the other columns of its row", own.row != stored.row),
        ("the places of its chunks", found.chunks != stored.chunks),
        ("its current texts", found.texts != stored.texts),
        ("its versions, metadata, hidden text, sections, mail or problems", found.details != stored.details),
    ];
    let maps = ("the maps of its texts", has_other_maps(connection, file_id)?);
    Ok(parts.into_iter().chain([maps]).filter(|(_, differs)| *differs).map(|(part, _)| part).collect())
}

/// The digests of the content alone; `chunks` are the lines of its chunks, if they are known.
fn content_digests(
    connection: &Connection,
    file_id: i64,
    chunks: Option<LineHasher>,
) -> rusqlite::Result<FileDigests> {
    let chunks = match chunks {
        Some(chunks) => StoredDigest(chunks.finish()),
        None => digest_of(connection, file_id, &[("chunk", CHUNKS)])?,
    };
    Ok(FileDigests {
        chunks,
        texts: digest_of(connection, file_id, &[("text", TEXTS)])?,
        details: digest_of(connection, file_id, DETAILS)?,
        ..FileDigests::default()
    })
}

fn digest_of(
    connection: &Connection,
    file_id: i64,
    parts: &[(&str, &str)],
) -> rusqlite::Result<StoredDigest> {
    let mut lines = LineHasher::default();
    add_lines(&mut lines, connection, file_id, parts)?;
    Ok(StoredDigest(lines.finish()))
}

/// Adds the rows of a file that each query finds.
fn add_lines<'p>(
    lines: &mut LineHasher,
    connection: &Connection,
    file_id: i64,
    parts: impl IntoIterator<Item = &'p (&'p str, &'p str)>,
) -> rusqlite::Result<()> {
    for (name, query) in parts {
        connection.each(query, [file_id], |row| {
            lines.add_row(name, row, 0..row.as_ref().column_count())?;
            Ok(ControlFlow::Continue(()))
        })?;
    }
    Ok(())
}

/// A row of `files` as lines.
struct FileLines {
    /// The columns that the fingerprint covers; `None` of a deleted file.
    file: Option<LineHasher>,
    /// The digest of the others.
    row: StoredDigest,
    /// The stored digests.
    stored: FileDigests,
}

impl FileLines {
    fn read(connection: &Connection, file_id: i64) -> rusqlite::Result<Option<FileLines>> {
        connection.first(&LINES, [file_id], FileLines::from_row)
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<FileLines> {
        let (mut file, mut other) = (LineHasher::default(), LineHasher::default());
        file.add_row("file", row, 0..FILE.len())?;
        other.add_row("row", row, FILE.len()..STORED)?;
        let is_deleted = row.get_ref(STATUS)?.as_str_or_null()? == Some("Deleted");
        Ok(FileLines {
            file: (!is_deleted).then_some(file),
            row: StoredDigest(other.finish()),
            stored: FileDigests {
                file: StoredDigest::read(row, STORED)?,
                chunks: StoredDigest::read(row, STORED + 1)?,
                texts: StoredDigest::read(row, STORED + 2)?,
                details: StoredDigest::read(row, STORED + 3)?,
                row: StoredDigest::read(row, STORED + 4)?,
            },
        })
    }

    /// The digests of the row with the digests of this content.
    fn digests_with(&self, content: FileDigests) -> FileDigests {
        let field = |digest: &StoredDigest| digest.0.map(|hash| hash.0);
        let file = self.file.clone().and_then(|mut file| {
            for (name, digest) in [("chunks", &content.chunks), ("texts", &content.texts)] {
                let bytes = field(digest);
                file.add(name, &[bytes.as_ref().map_or(ValueRef::Null, |bytes| ValueRef::Blob(bytes))]);
            }
            file.finish()
        });
        FileDigests { file: StoredDigest(file), row: self.row, ..content }
    }
}
