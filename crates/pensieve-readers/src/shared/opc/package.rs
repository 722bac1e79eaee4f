//! An open package: its parts, the main one, its properties.

use super::encryption::compound_problem;
use super::properties::{custom_properties, standard_properties};
use super::relationships::Relationships;
use crate::limits::opc::MAX_RELATIONSHIPS;
use crate::shared::archive::Archive;
use crate::shared::bytes::percent_decoded;
use crate::shared::xml::{XmlEvent, XmlReader};
use crate::source::DocumentSource;
use pensieve_text::model::{Problem, ProblemKind, Span, SpanMap};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::io;

/// A part as text, with the map of its characters to its bytes.
#[derive(Debug)]
pub(crate) struct PackagePart {
    /// Its characters.
    pub text: String,
    /// The map to the bytes; `None` if they are the same.
    map: Option<SpanMap>,
    /// Why this is not the whole part.
    pub problem: Option<Problem>,
}

impl PackagePart {
    /// The bytes of the part that a span of its text comes from.
    pub fn bytes(&self, span: Span) -> Span {
        match &self.map {
            None => span,
            Some(map) => map.source(span).map_or(span, |source| Span::new(source.start, source.end)),
        }
    }
}

/// An open package.
pub(crate) struct OpcPackage<'a> {
    archive: Archive<'a>,
    unpacked_bytes: usize,
}

