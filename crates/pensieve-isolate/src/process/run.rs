//! Runs one program to its end and judges how it ended.

use crate::platform::{Invocation, ProcessLimits};
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// The output of a program that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessOutput {
    /// Its whole standard output.
    pub stdout: Vec<u8>,
    /// The first and last 4 KiB of its standard error.
    pub stderr: String,
}

/// Why a program gave no output.
#[derive(Debug, Error)]
pub enum RunFailure {
    /// The program, or the interpreter that its first line names, does not exist.
    #[error("was not found at `{}`", program.display())]
    NotFound {
        /// The program.
        program: PathBuf,
    },
    /// The system could not start or follow it.
    #[error("cannot be started from `{}`: {source}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// It ended by itself with a status that reports a failure.
    #[error("ended with status {code}{}", gist(stderr))]
    ExitStatus {
        /// Its status.
        code: i32,
        /// The first and last 4 KiB of its standard error.
        stderr: String,
    },
    /// A signal ended it.
    #[error("died of signal {signal}{}", gist(stderr))]
    Signal {
        /// The signal.
        signal: i32,
        /// The first and last 4 KiB of its standard error.
        stderr: String,
    },
    /// It made a system call that the sandbox forbids, and the kernel ended it.
    #[error("made a system call that its sandbox forbids")]
    Forbidden,
    /// It started more processes and threads than its limit.
    #[error("started more than {count} processes and threads")]
    ProcessLimit {
        /// The limit.
        count: u64,
    },
    /// It took longer than its limit.
    #[error("took longer than {} s", limit.as_secs_f64())]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// It needed more memory than its limit.
    #[error("wanted more than {bytes} bytes of memory")]
    MemoryLimit {
        /// The limit.
        bytes: u64,
    },
    /// It wrote more than its limit.
    #[error("wrote more than {bytes} bytes")]
    OutputLimit {
        /// The limit.
        bytes: u64,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// The essence of standard error: its first line, and its last where that is another, each cut short.
fn gist(stderr: &str) -> String {
    let mut lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let shorten = |line: &str| line.chars().take(300).collect::<String>();
    match (lines.next(), lines.next_back()) {
        (None, _) => String::new(),
        (Some(only), None) => format!(": {}", shorten(only)),
        (Some(first), Some(last)) => format!(": {} ... {}", shorten(first), shorten(last)),
    }
}

/// Runs a program to its end and returns what it wrote.
///
/// Its whole process tree is ended when a limit is exceeded, when `interrupted` returns true, and when the program
/// exits by itself: processes that it left in the background do not survive. A pipe that such a process holds open is
/// read as long as data arrives, and then closed.
///
/// # Errors
/// See [`RunFailure`]; output of a program that failed is dropped.
pub(crate) fn run(
    invocation: &Invocation,
    limits: &ProcessLimits,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<ProcessOutput, RunFailure> {
    following::run(invocation, limits, interrupted)
}

mod following {
    use crate::limits::process::MAX_TASKS;
    use crate::platform::{
        ChildInput, ChildPipes, ChildProcess, FORBIDDEN_CALL, KILLED, OUT_OF_CPU_TIME, OUTPUT_FILE_TOO_LARGE,
        PendingInput, PipeTurn, PrivateFolderUsage, signal_of,
    };
    use crate::platform::{Invocation, ProcessLimits};
    use crate::process::run::{ProcessOutput, RunFailure};
    use std::io;
    use std::process::ExitStatus;
    use std::time::{Duration, Instant};

    /// How often limits on time and memory are checked.
    const CHECK_INTERVAL: Duration = Duration::from_millis(100);
    /// How often a program is checked where no descriptor reports that it has ended.
    const EXIT_CHECK_INTERVAL: Duration = Duration::from_millis(10);
    /// How long a pipe without data stays open after the program itself has ended.
    const PIPE_TIMEOUT: Duration = Duration::from_millis(500);

    pub(super) fn run(
        invocation: &Invocation,
        limits: &ProcessLimits,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<ProcessOutput, RunFailure> {
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => RunFailure::NotFound { program: invocation.program.clone() },
            _ => RunFailure::Spawn { program: invocation.program.clone(), source },
        };
        let folder = PrivateFolderUsage::new(invocation.folder.as_deref()).map_err(failed)?;
        let (child, pipes) = ChildProcess::start(invocation, limits, ChildInput::Nothing).map_err(failed)?;
        let mut follower = Follower::new(child, pipes, limits, folder);
        let stopped = follower.follow(interrupted).map_err(failed)?;
        let status = follower.child.end();
        follower.drain_pipes().map_err(failed)?;
        match (stopped, status) {
            (Some(failure), _) => Err(failure),
            (None, Some(status)) => follower.judge(status),
            (None, None) => Err(failed(io::Error::other("its status was lost"))),
        }
    }

    struct Follower<'l> {
        child: ChildProcess,
        pipes: ChildPipes,
        limits: &'l ProcessLimits,
        started: Instant,
        cpu: Duration,
        stdout: Vec<u8>,
        folder: PrivateFolderUsage,
    }

    impl<'l> Follower<'l> {
        fn new(
            child: ChildProcess,
            pipes: ChildPipes,
            limits: &'l ProcessLimits,
            folder: PrivateFolderUsage,
        ) -> Follower<'l> {
            let stdout = Vec::new();
            Follower { child, pipes, limits, started: Instant::now(), cpu: Duration::ZERO, stdout, folder }
        }

        /// Moves output until the program has ended by itself, or returns why it must be ended.
        fn follow(&mut self, interrupted: &dyn Fn() -> bool) -> io::Result<Option<RunFailure>> {
            let mut last_check = Instant::now();
            let mut exited = false;
            let mut quiet_since = Instant::now();
            loop {
                let turn = self.turn(exited)?;
                if self.stdout.len() as u64 > self.limits.output {
                    return Ok(Some(RunFailure::OutputLimit { bytes: self.limits.output }));
                }
                exited = exited || self.child.has_exited();
                if turn == PipeTurn::Moved || !exited {
                    quiet_since = Instant::now();
                }
                if exited && (!self.pipes.is_open() || quiet_since.elapsed() > PIPE_TIMEOUT) {
                    return Ok(None);
                }
                let overdue = self.started.elapsed() >= self.limits.wall;
                if overdue || last_check.elapsed() >= CHECK_INTERVAL {
                    last_check = Instant::now();
                    if interrupted() {
                        return Ok(Some(RunFailure::Interrupted));
                    }
                    if let Some(failure) = self.passed_limit(overdue) {
                        return Ok(Some(failure));
                    }
                }
            }
        }

        fn turn(&mut self, exited: bool) -> io::Result<PipeTurn> {
            let exit = if exited { None } else { self.child.exit() };
            let rest = self.limits.wall.saturating_sub(self.started.elapsed());
            let timeout = if exit.is_some() { CHECK_INTERVAL } else { EXIT_CHECK_INTERVAL }.min(rest);
            self.pipes.turn(exit, &mut PendingInput::default(), timeout, &mut |bytes| {
                self.stdout.extend_from_slice(bytes)
            })
        }

        fn passed_limit(&mut self, overdue: bool) -> Option<RunFailure> {
            let usage = self.child.usage();
            self.cpu = self.cpu.max(usage.cpu);
            // Before memory, which many processes share and count twice.
            if usage.tasks > MAX_TASKS {
                return Some(RunFailure::ProcessLimit { count: MAX_TASKS });
            }
            if usage.memory > self.limits.memory {
                return Some(RunFailure::MemoryLimit { bytes: self.limits.memory });
            }
            if self.folder.exceeds(self.limits.output, usage.deleted) {
                return Some(RunFailure::OutputLimit { bytes: self.limits.output });
            }
            match self.limits.cpu.filter(|&limit| usage.cpu > limit) {
                Some(limit) => Some(RunFailure::Timeout { limit }),
                None => overdue.then_some(RunFailure::Timeout { limit: self.limits.wall }),
            }
        }

        /// Reads what is left in the pipes after all writers are gone.
        fn drain_pipes(&mut self) -> io::Result<()> {
            let limit = self.limits.output as usize;
            while self.pipes.is_open() && self.stdout.len() <= limit {
                let stdout = &mut self.stdout;
                let turn = self.pipes.turn(None, &mut PendingInput::default(), Duration::ZERO, &mut |b| {
                    stdout.extend_from_slice(b)
                })?;
                if turn == PipeTurn::Quiet {
                    break;
                }
            }
            Ok(())
        }

        fn judge(self, status: ExitStatus) -> Result<ProcessOutput, RunFailure> {
            let stderr = self.pipes.log();
            let bytes = self.limits.output;
            // What was written since the last check.
            if self.folder.exceeds(bytes, 0) {
                return Err(RunFailure::OutputLimit { bytes });
            }
            if status.success() && self.stdout.len() as u64 <= bytes {
                return Ok(ProcessOutput { stdout: self.stdout, stderr });
            }
            match (signal_of(&status), status.code()) {
                (Some(FORBIDDEN_CALL), _) => Err(RunFailure::Forbidden),
                (None, Some(0)) | (Some(OUTPUT_FILE_TOO_LARGE), _) => Err(RunFailure::OutputLimit { bytes }),
                (Some(signal), _) if self.is_out_of_time(signal) => {
                    Err(RunFailure::Timeout { limit: self.limits.cpu.unwrap_or(self.limits.wall) })
                }
                _ if is_out_of_memory(&stderr) => Err(RunFailure::MemoryLimit { bytes: self.limits.memory }),
                (Some(signal), _) => Err(RunFailure::Signal { signal, stderr }),
                (None, code) => Err(RunFailure::ExitStatus { code: code.unwrap_or(-1), stderr }),
            }
        }

        /// The kernel sends SIGXCPU to a process at the soft limit, and SIGKILL to one that ignores it.
        fn is_out_of_time(&self, signal: i32) -> bool {
            let is_used_up = self.limits.cpu.is_some_and(|limit| self.cpu + Duration::from_secs(1) > limit);
            signal == OUT_OF_CPU_TIME || (signal == KILLED && is_used_up)
        }
    }

    /// Messages about a failed allocation, in lower case: C and C++, Rust, Python, Haskell, node, java.
    const OUT_OF_MEMORY: &[&str] = &[
        "bad_alloc",
        "cannot allocate memory",
        "could not reserve enough space",
        "heap exhausted",
        "insufficient memory",
        "memory allocation of",
        "memoryerror",
        "not enough space",
        "out of memory",
        "outofmemory",
    ];

    fn is_out_of_memory(stderr: &str) -> bool {
        let stderr = stderr.to_lowercase();
        OUT_OF_MEMORY.iter().any(|words| stderr.contains(words))
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    const LIMITS: ProcessLimits =
        ProcessLimits { wall: Duration::from_secs(20), cpu: None, memory: 512 << 20, output: 1 << 20 };

    fn sh_within(script: &str, limits: ProcessLimits) -> Result<ProcessOutput, RunFailure> {
        run(&Invocation::new("/bin/sh", ["-c", script]), &limits, &|| false)
    }

    fn check(script: &str, expected: &str) {
        let result = match sh_within(script, LIMITS) {
            Ok(output) => String::from_utf8(output.stdout).unwrap(),
            Err(failure) => failure.to_string(),
        };
        assert_eq!(result, expected, "{script}");
    }

    #[test]
    fn output_and_every_kind_of_end_are_reported() {
        check("echo text; echo noise >&2", "text\n");
        check("true", "");
        check("cat; echo end", "end\n");
        check("exit 3", "ended with status 3");
        check("echo first >&2; echo more >&2; echo last >&2; exit 4", "ended with status 4: first ... last");
        check("kill -SEGV $$", "died of signal 11");
        check("echo 'x: out of memory' >&2; exit 251", "wanted more than 536870912 bytes of memory");
        check("head -c 2000000 /dev/zero", "wrote more than 1048576 bytes");
    }

    #[test]
    fn a_missing_program_is_its_own_failure() {
        let missing = run(&Invocation::new("/no/such/program", [""; 0]), &LIMITS, &|| false);
        assert!(matches!(missing, Err(RunFailure::NotFound { .. })), "{missing:?}");
        let not_executable = run(&Invocation::new("/etc/passwd", [""; 0]), &LIMITS, &|| false);
        assert!(matches!(not_executable, Err(RunFailure::Spawn { .. })), "{not_executable:?}");
    }

    #[test]
    fn a_long_log_on_stderr_blocks_nothing_and_keeps_its_ends() {
        let script = "echo begin >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo text";
        let output = sh_within(script, LIMITS).unwrap();
        assert_eq!(output.stdout, b"text\n");
        assert!(output.stderr.starts_with("begin") && output.stderr.ends_with("end\n"));
        assert!(output.stderr.len() < 9000);
    }

    fn check_ended(script: &str, wall_ms: u64, expected: fn(&Result<ProcessOutput, RunFailure>) -> bool) {
        let started = Instant::now();
        let result = sh_within(script, ProcessLimits { wall: Duration::from_millis(wall_ms), ..LIMITS });
        assert!(expected(&result), "{script}: {result:?}");
        assert!(started.elapsed() < Duration::from_secs(6), "{script} took {:?}", started.elapsed());
    }

    #[test]
    fn the_deadline_ends_the_whole_tree() {
        let timeout =
            |result: &Result<ProcessOutput, RunFailure>| matches!(result, Err(RunFailure::Timeout { .. }));
        check_ended("sleep 30", 300, timeout);
        check_ended("sleep 30 & sleep 30 & wait", 300, timeout);
        check_ended("trap '' TERM INT HUP; while :; do sleep 1; done", 300, timeout);
        check_ended("exec >&- 2>&-; sleep 30", 300, timeout);
    }

    #[test]
    fn a_background_process_that_holds_the_pipe_delays_nothing() {
        let done =
            |r: &Result<ProcessOutput, RunFailure>| r.as_ref().is_ok_and(|output| output.stdout == b"text\n");
        check_ended("sleep 30 & echo text", 20_000, done);
    }

    #[test]
    fn processor_time_is_limited_apart_from_the_clock() {
        let limits = ProcessLimits { cpu: Some(Duration::from_secs(1)), ..LIMITS };
        let result = sh_within("while :; do :; done", limits);
        assert!(matches!(result, Err(RunFailure::Timeout { limit }) if limit.as_secs() == 1), "{result:?}");
    }

    #[test]
    fn the_user_can_stop_it() {
        let started = Instant::now();
        let stop = || started.elapsed() > Duration::from_millis(200);
        let result = run(&Invocation::new("/bin/sleep", ["30"]), &LIMITS, &stop);
        assert!(matches!(result, Err(RunFailure::Interrupted)), "{result:?}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn launches_side_by_side_do_not_end_each_other() {
        std::thread::scope(|scope| {
            for number in 0..12 {
                scope.spawn(move || {
                    let script = format!("(setsid sleep 30 &) ; sleep 0.3; echo {number}");
                    assert_eq!(sh_within(&script, LIMITS).unwrap().stdout, format!("{number}\n").as_bytes());
                });
            }
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_private_folder_can_be_written() {
        if !super::super::sandbox_level().read_only {
            return;
        }
        let private = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let script = format!(
            "pwd; echo x > inside && cat inside; echo x > {0}/y; echo x >/dev/null; echo told >/dev/stdout; ls {0} || true",
            outside.path().display()
        );
        let invocation = Invocation::new("/bin/sh", ["-c", &script]).within(private.path());
        let output = run(&invocation, &LIMITS, &|| false).unwrap();
        let expected = format!("{}\nx\ntold\n", private.path().display());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", output.stderr);
    }
}
