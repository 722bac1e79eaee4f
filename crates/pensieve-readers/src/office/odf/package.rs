//! The parts of an OpenDocument: of a ZIP package, or of one XML file ("flat"). Only `content.xml` is required.
//!
//! Packages that are encrypted according to their manifest are refused. Source: OpenDocument 1.3 part 2 (packages),
//! part 3 section 3.1 (`office:document`), 4.3 (metadata).

use super::object::{EmbeddedObject, embedded};
use crate::limits::odf::{MAX_METADATA_ROWS, MAX_OBJECT_BYTES, MAX_OBJECTS};
use crate::shared::archive::Archive;
use crate::shared::xml::{XmlEvent, XmlReader};
use crate::source::DocumentSource;
use encoding_rs::{Encoding, UTF_8};
use pensieve_text::model::{Problem, ProblemKind, ReviewReason};
use pensieve_text::text::decode::has_zero_block;
use std::collections::HashMap;
use std::io::Read;

pub(super) struct OdfPackage<'a> {
    /// The part with the body; of a flat document all of it.
    pub content: String,
    /// The part with the common styles and the master pages, if it is a separate part.
    pub styles: Option<String>,
    pub metadata: Vec<(String, String)>,
    /// The document is one XML file.
    pub is_flat: bool,
    pub problems: Vec<Problem>,
    pub review_reasons: Vec<ReviewReason>,
    archive: Option<Archive<'a>>,
    objects: HashMap<String, Option<EmbeddedObject>>,
}

impl<'a> OdfPackage<'a> {
    /// Opens a document.
    ///
    /// # Errors
    /// `Encrypted`, or `Damaged` if no body is found.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<OdfPackage<'a>, Problem> {
        let mut head = [0; 4];
        let read = source.file()?.read(&mut head).unwrap_or(0);
        if !head[..read].starts_with(b"PK") && looks_like_xml(&head[..read]) {
            return Ok(OdfPackage::flat(&source.bytes()?));
        }
        let mut archive = Archive::open(source)?;
        if let Ok(manifest) = archive.read("META-INF/manifest.xml") {
            let manifest = String::from_utf8_lossy(&manifest);
            if is_encrypted(&manifest) {
                return Err(Problem::new(
                    ProblemKind::Encrypted,
                    "the document is encrypted with a password",
                ));
            }
        }
        let mut package = OdfPackage::empty();
        let (content, problem) = archive.salvage("content.xml")?;
        if let (true, Some(problem)) = (content.is_empty(), &problem) {
            return Err(problem.clone());
        }
        package.take_problem(problem);
        package.content = package.decoded(content);
        package.styles = package.part(&mut archive, "styles.xml");
        if let Some(meta) = package.part(&mut archive, "meta.xml") {
            package.metadata = metadata_of(&meta);
        }
        package.archive = Some(archive);
        Ok(package)
    }

    fn empty() -> OdfPackage<'a> {
        OdfPackage {
            content: String::new(),
            styles: None,
            metadata: Vec::new(),
            is_flat: false,
            problems: Vec::new(),
            review_reasons: Vec::new(),
            archive: None,
            objects: HashMap::new(),
        }
    }

    fn flat(bytes: &[u8]) -> OdfPackage<'a> {
        let mut package = OdfPackage { is_flat: true, ..OdfPackage::empty() };
        package.content = package.decoded(bytes.to_vec());
        let lost = "a block of the document is nothing but zeros";
        package.take_problem(has_zero_block(bytes).then(|| Problem::new(ProblemKind::Damaged, lost)));
        package.metadata = metadata_of(&package.content);
        package
    }

    /// Reads a part that may be absent.
    fn part(&mut self, archive: &mut Archive<'a>, name: &str) -> Option<String> {
        if !archive.has(name) {
            return None;
        }
        match archive.salvage(name) {
            Ok((bytes, problem)) => {
                self.take_problem(problem);
                Some(self.decoded(bytes))
            }
            Err(problem) => {
                self.take_problem(Some(problem));
                None
            }
        }
    }

    fn take_problem(&mut self, problem: Option<Problem>) {
        self.review_reasons.extend(problem.as_ref().map(ReviewReason::of));
        self.problems.extend(problem);
    }

    fn decoded(&mut self, bytes: Vec<u8>) -> String {
        let (text, problem) = decode_xml(bytes);
        self.take_problem(problem);
        text
    }

    /// The text of an embedded object.
    pub fn object(&mut self, address: &str) -> Option<EmbeddedObject> {
        let folder = address.trim_start_matches("./").trim_end_matches('/').to_owned();
        if let Some(known) = self.objects.get(&folder) {
            return known.clone();
        }
        if self.objects.len() >= MAX_OBJECTS {
            let detail = format!("objects after the first {MAX_OBJECTS} are not read");
            if self.review_reasons.iter().all(|doubt| doubt.detail != detail) {
                self.review_reasons.push(ReviewReason::skipped(detail));
            }
            return None;
        }
        let archive = self.archive.as_mut()?;
        let mut bytes = Vec::new();
        let name = format!("{folder}/content.xml");
        let read = archive
            .stream(&name)
            .ok()
            .and_then(|part| part.take(MAX_OBJECT_BYTES).read_to_end(&mut bytes).ok());
        if bytes.len() as u64 == MAX_OBJECT_BYTES {
            let detail = format!(
                "`{folder}` is an object of more than {MAX_OBJECT_BYTES} bytes, whose beginning is read"
            );
            self.review_reasons.push(ReviewReason::skipped(detail));
        }
        let object = read.and_then(|_| embedded(&String::from_utf8_lossy(&bytes)));
        self.objects.insert(folder, object.clone());
        object
    }
}

