//! Books of Microsoft Reader (`.lit`): pages in the order of the spine, with headings and places.
//!
//! A container of packed sections ([`container`], [`section`], [`lzx`]), most of them sealed with a key that is in the
//! book itself ([`drm`], [`cipher`]), holds pages in which elements are numbers ([`binary`], [`names`]); the package
//! document ([`package`]) says in which order they are read. Pages go through the HTML reader. Books for one
//! owner or buyer are refused by the name of their scheme. The format was learnt from published notes on ITSS, LZX and
//! LIT, and from books.

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
use crate::settings::HtmlOptions;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html::read_chapter;
use binary::{Atoms, markup};
use container::Container;
use package::{Item, Package, Stop};
use pensieve_text::model::{
    Document, Locator, LocatorMap, Problem, ReviewReason, ReviewReasonKind, Segment, Span, TextKind,
};
use std::collections::HashMap;

/// Bytes of text after which a book is handed over in stretches.
const STRETCH: usize = 8 << 20;

/// Bytes of all pages; streams may share theirs, so that their number bounds nothing.
const LARGEST_BOOK: usize = 16 << 20;

/// Larger pages are read in pieces of about this size.
const LARGEST_PAGE: usize = 2 << 20;

/// Reads a book.
///
/// # Errors
/// `Encrypted` for books of one owner or buyer, `Damaged` where no page can be read.
pub fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let mut container = Container::open(&bytes)?;
    let options = &settings.html;
    let package = Package::read(&mut container);
    drm::find_key(&mut container)?;
    let pages = package.pages(&mut container);
    let mut text = Segment::default();
    let (mut has_text, mut missing, mut sections) = (false, Vec::new(), 0);
    let mut left = LARGEST_BOOK;
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
        if text.text.len() > STRETCH && options.markdown {
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
    tell_missing(&mut document, &missing, &container.broken, pages.len());
    Ok(document)
}

/// Tells what of a book could not be read.
fn tell_missing(document: &mut Document, missing: &[String], broken: &[String], pages: usize) {
    if let Some(first) = missing.first() {
        let message = format!("{} of {pages} pages cannot be read, the first is `{first}`", missing.len());
        document.problems.push(damaged(&message));
        document.review_reasons.push(ReviewReason::new(ReviewReasonKind::SkippedParts, message));
    }
    if let Some(section) = broken.first() {
        let message = format!("the section `{section}` is broken: part of its text is missing");
        document.problems.push(damaged(&message));
        document.review_reasons.push(ReviewReason::new(ReviewReasonKind::SkippedParts, message));
    }
}

/// A page as text. `None` where it is not there.
fn page(
    container: &mut Container<'_>,
    item: &Item,
    stops: &[Stop],
    options: &HtmlOptions,
    left: &mut usize,
) -> Option<Segment> {
    let bytes = container.stream(&format!("/data/{}/content", item.stored))?;
    *left = left.checked_sub(bytes.len())?;
    let atoms = container.stream(&format!("/data/{}/atom", item.stored));
    let atoms = atoms.map(|bytes| Atoms::read(&bytes)).unwrap_or_default();
    // What a broken section left blank is no page.
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) && !bytes.is_empty() {
        return None;
    }
    let html = markup(&bytes, &names::PAGE, &atoms);
    let mut text = String::new();
    let mut anchors: HashMap<String, usize> = HashMap::new();
    for piece in pieces(&html) {
        let decoded = Segment { text: piece.to_owned(), ..Segment::default() };
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

/// The stops of the tour that lead into a page.
fn labels<'s>(item: &Item, stops: &'s [Stop], anchors: &HashMap<String, usize>) -> Vec<TocLabel<'s>> {
    let label = |(seq, stop): (usize, &'s Stop)| {
        let (at, standing) = match stop.fragment.is_empty() {
            true => (0, AnchorConfidence::Start),
            false => (*anchors.get(&stop.fragment)?, AnchorConfidence::Place),
        };
        Some(TocLabel { seq, level: 0, words: &stop.label, at, standing })
    };
    stops.iter().enumerate().filter(|(_, stop)| stop.page == item.stored).filter_map(label).collect()
}

/// Large pages in pieces, cut where a paragraph or at least an element begins.
fn pieces(html: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = html;
    while rest.len() > LARGEST_PAGE {
        let half =
            (LARGEST_PAGE / 2..LARGEST_PAGE).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
        let cut =
            rest[half..].find("<p").or_else(|| rest[half..].find('<')).map_or(rest.len(), |at| half + at);
        let (piece, behind) = rest.split_at(cut);
        found.push(piece);
        rest = behind;
    }
    found.push(rest);
    found
}
