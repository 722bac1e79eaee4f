//! Undoes the transforms of a section: the cipher of sealed books, LZX.
//!
//! A list of identifiers of 16 bytes names the transforms, last first, and a stream of control data has a record for
//! each that begins with its length. LZX ([`super::lzx`]) restarts each time its window is full; the reset table has
//! the places of the frames of 32 KiB in the packed bytes. The layout of control data and reset table is known from
//! published notes on ITSS and from books.

use super::cipher::LitCipher;
use super::lzx::{FRAME, LzxDecoder};
use crate::limits::lit::MAX_SECTION_BYTES;
use crate::shared::bytes::usize_le;

/// The identifiers in the bytes of the list.
const DES_TRANSFORM: [u8; 16] =
    [0xa2, 0xe4, 0xf6, 0x67, 0xbf, 0x60, 0xd3, 0x11, 0x85, 0x40, 0x00, 0xc0, 0x4f, 0x58, 0xc3, 0xcf];
const LZX_TRANSFORM: [u8; 16] =
    [0xc6, 0x07, 0x90, 0x0a, 0x76, 0x40, 0xd3, 0x11, 0x87, 0x89, 0x00, 0x00, 0xf8, 0x10, 0x57, 0x54];

/// The data that describe a section's transforms.
#[derive(Debug, Clone, Copy)]
pub(super) struct SectionTransforms<'s> {
    /// The identifiers of its transforms.
    pub list: &'s [u8],
    /// Its parameters.
    pub control: &'s [u8],
    /// The reset table of LZX.
    pub resets: &'s [u8],
    /// The key of the cipher.
    pub key: Option<[u8; 8]>,
}

impl SectionTransforms<'_> {
    /// The original content; false if part of it is missing.
    pub(super) fn undo(&self, mut content: Vec<u8>) -> (Vec<u8>, bool) {
        let mut control = self.control;
        if self.list.len() < 16 {
            // Every section has a transform, so the list is missing.
            return (Vec::new(), false);
        }
        let mut is_whole = true;
        for done in self.list.chunks_exact(16).take(4) {
            let length = usize_le(control, 0).map_or(0, |words| words.saturating_add(1).saturating_mul(4));
            if done == DES_TRANSFORM {
                let Some(key) = self.key else { return (Vec::new(), false) };
                LitCipher::new(key).decipher(&mut content);
            } else if done == LZX_TRANSFORM {
                let (plain, is_all) = self.unpack(&content, control).unwrap_or_default();
                content = plain;
                is_whole &= is_all;
            } else {
                return (Vec::new(), false);
            }
            control = control.get(length..).unwrap_or_default();
        }
        (content, is_whole)
    }

    fn unpack(&self, packed: &[u8], control: &[u8]) -> Option<(Vec<u8>, bool)> {
        if control.get(4..8) != Some(b"LZXC") {
            return None;
        }
        let mut bits = 14;
        let mut size = usize_le(control, 12)?;
        while size > 0 && bits < 32 {
            size >>= 1;
            bits += 1;
        }
        let wanted = usize_le(self.resets, 16)?;
        let first = usize_le(self.resets, 12)?.checked_add(8)?;
        // The table has an entry for each frame but the first, which begins at 0.
        let entries = self.resets.get(first..)?.chunks_exact(8);
        let starts = [0].into_iter().chain(entries.map(|entry| usize_le(entry, 0).unwrap_or(usize::MAX)));
        let starts: Vec<usize> = starts.collect();
        let size = wanted.min(MAX_SECTION_BYTES);
        frames(packed, &starts, bits, size)
    }
}

/// Unpacks frame by frame. A broken frame leaves its place blank, up to the next window.
fn frames(packed: &[u8], starts: &[usize], bits: u32, size: usize) -> Option<(Vec<u8>, bool)> {
    // Windows smaller than a frame are invalid; the decoder refuses them.
    let in_window = (1usize.checked_shl(bits)? / FRAME).max(1);
    let mut plain = Vec::new();
    let mut is_whole = true;
    let (mut decoder, mut window) = (None, 0);
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(packed.len()).min(packed.len());
        if plain.len() >= size || start >= packed.len() {
            break;
        }
        if number % in_window == 0 {
            (decoder, window) = (Some(LzxDecoder::new(bits)?), plain.len());
        }
        let length = FRAME.min(size - plain.len());
        let whole = plain.len() + length;
        let bytes = packed.get(start..end).unwrap_or_default();
        let done = decoder.as_mut().and_then(|decoder| decoder.frame(bytes, &mut plain, window, length));
        if done.is_none() {
            (decoder, is_whole) = (None, false);
            // Other streams of the section keep their places.
            plain.resize(whole, b' ');
        }
    }
    let is_all = plain.len() >= size;
    Some((plain, is_whole && is_all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_or_broken_gives_nothing() {
        let check = |list: &[u8], control: &[u8], resets: &[u8]| {
            let transforms = SectionTransforms { list, control, resets, key: None };
            assert_eq!(transforms.undo(b"content".to_vec()), (Vec::new(), false));
        };
        check(&[1; 16], b"", b"");
        check(b"", b"", b"");
        check(&DES_TRANSFORM, b"", b"");
        check(&LZX_TRANSFORM, b"\xff\xff\xff\xff", b"");
        let mut control = b"\x07\0\0\0LZXC\x02\0\0\0\x01\0\0\0".to_vec();
        control.resize(32, 0);
        check(&LZX_TRANSFORM, &control, &[0xff; 64]);
        // A window of size 0, and a table without entries.
        control[12] = 0;
        let mut resets = [0; 48];
        resets[16] = 9;
        check(&LZX_TRANSFORM, &control, &resets);
    }
}
