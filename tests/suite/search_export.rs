//! The faces that only read: what they print agrees with the rows.

use crate::audit::{assert_same, clean_text};
use crate::editing::Editor;
use crate::support::{Dice, Workshop};
use std::collections::BTreeSet;

fn furnished(seed: u64) -> Workshop {
    let workshop = Workshop::new();
    Editor::new(workshop.tree()).furnish(&mut Dice::new(seed), 40);
    workshop.write(
        "one/needle.md",
        "# Guide\n\n## Install\n\nThe quincunx stands here, alone in its paragraph.\n",
    );
    workshop.write(
        "two/needle.md",
        "# Guide\n\n## Install\n\nThe quincunx stands here, alone in its paragraph.\n",
    );
    workshop.ingest(&["--chunk-size", "64", "--chunk-overlap", "8"]);
    workshop
}

#[test]
fn a_hit_is_told_once_with_all_its_files() {
    let workshop = furnished(1);
    let found = workshop.run(["search", "corpus.db", "quincunx", "--json"]).expect(0).json();
    let hits = found["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 1, "{found}");
    let told = hits[0].to_string();
    assert!(told.contains("one/needle.md") && told.contains("two/needle.md"), "{told}");
    let hash = workshop.one("SELECT content_hash FROM chunks WHERE content LIKE '%quincunx%'");
    assert_eq!(hits[0]["content_hash"], hash.as_str());
    let plain = workshop.run(["search", "corpus.db", "quincunx"]).expect(0).stdout;
    assert!(plain.contains("one/needle.md") && plain.contains("quincunx"), "{plain}");
    assert_eq!(
        workshop.run(["search", "corpus.db", "nosuchwordanywhere", "--json"]).expect(0).json()["hits"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[test]
fn every_word_of_the_corpus_is_found_where_it_stands() {
    let workshop = furnished(2);
    for word in ["lantern", "harbour", "ledger", "winter"] {
        let found =
            workshop.run(["search", "corpus.db", word, "--limit", "100000", "--json"]).expect(0).json();
        let hits: BTreeSet<String> = found["hits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["content_hash"].as_str().unwrap().to_owned())
            .collect();
        // Neighbours of the word that are letters make another word of it.
        let rows = workshop
            .rows("SELECT content_hash, replace(replace(content, char(10), ' '), char(9), ' ') FROM chunks");
        let has = |text: &str| {
            let lower = text.to_lowercase();
            lower.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
        };
        let expected: BTreeSet<String> = rows
            .iter()
            .filter_map(|row| row.split_once('|'))
            .filter(|(_, text)| has(text))
            .map(|(hash, _)| hash.to_owned())
            .collect();
        assert!(
            expected.len() > 3 && expected.is_subset(&hits),
            "{word}: {} of {}",
            hits.len(),
            expected.len()
        );
    }
}

#[test]
fn queries_that_are_no_queries_do_no_harm() {
    let workshop = furnished(3);
    for query in [
        "",
        "\"",
        "(",
        "a AND",
        "*",
        "NEAR(",
        "quin*",
        "'; DROP TABLE chunks; --",
        "a:b",
        "-x",
        "\u{0}x",
        "日本語",
        "^",
    ] {
        if query.contains('\u{0}') {
            continue;
        }
        let ran = workshop.run(["search", "corpus.db", "--", query]);
        assert!(matches!(ran.code, Some(0 | 2)), "{query:?}: {ran:?}");
    }
    workshop.verify();
}

#[test]
fn the_export_holds_every_chunk_and_no_trace_of_its_history() {
    let workshop = furnished(4);
    let export = workshop.run(["export", "corpus.db"]).expect(0).stdout;
    let lines: Vec<serde_json::Value> =
        export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len().to_string(), workshop.one("SELECT count(*) FROM chunks"));
    let mut exported = BTreeSet::new();
    for line in &lines {
        let hash = line["content_hash"].as_str().unwrap();
        let content = workshop.one(&format!("SELECT content FROM chunks WHERE content_hash = '{hash}'"));
        assert_eq!(line["content"], content.as_str());
        assert!(line["sources"].as_array().is_some_and(|sources| !sources.is_empty()));
        exported.insert(hash.to_owned());
    }
    assert_eq!(exported.len(), lines.len());
    // Another history, the same tree: the same export.
    workshop.write("zz.txt", "Here for a while.\n");
    workshop.ingest(&[]);
    workshop.remove("zz.txt");
    workshop.ingest(&["--force-reprocess"]);
    assert_eq!(workshop.run(["export", "corpus.db"]).expect(0).stdout, export);
    let markdown = workshop.run(["export", "corpus.db", "--format", "markdown"]).expect(0).stdout;
    assert!(markdown.contains("quincunx") && markdown.contains("needle.md"));
}

#[test]
fn chunks_are_in_the_order_of_their_roots_however_many() {
    let workshop = Workshop::new();
    let names: Vec<String> = (0..11).map(|number| format!("root {}", 20 - number)).collect();
    for name in &names {
        std::fs::create_dir(workshop.path(name)).unwrap();
        std::fs::write(workshop.path(name).join("a.txt"), format!("Words of {name}.\n")).unwrap();
        workshop.ingest_root(name, &[]);
    }
    let export = workshop.run(["export", "corpus.db"]).expect(0).stdout;
    let texts: Vec<serde_json::Value> =
        export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected: Vec<String> = names.iter().map(|name| format!("Words of {name}.")).collect();
    assert!(texts.iter().map(|line| line["content"].as_str().unwrap().trim_end()).eq(expected), "{export}");
}

#[test]
fn an_export_may_be_of_some_files_only() {
    let workshop = furnished(8);
    let lines = |patterns: &[&str]| {
        let flags = patterns.iter().flat_map(|pattern| ["--path", pattern]);
        let words = ["export", "corpus.db"].into_iter().chain(flags);
        let lines = workshop.run(words).expect(0).stdout;
        lines.lines().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let all = lines(&[]);
    // The copy is chosen, and tells the chunks that are stored with the other file.
    let copy = lines(&["two/**"]);
    assert!(!copy.is_empty() && copy.is_subset(&all) && copy.len() < all.len());
    assert!(copy.iter().all(|line| line.contains("two/needle.md")));
    let rest = lines(&["!two", "!one"]);
    assert!(rest.is_subset(&all) && rest.is_disjoint(&copy), "{copy:?}");
}

#[test]
fn what_is_known_of_a_file_and_of_the_whole_is_told() {
    let workshop = furnished(9);
    let why = |name: &str| workshop.run(["why", "corpus.db", name, "--json"]).expect(0).json();
    let story = why("one/needle.md");
    let characters = workshop.run(["text", "corpus.db", "one/needle.md"]).expect(0).stdout.chars().count();
    assert_eq!(story["characters"], characters, "{story}");
    let counted =
        "SELECT count(*) FROM chunk_sources JOIN files USING(file_id) WHERE relative_path = 'one/needle.md'";
    assert_eq!(story["chunks"].to_string(), workshop.one(counted));
    assert!(
        story["copies"]
            .as_array()
            .unwrap()
            .iter()
            .any(|path| path.as_str().unwrap().ends_with("two/needle.md"))
    );
    assert!(why("two/needle.md")["read_as"].as_str().unwrap().ends_with("one/needle.md"));
    let told = workshop.run(["why", "corpus.db", "one/needle.md"]).expect(0).stdout;
    assert!(told.contains("  chunks    ") && told.contains("  copies    "), "{told}");
    let stats = workshop.run(["stats", "corpus.db", "--json"]).expect(0).json();
    let members = "SELECT count(*) FROM files WHERE file_type = 'member' AND processing_status <> 'Deleted'";
    assert_eq!(stats["members"].to_string(), workshop.one(members));
    let every_place = "SELECT sum(estimated_tokens) FROM chunk_sources JOIN chunks USING(chunk_id)";
    let copies = "SELECT coalesce(sum(c.estimated_tokens), 0) FROM files f
                  JOIN files c ON c.hash = f.hash AND c.is_canonical WHERE f.duplicate_status = 'duplicate'";
    let number = |query: &str| workshop.one(query).parse::<u64>().unwrap();
    let saved = number(every_place) - stats["tokens"].as_u64().unwrap() + number(copies);
    assert_eq!(stats["tokens_saved"], saved);
}

#[test]
fn the_text_of_a_file_is_told_whole_and_in_parts() {
    let workshop = furnished(5);
    let corpus = workshop.corpus();
    let files = workshop.rows(
        "SELECT file_id, relative_path FROM files WHERE is_canonical AND processing_status = 'Processed'",
    );
    for row in files.iter().step_by(5) {
        let (id, name) = row.split_once('|').unwrap();
        let text = clean_text(&corpus, id.parse().unwrap());
        let path = workshop.tree().join(name).display().to_string();
        let told = workshop.run(["text", "corpus.db", &path]).expect(0).stdout;
        assert!(told == text || told == format!("{text}\n"), "{name}: {told:?} {text:?}");
        let part = workshop
            .run(["text", "corpus.db", &path, "--offset", "7", "--limit", "20", "--json"])
            .expect(0)
            .json();
        let expected: String = text.chars().skip(7).take(20).collect();
        assert_eq!(part["text"], expected.as_str(), "{name}");
    }
    // A duplicate shows its canonical's text.
    let one = workshop.run(["text", "corpus.db", "one/needle.md"]).expect(0).stdout;
    assert_eq!(workshop.run(["text", "corpus.db", "two/needle.md"]).expect(0).stdout, one);
}

#[test]
fn readers_write_nothing() {
    let workshop = furnished(6);
    let before = std::fs::read(workshop.database()).unwrap();
    for words in [
        &["search", "corpus.db", "lantern"][..],
        &["stats", "corpus.db"],
        &["errors", "corpus.db"],
        &["export", "corpus.db"],
        &["verify", "corpus.db"],
        &["fingerprint", "corpus.db"],
        &["text", "corpus.db", "one/needle.md"],
        &["why", "corpus.db", "tree/one/needle.md"],
    ] {
        workshop.run(words).expect(0);
    }
    assert!(std::fs::read(workshop.database()).unwrap() == before);
    assert_eq!(std::fs::read_dir(workshop.path("")).unwrap().count(), 3);
}

#[test]
fn giving_space_back_changes_no_content() {
    let workshop = furnished(7);
    let before = workshop.fingerprint();
    for entry in std::fs::read_dir(workshop.tree()).unwrap().take(10) {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::write(path, "Short now.\n").unwrap();
        }
    }
    assert_ne!(workshop.ingest(&[])["changed"], 0);
    let fingerprint = workshop.fingerprint();
    assert_ne!(fingerprint, before);
    std::fs::copy(workshop.database(), workshop.path("loose.db")).unwrap();
    workshop.run(["compact", "corpus.db"]).expect(0);
    assert_same(&workshop.database(), &workshop.path("loose.db"));
    assert_eq!(workshop.fingerprint(), fingerprint);
    workshop.verify();
}
