//! The metadata of a book, and the labels of its notes: read before its text, because references precede notes.

use crate::limits::fb2::{MAX_METADATA, MAX_METADATA_CHARACTERS, MAX_NOTES};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use std::collections::{HashMap, HashSet};

/// Longer titles of notes are words, not labels.
const MAX_LABEL_CHARACTERS: usize = 12;

/// Metadata and notes.
#[derive(Debug, Default)]
pub(super) struct BookDescription {
    /// Key and value, in the order of the file.
    pub metadata: Vec<(String, String)>,
    /// The labels of notes, by the names that references use.
    pub notes: HashMap<String, String>,
}

impl BookDescription {
    /// Reads the description, and the names of the notes.
    pub fn read(xml: &str) -> BookDescription {
        let mut description = BookDescription::default();
        let mut labels = HashSet::new();
        let mut reader = XmlReader::new(xml);
        let mut is_notes = false;
        // The name of the section whose title has not come yet.
        let mut waiting: Option<String> = None;
        while let Some(event) = reader.next() {
            match event {
                XmlEvent::Start(tag) => match tag.name() {
                    "title-info" => description.read_info(&mut reader, false),
                    "publish-info" => description.read_info(&mut reader, true),
                    "document-info" | "custom-info" | "src-title-info" | "binary" => reader.pass(),
                    "body" => is_notes = is_notes_body(&tag),
                    "section" if is_notes => {
                        description.add_note(waiting.take(), "", &mut labels);
                        waiting = tag.get("id").filter(|_| description.notes.len() < MAX_NOTES);
                    }
                    "title" if waiting.is_some() => {
                        let title = reader.text_inside();
                        description.add_note(waiting.take(), title.trim(), &mut labels);
                    }
                    _ => {}
                },
                XmlEvent::End("section" | "body") => description.add_note(waiting.take(), "", &mut labels),
                _ => {}
            }
        }
        description
    }

    /// The label is the note's title if that is short and unique, such as `1`; otherwise its name.
    fn add_note(&mut self, id: Option<String>, title: &str, labels: &mut HashSet<String>) {
        let Some(id) = id else { return };
        let clean = |text: &str| -> String {
            text.chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '*'))
                .take(MAX_LABEL_CHARACTERS)
                .collect()
        };
        let mut label = clean(title);
        if label.is_empty() || title.chars().count() > MAX_LABEL_CHARACTERS || labels.contains(&label) {
            label = clean(&id);
        }
        if label.is_empty() || labels.contains(&label) {
            label = format!("n{}", labels.len() + 1);
        }
        labels.insert(label.clone());
        self.notes.entry(id).or_insert(label);
    }

    /// The rows of `title-info` or `publish-info`, which began last.
    fn read_info(&mut self, reader: &mut XmlReader<'_>, is_publisher: bool) {
        let outer = reader.depth();
        while reader.depth() >= outer {
            let Some(event) = reader.next() else { break };
            let XmlEvent::Start(tag) = event else { continue };
            match (tag.name(), is_publisher) {
                ("author", false) => {
                    let name = person(reader);
                    self.add("author", name);
                }
                ("translator", false) => {
                    let name = person(reader);
                    self.add("translator", name);
                }
                ("book-title", false) => self.add_inside("title", reader),
                ("genre", false) => self.add_inside("subject", reader),
                ("keywords", false) => self.add_inside("keywords", reader),
                ("lang", false) => self.add_inside("language", reader),
                ("date", false) => {
                    let value = tag.get("value").filter(|value| !value.trim().is_empty());
                    let inside = reader.text_inside();
                    self.add("date", value.unwrap_or(inside));
                }
                ("annotation", false) => self.add_inside("description", reader),
                ("sequence", false) => self.add("series", tag.get("name").unwrap_or_default()),
                ("publisher", true) => self.add_inside("publisher", reader),
                ("year", true) => self.add_inside("published", reader),
                ("isbn", true) => self.add_inside("identifier", reader),
                _ => {}
            }
        }
    }

    fn add_inside(&mut self, key: &str, reader: &mut XmlReader<'_>) {
        let inside = reader.text_inside();
        self.add(key, inside);
    }

    fn add(&mut self, key: &str, value: String) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let row = (key.to_owned(), value.chars().take(MAX_METADATA_CHARACTERS).collect::<String>());
        if !row.1.is_empty() && self.metadata.len() < MAX_METADATA && !self.metadata.contains(&row) {
            self.metadata.push(row);
        }
    }
}

/// True for a body of notes or comments.
pub(super) fn is_notes_body(tag: &XmlTag<'_>) -> bool {
    matches!(tag.get("name").as_deref().map(str::trim), Some("notes" | "comments" | "footnotes"))
}

