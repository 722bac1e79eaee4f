//! `cite`: the words of citations, what holds after files changed, and that every span of every document can be cited.

use crate::audit::clean_text;
use crate::http::Server;
use crate::support::{Dice, Ran, Workshop, ran, rounds, seed, with_seed};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The citation of words at byte `start` of a document.
fn citation(uid: &str, start: usize, words: &str) -> String {
    let hash: String = Sha256::digest(words).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("pensieve:{uid}/{start}-{}/{hash}", start + words.len())
}

/// The citation of words that a file has now.
#[track_caller]
fn citation_of(workshop: &Workshop, name: &str, words: &str) -> String {
    let id = workshop.file(name, "coalesce(duplicate_group_id, file_id)").parse().unwrap();
    let start = clean_text(&workshop.corpus(), id).find(words).unwrap();
    citation(&workshop.file(name, "doc_uid"), start, words)
}

/// Runs `cite -` on a text.
fn cite_text(workshop: &Workshop, text: &str, flags: &[&str]) -> Ran {
    let mut command = workshop.command(["cite", "corpus.db", "-"].iter().chain(flags));
    let file = workshop.path("stdin.txt");
    fs::write(&file, text).unwrap();
    ran(command.stdin(Stdio::from(fs::File::open(file).unwrap())))
}

fn objects(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The one citation, checked.
#[track_caller]
fn checked(workshop: &Workshop, citation: &str) -> Value {
    let ran = workshop.run(["cite", "corpus.db", citation, "--json"]);
    let object = ran.json();
    assert_eq!(ran.code, Some(if object["holds"] == true { 0 } else { 1 }), "{ran:?}");
    assert_eq!(object["citation"], citation);
    object
}

fn trees() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("a.md", "# Trees\n\n## Oak\n\nAn oak is a tree.\n\n## Elm\n\nAn elm is a tree, too.\n");
    workshop.write("b.txt", "The sea is wide.\n");
    workshop.write("sub/c.txt", "The sea is wide.\n");
    workshop.ingest(&[]);
    workshop
}

#[test]
fn a_citation_gives_its_words_and_where_they_are() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "An oak is a tree.");
    let path = workshop.tree().join("a.md").display().to_string();
    let ran = workshop.run(["cite", "corpus.db", &oak]).expect(0);
    assert_eq!(ran.stdout, format!("{path}  line 5  Trees > Oak\nAn oak is a tree.\n"));
    assert_eq!(ran.stderr, "");
    let object = checked(&workshop, &oak);
    assert_eq!((&object["text"], &object["holds"]), (&"An oak is a tree.".into(), &true.into()));
    assert_eq!((&object["moved"], &object["reason"]), (&false.into(), &Value::Null));
    assert_eq!((&object["source_unchanged"], &object["path"]), (&true.into(), &path.into()));
    assert_eq!((&object["heading_path"], &object["format"]), (&"Trees > Oak".into(), &"markdown".into()));
    assert_eq!(object["locator"]["line"], serde_json::json!([5, 5]));
    assert_eq!(object["source_exact"], true);
    let bytes = |side: usize| object["source"][side].as_u64().unwrap() as usize;
    assert_eq!(&fs::read(workshop.tree().join("a.md")).unwrap()[bytes(0)..bytes(1)], b"An oak is a tree.");
    // A copy has words of its own, and names the file that was read.
    let sea = citation_of(&workshop, "sub/c.txt", "The sea is wide.");
    let object = checked(&workshop, &sea);
    assert_eq!((&object["relative_path"], &object["holds"]), (&"sub/c.txt".into(), &true.into()));
    assert_eq!(object["duplicates"][0]["relative_path"], "b.txt");
}

