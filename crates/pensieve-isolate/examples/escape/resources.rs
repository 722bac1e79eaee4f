//! Memory, disk, processes and time; terminals.

use crate::{Aims, Attempt, NamedAttempts, call, errno};
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::time::Duration;

pub const ATTEMPTS: NamedAttempts = &[
    ("fill-heap", |_| fill_heap()),
    ("fill-shared-mapping", |_| fill_shared()),
    ("fill-memory-file", |_| fill_memory_file()),
    ("fill-shared-memory", |_| fill_shared_memory()),
    ("many-small-files", |_| many_small_files()),
    ("many-large-files", |_| many_large_files()),
    ("deleted-files", |_| deleted_files()),
    ("deep-folders", |_| deep_folders()),
    ("closed-folders", |_| closed_folders()),
    ("flood-output", |_| flood()),
    ("fork-bomb", |_| bomb()),
    ("daemon", |aims| daemon(aims)),
    ("unmarked-daemon", |aims| unmarked_daemon(aims)),
    ("spin", |_| {
        loop {
            std::hint::spin_loop()
        }
    }),
    ("leave-a-mess", |_| mess()),
];

const MEBIBYTE: usize = 1 << 20;

fn fill_heap() -> Attempt {
    let mut all = Vec::new();
    for _ in 0..2048 {
        all.push(vec![1u8; MEBIBYTE]);
    }
    Ok(format!("{} MiB", all.len()))
}

