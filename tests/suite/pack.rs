//! Packs: never over the budget, nothing twice, every piece with a citation that holds.

use crate::http::Server;
use crate::support::{Dice, Workshop, rounds, seed, with_seed};
use pensieve_store::embedding::QuestionEmbedder;
use pensieve_store::retrieval::{Citation, Pack, PackError, PackFormat, PackOptions, pack};
use pensieve_store::store::Store;
use pensieve_text::text::tokens::Tokenizer;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const FORMATS: [PackFormat; 3] = [PackFormat::Markdown, PackFormat::Json, PackFormat::Xml];

/// The golden documents and a long text of sentences that do not repeat.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pensieve-readers/tests/golden");
    for format in fs::read_dir(golden).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        for file in fs::read_dir(format.path()).unwrap().flatten().filter(|file| file.path().is_file()) {
            let name = file.path().strip_prefix(format.path()).unwrap().display().to_string();
            workshop
                .write(format!("{}/{name}", format.file_name().display()), fs::read(file.path()).unwrap());
        }
    }
    workshop.write("long.md", long_text());
    workshop.ingest(&["--threads", "2", "--chunk-size", "100"]);
    workshop
}

fn long_text() -> String {
    let mut text = String::new();
    for part in 0..60 {
        write!(text, "# Part {part}\n\n").unwrap();
        for paragraph in 0..12 {
            let number = part * 12 + paragraph;
            write!(
                text,
                "The harbour log of day {number} names ship {} and its cargo of {} barrels. ",
                number * 7919 % 10_007,
                number * 31 % 997
            )
            .unwrap();
            write!(text, "The pilot wrote {} lines about it, {} of them on fog.\n\n", number + 3, number % 5)
                .unwrap();
        }
    }
    text
}

fn questions(workshop: &Workshop, dice: &mut Dice) -> Vec<String> {
    let texts = workshop.rows("SELECT replace(content, '|', ' ') FROM chunks ORDER BY content_hash");
    let mut questions: Vec<String> = Vec::new();
    for _ in 0..rounds(3) {
        let text = dice.pick(&texts);
        let words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !["AND", "OR", "NOT", "NEAR"].contains(word))
            .collect();
        if !words.is_empty() {
            let from = dice.below(words.len());
            questions.push(words[from..words.len().min(from + 1 + dice.below(6))].join(" "));
        }
    }
    questions.push("which harbour log names fog and barrels?".to_owned());
    questions.push("wholly unknownest xyzzyplugh".to_owned());
    questions
}

/// What holds for every pack.
#[track_caller]
fn check(store: &Store, options: &PackOptions) -> Option<Pack> {
    let packed = match pack(store, options, &QuestionEmbedder::none()) {
        Ok(packed) => packed,
        Err(PackError::SmallBudget { needed, .. }) => {
            assert!(needed > options.budget, "{options:?}");
            return None;
        }
        Err(error) => panic!("{error}: {options:?}"),
    };
    let mut counter = Tokenizer::named(&packed.tokenizer).unwrap().counter();
    let written = match options.format {
        // An object describes the Markdown of the same budget.
        PackFormat::Json => {
            let options = PackOptions { format: PackFormat::Markdown, ..options.clone() };
            let markdown = pack(store, &options, &QuestionEmbedder::none()).unwrap();
            assert_eq!((&markdown.pieces, &markdown.notes), (&packed.pieces, &packed.notes), "{options:?}");
            markdown.output
        }
        _ => packed.output.clone(),
    };
    assert_eq!(counter.count(&written), packed.tokens, "{options:?}");
    assert!(packed.tokens <= options.budget, "{} tokens: {options:?}", packed.tokens);
    let mut spans = Vec::new();
    for (at, piece) in packed.pieces.iter().enumerate() {
        assert_eq!(piece.number, at + 1);
        assert!(packed.output.contains(&piece.citation), "{} is not told: {options:?}", piece.citation);
        let citation: Citation = piece.citation.parse().unwrap();
        assert!(citation.names(&piece.text), "{citation} of {:?}: {options:?}", piece.text);
        assert_eq!(citation.span, piece.start..piece.end, "{options:?}");
        let text = store.documents().clean_text(&piece.doc_uid).unwrap().unwrap();
        assert_eq!(text.words(piece.start..piece.end).unwrap().as_deref(), Some(piece.text.as_str()));
        assert_eq!(counter.count(&piece.text), piece.tokens);
        assert!(
            piece.text.trim_end() == piece.text && !piece.text.starts_with('\n'),
            "{:?}: {options:?}",
            piece.text
        );
        spans.push((piece.doc_uid.clone(), piece.start, piece.end));
    }
    spans.sort();
    let overlap = spans.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].2 > pair[1].1);
    assert!(overlap.is_none(), "{overlap:?}: {options:?}");
    if options.format == PackFormat::Json {
        let json: serde_json::Value = serde_json::from_str(&packed.output).unwrap();
        assert_eq!(json, serde_json::to_value(&packed).unwrap());
    }
    Some(packed)
}

