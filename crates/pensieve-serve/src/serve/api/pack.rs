//! Packs: the best context for a question within a budget of tokens.

use super::ApiRequest;
use super::search::document_filters;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::retrieval::{Pack, PackError, PackFormat, PackOptions, pack as pack_context};
use pensieve_store::store::{SearchMode, WordMatch};

/// `/api/v3/pack`
pub fn pack(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    Ok(Reply::json_text(packed(ask, PackFormat::Json)?.output))
}

/// The pack that a request asks for. The page has only some of the parameters.
pub fn packed(ask: &ApiRequest<'_>, format: PackFormat) -> Result<Pack, Problem> {
    let options = PackOptions {
        question: ask.values.text("question").unwrap_or_default().to_owned(),
        budget: ask.values.number("budget"),
        format,
        tokenizer: ask.values.text("tokenizer").map(str::to_owned),
        mode: ask.values.text("mode").and_then(SearchMode::from_name),
        word_match: ask.values.text("match").and_then(WordMatch::from_name).unwrap_or_default(),
        documents: document_filters(&ask.values)?,
        max_per_document: Some(ask.values.number("max_per_document")).filter(|&most| most > 0),
        hides_paths: !ask.site.options.show_paths,
    };
    pack_context(ask.store, &options, &ask.site.options.embedder).map_err(|error| match error {
        PackError::Store(error) => Problem::from(error).about_parameter("question"),
        error @ PackError::SmallBudget { .. } => Problem::parameter("budget", sentence(&error.to_string())),
        error @ PackError::Tokenizer(_) => Problem::parameter("tokenizer", sentence(&error.to_string())),
    })
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).chain(['.']).collect()
}
