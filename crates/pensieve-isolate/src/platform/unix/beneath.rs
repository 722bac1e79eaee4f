//! Opens a path below an open folder with no symlink on the way: whoever replaces a folder of the path by a link while
//! it is opened gets an error, never another place.
//!
//! Linux does this in one call since 5.6 (`openat2`); elsewhere, and in sandboxes that do not know the call, the path is
//! walked name by name.

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Longer paths are opened in steps; the system takes 4096 bytes with the NUL at the end.
pub(super) const MAX_PATH_BYTES: usize = 4000;

/// A call that opens a path relative to a folder.
pub(super) type OpenPath = fn(BorrowedFd<'_>, &[u8], OFlags) -> Result<OwnedFd, Errno>;

/// Opens `path`, which is relative and of any length, below `folder`.
///
/// # Errors
/// `LOOP` if a symlink is on the way or at its end, `XDEV` if the path leads out of the folder, and those of `openat`.
pub(super) fn open_beneath(folder: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    in_steps(folder, path, flags, open_step)
}

/// Opens a path of any length with calls that take at most [`MAX_PATH_BYTES`].
pub(super) fn in_steps(
    folder: BorrowedFd<'_>,
    path: &[u8],
    flags: OFlags,
    open: OpenPath,
) -> Result<OwnedFd, Errno> {
    let mut at: Option<OwnedFd> = None;
    let mut rest = path;
    while rest.len() > MAX_PATH_BYTES {
        let cut = memchr::memrchr(b'/', &rest[..MAX_PATH_BYTES]).filter(|cut| *cut > 0);
        let cut = cut.ok_or(Errno::NAMETOOLONG)?;
        let from = at.as_ref().map_or(folder, |at| at.as_fd());
        at = Some(open(from, &rest[..cut], OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC)?);
        rest = &rest[cut + 1..];
    }
    open(at.as_ref().map_or(folder, |at| at.as_fd()), rest, flags)
}

#[cfg(target_os = "linux")]
fn open_step(folder: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(folder, path, flags, Mode::empty(), inside) {
        // Older kernels and sandboxes answer an unknown system call with one of these.
        Err(Errno::NOSYS | Errno::PERM) => open_by_names(folder, path, flags),
        opened => opened,
    }
}

#[cfg(not(target_os = "linux"))]
fn open_step(folder: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    open_by_names(folder, path, flags)
}

/// Opens one folder after the other.
fn open_by_names(folder: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut at: Option<OwnedFd> = None;
    let mut names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).peekable();
    while let Some(name) = names.next() {
        if name == b".." {
            return Err(Errno::XDEV);
        }
        let from = at.as_ref().map_or(folder, |at| at.as_fd());
        let flags = match names.peek() {
            Some(_) => OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            None => flags,
        };
        let opened = openat(from, name, flags | OFlags::NOFOLLOW, Mode::empty());
        // A symlink is no folder either.
        at = Some(opened.map_err(|error| match error {
            Errno::NOTDIR if is_symlink(from, name) => Errno::LOOP,
            error => error,
        })?);
    }
    at.ok_or(Errno::NOENT)
}

fn is_symlink(folder: BorrowedFd<'_>, name: &[u8]) -> bool {
    let found = rustix::fs::statat(folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| rustix::fs::FileType::from_raw_mode(found.st_mode).is_symlink())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    const WAYS: [OpenPath; 2] = [open_step, open_by_names];

    #[test]
    fn only_what_lies_below_is_opened() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("root/d/e")).expect("folders");
        fs::write(at("root/d/e/f"), "inside").expect("a file");
        fs::write(at("secret"), "outside").expect("a file");
        symlink("d", at("root/link")).expect("a link");
        symlink(at("secret"), at("root/d/out")).expect("a link");
        let root = fs::File::open(at("root")).expect("a folder");
        for open in WAYS {
            let kind =
                |path: &str| open(root.as_fd(), path.as_bytes(), OFlags::RDONLY | OFlags::CLOEXEC).err();
            assert_eq!(kind("d/e/f"), None);
            assert_eq!(kind("d//e/f"), None);
            assert_eq!(kind("link/e/f"), Some(Errno::LOOP));
            assert_eq!(kind("d/out"), Some(Errno::LOOP));
            assert_eq!(kind("../secret"), Some(Errno::XDEV));
            assert_eq!(kind("d/x"), Some(Errno::NOENT));
            assert_eq!(kind("d/e/f/g"), Some(Errno::NOTDIR));
            let absolute = at("secret").into_os_string().into_string().expect("text");
            assert!(matches!(kind(&absolute), Some(Errno::XDEV | Errno::NOENT)));
        }
    }

    #[test]
    fn a_folder_that_is_swapped_for_a_link_leads_nowhere_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["root/d", "outside"] {
            fs::create_dir_all(at(name)).expect("a folder");
            fs::write(at(name).join("f"), name).expect("a file");
        }
        let root = fs::File::open(at("root")).expect("a folder");
        let is_done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    fs::rename(at("root/d"), at("kept")).expect("a rename");
                    symlink(at("outside"), at("root/d")).expect("a link");
                    fs::remove_file(at("root/d")).expect("the link goes");
                    fs::rename(at("kept"), at("root/d")).expect("a rename");
                }
            });
            for round in 0..20_000 {
                if let Ok(file) = WAYS[round % 2](root.as_fd(), b"d/f", OFlags::RDONLY | OFlags::CLOEXEC) {
                    let text = std::io::read_to_string(fs::File::from(file)).expect("text");
                    assert_eq!(text, "root/d");
                }
            }
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }

    #[test]
    fn paths_longer_than_the_system_takes_are_opened() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = fs::File::open(folder.path()).expect("a folder");
        let name = "n".repeat(200);
        let mut at: OwnedFd = root.try_clone().expect("a copy").into();
        let mut path = Vec::new();
        for _ in 0..60 {
            rustix::fs::mkdirat(&at, &*name, Mode::RWXU).expect("a folder");
            at = openat(&at, &*name, OFlags::RDONLY, Mode::empty()).expect("open");
            path.extend_from_slice(format!("{name}/").as_bytes());
        }
        path.pop();
        assert!(open_beneath(root.as_fd(), &path, OFlags::RDONLY | OFlags::DIRECTORY).is_ok());
    }
}
