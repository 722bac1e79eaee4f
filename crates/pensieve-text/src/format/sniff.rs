//! The judgement on a file by its first bytes and its name together.
//!
//! Content decides what a file cannot be: a PNG named `.txt` is no text, a page named `.txt` is a page, and text named
//! `.pdf` is text. Among the kinds of text the name decides. Nothing is opened here.

use super::magic::{Content, Kind, likely_content, sure_content};
use super::table::{Format, ReaderKind, by_extension, by_filename, by_name};
use crate::text::decode::{TextVerdict, is_text};

/// What a run asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SniffOptions {
    /// SVG images are read as their source text.
    pub svg: bool,
}

/// What is to be done with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SniffVerdict {
    /// The row that reads it.
    Read(&'static Format),
    /// It is no document.
    Binary {
        /// Its MIME type.
        mime: String,
        /// Why, in words: `PNG image named .txt`.
        reason: String,
    },
}

/// The judgement on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SniffResult {
    /// What is to be done with it.
    pub verdict: SniffVerdict,
    /// Its MIME type, in agreement with the verdict.
    pub mime: String,
}

/// Judges a file by its first 64 KiB (or all of it: `whole`) and its name.
pub fn sniff(head: &[u8], whole: bool, filename: &str, options: &SniffOptions) -> SniffResult {
    let name = Name::of(filename);
    let verdict = if head.is_empty() && whole {
        SniffVerdict::Read(name.text_row())
    } else {
        judge(head, &name, options)
    };
    let mime = match &verdict {
        SniffVerdict::Binary { mime, .. } => mime.clone(),
        SniffVerdict::Read(row) if row.name == "html" && is_xhtml(head, &name) => {
            "application/xhtml+xml".into()
        }
        SniffVerdict::Read(row) => row.mime.into(),
    };
    SniffResult { verdict, mime }
}

/// A file name as far as it tells a format.
struct Name {
    extension: String,
    row: Option<&'static Format>,
}

impl Name {
    fn of(filename: &str) -> Name {
        let extension = match filename.rsplit_once('.') {
            // A book in an archive of its own is read as the book.
            Some((stem, "zip")) if stem.to_ascii_lowercase().ends_with(".fb2") => "fbz".to_owned(),
            Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
            _ => String::new(),
        };
        let row = by_filename(filename).or_else(|| by_extension(&extension));
        Name { row: row.or_else(|| by_stem(filename)), extension }
    }

    /// The row for what turned out to be text, or to be empty.
    fn text_row(&self) -> &'static Format {
        self.row.filter(|row| row.reader == ReaderKind::Text && !row.is_image).unwrap_or_else(plain)
    }
}

/// `Dockerfile.dev` and `.env.local`, whose extension says nothing.
fn by_stem(filename: &str) -> Option<&'static Format> {
    let dots = filename.match_indices('.').map(|(at, _)| at).filter(|at| *at > 0);
    dots.rev().find_map(|at| by_filename(&filename[..at]))
}

fn plain() -> &'static Format {
    by_name("text").expect("the table has a row for plain text")
}

fn judge(head: &[u8], name: &Name, options: &SniffOptions) -> SniffVerdict {
    if let Some(content) = sure_content(head) {
        return settle(content, name);
    }
    match is_text(head) {
        // Tables of numbers pass for UTF-16; what begins like something else and holds zeros is that.
        TextVerdict::Text => match likely_content(head).filter(|_| head.contains(&0)) {
            Some(content) => settle(content, name),
            None => text(head, name, options),
        },
        TextVerdict::Binary(reason) => match (likely_content(head), name.row) {
            (Some(content), _) => settle(content, name),
            // Its reader can tell what is wrong with it, or mend it.
            (None, Some(row)) if row.is_binary() || is_mail(row) => SniffVerdict::Read(row),
            (None, _) => {
                SniffVerdict::Binary { mime: "application/octet-stream".into(), reason: reason.to_string() }
            }
        },
    }
}

/// True for formats whose files are text, and may hold parts that are none.
fn is_mail(row: &Format) -> bool {
    matches!(row.name, "eml" | "mbox" | "mhtml")
}

fn settle(content: Content, name: &Name) -> SniffVerdict {
    match content {
        Content::Document(row) => SniffVerdict::Read(row),
        Content::Container(rows, kind) => match name.row.filter(|row| rows.contains(&row.name)) {
            Some(row) => SniffVerdict::Read(row),
            None => other(kind, name),
        },
        Content::Other(kind) => other(kind, name),
    }
}

