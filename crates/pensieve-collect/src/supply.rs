//! Raw texts: those already in the collection, copies in a folder of the user, and the server as the last resort.
//!
//! A text is accepted only if it is the expected work: numbers found elsewhere are often wrong. Each accepted text is
//! recorded with its number, address and entity tag in `sources.json` beside the texts.

use crate::address_answers::AddressAnswers;
use crate::book::{Book, Identity, identify};
use crate::fetch::{FetchError, FetchRequest, TextFetcher};
use crate::files::{self, CollectionFolder};
use crate::http_request::TransferError;
use crate::manifest::{Manifest, Work};
use crate::stage_checks;
use pensieve_text::model::{ContentHash, NoteLevel, Observer, ProgressEvent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where a text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TextOrigin {
    /// It was already in the collection.
    Cached,
    /// It was copied from the user's folder.
    Source,
    /// It was fetched.
    Fetched,
}

/// A text that was accepted.
#[derive(Debug)]
pub struct SuppliedText {
    /// Its number.
    pub id: u32,
    /// Where it came from.
    pub origin: TextOrigin,
    /// Its bytes.
    pub raw: Vec<u8>,
    /// The clean book in it.
    pub book: Book,
    /// What should be checked.
    pub warnings: Vec<String>,
}

/// Why a work has no text.
#[derive(Debug)]
pub enum TextFailure {
    /// No text was found; the reason in words.
    Missing(String),
    /// The text that was found is another book; the reason in words.
    Refused(String),
    /// It would have to be fetched, which a dry run does not do.
    ToFetch,
    /// The user stopped the run.
    Stopped,
    /// The folder of the collection cannot be written.
    Unwritable(PathBuf, io::Error),
}

/// The record of a raw text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FetchRecord {
    /// Its number.
    pub id: u32,
    /// The address it was fetched from, or the name of the copy.
    pub from: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its size.
    pub bytes: usize,
    /// The server's tag for this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// What each address that was asked gave.
    #[serde(default, skip_serializing_if = "AddressAnswers::is_empty")]
    pub answers: AddressAnswers,
}

/// Supplies the raw texts of a manifest.
pub struct TextSupply<'s> {
    manifest: &'s Manifest,
    place: &'s CollectionFolder,
    source: Option<&'s Path>,
    dry_run: bool,
    refresh: bool,
    observer: &'s dyn Observer,
    records: BTreeMap<String, FetchRecord>,
    fetcher: TextFetcher<'s>,
    answers: AddressAnswers,
}

/// Options of a supply.
#[derive(Debug, Clone, Copy)]
pub struct TextSupplyOptions<'s> {
    /// A folder with copies; if it is given, nothing is fetched.
    pub source: Option<&'s Path>,
    /// Write nothing and fetch nothing.
    pub dry_run: bool,
    /// Ask the server whether it has newer versions.
    pub refresh: bool,
}

