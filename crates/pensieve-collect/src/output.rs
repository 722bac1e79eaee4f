//! The files of a collection: the passages as one JSON document and as JSON lines, their provenance, the clean books,
//! a README. Each file depends only on the texts and the manifest.

use crate::collection::CollectionOutput;
use crate::files::{self, CollectionFolder};
use crate::metadata::CollectionMetadata;
use crate::passage::Passage;
use crate::readme;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// The document of a collection.
#[derive(Debug, Serialize)]
pub struct PassageDocument<'d> {
    /// The passages, in the order of works and of their text.
    pub passages: Vec<&'d Passage>,
    /// Facts about them.
    pub metadata: CollectionMetadata,
}

/// The file name of the document.
pub const JSON: &str = "gutenberg_passages.json";

/// Writes every file of a collection; returns their paths.
///
/// # Errors
/// The file that could not be written, and the reason.
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
    // The document is written last: a program that finds it finds the other files too.
    write(at(JSON), files::pretty(&PassageDocument { passages, metadata: output.metadata.clone() }))?;
    Ok(written)
}
