//! Verse that nothing names: paragraphs of one short line each, which go on in the next.
//!
//! A stanza is at least four paragraphs or divisions beside each other, each with a capital letter at its start and no
//! more than a line of words. Prose ends most of its paragraphs with a full stop; verse ends at most half of its lines
//! so, and some with a comma. Lists of names have no commas. Addresses have, and their lines are lines as well.

use super::page::ParsedPage;
use crate::web::html::parse::tag::HtmlTag;
use std::ops::Range;

/// Lines of the shortest stanza.
const MIN_LINES: usize = 4;

/// Characters of the longest line.
const MAX_LINE_CHARS: usize = 60;

/// The last stanza that was found, and how far paragraphs have been examined.
#[derive(Debug, Default)]
pub(super) struct UnmarkedVerse {
    stanza: Range<usize>,
    examined: usize,
}

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Comma,
    Sentence,
    Open,
}

impl UnmarkedVerse {
    /// Records that a block is entered: a stanza may begin with it.
    pub fn enter(&mut self, page: ParsedPage<'_>, node: usize) {
        // On web pages short paragraphs are mostly labels.
        if node < self.examined || !page.selection().is_chapter {
            return;
        }
        let Some(tag) = page.tag(node) else { return };
        let mut lines = Vec::new();
        let blocks = std::iter::once(node).chain(page.tree().following(node));
        for block in blocks.filter(|&block| page.tag(block).is_some() || page.has_words(block)) {
            let is_alike = page.tag(block) == Some(tag);
            let Some(end) = line_end(page, block).filter(|_| is_alike) else { break };
            lines.push((block, end));
        }
        self.examined = lines.last().map_or(node + 1, |(last, _)| page.tree().end(*last));
        // A sentence before the first line is prose.
        let first = lines.iter().position(|(_, end)| *end != LineEnd::Sentence).unwrap_or(0);
        let lines = &lines[first..];
        let count = |wanted| lines.iter().filter(|(_, end)| *end == wanted).count();
        let has_commas = count(LineEnd::Comma) * 4 >= lines.len();
        if lines.len() >= MIN_LINES && has_commas && count(LineEnd::Sentence) * 2 <= lines.len() {
            self.stanza = lines[0].0..self.examined;
        }
    }

    /// True for a line of the stanza.
    pub fn is_line(&self, node: usize) -> bool {
        self.stanza.contains(&node)
    }
}

/// How the words of a block end; `None` for what can be no line of verse.
fn line_end(page: ParsedPage<'_>, block: usize) -> Option<LineEnd> {
    if !matches!(page.tag(block)?, HtmlTag::P | HtmlTag::Div) {
        return None;
    }
    let has_parts = page.tree().below(block).any(|below| {
        page.is_reference(below)
            || page.tag(below).is_some_and(|tag| {
                tag.is_block() || matches!(tag, HtmlTag::Br | HtmlTag::Img | HtmlTag::Math | HtmlTag::Svg)
            })
    });
    let words = if has_parts { return None } else { page.words_below(block) };
    let words = words.trim();
    // One word is a label or a title.
    let is_line = words.contains(char::is_whitespace)
        && words.chars().take(MAX_LINE_CHARS + 1).count() <= MAX_LINE_CHARS;
    let starts = words.chars().find(|c| c.is_alphanumeric())?.is_uppercase();
    if !is_line || !starts {
        return None;
    }
    let bare = words.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', '*']);
    Some(match bare.chars().next_back()? {
        ',' | ';' => LineEnd::Comma,
        '.' | '!' | '?' | '…' | ':' => LineEnd::Sentence,
        _ => LineEnd::Open,
    })
}

#[cfg(test)]
mod tests {
    use crate::web::html::chapter::tests::check;

    fn check_lines(lines: &[&str], separator: &str) {
        let page: String = lines.iter().map(|line| format!("<p>{line}</p>\n")).collect();
        check(
            &format!("<p>before it came</p>{page}<p>and after</p>"),
            &format!("before it came\n\n{}\n\nand after", lines.join(separator)),
        );
    }

    #[test]
    fn paragraphs_of_a_hymn_are_lines() {
        check_lines(
            &[
                "Abide with me, fast falls the eventide,",
                "The darkness deepens, Lord with me abide;",
                "When other helpers fail and comforts flee",
                "Help of the helpless, O abide with me.",
            ],
            "\n",
        );
    }

    #[test]
    fn a_sentence_before_the_first_line_is_prose() {
        check(
            "<p>They sang.</p><p>They sang it all.</p><p>O come,</p><p>All ye faithful,</p><p>Joyful and</p><p>Triumphant, o come.</p>",
            "They sang.\n\nThey sang it all.\n\nO come,\nAll ye faithful,\nJoyful and\nTriumphant, o come.",
        );
    }

