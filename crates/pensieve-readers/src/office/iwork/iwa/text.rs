//! Text storages of IWA: one text, and tables with the characters at which styles, lists or fields begin to apply.
//!
//! Positions count UTF-16 units. Source: `TSWP.StorageArchive` and its tables in the programs' descriptors.

use super::super::output::{ContentRegion, UnitContent, push_run};
use super::context::{DocumentContext, StyleProperties};
use super::objects::{ObjectStore, STORAGE_TYPES};
use super::wire::ProtobufMessage;
use crate::limits::iwork::{MAX_ATTRIBUTES, MAX_DRAWABLE_DEPTH, MAX_NOTES, MAX_STYLE_DEPTH};
use crate::markdown::{BaselineShift, Block, ItemMarker, TextRun, TextStyle, Words};
use crate::office::story::{Paragraph, ParagraphRole};
use crate::shared::numerals::numeral;
use std::sync::Arc;

/// The number of list levels.
const MAX_LIST_LEVELS: usize = 9;

/// The objects that apply to a text, each from a character on.
#[derive(Default)]
struct AttributeTable {
    entries: Vec<(u32, Option<u64>)>,
    next: usize,
    now: Option<u64>,
}

impl AttributeTable {
    fn new(table: ProtobufMessage<'_>) -> AttributeTable {
        let entry = |entry: ProtobufMessage<'_>| (entry.number(1).unwrap_or(0) as u32, entry.reference(2));
        let mut entries: Vec<(u32, Option<u64>)> =
            table.messages(1).map(entry).take(MAX_ATTRIBUTES).collect();
        entries.sort_by_key(|(index, _)| *index);
        AttributeTable { entries, next: 0, now: None }
    }

    /// Advances to a character; true if another object applies from there on.
    fn advance(&mut self, index: u32) -> bool {
        let before = self.now;
        while let Some((_, object)) = self.entries.get(self.next).filter(|(start, _)| *start <= index) {
            self.now = *object;
            self.next += 1;
        }
        self.now != before
    }

    /// The object that begins at exactly this character.
    fn at(&mut self, index: u32) -> Option<u64> {
        self.advance(index);
        self.next
            .checked_sub(1)
            .and_then(|last| self.entries.get(last))
            .filter(|(start, _)| *start == index)?
            .1
    }
}

/// The levels of paragraphs: `(first character, level)`.
struct LevelTable {
    entries: Vec<(u32, usize)>,
    next: usize,
    now: usize,
}

impl LevelTable {
    fn new(table: ProtobufMessage<'_>) -> LevelTable {
        let entry = |entry: ProtobufMessage<'_>| {
            let level = entry.number(2).unwrap_or(0).min(MAX_LIST_LEVELS as u64 - 1);
            (entry.number(1).unwrap_or(0) as u32, level as usize)
        };
        let mut entries: Vec<(u32, usize)> = table.messages(1).map(entry).take(MAX_ATTRIBUTES).collect();
        entries.sort_by_key(|(index, _)| *index);
        LevelTable { entries, next: 0, now: 0 }
    }

    fn advance(&mut self, index: u32) -> usize {
        while let Some((_, level)) = self.entries.get(self.next).filter(|(start, _)| *start <= index) {
            self.now = *level;
            self.next += 1;
        }
        self.now
    }
}

/// The properties of a style, inherited ones included. Named paragraph styles show the role of a paragraph, and their
/// bold type is not emphasis.
pub(super) fn style_properties(
    context: &mut DocumentContext<'_, '_>,
    style: u64,
    is_paragraph: bool,
) -> StyleProperties {
    if let Some(look) = context.styles.get(&style) {
        return *look;
    }
    let mut look = StyleProperties::default();
    let mut next = Some(style);
    for _ in 0..MAX_STYLE_DEPTH {
        let Some(object) = next.and_then(|style| context.store.get(style)) else { break };
        if !context.spend(object.message.0.len()) {
            break;
        }
        let base = object.message.message(1);
        let (name, identifier) = (base.text(1), base.text(2));
        if is_paragraph && !name.is_empty() {
            look.heading = heading_of(&name, &identifier);
            break;
        }
        let properties = object.message.message(11);
        let claim = |field| properties.number(field).map(|value| value != 0);
        look.strong = look.strong.or(claim(1));
        look.emphasis = look.emphasis.or(claim(2));
        look.strike = look.strike.or(claim(12));
        let shift = properties.number(10).map(|kind| match kind {
            1 => BaselineShift::Raised,
            2 => BaselineShift::Lowered,
            _ => BaselineShift::None,
        });
        look.shift = look.shift.or(shift);
        next = base.reference(3);
    }
    context.styles.insert(style, look);
    look
}

/// The level of a heading, by the name of its style, or by its identifier if the name is in another language.
fn heading_of(name: &str, identifier: &str) -> Option<u8> {
    let by = |name: &str| match name.trim() {
        "Title" => Some(1),
        "Heading" => Some(1),
        name => name.strip_prefix("Heading ").and_then(|level| level.parse().ok()),
    };
    by(name).or_else(|| by(identifier.rsplit(['-', '_']).next().unwrap_or_default()))
}

