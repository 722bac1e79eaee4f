//! Files with the same bytes: which one is read, and which one takes over its content when that changes.

use super::content::deferred::DeferredWrites;
use super::{content, members};
use crate::store::read::files::{FileState, each_with_hash, state_of, with_hash};
use crate::store::rows::digest_lines::LineHasher;
use crate::store::rows::digests::FirstDetails;
use crate::store::rows::sql::Queries;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::{Connection, params};
use std::ops::ControlFlow;

/// Decides whether equal bytes under two names are the same document (`a.txt` and `a.md` are not).
pub trait Recipes {
    /// True if reading `heir` from disk would give the content of `owner`.
    fn are_equal(&self, owner: &FileState, heir: &FileState) -> bool;
}

/// The groups of duplicates, within an open transaction.
pub(super) struct DuplicateGroups<'w> {
    pub connection: &'w Connection,
    recipes: &'w dyn Recipes,
    pub deferred: &'w mut DeferredWrites,
}

impl<'w> DuplicateGroups<'w> {
    pub fn new(
        connection: &'w Connection,
        recipes: &'w dyn Recipes,
        deferred: &'w mut DeferredWrites,
    ) -> DuplicateGroups<'w> {
        DuplicateGroups { connection, recipes, deferred }
    }

    /// Determines the canonical file of one content, and moves the content to it if that has changed. The other rows
    /// of the group are noted, and written before the commit ([`DuplicateGroups::settle_followers`]).
    ///
    /// Cost: a few rows, however large the group is.
    pub fn settle(&mut self, hash: &ContentHash) -> rusqlite::Result<()> {
        self.settle_after(hash, None)
    }

    /// Notes for the digests that the content of a file is written. `lines` are those of its chunks, where they are known;
    /// `first` are its details, if it had no content before.
    pub fn note_content(&mut self, file_id: i64, lines: Option<LineHasher>, first: Option<FirstDetails>) {
        let changed = &mut self.deferred.chunks.changed;
        match lines {
            Some(lines) => changed.note_chunks(file_id, lines, first),
            None => changed.note(file_id),
        }
    }

    /// Gives the duplicates of a file whose content is written the same status.
    pub fn update_duplicates(&self, file_id: i64) -> rusqlite::Result<()> {
        match state_of(self.connection, file_id)? {
            Some(file) if file.is_canonical && file.duplicate != Some(DuplicateStatus::Unique) => {
                follow_canonical(self.connection, &file)
            }
            _ => Ok(()),
        }
    }

    /// Settles a group after `former`, the owner of the group's content, has left the group: its content is moved to the
    /// canonical file, or removed.
    fn settle_after(&mut self, hash: &ContentHash, former: Option<&FileState>) -> rusqlite::Result<()> {
        let Some(group) = GroupHead::read(self.connection, hash, former.is_none())? else {
            return match former {
                Some(former) => self.drop_document(former.file_id),
                None => Ok(()),
            };
        };
        let head = &group.head;
        let mut canonical = head.clone();
        let mut moved = Vec::new();
        let owner = former.or(group.owner.as_ref());
        if let Some(owner) = owner.filter(|owner| owner.file_id != head.file_id) {
            if owner.status != Some(ProcessingStatus::Pending) && self.recipes.are_equal(owner, head) {
                moved = self.hand_over(owner, &mut canonical)?;
            } else {
                self.drop_document(owner.file_id)?;
                (canonical.status, canonical.reason) = (Some(ProcessingStatus::Pending), None);
                if canonical.file_type == FileType::Member {
                    members::mark_container_unread(self.connection, &canonical)?;
                }
            }
        }
        GroupMembership::of(head, &canonical, group.is_shared).write(self.connection, head)?;
        if let Some(owner) = group.owner.filter(|owner| owner.file_id != head.file_id) {
            GroupMembership::of(&owner, &canonical, true).write(self.connection, &owner)?;
        }
        if group.is_shared {
            self.deferred.groups.insert(*hash);
        }
        moved.iter().try_for_each(|hash| self.settle(hash))
    }

    /// Moves the content of `owner` to the new canonical file; returns the hashes of the members that moved with it.
    fn hand_over(
        &mut self,
        owner: &FileState,
        canonical: &mut FileState,
    ) -> rusqlite::Result<Vec<ContentHash>> {
        let changed = &mut self.deferred.chunks.changed;
        content::move_content(self.connection, owner.file_id, canonical.file_id, changed)?;
        canonical.status = owner.status;
        canonical.reason.clone_from(&owner.reason);
        canonical.format.clone_from(&owner.format);
        canonical.settings_hash.clone_from(&owner.settings_hash);
        inherit(self.connection, owner, canonical)?;
        members::update_member_paths(self.connection, canonical.file_id)
    }

    /// Updates the rows of a group that disagree with its first row.
    ///
    /// Cost: reads each row of the group, and writes only those that change.
    pub fn settle_followers(&mut self, hash: &ContentHash) -> rusqlite::Result<()> {
        let group = with_hash(self.connection, hash)?;
        let Some(canonical) = group.first() else { return Ok(()) };
        for file in &group {
            let membership = GroupMembership::of(file, canonical, group.len() > 1);
            if !membership.is_canonical && file.is_canonical {
                self.drop_document(file.file_id)?;
            }
            membership.write(self.connection, file)?;
        }
        Ok(())
    }

    /// Marks a row as deleted and settles the group that it leaves.
    pub fn delete_file(&mut self, file: &FileState) -> rusqlite::Result<()> {
        // Folders, symlinks and special files have no status and leave no tombstone.
        if !matches!(file.file_type, FileType::File | FileType::Member) {
            return self.connection.run("DELETE FROM files WHERE file_id = ?1", [file.file_id]).map(drop);
        }
        self.connection.run(
            "UPDATE files SET processing_status = 'Deleted', status_reason = 'no longer on disk', is_canonical = 0,
                    duplicate_status = NULL, duplicate_group_id = NULL, format = NULL, extractor = NULL,
                    estimated_tokens = NULL, settings_hash = NULL
             WHERE file_id = ?1",
            [file.file_id],
        )?;
        self.leave(file)
    }

    /// Settles the group of `file`'s old hash without it; its content is moved to the next canonical file, or removed.
    pub fn leave(&mut self, file: &FileState) -> rusqlite::Result<()> {
        match &file.hash {
            Some(hash) => self.settle_after(hash, Some(file).filter(|file| file.is_canonical))?,
            None => self.drop_document(file.file_id)?,
        }
        match file.is_canonical {
            true => Ok(()),
            false => {
                let changed = &mut self.deferred.chunks.changed;
                content::drop_problems(self.connection, file.file_id, changed)
            }
        }
    }

    /// Removes everything stored for a file: its content, and its members.
    pub fn drop_document(&mut self, file_id: i64) -> rusqlite::Result<()> {
        // The depth is bounded by the nesting depth that readers allow.
        for child in members::children(self.connection, file_id)? {
            if let Some(member) = state_of(self.connection, child)? {
                self.delete_file(&member)?;
            }
            self.connection.run("DELETE FROM files WHERE file_id = ?1", [child])?;
        }
        content::drop_content(self.connection, file_id, &mut self.deferred.chunks)
    }
}

