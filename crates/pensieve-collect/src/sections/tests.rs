//! Which headings are real, and what their sections contain.

use super::*;
use crate::blocks::{Block, BlockKind, blocks};
use HeadingKind::{Labelled, List, Named, Numbered, Titled};
use pensieve_text::model::Span;

const TEXT: &str = "The heron stood where it had always stood, and it rained on everybody\nalike, which is what rain does \
when nobody looks, and then it rained on\nthose who looked, and then, for want of anybody else, it rained on the\nheron once \
more, and the heron stood.\n";

fn names(book: &str) -> Vec<(String, SectionKind)> {
    let book = book.replace("TEXT", TEXT);
    let blocks = blocks(&book);
    let found = sections(&book, &blocks, "The Heron");
    found.into_iter().map(|section| (section.name, section.kind)).collect()
}

fn check_texts(book: &str, expected: &[&str]) {
    let texts = names(book).into_iter().filter(|(_, kind)| *kind == SectionKind::Text);
    assert_eq!(texts.map(|(name, _)| name).collect::<Vec<_>>(), expected, "{book}");
}

#[test]
fn a_list_of_contents_does_not_count() {
    let book = "THE HERON\n\n\n\nCONTENTS\n\nCHAPTER I. The Reeds\n\nCHAPTER II. The Rain\n\n\n\n\nPREFACE\n\nTEXT\n\n\n\nCHAPTER I\n\nTEXT\n\n\n\nCHAPTER II\n\nTEXT";
    check_texts(book, &["PREFACE", "CHAPTER I", "CHAPTER II"]);
    let book = "THE HERON\n\n\nChapter I\n\nChapter II\n\n\nChapter I\n\nTEXT\n\nChapter II\n\nTEXT";
    check_texts(book, &["Chapter I", "Chapter II"]);
    let book = "CONTENTS\n\n I. The Reeds      3\n II. The Rain     17\n\n\n\n\nI\n\nTHE REEDS\n\nTEXT\n\n\n\n\nII\n\nTHE RAIN\n\nTEXT";
    check_texts(book, &["I. THE REEDS", "II. THE RAIN"]);
}

#[test]
fn the_contents_set_a_wrong_number_right() {
    let list: String = (1..=3).map(|n| format!("CHAPTER {}. Rain again\n\n", to_roman(n).unwrap())).collect();
    let body = "CHAPTER I\n\nTEXT\n\n\n\nCHAPTER II\n\nTEXT\n\n\n\nCHAPTER II\n\nTEXT";
    check_texts(&format!("CONTENTS\n\n{list}\n\n\n{body}"), &["CHAPTER I", "CHAPTER II", "CHAPTER III"]);
}

#[test]
fn numbers_that_begin_again_have_their_parts_before_them() {
    let book = "PART I\n\nCHAPTER I\n\nTEXT\n\nCHAPTER II\n\nTEXT\n\nPART II\n\nCHAPTER I\n\nTEXT";
    check_texts(book, &["PART I, CHAPTER I", "PART I, CHAPTER II", "PART II, CHAPTER I"]);
    let book = "PART I\n\nCHAPTER I\n\nTEXT\n\nPART II\n\nCHAPTER II\n\nTEXT";
    check_texts(book, &["CHAPTER I", "CHAPTER II"]);
    let book = "\n\n\n\nThe Perfect Heron\n\n\nI\n\nTEXT\n\n\nII\n\nTEXT\n\n\n\n\nThe Other Heron\n\n\nI\n\nTEXT\n\n\nII\n\nTEXT";
    check_texts(
        book,
        &["The Perfect Heron, I", "The Perfect Heron, II", "The Other Heron, I", "The Other Heron, II"],
    );
}

#[test]
fn a_number_in_the_text_is_no_chapter() {
    check_texts("TEXT\n\n4\n\nTEXT", &["The Heron"]);
    check_texts("TEXT\n\nTEXT", &["The Heron"]);
    check_texts("", &[]);
}

#[test]
fn an_empty_chapter_is_malformed_and_the_others_stand() {
    let found = names("CHAPTER I\n\nTEXT\n\nCHAPTER II\n\nCHAPTER III\n\nTEXT");
    let kinds: Vec<SectionKind> = found.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(kinds, [SectionKind::Text, SectionKind::Malformed, SectionKind::Text]);
}

