//! [`expand`]: the text around what was found, up to its section, its page or its neighbours.

use super::page_places::page_around;
use super::section_places::section_around;
use crate::store::{Citation, DocumentText, Hit, Store, StoreError};
use pensieve_text::model::{Segment, Span};
use pensieve_text::names;
use serde::Serialize;
use std::ops::Range;
use utoipa::ToSchema;

/// Bytes of an expanded text; a longer hit is kept whole.
pub const MAX_EXPANDED_BYTES: usize = 64 << 10;

names! {
    /// How far a hit is expanded.
    Expansion {
        /// To the smallest section around it.
        Section = "section",
        /// To the pages, slides or sheets that it is on.
        Page = "page",
        /// To the chunks before and after it.
        Neighbours = "neighbours",
    }
}

/// The text around a hit, at its first place: exact bytes of the clean text.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Expanded)]
pub struct ExpandedText {
    /// What it is: `section`, `page` or `neighbours`.
    pub expand: &'static str,
    /// The text.
    pub text: String,
    /// First byte in the clean text.
    pub start: usize,
    /// First byte after it.
    pub end: usize,
    /// Its citation.
    #[schema(value_type = String)]
    pub citation: Citation,
    /// Lines, pages, cells, ...: an object whose keys depend on the format.
    #[schema(value_type = Option<Object>)]
    pub locator: Option<serde_json::Value>,
    /// True if the section, page or neighbours continue: there are at most 64 KiB of text around a hit.
    pub truncated: bool,
    /// Why it is something else than what was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub note: Option<String>,
}

/// A hit with the text around its first place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpandedHit {
    /// Its database, if several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// The hit.
    #[serde(flatten)]
    pub hit: Hit,
    /// The text around it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<ExpandedText>,
}

/// Expands the first place of each hit.
///
/// Cost: that of [`expand`] for each hit.
pub fn expand_hits(
    store: &Store,
    hits: Vec<Hit>,
    expansion: Option<Expansion>,
) -> Result<Vec<ExpandedHit>, StoreError> {
    let expand_hit = |hit: Hit| {
        let expanded = match (expansion, hit.sources.first()) {
            (Some(expansion), Some(place)) => match store.documents().clean_text(&place.doc_uid)? {
                Some(text) => expand(&text, place.at.start..place.at.end, expansion)?,
                None => None,
            },
            _ => None,
        };
        Ok(ExpandedHit { corpus: None, hit, expanded })
    };
    hits.into_iter().map(expand_hit).collect()
}

/// The text around a span of a document; `None` if the text has no such span.
///
/// The text has at most [`MAX_EXPANDED_BYTES`] and is cut at ends of lines, unless the span alone has more.
///
/// Cost: unpacks the segments (at most 1 MiB of text each) that it touches, and their maps.
pub fn expand(
    text: &DocumentText<'_>,
    span: Range<usize>,
    expansion: Expansion,
) -> Result<Option<ExpandedText>, StoreError> {
    if span.start >= span.end || span.end > text.bytes {
        return Ok(None);
    }
    let page = match expansion {
        Expansion::Page => page_around(text, span.clone(), MAX_EXPANDED_BYTES)?,
        _ => None,
    };
    let (expand, wanted) = match (expansion, page) {
        (Expansion::Neighbours, _) => (Expansion::Neighbours, neighbours_around(text, &span)?),
        (_, Some(page)) => (Expansion::Page, page),
        _ => (Expansion::Section, section_around(text, &span, MAX_EXPANDED_BYTES)?),
    };
    let (start, around) = text.around(span.clone(), MAX_EXPANDED_BYTES)?;
    let around = TextAround { text: &around, start };
    let fitted = around.fitted(&span, &wanted);
    let Some(segment) = text.segment(fitted.clone())? else { return Ok(None) };
    let note =
        (expand != expansion).then(|| format!("`{}` has no pages; its section instead", text.document.name));
    Ok(Some(ExpandedText {
        expand: expand.as_str(),
        citation: Citation::new(&text.document.doc_uid, fitted.start, &segment.text),
        locator: locator_of(&segment),
        truncated: around.has_more(&fitted, &wanted),
        text: segment.text,
        start: fitted.start,
        end: fitted.end,
        note,
    }))
}

/// The locator of a text as JSON, without the boxes of its sentences, of which there may be thousands.
fn locator_of(segment: &Segment) -> Option<serde_json::Value> {
    let locator = segment.locate(Span { start: 0, end: segment.text.len() })?;
    let mut json: serde_json::Value = serde_json::from_str(&locator.to_json()).ok()?;
    json.as_object_mut()?.remove("sentences");
    Some(json)
}

