//! The report of a conversion: where the output is, its contents, the metadata of the document, its problems.

use super::member::MemberOutcome;
use pensieve_readers::books::epub::CONTENTS;
use pensieve_text::model::Document;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A section of the output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutputSection {
    /// Level in the contents, from 1.
    pub level: usize,
    /// Its label in the contents.
    pub label: String,
    /// The anchor of its link.
    pub anchor: String,
    /// First byte of its heading in the output.
    pub start_index: usize,
    /// First byte after it and its subsections.
    pub end_index: usize,
    /// The line of its heading, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The item of the spine that it comes from, as named in the package.
    pub spine: Option<String>,
}

/// A document that was converted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConvertOutcome {
    /// The document.
    #[serde(serialize_with = "as_text")]
    pub source: PathBuf,
    /// The Markdown.
    #[serde(serialize_with = "as_text")]
    pub output: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
    /// What the document says about itself.
    pub metadata: BookMetadata,
    /// Where the contents come from: `nav`, `ncx`, `headings` (built from them if there is nothing better) or `none`.
    pub contents_from: Option<String>,
    /// The entries of the contents, in order.
    pub contents: Vec<OutputSection>,
    /// The documents inside it.
    pub inside: Vec<MemberOutcome>,
    /// Problems that did not prevent the conversion.
    pub warnings: Vec<String>,
    /// What the user's converters wrote on stderr; not part of the report.
    #[serde(skip)]
    pub converter_logs: Vec<String>,
}

/// The metadata of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BookMetadata {
    /// Its first title.
    pub title: Option<String>,
    /// Its further titles.
    pub other_titles: Vec<String>,
    /// Its authors.
    pub creators: Vec<String>,
    /// Its languages.
    pub language: Vec<String>,
    /// Its date of publication.
    pub date: Option<String>,
    /// ISBN, UUID, addresses.
    pub identifiers: Vec<String>,
    /// All other metadata, by name.
    pub other: BTreeMap<String, Vec<String>>,
}

impl BookMetadata {
    fn of(rows: Vec<(String, String)>) -> BookMetadata {
        let mut found = BookMetadata::default();
        for (key, value) in rows {
            match key.as_str() {
                CONTENTS => {}
                "title" if found.title.is_none() => found.title = Some(value),
                "title" => found.other_titles.push(value),
                "author" => found.creators.push(value),
                "language" => found.language.push(value),
                "date" if found.date.is_none() => found.date = Some(value),
                "identifier" => found.identifiers.push(value),
                _ => found.other.entry(key).or_default().push(value),
            }
        }
        found
    }
}

/// What is known besides the text.
#[derive(Debug)]
pub(super) struct BookFacts {
    pub metadata: BookMetadata,
    contents_from: Option<String>,
    warnings: Vec<String>,
}

impl BookFacts {
    pub(super) fn new(document: Document, inside: Vec<String>) -> BookFacts {
        let from = document.metadata.iter().find(|(key, _)| key == CONTENTS);
        let contents_from = from.map(|(_, value)| value.clone());
        let mut warnings: Vec<String> =
            document.problems.into_iter().map(|problem| problem.message).collect();
        let reasons = document.review_reasons.into_iter().map(|reason| reason.detail).chain(inside);
        // What is damaged is a problem and a reason to review.
        for warning in reasons {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        BookFacts { metadata: BookMetadata::of(document.metadata), contents_from, warnings }
    }

    /// The metadata as YAML between rules.
    pub(super) fn front_matter(&self) -> String {
        let mut text = "---\n".to_owned();
        let one = |text: &mut String, key: &str, value: Option<&String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "{key}: {}", quoted(value));
            }
        };
        let many = |text: &mut String, key: &str, values: &[String]| {
            if !values.is_empty() {
                let _ = writeln!(text, "{key}:");
                for value in values {
                    let _ = writeln!(text, "  - {}", quoted(value));
                }
            }
        };
        one(&mut text, "title", self.metadata.title.as_ref());
        many(&mut text, "creators", &self.metadata.creators);
        // The same form whatever the number: a program that reads `language` gets a string.
        let (language, others) = self.metadata.language.split_at(self.metadata.language.len().min(1));
        one(&mut text, "language", language.first());
        many(&mut text, "other_languages", others);
        one(&mut text, "date", self.metadata.date.as_ref());
        many(&mut text, "identifiers", &self.metadata.identifiers);
        text + "---\n\n"
    }
}

/// A string in JSON, which is valid YAML.
fn quoted(value: &str) -> String {
    serde_json::to_string(value).expect("a string always serialises")
}

fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// A text ready to be written, with the facts about it.
#[derive(Debug)]
pub(super) struct ComposedMarkdown {
    pub text: String,
    pub facts: BookFacts,
    pub sections: Vec<OutputSection>,
    pub inside: Vec<MemberOutcome>,
}

impl ComposedMarkdown {
    /// The text, and what is reported of it.
    pub(super) fn into_outcome(self, source: &Path, output: &Path) -> (String, ConvertOutcome) {
        let outcome = ConvertOutcome {
            source: source.to_owned(),
            output: output.to_owned(),
            bytes: self.text.len(),
            metadata: self.facts.metadata,
            contents_from: self.facts.contents_from,
            contents: self.sections,
            inside: self.inside,
            warnings: self.facts.warnings,
            converter_logs: Vec::new(),
        };
        (self.text, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_yaml_whatever_the_title() {
        let rows =
            [("title", "A: \"b\"\n"), ("author", "One"), ("author", "Two"), ("language", "en"), ("x", "y")];
        let metadata = rows.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        let facts = BookFacts::new(Document { metadata, ..Document::default() }, Vec::new());
        let expected =
            "---\ntitle: \"A: \\\"b\\\"\\n\"\ncreators:\n  - \"One\"\n  - \"Two\"\nlanguage: \"en\"\n---\n\n";
        assert_eq!(facts.front_matter(), expected);
        assert_eq!(facts.metadata.other["x"], ["y"]);
        let metadata = ["en", "la"].map(|language| ("language".to_owned(), language.to_owned())).to_vec();
        let facts = BookFacts::new(Document { metadata, ..Document::default() }, Vec::new());
        assert_eq!(facts.front_matter(), "---\nlanguage: \"en\"\nother_languages:\n  - \"la\"\n---\n\n");
    }
}
