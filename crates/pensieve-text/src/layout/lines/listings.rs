//! Listings: lines of programs and of terminals, set in letters of one width, whose indents, blank lines and line ends
//! mean something. A document in which everything has letters of one width was typed, and has none; where nearly everything
//! has, listings have the signs of programs.

use super::line_measure::LineMeasure;
use super::text_line::TextLine;
use std::ops::Range;

/// Percent of a document, or of a page, that is other text if its lines in letters of one width are listings; with less it may
/// have been typed. The body of a manual is its other text from the same share on. The share was not varied.
const MIN_OTHER_PERCENT: usize = 25;

/// True if so much of a text is not in letters of one width that those that are may be listings.
pub(crate) fn is_printed(other: usize, all: usize) -> bool {
    other * 100 >= all * MIN_OTHER_PERCENT
}

/// Lines farther apart than this, in font sizes, are two listings: two blank lines.
const MAX_LINE_DISTANCE: f32 = 3.7;

/// Blank lines that are kept in a row.
const MAX_BLANK_LINES: usize = 2;

/// Lines of a quotation or a letter in such type, of which most are full and few have signs of programs.
const MIN_PROSE_LINES: usize = 3;
const MIN_FULL_PERCENT: usize = 60;
const MAX_SIGNS_PERCENT: usize = 3;

/// The smallest distance of lines, in font sizes.
const MIN_LINE_DISTANCE: f32 = 0.7;

/// Signs that programs and commands have and sentences do not.
const CODE_SIGNS: &str = "{}();=<>$#\\|_[]";

/// Which lines of a document in letters of one width are listings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListingRule {
    /// None: nothing is set so, or everything, as on a typewriter.
    Never,
    /// Those with signs of programs: nearly everything is set so, under headings in other type, say.
    WithSigns,
    /// All but prose.
    NotProse,
}

impl ListingRule {
    /// The rule for a document with these lines.
    pub(crate) fn of<'l>(lines: impl Iterator<Item = &'l TextLine>) -> ListingRule {
        let (mut other, mut all) = (0, 0);
        for line in lines {
            all += line.text.len();
            other += if line.face.is_monospace { 0 } else { line.text.len() };
        }
        match other {
            0 => ListingRule::Never,
            _ if other == all => ListingRule::Never,
            _ if is_printed(other, all) => ListingRule::NotProse,
            _ => ListingRule::WithSigns,
        }
    }
}

/// The listings among the lines of a region.
pub(crate) fn find(lines: &[TextLine], measures: &[LineMeasure], rule: ListingRule) -> Vec<Range<usize>> {
    if rule == ListingRule::Never {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut first = 0;
    while first < lines.len() {
        let end = first + run_length(&lines[first..]);
        if end > first && is_listing(lines, measures, first..end, rule) {
            found.push(first..end);
        }
        first = end.max(first + 1);
    }
    found
}

/// How many lines from the first on are set in letters of one width, and near enough to each other.
fn run_length(lines: &[TextLine]) -> usize {
    let near = lines.windows(2).take_while(|pair| may_go_on(&pair[0], &pair[1])).count();
    if lines.first().is_some_and(is_set_so) { near + 1 } else { 0 }
}

fn is_set_so(line: &TextLine) -> bool {
    line.is_monospace && !line.is_turned
}

/// True if two lines may be of one listing.
pub(crate) fn may_go_on(above: &TextLine, below: &TextLine) -> bool {
    let size = above.size.max(below.size);
    let distance = below.base - above.base;
    is_set_so(above)
        && is_set_so(below)
        && distance > 0.0
        && distance <= MAX_LINE_DISTANCE * size
        && above.size.min(below.size) >= 0.87 * size
}

fn is_listing(lines: &[TextLine], measures: &[LineMeasure], range: Range<usize>, rule: ListingRule) -> bool {
    let run = &lines[range.clone()];
    // A title in such type is bold.
    if run.iter().all(|line| line.is_bold) {
        return false;
    }
    let (mut signs, mut letters) = (0, 0);
    for c in run.iter().flat_map(|line| line.text.chars()).filter(|c| !c.is_whitespace()) {
        letters += 1;
        signs += usize::from(CODE_SIGNS.contains(c));
    }
    let has_signs = signs * 100 > letters * MAX_SIGNS_PERCENT;
    match run.len() {
        _ if rule == ListingRule::WithSigns && !has_signs => false,
        // A single line may be the end of a paragraph, or an address.
        1 => has_signs && !goes_on(lines, measures, range.start),
        count if count >= MIN_PROSE_LINES && !has_signs => {
            let pairs = range.start..range.end - 1;
            let full = pairs.filter(|at| measures[*at].wraps(&lines[*at], &lines[*at + 1])).count();
            full * 100 < (count - 1) * MIN_FULL_PERCENT
        }
        _ => true,
    }
}

/// True for a line that continues the one above it.
fn goes_on(lines: &[TextLine], measures: &[LineMeasure], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        let (above, line) = (&lines[before], &lines[at]);
        measures[before].wraps(above, line) && (line.base - above.base) <= 1.6 * line.size.max(above.size)
    })
}