#[test]
fn packs_keep_to_their_budget_in_every_format_and_encoding() {
    let workshop = workshop();
    let store = Store::open_for_reading(&workshop.database()).unwrap();
    with_seed(seed(), |dice| {
        for question in questions(&workshop, dice) {
            for (at, budget) in [60, 130, 400, 1_000, 3_000, 32_000].into_iter().enumerate() {
                for format in FORMATS.into_iter().skip(at / 5 * dice.below(3)) {
                    let tokenizer = Tokenizer::NAMES[(at + dice.below(7)) % 7].to_owned();
                    let options = PackOptions {
                        question: question.clone(),
                        budget,
                        format,
                        tokenizer: Some(tokenizer),
                        max_per_document: dice.chance(20).then_some(1 + dice.below(3)),
                        hides_paths: dice.chance(20),
                        ..PackOptions::default()
                    };
                    let packed = check(&store, &options);
                    let per_document = options.max_per_document.unwrap_or(usize::MAX);
                    for piece in packed.iter().flat_map(|packed| &packed.pieces) {
                        let same = packed.iter().flat_map(|packed| &packed.pieces);
                        let same = same.filter(|other| other.doc_uid == piece.doc_uid).count();
                        assert!(same <= per_document, "{options:?}");
                        assert_eq!(piece.path.is_none(), options.hides_paths);
                    }
                }
            }
        }
    });
}

#[test]
fn a_budget_is_filled_where_the_documents_have_that_much() {
    let workshop = Workshop::new();
    workshop.write("long.md", long_text());
    workshop.ingest(&["--chunk-size", "100"]);
    let store = Store::open_for_reading(&workshop.database()).unwrap();
    for question in ["which harbour log names fog?", "ship 7919", "\"day 300\""] {
        for budget in [300, 500, 777, 2_000, 12_000] {
            for format in FORMATS {
                let question = question.to_owned();
                let options = PackOptions { question, budget, format, ..PackOptions::default() };
                let packed = check(&store, &options).unwrap();
                assert!(packed.tokens * 100 >= budget * 95, "{} of {options:?}", packed.tokens);
            }
        }
    }
    let options =
        PackOptions { question: "\"day 300\"".to_owned(), budget: usize::MAX, ..PackOptions::default() };
    let packed = check(&store, &options).unwrap();
    assert_eq!(packed.pieces.len(), 1, "the whole document");
    assert!(packed.notes.iter().any(|note| note.contains("not filled")), "{:?}", packed.notes);
}

