//! One inotify watch for each folder that a scan enters.

use super::{FolderEvents, own_files::OwnFiles};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init, remove_watch};
use rustix::io::Errno;
use std::collections::HashSet;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Everything that can change a row. Reading is not among it: a run would notice itself.
const CHANGES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::EXCL_UNLINK);

/// Events after which folders may have to be watched that were not, if they concern a folder.
const OTHER_FOLDERS: ReadFlags =
    ReadFlags::CREATE.union(ReadFlags::MOVED_FROM).union(ReadFlags::MOVED_TO).union(ReadFlags::ATTRIB);

/// Events of a watched folder itself, after which its path may lead elsewhere.
const LOST_FOLDER: ReadFlags = ReadFlags::DELETE_SELF.union(ReadFlags::MOVE_SELF).union(ReadFlags::UNMOUNT);

/// Watches of the kernel, and the queue of their events.
#[derive(Debug)]
pub(super) struct FolderWatches {
    queue: OwnedFd,
    watches: Mutex<Watches>,
}

#[derive(Debug, Default)]
struct Watches {
    /// Those of the last walk.
    held: HashSet<i32>,
    /// Those that the present walk has found so far.
    found: HashSet<i32>,
    /// Folders that contain the database or a file beside it.
    with_own_files: HashSet<i32>,
}

impl FolderWatches {
    /// # Errors
    /// The kernel has no inotify, or the user has too many queues.
    pub fn new() -> Result<FolderWatches, Errno> {
        let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        Ok(FolderWatches { queue, watches: Mutex::default() })
    }

    /// Watches a folder; it may be watched already.
    ///
    /// # Errors
    /// `NOSPC` if the user has too many watches; others concern this folder.
    pub fn add(&self, path: &Path, has_own_files: bool) -> Result<(), Errno> {
        let watch = add_watch(&self.queue, path, CHANGES)?;
        let mut watches = self.watches();
        watches.found.insert(watch);
        if has_own_files {
            watches.with_own_files.insert(watch);
        }
        Ok(())
    }

    /// Ends the watches that were not added since the last call; returns how many there are.
    pub fn drop_others(&self) -> usize {
        let mut watches = self.watches();
        let found = std::mem::take(&mut watches.found);
        for old in watches.held.difference(&found) {
            // It may have ended by itself, with its folder.
            let _ = remove_watch(&self.queue, *old);
        }
        watches.with_own_files.retain(|watch| found.contains(watch));
        watches.held = found;
        watches.held.len()
    }

    /// Waits for events, no longer than this.
    pub fn wait(&self, longest: Duration) {
        let timeout = Timespec { tv_sec: longest.as_secs() as i64, tv_nsec: longest.subsec_nanos().into() };
        // A signal ends it early; the caller looks what there is.
        let _ = poll(&mut [PollFd::new(&self.queue, PollFlags::IN)], Some(&timeout));
    }

    /// Reads all events that wait.
    pub fn read(&self, own: &OwnFiles) -> FolderEvents {
        let mut buffer = [MaybeUninit::uninit(); 16 << 10];
        let mut reader = Reader::new(&self.queue, &mut buffer);
        let mut watches = self.watches();
        let mut found = FolderEvents::default();
        while let Ok(event) = reader.next() {
            let name = event.file_name().map_or(&b""[..], |name| name.to_bytes());
            let event = watches.judge(event.wd(), event.events(), name, own);
            found.changed |= event.changed;
            found.other_folders |= event.other_folders;
        }
        found
    }

    fn watches(&self) -> MutexGuard<'_, Watches> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watches {
    fn judge(&mut self, watch: i32, events: ReadFlags, name: &[u8], own: &OwnFiles) -> FolderEvents {
        if events.contains(ReadFlags::QUEUE_OVERFLOW) {
            return FolderEvents { changed: true, other_folders: true };
        }
        if events.contains(ReadFlags::IGNORED) {
            self.held.remove(&watch);
            return FolderEvents::default();
        }
        let is_own = self.with_own_files.contains(&watch) && own.has_name(name);
        if is_own || !self.held.contains(&watch) {
            return FolderEvents::default();
        }
        let concerns_folder = events.contains(ReadFlags::ISDIR) && events.intersects(OTHER_FOLDERS);
        let other_folders =
            concerns_folder || events.intersects(LOST_FOLDER) || pensieve_store::scan::is_ignore_file(name);
        FolderEvents { changed: true, other_folders }
    }
}

/// True if changes that other machines or the host make in this file system cause no events here.
pub(super) fn is_remote(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|found| REMOTE.contains(&(found.f_type as u32)))
}

/// `f_type` of NFS, three generations of SMB, FUSE (sshfs, virtiofs), 9p, VirtualBox, VMware, Ceph, AFS, Coda, Lustre,
/// GFS2, OCFS2.
const REMOTE: [u32; 14] = [
    0x6969,
    0x517b,
    0xff53_4d42,
    0xfe53_4d42,
    0x6573_5546,
    0x0102_1997,
    0x786f_4256,
    0xbacb_acbc,
    0x00c3_6400,
    0x5346_414f,
    0x7375_7245,
    0x0bd0_0bd0,
    0x0116_1970,
    0x7461_636f,
];
