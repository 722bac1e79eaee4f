//! Closes a worker before it reads its first document: our own program, so what it may do is a short list.
//!
//! It computes on memory, reads descriptors that it is given, and writes its answer. It opens nothing, starts nothing
//! and reaches nobody. Calls of the list are allowed; calls that only a reader makes that was taken over end it, so
//! that the attempt becomes a row of `errors`; all others fail as on a kernel that does not have them, because that is
//! what libraries are prepared for when a newer one tries a newer call.

use super::calls::{CallAnswer, CallCondition, CallRule, REFUSED_CALLS, REFUSED_OLD_CALLS};
use super::filters::{allowing, refusing};
use super::launch::{drop_capabilities, empty_ruleset, restrict_self, sandbox_level};
use crate::platform::level::{SandboxLevel, SealError};
use libc::*;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::fs::File;
use std::os::fd::OwnedFd;

/// What must not open from inside; a file that every system has, and a folder that cannot be missing.
const PROBES: &[&str] = &["/etc/passwd", "/"];

/// Limits of a worker beside those that its parent sets: resource and number.
const LIMITS: &[(Resource, u64)] = &[
    // Its three streams, one document, and a few in passing.
    (Resource::Nofile, 32),
    (Resource::Nproc, 0),
    (Resource::Fsize, 0),
    (Resource::Core, 0),
];

/// The system calls of a worker. `tgkill` comes with the number of the process itself: `abort` uses it.
const ALLOWED_CALLS: &[(c_long, CallCondition)] = &[
    // Requests, documents and answers.
    (SYS_read, CallCondition::Always),
    (SYS_readv, CallCondition::Always),
    (SYS_pread64, CallCondition::Always),
    (SYS_lseek, CallCondition::Always),
    (SYS_recvmsg, CallCondition::Always),
    (SYS_write, CallCondition::Always),
    (SYS_writev, CallCondition::Always),
    (SYS_close, CallCondition::Always),
    // Memory, but none that can be executed.
    (SYS_brk, CallCondition::Always),
    (SYS_mmap, CallCondition::NoBit(2, PROT_EXEC as u32)),
    (SYS_mprotect, CallCondition::NoBit(2, PROT_EXEC as u32)),
    (SYS_mremap, CallCondition::Always),
    (SYS_munmap, CallCondition::Always),
    (SYS_madvise, CallCondition::Always),
    // The clock, chance, locks.
    (SYS_clock_gettime, CallCondition::Always),
    (SYS_gettimeofday, CallCondition::Always),
    (SYS_clock_nanosleep, CallCondition::Always),
    (SYS_nanosleep, CallCondition::Always),
    (SYS_getrandom, CallCondition::Always),
    (SYS_futex, CallCondition::Always),
    (SYS_sched_yield, CallCondition::Always),
    // Its own signals and its end.
    (SYS_rt_sigaction, CallCondition::Always),
    (SYS_rt_sigprocmask, CallCondition::Always),
    (SYS_rt_sigreturn, CallCondition::Always),
    (SYS_sigaltstack, CallCondition::Always),
    (SYS_restart_syscall, CallCondition::Always),
    (SYS_getpid, CallCondition::Always),
    (SYS_gettid, CallCondition::Always),
    (SYS_exit, CallCondition::Always),
    (SYS_exit_group, CallCondition::Always),
    // The second filter; a process can only confine itself further.
    (SYS_seccomp, CallCondition::Always),
    (SYS_prctl, CallCondition::Equals(0, PR_SET_NO_NEW_PRIVS as u32)),
];

/// `openat2`, which `libc` does not have for every system.
const OPENAT2: c_long = 437;

/// Calls that end a worker, beside those that are always refused to converters.
const FATAL_CALLS: &[c_long] = &[
    // Files.
    SYS_openat,
    OPENAT2,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_chdir,
    SYS_fchdir,
    // Programs and processes.
    SYS_execve,
    SYS_execveat,
    SYS_clone,
    SYS_unshare,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setsid,
    SYS_setpgid,
    SYS_setpriority,
    SYS_sched_setaffinity,
    SYS_prlimit64,
    SYS_setuid,
    SYS_setgid,
    // Other machines and daemons.
    SYS_socket,
    SYS_socketpair,
    SYS_bind,
    SYS_listen,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
];

