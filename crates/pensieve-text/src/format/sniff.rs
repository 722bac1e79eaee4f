//! Decides the format of a file from its first bytes and its name.
//!
//! Content excludes formats: a PNG named `.txt` is not text, an HTML page named `.txt` is a page, and text named `.pdf`
//! is text. Among the kinds of text the name decides. An extension that has no row is that of a document if the user has a
//! converter for it. Nothing is opened here.

use super::chats::{is_export, is_transcript};
use super::converted::{format_of_converter, usual_extensions};
use super::magic::{Content, ContentType, likely_content, sure_content};
use super::secrets::{KEY_MIME, by_path, private_key};
use super::table::{FORMATS, Format, ReaderKind, by_extension, by_filename, table_row};
use crate::text::decode::{TextVerdict, is_text, is_zeroed_text};

/// Settings of a run that the decision depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SniffOptions<'a> {
    /// True if SVG images are read as source text.
    pub svg: bool,
    /// True if archives and packed files are read; they are no documents otherwise.
    pub archives: bool,
    /// True if credential stores, private keys and values of environment files are read as they are.
    pub secrets: bool,
    /// Extensions in lower case for which the user has a converter.
    pub converters: &'a [String],
}

/// What to do with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SniffVerdict {
    /// Read it as this format.
    Read(&'static Format),
    /// It is not a document.
    Binary {
        /// Its MIME type.
        mime: String,
        /// Why, in words: `PNG image named .txt`.
        reason: String,
    },
    /// It holds secrets, and its bytes stay where they are.
    Secret {
        /// What it is, by which rule, and what reads it all the same.
        reason: String,
    },
}

/// The decision about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SniffResult {
    /// How to read the file, or why it is not read.
    pub verdict: SniffVerdict,
    /// Its MIME type, which agrees with the verdict.
    pub mime: String,
}

/// Decides about a file by its path and its first 64 KiB, or all of it if `whole`.
pub fn sniff(head: &[u8], whole: bool, path: &str, options: &SniffOptions<'_>) -> SniffResult {
    let filename = path.rsplit('/').next().unwrap_or_default();
    let key = private_key(head, filename);
    let place = by_path(path).filter(|_| key.is_none());
    let mut result = by_kind(head, whole, filename, options);
    if key.is_some() {
        result.mime = KEY_MIME.to_owned();
    }
    let is_empty = head.is_empty() && whole;
    let secret = match (key, place.filter(|_| !is_empty)) {
        (Some(label), _) => Some(format!("{label}, by its content")),
        (_, Some((label, pattern))) => Some(format!("{label}, by the name `{pattern}`")),
        _ => None,
    };
    if let Some(secret) = secret.filter(|_| !options.secrets) {
        let reason = format!("{secret}; `!{filename}` in .pensieveignore or `scan.secrets = true` reads it");
        result.verdict = SniffVerdict::Secret { reason };
    }
    result
}

/// What a file is, whatever it says.
fn by_kind(head: &[u8], whole: bool, filename: &str, options: &SniffOptions<'_>) -> SniffResult {
    let name = FileName::of(filename, options);
    let verdict = if head.is_empty() && whole {
        SniffVerdict::Read(unmasked(name.text_row(), options))
    } else if let Some(row) = row_of_converter(head, &name, options.converters) {
        return SniffResult { verdict: SniffVerdict::Read(row), mime: mime_of_content(head).to_owned() };
    } else {
        decide(head, &name, options)
    };
    let mime = match &verdict {
        SniffVerdict::Binary { mime, .. } => mime.clone(),
        SniffVerdict::Read(row) => row.xml_mime.filter(|_| is_xhtml(head, &name)).unwrap_or(row.mime).into(),
        SniffVerdict::Secret { .. } => String::new(),
    };
    SniffResult { verdict, mime }
}

/// True for the name of an environment file, whose values are masked if it is text.
pub fn is_masked_name(filename: &str) -> bool {
    // Every file of a scan is asked, and hardly one has such a name.
    let may_be = filename.as_bytes().windows(3).any(|part| part.eq_ignore_ascii_case(b"env"));
    may_be && FileName::of(filename, &SniffOptions::default()).row.is_some_and(|row| row.is_masked)
}

