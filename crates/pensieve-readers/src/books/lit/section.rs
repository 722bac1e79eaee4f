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

    /// A frame whose only block, not compressed, has all bytes of the window.
    fn plain_frame(window: usize, bytes: &[u8]) -> Vec<u8> {
        let head = 3u32 << 28 | (window as u32) << 4;
        let mut packed = vec![(head >> 16) as u8, (head >> 24) as u8, head as u8, (head >> 8) as u8];
        [1u32, 1, 1].iter().for_each(|last| packed.extend_from_slice(&last.to_le_bytes()));
        packed.extend_from_slice(bytes);
        packed
    }

    fn content(size: usize) -> Vec<u8> {
        (0..size).map(|at| b'a' + (at % 23) as u8).collect()
    }

    /// Frames with the place of each.
    fn joined(frames: &[Vec<u8>]) -> (Vec<u8>, Vec<usize>) {
        let mut starts = vec![0];
        frames.iter().for_each(|frame| starts.push(starts[starts.len() - 1] + frame.len()));
        starts.pop();
        (frames.concat(), starts)
    }

    #[test]
    fn each_window_begins_anew() {
        let content = content(2 * FRAME + 100);
        let parts: Vec<&[u8]> = content.chunks(FRAME).collect();
        let small: Vec<Vec<u8>> = parts.iter().map(|part| plain_frame(part.len(), part)).collect();
        // A window of two frames: the second goes on in the block of the first.
        let large = [plain_frame(2 * FRAME, parts[0]), parts[1].to_vec(), plain_frame(100, parts[2])];
        for (bits, packed) in [(15, small.as_slice()), (16, &large)] {
            let (packed, starts) = joined(packed);
            assert_eq!(frames(&packed, &starts, bits, content.len()), Some((content.clone(), true)));
            assert_eq!(
                frames(&packed, &starts, bits, 2 * FRAME),
                Some((content[..2 * FRAME].to_vec(), true))
            );
            let cut = frames(&packed, &starts[..2], bits, content.len());
            assert_eq!(cut, Some((content[..2 * FRAME].to_vec(), false)));
            let cut = frames(&packed[..starts[2]], &starts, bits, content.len());
            assert_eq!(cut, Some((content[..2 * FRAME].to_vec(), false)));
        }
        let (packed, starts) = joined(&small);
        assert_eq!(frames(&packed, &starts, 14, content.len()), None);
        assert_eq!(frames(&packed, &starts, 64, content.len()), None);
    }

    #[test]
    fn broken_frames_are_blank_up_to_the_next_window() {
        let content = content(3 * FRAME);
        let parts: Vec<&[u8]> = content.chunks(FRAME).collect();
        let blank = vec![b' '; FRAME];
        let broken = vec![0xff; 9];
        let frame = |at: usize| plain_frame(FRAME, parts[at]);
        let (packed, starts) = joined(&[frame(0), broken.clone(), frame(2)]);
        let expected = [parts[0], &blank, parts[2]].concat();
        assert_eq!(frames(&packed, &starts, 15, content.len()), Some((expected, false)));
        let (packed, starts) = joined(&[broken, frame(1), frame(2)]);
        let expected = [blank.as_slice(), &blank, parts[2]].concat();
        assert_eq!(frames(&packed, &starts, 16, content.len()), Some((expected, false)));
        // A frame before the one that precedes it is broken too.
        let (packed, _) = joined(&[frame(0), frame(1)]);
        let starts = [0, FRAME + 16, 5];
        let found = frames(&packed, &starts, 15, 2 * FRAME).map(|(_, is_whole)| is_whole);
        assert_eq!(found, Some(false));
    }

    /// The control data of a window, with a record of as many words after the first.
    fn control(words: u32, size: u32) -> Vec<u8> {
        let mut control = words.to_le_bytes().to_vec();
        control.extend_from_slice(b"LZXC\x02\0\0\0");
        control.extend_from_slice(&size.to_le_bytes());
        control.resize(4 * (words as usize + 1), 0);
        control
    }

    /// A reset table whose head has `head` bytes more than eight.
    fn resets(head: u32, size: u32, starts: &[u32]) -> Vec<u8> {
        let mut table = vec![0; 12];
        table.extend(head.to_le_bytes());
        table.extend(size.to_le_bytes());
        table.resize(head as usize + 8, 0);
        starts.iter().for_each(|start| table.extend([start.to_le_bytes(), [0; 4]].concat()));
        table
    }

    #[test]
    fn control_data_and_resets_say_how_a_section_is_packed() {
        let content = content(2 * FRAME + 100);
        let parts: Vec<&[u8]> = content.chunks(FRAME).collect();
        let one: Vec<Vec<u8>> = parts.iter().map(|part| plain_frame(part.len(), part)).collect();
        let two = [plain_frame(2 * FRAME, parts[0]), parts[1].to_vec(), plain_frame(100, parts[2])];
        let four = [plain_frame(4 * FRAME, parts[0]), parts[1].to_vec(), parts[2].to_vec()];
        for (size, packed) in [(1, one.as_slice()), (2, &two), (3, &two), (4, &four), (7, &four)] {
            let (packed, starts) = joined(packed);
            let starts: Vec<u32> = starts[1..].iter().map(|start| *start as u32).collect();
            let transforms = SectionTransforms {
                list: &LZX_TRANSFORM,
                control: &control(6, size),
                resets: &resets(32, content.len() as u32, &starts),
                key: None,
            };
            assert!(transforms.undo(packed) == (content.clone(), true), "{size}");
        }
    }

    #[test]
    fn transforms_are_undone_one_after_the_other() {
        let key = [1, 2, 3, 4, 5, 6, 7, 8];
        let sealed = content(64);
        let deciphered = |times: usize| {
            let mut bytes = sealed.clone();
            (0..times).for_each(|_| LitCipher::new(key).decipher(&mut bytes));
            bytes
        };
        let undo = |list: &[u8], control: &[u8], bytes: Vec<u8>| {
            let resets = resets(32, 64, &[]);
            SectionTransforms { list, control, resets: &resets, key: Some(key) }.undo(bytes)
        };
        for times in [1, 3, 4] {
            assert_eq!(undo(&DES_TRANSFORM.repeat(times), b"", sealed.clone()), (deciphered(times), true));
        }
        // No book has more than four, and bytes after the last are no transform.
        assert_eq!(undo(&DES_TRANSFORM.repeat(5), b"", sealed.clone()), (deciphered(4), true));
        let list = [DES_TRANSFORM.as_slice(), &[1; 15]].concat();
        assert_eq!(undo(&list, b"", sealed.clone()), (deciphered(1), true));
        let list = [LZX_TRANSFORM, DES_TRANSFORM].concat();
        assert_eq!(undo(&list, &control(6, 1), plain_frame(64, &sealed)), (deciphered(1), true));
        // The second transform has the second record.
        let list = [DES_TRANSFORM, LZX_TRANSFORM].concat();
        for (words, more, is_read) in [(0u32, 0, true), (2, 8, true), (3, 12, true), (2, 12, false)] {
            let control = [words.to_le_bytes().as_slice(), &vec![0; more], &control(6, 1)].concat();
            let resets = resets(32, 0, &[]);
            let transforms =
                SectionTransforms { list: &list, control: &control, resets: &resets, key: Some(key) };
            assert_eq!(transforms.undo(Vec::new()), (Vec::new(), is_read), "{words} {more}");
        }
    }
}
