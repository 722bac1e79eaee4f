//! The format of characters, as far as Markdown can express it or it says whether anybody can see them.

use super::text_look::TextLook;
use crate::markdown::{BaselineShift, TextStyle};
use crate::shared::symbols::SymbolFont;

/// The format of characters; a field is `None` if their style, or what is around them, decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CharacterFormat {
    /// Bold.
    pub strong: Option<bool>,
    /// Italic.
    pub emphasis: Option<bool>,
    /// Struck through.
    pub strike: Option<bool>,
    /// Monospaced.
    pub code: Option<bool>,
    /// Above or below the line.
    pub shift: Option<BaselineShift>,
    /// Whether they can be seen.
    pub look: TextLook,
    /// The font, if it shows symbols instead of letters.
    pub symbol_font: Option<SymbolFont>,
}

impl CharacterFormat {
    /// This format, completed by that of a style.
    pub fn over(self, base: CharacterFormat) -> CharacterFormat {
        CharacterFormat {
            strong: self.strong.or(base.strong),
            emphasis: self.emphasis.or(base.emphasis),
            strike: self.strike.or(base.strike),
            code: self.code.or(base.code),
            shift: self.shift.or(base.shift),
            look: self.look.over(base.look),
            symbol_font: self.symbol_font.or(base.symbol_font),
        }
    }

    /// What Markdown expresses of it.
    pub fn style(self) -> TextStyle {
        TextStyle {
            strong: self.strong == Some(true),
            emphasis: self.emphasis == Some(true),
            strike: self.strike == Some(true),
            code: self.code == Some(true),
            shift: self.shift.unwrap_or_default(),
        }
    }
}
