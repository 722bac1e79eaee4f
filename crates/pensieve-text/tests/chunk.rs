//! Golden pairs of chunking: `tests/chunk/<text>.<extension>` is cut in several sizes, and `<text>.chunks` lists the
//! chunks: bytes, tokens, headings, how each begins and ends, and the context that is repeated before it.
//!
//! `UPDATE_GOLDEN=1` writes the lists anew; read the difference before you keep it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use pensieve_text::chunk::{
    ChunkOptions, Chunker, HeadingSyntax, StrategyChoice, TextChunk, strategy_for, strategy_name,
};
use pensieve_text::layout::WindowOptions;
use pensieve_text::model::{ChunkStrategy, Segment, SpanMap, TextKind};
use pensieve_text::text::tokens::Tokenizer;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Maximum tokens, and tokens of overlap.
const SIZES: [(usize, usize); 4] = [(16, 0), (24, 8), (48, 0), (120, 30)];

#[test]
fn texts_are_cut_where_their_lists_say() {
    for path in support::files("chunk", |extension| extension != "chunks") {
        support::compare(&path.with_extension("chunks"), &listed(&path));
    }
}

/// How a text of this extension is cut, and the syntax of its headings.
fn way(extension: &str) -> (ChunkStrategy, Option<HeadingSyntax>) {
    let of = |kind| strategy_for(StrategyChoice::Auto, kind);
    match extension {
        "md" => (of(TextKind::Markup), None),
        "rs" | "py" => (of(TextKind::Code), None),
        "csv" => (ChunkStrategy::Rows, None),
        "paragraphs" => (strategy_for(StrategyChoice::Paragraph, TextKind::Prose), None),
        "adoc" => (of(TextKind::Prose), Some(HeadingSyntax::AsciiDoc)),
        "org" => (of(TextKind::Prose), Some(HeadingSyntax::Org)),
        "rst" => (of(TextKind::Prose), Some(HeadingSyntax::ReStructuredText)),
        "tex" => (of(TextKind::Prose), Some(HeadingSyntax::Tex)),
        "wiki" => (of(TextKind::Prose), Some(HeadingSyntax::Wiki)),
        _ => (of(TextKind::Prose), None),
    }
}

fn listed(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let (strategy, headings) = way(path.extension().unwrap().to_str().unwrap());
    let map = SpanMap::identity(text.len(), 0);
    let segment = Segment { text, map, ..Segment::default() };
    let mut list = String::new();
    for (size, overlap) in SIZES {
        let (strategy_choice, windows) = (StrategyChoice::Auto, WindowOptions::default());
        let options = ChunkOptions { size, overlap, strategy: strategy_choice, windows };
        let mut chunker =
            Chunker::new(&options, strategy, Tokenizer::named("cl100k_base").unwrap().counter());
        chunker.start_document(headings);
        let _ = writeln!(list, "== {}", strategy_name(strategy, &options));
        for chunk in chunker.cut(&segment) {
            line(&segment.text, &chunk, &mut list);
        }
    }
    list
}

fn line(text: &str, chunk: &TextChunk, list: &mut String) {
    let words = &text[chunk.span.range()];
    let first: String = words.chars().take(24).collect();
    let last: String = words.chars().rev().take(16).collect::<Vec<_>>().into_iter().rev().collect();
    let _ = write!(
        list,
        "{:>5}-{:<5} {:>3} {first:?} ... {last:?}",
        chunk.span.start, chunk.span.end, chunk.tokens
    );
    if let Some(path) = &chunk.heading_path {
        let _ = write!(list, " in {path}");
    }
    if let Some(context) = &chunk.context {
        let _ = write!(list, " after {context:?}");
    }
    list.push('\n');
}
