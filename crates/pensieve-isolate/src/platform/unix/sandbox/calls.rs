//! The system calls that a launched program may not make: one table, with the reason for each row.
//!
//! It is a list of what is refused, because converters are foreign programs that may need anything else. Three answers:
//! *kill* for calls that only an attack makes, so that the attempt becomes a row of `errors`; *refuse* for calls that
//! harmless programs try as well and go on without; *pretend* for calls that harmless programs depend on and that must
//! not take effect: they do nothing and report success.
//!
//! Numbers of calls that are younger than the `libc` crate supports everywhere are written here; from 424 on they are the
//! same on all architectures.

use libc::*;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallAnswer {
    /// The program is ended.
    Kill,
    /// The call fails with this error.
    Refuse(i32),
    /// The call does nothing and reports success.
    Pretend,
}

/// Which calls of one number are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallCondition {
    /// All.
    Always,
    /// Those whose argument of this index is this number.
    Equals(u8, u32),
    /// Those whose argument of this index is another number.
    Differs(u8, u32),
    /// Those whose argument of this index is none of these numbers.
    NoneOf(u8, &'static [u32]),
    /// Those whose argument of this index has one of these bits.
    AnyBit(u8, u32),
    /// Those whose argument of this index has none of these bits.
    NoBit(u8, u32),
    /// Those whose argument of this index has none of these numbers in its lowest four bits.
    LowBitsNoneOf(u8, &'static [u32]),
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallRule {
    pub(super) number: i64,
    pub(super) condition: CallCondition,
    pub(super) answer: CallAnswer,
    /// Why; for those who read and change the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by people and by the test of this table"))]
    pub(super) reason: &'static str,
}

use CallAnswer::{Kill, Pretend, Refuse};
use CallCondition::{Always, AnyBit, Differs, Equals, LowBitsNoneOf, NoneOf};

const fn rule(
    number: c_long,
    condition: CallCondition,
    answer: CallAnswer,
    reason: &'static str,
) -> CallRule {
    CallRule { number, condition, answer, reason }
}

const F_SETOWN_EX: u32 = 15;
/// `RLIMIT_MSGQUEUE` and `PRIO_PROCESS`, whose types differ among C libraries.
const LIMIT_OF_QUEUES: u32 = 12;
const PRIORITY_OF_PROCESS: u32 = 0;
const PIDFD_SEND_SIGNAL: c_long = 424;
const IO_URING_SETUP: c_long = 425;
const IO_URING_ENTER: c_long = 426;
const IO_URING_REGISTER: c_long = 427;
const OPEN_TREE: c_long = 428;
const MOVE_MOUNT: c_long = 429;
const FSOPEN: c_long = 430;
const FSCONFIG: c_long = 431;
const FSMOUNT: c_long = 432;
const FSPICK: c_long = 433;
const PIDFD_OPEN: c_long = 434;
const CLONE3: c_long = 435;
const PIDFD_GETFD: c_long = 438;
const PROCESS_MADVISE: c_long = 440;
const MOUNT_SETATTR: c_long = 442;
const QUOTACTL_FD: c_long = 443;
const MEMFD_SECRET: c_long = 447;
const PROCESS_MRELEASE: c_long = 448;
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

/// Ioctls that programs use on files and pipes; any other is answered like one that the file does not know.
const HARMLESS_IOCTLS: &[u32] = &[
    TCGETS as u32,
    TIOCGWINSZ as u32,
    TIOCGPGRP as u32,
    FIONREAD as u32,
    FIONBIO as u32,
    FIOCLEX as u32,
    FIONCLEX as u32,
    // FICLONE and FICLONERANGE: copying a file by sharing its blocks, into a file that is open for writing.
    0x4004_9409,
    0x4020_940d,
];

/// Flags of `clone` and `unshare` that make namespaces: time, mount, cgroup, UTS, IPC, user, PID, network.
const NAMESPACES: u32 =
    0x80 | 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;
/// The same for `clone`, where the lowest byte is a signal and time namespaces do not exist.
const CLONED_NAMESPACES: u32 = NAMESPACES & !0xff;

const TERMINAL: &str = "types into, or takes over, a terminal";
const METADATA: &str = "changes files that are only readable: Landlock does not cover metadata";
const ATTRIBUTES: &str =
    "changes attributes of files that are only readable: Landlock does not cover metadata";
const KEPT_MEMORY: &str = "memory that no limit counts and that may stay after the run";
const QUEUES: &str = "stays after the run and reaches other processes";
const MOUNTS: &str = "changes what paths mean";
const NAMESPACE: &str = "gives rights that the user does not have, and reaches more of the kernel";
const OTHER_PROCESSES: &str = "reads or changes another process";
const OTHER_SCHEDULES: &str = "changes the priority or the processors of another process";
const KERNEL: &str = "changes the system; no converter does";
const KEYS: &str = "reads keys of the user";
const NETWORK: &str = "reaches other machines and daemons";
const URING: &str = "does the work of other calls without their being filtered";
const GROUP: &str = "a process that stays in its group is ended reliably with the group";
const UNSEEN: &str =
    "its arguments are in memory, where a filter cannot see them; libraries fall back to `clone`";

/// Every system call that a converter may not make.
pub(super) const REFUSED_CALLS: &[CallRule] = &[
    // Terminals.
    rule(SYS_ioctl, Equals(1, TIOCSTI as u32), Kill, TERMINAL),
    rule(SYS_ioctl, Equals(1, TIOCLINUX as u32), Kill, TERMINAL),
    rule(SYS_ioctl, Equals(1, TIOCSETD as u32), Kill, TERMINAL),
    rule(
        SYS_ioctl,
        NoneOf(1, HARMLESS_IOCTLS),
        Refuse(ENOTTY),
        "file flags, devices and much of the kernel are behind it",
    ),
    rule(SYS_vhangup, Always, Kill, TERMINAL),
    // Metadata. Programs that copy files set modes and times, and fail if they cannot.
    rule(SYS_fchmod, Always, Pretend, METADATA),
    rule(SYS_fchmodat, Always, Pretend, METADATA),
    rule(FCHMODAT2, Always, Pretend, METADATA),
    rule(SYS_utimensat, Always, Pretend, METADATA),
    rule(SYS_fchown, Always, Refuse(EPERM), METADATA),
    rule(SYS_fchownat, Always, Refuse(EPERM), METADATA),
    rule(SYS_setxattr, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SYS_lsetxattr, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SYS_fsetxattr, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SETXATTRAT, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SYS_removexattr, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SYS_lremovexattr, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SYS_fremovexattr, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(REMOVEXATTRAT, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(FILE_SETATTR, Always, Refuse(EOPNOTSUPP), ATTRIBUTES),
    rule(SYS_fcntl, Equals(1, F_SETLEASE as u32), Refuse(EPERM), "makes others wait who open the file"),
    rule(SYS_fcntl, Equals(1, F_NOTIFY as u32), Refuse(EPERM), "watches folders"),
    rule(SYS_fcntl, Equals(1, F_SETOWN as u32), Refuse(EPERM), "sends signals to another process"),
    rule(SYS_fcntl, Equals(1, F_SETOWN_EX), Refuse(EPERM), "sends signals to another process"),
    // Memory.
    rule(SYS_memfd_create, Always, Refuse(ENOSYS), KEPT_MEMORY),
    rule(MEMFD_SECRET, Always, Refuse(ENOSYS), KEPT_MEMORY),
    rule(SYS_shmget, Always, Refuse(ENOSYS), KEPT_MEMORY),
    rule(SYS_shmat, Always, Refuse(ENOSYS), KEPT_MEMORY),
    rule(SYS_shmctl, Always, Refuse(ENOSYS), KEPT_MEMORY),
    rule(SYS_msgget, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_msgsnd, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_msgrcv, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_msgctl, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_semget, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_semop, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_semtimedop, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_semctl, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_mq_open, Always, Refuse(ENOSYS), QUEUES),
    rule(SYS_mq_unlink, Always, Refuse(ENOSYS), QUEUES),
    // The file system.
    rule(SYS_mount, Always, Kill, MOUNTS),
    rule(SYS_umount2, Always, Kill, MOUNTS),
    rule(SYS_pivot_root, Always, Kill, MOUNTS),
    rule(SYS_chroot, Always, Kill, MOUNTS),
    rule(FSOPEN, Always, Kill, MOUNTS),
    rule(FSCONFIG, Always, Kill, MOUNTS),
    rule(FSMOUNT, Always, Kill, MOUNTS),
    rule(FSPICK, Always, Kill, MOUNTS),
    rule(OPEN_TREE, Always, Kill, MOUNTS),
    rule(OPEN_TREE_ATTR, Always, Kill, MOUNTS),
    rule(MOVE_MOUNT, Always, Kill, MOUNTS),
    rule(MOUNT_SETATTR, Always, Kill, MOUNTS),
    rule(SYS_open_by_handle_at, Always, Kill, "opens files without a path, past every rule about paths"),
    rule(SYS_name_to_handle_at, Always, Refuse(EOPNOTSUPP), "prepares `open_by_handle_at`"),
    rule(SYS_fanotify_init, Always, Refuse(EPERM), "watches the file system, and can block it"),
    rule(SYS_quotactl, Always, Refuse(EPERM), KERNEL),
    rule(QUOTACTL_FD, Always, Refuse(EPERM), KERNEL),
    rule(SYS_acct, Always, Kill, KERNEL),
    // Namespaces.
    rule(SYS_unshare, AnyBit(0, NAMESPACES), Refuse(EPERM), NAMESPACE),
    rule(SYS_clone, AnyBit(0, CLONED_NAMESPACES), Refuse(EPERM), NAMESPACE),
    rule(CLONE3, Always, Refuse(ENOSYS), UNSEEN),
    rule(SYS_setns, Always, Kill, NAMESPACE),
    // Other processes.
    rule(SYS_ptrace, Always, Kill, OTHER_PROCESSES),
    rule(SYS_process_vm_readv, Always, Kill, OTHER_PROCESSES),
    rule(SYS_process_vm_writev, Always, Kill, OTHER_PROCESSES),
    rule(PIDFD_GETFD, Always, Kill, OTHER_PROCESSES),
    rule(PROCESS_MADVISE, Always, Kill, OTHER_PROCESSES),
    rule(PROCESS_MRELEASE, Always, Kill, OTHER_PROCESSES),
    rule(PIDFD_OPEN, Always, Refuse(ENOSYS), OTHER_PROCESSES),
    rule(PIDFD_SEND_SIGNAL, Always, Refuse(ENOSYS), OTHER_PROCESSES),
    rule(SYS_kcmp, Always, Refuse(EPERM), OTHER_PROCESSES),
    rule(SYS_migrate_pages, Always, Refuse(EPERM), OTHER_PROCESSES),
    rule(SYS_move_pages, Always, Refuse(EPERM), OTHER_PROCESSES),
    rule(SYS_prlimit64, Differs(0, 0), Refuse(EPERM), "changes limits of another process"),
    rule(
        SYS_prlimit64,
        Equals(1, LIMIT_OF_QUEUES),
        Refuse(EPERM),
        "the limit marks the processes of a launch",
    ),
    rule(SYS_setpriority, Differs(0, PRIORITY_OF_PROCESS), Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_setpriority, Differs(1, 0), Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_ioprio_set, Always, Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_sched_setaffinity, Differs(0, 0), Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_sched_setscheduler, Always, Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_sched_setparam, Always, Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_sched_setattr, Always, Refuse(EPERM), OTHER_SCHEDULES),
    rule(SYS_setsid, Always, Pretend, GROUP),
    rule(SYS_setpgid, Always, Pretend, GROUP),
    // Network.
    rule(SYS_socket, Differs(0, AF_UNIX as u32), Refuse(EPERM), NETWORK),
    rule(
        SYS_socket,
        LowBitsNoneOf(1, &[SOCK_STREAM as u32]),
        Refuse(EPERM),
        "datagrams reach daemons without `connect`",
    ),
    rule(
        SYS_socketpair,
        LowBitsNoneOf(1, &[SOCK_STREAM as u32, SOCK_SEQPACKET as u32]),
        Refuse(EPERM),
        "datagrams reach daemons without `connect`",
    ),
    // LibreOffice listens for later launches of itself, and does not start where that fails.
    rule(SYS_bind, Always, Pretend, "offers itself to others, anywhere in the file system"),
    rule(SYS_listen, Always, Pretend, "offers itself to others"),
    rule(SYS_connect, Always, Refuse(EPERM), "daemons with a socket in the file system obey any caller"),
    rule(IO_URING_SETUP, Always, Refuse(ENOSYS), URING),
    rule(IO_URING_ENTER, Always, Refuse(ENOSYS), URING),
    rule(IO_URING_REGISTER, Always, Refuse(ENOSYS), URING),
    // The kernel.
    rule(SYS_bpf, Always, Kill, KERNEL),
    rule(SYS_perf_event_open, Always, Refuse(EPERM), OTHER_PROCESSES),
    rule(SYS_userfaultfd, Always, Refuse(EPERM), "makes bugs of the kernel usable"),
    rule(SYS_keyctl, Always, Refuse(ENOSYS), KEYS),
    rule(SYS_add_key, Always, Refuse(ENOSYS), KEYS),
    rule(SYS_request_key, Always, Refuse(ENOSYS), KEYS),
    rule(SYS_syslog, Always, Refuse(EPERM), KERNEL),
    rule(SYS_init_module, Always, Kill, KERNEL),
    rule(SYS_finit_module, Always, Kill, KERNEL),
    rule(SYS_delete_module, Always, Kill, KERNEL),
    rule(SYS_kexec_load, Always, Kill, KERNEL),
    rule(SYS_reboot, Always, Kill, KERNEL),
    rule(SYS_swapon, Always, Kill, KERNEL),
    rule(SYS_swapoff, Always, Kill, KERNEL),
    rule(SYS_settimeofday, Always, Kill, KERNEL),
    rule(SYS_clock_settime, Always, Kill, KERNEL),
    rule(SYS_adjtimex, Always, Refuse(EPERM), KERNEL),
    rule(SYS_clock_adjtime, Always, Refuse(EPERM), KERNEL),
    rule(SYS_sethostname, Always, Kill, KERNEL),
    rule(SYS_setdomainname, Always, Kill, KERNEL),
];

/// Calls that only some architectures have.
#[cfg(target_arch = "x86_64")]
pub(super) const REFUSED_OLD_CALLS: &[CallRule] = &[
    rule(SYS_chmod, Always, Pretend, METADATA),
    rule(SYS_utime, Always, Pretend, METADATA),
    rule(SYS_utimes, Always, Pretend, METADATA),
    rule(SYS_futimesat, Always, Pretend, METADATA),
    rule(SYS_chown, Always, Refuse(EPERM), METADATA),
    rule(SYS_lchown, Always, Refuse(EPERM), METADATA),
    rule(
        SYS_setrlimit,
        Equals(0, LIMIT_OF_QUEUES),
        Refuse(EPERM),
        "the limit marks the processes of a launch",
    ),
    rule(SYS_iopl, Always, Kill, KERNEL),
    rule(SYS_ioperm, Always, Kill, KERNEL),
    rule(SYS_kexec_file_load, Always, Kill, KERNEL),
];

/// Calls that only some architectures have, by the numbers that they have on all others.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const REFUSED_OLD_CALLS: &[CallRule] = &[
    rule(
        GENERIC_SETRLIMIT,
        Equals(0, LIMIT_OF_QUEUES),
        Refuse(EPERM),
        "the limit marks the processes of a launch",
    ),
    rule(GENERIC_KEXEC_FILE_LOAD, Always, Kill, KERNEL),
];

/// `renameat`, `setrlimit` and `kexec_file_load` in the kernel's table for newer architectures, such as aarch64.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const GENERIC_RENAMEAT: c_long = 38;
#[cfg(not(target_arch = "x86_64"))]
pub(super) const GENERIC_SETRLIMIT: c_long = 164;
#[cfg(not(target_arch = "x86_64"))]
const GENERIC_KEXEC_FILE_LOAD: c_long = 294;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_is_refused_once_and_for_a_reason() {
        let rows: Vec<&CallRule> = REFUSED_CALLS.iter().chain(REFUSED_OLD_CALLS).collect();
        for (at, row) in rows.iter().enumerate() {
            assert!(row.reason.len() > 10, "{row:?}");
            let is_twice = |other: &&&CallRule| {
                other.number == row.number
                    && (other.condition == row.condition
                        || other.condition == Always
                        || row.condition == Always)
            };
            assert!(!rows[..at].iter().any(|other| is_twice(&other)), "{row:?}");
        }
    }
}
