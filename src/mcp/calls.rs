//! Calls of tools: which corpora are asked, and how their results are joined.

use super::corpora::{Corpora, Corpus, CorpusView};
use super::corpus_info::{InfoAnswer, corpus_info};
use super::error::ToolError;
use super::fetch::{FetchArguments, FetchTarget, fetch};
use super::list_documents::{self, ListArguments, ListCursor};
use super::pack::{self, PackArguments};
use super::parameters::ToolArguments;
use super::search::{SearchArguments, merge, search};
use super::shared_parameters::CORPUS;
use super::tools::{ToolDefinition, ToolName};
use crate::store::{DocumentChoice, DocumentRow};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinSet;

/// The result of a tool: structured, and the same as text.
pub struct ToolAnswer {
    /// An object.
    pub structured: Value,
    /// The object as JSON.
    pub text: String,
}

impl ToolAnswer {
    fn of(answer: &impl Serialize) -> Result<ToolAnswer, ToolError> {
        let structured = serde_json::to_value(answer).map_err(internal)?;
        let text = serde_json::to_string(answer).map_err(internal)?;
        Ok(ToolAnswer { structured, text })
    }
}

fn internal(error: impl std::fmt::Display) -> ToolError {
    ToolError {
        message: "an internal error; the log of the server has it".to_owned(),
        inside: Some(error.to_string()),
    }
}

/// Answers a call of a tool. If the future is dropped, its queries are interrupted.
pub async fn call(
    corpora: &Corpora,
    tool: &ToolDefinition,
    given: Option<JsonObject>,
) -> Result<ToolAnswer, ToolError> {
    let arguments = ToolArguments::read(tool.parameters, given)?;
    let chosen = corpora.chosen(arguments.text(CORPUS.name))?;
    match tool.tool {
        ToolName::Search => call_search(corpora, chosen, SearchArguments::of(&arguments)).await,
        ToolName::Fetch => call_fetch(corpora, chosen, FetchArguments::of(&arguments)?).await,
        ToolName::Pack => call_pack(corpora, chosen, PackArguments::of(&arguments)).await,
        ToolName::ListDocuments => call_list(corpora, chosen, ListArguments::of(&arguments)?).await,
        ToolName::CorpusInfo => {
            let infos = ask_each(corpora, chosen, corpus_info).await?;
            ToolAnswer::of(&InfoAnswer { corpora: infos.into_iter().map(|(_, info)| info).collect() })
        }
    }
}

async fn call_search(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: SearchArguments,
) -> Result<ToolAnswer, ToolError> {
    if let [corpus] = chosen {
        return ToolAnswer::of(&corpora.ask(corpus, move |view| search(view, &arguments)).await?);
    }
    let of_one = arguments.for_merging();
    let answers = ask_each(corpora, chosen, move |view| search(view, &of_one)).await?;
    ToolAnswer::of(&merge(&arguments, answers))
}

async fn call_fetch(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: FetchArguments,
) -> Result<ToolAnswer, ToolError> {
    let wanted = arguments.clone();
    let answers = ask_each(corpora, chosen, move |view| fetch(view, &wanted)).await?;
    let mut found: Vec<_> = answers.into_iter().filter_map(|(_, answer)| answer).collect();
    match (found.len(), &arguments.target) {
        (0, _) => Err(arguments.not_found()),
        (2.., FetchTarget::Path(path)) => {
            let names: Vec<&str> = found.iter().map(|answer| answer.corpus.as_str()).collect();
            let names = names.join(", ");
            Err(ToolError::new(format!("several corpora have a document `{path}`: {names}; give a `corpus`")))
        }
        // The same folder was ingested into several databases: any of them has the words.
        _ => ToolAnswer::of(&found.swap_remove(0)),
    }
}

