//! The container of a book: where its package document is, and which of its parts are encrypted.
//!
//! After EPUB 3.3, Open Container Format, sections 4.2.6.3 (`META-INF`) and 4.3 (font obfuscation). Obfuscated fonts
//! do not matter here; any other encryption is named after the scheme whose files are in the container.

use super::path::resolve;
use crate::limits::epub::{MAX_ENCRYPTED_PARTS, MAX_PACKAGE_DOCUMENTS, MAX_XML_BYTES};
use crate::shared::archive::Archive;
use crate::shared::xml::{XmlEvent, XmlReader};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::collections::HashSet;

/// Obfuscations of fonts, which do not count as encryption.
const OBFUSCATIONS: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// Reads a part that is XML: decoded as it declares.
pub(super) fn read_xml(archive: &mut Archive<'_>, name: &str) -> Option<String> {
    let (bytes, _) = archive.salvage(name).ok()?;
    Some(decoded(&bytes))
}

pub(super) fn decoded(bytes: &[u8]) -> String {
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Xml };
    decode_all(&bytes[..bytes.len().min(MAX_XML_BYTES)], &hints).0.text
}

/// The paths at which package documents may be, best first: those that the container names, then all files with such
/// a name.
pub(super) fn packages(archive: &mut Archive<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if let Some(xml) = read_xml(archive, "META-INF/container.xml") {
        let tags = XmlReader::new(&xml).filter_map(|event| match event {
            XmlEvent::Start(tag) if tag.name() == "rootfile" => Some(tag),
            _ => None,
        });
        let mut roots: Vec<(bool, String)> = tags
            .filter_map(|tag| {
                let is_package =
                    tag.get("media-type").is_none_or(|kind| kind.trim().ends_with("package+xml"));
                Some((!is_package, resolve("", &tag.get("full-path")?)?.path))
            })
            .take(MAX_PACKAGE_DOCUMENTS)
            .collect();
        roots.sort_by_key(|(is_other, _)| *is_other);
        found.extend(roots.into_iter().map(|(_, path)| path).filter(|path| archive.has(path)));
    }
    let is_package = |name: &&String| name.to_ascii_lowercase().ends_with(".opf");
    let mut others: Vec<&String> = archive.names().iter().filter(is_package).collect();
    others.sort_by_key(|name| (name.matches('/').count(), name.len()));
    for name in others.into_iter().take(MAX_PACKAGE_DOCUMENTS) {
        if !found.contains(name) {
            found.push(name.clone());
        }
    }
    found
}

/// Which parts of a book are encrypted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Encryption {
    /// The scheme, in words: `Adobe ADEPT`.
    pub scheme: String,
    parts: HashSet<String>,
}

impl Encryption {
    /// True for a part that the container lists as encrypted.
    pub fn covers(&self, path: &str) -> bool {
        self.parts.contains(path)
    }

    pub(super) fn read(archive: &mut Archive<'_>) -> Encryption {
        let mut encryption = Encryption::default();
        let Some(xml) = read_xml(archive, "META-INF/encryption.xml") else { return encryption };
        let mut algorithm = String::new();
        for event in XmlReader::new(&xml) {
            let XmlEvent::Start(tag) = event else { continue };
            match tag.name() {
                "EncryptedData" => algorithm.clear(),
                "EncryptionMethod" if algorithm.is_empty() => {
                    algorithm = tag.get("Algorithm").unwrap_or_default()
                }
                "CipherReference" if !OBFUSCATIONS.contains(&algorithm.trim()) => {
                    let path = tag.get("URI").and_then(|uri| resolve("", &uri)).map(|target| target.path);
                    if let Some(path) = path.filter(|_| encryption.parts.len() < MAX_ENCRYPTED_PARTS) {
                        if encryption.scheme.is_empty() {
                            encryption.scheme = scheme(archive, &algorithm);
                        }
                        encryption.parts.insert(path);
                    }
                }
                _ => {}
            }
        }
        encryption
    }
}

