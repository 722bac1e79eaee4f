//! The laws of chunks, on texts that are likely to break them.

use super::*;
use crate::layout::WindowOptions;
use crate::model::{ChunkStrategy, MapBuilder, Segment, SpanMap};
use crate::text::tokens::{TokenCounter, Tokenizer};
use unicode_segmentation::UnicodeSegmentation;

const STRATEGIES: [ChunkStrategy; 5] = [
    ChunkStrategy::Recursive,
    ChunkStrategy::Markdown,
    ChunkStrategy::Paragraph,
    ChunkStrategy::Code,
    ChunkStrategy::Rows,
];

fn counter() -> TokenCounter {
    Tokenizer::named("cl100k_base").expect("cl100k_base is built in").counter()
}

fn segment(text: &str) -> Segment {
    Segment { text: text.to_owned(), ..Segment::default() }
}

fn options(size: usize, overlap: usize) -> ChunkOptions {
    ChunkOptions { size, overlap, strategy: StrategyChoice::Auto, windows: WindowOptions::default() }
}

fn cut(text: &str, strategy: ChunkStrategy, size: usize, overlap: usize) -> Vec<TextChunk> {
    let segment = segment(text);
    let chunks = Chunker::new(&options(size, overlap), strategy, counter()).cut(&segment);
    check(&segment, &chunks, size, overlap);
    chunks
}

fn contents<'a>(text: &'a str, chunks: &[TextChunk]) -> Vec<&'a str> {
    chunks.iter().map(|chunk| &text[chunk.span.range()]).collect()
}

/// Every law of one segment's chunks.
fn check(segment: &Segment, chunks: &[TextChunk], size: usize, overlap: usize) {
    let text = &segment.text;
    let mut counter = counter();
    let mut covered = 0;
    for chunk in chunks {
        let content = &text[chunk.span.range()];
        assert!(!content.trim().is_empty(), "blank chunk at {:?}", chunk.span);
        assert_eq!(chunk.tokens, counter.count(content), "tokens of {content:?}");
        let context = chunk.context.as_deref().unwrap_or_default();
        assert!(chunk.tokens + counter.count(context) <= size, "{content:?} with {context:?}");
        if !context.is_empty() {
            assert!(counter.count(&format!("{context}\n{content}")) <= size);
        }
        let gap = text[..chunk.span.start].get(covered..).unwrap_or_default();
        assert!(gap.trim().is_empty(), "lost {gap:?} before {:?}", chunk.span);
        covered = covered.max(chunk.span.end);
    }
    assert!(text[covered..].trim().is_empty(), "lost {:?}", &text[covered..]);
    for pair in chunks.windows(2) {
        assert!(pair[0].span.start < pair[1].span.start && pair[0].span.end < pair[1].span.end);
        if pair[0].span.overlaps(pair[1].span) {
            let shared = counter.count(&text[pair[1].span.start..pair[0].span.end]);
            assert!(shared <= overlap, "overlap of {shared} at {:?}", pair[1].span);
        }
    }
    check_atoms(segment, chunks, size);
}

/// No grapheme and no expansion that fits is cut; where they interlock, their union counts.
fn check_atoms(segment: &Segment, chunks: &[TextChunk], size: usize) {
    let text = &segment.text;
    let is_edge = |at: &usize| segment.map.is_boundary(*at);
    let mut constraints: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).filter(is_edge).collect();
    constraints.push(text.len());
    let mut counter = counter();
    let mut checked = 0;
    for at in chunks.iter().flat_map(|chunk| [chunk.span.start, chunk.span.end]) {
        let behind = constraints.binary_search(&at).err().filter(|&behind| behind != checked);
        if let Some(behind) = behind {
            let atom = &text[constraints[behind - 1]..constraints[behind]];
            assert!(counter.count(atom) > size, "{atom:?} is cut at {at}");
            checked = behind;
        }
    }
}

