//! Which entries of the contents lead to which place of the spine, and what is told of those that lead nowhere.
//!
//! A path that is not there as it is written is found by what it can mean ([`Known`]). An entry without a place - a title
//! of a part, a page or a fragment that is not there - is looked for among the headings between its neighbours; what
//! is not found stands before the next entry that leads somewhere.

use super::chapter::Page;
use super::contents::{self, Entry};
use super::headings::{Label, Rebuilder, Standing, key, placed, titles};
use super::package::Item;
use super::path::{Known, resolve};
use super::{Book, CONTENTS, container};
use pensieve_text::model::{Document, ReviewReason, ReviewReasonKind, Segment};
use std::collections::{HashMap, HashSet};

/// Entries without a place that are looked for in the pages before the next that has one.
const MOST_STRAYS: usize = 1000;

/// Contents of which only so small a part leads anywhere are made anew.
const ALIVE: usize = 10;

/// Where in its part an entry of the contents leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lead {
    Start,
    Fragment(String),
    End,
}

/// An entry without a place: its heading may stand in the parts before the one where it is put at last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stray {
    seq: usize,
    from: usize,
    to: usize,
}

/// The entries that lead to each place of the spine.
#[derive(Debug, Default)]
pub(super) struct Leads {
    pub(super) by_place: HashMap<usize, Vec<(usize, Lead)>>,
    strays: Vec<Stray>,
    /// Strays whose heading was found.
    found: HashSet<usize>,
    /// Entries whose page is there and whose fragment is not.
    pub(super) dead: Vec<usize>,
    /// Entries whose path had to be guessed.
    guessed: Vec<usize>,
    /// The paths of the parts that entries lead into, and their places there.
    targets: HashMap<String, HashSet<String>>,
}