/// A heading of a table: its kind, rank and number (0 for none), the blank lines above it, the words below it.
type Row = (HeadingKind, u8, u32, usize, usize);

fn block(kind: BlockKind, gap: usize, words: usize) -> Block {
    Block { span: Span::new(0, 0), lines: Vec::new(), gap, kind, words }
}

/// The headings of a table, each with one block of text below it.
fn book_of(rows: &[Row]) -> (Vec<Heading>, Vec<Block>) {
    let heading = |(at, &(kind, rank, number, ..)): (usize, &Row)| Heading {
        block: at * 2,
        takes: 1,
        kind,
        rank,
        key: (number > 0).then_some(("chapter", number)),
        label: String::new(),
        title: Some(format!("T{at}")),
    };
    let blocks = rows
        .iter()
        .flat_map(|&(.., gap, words)| [block(BlockKind::Prose, gap, 1), block(BlockKind::Prose, 1, words)]);
    (rows.iter().enumerate().map(heading).collect(), blocks.collect())
}

/// Which headings of a table remain.
fn kept(rows: &[Row], filter: impl FnOnce(Vec<Heading>, &[Block]) -> Vec<Heading>) -> Vec<usize> {
    let (headings, blocks) = book_of(rows);
    filter(headings, &blocks).iter().map(|heading| heading.block / 2).collect()
}

#[test]
fn words_after_a_heading_are_those_of_text_before_the_next() {
    let (headings, mut blocks) = book_of(&[(Named, 3, 0, 2, 30), (Named, 3, 0, 2, 50)]);
    assert_eq!((words_after(&headings, 0, &blocks), words_after(&headings, 1, &blocks)), (30, 50));
    blocks.push(block(BlockKind::Verse, 1, 7));
    blocks.push(block(BlockKind::Table, 1, 100));
    assert_eq!(words_after(&headings, 1, &blocks), 57);
}

#[test]
fn titles_with_nothing_between_them_are_one() {
    let title = |block: usize, kind: HeadingKind, name: &str| Heading {
        block,
        takes: 1,
        kind,
        rank: 3,
        key: None,
        label: String::new(),
        title: Some(name.to_owned()),
    };
    let check = |rows: &[(usize, HeadingKind, usize)], expected: &[(&str, usize)]| {
        let mut blocks = vec![block(BlockKind::Prose, 9, 1); 9];
        rows.iter().for_each(|(at, _, gap)| blocks[*at].gap = *gap);
        let names = ["A", "B", "C"];
        let headings = rows.iter().zip(names).map(|((at, kind, _), name)| title(*at, *kind, name)).collect();
        let joined = with_one_title(headings, &blocks);
        let found: Vec<(&str, usize)> =
            joined.iter().map(|heading| (heading.title.as_deref().unwrap(), heading.takes)).collect();
        assert_eq!(found, expected, "{rows:?}");
    };
    check(&[(2, Titled, 9), (3, Titled, 2), (4, Titled, 1)], &[("A B C", 3)]);
    check(&[(2, Titled, 9), (3, Titled, 3), (4, Titled, 2)], &[("A", 1), ("B C", 2)]);
    check(&[(2, Titled, 9), (4, Titled, 2)], &[("A", 1), ("B", 1)]);
    check(&[(2, Named, 9), (3, Titled, 2)], &[("A", 1), ("B", 1)]);
    check(&[(2, Titled, 9), (3, Labelled, 2)], &[("A", 1), ("B", 1)]);
}

#[test]
fn numbers_that_stand_alone_follow_each_other() {
    let check = |numbers: &[u32], expected: &[usize]| {
        let rows: Vec<Row> = numbers.iter().map(|number| (Numbered, 4, *number, 2, 50)).collect();
        assert_eq!(kept(&rows, |headings, _| with_sequences(headings)), expected, "{numbers:?}");
    };
    check(&[1, 2, 3], &[0, 1, 2]);
    check(&[1, 3, 4], &[0, 1, 2]);
    check(&[1, 4, 2], &[0, 2]);
    check(&[1, 2, 1, 2], &[0, 1, 2, 3]);
    check(&[2, 3], &[]);
    check(&[3, 1, 1], &[1, 2]);
    check(&[1], &[]);
    let rows =
        [(Named, 3, 0, 2, 50), (Labelled, 3, 7, 2, 50), (Numbered, 4, 0, 2, 50), (Numbered, 4, 5, 2, 50)];
    assert_eq!(kept(&rows, |headings, _| with_sequences(headings)), [0, 1, 2]);
}

