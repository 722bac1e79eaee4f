//! The list of documents.

use super::template::page_template;
use super::words::{address, document, name, readable};
use crate::serve::api::ApiRequest;
use crate::serve::api::documents::listed;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use crate::serve::routes::STATUS;
use crate::store::{DocumentFilter, DocumentRow};
use maud::{Markup, html};
use pensieve_text::model::numbers::{bytes, count};

/// `/docs`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let value = |name: &str| ask.values.text(name).unwrap_or_default();
    let (query, format, status) = (value("query"), value("format"), value("status"));
    let given = |value: &str| (!value.is_empty()).then(|| value.to_owned());
    let filter = DocumentFilter {
        query: given(query),
        format: given(format),
        status: given(status),
        ..DocumentFilter::default()
    };
    let (rows, next) = listed(ask, &filter)?;
    let main = html! {
        h1 { "Documents" }
        form .filters action="/docs" {
            div { label for="query" { "Name or text" } input #query name="query" type="search" value=(query); }
            div { label for="format" { "Format" } input #format name="format" value=(format) placeholder="any" size="10"; }
            div {
                label for="status" { "Status" }
                select #status name="status" {
                    option value="" { "any" }
                    @for known in STATUS {
                        option value=(known) selected[*known == status] { (readable(known)) }
                    }
                }
            }
            button { "Filter" }
        }
        (table(&rows))
        @if let Some(next) = next {
            @let link = address("/docs", &[("query", query), ("format", format), ("status", status), ("cursor", &next)]);
            nav .pages aria-label="Pages of the list" { a href=(link) rel="next" { "Next" } }
        }
    };
    Ok(page_template("Documents", "/docs", main))
}

/// Documents in rows.
pub fn table(rows: &[DocumentRow]) -> Markup {
    html! {
        @if rows.is_empty() {
            p .quiet { "No document is like this." }
        } @else {
            table .list {
                thead { tr { th scope="col" { "Name" } th scope="col" { "Format" } th scope="col" { "Status" }
                    th .number scope="col" { "Tokens" } th .number scope="col" { "Size" } } }
                tbody { @for row in rows { (line(row)) } }
            }
        }
    }
}

fn line(row: &DocumentRow) -> Markup {
    html! {
        tr {
            td .name {
                a href=(document(&row.doc_uid)) { (name(&row.name)) }
            }
            td .none[row.format.is_none()] { (row.format.as_deref().unwrap_or("–")) }
            td {
                span .status .{ "s-" (row.status) } { (readable(&row.status)) }
                @if row.canonical_uid.is_some() { " " span .tag { "duplicate" } }
                @if row.needs_review { " " span .tag .warn { "review" } }
            }
            td .number .tokens .none[row.tokens.is_none()] { (row.tokens.map_or_else(|| "–".to_owned(), count)) }
            td .number { (bytes(row.size)) }
        }
    }
}