/// The name of a scheme, by the files that it leaves in the container; otherwise of the algorithm.
fn scheme(archive: &mut Archive<'_>, algorithm: &str) -> String {
    if archive.has("META-INF/license.lcpl") {
        return "Readium LCP".to_owned();
    }
    if archive.has("META-INF/sinf.xml") {
        return "Apple FairPlay".to_owned();
    }
    if let Some(rights) = read_xml(archive, "META-INF/rights.xml") {
        let known =
            [("adobe.com/adept", "Adobe ADEPT"), ("kobo", "Kobo"), ("barnesandnoble", "Barnes & Noble")];
        let known = known.into_iter().find(|(mark, _)| rights.contains(mark));
        return known.map_or("a rights file", |(_, name)| name).to_owned();
    }
    let name = algorithm.rsplit(['#', '/']).next().unwrap_or_default().trim();
    if name.is_empty() { "an unknown algorithm".to_owned() } else { name.chars().take(80).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::archive::testing::package;
    use crate::source::DocumentSource;
    use std::io::Cursor;

    fn with<T>(entries: &[(&str, &[u8])], look: impl FnOnce(&mut Archive<'_>) -> T) -> T {
        let mut file = Cursor::new(package(entries));
        let mut source = DocumentSource::new(&mut file, "x.epub").unwrap();
        look(&mut Archive::open(&mut source).unwrap())
    }

    #[test]
    fn a_package_is_found_without_its_container() {
        let container =
            b"<container><rootfile full-path='b/x.opf' media-type='application/oebps-package+xml'/>";
        let entries: [(&str, &[u8]); 3] =
            [("META-INF/container.xml", container), ("a.opf", b""), ("b/x.opf", b"")];
        assert_eq!(with(&entries, packages), ["b/x.opf", "a.opf"]);
        assert_eq!(with(&entries[1..], packages), ["a.opf", "b/x.opf"]);
    }

    #[test]
    fn obfuscated_fonts_are_not_encrypted() {
        let data = |algorithm: &str, uri: &str| {
            format!(
                "<EncryptedData><EncryptionMethod Algorithm='{algorithm}'/><CipherData>\
                 <CipherReference URI='{uri}'/></CipherData></EncryptedData>"
            )
        };
        let aes = data("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/a%20b.xhtml");
        let xml = format!("<encryption>{}{aes}</encryption>", data(OBFUSCATIONS[0], "f.otf"));
        let entry = ("META-INF/encryption.xml", xml.as_bytes());
        let found = with(&[entry], Encryption::read);
        assert!(found.covers("O/a b.xhtml") && !found.covers("f.otf"));
        assert_eq!(found.scheme, "aes128-cbc");
        let rights: (&str, &[u8]) = ("META-INF/rights.xml", b"<r xmlns='http://ns.adobe.com/adept'/>");
        assert_eq!(with(&[entry, rights], Encryption::read).scheme, "Adobe ADEPT");
    }

    #[test]
    fn schemes_are_known_by_their_files() {
        let named = |more: &[(&str, &[u8])], algorithm: &str| {
            let xml = format!(
                "<encryption><EncryptedData><EncryptionMethod Algorithm='{algorithm}'/>\
                 <CipherReference URI='a'/></EncryptedData></encryption>"
            );
            let entries = [&[("META-INF/encryption.xml", xml.as_bytes())], more].concat();
            with(&entries, Encryption::read).scheme
        };
        let rights = |words: &'static [u8]| named(&[("META-INF/rights.xml", words)], "x");
        assert_eq!(named(&[("META-INF/license.lcpl", b"")], "x"), "Readium LCP");
        assert_eq!(named(&[("META-INF/sinf.xml", b"")], "x"), "Apple FairPlay");
        assert_eq!(rights(b"http://ns.adobe.com/adept"), "Adobe ADEPT");
        assert_eq!(rights(b"kobo"), "Kobo");
        assert_eq!(rights(b"barnesandnoble"), "Barnes &amp; Noble".replace("&amp;", "&"));
        assert_eq!(rights(b"other"), "a rights file");
        assert_eq!(named(&[], "http://x/y#aes "), "aes");
        assert_eq!(named(&[], "http://x/y"), "y");
        assert_eq!(named(&[], ""), "an unknown algorithm");
        assert_eq!(named(&[], &"x".repeat(81)), "x".repeat(80));
    }

    #[test]
    fn the_first_method_of_a_part_is_its_own() {
        let xml = format!(
            "<encryption><EncryptedData><EncryptionMethod Algorithm='{}'/>\
             <EncryptedKey><EncryptionMethod Algorithm='rsa'/></EncryptedKey><CipherReference URI='f.otf'/>\
             </EncryptedData><EncryptedData><EncryptionMethod Algorithm='aes'/>\
             <EncryptionMethod Algorithm='{}'/><CipherReference URI='a.xhtml'/></EncryptedData>\
             <EncryptedData><EncryptionMethod Algorithm='des'/><CipherReference URI='b.xhtml'/>\
             <CipherReference URI='http://x/'/><CipherReference/></EncryptedData></encryption>",
            OBFUSCATIONS[1], OBFUSCATIONS[0]
        );
        let found = with(&[("META-INF/encryption.xml", xml.as_bytes())], Encryption::read);
        let parts = HashSet::from(["a.xhtml".to_owned(), "b.xhtml".to_owned()]);
        assert_eq!(found, Encryption { scheme: "aes".to_owned(), parts });
        assert_eq!(with(&[("x", b"")], Encryption::read), Encryption::default());
    }

    #[test]
    fn packages_are_in_the_order_in_which_they_are_likely() {
        let root = |path: &str, kind: &str| format!("<rootfile full-path='{path}'{kind}/>");
        let container = [
            root("d/other.opf", " media-type='application/pdf'"),
            root("d/plain.opf", ""),
            root("missing.opf", ""),
            root("http://x/", ""),
            root("d/typed.opf", " media-type=' application/oebps-package+xml '"),
            root("e/typed.xml", " media-type='application/oebps-package+xml'"),
        ]
        .concat();
        let entries = [
            "d/other.opf",
            "d/plain.opf",
            "d/typed.opf",
            "e/typed.xml",
            "d/e/deep.opf",
            "d/LONG.OPF",
            "d/x.opf",
        ];
        let mut all: Vec<(&str, &[u8])> = vec![("META-INF/container.xml", container.as_bytes())];
        all.extend(entries.map(|name| (name, b"".as_slice())));
        let expected = [
            "d/plain.opf",
            "d/typed.opf",
            "e/typed.xml",
            "d/other.opf",
            "d/x.opf",
            "d/LONG.OPF",
            "d/e/deep.opf",
        ];
        assert_eq!(with(&all, packages), expected);
    }
}
