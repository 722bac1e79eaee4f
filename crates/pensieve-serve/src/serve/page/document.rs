//! A document: its facts, what belongs to it, and its clean text.

use super::cited_words;
use super::clean_text::{TextPage, TextPosition};
use super::crumbs::{crumbs, folder_link, folder_of};
use super::mails;
use super::original;
use super::template::page_template;
use super::words::{address, document, last_part, minute, name, readable};
use crate::serve::answers::Document;
use crate::serve::api::{self, ApiRequest, documents};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use maud::{Markup, html};
use pensieve_store::store::DocumentName;
use pensieve_store::store::MailSummary;
use pensieve_text::format::by_name;
use pensieve_text::model::numbers::{bytes, count, counted};
use pensieve_text::model::{ChunkStrategy, TextKind};

/// Mails of a thread that are linked.
const MAX_THREAD_MAILS: usize = 100;

/// `/docs/{doc_uid}`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let row = documents::found(ask)?;
    let (position, message) = match ask.values.text("cite") {
        Some(citation) => cited_words::checked(ask, citation)?,
        None => (TextPosition::of(&ask.values)?, html! {}),
    };
    let text = TextPage::read(ask, row.text_id, &position)?;
    let format = row.format.as_deref().and_then(by_name);
    let is_markdown = format.is_some_and(|format| format.strategy == Some(ChunkStrategy::Markdown));
    let is_code = format.is_some_and(|format| matches!(format.kind, TextKind::Code | TextKind::Data));
    let view = match (is_markdown, ask.values.text("view")) {
        (true, Some(RAW)) => TextView::Raw,
        (true, _) => TextView::Rendered,
        (false, _) if is_code => TextView::Code,
        (false, _) => TextView::Plain,
    };
    let has_original = original::is_offered(ask, &row);
    let thread = ask.store.mails().thread_summaries(row.text_id, MAX_THREAD_MAILS)?;
    let mail = if thread.is_empty() { None } else { api::mails::found(ask, &row.doc_uid)? };
    let facts = documents::document(ask.store, row, &ask.redactor()?)?;
    let main = html! {
        (head(&facts, has_original))
        @if let Some(mail) = &mail { (mails::head(mail)) }
        @else { (inside(&facts)) }
        (links("The same bytes", &facts.duplicates))
        (mails_of(&thread, &facts, mail.as_ref().and_then(|mail| mail.thread_uid.as_deref())))
        (text_section(&facts, &text, view, mail.is_some(), &message))
    };
    Ok(page_template(ask.site, last_part(&facts.summary.name), "/docs", main))
}

/// How a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextView {
    /// Markdown as elements.
    Rendered,
    /// Markdown as it is stored.
    Raw,
    /// Other text.
    Plain,
    /// With letters of one width.
    Code,
}

const RAW: &str = "raw";

/// The views that can be asked for.
pub const VIEWS: &[&str] = &[RAW, "rendered"];

fn text_section(
    facts: &Document,
    text: &TextPage,
    view: TextView,
    is_mail: bool,
    message: &Markup,
) -> Markup {
    let uid = &facts.summary.doc_uid;
    let path = document(uid);
    let parameters: &[(&str, &str)] = if view == TextView::Raw { &[("view", RAW)] } else { &[] };
    let paging = text.paging(&path, parameters);
    let this_page = text.page_number().to_string();
    html! {
        @if let Some(version) = &facts.text {
            section aria-labelledby="text" {
                div .bar {
                    h2 #text { "Clean text" }
                    p .quiet {
                        (version.version) " · " (counted(version.char_length, "character")) " · " (counted(text.total as u64, "chunk"))
                        " · " a href={ "/api/v3" (path) "/text" } { "as JSON" }
                        @match view {
                            TextView::Rendered => { " · " a href=(address(&path, &[("page", &this_page), ("view", RAW)])) { "as stored" } },
                            TextView::Raw => { " · " a href=(address(&path, &[("page", &this_page)])) { "as it reads" } },
                            _ => {},
                        }
                    }
                }
                (paging.links())
                @if text.is_empty() { (message) p .quiet { "The text is empty." } } @else {
                    div .text .code[view == TextView::Code] .mail-text[is_mail] { (text.view(uid, message, view == TextView::Rendered)) }
                }
                (paging.links_and_form())
            }
        } @else {
            (message)
            p .quiet { "There is no text." }
        }
    }
}

