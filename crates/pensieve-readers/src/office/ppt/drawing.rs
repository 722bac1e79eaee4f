//! Drawings of slides: shapes with texts in the order in which they are drawn, groups that are tables.
//! Format: [MS-PPT] section 2.5.13 ff., [MS-ODRAW] sections 2.2.13 to 2.2.15 and 2.3.

use super::records::{Record, Records, kinds, u16_at, u32_at};
use super::text::{Links, Text, texts_in};
use crate::markdown::{Block, Table, TableCell, TableRow};
use std::collections::BTreeSet;

/// Groups inside each other.
const DEEPEST: usize = 32;

/// Cells of a table that is drawn as one.
const MOST_CELLS: usize = 5_000;

/// Columns of a table that is drawn as one.
const MOST_COLUMNS: u32 = 60;

/// Rows that a cell of it may cover.
const MOST_ROWS: u32 = 100;

/// What a drawing says, in order.
#[derive(Debug)]
pub(super) enum Drawn {
    /// A text of a shape.
    Text(Text),
    /// A table.
    Table(Vec<PlacedText>),
}

/// A text with the edges of its shape.
#[derive(Debug)]
pub(super) struct PlacedText {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    text: Text,
}

/// The texts of the drawing of a slide; `outline` are the texts that its shapes refer to.
pub(super) fn drawn_on(slide: Record<'_>, outline: &[Text]) -> Vec<Drawn> {
    let mut drawn = Vec::new();
    let Some(drawing) =
        slide.child(kinds::DRAWING).and_then(|drawing| drawing.child(kinds::DRAWING_CONTAINER))
    else {
        return drawn;
    };
    let mut open: Vec<Records<'_>> = vec![drawing.inner()];
    while let Some(records) = open.last_mut() {
        let Some(record) = records.next() else {
            open.pop();
            continue;
        };
        match record.kind {
            kinds::GROUP if is_table(record) => {
                let cells = record.inner().filter(|inner| inner.kind == kinds::SHAPE).take(MOST_CELLS);
                drawn.push(Drawn::Table(cells.filter_map(|shape| placed(shape, outline)).collect()));
            }
            kinds::GROUP if open.len() < DEEPEST => open.push(record.inner()),
            kinds::SHAPE => drawn.extend(text_of(record, outline).map(Drawn::Text)),
            _ => {}
        }
    }
    drawn
}

/// True for a group whose first shape, which stands for the group, says that it is a table.
fn is_table(group: Record<'_>) -> bool {
    const IS_TABLE: u16 = 0x039f;
    let Some(first) = group.child(kinds::SHAPE) else { return false };
    let properties = first.inner().filter(|record| record.kind == kinds::MORE_PROPERTIES);
    properties.flat_map(entries).any(|(property, value)| property & 0x3fff == IS_TABLE && value & 1 != 0)
}

/// Properties with their values.
fn entries(record: Record<'_>) -> impl Iterator<Item = (u16, u32)> {
    let entry = move |at: usize| Some((u16_at(record.body, 6 * at)?, u32_at(record.body, 6 * at + 2)?));
    (0..usize::from(record.instance)).map_while(entry)
}

fn placed(shape: Record<'_>, outline: &[Text]) -> Option<PlacedText> {
    let anchor = shape.child(kinds::CHILD_ANCHOR)?;
    let number = |at| u32_at(anchor.body, at).map(|number| number as i32);
    let (left, top, right, bottom) = (number(0)?, number(4)?, number(8)?, number(12)?);
    // Shapes without a text box are the lines of the table.
    shape.child(kinds::TEXT_BOX)?;
    Some(PlacedText { left, top, right, bottom, text: text_of(shape, outline).unwrap_or_default() })
}

/// The text of a shape: its own, one of the outline, or what is drawn as letters.
fn text_of(shape: Record<'_>, outline: &[Text]) -> Option<Text> {
    let Some(text_box) = shape.child(kinds::TEXT_BOX) else { return drawn_letters(shape) };
    // Text boxes hold records though their head does not always say so.
    let records = Records::new(text_box.body);
    if let Some(reference) = records.clone().find(|record| record.kind == kinds::OUTLINE_REFERENCE) {
        let number = u32_at(reference.body, 0)? as usize;
        return outline.get(number).cloned();
    }
    texts_in(records).into_iter().next()
}

/// The words of a shape that is letters (WordArt), or the description of a picture.
fn drawn_letters(shape: Record<'_>) -> Option<Text> {
    const LETTERS: u16 = 0x00c0;
    const DESCRIPTION: u16 = 0x0381;
    let properties = shape.child(kinds::PROPERTIES)?;
    let mut at = 6 * usize::from(properties.instance);
    let mut found = None;
    for (property, length) in entries(properties).filter(|(property, _)| property & 0x8000 != 0) {
        let end = at.checked_add(length as usize)?;
        let value = properties.body.get(at..end)?;
        at = end;
        let name = property & 0x3fff;
        if name != LETTERS && name != DESCRIPTION {
            continue;
        }
        let units = value.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
        let text = String::from_utf16_lossy(&units);
        // Most descriptions are the names of files that the pictures came from.
        let is_name = name == DESCRIPTION && (!text.contains(' ') || text.contains(['\\', '/']));
        if !is_name && !text.trim().is_empty() {
            found = Some(Text::plain(text.trim()));
        }
    }
    found
}

/// A table from cells that lie beside and below each other; merged ones reach over several of them.
pub(super) fn table_of(cells: &[PlacedText], links: &Links) -> Table {
    let edges = |edge: fn(&PlacedText) -> i32| -> Vec<i32> {
        let edges: BTreeSet<i32> = cells.iter().map(edge).collect();
        edges.into_iter().collect()
    };
    let (lefts, tops) = (edges(|cell| cell.left), edges(|cell| cell.top));
    let count = |edges: &[i32], from: i32, to: i32| {
        let behind = edges.partition_point(|edge| *edge <= from);
        edges.partition_point(|edge| *edge < to).saturating_sub(behind) as u32 + 1
    };
    let mut order: Vec<&PlacedText> = cells.iter().collect();
    order.sort_by_key(|cell| (cell.top, cell.left));
    let mut rows: Vec<TableRow> = Vec::new();
    let mut top = None;
    for cell in order {
        if top != Some(cell.top) {
            rows.push(TableRow::default());
            top = Some(cell.top);
        }
        let Some(row) = rows.last_mut() else { continue };
        let blocks = cell.text.blocks(links).into_iter().map(|block| match block {
            Block::Item { words, .. } => Block::Paragraph(words),
            other => other,
        });
        row.cells.push(TableCell {
            blocks: blocks.collect(),
            columns: count(&lefts, cell.left, cell.right.max(cell.left)).min(MOST_COLUMNS),
            rows: count(&tops, cell.top, cell.bottom.max(cell.top)).min(MOST_ROWS),
        });
    }
    Table { rows }
}
