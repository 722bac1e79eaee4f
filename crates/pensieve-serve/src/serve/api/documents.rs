//! Documents: lists, one with its preview, and its text in parts.

use super::{ApiRequest, folders, nothing, page};
use crate::access::PathRedactor;
use crate::serve::answers::{
    Document, DocumentList, DocumentProblem, HiddenText, ReviewReason, TextFacts, TextPart,
};
use crate::serve::cursor::{self, Key};
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use pensieve_store::store::{CleanFacts, DocumentFilter, DocumentPosition, DocumentRow, Store, TextVariant};
use std::collections::BTreeMap;

/// Characters of a preview.
pub const PREVIEW_CHARACTERS: usize = 2000;

/// Characters of one part of a text.
pub const MAX_PART_CHARACTERS: u64 = 1_000_000;

/// `/api/v3/docs`
pub fn list(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let text = |name: &str| ask.values.text(name).map(str::to_owned);
    let filter = DocumentFilter {
        query: text("query"),
        format: text("format"),
        status: text("status"),
        folder: folders::asked(ask)?,
        ..DocumentFilter::default()
    };
    let (docs, next_cursor) = listed(ask, &filter)?;
    let redactor = ask.redactor()?;
    let docs = docs.into_iter().map(|row| redactor.row(row)).collect();
    Ok(Reply::json(&DocumentList { docs, next_cursor }))
}

/// A page of documents and the cursor of the next page.
pub fn listed(
    ask: &ApiRequest<'_>,
    filter: &DocumentFilter,
) -> Result<(Vec<DocumentRow>, Option<String>), Problem> {
    let limit = ask.values.number("limit");
    let after = ask.values.text("cursor").map(|text| cursor::DOCUMENTS.read(text)).transpose()?;
    let mut rows = ask.store.documents().page(filter, after.and_then(position).as_ref(), limit + 1)?;
    let last =
        page(&mut rows, limit, |row| [Key::Number(row.root_id as u64), Key::Text(row.relative_path.clone())]);
    Ok((rows, last.map(|key| cursor::DOCUMENTS.write(&key))))
}

fn position(key: Vec<Key>) -> Option<DocumentPosition> {
    let mut key = key.into_iter();
    let root_id = key.next()?.number() as i64;
    Some(DocumentPosition { root_id, relative_path: key.next()?.into_text() })
}

/// The document of a request.
pub fn found(ask: &ApiRequest<'_>) -> Result<DocumentRow, Problem> {
    ask.store.documents().get(ask.part("doc_uid"))?.ok_or_else(|| nothing("document"))
}

/// `/api/v3/docs/{doc_uid}`
pub fn one(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let row = found(ask)?;
    Ok(Reply::json(&document(ask.store, row, &ask.redactor()?)?))
}

/// A document with everything that belongs to it.
pub fn document(store: &Store, row: DocumentRow, redactor: &PathRedactor) -> Result<Document, Problem> {
    let facts = store.texts().clean_facts(row.text_id)?;
    let preview = facts.as_ref().map(|facts| {
        store.text(row.text_id, TextVariant::Clean, &facts.version).page((0, PREVIEW_CHARACTERS))
    });
    let links = |names: Vec<_>| names.into_iter().map(|name| redactor.name(name)).collect();
    let errors = store.problems().of_file(row.file_id)?.into_iter().map(|problem| DocumentProblem {
        error_type: problem.error_type,
        error_message: redactor.message(&problem.message),
        timestamp: problem.timestamp,
    });
    let hidden = store.documents().hidden_text_of(row.text_id)?.into_iter().map(|row| HiddenText {
        in_words: row.in_words(),
        reason: row.reason,
        locator: row.locator,
        chars: row.chars,
        text: row.text,
    });
    let mut metadata: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, value) in store.documents().metadata_of(row.text_id)? {
        metadata.entry(key).or_default().push(value);
    }
    Ok(Document {
        encoding: row.encoding.clone(),
        extractor: row.extractor.clone(),
        metadata,
        review_reasons: facts.as_ref().map(reasons).unwrap_or_default(),
        hidden_text: hidden.collect(),
        errors: errors.collect(),
        duplicates: links(store.documents().copies_of(row.file_id)?),
        parent: store.documents().parent_of(row.file_id)?.map(|name| redactor.name(name)),
        members: links(store.documents().members_of(row.text_id)?),
        extracted_text_preview: preview.transpose()?,
        extracted_text_preview_truncated: facts
            .as_ref()
            .is_some_and(|facts| facts.chars > PREVIEW_CHARACTERS as u64),
        extracted_text_preview_limit_chars: PREVIEW_CHARACTERS as u64,
        text: facts.map(|facts| TextFacts {
            version: facts.version,
            sha256: facts.sha256,
            char_length: facts.chars,
            byte_length: facts.bytes,
            created_at: facts.created_at,
        }),
        summary: redactor.row(row),
    })
}

/// Review reasons, parsed from their stored form.
pub fn reasons(facts: &CleanFacts) -> Vec<ReviewReason> {
    let reasons: Vec<serde_json::Value> = serde_json::from_str(&facts.review_reasons).unwrap_or_default();
    let text = |reason: &serde_json::Value, key: &str| reason[key].as_str().unwrap_or_default().to_owned();
    let reason = |value| ReviewReason { reason: text(value, "reason"), detail: text(value, "detail") };
    reasons.iter().map(reason).collect()
}

/// `/api/v3/docs/{doc_uid}/text`
pub fn text(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let row = found(ask)?;
    let facts = ask.store.texts().clean_facts(row.text_id)?.ok_or_else(|| no_text(&row, ask))?;
    let (offset, limit) = (ask.values.number("offset"), ask.values.number("limit"));
    let text = ask.store.text(row.text_id, TextVariant::Clean, &facts.version).page((offset, limit))?;
    let end = (offset as u64).saturating_add(limit as u64);
    Ok(Reply::json(&TextPart {
        doc_uid: row.doc_uid,
        version: facts.version,
        text,
        offset: offset as u64,
        limit: limit as u64,
        total_chars: facts.chars,
        truncated: end < facts.chars,
    }))
}

fn no_text(row: &DocumentRow, ask: &ApiRequest<'_>) -> Problem {
    let reason = row.reason.as_deref().unwrap_or(&row.status);
    let reason = ask.redactor().map(|redactor| redactor.message(reason)).unwrap_or_default();
    Problem::new(Kind::NoText, format!("{}: {reason}", row.status))
}
