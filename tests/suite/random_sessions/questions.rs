//! Random searches, packs, citations and questions with known answers.

use super::Session;
use crate::support::Dice;
use std::fs;

/// Most of them are words of the random files.
pub const WORDS: &[&str] = &[
    "lantern",
    "harbour",
    "tide",
    "keeper",
    "storm",
    "window",
    "salt",
    "rope",
    "evening",
    "stone",
    "ship",
    "signal",
    "ledger",
    "north",
    "quiet",
    "glass",
    "morning",
    "letters",
    "bell",
    "winter",
    "dawn",
    "lamp",
    "oil",
    "the",
    "of",
    "日本語",
    "final",
    "naïve",
    "rope_1",
    "keepers",
    "nothing-of-this",
];

/// The first letters of a word.
fn start(word: &str, letters: usize) -> String {
    word.chars().take(letters).collect()
}

/// A query in the language of `search`.
pub fn query(dice: &mut Dice) -> String {
    let word = |dice: &mut Dice| dice.pick(WORDS);
    match dice.below(14) {
        0 => format!("\"{} {}\"", word(dice), word(dice)),
        1 => format!("{} OR {}", word(dice), word(dice)),
        2 => format!("{} NOT {}", word(dice), word(dice)),
        3 => format!("{}*", start(word(dice), 3)),
        4 => format!("{} NEAR/{} {}", word(dice), 1 + dice.below(9), word(dice)),
        5 => format!("({} OR {}) {}", word(dice), word(dice), word(dice)),
        6 => format!("heading:part {}", word(dice)),
        7 => format!(
            "path:{} {}",
            dice.pick(&["*.md", "log", "!log", "*.txt", "/letters and notes"]),
            word(dice)
        ),
        8 => format!("format:{}", dice.pick(&["markdown", "text", "eml", "csv", "pdf"])),
        9 => format!("where does the {} of the {} stand in the {}?", word(dice), word(dice), word(dice)),
        10 => format!("^{}", word(dice)),
        11 => format!(
            "{} {}",
            start(word(dice), 2),
            dice.pick(&["AND", "\"", "(", "NEAR/2", "--", "content:", "a:b"])
        ),
        _ => (0..1 + dice.below(4)).map(|_| word(dice)).collect::<Vec<_>>().join(" "),
    }
}

/// Adds a flag, with one of its values, so many times in a hundred.
pub fn maybe(words: &mut Vec<String>, dice: &mut Dice, percent: usize, flag: &str, values: &[&str]) {
    if dice.chance(percent) {
        words.push(flag.to_owned());
        if !values.is_empty() {
            words.push(dice.pick(values).to_owned());
        }
    }
}

/// Searches, packs and citations.
pub fn ask(session: &mut Session, dice: &mut Dice) {
    for _ in 0..12 {
        let mut words = vec!["search".to_owned(), "corpus.db".to_owned(), query(dice)];
        maybe(&mut words, dice, 30, "--limit", &["1", "2", "3", "50"]);
        maybe(&mut words, dice, 15, "--offset", &["1", "4"]);
        maybe(&mut words, dice, 25, "--match", &["all", "any", "auto"]);
        maybe(&mut words, dice, 25, "--context", &["1", "2"]);
        maybe(&mut words, dice, 35, "--expand", &["section", "page", "neighbours"]);
        maybe(&mut words, dice, 15, "--path", &["*.txt", "log/**", "!log", "moved"]);
        maybe(&mut words, dice, 10, "--format", &["markdown", "eml", "txt", "nothing"]);
        maybe(&mut words, dice, 50, "--json", &[]);
        session.run(&words);
    }
    for _ in 0..6 {
        let mut words = vec!["pack".to_owned(), "corpus.db".to_owned(), query(dice)];
        maybe(&mut words, dice, 75, "--budget", &["40", "120", "300", "800", "2000"]);
        maybe(&mut words, dice, 60, "--format", &["json", "xml", "markdown"]);
        maybe(&mut words, dice, 25, "--max-per-document", &["1", "2"]);
        maybe(&mut words, dice, 15, "--tokenizer", &["o200k_base", "r50k_base"]);
        maybe(&mut words, dice, 15, "--path", &["*.txt", "log/**"]);
        let packed = session.run(&words);
        if dice.chance(60) {
            let flags: &[&str] = dice.pick(&[&[][..], &["--json"]]);
            session.run_with(&[&["cite", "corpus.db", "-"], flags].concat(), &packed);
        }
    }
    let answers = session.place.rows(
        "SELECT f.relative_path || '|' || replace(c.content, char(10), ' ') FROM chunks c JOIN chunk_sources s USING(chunk_id)
         JOIN files f USING(file_id) ORDER BY 1",
    );
    let questions: String = (0..8).map(|number| question(dice, number, &answers)).collect();
    fs::write(session.place.path("q.jsonl"), questions).unwrap();
    session.run(&["eval", "corpus.db", "q.jsonl", "--each", "--limit", "1,3"]);
}

/// A question with words of a chunk, or bytes of a file, as its answer.
fn question(dice: &mut Dice, number: usize, answers: &[String]) -> String {
    let answer = |dice: &mut Dice| {
        let (path, content) =
            dice.pick(answers).split_once('|').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let words: Vec<&str> =
            content.split_whitespace().skip(dice.below(8)).take(1 + dice.below(5)).collect();
        match words.is_empty() || dice.chance(30) {
            true => serde_json::json!({"path": path, "start": dice.below(60), "end": 60 + dice.below(90)}),
            false => serde_json::json!({"path": path, "text": words.join(" ")}),
        }
    };
    let mut line = match dice.below(4) {
        0 => serde_json::json!({"expected": [answer(dice), answer(dice)]}),
        1 => serde_json::json!({"alternatives": [[answer(dice)], [answer(dice), answer(dice)]]}),
        _ => answer(dice),
    };
    line["id"] = format!("q{number}").into();
    line["question"] = query(dice).into();
    line["kind"] = dice.pick(&["a", "b"]).into();
    format!("{line}\n")
}
