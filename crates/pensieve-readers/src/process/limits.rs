//! The limits of an outside program, and how the kernel enforces them.
//!
//! Memory is limited by RLIMIT_DATA and not by RLIMIT_AS: java, node and pandoc reserve gigabytes of address space
//! without using them, and do not start under RLIMIT_AS.

use crate::limits::worker::{BYTES_PER_SECOND, OUTPUT_BYTES_PER_BYTE};
use std::time::Duration;

/// What one launch may use. A program that exceeds a limit is ended with its whole process tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of the whole tree.
    pub cpu: Option<Duration>,
    /// Bytes of memory: of data for each process, of resident pages for the tree.
    pub memory: u64,
    /// Bytes that may be written: to standard output, and to any one file.
    pub output: u64,
}

impl ProcessLimits {
    /// These limits with time and output for a document of so many bytes more.
    pub(crate) fn for_bytes(self, bytes: u64) -> ProcessLimits {
        let more = Duration::from_secs(bytes / BYTES_PER_SECOND);
        ProcessLimits {
            cpu: self.cpu.map(|cpu| cpu + more),
            wall: self.wall + 3 * more,
            output: self.output.saturating_add(bytes.saturating_mul(OUTPUT_BYTES_PER_BYTE)),
            memory: self.memory,
        }
    }
}

/// Limits of the kernel, prepared before the fork so that the child has nothing to compute.
#[cfg(unix)]
pub(super) struct KernelLimits(Vec<(rustix::process::Resource, rustix::process::Rlimit)>);

#[cfg(unix)]
impl KernelLimits {
    pub(super) fn new(limits: &ProcessLimits, tag: Option<u64>) -> KernelLimits {
        use rustix::process::Resource;
        let mut limits_of_kernel = vec![
            kernel_limit(Resource::Data, limits.memory, limits.memory),
            kernel_limit(Resource::Fsize, limits.output, limits.output),
            kernel_limit(Resource::Core, 0, 0),
        ];
        if let Some(cpu) = limits.cpu {
            // The soft limit sends SIGXCPU, which shows the cause; the hard one ends programs that ignore it.
            let seconds = cpu.as_secs_f64().ceil().max(1.0) as u64;
            limits_of_kernel.push(kernel_limit(Resource::Cpu, seconds, seconds + 1));
        }
        #[cfg(target_os = "linux")]
        if let Some(tag) = tag {
            limits_of_kernel.push(kernel_limit(Resource::Msgqueue, tag, tag));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = tag;
        KernelLimits(limits_of_kernel)
    }

    /// Applies the limits to the calling process.
    ///
    /// Runs between fork and exec and makes system calls only. A limit that cannot be set is already tighter.
    pub(super) fn apply(&self) {
        for (resource, limit) in &self.0 {
            let _ = rustix::process::setrlimit(*resource, *limit);
        }
    }
}

/// A limit that is not above the one in force, which only root could raise.
#[cfg(unix)]
fn kernel_limit(
    resource: rustix::process::Resource,
    soft: u64,
    hard: u64,
) -> (rustix::process::Resource, rustix::process::Rlimit) {
    let ceiling = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit =
        rustix::process::Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
    (resource, limit)
}
