//! The notes of a book: which links refer to which places, and their numbers in the order in which the text refers to
//! them.
//!
//! They are found in a pass over the pages before these become text: most notes are on another page than their
//! reference. A type decides ([`LinkKind::Typed`], notes by their own type); without one there must be evidence: a
//! sign that is superscript or in brackets and also begins the target, a link back, a section of notes around the
//! target. Sources, formulas, headings, theorems and terms are not notes.

use super::contents::TocEntry;
use super::path::{PathTarget, resolve};
use crate::limits::epub::{MAX_NOTE_LINKS, MAX_NOTES};
use crate::web::html::{LinkFacts, LinkKind, NoteExtent, PageAnnotations, PageFacts, PlaceFacts, RaisedSign};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A note by the number of its page and its first node.
type NoteKey = (usize, usize);

/// The facts of the pages of a book.
#[derive(Debug, Default)]
pub(super) struct NoteSurvey {
    pages: Vec<(String, PageFacts)>,
    numbers: HashMap<String, usize>,
}

/// The result: the marks of each page.
#[derive(Debug, Default)]
pub(super) struct BookNotes {
    pages: HashMap<String, PageAnnotations>,
    /// The marks of a page without marks.
    none: PageAnnotations,
}

/// The target of a link.
enum NoteTarget<'s> {
    /// Out of the book.
    Out,
    /// To a place that does not exist.
    Nowhere,
    /// To a place that is not a note.
    Text,
    /// To a place that may be a note.
    Place(usize, &'s PlaceFacts),
}

impl BookNotes {
    /// The marks of a page.
    pub(super) fn of(&self, path: &str) -> &PageAnnotations {
        self.pages.get(path).unwrap_or(&self.none)
    }
}

impl NoteSurvey {
    pub(super) fn add(&mut self, path: &str, page: &str) {
        if !self.numbers.contains_key(path) {
            self.numbers.insert(path.to_owned(), self.pages.len());
            self.pages.push((path.to_owned(), PageFacts::of_chapter(page)));
        }
    }

    /// Decides which links are references. Printed pages begin at the targets of `pages`.
    pub(super) fn finish(&self, pages: &[TocEntry]) -> BookNotes {
        let mut found = FoundNotes::default();
        for page in 0..self.pages.len() {
            for link in &self.pages[page].1.links {
                if found.numbers.len() < MAX_NOTES {
                    self.take(page, link, &mut found);
                }
            }
            self.take_raised(page, &mut found);
        }
        for (page, (_, facts)) in self.pages.iter().enumerate() {
            facts.typed.iter().for_each(|place| found.note(page, place));
        }
        let mut notes = self.marks(found);
        for (entry, target) in pages.iter().filter_map(|entry| Some((entry, entry.target.as_ref()?))) {
            let name = target.fragment.as_deref().unwrap_or_default();
            let place = self.numbers.get(&target.path).and_then(|&at| self.pages[at].1.named.get(name));
            if let (Some(place), Some(marks)) = (place, notes.pages.get_mut(&target.path)) {
                marks.pages.entry(place.node).or_insert_with(|| entry.label.clone());
            }
        }
        notes
    }

