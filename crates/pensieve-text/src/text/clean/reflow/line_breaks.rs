//! Decides for each line end of a block whether it stays, joins two lines of a paragraph or ends a paragraph.
//!
//! A program that wraps text breaks a line where the next word does not fit. This is true of nearly every line of prose
//! and of few lines of verse, tables or addresses. About every second line of prose ends in the middle of a sentence,
//! so that the next one begins with a small letter; lines of verse begin with capitals. Lines are joined only if both
//! signs agree. Joined lines are judged again until nothing changes, so that clean text is stable.

use super::divided_token::{DividedToken, divided_token, token_after, token_before};
use super::hyphenation::{WordCounts, before_hyphen, first_word};
use super::line_traits::{
    FirstLetter, LetterCase, LineEnd, LineRole, LineTraits, closes_before_text, final_hyphen,
};
use super::separate_lines::are_separate;
use std::borrow::Cow;

/// Longer lines were not wrapped by a program.
const MAX_LINE_CHARS: usize = 160;

/// Shorter lines on average are hardly ever wrapped prose: free verse has them.
const MIN_WRAPPED_CHARS: usize = 28;

/// The same for lines without a single capital, as modern verse is written, and the shortest of them that is joined
/// with the next one alone.
const MIN_LOWER_WRAPPED_CHARS: usize = 55;
const MIN_LOWER_CHARS: usize = 48;

/// What becomes of a line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineBreak {
    /// The line end stays.
    Keep,
    /// A blank replaces it.
    Blank,
    /// It is removed.
    Nothing,
    /// It is removed together with the hyphen before it.
    Hyphen,
    /// A blank line replaces it.
    Paragraph,
}

/// Facts from the beginning of the document, and the enabled rules.
#[derive(Debug, Default)]
pub(super) struct ReflowContext {
    pub(super) words: WordCounts,
    /// The width to which the document is wrapped, if its paragraphs agree.
    pub(super) width: Option<usize>,
    pub(super) joins_lines: bool,
    pub(super) joins_words: bool,
    pub(super) keeps_lists: bool,
}

/// A source line, or several joined lines.
struct MergedLine<'a> {
    text: Cow<'a, str>,
    line: LineTraits,
    /// The index of its last source line.
    last: usize,
}

/// The decision for each line end of a block except the last.
pub(super) fn breaks(lines: &[&str], context: &ReflowContext) -> Vec<LineBreak> {
    let mut breaks = vec![LineBreak::Keep; lines.len().saturating_sub(1)];
    let mut blocks: Vec<Vec<MergedLine<'_>>> = vec![block_of(lines)];
    while let Some(block) = blocks.pop() {
        let found = judge_block(&block, context);
        if found.iter().any(|&found| found != LineBreak::Keep) {
            blocks.extend(joined(&block, &found, &mut breaks));
        }
    }
    breaks
}

fn block_of<'a>(lines: &[&'a str]) -> Vec<MergedLine<'a>> {
    let line = |(last, text): (usize, &&'a str)| MergedLine {
        text: Cow::Borrowed(*text),
        line: LineTraits::of(text),
        last,
    };
    lines.iter().enumerate().map(line).collect()
}

/// The blocks into which a block is divided, with their lines joined; blocks of one line are left out.
fn joined<'a>(
    block: &[MergedLine<'a>],
    found: &[LineBreak],
    breaks: &mut [LineBreak],
) -> Vec<Vec<MergedLine<'a>>> {
    for (line, &how) in block.iter().zip(found) {
        breaks[line.last] = how;
    }
    let mut blocks = Vec::new();
    let mut start = 0;
    for end in 1..=block.len() {
        if found.get(end - 1).is_none_or(|&how| how == LineBreak::Paragraph) {
            if found[start..end - 1].contains(&LineBreak::Keep) {
                blocks.push(joined_lines(&block[start..end], &found[start..end - 1]));
            }
            start = end;
        }
    }
    blocks
}

fn joined_lines<'a>(block: &[MergedLine<'a>], found: &[LineBreak]) -> Vec<MergedLine<'a>> {
    let mut lines: Vec<MergedLine<'a>> = Vec::new();
    for (at, line) in block.iter().enumerate() {
        match (at.checked_sub(1).map(|before| found[before]), lines.last_mut()) {
            (Some(how), Some(last)) if how != LineBreak::Keep => last.join(line, how),
            _ => lines.push(MergedLine { text: line.text.clone(), ..*line }),
        }
    }
    for line in lines.iter_mut().filter(|line| matches!(line.text, Cow::Owned(_))) {
        line.line = LineTraits::of(&line.text);
    }
    lines
}