impl Leads {
    /// Groups the entries by their places. What leads nowhere stands before the next entry that leads somewhere.
    fn group(&mut self, contents: &[Entry], last: usize) {
        let mut next = (last, Lead::End);
        for (number, entry) in contents.iter().enumerate().rev() {
            if let Some(at) = entry.spine {
                let fragment = entry.target.as_ref().and_then(|target| target.fragment.clone());
                next = (at, fragment.map_or(Lead::Start, Lead::Fragment));
            }
            self.by_place.entry(next.0).or_default().push((number, next.1.clone()));
        }
        self.by_place.values_mut().for_each(|entries| entries.reverse());
        let mut from = 0;
        for (seq, entry) in contents.iter().enumerate() {
            match entry.spine {
                Some(at) => from = at,
                None if self.strays.len() < MOST_STRAYS => self.strays.push(Stray { seq, from, to: last }),
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
        contents: &'c [Entry],
        at: usize,
        page: Option<&Page>,
    ) -> Vec<Label<'c>> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (name, place) in page.map(|page| page.anchors.as_slice()).unwrap_or_default() {
            places.entry(name).or_insert(*place);
        }
        let mut labels: Vec<(Label<'c>, Option<usize>)> = Vec::new();
        let label = |seq: usize, entry: &'c Entry, standing| Label {
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
                Lead::Start => (Some(0), Standing::Start),
                Lead::End => (Some(usize::MAX), Standing::Loose),
                Lead::Fragment(name) => match places.get(name.as_str()) {
                    Some(place) => (Some(*place), Standing::Place),
                    None => {
                        if is_own && page.is_some_and(|page| page.has_names) {
                            self.dead.push(*seq);
                        }
                        (None, Standing::Loose)
                    }
                },
            };
            labels.push((label(*seq, entry, if is_own { standing } else { Standing::Loose }), place));
        }
        let text = page.map_or("", |page| page.text.text.as_str());
        let strays = self.strays_at(contents, at, text).into_iter();
        labels.extend(strays.map(|seq| (label(seq, &contents[seq], Standing::Stray), None)));
        labels.sort_by_key(|(label, _)| label.seq);
        placed(labels)
    }

    /// The entries without a place whose words a heading of this part is.
    fn strays_at(&self, contents: &[Entry], at: usize, text: &str) -> Vec<usize> {
        let is_here =
            |stray: &&Stray| (stray.from..stray.to).contains(&at) && !self.found.contains(&stray.seq);
        let mut strays = self.strays.iter().filter(is_here).peekable();
        if strays.peek().is_none() {
            return Vec::new();
        }
        let titles = titles(text);
        let is_title =
            |stray: &&Stray| contents.get(stray.seq).is_some_and(|entry| titles.contains(&key(&entry.label)));
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

impl Book<'_> {
    /// Reads the contents and finds where they lead. Contents that lead nowhere, or nearly so, are made anew.
    pub(super) fn open_contents(&mut self) {
        self.contents = self.read_contents();
        self.find_places();
        let alive = self.contents.iter().filter(|entry| entry.spine.is_some()).count();
        let lost = self.contents.iter().filter(|entry| entry.is_link && entry.spine.is_none()).count();
        if alive == 0 || (lost >= ALIVE && lost >= alive * (ALIVE - 1)) {
            self.review_reasons.extend(lost_reason(&self.contents).filter(|_| alive > 0));
            self.contents.clear();
            self.rebuilder = Some(Rebuilder::default());
            return;
        }
        for entry in &self.contents {
            let Some(part) = entry.spine.and_then(|at| self.package.spine.get(at)) else { continue };
            let names = self.leads.targets.entry(part.item.path.clone()).or_default();
            names.extend(entry.target.as_ref().and_then(|target| target.fragment.clone()));
        }
        let last = self.package.spine.len().saturating_sub(1);
        self.leads.group(&self.contents, last);
    }

    /// The contents: those of EPUB 3, or where it has none those of EPUB 2.
    fn read_contents(&mut self) -> Vec<Entry> {
        let nav = self.package.nav.clone();
        let mut entries = self.contents_in(nav, contents::of_nav);
        self.has_nav = !entries.is_empty();
        if entries.is_empty() {
            let ncx = self.package.ncx.clone();
            entries = self.contents_in(ncx, contents::of_ncx);
        }
        entries
    }

    pub(super) fn contents_in(
        &mut self,
        item: Option<Item>,
        read: fn(&str, &str) -> Vec<Entry>,
    ) -> Vec<Entry> {
        let Some(item) = item else { return Vec::new() };
        let name = self.find(&item.path);
        let xml = name.and_then(|name| container::read_xml(&mut self.archive, &name));
        xml.map(|xml| read(&item.path, &xml)).unwrap_or_default()
    }

    /// Finds the place of the spine that each entry leads to.
    fn find_places(&mut self) {
        let spine = &self.package.spine;
        let mut places = HashMap::new();
        for (at, part) in spine.iter().enumerate() {
            places.entry(part.item.path.as_str()).or_insert(at);
        }
        for (at, part) in spine.iter().enumerate() {
            places.entry(part.listed.as_str()).or_insert(at);
        }
        let known = Known::new(places.iter().map(|(path, at)| (*at, *path)));
        for (number, entry) in self.contents.iter_mut().enumerate() {
            let Some(target) = &entry.target else { continue };
            entry.spine = places.get(target.path.as_str()).copied();
            if entry.spine.is_some() {
                continue;
            }
            // A page that is there and not in the spine means itself.
            let is_other = |at: &usize| spine[*at].item.path.to_lowercase() != target.path.to_lowercase();
            let is_there = self.archive.has(&target.path);
            entry.spine = known.find(&target.path).filter(|at| !(is_there && is_other(at)));
            self.leads.guessed.extend(entry.spine.map(|_| number));
        }
    }

    /// Tells where the contents come from, and what is wrong with them.
    pub(super) fn tell_contents(&self, document: &mut Document) {
        let href = |seq: &usize| self.contents.get(*seq).map_or("", |entry| entry.href.as_str());
        let guessed: Vec<&str> = self.leads.guessed.iter().map(href).collect();
        let dead: Vec<&str> = self.leads.dead.iter().map(href).collect();
        let told = [
            lost_reason(&self.contents),
            reason(&guessed, ["names its file by another path", "name their files by other paths"]),
            reason(
                &dead,
                ["leads to a place that is not in its file", "lead to places that are not in their files"],
            ),
        ];
        document.review_reasons.extend(told.into_iter().flatten());
        let source = match &self.rebuilder {
            None if self.has_nav => "nav",
            None => "ncx",
            Some(Rebuilder { found: 0, .. }) => "none",
            Some(_) => "headings",
        };
        if source == "headings" {
            let message = "no contents that lead anywhere: they are made of the headings";
            document.review_reasons.push(ReviewReason::new(ReviewReasonKind::RepairedStructure, message));
        }
        document.metadata.push((CONTENTS.to_owned(), source.to_owned()));
    }
}

/// What is told of links that lead to no part: to pages that are not there, out of the book, or nowhere.
fn lost_reason(contents: &[Entry]) -> Option<ReviewReason> {
    let lost = contents.iter().filter(|entry| entry.is_link && entry.spine.is_none());
    let named = |entry: &'_ Entry| {
        if entry.href.trim().is_empty() { entry.label.clone() } else { entry.href.clone() }
    };
    let lost: Vec<String> = lost.map(named).collect();
    let lost: Vec<&str> = lost.iter().map(String::as_str).collect();
    reason(&lost, ["leads to no part", "lead to no part"])
}

fn reason(entries: &[&str], [one, several]: [&str; 2]) -> Option<ReviewReason> {
    let message = match entries {
        [] => return None,
        [only] => format!("1 entry of the contents {one}: `{only}`"),
        [first, ..] => format!("{} entries of the contents {several}, the first is `{first}`", entries.len()),
    };
    Some(ReviewReason::new(ReviewReasonKind::RepairedStructure, message))
}
