//! One launched program with its limits and its process tree, which is a job. It has no sandbox.

use super::job::Job;
use super::pipes::ChildPipes;
use crate::platform::exchange::{ChildInput, ResourceUsage};
use crate::platform::invocation::Invocation;
use crate::platform::process_limits::ProcessLimits;
use std::convert::Infallible;
use std::io;
use std::os::windows::io::AsHandle;
use std::os::windows::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

/// How long to wait for the status of a process that was ended.
const STATUS_TIMEOUT: Duration = Duration::from_secs(5);

/// Variables without which programs of Windows do not start.
const SYSTEM_VARIABLES: &[&str] = &["PATH", "PATHEXT", "SystemRoot", "SystemDrive", "windir", "ComSpec"];

/// A running program. When it is dropped, its whole tree of processes ends.
pub(crate) struct ChildProcess {
    inner: Mutex<std::process::Child>,
    job: Job,
    status: Option<ExitStatus>,
    ended: bool,
}

impl ChildProcess {
    /// Launches a program under limits. It runs for a moment before its job has it: a process that it starts in that
    /// moment is outside.
    pub fn start(
        invocation: &Invocation,
        limits: &ProcessLimits,
        input: ChildInput,
    ) -> io::Result<(ChildProcess, ChildPipes)> {
        let mut command = Command::new(&invocation.program);
        command.args(&invocation.arguments).creation_flags(CREATE_NO_WINDOW);
        command.stdin(match input {
            ChildInput::Nothing => Stdio::null(),
            ChildInput::Requests => Stdio::piped(),
        });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        set_environment(&mut command, invocation);
        let job = Job::new(limits)?;
        let mut inner = command.spawn()?;
        if let Err(error) = job.add(&inner) {
            let _ = inner.kill();
            return Err(error);
        }
        let process = inner.as_handle().try_clone_to_owned()?;
        let pipes = ChildPipes::new(process, inner.stdin.take(), inner.stdout.take(), inner.stderr.take());
        let child = ChildProcess { inner: Mutex::new(inner), job, status: None, ended: false };
        Ok((child, pipes?))
    }

    /// Nothing reports that the program exits, but its pipes close.
    pub fn exit(&self) -> Option<Infallible> {
        None
    }

    /// True if the program itself has ended; other processes of its tree may still run.
    pub fn has_exited(&self) -> bool {
        let mut inner = self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.ended || !matches!(inner.try_wait(), Ok(None))
    }

    /// What its process tree uses now.
    pub fn usage(&self) -> ResourceUsage {
        self.job.usage()
    }

    /// Ends the whole tree and returns how the program itself ended; `None` if the system cannot end it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if !self.ended {
            let deadline = Instant::now() + STATUS_TIMEOUT;
            let inner = self.inner.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            // A program that has ended by itself keeps its status.
            self.status = inner.try_wait().ok().flatten();
            self.job.end();
            self.ended = true;
            while self.status.is_none() && Instant::now() < deadline {
                match inner.try_wait() {
                    Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                    Ok(status) => self.status = status,
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

/// Sets environment and folder: as on other systems a short list, with what Windows itself needs.
fn set_environment(command: &mut Command, invocation: &Invocation) {
    command.env_clear().env("LANG", "C.UTF-8").env("TZ", "UTC").env("OMP_THREAD_LIMIT", "1");
    for name in SYSTEM_VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    if let Some(folder) = &invocation.folder {
        command.current_dir(folder);
        for name in ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "TMPDIR"] {
            command.env(name, folder);
        }
    }
}
