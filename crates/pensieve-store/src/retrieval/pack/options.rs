//! What to pack, and why it cannot be done.

use crate::exit::command_error;
use crate::store::{DocumentFilters, SearchMode, StoreError, WordMatch};
use pensieve_text::names;
use pensieve_text::text::tokens::UnknownTokenEncoding;
use thiserror::Error;

names! {
    /// The form of a pack.
    #[derive(Default)]
    PackFormat {
        /// One section per piece, its text in a fence.
        #[default]
        Markdown = "markdown",
        /// One object on one line, which describes the pieces of the Markdown.
        Json = "json",
        /// `<documents>` with one `<document>` per piece.
        Xml = "xml",
    }
}

/// What to pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackOptions {
    /// A question, or a query in the language of [`Store::search`](crate::store::Store::search).
    pub question: String,
    /// Maximum tokens of the whole output as Markdown or XML, the frame included.
    pub budget: usize,
    /// The form of the output; JSON has the budget of Markdown.
    pub format: PackFormat,
    /// Which tokens are counted; without a name, those that the corpus was chunked by.
    pub tokenizer: Option<String>,
    /// What the question is compared with; without one, as the configuration or the database says.
    pub mode: Option<SearchMode>,
    /// Which chunks a question finds.
    pub word_match: WordMatch,
    /// Conditions on the documents, as in a search.
    pub documents: DocumentFilters,
    /// Maximum pieces of one document.
    pub max_per_document: Option<usize>,
    /// True to leave out absolute paths.
    pub hides_paths: bool,
}

impl PackOptions {
    /// The tokens of a pack unless others are asked for, by whatever way.
    pub const DEFAULT_BUDGET: usize = 4_000;

    /// The encoding of a database that has none yet.
    pub const DEFAULT_TOKENIZER: &str = "cl100k_base";
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions {
            question: String::new(),
            budget: PackOptions::DEFAULT_BUDGET,
            format: PackFormat::Markdown,
            tokenizer: None,
            mode: None,
            word_match: WordMatch::Auto,
            documents: DocumentFilters::default(),
            max_per_document: None,
            hides_paths: false,
        }
    }
}

/// Why there is no pack.
#[derive(Debug, Error)]
pub enum PackError {
    /// The database cannot be searched, or the question is an expression with a mistake.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No tokenizer has this name.
    #[error(transparent)]
    Tokenizer(#[from] UnknownTokenEncoding),
    /// Not even an empty pack fits.
    #[error("a budget of {budget} tokens is too small: an empty pack as {} takes {needed}", format.as_str())]
    SmallBudget {
        /// The budget.
        budget: usize,
        /// The tokens of an empty pack.
        needed: usize,
        /// The format.
        format: PackFormat,
    },
}

command_error! { PackError passes Store {
    Tokenizer => Usage;
    SmallBudget { needed } => Usage, format!("give at least {needed}, and some hundreds for each piece that you want");
} }
