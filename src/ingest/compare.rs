//! What the scan found, classified: new, changed, touched, renamed, deleted.

use super::contents::{FileContent, ScanResult, ScannedEntry, scan_tree};
use super::deletions::{UnreadFolders, is_mass};
use super::listed;
use super::recipes::StageRecipes;
use super::settings::{IngestError, IngestSettings};
use super::summary::{IngestSummary, PlanLine};
use pensieve_store::scan::{FileList, ToolFolderCounts};
use pensieve_store::store::{FileState, GroupSize, KnownFiles, Root, Store};
use pensieve_text::format::by_name;
use pensieve_text::model::{ContentHash, FileType, Observer, Problem, ProcessingStatus};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run would write into the table of contents, and what it would read.
pub(super) struct ScanPlan {
    pub started: (i64, u32),
    /// Entries without a row, in path order.
    pub new: Vec<ScannedEntry>,
    /// Files whose bytes differ from those of their row (or cannot be read), with that row.
    pub changed: Vec<(FileState, ScannedEntry)>,
    /// Files whose bytes are those of their row, but were left where they are, or read, and now are not: the user asks for
    /// their secrets, or does no longer.
    pub judged_anew: Vec<FileState>,
    /// Entries of which only the metadata differ.
    pub touched: Vec<(FileState, ScannedEntry)>,
    /// Files at a new path, with the row that they had at the old one.
    pub renamed: Vec<(FileState, ScannedEntry)>,
    /// Rows whose entry is gone or has another file type now.
    pub deleted: Vec<FileState>,
    /// Problems with paths that have no row.
    pub problems: Vec<(String, Problem)>,
    /// True if the user stopped the scan: nothing counts as deleted or renamed.
    pub is_stopped: bool,
    /// Files that the database has.
    known: u64,
    /// Files below folders that could not be read; their content is kept.
    kept: u64,
    /// Those that are to be marked as such, and marked files that were found again, by their rows.
    pub unreachable: Vec<i64>,
    pub reachable: Vec<i64>,
    unchanged: u64,
    retried: u64,
    bytes_hashed: u64,
    /// Names of the list that were not read.
    list_faults: u64,
    /// Folders of tools that were left out.
    tool_folders: ToolFolderCounts,
}

/// Scans the tree and compares it with the database.
pub(super) fn plan(
    settings: &IngestSettings,
    place: &Path,
    store: Option<&Store>,
    root: Option<&Root>,
    recipes: &StageRecipes<'_>,
    observer: &dyn Observer,
) -> Result<ScanPlan, IngestError> {
    let (scan, known) = scan_tree(settings, place, store, root, recipes, observer)?;
    let list = settings.list.as_ref();
    let list_faults = match list.filter(|_| !scan.is_stopped) {
        Some(list) => listed::report_faults(list, &scan, &known, settings, place, observer),
        None => 0,
    };
    Ok(ScanPlan { list_faults, ..compare(scan, known, store, list)? })
}

/// Classifies what was found. Renames are paired in path order.
fn compare(
    scan: ScanResult,
    known: KnownFiles,
    store: Option<&Store>,
    list: Option<&FileList>,
) -> Result<ScanPlan, IngestError> {
    let mut plan = ScanPlan {
        started: scan.started,
        new: Vec::new(),
        changed: Vec::new(),
        judged_anew: Vec::new(),
        touched: Vec::new(),
        renamed: Vec::new(),
        deleted: Vec::new(),
        problems: scan.problems,
        is_stopped: scan.is_stopped,
        known: known.files().iter().filter(|row| row.file_type == FileType::File).count() as u64,
        kept: 0,
        unreachable: Vec::new(),
        reachable: Vec::new(),
        unchanged: scan.unchanged,
        retried: 0,
        bytes_hashed: scan.bytes_hashed,
        list_faults: 0,
        tool_folders: scan.tool_folders,
    };
    let row = |at: usize| -> Result<Option<FileState>, IngestError> {
        let Some(store) = store else { return Ok(None) };
        Ok(store.files().get(known.files()[at].file_id)?)
    };
    for found in scan.found {
        match found.known.map(&row).transpose()?.flatten() {
            None => plan.new.push(found),
            Some(old) => plan.place_known(old, found),
        }
    }
    if plan.is_stopped {
        plan.keep_possible_renames_out(&scan.seen, &known);
        return Ok(plan);
    }
    let mut unread = UnreadFolders::of(&plan.problems);
    let is_seen = |at: usize| scan.seen[at].load(Ordering::Relaxed);
    for (at, file) in known.files().iter().enumerate() {
        plan.reachable.extend((file.is_unreachable && is_seen(at)).then_some(file.file_id));
    }
    for at in looked_for(&known, list).filter(|at| !is_seen(*at)) {
        let is_marked = known.files()[at].is_unreachable;
        let Some(old) = row(at)? else { continue };
        if !unread.keep(&old) {
            plan.deleted.push(old);
        } else if !is_marked && old.status == Some(ProcessingStatus::Processed) {
            plan.unreachable.push(old.file_id);
        }
    }
    plan.kept = unread.kept();
    unread.describe(&mut plan.problems);
    plan.deleted.sort_by(|a, b| a.relative_path.as_bytes().cmp(b.relative_path.as_bytes()));
    plan.pair_renames();
    Ok(plan)
}

