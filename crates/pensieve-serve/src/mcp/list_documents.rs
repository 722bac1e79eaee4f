//! The tool `list_documents`: documents by folder and format, page by page.

use super::corpora::CorpusView;
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::{CORPUS, FILTERS, document_filters};
use crate::access::joined;
use pensieve_store::store::{DocumentFilters, DocumentPosition, DocumentRow};
use serde::Serialize;

const LIMIT: ToolParameter = ToolParameter {
    name: "limit",
    about: "",
    kind: ParameterKind::Number { least: 1, most: 500, default: Some(50) },
};

const CURSOR: ToolParameter =
    ToolParameter { name: "cursor", about: "`next_cursor` of the page before", kind: ParameterKind::Text };

/// The parameters of `list_documents`.
pub const PARAMETERS: &[ToolParameter] = &joined::<_, 12>(&[&[CORPUS], FILTERS, &[LIMIT, CURSOR]]);

/// The arguments of `list_documents`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListArguments {
    /// Which documents.
    pub choice: DocumentFilters,
    /// Documents of one page.
    pub limit: usize,
    /// After which document the page begins.
    pub after: Option<ListCursor>,
}

/// A position in the documents of all corpora: after this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCursor {
    /// The corpus.
    pub corpus: String,
    /// The document.
    pub position: DocumentPosition,
}

/// The result of `list_documents`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentsAnswer {
    /// The corpus of all of them, if there are several: a page has documents of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    corpus: Option<String>,
    documents: Vec<ListedDocument>,
    /// Leads to the next page; null after the last one.
    next_cursor: Option<String>,
}

/// One document: in at most 60 characters what its path does not say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedDocument {
    relative_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
    /// The day when it was last modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

impl DocumentsAnswer {
    /// The answer as text: a document a line.
    pub fn text(&self) -> String {
        let mut out: String = self.corpus.iter().map(|name| format!("corpus {name}\n")).collect();
        for ListedDocument { relative_path, tokens, date } in &self.documents {
            let tokens = tokens.map(|tokens| format!(" | {tokens} tokens")).unwrap_or_default();
            let date = date.as_ref().map(|date| format!(" | {date}")).unwrap_or_default();
            out.push_str(&format!("{relative_path}{tokens}{date}\n"));
        }
        out.push_str(
            &self.next_cursor.as_ref().map_or("no more".to_owned(), |next| format!("next_cursor: {next}")),
        );
        out
    }
}

impl ListArguments {
    /// Reads checked arguments.
    pub fn of(arguments: &ToolArguments) -> Result<ListArguments, ToolError> {
        let choice = document_filters(arguments)?;
        let after = arguments.text(CURSOR.name).map(ListCursor::read).transpose()?;
        Ok(ListArguments { choice, limit: arguments.number_of(&LIMIT), after })
    }
}

impl ListCursor {
    /// The position of a document.
    pub fn of(corpus: &str, row: &DocumentRow) -> ListCursor {
        let position = DocumentPosition { root_id: row.root_id, relative_path: row.relative_path.clone() };
        ListCursor { corpus: corpus.to_owned(), position }
    }

    /// Before the first document of a corpus.
    pub fn start_of(corpus: &str) -> ListCursor {
        let position = DocumentPosition { root_id: 0, relative_path: String::new() };
        ListCursor { corpus: corpus.to_owned(), position }
    }

    /// Reads a cursor that [`ListCursor::write`] wrote.
    pub fn read(text: &str) -> Result<ListCursor, ToolError> {
        let parts: Option<(i64, String, String)> = serde_json::from_str(text).ok();
        let Some((root_id, corpus, relative_path)) = parts else {
            return Err(ToolError::new("the cursor is not a `next_cursor` of this list; begin without one"));
        };
        Ok(ListCursor { corpus, position: DocumentPosition { root_id, relative_path } })
    }

    /// The cursor as text.
    pub fn write(&self) -> String {
        let DocumentPosition { root_id, relative_path } = &self.position;
        serde_json::json!([root_id, self.corpus, relative_path]).to_string()
    }
}

/// The documents of one corpus after a position, at most `limit` and one more if others follow.
pub fn rows(
    view: &CorpusView<'_>,
    choice: &DocumentFilters,
    after: Option<&DocumentPosition>,
    limit: usize,
) -> Result<Vec<DocumentRow>, ToolError> {
    Ok(view.store.documents().chosen(choice, after, limit + 1)?)
}

/// The answer for one page of documents, of this corpus if there are several.
pub fn answer(
    corpus: Option<String>,
    documents: Vec<ListedDocument>,
    next: Option<ListCursor>,
) -> DocumentsAnswer {
    DocumentsAnswer { corpus, documents, next_cursor: next.map(|cursor| cursor.write()) }
}

/// A document as the list shows it.
pub fn listed(_: &CorpusView<'_>, row: DocumentRow) -> ListedDocument {
    let date = row.modified.and_then(|time| time.get(..10).map(str::to_owned));
    ListedDocument { relative_path: row.relative_path, tokens: row.tokens, date }
}
