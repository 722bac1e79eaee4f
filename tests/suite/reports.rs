//! Reports of runs: their form is the documented one, their numbers are those of the database.

use crate::schema::violations;
use crate::support::Workshop;
use pensieve_text::model::ReviewReasonKind;
use serde_json::Value;
use std::fs;
use std::path::Path;

#[track_caller]
fn report(path: &Path) -> Value {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(place).unwrap()).unwrap();
    let report: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(violations(&schema, &report), Vec::<String>::new());
    report
}

const MAIL: &str = "From: a@example.org\r\nSubject: Report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
--x\r\nContent-Type: text/plain\r\n\r\nThe notes are attached.\r\n--x\r\nContent-Type: text/plain; name=notes.txt\r\n\
Content-Disposition: attachment; filename=notes.txt\r\n\r\nNotes of the day.\r\n--x--\r\n";

fn furnished() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("a.md", "# Head\n\nSome words.\n");
    workshop.write("twin.md", "# Head\n\nSome words.\n");
    workshop.write("empty.txt", "");
    workshop.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    workshop.write("mail.eml", MAIL);
    workshop.write("broken.pdf", "%PDF-1.7\nnothing of it\n");
    workshop.write("doubtful.txt", "\u{fffd}\u{fffd} is not much of a text\n");
    workshop
}

#[test]
fn a_report_tells_what_the_database_holds() {
    let workshop = furnished();
    workshop.ingest(&["--report", "r.json"]);
    let told = report(&workshop.path("r.json"));
    assert_eq!((&told["part"], &told["command"]), (&"all".into(), &"ingest".into()));
    assert_eq!(
        (&told["new"], &told["run"]["run_id"], &told["run"]["status"]),
        (&7.into(), &1.into(), &"finished".into())
    );
    let coverage = &told["coverage"];
    assert_eq!((&coverage["files"], &coverage["duplicates"]), (&7.into(), &1.into()), "{coverage}");
    let markdown = &coverage["by_format"]["markdown"];
    assert_eq!(
        (&markdown["files"], &markdown["with_text"], &markdown["share"]),
        (&2.into(), &2.into(), &1.0.into())
    );
    let pdf = &coverage["by_format"]["pdf"];
    assert_eq!(
        (&pdf["files"], &pdf["with_text"], &pdf["errors"], &pdf["share"]),
        (&1.into(), &0.into(), &1.into(), &0.0.into())
    );
    assert_eq!(coverage["by_status"]["Skipped_Binary"], 1);
    let failures = told["failures"].as_array().unwrap();
    assert!(
        failures.len() == 1 && failures[0]["path"].as_str().unwrap().ends_with("broken.pdf"),
        "{failures:?}"
    );
    assert_eq!((&told["review_total"], &told["needs_review"]), (&1.into(), &1.into()));
    assert_eq!(told["review"][0]["reasons"][0]["reason"], "replaced_characters");
    let attached = &told["attachments"]["coverage"];
    assert_eq!(
        (&attached["files"], &attached["by_format"]["text"]["with_text"]),
        (&1.into(), &1.into()),
        "{attached}"
    );
    let slowest = told["slowest"].as_array().unwrap();
    assert!(slowest.len() >= 4 && told["stages"]["clean"].is_number() && told["phases"]["read"].is_number());
    let kept: Value = serde_json::from_str(&workshop.one("SELECT counts FROM runs")).unwrap();
    assert!(kept["seconds"].as_f64().unwrap() > 0.0 && kept["errors"] == told["errors"], "{kept}");
}

#[test]
fn the_schema_knows_every_reason() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(place).unwrap()).unwrap();
    let known = &schema["$defs"]["review"]["properties"]["reasons"]["items"]["properties"]["reason"]["enum"];
    let reasons: Vec<&str> = ReviewReasonKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(*known, serde_json::json!(reasons));
}