    #[test]
    fn short_prose_and_lists_are_none() {
        check_lines(&["“Is it?”", "“It is not.”", "“I thought,” she said.", "He went."], "\n\n");
        check_lines(&["Chapter One", "Chapter Two", "Chapter Three", "Chapter Four"], "\n\n");
        check_lines(&["Abide with me, fast falls,", "The darkness deepens,", "When others fail,"], "\n\n");
        check_lines(&["a small thing,", "another one,", "and one more,", "the last one,"], "\n\n");
    }

    /// The blocks of a chapter: a stanza is one.
    fn blocks(page: &str) -> Vec<String> {
        let options = crate::settings::HtmlOptions { markdown: false, main_content: false };
        let text = crate::web::html::read_chapter(crate::web::html::chapter::tests::decoded(page), &options)
            .text
            .text;
        text.trim_end().split("\n\n").map(str::to_owned).collect()
    }

    #[test]
    fn a_stanza_has_commas_and_few_sentences() {
        for (commas, open, sentences, expected) in [
            (4, 0, 0, true),
            (3, 0, 0, false),
            (1, 3, 0, true),
            (1, 4, 0, false),
            (0, 4, 0, false),
            (2, 0, 2, true),
            (2, 0, 3, false),
        ] {
            let lines = [
                "<p>And so,</p>".repeat(commas),
                "<p>And so</p>".repeat(open),
                "<p>And so!</p>".repeat(sentences),
            ];
            let count = commas + open + sentences;
            let found = blocks(&lines.concat()).len();
            assert_eq!(found, if expected { 1 } else { count }, "of {commas}, {open}, {sentences}");
        }
    }

    #[test]
    fn a_line_is_short_and_begins_with_a_capital() {
        let page = |line: &str| format!("<p>And so,</p><p>{line}</p>{}", "<p>And so,</p>".repeat(2));
        let long = |chars: usize| format!("É {}", "é".repeat(chars - 2));
        for (line, expected) in [
            ("And so", true),
            ("and so", false),
            ("And", false),
            ("— “And so”", true),
            ("— and so", false),
            ("— —", false),
            ("<b>And</b> so", true),
            ("And so<br/>", false),
            ("And so<img src='a'/>", false),
            ("And so<math><mi>x</mi></math>", false),
            ("And so<svg><path/></svg>", false),
            (long(60).as_str(), true),
            (long(61).as_str(), false),
        ] {
            assert_eq!(blocks(&page(line)).len() == 1, expected, "of {line}");
        }
    }

    #[test]
    fn ends_of_lines_are_read_before_quotation_marks() {
        let page = |end: &str| format!("<p>And so,</p><p>And so</p><p>And so{end}</p><p>And so{end}</p>");
        for (end, expected) in [("", 1), (";”", 1), (".”", 1), ("…»", 1), (":", 1)] {
            assert_eq!(blocks(&page(end)).len(), expected, "of {end}");
        }
        let three = |end: &str| format!("<p>And so,</p>{}", format!("<p>And so{end}</p>").repeat(3));
        for (end, expected) in [("", 1), (";’", 1), (".”", 4), ("!)", 4), ("?*", 4), ("…»", 4), (":", 4)]
        {
            assert_eq!(blocks(&three(end)).len(), expected, "of {end}");
        }
    }

    #[test]
    fn parts_of_a_line_are_no_lines() {
        let page = "<p>And so,</p>".repeat(3) + "<p><span>And</span> <i>so</i></p>";
        check(&page, "And so,\nAnd so,\nAnd so,\nAnd *so*");
    }

    #[test]
    fn stanzas_are_paragraphs_or_divisions_beside_each_other() {
        let stanza = |tag: &str| format!("<{tag}>And so,</{tag}>").repeat(4);
        let found = |page: &str| blocks(page).len();
        assert!(found(&format!("{}{}", stanza("p"), stanza("div"))) <= 2);
        assert_eq!(found(&format!("<p>and</p>{}<p>and</p>", stanza("p"))), 3);
        assert_eq!(found(&format!("{0}<p>and</p>{0}", stanza("p"))), 3);
        assert_eq!(found(&stanza("p").replacen("</p>", "</p> \n", 2)), 1);
        assert_eq!(found(&stanza("p").replacen("</p>", "</p>words", 1)), 5);
        assert_eq!(found(&stanza("h3")), 4);
        // Other pages than those of books have lines for other reasons.
        crate::web::html::tests::check(&stanza("p"), "And so,\n\nAnd so,\n\nAnd so,\n\nAnd so,");
    }
}
