//! Widening: what fills a budget when all hits are in.
//!
//! Passages grow by rank: by the paragraphs next to them, then within their section, then through the document; at last,
//! where whole paragraphs no longer fit, by sentences and words.

use super::blocks::{block_after, block_before, breaks, word_breaks};
use super::packer::{AddResult, Packer, Passage};
use crate::store::StoreError;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Bytes by which a passage grows on one side before it is the turn of the next.
const STEP_BYTES: usize = 1_200;
/// A pack is full when less than this part of its budget is left.
const FULL_PART: usize = 50;

/// Grows the passages until the budget is filled or nothing is left to take. True if one has grown.
pub(super) fn widen(packer: &mut Packer<'_>) -> Result<bool, StoreError> {
    let used = packer.used;
    for scope in [WidenScope::Neighbours, WidenScope::Section, WidenScope::Document, WidenScope::Words] {
        let mut ended = FxHashSet::default();
        while grow_all(packer, scope, &mut ended)? && scope != WidenScope::Neighbours {}
    }
    Ok(packer.used > used)
}

/// How far passages grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WidenScope {
    /// One paragraph on each side.
    Neighbours,
    /// To the ends of the section.
    Section,
    /// To the ends of the document.
    Document,
    /// The same, by single words.
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    After,
    Before,
}

/// One step of each passage on both sides; false if none could.
fn grow_all(
    packer: &mut Packer<'_>,
    scope: WidenScope,
    ended: &mut FxHashSet<(usize, Side)>,
) -> Result<bool, StoreError> {
    let mut has_grown = false;
    for rank in packer.ranks() {
        for side in [Side::After, Side::Before] {
            if packer.left() <= packer.options.budget / FULL_PART {
                return Ok(false);
            }
            if ended.contains(&(rank, side)) {
                continue;
            }
            let step = grow(packer, scope, rank, side)?;
            has_grown |= step != Step::None;
            if step != Step::Whole {
                ended.insert((rank, side));
            }
        }
    }
    Ok(has_grown)
}

/// What one side of a passage took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A whole block.
    Whole,
    /// What still fitted.
    Part,
    /// Nothing: the text ends, repeats what is in the pack, or does not fit.
    None,
}

fn grow(packer: &mut Packer<'_>, scope: WidenScope, rank: usize, side: Side) -> Result<Step, StoreError> {
    let Some((document, at)) = packer.find(rank) else { return Ok(Step::None) };
    let passage = packer.documents[document].passages[at].clone();
    let bounds = bounds(packer, scope, document, &passage)?;
    let text = &packer.documents[document].text;
    let (end, start) = (passage.span.end, passage.span.start);
    let window = match side {
        Side::After => end..(end + 2 * STEP_BYTES).min(bounds.end),
        Side::Before => start.saturating_sub(2 * STEP_BYTES).max(bounds.start)..start,
    };
    if window.is_empty() {
        return Ok(Step::None);
    }
    let window = packer.reader.window(text, window)?;
    let block = match side {
        Side::After => block_after(&window.text, 0, STEP_BYTES),
        Side::Before => block_before(&window.text, window.text.len(), STEP_BYTES),
    };
    if block.is_empty() {
        return Ok(Step::None);
    }
    // The blank space between passage and block belongs to both.
    let words = match side {
        Side::After => &window.text[..block.end],
        Side::Before => &window.text[block.start..],
    };
    let step = |length: usize| match side {
        Side::After => Passage { span: end..end + length, ..passage.clone() },
        Side::Before => Passage { span: start - length..start, ..passage.clone() },
    };
    match packer.add(document, step(words.len()))? {
        AddResult::Added => return Ok(Step::Whole),
        AddResult::TooLarge => {}
        AddResult::Known | AddResult::TooMany => return Ok(Step::None),
    }
    let length = fitting(packer, words, side, scope == WidenScope::Words);
    let is_added = length > 0 && packer.add(document, step(length))? == AddResult::Added;
    Ok(if is_added { Step::Part } else { Step::None })
}

