//! Books that are whole, broken, encrypted or hostile, through the reader.

use super::*;
use crate::shared::archive::testing::package;
use pensieve_text::model::ContainerMember;
use pensieve_text::model::ReviewReasonKind;
use pensieve_text::model::{Locator, Span};
use std::io::Cursor;

#[derive(Default)]
struct Collected(String);

impl DocumentSink for Collected {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.0.push_str(&segment.text);
        Ok(())
    }
    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

const CONTAINER: (&str, &[u8]) = (
    "META-INF/container.xml",
    b"<container><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></container>",
);

/// A package document over these pages.
fn opf(pages: &[&str], more: &str) -> Vec<u8> {
    let item = |page: &&str| format!("<item id='{page}' href='{page}' media-type='application/xhtml+xml'/>");
    let reference = |page: &&str| format!("<itemref idref='{page}'/>");
    let items: String = pages.iter().map(item).collect();
    let references: String = pages.iter().map(reference).collect();
    format!(
        "<package><metadata><dc:title>T</dc:title></metadata><manifest>{items}{more}</manifest>\
         <spine toc='ncx'>{references}</spine></package>"
    )
    .into_bytes()
}

fn open(bytes: &[u8]) -> Result<(Document, String), Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "x.epub")?;
    let mut sink = Collected::default();
    let document = read(&mut source, &ReadSettings::default(), &mut sink)?;
    let text = sink.0 + &document.text.text;
    Ok((document, text))
}

fn check(entries: &[(&str, &[u8])], expected: &str) -> Document {
    let (document, text) = open(&package(entries)).unwrap();
    assert_eq!(text, expected);
    document
}

