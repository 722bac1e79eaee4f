//! A text as lines.

use crate::model::Span;
use memchr::memchr_iter;

/// One line of a text, as byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineSpan {
    /// First byte, indentation included.
    pub start: usize,
    /// First byte after the indentation.
    pub words: usize,
    /// First byte after the last word.
    pub end: usize,
    /// Columns of indentation, a tab counting four.
    pub indent: usize,
}

impl LineSpan {
    /// True if the line is only white space.
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

/// The lines of `text` inside `span`, which starts at the start of a line.
pub(super) fn lines(text: &str, span: Span) -> Vec<LineSpan> {
    let mut found = Vec::with_capacity(span.len() / 32 + 1);
    let mut start = span.start;
    let line_starts = memchr_iter(b'\n', &text.as_bytes()[span.range()]).map(|by| span.start + by + 1);
    for next in line_starts.chain([span.end]) {
        if next == start {
            break;
        }
        let end = start + trimmed_len(&text[start..next]);
        let (mut words, mut indent) = (start, 0);
        for byte in &text.as_bytes()[start..end] {
            match byte {
                b' ' => indent += 1,
                // A tab stop has four columns in CommonMark (2.2).
                b'\t' => indent += 4,
                _ => break,
            }
            words += 1;
        }
        found.push(LineSpan { start, words, end, indent });
        start = next;
    }
    found
}

/// Bytes of a line without trailing white space; decodes characters only if the last one is not ASCII.
fn trimmed_len(line: &str) -> usize {
    let end = line.bytes().rposition(|b| !matches!(b, b'\t'..=b'\r' | b' ')).map_or(0, |last| last + 1);
    match line.as_bytes()[..end].last() {
        Some(last) if !last.is_ascii() => line.trim_end().len(),
        _ => end,
    }
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
