//! `convert` from outside: the golden pairs of `rag_v1`, and what becomes of documents that are no books.
//!
//! Golden pairs: `tests/rag/<rule>/<what it shows>.md` becomes `<what it shows>.expected`. A name that ends in `markers`,
//! `inline` or `end` wants page markers, or footnotes so. `UPDATE_GOLDEN=1` writes the expected texts anew.

use crate::support::Workshop;
use pensieve::ragmd::rules::{Cleaner, names};
use pensieve::ragmd::{CleanOptions, Footnotes};
use std::fs;
use std::path::{Path, PathBuf};

fn inputs(rule: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rag").join(rule);
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    inputs.sort();
    inputs
}

#[test]
fn every_rule_of_rag_v1_does_what_its_golden_pairs_show() {
    for (rule, _) in names() {
        let inputs = inputs(rule);
        assert!(!inputs.is_empty(), "{rule} has no golden pair");
        let mut shows = false;
        for path in inputs {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let footnotes = match name.rsplit('_').next() {
                Some("inline") => Footnotes::Inline,
                Some("end") => Footnotes::End,
                _ => Footnotes::Drop,
            };
            let page_markers = name.ends_with("markers");
            let options = CleanOptions { footnotes, page_markers, ..CleanOptions::default() };
            let cleaner = Cleaner::new(&options).unwrap();
            let clean = cleaner.clean(&text);
            let expected = path.with_extension("expected");
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&expected, &clean).unwrap();
            }
            assert_eq!(clean, fs::read_to_string(&expected).unwrap(), "{}", path.display());
            assert_eq!(cleaner.clean(&clean), clean, "{} is not settled", path.display());
            let off = CleanOptions { off: vec![rule.to_owned()], ..options };
            shows |= Cleaner::new(&off).unwrap().clean(&text) != clean;
        }
        assert!(shows, "no golden pair of {rule} needs it");
    }
}

/// What a document becomes, and what is told of it.
fn converted(workshop: &Workshop, name: &str, flags: &[&str]) -> (String, serde_json::Value) {
    let words = ["convert", name, "--out", "md", "--json", "--force"];
    let told = workshop.run(words.iter().chain(flags)).expect(0).json();
    (fs::read_to_string(workshop.path(told["output"].as_str().unwrap())).unwrap(), told)
}

#[test]
fn code_and_data_stand_in_a_fence() {
    let workshop = Workshop::new();
    let check = |name: &str, text: &str, expected: &str| {
        fs::write(workshop.path(name), text).unwrap();
        assert_eq!(converted(&workshop, name, &[]).0, expected, "{name}");
    };
    let code = "import os\n\n\n# a  b\nx = \"<div>\"  # see[^1] ![]()\n";
    check("a.py", code, &format!("```python\n{code}```\n"));
    check("b.rs", "//! ```\n//! x\n//! ```\n", "````rust\n//! ```\n//! x\n//! ```\n````\n");
    check("c.csv", "a,b\n1,  2\n", "```csv\na,b\n1,  2\n```\n");
    check("d.json", "{\"a\":  \"(see Figure 1.1)\"}\n", "```json\n{\"a\":  \"(see Figure 1.1)\"}\n```\n");
    check("e.tex", "\\section{A}\n\\newpage\n", "```tex\n\\section{A}\n\\newpage\n```\n");
    check("f.md", "# A {#a}\n\nOne  two[^1].\n\n[^1]: Note.\n", "# A\n\nOne two.\n");
    check("g.txt", "One  two.\n\n\n\nThree\n", "One two.\n\nThree\n");
    check("h.html", "<h1>A</h1><p>One <b>two</b></p>", "# A\n\nOne **two**\n");
    check("i.py", "", "");
}

