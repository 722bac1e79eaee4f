//! The package document: the metadata of the book, its parts, and their reading order.
//!
//! After EPUB 3.3, section 5, and Open Packaging Format 2.0.1 for the books before.

use super::path::{file_name, folder_of, resolve};
use crate::limits::epub::{MAX_FALLBACKS, MAX_ITEMS, MAX_METADATA_CHARACTERS, MAX_METADATA_ROWS};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use std::collections::{HashMap, HashSet};

/// A part of a book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ManifestItem {
    /// Its path from the root of the package.
    pub path: String,
    /// Its media type, in lower case, if it has one.
    pub media: String,
    /// The item that replaces it if it cannot be shown.
    pub(super) fallback: Option<String>,
    pub(super) properties: String,
    /// It is a place inside its file.
    pub(super) is_place: bool,
}

/// A place in the reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpineItem {
    /// The part that is read there; fallbacks resolved.
    pub item: ManifestItem,
    /// The path of the part that the spine names, before its fallbacks.
    pub listed: String,
}

/// A package document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Package {
    /// Its own path.
    pub path: String,
    /// The metadata of the book, in the order of the document.
    pub metadata: Vec<(String, String)>,
    /// The items in reading order.
    pub spine: Vec<SpineItem>,
    /// References of the spine to items that do not exist.
    pub dangling: Vec<String>,
    /// The navigation document of EPUB 3.
    pub nav: Option<ManifestItem>,
    /// The contents of EPUB 2.
    pub ncx: Option<ManifestItem>,
}

/// Elements of metadata, and the keys of their rows.
const KEYS: &[(&str, &str)] = &[
    ("title", "title"),
    ("creator", "author"),
    ("contributor", "contributor"),
    ("language", "language"),
    ("date", "date"),
    ("identifier", "identifier"),
    ("publisher", "publisher"),
    ("subject", "subject"),
    ("description", "description"),
    ("rights", "rights"),
    ("source", "source"),
    ("type", "type"),
    ("coverage", "coverage"),
    ("relation", "relation"),
];

impl Package {
    /// Reads a package document.
    pub fn read(path: &str, xml: &str) -> Package {
        let mut parts = ManifestParts::default();
        let mut package = Package { path: path.to_owned(), ..Package::default() };
        let mut first = MainRows::default();
        let mut reader = XmlReader::new(xml);
        while let Some(event) = reader.next() {
            let XmlEvent::Start(tag) = event else { continue };
            match tag.name() {
                "package" => first.wanted.extend(tag.get("unique-identifier")),
                "meta" if tag.get("property").as_deref() == Some("title-type") => {
                    let title = tag.get("refines").filter(|_| reader.text_inside().trim() == "main");
                    first.wanted.extend(title.map(|id| id.trim_start_matches('#').to_owned()));
                }
                "item" => parts.add_item(path, &tag),
                "itemref" => parts.add_reference(&tag),
                "spine" => parts.ncx = tag.get("toc"),
                "meta" => {
                    let row = meta_row(&tag, &mut reader);
                    package.add_metadata(row);
                }
                name => {
                    // Dublin Core has these names under any prefix; the old `dc:Title` counts as well.
                    let name = name.to_ascii_lowercase();
                    let key = KEYS.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
                    if let Some(key) = key.filter(|_| is_dublin(&tag)) {
                        let key = dated(key, &tag).to_owned();
                        let row = clean_row((key, reader.text_inside()));
                        first.named.extend(tag.get("id").map(|id| (id, row.clone())));
                        package.add_metadata(Some(row));
                    }
                }
            }
        }
        first.put(&mut package.metadata);
        parts.into_package(package)
    }