    fn take<'s>(&'s self, page: usize, link: &'s LinkFacts, found: &mut FoundNotes<'s>) {
        match self.target_of(page, link) {
            NoteTarget::Place(at, place) if self.is_reference(page, link, at, place) => {
                found.note(at, place);
                let key = (at, place.range.0);
                found.references.insert((page, link.node), Some(key));
                let from = found.referring.entry(key).or_default();
                from.blocks.insert((page, link.block));
                from.signs.insert(&link.sign);
            }
            NoteTarget::Nowhere if link.looks_like_reference() => {
                found.references.insert((page, link.node), None);
            }
            NoteTarget::Text | NoteTarget::Place(..)
                if link.kind == LinkKind::Typed && !link.sign.is_empty() =>
            {
                found.references.insert((page, link.node), None);
            }
            _ => {}
        }
    }

    /// Pairs raised signs without links with the notes below them, which are in the same order.
    fn take_raised<'s>(&'s self, page: usize, found: &mut FoundNotes<'s>) {
        let facts = &self.pages[page].1;
        let mut by_sign: HashMap<&str, Vec<&RaisedSign>> = HashMap::new();
        for raised in &facts.raised {
            by_sign.entry(&raised.sign).or_default().push(raised);
        }
        let mut last = 0;
        for place in &facts.signed {
            let key = (page, place.range.0);
            if found.numbers.contains_key(&key) || found.numbers.len() >= MAX_NOTES {
                continue;
            }
            let Some(signs) = by_sign.get(place.sign.as_str()) else { continue };
            let next = signs.get(signs.partition_point(|raised| raised.node <= last));
            let Some(raised) = next.filter(|raised| raised.node < place.range.0) else { continue };
            last = raised.node;
            found.note(page, place);
            found.references.insert((page, raised.node), Some(key));
            let from = found.referring.entry(key).or_default();
            from.blocks.insert((page, raised.block));
            from.signs.insert(&raised.sign);
        }
    }

    fn target(&self, page: usize, link: &LinkFacts) -> Option<PathTarget> {
        resolve(&self.pages[page].0, &link.href)
    }

    fn target_of(&self, page: usize, link: &LinkFacts) -> NoteTarget<'_> {
        let Some(target) = self.target(page, link) else { return NoteTarget::Out };
        let Some(&at) = self.numbers.get(&target.path) else { return NoteTarget::Nowhere };
        let Some(name) = target.fragment else { return NoteTarget::Text };
        let facts = &self.pages[at].1;
        match (facts.places.get(&name), facts.named.contains_key(&name)) {
            (Some(place), _) => NoteTarget::Place(at, place),
            (None, true) => NoteTarget::Text,
            (None, false) => NoteTarget::Nowhere,
        }
    }

    /// Weighs the evidence for a reference.
    fn is_reference(&self, page: usize, link: &LinkFacts, at: usize, place: &PlaceFacts) -> bool {
        let range = place.outer.unwrap_or(place.range);
        let is_own = page == at && (range.0..range.1).contains(&link.node);
        if is_own || matches!(link.kind, LinkKind::Other | LinkKind::Back) {
            return false;
        }
        if link.kind == LinkKind::Typed {
            return place.is_typed || !place.is_source;
        }
        let is_named = link.kind == LinkKind::Named;
        if link.sign.is_empty() || link.is_leading && !(place.is_noted && (link.is_raised || is_named)) {
            return false;
        }
        if place.is_typed || is_named {
            return !place.is_source;
        }
        let is_same = link.sign == place.sign;
        let leads_back = self.leads_back(page, link, at, range);
        if place.has_formula || (place.is_source && !(link.is_raised && leads_back)) {
            return false;
        }
        if link.is_raised {
            return is_same || leads_back || link.is_attached;
        }
        let is_set_apart = link.bracket.is_some() || link.is_star();
        let is_supported = place.is_noted && (is_same || leads_back || link.is_attached);
        let is_square = is_same && link.is_attached && link.bracket != Some('(');
        match (link.is_cited, link.is_letter()) {
            (true, _) => place.is_noted && leads_back,
            (_, true) => leads_back && (is_same || place.is_noted),
            (false, false) => is_supported || (is_same && leads_back) || (is_set_apart && is_square),
        }
    }

    /// True if a link in the note points into the block of the reference.
    fn leads_back(&self, page: usize, link: &LinkFacts, at: usize, range: (usize, usize)) -> bool {
        let mut links = self.links_in(at, range).take(MAX_NOTE_LINKS);
        links.any(|back| self.place_of(at, back) == Some((page, link.block)))
    }

    fn links_in(&self, page: usize, range: (usize, usize)) -> impl Iterator<Item = &LinkFacts> {
        let links = &self.pages[page].1.links;
        let first = links.partition_point(|link| link.node < range.0);
        links[first..].iter().take_while(move |link| link.node < range.1)
    }

    /// The page and the block that a link points to.
    fn place_of(&self, page: usize, link: &LinkFacts) -> Option<(usize, usize)> {
        let target = self.target(page, link)?;
        let at = *self.numbers.get(&target.path)?;
        Some((at, self.pages[at].1.named.get(&target.fragment?)?.block))
    }

    fn marks(&self, found: FoundNotes<'_>) -> BookNotes {
        let mut pages: Vec<PageAnnotations> = self.pages.iter().map(|_| PageAnnotations::default()).collect();
        let mut numbers: Vec<(&NoteKey, &usize)> = found.numbers.iter().collect();
        numbers.sort_by_key(|(_, number)| **number);
        for (&key, &number) in numbers {
            let place = found.places[&key];
            let (start, end) = found.range(key, place);
            let range = (start, end);
            pages[key.0].notes.insert(start, NoteExtent { number, end });
            let referring = found.referring.get(&key);
            if referring.is_some_and(|from| from.signs.contains(place.sign.as_str())) {
                pages[key.0].cuts.extend(place.label.iter().copied());
            }
            for link in self.links_in(key.0, range) {
                let is_reference = found.references.contains_key(&(key.0, link.node));
                if !is_reference && self.is_back_link(key.0, link, referring) {
                    pages[key.0].references.insert(link.node, None);
                }
            }
        }
        for ((page, node), key) in &found.references {
            let number = key.and_then(|key| found.numbers.get(&key).copied());
            pages[*page].references.insert(*node, number);
        }
        let names = self.pages.iter().map(|(path, _)| path.clone());
        BookNotes { pages: names.zip(pages).collect(), none: PageAnnotations::default() }
    }

    /// True for a link in a note that is only a link back.
    fn is_back_link(&self, page: usize, link: &LinkFacts, referring: Option<&NoteReferences<'_>>) -> bool {
        let says_so = !link.sign.is_empty() || link.leads_back;
        match self.place_of(page, link) {
            _ if link.kind == LinkKind::Back => true,
            Some(place) if referring.is_some_and(|from| from.blocks.contains(&place)) => says_so,
            Some(_) => link.is_leading && !link.sign.is_empty(),
            None => says_so && self.target(page, link).is_some(),
        }
    }
}

