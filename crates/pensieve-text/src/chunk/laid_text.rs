//! Chunks of laid out pages as they are emitted, each AUX sentence in its tags, and the proofs that every such chunk passes:
//! it is of one role, one section and one kind, and wrapped as that role asks.
//!
//! Nothing here cuts: it looks at a stretch of text and at the places that the reader wrote down in it.

use super::TextChunk;
use crate::layout::{ChunkContents, LayoutAudit, LayoutViolation, isolation, wrapping};
use crate::model::{LayoutRole, Locator, Segment, Span};

/// A stretch of laid out text as it is emitted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmittedText {
    /// Role, section and kind of each of its sentences.
    pub contents: ChunkContents,
    /// Its text; no text of the document looks like a tag.
    pub text: String,
}

impl EmittedText {
    /// A stretch of a segment.
    pub fn of(segment: &Segment, span: Span) -> EmittedText {
        let mut emitted = EmittedText::default();
        let mut at = span.start;
        let mut sentence: Option<u64> = None;
        let first = segment.places.0.partition_point(|(stretch, _)| stretch.end <= span.start);
        for (stretch, place) in &segment.places.0[first..] {
            if stretch.start >= span.end {
                break;
            }
            let Locator::Layout(place) = place else { continue };
            let inside = Span::new(stretch.start.max(span.start), stretch.end.min(span.end));
            if let Some(role) = place.role {
                emitted.contents.push((role, place.section.unwrap_or_default(), place.kind));
            }
            let is_aux = place.role == Some(LayoutRole::Aux);
            if is_aux && sentence == Some(place.sentence) {
                // The second part of a sentence goes into the tags of the first.
                emitted.text.truncate(emitted.text.len() - CLOSING.len());
            }
            emitted.text.push_str(&segment.text[at..inside.start]);
            if is_aux && sentence != Some(place.sentence) {
                emitted.text.push_str("<aux>");
            }
            let words = segment.text[inside.range()].replace("<aux", "&lt;aux").replace("</aux", "&lt;/aux");
            emitted.text.push_str(&words);
            if is_aux {
                emitted.text.push_str(CLOSING);
            }
            at = inside.end;
            sentence = Some(place.sentence);
        }
        emitted.text.push_str(&segment.text[at..span.end]);
        emitted
    }

    /// What the proofs find in it.
    fn audits(&self) -> Vec<LayoutAudit> {
        let mut found = isolation(std::slice::from_ref(&self.contents));
        if found.is_empty() {
            found = wrapping(self.contents.first().map(|(role, ..)| (*role, self.text.as_str())));
        }
        found.into_iter().map(|violation| violation.audit).collect()
    }
}

const CLOSING: &str = "</aux>";

/// What the proofs find in the chunks of a segment that begins at byte `base` of its text.
pub fn layout_violations(segment: &Segment, pieces: &[TextChunk], base: usize) -> Vec<LayoutViolation> {
    let of_piece = |piece: &TextChunk| {
        let at = base + piece.span.start;
        let told = move |audit| {
            let fault = if audit == LayoutAudit::Wrapping { "wrapped wrongly" } else { "mixed" };
            LayoutViolation { audit, detail: format!("the chunk at byte {at} is {fault}") }
        };
        EmittedText::of(segment, piece.span).audits().into_iter().map(told)
    };
    pieces.iter().flat_map(of_piece).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{ChunkOptions, Chunker, StrategyChoice};
    use super::*;
    use crate::layout::laws::{composed, document};
    use crate::layout::{UnitWriter, WindowOptions};
    use crate::model::{AuxKind, ChunkStrategy};
    use crate::text::tokens::Tokenizer;

    /// A laid out document that nobody designed, and its chunks.
    fn cut(seed: u64, window: usize) -> (Segment, Vec<TextChunk>) {
        let mut segment = Segment::default();
        UnitWriter::default().write(&composed(&document(seed)).units, &mut segment);
        let windows = WindowOptions { window, overlap: window / 5, min_overlap: window / 10 };
        let options = ChunkOptions { size: 512, overlap: 50, strategy: StrategyChoice::Auto, windows };
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut chunker = Chunker::new(&options, ChunkStrategy::Layout, counter);
        chunker.start_document("pdf");
        let pieces = chunker.cut(&segment);
        (segment, pieces)
    }

    #[test]
    fn no_chunk_of_any_document_is_mixed() {
        for seed in 1..120 {
            let (segment, pieces) = cut(seed, [40, 120, 500][seed as usize % 3]);
            assert_eq!(layout_violations(&segment, &pieces, 0), [], "document {seed}");
            assert!(!pieces.is_empty());
        }
    }

    #[test]
    fn a_chunk_that_reaches_too_far_is_told() {
        let mut told = 0;
        for seed in 1..40 {
            let (segment, mut pieces) = cut(seed, 500);
            let next = pieces.windows(2).position(|pair| {
                let role = |piece: &TextChunk| EmittedText::of(&segment, piece.span).contents[0];
                role(&pair[0]) != role(&pair[1])
            });
            let Some(at) = next else { continue };
            pieces[at].span.end = pieces[at + 1].span.end;
            let found = layout_violations(&segment, &pieces, 7);
            let expected = format!("aux_isolation: the chunk at byte {} is mixed", 7 + pieces[at].span.start);
            assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
            told += 1;
        }
        assert!(told > 10);
    }

    #[test]
    fn text_of_aux_outside_of_every_sentence_is_told() {
        let aux_of = |(segment, pieces): (Segment, Vec<TextChunk>)| {
            let is_aux =
                |piece: &TextChunk| EmittedText::of(&segment, piece.span).contents[0].0 == LayoutRole::Aux;
            let piece = pieces.into_iter().find(is_aux)?;
            Some((segment, piece))
        };
        let (mut segment, piece) = (1..).map(|seed| cut(seed, 500)).find_map(aux_of).unwrap();
        let at = segment.places.0.partition_point(|(stretch, _)| stretch.end <= piece.span.start);
        segment.places.0[at].0.end -= 1;
        let found = layout_violations(&segment, &[piece], 0);
        assert_eq!(
            found.iter().map(|violation| violation.audit).collect::<Vec<_>>(),
            [LayoutAudit::Wrapping]
        );
    }

    #[test]
    fn parts_of_a_sentence_share_their_tags() {
        let mut segment = Segment { text: "One in two. <aux>".to_owned(), ..Segment::default() };
        for (start, end, sentence) in [(0, 4, 1), (4, 11, 1), (12, 17, 2)] {
            let laid = crate::model::LayoutLocator {
                role: Some(LayoutRole::Aux),
                kind: Some(AuxKind::Callout),
                section: Some(1),
                level: 0,
                sentence,
                spots: vec![(1, [0.0; 4])],
            };
            segment.places.push(Span::new(start, end), Locator::Layout(Box::new(laid)));
        }
        let emitted = EmittedText::of(&segment, Span::new(0, 17));
        assert_eq!(emitted.text, "<aux>One in two.</aux> <aux>&lt;aux></aux>");
        assert!(emitted.audits().is_empty());
    }
}