impl MergedLine<'_> {
    fn join(&mut self, next: &MergedLine<'_>, how: LineBreak) {
        let text = self.text.to_mut();
        match how {
            LineBreak::Hyphen => {
                text.pop();
            }
            LineBreak::Blank => text.push(' '),
            LineBreak::Nothing | LineBreak::Keep | LineBreak::Paragraph => {}
        }
        text.push_str(&next.text);
        self.last = next.last;
    }
}

/// Judges the line ends of a block once.
fn judge_block(block: &[MergedLine<'_>], context: &ReflowContext) -> Vec<LineBreak> {
    let mut found = vec![LineBreak::Keep; block.len().saturating_sub(1)];
    let mut start = 0;
    for end in 1..=block.len() {
        let goes_on = block.get(end).is_some_and(|next| {
            let is_item = context.keeps_lists && next.line.role == LineRole::Item;
            let role = if is_item {
                LineRole::Item
            } else if next.line.role == LineRole::Item {
                LineRole::Text
            } else {
                next.line.role
            };
            block[end - 1].line.may_join(&LineTraits { role, ..next.line })
        });
        if !goes_on {
            if end - start > 1 {
                ParagraphCandidate { lines: &block[start..end], context }.judge(&mut found[start..end - 1]);
            }
            start = end;
        }
    }
    found
}

/// Consecutive lines that may belong to one paragraph.
struct ParagraphCandidate<'a, 'b> {
    lines: &'a [MergedLine<'b>],
    context: &'a ReflowContext,
}

impl ParagraphCandidate<'_, '_> {
    fn judge(&self, found: &mut [LineBreak]) {
        if self.is_no_prose() {
            return;
        }
        if self.context.joins_lines {
            if self.is_wrapped() {
                self.join_wrapped(found);
            } else if self.goes_on_throughout() {
                (0..found.len()).for_each(|at| found[at] = self.join(at));
            } else {
                self.join_full(found);
            }
        }
        if self.context.joins_words {
            for at in (0..found.len()).filter(|&at| self.is_divided(at)) {
                found[at] = self.join(at);
            }
        }
    }

    fn line(&self, at: usize) -> &LineTraits {
        &self.lines[at].line
    }

    fn all(&self) -> impl Iterator<Item = &LineTraits> {
        self.lines.iter().map(|line| &line.line)
    }

    fn breaks(&self) -> usize {
        self.lines.len() - 1
    }

    /// The number of line ends that satisfy `test`.
    fn count(&self, test: impl Fn(&LineTraits, &LineTraits) -> bool) -> usize {
        (0..self.breaks()).filter(|&at| test(self.line(at), self.line(at + 1))).count()
    }

    /// True unless all letters are small, or of a script without capitals.
    fn has_capital(&self) -> bool {
        self.all().any(|line| line.has_capital)
    }

    /// The longest line.
    fn widest(&self) -> usize {
        self.all().map(|line| line.chars).max().unwrap_or_default()
    }

    /// True for rows of numbers, code, fields of a form, items, and lines that no program has wrapped.
    fn is_no_prose(&self) -> bool {
        let sum = |of: fn(&LineTraits) -> usize| self.all().map(of).sum::<usize>();
        let (words, lines) = (sum(|line| line.words), self.lines.len());
        self.widest() > MAX_LINE_CHARS
            // More than a third of the words: a row of numbers. Sentences with prices have fewer.
            || sum(|line| line.numbers) * 20 >= words * 7
            || sum(|line| usize::from(line.looks_like_code)) * 10 >= lines * 3
            || sum(|line| usize::from(line.looks_like_field)) * 2 > lines
            || are_separate(&self.lines.iter().map(|line| &*line.text).collect::<Vec<_>>())
    }

