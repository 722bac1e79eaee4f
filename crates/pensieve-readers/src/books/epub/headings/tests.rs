//! Headings that exist, are styled as paragraphs, or are missing.

use super::label::*;
use super::placing::*;
use super::*;
use pensieve_text::model::{Locator, LocatorMap, Segment, Span};

fn labelled<'l>(labels: &[(usize, &'l str, usize)]) -> Vec<TocLabel<'l>> {
    let label =
        |(seq, &(level, words, at))| TocLabel { seq, level, words, at, confidence: AnchorConfidence::Start };
    labels.iter().enumerate().map(label).collect()
}

fn check(text: &str, labels: &[(usize, &str, usize)], expected: &str) {
    let places = LocatorMap(vec![(Span::new(0, text.len()), Locator::spine("a", None))]);
    let segment = Segment { text: text.to_owned(), places, ..Segment::default() };
    let found = put(segment, labelled(labels), &mut HeadingDepth::default());
    assert_eq!(found.text, expected);
    assert_eq!(found.places.0[0].0, Span::new(0, found.text.len()));
    assert_eq!(found.sections.len(), labels.len());
    assert!(found.sections.iter().all(|start| found.text[start.out..].starts_with('#')));
    assert!(found.sections.is_sorted_by(|a, b| a.out < b.out));
}

#[test]
fn numbers_may_be_written_in_other_figures() {
    check("# 2. Friendship\n\na\n", &[(2, "II. Friendship", 0)], "## 2. Friendship\n\na\n");
}

#[test]
fn missing_headings_are_put_in() {
    let prose = "It was a dark night.\n\nAnd so on.\n";
    check(prose, &[(2, "One", 0)], &format!("## One\n\n{prose}"));
    check(prose, &[(1, "Two", 20), (1, "One", 0)], "# One\n\nIt was a dark night.\n\n# Two\n\nAnd so on.\n");
    check(prose, &[(1, "Part", 0), (2, "One", 0)], &format!("# Part\n\n## One\n\n{prose}"));
    check("a\n\n```\nb\n\nc\n```\n", &[(1, "One", 8)], "a\n\n# One\n\n```\nb\n\nc\n```\n");
    check("a\n", &[(1, "Gone", usize::MAX)], "a\n\n# Gone\n");
    check(
        "a\n\n| x | y |\n| - | - |\n| z | w |\n",
        &[(1, "One", 24)],
        "a\n\n# One\n\n| x | y |\n| - | - |\n| z | w |\n",
    );
}

#[test]
fn headings_that_are_there_are_claimed_at_the_level_of_their_entry() {
    check("# The *Start*\n\nx\n", &[(2, "The Start", 0)], "## The *Start*\n\nx\n");
    check("# One\n\n## a\n\nx\n\n### b\n", &[(2, "One", 0)], "## One\n\n### a\n\nx\n\n#### b\n");
    check("### One\n\n#### a\n\nx\n", &[(1, "One", 0)], "# One\n\n## a\n\nx\n");
    check("## Other\n\nx\n", &[(1, "The Start", 0)], "# The Start\n\n## Other\n\nx\n");
    check("# The Start\n\nx\n", &[(2, "The Start", 11)], "## The Start\n\nx\n");
    check(
        "# Part I\n\n# Chapter 1\n\nx\n",
        &[(1, "Part I", 0), (2, "Chapter 1: Loomings", 8)],
        "# Part I\n\n## Chapter 1\n\nx\n",
    );
    check("# Chapter 1\n\nx\n", &[(1, "Part I", 0), (2, "Chapter 1", 0)], "# Part I\n\n## Chapter 1\n\nx\n");
    check("# Part I\n\nx\n", &[(1, "Part I", 0), (2, "Chapter 1", 0)], "# Part I\n\n## Chapter 1\n\nx\n");
}

#[test]
fn paragraphs_that_are_labels_become_headings() {
    check("**The Start**\n\nx\n", &[(2, "The Start", 0)], "## The Start\n\nx\n");
    check("image\n\nThe start\n\nx\n", &[(2, "The Start", 0)], "## The start\n\nimage\n\nx\n");
    check(
        "Chapter 3\n\nHow the whale came\n\nIn the beginning\n",
        &[(1, "Chapter 3. How the Whale came", 0)],
        "# Chapter 3\n\nHow the whale came\n\nIn the beginning\n",
    );
    check(
        "She stood and saw the start of the race.\n\nx\n",
        &[(1, "The Start", 0)],
        "# The Start\n\nShe stood and saw the start of the race.\n\nx\n",
    );
}

#[test]
fn a_label_whose_place_is_missing_is_looked_for() {
    let text = "# One\n\na\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n\n# Two\n\nb\n";
    let segment = Segment { text: text.to_owned(), ..Segment::default() };
    let label = TocLabel { seq: 0, level: 2, words: "Two", at: 0, confidence: AnchorConfidence::Loose };
    let found = put(segment, vec![label], &mut HeadingDepth::default());
    assert!(found.text.ends_with("\n\n## Two\n\nb\n"), "{}", found.text);
}

#[test]
fn headings_of_the_next_segment_are_below_the_open_one() {
    let mut depth = HeadingDepth::default();
    let segment = |text: &str| Segment { text: text.to_owned(), ..Segment::default() };
    put(segment("# One\n"), labelled(&[(2, "One", 0)]), &mut depth);
    assert_eq!(put(segment("# a\n\n## b\n"), Vec::new(), &mut depth).text, "### a\n\n### b\n");
}

