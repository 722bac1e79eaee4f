//! Where a text may be cut: paragraphs (blocks between blank lines), lines, sentences, words. Values in, values out.

use pensieve_text::model::Span;
use pensieve_text::text::sentences;
use std::ops::Range;

/// Extends a span to whole blocks, by at most `reach` bytes on each side. Where a block is longer, the span ends with a
/// line, or with a sentence; where neither ends within reach it stays as it is.
pub(super) fn whole_blocks(text: &str, span: Range<usize>, reach: usize) -> Range<usize> {
    let least = span.start.saturating_sub(reach);
    let most = span.end.saturating_add(reach);
    let start = [block_start(text, span.start), line_start(text, span.start), span.start];
    let end = [block_end(text, span.end), line_end(text, span.end), sentence_end(text, span.end)];
    let start = start.into_iter().find(|start| *start >= least).unwrap_or(span.start);
    let end = end.into_iter().find(|end| *end <= most).unwrap_or(span.end);
    trimmed(text, start..end)
}

/// The block that begins at or after a byte, without the blank space before it, cut after `limit` bytes; empty at the end
/// of the text.
pub(super) fn block_after(text: &str, at: usize, limit: usize) -> Range<usize> {
    let start = text.len() - text[at..].trim_start().len();
    // A last line may end with blanks.
    let end = start + text[start..block_end(text, start)].trim_end().len();
    match end - start <= limit {
        true => start..end,
        false => start..start + longest_part(&text[start..text.floor_char_boundary(start + limit)]),
    }
}

/// The block that ends at or before a byte, in the same way.
pub(super) fn block_before(text: &str, at: usize, limit: usize) -> Range<usize> {
    let end = text[..at].trim_end().len();
    let start = block_start(text, end);
    if end - start <= limit {
        return start..end;
    }
    let from = text.ceil_char_boundary(end - limit);
    let breaks = breaks(&text[from..end]);
    from + breaks.first().copied().unwrap_or(0)..end
}

/// A span without the blank space at its ends, but for the indentation of its first line.
pub(super) fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let words = &text[span.clone()];
    let first = span.start + words.len() - words.trim_start().len();
    let start = match text[span.start..first].rfind('\n') {
        Some(newline) => span.start + newline + 1,
        None if line_start(text, span.start) == span.start => span.start,
        None => first,
    };
    let end = span.start + words.trim_end().len();
    if end <= first { first..first } else { start..end }
}

/// Where lines and sentences begin, but for the first; in order.
pub(super) fn breaks(text: &str) -> Vec<usize> {
    let mut found: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    sentences::starts(text, Span::new(0, text.len()), |at| found.push(at));
    found.retain(|at| *at > 0 && *at < text.len());
    found.sort_unstable();
    found.dedup();
    found
}

/// Where words begin, but for the first: after blank space, and at each letter beyond U+2E80, most of whose scripts write
/// no spaces.
pub(super) fn word_breaks(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut after_blank = false;
    for (at, c) in text.char_indices() {
        if at > 0 && !c.is_whitespace() && (after_blank || c >= '\u{2e80}') {
            found.push(at);
        }
        after_blank = c.is_whitespace();
    }
    found
}

/// The bytes up to the last break of a text that is cut anywhere, or all of it.
fn longest_part(text: &str) -> usize {
    let end = breaks(text).last().copied().or_else(|| word_breaks(text).last().copied());
    text[..end.unwrap_or(text.len())].trim_end().len()
}

fn block_start(text: &str, at: usize) -> usize {
    let mut line = line_start(text, at);
    while line > 0 {
        let before = line_start(text, line - 1);
        if text[before..line].trim().is_empty() {
            break;
        }
        line = before;
    }
    line
}

