//! Numbers of lists and headings, as Word shows them.
//!
//! They are not in the file: they are computed from the definitions of its lists and the order of its paragraphs.
//! Owns the definitions and the counters. Source: ECMA-376 part 1, section 17.9, and what Word does where the
//! standard is silent: lists of one definition continue each other's numbers, unless one of them restarts.

use super::properties::{is_on, number, run_properties};
use super::styles::Styles;
use crate::limits::docx::{MAX_LIST_TEXT_BYTES, MAX_LISTS};
use crate::shared::numerals::numeral;
use crate::shared::symbols::SymbolFont;
use crate::shared::xml::{XmlEvent, XmlReader};
use std::collections::HashMap;

/// Levels of a list.
const LEVEL_COUNT: usize = 9;

/// The format of a level.
#[derive(Debug, Clone, Default)]
struct ListLevel {
    start: Option<u32>,
    format: String,
    text: String,
    /// The level whose items restart the numbers of this one; 0 if no level does.
    restart: Option<u8>,
    is_legal: bool,
    style: Option<String>,
    symbol_font: Option<SymbolFont>,
}

/// A definition that lists share.
#[derive(Debug, Default)]
struct ListDefinition {
    levels: [Option<ListLevel>; LEVEL_COUNT],
    /// The style of the list whose definition is used instead.
    style_link: Option<String>,
}

/// A list.
#[derive(Debug, Default)]
struct ListInstance {
    definition: u32,
    starts: [Option<u32>; LEVEL_COUNT],
    levels: [Option<Box<ListLevel>>; LEVEL_COUNT],
}

/// What precedes the text of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ListLabel {
    Bullet,
    /// A number or another text.
    Text(String),
    None,
}

/// The lists of a document and their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, ListDefinition>,
    lists: HashMap<u32, ListInstance>,
    /// By definition.
    counters: HashMap<u32, [Option<u32>; LEVEL_COUNT]>,
    /// Lists and levels whose own start value was used.
    started: HashMap<u32, [bool; LEVEL_COUNT]>,
}

impl Numbering {
    /// Reads the numbering part.
    pub fn read(source: &str) -> Numbering {
        let mut numbering = Numbering::default();
        let mut reader = XmlReader::new(source);
        while let Some(event) = reader.next() {
            let XmlEvent::Start(tag) = event else { continue };
            let count = numbering.definitions.len() + numbering.lists.len();
            match tag.name() {
                "numPicBullet" => reader.pass(),
                "abstractNum" if count < MAX_LISTS => {
                    if let Some(id) = number(&tag, "abstractNumId") {
                        numbering.definitions.insert(id, read_definition(&mut reader));
                    }
                }
                "num" if count < MAX_LISTS => {
                    if let Some(id) = number(&tag, "numId") {
                        numbering.lists.insert(id, read_list(&mut reader));
                    }
                }
                _ => {}
            }
        }
        numbering
    }

    /// The level of a list that belongs to a paragraph style.
    pub fn level_of_style(&self, list: u32, style: &str) -> Option<u8> {
        let definition = self.definitions.get(&self.lists.get(&list)?.definition)?;
        let fits = |level: &Option<ListLevel>| {
            level.as_ref().is_some_and(|level| level.style.as_deref() == Some(style))
        };
        definition.levels.iter().position(fits).map(|level| level as u8)
    }

