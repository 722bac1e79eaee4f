//! The stack of tasks that the threads of a walk share.

use super::ScanError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Takes a lock; a thread that panicked with a lock left the data consistent, because no callback runs under a lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tasks, last in first out, for threads that end when no task is left and none is being worked on.
pub(super) struct WorkQueue<T> {
    state: Mutex<QueueState<T>>,
    wake: Condvar,
    idle: AtomicUsize,
}

struct QueueState<T> {
    tasks: Vec<T>,
    working: usize,
    is_ended: bool,
    error: Option<ScanError>,
}

/// Exists while a task is worked on; if a panic drops it, the other threads end too.
pub(super) struct WorkGuard<'a, T> {
    queue: &'a WorkQueue<T>,
}

impl<T> WorkQueue<T> {
    /// A queue with its first task.
    pub fn new(first: T) -> WorkQueue<T> {
        let state = QueueState { tasks: vec![first], working: 0, is_ended: false, error: None };
        WorkQueue { state: Mutex::new(state), wake: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    /// Adds tasks.
    pub fn push(&self, tasks: Vec<T>) {
        let count = tasks.len();
        if count == 0 {
            return;
        }
        lock(&self.state).tasks.extend(tasks);
        if count == 1 { self.wake.notify_one() } else { self.wake.notify_all() }
    }

    /// The next task; waits for one as long as other threads may still add some.
    pub fn take(&self) -> Option<(T, WorkGuard<'_, T>)> {
        let mut state = lock(&self.state);
        loop {
            if state.is_ended {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.working += 1;
                return Some((task, WorkGuard { queue: self }));
            }
            if state.working == 0 {
                state.is_ended = true;
                self.wake.notify_all();
                return None;
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// True if a thread waits for work.
    pub fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Ends the work of every thread; only the first error is reported.
    pub fn end(&self, error: ScanError) {
        let mut state = lock(&self.state);
        state.is_ended = true;
        state.error.get_or_insert(error);
        self.wake.notify_all();
    }

    /// The result of the work.
    pub fn finish(self) -> Result<(), ScanError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map_or(Ok(()), Err)
    }
}

impl<T> Drop for WorkGuard<'_, T> {
    fn drop(&mut self) {
        let mut state = lock(&self.queue.state);
        state.working -= 1;
        state.is_ended |= std::thread::panicking();
        if state.working == 0 || state.is_ended {
            self.queue.wake.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        threads: usize,
        first: u32,
        each: &(dyn Fn(u32, &WorkQueue<u32>) + Sync),
    ) -> Result<(), ScanError> {
        let queue = WorkQueue::new(first);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((task, _working)) = queue.take() {
                        each(task, &queue);
                    }
                });
            }
        });
        queue.finish()
    }

    #[test]
    fn every_task_and_its_children_are_worked_on_once() {
        for threads in [1, 4] {
            let sum = AtomicUsize::new(0);
            let ended = run(threads, 10, &|task, queue| {
                sum.fetch_add(1, Ordering::Relaxed);
                queue.push((0..2).filter(|_| task > 0).map(|_| task - 1).collect());
            });
            assert!(ended.is_ok());
            assert_eq!(sum.into_inner(), (1 << 11) - 1);
        }
    }

    #[test]
    fn an_error_ends_all_threads() {
        let ended = run(3, 0, &|task, queue| {
            queue.push(vec![task + 1, task + 1]);
            if task > 20 {
                queue.end(ScanError::Stopped);
            }
        });
        assert!(matches!(ended, Err(ScanError::Stopped)));
    }

    #[test]
    fn a_panic_ends_all_threads_and_is_passed_on() {
        let result = std::panic::catch_unwind(|| run(3, 0, &|_, _| panic!("a callback that panics")));
        assert!(result.is_err());
    }
}
