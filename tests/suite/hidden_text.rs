//! Text that nobody can see: out of the chunks, in a list of its own, and the same after any history.

use crate::archives::{check_fresh, zip};
use crate::audit::{assert_same, audit};
use crate::support::Workshop;
use rusqlite::Connection;
use std::fs;

const ROWS: &str = "SELECT f.relative_path, h.seq, h.reason, coalesce(h.locator, ''), h.chars, h.text
    FROM hidden_text h JOIN files f USING(file_id) ORDER BY 1, 2";

const PAGE: &str = "<!doctype html>\n<style>.x{display:none}</style><p>The lamp burns oil.</p>\n<p class=x>Say nothing else.</p>\n\
    <p>It is trimmed at dusk.<span style='font-size:0'>tiny words</span></p>";

/// A page, a mail and a book with hidden words, and the lists that they make.
fn write_all(workshop: &Workshop) {
    workshop.write("page.html", PAGE);
    let mail = "From: a@example.org\nTo: b@example.org\nSubject: News\nDate: Mon, 2 Nov 2026 10:00:00 +0000\n\
        Message-ID: <1@example.org>\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n\
        <div style='display:none;font-size:1px'>A first sentence for the list of mails</div><p>The tide turns at nine, and \
        the boats come back with it before the fog does.</p>";
    workshop.write("news.eml", mail);
    let container = br#"<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
        <rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;
    let package = br#"<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml"
        media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>"#;
    let chapter =
        b"<html><body><p>The keeper writes.</p><p style='visibility:hidden'>unseen</p></body></html>";
    let book = zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container),
        ("a.opf", package),
        ("a.xhtml", chapter),
    ]);
    workshop.write("book.epub", book);
}

const EXPECTED: [&str; 4] = [
    r#"book.epub|1|not_displayed|{"spine":"a.xhtml"}|6|unseen"#,
    r#"news.eml|1|not_displayed|{"part":"1"}|38|A first sentence for the list of mails"#,
    r#"page.html|1|not_displayed|{"line":[3,3]}|17|Say nothing else."#,
    r#"page.html|2|tiny|{"line":[4,4]}|10|tiny words"#,
];

#[test]
fn what_nobody_can_see_is_listed_and_told() {
    let workshop = Workshop::new();
    write_all(&workshop);
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(ROWS), EXPECTED);
    let text = workshop.rows("SELECT content FROM chunks").concat();
    assert!(["nothing", "tiny", "sentence", "unseen"].iter().all(|word| !text.contains(word)), "{text}");
    let why = workshop.run(["why", "corpus.db", "page.html"]).expect(0).stdout;
    assert!(why.contains("hidden    Say nothing else. (not displayed, line 3)"), "{why}");
    assert!(why.contains("hidden_text: left out: 17 characters not displayed, 10 characters tiny"), "{why}");
    let json = workshop.run(["why", "corpus.db", "news.eml", "--json"]).expect(0).json();
    assert_eq!(json["hidden_text"][0]["reason"], "not_displayed");
    let review = workshop.run(["review", "corpus.db"]).expect(0).stdout;
    assert_eq!(review.matches("hidden_text").count(), 3, "{review}");
    workshop.verify();
    audit(&workshop.database());
}

#[test]
fn folded_text_is_marked_and_can_be_left_out() {
    let workshop = Workshop::new();
    let long = "The keeper trims the wick and writes the log of the night. ".repeat(20);
    workshop.write("notes.md", format!("# Watch\n\n{long}\n\n# Plan\n\n<!-- {long} the comment -->\n"));
    workshop.write(
        "faq.html",
        format!("<h1>Fog</h1><p>{long}<details><summary>More</summary><p>{long} the accordion</details>"),
    );
    // A page with so few words has no main part, and its chunk has both.
    workshop.write("short.html", "<p>Fog.<details><summary>More</summary><p>A bell</details><p>Night.");
    workshop.ingest(&["--chunk-size", "64"]);
    let folds = "SELECT DISTINCT f.relative_path, s.locator ->> 'folded' FROM chunk_sources s JOIN files f USING(file_id)
        JOIN chunks c USING(chunk_id) WHERE c.content LIKE ";
    assert_eq!(workshop.rows(&format!("{folds}'%the comment%'")), ["notes.md|comment"]);
    assert_eq!(workshop.rows(&format!("{folds}'%the accordion%'")), ["faq.html|accordion"]);
    assert_eq!(workshop.rows(&format!("{folds}'%A bell%'")), ["short.html|accordion"]);
    let shown = "SELECT count(*) FROM chunk_sources WHERE locator NOT LIKE '%folded%'";
    assert_ne!(workshop.one(shown), "0");
    let search = |query: &str| workshop.run(["search", "corpus.db", query, "--limit", "1"]).expect(0).stdout;
    let found = search("accordion folded:accordion");
    assert!(found.contains("folded accordion"), "{found}");
    assert!(!search("keeper folded:no").contains("folded"));
    assert!(search("folded:comment").contains("notes.md"));
    workshop.verify();
}

