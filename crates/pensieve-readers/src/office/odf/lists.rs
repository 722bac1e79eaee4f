//! Lists of OpenDocument: the formats of their levels, and which numbers a list goes on with.
//!
//! Numbers are not in the file: they follow from the nesting, from `text:continue-numbering`, `text:continue-list` and the
//! start values. Source: OpenDocument 1.3 part 3, sections 4.3 (lists), 16.30 (list styles), 19.500 (number formats);
//! `loext:num-list-format` is LibreOffice's.

use crate::limits::odf::MAX_CONTINUED_LISTS;
use crate::office::story::{LEVEL_COUNT, ListCounters, ListLevel};
use crate::shared::xml::XmlTag;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Debug, Clone, Default)]
pub(super) struct ListStyle {
    levels: Vec<ListLevel>,
}

impl ListStyle {
    pub fn level(&self, at: usize) -> Option<&ListLevel> {
        self.levels.get(at)
    }
}

/// Reads the element of one level; outer levels come first.
pub(super) fn read_level(tag: &XmlTag<'_>, style: &mut ListStyle) {
    let number = |name: &str| tag.get(name).and_then(|value| value.parse::<u32>().ok());
    let level = number("level").map(|level| level as usize);
    let Some(count) = level.filter(|level| (1..=LEVEL_COUNT).contains(level)) else { return };
    let bullet = || ListLevel::new(1, "bullet");
    if style.levels.len() < count {
        style.levels.resize_with(count, bullet);
    }
    let at = count - 1;
    if !matches!(tag.name(), "list-level-style-number" | "outline-level-style") {
        return style.levels[at] = bullet();
    }
    let is_doubled = tag.get("num-letter-sync").as_deref() == Some("true");
    let format = match tag.get("num-format").unwrap_or_default().as_str() {
        "" => "none",
        "a" if is_doubled => "lowerLetter",
        "A" if is_doubled => "upperLetter",
        "a" => "lowerAlphabetic",
        "A" => "upperAlphabetic",
        "i" => "lowerRoman",
        "I" => "upperRoman",
        _ => "decimal",
    };
    let mut level = ListLevel::new(number("start-value").unwrap_or(1), format);
    let sign = |at: usize| char::from_u32(at as u32).unwrap_or_default();
    if let Some(mut template) = tag.get("num-list-format") {
        for shown in 0..LEVEL_COUNT {
            template = template.replace(&format!("%{}%", shown + 1), &sign(shown).to_string());
        }
        level.set_text(template.chars());
    } else if format != "none" {
        let shown = number("display-levels").map_or(1, |shown| shown as usize).clamp(1, LEVEL_COUNT);
        let is_number = |outer: &usize| !matches!(&*style.levels[*outer].format, "none" | "bullet");
        let outer = (count.saturating_sub(shown)..at).filter(is_number);
        let numbers = outer.flat_map(|outer| [sign(outer), '.']).chain([sign(at)]);
        let [prefix, suffix] = ["num-prefix", "num-suffix"].map(|name| tag.get(name).unwrap_or_default());
        level.set_text(prefix.chars().chain(numbers).chain(suffix.chars()));
    }
    style.levels[at] = level;
}

#[derive(Debug, Clone, Default)]
pub(super) struct OpenList {
    /// Its style, or that of the list around it.
    pub style: Option<Rc<str>>,
    /// Its `xml:id`, by which another list may continue it.
    pub id: Option<String>,
    pub item: OpenItem,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OpenItem {
    /// One of its paragraphs already has its marker.
    pub is_marked: bool,
    /// It never has a marker.
    pub is_header: bool,
    /// The number that the file gives to it.
    pub start: Option<u32>,
}

/// Numbers of lists that ended, for the lists that continue them.
#[derive(Debug, Default)]
pub(super) struct ContinuedLists {
    by_style: HashMap<Rc<str>, ListCounters>,
    by_id: HashMap<String, ListCounters>,
}

impl ContinuedLists {
    /// Keeps the numbers of a list that ends.
    pub fn save(&mut self, list: &OpenList, counters: ListCounters) {
        if let Some(style) = &list.style
            && (self.by_style.len() < MAX_CONTINUED_LISTS || self.by_style.contains_key(style))
        {
            self.by_style.insert(style.clone(), counters);
        }
        if let Some(id) = &list.id
            && (self.by_id.len() < MAX_CONTINUED_LISTS || self.by_id.contains_key(id))
        {
            self.by_id.insert(id.clone(), counters);
        }
    }

    /// The numbers with which a list begins: those of the list that it continues, if any.
    pub fn begin(&self, tag: &XmlTag<'_>, style: Option<&str>) -> ListCounters {
        let id = tag.get("continue-list");
        let by_id = id.and_then(|id| self.by_id.get(&id)).copied();
        let goes_on = tag.get("continue-numbering").as_deref() == Some("true");
        let by_style = || style.filter(|_| goes_on).and_then(|style| self.by_style.get(style)).copied();
        by_id.or_else(by_style).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::ItemMarker;
    use crate::shared::xml::XmlReader;

    /// Checks the markers of items, each of a level and with a number of its own or none.
    fn check(levels: &str, items: &[(usize, Option<u32>, &str)]) {
        let mut style = ListStyle::default();
        let mut reader = XmlReader::new(levels);
        reader.next();
        while let Some(tag) = reader.next_tag_inside(0) {
            read_level(&tag, &mut style);
        }
        let mut counters = ListCounters::default();
        for (at, start, expected) in items {
            let marker = match counters.next(*at, *start, |at| style.level(at)) {
                Some(ItemMarker::Number(number)) => number,
                Some(ItemMarker::Bullet) => "*".to_owned(),
                None => String::new(),
            };
            assert_eq!(marker, *expected, "level {at} of {levels}");
        }
    }

    #[test]
    fn items_are_counted_by_level() {
        check(
            "<l><list-level-style-number level='1' num-format='1' num-suffix='.'/>\
             <list-level-style-number level='2' num-format='a' num-suffix=')'/>\
             <list-level-style-number level='3' num-format='I' display-levels='3'/></l>",
            &[
                (0, None, "1."),
                (1, None, "a)"),
                (1, None, "b)"),
                (2, None, "1.b.I"),
                (0, Some(7), "7."),
                (1, None, "a)"),
                (0, None, "8."),
            ],
        );
    }

    #[test]
    fn templates_empty_formats_and_letters() {
        check(
            "<l><list-level-style-number level='1' num-format='1' num-list-format='Article %1%:'/>\
             <list-level-style-number level='2' num-format='' num-suffix='.'/>\
             <list-level-style-number level='3' num-format='1' num-prefix='(' num-suffix=')' display-levels='3'/>\
             <list-level-style-number level='4' num-format='a' start-value='28'/>\
             <list-level-style-number level='5' num-format='A' start-value='28' num-letter-sync='true'/></l>",
            &[
                (0, None, "Article 1:"),
                (1, None, ""),
                (2, None, "(1.1)"),
                (3, None, "ab"),
                (4, None, "BB"),
                (9, None, "*"),
                (99, None, "*"),
            ],
        );
    }
}
