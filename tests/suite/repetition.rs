//! The ledger of repetition: after any history it is that of a clean run, and it says what a comparison of everything with
//! everything says.

use crate::support::{Dice, Workshop, kill, open, rounds, rows, seed, start, with_seed};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Words of the shortest run in these tests: short texts have many.
const RUN: usize = 15;

/// Lines at each end of a text that may be boilerplate.
const EDGE_LINES: usize = 16;

/// Documents with a line that is boilerplate in these tests.
const MANY: usize = 3;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    let file = format!("[repetition]\nenabled = true\nwords = {RUN}\nboilerplate = {MANY}\n");
    std::fs::write(workshop.path("ledger.toml"), file).unwrap();
    workshop
}

const CONFIG: [&str; 4] = ["--config", "ledger.toml", "--allow-mass-deletion", "-q"];

/// What the ledger says, without ids.
fn ledger(database: &Path) -> Vec<String> {
    let connection = open(database);
    let queries = [
        "SELECT f.relative_path || ' ' || start_index || '-' || end_index || ' ' || o.relative_path || ' ' || of_start || '-' || of_end
         FROM repeats r JOIN files f USING(file_id) JOIN files o ON o.file_id = r.of_file_id ORDER BY 1",
        "SELECT f.relative_path || ' ' || o.relative_path || ' ' || jaccard || ' ' || containment
         FROM near_documents r JOIN files f USING(file_id) JOIN files o ON o.file_id = r.of_file_id ORDER BY 1",
        "SELECT f.relative_path || ' ' || start_index || '-' || end_index || ' ' || o.relative_path || ' ' || of_start || '-' || of_end
         FROM quotes r JOIN files f USING(file_id) JOIN files o ON o.file_id = r.of_file_id ORDER BY 1",
        "SELECT relative_path || ' ' || start_index || '-' || end_index || ' ' || b.hash
         FROM boilerplate b JOIN files USING(file_id) ORDER BY 1",
        "SELECT f.relative_path || ' ' || hex(keys) || ' ' || coalesce(hex(signature), '') || ' ' || hex(lines)
         FROM sketches s LEFT JOIN files f USING(file_id) ORDER BY 1",
        "SELECT value FROM meta WHERE key LIKE 'repetition%' ORDER BY key",
    ];
    let known = known_runs(&connection);
    queries.iter().flat_map(|query| rows(&connection, query)).chain(known).collect()
}

/// What updates keep of the runs of each document, without ids.
fn known_runs(connection: &Connection) -> Vec<String> {
    let names = rows(connection, "SELECT file_id || ' ' || relative_path FROM files");
    let names: BTreeMap<&str, &str> = names.iter().filter_map(|row| row.split_once(' ')).collect();
    let sql = "SELECT relative_path, matched FROM sketches JOIN files USING(file_id) ORDER BY 1";
    let mut statement = connection.prepare(sql).unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?));
    let documents = statement.query_map([], row).unwrap().map(Result::unwrap);
    documents
        .map(|(name, matched)| {
            // The last group of seven bits of a number has no eighth bit.
            let numbers = matched.split_inclusive(|byte| byte & 0x80 == 0);
            let number =
                |group: &[u8]| group.iter().rev().fold(0_u64, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
            let numbers: Vec<String> = numbers.map(|group| number(group).to_string()).collect();
            let runs = numbers
                .chunks(4)
                .map(|runs| format!("{}+{} {} {}", runs[0], runs[1], names[&runs[2][..]], runs[3]));
            format!("{name}: {}", runs.collect::<Vec<_>>().join(", "))
        })
        .collect()
}

/// Someone who writes texts of passages that return.
struct Author {
    passages: Vec<Vec<String>>,
    kinds: usize,
}

impl Author {
    fn new(dice: &mut Dice) -> Author {
        let kinds = dice.pick(&[2, 5, 1000]);
        let words = |dice: &mut Dice| {
            let count = 5 + dice.below(55);
            (0..count).map(|_| format!("w{}", dice.below(kinds))).collect()
        };
        Author { passages: (0..8).map(|_| words(dice)).collect(), kinds }
    }

    fn text(&self, dice: &mut Dice) -> Vec<String> {
        let mut words = Vec::new();
        for _ in 0..dice.below(6) {
            match dice.chance(70) {
                true => words.extend(dice.pick(&self.passages)),
                false => words.extend((0..dice.below(30)).map(|_| format!("w{}", dice.below(self.kinds)))),
            }
        }
        words
    }

