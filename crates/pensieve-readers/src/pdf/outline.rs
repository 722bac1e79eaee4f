//! Bookmarks and page labels. Both are trees, and a file can make them loop: every object is visited once, without
//! recursion. Source: ISO 32000-2, 12.3.2 (destinations), 12.3.3 (outlines), 12.4.2 (page labels), 7.9.6 (name trees).

use super::strings;
use crate::limits::pdf::{MAX_OUTLINE_DEPTH, MAX_OUTLINE_ENTRIES};
use crate::shared::numerals::numeral;
use hayro_font::hayro_syntax::Pdf;
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, String as PdfString};
use pensieve_text::layout::OutlineEntry;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Rows of metadata: an `outline` for each bookmark, a `page_labels` for each range of labels.
pub(super) fn rows(pdf: &Pdf) -> Vec<(String, String)> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let mut rows = Vec::new();
    for OutlineEntry { level, title, page } in bookmarks(pdf, &catalog) {
        let mut value = format!("{} {title}", "#".repeat(level.min(32)));
        if let Some(page) = page {
            let _ = write!(value, " (page {page})");
        }
        rows.push(("outline".to_owned(), value));
    }
    rows.extend(
        labels(&catalog, pdf.pages().len()).into_iter().map(|range| ("page_labels".to_owned(), range)),
    );
    rows
}

/// All bookmarks, in the order of the document.
pub(super) fn entries(pdf: &Pdf) -> Vec<OutlineEntry> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    bookmarks(pdf, &catalog)
}

fn bookmarks(pdf: &Pdf, catalog: &Dict<'_>) -> Vec<OutlineEntry> {
    let Some(root) = catalog.get::<Dict<'_>>("Outlines") else { return Vec::new() };
    let destinations = DestinationTable::new(pdf, catalog);
    let mut visited = FxHashSet::default();
    let mut found = Vec::new();
    // The next bookmark of each level.
    let mut stack: Vec<Dict<'_>> = root.get("First").into_iter().collect();
    while let Some(item) = stack.pop() {
        if found.len() >= MAX_OUTLINE_ENTRIES || !visited.insert(item.data().as_ptr() as usize) {
            continue;
        }
        let title =
            item.get::<PdfString<'_>>("Title").map(|title| strings::decode(&title)).unwrap_or_default();
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        if !title.is_empty() {
            found.push(OutlineEntry { level: stack.len() + 1, title, page: destinations.page_of(&item) });
        }
        let (next, first) = (item.get::<Dict<'_>>("Next"), item.get::<Dict<'_>>("First"));
        let level = stack.len();
        stack.extend(next);
        if let Some(first) = first.filter(|_| stack.len() < MAX_OUTLINE_DEPTH) {
            // A finished level stays on the stack, since the height of the stack is the level.
            if stack.len() == level {
                stack.push(Dict::empty());
            }
            stack.push(first);
        }
    }
    found
}

/// The pages of destinations.
struct DestinationTable<'a> {
    pages: FxHashMap<ObjectIdentifier, u64>,
    names: FxHashMap<Vec<u8>, Object<'a>>,
}

impl<'a> DestinationTable<'a> {
    fn new(pdf: &'a Pdf, catalog: &Dict<'a>) -> DestinationTable<'a> {
        let mut pages = FxHashMap::default();
        for (number, page) in (1..).zip(pdf.pages().iter()) {
            if let Some(id) = page.raw().obj_id() {
                pages.insert(id, number);
            }
        }
        let mut names = FxHashMap::default();
        let tree = catalog.get::<Dict<'a>>("Names").and_then(|names| names.get::<Dict<'a>>("Dests"));
        for (name, target) in leaves(tree, "Names") {
            if let Object::String(name) = name {
                names.insert(name.to_vec(), target);
            }
        }
        if let Some(older) = catalog.get::<Dict<'a>>("Dests") {
            for name in older.keys().take(MAX_OUTLINE_ENTRIES) {
                if let Some(target) = older.get::<Object<'a>>(name.clone()) {
                    names.insert(name.to_vec(), target);
                }
            }
        }
        DestinationTable { pages, names }
    }

    fn page_of(&self, item: &Dict<'a>) -> Option<u64> {
        let action = || {
            item.get::<Dict<'a>>("A").filter(|action| action.get::<Name<'_>>("S").as_deref() == Some(b"GoTo"))
        };
        let target = item.get::<Object<'a>>("Dest").or_else(|| action()?.get::<Object<'a>>("D"))?;
        let named = match &target {
            Object::String(name) => self.names.get(name.as_ref() as &[u8]),
            Object::Name(name) => self.names.get(name.as_ref() as &[u8]),
            _ => Some(&target),
        }?;
        let array = match named {
            Object::Array(array) => array.clone(),
            Object::Dict(dict) => dict.get::<Array<'a>>("D")?,
            _ => return None,
        };
        let page = array.raw_iter().next()?.as_obj_ref()?;
        self.pages.get(&ObjectIdentifier::from(page)).copied()
    }
}

