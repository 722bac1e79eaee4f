//! What is a heading, what is none, and how much of the text below belongs to it.

use super::*;
use crate::blocks::blocks;

/// Checks the name and the rank of a heading that is above running text.
fn check(text: &str, expected: Option<(&str, u8)>) {
    let book = format!(
        "Some words before.\n\n\n\n\n{text}\n\nThe heron stood where it had always stood, and it rained on everybody\nalike, which is what rain does.\n"
    );
    let blocks = blocks(&book);
    let found = heading(&book, &blocks, 1).map(|heading| (heading.name(), heading.rank));
    assert_eq!(found.as_ref().map(|(name, rank)| (name.as_str(), *rank)), expected, "{text}");
}

#[test]
fn headings_are_told_by_their_conventions() {
    check("CHAPTER IV.", Some(("CHAPTER IV", 3)));
    check("Chapter 12: The Reeds", Some(("Chapter 12. The Reeds", 3)));
    check("CHAPTER I\n\nCAMELOT", Some(("CHAPTER I. CAMELOT", 3)));
    check("CHAPTER 1\n\nThe River and Its History", Some(("CHAPTER 1. The River and Its History", 3)));
    check("CHAPTER THE LAST", Some(("CHAPTER THE LAST", 3)));
    check("_Erstes Kapitel_", Some(("Erstes Kapitel", 3)));
    check("CHAPITRE PREMIER", Some(("CHAPITRE PREMIER", 3)));
    check("PART THE SECOND.--THE RAIN", Some(("PART THE SECOND. THE RAIN", 1)));
    check("ACT III. SCENE 1. The reeds.", Some(("ACT III. SCENE 1. The reeds", 2)));
    check("XIV", Some(("XIV", 4)));
    check("II.--THE RAIN", Some(("II. THE RAIN", 4)));
    check("II. Papa se fâche.", Some(("II. Papa se fâche", 4)));
    check("7", Some(("7", 4)));
    check("PREFACE", Some(("PREFACE", 3)));
    check("Préface.", Some(("Préface", 3)));
    check("THE\n\n_WAY OF THE HERON._", Some(("THE WAY OF THE HERON", 3)));
    check("THE STRANGER'S HISTORY", Some(("THE STRANGER'S HISTORY", 3)));
    check("The Perfect Heron", Some(("The Perfect Heron", 3)));
    check("Letter the first. To a Friend", Some(("Letter the first. To a Friend", 3)));
}

#[test]
fn running_text_is_no_heading() {
    check("Chapter two was the best of them.", None);
    check("Part of the river was grey.", None);
    check("\"TOM!\"", None);
    check("THE END", None);
    check("* * *", None);
    check("I never said so.", None);
    check("He went home, and nobody saw him there.", None);
    check("1898", None);
}

#[test]
fn what_stands_below_a_label_is_no_title_if_it_is_text() {
    check("CHAPTER I\n\n“TOM!”", Some(("CHAPTER I", 3)));
    check("CHAPTER XIV\n\n“DEFEND THEE, LORD”", Some(("CHAPTER XIV. “DEFEND THEE, LORD”", 3)));
    check("CHAPTER 3\n\nFrescoes from the Past", Some(("CHAPTER 3. Frescoes from the Past", 3)));
    check("FINAL P.S. BY M.T.", Some(("FINAL P.S. BY M.T.", 3)));
    check("CHAPTER I\n\nNo answer.", Some(("CHAPTER I", 3)));
    check("I\n\nANCESTRY AND EARLY YOUTH IN BOSTON", Some(("I. ANCESTRY AND EARLY YOUTH IN BOSTON", 4)));
}

/// Checks the heading that begins with the third block from the end, with `above` blank lines above it and `below` one.
/// The text may contain its own second block.
fn check_set(above: usize, text: &str, expected: Option<&str>) {
    let book =
        format!("Some words before.{}{text}\n\nThe heron stood there.\n\nIt rained.", "\n".repeat(above + 1));
    let found = heading(&book, &blocks(&book), 1).map(|heading| heading.name());
    assert_eq!(found.as_deref(), expected, "{above}: {text}");
}

/// `count` words.
fn words(count: usize, word: &str) -> String {
    vec![word; count].join(" ")
}