impl<'s> TextSupply<'s> {
    /// Creates the supply of a collection.
    pub fn new(
        manifest: &'s Manifest,
        place: &'s CollectionFolder,
        options: TextSupplyOptions<'s>,
        observer: &'s dyn Observer,
    ) -> TextSupply<'s> {
        let records = fs::read(place.raw().join("sources.json"))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        TextSupply {
            manifest,
            place,
            source: options.source,
            dry_run: options.dry_run,
            refresh: options.refresh,
            observer,
            records: records.unwrap_or_default(),
            fetcher: TextFetcher::new(&manifest.sources, observer),
            answers: AddressAnswers::default(),
        }
    }

    /// What the addresses that were asked for the last work gave.
    pub fn take_answers(&mut self) -> AddressAnswers {
        std::mem::take(&mut self.answers)
    }

    /// The text of a work.
    pub fn text(&mut self, work: &Work) -> Result<SuppliedText, TextFailure> {
        let mut refused = None;
        if let Some(folder) = self.source {
            for id in work.ids() {
                for path in copies(folder, id, &work.stem()) {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let Ok(raw) = fs::read(&path) else { continue };
                    match self.judge(work, id, raw, TextOrigin::Source) {
                        Ok(taken) => {
                            self.keep(work, &taken, name, None)?;
                            return Ok(taken);
                        }
                        Err(reason) => _ = refused.get_or_insert(format!("`{name}`: {reason}")),
                    }
                }
            }
        }
        if refused.is_none() && !(self.refresh && self.source.is_none()) {
            match self.cached(work) {
                Ok(Some(taken)) => return Ok(taken),
                Ok(None) => {}
                Err(reason) => refused = Some(reason),
            }
        }
        match (self.source, refused) {
            (Some(_), Some(reason)) => Err(TextFailure::Refused(reason)),
            (Some(folder), None) => Err(TextFailure::Missing(format!(
                "`{}` has no text with number {}",
                folder.display(),
                work.gutenberg_id
            ))),
            (None, _) if self.dry_run => Err(TextFailure::ToFetch),
            (None, _) => self.fetch(work),
        }
    }

    /// The text that is already in the collection.
    fn cached(&self, work: &Work) -> Result<Option<SuppliedText>, String> {
        let Ok(raw) = fs::read(self.place.raw_file(&work.stem())) else { return Ok(None) };
        let id = self.records.get(&work.stem()).map_or(work.gutenberg_id, |record| record.id);
        self.judge(work, id, raw, TextOrigin::Cached).map(Some)
    }

    /// Accepts bytes if they are the text of a work; the error says why not.
    fn judge(&self, work: &Work, id: u32, raw: Vec<u8>, origin: TextOrigin) -> Result<SuppliedText, String> {
        if let Some(reason) = stage_checks::raw(&raw) {
            return Err(reason);
        }
        let book = Book::of(&raw, &self.manifest.rules);
        let mut warnings = Vec::new();
        match identify(&book.header, work) {
            Identity::Fits => {}
            Identity::Unknown => {
                warnings.push("the text has no header: title and author cannot be checked".to_owned())
            }
            Identity::Other(reason) => return Err(reason),
        }
        if let Some(other) = book.header.id.filter(|other| *other != id) {
            warnings.push(format!("the header gives the number {other}, not {id}"));
        }
        warnings.extend(book.problems.iter().map(|problem| problem.message.clone()));
        warnings.extend(
            book.findings
                .iter()
                .filter(|finding| finding.needs_review())
                .map(|finding| format!("around the book: {finding}")),
        );
        Ok(SuppliedText { id, origin, raw, book, warnings })
    }

    fn fetch(&mut self, work: &Work) -> Result<SuppliedText, TextFailure> {
        let stem = work.stem();
        let known = self
            .records
            .get(&stem)
            .filter(|_| self.refresh)
            .and_then(|record| Some((record.from.clone(), record.etag.clone()?)));
        let mut refused = None;
        let mut missing = String::new();
        for id in work.ids() {
            self.say(NoteLevel::Info, &format!("fetching {} ({id})", work.title));
            let (folder, known) = (self.place.raw(), known.as_ref());
            let request = FetchRequest { id, folder: &folder, stem: &stem, known };
            match self.fetcher.fetch(&request, &mut self.answers) {
                Ok(Some(fetched)) => match self.judge(work, id, fetched.bytes, TextOrigin::Fetched) {
                    Ok(mut taken) => {
                        taken.warnings.extend(fetched.doubt);
                        self.keep(work, &taken, fetched.url, fetched.etag)?;
                        return Ok(taken);
                    }
                    Err(reason) => {
                        self.answers.note(&fetched.url, &reason);
                        refused.get_or_insert(format!("{}: {reason}", fetched.url));
                    }
                },
                Ok(None) => match self.cached(work) {
                    Ok(Some(taken)) => return Ok(taken),
                    Ok(None) => missing = "the server has nothing newer, and there is no copy".to_owned(),
                    Err(reason) => _ = refused.get_or_insert(reason),
                },
                Err(FetchError::Transfer(TransferError::Stopped)) => return Err(TextFailure::Stopped),
                Err(FetchError::Transfer(TransferError::Unwritable(path, error))) => {
                    return Err(TextFailure::Unwritable(path, error));
                }
                Err(error) => missing = error.to_string(),
            }
        }
        Err(refused.map_or(TextFailure::Missing(missing), TextFailure::Refused))
    }

    /// Stores a text in the collection, with its record.
    fn keep(
        &mut self,
        work: &Work,
        taken: &SuppliedText,
        from: String,
        etag: Option<String>,
    ) -> Result<(), TextFailure> {
        if self.dry_run {
            return Ok(());
        }
        let stem = work.stem();
        let path = self.place.raw_file(&stem);
        files::write(&path, &taken.raw).map_err(|error| TextFailure::Unwritable(path, error))?;
        let sha256 = ContentHash::of(&taken.raw).to_string();
        let (bytes, answers) = (taken.raw.len(), self.answers.clone());
        self.records.insert(stem, FetchRecord { id: taken.id, from, sha256, bytes, etag, answers });
        self.write_records()
    }

    /// Writes the records of the raw texts, for programs and for people.
    fn write_records(&self) -> Result<(), TextFailure> {
        let folder = self.place.raw();
        let write = |name: &str, bytes: io::Result<Vec<u8>>| {
            let path = folder.join(name);
            bytes
                .and_then(|bytes| files::write(&path, &bytes))
                .map_err(|error| TextFailure::Unwritable(path, error))
        };
        write("sources.json", files::pretty(&self.records))?;
        write("README.md", Ok(self.explained().into_bytes()))
    }

    fn explained(&self) -> String {
        let mut text = String::from(
            "# Raw texts\n\nTexts of Project Gutenberg exactly as received, with header and licence: one file per work, named after the \
             author's\nlast name and the work. Nothing here is edited, and a text that is here is not fetched again. \
             `sources.json` has number,\norigin, size, SHA-256 and the server's tag of each. A file whose name begins with a dot is an \
             unfinished download;\nthe next run continues it.\n\nThe texts are in the public domain in the USA; in other countries \
             their law decides. Each file has its terms of use at\nits beginning and end.\n\n| file | work | number | bytes | from |\n| --- | --- | --- | --- | --- |\n",
        );
        for work in &self.manifest.works {
            let Some(record) = self.records.get(&work.stem()) else { continue };
            let from = record.from.replace('|', "\\|");
            text.push_str(&format!(
                "| {}.txt | {}, *{}* | {} | {} | {from} |\n",
                work.stem(),
                work.author,
                work.title,
                record.id,
                record.bytes
            ));
        }
        text
    }

    fn say(&self, level: NoteLevel, text: &str) {
        self.observer.on_event(&ProgressEvent::Note { level, text });
    }
}