#[test]
fn a_short_citation_is_as_good_as_a_long_one() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "An oak is a tree.");
    let uid = workshop.file("a.md", "doc_uid");
    let digits = |of_uid: usize, of_hash: usize| {
        let short = oak.replace(&uid, &uid[..of_uid]);
        short[..short.len() - 12 + of_hash].to_owned()
    };
    for (of_uid, of_hash) in [(8, 8), (9, 12), (uid.len(), 10)] {
        let object = checked(&workshop, &digits(of_uid, of_hash));
        assert_eq!(object["text"], "An oak is a tree.", "{of_uid} {of_hash}");
        assert_eq!(object["relative_path"], "a.md");
    }
    assert_eq!(checked(&workshop, &digits(7, 8))["holds"], false);
    workshop.run(["cite", "corpus.db", &digits(8, 7)]).expect(2);
    // Of two documents whose ids begin alike, the words tell which one is meant.
    let other = format!("UPDATE files SET doc_uid = '{}00' WHERE relative_path = 'b.txt'", &uid[..8]);
    rusqlite::Connection::open(workshop.database()).unwrap().execute(&other, []).unwrap();
    assert_eq!(checked(&workshop, &digits(8, 8))["relative_path"], "a.md");
    workshop.write("a.md", "# Trees\n\nNew words above.\n\n## Oak\n\nAn oak is a tree.\n");
    workshop.ingest(&[]);
    let moved = checked(&workshop, &digits(8, 8));
    assert_eq!((&moved["moved"], &moved["text"]), (&true.into(), &"An oak is a tree.".into()));
    let server = Server::start(&workshop, &[]);
    let over_http = server.json(&format!("/api/v3/cite?citation={}", digits(8, 8)));
    assert_eq!(
        (&over_http["holds"], &over_http["document"]["relative_path"]),
        (&true.into(), &"a.md".into())
    );
}

#[test]
fn citations_are_found_in_a_running_text() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "An oak is a tree.");
    let sea = citation_of(&workshop, "b.txt", "sea");
    let text = format!("Oaks are trees ({oak}), see [this]({sea}). Again: {oak}.\n\npensieve: a program\n");
    let ran = cite_text(&workshop, &text, &["--json"]).expect(0);
    let found: Vec<Value> = objects(&ran).iter().map(|object| object["citation"].clone()).collect();
    assert_eq!(found, [oak.as_str(), sea.as_str()]);
    assert!(ran.stderr.contains("2 of 2 citations hold"), "{ran:?}");
    let gone = citation("nobody", 0, "sea");
    let ran = cite_text(&workshop, &format!("{gone}\n{sea}\n"), &[]).expect(1);
    let reason = format!("{gone} does not hold: the database has no document of this id\n\n");
    assert!(ran.stdout.starts_with(&reason) && ran.stdout.ends_with("\nsea\n"), "{ran:?}");
    assert!(ran.stderr.contains("1 of 2 citations hold"), "{ran:?}");
}

#[test]
fn what_is_no_citation_is_an_error_of_the_command_line() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "An oak is a tree.");
    let refused = |ran: Ran, said: &str| {
        let ran = ran.expect(2);
        assert!(
            ran.stdout.is_empty() && ran.stderr.contains(said) && ran.stderr.contains("hint: "),
            "{ran:?}"
        );
    };
    for wrong in
        ["", "fog", "pensieve:", "pensieve:a/1-2/xyz", "pensieve:a/2-1/0123456789ab", "pensieve:a/0-1/\u{7}"]
    {
        refused(workshop.run(["cite", "corpus.db", &oak, wrong]), "is no citation");
    }
    refused(cite_text(&workshop, "no citation at all", &[]), "there is no citation on stdin");
    refused(cite_text(&workshop, "", &["--json"]), "there is no citation on stdin");
    refused(cite_text(&workshop, &format!("{oak} and {}", &oak[..oak.len() - 5]), &[]), "is no citation");
    workshop.run(["cite", "corpus.db"]).expect(2);
    workshop.run(["cite", "nowhere.db", &oak]).expect(4);
    // Any other place and hash is a citation; the words are not there.
    for (start, words) in [(0, "x"), (3, &"x".repeat(10_000)[..]), (1 << 60, "fog")] {
        let object = checked(&workshop, &citation(&workshop.file("a.md", "doc_uid"), start, words));
        assert!(
            object["reason"].as_str().unwrap().contains("does not have these words any more"),
            "{object}"
        );
        assert_eq!((&object["text"], &object["relative_path"]), (&Value::Null, &"a.md".into()));
    }
    let binary = cite_text(&workshop, &format!("\u{0}{oak}\u{0}\u{fffd}"), &[]).expect(0);
    assert!(binary.stdout.ends_with("An oak is a tree.\n"));
}

