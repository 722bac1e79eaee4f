//! Bullets and numbers of paragraphs on slides, as set by the paragraph, its shape, the layout or the master.
//!
//! Source: ECMA-376 part 1, sections 21.1.2.4 (bullets and numbers), 19.3.1.36 (placeholders), 19.3.1.51 (text styles).

use crate::shared::numerals::numeral;
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use std::collections::HashMap;

/// Levels of paragraphs.
pub(super) const LEVEL_COUNT: usize = 9;

/// What precedes the text of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BulletFormat {
    None,
    /// A symbol or picture.
    Symbol,
    /// A number of this type, with its start.
    Number(String, u32),
}

impl BulletFormat {
    /// The bullet that an element defines, if it defines one.
    pub fn of(tag: &XmlTag<'_>) -> Option<BulletFormat> {
        match tag.name() {
            "buNone" => Some(BulletFormat::None),
            "buChar" | "buBlip" => Some(BulletFormat::Symbol),
            "buAutoNum" => {
                let start = tag.get("startAt").and_then(|start| start.parse().ok()).unwrap_or(1);
                Some(BulletFormat::Number(tag.get("type").unwrap_or_default(), start))
            }
            _ => None,
        }
    }
}

/// A number in the format of its type: `romanLcParenBoth` is `(iv)`.
pub(super) fn number(kind: &str, value: u32) -> String {
    const FORMATS: &[(&str, &str)] = &[
        ("alphaLc", "lowerLetter"),
        ("alphaUc", "upperLetter"),
        ("romanLc", "lowerRoman"),
        ("romanUc", "upperRoman"),
        ("arabicDb", "decimalFullWidth"),
        ("arabic", "decimal"),
        ("circleNum", "decimalEnclosedCircle"),
        ("ea1Chs", "chineseCounting"),
        ("ea1Cht", "taiwaneseCounting"),
        ("ea1Jpn", "japaneseCounting"),
        ("thaiAlpha", "thaiLetters"),
        ("thaiNum", "thaiNumbers"),
        ("hindiNum", "hindiNumbers"),
    ];
    let format =
        FORMATS.iter().find(|(name, _)| kind.starts_with(name)).map_or("decimal", |(_, format)| format);
    let number = numeral(value, format);
    match kind {
        placeholder_type if placeholder_type.ends_with("ParenBoth") => format!("({number})"),
        placeholder_type if placeholder_type.ends_with("ParenR") => format!("{number})"),
        placeholder_type if placeholder_type.ends_with("Plain") || placeholder_type.starts_with("circle") => {
            number
        }
        _ => format!("{number}."),
    }
}

/// The bullets of the levels that define them.
pub(super) type LevelBullets = [Option<BulletFormat>; LEVEL_COUNT];

/// Reads an element with `lvl1pPr` to `lvl9pPr` inside, such as `lstStyle`, to its end.
pub(super) fn read_levels(reader: &mut XmlReader<'_>) -> LevelBullets {
    let mut levels = LevelBullets::default();
    let mut level = LEVEL_COUNT;
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        {
            if let Some(at) = level_of(tag.name()) {
                level = at;
            } else if let (Some(bullet), Some(slot)) = (BulletFormat::of(&tag), levels.get_mut(level)) {
                *slot = Some(bullet);
            }
        }
    }
    levels
}

fn level_of(name: &str) -> Option<usize> {
    let digit = name.strip_prefix("lvl")?.strip_suffix("pPr")?;
    digit.parse::<usize>().ok()?.checked_sub(1).filter(|&level| level < LEVEL_COUNT)
}

/// A placeholder: its type, and its number on the layout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Placeholder {
    pub placeholder_type: String,
    pub index: String,
}

impl Placeholder {
    /// The placeholder that `ph` names.
    pub fn of(tag: &XmlTag<'_>) -> Placeholder {
        Placeholder {
            placeholder_type: tag.get("type").unwrap_or_default(),
            index: tag.get("idx").unwrap_or_default(),
        }
    }

    /// True for the title of a slide.
    pub fn is_title(&self) -> bool {
        matches!(self.placeholder_type.as_str(), "title" | "ctrTitle")
    }

    /// True for placeholders whose text is a list by default.
    pub fn is_body(&self) -> bool {
        matches!(self.placeholder_type.as_str(), "" | "body" | "obj")
    }
}

/// The bullets that a layout or master gives to its placeholders.
#[derive(Debug, Default)]
pub(super) struct LayoutBullets {
    placeholders: HashMap<(bool, String), LevelBullets>,
    body: LevelBullets,
    /// It paints no area.
    pub is_plain: bool,
    /// It is a master whose theme has white paper.
    pub is_white: bool,
}

impl LayoutBullets {
    /// Reads a layout or master.
    pub fn read(source: &str) -> LayoutBullets {
        let mut layout = LayoutBullets::default();
        let mut reader = XmlReader::new(source);
        let mut place = None;
        while let Some(event) = reader.next() {
            let XmlEvent::Start(tag) = event else { continue };
            match tag.name() {
                "sp" => place = None,
                "ph" => place = Some(Placeholder::of(&tag)),
                "lstStyle" => {
                    let levels = read_levels(&mut reader);
                    if let Some(place) = place.take() {
                        layout.placeholders.insert((false, place.index), levels.clone());
                        layout.placeholders.entry((true, place.placeholder_type)).or_insert(levels);
                    }
                }
                "bodyStyle" => layout.body = read_levels(&mut reader),
                _ => {}
            }
        }
        layout
    }

    /// The bullet of a level in a placeholder.
    pub fn bullet(&self, place: &Placeholder, level: usize) -> Option<&BulletFormat> {
        let by_index =
            (!place.index.is_empty()).then(|| self.placeholders.get(&(false, place.index.clone()))).flatten();
        let found = by_index.or_else(|| self.placeholders.get(&(true, place.placeholder_type.clone())));
        found.and_then(|levels| levels.get(level)?.as_ref())
    }

    /// The bullet of a level of running text.
    pub fn body(&self, level: usize) -> Option<&BulletFormat> {
        self.body.get(level)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_their_kind() {
        let numbers =
            ["romanLcParenBoth", "alphaUcPeriod", "arabicPlain", "arabicParenR", "circleNumWdWhitePlain"];
        assert_eq!(
            numbers.map(|placeholder_type| number(placeholder_type, 4)),
            ["(iv)", "D.", "4", "4)", "④"]
        );
    }

    #[test]
    fn layouts_give_bullets_by_index_and_type() {
        let layout = LayoutBullets::read(
            "<l><sp><ph type='body' idx='3'/><lstStyle><lvl1pPr><buNone/></lvl1pPr><lvl2pPr><buChar char='x'/></lvl2pPr></lstStyle></sp>\
             <bodyStyle><lvl1pPr><buAutoNum type='arabicPeriod'/></lvl1pPr></bodyStyle></l>",
        );
        let place = |placeholder_type: &str, index: &str| Placeholder {
            placeholder_type: placeholder_type.into(),
            index: index.into(),
        };
        assert_eq!(layout.bullet(&place("", "3"), 0), Some(&BulletFormat::None));
        assert_eq!(layout.bullet(&place("body", "9"), 1), Some(&BulletFormat::Symbol));
        assert_eq!(layout.bullet(&place("pic", "4"), 0), None);
        assert_eq!(layout.body(0), Some(&BulletFormat::Number("arabicPeriod".into(), 1)));
    }
}
