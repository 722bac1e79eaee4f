//! Files: reading, writing, metadata, devices.

use crate::{Aims, Attempt, NamedAttempts, answer, call, errno, path};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;

pub const ATTEMPTS: NamedAttempts = &[
    ("read-secret", |aims| read(&aims["secret"])),
    ("list-folder", |aims| {
        of(fs::read_dir(&aims["outside"]).map(|entries| format!("{} entries", entries.count())))
    }),
    ("read-shadow", |_| read("/etc/shadow")),
    ("read-parent-environment", |_| read(&format!("/proc/{}/environ", std::os::unix::process::parent_id()))),
    ("read-parent-command", |_| read(&format!("/proc/{}/cmdline", std::os::unix::process::parent_id()))),
    ("read-parent-memory", |_| read(&format!("/proc/{}/maps", std::os::unix::process::parent_id()))),
    ("list-processes", |_| of(fs::read_dir("/proc").map(|entries| format!("{} entries", entries.count())))),
    ("read-through-proc-root", |aims| read(&format!("/proc/self/root{}", aims["secret"]))),
    ("environment", |_| environment()),
    ("create", |aims| of(File::create(format!("{}/new", aims["outside"])).map(|_| "created".to_owned()))),
    ("append", |aims| append(&aims["secret"])),
    ("truncate", |aims| answer(call!(libc::SYS_truncate, path(&aims["secret"]).as_ptr(), 0), "cut")),
    ("rename", |aims| {
        of(fs::rename(&aims["secret"], format!("{}/renamed", aims["outside"])).map(|()| "renamed".to_owned()))
    }),
    ("hard-link", |aims| of(fs::hard_link(&aims["secret"], "linked").map(|()| "linked".to_owned()))),
    ("hard-link-outside", |aims| {
        of(fs::hard_link(&aims["secret"], format!("{}/linked", aims["outside"]))
            .map(|()| "linked".to_owned()))
    }),
    ("symlink-outside", |aims| {
        of(std::os::unix::fs::symlink("/etc", format!("{}/way", aims["outside"]))
            .map(|()| "linked".to_owned()))
    }),
    ("write-through-symlink", through_symlink),
    ("remove", |aims| of(fs::remove_file(&aims["secret"]).map(|()| "removed".to_owned()))),
    ("make-folder", |aims| {
        of(fs::create_dir(format!("{}/folder", aims["outside"])).map(|()| "made".to_owned()))
    }),
    ("temporary-file", |_| {
        of(File::create("/tmp/pensieve-escape").map(|_| {
            let _ = fs::remove_file("/tmp/pensieve-escape");
            "created".to_owned()
        }))
    }),
    ("shared-memory-file", |_| {
        of(File::create("/dev/shm/pensieve-escape").map(|_| {
            let _ = fs::remove_file("/dev/shm/pensieve-escape");
            "created".to_owned()
        }))
    }),
    ("block-device", |_| block_device()),
    ("make-device", |_| {
        answer(
            call!(
                libc::SYS_mknodat,
                libc::AT_FDCWD,
                c"device".as_ptr(),
                libc::S_IFBLK | 0o600,
                libc::makedev(8, 0)
            ),
            "made",
        )
    }),
    ("kernel-setting", |_| {
        of(OpenOptions::new().write(true).open("/proc/sys/kernel/core_pattern").map(|_| "open".to_owned()))
    }),
    ("chmod", |aims| {
        changing(aims, |secret| call!(libc::SYS_fchmodat, libc::AT_FDCWD, path(secret).as_ptr(), 0o777))
    }),
    ("fchmod", |aims| changing_open(aims, |file| call!(libc::SYS_fchmod, file, 0o777))),
    ("fchmodat2", |aims| {
        changing(aims, |secret| call!(452, libc::AT_FDCWD, path(secret).as_ptr(), 0o777, 0))
    }),
    ("chown", |aims| {
        changing(aims, |secret| {
            call!(libc::SYS_fchownat, libc::AT_FDCWD, path(secret).as_ptr(), 4242, 4242, 0)
        })
    }),
    ("times", |aims| {
        changing(aims, |secret| {
            call!(libc::SYS_utimensat, libc::AT_FDCWD, path(secret).as_ptr(), [0i64; 4].as_ptr(), 0)
        })
    }),
    ("set-attribute", |aims| {
        answer(
            call!(
                libc::SYS_setxattr,
                path(&aims["secret"]).as_ptr(),
                c"user.pensieve".as_ptr(),
                c"x".as_ptr(),
                1,
                0
            ),
            "set",
        )
    }),
    ("set-attribute-at", |aims| {
        answer(
            call!(
                463,
                libc::AT_FDCWD,
                path(&aims["secret"]).as_ptr(),
                0,
                c"user.pensieve".as_ptr(),
                [1u64, 0].as_ptr(),
                16
            ),
            "set",
        )
    }),
    ("remove-attribute", |aims| changing_attribute(aims)),
    ("file-flags", |aims| file_flags(&aims["secret"])),
    ("file-attribute-call", |aims| {
        answer(call!(469, libc::AT_FDCWD, path(&aims["secret"]).as_ptr(), [0u64; 4].as_ptr(), 32, 0), "set")
    }),
    ("lease", |aims| lease(&aims["readable"])),
    ("open-by-handle", |_| {
        answer(call!(libc::SYS_open_by_handle_at, libc::AT_FDCWD, [0u64; 8].as_ptr(), 0), "open")
    }),
    ("open-password-file", |_| read("/etc/passwd")),
    ("open-own-program", |_| of(std::env::current_exe().and_then(File::open).map(|_| "open".to_owned()))),
];