/// A small deterministic generator, so that failures repeat.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const AWKWARD: [&str; 64] = [
    "word ",
    "Another sentence. ",
    "And one more! ",
    "\n",
    "\n\n",
    "\n\n\n",
    " ",
    "   ",
    "\t",
    "\r\n",
    "# Head\n",
    "## Two\n\n",
    "Setext\n===\n",
    "---\n",
    "```\n",
    "```rust\nlet a = 1;\n",
    "~~~\n",
    "| a | b |\n",
    "|---|---|\n",
    "| 1 | 2 |\n",
    "> ",
    "> > > > ",
    "- item\n",
    "  - deeper\n",
    "1. one\n",
    "* * *\n",
    "\u{301}",
    "e\u{301}\u{302}\u{303}",
    "👩‍👩‍👧‍👦",
    "\u{200d}",
    "🇫🇷🇩🇪",
    "🇫",
    "한국어",
    "\u{1100}\u{1161}\u{11a8}",
    "नमस्ते",
    "ไทย",
    "日本語。",
    "、",
    "中文，",
    "\u{600}",
    "\u{600} ",
    "\u{ad}",
    "\u{feff}",
    "\u{a0}",
    "\u{3000}",
    "\u{85}",
    "\u{2028}",
    "antidisestablishmentarianism",
    "a,b,\"c\nd\",e\n",
    "\"",
    ",",
    "{\"a\":[1,2,3],\"b\":{}}",
    "}\n",
    "    fn x() {\n",
    "// note\n",
    "https://example.org/a/b?c=d&e=f ",
    "0123456789",
    "\u{0}",
    "\u{1c}",
    "﷽",
    "𝕏",
    "====================",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "zażółć gęślą jaźń. ",
];

fn awkward_text(random: &mut RandomNumbers) -> String {
    let parts: Vec<&str> = (0..1 + random.below(8)).map(|_| random.pick(&AWKWARD)).collect();
    let mut text = String::new();
    for _ in 0..random.below(160) {
        let part =
            if random.below(4) == 0 { random.pick(&AWKWARD) } else { parts[random.below(parts.len())] };
        for _ in 0..1 + if random.below(12) == 0 { random.below(60) } else { 0 } {
            text.push_str(part);
        }
    }
    text
}

/// A map with random expansions of several bytes, at character boundaries.
fn expansions(text: &str, random: &mut RandomNumbers) -> SpanMap {
    let mut map = MapBuilder::new(0);
    let mut at = 0;
    while at < text.len() {
        let reach = (at + 1 + random.below(12)).min(text.len());
        let end =
            (reach..=text.len()).find(|&end| text.is_char_boundary(end)).expect("the end is a boundary");
        if random.below(3) == 0 {
            map.unit(end - at, 2)
        } else {
            map.copy(end - at)
        }
        at = end;
    }
    map.finish()
}

#[test]
fn laws_hold_on_awkward_text() {
    let mut random = RandomNumbers(0x5eed);
    for round in 0..150 {
        let text = awkward_text(&mut random);
        let map = if round % 3 == 0 { expansions(&text, &mut random) } else { SpanMap::default() };
        let segment = Segment { text, map, ..Segment::default() };
        for strategy in STRATEGIES {
            let size = [16, 32, 128, 512][random.below(4)];
            let overlap = [0, size / 10, size / 2 - 1][random.below(3)];
            let chunks = Chunker::new(&options(size, overlap), strategy, counter()).cut(&segment);
            check(&segment, &chunks, size, overlap);
        }
    }
}

#[test]
fn laws_hold_over_segments_and_documents_do_not_mix() {
    let mut random = RandomNumbers(77);
    for strategy in STRATEGIES {
        let mut reused = Chunker::new(&options(32, 8), strategy, counter());
        for _ in 0..12 {
            let segments: Vec<Segment> =
                (0..3).map(|_| segment(&(awkward_text(&mut random) + "\n"))).collect();
            let mut fresh = Chunker::new(&options(32, 8), strategy, counter());
            reused.start_document(None);
            for segment in &segments {
                let chunks = reused.cut(segment);
                assert_eq!(chunks, fresh.cut(segment));
                check(segment, &chunks, 32, 8);
            }
        }
    }
}

