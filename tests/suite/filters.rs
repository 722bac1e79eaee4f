//! Documents by what is known of them: the same answer from flags, queries, lists, the API's words and after any history.

use crate::support::Workshop;
use std::fs;

const MAIL: &str = "From: Ann Smith <ann@x.org>\nTo: Ben <ben@y.org>\nSubject: Oil report\n\
    Date: Fri, 31 May 2024 23:30:00 -0400\nMessage-ID: <1@x.org>\nMIME-Version: 1.0\n\
    Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe harbour needs more oil before winter.\n\
    --b\nContent-Type: text/plain; name=list.txt\nContent-Disposition: attachment; filename=list.txt\n\n\
    harbour cans, two of them, and a wick for the lamp of the pier\n--b--\n";

const NOTE: &str = "---\ntitle: Der Hafen\nauthors: [Müller Ann, Carl]\ntags: [oil, lamp/night]\ndate: 2023-02-01\nlang: en\n---\n\n\
    Im harbour brennt die Lampe in der Nacht, und der Wärter misst jeden Montag das Öl im Keller des Turmes. #winter\n";

const PAGE: &str = "<html lang=fr><head><title>Le port</title><meta name=author content='Dora Brown'>\
    <meta name=keywords content='Oil, boats'><link rel=canonical href='https://example.org/port'>\
    <script type='application/ld+json'>{\"@type\":\"Article\",\"datePublished\":\"2025-01-02T08:00:00Z\"}</script></head>\
    <body><p>harbour: la lampe brûle toute la nuit et le gardien mesure l'huile chaque lundi dans la cave de la tour.</p></body></html>";

fn corpus() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("mail.eml", MAIL);
    workshop.write("note.md", NOTE);
    workshop.write("page.html", PAGE);
    workshop.write(
        "plain.txt",
        "The harbour is closed at night, and nobody may land there before the morning.\n",
    );
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_262_304_000);
    fs::File::options()
        .write(true)
        .open(workshop.tree().join("plain.txt"))
        .unwrap()
        .set_modified(at)
        .unwrap();
    workshop.ingest(&[]);
    workshop
}

/// The paths of a list with these flags, by path.
fn listed(workshop: &Workshop, flags: &[&str]) -> Vec<String> {
    let words = [&["list", "corpus.db", "--json"], flags].concat();
    let lines = workshop.run(words).expect(0).stdout;
    let paths = lines.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["relative_path"].as_str().unwrap().to_owned()
    });
    paths.collect()
}

