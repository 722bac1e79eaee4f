//! Random numbers that are the same on every machine.

use pensieve_text::model::ContentHash;

/// Numbers of Steele, Lea and Flood's SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: &str) -> Random {
        Random(ContentHash::of(seed.as_bytes()).prefix())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap()
    }

    /// One of these, which are not none.
    pub fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}