#[test]
fn citations_follow_words_and_documents() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "An oak is a tree.");
    let part = citation_of(&workshop, "a.md", "elm is a tr");
    let sea = citation_of(&workshop, "b.txt", "The sea is wide.");
    let copy = citation_of(&workshop, "sub/c.txt", "The sea is wide.");
    let holds = |citation: &str| {
        let object = checked(&workshop, citation);
        (object["holds"] == true, object["moved"] == true, object)
    };
    // A renamed file.
    workshop.rename("a.md", "sub/trees.md");
    let (_, _, object) = holds(&oak);
    assert_eq!((&object["holds"], &object["source_unchanged"]), (&true.into(), &false.into()), "{object}");
    assert_eq!(object["source_reason"], "the file is no longer on disk");
    workshop.ingest(&[]);
    let (is_held, has_moved, object) = holds(&oak);
    assert!(is_held && !has_moved && object["source_unchanged"] == true, "{object}");
    assert_eq!(object["relative_path"], "sub/trees.md");
    // An edit above the words moves them; one in them makes an end of it.
    let text = "# Trees\n\nMany are tall.\n\n## Oak\n\nAn oak is a tree.\n\n## Elm\n\nAn elm was a tree.\n";
    workshop.write("sub/trees.md", text);
    assert_eq!(holds(&oak).2["source_unchanged"], false);
    workshop.ingest(&[]);
    let (is_held, has_moved, object) = holds(&oak);
    assert!(is_held && has_moved, "{object}");
    let now = citation_of(&workshop, "sub/trees.md", "An oak is a tree.");
    assert_eq!((&object["moved_to"], &object["text"]), (&now.clone().into(), &"An oak is a tree.".into()));
    assert_eq!(object["locator"]["line"][0], 7);
    let told = workshop.run(["cite", "corpus.db", &oak]).expect(0).stdout;
    assert!(told.contains(&format!("  (moved: {now})\nAn oak is a tree.\n")), "{told}");
    assert!(!holds(&part).0);
    // Touched, the file is what it was.
    let file = fs::File::options().append(true).open(workshop.tree().join("sub/trees.md")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(holds(&oak).2["source_unchanged"], true);
    // Other bytes of the same length.
    fs::write(workshop.tree().join("sub/trees.md"), text.replace("tall", "high")).unwrap();
    assert_eq!(holds(&oak).2["source_reason"], "the file has other bytes of the same number");
    // A deleted file; its copy lives on.
    workshop.remove("b.txt");
    workshop.ingest(&[]);
    let (is_held, _, object) = holds(&sea);
    assert!(!is_held && object["reason"].as_str().unwrap().contains("`b.txt` was deleted"), "{object}");
    assert!(holds(&copy).0);
    // A document without text now.
    workshop.write("sub/c.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    workshop.ingest(&[]);
    let (is_held, _, object) = holds(&copy);
    assert!(
        !is_held && object["reason"].as_str().unwrap().contains("has no text now (Skipped_Binary"),
        "{object}"
    );
    // Shorter than the words.
    workshop.write("sub/trees.md", "# T\n");
    workshop.ingest(&[]);
    assert!(holds(&oak).2["reason"].as_str().unwrap().contains("it has 4 bytes, and they ended at"));
    // The root is gone from the database.
    workshop.run(["forget", "corpus.db", "tree"]).expect(0);
    assert_eq!(holds(&oak).2["reason"], "the database has no document of this id");
}

#[test]
fn words_of_a_document_inside_another_are_cited() {
    let workshop = Workshop::new();
    let mail = "Subject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nLetter.\n--b\n\
                Content-Type: text/plain\nContent-Disposition: attachment; filename=\"n.txt\"\n\nAttached words.\n--b--\n";
    workshop.write("m.eml", mail);
    workshop.ingest(&[]);
    let attached = citation_of(&workshop, "m.eml/2/n.txt", "Attached words.");
    let object = checked(&workshop, &attached);
    assert_eq!((&object["holds"], &object["source_unchanged"]), (&true.into(), &true.into()), "{object}");
    assert_eq!(object["name"], "m.eml » 2 » n.txt");
    fs::write(workshop.tree().join("m.eml"), mail.replace("Letter", "A letter")).unwrap();
    let object = checked(&workshop, &attached);
    assert_eq!((&object["holds"], &object["source_unchanged"]), (&true.into(), &false.into()), "{object}");
    workshop.ingest(&[]);
    let object = checked(&workshop, &attached);
    assert_eq!((&object["holds"], &object["source_unchanged"]), (&true.into(), &true.into()), "{object}");
}

/// Every golden document in one database.
pub fn golden() -> Workshop {
    let workshop = Workshop::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pensieve-readers/tests/golden");
    for format in fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        for file in fs::read_dir(format.path()).unwrap().flatten().map(|file| file.path()) {
            let name = format!("{}/{}", format.file_name().display(), file.file_name().unwrap().display());
            if file.is_file() && !name.ends_with(".golden") && !name.ends_with(".py") {
                workshop.write(name, fs::read(&file).unwrap());
            }
        }
    }
    workshop.ingest(&["--chunk-size", "64", "--chunk-overlap", "8"]);
    workshop
}