#[test]
fn chapters_come_in_the_order_of_the_spine_with_their_places() {
    let opf = opf(&["b.xhtml", "a.xhtml"], "");
    let a = "<?xml version='1.0' encoding='iso-8859-1'?><html><title/><p>caf\u{e9}</p></html>";
    let a: Vec<u8> = a.chars().map(|c| c as u8).collect();
    let entries: [(&str, &[u8]); 4] =
        [CONTAINER, ("O/p.opf", &opf), ("O/a.xhtml", &a), ("O/b.xhtml", b"<h1>B</h1><p>one")];
    let document = check(&entries, "# B\n\none\n\ncaf\u{e9}\n");
    assert_eq!(document.text.places.0[0].1, Locator::spine("b.xhtml", Some(Span::new(4, 5))));
    let facts =
        [("title", "T"), ("contents", "headings")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(document.metadata, facts);
    let starts: Vec<(usize, &str)> =
        document.text.sections.iter().map(|start| (start.out, &*start.label)).collect();
    assert_eq!(starts, [(0, "B")]);
    assert!(document.problems.is_empty());
    assert_eq!(document.review_reasons[0].kind, ReviewReasonKind::RepairedStructure);
}

#[test]
fn contents_give_headings_their_levels() {
    let ncx = b"<ncx><navMap><navPoint><navLabel><text>First</text></navLabel><content src='a.xhtml'/>\
        <navPoint><navLabel><text>Second</text></navLabel><content src='a.xhtml#s'/></navPoint></navPoint>\
        <navPoint><navLabel><text>Third</text></navLabel><content src='b.xhtml'/></navPoint></navMap></ncx>";
    let opf =
        opf(&["a.xhtml", "b.xhtml"], "<item id='ncx' href='t.ncx' media-type='application/x-dtbncx+xml'/>");
    let entries: [(&str, &[u8]); 5] = [
        CONTAINER,
        ("O/p.opf", &opf),
        ("O/t.ncx", ncx),
        ("O/a.xhtml", b"<p>one</p><div id='s'><p>Second</p></div><p>two</p>"),
        ("O/b.xhtml", b"<h2>The Third</h2><p>three</p>"),
    ];
    check(&entries, "one\n\n## Second\n\ntwo\n\n# The Third\n\nthree\n");
}

#[test]
fn missing_parts_are_reported_and_skipped() {
    let opf = opf(&["a.xhtml", "gone.xhtml", "moved.xhtml"], "");
    let entries: [(&str, &[u8]); 4] =
        [CONTAINER, ("O/p.opf", &opf), ("O/a.xhtml", b"<p>one"), ("O/text/Moved.xhtml", b"<p>two")];
    let document = check(&entries, "one\n\ntwo\n");
    assert_eq!(document.problems.len(), 1);
    assert_eq!(document.review_reasons[0].kind, ReviewReasonKind::SkippedParts);
    let document = check(&[("x/2.html", b"<p>two"), ("x/1.html", b"<p>one")], "one\n\ntwo\n");
    assert_eq!(document.review_reasons[0].kind, ReviewReasonKind::RepairedStructure);
    let whole = package(&entries);
    assert_eq!(open(&whole[..whole.len() - 60]).unwrap_err().kind, ProblemKind::Damaged);
    assert_eq!(open(b"no book").unwrap_err().kind, ProblemKind::Damaged);
}

#[test]
fn a_package_document_without_a_spine_is_a_problem() {
    let entries: [(&str, &[u8]); 3] =
        [CONTAINER, ("O/p.opf", b"<package><manifest/></package>"), ("O/a.xhtml", b"<p>one</p>")];
    let document = check(&entries, "one\n");
    let found: Vec<&str> = document.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(found, ["the package document `O/p.opf` lists nothing to read"]);
}

/// The text of a book of these pages under this NCX, and the reports on its contents.
fn by_ncx(points: &[(&str, &str)], pages: &[(&str, &str)]) -> (String, Vec<String>) {
    let point = |(label, src): &(&str, &str)| {
        format!("<navPoint><navLabel><text>{label}</text></navLabel><content src='{src}'/></navPoint>")
    };
    let ncx = format!("<ncx><navMap>{}</navMap></ncx>", points.iter().map(point).collect::<String>());
    let names: Vec<&str> = pages.iter().map(|(name, _)| *name).collect();
    let opf = opf(&names, "<item id='ncx' href='t.ncx' media-type='application/x-dtbncx+xml'/>");
    let pages: Vec<(String, &str)> = pages.iter().map(|(name, page)| (format!("O/{name}"), *page)).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![CONTAINER, ("O/p.opf", &opf), ("O/t.ncx", ncx.as_bytes())];
    entries.extend(pages.iter().map(|(name, page)| (name.as_str(), page.as_bytes())));
    let package = package(&entries);
    let mut file = Cursor::new(package.as_slice());
    let mut source = DocumentSource::new(&mut file, "x.epub").unwrap();
    let settings = ReadSettings { book: BookMode::Marked, ..ReadSettings::default() };
    let mut sink = Collected::default();
    let document = read(&mut source, &settings, &mut sink).unwrap();
    let reasons = document.review_reasons.iter().map(|reason| reason.detail.clone()).collect();
    (sink.0 + &document.text.text, reasons)
}

#[test]
fn contents_that_name_their_files_otherwise_lead_there() {
    let pages = [("g/index.xhtml", "<h1>I</h1>"), ("g/A.xhtml", "<p>a</p>"), ("g/b.xhtml", "<p>b</p>")];
    let (text, reasons) = by_ncx(&[("I", "g/index.xhtml"), ("One", "a.xhtml"), ("Two", "G/B.xhtml")], &pages);
    assert_eq!(text, "# I\n\n# One\n\na\n\n# Two\n\nb\n");
    assert_eq!(
        reasons,
        ["2 entries of the contents name their files by other paths, the first is `a.xhtml`"]
    );
}

#[test]
fn entries_without_a_place_are_found_by_their_words_and_reported() {
    let pages = [("a.xhtml", "<h1>Alpha</h1><p>a</p>"), ("b.xhtml", "<h1>Beta</h1><p>b</p>")];
    let (text, reasons) =
        by_ncx(&[("Alpha", "gone.xhtml"), ("Beta", "b.xhtml"), ("Web", "http://x/")], &pages);
    assert_eq!(text, "# Alpha\n\na\n\n# Beta\n\nb\n\n# Web\n");
    assert_eq!(reasons, ["2 entries of the contents lead to no part, the first is `gone.xhtml`"]);
    let page = "<h1 id='x'>One</h1><p>a</p><h2>Two</h2><p>b</p><h2 id='y'>Three</h2><p>c</p>";
    let points = [("One", "a.xhtml#x"), ("Two", "a.xhtml#z"), ("Lost", "a.xhtml#w"), ("Three", "a.xhtml#y")];
    let (text, reasons) = by_ncx(&points, &[("a.xhtml", page)]);
    assert_eq!(text, "# One\n\na\n\n# Two\n\nb\n\n# Lost\n\n# Three\n\nc\n");
    let expected =
        "2 entries of the contents lead to places that are not in their files, the first is `a.xhtml#z`";
    assert_eq!(reasons, [expected]);
}

#[test]
fn contents_of_which_nearly_nothing_leads_anywhere_are_made_anew() {
    let hrefs: Vec<String> = (0..20).map(|n| format!("x{n}.xhtml")).collect();
    let mut points: Vec<(&str, &str)> = hrefs.iter().map(|href| ("X", href.as_str())).collect();
    points.push(("Alpha", "a.xhtml"));
    let (text, reasons) = by_ncx(&points, &[("a.xhtml", "<h2>A</h2><p>a</p><h5>B</h5>")]);
    assert_eq!(text, "# A\n\na\n\n## B\n");
    assert_eq!(reasons[0], "20 entries of the contents lead to no part, the first is `x0.xhtml`");
    assert!(reasons[1].contains("made of the headings"), "{reasons:?}");
}

#[test]
fn encrypted_books_name_their_scheme() {
    let opf = opf(&["a.xhtml"], "");
    let encryption = b"<encryption><EncryptedData><EncryptionMethod Algorithm='x#aes128-cbc'/>\
        <CipherReference URI='O/a.xhtml'/></EncryptedData></encryption>";
    let rights: (&str, &[u8]) = ("META-INF/rights.xml", b"<rights xmlns='http://ns.adobe.com/adept'/>");
    let entries = |content: &'static [u8]| -> Vec<u8> {
        package(&[
            CONTAINER,
            ("O/p.opf", &opf),
            ("META-INF/encryption.xml", encryption),
            rights,
            ("O/a.xhtml", content),
        ])
    };
    let problem = open(&entries(b"\x93\x01\xfe\x00\xa3")).unwrap_err();
    assert_eq!(problem, Problem::new(ProblemKind::Encrypted, "`O/a.xhtml` is encrypted with Adobe ADEPT"));
    // Some parts are listed as encrypted but are not.
    assert_eq!(open(&entries(b"<p>plain</p>")).unwrap().1, "plain\n");
}