#[test]
fn a_closing_list_is_after_all_text() {
    let check = |rows: &[(HeadingKind, usize)], expected: usize| {
        let rows: Vec<Row> = rows.iter().map(|(kind, words)| (*kind, 3, 0, 2, *words)).collect();
        let (headings, blocks) = book_of(&rows);
        assert_eq!(closing_list(&headings, &blocks), expected, "{rows:?}");
    };
    check(&[(Labelled, 40), (List, 0), (Labelled, 3)], 1);
    check(&[(Labelled, 39), (List, 0), (Labelled, 3)], 3);
    check(&[(Labelled, 40), (Labelled, 5), (List, 5), (List, 90)], 2);
    check(&[(List, 50), (Labelled, 40), (Labelled, 40)], 3);
    check(&[(List, 50)], 1);
}

/// Checks which headings of a table are no contents.
fn check_contents(rows: &[Row], expected: &[usize]) {
    assert_eq!(kept(rows, |headings, blocks| without_contents(&headings, blocks)), expected, "{rows:?}");
}

#[test]
fn a_label_without_text_that_recurs_is_one_of_contents() {
    check_contents(&[(Labelled, 3, 1, 2, 11), (Labelled, 3, 1, 2, 50)], &[1]);
    check_contents(&[(Labelled, 3, 1, 2, 12), (Labelled, 3, 1, 2, 50)], &[0, 1]);
    check_contents(&[(Labelled, 3, 1, 2, 11), (Labelled, 3, 2, 2, 50)], &[0, 1]);
    check_contents(&[(Named, 3, 0, 2, 0), (Named, 3, 0, 2, 50)], &[0, 1]);
    // It does not recur in a list that ends the book.
    let closing = [
        (Labelled, 3, 1, 2, 45),
        (Labelled, 3, 2, 2, 5),
        (List, 3, 0, 2, 0),
        (Labelled, 3, 1, 2, 0),
        (Labelled, 3, 2, 2, 0),
    ];
    check_contents(&closing, &[0, 1, 2]);
}

#[test]
fn a_label_after_a_list_is_real_if_it_has_text_or_is_a_part_that_is_set_off() {
    let check = |rank: u8, gap: usize, words: usize, expected: &[usize]| {
        check_contents(&[(List, 3, 0, 2, 0), (Labelled, rank, 1, gap, words)], expected);
        check_contents(&[(List, 3, 0, 2, 0), (Numbered, rank, 1, gap, words)], expected);
    };
    check(3, 2, 40, &[0, 1]);
    check(3, 2, 39, &[0]);
    check(3, 1, 40, &[0]);
    check(3, 3, 39, &[0]);
    check(2, 3, 0, &[0, 1]);
    check(2, 2, 0, &[0]);
}

#[test]
fn a_label_that_a_list_had_before_is_real() {
    let list = (List, 3, 0, 2, 0);
    check_contents(&[list, (Labelled, 3, 1, 1, 3), (Labelled, 3, 1, 1, 20)], &[0, 2]);
    check_contents(&[list, (Labelled, 3, 1, 1, 20), (Labelled, 3, 1, 1, 20)], &[0, 2]);
    check_contents(&[list, (Labelled, 3, 1, 1, 20), (Labelled, 3, 2, 1, 20)], &[0]);
    check_contents(&[list, (Labelled, 3, 1, 2, 40), (Labelled, 3, 2, 1, 20)], &[0, 1, 2]);
}

#[test]
fn a_name_or_a_title_after_a_list_is_real_if_it_has_text_and_is_set_off() {
    let check = |kind: HeadingKind, gap: usize, words: usize, expected: &[usize]| {
        check_contents(&[(List, 3, 0, 2, 0), (kind, 3, 0, gap, words)], expected);
    };
    check(Named, 2, 12, &[0, 1]);
    check(Named, 2, 11, &[0]);
    check(Named, 1, 12, &[0]);
    check(Titled, 3, 40, &[0, 1]);
    check(Titled, 3, 39, &[0]);
    check(Titled, 2, 40, &[0]);
}

