//! From a clean book to its candidates: sections, units, windows.

use crate::blocks::{Block, BlockKind, blocks};
use crate::book::Book;
use crate::keywords::KeywordMatcher;
use crate::manifest::{Manifest, PassageRules, Work};
use crate::score::PassageScorer;
use crate::sections::{Section, SectionKind, sections};
use crate::units::{UnitOptions, units};
use crate::windows::{PassageWindow, PassageWindowOptions, windows};

/// A book, prepared for the search for passages.
#[derive(Debug)]
pub struct PreparedBook {
    /// Index of the work in the manifest.
    pub work: usize,
    /// The number of the text that was used.
    pub id: u32,
    /// The clean text.
    pub book: Book,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// Its keywords.
    pub lexicon: KeywordMatcher,
    /// Words of its author's voice.
    pub voice: KeywordMatcher,
}

/// A window of a book with its section.
#[derive(Debug, Clone)]
pub struct WindowFindings {
    /// The window.
    pub window: PassageWindow,
    /// Index of its section among the sections of the book.
    pub section: usize,
    /// Its keywords by name, in alphabetical order.
    pub keywords: Vec<String>,
    /// The sets that they belong to, by index.
    pub sets: Vec<usize>,
}

/// The keyword sets of a manifest by name, in the order that results use.
pub fn set_names(manifest: &Manifest) -> Vec<String> {
    manifest.keywords.keys().cloned().collect()
}

impl PreparedBook {
    /// Prepares a book.
    pub fn new(manifest: &Manifest, work: usize, id: u32, mut book: Book) -> PreparedBook {
        let entry = &manifest.works[work];
        let blocks = blocks(book.text());
        let mut sections = sections(book.text(), &blocks, &entry.title);
        for section in &mut sections {
            if section.kind == SectionKind::Text && entry.skip_sections.contains(&section.name) {
                section.kind = SectionKind::Front;
            }
        }
        if manifest.rules.unwrap {
            unwrap_lines(&mut book, &blocks);
        }
        let (lexicon, voice) = (lexicon(manifest, entry), voice(manifest, entry));
        PreparedBook { work, id, book, blocks, sections, lexicon, voice }
    }

    /// The sections with text, which passages come from.
    pub fn text_sections(&self) -> impl Iterator<Item = (usize, &Section)> {
        self.sections.iter().enumerate().filter(|(_, section)| section.kind == SectionKind::Text)
    }

    /// The best windows of each section that reach a score.
    pub fn windows(&self, rules: &PassageRules, threshold: f64) -> Vec<WindowFindings> {
        let (text, judge) = (self.book.text(), PassageScorer { range: rules.words });
        let pieces =
            UnitOptions { max_group_words: rules.words.1 * 4 / 5, max_paragraph_words: rules.words.1 };
        let options = PassageWindowOptions {
            lexicon: &self.lexicon,
            voice: &self.voice,
            judge: &judge,
            bounds: rules.bounds,
            threshold,
        };
        let mut found = Vec::new();
        for (section, entry) in self.text_sections() {
            let units = units(text, &self.blocks, entry, &pieces);
            found.extend(
                windows(text, &units, &options).into_iter().map(|window| self.named(window, section)),
            );
        }
        found
    }

    fn named(&self, window: PassageWindow, section: usize) -> WindowFindings {
        let mut keywords: Vec<String> =
            window.keywords.iter().map(|keyword| self.lexicon.name(*keyword)).collect();
        keywords.sort();
        let mut sets: Vec<usize> = window.keywords.iter().map(|keyword| self.lexicon.set(*keyword)).collect();
        sets.sort_unstable();
        sets.dedup();
        WindowFindings { window, section, keywords, sets }
    }
}

/// Joins the lines of running text: each line end inside a paragraph becomes a space, so every span and the map stay.
fn unwrap_lines(book: &mut Book, blocks: &[Block]) {
    let is_running =
        |block: &&Block| matches!(block.kind, BlockKind::Prose | BlockKind::Dialogue | BlockKind::Speech);
    for line in
        blocks.iter().filter(is_running).flat_map(|block| &block.lines[..block.lines.len().saturating_sub(1)])
    {
        let text = &mut book.segment.text;
        if let Some(end) = text[line.end..].find('\n').map(|by| line.end + by) {
            text.replace_range(end..=end, " ");
        }
    }
}

