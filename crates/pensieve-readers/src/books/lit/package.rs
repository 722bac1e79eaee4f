//! The package document of a LIT book: its metadata, the order of its pages, its tour.
//!
//! `/meta` is a package document of the Open eBook standard with numbers for names; `/manifest` has the stored name
//! of each page: a root, and four lists (pages in order, other pages, style sheets, images) of place, stored name,
//! original name, and type.

use super::binary::{PageAtoms, markup};
use super::container::LitContainer;
use super::names::PACKAGE;
use crate::limits::lit::{MAX_LABEL_CHARACTERS, MAX_METADATA, MAX_PAGES, MAX_TOUR_STOPS};
use crate::shared::bytes::usize_le;
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};

/// Elements of the metadata with the keys that they have here.
const KEYS: &[(&str, &str)] = &[
    ("title", "title"),
    ("creator", "author"),
    ("subject", "subject"),
    ("description", "description"),
    ("publisher", "publisher"),
    ("contributor", "contributor"),
    ("date", "date"),
    ("type", "type"),
    ("identifier", "identifier"),
    ("source", "source"),
    ("language", "language"),
    ("rights", "rights"),
];

/// A page: its stored name and its original name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ManifestPage {
    pub stored: String,
    pub name: String,
}

/// A stop of a tour: the stored name of a page, the place in it, a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TourStop {
    pub page: String,
    pub fragment: String,
    pub label: String,
}

/// A package document.
#[derive(Debug, Default)]
pub(super) struct PackageDocument {
    pub metadata: Vec<(String, String)>,
    pub stops: Vec<TourStop>,
    /// Identifiers and stored names.
    items: Vec<(String, String)>,
    spine: Vec<String>,
}

impl PackageDocument {
    /// Reads the package document of a book.
    pub(super) fn read(container: &mut LitContainer<'_>) -> PackageDocument {
        let bytes = container.stream("/meta").unwrap_or_default();
        let xml = markup(&bytes, &PACKAGE, &PageAtoms::default());
        let mut package = PackageDocument::default();
        let mut reader = XmlReader::new(&xml);
        while let Some(event) = reader.next() {
            let XmlEvent::Start(tag) = event else { continue };
            let name = tag.name().to_ascii_lowercase();
            match name.as_str() {
                "item" if package.items.len() < MAX_PAGES => {
                    package.items.extend(tag.get("id").zip(tag.get("href").map(|href| stored_name(&href).0)));
                }
                "itemref" if package.spine.len() < MAX_PAGES => package.spine.extend(tag.get("idref")),
                "site" if package.stops.len() < MAX_TOUR_STOPS => package.stops.extend(stop(&tag)),
                _ => {
                    if let Some((_, key)) = KEYS.iter().find(|(element, _)| *element == name) {
                        let scheme = tag.get("scheme").unwrap_or_default();
                        let key = if scheme.eq_ignore_ascii_case("isbn") { "isbn" } else { key };
                        package.add(key, &reader.text_inside());
                    }
                }
            }
        }
        package
    }

    fn add(&mut self, key: &str, value: &str) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let row = (key.to_owned(), value);
        if !row.1.is_empty() && self.metadata.len() < MAX_METADATA && !self.metadata.contains(&row) {
            self.metadata.push(row);
        }
    }

    /// The pages in the order in which they are read: that of the spine, then the other pages.
    pub(super) fn pages(&self, container: &mut LitContainer<'_>) -> Vec<ManifestPage> {
        let mut listed = listed(&container.stream("/manifest").unwrap_or_default());
        if listed.is_empty() {
            let stored = |name: &str| Some(name.strip_prefix("/data/")?.strip_suffix("/content")?.to_owned());
            let stored: Vec<String> = container.names().filter_map(stored).collect();
            listed = stored.into_iter().map(|stored| ManifestPage { name: stored.clone(), stored }).collect();
        }
        let place = |item: &ManifestPage| {
            let id = self.items.iter().find(|(_, stored)| *stored == item.stored).map(|(id, _)| id);
            id.and_then(|id| self.spine.iter().position(|other| other == id)).unwrap_or(usize::MAX)
        };
        listed.sort_by_cached_key(place);
        listed
    }
}

