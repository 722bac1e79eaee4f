//! Metadata of files that are not opened.
//!
//! One system call per entry, relative to its open folder: `statx` on Linux, which also gives the birth time, and
//! `fstatat` elsewhere.

use crate::platform::file_stat::FileStat;
use pensieve_text::model::FileType;
use rustix::fs::AtFlags;
use rustix::io::Errno;
use std::ffi::CStr;
use std::fs::{File, Metadata};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// True if inode numbers of the file system at `place` survive a remount, so that another number means another file.
/// FUSE, FAT and network shares of Windows invent numbers as needed; false also if the file system cannot be
/// determined.
pub fn has_stable_inodes(place: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        rustix::fs::statfs(place).is_ok_and(|found| !INVENTED_INODES.contains(&(found.f_type as u32)))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = place;
        false
    }
}

/// `f_type` of FUSE, FAT, exFAT, three generations of SMB, and two file systems of virtual machines (9p, VirtualBox).
#[cfg(target_os = "linux")]
const INVENTED_INODES: [u32; 8] =
    [0x6573_5546, 0x4d44, 0x2011_bab0, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x786f_4256];

/// The name of the file system of an open folder if the kernel makes up its files: they describe the running system,
/// change while they are read, and some never end.
pub(super) fn synthetic_file_system(folder: BorrowedFd<'_>) -> Option<&'static str> {
    #[cfg(target_os = "linux")]
    {
        let found = rustix::fs::fstatfs(folder).ok()?.f_type as u32;
        SYNTHETIC.iter().find(|(number, _)| *number == found).map(|(_, name)| *name)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = folder;
        None
    }
}

/// `f_type` of the file systems of the kernel, from `linux/magic.h` and the headers of the file systems.
#[cfg(target_os = "linux")]
const SYNTHETIC: [(u32, &str); 20] = [
    (0x0000_9fa0, "proc"),
    (0x6265_6572, "sysfs"),
    (0x0027_e0eb, "cgroup"),
    (0x6367_7270, "cgroup2"),
    (0x6462_6720, "debugfs"),
    (0x7472_6163, "tracefs"),
    (0x7363_6673, "securityfs"),
    (0xf97c_ff8c, "selinuxfs"),
    (0x4341_5d53, "smackfs"),
    (0x0000_1cd1, "devpts"),
    (0xcafe_4a11, "bpf"),
    (0x6265_6570, "configfs"),
    (0x6165_676c, "pstore"),
    (0xde5e_81e4, "efivarfs"),
    (0x4249_4e4d, "binfmt_misc"),
    (0x1980_0202, "mqueue"),
    (0x6e73_6673, "nsfs"),
    (0x0765_5821, "resctrl"),
    (0x6573_5543, "fusectl"),
    (0x6759_6969, "rpc_pipefs"),
];

/// The metadata of an entry of an open folder; of a symlink itself unless `follow`.
pub(super) fn stat_entry(
    folder: BorrowedFd<'_>,
    name: &CStr,
    follow: bool,
) -> Result<(FileType, FileStat), Errno> {
    stat_at(folder, name, if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW })
}

/// The type and metadata of an open file.
///
/// # Errors
/// Those of the system.
pub fn stat_open(file: &File) -> Result<(FileType, FileStat), Errno> {
    stat_descriptor(file.as_fd())
}

pub(super) fn stat_descriptor(file: BorrowedFd<'_>) -> Result<(FileType, FileStat), Errno> {
    #[cfg(target_os = "linux")]
    return stat_at(file, c"", AtFlags::EMPTY_PATH);
    #[cfg(not(target_os = "linux"))]
    return rustix::fs::fstat(file).map(|stat| from_stat(&stat));
}

#[cfg(target_os = "linux")]
fn stat_at(folder: BorrowedFd<'_>, name: &CStr, flags: AtFlags) -> Result<(FileType, FileStat), Errno> {
    use rustix::fs::{StatxFlags, statx};
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    match statx(folder, name, flags, wanted) {
        Ok(stat) => Ok(from_statx(&stat)),
        // Older sandboxes answer every unknown system call with one of these.
        Err(Errno::NOSYS | Errno::PERM) => {
            rustix::fs::statat(folder, name, flags).map(|stat| from_stat(&stat))
        }
        Err(error) => Err(error),
    }
}

