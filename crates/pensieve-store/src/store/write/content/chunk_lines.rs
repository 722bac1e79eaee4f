//! The lines of a file's chunks for its digest, while the chunks are made: their rows need not be read again.

use super::chunk_rows::ChunkRow;
use crate::store::rows::digest_lines::LineHasher;
use pensieve_text::model::ContentHash;
use rusqlite::types::ValueRef;
use std::fmt;

/// The digest over the chunks of one file so far.
#[derive(Clone, Default)]
pub struct ChunkLines {
    lines: LineHasher,
    last: Option<(usize, usize, ContentHash)>,
    is_unordered: bool,
}

impl fmt::Debug for ChunkLines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChunkLines").field("last", &self.last).finish_non_exhaustive()
    }
}

impl ChunkLines {
    /// Adds the next chunk.
    pub fn add(&mut self, chunk: &ChunkRow, strategy: &str, tokenizer: &str) {
        let place = (chunk.place.start, chunk.place.end, chunk.hash);
        self.is_unordered |= self.last.is_some_and(|last| last >= place);
        self.last = Some(place);
        let hash = chunk.hash.to_hex();
        let [start, end, source @ ..] = chunk.place.values();
        let [hash, strategy, tokenizer] = [&*hash, strategy, tokenizer].map(ValueRef::from);
        let tokens = ValueRef::Integer(chunk.tokens as i64);
        let fields = [&[start, end, hash, strategy], &source[..], &[tokens, tokenizer]].concat();
        self.lines.add("chunk", &fields);
    }

    /// The lines of all chunks; `None` if the chunks did not come in the order in which they are read.
    pub(crate) fn finish(self) -> Option<LineHasher> {
        (!self.is_unordered).then_some(self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::rows::place_columns::PlaceColumns;

    fn chunk(start: usize, end: usize, content: &str) -> ChunkRow {
        ChunkRow {
            hash: ContentHash::of(content.as_bytes()),
            content: content.to_owned(),
            tokens: 3,
            place: PlaceColumns {
                start,
                end,
                source: None,
                locator: None,
                heading_path: None,
                context: None,
            },
        }
    }

    #[test]
    fn the_digest_counts_if_chunks_come_in_their_order() {
        let check = |places: &[(usize, usize)], expected: bool| {
            let mut lines = ChunkLines::default();
            for &(start, end) in places {
                lines.add(&chunk(start, end, "fog"), "text", "o200k_base");
            }
            assert_eq!(lines.finish().is_some(), expected, "{places:?}");
        };
        check(&[], true);
        check(&[(0, 4)], true);
        check(&[(0, 4), (4, 9), (9, 10)], true);
        check(&[(0, 4), (0, 5)], true);
        check(&[(0, 4), (0, 4)], false);
        check(&[(0, 4), (0, 3), (5, 6)], false);
        check(&[(4, 9), (0, 4), (9, 10)], false);
    }
}
