//! The lists of a document and the numbers of their items.
//!
//! Owns the definitions and which counters belong to which list. Source: ECMA-376 part 1, section 17.9, and what Word does
//! where the standard is silent: lists of one definition continue each other's numbers, unless one of them restarts.

use super::properties::{indent, is_on, number, run_properties};
use super::styles::Styles;
use crate::limits::docx::MAX_LISTS;
use crate::markdown::ItemMarker;
use crate::office::story::{LEVEL_COUNT, ListCounters, ListLevel};
use crate::shared::xml::{XmlEvent, XmlReader};
use std::collections::HashMap;

/// A level, and the style whose paragraphs are its items.
#[derive(Debug, Clone, Default)]
struct StyledLevel {
    level: ListLevel,
    style: Option<String>,
    indent: Option<i32>,
}

/// The levels that are defined.
type Levels = [Option<Box<StyledLevel>>; LEVEL_COUNT];

/// A definition that lists share.
#[derive(Debug, Default)]
struct ListDefinition {
    levels: Levels,
    /// The style of the list whose definition is used instead.
    style_link: Option<String>,
}

/// A list.
#[derive(Debug, Default)]
struct ListInstance {
    definition: u32,
    /// Numbers with which its levels begin, whatever the definition has counted.
    starts: [Option<u32>; LEVEL_COUNT],
    levels: Levels,
}

/// The lists of a document and their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, ListDefinition>,
    lists: HashMap<u32, ListInstance>,
    /// By definition.
    counters: HashMap<u32, ListCounters>,
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
                        let list = numbering.with_starts(read_list(&mut reader));
                        numbering.lists.insert(id, list);
                    }
                }
                _ => {}
            }
        }
        numbering
    }

    /// A list whose levels begin with the numbers that it sets; definitions stand before lists.
    fn with_starts(&self, mut list: ListInstance) -> ListInstance {
        let definition = self.definitions.get(&list.definition);
        for at in 0..LEVEL_COUNT {
            let of_definition = definition.and_then(|definition| definition.levels[at].as_ref());
            let styled = list.levels[at].as_ref().or(of_definition).cloned();
            if let Some((start, mut styled)) = list.starts[at].zip(styled) {
                styled.level.start = start;
                list.levels[at] = Some(styled);
            }
        }
        list
    }

    /// The level of a list that belongs to a paragraph style.
    pub fn level_of_style(&self, list: u32, style: &str) -> Option<u8> {
        let definition = self.definitions.get(&self.lists.get(&list)?.definition)?;
        let fits = |level: &Option<Box<StyledLevel>>| {
            level.as_ref().is_some_and(|level| level.style.as_deref() == Some(style))
        };
        definition.levels.iter().position(fits).map(|level| level as u8)
    }

    /// The distance from the margin of the items of a level.
    pub fn indent(&self, list: u32, level: u8) -> Option<i32> {
        let (list, at) = (self.lists.get(&list)?, usize::from(level));
        let definition = || self.definitions.get(&list.definition)?.levels.get(at)?.as_ref();
        list.levels.get(at)?.as_ref().or_else(definition)?.indent
    }

    /// Counts a paragraph and returns its marker; `None` if there is no such list, or its level shows nothing.
    pub fn next(&mut self, list: u32, level: u8, styles: &mut Styles) -> Option<ItemMarker> {
        let at = usize::from(level).min(LEVEL_COUNT - 1);
        let list = self.linked_list(list, styles);
        let found = self.lists.get_mut(&list)?;
        let start = found.starts[at].take();
        let definition = self.definitions.get(&found.definition);
        let level_at = |at: usize| {
            let of_definition = || definition.and_then(|definition| definition.levels[at].as_ref());
            found.levels[at].as_ref().or_else(of_definition).map(|styled| &styled.level)
        };
        level_at(at)?;
        self.counters.entry(found.definition).or_default().next(at, start, level_at)
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

fn read_definition(reader: &mut XmlReader<'_>) -> ListDefinition {
    let mut definition = ListDefinition::default();
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "lvl" => {
                let at: Option<usize> = number(&tag, "ilvl");
                let level = read_level(reader);
                if let Some(slot) = at.and_then(|at| definition.levels.get_mut(at)) {
                    *slot = Some(Box::new(level));
                }
            }
            "numStyleLink" => definition.style_link = tag.get("val"),
            _ => {}
        }
    }
    definition
}

fn read_list(reader: &mut XmlReader<'_>) -> ListInstance {
    let mut list = ListInstance::default();
    let mut at = LEVEL_COUNT;
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
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
        }
    }
    list
}

fn read_level(reader: &mut XmlReader<'_>) -> StyledLevel {
    let mut styled = StyledLevel::default();
    let level = &mut styled.level;
    let (mut text, mut symbol_font) = (String::new(), None);
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "start" => level.start = number(&tag, "val").unwrap_or(1),
            "numFmt" => {
                level.format = tag.get("val").unwrap_or_default();
                // A custom format is given as an example: `001, 002, 003, ...`.
                if level.format == "custom"
                    && tag.get("format").is_some_and(|format| format.starts_with("00"))
                {
                    level.format = "decimalZero3".to_owned();
                }
            }
            "lvlText" => text = tag.get("val").unwrap_or_default(),
            "lvlRestart" => level.restart = number(&tag, "val"),
            "isLgl" => level.is_legal = is_on(&tag),
            "pStyle" => styled.style = tag.get("val"),
            "ind" => styled.indent = indent(&tag),
            "rPr" => symbol_font = run_properties(reader).format.symbol_font,
            _ => {}
        }
    }
    match symbol_font.filter(|_| level.format == "bullet") {
        Some(symbol_font) => level.set_text(symbol_font.text(&text).chars()),
        None => level.set_text(with_numbers(&text)),
    }
    styled
}

/// The text of a level, with `%1` to `%9` as the numbers of levels.
fn with_numbers(template: &str) -> impl Iterator<Item = char> {
    let mut rest = template.chars().peekable();
    std::iter::from_fn(move || {
        let c = rest.next()?;
        let level = rest.next_if(|after| c == '%' && matches!(after, '1'..='9'));
        Some(level.and_then(|level| char::from_u32(level as u32 - '1' as u32)).unwrap_or(c))
    })
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
            assert_eq!(label, Some(ItemMarker::Number((*expected).to_owned())), "of {list} {level}");
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
        assert_eq!(numbering.next(3, 0, &mut styles), Some(ItemMarker::Bullet));
        assert_eq!(numbering.next(9, 0, &mut styles), None);
        assert_eq!(numbering.next(3, 5, &mut styles), None);
        assert_eq!(numbering.level_of_style(1, "H"), Some(0));
    }
}
