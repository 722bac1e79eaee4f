//! Metadata, from an open handle: the numbers that identify a file are known in no other way.

use super::errno::Errno;
use super::files::look;
use crate::platform::file_stat::FileStat;
use pensieve_text::model::FileType;
use std::fs::{File, Metadata};
use std::io;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_BASIC_INFO, FileBasicInfo, GetFileInformationByHandle,
    GetFileInformationByHandleEx,
};

/// Ticks of 100 ns between 1601, when the clock of Windows begins, and 1970.
const TICKS_TO_1970: i64 = 116_444_736_000_000_000;

/// Ticks in a second.
const TICKS: i64 = 10_000_000;

/// The type and metadata of an open file.
///
/// # Errors
/// Those of the system.
pub fn stat_open(file: &File) -> Result<(FileType, FileStat), Errno> {
    let metadata = file.metadata()?;
    let (numbers, basic) = (numbers_of(file)?, basic_of(file)?);
    let [(mtime_s, mtime_ns), (ctime_s, ctime_ns), created, accessed] =
        [basic.LastWriteTime, basic.ChangeTime, basic.CreationTime, basic.LastAccessTime].map(time);
    let stat = FileStat {
        size: metadata.len(),
        mtime_s,
        mtime_ns: i64::from(mtime_ns),
        ctime_s,
        ctime_ns: i64::from(ctime_ns),
        inode: u64::from(numbers.nFileIndexHigh) << 32 | u64::from(numbers.nFileIndexLow),
        device: u64::from(numbers.dwVolumeSerialNumber),
        created: Some(created),
        accessed,
        permissions: if metadata.permissions().readonly() { 0o444 } else { 0o666 },
    };
    Ok((file_type(&metadata), stat))
}

fn file_type(metadata: &Metadata) -> FileType {
    let found = metadata.file_type();
    if found.is_symlink() {
        FileType::Symlink
    } else if found.is_dir() {
        FileType::Folder
    } else if found.is_file() {
        FileType::File
    } else {
        FileType::Special
    }
}

fn numbers_of(file: &File) -> io::Result<BY_HANDLE_FILE_INFORMATION> {
    let mut found = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the call fills the value that it is given.
    match unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut found) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(found),
    }
}

fn basic_of(file: &File) -> io::Result<FILE_BASIC_INFO> {
    let mut found = FILE_BASIC_INFO::default();
    let size = size_of::<FILE_BASIC_INFO>() as u32;
    // SAFETY: the handle is open, and the call fills the value whose size it is given.
    let filled = unsafe {
        GetFileInformationByHandleEx(file.as_raw_handle(), FileBasicInfo, (&raw mut found).cast(), size)
    };
    match filled {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(found),
    }
}

/// Seconds since 1970 and nanoseconds.
fn time(ticks: i64) -> (i64, u32) {
    let since = ticks.saturating_sub(TICKS_TO_1970);
    (since.div_euclid(TICKS), (since.rem_euclid(TICKS) * 100) as u32)
}

/// The size, modification time and identity of the file or folder at a path; symlinks are followed.
///
/// # Errors
/// Nothing is there, or it may not be looked at.
pub fn stat_at_path(path: &Path) -> io::Result<FileStat> {
    Ok(stat_open(&look(path, true)?)?.1)
}

/// The same of an open file.
///
/// # Errors
/// Those of the system.
pub fn stat_in_brief(file: &File) -> io::Result<FileStat> {
    Ok(stat_open(file)?.1)
}

/// True if numbers of files survive a remount: not known here, so they are not relied on.
pub fn has_stable_inodes(_place: &Path) -> bool {
    false
}
