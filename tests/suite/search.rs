//! Search against what one can find by reading every chunk: words in any script, filters, and a history that leaves no
//! trace in the order of hits.

use crate::editing::Editor;
use crate::material;
use crate::support::{Dice, Workshop, rounds, seed, with_seed};
use serde_json::Value;
use std::collections::BTreeSet;

/// Queries that meet every part of the language; words of the material that trees are filled with.
const QUERIES: &[&[&str]] = &[
    &["lantern"],
    &["lantern harbour"],
    &["lantern OR ledger NOT winter"],
    &["\"in the\""],
    &["lan* NEAR/4 sto*"],
    &["(storm OR salt) AND bell"],
    &["日本"],
    &["日本語 OR lantern"],
    &["ภาษา"],
    &["lantern NOT 日本語"],
    &["wide"],
    &["étude"],
    &["the", "--format", "md"],
    &["the", "--path", "*.d/**"],
    &["the path:*.txt NOT path:birch*"],
    &["heading:part"],
    &["keeper heading:part -format:html"],
];

/// Hits without what differs between two histories: the identity of files that went and came back.
fn hits(workshop: &Workshop, database: &str, words: &[&str]) -> (u64, Vec<Value>) {
    let mut all = vec!["search", database, "--limit", "10000", "--context", "1", "--json"];
    all.extend(&words[1..]);
    all.extend(["--", words[0]]);
    let mut found = workshop.run(all).expect(0).json();
    let Value::Array(mut hits) = found["hits"].take() else { panic!("{found}") };
    for hit in &mut hits {
        for source in hit["sources"].as_array_mut().unwrap() {
            for key in ["doc_uid", "citation", "table"] {
                source.as_object_mut().unwrap().remove(key);
            }
            for twin in source.get_mut("duplicates").and_then(Value::as_array_mut).into_iter().flatten() {
                twin.as_object_mut().unwrap().remove("doc_uid");
            }
        }
    }
    (found["total"].as_u64().unwrap(), hits)
}

/// Fails unless two databases of the workshop find the same, in the same order, with the same ranks.
#[track_caller]
pub fn assert_same_hits(workshop: &Workshop, found: &str, expected: &str) {
    for words in QUERIES {
        let (found, expected) = (hits(workshop, found, words), hits(workshop, expected, words));
        assert!(found == expected, "{words:?}: {found:#?}\n{expected:#?}");
        assert_eq!(found.0 as usize, found.1.len(), "{words:?}");
    }
}

#[test]
fn pages_of_hits_are_ranges_of_all_hits() {
    let workshop = Workshop::new();
    Editor::new(workshop.tree()).furnish(&mut Dice::new(3), 40);
    workshop.ingest(&["--chunk-size", "32", "--chunk-overlap", "4"]);
    let all = hits(&workshop, "corpus.db", &["lantern OR 日本"]).1;
    assert!(all.len() > 10);
    let mut paged = Vec::new();
    while paged.len() < all.len() {
        let offset = paged.len().to_string();
        let page = ["search", "corpus.db", "--limit", "7", "--offset", &offset, "--json", "lantern OR 日本"];
        let page = workshop.run(page).expect(0).json();
        assert_eq!(page["total"].as_u64().unwrap() as usize, all.len());
        paged.extend(page["hits"].as_array().unwrap().iter().map(|hit| hit["content_hash"].clone()));
    }
    let hashes: Vec<Value> = all.iter().map(|hit| hit["content_hash"].clone()).collect();
    assert_eq!(paged, hashes);
}

/// One chunk with one of its places.
struct Place {
    hash: String,
    content: String,
    paths: Vec<String>,
    format: String,
    extensions: Vec<String>,
    heading: String,
}