    /// Does one thing to the tree.
    fn step(&self, workshop: &Workshop, dice: &mut Dice) {
        let names: Vec<String> =
            (0..12).map(|at| format!("{}{at}.txt", ["b", "a", "z", "c"][at % 4])).collect();
        let mut here: Vec<String> = std::fs::read_dir(workshop.tree())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        here.sort();
        let other = dice.pick(&names);
        if here.is_empty() || dice.chance(20) {
            return write(workshop, &other, &self.text(dice));
        }
        let name = dice.pick(&here);
        let mut words = read(workshop, &name);
        match dice.below(5) {
            0 => return workshop.remove(&name),
            1 => return workshop.rename(&name, &other),
            2 => {
                let at = dice.below(words.len() + 1);
                words.insert(at, format!("w{}", dice.below(self.kinds)));
            }
            3 => {
                let from = read(workshop, &dice.pick(&here));
                let at = dice.below(from.len() + 1);
                words.extend(from.into_iter().skip(at).take(40));
            }
            _ => return write(workshop, &other, &words),
        }
        write(workshop, &name, &words);
    }
}

fn write(workshop: &Workshop, name: &str, words: &[String]) {
    let lines: Vec<String> = words.chunks(9).map(|line| line.join(" ")).collect();
    workshop.write(name, lines.join("\n"));
}

