//! Running text: paragraphs, lines that are meant, sentences.
//!
//! Hard-wrapped text has line ends that mean nothing, verse and lists have line ends that mean much. A line end is
//! taken as meant when the next word would have fitted on the line, judged by the longest of a few lines around.

use super::boundary::Rank;
use super::heading::Headings;
use super::lines::{Line, lines};
use super::marks::Marks;
use super::outline::{Marker, Outline};
use crate::model::Span;
use crate::text::sentences;

/// Lines on each side that tell how wide a text is wrapped.
const NEIGHBOURS: usize = 4;
/// A heading of plain text has at most so many bytes.
const HEADING_BYTES: usize = 64;
/// More short paragraphs in a row than this are no headings but a list.
const HEADINGS_IN_A_ROW: usize = 3;

/// Headings of a markup that is no Markdown, carried from segment to segment.
#[derive(Debug, Default)]
pub(super) struct Sections {
    marks: Option<Marks>,
    headings: Headings,
}

impl Sections {
    /// For a document of this format of the table.
    pub(super) fn of(format: &str) -> Sections {
        Sections { marks: Marks::new(format), headings: Headings::default() }
    }
}

/// The outline of running text, with the headings of its markup where that is known.
pub(super) fn outline(marker: Marker<'_>, sections: &mut Sections) -> Outline {
    match sections.marks.is_some() {
        true => marked_up(marker, sections),
        false => plain(marker),
    }
}

/// Each heading begins a section; what stands between is running text.
fn marked_up(mut marker: Marker<'_>, sections: &mut Sections) -> Outline {
    let text = marker.text();
    let all = lines(text, Span::new(0, text.len()));
    let mut paths = vec![(0, sections.headings.path())];
    let Sections { marks: Some(marks), headings } = sections else { return plain(marker) };
    let words = |at: usize| all.get(at).map(|line| &text[line.start..line.end.max(line.start)]);
    let mut found = headings_of(marks, &all, words).into_iter().peekable();
    let mut paragraph = 0;
    let mut after_heading = false;
    for at in 0..all.len() {
        if let Some(heading) = found.next_if(|heading| heading.first == at) {
            mark_paragraph(&mut marker, &all[paragraph..at]);
            paragraph = heading.last + 1;
            let rank = if after_heading { Rank::Line } else { Rank::section(heading.level) };
            marker.mark(all[at].start, rank, true);
            headings.enter(heading.level, heading.title);
            paths.push((all[at].start, headings.path()));
            after_heading = true;
        } else if at < paragraph {
            continue;
        } else if all[at].is_blank() {
            mark_paragraph(&mut marker, &all[paragraph..at]);
            paragraph = at + 1;
        } else {
            if paragraph == at && at > 0 {
                let rank = if after_heading { Rank::Held } else { Rank::Block };
                marker.mark(all[at].start, rank, false);
            }
            after_heading = false;
        }
    }
    mark_paragraph(&mut marker, &all[paragraph..]);
    Outline { marks: marker.finish(), paths, ..Outline::default() }
}

/// A heading with the lines that belong to it.
struct Heading<'t> {
    first: usize,
    last: usize,
    level: usize,
    title: &'t str,
}

/// The headings among all lines, in order.
fn headings_of<'t>(
    marks: &mut Marks,
    all: &[Line],
    words: impl Fn(usize) -> Option<&'t str>,
) -> Vec<Heading<'t>> {
    let mut found: Vec<Heading<'t>> = Vec::new();
    for at in 0..all.len() {
        let above = at.checked_sub(1).and_then(&words);
        let heading = marks.heading(above, words(at).unwrap_or_default(), words(at + 1));
        if let Some((level, title)) = heading {
            let (first, last) = marks.extent(at, &words);
            // One line of signs may stand under a title and over the next.
            let first = found.last().map_or(first, |before| first.max(before.last + 1));
            found.push(Heading { first, last, level: usize::from(level), title });
        }
    }
    found
}