/// Every keyword set with the words and exceptions that it has for the author only, and those of the work.
fn lexicon(manifest: &Manifest, work: &Work) -> KeywordMatcher {
    let whole = |set: &crate::manifest::KeywordSet| -> Vec<String> {
        let own = set.authors.get(&work.author_id).into_iter().flatten();
        set.words.iter().chain(own).cloned().collect()
    };
    let sets: Vec<Vec<String>> = manifest.keywords.values().map(whole).collect();
    let mut lexicon = KeywordMatcher::new(sets.iter().map(Vec::as_slice));
    lexicon.except(None, &work.except);
    for (at, set) in manifest.keywords.values().enumerate() {
        lexicon.except(
            Some(at),
            set.except.iter().chain(set.author_except.get(&work.author_id).into_iter().flatten()),
        );
        set.senses.iter().for_each(|(word, sense)| lexicon.limit(at, word, sense));
    }
    lexicon
}

fn voice(manifest: &Manifest, work: &Work) -> KeywordMatcher {
    KeywordMatcher::new(manifest.voices.get(&work.author_id).map(Vec::as_slice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::parse;
    use std::path::Path;

    const MANIFEST: &str = r#"
[collection]
name = "piers"

[keywords.mood]
words = ["jest"]
authors = { other = ["merry"], another = ["glad"] }

[keywords.weather]
words = ["rain", "snow"]
except = ["rain coat"]
author_except = { other = ["snow white"], another = ["rain storm"] }
senses = { snow = { not_after = ["no"] } }

[voices]
other = ["reeds"]

[rules]
words = [20, 50]
bounds = [10, 80]
min_score = 0.1
steps = []

[[works]]
author = "Ann Other"
author_id = "other"
title = "The Pier"
slug = "pier"
gutenberg_id = 9
publication_year = 1899
skip_sections = ["CHAPTER II"]
except = ["merry go"]
"#;

    fn read(text: &str, unwrap: bool) -> PreparedBook {
        let mut manifest = parse(MANIFEST, Path::new("m.toml")).unwrap();
        manifest.rules.unwrap = unwrap;
        PreparedBook::new(&manifest, 0, 9, Book::of(text.as_bytes(), &manifest.rules))
    }

    #[test]
    fn a_work_has_the_words_and_exceptions_of_its_author() {
        let read = read("Words.", false);
        let matches = |text: &str| {
            let found = read.lexicon.matches(text, pensieve_text::model::Span::new(0, text.len()));
            found
                .iter()
                .map(|found| (read.lexicon.name(found.keyword), read.lexicon.set(found.keyword)))
                .collect::<Vec<_>>()
        };
        let named = |names: &[(&str, usize)]| {
            names.iter().map(|(name, set)| ((*name).to_owned(), *set)).collect::<Vec<_>>()
        };
        assert_eq!(matches("jest merry glad rain"), named(&[("jest", 0), ("merry", 0), ("rain", 1)]));
        assert_eq!(matches("rain coat, snow white, rain storm, merry go"), named(&[("rain", 1)]));
        assert_eq!(matches("no snow, snow"), named(&[("snow", 1)]));
        assert_eq!((read.voice.len(), read.voice.name(0).as_str()), (1, "reeds"));
    }

    #[test]
    fn sections_that_the_manifest_skips_have_no_text() {
        let night =
            "The rain fell on the pier all night, and the keeper walked up and down with his lamp until day.";
        let read =
            read(&format!("CHAPTER I\n\n{night}\n\nCHAPTER II\n\n{night}\n\nCHAPTER III\n\n{night}"), false);
        let names: Vec<(usize, &str)> =
            read.text_sections().map(|(at, section)| (at, section.name.as_str())).collect();
        assert_eq!(names, [(0, "CHAPTER I"), (2, "CHAPTER III")]);
        let manifest = parse(MANIFEST, Path::new("m.toml")).unwrap();
        let found = read.windows(&manifest.rules, 0.1);
        assert_eq!(found.iter().map(|found| found.section).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((&found[0].keywords, &found[0].sets), (&vec!["rain".to_owned()], &vec![1]));
        assert_eq!(set_names(&manifest), ["mood", "weather"]);
    }

    #[test]
    fn lines_of_paragraphs_are_joined_where_that_is_wanted() {
        let text = "“It rained on the pier,” said she, “and on everybody who was there at that time,\nand then on the heron.”\n\n\
                    It rained on the pier, and on everybody who was there at that time, all day,\nand then on the heron.\n\n    \
                    The heron stood,\n    The heron stared.\n";
        assert_eq!(read(text, false).book.text(), text);
        let joined = text.replace("time,\nand", "time, and").replace("day,\nand", "day, and");
        assert_eq!(read(text, true).book.text(), joined);
    }
}
