//! The reasons for a review after its thresholds have changed: from the counts that are stored with each text.

use super::content::changed_content::ChangedContent;
use crate::store::database::meta;
use crate::store::read::stored_review_reasons;
use crate::store::rows::sql::Queries;
use pensieve_text::model::{ReviewReason, recipe_text};
use pensieve_text::text::review::{ReviewEvidence, ReviewOptions, review_again};
use rusqlite::{Connection, params};
use std::ops::ControlFlow;

/// The key of `meta` for the thresholds by which all texts were reviewed.
const THRESHOLDS: &str = "review_thresholds";

/// True if these are the thresholds by which all texts were reviewed.
pub(super) fn is_done(connection: &Connection, options: &ReviewOptions) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, THRESHOLDS)? == Some(recipe_text(&options.recipe_lines())))
}

/// Reviews every text by these thresholds; notes the files whose reasons differ.
///
/// Cost: one pass over the rows of texts.
pub(super) fn apply(
    connection: &Connection,
    options: &ReviewOptions,
    changed: &mut ChangedContent,
) -> rusqlite::Result<()> {
    let sql = "SELECT file_id, version, review_reasons, review_counts FROM text_versions
               WHERE variant = 'clean' AND review_counts IS NOT NULL";
    let mut differing = Vec::new();
    connection.each(sql, [], |row| {
        let reasons = row.get_ref(2)?.as_str()?;
        // Damaged counts say nothing: the reasons stay until the text is cleaned again.
        if let Ok(counts) = serde_json::from_str::<ReviewEvidence>(row.get_ref(3)?.as_str()?) {
            let before = stored_review_reasons(reasons);
            let mut again = review_again(&before, &counts, options);
            again.sort_by_key(|reason| before.iter().position(|known| known == reason).unwrap_or(usize::MAX));
            if again != before {
                let (file_id, version): (i64, String) = (row.get(0)?, row.get(1)?);
                differing.push((file_id, version, review_reasons_json(&again), !again.is_empty()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    for (file_id, version, reasons, needs_review) in differing {
        let sql = "UPDATE text_versions SET needs_review = ?3, review_reasons = ?4
                   WHERE file_id = ?1 AND variant = 'clean' AND version = ?2";
        connection.run(sql, params![file_id, version, needs_review, reasons])?;
        changed.note(file_id);
    }
    meta::set(connection, THRESHOLDS, &recipe_text(&options.recipe_lines()))
}

/// The stored form of review reasons: a JSON array of objects.
pub(super) fn review_reasons_json(review_reasons: &[ReviewReason]) -> String {
    let reasons: Vec<_> = review_reasons
        .iter()
        .map(|reason| serde_json::json!({ "reason": reason.kind.as_str(), "detail": reason.detail }))
        .collect();
    serde_json::Value::Array(reasons).to_string()
}