#[test]
fn hidden_text_is_kept_where_the_settings_want_it() {
    let workshop = Workshop::new();
    write_all(&workshop);
    let found = |policy: &str| {
        let config = workshop.path("policy.toml");
        fs::write(&config, format!("[scan]\nhidden_text = \"{policy}\"\n")).unwrap();
        workshop.ingest(&["--config", config.to_str().unwrap()]);
        workshop.verify();
        audit(&workshop.database());
        let text = workshop.rows("SELECT content FROM chunks").concat();
        let is_there = ["nothing", "tiny", "sentence", "unseen"].map(|word| text.contains(word));
        let marked = workshop.rows("SELECT DISTINCT locator ->> 'hidden' FROM chunk_sources ORDER BY 1");
        let review = workshop.run(["review", "corpus.db"]).expect(0).stdout;
        (is_there, marked.concat(), review.matches("hidden_text").count(), workshop.rows(ROWS).len())
    };
    let marks = "not_displayedtiny".to_owned();
    assert_eq!(found("mark"), ([true; 4], marks, 3, 4));
    assert_eq!(found("keep"), ([true; 4], String::new(), 0, 4));
    assert_eq!(found("leave_out"), ([false; 4], String::new(), 3, 4));
}

#[test]
fn lists_follow_their_files() {
    let workshop = Workshop::new();
    write_all(&workshop);
    workshop.ingest(&[]);
    // Edited, renamed, copied, and the first of two copies removed.
    workshop.write("page.html", PAGE.replace("tiny words", "small words"));
    workshop.rename("news.eml", "old.eml");
    workshop.write("book copy.epub", fs::read(workshop.tree().join("book.epub")).unwrap());
    let check = || {
        workshop.ingest(&[]);
        check_fresh(&workshop, &[]);
        assert_same(&workshop.database(), &workshop.path("clean.db"));
    };
    check();
    workshop.remove("book copy.epub");
    check();
    workshop.remove("page.html");
    check();
    assert_eq!(workshop.one("SELECT count(*) FROM hidden_text"), "2");
}

/// What an earlier version stored of a page with hidden words.
const FORMER: &str = "
    INSERT INTO metadata(file_id, key, value) SELECT file_id, 'hidden_text', text || ' (' || CASE reason
      WHEN 'tiny' THEN 'tiny' ELSE 'not painted' END || ', page 3)' FROM hidden_text ORDER BY file_id, seq;
    DROP TABLE hidden_text; ALTER TABLE text_versions DROP COLUMN review_counts;
    DROP TABLE document_fields; ALTER TABLE text_versions DROP COLUMN text_facts;
    DROP INDEX text_versions_without_tables; DROP TABLE tables; ALTER TABLE text_versions DROP COLUMN tables;
    DROP TABLE repeats; DROP TABLE near_documents; DROP TABLE sketches; DROP TABLE boilerplate; DROP TABLE quotes;
    UPDATE files SET settings_hash = replace(settings_hash, substr(settings_hash, 1, 4), '0000');
    PRAGMA user_version = 10";

#[test]
fn lists_of_an_earlier_version_move_into_the_table() {
    let workshop = Workshop::new();
    write_all(&workshop);
    workshop.ingest(&[]);
    let former = Connection::open(workshop.database()).unwrap();
    former.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false).unwrap();
    former.execute_batch(FORMER).unwrap();
    drop(former);
    workshop.run(["compact", "corpus.db"]).expect(0);
    assert_eq!(workshop.one("SELECT count(*) FROM metadata WHERE key = 'hidden_text'"), "0");
    let expected = r#"page.html|1|not_painted|{"page":3}|17|Say nothing else."#;
    assert_eq!(workshop.rows(ROWS)[2], expected);
    // The next run reads files again whose readers have another edition.
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(ROWS), EXPECTED);
    workshop.clean_fingerprint(&[]);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    workshop.verify();
}
