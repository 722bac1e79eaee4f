//! Work on every core, each thread with a connection of its own; results come in the order of the work.

use super::token_counters::TokenCounters;
use crate::store::{Store, StoreError};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Tasks for each thread that are given out and whose results wait for earlier ones.
const TASKS_AHEAD: usize = 8;

/// What a thread comes back with: a result, an error of the database, or a panic.
type Outcome<R> = Result<Result<R, StoreError>, Box<dyn Any + Send>>;

/// Takes tasks from `next` until there are none, works on them, and passes the results to `each` in the order of the tasks.
///
/// A database that only this process has is worked on by this thread alone.
///
/// # Errors
/// The first error that is met.
pub(super) fn in_order<T: Send, R: Send>(
    store: &Store,
    mut next: impl FnMut() -> Result<Option<T>, StoreError>,
    work: impl Fn(&Store, &mut TokenCounters, T) -> Result<R, StoreError> + Sync,
    mut each: impl FnMut(R),
) -> Result<(), StoreError> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let is_shared = threads > 1 && store.path().is_file();
    let (give, tasks) = sync_channel(threads * TASKS_AHEAD);
    let (answer, answers) = channel();
    let (tasks, path) = (Mutex::new(tasks), store.path());
    thread::scope(|scope| {
        let (tasks, work) = (&tasks, &work);
        let mut started = 0;
        for number in 0..if is_shared { threads } else { 0 } {
            let named = thread::Builder::new().name(format!("verify-{number}"));
            let answer = answer.clone();
            let own = move || work_on(path, tasks, &answer, work);
            started += usize::from(named.spawn_scoped(scope, own).is_ok());
        }
        drop(answer);
        if started == 0 {
            let mut counters = TokenCounters::default();
            while let Some(task) = next()? {
                each(work(store, &mut counters, task)?);
            }
            return Ok(());
        }
        collect(threads * TASKS_AHEAD, give, &answers, &mut next, &mut each)
    })
}

/// Keeps so many tasks given out, and passes their results on in order. Threads end when the sender of tasks is dropped.
fn collect<T, R>(
    ahead: usize,
    give: SyncSender<(usize, T)>,
    answers: &Receiver<(usize, Outcome<R>)>,
    next: &mut dyn FnMut() -> Result<Option<T>, StoreError>,
    each: &mut dyn FnMut(R),
) -> Result<(), StoreError> {
    let (mut given, mut passed, mut is_last) = (0, 0, false);
    let mut early = BTreeMap::new();
    loop {
        while !is_last && given - passed < ahead {
            match next()? {
                // A task that nobody takes would be one that nobody checks.
                Some(task) => give.send((given, task)).expect("threads take tasks as long as there are any"),
                None => {
                    is_last = true;
                    break;
                }
            }
            given += 1;
        }
        if passed == given {
            return Ok(());
        }
        let (number, outcome) = answers.recv().expect("there is an answer to each task, also from a panic");
        early.insert(number, outcome.unwrap_or_else(|panic| resume_unwind(panic))?);
        while let Some(result) = early.remove(&passed) {
            each(result);
            passed += 1;
        }
    }
}

/// One thread: works on tasks until there are no more, with a connection that it opens for the first.
fn work_on<T, R>(
    path: &Path,
    tasks: &Mutex<Receiver<(usize, T)>>,
    answer: &Sender<(usize, Outcome<R>)>,
    work: impl Fn(&Store, &mut TokenCounters, T) -> Result<R, StoreError>,
) {
    let (mut store, mut counters) = (None, TokenCounters::default());
    loop {
        let taken = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, task)) = taken else { return };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if store.is_none() {
                store = Some(Store::open_for_reading(path)?);
            }
            let store = store.as_ref().expect("it was opened above");
            work(store, &mut counters, task)
        }));
        if answer.send((number, outcome)).is_err() {
            return;
        }
    }
}
