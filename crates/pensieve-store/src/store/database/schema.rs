//! What a database file is, its schema, and its migration to the current one.
//!
//! The schema of a database must be what the migrations make, byte for byte. Whoever hands over a database may have put a
//! trigger, a view or another table into it, which would run or answer in place of ours. A digest for each version shows
//! in microseconds that nothing differs; only if something does, the schema is made in memory and compared.

use super::error::StoreError;
use crate::store::rows::digest_lines::LineHasher;
use crate::store::rows::digests;
use crate::store::rows::hidden_text::{self, FIRST_WITH_HIDDEN_TEXT};
use crate::store::rows::sql::{Queries, undefended};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::collections::BTreeSet;
use std::path::Path;

/// Step n migrates schema n to n + 1.
const STEPS: &[&str] = &[
    include_str!("migrations/0001_corpus.sql"),
    include_str!("migrations/0002_mail.sql"),
    include_str!("migrations/0003_search.sql"),
    include_str!("migrations/0004_groups.sql"),
    include_str!("migrations/0005_digests.sql"),
    include_str!("migrations/0006_changes.sql"),
    include_str!("migrations/0007_paragraphs.sql"),
    include_str!("migrations/0008_vectors.sql"),
    include_str!("migrations/0009_parts.sql"),
    include_str!("migrations/0010_secrets.sql"),
    include_str!("migrations/0011_hidden_text.sql"),
    include_str!("migrations/0012_review_counts.sql"),
    include_str!("migrations/0013_document_fields.sql"),
    include_str!("migrations/0014_tables.sql"),
    include_str!("migrations/0015_repetition.sql"),
    include_str!("migrations/0016_boilerplate.sql"),
    include_str!("migrations/0017_found_runs.sql"),
];

/// `PRAGMA application_id`: "PENS".
pub(super) const APPLICATION_ID: i64 = 0x5045_4E53;

/// The schema that this version of the program writes.
pub(crate) const SCHEMA_VERSION: i64 = STEPS.len() as i64;

/// The first schema that stores digests of files.
pub(crate) const FIRST_WITH_DIGESTS: i64 = 5;

/// What a database file is, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
    /// A file without any content.
    Empty,
    /// A database of this program, with this schema.
    Ours(i64),
    /// The file of another program.
    Foreign,
}

/// Reads the header without writing.
fn kind(connection: &Connection) -> Result<DatabaseKind, StoreError> {
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version = schema_version(connection)?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(match (application, version, objects) {
        (APPLICATION_ID, version, _) => DatabaseKind::Ours(version),
        (0, 0, 0) => DatabaseKind::Empty,
        _ => DatabaseKind::Foreign,
    })
}

/// The schema of a database.
pub(crate) fn schema_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Refuses files of other programs, newer schemas, and schemas that are not as the migrations make them.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<DatabaseKind, StoreError> {
    let kind = kind(connection)?;
    match kind {
        DatabaseKind::Foreign => Err(StoreError::Foreign { path: path.to_path_buf() }),
        DatabaseKind::Ours(found) if found > SCHEMA_VERSION => {
            Err(StoreError::Newer { path: path.to_path_buf(), found, known: SCHEMA_VERSION })
        }
        DatabaseKind::Ours(version) => refuse_altered(connection, version, path).map(|()| kind),
        DatabaseKind::Empty => Ok(kind),
    }
}