    /// A package without a document: pages in the order of their names.
    pub fn of_pages(names: &[String]) -> Package {
        let is_page = |name: &&String| {
            let name = name.to_ascii_lowercase();
            [".xhtml", ".html", ".htm"].iter().any(|end| name.ends_with(end))
        };
        let mut pages: Vec<&String> = names.iter().filter(is_page).take(MAX_ITEMS).collect();
        pages.sort();
        let item = |path: &String| ManifestItem {
            path: path.clone(),
            media: "application/xhtml+xml".to_owned(),
            ..ManifestItem::default()
        };
        let spine =
            pages.into_iter().map(|path| SpineItem { item: item(path), listed: path.clone() }).collect();
        Package { spine, ..Package::default() }
    }

    /// The path of a part as the book's own references name it: without the folder of the package document.
    pub fn short<'p>(&self, path: &'p str) -> &'p str {
        let folder = folder_of(&self.path);
        let inside = path.strip_prefix(folder).filter(|_| !folder.is_empty());
        inside.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }

    fn add_metadata(&mut self, row: Option<(String, String)>) {
        let Some(row) = row.map(clean_row) else { return };
        if !row.1.is_empty() && self.metadata.len() < MAX_METADATA_ROWS && !self.metadata.contains(&row) {
            self.metadata.push(row);
        }
    }
}

/// A value on one line, without soft hyphens, which are visible only at line ends.
fn clean_row((key, value): (String, String)) -> (String, String) {
    let value = value.replace('\u{ad}', "").split_whitespace().collect::<Vec<_>>().join(" ");
    (key, value.chars().take(MAX_METADATA_CHARACTERS).collect())
}

/// Rows that precede others of their kind: the main title, the identifier that the package declares unique.
#[derive(Default)]
struct MainRows {
    wanted: Vec<String>,
    named: HashMap<String, (String, String)>,
}

impl MainRows {
    fn put(&self, rows: &mut [(String, String)]) {
        for row in self.wanted.iter().filter_map(|id| self.named.get(id.trim())) {
            let first = rows.iter().position(|(key, _)| *key == row.0);
            let own = rows.iter().position(|other| other == row);
            if let (Some(first), Some(own)) = (first, own) {
                rows[first..=own].rotate_right(1);
            }
        }
    }
}

/// True for elements of Dublin Core: in other namespaces their names mean something else.
fn is_dublin(tag: &XmlTag<'_>) -> bool {
    matches!(tag.prefix().to_ascii_lowercase().as_str(), "dc" | "" | "dcterms")
}

/// The key of a date: EPUB 2 names the event of a date.
fn dated<'k>(key: &'k str, tag: &XmlTag<'_>) -> &'k str {
    match (key, tag.get("event").as_deref()) {
        ("date", Some("modification")) => "modified",
        ("date", Some("creation")) => "created",
        _ => key,
    }
}

/// The row of a `meta` element of a known kind: series, modification.
fn meta_row(tag: &XmlTag<'_>, reader: &mut XmlReader<'_>) -> Option<(String, String)> {
    let named = tag.get("name").map(|name| name.to_ascii_lowercase());
    let property = tag.get("property").filter(|_| tag.get("refines").is_none());
    let key = match (named.as_deref(), property.as_deref().map(str::trim)) {
        (Some("calibre:series"), _) | (_, Some("belongs-to-collection")) => "series",
        (_, Some("dcterms:modified")) => "modified",
        _ => return None,
    };
    let value = match tag.get("content") {
        Some(content) => content,
        None => reader.text_inside(),
    };
    Some((key.to_owned(), value))
}

#[derive(Default)]
struct ManifestParts {
    items: HashMap<String, ManifestItem>,
    order: Vec<String>,
    references: Vec<String>,
    ncx: Option<String>,
}

