//! Distinguishes full lines from lines that end on purpose. A line is full if the first word of the next one would not
//! have fitted; otherwise it ends on purpose, as in verse, items and last lines.

use super::bidi;
use super::lines::TextLine;

/// The left and right edge for lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LineMeasure {
    /// Left edge along the baseline.
    pub left: f32,
    /// Right edge.
    pub right: f32,
}

impl LineMeasure {
    /// The measure of each line; lines of the same size share one.
    pub(super) fn of_lines(lines: &[TextLine]) -> Vec<LineMeasure> {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by(|a, b| lines[*a].size.total_cmp(&lines[*b].size));
        let mut measures = vec![LineMeasure::default(); lines.len()];
        let mut start = 0;
        while start < order.len() {
            let size = lines[order[start]].size;
            let end = start + order[start..].partition_point(|at| lines[*at].size <= 1.08 * size);
            let group = &order[start..end];
            let left = group.iter().map(|at| lines[*at].x0).fold(f32::INFINITY, f32::min);
            let right = group.iter().map(|at| lines[*at].x1).fold(f32::NEG_INFINITY, f32::max);
            group.iter().for_each(|at| measures[*at] = LineMeasure { left, right });
            start = end;
        }
        measures
    }

    /// Its width.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// The free space at the end of a line.
    fn room(&self, line: &TextLine) -> f32 {
        match line.text.chars().find(|c| c.is_alphabetic()).is_some_and(bidi::is_right_to_left) {
            true => line.x0 - self.left,
            false => self.right - line.x1,
        }
    }

    /// True if more than an eighth of the width is free.
    pub(super) fn is_short(&self, line: &TextLine) -> bool {
        self.room(line) > self.width() / 8.0
    }

    /// True if the first word of the next line would not have fitted on this one.
    pub(super) fn wraps(&self, line: &TextLine, next: &TextLine) -> bool {
        let room = self.room(line);
        // No word is as short as this; most lines of justified text are decided here.
        if room < 0.4 * next.size {
            return true;
        }
        let is_even = next.face.is_monospace;
        let width =
            |text: &str| text.chars().map(|c| if is_even { 1.0 } else { usual_width(c) }).sum::<f32>();
        let each = (next.x1 - next.x0) / width(&next.text).max(1.0);
        let word = match next.text.chars().next() {
            Some(first) if is_dense(first) => usual_width(first),
            _ => next.text.split_whitespace().next().map_or(0.0, width),
        };
        // Half a letter for the space before the word, and the rest for differences of widths.
        room < each * (word + 0.8)
    }
}

/// The width of a character in proportional type, where most letters have 1.
fn usual_width(c: char) -> f32 {
    match c {
        'i' | 'j' | 'l' | 'I' | '\'' | '’' | '‘' | '|' | '!' => 0.48,
        ' ' | '.' | ',' | ';' | ':' => 0.5,
        't' | 'f' | 'r' | '(' | ')' | '[' | ']' | '-' | '"' | '“' | '”' => 0.6,
        'm' | 'w' | 'M' | 'W' | '—' => 1.5,
        c if c.is_ascii_uppercase() => 1.3,
        _ => 1.0,
    }
}

/// True for letters of scripts that are written without spaces between words.
pub(super) fn is_dense(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, x0: f32) -> TextLine {
        let x1 = x0 + 5.0 * text.chars().count() as f32;
        TextLine { text: text.to_owned(), x0, x1, size: 10.0, ..TextLine::default() }
    }

    #[test]
    fn a_line_wraps_when_the_next_word_does_not_fit() {
        let check = |first: &str, second: &str, expected| {
            let measure = LineMeasure { left: 0.0, right: 100.0 };
            assert_eq!(measure.wraps(&line(first, 0.0), &line(second, 0.0)), expected, "{first} / {second}");
        };
        check("nineteen characters", "next", true);
        check("seven c", "next", false);
        check("seventeen of them", "next", true);
        check("fourteen of th", "next", false);
        check("十個十個十個十個十個十個十個十個十個", "字", false);
    }

    #[test]
    fn lines_of_one_size_share_their_edges() {
        let mut lines = vec![line("a long line of text", 0.0), line("short", 10.0), line("x", 300.0)];
        lines[2].size = 20.0;
        let measures = LineMeasure::of_lines(&lines);
        assert_eq!(measures[1], LineMeasure { left: 0.0, right: 95.0 });
        assert_eq!(measures[2], LineMeasure { left: 300.0, right: 305.0 });
    }
}
