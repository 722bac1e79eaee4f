//! Converts the Markdown that this program writes to words, or to a simple HTML page.
//!
//! This is not a full Markdown parser. Only marks that our readers write are removed; anything else stays, since the
//! text of a mail may contain any character.

use super::fences::{FencePosition, FenceTracker};
use std::borrow::Cow;

/// The text without marks: those of headings, fences, strong emphasis, escapes and references are removed, a link
/// keeps its address in brackets, and cells are separated by tabs. Quotes keep their `>`, lists their markers.
pub fn plain_of_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fences = FenceTracker::default();
    for line in text.split_inclusive('\n') {
        let place = fences.read(line);
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let quotes = quote_length(line);
        let (mark, rest) = line.split_at(quotes);
        match place {
            FencePosition::Opens | FencePosition::Closes => continue,
            FencePosition::Inside => out.extend([mark, rest]),
            FencePosition::Outside if is_table_rule(rest) => continue,
            FencePosition::Outside => out.extend([mark, &*plain_line(rest)]),
        }
        out.push_str(end);
    }
    out
}

/// An HTML page of paragraphs and quotes, for a mail without one of its own.
pub fn page_of_markdown(text: &str) -> String {
    let mut page = String::with_capacity(text.len() + 64);
    let (mut depth, mut is_open) = (0, false);
    for line in text.lines() {
        let quotes = quote_length(line);
        let level = line[..quotes].bytes().filter(|byte| *byte == b'>').count().min(32);
        let words = plain_of_markdown(&line[quotes..]);
        let is_blank = words.trim().is_empty();
        if is_open && (is_blank || level != depth) {
            page.push_str("</p>\n");
            is_open = false;
        }
        if !is_blank || level > 0 {
            while depth < level {
                page.push_str("<blockquote>\n");
                depth += 1;
            }
            while depth > level {
                page.push_str("</blockquote>\n");
                depth -= 1;
            }
        }
        if !is_blank {
            page.push_str(if is_open { "<br>\n" } else { "<p>" });
            is_open = true;
            push_escaped(words.trim_end(), &mut page);
        }
    }
    if is_open {
        page.push_str("</p>\n");
    }
    (0..depth).for_each(|_| page.push_str("</blockquote>\n"));
    page
}

/// The words of a heading without any inline mark: emphasis, code and the addresses of links are removed.
pub fn heading_words(markup: &str) -> String {
    let mut words = String::new();
    let mut rest = markup;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' if after.starts_with(|c: char| c.is_ascii_punctuation()) => {
                words.push_str(&after[..1]);
                rest = &after[1..];
                continue;
            }
            '*' | '`' | '[' => {}
            '!' if after.starts_with('[') => {}
            ']' if after.starts_with('(') => {
                rest = after.split_once(')').map_or("", |(_, rest)| rest);
                continue;
            }
            '#' if after.is_empty() => {}
            c => words.push(c),
        }
        rest = after;
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push_escaped(text: &str, page: &mut String) {
    for c in text.chars() {
        match c {
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '&' => page.push_str("&amp;"),
            other => page.push(other),
        }
    }
}

/// The length of the quote marks at the start of a line.
fn quote_length(line: &str) -> usize {
    let bytes = line.as_bytes();
    let mut end = 0;
    let mut at = 0;
    while at < bytes.len() && matches!(bytes[at], b'>' | b' ') {
        at += 1;
        if bytes[at - 1] == b'>' {
            end = if bytes.get(at) == Some(&b' ') { at + 1 } else { at };
        }
    }
    end
}

/// `| --- | --- |`
fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|')
        && line.contains("---")
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}

fn plain_line(line: &str) -> String {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&marks) && line[marks..].starts_with(' ');
    let line = if is_heading { &line[marks + 1..] } else { line };
    let cells = line.trim();
    match cells.strip_prefix("| ").and_then(|cells| cells.strip_suffix(" |")) {
        Some(cells) => {
            let cells: Vec<String> =
                cells.split(" | ").map(|cell| plain_words(cell.trim()).into_owned()).collect();
            cells.join("\t")
        }
        None => plain_words(line).into_owned(),
    }
}

