//! A pack of context for a question: a form, the pieces with their places, and the whole to copy or to save.

use super::search::mode_field;
use super::template::page_template;
use super::words::{address, citation_link, name, place};
use crate::serve::api::ApiRequest;
use crate::serve::api::pack::packed;
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use maud::{Markup, html};
use pensieve_store::retrieval::{Pack, PackFormat, PackPiece};
use pensieve_text::model::numbers::{count, counted};

/// Tokens of a pack at most: what a page and a model can take.
pub const MAX_BUDGET: u64 = 200_000;

/// `/pack`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let value = |name: &str| ask.values.text(name).unwrap_or_default();
    let question = value("question").trim();
    let result = match question.is_empty() {
        true => html! {
            p .quiet { "The parts of the corpus that answer a question best, up to a number of tokens: to paste into a language model, with citations." }
        },
        false => match packed(ask, PackFormat::Markdown) {
            Ok(pack) => found(&pack, &download_link(ask)),
            Err(problem) if matches!(problem.kind, Kind::BadQuery | Kind::BadParameter) => html! {
                p .alert role="alert" { (problem.detail) }
            },
            Err(problem) => return Err(problem),
        },
    };
    let main = html! {
        h1 { "Pack" }
        (form(ask))
        div #results { (result) }
    };
    let title = if question.is_empty() { "Pack".to_owned() } else { format!("{question} – Pack") };
    Ok(page_template(ask.site, &title, "/pack", main))
}

/// `/pack.md`
pub fn download(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let pack = packed(ask, PackFormat::Markdown)?;
    let reply = Reply::new("text/markdown; charset=utf-8", pack.output);
    Ok(reply.with("content-disposition", "attachment; filename=\"pack.md\""))
}

fn download_link(ask: &ApiRequest<'_>) -> String {
    let value = |name: &str| ask.values.text(name).unwrap_or_default();
    let budget = ask.values.number("budget").to_string();
    let parameters = [
        ("question", value("question")),
        ("budget", &budget),
        ("mode", value("mode")),
        ("path", value("path")),
        ("format", value("format")),
    ];
    address("/pack.md", &parameters)
}

fn form(ask: &ApiRequest<'_>) -> Markup {
    let value = |name: &str| ask.values.text(name).unwrap_or_default();
    html! {
        form .search action="/pack" {
            div .wide {
                label for="question" { "Question" }
                input #question name="question" type="search" value=(value("question")) required autocomplete="off" spellcheck="false";
            }
            div { label for="budget" { "Tokens at most" } input #budget name="budget" type="number" min="1" max=(MAX_BUDGET) value=(ask.values.number("budget")); }
            (mode_field(value("mode")))
            div { label for="path" { "Below" } input #path name="path" value=(value("path")) placeholder="docs/**" size="14"; }
            div { label for="format" { "Format" } input #format name="format" value=(value("format")) placeholder="any" size="8"; }
            button { "Pack" }
        }
    }
}

fn found(pack: &Pack, download: &str) -> Markup {
    html! {
        p .count role="status" {
            (counted(pack.pieces.len() as u64, "piece")) ", " (count(pack.tokens as u64)) " of "
            (counted(pack.budget as u64, "token")) " (" (pack.tokenizer) ")"
        }
        @for note in &pack.notes { p .note { (note) } }
        @if !pack.pieces.is_empty() {
            p .row {
                button type="button" data-copy-of="pack" hidden { "Copy as Markdown" }
                a href=(download) download="pack.md" { "Save as Markdown" }
            }
            div .text { @for piece in &pack.pieces { (piece_view(piece)) } }
            details .links {
                summary { "The whole as Markdown" }
                pre #pack .source tabindex="0" dir="auto" { (pack.output) }
            }
        }
    }
}

fn piece_view(piece: &PackPiece) -> Markup {
    let number = piece.number;
    html! {
        article .chunk id={ "piece-" (number) } aria-label={ "Piece " (number) } {
            div .cite {
                span .ordinal { (number) }
                a href=(citation_link(&piece.citation)) { (name(piece.shown_name())) }
                span { (counted(piece.tokens as u64, "token")) }
                @if let Some(locator) = &piece.locator { span { (place(locator)) } }
                @if let Some(headings) = &piece.heading_path { span dir="auto" { (headings) } }
                span .actions {
                    button .plain-button type="button" data-copy=(piece.citation) title="Copy the citation" hidden { "Copy citation" }
                }
            }
            div .words dir="auto" {
                @if let Some(context) = &piece.context { span .quiet { (context) "\n" } }
                (piece.text)
            }
        }
    }
}
