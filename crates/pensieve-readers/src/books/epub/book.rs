//! An open book: its package, its contents, its parts one by one.

use super::chapter;
use super::container::{self, Encryption};
use super::contents::{self, TocEntry};
use super::headings::{self, HeadingDepth, TocRebuilder};
use super::notes::{BookNotes, NoteSurvey};
use super::package::{ManifestItem, Package};
use super::path::PathIndex;
use super::toc_targets::TocTargets;
use crate::limits::epub::{MAX_BOOK_BYTES, MAX_STYLE_BYTES, MAX_STYLES};
use crate::settings::HtmlOptions;
use crate::shared::archive::Archive;
use crate::shared::hidden_text::HiddenText;
use crate::shared::part::placed;
use crate::source::DocumentSource;
use crate::web::html::{BookContext, StyleSheet, read_html};
use pensieve_text::model::{Locator, Problem, ProblemKind, ReviewReason, Segment, Span};
use std::sync::Arc;

/// An open book: its package and contents, and its parts on demand.
pub(crate) struct Book<'a> {
    /// Its package document.
    pub package: Package,
    /// Its table of contents, in order.
    pub contents: Vec<TocEntry>,
    /// Which of its parts are encrypted.
    pub encryption: Encryption,
    /// Reasons to review it.
    pub review_reasons: Vec<ReviewReason>,
    /// What is wrong with its package document.
    pub problems: Vec<Problem>,
    pub(super) archive: Archive<'a>,
    /// The names of the archive, for references to the wrong folder; built for the first such reference.
    pub(super) known: Option<PathIndex>,
    /// The entries of the contents that point to each place of the spine.
    pub(super) toc_targets: TocTargets,
    /// The depth of the headings of the parts that are read next.
    pub(super) depth: HeadingDepth,
    /// Builds contents from headings if no entry of the book's own contents points to a part.
    pub(super) rebuilder: Option<TocRebuilder>,
    /// The places of notes, if they are to be marked.
    pub(super) notes: Option<Arc<BookNotes>>,
    /// The contents are those of EPUB 3.
    pub(super) has_nav: bool,
    /// Its style sheets by their file names, if one hides something.
    pub(super) styles: Vec<(String, StyleSheet<'static>)>,
    /// What nobody can see in the parts that were read.
    pub hidden: HiddenText,
    pub(super) left: u64,
}

/// A part of the spine as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SpineText {
    /// Its text, placed.
    pub text: Segment,
    /// Problems that did not prevent its text from being read.
    pub problems: Vec<Problem>,
    /// False if the only text is labels of the contents.
    pub is_read: bool,
}

