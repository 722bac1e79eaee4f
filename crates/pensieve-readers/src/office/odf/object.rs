//! Objects in a text or on a slide: a formula, a chart with its data, a sheet, another text.
//!
//! An object is a document of its own in a folder of the package (OpenDocument 1.3, part 2, section 3.1.2, and part 3,
//! section 10.4.6). A formula becomes a word of its sentence; of other objects titles, paragraphs and rows are read.

use crate::markdown::{Block, Table, TableCell, TableRow, Words};
use crate::shared::formula::formula_of;
use crate::shared::xml::{XmlEvent, XmlReader};

/// The text of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum EmbeddedObject {
    /// A formula, in a line.
    Formula(String),
    Blocks(Vec<Block>),
}

/// Reads the content of an object; `None` if it has no text.
pub(super) fn embedded(part: &str) -> Option<EmbeddedObject> {
    if let Some(formula) = formula_of(part) {
        return Some(EmbeddedObject::Formula(formula));
    }
    let blocks = blocks_of(part);
    (!blocks.is_empty()).then_some(EmbeddedObject::Blocks(blocks))
}

fn blocks_of(part: &str) -> Vec<Block> {
    let mut reader = XmlReader::new(part);
    let mut blocks = Vec::new();
    while let Some(event) = reader.next() {
        let XmlEvent::Start(tag) = event else { continue };
        match tag.name() {
            "automatic-styles" | "styles" | "font-face-decls" | "scripts" | "annotation" => reader.pass(),
            "p" | "h" => push_paragraph(&mut blocks, &reader.text_inside()),
            "table" => {
                let rows = rows_of(&mut reader);
                if !rows.is_empty() {
                    blocks.push(Block::Table(Table { rows }));
                }
            }
            _ => {}
        }
    }
    blocks
}

fn push_paragraph(blocks: &mut Vec<Block>, text: &str) {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !words.is_empty() {
        blocks.push(Block::Paragraph(Words::plain(words)));
    }
}

/// The filled rows of the table that began last.
fn rows_of(reader: &mut XmlReader<'_>) -> Vec<TableRow> {
    let outer = reader.outer_depth();
    let mut rows: Vec<TableRow> = Vec::new();
    let mut cells: Vec<TableCell> = Vec::new();
    while let Some(event) = reader.next_inside(outer) {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "table-cell" | "covered-table-cell" => {
                    let value = tag.get("value");
                    let mut words = reader.text_inside();
                    // Charts may have numbers without the text that shows them.
                    if words.trim().is_empty() {
                        words = value.unwrap_or_default();
                    }
                    let mut blocks = Vec::new();
                    push_paragraph(&mut blocks, &words);
                    cells.push(TableCell { blocks, columns: 1, rows: 1 });
                }
                "shapes" => reader.pass(),
                _ => {}
            },
            XmlEvent::End("table-row") => {
                let filled = cells.iter().rposition(|cell| !cell.blocks.is_empty());
                cells.truncate(filled.map_or(0, |last| last + 1));
                if !cells.is_empty() {
                    rows.push(TableRow { cells: std::mem::take(&mut cells), place: None });
                }
            }
            _ => {}
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::MarkdownDraft;

    fn check(part: &str, expected: &str) {
        let Some(EmbeddedObject::Blocks(blocks)) = embedded(part) else { panic!("no blocks in {part}") };
        let mut draft = MarkdownDraft::new();
        blocks.iter().for_each(|block| draft.push(block));
        assert_eq!(draft.finish().text.trim_end(), expected, "of {part}");
    }

    #[test]
    fn charts_and_sheets_are_titles_and_rows() {
        check(
            "<office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title>\
             <table:table><table:table-rows><table:table-row><table:table-cell/><table:table-cell><text:p>East</text:p>\
             </table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>May</text:p></table:table-cell>\
             <table:table-cell><text:p>4.3</text:p></table:table-cell><table:table-cell/></table:table-row></table:table-rows>\
             </table:table></chart:chart></office:chart></office:body>",
            "Sales\n\n|  | East |\n| - | - |\n| May | 4.3 |",
        );
    }

    #[test]
    fn formulas_are_words_and_nothing_is_nothing() {
        let formula = embedded("<math><mi>a</mi></math>");
        assert_eq!(formula, Some(EmbeddedObject::Formula("a".to_owned())));
        assert_eq!(embedded("<office:body><office:drawing/></office:body>"), None);
        assert_eq!(embedded(""), None);
    }
}
