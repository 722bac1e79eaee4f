//! Books through `convert`: encryption, contents that are missing or broken, labels of every kind.

use crate::books::{book, nav, page};
use crate::support::{Workshop, left_out};
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

fn convert(workshop: &Workshop, book: &[u8], flags: &[&str]) -> (String, serde_json::Value) {
    fs::write(workshop.path("b.epub"), book).unwrap();
    let words = ["convert", "b.epub", "--out", "md", "--json", "--force"];
    let told = workshop.run(words.iter().chain(flags)).expect(0).json();
    (fs::read_to_string(workshop.path("md/b.rag.md")).unwrap(), told)
}

fn encrypted(algorithm: &str, item: &str) -> String {
    format!(
        "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container' xmlns:e='http://www.w3.org/2001/04/xmlenc#'>\
         <e:EncryptedData><e:EncryptionMethod Algorithm='{algorithm}'/><e:CipherData><e:CipherReference URI='{item}'/>\
         </e:CipherData></e:EncryptedData></encryption>"
    )
}

#[test]
fn a_protected_book_is_an_explained_error_and_leaves_nothing() {
    let workshop = Workshop::new();
    let rights = encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/a.xhtml");
    let contents = nav("<li><a href='a.xhtml'>A</a></li>");
    let bytes = "\u{1}\u{2}\u{3} no page".to_owned();
    let parts = [("nav.xhtml", contents.as_str()), ("a.xhtml", &bytes), ("META-INF/encryption.xml", &rights)];
    fs::write(workshop.path("drm.epub"), book(&parts)).unwrap();
    let ran = workshop.run(["convert", "drm.epub", "--out", "md", "--json"]).expect(4);
    let told = ran.json();
    assert_eq!((&told["error"], &told["output"]), (&"Encrypted".into(), &serde_json::Value::Null));
    assert!(ran.stderr.contains("DRM") && ran.stderr.lines().count() <= 3, "{}", ran.stderr);
    assert_eq!(fs::read_dir(workshop.path("md")).unwrap().count(), 0);
}

#[test]
fn fonts_that_are_obfuscated_harm_nothing() {
    let workshop = Workshop::new();
    let fonts = encrypted("http://www.idpf.org/2008/embedding", "O/f.otf");
    let contents = nav("<li><a href='a.xhtml'>A</a></li>");
    let words = page("<h1>A</h1><p>Words.</p>");
    let parts = [("nav.xhtml", contents.as_str()), ("a.xhtml", &words), ("META-INF/encryption.xml", &fonts)];
    let (text, told) = convert(&workshop, &book(&parts), &["--strict"]);
    assert!(text.ends_with("# A\n<a id=\"a\"></a>\n\nWords.\n"), "{text}");
    assert_eq!(told["warnings"], serde_json::json!([]));
}

#[test]
fn contents_that_are_missing_or_lead_nowhere_are_made_of_the_headings() {
    let workshop = Workshop::new();
    let one = page("<h1>First</h1><p>a</p><h2>Sub</h2><p>b</p>");
    let two = page("<h1>Second</h1><p>c</p>");
    let expected = "# Table of Contents\n\n*   [First](#first)\n    *   [Sub](#sub)\n*   [Second](#second)\n\n---\n\n\
        # First\n<a id=\"first\"></a>\n\na\n\n## Sub\n<a id=\"sub\"></a>\n\nb\n\n# Second\n<a id=\"second\"></a>\n\nc\n";
    let pages = [("one.xhtml", one.as_str()), ("two.xhtml", &two)];
    let dead = nav("<li><a href='x.xhtml'>X</a></li><li><a href='y.xhtml#z'>Y</a></li>");
    for contents in [None, Some(nav("")), Some(dead), Some("<html><body><nav".to_owned())] {
        let mut parts = pages.to_vec();
        parts.extend(contents.as_deref().map(|contents| ("nav.xhtml", contents)));
        let (text, told) = convert(&workshop, &book(&parts), &[]);
        assert_eq!(text, expected, "{contents:?}");
        assert_eq!(told["contents_from"], "headings");
        assert!(told["warnings"].to_string().contains("made of the headings"), "{told}");
    }
    let bare = page("<p>Words.</p>");
    let (text, told) = convert(&workshop, &book(&[("one.xhtml", &bare)]), &[]);
    assert!(text.starts_with("# Table of Contents\n\n*   [The Book](#the-book)\n\n---\n"), "{text}");
    assert_eq!(told["contents_from"], "none");
}

