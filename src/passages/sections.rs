//! The sections of a book: which candidates are headings, what each section is called, which hold text.
//!
//! A list of contents in front has the same labels as the book; it does not count. A label is real where text follows
//! it. Numbers that the book itself has wrong are set right by its own contents, where both have equally many.

use super::blocks::{Block, BlockKind};
use super::headings::{Heading, HeadingKind, heading};
use super::labels::{is_ending, listed};
use super::numbers::LAST;
use pensieve_text::text::roman::to_roman;
use std::collections::BTreeSet;

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    /// Text of the book.
    Text,
    /// A list: contents, illustrations, notes.
    List,
    /// Title page and the like, before the first heading.
    Front,
    /// Text that cannot be used: nothing of it, or not readable.
    Malformed,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// `CHAPTER I. CAMELOT`.
    pub name: String,
    /// Which label and number it has.
    pub key: Option<(&'static str, u32)>,
    /// First block behind its heading.
    pub first: usize,
    /// First block of the next section's heading.
    pub end: usize,
    /// What it holds.
    pub kind: SectionKind,
}

/// Fewer words than this between two labels are no chapter.
const LEAST_WORDS: usize = 12;

/// A section that follows a list begins with this much text, or its label has stood in the list.
const LEAST_BEHIND_LIST: usize = 40;

/// A front of so many words is text that happens to have no heading.
const LONG_FRONT: usize = 600;

/// The sections of a book that is called `title`, in order; together they hold every block but headings.
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
    set_right(book, blocks, &mut real);
    named_sections(book, blocks, &real, title)
}

