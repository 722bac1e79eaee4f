//! The packages of Office Open XML: parts, the relationships that lead from one to the next, content types, properties.
//!
//! Owns what documents, presentations and workbooks share; knows nothing of what their main parts say. Both editions of
//! the standard are read: kinds of relationships are compared by the last word of their type, in which the transitional
//! (`schemas.openxmlformats.org`) and the strict one (`purl.oclc.org`) agree. Refuses encrypted documents, which are
//! OLE compound files around a stream `EncryptedPackage`. Sources: ECMA-376 part 2 (packages, core properties), part 1
//! section 22.2 and 22.3 (extended and custom properties); [MS-OFFCRYPTO] 2.3.4 (encrypted packages).

pub(crate) mod drawing;
pub(crate) mod math;

use crate::shared::archive::Archive;
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use crate::source::{DocumentSource, ReadSeek};
use memchr::memmem;
use pensieve_text::model::{Problem, ProblemKind, Span, SpanMap};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

/// Relationships that are read of one part.
const MOST_RELATIONS: usize = 100_000;

/// Properties that are read of one document.
const MOST_PROPERTIES: usize = 200;

/// Bytes of one property.
const LONGEST_PROPERTY: usize = 16 << 10;

/// The first bytes of an OLE compound file.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// A way from a part to another one, or out of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relationship {
    /// What kind it is: the last word of its type, such as `image` or `hyperlink`.
    pub kind: String,
    /// The name of the other part from the root of the package, or the address outside as it is written.
    pub target: Arc<str>,
    /// True where the target lies outside the package; it is never fetched.
    pub is_external: bool,
}

/// The relationships of one part, in the order of their file.
#[derive(Debug, Clone, Default)]
pub struct Relationships {
    all: Vec<Relationship>,
    by_id: HashMap<String, usize>,
}

impl Relationships {
    /// The relationship of this identifier.
    pub fn get(&self, id: &str) -> Option<&Relationship> {
        self.by_id.get(id).map(|&at| &self.all[at])
    }

    /// The part that this identifier leads to, where it leads to one.
    pub fn part(&self, id: &str) -> Option<&Arc<str>> {
        self.get(id).filter(|relation| !relation.is_external).map(|relation| &relation.target)
    }

    /// The parts of a kind inside the package.
    pub fn of_kind<'r>(&'r self, kind: &'r str) -> impl Iterator<Item = &'r Arc<str>> {
        let all = self.all.iter().filter(move |relation| !relation.is_external && relation.kind == kind);
        all.map(|relation| &relation.target)
    }

    fn add(&mut self, tag: &XmlTag<'_>, folder: &str) {
        let value = |name| tag.get(name).unwrap_or_default();
        let kind = value("Type").rsplit('/').next().unwrap_or_default().to_owned();
        let is_external = value("TargetMode").eq_ignore_ascii_case("External");
        let target = value("Target");
        let target = if is_external { target } else { joined(folder, &target) };
        self.by_id.insert(value("Id"), self.all.len());
        self.all.push(Relationship { kind, target: target.into(), is_external });
    }
}

/// A part as text, with the way back to its bytes.
#[derive(Debug)]
pub struct PackagePart {
    /// Its characters.
    pub text: String,
    /// Where they come from, where that is not byte for byte.
    map: Option<SpanMap>,
    /// Why this is not all of it.
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
pub struct OpcPackage<'a> {
    archive: Archive<'a>,
    taken: usize,
}

impl<'a> OpcPackage<'a> {
    /// Opens a package.
    ///
    /// # Errors
    /// `Encrypted` where it is an encrypted one, `Damaged` where it is none, and what [`Archive::open`] says.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<OpcPackage<'a>, Problem> {
        let file = source.file()?;
        if let Some(problem) = compound_problem(file).map_err(|error| unreadable(&error))? {
            return Err(problem);
        }
        Ok(OpcPackage { archive: Archive::open(source)?, taken: 0 })
    }

    /// The archive that holds its parts.
    pub fn archive(&mut self) -> &mut Archive<'a> {
        &mut self.archive
    }

    /// True when there is a part of this name.
    pub fn has(&self, part: &str) -> bool {
        self.archive.has(part)
    }

    /// Bytes of parts that were unpacked so far. One part can be asked for any number of times: whoever follows
    /// references compares this with a limit.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// A part as it is, with the reason why it is not all of it.
    ///
    /// # Errors
    /// As [`Archive::salvage`]: nothing of it can be read.
    pub fn bytes(&mut self, part: &str) -> Result<(Vec<u8>, Option<Problem>), Problem> {
        let read = match self.archive.has(part) {
            true => self.archive.salvage(part),
            false => self.archive.salvage(&unquoted(part)),
        };
        if let Ok((bytes, _)) = &read {
            self.taken = self.taken.saturating_add(bytes.len());
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

    /// The relationships of a part; those of the package itself for the empty name. A part without any has none, and
    /// so has one whose list cannot be read.
    pub fn relations(&mut self, part: &str) -> Relationships {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{slash}_rels/{file}.rels");
        let mut relations = Relationships::default();
        if !self.archive.has(&name) {
            return relations;
        }
        let Ok(list) = self.text(&name) else { return relations };
        for event in XmlReader::new(&list.text) {
            if let XmlEvent::Start(tag) = event
                && tag.name() == "Relationship"
                && relations.all.len() < MOST_RELATIONS
            {
                relations.add(&tag, folder);
            }
        }
        relations
    }

    /// The main part: the one that the package names, else one whose content type ends so (`document.main+xml`), else
    /// the usual one.
    pub fn main_part(&mut self, content_type: &str, usual: &str) -> Option<String> {
        let relations = self.relations("");
        let named = relations.of_kind("officeDocument").find(|part| self.archive.has(part));
        if let Some(part) = named {
            return Some(part.to_string());
        }
        self.part_of_type(content_type).or_else(|| self.archive.has(usual).then(|| usual.to_owned()))
    }

    /// A part whose content type ends so.
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
                _ => properties(&part.text, &mut found),
            }
        }
        found
    }
}

