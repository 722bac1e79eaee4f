//! Files that are named by absolute paths, and what the system permits.

use super::errno::Errno;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_GENERIC_READ, FILE_READ_ATTRIBUTES,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE,
};

/// Others may do with an open file what they could do before.
const SHARED: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Opens a file for reading; folders above it may be symlinks.
///
/// # Errors
/// `LOOP` if it is a symlink itself, and those of the system.
pub(crate) fn open_file(path: &Path) -> Result<File, Errno> {
    let file = open(path, FILE_GENERIC_READ, false)?;
    let file_type = file.metadata()?.file_type();
    match file_type.is_symlink() || file_type.is_symlink_file() {
        true => Err(Errno::LOOP),
        false => Ok(file),
    }
}

/// The same, also if it is a symlink.
///
/// # Errors
/// Those of the system.
pub(crate) fn open_file_through_links(path: &Path) -> Result<File, Errno> {
    Ok(open(path, FILE_GENERIC_READ, true)?)
}

/// Opens what a path names only to see what it is; a symlink itself unless `follow`.
pub(super) fn look(path: &Path, follow: bool) -> io::Result<File> {
    open(path, FILE_READ_ATTRIBUTES, follow)
}

fn open(path: &Path, access: u32, follow: bool) -> io::Result<File> {
    let link = if follow { 0 } else { FILE_FLAG_OPEN_REPARSE_POINT };
    // Folders open with backup semantics only.
    let flags = FILE_FLAG_BACKUP_SEMANTICS | link;
    OpenOptions::new().access_mode(access).share_mode(SHARED).custom_flags(flags).open(path)
}

/// Reads at a place of an open file; the position of the next read is the end of what was read, so it is set back.
///
/// # Errors
/// Those of the system.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Seek, SeekFrom};
    let mut handle = file;
    let before = handle.stream_position()?;
    let read = file.seek_read(buffer, offset);
    handle.seek(SeekFrom::Start(before))?;
    read
}

/// Bytes of the holes in a file: not asked for here.
pub(crate) fn hole_bytes(_: &File, _: u64) -> u64 {
    0
}

/// Files have the permissions of their folder here.
pub fn keep_files_private() {}

/// Files that this process may have open: as many as memory permits.
pub fn open_file_limit() -> Option<u64> {
    None
}

/// A folder as an open file, to lock it.
///
/// # Errors
/// Those of the system.
pub fn open_folder(path: &Path) -> io::Result<File> {
    look(path, true)
}

/// Waits until the names in a folder are on the disk: NTFS notes them in its journal, and nothing can wait for that.
///
/// # Errors
/// None here.
pub fn flush_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// An empty file in memory that has no name: there are none here.
pub(crate) fn file_in_memory() -> Option<File> {
    None
}