fn plain(mut marker: Marker<'_>) -> Outline {
    let text = marker.text();
    let all = lines(text, Span::new(0, text.len()));
    let mut paragraphs =
        all.chunk_by(|a, b| a.is_blank() == b.is_blank()).filter(|part| !part[0].is_blank()).peekable();
    let mut headings = 0;
    let mut above: Option<&Line> = None;
    while let Some(paragraph) = paragraphs.next() {
        let looks = looks_like_heading(text, paragraph) && paragraphs.peek().is_some();
        if let Some(above) = above {
            let goes_on = above.words(text).ends_with([':', ',', '-', '—']);
            let rank = if goes_on { Rank::SentenceLine } else { paragraph_rank(headings, looks) };
            marker.mark(paragraph[0].start, rank, false);
        }
        headings = if looks { headings + 1 } else { 0 };
        above = paragraph.last();
        mark_paragraph(&mut marker, paragraph);
    }
    Outline { marks: marker.finish(), ..Outline::default() }
}

/// The rank of a paragraph's start after some headings: a heading begins a section and stays with what follows.
fn paragraph_rank(headings: usize, is_heading: bool) -> Rank {
    match (headings, is_heading) {
        (0, true) => Rank::Section6,
        (0, false) => Rank::Block,
        (n, _) if n <= HEADINGS_IN_A_ROW => Rank::Line,
        _ => Rank::Block,
    }
}

/// True for a short line alone that ends without a stop and has a word in it.
fn looks_like_heading(text: &str, paragraph: &[Line]) -> bool {
    let [line] = paragraph else { return false };
    let words = line.words(text);
    words.len() <= HEADING_BYTES
        && words.chars().any(char::is_alphabetic)
        && !words.ends_with([
            '.', ',', ';', ':', '!', '?', '"', '\'', '”', '’', '»', '…', '-', '。', '」', '！', '？', ')',
        ])
}

/// Marks the lines and sentences inside a paragraph.
pub(super) fn mark_paragraph(marker: &mut Marker<'_>, paragraph: &[Line]) {
    let text = marker.text();
    let (Some(first), Some(last)) = (paragraph.first(), paragraph.last()) else { return };
    let mut next = 1;
    sentences::starts(text, Span::new(first.words, last.end), |at| {
        while next < paragraph.len() && paragraph[next].words < at {
            mark_line(marker, paragraph, next, false);
            next += 1;
        }
        if next < paragraph.len() && paragraph[next].words == at {
            mark_line(marker, paragraph, next, true);
            next += 1;
        } else {
            marker.mark(at, Rank::Sentence, false);
        }
    });
    for line in next..paragraph.len() {
        mark_line(marker, paragraph, line, false);
    }
}

fn mark_line(marker: &mut Marker<'_>, paragraph: &[Line], number: usize, is_sentence: bool) {
    let line = &paragraph[number];
    let is_meant = ends_on_purpose(marker.text(), paragraph, number - 1);
    let rank = match (is_meant, is_sentence) {
        (true, true) => Rank::SentenceLine,
        (true, false) if starts_entry(marker.text(), line) => Rank::SentenceLine,
        (true, false) => Rank::Line,
        (false, true) => Rank::Sentence,
        (false, false) => return,
    };
    marker.mark(line.start, rank, false);
}

/// True when the first word of the next line would have fitted on this one, with room to spare: text is wrapped
/// loosely at times. Before a word in lower case the line must be half empty.
fn ends_on_purpose(text: &str, paragraph: &[Line], number: usize) -> bool {
    let around =
        &paragraph[number.saturating_sub(NEIGHBOURS)..(number + NEIGHBOURS + 1).min(paragraph.len())];
    let width = around.iter().map(Line::len).max().unwrap_or(0);
    let words = paragraph[number + 1].words(text);
    let spare = if words.starts_with(char::is_lowercase) { width / 2 } else { width / 16 };
    let room = width.saturating_sub(paragraph[number].len() + spare);
    words.len() < room || words.bytes().take(room).any(|b| b.is_ascii_whitespace())
}

/// True for a line that starts like an entry of a log or a list: with anything but a letter or an opening quote.
fn starts_entry(text: &str, line: &Line) -> bool {
    line.words(text)
        .starts_with(|c: char| !c.is_alphabetic() && !matches!(c, '"' | '\'' | '“' | '‘' | '«' | '('))
}