#[test]
fn the_converters_of_the_configuration_convert_too() {
    let workshop = Workshop::new();
    workshop.install_tool("echo '# Heading of it {#x}'; echo; cat \"$1\"");
    fs::write(workshop.path("a.log"), "entry one\n").unwrap();
    let (text, _) = converted(&workshop, "a.log", &["--config", "tool.toml"]);
    assert_eq!(text, "# Heading of it\n\nentry one\n");
    workshop.install_tool("echo cannot go on >&2; exit 3");
    let refused = ["convert", "a.log", "--out", "new", "--config", "tool.toml", "--json"];
    let ran = workshop.run(refused).expect(4);
    assert_eq!(ran.json()["error"], "ExtractionFailed", "{ran:?}");
    assert!(ran.stderr.contains("cannot go on"), "{}", ran.stderr);
    fs::remove_file(workshop.path("tool.sh")).unwrap();
    assert_eq!(workshop.run(refused).expect(4).json()["error"], "MissingDependency");
    assert_eq!(fs::read_dir(workshop.path("new")).unwrap().count(), 0);
    let bad = "[converters]\nlog = \"tool\"\n";
    fs::write(workshop.path("bad.toml"), bad).unwrap();
    workshop.run(["convert", "a.log", "--out", "new", "--config", "bad.toml"]).expect(3);
}

const MAIL: &str = "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: Report of May\n\
    Date: Mon, 1 May 2023 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
    --b\nContent-Type: text/plain\n\nThe report is inside.\n\
    --b\nContent-Type: text/x-python; name=a.py\nContent-Disposition: attachment; filename=a.py\n\nx = \"a  b\"\n\
    --b\nContent-Type: text/markdown\nContent-Disposition: attachment; filename=n.md\n\n# Notes\n\nWords\n\
    --b\nContent-Type: image/gif\nContent-Disposition: attachment; filename=logo.gif\n\
    Content-Transfer-Encoding: base64\n\nR0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7\n\
    --b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=e.log\n\nentry one\n--b--\n";

#[test]
fn documents_inside_a_document_are_sections() {
    let workshop = Workshop::new();
    fs::write(workshop.path("m.eml"), MAIL).unwrap();
    let (text, told) = converted(&workshop, "m.eml", &["--strict"]);
    let expected = "# Table of Contents\n\n*   [Report of May](#report-of-may)\n    *   [a.py](#a-py)\n    \
        *   [n.md](#n-md)\n    *   [e.log](#e-log)\n\n---\n\n# Report of May\n<a id=\"report-of-may\"></a>\n\n\
        From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nDate: Mon, 1 May 2023 10:00:00 +0000\n\n\
        The report is inside.\n\n## a.py\n<a id=\"a-py\"></a>\n\n```python\nx = \"a  b\"\n```\n\n\
        ## n.md\n<a id=\"n-md\"></a>\n\n### Notes\n\nWords\n\n## e.log\n<a id=\"e-log\"></a>\n\nentry one\n";
    assert_eq!(text, expected);
    let inside = told["inside"].as_array().unwrap();
    let names: Vec<&str> = inside.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a.py", "n.md", "logo.gif", "e.log"]);
    assert_eq!((&inside[0]["anchor"], &inside[3]["anchor"]), (&"a-py".into(), &"e-log".into()));
    assert!(
        inside[2]["anchor"].is_null() && inside[2]["reason"].as_str().unwrap().contains("GIF"),
        "{inside:?}"
    );
    let said = workshop.run(["convert", "m.eml", "--out", "md", "--force"]).expect(0).stderr;
    assert!(said.contains("logo.gif inside it is left out"), "{said}");
    // A converter of the user's reads what is inside as well.
    workshop.install_tool("echo 'said by the tool'");
    let (text, _) = converted(&workshop, "m.eml", &["--config", "tool.toml"]);
    assert!(text.ends_with("<a id=\"e-log\"></a>\n\nsaid by the tool\n"), "{text}");
    // Where it fails, the section is missing and the report says why.
    workshop.install_tool("exit 3");
    let (text, told) = converted(&workshop, "m.eml", &["--config", "tool.toml"]);
    assert!(!text.contains("e-log") && told["warnings"].to_string().contains("e.log, inside it: "), "{told}");
}

