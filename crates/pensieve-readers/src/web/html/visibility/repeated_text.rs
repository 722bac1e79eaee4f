//! Text that a page has twice, of which a reader sees one: a copy for narrow screens beside that for wide ones, the
//! slides of a carousel, a preview above the whole.
//!
//! Two cases. Blocks that follow each other twice (`A A`, `A B A B`) in different boxes are one text for two screens.
//! Runs that come again later are copies if nothing but them is in their box and no heading gives them another
//! subject. What authors repeat stays: items of one list, rows of tables, code, quotations, and paragraphs that stand
//! next to each other in one box under the same name.

use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::visibility::content_selection::ContentSelection;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// Shorter texts are labels, which many things have.
// At 100 eight of 341 pages lose word F1, up to .18.
const MIN_CHARS: usize = 25;

/// The least letters and digits of sentences in a run that comes again later.
const MIN_PROSE_CHARS: usize = 120;

/// A block with fewer letters and digits is no paragraph.
const MIN_PARAGRAPH_CHARS: usize = 60;

/// The most blocks of a run that follows itself.
const MAX_PERIOD: usize = 40;

/// The share of a box that a copy has at least.
const MIN_BOX_SHARE: f32 = 0.9;

/// Leaves out the second copy of every text that the page has twice.
pub(crate) fn drop_copies(tree: &PageTree, source: &str, selection: &mut ContentSelection) {
    let blocks = blocks(tree, source, selection);
    let mut is_copy = vec![false; blocks.len()];
    // The surest first: what is a copy already begins no other run.
    mark_neighbours(tree, &blocks, &mut is_copy);
    mark_captions(tree, source, &blocks, &mut is_copy);
    mark_distant(tree, &blocks, &mut is_copy);
    for (block, _) in blocks.iter().zip(&is_copy).filter(|(_, is_copy)| **is_copy) {
        selection.dropped[block.node] = true;
    }
}

/// A block with text of its own.
#[derive(Debug, Clone, Copy)]
struct RepeatableBlock {
    node: usize,
    /// Of its letters and digits, in lower case.
    hash: u64,
    /// Number of its letters and digits.
    chars: usize,
    /// It has other blocks below it, in a table, in code or in a quotation: it stays.
    is_kept: bool,
    is_heading: bool,
    is_item: bool,
}

impl RepeatableBlock {
    fn is_paragraph(&self) -> bool {
        !self.is_heading && !self.is_item && !self.is_kept && self.chars >= MIN_PARAGRAPH_CHARS
    }
}

/// The blocks of the content, in the order of their texts.
fn blocks(tree: &PageTree, source: &str, selection: &ContentSelection) -> Vec<RepeatableBlock> {
    let mut blocks: Vec<(RepeatableBlock, FxHasher)> = Vec::new();
    for &root in &selection.roots {
        // Open blocks, each with the place of its text, if it has any yet.
        let mut open: Vec<(usize, Option<usize>)> = vec![(root, None)];
        let mut kept_until = 0;
        let mut at = root;
        while at < tree.end(root) {
            if selection.dropped[at] {
                at = tree.end(at);
                continue;
            }
            while open.len() > 1 && open.last().is_some_and(|&(node, _)| tree.end(node) <= at) {
                open.pop();
            }
            match (tree.tag(at), tree.text(at)) {
                (Some(tag), _) if tag.is_block() => {
                    open.iter()
                        .filter_map(|&(_, place)| place)
                        // Their text goes on after this block, so they cannot be left out without it.
                        .for_each(|place| blocks[place].0.is_kept = true);
                    open.push((at, None));
                    if keeps_copies(tag) {
                        kept_until = kept_until.max(tree.end(at));
                    }
                }
                (None, Some(text)) => {
                    let last = open.len() - 1;
                    let (node, place) = &mut open[last];
                    let place = *place.get_or_insert_with(|| {
                        blocks.push((started(tree, *node, at < kept_until), FxHasher::default()));
                        blocks.len() - 1
                    });
                    let (block, hasher) = &mut blocks[place];
                    block.chars += hash_letters(text.resolve(source), hasher);
                }
                _ => {}
            }
            at += 1;
        }
    }
    let finished =
        |(block, hasher): (RepeatableBlock, FxHasher)| RepeatableBlock { hash: hasher.finish(), ..block };
    blocks.into_iter().map(finished).filter(|block| block.chars > 0).collect()
}