/// Keys and values of a name or number tree, in the order of the tree.
pub(super) fn leaves<'a>(root: Option<Dict<'a>>, key: &str) -> Vec<(Object<'a>, Object<'a>)> {
    let mut found = Vec::new();
    let mut visited = FxHashSet::default();
    let mut stack: Vec<Dict<'a>> = root.into_iter().collect();
    while let Some(node) = stack.pop() {
        if visited.len() >= MAX_OUTLINE_ENTRIES || !visited.insert(node.data().as_ptr() as usize) {
            continue;
        }
        if let Some(pairs) = node.get::<Array<'a>>(key) {
            let mut items = pairs.iter::<Object<'a>>();
            while let (true, Some(name), Some(value)) =
                (found.len() < MAX_OUTLINE_ENTRIES, items.next(), items.next())
            {
                found.push((name, value));
            }
        }
        if let Some(kids) = node.get::<Array<'a>>("Kids") {
            let mut kids: Vec<Dict<'a>> = kids.iter::<Dict<'a>>().take(MAX_OUTLINE_ENTRIES).collect();
            kids.reverse();
            stack.append(&mut kids);
        }
    }
    found
}

/// Ranges of pages and their labels: `1-4: i-iv`.
fn labels(catalog: &Dict<'_>, pages: usize) -> Vec<String> {
    let mut ranges: Vec<(usize, Dict<'_>)> = leaves(catalog.get::<Dict<'_>>("PageLabels"), "Nums")
        .into_iter()
        .filter_map(|(first, label)| Some((usize::try_from(first.into_i32()?).ok()?, label.into_dict()?)))
        .filter(|(first, _)| *first < pages)
        .collect();
    ranges.sort_by_key(|(first, _)| *first);
    ranges.dedup_by_key(|(first, _)| *first);
    let ends: Vec<usize> = ranges.iter().skip(1).map(|(first, _)| *first).chain([pages]).collect();
    ranges.iter().zip(ends).map(|((first, label), end)| range(*first, end, label)).collect()
}

fn range(first: usize, end: usize, label: &Dict<'_>) -> String {
    let style = label.get::<Name<'_>>("S").map(|style| style.as_ref().to_vec()).unwrap_or_default();
    let prefix = label.get::<PdfString<'_>>("P").map(|prefix| strings::decode(&prefix)).unwrap_or_default();
    let start = label.get::<u32>("St").unwrap_or(1) as usize;
    let name = |at: usize| format!("{prefix}{}", page_number(&style, start.saturating_add(at)));
    match end - first {
        1 => format!("{}: {}", first + 1, name(0)),
        count => format!("{}-{end}: {}-{}", first + 1, name(0), name(count - 1)),
    }
}

/// A page number in one of the styles of page labels; decimal if it is too large for the style.
fn page_number(style: &[u8], number: usize) -> String {
    let format = match style {
        b"D" => "decimal",
        b"r" => "lowerRoman",
        b"R" => "upperRoman",
        b"a" => "lowerLetter",
        b"A" => "upperLetter",
        _ => return String::new(),
    };
    u32::try_from(number).map_or_else(|_| number.to_string(), |number| numeral(number, format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_those_of_page_labels() {
        let all: Vec<String> = [(b"D", 7), (b"r", 4), (b"R", 1999), (b"a", 28), (b"A", 3), (b"x", 3)]
            .map(|(style, number)| page_number(style, number))
            .to_vec();
        assert_eq!(all, ["7", "iv", "MCMXCIX", "bb", "C", ""]);
    }
}
