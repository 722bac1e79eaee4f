//! What a launched program may touch: it reads the file system, writes into one private folder, and has no network.
//!
//! Landlock restricts the file system and, on newer kernels, TCP and signals; a seccomp filter refuses sockets and the
//! system calls that no converter needs. Both are best effort: a kernel that lacks them runs programs under limits
//! alone, and [`sandbox_level`] reports that. Reading is not restricted, because interpreters keep their libraries
//! anywhere; what is read cannot leave the machine.

use super::level::SandboxLevel;
use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::OnceLock;

/// How far this system can confine programs.
pub fn sandbox_level() -> SandboxLevel {
    let sandbox = Sandbox::prepare(None);
    SandboxLevel {
        read_only: sandbox.ruleset.is_some(),
        no_network: !sandbox.filters.is_empty() && has_seccomp(),
    }
}

/// Everything prepared before the fork, so that the child makes system calls only.
pub(super) struct Sandbox {
    ruleset: Option<OwnedFd>,
    filters: &'static [BpfProgram],
}

impl Sandbox {
    /// A sandbox in which only `writable` and the harmless devices can be written.
    pub(super) fn prepare(writable: Option<&Path>) -> Sandbox {
        static FILTERS: OnceLock<Vec<BpfProgram>> = OnceLock::new();
        Sandbox {
            ruleset: ruleset(writable).ok().and_then(Into::into),
            filters: FILTERS.get_or_init(|| filters().unwrap_or_default()),
        }
    }

    /// Confines the calling process, and every process that it starts, to the sandbox.
    ///
    /// Runs between fork and exec, so it makes system calls only. What the kernel refuses is skipped.
    pub(super) fn apply(&self) {
        if rustix::thread::set_no_new_privs(true).is_err() {
            return;
        }
        if let Some(ruleset) = &self.ruleset {
            // SAFETY: the call takes flags and a descriptor, which is open, and touches no memory of this process.
            unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
        }
        for filter in self.filters {
            let _ = seccompiler::apply_filter(filter);
        }
    }
}

/// Rights to files are those of Landlock 3 (Linux 6.2); on older kernels the crate leaves out what they do not know.
/// `IoctlDev` is left out on purpose: a program that checks whether `/dev/null` is a terminal does no harm.
fn ruleset(writable: Option<&Path>) -> Result<RulesetCreated, landlock::RulesetError> {
    let writing = AccessFs::from_write(ABI::V3);
    let mut ruleset = Ruleset::default()
        .handle_access(writing)?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::Signal | Scope::AbstractUnixSocket)?
        .create()?;
    let devices = ["/dev/null", "/dev/zero", "/dev/full"].map(|path| (Path::new(path), true));
    for (path, is_file) in devices.into_iter().chain(writable.map(|folder| (folder, false))) {
        let rights = if is_file { AccessFs::WriteFile | AccessFs::Truncate } else { writing };
        if let Ok(open) = PathFd::new(path) {
            ruleset = ruleset.add_rule(PathBeneath::new(open, rights))?;
        }
    }
    Ok(ruleset)
}

/// System calls that are refused with any arguments. `connect` is refused for sockets in the file system too, because
/// some of them belong to daemons that obey any caller; io_uring, because it bypasses every rule of this list.
const REFUSED: &[i64] = &[
    libc::SYS_connect,
    libc::SYS_io_uring_setup,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
];

/// System calls that do nothing and report success. A process that stays in its group is ended reliably with the group,
/// and a refusal would break harmless programs, such as those that start a subprocess in a session of its own.
const IGNORED: &[i64] = &[libc::SYS_setsid, libc::SYS_setpgid];

fn filters() -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let not_local =
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, libc::AF_UNIX as u64)?;
    let mut refused: Rules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    refused.insert(libc::SYS_socket, vec![SeccompRule::new(vec![not_local])?]);
    let ignored = IGNORED.iter().map(|&call| (call, Vec::new())).collect();
    Ok(vec![filter(refused, libc::EACCES)?, filter(ignored, 0)?])
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A filter that answers the calls of `rules` with an error number, 0 being success, and allows all others.
fn filter(rules: Rules, errno: i32) -> Result<BpfProgram, seccompiler::BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let answer = SeccompAction::Errno(errno as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, answer, architecture)?.try_into()
}

fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the operation reads four bytes at the pointer, which is the size of what it points to.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_refused_calls_has_no_duplicates_and_compiles() {
        let mut calls = REFUSED.to_vec();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len(), REFUSED.len());
        assert!(filters().is_ok());
    }
}
