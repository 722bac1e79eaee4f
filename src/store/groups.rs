//! Files with the same bytes: which one is read, and what happens to its content when that changes.

use super::content;
use super::files::{FileState, STATE, file_state};
use super::members;
use super::owed::Owed;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::{Connection, params};
use std::ops::ControlFlow;

/// Tells whether two names make the same document of the same bytes (`a.txt` and `a.md` do not).
pub trait Recipes {
    /// True when `heir`, read from disk, would give the content that `owner` has.
    fn are_equal(&self, owner: &FileState, heir: &FileState) -> bool;
}

/// Finds out which file of one content is canonical now, within the open transaction, and hands the content over where
/// that has changed. `former` is a row that owned the group's content and has just left it; its content passes to the
/// heir, or goes. The rows that merely follow are noted, and written before the commit ([`settle_followers`]).
///
/// Cost: a few rows, however many share the content.
pub(super) fn settle(
    connection: &Connection,
    hash: &ContentHash,
    former: Option<&FileState>,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<()> {
    let Some(front) = front(connection, hash, former.is_none())? else {
        if let Some(former) = former {
            members::drop_document(connection, former.file_id, recipes, owed)?;
        }
        return Ok(());
    };
    let head = &front.head;
    let mut lead = head.clone();
    let mut moved = Vec::new();
    let owner = former.or(front.owner.as_ref());
    if let Some(owner) = owner.filter(|owner| owner.file_id != head.file_id) {
        if owner.status != Some(ProcessingStatus::Pending) && recipes.are_equal(owner, head) {
            content::move_content(connection, owner.file_id, head.file_id)?;
            lead = FileState {
                status: owner.status,
                reason: owner.reason.clone(),
                format: owner.format.clone(),
                settings_hash: owner.settings_hash.clone(),
                ..lead
            };
            inherit(connection, owner, &lead)?;
            moved = members::follow_parent(connection, head.file_id)?;
        } else {
            members::drop_document(connection, owner.file_id, recipes, owed)?;
            lead.status = Some(ProcessingStatus::Pending);
            lead.reason = None;
            if lead.file_type == FileType::Member {
                members::wake_container(connection, &lead)?;
            }
        }
    }
    Place::of(head, &lead, front.is_shared).write(connection, head)?;
    if let Some(owner) = front.owner.filter(|owner| owner.file_id != head.file_id) {
        Place::of(&owner, &lead, true).write(connection, &owner)?;
    }
    if front.is_shared {
        owed.note_group(hash);
    }
    moved.iter().try_for_each(|hash| settle(connection, hash, None, recipes, owed))
}

/// The first rows of a group.
struct Front {
    /// The first: it is canonical, or will be.
    head: FileState,
    /// The first that is canonical now, if it was asked for.
    owner: Option<FileState>,
    /// There are others beside the head.
    is_shared: bool,
}

/// Reads a group no further than needed: the canonical row stands behind newcomers only.
fn front(connection: &Connection, hash: &ContentHash, with_owner: bool) -> rusqlite::Result<Option<Front>> {
    let mut front: Option<Front> = None;
    each_with_hash(connection, hash, |file| {
        let found = match &mut front {
            None => front.insert(Front { head: file.clone(), owner: None, is_shared: false }),
            Some(front) => {
                front.is_shared = true;
                front
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
    Ok(front)
}

/// Living rows of one content, in the order in which the first is canonical: files on disk before members, then by
/// root and path.
pub(super) fn with_hash(connection: &Connection, hash: &ContentHash) -> rusqlite::Result<Vec<FileState>> {
    let mut files = Vec::new();
    each_with_hash(connection, hash, |file| {
        files.push(file);
        ControlFlow::Continue(())
    })?;
    Ok(files)
}

/// The same rows one by one, until `visit` has seen enough. The index `files_by_hash` has them in this order.
fn each_with_hash(
    connection: &Connection,
    hash: &ContentHash,
    mut visit: impl FnMut(FileState) -> ControlFlow<()>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {STATE} FROM files WHERE hash = ?1 AND (processing_status = 'Deleted') = 0
         ORDER BY (file_type = 'member'), root_id, relative_path"
    ))?;
    let mut rows = statement.query([hash.to_hex()])?;
    while let Some(row) = rows.next()? {
        if visit(file_state(row)?).is_break() {
            break;
        }
    }
    Ok(())
}

/// Writes the rows of a group that say something else than follows from the first.
///
/// Cost: one look at each row of the group, and writes for those alone that change.
pub(super) fn settle_followers(
    connection: &Connection,
    hash: &ContentHash,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<()> {
    let group = with_hash(connection, hash)?;
    let Some(lead) = group.first() else { return Ok(()) };
    for member in &group {
        let place = Place::of(member, lead, group.len() > 1);
        if !place.leads && member.is_canonical {
            members::drop_document(connection, member.file_id, recipes, owed)?;
        }
        place.write(connection, member)?;
    }
    Ok(())
}

/// The heir's row takes over what describes the content: reader, encoding, tokens. The owner's row may be blank by
/// now (deleted, or given other bytes), so that only its state of before can tell.
fn inherit(connection: &Connection, owner: &FileState, heir: &FileState) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE files SET format = ?2, encoding = ?3, extractor = ?4, estimated_tokens = ?5, settings_hash = ?6
             WHERE file_id = ?1",
        )?
        .execute(params![
            heir.file_id,
            owner.format,
            owner.encoding,
            owner.extractor,
            owner.tokens,
            owner.settings_hash
        ])?;
    Ok(())
}

/// What the row of a file says about its group.
struct Place<'l> {
    duplicate: DuplicateStatus,
    leads: bool,
    number: Option<i64>,
    lead: &'l FileState,
}

impl<'l> Place<'l> {
    /// The place of a member beside the one that leads.
    fn of(member: &FileState, lead: &'l FileState, is_shared: bool) -> Place<'l> {
        let leads = member.file_id == lead.file_id;
        let duplicate = match (leads, is_shared) {
            (true, false) => DuplicateStatus::Unique,
            (true, true) => DuplicateStatus::Canonical,
            (false, _) => DuplicateStatus::Duplicate,
        };
        Place { duplicate, leads, number: is_shared.then_some(lead.file_id), lead }
    }

    /// True when the row says so already.
    fn is_told(&self, member: &FileState) -> bool {
        member.duplicate == Some(self.duplicate)
            && member.is_canonical == self.leads
            && member.group == self.number
            && member.status == self.lead.status
            && member.reason == self.lead.reason
            && (self.leads || member.format.is_none())
    }

    fn write(&self, connection: &Connection, member: &FileState) -> rusqlite::Result<()> {
        if self.is_told(member) {
            return Ok(());
        }
        connection
            .prepare_cached(
                "UPDATE files SET duplicate_status = ?2, is_canonical = ?3, duplicate_group_id = ?4,
                        processing_status = ?5, status_reason = ?6,
                        format = CASE WHEN ?3 THEN format END, extractor = CASE WHEN ?3 THEN extractor END,
                        encoding = CASE WHEN ?3 THEN encoding END,
                        settings_hash = CASE WHEN ?3 THEN settings_hash END,
                        estimated_tokens = CASE WHEN ?3 THEN estimated_tokens END
                 WHERE file_id = ?1",
            )?
            .execute(params![
                member.file_id,
                self.duplicate.as_str(),
                self.leads,
                self.number,
                self.lead.status.map(ProcessingStatus::as_str),
                self.lead.reason
            ])?;
        Ok(())
    }
}

/// Gives every duplicate of a canonical file the status that it has now.
pub(super) fn follow_canonical(connection: &Connection, file: &FileState) -> rusqlite::Result<()> {
    let Some(hash) = &file.hash else { return Ok(()) };
    connection
        .prepare_cached(
            "UPDATE files SET processing_status = ?3, status_reason = ?4
             WHERE hash = ?1 AND file_id <> ?2 AND processing_status <> 'Deleted'
               AND (processing_status, status_reason) IS NOT (?3, ?4)",
        )?
        .execute(params![
            hash.to_hex(),
            file.file_id,
            file.status.map(ProcessingStatus::as_str),
            file.reason
        ])?;
    Ok(())
}

/// Marks a row as gone and settles the group that it leaves.
pub(super) fn delete_file(
    connection: &Connection,
    file: &FileState,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<()> {
    // Folders, symlinks and specials carry no status and leave no tombstone.
    if !matches!(file.file_type, FileType::File | FileType::Member) {
        connection.prepare_cached("DELETE FROM files WHERE file_id = ?1")?.execute([file.file_id])?;
        return Ok(());
    }
    connection
        .prepare_cached(
            "UPDATE files SET processing_status = 'Deleted', status_reason = 'no longer on disk', is_canonical = 0,
                    duplicate_status = NULL, duplicate_group_id = NULL, format = NULL, extractor = NULL,
                    estimated_tokens = NULL, settings_hash = NULL
             WHERE file_id = ?1",
        )?
        .execute([file.file_id])?;
    leave_group(connection, file, recipes, owed)
}

/// The group of `file`'s old hash goes on without it; its content passes to the heir or goes.
pub(super) fn leave_group(
    connection: &Connection,
    file: &FileState,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<()> {
    match &file.hash {
        Some(hash) => settle(connection, hash, Some(file).filter(|file| file.is_canonical), recipes, owed)?,
        None => members::drop_document(connection, file.file_id, recipes, owed)?,
    }
    if !file.is_canonical {
        content::drop_problems(connection, file.file_id)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
