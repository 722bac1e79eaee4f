//! [`Watcher`]: waits until something below a folder has changed.

use super::debounce::Debouncer;
use super::inotify::{FolderWatches, is_remote};
use super::own_files::OwnFiles;
use crate::ingest::{IngestSettings, own_files};
use pensieve_isolate::platform::{Errno, stat_at_path};
use pensieve_store::scan::{self, ScanEntry, ScanError};
use pensieve_text::model::FileType;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A run begins when nothing has changed for this long: programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// Changes that never end do not delay a run further than this.
const LONGEST_DELAY: Duration = Duration::from_secs(2);
/// How often a request to stop and the identity of the folder are looked at.
const TICK: Duration = Duration::from_millis(200);
/// The shortest time between two looks at a folder that is polled, and between two attempts.
const SHORTEST_PAUSE: Duration = Duration::from_secs(2);
/// A look at a folder that is polled may take a tenth of the time.
const PAUSE_PER_LOOK: u32 = 9;

/// How a folder is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchState {
    /// The system reports changes in this many folders.
    Events {
        /// Folders that a scan enters.
        folders: usize,
    },
    /// The folder is looked at again and again.
    Polling {
        /// Why events are not enough; `None` if the user wants it so.
        reason: Option<&'static str>,
    },
}

/// Watches a folder for one run after the other.
#[derive(Debug)]
pub struct Watcher<'s> {
    settings: &'s IngestSettings,
    /// The time between two looks, if the user has given one.
    interval: Option<Duration>,
    watches: Option<FolderWatches>,
    own: OwnFiles,
    debouncer: Debouncer,
    /// Folders may have to be watched that are not.
    is_outdated: bool,
    /// Device and inode of the folder when its watches were made.
    identity: Option<(u64, u64)>,
    state: WatchState,
    /// When the folder is looked at although no event came.
    next_look: Option<Instant>,
}

impl<'s> Watcher<'s> {
    /// Begins to watch the root of these settings; with an interval it is polled. What changes from now on is noticed, so
    /// that the first run comes after this.
    pub fn new(settings: &'s IngestSettings, interval: Option<Duration>) -> Watcher<'s> {
        let mut watcher = Watcher {
            settings,
            interval,
            watches: None,
            own: OwnFiles::default(),
            debouncer: Debouncer::new(QUIET, LONGEST_DELAY),
            is_outdated: true,
            identity: None,
            state: WatchState::Polling { reason: None },
            next_look: None,
        };
        if interval.is_none() {
            watcher.watches = FolderWatches::new().ok();
            watcher.state = WatchState::Polling { reason: Some("this system reports no changes") };
        }
        watcher.renew();
        watcher
    }

    /// How the folder is watched at the moment.
    pub fn state(&self) -> &WatchState {
        &self.state
    }

    /// Says how long the last look at the folder took, and whether it has to be repeated without a new event.
    pub fn looked(&mut self, took: Duration, again: bool) {
        let pause = match (&self.state, self.interval) {
            (_, Some(interval)) => Some(interval),
            (WatchState::Events { .. }, None) if !again => None,
            _ => Some(SHORTEST_PAUSE.max(took * PAUSE_PER_LOOK)),
        };
        self.next_look = pause.map(|pause| Instant::now() + pause);
    }

    /// Waits until a run is due; false if `stop` returned true before. It is called several times a second.
    pub fn wait(&mut self, stop: &dyn Fn() -> bool) -> bool {
        loop {
            if stop() {
                return false;
            }
            self.note_events();
            let now = Instant::now();
            let is_time = self.next_look.is_some_and(|next| next <= now);
            if self.debouncer.take(now) || is_time {
                self.renew();
                return true;
            }
            self.sleep(now);
        }
    }

    /// Notes what has changed since the last call.
    fn note_events(&mut self) {
        let Some(watches) = &self.watches else { return };
        let mut events = watches.read(&self.own);
        let identity = identity_of(&self.settings.root);
        if identity != self.identity && identity.is_some() {
            // It was replaced, or it is there again.
            events.changed = true;
            self.is_outdated = true;
            self.identity = identity;
        }
        self.is_outdated |= events.other_folders;
        if events.changed {
            self.debouncer.note(Instant::now());
        }
    }

    fn sleep(&self, now: Instant) {
        let until = [self.debouncer.due(), self.next_look];
        let nearest = until.into_iter().flatten().map(|due| due.saturating_duration_since(now)).min();
        let longest = nearest.unwrap_or(TICK).min(TICK);
        match &self.watches {
            Some(watches) => watches.wait(longest),
            None => std::thread::sleep(longest),
        }
    }

    /// Watches every folder that a scan enters now. A folder is watched before its entries are listed, and the scan of a
    /// run comes later: what changes between is an event, or in that scan.
    fn renew(&mut self) {
        let Some(watches) = self.watches.as_ref().filter(|_| self.is_outdated) else { return };
        self.is_outdated = false;
        self.identity = identity_of(&self.settings.root);
        self.own = OwnFiles::of(&own_files(&self.settings.database));
        let renewal =
            Renewal { watches, own: &self.own, failure: Mutex::default(), devices: Mutex::default() };
        // A folder that is not there is found by its identity when it is there again.
        let _ = renewal.walk(self.settings);
        let folders = watches.drop_others();
        let failure = renewal.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.state = match failure {
            Some(reason) => WatchState::Polling { reason: Some(reason) },
            None => WatchState::Events { folders },
        };
    }
}

/// One walk that watches what it finds.
struct Renewal<'w> {
    watches: &'w FolderWatches,
    own: &'w OwnFiles,
    /// Why events are not enough.
    failure: Mutex<Option<&'static str>>,
    /// The file systems that were looked at.
    devices: Mutex<HashSet<u64>>,
}

impl Renewal<'_> {
    fn walk(&self, settings: &IngestSettings) -> Result<(), ScanError> {
        let root = &settings.root;
        if let Some(identity) = identity_of(root) {
            self.watch(root, identity);
        }
        if settings.scan.follow_symlinks {
            self.fail("symlinks lead to files that are not watched");
        }
        let own = own_files(&settings.database);
        let each = |entry: ScanEntry| {
            if entry.file_type == FileType::Folder {
                self.watch(&root.join(&entry.relative), entry.stat.identity());
            }
        };
        scan::walk(root, &settings.scan, &own, &each, &|_, _| {}, &|| false).map(drop)
    }

    fn watch(&self, folder: &Path, identity: (u64, u64)) {
        if lock(&self.devices).insert(identity.0) && is_remote(folder) {
            self.fail("it is in a file system that others change");
        }
        match self.watches.add(folder, self.own.has_folder(identity)) {
            Err(Errno::NOSPC) => self.fail("the system allows no more watches (fs.inotify.max_user_watches)"),
            Err(Errno::NAMETOOLONG | Errno::NOMEM) => self.fail("some folders cannot be watched"),
            // It cannot be read either, or is gone: an event of the folder above tells when that changes.
            Ok(()) | Err(_) => {}
        }
    }

    fn fail(&self, reason: &'static str) {
        lock(&self.failure).get_or_insert(reason);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn identity_of(folder: &Path) -> Option<(u64, u64)> {
    if !folder.is_dir() {
        return None;
    }
    stat_at_path(folder).ok().map(|found| found.identity())
}
