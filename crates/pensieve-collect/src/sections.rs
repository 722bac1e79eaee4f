//! The sections of a book: which candidates are headings, the name of each section, and which contain text.
//!
//! A list of contents at the front has the same labels as the book; it does not count. A label is real if text
//! follows it. Wrong chapter numbers in the book are corrected from its own contents if both have equally many.

use crate::blocks::Block;
use crate::headings::{Heading, HeadingKind, heading};
use crate::labels::{is_ending, listed};
use crate::numbers::LAST;
use pensieve_text::text::roman::to_roman;
use std::collections::BTreeSet;

/// What a section contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    /// Text of the book.
    Text,
    /// A list: contents, illustrations, notes.
    List,
    /// Title page and the like, before the first heading.
    Front,
    /// Text that cannot be used: empty or unreadable.
    Malformed,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// `CHAPTER I. CAMELOT`.
    pub name: String,
    /// The word and the number of its label.
    pub key: Option<(&'static str, u32)>,
    /// First block after its heading.
    pub first: usize,
    /// First block of the next section's heading.
    pub end: usize,
    /// What it contains.
    pub kind: SectionKind,
}

/// A labelled section needs at least this many words.
const MIN_SECTION_WORDS: usize = 12;

/// A heading after a list is real with at least this many words after it; with fewer its label belongs to the list.
const MIN_WORDS_AFTER_LIST: usize = 40;

/// A front with at least this many words is text that has no heading.
const MIN_FRONT_TEXT_WORDS: usize = 600;

/// The sections of a book with the title `title`, in order; together they contain every block except headings.
pub fn sections(book: &str, blocks: &[Block], title: &str) -> Vec<Section> {
    let mut candidates: Vec<Heading> = Vec::new();
    let mut at = 0;
    while at < blocks.len() {
        match heading(book, blocks, at) {
            Some(heading) => {
                at += heading.takes;
                candidates.push(heading);
            }
            None => at += 1,
        }
    }
    let candidates = with_one_title(candidates, blocks);
    let mut real = without_contents(&with_sequences(candidates), blocks);
    correct_numbers(book, blocks, &mut real);
    named_sections(book, blocks, &real, title)
}

/// Merges titles with nothing between them: the title on a title page takes several lines.
fn with_one_title(headings: Vec<Heading>, blocks: &[Block]) -> Vec<Heading> {
    let mut joined: Vec<Heading> = Vec::new();
    for heading in headings {
        match joined.last_mut() {
            Some(last)
                if last.kind == HeadingKind::Titled
                    && heading.kind == HeadingKind::Titled
                    && last.block + last.takes == heading.block
                    && blocks[heading.block].gap <= 2 =>
            {
                let titles = [last.title.take(), heading.title];
                last.title = Some(titles.into_iter().flatten().collect::<Vec<_>>().join(" "));
                last.takes += heading.takes;
            }
            _ => joined.push(heading),
        }
    }
    joined
}

/// Words of text between a heading and the next candidate.
fn words_after(headings: &[Heading], at: usize, blocks: &[Block]) -> usize {
    let from = headings[at].block + headings[at].takes;
    let to = headings.get(at + 1).map_or(blocks.len(), |next| next.block);
    blocks[from..to].iter().filter(|block| block.kind.is_text()).map(|block| block.words).sum()
}

/// Numbers alone are headings if they form a sequence; an isolated one is a number in the text.
fn with_sequences(headings: Vec<Heading>) -> Vec<Heading> {
    let mut expected = BTreeSet::from([1]);
    let total = headings.iter().filter(|heading| heading.kind == HeadingKind::Numbered).count();
    let keeps = |heading: &Heading| {
        let (HeadingKind::Numbered, Some((_, number))) = (heading.kind, heading.key) else { return true };
        let fits = expected.contains(&number);
        if fits {
            // One number may be missing or misprinted.
            expected = BTreeSet::from([1, number + 1, number + 2]);
        }
        fits && total >= 2
    };
    headings.into_iter().filter(keeps).collect()
}

/// The list that ends a book, as the contents do in French books: its labels have occurred before.
fn closing_list(headings: &[Heading], blocks: &[Block]) -> usize {
    let is_list = |at: &usize| headings[*at].kind == HeadingKind::List;
    let holds_text = |at: &usize| !is_list(at) && words_after(headings, *at, blocks) >= MIN_WORDS_AFTER_LIST;
    let text_end = (0..headings.len()).rev().find(holds_text).map_or(0, |last| last + 1);
    (text_end..headings.len()).find(is_list).filter(|_| text_end > 0).unwrap_or(headings.len())
}

