//! The corpus at a glance.

use super::template::page_template;
use super::{chart, search};
use crate::serve::answers::Statistics;
use crate::serve::api::ApiRequest;
use crate::serve::api::stats::counted as statistics;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use maud::html;
use pensieve_text::model::numbers::{bytes, count, counted};

/// `/`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let Statistics { roots, counts: stats } = statistics(ask.store, &ask.redactor()?)?;
    let chart = chart::formats(&ask.store.statistics().by_format_and_status()?);
    let problems: u64 = stats.errors.values().sum();
    let whole = stats.tokens + stats.tokens_saved;
    let share = if whole == 0 { 0.0 } else { stats.tokens_saved as f64 / whole as f64 * 100.0 };
    let facts = [
        ("Documents", count(stats.files), bytes(stats.bytes)),
        ("Tokens kept", count(stats.tokens), counted(stats.chunks, "chunk")),
        ("Tokens saved", count(stats.tokens_saved), format!("{share:.1} % of all")),
        ("Duplicates", count(stats.duplicates), bytes(stats.duplicate_bytes)),
    ];
    let main = html! {
        h1 .hidden { "Overview" }
        (search::form("", "", "", None))
        div #results {}
        div .overview {
        dl .figures {
            @for (name, number, remark) in &facts {
                div { dt { (name) } dd { (number) } dd .remark { (remark) } }
            }
        }
        section aria-labelledby="chart" {
            h2 #chart { "Documents by format and status" }
            @if stats.files == 0 { p .quiet { "There is nothing here yet." } } @else { (chart) }
        }
        div .columns {
            section aria-labelledby="attention" {
                h2 #attention { "To look at" }
                ul .plain {
                    li { a href="/review" { (counted(stats.needs_review, "text")) } " to review before relying on them" }
                    li { a href="/errors" { (counted(problems, "open problem")) } }
                    @for (kind, number) in &stats.errors {
                        li .inner { a href={ "/errors?type=" (kind) } { (kind) } " " span .number { (count(*number)) } }
                    }
                }
            }
            section aria-labelledby="facts" {
                h2 #facts { "Made with" }
                dl .facts {
                    @if let Some(settings) = &stats.settings {
                        dt { "tokenizer" } dd { (settings.tokenizer) }
                        dt { "chunk size" } dd { (count(settings.chunk_size as u64)) " tokens, " (settings.chunk_overlap) " of them shared" }
                        dt { "clean version" } dd { (settings.clean_version) }
                    }
                    dt { "database" } dd { (bytes(stats.database_bytes)) }
                    dt { "last run" } dd { (stats.last_run.as_deref().unwrap_or("none").replace('T', " ")) }
                    @for root in &roots {
                        @if let Some(path) = &root.path { dt { "root " (root.root_id) } dd { (path) } }
                    }
                }
            }
        }
        }
    };
    Ok(page_template(ask.site, "Overview", "/", main))
}
