//! All processes that descend from one launch.
//!
//! A process leaves its group with `setsid` and its parent by forking twice. It is found all the same: this process is
//! a *subreaper*, so that a process that loses its parent becomes our child; and each launch has a tag that its
//! descendants inherit, so that no launch takes the orphans of another. The tag is the hard limit of RLIMIT_MSGQUEUE,
//! which no converter uses, and which only root can raise.

use crate::platform::exchange::ResourceUsage;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::time::{Duration, Instant};

/// How long ending a tree may take before what is left (a process that hangs inside the kernel) is abandoned.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The time between two rounds of killing.
const KILL_INTERVAL: Duration = Duration::from_micros(200);

/// A launched process and its descendants.
pub(super) struct Tree {
    root: Pid,
    tag: Option<u64>,
}

impl Tree {
    pub(super) fn new(root: Pid, tag: Option<u64>) -> Tree {
        Tree { root, tag }
    }

    /// What its living processes use; zero where the system does not report it.
    pub(super) fn usage(&self) -> ResourceUsage {
        let mut sum = ResourceUsage::default();
        let members = system::members(self.root, self.tag);
        sum.deleted = system::deleted_bytes(&members);
        for process in members {
            sum.memory += process.usage.memory;
            sum.cpu += process.usage.cpu;
            sum.tasks += process.usage.tasks;
        }
        sum
    }

    /// Ends every process of the tree but leaves the root's status to be collected.
    ///
    /// The root must not have been waited for yet: as long as it exists, dead or alive, no other process gets its id.
    /// Killing is repeated until no process is found, and after one was found, until three rounds in a row find none:
    /// a process that keeps forking and ending can escape a single round.
    pub(super) fn end(&self) {
        let deadline = Instant::now() + END_TIMEOUT;
        let mut needed = 1;
        let mut quiet = 0;
        while quiet < needed && Instant::now() < deadline {
            if needed > 1 {
                std::thread::sleep(KILL_INTERVAL);
            }
            let _ = kill_process_group(self.root, Signal::KILL);
            let members = system::members(self.root, self.tag);
            for process in &members {
                let _ = kill_process(process.pid, Signal::KILL);
            }
            let found = members.len() + system::reap(self.root, self.tag);
            (quiet, needed) = if found == 0 { (quiet + 1, needed) } else { (0, 3) };
        }
    }
}

/// The tag of a launch that is about to happen. Also makes this process the parent of its orphans.
pub(super) fn new_tag() -> Option<u64> {
    system::new_tag()
}

/// One process as the system describes it.
struct Process {
    pid: Pid,
    #[cfg(target_os = "linux")]
    parent: i32,
    #[cfg(target_os = "linux")]
    alive: bool,
    usage: ResourceUsage,
}

#[cfg(target_os = "linux")]
mod system {
    use super::Process;
    use crate::platform::exchange::ResourceUsage;
    use rustix::process::{Pid, Resource, WaitOptions, getpid, getrlimit, set_child_subreaper, waitpid};
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::sync::Once;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// The default limit of most systems; tags are below it, and below those of a Pensieve that runs this one.
    const USUAL_LIMIT: u64 = 819_200;
    const TAGS: u64 = 500_000;

    pub(super) fn new_tag() -> Option<u64> {
        static SUBREAPER: Once = Once::new();
        static NEXT: AtomicU64 = AtomicU64::new(1);
        SUBREAPER.call_once(|| {
            let _ = set_child_subreaper(Some(getpid()));
        });
        let ceiling = getrlimit(Resource::Msgqueue).maximum.unwrap_or(USUAL_LIMIT).min(USUAL_LIMIT);
        ceiling.checked_sub(NEXT.fetch_add(1, Ordering::Relaxed) % TAGS + 1)
    }

    /// The living processes of a launch: the root, the orphans with its tag, and the descendants of both.
    pub(super) fn members(root: Pid, tag: Option<u64>) -> Vec<Process> {
        let mut found: Vec<Process> = Vec::new();
        let mut waiting = orphans(root, tag);
        waiting.push(root.as_raw_nonzero().get());
        while let Some(pid) = waiting.pop() {
            if found.iter().any(|known| known.pid.as_raw_nonzero().get() == pid) {
                continue;
            }
            if let Some(process) = describe(pid) {
                waiting.extend(children(pid));
                found.push(process);
            }
        }
        found.retain(|process| process.alive);
        found
    }

