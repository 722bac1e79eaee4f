//! Random works of Project Gutenberg and random manifests.

use super::Session;
use crate::material::words;
use crate::support::Dice;
use std::fmt::Write;
use std::fs;

/// A session of a collection.
pub fn play(session: &mut Session, dice: &mut Dice) {
    fs::create_dir(session.place.path("texts")).unwrap();
    let mut works = String::new();
    for number in 0..1 + dice.below(3) {
        let id = 900 + number;
        let text = work(dice, id);
        let text = if dice.chance(40) { text.replace('\n', "\r\n") } else { text };
        fs::write(session.place.path(format!("texts/pg{id}.txt")), text).unwrap();
        let _ = write!(
            works,
            "\n[[works]]\nauthor = \"Ann {0}\"\nauthor_id = \"{1}\"\ntitle = \"Nights of {number}\"\nslug = \"nights_{number}\"\n\
             gutenberg_id = {id}\npublication_year = {2}\ngenre_tags = [\"fiction\"]\n",
            dice.pick(&["Onym", "Other"]),
            dice.pick(&["onym", "other"]),
            1890 + number
        );
    }
    fs::write(session.place.path("m.toml"), format!("{}{works}", manifest(dice))).unwrap();
    let dry: &[&str] = if dice.chance(20) { &["--dry-run"] } else { &[] };
    let words = ["collect", "m.toml", "--out", "data", "--source", "texts", "--progress", "off"];
    session.run(&[&words[..], dry].concat());
    session.files("data/processed");
}

fn manifest(dice: &mut Dice) -> String {
    let (least, most) = (20 + dice.below(40), 80 + dice.below(90));
    let mut text = format!(
        "[collection]\nname = \"nights\"\nextraction_date = \"2026-02-03\"\n\n[rules]\nwords = [{least}, {most}]\n\
         bounds = [{}, {}]\nmin_score = {}.0\nsteps = [3.0, 2.0]\nmax_overlap = 0.{}\n",
        least - dice.below(10),
        most + dice.below(60),
        4 + dice.below(5),
        1 + dice.below(6)
    );
    for line in [
        "italics = \"drop\"",
        "illustrations = \"keep\"",
        "notes = \"keep\"",
        "unwrap = true",
        "target = [3, 6]",
    ] {
        if dice.chance(40) {
            let _ = writeln!(text, "{line}");
        }
    }
    text.push_str("\n[keywords.weather]\nwords = [\"storm\", \"rain\", \"winter\", \"tide\"]\n");
    if dice.chance(50) {
        text.push_str("except = [\"winter quarters\", \"the storm window\"]\n");
    }
    if dice.chance(50) {
        text.push_str("senses = { tide = { after = [\"the\", \"high\"], not_near = [\"bell\"], within = 6 }, storm = { not_before = [\"window\"] } }\n");
    }
    text.push_str("\n[keywords.humor]\nwords = [\"joke\", \"laugh\", \"laughed\"]\nauthors = { onym = [\"herrings\"] }\n");
    if dice.chance(50) {
        text.push_str("\n[voices]\nonym = [\"ledger\", \"bell\"]\n");
    }
    text
}

const MARKED: &[&str] = &[
    "storm",
    "rain",
    "the tide",
    "winter quarters",
    "the storm window",
    "joke",
    "laughed",
    "herrings",
    "high tide",
    "_winter_",
    "=laugh=",
    "rain[3]",
    "[Footnote 3: of rain]",
];

/// A sentence with or without a keyword.
fn sentence(dice: &mut Dice) -> String {
    let (count, rest) = (4 + dice.below(9), 2 + dice.below(6));
    let (before, after) = (words(dice, count, 0).replace('.', ""), words(dice, rest, 0).replace('.', ""));
    let marked = if dice.chance(35) { dice.pick(MARKED) } else { "it" };
    let name = dice.pick(&["Martin", "Mrs. Pell", "Old Tom", "the keeper", "Captain Ash", "he", "Anna"]);
    match dice.below(4) {
        0 => format!("\"{before} {marked},\" said {name}, \"{after}.\""),
        1 => format!("\u{201c}{before} {marked} {after}!\u{201d} {name} went on."),
        2 => format!("{name} saw {before} {marked} {after}; then --- {after}."),
        _ => format!("The {before}, {marked} {after}."),
    }
}

/// Lines of at most 70 letters.
fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        if width > 0 && width + word.len() > 70 {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += word.len();
    }
    lines
}

/// A text with header, chapters and licence.
fn work(dice: &mut Dice, id: usize) -> String {
    let title = format!("NIGHTS OF {}", id - 900);
    let mut text = format!(
        "The Project Gutenberg eBook of Nights of {0}\n\nTitle: Nights of {0}\n\nAuthor: Ann Onym\n\n\
         Release date: May 1, 2001 [eBook #{id}]\n\nLanguage: English\n\n*** START OF THE PROJECT GUTENBERG EBOOK {title} ***\n\n\n\n{title}\n\n\n",
        id - 900
    );
    let chapters = 1 + dice.below(5);
    let style = dice.below(6);
    let heading = |number: usize| match style {
        0 => format!("CHAPTER {number}"),
        1 => format!("CHAPTER {}. OF THE NIGHT", ["I", "II", "III", "IV", "V"][number - 1]),
        2 => ["I", "II", "III", "IV", "V"][number - 1].to_owned(),
        3 => format!("LETTER {number}.\n\nTO A FRIEND."),
        4 => format!("The {} Night", ["First", "Second", "Third", "Fourth", "Fifth"][number - 1]),
        _ => format!("BOOK {number}\n\nCHAPTER I"),
    };
    if dice.chance(50) {
        text.push_str("CONTENTS\n\n");
        for number in 1..=chapters {
            let _ = writeln!(text, " {}  {}", heading(number).replace('\n', " "), number * 9);
        }
        text.push_str("\n\n\n");
    }
    for number in 1..=chapters {
        let _ = write!(text, "\n\n\n{}\n\n\n", heading(number));
        for _ in 0..2 + dice.below(7) {
            let paragraph: Vec<String> = (0..1 + dice.below(6)).map(|_| sentence(dice)).collect();
            let _ = write!(text, "{}\n\n", wrapped(&paragraph.join(" ")));
            match dice.below(12) {
                0 => text.push_str("[Illustration: The keeper\nin the rain]\n\n"),
                1 => text.push_str("     *     *     *     *     *\n\n"),
                2 => text.push_str("[Footnote 3: A storm of that year.]\n\n"),
                3 => text.push_str("    The rain came down,\n      The bell was drowned,\n    And no one laughed\n      For miles around.\n\n"),
                4 => text.push_str("[Pg 12]\n\n"),
                _ => {}
            }
        }
    }
    let _ = write!(text, "\n\n\n*** END OF THE PROJECT GUTENBERG EBOOK {title} ***\n\nSmall print.\n");
    text
}
