//! Read-only connections for working threads.
//!
//! As many requests read at the same time as there are connections; others wait for a limited time. When a caller stops
//! waiting, its query is interrupted, so that a slow query takes no longer than its time limit.

use pensieve_store::store::{QueryDeadline, Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::sync::Semaphore;

/// A pool of connections to one database.
pub struct ConnectionPool {
    path: PathBuf,
    /// Connections that nobody uses.
    idle: Mutex<Vec<Store>>,
    permits: Arc<Semaphore>,
    size: u32,
    timeout: Duration,
}

/// Why a query was not run, or was not finished.
#[derive(Debug, Error)]
pub enum PoolError {
    /// All connections were in use until the timeout.
    #[error("no connection was free in time")]
    Busy,
    /// A bug: the query panicked.
    #[error("a query panicked: {0}")]
    Panicked(String),
}

/// Interrupts the query when it is dropped because its caller is gone.
struct CancelOnDrop(QueryDeadline);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl ConnectionPool {
    /// Up to `size` connections to a database, which is opened when it is asked; every query is answered within `timeout`.
    pub fn new(path: &Path, size: u32, timeout: Duration) -> ConnectionPool {
        let permits = Arc::new(Semaphore::new(size as usize));
        ConnectionPool { path: path.to_path_buf(), idle: Mutex::default(), permits, size, timeout }
    }

    /// Runs a query on a working thread, within one read transaction.
    ///
    /// # Errors
    /// The query failed, panicked or took too long, or no connection was free in time.
    pub async fn ask<T, E>(
        self: &Arc<ConnectionPool>,
        query: impl FnOnce(&Store) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + From<PoolError> + Send + 'static,
    {
        let deadline = QueryDeadline::at(Instant::now() + self.timeout);
        let permit = tokio::time::timeout(self.timeout, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(PoolError::Busy.into());
        };
        let _cancel = CancelOnDrop(deadline.clone());
        let pool = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let answer = pool.answer(deadline, query);
            drop(permit);
            answer
        });
        work.await.unwrap_or_else(|panic| Err(PoolError::Panicked(panic.to_string()).into()))
    }

    fn answer<T, E: From<StoreError>>(
        self: &Arc<ConnectionPool>,
        deadline: QueryDeadline,
        query: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        let known = self.idle().pop();
        let mut store = known.map_or_else(|| Store::open_for_reading(&self.path), Ok)?;
        store.set_deadline(deadline.clone())?;
        let answer = store.at_one_moment(query);
        self.idle().push(store);
        if deadline.is_over() && answer.is_err() {
            // Whatever error an interrupted query returns, the deadline is its cause.
            return Err(StoreError::Interrupted { path: self.path.clone() }.into());
        }
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

    #[derive(Debug)]
    enum TestError {
        Store(StoreError),
        Pool(PoolError),
    }

    impl From<StoreError> for TestError {
        fn from(error: StoreError) -> TestError {
            TestError::Store(error)
        }
    }

    impl From<PoolError> for TestError {
        fn from(error: PoolError) -> TestError {
            TestError::Pool(error)
        }
    }

    type Answer<T> = Result<T, TestError>;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(2)
            .enable_all()
            .build()
            .unwrap()
    }

    fn pool(size: u32, timeout: Duration) -> (tempfile::TempDir, Arc<ConnectionPool>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Store::open_for_writing(&path).unwrap().close().unwrap();
        (folder, Arc::new(ConnectionPool::new(&path, size, timeout)))
    }

    /// Reads until it is interrupted, or for a minute.
    fn read_on(store: &Store) -> Answer<()> {
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
            let error = pool.ask(read_on).await.unwrap_err();
            assert!(matches!(error, TestError::Store(StoreError::Interrupted { .. })), "{error:?}");
            // The connection serves the next one.
            pool.ask(|store| -> Answer<usize> { Ok(store.roots().all()?.len()) }).await.unwrap();
        });
    }

    #[test]
    fn a_query_without_a_connection_in_time_is_refused() {
        let (_folder, pool) = pool(1, Duration::from_millis(200));
        runtime().block_on(async {
            let (long, permits) = (Arc::clone(&pool), Arc::clone(&pool.permits));
            let first = tokio::spawn(async move {
                long.ask(|_| -> Answer<()> {
                    sleep(Duration::from_secs(1));
                    Ok(())
                })
                .await
            });
            while permits.available_permits() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let refused = pool.ask(|_| -> Answer<()> { Ok(()) }).await;
            assert!(matches!(refused, Err(TestError::Pool(PoolError::Busy))), "{refused:?}");
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
            pool.ask(|store| -> Answer<usize> { Ok(store.roots().all()?.len()) }).await.unwrap();
            assert!(started.elapsed() < Duration::from_secs(30));
        });
    }

    #[test]
    fn a_panic_is_a_problem_and_the_pool_continues() {
        let (_folder, pool) = pool(1, Duration::from_secs(60));
        runtime().block_on(async {
            let failed = pool.ask(|_| -> Answer<()> { panic!("a bug") }).await;
            assert!(matches!(failed, Err(TestError::Pool(PoolError::Panicked(_)))), "{failed:?}");
            pool.ask(|_| -> Answer<()> { Ok(()) }).await.unwrap();
        });
    }
}
