//! Lists of texts to review and of open problems.

use super::paging::next_link;
use super::template::page_template;
use super::words::{address, document, name, readable};
use crate::serve::api::ApiRequest;
use crate::serve::api::documents::{listed, reasons};
use crate::serve::api::page as cut;
use crate::serve::cursor::{self, Key};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use maud::html;
use pensieve_store::store::DocumentFilter;
use pensieve_text::model::numbers::count;

/// `/review`
pub fn review(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let filter = DocumentFilter { needs_review: true, ..DocumentFilter::default() };
    let (rows, next) = listed(ask, &filter)?;
    let redactor = ask.redactor()?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let reasons = ask.store.texts().clean_facts(row.text_id)?.as_ref().map(reasons).unwrap_or_default();
        items.push((row, reasons));
    }
    let main = html! {
        h1 { "To review" }
        p .lead { "Texts that a reader or a cleaning rule was not sure of. They are in the corpus; look before relying on them." }
        @if items.is_empty() { p .quiet { "Nothing needs a look." } }
        ul .entries {
            @for (row, reasons) in &items {
                li {
                    a href=(document(&row.doc_uid)) { (name(&row.name)) }
                    ul .plain {
                        @for reason in reasons {
                            li { span .tag .warn { (readable(&reason.reason)) } " " (redactor.message(&reason.detail)) }
                        }
                    }
                }
            }
        }
        (next_link("/review", &[], ask.values.text("cursor"), next.as_deref()))
    };
    Ok(page_template(ask.site, "To review", "/review", main))
}

/// `/errors`
pub fn errors(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let kind = ask.values.text("type").filter(|kind| !kind.is_empty());
    let limit = ask.values.number("limit");
    let after = ask.values.text("cursor").map(|text| cursor::PROBLEMS.read_number(text)).transpose()?;
    let after = after.unwrap_or(0) as i64;
    let mut rows = ask.store.problems().page(kind, after, limit + 1)?;
    let next = cut(&mut rows, limit, |row| row.error_id)
        .map(|key| cursor::PROBLEMS.write(&[Key::Number(key as u64)]));
    let redactor = ask.redactor()?;
    let kinds = ask.store.problems().counts()?;
    let main = html! {
        h1 { "Open problems" }
        p .lead { "What could not be read, or only in part. A file's problems are replaced when it is read again." }
        @if !kinds.is_empty() {
            nav .tabs aria-label="Kinds of problems" {
                a href="/errors" aria-current=[kind.is_none().then_some("true")] { "All " span .number { (count(kinds.values().sum())) } }
                @for (known, number) in &kinds {
                    a href=(address("/errors", &[("type", known)])) aria-current=[(kind == Some(known)).then_some("true")] {
                        (known) " " span .number { (count(*number)) }
                    }
                }
            }
        }
        @if rows.is_empty() { p .quiet { "There are none." } }
        ul .entries {
            @for row in &rows {
                li {
                    @match &row.document {
                        Some(named) => a href=(document(&named.doc_uid)) { (name(&named.name)) },
                        None => span { (redactor.message(&row.path)) },
                    }
                    p { span .tag .bad { (row.error_type) } " " (redactor.message(&row.message)) }
                }
            }
        }
        (next_link("/errors", &[("type", kind.unwrap_or_default())], ask.values.text("cursor"), next.as_deref()))
    };
    Ok(page_template(ask.site, "Open problems", "/errors", main))
}
