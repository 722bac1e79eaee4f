//! Interruption: the first Ctrl-C stops the work at a safe point, the second ends the process at once.

use super::failure::Exit;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that the first SIGINT, SIGTERM or SIGHUP sets, the latter unless the caller ignores it, as `nohup` does. The next one ends the process with the exit code of an interruption;
/// the database stays sound, because a commit is atomic.
pub fn watch() -> io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    let hang_up = Some(SIGHUP).filter(|signal| !is_ignored(*signal));
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up) {
        // The order matters: the shutdown handler runs first and must see the flag as it was before this signal.
        flag::register_conditional_shutdown(signal, Exit::Interrupted.code().into(), Arc::clone(&asked))?;
        flag::register(signal, Arc::clone(&asked))?;
    }
    Ok(asked)
}

/// True if this process was started with the signal ignored; also where that cannot be known.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Makes a write past the limit of file sizes an error like others; by default it ends the process.
pub fn survive_file_size_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ())
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
