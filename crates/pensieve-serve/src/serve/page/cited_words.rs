//! A citation leads to its document at the words, and the page says whether they are still there.

use super::clean_text::TextPosition;
use super::words::{address, document};
use crate::serve::api::ApiRequest;
use crate::serve::parameter::MAX_PATH_CHARACTERS;
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use maud::{Markup, html};
use pensieve_store::retrieval::{CheckedCitation, Citation, check_citation};

/// `/cite/{citation}`: a redirect, because only an address with a fragment opens a page at the words.
pub fn redirect(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let citation = parsed(ask.part("citation"))?;
    let text = citation.to_string();
    let checked = check_citation(ask.store, &citation)?;
    let Some(doc_uid) = checked.doc_uid().filter(|_| text.len() <= MAX_PATH_CHARACTERS) else {
        return Err(Problem::new(Kind::NotFound, "The corpus has no document of this citation."));
    };
    let page = address(&document(doc_uid), &[("cite", &text)]);
    Ok(Reply::redirect(format!("{page}#found")))
}

/// The position of cited words, and a message on what became of them.
pub fn checked(ask: &ApiRequest<'_>, text: &str) -> Result<(TextPosition, Markup), Problem> {
    let citation = parsed(text)?;
    let checked = check_citation(ask.store, &citation)?;
    if checked.doc_uid() != Some(ask.part("doc_uid")) {
        return Err(Problem::parameter("cite", "This is a citation of another document."));
    }
    let span = match checked.words_place() {
        Some(place) => place.at.start..place.at.end,
        // Without its words, the place where they were is shown.
        None => citation.span.start..citation.span.start,
    };
    let reason = ask.redactor()?.message(checked.reason.as_deref().unwrap_or_default());
    Ok((TextPosition::Spans(vec![span]), message(&checked, &reason)))
}

fn parsed(text: &str) -> Result<Citation, Problem> {
    text.parse().map_err(|error| Problem::new(Kind::NotFound, format!("{error}.")))
}

fn message(checked: &CheckedCitation, reason: &str) -> Markup {
    let now = checked.moved_to.as_ref().unwrap_or(&checked.citation);
    html! {
        p .note .alert[!checked.holds] .cited {
            @if checked.moved { b { "Moved." } " The cited words are marked where they are now. " }
            @else if checked.holds { b { "As cited." } " The words are marked. " }
            @else { b { "No longer as cited:" } " " (reason) ". This is where the words were." }
            @if checked.source_unchanged == Some(false) { " The file on disk has changed since it was read. " }
            @if checked.holds { button .plain-button type="button" data-copy=(now) hidden { "Copy the citation" } }
        }
    }
}
