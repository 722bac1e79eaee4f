//! Read-only connections for working threads.
//!
//! As many requests read at the same time as there are connections; others wait for a limited time. When a caller stops
//! waiting, its query is interrupted, so that a slow query takes no longer than its time limit.

use super::problem::{Kind, Problem};
use crate::store::{QueryDeadline, Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// A pool of connections.
pub struct Pool {
    path: PathBuf,
    idle: Mutex<Vec<Store>>,
    permits: Arc<Semaphore>,
    size: u32,
    timeout: Duration,
}

/// Interrupts the query when it is dropped because its caller is gone.
struct CancelOnDrop(QueryDeadline);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Pool {
    /// Up to `size` connections to a database; every query is answered within `timeout`.
    pub fn new(path: &Path, size: u32, timeout: Duration) -> Pool {
        let permits = Arc::new(Semaphore::new(size as usize));
        Pool { path: path.to_path_buf(), idle: Mutex::default(), permits, size, timeout }
    }

    /// Runs a query on a working thread, within one read transaction.
    ///
    /// # Errors
    /// The query failed, panicked or took too long, or no connection was free in time.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Pool>,
        query: impl FnOnce(&Store) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let deadline = QueryDeadline::at(Instant::now() + self.timeout);
        let permit = tokio::time::timeout(self.timeout, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Problem::new(Kind::Busy, "Too many questions wait before this one; try again."));
        };
        let _cancel = CancelOnDrop(deadline.clone());
        let pool = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let answer = pool.answer(deadline, query);
            drop(permit);
            answer
        });
        work.await.unwrap_or_else(|panic| Err(Problem::bug(panic.to_string())))
    }

    fn answer<T>(
        &self,
        deadline: QueryDeadline,
        query: impl FnOnce(&Store) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut store = match self.idle().pop() {
            Some(store) => store,
            None => Store::open_for_reading(&self.path)?,
        };
        store.set_deadline(deadline.clone())?;
        let answer = store.at_one_moment(query);
        if deadline.is_over() && answer.is_err() {
            // Whatever error an interrupted query returns, the deadline is its cause.
            self.idle().push(store);
            return Err(StoreError::Interrupted { path: self.path.clone() }.into());
        }
        self.idle().push(store);
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Store>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for running queries, refuses new ones, and closes every connection. False if a query is still running
    /// after the timeout.
    pub async fn close(&self, timeout: Duration) -> bool {
        let all = tokio::time::timeout(timeout, self.permits.acquire_many(self.size)).await;
        self.permits.close();
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

    fn pool(size: u32, timeout: Duration) -> (tempfile::TempDir, Arc<Pool>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Store::open_for_writing(&path).unwrap().close().unwrap();
        (folder, Arc::new(Pool::new(&path, size, timeout)))
    }

    /// Reads until it is interrupted, or for a minute.
    fn read_on(store: &Store) -> Result<(), Problem> {
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end {
            store.statistics().corpus()?;
        }
        Ok(())
    }

    #[test]
    fn a_query_that_takes_too_long_is_interrupted() {
        let (_folder, pool) = pool(1, Duration::from_millis(100));
        runtime().block_on(async {
            let problem = pool.ask(read_on).await.unwrap_err();
            assert_eq!((problem.kind, problem.kind.status().as_u16()), (Kind::TooSlow, 503));
            // The connection serves the next one.
            pool.ask(|store| Ok(store.roots().all()?.len())).await.unwrap();
        });
    }

    #[test]
    fn a_query_without_a_connection_in_time_is_refused() {
        let (_folder, pool) = pool(1, Duration::from_millis(200));
        runtime().block_on(async {
            let (long, permits) = (Arc::clone(&pool), Arc::clone(&pool.permits));
            let first = tokio::spawn(async move {
                long.ask(|_| {
                    sleep(Duration::from_secs(1));
                    Ok(())
                })
                .await
            });
            while permits.available_permits() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert_eq!(pool.ask(|_| Ok(())).await.unwrap_err().kind, Kind::Busy);
            first.await.unwrap().unwrap();
        });
    }

    #[test]
    fn a_query_whose_caller_is_gone_ends() {
        let (_folder, pool) = pool(1, Duration::from_secs(60));
        runtime().block_on(async {
            let started = Instant::now();
            let gone = tokio::time::timeout(Duration::from_millis(50), pool.ask(read_on)).await;
            assert!(gone.is_err());
            pool.ask(|store| Ok(store.roots().all()?.len())).await.unwrap();
            assert!(started.elapsed() < Duration::from_secs(30));
        });
    }

    #[test]
    fn a_panic_is_a_problem_and_the_pool_continues() {
        let (_folder, pool) = pool(1, Duration::from_secs(60));
        runtime().block_on(async {
            let problem = pool.ask(|_| -> Result<(), Problem> { panic!("a bug") }).await.unwrap_err();
            assert_eq!(problem.kind, Kind::Bug);
            pool.ask(|_| Ok(())).await.unwrap();
        });
    }
}