#[cfg(test)]
mod tests {
    use super::super::boundary::Edges;
    use super::*;
    use crate::model::SpanMap;
    use crate::text::tokens::Tokenizer;

    fn check(text: &str, expected: &[(&str, Rank)]) {
        let map = SpanMap::default();
        let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
        let marks = plain(Marker::new(Edges::new(text, &map), &index)).marks;
        let found: Vec<(&str, Rank)> = marks
            .iter()
            .map(|mark| (text[mark.at..].split_whitespace().next().unwrap_or_default(), mark.rank))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn headings_of_other_markups_lead_their_sections() {
        let text = "Title\n=====\n\nFirst words.\n\nPart\n----\nMore words.\n";
        let map = SpanMap::default();
        let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
        let marker = Marker::new(Edges::new(text, &map), &index);
        let outline = outline(marker, &mut Sections::of("rst"));
        assert_eq!(outline.path_at(text.find("First").unwrap()), Some("Title"));
        assert_eq!(outline.path_at(text.find("More").unwrap()), Some("Title > Part"));
        let part = outline.marks.iter().find(|mark| text[mark.at..].starts_with("Part"));
        assert_eq!(part.map(|mark| mark.rank), Some(Rank::Section2));
    }

    #[test]
    fn a_section_begins_above_its_title_with_all_that_belongs_to_it() {
        let check = |format: &str, text: &str, expected: &[(&str, Rank)]| {
            let map = SpanMap::default();
            let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
            let marks = outline(Marker::new(Edges::new(text, &map), &index), &mut Sections::of(format)).marks;
            let found: Vec<(&str, Rank)> =
                marks.iter().map(|mark| (text[mark.at..].lines().next().unwrap(), mark.rank)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "rst",
            "Words.\n\n=====\nTitle\n=====\n\nWords.\n\n.. _a:\n.. _b:\n\nPart\n----\n\nSub\n~~~\n\nMore.\n",
            &[
                ("=====", Rank::Section1),
                ("Words.", Rank::Held),
                (".. _a:", Rank::Section2),
                ("Sub", Rank::Line),
                ("More.", Rank::Held),
            ],
        );
        check(
            "rst",
            "Part\n----\n\n.. _a: http://x.org\n\nNext\n----\nLast\n----\n",
            &[
                ("Part", Rank::Section1),
                (".. _a: http://x.org", Rank::Held),
                ("_a: http://x.org", Rank::Sentence),
                ("Next", Rank::Section1),
                ("Last", Rank::Line),
            ],
        );
        check(
            "asciidoc",
            "= A\n\nWords.\n\n[[b]]\n[.big]\n== B\n----\ncode\n----\n",
            &[
                ("= A", Rank::Section1),
                ("Words.", Rank::Held),
                ("[[b]]", Rank::Section2),
                ("----", Rank::Held),
            ],
        );
    }

    #[test]
    fn wrapped_lines_are_no_places_but_their_sentences_are() {
        check(
            "The night was dark and the road was long. Nobody\ncame along it until the morning broke at last.\nThen a cart came.",
            &[("Nobody", Rank::Sentence), ("Then", Rank::Sentence)],
        );
    }

    #[test]
    fn verse_and_lists_are_cut_at_their_lines() {
        check(
            "Tyger Tyger, burning bright\nIn the forests\nOf the night\n\n1 apple\n2 pears, all of them ripe",
            &[("Of", Rank::Line), ("1", Rank::Block), ("2", Rank::SentenceLine)],
        );
    }

    #[test]
    fn headings_begin_sections_and_stay_with_their_text() {
        check(
            "It ended.\n\nCHAPTER II\n\nThe Storm\n\nIt began. He said:\n\n\"Go.\"",
            &[
                ("CHAPTER", Rank::Section6),
                ("The", Rank::Line),
                ("It", Rank::Line),
                ("He", Rank::Sentence),
                ("\"Go.\"", Rank::SentenceLine),
            ],
        );
    }
}
