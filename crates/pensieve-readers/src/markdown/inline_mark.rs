//! The marks around words: emphasis, code, links (CommonMark 0.31, section 6).

/// Marks around words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InlineMark {
    /// Two stars or underscores.
    Strong(char),
    /// A star or an underscore.
    Emphasis(char),
    /// `~~`
    Strike,
    /// Backticks.
    Code(CodeTicks),
    /// `[` and `](address)`
    Link(String),
}

impl InlineMark {
    /// What begins the words.
    pub fn opening(&self) -> String {
        match self {
            InlineMark::Link(_) => "[".to_owned(),
            InlineMark::Code(ticks) if ticks.is_padded => "`".repeat(ticks.count) + " ",
            other => other.closing(),
        }
    }

    /// What ends them.
    pub fn closing(&self) -> String {
        match self {
            InlineMark::Strong(sign) => String::from_iter([*sign; 2]),
            InlineMark::Emphasis(sign) => sign.to_string(),
            InlineMark::Strike => "~~".to_owned(),
            InlineMark::Code(ticks) if ticks.is_padded => format!(" {}", "`".repeat(ticks.count)),
            InlineMark::Code(ticks) => "`".repeat(ticks.count),
            InlineMark::Link(address) => format!("]({address})"),
        }
    }
}

/// The backticks around code: more than the code has in a row, and separated from those that it begins or ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeTicks {
    count: usize,
    is_padded: bool,
}

impl CodeTicks {
    /// Those around this code.
    pub fn around(code: &str) -> CodeTicks {
        let words = code.trim();
        CodeTicks {
            count: longest_backticks(words) + 1,
            is_padded: words.starts_with('`') || words.ends_with('`'),
        }
    }
}

/// The length of the longest run of backticks.
pub(super) fn longest_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// An address with escapes, so that it ends at its parenthesis and does not end a cell.
pub(crate) fn link_address(href: &str) -> String {
    let mut address = String::with_capacity(href.len());
    for c in href.trim().chars() {
        match c {
            '(' | ')' | '<' | '>' | '|' | '\\' | ' ' => address.push_str(&format!("%{:02X}", c as u32)),
            c if c.is_whitespace() || c.is_control() => {}
            c => address.push(c),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_between_more_backticks_than_it_has() {
        let check = |code: &str, opening: &str, closing: &str| {
            let mark = InlineMark::Code(CodeTicks::around(code));
            assert_eq!((mark.opening().as_str(), mark.closing().as_str()), (opening, closing), "of {code}");
        };
        check("a", "`", "`");
        check("a`b", "``", "``");
        check("`a", "`` ", " ``");
        check("", "`", "`");
    }

    #[test]
    fn addresses_have_no_sign_that_ends_them() {
        assert_eq!(link_address(" http://a/(b c)|d\\\u{a0}\n "), "http://a/%28b%20c%29%7Cd%5C");
    }

    #[test]
    fn addresses_lose_white_space_and_controls() {
        assert_eq!(link_address("http://a/\u{7}b\tc\u{2003}d<e>"), "http://a/bcd%3Ce%3E");
        assert_eq!(link_address("http://a/\u{e9}"), "http://a/\u{e9}");
        assert_eq!(longest_backticks("a``b`c```"), 3);
        assert_eq!(longest_backticks(""), 0);
    }
}