/// Migrates an empty or older database to the current schema, in one transaction.
pub(crate) fn migrate(connection: &mut Connection, kind: DatabaseKind) -> Result<(), StoreError> {
    let from = match kind {
        DatabaseKind::Ours(version) => version,
        _ => 0,
    };
    if from >= SCHEMA_VERSION {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    undefended(&transaction, || {
        STEPS[from as usize..].iter().try_for_each(|step| transaction.execute_batch(step))
    })?;
    if from < FIRST_WITH_DIGESTS {
        digests::write_all(&transaction)?;
    }
    if from < FIRST_WITH_HIDDEN_TEXT {
        hidden_text::take_over(&transaction)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()?;
    Ok(())
}

/// SHA-256 over the objects of each schema, from version 1 on. A new migration adds a line; the test prints it.
const DIGESTS: &[&str] = &[
    "6bf87e56969e248355b3f8d9e99423e83cc3ad3d707805543c1958e1510de291",
    "5742d403adf6734ba5317eec3eecdf87dd40b79090241703e27a522d302e645d",
    "96ec31f21324d293f87dfb760f45c28c819280d0db15eb2bc0b344717f16792e",
    "062a90f5b70680375c4b72948bc329d8c8e2a119b330ddf87109e8caac41c4a2",
    "72256edf18bb7d22e33a16a947c838c6d5db8fcb371877b37f2a9cc3e74e1d42",
    "5642d4b8e8c6493be57ed30794db3c3dd8b824bea2bf128fb2e9402c42bb8ee7",
    "7b66903d4676e16cc2dc7a9a9f7cbed45501825e0346777d5435550c5bcc4b20",
    "0e04ea24c976209f7f6e2eaa6fd3a6c59a0bdafa1bcd9d1bc72cdbbe899ccb6d",
    "5709099948aa2c24b5de64559f7ccbcffc640b7fdf58748b10eddda1755e3b1d",
    "89bb1ef9522bfc67e317411f9c34197172c1d7a39eec17b148f8ddce3dd5e918",
    "719f64cfe55cae5d8415e0bc188b4f22e0ea818c82699f129b00df835c1c8a21",
    "22dbf95599294dd347a400dd73ee498e7374be7220be0c9143752707e96156c1",
    "0b0fa51719fdd6485db8f276a1c9896d1b74b11f310b690589922d919f418ebc",
    "c5157ed82e62427a821462ffdc3df8adee72c0cc4fbfb1f602b50ce31639ff76",
    "b148ceb171a2e10f10b219b4a93211aa71ae3902b70b7cb4002cbcc3bb43e189",
    "3de94ec587e2d5f4d9a639a02f8cb4277c5b20d1d232c0a6026b2645e568a358",
    "09ede4104079c84c615549df42041451bc9309253294f0e9c6e2a0f564ba111d",
];

/// The index that a large load builds at its end, and the tables of `ANALYZE`: they may be missing.
const OPTIONAL: &[(&str, &str)] = &[
    (LOADED_INDEX, "CREATE UNIQUE INDEX chunks_by_hash ON chunks(content_hash)"),
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
];

const LOADED_INDEX: &str = "chunks_by_hash";

/// The key of `meta` that marks an unfinished load.
pub(crate) const LOAD_MARK: &str = "load";

/// A row of `sqlite_schema`: kind, name, table, definition.
type SchemaObject = (String, String, String, Option<String>);

/// Refuses a database of ours whose schema is not that of its version.
///
/// Cost: about 0.1 ms.
fn refuse_altered(connection: &Connection, version: i64, path: &Path) -> Result<(), StoreError> {
    // One snapshot: a run may end its load meanwhile.
    let _snapshot = connection.unchecked_transaction()?;
    let altered = |object: String| StoreError::Altered { path: path.to_path_buf(), object };
    let mut found = objects(connection)?;
    let mut has_index = false;
    found.retain(|(_, name, _, sql)| {
        let is_optional = OPTIONAL.iter().any(|known| *known == (name, sql.as_deref().unwrap_or_default()));
        has_index |= is_optional && name == LOADED_INDEX;
        !is_optional
    });
    let expected = usize::try_from(version - 1).ok().and_then(|at| DIGESTS.get(at));
    if expected != Some(&digest(&found).as_str()) {
        return Err(altered(first_difference(&found, version)?));
    }
    match has_index || connection.has("SELECT 1 FROM meta WHERE key = ?1", [LOAD_MARK])? {
        true => Ok(()),
        false => Err(altered(format!("the index `{LOADED_INDEX}` is missing"))),
    }
}

fn objects(connection: &Connection) -> rusqlite::Result<Vec<SchemaObject>> {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name, type";
    connection.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
}

fn digest(objects: &[SchemaObject]) -> String {
    let mut lines = LineHasher::default();
    for (kind, name, table, sql) in objects {
        let sql = sql.as_deref().map_or(ValueRef::Null, ValueRef::from);
        lines.add("object", &[kind.as_str().into(), name.as_str().into(), table.as_str().into(), sql]);
    }
    lines.finish().map(|digest| digest.to_hex()).unwrap_or_default()
}

/// The first object that is not as the migrations make it, in words.
fn first_difference(found: &[SchemaObject], version: i64) -> rusqlite::Result<String> {
    let made = Connection::open_in_memory()?;
    for step in STEPS.iter().take(usize::try_from(version).unwrap_or(0)) {
        made.execute_batch(step)?;
    }
    let expected: BTreeSet<SchemaObject> = objects(&made)?.into_iter().collect();
    let names: BTreeSet<&str> = expected.iter().map(|object| object.1.as_str()).collect();
    let foreign = found.iter().find(|object| !expected.contains(object));
    if let Some((kind, name, table, _)) = foreign {
        return Ok(match (names.contains(name.as_str()), kind.as_str()) {
            (true, _) => format!("the {kind} `{name}` is not as this program makes it"),
            (false, "trigger" | "index") => format!("the {kind} `{name}` on `{table}` is not ours"),
            (false, _) => format!("the {kind} `{name}` is not ours"),
        });
    }
    let missing = expected.iter().find(|object| object.1 != LOADED_INDEX && !found.contains(object));
    Ok(match missing {
        Some((kind, name, ..)) => format!("the {kind} `{name}` is missing"),
        None => "an object of the schema is there twice".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_becomes_ours_and_stays_as_it_is() {
        let mut connection = Connection::open_in_memory().expect("memory");
        assert_eq!(kind(&connection).expect("readable"), DatabaseKind::Empty);
        migrate(&mut connection, DatabaseKind::Empty).expect("the schema is valid");
        assert_eq!(kind(&connection).expect("readable"), DatabaseKind::Ours(SCHEMA_VERSION));
        migrate(&mut connection, DatabaseKind::Ours(SCHEMA_VERSION)).expect("nothing to do");
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch("CREATE TABLE t(x)").expect("valid");
        assert!(matches!(check(&connection, Path::new("x")), Err(StoreError::Foreign { .. })));
        let connection = Connection::open_in_memory().expect("memory");
        connection.pragma_update(None, "application_id", APPLICATION_ID).expect("valid");
        connection.pragma_update(None, "user_version", SCHEMA_VERSION + 1).expect("valid");
        assert!(matches!(check(&connection, Path::new("x")), Err(StoreError::Newer { .. })));
    }

    /// A database in memory with the schema of a version.
    fn made(version: usize) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        STEPS[..version].iter().for_each(|step| connection.execute_batch(step).unwrap());
        connection
    }

    #[test]
    fn every_version_is_as_the_migrations_make_it() {
        assert_eq!(DIGESTS.len(), STEPS.len());
        for version in 1..=DIGESTS.len() {
            let mut objects = objects(&made(version)).unwrap();
            objects.retain(|object| object.1 != LOADED_INDEX);
            assert_eq!(digest(&objects), DIGESTS[version - 1], "version {version}");
            refuse_altered(&made(version), version as i64, Path::new("a.db")).unwrap();
        }
    }

    #[test]
    fn what_is_not_ours_is_named() {
        let check = |change: &str, expected: &str| {
            let connection = made(DIGESTS.len());
            connection.execute_batch(change).unwrap();
            let error = refuse_altered(&connection, DIGESTS.len() as i64, Path::new("a.db")).unwrap_err();
            assert_eq!(error.to_string(), format!("the schema of `a.db` was altered: {expected}"));
        };
        check(
            "CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM chunks; END",
            "the trigger `t` on `files` is not ours",
        );
        check("CREATE VIEW v AS SELECT 1", "the view `v` is not ours");
        check("CREATE TABLE t(x)", "the table `t` is not ours");
        check("CREATE INDEX i ON files(filename)", "the index `i` on `files` is not ours");
        check("CREATE VIRTUAL TABLE v USING fts5(x)", "the table `v` is not ours");
        check(
            "ALTER TABLE files ADD COLUMN x GENERATED ALWAYS AS (1)",
            "the table `files` is not as this program makes it",
        );
        check(
            "ALTER TABLE roots RENAME TO r; CREATE VIEW roots AS SELECT * FROM r",
            "the table `files` is not as this program makes it",
        );
        check(
            "DROP TABLE chunks_fts; CREATE VIRTUAL TABLE chunks_fts USING fts5(content, tokenize='trigram')",
            "the table `chunks_fts` is not as this program makes it",
        );
        check("DROP INDEX files_by_hash", "the index `files_by_hash` is missing");
        check("DROP INDEX chunks_by_hash", "the index `chunks_by_hash` is missing");
        check(
            "DROP INDEX chunks_by_hash; CREATE INDEX chunks_by_hash ON chunks(content_hash)",
            "the index `chunks_by_hash` is not as this program makes it",
        );
    }

    #[test]
    fn statistics_and_an_open_load_are_ours() {
        let connection = made(DIGESTS.len());
        connection.execute_batch("ANALYZE; DROP INDEX chunks_by_hash").unwrap();
        let check = || refuse_altered(&connection, DIGESTS.len() as i64, Path::new("a.db"));
        assert!(check().is_err());
        connection.execute_batch("INSERT INTO meta VALUES('load', 'open')").unwrap();
        check().unwrap();
    }
}