/// The first rows of a group.
struct GroupHead {
    /// The first row, which is or becomes the canonical one.
    head: FileState,
    /// The first row that is canonical now, if requested.
    owner: Option<FileState>,
    /// True if the group has other files.
    is_shared: bool,
}

impl GroupHead {
    /// Reads only as much of a group as needed: only new files precede the canonical row.
    fn read(
        connection: &Connection,
        hash: &ContentHash,
        with_owner: bool,
    ) -> rusqlite::Result<Option<GroupHead>> {
        let mut group: Option<GroupHead> = None;
        each_with_hash(connection, hash, |file| {
            let found = match &mut group {
                None => group.insert(GroupHead { head: file.clone(), owner: None, is_shared: false }),
                Some(group) => {
                    group.is_shared = true;
                    group
                }
            };
            if with_owner && found.owner.is_none() && file.is_canonical {
                found.owner = Some(file);
            }
            let is_known = !with_owner || found.owner.is_some();
            match found.is_shared && is_known {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok(group)
    }
}

/// Copies the columns that describe the content into the row of its new owner: reader, encoding, tokens. The row of the
/// former owner may already be cleared (deleted, or with other bytes), so its earlier state is used.
fn inherit(connection: &Connection, owner: &FileState, canonical: &FileState) -> rusqlite::Result<()> {
    let sql = "UPDATE files SET format = ?2, encoding = ?3, extractor = ?4, estimated_tokens = ?5, settings_hash = ?6
               WHERE file_id = ?1";
    let values = params![
        canonical.file_id,
        owner.format,
        owner.encoding,
        owner.extractor,
        owner.tokens,
        owner.settings_hash
    ];
    connection.run(sql, values).map(drop)
}

/// The columns of a row about its duplicate group.
struct GroupMembership<'l> {
    duplicate: DuplicateStatus,
    is_canonical: bool,
    group: Option<i64>,
    canonical: &'l FileState,
}

impl<'l> GroupMembership<'l> {
    /// The columns of a file whose group has the canonical file `canonical`.
    fn of(file: &FileState, canonical: &'l FileState, is_shared: bool) -> GroupMembership<'l> {
        let is_canonical = file.file_id == canonical.file_id;
        let duplicate = match (is_canonical, is_shared) {
            (true, false) => DuplicateStatus::Unique,
            (true, true) => DuplicateStatus::Canonical,
            (false, _) => DuplicateStatus::Duplicate,
        };
        GroupMembership { duplicate, is_canonical, group: is_shared.then_some(canonical.file_id), canonical }
    }

    /// True if the row already has these values.
    fn is_stored(&self, file: &FileState) -> bool {
        file.duplicate == Some(self.duplicate)
            && file.is_canonical == self.is_canonical
            && file.group == self.group
            && file.status == self.canonical.status
            && file.reason == self.canonical.reason
            && (self.is_canonical || file.format.is_none())
    }

    fn write(&self, connection: &Connection, file: &FileState) -> rusqlite::Result<()> {
        if self.is_stored(file) {
            return Ok(());
        }
        let sql = "UPDATE files SET duplicate_status = ?2, is_canonical = ?3, duplicate_group_id = ?4,
                          processing_status = ?5, status_reason = ?6,
                          format = CASE WHEN ?3 THEN format END, extractor = CASE WHEN ?3 THEN extractor END,
                          encoding = CASE WHEN ?3 THEN encoding END,
                          settings_hash = CASE WHEN ?3 THEN settings_hash END,
                          estimated_tokens = CASE WHEN ?3 THEN estimated_tokens END
                   WHERE file_id = ?1";
        let values = params![
            file.file_id,
            self.duplicate.as_str(),
            self.is_canonical,
            self.group,
            self.canonical.status.map(ProcessingStatus::as_str),
            self.canonical.reason
        ];
        connection.run(sql, values).map(drop)
    }
}

/// Gives every duplicate of a canonical file the current status of that file.
pub(super) fn follow_canonical(connection: &Connection, file: &FileState) -> rusqlite::Result<()> {
    let Some(hash) = &file.hash else { return Ok(()) };
    // `OR FAIL`: else SQLite keeps copies of the pages to revert this statement alone.
    let sql = "UPDATE OR FAIL files SET processing_status = ?3, status_reason = ?4
               WHERE hash = ?1 AND file_id <> ?2 AND processing_status <> 'Deleted'
                 AND (processing_status, status_reason) IS NOT (?3, ?4)";
    let values = params![hash.to_hex(), file.file_id, file.status.map(ProcessingStatus::as_str), file.reason];
    connection.run(sql, values).map(drop)
}

#[cfg(test)]
mod tests;
