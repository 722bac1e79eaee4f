//! The tool `list_documents`: documents by folder and format, page by page.

use super::corpora::CorpusView;
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::{CORPUS, FORMAT, PATH};
use crate::store::{DocumentChoice, DocumentPosition, DocumentRow};
use serde::Serialize;

const LIMIT: ToolParameter = ToolParameter {
    name: "limit",
    about: "",
    kind: ParameterKind::Number { least: 1, most: 500, default: Some(50) },
};

const CURSOR: ToolParameter =
    ToolParameter { name: "cursor", about: "`next_cursor` of the page before", kind: ParameterKind::Text };

/// The parameters of `list_documents`.
pub const PARAMETERS: &[ToolParameter] = &[CORPUS, PATH, FORMAT, LIMIT, CURSOR];

/// The arguments of `list_documents`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListArguments {
    /// Which documents.
    pub choice: DocumentChoice,
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
    documents: Vec<ListedDocument>,
    /// Leads to the next page; null after the last one.
    next_cursor: Option<String>,
}

/// One document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedDocument {
    corpus: String,
    doc_uid: String,
    /// The path for people: `mail.eml » 2 » report.pdf`.
    name: String,
    relative_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    format: Option<String>,
    bytes: u64,
    tokens: Option<u64>,
    modified: Option<String>,
    /// The document with the same bytes that is read in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<String>,
}

impl ListArguments {
    /// Reads checked arguments.
    pub fn of(arguments: &ToolArguments) -> Result<ListArguments, ToolError> {
        let choice =
            DocumentChoice { paths: arguments.texts(PATH.name), formats: arguments.texts(FORMAT.name) };
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
    choice: &DocumentChoice,
    after: Option<&DocumentPosition>,
    limit: usize,
) -> Result<Vec<DocumentRow>, ToolError> {
    Ok(view.store.documents().chosen(choice, after, limit + 1)?)
}

/// The answer for one page of documents.
pub fn answer(documents: Vec<ListedDocument>, next: Option<ListCursor>) -> DocumentsAnswer {
    DocumentsAnswer { documents, next_cursor: next.map(|cursor| cursor.write()) }
}

/// A document as the list shows it.
pub fn listed(view: &CorpusView<'_>, row: DocumentRow) -> ListedDocument {
    ListedDocument {
        corpus: view.name.to_owned(),
        doc_uid: row.doc_uid,
        name: row.name,
        relative_path: row.relative_path,
        path: view.redactor.path(&row.full_path),
        format: row.format,
        bytes: row.size,
        tokens: row.tokens,
        modified: row.modified,
        duplicate_of: row.canonical_uid,
    }
}