/// The row of settings as they are, which environment files have where their values are not masked.
fn unmasked(row: &'static Format, options: &SniffOptions<'_>) -> &'static Format {
    match table_row("ini").filter(|_| row.is_masked && options.secrets) {
        Some(settings) => settings,
        None => row,
    }
}

/// The parts of a file name that show a format.
struct FileName {
    extension: String,
    row: Option<&'static Format>,
}

impl FileName {
    fn of(filename: &str, options: &SniffOptions<'_>) -> FileName {
        let extension = match filename.rsplit_once('.') {
            // A single book in an archive is read as the book.
            Some((stem, "zip")) if stem.to_ascii_lowercase().ends_with(".fb2") => "fbz".to_owned(),
            Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
            _ => String::new(),
        };
        let row = by_filename(filename).or_else(|| by_extension(&extension)).or_else(|| by_stem(filename));
        FileName { row: row.filter(|row| !row.is_archive || options.archives), extension }
    }

    /// The row if the content is text or empty.
    fn text_row(&self) -> &'static Format {
        self.row.filter(|row| row.reader == ReaderKind::Text && !row.is_image).unwrap_or_else(plain)
    }
}

/// The row of a file that a converter reads although the table has no row for it: because of its name, unless it is a
/// document of another format, or because of its content.
fn row_of_converter(head: &[u8], name: &FileName, converters: &[String]) -> Option<&'static Format> {
    let has_converter = |extension: &str| converters.iter().any(|known| known == extension);
    if converters.is_empty() || matches!(sure_content(head), Some(Content::Document(_))) {
        return None;
    }
    if has_converter(&name.extension) && by_extension(&name.extension).is_none() {
        return Some(format_of_converter(&name.extension));
    }
    let Some(Content::Other(content)) = any_content(head) else { return None };
    let usual = usual_extensions(content.mime).iter().find(|extension| has_converter(extension))?;
    Some(format_of_converter(usual))
}

/// The content by its first bytes, those included that a text may begin with.
fn any_content(head: &[u8]) -> Option<Content> {
    let is_binary = || matches!(is_text(head), TextVerdict::Binary(_));
    sure_content(head).or_else(|| is_binary().then(|| likely_content(head)).flatten())
}

/// The MIME type of a file whose format nobody knows.
fn mime_of_content(head: &[u8]) -> &'static str {
    match (any_content(head), is_text(head)) {
        (Some(Content::Other(content) | Content::Container(_, content)), _) => content.mime,
        (Some(Content::Document(row)), _) => row.mime,
        (None, TextVerdict::Text) => "text/plain",
        (None, TextVerdict::Binary(_)) => "application/octet-stream",
    }
}

/// The row of names such as `Dockerfile.dev` and `.env.local`, whose extension is unknown.
fn by_stem(filename: &str) -> Option<&'static Format> {
    let dots = filename.match_indices('.').map(|(at, _)| at).filter(|at| *at > 0);
    dots.rev().find_map(|at| by_filename(&filename[..at]))
}

fn plain() -> &'static Format {
    table_row("text").expect("the table has a row for plain text")
}

fn decide(head: &[u8], name: &FileName, options: &SniffOptions<'_>) -> SniffVerdict {
    if let Some(content) = sure_content(head) {
        return verdict_of(content, name, options);
    }
    match is_text(head) {
        // Tables of numbers pass for UTF-16: content that begins like another format and contains zeros is that format.
        TextVerdict::Text => match likely_content(head).filter(|_| head.contains(&0)) {
            Some(content) => verdict_of(content, name, options),
            None => text(head, name, options),
        },
        TextVerdict::Binary(reason) => match (likely_content(head), name.row) {
            (Some(content), _) => verdict_of(content, name, options),
            // Its reader can report what is wrong with it, or repair it.
            (None, Some(row)) if row.is_binary() || row.has_binary_parts => SniffVerdict::Read(row),
            // Most of it is lost, or all.
            (None, Some(_)) if is_zeroed_text(head) => text(head, name, options),
            (None, _) => {
                SniffVerdict::Binary { mime: "application/octet-stream".into(), reason: reason.to_string() }
            }
        },
    }
}

