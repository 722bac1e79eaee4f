//! Finds what needs a backslash: characters that CommonMark 0.31 or GFM would read as markup, or that a cleaner would
//! take for a trace of pandoc.
//!
//! Escapes as little as possible, because text is for readers and models. A lone `*`, a `_` inside a name, a `[1]`
//! stay as they are. Some traces of other converters in the words of a page are not words of its author. They stay as
//! they are too, so that cleaning finds them: `{#name .class}` that ends a heading, `[^12]` directly after a word or
//! as the mark of a note, `![](picture.png)`, and `\newpage` as the only text of a block.

use super::flanking::{Side, can_close, can_open};
use std::cell::LazyCell;
use std::ops::Range;

/// How many consecutive stars or underscores are examined together, at most.
const MAX_DELIMITERS: usize = 64;

/// What surrounds a text, as far as escapes depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Surroundings {
    /// The character written before the text; `None` for white space and the start of a line.
    pub before: Option<char>,
    /// The text is cut: anything may follow it.
    pub is_cut: bool,
    /// In a cell, which a pipe would end.
    pub in_cell: bool,
    /// Inside emphasis, which a star or underscore could end.
    pub in_emphasis: bool,
    /// White space or the end of the line follows the text.
    pub before_space: bool,
    /// In the words of a link, which a bracket would end.
    pub in_link: bool,
    /// In a heading.
    pub in_heading: bool,
    /// The line begins with a bracket, as definitions of links do.
    pub begins_bracket: bool,
    /// A link follows the text.
    pub before_link: bool,
}

/// Which characters of a word can be markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordKind {
    /// Words of a text; the byte at which the word would begin a block, if it would.
    Text { block_start: Option<usize> },
    /// Code and markup of our own: only what ends a cell.
    Verbatim,
}

/// The bytes of a word of `text` that need an escape.
pub(super) fn escapes(
    text: &str,
    word: Range<usize>,
    kind: WordKind,
    surroundings: impl FnOnce() -> Surroundings,
) -> Vec<usize> {
    let around = LazyCell::new(surroundings);
    let is_read = |at: usize| match (kind, text.as_bytes()[at]) {
        (WordKind::Text { block_start }, _) if block_start == Some(at - word.start) => true,
        (WordKind::Text { .. }, byte) if is_special(byte) => is_markup(text, at, *around),
        (WordKind::Verbatim, b'|') => is_markup(text, at, *around),
        _ => false,
    };
    word.clone().filter(|&at| is_read(at)).collect()
}

/// A part of an escaped word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EscapedPart<'t> {
    /// Words as they are.
    Text(&'t str),
    /// A backslash before a character.
    Backslash,
    /// Replaces a character.
    Reference(&'static str),
}

impl<'t> EscapedPart<'t> {
    /// What is written.
    pub fn as_str(self) -> &'t str {
        match self {
            EscapedPart::Text(text) | EscapedPart::Reference(text) => text,
            EscapedPart::Backslash => "\\",
        }
    }
}

/// Passes on a word of `text` part by part, with an escape at each of these bytes.
pub(super) fn write_escaped<'t>(
    text: &'t str,
    word: Range<usize>,
    escapes: &[usize],
    mut put: impl FnMut(EscapedPart<'t>),
) {
    let mut done = word.start;
    for &at in escapes {
        put(EscapedPart::Text(&text[done..at]));
        let reference = reference_for(text.as_bytes()[at]);
        put(reference.map_or(EscapedPart::Backslash, EscapedPart::Reference));
        done = at + usize::from(reference.is_some());
    }
    put(EscapedPart::Text(&text[done..word.end]));
}

/// What replaces a character that would be markup; `None` for those that get a backslash. Many tools that do not know
/// backslash escapes remove tags and references.
pub(super) fn reference_for(byte: u8) -> Option<&'static str> {
    match byte {
        b'<' => Some("&lt;"),
        b'&' => Some("&amp;"),
        _ => None,
    }
}

/// True for characters that may be markup.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'`' | b'|' | b'*' | b'_' | b'<' | b'&' | b'[' | b']' | b'(' | b'{' | b'\\' | b'~' | b'!')
}