#[test]
fn contents_are_rebuilt_from_headings() {
    let mut rebuilder = TocRebuilder::default();
    let text = "## A *b*\n\n```\n# no\n```\n\n#### c\n\n### d\n\n## [e](x)\n";
    let found = rebuilder.note(Segment { text: text.to_owned(), ..Segment::default() }, None);
    let found: Vec<String> =
        found.sections.iter().map(|start| format!("{} {} {}", start.seq, start.level, start.label)).collect();
    assert_eq!(found, ["0 1 A b", "1 2 c", "2 2 d", "3 1 e"]);
}

#[test]
fn headings_of_contents_that_are_rebuilt_stand_as_deep_as_their_entries() {
    let text = "## A\n\nx\n\n##### D\n\ny\n";
    let found = TocRebuilder::default().note(Segment { text: text.to_owned(), ..Segment::default() }, None);
    assert_eq!(found.text, "# A\n\nx\n\n## D\n\ny\n");
}

/// Labels that point to places inside a page.
fn check_places(text: &str, labels: &[(usize, &str, usize)], expected: &str) {
    let segment = Segment { text: text.to_owned(), ..Segment::default() };
    let labels =
        labelled(labels).into_iter().map(|label| TocLabel { confidence: AnchorConfidence::Place, ..label });
    assert_eq!(put(segment, labels.collect(), &mut HeadingDepth::default()).text, expected);
}

#[test]
fn a_heading_that_is_the_target_is_the_heading_of_its_section() {
    check_places("# Other\n\nx\n", &[(2, "The Start", 0)], "## Other\n\nx\n");
    check_places("# Other\n\nx\n", &[(1, "Part", 0), (2, "One", 0)], "# Part\n\n## Other\n\nx\n");
    check("# 3.2 Methods & Tools\n\nx\n", &[(1, "Methods and tools", 0)], "# 3.2 Methods & Tools\n\nx\n");
    check("# Résumé\n\nx\n", &[(1, "Resume", 0)], "# Résumé\n\nx\n");
    check("# 1Title\n\nx\n", &[(1, "1 Title", 0)], "# 1 Title\n\nx\n");
}

#[test]
fn a_section_begins_where_its_target_begins() {
    check("Said one.\n\n# Two\n\nx\n", &[(1, "Two", 0)], "# Two\n\nSaid one.\n\nx\n");
    check("Chapter 2\n\n# Two\n\nx\n", &[(1, "Chapter 2: Two", 0)], "# Chapter 2: Two\n\nx\n");
    check("1.\n\n## A \\* b\n", &[(1, "1. A * b", 0)], "# 1. A * b\n");
    check(
        "# Part\n\nof it\n\n# One\n\nx\n",
        &[(1, "Part", 0), (2, "One", 0)],
        "# Part\n\nof it\n\n## One\n\nx\n",
    );
    let segment = Segment { text: "Said one.\n\n### Two\n\nx\n".to_owned(), ..Segment::default() };
    let found = claim(segment, labelled(&[(1, "Two", 0)]), &mut HeadingDepth::default());
    assert_eq!((found.text.as_str(), found.sections[0].out), ("Said one.\n\n# Two\n\nx\n", 0));
}

#[test]
fn places_stay_with_their_words_when_a_heading_comes_first() {
    let place = |from, to, line| (Span::new(from, to), Locator::Lines { first: line, last: line });
    let segment = Segment {
        text: "Said.\n\n# Two\n\nx\n".to_owned(),
        places: LocatorMap(vec![place(0, 7, 1), place(7, 14, 2), place(14, 16, 3)]),
        ..Segment::default()
    };
    let found = put(segment, labelled(&[(1, "Two", 0)]), &mut HeadingDepth::default());
    assert_eq!(found.text, "# Two\n\nSaid.\n\nx\n");
    assert_eq!(found.places.0, [place(0, 7, 2), place(7, 14, 1), place(14, 16, 3)]);
}

#[test]
fn an_entry_that_says_the_same_of_the_same_place_is_no_other_heading() {
    let segment = Segment { text: "# B\n\nx\n".to_owned(), ..Segment::default() };
    let found = put(segment, labelled(&[(1, "B", 0), (2, "B", 0)]), &mut HeadingDepth::default());
    assert_eq!(found.text, "# B\n\nx\n");
    assert_eq!(
        found.sections.iter().map(|start| (start.seq, start.out)).collect::<Vec<_>>(),
        [(0, 0), (1, 0)]
    );
}

#[test]
fn a_number_in_a_heading_of_its_own_belongs_to_the_title_below() {
    check_places(
        "a\n\n## Chapter 2\n\n## The River\n\nx\n",
        &[(1, "The River", 15)],
        "a\n\n# Chapter 2\n\n# The River\n\nx\n",
    );
    let segment = Segment { text: "a\n\n## II\n\n## The River\n\nx\n".to_owned(), ..Segment::default() };
    let found = claim(segment, labelled(&[(1, "The River", 10)]), &mut HeadingDepth::default());
    assert_eq!((found.text.as_str(), found.sections[0].out), ("a\n\n# II\n\n# The River\n\nx\n", 3));
    check_places(
        "# Part I\n\n# One\n\nx\n",
        &[(1, "Part I", 0), (2, "One", 10)],
        "# Part I\n\n## One\n\nx\n",
    );
}

#[test]
fn a_heading_further_below_its_place_is_another() {
    check(
        "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\n# One\n\nx\n",
        &[(1, "One", 0)],
        "# One\n\na\n\nb\n\nc\n\nd\n\ne\n\nf\n\nx\n",
    );
    check(
        "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\n# One\n\nx\n",
        &[(1, "One", 0)],
        "# One\n\na\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\n## One\n\nx\n",
    );
}
