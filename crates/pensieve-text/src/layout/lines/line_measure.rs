//! Distinguishes full lines from lines that end on purpose. A line is full if the first word of the next one would not
//! have fitted; otherwise it ends on purpose, as in verse, items and last lines.

use super::text_line::TextLine;
use crate::layout::input::bidi;
use crate::layout::input::cjk::is_cjk;

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
    pub(crate) fn of_lines(lines: &[TextLine]) -> Vec<LineMeasure> {
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
    pub(crate) fn is_short(&self, line: &TextLine) -> bool {
        self.room(line) > self.width() / 8.0
    }

    /// True if the first word of the next line would not have fitted on this one.
    pub(crate) fn wraps(&self, line: &TextLine, next: &TextLine) -> bool {
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
            // A line of Chinese or Japanese may end after any letter.
            Some(first) if is_cjk(first) => usual_width(first),
            _ => next.text.split_whitespace().next().map_or(0.0, width),
        };
        // Half a letter for the space before the word, and the rest for differences of widths.
        room < each * (word + 0.8)
    }
}

/// The width of a character in proportional type, where most letters have 1.
fn usual_width(c: char) -> f32 {
    match c {
        // Widths of common text faces; those of the page's own fonts are not known here.
        'i' | 'j' | 'l' | 'I' | '\'' | '’' | '‘' | '|' | '!' => 0.48,
        ' ' | '.' | ',' | ';' | ':' => 0.5,
        't' | 'f' | 'r' | '(' | ')' | '[' | ']' | '-' | '"' | '“' | '”' => 0.6,
        'm' | 'w' | 'M' | 'W' | '—' => 1.5,
        c if c.is_ascii_uppercase() => 1.3,
        _ => 1.0,
    }
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

    #[test]
    fn sizes_that_nearly_agree_share_their_edges() {
        let sized = |size: f32, x0: f32| TextLine { x0, x1: x0 + 10.0, size, ..TextLine::default() };
        let check = |sizes: [f32; 3], expected: [f32; 3]| {
            let lines: Vec<TextLine> =
                sizes.iter().zip([0.0, 20.0, 40.0]).map(|(size, x0)| sized(*size, x0)).collect();
            let rights: Vec<f32> =
                LineMeasure::of_lines(&lines).iter().map(|measure| measure.right).collect();
            assert_eq!(rights, expected, "{sizes:?}");
        };
        check([10.0, 1.08 * 10.0, 11.0], [30.0, 30.0, 50.0]);
        check([10.0, 10.9, 11.5], [10.0, 50.0, 50.0]);
        check([11.5, 10.0, 10.5], [10.0, 50.0, 50.0]);
        assert_eq!(LineMeasure::of_lines(&[]), []);
    }

    #[test]
    fn the_free_space_of_a_line_is_at_its_end() {
        let measure = LineMeasure { left: 10.0, right: 90.0 };
        let check = |text: &str, [x0, x1]: [f32; 2], room: f32, is_short: bool| {
            let line = TextLine { x0, x1, ..line(text, 0.0) };
            assert_eq!((measure.room(&line), measure.is_short(&line)), (room, is_short), "{text}");
        };
        assert_eq!(measure.width(), 80.0);
        check("text", [15.0, 80.0], 10.0, false);
        check("text", [15.0, 79.0], 11.0, true);
        check("12 \u{5d0}", [20.0, 70.0], 10.0, false);
        check("12 \u{5d0}", [21.0, 90.0], 11.0, true);
    }

    /// A line with this free space, before a line of text that is `width` points wide.
    fn wraps(room: f32, next: &str, width: f32, size: f32, is_monospace: bool) -> bool {
        let measure = LineMeasure { left: 0.0, right: room };
        let above = TextLine { text: "above".to_owned(), ..TextLine::default() };
        let face = std::sync::Arc::new(crate::layout::FontFace { is_monospace, ..Default::default() });
        let next =
            TextLine { text: next.to_owned(), x0: 7.0, x1: 7.0 + width, size, face, ..TextLine::default() };
        measure.wraps(&above, &next)
    }

    #[test]
    fn the_room_for_a_word_depends_on_its_letters() {
        let check = |next: &str, width: f32, size: f32, is_monospace: bool, limit: f32| {
            let found = [limit - 0.05, limit + 0.05].map(|room| wraps(room, next, width, size, is_monospace));
            assert_eq!(found, [true, false], "{next}");
        };
        check("next", 0.0, 10.0, false, 4.0);
        check("abcd abcd", 90.0, 1.0, true, 48.0);
        check("mill of it", 90.0, 1.0, true, 43.2);
        check("abcd abcd", 85.0, 1.0, false, 48.0);
        check("lit ab", 40.6, 1.0, false, 23.6);
        check("Wm ab", 55.0, 1.0, false, 38.0);
        check("AB nu", 51.0, 1.0, false, 34.0);
        check("字字字字", 40.0, 1.0, false, 18.0);
        assert!(!wraps(0.4 * 10.0, "next", 0.0, 10.0, false));
    }

    #[test]
    fn letters_have_a_usual_width() {
        for (letters, width) in [
            ("ijlI'’‘|!", 0.48),
            (" .,;:", 0.5),
            ("tfr()[]-\"“”", 0.6),
            ("mwMW—", 1.5),
            ("ABZ", 1.3),
            ("aeé1字", 1.0),
        ] {
            assert!(letters.chars().all(|c| usual_width(c) == width), "{letters}");
        }
    }
}
