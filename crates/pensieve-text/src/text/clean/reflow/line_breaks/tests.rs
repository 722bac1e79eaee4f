//! Blocks that are joined, and blocks that stay.

use super::*;

/// Joins a block: `¶` stands for a new paragraph.
fn check(block: &str, expected: &str) {
    let context =
        ReflowContext { joins_lines: true, joins_words: true, keeps_lists: true, ..ReflowContext::default() };
    let lines: Vec<&str> = block.lines().collect();
    let found = breaks(&lines, &context);
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        text.push_str(line);
        match found.get(at) {
            Some(LineBreak::Keep) => text.push('\n'),
            Some(LineBreak::Blank) => text.push(' '),
            Some(LineBreak::Hyphen) => _ = text.pop(),
            Some(LineBreak::Paragraph) => text.push_str("\n\n"),
            Some(LineBreak::Nothing) | None => {}
        }
    }
    assert_eq!(text, expected);
}

fn check_stays(block: &str) {
    check(block, block);
}

#[test]
fn a_wrapped_paragraph_is_one_line() {
    let block = "When the river had risen above the second mark, the keeper went down\n\
                 to the lower gate and looked at the water for a long time. Nobody\n\
                 had told him what to do in such a case, and the man who might have\n\
                 known was away until the end of the month.";
    check(block, &block.replace('\n', " "));
}

#[test]
fn a_short_line_ends_a_paragraph() {
    check(
        "When the river had risen above the second mark, the keeper went down\n\
         to the lower gate and looked at the water for a long time. Nobody\n\
         had told him what to do.\n\
         The man who might have known was away until the end of the month, and\n\
         so was his brother.",
        "When the river had risen above the second mark, the keeper went down \
         to the lower gate and looked at the water for a long time. Nobody \
         had told him what to do.\n\n\
         The man who might have known was away until the end of the month, and \
         so was his brother.",
    );
}

#[test]
fn two_lines_are_joined_where_the_sentence_goes_on() {
    check("The quick brown fox jumps over\nthe lazy dog.", "The quick brown fox jumps over the lazy dog.");
    check(
        "a line that is long enough to have been wrapped by\nsome program",
        "a line that is long enough to have been wrapped by some program",
    );
    check_stays("Dear Sir,\nI have your letter of last week.");
    check_stays("Chapter One\nThe beginning of it all");
    check_stays("apples\npears\nplums\ncherries\nquinces");
}

#[test]
fn verse_addresses_tables_and_code_stay() {
    check_stays(
        "The gate stood open to the rain,\nThe lamp was out, the road was wet,\nAnd no one came along the lane\nThat I remember even yet.",
    );
    check_stays("Jane Miller\n12 Mill Road\nOldtown\nEngland");
    check_stays("apples 12 3.50 4.10\npears 13 4.20 4.00\nplums 14 4.20 4.01\nlemons 1 2.22 3.33");
    check_stays("int main() {\nfoo(bar);\nreturn 0;\n}");
    check_stays("From: Jane Miller and some others\nto: the whole of the town council");
}

#[test]
fn entries_of_logs_and_diaries_stay() {
    check_stays(
        "06:07 lamp lit, wind nil, fog at one mile\n06:30 light too yellow, wick trimmed\n\
         06:44 light too yellow, glass cleaned\n06:45 second light",
    );
    check_stays(
        "[2024-11-02 10:00:01] the gate was opened by the keeper\n[2024-11-02 10:00:07] the gate was closed again, slowly",
    );
}

#[test]
fn items_keep_their_lines_and_take_what_goes_on() {
    check(
        "- an item that is so long that it goes on in the\nnext line\n- another\n1. one\na) two",
        "- an item that is so long that it goes on in the next line\n- another\n1. one\na) two",
    );
}

