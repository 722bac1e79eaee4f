//! Which layout makes which kind of block.

use super::*;

const FULL: &str = "It was a long grey morning, and the river had nothing to say to anybody\nat all, so that the heron went \
on standing where it had always stood and\nwaited.";

fn check(text: &str, expected: BlockKind) {
    let book = format!("{FULL}\n\n{FULL}\n\n{FULL}\n\n\n{text}\n\n{FULL}");
    let found = blocks(&book);
    assert_eq!((found[3].kind, found[3].gap, found[3].text(&book)), (expected, 2, text), "{text}");
    assert!(found.iter().enumerate().all(|(at, block)| at == 3 || block.kind == BlockKind::Prose));
}

#[test]
fn blocks_are_what_they_look_like() {
    check(FULL, BlockKind::Prose);
    check("\"Well,\" said the heron.", BlockKind::Dialogue);
    check(
        "“Well,” said the heron, “I never saw so much of the same water in all my\ndays.”",
        BlockKind::Dialogue,
    );
    check("  The heron stood,\n  The heron stared,\nAnd no one cared.", BlockKind::Verse);
    check("HERON. I never did.", BlockKind::Speech);
    check("HERON.\nI never did, and you know it better than anybody.", BlockKind::Speech);
    check("[3] The heron of the second edition.", BlockKind::Footnote);
    check("[Illustration: the heron]", BlockKind::Mark);
    check("I. The reeds      3\nII. The river     17\nIII. The rain    40", BlockKind::Table);
    check("*    *    *    *", BlockKind::Rule);
    check("One short line.", BlockKind::Prose);
    check(
        "MR. HERON was not at home, and nobody knew when he would be back again, or\nwhether.",
        BlockKind::Prose,
    );
}

#[test]
fn nothing_is_lost_between_blocks() {
    let book = "a\r\n\n \n\n  b\nc\n";
    let found = blocks(book);
    assert_eq!(found.iter().map(|block| block.text(book)).collect::<Vec<_>>(), ["a", "  b\nc"]);
    assert_eq!(found.iter().map(|block| (block.gap, block.words)).collect::<Vec<_>>(), [(0, 1), (3, 2)]);
    assert!(blocks("").is_empty());
}

#[test]
fn the_width_of_a_book_is_what_nine_tenths_of_its_full_lines_have_at_most() {
    let check = |lengths: std::ops::RangeInclusive<usize>, expected: usize| {
        let lines: Vec<String> = lengths.clone().map(|length| "x".repeat(length)).collect();
        let book =
            format!("{}\nthe last line of a block does not count, however long it is", lines.join("\n"));
        assert_eq!(width(&book, &blocks(&book)), expected, "{lengths:?}");
    };
    check(1..=20, 19);
    check(1..=11, 10);
    check(5..=5, 5);
    assert_eq!(width("One line.", &blocks("One line.")), 70);
    assert_eq!(width("", &[]), 70);
}

#[test]
fn running_text_is_what_passages_are_made_of() {
    use BlockKind::*;
    let text = [Prose, Dialogue, Verse, Speech, Table, Footnote, Mark, Rule].map(BlockKind::is_text);
    assert_eq!(text, [true, true, true, true, false, false, false, false]);
}

#[test]
fn a_block_on_one_line_has_single_spaces() {
    let book = "One,\n\n  two   three \n\tfour\n";
    let found = blocks(book);
    assert_eq!(found[1].joined(book), "two three four");
    assert_eq!(
        found[1],
        Block {
            span: Span::new(6, 26),
            lines: vec![Span::new(6, 19), Span::new(21, 26)],
            gap: 1,
            kind: BlockKind::Prose,
            words: 3
        }
    );
}

/// Checks a rule for each text.
fn check_rule(rule: fn(&str) -> bool, expected: bool, texts: &[&str]) {
    for text in texts {
        assert_eq!(rule(text), expected, "{text}");
    }
}

#[test]
fn direct_speech_begins_with_a_quotation_mark_or_a_dash() {
    check_rule(opens_quote, true, &["\"x", "“x", "«x", "„x", "‘x", "»x", "_\"x_", "--\"x", "—x", "``x"]);
    check_rule(opens_quote, false, &["x", "--x", "`x", "'x", "x\"", ""]);
}

#[test]
fn a_note_has_a_number_a_star_or_its_name_in_brackets() {
    let notes =
        ["[3] x", "[1234] x", "{3} x", "[3: x]", "[*] x", "[A] x", "[Footnote 3: x]", "(FOOTNOTE: x)"];
    check_rule(is_footnote, true, &notes);
    let others =
        ["[12345] x", "[] x", "[B] x", "[**] x", "[1b] x", "(3) x", "(*) x", "(A) x", "[3 x", "3] x"];
    check_rule(is_footnote, false, &others);
}

#[test]
fn a_mark_is_a_remark_in_brackets_about_the_text() {
    let marks = [
        "[Illustration]",
        "[_Illustration: x_]",
        "[*Transcriber's Note: x]",
        "[Blank Page]",
        "[Music]",
        "[FRONTISPIECE]",
        "[Note: x]",
        "[Page 3]",
    ];
    check_rule(is_mark, true, &marks);
    let others = ["[Illustration", "Illustration]", "[Noted]", "[Pages]", "[The illustration]", "(Music)"];
    check_rule(is_mark, false, &others);
}