#[test]
fn small_documents_are_one_chunk() {
    for strategy in
        [ChunkStrategy::Recursive, ChunkStrategy::Markdown, ChunkStrategy::Code, ChunkStrategy::Rows]
    {
        let text = "# A\n\nSome text. More text.\n\n# B\n\nThe end.\n";
        assert_eq!(contents(text, &cut(text, strategy, 64, 10)), [text.trim_end()], "{strategy}");
        assert!(cut(" \n\t\n", strategy, 64, 10).is_empty());
    }
}

#[test]
fn endless_things_are_cut_in_the_end() {
    let word = "x".repeat(10_000);
    let marks = format!("a{}", "\u{301}".repeat(3_000));
    let family = "👩\u{200d}".repeat(1_000);
    let flags = "🇫🇷".repeat(800);
    let spaces = format!("a{}b", " ".repeat(20_000));
    let quotes = "> ".repeat(5_000);
    let headings = "# H\n".repeat(2_000);
    let columns = "column,".repeat(4_000);
    for text in [word, marks, family, flags, spaces, quotes, headings, columns] {
        for strategy in STRATEGIES {
            cut(&text, strategy, 64, 8);
        }
    }
}

#[test]
fn many_headings_are_packed() {
    let text: String = (0..2_000).map(|i| format!("## Heading {i}\n\nWord {i}.\n\n")).collect();
    let chunks = cut(&text, ChunkStrategy::Markdown, 256, 20);
    let tokens: usize = chunks.iter().map(|chunk| chunk.tokens).sum();
    assert!(tokens / chunks.len() > 150, "{} chunks", chunks.len());
    assert!(chunks.iter().all(|chunk| text[chunk.span.range()].starts_with("## ")));
    assert_eq!(chunks[0].heading_path.as_deref(), Some("Heading 0"));
}

#[test]
fn a_table_that_is_cut_keeps_its_header_in_view() {
    let rows: String = (0..60).map(|i| format!("| row {i} | {} |\n", i * i)).collect();
    let text = format!("Intro.\n\n| name | square |\n|---|---|\n{rows}\nOutro.\n");
    let chunks = cut(&text, ChunkStrategy::Markdown, 128, 20);
    assert!(chunks.len() > 3);
    for chunk in &chunks {
        let content = &text[chunk.span.range()];
        let expected = content.starts_with("| row").then_some("| name | square |\n|---|---|");
        assert_eq!(chunk.context.as_deref(), expected, "{content}");
    }
}

#[test]
fn a_csv_header_travels_over_segments() {
    let rows: String = (0..80).map(|i| format!("{i},\"name\n{i}\",{}\n", i * 7)).collect();
    let mut chunker = Chunker::new(&options(64, 10), ChunkStrategy::Rows, counter());
    let first = segment(&format!("id,name,price\n{rows}"));
    let second = segment(&rows);
    for (number, segment) in [&first, &second].into_iter().enumerate() {
        let chunks = chunker.cut(segment);
        check(segment, &chunks, 64, 10);
        for (i, chunk) in chunks.iter().enumerate() {
            let expected = (number > 0 || i > 0).then_some("id,name,price");
            assert_eq!(chunk.context.as_deref(), expected);
            assert!(segment.text[chunk.span.range()].ends_with(|c: char| c.is_ascii_digit()));
        }
    }
}

#[test]
fn fences_that_fit_stay_whole_and_open_ones_go_on() {
    let prose = "This is a sentence of some words that fill the chunk up. ".repeat(4);
    let code: String = (0..12).map(|i| format!("let value_{i} = compute({i});\n")).collect();
    let text = format!("# One\n\n{prose}\n\n{prose}\n\n```rust\n{code}```\n\n{prose}\n\n{prose}\n");
    let chunks = cut(&text, ChunkStrategy::Markdown, 160, 20);
    assert!(
        contents(&text, &chunks).iter().any(|c| c.contains("```rust") && c.contains(&format!("{code}```")))
    );

    let mut chunker = Chunker::new(&options(64, 0), ChunkStrategy::Markdown, counter());
    chunker.cut(&segment("# Real\n\n```\ncode\n"));
    let chunks = chunker.cut(&segment("# not a heading\n```\n# Two\n\nText.\n"));
    assert_eq!(chunks[0].heading_path.as_deref(), Some("Real"));
}

