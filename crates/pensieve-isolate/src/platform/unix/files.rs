//! Files that are named by absolute paths, and what the system permits.

use super::beneath::in_steps;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Opens a file for reading, of whatever type, without waiting; folders above it may be symlinks. Reading does not
/// change the time of the last access where the system allows that.
///
/// # Errors
/// `LOOP` if it is a symlink itself, and those of the system.
pub(crate) fn open_file(path: &Path) -> Result<File, Errno> {
    let bytes = path.as_os_str().as_bytes();
    keeping_atime(&|flags| in_steps(CWD, bytes, flags | OFlags::NOFOLLOW, open_at)).map(File::from)
}

/// The same, also if it is a symlink.
///
/// # Errors
/// Those of the system.
pub(crate) fn open_file_through_links(path: &Path) -> Result<File, Errno> {
    let bytes = path.as_os_str().as_bytes();
    keeping_atime(&|flags| in_steps(CWD, bytes, flags, open_at)).map(File::from)
}

/// Bytes of the holes in a file of this size: where nothing was ever written, and the system reads zeros. 0 on file systems
/// that do not tell. The position is the beginning again.
///
/// Cost: one call of the system for each hole and each stretch of data, of at most a thousand.
#[cfg(any(target_os = "linux", target_os = "freebsd", target_vendor = "apple"))]
pub(crate) fn hole_bytes(file: &File, size: u64) -> u64 {
    use rustix::fs::{SeekFrom, seek};
    let (mut at, mut holes) = (0, 0);
    for _ in 0..500 {
        // Without data up to the end the call fails.
        let data = seek(file, SeekFrom::Data(at)).unwrap_or(size).clamp(at, size);
        holes += data - at;
        match seek(file, SeekFrom::Hole(data)) {
            Ok(hole) if hole > at && hole < size => at = hole,
            _ => break,
        }
    }
    // A file that cannot seek has no holes, and is where it was.
    if seek(file, SeekFrom::Start(0)).is_ok() { holes } else { 0 }
}

/// The same where the system does not tell.
#[cfg(not(any(target_os = "linux", target_os = "freebsd", target_vendor = "apple")))]
pub(crate) fn hole_bytes(_: &File, _: u64) -> u64 {
    0
}

/// Opens so that reading leaves the time of the last access unchanged, which only the owner and root may do; others open
/// normally.
pub(super) fn keeping_atime(open: &dyn Fn(OFlags) -> Result<OwnedFd, Errno>) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    #[cfg(target_os = "linux")]
    match open(flags | OFlags::NOATIME) {
        Err(Errno::PERM) => {}
        opened => return opened,
    }
    open(flags)
}

pub(super) fn open_at(folder: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    openat(folder, path, flags, Mode::empty())
}

/// Reads at a place of an open file; the position of the next read does not change.
///
/// # Errors
/// Those of the system.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Lets only the user read what this process and its children create from now on.
pub fn keep_files_private() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Files that this process may have open; `None` if any number.
pub fn open_file_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// A folder as an open file, to lock it.
///
/// # Errors
/// Those of the system.
pub fn open_folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Waits until the names in a folder are on the disk.
///
/// # Errors
/// Those of the system; some file systems cannot do it.
pub fn flush_folder(path: &Path) -> io::Result<()> {
    open_folder(path)?.sync_all()
}

/// An empty file in memory that has no name; `None` where the system has none or does not permit one.
pub(crate) fn file_in_memory() -> Option<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{MemfdFlags, memfd_create};
        memfd_create(c"document", MemfdFlags::CLOEXEC).ok().map(File::from)
    }
    #[cfg(not(target_os = "linux"))]
    None
}
