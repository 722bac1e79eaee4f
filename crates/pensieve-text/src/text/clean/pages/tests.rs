//! Pages with headers and footers, divided into parts in any way.

use super::*;
use crate::model::{LocatorMap, Span};
use crate::text::clean::{CleanOptions, CleanRuleSet};

fn settled(text: &str, options: &CleanOptions, step: usize) -> String {
    let mut pages = PagesStep::new(options, TextKind::Prose);
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
fn headings_at_the_top_of_pages_with_layout_stay() {
    let text = "Chapter 1\nOne begins.\n\x0cChapter 2\nTwo begins.\n\x0cChapter 3\nThree begins.\n";
    let cleaned = |places: LocatorMap| {
        let mut pages = PagesStep::new(&CleanOptions::default(), TextKind::Prose);
        let segment = Segment { text: text.to_owned(), places, ..Segment::default() };
        format!("{}{}", pages.push(segment).text, pages.finish().text)
    };
    let mut places = LocatorMap::default();
    places.push(Span::new(0, text.len()), Locator::Layout(Box::default()));
    assert!(cleaned(places).contains("Chapter 2"));
    assert!(!cleaned(LocatorMap::default()).contains("Chapter 2"));
}

#[test]
fn what_stands_on_two_pages_stays() {
    let text = "The Mill\nOne.\n1\n\x0cThe Mill\nTwo.\n2\n";
    check(text, &text.replace('\x0c', "\n\n"));
}

#[test]
fn a_sentence_continues_after_the_header() {
    check(
        "H\nOne and\n\n1\n\x0cH\n\ntwo. Some\n2\n\x0cH\nBig one.\n3",
        "\nOne and\ntwo. Some\n\n\n\n\nBig one.\n",
    );
}

#[test]
fn a_clause_that_ends_pages_word_for_word_is_text() {
    let page = |part: &str, number: u32| {
        let clause = "This clause has no weight. It ex\nists for the sake of its page.";
        format!("Agreement {number}\n\nPart {part}\n{clause}\n\nTerms {part}\n{clause}\n")
    };
    let text = [page("one", 1), page("two", 2), page("three", 3)].join("\x0c");
    let got = settled(&text, &CleanOptions::default(), text.len());
    assert_eq!(got.matches("ists for the sake of its page.").count(), 6, "{got}");
    assert!(!got.contains("Agreement"), "{got}");
}

#[test]
fn a_header_over_each_column_is_furniture() {
    let text = ["One", "Two", "Six"].map(|words| {
        format!(
            "The Mill\n{words} left.\n\nMore {words}.\nThe Mill\n{words} right.\n\nEnd {words}.\nSo {words}."
        )
    });
    let got = settled(&text.join("\n\x0c"), &CleanOptions::default(), 7);
    assert_eq!(got.matches("The Mill").count(), 3, "{got}");
}

#[test]
fn a_sentence_that_comes_to_its_end_is_no_footer() {
    let page = |who: &str, footer: &str| format!("{who} shall pay as\nis written in the terms.\n{footer}");
    let text =
        [page("Jane", "Terms of May\n1"), page("Paul", "Terms of May\n2"), page("Mary", "Terms of May\n3")];
    let got = settled(&text.join("\n\x0c"), &CleanOptions::default(), 7);
    assert_eq!(got.matches("as\nis written in the terms.").count(), 3, "{got}");
    assert!(!got.contains("Terms of May"), "{got}");
    // A line that begins in lower case and does not end a sentence may be furniture.
    let text = ["One and", "Two and", "Six and"].map(|words| format!("{words}\nwww.example.org"));
    check(&text.join("\x0c"), "One and\n\n\nTwo and\n\n\nSix and\n");
}

#[test]
fn what_stands_at_both_edges_is_furniture() {
    let text = ["One.", "Two.", "Six."].map(|words| format!("SECRET\n{words}\nMore of {words}\nSECRET\n"));
    let got = settled(&text.join("\x0c"), &CleanOptions::default(), 7);
    assert!(!got.contains("SECRET") && got.contains("One.\nMore of One."), "{got}");
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
        rules: CleanRuleSet::all().with(CleanRule::PageFurniture, false).with(CleanRule::PageBreaks, false),
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