fn plain_words(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', '&', '[', '*']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        at += match c {
            '\\' => match rest[1..].chars().next() {
                Some(mark) if mark.is_ascii_punctuation() => {
                    out.push(mark);
                    2
                }
                Some(_) => {
                    out.push('\\');
                    1
                }
                None => 1,
            },
            '&' => {
                let (character, length) = reference(rest);
                out.push(character);
                length
            }
            '*' if rest.starts_with("**") => 2,
            '!' if rest.starts_with("![") && link(&rest[1..]).is_some() => 1,
            '[' => match link(rest) {
                Some((words, address, length)) => {
                    let words = plain_words(words);
                    out.push_str(&words);
                    if !address.is_empty()
                        && address != words
                        && address.strip_prefix("mailto:") != Some(&words)
                    {
                        out.push_str(if words.is_empty() { "(" } else { " (" });
                        out.push_str(address);
                        out.push(')');
                    }
                    length
                }
                None => {
                    out.push('[');
                    1
                }
            },
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
    }
    Cow::Owned(out)
}

/// The link at the start of `text`: its words, its address and its length.
fn link(text: &str) -> Option<(&str, &str, usize)> {
    /// The longest link: an unlimited search from each bracket of a long line would take quadratic time.
    const MAX_LINK_BYTES: usize = 4096;
    let limit = text.floor_char_boundary(MAX_LINK_BYTES);
    let text = &text[..limit];
    let middle = text.find("](")?;
    let words = &text[1..middle];
    if words.contains('[') {
        return None;
    }
    let rest = &text[middle + 2..];
    let end = rest.find(')')?;
    let address = rest[..end].split(" \"").next().unwrap_or_default();
    let address = address.trim_start_matches('<').trim_end_matches('>');
    (!address.contains(char::is_whitespace)).then_some((words, address, middle + 2 + end + 1))
}

/// The character and the length of a reference that our readers write; `&` itself for any other.
fn reference(text: &str) -> (char, usize) {
    const KNOWN: &[(&str, char)] = &[("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&#124;", '|')];
    let found = KNOWN.iter().find(|(name, _)| text.starts_with(name));
    found.map_or(('&', 1), |(name, character)| (*character, name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_removed_and_words_stay() {
        let check = |text: &str, expected: &str| assert_eq!(plain_of_markdown(text), expected, "{text:?}");
        check("# Title\n\nFrom: a <a@b.c>\n", "Title\n\nFrom: a <a@b.c>\n");
        check("> # a **b** c\\*\n>> d\n", "> a b c*\n>> d\n");
        check("[a](http://b) [mail](mailto:mail) ![c](d) [1] (x)", "a (http://b) mail c (d) [1] (x)");
        check("&lt;b> &amp;amp; & x\\", "<b> &amp; & x");
        check("| a | b \\| c |\n| --- | --- |\n| 1 | 2 |\n", "a\tb | c\n1\t2\n");
        check("```\n# x\n```\n*one* star", "# x\n*one* star");
        check("- ```\n  # x\n  ```\n# y", "  # x\ny");
        check("\u{e9}[\u{e9}](\u{e9})\\", "\u{e9}\u{e9}");
        check("", "");
    }

    #[test]
    fn pages_have_paragraphs_and_quotes() {
        let check = |text: &str, expected: &str| assert_eq!(page_of_markdown(text), expected, "{text:?}");
        check("a <b>\nc\n\nd", "<p>a &lt;b&gt;<br>\nc</p>\n<p>d</p>\n");
        check(
            "> a\n>> b\n\nc\n",
            "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>c</p>\n",
        );
        check("", "");
    }

    #[test]
    fn long_lines_of_brackets_take_linear_time() {
        let text = "[".repeat(300_000);
        assert_eq!(plain_of_markdown(&text), text);
    }

    #[test]
    fn headings_lose_every_inline_mark() {
        let check = |text: &str, expected: &str| assert_eq!(heading_words(text), expected, "{text:?}");
        check("*One*  **two** `three` #", "One two three");
        check("[a](http://b) ![c](d) 1\\* e", "a c 1* e");
    }
}
