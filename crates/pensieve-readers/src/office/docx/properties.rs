//! Properties of paragraphs, runs and cells, which documents, styles and numbering write in the same way.
//!
//! Each function is called when the start of the element is read, and reads up to its end. Properties from before a
//! tracked change are skipped. Source: ECMA-376 part 1, section 17.3 and 17.4.

use crate::markdown::BaselineShift;
use crate::office::story::{CharacterFormat, OpenCell, OpenRow, TextLook};
use crate::shared::symbols::{SymbolFont, is_monospaced};
use crate::shared::xml::{XmlReader, XmlTag};

/// Which list a paragraph is an item of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ListPosition {
    /// The list; 0 for no list.
    pub list: Option<u32>,
    /// The level, from 0.
    pub level: Option<u8>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct RunProperties {
    pub format: CharacterFormat,
    pub style: Option<String>,
    /// The paragraph mark was deleted: the paragraph continues in the next one.
    pub is_deleted: bool,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ParagraphProperties {
    pub style: Option<String>,
    pub place: ListPosition,
    /// From 0; 9 is body text.
    pub outline: Option<u8>,
    /// It is a large letter with which the next paragraph begins.
    pub is_drop_cap: bool,
    /// The distance of its lines from the margin, in twentieths of a point.
    pub indent: Option<i32>,
    /// What is behind the words.
    pub look: TextLook,
    /// The run properties of the paragraph mark.
    pub mark: RunProperties,
    /// References to headers and footers, if a section ends here.
    pub headers_and_footers: Vec<HeaderFooterReference>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeaderFooterReference {
    pub is_footer: bool,
    pub relation: String,
}

/// True unless the value of the element is off.
pub(super) fn is_on(tag: &XmlTag<'_>) -> bool {
    !matches!(tag.get("val").as_deref(), Some("0" | "false" | "off" | "none"))
}

/// The number in an attribute.
pub(super) fn number<T: std::str::FromStr>(tag: &XmlTag<'_>, name: &str) -> Option<T> {
    tag.get(name)?.trim().parse().ok()
}

/// Reads `rPr`.
pub(super) fn run_properties(reader: &mut XmlReader<'_>) -> RunProperties {
    let mut properties = RunProperties::default();
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        let format = &mut properties.format;
        match tag.name() {
            "b" => format.strong = Some(is_on(&tag)),
            "i" => format.emphasis = Some(is_on(&tag)),
            "strike" | "dstrike" => format.strike = Some(is_on(&tag) || format.strike == Some(true)),
            "vanish" => format.look.hidden = Some(is_on(&tag)),
            "color" => format.look.set_colour(&tag.get("val").unwrap_or_default()),
            // In half-points.
            "sz" => {
                if let Some(half_points) = number::<f64>(&tag, "val") {
                    format.look.set_points(half_points / 2.0);
                }
            }
            "shd" => set_shading(&mut format.look, &tag),
            "highlight" => format.look.set_ground(&tag.get("val").unwrap_or_default()),
            "rFonts" | "latin" => {
                let font = tag.get("ascii").or_else(|| tag.get("hAnsi")).or_else(|| tag.get("typeface"));
                if let Some(font) = font {
                    format.code = Some(is_monospaced(&font));
                    format.symbol_font = SymbolFont::of(&font);
                } else if tag.get("asciiTheme").is_some() {
                    format.code = Some(false);
                }
            }
            "vertAlign" => format.shift = tag.get("val").map(|name| BaselineShift::written(&name)),
            // A raised or lowered run may have the distance alone, in half-points.
            "position" if format.shift.is_none() => {
                format.shift = tag.get("val").map(|value| BaselineShift::written(&value))
            }
            "rStyle" => properties.style = tag.get("val"),
            "del" | "moveFrom" => properties.is_deleted = true,
            "rPrChange" => reader.pass(),
            _ => {}
        }
    }
    properties
}

/// Notes what a shading puts behind words: a colour, or a pattern of two.
fn set_shading(look: &mut TextLook, tag: &XmlTag<'_>) {
    let is_pattern = tag.get("val").is_some_and(|pattern| !matches!(pattern.as_str(), "clear" | "nil"));
    look.on_colour |= is_pattern || tag.get("themeFill").is_some();
    look.set_ground(&tag.get("fill").unwrap_or_default());
}

/// The distance from the margin that `ind` sets.
pub(super) fn indent(tag: &XmlTag<'_>) -> Option<i32> {
    number(tag, "left").or_else(|| number(tag, "start"))
}

/// Reads `pPr`.
pub(super) fn paragraph_properties(reader: &mut XmlReader<'_>) -> ParagraphProperties {
    let mut properties = ParagraphProperties::default();
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "pStyle" => properties.style = tag.get("val"),
            "ilvl" => properties.place.level = number(&tag, "val"),
            "numId" => properties.place.list = number(&tag, "val"),
            "outlineLvl" => properties.outline = number(&tag, "val"),
            "framePr" => {
                properties.is_drop_cap = matches!(tag.get("dropCap").as_deref(), Some("drop" | "margin"))
            }
            "ind" => properties.indent = indent(&tag),
            "rPr" => properties.mark = run_properties(reader),
            "shd" => set_shading(&mut properties.look, &tag),
            "sectPr" => properties.headers_and_footers = section_properties(reader),
            "pPrChange" | "tabs" => reader.pass(),
            _ => {}
        }
    }
    properties
}

/// Reads `sectPr`.
pub(super) fn section_properties(reader: &mut XmlReader<'_>) -> Vec<HeaderFooterReference> {
    let mut headers_and_footers = Vec::new();
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            name @ ("headerReference" | "footerReference") => {
                if let Some(relation) = tag.get("id") {
                    headers_and_footers
                        .push(HeaderFooterReference { is_footer: name == "footerReference", relation });
                }
            }
            "sectPrChange" => reader.pass(),
            _ => {}
        }
    }
    headers_and_footers
}

/// Reads `tcPr` into the cell that it belongs to.
pub(super) fn read_cell_properties(reader: &mut XmlReader<'_>, cell: &mut OpenCell) {
    let outer = reader.outer_depth();
    let joins = |tag: &XmlTag<'_>| tag.get("val").as_deref() != Some("restart");
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "gridSpan" => cell.columns = number(&tag, "val").unwrap_or(1).clamp(1, 1000),
            "vMerge" => cell.joins_above = joins(&tag),
            "hMerge" => cell.joins_left = joins(&tag),
            "tcPrChange" => reader.pass(),
            _ => {}
        }
    }
}

/// Reads `trPr` into the row that it belongs to.
pub(super) fn read_row_properties(reader: &mut XmlReader<'_>, row: &mut OpenRow) {
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "gridBefore" => row.before = number(&tag, "val").unwrap_or(0).min(1000),
            "del" => row.is_deleted = true,
            "trPrChange" => reader.pass(),
            _ => {}
        }
    }
}
