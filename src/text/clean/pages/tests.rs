//! Pages with headers and footers, handed over in any parts.

use super::*;
use crate::text::clean::{CleanOptions, RuleSet};

fn settled(text: &str, options: &CleanOptions, step: usize) -> String {
    let mut pages = Pages::new(options, TextKind::Prose);
    let mut out = String::new();
    let mut push =
        |text: &str| out.push_str(&pages.push(Segment { text: text.to_owned(), ..Segment::default() }).text);
    let mut from = 0;
    while from < text.len() {
        let end = text.ceil_char_boundary((from + step).min(text.len()));
        push(&text[from..end]);
        from = end;
    }
    out.push_str(&pages.finish().text);
    out
}

fn check_with(options: &CleanOptions, text: &str, expected: &str) {
    for step in [1, 7, text.len().max(1)] {
        assert_eq!(settled(text, options, step), expected, "by {step}");
    }
}

fn check(text: &str, expected: &str) {
    check_with(&CleanOptions::default(), text, expected);
}

#[test]
fn headers_and_numbers_that_repeat_go() {
    check(
        "The Mill\nOne begins.\n1\n\x0cThe Mill\nTwo begins.\n2\n\x0cThe Mill\nThree begins.\n3\n",
        "\nOne begins.\n\n\n\n\nTwo begins.\n\n\n\n\nThree begins.\n\n",
    );
}

#[test]
fn what_stands_on_two_pages_stays() {
    let text = "The Mill\nOne.\n1\n\x0cThe Mill\nTwo.\n2\n";
    check(text, &text.replace('\x0c', "\n\n"));
}

#[test]
fn a_sentence_goes_on_behind_the_header() {
    check(
        "H\nOne and\n\n1\n\x0cH\n\ntwo. Some\n2\n\x0cH\nBig one.\n3",
        "\nOne and\ntwo. Some\n\n\n\n\nBig one.\n",
    );
}

#[test]
fn a_page_that_would_be_empty_keeps_its_words() {
    check("Form A\x0cForm A\x0cForm A", "Form A\n\nForm A\n\nForm A");
    check("1\x0c2\x0c3", "\n\n\n\n");
}

#[test]
fn breaks_become_markers_where_they_are_wanted() {
    let options = CleanOptions { page_markers: true, ..CleanOptions::default() };
    check_with(&options, "one\x0ctwo", "one\n\n--- PAGE ---\n\ntwo");
}

#[test]
fn rules_that_are_off_do_nothing() {
    let options = CleanOptions {
        rules: RuleSet::all().with(Rule::PageFurniture, false).with(Rule::PageBreaks, false),
        ..CleanOptions::default()
    };
    check_with(&options, "H\na\x0cH\nb\x0cH\nc", "H\na\x0cH\nb\x0cH\nc");
}

#[test]
fn what_is_too_large_is_no_page_and_is_not_held_back() {
    let large = "word and word\n".repeat(6000);
    let text = format!("{large}\x0cH\na\x0cH\nb\x0cH\nc");
    let expected = format!("{}\n\n\n\n\na\n\n\nb\n\n\nc", large.trim_end());
    for step in [999, text.len()] {
        let got = settled(&text, &CleanOptions::default(), step);
        assert_eq!(
            got.split_whitespace().collect::<Vec<_>>(),
            expected.split_whitespace().collect::<Vec<_>>()
        );
    }
}
