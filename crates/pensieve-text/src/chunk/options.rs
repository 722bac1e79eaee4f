//! How chunks are cut: sizes, and the strategy for a text.

use crate::layout::WindowOptions;
use crate::model::names;
use crate::model::{ChunkStrategy, RecipeLine, TextKind};

/// How chunks are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkOptions {
    /// Maximum tokens of a chunk, its context included.
    pub size: usize,
    /// Maximum tokens that a chunk repeats from the previous one, less than half of `size`.
    pub overlap: usize,
    /// The strategy that the user chose.
    pub strategy: StrategyChoice,
    /// How pages with layout are cut.
    pub windows: WindowOptions,
}

impl ChunkOptions {
    /// What the cuts depend on, the tokenizer aside.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        let ChunkOptions { size, overlap, strategy, windows } = self;
        let WindowOptions { window, overlap: window_overlap, min_overlap } = windows;
        vec![
            ("chunk_size", size.to_string()),
            ("chunk_overlap", overlap.to_string()),
            ("chunking_strategy", strategy.as_str().to_owned()),
            ("pdf.layout.window_tokens", window.to_string()),
            ("pdf.layout.overlap_tokens", window_overlap.to_string()),
            ("pdf.layout.min_overlap_tokens", min_overlap.to_string()),
        ]
    }
}

names! {
    /// The strategies that a user can choose.
    #[derive(Default)]
    StrategyChoice {
        /// By the kind of text.
        #[default]
        Auto = "auto",
        /// Paragraphs, lines, sentences, words.
        Recursive = "recursive",
        /// The structure of Markdown.
        Markdown = "markdown",
        /// One chunk per paragraph.
        Paragraph = "paragraph",
    }
}

/// The strategy for a text whose format names none, from the user's choice and the kind of text.
pub fn strategy_for(choice: StrategyChoice, kind: TextKind) -> ChunkStrategy {
    match choice {
        StrategyChoice::Recursive => ChunkStrategy::Recursive,
        StrategyChoice::Markdown => ChunkStrategy::Markdown,
        StrategyChoice::Paragraph => ChunkStrategy::Paragraph,
        StrategyChoice::Auto => match kind {
            TextKind::Prose => ChunkStrategy::Recursive,
            TextKind::Markup => ChunkStrategy::Markdown,
            TextKind::Code | TextKind::Data => ChunkStrategy::Code,
        },
    }
}

/// The stored name of a strategy with its numbers, such as `Recursive_512_50`.
pub fn strategy_name(strategy: ChunkStrategy, options: &ChunkOptions) -> String {
    if strategy == ChunkStrategy::Layout {
        let windows = options.windows.under(options.size);
        return format!("{strategy}_{}_{}", windows.window, windows.overlap);
    }
    format!("{strategy}_{}_{}", options.size, options.overlap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_get_the_strategy_of_their_kind_unless_the_user_chose() {
        let auto = |kind| strategy_for(StrategyChoice::Auto, kind);
        assert_eq!(auto(TextKind::Prose), ChunkStrategy::Recursive);
        assert_eq!(auto(TextKind::Markup), ChunkStrategy::Markdown);
        assert_eq!(auto(TextKind::Code), ChunkStrategy::Code);
        assert_eq!(auto(TextKind::Data), ChunkStrategy::Code);
        assert_eq!(strategy_for(StrategyChoice::Paragraph, TextKind::Code), ChunkStrategy::Paragraph);
    }

    #[test]
    fn a_strategy_is_stored_with_its_numbers() {
        let windows = WindowOptions::default();
        let options = ChunkOptions { size: 512, overlap: 50, strategy: StrategyChoice::Auto, windows };
        assert_eq!(strategy_name(ChunkStrategy::Markdown, &options), "Markdown_512_50");
        assert_eq!(strategy_name(ChunkStrategy::Layout, &options), "Layout_500_80");
        assert_eq!(
            strategy_name(ChunkStrategy::Layout, &ChunkOptions { size: 128, ..options }),
            "Layout_128_63"
        );
    }
}
