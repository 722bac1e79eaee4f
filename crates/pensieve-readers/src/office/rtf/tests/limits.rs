//! Documents at the limits of the reader: what lies within them is read, what lies beyond is left out.

use super::{check, document};
use crate::limits::rtf::{MAX_CAPTURE_BYTES, MAX_FONTS, MAX_GROUP_DEPTH, MAX_METADATA_ROWS, MAX_NAME_BYTES};

#[test]
fn groups_too_deep_are_skipped_and_the_text_after_them_is_read() {
    let text = |groups: usize| {
        let body = format!("{{\\rtf1 a{}b{} c}}", "{".repeat(groups), "}".repeat(groups));
        let (text, document) = document(body.as_bytes());
        (text, document.review_reasons.len(), document.problems.len())
    };
    // One group is the document.
    assert_eq!(text(MAX_GROUP_DEPTH - 1), ("ab c\n".to_owned(), 0, 0));
    assert_eq!(text(MAX_GROUP_DEPTH), ("a c\n".to_owned(), 1, 0));
    assert_eq!(text(MAX_GROUP_DEPTH + 1), ("a c\n".to_owned(), 1, 0));
    let (_, cut) = document(format!("{{\\rtf1 a{}b", "{".repeat(MAX_GROUP_DEPTH + 2)).as_bytes());
    assert_eq!(cut.problems[0].message, "the document ends inside of 5003 groups");
}

#[test]
fn captures_end_after_the_limit() {
    let title = |length: usize| {
        let info = format!("{{\\rtf1{{\\info{{\\title {}\\emdash b}}}}x}}", "a".repeat(length));
        document(info.as_bytes()).1.metadata[0].1.clone()
    };
    assert_eq!(title(MAX_CAPTURE_BYTES - 1), "a".repeat(MAX_CAPTURE_BYTES - 1) + "—");
    assert_eq!(title(MAX_CAPTURE_BYTES), "a".repeat(MAX_CAPTURE_BYTES));
}

#[test]
fn names_end_after_the_limit() {
    let style = |spaces: usize| {
        format!("{{\\stylesheet{{\\s1 heading{}\\x 2;}}}}\\pard\\s1 A\\par", " ".repeat(spaces))
    };
    let length = MAX_NAME_BYTES - "heading".len();
    check(&style(length - 1), "## A\n");
    check(&style(length), "A\n");
    let font = |spaces: usize| {
        format!("{{\\fonttbl{{\\f1\\fcharset2 {}\\x Wingdings;}}}}\\f1 J", " ".repeat(spaces))
    };
    check(&font(MAX_NAME_BYTES - 1), "☺\n");
    check(&font(MAX_NAME_BYTES), "ϑ\n");
}

#[test]
fn rows_of_metadata_beyond_the_limit_are_left_out() {
    for (count, expected) in [(99, 99), (100, 100), (101, 100)] {
        let info = format!("{{\\rtf1{{\\info{}}}x}}", "{\\title a}".repeat(count));
        assert_eq!(document(info.as_bytes()).1.metadata.len(), expected);
    }
    assert_eq!(MAX_METADATA_ROWS, 100);
}

#[test]
fn fonts_beyond_the_limit_have_the_code_page_of_the_document() {
    let fonts = |count: usize| {
        let rows: String = (1..=count).map(|number| format!("{{\\f{number}\\fcharset204 A;}}")).collect();
        format!("{{\\fonttbl{rows}}}\\f{count}\\'cf")
    };
    check(&fonts(MAX_FONTS), "П\n");
    check(&fonts(MAX_FONTS + 1), "Ï\n");
}

#[test]
fn boxes_too_deep_inside_of_boxes_are_left_out() {
    for (count, is_read) in [(14, true), (15, true), (16, false), (17, false)] {
        let boxes = "a{\\shptxt ".repeat(count);
        let (text, _) = document(format!("{{\\rtf1 {boxes}last{}}}", "}".repeat(count)).as_bytes());
        assert_eq!(text.contains("last"), is_read, "{count}");
    }
}
