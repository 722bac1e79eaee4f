//! The parallel walk.
//!
//! The threads share a stack of folders. Each takes the folder that was found last, so that the stack stays small,
//! lists it, examines every entry once, and pushes the folders that it finds. A folder with very many entries is
//! shared among idle threads in batches. Nothing recurses, so that the depth of the tree is not limited by the call
//! stack.
//!
//! If symlinks are followed, the real tree is walked first and the targets of links afterwards, one link at a time in
//! path order: a folder that several paths lead to is then reported under the same path in every run.

use super::folder::{Folder, NameBuffer};
use super::look::{FolderVisit, is_exhausted};
use super::path::stored_path;
use super::queue::{WorkQueue, lock};
use super::rules::{IgnoreRuleList, IgnoreRules};
use super::task::{ExcludedFile, FolderTask, PendingLink, TaskTarget, Walker};
use super::tool_folders::{ToolFolderCounts, ToolFolders};
use super::{ScanEntry, ScanError, ScanOptions};
use pensieve_isolate::files::problem;
use pensieve_isolate::platform::{Errno, name_from_bytes};
use pensieve_text::model::{FileType, Problem, ProblemKind};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Entries that one thread examines before it checks whether another one is idle.
const BATCH_ENTRIES: usize = 512;

/// Visits every entry below `root` that the options and the ignore rules let through, in no particular order and on
/// several threads. `left_out` are files that are never reported, whether they exist yet or not. `on_problem` receives
/// what could not be read: after a problem with a folder nothing is known about what lies below it. `stop` is called
/// repeatedly. Returns how many folders of tools were left out.
///
/// # Errors
/// Only if no tree can be reported: `root` is no readable folder, the process ran out of descriptors or memory, or the
/// caller stopped the walk. What was reported before an error is not the whole tree.
pub fn walk(
    root: &Path,
    options: &ScanOptions,
    left_out: &[PathBuf],
    each: &(dyn Fn(ScanEntry) + Sync),
    on_problem: &(dyn Fn(String, Problem) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<ToolFolderCounts, ScanError> {
    let folder = open_root(root)?;
    let identity = folder.identity().map_err(|error| ScanError::unopened(root, error.into()))?;
    let walker = Walker {
        options,
        include: IgnoreRuleList::of_setting("[scan] include", &options.include),
        exclude: IgnoreRuleList::of_setting("[scan] exclude", &options.exclude),
        tool_folders: ToolFolders::new(&options.tool_folders),
        left_out: left_out.iter().filter_map(|path| ExcludedFile::of(path)).collect(),
        each,
        on_problem,
        stop,
        links: Mutex::default(),
        visited: Mutex::default(),
    };
    let included = options.include.is_empty();
    let rules = Arc::default();
    walker.is_first_visit(identity);
    let top = FolderTask { at: TaskTarget::Open(folder), depth: 1, identity, rules, included, wished: false };
    walker.run(top)?;
    while let Some((_, link)) = walker.next_link() {
        if let Some(task) = walker.follow(link) {
            walker.run(task)?;
        }
    }
    Ok(walker.tool_folders.counts())
}

pub(super) fn open_root(root: &Path) -> Result<Arc<Folder>, ScanError> {
    let folder = Folder::root(root).map_err(|error| ScanError::unopened(root, error.into()))?;
    match folder.synthetic_file_system() {
        Some(name) => Err(ScanError::Synthetic { path: root.to_owned(), name }),
        None => Ok(folder),
    }
}

impl Walker<'_> {
    /// Walks the tree of one task, on every thread.
    fn run(&self, task: FolderTask) -> Result<(), ScanError> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.options.threads == 0 { cores() } else { self.options.threads };
        let queue = WorkQueue::new(task);
        std::thread::scope(|scope| {
            let start = |number: usize| {
                let named = std::thread::Builder::new().name(format!("scan-{number}"));
                named.spawn_scoped(scope, || self.work(&queue)).is_ok()
            };
            // Fewer threads walk the same tree, so that a failure to start one is ignored.
            if (0..threads).filter(|number| start(*number)).count() == 0 {
                self.work(&queue);
            }
        });
        queue.finish()
    }

    fn work(&self, queue: &WorkQueue<FolderTask>) {
        while let Some((task, _working)) = queue.take() {
            let done = if (self.stop)() { Err(ScanError::Stopped) } else { self.handle(task, queue) };
            if let Err(error) = done {
                queue.end(error);
            }
        }
    }

    fn handle(&self, task: FolderTask, queue: &WorkQueue<FolderTask>) -> Result<(), ScanError> {
        match &task.at {
            TaskTarget::Open(folder) => self.list(folder, &task, queue),
            TaskTarget::Closed(place) => match place.open() {
                Ok(folder) => self.list(&folder, &task, queue),
                Err(error) => self.report(&place.path, error, "the folder cannot be read"),
            },
            TaskTarget::Batch(folder, names) => {
                let mut visit = FolderVisit::new(folder, &task.rules, &task);
                self.examine(names, &mut visit)?;
                queue.push(visit.found);
                Ok(())
            }
        }
    }

    /// Lists a folder and examines its entries, batch by batch during the listing.
    fn list(
        &self,
        folder: &Arc<Folder>,
        task: &FolderTask,
        queue: &WorkQueue<FolderTask>,
    ) -> Result<(), ScanError> {
        if let Some(name) = folder.synthetic_file_system() {
            let message =
                format!("left out: the file system {name} describes the running system and has no documents");
            self.add_problem(folder.prefix(), Problem::new(ProblemKind::Io, message));
            return Ok(());
        }
        if let Some(listed) = &self.options.listed {
            return self.list_named(&listed.names_in(folder.prefix()), folder, task, queue);
        }
        let mut names = NameBuffer::default();
        let mut rules: Option<Arc<IgnoreRules>> = None;
        let mut failed = None;
        let listed = folder.read_names(&mut |name, file_type| {
            if failed.is_none() && names.len() == BATCH_ENTRIES {
                let rules = rules.get_or_insert_with(|| self.rules_inside(folder, task, None));
                failed = self.share(FolderVisit::new(folder, rules, task), &mut names, queue).err();
            }
            names.push(name, file_type);
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if let Err(error) = listed {
            self.report(folder.prefix(), error, "the folder cannot be listed")?;
        }
        let rules = rules.unwrap_or_else(|| self.rules_inside(folder, task, Some(&names)));
        let mut visit = FolderVisit::new(folder, &rules, task);
        self.examine(&names, &mut visit)?;
        queue.push(visit.found);
        Ok(())
    }

    /// Examines entries of a folder by their names, without listing it.
    fn list_named(
        &self,
        listed: &[CString],
        folder: &Arc<Folder>,
        task: &FolderTask,
        queue: &WorkQueue<FolderTask>,
    ) -> Result<(), ScanError> {
        let rules = self.rules_inside(folder, task, None);
        for some in listed.chunks(BATCH_ENTRIES) {
            let mut names = NameBuffer::default();
            some.iter().for_each(|name| names.push(name, None));
            self.share(FolderVisit::new(folder, &rules, task), &mut names, queue)?;
        }
        Ok(())
    }

    fn rules_inside(
        &self,
        folder: &Folder,
        task: &FolderTask,
        names: Option<&NameBuffer>,
    ) -> Arc<IgnoreRules> {
        if !self.options.ignore_files {
            return Arc::clone(&task.rules);
        }
        let inside = task.rules.enter(folder, names, &mut |path, problem| (self.on_problem)(path, problem));
        inside.map_or_else(|| Arc::clone(&task.rules), Arc::new)
    }

    /// Passes a full batch to an idle thread, or examines it in this thread if none is idle.
    fn share(
        &self,
        mut visit: FolderVisit<'_>,
        names: &mut NameBuffer,
        queue: &WorkQueue<FolderTask>,
    ) -> Result<(), ScanError> {
        if (self.stop)() {
            return Err(ScanError::Stopped);
        }
        if queue.has_idle() {
            queue.push(vec![visit.batch(std::mem::take(names))]);
            return Ok(());
        }
        self.examine(names, &mut visit)?;
        names.clear();
        queue.push(visit.found);
        Ok(())
    }

    /// True at the first call for each folder, and always where no folder can be reached without end.
    pub fn is_first_visit(&self, identity: (u64, u64)) -> bool {
        let is_bounded = !self.options.follow_symlinks || self.options.listed.is_some();
        is_bounded || lock(&self.visited).insert(identity)
    }

    fn next_link(&self) -> Option<(PathBuf, PendingLink)> {
        lock(&self.links).pop_first()
    }

    /// Reports a link to a folder as that folder, or as a link if the folder was visited by another path.
    fn follow(&self, link: PendingLink) -> Option<FolderTask> {
        let PendingLink { mut entry, link_stat, place, rules, included, wished } = link;
        let identity = entry.stat.identity();
        let depth = entry.depth + 1;
        let is_wanted = match &self.options.listed {
            Some(listed) => listed.enters(&place.path),
            None => self.is_first_visit(identity),
        };
        let folder = if is_wanted { place.follow().ok() } else { None };
        // The link may lead elsewhere by now.
        let folder = folder.filter(|folder| folder.identity() == Ok(identity));
        match folder {
            Some(_) => entry.file_type = FileType::Folder,
            None => entry.stat = link_stat,
        }
        (self.each)(entry);
        let at = |folder| TaskTarget::Open(folder);
        folder.map(|folder| FolderTask { at: at(folder), depth, identity, rules, included, wished })
    }

    /// Reports a failed call as a problem of its folder, unless the process itself cannot continue.
    pub fn report(&self, path: &[u8], error: Errno, what: &str) -> Result<(), ScanError> {
        if is_exhausted(error) {
            return Err(ScanError::Exhausted { path: folder_path(path), source: error.into() });
        }
        self.add_problem(path, problem(error, what));
        Ok(())
    }

    fn add_problem(&self, path: &[u8], problem: Problem) {
        (self.on_problem)(folder_path(path), problem);
    }
}

/// The stored form of a folder's path, which may have a slash at the end.
fn folder_path(path: &[u8]) -> String {
    stored_path(&name_from_bytes(path.strip_suffix(b"/").unwrap_or(path))).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_isolate::files::identify;
    use rustix::fs::{CWD, Mode};
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    /// Creates a tree: a name with a slash at the end is a folder, `name -> target` a link, else a file that contains
    /// its own name.
    fn tree(entries: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for entry in entries {
            let (name, target) =
                entry.split_once(" -> ").map_or((*entry, None), |(name, to)| (name, Some(to)));
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            match target {
                Some(target) => symlink(target, path).expect("a link"),
                None if name.ends_with('/') => fs::create_dir_all(path).expect("a folder"),
                None => fs::write(path, name).expect("a file"),
            }
        }
        folder
    }

    fn entries(root: &Path, options: &ScanOptions, left_out: &[PathBuf]) -> Vec<ScanEntry> {
        let found = Mutex::new(Vec::new());
        let on_problem = |path, problem| panic!("problem of {path}: {problem:?}");
        walk(root, options, left_out, &|entry| lock(&found).push(entry), &on_problem, &|| false)
            .expect("a walk");
        let mut found = found.into_inner().expect("no panic");
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    fn paths(root: &Path, options: &ScanOptions, left_out: &[PathBuf]) -> Vec<String> {
        entries(root, options, left_out).into_iter().map(|entry| entry.path).collect()
    }

    fn check(files: &[&str], options: &ScanOptions, expected: &[&str]) {
        let folder = tree(files);
        assert_eq!(paths(folder.path(), options, &[]), expected);
    }

    fn write(folder: &tempfile::TempDir, name: &str, content: &str) {
        fs::write(folder.path().join(name), content).expect("a file");
    }

    #[test]
    fn every_entry_is_reported_as_what_it_is() {
        let folder = tree(&["a.txt", "d/.h", "empty/", "link -> a.txt", "gone -> nowhere", "loop -> ."]);
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(CWD, folder.path().join("fifo"), fifo, Mode::from_raw_mode(0o600), 0)
            .expect("a fifo");
        let found = entries(folder.path(), &ScanOptions::default(), &[]);
        let short = |entry: &ScanEntry| {
            (entry.path.clone(), entry.file_type, entry.depth, entry.symlink_target.clone())
        };
        let found: Vec<_> = found.iter().map(short).collect();
        let row = |path: &str, file_type, depth, target: Option<&str>| {
            (path.to_owned(), file_type, depth, target.map(str::to_owned))
        };
        let expected = [
            row("a.txt", FileType::File, 1, None),
            row("d", FileType::Folder, 1, None),
            row("d/.h", FileType::File, 2, None),
            row("empty", FileType::Folder, 1, None),
            row("fifo", FileType::Special, 1, None),
            row("gone", FileType::Symlink, 1, Some("nowhere")),
            row("link", FileType::Symlink, 1, Some("a.txt")),
            row("loop", FileType::Symlink, 1, Some(".")),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn ignore_files_rank_by_kind_then_by_depth() {
        let folder = tree(&[
            "a.1",
            "a.2",
            "a.3",
            "a.4",
            "d/a.1",
            "d/a.2",
            "d/b.1",
            "out/x",
            ".git/info/x",
            "d/.git/x",
        ]);
        write(&folder, ".git/info/exclude", "*.4\n*.3\n");
        write(&folder, ".gitignore", "!*.3\n*.2\nout/\nb.1\n");
        write(&folder, ".ignore", "!*.2\n*.1\n");
        write(&folder, ".pensieveignore", "!a.1\n");
        write(&folder, "d/.gitignore", "a.2\n");
        let found = paths(folder.path(), &ScanOptions::default(), &[]);
        let files = [".gitignore", ".ignore", ".pensieveignore"];
        let expected = [&files[..], &["a.1", "a.2", "a.3", "d", "d/.gitignore", "d/a.1", "d/a.2"]].concat();
        assert_eq!(found, expected);
        let all = ScanOptions { ignore_files: false, ..ScanOptions::default() };
        assert_eq!(paths(folder.path(), &all, &[]).len(), files.len() + 11);
    }

    #[test]
    fn settings_choose_entries() {
        let files = ["a.rs", "b.txt", "docs/c.txt", "docs/d/e.rs", ".h/f.rs", "x.rs/g"];
        let options = ScanOptions::default();
        let chosen = |include: &[&str], exclude: &[&str]| ScanOptions {
            include: include.iter().map(|glob| glob.to_string()).collect(),
            exclude: exclude.iter().map(|glob| glob.to_string()).collect(),
            ..ScanOptions::default()
        };
        check(
            &files[..3],
            &ScanOptions { hidden: false, ..options },
            &["a.rs", "b.txt", "docs", "docs/c.txt"],
        );
        check(&files[..4], &chosen(&["/docs/"], &["*.rs"]), &["docs", "docs/c.txt", "docs/d"]);
        let sources = [".h", ".h/f.rs", "a.rs", "docs", "docs/d", "docs/d/e.rs", "x.rs", "x.rs/g"];
        check(&files, &chosen(&["*.rs"], &[]), &sources);
        check(&files, &chosen(&[], &["*", "!b.txt"]), &["b.txt"]);
    }

    #[test]
    fn files_of_version_control_and_of_pensieve_are_left_out() {
        let folder = tree(&["d/.git/x", "w/.git", ".hg/x", ".svn/x", ".jj/x", "db/c.db", "db/d", "in -> db"]);
        let left_out = [folder.path().join("in/c.db"), folder.path().join("db/c.db-wal")];
        let options = ScanOptions::default();
        assert_eq!(paths(folder.path(), &options, &left_out), ["d", "db", "db/d", "in", "w"]);
        write(&folder, "db/c.db-wal", "");
        assert_eq!(paths(folder.path(), &options, &left_out), ["d", "db", "db/d", "in", "w"]);
    }

    #[test]
    fn followed_links_give_one_path_to_each_folder() {
        let files =
            ["real/f", "real/up -> ..", "a -> real", "b -> ../other", "c -> b", "f -> real/f", "x -> x"];
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inner = tree(&files);
        let root = folder.path().join("root");
        fs::rename(inner.path(), &root).expect("a move");
        fs::create_dir(folder.path().join("other")).expect("a folder");
        fs::write(folder.path().join("other/g"), "g").expect("a file");
        symlink("../root", folder.path().join("other/back")).expect("a link");
        for threads in [1, 4] {
            let options = ScanOptions { follow_symlinks: true, threads, ..ScanOptions::default() };
            let found = entries(&root, &options, &[]);
            let short = |entry: &ScanEntry| format!("{} {}", entry.path, entry.file_type);
            let found: Vec<_> = found.iter().map(short).collect();
            let expected = ["a symlink", "b folder", "b/back symlink", "b/g file", "c symlink", "f file"];
            let rest = ["real folder", "real/f file", "real/up symlink", "x symlink"];
            assert_eq!(found, [&expected[..], &rest].concat());
        }
        let followed = entries(&root, &ScanOptions { follow_symlinks: true, ..ScanOptions::default() }, &[]);
        let link = followed.iter().find(|entry| entry.path == "f").expect("the link");
        assert_eq!(identify(&root.join("f"), &link.stat).map(|found| found.head), Ok(b"real/f".to_vec()));
    }

    #[test]
    fn folders_deeper_than_any_path_are_walked_and_their_files_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let name = "y".repeat(200);
        let mut at =
            rustix::fs::open(folder.path(), rustix::fs::OFlags::RDONLY, Mode::empty()).expect("open");
        for _ in 0..30 {
            rustix::fs::mkdirat(&at, &name, Mode::RWXU).expect("a folder");
            at = rustix::fs::openat(&at, &name, rustix::fs::OFlags::RDONLY, Mode::empty()).expect("open");
        }
        let flags = rustix::fs::OFlags::CREATE | rustix::fs::OFlags::WRONLY;
        let file = rustix::fs::openat(&at, "deep", flags, Mode::RUSR).expect("a file");
        rustix::io::write(&file, b"words").expect("write");
        let found = entries(folder.path(), &ScanOptions::default(), &[]);
        let deepest = found.iter().max_by_key(|entry| entry.depth).expect("entries");
        assert_eq!((found.len(), deepest.depth, deepest.file_type), (31, 31, FileType::File));
        let read = identify(&folder.path().join(&deepest.relative), &deepest.stat);
        assert_eq!(read.map(|found| found.head), Ok(b"words".to_vec()));
    }

    #[test]
    fn a_wide_folder_is_shared_and_each_entry_seen_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for number in 0..3000 {
            fs::write(folder.path().join(format!("{number:04}")), "").expect("a file");
        }
        write(&folder, ".ignore", "*7\n");
        let expected: Vec<_> =
            (0..3000).filter(|number| number % 10 != 7).map(|number| format!("{number:04}")).collect();
        for threads in [1, 4] {
            let options = ScanOptions { threads, ..ScanOptions::default() };
            assert_eq!(paths(folder.path(), &options, &[])[1..], expected);
        }
    }

    #[test]
    fn names_are_bytes() {
        let folder = tree(&["new\nline", "-rf"]);
        let name = OsStr::from_bytes(b"caf\xe9");
        fs::write(folder.path().join(name), "").expect("a file");
        let found = entries(folder.path(), &ScanOptions::default(), &[]);
        assert_eq!(
            found.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(),
            ["-rf", "caf\\xe9", "new\nline"]
        );
        assert_eq!(found[1].relative.as_os_str(), name);
        assert_eq!(found[1].path_bytes.as_deref(), Some(name.as_bytes()));
    }

    #[test]
    fn without_a_tree_there_is_an_error() {
        let folder = tree(&["file", "d/e"]);
        let go = |name: &str, stop: bool| {
            walk(&folder.path().join(name), &ScanOptions::default(), &[], &|_| {}, &|_, _| {}, &|| stop)
        };
        assert!(matches!(go("gone", false), Err(ScanError::Missing { .. })));
        assert!(matches!(go("file", false), Err(ScanError::NotAFolder { .. })));
        assert!(matches!(go("d", true), Err(ScanError::Stopped)));
        assert!(go("d", false).is_ok());
    }

    #[test]
    fn an_unreadable_folder_is_a_problem_and_the_walk_continues() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tree(&["shut/in", "other"]);
        let shut = folder.path().join("shut");
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).expect("permissions");
        let found = Mutex::new(Vec::new());
        let problems = Mutex::new(Vec::new());
        let on_problem = |path, problem: Problem| lock(&problems).push((path, problem.kind));
        let each = |entry: ScanEntry| lock(&found).push(entry.path);
        let walked = walk(folder.path(), &ScanOptions::default(), &[], &each, &on_problem, &|| false);
        let is_readable = fs::read_dir(&shut).is_ok();
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).expect("permissions");
        assert!(walked.is_ok());
        // Root reads it all the same.
        let expected = [("shut".to_owned(), ProblemKind::Permissions)];
        assert_eq!(*lock(&problems), expected[usize::from(is_readable)..]);
        assert_eq!(lock(&found).len(), 2 + usize::from(is_readable));
    }
}
