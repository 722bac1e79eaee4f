//! The piece table of Word: which bytes of the document stream are which characters, with one or two bytes per
//! character. Format: [MS-DOC] sections 2.4.1, 2.8.35, 2.9.38, 2.9.73, 2.9.177.

use super::bytes::{Plc, slice_at, u8_at};
use super::fib::WordVersion;
use crate::shared::bytes::{u16_le, u32_le};
use std::ops::Range;

/// An entry of the piece table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextPiece {
    /// Its characters, counted through the document.
    pub characters: Range<u32>,
    /// The position of its first byte in the document stream.
    pub start: u32,
    /// A character takes two bytes.
    pub is_wide: bool,
}

impl TextPiece {
    /// Bytes of a character.
    pub(super) fn width(&self) -> u32 {
        if self.is_wide { 2 } else { 1 }
    }
}

/// The entries of a piece table; empty if it cannot be read. `stream` is the length of the document stream.
pub(super) fn pieces_of(table: &[u8], version: WordVersion, stream: usize) -> Vec<TextPiece> {
    let mut at = 0;
    while u8_at(table, at) == Some(1) {
        at += 3 + usize::from(u16_le(table, at + 1).unwrap_or(0));
    }
    if u8_at(table, at) != Some(2) {
        return Vec::new();
    }
    let length = u32_le(table, at + 1).unwrap_or(0) as usize;
    let plc = Plc::new(slice_at(table, at + 5, length), 8);
    let mut pieces: Vec<TextPiece> = Vec::new();
    for index in 0..plc.len() {
        let place = u32_le(plc.record(index), 2);
        let (Some(first), Some(last), Some(place)) = (plc.position(index), plc.position(index + 1), place)
        else {
            break;
        };
        let after = pieces.last().map_or(0, |piece| piece.characters.end);
        let (start, is_wide) = match version {
            WordVersion::Word97 if place & 0x4000_0000 != 0 => ((place & 0x3fff_ffff) / 2, false),
            WordVersion::Word97 => (place & 0x3fff_ffff, true),
            _ => (place, false),
        };
        if first < after || last <= first || start as usize >= stream {
            continue;
        }
        let width = if is_wide { 2 } else { 1 };
        let most = (stream as u32).saturating_sub(start) / width;
        pieces.push(TextPiece { characters: first..last.min(first.saturating_add(most)), start, is_wide });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stay_in_their_stream() {
        let mut table = vec![1, 2, 0, 9, 9, 2];
        table.extend(28u32.to_le_bytes());
        for position in [0u32, 5, 100] {
            table.extend(position.to_le_bytes());
        }
        for place in [0x4000_0000u32 | 2048, 1100] {
            table.extend([0, 0]);
            table.extend(place.to_le_bytes());
            table.extend([0, 0]);
        }
        let pieces = pieces_of(&table, WordVersion::Word97, 1200);
        assert_eq!(
            pieces,
            [
                TextPiece { characters: 0..5, start: 1024, is_wide: false },
                TextPiece { characters: 5..55, start: 1100, is_wide: true }
            ]
        );
        assert!(pieces_of(b"\x07", WordVersion::Word97, 1200).is_empty());
    }
}
