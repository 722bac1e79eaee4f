//! [`SearchMode`]: what a question is compared with.

use serde::Deserialize;

/// How chunks are found that answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// By their words.
    #[default]
    Words,
    /// By their meaning: the chunks whose vectors are nearest to that of the question.
    Vectors,
    /// By both; chunks that both find come first.
    Hybrid,
}

impl SearchMode {
    /// The names that people type.
    pub const NAMES: [&'static str; 3] = ["words", "vectors", "hybrid"];

    /// The mode of a name.
    pub fn named(name: &str) -> Option<SearchMode> {
        let at = SearchMode::NAMES.iter().position(|known| *known == name)?;
        [SearchMode::Words, SearchMode::Vectors, SearchMode::Hybrid].get(at).copied()
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        SearchMode::NAMES[self as usize]
    }
}
