//! Which entries of the contents point to which place of the spine, and where entries go that point nowhere.
//!
//! A path that does not exist is resolved to its likely meaning ([`super::path::PathIndex`]). An entry without a
//! place (a title of a part, a missing page or fragment) is searched for among the headings between its neighbours;
//! if it is not found, it goes before the next entry that has a place.

use super::chapter::ChapterPage;
use super::contents::TocEntry;
use super::headings::{AnchorConfidence, TocLabel, key, placed, titles};
use super::path::resolve;
use crate::limits::epub::MAX_UNPLACED_ENTRIES;
use pensieve_text::model::Segment;
use std::collections::{HashMap, HashSet};

/// The place in its part that an entry of the contents points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TocTarget {
    Start,
    Fragment(String),
    End,
}

/// An entry without a place: its heading may be in the parts from `from` up to the one where it goes otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnplacedEntry {
    pub(super) seq: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The entries that point to each place of the spine.
#[derive(Debug, Default)]
pub(super) struct TocTargets {
    pub(super) by_place: HashMap<usize, Vec<(usize, TocTarget)>>,
    pub(super) unplaced: Vec<UnplacedEntry>,
    /// Unplaced entries whose heading was found.
    pub(super) found: HashSet<usize>,
    /// Entries whose page exists but whose fragment does not.
    pub(super) dead: Vec<usize>,
    /// Entries whose path had to be guessed.
    pub(super) guessed: Vec<usize>,
    /// The paths of the parts that entries point into, and their places there.
    pub(super) targets: HashMap<String, HashSet<String>>,
}

impl TocTargets {
    /// Groups the entries by their places. An entry without a place goes before the next one that has a place.
    pub(super) fn group(&mut self, contents: &[TocEntry], last: usize) {
        let mut next = (last, TocTarget::End);
        for (number, entry) in contents.iter().enumerate().rev() {
            if let Some(at) = entry.spine {
                let fragment = entry.target.as_ref().and_then(|target| target.fragment.clone());
                next = (at, fragment.map_or(TocTarget::Start, TocTarget::Fragment));
            }
            self.by_place.entry(next.0).or_default().push((number, next.1.clone()));
        }
        self.by_place.values_mut().for_each(|entries| entries.reverse());
        let mut from = 0;
        for (seq, entry) in contents.iter().enumerate() {
            match entry.spine {
                Some(at) => from = at,
                None if self.unplaced.len() < MAX_UNPLACED_ENTRIES => {
                    self.unplaced.push(UnplacedEntry { seq, from, to: last })
                }
                None => {}
            }
        }
        let mut entries = contents.iter().enumerate().rev().peekable();
        let mut next = last;
        for unplaced in self.unplaced.iter_mut().rev() {
            while let Some((_, entry)) = entries.next_if(|(seq, _)| *seq >= unplaced.seq) {
                next = entry.spine.unwrap_or(next);
            }
            unplaced.to = next;
        }
    }

    /// The labels of the contents that point into a place of the spine, and unplaced ones that its headings contain.
    pub(super) fn labels<'c>(
        &mut self,
        contents: &'c [TocEntry],
        at: usize,
        page: Option<&ChapterPage>,
    ) -> Vec<TocLabel<'c>> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (name, place) in page.map(|page| page.anchors.as_slice()).unwrap_or_default() {
            places.entry(name).or_insert(*place);
        }
        let mut labels: Vec<(TocLabel<'c>, Option<usize>)> = Vec::new();
        let label = |seq: usize, entry: &'c TocEntry, confidence| TocLabel {
            seq,
            level: entry.level,
            words: &entry.label,
            at: 0,
            confidence,
        };
        for (seq, target) in self.by_place.get(&at).into_iter().flatten() {
            let Some(entry) = contents.get(*seq).filter(|_| !self.found.contains(seq)) else { continue };
            let is_own = entry.spine.is_some();
            let (place, confidence) = match target {
                TocTarget::Start => (Some(0), AnchorConfidence::Start),
                TocTarget::End => (Some(usize::MAX), AnchorConfidence::Loose),
                TocTarget::Fragment(name) => match places.get(name.as_str()) {
                    Some(place) => (Some(*place), AnchorConfidence::Place),
                    None => {
                        if is_own && page.is_some_and(|page| page.has_names) {
                            self.dead.push(*seq);
                        }
                        (None, AnchorConfidence::Loose)
                    }
                },
            };
            let confidence = if is_own { confidence } else { AnchorConfidence::Loose };
            labels.push((label(*seq, entry, confidence), place));
        }
        let text = page.map_or("", |page| page.text.text.as_str());
        let unplaced = self.unplaced_at(contents, at, text).into_iter();
        labels
            .extend(unplaced.map(|seq| (label(seq, &contents[seq], AnchorConfidence::UnplacedEntry), None)));
        labels.sort_by_key(|(label, _)| label.seq);
        placed(labels)
    }

    /// The entries without a place whose words are a heading of this part.
    fn unplaced_at(&self, contents: &[TocEntry], at: usize, text: &str) -> Vec<usize> {
        let is_here =
            |entry: &&UnplacedEntry| (entry.from..entry.to).contains(&at) && !self.found.contains(&entry.seq);
        let mut unplaced = self.unplaced.iter().filter(is_here).peekable();
        if unplaced.peek().is_none() {
            return Vec::new();
        }
        let titles = titles(text);
        let is_title = |unplaced: &&UnplacedEntry| {
            contents.get(unplaced.seq).is_some_and(|entry| titles.contains(&key(&entry.label)))
        };
        unplaced.filter(is_title).map(|entry| entry.seq).collect()
    }

    /// True if an entry points into the part that an address in the part `base` means.
    pub(super) fn has_entry_into(&self, base: &str, href: &str) -> bool {
        resolve(base, href).is_some_and(|target| self.targets.contains_key(&target.path))
    }

    /// True if an entry points to a place of a part.
    pub(super) fn has_entry_to(&self, path: &str, name: &str) -> bool {
        self.targets.get(path).is_some_and(|names| names.contains(name))
    }

    /// Records which unplaced entries a part had.
    pub(super) fn settle(&mut self, text: &Segment) {
        if !self.unplaced.is_empty() {
            self.found.extend(text.sections.iter().map(|section| section.seq));
        }
    }
}
