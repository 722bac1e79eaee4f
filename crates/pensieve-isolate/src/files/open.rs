//! The identity of a file's bytes: SHA-256 of what was read from one descriptor, with the metadata of the same
//! descriptor.

use super::problem::problem;
use crate::platform::{
    Errno, FileStat, OpenFolder, hole_bytes, open_file, open_file_through_links, path_bytes, stat_at_path,
    stat_open,
};
use pensieve_text::model::{ContentHash, ContentHasher, FileType, Problem, ProblemKind};
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// Bytes of the beginning of a file that are kept to decide its type.
pub const HEAD_BYTES: usize = 64 << 10;

/// How many times a file that keeps changing is read before that is a problem.
const ATTEMPTS: usize = 3;

/// Bytes of holes from which on a file is sparse: images of disks and databases have some, and zeros are no text.
const MIN_HOLE_BYTES: u64 = 64 << 20;

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
    /// The metadata after the last byte was read, except for the time of the last access, which is the one from before. Of a
    /// file that grows all the time, those from before its first byte was read.
    pub stat: FileStat,
}

/// An open folder, below which files are opened by their paths relative to it. Nothing else can be reached: not through
/// a folder that somebody replaces by a symlink, nor by replacing the folder itself.
#[derive(Debug)]
pub struct SourceFolder(OpenFolder);

impl SourceFolder {
    /// Opens the folder, also through a symlink.
    ///
    /// # Errors
    /// If it is no folder, or may not be read.
    pub fn open(path: &Path) -> std::io::Result<SourceFolder> {
        Ok(SourceFolder(OpenFolder::open(path)?))
    }

    /// Hashes a file that the walk reported, streaming. `expected` is what the walk found; a file that was replaced since
    /// then is hashed as it is now. A symlink is followed only to the same file that the walk found as its target.
    ///
    /// # Errors
    /// As a problem of that file: it cannot be opened or read, is no regular file any more, or changed in each of three
    /// attempts to read it. A file that did nothing but grow has the bytes that it had at the third.
    pub fn identify(&self, path: &Path, expected: &FileStat) -> Result<FileIdentity, Problem> {
        identify_opened(expected, &|| self.open_file(path, expected))
    }

    /// Opens a regular file that the walk reported for reading, with a path of any length. Nothing else is opened, and a
    /// FIFO does not block. Reading does not change the time of the last access where the system allows that.
    ///
    /// # Errors
    /// As a problem of that file.
    pub fn open_file(&self, path: &Path, expected: &FileStat) -> Result<File, Problem> {
        let path = path_bytes(path.as_os_str());
        match self.0.file_beneath(&path) {
            Err(Errno::LOOP) => self.open_linked(&path, expected),
            opened => checked(opened),
        }
    }

    /// Opens a file to which a symlink leads: the walk followed one here, or it has replaced a file or folder since.
    fn open_linked(&self, path: &[u8], expected: &FileStat) -> Result<File, Problem> {
        let is_expected = |stat: &FileStat| stat.identity() == expected.identity();
        let found = self.0.stat_through_links(path);
        if !matches!(found, Ok((FileType::File, stat)) if is_expected(&stat)) {
            return Err(Problem::new(
                ProblemKind::Changed,
                "a symlink has replaced the file or a folder above it",
            ));
        }
        let file = checked(self.0.file_through_links(path))?;
        match stat_file(&file)? {
            stat if is_expected(&stat) => Ok(file),
            _ => Err(Problem::new(ProblemKind::Changed, "a symlink leads to another file now")),
        }
    }
}

/// Hashes a file that the caller names by an absolute path, like [`SourceFolder::identify`].
///
/// # Errors
/// As there.
pub fn identify(path: &Path, expected: &FileStat) -> Result<FileIdentity, Problem> {
    identify_opened(expected, &|| open(path, expected))
}

/// Hashes a file that is open, like [`SourceFolder::identify`].
///
/// # Errors
/// As there.
pub fn identify_open(file: &File, expected: &FileStat) -> Result<FileIdentity, Problem> {
    identify_opened(expected, &|| open_again(file))
}

/// An open file from its first byte. The position is shared with the other one.
///
/// # Errors
/// As a problem of that file.
pub fn open_again(file: &File) -> Result<File, Problem> {
    let again = file.try_clone().and_then(|mut again| again.rewind().map(|()| again));
    again.map_err(|error| unreadable(&error))
}

fn identify_opened(
    expected: &FileStat,
    open: &dyn Fn() -> Result<File, Problem>,
) -> Result<FileIdentity, Problem> {
    for attempt in 1..=ATTEMPTS {
        let mut file = open()?;
        let before = stat_file(&file)?;
        refuse_holes(&file, before.size)?;
        let (hash, head, length) = hash(&mut file, before.size)?;
        let after = stat_file(&file)?;
        if before.same_content(&after) && is_whole(&after, length) {
            return Ok(FileIdentity { hash, head, stat: FileStat { accessed: expected.accessed, ..after } });
        }
        if attempt == ATTEMPTS && length == before.size && after.has_grown_since(&before) {
            return Ok(FileIdentity { hash, head, stat: FileStat { accessed: expected.accessed, ..before } });
        }
    }
    Err(Problem::new(ProblemKind::Changed, format!("the file changed while it was read, {ATTEMPTS} times")))
}

/// Refuses a file of which as much was never written as no text leaves out. It would be hashed like any other, at a second
/// for each gigabyte of zeros, and a few bytes on a disk may be a file of terabytes.
fn refuse_holes(file: &File, size: u64) -> Result<(), Problem> {
    if size < MIN_HOLE_BYTES {
        return Ok(());
    }
    match hole_bytes(file, size) {
        holes if holes < MIN_HOLE_BYTES => Ok(()),
        holes => {
            let message = format!("a sparse file, of which {} MiB were never written", holes >> 20);
            Err(Problem::new(ProblemKind::SizeLimit, message))
        }
    }
}

