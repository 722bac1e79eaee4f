//! Completes a catalogue: a database with the rows of a merged one, whose content stays in the shards.

use super::facts::ShardQueries;
use super::pool::ShardPool;
use crate::store::{StoreError, content_references, digests};

/// References that are in memory at once.
const PAGE_ROWS: usize = 4096;

impl ShardQueries<'_> {
    /// Writes the table of references, and gives every file the digests of its content.
    ///
    /// Cost: one look-up in a shard and one changed row for each file with content.
    pub fn complete_catalog(&self, shards: &mut ShardPool) -> Result<(), StoreError> {
        let store = self.0;
        let transaction = store.ask(|connection| connection.unchecked_transaction())?;
        store.ask(content_references::complete)?;
        let mut last = None;
        loop {
            let page = store.ask(|connection| content_references::page_after(connection, last, PAGE_ROWS))?;
            for content in &page {
                let stored = shards
                    .get(content.part)?
                    .ask(|connection| digests::content_of(connection, content.source_id))?;
                store.ask(|connection| digests::set_content(connection, content.file_id, stored))?;
            }
            let Some(end) = page.last() else { break };
            last = Some(*end);
        }
        store.ask(|_| transaction.commit())
    }
}