#[test]
fn a_table_is_rows_with_wide_gaps_or_leaders() {
    let check = |text: &str, expected: bool| assert_eq!(is_table(text, &blocks(text)[0]), expected, "{text}");
    check("a.....b", true);
    check("a....b", false);
    check("a . . . . b", true);
    check("a . . . b", false);
    check("a    b    c", true);
    check("a    b", false);
    check("a....b\nc....d", true);
    check("a...b\nc...d", false);
    check("a . . . b\nc . . . d", true);
    check("a . . b\nc . . d", false);
    check("a    b\nc    d", true);
    check("a   b\nc   d", false);
    check("    a\n    b", false);
    check("a    b\nc", false);
    check("a    b\nc    d\ne\nf", true);
    check("a    b\nc    d\ne\nf\ng", false);
    check("a    b\nc    d\ne    f\ng\nh\ni", true);
    check("a    b\nc    d\ne    f\ng\nh\ni\nj", false);
}

#[test]
fn wide_gaps_count_between_words_only() {
    let check = |line: &str, expected: usize| assert_eq!(wide_gaps(line), expected, "{line:?}");
    check("a    b", 1);
    check("a        b", 1);
    check("a    b    c", 2);
    check("a   b", 0);
    check("    a    ", 0);
    check("", 0);
}

#[test]
fn a_speech_begins_with_a_name_in_capitals() {
    let speeches = [
        "HERON. I never did.",
        "HERON: I never did.",
        "_HERON._ I never did.",
        "HERON.--I never did.",
        "HERON.—I never did.",
        "HERON._ I never did.",
        "HERON.\nI never did.",
        "AB. I never did.",
        "THE OLD HERON. I never did.",
        "THIRTY CAPITALS ARE A LONG NAME. I never did.",
    ];
    assert_eq!(speeches[9].find('.'), Some(31));
    check_rule(is_speech, true, &speeches[..9]);
    check_rule(
        is_speech,
        true,
        &["THIRTY CAPITALS ARE SUCH NAMES. I never did.", "DRAKE. I never did.", "PARTRIDGE: So."],
    );
    let others = [
        speeches[9],
        "A. I never did.",
        "Heron. I never did.",
        "HERON",
        "HERON.",
        "HERON. ",
        "_ HERON.",
        "HERON.I never did.",
        "\"HERON. I never did.\"",
        "“HERON. I never did.”",
        "XIV. I never did.",
        "CHAPTER ONE. I never did.",
        "PART ONE. I never did.",
        "MR. HERON was out.",
        "12. I never did.",
    ];
    check_rule(is_speech, false, &others);
}

/// Checks whether lines are verse in a book of width 50; each has an indentation, a length and a capital or none.
fn check_verse(lines: &[(usize, usize, char)], expected: bool) {
    let line = |&(indent, length, first): &(usize, usize, char)| {
        format!("{}{first}{}", " ".repeat(indent), "x".repeat(length - 1))
    };
    let book = lines.iter().map(line).collect::<Vec<_>>().join("\n");
    assert_eq!(is_verse(&book, &blocks(&book)[0], 50), expected, "{lines:?}");
}

#[test]
fn a_single_line_of_verse_is_indented_by_four() {
    check_verse(&[(4, 9, 'x')], true);
    check_verse(&[(3, 9, 'x')], false);
    check_verse(&[(0, 9, 'X')], false);
}

#[test]
fn lines_of_verse_end_before_four_fifths_of_the_width() {
    check_verse(&[(0, 40, 'X'), (0, 60, 'X')], true);
    check_verse(&[(0, 41, 'X'), (0, 40, 'X')], false);
    check_verse(&[(9, 40, 'X'), (9, 40, 'X')], true);
    check_verse(&[(0, 20, 'X'), (0, 41, 'X'), (0, 20, 'X')], false);
}

#[test]
fn three_quarters_of_the_lines_of_verse_begin_with_a_capital_or_half_are_indented() {
    let (capital, small) = ((0, 20, 'X'), (0, 20, 'x'));
    check_verse(&[capital, capital, capital, small], true);
    check_verse(&[capital, capital, small, small], false);
    check_verse(&[capital, capital, capital, small, small], false);
    let [indented, less] = [(2, 20, 'x'), (1, 20, 'x')];
    check_verse(&[indented, indented, indented, small, small, small], true);
    check_verse(&[indented, indented, less, small, small, small], false);
    check_verse(&[indented, small, small], false);
    let book = "\"Stand,\n“Stare,\n_Rain,_\n'No,\n‘So,\n«Yes,";
    assert!(is_verse(book, &blocks(book)[0], 50));
}

#[test]
fn narrow_indented_lines_are_verse_although_a_fifth_of_them_is_long() {
    let lines = |first: usize, second: usize, last: usize| {
        [(2, first, 'x'), (2, second, 'x'), (2, 33, 'x'), (2, 33, 'x'), (2, 33, 'x'), (2, last, 'x')]
    };
    // Six lines have 210 characters: seven tenths of the width each.
    check_verse(&lines(45, 33, 33), true);
    check_verse(&lines(45, 33, 34), false);
    check_verse(&lines(41, 41, 9), false);
    let mut outside = lines(45, 33, 20);
    check_verse(&outside, true);
    outside[5].0 = 1;
    check_verse(&outside, false);
}