#[test]
fn a_title_has_as_much_space_above_it_as_half_of_the_labels() {
    check_contents(&[(Titled, 3, 0, 2, 50)], &[0]);
    check_contents(&[(Titled, 3, 0, 1, 50)], &[]);
    check_contents(&[(Labelled, 3, 1, 1, 50), (Titled, 3, 0, 3, 50)], &[0, 1]);
    check_contents(&[(Labelled, 3, 1, 1, 50), (Titled, 3, 0, 2, 50)], &[0]);
    check_contents(&[(Titled, 3, 0, 2, 50), (Labelled, 1, 1, 5, 50)], &[0, 1]);
    check_contents(&[(Titled, 3, 0, 2, 50), (Named, 3, 0, 6, 50)], &[0, 1]);
    let with_title = |gap: usize| {
        let labels = [7, 2, 4, 6, 3].into_iter().zip(1..);
        let labels = labels.map(|(gap, number)| (Labelled, 3, number, gap, 50));
        [(Titled, 3, 0, gap, 50)].into_iter().chain(labels).collect::<Vec<Row>>()
    };
    check_contents(&with_title(4), &[0, 1, 2, 3, 4, 5]);
    check_contents(&with_title(3), &[1, 2, 3, 4, 5]);
}

#[test]
fn numbers_of_a_rank_restart_if_one_occurs_twice() {
    let check = |rows: &[(u8, u32)], expected: bool| {
        let rows: Vec<Row> = rows.iter().map(|(rank, number)| (Labelled, *rank, *number, 2, 50)).collect();
        assert_eq!(restarts(&book_of(&rows).0, 3), expected, "{rows:?}");
    };
    check(&[(3, 1), (3, 2), (3, 1)], true);
    check(&[(3, 1), (3, 2), (3, 3)], false);
    check(&[(3, 1), (2, 1), (2, 1)], false);
    check(&[(3, 0), (3, 0), (3, 1)], false);
}

#[test]
fn wrong_numbers_are_corrected_from_contents_that_count() {
    let check = |list: &[&str], body: &[&str], expected: &[&str]| {
        let rows: String = list.iter().map(|label| format!("{label}. Rain again\n\n")).collect();
        let body: Vec<String> = body.iter().map(|label| format!("{label}\n\nTEXT")).collect();
        let book = format!("CONTENTS\n\n{rows}\n\n\n{}", body.join("\n\n\n\n"));
        check_texts(&book, expected);
    };
    check(&["Chapter 1", "Chapter 2"], &["Chapter 1", "Chapter 1"], &["Chapter 1", "Chapter 2"]);
    check(
        &["CHAPTER I", "CHAPTER II", "CHAPTER III"],
        &["CHAPTER I", "CHAPTER II", "CHAPTER V"],
        &["CHAPTER I", "CHAPTER II", "CHAPTER III"],
    );
    check(&["CHAPTER I", "CHAPTER III"], &["CHAPTER I", "CHAPTER V"], &["CHAPTER I", "CHAPTER V"]);
    check(
        &["CHAPTER I", "CHAPTER II", "CHAPTER III"],
        &["CHAPTER I", "CHAPTER V"],
        &["CHAPTER I", "CHAPTER V"],
    );
    check(&["CHAPTER I", "CHAPTER THE LAST"], &["CHAPTER I", "CHAPTER V"], &["CHAPTER I", "CHAPTER V"]);
    check(
        &["CHAPTER I", "CHAPTER II"],
        &["CHAPTER I", "CHAPTER THE LAST"],
        &["CHAPTER I", "CHAPTER THE LAST"],
    );
    check(
        &["CHAPTER I", "CHAPTER THE LAST", "CHAPTER III"],
        &["CHAPTER I", "CHAPTER II", "CHAPTER V"],
        &["CHAPTER I", "CHAPTER II", "CHAPTER V"],
    );
}

