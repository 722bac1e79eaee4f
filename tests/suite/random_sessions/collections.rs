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
    let words = ["collect", "m.toml", "--out", "data", "--source", "texts", "--progress", "off", "--json"];
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

const ROMAN: &[&str] = &["I", "II", "III", "IV", "V", "VI", "IX", "X", "XIV", "XL", "IIII", "VX"];
const ORDINALS: &[&str] = &["First", "Second", "Third", "Fourth", "Fifth", "Last"];
const TITLES: &[&str] = &[
    "OF THE NIGHT",
    "The Keeper and the Bell",
    "In which it rains.",
    "\"THE STORM\"",
    "A winter",
    "THE",
    "_The Tide_",
    "M.T.",
    "THE LAMP: A TALE",
    "of small things",
    "TO A FRIEND",
    "The Rain came over the Bar, and nobody was There at All",
];

/// A heading of the style of a book, or now and then of another.
fn heading(dice: &mut Dice, style: usize, number: usize) -> String {
    let style = if dice.chance(15) { dice.below(14) } else { style };
    let roman = ROMAN[(number - 1) % ROMAN.len()];
    let title = dice.pick(TITLES);
    match style {
        0 => format!("CHAPTER {number}"),
        1 => format!("CHAPTER {roman}. {title}"),
        2 => roman.to_owned(),
        3 => format!("LETTER {number}.\n\n{title}"),
        4 => format!("The {} Night", ORDINALS[(number - 1) % ORDINALS.len()]),
        5 => format!("BOOK {number}\n\nCHAPTER I"),
        6 => format!("{roman}.\n{title}"),
        7 => format!("{number}. {title}"),
        8 => title.to_owned(),
        9 => format!("CHAPTER THE {}\n\n{title}", ORDINALS[(number - 1) % ORDINALS.len()].to_uppercase()),
        10 => format!("PART {roman}.--{title}"),
        11 => dice
            .pick(&["PREFACE", "INTRODUCTION", "NOTES", "THE END", "Epilogue", "INDEX", "CONTENTS", "FINIS"])
            .to_owned(),
        12 => format!("KAPITEL {number}\n\n{title}"),
        _ => format!("[{number}]"),
    }
}

/// What stands between the paragraphs of old books.
fn interlude(dice: &mut Dice) -> String {
    let words = words(dice, 4, 0);
    let verse: String = (0..1 + dice.below(5))
        .map(|_| {
            format!(
                "{}{}\n",
                dice.pick(&["  ", "    ", "      ", ""]),
                dice.pick(&[
                    "The rain came down,",
                    "and no one laughed",
                    "The bell was drowned.",
                    "For miles,"
                ])
            )
        })
        .collect();
    match dice.below(22) {
        0 => "[Illustration: The keeper\nin the rain]".to_owned(),
        1 => "[Illustration]".to_owned(),
        2 => "     *     *     *     *     *".to_owned(),
        3 => "[Footnote 3: A storm of that year.]".to_owned(),
        4..=6 => verse.trim_end().to_owned(),
        7 => "[Pg 12]".to_owned(),
        8 => dice.pick(&["MY DEAR SIR,--", "Dear Anna,", "Gentlemen:", "Dear me."]).to_owned(),
        9 => dice.pick(&["Yours truly,\n\nOLD TOM", "Respectfully, A. O.", "P.S. It rains."]).to_owned(),
        10 => dice.pick(&["_Monday, May 3._", "12 Dec. 1801", "(Sunday) nothing", "Friday"]).to_owned(),
        11 => {
            dice.pick(&["THE STORM IS OVER", "LAUGH!", "NO RAIN TO-DAY:", "'T IS WINTER", "A B"]).to_owned()
        }
        12 => format!("MARTIN. {words}\nIt will rain.\n\nANNA (laughs). {words}"),
        13 => format!(
            "Rain      {}    12\nStorms    {}     3\nBells     4    {}",
            dice.below(90),
            dice.below(90),
            dice.below(90)
        ),
        14 => format!("{words}--"),
        15 => format!("and {words}, which was the storm;"),
        16 => format!("\"{words}"),
        17 => format!("{}", dice.below(2000)),
        18 => format!("{words} \u{fffd}\u{fffd} {words}"),
        19 => format!("[Transcriber's note: {words}]"),
        20 => format!("* {words}\n  {words}"),
        _ => format!("    {words}\n\n    {words}"),
    }
}

fn blank_lines(dice: &mut Dice) -> &'static str {
    dice.pick(&["\n", "\n\n", "\n\n", "\n\n", "\n\n\n", "\n\n\n\n", "\n\n\n\n\n"])
}

/// A text with header, chapters and licence.
fn work(dice: &mut Dice, id: usize) -> String {
    let title = format!("NIGHTS OF {}", id - 900);
    let mut text = format!(
        "The Project Gutenberg eBook of Nights of {0}\n\nTitle: Nights of {0}\n\nAuthor: Ann Onym\n\n\
         Release date: May 1, 2001 [eBook #{id}]\n\nLanguage: English\n\n*** START OF THE PROJECT GUTENBERG EBOOK {title} ***\n\n\n\n{title}\n\n\n",
        id - 900
    );
    let (chapters, style) = (1 + dice.below(6), dice.below(14));
    if dice.chance(50) {
        text.push_str(dice.pick(&["CONTENTS\n\n", "TABLE OF CONTENTS.\n\n", "Contents\n\n\n"]));
        for number in 1..=chapters {
            let _ = writeln!(text, " {}  {}", heading(dice, style, number).replace('\n', " "), number * 9);
        }
        text.push_str("\n\n\n");
    }
    for number in 1..=chapters {
        // A number may be wrong, or begin again.
        let number = if dice.chance(12) { 1 + dice.below(6) } else { number };
        let _ = write!(text, "{}\n{}{}", blank_lines(dice), heading(dice, style, number), blank_lines(dice));
        for _ in 0..1 + dice.below(8) {
            let long = if dice.chance(6) { 40 } else { 6 };
            let paragraph: Vec<String> = (0..1 + dice.below(long)).map(|_| sentence(dice)).collect();
            let indent = if dice.chance(15) { "  " } else { "" };
            let _ = write!(text, "{indent}{}{}", wrapped(&paragraph.join(" ")), blank_lines(dice));
            if dice.chance(30) {
                let _ = write!(text, "{}{}", interlude(dice), blank_lines(dice));
            }
        }
    }
    let _ = write!(text, "\n\n\n*** END OF THE PROJECT GUTENBERG EBOOK {title} ***\n\nSmall print.\n");
    text
}
