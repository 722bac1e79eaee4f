//! From a text with sections to the file: the contents first, then each section after its anchor.

use super::join::JoinedDocument;
use super::options::ConvertOptions;
use super::report::{BookFacts, ComposedMarkdown, OutputSection};
use super::rules::Cleaner;
use pensieve_readers::books::epub::CONTENTS;
use pensieve_text::model::{SectionStart, Segment};
use pensieve_text::text::contents::SectionList;
use std::fmt::Write;

/// Spaces that each level of the contents is indented by.
const INDENT_SPACES: usize = 4;

/// Composes the file from the document that was read.
pub(super) fn compose(
    joined: JoinedDocument,
    cleaner: &Cleaner,
    options: &ConvertOptions,
) -> ComposedMarkdown {
    let JoinedDocument { mut text, document, mut inside, warnings } = joined;
    if text.sections.is_empty() && is_book(&document.metadata) {
        wrap_in_section(&mut text, &document.metadata);
    }
    let mut list = SectionList::default();
    list.add(&text, 0);
    let sections = list.finish(text.text.len());
    let facts = BookFacts::new(document, warnings);
    let own = inside.iter_mut().rev().filter(|inside| inside.reason.is_none());
    own.zip(sections.iter().rev()).for_each(|(inside, section)| inside.anchor = Some(section.anchor.clone()));
    let body = cleaner.clean(&with_anchors(&text, &sections));
    let mut whole = String::with_capacity(body.len() + sections.len() * 64);
    if options.front_matter {
        whole.push_str(&facts.front_matter());
    }
    if !sections.is_empty() {
        whole.push_str(&contents(&sections, cleaner));
    }
    let start = whole.len();
    whole.push_str(&body);
    let sections = located(&whole, start, sections);
    ComposedMarkdown { text: whole, facts, sections, inside }
}

fn is_book(metadata: &[(String, String)]) -> bool {
    metadata.iter().any(|(key, _)| key == CONTENTS)
}

/// Makes a book with neither contents nor headings one section under its own title.
fn wrap_in_section(text: &mut Segment, metadata: &[(String, String)]) {
    let title = metadata.iter().find(|(key, _)| key == "title").map_or("Text", |(_, title)| title.as_str());
    let mut titled = Segment { text: format!("# {title}\n\n"), ..Segment::default() };
    titled.append(std::mem::take(text));
    titled.sections = vec![SectionStart { out: 0, seq: 0, level: 1, label: title.into() }];
    *text = titled;
}

/// The table of contents and the rule below it.
fn contents(sections: &[pensieve_text::model::DocumentSection], cleaner: &Cleaner) -> String {
    let mut text = "# Table of Contents\n\n".to_owned();
    let mut above = 0;
    for section in sections {
        // Markdown would read an entry that skips a level as code.
        above = section.level.min(above + 1);
        let indent = " ".repeat((above - 1) * INDENT_SPACES);
        let words = link_words(&section.label, &section.anchor, cleaner);
        let _ = writeln!(text, "{indent}*   [{words}](#{})", section.anchor);
    }
    text + "\n---\n\n"
}

/// A label, which is plain text, as the text of a link. It escapes what would end the link or be read as another link
/// or as a tag; if the rules would change the result (`![]()` as a title), it escapes all punctuation.
fn link_words(label: &str, anchor: &str, cleaner: &Cleaner) -> String {
    let words = escaped(label, is_unsafe_in_link(label));
    let alone = format!("{}\n\n*   [{words}](#{anchor})\n", anchor_line(anchor));
    match cleaner.clean(&alone) == alone {
        true => words,
        false => escaped(label, |_, c| c.is_ascii_punctuation()),
    }
}

/// Which punctuation of a label is unsafe between brackets: unbalanced brackets, brackets before a parenthesis,
/// backslashes before punctuation that they would escape, and the start of a tag.
fn is_unsafe_in_link(label: &str) -> impl Fn(Option<char>, char) -> bool {
    let mut depth = 0_i32;
    let is_balanced = label.chars().all(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth >= 0
    });
    let are_brackets_harmless = is_balanced && depth == 0 && !label.contains("](") && !label.contains('\\');
    move |next, c| match c {
        '[' | ']' => !are_brackets_harmless,
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
        '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        _ => false,
    }
}

