//! Titles and notes in the margin: text beyond the edges of all lines of the body, in another type, beside them. Such a text
//! often stands on the baseline of a line, of which it would be the end. The terms of a glossary and the titles of a résumé
//! stand so as well, each beside the first line of what it is about, before which it is read.

use crate::layout::input::positioned_span::PositionedSpan;
use crate::layout::input::typefaces::{family, is_bold};
use crate::layout::lines::text_line::{SpanRow, rows, typical_part};
use rustc_hash::FxHashMap;

/// Lines of body text that a page has beside its margins, and their usual characters.
const MIN_BODY_LINES: usize = 4;
const MIN_BODY_CHARACTERS: usize = 25;

/// The least blank space between the body and its margin, in font sizes. Words of a line are nearer to each other.
const MIN_GUTTER: f32 = 0.8;

/// Percent of the width of the body that a margin has at most.
const MAX_WIDTH_PERCENT: f32 = 60.0;

/// Percent of its size by which other type is smaller or larger.
const OTHER_SIZE_PERCENT: f32 = 6.0;

/// Percent of the lines of the body that may reach into the margin, as a formula may that is too long.
const MAX_REACHING_PERCENT: usize = 2;

/// Letters that the notes on the left have at least on average: marks of items and numbers of paragraphs have fewer.
const MIN_LETTERS: usize = 4;

/// Percent of the texts of notes that have letters, at least: with fewer they are the last column of a table.
const MIN_WORDS_PERCENT: usize = 50;

/// Notes on the left of one page, from which they are titles. A single one may be the first word of its line.
const MIN_LEFT_NOTES: usize = 2;

/// Blank space between two notes, in font sizes.
const NOTE_SPACE: f32 = 0.9;

/// How much farther than the nearest lines, at least, the first line of a paragraph is from the one above it; and percent of
/// the width of the body that the last line of one leaves blank.
const PARAGRAPH_SPACE: f32 = 1.2;
const MIN_BLANK_END_PERCENT: f32 = 10.0;

/// Percent of the texts on the left that stand beside the beginning of a paragraph, from which they are its titles.
const MIN_HEADS_PERCENT: usize = 80;

/// What stands in the margins of a page, each text from top to bottom.
#[derive(Default)]
pub(crate) struct Margins<'p> {
    /// Titles on the left, as large as the body.
    pub(crate) side_heads: Vec<Vec<PositionedSpan<'p>>>,
    /// All others.
    pub(crate) notes: Vec<Vec<PositionedSpan<'p>>>,
}

/// Takes what stands in the margins from the spans of a page.
pub(crate) fn take<'p>(spans: &mut Vec<PositionedSpan<'p>>) -> Margins<'p> {
    let Some(body) = BodyArea::of(spans) else { return Margins::default() };
    let mut margins = Margins::default();
    for side in [MarginSide::Right, MarginSide::Left] {
        let (taken, rest): (Vec<_>, Vec<_>) = spans.drain(..).partition(|span| body.is_note(span, side));
        *spans = rest;
        let found = divided(taken);
        match body.accepts(&found, side) {
            true if side == MarginSide::Left && body.are_side_heads(&found) => margins.side_heads = found,
            true => margins.notes.extend(found),
            false => spans.extend(found.into_iter().flatten()),
        }
    }
    margins
}

#[derive(Clone, Copy, PartialEq)]
enum MarginSide {
    Left,
    Right,
}

/// Where the lines of the body are, and their type.
struct BodyArea<'p> {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    /// The baselines of the first lines of its paragraphs.
    beginnings: Vec<f32>,
    style: BodyType<'p>,
}

/// The size, weight and family of most characters.
#[derive(Clone, Copy)]
struct BodyType<'p> {
    size: f32,
    is_bold: bool,
    family: &'p str,
}

