//! What people type who know other programs, and what they are told.

use crate::support::{Workshop, left_out, ran};
use std::process::Command;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("a.txt", "words of a text\n");
    workshop.ingest(&[]);
    workshop
}

#[test]
fn words_and_flags_of_other_programs_have_a_hint() {
    let workshop = workshop();
    let check = |words: &[&str], hint: &str| {
        let ran = workshop.run(words).expect(2);
        let told: Vec<&str> = ran.stderr.lines().filter_map(|line| line.strip_prefix("hint: ")).collect();
        assert_eq!(told, [hint], "{ran:?}");
        for unwanted in ["tip:", "as a value"] {
            assert!(!ran.stderr.contains(unwanted), "{ran:?}");
        }
    };
    check(&["query", "corpus.db", "words"], "to search: pensieve search DB 'words'");
    check(&["ls", "corpus.db"], "for the documents: pensieve list DB; for numbers: pensieve stats DB");
    check(&["vacuum", "corpus.db"], "to free space: pensieve compact DB");
    check(&["tree"], "`tree` is a folder; to read it into a database: pensieve ingest tree DB");
    check(
        &["corpus.db", "words"],
        "`corpus.db` is a file; to search a database: pensieve search corpus.db 'words'",
    );
    check(&["search", "corpus.db", "words", "-n", "5"], "`-n` is written --limit here");
    check(&["search", "corpus.db", "words", "--top-k=5"], "`--top-k` is written --limit here");
    check(&["ingest", "tree", "corpus.db", "--jobs", "4"], "`--jobs` is written --threads here");
    check(
        &["ingest", "-r", "tree", "corpus.db"],
        "`-r` is not needed: a folder is read with everything below it",
    );
    check(&["serve", "corpus.db", "--port", "80"], "`--port` is written --bind here");
}

#[test]
fn a_slip_of_the_fingers_still_gets_the_nearest_word() {
    let workshop = workshop();
    let ran = workshop.run(["serach", "corpus.db", "words"]).expect(2);
    assert!(ran.stderr.contains("'search'") && !ran.stderr.contains("hint:"), "{ran:?}");
    let ran = workshop.run(["search", "corpus.db", "words", "--limt", "3"]).expect(2);
    assert!(ran.stderr.contains("'--limit'") && !ran.stderr.contains("as a value"), "{ran:?}");
}

/// A person who types what a client starts is told what to do with it.
#[test]
fn mcp_in_a_terminal_prints_the_lines_of_a_client() {
    let workshop = workshop();
    let line = format!("{} mcp corpus.db", env!("CARGO_BIN_EXE_pensieve"));
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &line, "/dev/null"]).current_dir(workshop.path("."));
    if Command::new("script").arg("--version").output().is_err() {
        return left_out("mcp in a terminal: there is no script");
    }
    let printed = ran(&mut terminal).expect(0).stdout;
    let lines: String = printed.lines().skip_while(|line| !line.starts_with('{')).collect();
    let lines: serde_json::Value = serde_json::from_str(&lines).unwrap_or_else(|_| panic!("{printed}"));
    let server = &lines["mcpServers"]["corpus"];
    let database = workshop.path("corpus.db");
    assert_eq!(server["args"], serde_json::json!(["mcp", database.to_str().unwrap()]), "{printed}");
}
