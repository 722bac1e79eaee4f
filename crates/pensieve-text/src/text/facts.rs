//! What a text says of its document: its language, and the fields of its front matter, in the notations of Markdown,
//! TOML, Org, reStructuredText and AsciiDoc, with the tags that notes have in their lines (`#tag`).
//!
//! A function of the clean text alone, whatever the segments in which it comes.

use super::fields::is_key;
use super::languages::LanguageSample;
use super::markdown::FenceTracker;
use crate::model::TextKind;
use serde::{Deserialize, Serialize};

/// Lines of front matter, at most: what goes on for longer is text between two rules.
const MAX_FRONT_LINES: usize = 200;

/// Fields outside of front matter stand at the top: below a title, before the first paragraph.
const MAX_TOP_LINES: usize = 40;

/// Tags of a text; more are a list of colours or channels.
const MAX_TAGS: usize = 200;

/// What a text says of its document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TextFacts {
    /// The code of its language, where that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Names and values as they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
}

impl TextFacts {
    /// True if it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == TextFacts::default()
    }
}

/// Reads a text line by line.
#[derive(Debug)]
pub struct FactFinder {
    sample: Option<LanguageSample>,
    notation: Option<Notation>,
    has_tags: bool,
    fences: FenceTracker,
    lines: usize,
    front: FrontMatter,
    /// The name whose list of values goes on in lines with a dash.
    list: Option<String>,
    facts: TextFacts,
}

/// How a format states fields at the top of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    /// `---` or `+++`, lines `name: value` or `name = value`, and the same rule again.
    Markdown,
    /// `#+NAME: value`
    Org,
    /// `:Name: value`
    Colons,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrontMatter {
    /// The first line is not read.
    Unknown,
    /// Until a line like the one that began it.
    Open,
    Over,
}

impl FactFinder {
    /// For the text of a format. The language of code is not that of people.
    pub fn new(format: &str, kind: TextKind) -> FactFinder {
        let notation = match format {
            "markdown" | "mdx" => Some(Notation::Markdown),
            "org" => Some(Notation::Org),
            "rst" | "asciidoc" => Some(Notation::Colons),
            _ => None,
        };
        FactFinder {
            sample: (kind != TextKind::Code).then(LanguageSample::default),
            notation,
            has_tags: notation == Some(Notation::Markdown),
            fences: FenceTracker::default(),
            lines: 0,
            front: FrontMatter::Unknown,
            list: None,
            facts: TextFacts::default(),
        }
    }

    /// Reads the next part of the text, which ends where a line ends, or is a part of a very long one.
    ///
    /// Cost: a look at each line of Markdown; of other text, at the first thousand words.
    pub fn read(&mut self, text: &str) {
        for line in text.lines() {
            let is_done = self.notation.is_none() && self.sample.as_ref().is_none_or(LanguageSample::is_full);
            if is_done {
                return;
            }
            self.lines += 1;
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        match self.notation {
            Some(Notation::Markdown) if self.front != FrontMatter::Over => return self.front_line(line),
            Some(Notation::Org) if self.lines <= MAX_TOP_LINES => {
                if let Some((name, value)) = line.strip_prefix("#+").and_then(|rest| rest.split_once(':')) {
                    return self.add(name, value);
                }
            }
            Some(Notation::Colons) if self.lines <= MAX_TOP_LINES => {
                if let Some((name, value)) = line.strip_prefix(':').and_then(|rest| rest.split_once(": ")) {
                    return self.add(name, value);
                }
            }
            _ => {}
        }
        let was_open = self.fences.is_open();
        self.fences.read(line);
        if was_open || self.fences.is_open() {
            return;
        }
        if self.has_tags && line.contains('#') {
            self.tags(line);
        }
        if let Some(sample) = &mut self.sample {
            sample.add(line);
        }
    }

    fn front_line(&mut self, line: &str) {
        let rule = line.trim_end();
        if self.lines == 1 {
            self.front = if matches!(rule, "---" | "+++") { FrontMatter::Open } else { FrontMatter::Over };
            if self.front == FrontMatter::Over {
                self.line(line);
            }
            return;
        }
        if matches!(rule, "---" | "+++" | "...") || self.lines > MAX_FRONT_LINES {
            self.front = FrontMatter::Over;
            return;
        }
        if let (Some(name), Some(item)) = (self.list.clone(), line.trim_start().strip_prefix("- ")) {
            return self.add(&name, item);
        }
        let Some((name, value)) = line.split_once([':', '=']) else { return };
        // What is indented belongs to the name above it.
        if name.starts_with([' ', '\t']) {
            return;
        }
        self.list = Some(name.trim().to_owned());
        self.add(name, value);
    }

    /// Adds a value of a name that states a field, without quotes and brackets.
    fn add(&mut self, name: &str, value: &str) {
        let name = name.trim().to_lowercase();
        let value = value.trim();
        let inside = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        // Tags of Org stand between colons.
        let is_org_list = name == "filetags";
        let values: Vec<&str> = match inside {
            Some(list) => list.split(',').collect(),
            None if is_org_list => value.split(':').collect(),
            None => vec![value],
        };
        for value in values {
            let value = value.trim().trim_matches(['"', '\'']).trim();
            // `|` and `>` begin a text of several lines.
            if is_key(&name)
                && !value.is_empty()
                && !value.starts_with(['|', '>', '{'])
                && self.facts.fields.len() < MAX_TAGS
            {
                self.facts.fields.push((name.clone(), value.to_owned()));
            }
        }
    }

    /// The tags of a line: a sign at the beginning of a word, letters behind it, no number and no colour.
    fn tags(&mut self, line: &str) {
        // Every second part between these signs is code.
        for part in line.split('`').step_by(2) {
            for word in part
                .split([' ', '\t', ',', '|'])
                .filter_map(|word| word.trim_start_matches('(').strip_prefix('#'))
            {
                let end = word
                    .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '/')))
                    .unwrap_or(word.len());
                let (tag, rest) = word.split_at(end);
                // `#!/bin/sh` and `#define(` are code.
                let is_whole = rest.chars().all(|c| matches!(c, '.' | '!' | '?' | ':' | ';' | ')'));
                if is_whole && is_tag(tag) && self.facts.fields.len() < MAX_TAGS {
                    let field = ("tag".to_owned(), tag.trim_matches(['/', '-']).to_owned());
                    if !self.facts.fields.contains(&field) {
                        self.facts.fields.push(field);
                    }
                }
            }
        }
    }

    /// What the text says.
    pub fn finish(self) -> TextFacts {
        TextFacts { language: self.sample.and_then(|sample| sample.language()), ..self.facts }
    }
}

