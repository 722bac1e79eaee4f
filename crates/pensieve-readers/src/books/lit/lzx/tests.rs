//! Streams of LZX, written bit by bit with codes of equal lengths.

use super::*;

#[test]
fn slots_are_as_the_specification_lists_them() {
    let check = |slot: usize, base: usize, extra: u32| assert_eq!(slot_base(slot), (base, extra), "{slot}");
    check(3, 3, 0);
    check(4, 4, 1);
    check(5, 6, 1);
    check(8, 16, 3);
    check(34, 131_072, 16);
    check(35, 196_608, 16);
    check(36, 262_144, 17);
    check(49, 1_966_080, 17);
}

#[test]
fn a_block_without_compression_is_copied() {
    // No header, kind 3, a size of 3, to the next word; three distances; the bytes.
    let head: u32 = 3 << 28 | 3 << 4;
    let mut packed = vec![(head >> 16) as u8, (head >> 24) as u8, head as u8, (head >> 8) as u8];
    [1u32, 1, 1].iter().for_each(|last| packed.extend_from_slice(&last.to_le_bytes()));
    packed.extend_from_slice(b"abc\0");
    let mut out = Vec::new();
    let mut decoder = LzxDecoder::new(15).unwrap();
    assert_eq!(decoder.frame(&packed, &mut out, 0, 3), Some(()));
    assert_eq!(out, b"abc");
    assert_eq!(decoder.frame(&[], &mut out, 0, 3), None);
}

#[test]
fn broken_data_end() {
    let mut state = 1u32;
    for _ in 0..200 {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let mut packed: Vec<u8> = (0..500).map(|_| next()).collect();
        packed[1] = packed[1] & 0x0f | 0x10;
        let mut out = Vec::new();
        let _ = LzxDecoder::new(17).unwrap().frame(&packed, &mut out, 0, FRAME);
        assert!(out.len() <= FRAME);
    }
}

/// Writes bits into words of 16 bits, the highest first.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    word: u32,
    count: u32,
}

impl BitWriter {
    fn put(&mut self, bits: usize, count: u32) {
        for at in (0..count).rev() {
            self.word = self.word << 1 | (bits >> at & 1) as u32;
            self.count += 1;
            if self.count == 16 {
                self.bytes.extend((self.word as u16).to_le_bytes());
                (self.word, self.count) = (0, 0);
            }
        }
    }

    /// Fills the word; a whole one if it is already full.
    fn align(&mut self) {
        self.put(0, 16 - self.count);
    }

    fn begin(&mut self, kind: usize, size: usize) {
        self.put(kind, 3);
        self.put(size, 24);
    }

    /// The lengths of codes, all of which become `new`; before, all were `old`.
    fn lengths(&mut self, count: usize, old: usize, new: usize) {
        (0..20).for_each(|_| self.put(5, 4));
        (0..count).for_each(|_| self.put((17 + old - new) % 17, 5));
    }

    /// The trees of a block of windows of 2 to the power of 15, in which each code is the number of its symbol: of
    /// nine bits in the main tree, of eight in that of lengths.
    fn trees(&mut self) {
        self.lengths(256, 0, 9);
        self.lengths(240, 0, 9);
        self.lengths(249, 0, 8);
    }

    fn literals(&mut self, text: &[u8]) {
        text.iter().for_each(|byte| self.put(usize::from(*byte), 9));
    }

    /// A match of a length in a slot, before the bits of its distance.
    fn repeat(&mut self, slot: usize, length: usize) {
        self.put(256 + 8 * slot + (length - 2).min(7), 9);
        if length >= 9 {
            self.put(length - 9, 8);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.align();
        }
        self.bytes
    }
}

fn decode(packed: &[u8], size: usize) -> (Option<()>, Vec<u8>) {
    let mut out = Vec::new();
    let done = LzxDecoder::new(15).unwrap().frame(packed, &mut out, 0, size);
    (done, out)
}

fn check(bits: BitWriter, expected: &[u8]) {
    let (done, out) = decode(&bits.finish(), expected.len());
    assert_eq!((done, String::from_utf8_lossy(&out)), (Some(()), String::from_utf8_lossy(expected)));
}

/// A first block of one kind, whose text takes `size` bytes.
fn block(kind: usize, size: usize) -> BitWriter {
    let mut bits = BitWriter::default();
    bits.put(0, 1);
    bits.begin(kind, size);
    if kind == 2 {
        (0..8).for_each(|_| bits.put(3, 3));
    }
    bits.trees();
    bits
}