fn bounds(
    packer: &Packer<'_>,
    scope: WidenScope,
    document: usize,
    passage: &Passage,
) -> Result<Range<usize>, StoreError> {
    let text = &packer.documents[document].text;
    if scope != WidenScope::Section {
        return Ok(0..text.bytes);
    }
    let sections = text.sections()?;
    let around = sections
        .into_iter()
        .map(|section| section.start..section.end)
        .filter(|section| section.start <= passage.core.start && passage.core.end <= section.end);
    Ok(around.min_by_key(Range::len).unwrap_or_else(|| passage.span.clone()))
}

/// The bytes of a text, next to the passage, that fit: whole sentences, or whole words.
fn fitting(packer: &mut Packer<'_>, text: &str, side: Side, by_words: bool) -> usize {
    let cuts = if by_words { word_breaks(text) } else { breaks(text) };
    let part = |cut: usize| match side {
        Side::After => text[..cut].trim_end(),
        Side::Before => text[cut..].trim_start(),
    };
    let room = packer.left();
    let fits: usize = match side {
        Side::After => cuts.partition_point(|cut| packer.cost(part(*cut)) <= room).saturating_sub(1),
        Side::Before => cuts.partition_point(|cut| packer.cost(part(*cut)) > room),
    };
    let part = cuts.get(fits).map_or("", |cut| part(*cut));
    if packer.cost(part) <= room { part.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::options::PackOptions;
    use super::super::packer::PackedDocument;
    use super::*;
    use crate::store::testing::{add_sections, only_uid, store, text_in_segments};
    use pensieve_text::text::tokens::Tokenizer;

    #[test]
    fn the_longest_part_that_fits_is_next_to_the_passage() {
        let store = store();
        let text = "One two. Three four. Five six.";
        let check = |words: &str, spare: isize, side: Side, by_words: bool, expected: &str| {
            let counter = Tokenizer::named("cl100k_base").unwrap().counter();
            let cost = Tokenizer::named("cl100k_base").unwrap().counter().count(words);
            let budget = 7 + cost.saturating_add_signed(spare);
            let options = PackOptions { budget, ..PackOptions::default() };
            let mut packer = Packer::new(&store, &options, counter, 7);
            let length = fitting(&mut packer, text, side, by_words);
            assert_eq!(length, expected.len(), "{words} {spare} {side:?} {by_words}");
        };
        check("One two.", 0, Side::After, false, "One two.");
        check("One two.", -1, Side::After, false, "");
        check("One two. Three four.", 0, Side::After, false, "One two. Three four.");
        check("One two. Three four.", -1, Side::After, false, "One two.");
        check("Five six.", 0, Side::Before, false, "Five six.");
        check("Five six.", -1, Side::Before, false, "");
        check("Three four. Five six.", 0, Side::Before, false, "Three four. Five six.");
        check("Three four. Five six.", -1, Side::Before, false, "Five six.");
        check("One two. Three", 0, Side::After, true, "One two. Three");
        check("One two. Three", -1, Side::After, true, "One two.");
        check("four. Five six.", 0, Side::Before, true, "four. Five six.");
        check("four. Five six.", -1, Side::Before, true, "Five six.");
    }

    #[test]
    fn passages_grow_within_the_smallest_section_around_what_was_found() {
        let store = text_in_segments(&[&"x".repeat(100)]);
        add_sections(&store, &[("A", 0, 90), ("B", 20, 60)]);
        let options = PackOptions::default();
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut packer = Packer::new(&store, &options, counter, 0);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        packer.documents.push(PackedDocument { text, passages: Vec::new() });
        let check = |core: Range<usize>, expected: Range<usize>| {
            let passage = Passage { span: 30..40, core: core.clone(), rank: 0, frame: 9 };
            let found = bounds(&packer, WidenScope::Section, 0, &passage).unwrap();
            assert_eq!(found, expected, "{core:?}");
            for scope in [WidenScope::Neighbours, WidenScope::Document, WidenScope::Words] {
                assert_eq!(bounds(&packer, scope, 0, &passage).unwrap(), 0..100);
            }
        };
        check(20..60, 20..60);
        check(19..60, 0..90);
        check(20..61, 0..90);
        check(0..90, 0..90);
        check(1..91, 30..40);
    }
}
