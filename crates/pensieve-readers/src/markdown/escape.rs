//! What of a text would be read as markup by CommonMark 0.31 or GFM, or taken for a trace of pandoc and cleaned away, and
//! so must stand behind a backslash.
//!
//! As little as possible: text is for readers and models. A lone `*`, a `_` inside a name, a `[1]` stay as they are. Some
//! traces of other converters in the words of a page are no words of its author, and stay as they are too, so that
//! cleaning finds them: `{#name .class}` that ends a heading, `[^12]` directly behind a word or as the mark of a note,
//! `![](picture.png)`, and `\newpage` as all that a block says.

use regex::Regex;
use std::sync::LazyLock;

/// Stars or underscores in a row that are looked at together.
const LONGEST_RUN: usize = 64;

/// What stands around a text, as far as escapes care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Around {
    /// What is written before the text; none for white space and the start of a line.
    pub before: Option<char>,
    /// What follows the text may be anything.
    pub is_cut: bool,
    /// In a cell, where pipes divide.
    pub in_cell: bool,
    /// In the words of a link, which brackets end.
    pub in_link: bool,
    /// In a heading.
    pub in_heading: bool,
    /// The line begins with a bracket, as definitions of links do.
    pub begins_bracket: bool,
    /// A link follows the text.
    pub before_link: bool,
}

/// What is written in the place of a character that would be markup; none for those that get a backslash. Tags and
/// references are taken away by many a tool that knows no backslashes.
pub(crate) fn reference_for(byte: u8) -> Option<&'static str> {
    match byte {
        b'<' => Some("&lt;"),
        b'&' => Some("&amp;"),
        _ => None,
    }
}

/// True for characters that [`is_markup`] must be asked about.
pub(crate) fn is_special(byte: u8) -> bool {
    matches!(byte, b'`' | b'|' | b'*' | b'_' | b'<' | b'&' | b'[' | b']' | b'(' | b'{' | b'\\' | b'~' | b'!')
}

/// True when the character at `at` would be read as markup.
pub(crate) fn is_markup(text: &str, at: usize, around: Around) -> bool {
    let before = if at == 0 { around.before } else { text[..at].chars().next_back() };
    let rest = &text[at + 1..];
    let after = rest.chars().next();
    match text.as_bytes()[at] {
        b'`' => true,
        b'|' => around.in_cell,
        b'[' => around.in_link || after == Some('^') && !is_trace_of_note(&rest[1..], before, at == 0),
        b']' => around.in_link || is_end_of_link(&text[..at], after, around),
        b'(' => at == 0 && before == Some(']'),
        b'*' => DelimiterRun::of(text, at, around).is_flanking(),
        b'_' => DelimiterRun::of(text, at, around).opens_underscore(),
        b'~' => before == Some('~') || after == Some('~'),
        b'<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?' | '<')),
        b'&' => is_reference(&text[at..]),
        b'!' => around.before_link && rest.is_empty(),
        b'{' => is_attribute(rest, before) && !(around.in_heading && ends_heading(rest)),
        b'\\' => match after {
            Some(after) => after.is_ascii_punctuation() || is_page_break(rest) && text.trim() != &text[at..],
            None => around.is_cut,
        },
        _ => false,
    }
}

/// True behind `[^` for what other converters leave of a note: `word[^12]`, `[^12]: Its text.`
fn is_trace_of_note(rest: &str, before: Option<char>, is_start: bool) -> bool {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = &rest[digits..];
    let is_reference = before.is_some_and(|c| !c.is_whitespace()) && end.starts_with(']');
    (1..=4).contains(&digits) && (is_reference || is_start && end.starts_with("]:"))
}

/// True for the bracket that would end the words of a link, or the name of one where a line begins with it.
fn is_end_of_link(before: &str, after: Option<char>, around: Around) -> bool {
    match after {
        Some('(') => !before.ends_with("!["),
        Some(':') => {
            let digits = before.trim_end_matches(|c: char| c.is_ascii_digit());
            around.begins_bracket && !digits.ends_with("[^")
        }
        _ => false,
    }
}