#[test]
fn a_folder_gets_attachments_and_documents_apart() {
    let workshop = furnished();
    workshop.ingest(&["--report", "reports/"]);
    workshop.run(["clean", "corpus.db", "--force", "--report", "reports"]).expect(0);
    for (run, command) in [(1, "ingest"), (2, "clean")] {
        let docs = report(&workshop.path(format!("reports/docs_extract_report_{run}.json")));
        assert_eq!(
            (&docs["part"], &docs["command"], &docs["coverage"]["files"]),
            (&"documents".into(), &command.into(), &7.into())
        );
        assert!(docs["attachments"].is_null());
        let attached = report(&workshop.path(format!("reports/attachments_extract_report_{run}.json")));
        assert_eq!((&attached["part"], &attached["coverage"]["files"]), (&"attachments".into(), &1.into()));
        assert_eq!(attached["failures_total"], 0);
    }
    workshop.run(["clean", "corpus.db", "--report", "tree/r.json"]).expect(2);
    workshop.run(["clean", "corpus.db", "--report", "corpus.db"]).expect(2);
}

/// The counts at the top of a report are those of its own part, and both parts together those of the run.
#[test]
fn the_counts_of_a_report_are_those_of_its_part() {
    let workshop = furnished();
    let check = |run: u64, told: &Value, expected: [u64; 6]| {
        let of = |part: &str| report(&workshop.path(format!("reports/{part}_extract_report_{run}.json")));
        let (docs, attached) = (of("docs"), of("attachments"));
        for name in
            ["chunks", "unique_chunks", "tokens_in", "tokens_kept", "errors", "cleaned", "needs_review"]
        {
            let number = |report: &Value| report[name].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
            assert_eq!(number(&docs) + number(&attached), number(told), "{name}: {told}");
        }
        let found = [&docs, &attached]
            .map(|report| ["files", "chunks", "errors"].map(|name| report[name].as_u64().unwrap()));
        assert_eq!(found.as_flattened(), expected);
        assert_eq!((&attached["seconds"], &attached["run_id"]), (&docs["seconds"], &run.into()));
        (docs, attached)
    };
    let told = workshop.ingest(&["--report", "reports/"]);
    let (docs, attached) = check(1, &told, [7, 3, 1, 1, 1, 0]);
    assert_eq!((&docs["new"], &attached["new"], &attached["members"]), (&7.into(), &0.into(), &1.into()));
    assert_eq!(
        (&docs["skipped"], &attached["skipped"], &attached["unique"]),
        (&1.into(), &0.into(), &1.into())
    );
    assert_eq!(attached["slowest"], serde_json::json!([]));
    let words = ["clean", "corpus.db", "--force", "--json", "--report", "reports"];
    let told = workshop.run(words).expect(0).json();
    let (docs, attached) = check(2, &told, [4, 3, 0, 1, 1, 0]);
    let slow = |report: &Value| -> Vec<bool> {
        let files = report["slowest"].as_array().unwrap();
        files.iter().map(|file| file["path"].as_str().unwrap().ends_with("notes.txt")).collect()
    };
    assert_eq!((slow(&docs), slow(&attached)), (vec![false; 4], vec![true]));
}

#[test]
fn texts_that_need_a_look_are_listed_with_the_reason() {
    let workshop = furnished();
    workshop.ingest(&[]);
    let listed = workshop.run(["review", "corpus.db"]).expect(0);
    let expected = "doubtful.txt: replaced_characters: 2 of 18 characters\n";
    assert!(listed.stdout.ends_with(expected) && listed.stdout.lines().count() == 1, "{listed:?}");
    let row = workshop.run(["review", "corpus.db", "--json"]).expect(0).json();
    assert_eq!((&row["format"], &row["version"].is_string()), (&"text".into(), &true), "{row}");
    assert_eq!(row["reasons"][0]["detail"], "2 of 18 characters");
    let before = workshop.fingerprint();
    fs::write(workshop.path("r.toml"), "[review]\nmax_replaced_percent = 50\n").unwrap();
    workshop.run(["clean", "corpus.db", "--config", "r.toml"]).expect(0);
    assert_eq!(workshop.run(["review", "corpus.db"]).expect(0).stdout, "");
    assert_ne!(workshop.fingerprint(), before);
    workshop.run(["clean", "corpus.db"]).expect(0);
    assert_eq!(workshop.fingerprint(), before);
}