fn of(result: io::Result<String>) -> Attempt {
    result.map_err(|error| error.raw_os_error().unwrap_or_default())
}

fn read(name: &str) -> Attempt {
    let mut bytes = Vec::new();
    of(File::open(name)
        .and_then(|file| file.take(4096).read_to_end(&mut bytes))
        .map(|count| format!("{count} bytes of {name}")))
}

fn append(name: &str) -> Attempt {
    of(OpenOptions::new()
        .append(true)
        .open(name)
        .and_then(|mut file| file.write_all(b"x"))
        .map(|()| "written".to_owned()))
}

fn environment() -> Attempt {
    const KNOWN: &[&str] = &["PATH", "LANG", "TZ", "HOME", "TMPDIR", "OMP_THREAD_LIMIT"];
    let own = std::env::current_dir().unwrap_or_default();
    let is_foreign = |(name, value): &(String, String)| {
        !KNOWN.contains(&name.as_str()) || (matches!(name.as_str(), "HOME" | "TMPDIR") && *own != **value)
    };
    let names: Vec<String> = std::env::vars().filter(is_foreign).map(|(name, _)| name).collect();
    if names.is_empty() { Err(libc::ENOENT) } else { Ok(names.join(" ")) }
}

fn through_symlink(aims: &Aims) -> Attempt {
    of(std::os::unix::fs::symlink(&aims["secret"], "inside").map(|()| String::new()))?;
    append("inside")
}

fn block_device() -> Attempt {
    let devices = ["/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg"];
    let open = devices.iter().find(|device| File::open(device).is_ok());
    open.map(|device| (*device).to_owned()).ok_or_else(errno)
}

/// True metadata decides, because some calls report success and do nothing.
fn facts(name: &str) -> Option<(u32, u32, i64)> {
    let found = fs::metadata(name).ok()?;
    Some((found.mode(), found.uid(), found.mtime()))
}

fn changing(aims: &Aims, change: impl Fn(&str) -> i64) -> Attempt {
    let secret = &aims["secret"];
    let before = facts(secret);
    let failed = if change(secret) < 0 { errno() } else { libc::EPERM };
    if facts(secret) == before { Err(failed) } else { Ok("changed".to_owned()) }
}

/// The same on a file that may be read, because it is below a folder of programs.
fn changing_open(aims: &Aims, change: impl Fn(i32) -> i64) -> Attempt {
    let name = &aims["readable"];
    let file = File::open(name).map_err(|error| error.raw_os_error().unwrap_or_default())?;
    let before = facts(name);
    let failed = if change(file.as_raw_fd()) < 0 { errno() } else { libc::EPERM };
    if facts(name) == before { Err(failed) } else { Ok("changed".to_owned()) }
}

fn changing_attribute(aims: &Aims) -> Attempt {
    answer(call!(libc::SYS_removexattr, path(&aims["secret"]).as_ptr(), c"user.kept".as_ptr()), "removed")
}

fn file_flags(name: &str) -> Attempt {
    const SET_FLAGS: u64 = 0x4008_6602;
    // What may not be read cannot be opened; a readable file shows what the call itself does.
    let file = File::open(name).or_else(|_| File::open("/etc/hostname")).map_err(|_| errno())?;
    let no_dump = 0x40i64;
    answer(call!(libc::SYS_ioctl, file.as_raw_fd(), SET_FLAGS, &raw const no_dump), "set")
}

fn lease(name: &str) -> Attempt {
    let file = File::open(name).map_err(|_| errno())?;
    answer(call!(libc::SYS_fcntl, file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK), "taken")
}