/// A line of a listing as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListingLine {
    /// Line ends for blank lines before it, and the blanks of its indent.
    pub(crate) lead: String,
    /// Its text, with the blanks between its columns.
    pub(crate) text: String,
}

/// The grid of a listing: where its first column is, the width of a letter, the distance of lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListingGrid {
    left: f32,
    letter: f32,
    line: f32,
}

impl ListingGrid {
    /// Measures the lines of a listing.
    pub(crate) fn of<'l>(lines: impl Iterator<Item = &'l TextLine> + Clone) -> ListingGrid {
        let left = lines.clone().map(|line| line.x0).fold(f32::INFINITY, f32::min);
        let mut letters: Vec<f32> = lines.clone().filter_map(letter_width).collect();
        letters.sort_by(f32::total_cmp);
        let size = lines.clone().map(|line| line.size).fold(0.0, f32::max);
        // Letters of one width have about six tenths of their size.
        let letter = letters.get(letters.len() / 2).copied().unwrap_or(0.6 * size).max(0.1);
        let bases: Vec<(f32, f32)> = lines.map(|line| (line.base, line.size)).collect();
        let mut distances: Vec<f32> = bases.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        distances.retain(|distance| *distance > MIN_LINE_DISTANCE * size);
        distances.sort_by(f32::total_cmp);
        // A lower quartile, because blank lines only make distances larger.
        let line = distances.get(distances.len() / 4).copied().unwrap_or(1.2 * size).max(0.1);
        ListingGrid { left, letter, line }
    }

    /// How many blank lines are between two lines.
    pub(crate) fn blank_lines(&self, before: &TextLine, line: &TextLine) -> usize {
        let steps = ((line.base - before.base) / self.line).round();
        (steps.max(1.0) as usize - 1).min(MAX_BLANK_LINES)
    }

    /// A line after `blank_lines` blank ones.
    pub(crate) fn line(&self, line: &TextLine, blank_lines: usize) -> ListingLine {
        let indent = self.columns(line.x0 - self.left);
        let lead = "\n".repeat(blank_lines) + &" ".repeat(indent);
        let mut text = String::with_capacity(line.text.len());
        for (part, x0, _) in line.fine_pieces() {
            let written = text.chars().count();
            let blanks = self.columns(x0 - line.x0).saturating_sub(written);
            let least = usize::from(!text.is_empty());
            text.extend(std::iter::repeat_n(' ', blanks.max(least)));
            text.push_str(part);
        }
        ListingLine { lead, text }
    }

    fn columns(&self, width: f32) -> usize {
        // A page is at most some hundred letters wide.
        (width / self.letter).round().clamp(0.0, 500.0) as usize
    }
}