    /// Bytes of files that these processes deleted and still have open, each counted once. Descriptors of other users
    /// cannot be seen.
    pub(super) fn deleted_bytes(members: &[Process]) -> u64 {
        let mut seen = std::collections::BTreeMap::new();
        for process in members {
            let folder = format!("/proc/{}/fd", process.pid.as_raw_nonzero());
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(found) = fs::metadata(entry.path()) else { continue };
                if found.is_file() && found.nlink() == 0 {
                    seen.insert((found.dev(), found.ino()), found.blocks().saturating_mul(512));
                }
            }
        }
        seen.values().sum()
    }

    /// Collects the status of dead orphans, so that none stays as a zombie; returns their number.
    pub(super) fn reap(root: Pid, tag: Option<u64>) -> usize {
        let orphans = orphans(root, tag).into_iter().filter_map(Pid::from_raw);
        orphans.filter(|&pid| matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_)))).count()
    }

    /// Children of this process that have the tag, without the launched one.
    fn orphans(root: Pid, tag: Option<u64>) -> Vec<i32> {
        let Some(tag) = tag else { return Vec::new() };
        let mut pids = children(getpid().as_raw_nonzero().get());
        pids.retain(|&pid| pid != root.as_raw_nonzero().get() && tag_of(pid) == Some(tag));
        pids
    }

    fn tag_of(pid: i32) -> Option<u64> {
        let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
        let line = limits.lines().find_map(|line| line.strip_prefix("Max msgqueue size"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    fn children(pid: i32) -> Vec<i32> {
        let mut pids = Vec::new();
        let mut is_listed = false;
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            if let Ok(list) = fs::read_to_string(task.path().join("children")) {
                is_listed = true;
                pids.extend(list.split_ascii_whitespace().filter_map(|word| word.parse::<i32>().ok()));
            }
        }
        // Kernels built without PROC_CHILDREN have no such file; then the parent of every process is compared.
        if is_listed || fs::exists(format!("/proc/{pid}/task/{pid}/children")).unwrap_or(true) {
            return pids;
        }
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers
            .filter_map(describe)
            .filter(|p| p.parent == pid)
            .map(|p| p.pid.as_raw_nonzero().get())
            .collect()
    }

    /// Reads `/proc/PID/stat`. The second field is the program's name in parentheses, which may itself contain spaces
    /// and parentheses: fields are counted from the last parenthesis.
    fn describe(pid: i32) -> Option<Process> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<i64>().ok());
        // A process whose first thread has ended looks dead while its other threads run.
        let alive = !matches!(fields.first(), Some(&"Z" | &"X")) || number(17) > Some(1);
        let ticks: i64 = (11..15).filter_map(number).sum();
        let cpu =
            Duration::from_secs_f64(ticks.max(0) as f64 / rustix::param::clock_ticks_per_second() as f64);
        let memory = number(21)?.max(0) as u64 * rustix::param::page_size() as u64;
        Some(Process {
            pid: Pid::from_raw(pid)?,
            parent: number(1)? as i32,
            alive,
            usage: ResourceUsage {
                memory,
                cpu,
                tasks: number(17).map_or(1, |threads| threads.max(1) as u64),
                deleted: 0,
            },
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn this_process_describes_itself() {
            let me = describe(getpid().as_raw_nonzero().get()).expect("/proc is there");
            assert!(me.alive && me.usage.memory > 0 && me.parent > 0);
        }

        #[test]
        fn children_and_tags_are_found() {
            let mut child = std::process::Command::new("sleep").arg("5").spawn().unwrap();
            let pid = child.id() as i32;
            assert!(children(getpid().as_raw_nonzero().get()).contains(&pid));
            assert!(tag_of(pid).is_some());
            child.kill().unwrap();
            child.wait().unwrap();
        }

        #[test]
        fn tags_differ() {
            assert_ne!(new_tag(), new_tag());
        }
    }
}

/// Without /proc only the process group is known.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::Process;
    use rustix::process::Pid;

    pub(super) fn new_tag() -> Option<u64> {
        None
    }

    pub(super) fn members(_root: Pid, _tag: Option<u64>) -> Vec<Process> {
        Vec::new()
    }

    pub(super) fn reap(_root: Pid, _tag: Option<u64>) -> usize {
        0
    }

    pub(super) fn deleted_bytes(_members: &[Process]) -> u64 {
        0
    }
}