/// True when the character at `at` would be read as markup.
fn is_markup(text: &str, at: usize, around: Surroundings) -> bool {
    let before = if at == 0 { around.before } else { text[..at].chars().next_back() };
    let rest = &text[at + 1..];
    let after = rest.chars().next();
    match text.as_bytes()[at] {
        b'`' => true,
        b'|' => around.in_cell,
        b'[' => around.in_link || after == Some('^') && !is_trace_of_note(&rest[1..], before, at == 0),
        b']' => around.in_link || is_end_of_link(&text[..at], after, around),
        b'(' => at == 0 && before == Some(']'),
        // Stars that could end emphasis do no harm if none begins it: all others that could have an escape.
        b'*' => DelimiterRun::of(text, at, around).opens_or_ends(around.in_emphasis),
        b'_' => DelimiterRun::of(text, at, around).opens_underscore(),
        b'~' => strikes(text, at, before),
        b'<' => begins_tag(rest),
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

/// True for one of two tildes: more strike nothing. Of three that begin a line, the first has an escape of its own.
fn strikes(text: &str, at: usize, before: Option<char>) -> bool {
    let count = |bytes: &mut dyn Iterator<Item = &u8>| {
        bytes.take(MAX_DELIMITERS).take_while(|byte| **byte == b'~').count()
    };
    let left = count(&mut text.as_bytes()[..at].iter().rev());
    let right = count(&mut text.as_bytes()[at..].iter());
    let begins_line = left == 0 && before.is_none() || left > 0 && left == at;
    left + right == 2 || left + right == 3 && begins_line
}

/// True after a sign that begins a tag, a comment or an address in angle brackets (CommonMark 0.31, sections 6.5 and
/// 6.6), as far as its first word shows.
fn begins_tag(rest: &str) -> bool {
    let name = rest.trim_start_matches('/');
    let slashes = rest.len() - name.len();
    let end = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
    match rest.bytes().next() {
        Some(b'!') => !rest[1..].starts_with(|c: char| !c.is_ascii_alphabetic() && !matches!(c, '-' | '[')),
        Some(b'?') => true,
        Some(b'/') => slashes == 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()),
        Some(byte) if byte.is_ascii_alphabetic() => match end.chars().next() {
            None | Some('>' | '/' | ':' | '@') => true,
            Some(c) if c.is_whitespace() => true,
            // The source may have the sign that ends the tag as a reference.
            Some('&') => end.starts_with("&gt;") || end.starts_with("&#"),
            Some(_) => is_mail_address(end),
        },
        _ => false,
    }
}

fn is_mail_address(rest: &str) -> bool {
    let word = rest.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>')).next().unwrap_or_default();
    word.contains('@')
}

/// True after `[^` for the remains of a note by other converters: `word[^12]`, `[^12]: Its text.`
fn is_trace_of_note(rest: &str, before: Option<char>, is_start: bool) -> bool {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = &rest[digits..];
    let is_reference = before.is_some_and(|c| !c.is_whitespace()) && end.starts_with(']');
    (1..=4).contains(&digits) && (is_reference || is_start && end.starts_with("]:"))
}

/// True for the bracket that would end the words of a link, or its label if the line begins with one.
fn is_end_of_link(before: &str, after: Option<char>, around: Surroundings) -> bool {
    match after {
        Some('(') => !before.ends_with("!["),
        Some(':') => {
            let digits = before.trim_end_matches(|c: char| c.is_ascii_digit());
            around.begins_bracket && !digits.ends_with("[^")
        }
        _ => false,
    }
}

/// True after a brace that begins what pandoc would read as attributes: `{#name`, `{.class`, `{=format`,
/// `{key="value"`.
fn is_attribute(rest: &str, before: Option<char>) -> bool {
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_:".contains(byte)).count();
    rest.starts_with(['#', '.', '=']) || before == Some(']') || name > 0 && rest[name..].starts_with("=\"")
}

/// True after the brace of an attribute that nothing follows.
fn ends_heading(rest: &str) -> bool {
    rest.find('}').is_some_and(|end| rest[end + 1..].trim().is_empty())
}

/// True after the backslash of a page break.
fn is_page_break(rest: &str) -> bool {
    ["newpage", "pagebreak", "clearpage"].iter().any(|name| rest.starts_with(name))
}

/// Consecutive stars or underscores, and what is on both sides (CommonMark 0.31, section 6.2).
struct DelimiterRun {
    before: Side,
    after: Side,
}

impl DelimiterRun {
    fn of(text: &str, at: usize, around: Surroundings) -> DelimiterRun {
        let sign = text.as_bytes()[at];
        let near = |bytes: &mut dyn Iterator<Item = &u8>| {
            bytes.take(MAX_DELIMITERS).take_while(|byte| **byte == sign).count()
        };
        let start = at - near(&mut text.as_bytes()[..at].iter().rev());
        let end = at + near(&mut text.as_bytes()[at..].iter());
        let before = if start == 0 { around.before } else { text[..start].chars().next_back() };
        let rest = &text[end..];
        let after = if rest.is_empty() && around.is_cut && !around.before_space {
            Side::Unknown
        } else {
            Side::of(rest.chars().next())
        };
        DelimiterRun { before: Side::of(before), after }
    }

    fn opens_or_ends(&self, in_emphasis: bool) -> bool {
        can_open(self.before, self.after) || in_emphasis && can_close(self.before, self.after)
    }

    /// Underscores that could end emphasis do no harm if none begins it.
    fn opens_underscore(&self) -> bool {
        can_open(self.before, self.after)
            && (!can_close(self.before, self.after) || self.before == Side::Sign)
    }
}

/// Where a line is, as far as blocks can begin with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinePlace {
    /// A blank line or the mark of an item is before it.
    First,
    /// It follows another line.
    AfterLine,
    /// It continues the paragraph of the line before.
    InParagraph,
}

