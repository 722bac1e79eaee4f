//! Citations: the words that they name, and whether their documents still have them.

use super::{ApiRequest, chunks};
use crate::serve::answers::{CitedWords, WordRange};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::retrieval::{Citation, check_citation};
use pensieve_store::store::DocumentName;

/// `/api/v3/cite`
pub fn cite(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let given = ask.values.text("citation").unwrap_or_default();
    let citation: Citation = given
        .parse()
        .map_err(|_| Problem::parameter("citation", format!("`citation` is `{}`.", Citation::FORM)))?;
    Ok(Reply::json(&checked(ask, &citation)?))
}

/// A citation, checked, as answers show it.
fn checked(ask: &ApiRequest<'_>, citation: &Citation) -> Result<CitedWords, Problem> {
    let redactor = ask.redactor()?;
    let mut checked = check_citation(ask.store, citation)?;
    let document = checked.doc_uid().map(|uid| ask.store.documents().get(uid)).transpose()?.flatten();
    let Some(document) = document else {
        return Ok(CitedWords::of(checked, &redactor));
    };
    let place = match (checked.take_words_place(), &checked.text) {
        (Some(place), Some(words)) => {
            let start = chunks::char_starts(ask.store, document.text_id, &[place.at.start])?[0];
            Some(WordRange::of(&place.at, start..start + words.chars().count()))
        }
        _ => None,
    };
    let copies = ask.store.documents().copies_of(document.file_id)?;
    let name = DocumentName {
        doc_uid: document.doc_uid,
        root_id: document.root_id,
        relative_path: document.relative_path,
        full_path: document.full_path,
        name: document.name,
    };
    Ok(CitedWords {
        place,
        document: Some(redactor.name(name)),
        duplicates: copies.into_iter().map(|name| redactor.name(name)).collect(),
        ..CitedWords::of(checked, &redactor)
    })
}