/// The known entries that the scan should have found: all of them, or those of the list.
fn looked_for<'k>(known: &'k KnownFiles, list: Option<&'k FileList>) -> Box<dyn Iterator<Item = usize> + 'k> {
    match list {
        None => Box::new(0..known.files().len()),
        Some(list) => {
            let rows: BTreeSet<usize> =
                list.stored().filter_map(|path| known.find(&path)).map(|(at, _)| at).collect();
            Box::new(rows.into_iter())
        }
    }
}

/// True when the row need not be written: the file was hashed only because it could have changed without a trace.
fn is_same_entry(old: &FileState, found: &ScannedEntry) -> bool {
    let stat = &found.entry.stat;
    (old.size, old.mtime, old.ctime, old.inode)
        == (stat.size, (stat.mtime_s, stat.mtime_ns), (stat.ctime_s, stat.ctime_ns), stat.inode)
}

/// True unless the same bytes were left where they are, or their secrets masked, and now are not, or the other way round.
fn keeps_secrets_alike(old: &FileState, content: &FileContent) -> bool {
    let is_withheld = |status: Option<ProcessingStatus>| status == Some(ProcessingStatus::SkippedSecret);
    let was_masked = old.format.as_deref().and_then(by_name).is_some_and(|format| format.is_masked);
    match &content.verdict {
        // Another file is read in its place.
        _ if !old.is_canonical => true,
        Ok(format) => !is_withheld(old.status) && (format.is_masked == was_masked || old.format.is_none()),
        Err(refusal) => is_withheld(old.status) == is_withheld(Some(refusal.status)),
    }
}

impl ScanPlan {
    fn place_known(&mut self, old: FileState, found: ScannedEntry) {
        if old.file_type != found.entry.file_type {
            self.deleted.push(old);
            self.new.push(found);
            return;
        }
        let Some(content) = &found.content else {
            return match found.problem {
                Some(_) => {
                    self.count_unreadable(&old, &found);
                    self.changed.push((old, found));
                }
                None => self.touched.push((old, found)),
            };
        };
        if old.hash == Some(content.hash) {
            self.unchanged += 1;
            if !keeps_secrets_alike(&old, content) {
                self.judged_anew.push(old.clone());
            }
            if !is_same_entry(&old, &found) {
                self.touched.push((old, found));
            }
        } else {
            self.count_unreadable(&old, &found);
            self.changed.push((old, found));
        }
    }

    /// A file that was or is unreadable may be unchanged: then it counts as retried, not as changed.
    fn count_unreadable(&mut self, old: &FileState, found: &ScannedEntry) {
        if is_tried_again(old, found) {
            self.unchanged += 1;
            self.retried += 1;
        }
    }

    /// Leaves out new files with the bytes of a known file that was not found: a whole scan may find that they are one
    /// file with another name.
    fn keep_possible_renames_out(&mut self, seen: &[AtomicBool], known: &KnownFiles) {
        let unseen = seen.iter().zip(known.files()).filter(|(seen, _)| !seen.load(Ordering::Relaxed));
        let sizes: HashSet<u64> = unseen.map(|(_, row)| row.size).collect();
        self.new.retain(|found| !sizes.contains(&found.entry.stat.size));
    }

