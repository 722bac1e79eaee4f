//! Examines one entry: whether it is reported, what it is, and which folder has to be walked because of it.

use super::ScanEntry;
use super::ScanError;
use super::folder::{Folder, NameBuffer, read_link, stat_target};
use super::path::stored_path;
use super::queue::lock;
use super::rules::{IgnoreRules, RuleSubject};
use super::task::{FolderTask, PendingLink, TaskTarget, Walker};
use pensieve_isolate::platform::{Errno, FileStat, name_from_bytes, path_bytes, path_from_bytes};
use pensieve_text::model::FileType;
use std::borrow::Cow;
use std::ffi::CStr;
use std::sync::Arc;

/// The facts about a folder that are needed to examine its entries.
pub(super) struct FolderVisit<'t> {
    folder: &'t Arc<Folder>,
    rules: &'t Arc<IgnoreRules>,
    depth: usize,
    identity: (u64, u64),
    included: bool,
    wished: bool,
    /// The path of the current entry, after the prefix of the folder.
    path: Vec<u8>,
    /// The folders to be walked next.
    pub found: Vec<FolderTask>,
    /// A problem with an entry was reported. It is reported once per folder, because the cause is that the folder may
    /// not be searched.
    has_problem: bool,
}

impl<'t> FolderVisit<'t> {
    /// A visit of all entries of a folder, with the rules inside it.
    pub fn new(folder: &'t Arc<Folder>, rules: &'t Arc<IgnoreRules>, task: &FolderTask) -> FolderVisit<'t> {
        FolderVisit {
            folder,
            rules,
            depth: task.depth,
            identity: task.identity,
            included: task.included,
            wished: task.wished,
            path: folder.prefix().to_vec(),
            found: Vec::new(),
            has_problem: false,
        }
    }

    /// A visit of some of the entries, as a task of its own.
    pub fn batch(&self, names: NameBuffer) -> FolderTask {
        FolderTask {
            at: TaskTarget::Batch(Arc::clone(self.folder), names),
            depth: self.depth,
            identity: self.identity,
            rules: Arc::clone(self.rules),
            included: self.included,
            wished: self.wished,
        }
    }
}