impl<'a> OpcPackage<'a> {
    /// Opens a package.
    ///
    /// # Errors
    /// `Encrypted` for an encrypted package, `Damaged` for a file that is not a package, and the errors of
    /// [`Archive::open`].
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<OpcPackage<'a>, Problem> {
        let file = source.file()?;
        if let Some(problem) = compound_problem(file).map_err(|error| unreadable(&error))? {
            return Err(problem);
        }
        Ok(OpcPackage { archive: Archive::open(source)?, unpacked_bytes: 0 })
    }

    /// The archive with its parts.
    pub fn archive(&mut self) -> &mut Archive<'a> {
        &mut self.archive
    }

    /// True when there is a part of this name.
    pub fn has(&self, part: &str) -> bool {
        self.archive.has(part)
    }

    /// Bytes of parts unpacked so far. A part may be read any number of times, so a reader that follows references
    /// compares this with a limit.
    pub fn unpacked_bytes(&self) -> usize {
        self.unpacked_bytes
    }

    /// The bytes of a part, and the reason if they are incomplete.
    ///
    /// # Errors
    /// As [`Archive::salvage`]: no byte of it can be read.
    pub fn bytes(&mut self, part: &str) -> Result<(Vec<u8>, Option<Problem>), Problem> {
        let read = match self.archive.has(part) {
            true => self.archive.salvage(part),
            false => self.archive.salvage(&percent_decoded(part)),
        };
        if let Ok((bytes, _)) = &read {
            self.unpacked_bytes = self.unpacked_bytes.saturating_add(bytes.len());
        }
        read
    }

    /// A part as text: UTF-8, or whatever else it declares.
    ///
    /// # Errors
    /// As [`OpcPackage::bytes`].
    pub fn text(&mut self, part: &str) -> Result<PackagePart, Problem> {
        let (bytes, problem) = self.bytes(part)?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => PackagePart { text, map: None, problem },
            Err(error) => {
                let hints = EncodingHints { declared: None, format: DeclarationFormat::Xml };
                let (segment, _, problems) = decode_all(error.as_bytes(), &hints);
                let problem = problem.or(problems.into_iter().next());
                PackagePart { text: segment.text, map: Some(segment.map), problem }
            }
        })
    }

    /// The relationships of a part; those of the package itself for the empty name. Empty for a part without
    /// relationships, or if their list cannot be read.
    pub fn relations(&mut self, part: &str) -> Relationships {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{slash}_rels/{file}.rels");
        let mut relations = Relationships::default();
        if !self.archive.has(&name) {
            return relations;
        }
        let list = match self.text(&name) {
            Ok(list) => list,
            Err(problem) => {
                self.archive.note_skipped_part(problem.message);
                return relations;
            }
        };
        if let Some(problem) = list.problem {
            self.archive.note_skipped_part(problem.message);
        }
        for event in XmlReader::new(&list.text) {
            if let XmlEvent::Start(tag) = event
                && tag.name() == "Relationship"
                && relations.len() < MAX_RELATIONSHIPS
            {
                relations.add(&tag, folder);
            }
        }
        relations
    }

    /// The main part: the one that the package names, else one whose content type ends with `content_type`
    /// (`document.main+xml`), else the usual one.
    pub fn main_part(&mut self, content_type: &str, usual: &str) -> Option<String> {
        let relations = self.relations("");
        let named = relations.of_kind("officeDocument").find(|part| self.archive.has(part));
        if let Some(part) = named {
            return Some(part.to_string());
        }
        self.part_of_type(content_type).or_else(|| self.archive.has(usual).then(|| usual.to_owned()))
    }

    /// A part whose content type ends with `content_type`.
    fn part_of_type(&mut self, content_type: &str) -> Option<String> {
        let types = self.text("[Content_Types].xml").ok()?;
        XmlReader::new(&types.text).find_map(|event| {
            let XmlEvent::Start(tag) = event else { return None };
            let fits = tag.name() == "Override"
                && tag.get("ContentType").is_some_and(|found| found.trim().ends_with(content_type));
            let part = fits.then(|| tag.get("PartName")).flatten()?;
            let part = part.trim_start_matches('/').to_owned();
            self.archive.has(&part).then_some(part)
        })
    }

    /// Title, author and other properties, in a fixed order: the core ones, the extended ones, the user's own.
    pub fn metadata(&mut self) -> Vec<(String, String)> {
        let relations = self.relations("");
        let mut found = Vec::new();
        let parts = [
            (["core-properties", "coreProperties"], "docProps/core.xml"),
            (["extended-properties", "extendedProperties"], "docProps/app.xml"),
            (["custom-properties", "customProperties"], "docProps/custom.xml"),
        ];
        for (at, (kinds, usual)) in parts.into_iter().enumerate() {
            let named = kinds.into_iter().find_map(|kind| relations.of_kind(kind).next().cloned());
            let part = named.unwrap_or_else(|| usual.into());
            if !self.archive.has(&part) {
                continue;
            }
            let Ok(part) = self.text(&part) else { continue };
            match at {
                2 => custom_properties(&part.text, &mut found),
                _ => standard_properties(&part.text, &mut found),
            }
        }
        found
    }
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::archive::testing::package;
    use std::io::Cursor;

    fn with<T>(bytes: Vec<u8>, work: impl FnOnce(Result<OpcPackage<'_>, Problem>) -> T) -> T {
        let mut file = Cursor::new(bytes);
        let mut source = DocumentSource::new(&mut file, "a.docx").unwrap();
        work(OpcPackage::open(&mut source))
    }

    #[test]
    fn names_are_percent_decoded() {
        assert_eq!(percent_decoded("a%20b%zz%4"), "a b%zz%4");
    }

    #[test]
    fn encrypted_documents_are_reported() {
        let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        bytes.resize(70_000, 0);
        let kind = |bytes: &[u8]| with(bytes.to_vec(), |opened| opened.err().map(|problem| problem.kind));
        assert_eq!(kind(&bytes), Some(ProblemKind::Damaged));
        let at = 65_530;
        let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes[at..at + name.len()].copy_from_slice(&name);
        assert_eq!(kind(&bytes), Some(ProblemKind::Encrypted));
        assert_eq!(kind(b"PK"), Some(ProblemKind::Damaged));
    }

    const TYPES: &str = "<Types><Override PartName='/w/d.xml' ContentType='a/document.main+xml'/></Types>";
    const RELS: &str = "<Relationships>\
        <Relationship Id='1' Type='http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument' Target='/w/d.xml'/>\
        <Relationship Id='2' Type='x/core-properties' Target='p.xml'/><Relationship Id='3' Type='x/custom-properties' Target='c.xml'/></Relationships>";

    #[test]
    fn the_main_part_is_named_or_found_by_its_type() {
        let main = |entries: &[(&str, &[u8])]| {
            with(package(entries), |opened| {
                opened.unwrap().main_part("document.main+xml", "word/document.xml")
            })
        };
        assert_eq!(main(&[("_rels/.rels", RELS.as_bytes()), ("w/d.xml", b"")]).as_deref(), Some("w/d.xml"));
        assert_eq!(
            main(&[("[Content_Types].xml", TYPES.as_bytes()), ("w/d.xml", b"")]).as_deref(),
            Some("w/d.xml")
        );
        assert_eq!(main(&[("word/document.xml", b"")]).as_deref(), Some("word/document.xml"));
        assert_eq!(main(&[("_rels/.rels", RELS.as_bytes())]), None);
    }

    #[test]
    fn relationships_lead_to_parts_and_out() {
        let rels = "<R><Relationship Id='a' Type='t/image' Target='../media/i%20j.png'/>\
                    <Relationship Id='b' Type='t/hyperlink' Target='http://x/../y' TargetMode='External'/></R>";
        let entries: &[(&str, &[u8])] =
            &[("w/_rels/d.xml.rels", rels.as_bytes()), ("media/i j.png", b"<x/>")];
        with(package(entries), |opened| {
            let mut package = opened.unwrap();
            let relations = package.relations("w/d.xml");
            assert_eq!(relations.part("a").map(|part| &**part), Some("media/i%20j.png"));
            assert_eq!(relations.part("b"), None);
            assert_eq!(relations.get("b").map(|relation| &*relation.target), Some("http://x/../y"));
            assert_eq!(package.text("media/i%20j.png").unwrap().text, "<x/>");
            assert!(package.relations("none").get("a").is_none());
        });
    }

    #[test]
    fn properties_come_in_a_fixed_order() {
        let core = "<c><dc:creator>Ann; Bob</dc:creator><dc:title> A title </dc:title><cp:revision>3</cp:revision></c>";
        let custom = "<p><property name='Client'><vt:lpwstr>ACME</vt:lpwstr></property><property name='_x'><vt:i4>1</vt:i4></property></p>";
        let entries: &[(&str, &[u8])] =
            &[("_rels/.rels", RELS.as_bytes()), ("p.xml", core.as_bytes()), ("c.xml", custom.as_bytes())];
        let found = with(package(entries), |opened| opened.unwrap().metadata());
        let expected = [("title", "A title"), ("author", "Ann"), ("author", "Bob"), ("client", "ACME")];
        assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }

    #[test]
    fn parts_are_decoded_and_keep_their_places() {
        let wide: Vec<u8> = "\u{feff}<a>\u{e9}x</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        with(package(&[("a.xml", &wide)]), |opened| {
            let part = opened.unwrap().text("a.xml").unwrap();
            assert_eq!(part.text, "<a>\u{e9}x</a>");
            assert_eq!(part.bytes(Span::new(3, 6)), Span::new(8, 12));
        });
    }
}