#[test]
fn hostile_books_end() {
    let many: Vec<&str> = vec!["a.xhtml"; 2000];
    let opf_many = opf(&many, "");
    let bomb = vec![b' '; 4 << 20];
    let entries: [(&str, &[u8]); 3] = [CONTAINER, ("O/p.opf", &opf_many), ("O/a.xhtml", &bomb)];
    let (document, _) = open(&package(&entries)).unwrap();
    assert!(document.problems.iter().any(|problem| problem.kind == ProblemKind::SizeLimit));
    let opf = opf(&["../../../etc/passwd"], "");
    assert_eq!(open(&package(&[CONTAINER, ("O/p.opf", &opf)])).unwrap_err().kind, ProblemKind::Damaged);
}

/// The text of a book of these pages without contents.
fn without_contents(pages: &[(&str, &str)]) -> (Document, String) {
    let names: Vec<&str> = pages.iter().map(|(name, _)| *name).collect();
    let opf = opf(&names, "");
    let pages: Vec<(String, &str)> = pages.iter().map(|(name, page)| (format!("O/{name}"), *page)).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![CONTAINER, ("O/p.opf", &opf)];
    entries.extend(pages.iter().map(|(name, page)| (name.as_str(), page.as_bytes())));
    open(&package(&entries)).unwrap()
}

#[test]
fn a_number_above_a_title_begins_its_chapter() {
    let page = "<h2>I</h2><h2 id='a'>The Gate</h2><p>one<h2>Chapter Two</h2><h2 id='b'>The River</h2><p>two";
    let (text, _) = by_ncx(&[("The Gate", "a.xhtml#a"), ("The River", "a.xhtml#b")], &[("a.xhtml", page)]);
    assert_eq!(text, "# I\n\n# The Gate\n\none\n\n# Chapter Two\n\n# The River\n\ntwo\n");
}