    /// Refuses to delete all files of a root, or more than half of many.
    pub fn check_deletions(&self, settings: &IngestSettings, root: Option<&Root>) -> Result<(), IngestError> {
        let (deleted, known) = (self.gone().count() as u64, self.known);
        match root.filter(|_| is_mass(deleted, known) && !settings.allow_mass_deletion) {
            Some(root) => Err(IngestError::MassDeletion { root: root.path.clone(), deleted, known }),
            None => Ok(()),
        }
    }

    /// True if entries are not as the database has them. A file that could not be read before, and cannot be read now, is
    /// no change; nor is the time of a folder, which every file that comes and goes there sets, left out or not.
    pub fn has_changes(&self) -> bool {
        let fails_again =
            |(old, found): &(FileState, ScannedEntry)| found.problem.is_some() && is_tried_again(old, found);
        let is_folder = |(old, _): &(FileState, ScannedEntry)| old.file_type == FileType::Folder;
        let entries = !(self.renamed.is_empty() && self.touched.iter().all(is_folder));
        let rows = [&self.unreachable, &self.reachable].into_iter().any(|rows| !rows.is_empty());
        entries
            || rows
            || !self.judged_anew.is_empty()
            || !(self.new.is_empty() && self.deleted.is_empty())
            || !self.changed.iter().all(fails_again)
    }

    /// Files that no longer exist.
    fn gone(&self) -> impl Iterator<Item = &FileState> {
        self.deleted.iter().filter(|old| old.file_type == FileType::File)
    }

    fn pair_renames(&mut self) {
        let mut gone: HashMap<ContentHash, Vec<usize>> = HashMap::new();
        for (at, old) in self.deleted.iter().enumerate().rev() {
            if let Some(hash) = old.hash.filter(|_| old.file_type == FileType::File) {
                gone.entry(hash).or_default().push(at);
            }
        }
        let mut taken = HashSet::new();
        let mut pairs = Vec::new();
        for (at, found) in self.new.iter().enumerate() {
            let hash = found.content.as_ref().map(|content| content.hash);
            if let Some(old) = hash.and_then(|hash| gone.get_mut(&hash)?.pop()) {
                taken.insert(old);
                pairs.push((old, at));
            }
        }
        if pairs.is_empty() {
            return;
        }
        let mut old_rows: Vec<Option<FileState>> =
            std::mem::take(&mut self.deleted).into_iter().map(Some).collect();
        let mut new_rows: Vec<Option<ScannedEntry>> =
            std::mem::take(&mut self.new).into_iter().map(Some).collect();
        for (old, new) in pairs {
            if let (Some(old), Some(new)) = (old_rows[old].take(), new_rows[new].take()) {
                self.renamed.push((old, new));
            }
        }
        self.deleted = old_rows.into_iter().flatten().collect();
        self.new = new_rows.into_iter().flatten().collect();
    }

    /// The counts that are known after the scan.
    pub fn counts(&self) -> IngestSummary {
        let is_file = |found: &&ScannedEntry| found.entry.file_type == FileType::File;
        let changed = self.changed.iter().filter(|(old, found)| !is_tried_again(old, found));
        let mut summary = IngestSummary {
            new: self.new.iter().filter(is_file).count() as u64,
            changed: changed.count() as u64,
            unchanged: self.unchanged,
            renamed: self.renamed.len() as u64,
            deleted: self.gone().count() as u64,
            unreachable: self.kept,
            retried: self.retried,
            bytes_hashed: self.bytes_hashed,
            list_faults: self.list_faults,
            tool_folders: self.tool_folders.clone(),
            ..IngestSummary::default()
        };
        summary.files = summary.new + summary.changed + summary.unchanged + summary.renamed;
        summary
    }

