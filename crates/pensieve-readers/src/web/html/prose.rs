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

/// One text of the page.
#[derive(Debug, Clone, Copy, Default)]
struct NodeText {
    /// The block that contains it.
    block: u32,
    chars: f32,
    in_link: bool,
    is_sentence: bool,
}

/// The texts of a page, read once. Parts of the page are left out step by step, and what is left is measured after each
/// step: reading every character again then took longer than all other steps of the search together.
#[derive(Debug)]
pub(super) struct PageTexts {
    /// For each node; elements, and texts that are never shown, have no characters.
    nodes: Vec<NodeText>,
}

impl PageTexts {
    /// Reads the texts below an element, without elements that never have text.
    pub fn read(tree: &PageTree, source: &str, root: usize) -> PageTexts {
        let mut nodes = vec![NodeText::default(); tree.len()];
        let mut at = root;
        while at < tree.end(root) {
            let parent = nodes[tree.parent(at)];
            let (block, in_link) = (parent.block, parent.in_link);
            match (tree.tag(at), tree.text(at)) {
                (Some(tag), _) if at > root && tag.is_never_text() => {
                    at = tree.end(at);
                    continue;
                }
                (Some(tag), _) => nodes[at] = element(tree, at, tag, block, in_link),
                (_, Some(text)) => nodes[at] = NodeText { block, in_link, ..measured(text.resolve(source)) },
                _ => {}
            }
            at += 1;
        }
        PageTexts { nodes }
    }

    /// Measures every node, without what is dropped.
    pub fn measure(&self, tree: &PageTree, dropped: &[bool], lengths: ProseLengths) -> Vec<ProseMeasure> {
        let mut measures = vec![ProseMeasure::default(); tree.len()];
        let texts = self.block_texts(tree, dropped);
        for node in (0..tree.len()).rev() {
            if texts[node].chars > 0.0 {
                measures[node].add(weigh(texts[node], tree.tag(node).unwrap_or(HtmlTag::Div), lengths));
            }
            let below = measures[node];
            if node > 0 && below.chars > 0.0 {
                measures[tree.parent(node)].add(below);
            }
        }
        measures
    }

    /// For each block the text directly in it.
    fn block_texts(&self, tree: &PageTree, dropped: &[bool]) -> Vec<BlockText> {
        let mut texts = vec![BlockText::default(); tree.len()];
        let mut at = 0;
        while at < tree.len() {
            if dropped[at] {
                at = tree.end(at);
                continue;
            }
            let text = self.nodes[at];
            if text.chars > 0.0 {
                let block = &mut texts[text.block as usize];
                block.chars += text.chars;
                block.links += if text.in_link { text.chars } else { 0.0 };
                block.is_sentence = text.is_sentence;
            }
            at += 1;
        }
        texts
    }
}

/// An element passes on its block, and whether it is in a link that leads to another page.
fn element(tree: &PageTree, node: usize, tag: HtmlTag, block: u32, in_link: bool) -> NodeText {
    let is_link =
        || tag == HtmlTag::A && tree.attribute(node, "href").is_some_and(|href| !href.starts_with('#'));
    let own = || u32::try_from(node).expect("a page that fits into memory has fewer nodes");
    NodeText {
        block: if tag.is_block() { own() } else { block },
        in_link: in_link || is_link(),
        ..NodeText::default()
    }
}

fn measured(text: &str) -> NodeText {
    let chars = count(text);
    let is_sentence = chars > 0.0 && {
        let end = text.trim_end().trim_end_matches(['"', '\'', '”', '»', '’', ')', '“']);
        end.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', ':'])
    };
    NodeText { chars, is_sentence, ..NodeText::default() }
}

/// Characters except white space; ideographs count twice.
fn count(text: &str) -> f32 {
    let is_ideograph = |c: char| ('\u{2e80}'..'\u{fb00}').contains(&c);
    let count: usize = match text.is_ascii() {
        true => text.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'..=b'\r')).count(),
        false => text.chars().filter(|c| !c.is_whitespace()).map(|c| 1 + usize::from(is_ideograph(c))).sum(),
    };
    count as f32
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