#[test]
fn a_heading_has_its_block_its_rank_and_its_key() {
    let check = |text: &str, expected: Heading| {
        let book = format!("Words.\n\n\n\n\n{text}\n\nThe heron stood there, and it rained.");
        assert_eq!(heading(&book, &blocks(&book), 1), Some(expected), "{text}");
    };
    let plain = Heading {
        block: 1,
        takes: 1,
        kind: HeadingKind::Named,
        rank: 3,
        key: None,
        label: String::new(),
        title: None,
    };
    let some = |title: &str| Some(title.to_owned());
    check("PREFACE", Heading { title: some("PREFACE"), ..plain.clone() });
    check("CONTENTS", Heading { kind: HeadingKind::List, title: some("CONTENTS"), ..plain.clone() });
    check("THE HERON", Heading { kind: HeadingKind::Titled, title: some("THE HERON"), ..plain.clone() });
    let numbered = Heading {
        kind: HeadingKind::Numbered,
        rank: 4,
        key: Some(("", 4)),
        label: "IV".to_owned(),
        ..plain.clone()
    };
    check("IV.", numbered.clone());
    check("IV.\n\nTHE RAIN", Heading { takes: 2, title: some("THE RAIN"), ..numbered });
    let labelled = Heading {
        kind: HeadingKind::Labelled,
        rank: 1,
        key: Some(("part", 2)),
        label: "PART II".to_owned(),
        ..plain
    };
    check("PART II:", labelled.clone());
    check(
        "PART II.\nThe Rain,\nand the Reeds.",
        Heading { title: some("The Rain, and the Reeds"), ..labelled.clone() },
    );
    check("PART II\n\nThe Rain", Heading { takes: 2, title: some("The Rain"), ..labelled });
}

#[test]
fn headings_have_at_most_forty_words_on_four_lines() {
    check_set(
        2,
        &format!("CHAPTER I. {}", words(38, "rain")),
        Some(&format!("CHAPTER I. {}", words(38, "rain"))),
    );
    check_set(2, &format!("CHAPTER I. {}", words(39, "rain")), None);
    check_set(2, "CHAPTER I\na\nb\nc", Some("CHAPTER I. a b c"));
    check_set(2, "CHAPTER I\na\nb\nc\nd", None);
    check_set(2, "[A] THE HERON STOOD", None);
    check_set(4, "* * *", None);
}

#[test]
fn a_number_is_a_heading_alone_or_with_a_title_that_is_set_off() {
    check_set(1, "XIV", Some("XIV"));
    check_set(1, "XIV)", Some("XIV"));
    check_set(1, "199", Some("199"));
    check_set(1, "200", None);
    check_set(1, "07", None);
    check_set(2, "II. Papa se fâche.", Some("II. Papa se fâche"));
    check_set(1, "II. Papa se fâche.", None);
    check_set(2, "II) Papa se fâche.", None);
    check_set(2, "II. Papa\nse fâche.", Some("II. Papa se fâche"));
    check_set(2, "II. Papa\nse\nfâche.", None);
    check_set(2, &format!("II. {}", words(13, "rain")), Some(&format!("II. {}", words(13, "rain"))));
    check_set(2, &format!("II. {}", words(14, "rain")), None);
    check_set(2, "II. Papa.....3", None);
}

#[test]
fn a_name_is_a_heading_in_capitals_or_below_two_blank_lines() {
    check_set(2, "Preface", Some("Preface"));
    check_set(1, "Preface", None);
    check_set(1, "PREFACE", Some("PREFACE"));
    check_set(1, "Contents", None);
    check_set(1, "CONTENTS", Some("CONTENTS"));
}

#[test]
fn a_title_in_capitals_is_short_and_below_two_blank_lines() {
    check_set(2, "THE HERON", Some("THE HERON"));
    check_set(1, "THE HERON", None);
    check_set(2, "THE\nOLD\nHERON", Some("THE OLD HERON"));
    check_set(2, "ON\nTHE\nOLD\nHERON", None);
    check_set(2, &words(12, "RAIN"), Some(&words(12, "RAIN")));
    check_set(2, &words(13, "RAIN"), None);
    check_set(2, "FOX", Some("FOX"));
    check_set(2, "OX", None);
    check_set(2, "THE HERON,", None);
    check_set(2, "THE HERON;", None);
    check_set(2, "THE HERON!", Some("THE HERON!"));
    check_set(2, "FINIS", None);
    check_set(2, "“HERON!”", None);
    check_set(2, "“THE HERON!”", Some("“THE HERON!”"));
    check_set(2, "HERON    REEDS    RAIN", None);
    let book = "Words.\n\n\nTHE HERON";
    assert_eq!(heading(book, &blocks(book), 1), None);
}

