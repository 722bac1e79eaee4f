//! `search --expand`: the text around hits is exact text of the document, and ends where sections and pages do.

use crate::cite::{documents, golden};
use crate::support::Workshop;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text around the first hit, its `expand` and whether it is truncated.
#[track_caller]
fn expanded(workshop: &Workshop, query: &str, expand: &str) -> (String, String, bool) {
    let found = workshop.run(["search", "corpus.db", query, "--expand", expand, "--json"]).expect(0).json();
    let expanded = &found["hits"][0]["expanded"];
    let text = |key: &str| expanded[key].as_str().unwrap_or_else(|| panic!("{found}")).to_owned();
    (text("text"), text("expand"), expanded["truncated"].as_bool().unwrap())
}

const GUIDE: &str = "# Guide\n\nBefore all else.\n\n## Install\n\nTake the quincunx.\n\n### Linux\n\nUnpack the tarball.\n\n\
                     ### Windows\n\nRun the wizard.\n\n## Use\n\nLight the lamp.\n";

fn guide() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("guide.md", GUIDE);
    workshop.ingest(&["--chunk-size", "16", "--chunk-overlap", "0"]);
    workshop
}

#[test]
fn a_section_is_what_is_below_the_headings_of_the_hit() {
    let workshop = guide();
    let (text, expand, truncated) = expanded(&workshop, "quincunx", "section");
    assert!(text.contains("Take the quincunx.") && text.contains("Run the wizard."), "{text}");
    assert!(!text.contains("Before all else") && !text.contains("Light the lamp"), "{text}");
    assert_eq!((expand.as_str(), truncated), ("section", false));
    let (text, ..) = expanded(&workshop, "tarball", "section");
    assert!(text.ends_with("Unpack the tarball.") && !text.contains("quincunx"), "{text}");
    let (text, ..) = expanded(&workshop, "tarball", "neighbours");
    assert!(text.contains("quincunx") && text.contains("wizard"), "{text}");
}

#[test]
fn the_output_for_people_shows_what_was_found_in_its_section() {
    let workshop = guide();
    let ran = workshop.run(["search", "corpus.db", "quincunx", "--expand", "section"]).expect(0);
    assert!(
        ran.stdout.contains("    Take the [quincunx].\n") && ran.stdout.contains("    Run the wizard.\n"),
        "{ran:?}"
    );
    let ran = workshop.run(["search", "corpus.db", "quincunx", "--expand", "page"]).expect(0);
    assert!(ran.stderr.contains("note: `guide.md` has no pages; its section instead\n"), "{ran:?}");
    workshop.run(["search", "corpus.db", "quincunx", "--expand", "chapter"]).expect(2);
    let plain = workshop.run(["search", "corpus.db", "quincunx", "--json"]).expect(0).json();
    assert!(plain["hits"][0].get("expanded").is_none(), "{plain}");
}

#[test]
fn expanded_text_is_bounded_around_the_hit() {
    let workshop = Workshop::new();
    let mut text = String::new();
    for number in 0..20_000 {
        let word = if number == 10_000 { "quincunx" } else { "lamp" };
        writeln!(text, "Line {number} has a {word}.").unwrap();
    }
    workshop.write("long.txt", &text);
    workshop.ingest(&[]);
    let (found, expand, truncated) = expanded(&workshop, "quincunx", "section");
    assert!(truncated && expand == "section" && found.contains("Line 10000 has a quincunx.\n"));
    assert!(found.len() <= 64 << 10 && found.len() > 60 << 10, "{}", found.len());
    assert!(found.starts_with("Line ") && found.ends_with("has a lamp."), "{found}");
    let at = found.find("quincunx").unwrap();
    assert!((20_000..46_000).contains(&at), "{at}");
}

/// Each hit's text around it, in every way, over the golden documents: exact bytes with a citation, the hit inside.
#[test]
fn expanded_text_is_exact_text_of_the_document() {
    let workshop = golden();
    let texts: BTreeMap<String, String> = documents(&workshop).into_iter().collect();
    let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
    for asked in ["section", "page", "neighbours"] {
        let words = ["search", "corpus.db", "the and of a in is to", "--match", "any", "--limit", "400"];
        let found = workshop.run(words.iter().chain(&["--expand", asked, "--json"])).expect(0).json();
        let hits = found["hits"].as_array().unwrap();
        assert!(hits.len() > 100, "{}", hits.len());
        for hit in hits {
            let (source, expanded) = (&hit["sources"][0], &hit["expanded"]);
            let number = |of: &Value, key: &str| of[key].as_u64().unwrap() as usize;
            let (start, end) = (number(expanded, "start"), number(expanded, "end"));
            let text = &texts[source["doc_uid"].as_str().unwrap()];
            assert_eq!(expanded["text"], text[start..end], "{expanded}");
            assert!(start <= number(source, "start") && number(source, "end") <= end, "{hit}");
            assert!(end - start <= 64 << 10, "{hit}");
            assert_eq!(expanded["note"].is_string(), expanded["expand"] != asked, "{hit}");
            let format = source["format"].as_str().unwrap().to_owned();
            *kinds.entry((format, expanded["expand"].as_str().unwrap().to_owned())).or_default() += 1;
        }
        let citation = hits[0]["expanded"]["citation"].as_str().unwrap();
        workshop.run(["cite", "corpus.db", citation]).expect(0);
    }
    for format in ["pdf", "pptx", "xls"] {
        assert!(kinds.contains_key(&(format.to_owned(), "page".to_owned())), "{kinds:?}");
    }
}
