//! Running text: paragraphs, lines that the author ended on purpose, sentences.
//!
//! Line ends have no meaning in hard-wrapped text, but matter in verse and lists. A line counts as ended on purpose if
//! the next word would have fitted on it, judged by the longest of a few lines around.

use super::boundary::BoundaryRank;
use super::heading_path::HeadingPath;
use super::lines::{LineSpan, lines};
use super::markup_headings::{HeadingSyntax, MarkupHeadings};
use super::outline::{BoundaryCollector, SegmentOutline};
use crate::model::Span;
use crate::text::sentences;

/// Lines on each side by which the wrapping width is judged.
const NEIGHBOUR_LINES: usize = 4;
/// Maximum bytes of a heading in plain text.
const MAX_HEADING_BYTES: usize = 64;
/// Maximum headings in a row; more short paragraphs are a list.
const MAX_HEADINGS_IN_A_ROW: usize = 3;

/// The headings of a markup other than Markdown, kept from segment to segment.
#[derive(Debug, Default)]
pub(super) struct MarkupSections {
    recogniser: Option<MarkupHeadings>,
    headings: HeadingPath,
}

impl MarkupSections {
    pub(super) fn new(syntax: Option<HeadingSyntax>) -> MarkupSections {
        MarkupSections { recogniser: syntax.map(MarkupHeadings::new), headings: HeadingPath::default() }
    }
}

/// The outline of running text, with its headings where their syntax is known.
pub(super) fn outline(collector: BoundaryCollector<'_>, sections: &mut MarkupSections) -> SegmentOutline {
    match sections.recogniser.is_some() {
        true => marked_up(collector, sections),
        false => plain(collector),
    }
}

/// Each heading begins a section; the text between headings is running text.
fn marked_up(mut collector: BoundaryCollector<'_>, sections: &mut MarkupSections) -> SegmentOutline {
    let text = collector.text();
    let all = lines(text, Span::new(0, text.len()));
    let mut paths = vec![(0, sections.headings.path())];
    let MarkupSections { recogniser: Some(recogniser), headings } = sections else { return plain(collector) };
    let words = |at: usize| all.get(at).map(|line| &text[line.start..line.end.max(line.start)]);
    let mut found = headings_of(recogniser, &all, words).into_iter().peekable();
    let mut paragraph = 0;
    let mut after_heading = false;
    for at in 0..all.len() {
        if let Some(heading) = found.next_if(|heading| heading.first == at) {
            mark_paragraph(&mut collector, &all[paragraph..at]);
            paragraph = heading.last + 1;
            let rank = if after_heading { BoundaryRank::Line } else { BoundaryRank::section(heading.level) };
            collector.mark(all[at].start, rank, true);
            headings.enter(heading.level, heading.title);
            paths.push((all[at].start, headings.path()));
            after_heading = true;
        } else if at < paragraph {
            continue;
        } else if all[at].is_blank() {
            mark_paragraph(&mut collector, &all[paragraph..at]);
            paragraph = at + 1;
        } else {
            if paragraph == at && at > 0 {
                let rank = if after_heading { BoundaryRank::Protected } else { BoundaryRank::Block };
                collector.mark(all[at].start, rank, false);
            }
            after_heading = false;
        }
    }
    mark_paragraph(&mut collector, &all[paragraph..]);
    SegmentOutline { boundaries: collector.finish(), paths, ..SegmentOutline::default() }
}

/// A heading with the lines that belong to it.
struct HeadingLines<'t> {
    first: usize,
    last: usize,
    level: usize,
    title: &'t str,
}

/// The headings among all lines, in order.
fn headings_of<'t>(
    recogniser: &mut MarkupHeadings,
    all: &[LineSpan],
    words: impl Fn(usize) -> Option<&'t str>,
) -> Vec<HeadingLines<'t>> {
    let mut found: Vec<HeadingLines<'t>> = Vec::new();
    for at in 0..all.len() {
        let above = at.checked_sub(1).and_then(&words);
        let heading = recogniser.heading(above, words(at).unwrap_or_default(), words(at + 1));
        if let Some((level, title)) = heading {
            let (first, last) = recogniser.extent(at, &words);
            // One line of signs may be under one title and over the next.
            let first = found.last().map_or(first, |before| first.max(before.last + 1));
            found.push(HeadingLines { first, last, level: usize::from(level), title });
        }
    }
    found
}

