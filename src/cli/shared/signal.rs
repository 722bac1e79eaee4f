//! Interruption: the first Ctrl-C stops the work at a safe point, the second ends the process at once.

use pensieve_isolate::platform::InterruptSignals;
use pensieve_store::exit::Exit;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often the flag is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Time for what ends by itself: the answer that is being stored, and the summary.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

/// A flag that the first SIGINT, SIGTERM or SIGHUP sets, the latter unless the caller ignores it, as `nohup` does. The next one ends the process with the exit code of an interruption;
/// the database stays sound, because a commit is atomic.
pub fn watch() -> io::Result<Arc<AtomicBool>> {
    InterruptSignals::watch(Exit::Interrupted.code().into())
}

/// Ends the process a while after the flag was set, if it still runs: a server that sends a byte now and then would keep it
/// for as long as it likes. What is done is committed.
#[expect(clippy::exit, reason = "a thread that waits for a server cannot be ended in another way")]
pub fn end_after(asked: &Arc<AtomicBool>) {
    let asked = Arc::clone(asked);
    // Without the thread the process ends when the server does.
    let _ = thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        while !asked.load(Ordering::Relaxed) {
            thread::sleep(LOOK_INTERVAL);
        }
        thread::sleep(GRACE_PERIOD);
        std::process::exit(Exit::Interrupted.code().into());
    });
}

/// Makes a write past the limit of file sizes an error like others; by default it ends the process.
pub fn survive_file_size_limit() -> io::Result<()> {
    InterruptSignals::survive_file_size_limit()
}

/// Makes this process ignore Ctrl-C: a terminal sends it to every process of the group, and the parent decides when
/// its children end.
pub fn leave_to_parent() -> io::Result<()> {
    InterruptSignals::ignore_ctrl_c()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::SeqCst;

    #[test]
    fn the_first_signal_sets_the_flag_and_nothing_else() {
        let asked = watch().unwrap();
        assert!(!asked.load(SeqCst));
        signal_hook::low_level::raise(signal_hook::consts::SIGTERM).unwrap();
        assert!(asked.load(SeqCst));
    }
}
