//! What a database file is, and its migration to the current schema.

use super::error::StoreError;
use super::hidden_text::{self, FIRST_WITH_HIDDEN_TEXT};
use super::migrations::STEPS;
use super::sql::undefended;
use super::{digests, schema};
use rusqlite::Connection;
use std::path::Path;

/// `PRAGMA application_id`: "PENS".
pub(super) const APPLICATION_ID: i64 = 0x5045_4E53;

/// The schema that this version of the program writes.
pub(super) const SCHEMA_VERSION: i64 = STEPS.len() as i64;

/// The first schema that stores digests of files.
pub(super) const FIRST_WITH_DIGESTS: i64 = 5;

/// What a database file is, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DatabaseKind {
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
pub(super) fn schema_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Refuses files of other programs, newer schemas, and schemas that are not as the migrations make them.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<DatabaseKind, StoreError> {
    let kind = kind(connection)?;
    match kind {
        DatabaseKind::Foreign => Err(StoreError::Foreign { path: path.to_path_buf() }),
        DatabaseKind::Ours(found) if found > SCHEMA_VERSION => {
            Err(StoreError::Newer { path: path.to_path_buf(), found, known: SCHEMA_VERSION })
        }
        DatabaseKind::Ours(version) => schema::check(connection, version, path).map(|()| kind),
        DatabaseKind::Empty => Ok(kind),
    }
}

/// Migrates an empty or older database to the current schema, in one transaction.
pub(super) fn migrate(connection: &mut Connection, kind: DatabaseKind) -> Result<(), StoreError> {
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
}
