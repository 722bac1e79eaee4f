//! Which entries of the contents lead to which place of the spine, and what is told of those that lead nowhere.
//!
//! A path that is not there as it is written is found by what it can mean ([`PathIndex`]). An entry without a place - a title
//! of a part, a page or a fragment that is not there - is looked for among the headings between its neighbours; what
//! is not found stands before the next entry that leads somewhere.

use super::chapter::ChapterPage;
use super::contents::TocEntry;
use super::headings::{AnchorConfidence, TocLabel, key, placed, titles};
use super::path::resolve;
use crate::limits::epub::MAX_UNPLACED_ENTRIES;
use pensieve_text::model::Segment;
use std::collections::{HashMap, HashSet};

/// Where in its part an entry of the contents leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TocTarget {
    Start,
    Fragment(String),
    End,
}

/// An entry without a place: its heading may stand in the parts before the one where it is put at last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnplacedEntry {
    pub(super) seq: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The entries that lead to each place of the spine.
#[derive(Debug, Default)]
pub(super) struct TocTargets {
    pub(super) by_place: HashMap<usize, Vec<(usize, TocTarget)>>,
    pub(super) strays: Vec<UnplacedEntry>,
    /// Strays whose heading was found.
    pub(super) found: HashSet<usize>,
    /// Entries whose page is there and whose fragment is not.
    pub(super) dead: Vec<usize>,
    /// Entries whose path had to be guessed.
    pub(super) guessed: Vec<usize>,
    /// The paths of the parts that entries lead into, and their places there.
    pub(super) targets: HashMap<String, HashSet<String>>,
}

impl TocTargets {
    /// Groups the entries by their places. What leads nowhere stands before the next entry that leads somewhere.
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
                None if self.strays.len() < MAX_UNPLACED_ENTRIES => {
                    self.strays.push(UnplacedEntry { seq, from, to: last })
                }
                None => {}
            }
        }
        for stray in &mut self.strays {
            let next = contents[stray.seq..].iter().find_map(|entry| entry.spine);
            stray.to = next.unwrap_or(last);
        }
    }

    /// The labels of the contents that lead into a place of the spine, and those without a place that its headings say.
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
        let label = |seq: usize, entry: &'c TocEntry, standing| TocLabel {
            seq,
            level: entry.level,
            words: &entry.label,
            at: 0,
            standing,
        };
        for (seq, lead) in self.by_place.get(&at).into_iter().flatten() {
            let Some(entry) = contents.get(*seq).filter(|_| !self.found.contains(seq)) else { continue };
            let is_own = entry.spine.is_some();
            let (place, standing) = match lead {
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
            labels.push((label(*seq, entry, if is_own { standing } else { AnchorConfidence::Loose }), place));
        }
        let text = page.map_or("", |page| page.text.text.as_str());
        let strays = self.strays_at(contents, at, text).into_iter();
        labels.extend(strays.map(|seq| (label(seq, &contents[seq], AnchorConfidence::UnplacedEntry), None)));
        labels.sort_by_key(|(label, _)| label.seq);
        placed(labels)
    }

    /// The entries without a place whose words a heading of this part is.
    fn strays_at(&self, contents: &[TocEntry], at: usize, text: &str) -> Vec<usize> {
        let is_here =
            |stray: &&UnplacedEntry| (stray.from..stray.to).contains(&at) && !self.found.contains(&stray.seq);
        let mut strays = self.strays.iter().filter(is_here).peekable();
        if strays.peek().is_none() {
            return Vec::new();
        }
        let titles = titles(text);
        let is_title = |stray: &&UnplacedEntry| {
            contents.get(stray.seq).is_some_and(|entry| titles.contains(&key(&entry.label)))
        };
        strays.filter(is_title).map(|stray| stray.seq).collect()
    }

    /// True where an entry leads into the part that an address in the part `base` leads to.
    pub(super) fn lead_into(&self, base: &str, href: &str) -> bool {
        resolve(base, href).is_some_and(|target| self.targets.contains_key(&target.path))
    }

    /// True where an entry leads to a place of a part.
    pub(super) fn lead_to(&self, path: &str, name: &str) -> bool {
        self.targets.get(path).is_some_and(|names| names.contains(name))
    }

    /// Notes which strays a part had.
    pub(super) fn settle(&mut self, text: &Segment) {
        if !self.strays.is_empty() {
            self.found.extend(text.sections.iter().map(|section| section.seq));
        }
    }
}
