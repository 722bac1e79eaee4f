//! A text as lines.

use crate::model::Span;

/// One line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// First byte, indentation included.
    pub start: usize,
    /// First byte behind the indentation.
    pub words: usize,
    /// First byte behind the last word.
    pub end: usize,
    /// Columns of indentation, a tab counting four.
    pub indent: usize,
}

impl Line {
    /// True when the line holds white space alone.
    pub(super) fn is_blank(&self) -> bool {
        self.words == self.end
    }

    /// The line without indentation and trailing white space.
    pub(super) fn words<'a>(&self, text: &'a str) -> &'a str {
        &text[self.words..self.end]
    }

    /// Bytes of the line without trailing white space.
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

/// The lines of `text` inside `span`, which starts at a line's start.
pub(super) fn lines(text: &str, span: Span) -> Vec<Line> {
    let mut found = Vec::with_capacity(span.len() / 40 + 1);
    let mut start = span.start;
    for line in text[span.range()].split_inclusive('\n') {
        let body = line.trim_end();
        let lead = body.len() - body.trim_start_matches([' ', '\t']).len();
        let tabs = body.as_bytes()[..lead].iter().filter(|&&b| b == b'\t').count();
        let indent = lead + 3 * tabs;
        found.push(Line { start, words: start + lead, end: start + body.len(), indent });
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_indentation() {
        let text = "a \n\t b\n \nc";
        let found = lines(text, Span::new(0, text.len()));
        assert_eq!(found.iter().map(|l| l.words(text)).collect::<Vec<_>>(), ["a", "b", "", "c"]);
        assert_eq!(found.iter().map(|l| l.indent).collect::<Vec<_>>(), [0, 5, 0, 0]);
        assert!(found[2].is_blank());
    }
}