/// The byte at which a word that begins a line would be read as the start of a block. If it follows another line, it may
/// also become the underline of a heading or the line below the head of a table.
pub(super) fn block_start(word: &str, place: LinePlace) -> Option<usize> {
    let follows = place != LinePlace::First;
    let bytes = word.as_bytes();
    let is_all = |byte: u8| bytes.iter().all(|&other| other == byte);
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match *bytes.first()? {
        b'#' if bytes.len() <= 6 && is_all(b'#') => Some(0),
        b'>' | b'|' => Some(0),
        b'-' | b'+' | b'*' | b'_' if bytes.len() == 1 => Some(0),
        byte @ (b'-' | b'=') if is_all(byte) && (follows || byte == b'-' && bytes.len() > 2) => Some(0),
        byte @ (b'*' | b'_') if bytes.len() > 2 && is_all(byte) => Some(0),
        b'~' if word.starts_with("~~~") => Some(0),
        b'-' | b':' if follows && word.contains('-') && bytes.iter().all(|byte| b"-:|".contains(byte)) => {
            Some(0)
        }
        b'0'..=b'9' if place == LinePlace::InParagraph && !interrupts_paragraph(&word[..digits]) => None,
        b'0'..=b'9' if digits + 1 == bytes.len() && digits < 10 => {
            matches!(bytes[digits], b'.' | b')').then_some(digits)
        }
        _ => None,
    }
}

/// True for the number of a list that can begin inside a paragraph.
pub(super) fn interrupts_paragraph(number: &str) -> bool {
    number.trim_start_matches('0') == "1"
}