#[test]
fn divided_words_are_joined_even_in_short_lines() {
    check("This is an exam-\nple of it.", "This is an example of it.");
    check("It is a well-\nknown fact.", "It is a well-known fact.");
    check_stays("Vor-\nund Nachteile");
    check_stays("Room 12-\n15 chairs");
    check_stays("short-\nto long-term");
    check("the page is at the-old-\nhouse/index.html", "the page is at the-old-house/index.html");
    check("It is state-\nof-the-art work.", "It is state-of-the-art work.");
}

#[test]
fn scripts_without_spaces_are_joined_without() {
    let line = "我們在河邊走了很久天色漸漸暗了下來沒有人";
    check(&[line; 5].join("\n"), &[line; 5].concat());
    check_stays("ประเทศไทย\nรวมเลือดเนื้อ");
    check(&[line; 4].join("\n，"), &[line; 4].join("，"));
}

/// A line of text of so many characters; its first word has five.
fn traits(chars: usize, start: FirstLetter, end: LineEnd) -> LineTraits {
    LineTraits {
        chars,
        first_word: 5,
        words: 10,
        numbers: 0,
        start,
        end,
        caps: LetterCase::Some,
        has_capital: true,
        role: LineRole::Text,
        looks_like_code: false,
        looks_like_field: false,
        cjk: (false, false),
        is_broken: false,
        is_unspaced: false,
    }
}

const LOW: fn(usize) -> LineTraits = |chars| traits(chars, FirstLetter::Lower, LineEnd::Other);
const HIGH: fn(usize) -> LineTraits = |chars| traits(chars, FirstLetter::Upper, LineEnd::Other);

/// Lines of prose, no two of which are built alike.
const PROSE: [&str; 11] = [
    "When the river had risen above",
    "the second mark, a keeper went",
    "down to lower gates and looked",
    "at water for a long time while",
    "nobody had told him what to do",
    "in such a case. My brother who",
    "might have known was away till",
    "some day of another month, and",
    "so his family stayed at home to",
    "wait for letters that came late",
    "or never at all.",
];

/// What is said of lines with these properties.
fn said<T>(lines: &[LineTraits], read: impl Fn(&ParagraphCandidate<'_, '_>) -> T) -> T {
    let merged =
        |(last, line): (usize, &LineTraits)| MergedLine { text: PROSE[last].into(), line: *line, last };
    let lines: Vec<MergedLine<'_>> = lines.iter().enumerate().map(merged).collect();
    read(&ParagraphCandidate { lines: &lines, context: &ReflowContext::default() })
}

fn is_wrapped(lines: &[LineTraits]) -> bool {
    said(lines, |candidate| candidate.is_wrapped())
}

/// `low` lines that begin with small letters among `count` of one length.
fn even(count: usize, low: usize, chars: usize) -> Vec<LineTraits> {
    [vec![HIGH(chars); count - low], vec![LOW(chars); low]].concat()
}

#[test]
fn a_line_is_full_if_the_next_word_would_not_fit() {
    let next = |first_word, cjk| LineTraits { first_word, cjk: (cjk, cjk), ..LOW(9) };
    let line = |chars, cjk| LineTraits { cjk: (cjk, cjk), ..LOW(chars) };
    assert_eq!([54, 55].map(|chars| fills(&line(chars, false), &next(5, false), 60)), [false, true]);
    assert_eq!([54, 55].map(|chars| fills(&line(chars, true), &next(5, false), 60)), [false, true]);
    assert_eq!([55, 56].map(|chars| fills(&line(chars, true), &next(5, true), 60)), [false, true]);
}

#[test]
fn wrapped_lines_are_four_and_one_in_four_begins_low() {
    let check =
        |count, low, expected| assert_eq!(is_wrapped(&even(count, low, 60)), expected, "{count} {low}");
    check(3, 2, false);
    check(4, 1, true);
    check(4, 0, false);
    check(5, 1, true);
    check(6, 1, false);
    check(6, 2, true);
    check(9, 2, true);
    check(10, 2, false);
}

