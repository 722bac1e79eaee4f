//! The exact end: pieces with their places, the whole counted, corrected until it fits.

use super::blocks::{breaks, trimmed, word_breaks};
use super::packer::{Packer, Passage};
use super::piece::{Pack, PackPiece};
use super::render;
use super::widen::widen;
use crate::store::StoreError;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Corrections after which passages are removed until the rest fits.
const MAX_CORRECTIONS: usize = 12;
/// Tokens by which a cut is larger than needed, since parts are counted by themselves.
const CUT_MARGIN: usize = 2;

/// Pieces by document and span, so that each place is looked up once.
type PlacedPieces = FxHashMap<(usize, usize, usize), PackPiece>;

/// Fills `pack` with the passages: as many tokens as the budget has, and not one more.
pub(super) fn finish(packer: &mut Packer<'_>, pack: &mut Pack) -> Result<(), StoreError> {
    let mut placed = PlacedPieces::default();
    let mut best: Option<Pack> = None;
    for _ in 0..MAX_CORRECTIONS {
        write(packer, &mut placed, pack)?;
        packer.used = pack.tokens;
        if pack.tokens > pack.budget {
            cut_worst(packer, pack.tokens - pack.budget + CUT_MARGIN)?;
            continue;
        }
        if best.as_ref().is_none_or(|best| best.tokens < pack.tokens) {
            best = Some(pack.clone());
        }
        if !widen(packer)? {
            break;
        }
    }
    if let Some(best) = best {
        *pack = best;
        return Ok(());
    }
    while pack.tokens > pack.budget && remove_worst(packer) {
        write(packer, &mut placed, pack)?;
    }
    Ok(())
}

/// Writes the output of the passages as they are.
fn write(packer: &mut Packer<'_>, placed: &mut PlacedPieces, pack: &mut Pack) -> Result<(), StoreError> {
    pack.pieces.clear();
    let mut documents: Vec<usize> = (0..packer.documents.len()).collect();
    let rank =
        |document: &usize| packer.documents[*document].passages.iter().map(|passage| passage.rank).min();
    documents.retain(|document| rank(document).is_some());
    documents.sort_by_key(rank);
    for document in documents {
        for at in 0..packer.documents[document].passages.len() {
            let span = packer.documents[document].passages[at].span.clone();
            let Some(mut piece) = place(packer, placed, document, span)? else { continue };
            piece.number = pack.pieces.len() + 1;
            pack.pieces.push(piece);
        }
    }
    render::render(pack, packer.options.format, &mut packer.counter);
    Ok(())
}

fn place(
    packer: &mut Packer<'_>,
    placed: &mut PlacedPieces,
    document: usize,
    span: Range<usize>,
) -> Result<Option<PackPiece>, StoreError> {
    let key = (document, span.start, span.end);
    if let Some(piece) = placed.get(&key) {
        return Ok(Some(piece.clone()));
    }
    let Some((text, mut place)) = packer.documents[document].text.place(span)? else { return Ok(None) };
    place.citation = packer.short(&place)?;
    let mut piece = PackPiece::new(text, place, packer.options.hides_paths);
    piece.tokens = packer.counter.count(&piece.text);
    placed.insert(key, piece.clone());
    Ok(Some(piece))
}

/// Takes tokens from the passage with the worst rank: from the side where it reaches farther beyond what was found.
fn cut_worst(packer: &mut Packer<'_>, tokens: usize) -> Result<(), StoreError> {
    let Some((document, at)) = packer.ranks().last().and_then(|rank| packer.find(*rank)) else {
        return Ok(());
    };
    let passage = packer.documents[document].passages[at].clone();
    let text = packer.reader.words(&packer.documents[document].text, passage.span.clone())?;
    let room = packer.cost(&text).saturating_sub(tokens);
    match shortened(packer, &passage, &text, room) {
        Some(span) => packer.documents[document].passages[at].span = span,
        None => drop(packer.documents[document].passages.remove(at)),
    }
    Ok(())
}

/// The longest part of a passage, cut on one side, that has at most so many tokens.
fn shortened(packer: &mut Packer<'_>, passage: &Passage, text: &str, room: usize) -> Option<Range<usize>> {
    let surplus_before = passage.core.start.saturating_sub(passage.span.start);
    let surplus_after = passage.span.end.saturating_sub(passage.core.end);
    for cuts in [breaks(text), word_breaks(text)] {
        let cut = match surplus_before > surplus_after {
            true => cuts[cuts.partition_point(|cut| packer.cost(&text[*cut..]) > room)..]
                .first()
                .map(|cut| *cut..text.len()),
            false => cuts[..cuts.partition_point(|cut| packer.cost(&text[..*cut]) <= room)]
                .last()
                .map(|cut| 0..*cut),
        };
        // A cut at sentences may take much more than is needed.
        let part = cut.map(|part| trimmed(text, part)).filter(|part| part.len() * 2 > text.len());
        if let Some(part) = part {
            return Some(passage.span.start + part.start..passage.span.start + part.end);
        }
    }
    None
}