fn fill_shared() -> Attempt {
    for at in 0..2048 {
        // SAFETY: a new mapping of so many bytes, which are then written.
        unsafe {
            let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
            let mapped =
                libc::mmap(std::ptr::null_mut(), MEBIBYTE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            if mapped == libc::MAP_FAILED {
                return Err(errno());
            }
            std::ptr::write_bytes(mapped.cast::<u8>(), 1, MEBIBYTE);
        }
        // Slowly enough for a limit that is checked ten times a second.
        if at % 32 == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    Ok("2048 MiB".to_owned())
}

fn fill_memory_file() -> Attempt {
    let file = call!(libc::SYS_memfd_create, c"x".as_ptr(), 0);
    if file < 0 {
        return Err(errno());
    }
    let block = vec![1u8; MEBIBYTE];
    for _ in 0..2048 {
        call!(libc::SYS_write, file, block.as_ptr(), MEBIBYTE);
    }
    Ok("2048 MiB".to_owned())
}

fn fill_shared_memory() -> Attempt {
    let id = call!(libc::SYS_shmget, 0, 1 << 30, libc::IPC_CREAT | 0o600);
    if id < 0 {
        return Err(errno());
    }
    call!(libc::SYS_shmctl, id, libc::IPC_RMID, 0);
    Ok("1024 MiB".to_owned())
}

fn many_small_files() -> Attempt {
    for number in 0..1_000_000 {
        File::create(number.to_string()).map_err(|error| error.raw_os_error().unwrap_or_default())?;
    }
    Ok("a million files".to_owned())
}

fn many_large_files() -> Attempt {
    for number in 0..1000 {
        write_block(&mut create(&number.to_string())?)?;
    }
    Ok("4000 MiB".to_owned())
}

/// Nobody sees them in the folder.
fn deleted_files() -> Attempt {
    let mut open = Vec::new();
    for number in 0..500 {
        let mut file = create(&number.to_string())?;
        let _ = fs::remove_file(number.to_string());
        write_block(&mut file)?;
        open.push(file);
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(format!("{} MiB", 4 * open.len()))
}

fn create(name: &str) -> Result<File, i32> {
    File::create(name).map_err(|error| error.raw_os_error().unwrap_or_default())
}

fn write_block(file: &mut File) -> Result<(), i32> {
    file.write_all(&vec![1u8; 4 * MEBIBYTE]).map_err(|error| error.raw_os_error().unwrap_or_default())
}

fn deep_folders() -> Attempt {
    for _ in 0..5000 {
        let made = fs::create_dir("d").and_then(|()| std::env::set_current_dir("d"));
        made.map_err(|error| error.raw_os_error().unwrap_or_default())?;
    }
    std::thread::sleep(Duration::from_secs(1));
    Ok("5000 folders".to_owned())
}

fn closed_folders() -> Attempt {
    call!(libc::SYS_mkdirat, libc::AT_FDCWD, c"closed".as_ptr(), 0o300);
    for number in 0..1000 {
        write_block(&mut create(&format!("closed/{number}"))?)?;
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok("4000 MiB".to_owned())
}

fn flood() -> Attempt {
    let block = vec![b'x'; MEBIBYTE];
    while std::io::stdout().write_all(&block).is_ok() {}
    Err(libc::EPIPE)
}

fn fork() -> i64 {
    call!(libc::SYS_clone, i64::from(libc::SIGCHLD), 0, 0, 0, 0)
}

/// Many more processes than a converter may have, and few enough that the machine has room for others meanwhile.
fn bomb() -> Attempt {
    for _ in 0..11 {
        if fork() < 0 {
            return Err(errno());
        }
    }
    std::thread::sleep(Duration::from_secs(30));
    Ok("2048 processes".to_owned())
}

/// Ends well, and leaves a process that waits and then says that it is still there.
fn daemon(aims: &Aims) -> Attempt {
    if fork() == 0 {
        call!(libc::SYS_setsid);
        if fork() == 0 {
            std::thread::sleep(Duration::from_secs(2));
            let _ = std::net::TcpStream::connect(&aims["tcp"]);
            std::thread::sleep(Duration::from_secs(60));
        }
        call!(libc::SYS_exit_group, 0);
    }
    Err(libc::ENOENT)
}

/// The same without the mark by which processes of a launch are known.
fn unmarked_daemon(aims: &Aims) -> Attempt {
    call!(libc::SYS_prlimit64, 0, libc::RLIMIT_MSGQUEUE, [77u64, 77].as_ptr(), 0);
    daemon(aims)
}

/// Folders that their owner may not enter, and links; the private folder must go all the same.
fn mess() -> Attempt {
    fs::create_dir_all("a/b/c").unwrap();
    let _ = std::os::unix::fs::symlink("/", "a/b/root");
    call!(libc::SYS_mkdirat, libc::AT_FDCWD, c"a/closed".as_ptr(), 0);
    call!(libc::SYS_mkdirat, libc::AT_FDCWD, c"a/writable".as_ptr(), 0o300);
    let _ = fs::write("a/writable/file", "x");
    Err(libc::ENOENT)
}

/// Runs a command in a terminal of its own, and reports what was typed into it meanwhile by others.
pub fn within_terminal(words: &[String]) {
    // SAFETY: each call gets numbers, or pointers to memory that lives as long as the call.
    unsafe {
        let (mut ours, mut theirs) = (0, 0);
        let null = std::ptr::null_mut::<u8>();
        assert_eq!(libc::openpty(&raw mut ours, &raw mut theirs, null.cast(), null.cast(), null.cast()), 0);
        libc::setsid();
        assert_eq!(libc::ioctl(theirs, libc::TIOCSCTTY, 0), 0);
        let status = std::process::Command::new(&words[0]).args(&words[1..]).status().unwrap();
        let mut typed = 0i32;
        libc::ioctl(theirs, libc::FIONREAD, &raw mut typed);
        let mut raw: libc::termios = std::mem::zeroed();
        libc::tcgetattr(theirs, &raw mut raw);
        libc::cfmakeraw(&raw mut raw);
        libc::tcsetattr(theirs, libc::TCSANOW, &raw const raw);
        let mut after = 0i32;
        libc::ioctl(theirs, libc::FIONREAD, &raw mut after);
        let _ = (File::open("/dev/null").map(|file| file.as_raw_fd()), ours);
        let report =
            format!("{{\"typed\":{},\"status\":{}}}\n", typed.max(after), status.code().unwrap_or(-1));
        let _ = std::io::stderr().write_all(report.as_bytes());
    }
}

/// Runs a command as on a kernel that does not have Landlock.
pub fn without_landlock(words: &[String]) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
    use std::os::unix::process::CommandExt;
    let calls =
        [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];
    let rules = calls.map(|call| (call, Vec::new())).into_iter().collect();
    let missing = SeccompAction::Errno(libc::ENOSYS as u32);
    let architecture = TargetArch::try_from(std::env::consts::ARCH).unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, missing, architecture).unwrap();
    seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
    panic!("{}", std::process::Command::new(&words[0]).args(&words[1..]).exec());
}
