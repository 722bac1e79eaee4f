//! Trees of random files, read with random settings, changed and read again, and asked at random.

use super::{Session, questions};
use crate::material;
use crate::support::{Dice, files_below, rows};
use crate::variable::fixtures;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of the repository that are read in some sessions.
const FIXTURES: &[&str] = &[
    "../crates/pensieve-readers/tests/golden/pdf/columns.pdf",
    "../crates/pensieve-readers/tests/golden/pdf/textbook.pdf",
    "../crates/pensieve-readers/tests/golden/pdf/structure.pdf",
    "../crates/pensieve-readers/tests/golden/epub/book.epub",
    "books/book.epub",
    "code/ledger.py",
    "code/lamp.js",
    "data/catalogue.xml",
    "data/readings.csv",
    "data/stations.json",
    "data/readings-corrected.csv",
    "letters/keeper-windows-1252.txt",
    "letters/mixed.eml",
    "letters/telegram-utf16.txt",
    "letters/night-book-crlf.txt",
    "odd/firmware.bin",
    "odd/wet-note.txt",
    "office/leaflet.pdf",
    "office/minutes.docx",
    "office/notice.rtf",
    "office/talk.pptx",
    "office/torn.pdf",
    "office/values.xlsx",
    "prose/the-lamp.txt",
    "prose/the-lamp-second-edition.txt",
    "web/visit.html",
    "code/tide.rs",
    "code/nightly.sh",
    "data/office.yaml",
];

const FOLDERS: &[&str] = &["", "log/", "log/older/", "letters and notes/", "ünder/", ".hidden/"];

/// Lines of a configuration, below the names of their tables.
const SETTINGS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "chunk_size = 24\nchunk_overlap = 6",
            "chunk_size = 48\nchunk_overlap = 0",
            "chunk_size = 64\nchunk_overlap = 20",
            "chunk_size = 200\nchunk_overlap = 30",
            "chunking_strategy = \"recursive\"",
            "chunking_strategy = \"markdown\"",
            "chunking_strategy = \"paragraph\"",
            "tokenizer_model = \"o200k_base\"",
            "tokenizer_model = \"p50k_base\"",
        ],
    ),
    (
        "scan",
        &[
            "hidden = false",
            "archives = true",
            "check = \"full\"",
            "max_file_size = 2000",
            "include = [\"*.md\", \"*.txt\", \"*.eml\"]",
            "exclude = [\"log/older\", \"*.csv\"]",
            "ignore_files = false",
            "svg = true",
        ],
    ),
    ("html", &["markdown = false", "main_content = false"]),
    ("office", &["comments = false", "headers = false"]),
    ("pdf.layout", &["enabled = false", "window_tokens = 60\noverlap_tokens = 12\nmin_overlap_tokens = 4"]),
    (
        "clean",
        &[
            "version = \"clean_v0\"",
            "unicode = \"nfc\"",
            "max_blank_lines = 0",
            "max_blank_lines = 3",
            "gutenberg = true",
            "page_markers = true",
        ],
    ),
    (
        "clean.rules",
        &[
            "soft_wraps = false",
            "hyphens = false\nlists = false",
            "blanks = false",
            "mojibake = false\nunicode = false",
        ],
    ),
    ("review", &["max_removed_percent = 1", "max_bytes_per_char = 2", "max_replaced_percent = 0"]),
    ("store", &["keep = [\"clean\"]", "journal = \"2 runs\""]),
];

