//! Plausible mistakes: what a person who tries the program types, the exit code, and words of the message that help.
//!
//! `tests/mistakes.txt` has one a line: the command line, `=>`, the exit code, and words that stderr has.

use crate::support::{Workshop, ran};
use std::fs;

/// A folder in which many things can be mistaken for each other.
fn furnished() -> Workshop {
    let workshop = Workshop::new();
    let write = |name: &str, bytes: &[u8]| {
        let path = workshop.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    for number in 0..3 {
        write(
            &format!("notes/{number}.md"),
            format!("# Day {number}\n\nThe plumber came on day {number}.\n").as_bytes(),
        );
    }
    write("notes/a.md", b"# Boiler\n\nThe boiler is serviced in May.\n");
    write("notes/sub/b.txt", b"Below.\n");
    write("notes/x.log", b"A log.\n");
    write("mail/1.txt", b"Mail.\n");
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    write("notes/skipped.png", picture);
    write("skipped.png", picture);
    write("words.txt", b"Words of a text.\n");
    write("empty.db", b"");
    write("bad-key.toml", b"chunk_sise = 5\n");
    write("bad-type.toml", b"chunk_size = \"big\"\n");
    write("bad-syntax.toml", b"chunk_size = = 5\n");
    write("overlap.toml", b"[pdf.layout]\noverlap_tokens = 400\n");
    write("endpoint.toml", b"[embedding]\nendpoint = \"nonsense\"\n");
    write("render.toml", b"[ocr]\ncommand = \"tesseract {input} stdout\"\nrender = \"pdftoppm\"\n");
    write("no-input.toml", b"[converters]\nlog = \"cat\"\n");
    write("missing-tool.toml", b"[converters]\nlog = \"no-such-tool {input}\"\n");
    write("there.toml", b"# mine\n");
    workshop.run(["ingest", "notes", "notes.db", "-q"]).expect(0);
    let made = |name: &str, sql: &str| {
        rusqlite::Connection::open(workshop.path(name)).unwrap().execute_batch(sql).unwrap();
    };
    made("foreign.db", "CREATE TABLE t(x)");
    made("newer.db", "CREATE TABLE t(x); PRAGMA application_id = 1346719315; PRAGMA user_version = 99");
    workshop
}

#[test]
fn plausible_mistakes_get_the_exit_code_and_the_words_that_help() {
    let list = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes.txt")).unwrap();
    let workshop = furnished();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (typed, expected) = line.split_once(" => ").unwrap();
        let (code, words) = expected.split_once(' ').unwrap();
        let words_typed: Vec<&str> = typed.split(' ').collect();
        let found = ran(&mut workshop.command(words_typed));
        let _ = fs::remove_file(workshop.path("x.db"));
        let said = found.stderr.contains(words) || found.stdout.contains(words);
        if found.code != code.parse().ok() || !said {
            wrong.push(format!("$ pensieve {typed}\n{:?} {}{}", found.code, found.stderr, found.stdout));
        }
        // Nothing in words of the programming language reaches a person.
        let inner = ["invalid digit", "Os {", "Some(", "to pass '-", "panicked"];
        assert!(!inner.iter().any(|inner| found.stderr.contains(inner)), "{typed}: {}", found.stderr);
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 128, "{count} mistakes");
}