fn remove_worst(packer: &mut Packer<'_>) -> bool {
    let Some((document, at)) = packer.ranks().last().and_then(|rank| packer.find(*rank)) else {
        return false;
    };
    packer.documents[document].passages.remove(at);
    true
}

#[cfg(test)]
mod tests {
    use super::super::options::PackOptions;
    use super::super::packer::PackedDocument;
    use super::*;
    use crate::store::Store;
    use crate::store::testing::{only_uid, store, text_in_segments};
    use pensieve_text::text::tokens::Tokenizer;

    #[test]
    fn a_passage_is_cut_where_it_reaches_farther_beyond_what_was_found() {
        let store = store();
        let check = |text: &str, core: Range<usize>, part: &str, spare: isize, expected: Option<&str>| {
            let options = PackOptions::default();
            let counter = Tokenizer::named("cl100k_base").unwrap().counter();
            let mut packer = Packer::new(&store, &options, counter, 0);
            let room = packer.cost(part).saturating_add_signed(spare);
            let passage = Passage { span: 100..100 + text.len(), core, rank: 0, frame: 9 };
            let cut = shortened(&mut packer, &passage, text, room);
            let words = cut.map(|cut| &text[cut.start - 100..cut.end - 100]);
            assert_eq!(words, expected, "{part} {spare}");
        };
        let text = "One two. Three four. Five six.";
        // As much on both sides: the end is cut.
        check(text, 109..121, "One two. Three four. ", 0, Some("One two. Three four."));
        check(text, 110..121, "Three four. Five six.", 0, Some("Three four. Five six."));
        check(text, 110..121, "Three four. Five six.", -1, None);
        check(text, 109..122, "Three four. Five six.", 0, Some("Three four. Five six."));
        check(text, 109..120, "One two. Three four. ", 0, Some("One two. Three four."));
        // Half of the text is not enough.
        check(text, 100..104, "One two. Three", -3, None);
        check(text, 100..104, "One", 0, None);
        let text = "One. Two three four five six";
        check(text, 100..104, "One. Two three four ", 0, Some("One. Two three four"));
        check(text, 100..104, "One. Two three four ", -1, None);
    }

    fn packed(store: &Store, passages: Vec<Passage>) -> PackedDocument<'_> {
        let text = store.documents().clean_text(&only_uid(store)).unwrap().unwrap();
        PackedDocument { text, passages }
    }

    fn passage(span: Range<usize>, core: Range<usize>, rank: usize) -> Passage {
        Passage { span, core, rank, frame: 9 }
    }

    #[test]
    fn the_worst_passage_is_cut_or_removed() {
        let store = text_in_segments(&["One two. Three four. Five six."]);
        let options = PackOptions::default();
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut packer = Packer::new(&store, &options, counter, 0);
        let passages = vec![passage(0..30, 0..8, 1), passage(0..30, 0..8, 0)];
        packer.documents.push(packed(&store, passages));
        let spans = |packer: &Packer<'_>| {
            let passages = packer.documents[0].passages.iter();
            passages.map(|passage| passage.span.clone()).collect::<Vec<_>>()
        };
        let surplus = packer.cost("One two. Three four. Five six.") - packer.cost("One two. Three four. ");
        cut_worst(&mut packer, surplus).unwrap();
        assert_eq!(spans(&packer), [0..20, 0..30]);
        cut_worst(&mut packer, 100).unwrap();
        assert_eq!(spans(&packer), [0..30; 1]);
        cut_worst(&mut packer, 100).unwrap();
        cut_worst(&mut packer, 100).unwrap();
        assert!(spans(&packer).is_empty());
    }

    #[test]
    fn passages_are_removed_from_the_worst_rank_on() {
        let store = text_in_segments(&["One two. Three four. Five six."]);
        let options = PackOptions::default();
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut packer = Packer::new(&store, &options, counter, 0);
        for ranks in [[3, 0], [1, 2]] {
            let passages = ranks.map(|rank| passage(rank..rank + 1, rank..rank + 1, rank));
            packer.documents.push(packed(&store, passages.to_vec()));
        }
        let mut left = Vec::new();
        while remove_worst(&mut packer) {
            left.push(packer.ranks());
        }
        assert_eq!(left, [vec![0, 1, 2], vec![0, 1], vec![0], vec![]]);
    }
}
