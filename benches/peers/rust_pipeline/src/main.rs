//! A pipeline as one would put it together from crates: `ignore`, `sha2`, `text-splitter`, `rusqlite`.
//!
//! It walks, hashes, skips duplicate files, decodes as UTF-8, cuts into chunks of at most 512 tokens with 50 of overlap,
//! dedups chunks by SHA-256 and stores them. It cleans nothing, keeps no offsets, detects no encodings, reads no HTML,
//! and has no search table. One thread, so that its CPU seconds are what a core pays.
//!
//! Usage: rust_pipeline DIR DB bpe-openai|tiktoken-rs

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use text_splitter::{ChunkConfig, ChunkSizer, TextSplitter};

/// Counts tokens with `bpe-openai`.
struct Bpe(&'static bpe_openai::Tokenizer);

impl ChunkSizer for Bpe {
    fn size(&self, chunk: &str) -> usize {
        self.0.count(chunk)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, database, engine] = arguments.as_slice() else {
        return Err("usage: rust_pipeline DIR DB bpe-openai|tiktoken-rs".into());
    };
    match engine.as_str() {
        "bpe-openai" => ingest(folder, database, Bpe(bpe_openai::cl100k_base())),
        "tiktoken-rs" => ingest(folder, database, tiktoken_rs::cl100k_base()?),
        other => Err(format!("unknown engine `{other}`").into()),
    }
}

fn ingest<S: ChunkSizer>(folder: &str, database: &str, sizer: S) -> Result<(), Box<dyn Error>> {
    let splitter = TextSplitter::new(ChunkConfig::new(512).with_sizer(&sizer).with_overlap(50)?);
    let mut connection = Connection::open(database)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;
         CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE, hash TEXT);
         CREATE TABLE chunks(id INTEGER PRIMARY KEY, hash TEXT UNIQUE, content TEXT, tokens INTEGER);
         CREATE TABLE sources(chunk_id INTEGER, file_id INTEGER, n INTEGER);",
    )?;
    let transaction = connection.transaction()?;
    let (mut files, mut chunks, mut seen) = (0u64, 0u64, HashSet::new());
    for entry in ignore::WalkBuilder::new(folder).hidden(false).build() {
        let entry = entry?;
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(bytes) = fs::read(entry.path()) else { continue };
        let hash = hex(&bytes);
        files += 1;
        transaction
            .prepare_cached("INSERT INTO files(path, hash) VALUES(?1, ?2)")?
            .execute(params![entry.path().to_string_lossy(), hash])?;
        let file = transaction.last_insert_rowid();
        if bytes[..bytes.len().min(8192)].contains(&0) || !seen.insert(hash) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        for (number, chunk) in splitter.chunks(&text).enumerate() {
            let hash = hex(chunk.as_bytes());
            transaction
                .prepare_cached("INSERT OR IGNORE INTO chunks(hash, content, tokens) VALUES(?1, ?2, ?3)")?
                .execute(params![hash, chunk, sizer.size(chunk) as i64])?;
            transaction
                .prepare_cached("INSERT INTO sources SELECT id, ?2, ?3 FROM chunks WHERE hash = ?1")?
                .execute(params![hash, file, number as i64])?;
            chunks += 1;
        }
    }
    transaction.commit()?;
    println!("{files} files, {chunks} chunks");
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
