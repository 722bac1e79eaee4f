//! Lists of OpenDocument: the formats of their levels, and which number comes next.
//!
//! Numbers are not in the file: they are computed from the nesting, from `text:continue-numbering`,
//! `text:continue-list` and the start values. Source: OpenDocument 1.3 part 3, sections 4.3 (lists), 16.30 (list
//! styles), 19.500 (number formats); `loext:num-list-format` is LibreOffice's.

use crate::limits::odf::MAX_CONTINUED_LISTS;
use crate::markdown::ItemMarker;
use crate::shared::numerals::numeral;
use crate::shared::xml::XmlTag;
use std::collections::HashMap;
use std::rc::Rc;

/// Levels of a list; LibreOffice has ten.
const LEVEL_COUNT: usize = 10;

/// The format of one level.
#[derive(Debug, Clone, Default)]
struct ListLevel {
    is_number: bool,
    format: String,
    prefix: String,
    suffix: String,
    template: Option<String>,
    shown: usize,
    start: u32,
    sync: bool,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ListStyle {
    levels: Vec<ListLevel>,
}

/// Reads the element of one level.
pub(super) fn read_level(tag: &XmlTag<'_>, style: &mut ListStyle) {
    let number = |name: &str| tag.get(name).and_then(|value| value.parse::<u32>().ok());
    let Some(at) =
        number("level").map(|level| level as usize).filter(|level| (1..=LEVEL_COUNT).contains(level))
    else {
        return;
    };
    if style.levels.len() < at {
        style.levels.resize(at, ListLevel::default());
    }
    style.levels[at - 1] = ListLevel {
        is_number: matches!(tag.name(), "list-level-style-number" | "outline-level-style"),
        format: tag.get("num-format").unwrap_or_default(),
        prefix: tag.get("num-prefix").unwrap_or_default(),
        suffix: tag.get("num-suffix").unwrap_or_default(),
        template: tag.get("num-list-format"),
        shown: number("display-levels").map_or(1, |shown| shown as usize).clamp(1, LEVEL_COUNT),
        start: number("start-value").unwrap_or(1),
        sync: tag.get("num-letter-sync").as_deref() == Some("true"),
    };
}

impl ListStyle {
    fn level(&self, at: usize) -> Option<&ListLevel> {
        self.levels.get(at)
    }

    fn start(&self, at: usize) -> u32 {
        self.level(at).map_or(1, |level| level.start)
    }
}

/// The numbers of one list, by level.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListCounters([Option<u32>; LEVEL_COUNT]);

impl ListCounters {
    /// Counts an item of a level and returns its marker: `None` if the level shows nothing.
    pub fn next(&mut self, style: &ListStyle, at: usize, restart: Option<u32>) -> Option<ItemMarker> {
        let at = at.min(LEVEL_COUNT - 1);
        let number = restart.unwrap_or_else(|| match self.0[at] {
            Some(number) => number.saturating_add(1),
            None => style.start(at),
        });
        self.0[at] = Some(number);
        self.0[at + 1..].fill(None);
        let Some(level) = style.level(at) else { return Some(ItemMarker::Bullet) };
        if !level.is_number {
            return Some(ItemMarker::Bullet);
        }
        let label = self.label(style, level, at);
        (!label.trim().is_empty()).then(|| ItemMarker::Number(label.trim().to_owned()))
    }

    /// Forgets the numbers of a level and of those inside it.
    pub fn restart(&mut self, at: usize) {
        self.0[at.min(LEVEL_COUNT)..].fill(None);
    }

    fn label(&self, style: &ListStyle, level: &ListLevel, at: usize) -> String {
        let shown = |at: usize| {
            let level = style.level(at)?;
            let number = self.0[at].unwrap_or(level.start);
            (!level.format.is_empty()).then(|| number_text(number, &level.format, level.sync))
        };
        if let Some(template) = &level.template {
            let mut label = template.clone();
            for place in 0..=at {
                label = label.replace(&format!("%{}%", place + 1), &shown(place).unwrap_or_default());
            }
            return if label.contains(char::is_alphanumeric) { label } else { String::new() };
        }
        if level.format.is_empty() {
            return String::new();
        }
        let first = (at + 1).saturating_sub(level.shown);
        let numbers: Vec<String> = (first..=at).filter_map(shown).collect();
        format!("{}{}{}", level.prefix, numbers.join("."), level.suffix)
    }
}

/// A number in one of the formats `1`, `a`, `A`, `i`, `I`.
pub(crate) fn number_text(number: u32, format: &str, sync: bool) -> String {
    match format {
        "a" => letters(number, sync),
        "A" => letters(number, sync).to_uppercase(),
        "i" => numeral(number, "lowerRoman"),
        "I" => numeral(number, "upperRoman"),
        _ => number.to_string(),
    }
}

/// `a` to `z`, then `aa`, `ab`; with `sync` `aa`, `bb`.
fn letters(number: u32, sync: bool) -> String {
    if number == 0 || number > 10_000 {
        return number.to_string();
    }
    let letter = |at: u32| char::from(b'a' + (at % 26) as u8);
    if sync {
        return numeral(number, "lowerLetter");
    }
    let mut rest = number;
    let mut text = Vec::new();
    while rest > 0 {
        text.push(letter(rest - 1));
        rest = (rest - 1) / 26;
    }
    text.iter().rev().collect()
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

    fn style(levels: &[(&str, &str, usize)]) -> ListStyle {
        let level = |(format, suffix, shown): &(&str, &str, usize)| ListLevel {
            is_number: true,
            format: (*format).to_owned(),
            suffix: (*suffix).to_owned(),
            shown: *shown,
            start: 1,
            ..ListLevel::default()
        };
        ListStyle { levels: levels.iter().map(level).collect() }
    }

    #[test]
    fn items_are_counted_by_level() {
        let style = style(&[("1", ".", 1), ("a", ")", 1), ("I", "", 3)]);
        let mut counters = ListCounters::default();
        let mut check = |at, restart, expected: &str| {
            let marker = counters.next(&style, at, restart);
            assert_eq!(marker, Some(ItemMarker::Number(expected.to_owned())));
        };
        check(0, None, "1.");
        check(1, None, "a)");
        check(1, None, "b)");
        check(2, None, "1.b.I");
        check(0, Some(7), "7.");
        check(1, None, "a)");
        check(0, None, "8.");
    }

    #[test]
    fn templates_and_empty_formats() {
        let mut style = style(&[("1", "", 1), ("", ".", 1)]);
        style.levels[0].template = Some("Article %1%:".to_owned());
        let mut counters = ListCounters::default();
        assert_eq!(counters.next(&style, 0, None), Some(ItemMarker::Number("Article 1:".to_owned())));
        assert_eq!(counters.next(&style, 1, None), None);
        assert_eq!(counters.next(&style, 9, None), Some(ItemMarker::Bullet));
        assert_eq!(counters.next(&style, 99, None), Some(ItemMarker::Bullet));
    }

    #[test]
    fn numbers_are_written_in_their_format() {
        assert_eq!([1, 26, 27, 52, 53].map(|number| letters(number, false)), ["a", "z", "aa", "az", "ba"]);
        assert_eq!(letters(28, true), "bb");
        assert_eq!([4, 9, 1999].map(|number| number_text(number, "i", false)), ["iv", "ix", "mcmxcix"]);
    }
}
