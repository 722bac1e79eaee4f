//! [`Store`]: an open database, for reading or for writing.

use super::StoreError;
use super::connection::{close_wal, connect_for_reading, connect_for_writing, refuse_place, require_file};
use super::lock::RunLock;
use super::migrate::{self, DatabaseKind};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// An open database: its connection, its path, and for a run the lock beside it.
///
/// Reading goes through one type for each group of questions ([`Store::documents`], [`Store::texts`], ...), writing
/// through a [`Writer`](super::Writer).
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    lock: Option<RunLock>,
}

impl Store {
    /// Opens an existing database for reading; nothing is written.
    ///
    /// # Errors
    /// Missing, a folder, not ours, newer, or unreadable.
    pub fn open_for_reading(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        match Store::look_into(path)? {
            (_, DatabaseKind::Empty) => Err(StoreError::Foreign { path: path.to_path_buf() }),
            (store, _) => Ok(store),
        }
    }

    /// As [`Store::open_for_reading`]; `None` where there is no database yet, or one that a run left before it had
    /// written anything.
    ///
    /// # Errors
    /// As for reading, and the refusals of a run: a folder in its place, no folder to hold it.
    pub fn open_if_there(path: &Path) -> Result<Option<Store>, StoreError> {
        refuse_place(path)?;
        if !path.exists() {
            return Ok(None);
        }
        let (store, kind) = Store::look_into(path)?;
        Ok((kind != DatabaseKind::Empty).then_some(store))
    }

    /// Opens an existing database to change it (`forget`, `compact`).
    ///
    /// # Errors
    /// As for reading; locked by another run; read-only.
    pub fn open_for_change(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        Store::open_writable(path)
    }

    /// Opens a database for a run and creates it where there is none.
    ///
    /// # Errors
    /// The folder is missing, the path is a folder, the file is not ours, newer, locked or read-only.
    pub fn open_for_writing(path: &Path) -> Result<Store, StoreError> {
        refuse_place(path)?;
        Store::open_writable(path)
    }

    fn open_writable(path: &Path) -> Result<Store, StoreError> {
        if path.exists() {
            // Checked before anything is created beside the file: what is not ours stays untouched.
            Store::look_into(path)?;
        }
        let lock = RunLock::acquire(path)?;
        let store = Store::over(connect_for_writing(path)?, path);
        Ok(Store { lock: Some(lock), ..store })
    }

    fn look_into(path: &Path) -> Result<(Store, DatabaseKind), StoreError> {
        let connection = connect_for_reading(path)?;
        let kind = migrate::check(&connection, path).map_err(|error| error.at(path))?;
        Ok((Store::over(connection, path), kind))
    }

    /// A store over an open connection, without the lock of a run.
    pub(super) fn over(connection: Connection, path: &Path) -> Store {
        Store { connection, path: path.to_path_buf(), lock: None }
    }

    /// Leaves one plain file: everything flushed, no WAL. Where another process still reads, the WAL stays and the next
    /// run converts it.
    pub fn close(self) -> Result<(), StoreError> {
        let Store { connection, path, lock } = self;
        let closed = close_wal(connection).map_err(|error| StoreError::from(error).at(&path));
        drop(lock);
        closed
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Asks the database; an error names its path.
    pub(super) fn ask<'s, T>(
        &'s self,
        question: impl FnOnce(&'s Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        question(&self.connection).map_err(|error| StoreError::from(error).at(&self.path))
    }

    /// The error for stored content that contradicts itself.
    pub(super) fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), detail }
    }
}