fn head(facts: &Document, has_original: bool) -> Markup {
    let summary = &facts.summary;
    let title = facts.metadata.get("title").and_then(|titles| titles.first());
    let is_listed = |reason: &String| facts.errors.iter().any(|error| error.error_message == *reason);
    let reason = summary.reason.as_ref().filter(|reason| !is_listed(reason));
    html! {
        nav .crumbs aria-label="Folders above" {
            (crumbs(summary.root_id, folder_of(&summary.name), false))
            @if let Some(parent) = &facts.parent { " / " (link(parent, last_part(&parent.name))) }
        }
        h1 .path { bdi { (last_part(&summary.name)) } }
        @if let Some(title) = title { p .lead { (title) } }
        p .badges {
            span .status .{ "s-" (summary.status) } { (readable(&summary.status)) }
            @if let Some(reason) = reason { span .quiet { (reason) } }
            @if summary.needs_review { span .tag .warn { "review" } }
            @if has_original { a href={ (document(&summary.doc_uid)) "/original" } { "Open the original" } }
        }
        @if let Some(uid) = &summary.canonical_uid {
            p .note { "A duplicate: its text is that of " a href=(document(uid)) { "the document that is read in its place" } "." }
        }
        @for reason in &facts.review_reasons {
            p .note { span .tag .warn { (readable(&reason.reason)) } " " (reason.detail) }
        }
        @for error in &facts.errors {
            p .note { span .tag .bad { (error.error_type) } " " (error.error_message) }
        }
        @if !facts.hidden_text.is_empty() {
            details .links {
                summary { "Text that nobody can see " span .number { (count(facts.hidden_text.len() as u64)) } }
                ul .plain { @for passage in &facts.hidden_text { li { (passage.in_words) } } }
            }
        }
        dl .short { @for (name, value) in facts_of(facts) { div { dt { (name) } dd { (value) } } } }
        details .links {
            summary { "Names and metadata" }
            dl .facts { @for (name, value, is_code) in details_of(facts) { dt { (name) } dd .mono[is_code] { (value) } } }
        }
    }
}

/// The documents inside this one, and where all of them are listed.
fn inside(facts: &Document) -> Markup {
    let summary = &facts.summary;
    html! {
        (links("Inside", &facts.members))
        @if facts.members.len() > 5 {
            p { a href=(folder_link(summary.root_id, &summary.relative_path)) { "All documents inside, as a list" } }
        }
    }
}

/// The most important facts.
fn facts_of(facts: &Document) -> Vec<(&'static str, String)> {
    let summary = &facts.summary;
    let rows = [
        ("Size", Some(bytes(summary.size))),
        ("Format", summary.format.clone()),
        ("Tokens", summary.tokens.map(count)),
        ("Changed", summary.modified.as_deref().map(minute)),
        ("Encoding", facts.encoding.clone()),
        ("Read by", facts.extractor.clone()),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The other facts: name, value, and whether the value is an identifier.
fn details_of(facts: &Document) -> Vec<(String, String, bool)> {
    let summary = &facts.summary;
    let names = [
        ("doc_uid", Some(summary.doc_uid.clone())),
        ("sha-256", summary.hash.clone()),
        ("sha-256 of the text", facts.text.as_ref().map(|text| text.sha256.clone())),
        ("path", Some(summary.full_path.clone()).filter(|path| !path.is_empty())),
        ("mime type", summary.mime.clone()),
    ];
    let names = names.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?, true)));
    let metadata = facts.metadata.iter().filter(|(key, _)| *key != "title");
    names.chain(metadata.map(|(key, values)| (key.clone(), values.join("; "), false))).collect()
}

fn link(to: &DocumentName, text: &str) -> Markup {
    html! { a href=(document(&to.doc_uid)) { (name(text)) } }
}

fn links(heading: &str, documents: &[DocumentName]) -> Markup {
    html! {
        @if !documents.is_empty() {
            details .links open[documents.len() <= 5] {
                summary { (heading) " " span .number { (count(documents.len() as u64)) } }
                ul .plain { @for document in documents { li { (link(document, &document.name)) } } }
            }
        }
    }
}

/// The thread of a mail, if it contains other mails.
fn mails_of(thread: &[MailSummary], facts: &Document, thread_uid: Option<&str>) -> Markup {
    let uid = &facts.summary.doc_uid;
    let is_here = |line: &MailSummary| {
        line.doc_uid == *uid || facts.summary.canonical_uid.as_ref() == Some(&line.doc_uid)
    };
    html! {
        @if thread.len() > 1 {
            details .links open[thread.len() <= 10] {
                summary { "Thread " span .number { (count(thread.len() as u64)) } }
                @if let Some(uid) = thread_uid { p { a href=(mails::thread_link(uid)) { "The thread on one page" } } }
                ol .thread {
                    @for line in thread {
                        li {
                            span .quiet { (line.date.as_deref().map(minute).unwrap_or_default()) } " "
                            a href=(document(&line.doc_uid)) aria-current=[is_here(line).then_some("true")] {
                                bdi { (line.from.as_deref().unwrap_or("unknown")) } ": "
                                bdi { (line.subject.as_deref().unwrap_or("no subject")) }
                            }
                        }
                    }
                }
            }
        }
    }
}