/// The findings of the pass over the pages.
#[derive(Default)]
struct FoundNotes<'s> {
    numbers: BTreeMap<NoteKey, usize>,
    places: HashMap<NoteKey, &'s PlaceFacts>,
    /// Each reference, and the note that it points to.
    references: HashMap<(usize, usize), Option<NoteKey>>,
    /// The references to each note.
    referring: HashMap<NoteKey, NoteReferences<'s>>,
}

/// The references to one note.
#[derive(Default)]
struct NoteReferences<'s> {
    /// The blocks that contain them, each by its page and its node.
    blocks: HashSet<(usize, usize)>,
    /// Their signs.
    signs: HashSet<&'s str>,
}

impl<'s> FoundNotes<'s> {
    fn note(&mut self, page: usize, place: &'s PlaceFacts) {
        let key = (page, place.range.0);
        let number = self.numbers.len() + 1;
        self.numbers.entry(key).or_insert(number);
        self.places.entry(key).or_insert(place);
    }

    /// The range of a note, with the elements around it and after it that contain no other note.
    fn range(&self, key: NoteKey, place: &PlaceFacts) -> (usize, usize) {
        let contains_other = |start: usize, end: usize, own: usize| {
            self.numbers.range((key.0, start)..(key.0, end)).any(|((_, other), _)| *other != own)
        };
        let (start, mut end) = match place.outer {
            Some((start, end)) if !contains_other(start, end, key.1) => (start, end),
            _ => place.range,
        };
        let free = place.following.iter().take_while(|block| !contains_other(block.0, block.1, key.1));
        let free: Vec<_> = free.collect();
        // White space may be between two blocks, and a note may be in a part of its own.
        let is_followed = |last: &&(usize, usize, bool)| {
            self.numbers.range((key.0, last.1)..(key.0, last.1 + 4)).next().is_some()
        };
        let is_between = place.is_noted && free.last().is_some_and(is_followed);
        for block in free.iter().take_while(|block| is_between || (place.is_noted && block.2)) {
            end = block.1;
        }
        (start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results for the links of pages, in order: the number of a note, `-` for a link that is left out, `.` for
    /// one that stays.
    fn check(pages: &[(&str, &str)], expected: &str) {
        let mut survey = NoteSurvey::default();
        pages.iter().for_each(|(path, page)| survey.add(path, page));
        let notes = survey.finish(&[]);
        let mut decisions = String::new();
        for (path, facts) in &survey.pages {
            for link in &facts.links {
                decisions += &match notes.of(path).references.get(&link.node) {
                    Some(Some(number)) => number.to_string(),
                    Some(None) => "-".to_owned(),
                    None => ".".to_owned(),
                };
            }
        }
        assert_eq!(decisions, expected, "of {pages:?}");
    }

    #[test]
    fn notes_are_numbered_by_their_references_and_backlinks_go() {
        check(
            &[
                (
                    "a.xhtml",
                    "<p>x<a id='r2' href='n.xhtml#n2'><sup>1</sup></a> <a epub:type='noteref' href='#own'>see</a></p>\
                    <p><a href='b.xhtml#s'>2</a> x<sup><a id='r1' href='n.xhtml#n1'>*</a></sup></p><p id='own'>y</p>",
                ),
                (
                    "n.xhtml",
                    "<p><a id='n1'/><sup><a href='a.xhtml#r1'>*</a></sup> one</p>\
                    <ul><li id='n2'>two <a href='a.xhtml#r2'>[1]</a></li></ul>",
                ),
            ],
            "12.3--",
        );
    }

    /// The numbers of the raised signs of a page, in order, and how many notes it has.
    fn check_raised(page: &str, expected: &str) {
        let mut survey = NoteSurvey::default();
        survey.add("a", page);
        let notes = survey.finish(&[]);
        let marks = notes.of("a");
        let number = |raised: &RaisedSign| marks.references.get(&raised.node).copied().flatten();
        let found: String = survey.pages[0]
            .1
            .raised
            .iter()
            .map(|raised| number(raised).map_or_else(|| ".".to_owned(), |number| number.to_string()))
            .collect();
        assert_eq!(
            (found.as_str(), marks.notes.len()),
            (expected, expected.replace('.', "").len()),
            "{page}"
        );
    }

    #[test]
    fn raised_signs_without_links_have_their_notes_below() {
        check_raised(
            "<p>A word.<sup>1</sup> More<sup>2</sup>.</p><p><sup>1</sup> One.</p><p><sup>2</sup>Two.</p>",
            "12",
        );
        check_raised("<p>A word<sup>1</sup></p><h2>Notes</h2><p>1. One.</p>", "1");
        check_raised(
            "<p>A word<sup>*</sup> x</p><div><sup>*</sup> Note</div><p>words<sup>*</sup></p><p><sup>*</sup> c</p>",
            "12",
        );
        // Exponents, signs without notes, verses, notes before their signs.
        check_raised("<p>10<sup>2</sup> x<sup>2</sup> word<sup>2</sup></p><p>1. One</p>", ".");
        check_raised("<p>km<sup>2</sup> and a word.<sup>1</sup></p><p><sup>1</sup> One</p>", ".1");
        check_raised(
            "<p>earth.<sup>2</sup> And <sup>3</sup> x.</p><p><sup>2</sup> Two. <sup>3</sup> Three.</p>",
            ".",
        );
        check_raised("<p><sup>1</sup> One</p><p>A word<sup>1</sup></p>", ".");
    }

    #[test]
    fn what_is_cited_or_set_apart_is_no_note() {
        let page = |words: &str, place: &str| format!("<p>{words}</p>{place}");
        for (words, place) in [
            ("By <a href='#n'>(1)</a>", "<p id='n'><math alttext='x'></math> (1)</p>"),
            ("case <a href='#n'>(a)</a>", "<p id='n'>(a) First case.</p>"),
            ("Theorem <a href='#n'>(5)</a>", "<p id='n'><b>(5)</b> Statement.</p>"),
            ("in <a href='#n'>[2]</a>", "<h2>References</h2><p id='n'>[2] Dijkstra.</p>"),
            ("in<a href='#n'>[2]</a>", "<h2>References</h2><p id='n'>[2] Dijkstra.</p>"),
            (
                "in <a role='doc-biblioref' href='#n'>[2]</a>",
                "<p id='n' role='doc-biblioentry'>[2] Dijkstra.</p>",
            ),
            ("verse <a href='#n'><sup>3</sup></a>", "<p id='n'>Verse three.</p>"),
            ("See <a href='#n'>2</a>", "<h2 id='n'>2 Section</h2>"),
            ("<a href='#n'>(1)</a> Explains.", "<pre>code <a id='n'/>(1)</pre>"),
            ("The <a href='#n'>*</a>term", "<h2>Glossary</h2><p id='n'>* Term means this.</p>"),
            ("apple, <a href='#n'>12</a>", "<p id='n'>12 men.</p>"),
        ] {
            check(&[("a", &page(words, place))], ".");
        }
    }

    #[test]
    fn evidence_makes_a_note() {
        for (page, expected) in [
            ("<p>x<a id='r' href='#n'>[1]</a></p><p id='n'><a href='#r'>[1]</a> Note</p>", "1-"),
            ("<p>x<a id='r' href='#n'>*</a></p><p><a id='n' href='#r'>*</a> Note</p>", "1-"),
            ("<p>x<a href='#n'>[1]</a></p><p id='n'>[1] Note</p>", "1"),
            ("<p>x<sup><a href='#n'>1</a></sup></p><h2>Notes</h2><ol><li id='n'>Note</li></ol>", "1"),
            ("<p>x <a id='r' href='#n'>1</a></p><h2>Notes</h2><p id='n'>1. Note</p>", "1"),
            ("<p>x<a epub:type='noteref' href='#gone'>1</a></p>", "-"),
            ("<p>x<a epub:type='noteref' href='http://x/'>1</a></p>", ""),
            (
                "<dl class='footnote'><dt id='n'><a class='fn-backref' href='#r'>1</a></dt><dd>x</dd></dl><p>x <a class='footnote-reference' id='r' href='#n'>1</a></p>",
                "-1",
            ),
            (
                "<p>x<a epub:type='noteref' href='#n'>1</a></p><aside id='n' epub:type='footnote'>A<a epub:type='noteref' href='#m'>a</a></aside><aside id='m' epub:type='footnote'>B</aside>",
                "12",
            ),
        ] {
            check(&[("a", page)], expected);
        }
    }

    /// A page with a reference and a note that leads back, as the first and the second link.
    fn survey_of_a_note() -> NoteSurvey {
        let mut survey = NoteSurvey::default();
        survey.add("a", "<p id='r'>x <a href='#n'>1</a></p><p id='n'>Note <a href='#r'>2</a></p>");
        survey
    }

    /// True if there is a reference. Letters say what its link and its place are: raised, attached, cited, leading,
    /// in a bracket; typed, noted, source, with a formula.
    fn is_reference(kind: LinkKind, link: (&str, &str), place: (&str, &str), leads_back: bool) -> bool {
        let survey = survey_of_a_note();
        let links = &survey.pages[0].1.links;
        let is = |letter: char| link.1.contains(letter);
        let link = LinkFacts {
            kind,
            sign: link.0.to_owned(),
            is_raised: is('r'),
            is_attached: is('a'),
            is_cited: is('c'),
            is_leading: is('l'),
            bracket: link.1.chars().find(|c| "[(".contains(*c)),
            ..links[0].clone()
        };
        let back = links[1].node;
        let has = |letter: char| place.1.contains(letter);
        let place = PlaceFacts {
            range: if leads_back { (back, back + 1) } else { (back + 1, back + 2) },
            sign: place.0.to_owned(),
            is_typed: has('t'),
            is_noted: has('n'),
            is_source: has('s'),
            has_formula: has('f'),
            ..PlaceFacts::default()
        };
        survey.is_reference(0, &link, 0, &place)
    }

    #[test]
    fn plain_links_need_evidence() {
        for (link, place, leads_back, expected) in [
            (("1", ""), ("1", ""), false, false),
            (("1", ""), ("1", ""), true, true),
            (("1", ""), ("2", ""), true, false),
            (("1", ""), ("2", "n"), true, true),
            (("1", ""), ("1", "n"), false, true),
            (("1", "a"), ("2", "n"), false, true),
            (("1", ""), ("2", "n"), false, false),
            // A bracket or a star, without a space before it, and with the same sign.
            (("1", "[a"), ("1", ""), false, true),
            (("1", "["), ("1", ""), false, false),
            (("1", "(a"), ("1", ""), false, false),
            (("1", "[a"), ("2", ""), false, false),
            (("*", "a"), ("*", ""), false, true),
            (("1", "a"), ("1", ""), false, false),
            (("1", "r"), ("1", ""), false, true),
            (("1", "r"), ("2", ""), false, false),
            (("1", "r"), ("2", ""), true, true),
            (("1", "ra"), ("2", ""), false, true),
            (("1", "c"), ("1", "n"), true, true),
            (("1", "c"), ("1", "n"), false, false),
            (("1", "c"), ("1", ""), true, false),
            (("b", ""), ("b", ""), true, true),
            (("b", ""), ("c", ""), true, false),
            (("b", ""), ("c", "n"), true, true),
            (("b", ""), ("b", "n"), false, false),
            (("b", "c"), ("b", ""), true, false),
            (("1", "r"), ("1", "f"), true, false),
            (("1", "r"), ("1", "s"), true, true),
            (("1", "r"), ("1", "s"), false, false),
            (("1", ""), ("1", "s"), true, false),
            (("", ""), ("1", "n"), true, false),
            (("1", "lr"), ("1", "n"), false, true),
            (("1", "l"), ("1", "n"), false, false),
            (("1", "lr"), ("1", ""), false, false),
            (("1", ""), ("2", "t"), false, true),
            (("1", ""), ("2", "ts"), false, false),
        ] {
            let found = is_reference(LinkKind::Plain, link, place, leads_back);
            assert_eq!(found, expected, "{link:?} {place:?} {leads_back}");
        }
    }

    #[test]
    fn types_and_names_of_links_decide() {
        for (kind, link, place, expected) in [
            (LinkKind::Typed, ("", ""), ("1", ""), true),
            (LinkKind::Typed, ("", ""), ("1", "s"), false),
            (LinkKind::Typed, ("", ""), ("1", "ts"), true),
            (LinkKind::Named, ("1", ""), ("2", ""), true),
            (LinkKind::Named, ("1", ""), ("1", "s"), false),
            (LinkKind::Named, ("", ""), ("1", ""), false),
            (LinkKind::Named, ("1", "l"), ("1", ""), false),
            (LinkKind::Named, ("1", "l"), ("1", "n"), true),
            (LinkKind::Other, ("1", "r"), ("1", "n"), false),
            (LinkKind::Back, ("1", "r"), ("1", "n"), false),
        ] {
            assert_eq!(is_reference(kind, link, place, true), expected, "{kind:?} {link:?} {place:?}");
        }
        let survey = survey_of_a_note();
        let link = LinkFacts { kind: LinkKind::Typed, ..survey.pages[0].1.links[0].clone() };
        let inside = |range: (usize, usize)| {
            survey.is_reference(0, &link, 0, &PlaceFacts { range, ..PlaceFacts::default() })
        };
        let node = link.node;
        let ranges = [(node, node + 1), (node + 1, node + 2), (node - 1, node), (node - 1, node + 1)];
        assert_eq!(ranges.map(inside), [false, true, true, false]);
    }

    #[test]
    fn links_back_lead_to_references_or_say_so() {
        let survey = survey_of_a_note();
        let facts = &survey.pages[0].1;
        let block = facts.links[0].block;
        let to_reference = NoteReferences { blocks: HashSet::from([(0, block)]), signs: HashSet::new() };
        for (kind, href, sign, leads_back, is_leading, is_referred, expected) in [
            (LinkKind::Back, "#gone", "", false, false, false, true),
            (LinkKind::Plain, "#r", "1", false, false, true, true),
            (LinkKind::Plain, "#r", "", true, false, true, true),
            (LinkKind::Plain, "#r", "", false, false, true, false),
            (LinkKind::Plain, "#r", "1", true, false, false, false),
            (LinkKind::Plain, "#r", "1", false, true, false, true),
            (LinkKind::Plain, "#r", "", true, true, false, false),
            (LinkKind::Plain, "#gone", "1", false, false, true, true),
            (LinkKind::Plain, "#gone", "", true, false, true, true),
            (LinkKind::Plain, "#gone", "", false, true, true, false),
            (LinkKind::Plain, "http://x/", "1", true, true, true, false),
        ] {
            let link = LinkFacts {
                kind,
                href: href.to_owned(),
                sign: sign.to_owned(),
                leads_back,
                is_leading,
                ..facts.links[1].clone()
            };
            let referring = is_referred.then_some(&to_reference);
            assert_eq!(survey.is_back_link(0, &link, referring), expected, "{link:?} {is_referred}");
        }
    }

    #[test]
    fn notes_go_up_to_other_notes() {
        let range = |others: &[(usize, usize)], outer, is_noted, following: &[(usize, usize, bool)]| {
            let mut found = FoundNotes::default();
            found.numbers.insert((0, 10), 1);
            found.numbers.extend(others.iter().map(|key| (*key, 2)));
            let following = following.to_vec();
            let place = PlaceFacts { range: (10, 15), outer, is_noted, following, ..PlaceFacts::default() };
            found.range((0, 10), &place)
        };
        let outer = Some((8, 20));
        assert_eq!(range(&[], outer, false, &[]), (8, 20));
        assert_eq!(range(&[], None, false, &[]), (10, 15));
        assert_eq!(range(&[(0, 8)], outer, false, &[]), (10, 15));
        assert_eq!(range(&[(0, 19)], outer, false, &[]), (10, 15));
        assert_eq!(range(&[(0, 20), (0, 7), (1, 12)], outer, false, &[]), (8, 20));
        let following = [(15, 18, true), (18, 22, false)];
        assert_eq!(range(&[], None, true, &following), (10, 18));
        assert_eq!(range(&[], None, false, &following), (10, 15));
        // Blocks between two notes belong to the first.
        assert_eq!(range(&[(0, 22)], None, true, &following), (10, 22));
        assert_eq!(range(&[(0, 25)], None, true, &following), (10, 22));
        assert_eq!(range(&[(0, 26)], None, true, &following), (10, 18));
        assert_eq!(range(&[(1, 23)], None, true, &following), (10, 18));
        assert_eq!(range(&[(0, 25)], None, false, &following), (10, 15));
        assert_eq!(range(&[(0, 19)], None, true, &following), (10, 18));
        assert_eq!(range(&[(0, 17)], None, true, &following), (10, 15));
    }
}
