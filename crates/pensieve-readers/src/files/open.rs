//! The identity of a file's bytes: SHA-256 of what was read from one descriptor, with the metadata of the same
//! descriptor.

use super::problem::problem;
use super::stat::{FileStat, stat_open};
use pensieve_text::model::{ContentHash, ContentHasher, FileType, Problem, ProblemKind};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Bytes of the beginning of a file that are kept to decide its type.
pub const HEAD_BYTES: usize = 64 << 10;

/// How many times a file that keeps changing is read before that is a problem.
const ATTEMPTS: usize = 3;

/// Longer paths are opened in steps; the system takes 4096 bytes with the NUL at the end.
const MAX_PATH_BYTES: usize = 4000;

thread_local! {
    /// One buffer per thread, used for every file that is hashed.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; 256 << 10]);
}

/// What identifies the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileIdentity {
    /// SHA-256 of all bytes.
    pub hash: ContentHash,
    /// The first [`HEAD_BYTES`] bytes.
    pub head: Vec<u8>,
    /// The metadata after the last byte was read, except for the time of the last access, which is the one from before.
    pub stat: FileStat,
}

/// Hashes a file that the walk reported, streaming. `expected` is what the walk found; a file that was replaced since
/// then is hashed as it is now. A symlink is followed only to the same file that the walk found as its target.
///
/// # Errors
/// As a problem of that file: it cannot be opened or read, is no regular file any more, or changed in each of three
/// attempts to read it.
pub fn identify(path: &Path, expected: &FileStat) -> Result<FileIdentity, Problem> {
    for _ in 0..ATTEMPTS {
        let mut file = open(path, expected)?;
        let before = stat_file(&file)?;
        let (hash, head, length) = hash(&mut file, before.size)?;
        let after = stat_file(&file)?;
        if before.same_content(&after) && is_whole(&after, length) {
            return Ok(FileIdentity { hash, head, stat: FileStat { accessed: expected.accessed, ..after } });
        }
    }
    Err(Problem::new(ProblemKind::Changed, format!("the file changed while it was read, {ATTEMPTS} times")))
}

/// Opens a regular file that the walk reported for reading, with a path of any length. Nothing else is opened, and a
/// FIFO does not block. Reading does not change the time of the last access where the system allows that.
///
/// # Errors
/// As a problem of that file.
pub fn open(path: &Path, expected: &FileStat) -> Result<File, Problem> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let bytes = path.as_os_str().as_bytes();
    let opened = match open_keeping_atime(bytes, flags | OFlags::NOFOLLOW) {
        // The walk followed a symlink here, or a symlink has replaced the file.
        Err(Errno::LOOP) if links_to(path, expected) => open_keeping_atime(bytes, flags),
        opened => opened,
    };
    let file = match opened {
        // A socket, or a device that does not exist, has replaced the file.
        Err(Errno::NXIO) => return Err(not_regular()),
        opened => File::from(opened.map_err(|error| problem(error, "the file cannot be opened"))?),
    };
    stat_file(&file).map(|_| file)
}

fn links_to(path: &Path, expected: &FileStat) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path)
        .is_ok_and(|found| found.is_file() && (found.dev(), found.ino()) == expected.identity())
}

pub(super) fn stat_file(file: &File) -> Result<FileStat, Problem> {
    match stat_open(file.as_fd()) {
        Ok((FileType::File, stat)) => Ok(stat),
        Ok(_) => Err(not_regular()),
        Err(error) => Err(problem(error, "the file cannot be looked at")),
    }
}

fn not_regular() -> Problem {
    Problem::new(ProblemKind::Changed, "the file is no regular file any more")
}

/// Opens so that reading leaves the time of the last access unchanged, which only the owner and root may do; others open
/// normally.
#[cfg(target_os = "linux")]
fn open_keeping_atime(path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    match open_in_steps(path, flags | OFlags::NOATIME) {
        Err(Errno::PERM) => open_in_steps(path, flags),
        opened => opened,
    }
}

#[cfg(not(target_os = "linux"))]
fn open_keeping_atime(path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    open_in_steps(path, flags)
}

