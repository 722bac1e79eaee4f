//! The tool `corpus_info`: what a corpus contains, in numbers.

use super::corpora::CorpusView;
use super::error::ToolError;
use super::parameters::ToolParameter;
use super::shared_parameters::CORPUS;
use serde::Serialize;
use std::collections::BTreeMap;

/// The parameters of `corpus_info`.
pub const PARAMETERS: &[ToolParameter] = &[CORPUS];

/// The result of `corpus_info`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InfoAnswer {
    /// Every corpus that was asked for.
    pub corpora: Vec<CorpusInfo>,
}

/// One corpus in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorpusInfo {
    corpus: String,
    roots: Vec<String>,
    documents: u64,
    bytes: u64,
    duplicates: u64,
    needs_review: u64,
    by_status: BTreeMap<String, u64>,
    formats: BTreeMap<String, u64>,
    chunks: u64,
    tokens: u64,
    tokenizer: Option<String>,
    chunk_size: Option<usize>,
    last_run: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<String>,
}

/// Counts one corpus.
///
/// Cost: that of `pensieve stats`.
pub fn corpus_info(view: &CorpusView<'_>) -> Result<CorpusInfo, ToolError> {
    let counts = view.store.statistics().corpus()?.counts;
    let roots = view.redactor.roots().iter().map(|root| {
        let name = root.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        view.redactor.path(&root.path).unwrap_or_else(|| name.to_owned())
    });
    Ok(CorpusInfo {
        corpus: view.name.to_owned(),
        roots: roots.collect(),
        documents: counts.files,
        bytes: counts.bytes,
        duplicates: counts.duplicates,
        needs_review: counts.needs_review,
        by_status: counts.by_status,
        formats: counts.by_format.into_iter().map(|(format, stats)| (format, stats.files)).collect(),
        chunks: counts.chunks,
        tokens: counts.tokens,
        tokenizer: counts.settings.as_ref().map(|settings| settings.tokenizer.clone()),
        chunk_size: counts.settings.as_ref().map(|settings| settings.chunk_size),
        last_run: counts.last_run,
        unfinished: view.store.runs().unfinished()?.map(|run| run.to_string()),
    })
}