#[test]
fn the_mails_of_a_mailbox_are_sections() {
    let workshop = Workshop::new();
    let from = "From ann@example.org Mon May  1 10:00:00 2023\n";
    let second = MAIL.replace("Report of May", "Re: [x] Report");
    fs::write(workshop.path("m.mbox"), format!("{from}{MAIL}\n{from}{second}\n")).unwrap();
    let (text, told) = converted(&workshop, "m.mbox", &[]);
    let contents = "# Table of Contents\n\n*   [Report of May](#report-of-may)\n    *   [a.py](#a-py)\n    *   [n.md](#n-md)\n    \
        *   [e.log](#e-log)\n*   [Re: [x] Report](#re-x-report)\n    *   [a.py](#a-py-2)\n    *   [n.md](#n-md-2)\n    \
        *   [e.log](#e-log-2)\n\n---\n\n# Report of May\n";
    assert!(text.starts_with(contents), "{text}");
    assert_eq!(text.matches("The report is inside.").count(), 2);
    assert_eq!(told["contents"].as_array().unwrap().len(), 8);
    assert_eq!(told["inside"].as_array().unwrap().len(), 10);
}

/// A PDF of two pages, each with one line.
fn pdf() -> Vec<u8> {
    let page = |contents: usize| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {contents} 0 R \
             /Resources << /Font << /A 5 0 R >> >> >>"
        )
    };
    let text = |words: &str| {
        let content = format!("BT /A 12 Tf 72 700 Td ({words}) Tj ET");
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
    };
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_owned(),
        page(6),
        page(7),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        text("The first page has these words."),
        text("The second page has other words."),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        file.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    (file + "trailer << /Root 1 0 R /Size 99 >>\n%%EOF\n").into_bytes()
}

#[test]
fn pages_of_a_pdf_are_told_where_that_is_wanted() {
    let workshop = Workshop::new();
    fs::write(workshop.path("p.pdf"), pdf()).unwrap();
    let (text, _) = converted(&workshop, "p.pdf", &[]);
    assert!(!text.contains("PAGE") && !text.contains('\u{c}'), "{text:?}");
    let (text, _) = converted(&workshop, "p.pdf", &["--page-markers"]);
    let expected = "The first page has these words.\n\n--- PAGE 2 ---\n\nThe second page has other words.\n";
    assert_eq!(text, expected);
}

#[test]
fn the_configuration_switches_rules_off_and_adds_its_own() {
    let workshop = Workshop::new();
    fs::write(workshop.path("a.md"), "# A {#a}\n\nOne[^1] (see Figure 1.1).\n\n[p. 12]\n\n[^1]: Note.\n")
        .unwrap();
    let config = "[rag]\nfootnotes = \"end\"\noff = [\"figure_references\"]\n\
        own = ['page_numbers: ^\\[p\\. (\\d+)\\]$ => page ${1}']\n";
    fs::write(workshop.path("r.toml"), config).unwrap();
    let (text, _) = converted(&workshop, "a.md", &["--config", "r.toml"]);
    assert_eq!(text, "# A\n\nOne[^1] (see Figure 1.1).\n\npage 12\n\n[^1]: Note.\n");
    let (text, _) = converted(&workshop, "a.md", &["--config", "r.toml", "--footnotes", "drop"]);
    assert_eq!(text, "# A\n\nOne (see Figure 1.1).\n\npage 12\n");
    let refused = |config: &str, word: &str| {
        fs::write(workshop.path("bad.toml"), config).unwrap();
        let ran = workshop.run(["convert", "a.md", "--out", "md", "--config", "bad.toml"]).expect(3);
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    };
    refused("[rag]\noff = [\"nonsense\"]\n", "there is no rule `nonsense`");
    refused("[rag]\nown = [\"no rule\"]\n", "NAME: REGULAR EXPRESSION => REPLACEMENT");
    refused("[rag]\nown = [\"broken: ( => x\"]\n", "the rule `broken`");
}