/// A session of a corpus.
pub fn play(session: &mut Session, dice: &mut Dice) {
    write_settings(session, dice);
    for _ in 0..8 + dice.below(10) {
        write_one(session, dice);
    }
    ingest(session, dice);
    for _ in 0..1 + dice.below(3) {
        for _ in 0..1 + dice.below(4) {
            change_one(session, dice);
        }
        match dice.below(7) {
            0 => write_settings(session, dice),
            1 => {
                _ = session.run(&[
                    "clean",
                    "corpus.db",
                    "--version",
                    "clean_v0",
                    "--quiet",
                    "--json",
                    "--config",
                    "s.toml",
                ])
            }
            2 => {
                _ = session.run(&[
                    "clean",
                    "corpus.db",
                    "--only",
                    "log",
                    "--page-markers",
                    "--force",
                    "--json",
                    "--config",
                    "s.toml",
                ])
            }
            3 => {
                _ = session.run(&[
                    "clean",
                    "corpus.db",
                    "--limit",
                    "3",
                    "--offset",
                    "2",
                    "--progress",
                    "plain",
                ])
            }
            _ => {}
        }
        ingest(session, dice);
    }
    if dice.chance(40) {
        let more = session.place.path("more");
        fs::create_dir(&more).unwrap();
        for name in files(session).into_iter().filter(|_| dice.chance(30)) {
            fs::copy(session.place.tree().join(&name), more.join(name.replace('/', "-"))).unwrap();
        }
        session.run(&["ingest", "more", "corpus.db", "--config", "s.toml", "--json"]);
        note_rows(session);
    }
    questions::ask(session, dice);
    describe(session, dice);
}

/// A configuration of some lines.
pub fn write_settings(session: &Session, dice: &mut Dice) {
    let mut text = String::new();
    for (table, lines) in SETTINGS {
        if !table.is_empty() {
            text.push_str(&format!("[{table}]\n"));
        }
        if dice.chance(55) {
            text.push_str(&format!("{}\n", dice.pick(lines)));
        }
    }
    fs::write(session.place.path("s.toml"), text).unwrap();
}

fn write_one(session: &Session, dice: &mut Dice) {
    let folder = dice.pick(FOLDERS);
    if dice.chance(35) {
        let name = dice.pick(FIXTURES);
        let bytes = fs::read(Path::new(&fixtures()).join(name)).unwrap();
        let file_name = name.rsplit('/').next().unwrap();
        return session.place.write(format!("{folder}{file_name}"), bytes);
    }
    let (extension, bytes) = material::file(dice);
    let stem = format!("{}-{}", dice.pick(&questions::WORDS[..20]), dice.below(20));
    session.place.write(format!("{folder}{stem}.{extension}"), bytes);
}

/// The files of the tree, sorted.
fn files(session: &Session) -> Vec<String> {
    let tree = session.place.tree();
    let name = |path: PathBuf| path.strip_prefix(&tree).unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = files_below(&tree).into_iter().map(name).collect();
    names.sort();
    names
}

/// A file comes, goes, changes, moves or is copied.
fn change_one(session: &Session, dice: &mut Dice) {
    let files = files(session);
    let name = dice.pick(&files);
    let content = || fs::read(session.place.tree().join(&name)).unwrap();
    match dice.below(7) {
        0 | 1 => write_one(session, dice),
        2 if files.len() > 4 => session.place.remove(&name),
        3 => session.place.rename(&name, &format!("moved/{}", name.replace('/', "-"))),
        4 => session
            .place
            .write(format!("{}copy of {}", dice.pick(FOLDERS), name.replace('/', "-")), content()),
        5 => session.place.write(&name, [&content()[..], material::words(dice, 12, 9).as_bytes()].concat()),
        _ => {
            let content = content();
            session.place.write(&name, &content[..content.len() * 2 / 3]);
        }
    }
}

fn ingest(session: &mut Session, dice: &mut Dice) {
    let mut words = vec!["ingest", "tree", "corpus.db", "--config", "s.toml", "--allow-mass-deletion"];
    words.extend(dice.pick(&[&["--json"][..], &["--json", "--strict"], &["--progress", "plain"], &["-v"]]));
    if dice.chance(20) {
        words.push("--force-reprocess");
    }
    if dice.chance(15) {
        session.run(&[&words[..], &["--dry-run"]].concat());
    }
    // Progress is a matter of time, and so is the order of what is said of single files.
    if words.contains(&"--json") {
        session.run(&words);
    } else {
        let ran = session.place.run(&words);
        // The order of lines is that of threads, and each has its time unless the progress is plain.
        let untimed = |line: &'_ str| match line.split_once("Z ") {
            Some((time, rest)) if time.starts_with("20") => rest.to_owned(),
            _ => line.to_owned(),
        };
        let mut lines: Vec<String> =
            ran.stderr.lines().filter(|line| !line.contains("/s")).map(untimed).collect();
        lines.sort_unstable();
        session.note(&words.join(" "), &format!("{}{:?}\n{}", ran.stdout, ran.code, lines.join("\n")));
    }
    note_rows(session);
}