    /// True for four lines or more that were wrapped and read like prose.
    fn is_wrapped(&self) -> bool {
        let widest = self.widest();
        // If a sentence ends although the next word would have fitted, a paragraph may end.
        let ends = self.count(|line, next| {
            line.end == LineEnd::Terminal && next.start != FirstLetter::Lower && !fills(line, next, widest)
        });
        let breaks = self.breaks() - ends;
        let words: usize = self.all().map(|line| line.words).sum();
        let is_cjk = self.all().all(|line| line.cjk.0 || line.cjk.1);
        // Three lines and fewer agree by accident.
        if breaks < 3 || ends > breaks || !is_cjk && words < self.lines.len() * 3 {
            return false;
        }
        // True of nearly every line of wrapped prose, and of few lines of verse.
        let strict = self.count(|line, next| fills(line, next, widest)) * 10 >= breaks * 9;
        let loose = self.count(|line, next| fills(line, next, widest * 17 / 20)) * 10 >= breaks * 8;
        // About every second line of prose ends in the middle of a sentence.
        let low = self.count(|_, next| next.start == FirstLetter::Lower);
        let length: usize =
            self.lines[..self.breaks()].iter().map(|line| line.line.chars).sum::<usize>() / self.breaks();
        if self.all().all(|line| line.caps != LetterCase::Some)
            && !is_cjk
            && self.all().any(|line| line.caps == LetterCase::All)
        {
            return strict && length >= 38;
        }
        if is_cjk {
            // A mark that may not begin a line moves one letter or two.
            let nearly = self.count(|line, next| fills(line, next, widest.saturating_sub(2)));
            return nearly * 10 >= breaks * 9 && widest >= 15;
        }
        // Arabic, Hebrew, Hindi and Korean have no capitals, so that only the width speaks.
        if self.all().all(|line| matches!(line.start, FirstLetter::Caseless | FirstLetter::Other)) {
            let letters = self.all().filter(|line| line.start == FirstLetter::Caseless).count();
            return strict && length >= 38 && letters * 2 >= self.lines.len();
        }
        let min_chars = if self.has_capital() { MIN_WRAPPED_CHARS } else { MIN_LOWER_WRAPPED_CHARS };
        length >= min_chars && (strict && low * 4 >= breaks || loose && low * 2 >= breaks && length >= 38)
    }

    /// In wrapped prose a line that is not full ends a paragraph, unless the sentence continues.
    fn join_wrapped(&self, found: &mut [LineBreak]) {
        let widest = self.widest();
        for (at, found) in found.iter_mut().enumerate() {
            let (line, next) = (self.line(at), self.line(at + 1));
            let begins = line.end == LineEnd::Terminal && next.start != FirstLetter::Lower;
            // Where a sentence begins, a line that is not nearly full ended a paragraph.
            let width = if begins { widest * 19 / 20 } else { widest * 17 / 20 };
            *found = match fills(line, next, width) || line.goes_on_in(next) {
                true => self.join(at),
                false => LineBreak::Paragraph,
            };
        }
    }

    /// True for two or three lines in which the sentence continues at every line end, if they are long, or begin and
    /// end like a sentence.
    fn goes_on_throughout(&self) -> bool {
        let goes_on = |line: &LineTraits, next: &LineTraits| line.goes_on_in(next);
        if self.breaks() > 2 || self.count(goes_on) < self.breaks() {
            return false;
        }
        let widest = self.widest();
        let min_chars = if self.has_capital() { 40 } else { MIN_LOWER_CHARS };
        let is_long = |line: &LineTraits, next: &LineTraits| {
            line.chars >= min_chars && fills(line, next, widest * 17 / 20)
        };
        if self.count(is_long) == self.breaks() {
            return true;
        }
        let is_sentence = self.line(0).start == FirstLetter::Upper
            && self.line(0).role == LineRole::Text
            && self.line(self.breaks()).end == LineEnd::Terminal;
        // Many lines of verse end with a comma; such short lines of prose hardly ever do.
        is_sentence && self.count(|line, _| line.words >= 3 && line.end != LineEnd::Comma) == self.breaks()
    }

    /// Joins lines in the middle of a sentence after a line that is too long for verse, and after lines that fill the
    /// width of the document.
    fn join_full(&self, found: &mut [LineBreak]) {
        let widest = self.widest();
        let width = self.context.width.filter(|&width| widest <= width + 3);
        for (at, found) in found.iter_mut().enumerate() {
            let (line, next) = (self.line(at), self.line(at + 1));
            let is_full =
                // A long word makes any line before it full.
                |width: usize| fills(line, next, width.saturating_sub(2)) && line.chars * 5 >= width * 3;
            let goes_on = line.goes_on_in(next) && fills(line, next, widest * 17 / 20);
            let min_chars = if width.is_some() && self.has_capital() { 40 } else { 50 };
            if width.is_some_and(is_full) || goes_on && line.chars >= min_chars {
                *found = self.join(at);
            }
        }
    }

    /// True if a hyphen divides a word between this line and the next.
    fn is_divided(&self, at: usize) -> bool {
        let (line, next) = (&self.lines[at], &self.lines[at + 1]);
        let is_capital = |text: &str| text.starts_with(char::is_uppercase);
        let is_name = || match final_hyphen(&line.text) {
            Some(hyphen) => {
                // `Anglo-` and `Saxon`.
                line.line.caps == LetterCase::Some && is_capital(before_hyphen(&line.text, hyphen))
            }
            None => false,
        };
        line.line.end == LineEnd::Hyphen
            && (line.text.ends_with('\u{ad}') || !is_suspended(&next.text))
            && (next.text.starts_with(char::is_lowercase) || is_capital(&next.text) && is_name())
    }

