//! Recognises what a line of Markdown begins, by its first bytes.

use super::lines::LineSpan;
use crate::text::markdown;

/// Level and text of an ATX heading.
pub(super) fn atx_heading<'a>(line: &LineSpan, text: &'a str) -> Option<(usize, &'a str)> {
    markdown::atx_heading(line.words(text)).filter(|_| line.indent <= 3)
}

/// The level of a setext underline.
pub(super) fn setext_level(line: &LineSpan, text: &str) -> Option<usize> {
    let words = line.words(text);
    match words.as_bytes().first() {
        // Four columns are code (CommonMark 4.4).
        _ if line.indent > 3 => None,
        Some(b'=') => words.bytes().all(|b| b == b'=').then_some(1),
        Some(b'-') => words.bytes().all(|b| b == b'-').then_some(2),
        _ => None,
    }
}

/// True for thematic breaks such as `---` and `* * *`.
pub(super) fn is_thematic_break(words: &str) -> bool {
    let Some(mark) = words.bytes().next().filter(|b| matches!(b, b'-' | b'*' | b'_')) else { return false };
    // CommonMark 4.1.
    let marks = words.bytes().filter(|&b| b == mark).count();
    marks >= 3 && words.bytes().all(|b| b == mark || b == b' ' || b == b'\t')
}

/// True for a line that starts a list item.
pub(super) fn is_list_item(words: &str) -> bool {
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match (digits, words.as_bytes().get(digits)) {
        (0, Some(b'-' | b'*' | b'+')) => &words[1..],
        // At most nine digits (CommonMark 5.2).
        (1..=9, Some(b'.' | b')')) => &words[digits + 1..],
        _ => return false,
    };
    rest.is_empty() || rest.starts_with([' ', '\t'])
}

/// True for the line under a table's header, such as `|---|:-:|`.
pub(super) fn is_table_delimiter(words: &str) -> bool {
    let mut has_pipe = false;
    let mut has_dash = false;
    for byte in words.bytes() {
        match byte {
            b'|' => has_pipe = true,
            b'-' => has_dash = true,
            b':' | b' ' | b'\t' => {}
            _ => return false,
        }
    }
    // Without a pipe it is a rule or an underline.
    has_pipe && has_dash
}

/// True for a quote line without words.
pub(super) fn is_empty_quote(words: &str) -> bool {
    words.bytes().all(|b| b == b'>' || b == b' ')
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;
    use crate::model::Span;

    fn line(text: &str) -> LineSpan {
        lines(text, Span::new(0, text.len()))[0]
    }

    #[test]
    fn headings() {
        let check = |text: &str, expected| assert_eq!(atx_heading(&line(text), text), expected, "{text:?}");
        check("## Two ##", Some((2, "Two")));
        check("# C#", Some((1, "C#")));
        check("#", Some((1, "")));
        check("#hash", None);
        check("    # code", None);
        check("####### seven", None);
        assert_eq!(setext_level(&line("==="), "==="), Some(1));
        assert_eq!(setext_level(&line("-- -"), "-- -"), None);
    }

    #[test]
    fn items_rules_and_tables() {
        assert!(
            is_list_item("- a")
                && is_list_item("12) b")
                && is_list_item("*")
                && !is_list_item("-a")
                && !is_list_item("1990 was")
        );
        assert!(
            is_thematic_break("* * *")
                && is_thematic_break("---")
                && !is_thematic_break("--")
                && !is_thematic_break("- a -")
        );
        assert!(
            is_table_delimiter("|:--|--:|")
                && is_table_delimiter("--|--")
                && !is_table_delimiter("---")
                && !is_table_delimiter("|a|")
        );
    }

    #[test]
    fn underlines_and_headings_are_indented_by_three_at_most() {
        let level = |text: &str| setext_level(&line(text), text);
        assert_eq!(
            [level("==="), level("   ==="), level("    ==="), level("--"), level("=-")],
            [Some(1), Some(1), None, Some(2), None]
        );
        assert_eq!(atx_heading(&line("    # a"), "    # a"), None);
        assert_eq!(atx_heading(&line("   # a"), "   # a"), Some((1, "a")));
    }

    #[test]
    fn thematic_breaks_and_items() {
        for text in ["---", "***", "_ _ _", "- - -", "--\t-"] {
            assert!(is_thematic_break(text), "{text}");
        }
        for text in ["--", "-*-", "", "a", "--- a", "==="] {
            assert!(!is_thematic_break(text), "{text}");
        }
        for text in ["- a", "* a", "+ a", "-", "1. a", "123456789) a", "1.", "-\ta"] {
            assert!(is_list_item(text), "{text}");
        }
        for text in ["-a", "1 a", "1234567890. a", "1.a", "a", "", ". a", "1- a"] {
            assert!(!is_list_item(text), "{text}");
        }
    }
}