#[test]
fn windows_have_slots_for_their_distances() {
    for (bits, slots) in [
        (14, None),
        (15, Some(30)),
        (16, Some(32)),
        (19, Some(38)),
        (20, Some(42)),
        (21, Some(50)),
        (22, None),
    ] {
        let symbols = LzxDecoder::new(bits).map(|decoder| decoder.main_lengths.len());
        assert_eq!(symbols, slots.map(|slots| 256 + 8 * slots), "{bits}");
    }
}

#[test]
fn matches_repeat_what_is_at_their_distance() {
    let expected = b"abcdefcdecddeeeeeeeeceeceeceeceec";
    let mut bits = block(1, expected.len());
    bits.literals(b"abcdef");
    // Distance 4, as 6 + 0 - 2.
    bits.repeat(5, 3);
    bits.put(0, 1);
    // Distance 7, as 8 + 1 - 2.
    bits.repeat(6, 2);
    bits.put(1, 2);
    // The last distance but one: 4. The distances are now 4, 7, 1.
    bits.repeat(1, 2);
    // The oldest distance: 1. They are now 1, 7, 4.
    bits.repeat(2, 5);
    // The last one: 1.
    bits.repeat(0, 2);
    bits.literals(b"c");
    // Distance 3, as 4 + 1 - 2.
    bits.repeat(4, 9);
    bits.put(1, 1);
    bits.literals(b"eec");
    check(bits, expected);
}

#[test]
fn old_distances_move_to_the_front() {
    // Distances 1 (slot 3), 2 (slot 4), 3 (slot 4) in this order, then the three of them again.
    let mut bits = block(1, 24);
    bits.literals(b"abcdef");
    bits.repeat(3, 2);
    bits.repeat(4, 2);
    bits.put(0, 1);
    bits.literals(b"xyz");
    bits.repeat(4, 2);
    bits.put(1, 1);
    bits.literals(b"pqr");
    // The oldest is 1, then the second is 2, then the oldest is 3.
    bits.repeat(2, 2);
    bits.repeat(1, 2);
    bits.repeat(2, 2);
    check(bits, b"abcdefffffxyzxypqrrrrrrr");
}

#[test]
fn long_matches_have_their_lengths_in_a_tree() {
    for length in [2, 8, 9, 10, 12, 257] {
        let mut bits = block(1, 2 + length);
        bits.literals(b"ab");
        bits.repeat(4, length);
        bits.put(0, 1);
        let expected: Vec<u8> = b"ab".iter().copied().cycle().take(2 + length).collect();
        check(bits, &expected);
    }
}

#[test]
fn aligned_blocks_have_the_lower_bits_in_a_tree() {
    let text: Vec<u8> = (b'a'..=b'z').collect();
    let expected = [text.as_slice(), b"jkdeyzyz"].concat();
    let mut bits = block(2, expected.len());
    bits.literals(&text);
    // Distance 17, as 16 + 3 - 2: three bits, all of the tree.
    bits.repeat(8, 2);
    bits.put(3, 3);
    // Distance 25, as 24 + 3 - 2: three bits.
    bits.repeat(9, 2);
    bits.put(3, 3);
    // Distance 6, as 8 + 0 - 2: two bits, none of the tree.
    bits.repeat(6, 2);
    bits.put(0, 2);
    // Distance 2: no bits of a tree.
    bits.repeat(4, 2);
    bits.put(0, 1);
    check(bits, &expected);
}

#[test]
fn distances_of_aligned_blocks_are_joined_from_both_parts() {
    let text: Vec<u8> = (0..64).map(|at| b'0' + at).collect();
    let expected = [text.as_slice(), &text[64 - 43..64 - 40]].concat();
    let mut bits = block(2, expected.len());
    bits.literals(&text);
    // Distance 43, as 32 + 13 - 2: one bit, and three of the tree.
    bits.repeat(10, 3);
    bits.put(1, 1);
    bits.put(5, 3);
    check(bits, &expected);
}