#[test]
fn wrapped_lines_have_a_least_length() {
    let check = |chars: usize, has_capital: bool, expected| {
        let lines: Vec<LineTraits> =
            even(5, 4, chars).iter().map(|line| LineTraits { has_capital, ..*line }).collect();
        assert_eq!(is_wrapped(&lines), expected, "{chars} {has_capital}");
    };
    check(28, true, true);
    check(27, true, false);
    check(55, false, true);
    check(54, false, false);
}

#[test]
fn nine_in_ten_wrapped_lines_are_full_or_eight_nearly_so() {
    let check = |full: usize, chars: usize, low: usize, expected| {
        let mut lines = [vec![HIGH(60); full], vec![HIGH(chars); 10 - full], vec![HIGH(60)]].concat();
        lines.iter_mut().rev().take(low).for_each(|line| line.start = FirstLetter::Lower);
        assert_eq!(is_wrapped(&lines), expected, "{full} {chars} {low}");
    };
    check(9, 20, 3, true);
    check(9, 20, 2, false);
    check(8, 20, 3, false);
    check(8, 20, 5, true);
    check(8, 20, 4, false);
    check(7, 20, 10, false);
    check(0, 54, 5, true);
    check(0, 54, 4, false);
    check(0, 46, 5, true);
    check(0, 45, 5, false);
    let loose = |chars: usize, widest: usize| is_wrapped(&[vec![LOW(chars); 4], vec![LOW(widest)]].concat());
    assert!(loose(38, 44) && !loose(37, 43) && loose(37, 42));
}

#[test]
fn paragraphs_end_at_most_as_often_as_lines_wrap() {
    let check = |ends: usize, wraps: usize, expected| {
        let end = LineTraits { end: LineEnd::Terminal, ..HIGH(30) };
        let mut lines = vec![end; ends];
        lines.extend([vec![HIGH(60)], vec![LOW(60); wraps]].concat());
        assert_eq!(is_wrapped(&lines), expected, "{ends} {wraps}");
    };
    check(3, 3, true);
    check(4, 4, true);
    check(4, 3, false);
    check(2, 2, false);
}

#[test]
fn wrapped_lines_have_three_words_on_average() {
    let with = |words: [usize; 4]| is_wrapped(&words.map(|words| LineTraits { words, ..LOW(60) }));
    assert!(with([3, 3, 3, 3]) && with([1, 1, 1, 9]) && !with([3, 3, 3, 2]));
}

#[test]
fn lines_in_capitals_are_wrapped_if_they_are_full_and_long() {
    let check = |chars: usize, caps: [LetterCase; 2], last: usize, expected| {
        let line = |caps, chars| LineTraits { caps, ..HIGH(chars) };
        let lines =
            [vec![line(caps[0], chars)], vec![line(caps[1], chars); 3], vec![line(caps[1], last)]].concat();
        assert_eq!(is_wrapped(&lines), expected, "{chars} {caps:?} {last}");
    };
    let (all, unknown, some) = (LetterCase::All, LetterCase::Unknown, LetterCase::Some);
    check(38, [all, all], 38, true);
    check(37, [all, all], 37, false);
    check(38, [all, unknown], 38, true);
    check(38, [unknown, unknown], 38, false);
    check(38, [some, all], 38, false);
    check(40, [all, all], 60, false);
}

#[test]
fn lines_of_a_script_without_spaces_are_wrapped_two_letters_before_the_end() {
    let check = |chars: usize, widest: usize, others: usize, expected| {
        let line = |chars| LineTraits {
            first_word: 1,
            cjk: (true, true),
            words: 1,
            ..traits(chars, FirstLetter::Caseless, LineEnd::Other)
        };
        let lines = [vec![line(chars); others], vec![line(widest); 11 - others]].concat();
        assert_eq!(is_wrapped(&lines), expected, "{chars} {widest} {others}");
    };
    check(13, 15, 10, true);
    check(12, 15, 10, false);
    check(12, 15, 1, true);
    check(12, 15, 2, false);
    check(14, 14, 10, false);
}