/// A text with its punctuation escaped where `is_sign` requires it, given the next character and the character
/// itself.
fn escaped(label: &str, is_sign: impl Fn(Option<char>, char) -> bool) -> String {
    let mut text = String::with_capacity(label.len() + 4);
    let mut rest = label.chars();
    while let Some(c) = rest.next() {
        match is_sign(rest.clone().next(), c) {
            // Tools that remove tags ignore backslashes.
            true if c == '<' => text.push_str("&lt;"),
            true => text.extend(['\\', c]),
            false => text.push(c),
        }
    }
    text
}

/// The line with an anchor.
fn anchor_line(anchor: &str) -> String {
    format!("<a id=\"{anchor}\"></a>")
}

/// The text with the anchor of each section on the line below its heading.
fn with_anchors(text: &Segment, sections: &[pensieve_text::model::DocumentSection]) -> String {
    let mut starts: Vec<(usize, &str, &str)> = sections
        .iter()
        .map(|section| (section.start, section.anchor.as_str(), section.label.as_str()))
        .collect();
    starts.sort_by_key(|(start, ..)| *start);
    // Entries with the same label at the same place share its anchor.
    starts.dedup_by_key(|(start, anchor, _)| (*start, *anchor));
    let mut whole = String::with_capacity(text.text.len() + starts.len() * 48);
    let mut done = 0;
    for (number, &(start, anchor, label)) in starts.iter().enumerate() {
        let line_end = text.text[start..].find('\n').map_or(text.text.len(), |at| start + at).max(done);
        let next = starts.get(number + 1).map_or(text.text.len(), |(next, ..)| *next);
        let title = whole_title(&text.text[start..], label)
            .filter(|title| start >= done && start + title.len <= next);
        match &title {
            Some(title) => {
                whole.push_str(&text.text[done..start]);
                whole.push_str(&title.line);
            }
            None => whole.push_str(&text.text[done..line_end]),
        }
        whole.push('\n');
        whole.push_str(&anchor_line(anchor));
        done = title.map_or(line_end, |title| start + title.len);
    }
    whole.push_str(&text.text[done..]);
    whole
}

/// A heading and what it replaces.
struct SectionTitle {
    line: String,
    /// Bytes of the text that it replaces.
    len: usize,
}

/// The whole title of a section whose page has its number as the heading and its name as the block below: `# I` and
/// `Ancestry`, where the contents have `I: Ancestry`.
fn whole_title(text: &str, label: &str) -> Option<SectionTitle> {
    let heading = text.lines().next()?;
    let number = heading.trim_start_matches('#');
    let level = heading.len() - number.len();
    let rest = text[heading.len()..].strip_prefix("\n\n")?;
    let name = rest.lines().next()?;
    let ends_block = rest[name.len()..].is_empty() || rest[name.len()..].starts_with("\n\n");
    let words = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (number, name_words) = (words(number), words(name));
    let is_split = !number.is_empty() && !name_words.is_empty() && number + &name_words == words(label);
    let line = || format!("{} {}", "#".repeat(level), label.split_whitespace().collect::<Vec<_>>().join(" "));
    (level > 0 && ends_block && is_split)
        .then(|| SectionTitle { line: line(), len: heading.len() + "\n\n".len() + name.len() })
}

