//! Measures the text in each part of a page: characters, links, prose.

use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

/// How long a block must be to read as prose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ProseLengths {
    /// A block at least this long.
    pub block: f32,
    /// A sentence at least this long.
    pub sentence: f32,
}

impl ProseLengths {
    /// For pages that are written in paragraphs.
    // Changes of word F1 on 341 pages: with blocks of 40 fourteen lose, up to .66; of 160, hardly any. With
    // sentences of 15 seven lose, up to .26; of 80 thirteen, up to .63.
    pub const PARAGRAPHS: ProseLengths = ProseLengths { block: 80.0, sentence: 35.0 };
    /// For pages that are written in lines: verse, captions, one phrase a block.
    // Blocks of 10: one page loses .32; of 60: four lose, up to .23. Sentences of 30: two do, up to .23.
    pub const LINES: ProseLengths = ProseLengths { block: 24.0, sentence: 12.0 };
}

/// The measures of the text below a node, without dropped parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ProseMeasure {
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
pub(crate) struct PageTexts {
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

    /// True if a node, whether it is a block or not, has fewer characters below it.
    pub fn is_shorter(&self, tree: &PageTree, node: usize, chars: f32) -> bool {
        let mut left = chars;
        tree.below(node).all(|below| {
            left -= self.nodes[below].chars;
            left > 0.0
        })
    }

