//! A checksum of the letters and digits of a text that does not depend on their order: the layout must neither lose nor
//! duplicate any. Hyphens, white space and the marks of tables do not count, because joining words and writing tables
//! changes them.

/// A count and a checksum of letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetterTally {
    /// The number of letters and digits.
    pub count: u64,
    sum: u64,
}

impl LetterTally {
    /// The tally of a text.
    pub fn of(text: &str) -> LetterTally {
        let mut tally = LetterTally::default();
        tally.add(text);
        tally
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        for c in text.chars().filter(|c| c.is_alphanumeric()) {
            self.count += 1;
            // Bits are mixed as SplitMix64 does, or `ad` and `bc` would have one sum.
            let mixed = (u64::from(c) ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            self.sum = self.sum.wrapping_add(mixed ^ (mixed >> 31));
        }
    }

    /// Adds another tally.
    pub fn add_tally(&mut self, other: LetterTally) {
        self.count += other.count;
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_matter_and_everything_else_does() {
        assert_eq!(LetterTally::of("one two"), LetterTally::of("two | -one"));
        assert_eq!(LetterTally::of("well-\nknown"), LetterTally::of("wellknown"));
        assert_ne!(LetterTally::of("one"), LetterTally::of("on"));
        assert_ne!(LetterTally::of("ab"), LetterTally::of("cc"));
        let mut both = LetterTally::of("one");
        both.add_tally(LetterTally::of("two"));
        assert_eq!(both, LetterTally::of("twoone"));
    }

    #[test]
    fn letters_that_differ_in_one_bit_are_told_apart() {
        let tallies: Vec<LetterTally> = (0x41..0x17f)
            .filter_map(char::from_u32)
            .filter(|c| c.is_alphanumeric())
            .map(|c| LetterTally::of(&c.to_string()))
            .collect();
        for (at, tally) in tallies.iter().enumerate() {
            assert!(!tallies[at + 1..].contains(tally), "{at}");
        }
        assert_ne!(LetterTally::of("ad"), LetterTally::of("bc"));
        assert_ne!(LetterTally::of("13"), LetterTally::of("22"));
        assert_ne!(LetterTally::of("aab"), LetterTally::of("abb"));
        assert_eq!(LetterTally::of(" .-|"), LetterTally::default());
    }

    #[test]
    fn tallies_do_not_depend_on_how_texts_are_divided() {
        let mut parts = LetterTally::of("ke");
        parts.add("epers");
        assert_eq!(parts, LetterTally::of("keepers"));
    }
}
