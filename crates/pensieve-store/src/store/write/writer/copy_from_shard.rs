//! Documents that another database has already: their rows and content are copied instead of read.

use super::Writer;
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count};
use crate::store::shards::DuplicateRole;
use crate::store::write::content;
use crate::store::write::content::chunk_rows::ChunkRow;
use crate::store::write::copied::{self, CopiedResult};
use crate::store::write::members::{self, NewMember};
use crate::store::write::progress::{AddedChunks, RowInProgress, TaskInProgress};
use crate::store::write::task::Task;
use pensieve_text::model::{ContentHash, DuplicateStatus};
use rusqlite::{Connection, Row, params};

/// What a copied document added.
#[derive(Debug, Clone, Copy, Default)]
pub struct CopiedDocument {
    /// Its chunks and those of its members.
    pub added: AddedChunks,
    /// Its members.
    pub members: u64,
    /// Members whose content is nowhere: their container has to be read again.
    pub unread: u64,
}

/// A file of a shard.
#[derive(Debug, Clone, Copy)]
pub struct ShardFile<'s> {
    /// The shard.
    pub store: &'s Store,
    /// The row of the file there.
    pub file_id: i64,
}

impl ShardFile<'_> {
    /// Another file of the same shard.
    fn sibling(self, file_id: i64) -> Self {
        ShardFile { file_id, ..self }
    }
}

impl Writer<'_> {
    /// Copies the row of a file on disk. If its bytes are known its content waits for
    /// [`Writer::copy_document`]; the rows of a group come in the order of paths.
    pub fn copy_entry(
        &mut self,
        root_id: i64,
        shard: &Store,
        file_id: i64,
        role: Option<DuplicateRole>,
    ) -> Result<(), StoreError> {
        self.settle_many_rows()?;
        let run_id = self.options.run_id;
        self.within(|groups| {
            let new_id = copied::copy_row(&shard.connection, groups.connection, file_id, root_id)?;
            match role {
                Some(role) => write_role(groups.connection, new_id, role),
                None => {
                    groups.deferred.chunks.changed.note(new_id);
                    CopiedResult::read(&shard.connection, file_id)?.write(groups.connection, new_id)?;
                    copied::copy_problems(&shard.connection, groups.connection, file_id, new_id, run_id)
                }
            }
        })
    }

    /// Copies the content of a pending file, its members included; `None` if the row needs no content.
    pub fn copy_document(
        &mut self,
        task: &Task,
        from: ShardFile<'_>,
    ) -> Result<Option<CopiedDocument>, StoreError> {
        if !self.start(task.file.file_id, &task.kind)? {
            return Ok(None);
        }
        let ShardFile { store: shard, file_id, .. } = from;
        let former = shard.ask(|connection| members::former_uids(connection, file_id))?;
        if let Some(current) = &mut self.current {
            current.former.extend(former);
        }
        let mut document = CopiedDocument::default();
        self.copy_content(from)?;
        self.copy_members(from, None, &mut document)?;
        let mut result = shard.ask(|connection| CopiedResult::read(connection, file_id))?;
        if document.unread > 0 {
            result.settings_hash = None;
        }
        if let Some(current) = self.current.take() {
            self.finish_copy(current.row, &result, &mut document)?;
        }
        self.end_batch()?;
        Ok(Some(document))
    }

    /// Copies problems that belong to no row; those that are there already are left out.
    pub fn copy_loose_problems(&mut self, shard: &Store) -> Result<(), StoreError> {
        let select = "SELECT path, timestamp, error_type, error_message FROM errors WHERE file_id IS NULL ORDER BY error_id";
        let insert = "INSERT INTO errors(run_id, path, timestamp, error_type, error_message)
                      SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM errors
                        WHERE file_id IS NULL AND (path, error_type, error_message) = (?2, ?4, ?5))";
        let text = |row: &Row<'_>, at: usize| row.get::<_, String>(at);
        let problems: Vec<[String; 4]> = shard.ask(|connection| {
            connection
                .rows(select, [], |row| Ok([text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?]))
        })?;
        let run_id = self.options.run_id;
        self.within(|groups| {
            problems.iter().try_for_each(|[path, time, kind, message]| {
                groups.connection.run(insert, params![run_id, path, time, kind, message]).map(drop)
            })
        })
    }

    /// Copies texts, facts, problems and chunks of a file into the current row.
    fn copy_content(&mut self, file: ShardFile<'_>) -> Result<(), StoreError> {
        let ShardFile { store: shard, file_id: from } = file;
        let Some(to) = self.current.as_mut().map(|current| current.innermost().file_id) else {
            return Ok(());
        };
        let run_id = self.options.run_id;
        let bytes = self.within(|groups| {
            copied::copy_problems(&shard.connection, groups.connection, from, to, run_id)?;
            content::update_problem_path(groups.connection, to)?;
            copied::copy_content(&shard.connection, groups.connection, from, to)
        })?;
        self.bytes += bytes;
        let add = |strategy: &str, rows: Vec<_>| self.add_copied_chunks(strategy, rows);
        shard.ask(|connection| copied::each_chunk_portion(connection, from, add))?
    }

    fn add_copied_chunks(&mut self, strategy: &str, rows: Vec<ChunkRow>) -> Result<(), StoreError> {
        if let Some(row) = self.current.as_mut().map(TaskInProgress::innermost) {
            let tokenizer = &self.options.tokenizer;
            rows.iter().for_each(|chunk| row.chunk_lines.add(chunk, strategy, tokenizer));
        }
        self.add_chunks(strategy, rows)
    }

    /// Copies the documents directly inside a container, and those inside them.
    fn copy_members(
        &mut self,
        container: ShardFile<'_>,
        within: Option<&str>,
        document: &mut CopiedDocument,
    ) -> Result<(), StoreError> {
        let shard = container.store;
        for child in shard.ask(|connection| members::children(connection, container.file_id))? {
            let key = child.to_string();
            let member = shard.ask(|connection| stored_member(connection, child, within))?;
            document.members += 1;
            if !self.start_member(&member)? {
                continue;
            }
            let Some(owner) = shard.ask(|connection| owner_of(connection, child))? else {
                document.unread += 1;
                if let Some(current) = &mut self.current {
                    current.member = None;
                }
                continue;
            };
            self.copy_content(container.sibling(owner))?;
            let result = shard.ask(|connection| CopiedResult::read(connection, owner))?;
            if let Some(row) = self.current.as_mut().and_then(|current| current.member.take()) {
                self.finish_copy(row, &result, document)?;
            }
            self.copy_members(container.sibling(owner), Some(&key), document)?;
        }
        Ok(())
    }

    /// Writes the result of a copied row, and gives its duplicates the same status.
    fn finish_copy(
        &mut self,
        row: RowInProgress,
        result: &CopiedResult,
        document: &mut CopiedDocument,
    ) -> Result<(), StoreError> {
        document.added.chunks += row.added.chunks;
        document.added.new_chunks += row.added.new_chunks;
        document.added.new_tokens += row.added.new_tokens;
        self.within(|groups| {
            result.write(groups.connection, row.file_id)?;
            groups.note_content(row.file_id, row.chunk_lines.finish(), None);
            groups.update_duplicates(row.file_id)
        })
    }
}

