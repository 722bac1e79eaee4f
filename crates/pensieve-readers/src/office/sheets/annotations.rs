//! Comments on cells, and the memory for texts that are kept until their sheet ends.

use crate::limits::sheets::MAX_HELD_TEXT_BYTES;

/// A comment on a cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CellComment {
    /// The cell's row, from 1.
    pub row: u32,
    /// The cell's column, from 1.
    pub column: u32,
    /// The author, if the file names one.
    pub author: String,
    pub text: String,
}

impl CellComment {
    /// True if it fits into the allowance, from which its bytes are taken.
    pub fn fits(&self, allowance: &mut TextAllowance) -> bool {
        allowance.take(&self.text) && allowance.take(&self.author)
    }
}

/// Excel writes the author's name at the start of the text as well.
pub(super) fn without_author(mut comment: CellComment) -> CellComment {
    let author = comment.author.trim();
    if !author.is_empty()
        && let Some(rest) = comment.text.trim_start().strip_prefix(author)
        && let Some(rest) = rest.trim_start().strip_prefix(':')
    {
        comment.text = rest.trim_start().to_owned();
    }
    comment
}

/// Bytes left for texts that are kept until their sheet or document ends: such texts may be many and long.
#[derive(Debug)]
pub(super) struct TextAllowance(usize);

impl Default for TextAllowance {
    fn default() -> TextAllowance {
        TextAllowance(MAX_HELD_TEXT_BYTES)
    }
}

impl TextAllowance {
    /// Takes the bytes that a text needs; false if fewer are left.
    pub fn take(&mut self, text: &str) -> bool {
        let needed = text.len() + size_of::<String>();
        let fits = needed <= self.0;
        self.0 -= if fits { needed } else { 0 };
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_fits_with_its_text_and_its_author() {
        let comment = |text: &str, author: &str| CellComment {
            text: text.to_owned(),
            author: author.to_owned(),
            ..CellComment::default()
        };
        let both = 2 * size_of::<String>() + "a text".len() + "an author".len();
        assert!(comment("a text", "an author").fits(&mut TextAllowance(both)));
        assert!(!comment("a text", "an author").fits(&mut TextAllowance(both - 1)));
        assert!(!comment("a text that is too long", "").fits(&mut TextAllowance(both - "a text".len())));
        let mut allowance = TextAllowance(both + 1);
        assert!(comment("a text", "an author").fits(&mut allowance));
        assert_eq!(allowance.0, 1);
    }
}