impl<'a> Book<'a> {
    /// Opens a book: reads its package document and its contents.
    ///
    /// # Errors
    /// `Damaged` if it is not a package or has neither a package document nor pages, `Encrypted`, `SizeLimit`.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Book<'a>, Problem> {
        let mut archive = Archive::open(source)?;
        let mut review_reasons = Vec::new();
        let encryption = Encryption::read(&mut archive);
        let (package, failed) = read_package(&mut archive, &encryption)?;
        if package.path.is_empty() {
            let why = failed
                .as_ref()
                .map_or_else(|| "no package document".to_owned(), |problem| problem.message.clone());
            let message = format!("{why}: pages are in the order of their names");
            review_reasons.push(ReviewReason::repaired(message));
        }
        if let Some(first) = package.dangling.first() {
            let message = format!("{} in the spine and not in the manifest: {first}", package.dangling.len());
            review_reasons.push(ReviewReason::skipped(message));
        }
        let mut book = Book {
            package,
            contents: Vec::new(),
            encryption,
            review_reasons,
            problems: failed.into_iter().collect(),
            archive,
            known: None,
            toc_targets: TocTargets::default(),
            depth: HeadingDepth::default(),
            rebuilder: None,
            notes: None,
            has_nav: false,
            styles: Vec::new(),
            hidden: HiddenText::default(),
            left: MAX_BOOK_BYTES,
        };
        book.open_contents();
        book.open_styles();
        Ok(book)
    }

    /// Reads the style sheets, which may hide parts of pages. What is wrong with them takes no text.
    fn open_styles(&mut self) {
        let is_sheet = |name: &&String| name.to_ascii_lowercase().ends_with(".css");
        let names: Vec<String> =
            self.archive.names().iter().filter(is_sheet).take(MAX_STYLES).cloned().collect();
        for name in names {
            let Ok((mut bytes, _)) = self.archive.salvage(&name) else { continue };
            self.left = self.left.saturating_sub(bytes.len() as u64);
            bytes.truncate(MAX_STYLE_BYTES);
            let file = name.rsplit('/').next().unwrap_or_default().to_owned();
            self.styles.push((file, StyleSheet::linked(&String::from_utf8_lossy(&bytes))));
        }
        if !self.styles.iter().any(|(_, sheet)| sheet.hides()) {
            self.styles.clear();
        }
    }

    /// The text of one place of the spine, with the sections that begin there at the levels of the contents. Labels
    /// of the contents that the part itself lacks are inserted, but only into Markdown. Places must be read in order.
    ///
    /// # Errors
    /// The part is missing, encrypted, or cannot be read at all. Its headings still come with the next part.
    pub fn text_of(&mut self, at: usize, options: &HtmlOptions) -> Result<SpineText, Problem> {
        let gone = || Problem::new(ProblemKind::Damaged, format!("the spine has no place {at}"));
        let item = self.package.spine.get(at).ok_or_else(gone)?.item.clone();
        let short: Arc<str> = self.package.short(&item.path).into();
        let page = self.page(&item, options);
        let labels = self.toc_targets.labels(&self.contents, at, page.as_ref().ok());
        let locate = |bytes: Option<Span>| Locator::spine(short.clone(), bytes);
        let (text, title, problems) = match page {
            Ok(page) => {
                for (reason, words) in &page.hidden {
                    self.hidden.add(*reason, Some(&locate(None)), words);
                }
                (page.text, page.title, Ok(page.problems))
            }
            Err(problem) => (Segment::default(), None, Err(problem)),
        };
        let mut text = placed(text, &locate);
        let mut depth = self.depth;
        text = match options.markdown {
            true if self.notes.is_some() => headings::put(text, labels, &mut depth),
            true => headings::claim(text, labels, &mut depth),
            false => headings::note(text, labels),
        };
        self.depth = depth;
        self.toc_targets.settle(&text);
        if let (true, Some(rebuilder)) = (options.markdown, &mut self.rebuilder) {
            // The title of the only page is that of the book.
            let title = title.filter(|_| self.package.spine.len() > 1);
            text = rebuilder.note(text, title.as_deref());
        }
        if text.places.0.is_empty() && !text.text.is_empty() {
            text.places.push(Span::new(0, text.text.len()), locate(None));
        }
        match problems {
            Ok(problems) => Ok(SpineText { text, problems, is_read: true }),
            Err(problem) if !text.text.is_empty() => {
                Ok(SpineText { text, problems: vec![problem], is_read: false })
            }
            Err(problem) => Err(problem),
        }
    }

    /// A part of the spine as text with the names of its places.
    pub(super) fn page(
        &mut self,
        item: &ManifestItem,
        options: &HtmlOptions,
    ) -> Result<chapter::ChapterPage, Problem> {
        let (bytes, cut) = self.bytes_of(item)?;
        let notes = self.notes.clone();
        let path = item.path.as_str();
        let has_entry_into = |href: &str| self.toc_targets.has_entry_into(path, href);
        let is_target = |name: &str| self.toc_targets.has_entry_to(path, name);
        let marks = notes.as_ref().map(|notes| BookContext {
            page: notes.of(path),
            has_entry_into: &has_entry_into,
            is_target: &is_target,
        });
        let mut page = chapter::read(item, bytes, &self.encryption, options, &self.styles, marks.as_ref())?;
        page.problems.extend(cut);
        Ok(page)
    }

    /// The bytes of a part, and the problem if they are not all.
    pub(super) fn bytes_of(&mut self, item: &ManifestItem) -> Result<(Vec<u8>, Option<Problem>), Problem> {
        let name = self.find(&item.path).ok_or_else(|| missing(&item.path))?;
        if self.left == 0 {
            let message =
                format!("the book expands beyond {MAX_BOOK_BYTES} bytes: `{}` is left out", item.path);
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        let (bytes, cut) = self.archive.salvage(&name)?;
        if cut.is_some() && bytes.is_empty() {
            return Err(cut.unwrap_or_else(|| missing(&item.path)));
        }
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok((bytes, cut))
    }

    /// Finds the notes and the printed pages of the book, to be marked in its text; returns the pages.
    pub(super) fn find_marks(&mut self) -> Vec<(String, String)> {
        let (nav, ncx) = (self.package.nav.clone(), self.package.ncx.clone());
        let mut pages = self.contents_in(nav, contents::pages_of_nav);
        if pages.is_empty() {
            pages = self.contents_in(ncx, contents::pages_of_ncx);
        }
        let mut survey = NoteSurvey::default();
        let left = self.left;
        for at in 0..self.package.spine.len() {
            let item = self.package.spine[at].item.clone();
            if let Ok((bytes, _)) = self.bytes_of(&item)
                && let Some(source) = chapter::page_source(&item, bytes)
            {
                survey.add(&item.path, &source);
            }
        }
        self.left = left;
        self.notes = Some(Arc::new(survey.finish(&pages)));
        pages.into_iter().map(|page| ("page".to_owned(), page.label)).collect()
    }

    /// The metadata of the book.
    pub fn metadata(&self) -> Vec<(String, String)> {
        let row = |(key, value): &(String, String)| (key.clone(), without_markup(value));
        self.package.metadata.iter().map(row).collect()
    }

    /// The name of the entry that a path means: itself, or the only entry that it can mean.
    pub(super) fn find(&mut self, path: &str) -> Option<String> {
        if self.archive.has(path) {
            return Some(path.to_owned());
        }
        let names = self.archive.names();
        let known =
            self.known.get_or_insert_with(|| PathIndex::new(names.iter().map(String::as_str).enumerate()));
        names.get(known.find(path)?).cloned()
    }
}

