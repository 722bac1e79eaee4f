//! Statistical models of languages: costs of letter pairs, or ranks of characters for scripts with too many letters.
//!
//! A cost is the negative natural logarithm of a probability, so costs add up and the lowest sum is the most probable.
//!
//! `languages.txt` and `characters.txt` were counted over gettext catalogues of free programs, as Linux distributions
//! ship them; the exact list of catalogues was not kept. `scripts/language-models` counts new tables of the same form
//! over the catalogues that a machine has.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The cost of one step of the stored digits.
// 36 digits reach a cost of 12.25: a pair that follows once in 200,000 letters.
const STEP: f32 = 0.35;

/// The letters of a language and the cost of each pair.
pub(super) struct LanguageModel {
    pub name: &'static str,
    letters: HashMap<char, u8>,
    width: usize,
    costs: Vec<f32>,
}

impl LanguageModel {
    /// The number of a letter in lower case; 0 for any other character.
    pub fn letter(&self, c: char) -> u8 {
        self.letters.get(&c).copied().unwrap_or(0)
    }

    /// The cost of one letter after another; 0 is the edge of a word.
    pub fn cost(&self, before: u8, after: u8) -> f32 {
        self.costs[usize::from(before) * self.width + usize::from(after)]
    }
}

/// Every language with an alphabet.
pub(super) static LANGUAGE_MODELS: LazyLock<Vec<LanguageModel>> = LazyLock::new(|| {
    let mut lines = include_str!("languages.txt").lines().filter(|line| !line.starts_with('#'));
    let mut languages = Vec::new();
    while let Some((name, letters)) = lines.next().and_then(|line| line.split_once(' ')) {
        let letters: HashMap<char, u8> = letters.chars().zip(1..).collect();
        let width = letters.len() + 1;
        let rows = lines.by_ref().take(width);
        let costs =
            rows.flat_map(|row| row.chars()).map(|digit| digit.to_digit(36).unwrap_or(35) as f32 * STEP);
        languages.push(LanguageModel { name, costs: costs.collect(), letters, width });
    }
    languages
});

/// The language of this name.
pub(super) fn language(name: &str) -> Option<&'static LanguageModel> {
    LANGUAGE_MODELS.iter().find(|language| language.name == name)
}

/// Characters by their rank among the frequent ones of a language.
pub(super) struct CharacterRanks {
    pub name: &'static str,
    ranks: HashMap<char, u16>,
}

impl CharacterRanks {
    /// The rank, from 1, of a frequent character.
    pub fn rank(&self, c: char) -> Option<u16> {
        self.ranks.get(&c).copied()
    }
}

/// The languages whose characters are counted one by one.
pub(super) static CHARACTER_RANKS: LazyLock<Vec<CharacterRanks>> = LazyLock::new(|| {
    let lines = include_str!("characters.txt").lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| line.split_once(' '));
    named.map(|(name, list)| CharacterRanks { name, ranks: list.chars().zip(1..).collect() }).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(LANGUAGE_MODELS.len(), 42);
        for language in LANGUAGE_MODELS.iter() {
            assert_eq!(language.costs.len(), language.width * language.width, "{}", language.name);
        }
        assert_eq!(CHARACTER_RANKS.len(), 4);
        assert!(CHARACTER_RANKS.iter().all(|list| list.ranks.len() == 800));
    }

    #[test]
    fn what_is_frequent_costs_less() {
        let german = language("de").expect("it is there");
        let cost = |a, b| german.cost(german.letter(a), german.letter(b));
        assert!(cost('f', 'ü') < cost('ü', 'ä'));
        assert!(cost('ß', 'e') < cost('e', 'ß'));
        assert_eq!(german.letter('é'), 0);
    }
}
