//! Interruption by Ctrl-C, and how children die.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

// Windows has no signals. `signal_of` gives negative numbers only, so that none of these is ever met.
/// A child made a system call that its sandbox forbids: never here.
pub(crate) const FORBIDDEN_CALL: i32 = 1;
/// A child wrote more into a file than its limit: never here.
pub(crate) const OUTPUT_FILE_TOO_LARGE: i32 = 2;
/// A child used its processor time: never here.
pub(crate) const OUT_OF_CPU_TIME: i32 = 3;
/// Somebody else ended a child: never here.
pub(crate) const KILLED: i32 = 4;

/// The code of the exception of which a program died (`0xC0000005`, ..., as a negative number); `None` if it ended by
/// itself.
pub(crate) fn signal_of(status: &ExitStatus) -> Option<i32> {
    status.code().filter(|code| (*code as u32) >= 0xC000_0000)
}

/// What a user or the system interrupts this program with.
pub struct InterruptSignals;

impl InterruptSignals {
    /// A flag that the first Ctrl-C sets. The next one ends the process with this exit code.
    ///
    /// # Errors
    /// Those of the system.
    pub fn watch(code: i32) -> io::Result<Arc<AtomicBool>> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // The order matters: the shutdown handler runs first and must see the flag as it was before this signal.
            flag::register_conditional_shutdown(signal, code, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(asked)
    }

    /// Nothing ends this process when a disk is full.
    ///
    /// # Errors
    /// None here.
    pub fn survive_file_size_limit() -> io::Result<()> {
        Ok(())
    }

    /// Makes this process ignore Ctrl-C: a console sends it to every process of the group.
    ///
    /// # Errors
    /// Those of the system.
    pub fn ignore_ctrl_c() -> io::Result<()> {
        flag::register(SIGINT, Arc::new(AtomicBool::new(false))).map(|_| ())
    }
}