#[test]
fn a_title_in_small_letters_is_below_four_blank_lines() {
    check_set(4, "The Perfect Heron", Some("The Perfect Heron"));
    check_set(3, "The Perfect Heron", None);
    check_set(4, "The perfect heron", None);
    check_set(4, "The Perfect Heron.", None);
    check_set(4, "The Perfect Heron!", None);
}

#[test]
fn an_article_alone_begins_a_title() {
    check_set(2, "DER\n\nGRAUE REIHER", Some("DER GRAUE REIHER"));
    check_set(2, "THE\n\nIt rained on.", None);
}

#[test]
fn three_quarters_of_the_long_words_of_a_title_begin_with_a_capital() {
    let check = |text: &str, expected: bool| assert_eq!(is_title_case(text), expected, "{text}");
    check("The Rain Snow Wind reed", true);
    check("The Rain Snow reed", false);
    check("the Rain", false);
    check("12 Rain", true);
    check("A cat sat", true);
    check("A reed", false);
    check("“The” (Rain)", true);
    check("Rain from Over with Reeds", true);
    check("", false);
}

#[test]
fn a_quoted_title_is_more_than_an_exclamation() {
    let check = |text: &str, expected: bool| assert_eq!(is_quoted_title(text), expected, "{text}");
    check("“DEFEND THEE”", true);
    check("“TOM!”", false);
    check("“Defend Thee”", false);
    check("“DEFEND THEE", false);
}

#[test]
fn a_clean_title_has_no_marks_around_it_and_keeps_initials() {
    let check =
        |title: &str, expected: Option<&str>| assert_eq!(clean_title(title).as_deref(), expected, "{title}");
    check(" The  Reeds. ", Some("The Reeds"));
    check("_The Reeds_", Some("The Reeds"));
    check("The Reeds:", Some("The Reeds"));
    check("BY M.T.", Some("BY M.T."));
    check("BY M.T.,", Some("BY M.T."));
    check("BY M.", Some("BY M"));
    check("The M.T. Reeds.", Some("The M.T. Reeds"));
    check(".", None);
    check("", None);
}

/// Checks the title of a chapter with `gap` blank lines and `below` after its label.
fn check_below(gap: usize, below: &str, expected: Option<&str>) {
    let expected = expected.map_or("CHAPTER I".to_owned(), |title| format!("CHAPTER I. {title}"));
    check_set(2, &format!("CHAPTER I{}{below}", "\n".repeat(gap + 1)), Some(&expected));
}

#[test]
fn the_title_below_a_label_is_near_it_and_short() {
    check_below(1, "The Reeds and the Rain", Some("The Reeds and the Rain"));
    check_below(3, "The Reeds", Some("The Reeds"));
    check_below(4, "The Reeds", None);
    check_below(1, "THE\nOLD\nREEDS", Some("THE OLD REEDS"));
    check_below(1, "IN\nTHE\nOLD\nREEDS", None);
    check_below(1, &words(16, "RAIN"), Some(&words(16, "RAIN")));
    check_below(1, &words(17, "RAIN"), None);
}

#[test]
fn the_title_below_a_label_looks_like_a_title() {
    check_below(1, "the reeds", None);
    for end in [',', ';', ':', '!'] {
        check_below(1, &format!("The Reeds{end}"), None);
    }
    check_below(1, "The Reeds.", Some("The Reeds"));
    check_below(1, "the reeds.", None);
    check_below(1, "Reeds.", None);
    check_below(1, "No. Reeds.", None);
    check_below(1, "In The Old Reeds Of The Rain.", Some("In The Old Reeds Of The Rain"));
    check_below(1, "In The Old Reeds Of The Grey Heron.", Some("In The Old Reeds Of The Grey Heron"));
    check_below(1, "In The Old Reeds Of The Grey Old Heron.", None);
}

#[test]
fn what_is_no_title_below_a_label() {
    check_below(1, "CHAPTER II", None);
    check_below(1, "II.", None);
    check_below(1, "THE END", None);
    check_below(1, "“TOM!”", None);
    check_below(1, "[3] NOTE", None);
    check_below(1, "[Illustration]", None);
    check_below(1, "* * *", None);
    check_below(1, "HERON    REEDS    RAIN", None);
}
