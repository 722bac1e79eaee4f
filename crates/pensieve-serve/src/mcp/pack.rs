//! The tool `pack`: the best context for a question within a budget of tokens.

use super::corpora::{CorpusView, shown};
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::{CORPUS, FILTERS, MODE, document_filters};
use crate::access::joined;
use pensieve_store::retrieval::{Pack, PackError, PackOptions, pack as pack_context};
use pensieve_store::store::SearchMode;
use rmcp::model::JsonObject;
use serde_json::Value;

const BUDGET: ToolParameter = ToolParameter {
    name: "budget",
    about: "Tokens of the whole result",
    kind: ParameterKind::Number { least: 1, most: 200_000, default: Some(PackOptions::DEFAULT_BUDGET) },
};

const MAX_PER_DOCUMENT: ToolParameter = ToolParameter {
    name: "max_per_document",
    about: "",
    kind: ParameterKind::Number { least: 1, most: 1_000, default: None },
};

/// The parameters of `pack`.
pub const PARAMETERS: &[ToolParameter] = &joined::<_, 14>(&[
    &[ToolParameter { name: "question", about: "", kind: ParameterKind::RequiredText }, BUDGET, CORPUS],
    FILTERS,
    &[MODE, MAX_PER_DOCUMENT],
]);

/// Reads checked arguments.
pub fn options(arguments: &ToolArguments) -> Result<PackOptions, ToolError> {
    Ok(PackOptions {
        question: arguments.text("question").unwrap_or_default().to_owned(),
        budget: arguments.number_of(&BUDGET),
        documents: document_filters(arguments)?,
        mode: arguments.text(MODE.name).and_then(SearchMode::from_name),
        max_per_document: arguments.number(MAX_PER_DOCUMENT.name),
        ..PackOptions::default()
    })
}

/// Packs from one corpus.
pub fn pack(view: &CorpusView<'_>, options: &PackOptions) -> Result<Pack, ToolError> {
    let hides_paths = view.redactor.path("").is_none();
    let options = PackOptions { hides_paths, ..options.clone() };
    Ok(pack_context(view.store, &options, view.embedder)?)
}

impl From<PackError> for ToolError {
    fn from(error: PackError) -> ToolError {
        match error {
            PackError::Store(error) => error.into(),
            PackError::SmallBudget { .. } | PackError::Tokenizer(_) => ToolError::new(error.to_string()),
        }
    }
}

/// A pack as a tool gives it: its pieces with the keys that models read, and the Markdown, which the budget covers.
pub fn answer(mut pack: Pack) -> (Value, String) {
    let mut pieces: Vec<JsonObject> = pack.pieces.drain(..).map(|piece| shown(&piece)).collect();
    // The name of a piece of one of several corpora begins with that.
    pieces
        .iter_mut()
        .filter(|piece| piece.contains_key("corpus"))
        .for_each(|piece| drop(piece.remove("name")));
    let text = if pieces.is_empty() { pack.notes.join("\n") } else { std::mem::take(&mut pack.output) };
    let mut structured = serde_json::to_value(&pack).unwrap_or_default();
    structured["pieces"] = serde_json::json!(pieces);
    (structured, text)
}
