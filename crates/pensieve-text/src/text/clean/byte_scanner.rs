//! Finds the few bytes of a text that a rule must look at, 64 bytes at a time.

/// Iterates over the bytes that satisfy a test on (previous byte, byte). The test runs over blocks of 64 without
/// branches, so that the compiler vectorises it; a text with many hits costs a few steps per hit.
pub(super) struct ByteScanner<'a, F> {
    bytes: &'a [u8],
    test: F,
    /// Start of the block whose hits are in `bits`.
    base: usize,
    bits: u64,
}

// Each byte of a block is one bit of a word.
const BLOCK: usize = 64;

impl<'a, F: Fn(u8, u8) -> bool> ByteScanner<'a, F> {
    /// A scanner of `bytes`; the byte before the first counts as a letter.
    pub(super) fn new(bytes: &'a [u8], test: F) -> ByteScanner<'a, F> {
        let mut scanner = ByteScanner { bytes, test, base: 0, bits: 0 };
        scanner.load(0);
        scanner
    }

    /// The first hit at or after `at`, which must not decrease between calls.
    pub(super) fn next(&mut self, at: usize) -> Option<usize> {
        if at >= self.base + BLOCK {
            self.load(at);
        }
        self.bits &= u64::MAX << at.saturating_sub(self.base);
        while self.bits == 0 {
            let next = self.base + BLOCK;
            if next >= self.bytes.len() {
                return None;
            }
            self.load(next);
        }
        Some(self.base + self.bits.trailing_zeros() as usize)
    }

    fn load(&mut self, base: usize) {
        self.base = base;
        let before = if base == 0 { None } else { self.bytes.get(base - 1..) };
        let here = self.bytes.get(base..).and_then(|rest| rest.first_chunk::<BLOCK>());
        self.bits = match (before.and_then(|rest| rest.first_chunk::<BLOCK>()), here) {
            (Some(before), Some(here)) => self.block(before, here),
            _ => self.edge(),
        };
    }

    /// A block at either end of the text, padded with letters.
    #[cold]
    fn edge(&self) -> u64 {
        let rest = self.bytes.get(self.base..).unwrap_or_default();
        let len = rest.len().min(BLOCK);
        let (mut before, mut here) = ([b'x'; BLOCK], [b'x'; BLOCK]);
        here[..len].copy_from_slice(&rest[..len]);
        before[1..].copy_from_slice(&here[..BLOCK - 1]);
        if self.base > 0 && len > 0 {
            before[0] = self.bytes[self.base - 1];
        }
        let filled = if len < BLOCK { (1u64 << len) - 1 } else { u64::MAX };
        self.block(&before, &here) & filled
    }

    fn block(&self, before: &[u8; BLOCK], here: &[u8; BLOCK]) -> u64 {
        let mut hits = [0u8; BLOCK];
        for i in 0..BLOCK {
            hits[i] = u8::from((self.test)(before[i], here[i]));
        }
        if hits.iter().fold(0, |any, hit| any | hit) == 0 {
            return 0;
        }
        // Eight bytes of 0 or 1 become eight bits: the product brings byte i to bit 56 + i.
        let pack = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let (eights, _) = hits.as_chunks::<8>();
        eights.iter().rev().fold(0, |bits, eight| bits << 8 | pack(eight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hit_is_found_once_whatever_the_length() {
        for len in [0, 1, 7, 63, 64, 65, 127, 128, 129, 200] {
            for step in [1, 2, 3, 17, 64, 65] {
                let bytes: Vec<u8> = (0..len).map(|i| if i % step == 0 { b'#' } else { b'.' }).collect();
                let mut scanner = ByteScanner::new(&bytes, |before, here| (here == b'#') & (before != b'?'));
                let mut found = Vec::new();
                while let Some(at) = scanner.next(found.last().map_or(0, |last| last + 1)) {
                    found.push(at);
                }
                assert_eq!(found, (0..len).step_by(step).collect::<Vec<_>>(), "{len} by {step}");
            }
        }
    }

    #[test]
    fn pairs_are_seen_across_blocks() {
        for at in 1..200 {
            let mut bytes = vec![b'.'; 200];
            bytes[at - 1] = b'a';
            bytes[at] = b'b';
            let mut scanner = ByteScanner::new(&bytes, |before, here| (before == b'a') & (here == b'b'));
            assert_eq!(scanner.next(0), Some(at));
            assert_eq!(scanner.next(at + 1), None);
        }
    }
}