#[test]
fn matches_reach_back_to_the_start_of_the_window() {
    for (before, distance, is_inside) in [(0, 3, true), (0, 4, false), (5, 3, true), (5, 4, false)] {
        let mut bits = block(1, 5);
        bits.literals(b"abc");
        bits.repeat(if distance == 3 { 4 } else { 5 }, 2);
        bits.put(distance % 2, 1);
        let mut out = vec![b'?'; before];
        let done = LzxDecoder::new(15).unwrap().frame(&bits.finish(), &mut out, before, 5);
        assert_eq!(done.is_some(), is_inside, "{before} {distance}");
        assert_eq!(&out[before..], if is_inside { b"abcab".as_slice() } else { b"abc" });
    }
}

#[test]
fn matches_end_with_their_frame_and_blocks_go_on() {
    let mut bits = block(1, 12);
    bits.literals(b"abc");
    bits.repeat(4, 9);
    bits.put(1, 1);
    let mut decoder = LzxDecoder::new(15).unwrap();
    let mut out = Vec::new();
    assert_eq!(decoder.frame(&bits.finish(), &mut out, 0, 5), Some(()));
    assert_eq!(out, b"abcab");
    // The match counts as far as it was used: seven bytes of the block are left.
    let mut bits = BitWriter::default();
    bits.literals(b"defghij");
    bits.begin(1, 2);
    bits.lengths(256, 9, 10);
    bits.lengths(240, 9, 10);
    bits.lengths(249, 8, 8);
    bits.put(usize::from(b'k'), 10);
    bits.put(usize::from(b'l'), 10);
    assert_eq!(decoder.frame(&bits.finish(), &mut out, 0, 9), Some(()));
    assert_eq!(out, b"abcabdefghijkl");
}

#[test]
fn the_first_frame_may_have_a_header() {
    let mut bits = BitWriter::default();
    bits.put(1, 1);
    bits.put(0xffff_ffff, 32);
    bits.begin(1, 2);
    bits.trees();
    bits.literals(b"ab");
    check(bits, b"ab");
}

/// Blocks without compression begin at the next word, wherever the block before them ended.
#[test]
fn plain_blocks_begin_at_words() {
    for literals in 1..=16 {
        for plain in [b"xyz".as_slice(), b"wxyz"] {
            let text = &b"abcdefghijklmnop"[..literals];
            let mut bits = block(1, literals);
            bits.literals(text);
            bits.begin(3, plain.len());
            bits.align();
            for last in [1u32, 2, 3] {
                bits.bytes.extend(last.to_le_bytes());
            }
            bits.bytes.extend_from_slice(plain);
            bits.bytes.resize(bits.bytes.len().next_multiple_of(2), 0);
            bits.begin(1, 4);
            bits.lengths(256, 9, 9);
            bits.lengths(240, 9, 9);
            bits.lengths(249, 8, 8);
            // The distances are those that the block gave: 3 is the oldest.
            bits.literals(b".");
            bits.repeat(2, 3);
            let tail = &[plain, b"."].concat()[plain.len() - 2..];
            let expected = [text, plain, b".", tail].concat();
            check(bits, &expected);
        }
    }
}

#[test]
fn distances_of_zero_are_invalid() {
    let mut bits = BitWriter::default();
    bits.put(0, 1);
    bits.begin(3, 2);
    bits.align();
    bits.bytes.extend([0; 12]);
    bits.bytes.extend(b"ab");
    bits.begin(1, 2);
    bits.trees();
    bits.repeat(0, 2);
    assert_eq!(decode(&bits.finish(), 4), (None, b"ab".to_vec()));
}

#[test]
fn blocks_of_unknown_kinds_or_without_size_are_invalid() {
    for (kind, size, is_valid) in [(0, 1, false), (1, 1, true), (2, 1, true), (4, 1, false), (1, 0, false)] {
        let mut bits = block(kind, size);
        bits.literals(b"a");
        assert_eq!(decode(&bits.finish(), 1).0.is_some(), is_valid, "{kind} {size}");
    }
    // The size has 24 bits.
    let mut bits = block(1, 0x01_0001);
    bits.literals(b"ab");
    check(bits, b"ab");
}

#[test]
fn what_is_missing_is_zero_for_a_few_bytes() {
    let mut bits = block(1, 1000);
    bits.literals(&[b'a'; 64]);
    let packed = bits.finish();
    let counts: Vec<usize> = (0..9).map(|cut| decode(&packed[..packed.len() - cut], 1000).1.len()).collect();
    assert_eq!(counts, [67, 66, 65, 64, 64, 63, 62, 61, 60]);
    let (done, out) = decode(&packed, 1000);
    assert_eq!((done, out), (None, [[b'a'; 64].as_slice(), &[0; 3]].concat()));
}

