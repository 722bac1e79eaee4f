//! The unchanged pages of a book, for a converter: decoded, with marker words at the places that the contents point
//! to.
//!
//! The words pass through any converter, and are found again in its output. A page begins with a character that no
//! text contains, then its path; another such character separates the path from the page.

use super::book::{Book, SpineText};
use super::headings::{AnchorConfidence, HeadingDepth, TocLabel, placed, put};
use super::page_notes;
use super::toc_targets::TocTarget;
use crate::web::html::note_words;
use pensieve_text::model::{Locator, LocatorMap, Problem, SectionStart, Segment, Span};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::sync::Arc;

/// Begins a page. A noncharacter: decoded text that has it loses it.
const BEGIN: char = '\u{fdd0}';

/// Separates a page from its path.
const DIVIDE: char = '\u{fdd1}';

/// The text before and after the number of a place.
const WORD: (&str, &str) = ("PENSIEVEPLACE", "XQ");

/// One page with the places of the contents in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedPage {
    /// Its path, as the package names it.
    pub name: String,
    /// Its source, with the marker words.
    pub source: String,
    /// The entries of the contents that point into it.
    pub entries: Vec<SectionStart>,
}

impl Book<'_> {
    /// The source of one place of the spine.
    pub(super) fn source_of(&mut self, at: usize) -> Result<SpineText, Problem> {
        let item = self.package.spine[at].item.clone();
        let read = self.bytes_of(&item).and_then(|(bytes, cut)| {
            if self.encryption.covers(&item.path) && !bytes.trim_ascii_start().starts_with(b"<") {
                let message = format!("`{}` is encrypted with {}", item.path, self.encryption.scheme);
                return Err(Problem::new(pensieve_text::model::ProblemKind::Encrypted, message));
            }
            let hints = EncodingHints { declared: None, format: DeclarationFormat::Html };
            Ok((decode_all(&bytes, &hints).0.text, cut))
        });
        let is_read = read.is_ok();
        let (source, problems) = match read {
            Ok((source, cut)) => {
                let notes = self.notes.as_ref().map(|notes| notes.of(&item.path));
                let source = notes.map(|marks| note_words::with_note_words(&source, marks)).unwrap_or(source);
                (source.replace([BEGIN, DIVIDE], ""), cut.into_iter().collect())
            }
            Err(problem) => (String::new(), vec![problem]),
        };
        let (source, starts) = self.with_words(at, source);
        let head = format!("{BEGIN}{}{DIVIDE}", self.package.short(&item.path));
        let sections = starts.into_iter().map(|start| SectionStart { out: 0, ..start }).collect();
        let text = Segment { text: head + &source, sections, ..Segment::default() };
        Ok(SpineText { text, problems, is_read })
    }

    /// The source with a word at each place, and the entries that have one.
    fn with_words(&mut self, at: usize, source: String) -> (String, Vec<SectionStart>) {
        let Some(targets) = self.toc_targets.by_place.get(&at) else { return (source, Vec::new()) };
        let mut dead = Vec::new();
        let mut insertions: Vec<(usize, String)> = Vec::new();
        let mut starts = Vec::new();
        for (seq, target) in targets {
            let Some(entry) = self.contents.get(*seq) else { continue };
            let label: Arc<str> = entry.label.as_str().into();
            starts.push(SectionStart { out: 0, seq: *seq, level: entry.level, label });
            let word = format!("{}{seq}{}", WORD.0, WORD.1);
            let place = match target {
                TocTarget::Fragment(name) => place_of(&source, name).map(|at| (at, format!("{word} "))),
                TocTarget::Start => body_start(&source).map(|at| (at, format!("<p>{word}</p>"))),
                TocTarget::End => None,
            };
            if place.is_none() && entry.spine.is_some() && matches!(target, TocTarget::Fragment(_)) {
                dead.push(*seq);
            }
            insertions.extend(place);
        }
        self.toc_targets.dead.extend(dead);
        insertions.sort_by_key(|(at, _)| *at);
        let mut marked = String::with_capacity(source.len() + insertions.len() * 32);
        let mut done = 0;
        for (at, word) in insertions {
            marked.push_str(&source[done..at]);
            marked.push_str(&word);
            done = at;
        }
        marked.push_str(&source[done..]);
        (marked, starts)
    }
}

/// The byte after the tag that has a name.
fn place_of(source: &str, name: &str) -> Option<usize> {
    let found =
        ["id", "name"].iter().flat_map(|key| [format!("{key}=\"{name}\""), format!("{key}='{name}'")]);
    let at = found.filter_map(|form| source.find(&form)).min()?;
    source[at..].find('>').map(|end| at + end + 1)
}

fn body_start(source: &str) -> Option<usize> {
    let at = source.find("<body").or_else(|| source.find("<BODY"))?;
    source[at..].find('>').map(|end| at + end + 1)
}

/// The pages in the text of a book that was read for a converter.
pub fn page_parts(whole: &Segment) -> Vec<PlacedPage> {
    let mut starts = whole.text.match_indices(BEGIN).map(|(at, _)| at).chain([whole.text.len()]).peekable();
    let mut pages = Vec::new();
    while let (Some(start), Some(&end)) = (starts.next(), starts.peek()) {
        let Some((name, source)) = whole.text[start..end].trim_start_matches(BEGIN).split_once(DIVIDE) else {
            continue;
        };
        let entries = whole.sections.iter().filter(|section| (start..end).contains(&section.out)).cloned();
        pages.push(PlacedPage {
            name: name.to_owned(),
            source: source.to_owned(),
            entries: entries.collect(),
        });
    }
    pages
}