/// What is no document; where the name says that it is one, the reason says so.
fn other(kind: Kind, name: &Name) -> SniffVerdict {
    let is_mislabelled = by_extension(&name.extension).is_some_and(|row| !row.is_image);
    let reason = match is_mislabelled {
        true => format!("{} named .{}", kind.label, name.extension),
        false => kind.label.to_owned(),
    };
    SniffVerdict::Binary { mime: kind.mime.into(), reason }
}

fn text(head: &[u8], name: &Name, options: &SniffOptions) -> SniffVerdict {
    let row = match name.row {
        Some(row) if row.is_image && !options.svg => {
            return SniffVerdict::Binary { mime: row.mime.into(), reason: row.label.into() };
        }
        // What is written by hand into a text file may be a page; what another language embeds is that language's.
        Some(row) if matches!(row.name, "text" | "markdown") => page(head).unwrap_or(row),
        Some(row) if !row.is_binary() => row,
        Some(row) if is_source(head, row) => row,
        _ => by_content(head),
    };
    SniffVerdict::Read(row)
}

/// True when the text is the source of a document in that format, which nobody wants to read as such.
fn is_source(head: &[u8], row: &Format) -> bool {
    let beginning = &head[..head.len().min(1024)];
    row.source_marks.iter().any(|mark| memchr::memmem::find(beginning, mark.as_bytes()).is_some())
}

/// The row of a text whose name says nothing, or says what it is not.
fn by_content(head: &[u8]) -> &'static Format {
    let start = trimmed(head);
    let by_start = || match start {
        [b'#', b'!', ..] => interpreter(start),
        _ if start.starts_with(b"<?xml") || start.starts_with(b"<FictionBook") => {
            book(start).or_else(|| by_name("xml"))
        }
        _ if start.starts_with(b"%!PS") => by_name("postscript"),
        [b'{' | b'[', rest @ ..] if begins_json(rest) => by_name("json"),
        _ => None,
    };
    page(head).or_else(by_start).or_else(|| mail(start)).unwrap_or_else(plain)
}

/// The row of a book that is XML under a name that says nothing.
fn book(start: &[u8]) -> Option<&'static Format> {
    memchr::memmem::find(&start[..start.len().min(1024)], b"<FictionBook").and_then(|_| by_name("fb2"))
}

/// Fields by which a mail is told from other text that begins with names and colons; two of them must be there.
const MAIL_FIELDS: &[&str] = &[
    "date:",
    "delivered-to:",
    "from:",
    "message-id:",
    "mime-version:",
    "received:",
    "return-path:",
    "subject:",
];

/// The row of a mail or mailbox whose name says nothing, such as those of a mail server's folders.
fn mail(start: &[u8]) -> Option<&'static Format> {
    let lines: Vec<String> = start
        .split(|&byte| byte == b'\n')
        .take(30)
        .map(|line| String::from_utf8_lossy(&line[..line.len().min(40)]).to_ascii_lowercase())
        .collect();
    let is_box = lines.first().is_some_and(|line| line.starts_with("from ") && line.contains('@'));
    let known = MAIL_FIELDS.iter().filter(|field| lines.iter().any(|line| line.starts_with(*field))).count();
    let field = lines.first().and_then(|line| line.split_once(':'));
    let begins = field.is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    });
    match (is_box, known > 1) {
        (true, true) => by_name("mbox"),
        (false, true) if begins => by_name("eml"),
        _ => None,
    }
}

/// Interpreters by how their program names begin, and the row of what they run.
const INTERPRETERS: &[(&str, &str)] = &[
    ("python", "python"),
    ("pypy", "python"),
    ("node", "javascript"),
    ("deno", "typescript"),
    ("bun", "typescript"),
    ("ts-node", "typescript"),
    ("perl", "perl"),
    ("raku", "perl"),
    ("ruby", "ruby"),
    ("php", "php"),
    ("lua", "lua"),
    ("Rscript", "r"),
    ("awk", "awk"),
    ("gawk", "awk"),
    ("tclsh", "tcl"),
    ("wish", "tcl"),
    ("expect", "tcl"),
    ("make", "makefile"),
    ("groovy", "groovy"),
    ("julia", "julia"),
    ("elixir", "elixir"),
    ("escript", "erlang"),
    ("runhaskell", "haskell"),
    ("nix", "nix"),
    ("pwsh", "powershell"),
];