/// The same calls in their older form.
#[cfg(target_arch = "x86_64")]
const FATAL_OLD_CALLS: &[c_long] = &[
    SYS_open,
    SYS_creat,
    SYS_unlink,
    SYS_rmdir,
    SYS_rename,
    SYS_renameat,
    SYS_link,
    SYS_symlink,
    SYS_mkdir,
    SYS_mknod,
    SYS_fork,
    SYS_vfork,
    SYS_setrlimit,
];

/// The same calls in their older form.
#[cfg(not(target_arch = "x86_64"))]
const FATAL_OLD_CALLS: &[c_long] = &[super::calls::GENERIC_RENAMEAT, super::calls::GENERIC_SETRLIMIT];

/// Closes the calling process for the rest of its life, and proves it: afterwards no file opens. It must have one
/// thread, and everything that it needs from files must be in memory.
///
/// Returns how far this system can close a process.
///
/// # Errors
/// The system can close processes and has not closed this one. It must not read any document then.
pub fn seal_process() -> Result<SandboxLevel, SealError> {
    let level = sandbox_level();
    for (resource, number) in LIMITS {
        let _ = setrlimit(*resource, Rlimit { current: Some(*number), maximum: Some(*number) });
    }
    rustix::thread::set_no_new_privs(true).map_err(refused)?;
    drop_capabilities();
    if level.read_only {
        let ruleset: Option<OwnedFd> = empty_ruleset().map_err(refused)?.into();
        if !ruleset.is_some_and(|ruleset| restrict_self(&ruleset)) {
            return Err(SealError::Refused("Landlock".to_owned()));
        }
    }
    if level.sealed_workers {
        install(&[allowed_calls()?])?;
    }
    if level.read_only || level.sealed_workers {
        prove()?;
    }
    if level.sealed_workers {
        install(&fatal_calls()?)?;
    }
    Ok(level)
}

fn refused(error: impl std::fmt::Display) -> SealError {
    SealError::Refused(error.to_string())
}

fn install(programs: &[seccompiler::BpfProgram]) -> Result<(), SealError> {
    programs.iter().try_for_each(|program| seccompiler::apply_filter_all_threads(program)).map_err(refused)
}

fn prove() -> Result<(), SealError> {
    match PROBES.iter().find(|path| File::open(path).is_ok()) {
        Some(path) => Err(SealError::Open(path)),
        None => Ok(()),
    }
}

fn allowed_calls() -> Result<seccompiler::BpfProgram, SealError> {
    let own_process = std::process::id();
    let rows = ALLOWED_CALLS.iter().copied();
    let rows = rows.chain([(SYS_tgkill, CallCondition::Equals(0, own_process))]);
    allowing(rows, CallAnswer::Refuse(ENOSYS)).map_err(refused)
}

fn fatal_calls() -> Result<Vec<seccompiler::BpfProgram>, SealError> {
    let refused_to_all = REFUSED_CALLS.iter().chain(REFUSED_OLD_CALLS);
    let refused_to_all = refused_to_all
        .filter(|row| row.condition == CallCondition::Always || row.answer == CallAnswer::Kill)
        .map(|row| CallRule { answer: CallAnswer::Kill, ..*row });
    let own = FATAL_CALLS.iter().chain(FATAL_OLD_CALLS).map(|&number| CallRule {
        number,
        condition: CallCondition::Always,
        answer: CallAnswer::Kill,
        reason: "a reader computes, and does nothing else",
    });
    // A condition of the converters' table would narrow a row of ours for the same call.
    let mut rows: Vec<CallRule> = own.collect();
    rows.extend(
        refused_to_all.filter(|row| !rows.iter().any(|known| known.number == row.number)).collect::<Vec<_>>(),
    );
    refusing(rows.iter()).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_both_allowed_and_fatal() {
        let fatal = FATAL_CALLS.iter().chain(FATAL_OLD_CALLS);
        for call in fatal {
            assert!(!ALLOWED_CALLS.iter().any(|(allowed, _)| allowed == call), "{call}");
        }
        assert!(allowed_calls().is_ok() && fatal_calls().is_ok());
    }
}
