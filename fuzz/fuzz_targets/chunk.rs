//! The chunk laws on arbitrary text: exact counts under the ceiling, everything covered, nothing blank.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve_text::chunk::{ChunkOptions, Chunker, HeadingSyntax, StrategyChoice};
use pensieve_text::model::{ChunkStrategy, Segment, SpanMap};
use pensieve_text::text::tokens::Tokenizer;

fuzz_target!(|input: (u8, &str)| {
    let (size, text) = input;
    let size = 16 + usize::from(size);
    let options =
        ChunkOptions { size, overlap: size / 5, strategy: StrategyChoice::Auto, windows: Default::default() };
    let Ok(tokenizer) = Tokenizer::named("cl100k_base") else { return };
    let mut counter = tokenizer.counter();
    for &strategy in ChunkStrategy::ALL {
        let segment =
            Segment { text: text.to_owned(), map: SpanMap::identity(text.len(), 0), ..Segment::default() };
        let mut chunker = Chunker::new(&options, strategy, tokenizer.counter());
        chunker.start_document(
            [
                None,
                Some(HeadingSyntax::ReStructuredText),
                Some(HeadingSyntax::Org),
                Some(HeadingSyntax::Tex),
                Some(HeadingSyntax::Wiki),
                Some(HeadingSyntax::AsciiDoc),
            ][size % 6],
        );
        let mut covered = 0;
        for piece in chunker.cut(&segment) {
            let content = &text[piece.span.range()];
            assert_eq!(counter.count(content), piece.tokens);
            let context = piece.context.as_deref().map_or(0, |context| counter.count(context));
            assert!(piece.tokens + context <= size);
            assert!(!content.trim().is_empty());
            if piece.span.start > covered {
                assert!(text[covered..piece.span.start].trim().is_empty());
            }
            covered = covered.max(piece.span.end);
        }
        assert!(text[covered..].trim().is_empty());
    }
});