/// The documents that a search finds, by path.
fn found(workshop: &Workshop, query: &str, flags: &[&str]) -> Vec<String> {
    let words = [&["search", "corpus.db", query, "--json"], flags].concat();
    let answer = workshop.run(words).expect(0).json();
    let hits = answer["hits"].as_array().unwrap().iter();
    let mut paths: Vec<String> =
        hits.map(|hit| hit["sources"][0]["relative_path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths.dedup();
    paths
}

const LIST: &str = "mail.eml/2/list.txt";

#[test]
fn flags_and_queries_choose_the_same_documents() {
    let workshop = corpus();
    let check = |flags: &[&str], query: &str, expected: &[&str]| {
        assert_eq!(listed(&workshop, flags), expected, "{flags:?}");
        assert_eq!(found(&workshop, "harbour", flags), expected, "{flags:?}");
        assert_eq!(found(&workshop, &format!("harbour {query}"), &[]), expected, "{query}");
        assert_eq!(found(&workshop, query, &[]), expected, "{query}");
    };
    check(&["--author", "ann muller"], "author:\"Müller Ann\"", &["note.md"]);
    check(&["--author", "ann"], "author:ann", &["mail.eml", "note.md"]);
    check(&["--author", "dor*", "--author", "carl"], "author:dor* author:carl", &["note.md", "page.html"]);
    check(&["--from", "ann@x.org"], "from:ann@x.org", &["mail.eml", LIST]);
    check(&["--to", "ben"], "to:ben", &["mail.eml", LIST]);
    check(&["--after", "2024-05-31"], "after:2024-05-31", &["mail.eml", LIST, "page.html"]);
    check(&["--after", "2023", "--before", "2024-05-31"], "date:2023-01..2024-05-30", &["note.md"]);
    check(&["--before", "2011"], "date:2010", &["plain.txt"]);
    check(&["--tag", "Oil"], "tag:oil", &["note.md", "page.html"]);
    check(&["--tag", "lamp", "--tag", "#winter"], "tag:lamp tag:winter", &["note.md"]);
    check(&["--lang", "German"], "lang:de-AT", &["note.md"]);
    check(&["--lang", "fr", "--type", "html"], "lang:fr type:html", &["page.html"]);
    assert_eq!(found(&workshop, "harbour -lang:en -author:ann", &[]), ["page.html"]);
    assert_eq!(found(&workshop, "title:hafen", &[]), ["note.md"]);
    assert_eq!(found(&workshop, "subject:\"oil report\"", &[]), ["mail.eml"]);
    assert_eq!(found(&workshop, "url:example.org", &[]), ["page.html"]);
}

#[test]
fn what_no_document_has_is_told_and_a_wrong_date_is_refused() {
    let workshop = corpus();
    let ran = workshop.run(["search", "corpus.db", "harbour", "--lang", "pt"]).expect(0);
    assert!(
        ran.stderr.contains("no document has the language `pt`; the values here are de, en, fr"),
        "{}",
        ran.stderr
    );
    let ran = workshop.run(["search", "corpus.db", "harbour", "--after", "soon"]).expect(2);
    assert!(ran.stderr.contains("`soon` is no date; write a year, a month or a day"), "{}", ran.stderr);
}

#[test]
fn lists_are_sorted_and_say_what_is_known() {
    let workshop = corpus();
    assert_eq!(
        listed(&workshop, &["--sort", "date", "--type", "html", "--type", "md", "--type", "eml"]),
        ["note.md", "mail.eml", "page.html"]
    );
    assert_eq!(
        listed(&workshop, &["--sort", "title", "--reverse", "--limit", "2"]),
        ["mail.eml", "page.html"]
    );
    let table =
        workshop.run(["list", "corpus.db", "--columns", "date,language,author,tag,path", "--tag", "oil"]);
    let expected = "date        language  author             tag                      path\n\
        2023-02-01  de        Müller Ann, Carl   winter, oil, lamp/night  note.md\n\
        2025-01-02  fr        Dora Brown         Oil, boats               page.html\n";
    let squeezed = |text: &str| {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(squeezed(&table.expect(0).stdout), squeezed(expected));
}

#[test]
fn fields_are_those_of_a_fresh_corpus_after_any_history() {
    const FIELDS: &str =
        "SELECT f.relative_path, d.seq, d.field, d.value FROM document_fields d JOIN files f USING(file_id)
        WHERE d.field <> 'modified' ORDER BY 1, 2";
    let workshop = corpus();
    let expected = workshop.rows(FIELDS);
    assert!(expected.iter().any(|row| row.ends_with("language|de")), "{expected:?}");
    // Read again, cleaned again, gone and back, taken over by a copy.
    workshop.write(
        "note.md",
        "# Other\n\nWords of another text in English, long enough for its language to be told.\n",
    );
    workshop.ingest(&[]);
    assert!(!workshop.rows(FIELDS).iter().any(|row| row.contains("Der Hafen")));
    workshop.write("note.md", NOTE);
    workshop.write("aaa.md", NOTE);
    workshop.ingest(&[]);
    assert!(workshop.rows(FIELDS).contains(&"aaa.md|1|title|Der Hafen".to_owned()));
    workshop.remove("aaa.md");
    workshop.ingest(&[]);
    workshop.run(["clean", "corpus.db", "--force"]).expect(0);
    assert_eq!(workshop.rows(FIELDS), expected);
    workshop.verify();
}