/// First, middle and last name of a person; the nickname if there is none of them.
fn person(reader: &mut XmlReader<'_>) -> String {
    let outer = reader.depth();
    let mut names = [const { String::new() }; 4];
    while reader.depth() >= outer {
        let Some(event) = reader.next() else { break };
        let XmlEvent::Start(tag) = event else { continue };
        let slot = match tag.name() {
            "first-name" => 0,
            "middle-name" => 1,
            "last-name" => 2,
            "nickname" => 3,
            _ => continue,
        };
        names[slot] = reader.text_inside();
    }
    let full = names[..3]
        .iter()
        .map(|name| name.trim())
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if full.is_empty() { names[3].clone() } else { full }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(xml: &str, expected: &[(&str, &str)]) {
        let xml = format!("<FictionBook><description>{xml}</description></FictionBook>");
        let description = BookDescription::read(&xml);
        let rows: Vec<_> =
            description.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(rows, expected, "{xml}");
    }

    #[test]
    fn descriptions_have_rows_by_their_elements() {
        let person = "<first-name> A </first-name><middle-name>B</middle-name><last-name>C</last-name>";
        let title = format!(
            "<title-info><genre>prose</genre><author>{person}<nickname>N</nickname></author>\
             <author><nickname>N</nickname></author><author/><translator><last-name>T</last-name></translator>\
             <book-title>The\n <b>book</b></book-title><annotation><p>About</p></annotation><keywords>k</keywords>\
             <lang>en</lang><date value='2003-04-05'>April</date><sequence name='S'/><sequence/>\
             <publisher>no</publisher><year>no</year><isbn>no</isbn></title-info>"
        );
        let expected = [
            ("subject", "prose"),
            ("author", "A B C"),
            ("author", "N"),
            ("translator", "T"),
            ("title", "The book"),
            ("description", "About"),
            ("keywords", "k"),
            ("language", "en"),
            ("date", "2003-04-05"),
            ("series", "S"),
        ];
        check(&title, &expected);
        check(
            "<publish-info><publisher>P</publisher><year>2004</year><isbn>1-2</isbn><book-title>no</book-title>\
             <author><last-name>no</last-name></author></publish-info>",
            &[("publisher", "P"), ("published", "2004"), ("identifier", "1-2")],
        );
        check("<title-info><date value=' '>April</date><lang> </lang></title-info>", &[("date", "April")]);
        let twice = "<title-info><lang>en</lang><lang>en</lang><lang>ru</lang></title-info>";
        check(twice, &[("language", "en"), ("language", "ru")]);
    }

    #[test]
    fn descriptions_of_other_things_are_left_out() {
        let inside = "<title-info><lang>en</lang></title-info><publish-info><year>1</year></publish-info>";
        for name in ["document-info", "custom-info", "src-title-info", "binary"] {
            let xml = format!("<{name}>{inside}</{name}><title-info><lang>ru</lang></title-info>");
            check(&xml, &[("language", "ru")]);
        }
    }

    #[test]
    fn rows_beyond_the_limits_are_left_out() {
        let genres = |count: usize| -> String {
            let genres: String = (0..count).map(|number| format!("<genre>{number}</genre>")).collect();
            format!("<FictionBook><title-info>{genres}</title-info></FictionBook>")
        };
        for (count, expected) in [(MAX_METADATA, MAX_METADATA), (MAX_METADATA + 1, MAX_METADATA)] {
            assert_eq!(BookDescription::read(&genres(count)).metadata.len(), expected);
        }
        let long = "é".repeat(MAX_METADATA_CHARACTERS);
        check(&format!("<title-info><lang>{long}x</lang></title-info>"), &[("language", &long)]);
    }

    #[test]
    fn labels_of_notes_are_short_and_unique() {
        let section = |id: &str, title: &str| format!("<section id='{id}'>{title}<p>words</p></section>");
        let title = |words: &str| format!("<title><p>{words}</p></title>");
        let notes = [
            section("a", &title("[1]")),
            section("b", &title("1")),
            section("c", &title("twelve chars")),
            section("d", &title("words of more")),
            section("e", &title("")),
            section("f", ""),
            section("?", ""),
            section("e", &title("9")),
            "<section><title><p>8</p></title></section>".to_owned(),
            section("of-thirteen-letters", ""),
            section("g", "<section id='h'><title><p>*_-</p></title></section>"),
        ];
        let body =
            |name: &str| format!("<FictionBook><body name='{name}'>{}</body></FictionBook>", notes.concat());
        for name in ["notes", " comments ", "footnotes"] {
            let found = BookDescription::read(&body(name)).notes;
            let mut found: Vec<_> = found.iter().map(|(id, label)| (id.as_str(), label.as_str())).collect();
            found.sort_unstable();
            let expected = [
                ("?", "n7"),
                ("a", "1"),
                ("b", "b"),
                ("c", "twelvechars"),
                ("d", "d"),
                ("e", "e"),
                ("f", "f"),
                ("g", "g"),
                ("h", "*_-"),
                ("of-thirteen-letters", "of-thirteen-"),
            ];
            assert_eq!(found, expected, "{name}");
        }
        assert!(BookDescription::read(&body("main")).notes.is_empty());
    }
}
