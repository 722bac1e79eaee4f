//! What mails quote of the ones that they answer.

use super::passages::WORDS_BYTES;
use super::texts::TextCache;
use super::{LedgerChanges, LedgerWork, ranks_of};
use crate::store::{RepeatRow, StoreError, TextUnpacker};
use pensieve_text::text::repetition::{FirstPlaces, FoundRuns, KeyUse, RunLength, WordList};

/// The shortest quotation: of a mail it is known which one it answers, so runs are shorter than those between any two texts. Of
/// fewer words there are phrases that both writers use.
const QUOTED: RunLength = RunLength { words: 6 };

impl LedgerWork<'_> {
    /// Finds the quotations of changed mails; false if the user has stopped it. A mail changes with the one that it answers.
    pub(super) fn compare_quotes(&self, changes: &LedgerChanges) -> Result<bool, StoreError> {
        let unpacker = TextUnpacker::new().map_err(|source| self.table.io(source))?;
        let mut cache = TextCache::new(WORDS_BYTES, unpacker);
        let mut replies = ranks_of(&changes.is_changed);
        replies.retain(|rank| self.documents[*rank as usize].answered.is_some());
        if !changes.former.is_empty() {
            let others = ranks_of(&changes.is_changed).into_iter();
            let mut others = others.map(|rank| self.documents[rank as usize]);
            others.try_for_each(|document| self.table.write_quotes(document.file_id, &[]))?;
        }
        let read = |text: &str| {
            let body = body_start(text);
            (body, WordList::of(&text[body..]))
        };
        self.map_texts(&replies, read, |rank, (body, words)| {
            let document = &self.documents[rank as usize];
            let Some(answered) = document.answered else { return Ok(()) };
            let there = self.words(&mut cache, answered)?;
            let mut places = FirstPlaces::new(QUOTED);
            let none = FoundRuns::default();
            places.add(answered, &there, &none, &|_| KeyUse::LookUp);
            let found = places.add(rank, &words, &none, &|_| KeyUse::LookUp);
            let runs = found.extend(QUOTED, &mut |runs| Some(runs.length(&words, &there)));
            let rows = runs.iter().map(|run| {
                let row = self.row_of(run, &words, &mut cache)?;
                Ok(RepeatRow { start: body + row.start, end: body + row.end, ..row })
            });
            self.table.write_quotes(document.file_id, &rows.collect::<Result<Vec<_>, StoreError>>()?)
        })
    }
}

/// Where the text of a mail begins, after its subject and the lines that say who wrote to whom and when: two mails of a thread have
/// most of these.
fn body_start(text: &str) -> usize {
    let after = |at: usize| text[at..].find("\n\n").map_or(text.len(), |found| at + found + 2);
    let head = if text.starts_with("# ") { after(0) } else { 0 };
    let is_head = ["From: ", "To: ", "Cc: ", "Date: "].iter().any(|name| text[head..].starts_with(name));
    if is_head { after(head) } else { head }
}