/// Adds the letters and digits of a text, in lower case; returns how many they are.
fn hash_letters(text: &str, hasher: &mut FxHasher) -> usize {
    let mut count = 0;
    for c in text.chars() {
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() {
                count += 1;
                hasher.write_u32(u32::from(c.to_ascii_lowercase()));
            }
        } else if c.is_alphanumeric() {
            count += 1;
            c.to_lowercase().for_each(|c| hasher.write_u32(u32::from(c)));
        }
    }
    count
}

fn started(tree: &PageTree, node: usize, is_kept: bool) -> RepeatableBlock {
    let tag = tree.tag(node).unwrap_or(HtmlTag::Div);
    RepeatableBlock {
        node,
        hash: 0,
        chars: 0,
        // A block that begins after blocks below it has them inside.
        is_kept: is_kept || tree.below(node).any(|below| tree.tag(below).is_some_and(HtmlTag::is_block)),
        is_heading: tag.heading_level().is_some(),
        is_item: matches!(tag, HtmlTag::Li | HtmlTag::Dt | HtmlTag::Dd),
    }
}

/// Elements in which text is repeated for a reason.
fn keeps_copies(tag: HtmlTag) -> bool {
    tag.is_preformatted() || matches!(tag, HtmlTag::Table | HtmlTag::Blockquote)
}

/// Marks runs that follow themselves.
fn mark_neighbours(tree: &PageTree, blocks: &[RepeatableBlock], is_copy: &mut [bool]) {
    // So that most of forty passes are left out.
    let distances = distances(blocks);
    for period in (1..=MAX_PERIOD.min(blocks.len() / 2)).filter(|&period| distances[period]) {
        let mut equal = 0;
        for at in period..blocks.len() {
            let (first, second) = (&blocks[at - period], &blocks[at]);
            equal = if first.hash == second.hash && !is_copy[at] { equal + 1 } else { 0 };
            if equal < period {
                continue;
            }
            let run = at + 1 - period..at + 1;
            let chars: usize = blocks[run.clone()].iter().map(|block| block.chars).sum();
            let is_whole = blocks[run.start - period..run.end].iter().all(|block| !block.is_kept);
            if chars >= MIN_CHARS && is_whole && !are_siblings(tree, first, second) {
                is_copy[run].fill(true);
                equal = 0;
            }
        }
    }
}

/// For each distance up to the longest period, if two equal blocks have it: most pages have none.
fn distances(blocks: &[RepeatableBlock]) -> [bool; MAX_PERIOD + 1] {
    let mut distances = [false; MAX_PERIOD + 1];
    let mut last: FxHashMap<u64, usize> = FxHashMap::default();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(blocks.len());
    for (at, block) in blocks.iter().enumerate() {
        before.push(last.insert(block.hash, at));
        let mut equal = before[at];
        while let Some(other) = equal.filter(|&other| at - other <= MAX_PERIOD) {
            distances[at - other] = true;
            equal = before[other];
        }
    }
    distances
}

