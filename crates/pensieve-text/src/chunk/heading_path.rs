//! The headings above a place, in plain words.

/// Separates two headings of a path.
pub const HEADING_SEPARATOR: &str = " > ";
/// Maximum characters of one heading in a path.
const MAX_HEADING_CHARS: usize = 100;
/// Maximum bytes of a heading; longer ones are not headings.
const MAX_HEADING_BYTES: usize = 1024;

/// The open headings at a place, outermost first, with their levels.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeadingPath(Vec<(usize, String)>);

impl HeadingPath {
    /// Begins a heading, which ends the headings of its level and below.
    pub(crate) fn enter(&mut self, level: usize, markup: &str) {
        self.enter_plain(level, plain(markup));
    }

    /// The same for words without markup.
    pub(super) fn enter_words(&mut self, level: usize, words: &str) {
        self.enter_plain(level, shortened(words.to_owned()));
    }

    fn enter_plain(&mut self, level: usize, words: String) {
        while self.0.last().is_some_and(|(open, _)| *open >= level) {
            self.0.pop();
        }
        self.0.push((level, words));
    }

    /// The path, such as `Guide > Install`; `None` if no heading is open.
    pub(crate) fn path(&self) -> Option<String> {
        let words: Vec<&str> =
            self.0.iter().map(|(_, words)| words.as_str()).filter(|w| !w.is_empty()).collect();
        (!words.is_empty()).then(|| words.join(HEADING_SEPARATOR))
    }
}

/// A heading's text without inline markup, with white space collapsed, cut to a length that can be shown.
fn plain(markup: &str) -> String {
    let cut =
        (0..=MAX_HEADING_BYTES.min(markup.len())).rev().find(|&at| markup.is_char_boundary(at)).unwrap_or(0);
    let stripped = strip(without_attributes(&markup[..cut]));
    let mut words = String::new();
    for word in stripped.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    shortened(words)
}

fn shortened(words: String) -> String {
    match words.chars().count() > MAX_HEADING_CHARS {
        true => words.chars().take(MAX_HEADING_CHARS - 1).chain(['…']).collect(),
        false => words,
    }
}

/// Drops a trailing `{#anchor .class}`.
fn without_attributes(markup: &str) -> &str {
    let markup = markup.trim_end();
    match markup.rfind('{') {
        Some(at) if markup.ends_with('}') && markup[at + 1..].starts_with(['#', '.']) => &markup[..at],
        _ => markup,
    }
}

/// Drops the marks of emphasis, code and images, link targets and tags.
fn strip(markup: &str) -> String {
    let mut words = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let skipped = match c {
            // A backslash before punctuation is no text (CommonMark 2.4).
            '\\' if after.starts_with(|c: char| c.is_ascii_punctuation()) => {
                words.push_str(&after[..1]);
                2
            }
            '*' | '`' | '[' => 1,
            '~' if after.starts_with('~') => 2,
            '!' if after.starts_with('[') => 1,
            // Inside of a word it is part of a name (CommonMark 6.2).
            '_' if !words.ends_with(char::is_alphanumeric) || !after.starts_with(char::is_alphanumeric) => 1,
            ']' => 1 + target_len(after),
            '<' => tag_len(rest).unwrap_or(0),
            _ => 0,
        };
        if skipped == 0 {
            words.push(c);
            rest = after;
        } else {
            rest = &rest[skipped..];
        }
    }
    words
}

/// Bytes of `(target)` or `[label]` after a link's text.
fn target_len(after: &str) -> usize {
    let close = match after.as_bytes().first() {
        Some(b'(') => ')',
        Some(b'[') => ']',
        _ => return 0,
    };
    after.find(close).map_or(0, |at| at + 1)
}

/// Bytes of a tag such as `<br/>` or `<a name="x">`.
fn tag_len(rest: &str) -> Option<usize> {
    let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
    rest.find('>').filter(|_| is_tag).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markup: &str, expected: &str) {
        assert_eq!(plain(markup), expected);
    }

    #[test]
    fn inline_markup_goes() {
        check("**Getting** `started`  with _it_", "Getting started with it");
        check("[Install](https://x.y/z) ![logo](a.png) [more][1]", "Install logo more");
        check("snake_case and 2 < 3 \\*really\\*", "snake_case and 2 < 3 *really*");
        check("Usage <a name=\"u\"></a> {#usage .big}", "Usage");
        check("a ] b [ c", "a b c");
    }

    #[test]
    fn long_headings_are_cut() {
        let long = plain(&"é".repeat(5000));
        assert_eq!(long.chars().count(), MAX_HEADING_CHARS);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn a_heading_ends_those_of_its_level() {
        let mut headings = HeadingPath::default();
        assert_eq!(headings.path(), None);
        for (level, words, path) in [
            (1, "Guide", "Guide"),
            (3, "Deep", "Guide > Deep"),
            (2, "Install", "Guide > Install"),
            (2, "Use", "Guide > Use"),
            (1, "", ""),
        ] {
            headings.enter(level, words);
            assert_eq!(headings.path().unwrap_or_default(), path);
        }
    }
}
