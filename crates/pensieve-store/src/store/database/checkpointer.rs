//! A thread that copies committed pages from the write-ahead log into the database file while a run goes on.
//!
//! Without it the writer does so itself, whenever the log has grown to `wal_autocheckpoint` pages. A limit stays, because the
//! log begins anew only when a transaction begins while everything is copied, and a run begins its transactions one after
//! the other. A thread that falls behind, or fails, costs time and nothing else.

use super::connection::connect_for_waiting;
use crate::store::rows::sql::Queries;
use rusqlite::Connection;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Pages of the log at which the writer copies what is left: 256 MB.
const MAX_LOG_PAGES: i64 = 16_384;

/// The log keeps this size when it begins anew: cutting it off and growing it again costs as much as the copies.
const KEPT_LOG_BYTES: i64 = 512 << 20;

/// Makes a connection that writes leave the copying to a [`Checkpointer`] for longer.
pub(crate) fn leave_checkpoints(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_size_limit", KEPT_LOG_BYTES)?;
    connection.pragma_update(None, "wal_autocheckpoint", MAX_LOG_PAGES)
}

/// The thread; it ends, and its connection is closed, when this is dropped.
pub(crate) struct Checkpointer {
    requests: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread; without one the writer copies pages as it commits.
    pub fn start(path: &Path) -> Checkpointer {
        let path = path.to_path_buf();
        let (sender, requests) = sync_channel(1);
        let named = std::thread::Builder::new().name("checkpoint".to_owned());
        let thread = named.spawn(move || copy_pages(&path, &requests)).ok();
        Checkpointer { requests: Some(sender), thread }
    }

    /// Has what was committed copied soon.
    pub fn request(&self) {
        // A full channel has a request that was not served yet: it covers this one.
        let _ = self.requests.as_ref().map(|requests| requests.try_send(()));
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn copy_pages(path: &Path, requests: &Receiver<()>) {
    let Ok(connection) = connect_for_waiting(path) else { return };
    for () in requests {
        // What is left over, the writer or the next request copies.
        let _ = connection.one("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn committed_pages_are_in_the_file_before_the_run_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus.db");
        let store = Store::open_for_writing(&path).unwrap();
        let checkpointer = Checkpointer::start(&path);
        store.roots().add(Path::new("/a/root/with/a/name")).unwrap();
        checkpointer.request();
        drop(checkpointer);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.windows(19).any(|window| window == b"/a/root/with/a/name"));
        store.close().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