/// Copies of a text in a folder and its subfolders, by the number at the start of their names: `74-0.txt`,
/// `pg74.txt`, `74.txt.utf-8`. UTF-8 comes first. Copies named as this collection names them count too.
fn copies(folder: &Path, id: u32, stem: &str) -> Vec<PathBuf> {
    let mut found: Vec<(usize, PathBuf)> = Vec::new();
    walk(folder, 3, &mut |path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        found.extend(rank(&name, id, stem).map(|rank| (rank, path.to_owned())));
    });
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// The preference for a copy by its name; `None` if it is not a text of that number.
fn rank(name: &str, id: u32, stem: &str) -> Option<usize> {
    if name == format!("{stem}.txt") {
        return Some(4);
    }
    let digits = name.strip_prefix("pg").unwrap_or(name);
    let rest = digits.strip_prefix(&id.to_string())?;
    match rest {
        "-0.txt" => Some(0),
        ".txt.utf-8" | ".txt.utf8" | "-0.txt.utf-8" => Some(1),
        ".txt" => Some(2),
        "-8.txt" => Some(3),
        rest if rest.starts_with(['-', '_', '.']) && (rest.ends_with(".txt") || rest.ends_with(".utf-8")) => {
            Some(5)
        }
        _ => None,
    }
}

fn walk(folder: &Path, depth: usize, each: &mut dyn FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if depth > 0 {
                walk(&path, depth - 1, each);
            }
        } else {
            each(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_known_by_the_number_in_their_names() {
        let check = |name: &str, expected: Option<usize>| {
            assert_eq!(rank(name, 74, "twain_tom_sawyer"), expected, "{name}")
        };
        check("74-0.txt", Some(0));
        check("pg74.txt", Some(2));
        check("74-8.txt", Some(3));
        check("pg74-images.txt", Some(5));
        check("twain_tom_sawyer.txt", Some(4));
        check("741-0.txt", None);
        check("body-74.txt", None);
        check("74-0.json", None);
        check("hfinn74.txt", None);
    }

    #[test]
    fn every_form_of_a_name_has_its_rank() {
        let check = |name: &str, expected: Option<usize>| {
            assert_eq!(rank(name, 74, "twain_tom_sawyer"), expected, "{name}")
        };
        check("pg74-0.txt", Some(0));
        for name in ["74.txt.utf-8", "pg74.txt.utf8", "74-0.txt.utf-8"] {
            check(name, Some(1));
        }
        for name in ["74_x.txt", "74.x.txt", "74-x.utf-8"] {
            check(name, Some(5));
        }
        for name in ["74x.txt", "74-x.html", "74", "pg7-0.txt", "twain_tom_sawyer.md"] {
            check(name, None);
        }
    }

    #[test]
    fn copies_are_found_three_folders_deep_and_ordered_by_rank() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        fs::create_dir_all(deep.join("d")).unwrap();
        for name in ["74.txt", "a/74-8.txt", "a/b/c/PG74-0.TXT", "a/b/c/d/74-0.txt", "75.txt", "a/x_y.txt"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let found = copies(folder.path(), 74, "x_y");
        let names: Vec<_> = found.iter().map(|path| path.strip_prefix(folder.path()).unwrap()).collect();
        assert_eq!(names, ["a/b/c/PG74-0.TXT", "74.txt", "a/74-8.txt", "a/x_y.txt"].map(Path::new));
    }
}
