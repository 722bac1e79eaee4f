//! Pages on which anything stands anywhere: the proofs of the layout hold, its text is whole, and no chunk mixes roles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve_text::chunk::{ChunkOptions, Chunker, StrategyChoice};
use pensieve_text::layout::{
    FontFace, LayoutComposer, LayoutOptions, LayoutPage, PageShape, ShapeKind, SpanGap, TextSpan, UnitWriter,
};
use pensieve_text::model::{ChunkStrategy, Locator, Segment};
use pensieve_text::text::tokens::Tokenizer;
use std::sync::Arc;

const KINDS: [ShapeKind; 4] = [ShapeKind::Fill, ShapeKind::Frame, ShapeKind::Rule, ShapeKind::Image];

/// One thing on a page: what it is, where, how large; a line of text takes the next line of the words.
type Thing = (u8, u16, u16, u8, u8);

fuzz_target!(|input: (Vec<Thing>, &str)| {
    let (things, words) = input;
    let pages = pages(&things, words);
    let mut composer = LayoutComposer::new(&LayoutOptions::default(), Vec::new());
    for page in &pages {
        composer.push(page);
    }
    let part = composer.compose(&mut |_| {}).expect("the order rises");
    assert_eq!(part.violations, []);
    let mut segment = Segment::default();
    UnitWriter::default().write(&part.units, &mut segment);
    pensieve_fuzz::check(&segment);
    check_chunks(&segment);
});

fn pages(things: &[Thing], words: &str) -> Vec<LayoutPage> {
    let face =
        |name: &str, weight| Arc::new(FontFace { name: name.to_owned(), weight, ..FontFace::default() });
    let faces = [face("Serif", 400), face("Sans-Bold", 700)];
    let blank = |number| LayoutPage { number, width: 600.0, height: 800.0, ..LayoutPage::default() };
    let mut pages = vec![blank(1)];
    let mut words = words.lines().filter(|line| !line.is_empty()).cycle();
    for &(kind, x, y, size, length) in things {
        // The edges of the page may be crossed.
        let (x, y) = (f32::from(x % 700) - 50.0, f32::from(y % 900) - 50.0);
        let (size, length) = (f32::from(size % 40) + 1.0, f32::from(length));
        let page = pages.last_mut().expect("there is a first page");
        match kind % 16 {
            0 => {
                let next = page.number + 1 + u64::from(kind / 128);
                pages.push(blank(next));
            }
            1..=4 => {
                let kind = KINDS[usize::from(kind % 4)];
                page.shapes.push(PageShape { kind, bbox: [x, y, x + 2.0 * length, y + size] });
            }
            _ => {
                let Some(text) = words.next() else { continue };
                page.spans.push(TextSpan {
                    text: text.to_owned(),
                    font: faces[usize::from(kind / 16 % 2)].clone(),
                    size,
                    rotation: [0.0, 0.0, 0.0, 0.0, 90.0, 180.0, 270.0, 45.0][usize::from(kind / 32)],
                    origin: [x, y],
                    length: 2.0 * length,
                    bbox: [x, y - 0.78 * size, x + 2.0 * length, y + 0.22 * size],
                    line_height: size,
                    is_invisible: kind % 16 == 15,
                    is_vertical: kind % 16 == 14,
                    gaps: match kind % 3 {
                        0 => vec![SpanGap { at: usize::from(kind / 3), from: length, to: 1.5 * length }],
                        _ => Vec::new(),
                    },
                    tag: None,
                });
            }
        }
    }
    pages
}

/// Every chunk has the words of one role, section and kind.
fn check_chunks(segment: &Segment) {
    let options =
        ChunkOptions { size: 64, overlap: 8, strategy: StrategyChoice::Auto, windows: Default::default() };
    let Ok(tokenizer) = Tokenizer::named("cl100k_base") else { return };
    let pieces = Chunker::new(&options, ChunkStrategy::Layout, tokenizer.counter()).cut(segment);
    let mut covered = 0;
    for piece in pieces {
        let content = &segment.text[piece.span.range()];
        assert!(!content.trim().is_empty() && piece.tokens <= 64);
        assert!(segment.text[covered.min(piece.span.start)..piece.span.start].trim().is_empty());
        covered = covered.max(piece.span.end);
        let within = segment.places.0.iter().filter(|(span, _)| span.overlaps(piece.span));
        let mut laid = within.filter_map(|(_, place)| match place {
            Locator::Layout(laid) => Some((laid.role, laid.section, laid.kind)),
            _ => None,
        });
        let first = laid.next();
        assert!(laid.all(|next| Some(next) == first), "{content:?}");
    }
    assert!(segment.text[covered..].trim().is_empty());
}