#[test]
fn headings_begin_chunks_and_never_end_them() {
    let prose = "Some words about the matter at hand, and then some more. ".repeat(5);
    let text: String =
        (0..20).map(|i| format!("## Part {i}\n\n### Detail {i}\n\n{prose}\n\n{prose}\n\n")).collect();
    for size in [64, 128, 256] {
        for content in contents(&text, &cut(&text, ChunkStrategy::Markdown, size, 10)) {
            let last = content.lines().last().unwrap_or_default();
            assert!(!last.starts_with('#'), "{content}");
        }
    }
    let chunks = cut(&text, ChunkStrategy::Markdown, 256, 10);
    assert_eq!(chunks[0].heading_path.as_deref(), Some("Part 0 > Detail 0"));
}

#[test]
fn code_is_cut_between_items_with_its_indentation() {
    let item = |i: usize| {
        format!("/// Does {i}.\npub fn item_{i}(x: u32) -> u32 {{\n    let y = x + {i};\n    y * 2\n}}\n\n")
    };
    let text: String = (0..40).map(item).collect();
    for content in contents(&text, &cut(&text, ChunkStrategy::Code, 160, 16)) {
        assert!(content.starts_with("/// Does") && content.ends_with('}'), "{content}");
    }
    let body: String = (0..100).map(|i| format!("    call_number({i});\n")).collect();
    let text = format!("fn long() {{\n{body}}}\n");
    let chunks = cut(&text, ChunkStrategy::Code, 64, 0);
    assert!(contents(&text, &chunks)[1..].iter().all(|content| content.starts_with("    call")));
}

#[test]
fn paragraphs_are_chunks_of_their_own() {
    let text = "One.\n\nTwo.\nStill two.\n\n\nThree.";
    let chunks = cut(text, ChunkStrategy::Paragraph, 64, 10);
    assert_eq!(contents(text, &chunks), ["One.", "Two.\nStill two.", "Three."]);
}

#[test]
fn sentences_are_whole_and_overlap_is_made_of_them() {
    let text: String = (0..200).map(|i| format!("Sentence number {i} says that all is well. ")).collect();
    let chunks = cut(&text, ChunkStrategy::Recursive, 128, 30);
    for content in contents(&text, &chunks) {
        assert!(content.starts_with("Sentence") && content.ends_with('.'), "{content}");
    }
    assert!(chunks.windows(2).all(|pair| pair[0].span.overlaps(pair[1].span)));
}

#[test]
fn a_sentence_at_the_top_moves_hardly_any_chunk() {
    let mut random = RandomNumbers(9);
    let words = [
        "river", "stone", "under", "the", "light", "of", "a", "seldom", "seen", "moon", "rose", "and", "fell",
    ];
    let mut text = String::new();
    for _ in 0..400 {
        for _ in 0..1 + random.below(6) {
            let sentence: Vec<&str> = (0..4 + random.below(16)).map(|_| random.pick(&words)).collect();
            text.push_str(&format!("It was {}. ", sentence.join(" ")));
        }
        text.push_str("\n\n");
    }
    let before = cut(&text, ChunkStrategy::Recursive, 128, 16);
    let edited = format!("A new sentence stands at the top.\n\n{text}");
    let after = cut(&edited, ChunkStrategy::Recursive, 128, 16);
    let old: std::collections::BTreeSet<&str> = contents(&text, &before).into_iter().collect();
    let kept = contents(&edited, &after).iter().filter(|content| old.contains(*content)).count();
    assert!(kept + 4 >= before.len(), "{kept} of {} kept", before.len());
    let tokens: usize = before.iter().map(|chunk| chunk.tokens).sum();
    assert!(tokens * 10 > before.len() * 128 * 6, "mean {}", tokens / before.len());
}
