//! Formats by first bytes, names and what files contain, at their limits.

use super::*;

fn verdict(filename: &str, head: &[u8]) -> String {
    shown(head, filename, &SniffOptions::default())
}

fn shown(head: &[u8], filename: &str, options: &SniffOptions<'_>) -> String {
    match sniff(head, true, filename, options).verdict {
        SniffVerdict::Read(row) => row.name.to_owned(),
        SniffVerdict::Binary { reason, .. } | SniffVerdict::Secret { reason } => format!("- {reason}"),
    }
}

fn check(filename: &str, head: &[u8], expected: &str) {
    assert_eq!(verdict(filename, head), expected, "{filename}");
}

/// An archive with stored entries of these names and contents.
fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, content) in entries {
        bytes.extend_from_slice(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0");
        bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(name.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(content.as_bytes());
    }
    bytes
}

#[test]
fn every_row_reads_text_under_each_of_its_names() {
    for row in FORMATS {
        let expected = match (row.reader, row.is_image) {
            (_, true) => format!("- {}", row.label),
            (ReaderKind::Text | ReaderKind::Document, _)
                if !row.is_binary() && row.source_marks.is_empty() =>
            {
                row.name.to_owned()
            }
            _ => "text".to_owned(),
        };
        let extensions = row.extensions.iter().map(|extension| format!("a.{extension}"));
        for filename in extensions.chain(row.filenames.iter().map(|name| name.to_string())) {
            check(&filename, b"some words of text\n", &expected);
        }
    }
}

#[test]
fn documents_in_xml_are_told_by_their_root() {
    check("a.xml", b"<?xml version='1.0'?><rss version='2.0'><channel>", "xmldoc");
    check("a", b"<?xml version='1.0'?>\n<TEI xmlns='http://www.tei-c.org/ns/1.0'>", "xmldoc");
    check(
        "a.xml",
        b"<!DOCTYPE book PUBLIC '-//OASIS//DTD DocBook XML V4.5//EN' 'd' [<!ENTITY a 'b>'>\n]>\n<book>",
        "xmldoc",
    );
    check("a.xml", b"<!DOCTYPE article PUBLIC '-//NLM//DTD JATS v1.2//EN' 'J'><!-- c --><article>", "xmldoc");
    check("a.xml", b"<article><front><article-meta><title-group>", "xmldoc");
    check("a.xml", b"<nitf><head>", "xmldoc");
    check(
        "a.xml",
        b"<?xml version='1.0'?><us-patent-grant lang='EN'><us-bibliographic-data-grant>",
        "xmldoc",
    );
    check("a.ttml", b"<?xml version='1.0'?><tt xmlns='http://www.w3.org/ns/ttml'><body>", "xmldoc");
    check("a.atom", b"<?xml version='1.0'?><a:feed xmlns:a='http://www.w3.org/2005/Atom'>", "xmldoc");
    check("a.xml", b"<?xml version='1.0'?><book><title>own</title></book>", "xml");
    check("a.xml", b"<data><rss>", "xml");
    check("a.rss", b"<?xml version='1.0'?><other/>", "xml");
}

#[test]
fn content_beats_the_name() {
    check("png.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "- PNG image named .txt");
    let archive =
        [&b"!<arch>\n/               0           0     0     0       8         `\n"[..], &[0, 1].repeat(200)];
    check("libx.a", &archive.concat(), "- library or package archive");
    check("changelog.gz", b"\x1f\x8b\x08\0", "- gzip archive");
    check("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "- PNG image");
    check("elf.md", b"\x7fELF\x02\x01\x01\0\0\0", "- ELF program or library named .md");
    check("exe.md", b"MZ\x90\0\x03\0\0\0\x04\0", "- Windows program or library named .md");
    check("zip.txt", &zip(&[("a.txt", "text")]), "- ZIP archive named .txt");
    check("pdf.txt", b"%PDF-1.4\n1 0 obj", "pdf");
    check("rtf.doc", b"{\\rtf1 words}", "rtf");
    check("text.pdf", b"plain words\n", "text");
    check("html.pdf", b"<!doctype html><p>words", "html");
    check("page.txt", b"\xef\xbb\xbf<!-- saved -->\n<HTML lang=en>", "html");
    check("page.md", b"<!DOCTYPE html>\n<p>words", "html");
    check("page.php", b"<!DOCTYPE html>\n<?php echo 1 ?>", "php");
    check("jpeg.html", b"\xff\xd8\xff\xe0\0\x10JFIF\0", "- JPEG image named .html");
    check("docx.doc", &zip(&[("[Content_Types].xml", ""), ("word/document.xml", "")]), "docx");
    check("symbols.pdb", b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0", "- debug symbols named .pdb");
}

#[test]
fn text_may_begin_with_the_letters_of_a_magic_number() {
    for words in
        ["BMW is a car", "MZ is no program", "ID3 tags", "GIF89a", "GGUF", "PAR1", "FWS", "ORC", "true"]
    {
        check("a.txt", words.as_bytes(), "text");
    }
    check("latin1.txt", b"\xff\xfb is \xfd in Latin-1, twice\n", "text");
}

#[test]
fn containers_are_distinguished_by_their_entries_or_else_by_name() {
    check("a.zip", &zip(&[("mimetype", "application/epub+zip")]), "epub");
    check("a", &zip(&[("mimetype", "application/vnd.oasis.opendocument.text")]), "odt");
    check("a.docx", &zip(&[("xl/workbook.xml", "")]), "xlsx");
    check("a.docx", &zip(&[("0.zip", "")]), "docx");
    check("a.jar", &zip(&[("META-INF/MANIFEST.MF", "")]), "- Java archive");
    let compound = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(), &[0; 600]].concat();
    check("a.doc", &compound, "doc");
    check("a.db", &compound, "- OLE2 compound file");
    check("a.db", &[compound, "W o r k b o o k ".replace(' ', "\0").into_bytes()].concat(), "xls");
}

#[test]
fn a_damaged_document_goes_to_its_reader() {
    check("a.pdf", b"words before the header\n%PDF-1.1\n", "pdf");
    check("a.pdf", b"trailer<</Root<<>>>>", "pdf");
    check("a.txt", b"a header looks like this: %PDF-1.1\n", "text");
    check("a.eps", b"%!PS-Adobe-3.0 EPSF-3.0\n", "postscript");
    check("a.docx", b"\0\x01\x02junk\n\0\x01\x02", "docx");
    check("a.pdf", b"\0\x01\x02junk\n\0%PDF-1.4", "pdf");
    check("a.dat", b"\0\x01\x02junk\n\0%PDF-1.4", "pdf");
}

#[test]
fn text_that_lost_a_block_is_read() {
    let zeroed = [b"{\"words\": \"", [0; 600].as_slice(), b"\"}"].concat();
    check("a.json", &zeroed, "json");
    check("a.txt", &[0; 4096], "text");
    check("a.dat", &zeroed, "- zero bytes");
    check("a.dat", &[0; 4096], "- zero bytes");
    check("a", &[b"words ".repeat(100), vec![0; 80], b"words".to_vec()].concat(), "text");
}

#[test]
fn a_converter_makes_a_format_of_an_extension_without_a_row() {
    let converters = ["djvu", "png", "jpg", "xyz", "docx"].map(str::to_owned);
    let options = SniffOptions { converters: &converters, ..SniffOptions::default() };
    let check = |name: &str, head: &[u8], expected: &str, mime: &str| {
        let sniffed = sniff(head, true, name, &options);
        let SniffVerdict::Read(row) = sniffed.verdict else { panic!("{name} is not read") };
        assert_eq!((row.name, sniffed.mime.as_str()), (expected, mime), "{name}");
    };
    let png = b"\x89PNG\r\n\x1a\n\0\0";
    check("a.DjVu", b"AT&TFORM\0\0", "djvu", "image/vnd.djvu");
    check("a.xyz", b"plain words\n", "xyz", "text/plain");
    check("a.xyz", b"\x01\x02\0\0\xff\xfe\0\x03", "xyz", "application/octet-stream");
    check("a.xyz", png, "xyz", "image/png");
    check("a.xyz", b"", "text", "text/plain");
    check("a.xyz", b"%PDF-1.7\n", "pdf", "application/pdf");
    // The content shows what the name does not.
    check("scan", png, "png", "image/png");
    check("a.txt", png, "png", "image/png");
    check("a.jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF", "jpg", "image/jpeg");
    check("a.txt", b"words\n", "text", "text/plain");
    let other = sniff(b"GIF89a\0\0", true, "a.gif", &options).verdict;
    assert!(matches!(other, SniffVerdict::Binary { .. }), "{other:?}");
}

#[test]
fn white_pixels_are_no_text() {
    let check = |head: &[u8], is_image: bool| {
        let verdict = sniff(head, true, "a.ppm", &SniffOptions::default()).verdict;
        let shown = String::from_utf8_lossy(head);
        assert_eq!(matches!(verdict, SniffVerdict::Binary { .. }), is_image, "{shown}");
    };
    check(b"P6\n2 2\n255\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", true);
    check(b"P5 # grey\n# by a program\n 2 2 255\n\xff\xff\xff\xff", true);
    check(b"P4\n8 2\n\xff\xff", true);
    check(b"P6 is the name of a form\n", false);
    check(b"P5\n12 apples\n", false);
    check(b"P3\n1 1\n255\n255 255 255\n", false);
}

#[test]
fn an_archive_of_texts_is_no_text_that_lost_blocks() {
    let mut archive = vec![0; 512];
    archive[..5].copy_from_slice(b"a.txt");
    archive[100..148].copy_from_slice(b"0000644\x000000000\x000000000\x0000000002340\x0014726541123\x00");
    archive[148..156].fill(b' ');
    let sum: u32 = archive.iter().map(|byte| u32::from(*byte)).sum();
    archive[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    archive.extend(b"words of a text\n".repeat(100));
    check("a", &archive, "- tar archive");
    archive[0] = b'b';
    check("a", &archive, "text");
}

#[test]
fn names_without_extension_and_unknown_ones_are_read_by_content() {
    check("noext", b"words", "text");
    check("text.bin", b"words", "text");
    check("script", b"#!/bin/sh\necho", "shell");
    check("script", b"#!/usr/bin/env -S python3 -u\nprint()", "python");
    check("script.cgi", b"#!/usr/bin/perl\n", "perl");
    check("feed", b"<?xml version=\"1.0\"?>\n<rss/>", "xml");
    check("data", b"\n{ \"a\": 1 }", "json");
    check("set", b"{a, b}", "text");
    check("Dockerfile.dev", b"FROM x", "dockerfile");
    check(".env.local", b"A=1", "dotenv");
    check(".gitignore", b"*.o", "gitfile");
    check("README", b"words", "text");
    check("a.txt.bak", b"words", "text");
    check("...", b"words", "text");
    check("svg.txt", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "text");
}

#[test]
fn an_empty_file_is_an_empty_text() {
    check("zero.pdf", b"", "text");
    check("zero.svg", b"", "text");
    check("zero.md", b"", "markdown");
    check("zero", b"", "text");
}

#[test]
fn the_mime_type_agrees_with_the_reader() {
    let mime = |name: &str, head: &[u8]| sniff(head, true, name, &SniffOptions::default()).mime;
    assert_eq!(mime("a.html", b"<p>x"), "text/html");
    assert_eq!(mime("a.xhtml", b"<p>x"), "application/xhtml+xml");
    assert_eq!(mime("a.html", b"<?xml version='1.0'?><html xmlns='x'>"), "application/xhtml+xml");
    assert_eq!(mime("a.html", b""), "text/plain");
    assert_eq!(mime("a.svg", b"<svg/>"), "image/svg+xml");
    assert_eq!(mime("a.txt", b"\x1f\x8b\x08"), "application/gzip");
    let asked = sniff(b"<svg/>", true, "a.svg", &SniffOptions { svg: true, ..SniffOptions::default() });
    assert_eq!(asked.verdict, SniffVerdict::Read(table_row("svg").expect("a row")));
}

#[test]
fn only_a_book_in_an_archive_is_a_book() {
    let extension = |name: &str| FileName::of(name, &SniffOptions::default()).extension;
    assert_eq!(extension("a.fb2.zip"), "fbz");
    assert_eq!(extension("a.FB2.zip"), "fbz");
    assert_eq!(extension("a.zip"), "zip");
    assert_eq!(extension("fb2.zip"), "zip");
    assert_eq!(extension(".zip"), "");
}

#[test]
fn archives_are_read_only_on_request() {
    let archives = SniffOptions { archives: true, ..SniffOptions::default() };
    let check = |filename: &str, head: &[u8], asked: &str, plain: &str| {
        let found = [&archives, &SniffOptions::default()].map(|options| shown(head, filename, options));
        assert_eq!(found, [asked, plain], "{filename}");
    };
    check("a.zip", &zip(&[("a.txt", "text")]), "zip", "- ZIP archive");
    check("a.jar", &zip(&[("META-INF/MANIFEST.MF", "")]), "zip", "- Java archive");
    check("a.apk", &zip(&[("AndroidManifest.xml", "")]), "zip", "- Android package");
    check("a.gz", b"\x1f\x8b\x08\0", "gzip", "- gzip archive");
    check("a.txt", b"\x1f\x8b\x08\0", "gzip", "- gzip archive named .txt");
    check("a.png", b"\x89PNG\r\n\x1a\n\0\0", "- PNG image", "- PNG image");
    check("a.zip", b"\0\x01\x02junk\n\0\x01\x02", "zip", "- zero bytes");
}

#[test]
fn archives_are_known_by_their_mime_types() {
    for mime in archive_mimes() {
        assert!(is_archive(mime), "{mime}");
    }
    assert!(is_archive("application/zip") && is_archive("application/java-archive"));
    assert!(!is_archive("application/pdf") && !is_archive(""));
    assert_eq!(archive_mimes().count(), FORMATS.iter().filter(|row| row.is_archive).count() + 2);
}

#[test]
fn mail_has_two_of_its_fields_and_begins_with_a_field() {
    check("m", b"From: a\nSubject: b\n\nwords", "eml");
    check("m", b"X-Any-1: a\nfrom: a\nSUBJECT: b\n", "eml");
    check("m", b"From: a\nWords: b\n\nwords", "text");
    check("m", b"From: a\nFrom: b\n\nwords", "text");
    check("m", b"Some words: a\nFrom: a\nSubject: b\n", "text");
    check("m", b": a\nFrom: a\nSubject: b\n", "text");
    check("m", b"no field\nFrom: a\nSubject: b\n", "text");
    check("m", b"From a@b Mon\nFrom: a\nSubject: b\n", "mbox");
    check("m", b"From a to b\nFrom: a\nSubject: b\n", "text");
    check("m", b"From a@b Mon\nFrom: a\nwords\n", "text");
    let lines = |before: usize| [b"X-A: b\n".repeat(before), b"From: a\nSubject: b\n".to_vec()].concat();
    check("m", &lines(28), "eml");
    check("m", &lines(29), "text");
    let field = |name: &str| format!("X-A: b\nFrom: a\n{name} b\n").into_bytes();
    for name in MAIL_FIELDS.iter().filter(|name| **name != "from:") {
        check("m", &field(name), "eml");
    }
}

#[test]
fn a_page_begins_with_its_type_or_its_element() {
    check("p", b"<!DOCTYPE html>", "html");
    check("p", b"<!doctype html SYSTEM", "html");
    check("p", b"<!doctype html", "html");
    check("p", b"<!doctype htmlx>", "text");
    check("p", b"<!doctype xml>", "text");
    check("p", b"<html>", "html");
    check("p", b"<HTML\tlang=en>", "html");
    check("p", b"<html\r\n>", "html");
    check("p", b"<html\n>", "html");
    check("p", b"<html", "html");
    check("p", b"<htmlx>", "text");
    check("p", b"<htm>", "text");
    check("p", b"<?xml version='1.0'?> <!-- a --> <!-- b --><html>", "html");
    check("p", b"<!-- never closed <html>", "text");
    check("p", b"<?xml never closed <html>", "xml");
}

#[test]
fn structured_text_is_known_by_its_beginning() {
    for start in ["{\"a\": 1}", "[1, 2]", "{}", "[]", "[[1]]", "{ {", "[ \n 9]"] {
        check("d", start.as_bytes(), "json");
    }
    for start in ["{a}", "[x]", "{", "[", "(1)"] {
        check("d", start.as_bytes(), "text");
    }
    check("d", b"%!PS-Adobe", "postscript");
    check("d", b"%PS", "text");
    check("d", b"<FictionBook xmlns='x'>", "fb2");
    check("d", b"<?xml version='1.0'?><FictionBook>", "fb2");
    let book = |blanks: usize| [b"<?xml?>".to_vec(), vec![b' '; blanks], b"<FictionBook>".to_vec()].concat();
    check("d", &book(1024 - 7 - 12), "fb2");
    check("d", &book(1024 - 7 - 11), "xml");
}

#[test]
fn text_under_the_name_of_a_document_is_its_source_if_a_mark_is_near_its_beginning() {
    let source = |before: usize| [vec![b' '; before], b"startxref".to_vec(), vec![b'\n'; 2000]].concat();
    check("a.pdf", &source(1024 - 9), "pdf");
    check("a.pdf", &source(1024 - 8), "text");
    check("a.docx", &source(0), "text");
}

#[test]
fn scripts_are_known_by_their_interpreters() {
    for (name, row) in INTERPRETERS {
        check("s", format!("#!/usr/bin/{name}").as_bytes(), row);
    }
    check("s", b"#!/usr/bin/env python3\n", "python");
    check("s", b"#!/usr/bin/env -S A=1 ruby -w\n", "ruby");
    check("s", b"#! /bin/dash -e\npython", "shell");
    check("s", b"#!", "shell");
}

#[test]
fn names_with_unknown_ends_have_the_row_of_their_stem() {
    let row = |name: &str| by_stem(name).map(|row| row.name);
    assert_eq!(row("Dockerfile.dev"), Some("dockerfile"));
    assert_eq!(row("Dockerfile.dev.old"), Some("dockerfile"));
    assert_eq!(row(".env.local"), Some("dotenv"));
    assert_eq!(row("CMakeLists.txt.in"), Some("cmake"));
    assert_eq!(row(".Dockerfile"), None);
    assert_eq!(row("Dockerfile"), None);
    assert_eq!(row("plain.txt"), None);
}

#[test]
fn the_mime_type_of_unknown_content_is_that_of_its_first_bytes() {
    for (head, expected) in [
        (b"plain words\n".as_slice(), "text/plain"),
        (b"\x01\x02\0\0\xff\xfe\0\x03", "application/octet-stream"),
        (b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
    ] {
        assert_eq!(mime_of_content(head), expected);
    }
}

#[test]
fn secrets_stay_where_they_are_unless_they_are_asked_for() {
    let asked = SniffOptions { secrets: true, ..SniffOptions::default() };
    let key = b"-----BEGIN PRIVATE KEY-----\n";
    let skipped = |what: &str, name: &str| {
        format!("- {what}; `!{name}` in .pensieveignore or `scan.secrets = true` reads it")
    };
    check("a/.netrc", b"machine x", &skipped("file of credentials, by the name `.netrc`", ".netrc"));
    check("server.key", key, &skipped("private key, by its content", "server.key"));
    check(".netrc", b"", "text");
    check(".env", b"A=b", "dotenv");
    for (name, head, expected) in [
        (".netrc", &b"machine x"[..], "text"),
        ("server.key", key, "text"),
        (".env", b"A=b", "ini"),
        (".env.local", b"", "ini"),
    ] {
        assert_eq!(shown(head, name, &asked), expected, "{name}");
    }
    let mimes = [SniffOptions::default(), asked].map(|options| sniff(key, true, "a.txt", &options).mime);
    assert_eq!(mimes, [KEY_MIME, KEY_MIME]);
    assert!(is_masked_name(".env.local") && !is_masked_name("env"));
}

#[test]
fn calendars_and_cards_are_told_by_how_they_begin() {
    let (card, calendar) = (b"BEGIN:VCARD\nFN:a\nEND:VCARD\n", b"begin:vcalendar\nend:vcalendar\n");
    for (name, head, expected) in [
        ("a.ics", &card[..], "vcard"),
        ("a.vcf", card, "vcard"),
        ("a.vcf", calendar, "ics"),
        ("a", calendar, "ics"),
        ("a.ics", b"BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n", "ics"),
        ("a.ics", b"Beginning of notes", "text"),
        ("a.txt", card, "text"),
    ] {
        check(name, head, expected);
    }
}
