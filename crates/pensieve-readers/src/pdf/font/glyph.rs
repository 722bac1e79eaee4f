//! The glyph of a code: its characters and its advance.

use hayro_cmap::BfString;
use std::rc::Rc;

/// The glyph of a code.
#[derive(Debug, Clone)]
pub(crate) struct Glyph {
    /// Its characters.
    pub(crate) text: GlyphText,
    /// How far it advances in thousandths of the font size: to the right, or in vertical writing upwards.
    pub(crate) advance: f64,
    /// In vertical writing: the offset of the glyph's own origin from the writing position, in thousandths.
    pub(crate) shift: (f64, f64),
}

/// The characters of a glyph.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GlyphText {
    /// The characters are not known.
    Unmapped,
    /// One character, as nearly always.
    Char(char),
    /// Several: a ligature.
    Text(Rc<str>),
}

impl GlyphText {
    /// From a text; control characters and placeholders are not text.
    pub(super) fn new(text: &str) -> GlyphText {
        let is_meaningless =
            |c: char| matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffd}');
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => GlyphText::Unmapped,
            (Some(c), None) if is_meaningless(c) => GlyphText::Unmapped,
            (Some(c), None) => GlyphText::Char(if c.is_whitespace() { ' ' } else { c }),
            _ if text.chars().all(is_meaningless) => GlyphText::Unmapped,
            _ => GlyphText::Text(text.chars().filter(|&c| !is_meaningless(c)).collect::<String>().into()),
        }
    }

    /// From an entry of a character map.
    pub(super) fn from_map(text: &BfString) -> GlyphText {
        match text {
            BfString::Char(c) => GlyphText::new(c.encode_utf8(&mut [0; 4])),
            BfString::String(text) => GlyphText::new(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_say_nothing_are_no_text() {
        assert_eq!(GlyphText::new("\0"), GlyphText::Unmapped);
        assert_eq!(GlyphText::new(""), GlyphText::Unmapped);
        assert_eq!(GlyphText::new("\u{a0}"), GlyphText::Char(' '));
        assert_eq!(GlyphText::new("fi"), GlyphText::Text("fi".into()));
        assert_eq!(GlyphText::new("a\0b"), GlyphText::Text("ab".into()));
    }
}
