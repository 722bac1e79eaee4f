//! Connections that only read, lent to working threads.
//!
//! So many requests read at once as there are connections; the others wait their turn for a while. Whoever stops
//! waiting has the work broken off, so that a slow question costs no more than its time.

use super::problem::{Kind, Problem};
use crate::store::{QueryDeadline, Store, StoreError};
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
struct Waiting(QueryDeadline);

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
        let watch = QueryDeadline::at(Instant::now() + self.time);
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
        watch: QueryDeadline,
        question: impl FnOnce(&Store) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut store = match self.idle().pop() {
            Some(store) => store,
            None => Store::open_for_reading(&self.path)?,
        };
        store.set_deadline(watch.clone())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(2)
            .enable_all()
            .build()
            .unwrap()
    }

    fn pool(size: u32, time: Duration) -> (tempfile::TempDir, Arc<Pool>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Store::open_for_writing(&path).unwrap().close().unwrap();
        (folder, Arc::new(Pool::new(&path, size, time)))
    }

    /// Reads until it is broken off, but not for ever.
    fn read_on(store: &Store) -> Result<(), Problem> {
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end {
            store.statistics().corpus()?;
        }
        Ok(())
    }

    #[test]
    fn an_answer_that_takes_too_long_is_broken_off() {
        let (_folder, pool) = pool(1, Duration::from_millis(100));
        runtime().block_on(async {
            let problem = pool.ask(read_on).await.unwrap_err();
            assert_eq!((problem.kind, problem.kind.status().as_u16()), (Kind::TooSlow, 503));
            // The connection serves the next one.
            pool.ask(|store| Ok(store.roots().all()?.len())).await.unwrap();
        });
    }

    #[test]
    fn who_gets_no_turn_in_time_is_told() {
        let (_folder, pool) = pool(1, Duration::from_millis(200));
        runtime().block_on(async {
            let (long, held) = (Arc::clone(&pool), Arc::clone(&pool.turns));
            let first = tokio::spawn(async move {
                long.ask(|_| {
                    sleep(Duration::from_secs(1));
                    Ok(())
                })
                .await
            });
            while held.available_permits() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert_eq!(pool.ask(|_| Ok(())).await.unwrap_err().kind, Kind::Busy);
            first.await.unwrap().unwrap();
        });
    }

    #[test]
    fn a_question_that_nobody_waits_for_ends() {
        let (_folder, pool) = pool(1, Duration::from_secs(60));
        runtime().block_on(async {
            let begun = Instant::now();
            let gone = tokio::time::timeout(Duration::from_millis(50), pool.ask(read_on)).await;
            assert!(gone.is_err());
            pool.ask(|store| Ok(store.roots().all()?.len())).await.unwrap();
            assert!(begun.elapsed() < Duration::from_secs(30));
        });
    }

    #[test]
    fn a_panic_is_a_problem_and_the_pool_goes_on() {
        let (_folder, pool) = pool(1, Duration::from_secs(60));
        runtime().block_on(async {
            let problem = pool.ask(|_| -> Result<(), Problem> { panic!("a bug") }).await.unwrap_err();
            assert_eq!(problem.kind, Kind::Bug);
            pool.ask(|_| Ok(())).await.unwrap();
        });
    }
}