/// `#!/usr/bin/env -S python3 -u`: the program that runs the script; a shell when it is none of the table.
fn interpreter(start: &[u8]) -> Option<&'static Format> {
    let line = start[2..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let programs = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut programs =
        programs.filter(|word| *word != "env" && !word.starts_with('-') && !word.contains('='));
    let program = programs.next().unwrap_or_default();
    let known = INTERPRETERS.iter().find(|(name, _)| program.starts_with(name));
    by_name(known.map_or("shell", |(_, row)| row))
}

fn begins_json(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start(), [b'"' | b'{' | b'}' | b'[' | b']' | b'0'..=b'9', ..])
}

/// The row for pages, when the text begins as one.
fn page(head: &[u8]) -> Option<&'static Format> {
    let start = behind_prolog(head);
    let begins = |with: &[u8]| start.get(..with.len()).is_some_and(|it| it.eq_ignore_ascii_case(with));
    let ends_there =
        |at: usize| start.get(at).is_none_or(|byte| matches!(byte, b'>' | b' ' | b'\t' | b'\r' | b'\n'));
    let is_page = begins(b"<!doctype html") && ends_there(14) || begins(b"<html") && ends_there(5);
    is_page.then(|| by_name("html")).flatten()
}

/// True when a page is written in XML.
fn is_xhtml(head: &[u8], name: &Name) -> bool {
    matches!(name.extension.as_str(), "xhtml" | "xht") || trimmed(head).starts_with(b"<?xml")
}

/// The text behind white space, comments and an XML declaration.
fn behind_prolog(head: &[u8]) -> &[u8] {
    let mut rest = trimmed(head);
    loop {
        let end: &[u8] = match rest {
            _ if rest.starts_with(b"<!--") => b"-->",
            _ if rest.starts_with(b"<?xml") => b"?>",
            _ => return rest,
        };
        match memchr::memmem::find(rest, end) {
            Some(at) => rest = rest[at + end.len()..].trim_ascii_start(),
            None => return rest,
        }
    }
}

/// The text behind a byte-order mark and white space.
fn trimmed(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::super::FORMATS;
    use super::*;

    fn verdict(filename: &str, head: &[u8]) -> String {
        let sniffed = sniff(head, true, filename, &SniffOptions::default());
        match sniffed.verdict {
            SniffVerdict::Read(row) => row.name.to_owned(),
            SniffVerdict::Binary { reason, .. } => format!("- {reason}"),
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
                (ReaderKind::Text | ReaderKind::Document, _) if !row.is_binary() => row.name.to_owned(),
                _ => "text".to_owned(),
            };
            let extensions = row.extensions.iter().map(|extension| format!("a.{extension}"));
            for filename in extensions.chain(row.filenames.iter().map(|name| name.to_string())) {
                check(&filename, b"some words of text\n", &expected);
            }
        }
    }

    #[test]
    fn content_beats_the_name() {
        check("png.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "- PNG image named .txt");
        let archive = [
            &b"!<arch>\n/               0           0     0     0       8         `\n"[..],
            &[0, 1].repeat(200),
        ];
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
    fn containers_are_told_apart_by_what_is_in_them_or_else_by_name() {
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
    fn a_damaged_document_is_left_to_its_reader() {
        check("a.pdf", b"words before the header\n%PDF-1.1\n", "pdf");
        check("a.pdf", b"trailer<</Root<<>>>>", "pdf");
        check("a.txt", b"a header looks like this: %PDF-1.1\n", "text");
        check("a.eps", b"%!PS-Adobe-3.0 EPSF-3.0\n", "postscript");
        check("a.docx", b"\0\x01\x02junk\n\0\x01\x02", "docx");
        check("a.pdf", b"\0\x01\x02junk\n\0%PDF-1.4", "pdf");
        check("a.dat", b"\0\x01\x02junk\n\0%PDF-1.4", "pdf");
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
        let asked = sniff(b"<svg/>", true, "a.svg", &SniffOptions { svg: true });
        assert_eq!(asked.verdict, SniffVerdict::Read(by_name("svg").expect("a row")));
    }
}
