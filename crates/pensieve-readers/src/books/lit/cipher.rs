//! The cipher of sealed LIT books: DES with two changes that make it another cipher.
//!
//! Tables and structure are those of DES (FIPS 46-3). The differences were found by comparing blocks and box tables
//! of a program that writes such books with those of DES: the six input bits of each S box are in reverse order, and
//! the output of the permutation P is mirrored (bit b is at 33 - b, modulo 32).

/// The first permutation of a block; the last one is its inverse.
#[rustfmt::skip]
const FIRST: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
    62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3,
    61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];

/// The bits of the key that are used, and those of each round.
#[rustfmt::skip]
const KEY: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22,
    14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];

#[rustfmt::skip]
const ROUND_KEY: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10,
    23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48,
    44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

/// By how many bits the halves of the key rotate before each round.
#[rustfmt::skip]
const TURNS: [u32; 16] = [
    1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1,
];

/// The permutation after the S boxes.
#[rustfmt::skip]
const PERMUTATION: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

/// The S boxes, row by row.
#[rustfmt::skip]
const BOXES: [[u8; 64]; 8] = [
    [
        14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7,
        0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
        4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0,
        15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13,
    ],
    [
        15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10,
        3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
        0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15,
        13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9,
    ],
    [
        10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8,
        13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
        13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7,
        1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12,
    ],
    [
        7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15,
        13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
        10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4,
        3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14,
    ],
    [
        2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9,
        14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
        4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14,
        11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3,
    ],
    [
        12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11,
        10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
        9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6,
        4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13,
    ],
    [
        4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1,
        13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
        1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2,
        6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12,
    ],
    [
        13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7,
        1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
        7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8,
        2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11,
    ],
];

/// A prepared key.
pub(super) struct LitCipher {
    /// Six bits for each box, round by round.
    keys: [[u8; 8]; 16],
    /// The output of each box for six bits, permuted and mirrored.
    boxes: [[u32; 64]; 8],
}

impl LitCipher {
    /// Prepares a key.
    pub(super) fn new(key: [u8; 8]) -> LitCipher {
        LitCipher { keys: round_keys(u64::from_be_bytes(key)), boxes: boxes() }
    }

    /// Deciphers each block of eight bytes separately; an incomplete last block stays as it is.
    pub(super) fn decipher(&self, bytes: &mut [u8]) {
        for block in bytes.chunks_exact_mut(8) {
            let mut eight = [0; 8];
            eight.copy_from_slice(block);
            let plain = self.block(u64::from_be_bytes(eight));
            block.copy_from_slice(&plain.to_be_bytes());
        }
    }

    fn block(&self, block: u64) -> u64 {
        let permuted = permuted(block, 64, &FIRST);
        let (mut left, mut right) = ((permuted >> 32) as u32, permuted as u32);
        for keys in self.keys.iter().rev() {
            (left, right) = (right, left ^ self.mixed(right, keys));
        }
        let joined = (u64::from(right) << 32) + u64::from(left);
        // The inverse of the first permutation.
        FIRST.iter().enumerate().map(|(at, from)| (joined >> (63 - at) & 1) << (64 - from)).sum()
    }

    /// The output of all boxes. Each has its own four bits, so that their sum joins them.
    fn mixed(&self, half: u32, keys: &[u8; 8]) -> u32 {
        let outputs = self.boxes.iter().zip(keys).enumerate().map(|(number, (table, key))| {
            let six = half.rotate_left(4 * number as u32 + 5) as u8 & 0x3f ^ key;
            table[usize::from(six)]
        });
        outputs.sum()
    }
}

/// The bits of a number in the order of a table, which counts them from the highest of `width`, from 1.
fn permuted(bits: u64, width: u8, table: &[u8]) -> u64 {
    table.iter().fold(0, |out, from| 2 * out + (bits >> (width - from) & 1))
}

fn round_keys(key: u64) -> [[u8; 8]; 16] {
    const HALF: u64 = (1 << 28) - 1;
    let used = permuted(key, 64, &KEY);
    let (mut high, mut low) = (used >> 28, used & HALF);
    TURNS.map(|turn| {
        let turned = |half: u64| ((half << turn) + (half >> (28 - turn))) & HALF;
        (high, low) = (turned(high), turned(low));
        let round = permuted((high << 28) + low, 56, &ROUND_KEY);
        std::array::from_fn(|number| (round >> (42 - 6 * number)) as u8 & 0x3f)
    })
}

fn boxes() -> [[u32; 64]; 8] {
    std::array::from_fn(|number| {
        std::array::from_fn(|six| {
            // The six bits in the opposite order; the outer two are the row.
            let six = (six as u8).reverse_bits() >> 2;
            let (row, column) = (2 * (six >> 5) + (six & 1), six >> 1 & 15);
            let four = u64::from(BOXES[number][usize::from(row * 16 + column)]);
            let permuted = permuted(four << (28 - 4 * number), 32, &PERMUTATION) as u32;
            permuted.reverse_bits().rotate_left(2)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_block_is_deciphered() {
        let mut bytes = [0x01, 0xf4, 0x9e, 0x76, 0x42, 0xc6, 0x2f, 0x0d, 9];
        LitCipher::new([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]).decipher(&mut bytes);
        assert_eq!(&bytes, b"Now is t\x09");
    }

    #[test]
    fn each_row_of_a_box_has_each_output_once() {
        for row in BOXES.iter().flat_map(|table| table.chunks_exact(16)) {
            let mut outputs = row.to_vec();
            outputs.sort_unstable();
            assert_eq!(outputs, Vec::from_iter(0..16));
        }
    }
}
