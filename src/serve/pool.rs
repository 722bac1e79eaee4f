//! Connections that only read, lent to working threads.
//!
//! So many requests read at once as there are connections; the others wait their turn for a while. Whoever stops
//! waiting has the work broken off, so that a slow question costs no more than its time.

use super::problem::{Kind, Problem};
use crate::store::{Store, StoreError, Watch};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Lent connections.
pub struct Pool {
    path: PathBuf,
    idle: Mutex<Vec<Store>>,
    turns: Arc<Semaphore>,
    size: u32,
    time: Duration,
}

/// Breaks the work off when the one who waits for it goes away.
struct Waiting(Watch);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Pool {
    /// Up to `size` connections to a database, each question answered within `time`.
    pub fn new(path: &Path, size: u32, time: Duration) -> Pool {
        let turns = Arc::new(Semaphore::new(size as usize));
        Pool { path: path.to_path_buf(), idle: Mutex::default(), turns, size, time }
    }

    /// Runs a question on a working thread, with everything in it as of one moment.
    ///
    /// # Errors
    /// Its own; no turn came; it took too long; it panicked.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Pool>,
        question: impl FnOnce(&Store) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let watch = Watch::until(Instant::now() + self.time);
        let turn = tokio::time::timeout(self.time, Arc::clone(&self.turns).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Problem::new(Kind::Busy, "Too many questions wait before this one; try again."));
        };
        let _waiting = Waiting(watch.clone());
        let pool = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let answer = pool.answer(watch, question);
            drop(turn);
            answer
        });
        work.await.unwrap_or_else(|panic| Err(Problem::bug(panic.to_string())))
    }

    fn answer<T>(
        &self,
        watch: Watch,
        question: impl FnOnce(&Store) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut store = match self.idle().pop() {
            Some(store) => store,
            None => Store::open_for_reading(&self.path)?,
        };
        store.watch(watch.clone())?;
        let answer = store.at_one_moment(question);
        if watch.is_over() && answer.is_err() {
            // Broken off in the middle: whatever it says, time was the reason.
            self.idle().push(store);
            return Err(StoreError::Interrupted { path: self.path.clone() }.into());
        }
        self.idle().push(store);
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Store>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets nobody in any more, waits for those who are, and closes every connection. False where somebody is still at
    /// work when the time is over.
    pub async fn close(&self, time: Duration) -> bool {
        let all = tokio::time::timeout(time, self.turns.acquire_many(self.size)).await;
        self.turns.close();
        self.idle().clear();
        matches!(all, Ok(Ok(_)))
    }
}
