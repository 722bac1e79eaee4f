//! Invented mini-books of every kind (`tests/gutenberg`): what is left of each, and the names of its sections.

use crate::blocks::blocks;
use crate::book::Book;
use crate::manifest::PassageRules;
use crate::names::names;
use crate::sections::{SectionKind, sections};

/// Checks the first and the last line of the book, and the names of the sections that contain text.
fn check(raw: &[u8], encoding: &str, ends: (&str, &str), expected: &[&str]) {
    let book = Book::of(raw, &PassageRules::default());
    let lines: Vec<&str> =
        book.text().lines().filter(|line| !line.trim().is_empty()).map(str::trim).collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ends);
    // Text that declares itself as ASCII is decoded as windows-1252, as browsers do.
    assert_eq!(book.encoding.name(), encoding);
    assert!(!book.text().contains("Gutenberg") && !book.text().contains(['\r', '\u{fffd}']));
    let blocks = blocks(book.text());
    let found = sections(book.text(), &blocks, "The Book");
    assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].first), "{found:?}");
    let texts = found.into_iter().filter(|section| section.kind == SectionKind::Text);
    assert_eq!(texts.map(|section| section.name).collect::<Vec<_>>(), expected);
}

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("../tests/gutenberg/", $name))
    };
}

#[test]
fn a_text_of_the_nineties() {
    check(
        fixture!("small-print.txt"),
        "utf-8",
        ("THE MILLER'S UMBRELLA", "THE END"),
        &["CHAPTER I. OF RAIN", "CHAPTER II. OF WIND", "CONCLUSION"],
    );
}

#[test]
fn a_german_text_in_latin_1() {
    check(
        fixture!("german.txt"),
        "windows-1252",
        ("Der Reiher am Wehr", "Ende"),
        &["Vorwort", "Erstes Kapitel", "Zweites Kapitel"],
    );
}

#[test]
fn a_french_text_with_its_contents_at_the_end() {
    check(
        fixture!("french.txt"),
        "utf-8",
        ("LE HÉRON DU MOULIN", "CHAPITRE PREMIER. Le parapluie   21"),
        &[
            "LIVRE PREMIER. LA PLUIE, CHAPITRE PREMIER. LE MEUNIER",
            "LIVRE PREMIER. LA PLUIE, CHAPITRE II. LE CURÉ",
            "LIVRE II. LE VENT, CHAPITRE PREMIER. LE PARAPLUIE",
        ],
    );
}

#[test]
fn a_play() {
    check(
        fixture!("play.txt"),
        "utf-8",
        ("THE UMBRELLA", "[They laugh, and it begins to rain. Curtain.]"),
        &[
            "DRAMATIS PERSONAE",
            "ACT I, SCENE I. The lane before the mill",
            "ACT I, SCENE II. The dairy",
            "ACT II, SCENE I. The same lane, after the wind",
        ],
    );
}

#[test]
fn a_poem_without_footer() {
    check(
        fixture!("verse.txt"),
        "windows-1252",
        ("THE HERON", "Of gates to call his own."),
        &["CANTO I. THE RAIN", "CANTO THE SECOND. THE WIND"],
    );
}

#[test]
fn letters_and_a_diary() {
    check(
        fixture!("letters.txt"),
        "windows-1252",
        ("LETTERS FROM A MILL", "[1] The paper is not preserved."),
        &["LETTER I", "LETTER II", "THE MILLER'S DIARY"],
    );
}

#[test]
fn a_text_without_any_marker() {
    check(fixture!("bare.txt"), "utf-8", ("THE GOOSE AT THE SEA", "supper."), &["I", "II", "III"]);
    let text = String::from_utf8_lossy(fixture!("bare.txt"));
    assert_eq!(names(&text), ["Mrs. Oakes"]);
}