/// From the chunk before a span to the one after it.
fn neighbours_around(text: &DocumentText<'_>, span: &Range<usize>) -> Result<Range<usize>, StoreError> {
    let before = text.chunks_before(span.start, 1)?.pop();
    let start = before.map_or(span.start, |chunk| chunk.place.start.min(span.start));
    // A chunk that begins in the span is its neighbour only if it goes on after it.
    let after = text.chunks_from(span.start + 1, 64)?.into_iter().find(|chunk| chunk.place.end > span.end);
    let end = after.map_or(span.end, |chunk| chunk.place.end);
    Ok(start..end)
}

/// The text around a span, from byte `start` of the whole text on.
struct TextAround<'t> {
    text: &'t str,
    start: usize,
}

impl TextAround<'_> {
    /// The part of `wanted` around a span that fits, cut at ends of lines, without blanks at its ends.
    fn fitted(&self, span: &Range<usize>, wanted: &Range<usize>) -> Range<usize> {
        let end = self.start + self.text.len();
        let wanted = wanted.start.clamp(self.start, span.start)..wanted.end.clamp(span.end, end);
        let free = MAX_EXPANDED_BYTES.saturating_sub(span.len());
        let (before, after) = (span.start - wanted.start, wanted.end - span.end);
        let taken_before = before.min((free / 2).max(free.saturating_sub(after)));
        let taken_after = after.min(free - taken_before);
        let start = match taken_before < before || (self.start > 0 && wanted.start == self.start) {
            true => self.line_start(span.start - taken_before, span.start),
            false => wanted.start,
        };
        let end = match taken_after < after || (wanted.end == end) {
            true => self.line_end(span.end, span.end + taken_after),
            false => wanted.end,
        };
        self.trimmed(start..end, span)
    }

    /// The first start of a line from `from` on; if none is before `to`, the first border of a character.
    fn line_start(&self, from: usize, to: usize) -> usize {
        let (first, end) = (self.text.ceil_char_boundary(from - self.start), to - self.start);
        let line = self.text.get(first..end).and_then(|text| text.find('\n')).map(|at| first + at + 1);
        self.start + line.unwrap_or(first.min(end))
    }

    /// The end of the last line that ends at `to` or before; if none is after `from`, the last border of a character.
    fn line_end(&self, from: usize, to: usize) -> usize {
        let (first, end) = (from - self.start, self.text.floor_char_boundary(to - self.start));
        if end == self.text.len() || self.text.as_bytes()[end] == b'\n' {
            return self.start + end;
        }
        let line = self.text.get(first..end).and_then(|text| text.rfind('\n')).map(|at| first + at);
        self.start + line.unwrap_or(end.max(first))
    }

    /// Without blanks at the ends; the span stays whole.
    fn trimmed(&self, range: Range<usize>, span: &Range<usize>) -> Range<usize> {
        let before = &self.text[range.start - self.start..span.start - self.start];
        let after = &self.text[span.end - self.start..range.end - self.start];
        let start = match before.trim_start() {
            "" => span.start,
            kept => span.start - kept.len(),
        };
        start..span.end + after.trim_end().len()
    }

    /// True if more than blanks of what was wanted is left out.
    fn has_more(&self, kept: &Range<usize>, wanted: &Range<usize>) -> bool {
        let has_words = |from: usize, to: usize| {
            let start = from.checked_sub(self.start);
            let part = start.and_then(|start| self.text.get(start..to.saturating_sub(self.start)));
            from < to && part.is_none_or(|part| !part.trim().is_empty())
        };
        has_words(wanted.start, kept.start) || has_words(kept.end, wanted.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{only_uid, text_in_segments};

    #[test]
    fn expansions_have_names() {
        for name in Expansion::NAMES {
            assert_eq!(Expansion::from_name(name).map(Expansion::as_str), Some(name));
        }
        assert_eq!(Expansion::from_name("chapter"), None);
    }

    #[test]
    fn a_text_without_pages_gives_its_section_and_says_so() {
        let store = text_in_segments(&["one\n\ntwo\n", "three\n"]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let page = expand(&text, 5..8, Expansion::Page).unwrap().unwrap();
        assert_eq!((page.expand, page.text.as_str(), page.truncated), ("section", "two", false));
        assert_eq!(page.note.as_deref(), Some("`a.txt` has no pages; its section instead"));
        assert!(page.citation.names("two"));
        assert_eq!(expand(&text, 5..99, Expansion::Section).unwrap(), None);
    }

    /// What is kept of `wanted` around a span of a text of lines of ten bytes, and whether more was wanted.
    fn fitted(lines: usize, span: Range<usize>, wanted: Range<usize>) -> (Range<usize>, bool) {
        let text = "123456789\n".repeat(lines);
        let around = TextAround { text: &text, start: 0 };
        let kept = around.fitted(&span, &wanted);
        let more = around.has_more(&kept, &wanted);
        (kept, more)
    }

    #[test]
    fn expanded_text_is_bounded_and_ends_at_lines() {
        assert_eq!(fitted(10, 20..25, 0..100), (0..99, false));
        assert_eq!(fitted(10, 20..25, 18..40), (18..39, false));
        let (kept, more) = fitted(20_000, 100_000..100_005, 0..200_000);
        assert!(more && kept.len() <= MAX_EXPANDED_BYTES && kept.len() > MAX_EXPANDED_BYTES - 40, "{kept:?}");
        assert_eq!((kept.start % 10, kept.end % 10), (0, 9));
        let (kept, more) = fitted(20_000, 0..5, 0..200_000);
        assert!(more && kept == (0..65_529), "{kept:?}");
        let (kept, more) = fitted(20_000, 10..150_000, 0..200_000);
        assert!(more && kept == (10..150_000), "{kept:?}");
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let text = "ö".repeat(100_000);
        let around = TextAround { text: &text, start: 0 };
        let kept = around.fitted(&(100_000..100_002), &(0..200_000));
        assert!(text.is_char_boundary(kept.start) && text.is_char_boundary(kept.end), "{kept:?}");
        assert!(kept.len() <= MAX_EXPANDED_BYTES && kept.len() > MAX_EXPANDED_BYTES - 8, "{kept:?}");
    }

    #[test]
    fn neighbours_are_the_chunks_before_and_after() {
        let store = crate::store::testing::corpus(&[("a.txt", &["aaaa", "bbbb", "cccc", "dddd"])]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let check = |span: Range<usize>, expected: Range<usize>| {
            assert_eq!(neighbours_around(&text, &span).unwrap(), expected, "{span:?}");
        };
        check(5..9, 0..14);
        check(0..4, 0..9);
        check(5..12, 0..14);
        check(5..14, 0..19);
        check(6..8, 5..14);
        check(15..19, 10..19);
        let found = expand(&text, 5..9, Expansion::Neighbours).unwrap().unwrap();
        let expected = ExpandedText {
            expand: "neighbours",
            text: "aaaa\nbbbb\ncccc".to_owned(),
            start: 0,
            end: 14,
            citation: Citation::new(&only_uid(&store), 0, "aaaa\nbbbb\ncccc"),
            locator: found.locator.clone(),
            truncated: false,
            note: None,
        };
        assert_eq!(found, expected);
        for span in [5..5, 19..21, 20..20] {
            assert_eq!(expand(&text, span, Expansion::Neighbours).unwrap(), None);
        }
        assert_eq!(expand(&text, 15..20, Expansion::Neighbours).unwrap().unwrap().end, 20);
    }

    #[test]
    fn what_was_not_looked_at_is_cut_off_at_a_line() {
        let text = "123456789\n".repeat(10);
        let check = |start: usize, wanted: Range<usize>, kept: Range<usize>, has_more: bool| {
            let around = TextAround { text: &text, start };
            let found = around.fitted(&(start + 20..start + 25), &wanted);
            assert_eq!(
                (found.clone(), around.has_more(&found, &wanted)),
                (kept, has_more),
                "{start} {wanted:?}"
            );
        };
        check(1000, 900..2000, 1010..1099, true);
        check(1000, 1000..1050, 1010..1049, true);
        check(1000, 1005..1050, 1005..1049, false);
        check(1000, 1020..1025, 1020..1025, false);
        check(0, 0..50, 0..49, false);
        check(0, 3..100, 3..99, false);
    }

    #[test]
    fn cuts_are_at_lines_or_between_characters() {
        let around = TextAround { text: "ab\ncd\nef", start: 1000 };
        let start = |from, to| around.line_start(from, to);
        assert_eq!(
            [start(1000, 1008), start(1002, 1008), start(1003, 1005), start(1006, 1008)],
            [1003, 1003, 1003, 1006]
        );
        let end = |from, to| around.line_end(from, to);
        assert_eq!(
            [end(1000, 1008), end(1000, 1005), end(1000, 1004), end(1003, 1004)],
            [1008, 1005, 1002, 1004]
        );
        let letters = TextAround { text: "öö\nxö", start: 1000 };
        assert_eq!((letters.line_start(1001, 1004), letters.line_end(1005, 1007)), (1002, 1006));
        let blanks = TextAround { text: " \n a b \n ", start: 1000 };
        let trimmed = |range, span| blanks.trimmed(range, &span);
        assert_eq!(trimmed(1000..1009, 1003..1004), 1003..1006);
        assert_eq!(trimmed(1000..1009, 1005..1006), 1003..1006);
        assert_eq!(trimmed(1000..1009, 1002..1003), 1002..1006);
        let more = |kept, wanted| blanks.has_more(&kept, &wanted);
        assert!(
            !more(1003..1006, 1000..1009) && more(1004..1006, 1000..1009) && more(1003..1005, 1000..1009)
        );
        assert!(more(1003..1006, 1000..1010) && more(1003..1006, 990..1006) && !more(1003..1006, 1003..1006));
    }
}
