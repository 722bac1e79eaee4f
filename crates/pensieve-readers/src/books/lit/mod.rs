//! Books of Microsoft Reader (`.lit`): pages in the order of the spine, with headings and places.
//!
//! A container of packed sections ([`container`], [`section`], [`lzx`]), most of them sealed with a key that is in
//! the book itself ([`drm`], [`cipher`]), contains pages in which elements are numbers ([`binary`], [`names`]); the
//! package document ([`package`]) has their reading order. Pages go through the HTML reader. Books for one owner or
//! buyer are refused with the name of their scheme. Sources: published notes on ITSS, LZX and LIT, and books.

mod binary;
mod cipher;
mod container;
mod drm;
mod lzx;
mod names;
mod package;
mod section;

use crate::books::epub::headings::{AnchorConfidence, HeadingDepth, TocLabel, put};
use crate::books::palm_database::damaged;
use crate::limits::lit::{MAX_BOOK_BYTES, MAX_PARSED_PAGE_BYTES, SEGMENT_BYTES};
use crate::settings::HtmlOptions;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html::read_chapter;
use binary::{PageAtoms, markup};
use container::LitContainer;
use package::{ManifestPage, PackageDocument, TourStop};
use pensieve_text::model::{Document, Locator, LocatorMap, Problem, Segment, Span, TextKind};
use std::collections::HashMap;

/// Reads a book.
///
/// # Errors
/// `Encrypted` for books of one owner or buyer, `Damaged` if no page can be read.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let mut container = LitContainer::open(&bytes)?;
    let options = &settings.html;
    let package = PackageDocument::read(&mut container);
    drm::find_key(&mut container)?;
    let pages = package.pages(&mut container);
    let mut text = Segment::default();
    let (mut has_text, mut missing, mut sections) = (false, Vec::new(), 0);
    let mut left = MAX_BOOK_BYTES;
    for item in &pages {
        let Some(mut part) = page(&mut container, item, &package.stops, options, &mut left) else {
            missing.push(item.name.clone());
            continue;
        };
        if part.text.trim().is_empty() {
            continue;
        }
        if has_text {
            text.append(Segment { text: "\n".to_owned(), ..Segment::default() });
        }
        has_text = true;
        for section in &mut part.sections {
            section.seq = sections;
            sections += 1;
        }
        text.append(part);
        if text.text.len() > SEGMENT_BYTES && options.markdown {
            sink.text(std::mem::take(&mut text))?;
        }
    }
    if pages.len() == missing.len() {
        return Err(damaged("no page of the book can be read"));
    }
    let mut document = Document {
        text,
        kind: Some(if options.markdown { TextKind::Markup } else { TextKind::Prose }),
        encoding: Some("utf-8".to_owned()),
        mime: Some("application/x-ms-reader".to_owned()),
        metadata: package.metadata,
        ..Document::default()
    };
    report_missing(&mut document, &missing, &container.broken, pages.len());
    Ok(document)
}

/// Reports the pages and sections that could not be read.
fn report_missing(document: &mut Document, missing: &[String], broken: &[String], pages: usize) {
    if let Some(first) = missing.first() {
        let message = format!("{} of {pages} pages cannot be read, the first is `{first}`", missing.len());
        document.report(damaged(&message));
    }
    if let Some(section) = broken.first() {
        let message = format!("the section `{section}` is broken: part of its text is missing");
        document.report(damaged(&message));
    }
}

/// A page as text. `None` if it is missing.
fn page(
    container: &mut LitContainer<'_>,
    item: &ManifestPage,
    stops: &[TourStop],
    options: &HtmlOptions,
    left: &mut usize,
) -> Option<Segment> {
    let bytes = container.stream(&format!("/data/{}/content", item.stored))?;
    *left = left.checked_sub(bytes.len())?;
    let atoms = container.stream(&format!("/data/{}/atom", item.stored));
    let atoms = atoms.map(|bytes| PageAtoms::read(&bytes)).unwrap_or_default();
    // A page that a broken section left blank counts as missing.
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) && !bytes.is_empty() {
        return None;
    }
    let html = markup(&bytes, &names::PAGE, &atoms);
    let mut text = String::new();
    let mut anchors: HashMap<String, usize> = HashMap::new();
    for segment in page_segments(&html) {
        let decoded = Segment { text: segment.to_owned(), ..Segment::default() };
        let chapter = read_chapter(decoded, options);
        if !text.is_empty() && !chapter.text.text.is_empty() {
            text.push('\n');
        }
        for (name, at) in chapter.anchors {
            anchors.entry(name).or_insert(text.len() + at);
        }
        text.push_str(&chapter.text.text);
    }
    let whole = Segment { text, ..Segment::default() };
    let labels = labels(item, stops, &anchors);
    let whole = if options.markdown { put(whole, labels, &mut HeadingDepth::default()) } else { whole };
    let place = Locator::spine(item.name.as_str(), None);
    let places =
        if whole.text.is_empty() { Vec::new() } else { vec![(Span::new(0, whole.text.len()), place)] };
    Some(Segment {
        text: whole.text,
        places: LocatorMap(places),
        sections: whole.sections,
        ..Segment::default()
    })
}

/// The labels of the tour stops that point into a page.
fn labels<'s>(
    item: &ManifestPage,
    stops: &'s [TourStop],
    anchors: &HashMap<String, usize>,
) -> Vec<TocLabel<'s>> {
    let label = |(seq, stop): (usize, &'s TourStop)| {
        let (at, confidence) = match stop.fragment.is_empty() {
            true => (0, AnchorConfidence::Start),
            false => (*anchors.get(&stop.fragment)?, AnchorConfidence::Place),
        };
        Some(TocLabel { seq, level: 0, words: &stop.label, at, confidence })
    };
    stops.iter().enumerate().filter(|(_, stop)| stop.page == item.stored).filter_map(label).collect()
}

/// Splits large pages into segments, where a paragraph or at least an element begins.
fn page_segments(html: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = html;
    while rest.len() > MAX_PARSED_PAGE_BYTES {
        let half = (MAX_PARSED_PAGE_BYTES / 2..MAX_PARSED_PAGE_BYTES)
            .find(|&at| rest.is_char_boundary(at))
            .unwrap_or(rest.len());
        let cut =
            rest[half..].find("<p").or_else(|| rest[half..].find('<')).map_or(rest.len(), |at| half + at);
        let (segment, tail) = rest.split_at(cut);
        found.push(segment);
        rest = tail;
    }
    found.push(rest);
    found
}

#[cfg(test)]
mod tests;
