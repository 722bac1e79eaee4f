//! What of a chunk no earlier document has.

use pensieve_store::store::{ExportRow, RepeatRow, Store, StoreError, least_repeated, repeated_share};
use pensieve_text::model::Span;
use pensieve_text::text::sentences;
use pensieve_text::text::tokens::{TokenCounter, Tokenizer};
use std::ops::Range;

/// A chunk that repeats so much has hardly a sentence of its own: chunks overlap, and a passage ends within a sentence.
const REPEATED_SHARE: f64 = 0.9;

/// What stands between sentences of which some were cut.
const CUT: &str = "\n\n";

/// Chunks and tokens that an export has not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Chunks that repeat as a whole.
    pub chunks: u64,
    /// Chunks of which sentences were cut.
    pub cut: u64,
    /// Tokens of both.
    pub tokens: u64,
}

/// Leaves out chunks and sentences that earlier documents have.
pub struct RepeatCutter<'s> {
    store: &'s Store,
    counter: Option<TokenCounter>,
    /// The document of the last row, and its repeats.
    last: (i64, Vec<RepeatRow>),
    /// What it has left out.
    pub left_out: LeftOut,
}

impl<'s> RepeatCutter<'s> {
    /// For the rows of a database with a ledger.
    pub fn new(store: &'s Store) -> RepeatCutter<'s> {
        RepeatCutter { store, counter: None, last: (0, Vec::new()), left_out: LeftOut::default() }
    }

    /// The row with the sentences of which no earlier document has every word, or `None` where hardly any is left.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn cut(&mut self, row: ExportRow) -> Result<Option<ExportRow>, StoreError> {
        let Some(place) = least_repeated(&row.sources).filter(|_| row.repetition.is_some()) else {
            return Ok(Some(row));
        };
        if self.last.0 != place.file_id {
            self.last = (place.file_id, self.store.repetition().of_document(place.file_id)?);
        }
        let whole = place.at.start..place.at.end;
        let kept = match repeated_share(&self.last.1, whole.clone()) >= REPEATED_SHARE {
            true => Vec::new(),
            false => new_sentences(&row.content, &self.last.1, whole.start),
        };
        if kept.is_empty() {
            self.left_out.chunks += 1;
            self.left_out.tokens += row.tokens as u64;
            return Ok(None);
        }
        if kept.as_slice() == std::slice::from_ref(&(0..row.content.len())) {
            return Ok(Some(row));
        }
        let parts: Vec<&str> = kept.iter().map(|part| row.content[part.clone()].trim()).collect();
        let content = parts.join(CUT);
        if self.counter.is_none() {
            self.counter = Tokenizer::named(&row.tokenizer).ok().map(|tokenizer| tokenizer.counter());
        }
        let tokens = self.counter.as_mut().map_or(row.tokens, |counter| counter.count(&content));
        self.left_out.cut += 1;
        self.left_out.tokens += row.tokens.saturating_sub(tokens) as u64;
        let kept = Some(kept.iter().map(|part| (part.start, part.end)).collect());
        Ok(Some(ExportRow { content, tokens, kept, ..row }))
    }
}

/// The sentences of a chunk, neighbours together, of which repeats do not have every word. The chunk begins at `start` in its document.
fn new_sentences(chunk: &str, repeats: &[RepeatRow], start: usize) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    sentences::starts(chunk, Span::new(0, chunk.len()), |at| starts.push(at));
    starts.extend(chunk.match_indices("\n\n").map(|(at, _)| at + 2));
    starts.push(chunk.len());
    starts.sort_unstable();
    starts.dedup();
    let mut kept: Vec<Range<usize>> = Vec::new();
    for sentence in starts.windows(2).map(|pair| pair[0]..pair[1]) {
        // A repeat ends with a word: the marks around the sentence are not in it.
        let text = &chunk[sentence.clone()];
        let words = text.trim_matches(|c: char| !c.is_alphanumeric());
        let first = start + sentence.start + text.find(words).unwrap_or(0);
        let is_known = repeats.iter().any(|row| row.start <= first && first + words.len() <= row.end);
        let before = kept.last_mut().filter(|last| last.end == sentence.start);
        match before {
            _ if is_known => {}
            Some(last) => last.end = sentence.end,
            // Marks alone follow what was cut.
            None if words.is_empty() => {}
            None => kept.push(sentence),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_an_earlier_document_has_are_cut() {
        let chunk =
            "The lamp is old. The keeper trims it at dusk, and the boat goes out. It rains.\n\nOil is dear.";
        let check = |repeated: &[&str], expected: &[&str]| {
            let row = |part: &&str| {
                let start = 100 + chunk.find(part).unwrap();
                RepeatRow { start, end: start + part.len(), of_file_id: 1, of_start: 0, of_end: part.len() }
            };
            let repeats: Vec<RepeatRow> = repeated.iter().map(row).collect();
            let kept = new_sentences(chunk, &repeats, 100);
            let kept: Vec<&str> = kept.into_iter().map(|part| chunk[part].trim()).collect();
            assert_eq!(kept, expected, "{repeated:?}");
        };
        check(&[], &[chunk]);
        check(
            &["old. The keeper trims it at dusk, and the boat goes out"],
            &["The lamp is old.", "It rains.\n\nOil is dear."],
        );
        check(&["lamp is old. The keeper trims it"], &[chunk]);
        check(
            &["The lamp is old", "It rains.\n\nOil is dear"],
            &["The keeper trims it at dusk, and the boat goes out."],
        );
        check(&[chunk.trim_end_matches('.')], &[]);
    }
}