/// True for the words of a tag: `#12` is a number, `#1f2e3d` and `#fff` are colours.
fn is_tag(word: &str) -> bool {
    let is_colour = matches!(word.len(), 3 | 4 | 6 | 8)
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && (word.bytes().any(|byte| byte.is_ascii_digit())
            || word.bytes().all(|byte| byte == word.as_bytes()[0]));
    word.chars().any(char::is_alphabetic) && !is_colour
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(format: &str, text: &str) -> TextFacts {
        let mut finder = FactFinder::new(format, TextKind::Markup);
        finder.read(text);
        finder.finish()
    }

    #[track_caller]
    fn check(format: &str, text: &str, expected: &[(&str, &str)]) {
        let found = facts(format, text).fields;
        let found: Vec<(&str, &str)> =
            found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn front_matter_states_fields() {
        check(
            "markdown",
            "---\ntitle: \"Tide: notes\"\nauthors:\n  - Ann\n  - 'Ben'\ntags: [oil, lamp]\ndate: 2024-05-31\nlayout: post\nextra:\n  title: no\n---\n# Tide\ntitle: no\n",
            &[
                ("title", "Tide: notes"),
                ("authors", "Ann"),
                ("authors", "Ben"),
                ("tags", "oil"),
                ("tags", "lamp"),
                ("date", "2024-05-31"),
            ],
        );
        check("markdown", "+++\ntitle = 'Tide'\n+++\n", &[("title", "Tide")]);
        check("markdown", "Words\n---\ntitle: no\n---\n", &[]);
        check(
            "org",
            "#+TITLE: Tide\n#+filetags: :oil:lamp:\n* Head\n",
            &[("title", "Tide"), ("filetags", "oil"), ("filetags", "lamp")],
        );
        check(
            "rst",
            "Tide\n====\n\n:Author: Ann\n:Date: 2024\n:Version: 2\n",
            &[("author", "Ann"), ("date", "2024")],
        );
        check("text", "---\ntitle: Tide\n---\n", &[]);
    }

    #[test]
    fn tags_of_notes_stand_in_their_lines() {
        check(
            "markdown",
            "A #lamp, (#oil/rape). And #2024 #y2024 #fff #a1b2c3 #lamp\n",
            &[("tag", "lamp"), ("tag", "oil/rape"), ("tag", "y2024")],
        );
        check(
            "markdown",
            "# Head\n[a](#part) [a b](#c 'd') x#y `#code` [b](u#z)\n```\n#include\n```\n#!/bin/sh\n",
            &[],
        );
    }

    #[test]
    fn the_language_is_that_of_the_prose() {
        let german = "---\ntitle: A long title in English words for the lamp\n---\n\nDie Lampe brennt in der Nacht, und der Wärter misst jeden Montag das Öl.\n";
        assert_eq!(facts("markdown", german).language.as_deref(), Some("de"));
        let mut code = FactFinder::new("rust", TextKind::Code);
        code.read("// The lamp burns at night, and the keeper measures the oil every Monday.\n");
        assert!(code.finish().is_empty());
    }
}