fn plain(mut collector: BoundaryCollector<'_>) -> SegmentOutline {
    let text = collector.text();
    let all = lines(text, Span::new(0, text.len()));
    let mut paragraphs = all
        .chunk_by(|a, b| a.is_blank() == b.is_blank())
        .filter(|paragraph| !paragraph[0].is_blank())
        .peekable();
    let mut headings = 0;
    let mut above: Option<&LineSpan> = None;
    while let Some(paragraph) = paragraphs.next() {
        let looks = looks_like_heading(text, paragraph) && paragraphs.peek().is_some();
        if let Some(above) = above {
            // `He said:` goes on in the next paragraph.
            let goes_on = above.words(text).ends_with([':', ',', '-', '—']);
            let rank = if goes_on { BoundaryRank::SentenceLine } else { paragraph_rank(headings, looks) };
            collector.mark(paragraph[0].start, rank, false);
        }
        headings = if looks { headings + 1 } else { 0 };
        above = paragraph.last();
        mark_paragraph(&mut collector, paragraph);
    }
    SegmentOutline { boundaries: collector.finish(), ..SegmentOutline::default() }
}

/// The rank of a paragraph's start after `headings` headings: a heading begins a section and stays with the text after
/// it.
fn paragraph_rank(headings: usize, is_heading: bool) -> BoundaryRank {
    match (headings, is_heading) {
        (0, true) => BoundaryRank::Section6,
        (0, false) => BoundaryRank::Block,
        (n, _) if n <= MAX_HEADINGS_IN_A_ROW => BoundaryRank::Line,
        _ => BoundaryRank::Block,
    }
}

/// True for a paragraph of one short line that contains a word and ends without a full stop.
pub(super) fn looks_like_heading(text: &str, paragraph: &[LineSpan]) -> bool {
    let [line] = paragraph else { return false };
    let words = line.words(text);
    words.len() <= MAX_HEADING_BYTES
        && words.chars().any(char::is_alphabetic)
        // Sentences, speeches and introductions of lists end with these; titles hardly do.
        && !words.ends_with([
            '.', ',', ';', ':', '!', '?', '"', '\'', '”', '’', '»', '…', '-', '。', '」', '！', '？', ')',
        ])
}

/// Marks the lines and sentences inside a paragraph.
pub(super) fn mark_paragraph(collector: &mut BoundaryCollector<'_>, paragraph: &[LineSpan]) {
    let text = collector.text();
    let (Some(first), Some(last)) = (paragraph.first(), paragraph.last()) else { return };
    let mut next = 1;
    sentences::starts(text, Span::new(first.words, last.end), |at| {
        while next < paragraph.len() && paragraph[next].words < at {
            mark_line(collector, paragraph, next, false);
            next += 1;
        }
        if next < paragraph.len() && paragraph[next].words == at {
            mark_line(collector, paragraph, next, true);
            next += 1;
        } else {
            collector.mark(at, BoundaryRank::Sentence, false);
        }
    });
    for line in next..paragraph.len() {
        mark_line(collector, paragraph, line, false);
    }
}

fn mark_line(
    collector: &mut BoundaryCollector<'_>,
    paragraph: &[LineSpan],
    number: usize,
    is_sentence: bool,
) {
    let line = &paragraph[number];
    let is_on_purpose = ends_on_purpose(collector.text(), paragraph, number - 1);
    let rank = match (is_on_purpose, is_sentence) {
        (true, true) => BoundaryRank::SentenceLine,
        (true, false) if starts_entry(collector.text(), line) => BoundaryRank::SentenceLine,
        (true, false) => BoundaryRank::Line,
        (false, true) => BoundaryRank::Sentence,
        (false, false) => return,
    };
    collector.mark(line.start, rank, false);
}

/// True if the first word of the next line would have fitted on this one with room to spare, because some text is
/// wrapped loosely. Before a word in lower case the line must be half empty.
fn ends_on_purpose(text: &str, paragraph: &[LineSpan], number: usize) -> bool {
    let around = &paragraph
        [number.saturating_sub(NEIGHBOUR_LINES)..(number + NEIGHBOUR_LINES + 1).min(paragraph.len())];
    let width = around.iter().map(LineSpan::len).max().unwrap_or(0);
    let words = paragraph[number + 1].words(text);
    let spare = if words.starts_with(char::is_lowercase) { width / 2 } else { width / 16 };
    let room = width.saturating_sub(paragraph[number].len() + spare);
    words.len() < room || words.bytes().take(room).any(|b| b.is_ascii_whitespace())
}

/// True for a line that starts like an entry of a log or list: with neither a letter nor an opening quote.
fn starts_entry(text: &str, line: &LineSpan) -> bool {
    line.words(text)
        .starts_with(|c: char| !c.is_alphabetic() && !matches!(c, '"' | '\'' | '“' | '‘' | '«' | '('))
}