/// Every place of every chunk, with the copies of its file, read with SQL of the test's own.
fn places(workshop: &Workshop) -> Vec<Place> {
    let corpus = workshop.corpus();
    let mut statement = corpus
        .prepare(
            "SELECT c.content_hash, c.content, coalesce(f.format, ''), coalesce(s.heading_path, ''),
                    (SELECT json_group_array(n.relative_path) FROM files n
                     WHERE n.hash = f.hash AND n.processing_status = 'Processed'),
                    (SELECT json_group_array(n.file_extension) FROM files n
                     WHERE n.hash = f.hash AND n.processing_status = 'Processed')
             FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)",
        )
        .unwrap();
    let list = |text: String| serde_json::from_str::<Vec<String>>(&text).unwrap();
    let rows = statement.query_map([], |row| {
        Ok(Place {
            hash: row.get(0)?,
            content: row.get(1)?,
            format: row.get(2)?,
            heading: row.get(3)?,
            paths: list(row.get(4)?),
            extensions: list(row.get(5)?),
        })
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
}

/// The patterns that the test knows: a folder with all in it, an extension, a name.
fn chooses(pattern: &str, path: &str) -> bool {
    match (pattern.strip_suffix("/**"), pattern.strip_prefix("*.")) {
        (Some(folder), _) => path.starts_with(&format!("{folder}/")),
        (_, Some(extension)) => path.ends_with(&format!(".{extension}")),
        _ => path.split('/').any(|part| part == pattern),
    }
}

#[test]
fn filters_choose_what_a_look_at_every_place_chooses() {
    with_seed(seed(), |dice| {
        let workshop = Workshop::new();
        for number in 0..rounds(60) {
            let folder = dice.pick(&["docs", "docs/old", "src", "src/docs", "a b"]);
            let (extension, bytes) = material::file(dice);
            workshop.write(format!("{folder}/{number}.{extension}"), &bytes);
            if dice.chance(30) {
                let folder = dice.pick(&["docs", "copies"]);
                let extension = if dice.chance(20) { "log" } else { extension };
                workshop.write(format!("{folder}/copy{number}.{extension}"), &bytes);
            }
        }
        workshop.ingest(&["--chunk-size", "32", "--chunk-overlap", "4"]);
        let places = places(&workshop);
        for _ in 0..rounds(60) {
            let word = dice.pick(&["lantern", "harbour", "the", "ledger", "bell"]);
            let patterns = ["docs/**", "src/**", "*.md", "*.log", "copies", "docs", "docs/old/**", "a b/**"];
            let wanted = dice.chance(60).then(|| dice.pick(&patterns));
            let other = (wanted.is_some() && dice.chance(30)).then(|| dice.pick(&patterns));
            let left_out = dice.chance(30).then(|| dice.pick(&patterns));
            let format =
                dice.chance(40).then(|| dice.pick(&["markdown", "md", "txt", "html", "log", ".MD", "rs"]));
            let heading = dice.chance(20).then_some("part");
            let mut query = word.to_owned();
            let mut words: Vec<String> = Vec::new();
            for (at, pattern) in wanted.iter().chain(&other).enumerate() {
                match at {
                    0 if !pattern.contains(' ') => query.push_str(&format!(" path:{pattern}")),
                    _ => words.extend(["--path".to_owned(), (*pattern).to_owned()]),
                }
            }
            words.extend(left_out.iter().flat_map(|pattern| ["--path".to_owned(), format!("!{pattern}")]));
            words.extend(format.iter().flat_map(|name| ["--format".to_owned(), (*name).to_owned()]));
            query.extend(heading.iter().map(|heading| format!(" heading:{heading}")));
            let expected: BTreeSet<&str> = places
                .iter()
                .filter(|place| has_word(&place.content, word))
                .filter(|place| heading.is_none_or(|heading| has_word(&place.heading, heading)))
                .filter(|place| {
                    place.paths.iter().zip(&place.extensions).any(|(path, extension)| {
                        let name = format.map(|name| name.trim_start_matches('.').to_lowercase());
                        let asked = wanted.iter().chain(&other);
                        (wanted.is_none() || asked.clone().any(|pattern| chooses(pattern, path)))
                            && left_out.is_none_or(|pattern| !chooses(pattern, path))
                            && name.is_none_or(|name| name == place.format || name == *extension)
                    })
                })
                .map(|place| place.hash.as_str())
                .collect();
            let mut flags = vec![query.as_str()];
            flags.extend(words.iter().map(String::as_str));
            let found = hits(&workshop, "corpus.db", &flags).1;
            let found: BTreeSet<&str> =
                found.iter().map(|hit| hit["content_hash"].as_str().unwrap()).collect();
            assert_eq!(found, expected, "{flags:?}");
        }
    });
}

/// The letters of a text as the second table sees them: those of scripts without spaces one by one, other words whole.
fn letters(text: &str) -> String {
    let mut out = String::new();
    let mut is_word = false;
    for c in text.chars() {
        let alone = matches!(c, '\u{e00}'..='\u{eff}' | '\u{3041}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
        let is_mark =
            matches!(c, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{300}'..='\u{36f}');
        if is_mark || !(c.is_alphanumeric() || alone) {
            is_word = false;
        } else if alone {
            out.push(c);
            is_word = false;
        } else {
            if !is_word {
                out.push('\u{1}');
            }
            is_word = true;
            out.extend(c.to_lowercase());
        }
    }
    out
}

#[test]
fn scripts_without_spaces_are_found_by_any_part() {
    const LINES: &[&str] = &[
        "全文検索は日本語の文章でも動きます。東京タワーへ行った。",
        "数据库使用SQLite存储全文索引，中国的用户可以搜索任何词语。",
        "국회는 의원의 자격을 심사하며, 한국어를 공부합니다.",
        "ภาษาไทยเป็นภาษาที่มีระดับเสียง และเขียนติดกัน",
        "Plain words with SQLite and 数据 between them.",
        "Nothing but plain words here, sqlite too.",
    ];
    with_seed(seed(), |dice| {
        let workshop = Workshop::new();
        for number in 0..40 {
            let count = 1 + dice.below(12);
            let lines: Vec<&str> = (0..count).map(|_| dice.pick(LINES)).collect();
            workshop.write(format!("{number}.txt"), lines.join("\n\n"));
        }
        workshop.ingest(&["--chunk-size", "40", "--chunk-overlap", "0"]);
        let places = places(&workshop);
        for _ in 0..rounds(60) {
            let line: Vec<char> = dice.pick(&LINES[..4]).chars().collect();
            let from = dice.below(line.len());
            let query: String = line[from..].iter().take(1 + dice.below(5)).collect();
            let asked = letters(&query);
            // A sign belongs to the letter before it.
            let begins_with_sign = query.starts_with(unicode_normalization::char::is_combining_mark);
            if asked.is_empty() || asked.contains('\u{1}') || begins_with_sign {
                continue;
            }
            let expected: BTreeSet<&str> = places
                .iter()
                .filter(|place| letters(&place.content).contains(&asked))
                .map(|place| place.hash.as_str())
                .collect();
            let found = hits(&workshop, "corpus.db", &[&query, "--match", "all"]).1;
            for hit in &found {
                let snippet = hit["snippet"].as_str().unwrap();
                assert!(snippet.contains('⟦') && snippet.contains('⟧'), "{query}: {snippet}");
            }
            let found: BTreeSet<&str> =
                found.iter().map(|hit| hit["content_hash"].as_str().unwrap()).collect();
            assert_eq!(found, expected, "{query}");
            assert!(!found.is_empty());
        }
        // A word of another script that is glued to such letters is found too.
        let glued = hits(&workshop, "corpus.db", &["sqlite"]).1;
        assert!(glued.iter().any(|hit| hit["content"].as_str().unwrap().contains("使用SQLite存储")));
        let without = hits(&workshop, "corpus.db", &["sqlite NOT 数据"]).1;
        assert!(!without.is_empty());
        assert!(without.iter().all(|hit| !hit["content"].as_str().unwrap().contains("数据")));
        // Off and on again: the table comes back as it was.
        let before = hits(&workshop, "corpus.db", &["日本 OR plain"]);
        std::fs::write(workshop.path("off.toml"), "[store]\nfts = false\n").unwrap();
        workshop.ingest(&["--config", "off.toml"]);
        let refused = workshop.run(["search", "corpus.db", "日本"]).expect(5).stderr;
        assert!(refused.contains("store.fts"), "{refused}");
        workshop.ingest(&[]);
        assert_eq!(hits(&workshop, "corpus.db", &["日本 OR plain"]), before);
        for _ in 0..6 {
            let name = format!("{}.txt", dice.below(40));
            workshop.write(name, dice.pick(LINES));
        }
        workshop.ingest(&[]);
        workshop.clean_fingerprint(&["--chunk-size", "40", "--chunk-overlap", "0"]);
        for query in ["日本", "数据库", "한국어", "ไทย", "plain sqlite"] {
            assert_eq!(
                hits(&workshop, "corpus.db", &[query]),
                hits(&workshop, "clean.db", &[query]),
                "{query}"
            );
        }
    });
}

/// Each query with a part of what stderr says, and whether it is refused.
const MISTYPED: &[(&str, &str, bool)] = &[
    ("", "the query is empty", true),
    ("   ", "the query is empty", true),
    ("\"", "has no letter or digit", false),
    ("***", "`***` has no letter or digit", false),
    ("\"()\"", "has no letter or digit", false),
    ("LAMP AND", "`AND` at character 6 connects nothing", true),
    ("LAMP OR OR FOG", "`OR` at character 6 connects nothing", true),
    ("path:docs NOT lamp", "`NOT` at character 11 only leaves words out", true),
    // A question, whatever signs it has.
    ("\"lamp", "", false),
    ("lamp \"fog horn", "", false),
    ("(lamp OR fog", "OR: one of its sides is enough", false),
    ("lamp AND", "", false),
    ("OR lamp", "", false),
    ("NOT lamp", "", false),
    ("NEAR(lamp fog", "", false),
    ("lamp OR path:docs", "`path:docs` narrows the whole search", false),
    ("lamp heading:", "", false),
    ("C++", "found", false),
    ("foo-bar", "found", false),
    ("don't", "found", false),
    ("a/b.rs", "found", false),
    ("me@example.org", "found", false),
    ("v1.2.3-rc1", "found", false),
    ("lamp)", "found", false),
    ("f(x)", "found", false),
    ("lamp - fog", "", false),
    ("author:smith", "", false),
    ("lamp -fog", "a minus sign leaves out \"fog\"", false),
];

#[test]
fn mistyped_queries_are_explained_or_understood() {
    let workshop = Workshop::new();
    workshop.write(
        "a.md",
        "C++ and foo-bar; don't read a/b.rs, mail me@example.org about v1.2.3-rc1, or f(x) to author: smith.\n",
    );
    workshop.ingest(&[]);
    for (query, told, is_refused) in MISTYPED {
        let ran = workshop.run(["search", "corpus.db", "--", query]);
        assert_eq!(ran.code, Some(if *is_refused { 2 } else { 0 }), "{query:?}: {ran:?}");
        assert!(ran.stderr.contains(told), "{query:?}: {ran:?}");
        assert_eq!(ran.stderr.contains("\nhint: "), *is_refused, "{query:?}: {ran:?}");
        for word in ["fts", "sql", "syntax", "MATCH", "column:"] {
            assert!(!ran.stderr.to_lowercase().contains(word), "{query:?}: {ran:?}");
        }
    }
    for query in ["C++", "foo-bar", "don't", "a/b.rs", "me@example.org", "v1.2.3-rc1", "f(x)"] {
        assert_eq!(hits(&workshop, "corpus.db", &[query]).0, 1, "{query}");
    }
    assert_eq!(hits(&workshop, "corpus.db", &["bar-foo", "--match", "all"]).0, 0);
    let found = workshop.run(["search", "corpus.db", "bar-foo", "--json"]).expect(0).json();
    assert_eq!(
        (&found["total"], &found["match"], &found["mode"]),
        (&1.into(), &"any".into(), &"words".into())
    );
    assert_eq!(found["notes"][0], "no hit has all 2 words; ranked by any of them");
}

#[test]
fn a_hit_tells_where_it_stands_and_what_was_found() {
    let workshop = Workshop::new();
    let text = "# Über\n\n## Install\n\nDie Größe der Lampe, 日本語 und 👩‍👩‍👧, and the lamp.\n";
    workshop.write("docs/a.md", text);
    for number in 0..20 {
        workshop.write(format!("copies/{number:02}.md"), text);
    }
    workshop.ingest(&[]);
    let found =
        workshop.run(["search", "corpus.db", "GROSSE lamp*", "--match", "all", "--json"]).expect(0).json();
    assert_eq!(found["total"], 0, "{found}");
    let found = workshop.run(["search", "corpus.db", "größe lamp*", "--json"]).expect(0).json();
    let hit = &found["hits"][0];
    let content: Vec<char> = hit["content"].as_str().unwrap().chars().collect();
    let marked: Vec<String> = hit["highlights"]
        .as_array()
        .unwrap()
        .iter()
        .map(|range| {
            let at = |side: usize| range[side].as_u64().unwrap() as usize;
            content[at(0)..at(1)].iter().collect()
        })
        .collect();
    assert_eq!(marked, ["Größe", "Lampe", "lamp"]);
    assert!(hit["snippet"].as_str().unwrap().contains("Die ⟦Größe⟧ der ⟦Lampe⟧, 日本語"), "{hit}");
    assert_eq!(hit["source_count"], 1);
    let source = &hit["sources"][0];
    assert_eq!(source["relative_path"], "copies/00.md");
    assert_eq!(source["heading_path"], "Über > Install");
    assert!(source["locator"]["line"].is_array() && source["doc_uid"].is_string(), "{source}");
    assert_eq!(source["duplicates"].as_array().unwrap().len(), 20);
    let several = workshop.run(["search", "corpus.db", "größe", "lampe", "--json"]).expect(0).json();
    assert_eq!((&several["query"], &several["total"]), (&"größe lampe".into(), &1.into()));
    let told = workshop.run(["search", "corpus.db", "lampe", "--path", "docs/**"]).expect(0);
    assert!(told.stdout.contains("17 more)") && told.stdout.contains("[Lampe]"), "{told:?}");
    assert!(!told.stdout.contains('⟦') && told.stderr.contains("1 chunk found"), "{told:?}");
    assert_eq!(hits(&workshop, "corpus.db", &["lampe", "--path", "nowhere/**"]).0, 0);
}

#[test]
fn a_text_in_several_documents_is_found_by_the_name_of_any() {
    let workshop = Workshop::new();
    let seen = "At dusk the keeper saw a light that stood in the fog as high as the tower, and it turned.";
    workshop.write("tree/a copy.txt", seen);
    workshop.write("tree/second edition.txt", seen);
    workshop.write(
        "tree/second thoughts.txt",
        "A light coat hangs behind the door of the tower, and fog is no excuse.",
    );
    workshop.run(["ingest", "tree", "corpus.db"]).expect(0);
    let (_, found) = hits(&workshop, "corpus.db", &["second edition light fog"]);
    assert_eq!(found[0]["content"], seen, "{found:#?}");
}

#[test]
fn the_name_of_a_document_does_not_choose_among_its_passages() {
    let workshop = Workshop::new();
    let names = "# Branches\n\nOil Lamps Limited. Oil Lamps East. Oil Lamps West. Oil Lamps North. Oil Lamps South.\n";
    let told =
        "# Wicks\n\nA wick of the company lasts four nights, as its keepers found out in the winter.\n";
    workshop.write("tree/Oil Lamps report.md", format!("{names}\n{told}"));
    workshop.write(
        "tree/Glass report.md",
        "# Wicks\n\nA wick is not made here. The lamps that need one need oil.\n",
    );
    workshop.run(["ingest", "tree", "corpus.db", "--chunk-size", "40"]).expect(0);
    let (_, found) = hits(&workshop, "corpus.db", &["how long does a wick of Oil Lamps last?"]);
    assert!(told.contains(found[0]["content"].as_str().unwrap().trim()), "{found:#?}");
}

#[test]
fn a_document_is_found_by_another_spelling_of_its_name() {
    let workshop = Workshop::new();
    let told = "The keepers of the lamp were paid more for their oil";
    workshop.write("tree/report_2021.md", format!("{told} and for the oil of others.\n"));
    workshop.write("tree/report_2022.md", format!("{told}, or were not, as every year in the fog.\n"));
    workshop.write("tree/Hafenstrasse.md", format!("{told}, or were not, as every night at the pier.\n"));
    workshop.run(["ingest", "tree", "corpus.db"]).expect(0);
    for (asked, name) in [
        ("oil in FY2022", "report_2022.md"),
        ("oil FY22", "report_2022.md"),
        ("Öl oil Hafenstraße", "Hafenstrasse.md"),
    ] {
        let (_, found) = hits(&workshop, "corpus.db", &[asked]);
        assert!(
            found[0]["sources"][0]["relative_path"].as_str().unwrap().ends_with(name),
            "{asked}: {found:#?}"
        );
    }
}

#[test]
fn a_part_of_a_compound_is_found_however_it_is_spelled() {
    let workshop = Workshop::new();
    workshop
        .write("tree/a.md", "Die Häuser sind groß und die Bäume alt. Fußgängerüberwege waren gesperrt.\n");
    workshop
        .write("tree/b.md", "Der Hund lief über die Straße und bellte laut, weil ein anderer Hund kam.\n");
    workshop.write("tree/c.md", "Wir haben gestern gegessen und getrunken, aber nicht gesungen.\n");
    workshop.run(["ingest", "tree", "corpus.db"]).expect(0);
    for asked in ["Fußgänger", "Fussgänger", "Fussgaenger", "Haus"] {
        let (total, found) = hits(&workshop, "corpus.db", &[asked]);
        assert_eq!(total, 1, "{asked}");
        assert!(found[0]["content"].as_str().unwrap().contains("Häuser"), "{asked}: {found:#?}");
    }
}

#[test]
fn words_that_follow_each_other_as_asked_come_before_a_shorter_text() {
    let workshop = Workshop::new();
    let asked =
        "The lamp-oil lists need the co-operative and its best-before dates, in the order of its shelves.\n";
    workshop.write("tree/a.md", format!("# Store\n\n{asked}"));
    workshop.write("tree/b.md", "# Store\n\nOil for a lamp by boat.\n");
    workshop.run(["ingest", "tree", "corpus.db"]).expect(0);
    let (_, found) = hits(&workshop, "corpus.db", &["lamp oil"]);
    assert!(found[0]["content"].as_str().unwrap().contains("lamp-oil"), "{found:#?}");
}

#[test]
fn a_hit_is_shown_under_a_name_that_was_asked_for() {
    let workshop = Workshop::new();
    for name in ["a/one.md", "b/two.md", "c/three.markdown"] {
        workshop.write(name, "# Lamps\n\nA quincunx.\n");
    }
    workshop.ingest(&[]);
    let check = |flags: &[&str], expected: &str, others: [&str; 2]| {
        let words = ["search", "corpus.db", "quincunx", "--json"];
        let found = workshop.run(words.iter().chain(flags)).expect(0).json();
        let source = &found["hits"][0]["sources"][0];
        let uid = workshop.one(&format!("SELECT doc_uid FROM files WHERE relative_path = '{expected}'"));
        assert_eq!(
            (&source["relative_path"], &source["doc_uid"]),
            (&expected.into(), &uid.into()),
            "{source}"
        );
        let copies: Vec<&str> = source["duplicates"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|twin| twin["name"].as_str())
            .collect();
        assert_eq!(copies, others, "{source}");
    };
    check(&[], "a/one.md", ["b/two.md", "c/three.markdown"]);
    check(&["--path", "b/**"], "b/two.md", ["a/one.md", "c/three.markdown"]);
    check(&["--path", "!a"], "b/two.md", ["a/one.md", "c/three.markdown"]);
    check(&["--format", ".MARKDOWN", "--path", "c"], "c/three.markdown", ["a/one.md", "b/two.md"]);
    check(&["--format", "markdown"], "a/one.md", ["b/two.md", "c/three.markdown"]);
}

#[test]
fn filters_that_no_file_answers_to_are_told() {
    let workshop = Workshop::new();
    workshop.write("a.md", "# Lamps\n\nA quincunx.\n");
    workshop.write("b.txt", "Something else.\n");
    workshop.ingest(&[]);
    let check = |query: &str, flags: &[&str], notes: &[&str]| {
        let words = ["search", "corpus.db", query, "--json"];
        let found = workshop.run(words.iter().chain(flags)).expect(0).json();
        let mut told = found["notes"].as_array().unwrap().clone();
        told.retain(|note| !note.as_str().unwrap().ends_with("narrows the whole search"));
        assert_eq!(told, notes, "{found}");
    };
    let format = "no file with text has the format or extension `pdff`; the formats here are markdown, text";
    let path = "no file with text lies where the paths that are asked for say";
    check("quincunx", &["--format", "pdff"], &[format]);
    check("quincunx format:pdff path:docs/**", &[], &[format, path]);
    check("quincunx", &["--path", "*.txt", "--format", "txt"], &[]);
    check("nothing", &["--format", "MD"], &["`nothing` does not occur"]);
    check("quincunx", &["--format", "pdff", "--format", "md"], &[]);
}

#[test]
fn members_are_told_by_the_way_to_them() {
    let workshop = Workshop::new();
    let mail = "From: a@b.org\r\nSubject: Lamps\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
        --x\r\nContent-Type: text/plain\r\n\r\nSee the paper.\r\n--x\r\nContent-Type: text/plain\r\n\
        Content-Disposition: attachment; filename=\"report.txt\"\r\n\r\nThe quincunx stands here.\r\n--x--\r\n";
    workshop.write("post/mail.eml", mail);
    workshop.ingest(&[]);
    let found = workshop.run(["search", "corpus.db", "quincunx path:mail.eml", "--json"]).expect(0).json();
    let name = found["hits"][0]["sources"][0]["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("post/mail.eml » ") && name.ends_with(" » report.txt"), "{found}");
    let told = workshop.run(["search", "corpus.db", "quincunx"]).expect(0).stdout;
    assert!(told.contains(&format!("tree/{name}")), "{told}");
    for (asked, hint) in [
        ("post/mail.eml » 7", format!("hint: `post/mail.eml` contains `{name}`\n")),
        ("post/mail.eml » 2 » other.txt", format!("hint: `post/mail.eml` contains `{name}`\n")),
        (&*format!("{name} » 1 » a.txt"), format!("hint: `{name}` contains no documents\n")),
        ("letter.eml » 1", "or the end of either\n".to_owned()),
    ] {
        for command in ["why", "text"] {
            let told = workshop.run([command, "corpus.db", asked]).expect(4).stderr;
            assert!(told.ends_with(&hint), "{told}");
        }
    }
}
