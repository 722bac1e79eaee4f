//! [`OpenFolder`]: a folder by its descriptor.

use super::beneath::{in_steps, open_beneath};
use super::files::{keeping_atime, open_at};
use super::stat::{stat_descriptor, stat_entry, synthetic_file_system};
use crate::platform::file_stat::FileStat;
use pensieve_text::model::FileType;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// An open folder: what is below it is opened and looked at relative to it, whatever happens to its path. Paths are
/// relative, and of any length.
#[derive(Debug)]
pub struct OpenFolder(OwnedFd);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Opens what a path names only to see what it is: nothing happens to a device.
#[cfg(target_os = "linux")]
const LOOK: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const LOOK: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

impl OpenFolder {
    /// Opens a folder, also through a symlink.
    ///
    /// # Errors
    /// It is no folder, or may not be read.
    pub fn open(path: &Path) -> Result<OpenFolder, Errno> {
        openat(CWD, path, FOLDER, Mode::empty()).map(OpenFolder)
    }

    /// Opens a folder below this one, with no symlink on the way.
    ///
    /// # Errors
    /// `LOOP` if a symlink is on the way or at its end, `XDEV` if the path leads out of this folder, and those of the
    /// system.
    pub fn folder_beneath(&self, path: &[u8]) -> Result<OpenFolder, Errno> {
        open_beneath(self.0.as_fd(), path, FOLDER).map(OpenFolder)
    }

    /// Opens the folder to which a path leads, through any symlinks.
    ///
    /// # Errors
    /// Those of the system.
    pub fn folder_through_links(&self, path: &[u8]) -> Result<OpenFolder, Errno> {
        openat(&self.0, path, FOLDER, Mode::empty()).map(OpenFolder)
    }

    /// Opens a file below this folder for reading, of whatever type, without waiting and with no symlink on the way.
    /// Reading does not change the time of the last access where the system allows that.
    ///
    /// # Errors
    /// As for [`OpenFolder::folder_beneath`].
    pub fn file_beneath(&self, path: &[u8]) -> Result<File, Errno> {
        keeping_atime(&|flags| open_beneath(self.0.as_fd(), path, flags)).map(File::from)
    }

    /// Opens the file to which a path leads, through any symlinks.
    ///
    /// # Errors
    /// Those of the system.
    pub fn file_through_links(&self, path: &[u8]) -> Result<File, Errno> {
        keeping_atime(&|flags| in_steps(self.0.as_fd(), path, flags, open_at)).map(File::from)
    }

    /// What a path leads to, through any symlinks; it is not opened.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stat_through_links(&self, path: &[u8]) -> Result<(FileType, FileStat), Errno> {
        in_steps(self.0.as_fd(), path, LOOK, open_at).and_then(|place| stat_descriptor(place.as_fd()))
    }

    /// Opens an entry that is no symlink for reading, of whatever type, without waiting.
    ///
    /// # Errors
    /// `LOOP` if it is a symlink, and those of the system.
    pub fn open_entry(&self, name: &CStr) -> Result<File, Errno> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        openat(&self.0, name, flags, Mode::empty()).map(File::from)
    }

    /// The type and metadata of an entry; of a symlink itself unless `follow`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stat_entry(&self, name: &CStr, follow: bool) -> Result<(FileType, FileStat), Errno> {
        stat_entry(self.0.as_fd(), name, follow)
    }

    /// Its own metadata.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stat(&self) -> Result<FileStat, Errno> {
        stat_descriptor(self.0.as_fd()).map(|(_, stat)| stat)
    }

    /// The target of a symlink among its entries, as written there.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_link(&self, name: &CStr) -> Result<CString, Errno> {
        rustix::fs::readlinkat(&self.0, name, Vec::new())
    }

    /// The name of its file system if the kernel makes up its files: they describe the running system, change while they
    /// are read, and some never end.
    pub fn synthetic_file_system(&self) -> Option<&'static str> {
        synthetic_file_system(self.0.as_fd())
    }

    /// Reads its listing, without `.` and `..`: each name, and its type if the listing has it.
    ///
    /// # Errors
    /// Those of the system.
    #[cfg(target_os = "linux")]
    pub fn read_names(&self, each: &mut dyn FnMut(&CStr, Option<FileType>)) -> Result<(), Errno> {
        let mut buffer = [std::mem::MaybeUninit::uninit(); 32 << 10];
        let mut listing = rustix::fs::RawDir::new(&self.0, &mut buffer);
        while let Some(entry) = listing.next() {
            let entry = entry?;
            if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
                each(entry.file_name(), listed_type(entry.file_type()));
            }
        }
        Ok(())
    }

    /// Reads its listing, without `.` and `..`: each name, and its type if the listing has it.
    ///
    /// # Errors
    /// Those of the system.
    #[cfg(not(target_os = "linux"))]
    pub fn read_names(&self, each: &mut dyn FnMut(&CStr, Option<FileType>)) -> Result<(), Errno> {
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
                each(entry.file_name(), listed_type(entry.file_type()));
            }
        }
        Ok(())
    }
}

fn listed_type(listed: rustix::fs::FileType) -> Option<FileType> {
    match listed {
        rustix::fs::FileType::RegularFile => Some(FileType::File),
        rustix::fs::FileType::Directory => Some(FileType::Folder),
        rustix::fs::FileType::Symlink => Some(FileType::Symlink),
        rustix::fs::FileType::Unknown => None,
        _ => Some(FileType::Special),
    }
}