impl ManifestParts {
    fn add_item(&mut self, base: &str, tag: &XmlTag<'_>) {
        let (Some(id), Some(href)) = (tag.get("id"), tag.get("href")) else { return };
        let Some(target) = resolve(base, &href).filter(|_| self.items.len() < MAX_ITEMS) else { return };
        let item = ManifestItem {
            path: target.path,
            media: tag.get("media-type").unwrap_or_default().trim().to_ascii_lowercase(),
            fallback: tag.get("fallback"),
            properties: tag.get("properties").unwrap_or_default(),
            is_place: target.fragment.is_some(),
        };
        let id = id.trim().to_owned();
        if !self.items.contains_key(&id) {
            self.order.push(id.clone());
            self.items.insert(id, item);
        }
    }

    fn add_reference(&mut self, tag: &XmlTag<'_>) {
        if let Some(id) = tag.get("idref").filter(|_| self.references.len() < MAX_ITEMS) {
            // Notes and answers outside of the main reading order (`linear='no'`) are read as well, at their place.
            self.references.push(id.trim().to_owned());
        }
    }

    /// The item that is read for one of the spine: the first in its chain of fallbacks with a core media type, or
    /// else the first that has any words.
    fn readable(&self, first: &str) -> Option<&ManifestItem> {
        let mut seen = HashSet::new();
        let mut next = Some(first);
        let mut chain = Vec::new();
        while let Some(item) = next.filter(|id| seen.insert(*id)).and_then(|id| self.items.get(id)) {
            if is_core(item) {
                return Some(item);
            }
            chain.push(item);
            next = item.fallback.as_deref().map(str::trim).filter(|_| chain.len() < MAX_FALLBACKS);
        }
        chain.iter().find(|item| is_readable(item)).or(chain.first()).copied()
    }

    fn into_package(mut self, mut package: Package) -> Package {
        let references = std::mem::take(&mut self.references);
        let mut read: HashMap<String, bool> = HashMap::new();
        for id in references {
            match self.readable(&id) {
                Some(item) => {
                    let listed = self.items.get(&id).map_or_else(String::new, |item| item.path.clone());
                    // Items may be places in one file (`a.xhtml#s2`): it is read once, as a whole, at its first item.
                    // A spine that names one item twice means it twice.
                    let is_place = self.items.get(&id).is_some_and(|item| item.is_place);
                    let before = read.insert(listed.clone(), is_place);
                    if !before.is_some_and(|was_place| is_place || was_place) {
                        package.spine.push(SpineItem { item: item.clone(), listed });
                    }
                }
                None => package.dangling.push(id),
            }
        }
        let in_order = || self.order.iter().filter_map(|id| self.items.get(id));
        let is_nav =
            |item: &&ManifestItem| item.properties.split_ascii_whitespace().any(|word| word == "nav");
        let is_ncx =
            |item: &&ManifestItem| item.media == "application/x-dtbncx+xml" || item.path.ends_with(".ncx");
        package.nav = in_order().find(is_nav).cloned();
        let declared = self.ncx.as_deref().and_then(|id| self.items.get(id.trim()));
        package.ncx = declared.cloned().or_else(|| in_order().find(is_ncx).cloned());
        if package.spine.is_empty() {
            // A book without a spine is read in the order of its manifest.
            let pages = in_order().filter(|item| is_page(item) && !is_nav(item)).cloned();
            package.spine = pages.map(|item| SpineItem { listed: item.path.clone(), item }).collect();
        }
        package
    }
}

/// True for a core media type of EPUB.
fn is_core(item: &ManifestItem) -> bool {
    is_page(item) || item.media == "image/svg+xml"
}

fn is_page(item: &ManifestItem) -> bool {
    matches!(item.media.as_str(), "application/xhtml+xml" | "text/html" | "text/x-oeb1-document")
}

/// True for parts that have words, by their type or by their name.
pub(super) fn is_readable(item: &ManifestItem) -> bool {
    let media = item.media.as_str();
    let by_type = media.ends_with("xml") || media.ends_with("html") || media == "text/x-oeb1-document";
    let name = file_name(&item.path).to_ascii_lowercase();
    by_type
        || media == "text/plain"
        || [".xhtml", ".html", ".htm", ".xml", ".svg"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests;
