//! The notes of a book: which places are notes, and their numbers in the order in which the text refers to them.
//!
//! Found in a pass over the pages before they are made into text: a note mostly stands in another page than its
//! reference. A reference inside a note leads back, and is none.

use super::path::{Target, resolve};
use crate::extract::html::{ReferenceFacts, is_note_type};
use crate::extract::xml::{Tag, XmlEvent, XmlReader};
use std::collections::HashMap;

/// Notes that count.
const MOST_NOTES: usize = 100_000;

/// Names of elements that are remembered as open.
const DEEPEST: usize = 512;

/// The notes of a book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Notes {
    numbers: HashMap<(String, String), usize>,
}

/// A link that may refer to a note, as it is read.
struct Link {
    target: Target,
    kind: String,
    class: String,
    is_raised: bool,
    words: String,
}

impl Notes {
    /// The number of the note at a place.
    pub(super) fn at(&self, path: &str, name: &str) -> Option<usize> {
        self.numbers.get(&(path.to_owned(), name.to_owned())).copied()
    }

    /// The number of the note that a reference in `base` leads to.
    pub(super) fn of(&self, base: &str, href: &str) -> Option<usize> {
        let target = resolve(base, href)?;
        self.at(&target.path, &target.fragment?)
    }

    /// The first number that no note has.
    pub(super) fn next(&self) -> usize {
        self.numbers.len() + 1
    }

    /// Looks for references in the next page.
    pub(super) fn add(&mut self, path: &str, page: &str) {
        let mut names = Names::default();
        let mut raised = 0_usize;
        let mut link: Option<Link> = None;
        for event in XmlReader::new(page) {
            match event {
                XmlEvent::Start(tag) => {
                    names.open(&tag);
                    if tag.name() == "sup" && !tag.is_empty {
                        raised += 1;
                        if let Some(link) = &mut link {
                            link.is_raised = true;
                        }
                    }
                    if tag.name() == "a" && !tag.is_empty {
                        link = link_of(path, &tag, raised > 0);
                    }
                }
                XmlEvent::End("sup") => raised = raised.saturating_sub(1),
                XmlEvent::End("a") => {
                    if let Some(link) = link.take() {
                        self.take(path, link, &names);
                    }
                    names.close("a");
                }
                XmlEvent::End(name) => names.close(name),
                XmlEvent::Text { text, .. } => {
                    if let Some(link) = link.as_mut().filter(|link| link.words.len() < 64) {
                        link.words.push_str(&text);
                    }
                }
            }
            if self.numbers.len() >= MOST_NOTES {
                return;
            }
        }
    }

    fn take(&mut self, path: &str, link: Link, names: &Names) {
        let facts = ReferenceFacts {
            kind: &link.kind,
            class: &link.class,
            is_raised: link.is_raised,
            words: &link.words,
        };
        let is_in_note = || names.is_in_note() || names.all().any(|name| self.at(path, name).is_some());
        let Some(fragment) = link.target.fragment.clone().filter(|_| facts.is_reference()) else { return };
        if is_in_note() {
            return;
        }
        let number = self.next();
        self.numbers.entry((link.target.path, fragment)).or_insert(number);
    }
}

fn link_of(path: &str, tag: &Tag<'_>, is_raised: bool) -> Option<Link> {
    let target = resolve(path, &tag.get("href")?)?;
    let class = tag.get("class").unwrap_or_default();
    Some(Link { target, kind: kind_of(tag), class, is_raised, words: String::new() })
}

fn kind_of(tag: &Tag<'_>) -> String {
    let value = |name: &str| tag.exact(name).unwrap_or_default();
    format!("{} {}", value("epub:type"), value("role"))
}

/// The names of the elements that are open, and of those before in the same paragraph.
#[derive(Default)]
struct Names {
    open: Vec<(String, Vec<String>, bool)>,
    beside: Vec<String>,
}

impl Names {
    fn open(&mut self, tag: &Tag<'_>) {
        let is_block = matches!(
            tag.name(),
            "p" | "li"
                | "div"
                | "aside"
                | "section"
                | "dd"
                | "dt"
                | "td"
                | "tr"
                | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
        );
        if is_block {
            self.beside.clear();
        }
        let names: Vec<String> =
            [tag.get("id"), tag.get("name").filter(|_| tag.name() == "a")].into_iter().flatten().collect();
        if !is_block {
            self.beside.extend(names.iter().cloned());
        }
        if !tag.is_empty && self.open.len() < DEEPEST {
            self.open.push((tag.name().to_owned(), names, is_note_type(&kind_of(tag))));
        }
    }

    fn close(&mut self, name: &str) {
        if let Some(at) = self.open.iter().rposition(|(open, ..)| open == name) {
            self.open.truncate(at);
        }
    }

    fn is_in_note(&self) -> bool {
        self.open.iter().any(|(.., is_note)| *is_note)
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.open.iter().flat_map(|(_, names, _)| names).chain(&self.beside).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_numbered_by_their_references_and_backlinks_are_none() {
        let mut notes = Notes::default();
        notes.add(
            "a.xhtml",
            "<p>x<a id='r2' href='n.xhtml#n2'><sup>1</sup></a> <a epub:type='noteref' href='#own'>see</a></p>\
            <p><a href='b.xhtml#s'>2</a> <sup><a id='r1' href='n.xhtml#n1'>*</a></sup></p>",
        );
        notes.add(
            "n.xhtml",
            "<p><a id='n1'/><sup><a href='a.xhtml#r1'>*</a></sup> one</p>\
            <li id='n2'>two <a href='a.xhtml#r2'>[1]</a></li>",
        );
        let found = [("n.xhtml", "n2"), ("a.xhtml", "own"), ("n.xhtml", "n1")]
            .map(|(path, name)| notes.at(path, name));
        assert_eq!(found, [Some(1), Some(2), Some(3)]);
        assert_eq!((notes.next(), notes.of("x/y.xhtml", "../n.xhtml#n2")), (4, Some(1)));
    }
}