/// The depth of the headings of a book that a converter reads.
#[derive(Debug, Default)]
pub struct PageDepth(HeadingDepth);

impl PlacedPage {
    /// The Markdown that a converter made of the page, with a heading for each entry.
    pub fn settled(&self, converted: String, depth: &mut PageDepth) -> Segment {
        let mut text = page_notes::settled(&converted);
        let mut places = Vec::new();
        for entry in &self.entries {
            let word = format!("{}{}{}", WORD.0, entry.seq, WORD.1);
            places.push(text.find(&word).map(|at| (at, word)));
        }
        let mut order: Vec<(usize, usize)> =
            places.iter().enumerate().filter_map(|(n, place)| Some((place.as_ref()?.0, n))).collect();
        order.sort_unstable();
        let mut shift = 0;
        let mut found: Vec<Option<usize>> = vec![None; places.len()];
        for (at, number) in order {
            let at = at - shift;
            let length = places[number].as_ref().map_or(0, |(_, word)| word.len());
            let length = length + usize::from(text[at + length..].starts_with(' '));
            text.replace_range(at..at + length, "");
            shift += length;
            found[number] = Some(at);
        }
        let entries = self.entries.iter().zip(&found);
        let label = |(entry, at): (&'_ SectionStart, &Option<usize>)| {
            let confidence = match at {
                Some(at) if text[*at..].starts_with('\n') || *at >= text.len() => AnchorConfidence::Start,
                Some(_) => AnchorConfidence::Place,
                None => AnchorConfidence::Loose,
            };
            (TocLabel { seq: entry.seq, level: entry.level, words: "", at: 0, confidence }, *at)
        };
        let labels = placed(entries.map(label).collect());
        let labels = labels.into_iter().zip(&self.entries);
        let labels: Vec<TocLabel<'_>> =
            labels.map(|(label, entry)| TocLabel { words: &entry.label, ..label }).collect();
        let places = LocatorMap(vec![(Span::new(0, text.len()), Locator::spine(self.name.as_str(), None))]);
        let segment = Segment { text, places, ..Segment::default() };
        put(segment, labels, &mut depth.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_after_the_tag_with_its_name() {
        let check = |before: &str, after: &str| {
            assert_eq!(place_of(&format!("{before}{after}"), "x"), Some(before.len()), "{before}");
        };
        check("<p><a id=\"x\">", "words</a>");
        check("<p id='x' class='a'>", "<b>words</b></p>");
        check("words <a name='x'>", "and <a id='x'>");
        check("words <a name=\"x\"/>", "");
        assert_eq!(place_of("<a id='y'>", "x"), None);
        assert_eq!(place_of("<a id='x'", "x"), None);
        let check = |before: &str, after: &str| {
            assert_eq!(body_start(&format!("{before}{after}")), Some(before.len()), "{before}");
        };
        check("<html><body>", "<p>");
        check("<HTML><BODY CLASS='a'>", "<p>");
        assert_eq!(body_start("<html><p>words"), None);
        assert_eq!(body_start("<body"), None);
    }

    fn entry(seq: usize, level: usize, label: &str, out: usize) -> SectionStart {
        SectionStart { out, seq, level, label: label.into() }
    }

    #[test]
    fn pages_end_where_the_next_ones_begin() {
        let page = |name: &str, source: &str| format!("{BEGIN}{name}{DIVIDE}{source}");
        let first = page("one.xhtml", "<p>a");
        let text = format!("{first}{}{BEGIN}broken", page("two.xhtml", ""));
        let sections = vec![entry(0, 1, "One", 0), entry(1, 1, "Two", first.len())];
        let whole = Segment { text, sections: sections.clone(), ..Segment::default() };
        let placed = |name: &str, source: &str, entries: &[SectionStart]| PlacedPage {
            name: name.to_owned(),
            source: source.to_owned(),
            entries: entries.to_vec(),
        };
        assert_eq!(
            page_parts(&whole),
            [placed("one.xhtml", "<p>a", &sections[..1]), placed("two.xhtml", "", &sections[1..])]
        );
        assert!(page_parts(&Segment::default()).is_empty());
    }

    #[test]
    fn marker_words_become_headings_in_what_was_converted() {
        let word = |number: usize| format!("{}{number}{}", WORD.0, WORD.1);
        let page = PlacedPage {
            name: "one.xhtml".to_owned(),
            source: String::new(),
            entries: vec![
                entry(3, 1, "One", 0),
                entry(4, 2, "Two", 0),
                entry(5, 2, "Three", 0),
                entry(6, 2, "Four", 0),
            ],
        };
        let converted = format!(
            "{}\n\nWords of one.\n\n{} Words of two.\n\n## {}Other\n\nx\n\n# Four\n\ny\n",
            word(3),
            word(4),
            word(5)
        );
        let found = page.settled(converted, &mut PageDepth::default());
        assert_eq!(
            found.text.trim_start(),
            "# One\n\nWords of one.\n\n## Two\n\nWords of two.\n\n## Other\n\nx\n\n## Four\n\ny\n"
        );
        let labels: Vec<&str> = found.sections.iter().map(|section| &*section.label).collect();
        assert_eq!(labels, ["One", "Two", "Three", "Four"]);
        let place = Locator::spine("one.xhtml", None);
        assert_eq!(found.places.0, [(Span::new(0, found.text.len()), place)]);
    }
}
