//! What a collection consists of on disk: the passages in one JSON document and as JSON lines, where they come from, the
//! clean books, a README. Every file is a function of texts and manifest alone.

use super::files::{self, Place};
use super::manifest::Manifest;
use super::passage::{Made, Moment, Passage, Step};
use super::reading::{Read, set_names};
use super::readme;
use super::report::WorkReport;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// The document of a collection.
#[derive(Debug, Serialize)]
pub struct Document<'d> {
    /// The passages, in the order of works and text.
    pub passages: Vec<&'d Passage>,
    /// What they are.
    pub metadata: Metadata,
}

/// What the passages of a document are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metadata {
    /// How many passages there are.
    pub total_passages: usize,
    /// When they were extracted: a date.
    pub extraction_date: String,
    /// Books that were read.
    pub books_processed: usize,
    /// Authors of the passages' books, in the order of the manifest.
    pub authors: Vec<String>,
    /// The collection.
    pub collection: String,
    /// In a line.
    pub description: String,
    /// What made them.
    pub generator: String,
    /// Each book that was read.
    pub books: Vec<BookEntry>,
    /// Passages by their context.
    pub passages_by_context: BTreeMap<String, usize>,
    /// Passages by keyword.
    pub passages_by_keyword: BTreeMap<String, usize>,
    /// How scores were lowered to reach the target.
    pub steps: Vec<Step>,
    /// How many were wanted, at least and at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<(usize, usize)>,
    /// Why there are fewer than were wanted, with the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<String>,
    /// How `character_names` were found.
    pub character_names_source: String,
}

/// A book of the metadata.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BookEntry {
    /// Its number.
    pub book_id: u32,
    /// Its title.
    pub book_title: String,
    /// Its author.
    pub author_name: String,
    /// Its language.
    pub language: String,
    /// Passages from it.
    pub passages: usize,
    /// SHA-256 of the raw text.
    pub sha256: String,
}

/// Everything that is written.
#[derive(Debug)]
pub struct Output<'o> {
    /// The manifest.
    pub manifest: &'o Manifest,
    /// The books that were read.
    pub books: &'o [Read],
    /// The passages.
    pub made: &'o [Made],
    /// What became of each work.
    pub works: &'o [WorkReport],
    /// What the passages are.
    pub metadata: Metadata,
}

/// The name of the document.
pub const JSON: &str = "gutenberg_passages.json";

/// The metadata of passages.
pub fn metadata(
    manifest: &Manifest,
    books: &[Read],
    made: &[Made],
    works: &[WorkReport],
    steps: Vec<Step>,
    moment: &Moment,
) -> Metadata {
    let of_book = |book: usize| made.iter().filter(|made| made.book == book).count();
    let mut authors: Vec<String> = Vec::new();
    for read in books {
        let author = &manifest.works[read.work].author;
        if !authors.contains(author) {
            authors.push(author.clone());
        }
    }
    let entry = |(at, read): (usize, &Read)| {
        let work = &manifest.works[read.work];
        BookEntry {
            book_id: read.id,
            book_title: work.title.clone(),
            author_name: work.author.clone(),
            language: work.language.clone(),
            passages: of_book(at),
            sha256: works[read.work].sha256.clone().unwrap_or_default(),
        }
    };
    let mut by_context: BTreeMap<String, usize> =
        set_names(manifest).into_iter().map(|name| (name, 0)).collect();
    let mut by_keyword = BTreeMap::new();
    for made in made {
        *by_context.entry(made.passage.context_type.clone()).or_default() += 1;
        for keyword in &made.passage.keywords_matched {
            *by_keyword.entry(keyword.clone()).or_default() += 1;
        }
    }
    Metadata {
        total_passages: made.len(),
        extraction_date: moment.date.clone(),
        books_processed: books.len(),
        authors,
        collection: manifest.collection.name.clone(),
        description: manifest.collection.description.clone(),
        generator: concat!("pensieve ", env!("CARGO_PKG_VERSION")).to_owned(),
        books: books.iter().enumerate().map(entry).collect(),
        passages_by_context: by_context,
        passages_by_keyword: by_keyword,
        shortfall: shortfall(manifest, books, made, &steps),
        steps,
        target: manifest.rules.target,
        character_names_source: "speech tags such as `said Tom`; incomplete by nature".to_owned(),
    }
}

/// Why there are fewer than were wanted.
fn shortfall(manifest: &Manifest, books: &[Read], made: &[Made], steps: &[Step]) -> Option<String> {
    let (least, _) = manifest.rules.target?;
    if made.len() >= least {
        return None;
    }
    let (mut paragraphs, mut words) = (0, 0);
    for read in books {
        for (_, section) in read.text_sections() {
            for block in read.blocks[section.first..section.end].iter().filter(|block| block.kind.is_text()) {
                words += block.words;
                paragraphs += usize::from(!read.lexicon.matches(read.book.text(), block.span).is_empty());
            }
        }
    }
    let last = steps.last()?;
    Some(format!(
        "{} of at least {least} passages: the {} texts have {words} words and {paragraphs} paragraphs with keywords; at the lowest score, {}, \
         {} windows without overlap reach it, of which {} are nearly the same as others; lower scores and repeated text would only pad",
        made.len(),
        books.len(),
        last.min_score,
        last.candidates,
        last.near_identical
    ))
}

impl Output<'_> {
    /// Writes every file; their paths.
    ///
    /// # Errors
    /// The file that could not be written, and why.
    pub fn write(&self, place: &Place) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        let mut written = Vec::new();
        let mut write = |path: PathBuf, bytes: io::Result<Vec<u8>>| {
            match bytes.and_then(|bytes| files::write(&path, &bytes)) {
                Ok(()) => written.push(path),
                Err(error) => return Err((path, error)),
            }
            Ok(())
        };
        for read in self.books {
            let stem = self.manifest.works[read.work].stem();
            write(place.book_file(&stem), Ok(read.book.text().as_bytes().to_vec()))?;
        }
        let at = |name: &str| place.processed().join(name);
        let passages: Vec<&Passage> = self.made.iter().map(|made| &made.passage).collect();
        write(at("gutenberg_passages.jsonl"), files::lines(&passages))?;
        write(
            at("gutenberg_passages.sources.jsonl"),
            files::lines(self.made.iter().map(|made| &made.provenance)),
        )?;
        write(at("README.md"), Ok(readme::text(self).into_bytes()))?;
        // The document comes last: who finds it finds the others.
        write(at(JSON), files::pretty(&Document { passages, metadata: self.metadata.clone() }))?;
        Ok(written)
    }
}
