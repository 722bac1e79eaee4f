//! What happens to a database behind the program's back: `verify` names every change, and a schema that is not ours is
//! refused before anything is read.

use crate::support::{Dice, Workshop, rounds, seed, with_seed};
use pensieve_store::store::Store;
use pensieve_store::verify::ProofScope;
use pensieve_text::model::{Observer, ProgressEvent};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// Columns that no law and no digest covers: ids to which nothing refers, and counts that only other thresholds would use.
const UNCOVERED: &[(&str, &str)] = &[
    ("errors", "error_id"),
    ("files", "file_id"),
    ("text_versions", "review_counts"),
    // A name that the next run that reads or cleans the text gives anew.
    ("tables", "table_id"),
    // The order is what counts.
    ("document_fields", "seq"),
];

/// Tables about runs, settings and vectors, not about content; search tables are compared by themselves.
const OTHER_TABLES: &str =
    "'vectors', 'vector_models', 'vector_orphans', 'runs', 'meta', 'changes', 'mail_unsettled',
     'repeats', 'near_documents', 'sketches', 'boilerplate', 'quotes'";

struct Silent;

impl Observer for Silent {
    fn on_event(&self, _event: &ProgressEvent<'_>) {}

    fn interrupted(&self) -> bool {
        false
    }
}

/// What `verify` finds; an error that ends it is a finding too.
fn findings(database: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let store = match Store::open_for_reading(database) {
        Ok(store) => store,
        Err(error) => return vec![error.to_string()],
    };
    let proof =
        pensieve_store::verify::run(&store, ProofScope::UnchangedSources, &Silent, &mut |violation| {
            found.push(violation.what.clone());
        });
    found.extend(proof.err().map(|error| error.to_string()));
    found
}

/// Some of the fixtures, and two mails that answer each other, one with a page.
fn ingested() -> Workshop {
    let workshop = Workshop::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for name in ["books/book.epub", "odd/wet-note.txt", "letters/telegram-utf16.txt", "data/readings.csv"] {
        workshop.write(name, fs::read(fixtures.join(name)).unwrap());
        workshop.write(format!("copy/{name}"), fs::read(fixtures.join(name)).unwrap());
    }
    workshop.write(
        "one.eml",
        "Message-ID: <1@x>\nFrom: a@x\nTo: b@x\nCc: c@x\nDate: Mon, 2 Mar 2020 10:00:00 +0000\nSubject: One\n\
         Content-Type: text/html\n\n<p>Hello <b>there</b></p>\n",
    );
    workshop.write(
        "two.eml",
        "Message-ID: <2@x>\nIn-Reply-To: <1@x>\nReferences: <0@x> <1@x>\nSubject: Re: One\n\nAn answer.\n",
    );
    workshop.write("日本.txt", "日本語の文章です。\n");
    workshop.write("page.html", "<p>Words that are seen.<p hidden>These are not.");
    workshop.ingest(&[]);
    workshop
}

fn open_freely(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1").unwrap();
    connection
}

/// Every column of every table of content, with the columns of the table's key.
fn columns(connection: &Connection) -> Vec<(String, String, String)> {
    let sql = format!(
        "SELECT t.name, c.name, (SELECT group_concat('\"' || k.name || '\"', ', ') FROM pragma_table_info(t.name) k WHERE k.pk)
         FROM pragma_table_list t JOIN pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT IN ({OTHER_TABLES})"
    );
    let mut statement = connection.prepare(&sql).unwrap();
    let rows = statement.query_map([], |row| {
        let key: Option<String> = row.get(2)?;
        Ok((row.get(0)?, row.get(1)?, key.unwrap_or_else(|| "rowid".to_owned())))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// Changes one value of a column by a million, by one letter or by one byte.
fn change(connection: &Connection, table: &str, column: &str, key: &str) -> rusqlite::Result<usize> {
    connection.execute(
        &format!(
            "UPDATE \"{table}\" SET \"{column}\" = CASE typeof(\"{column}\") WHEN 'integer' THEN \"{column}\" + 1000000
               WHEN 'text' THEN \"{column}\" || 'x' WHEN 'blob' THEN CAST(\"{column}\" || x'07' AS BLOB) ELSE 'x' END
             WHERE ({key}) = (SELECT {key} FROM \"{table}\" ORDER BY \"{column}\" IS NULL, {key} DESC LIMIT 1)"
        ),
        [],
    )
}

#[test]
fn any_column_that_is_changed_by_hand_is_named() {
    let workshop = ingested();
    assert_eq!(findings(&workshop.database()), [""; 0]);
    let copy = workshop.path("copy.db");
    let mut unseen = Vec::new();
    let all = columns(&workshop.corpus());
    assert!(all.len() > 100, "{}", all.len());
    for (table, column, key) in all {
        fs::copy(workshop.database(), &copy).unwrap();
        let changed = change(&open_freely(&copy), &table, &column, &key);
        assert_eq!(changed.unwrap(), 1, "{table}.{column}");
        if findings(&copy).is_empty() && !UNCOVERED.contains(&(&table, &column)) {
            unseen.push(format!("{table}.{column}"));
        }
    }
    assert_eq!(unseen, [""; 0]);
}

#[test]
fn a_row_that_is_removed_by_hand_is_missed() {
    let workshop = Workshop::new();
    for name in ["a", "b", "c"] {
        workshop.write(format!("{name}.txt"), "The same words.\n");
        workshop.write(format!("{name}/x.txt"), "Other words.\n");
    }
    workshop.ingest(&[]);
    let copy = workshop.path("copy.db");
    for (table, condition) in [
        ("files", "relative_path = 'c.txt'"),
        ("files", "relative_path = 'b/x.txt'"),
        ("files", "relative_path = 'a'"),
        ("chunk_sources", "file_id = (SELECT file_id FROM files WHERE relative_path = 'a.txt')"),
    ] {
        fs::copy(workshop.database(), &copy).unwrap();
        let connection = Connection::open(&copy).unwrap();
        assert_eq!(connection.execute(&format!("DELETE FROM {table} WHERE {condition}"), []).unwrap(), 1);
        drop(connection);
        assert!(!findings(&copy).is_empty(), "{table} {condition}");
    }
    workshop.run(["forget", "corpus.db", "tree"]).expect(0);
    workshop.verify();
}

/// All rows of all tables of content; the search tables are compared with the chunks, not byte by byte.
fn everything(database: &Path) -> Option<Vec<String>> {
    let connection = Connection::open(database).ok()?;
    let mut tables = connection
        .prepare(&format!(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'chunks_fts%'
           AND name NOT IN ('sqlite_sequence', {OTHER_TABLES}) ORDER BY name"
        ))
        .ok()?;
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).ok()?.collect::<Result<_, _>>().ok()?;
    let mut lines = Vec::new();
    for table in tables {
        let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\"")).ok()?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            let fields = (0..columns).map(|at| row.get_ref(at).map(|value| format!("{value:?}")));
            lines.push(format!("{table} {:?}", fields.collect::<Result<Vec<_>, _>>().ok()?));
        }
    }
    Some(lines)
}

/// Writes 64 random bytes somewhere into a random page.
fn damage(bytes: &mut [u8], dice: &mut Dice) -> usize {
    let page = dice.below(bytes.len() / 8192);
    let at = page * 8192 + dice.below(8192 - 64);
    bytes[at..at + 64].iter_mut().for_each(|byte| *byte = dice.below(256) as u8);
    page
}

#[test]
fn a_damaged_page_is_found_or_its_bytes_are_unused() {
    let workshop = ingested();
    let (whole, before) = (fs::read(workshop.database()).unwrap(), everything(&workshop.database()));
    let copy = workshop.path("copy.db");
    let mut unseen = Vec::new();
    with_seed(seed() * 1000 + 17, |dice| {
        for _ in 0..rounds(40) {
            let mut bytes = whole.clone();
            let page = damage(&mut bytes, dice);
            fs::write(&copy, bytes).unwrap();
            if findings(&copy).is_empty() && everything(&copy) != before {
                unseen.push(page + 1);
            }
        }
    });
    assert_eq!(unseen, [0; 0]);
}

/// Changes that a hostile database may bring, each with the words that name it.
const ATTACKS: &[(&str, &str)] = &[
    (
        "CREATE TRIGGER spy AFTER UPDATE ON files BEGIN DELETE FROM chunks; END",
        "the trigger `spy` on `files` is not ours",
    ),
    (
        "ALTER TABLE runs RENAME TO kept; CREATE VIEW runs AS SELECT * FROM kept",
        "the trigger `chunks_with_vectors_removed` is not as this program makes it",
    ),
    ("CREATE VIEW more AS SELECT * FROM chunks", "the view `more` is not ours"),
    ("CREATE TABLE more(x)", "the table `more` is not ours"),
    (
        "ALTER TABLE files ADD COLUMN more TEXT GENERATED ALWAYS AS (upper(filename))",
        "the table `files` is not as this program makes it",
    ),
    (
        "DROP INDEX files_by_root; CREATE INDEX files_by_root ON files(root_id, abs(size_bytes))",
        "the index `files_by_root` is not as this program makes it",
    ),
    (
        "DROP TABLE chunks_fts_unspaced; CREATE VIRTUAL TABLE chunks_fts_unspaced USING fts5(content, tokenize='porter')",
        "the table `chunks_fts_unspaced` is not as this program makes it",
    ),
    ("CREATE VIRTUAL TABLE more USING fts5(x)", "the table `more` is not ours"),
    (
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'size_bytes INTEGER NOT NULL',
           'size_bytes INTEGER NOT NULL DEFAULT 1') WHERE name = 'files'",
        "the table `files` is not as this program makes it",
    ),
];