    /// The counts that a dry run expects after a real run.
    pub fn expect(
        &self,
        store: Option<&Store>,
        root: Option<&Root>,
        summary: &mut IngestSummary,
    ) -> Result<(), IngestError> {
        let groups = self.groups(store, root)?;
        let expected = self.expected(store, root)?;
        let waits = |file: &&ExpectedFile| file.is_first && file.status == ProcessingStatus::Pending;
        summary.done.processed = expected.iter().filter(waits).count() as u64;
        let unreadable = self.coming().filter(|found| found.problem.is_some()).count() as u64;
        summary.unique = groups.values().filter(|group| group.here > 0 && !group.elsewhere).count() as u64;
        summary.duplicates =
            groups.values().map(|group| (group.here - i64::from(!group.elsewhere)).max(0) as u64).sum();
        summary.unique += unreadable;
        summary.done.errors = unreadable + self.problems.len() as u64;
        for problem in self.coming().filter_map(|found| found.problem.as_ref()) {
            *summary.done.errors_by_kind.entry(problem.kind.as_str().to_owned()).or_default() += 1;
        }
        let skipped_before = match store.zip(root) {
            Some((store, root)) => store.planning().totals(root.root_id)?.skipped,
            None => 0,
        };
        let is_skipped = |status: Option<ProcessingStatus>| status.is_some_and(ProcessingStatus::is_skipped);
        let is_counted = |old: &&FileState| old.file_type == FileType::File && is_skipped(old.status);
        let leaving = self.leaving().chain(self.renamed.iter().map(|(old, _)| old));
        let replaced = expected.iter().filter_map(|file| file.stored.as_ref());
        let gone = leaving.chain(replaced).filter(is_counted).count() as u64;
        let come = expected.iter().filter(|file| is_skipped(Some(file.status))).count() as u64;
        summary.skipped = skipped_before.saturating_sub(gone) + come;
        Ok(())
    }

    /// True if the database has no file of this root.
    pub fn is_first(&self) -> bool {
        self.known == 0
    }

    /// The content of the new files.
    pub fn new_hashes(&self) -> impl Iterator<Item = &ContentHash> {
        self.new.iter().filter_map(|found| found.content.as_ref()).map(|content| &content.hash)
    }

    /// Files that will have new bytes or a new row.
    fn coming(&self) -> impl Iterator<Item = &ScannedEntry> {
        self.new.iter().chain(self.changed.iter().map(|(_, found)| found))
    }

    /// The rows that change or go, whose content is not worked on otherwise.
    pub fn replaced(&self) -> HashSet<i64> {
        self.leaving().map(|old| old.file_id).collect()
    }

    /// Rows whose bytes will no longer count.
    fn leaving(&self) -> impl Iterator<Item = &FileState> {
        self.deleted.iter().chain(self.changed.iter().map(|(old, _)| old))
    }

    /// How many files of the root will have each content, and whether an older root has it too.
    fn groups(
        &self,
        store: Option<&Store>,
        root: Option<&Root>,
    ) -> Result<BTreeMap<ContentHash, GroupSize>, IngestError> {
        let root_id = root_id_of(root);
        let mut groups =
            store.map(|store| store.planning().group_sizes(root_id)).transpose()?.unwrap_or_default();
        for hash in self.leaving().filter_map(|old| old.hash) {
            groups.entry(hash).or_default().here -= 1;
        }
        for content in self.coming().filter_map(|found| found.content.as_ref()) {
            groups.entry(content.hash).or_default().here += 1;
        }
        Ok(groups)
    }

    /// The plan of a dry run as lines; unchanged files are listed only if they become duplicates.
    pub fn lines(&self, store: Option<&Store>, root: Option<&Root>) -> Result<Vec<PlanLine>, IngestError> {
        let expected = self.expected(store, root)?;
        let status: HashMap<&str, ProcessingStatus> =
            expected.iter().map(|file| (file.path.as_str(), file.status)).collect();
        let mut lines = Vec::new();
        let mut add = |what, path: &str| {
            let status = status.get(path).copied().filter(|_| what == "new" || what == "changed");
            lines.push(PlanLine { what, path: path.to_owned(), status });
        };
        for found in self.new.iter().filter(|found| found.entry.file_type == FileType::File) {
            add("new", &found.entry.path);
        }
        for (_, found) in self.changed.iter().filter(|(old, found)| !is_tried_again(old, found)) {
            add("changed", &found.entry.path);
        }
        for (_, found) in &self.renamed {
            add("renamed", &found.entry.path);
        }
        for old in self.gone() {
            add("deleted", &old.relative_path);
        }
        for path in self.new_duplicates(store, root)? {
            add("duplicate", &path);
        }
        Ok(lines)
    }

