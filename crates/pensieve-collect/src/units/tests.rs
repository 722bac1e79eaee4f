//! What stays together, and where a long paragraph is split.

use super::*;
use crate::blocks::blocks;
use crate::sections::SectionKind;

const FULL: &str = "It was a long grey morning, and the river had nothing to say to anybody\nat all, so that the heron went \
on standing where it had always stood and\nwaited.";

/// Checks the units by their first words.
fn check(text: &str, expected: &[&str]) {
    let book = format!("{FULL}\n\n{text}\n\n{FULL}");
    let blocks = blocks(&book);
    let section =
        Section { name: String::new(), key: None, first: 0, end: blocks.len(), kind: SectionKind::Text };
    let found =
        units(&book, &blocks, &section, &UnitOptions { max_group_words: 300, max_paragraph_words: 400 });
    let firsts: Vec<String> = found[1..found.len() - 1]
        .iter()
        .map(|unit| book[unit.span.range()].split_whitespace().take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(firsts, expected, "{text}");
    assert!(found.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
}

#[test]
fn what_belongs_together_stays_together() {
    check(&format!("{FULL}\n\n{FULL}"), &["It was", "It was"]);
    check(
        "  The heron stood,\n  The heron stared.\n\n  The heron stood,\n  And no one cared.",
        &["The heron"],
    );
    check("“Well,” said the heron.\n\n“Well what?”\n\n“Just well.”", &["“Well,” said"]);
    check(&format!("So she wrote:\n\n{FULL}"), &["So she"]);
    check(&format!("DEAR SIR,--\n\n{FULL}\n\nYours truly, HERON."), &["DEAR SIR,--"]);
    check(&format!("“Once,” she said, “it rained.\n\n“{FULL}”"), &["“Once,” she"]);
}

#[test]
fn a_long_paragraph_is_taken_apart_between_sentences() {
    let sentence = "The heron stood in the rain and did not mind it in the least that day.";
    let book = vec![sentence; 60].join("\n");
    let blocks = blocks(&book);
    let section = Section { name: String::new(), key: None, first: 0, end: 1, kind: SectionKind::Text };
    let found =
        units(&book, &blocks, &section, &UnitOptions { max_group_words: 300, max_paragraph_words: 400 });
    assert!(found.len() > 4 && found[0].opens && !found[0].closes && !found[1].opens);
    assert!(found.iter().all(|unit| book[unit.span.range()].ends_with('.') && unit.words <= 260));
    assert_eq!(found.iter().map(|unit| unit.words).sum::<usize>(), book.split_whitespace().count());
}

/// The blocks of a text in a book whose lines are wide; the text is what remains of the book.
fn set(text: &str) -> (String, Vec<Block>) {
    let book = format!("{FULL}\n\n{FULL}\n\n{FULL}\n\n{text}");
    let found = blocks(&book);
    (book, found)
}

/// `count` words that begin with `first`, in full lines.
fn long(first: &str, count: usize, last: &str) -> String {
    let mut words = vec!["heron"; count - 2];
    words.insert(0, first);
    words.push(last);
    words.chunks(12).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn blocks_belong_together_as_their_ends_and_beginnings_say() {
    let check = |before: &str, gap: usize, after: &str, expected: bool| {
        let (book, blocks) = set(&format!("{before}{}{after}", "\n".repeat(gap + 1)));
        let [.., first, second] = &blocks[..] else { panic!("no blocks") };
        assert_eq!(belongs(&book, first, second), expected, "{before} | {gap} | {after}");
    };
    let [text, verse] = ["The heron stood.", "    The heron stood"];
    check(text, 1, "[3] A note.", true);
    check("[2] A note.", 1, "[3] A note.", true);
    check("Heron.....3", 1, "[3] A note.", false);
    for after in ["* * *", "[Illustration]", "THE END", text] {
        check(text, 1, after, false);
    }
    for before in ["* * *", "[2] A note.", "Heron.....3"] {
        check(before, 1, "and it rained.", false);
    }
    check(text, 1, "and it rained.", true);
    check(verse, 9, verse, true);
    check("Dear Sir.", 1, text, true);
    check(text, 1, "Yours truly", true);
    check("So she sang", 2, verse, true);
    check("So she sang", 3, verse, false);
    for end in ['.', '!', '?', '"', '”'] {
        check(&format!("So she sang{end}"), 1, verse, false);
    }
    check("So she sang:", 3, verse, true);
    check("    The heron stood,", 1, "and it rained.", true);
    check("    The heron stood,", 1, "And it rained.", false);
    check("    Boston, May 3.", 1, "It rained.", true);
    for end in [":", ",", ";", "--", "—"] {
        check(&format!("So she said{end}"), 1, "It rained.", true);
    }
    check("So she said-", 1, "It rained.", false);
    check("She said, “once it rained.", 1, "“And then.”", true);
    check("She said, “once it rained.”", 1, "“And then.”", false);
    check("She said, “once it rained.", 1, "And then.", false);
}

#[test]
fn speeches_belong_together_up_to_sixty_words() {
    let check = |first: (&str, usize), second: (&str, usize), last: &str, expected: bool| {
        let (before, after) = (long(first.0, first.1, last), long(second.0, second.1, last));
        let (book, blocks) = set(&format!("{before}\n\n{after}"));
        let [.., first, second] = &blocks[..] else { panic!("no blocks") };
        assert_eq!(belongs(&book, first, second), expected, "{before} | {after}");
    };
    check(("“Well", 60), ("“Rain", 60), "so.”", true);
    check(("“Well", 61), ("“Rain", 60), "so.”", false);
    check(("“Well", 60), ("“Rain", 61), "so.”", false);
    check(("HERON.", 60), ("CROW.", 60), "so.", true);
    check(("HERON.", 61), ("CROW.", 60), "so.", false);
    check(("HERON.", 60), ("CROW.", 61), "so.", false);
    check(("HERON.", 60), ("“Rain", 60), "so.”", false);
    check(("The", 60), ("The", 60), "so.", false);
}

/// Checks a rule for each text.
fn check_rule(rule: fn(&str) -> bool, expected: bool, texts: &[&str]) {
    for text in texts {
        assert_eq!(rule(text), expected, "{text}");
    }
}

#[test]
fn a_quotation_is_open_until_its_mark_returns() {
    check_rule(is_open, true, &["“a", "“a” “b", "\"a", "\"a\" \"b"]);
    check_rule(is_open, false, &["“a”", "\"a\"", "“a” \"b", "a", "a”"]);
}

#[test]
fn a_letter_begins_with_a_salutation_of_at_most_eight_words() {
    let longest = "Dear old friend of the grey river reeds,";
    check_rule(is_salutation, true, &["Dear Sir,", "_My dear Friend_", "“SIR,--", "Monsieur:", longest]);
    let longer = "Dear old friend of the grey river and reeds,";
    check_rule(is_salutation, false, &["Dear Sir", "The dear Sir,", longer]);
}

#[test]
fn a_letter_ends_with_a_closing_of_at_most_sixteen_words() {
    let longest = format!("Yours{}", " heron".repeat(15));
    check_rule(is_closing, true, &["Yours truly", "“_Votre_ ami", "P.S. It rained.", &longest]);
    check_rule(is_closing, false, &["It is yours", "", &format!("{longest} now")]);
}

#[test]
fn a_date_has_a_number_and_a_month_or_a_day_in_at_most_twelve_words() {
    let longest = format!("May 3{}", " heron".repeat(10));
    check_rule(is_dated, true, &["May 3", "3 (Mon)", "_Aug_ 12", &longest]);
    check_rule(is_dated, false, &["May", "3", "Heron 3", "", &format!("{longest} now")]);
}

#[test]
fn a_headline_is_a_short_line_in_capitals() {
    let check = |text: &str, expected: bool| {
        assert_eq!(is_headline(text, &blocks(text)[0]), expected, "{text}");
    };
    check("HERON STOOD", true);
    check("HERON", false);
    check(&["RAIN"; 14].join(" "), true);
    check(&["RAIN"; 15].join(" "), false);
    check("THE\nHERON", true);
    check("THE\nOLD\nHERON", false);
    check("OX AB", true);
    check("OX A", false);
    check("Heron STOOD", false);
    check("“HERON STOOD", false);
    check("'HERON STOOD", false);
    for end in [',', ';', ':', '"', '”', '’', '\''] {
        check(&format!("HERON STOOD{end}"), false);
    }
    check("HERON STOOD!", true);
}

#[test]
fn something_else_begins_with_a_headline_after_the_end_of_a_sentence() {
    let check = |before: &str, text: &str, expected: bool| {
        let book = format!("{before}\n\n{text}");
        assert_eq!(begins_anew(&book, &blocks(&book), 1), expected, "{before} | {text}");
    };
    for end in [".", "!", "?", "…", "*", ".”", ".\"", "!_)", "?’]", ".'"] {
        check(&format!("It rained{end}"), "HERON STOOD", true);
    }
    check("It rained:", "HERON STOOD", false);
    check("It rained", "HERON STOOD", false);
    check("It rained.", "Heron stood", false);
    assert!(!begins_anew("HERON STOOD", &blocks("HERON STOOD"), 0));
}

/// The units after the three paragraphs that make the lines wide, each with its text.
fn units_of(text: &str, options: UnitOptions) -> Vec<(String, PassageUnit)> {
    let (book, blocks) = set(text);
    let (first, end) = (3, blocks.len());
    let section = Section { name: String::new(), key: None, first, end, kind: SectionKind::Text };
    let found = units(&book, &blocks, &section, &options);
    found.into_iter().map(|unit| (book[unit.span.range()].to_owned(), unit)).collect()
}

const OPTIONS: UnitOptions = UnitOptions { max_group_words: 300, max_paragraph_words: 200 };

#[test]
fn a_unit_knows_what_it_contains() {
    let check = |text: &str, expected: &[(&str, PassageUnit)]| {
        let found = units_of(text, OPTIONS);
        let expected: Vec<(String, PassageUnit)> = expected
            .iter()
            .zip(&found)
            .map(|((text, unit), (_, found))| {
                ((*text).to_owned(), PassageUnit { span: found.span, ..unit.clone() })
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    let plain = PassageUnit {
        span: Span::new(0, 0),
        words: 4,
        paragraphs: 1,
        prose: 4,
        notes: 0,
        opens: true,
        closes: true,
        is_barrier: false,
        is_headline: false,
        is_boundary: false,
    };
    check("  It rained on us.", &[("It rained on us.", plain.clone())]);
    let noted = PassageUnit { notes: 6, ..plain.clone() };
    check("It rained on us.\n\n[3] A note.\n\n[4] A note.", &[("It rained on us.", noted)]);
    let barrier = PassageUnit { words: 3, paragraphs: 0, prose: 0, is_barrier: true, ..plain.clone() };
    check("* * *", &[("* * *", barrier.clone())]);
    check("[3] A note.", &[("[3] A note.", barrier.clone())]);
    check("THE\nOLD\nEND", &[("THE\nOLD\nEND", PassageUnit { words: 3, prose: 0, ..plain.clone() })]);
    check(
        "THE END",
        &[("THE END", PassageUnit { words: 2, is_headline: true, is_boundary: true, ..barrier })],
    );
    let verse = PassageUnit { prose: 0, ..plain.clone() };
    check("    It rained on us,", &[("    It rained on us,", verse)]);
    let headline = PassageUnit { words: 2, prose: 2, is_headline: true, is_boundary: true, ..plain.clone() };
    check(
        "It rained on us.\n\nHERON STOOD",
        &[("It rained on us.", plain.clone()), ("HERON STOOD", headline)],
    );
    let group = PassageUnit { words: 7, paragraphs: 2, prose: 3, ..plain };
    check("So she sang\n\n    It rained on us,", &[("So she sang\n\n    It rained on us,", group)]);
}

#[test]
fn a_group_has_at_most_the_words_it_may_have() {
    let check = |max_group_words: usize, expected: &[usize]| {
        let stanza = "    It rained on us,\n    and on us.";
        let options = UnitOptions { max_group_words, max_paragraph_words: 9 };
        let found = units_of(&[stanza; 3].join("\n\n"), options);
        assert_eq!(found.iter().map(|(_, unit)| unit.words).collect::<Vec<_>>(), expected);
    };
    check(21, &[21]);
    check(20, &[14, 7]);
    check(14, &[14, 7]);
    check(13, &[7, 7, 7]);
}

/// `count` sentences of ten words, the first without its last word if it is short.
fn sentences_of(count: usize, is_short: bool) -> String {
    let sentence = "The heron stood in the rain and did not mind.";
    let text = vec![sentence; count].join(" ");
    if is_short { text.replacen(" mind.", ".", 1) } else { text }
}

#[test]
fn a_long_paragraph_is_split_after_every_hundred_and_twenty_words_if_sixty_remain() {
    let check = |text: &str, expected: &[usize]| {
        let book = format!("  {text}");
        let found = split_paragraph(&book, &blocks(&book)[0]);
        assert_eq!(found.iter().map(|unit| unit.words).collect::<Vec<_>>(), expected, "{text}");
        let last = expected.len() - 1;
        for (at, unit) in found.iter().enumerate() {
            let (opens, closes) = (at == 0, at == last);
            let expected = PassageUnit {
                span: unit.span,
                words: expected[at],
                paragraphs: usize::from(opens),
                prose: expected[at],
                notes: 0,
                opens,
                closes,
                is_barrier: false,
                is_headline: false,
                is_boundary: false,
            };
            assert_eq!(*unit, expected);
            let text = &book[unit.span.range()];
            assert!(text.starts_with("The heron") && text.ends_with('.'), "{text}");
        }
    };
    check(&sentences_of(18, false), &[120, 60]);
    check(&sentences_of(17, false), &[170]);
    check(&sentences_of(18, true), &[179]);
    check(&sentences_of(19, true), &[129, 60]);
    check(&sentences_of(30, false), &[120, 120, 60]);
    check(&format!("{} It rained and the heron stood on again now.", sentences_of(17, false)), &[179]);
}

#[test]
fn only_running_text_that_is_too_long_is_split() {
    let check = |text: &str, expected: &[usize]| {
        let found = units_of(text, OPTIONS);
        assert_eq!(found.iter().map(|(_, unit)| unit.words).collect::<Vec<_>>(), expected, "{text}");
    };
    check(&sentences_of(20, false), &[200]);
    check(&sentences_of(21, false), &[120, 90]);
    check(&format!("“{}”", sentences_of(21, false)), &[120, 90]);
    check(&format!("HERON. {}", sentences_of(21, false)), &[211]);
    check(&["    The heron stood in rain."; 45].join("\n"), &[225]);
    // A group stays together, even if its first paragraph is long.
    check(&format!("{} So she sang:\n\nIt rained.", sentences_of(20, false)), &[205]);
}
