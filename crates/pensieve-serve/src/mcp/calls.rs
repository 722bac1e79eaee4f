//! Calls of tools: which corpora are asked, and how their results are joined.

use super::corpora::{Corpora, Corpus, CorpusView};
use super::corpus_info::{InfoAnswer, corpus_info};
use super::error::ToolError;
use super::fetch::{FetchArguments, FetchTarget, fetch};
use super::list_documents::{self, ListArguments, ListCursor};
use super::pack;
use super::parameters::ToolArguments;
use super::search::{SearchArguments, answer_text, search};
use super::shared_parameters::CORPUS;
use super::tables;
use super::tools::{ToolDefinition, ToolName};
use pensieve_store::retrieval::{PackOptions, count_hits, join_packs, share_budget, take_turns};
use pensieve_store::store::{DocumentFilters, DocumentRow};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinSet;

/// The result of a tool twice, since some clients give one form to their model, some the other.
pub struct ToolAnswer {
    /// An object.
    pub structured: Value,
    /// The same as text, without keys and escapes.
    pub text: String,
}

impl ToolAnswer {
    fn of(answer: &impl Serialize, text: String) -> Result<ToolAnswer, ToolError> {
        Ok(ToolAnswer { structured: serde_json::to_value(answer).map_err(internal)?, text })
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
        ToolName::Search => call_search(corpora, chosen, SearchArguments::of(&arguments)?).await,
        ToolName::Fetch => call_fetch(corpora, chosen, FetchArguments::of(&arguments)?).await,
        ToolName::Pack => call_pack(corpora, chosen, pack::options(&arguments)?).await,
        ToolName::ListDocuments => call_list(corpora, chosen, ListArguments::of(&arguments)?).await,
        ToolName::FindTables => {
            let limit = tables::tables_wanted(&arguments);
            let found = ask_each(corpora, chosen, move |view| tables::find_tables(view, &arguments)).await?;
            let answer = tables::merge_tables(found, limit);
            ToolAnswer::of(&answer, answer.text())
        }
        ToolName::QueryTable => {
            let [corpus] = chosen else {
                return Err(ToolError::new("give the `corpus` that `find_tables` names"));
            };
            let answer = corpora.ask(corpus, move |view| tables::query_table(view, &arguments)).await?;
            ToolAnswer::of(&answer, answer.text())
        }
        ToolName::CorpusInfo => {
            let infos = ask_each(corpora, chosen, corpus_info).await?;
            let answer = InfoAnswer { corpora: infos.into_iter().map(|(_, info)| info).collect() };
            let text = serde_json::to_string(&answer).map_err(internal)?;
            ToolAnswer::of(&answer, text)
        }
    }
}

async fn call_search(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: SearchArguments,
) -> Result<ToolAnswer, ToolError> {
    let answer = match chosen {
        [corpus] => corpora.ask(corpus, move |view| search(view, &arguments)).await?,
        _ => {
            let (of_one, (offset, limit)) = (arguments.for_merging(), arguments.page());
            take_turns(ask_each(corpora, chosen, move |view| search(view, &of_one)).await?, offset, limit)
        }
    };
    ToolAnswer::of(&answer, answer_text(&answer))
}