    /// The coming files, and those of the root with the same bytes, with the statuses that a run will give them, as far as a
    /// scan can know: `Pending` says that a reader must look at the file first. All files of a group have the status of the
    /// first.
    fn expected(&self, store: Option<&Store>, root: Option<&Root>) -> Result<Vec<ExpectedFile>, IngestError> {
        let root_id = root_id_of(root);
        // Rows of changed files are replaced after new files have taken over what these had.
        let replaced = self.changed.iter().map(|(old, _)| old).filter(|old| old.is_canonical);
        let replaced: HashMap<ContentHash, &FileState> =
            replaced.filter_map(|old| Some((old.hash?, old))).collect();
        let mut expected = Vec::new();
        for (hash, group) in self.coming_groups(store, root)? {
            let first = group[0].found;
            let stored =
                group.iter().filter_map(|member| member.stored.as_ref()).find(|file| file.is_canonical);
            let left =
                || replaced.get(&hash).copied().filter(|_| first.is_some_and(|found| found.known.is_none()));
            let status = match (stored.or_else(left), first) {
                (Some(file), None) => file.status,
                // Stored content passes to the new first of its group, unless that has another reader.
                (Some(file), Some(found))
                    if found.format().is_some_and(|name| file.format.as_deref() == Some(name)) =>
                {
                    file.status
                }
                (_, found) => found.and_then(ScannedEntry::first_status),
            };
            let Some(status) = status else { continue };
            for (at, member) in group.into_iter().enumerate().filter(|(_, member)| member.root_id == root_id)
            {
                let stored = member.stored.filter(|_| member.found.is_none());
                expected.push(ExpectedFile { path: member.path, status, is_first: at == 0, stored });
            }
        }
        for found in self.coming().filter(|found| found.content.is_none()) {
            let Some(status) = found.first_status() else { continue };
            let path = found.entry.path.clone();
            expected.push(ExpectedFile { path, status, is_first: true, stored: None });
        }
        Ok(expected)
    }

    /// The groups that coming files belong to, with what stays of them; the first file of a group is canonical.
    fn coming_groups(
        &self,
        store: Option<&Store>,
        root: Option<&Root>,
    ) -> Result<BTreeMap<ContentHash, Vec<GroupMember<'_>>>, IngestError> {
        let moved = self.renamed.iter().map(|(old, found)| (found, Some(old)));
        let coming = self.coming().map(|found| (found, None)).chain(moved);
        let gone: HashSet<i64> =
            self.leaving().chain(self.renamed.iter().map(|(old, _)| old)).map(|old| old.file_id).collect();
        let mut groups: BTreeMap<ContentHash, Vec<GroupMember<'_>>> = BTreeMap::new();
        for (found, old) in coming {
            let Some(content) = &found.content else { continue };
            groups.entry(content.hash).or_default().push(GroupMember {
                root_id: root_id_of(root),
                path: found.entry.path.clone(),
                is_member: false,
                found: Some(found),
                stored: old.cloned(),
            });
        }
        for (hash, group) in &mut groups {
            let stored = store.map(|store| store.files().with_hash(hash)).transpose()?.unwrap_or_default();
            for file in stored.into_iter().filter(|file| !gone.contains(&file.file_id)) {
                group.push(GroupMember {
                    root_id: file.root_id,
                    path: file.relative_path.clone(),
                    is_member: file.file_type == FileType::Member,
                    found: None,
                    stored: Some(file),
                });
            }
            group.sort_by(|a, b| a.order().cmp(&b.order()));
        }
        Ok(groups)
    }

    /// Files of the root that will become duplicates.
    fn new_duplicates(&self, store: Option<&Store>, root: Option<&Root>) -> Result<Vec<String>, IngestError> {
        let root_id = root_id_of(root);
        let mut paths = Vec::new();
        for group in self.coming_groups(store, root)?.into_values() {
            let others = group.into_iter().skip(1).filter(|member| member.root_id == root_id);
            let was_duplicate =
                |member: &GroupMember<'_>| member.stored.as_ref().is_some_and(|file| !file.is_canonical);
            paths.extend(others.filter(|member| !was_duplicate(member)).map(|member| member.path));
        }
        paths.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
        Ok(paths)
    }
}

