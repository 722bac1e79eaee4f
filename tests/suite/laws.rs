//! Law 8: whatever happened to a tree and to the runs over it, one good run makes the database that a clean ingest of
//! the final tree makes. Laws 1 to 6 on every text that the generator and chance can think of.

use crate::audit::{assert_same, audit};
use crate::editing::Editor;
use crate::material;
use crate::search::assert_same_hits;
use crate::support::{Dice, Workshop, interrupt, kill, rounds, seed, start, timed, with_seed};
use std::fs;
use std::time::Duration;

const SMALL: &[&str] = &["--chunk-size", "64", "--chunk-overlap", "8", "--tokenizer", "cl100k_base"];

/// What a run in the middle of a history may be asked for. The last run asks for `SMALL` alone.
const WHIMS: &[&[&str]] = &[
    &[],
    &[],
    &["--threads", "1"],
    &["--threads", "8"],
    &["--isolation", "off"],
    &["--force-reprocess"],
    &["--chunk-size", "40", "--chunk-overlap", "0"],
    &["--chunk-size", "200", "--chunk-overlap", "60"],
    &["--tokenizer", "o200k_base"],
    &["--strategy", "paragraph"],
    &["--strategy", "recursive"],
    &["--dry-run"],
];

/// Settings that only the configuration has.
const MOODS: &[(&str, &str)] = &[
    ("PENSIEVE_CLEAN_MAX_BLANK_LINES", "0"),
    ("PENSIEVE_CLEAN_UNICODE", "nfc"),
    ("PENSIEVE_HTML_MARKDOWN", "false"),
    ("PENSIEVE_HTML_MAIN_CONTENT", "false"),
    ("PENSIEVE_SCAN_HIDDEN", "false"),
    ("PENSIEVE_SCAN_IGNORE_FILES", "false"),
    ("PENSIEVE_STORE_KEEP", "[\"clean\"]"),
    ("PENSIEVE_STORE_FTS", "false"),
    ("PENSIEVE_SCAN_MAX_FILE_SIZE", "400"),
];

/// A run in the middle of a history: good, killed or interrupted.
fn run_somehow(workshop: &Workshop, editor: &mut Editor, usual: Duration, dice: &mut Dice) {
    let whim = dice.pick(WHIMS);
    // A flag may be given once only.
    let usual_flags = SMALL.chunks(2).filter(|flag| !whim.contains(&flag[0])).flatten();
    let flags: Vec<&str> = usual_flags.chain(whim).copied().collect();
    let mut command = workshop.command(workshop.words(&flags));
    let mut told = format!("run {whim:?}");
    if dice.chance(35) {
        let (name, value) = dice.pick(MOODS);
        command.env(name, value);
        told.push_str(&format!(" {name}={value}"));
    }
    let fate = dice.below(100);
    let child = start(&mut command);
    let moment = usual.mul_f64(dice.below(1000) as f64 / 800.0);
    match fate {
        0..=49 => {
            let code = { child }.wait().unwrap().code();
            assert_eq!(code, Some(0), "{told} after {:#?}", editor.diary);
        }
        50..=79 => {
            std::thread::sleep(moment);
            kill(child);
            told.push_str(" killed");
        }
        _ => {
            std::thread::sleep(moment);
            let code = interrupt(child);
            // Before the program listens, the signal ends it as it ends any program.
            assert!(matches!(code, Some(0 | 130) | None), "interrupted: {code:?}");
            told.push_str(" interrupted");
        }
    }
    editor.diary.push(told);
    if fate < 80 && dice.chance(60) && !workshop.rows_if_any().is_empty() {
        let ran = workshop.run(["verify", "corpus.db"]);
        assert_eq!(ran.code, Some(0), "{ran:?} after {:#?}", editor.diary);
    }
}

impl Workshop {
    /// The names of the tables, where there is a database by now.
    fn rows_if_any(&self) -> Vec<String> {
        match self.database().exists() {
            true => self.rows("SELECT name FROM sqlite_master WHERE name = 'chunks'"),
            false => Vec::new(),
        }
    }
}