fn verdict_of(content: Content, name: &FileName, options: &SniffOptions<'_>) -> SniffVerdict {
    let other = |content: ContentType| match archive_row(&content).filter(|_| options.archives) {
        Some(row) => SniffVerdict::Read(row),
        None => no_document(content, name),
    };
    match content {
        Content::Document(row) => SniffVerdict::Read(row),
        Content::Container(container, content) => {
            match name.row.filter(|row| row.containers.contains(&container)) {
                Some(row) => SniffVerdict::Read(row),
                None => other(content),
            }
        }
        Content::Other(content) => other(content),
    }
}

/// Types of ZIP archives that have a name of their own.
const ZIP_ARCHIVES: &[&str] = &["application/java-archive", "application/vnd.android.package-archive"];

/// The row of an archive, by the MIME type of its first bytes.
fn archive_row(content: &ContentType) -> Option<&'static Format> {
    match ZIP_ARCHIVES.contains(&content.mime) {
        true => table_row("zip"),
        false => FORMATS.iter().find(|row| row.is_archive && row.mime == content.mime),
    }
}

/// True for the MIME type of an archive that is read if the settings request it.
pub fn is_archive(mime: &str) -> bool {
    archive_mimes().any(|archive| archive == mime)
}

/// The MIME types of archives that are read if the settings request it.
pub fn archive_mimes() -> impl Iterator<Item = &'static str> {
    let formats = FORMATS.iter().filter(|row| row.is_archive).map(|row| row.mime);
    formats.chain(ZIP_ARCHIVES.iter().copied())
}

/// The verdict on a file that is not a document; the reason mentions a name that suggests a document.
fn no_document(content: ContentType, name: &FileName) -> SniffVerdict {
    let is_mislabelled = by_extension(&name.extension).is_some_and(|row| !row.is_image && !row.is_archive);
    let reason = match is_mislabelled {
        true => format!("{} named .{}", content.label, name.extension),
        false => content.label.to_owned(),
    };
    SniffVerdict::Binary { mime: content.mime.into(), reason }
}

fn text(head: &[u8], name: &FileName, options: &SniffOptions<'_>) -> SniffVerdict {
    let row = match name.row {
        Some(row) if row.is_image && !options.svg => {
            return SniffVerdict::Binary { mime: row.mime.into(), reason: row.label.into() };
        }
        // A text file may contain an HTML page; a page in a file of another language belongs to that language.
        Some(row) if row.may_be_page => page(head).unwrap_or(row),
        Some(row) if !row.is_binary() && row.source_marks.is_empty() => unmasked(row, options),
        Some(row) if is_source(head, row) => row,
        _ => by_content(head),
    };
    let told = match row.name {
        "xml" => vocabulary(head),
        "json" if is_export(trimmed(head)) => table_row("chat"),
        "text" if is_transcript(head) => table_row("chat"),
        _ => None,
    };
    SniffVerdict::Read(told.unwrap_or(row))
}

/// Roots of the vocabularies that the reader of documents in XML knows.
const DOCUMENT_ROOTS: &[&str] = &[
    "RDF",
    "TEI",
    "TEI.2",
    "article",
    "book",
    "chapter",
    "feed",
    "nitf",
    "opml",
    "part",
    "rss",
    "section",
    "teiCorpus",
    "tt",
    "us-patent-application",
    "us-patent-grant",
];

/// The row of an article, book or feed in XML: by its root, and a mark of the vocabulary, since other XML has such roots.
fn vocabulary(head: &[u8]) -> Option<&'static Format> {
    let mut rest = after_prolog(head);
    if rest.starts_with(b"<!DOCTYPE") {
        let end = rest.iter().position(|byte| matches!(byte, b'>' | b'['))?;
        // Declarations inside of the document type end with `]>`.
        let end = if rest[end] == b'[' { memchr::memmem::find(rest, b"]>")? + 1 } else { end };
        rest = after_prolog(&rest[end + 1..]);
    }
    let name = rest.strip_prefix(b"<")?;
    let name = &name[..name.iter().position(|byte| matches!(byte, b' ' | b'>' | b'\t' | b'\r' | b'\n'))?];
    let local = name.rsplit(|byte| *byte == b':').next().unwrap_or(name);
    let row = table_row("xmldoc").filter(|row| is_source(head, row))?;
    DOCUMENT_ROOTS.iter().any(|root| root.as_bytes() == local).then_some(row)
}

