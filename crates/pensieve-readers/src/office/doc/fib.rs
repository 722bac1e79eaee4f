//! The head of a Word document, its "file information block": which Word wrote it, how long its stories are, and where
//! its tables are. Format: [MS-DOC] section 2.5; for Word 6 and 95 the "Word 6.0 binary file format" of Microsoft,
//! "FIB".

use super::bytes::{slice_at, u8_at};
use crate::shared::bytes::{u16_le, u32_le};
use std::ops::Range;

/// The generation of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordVersion {
    /// Word 97 to 2003.
    Word97,
    /// Word 6 and 95.
    Word6,
    /// Word for Windows 1 and 2, whose files are not compound files.
    Word2,
}

/// The tables that are read, by their index among the pairs of position and length in the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FibTable {
    Styles = 1,
    FootnoteReferences = 2,
    FootnoteTexts = 3,
    CommentReferences = 4,
    CommentTexts = 5,
    Headers = 11,
    Looks = 12,
    Paragraphs = 13,
    Fonts = 15,
    Pieces = 33,
    CommentOwners = 36,
    Shapes = 40,
    EndnoteReferences = 46,
    EndnoteTexts = 47,
    TextBoxes = 56,
    ListTable = 73,
    ListUses = 74,
}

/// The stories, in the order of their texts in the document stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoryKind {
    Body,
    Footnotes,
    Headers,
    /// The story before it, of macros, is empty since Word 6.
    Comments = 4,
    Endnotes,
    TextBoxes,
    HeaderTextBoxes,
}

/// The head of a document.
#[derive(Debug, Clone)]
pub(super) struct Fib {
    pub version: WordVersion,
    pub is_encrypted: bool,
    pub is_obfuscated: bool,
    /// The last save appended text and formats instead of rewriting the file.
    pub is_complex: bool,
    /// The tables are in the stream `1Table`.
    pub uses_second_table: bool,
    pub language: u16,
    /// The document was written on a Macintosh, in its code page.
    pub is_macintosh: bool,
    /// The place of the text if there is no piece table.
    pub text: Range<usize>,
    lengths: [u32; 8],
    head: Vec<u8>,
}

impl Fib {
    /// Reads the head of a document stream; `None` if it has none.
    pub(super) fn parse(stream: &[u8]) -> Option<Fib> {
        let version = match u16_le(stream, 0)? {
            0xa5ec if u16_le(stream, 2)? >= 106 => WordVersion::Word97,
            // The last three are those of the East Asian editions.
            0xa5ec | 0xa5dc | 0xa697 | 0xa698 | 0xa699 => WordVersion::Word6,
            0xa5db | 0xa59b | 0xa59c => WordVersion::Word2,
            _ => return None,
        };
        let flags = u16_le(stream, 10)?;
        let lengths_at = if version == WordVersion::Word97 { 0x4c } else { 0x34 };
        let mut lengths = [0; 8];
        for (at, length) in lengths.iter_mut().enumerate() {
            // No story is longer than its stream.
            *length = u32_le(stream, lengths_at + 4 * at).unwrap_or(0).min(stream.len() as u32);
        }
        let start = u32_le(stream, 0x18)? as usize;
        let end = (u32_le(stream, 0x1c)? as usize).min(stream.len());
        Some(Fib {
            version,
            is_encrypted: flags & 0x0100 != 0,
            is_obfuscated: flags & 0x8000 != 0,
            is_complex: flags & 0x0004 != 0,
            uses_second_table: flags & 0x0200 != 0,
            language: u16_le(stream, 6)?,
            is_macintosh: u8_at(stream, 0x12) == Some(1) || u16_le(stream, 0x14) == Some(256),
            text: start.min(end)..end,
            lengths,
            head: slice_at(stream, 0, 0x9a + 8 * 110).to_vec(),
        })
    }

    /// The positions of the characters of a story.
    pub(super) fn story(&self, story: StoryKind) -> Range<u32> {
        let at = story as usize;
        let start: u32 = self.lengths[..at].iter().sum();
        start..start + self.lengths[at]
    }

    /// Position and length of a table in its stream; a length of 0 if there is none.
    pub(super) fn place(&self, which: FibTable) -> (usize, usize) {
        let index = which as usize;
        let at = match self.version {
            WordVersion::Word97 => 0x9a + 8 * index,
            // Word 6 has other fields between the earlier and the later tables.
            WordVersion::Word6 if index <= FibTable::CommentOwners as usize => 0x58 + 8 * index,
            WordVersion::Word6 if which == FibTable::EndnoteReferences => 0x1d2,
            WordVersion::Word6 if which == FibTable::EndnoteTexts => 0x1da,
            _ => return (0, 0),
        };
        let number = |at| u32_le(&self.head, at).unwrap_or(0) as usize;
        (number(at), number(at + 4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_lie_at_the_places_of_their_version() {
        // Every word of the head is its own position.
        let head =
            (0..0x9a + 8 * 110).step_by(2).flat_map(|at| u16::try_from(at).unwrap().to_le_bytes()).collect();
        let mut fib = Fib {
            version: WordVersion::Word97,
            is_encrypted: false,
            is_obfuscated: false,
            is_complex: false,
            uses_second_table: false,
            language: 0,
            is_macintosh: false,
            text: 0..0,
            lengths: [0; 8],
            head,
        };
        let start = |fib: &Fib, which| fib.place(which).0 & 0xffff;
        assert_eq!(start(&fib, FibTable::Styles), 0xa2);
        assert_eq!(start(&fib, FibTable::ListUses), 0x2ea);
        fib.version = WordVersion::Word6;
        assert_eq!(start(&fib, FibTable::Styles), 0x60);
        // The last before the fields that differ.
        assert_eq!(start(&fib, FibTable::CommentOwners), 0x178);
        assert_eq!(fib.place(FibTable::Shapes), (0, 0));
        assert_eq!(start(&fib, FibTable::EndnoteReferences), 0x1d2);
        assert_eq!(start(&fib, FibTable::EndnoteTexts), 0x1da);
        fib.version = WordVersion::Word2;
        assert_eq!(fib.place(FibTable::Styles), (0, 0));
    }
}
