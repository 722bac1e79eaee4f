//! What of a text Markdown would read as markup, and so must be escaped.
//!
//! As little as possible: text is for readers and models. A lone `*`, a `_` inside a name, a `[1]` stay as they are.

/// Where a word stands, as far as escapes care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::extract) struct Around {
    /// In a cell, where pipes divide.
    pub in_cell: bool,
    /// In the words of a link, which brackets end.
    pub in_link: bool,
}

/// True for characters that [`is_markup`] must be asked about.
pub(in crate::extract) fn is_special(byte: u8) -> bool {
    matches!(byte, b'`' | b'|' | b'*' | b'_' | b'<' | b'&' | b'[' | b']')
}

/// True when the character at `at` would be read as markup.
pub(in crate::extract) fn is_markup(word: &str, at: usize, around: Around) -> bool {
    let before = word[..at].chars().next_back();
    let after = word[at + 1..].chars().next();
    match word.as_bytes()[at] {
        b'`' => true,
        b'|' => around.in_cell,
        b'[' | b']' => around.in_link,
        // Emphasis begins in front of a word.
        b'*' => after.is_some_and(|c| c != '*') && before.is_none_or(|c| !c.is_alphanumeric()),
        b'_' => after.is_some_and(|c| c != '_') && before.is_none_or(|c| !c.is_alphanumeric()),
        b'<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?' | '<')),
        b'&' => is_reference(&word[at..]),
        _ => false,
    }
}

/// Where a word that begins a line would be read as the start of a block.
pub(in crate::extract) fn line_start(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    let is_all = |byte: u8| bytes.iter().all(|&other| other == byte);
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match *bytes.first()? {
        b'#' if bytes.len() <= 6 && is_all(b'#') => Some(0),
        b'>' => Some(0),
        b'-' | b'+' | b'*' if bytes.len() == 1 => Some(0),
        byte @ (b'-' | b'=' | b'~') if bytes.len() > 2 && is_all(byte) => Some(0),
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

    fn check(word: &str, expected: &[usize]) {
        let around = Around::default();
        let found: Vec<usize> = word
            .bytes()
            .enumerate()
            .filter(|&(at, byte)| is_special(byte) && is_markup(word, at, around))
            .map(|(at, _)| at)
            .collect();
        assert_eq!(found, expected, "of {word}");
    }

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        check("snake_case", &[]);
        check("_init_", &[0]);
        check("*bold*", &[0]);
        check("2*3", &[]);
        check("*", &[]);
        check("a<b", &[1]);
        check("<5", &[]);
        check("&amp;", &[0]);
        check("R&D;", &[1]);
        check("AT&T", &[]);
        check("[1]|`x`", &[4, 6]);
    }

    #[test]
    fn lines_begin_no_blocks_by_chance() {
        let starts = ["#", "1.", "12)", "-", "---", ">x"].map(line_start);
        assert_eq!(starts, [Some(0), Some(1), Some(2), Some(0), Some(0), Some(0)]);
        assert!(["#1", "1.5", "-x", "a."].into_iter().all(|word| line_start(word).is_none()));
    }
}
