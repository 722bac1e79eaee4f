//! Documents by the paths that people give.

use super::documents::{DocumentQueries, DocumentRow};
use super::files::FileQueries;
use crate::store::database::error::StoreError;
use crate::store::rows::sql::Queries;

impl DocumentQueries<'_> {
    /// The documents that a path may mean: their path below a root, their absolute path, or the end of either. Of copies
    /// with one text the first by path.
    pub fn named(&self, path: &str) -> Result<Vec<DocumentRow>, StoreError> {
        let mut found: Vec<DocumentRow> = Vec::new();
        for file in FileQueries(self.0).named(path, path)? {
            let sql = "SELECT doc_uid FROM files WHERE file_id = ?1 AND processing_status IS NOT 'Deleted'";
            let doc_uid: Option<String> =
                self.0.ask(|connection| connection.first(sql, [file.file_id], |row| row.get(0)))?;
            let document = doc_uid.map(|doc_uid| self.get(&doc_uid)).transpose()?.flatten();
            let is_new = |document: &DocumentRow| found.iter().all(|known| known.text_id != document.text_id);
            found.extend(document.filter(is_new));
        }
        Ok(found)
    }
}
