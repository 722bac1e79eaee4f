//! Whether a text ends between two lines that belong together: `\begin{document}` and `\end{document}` of LaTeX,
//! `BEGIN:VCARD` and `END:VCARD` of contacts.

/// Searches the line that must follow another one, in a text that arrives in parts.
#[derive(Debug)]
pub(super) struct MarkedEnd {
    begin: &'static str,
    end: &'static str,
    is_open: bool,
    /// The last line, as far as it has come.
    line: String,
}

/// Bytes of a line that are examined.
const MAX_LINE_BYTES: usize = 1024;

impl MarkedEnd {
    pub(super) fn new(begin: &'static str, end: &'static str) -> MarkedEnd {
        MarkedEnd { begin, end, is_open: false, line: String::new() }
    }

    /// True if the text so far has the first line without the second.
    pub(super) fn is_open(&self) -> bool {
        let mut last = MarkedEnd { is_open: self.is_open, ..MarkedEnd::new(self.begin, self.end) };
        last.examine(&self.line);
        last.is_open
    }

    pub(super) fn push(&mut self, text: &str) {
        for line in text.split_inclusive(['\n', '\r']) {
            let is_whole = line.ends_with(['\n', '\r']);
            if is_whole && self.line.is_empty() {
                self.examine(line);
                continue;
            }
            if self.line.len() <= MAX_LINE_BYTES {
                self.line.push_str(line);
            }
            if is_whole {
                let line = std::mem::take(&mut self.line);
                self.examine(&line);
            }
        }
    }

    fn examine(&mut self, line: &str) {
        self.is_open |= line.trim_start().starts_with(self.begin);
        self.is_open &= !line.contains(self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        for size in [1, 7, text.len().max(1)] {
            let mut end = MarkedEnd::new("\\begin{document}", "\\end{document}");
            text.as_bytes().chunks(size).for_each(|part| end.push(std::str::from_utf8(part).unwrap()));
            assert_eq!(end.is_open(), expected, "{text:?} in parts of {size}");
        }
    }

    #[test]
    fn the_second_line_follows_the_first() {
        check("\\documentclass{article}\n \\begin{document}\nwords\n\\end{document}\n", false);
        check("\\begin{document}\nwords\n", true);
        check("\\begin{document}\r\nwords \\end{document}", false);
        check("\\begin{document}", true);
        check("\\begin{document} words \\end{document}", false);
    }

    #[test]
    fn a_line_that_quotes_the_first_begins_nothing() {
        check("% \\begin{document}\n", false);
        check("words\n", false);
        check("", false);
    }
}
