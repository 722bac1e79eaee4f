//! The smallest units that a passage is made of: paragraphs, and groups of blocks that must not be separated.
//!
//! Verse, a letter with its salutation and signature, and an exchange of short speeches with its introduction stay
//! together if they fit into a passage. A paragraph that is too long for a passage is split between sentences.

use crate::blocks::{Block, BlockKind, opens_quote};
use crate::sections::{Section, is_usable};
use pensieve_text::model::Span;
use pensieve_text::text::sentences;

/// A part of a section that is used whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageUnit {
    /// Its bytes in the book.
    pub span: Span,
    /// Number of words, as separated by white space.
    pub words: usize,
    /// Number of paragraphs.
    pub paragraphs: usize,
    /// Number of words of running text.
    pub prose: usize,
    /// Number of words of notes after it: a passage that ends with this unit ends before them.
    pub notes: usize,
    /// True if it begins at the start of a paragraph.
    pub opens: bool,
    /// True if it ends at the end of a paragraph.
    pub closes: bool,
    /// True if no passage may contain it.
    pub is_barrier: bool,
    /// True for a headline: a passage does not end with it.
    pub is_headline: bool,
    /// True for a headline after the end of a sentence, with which something else begins: a passage may begin with it,
    /// and ends before it.
    pub is_boundary: bool,
}

/// A longer line in capitals is no headline.
const MAX_HEADLINE_WORDS: usize = 14;

/// Limits for the length of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitOptions {
    /// Maximum number of words of a group that stays together.
    pub max_group_words: usize,
    /// A paragraph with more words is split.
    pub max_paragraph_words: usize,
}

/// About how many words each part of a split paragraph has.
const PART_WORDS: usize = 120;

/// The units of a section, in order.
pub fn units(book: &str, blocks: &[Block], section: &Section, options: &UnitOptions) -> Vec<PassageUnit> {
    let mut found: Vec<PassageUnit> = Vec::new();
    let mut at = section.first;
    while at < section.end {
        let group = group_end(book, blocks, at, section.end, options.max_group_words);
        let block = &blocks[at];
        if group == at + 1
            && block.words > options.max_paragraph_words
            && matches!(block.kind, BlockKind::Prose | BlockKind::Dialogue)
        {
            found.extend(split_paragraph(book, block));
        } else {
            found.push(PassageUnit {
                is_boundary: begins_anew(book, blocks, at),
                ..whole(book, &blocks[at..group])
            });
        }
        at = group;
    }
    found
}

/// True for a headline that no colon or dash introduces.
fn begins_anew(book: &str, blocks: &[Block], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| blocks[before].text(book)) else { return false };
    let before = before.trim_end_matches(['"', '”', '’', '\'', '_', ')', ']', ' ']);
    is_headline(book, &blocks[at]) && before.ends_with(['.', '!', '?', '…', '*'])
}

/// True for a line of words in capitals that is no speech.
fn is_headline(book: &str, block: &Block) -> bool {
    let text = block.text(book).trim();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    block.lines.len() < 3
        && (2..=MAX_HEADLINE_WORDS).contains(&block.words)
        && letters > 3
        && !text.chars().any(char::is_lowercase)
        && !opens_quote(text)
        && !text.starts_with('\'')
        && !text.ends_with([',', ';', ':', '"', '”', '’', '\''])
}

/// The unit of blocks that stay together.
fn whole(book: &str, blocks: &[Block]) -> PassageUnit {
    let is_note = |block: &Block| matches!(block.kind, BlockKind::Footnote | BlockKind::Mark);
    let kept = blocks.iter().rposition(|block| !is_note(block)).map_or(blocks.len(), |last| last + 1);
    let (blocks, trailing) = blocks.split_at(kept);
    let is_prose = |block: &&Block| {
        matches!(block.kind, BlockKind::Prose | BlockKind::Dialogue) && is_usable(book, block)
    };
    let first = &blocks[0];
    // Verse keeps its indentation; a paragraph does not begin with spaces.
    let text = first.text(book);
    let indent = if first.kind == BlockKind::Verse { 0 } else { text.len() - text.trim_start().len() };
    PassageUnit {
        span: Span::new(first.span.start + indent, blocks[blocks.len() - 1].span.end),
        words: blocks.iter().map(|block| block.words).sum(),
        paragraphs: blocks.iter().filter(|block| is_usable(book, block)).count(),
        prose: blocks.iter().filter(is_prose).map(|block| block.words).sum(),
        notes: trailing.iter().map(|block| block.words).sum(),
        opens: true,
        closes: true,
        is_headline: blocks.last().is_some_and(|last| is_headline(book, last)),
        is_boundary: false,
        is_barrier: blocks.iter().any(|block| !is_usable(book, block) && !is_note(block))
            || !blocks.iter().any(|block| is_usable(book, block)),
    }
}

