//! Cells of tables in iWork '09: a list of elements, each with its distance from the one before.
//!
//! `sf:ct` is that distance in a grid of 256 columns: 1 if absent; `256` is the cell below. Source: files of Numbers
//! '09; element names as in the "iWork Programming Guide".

use super::grid::{Grid, NumberFormat, NumberKind, date, duration, number};
use crate::limits::iwork::{MAX_CELL_FORMATS, MAX_XML_TABLE_CELLS};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use std::collections::HashMap;

/// Cells per row of the grid in which distances are counted.
const ROW: u32 = 256;

/// Number formats of cells, by the names of cell styles and of formats.
#[derive(Default)]
pub(super) struct CellFormats {
    styles: HashMap<String, NumberFormat>,
}

impl CellFormats {
    /// Reads the style of a cell, whose element began last.
    pub fn read_style(&mut self, tag: &XmlTag<'_>, reader: &mut XmlReader<'_>) {
        let name = tag.get("ID").or_else(|| tag.get("ident"));
        let outer = reader.outer_depth();
        let mut format = None;
        while let Some(event) = reader.next_inside(outer) {
            match event {
                XmlEvent::Start(tag) if tag.name() == "number-format" => format = format.or(format_of(&tag)),
                _ => {}
            }
        }
        if let (Some(name), Some(format)) = (name, format)
            && self.styles.len() < MAX_CELL_FORMATS
        {
            self.styles.insert(name, format);
        }
    }
}

/// A number format, if it affects the text: currencies and percentages.
fn format_of(tag: &XmlTag<'_>) -> Option<NumberFormat> {
    let kind = match tag.get("format-type").as_deref() {
        Some("1") => NumberKind::Currency,
        Some("2") => NumberKind::Percent,
        _ => return None,
    };
    let decimals = tag.get("format-decimal-places").and_then(|places| places.parse().ok());
    Some(NumberFormat { kind, decimals, currency: tag.get("format-currency-code").unwrap_or_default() })
}

/// Reads the cells of a table, whose element began last.
pub(super) fn read_datasource(reader: &mut XmlReader<'_>, formats: &CellFormats) -> Grid {
    let outer = reader.outer_depth();
    let mut grid = Grid::default();
    let mut at: Option<u32> = None;
    while let Some(tag) = reader.next_tag_inside(outer) {
        let number = |name: &str| tag.get(name).and_then(|value| value.parse::<u32>().ok());
        let distance = number("ct").unwrap_or(u32::from(at.is_some()));
        let place = at.unwrap_or(0).saturating_add(distance);
        at = Some(place);
        let columns = number("col-span").unwrap_or(1);
        let text = read_cell(&tag, reader, formats);
        if grid.cells.len() < MAX_XML_TABLE_CELLS {
            grid.push(place / ROW, place % ROW, columns, text);
        }
    }
    // Distances are never negative, so cells came in order.
    grid
}

/// The text that a cell shows. Its element began last.
fn read_cell(tag: &XmlTag<'_>, reader: &mut XmlReader<'_>, formats: &CellFormats) -> String {
    let outer = reader.outer_depth();
    let style = tag.get("s").and_then(|style| formats.styles.get(&style));
    let mut text = value_of(tag, style);
    let mut choices: HashMap<String, String> = HashMap::new();
    let mut choice: Option<String> = None;
    let mut in_menu = None;
    while let Some(event) = reader.next_inside(outer) {
        match event {
            XmlEvent::Start(inner) => match inner.name() {
                "menu-choices" => in_menu = Some(reader.depth()),
                "proxied-cell-ref" => {
                    let chosen = inner.get("IDREF").and_then(|id| choices.remove(&id));
                    text.push_str(&chosen.unwrap_or_default());
                }
                "ct" if inner.prefix() == "sf" => {
                    let words = inner.get("s").unwrap_or_default();
                    match (&in_menu, choice.take()) {
                        (Some(_), Some(id)) if choices.len() < MAX_CELL_FORMATS => {
                            choices.insert(id, words);
                        }
                        (Some(_), _) => {}
                        (None, _) => text.push_str(&words),
                    }
                }
                "fo" | "cf" | "number-format" => {}
                "p" | "br" | "lnbr" | "tab" => text.push(' '),
                _ if in_menu.is_some() => {
                    choice = inner.get("ID");
                    let value = value_of(&inner, style);
                    if let (Some(id), false) = (&choice, value.is_empty()) {
                        choices.insert(id.clone(), value);
                    }
                }
                _ => text.push_str(&value_of(&inner, style)),
            },
            XmlEvent::End("menu-choices") => in_menu = None,
            XmlEvent::End(_) => {}
            XmlEvent::Text { text: words, .. } => text.push_str(&words.replace(['\n', '\r'], " ")),
        }
    }
    text
}

/// The value of a cell, or of the result of its formula, by its element.
fn value_of(tag: &XmlTag<'_>, style: Option<&NumberFormat>) -> String {
    let value = || tag.get("v");
    let float = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
    match tag.name() {
        "n" | "rn" | "sl" | "st" => float(value()).map(|value| match style {
            Some(format) => format.show(value),
            None => number(value),
        }),
        "d" | "rd" => float(tag.get("cell-date").or_else(value)).map(date),
        "du" | "rdu" => float(value()).map(duration),
        "b" | "rb" | "cb" => value().map(|value| match value.as_str() {
            "true" | "1" => "TRUE".to_owned(),
            _ => "FALSE".to_owned(),
        }),
        "rt" | "rs" => value().or_else(|| tag.get("s").filter(|text| !text.starts_with("SFT"))),
        _ => None,
    }
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_their_distances() {
        let part = "<sf:datasource><sf:t sf:ct='0'><sf:ct sfa:s='a'/></sf:t><sf:g/><sf:n sf:v='4.5'/>\
            <sf:d sf:ct='254' sf:cell-date='276048000'/><sf:f><sf:fo sf:fs='=A1'/><sf:r><sf:rn sf:v='7'/></sf:r></sf:f>\
            <sf:pm><sf:menu-choices><sf:t sfa:ID='x'><sf:ct sfa:s='one'/></sf:t><sf:t sfa:ID='y'><sf:ct sfa:s='two'/></sf:t>\
            </sf:menu-choices><sf:proxied-cell-ref sfa:IDREF='y'/></sf:pm></sf:datasource>";
        let mut reader = XmlReader::new(part);
        reader.next();
        let grid = read_datasource(&mut reader, &CellFormats::default());
        let cells: Vec<(u32, u32, &str)> =
            grid.cells.iter().map(|cell| (cell.row, cell.column, cell.text.as_str())).collect();
        assert_eq!(cells, [(0, 0, "a"), (0, 2, "4.5"), (1, 0, "2009-10-01"), (1, 1, "7"), (1, 2, "two")]);
    }
}
