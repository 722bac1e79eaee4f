//! The kernel itself, keys, and objects that stay after a process.

use crate::processes::reached;
use crate::{Attempt, NamedAttempts, answer, call};
use std::fs::File;
use std::os::fd::AsRawFd;

pub const ATTEMPTS: NamedAttempts = &[
    ("open-terminal", |_| open_terminal().map(|_| "open".to_owned())),
    ("type-into-terminal", |_| type_into()),
    ("type-into-streams", |_| on_streams(libc::TIOCSTI, c"x".as_ptr() as usize)),
    ("console", |_| on_streams(libc::TIOCLINUX, c"\x02".as_ptr() as usize)),
    ("line-discipline", |_| on_streams(libc::TIOCSETD, [0i32].as_ptr() as usize)),
    ("steal-terminal", |_| on_streams(libc::TIOCSCTTY, 1)),
    ("shared-memory", |_| kept(call!(libc::SYS_shmget, 0, 4096, libc::IPC_CREAT | 0o600), libc::SYS_shmctl)),
    ("message-queue", |_| kept(call!(libc::SYS_msgget, 0, libc::IPC_CREAT | 0o600), libc::SYS_msgctl)),
    ("semaphores", |_| kept_semaphores()),
    ("posix-queue", |_| posix_queue()),
    ("memory-file", |_| answer(call!(libc::SYS_memfd_create, c"x".as_ptr(), 0), "made")),
    ("secret-memory", |_| answer(call!(447, 0), "made")),
    ("bpf", |_| answer(call!(libc::SYS_bpf, 0, [0u64; 16].as_ptr(), 128), "loaded").or_else(reached)),
    ("measure", |_| {
        answer(call!(libc::SYS_perf_event_open, [0u64; 16].as_ptr(), 0, -1, -1, 0), "open").or_else(reached)
    }),
    ("page-faults", |_| answer(call!(libc::SYS_userfaultfd, 0), "open")),
    ("io-uring", |_| answer(call!(425, 4, [0u64; 32].as_ptr()), "open")),
    ("keys", |_| answer(call!(libc::SYS_keyctl, 0, -5, 0, 0, 0), "read").or_else(reached)),
    ("add-key", |_| {
        answer(call!(libc::SYS_add_key, c"user".as_ptr(), c"x".as_ptr(), c"x".as_ptr(), 1, -2), "added")
    }),
    ("request-key", |_| {
        answer(call!(libc::SYS_request_key, c"user".as_ptr(), c"x".as_ptr(), 0, 0), "found").or_else(reached)
    }),
    ("load-module", |_| answer(call!(libc::SYS_init_module, 0, 0, 0), "loaded").or_else(reached)),
    ("load-module-file", |_| answer(call!(libc::SYS_finit_module, -1, 0, 0), "loaded").or_else(reached)),
    ("other-kernel", |_| answer(call!(libc::SYS_kexec_load, 0, 0, 0, 0xffff), "loaded").or_else(reached)),
    ("restart-machine", |_| answer(call!(libc::SYS_reboot, 0, 0, 0, 0), "done").or_else(reached)),
    ("swap", |_| answer(call!(libc::SYS_swapon, c"/none".as_ptr(), 0), "on").or_else(reached)),
    ("set-clock", |_| answer(call!(libc::SYS_settimeofday, 0, 0), "set")),
    ("host-name", |_| answer(call!(libc::SYS_sethostname, c"".as_ptr(), -1), "set").or_else(reached)),
    ("kernel-log", |_| answer(call!(libc::SYS_syslog, 10, 0, 0), "read")),
    ("accounting", |_| answer(call!(libc::SYS_acct, c"/none".as_ptr()), "on").or_else(reached)),
    ("quotas", |_| answer(call!(libc::SYS_quotactl, 0, 0, 0, 0), "read").or_else(reached)),
    ("watch-files", |_| answer(call!(libc::SYS_fanotify_init, 0, 0), "open")),
    ("other-numbers", |_| other_numbers()),
];

fn open_terminal() -> Result<File, i32> {
    // For reading, which suffices to type into it.
    File::open("/dev/tty").map_err(|error| error.raw_os_error().unwrap_or_default())
}

fn type_into() -> Attempt {
    let terminal = open_terminal()?;
    answer(call!(libc::SYS_ioctl, terminal.as_raw_fd(), libc::TIOCSTI, c"x".as_ptr()), "typed")
}

fn on_streams(request: libc::Ioctl, argument: usize) -> Attempt {
    let mut last = Err(libc::EPERM);
    for stream in 0..3 {
        last = answer(call!(libc::SYS_ioctl, stream, request, argument), "done");
        if last.is_ok() {
            break;
        }
    }
    last
}

/// Makes an object that outlives the process, and removes it again.
fn kept(id: i64, control: libc::c_long) -> Attempt {
    answer(id, "")?;
    call!(control, id, libc::IPC_RMID, 0);
    Ok("made".to_owned())
}

fn kept_semaphores() -> Attempt {
    let id = call!(libc::SYS_semget, 0, 1, libc::IPC_CREAT | 0o600);
    answer(id, "")?;
    call!(libc::SYS_semctl, id, 0, libc::IPC_RMID, 0);
    Ok("made".to_owned())
}

fn posix_queue() -> Attempt {
    let queue = call!(libc::SYS_mq_open, c"pensieve-escape".as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o600, 0);
    answer(queue, "")?;
    call!(libc::SYS_mq_unlink, c"pensieve-escape".as_ptr());
    Ok("made".to_owned())
}

/// The second set of numbers of x86-64: `getpid` by another name, which no table of calls lists.
fn other_numbers() -> Attempt {
    if cfg!(target_arch = "x86_64") { answer(call!(0x4000_0000 + 39), "answered") } else { Err(libc::ENOSYS) }
}
