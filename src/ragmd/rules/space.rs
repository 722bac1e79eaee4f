//! White space: runs of spaces and wide spaces inside a line, spaces at its end, and second blank lines.

use super::context::RuleContext;

pub(super) fn white_space(text: &str, _: &RuleContext) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut blank = 0;
    // A paragraph may continue after a fence: the last blank line of a part stays.
    for line in text.split_inclusive('\n') {
        let words = line.trim_end_matches(|c| c == '\n' || is_space(c));
        blank = if words.is_empty() { blank + 1 } else { 0 };
        if blank > 1 {
            continue;
        }
        push_line(&mut clean, words);
        if line.ends_with('\n') {
            clean.push('\n');
        }
    }
    clean
}

/// Adds a line with single spaces between its words; indentation is structure and stays.
fn push_line(clean: &mut String, line: &str) {
    let words = line.trim_start_matches(is_space);
    clean.push_str(&line[..line.len() - words.len()]);
    // Several spaces may follow a list marker: `*   [Contents](#x)`.
    let marker = words.find(|c: char| !matches!(c, '*' | '-' | '+')).filter(|&at| at == 1).unwrap_or(0);
    let rest = &words[marker..];
    let body = rest.trim_start_matches(' ');
    clean.push_str(&words[..marker]);
    clean.push_str(&rest[..rest.len() - body.len()]);
    let mut is_gap = false;
    for c in body.chars() {
        if is_space(c) && is_gap {
            continue;
        }
        is_gap = is_space(c);
        clean.push(if is_gap { ' ' } else { c });
    }
}

/// White space that is reduced to one space, no-break spaces and those of other widths included. The ideographic
/// space is as wide as a letter, and separates words or indents.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_single_but_for_indentation_and_after_markers() {
        let check = |text: &str, expected: &str| {
            assert_eq!(white_space(text, &RuleContext::default()), expected, "{text:?}");
        };
        check("a  b \t c", "a b c");
        check("a\u{a0}\u{2000}\u{200a}\u{202f}\u{205f}b\u{2003}c", "a b c");
        check("a\u{3000}\u{3000}b\u{200b}\u{200b}c", "a\u{3000}\u{3000}b\u{200b}\u{200b}c");
        check("   a  b", "   a b");
        check("*   a  b", "*   a b");
        check("  -   a  b", "  -   a b");
        check("+  a", "+  a");
        check("**  a", "** a");
        check("a  - b", "a - b");
        check("-", "-");
        check("a \r\nb\t\n", "a\nb\n");
        check("a\n\n\n \nb\n\nc", "a\n\nb\n\nc");
        check("\n\na", "\na");
    }
}