/// The headings outside lists of contents.
fn without_contents(headings: &[Heading], blocks: &[Block]) -> Vec<Heading> {
    let labelled =
        headings.iter().filter(|heading| heading.kind == HeadingKind::Labelled && heading.rank >= 3);
    let mut gaps: Vec<usize> = labelled.map(|heading| blocks[heading.block].gap).collect();
    gaps.sort_unstable();
    // Titles between labelled chapters need at least as much space above them as those labels have.
    let title_gap = gaps.get(gaps.len() / 2).copied().unwrap_or(2).max(2);
    let first_label = headings.iter().position(|heading| heading.kind == HeadingKind::Labelled);
    let closing = closing_list(headings, blocks);
    let (mut real, mut in_list, mut seen) = (Vec::new(), false, BTreeSet::new());
    for (at, heading) in headings.iter().enumerate() {
        let words = words_after(headings, at, blocks);
        let gap = blocks[heading.block].gap;
        let recurs = heading.key.is_some()
            && words < MIN_SECTION_WORDS
            && headings[at + 1..closing.max(at + 1)].iter().any(|later| later.key == heading.key);
        let is_real = match heading.kind {
            HeadingKind::List => true,
            _ if recurs => {
                seen.extend(heading.key);
                false
            }
            HeadingKind::Labelled | HeadingKind::Numbered if in_list => {
                let known = heading.key.is_some_and(|key| seen.contains(&key));
                let is_real =
                    known || words >= MIN_WORDS_AFTER_LIST && gap >= 2 || gap >= 3 && heading.rank < 3;
                seen.extend(heading.key);
                is_real
            }
            HeadingKind::Named if in_list => words >= MIN_SECTION_WORDS && gap >= 2,
            HeadingKind::Titled if in_list => words >= MIN_WORDS_AFTER_LIST && gap >= 3,
            HeadingKind::Titled => {
                gap >= title_gap.max(if first_label.is_some_and(|first| first < at) { 3 } else { 2 })
            }
            _ => true,
        };
        if is_real {
            in_list = heading.kind == HeadingKind::List;
            real.push(heading.clone());
        }
    }
    real
}

/// Corrects chapter numbers from the contents if both have equally many and the contents are numbered without gaps.
fn correct_numbers(book: &str, blocks: &[Block], headings: &mut [Heading]) {
    let Some(list) = headings.iter().position(|heading| heading.kind == HeadingKind::List) else { return };
    let end = headings.get(list + 1).map_or(blocks.len(), |next| next.block);
    let in_list = blocks[headings[list].block..end].iter().flat_map(|block| listed(book, block));
    let listed: Vec<u32> = in_list.filter(|(word, _)| *word == "chapter").map(|(_, number)| number).collect();
    let mut chapters: Vec<&mut Heading> = headings
        .iter_mut()
        .filter(|heading| heading.key.is_some_and(|(word, _)| word == "chapter"))
        .collect();
    let counts = listed
        .iter()
        .enumerate()
        .all(|(at, number)| *number == at as u32 + 1 || *number == LAST && at + 1 == listed.len());
    if listed.len() != chapters.len() || !counts {
        return;
    }
    for (chapter, number) in chapters.iter_mut().zip(listed) {
        let Some((word, wrong)) =
            chapter.key.filter(|(_, own)| *own != number && *own != LAST && number != LAST)
        else {
            continue;
        };
        let is_in_digits = chapter.label.contains(&wrong.to_string());
        let as_written = to_roman(number).filter(|_| !is_in_digits).unwrap_or_else(|| number.to_string());
        let Some((before, _)) = chapter.label.rsplit_once(' ') else { continue };
        chapter.label = format!("{before} {as_written}");
        chapter.key = Some((word, number));
    }
}

/// True when the numbers of a rank begin again somewhere, so that its names need those of the ranks above.
fn restarts(headings: &[Heading], rank: u8) -> bool {
    let mut seen = BTreeSet::new();
    headings
        .iter()
        .filter(|heading| heading.rank == rank && heading.key.is_some())
        .any(|heading| !seen.insert(heading.key))
}

fn named_sections(book: &str, blocks: &[Block], headings: &[Heading], title: &str) -> Vec<Section> {
    let mut found = Vec::new();
    let first = headings.first().map_or(blocks.len(), |heading| heading.block);
    if first > 0 {
        let words: usize =
            blocks[..first].iter().filter(|block| block.kind.is_text()).map(|block| block.words).sum();
        let kind = if headings.is_empty() || words >= MIN_FRONT_TEXT_WORDS {
            SectionKind::Text
        } else {
            SectionKind::Front
        };
        found.push(Section { name: title.to_owned(), key: None, first: 0, end: first, kind });
    }
    let restarting: Vec<bool> = (0..=4).map(|rank| restarts(headings, rank)).collect();
    let mut above: Vec<&Heading> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        above.retain(|upper| upper.rank < heading.rank);
        let mut names: Vec<String> = Vec::new();
        if heading.key.is_some() && restarting[usize::from(heading.rank)] {
            names.extend(above.iter().map(|upper| upper.name()));
        }
        names.push(heading.name());
        above.push(heading);
        let (first, end) =
            (heading.block + heading.takes, headings.get(at + 1).map_or(blocks.len(), |next| next.block));
        let kind = kind(book, heading, &blocks[first..end], headings.get(at + 1));
        if first < end || kind != SectionKind::Text {
            found.push(Section { name: names.join(", "), key: heading.key, first, end, kind });
        }
    }
    found
}

fn kind(book: &str, heading: &Heading, blocks: &[Block], next: Option<&Heading>) -> SectionKind {
    if heading.kind == HeadingKind::List {
        return SectionKind::List;
    }
    let text = blocks.iter().filter(|block| block.kind.is_text());
    let (mut words, mut chars, mut bad) = (0, 0, 0);
    for block in text {
        words += block.words;
        chars += block.span.len();
        bad += block
            .text(book)
            .chars()
            .filter(|c| *c == '\u{fffd}' || c.is_control() && !c.is_whitespace())
            .count();
    }
    // A part heading followed directly by its first chapter is not a broken section.
    let is_empty = words == 0 && heading.key.is_some() && next.is_none_or(|next| next.rank <= heading.rank);
    if heading.kind == HeadingKind::Titled && words < MIN_WORDS_AFTER_LIST {
        return SectionKind::Front;
    }
    if is_empty || bad * 50 > chars { SectionKind::Malformed } else { SectionKind::Text }
}

/// True for a block that may be part of a passage.
pub fn is_usable(book: &str, block: &Block) -> bool {
    block.kind.is_text() && !is_ending(block.text(book))
}

#[cfg(test)]
mod tests;