/// The id and clean text of every document that has one.
pub fn documents(workshop: &Workshop) -> Vec<(String, String)> {
    let rows = workshop.rows(
        "SELECT file_id, doc_uid FROM files WHERE is_canonical AND processing_status = 'Processed' ORDER BY 1",
    );
    let corpus = workshop.corpus();
    let text = |row: &String| {
        let (id, uid) = row.split_once('|').unwrap();
        (uid.to_owned(), clean_text(&corpus, id.parse().unwrap()))
    };
    rows.iter().map(text).filter(|(_, text)| !text.is_empty()).collect()
}

#[test]
fn any_span_of_any_document_can_be_cited() {
    let workshop = golden();
    with_seed(seed(), |dice: &mut Dice| {
        let mut cited = Vec::new();
        for (uid, text) in documents(&workshop) {
            for _ in 0..rounds(4) {
                let start = text.floor_char_boundary(dice.below(text.len()));
                let longest = if dice.chance(50) { 200 } else { text.len() };
                let end = text.ceil_char_boundary(start + 1 + dice.below((text.len() - start).min(longest)));
                cited.push((citation(&uid, start, &text[start..end]), text[start..end].to_owned()));
            }
        }
        assert!(cited.len() > 300, "{}", cited.len());
        // A citation that occurs again is checked once.
        let mut seen = std::collections::HashSet::new();
        cited.retain(|(citation, _)| seen.insert(citation.clone()));
        let (citations, expected): (Vec<String>, Vec<String>) = cited.into_iter().unzip();
        let ran = cite_text(&workshop, &citations.join("\n"), &["--json"]).expect(0);
        let mut found = objects(&ran).into_iter();
        for (given, words) in citations.iter().zip(&expected) {
            let Some(object) = found.next() else { panic!("{given}") };
            assert_eq!(
                (&object["citation"], &object["text"]),
                (&given.as_str().into(), &words.as_str().into())
            );
            assert_eq!(
                (&object["moved"], &object["source_unchanged"]),
                (&false.into(), &true.into()),
                "{object}"
            );
        }
    });
}

