//! The parts that sheets refer to: the workbook, its styles, its shared strings.

use super::super::number::{CellStyles, DateEpoch};
use super::super::rich_text::RichText;
use super::super::row::clip_name;
use super::super::stream::{StreamTag, XmlStream, XmlToken, resolve};
use super::super::strings::SharedStrings;
use super::super::unescape::unescape_characters;
use super::super::workbook::{SheetEntry, Workbook};
use crate::limits::sheets::{MAX_CELL_STYLES, MAX_SHEETS};
use crate::markdown::BaselineShift;
use std::io::Read;

/// Reads the workbook part.
pub(super) fn read_workbook(source: impl Read) -> Workbook {
    let mut stream = XmlStream::new(source);
    let mut book = Workbook::default();
    while let Some(token) = stream.next() {
        let XmlToken::Start(tag) = token else { continue };
        match tag.name {
            b"workbookPr" if tag.is_set("date1904") => book.epoch = DateEpoch::Year1904,
            b"sheet" if book.sheets.len() < MAX_SHEETS => book.sheets.push(SheetEntry {
                name: clip_name(&unescape_characters(&tag.get("name").unwrap_or_default())),
                // Any prefix is possible, but the attribute without a prefix is a different one.
                relation: tag
                    .attributes()
                    .find(|(key, _)| key.ends_with(b":id"))
                    .map_or_else(String::new, |(_, id)| clip_name(&resolve(id))),
                is_hidden: tag.get("state").is_some_and(|state| state != "visible"),
            }),
            _ => {}
        }
    }
    book
}

/// The sheets of a package whose workbook does not name them.
pub(super) fn sheets_by_name(names: &[String]) -> Vec<SheetEntry> {
    let is_sheet = |name: &&String| {
        let name = name.to_ascii_lowercase();
        name.contains("worksheets/sheet") && (name.ends_with(".xml") || name.ends_with(".bin"))
    };
    let mut parts: Vec<&String> = names.iter().filter(is_sheet).take(MAX_SHEETS).collect();
    parts.sort_by_key(|name| (name.len(), *name));
    let stem = |name: &str| {
        name.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default().to_owned()
    };
    parts
        .into_iter()
        .map(|name| SheetEntry { name: stem(name), relation: name.clone(), is_hidden: false })
        .collect()
}

/// Reads the styles part; returns the reason if it ended early.
pub(super) fn read_styles(source: impl Read, styles: &mut CellStyles) -> Option<String> {
    let mut stream = XmlStream::new(source);
    let mut in_cells = false;
    // Fonts in white, and fills that leave a cell white, by their numbers.
    let (mut fonts, mut fills): (Vec<bool>, Vec<bool>) = Default::default();
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) => match tag.name {
                b"font" if !in_cells && fonts.len() < MAX_CELL_STYLES => fonts.push(false),
                b"fill" if !in_cells && fills.len() < MAX_CELL_STYLES => fills.push(true),
                b"color" if fills.is_empty() => {
                    fonts.iter_mut().next_back().into_iter().for_each(|font| *font = is_white(&tag))
                }
                b"patternFill" => {
                    let is_none = tag.get("patternType").is_none_or(|kind| kind == "none");
                    fills.iter_mut().next_back().into_iter().for_each(|fill| *fill = is_none);
                }
                b"gradientFill" => fills.iter_mut().next_back().into_iter().for_each(|fill| *fill = false),
                b"numFmt" => {
                    if let (Some(id), Some(code)) = (tag.number("numFmtId"), tag.get("formatCode")) {
                        styles.define(id, unescape_characters(&code).into_owned());
                    }
                }
                b"cellXfs" => in_cells = true,
                b"xf" if in_cells => {
                    styles.push(tag.number("numFmtId").unwrap_or(0));
                    let is = |list: &[bool], name| {
                        tag.number(name).and_then(|at| list.get(at as usize)).copied() == Some(true)
                    };
                    if is(&fonts, "fontId") && is(&fills, "fillId") {
                        styles.hide_last();
                    }
                }
                _ => {}
            },
            XmlToken::End(b"cellXfs") => in_cells = false,
            _ => {}
        }
    }
    stream.broken().map(str::to_owned)
}

/// True for the colour of paper: white, that of the theme's background, or that number of the palette (ECMA-376 part 1,
/// 18.8.27).
fn is_white(tag: &StreamTag<'_>) -> bool {
    let is = |name, white: &[&str]| tag.get(name).is_some_and(|value| white.contains(&&*value));
    let is_pure = tag.get("tint").is_none();
    // Writers give the unused alpha of a colour as 255 or as 0.
    is_pure && (is("rgb", &["FFFFFFFF", "00FFFFFF"]) || is("theme", &["0"]) || is("indexed", &["1", "9"]))
}

/// Whether a run stands above or below the line.
pub(super) fn shift_of(tag: &StreamTag<'_>) -> BaselineShift {
    BaselineShift::written(&tag.get("val").unwrap_or_default())
}

/// Reads the shared strings; returns the reason if they ended early.
pub(super) fn read_strings(source: impl Read, strings: &mut SharedStrings) -> Option<String> {
    let mut stream = XmlStream::new(source);
    let (mut is_text, mut runs) = (false, RichText::default());
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) => match tag.name {
                b"t" => is_text = true,
                b"r" => runs.begin_run(),
                b"vertAlign" => runs.shift(shift_of(&tag)),
                // The pronunciation.
                b"rPh" => stream.skip_element(),
                _ => {}
            },
            XmlToken::End(b"t") => is_text = false,
            XmlToken::End(b"si") if strings.is_full() => return None,
            XmlToken::End(b"si") => {
                runs.end(|words| strings.push_str(words));
                strings.end();
            }
            XmlToken::Text(raw) if is_text => {
                runs.push(&unescape_characters(&resolve(raw)), |words| strings.push_str(words));
            }
            XmlToken::Verbatim(raw) if is_text => {
                runs.push(&String::from_utf8_lossy(raw), |words| strings.push_str(words));
            }
            _ => {}
        }
    }
    stream.broken().map(str::to_owned)
}
