//! The tool `pack`: the best context for a question within a budget of tokens.

use super::corpora::{CorpusView, shown};
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::{
    AFTER, AUTHOR, BEFORE, CORPUS, FORMAT, FROM, LANG, MODE, PATH, TAG, TO, document_filters,
};
use crate::retrieval::{Pack, PackError, PackOptions, PackPiece, pack as pack_context};
use crate::store::{SearchMode, SearchOptions, WordMatch};
use pensieve_text::text::tokens::Tokenizer;
use rmcp::model::JsonObject;
use serde_json::Value;

/// Hits that decide how several corpora share a budget.
const SHARED_HITS: usize = 20;

/// The smallest share of a corpus that has hits.
const MIN_SHARE: usize = 200;

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
pub const PARAMETERS: &[ToolParameter] = &[
    ToolParameter { name: "question", about: "", kind: ParameterKind::RequiredText },
    BUDGET,
    CORPUS,
    PATH,
    FORMAT,
    AUTHOR,
    FROM,
    TO,
    AFTER,
    BEFORE,
    TAG,
    LANG,
    MODE,
    MAX_PER_DOCUMENT,
];

/// The arguments of `pack`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackArguments(PackOptions);

impl PackArguments {
    /// Reads checked arguments.
    pub fn of(arguments: &ToolArguments) -> Result<PackArguments, ToolError> {
        Ok(PackArguments(PackOptions {
            question: arguments.text("question").unwrap_or_default().to_owned(),
            budget: arguments.number_of(&BUDGET),
            documents: document_filters(arguments)?,
            mode: arguments.text(MODE.name).and_then(SearchMode::from_name),
            max_per_document: arguments.number(MAX_PER_DOCUMENT.name),
            ..PackOptions::default()
        }))
    }

    fn with_budget(&self, budget: usize) -> PackArguments {
        PackArguments(PackOptions { budget, ..self.0.clone() })
    }
}

/// Packs from one corpus.
pub fn pack(view: &CorpusView<'_>, arguments: &PackArguments) -> Result<Pack, ToolError> {
    let hides_paths = view.redactor.path("").is_none();
    let options = PackOptions { hides_paths, ..arguments.0.clone() };
    pack_context(view.store, &options, view.embedder).map_err(|error| match error {
        PackError::Store(error) => error.into(),
        PackError::SmallBudget { .. } | PackError::Tokenizer(_) => ToolError::new(error.to_string()),
    })
}

/// The first hits of one corpus: whether they have all words of the question, and their number.
pub fn count_hits(view: &CorpusView<'_>, arguments: &PackArguments) -> Result<(bool, usize), ToolError> {
    let PackArguments(options) = arguments;
    let found = view.store.search(&SearchOptions {
        query: options.question.clone(),
        word_match: WordMatch::Auto,
        documents: options.documents.clone(),
        limit: SHARED_HITS,
        sources: 1,
        ..SearchOptions::default()
    })?;
    Ok((!found.matches_any, found.hits.len()))
}

/// The budgets of several corpora: only those with hits that have all words get one, if there are such hits; by the
/// number of their hits. `None` for a corpus that gets nothing.
pub fn shares(arguments: &PackArguments, hits: &[(bool, usize)]) -> Vec<Option<PackArguments>> {
    let has_all = hits.iter().any(|(is_all, count)| *is_all && *count > 0);
    let counts = hits.iter().map(|(is_all, count)| if *is_all || !has_all { *count } else { 0 });
    let counts: Vec<usize> = counts.collect();
    let all = counts.iter().sum::<usize>().max(1);
    let share = |count: &usize| {
        let budget = (arguments.0.budget * count / all).max(MIN_SHARE.min(arguments.0.budget));
        (*count > 0).then(|| arguments.with_budget(budget))
    };
    counts.iter().map(share).collect()
}

/// Joins the packs of several corpora; each piece names its corpus. Pieces that no longer fit the budget are left out,
/// the last ones first.
pub fn join(arguments: &PackArguments, packs: Vec<(String, Pack)>) -> Result<(Value, String), ToolError> {
    let PackArguments(options) = arguments;
    let (mut notes, mut pieces, mut corpora) = (Vec::new(), Vec::new(), Vec::new());
    let tokenizer = packs.first().map_or("cl100k_base", |(_, pack)| pack.tokenizer.as_str()).to_owned();
    let tokenizer = Tokenizer::named(&tokenizer).map_err(|error| ToolError::new(error.to_string()))?;
    for (name, pack) in packs {
        notes.extend(pack.notes.iter().map(|note| format!("{name}: {note}")));
        for piece in pack.pieces {
            let shown = format!("{name}: {}", piece.shown_name());
            corpora.push(name.clone());
            pieces.push(PackPiece { name: Some(shown), number: pieces.len() + 1, ..piece });
        }
    }
    if pieces.is_empty() && notes.is_empty() {
        notes.push("nothing found".to_owned());
    }
    Ok(answer(Pack::joined(options, notes, pieces, tokenizer), corpora))
}

/// A pack as a tool gives it: its pieces with the keys that models read, and the Markdown, which the budget covers. The
/// pieces are of these corpora, if there are several.
pub fn answer(mut pack: Pack, corpora: Vec<String>) -> (Value, String) {
    let mut pieces: Vec<JsonObject> = pack.pieces.drain(..).map(|piece| shown(&piece)).collect();
    for (piece, corpus) in pieces.iter_mut().zip(corpora) {
        piece.insert("corpus".to_owned(), corpus.into());
        piece.remove("name");
    }
    let text = if pieces.is_empty() { pack.notes.join("\n") } else { std::mem::take(&mut pack.output) };
    let mut structured = serde_json::to_value(&pack).unwrap_or_default();
    structured["pieces"] = serde_json::json!(pieces);
    (structured, text)
}