fn block_end(text: &str, at: usize) -> usize {
    let mut end = line_end(text, at);
    while end < text.len() {
        let next = line_end(text, end + 1);
        if text[end..next].trim().is_empty() {
            break;
        }
        end = next;
    }
    end
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

fn sentence_end(text: &str, at: usize) -> usize {
    let from = line_start(text, at);
    let mut end = text.len();
    sentences::starts(text, Span::new(from, text.len()), |start| {
        if start >= at {
            end = end.min(start);
        }
    });
    text[..end].trim_end().len().max(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "One. Two.\n\nThree is here.\nFour follows it. Five too.\n  \nSix.\n";

    #[test]
    fn spans_grow_to_whole_paragraphs_within_reach() {
        let check = |word: &str, reach: usize, expected: &str| {
            let at = TEXT.find(word).unwrap();
            assert_eq!(&TEXT[whole_blocks(TEXT, at..at + word.len(), reach)], expected, "{word}");
        };
        check("follows", 100, "Three is here.\nFour follows it. Five too.");
        check("follows", 14, "Four follows it. Five too.");
        check("follows", 9, "Four follows it.");
        check("follows", 3, "follows");
        check("Two", 10, "One. Two.");
        check("Six", 10, "Six.");
    }

    #[test]
    fn blocks_follow_each_other_in_both_directions() {
        let (mut at, mut after) = (0, Vec::new());
        while let Some(block) = Some(block_after(TEXT, at, 40)).filter(|block| !block.is_empty()) {
            at = block.end;
            after.push(&TEXT[block]);
        }
        assert_eq!(after, ["One. Two.", "Three is here.\nFour follows it.", "Five too.", "Six."]);
        let (mut at, mut before) = (TEXT.len(), Vec::new());
        while let Some(block) = Some(block_before(TEXT, at, 40)).filter(|block| !block.is_empty()) {
            at = block.start;
            before.push(&TEXT[block]);
        }
        assert_eq!(before, ["Six.", "Four follows it. Five too.", "Three is here.", "One. Two."]);
        assert_eq!(trimmed("\n\n  a b \n", 0..8), 2..7);
        assert_eq!(trimmed("a   b ", 1..6), 4..5);
        assert_eq!(trimmed("   ", 0..3), 3..3);
        assert_eq!(block_after("  \n ", 0, 9), 4..4);
        assert_eq!(block_after("日本語日本語", 0, 7), 0..3);
        assert_eq!(block_before("日本語日本語", 18, 7), 12..18);
    }

    #[test]
    fn a_span_grows_exactly_as_far_as_it_may_reach() {
        let check = |reach: usize, expected: &str| {
            let at = TEXT.find("follows").unwrap();
            assert_eq!(&TEXT[whole_blocks(TEXT, at..at + 7, reach)], expected, "{reach}");
        };
        check(20, "Three is here.\nFour follows it. Five too.");
        check(19, "Four follows it. Five too.");
        check(14, "Four follows it. Five too.");
        check(13, "Four follows it.");
        check(5, "Four follows it.");
        check(4, "follows it.");
        check(3, "follows");
        assert_eq!(&TEXT[whole_blocks(TEXT, 0..TEXT.len(), 9)], TEXT.trim_end());
    }

    #[test]
    fn a_block_ends_with_a_word() {
        let text = "one\n\ntwo; \n\nthree \t";
        assert_eq!(&text[block_after(text, 3, 99)], "two;");
        assert_eq!(&text[block_after(text, 10, 99)], "three");
    }

    #[test]
    fn a_block_has_at_most_the_bytes_that_are_asked_for() {
        assert_eq!(block_after(TEXT, 0, 9), 0..9);
        assert_eq!(block_after(TEXT, 0, 8), 0..4);
        assert_eq!(block_after(TEXT, 0, 4), 0..4);
        assert_eq!(block_after("one two three", 0, 9), 0..7);
        assert_eq!(block_after("onetwothree", 0, 9), 0..9);
        assert_eq!(block_before(TEXT, 9, 9), 0..9);
        assert_eq!(block_before(TEXT, 9, 8), 5..9);
        assert_eq!(block_before(TEXT, 11, 9), 0..9);
        assert_eq!(block_before("one two", 7, 4), 3..7);
    }

    #[test]
    fn blocks_end_at_blank_lines() {
        let text = "a\nb\n \nc\nd\n\n\ne";
        let check = |at: usize, expected: (usize, usize)| {
            assert_eq!((block_start(text, at), block_end(text, at)), expected, "{at}");
        };
        check(0, (0, 3));
        check(2, (0, 3));
        check(3, (0, 3));
        check(6, (6, 9));
        check(8, (6, 9));
        check(12, (12, 13));
        check(13, (12, 13));
        assert_eq!((line_start(text, 8), line_end(text, 7)), (8, 7));
        assert_eq!((line_start(text, 1), line_end(text, 12)), (0, 13));
        assert_eq!(sentence_end("One it is. Two", 4), 10);
        assert_eq!(sentence_end("One. Two", 5), 5);
        assert_eq!(sentence_end("One. Two. ", 6), 9);
    }

    #[test]
    fn breaks_are_starts_of_lines_and_sentences_but_for_the_first() {
        assert_eq!(breaks("One. Two.\nThree"), [5, 10]);
        assert_eq!(breaks("\nOne.\n"), [1]);
        assert!(breaks("One.").is_empty() && breaks("").is_empty());
        assert_eq!(word_breaks("a bc  d "), [2, 6]);
        assert_eq!(word_breaks(" a"), [1]);
        assert_eq!(word_breaks("日本"), [3]);
        assert_eq!(word_breaks("a日b"), [1]);
        assert_eq!(word_breaks("a\u{2e80}"), [1]);
        assert!(word_breaks("a\u{2e7f}b").is_empty());
    }
}