/// Titles that stand one below the other with nothing between them are one: a title page takes several lines.
fn with_one_title(headings: Vec<Heading>, blocks: &[Block]) -> Vec<Heading> {
    let mut joined: Vec<Heading> = Vec::new();
    for heading in headings {
        match joined.last_mut() {
            Some(last)
                if last.sort == HeadingKind::Titled
                    && heading.sort == HeadingKind::Titled
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
fn words_behind(headings: &[Heading], at: usize, blocks: &[Block]) -> usize {
    let from = headings[at].block + headings[at].takes;
    let to = headings.get(at + 1).map_or(blocks.len(), |next| next.block);
    blocks[from..to].iter().filter(|block| block.kind.is_text()).map(|block| block.words).sum()
}

/// Numbers alone count where they follow each other; one that stands by itself is a number in the text.
fn with_sequences(headings: Vec<Heading>) -> Vec<Heading> {
    let mut expected = BTreeSet::from([1]);
    let total = headings.iter().filter(|heading| heading.sort == HeadingKind::Numbered).count();
    let keeps = |heading: &Heading| {
        let (HeadingKind::Numbered, Some((_, number))) = (heading.sort, heading.key) else { return true };
        let fits = expected.contains(&number);
        if fits {
            // One number may be missing or printed wrong.
            expected = BTreeSet::from([1, number + 1, number + 2]);
        }
        fits && total >= 2
    };
    headings.into_iter().filter(keeps).collect()
}

/// The list that ends a book, as French books have their contents: what stands there again has stood in the book.
fn closing_list(headings: &[Heading], blocks: &[Block]) -> usize {
    let is_list = |at: &usize| headings[*at].sort == HeadingKind::List;
    let holds_text = |at: &usize| !is_list(at) && words_behind(headings, *at, blocks) >= LEAST_BEHIND_LIST;
    let behind = (0..headings.len()).rev().find(holds_text).map_or(0, |last| last + 1);
    (behind..headings.len()).find(is_list).filter(|_| behind > 0).unwrap_or(headings.len())
}

/// The headings outside lists of contents.
fn without_contents(headings: &[Heading], blocks: &[Block]) -> Vec<Heading> {
    let labelled =
        headings.iter().filter(|heading| heading.sort == HeadingKind::Labelled && heading.rank >= 3);
    let mut gaps: Vec<usize> = labelled.map(|heading| blocks[heading.block].gap).collect();
    gaps.sort_unstable();
    // Titles between labelled chapters must stand at least as far apart from the text as those do.
    let title_gap = gaps.get(gaps.len() / 2).copied().unwrap_or(2).max(2);
    let first_label = headings.iter().position(|heading| heading.sort == HeadingKind::Labelled);
    let closing = closing_list(headings, blocks);
    let (mut real, mut in_list, mut seen) = (Vec::new(), false, BTreeSet::new());
    for (at, heading) in headings.iter().enumerate() {
        let behind = words_behind(headings, at, blocks);
        let gap = blocks[heading.block].gap;
        let recurs = heading.key.is_some()
            && behind < LEAST_WORDS
            && headings[at + 1..closing.max(at + 1)].iter().any(|later| later.key == heading.key);
        let is_real = match heading.sort {
            HeadingKind::List => true,
            _ if recurs => {
                seen.extend(heading.key);
                false
            }
            HeadingKind::Labelled | HeadingKind::Numbered if in_list => {
                let known = heading.key.is_some_and(|key| seen.contains(&key));
                let is_real =
                    known || behind >= LEAST_BEHIND_LIST && gap >= 2 || gap >= 3 && heading.rank < 3;
                seen.extend(heading.key);
                is_real
            }
            HeadingKind::Named if in_list => behind >= LEAST_WORDS && gap >= 2,
            HeadingKind::Titled if in_list => behind >= LEAST_BEHIND_LIST && gap >= 3,
            HeadingKind::Titled => {
                gap >= title_gap.max(if first_label.is_some_and(|first| first < at) { 3 } else { 2 })
            }
            _ => true,
        };
        if is_real {
            in_list = heading.sort == HeadingKind::List;
            real.push(heading.clone());
        }
    }
    real
}

/// Gives chapters the numbers that the contents have, where both count as many and the contents count without gap.
fn set_right(book: &str, blocks: &[Block], headings: &mut [Heading]) {
    let Some(list) = headings.iter().position(|heading| heading.sort == HeadingKind::List) else { return };
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

/// True when a rank's numbers begin again somewhere, so that its names need those above them.
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
        let kind =
            if headings.is_empty() || words >= LONG_FRONT { SectionKind::Text } else { SectionKind::Front };
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
    if heading.sort == HeadingKind::List {
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
    // A part that is followed at once by its first chapter is no broken section.
    let is_empty = words == 0 && heading.key.is_some() && next.is_none_or(|next| next.rank <= heading.rank);
    if heading.sort == HeadingKind::Titled && words < LEAST_BEHIND_LIST {
        return SectionKind::Front;
    }
    if is_empty || bad * 50 > chars { SectionKind::Malformed } else { SectionKind::Text }
}

/// True for a block that a passage may be made of.
pub fn is_usable(book: &str, block: &Block) -> bool {
    block.kind.is_text() && !is_ending(block.text(book)) && block.kind != BlockKind::Mark
}

#[cfg(test)]
mod tests {
    use super::super::blocks::blocks;
    use super::*;

    const TEXT: &str = "The heron stood where it had always stood, and it rained on everybody\nalike, which is what rain does \
when nobody looks, and then it rained on\nthose who looked, and then, for want of anybody else, it rained on the\nheron once \
more, and the heron stood.\n";

    fn names(book: &str) -> Vec<(String, SectionKind)> {
        let book = book.replace("TEXT", TEXT);
        let blocks = blocks(&book);
        let found = sections(&book, &blocks, "The Heron");
        found.into_iter().map(|section| (section.name, section.kind)).collect()
    }

    fn check(book: &str, expected: &[&str]) {
        let texts = names(book).into_iter().filter(|(_, kind)| *kind == SectionKind::Text);
        assert_eq!(texts.map(|(name, _)| name).collect::<Vec<_>>(), expected, "{book}");
    }

    #[test]
    fn a_list_of_contents_does_not_count() {
        let book = "THE HERON\n\n\n\nCONTENTS\n\nCHAPTER I. The Reeds\n\nCHAPTER II. The Rain\n\n\n\n\nPREFACE\n\nTEXT\n\n\n\nCHAPTER I\n\nTEXT\n\n\n\nCHAPTER II\n\nTEXT";
        check(book, &["PREFACE", "CHAPTER I", "CHAPTER II"]);
        let book = "THE HERON\n\n\nChapter I\n\nChapter II\n\n\nChapter I\n\nTEXT\n\nChapter II\n\nTEXT";
        check(book, &["Chapter I", "Chapter II"]);
        let book = "CONTENTS\n\n I. The Reeds      3\n II. The Rain     17\n\n\n\n\nI\n\nTHE REEDS\n\nTEXT\n\n\n\n\nII\n\nTHE RAIN\n\nTEXT";
        check(book, &["I. THE REEDS", "II. THE RAIN"]);
    }

    #[test]
    fn the_contents_set_a_wrong_number_right() {
        let list: String =
            (1..=3).map(|n| format!("CHAPTER {}. Rain again\n\n", to_roman(n).unwrap())).collect();
        let body = "CHAPTER I\n\nTEXT\n\n\n\nCHAPTER II\n\nTEXT\n\n\n\nCHAPTER II\n\nTEXT";
        check(&format!("CONTENTS\n\n{list}\n\n\n{body}"), &["CHAPTER I", "CHAPTER II", "CHAPTER III"]);
    }

    #[test]
    fn numbers_that_begin_again_have_their_parts_before_them() {
        let book = "PART I\n\nCHAPTER I\n\nTEXT\n\nCHAPTER II\n\nTEXT\n\nPART II\n\nCHAPTER I\n\nTEXT";
        check(book, &["PART I, CHAPTER I", "PART I, CHAPTER II", "PART II, CHAPTER I"]);
        let book = "PART I\n\nCHAPTER I\n\nTEXT\n\nPART II\n\nCHAPTER II\n\nTEXT";
        check(book, &["CHAPTER I", "CHAPTER II"]);
        let book = "\n\n\n\nThe Perfect Heron\n\n\nI\n\nTEXT\n\n\nII\n\nTEXT\n\n\n\n\nThe Other Heron\n\n\nI\n\nTEXT\n\n\nII\n\nTEXT";
        check(
            book,
            &["The Perfect Heron, I", "The Perfect Heron, II", "The Other Heron, I", "The Other Heron, II"],
        );
    }

    #[test]
    fn a_number_in_the_text_is_no_chapter() {
        check("TEXT\n\n4\n\nTEXT", &["The Heron"]);
        check("TEXT\n\nTEXT", &["The Heron"]);
        check("", &[]);
    }

    #[test]
    fn an_empty_chapter_is_malformed_and_the_others_stand() {
        let found = names("CHAPTER I\n\nTEXT\n\nCHAPTER II\n\nCHAPTER III\n\nTEXT");
        let kinds: Vec<SectionKind> = found.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(kinds, [SectionKind::Text, SectionKind::Malformed, SectionKind::Text]);
    }
}