/// True if the text begins with a mark of the format.
fn begins_as(start: &[u8], row: &Format) -> bool {
    row.source_marks.iter().any(|mark| start.starts_with(mark.as_bytes()))
}

/// True if the text is the source of a document in that format.
fn is_source(head: &[u8], row: &Format) -> bool {
    let beginning = &head[..head.len().min(1024)];
    row.source_marks.iter().any(|mark| memchr::memmem::find(beginning, mark.as_bytes()).is_some())
}

/// The row of a text whose name shows no format, or a wrong one.
fn by_content(head: &[u8]) -> &'static Format {
    let start = trimmed(head);
    let by_start = || match start {
        [b'#', b'!', ..] => interpreter(start),
        _ if start.starts_with(b"<?xml") || start.starts_with(b"<FictionBook") => {
            book(start).or_else(|| table_row("xml"))
        }
        _ if start.starts_with(b"%!PS") => table_row("postscript"),
        [b'{' | b'[', rest @ ..] if begins_json(rest) => table_row("json"),
        // A card in a file that is named as a calendar is a card.
        [b'B' | b'b', ..] => {
            ["ics", "vcard"].into_iter().filter_map(table_row).find(|row| begins_as(start, row))
        }
        _ => None,
    };
    page(head).or_else(by_start).or_else(|| mail(start)).unwrap_or_else(plain)
}

/// The row of a FictionBook under a name that shows no format.
fn book(start: &[u8]) -> Option<&'static Format> {
    memchr::memmem::find(&start[..start.len().min(1024)], b"<FictionBook").and_then(|_| table_row("fb2"))
}

/// Header fields of mail. Two of them must be present, because other text begins with names and colons too.
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

/// The row of a mail or mailbox whose name shows no format, such as the files of a mail server.
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
        (true, true) => table_row("mbox"),
        (false, true) if begins => table_row("eml"),
        _ => None,
    }
}

/// Beginnings of the names of interpreters, and the row of the language that they run.
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

/// The row of a script by its interpreter, as in `#!/usr/bin/env -S python3 -u`; a shell script if it is unknown.
fn interpreter(start: &[u8]) -> Option<&'static Format> {
    let line = start[2..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let programs = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut programs =
        programs.filter(|word| *word != "env" && !word.starts_with('-') && !word.contains('='));
    let program = programs.next().unwrap_or_default();
    let known = INTERPRETERS.iter().find(|(name, _)| program.starts_with(name));
    table_row(known.map_or("shell", |(_, row)| row))
}

fn begins_json(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start(), [b'"' | b'{' | b'}' | b'[' | b']' | b'0'..=b'9', ..])
}

/// The row of HTML, if the text begins as a page.
fn page(head: &[u8]) -> Option<&'static Format> {
    let start = after_prolog(head);
    let begins = |with: &[u8]| start.get(..with.len()).is_some_and(|it| it.eq_ignore_ascii_case(with));
    let ends_there =
        |at: usize| start.get(at).is_none_or(|byte| matches!(byte, b'>' | b' ' | b'\t' | b'\r' | b'\n'));
    let is_page = begins(b"<!doctype html") && ends_there(14) || begins(b"<html") && ends_there(5);
    is_page.then(|| table_row("html")).flatten()
}

/// True if a page is written in XML.
fn is_xhtml(head: &[u8], name: &FileName) -> bool {
    matches!(name.extension.as_str(), "xhtml" | "xht") || trimmed(head).starts_with(b"<?xml")
}

/// The text after white space, comments and an XML declaration.
fn after_prolog(head: &[u8]) -> &[u8] {
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

/// The text after a byte-order mark and white space.
fn trimmed(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start()
}

#[cfg(test)]
mod tests;