fn live_through(dice: &mut Dice, steps: usize) {
    let workshop = Workshop::new();
    let mut editor = Editor::new(workshop.tree());
    editor.furnish(dice, 12);
    let (_, usual) = timed(|| workshop.clean_fingerprint(SMALL));
    for _ in 0..steps {
        editor.step(dice);
        if dice.chance(35) {
            run_somehow(&workshop, &mut editor, usual, dice);
        }
    }
    let told = Diary(&editor.diary);
    workshop.ingest(SMALL);
    let clean = workshop.clean_fingerprint(SMALL);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    assert_eq!(workshop.fingerprint(), clean);
    assert_same_hits(&workshop, "corpus.db", "clean.db");
    workshop.verify();
    audit(&workshop.database());
    let again = workshop.ingest(SMALL);
    assert_eq!(
        (&again["new"], &again["changed"], &again["processed"]),
        (&0.into(), &0.into(), &0.into()),
        "{again}"
    );
    drop(told);
}

/// Tells the history of a case that failed.
struct Diary<'d>(&'d [String]);

impl Drop for Diary<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            crate::support::left_out(&format!("what follows this history: {:#?}", self.0));
        }
    }
}

fn law_8(part: u64) {
    for round in 0..rounds(6) as u64 {
        with_seed(seed() * 1000 + part * 100 + round, |dice| live_through(dice, 15));
    }
}

#[test]
fn any_history_ends_like_a_clean_ingest() {
    law_8(1);
}

#[test]
fn any_other_history_ends_like_a_clean_ingest() {
    law_8(2);
}

#[test]
fn laws_hold_for_texts_of_every_kind() {
    with_seed(seed(), |dice| {
        let workshop = Workshop::new();
        Editor::new(workshop.tree()).furnish(dice, 80);
        for flags in [SMALL, &["--chunk-size", "16", "--chunk-overlap", "7"], &["--strategy", "paragraph"]] {
            workshop.ingest(flags);
            workshop.verify();
            let seen = audit(&workshop.database());
            assert!(seen.files > 40 && seen.compared * 2 > seen.sources, "{seen:?}");
        }
    });
}

#[test]
fn laws_hold_for_bytes_that_mean_nothing() {
    with_seed(seed(), |dice| {
        let workshop = Workshop::new();
        for number in 0..rounds(150) {
            let extension =
                dice.pick(&["txt", "md", "csv", "html", "rs", "json", "xml", "bin", "rst", "srt"]);
            workshop.write(format!("{number}.{extension}"), material::noise(dice));
        }
        for size in ["16", "300"] {
            workshop.ingest(&["--chunk-size", size, "--chunk-overlap", "7"]);
            workshop.verify();
            audit(&workshop.database());
        }
        assert_eq!(
            workshop.fingerprint(),
            workshop.clean_fingerprint(&["--chunk-size", "300", "--chunk-overlap", "7"])
        );
    });
}

/// Bytes of `text` in ISO-8859-1.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(order).collect()
}

