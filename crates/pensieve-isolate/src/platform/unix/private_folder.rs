//! The private folder of a program: how much it wrote there, and how the folder goes whatever it contains.
//!
//! Both are done by programs that mean harm in mind: folders nested deeper than descriptors suffice for, folders without
//! permissions, entries that change meanwhile.

use crate::limits::process::{ENTRY_BYTES, MAX_FOLDER_DEPTH};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// What a program has written into its private folder.
pub(crate) struct PrivateFolderUsage {
    folder: Option<OwnedFd>,
    /// Bytes that were there before the program started: the document itself.
    before: u64,
}

impl PrivateFolderUsage {
    /// A folder as it is before the program starts.
    ///
    /// # Errors
    /// The folder cannot be opened.
    pub(crate) fn new(folder: Option<&Path>) -> io::Result<PrivateFolderUsage> {
        let folder = folder.map(|folder| openat(CWD, folder, FOLDER_FLAGS, Mode::empty())).transpose()?;
        let before = folder.as_ref().and_then(|folder| bytes_below(folder, u64::MAX, 0)).unwrap_or_default();
        Ok(PrivateFolderUsage { folder, before })
    }

    /// True if the program has written more than so many bytes, with those of files that it deleted and still has open.
    pub(crate) fn exceeds(&self, limit: u64, deleted: u64) -> bool {
        let Some(folder) = &self.folder else { return false };
        let most = limit.saturating_add(self.before);
        bytes_below(folder, most, 0).is_none_or(|bytes| bytes.saturating_add(deleted) > most)
    }
}

/// A link is not followed: a program may put one where a folder was a moment ago.
const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// Bytes on disk of everything below a folder, counted until they are more than `most`; `None` if it cannot be looked
/// through: it is nested too deep, or the program has closed a folder. Every entry counts, so that many empty files are
/// not free. What disappears meanwhile does not count.
fn bytes_below(folder: &OwnedFd, most: u64, depth: usize) -> Option<u64> {
    let mut sum = 0u64;
    for name in entries(folder).ok()? {
        let name = name.ok()?;
        let Ok(found) = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        sum = sum.saturating_add(ENTRY_BYTES.max((found.st_blocks as u64).saturating_mul(512)));
        if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
            match openat(folder, &name, FOLDER_FLAGS, Mode::empty()) {
                Ok(_) if depth == MAX_FOLDER_DEPTH => return None,
                Ok(inside) => sum = sum.saturating_add(bytes_below(&inside, most, depth + 1)?),
                Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => {}
                Err(_) => return None,
            }
        }
        if sum > most {
            break;
        }
    }
    Some(sum)
}

/// Removes a folder with everything in it, however deep and whatever its permissions.
///
/// Folders inside are moved up and emptied one after the other, so that a few descriptors and little stack suffice.
///
/// Cost: linear in the number of entries.
///
/// # Errors
/// The system refuses to remove an entry; most of the rest may be gone.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    let top = open_folder(None, CString::new(folder.as_os_str().as_encoded_bytes())?.as_c_str())?;
    let mut moved = 0;
    loop {
        let names = all_entries(&top)?;
        if names.is_empty() {
            return std::fs::remove_dir(folder);
        }
        for name in names {
            if !is_unlinked(&top, &name) {
                move_folders_up(&top, &open_folder(Some(&top), &name)?, &mut moved)?;
                unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
            }
        }
    }
}

/// Removes a file or an empty folder; true if it is gone.
fn is_unlinked(above: &OwnedFd, name: &CStr) -> bool {
    unlinkat(above, name, AtFlags::empty()).is_ok() || unlinkat(above, name, AtFlags::REMOVEDIR).is_ok()
}

/// Empties a folder: its folders are moved to `top` under names that are free there, everything else is removed.
fn move_folders_up(top: &OwnedFd, inside: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    for name in all_entries(inside)? {
        if is_unlinked(inside, &name) {
            continue;
        }
        // Moving a folder changes its entry for the one above, which needs permission to write into it.
        open_folder(Some(inside), &name)?;
        loop {
            *moved += 1;
            match renameat(inside, &name, top, format!("moved-up-{moved}")) {
                // The program has used this name itself.
                Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                answer => break answer?,
            }
        }
    }
    Ok(())
}

/// Opens a folder after giving its owner every right to it.
fn open_folder(above: Option<&OwnedFd>, name: &CStr) -> Result<OwnedFd, Errno> {
    match above {
        Some(above) => {
            let found = statat(above, name, AtFlags::SYMLINK_NOFOLLOW)?;
            if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
                rustix::fs::chmodat(above, name, Mode::RWXU, AtFlags::empty())?;
            }
            openat(above, name, FOLDER_FLAGS, Mode::empty())
        }
        None => {
            rustix::fs::chmodat(CWD, name, Mode::RWXU, AtFlags::empty())?;
            openat(CWD, name, FOLDER_FLAGS, Mode::empty())
        }
    }
}

/// The names in a folder, one at a time: a folder that fills faster than it is read need not be read to its end.
fn entries(folder: &OwnedFd) -> Result<impl Iterator<Item = Result<CString, Errno>>, Errno> {
    let names = Dir::read_from(folder)?.map(|entry| Ok(entry?.file_name().to_owned()));
    Ok(names.filter(|name| name.as_ref().map_or(true, |name| !matches!(name.as_bytes(), b"." | b".."))))
}

/// The names in a folder that is about to change: one read while names go may miss some.
fn all_entries(folder: &OwnedFd) -> Result<Vec<CString>, Errno> {
    entries(folder)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_entry_counts() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("input"), [b'x'; 100_000]).unwrap();
        let usage = PrivateFolderUsage::new(Some(folder.path())).unwrap();
        assert!(!usage.exceeds(0, 0) && usage.exceeds(10, 11));
        for number in 0..10 {
            fs::write(folder.path().join(number.to_string()), "").unwrap();
        }
        assert!(usage.exceeds(10 * ENTRY_BYTES - 1, 0) && !usage.exceeds(10 * ENTRY_BYTES, 0));
    }

    #[test]
    fn a_folder_goes_however_deep_and_closed_it_is() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("private");
        let mut deep = folder.clone();
        fs::create_dir(&folder).unwrap();
        let mut inside =
            open_folder(None, CString::new(folder.as_os_str().as_encoded_bytes()).unwrap().as_c_str())
                .unwrap();
        for _ in 0..3000 {
            rustix::fs::mkdirat(&inside, "d", Mode::RWXU).unwrap();
            inside = open_folder(Some(&inside), c"d").unwrap();
        }
        deep.push("d");
        fs::write(deep.join("file"), "x").unwrap();
        rustix::fs::chmodat(CWD, &deep, Mode::empty(), AtFlags::empty()).unwrap();
        assert!(PrivateFolderUsage::new(Some(&folder)).unwrap().exceeds(u64::MAX - 1, 0));
        remove_folder(&folder).unwrap();
        assert!(!folder.exists());
    }

    /// A listing for each entry would be 200 million names.
    #[test]
    fn many_entries_go_as_well_as_folders_with_the_names_of_moved_ones() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("private");
        fs::create_dir_all(folder.join("a/b/c")).unwrap();
        for number in 0..20_000 {
            fs::write(folder.join(number.to_string()), "").unwrap();
        }
        for number in 1..4 {
            fs::create_dir_all(folder.join(format!("moved-up-{number}/d/e"))).unwrap();
        }
        fs::write(folder.join("moved-up-4"), "").unwrap();
        remove_folder(&folder).unwrap();
        assert!(!folder.exists());
    }
}