/// The position of each section in the file.
fn located(
    whole: &str,
    body: usize,
    sections: Vec<pensieve_text::model::DocumentSection>,
) -> Vec<OutputSection> {
    let mut list: Vec<(usize, usize, usize)> = Vec::with_capacity(sections.len());
    let mut order: Vec<usize> = (0..sections.len()).collect();
    order.sort_by_key(|&number| sections[number].start);
    let mut at = body;
    for number in order {
        let line = format!("\n{}\n", anchor_line(&sections[number].anchor));
        let found = whole[at..].find(&line).map_or(whole.len(), |found| at + found);
        let start = whole[..found].rfind('\n').map_or(0, |end| end + 1).max(body);
        list.push((number, start, sections[number].level));
        at = found.min(whole.len());
    }
    let mut ends = vec![whole.len(); sections.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (place, &(number, start, level)) in list.iter().enumerate() {
        if place > 0 && list[place - 1].1 == start {
            continue;
        }
        while let Some((above, _)) = open.pop_if(|(_, above)| *above >= level) {
            ends[above] = start;
        }
        open.push((number, level));
    }
    let mut starts = vec![0; sections.len()];
    list.iter().for_each(|&(number, start, _)| starts[number] = start);
    // Entries at the same position end where the first of them ends.
    list.windows(2).filter(|pair| pair[0].1 == pair[1].1).for_each(|pair| ends[pair[1].0] = ends[pair[0].0]);
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', whole.as_bytes()).collect();
    let line_of = |at: usize| lines.partition_point(|&end| end < at) + 1;
    let section = |(number, section): (usize, pensieve_text::model::DocumentSection)| OutputSection {
        level: section.level,
        label: section.label,
        anchor: section.anchor,
        start_index: starts[number],
        end_index: ends[number],
        start_line: line_of(starts[number]),
        end_line: line_of(ends[number].max(starts[number] + 1) - 1),
        spine: section.locator.as_deref().and_then(spine_of),
    };
    sections.into_iter().enumerate().map(section).collect()
}

/// The item of the spine in a stored locator.
fn spine_of(locator: &str) -> Option<String> {
    let place: serde_json::Value = serde_json::from_str(locator).ok()?;
    place.get("spine")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ragmd::CleanOptions;
    use pensieve_text::model::{Locator, LocatorMap, Span};
    use proptest::prelude::*;

    fn made(text: &str, sections: &[(&str, usize, &str)]) -> ComposedMarkdown {
        let start = |(seq, (before, level, label)): (usize, &(&str, usize, &str))| SectionStart {
            out: text.find(before).unwrap(),
            seq,
            level: *level,
            label: (*label).into(),
        };
        let sections = sections.iter().enumerate().map(start).collect();
        let places = LocatorMap(vec![(Span::new(0, text.len()), Locator::spine("a.xhtml", None))]);
        let text = Segment { text: text.to_owned(), sections, places, ..Segment::default() };
        let joined = JoinedDocument { text, ..JoinedDocument::default() };
        compose(joined, &Cleaner::new(&CleanOptions::default()).unwrap(), &ConvertOptions::default())
    }

    #[test]
    fn the_contents_come_first_and_every_link_has_its_anchor() {
        let text = "# Part One\n\n## Section 1.1: Subtitle\n\nWords.\n\n# Notes\n\nMore.\n";
        let sections =
            [("# Part", 1, "Part One"), ("## Sec", 2, "Section 1.1: Subtitle"), ("# Notes", 1, "Part one")];
        let made = made(text, &sections);
        let expected = "# Table of Contents\n\n*   [Part One](#part-one)\n    *   [Section 1.1: Subtitle](#section-1-1-subtitle)\n\
            *   [Part one](#part-one-2)\n\n---\n\n# Part One\n<a id=\"part-one\"></a>\n\n## Section 1.1: Subtitle\n\
            <a id=\"section-1-1-subtitle\"></a>\n\nWords.\n\n# Notes\n<a id=\"part-one-2\"></a>\n\nMore.\n";
        assert_eq!(made.text, expected);
        for section in &made.sections {
            let here = &made.text[section.start_index..section.end_index];
            assert!(here.starts_with('#') && here.contains(&section.anchor), "{here}");
            let line = made.text.lines().nth(section.start_line - 1).unwrap();
            assert!(here.starts_with(line), "{line}");
            assert_eq!(section.spine.as_deref(), Some("a.xhtml"));
        }
        let ends: Vec<(usize, usize)> = made.sections.iter().map(|s| (s.start_line, s.end_line)).collect();
        assert_eq!(ends, [(9, 16), (12, 16), (17, 20)]);
    }

    #[test]
    fn a_title_in_two_blocks_is_one_heading() {
        let text = "## I\n\nAncestry, and *Youth*\n\nWords.\n\n## II\n\nWords that follow.\n";
        let made = made(text, &[("## I\n", 1, "I: Ancestry, and Youth"), ("## II", 1, "II")]);
        let body = made.text.split_once("---\n\n").unwrap().1;
        assert_eq!(
            body,
            "## I: Ancestry, and Youth\n<a id=\"i-ancestry-and-youth\"></a>\n\nWords.\n\n## II\n<a id=\"ii\"></a>\n\n\
            Words that follow.\n"
        );
    }

    #[test]
    fn labels_do_not_break_their_links() {
        let cleaner = Cleaner::new(&CleanOptions::default()).unwrap();
        let check = |label: &str, expected: &str| assert_eq!(link_words(label, "x", &cleaner), expected);
        check("A [1]", "A [1]");
        check("A *b* _c_ (d) & e", "A *b* _c_ (d) & e");
        check("A ]", "A \\]");
        check("][", "\\]\\[");
        check("[a](b)", "\\[a\\](b)");
        check("C:\\", "C:\\\\");
        check("a\\[b", "a\\\\\\[b");
        check("a\\b", "a\\b");
        check("a < b, a<b>", "a < b, a&lt;b>");
        check("![]()", "!\\[\\]()");
        check("Leaves (see Fig. 1)", "Leaves \\(see Fig\\. 1\\)");
        check("The `<div>` tag", "The `&lt;div>` tag");
    }

    /// Pieces that random labels are made of.
    const PIECES: &[&str] = &[
        "Part",
        "One",
        " ",
        "  ",
        "1.1",
        ": ",
        "[",
        "]",
        "](",
        "(",
        ")",
        "\\",
        "*",
        "_",
        "`",
        "<b>",
        "<div>",
        "{#a}",
        "![]()",
        "[^1]",
        "[^1]: ",
        "(see Figure 1.1)",
        "See Fig. 3.",
        "\u{ad}",
        "#",
        "- ",
        "```",
        ":::",
        "Ä",
        "ночь",
        "章",
        "…",
        "\u{200b}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn every_link_of_the_contents_resolves_and_clean_output_stays_as_it_is(
            labels in prop::collection::vec((1..5_usize, prop::collection::vec(0..PIECES.len(), 1..7)), 1..6)
        ) {
            let mut text = Segment::default();
            for (seq, (level, picks)) in labels.iter().enumerate() {
                // As the readers of contents provide them: on one line, and never blank.
                let label: String = picks.iter().map(|&pick| PIECES[pick]).collect();
                let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
                let label = if label.replace(['\u{ad}', '\u{200b}'], "").trim().is_empty() { "One".to_owned() } else { label };
                let part = Segment { text: format!("Words {seq}.\n\n"), ..Segment::default() };
                text.append(pensieve_readers::books::epub::entitled(part, &label, *level, seq));
            }
            let cleaner = Cleaner::new(&CleanOptions::default()).unwrap();
            let make = || compose(JoinedDocument { text: text.clone(), ..JoinedDocument::default() }, &cleaner, &ConvertOptions::default());
            let made = make();
            prop_assert_eq!(&make().text, &made.text);
            prop_assert_eq!(&cleaner.clean(&made.text), &made.text);
            prop_assert_eq!(made.sections.len(), labels.len());
            let lines: Vec<&str> = made.text.lines().collect();
            let end = lines.iter().position(|line| *line == "---").unwrap();
            let links: Vec<&str> = lines[..end].iter().filter_map(|line| line.trim_start().strip_prefix("*   [")).collect();
            prop_assert_eq!(links.len(), labels.len());
            for (link, section) in links.iter().zip(&made.sections) {
                let address = format!("](#{})", section.anchor);
                prop_assert!(link.ends_with(&address), "{} of {}", link, section.label);
                let anchor = anchor_line(&section.anchor);
                prop_assert_eq!(lines.iter().filter(|line| **line == anchor).count(), 1);
                let at = lines.iter().position(|line| *line == anchor).unwrap();
                prop_assert!(lines[at - 1].starts_with('#'), "{} above {}", lines[at - 1], anchor);
            }
        }
    }

    #[test]
    fn a_text_without_sections_has_no_contents() {
        assert_eq!(made("One.\n", &[]).text, "One.\n");
    }

    #[test]
    fn a_number_and_the_name_below_it_are_a_title() {
        let check = |text: &str, label: &str, expected: Option<(&str, usize)>| {
            let found = whole_title(text, label).map(|title| (title.line, title.len));
            assert_eq!(found, expected.map(|(line, len)| (line.to_owned(), len)), "{text:?} {label}");
        };
        check("## I\n\nOld Age\n\nWords", "I:  Old Age", Some(("## I: Old Age", 13)));
        check("# I\n\nOld Age", "I. OLD AGE", Some(("# I. OLD AGE", 12)));
        check("I\n\nOld Age", "I: Old Age", None);
        check("# I\nOld Age", "I: Old Age", None);
        check("# I\n\nOld Age\ngoes on", "I: Old Age", None);
        check("# I\n\nOld Age", "II: Old Age", None);
        check("# \n\nOld Age", "Old Age", None);
        check("# I\n\n***", "I", None);
        check("# I\n\n", "I", None);
        check("# I", "I", None);
    }

    #[test]
    fn an_entry_that_skips_a_level_is_indented_by_one() {
        let cleaner = Cleaner::new(&CleanOptions::default()).unwrap();
        let section = |(seq, level): (usize, &usize)| pensieve_text::model::DocumentSection {
            seq,
            level: *level,
            label: format!("L{level}"),
            anchor: format!("a{seq}"),
            start: 0,
            end: 0,
            locator: None,
        };
        let sections: Vec<_> = [3, 3, 1, 2, 9].iter().enumerate().map(section).collect();
        let expected = "# Table of Contents\n\n*   [L3](#a0)\n    *   [L3](#a1)\n*   [L1](#a2)\n    *   [L2](#a3)\n        *   [L9](#a4)\n\n---\n\n";
        assert_eq!(contents(&sections, &cleaner), expected);
    }

    #[test]
    fn sections_end_where_one_of_their_level_or_a_higher_one_begins() {
        let text = "# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n# E\n\ne\n";
        let sections =
            [("# A", 1, "A"), ("## B", 2, "B"), ("### C", 3, "C"), ("## D", 2, "D"), ("# E", 1, "E")];
        let made = made(text, &sections);
        let starts: Vec<usize> = ["# A\n", "## B", "### C", "## D", "# E"]
            .iter()
            .map(|heading| made.text.find(&format!("\n{heading}")).unwrap() + 1)
            .collect();
        let ends = [starts[4], starts[3], starts[3], starts[4], made.text.len()];
        let found: Vec<(usize, usize)> =
            made.sections.iter().map(|section| (section.start_index, section.end_index)).collect();
        assert_eq!(found, starts.iter().copied().zip(ends).collect::<Vec<_>>());
        let lines: Vec<(usize, usize)> =
            made.sections.iter().map(|section| (section.start_line, section.end_line)).collect();
        assert_eq!(lines, [(11, 30), (16, 25), (21, 25), (26, 30), (31, 34)]);
    }

    #[test]
    fn entries_at_one_place_end_where_the_first_of_them_ends() {
        let text = "# A\n\na\n\n# B\n\nb\n";
        let made = made(text, &[("# A", 1, "A"), ("# A", 2, "A"), ("# B", 1, "B")]);
        let [first, second, third] = &made.sections[..] else { panic!("no sections") };
        assert_eq!((first.start_index, first.end_index), (second.start_index, second.end_index));
        assert_eq!((third.start_index, third.end_index), (first.end_index, made.text.len()));
    }
}
