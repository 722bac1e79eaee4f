//! What tests of the store have in common: a database in memory with one root.

use super::migrate::{DatabaseKind, migrate};
use super::open::Store;
use super::roots::Root;
use rusqlite::Connection;
use std::path::Path;

/// A database in memory with the root `/r`.
pub(super) fn store() -> Store {
    Store::over(connection(), Path::new("memory.db"))
}

/// The same as a connection.
pub(super) fn connection() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, DatabaseKind::Empty).unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    connection.execute("INSERT INTO roots(root_id, path) VALUES(1, '/r')", []).unwrap();
    connection
}

/// The root of [`store`].
pub(super) fn root() -> Root {
    Root { root_id: 1, path: "/r".to_owned(), location: "/r".into() }
}