    /// Measures every node, without what is dropped.
    pub fn measure(&self, tree: &PageTree, dropped: &[bool], lengths: ProseLengths) -> Vec<ProseMeasure> {
        let mut measures = vec![ProseMeasure::default(); tree.len()];
        let texts = self.block_texts(tree, dropped);
        // Below before above: the sum of a node is whole when it goes to its parent.
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
                // The last text of the block decides.
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
        // Links inside the page are notes and contents of the text.
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
    // A sign stands for about two letters' worth of a word.
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
        // Code is content wherever it stands.
        chars >= lengths.block || (is_sentence && chars >= lengths.sentence) || tag == HtmlTag::Pre;
    // Neither for nor against: menus have titles too.
    if tag.heading_level().is_some() {
    } else if links > chars * 0.5 {
        // One long list of links counts no more than several short ones.
        // At most 50 instead of 200: one page loses .34. A factor of .2: four lose, up to .34.
        measure.value = -(links.min(200.0) * 0.6 + 4.0);
    } else if is_prose {
        measure.prose = chars - links;
        measure.value = measure.prose;
    } else if matches!(
        tag,
        HtmlTag::Li | HtmlTag::Td | HtmlTag::Th | HtmlTag::Dt | HtmlTag::Dd | HtmlTag::Figcaption
    ) {
        // At .8 one page loses .26.
        measure.value = (chars - links) * 0.3;
    } else {
        // At 0 six pages lose, up to .26.
        measure.value = -8.0;
    }
    measure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn characters_are_counted_without_white_space() {
        for (text, expected) in [
            ("", 0.0),
            ("a b\tc\n\u{b}\u{c}\rd", 4.0),
            ("\u{8}\u{e}", 2.0),
            ("é\u{a0}è ê", 3.0),
            ("漢字", 4.0),
            ("é漢 한", 5.0),
            ("\u{2e7f}", 1.0),
            ("\u{2e80}", 2.0),
            ("\u{faff}", 2.0),
            ("\u{fb00}", 1.0),
        ] {
            assert_eq!(count(text), expected, "of {text:?}");
        }
    }

    #[test]
    fn sentences_end_with_a_sign() {
        for (text, expected) in [
            ("It is so.", true),
            ("Is it?  ", true),
            ("“It is!”", true),
            ("(That is all.)", true),
            ("As follows:", true),
            ("好。", true),
            ("It is", false),
            ("It is,", false),
            ("“It is”", false),
            ("", false),
        ] {
            assert_eq!(measured(text).is_sentence, expected, "of {text:?}");
        }
    }

    #[test]
    fn blocks_are_weighed_by_their_length_and_links() {
        use HtmlTag::{Dd, Div, Dt, Figcaption, H2, Li, P, Pre, Td, Th};
        let check = |tag: HtmlTag, lengths: ProseLengths, block: (f32, f32, bool), expected: (f32, f32)| {
            let (chars, links, is_sentence) = block;
            let found = weigh(BlockText { chars, links, is_sentence }, tag, lengths);
            assert_eq!(
                (found.chars, found.links, found.prose),
                (chars, links, expected.0),
                "{tag:?} {block:?}"
            );
            assert!((found.value - expected.1).abs() < 0.001, "{tag:?} {block:?}: {}", found.value);
        };
        let (paragraphs, lines) = (ProseLengths::PARAGRAPHS, ProseLengths::LINES);
        check(P, paragraphs, (79.0, 0.0, false), (0.0, -8.0));
        check(P, paragraphs, (80.0, 0.0, false), (80.0, 80.0));
        check(P, paragraphs, (34.0, 0.0, true), (0.0, -8.0));
        check(P, paragraphs, (35.0, 0.0, true), (35.0, 35.0));
        check(Div, lines, (23.0, 0.0, false), (0.0, -8.0));
        check(Div, lines, (24.0, 0.0, false), (24.0, 24.0));
        check(Div, lines, (11.0, 0.0, true), (0.0, -8.0));
        check(Div, lines, (12.0, 0.0, true), (12.0, 12.0));
        check(Pre, paragraphs, (3.0, 0.0, false), (3.0, 3.0));
        check(H2, paragraphs, (100.0, 0.0, true), (0.0, 0.0));
        check(H2, paragraphs, (100.0, 100.0, true), (0.0, 0.0));
        check(P, paragraphs, (80.0, 40.0, false), (40.0, 40.0));
        check(P, paragraphs, (100.0, 60.0, false), (0.0, -40.0));
        check(P, paragraphs, (200.0, 200.0, false), (0.0, -124.0));
        check(P, paragraphs, (400.0, 400.0, false), (0.0, -124.0));
        for tag in [Li, Td, Th, Dt, Dd, Figcaption] {
            check(tag, paragraphs, (50.0, 20.0, false), (0.0, 9.0));
            check(tag, paragraphs, (80.0, 20.0, false), (60.0, 60.0));
        }
    }

    fn measures(page: &str, root: HtmlTag, dropped: Option<HtmlTag>) -> Vec<(HtmlTag, ProseMeasure)> {
        let tree = parse(page, false);
        let root = tree.find(0, root).unwrap();
        let is_dropped = |node: usize| dropped.is_some() && tree.tag(node) == dropped;
        let dropped: Vec<bool> = (0..tree.len()).map(is_dropped).collect();
        let measures = PageTexts::read(&tree, page, root).measure(&tree, &dropped, ProseLengths::PARAGRAPHS);
        (0..tree.len()).filter_map(|node| Some((tree.tag(node)?, measures[node]))).collect()
    }

    /// Of the first element of a kind: characters, links, prose, value.
    #[track_caller]
    fn check(page: &str, tag: HtmlTag, dropped: Option<HtmlTag>, expected: [f32; 4]) {
        let all = measures(page, HtmlTag::Body, dropped);
        let (_, found) = all.iter().find(|(own, _)| *own == tag).unwrap();
        assert_eq!([found.chars, found.links, found.prose, found.value], expected, "{tag:?} of {page}");
        assert_eq!(all[0].1, all.iter().find(|(own, _)| *own == HtmlTag::Body).unwrap().1, "of {page}");
    }

    #[test]
    fn parts_of_a_page_have_the_text_below_them() {
        use HtmlTag::{B, Body, Div, P, Section};
        check("<p>ab <a href=/x>c<b>d</b></a> <a href=#y>ef</a> <a>g</a>", Body, None, [7.0, 2.0, 0.0, -8.0]);
        check("<div>one<p>two</p></div>", Div, None, [6.0, 0.0, 0.0, -16.0]);
        check("<div>one<p>two</p></div>", P, None, [3.0, 0.0, 0.0, -8.0]);
        check("<div>one<p>two</p></div>", Div, Some(P), [3.0, 0.0, 0.0, -8.0]);
        check("<div></div><section> </section>a", Div, None, [0.0; 4]);
        check("<div></div><section> </section>a", Section, None, [0.0; 4]);
        check("<div></div><section> </section>a", Body, None, [1.0, 0.0, 0.0, -8.0]);
        check("a<script>b</script><svg><text>c</text></svg>", Body, None, [1.0, 0.0, 0.0, -8.0]);
        // Words in a line belong to its block; the last decide whether it is a sentence.
        check("<p>a<b>b</b>", B, None, [0.0; 4]);
        let sentence = "The quick brown fox jumps over the lazy dog";
        check(&format!("<p>{sentence} <b>so.</b>"), P, None, [38.0, 0.0, 38.0, 38.0]);
        check(&format!("<p>{sentence}. <b>So</b>"), P, None, [38.0, 0.0, 0.0, -8.0]);
    }

    #[test]
    fn the_text_of_an_element_that_is_asked_for_is_read() {
        let all = measures("<title>ab</title>", HtmlTag::Head, None);
        let (_, head) = all.iter().find(|(tag, _)| *tag == HtmlTag::Head).unwrap();
        assert_eq!(head.chars, 2.0);
    }

    #[test]
    fn the_density_is_the_share_of_links() {
        let of = |chars: f32, links: f32| ProseMeasure { chars, links, ..ProseMeasure::default() }.density();
        assert_eq!([of(4.0, 1.0), of(4.0, 4.0), of(4.0, 0.0), of(0.0, 0.0)], [0.25, 1.0, 0.0, 0.0]);
    }
}
