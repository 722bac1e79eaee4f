//! From hits to passages: whole paragraphs around a chunk, or what fits of it.

use super::blocks::{block_after, block_before, breaks, trimmed, whole_blocks, word_breaks};
use super::packer::{AddResult, Packer, Passage};
use crate::store::{Hit, StoreError};
use std::ops::Range;

/// A chunk may grow by half of its bytes on each side to end with a paragraph, and by at least this many.
const MIN_REACH_BYTES: usize = 300;
/// A piece has at least so many bytes, about the tokens of its frame and half as many again: a heading, a line or the end
/// of a chunk by itself takes the paragraphs next to it.
const MIN_PIECE_BYTES: usize = 200;
/// The most that such a piece takes at a time.
const MAX_TAKEN_BYTES: usize = 1_200;

/// Adds hits by rank, the first of which has the rank `first`.
pub(super) fn add_hits(packer: &mut Packer<'_>, hits: &[Hit], first: usize) -> Result<(), StoreError> {
    for (at, hit) in hits.iter().enumerate() {
        if !packer.has_room() {
            break;
        }
        add_hit(packer, hit, first + at)?;
    }
    Ok(())
}

fn add_hit(packer: &mut Packer<'_>, hit: &Hit, rank: usize) -> Result<(), StoreError> {
    let Some(place) = hit.sources.first() else { return Ok(()) };
    let Some(document) = packer.document(place)? else { return Ok(()) };
    let core = trimmed(&hit.content, 0..hit.content.len());
    let core = place.at.start + core.start..place.at.start + core.end;
    if core.is_empty() {
        return Ok(());
    }
    let frame = packer.frame_cost(place)?;
    let grown = grown(packer, document, core.clone())?;
    let is_short = core.len() < MIN_PIECE_BYTES && grown != core;
    for span in [Some(grown), (!is_short).then(|| core.clone())].into_iter().flatten() {
        let passage = Passage { span, core: core.clone(), rank, frame };
        if packer.add(document, passage)? != AddResult::TooLarge {
            packer.misses = 0;
            return Ok(());
        }
    }
    packer.misses += 1;
    let Some(part) = best_part(packer, hit, frame) else { return Ok(()) };
    let part = place.at.start + part.start..place.at.start + part.end;
    if packer.add(document, Passage { span: part.clone(), core: part, rank, frame })? == AddResult::Added {
        packer.misses = 0;
    }
    Ok(())
}

/// The span with the rest of the paragraphs that it cuts.
fn grown(packer: &mut Packer<'_>, document: usize, core: Range<usize>) -> Result<Range<usize>, StoreError> {
    let reach = (core.len() / 2).max(MIN_REACH_BYTES);
    let around =
        core.start.saturating_sub(reach.max(MAX_TAKEN_BYTES) + 8)..core.end + reach.max(MAX_TAKEN_BYTES) + 8;
    let window = packer.reader.window(&packer.documents[document].text, around)?;
    let Some(local) = core.start.checked_sub(window.start).map(|start| start..core.end - window.start) else {
        return Ok(core);
    };
    if window.text.get(local.clone()).is_none() {
        return Ok(core);
    }
    let mut span = whole_blocks(&window.text, local, reach);
    while span.len() < MIN_PIECE_BYTES {
        let after = block_after(&window.text, span.end, MAX_TAKEN_BYTES);
        let before = block_before(&window.text, span.start, MAX_TAKEN_BYTES);
        match (after.is_empty(), before.is_empty()) {
            (false, _) => span.end = after.end,
            (true, false) => span.start = before.start,
            (true, true) => break,
        }
    }
    Ok(window.start + span.start..window.start + span.end)
}