#[test]
fn a_front_with_six_hundred_words_is_text() {
    let check = |words: usize, expected: SectionKind| {
        let front = vec!["rain"; words - 1].join(" ");
        let found = names(&format!("The {front}\n\nCHAPTER I\n\nTEXT"));
        assert_eq!(found[0], ("The Heron".to_owned(), expected), "{words}");
        assert_eq!(found[1], ("CHAPTER I".to_owned(), SectionKind::Text));
    };
    check(600, SectionKind::Text);
    check(599, SectionKind::Front);
}

#[test]
fn sections_are_the_blocks_between_headings() {
    let book = format!(
        "The Heron\n\nPART I\n\nCHAPTER I\n\n{TEXT}\n\n{TEXT}\n\nCHAPTER II\n\nPART II\n\nCHAPTER I\n\n{TEXT}"
    );
    let section = |name: &str, number: u32, first: usize, end: usize, kind: SectionKind| Section {
        name: name.to_owned(),
        key: (number > 0).then_some(("chapter", number)),
        first,
        end,
        kind,
    };
    let expected = [
        section("The Heron", 0, 0, 1, SectionKind::Front),
        section("PART I, CHAPTER I", 1, 3, 5, SectionKind::Text),
        section("PART I, CHAPTER II", 2, 6, 6, SectionKind::Malformed),
        section("PART II, CHAPTER I", 1, 8, 9, SectionKind::Text),
    ];
    assert_eq!(sections(&book, &blocks(&book), "The Heron"), expected);
}

#[test]
fn a_section_is_malformed_if_more_than_a_fiftieth_of_it_is_unreadable() {
    let (headings, _) = book_of(&[(Labelled, 3, 1, 2, 0)]);
    let check = |length: usize, bad: &str, expected: SectionKind| {
        let book = format!("{bad}{}", "x".repeat(length - bad.len()));
        assert_eq!(kind(&book, &headings[0], &blocks(&book), None), expected, "{length} {bad:?}");
    };
    check(100, "\u{1}\u{2}", SectionKind::Text);
    check(99, "\u{1}\u{2}", SectionKind::Malformed);
    check(100, "\u{fffd}\u{fffd}", SectionKind::Text);
    check(99, "\u{fffd}\u{fffd}", SectionKind::Malformed);
    check(99, "x\ty\tz\tx\ty", SectionKind::Text);
    // Every block counts.
    let book = format!("\u{1}{0}\n\n\u{2}{0}", "x".repeat(49));
    assert_eq!(kind(&book, &headings[0], &blocks(&book), None), SectionKind::Text);
    let book = format!("\u{1}{}\n\n\u{2}{}", "x".repeat(49), "x".repeat(48));
    assert_eq!(kind(&book, &headings[0], &blocks(&book), None), SectionKind::Malformed);
}

#[test]
fn a_label_without_text_is_malformed_unless_a_lower_rank_follows() {
    let check = |row: Row, next: Option<u8>, expected: SectionKind| {
        let next = next.map(|rank| book_of(&[(Labelled, rank, 1, 2, 0)]).0.remove(0));
        let (headings, blocks) = book_of(&[row]);
        assert_eq!(kind("", &headings[0], &blocks[1..], next.as_ref()), expected, "{row:?}");
    };
    check((Labelled, 2, 1, 2, 0), None, SectionKind::Malformed);
    check((Labelled, 2, 1, 2, 0), Some(1), SectionKind::Malformed);
    check((Labelled, 2, 1, 2, 0), Some(2), SectionKind::Malformed);
    check((Labelled, 2, 1, 2, 0), Some(3), SectionKind::Text);
    check((Labelled, 2, 1, 2, 1), None, SectionKind::Text);
    check((Named, 2, 0, 2, 0), None, SectionKind::Text);
    check((List, 2, 0, 2, 50), None, SectionKind::List);
    check((Titled, 3, 0, 2, 39), None, SectionKind::Front);
    check((Titled, 3, 0, 2, 40), None, SectionKind::Text);
}

#[test]
fn text_is_usable_unless_it_ends_the_book() {
    let check = |text: &str, expected: bool| {
        assert_eq!(is_usable(text, &blocks(text)[0]), expected, "{text}");
    };
    check("The heron stood.", true);
    check("THE END", false);
    check("[Illustration: a heron]", false);
    check("* * *", false);
}
