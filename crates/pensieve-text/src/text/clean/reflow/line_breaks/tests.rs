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