#[test]
fn lines_without_case_are_wrapped_if_they_are_full_and_long() {
    let check = |chars: usize, letters: usize, expected| {
        let line = |start| traits(chars, start, LineEnd::Other);
        let lines = [vec![line(FirstLetter::Caseless); letters], vec![line(FirstLetter::Other); 6 - letters]]
            .concat();
        assert_eq!(is_wrapped(&lines), expected, "{chars} {letters}");
    };
    check(38, 6, true);
    check(38, 3, true);
    check(38, 2, false);
    check(37, 6, false);
}

#[test]
fn a_short_line_of_wrapped_text_ends_a_paragraph_unless_its_sentence_goes_on() {
    let check = |line: LineTraits, next: LineTraits, expected| {
        let found = said(&[line, next, LOW(100)], |candidate| {
            let mut found = [LineBreak::Keep; 2];
            candidate.join_wrapped(&mut found);
            found[0]
        });
        assert_eq!(found, expected, "{line:?} {next:?}");
    };
    let ends = |chars| traits(chars, FirstLetter::Upper, LineEnd::Terminal);
    check(ends(90), HIGH(9), LineBreak::Blank);
    check(ends(89), HIGH(9), LineBreak::Paragraph);
    check(ends(80), LOW(9), LineBreak::Blank);
    check(ends(79), LOW(9), LineBreak::Paragraph);
    check(HIGH(80), HIGH(9), LineBreak::Blank);
    check(HIGH(79), HIGH(9), LineBreak::Paragraph);
    check(HIGH(9), LOW(9), LineBreak::Blank);
}

#[test]
fn a_few_lines_go_on_throughout_if_they_are_long_or_a_sentence() {
    let check = |lines: &[LineTraits], expected| {
        assert_eq!(said(lines, |candidate| candidate.goes_on_throughout()), expected, "{lines:#?}");
    };
    check(&[HIGH(40), LOW(40)], true);
    check(&[HIGH(39), LOW(39)], false);
    check(&[HIGH(40), LOW(40), LOW(40)], true);
    check(&[HIGH(40), LOW(40), LOW(40), LOW(40)], false);
    check(&[HIGH(40), HIGH(40)], false);
    check(&[HIGH(40), LOW(55)], false);
    check(&[HIGH(40), LOW(54)], true);
    let small = |chars| LineTraits { has_capital: false, ..LOW(chars) };
    check(&[small(48), small(48)], true);
    check(&[small(47), small(47)], false);
    let end = traits(9, FirstLetter::Lower, LineEnd::Terminal);
    check(&[HIGH(9), end], true);
    check(&[LOW(9), end], false);
    check(&[LineTraits { role: LineRole::Item, ..HIGH(9) }, end], false);
    check(&[LineTraits { words: 3, ..HIGH(9) }, end], true);
    check(&[LineTraits { words: 2, ..HIGH(9) }, end], false);
    check(&[LineTraits { end: LineEnd::Comma, ..HIGH(9) }, end], false);
}