fn open_in_steps(path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut folder: Option<OwnedFd> = None;
    let mut rest = path;
    while rest.len() > MAX_PATH_BYTES {
        let cut = memchr::memrchr(b'/', &rest[..MAX_PATH_BYTES]).filter(|cut| *cut > 0);
        let cut = cut.ok_or(Errno::NAMETOOLONG)?;
        let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        folder = Some(open_at(folder.as_ref(), &rest[..cut], step)?);
        rest = &rest[cut + 1..];
    }
    open_at(folder.as_ref(), rest, flags)
}

fn open_at(folder: Option<&OwnedFd>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    match folder {
        Some(folder) => openat(folder, path, flags, Mode::empty()),
        None => openat(CWD, path, flags, Mode::empty()),
    }
}

/// Hashes all bytes and keeps the beginning. Also returns the number of bytes, to be compared with the size.
fn hash(file: &mut File, size: u64) -> Result<(ContentHash, Vec<u8>, u64), Problem> {
    BUFFER.with_borrow_mut(|buffer| {
        let mut hasher = ContentHasher::new();
        let mut head = Vec::with_capacity(HEAD_BYTES.min(size as usize));
        let mut length = 0;
        loop {
            let count = match file.read(buffer) {
                Ok(0) => return Ok((hasher.finish(), head, length)),
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(&error)),
            };
            let read = &buffer[..count];
            head.extend_from_slice(&read[..count.min(HEAD_BYTES - head.len())]);
            hasher.update(read);
            length += count as u64;
        }
    })
}

fn unreadable(error: &std::io::Error) -> Problem {
    problem(Errno::from_io_error(error).unwrap_or(Errno::IO), "the file cannot be read")
}

/// True if all bytes were read. Files of `/proc` have bytes although their size is 0.
fn is_whole(stat: &FileStat, length: u64) -> bool {
    stat.size == length || stat.size == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    fn kind(path: &Path) -> Option<ProblemKind> {
        identify(path, &FileStat::default()).err().map(|problem| problem.kind)
    }

    #[test]
    fn the_hash_is_of_all_bytes_and_the_head_of_the_first() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("big");
        for length in [0, 1, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, 1_000_003] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            fs::write(&path, &bytes).expect("a file");
            let found = identify(&path, &FileStat::default()).expect("an identity");
            assert_eq!(found.hash, ContentHash::of(&bytes));
            assert_eq!(found.head, bytes[..length.min(HEAD_BYTES)]);
            assert_eq!(found.stat.size, length as u64);
        }
    }

    #[test]
    fn what_is_no_regular_file_is_not_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("real"), "x").expect("a file");
        symlink("real", at("link")).expect("a link");
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(CWD, at("fifo"), fifo, Mode::from_raw_mode(0o600), 0).expect("a fifo");
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("a socket");
        assert_eq!(kind(&at("link")), Some(ProblemKind::Changed));
        assert_eq!(kind(&at("fifo")), Some(ProblemKind::Changed));
        assert_eq!(kind(&at("socket")), Some(ProblemKind::Changed));
        assert_eq!(kind(folder.path()), Some(ProblemKind::Changed));
        assert_eq!(kind(&at("gone")), Some(ProblemKind::Vanished));
        assert_eq!(kind(&at("real/below")), Some(ProblemKind::Vanished));
        assert_eq!(kind(&at(&"n".repeat(300))), Some(ProblemKind::PathTooLong));
        assert_eq!(kind(Path::new("/dev/zero")), Some(ProblemKind::Changed));
        let real = identify(&at("real"), &FileStat::default()).expect("an identity");
        assert_eq!(identify(&at("link"), &real.stat), Ok(real));
    }

    #[test]
    fn a_file_that_never_stands_still_has_changed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("log");
        fs::write(&path, vec![b'x'; 4 << 20]).expect("a file");
        let is_done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut file = fs::OpenOptions::new().append(true).open(&path).expect("open");
                while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    file.write_all(b"x").expect("write");
                }
            });
            // A busy machine may pause the writer for as long as three attempts take.
            let has_changed = (0..500).any(|_| kind(&path) == Some(ProblemKind::Changed));
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(has_changed);
        });
    }
}