/// Marks paragraphs next to a caption with the same words; a caption may have its credit after them.
fn mark_captions(tree: &PageTree, source: &str, blocks: &[RepeatableBlock], is_copy: &mut [bool]) {
    let letters = |block: &RepeatableBlock| -> String {
        let text = tree.text_below(block.node, source);
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    for (at, caption) in blocks.iter().enumerate() {
        if tree.tag(caption.node) != Some(HtmlTag::Figcaption) {
            continue;
        }
        let words = letters(caption);
        for beside in [at.checked_sub(1), Some(at + 1)].into_iter().flatten() {
            let Some(block) = blocks.get(beside) else { continue };
            let is_short = block.chars >= MIN_CHARS && block.chars <= caption.chars;
            if is_short && !block.is_heading && !block.is_kept && words.starts_with(&letters(block)) {
                is_copy[beside] = true;
            }
        }
    }
}

/// True if an author has written the same thing twice: the boxes of the two, next to each other, have one name.
fn are_siblings(tree: &PageTree, first: &RepeatableBlock, second: &RepeatableBlock) -> bool {
    let (mut left, mut right) = (first.node, second.node);
    while tree.end(tree.parent(left)) <= right {
        left = tree.parent(left);
    }
    while tree.parent(right) > left {
        right = tree.parent(right);
    }
    let class = |node: usize| tree.attribute(node, "class");
    tree.tag(left) == tree.tag(right) && class(left) == class(right)
}

/// Marks runs of paragraphs that come again later.
fn mark_distant(tree: &PageTree, blocks: &[RepeatableBlock], is_copy: &mut [bool]) {
    let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
    let mut at = 0;
    while at < blocks.len() {
        let block = &blocks[at];
        if is_copy[at] || !block.is_paragraph() {
            at += 1;
            continue;
        }
        let Some(&first) = seen.get(&block.hash) else {
            seen.insert(block.hash, at);
            at += 1;
            continue;
        };
        let (from, len) = run_around(blocks, first, at);
        let start = at - (first - from);
        if is_copy_of(tree, blocks, from, start..start + len) {
            is_copy[start..start + len].fill(true);
        }
        at = (start + len).max(at + 1);
    }
}

/// The longest run of equal blocks around two equal ones: where the first copy begins, and its length.
fn run_around(blocks: &[RepeatableBlock], first: usize, second: usize) -> (usize, usize) {
    let distance = second - first;
    let is_equal = |at: usize| blocks.get(at + distance).is_some_and(|later| later.hash == blocks[at].hash);
    let before = (0..first).rev().take_while(|&at| first - at < distance && is_equal(at)).count();
    let from = first - before;
    let len = (from..from + distance).take_while(|&at| is_equal(at)).count();
    (from, len)
}

/// True if these blocks are a copy of those from `first` on, and nothing else.
fn is_copy_of(
    tree: &PageTree,
    blocks: &[RepeatableBlock],
    first: usize,
    copy: std::ops::Range<usize>,
) -> bool {
    let run = &blocks[copy.clone()];
    let prose: usize = run.iter().filter(|block| block.is_paragraph()).map(|block| block.chars).sum();
    // Code or a table may quote the text: then both stay.
    let mut both = run.iter().chain(&blocks[first..first + run.len()]);
    if prose < MIN_PROSE_CHARS
        || both.any(|block| block.is_kept)
        || are_siblings(tree, &blocks[first], &run[0])
    {
        return false;
    }
    let between = &blocks[first + run.len()..copy.start];
    // Each section may say the same of another thing.
    let has_own_subject = between.iter().any(|block| block.is_heading) && !run[0].is_heading;
    let last = run[run.len() - 1].node;
    let mut around = run[0].node;
    while tree.end(around) < tree.end(last) {
        around = tree.parent(around);
    }
    let chars: usize = run.iter().map(|block| block.chars).sum();
    let inside = |block: &&RepeatableBlock| (around..tree.end(around)).contains(&block.node);
    let all: usize = blocks.iter().filter(inside).map(|block| block.chars).sum();
    !has_own_subject && chars as f32 >= all as f32 * MIN_BOX_SHARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;
    use crate::web::html::visibility::content_selection::body;

    /// The ids of what is left out.
    #[track_caller]
    fn check(page: &str, expected: &str) {
        let tree = parse(page, false);
        let mut selection = ContentSelection::shown(body(&tree), vec![false; tree.len()]);
        drop_copies(&tree, page, &mut selection);
        let dropped = (0..tree.len()).filter(|&node| selection.dropped[node]);
        let ids: Vec<&str> = dropped.filter_map(|node| tree.attribute(node, "id")).collect();
        assert_eq!(ids.join(" "), expected, "of {page}");
    }

    /// A text of this many letters that begins with `start`.
    fn text(start: &str, letters: usize) -> String {
        format!("{start:x<letters$}")
    }

    #[test]
    fn a_text_that_follows_itself_in_another_box_is_a_copy() {
        let (short, long) = (text("a", 24), text("a", 25));
        let two = |first: &str, second: &str, text: &str| {
            format!("<{first} id=1>{text}</{first}><{second} id=2>{text}</{second}>")
        };
        check(&two("p", "div", &long), "2");
        check(&two("p", "div", &short), "");
        check(&two("p", "p", &long), "");
        check(&format!("<p class=a id=1>{long}<p class=b id=2>{long}"), "2");
        check(&format!("<p class=a id=1>{long}<p class=a id=2>{long}"), "");
        check(&format!("<p id=1>{long}<div id=2>{} !</div>", long.to_uppercase()), "2");
        check(&format!("<p id=1>{long}é<div id=2>{long}É</div>"), "2");
        check(&two("p", "div", &"é".repeat(25)), "2");
        check(&two("p", "div", &"é".repeat(24)), "");
        check(&two("p", "div", &format!("{0}<b>{0}</b>", text("a", 13))), "2");
        check(&format!("<p id=1>{long}<p>—</p><div id=2>{long}</div>"), "2");
        let before: String = (0..50).map(|at| format!("<p>{at}")).collect();
        check(&format!("{before}{}", two("p", "div", &long)), "2");
        check(&format!("<p id=1>{long}é<div id=2>{long}è</div>"), "");
        check(&format!("<p id=1>{long}<div id=2>{long}1</div>"), "");
        check(&format!("<p id=1>{long}<h2>b</h2><div id=2>{long}</div>"), "");
    }

    #[test]
    fn boxes_of_one_name_beside_each_other_have_what_was_written_twice() {
        let long = text("a", 25);
        let boxed =
            |class: &str, id: usize| format!("<section class={class}><p id={id}>{long}</p></section>");
        check(&format!("{}{}", boxed("a", 1), boxed("a", 2)), "");
        check(&format!("{}{}", boxed("a", 1), boxed("b", 2)), "2");
        check(&format!("<div>{}</div><div>{}</div>", boxed("a", 1), boxed("b", 2)), "");
        check(&format!("<div>{}</div>{}", boxed("a", 1), boxed("a", 2)), "2");
    }

    #[test]
    fn runs_that_follow_themselves_are_copies() {
        let run = |blocks: usize, letters: usize, first_id: usize| -> String {
            let block =
                |at: usize| format!("<p id={}>{}</p>", first_id + at, text(&format!("{at}a"), letters));
            (0..blocks).map(block).collect()
        };
        let pair = |blocks: usize, letters: usize| {
            format!(
                "<div>{}</div><section>{}</section>",
                run(blocks, letters, 100),
                run(blocks, letters, 200)
            )
        };
        check(&pair(2, 13), "200 201");
        check(&pair(2, 12), "");
        let ids: Vec<String> = (200..240).map(|id| id.to_string()).collect();
        check(&pair(40, 25), &ids.join(" "));
        check(&pair(41, 25), "");
        let thrice = format!("{}<main>{}</main>", pair(2, 13), run(2, 13, 300));
        check(&thrice, "200 201 300 301");
    }

    #[test]
    fn what_stands_twice_for_a_reason_stays() {
        let long = text("a", 25);
        for page in [
            format!("<blockquote><p id=1>{long}</blockquote><div id=2>{long}</div>"),
            format!("<div id=1>{long}</div><pre id=2>{long}</pre>"),
            format!("<table><tr><td><p id=1>{long}</table><div id=2>{long}</div>"),
            format!("<p id=1>{long}<div id=2>{long}<p></p></div>"),
            format!("<div id=1>{long}<p></p></div><p id=2>{long}"),
        ] {
            check(&page, "");
        }
        // What follows a quotation is none.
        let after = format!("<blockquote>b</blockquote><p id=1>{long}<div id=2>{long}</div>");
        check(&after, "2");
    }

    #[test]
    fn a_caption_says_what_stands_beside_it() {
        let figure = |caption: &str| format!("<figure><figcaption>{caption}</figcaption></figure>");
        let (short, long) = (text("a", 24), text("a", 25));
        let credited = figure(&format!("{} Photo: b", long.to_uppercase()));
        check(&format!("{credited}<p id=1>{long}</p>"), "1");
        check(&format!("<p id=1>{long}</p>{credited}"), "1");
        check(&format!("<p id=1>{long}</p>{credited}<p id=2>{long}</p>"), "1 2");
        check(&format!("{credited}<p id=1>{short}</p>"), "");
        check(&format!("{credited}<p id=1>b{long}</p>"), "");
        check(&format!("{credited}<h3 id=1>{long}</h3>"), "");
        check(&format!("{credited}<pre id=1>{long}</pre>"), "");
        check(&format!("{credited}<p>b</p><p id=1>{long}</p>"), "");
        check(&format!("{}<p id=1>{long}y</p>", figure(&long)), "");
        check(&format!("<p>{long} Photo: b</p><p id=1>{long}</p>"), "");
    }

    #[test]
    fn runs_of_paragraphs_that_come_again_are_copies() {
        let other = "<div>Between them stands something else.</div>";
        let part = |letters: &[usize], id: usize| -> String {
            let block = |(at, &letters): (usize, &usize)| {
                format!("<p id={}>{}</p>", id + at, text(&format!("{at}a"), letters))
            };
            letters.iter().enumerate().map(block).collect()
        };
        let page = |letters: &[usize], between: &str, after: &str| {
            format!(
                "<div>{}</div>{between}<section>{}{after}</section>",
                part(letters, 100),
                part(letters, 200)
            )
        };
        check(&page(&[60, 60], other, ""), "200 201");
        check(&page(&[60, 59], other, ""), "");
        check(&page(&[120], other, ""), "200");
        check(&page(&[119], other, ""), "");
        check(&page(&[60, 9, 60], other, ""), "200 201 202");
        check(&page(&[9, 60, 60], other, ""), "200 201 202");
        // Something else in its box: it has its own use. A few words do not matter.
        check(&page(&[60, 60], other, &text("<p>c", 15)), "200 201");
        check(&page(&[60, 60], other, &text("<p>c", 19)), "");
        check(&page(&[60, 60], "<h2>Elsewhere</h2>", ""), "");
        check(&page(&[60, 60], "<ul><li>b</ul>", ""), "200 201");
        for tag in ["li", "dt", "dd", "h3", "pre"] {
            let page = page(&[60, 60], other, "").replace("<p ", &format!("<{tag} "));
            check(&page.replace("</p>", &format!("</{tag}>")), "");
        }
        let headed = |id: usize| format!("<h2 id={}>a</h2>{}", id - 1, part(&[60, 60], id));
        check(
            &format!("<div>{}</div><h3>c</h3><section>{}</section>", headed(100), headed(200)),
            "199 200 201",
        );
        let with_heading =
            |id: usize| format!("<p id={id}>{0}</p><h3>b</h3><p id={1}>{0}y</p>", text("a", 60), id + 1);
        check(
            &format!("<div>{}</div>{other}<section>{}</section>", with_heading(100), with_heading(200)),
            "200 201",
        );
        let twice = page(&[60, 60], other, "");
        check(&format!("{twice}<div>d</div><aside>{}</aside>", part(&[60, 60], 300)), "200 201 300 301");
        let quoted = format!("<blockquote>{}</blockquote>", part(&[60, 60], 100));
        check(&format!("{quoted}{other}<section>{}</section>", part(&[60, 60], 200)), "");
    }
}
