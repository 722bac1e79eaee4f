//! Drawings of slides: texts of shapes in drawing order, and groups of shapes that are tables. Format: [MS-PPT]
//! section 2.5.13 ff., [MS-ODRAW] sections 2.2.13 to 2.2.15 and 2.3.

use super::records::{Record, Records, kinds};
use super::text::{LinkTargets, ShapeText, texts_in};
use crate::limits::ppt::{MAX_CELL_COLUMNS, MAX_CELL_ROWS, MAX_GROUP_DEPTH, MAX_TABLE_CELLS};
use crate::markdown::{Block, Table, TableCell, TableRow};
use crate::shared::bytes::{u16_le, u32_le};
use std::collections::BTreeSet;

/// A text or table of a drawing.
#[derive(Debug)]
pub(super) enum SlideItem {
    /// The text of a shape.
    Text(ShapeText),
    /// The cells of a table.
    Table(Vec<PositionedText>),
}

/// The text of a shape with the edges of the shape.
#[derive(Debug)]
pub(super) struct PositionedText {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    text: ShapeText,
}

/// The texts and tables of the drawing of a slide; `outline` are the texts to which its shapes refer.
pub(super) fn items_on(slide: Record<'_>, outline: &[ShapeText]) -> Vec<SlideItem> {
    let mut items = Vec::new();
    let Some(drawing) =
        slide.child(kinds::DRAWING).and_then(|drawing| drawing.child(kinds::DRAWING_CONTAINER))
    else {
        return items;
    };
    let mut open: Vec<Records<'_>> = vec![drawing.inner()];
    while let Some(records) = open.last_mut() {
        let Some(record) = records.next() else {
            open.pop();
            continue;
        };
        match record.kind {
            kinds::GROUP if is_table(record) => {
                let cells = record.inner().filter(|inner| inner.kind == kinds::SHAPE).take(MAX_TABLE_CELLS);
                items.push(SlideItem::Table(
                    cells.filter_map(|shape| positioned_text(shape, outline)).collect(),
                ));
            }
            kinds::GROUP if open.len() < MAX_GROUP_DEPTH => open.push(record.inner()),
            kinds::SHAPE => items.extend(text_of(record, outline).map(SlideItem::Text)),
            _ => {}
        }
    }
    items
}

/// True for a group whose first shape, which describes the group, declares it a table.
fn is_table(group: Record<'_>) -> bool {
    const IS_TABLE: u16 = 0x039f;
    let Some(first) = group.child(kinds::SHAPE) else { return false };
    let properties = first.inner().filter(|record| record.kind == kinds::MORE_PROPERTIES);
    properties.flat_map(entries).any(|(property, value)| property & 0x3fff == IS_TABLE && value & 1 != 0)
}

/// Properties with their values.
fn entries(record: Record<'_>) -> impl Iterator<Item = (u16, u32)> {
    let entry = move |at: usize| Some((u16_le(record.body, 6 * at)?, u32_le(record.body, 6 * at + 2)?));
    (0..usize::from(record.instance)).map_while(entry)
}

fn positioned_text(shape: Record<'_>, outline: &[ShapeText]) -> Option<PositionedText> {
    let anchor = shape.child(kinds::CHILD_ANCHOR)?;
    let number = |at| u32_le(anchor.body, at).map(|number| number as i32);
    let (left, top, right, bottom) = (number(0)?, number(4)?, number(8)?, number(12)?);
    // Shapes without a text box are the lines of the table.
    shape.child(kinds::TEXT_BOX)?;
    Some(PositionedText { left, top, right, bottom, text: text_of(shape, outline).unwrap_or_default() })
}

/// The text of a shape: its own, one of the outline, or its WordArt or description.
fn text_of(shape: Record<'_>, outline: &[ShapeText]) -> Option<ShapeText> {
    let Some(text_box) = shape.child(kinds::TEXT_BOX) else { return alternative_text(shape) };
    // Text boxes contain records, although their head does not always say so.
    let records = Records::new(text_box.body);
    if let Some(reference) = records.clone().find(|record| record.kind == kinds::OUTLINE_REFERENCE) {
        let number = u32_le(reference.body, 0)? as usize;
        return outline.get(number).cloned();
    }
    texts_in(records).into_iter().next()
}

/// The words of WordArt, or the description of a picture.
fn alternative_text(shape: Record<'_>) -> Option<ShapeText> {
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
        // Most descriptions are the names of the files of the pictures.
        let is_name = name == DESCRIPTION && (!text.contains(' ') || text.contains(['\\', '/']));
        if !is_name && !text.trim().is_empty() {
            found = Some(ShapeText::plain(text.trim()));
        }
    }
    found
}

/// Builds a table from cells with edges; a merged cell covers several columns or rows.
pub(super) fn table_of(cells: &[PositionedText], links: &LinkTargets) -> Table {
    let edges = |edge: fn(&PositionedText) -> i32| -> Vec<i32> {
        let edges: BTreeSet<i32> = cells.iter().map(edge).collect();
        edges.into_iter().collect()
    };
    let (lefts, tops) = (edges(|cell| cell.left), edges(|cell| cell.top));
    let count = |edges: &[i32], from: i32, to: i32| {
        let after = edges.partition_point(|edge| *edge <= from);
        edges.partition_point(|edge| *edge < to).saturating_sub(after) as u32 + 1
    };
    let mut order: Vec<&PositionedText> = cells.iter().collect();
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
            columns: count(&lefts, cell.left, cell.right.max(cell.left)).min(MAX_CELL_COLUMNS),
            rows: count(&tops, cell.top, cell.bottom.max(cell.top)).min(MAX_CELL_ROWS),
        });
    }
    Table { rows }
}