#[test]
fn bold_lines_stand_for_headings_that_a_book_lacks() {
    let first = "<title>T</title><p><b>The Gate</b></p><p>one</p>";
    let (document, text) =
        without_contents(&[("a.xhtml", first), ("b.xhtml", "<title>The River</title><p>two</p>")]);
    assert_eq!(text, "# The Gate\n\none\n\ntwo\n");
    let labels: Vec<&str> = document.text.sections.iter().map(|section| &*section.label).collect();
    assert_eq!(labels, ["The Gate", "The River"]);
    assert!(document.metadata.contains(&(CONTENTS.to_owned(), "titles".to_owned())));
    assert!(format!("{:?}", document.review_reasons).contains("no headings"));
}

#[test]
fn a_table_without_names_of_columns_gets_none() {
    let page = "<html><h1>A</h1><table><tr><td>pears<td>9<tr><td>plums<td>4</table>\
                <table><tr><td><b>Fruit</b><td><b>Count</b><tr><td>pears<td>9</table>";
    let (_, text) = without_contents(&[("a.xhtml", page)]);
    let named = "| **Fruit** | **Count** |\n| - | - |\n| pears | 9 |\n";
    assert_eq!(text, format!("# A\n\n|  |  |\n| - | - |\n| pears | 9 |\n| plums | 4 |\n\n{named}"));
}

#[test]
fn lines_of_a_drawing_are_lines() {
    let page =
        "<svg><text x='0' y='1'><tspan x='0' dy='0'>one</tspan><tspan x='0' dy='9'>two</tspan></text></svg>";
    assert_eq!(without_contents(&[("a.xhtml", page)]).1, "one\n\ntwo\n");
}

#[test]
fn a_page_break_before_a_paragraph_hides_no_sign_from_the_escapes() {
    let nav = "<nav epub:type='toc'><ol><li><a href='a.xhtml'>A</a></ol></nav>\
               <nav epub:type='page-list'><ol><li><a href='a.xhtml#p2'>2</a></ol></nav>";
    let item = "<item id='nav' properties='nav' href='n.xhtml' media-type='application/xhtml+xml'/>";
    let opf = opf(&["a.xhtml"], item);
    let page = "<h1>A</h1><p>one<a id='p2'></a></p><p># no heading</p><p>1. no item</p>";
    let entries: [(&str, &[u8]); 4] =
        [CONTAINER, ("O/p.opf", &opf), ("O/n.xhtml", nav.as_bytes()), ("O/a.xhtml", page.as_bytes())];
    let package = package(&entries);
    let mut file = Cursor::new(package.as_slice());
    let mut source = DocumentSource::new(&mut file, "x.epub").unwrap();
    let settings = ReadSettings { book: BookMode::Marked, ..ReadSettings::default() };
    let text = read(&mut source, &settings, &mut Collected::default()).unwrap().text.text;
    assert_eq!(text, "# A\n\none\n\n<!-- page 2 -->\\# no heading\n\n1\\. no item\n");
}

#[test]
fn stars_after_words_need_no_escape() {
    let (_, text) =
        without_contents(&[("a.xhtml", "<h1>A</h1><p>he said.*<br/>and *so on* <b>b*</b></p><p>=====</p>")]);
    assert_eq!(text, "# A\n\nhe said.*\nand \\*so on* **b\\***\n\n=====\n");
}

#[test]
fn style_sheets_of_a_book_hide_what_they_hide_on_a_page() {
    let page = |link: &str, words: &str| {
        format!("<html><head><link rel='stylesheet' href='{link}'/></head><body>{words}</body></html>")
    };
    let words = "<p>All that is shown.</p><p class='gone'>nothing</p>";
    let (first, second) = (page("../css/a.css", words), page("../css/b.css", words));
    let parts: [(&str, &[u8]); 6] = [
        CONTAINER,
        ("O/p.opf", &opf(&["a.xhtml", "b.xhtml"], "")),
        ("O/a.xhtml", first.as_bytes()),
        ("O/b.xhtml", second.as_bytes()),
        ("css/a.css", b".gone { display: none } p { margin: 0 }"),
        ("css/b.css", b".gone { color: red }"),
    ];
    let mut sink = Collected::default();
    let mut file = Cursor::new(package(&parts));
    let mut source = DocumentSource::new(&mut file, "test").unwrap();
    let document = read(&mut source, &ReadSettings::default(), &mut sink).unwrap();
    let text = sink.0 + &document.text.text;
    assert_eq!(text.matches("nothing").count(), 1, "{text}");
    assert_eq!(document.hidden_text.iter().map(|words| words.text.as_str()).collect::<Vec<_>>(), ["nothing"]);
}