async fn call_fetch(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: FetchArguments,
) -> Result<ToolAnswer, ToolError> {
    let wanted = arguments.clone();
    let answers = ask_each(corpora, chosen, move |view| Ok(fetch(view, &wanted))).await?;
    let (mut found, mut failed) = (Vec::new(), None);
    for (name, answer) in answers {
        match answer {
            Ok(answer) => found.extend(answer.map(|answer| (name, answer))),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    // The words of a citation may be in one corpus, and a document whose id begins alike in another.
    let is_found = !found.is_empty() && matches!(arguments.target, FetchTarget::Citation(_));
    match (found.len(), &arguments.target, failed.filter(|_| !is_found)) {
        (_, _, Some(error)) => Err(error),
        (0, ..) => Err(arguments.not_found()),
        (2.., FetchTarget::Path(path), _) => {
            let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
            let names = names.join(", ");
            Err(ToolError::new(format!("several corpora have a document `{path}`: {names}; give a `corpus`")))
        }
        // The same folder was ingested into several databases: any of them has the words.
        _ => {
            let (name, mut answer) = found.swap_remove(0);
            answer.corpus = (chosen.len() > 1).then_some(name);
            ToolAnswer::of(&answer, answer.text())
        }
    }
}

async fn call_pack(
    corpora: &Corpora,
    chosen: &[Corpus],
    options: PackOptions,
) -> Result<ToolAnswer, ToolError> {
    let packed = match chosen {
        [corpus] => corpora.ask(corpus, move |view| pack::pack(view, &options)).await?,
        _ => {
            let wanted = options.clone();
            let hits = ask_each(corpora, chosen, move |view| Ok(count_hits(view.store, &wanted)?)).await?;
            let hits: Vec<(bool, usize)> = hits.into_iter().map(|(_, hits)| hits).collect();
            let mut packs = Vec::new();
            for (corpus, share) in chosen.iter().zip(share_budget(&options, &hits)) {
                let Some(share) = share else { continue };
                let packed = corpora.ask(corpus, move |view| pack::pack(view, &share)).await?;
                packs.push((corpus.name.clone(), packed));
            }
            join_packs(&options, packs)?
        }
    };
    let (structured, text) = pack::answer(packed);
    Ok(ToolAnswer { structured, text })
}

async fn call_list(
    corpora: &Corpora,
    chosen: &[Corpus],
    arguments: ListArguments,
) -> Result<ToolAnswer, ToolError> {
    let page = DocumentPage { choice: arguments.choice, limit: arguments.limit, after: arguments.after };
    let (at, documents, next) = documents(corpora, chosen, page, list_documents::listed).await?;
    let corpus = (chosen.len() > 1).then(|| chosen[at].name.clone());
    let answer = list_documents::answer(corpus, documents, next);
    ToolAnswer::of(&answer, answer.text())
}

/// A page of the documents of several corpora.
#[derive(Debug, Clone)]
pub struct DocumentPage {
    /// Which documents.
    pub choice: DocumentFilters,
    /// Maximum documents of the page.
    pub limit: usize,
    /// After which document it begins.
    pub after: Option<ListCursor>,
}

/// The documents of a page, which are of one corpus, its number, and the position of the next page.
pub async fn documents<T: Send + 'static>(
    corpora: &Corpora,
    chosen: &[Corpus],
    page: DocumentPage,
    shown: fn(&CorpusView<'_>, DocumentRow) -> T,
) -> Result<(usize, Vec<T>, Option<ListCursor>), ToolError> {
    let DocumentPage { choice, limit, after } = page;
    let first = match &after {
        Some(cursor) => chosen.iter().position(|corpus| corpus.name == cursor.corpus),
        None => Some(0),
    };
    let Some(first) = first else {
        return Err(ToolError::new("the cursor is of another corpus; begin without one"));
    };
    let mut position = after.map(|cursor| cursor.position);
    for (at, corpus) in chosen.iter().enumerate().skip(first) {
        let (choice, position) = (choice.clone(), position.take());
        let read = move |view: &CorpusView<'_>| {
            let mut rows = list_documents::rows(view, &choice, position.as_ref(), limit)?;
            let has_more = rows.len() > limit;
            rows.truncate(limit);
            let last = rows.last().filter(|_| has_more).map(|row| ListCursor::of(view.name, row));
            Ok((rows.into_iter().map(|row| shown(view, row)).collect::<Vec<T>>(), last))
        };
        let (documents, last) = corpora.ask(corpus, read).await?;
        let next = last.or(chosen.get(at + 1).map(|next| ListCursor::start_of(&next.name)));
        if !documents.is_empty() || next.is_none() {
            return Ok((at, documents, next));
        }
    }
    Ok((first, Vec::new(), None))
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
