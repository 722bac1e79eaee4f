//! The numbers of lists and headings, as their programs show them.
//!
//! They are not in the files: they are computed from the formats of the levels and the order of the paragraphs.

use crate::limits::story::MAX_LIST_TEXT_CHARS;
use crate::markdown::ItemMarker;
use crate::shared::numerals::numeral;

/// Levels of a list; Word has nine, LibreOffice ten.
pub(crate) const LEVEL_COUNT: usize = 10;

/// The number formats of Word by their numbers ([MS-OSHARED] section 2.2.1.3), which are those of ECMA-376 in its order.
pub(crate) const WORD_FORMATS: [&str; 32] = [
    "decimal",
    "upperRoman",
    "lowerRoman",
    "upperLetter",
    "lowerLetter",
    "ordinal",
    "cardinalText",
    "ordinalText",
    "hex",
    "chicago",
    "ideographDigital",
    "japaneseCounting",
    "aiueo",
    "iroha",
    "decimalFullWidth",
    "decimalHalfWidth",
    "japaneseLegal",
    "japaneseDigitalTenThousand",
    "decimalEnclosedCircle",
    "decimalFullWidth2",
    "aiueoFullWidth",
    "irohaFullWidth",
    "decimalZero",
    "bullet",
    "ganada",
    "chosung",
    "decimalEnclosedFullstop",
    "decimalEnclosedParen",
    "decimalEnclosedCircleChinese",
    "ideographEnclosedCircle",
    "ideographTraditional",
    "ideographZodiac",
];

/// The format of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListLevel {
    /// The first number.
    pub start: u32,
    /// The format of its number, by the name that [`numeral`] knows; `bullet` for a sign, `none` for nothing.
    pub format: String,
    /// What is shown, see [`ListLevel::set_text`].
    text: String,
    /// The level, from 1, whose items restart the numbers of this one; 0 if none does, `None` if those of any outer level do.
    pub restart: Option<u8>,
    /// The numbers of outer levels are shown in decimal.
    pub is_legal: bool,
}

impl Default for ListLevel {
    fn default() -> ListLevel {
        ListLevel::new(1, "decimal")
    }
}

impl ListLevel {
    /// A level without text.
    pub fn new(start: u32, format: &str) -> ListLevel {
        let format = format.to_owned();
        ListLevel { start, format, text: String::new(), restart: None, is_legal: false }
    }

    /// Sets what is shown: a character below [`LEVEL_COUNT`] is the number of that level.
    pub fn set_text(&mut self, text: impl Iterator<Item = char>) {
        self.text = text.take(MAX_LIST_TEXT_CHARS).collect();
    }
}

/// The numbers of one list, by level.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ListCounters([Option<u32>; LEVEL_COUNT]);

impl ListCounters {
    /// Counts an item of the level `at`, which has the number `start` if there is one, and returns its marker; `None` if the
    /// level shows nothing. A level without format has bullets.
    pub fn next<'l>(
        &mut self,
        at: usize,
        start: Option<u32>,
        level_at: impl Fn(usize) -> Option<&'l ListLevel>,
    ) -> Option<ItemMarker> {
        let at = at.min(LEVEL_COUNT - 1);
        let start_of = |at: usize| level_at(at).map_or(1, |level| level.start);
        let counted = self.0[at].map(|number| number.saturating_add(1));
        self.0[at] = Some(start.or(counted).unwrap_or_else(|| start_of(at)));
        for (below, counter) in self.0.iter_mut().enumerate().skip(at + 1) {
            let restart = level_at(below).and_then(|level| level.restart);
            if restart.is_none_or(|restart| at < usize::from(restart)) {
                *counter = None;
            }
        }
        let Some(level) = level_at(at) else { return Some(ItemMarker::Bullet) };
        let mut text = String::new();
        for c in level.text.chars() {
            match c as usize {
                shown @ 0..LEVEL_COUNT => {
                    let number = self.0[shown].unwrap_or_else(|| start_of(shown));
                    let format = level_at(shown).map_or("decimal", |level| &level.format);
                    let is_decimal = level.is_legal && !matches!(format, "none" | "bullet" | "decimalZero");
                    text.push_str(&numeral(number, if is_decimal { "decimal" } else { format }));
                }
                _ => text.push(c),
            }
        }
        marker_of(text.trim(), &level.format)
    }

    /// Forgets the numbers of a level and of those inside it.
    pub fn restart(&mut self, at: usize) {
        self.0[at.min(LEVEL_COUNT)..].fill(None);
    }
}

/// The marker that a text is: a sign is a bullet, unless it is words (`§ 1`, `Note:`).
fn marker_of(text: &str, format: &str) -> Option<ItemMarker> {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    match (format, letters) {
        ("bullet", 0 | 1) => Some(ItemMarker::Bullet),
        (_, 0) if format == "none" || text.is_empty() => None,
        (_, 0) => Some(ItemMarker::Bullet),
        _ => Some(ItemMarker::Number(text.to_owned())),
    }
}
