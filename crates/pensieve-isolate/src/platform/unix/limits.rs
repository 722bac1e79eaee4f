//! How the kernel enforces the limits of an outside program.
//!
//! Memory is limited by RLIMIT_DATA and not by RLIMIT_AS: java, node and pandoc reserve gigabytes of address space
//! without using them, and do not start under RLIMIT_AS.

use crate::platform::process_limits::ProcessLimits;
use rustix::process::{Resource, Rlimit};

/// Open files, pipes and sockets of each process of a program. What waits in pipes and sockets is memory of the kernel that
/// nobody counts: some 200 KiB each. Office suites and programs in Java have 100 to 300 files open.
const MAX_OPEN_FILES: u64 = 512;

/// Limits of the kernel, prepared before the fork so that the child has nothing to compute.
pub(super) struct KernelLimits(Vec<(Resource, Rlimit)>);

impl KernelLimits {
    pub(super) fn new(limits: &ProcessLimits, tag: Option<u64>) -> KernelLimits {
        let mut limits_of_kernel = vec![
            kernel_limit(Resource::Data, limits.memory, limits.memory),
            kernel_limit(Resource::Fsize, limits.output, limits.output),
            kernel_limit(Resource::Core, 0, 0),
            kernel_limit(Resource::Nofile, MAX_OPEN_FILES, MAX_OPEN_FILES),
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
fn kernel_limit(resource: Resource, soft: u64, hard: u64) -> (Resource, Rlimit) {
    let ceiling = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit = Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
    (resource, limit)
}
