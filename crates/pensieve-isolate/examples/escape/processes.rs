//! Other processes and namespaces.

use crate::{Attempt, NamedAttempts, answer, call, path};

fn parent() -> i64 {
    std::os::unix::process::parent_id().into()
}

pub const ATTEMPTS: NamedAttempts = &[
    ("signal-parent", |_| answer(call!(libc::SYS_kill, parent(), libc::SIGCONT), "sent")),
    ("signal-other", |aims| {
        answer(call!(libc::SYS_kill, aims["process"].parse::<i64>().unwrap(), libc::SIGUSR1), "sent")
    }),
    ("queue-signal", |aims| {
        answer(
            call!(
                libc::SYS_rt_sigqueueinfo,
                aims["process"].parse::<i64>().unwrap(),
                libc::SIGCONT,
                [0u64; 16].as_ptr()
            ),
            "sent",
        )
    }),
    ("signal-by-descriptor", |aims| by_descriptor(&aims["process"])),
    ("take-descriptor", |_| answer(call!(438, 3, 1, 0), "taken").or_else(reached)),
    ("trace-parent", |_| answer(call!(libc::SYS_ptrace, libc::PTRACE_SEIZE, parent(), 0, 0), "attached")),
    ("trace-other", |aims| {
        answer(
            call!(libc::SYS_ptrace, libc::PTRACE_SEIZE, aims["process"].parse::<i64>().unwrap(), 0, 0),
            "attached",
        )
    }),
    ("read-memory", |_| {
        answer(
            call!(libc::SYS_process_vm_readv, parent(), [0u64; 2].as_ptr(), 1, [0u64; 2].as_ptr(), 1, 0),
            "read",
        )
    }),
    ("write-memory", |_| {
        answer(
            call!(libc::SYS_process_vm_writev, parent(), [0u64; 2].as_ptr(), 1, [0u64; 2].as_ptr(), 1, 0),
            "written",
        )
    }),
    ("parent-memory-file", |_| {
        std::fs::OpenOptions::new()
            .write(true)
            .open(format!("/proc/{}/mem", parent()))
            .map(|_| "open".to_owned())
            .map_err(|e| e.raw_os_error().unwrap_or(0))
    }),
    ("parent-limits", |_| {
        answer(call!(libc::SYS_prlimit64, parent(), libc::RLIMIT_NOFILE, [4096u64, 4096].as_ptr(), 0), "set")
    }),
    ("parent-priority", |_| answer(call!(libc::SYS_setpriority, libc::PRIO_PROCESS, parent(), 1), "set")),
    ("user-priority", |_| answer(call!(libc::SYS_setpriority, libc::PRIO_USER, 0, 1), "set")),
    ("parent-io-priority", |_| answer(call!(libc::SYS_ioprio_set, 1, parent(), 0x6000), "set")),
    ("parent-processors", |_| {
        answer(call!(libc::SYS_sched_setaffinity, parent(), 8, [1u64].as_ptr()), "set")
    }),
    ("parent-scheduler", |_| {
        answer(call!(libc::SYS_sched_setscheduler, parent(), libc::SCHED_BATCH, [0i32].as_ptr()), "set")
    }),
    ("compare", |_| answer(call!(libc::SYS_kcmp, parent(), parent(), 0, 0, 0), "compared")),
    ("user-namespace", |_| answer(call!(libc::SYS_unshare, libc::CLONE_NEWUSER), "made")),
    ("network-namespace", |_| answer(call!(libc::SYS_unshare, libc::CLONE_NEWNET), "made")),
    ("mount-namespace", |_| answer(call!(libc::SYS_unshare, libc::CLONE_NEWNS), "made")),
    ("clone-namespace", |_| cloned(libc::CLONE_NEWUSER)),
    ("clone3-namespace", |_| {
        answer(
            call!(
                435,
                [libc::CLONE_NEWUSER as u64, 0, 0, 0, libc::SIGCHLD as u64, 0, 0, 0, 0, 0, 0].as_ptr(),
                88
            ),
            "made",
        )
    }),
    ("enter-namespace", |_| answer(call!(libc::SYS_setns, 0, 0), "entered").or_else(reached)),
    ("mount", |_| {
        answer(call!(libc::SYS_mount, c"none".as_ptr(), c"/mnt".as_ptr(), c"tmpfs".as_ptr(), 0, 0), "mounted")
    }),
    ("unmount", |_| answer(call!(libc::SYS_umount2, c"/mnt".as_ptr(), 0), "unmounted").or_else(reached)),
    ("open-file-system", |_| answer(call!(430, c"tmpfs".as_ptr(), 0), "open")),
    ("open-tree", |_| answer(call!(428, libc::AT_FDCWD, c"/".as_ptr(), 1), "open")),
    ("move-mount", |_| answer(call!(429, -1, c"".as_ptr(), -1, c"".as_ptr(), 0), "moved").or_else(reached)),
    ("mount-attributes", |_| {
        answer(call!(442, libc::AT_FDCWD, c"/".as_ptr(), 0, [0u64; 4].as_ptr(), 32), "set")
    }),
    ("change-root", |_| answer(call!(libc::SYS_chroot, path("/").as_ptr()), "changed")),
    ("pivot-root", |_| {
        answer(call!(libc::SYS_pivot_root, c"/".as_ptr(), c"/".as_ptr()), "changed").or_else(reached)
    }),
    ("run-program", |_| ran()),
    ("fork", |_| forked()),
];

/// Calls with arguments that cannot work: any error but a refusal shows that the kernel looked at them.
pub fn reached(error: i32) -> Attempt {
    match error {
        libc::EPERM | libc::EACCES | libc::ENOSYS | libc::EOPNOTSUPP | libc::ENOTTY => Err(error),
        other => Ok(format!("reached the kernel: error {other}")),
    }
}

fn by_descriptor(process: &str) -> Attempt {
    let descriptor = call!(434, process.parse::<i64>().unwrap(), 0);
    answer(descriptor, "")?;
    answer(call!(424, descriptor, libc::SIGCONT, 0, 0), "sent")
}

fn cloned(flags: i32) -> Attempt {
    let child = call!(libc::SYS_clone, i64::from(flags | libc::SIGCHLD), 0, 0, 0, 0);
    if child == 0 {
        call!(libc::SYS_exit_group, 0);
    }
    answer(child, "made")
}

/// A converter may do this, a worker may not.
fn forked() -> Attempt {
    cloned(0)
}

fn ran() -> Attempt {
    match std::process::Command::new("/bin/true").status() {
        Ok(status) => Ok(format!("/bin/true ended with {status}")),
        Err(error) => Err(error.raw_os_error().unwrap_or_default()),
    }
}
