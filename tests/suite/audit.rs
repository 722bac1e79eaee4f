//! The laws once more, by other means than `verify`: rows through SQL, texts through zstd, citations through decoders
//! of a few lines. And the comparison of two databases that must hold the same.

use crate::support::{open, rows};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// What an audit saw.
#[derive(Debug, Default)]
pub struct Seen {
    pub files: u64,
    pub sources: u64,
    pub cited: u64,
    pub exact: u64,
    /// Citations of exact bytes that were read back and compared.
    pub compared: u64,
}

/// Fails unless laws 1 to 6 hold.
#[track_caller]
pub fn audit(database: &Path) -> Seen {
    let corpus = open(database);
    check_rows(&corpus);
    check_search_table(database);
    let mut seen = Seen::default();
    let query = "SELECT file_id, full_filepath, path_bytes, encoding FROM files
                 WHERE is_canonical AND processing_status = 'Processed'";
    let mut statement = corpus.prepare(query).unwrap();
    let mut found = statement.query([]).unwrap();
    while let Some(row) = found.next().unwrap() {
        let path: String = row.get(1).unwrap();
        let source = match row.get::<_, Option<Vec<u8>>>(2).unwrap() {
            Some(_) => None,
            None => fs::read(&path).ok(),
        };
        check_file(&corpus, row.get(0).unwrap(), &path, row.get(3).unwrap(), source, &mut seen);
    }
    seen
}

fn check_rows(corpus: &Connection) {
    let nothing = |query: &str| assert_eq!(rows(corpus, query), [""; 0], "{query}");
    assert_eq!(rows(corpus, "PRAGMA integrity_check"), ["ok"]);
    nothing("PRAGMA foreign_key_check");
    nothing("SELECT content_hash FROM chunks GROUP BY 1 HAVING count(*) > 1");
    nothing("SELECT chunk_id FROM chunks WHERE chunk_id NOT IN (SELECT chunk_id FROM chunk_sources)");
    nothing(
        "SELECT full_filepath FROM files JOIN chunk_sources USING(file_id)
         WHERE processing_status IS NOT 'Processed' OR NOT is_canonical",
    );
    nothing(
        "SELECT full_filepath FROM files WHERE file_type = 'file' AND processing_status <> 'Deleted'
         AND hash IS NOT NULL AND ((duplicate_status = 'unique') <> (1 = (SELECT count(*) FROM files g
           WHERE g.hash = files.hash AND g.processing_status <> 'Deleted')) OR is_canonical <> (duplicate_status <> 'duplicate'))",
    );
    // The canonical file is the first of its group.
    nothing(
        "SELECT f.full_filepath FROM files f JOIN files g USING(hash) WHERE f.is_canonical AND f.file_id <> g.file_id
         AND g.processing_status <> 'Deleted' AND (g.file_type = 'member', g.root_id, g.relative_path)
           < (f.file_type = 'member', f.root_id, f.relative_path)",
    );
    // A duplicate has its canonical's status and nothing of its own.
    nothing(
        "SELECT f.full_filepath FROM files f JOIN files g ON g.hash = f.hash AND g.is_canonical
         WHERE f.duplicate_status = 'duplicate' AND (f.processing_status <> g.processing_status OR f.format NOTNULL
           OR f.extractor NOTNULL OR f.estimated_tokens NOTNULL OR f.duplicate_group_id IS NOT g.duplicate_group_id)",
    );
    nothing(
        "SELECT full_filepath FROM files WHERE (hash IS NULL OR processing_status = 'Deleted')
         AND (is_canonical OR duplicate_status NOTNULL OR duplicate_group_id NOTNULL)",
    );
    nothing(
        "SELECT full_filepath FROM files WHERE file_type IN ('folder', 'symlink', 'special')
         AND (size_bytes <> 0 OR hash NOTNULL OR processing_status NOTNULL OR duplicate_status NOTNULL OR is_canonical)",
    );
    nothing(
        "SELECT full_filepath FROM files WHERE processing_status NOT IN ('Processed', 'Pending') AND status_reason IS NULL",
    );
    // A member lives inside a document whose content is its own, and below its path.
    nothing(
        "SELECT m.full_filepath FROM files m LEFT JOIN files p ON p.file_id = m.parent_file_id
         WHERE m.file_type = 'member' AND (p.file_id IS NULL OR NOT p.is_canonical OR p.processing_status <> 'Processed'
           OR m.root_id <> p.root_id OR m.processing_status = 'Deleted'
           OR m.relative_path <> p.relative_path || '/' || m.member
              || iif(substr('/' || m.member, -length(m.filename) - 1) = '/' || m.filename, '', '/' || m.filename))",
    );
    nothing(
        "SELECT full_filepath FROM files WHERE file_type <> 'member' AND (parent_file_id NOTNULL OR member NOTNULL)",
    );
    let ceiling = rows(corpus, "SELECT max(estimated_tokens) FROM chunks");
    assert_eq!(ceiling.len(), 1);
    for table in ["texts", "text_maps", "text_versions", "metadata", "chunk_sources"] {
        nothing(&format!(
            "SELECT full_filepath FROM files JOIN {table} USING(file_id) WHERE NOT is_canonical OR processing_status <> 'Processed'"
        ));
    }
}