/// One text in many coats: nearly every citation is exact, and each exact one is read back here.
#[test]
fn citations_are_exact_in_every_encoding() {
    let workshop = Workshop::new();
    let mut dice = Dice::new(7);
    let german =
        "Über die Größe der Käse müssen wir später reden, für heute wäre es schön, früh zu schließen.\n\n";
    let odd = material::words(&mut dice, 400, 6).replace(". ", ".\n");
    workshop.write("plain.txt", material::prose(&mut dice).repeat(3));
    workshop.write("odd.txt", &odd);
    workshop.write("bom.txt", ["\u{feff}", &odd, "!"].concat());
    workshop.write("crlf.txt", odd.replace('\n', "\r\n"));
    workshop.write("cr.txt", odd.replace('\n', "\r"));
    workshop.write("little.txt", utf16(&odd, u16::to_le_bytes));
    workshop.write("big.txt", utf16(&odd, u16::to_be_bytes));
    workshop.write("latin.txt", latin1(&german.repeat(20)));
    workshop.write("latin-crlf.txt", latin1(&german.repeat(20).replace('\n', "\r\n")));
    workshop.ingest(&["--chunk-size", "32", "--chunk-overlap", "5"]);
    workshop.verify();
    let seen = audit(&workshop.database());
    assert_eq!(seen.files, 9);
    assert_eq!(seen.cited, seen.sources, "{seen:?}");
    assert_eq!(seen.compared, seen.exact, "{seen:?}");
    assert!(seen.exact as f64 >= 0.99 * seen.cited as f64, "{seen:?}");
    let encodings =
        workshop.rows("SELECT DISTINCT lower(encoding) FROM files WHERE file_type = 'file' ORDER BY 1");
    assert_eq!(encodings, ["utf-16-be", "utf-16-le", "utf-8", "windows-1252"]);
}

/// Locators tell the lines on which the citation lies.
#[test]
fn locators_name_the_lines_of_the_source() {
    let workshop = Workshop::new();
    let mut dice = Dice::new(11);
    let text = material::prose(&mut dice).repeat(4);
    workshop.write("a.txt", text.replace('\n', "\r\n"));
    workshop.ingest(SMALL);
    let source = fs::read(workshop.tree().join("a.txt")).unwrap();
    let query = "SELECT source_start, source_end, json_extract(locator, '$.line[0]'), json_extract(locator, '$.line[1]')
                 FROM chunk_sources ORDER BY 1";
    let places = workshop.rows(query);
    assert!(places.len() > 3);
    for place in places {
        let numbers: Vec<usize> = place.split('|').map(|number| number.parse().unwrap()).collect();
        let line = |at: usize| 1 + source[..at].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!((line(numbers[0]), line(numbers[1] - 1)), (numbers[2], numbers[3]), "{place}");
    }
}

/// Texts that are stored in several segments, with lines, characters and line ends on every side of the borders.
#[test]
fn laws_hold_across_the_segments_of_long_texts() {
    let workshop = Workshop::new();
    let mut dice = Dice::new(13);
    let mut prose = String::new();
    while prose.len() < 2_500_000 {
        prose.push_str(&material::prose(&mut dice));
    }
    workshop.write("prose.txt", &prose);
    workshop.write(
        "crlf.md",
        prose[..1_500_000 + (0..4).find(|&at| prose.is_char_boundary(1_500_000 + at)).unwrap()]
            .replace('\n', "\r\n"),
    );
    workshop.write("wide.txt", utf16(&prose[..prose.find("Ǆ").unwrap_or(9)].repeat(40), u16::to_be_bytes));
    workshop.write("line.txt", "日本語の長い一行。".repeat(90_000));
    workshop.write("word.txt", "x".repeat(1_300_000));
    workshop.ingest(&[]);
    assert_ne!(workshop.one("SELECT count(*) FROM texts WHERE segment > 1"), "0");
    workshop.verify();
    let seen = audit(&workshop.database());
    assert!(seen.files == 5 && seen.exact as f64 >= 0.99 * seen.cited as f64, "{seen:?}");
    // Most of a long text stays as it was when a sentence comes in at its top.
    let hashes =
        "SELECT content_hash FROM chunks JOIN chunk_sources USING(chunk_id) JOIN files USING(file_id)
                  WHERE relative_path = 'prose.txt'";
    let before: std::collections::BTreeSet<String> = workshop.rows(hashes).into_iter().collect();
    workshop.write("prose.txt", ["A sentence that was not there before. ", &prose].concat());
    workshop.ingest(&[]);
    let kept = workshop.rows(hashes).into_iter().filter(|hash| before.contains(hash)).count();
    assert!(kept * 10 >= before.len() * 9, "{kept} of {} chunks kept their hash", before.len());
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}
