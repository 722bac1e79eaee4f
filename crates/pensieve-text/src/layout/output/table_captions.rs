//! Captions of tables: each goes with its table, because rows say little without it.

use crate::layout::blocks::block::TextBlock;
use crate::layout::blocks::block_class::{BlockClass, BlockClasses};
use crate::layout::blocks::ownership::SectionOwners;
use crate::layout::input::cues::labels_tables;
use crate::model::AuxKind;
use rustc_hash::FxHashSet;

/// The blocks that are captions above or below a table of their section.
pub(crate) fn find(blocks: &[TextBlock], classes: &BlockClasses, owners: &SectionOwners) -> FxHashSet<usize> {
    let mut labelled: Vec<usize> =
        classes.labels.iter().filter(|(_, label)| labels_tables(label)).map(|(at, _)| *at).collect();
    // Hashes have no order, and a table goes to the first caption that claims it.
    labelled.sort_unstable();
    let is_near = |at: usize, other: usize| {
        blocks.get(other).is_some_and(|block| block.page == blocks[at].page)
            && owners.of.get(at) == owners.of.get(other)
    };
    let is_table = |at: usize, other: usize| is_near(at, other) && blocks[other].table.is_some();
    // Some captions have the label in a line of its own.
    let is_title = |at: usize, other: usize| {
        let class = classes.of.get(other).map(|(class, _)| *class);
        let is_aux = matches!(class, Some(BlockClass::Aux(AuxKind::Caption | AuxKind::Callout)));
        is_aux && is_near(at, other) && !classes.labels.contains_key(&other)
    };
    let mut found = FxHashSet::default();
    let mut taken = FxHashSet::default();
    for at in labelled.into_iter().filter(|at| *at < blocks.len()) {
        let below = if is_title(at, at + 1) { at + 2 } else { at + 1 };
        // One table has one caption: with titles above, the next title is below it, too.
        let above = at.checked_sub(1).filter(|above| is_table(at, *above) && !taken.contains(above));
        let is_below = is_table(at, below) && (above.is_none() || is_caption_above(blocks, at, below));
        match above {
            _ if is_below => {
                taken.insert(below);
                found.extend(at..below);
            }
            Some(above) => {
                taken.insert(above);
                found.insert(at);
            }
            None => {}
        }
    }
    found
}

/// True if a caption between two tables is nearer to the lower one.
fn is_caption_above(blocks: &[TextBlock], at: usize, below: usize) -> bool {
    let space_above = blocks[at].bounds.y0 - blocks[at - 1].bounds.y1;
    blocks[below].bounds.y0 - blocks[below - 1].bounds.y1 <= space_above
}