/// Lines of the contents section, and that each leads to the line below a heading.
#[track_caller]
fn contents_of(text: &str) -> Vec<&str> {
    let (head, body) = text.split_once("\n---\n\n").unwrap();
    let lines: Vec<&str> = head.strip_prefix("# Table of Contents\n\n").unwrap().lines().collect();
    let below: Vec<&str> = body.lines().collect();
    for line in &lines {
        let anchor = line.rsplit_once("](#").unwrap().1.strip_suffix(')').unwrap();
        let wanted = format!("<a id=\"{anchor}\"></a>");
        let places: Vec<usize> = (0..below.len()).filter(|&at| below[at] == wanted).collect();
        assert_eq!(places.len(), 1, "{line}");
        assert!(places[0] > 0 && below[places[0] - 1].starts_with('#'), "{line}");
    }
    lines
}

#[test]
fn labels_of_every_kind_have_links_that_lead_to_their_headings() {
    let workshop = Workshop::new();
    let long = "Long ".repeat(150);
    let long = long.trim();
    let slug = long.to_lowercase().replace(' ', "-");
    let long_line = format!("*   [{long}](#{slug})");
    let rows = [
        ("Section 1.1: Subtitle", "*   [Section 1.1: Subtitle](#section-1-1-subtitle)"),
        ("A [1]", "*   [A [1]](#a-1)"),
        ("A ]", "*   [A \\]](#a)"),
        ("[a](b)", "*   [\\[a\\](b)](#a-b)"),
        ("C:\\", "*   [C:\\\\](#c)"),
        ("*Star*", "*   [*Star*](#star)"),
        (long, &long_line),
        ("Same", "*   [Same](#same)"),
        ("SAME", "*   [SAME](#same-2)"),
        ("Same", "*   [Same](#same-3)"),
        ("Глава 1. Ночь", "*   [Глава 1. Ночь](#глава-1-ночь)"),
        ("第一章", "*   [第一章](#第一章)"),
        ("…", "*   […](#section)"),
        ("* * *", "*   [* * *](#section-2)"),
        ("Chap\u{ad}ter", "*   [Chapter](#chapter)"),
        ("two\n  lines", "*   [two lines](#two-lines)"),
        ("![]()", "*   [!\\[\\]()](#section-3)"),
    ];
    let entry =
        |(at, (label, _)): (usize, &(&str, &str))| format!("<li><a href='p{at}.xhtml'>{label}</a></li>");
    let contents = nav(&rows.iter().enumerate().map(entry).collect::<String>());
    let pages: Vec<(String, String)> =
        (0..rows.len()).map(|at| (format!("p{at}.xhtml"), page(&format!("<p>Words {at}.</p>")))).collect();
    let mut parts = vec![("nav.xhtml", contents.as_str())];
    parts.extend(pages.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let (text, told) = convert(&workshop, &book(&parts), &[]);
    assert_eq!(contents_of(&text), rows.map(|(_, line)| line));
    assert_eq!(told["contents"].as_array().unwrap().len(), rows.len());
}

#[test]
fn places_of_every_kind_have_their_sections_and_levels_their_indentation() {
    let workshop = Workshop::new();
    let contents = nav(
        "<li><a href='a.xhtml'>Top</a></li><li><a href='a.xhtml#s1'>One</a><ol><li><a href='a.xhtml#s2'>Two</a><ol>\
         <li><a href='a.xhtml#s3'>Three</a></li></ol></li></ol></li><li><a href='a.xhtml#gone'>Gone</a></li>\
         <li><a href='a.xhtml#s2'>Two again</a></li><li><span>Part</span><ol><li><a href='b.xhtml'>B</a></li></ol></li>\
         <li><a>No place</a></li><li><a href=''>Empty</a></li><li><a href='b.xhtml#mid'>Mid</a></li><li><a href='b.xhtml'></a></li>",
    );
    let a = page(
        "<h1>Top</h1><p>w0</p><h2 id='s1'>One</h2><p>w1 <a href='b.xhtml#mid'>to mid</a></p><h2 id='s2'>Two</h2><p>w2</p>\
         <p id='s3'>Words of a paragraph that is no heading.</p>",
    );
    let b = page("<h1>B</h1><p>w3 <a href='a.xhtml#s1'>back</a></p><p>before <span id='mid'/>middle</p>");
    let parts = [("nav.xhtml", contents.as_str()), ("a.xhtml", &a), ("b.xhtml", &b)];
    let (text, _) = convert(&workshop, &book(&parts), &[]);
    let expected = [
        "*   [Top](#top)",
        "*   [One](#one)",
        "    *   [Two](#two)",
        "        *   [Three](#three)",
        "*   [Gone](#gone)",
        "*   [Two again](#two-again)",
        "*   [Part](#part)",
        "    *   [B](#b)",
        "*   [No place](#no-place)",
        "*   [Empty](#empty)",
        "*   [Mid](#mid)",
    ];
    assert_eq!(contents_of(&text), expected);
    assert!(!text.contains(".xhtml"), "{text}");
    assert!(text.contains("w1 to mid") && text.contains("w3 back"), "{text}");
}

#[test]
fn sections_begin_where_their_entries_lead() {
    let workshop = Workshop::new();
    let contents = nav(
        "<li><a href='a.xhtml'>One</a></li><li><a href='a.xhtml'>One</a></li><li><a href='b.xhtml'>Two<br/>More</a></li>\
         <li><a href='b.xhtml#h'>Tools</a></li><li><a href='b.xhtml#row'>Row</a></li><li><a href='b.xhtml#no'>Gone</a></li>",
    );
    let a = page("<h1>One</h1><p>w1</p>");
    let b = page(
        "<p>A motto.</p><h1>Two: more</h1><p>w2</p><h2 id='h'>3. Other words</h2><p>w3</p>\
         <table><tr><td>a</td><td>b</td></tr><tr id='row'><td>c</td><td>d</td></tr></table>",
    );
    let parts = [("nav.xhtml", contents.as_str()), ("a.xhtml", &a), ("b.xhtml", &b)];
    let (text, told) = convert(&workshop, &book(&parts), &[]);
    let expected = "# Table of Contents\n\n*   [One](#one)\n*   [One](#one)\n*   [Two More](#two-more)\n*   [Tools](#tools)\n\
        *   [Row](#row)\n*   [Gone](#gone)\n\n---\n\n# One\n<a id=\"one\"></a>\n\nw1\n\n\
        # Two: more\n<a id=\"two-more\"></a>\n\nA motto.\n\nw2\n\n# 3. Other words\n<a id=\"tools\"></a>\n\nw3\n\n\
        # Row\n<a id=\"row\"></a>\n\n| | |\n| - | - |\n| a | b |\n| c | d |\n\n# Gone\n<a id=\"gone\"></a>\n";
    assert_eq!(text, expected);
    let lines =
        |at: usize| (told["contents"][at]["start_line"].clone(), told["contents"][at]["end_line"].clone());
    assert_eq!((lines(0), lines(1)), ((12.into(), 16.into()), (12.into(), 16.into())));
    assert!(told["warnings"].to_string().contains("is not in its file: `b.xhtml#no`"), "{told}");
}

#[test]
fn navigation_inside_the_text_is_no_text() {
    let workshop = Workshop::new();
    let contents = nav("<li><a href='a.xhtml'>A</a></li><li><a href='b.xhtml#h'>B</a></li>");
    let related = "<div class='related' role='navigation'><h3>Navigation</h3><ul><li><a href='b.xhtml'>next</a></li>\
        <li><a href='a.xhtml'>Guide</a> »</li></ul></div>";
    let links = "<li><a href='a.xhtml'>A</a></li><li><a href='b.xhtml#h'>B</a></li><li><a href='b.xhtml'>B again</a></li>";
    let a = page(&format!(
        "{related}<h1>A</h1><p>w1</p><h2>Contents</h2><ul>{links}</ul><div class='toc'><dl><dt>{links}</dt></dl></div>\
         <h2>Links</h2><ul>{links}</ul><div class='toc'><p>These words are no links: <a href='b.xhtml'>B</a></p></div>",
    ));
    let b = page(
        "<h1 id='h'>B</h1><div class='note'><h3 class='title'>Note</h3><p>In a box.</p></div><p>w2</p>\
         <div class='index toc'><ul><li><a href='http://x/'>B</a></li></ul></div>",
    );
    let parts = [("nav.xhtml", contents.as_str()), ("a.xhtml", &a), ("b.xhtml", &b)];
    let (text, _) = convert(&workshop, &book(&parts), &[]);
    let expected = "# A\n<a id=\"a\"></a>\n\nw1\n\n## Links\n\n- A\n- B\n- B again\n\nThese words are no links: B\n\n\
        # B\n<a id=\"b\"></a>\n\n**Note**\n\nIn a box.\n\nw2\n\n- [B](http://x/)\n";
    assert_eq!(text.split_once("---\n\n").unwrap().1, expected);
}

/// A copy of a book whose contents are gone: no navigation document, no NCX.
fn without_contents(path: &Path) -> Option<Vec<u8>> {
    let mut from = zip::ZipArchive::new(fs::File::open(path).ok()?).ok()?;
    let mut to = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let ncx =
        regex::Regex::new(r#"(?s)<item\b[^>]*application/x-dtbncx\+xml[^>]*?/>|\btoc="[^"]*""#).unwrap();
    let nav = regex::Regex::new(r#"\bproperties="([^"]*)\bnav\b([^"]*)""#).unwrap();
    for at in 0..from.len() {
        let mut entry = from.by_index(at).ok()?;
        let name = entry.name().ok()?.into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).ok()?;
        if name.ends_with(".opf") {
            let text = String::from_utf8(bytes).ok()?;
            let text = ncx.replace_all(&text, "");
            bytes = nav.replace_all(&text, "").into_owned().into_bytes();
        }
        to.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        to.write_all(&bytes).unwrap();
    }
    Some(to.finish().unwrap().into_inner())
}

#[test]
fn contents_made_of_headings_are_near_those_that_were_taken_away() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/epub");
    if !folder.is_dir() {
        return left_out("../shared is not beside the checkout: contents made of headings are not compared");
    }
    let mut books: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    books.retain(|path| path.extension().is_some_and(|extension| extension == "epub"));
    books.sort();
    let workshop = Workshop::new();
    let (mut tried, mut whole, mut wanted, mut found, mut extra, mut table) = (0, 0, 0, 0, 0, String::new());
    for path in &books {
        let truth = folder.join(format!("truth/{}.json", path.file_stem().unwrap().to_string_lossy()));
        let Ok(truth) = fs::read_to_string(truth) else { continue };
        let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
        let words = |entry: &serde_json::Value| {
            let label = entry["label"].as_str().unwrap_or_default().to_lowercase();
            label.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let labels: Vec<String> = truth["toc"].as_array().unwrap_or(&Vec::new()).iter().map(words).collect();
        let Some(bare) = without_contents(path).filter(|_| labels.len() > 1) else { continue };
        fs::write(workshop.path("b.epub"), bare).unwrap();
        let ran = workshop.run(["convert", "b.epub", "--out", "md", "--json", "--force"]);
        assert!(matches!(ran.code, Some(0 | 4)), "{ran:?}");
        let Ok(told) = serde_json::from_str::<serde_json::Value>(&ran.stdout) else { continue };
        if told["contents_from"] != "headings" {
            continue;
        }
        tried += 1;
        let made: Vec<String> = told["contents"].as_array().unwrap().iter().map(words).collect();
        let hits = labels.iter().filter(|label| made.contains(label)).count();
        wanted += labels.len();
        found += hits;
        whole += usize::from(hits > 0 && hits + 2 >= labels.len());
        extra += made.iter().filter(|label| !labels.contains(label)).count();
        table.push_str(&format!(
            "{hits} of {} labels, {} made: {}\n",
            labels.len(),
            made.len(),
            path.display()
        ));
    }
    // Labels that the headings do not say (`Titlepage`, `content 001`), or say in two (`I`, `Ancestry`), are not found.
    let said = format!("{table}{found} of {wanted}, {extra} more, {whole} books whole");
    assert!(tried > 10 && whole * 3 >= tried * 2, "{said}");
    assert!(found * 100 >= wanted * 69 && extra * 100 <= wanted * 40, "{said}");
}
