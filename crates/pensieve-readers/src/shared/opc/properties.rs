//! Properties of a document: the core ones, the extended ones, the user's own.

use crate::limits::opc::{MAX_CUSTOM_PROPERTIES, MAX_PROPERTY_BYTES};
use crate::shared::xml::{XmlEvent, XmlReader};
use std::collections::HashMap;

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

/// Adds the core or extended properties of a part, in a fixed order.
pub(super) fn standard_properties(text: &str, found: &mut Vec<(String, String)>) {
    let mut values: HashMap<&str, String> = HashMap::new();
    let mut reader = XmlReader::new(text);
    while let Some(event) = reader.next() {
        let XmlEvent::Start(tag) = event else { continue };
        let Some(&(name, _)) = PROPERTIES.iter().find(|(name, _)| *name == tag.name()) else { continue };
        let value = reader.text_inside();
        let value = value.trim();
        if !value.is_empty() && value.len() <= MAX_PROPERTY_BYTES {
            values.entry(name).or_insert_with(|| value.to_owned());
        }
    }
    for (name, key) in PROPERTIES {
        let Some(value) = values.remove(name) else { continue };
        match *key {
            // One property may name several authors.
            "author" => {
                let authors = value.split(';').map(str::trim).filter(|author| !author.is_empty());
                found.extend(
                    authors
                        .take(MAX_CUSTOM_PROPERTIES)
                        .map(|author| ("author".to_owned(), author.to_owned())),
                );
            }
            key => found.push((key.to_owned(), value)),
        }
    }
}

/// Adds the properties that users defined: `<property name="Client"><vt:lpwstr>…`.
pub(super) fn custom_properties(text: &str, found: &mut Vec<(String, String)>) {
    let mut reader = XmlReader::new(text);
    let mut count = 0;
    while let Some(event) = reader.next() {
        let XmlEvent::Start(tag) = event else { continue };
        if tag.name() != "property" || count >= MAX_CUSTOM_PROPERTIES {
            continue;
        }
        let name = tag.get("name").unwrap_or_default().trim().to_lowercase();
        let value = reader.text_inside();
        let value = value.trim();
        // Names that begin with an underscore belong to programs.
        if !name.is_empty()
            && !name.starts_with('_')
            && !value.is_empty()
            && value.len() <= MAX_PROPERTY_BYTES
        {
            count += 1;
            found.push((name, value.to_owned()));
        }
    }
}