/// The stored name that a reference points to, and the place in that page. Its first character is the kind of the
/// target.
fn stored_name(href: &str) -> (String, String) {
    let href = href.trim_start_matches(|c: char| c.is_control());
    let (page, fragment) = href.split_once('#').unwrap_or((href, ""));
    (page.to_owned(), fragment.to_owned())
}

fn stop(tag: &XmlTag<'_>) -> Option<TourStop> {
    let (page, fragment) = stored_name(&tag.get("href")?);
    let label = tag.get("title")?.split_whitespace().collect::<Vec<_>>().join(" ");
    let label: String = label.chars().take(MAX_LABEL_CHARACTERS).collect();
    (!label.is_empty()).then_some(TourStop { page, fragment, label })
}

/// The pages that the manifest lists.
fn listed(bytes: &[u8]) -> Vec<ManifestPage> {
    let mut found: Vec<ManifestPage> = Vec::new();
    let mut at = 0;
    while let Some(&length) = bytes.get(at) {
        at += 1 + usize::from(length);
        if length == 0 || list(bytes, &mut at, &mut found).is_none() {
            break;
        }
    }
    found
}

/// The four lists of a root.
fn list(bytes: &[u8], at: &mut usize, found: &mut Vec<ManifestPage>) -> Option<()> {
    for group in 0..4 {
        let count = usize_le(bytes, *at)?;
        *at += 4;
        for _ in 0..count {
            *at += 4;
            let (stored, name, kind) = (sized(bytes, at)?, sized(bytes, at)?, sized(bytes, at)?);
            if bytes.get(*at) == Some(&0) {
                *at += 1;
            }
            let is_page = group < 2 && (kind.contains("html") || kind.contains("oeb1-document"));
            if is_page && found.len() < MAX_PAGES && !stored.is_empty() {
                found.push(ManifestPage { stored, name });
            }
        }
    }
    Some(())
}

/// A string after the number of its characters, which is itself encoded like a character.
fn sized(bytes: &[u8], at: &mut usize) -> Option<String> {
    let rest = bytes.get(*at..)?;
    // Neither names nor types are longer than this; the bytes that follow need not be text.
    let head = &rest[..rest.len().min(2048)];
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
    };
    let count = text.chars().next()?;
    let string: String = text.chars().skip(1).take(count as usize).collect();
    *at += count.len_utf8() + string.len();
    Some(string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_lists_pages() {
        let mut bytes = b"\x01\\\x01\0\0\0\x07\0\0\0\x01a\x06a.html\x09text/html\0".to_vec();
        bytes.extend_from_slice(b"\x01\0\0\0\x09\0\0\0\x01b\x06b.html\x14text/x-oeb1-document\0");
        bytes.extend_from_slice(b"\0\0\0\0\x01\0\0\0\0\0\0\0\x01c\x05c.jpg\x0aimage/jpeg\0\0");
        let names = |bytes: &[u8]| listed(bytes).into_iter().map(|item| item.name).collect::<Vec<_>>();
        assert_eq!(names(&bytes), ["a.html", "b.html"]);
        assert_eq!(names(&bytes[..14]), ["a.html"; 0]);
        assert!(names(b"\x01\\\xff\xff\xff\xff").is_empty());
    }

    #[test]
    fn metadata_is_added_once_and_up_to_the_limit() {
        let mut package = PackageDocument::default();
        package.add("title", " A \n book ");
        package.add("title", "A book");
        package.add("title", " ");
        let row = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(package.metadata, [row("title", "A book")]);
        for number in 1..MAX_METADATA + 2 {
            package.add("subject", &number.to_string());
        }
        assert_eq!(package.metadata.len(), MAX_METADATA);
        assert_eq!(package.metadata.last(), Some(&row("subject", &(MAX_METADATA - 1).to_string())));
    }

    #[test]
    fn references_name_a_page_and_a_place_in_it() {
        for (href, page, fragment) in
            [("\u{1}p1", "p1", ""), ("\u{2}\u{1}p1#a#b", "p1", "a#b"), ("#x", "", "x"), ("", "", "")]
        {
            assert_eq!(stored_name(href), (page.to_owned(), fragment.to_owned()), "{href:?}");
        }
    }
}