/// The text of an XML part: UTF-8, or the encoding of its byte-order mark or its declaration. The encoding is not
/// detected: a part that fits neither is damaged, and detection takes seconds per megabyte.
pub(crate) fn decode_xml(bytes: Vec<u8>) -> (String, Option<Problem>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with('\u{feff}') => return (text, None),
        Ok(text) => return (text.trim_start_matches('\u{feff}').to_owned(), None),
        Err(error) => error.into_bytes(),
    };
    let (text, _, is_replaced) = declared(&bytes).decode(&bytes);
    let message = "bytes that are no text in the declared encoding were replaced";
    let problem = is_replaced.then(|| Problem::new(ProblemKind::Undecodable, message));
    (text.into_owned(), problem)
}

/// The encoding in the declaration at the start.
fn declared(bytes: &[u8]) -> &'static Encoding {
    let head = &bytes[..bytes.len().min(200)];
    let label = memchr::memmem::find(head, b"encoding=").and_then(|at| {
        let (quote, rest) = head[at + "encoding=".len()..].split_first()?;
        rest.split(|byte| byte == quote).next()
    });
    label.and_then(Encoding::for_label).unwrap_or(UTF_8)
}

fn looks_like_xml(head: &[u8]) -> bool {
    [&b"<"[..], b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\0<", b"<\0?\0", b"\0<\0?"]
        .iter()
        .any(|start| head.starts_with(start))
        || head.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b'<') && !head.is_empty()
}

/// True if the manifest lists the body, or a package inside this one, as encrypted.
fn is_encrypted(manifest: &str) -> bool {
    let mut path = String::new();
    for event in XmlReader::new(manifest) {
        if let XmlEvent::Start(tag) = event {
            match tag.name() {
                "file-entry" => path = tag.get("full-path").unwrap_or_default(),
                "encryption-data" if matches!(path.as_str(), "content.xml" | "encrypted-package" | "/") => {
                    return true;
                }
                _ => {}
            }
        }
    }
    false
}

/// The metadata of a part.
fn metadata_of(part: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut reader = XmlReader::new(part);
    let mut in_meta = false;
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => {
                if tag.name() == "body" {
                    break;
                }
                if tag.prefix() == "office" {
                    in_meta |= tag.name() == "meta";
                    continue;
                }
                let key = match (in_meta, tag.name()) {
                    (true, "title") => "title",
                    (true, "initial-creator" | "creator") => "author",
                    (true, "subject") => "subject",
                    (true, "keyword") => "keywords",
                    (true, "language") => "language",
                    (true, "description") => "description",
                    (true, "publisher") => "publisher",
                    (true, "identifier") => "identifier",
                    (true, "creation-date") => "created",
                    (true, "date") => "modified",
                    _ => continue,
                };
                let value = reader.text_inside().trim().to_owned();
                let entry = (key.to_owned(), value);
                if !entry.1.is_empty() && found.len() < MAX_METADATA_ROWS && !found.contains(&entry) {
                    found.push(entry);
                }
            }
            XmlEvent::End("meta") => in_meta = false,
            XmlEvent::End(_) | XmlEvent::Text { .. } => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_listed_once() {
        let part = "<office:document-meta><office:meta><meta:generator>G</meta:generator><dc:title>T</dc:title>\
            <meta:initial-creator>A</meta:initial-creator><dc:creator>A</dc:creator><meta:keyword>k</meta:keyword>\
            </office:meta></office:document-meta>";
        let found = metadata_of(part);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(found, [("title", "T"), ("author", "A"), ("keywords", "k")]);
    }

    #[test]
    fn parts_are_decoded_as_they_declare() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>".to_vec();
        assert!(decode_xml(latin).0.ends_with("<a>\u{e4}</a>"));
        assert_eq!(decode_xml(b"\xff\xfe<\0a\0".to_vec()), ("<a".to_owned(), None));
        let (text, problem) = decode_xml(b"<a>\xe4</a>".to_vec());
        assert!(text.contains('\u{fffd}') && problem.is_some());
    }

    #[test]
    fn zeros_in_a_document_without_a_package_are_a_problem() {
        let problems = |zeros: usize| {
            OdfPackage::flat(format!("<office:body>{}</office:body>", "\0".repeat(zeros)).as_bytes()).problems
        };
        assert!(problems(0).is_empty());
        assert_eq!(problems(64)[0].message, "a block of the document is nothing but zeros");
    }

    #[test]
    fn objects_that_are_not_read_are_reported() {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let mut add = |name: &str, text: &str| {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
        };
        add("content.xml", "<office:body/>");
        add(
            "Object 1/content.xml",
            &format!("<text:p>word</text:p>{}", " ".repeat(MAX_OBJECT_BYTES as usize)),
        );
        let mut file = std::io::Cursor::new(zip.finish().unwrap().into_inner());
        let mut source = DocumentSource::new(&mut file, "a.odt").unwrap();
        let mut package = OdfPackage::open(&mut source).unwrap();
        assert!(
            matches!(package.object("./Object 1"), Some(EmbeddedObject::Blocks(blocks)) if blocks.len() == 1)
        );
        assert_eq!(package.review_reasons.len(), 1, "{:?}", package.review_reasons);
        for number in 0..MAX_OBJECTS + 5 {
            assert_eq!(package.object(&format!("gone {number}")), None);
        }
        assert_eq!(package.review_reasons.len(), 2, "{:?}", package.review_reasons);
    }

    #[test]
    fn only_an_encrypted_body_counts() {
        let entry = |path: &str| {
            format!(
                "<m:manifest><m:file-entry m:full-path='{path}'><m:encryption-data/></m:file-entry></m:manifest>"
            )
        };
        assert!(is_encrypted(&entry("content.xml")));
        assert!(!is_encrypted(&entry("Basic/script.xml")));
    }
}