/// True if the text begins with a character reference.
fn is_reference(text: &str) -> bool {
    let name =
        text[1..].bytes().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(1 + name) == Some(&b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, around: Surroundings) -> String {
        let found = escapes(text, 0..text.len(), WordKind::Text { block_start: None }, || around);
        let mut escaped = text.to_owned();
        found.into_iter().rev().for_each(|at| escaped.insert(at, '\\'));
        escaped
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(escaped(text, Surroundings::default()), expected);
    }

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        check("snake_case _ * 2 * 3", "snake_case _ * 2 * 3");
        check("__init__ and _x_ and _y", "\\_\\_init__ and \\_x_ and \\_y");
        check("*bold* 2*3 char *p, char **q", "\\*bold* 2\\*3 char \\*p, char \\*\\*q");
        let inside = Surroundings { in_emphasis: true, ..Surroundings::default() };
        assert_eq!(escaped("bold* x", inside), "bold\\* x");
        check("as he said.* Then", "as he said.* Then");
        check("name: ____ Next", "name: ____ Next");
        check("a<b <5 <<x> >", "a\\<b <5 <\\<x> >");
        check("Vec<T, E> -∞<x<∞ a<b(c) </ <!", "Vec<T, E> -∞<x<∞ a<b(c) </ \\<!");
        check("<T&gt; <a.b@c.d> <x:y> <p/> </p> <?x", "\\<T\\&gt; \\<a.b@c.d> \\<x:y> \\<p/> \\</p> \\<?x");
        check("a~~b~~ ~ ~~~~~ x~~~y", "a\\~\\~b\\~\\~ ~ ~~~~~ x~~~y");
        check("&amp; R&D; AT&T", "\\&amp; R\\&D; AT&T");
        check("[1]|`x` ~/a ~~b~~", "[1]|\\`x\\` ~/a \\~\\~b\\~\\~");
        check("C:\\Users \\* \\", "C:\\Users \\\\* \\");
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
        let note = Surroundings { begins_bracket: true, ..Surroundings::default() };
        assert_eq!(escaped("[^1]: Text", note), "[^1]: Text");
        assert_eq!(escaped("[x]: y", note), "[x\\]: y");
        check("\\newpage", "\\newpage");
        let heading = Surroundings { in_heading: true, ..Surroundings::default() };
        assert_eq!(escaped("One {#one .x} ", heading), "One {#one .x} ");
        assert_eq!(escaped("One {#one} two", heading), "One \\{#one} two");
    }

    #[test]
    fn lines_begin_no_blocks_by_chance() {
        let starts = ["#", "1.", "12)", "-", "---", ">x", "=", "--", "***", "_", "~~~sh", "|a", "--|--", "+"]
            .map(|word| block_start(word, LinePlace::AfterLine));
        assert!(starts.iter().all(Option::is_some), "{starts:?}");
        assert!(["=", "--", "-|-"].into_iter().all(|word| block_start(word, LinePlace::First).is_none()));
        assert_eq!((starts[1], starts[2]), (Some(1), Some(2)));
        let inside =
            ["23.", "2)", "01.", "1.", "-", "#"].map(|word| block_start(word, LinePlace::InParagraph));
        assert_eq!(inside, [None, None, Some(2), Some(1), Some(0), Some(0)]);
        assert!(
            ["#1", "1.5", "-x", "a.", "**x", "~x"].into_iter().all(|word| block_start(
                word,
                LinePlace::AfterLine
            )
            .is_none())
        );
    }

    #[test]
    fn signs_that_begin_nothing_stay_as_they_are() {
        check("~~~a ~~~b~~ c", "\\~\\~\\~a ~~~b\\~\\~ c");
        check("~~~~a", "~~~~a");
        check("<!a <!1 <!- <![x", "\\<!a <!1 \\<!- \\<![x");
        check("<a.b c@d <a.b>c@d <a.b@c", "<a.b c@d <a.b>c@d \\<a.b@c");
        check("[^1] x", "\\[^1] x");
        check("x [^1]: y", "x \\[^1]: y");
        check("&; &a; &#1; &a", "&; \\&a; \\&#1; &a");
        check("(x", "(x");
        check("wow!", "wow!");
        let after = Surroundings { before: Some(']'), ..Surroundings::default() };
        assert_eq!(escaped("(x (y", after), "\\(x (y");
        let link = Surroundings { before_link: true, ..Surroundings::default() };
        assert_eq!(escaped("a!b!", link), "a!b\\!");
    }

    #[test]
    fn rules_and_numbers_have_a_length() {
        for (word, expected) in [
            ("---", Some(0)),
            ("--", None),
            ("**", None),
            ("***", Some(0)),
            ("__", None),
            ("___", Some(0)),
            ("######", Some(0)),
            ("#######", None),
            ("123456789.", Some(9)),
            ("1234567890.", None),
        ] {
            assert_eq!(block_start(word, LinePlace::First), expected, "{word}");
        }
    }

    #[test]
    fn only_the_word_itself_is_examined() {
        let text = WordKind::Text { block_start: Some(1) };
        assert_eq!(escapes("a 1. *b*", 2..4, text, Surroundings::default), [3]);
        let cell = || Surroundings { in_cell: true, ..Surroundings::default() };
        assert_eq!(escapes("a|b *c* `d`", 0..11, WordKind::Verbatim, cell), [1]);
        assert!(escapes("a|b", 0..3, WordKind::Verbatim, Surroundings::default).is_empty());
    }
}