#[test]
fn codes_are_in_the_order_of_their_lengths() {
    let decoded = |lengths: &[u8], bits: &[(usize, u32)]| {
        let tree = CodeTree::new(lengths);
        let mut writer = BitWriter::default();
        bits.iter().for_each(|(bits, count)| writer.put(*bits, *count));
        let packed = writer.finish();
        let mut reader = BitReader { bytes: &packed, at: 0, buffer: 0, count: 0 };
        bits.iter().map(|_| tree.symbol(&mut reader)).collect::<Vec<_>>()
    };
    let bits = [(0, 1), (0b10, 2), (0b110, 3), (0b111, 3), (0, 1)];
    assert_eq!(decoded(&[2, 1, 3, 3], &bits), [1, 0, 2, 3, 1].map(Some));
    // Symbols without a code, and codes without a symbol.
    assert_eq!(decoded(&[0, 2, 0, 2], &[(1, 2), (0, 2), (2, 2)]), [Some(3), Some(1), None]);
    // Codes of 16 bits.
    let mut lengths = [0; 20];
    (lengths[3], lengths[7], lengths[19]) = (1, 16, 16);
    let bits = [(0x8001, 16), (0, 1), (0x8000, 16)];
    assert_eq!(decoded(&lengths, &bits), [19, 3, 7].map(Some));
    assert_eq!(decoded(&[], &[(0, 1)]), [None]);
}

/// What lengths become: symbols of a code in which each has five bits, with the bits after them.
fn read(old: &[u8], symbols: &[(usize, usize, u32)]) -> Option<Vec<u8>> {
    let mut bits = BitWriter::default();
    (0..20).for_each(|_| bits.put(5, 4));
    for (symbol, more, count) in symbols {
        bits.put(*symbol, 5);
        bits.put(*more, *count);
    }
    let packed = bits.finish();
    let mut lengths = old.to_vec();
    read_lengths(&mut lengths, &mut BitReader { bytes: &packed, at: 0, buffer: 0, count: 0 })?;
    Some(lengths)
}

#[test]
fn lengths_are_differences_and_runs() {
    // A difference is taken from the old length, and goes round at 17.
    assert_eq!(read(&[3, 3, 0], &[(0, 0, 0), (2, 0, 0), (4, 0, 0)]), Some(vec![3, 1, 13]));
    assert_eq!(read(&[3, 3, 16], &[(3, 0, 0), (4, 0, 0), (16, 0, 0)]), Some(vec![0, 16, 0]));
    let run = |symbols: &[(usize, usize, u32)], zeros: usize| {
        let old = [7; 60];
        // What is not in the run becomes 5.
        let rest: Vec<(usize, usize, u32)> = (zeros..60).map(|_| (2, 0, 0)).collect();
        let new = read(&old, &[symbols, &rest].concat()).unwrap();
        (new.iter().filter(|length| **length == 0).count(), new[zeros..].iter().all(|length| *length == 5))
    };
    assert_eq!(run(&[(17, 0, 4)], 4), (4, true));
    assert_eq!(run(&[(17, 9, 4)], 13), (13, true));
    assert_eq!(run(&[(17, 15, 4)], 19), (19, true));
    assert_eq!(run(&[(18, 0, 5)], 20), (20, true));
    assert_eq!(run(&[(18, 31, 5)], 51), (51, true));
    // Four or five equal lengths, as a difference from the first.
    assert_eq!(read(&[9, 1, 1, 1, 2], &[(19, 0, 1), (3, 0, 0), (1, 0, 0)]), Some(vec![6, 6, 6, 6, 1]));
    assert_eq!(read(&[9, 1, 1, 1, 2], &[(19, 1, 1), (3, 0, 0)]), Some(vec![6; 5]));
    assert_eq!(read(&[9; 3], &[(19, 0, 1), (16, 0, 0)]), Some(vec![10; 3]));
    assert_eq!(read(&[9; 3], &[(18, 0, 5)]), Some(vec![0; 3]));
    for by in [17, 18, 19] {
        assert_eq!(read(&[9; 3], &[(19, 0, 1), (by, 0, 5)]), None);
    }
}
