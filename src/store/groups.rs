//! Files with the same bytes: which one is read, and what happens to its content when that changes.

use super::chunks::Chunks;
use super::content;
use super::files::{FileState, with_hash};
use super::members;
use crate::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::{Connection, params};

/// Tells whether two names make the same document of the same bytes (`a.txt` and `a.md` do not).
pub trait Recipes {
    /// True when `heir`, read from disk, would give the content that `owner` has.
    fn are_equal(&self, owner: &FileState, heir: &FileState) -> bool;
}

/// Brings the group of one content in order within the open transaction: the first living file is canonical, the
/// others follow it. `former` is a row that owned the group's content and has just left it; its content passes to
/// the heir, or goes.
///
/// Cost: one look-up by hash, and writes for those rows alone that change.
pub(super) fn settle(
    connection: &Connection,
    hash: &ContentHash,
    former: Option<&FileState>,
    recipes: &dyn Recipes,
    chunks: &mut Chunks,
) -> rusqlite::Result<()> {
    let group = with_hash(connection, hash)?;
    let Some(head) = group.first() else {
        if let Some(former) = former {
            members::drop_document(connection, former.file_id, recipes, chunks)?;
        }
        return Ok(());
    };
    let owner = former.or_else(|| group.iter().find(|member| member.is_canonical));
    let mut lead = head.clone();
    let mut moved = Vec::new();
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
            members::drop_document(connection, owner.file_id, recipes, chunks)?;
            lead.status = Some(ProcessingStatus::Pending);
            lead.reason = None;
            if lead.file_type == FileType::Member {
                members::wake_container(connection, &lead)?;
            }
        }
    }
    write_places(connection, &group, &lead, recipes, chunks)?;
    moved.iter().try_for_each(|hash| settle(connection, hash, None, recipes, chunks))
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

fn write_places(
    connection: &Connection,
    group: &[FileState],
    lead: &FileState,
    recipes: &dyn Recipes,
    chunks: &mut Chunks,
) -> rusqlite::Result<()> {
    let shared = group.len() > 1;
    for member in group {
        let leads = member.file_id == lead.file_id;
        let place = match (leads, shared) {
            (true, false) => DuplicateStatus::Unique,
            (true, true) => DuplicateStatus::Canonical,
            (false, _) => DuplicateStatus::Duplicate,
        };
        let number = shared.then_some(lead.file_id);
        let settled = member.duplicate == Some(place)
            && member.is_canonical == leads
            && member.group == number
            && member.status == lead.status
            && member.reason == lead.reason
            && (leads || member.format.is_none());
        if settled {
            continue;
        }
        if !leads && member.is_canonical {
            members::drop_document(connection, member.file_id, recipes, chunks)?;
        }
        write_place(connection, member.file_id, place, number, lead)?;
    }
    Ok(())
}

fn write_place(
    connection: &Connection,
    file_id: i64,
    place: DuplicateStatus,
    group: Option<i64>,
    lead: &FileState,
) -> rusqlite::Result<()> {
    let leads = file_id == lead.file_id;
    connection
        .prepare_cached(
            "UPDATE files SET duplicate_status = ?2, is_canonical = ?3, duplicate_group_id = ?4,
                    processing_status = ?5, status_reason = ?6,
                    format = CASE WHEN ?3 THEN format END, extractor = CASE WHEN ?3 THEN extractor END,
                    encoding = CASE WHEN ?3 THEN encoding END, settings_hash = CASE WHEN ?3 THEN settings_hash END,
                    estimated_tokens = CASE WHEN ?3 THEN estimated_tokens END
             WHERE file_id = ?1",
        )?
        .execute(params![
            file_id,
            place.as_str(),
            leads,
            group,
            lead.status.map(ProcessingStatus::as_str),
            lead.reason
        ])?;
    Ok(())
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
    chunks: &mut Chunks,
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
    leave_group(connection, file, recipes, chunks)
}

/// The group of `file`'s old hash goes on without it; its content passes to the heir or goes.
pub(super) fn leave_group(
    connection: &Connection,
    file: &FileState,
    recipes: &dyn Recipes,
    chunks: &mut Chunks,
) -> rusqlite::Result<()> {
    match &file.hash {
        Some(hash) => settle(connection, hash, Some(file).filter(|file| file.is_canonical), recipes, chunks)?,
        None => members::drop_document(connection, file.file_id, recipes, chunks)?,
    }
    if !file.is_canonical {
        content::drop_problems(connection, file.file_id)?;
    }
    Ok(())
}
