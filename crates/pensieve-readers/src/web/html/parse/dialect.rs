//! How the source of a page is written: as XML or not, with which prefix, with which entities of its own.
//!
//! Entities are those of the internal subset (XML 1.0, section 4.2), with characters as values: markup in a value is
//! left out, references to other entities stay as they are, nothing external is read. So no value can grow.

use super::character_references;
use crate::limits::web::{HEAD_BYTES, MAX_ENTITIES, MAX_ENTITY_BYTES};
use std::collections::HashMap;

/// The namespace of pages.
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// How a source is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageDialect {
    /// `<a/>` closes itself.
    pub is_xml: bool,
    /// The prefix of the names of elements, with its colon: `h:`.
    pub prefix: String,
    /// The entities that the page declares.
    pub entities: DeclaredEntities,
}

impl PageDialect {
    /// The dialect of a chapter, which is XML.
    pub fn of_chapter(source: &str) -> PageDialect {
        // XML declares before its root, and hostile files declare without end.
        let head = &source[..source.floor_char_boundary(HEAD_BYTES)];
        PageDialect {
            is_xml: true,
            prefix: prefix(head).unwrap_or_default(),
            entities: DeclaredEntities::read(head),
        }
    }
}

/// The prefix that the root gives to the names of pages.
fn prefix(head: &str) -> Option<String> {
    let at = head.find(":html")?;
    let start = head[..at].rfind('<')?;
    let name = &head[start + 1..at];
    let root = &head[at..head[at..].find('>').map_or(head.len(), |end| at + end)];
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // Else it is part of a word or of another vocabulary.
    let is_bound = ['"', '\''].iter().any(|quote| root.contains(&format!("xmlns:{name}={quote}{XHTML}")));
    (is_name && is_bound).then(|| format!("{}:", name.to_ascii_lowercase()))
}

/// Entities that a page declares.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeclaredEntities(HashMap<String, String>);

impl DeclaredEntities {
    fn read(head: &str) -> DeclaredEntities {
        let mut entities = HashMap::new();
        let subset = head.find("<!DOCTYPE").map_or("", |start| &head[start..]);
        for declaration in subset.split("<!ENTITY").skip(1).take(MAX_ENTITIES) {
            let declaration = declaration.trim_start();
            let Some((name, rest)) = declaration.split_once(|c: char| c.is_ascii_whitespace()) else {
                continue;
            };
            let rest = rest.trim_start();
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            if let Some((value, _)) =
                rest[1..].split_once(quote).filter(|(value, _)| value.len() <= MAX_ENTITY_BYTES)
            {
                // The first declaration of a name holds (XML 1.0, 4.2).
                entities.entry(name.to_owned()).or_insert_with(|| words(value));
            }
        }
        DeclaredEntities(entities)
    }

    /// The length and the value of the reference at the start of `text`, if it refers to one of these entities.
    pub fn decode(&self, text: &str) -> Option<(usize, &str)> {
        if self.0.is_empty() {
            return None;
        }
        // Not the whole page for each `&`.
        let end = text.bytes().take(64).position(|byte| byte == b';')?;
        self.0.get(&text[1..end]).map(|value| (end + 1, value.as_str()))
    }
}

/// A value without its markup.
fn words(value: &str) -> String {
    let mut words = String::new();
    for (number, part) in character_references::decode_all(value).split('<').enumerate() {
        words.push_str(if number == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_of_the_page_have_values_and_no_depth() {
        let source = "<!DOCTYPE html [<!ENTITY me \"My &#233;<b>x</b>\"><!ENTITY % p 'no'><!ENTITY s SYSTEM 'f'>\
            <!ENTITY a '&me;&me;'>]><html>";
        let entities = PageDialect::of_chapter(source).entities;
        let decode = |text: &'static str| entities.decode(text);
        assert_eq!(decode("&me; x"), Some((4, "My éx")));
        assert_eq!(decode("&a;"), Some((3, "&me;&me;")));
        assert_eq!((decode("&p;"), decode("&s;"), decode("&no"), decode("&ä")), (None, None, None, None));
    }

    #[test]
    fn a_prefix_is_what_the_root_binds() {
        let check =
            |source: &str, expected: &str| assert_eq!(PageDialect::of_chapter(source).prefix, expected);
        check("<?xml version='1.0'?><h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:body>", "h:");
        check("<x:html xmlns:x='other'>", "");
        check("<html xmlns='http://www.w3.org/1999/xhtml'>a:html", "");
    }

    #[test]
    fn the_first_declaration_of_an_entity_counts() {
        let decode = |declarations: &str, text: &str| {
            let source = format!("<!DOCTYPE html [{declarations}]><html>");
            let entities = PageDialect::of_chapter(&source).entities;
            entities.decode(text).map(|(len, value)| (len, value.to_owned()))
        };
        let found = |len: usize, value: &str| Some((len, value.to_owned()));
        assert_eq!(decode("<!ENTITY a 'b'><!ENTITY a 'c'>", "&a;d"), found(3, "b"));
        assert_eq!(decode("<!ENTITY\n a\n\"it's\">", "&a;"), found(3, "it's"));
        assert_eq!(decode("<!ENTITY a '&lt;i>b&lt;/i> c'>", "&a;"), found(3, "b c"));
        assert_eq!(decode("<!ENTITY a '&lt;i b'>", "&a;"), found(3, ""));
        assert_eq!(decode("<!ENTITY a>", "&a;"), None);
        let long = |len: usize| "v".repeat(len);
        let declared = |len: usize| format!("<!ENTITY a '{}'>", long(len));
        assert_eq!(decode(&declared(MAX_ENTITY_BYTES), "&a;"), found(3, &long(MAX_ENTITY_BYTES)));
        assert_eq!(decode(&declared(MAX_ENTITY_BYTES + 1), "&a;"), None);
        let name = long(62);
        assert_eq!(decode(&format!("<!ENTITY {name} 'b'>"), &format!("&{name};")), found(64, "b"));
        assert_eq!(decode(&format!("<!ENTITY {name}v 'b'>"), &format!("&{name}v;")), None);
        assert!(PageDialect::of_chapter("<!ENTITY a 'b'>").entities.decode("&a;").is_none());
    }

    #[test]
    fn prefixes_are_names_in_lower_case() {
        let xmlns = "http://www.w3.org/1999/xhtml";
        for (source, expected) in [
            (format!("<X1:html\nxmlns:X1=\"{xmlns}\">"), "x1:"),
            (format!("<:html xmlns:='{xmlns}'>"), ""),
            (format!("<a-b:html xmlns:a-b='{xmlns}'>"), ""),
            (format!("<h:html><p xmlns:h='{xmlns}'>"), ""),
            (format!("h:html xmlns:h='{xmlns}'>"), ""),
            (format!("<h:html xmlns:h='{xmlns}'"), "h:"),
        ] {
            let dialect = PageDialect::of_chapter(&source);
            assert_eq!((dialect.prefix.as_str(), dialect.is_xml), (expected, true), "of {source}");
        }
    }
}
