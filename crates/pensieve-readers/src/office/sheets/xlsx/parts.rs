//! The parts that sheets refer to: the workbook, its styles, its shared strings.

use super::super::number::{CellStyles, DateEpoch};
use super::super::rich_text::RichText;
use super::super::row::clip_name;
use super::super::stream::{StreamTag, XmlStream, XmlToken, resolve};
use super::super::strings::SharedStrings;
use super::super::unescape::unescape_characters;
use super::super::workbook::{SheetEntry, Workbook};
use crate::limits::sheets::MAX_SHEETS;
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
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) => match tag.name {
                b"numFmt" => {
                    if let (Some(id), Some(code)) = (tag.number("numFmtId"), tag.get("formatCode")) {
                        styles.define(id, unescape_characters(&code).into_owned());
                    }
                }
                b"cellXfs" => in_cells = true,
                b"xf" if in_cells => styles.push(tag.number("numFmtId").unwrap_or(0)),
                _ => {}
            },
            XmlToken::End(b"cellXfs") => in_cells = false,
            _ => {}
        }
    }
    stream.broken().map(str::to_owned)
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