/// Opens a regular file that the caller names, like [`SourceFolder::open_file`]; folders above it may be symlinks.
///
/// # Errors
/// As a problem of that file.
pub fn open(path: &Path, expected: &FileStat) -> Result<File, Problem> {
    let opened = match open_file(path) {
        // The walk followed a symlink here, or a symlink has replaced the file.
        Err(Errno::LOOP) if links_to(path, expected) => open_file_through_links(path),
        opened => opened,
    };
    checked(opened)
}

fn checked(opened: Result<File, Errno>) -> Result<File, Problem> {
    let file = match opened {
        // A socket, or a device that does not exist, has replaced the file.
        Err(Errno::NXIO) => return Err(not_regular()),
        opened => opened.map_err(|error| problem(error, "the file cannot be opened"))?,
    };
    stat_file(&file).map(|_| file)
}

fn links_to(path: &Path, expected: &FileStat) -> bool {
    path.is_file() && stat_at_path(path).is_ok_and(|found| found.identity() == expected.identity())
}

pub(super) fn stat_file(file: &File) -> Result<FileStat, Problem> {
    match stat_open(file) {
        Ok((FileType::File, stat)) => Ok(stat),
        Ok(_) => Err(not_regular()),
        Err(error) => Err(problem(error, "the file cannot be looked at")),
    }
}

fn not_regular() -> Problem {
    Problem::new(ProblemKind::Changed, "the file is no regular file any more")
}

/// Hashes the bytes that the file has now, and keeps the beginning: a log may grow as fast as it is read. Also returns their
/// number, to be compared with the size. Files of `/proc` have bytes although their size is 0.
fn hash(file: &mut File, size: u64) -> Result<(ContentHash, Vec<u8>, u64), Problem> {
    BUFFER.with_borrow_mut(|buffer| {
        let mut hasher = ContentHasher::new();
        let mut head = Vec::with_capacity(HEAD_BYTES.min(size as usize));
        let mut length = 0;
        let mut file = file.take(if size == 0 { u64::MAX } else { size });
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
    use rustix::fs::{CWD, Mode};
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_sparse_file_costs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let check = |size: u64, expected: Option<ProblemKind>| {
            let file = File::create(&path).unwrap();
            file.set_len(size).unwrap();
            assert_eq!(kind(&path), expected, "{size}");
        };
        check(MIN_HOLE_BYTES - 1, None);
        check(1 << 40, Some(ProblemKind::SizeLimit));
        let mut file = File::create(&path).unwrap();
        file.write_all(b"words").unwrap();
        file.set_len(4 << 30).unwrap();
        file.seek(std::io::SeekFrom::End(0)).unwrap();
        file.write_all(b"words").unwrap();
        drop(file);
        assert_eq!(kind(&path), Some(ProblemKind::SizeLimit));
    }

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
    fn a_symlink_on_the_way_leads_only_to_the_file_that_the_walk_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["root/d", "other"] {
            fs::create_dir_all(at(name)).expect("a folder");
            fs::write(at(name).join("f"), name).expect("a file");
        }
        symlink(at("other"), at("root/link")).expect("a link");
        let root = SourceFolder::open(&at("root")).expect("a folder");
        let known = root.identify(Path::new("d/f"), &FileStat::default()).expect("an identity").stat;
        let target = identify(&at("other/f"), &FileStat::default()).expect("an identity").stat;
        let changed = |path: &str, stat: &FileStat| {
            root.identify(Path::new(path), stat)
                .map_err(|problem| assert_eq!(problem.kind, ProblemKind::Changed))
        };
        assert_eq!(changed("link/f", &known), Err(()));
        assert_eq!(changed("link/f", &target).map(|found| found.hash), Ok(ContentHash::of(b"other")));
        fs::rename(at("root/d"), at("moved")).expect("a rename");
        symlink(at("other"), at("root/d")).expect("a link");
        assert_eq!(changed("d/f", &known), Err(()));
        // The folder itself is the one that was opened.
        fs::rename(at("root"), at("renamed")).expect("a rename");
        assert!(root.identify(Path::new("link/f"), &target).is_ok());
    }

    #[test]
    fn a_file_that_never_stands_still_has_changed_and_one_that_grows_has_what_it_had() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("log");
        let check = |append: bool, is_as_expected: &dyn Fn(Result<FileIdentity, Problem>) -> bool| {
            fs::write(&path, vec![b'x'; 4 << 20]).expect("a file");
            let is_done = std::sync::atomic::AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let mut file =
                        fs::OpenOptions::new().append(append).write(true).open(&path).expect("open");
                    while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                        file.rewind().and_then(|()| file.write_all(b"x")).expect("write");
                    }
                });
                // A busy machine may pause the writer for as long as three attempts take.
                let found = (0..500).any(|_| is_as_expected(identify(&path, &FileStat::default())));
                is_done.store(true, std::sync::atomic::Ordering::Relaxed);
                assert!(found, "{append}");
            });
        };
        check(false, &|found| found.is_err_and(|problem| problem.kind == ProblemKind::Changed));
        check(true, &|found| {
            let found = found.expect("an identity");
            let bytes = vec![b'x'; found.stat.size as usize];
            assert_eq!(found.hash, ContentHash::of(&bytes));
            found.stat.size < fs::metadata(&path).expect("metadata").len()
        });
    }
}