/// The sentences in a row that fit and have the most words of the question; the beginning of a sentence if the pack has
/// nothing else and none fits.
fn best_part(packer: &mut Packer<'_>, hit: &Hit, frame: usize) -> Option<Range<usize>> {
    let room = packer.left().checked_sub(frame).filter(|room| *room > 0)?;
    let text = &hit.content;
    let matches = match_starts(hit);
    let parts = parts(text, &breaks(text));
    let found = best_run(packer, text, &parts, &matches, room);
    let is_empty = packer.documents.iter().all(|document| document.passages.is_empty());
    if let Some(found) = found.filter(|found| is_empty || found.len() >= MIN_PIECE_BYTES) {
        return Some(found);
    }
    if !is_empty {
        return None;
    }
    let from = parts.iter().max_by_key(|part| count_in(&matches, part))?.start;
    let words: Vec<usize> = word_breaks(&text[from..]).into_iter().map(|at| from + at).collect();
    let end = words.partition_point(|end| packer.cost(text[from..*end].trim_end()) <= room);
    let part = trimmed(text, from..words[end.checked_sub(1)?]);
    (!part.is_empty()).then_some(part)
}

/// The parts of a text between breaks.
fn parts(text: &str, breaks: &[usize]) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(breaks.iter().copied());
    let ends = breaks.iter().copied().chain([text.len()]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// The parts in a row that fit and have the most matches, the first of equal ones.
fn best_run(
    packer: &mut Packer<'_>,
    text: &str,
    parts: &[Range<usize>],
    matches: &[usize],
    room: usize,
) -> Option<Range<usize>> {
    let costs: Vec<usize> = parts.iter().map(|part| packer.cost(&text[part.clone()])).collect();
    let (mut first, mut cost) = (0, 0);
    let mut best: Option<(usize, Range<usize>)> = None;
    for last in 0..parts.len() {
        cost += costs[last];
        while cost > room && first <= last {
            cost -= costs[first];
            first += 1;
        }
        let run = trimmed(text, parts[first.min(last)].start..parts[last].end);
        if first > last || run.is_empty() {
            continue;
        }
        let found = count_in(matches, &run);
        if best.as_ref().is_none_or(|(most, _)| found > *most) {
            best = Some((found, run));
        }
    }
    best.map(|(_, run)| run)
}

/// The first bytes of the matches in the content, whose ranges are characters.
fn match_starts(hit: &Hit) -> Vec<usize> {
    let mut bytes = hit.content.char_indices().map(|(at, _)| at).enumerate();
    let starts = hit.highlights.iter().map(|(start, _)| *start);
    starts.filter_map(|start| bytes.find(|(at, _)| *at == start).map(|(_, byte)| byte)).collect()
}

fn count_in(matches: &[usize], part: &Range<usize>) -> usize {
    matches.iter().filter(|at| part.contains(at)).count()
}

#[cfg(test)]
mod tests {
    use super::super::options::PackOptions;
    use super::super::packer::PackedDocument;
    use super::*;
    use crate::store::testing::{only_uid, store, text_in_segments};
    use pensieve_text::text::tokens::Tokenizer;

    #[test]
    fn the_run_of_sentences_with_the_most_matches_fits() {
        let text = "Ten of the herons and nine of the geese went home again. The rain came. The wind blew. ";
        let parts = parts(text, &breaks(text));
        assert_eq!(parts, [0..57, 57..72, 72..87]);
        let (store, options) = (store(), PackOptions::default());
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut packer = Packer::new(&store, &options, counter, 0);
        let costs: Vec<usize> = parts.iter().map(|part| packer.cost(&text[part.clone()])).collect();
        let mut check = |matches: &[usize], room: usize, expected: Option<Range<usize>>| {
            assert_eq!(best_run(&mut packer, text, &parts, matches, room), expected, "{matches:?} {room}");
        };
        let all: usize = costs.iter().sum();
        check(&[3, 60, 80], all, Some(0..86));
        check(&[3, 60, 80], all - 1, Some(0..71));
        check(&[60, 80], all - 1, Some(57..86));
        check(&[60, 80], costs[1] + costs[2], Some(57..86));
        check(&[60, 80], costs[1] + costs[2] - 1, Some(57..71));
        check(&[80], costs[2], Some(72..86));
        check(&[], costs[0], Some(0..56));
        check(&[], costs[1], Some(57..71));
        check(&[3], 1, None);
        assert_eq!((count_in(&[56, 57, 71, 72], &(57..72)), count_in(&[], &(0..9))), (2, 0));
    }

    fn hit(content: &str, highlights: &[(usize, usize)]) -> Hit {
        Hit {
            content_hash: String::new(),
            chunk_id: 1,
            score: 1.0,
            snippet: String::new(),
            highlights: highlights.to_vec(),
            content: content.to_owned(),
            tokens: 1,
            source_count: 1,
            sources: Vec::new(),
            also: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn matches_are_characters_and_become_bytes() {
        assert_eq!(match_starts(&hit("ä fog b fog", &[(2, 5), (8, 11)])), [3, 9]);
        assert_eq!(match_starts(&hit("fog", &[(0, 3), (3, 4)])), [0]);
    }

    #[test]
    fn the_beginning_of_a_sentence_is_better_than_an_empty_pack() {
        let store = text_in_segments(&["words"]);
        let counter = || Tokenizer::named("cl100k_base").unwrap().counter();
        let check = |text: &str, room: &str, spare: isize, is_empty: bool, expected: Option<Range<usize>>| {
            let room = counter().count(room).saturating_add_signed(spare);
            let options = PackOptions { budget: 7 + 5 + room, ..PackOptions::default() };
            let mut packer = Packer::new(&store, &options, counter(), 7);
            if !is_empty {
                packer.documents.push(packed(&store, 0..5));
            }
            assert_eq!(best_part(&mut packer, &hit(text, &[]), 5), expected, "{text} {room}");
        };
        let text = "One two three four";
        check(text, text, 0, true, Some(0..18));
        check(text, text, -1, true, Some(0..13));
        check(text, "One two", 0, true, Some(0..7));
        check(text, "One two", -1, true, Some(0..3));
        check(text, "One", -1, true, None);
        check(text, "One two", 0, false, None);
        // A line alone costs its frame and tells little.
        check(text, text, 0, false, None);
    }

    fn packed(store: &crate::store::Store, span: Range<usize>) -> PackedDocument<'_> {
        let text = store.documents().clean_text(&only_uid(store)).unwrap().unwrap();
        let passages = vec![Passage { core: span.clone(), span, rank: 0, frame: 9 }];
        PackedDocument { text, passages }
    }

    #[test]
    fn a_heading_takes_the_paragraph_below_it() {
        let check = |length: usize, below: &str, has_taken: bool| {
            let heading = "H".repeat(length);
            let text = format!("Before it rained.\n\n{heading}\n\n{below}\n\nAfter.\n");
            let store = text_in_segments(&[&text]);
            let options = PackOptions::default();
            let counter = Tokenizer::named("cl100k_base").unwrap().counter();
            let mut packer = Packer::new(&store, &options, counter, 0);
            packer.documents.push(packed(&store, 0..1));
            let found = grown(&mut packer, 0, 19..19 + length).unwrap();
            let expected = if has_taken { format!("{heading}\n\n{below}") } else { heading };
            assert_eq!(text[found], expected, "{length}");
        };
        check(199, "The heron stood.\nIt rained.", true);
        check(200, "The heron stood.\nIt rained.", false);
        check(9, &"x".repeat(1_200), true);
    }

    #[test]
    fn a_chunk_grows_by_half_of_its_bytes_to_whole_paragraphs() {
        let check = |before: usize, core: usize, after: usize, expected: (usize, usize)| {
            let text = format!("{} {}{}", "b".repeat(before - 1), "c".repeat(core), "a".repeat(after));
            let store = text_in_segments(&[&text]);
            let options = PackOptions::default();
            let counter = Tokenizer::named("cl100k_base").unwrap().counter();
            let mut packer = Packer::new(&store, &options, counter, 0);
            packer.documents.push(packed(&store, 0..1));
            let found = grown(&mut packer, 0, before..before + core).unwrap();
            assert_eq!(
                (before - found.start, found.end - before - core),
                expected,
                "{before} {core} {after}"
            );
        };
        check(300, 200, 300, (300, 300));
        check(301, 200, 301, (0, 0));
        check(400, 800, 400, (400, 400));
        check(401, 800, 401, (0, 0));
    }
}