/// Builds the paragraphs of a storage.
struct StorageReader {
    region: ContentRegion,
    depth: usize,
    words: Words,
    run: String,
    style: TextStyle,
    base: TextStyle,
    link: Option<Arc<str>>,
    counters: [u32; MAX_LIST_LEVELS],
    list: Option<u64>,
    level: usize,
    heading: Option<u8>,
    /// Objects anchored in the paragraph, which are read after it.
    after: Vec<u64>,
    /// The reading (ruby) of the current characters.
    ruby: Option<String>,
}

/// The tables of a storage, each advanced to the current character.
struct StorageTables {
    paragraphs: AttributeTable,
    lists: AttributeTable,
    characters: AttributeTable,
    attachments: AttributeTable,
    fields: AttributeTable,
    footnotes: AttributeTable,
    rubies: AttributeTable,
    deletions: AttributeTable,
    levels: LevelTable,
}

impl StorageTables {
    fn of(storage: ProtobufMessage<'_>) -> StorageTables {
        let marks = |field| AttributeTable::new(storage.message(field));
        StorageTables {
            paragraphs: marks(5),
            lists: marks(7),
            characters: marks(8),
            attachments: marks(9),
            fields: marks(11),
            footnotes: marks(16),
            rubies: marks(18),
            deletions: marks(22),
            levels: LevelTable::new(storage.message(6)),
        }
    }
}

/// Reads a storage, once, into the current unit.
pub(super) fn read_storage(
    context: &mut DocumentContext<'_, '_>,
    identifier: u64,
    region: ContentRegion,
    depth: usize,
) {
    let store: &ObjectStore = context.store;
    let Some(object) = store.get(identifier).filter(|object| STORAGE_TYPES.contains(&object.kind)) else {
        return;
    };
    if depth > MAX_DRAWABLE_DEPTH || !context.seen.insert(identifier) {
        return;
    }
    let storage = object.message;
    let text: String = storage.all(3).map(String::from_utf8_lossy).collect();
    let mut tables = StorageTables::of(storage);
    let mut reading = StorageReader::new(region, depth);
    let mut index: u32 = 0;
    let mut is_first = true;
    for c in text.chars() {
        if is_first {
            reading.begin_paragraph(context, &mut tables, index);
        }
        reading.go_to(context, &mut tables, index);
        is_first = ends_paragraph(c);
        if tables.deletions.now.is_none() {
            reading.read(c, context, &mut tables, index);
        }
        index = index.saturating_add(c.len_utf16() as u32);
    }
    reading.end_ruby();
    reading.end_paragraph(context);
}

fn ends_paragraph(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2029}' | '\u{4}' | '\u{5}' | '\u{c}')
}

/// The address of a link; fields of other kinds have none.
fn link_of(store: &ObjectStore, field: u64) -> Option<Arc<str>> {
    let object = store.get(field).filter(|object| object.kind == 2032)?;
    let address = object.message.text(2);
    (!address.is_empty() && !address.starts_with(['#', '?'])).then(|| Arc::from(&*address))
}

impl StorageReader {
    fn new(region: ContentRegion, depth: usize) -> StorageReader {
        StorageReader {
            region,
            depth,
            words: Words::default(),
            run: String::new(),
            style: TextStyle::default(),
            base: TextStyle::default(),
            link: None,
            counters: [0; MAX_LIST_LEVELS],
            list: None,
            level: 0,
            heading: None,
            after: Vec::new(),
            ruby: None,
        }
    }

    /// Sets style, list and level of the paragraph that begins here.
    fn begin_paragraph(
        &mut self,
        context: &mut DocumentContext<'_, '_>,
        tables: &mut StorageTables,
        index: u32,
    ) {
        tables.paragraphs.advance(index);
        tables.lists.advance(index);
        self.level = tables.levels.advance(index);
        self.list = tables.lists.now;
        let look =
            tables.paragraphs.now.map(|style| style_properties(context, style, true)).unwrap_or_default();
        self.heading = look.heading;
        self.base = look.over(TextStyle::default());
        self.turn(self.base);
        if let Some(style) = tables.characters.now {
            let look = style_properties(context, style, false);
            self.turn(look.over(self.base));
        }
    }

    /// Sets the style, link and ruby that begin at this character.
    fn go_to(&mut self, context: &mut DocumentContext<'_, '_>, tables: &mut StorageTables, index: u32) {
        if tables.characters.advance(index) {
            let look = tables
                .characters
                .now
                .map(|style| style_properties(context, style, false))
                .unwrap_or_default();
            self.turn(look.over(self.base));
        }
        if tables.fields.advance(index) {
            self.flush();
            self.link = tables.fields.now.and_then(|field| link_of(context.store, field));
        }
        if tables.rubies.advance(index) {
            self.end_ruby();
            let field = tables.rubies.now.and_then(|field| context.store.get(field));
            self.ruby = field.map(|field| field.message.text(2).into_owned()).filter(|text| !text.is_empty());
        }
        tables.deletions.advance(index);
    }