/// Writes the role of a new row: the first row of a group is its canonical file, and pending.
fn write_role(connection: &Connection, file_id: i64, role: DuplicateRole) -> rusqlite::Result<()> {
    let first = "SELECT file_id FROM files WHERE hash = ?1 AND is_canonical AND file_id <> ?2 LIMIT 1";
    let group = match role.status {
        DuplicateStatus::Unique => None,
        DuplicateStatus::Canonical => Some(file_id),
        DuplicateStatus::Duplicate => {
            connection.first(first, params![role.hash.to_hex(), file_id], |row| row.get(0))?
        }
    };
    let sql = "UPDATE files SET duplicate_status = ?2, is_canonical = ?3, duplicate_group_id = ?4,
                      processing_status = 'Pending', status_reason = NULL WHERE file_id = ?1";
    let is_canonical = role.status != DuplicateStatus::Duplicate;
    connection.run(sql, params![file_id, role.status.as_str(), is_canonical, group]).map(drop)
}

/// The row of a member, as if it were found in its container now.
fn stored_member(connection: &Connection, file_id: i64, within: Option<&str>) -> rusqlite::Result<NewMember> {
    let sql = "SELECT coalesce(member, ''), filename, hash, size_bytes, coalesce(mime_type, '') FROM files
               WHERE file_id = ?1";
    connection.one(sql, [file_id], |row| {
        let hash = row.get_ref(2)?.as_str()?.parse::<ContentHash>();
        Ok(NewMember {
            path: file_id.to_string(),
            within: within.map(str::to_owned),
            member: row.get(0)?,
            name: row.get(1)?,
            hash: hash.map_err(|_| rusqlite::Error::InvalidQuery)?,
            size: count(row, 3)?,
            mime: row.get(4)?,
        })
    })
}

/// The row that has the content of a member: its own, or that of another file with its bytes that is the same document.
fn owner_of(connection: &Connection, member: i64) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT o.file_id FROM files m JOIN files o ON o.hash = m.hash AND o.is_canonical
               WHERE m.file_id = ?1 AND (o.file_id = ?1
                 OR (o.file_extension = m.file_extension AND m.file_extension <> ''))";
    connection.first(sql, [member], |row| row.get(0))
}