#[test]
fn every_source_of_the_export_has_a_citation_that_holds() {
    let workshop = golden();
    let export = workshop.run(["export", "corpus.db"]).expect(0).stdout;
    let (mut citations, mut expected) = (Vec::new(), Vec::new());
    for row in export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let content = row["content"].as_str().unwrap();
        let hash: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(row["content_hash"], hash);
        for source in row["sources"].as_array().unwrap() {
            let start = source["start"].as_u64().unwrap() as usize;
            let own = citation(source["doc_uid"].as_str().unwrap(), start, content);
            assert_eq!(source["citation"], own);
            citations.push(own);
            expected.push(content.to_owned());
        }
    }
    assert!(citations.len() > 500, "{}", citations.len());
    let ran = cite_text(&workshop, &citations.join(" "), &["--json"]).expect(0);
    let texts: Vec<String> =
        objects(&ran).iter().map(|object| object["text"].as_str().unwrap().to_owned()).collect();
    assert!(texts == expected);
}

#[test]
fn the_server_checks_citations_and_shows_no_paths() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "oak is a tree");
    let server = Server::start(&workshop, &[]);
    let target = format!("/api/v3/cite?citation={oak}");
    let object = server.json(&target);
    assert_eq!((&object["text"], &object["holds"]), (&"oak is a tree".into(), &true.into()), "{object}");
    let place = &object["place"];
    let (start, end) = (place["char_start"].as_u64().unwrap(), place["char_end"].as_u64().unwrap());
    let text = server.json(&format!(
        "/api/v3/docs/{}/text?offset={start}&limit={}",
        workshop.file("a.md", "doc_uid"),
        end - start
    ));
    assert_eq!(text["text"], "oak is a tree");
    assert_eq!(
        (&object["document"]["name"], &place["heading_path"]),
        (&"a.md".into(), &"Trees > Oak".into())
    );
    let folder = workshop.path("").display().to_string();
    assert!(!object.to_string().contains(&folder), "{object}");
    let sea = citation_of(&workshop, "sub/c.txt", "sea is");
    let object = server.json(&format!("/api/v3/cite?citation={sea}"));
    assert_eq!(
        (&object["document"]["name"], &object["duplicates"][0]["name"]),
        (&"sub/c.txt".into(), &"b.txt".into())
    );
    let hit = server.json("/api/v3/search?query=sea&path=sub/**&expand=section");
    assert_eq!(hit["hits"][0]["sources"][0]["name"], "sub/c.txt", "{hit}");
    let cited = hit["hits"][0]["sources"][0]["citation"].as_str().unwrap();
    assert_eq!(server.json(&format!("/api/v3/cite?citation={cited}"))["text"], hit["hits"][0]["content"]);
    assert_eq!(hit["hits"][0]["expanded"]["text"], "The sea is wide.");
    let gone = server.json("/api/v3/cite?citation=pensieve:nobody/0-3/0123456789ab");
    assert_eq!(
        (&gone["holds"], &gone["document"], &gone["place"]),
        (&false.into(), &Value::Null, &Value::Null)
    );
    assert!(server.refuses("/api/v3/cite?citation=fog", 400, "bad-parameter").contains("8 to 12 hex digits"));
    server.refuses("/api/v3/cite", 400, "bad-parameter");
    server.refuses("/api/v3/search?query=sea&expand=chapter", 400, "bad-parameter");
}

/// A reader that closes the pipe ends the command quietly.
#[test]
fn a_closed_pipe_is_no_failure() {
    let workshop = trees();
    let oak = citation_of(&workshop, "a.md", "An oak is a tree.");
    let mut command = workshop.command(vec!["cite", "corpus.db", &oak, &oak, &oak]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let _ = std::io::stderr().flush();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
