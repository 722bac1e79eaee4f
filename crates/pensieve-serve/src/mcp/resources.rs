//! Documents as resources: their list, their text, and the completion of their addresses.

use super::calls::{self, DocumentPage};
use super::corpora::{Corpora, CorpusView};
use super::document_uri::DocumentUri;
use super::error::ToolError;
use super::fetch::{FetchAnswer, FetchArguments, FetchPart, FetchTarget, fetch};
use super::list_documents::ListCursor;
use pensieve_store::store::{DocumentFilters, DocumentRow};
use rmcp::model::Resource;

/// Resources of one page of the list.
const PAGE_RESOURCES: usize = 200;

/// Characters of a document in one answer; a longer one is read in parts.
const MAX_CHARACTERS: usize = 400_000;

/// Suggestions of one completion: the most that the protocol allows.
pub const MAX_COMPLETIONS: usize = 100;

/// A page of the list of documents, and the cursor of the next page.
pub async fn list(
    corpora: &Corpora,
    cursor: Option<&str>,
) -> Result<(Vec<Resource>, Option<String>), ToolError> {
    let after = cursor.map(ListCursor::read).transpose()?;
    let page = DocumentPage { choice: DocumentFilters::default(), limit: PAGE_RESOURCES, after };
    let (_, resources, next) = calls::documents(corpora, corpora.all(), page, resource_of).await?;
    Ok((resources, next.map(|cursor| cursor.write())))
}

fn resource_of(view: &CorpusView<'_>, row: DocumentRow) -> Resource {
    let has_several_roots = view.redactor.roots().len() > 1;
    let uri = DocumentUri {
        corpus: view.name.to_owned(),
        relative_path: row.relative_path,
        doc_uid: has_several_roots.then_some(row.doc_uid),
        offset: 0,
    };
    Resource::new(uri.to_string(), row.filename).with_title(row.name).with_mime_type("text/plain")
}

/// The text of a document, and the address of the next part of a long one; `None` if no corpus has this address.
pub async fn read(corpora: &Corpora, uri: &str) -> Result<Option<(String, Option<String>)>, ToolError> {
    let Some(address) = DocumentUri::read(uri) else { return Ok(None) };
    let Some(corpus) = corpora.all().iter().find(|corpus| corpus.name == address.corpus) else {
        return Ok(None);
    };
    let target = match &address.doc_uid {
        Some(uid) => FetchTarget::Document(uid.clone()),
        None => FetchTarget::Path(address.relative_path.clone()),
    };
    let arguments =
        FetchArguments { target, part: FetchPart::All, offset: address.offset, limit: MAX_CHARACTERS };
    let answer: Option<FetchAnswer> = corpora.ask(corpus, move |view| fetch(view, &arguments)).await?;
    Ok(answer.map(|answer| {
        let next = answer.next_offset.map(|offset| DocumentUri { offset, ..address }.to_string());
        (answer.text, next)
    }))
}

/// Suggestions for an argument of the template of addresses, and whether there are more.
pub async fn complete(
    corpora: &Corpora,
    argument: &str,
    typed: &str,
    corpus: Option<&str>,
) -> Result<(Vec<String>, bool), ToolError> {
    let mut found: Vec<String> = match argument {
        "corpus" => {
            let names = corpora.all().iter().map(|corpus| corpus.name.clone());
            names.filter(|name| name.starts_with(typed)).collect()
        }
        "path" => {
            let chosen = corpora.chosen(corpus.filter(|name| !name.is_empty()))?;
            let typed = typed.to_owned();
            let answers = calls::ask_each(corpora, chosen, move |view| {
                Ok(view.store.documents().continue_path(&typed, MAX_COMPLETIONS + 1)?)
            });
            let mut paths: Vec<String> = answers.await?.into_iter().flat_map(|(_, paths)| paths).collect();
            paths.dedup();
            paths
        }
        _ => Vec::new(),
    };
    let has_more = found.len() > MAX_COMPLETIONS;
    found.truncate(MAX_COMPLETIONS);
    Ok((found, has_more))
}