/// The width of the letters of a line, by its longest part.
fn letter_width(line: &TextLine) -> Option<f32> {
    let parts = line.fine_pieces().map(|(text, x0, x1)| (text.chars().count(), x1 - x0));
    let (letters, width) = parts.max_by_key(|(letters, _)| *letters)?;
    (letters >= 4).then(|| width / letters as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::page::FontFace;
    use std::sync::Arc;

    /// A line of letters that are 6 points wide, in size 10.
    fn code(text: &str, x0: f32, base: f32) -> TextLine {
        let face = Arc::new(FontFace { is_monospace: true, ..FontFace::default() });
        let x1 = x0 + 6.0 * text.chars().count() as f32;
        TextLine {
            text: text.to_owned(),
            x0,
            x1,
            base,
            size: 10.0,
            face,
            is_monospace: true,
            ..TextLine::default()
        }
    }

    fn prose(text: &str, base: f32) -> TextLine {
        TextLine { is_monospace: false, face: Arc::default(), ..code(text, 0.0, base) }
    }

    fn check(lines: &[TextLine], expected: &[(usize, usize)]) {
        let found: Vec<(usize, usize)> = ranges(lines, ListingRule::NotProse);
        assert_eq!(found, expected);
    }

    fn ranges(lines: &[TextLine], rule: ListingRule) -> Vec<(usize, usize)> {
        let found = find(lines, &LineMeasure::of_lines(lines), rule);
        found.iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn lines_in_letters_of_one_width_are_a_listing() {
        let text = |base| prose("a line of running text that is as long as the column", base);
        check(
            &[text(0.0), text(12.0), code("if (a)", 0.0, 30.0), code("b = c", 12.0, 42.0), text(60.0)],
            &[(2, 4)],
        );
        check(&[text(0.0), code("make x=1", 0.0, 18.0), text(36.0)], &[(1, 2)]);
        check(&[text(0.0), code("make", 0.0, 18.0), text(36.0)], &[]);
        check(&[text(0.0), code("foo(bar)", 0.0, 12.0), text(24.0)], &[]);
        check(&[code("a", 0.0, 0.0), code("b", 0.0, 37.0), code("c", 0.0, 74.1)], &[(0, 2)]);
        let bold = |base| TextLine { is_bold: true, ..code("A title", 0.0, base) };
        check(&[bold(0.0), bold(12.0)], &[]);
    }

    #[test]
    fn lines_around_a_blank_one_are_of_one_listing() {
        let line = |base| code("make x=1", 0.0, base);
        assert_eq!(
            [24.0, 37.0, 37.5, -12.0].map(|base| may_go_on(&line(0.0), &line(base))),
            [true, true, false, false]
        );
        assert!(!may_go_on(&line(0.0), &prose("text", 12.0)) && !may_go_on(&prose("text", 0.0), &line(12.0)));
        assert!(!may_go_on(&line(0.0), &TextLine { size: 8.6, ..line(12.0) }));
    }

    #[test]
    fn full_lines_of_words_are_a_quotation() {
        let words = "words of a letter that somebody typed and";
        let typed: Vec<TextLine> = (0..4).map(|at| code(words, 0.0, 12.0 * at as f32)).collect();
        check(&typed, &[]);
        let commands: Vec<TextLine> =
            (0..4).map(|at| code("run(a); run(b); run(c)", 0.0, 12.0 * at as f32)).collect();
        check(&commands, &[(0, 4)]);
    }

    #[test]
    fn documents_of_one_type_have_no_listings() {
        let lines = |typed: usize, other: usize| {
            let typed = (0..typed).map(|_| code("abcd", 0.0, 0.0));
            typed.chain((0..other).map(|_| prose("abcd", 0.0))).collect::<Vec<_>>()
        };
        use ListingRule::{Never, NotProse, WithSigns};
        for (typed, other, expected) in [(3, 1, NotProse), (4, 1, WithSigns), (0, 1, Never), (1, 0, Never)] {
            assert_eq!(ListingRule::of(lines(typed, other).iter()), expected, "{typed} {other}");
        }
        let (words, program) = (["typed", "words"], ["if (a)", "b = c"]);
        let lines = |texts: [&str; 2]| [code(texts[0], 0.0, 0.0), code(texts[1], 12.0, 12.0)];
        assert_eq!(ranges(&lines(words), NotProse), [(0, 2)]);
        assert_eq!(ranges(&lines(words), WithSigns), []);
        assert_eq!(ranges(&lines(program), WithSigns), [(0, 2)]);
    }

    #[test]
    fn indents_columns_and_blank_lines_are_kept() {
        let mut columns = code("a b", 0.0, 24.0);
        columns.parts = vec![(0, 0.0, 6.0), (2, 48.0, 54.0)];
        let lines =
            [code("def f():", 0.0, 0.0), code("return 1", 24.0, 12.0), columns, code("end.", 0.0, 48.0)];
        let grid = ListingGrid::of(lines.iter());
        let mut written = String::new();
        for (at, line) in lines.iter().enumerate() {
            let blank_lines = at.checked_sub(1).map_or(0, |before| grid.blank_lines(&lines[before], line));
            let ListingLine { lead, text } = grid.line(line, blank_lines);
            written += &format!("{lead}{text}\n");
        }
        assert_eq!(written, "def f():\n    return 1\na       b\n\nend.\n");
    }
}