    /// How this line and the next are joined.
    fn join(&self, at: usize) -> LineBreak {
        let (line, next) = (&self.lines[at], &self.lines[at + 1]);
        if line.text.ends_with('\u{ad}') {
            // A soft hyphen is no text: it goes with the line end, or both stay.
            return if self.context.joins_words { LineBreak::Hyphen } else { LineBreak::Keep };
        }
        if line.line.end == LineEnd::Hyphen && !is_suspended(&next.text) {
            return self.join_words(at);
        }
        if self.context.joins_words && divides_number(&line.text, &next.text) {
            return LineBreak::Nothing;
        }
        // A dash without a space before it has no space after it.
        let has_dash = ["--", "—"].iter().any(|dash| {
            line.text.strip_suffix(dash).is_some_and(|word| word.ends_with(char::is_alphanumeric))
        });
        let is_close = has_dash || line.line.cjk.1 && next.line.cjk.0 || closes_before_text(&next.text);
        if is_close { LineBreak::Nothing } else { LineBreak::Blank }
    }

    fn join_words(&self, at: usize) -> LineBreak {
        let (text, next) = (&*self.lines[at].text, &*self.lines[at + 1].text);
        let Some(hyphen) = final_hyphen(text).filter(|_| self.context.joins_words) else {
            return LineBreak::Keep;
        };
        let (left, right) = (before_hyphen(text, hyphen), first_word(next));
        let is_capital = |word: &str| word.starts_with(char::is_uppercase);
        let all_capitals = |word: &str| !word.chars().any(char::is_lowercase);
        let words = &self.context.words;
        let keeps = match (left, right) {
            (_, "") => true,
            _ if is_fixed(token_before(text, hyphen), token_after(next), words) => true,
            // `HAR-` and `BOUR` are one word.
            (left, right) if is_capital(right) => !(all_capitals(left) && all_capitals(right)),
            (left, right) => words.keeps_hyphen(left, right),
        };
        if keeps { LineBreak::Nothing } else { LineBreak::Hyphen }
    }
}

/// True if the first word of the next line did not fit after this one.
fn fills(line: &LineTraits, next: &LineTraits, width: usize) -> bool {
    let gap = usize::from(!(line.cjk.1 && next.cjk.0));
    line.chars + gap + next.first_word > width
}

/// True if the hyphen of a token at a line end belongs to it, whatever its letters are.
fn is_fixed(left: &str, right: &str, words: &WordCounts) -> bool {
    match divided_token(left, right) {
        DividedToken::Word => false,
        DividedToken::Slashed => !words.is_one_word(left, right),
        DividedToken::Fixed => true,
    }
}

/// True if a hyphen after a digit or bracket connects two lines: `2,4-` and `dichlorophenol`, `1914-` and `1918`.
fn divides_number(text: &str, next: &str) -> bool {
    let before = text.strip_suffix(['-', '\u{2010}']).and_then(|text| text.chars().next_back());
    before.is_some_and(|c| c.is_numeric() || ")]'′.".contains(c))
        && next.starts_with(|c: char| c.is_alphanumeric() || "([".contains(c))
        && !is_suspended(next)
        && !matches!(
            token_after(next),
            // A suspended number, such as `12- and 15-inch`.
            "and" | "or" | "to" | "bis" | "et" | "ou" | "à" | "y" | "o" | "e" | "en" | "of"
        )
}

/// True for a line that continues after the first half of a suspended compound: `pre- and post-war`, `Vor- und
/// Nachteile`.
fn is_suspended(next: &str) -> bool {
    let mut words = next.split(' ');
    match words.next() {
        // German writes the second word without a hyphen, English and French have one in it.
        Some("und" | "oder") => true,
        Some("and" | "or" | "to" | "et" | "ou") => words.next().is_some_and(|word| word.contains('-')),
        _ => false,
    }
}

/// The width of a block that is certainly wrapped.
pub(super) fn width_of(lines: &[&str], context: &ReflowContext) -> Option<usize> {
    let block = block_of(lines);
    let is_one = block.windows(2).all(|pair| pair[0].line.may_join(&pair[1].line));
    let candidate = ParagraphCandidate { lines: &block, context };
    (is_one && !candidate.is_no_prose() && candidate.is_wrapped()).then(|| candidate.widest())
}

#[cfg(test)]
mod tests;