/// What the time, the machine, the file system or the edition of a reader decides; packed texts are seen through `text` and `export`.
const VARYING: &str = "'mtime_s', 'mtime_ns', 'ctime_s', 'ctime_ns', 'inode', 'device', 'access_date', 'permissions', 'counts', 'settings_hash'";

/// Notes the rows of the tables.
pub fn note_rows(session: &mut Session) {
    if !session.place.database().exists() {
        return;
    }
    let corpus = session.place.corpus();
    let tables =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'chunks_fts%' ORDER BY name";
    let mut all = String::new();
    for table in rows(&corpus, tables) {
        let columns = format!(
            "SELECT name FROM pragma_table_info('{table}') WHERE type <> 'BLOB' AND name NOT IN ({VARYING})"
        );
        let columns = rows(&corpus, &columns).join(", ");
        let columns = if columns.is_empty() { "count(*)" } else { &columns };
        let mut found = rows(&corpus, &format!("SELECT {columns} FROM {table}"));
        found.sort();
        found.iter().for_each(|row| all.push_str(&format!("{table}|{row}\n")));
    }
    drop(corpus);
    session.note("rows", &all);
}

/// What the database says of itself and of some files.
fn describe(session: &mut Session, dice: &mut Dice) {
    session.run(&["stats", "corpus.db"]);
    session.run(&["errors", "corpus.db"]);
    session.run(&["review", "corpus.db"]);
    for _ in 0..6 {
        let name = dice.pick(&files(session));
        let file = format!("tree/{name}");
        let mut words = vec!["text".to_owned(), "corpus.db".to_owned(), file.clone()];
        questions::maybe(&mut words, dice, 40, "--variant", &["raw", "clean"]);
        questions::maybe(&mut words, dice, 30, "--offset", &["1", "30", "5000"]);
        questions::maybe(&mut words, dice, 30, "--limit", &["1", "50"]);
        if !words.iter().any(|word| word == "--variant") {
            questions::maybe(&mut words, dice, 30, "--page-markers", &[]);
        }
        questions::maybe(&mut words, dice, 30, "--json", &[]);
        session.run(&words);
        session.run(&["why", "corpus.db", &file, "--config", "s.toml"]);
        session.run(&[
            "diff",
            "corpus.db",
            &file,
            "--from",
            "raw_v1",
            "--to",
            dice.pick(&["clean_v0", "clean_v1"]),
            "--context",
            "1",
        ]);
    }
    session.run(&["export", "corpus.db"]);
    session.run(&[
        "export",
        "corpus.db",
        "--format",
        "markdown",
        "--path",
        dice.pick(&["*.txt", "log", "*.md"]),
    ]);
    session.run(&["changes", "corpus.db", "--since", &dice.below(4).to_string()]);
    let some = session.run(&["changes", "corpus.db", "--limit", "3"]);
    let cursor = some.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    if let Some(cursor) = cursor.as_ref().and_then(|line| line["cursor"].as_str()) {
        session.run(&["changes", "corpus.db", "--since", cursor, "--limit", "4"]);
    }
    session.run(&["verify", "corpus.db", "--sources"]);
    session.run(&[
        "plan",
        "tree",
        "--shards",
        "3",
        "--out",
        "plan",
        "--hash",
        "--config",
        "s.toml",
        "--json",
        "--progress",
        "off",
    ]);
    session.run(&["forget", "corpus.db", dice.pick(&["tree", "more"])]);
    note_rows(session);
    session.run(&["compact", "corpus.db"]);
    session.run(&["verify", "corpus.db"]);
}
