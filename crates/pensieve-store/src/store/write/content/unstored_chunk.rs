//! Chunks that are in no database, as `export` writes them for a corpus of one document.

use crate::store::places::chunk_place::ChunkPlace;
use crate::store::places::citation::Citation;
use crate::store::places::document_address::DocumentAddress;
use crate::store::read::ExportRow;
use crate::store::write::ChunkRow;

impl ExportRow {
    /// The row of a chunk that has one place.
    pub fn of_place(
        document: &DocumentAddress,
        format: Option<&str>,
        tokenizer: &str,
        chunk: ChunkRow,
    ) -> ExportRow {
        let content_hash = chunk.hash.to_hex();
        ExportRow {
            sources: vec![place(document, format, &content_hash, &chunk)],
            content_hash,
            content: chunk.content,
            tokens: chunk.tokens,
            tokenizer: tokenizer.to_owned(),
            vector: None,
            repetition: None,
            weight: None,
            kept: None,
        }
    }
}

fn place(
    document: &DocumentAddress,
    format: Option<&str>,
    content_hash: &str,
    chunk: &ChunkRow,
) -> ChunkPlace {
    let DocumentAddress { doc_uid, name, relative_path, path } = document.clone();
    ChunkPlace {
        citation: Citation::of_chunk(&doc_uid, chunk.place.start..chunk.place.end, content_hash),
        doc_uid,
        name,
        relative_path,
        path,
        format: format.map(str::to_owned),
        at: chunk.place.clone(),
        title: None,
        author: None,
        repetition: None,
        table: None,
        duplicates: Vec::new(),
        file_id: 0,
        root_id: 0,
        strategy: String::new(),
    }
}
