//! Read-only connections for working threads.
//!
//! As many requests read at the same time as there are connections; others wait for a limited time. When a caller stops
//! waiting, its query is interrupted, so that a slow query takes no longer than its time limit.
//!
//! Several databases that are one corpus are read as they were when none of them was written to: all connections are opened
//! at once, and after a run has ended they are replaced by new ones ([`DividedCorpus`]).

use super::divided_corpus::{DividedCorpus, MAX_READERS_OF_PARTS};
use crate::shards::{Corpus, MergeError};
use crate::store::{QueryDeadline, Store, StoreError};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::sync::Semaphore;

/// A pool of connections to one database, or to several that are one corpus.
pub struct ConnectionPool {
    paths: Vec<PathBuf>,
    idle: Mutex<IdleConnections>,
    /// Several databases.
    divided: Option<DividedCorpus>,
    permits: Arc<Semaphore>,
    size: u32,
    timeout: Duration,
}

/// Connections that nobody uses.
#[derive(Default)]
struct IdleConnections {
    list: Vec<Corpus>,
    /// How often all of them were replaced.
    generation: u64,
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
    /// Up to `size` connections to a database, or to several as one corpus; every query is answered within `timeout`.
    ///
    /// # Errors
    /// Several databases do not fit together, or one of them cannot be read. One database is opened when it is asked.
    pub fn new(paths: &[PathBuf], size: u32, timeout: Duration) -> Result<ConnectionPool, MergeError> {
        let (mut idle, mut divided, mut size) = (IdleConnections::default(), None, size);
        if paths.len() > 1 {
            size = size.min(MAX_READERS_OF_PARTS);
            let (corpus, list) = DividedCorpus::open(paths, size as usize)?;
            (divided, idle.list) = (Some(corpus), list);
        }
        let permits = Arc::new(Semaphore::new(size as usize));
        Ok(ConnectionPool { paths: paths.to_vec(), idle: Mutex::new(idle), divided, permits, size, timeout })
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
        self.renew_if_due();
        let (generation, mut corpus) = self.take()?;
        corpus.store_mut().set_deadline(deadline.clone())?;
        let answer = corpus.at_one_moment(query);
        self.give_back(generation, corpus);
        if deadline.is_over() && answer.is_err() {
            // Whatever error an interrupted query returns, the deadline is its cause.
            return Err(StoreError::Interrupted { path: self.paths[0].clone() }.into());
        }
        answer
    }

    fn take(&self) -> Result<(u64, Corpus), StoreError> {
        let mut idle = self.idle();
        let (generation, known) = (idle.generation, idle.list.pop());
        drop(idle);
        let corpus = match (known, &self.divided) {
            (Some(corpus), _) => corpus,
            (None, Some(divided)) => divided.reopen()?,
            (None, None) => Corpus::of_one(&self.paths[0])?,
        };
        Ok((generation, corpus))
    }

    /// Keeps a connection for the next query, unless it is of an earlier state of the databases.
    fn give_back(&self, generation: u64, corpus: Corpus) {
        let mut idle = self.idle();
        if generation == idle.generation && corpus.has_snapshots() {
            idle.list.push(corpus);
        }
    }

    /// Begins to replace all connections of several databases if one of these has changed.
    fn renew_if_due(self: &Arc<ConnectionPool>) {
        let Some(divided) = &self.divided else { return };
        if !divided.begins_to_renew() {
            return;
        }
        let pool = Arc::clone(self);
        let renew = move || {
            let Some(divided) = &pool.divided else { return };
            if let Some(list) = divided.renew(&pool.paths, pool.size as usize) {
                let mut idle = pool.idle();
                idle.generation += 1;
                idle.list = list;
            }
        };
        // If no thread can be started, the next request tries again.
        if std::thread::Builder::new().name("join partitions".to_owned()).spawn(renew).is_err() {
            divided.stop_renewing();
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, IdleConnections> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for running queries, refuses new ones, and closes every connection. False if a query is still running
    /// after the timeout.
    pub async fn close(&self, timeout: Duration) -> bool {
        let all = tokio::time::timeout(timeout, self.permits.acquire_many(self.size)).await;
        self.permits.close();
        self.idle().list.clear();
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
        (folder, Arc::new(ConnectionPool::new(&[path], size, timeout).unwrap()))
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
