//! What a collection consists of on disk: the passages in one JSON document and as JSON lines, where they come from, the
//! clean books, a README. Every file is a function of texts and manifest alone.

use super::collection::CollectionOutput;
use super::files::{self, CollectionFolder};
use super::metadata::CollectionMetadata;
use super::passage::Passage;
use super::readme;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// The document of a collection.
#[derive(Debug, Serialize)]
pub struct PassageDocument<'d> {
    /// The passages, in the order of works and text.
    pub passages: Vec<&'d Passage>,
    /// What they are.
    pub metadata: CollectionMetadata,
}

/// The name of the document.
pub const JSON: &str = "gutenberg_passages.json";

/// Writes every file of a collection; returns their paths.
///
/// # Errors
/// The file that could not be written, and why.
pub fn write(
    output: &CollectionOutput<'_>,
    place: &CollectionFolder,
) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut written = Vec::new();
    let mut write = |path: PathBuf, bytes: io::Result<Vec<u8>>| {
        match bytes.and_then(|bytes| files::write(&path, &bytes)) {
            Ok(()) => written.push(path),
            Err(error) => return Err((path, error)),
        }
        Ok(())
    };
    for read in output.books {
        let stem = output.manifest.works[read.work].stem();
        write(place.book_file(&stem), Ok(read.book.text().as_bytes().to_vec()))?;
    }
    let at = |name: &str| place.processed().join(name);
    let passages: Vec<&Passage> = output.made.iter().map(|made| &made.passage).collect();
    write(at("gutenberg_passages.jsonl"), files::lines(&passages))?;
    write(
        at("gutenberg_passages.sources.jsonl"),
        files::lines(output.made.iter().map(|made| &made.provenance)),
    )?;
    write(at("README.md"), Ok(readme::text(output).into_bytes()))?;
    // The document comes last: who finds it finds the others.
    write(at(JSON), files::pretty(&PassageDocument { passages, metadata: output.metadata.clone() }))?;
    Ok(written)
}