    fn read(
        &mut self,
        c: char,
        context: &mut DocumentContext<'_, '_>,
        tables: &mut StorageTables,
        index: u32,
    ) {
        match c {
            c if ends_paragraph(c) => self.end_paragraph(context),
            '\u{2028}' | '\u{b}' => self.run.push('\n'),
            '\u{fffc}' | '\u{e}' => {
                let object = tables.attachments.at(index).or_else(|| tables.footnotes.at(index));
                if let Some(object) = object {
                    self.attach(context, object);
                }
            }
            '\t' => self.run.push('\t'),
            c if c.is_control() => {}
            c => self.run.push(c),
        }
    }

    fn end_ruby(&mut self) {
        if let Some(read) = self.ruby.take() {
            self.run.push_str(&format!("({read})"));
        }
    }

    /// Sets the style of the words that follow.
    fn turn(&mut self, style: TextStyle) {
        if style != self.style {
            self.flush();
            self.style = style;
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.run);
        let run = TextRun { text, style: self.style, link: self.link.clone(), ..TextRun::default() };
        push_run(&mut self.words, run);
    }

    /// Reads the object that a placeholder character refers to.
    fn attach(&mut self, context: &mut DocumentContext<'_, '_>, identifier: u64) {
        let Some(object) = context.store.get(identifier) else { return };
        match object.kind {
            2003 => self.after.extend(object.message.reference(1)),
            2008 => {
                let Some(storage) = object.message.reference(2) else { return };
                let text = context.plain(storage);
                if text.trim().is_empty() {
                    return;
                }
                if context.notes >= MAX_NOTES {
                    self.run.push_str(&format!(" ({text}) "));
                    return;
                }
                context.notes += 1;
                let label: Arc<str> = context.notes.to_string().into();
                self.flush();
                self.words.push_note(label.clone());
                let blocks = vec![Block::Paragraph(Words::plain(text))];
                context
                    .unit
                    .add(ContentRegion::Footnotes, UnitContent::Block(Block::Note { label, blocks }, None));
            }
            // Page numbers and page counts are useless in a text without pages.
            2004 | 2007 | 2009 | 14 if object.message.number(2).is_none() => {
                self.run.push_str(&object.message.text(1));
            }
            2043 if !matches!(object.message.message(1).number(2), Some(0 | 1)) => {
                self.run.push_str(&object.message.text(3));
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self, context: &mut DocumentContext<'_, '_>) {
        self.flush();
        let words = std::mem::take(&mut self.words);
        if !words.is_blank() {
            let marker = self.marker(context.store).filter(|_| self.region != ContentRegion::Title);
            let heading = self.heading.filter(|_| context.is_pages);
            let role = heading.map_or(ParagraphRole::Body, ParagraphRole::Heading);
            // A heading of Pages does not show the number of a list that its style is in.
            let item = marker.filter(|_| heading.is_none()).map(|marker| (self.level as u8, Some(marker)));
            if let Some(block) = (Paragraph { role, item, words }).into_block() {
                context.add(self.region, UnitContent::Block(block, None), self.depth);
            }
        }
        for object in std::mem::take(&mut self.after) {
            (context.read_drawable)(context, object, self.region, self.depth + 1);
        }
    }

    /// The list marker of the paragraph, if it is a list item.
    fn marker(&mut self, store: &ObjectStore) -> Option<ItemMarker> {
        let style = self.list.and_then(|list| store.get(list)).filter(|object| object.kind == 2023);
        let Some(style) = style.map(|object| object.message) else {
            self.counters = [0; MAX_LIST_LEVELS];
            return None;
        };
        match style.numbers(11).get(self.level) {
            Some(1 | 2) => Some(ItemMarker::Bullet),
            Some(3) => {
                let number = self.counters[self.level].saturating_add(1);
                self.counters[self.level] = number;
                self.counters[self.level + 1..].fill(0);
                let kind = style.numbers(15).get(self.level).copied().unwrap_or(0);
                let format = match kind {
                    3..=5 => "upperRoman",
                    6..=8 => "lowerRoman",
                    9..=11 => "upperAlphabetic",
                    12..=14 => "lowerAlphabetic",
                    _ => "decimal",
                };
                let number = numeral(number, format);
                Some(ItemMarker::Number(match kind {
                    0..=14 if kind % 3 == 1 => format!("({number})"),
                    0..=14 if kind % 3 == 2 => format!("{number})"),
                    _ => format!("{number}."),
                }))
            }
            _ => {
                self.counters = [0; MAX_LIST_LEVELS];
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_hold_until_the_next() {
        let mut marks =
            AttributeTable { entries: vec![(0, Some(1)), (3, None), (5, Some(2))], next: 0, now: None };
        assert!(marks.advance(0));
        assert!(!marks.advance(2));
        assert!(marks.advance(4));
        assert_eq!(marks.at(5), Some(2));
        assert_eq!(marks.at(6), None);
    }

    #[test]
    fn headings_are_known_by_name_or_identifier() {
        assert_eq!(heading_of("Heading 2", ""), Some(2));
        assert_eq!(heading_of("Überschrift", "text-3-paragraphstyle-Heading"), Some(1));
        assert_eq!(heading_of("Body", "text-0-paragraphstyle-Body"), None);
    }
}
