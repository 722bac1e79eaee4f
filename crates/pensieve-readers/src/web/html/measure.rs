//! How much each part of a page says: characters, links, prose.

use super::tag::Tag;
use super::tree::Tree;

/// How long a block must be to read as prose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lengths {
    /// A block at least this long.
    pub block: f32,
    /// A sentence at least this long.
    pub sentence: f32,
}

impl Lengths {
    /// For pages that are written in paragraphs.
    pub const PARAGRAPHS: Lengths = Lengths { block: 80.0, sentence: 35.0 };
    /// For pages that are written in lines: verse, captions, one phrase a block.
    pub const LINES: Lengths = Lengths { block: 24.0, sentence: 12.0 };
}

/// What stands below a node, dropped parts aside.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Measure {
    /// Characters that are no white space; ideographs count twice.
    pub chars: f32,
    /// Those inside links that lead to other pages.
    pub links: f32,
    /// Those of blocks that read like prose.
    pub prose: f32,
    /// Prose, less what speaks against it: links, crumbs.
    pub value: f32,
}

impl Measure {
    /// Share of links, 0 where there is no text.
    pub fn density(&self) -> f32 {
        if self.chars > 0.0 { self.links / self.chars } else { 0.0 }
    }

    fn add(&mut self, other: Measure) {
        self.chars += other.chars;
        self.links += other.links;
        self.prose += other.prose;
        self.value += other.value;
    }
}

/// The text that stands directly in a block.
#[derive(Debug, Clone, Copy, Default)]
struct Own {
    chars: f32,
    links: f32,
    is_sentence: bool,
}

/// Measures every node.
pub(super) fn measure(tree: &Tree, source: &str, dropped: &[bool], lengths: Lengths) -> Vec<Measure> {
    let mut measures = vec![Measure::default(); tree.len()];
    let mut own = vec![Own::default(); tree.len()];
    let mut block = vec![0; tree.len()];
    let mut in_link = vec![false; tree.len()];
    let mut at = 0;
    while at < tree.len() {
        if dropped[at] {
            at = tree.end(at);
            continue;
        }
        let parent = tree.parent(at);
        (block[at], in_link[at]) = (block[parent], in_link[parent]);
        match (tree.tag(at), tree.piece(at)) {
            (Some(tag), _) => {
                if tag.is_block() {
                    block[at] = at;
                }
                in_link[at] |=
                    tag == Tag::A && tree.attribute(at, "href").is_some_and(|href| !href.starts_with('#'));
            }
            (_, Some(piece)) => read(&mut own[block[at]], piece.resolve(source), in_link[at]),
            _ => {}
        }
        at += 1;
    }
    for node in (0..tree.len()).rev() {
        if own[node].chars > 0.0 {
            measures[node].add(weigh(own[node], tree.tag(node).unwrap_or(Tag::Div), lengths));
        }
        if node > 0 {
            let below = measures[node];
            measures[tree.parent(node)].add(below);
        }
    }
    measures
}

fn read(own: &mut Own, text: &str, in_link: bool) {
    let mut chars = 0.0;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        chars += if ('\u{2e80}'..'\u{fb00}').contains(&c) { 2.0 } else { 1.0 };
    }
    own.chars += chars;
    own.links += if in_link { chars } else { 0.0 };
    if chars > 0.0 {
        let end = text.trim_end().trim_end_matches(['"', '\'', '”', '»', '’', ')', '“']);
        own.is_sentence = end.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', ':']);
    }
}

fn weigh(own: Own, tag: Tag, lengths: Lengths) -> Measure {
    let Own { chars, links, is_sentence } = own;
    let mut measure = Measure { chars, links, prose: 0.0, value: 0.0 };
    let is_prose = chars >= lengths.block || (is_sentence && chars >= lengths.sentence) || tag == Tag::Pre;
    if tag.heading_level().is_some() {
    } else if links > chars * 0.5 {
        measure.value = -(links.min(200.0) * 0.6 + 4.0);
    } else if is_prose {
        measure.prose = chars - links;
        measure.value = measure.prose;
    } else if matches!(tag, Tag::Li | Tag::Td | Tag::Th | Tag::Dt | Tag::Dd | Tag::Figcaption) {
        measure.value = (chars - links) * 0.3;
    } else {
        measure.value = -8.0;
    }
    measure
}