#[test]
fn lines_that_fill_the_width_of_the_document_are_joined() {
    let check = |line: LineTraits, next: LineTraits, width: Option<usize>, expected| {
        let lines = [line, next].map(|line| MergedLine { text: "words".into(), line, last: 0 });
        let context = ReflowContext { width, ..ReflowContext::default() };
        let mut found = [LineBreak::Keep];
        ParagraphCandidate { lines: &lines, context: &context }.join_full(&mut found);
        assert_eq!(found[0] == LineBreak::Blank, expected, "{line:?} {next:?} {width:?}");
    };
    check(HIGH(53), HIGH(9), Some(60), true);
    check(HIGH(52), HIGH(9), Some(60), false);
    check(HIGH(53), HIGH(63), Some(60), true);
    check(HIGH(53), HIGH(64), Some(60), false);
    check(HIGH(53), HIGH(9), None, false);
    let long = |first_word| LineTraits { first_word, ..HIGH(9) };
    check(HIGH(36), long(40), Some(60), true);
    check(HIGH(35), long(40), Some(60), false);
    check(HIGH(50), LOW(9), None, true);
    check(HIGH(49), LOW(9), None, false);
    check(HIGH(40), LOW(9), Some(90), true);
    check(HIGH(39), LOW(9), Some(90), false);
    check(HIGH(50), LOW(65), None, true);
    check(HIGH(50), LOW(67), None, false);
    let small = |chars| LineTraits { has_capital: false, ..LOW(chars) };
    check(small(49), small(9), Some(90), false);
    check(small(50), small(9), Some(90), true);
}

#[test]
fn numbers_code_and_fields_are_no_prose() {
    let check = |lines: &[LineTraits], expected| {
        assert_eq!(said(lines, |candidate| candidate.is_no_prose()), expected, "{lines:#?}");
    };
    check(&[HIGH(160), LOW(9)], false);
    check(&[HIGH(161), LOW(9)], true);
    check(&[LineTraits { numbers: 7, ..HIGH(50) }, LOW(50)], true);
    check(&[LineTraits { numbers: 6, ..HIGH(50) }, LOW(50)], false);
    let code = |count: usize| {
        let line = LineTraits { looks_like_code: true, ..LOW(50) };
        [vec![line; count], vec![LOW(50); 10 - count]].concat()
    };
    check(&code(3), true);
    check(&code(2), false);
    let fields = |count: usize| {
        let line = LineTraits { looks_like_field: true, ..LOW(50) };
        [vec![line; count], vec![LOW(50); 4 - count]].concat()
    };
    check(&fields(3), true);
    check(&fields(2), false);
}

#[test]
fn a_hyphen_after_a_number_divides_it_from_the_next_line() {
    for (text, next, expected) in [
        ("2,4-", "dichlorophenol", true),
        ("1914-", "1918", true),
        ("1914\u{2010}", "1918", true),
        ("(a)-", "b", true),
        ("[a]-", "b", true),
        ("5′-", "end", true),
        ("b.-", "c", true),
        ("1-", "(2)", true),
        ("1-", "[2]", true),
        ("a-", "b", false),
        ("1", "2", false),
        ("1-", "-2", false),
        ("1-", "and 2", false),
        ("1-", "to 2", false),
        ("1-", "bis 2", false),
        ("1-", "of 2", false),
        ("1-", "und 2", false),
        ("-", "2", false),
    ] {
        assert_eq!(divides_number(text, next), expected, "{text} {next}");
    }
}

#[test]
fn suspended_compounds_go_on_with_and_or_or() {
    for (next, expected) in [
        ("und Nachteile", true),
        ("oder", true),
        ("and post-war", true),
        ("and post", false),
        ("or post-war", true),
        ("to post-war", true),
        ("et avant-guerre", true),
        ("ou avant-guerre", true),
        ("and", false),
        ("words and-so", false),
    ] {
        assert_eq!(is_suspended(next), expected, "{next}");
    }
}

#[test]
fn a_hyphen_divides_words_and_names() {
    let check = |line: &str, next: &str, expected| {
        let block = block_of(&[line, next]);
        let context = ReflowContext::default();
        let found = ParagraphCandidate { lines: &block, context: &context }.is_divided(0);
        assert_eq!(found, expected, "{line} {next}");
    };
    check("an exam-", "ple of it", true);
    check("an exam", "ple of it", false);
    check("an exam-", "1 of it", false);
    check("a pre-", "und post-war", false);
    check("a pre\u{ad}", "und post-war", true);
    check("the Anglo-", "Saxon words", true);
    check("the anglo-", "Saxon words", false);
    check("THE ANGLO-", "SAXON WORDS", false);
}
