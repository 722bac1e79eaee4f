//! Signals: those that ask this program to stop, and those of which its children die.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A child made a system call that its sandbox forbids.
pub(crate) const FORBIDDEN_CALL: i32 = libc::SIGSYS;
/// A child wrote more into a file than its limit.
pub(crate) const OUTPUT_FILE_TOO_LARGE: i32 = libc::SIGXFSZ;
/// A child used its processor time.
pub(crate) const OUT_OF_CPU_TIME: i32 = libc::SIGXCPU;
/// The kernel or somebody else ended a child.
pub(crate) const KILLED: i32 = libc::SIGKILL;

/// The signal of which a program died; `None` if it ended by itself.
pub(crate) fn signal_of(status: &ExitStatus) -> Option<i32> {
    status.signal()
}

/// What a user or the system interrupts this program with.
pub struct InterruptSignals;

impl InterruptSignals {
    /// A flag that the first SIGINT, SIGTERM or SIGHUP sets, the latter unless the caller ignores it, as `nohup` does.
    /// The next one ends the process with this exit code.
    ///
    /// # Errors
    /// Those of the system.
    pub fn watch(code: i32) -> io::Result<Arc<AtomicBool>> {
        let asked = Arc::new(AtomicBool::new(false));
        let hang_up = Some(SIGHUP).filter(|signal| !is_ignored(*signal));
        for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up) {
            // The order matters: the shutdown handler runs first and must see the flag as it was before this signal.
            flag::register_conditional_shutdown(signal, code, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(asked)
    }

    /// Makes a write past the limit of file sizes an error like others; by default it ends the process.
    ///
    /// # Errors
    /// Those of the system.
    pub fn survive_file_size_limit() -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ())
    }

    /// Makes this process ignore Ctrl-C: a terminal sends it to every process of the group.
    ///
    /// # Errors
    /// Those of the system.
    pub fn ignore_ctrl_c() -> io::Result<()> {
        flag::register(SIGINT, Arc::new(AtomicBool::new(false))).map(|_| ())
    }
}

/// True if this process was started with the signal ignored; also where that cannot be known.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}
