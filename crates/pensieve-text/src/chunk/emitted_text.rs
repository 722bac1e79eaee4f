//! Chunks of pages with layout as they are emitted, with each AUX sentence in tags, and the audits of every such chunk:
//! it has one role, one section and one kind, and is wrapped as its role requires.
//!
//! This module does not cut; it reads a span of text and the places that the reader stored with it.

use super::text_chunk::TextChunk;
use crate::layout::{ChunkContents, ChunkSentence, LayoutAudit, LayoutViolation, isolation, wrapping};
use crate::model::{LayoutRole, Locator, Segment, Span};

/// A span of text with layout as it is emitted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmittedText {
    /// Its sentences.
    pub contents: ChunkContents,
    /// Its text; text of the document that looks like a tag is escaped.
    pub text: String,
}

impl EmittedText {
    /// A span of a segment.
    pub fn of(segment: &Segment, span: Span) -> EmittedText {
        let mut emitted = EmittedText::default();
        let mut at = span.start;
        let mut sentence: Option<u64> = None;
        let first = segment.places.0.partition_point(|(place, _)| place.end <= span.start);
        for (around, place) in &segment.places.0[first..] {
            if around.start >= span.end {
                break;
            }
            let Locator::Layout(place) = place else { continue };
            let inside = Span::new(around.start.max(span.start), around.end.min(span.end));
            if let Some(role) = place.role {
                emitted.contents.push(ChunkSentence {
                    role,
                    section: place.section.unwrap_or_default(),
                    kind: place.kind,
                    is_heading: role == LayoutRole::Main && place.level > 0,
                });
            }
            let is_aux = place.role == Some(LayoutRole::Aux);
            if is_aux && sentence == Some(place.sentence) {
                // A later part of a sentence goes into the tags of the first part.
                emitted.text.truncate(emitted.text.len() - CLOSING.len());
            }
            emitted.text.push_str(&segment.text[at..inside.start]);
            if is_aux && sentence != Some(place.sentence) {
                emitted.text.push_str("<aux>");
            }
            // A document that has such tags in its text must not end those around it.
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

    /// The audits that it fails.
    fn failed_audits(&self) -> Vec<LayoutAudit> {
        let mut found = isolation(std::slice::from_ref(&self.contents));
        if found.is_empty() {
            found = wrapping(self.contents.first().map(|sentence| (sentence.role, self.text.as_str())));
        }
        found.into_iter().map(|violation| violation.audit).collect()
    }
}

const CLOSING: &str = "</aux>";

/// The violations in the chunks of a segment that begins at byte `base` of its document's text.
pub fn layout_violations(segment: &Segment, chunks: &[TextChunk], base: usize) -> Vec<LayoutViolation> {
    let of_chunk = |chunk: &TextChunk| {
        let at = base + chunk.span.start;
        let violation = move |audit| {
            let fault = if audit == LayoutAudit::Wrapping { "wrapped wrongly" } else { "mixed" };
            LayoutViolation { audit, detail: format!("the chunk at byte {at} is {fault}") }
        };
        EmittedText::of(segment, chunk.span).failed_audits().into_iter().map(violation)
    };
    chunks.iter().flat_map(of_chunk).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{ChunkOptions, Chunker, StrategyChoice};
    use super::*;
    use crate::layout::tests::laws::{document, laid_out};
    use crate::layout::{UnitWriter, WindowOptions};
    use crate::model::{AuxKind, ChunkStrategy};
    use crate::text::tokens::Tokenizer;

    /// A random document with layout, and its chunks.
    fn cut(seed: u64, window: usize) -> (Segment, Vec<TextChunk>) {
        let mut segment = Segment::default();
        UnitWriter::default().write(&laid_out(&document(seed)).units, &mut segment);
        let windows = WindowOptions { window, overlap: window / 5, min_overlap: window / 10 };
        let options = ChunkOptions { size: 512, overlap: 50, strategy: StrategyChoice::Auto, windows };
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut chunker = Chunker::new(&options, ChunkStrategy::Layout, counter);
        chunker.start_document(None);
        let chunks = chunker.cut(&segment);
        (segment, chunks)
    }

    #[test]
    fn no_chunk_of_any_document_is_mixed() {
        for seed in 1..120 {
            let (segment, chunks) = cut(seed, [40, 120, 500][seed as usize % 3]);
            assert_eq!(layout_violations(&segment, &chunks, 0), [], "document {seed}");
            assert!(!chunks.is_empty());
        }
    }

    #[test]
    fn a_chunk_that_reaches_too_far_is_reported() {
        let mut reported = 0;
        for seed in 1..40 {
            let (segment, mut chunks) = cut(seed, 500);
            let next = chunks.windows(2).position(|pair| {
                let role = |chunk: &TextChunk| {
                    let contents = EmittedText::of(&segment, chunk.span).contents;
                    (contents[0].role, contents[0].section, contents[0].kind)
                };
                role(&pair[0]) != role(&pair[1])
            });
            let Some(at) = next else { continue };
            chunks[at].span.end = chunks[at + 1].span.end;
            let found = layout_violations(&segment, &chunks, 7);
            let expected = format!("aux_isolation: the chunk at byte {} is mixed", 7 + chunks[at].span.start);
            assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
            reported += 1;
        }
        assert!(reported > 10);
    }

    #[test]
    fn aux_text_outside_of_every_sentence_is_reported() {
        let aux_of = |(segment, chunks): (Segment, Vec<TextChunk>)| {
            let is_aux =
                |chunk: &TextChunk| EmittedText::of(&segment, chunk.span).contents[0].role == LayoutRole::Aux;
            let chunk = chunks.into_iter().find(is_aux)?;
            Some((segment, chunk))
        };
        let (mut segment, chunk) = (1..).map(|seed| cut(seed, 500)).find_map(aux_of).unwrap();
        let at = segment.places.0.partition_point(|(place, _)| place.end <= chunk.span.start);
        segment.places.0[at].0.end -= 1;
        let found = layout_violations(&segment, &[chunk], 0);
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
                ocr: false,
            };
            segment.places.push(Span::new(start, end), Locator::Layout(Box::new(laid)));
        }
        let emitted = EmittedText::of(&segment, Span::new(0, 17));
        assert_eq!(emitted.text, "<aux>One in two.</aux> <aux>&lt;aux></aux>");
        assert!(emitted.failed_audits().is_empty());
    }
}