/// The number of a root; one that is not stored yet comes after all others.
fn root_id_of(root: Option<&Root>) -> i64 {
    root.map_or(i64::MAX, |root| root.root_id)
}

/// A file of the root after a run.
struct ExpectedFile {
    path: String,
    status: ProcessingStatus,
    /// It is the file of its group that is read.
    is_first: bool,
    /// Its row, if nothing but its group changes.
    stored: Option<FileState>,
}

/// A file of a duplicate group in a dry run: one that is coming, or one that stays.
struct GroupMember<'p> {
    root_id: i64,
    path: String,
    is_member: bool,
    found: Option<&'p ScannedEntry>,
    stored: Option<FileState>,
}

impl GroupMember<'_> {
    /// The order in which the store chooses the first of a group.
    fn order(&self) -> (bool, i64, &[u8]) {
        (self.is_member, self.root_id, self.path.as_bytes())
    }
}

/// True for a file that was or is unreadable and is otherwise unchanged.
fn is_tried_again(old: &FileState, found: &ScannedEntry) -> bool {
    let stat = &found.entry.stat;
    let same = old.size == stat.size && old.mtime == (stat.mtime_s, stat.mtime_ns);
    same && (old.hash.is_none() || found.content.is_none())
}

#[cfg(test)]
mod tests {
    use super::super::contents::FileContent;
    use super::*;
    use pensieve_isolate::files::FileStat;
    use pensieve_store::scan::ScanEntry;
    use pensieve_text::model::ProblemKind;

    /// A file with these bytes, or one that cannot be read.
    fn file(path: &str, bytes: Result<&str, ProblemKind>) -> ScannedEntry {
        let content = |bytes: &str| FileContent {
            hash: ContentHash::of(bytes.as_bytes()),
            verdict: Ok(pensieve_text::format::by_name("text").unwrap()),
            mime: "text/plain".to_owned(),
            settings_hash: None,
        };
        let entry = ScanEntry {
            relative: path.into(),
            path: path.to_owned(),
            path_bytes: None,
            file_type: FileType::File,
            stat: FileStat::default(),
            symlink_target: None,
            depth: 1,
            hidden: false,
            is_wished: false,
        };
        let problem = bytes.err().map(|kind| Problem::new(kind, "it cannot be read"));
        ScannedEntry { entry, known: None, content: bytes.ok().map(content), problem }
    }

    #[test]
    fn a_dry_run_counts_groups_and_problems() {
        let problem =
            |path: &str| (path.to_owned(), Problem::new(ProblemKind::PathTooLong, "it is too long"));
        let scan = ScanResult {
            started: (0, 0),
            found: vec![
                file("a", Ok("one")),
                file("b", Ok("one")),
                file("c", Ok("one")),
                file("d", Ok("two")),
                file("e", Err(ProblemKind::Io)),
                file("f", Err(ProblemKind::Io)),
                file("g", Err(ProblemKind::Permissions)),
            ],
            seen: Vec::new(),
            unchanged: 0,
            bytes_hashed: 8,
            problems: vec![problem("long")],
            tool_folders: Default::default(),
            is_stopped: false,
        };
        let plan = compare(scan, KnownFiles::default(), None, None).unwrap();
        let mut summary = plan.counts();
        plan.expect(None, None, &mut summary).unwrap();
        assert_eq!((summary.new, summary.files, summary.bytes_hashed), (7, 7, 8));
        assert_eq!((summary.unique, summary.duplicates, summary.skipped), (5, 2, 0));
        assert_eq!(summary.done.errors, 4);
        let kinds: Vec<(&str, u64)> =
            summary.done.errors_by_kind.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
        assert_eq!(kinds, [("Io", 2), ("Permissions", 1)]);
        let lines = plan.lines(None, None).unwrap();
        let duplicates: Vec<&str> =
            lines.iter().filter(|line| line.what == "duplicate").map(|line| line.path.as_str()).collect();
        assert_eq!(duplicates, ["b", "c"]);
    }
}