#[cfg(not(target_os = "linux"))]
fn stat_at(folder: BorrowedFd<'_>, name: &CStr, flags: AtFlags) -> Result<(FileType, FileStat), Errno> {
    rustix::fs::statat(folder, name, flags).map(|stat| from_stat(&stat))
}

#[cfg(target_os = "linux")]
fn from_statx(stat: &rustix::fs::Statx) -> (FileType, FileStat) {
    let mode = u32::from(stat.stx_mode);
    let has_birth = stat.stx_mask & rustix::fs::StatxFlags::BTIME.bits() != 0;
    let found = FileStat {
        size: stat.stx_size,
        mtime_s: stat.stx_mtime.tv_sec,
        mtime_ns: i64::from(stat.stx_mtime.tv_nsec),
        ctime_s: stat.stx_ctime.tv_sec,
        ctime_ns: i64::from(stat.stx_ctime.tv_nsec),
        inode: stat.stx_ino,
        device: rustix::fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
        created: has_birth.then_some((stat.stx_btime.tv_sec, stat.stx_btime.tv_nsec)),
        accessed: (stat.stx_atime.tv_sec, stat.stx_atime.tv_nsec),
        permissions: mode & 0o7777,
    };
    (file_type(mode), found)
}

#[expect(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
fn from_stat(stat: &rustix::fs::Stat) -> (FileType, FileStat) {
    let mode = stat.st_mode as u32;
    let found = FileStat {
        size: stat.st_size as u64,
        mtime_s: stat.st_mtime as i64,
        mtime_ns: stat.st_mtime_nsec as i64,
        ctime_s: stat.st_ctime as i64,
        ctime_ns: stat.st_ctime_nsec as i64,
        inode: stat.st_ino as u64,
        device: stat.st_dev as u64,
        created: None,
        accessed: (stat.st_atime as i64, stat.st_atime_nsec as u32),
        permissions: mode & 0o7777,
    };
    (file_type(mode), found)
}

fn file_type(mode: u32) -> FileType {
    match rustix::fs::FileType::from_raw_mode(mode as rustix::fs::RawMode) {
        rustix::fs::FileType::RegularFile => FileType::File,
        rustix::fs::FileType::Directory => FileType::Folder,
        rustix::fs::FileType::Symlink => FileType::Symlink,
        _ => FileType::Special,
    }
}

/// The size, modification time and identity of the file or folder at a path; symlinks are followed. The other values are
/// unset.
///
/// # Errors
/// Nothing is there, or it may not be looked at.
pub fn stat_at_path(path: &Path) -> std::io::Result<FileStat> {
    std::fs::metadata(path).map(|found| brief(&found))
}

/// The same of an open file.
///
/// # Errors
/// Those of the system.
pub fn stat_in_brief(file: &File) -> std::io::Result<FileStat> {
    file.metadata().map(|found| brief(&found))
}

fn brief(found: &Metadata) -> FileStat {
    FileStat {
        size: found.len(),
        mtime_s: found.mtime(),
        mtime_ns: found.mtime_nsec(),
        inode: found.ino(),
        device: found.dev(),
        ..FileStat::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree_with_the_standard_library() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "four").expect("a file");
        let metadata = std::fs::metadata(&path).expect("its metadata");
        let file = std::fs::File::open(&path).expect("open");
        let open = std::fs::File::open(folder.path()).expect("open folder");
        let (kind, stat) = stat_open(&file).expect("stat");
        assert_eq!((kind, stat), stat_entry(open.as_fd(), c"a", false).expect("stat"));
        let (_, plain) = from_stat(&rustix::fs::fstat(&file).expect("fstat"));
        assert_eq!(plain, FileStat { created: None, ..stat });
        assert_eq!(kind, FileType::File);
        assert!(!has_stable_inodes(&folder.path().join("gone")));
        assert_eq!((stat.size, stat.inode, stat.device), (4, metadata.ino(), metadata.dev()));
        assert_eq!((stat.mtime_s, stat.mtime_ns), (metadata.mtime(), metadata.mtime_nsec()));
        assert_eq!((stat.ctime_s, stat.ctime_ns), (metadata.ctime(), metadata.ctime_nsec()));
        assert_eq!(stat.permissions, metadata.mode() & 0o7777);
    }
}
