//! How much an outside program may use, and how the kernel is told.
//!
//! Memory is limited by RLIMIT_DATA and not by RLIMIT_AS: java, node and pandoc reserve address space by the
//! gigabyte without using it, and do not start under the latter.

use std::time::Duration;

/// What one launch may use. Whatever goes beyond ends with its whole process tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Time on the clock.
    pub wall: Duration,
    /// Time on processors, summed over the tree.
    pub cpu: Option<Duration>,
    /// Bytes of memory: of data for each process, of resident pages for the tree.
    pub memory: u64,
    /// Bytes that may be written: to standard output, and to any one file.
    pub output: u64,
}

/// Limits in the kernel's own words, made before the fork so that the child has nothing left to work out.
#[cfg(unix)]
pub(super) struct Fences(Vec<(rustix::process::Resource, rustix::process::Rlimit)>);

#[cfg(unix)]
impl Fences {
    pub(super) fn new(limits: &ProcessLimits, tag: Option<u64>) -> Fences {
        use rustix::process::Resource;
        let mut fences = vec![
            fence(Resource::Data, limits.memory, limits.memory),
            fence(Resource::Fsize, limits.output, limits.output),
            fence(Resource::Core, 0, 0),
        ];
        if let Some(cpu) = limits.cpu {
            // The soft limit sends SIGXCPU, which tells its cause; the hard one ends those who ignore it.
            let seconds = cpu.as_secs_f64().ceil().max(1.0) as u64;
            fences.push(fence(Resource::Cpu, seconds, seconds + 1));
        }
        #[cfg(target_os = "linux")]
        if let Some(tag) = tag {
            fences.push(fence(Resource::Msgqueue, tag, tag));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = tag;
        Fences(fences)
    }

    /// Puts the limits on the calling process.
    ///
    /// Only system calls happen here: it runs between fork and exec. A limit that cannot be set is left, since what
    /// cannot be set is already tighter.
    pub(super) fn put_up(&self) {
        for (resource, limit) in &self.0 {
            let _ = rustix::process::setrlimit(*resource, *limit);
        }
    }
}

/// A limit that does not try to rise above the one in force.
#[cfg(unix)]
fn fence(
    resource: rustix::process::Resource,
    soft: u64,
    hard: u64,
) -> (rustix::process::Resource, rustix::process::Rlimit) {
    let ceiling = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit =
        rustix::process::Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
    (resource, limit)
}