impl<'p> BodyType<'p> {
    fn of(spans: &[PositionedSpan<'p>]) -> Option<BodyType<'p>> {
        let mut uses: FxHashMap<(i64, bool, &str), usize> = FxHashMap::default();
        for span in spans.iter().filter(|span| span.stands_for.is_none()) {
            let face = &span.source.font;
            let key = ((span.size * 10.0).round() as i64, is_bold(face), family(&face.name));
            *uses.entry(key).or_default() += span.source.text.len();
        }
        let ((size, is_bold, family), _) = uses.into_iter().max_by_key(|(key, uses)| (*uses, *key))?;
        Some(BodyType { size: size as f32 / 10.0, is_bold, family })
    }

    fn has(&self, span: &PositionedSpan<'_>) -> bool {
        let face = &span.source.font;
        (span.size - self.size).abs() * 100.0 <= OTHER_SIZE_PERCENT * self.size
            && is_bold(face) == self.is_bold
            && family(&face.name) == self.family
    }
}

impl<'p> BodyArea<'p> {
    fn of(spans: &[PositionedSpan<'p>]) -> Option<BodyArea<'p>> {
        let style = BodyType::of(spans)?;
        let body: Vec<PositionedSpan<'_>> = spans.iter().copied().filter(|span| style.has(span)).collect();
        let lines = rows(&body);
        if lines.len() < MIN_BODY_LINES || typical_part(&lines).0 < MIN_BODY_CHARACTERS {
            return None;
        }
        // Single lines may reach farther.
        let slack = body.len() * MAX_REACHING_PERCENT / 100;
        let mut starts: Vec<f32> = body.iter().map(|span| span.x0).collect();
        let mut ends: Vec<f32> = body.iter().map(|span| span.x1).collect();
        starts.sort_by(f32::total_cmp);
        ends.sort_by(|a, b| b.total_cmp(a));
        let base = |at: usize| lines.get(at).map(|line| line.base);
        let (left, right) = (*starts.get(slack)?, *ends.get(slack)?);
        let beginnings = beginnings(&lines, right - (right - left) * MIN_BLANK_END_PERCENT / 100.0);
        let bottom = base(lines.len() - 1)?;
        Some(BodyArea { left, right, top: base(0)?, bottom, beginnings, style })
    }

    /// True for text beyond an edge of the body, beside its lines, in another type.
    fn is_note(&self, span: &PositionedSpan<'_>, side: MarginSide) -> bool {
        let size = self.style.size;
        let gutter = MIN_GUTTER * size;
        let is_beyond = match side {
            MarginSide::Right => span.x0 >= self.right + gutter,
            MarginSide::Left => span.x1 <= self.left - gutter,
        };
        let is_beside = (self.top - size..=self.bottom + size).contains(&span.base);
        span.stands_for.is_none() && is_beyond && is_beside && !self.style.has(span)
    }

    /// True for texts that are as large as the body, most of them beside the first line of a paragraph.
    fn are_side_heads(&self, texts: &[Vec<PositionedSpan<'_>>]) -> bool {
        let size = self.style.size;
        let is_head = |text: &&Vec<PositionedSpan<'_>>| {
            text.first().is_some_and(|first| {
                let is_beside = |base: &f32| (base - first.base).abs() < size / 2.0;
                (size - first.size) * 100.0 <= OTHER_SIZE_PERCENT * size
                    && self.beginnings.iter().any(is_beside)
            })
        };
        texts.iter().filter(is_head).count() * 100 >= texts.len() * MIN_HEADS_PERCENT
    }

    fn accepts(&self, notes: &[Vec<PositionedSpan<'_>>], side: MarginSide) -> bool {
        let all = || notes.iter().flatten();
        let from = all().map(|span| span.x0).fold(f32::INFINITY, f32::min);
        let to = all().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max);
        let is_narrow = (to - from) * 100.0 <= (self.right - self.left) * MAX_WIDTH_PERCENT;
        let texts = || all().map(|span| span.source.text.as_str());
        let letters = texts().flat_map(str::chars).filter(|c| c.is_alphabetic()).count();
        let words = texts().filter(|text| text.contains(char::is_alphabetic)).count();
        let has_words =
            letters >= notes.len() * MIN_LETTERS && words * 100 >= texts().count() * MIN_WORDS_PERCENT;
        !notes.is_empty()
            && is_narrow
            && has_words
            && (side == MarginSide::Right || notes.len() >= MIN_LEFT_NOTES)
    }
}

/// The baselines of the first lines of paragraphs: with space above them, or below a line that ends before `full`.
fn beginnings(lines: &[SpanRow<'_>], full: f32) -> Vec<f32> {
    let pitches = || lines.windows(2).map(|pair| pair[1].base - pair[0].base);
    let least = pitches().filter(|pitch| *pitch > 0.0).fold(f32::INFINITY, f32::min);
    let is_short = |line: &SpanRow<'_>| line.spans().iter().all(|span| span.x1 < full);
    let after = lines.windows(2).zip(pitches());
    let after = after.filter(|(pair, pitch)| *pitch > least * PARAGRAPH_SPACE || is_short(&pair[0]));
    lines.first().map(|line| line.base).into_iter().chain(after.map(|(pair, _)| pair[1].base)).collect()
}

/// The notes of a margin, which blank space divides.
fn divided(mut spans: Vec<PositionedSpan<'_>>) -> Vec<Vec<PositionedSpan<'_>>> {
    spans.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.x0.total_cmp(&b.x0)));
    let mut notes: Vec<Vec<PositionedSpan<'_>>> = Vec::new();
    let mut bottom = f32::NEG_INFINITY;
    for span in spans {
        let is_next = span.top() - bottom <= NOTE_SPACE * span.size;
        bottom = if is_next { bottom.max(span.bottom()) } else { span.bottom() };
        match notes.last_mut() {
            Some(note) if is_next => note.push(span),
            _ => notes.push(vec![span]),
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::page::{FontFace, TextSpan};
    use std::sync::Arc;

    /// Eight lines from 100 to 400, and notes of this size from and to these places on these baselines: the notes found.
    fn check(notes: &[(&str, f32, f32, f32)], size: f32, expected: &[&str]) {
        let body = "words of a line that is as long as others";
        let mut drawn: Vec<TextSpan> =
            (0..8).map(|at| TextSpan::drawn(body, [100.0, 100.0 + 12.0 * at as f32], 300.0, 10.0)).collect();
        drawn.extend(
            notes.iter().map(|(text, x0, x1, base)| TextSpan::drawn(text, [*x0, *base], x1 - x0, size)),
        );
        let mut spans: Vec<PositionedSpan<'_>> = drawn.iter().map(PositionedSpan::of).collect();
        let found = take(&mut spans);
        assert!(found.side_heads.is_empty() || found.notes.is_empty());
        let found = [found.side_heads, found.notes].concat();
        let texts: Vec<String> = found
            .iter()
            .map(|note| note.iter().map(|span| span.source.text.as_str()).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(texts, expected, "{notes:?}");
        assert_eq!(spans.len() + found.iter().flatten().count(), drawn.len());
    }

    #[test]
    fn notes_are_beyond_the_body_in_another_type() {
        let two = [
            ("On lamps", 420.0, 470.0, 100.0),
            ("and oil", 420.0, 460.0, 108.0),
            ("Tides", 420.0, 450.0, 160.0),
        ];
        check(&two, 7.0, &["On lamps and oil", "Tides"]);
        check(&two, 10.0, &[]);
        let numbers = [
            ("Percent Increase", 420.0, 470.0, 100.0),
            ("(5.1)", 440.0, 470.0, 112.0),
            ("581.0", 440.0, 470.0, 124.0),
        ];
        check(&numbers, 7.0, &[]);
        check(&[("On lamps", 404.0, 470.0, 100.0)], 7.0, &[]);
        check(&[("On lamps", 420.0, 470.0, 300.0)], 7.0, &[]);
        check(&[("On lamps", 420.0, 620.0, 112.0)], 7.0, &[]);
    }

    #[test]
    fn notes_on_the_left_have_words_and_are_several() {
        check(&[("Lamps", 30.0, 80.0, 100.0), ("Tides", 30.0, 80.0, 148.0)], 8.0, &["Lamps", "Tides"]);
        check(&[("Lamps", 30.0, 80.0, 100.0)], 8.0, &[]);
        check(&[("1.", 80.0, 88.0, 100.0), ("2.", 80.0, 88.0, 148.0)], 8.0, &[]);
    }

    /// Paragraphs of three lines from 200 to 500, 8 points between them, and beside line `beside` of each a title of this size:
    /// how many are titles of paragraphs, and how many notes?
    fn kinds(beside: usize, size: f32) -> (usize, usize) {
        let words = "words of a line that is as long as others";
        let mut drawn = Vec::new();
        for at in 0..12 {
            let base = 100.0 + 12.0 * at as f32 + 8.0 * (at / 3) as f32;
            drawn.push(TextSpan::drawn(words, [200.0, base], 300.0, 10.0));
            if at % 3 == beside {
                let bold = TextSpan::drawn("Covenant", [72.0, base], 60.0, size);
                let face = FontFace { name: "Helvetica-Bold".to_owned(), weight: 700, ..FontFace::default() };
                drawn.push(TextSpan { font: Arc::new(face), ..bold });
            }
        }
        let mut spans: Vec<PositionedSpan<'_>> = drawn.iter().map(PositionedSpan::of).collect();
        let found = take(&mut spans);
        (found.side_heads.len(), found.notes.len())
    }

    #[test]
    fn titles_stand_beside_the_first_lines_of_paragraphs() {
        assert_eq!(kinds(0, 10.0), (4, 0));
        assert_eq!(kinds(0, 12.0), (4, 0));
        assert_eq!(kinds(0, 9.0), (0, 4));
        assert_eq!(kinds(1, 10.0), (0, 4));
    }
}