/// A long paragraph in groups of sentences.
fn split_paragraph(book: &str, block: &Block) -> Vec<PassageUnit> {
    let indent = block.text(book).len() - block.text(book).trim_start().len();
    let span = Span::new(block.span.start + indent, block.span.end);
    let mut cuts = Vec::new();
    let mut from = span.start;
    sentences::starts(book, span, |at| {
        let words = |from: usize, to: usize| book[from..to].split_whitespace().count();
        if words(from, at) >= PART_WORDS && words(at, span.end) >= PART_WORDS / 2 {
            cuts.push(at);
            from = at;
        }
    });
    let starts = [span.start].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([span.end]);
    let piece = |(start, end): (usize, usize)| {
        let text = &book[start..end];
        let words = text.split_whitespace().count();
        let span = Span::new(start, start + text.trim_end().len());
        let (opens, closes) = (start == block.span.start + indent, end == block.span.end);
        PassageUnit {
            span,
            words,
            paragraphs: usize::from(opens),
            prose: words,
            notes: 0,
            opens,
            closes,
            is_barrier: false,
            is_headline: false,
            is_boundary: false,
        }
    };
    starts.zip(ends).map(piece).collect()
}

/// The first block after those that stay together with the one at `at`.
fn group_end(book: &str, blocks: &[Block], at: usize, end: usize, most: usize) -> usize {
    let mut words = blocks[at].words;
    let mut next = at + 1;
    while next < end && belongs(book, &blocks[next - 1], &blocks[next]) {
        words += blocks[next].words;
        if words > most {
            break;
        }
        next += 1;
    }
    next
}

/// True when two blocks should not be separated.
fn belongs(book: &str, before: &Block, after: &Block) -> bool {
    use BlockKind::*;
    if !is_usable(book, after) {
        return after.kind == Footnote && before.kind != Table;
    }
    if !is_usable(book, before) {
        return false;
    }
    let (first, second) = (before.text(book).trim_end(), after.text(book).trim_start());
    let is_short = |block: &Block| block.words <= 60;
    match (before.kind, after.kind) {
        (Verse, Verse) => true,
        _ if is_salutation(first) || is_closing(second) => true,
        (_, Verse) => after.gap <= 2 && !first.ends_with(['.', '!', '?', '"', '”']) || first.ends_with(':'),
        (Verse, _) => second.starts_with(char::is_lowercase) || is_dated(first),
        _ if first.ends_with([':', ',', ';']) || first.ends_with("--") || first.ends_with('—') => true,
        _ if is_open(first) && opens_quote(second) => true,
        (Dialogue, Dialogue) | (Speech, Speech) => is_short(before) && is_short(after),
        _ => second.starts_with(char::is_lowercase),
    }
}

/// True when a quotation is opened but not closed.
fn is_open(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    count('“') > count('”') || !text.contains('“') && count('"') % 2 == 1
}

/// `MY DEAR SIR,--`
fn is_salutation(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let plain = text.trim_start_matches(['_', '"', '“', ' ']).to_lowercase();
    let opens = [
        "dear",
        "my dear",
        "dearest",
        "sir",
        "gentlemen",
        "madam",
        "honored",
        "honoured",
        "monsieur",
        "cher",
        "chère",
        "lieber",
        "liebe",
        "sehr geehrte",
    ];
    words <= 8
        && opens.iter().any(|word| plain.starts_with(word))
        && text.ends_with([',', ':', '-', '—', '_', '.'])
}

/// `Yours truly,` and the signature after it.
fn is_closing(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let plain = text.trim_start_matches(['_', '"', '“', ' ']).to_lowercase();
    let closes = [
        "yours",
        "your obedient",
        "your humble",
        "your affectionate",
        "your loving",
        "sincerely",
        "truly yours",
        "i am, sir",
        "votre",
        "ihr ergeben",
        "respectfully",
        "p.s.",
    ];
    words <= 16 && closes.iter().any(|word| plain.starts_with(word))
}

/// A date on a line of its own, as in diaries and letters.
fn is_dated(text: &str) -> bool {
    const MONTHS: &[&str] = &[
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue",
        "wed", "thu", "fri", "sat", "sun",
    ];
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.len() <= 12
        && text.contains(|c: char| c.is_ascii_digit())
        && words.iter().any(|word| {
            MONTHS.iter().any(|month| word.trim_start_matches(['_', '"', '(']).starts_with(month))
        })
}

#[cfg(test)]
mod tests;