/// The search table holds what the chunks hold; asked on a copy, because the question needs to write.
fn check_search_table(database: &Path) {
    let copy = database.with_extension("copy");
    fs::copy(database, &copy).unwrap();
    let wal =
        |path: &Path| path.with_extension(format!("{}-wal", path.extension().unwrap().to_str().unwrap()));
    let _ = fs::copy(wal(database), wal(&copy));
    let connection = Connection::open(&copy).unwrap();
    let loading = !rows(&connection, "SELECT 1 FROM meta WHERE key = 'load'").is_empty();
    let without = !rows(&connection, "SELECT 1 FROM meta WHERE key = 'fts' AND value = 'off'").is_empty();
    if !loading && !without {
        connection
            .execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('integrity-check', 1)", [])
            .unwrap();
    }
    drop(connection);
    for path in [wal(&copy), copy] {
        let _ = fs::remove_file(path);
    }
}

fn check_file(
    corpus: &Connection,
    file_id: i64,
    path: &str,
    encoding: Option<String>,
    source: Option<Vec<u8>>,
    seen: &mut Seen,
) {
    let text = clean_text(corpus, file_id);
    seen.files += 1;
    let version = format!(
        "SELECT sha256, byte_length, char_length FROM text_versions WHERE file_id = {file_id} AND variant = 'clean' AND is_current"
    );
    let expected = format!("{}|{}|{}", sha256_hex(text.as_bytes()), text.len(), text.chars().count());
    assert_eq!(rows(corpus, &version), [expected], "{path}");
    let mut statement = corpus
        .prepare_cached(
            "SELECT start_index, end_index, source_start, source_end, source_exact, content, content_hash
             FROM chunk_sources JOIN chunks USING(chunk_id) WHERE file_id = ?1 ORDER BY start_index",
        )
        .unwrap();
    let mut found = statement.query([file_id]).unwrap();
    let mut covered = vec![false; text.len()];
    while let Some(row) = found.next().unwrap() {
        let number = |at: usize| row.get::<_, i64>(at).unwrap() as usize;
        let (start, end) = (number(0), number(1));
        let content: String = row.get(5).unwrap();
        assert_eq!(text.get(start..end), Some(content.as_str()), "law 1: {path} {start}..{end}");
        assert_eq!(row.get::<_, String>(6).unwrap(), sha256_hex(content.as_bytes()), "law 2: {path}");
        assert!(!content.trim().is_empty(), "{path}: a chunk of white space");
        covered[start..end].fill(true);
        seen.sources += 1;
        if row.get::<_, Option<i64>>(2).unwrap().is_none() {
            continue;
        }
        seen.cited += 1;
        let (from, to) = (number(2), number(3));
        let Some(source) = &source else { continue };
        assert!(from <= to && to <= source.len(), "law 5: {path} cites {from}..{to} of {}", source.len());
        if row.get::<_, bool>(4).unwrap() {
            seen.exact += 1;
            if let Some(cited) = decoded(&source[from..to], encoding.as_deref()) {
                assert_eq!(
                    squashed(&cited),
                    squashed(&content),
                    "law 5: {path} {from}..{to} as {encoding:?}"
                );
                seen.compared += 1;
            }
        }
    }
    let lost = text.char_indices().find(|(at, c)| !c.is_whitespace() && !covered[*at]);
    assert_eq!(lost, None, "law 4: {path}");
}

/// The current clean text of a file; its segments must follow each other.
pub fn clean_text(corpus: &Connection, file_id: i64) -> String {
    let mut statement = corpus
        .prepare_cached(
            "SELECT t.content, t.start_index, t.char_start FROM texts t JOIN text_versions v USING(file_id, variant, version)
             WHERE t.file_id = ?1 AND t.variant = 'clean' AND v.is_current ORDER BY t.segment",
        )
        .unwrap();
    let mut found = statement.query(params![file_id]).unwrap();
    let mut text = String::new();
    while let Some(row) = found.next().unwrap() {
        let frame: Vec<u8> = row.get(0).unwrap();
        assert_eq!(row.get::<_, i64>(1).unwrap() as usize, text.len());
        assert_eq!(row.get::<_, i64>(2).unwrap() as usize, text.chars().count());
        let segment = zstd::decode_all(frame.as_slice()).unwrap();
        assert!(segment.len() <= 1 << 20, "a segment of {} bytes", segment.len());
        text.push_str(std::str::from_utf8(&segment).unwrap());
    }
    text
}