async fn call_pack(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: PackArguments,
) -> Result<ToolAnswer, ToolError> {
    if let [corpus] = chosen {
        let packed = corpora.ask(corpus, move |view| pack::pack(view, &arguments)).await?;
        let structured = serde_json::to_value(&packed).map_err(internal)?;
        // The budget covers this text.
        return Ok(ToolAnswer { structured, text: packed.output });
    }
    let wanted = arguments.clone();
    let hits = ask_each(corpora, chosen, move |view| pack::count_hits(view, &wanted)).await?;
    let hits: Vec<(bool, usize)> = hits.into_iter().map(|(_, hits)| hits).collect();
    let mut packs = Vec::new();
    for (corpus, share) in chosen.iter().zip(pack::shares(&arguments, &hits)) {
        let Some(share) = share else { continue };
        packs.push((corpus.name.clone(), corpora.ask(corpus, move |view| pack::pack(view, &share)).await?));
    }
    let (structured, text) = pack::join(&arguments, packs)?;
    Ok(ToolAnswer { structured, text })
}

async fn call_list(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: ListArguments,
) -> Result<ToolAnswer, ToolError> {
    let page = DocumentPage { choice: arguments.choice, limit: arguments.limit, after: arguments.after };
    let (documents, next) = documents(corpora, chosen, page, list_documents::listed).await?;
    ToolAnswer::of(&list_documents::answer(documents, next))
}

/// A page of the documents of several corpora.
#[derive(Debug, Clone)]
pub struct DocumentPage {
    /// Which documents.
    pub choice: DocumentChoice,
    /// Maximum documents of the page.
    pub limit: usize,
    /// After which document it begins.
    pub after: Option<ListCursor>,
}

/// The documents of a page, corpus after corpus, and the position of the next page.
pub async fn documents<T: Send + 'static>(
    corpora: &Corpora,
    chosen: &[Corpus],
    page: DocumentPage,
    shown: fn(&CorpusView<'_>, DocumentRow) -> T,
) -> Result<(Vec<T>, Option<ListCursor>), ToolError> {
    let DocumentPage { choice, limit, mut after } = page;
    let first = match &after {
        Some(cursor) => chosen.iter().position(|corpus| corpus.name == cursor.corpus),
        None => Some(0),
    };
    let Some(first) = first else {
        return Err(ToolError::new("the cursor is of another corpus; begin without one"));
    };
    let mut documents = Vec::new();
    let mut last = None;
    for corpus in &chosen[first..] {
        let (choice, position) = (choice.clone(), after.take().map(|cursor| cursor.position));
        let room = limit - documents.len();
        let (shown_rows, last_shown, has_more) = corpora
            .ask(corpus, move |view| {
                let mut rows = list_documents::rows(view, &choice, position.as_ref(), room)?;
                let has_more = rows.len() > room;
                rows.truncate(room);
                let last = rows.last().map(|row| ListCursor::of(view.name, row));
                let shown: Vec<T> = rows.into_iter().map(|row| shown(view, row)).collect();
                Ok((shown, last, has_more))
            })
            .await?;
        documents.extend(shown_rows);
        last = last_shown.or(last);
        if has_more {
            return Ok((documents, last));
        }
    }
    Ok((documents, None))
}

/// Reads every chosen corpus at the same time; the results are in their order.
///
/// # Errors
/// The first error, with the name of its corpus if there are several.
pub async fn ask_each<T: Send + 'static>(
    corpora: &Corpora,
    chosen: &[Corpus],
    read: impl Fn(&CorpusView<'_>) -> Result<T, ToolError> + Clone + Send + 'static,
) -> Result<Vec<(String, T)>, ToolError> {
    let mut tasks = JoinSet::new();
    for (at, corpus) in chosen.iter().enumerate() {
        let (corpora, corpus, read) = (corpora.clone(), corpus.clone(), read.clone());
        tasks.spawn(async move {
            let answer = corpora.ask(&corpus, move |view| read(view)).await;
            (at, corpus.name, answer)
        });
    }
    let mut answers = Vec::new();
    while let Some(joined) = tasks.join_next().await {
        let (at, name, answer) = joined.map_err(internal)?;
        answers.push((at, name, answer));
    }
    answers.sort_by_key(|(at, ..)| *at);
    let named = |(_, name, answer): (usize, String, Result<T, ToolError>)| match answer {
        Ok(answer) => Ok((name, answer)),
        Err(error) if chosen.len() > 1 => {
            Err(ToolError { message: format!("corpus `{name}`: {}", error.message), ..error })
        }
        Err(error) => Err(error),
    };
    answers.into_iter().map(named).collect()
}