    /// Counts a paragraph and returns its label; `None` if there is no such list.
    pub fn next(&mut self, list: u32, level: u8, styles: &mut Styles) -> Option<ListLabel> {
        let at = usize::from(level).min(LEVEL_COUNT - 1);
        let list = self.linked_list(list, styles);
        let found = self.lists.get(&list)?;
        let definition = self.definitions.get(&found.definition);
        let level_at = |at: usize| {
            found.levels[at]
                .as_deref()
                .or_else(|| definition.and_then(|definition| definition.levels[at].as_ref()))
        };
        let level = level_at(at)?;
        let counters = self.counters.entry(found.definition).or_default();
        let started = self.started.entry(list).or_default();
        let own_start = found.starts[at].filter(|_| !std::mem::replace(&mut started[at], true));
        let start_of =
            |at: usize| found.starts[at].or_else(|| level_at(at).and_then(|level| level.start)).unwrap_or(1);
        let value = match (own_start, counters[at]) {
            (Some(start), _) => start,
            (None, Some(value)) => value.saturating_add(1),
            (None, None) => start_of(at),
        };
        counters[at] = Some(value);
        for (below, counter) in counters.iter_mut().enumerate().skip(at + 1) {
            let restart = level_at(below).and_then(|level| level.restart);
            // Counted from 1; the default is the level itself.
            if restart.is_none_or(|restart| restart > 0 && at < usize::from(restart)) {
                *counter = None;
            }
        }
        if level.format == "bullet" {
            return Some(bullet(level));
        }
        let shown = |shown: usize| {
            let value = counters[shown].unwrap_or_else(|| start_of(shown));
            let format = level_at(shown).map_or("decimal", |level| &level.format);
            let is_decimal = level.is_legal && !matches!(format, "none" | "bullet" | "decimalZero");
            numeral(value, if is_decimal { "decimal" } else { format })
        };
        let text = label_text(&level.text, shown);
        Some(if text.trim().is_empty() { ListLabel::None } else { ListLabel::Text(text.trim().to_owned()) })
    }

    /// The list that a list defined by a style refers to.
    fn linked_list(&self, list: u32, styles: &mut Styles) -> u32 {
        let definition = self.lists.get(&list).and_then(|list| self.definitions.get(&list.definition));
        let link = definition.filter(|definition| definition.levels.iter().all(Option::is_none));
        let link = link.and_then(|definition| definition.style_link.as_deref());
        link.and_then(|style| styles.list_of(style))
            .filter(|real| self.lists.contains_key(real))
            .unwrap_or(list)
    }
}

/// A symbol is a bullet; other texts in its place (`§ 1`, `Note:`) are words.
fn bullet(level: &ListLevel) -> ListLabel {
    let text =
        level.symbol_font.map_or_else(|| level.text.clone(), |symbol_font| symbol_font.text(&level.text));
    let is_word = text.trim().chars().count() > 1 && text.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    if is_word { ListLabel::Text(text.trim().to_owned()) } else { ListLabel::Bullet }
}

/// The text of a level with `%1` to `%9` replaced.
fn label_text(template: &str, shown: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut rest = template.chars().peekable();
    while let Some(c) = rest.next().filter(|_| text.len() < MAX_LIST_TEXT_BYTES) {
        let level =
            (c == '%').then(|| rest.peek().and_then(|c| c.to_digit(10))).flatten().filter(|&level| level > 0);
        match level {
            Some(level) => {
                rest.next();
                text.push_str(&shown(level as usize - 1));
            }
            None => text.push(c),
        }
    }
    text
}

fn read_definition(reader: &mut XmlReader<'_>) -> ListDefinition {
    let mut definition = ListDefinition::default();
    let outer = reader.depth().saturating_sub(1);
    while reader.depth() > outer {
        match reader.next() {
            Some(XmlEvent::Start(tag)) => match tag.name() {
                "lvl" => {
                    let at: Option<usize> = number(&tag, "ilvl");
                    let level = read_level(reader);
                    if let Some(slot) = at.and_then(|at| definition.levels.get_mut(at)) {
                        *slot = Some(level);
                    }
                }
                "numStyleLink" => definition.style_link = tag.get("val"),
                _ => {}
            },
            Some(_) => {}
            None => break,
        }
    }
    definition
}

fn read_list(reader: &mut XmlReader<'_>) -> ListInstance {
    let mut list = ListInstance::default();
    let mut at = LEVEL_COUNT;
    let outer = reader.depth().saturating_sub(1);
    while reader.depth() > outer {
        match reader.next() {
            Some(XmlEvent::Start(tag)) => match tag.name() {
                "abstractNumId" => list.definition = number(&tag, "val").unwrap_or_default(),
                "lvlOverride" => at = number(&tag, "ilvl").unwrap_or(LEVEL_COUNT),
                "startOverride" => {
                    if let Some(start) = list.starts.get_mut(at) {
                        *start = number(&tag, "val");
                    }
                }
                "lvl" => {
                    let level = read_level(reader);
                    if let Some(slot) = list.levels.get_mut(at) {
                        *slot = Some(Box::new(level));
                    }
                }
                _ => {}
            },
            Some(_) => {}
            None => break,
        }
    }
    list
}