#[test]
fn a_hostile_schema_is_refused_by_every_command() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "Some words.\n");
    workshop.ingest(&[]);
    let whole = fs::read(workshop.database()).unwrap();
    for (change, expected) in ATTACKS {
        fs::write(workshop.database(), &whole).unwrap();
        open_freely(&workshop.database()).execute_batch(change).unwrap();
        let before = fs::read(workshop.database()).unwrap();
        for words in [
            &["ingest", "tree", "corpus.db"][..],
            &["search", "corpus.db", "words"],
            &["verify", "corpus.db"],
            &["serve", "corpus.db"],
            &["fingerprint", "corpus.db"],
            &["compact", "corpus.db"],
        ] {
            let ran = workshop.run(words).expect(5);
            assert!(ran.stderr.contains(expected), "{change}\n{words:?}: {}", ran.stderr);
            assert_eq!(ran.stdout, "", "{words:?}");
        }
        assert!(fs::read(workshop.database()).unwrap() == before, "{change}: it was written");
    }
}

/// Takes out of a database what later migrations have made, digests among it, as an earlier version left it.
const WITHOUT_DIGESTS: &str = "
    DROP VIEW paragraph_sources; DROP VIEW paragraphs; CREATE VIEW paragraphs AS
  SELECT s.chunk_id, s.file_id, c.content FROM chunk_sources s JOIN chunks c USING(chunk_id);
    DROP TABLE changes; DELETE FROM meta WHERE key LIKE 'journal%';
    ALTER TABLE files DROP COLUMN digest; ALTER TABLE files DROP COLUMN chunks_digest;
    ALTER TABLE files DROP COLUMN texts_digest; ALTER TABLE files DROP COLUMN details_digest;
    ALTER TABLE files DROP COLUMN row_digest; ALTER TABLE text_versions DROP COLUMN maps_sha256;
    ALTER TABLE text_versions DROP COLUMN review_counts;
    DROP TRIGGER chunks_with_vectors_removed; DROP TABLE vectors; DROP TABLE vector_models; DROP TABLE vector_orphans;
    DROP TABLE chunks_fts_parts; UPDATE meta SET value = 'on' WHERE key = 'fts_unspaced';
    DROP TABLE hidden_text; DROP TABLE repeats; DROP TABLE near_documents; DROP TABLE sketches;
    DROP TABLE boilerplate; DROP TABLE quotes;
    DROP TABLE document_fields; ALTER TABLE text_versions DROP COLUMN text_facts;
    DROP INDEX text_versions_without_tables; DROP TABLE tables; ALTER TABLE text_versions DROP COLUMN tables;
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, ' ''Skipped_Secret'',', '') WHERE name = 'files';
    PRAGMA writable_schema = RESET;
    PRAGMA user_version = 4";