/// The first package document that has a spine; without one, the existing pages. With the reason if it is not whole.
fn read_package(
    archive: &mut Archive<'_>,
    encryption: &Encryption,
) -> Result<(Package, Option<Problem>), Problem> {
    let mut failed = None;
    for path in container::packages(archive) {
        match archive.salvage(&path) {
            Ok((bytes, damage)) => {
                let package = Package::read(&path, &container::decoded(&bytes));
                if !package.spine.is_empty() {
                    return Ok((package, damage));
                }
                let kind =
                    if encryption.covers(&path) { ProblemKind::Encrypted } else { ProblemKind::Damaged };
                failed.get_or_insert(Problem::new(
                    kind,
                    format!("the package document `{path}` lists nothing to read"),
                ));
            }
            Err(problem) => failed = failed.or(Some(problem)),
        }
    }
    let package = Package::of_pages(archive.names());
    match package.spine.is_empty() {
        false => Ok((package, failed)),
        true => Err(failed.unwrap_or_else(|| {
            Problem::new(
                ProblemKind::Damaged,
                "no book: the package has neither a package document nor pages",
            )
        })),
    }
}

/// Descriptions are often pages; only their words are shown.
fn without_markup(value: &str) -> String {
    if !value.contains("</") && !value.contains("/>") && !value.contains("<br") {
        return value.to_owned();
    }
    let decoded = Segment { text: value.to_owned(), ..Segment::default() };
    let options = HtmlOptions { markdown: false, main_content: false };
    read_html(decoded, &options).text.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn missing(path: &str) -> Problem {
    Problem::new(ProblemKind::Damaged, format!("the book has no `{path}`, which its spine names"))
}
