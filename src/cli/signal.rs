//! Interruption: the first Ctrl-C stops the work at a safe point, the second ends the process at once.

use super::failure::Exit;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that the first SIGINT or SIGTERM sets. The next one ends the process with the exit code of an interruption;
/// the database stays sound, because a commit is atomic.
pub fn watch() -> io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the shutdown handler runs first and must see the flag as it was before this signal.
        flag::register_conditional_shutdown(signal, Exit::Interrupted.code().into(), Arc::clone(&asked))?;
        flag::register(signal, Arc::clone(&asked))?;
    }
    Ok(asked)
}

/// Makes this process ignore Ctrl-C: a terminal sends it to every process of the group, and the parent decides when
/// its children end.
pub fn leave_to_parent() -> io::Result<()> {
    flag::register(SIGINT, Arc::new(AtomicBool::new(false))).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::SeqCst;

    #[test]
    fn the_first_signal_sets_the_flag_and_nothing_else() {
        let asked = watch().unwrap();
        assert!(!asked.load(SeqCst));
        signal_hook::low_level::raise(SIGTERM).unwrap();
        assert!(asked.load(SeqCst));
    }
}
