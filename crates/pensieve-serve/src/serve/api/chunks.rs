//! Chunks: those of a document, and one with all its places.

use super::{ApiRequest, documents, nothing, page};
use crate::access::PathRedactor;
use crate::serve::answers::{Chunk, ChunkList, ChunkRange, DocumentChunk, Source};
use crate::serve::cursor::{self, Key};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::store::{ChunkName, ChunkPlace, Store, StoredChunk, TextVariant};

/// Places of one chunk that are listed; boilerplate has thousands.
const MAX_SOURCES: usize = 100;

/// `/api/v3/docs/{doc_uid}/chunks`
pub fn list(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let document = documents::found(ask)?;
    let limit = ask.values.number("limit");
    let after = ask.values.text("cursor").map(|text| cursor::CHUNKS.read(text)).transpose()?;
    let after = after.as_deref().and_then(|key| match key {
        [start, chunk] => Some((start.number() as usize, chunk.number() as i64)),
        _ => None,
    });
    let mut rows = ask.store.chunks().page(document.text_id, after, limit + 1)?;
    let last = page(&mut rows, limit, |(chunk, source)| {
        [Key::Number(source.at.start as u64), Key::Number(chunk.chunk_id as u64)]
    });
    let chunks = with_char_ranges(ask.store, document.text_id, rows)?;
    Ok(Reply::json(&ChunkList {
        doc_uid: document.doc_uid,
        chunks,
        next_cursor: last.map(|key| cursor::CHUNKS.write(&key)),
    }))
}

/// Chunks of one text, in its order, with their places in characters.
pub fn with_char_ranges(
    store: &Store,
    file_id: i64,
    rows: Vec<(StoredChunk, ChunkPlace)>,
) -> Result<Vec<DocumentChunk>, Problem> {
    let starts: Vec<usize> = rows.iter().map(|(_, source)| source.at.start).collect();
    let starts = char_starts(store, file_id, &starts)?;
    let chunks = rows.into_iter().zip(starts).map(|((chunk, source), start)| DocumentChunk {
        range: ChunkRange::of(&source, start..start + chunk.content.chars().count()),
        chunk,
    });
    Ok(chunks.collect())
}

/// The number of characters before each of these bytes of a file's current clean text.
pub fn char_starts(store: &Store, file_id: i64, bytes: &[usize]) -> Result<Vec<usize>, Problem> {
    match store.texts().clean_facts(file_id)? {
        Some(facts) => {
            Ok(store.text(file_id, TextVariant::Clean, &facts.version).characters_before(bytes)?)
        }
        None => Ok(vec![0; bytes.len()]),
    }
}

/// `/api/v3/chunks/{id}`
pub fn one(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let name = name(ask.part("id")).ok_or_else(|| nothing("chunk"))?;
    let chunk = ask.store.chunks().get(&name)?.ok_or_else(|| nothing("chunk"))?;
    let (source_count, sources) = ask.store.chunks().sources_of(&chunk, MAX_SOURCES)?;
    let sources = shown_sources(ask.store, sources, &ask.redactor()?)?;
    Ok(Reply::json(&Chunk { chunk, source_count, sources }))
}

/// A hash of 64 digits, or the number of a row.
fn name(id: &str) -> Option<ChunkName> {
    let is_hash = id.len() == 64 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    match (is_hash, is_number) {
        (true, _) => Some(ChunkName::Hash(id.to_owned())),
        (false, true) => id.parse().ok().map(ChunkName::Row),
        (false, false) => None,
    }
}

/// The places of a chunk as answers show them.
pub fn shown_sources(
    store: &Store,
    places: Vec<ChunkPlace>,
    redactor: &PathRedactor,
) -> Result<Vec<Source>, Problem> {
    let shown = places.into_iter().map(|place| {
        let ends = char_starts(store, place.file_id, &[place.at.start, place.at.end])?;
        Ok(Source::of(place, ends[0]..ends[1], redactor))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_has_two_names() {
        let hash = "0".repeat(64);
        assert_eq!(name(&hash), Some(ChunkName::Hash(hash.clone())));
        assert_eq!(name("12"), Some(ChunkName::Row(12)));
        for wrong in ["", "x", "-1", "99999999999999999999", &hash[1..].replace('0', "F")] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
    }
}
