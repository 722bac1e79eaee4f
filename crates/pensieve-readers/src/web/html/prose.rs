//! Measures the text in each part of a page: characters, links, prose.

use super::tag::HtmlTag;
use super::tree::PageTree;

/// How long a block must be to read as prose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ProseLengths {
    /// A block at least this long.
    pub block: f32,
    /// A sentence at least this long.
    pub sentence: f32,
}

impl ProseLengths {
    /// For pages that are written in paragraphs.
    pub const PARAGRAPHS: ProseLengths = ProseLengths { block: 80.0, sentence: 35.0 };
    /// For pages that are written in lines: verse, captions, one phrase a block.
    pub const LINES: ProseLengths = ProseLengths { block: 24.0, sentence: 12.0 };
}

/// The measures of the text below a node, without dropped parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct ProseMeasure {
    /// Characters except white space; ideographs count twice.
    pub chars: f32,
    /// Those inside links that lead to other pages.
    pub links: f32,
    /// Those of blocks that read like prose.
    pub prose: f32,
    /// Prose minus what counts against it: links, short fragments.
    pub value: f32,
}

impl ProseMeasure {
    /// Share of links, 0 if there is no text.
    pub fn density(&self) -> f32 {
        if self.chars > 0.0 { self.links / self.chars } else { 0.0 }
    }

    fn add(&mut self, other: ProseMeasure) {
        self.chars += other.chars;
        self.links += other.links;
        self.prose += other.prose;
        self.value += other.value;
    }
}

/// The text directly in a block.
#[derive(Debug, Clone, Copy, Default)]
struct BlockText {
    chars: f32,
    links: f32,
    is_sentence: bool,
}

/// Measures every node.
pub(super) fn measure(
    tree: &PageTree,
    source: &str,
    dropped: &[bool],
    lengths: ProseLengths,
) -> Vec<ProseMeasure> {
    let mut measures = vec![ProseMeasure::default(); tree.len()];
    let mut texts = vec![BlockText::default(); tree.len()];
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
        match (tree.tag(at), tree.text(at)) {
            (Some(tag), _) => {
                if tag.is_block() {
                    block[at] = at;
                }
                in_link[at] |= tag == HtmlTag::A
                    && tree.attribute(at, "href").is_some_and(|href| !href.starts_with('#'));
            }
            (_, Some(node_text)) => read(&mut texts[block[at]], node_text.resolve(source), in_link[at]),
            _ => {}
        }
        at += 1;
    }
    for node in (0..tree.len()).rev() {
        if texts[node].chars > 0.0 {
            measures[node].add(weigh(texts[node], tree.tag(node).unwrap_or(HtmlTag::Div), lengths));
        }
        if node > 0 {
            let below = measures[node];
            measures[tree.parent(node)].add(below);
        }
    }
    measures
}

fn read(block: &mut BlockText, text: &str, in_link: bool) {
    let mut chars = 0.0;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        chars += if ('\u{2e80}'..'\u{fb00}').contains(&c) { 2.0 } else { 1.0 };
    }
    block.chars += chars;
    block.links += if in_link { chars } else { 0.0 };
    if chars > 0.0 {
        let end = text.trim_end().trim_end_matches(['"', '\'', '”', '»', '’', ')', '“']);
        block.is_sentence = end.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', ':']);
    }
}

fn weigh(block: BlockText, tag: HtmlTag, lengths: ProseLengths) -> ProseMeasure {
    let BlockText { chars, links, is_sentence } = block;
    let mut measure = ProseMeasure { chars, links, prose: 0.0, value: 0.0 };
    let is_prose =
        chars >= lengths.block || (is_sentence && chars >= lengths.sentence) || tag == HtmlTag::Pre;
    if tag.heading_level().is_some() {
    } else if links > chars * 0.5 {
        measure.value = -(links.min(200.0) * 0.6 + 4.0);
    } else if is_prose {
        measure.prose = chars - links;
        measure.value = measure.prose;
    } else if matches!(
        tag,
        HtmlTag::Li | HtmlTag::Td | HtmlTag::Th | HtmlTag::Dt | HtmlTag::Dd | HtmlTag::Figcaption
    ) {
        measure.value = (chars - links) * 0.3;
    } else {
        measure.value = -8.0;
    }
    measure
}
