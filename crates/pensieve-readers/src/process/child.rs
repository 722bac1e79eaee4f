//! One launched program with everything that keeps it in bounds.

use super::limits::KernelLimits;
use super::pipes::ChildPipes;
use super::sandbox::Sandbox;
use super::tree::{ResourceUsage, Tree, new_tag};
use super::{Invocation, ProcessLimits};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long the status of a process that was killed may be waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A running program. When it is dropped, its whole tree of processes ends.
pub struct ChildProcess {
    inner: std::process::Child,
    pid: Pid,
    tree: Tree,
    exit: Option<OwnedFd>,
    status: Option<ExitStatus>,
    ended: bool,
}

/// Where a program's standard input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildInput {
    /// There is none.
    Nothing,
    /// Requests that are sent to it.
    Requests,
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
        command.args(&invocation.arguments).process_group(0);
        command.stdin(if input == ChildInput::Requests { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        settle(&mut command, invocation);
        let tag = new_tag();
        let fences = KernelLimits::new(limits, tag);
        let sandbox = Sandbox::prepare(invocation.folder.as_deref());
        let parent = rustix::process::getpid();
        // SAFETY: the closure makes system calls on values made above; it neither allocates nor locks.
        unsafe { command.pre_exec(move || confine(parent, &fences, &sandbox)) };
        let mut inner = command.spawn()?;
        let pid = Pid::from_child(&inner);
        let pipes = (inner.stdin.take(), inner.stdout.take(), inner.stderr.take());
        let child = ChildProcess {
            tree: Tree::new(pid, tag),
            exit: exit_of(pid),
            inner,
            pid,
            status: None,
            ended: false,
        };
        Ok((child, ChildPipes::new(pipes.0, pipes.1, pipes.2)?))
    }

    /// A descriptor that becomes readable when the program exits, where the system has such.
    pub fn exit(&self) -> Option<BorrowedFd<'_>> {
        self.exit.as_ref().map(AsFd::as_fd)
    }

    /// True when the program itself is no more; others of its tree may be.
    pub fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // The status is left uncollected, so that the number of the group stays taken until the tree has ended.
        self.ended || !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    /// What its tree uses now.
    pub fn usage(&self) -> ResourceUsage {
        self.tree.usage()
    }

    /// Ends the whole tree, and tells how the program itself ended; `None` when the kernel cannot end it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if !self.ended {
            self.tree.end();
            self.ended = true;
            let deadline = Instant::now() + PATIENCE;
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

/// Environment and folder: the same words on every machine, temporary files in the private folder.
///
/// HOME stays as it is, although it holds other people's settings: interpreters installed below it need it.
fn settle(command: &mut Command, invocation: &Invocation) {
    command.env("LC_ALL", "C.UTF-8").env("LANG", "C.UTF-8").env("TZ", "UTC").env("TERM", "dumb");
    if let Some(folder) = &invocation.folder {
        command.current_dir(folder);
        for name in ["TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
            command.env(name, folder);
        }
    }
}

/// What the new process does before it becomes the program. System calls only.
fn confine(parent: Pid, fences: &KernelLimits, sandbox: &Sandbox) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        // Our parent may have died before that took effect.
        if rustix::process::getppid() != Some(parent) {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        // Whatever some library opened without close-on-exec stays ours. Kernels before 5.11 refuse; so be it.
        // SAFETY: the call takes numbers and touches no memory.
        unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    fences.apply();
    sandbox.put_on();
    Ok(())
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
