//! [`SearchMode`]: what a question is compared with.

use pensieve_text::names;

names! {
    /// How chunks are found that answer a question.
    #[derive(Default)]
    SearchMode {
        /// By their words.
        #[default]
        Words = "words",
        /// By their meaning: the chunks whose vectors are nearest to that of the question.
        Vectors = "vectors",
        /// By both; chunks that both find come first.
        Hybrid = "hybrid",
    }
}
