//! One launched program with its limits, its sandbox and its process tree.

use super::limits::KernelLimits;
use super::pipes::ChildPipes;
use super::sandbox::Sandbox;
use super::tree::{Tree, new_tag};
use crate::platform::exchange::{ChildInput, ResourceUsage};
use crate::platform::invocation::Invocation;
use crate::platform::process_limits::ProcessLimits;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for the status of a killed process.
const STATUS_TIMEOUT: Duration = Duration::from_secs(5);

/// A running program. When it is dropped, its whole tree of processes ends.
pub(crate) struct ChildProcess {
    inner: std::process::Child,
    pid: Pid,
    tree: Tree,
    exit: Option<OwnedFd>,
    status: Option<ExitStatus>,
    ended: bool,
}

impl ChildProcess {
    /// Launches a program under limits and in the sandbox.
    ///
    /// The calling thread must outlive the program: the kernel kills the program when the *thread* that started it
    /// ends, which is how it does not outlive us.
    pub fn start(
        invocation: &Invocation,
        limits: &ProcessLimits,
        input: ChildInput,
    ) -> io::Result<(ChildProcess, ChildPipes)> {
        let mut command = Command::new(&invocation.program);
        command.args(&invocation.arguments);
        let (ours, theirs) = match input {
            ChildInput::Nothing => (None, Stdio::null()),
            ChildInput::Requests => {
                let (ours, theirs) = UnixStream::pair()?;
                (Some(ours), Stdio::from(OwnedFd::from(theirs)))
            }
        };
        command.stdin(theirs);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        set_environment(&mut command, invocation);
        let tag = new_tag();
        let kernel_limits = KernelLimits::new(limits, tag);
        let sandbox = Sandbox::prepare(invocation)?;
        let parent = rustix::process::getpid();
        // SAFETY: the closure makes system calls on values made above; it neither allocates nor locks.
        unsafe { command.pre_exec(move || confine(parent, &kernel_limits, &sandbox)) };
        let mut inner = command.spawn()?;
        let pid = Pid::from_child(&inner);
        let pipes = ChildPipes::new(ours, inner.stdout.take(), inner.stderr.take());
        let child = ChildProcess {
            tree: Tree::new(pid, tag),
            exit: exit_of(pid),
            inner,
            pid,
            status: None,
            ended: false,
        };
        Ok((child, pipes?))
    }

    /// A descriptor that becomes readable when the program exits, where the system has one.
    pub fn exit(&self) -> Option<BorrowedFd<'_>> {
        self.exit.as_ref().map(AsFd::as_fd)
    }

    /// True if the program itself has ended; other processes of its tree may still run.
    pub fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // The status is not collected yet, so that the id of the group is not reused before the tree has ended.
        self.ended || !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    /// What its process tree uses now.
    pub fn usage(&self) -> ResourceUsage {
        self.tree.usage()
    }

    /// Ends the whole tree and returns how the program itself ended; `None` if the kernel cannot end it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if !self.ended {
            self.tree.end();
            self.ended = true;
            let deadline = Instant::now() + STATUS_TIMEOUT;
            while self.status.is_none() && Instant::now() < deadline {
                match self.inner.try_wait() {
                    Ok(Some(status)) => self.status = Some(status),
                    Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                    Err(_) => break,
                }
            }
        }
        self.status
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sets environment and folder. The environment is a short list and nothing of the user's but where programs are:
/// variables contain passwords, and what a program writes is stored. Messages are the same on every machine, and the
/// home and temporary files are in the private folder. One thread each: as many programs run side by side as there are cores.
fn set_environment(command: &mut Command, invocation: &Invocation) {
    command.env_clear().env("LANG", "C.UTF-8").env("TZ", "UTC").env("OMP_THREAD_LIMIT", "1");
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    match &invocation.folder {
        Some(folder) => command.current_dir(folder).env("HOME", folder).env("TMPDIR", folder),
        None => command.current_dir("/"),
    };
}

/// Confines the new process before it becomes the program. Makes system calls only.
fn confine(parent: Pid, kernel_limits: &KernelLimits, sandbox: &Sandbox) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        // The parent may have died before that took effect.
        if rustix::process::getppid() != Some(parent) {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        // Keeps descriptors that a library opened without close-on-exec from the program. Kernels before 5.11 refuse
        // the flag; then they are passed on.
        // SAFETY: the call takes numbers and touches no memory.
        unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    // A session of its own has no terminal, and is a process group of its own.
    rustix::process::setsid()?;
    kernel_limits.apply();
    sandbox.apply()
}

fn exit_of(pid: Pid) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    return rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok();
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        None
    }
}