fn read_level(reader: &mut XmlReader<'_>) -> ListLevel {
    let mut level = ListLevel { format: "decimal".to_owned(), ..ListLevel::default() };
    let outer = reader.depth().saturating_sub(1);
    while reader.depth() > outer {
        match reader.next() {
            Some(XmlEvent::Start(tag)) => match tag.name() {
                "start" => level.start = number(&tag, "val"),
                "numFmt" => {
                    level.format = tag.get("val").unwrap_or_default();
                    // A custom format is given as an example: `001, 002, 003, ...`.
                    if level.format == "custom"
                        && tag.get("format").is_some_and(|format| format.starts_with("00"))
                    {
                        level.format = "decimalZero3".to_owned();
                    }
                }
                "lvlText" => {
                    level.text =
                        tag.get("val").filter(|text| text.len() <= MAX_LIST_TEXT_BYTES).unwrap_or_default()
                }
                "lvlRestart" => level.restart = number(&tag, "val"),
                "isLgl" => level.is_legal = is_on(&tag),
                "pStyle" => level.style = tag.get("val"),
                "rPr" => level.symbol_font = run_properties(reader).format.symbol_font,
                _ => {}
            },
            Some(_) => {}
            None => break,
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: &str = "<numbering>\
        <abstractNum abstractNumId='0'>\
          <lvl ilvl='0'><start val='1'/><numFmt val='decimal'/><lvlText val='%1.'/><pStyle val='H'/></lvl>\
          <lvl ilvl='1'><start val='1'/><numFmt val='lowerLetter'/><lvlText val='%1.%2)'/></lvl>\
          <lvl ilvl='2'><numFmt val='upperRoman'/><lvlText val='%1-%2-%3'/><lvlRestart val='1'/><isLgl/></lvl>\
        </abstractNum>\
        <abstractNum abstractNumId='1'><lvl ilvl='0'><numFmt val='bullet'/><lvlText val='&#xF0B7;'/>\
          <rPr><rFonts ascii='Symbol'/></rPr></lvl></abstractNum>\
        <num numId='1'><abstractNumId val='0'/></num>\
        <num numId='2'><abstractNumId val='0'/><lvlOverride ilvl='0'><startOverride val='5'/></lvlOverride></num>\
        <num numId='3'><abstractNumId val='1'/></num></numbering>";

    fn check(steps: &[(u32, u8, &str)]) {
        let mut numbering = Numbering::read(LISTS);
        let mut styles = Styles::default();
        for (list, level, expected) in steps {
            let label = numbering.next(*list, *level, &mut styles);
            assert_eq!(label, Some(ListLabel::Text((*expected).to_owned())), "of {list} {level}");
        }
    }

    #[test]
    fn numbers_go_on_and_start_anew() {
        check(&[(1, 0, "1."), (1, 0, "2."), (1, 1, "2.a)"), (1, 1, "2.b)"), (1, 0, "3."), (1, 1, "3.a)")]);
        check(&[(1, 0, "1."), (2, 0, "5."), (2, 0, "6."), (1, 0, "7.")]);
        check(&[
            (1, 1, "1.a)"),
            (1, 2, "1-1-1"),
            (1, 1, "1.b)"),
            (1, 2, "1-2-2"),
            (1, 0, "1."),
            (1, 2, "1-1-1"),
        ]);
    }

    #[test]
    fn bullets_and_unknown_lists() {
        let mut numbering = Numbering::read(LISTS);
        let mut styles = Styles::default();
        assert_eq!(numbering.next(3, 0, &mut styles), Some(ListLabel::Bullet));
        assert_eq!(numbering.next(9, 0, &mut styles), None);
        assert_eq!(numbering.next(3, 5, &mut styles), None);
        assert_eq!(numbering.level_of_style(1, "H"), Some(0));
    }
}
