//! The schema as numbered steps, forward only.

use super::StoreError;
use rusqlite::Connection;
use std::path::Path;

/// `PRAGMA application_id`: "PENS".
pub const APPLICATION_ID: i64 = 0x5045_4E53;

/// Step n leads from schema n to n + 1.
const STEPS: &[&str] = &[
    include_str!("migrations/0001_corpus.sql"),
    include_str!("migrations/0002_mail.sql"),
    include_str!("migrations/0003_search.sql"),
    include_str!("migrations/0004_groups.sql"),
];

/// The schema that this version writes.
pub const SCHEMA: i64 = STEPS.len() as i64;

/// What a database file is, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing in it yet.
    Empty,
    /// One of ours, with this schema.
    Ours(i64),
    /// Somebody else's.
    Foreign,
}

/// Reads the header without writing.
pub fn kind(connection: &Connection) -> Result<Kind, StoreError> {
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(match (application, version, objects) {
        (APPLICATION_ID, version, _) => Kind::Ours(version),
        (0, 0, 0) => Kind::Empty,
        _ => Kind::Foreign,
    })
}

/// Refuses what is not ours or is newer.
pub fn check(connection: &Connection, path: &Path) -> Result<Kind, StoreError> {
    let kind = kind(connection)?;
    match kind {
        Kind::Foreign => Err(StoreError::Foreign { path: path.to_path_buf() }),
        Kind::Ours(found) if found > SCHEMA => {
            Err(StoreError::Newer { path: path.to_path_buf(), found, known: SCHEMA })
        }
        _ => Ok(kind),
    }
}

/// Brings an empty or older database to the present schema, in one transaction.
pub fn migrate(connection: &mut Connection, kind: Kind) -> Result<(), StoreError> {
    let from = match kind {
        Kind::Ours(version) => version,
        _ => 0,
    };
    if from >= SCHEMA {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for step in &STEPS[from as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA)?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_becomes_ours_and_stays_as_it_is() {
        let mut connection = Connection::open_in_memory().expect("memory");
        assert_eq!(kind(&connection).expect("readable"), Kind::Empty);
        migrate(&mut connection, Kind::Empty).expect("the schema is valid");
        assert_eq!(kind(&connection).expect("readable"), Kind::Ours(SCHEMA));
        migrate(&mut connection, Kind::Ours(SCHEMA)).expect("nothing to do");
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch("CREATE TABLE t(x)").expect("valid");
        assert!(matches!(check(&connection, Path::new("x")), Err(StoreError::Foreign { .. })));
        let connection = Connection::open_in_memory().expect("memory");
        connection.pragma_update(None, "application_id", APPLICATION_ID).expect("valid");
        connection.pragma_update(None, "user_version", SCHEMA + 1).expect("valid");
        assert!(matches!(check(&connection, Path::new("x")), Err(StoreError::Newer { .. })));
    }
}