/// Bytes as text, for the encodings that a few lines decode.
fn decoded(bytes: &[u8], encoding: Option<&str>) -> Option<String> {
    let encoding = encoding?.to_ascii_lowercase();
    let utf16 = |order: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
        assert_eq!(bytes.len() % 2, 0, "half a unit of UTF-16");
        Some(String::from_utf16_lossy(&units))
    };
    match encoding.as_str() {
        "utf-8" | "ascii" | "us-ascii" => Some(std::str::from_utf8(bytes).unwrap().to_owned()),
        "utf-16-le" => utf16(u16::from_le_bytes),
        "utf-16-be" => utf16(u16::from_be_bytes),
        "windows-1252" | "iso-8859-1" if !bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) => {
            Some(bytes.iter().map(|&byte| char::from(byte)).collect())
        }
        _ => None,
    }
}

fn squashed(text: &str) -> String {
    let ignored = |c: &char| c.is_whitespace() || matches!(c, '-' | '\u{ad}' | '\u{feff}');
    text.nfkc().filter(|c| !ignored(c)).collect()
}

/// Everything in a database that the tree and the settings decide, line by line: no ids, no clock.
///
/// Two databases of one and the same tree agree in places, times and inodes as well.
fn lines(database: &Path) -> BTreeSet<String> {
    const PARTS: &[(&str, &str)] = &[
        (
            "file",
            "SELECT r.path, f.relative_path, f.full_filepath, f.folder_path, f.filename, f.file_extension, f.file_type,
                    f.size_bytes, f.hash, f.creation_date, f.modification_date, f.permissions, f.mtime_s, f.mtime_ns,
                    f.ctime_s, f.ctime_ns, f.inode, f.device, f.depth_level, f.is_hidden, f.is_symlink,
                    f.symlink_target, f.path_bytes, f.mime_type, f.encoding, f.format, f.duplicate_status,
                    f.is_canonical, f.estimated_tokens, f.processing_status, f.status_reason, f.extractor,
                    CASE f.processing_status WHEN 'Processed' THEN f.settings_hash END, (SELECT g.full_filepath FROM files g
                      WHERE g.duplicate_group_id = f.duplicate_group_id AND g.is_canonical)
             FROM files f JOIN roots r USING(root_id) WHERE f.processing_status IS NOT 'Deleted'",
        ),
        (
            "source",
            "SELECT f.full_filepath, s.start_index, s.end_index, s.chunking_strategy, s.source_start, s.source_end,
                    s.source_exact, s.locator, s.heading_path, s.context, c.content_hash, c.estimated_tokens,
                    c.tokenizer_model
             FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)",
        ),
        ("chunk", "SELECT content_hash, content FROM chunks"),
        (
            "version",
            "SELECT f.full_filepath, v.variant, v.version, v.is_current, v.sha256, v.byte_length, v.char_length,
                    v.needs_review, v.review_reasons, v.extractor
             FROM text_versions v JOIN files f USING(file_id) WHERE v.is_current",
        ),
        (
            "text",
            "SELECT f.full_filepath, t.variant, t.version, t.segment, t.start_index, t.char_start, length(t.content)
             FROM texts t JOIN files f USING(file_id) JOIN text_versions v USING(file_id, variant, version)
             WHERE v.is_current",
        ),
        (
            "map",
            "SELECT f.full_filepath, m.variant, m.version, m.segment, m.content FROM text_maps m JOIN files f USING(file_id)
             JOIN text_versions v USING(file_id, variant, version) WHERE v.is_current",
        ),
        ("metadata", "SELECT f.full_filepath, m.key, m.value FROM metadata m JOIN files f USING(file_id)"),
        ("problem", "SELECT path, error_type, error_message FROM errors"),
    ];
    let corpus = open(database);
    let all = PARTS.iter().flat_map(|(name, query)| {
        let all = rows(&corpus, query);
        all.into_iter().map(move |row| format!("{name}|{row}"))
    });
    all.collect()
}

/// Fails, with the first lines that differ, unless two databases hold the same; texts of earlier versions aside.
#[track_caller]
pub fn assert_same(found: &Path, expected: &Path) {
    let (found, expected) = (lines(found), lines(expected));
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        let all = a.difference(b).take(6).map(|line| line.chars().take(700).collect::<String>());
        all.collect::<Vec<_>>().join("\n  ")
    };
    assert!(
        found == expected,
        "only in the database that changed:\n  {}\nonly in the clean one:\n  {}",
        only(&found, &expected),
        only(&expected, &found)
    );
}

/// SHA-256 in lower-case hexadecimal digits.
fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