impl Walker<'_> {
    /// Examines every entry of a folder, or of a batch of it.
    pub(super) fn examine(&self, names: &NameBuffer, visit: &mut FolderVisit<'_>) -> Result<(), ScanError> {
        let left_out = self.left_out.iter().filter(|left_out| left_out.folder == visit.identity);
        let left_out: Vec<Cow<'_, [u8]>> = left_out.map(|left_out| path_bytes(&left_out.name)).collect();
        for (name, listed) in names.iter() {
            if (self.stop)() {
                return Err(ScanError::Stopped);
            }
            if left_out.iter().any(|left_out| **left_out == *name.to_bytes()) {
                continue;
            }
            match self.examine_entry(name, listed, visit) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) if !visit.has_problem || is_exhausted(error) => {
                    visit.has_problem = true;
                    self.report(visit.folder.prefix(), error, "entries of the folder cannot be looked at")?;
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn examine_entry(
        &self,
        name: &CStr,
        listed: Option<FileType>,
        visit: &mut FolderVisit<'_>,
    ) -> Result<(), Errno> {
        if is_hidden(name) && !self.options.hidden {
            return Ok(());
        }
        visit.path.truncate(visit.folder.prefix().len());
        visit.path.extend_from_slice(name.to_bytes());
        let mut known = None;
        let file_type = match listed {
            Some(file_type) => file_type,
            None => known.insert(visit.folder.stat_entry(name)?).0,
        };
        let target = self.target(name, file_type, visit.folder);
        let is_folder = target.as_ref().map_or(file_type, |(file_type, _)| *file_type) == FileType::Folder;
        if self.is_left_out(name, is_folder, visit) {
            return Ok(());
        }
        let (file_type, stat) = match known {
            Some(known) => known,
            None => visit.folder.stat_entry(name)?,
        };
        let included = visit.included || self.is_included(&visit.path, is_folder);
        if !included && !is_folder {
            return Ok(());
        }
        let mut entry = self.entry(name, (file_type, stat), visit)?;
        entry.is_wished = visit.wished || visit.rules.is_wished(RuleSubject { path: &visit.path, is_folder });
        self.report_entry(entry, target, included, visit);
        Ok(())
    }

    /// The target of a symlink, if it is to be followed and is a file or folder.
    fn target(&self, name: &CStr, file_type: FileType, folder: &Folder) -> Option<(FileType, FileStat)> {
        let is_followed = self.options.follow_symlinks && file_type == FileType::Symlink;
        let target = is_followed.then(|| stat_target(folder, name).ok()).flatten();
        target.filter(|(file_type, _)| matches!(file_type, FileType::File | FileType::Folder))
    }

    fn is_left_out(&self, name: &CStr, is_folder: bool, visit: &FolderVisit<'_>) -> bool {
        let subject = RuleSubject { path: &visit.path, is_folder };
        if is_version_control(name.to_bytes(), is_folder) || self.exclude.verdict(subject) == Some(true) {
            return true;
        }
        visit.rules.verdict(subject) == Some(true)
            || !self.is_asked_for(subject, visit.rules) && self.tool_folders.leaves_out(subject, visit.folder)
    }

    /// True if rules of the user decide about the entry, so that it is read even if it is a tool's.
    fn is_asked_for(&self, subject: RuleSubject<'_>, rules: &IgnoreRules) -> bool {
        rules.has_gits()
            || rules.brings_back(subject)
            || self.exclude.brings_back(subject)
            || self.include.verdict(subject) == Some(true)
    }

    fn is_included(&self, path: &[u8], is_folder: bool) -> bool {
        self.include.verdict(RuleSubject { path, is_folder }) == Some(true)
    }

    fn entry(
        &self,
        name: &CStr,
        found: (FileType, FileStat),
        visit: &FolderVisit<'_>,
    ) -> Result<ScanEntry, Errno> {
        let (file_type, stat) = found;
        let (path, path_bytes) = stored_path(&name_from_bytes(&visit.path));
        let symlink_target = match file_type {
            FileType::Symlink => {
                let target = read_link(visit.folder, name)?;
                Some(stored_path(&name_from_bytes(target.to_bytes())).0)
            }
            _ => None,
        };
        Ok(ScanEntry {
            relative: path_from_bytes(visit.path.clone()),
            path,
            path_bytes,
            file_type,
            stat,
            symlink_target,
            depth: visit.depth,
            hidden: is_hidden(name),
            is_wished: false,
        })
    }

    /// Reports an entry, and records the folder that has to be walked because of it.
    fn report_entry(
        &self,
        mut entry: ScanEntry,
        target: Option<(FileType, FileStat)>,
        included: bool,
        visit: &mut FolderVisit<'_>,
    ) {
        let rules = || Arc::clone(visit.rules);
        let place = || visit.folder.place(visit.path.clone());
        let wished = entry.is_wished;
        match target {
            Some((FileType::Folder, stat)) => {
                let link_stat = std::mem::replace(&mut entry.stat, stat);
                let link = PendingLink { entry, link_stat, place: place(), rules: rules(), included, wished };
                lock(&self.links).insert(link.entry.relative.clone(), link);
                return;
            }
            Some((file_type, stat)) => (entry.file_type, entry.stat) = (file_type, stat),
            None => {}
        }
        let identity = entry.stat.identity();
        if entry.file_type == FileType::Folder && self.is_first_visit(identity) {
            let task = FolderTask {
                at: TaskTarget::Closed(place()),
                depth: visit.depth + 1,
                identity,
                rules: rules(),
                included,
                wished,
            };
            visit.found.push(task);
        }
        (self.each)(entry);
    }
}

fn is_hidden(name: &CStr) -> bool {
    name.to_bytes().starts_with(b".")
}

/// True for the folders of version control systems, which are never entered or reported. The `.git` file of a
/// worktree or submodule is not a document either.
pub(super) fn is_version_control(name: &[u8], is_folder: bool) -> bool {
    name == b".git" || (is_folder && matches!(name, b".hg" | b".svn" | b".jj"))
}

/// True if the process itself cannot continue; other errors concern one entry.
pub(super) fn is_exhausted(error: Errno) -> bool {
    matches!(error, Errno::MFILE | Errno::NFILE | Errno::NOMEM)
}
