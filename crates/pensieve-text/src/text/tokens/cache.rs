//! A bounded cache of the token counts of pieces.
//!
//! A few thousand pieces make up nearly all of a text. The cache stores short pieces as a whole, so that a hit is
//! exact, in buckets of four entries that fill one cache line. A hit moves its entry one place forward and a new
//! piece replaces the last entry, so that frequent pieces stay.

/// The longest piece that fits an entry.
pub(super) const MAX_PIECE_BYTES: usize = 15;
/// 2^14 buckets of 64 bytes: 1 MiB, which leaves room in a core's second-level cache.
const BUCKET_BITS: u32 = 14;
const WAYS: usize = 4;

/// 15 bytes of piece, then length and count in half a byte each (a piece has at most as many tokens as bytes).
type CacheEntry = u128;
const COUNT_SHIFT: u32 = 124;
const LENGTH_SHIFT: u32 = 120;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([CacheEntry; WAYS]);

/// Counts of short pieces.
pub(super) struct PieceCache {
    buckets: Vec<Bucket>,
}

/// A piece packed for the cache.
#[derive(Clone, Copy)]
pub(super) struct PieceKey(CacheEntry);

impl PieceKey {
    /// Packs `bytes[at..end]`, of 1 to [`MAX_PIECE_BYTES`] bytes.
    #[inline(always)]
    pub(super) fn new(bytes: &[u8], at: usize, end: usize) -> PieceKey {
        let length = end - at;
        let packed = match bytes[at..].first_chunk::<16>() {
            Some(chunk) => u128::from_le_bytes(*chunk) & ((1 << (8 * length)) - 1),
            None => {
                let mut chunk = [0; 16];
                chunk[..length].copy_from_slice(&bytes[at..end]);
                u128::from_le_bytes(chunk)
            }
        };
        PieceKey(packed | (length as u128) << LENGTH_SHIFT)
    }

    #[inline(always)]
    fn bucket(self) -> usize {
        let word = (self.0 as u64) ^ ((self.0 >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (word.wrapping_mul(0xa076_1d64_78bd_642f) >> (64 - BUCKET_BITS)) as usize
    }
}

impl PieceCache {
    /// An empty cache.
    pub(super) fn new() -> PieceCache {
        PieceCache { buckets: vec![Bucket([0; WAYS]); 1 << BUCKET_BITS] }
    }

    /// The count of a piece that is in the cache.
    #[inline(always)]
    pub(super) fn get(&mut self, key: PieceKey) -> Option<usize> {
        let Bucket(entries) = &mut self.buckets[key.bucket()];
        if (entries[0] ^ key.0) << 4 == 0 {
            return Some((entries[0] >> COUNT_SHIFT) as usize);
        }
        for i in 1..WAYS {
            if (entries[i] ^ key.0) << 4 == 0 {
                entries.swap(i, i - 1);
                return Some((entries[i - 1] >> COUNT_SHIFT) as usize);
            }
        }
        None
    }

    /// Adds a piece that is not in the cache, in place of another.
    pub(super) fn put(&mut self, key: PieceKey, count: usize) {
        let Bucket(entries) = &mut self.buckets[key.bucket()];
        entries[WAYS - 1] = key.0 | (count as u128) << COUNT_SHIFT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_comes_back_with_its_count_and_no_other_does() {
        let text = b"fifteen bytes!!fifteen bytes!?";
        let mut cache = PieceCache::new();
        cache.put(PieceKey::new(text, 0, 15), 15);
        cache.put(PieceKey::new(text, 0, 1), 1);
        let mut check =
            |at, end, expected| assert_eq!(cache.get(PieceKey::new(text, at, end)), expected, "{at}..{end}");
        check(0, 15, Some(15));
        check(15, 30, None);
        check(0, 1, Some(1));
        check(15, 16, Some(1));
        check(0, 2, None);
        check(29, 30, None);
    }

    #[test]
    fn a_zero_byte_is_not_an_empty_entry_and_not_two_zero_bytes() {
        let mut cache = PieceCache::new();
        assert_eq!(cache.get(PieceKey::new(&[0; 20], 0, 1)), None);
        cache.put(PieceKey::new(&[0; 20], 0, 1), 1);
        assert_eq!(cache.get(PieceKey::new(&[0; 2], 0, 2)), None);
        assert_eq!(cache.get(PieceKey::new(&[0; 2], 0, 1)), Some(1));
    }
}