#[cfg(test)]
mod tests {
    use super::super::boundary::CutConstraints;
    use super::*;
    use crate::model::SpanMap;
    use crate::text::tokens::Tokenizer;

    fn check(text: &str, expected: &[(&str, BoundaryRank)]) {
        let map = SpanMap::default();
        let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
        let marks = plain(BoundaryCollector::new(CutConstraints::new(text, &map), &index)).boundaries;
        let found: Vec<(&str, BoundaryRank)> = marks
            .iter()
            .map(|mark| (text[mark.at..].split_whitespace().next().unwrap_or_default(), mark.rank))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn headings_of_other_markups_begin_their_sections() {
        let text = "Title\n=====\n\nFirst words.\n\nPart\n----\nMore words.\n";
        let map = SpanMap::default();
        let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
        let collector = BoundaryCollector::new(CutConstraints::new(text, &map), &index);
        let outline = outline(collector, &mut MarkupSections::new(Some(HeadingSyntax::ReStructuredText)));
        let path_of = |words: &str| {
            let at = text.find(words).unwrap();
            outline.path_of(Span::new(at, at + 1))
        };
        assert_eq!(path_of("First"), Some("Title"));
        assert_eq!(path_of("More"), Some("Title > Part"));
        let part = outline.boundaries.iter().find(|mark| text[mark.at..].starts_with("Part"));
        assert_eq!(part.map(|mark| mark.rank), Some(BoundaryRank::Section2));
    }

    #[test]
    fn a_section_begins_above_its_title_with_all_that_belongs_to_it() {
        let check = |syntax, text: &str, expected: &[(&str, BoundaryRank)]| {
            let map = SpanMap::default();
            let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
            let marks = outline(
                BoundaryCollector::new(CutConstraints::new(text, &map), &index),
                &mut MarkupSections::new(Some(syntax)),
            )
            .boundaries;
            let found: Vec<(&str, BoundaryRank)> =
                marks.iter().map(|mark| (text[mark.at..].lines().next().unwrap(), mark.rank)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            HeadingSyntax::ReStructuredText,
            "Words.\n\n=====\nTitle\n=====\n\nWords.\n\n.. _a:\n.. _b:\n\nPart\n----\n\nSub\n~~~\n\nMore.\n",
            &[
                ("=====", BoundaryRank::Section1),
                ("Words.", BoundaryRank::Protected),
                (".. _a:", BoundaryRank::Section2),
                ("Sub", BoundaryRank::Line),
                ("More.", BoundaryRank::Protected),
            ],
        );
        check(
            HeadingSyntax::ReStructuredText,
            "Part\n----\n\n.. _a: http://x.org\n\nNext\n----\nLast\n----\n",
            &[
                ("Part", BoundaryRank::Section1),
                (".. _a: http://x.org", BoundaryRank::Protected),
                ("_a: http://x.org", BoundaryRank::Sentence),
                ("Next", BoundaryRank::Section1),
                ("Last", BoundaryRank::Line),
            ],
        );
        check(
            HeadingSyntax::AsciiDoc,
            "= A\n\nWords.\n\n[[b]]\n[.big]\n== B\n----\ncode\n----\n",
            &[
                ("= A", BoundaryRank::Section1),
                ("Words.", BoundaryRank::Protected),
                ("[[b]]", BoundaryRank::Section2),
                ("----", BoundaryRank::Protected),
            ],
        );
    }

    #[test]
    fn wrapped_lines_are_no_places_but_their_sentences_are() {
        check(
            "The night was dark and the road was long. Nobody\ncame along it until the morning broke at last.\nThen a cart came.",
            &[("Nobody", BoundaryRank::Sentence), ("Then", BoundaryRank::Sentence)],
        );
    }

    #[test]
    fn verse_and_lists_are_cut_at_their_lines() {
        check(
            "Tyger Tyger, burning bright\nIn the forests\nOf the night\n\n1 apple\n2 pears, all of them ripe",
            &[("Of", BoundaryRank::Line), ("1", BoundaryRank::Block), ("2", BoundaryRank::SentenceLine)],
        );
    }

    #[test]
    fn headings_begin_sections_and_stay_with_their_text() {
        check(
            "It ended.\n\nCHAPTER II\n\nThe Storm\n\nIt began. He said:\n\n\"Go.\"",
            &[
                ("CHAPTER", BoundaryRank::Section6),
                ("The", BoundaryRank::Line),
                ("It", BoundaryRank::Line),
                ("He", BoundaryRank::Sentence),
                ("\"Go.\"", BoundaryRank::SentenceLine),
            ],
        );
    }
}