#[test]
fn a_database_of_an_earlier_version_has_the_same_fingerprint_and_gets_its_digests() {
    let workshop = ingested();
    // That version had no list of hidden text, no counts for a review, no fields and no tables of documents.
    workshop.remove("page.html");
    workshop.ingest(&[]);
    let uncounted =
        "UPDATE text_versions SET review_counts = NULL, text_facts = NULL, tables = NULL; DELETE FROM tables;
         DELETE FROM document_fields; DELETE FROM meta WHERE key = 'review_thresholds'";
    open_freely(&workshop.database()).execute_batch(uncounted).unwrap();
    let (fingerprint, before) = (workshop.fingerprint(), everything(&workshop.database()));
    let version = workshop.one("PRAGMA user_version");
    open_freely(&workshop.database()).execute_batch(WITHOUT_DIGESTS).unwrap();
    assert_eq!(workshop.fingerprint(), fingerprint);
    workshop.verify();
    workshop.run(["compact", "corpus.db"]).expect(0);
    assert_eq!(workshop.one("PRAGMA user_version"), version);
    assert!(everything(&workshop.database()) == before, "other rows or digests than those of a new database");
    workshop.verify();
}

#[test]
fn sources_that_changed_behind_the_back_of_the_program_are_told_apart() {
    let workshop = Workshop::new();
    for name in ["same.txt", "changed.txt", "gone.txt", "rotten.txt"] {
        workshop.write(name, format!("The words of {name}.\n"));
    }
    workshop.ingest(&[]);
    workshop.write("changed.txt", "Other words, and more of them.\n");
    workshop.remove("gone.txt");
    let rotten = workshop.tree().join("rotten.txt");
    let time = fs::metadata(&rotten).unwrap().modified().unwrap();
    fs::write(&rotten, "the words of rotten.txt.\n").unwrap();
    fs::File::options().write(true).open(&rotten).unwrap().set_modified(time).unwrap();
    workshop.verify();
    let report = workshop.run(["verify", "corpus.db", "--sources", "--json"]).expect(1).json();
    let counts =
        ["sources_hashed", "sources_changed", "sources_missing", "violations"].map(|name| &report[name]);
    assert_eq!(counts, [3, 1, 1, 1], "{report}");
    assert_eq!((&report["found"][0]["law"], &report["found"][0]["where"]), (&5.into(), &"rotten.txt".into()));
    let printed = workshop.run(["verify", "corpus.db", "--sources"]).expect(1).stdout;
    let expected = "law 5: rotten.txt: its source has the stored size and time of change, but another hash\n1 violation: ";
    assert!(printed.starts_with(expected), "{printed}");
    assert!(printed.ends_with("3 sources hashed: 1 changed since, 1 no longer readable\n"), "{printed}");
}

#[test]
fn buckets_show_where_two_corpora_differ() {
    let workshop = Workshop::new();
    for number in 0..20 {
        workshop.write(format!("{number}.txt"), format!("Words {number}.\n"));
    }
    let buckets = || {
        workshop.ingest(&[]);
        let json = workshop.run(["fingerprint", "corpus.db", "--buckets", "--json"]).expect(0).json();
        assert_eq!(json["fingerprint"], workshop.fingerprint());
        let printed = workshop.run(["fingerprint", "corpus.db", "--buckets"]).expect(0).stdout;
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        for (number, (line, digest)) in lines.iter().zip(json["buckets"].as_array().unwrap()).enumerate() {
            assert_eq!(line, &format!("{number:02x} {}", digest.as_str().unwrap()));
        }
        assert_eq!(lines.len(), 256);
        lines
    };
    let before = buckets();
    workshop.write("7.txt", "Changed.\n");
    let differing = before.iter().zip(buckets()).filter(|(one, two)| *one != two).count();
    assert_eq!(differing, 1);
}