#[test]
fn nothing_is_in_a_pack_twice() {
    let workshop = Workshop::new();
    let story =
        "The keeper of the north light counted nine grey geese over the sound before the storm came in.";
    workshop.write("a.txt", format!("{story}\n\nHe wrote it down.\n"));
    workshop.write("b.txt", format!("Copied by hand:\n\n{story}\n"));
    workshop.write("c.txt", format!("{}\n", story.replace("grey", "gray")));
    workshop.write("d.txt", "Geese eat grass; a keeper of geese needs a meadow.\n");
    workshop.ingest(&[]);
    let packed = workshop.run(["pack", "corpus.db", "keeper grey geese", "--json"]).expect(0).json();
    let texts: Vec<&str> =
        packed["pieces"].as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect();
    assert_eq!(texts.iter().filter(|text| text.contains("north light")).count(), 1, "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("meadow")), "{texts:?}");
}

#[test]
fn a_pack_is_printed_in_three_formats() {
    let workshop = Workshop::new();
    let text = "# Guide\n\n## Lamp\n\nFill the lamp at dusk.\n\n```\nfill --lamp <oil>\n```\n\nTrim the wick & wait.\n";
    workshop.write("guide.md", text);
    workshop.ingest(&[]);
    let uid = workshop.one("SELECT doc_uid FROM files WHERE filename = 'guide.md'");
    let citation = |ran: &str| {
        let start = ran.find("pensieve:").unwrap();
        ran[start..].split(|c: char| c.is_whitespace() || c == '<' || c == '"').next().unwrap().to_owned()
    };
    let ran = workshop.run(["pack", "corpus.db", "lamp", "at", "dusk", "--budget", "500"]).expect(0);
    let named = citation(&ran.stdout);
    assert!(named.starts_with(&format!("pensieve:{}/", &uid[..8])), "{named}");
    let body = text.trim_end();
    let expected = format!("## 1. guide.md | lines 1-11 | Guide > Lamp | {named}\n````text\n{body}\n````\n");
    assert_eq!(ran.stdout, expected);
    let xml =
        workshop.run(["pack", "corpus.db", "lamp at dusk", "--budget", "500", "--format", "xml"]).expect(0);
    assert_eq!(
        xml.stdout,
        format!(
            "<documents>\n<document index=\"1\">\n<source>guide.md</source>\n<place>lines 1-11</place>\n\
             <heading>Guide > Lamp</heading>\n<citation>{named}</citation>\n\
             <document_content>\n<![CDATA[{body}]]>\n</document_content>\n</document>\n</documents>\n"
        )
    );
    let json =
        workshop.run(["pack", "corpus.db", "lamp at dusk", "--budget", "500", "--json"]).expect(0).json();
    assert_eq!(
        (json["pieces"][0]["text"].as_str(), json["pieces"][0]["citation"].as_str()),
        (Some(body), Some(&*named))
    );
    assert_eq!(json["budget"], 500);
    let filtered = ["pack", "corpus.db", "lamp", "--type", "pdf", "--json"];
    let filtered = workshop.run(filtered).expect(0).json();
    assert_eq!(filtered["pieces"], serde_json::json!([]));
    assert!(filtered["notes"].as_array().unwrap().iter().any(|note| note == "nothing found"), "{filtered}");
    let none = workshop.run(["pack", "corpus.db", "xyzzyplugh"]).expect(0);
    assert_eq!(none.stdout, "");
    assert!(none.stderr.contains("note: nothing found"), "{}", none.stderr);
    let small = workshop.run(["pack", "corpus.db", "lamp", "--format", "xml", "--budget", "9"]).expect(0);
    assert!(small.stderr.contains("no part of it fits"), "{}", small.stderr);
    let small = workshop.run(["pack", "corpus.db", "lamp", "--json", "--budget", "9"]).expect(0);
    assert!(small.stderr.contains("no part of it fits"), "{}", small.stderr);
    workshop.run(["pack", "corpus.db", "LAMP AND"]).expect(2);
    workshop.run(["pack", "corpus.db", "lamp", "--tokenizer", "p50k"]).expect(2);
    workshop.run(["pack", "corpus.db", "lamp", "--max-per-document", "0"]).expect(2);
}

#[test]
fn the_server_packs_without_absolute_paths() {
    let workshop = Workshop::new();
    workshop.write("guide.md", "Fill the lamp at dusk.\n");
    workshop.ingest(&[]);
    let server = Server::start(&workshop, &[]);
    let answer = server.get("/api/v3/pack?question=lamp+at+dusk&budget=400").text();
    let packed: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(packed["pieces"][0]["text"], "Fill the lamp at dusk.");
    assert!(packed["pieces"][0].get("path").is_none(), "{packed}");
    let mut counter = Tokenizer::named("cl100k_base").unwrap().counter();
    let markdown = workshop.run(["pack", "corpus.db", "lamp at dusk", "--budget", "400"]).expect(0).stdout;
    assert_eq!(packed["tokens"], counter.count(&markdown));
    assert_eq!(server.json("/api/v3/pack?question=xyzzyplugh")["pieces"], serde_json::json!([]));
    let small = server.json("/api/v3/pack?question=lamp&budget=5");
    assert!(small["notes"].to_string().contains("no part of it fits"), "{small}");
    server.refuses("/api/v3/pack?question=LAMP+AND", 400, "bad-query");
    server.refuses("/api/v3/pack?query=lamp", 400, "bad-parameter");
    server.refuses("/api/v3/pack?question=lamp&tokenizer=p50k", 400, "bad-parameter");
}