/// True behind the brace of what pandoc would read as attributes: `{#name`, `{.class`, `{=format`, `{key="value"`.
fn is_attribute(rest: &str, before: Option<char>) -> bool {
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_:".contains(byte)).count();
    rest.starts_with(['#', '.', '=']) || before == Some(']') || name > 0 && rest[name..].starts_with("=\"")
}

/// True behind the brace of an attribute that nothing follows.
fn ends_heading(rest: &str) -> bool {
    rest.find('}').is_some_and(|end| rest[end + 1..].trim().is_empty())
}

/// True behind the backslash of a page break.
fn is_page_break(rest: &str) -> bool {
    ["newpage", "pagebreak", "clearpage"].iter().any(|name| rest.starts_with(name))
}

/// Stars or underscores in a row, and what stands on both sides (CommonMark 0.31, section 6.2).
struct DelimiterRun {
    before: Side,
    after: Side,
}

/// What stands beside emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Blank,
    Sign,
    Letter,
    /// Any of these.
    Unknown,
}

impl Side {
    /// What a character is; none is the start or end of a line.
    pub(crate) fn of(c: Option<char>) -> Side {
        match c {
            None => Side::Blank,
            Some(c) if c.is_whitespace() => Side::Blank,
            Some(c) if c.is_alphanumeric() => Side::Letter,
            Some(c) if c.is_ascii_punctuation() => Side::Sign,
            Some(c) if PUNCTUATION.is_match(c.encode_utf8(&mut [0; 4])) => Side::Sign,
            Some(_) => Side::Letter,
        }
    }
}

/// What CommonMark calls punctuation.
static PUNCTUATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\p{P}\p{S}]").expect("the pattern is tested"));

/// True where emphasis can begin between two characters.
pub(crate) fn is_left(before: Side, after: Side) -> bool {
    after == Side::Letter || after == Side::Unknown || after == Side::Sign && before != Side::Letter
}

/// True where emphasis can end between two characters.
pub(crate) fn is_right(before: Side, after: Side) -> bool {
    is_left(after, before)
}

impl DelimiterRun {
    fn of(text: &str, at: usize, around: Around) -> DelimiterRun {
        let sign = text.as_bytes()[at];
        let near = |bytes: &mut dyn Iterator<Item = &u8>| {
            bytes.take(LONGEST_RUN).take_while(|byte| **byte == sign).count()
        };
        let start = at - near(&mut text.as_bytes()[..at].iter().rev());
        let end = at + near(&mut text.as_bytes()[at..].iter());
        let before = if start == 0 { around.before } else { text[..start].chars().next_back() };
        let rest = &text[end..];
        let after =
            if rest.is_empty() && around.is_cut { Side::Unknown } else { Side::of(rest.chars().next()) };
        DelimiterRun { before: Side::of(before), after }
    }

    fn is_flanking(&self) -> bool {
        is_left(self.before, self.after) || is_right(self.before, self.after)
    }

    /// Underscores that end something do no harm where none begins it.
    fn opens_underscore(&self) -> bool {
        is_left(self.before, self.after) && (!is_right(self.before, self.after) || self.before == Side::Sign)
    }
}

