//! The contents of a book: reads them, finds their places in the spine, and reports entries that point nowhere.

use super::book::Book;
use super::container;
use super::contents::{self, TocEntry};
use super::headings::TocRebuilder;
use super::package::ManifestItem;
use super::path::PathIndex;
use pensieve_text::model::{Document, ReviewReason};
use std::collections::HashMap;

/// The row of metadata that names where the contents come from: `nav`, `ncx`, `headings`, `titles` or `none`.
pub const CONTENTS: &str = "contents";

/// Contents with at least this many links that point nowhere, and at most one in this many that points somewhere, are
/// rebuilt.
const MIN_LOST_ENTRIES: usize = 10;

impl Book<'_> {
    /// Reads the contents and finds where they point. Contents with no valid links, or hardly any, are rebuilt.
    pub(super) fn open_contents(&mut self) {
        self.contents = self.read_contents();
        self.find_places();
        let alive = self.contents.iter().filter(|entry| entry.spine.is_some()).count();
        let lost = self.contents.iter().filter(|entry| entry.is_link && entry.spine.is_none()).count();
        if alive == 0 || (lost >= MIN_LOST_ENTRIES && lost >= alive * (MIN_LOST_ENTRIES - 1)) {
            self.review_reasons.extend(lost_reason(&self.contents).filter(|_| alive > 0));
            self.contents.clear();
            self.rebuilder = Some(TocRebuilder::new(!self.has_headings()));
            return;
        }
        for entry in &self.contents {
            let Some(part) = entry.spine.and_then(|at| self.package.spine.get(at)) else { continue };
            let names = self.toc_targets.targets.entry(part.item.path.clone()).or_default();
            names.extend(entry.target.as_ref().and_then(|target| target.fragment.clone()));
        }
        let last = self.package.spine.len().saturating_sub(1);
        self.toc_targets.group(&self.contents, last);
    }

    /// True if a part of the book has an element for headings.
    fn has_headings(&mut self) -> bool {
        let left = self.left;
        let is_heading = |part: &[u8]| {
            part.len() > 1 && part[0].eq_ignore_ascii_case(&b'h') && (b'1'..=b'6').contains(&part[1])
        };
        let found = (0..self.package.spine.len()).any(|at| {
            let item = self.package.spine[at].item.clone();
            let Ok((bytes, _)) = self.bytes_of(&item) else { return false };
            memchr::memchr_iter(b'<', &bytes).any(|at| is_heading(&bytes[at + 1..]))
        });
        self.left = left;
        found
    }

    /// The contents: those of EPUB 3, or if there are none, those of EPUB 2.
    fn read_contents(&mut self) -> Vec<TocEntry> {
        let nav = self.package.nav.clone();
        let mut entries = self.contents_in(nav, contents::of_nav);
        self.has_nav = !entries.is_empty();
        if entries.is_empty() {
            let ncx = self.package.ncx.clone();
            entries = self.contents_in(ncx, contents::of_ncx);
        }
        entries
    }

    pub(super) fn contents_in(
        &mut self,
        item: Option<ManifestItem>,
        read: fn(&str, &str) -> Vec<TocEntry>,
    ) -> Vec<TocEntry> {
        let Some(item) = item else { return Vec::new() };
        let name = self.find(&item.path);
        let xml = name.and_then(|name| container::read_xml(&mut self.archive, &name));
        xml.map(|xml| read(&item.path, &xml)).unwrap_or_default()
    }

    /// Finds the place of the spine that each entry points to.
    fn find_places(&mut self) {
        let spine = &self.package.spine;
        let mut places = HashMap::new();
        for (at, part) in spine.iter().enumerate() {
            places.entry(part.item.path.as_str()).or_insert(at);
        }
        for (at, part) in spine.iter().enumerate() {
            places.entry(part.listed.as_str()).or_insert(at);
        }
        let known = PathIndex::new(places.iter().map(|(path, at)| (*at, *path)));
        for (number, entry) in self.contents.iter_mut().enumerate() {
            let Some(target) = &entry.target else { continue };
            entry.spine = places.get(target.path.as_str()).copied();
            if entry.spine.is_some() {
                continue;
            }
            // A page that exists but is not in the spine means itself.
            let is_other = |at: &usize| spine[*at].item.path.to_lowercase() != target.path.to_lowercase();
            let is_there = self.archive.has(&target.path);
            entry.spine = known.find(&target.path).filter(|at| !(is_there && is_other(at)));
            self.toc_targets.guessed.extend(entry.spine.map(|_| number));
        }
    }

    /// Reports where the contents come from, and what is wrong with them.
    pub(super) fn report_contents(&self, document: &mut Document) {
        let href = |seq: &usize| self.contents.get(*seq).map_or("", |entry| entry.href.as_str());
        let guessed: Vec<&str> = self.toc_targets.guessed.iter().map(href).collect();
        let dead: Vec<&str> = self.toc_targets.dead.iter().map(href).collect();
        let reasons = [
            lost_reason(&self.contents),
            reason(&guessed, ["names its file by another path", "name their files by other paths"]),
            reason(
                &dead,
                ["leads to a place that is not in its file", "lead to places that are not in their files"],
            ),
        ];
        document.review_reasons.extend(reasons.into_iter().flatten());
        let source = match &self.rebuilder {
            None if self.has_nav => "nav",
            None => "ncx",
            Some(TocRebuilder { found: 0, .. }) => "none",
            Some(TocRebuilder { by_titles: true, .. }) => "titles",
            Some(_) => "headings",
        };
        if source == "headings" {
            let message = "no contents that lead anywhere: they are made of the headings";
            document.note_repaired(message);
        }
        if source == "titles" {
            let message =
                "no contents and no headings: sections begin at lines in bold type and at titles of pages";
            document.note_repaired(message);
        }
        document.metadata.push((CONTENTS.to_owned(), source.to_owned()));
    }
}

/// The report of links that point to no part: to missing pages, out of the book, or nowhere.
fn lost_reason(contents: &[TocEntry]) -> Option<ReviewReason> {
    let lost = contents.iter().filter(|entry| entry.is_link && entry.spine.is_none());
    let named = |entry: &'_ TocEntry| {
        if entry.href.trim().is_empty() { entry.label.clone() } else { entry.href.clone() }
    };
    let lost: Vec<String> = lost.map(named).collect();
    let lost: Vec<&str> = lost.iter().map(String::as_str).collect();
    reason(&lost, ["leads to no part", "lead to no part"])
}

fn reason(entries: &[&str], [one, several]: [&str; 2]) -> Option<ReviewReason> {
    let message = match entries {
        [] => return None,
        [only] => format!("1 entry of the contents {one}: `{only}`"),
        [first, ..] => format!("{} entries of the contents {several}, the first is `{first}`", entries.len()),
    };
    Some(ReviewReason::repaired(message))
}
