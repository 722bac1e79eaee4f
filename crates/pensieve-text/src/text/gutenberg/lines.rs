//! The lines of a text, each with the plain form in which its wording is compared.

use crate::model::Span;

/// A line without its line end.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainLine<'t> {
    /// The line, without blanks and byte-order marks around it.
    pub text: &'t str,
    /// The start of the line.
    pub start: usize,
    /// The start of the next line.
    pub next: usize,
}

impl PlainLine<'_> {
    pub fn is_blank(self) -> bool {
        self.text.is_empty()
    }

    /// Lower case, letters and digits only, one space between words, `e-text` and `e-book` as one word each.
    pub fn form(self) -> String {
        plain_form(self.text)
    }
}

/// The form in which wordings are compared.
pub(super) fn plain_form(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            form.extend(c.to_lowercase());
        } else if !matches!(c, '\'' | '’') && !form.is_empty() && !form.ends_with(' ') {
            form.push(' ');
        }
    }
    let form = form.trim_end();
    if form.contains("e text") || form.contains("e book") {
        let words = format!(" {form}").replace(" e text", " etext").replace(" e book", " ebook");
        return words.trim_start().to_owned();
    }
    form.to_owned()
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct PlainLines<'t> {
    all: Vec<PlainLine<'t>>,
}

impl<'t> PlainLines<'t> {
    pub fn of(text: &'t str) -> PlainLines<'t> {
        let (mut all, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let rest = &text.as_bytes()[at..];
            let len = memchr::memchr2(b'\n', b'\r', rest);
            let end = len.map_or(text.len(), |len| at + len);
            let next = if text[end..].starts_with("\r\n") { end + 2 } else { (end + 1).min(text.len()) };
            let line = text[at..end].trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            all.push(PlainLine { text: line, start: at, next });
            at = next;
        }
        PlainLines { all }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, at: usize) -> Option<PlainLine<'t>> {
        self.all.get(at).copied()
    }

    /// The lines of a range, which may reach beyond the text.
    pub fn range(&self, from: usize, to: usize) -> &[PlainLine<'t>] {
        let to = to.min(self.all.len());
        &self.all[from.min(to)..to]
    }

    /// The first line after the paragraph of line `at`.
    pub fn paragraph_end(&self, at: usize) -> usize {
        let rest = self.range(at, self.len());
        at + rest.iter().position(|line| line.is_blank()).unwrap_or(rest.len())
    }

    /// The first line of the paragraph that ends before line `end`.
    pub fn paragraph_start(&self, end: usize) -> usize {
        let before = self.range(0, end);
        before.iter().rposition(|line| line.is_blank()).map_or(0, |at| at + 1)
    }

    /// The first line from `at` on that is not blank.
    pub fn skip_blank(&self, at: usize) -> usize {
        let rest = self.range(at, self.len());
        at + rest.iter().position(|line| !line.is_blank()).unwrap_or(rest.len())
    }

    /// The range without blank lines at either end.
    pub fn trimmed(&self, from: usize, to: usize) -> (usize, usize) {
        let from = self.skip_blank(from).min(to);
        let kept = self.range(from, to).iter().rposition(|line| !line.is_blank());
        (from, from + kept.map_or(0, |last| last + 1))
    }

    /// The wording of a range, as one line.
    pub fn form(&self, from: usize, to: usize) -> String {
        let forms: Vec<String> = self.range(from, to).iter().map(|line| line.form()).collect();
        forms.join(" ").trim().to_owned()
    }

    /// How many words a range has.
    pub fn words(&self, from: usize, to: usize) -> usize {
        self.range(from, to).iter().map(|line| line.text.split_whitespace().count()).sum()
    }

    /// The bytes of a range, with the last line end.
    pub fn span(&self, from: usize, to: usize) -> Span {
        match self.range(from, to) {
            [] => Span::default(),
            [first, .., last] | [first @ last] => Span::new(first.start, last.next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_have_one_form() {
        let check = |text: &str, expected: &str| assert_eq!(plain_form(text), expected);
        check("*END*THE SMALL PRINT! FOR", "end the small print for");
        check("Project Gutenberg's  E-Text of", "project gutenbergs etext of");
        check("E-book", "ebook");
        check("***", "");
        check("the text", "the text");
    }

    #[test]
    fn lines_end_in_every_way() {
        let text = "\u{feff}one\r\ntwo\n\r  \rlast";
        let lines = PlainLines::of(text);
        let words: Vec<&str> = lines.range(0, 99).iter().map(|line| line.text).collect();
        assert_eq!(words, ["one", "two", "", "", "last"]);
        assert_eq!(lines.span(0, lines.len()), Span::new(0, text.len()));
        assert_eq!(lines.trimmed(2, 4), (4, 4));
        assert_eq!((lines.paragraph_end(0), lines.paragraph_start(2), lines.skip_blank(2)), (2, 0, 4));
        assert_eq!(PlainLines::of("").span(0, 0), Span::default());
    }
}
