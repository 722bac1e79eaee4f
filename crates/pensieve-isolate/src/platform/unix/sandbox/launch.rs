//! What a launched program may touch: it reads programs and their libraries, writes into one private folder, and
//! reaches no network, no terminal and no other process.
//!
//! Landlock restricts the file system and, on newer kernels, TCP, signals and abstract sockets; filters refuse the
//! system calls of [`super::calls`]; root gives up what makes it more than a user. A kernel that lacks a part runs
//! programs without it, and [`sandbox_level`] reports that; one that has a part and refuses it runs none.

use super::calls::{REFUSED_CALLS, REFUSED_OLD_CALLS};
use super::filters::refusing;
use super::readable::{program_paths, system_paths};
use crate::platform::invocation::Invocation;
use crate::platform::level::SandboxLevel;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::thread::{CapabilitySet, CapabilitySets};
use seccompiler::BpfProgram;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::OnceLock;

/// Rights to files are those of Landlock 3 (Linux 6.2); on older kernels the crate leaves out what they do not know.
/// `IoctlDev` is left out on purpose: a program that checks whether `/dev/null` is a terminal does no harm.
const FILE_ABI: ABI = ABI::V3;

/// Devices that anything may be written to.
const SINKS: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// Devices that may be read besides.
const SOURCES: &[&str] = &["/dev/urandom", "/dev/random"];

/// How far this system can confine programs.
pub fn sandbox_level() -> SandboxLevel {
    let abi = landlock_abi();
    let filters = has_seccomp() && !call_filters().is_empty();
    SandboxLevel { read_only: abi >= 1, no_network: filters, no_signals: abi >= 6, sealed_workers: filters }
}

/// Everything prepared before the fork, so that the child makes system calls only.
pub(crate) struct Sandbox {
    ruleset: Option<OwnedFd>,
    filters: &'static [BpfProgram],
}

impl Sandbox {
    /// The sandbox of one launch, with all that this system has.
    ///
    /// # Errors
    /// The system has a part and does not give it; the program must not run then.
    pub(crate) fn prepare(invocation: &Invocation) -> io::Result<Sandbox> {
        let ruleset = match landlock_abi() {
            0 => None,
            _ => ruleset(invocation).map_err(io::Error::other)?.into(),
        };
        Ok(Sandbox { ruleset, filters: if has_seccomp() { call_filters() } else { &[] } })
    }

    /// Confines the calling process, and every process that it starts, to the sandbox.
    ///
    /// Runs between fork and exec, so it makes system calls only.
    ///
    /// # Errors
    /// The kernel refuses a part that it has.
    pub(crate) fn apply(&self) -> io::Result<()> {
        rustix::thread::set_no_new_privs(true)?;
        drop_capabilities();
        if self.ruleset.as_ref().is_some_and(|ruleset| !restrict_self(ruleset)) {
            return Err(io::Error::from_raw_os_error(libc::EPERM));
        }
        match self.filters.iter().all(|filter| seccompiler::apply_filter(filter).is_ok()) {
            true => Ok(()),
            false => Err(io::Error::from_raw_os_error(libc::EPERM)),
        }
    }
}

/// Gives up the rights that root has beyond those of a user who owns the same files. With `no_new_privs` no program
/// gets them back.
pub(super) fn drop_capabilities() {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    let _ = rustix::thread::set_capabilities(None, sets);
}

/// Confines the calling thread to a ruleset.
pub(super) fn restrict_self(ruleset: &OwnedFd) -> bool {
    // SAFETY: the call takes flags and a descriptor, which is open, and touches no memory of this process.
    unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) == 0 }
}

/// A ruleset that grants nothing yet.
pub(super) fn empty_ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(FILE_ABI))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::Signal | Scope::AbstractUnixSocket)?
        .create()
}

fn ruleset(invocation: &Invocation) -> Result<RulesetCreated, RulesetError> {
    let reading = AccessFs::from_read(FILE_ABI);
    let sink = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let mut ruleset = empty_ruleset()?;
    for path in system_paths().iter().chain(&program_paths(invocation)) {
        ruleset = granting(ruleset, path, reading)?;
    }
    for path in SINKS {
        ruleset = granting(ruleset, Path::new(path), sink)?;
    }
    for path in SOURCES {
        ruleset = granting(ruleset, Path::new(path), AccessFs::ReadFile.into())?;
    }
    match &invocation.folder {
        Some(folder) => granting(ruleset, folder, AccessFs::from_all(FILE_ABI)),
        None => Ok(ruleset),
    }
}

/// Grants rights to a folder with everything below it, or to a file. What does not exist needs none.
fn granting(
    ruleset: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(open) = PathFd::new(path) else { return Ok(ruleset) };
    let is_folder = rustix::fs::fstat(&open).is_ok_and(|found| {
        rustix::fs::FileType::from_raw_mode(found.st_mode) == rustix::fs::FileType::Directory
    });
    let rights = if is_folder { rights } else { rights & AccessFs::from_file(FILE_ABI) };
    ruleset.add_rule(PathBeneath::new(open, rights))
}

fn call_filters() -> &'static [BpfProgram] {
    static FILTERS: OnceLock<Vec<BpfProgram>> = OnceLock::new();
    FILTERS.get_or_init(|| refusing(REFUSED_CALLS.iter().chain(REFUSED_OLD_CALLS)).unwrap_or_default())
}

/// The version of Landlock that the kernel has; 0 without it.
fn landlock_abi() -> i64 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no memory, and returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0, VERSION)
    };
    version.max(0)
}

fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_KILL_PROCESS;
    // SAFETY: the operation reads four bytes at the pointer, which is the size of what it points to.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}
