//! [`OpenFolder`]: a folder by its handle and its path.
//!
//! Windows opens by path. That nothing else is reached is proved afterwards: the handle that was opened has the path of
//! this folder's handle with the path below it, or it is refused. A folder that is replaced by a link leads nowhere else.

use super::errno::Errno;
use super::files::{look, open_file, open_file_through_links};
use super::names::{name_from_bytes, path_bytes};
use super::stat::stat_open;
use crate::platform::file_stat::FileStat;
use pensieve_text::model::FileType;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use windows_sys::Win32::Storage::FileSystem::GetFinalPathNameByHandleW;

/// An open folder: what is below it is opened and looked at relative to it. Paths are relative.
#[derive(Debug)]
pub struct OpenFolder {
    handle: File,
    path: PathBuf,
}

impl OpenFolder {
    /// Opens a folder, also through a symlink.
    ///
    /// # Errors
    /// It is no folder, or may not be read.
    pub fn open(path: &Path) -> Result<OpenFolder, Errno> {
        let path = std::path::absolute(path)?;
        folder(look(&path, true)?, path)
    }

    /// Opens a folder below this one, with no symlink on the way.
    ///
    /// # Errors
    /// `LOOP` if a symlink is on the way or at its end, `XDEV` if the path leads out of this folder, and those of the
    /// system.
    pub fn folder_beneath(&self, path: &[u8]) -> Result<OpenFolder, Errno> {
        let below = self.below(path)?;
        let handle = look(&below, false)?;
        self.prove(&handle, path)?;
        folder(handle, below)
    }

    /// Opens the folder to which a path leads, through any symlinks.
    ///
    /// # Errors
    /// Those of the system.
    pub fn folder_through_links(&self, path: &[u8]) -> Result<OpenFolder, Errno> {
        let below = self.below(path)?;
        folder(look(&below, true)?, below)
    }

    /// Opens a file below this folder for reading, with no symlink on the way.
    ///
    /// # Errors
    /// As for [`OpenFolder::folder_beneath`].
    pub fn file_beneath(&self, path: &[u8]) -> Result<File, Errno> {
        let file = open_file(&self.below(path)?)?;
        self.prove(&file, path)?;
        Ok(file)
    }

    /// Opens the file to which a path leads, through any symlinks.
    ///
    /// # Errors
    /// Those of the system.
    pub fn file_through_links(&self, path: &[u8]) -> Result<File, Errno> {
        open_file_through_links(&self.below(path)?)
    }

    /// What a path leads to, through any symlinks.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stat_through_links(&self, path: &[u8]) -> Result<(FileType, FileStat), Errno> {
        stat_open(&look(&self.below(path)?, true)?)
    }

    /// Opens an entry that is no symlink for reading.
    ///
    /// # Errors
    /// `LOOP` if it is a symlink, and those of the system.
    pub fn open_entry(&self, name: &CStr) -> Result<File, Errno> {
        self.file_beneath(name.to_bytes())
    }

    /// The type and metadata of an entry; of a symlink itself unless `follow`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stat_entry(&self, name: &CStr, follow: bool) -> Result<(FileType, FileStat), Errno> {
        stat_open(&look(&self.below(name.to_bytes())?, follow)?)
    }

    /// Its own metadata.
    ///
    /// # Errors
    /// Those of the system.
    pub fn stat(&self) -> Result<FileStat, Errno> {
        stat_open(&self.handle).map(|(_, stat)| stat)
    }

    /// The target of a symlink among its entries.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_link(&self, name: &CStr) -> Result<CString, Errno> {
        let target = std::fs::read_link(self.below(name.to_bytes())?)?;
        CString::new(path_bytes(target.as_os_str())).map_err(|_| Errno::NOENT)
    }

    /// The name of its file system if the kernel makes up its files: no folder of Windows is such.
    pub fn synthetic_file_system(&self) -> Option<&'static str> {
        None
    }

    /// Reads its listing: each name and its type.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_names(&self, each: &mut dyn FnMut(&CStr, Option<FileType>)) -> Result<(), Errno> {
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = CString::new(path_bytes(&entry.file_name())).map_err(|_| Errno::NOENT)?;
            each(&name, entry.file_type().ok().and_then(|found| listed_type(found)));
        }
        Ok(())
    }

    /// The path of what is below. A colon would name another stream of a file, or another drive.
    fn below(&self, path: &[u8]) -> Result<PathBuf, Errno> {
        let is_name = |name: &[u8]| name != b".." && !name.contains(&b':') && !name.contains(&b'\\');
        match path.split(|byte| *byte == b'/').all(is_name) && !path.starts_with(b"/") {
            true => Ok(self.path.join(name_from_bytes(path))),
            false => Err(Errno::XDEV),
        }
    }

    /// Proves that what was opened lies below this folder under this path.
    fn prove(&self, opened: &File, path: &[u8]) -> Result<(), Errno> {
        let (above, found) = (final_path(&self.handle)?, final_path(opened)?);
        let wanted = format!("{}/{}", above.trim_end_matches('/'), name_from_bytes(path).to_string_lossy());
        match found.to_lowercase() == wanted.trim_end_matches('/').to_lowercase() {
            true => Ok(()),
            false => Err(Errno::LOOP),
        }
    }
}

fn folder(handle: File, path: PathBuf) -> Result<OpenFolder, Errno> {
    match stat_open(&handle)?.0 {
        FileType::Folder => Ok(OpenFolder { handle, path }),
        FileType::Symlink => Err(Errno::LOOP),
        _ => Err(Errno::NOTDIR),
    }
}

fn listed_type(listed: std::fs::FileType) -> Option<FileType> {
    if listed.is_symlink() {
        Some(FileType::Symlink)
    } else if listed.is_dir() {
        Some(FileType::Folder)
    } else {
        listed.is_file().then_some(FileType::File)
    }
}

/// The path of an open file without any link in it, with `/` between names.
fn final_path(file: &File) -> io::Result<String> {
    let mut buffer = vec![0u16; 1024];
    loop {
        // SAFETY: the handle is open, and the call writes at most as many units as the buffer has.
        let length = unsafe {
            GetFinalPathNameByHandleW(file.as_raw_handle(), buffer.as_mut_ptr(), buffer.len() as u32, 0)
        } as usize;
        match length {
            0 => return Err(io::Error::last_os_error()),
            length if length < buffer.len() => {
                return Ok(String::from_utf16_lossy(&buffer[..length]).replace('\\', "/"));
            }
            length => buffer.resize(length + 1, 0),
        }
    }
}
