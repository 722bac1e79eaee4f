//! Books: their contents in `convert` and in the database.

use crate::support::Workshop;
use pensieve::ragmd::{ConvertOptions, RagMdError, epub_to_rag_markdown};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};

/// A book of these parts: spine items are those named `*.xhtml`, in their order; `META-INF/*` lies beside the package.
pub fn book(parts: &[(&str, &str)]) -> Vec<u8> {
    let pages = || {
        parts.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".xhtml") && *name != "nav.xhtml")
    };
    let item = |name: &str| {
        let kind = if name.ends_with(".ncx") { "application/x-dtbncx+xml" } else { "application/xhtml+xml" };
        let nav = if name == "nav.xhtml" { " properties='nav'" } else { "" };
        format!("<item id='{name}' href='{name}' media-type='{kind}'{nav}/>")
    };
    let items: String =
        parts.iter().filter(|(name, _)| !name.starts_with("META-INF/")).map(|(name, _)| item(name)).collect();
    let spine: String = pages().map(|name| format!("<itemref idref='{name}'/>")).collect();
    let package = format!(
        "<package version='3.0'><metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>The Book</dc:title>\
         <dc:creator>Ann Author</dc:creator><dc:language>en</dc:language><dc:date>1999</dc:date>\
         <dc:identifier>urn:x</dc:identifier></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let container = "<container><rootfiles><rootfile full-path='O/p.opf' \
        media-type='application/oebps-package+xml'/></rootfiles></container>";
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &str| {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    add("mimetype", "application/epub+zip");
    add("META-INF/container.xml", container);
    add("O/p.opf", &package);
    for (name, text) in parts {
        match name.starts_with("META-INF/") {
            true => add(name, text),
            false => add(&format!("O/{name}"), text),
        }
    }
    zip.finish().unwrap().into_inner()
}

/// A page of XHTML.
pub fn page(body: &str) -> String {
    format!(
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml' \
         xmlns:epub='http://www.idpf.org/2007/ops'><head><title>t</title></head><body>{body}</body></html>"
    )
}

/// The contents of EPUB 3, as list items.
pub fn nav(items: &str) -> String {
    page(&format!("<nav epub:type='toc'><ol>{items}</ol></nav>"))
}

const CONTENTS: &str = "<li><a href='one.xhtml'>Part One</a><ol><li><a href='one.xhtml#a'>Section 1.1: Subtitle</a></li>\
    <li><a href='two.xhtml'>Notes</a></li></ol></li><li><a href='three.xhtml'>Notes</a></li>";

fn sample() -> Vec<u8> {
    let one =
        page("<h1>Part One</h1><p>First words.</p><h1 id='a'>Section 1.1: Subtitle</h1><p>Second words.</p>");
    let two = page("<p class='t'>Notes</p><p>Third words.</p>");
    let three = page("<p>Fourth words, and a <a href='one.xhtml#a'>link</a>.</p>");
    book(&[("nav.xhtml", &nav(CONTENTS)), ("one.xhtml", &one), ("two.xhtml", &two), ("three.xhtml", &three)])
}

const EXPECTED: &str = "# Table of Contents

*   [Part One](#part-one)
    *   [Section 1.1: Subtitle](#section-1-1-subtitle)
    *   [Notes](#notes)
*   [Notes](#notes-2)

---

# Part One
<a id=\"part-one\"></a>

First words.

## Section 1.1: Subtitle
<a id=\"section-1-1-subtitle\"></a>

Second words.

## Notes
<a id=\"notes\"></a>

Third words.

# Notes
<a id=\"notes-2\"></a>

Fourth words, and a link.
";

#[test]
fn a_book_becomes_markdown_with_its_contents() {
    let workshop = Workshop::new();
    fs::write(workshop.path("book.epub"), sample()).unwrap();
    let ran = workshop.run(["convert", "book.epub", "--out", "md/deep", "--json"]).expect(0);
    assert_eq!(fs::read_to_string(workshop.path("md/deep/book.rag.md")).unwrap(), EXPECTED);
    let told = ran.json();
    assert_eq!((&told["contents_from"], &told["metadata"]["title"]), (&"nav".into(), &"The Book".into()));
    let sections = told["contents"].as_array().unwrap();
    assert_eq!(sections.len(), 4);
    for section in sections {
        let at = |name: &str| section[name].as_u64().unwrap() as usize;
        let here = &EXPECTED[at("start_index")..at("end_index")];
        let anchor = format!("<a id=\"{}\"></a>", section["anchor"].as_str().unwrap());
        assert_eq!(here.lines().nth(1), Some(anchor.as_str()));
        assert_eq!(EXPECTED.lines().nth(at("start_line") - 1), here.lines().next());
    }
    let spine: Vec<&str> = sections.iter().map(|section| section["spine"].as_str().unwrap()).collect();
    assert_eq!(spine, ["one.xhtml", "one.xhtml", "two.xhtml", "three.xhtml"]);
    let matter = workshop.run(["convert", "book.epub", "--out", "md", "--front-matter"]).expect(0);
    assert_eq!(matter.stdout, "md/book.rag.md\n");
    let text = fs::read_to_string(workshop.path("md/book.rag.md")).unwrap();
    assert!(
        text.starts_with("---\ntitle: \"The Book\"\ncreators:\n  - \"Ann Author\"\nlanguage: \"en\"\n"),
        "{text}"
    );
    assert!(text.ends_with(EXPECTED));
}

#[test]
fn chunks_of_a_book_stay_in_their_chapter() {
    let workshop = Workshop::new();
    workshop.write("book.epub", sample());
    workshop.ingest(&[]);
    let sections = workshop.rows(
        "SELECT seq || ' ' || level || ' ' || label || ' ' || anchor || ' ' || locator FROM sections ORDER BY seq",
    );
    assert_eq!(
        sections,
        [
            "0 1 Part One part-one {\"spine\":\"one.xhtml\"}",
            "1 2 Section 1.1: Subtitle section-1-1-subtitle {\"spine\":\"one.xhtml\"}",
            "2 2 Notes notes {\"spine\":\"two.xhtml\"}",
            "3 1 Notes notes-2 {\"spine\":\"three.xhtml\"}",
        ]
    );
    let chunks = workshop.rows("SELECT heading_path || ': ' || replace(content, char(10), '/') FROM chunks JOIN chunk_sources USING(chunk_id) ORDER BY start_index");
    assert_eq!(
        chunks,
        [
            "Part One: # Part One//First words.",
            "Part One > Section 1.1: Subtitle: ## Section 1.1: Subtitle//Second words.",
            "Part One > Notes: ## Notes//Third words.",
            "Notes: Fourth words, and a link.",
        ]
    );
    let places =
        workshop.rows("SELECT json_extract(locator, '$.spine') FROM chunk_sources ORDER BY start_index");
    assert_eq!(places, ["one.xhtml", "one.xhtml", "two.xhtml", "three.xhtml"]);
    let crossing = workshop.rows(
        "SELECT c.start_index FROM chunk_sources c JOIN sections s USING(file_id)
         WHERE c.start_index < s.start_index AND c.end_index > s.start_index",
    );
    assert!(crossing.is_empty(), "{crossing:?}");
    // Cut again from stored text, with other settings, the sections stay.
    workshop.ingest(&["--chunk-size", "16", "--chunk-overlap", "2"]);
    let kept: BTreeSet<String> =
        workshop.rows("SELECT DISTINCT heading_path FROM chunk_sources").into_iter().collect();
    assert_eq!(kept.len(), 4);
    assert_eq!(workshop.rows("SELECT seq FROM sections").len(), 4);
}

#[test]
fn outputs_never_hide_each_other_and_failures_are_told() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("sub")).unwrap();
    fs::write(workshop.path("a.epub"), sample()).unwrap();
    fs::write(workshop.path("sub/a.epub"), sample()).unwrap();
    fs::write(workshop.path("a.txt"), "Plain words.\n").unwrap();
    let ran = workshop.run(["convert", "a.epub", "sub/a.epub", "a.txt", "./a.epub", "--out", "md"]).expect(0);
    assert_eq!(ran.stdout, "md/a.rag.md\nmd/a-2.rag.md\nmd/a.txt.rag.md\n");
    assert!(ran.stderr.contains("sub/a.epub goes to md/a-2.rag.md"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(workshop.path("md/a.txt.rag.md")).unwrap(), "Plain words.\n");
    fs::write(workshop.path("bad.epub"), "PK\u{3}\u{4} no book").unwrap();
    let ran = workshop
        .run(["convert", "gone.epub", "bad.epub", "a.epub", "--out", "md", "--json", "--force"])
        .expect(4);
    let rows: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["error"], &rows[1]["error"]), (&"NotFound".into(), &"Damaged".into()));
    assert_eq!(rows[2]["output"], "md/a.rag.md");
    assert!(ran.stderr.contains("no such file: `gone.epub`"), "{}", ran.stderr);
}

fn noted() -> Vec<u8> {
    let one = page(
        "<h1>One</h1><p>Words<a epub:type='noteref' href='#n1'>1</a> go<sup><a href='notes.xhtml#x' id='r'>2</a></sup> \
         on<span epub:type='pagebreak' title='12'/>.</p><aside epub:type='footnote' id='n1'><p>First <i>note</i>.</p></aside>\
         <p><img src='m.png' alt='A map'/></p><p><img src='m.png' alt=''/>x<math alttext='a squared'><mi>a</mi></math></p>\
         <p>Leaves fall (see Figure 1.1). See Fig. 3.</p>",
    );
    let notes =
        page("<h2>Notes</h2><ol><li id='x'><p>Second. <a href='one.xhtml#r'>\u{21a9}</a></p></li></ol>");
    let contents = nav("<li><a href='one.xhtml'>One</a></li><li><a href='notes.xhtml'>Notes</a></li>");
    book(&[("nav.xhtml", &contents), ("one.xhtml", &one), ("notes.xhtml", &notes)])
}

#[test]
fn notes_pages_and_pictures_become_what_was_asked_for() {
    let workshop = Workshop::new();
    fs::write(workshop.path("n.epub"), noted()).unwrap();
    let check = |flags: &[&str], expected: &str| {
        workshop.run(["convert", "n.epub", "--out", "md", "--force"].iter().chain(flags)).expect(0);
        let text = fs::read_to_string(workshop.path("md/n.rag.md")).unwrap();
        assert_eq!(text.split_once("---\n\n").unwrap().1, expected, "{flags:?}");
    };
    let rest = "A map\n\nx$a$\n\nLeaves fall.\n\n# Notes\n<a id=\"notes\"></a>\n";
    let start = "# One\n<a id=\"one\"></a>\n\n";
    check(&[], &format!("{start}Words go on.\n\n{rest}"));
    check(&["--page-markers"], &format!("{start}Words go on --- PAGE 12 ---.\n\n{rest}"));
    check(&["--footnotes", "inline"], &format!("{start}Words [First *note*.] go [Second.] on.\n\n{rest}"));
    check(
        &["--footnotes", "end"],
        &format!("{start}Words[^1] go[^2] on.\n\n{rest}\n[^1]: First *note*.\n[^2]: Second.\n"),
    );
}

#[test]
fn poems_keep_their_lines_and_what_only_leads_elsewhere_goes() {
    let poem = page(
        "<nav epub:type='page-list'><ol><li><a href='#p1'>1</a></li></ol></nav><h2>I</h2><p class='name'>The Rain</p>\
         <div class='linegroup'><div>It falls\u{2060}—it falls,</div><div>all night<span class='lnum'>2</span></div></div>\
         <div class='linegroup'><div>and stops.</div></div><p><img src='m.png' alt='A cloud'/></p><p>A cloud</p>",
    );
    let notes = page(
        "<h2>Notes</h2><section><h3>On I</h3><div epub:type='endnote'><p>A note.</p></div></section><h3>More</h3><p>Words.</p>",
    );
    let contents =
        nav("<li><a href='one.xhtml'>I: The Rain</a></li><li><a href='notes.xhtml'>Notes</a></li>");
    let workshop = Workshop::new();
    let parts = [("nav.xhtml", contents.as_str()), ("one.xhtml", &poem), ("notes.xhtml", &notes)];
    fs::write(workshop.path("p.epub"), book(&parts)).unwrap();
    workshop.run(["convert", "p.epub", "--out", "md"]).expect(0);
    let text = fs::read_to_string(workshop.path("md/p.rag.md")).unwrap();
    assert_eq!(
        text.split_once("---\n\n").unwrap().1,
        "# I: The Rain\n<a id=\"i-the-rain\"></a>\n\nIt falls—it falls,\nall night\n\nand stops.\n\nA cloud\n\n\
         # Notes\n<a id=\"notes\"></a>\n\n## More\n\nWords.\n"
    );
}

#[test]
fn programs_convert_a_book_in_one_call() {
    let workshop = Workshop::new();
    let (book, folder) = (workshop.path("book.epub"), workshop.path("md"));
    fs::write(&book, sample()).unwrap();
    let options = ConvertOptions::default();
    let outcome = epub_to_rag_markdown(&book, &folder, &options).unwrap();
    let text = fs::read_to_string(folder.join("book.rag.md")).unwrap();
    assert_eq!(
        (text.as_str(), &outcome.output, outcome.bytes),
        (EXPECTED, &folder.join("book.rag.md"), text.len())
    );
    for section in &outcome.contents {
        let here = &text[section.start_index..section.end_index];
        assert!(
            here.starts_with('#') && here.contains(&format!("<a id=\"{}\"></a>", section.anchor)),
            "{here}"
        );
    }
    let failed = |path: &str, out: &std::path::Path| {
        epub_to_rag_markdown(&workshop.path(path), out, &options).unwrap_err()
    };
    assert!(matches!(failed("gone.epub", &folder), RagMdError::NotFound { .. }));
    fs::write(workshop.path("bad.epub"), "no book").unwrap();
    assert!(matches!(failed("bad.epub", &folder), RagMdError::Document { .. }));
    assert!(!folder.join("bad.rag.md").exists());
    assert!(matches!(failed("book.epub", &book), RagMdError::Unwritable { .. }));
}

#[test]
fn pandoc_is_the_other_engine() {
    let workshop = Workshop::new();
    fs::write(workshop.path("book.epub"), sample()).unwrap();
    let mut without = workshop.command(["convert", "book.epub", "--out", "md", "--engine", "pandoc"]);
    let ran = crate::support::ran(without.env("PATH", "/nonexistent")).expect(3);
    assert!(ran.stderr.contains("`pandoc` was not found"), "{}", ran.stderr);
    if !["/usr/bin/pandoc", "/usr/local/bin/pandoc"].iter().any(|path| std::path::Path::new(path).exists()) {
        return crate::support::left_out("pandoc is not installed: the engine is not tried");
    }
    workshop.run(["convert", "book.epub", "--out", "md", "--engine", "pandoc"]).expect(0);
    assert_eq!(
        fs::read_to_string(workshop.path("md/book.rag.md")).unwrap(),
        EXPECTED
            .replace("a link", "a [link](#section-1-1-subtitle)")
            .replace("[link](#section-1-1-subtitle)", "link")
    );
}

#[test]
fn one_document_is_printed_and_no_file_of_others_is_replaced() {
    let workshop = Workshop::new();
    fs::write(workshop.path("a.html"), "<h1>Quay</h1><p>The fine is ninety marks.</p>").unwrap();
    fs::write(workshop.path("a.csv"), "pier,length\nnorth,12\n").unwrap();
    let printed = workshop.run(["convert", "a.html", "--out", "-"]).expect(0);
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str()), (MARKDOWN_OF_A, ""));
    assert_eq!(workshop.run(["convert", "a.html"]).expect(0).stdout, MARKDOWN_OF_A);
    assert!(!workshop.path("-").exists());
    workshop.run(["convert", "a.html", "--out", "md"]).expect(0);
    let refused = workshop.run(["convert", "a.csv", "--out", "md"]).expect(4).stderr;
    assert!(refused.contains("`md/a.rag.md`") && refused.contains("`a.csv`"), "{refused}");
    assert_eq!(fs::read_to_string(workshop.path("md/a.rag.md")).unwrap(), MARKDOWN_OF_A);
    workshop.run(["convert", "a.csv", "--out", "md", "--force"]).expect(0);
    assert!(fs::read_to_string(workshop.path("md/a.rag.md")).unwrap().contains("north"));
}

const MARKDOWN_OF_A: &str = "# Quay\n\nThe fine is ninety marks.\n";