/// Where a word that begins a line would be read as the start of a block; where it `follows` another line of its block, as
/// the underline of that one or the line below the head of a table.
pub(crate) fn line_start(word: &str, follows: bool) -> Option<usize> {
    let bytes = word.as_bytes();
    let is_all = |byte: u8| bytes.iter().all(|&other| other == byte);
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match *bytes.first()? {
        b'#' if bytes.len() <= 6 && is_all(b'#') => Some(0),
        b'>' | b'|' => Some(0),
        b'-' | b'+' | b'*' | b'_' if bytes.len() == 1 => Some(0),
        byte @ (b'-' | b'=') if is_all(byte) && (follows || bytes.len() > 2) => Some(0),
        byte @ (b'*' | b'_') if bytes.len() > 2 && is_all(byte) => Some(0),
        b'~' if word.starts_with("~~~") => Some(0),
        b'-' | b':' if follows && word.contains('-') && bytes.iter().all(|byte| b"-:|".contains(byte)) => {
            Some(0)
        }
        b'0'..=b'9' if digits + 1 == bytes.len() && digits < 10 => {
            matches!(bytes[digits], b'.' | b')').then_some(digits)
        }
        _ => None,
    }
}

/// True when a character reference stands at the start.
fn is_reference(text: &str) -> bool {
    let name =
        text[1..].bytes().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(1 + name) == Some(&b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, around: Around) -> String {
        let mut found = String::new();
        for (at, c) in text.char_indices() {
            if c.is_ascii() && is_special(c as u8) && is_markup(text, at, around) {
                found.push('\\');
            }
            found.push(c);
        }
        found
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(escaped(text, Around::default()), expected);
    }

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        check("snake_case _ * 2 * 3", "snake_case _ * 2 * 3");
        check("__init__ and _x_ and _y", "\\_\\_init__ and \\_x_ and \\_y");
        check("*bold* 2*3 char *p, char **q", "\\*bold\\* 2\\*3 char \\*p, char \\*\\*q");
        check("name: ____ Next", "name: ____ Next");
        check("a<b <5 <<x> >", "a\\<b <5 \\<\\<x> >");
        check("&amp; R&D; AT&T", "\\&amp; R\\&D; AT&T");
        check("[1]|`x` ~/a ~~b~~", "[1]|\\`x\\` ~/a \\~\\~b\\~\\~");
        check("C:\\Users \\* \\", "C:\\Users \\\\\\* \\");
    }

    #[test]
    fn the_text_of_a_book_is_no_trace_of_a_converter() {
        check("The class [^0-9] and f[0](x) and ![x](y)", "The class \\[^0-9] and f[0\\](x) and ![x\\](y)");
        check(
            "\\section{#1} {{#each}} {.5} a{k=\"v\"} {x} a[1]{2}",
            "\\section\\{#1} {\\{#each}} \\{.5} a\\{k=\"v\"} {x} a[1]\\{2}",
        );
        check("Write \\newpage here", "Write \\\\newpage here");
        check("See [^2] and note[^a]", "See \\[^2] and note\\[^a]");
    }

    #[test]
    fn traces_of_converters_stay() {
        check("Words[^12] and ![](a.png)", "Words[^12] and ![](a.png)");
        let note = Around { begins_bracket: true, ..Around::default() };
        assert_eq!(escaped("[^1]: Text", note), "[^1]: Text");
        assert_eq!(escaped("[x]: y", note), "[x\\]: y");
        check("\\newpage", "\\newpage");
        let heading = Around { in_heading: true, ..Around::default() };
        assert_eq!(escaped("One {#one .x} ", heading), "One {#one .x} ");
        assert_eq!(escaped("One {#one} two", heading), "One \\{#one} two");
    }

    #[test]
    fn lines_begin_no_blocks_by_chance() {
        let starts = ["#", "1.", "12)", "-", "---", ">x", "=", "--", "***", "_", "~~~sh", "|a", "--|--", "+"]
            .map(|word| line_start(word, true));
        assert!(starts.iter().all(Option::is_some), "{starts:?}");
        assert!(["=", "--", "-|-"].into_iter().all(|word| line_start(word, false).is_none()));
        assert_eq!((starts[1], starts[2]), (Some(1), Some(2)));
        assert!(
            ["#1", "1.5", "-x", "a.", "**x", "~x"].into_iter().all(|word| line_start(word, true).is_none())
        );
    }
}