/// Names of core and extended properties that are kept, with their keys.
const PROPERTIES: &[(&str, &str)] = &[
    ("title", "title"),
    ("creator", "author"),
    ("subject", "subject"),
    ("keywords", "keywords"),
    ("description", "description"),
    ("language", "language"),
    ("category", "category"),
    ("created", "created"),
    ("modified", "modified"),
    ("lastModifiedBy", "modified_by"),
    ("identifier", "identifier"),
    ("contentStatus", "status"),
    ("Company", "publisher"),
    ("Manager", "manager"),
    ("Application", "generator"),
];

fn properties(text: &str, found: &mut Vec<(String, String)>) {
    let mut values: HashMap<&str, String> = HashMap::new();
    let mut reader = XmlReader::new(text);
    while let Some(event) = reader.next() {
        let XmlEvent::Start(tag) = event else { continue };
        let Some(&(name, _)) = PROPERTIES.iter().find(|(name, _)| *name == tag.name()) else { continue };
        let value = reader.text_inside();
        let value = value.trim();
        if !value.is_empty() && value.len() <= LONGEST_PROPERTY {
            values.entry(name).or_insert_with(|| value.to_owned());
        }
    }
    for (name, key) in PROPERTIES {
        let Some(value) = values.remove(name) else { continue };
        match *key {
            // Several authors stand in one property.
            "author" => {
                let authors = value.split(';').map(str::trim).filter(|author| !author.is_empty());
                found.extend(
                    authors.take(MOST_PROPERTIES).map(|author| ("author".to_owned(), author.to_owned())),
                );
            }
            key => found.push((key.to_owned(), value)),
        }
    }
}

/// The properties that users gave themselves: `<property name="Client"><vt:lpwstr>…`.
fn custom_properties(text: &str, found: &mut Vec<(String, String)>) {
    let mut reader = XmlReader::new(text);
    let mut count = 0;
    while let Some(event) = reader.next() {
        let XmlEvent::Start(tag) = event else { continue };
        if tag.name() != "property" || count >= MOST_PROPERTIES {
            continue;
        }
        let name = tag.get("name").unwrap_or_default().trim().to_lowercase();
        let value = reader.text_inside();
        let value = value.trim();
        // Names with an underscore in front belong to programs.
        if !name.is_empty() && !name.starts_with('_') && !value.is_empty() && value.len() <= LONGEST_PROPERTY
        {
            count += 1;
            found.push((name, value.to_owned()));
        }
    }
}

/// A target seen from a folder, as a name from the root of the package.
fn joined(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let target = target.split('#').next().unwrap_or_default();
    let (folder, target) = match target.strip_prefix('/') {
        Some(absolute) => ("", absolute),
        None => (folder, target),
    };
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

/// A name without `%20` and the like.
fn unquoted(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.filter(|_| first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}

/// What is wrong with a file that begins as an OLE compound file.
fn compound_problem(file: &mut dyn ReadSeek) -> io::Result<Option<Problem>> {
    let mut head = [0; 8];
    let mut filled = 0;
    while filled < head.len() {
        match file.read(&mut head[filled..])? {
            0 => return Ok(None),
            read => filled += read,
        }
    }
    if head != COMPOUND {
        return Ok(None);
    }
    let name = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let (package, rights) = (name("EncryptedPackage"), name("DRMEncrypted"));
    let (has_package, has_rights) = holds(file, &package, &rights)?;
    Ok(Some(match (has_package, has_rights) {
        (true, true) => Problem::new(ProblemKind::Encrypted, "encrypted by rights management"),
        (true, false) => Problem::new(ProblemKind::Encrypted, "encrypted with a password"),
        _ => Problem::new(ProblemKind::Damaged, "an OLE compound file, not an Office Open XML package"),
    }))
}

/// Whether either of two strings of bytes occurs in what is left of a file.
fn holds(file: &mut dyn Read, one: &[u8], other: &[u8]) -> io::Result<(bool, bool)> {
    let (one, other) = (memmem::Finder::new(one), memmem::Finder::new(other));
    let overlap = one.needle().len().max(other.needle().len());
    let mut buffer = vec![0; 64 << 10];
    let (mut kept, mut found) = (0, (false, false));
    loop {
        let read = file.read(&mut buffer[kept..])?;
        if read == 0 {
            return Ok(found);
        }
        let window = &buffer[..kept + read];
        found.0 |= one.find(window).is_some();
        found.1 |= other.find(window).is_some();
        let end = window.len();
        kept = end.min(overlap);
        buffer.copy_within(end - kept..end, 0);
    }
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::archive::made::package;
    use std::io::Cursor;

    fn with<T>(bytes: Vec<u8>, work: impl FnOnce(Result<OpcPackage<'_>, Problem>) -> T) -> T {
        let mut file = Cursor::new(bytes);
        let mut source = DocumentSource::new(&mut file, "a.docx").unwrap();
        work(OpcPackage::open(&mut source))
    }

    #[test]
    fn targets_are_names_from_the_root() {
        assert_eq!(joined("word", "../a/./b.xml#x"), "a/b.xml");
        assert_eq!(joined("word", "/c.xml"), "c.xml");
        assert_eq!(joined("ppt/slides", "..\\..\\..\\etc"), "etc");
        assert_eq!(unquoted("a%20b%zz%4"), "a b%zz%4");
    }

    #[test]
    fn encrypted_documents_say_so() {
        let mut bytes = COMPOUND.to_vec();
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