fn read(workshop: &Workshop, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(workshop.tree().join(name)).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn after_any_history_the_ledger_is_that_of_a_clean_run() {
    for round in 0..rounds(12) {
        with_seed(seed() * 1000 + round as u64, |dice| {
            let workshop = workshop();
            let author = Author::new(dice);
            std::fs::create_dir_all(workshop.tree()).unwrap();
            (0..3 + dice.below(8)).for_each(|_| author.step(&workshop, dice));
            workshop.ingest(&CONFIG);
            for _ in 0..1 + dice.below(6) {
                (0..1 + dice.below(3)).for_each(|_| author.step(&workshop, dice));
                if dice.chance(40) {
                    let words = workshop.words(&CONFIG);
                    let child = start(&mut workshop.command(words));
                    sleep(Duration::from_millis(dice.below(80) as u64));
                    kill(child);
                }
                if dice.chance(80) {
                    workshop.ingest(&CONFIG);
                }
            }
            workshop.ingest(&CONFIG);
            check_clean_run(&workshop);
            check_words(&workshop);
            check_lines(&workshop);
        });
    }
}

/// A document lists the first of those that it is nearly equal to, and is compared with the first of those that may be:
/// when they go others take their places.
#[test]
fn of_a_family_that_is_larger_than_the_list_the_first_are_listed() {
    let workshop = workshop();
    let name = |number: usize| format!("{number:03}.txt");
    let text = |number: usize, edition: usize| -> Vec<String> {
        let word = |at: usize| match at {
            60 => format!("number{number}edition{edition}"),
            _ => format!("word{at}"),
        };
        (0..120).map(word).collect()
    };
    (0..300).for_each(|number| write(&workshop, &name(number), &text(number, 0)));
    workshop.ingest(&CONFIG);
    let most =
        "SELECT max(listed) || '' FROM (SELECT count(*) AS listed FROM near_documents GROUP BY file_id)";
    assert_eq!(rows(&open(&workshop.database()), most), ["256"]);
    (0..60).step_by(2).for_each(|number| std::fs::remove_file(workshop.tree().join(name(number))).unwrap());
    (1..300).step_by(40).for_each(|number| write(&workshop, &name(number), &text(number, 1)));
    workshop.ingest(&CONFIG);
    check_clean_run(&workshop);
    (10..290).for_each(|number| _ = std::fs::remove_file(workshop.tree().join(name(number))));
    workshop.ingest(&CONFIG);
    check_clean_run(&workshop);
}

/// Fails if the ledger is not that of one run over the tree as it is.
#[track_caller]
fn check_clean_run(workshop: &Workshop) {
    let _ = std::fs::remove_file(workshop.path("clean.db"));
    let tree = workshop.tree().display().to_string();
    workshop.run(["ingest", &tree, "clean.db"].into_iter().chain(CONFIG)).expect(0);
    assert_eq!(ledger(&workshop.database()), ledger(&workshop.path("clean.db")));
}

/// The words that repeats cover are those inside a run that an earlier text has.
fn check_words(workshop: &Workshop) {
    let connection = open(&workshop.database());
    let query =
        "SELECT relative_path FROM files WHERE is_canonical AND processing_status = 'Processed' ORDER BY 1";
    let mut earlier: BTreeSet<Vec<String>> = BTreeSet::new();
    for name in rows(&connection, query) {
        let words = read(workshop, &name);
        let runs: Vec<Vec<String>> = words.windows(RUN).map(<[String]>::to_vec).collect();
        let known = (0..runs.len()).filter(|at| earlier.contains(&runs[*at]));
        let expected: BTreeSet<usize> = known.flat_map(|at| at..at + RUN).collect();
        let mut ends = BTreeMap::new();
        let mut at = 0;
        for (number, word) in words.iter().enumerate() {
            ends.insert(number, (at, at + word.len()));
            at += word.len() + 1;
        }
        let query = format!(
            "SELECT start_index || ' ' || end_index FROM repeats JOIN files USING(file_id) WHERE relative_path = '{name}'"
        );
        let spans: Vec<(usize, usize)> = rows(&connection, &query)
            .iter()
            .map(|row| {
                row.split_once(' ')
                    .map(|(start, end)| (start.parse().unwrap(), end.parse().unwrap()))
                    .unwrap()
            })
            .collect();
        let is_inside =
            |(start, end): &(usize, usize)| spans.iter().any(|span| span.0 <= *start && *end <= span.1);
        let covered: BTreeSet<usize> =
            ends.iter().filter(|(_, word)| is_inside(word)).map(|(number, _)| *number).collect();
        assert_eq!(covered, expected, "{name}");
        earlier.extend(runs);
    }
}

/// Bytes of a line, and its words where it may be boilerplate.
type Line = (usize, usize, Vec<String>);

/// The words that boilerplate covers are those of lines at the ends that enough documents have there, in blocks of eight words.
fn check_lines(workshop: &Workshop) {
    let connection = open(&workshop.database());
    let query = "SELECT relative_path FROM files WHERE is_canonical AND processing_status = 'Processed'";
    let edges = |name: &String| -> (String, Vec<Line>) {
        let text = std::fs::read_to_string(workshop.tree().join(name)).unwrap();
        let (mut at, mut lines) = (0, Vec::new());
        for line in text.lines() {
            lines.push((at, at + line.len(), line.split_whitespace().map(str::to_owned).collect()));
            at += line.len() + 1;
        }
        // Lines in the middle are none of the ends.
        if lines.len() > 2 * EDGE_LINES {
            lines.drain(EDGE_LINES..lines.len() - EDGE_LINES);
        }
        (name.clone(), lines)
    };
    let documents: Vec<(String, Vec<Line>)> = rows(&connection, query).iter().map(edges).collect();
    let mut counts: BTreeMap<&[String], usize> = BTreeMap::new();
    for (_, lines) in &documents {
        let own: BTreeSet<&[String]> =
            lines.iter().map(|line| &line.2[..]).filter(|words| words.len() >= 3).collect();
        own.into_iter().for_each(|words| *counts.entry(words).or_default() += 1);
    }
    for (name, lines) in &documents {
        let mut expected: Vec<(usize, usize, usize)> = Vec::new();
        let mut short: Option<(usize, usize)> = None;
        for (start, end, words) in lines {
            let recurs = counts.get(&words[..]).is_some_and(|count| *count >= MANY);
            match (recurs, words.len() < 3, expected.last_mut()) {
                (true, _, Some(last)) if last.1 + 1 == *start => {
                    (last.1, last.2) = (*end, last.2 + words.len())
                }
                (true, _, Some(last))
                    if short.is_some_and(|(from, to)| last.1 + 1 == from && to + 1 == *start) =>
                {
                    (last.1, last.2) = (*end, last.2 + words.len() + 2);
                }
                (true, ..) => expected.push((*start, *end, words.len())),
                _ => {}
            }
            short = (words.len() < 3).then_some((*start, *end));
        }
        let expected: Vec<String> = expected
            .iter()
            .filter(|(.., words)| *words >= 8)
            .map(|(start, end, _)| format!("{start} {end}"))
            .collect();
        let query = format!(
            "SELECT start_index || ' ' || end_index FROM boilerplate JOIN files USING(file_id)
             WHERE relative_path = '{name}' ORDER BY start_index"
        );
        assert_eq!(rows(&connection, &query), expected, "{name}");
    }
}

#[test]
fn quotations_follow_the_mails_that_they_answer() {
    for round in 0..rounds(6) {
        with_seed(seed() * 77 + round as u64, |dice| {
            let workshop = workshop();
            let body =
                |dice: &mut Dice| -> Vec<String> { (0..12).map(|_| format!("w{}", dice.below(9))).collect() };
            let mut bodies: Vec<Vec<String>> = (0..5).map(|_| body(dice)).collect();
            let write = |at: usize, bodies: &[Vec<String>], answered: usize| {
                let quoted = bodies[answered].chunks(4).map(|line| format!("| {}\n", line.join(" ")));
                let text = format!(
                    "Message-ID: <{at}@x.example>\nIn-Reply-To: <{answered}@x.example>\nDate: Mon, {} Jan 2024 10:00:00 +0000\n\
                     From: ann@x.example\nSubject: s{at}\n\n{}\n\n{}\n",
                    at + 1,
                    quoted.collect::<String>(),
                    bodies[at].join("\n")
                );
                workshop.write(format!("{at}.eml"), text);
            };
            (0..5).for_each(|at| write(at, &bodies, dice.below(5)));
            workshop.ingest(&CONFIG);
            for _ in 0..3 {
                let at = dice.below(5);
                match dice.below(3) {
                    0 => workshop.remove(format!("{at}.eml")),
                    1 => bodies[at] = body(dice),
                    _ => write(at, &bodies, dice.below(5)),
                }
                workshop.ingest(&CONFIG);
            }
            workshop
                .run(["ingest", &workshop.tree().display().to_string(), "clean.db"].into_iter().chain(CONFIG))
                .expect(0);
            assert_eq!(ledger(&workshop.database()), ledger(&workshop.path("clean.db")));
        });
    }
}

#[test]
fn a_short_quotation_is_found_in_the_mail_that_it_answers_alone() {
    let workshop = Workshop::new();
    let head = |id: &str, day: usize, answers: &str| {
        format!(
            "Message-ID: <{id}@x.example>\n{answers}Date: Mon, {day} Jan 2024 10:00:00 +0000\nFrom: {id}@x.example\nSubject: {id}\n\n"
        )
    };
    let asked = "Could you bring the long ladder and two cans of paint to the harbour?";
    workshop.write("1.eml", format!("{}{asked}\n", head("ann", 1, "")));
    let quoted = "Hello,\n| Could you bring the long ladder\n| and two cans of paint to the harbour?\n\nYes, on Friday.\n";
    workshop.write("2.eml", format!("{}{quoted}", head("ben", 2, "In-Reply-To: <ann@x.example>\n")));
    workshop.write("3.eml", format!("{}{quoted}", head("cem", 3, "")));
    workshop.ingest(&["-q"]);
    workshop.run(["repeats", "corpus.db"]).expect(0);
    let quotes = "SELECT f.relative_path || ' ' || o.relative_path FROM quotes q JOIN files f USING(file_id)
                  JOIN files o ON o.file_id = q.of_file_id";
    assert_eq!(workshop.rows(quotes), ["2.eml 1.eml"]);
    let found = workshop.run(["repeats", "corpus.db", "2.eml", "--json"]).expect(0).json();
    assert!(found["passages"][0]["text"].as_str().unwrap().starts_with("Could you bring"), "{found}");
}

/// Two editions of a text and one that quotes it, with a word list long enough for runs of fifty words.
fn editions() -> Workshop {
    let workshop = Workshop::new();
    let words = |start: usize, count: usize| -> Vec<String> {
        (start..start + count).map(|at| format!("word{at}")).collect()
    };
    write(&workshop, "a.txt", &words(0, 300));
    let mut second = words(0, 300);
    second[150] = "lantern".to_owned();
    write(&workshop, "b.txt", &second);
    write(&workshop, "c.txt", &[words(1000, 20), words(20, 80), words(2000, 20)].concat());
    workshop.ingest(&["-q"]);
    workshop
}

#[test]
fn a_ledger_is_added_kept_and_removed() {
    let workshop = editions();
    assert_eq!(workshop.one("SELECT count(*) FROM sketches"), "0");
    let before = workshop.fingerprint();
    let report = workshop.run(["repeats", "corpus.db", "--json"]).expect(0).json();
    assert_eq!(
        (&report["documents"], &report["repeating"], &report["near_documents"]),
        (&3.into(), &2.into(), &2.into())
    );
    assert_eq!(workshop.fingerprint(), before);
    workshop.verify();
    let found = workshop.run(["repeats", "corpus.db", "c.txt", "--json"]).expect(0).json();
    assert_eq!(found["passages"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        (&found["passages"][0]["of"], found["repeated_by"].as_array().unwrap().len()),
        (&"a.txt".into(), 0)
    );
    let diff = workshop.run(["repeats", "corpus.db", "b.txt", "--diff"]).expect(0).stdout;
    assert!(diff.contains("--- a.txt\n+++ b.txt\n@@ -1 +1 @@\n-word0 "), "{diff}");
    let words = workshop.run(["why", "corpus.db", "c.txt"]).expect(0).stdout;
    assert!(words.contains("most of it first in a.txt"), "{words}");
    workshop.remove("a.txt");
    workshop.ingest(&["-q"]);
    let firsts = "SELECT DISTINCT o.relative_path FROM repeats r JOIN files o ON o.file_id = r.of_file_id";
    assert_eq!(workshop.rows(firsts), ["b.txt"]);
    workshop.run(["repeats", "corpus.db", "--drop"]).expect(0);
    assert_eq!(workshop.one("SELECT (SELECT count(*) FROM sketches) + (SELECT count(*) FROM repeats)"), "0");
    workshop.ingest(&["-q", "--force-reprocess"]);
    assert_eq!(workshop.one("SELECT count(*) FROM sketches"), "0");
}

#[test]
fn chunks_say_how_much_an_earlier_document_has() {
    let workshop = editions();
    let no_ledger = workshop.run(["export", "corpus.db", "--without-repeats"]).expect(2);
    assert!(no_ledger.stderr.contains("`pensieve repeats corpus.db` makes one"), "{}", no_ledger.stderr);
    let line = |json: &serde_json::Value| (json["relative_path"].to_string(), json["repeats"].as_f64());
    let changes = |flags: &[&str]| -> Vec<(String, Option<f64>)> {
        let words = ["changes", "corpus.db"].iter().chain(flags);
        let out = workshop.run(words).expect(0).stdout;
        let rows = out.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
        rows.filter(|row| row["op"] == "upsert").map(|row| line(&row)).collect()
    };
    assert!(changes(&[]).iter().all(|(_, repeats)| repeats.is_none()));
    workshop.run(["repeats", "corpus.db"]).expect(0);
    for (path, repeats) in changes(&[]) {
        let (least, most) = if path.contains("a.txt") {
            (0.0, 0.0)
        } else if path.contains("b.txt") {
            (0.9, 1.0)
        } else {
            (0.3, 0.7)
        };
        assert!((least..=most).contains(&repeats.unwrap()), "{path} {repeats:?}");
    }
    let all = workshop.run(["export", "corpus.db"]).expect(0).stdout.lines().count();
    let left = workshop.run(["export", "corpus.db", "--without-repeats"]).expect(0);
    assert!(left.stdout.lines().count() < all && left.stderr.contains("left out"), "{}", left.stderr);
    let rows = |flags: &[&str]| -> Vec<serde_json::Value> {
        let words = ["export", "corpus.db"].iter().chain(flags);
        workshop.run(words).expect(0).stdout.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    let uid = workshop.one("SELECT doc_uid FROM files WHERE relative_path = 'a.txt'");
    for row in rows(&["--weight"]) {
        let path = row["sources"][0]["relative_path"].as_str().unwrap().to_owned();
        let (near, weight) = if path == "c.txt" { (false, 1.0) } else { (path == "b.txt", 0.5) };
        assert_eq!((row["near"].is_number(), row["weight"].as_f64()), (near, Some(weight)), "{row}");
        assert!(!near || row["near_to"] == uid.as_str(), "{row}");
        assert!(path == "a.txt" || row["repeats_of"].as_str().unwrap().starts_with(&uid), "{row}");
    }
    assert!(rows(&["--without-near"]).iter().all(|row| row["sources"][0]["relative_path"] != "b.txt"));
}

#[test]
fn a_pack_has_a_passage_once_and_says_what_it_left_out() {
    let workshop = Workshop::new();
    let words = |name: &str, count: usize| -> String {
        (0..count).map(|at| format!("{name}{at} ")).collect::<Vec<_>>().concat() + "lantern.\n\n"
    };
    let passage = words("shared", 120);
    workshop.write("a.txt", format!("{}{passage}", words("first", 60)));
    workshop.write("b.txt", format!("{}{passage}{}", words("second", 90), words("third", 40)));
    workshop.ingest(&["-q", "--chunk-size", "2000"]);
    let packed =
        workshop.run(["pack", "corpus.db", "lantern", "--budget", "4000", "--json"]).expect(0).json();
    let text = packed["pieces"].to_string();
    for (word, times) in [("first30 ", 1), ("second30 ", 1), ("shared60 ", 1)] {
        assert_eq!(text.matches(word).count(), times, "{word}: {packed}");
    }
    let notes = packed["notes"].to_string();
    assert!(notes.contains("left out what the pack has already in the same words: passages of "), "{notes}");
}

#[test]
fn sentences_that_an_earlier_document_has_are_cut_from_an_export() {
    let workshop = Workshop::new();
    let sentence = |from: usize| -> String {
        let words: Vec<String> = (from..from + 60).map(|at| format!("word{at}")).collect();
        format!("The {}.", words.join(" "))
    };
    workshop.write("a.txt", format!("{} {}", sentence(0), sentence(100)));
    workshop.write("b.txt", format!("{} {} {}", sentence(300), sentence(100), sentence(500)));
    workshop.ingest(&["-q", "--chunk-size", "1000"]);
    workshop.run(["repeats", "corpus.db"]).expect(0);
    let all = workshop.run(["export", "corpus.db"]).expect(0).stdout;
    let left = workshop.run(["export", "corpus.db", "--without-repeats"]).expect(0);
    let row = |text: &str| serde_json::from_str::<serde_json::Value>(text.lines().last().unwrap()).unwrap();
    let (whole, cut) = (row(&all), row(&left.stdout));
    assert_eq!(cut["content"], format!("{}\n\n{}", sentence(300), sentence(500)));
    assert_eq!((&cut["content_hash"], cut["kept"].as_array().unwrap().len()), (&whole["content_hash"], 2));
    let saved = whole["tokens"].as_u64().unwrap() - cut["tokens"].as_u64().unwrap();
    assert!(left.stderr.contains(&format!("1 cut at sentences, {saved} tokens saved")), "{}", left.stderr);
}

#[test]
fn hits_that_repeat_an_earlier_one_are_listed_with_it() {
    let workshop = editions();
    let search = |flags: &[&str]| {
        let words = ["search", "corpus.db", "word30 word31 word32", "--json"].iter().chain(flags);
        workshop.run(words).expect(0).json()["hits"].as_array().unwrap().clone()
    };
    let before = search(&[]);
    workshop.run(["repeats", "corpus.db"]).expect(0);
    let folded = search(&[]);
    assert!(folded.len() < before.len(), "{} of {}", folded.len(), before.len());
    assert!(folded.iter().any(|hit| hit["also"].as_array().is_some_and(|also| !also.is_empty())));
    assert_eq!(search(&["--repeats", "show"]).len(), before.len());
}

#[test]
fn a_merge_has_the_ledger_of_one_run() {
    let workshop = workshop();
    let mut dice = Dice::new(seed());
    let author = Author::new(&mut dice);
    (0..12).for_each(|at| write(&workshop, &format!("d{at}.txt"), &author.text(&mut dice)));
    workshop.ingest(&CONFIG);
    let tree = workshop.tree().display().to_string();
    workshop.run(["plan", &tree, "--shards", "3", "--out", "plan"]).expect(0);
    let shards: Vec<String> = (0..3).map(|at| format!("shard{at}.db")).collect();
    for (at, shard) in shards.iter().enumerate() {
        let list = format!("plan/shard-{at:04}.list");
        let words = ["ingest", "--root", &tree, "--files-from", &list, shard].into_iter().chain(CONFIG);
        workshop.run(words).expect(0);
    }
    workshop.run(["merge", "merged.db"].into_iter().chain(shards.iter().map(String::as_str))).expect(0);
    assert_eq!(ledger(&workshop.path("merged.db")), ledger(&workshop.database()));
}
