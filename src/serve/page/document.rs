//! A document: its facts, and its clean text with the boundaries and citations of its chunks.
//!
//! Text is shown once, in order. A chunk shows the text from the end of the one before to its own end; what it shares
//! with the next chunk is marked as overlap.

use super::template::page_template;
use super::words::{address, document, name, place, readable};
use crate::serve::answers::{Document, DocumentChunk, DocumentLink};
use crate::serve::api::ApiRequest;
use crate::serve::api::{chunks, documents};
use crate::serve::parameter::MAX_INTEGER;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use crate::store::{MailLine, TextVariant};
use maud::{Markup, html};
use pensieve_text::format::by_name;
use pensieve_text::model::TextKind;
use pensieve_text::model::numbers::{bytes, count, counted};

/// Chunks on a page.
const PAGE_CHUNKS: usize = 20;

/// Characters between two chunks that are shown; a longer gap is white space only, and is left out.
const MAX_GAP_CHARACTERS: usize = 4000;

/// Mails of a thread that are linked.
const MAX_THREAD_MAILS: usize = 100;

/// The part of a text that a page shows.
struct TextRange {
    chunks: Vec<DocumentChunk>,
    /// Characters before the first of `text`.
    start: usize,
    text: Vec<char>,
    /// Number of the first chunk, from 0, and of all.
    first: usize,
    total: usize,
    /// The chunk that was requested.
    wanted: Option<usize>,
}

/// `/docs/{doc_uid}`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let row = documents::found(ask)?;
    let row_id = row.text_id;
    let range = text_range(ask, row_id)?;
    let is_code = row
        .format
        .as_deref()
        .and_then(by_name)
        .is_some_and(|format| matches!(format.kind, TextKind::Code | TextKind::Data));
    let facts = documents::document(ask.store, row, &ask.redactor()?)?;
    let thread = ask.store.mails().thread_lines(row_id, MAX_THREAD_MAILS)?;
    let title = facts.summary.name.clone();
    let main = html! {
        (head(&facts))
        (mails_of(&thread, &facts))
        @if let Some(text) = &facts.text {
            section aria-labelledby="text" {
                div .bar {
                    h2 #text { "Clean text" }
                    p .quiet {
                        (text.version) " · " (counted(text.char_length, "character")) " · " (counted(range.total as u64, "chunk"))
                        " · " a href={ "/api/v3" (document(&facts.summary.doc_uid)) "/text" } { "as JSON" }
                    }
                }
                (pages(&range, &facts.summary.doc_uid))
                @if range.chunks.is_empty() { p .quiet { "The text is empty." } } @else {
                    div .text .code[is_code] { @for at in 0..range.chunks.len() { (chunk(&range, at)) } }
                }
                (pages(&range, &facts.summary.doc_uid))
            }
        } @else {
            p .quiet { "There is no text." }
        }
    };
    Ok(page_template(&title, "/docs", main))
}

fn text_range(ask: &ApiRequest<'_>, file_id: i64) -> Result<TextRange, Problem> {
    let at = Some(ask.values.number("at")).filter(|&at| (at as u64) < MAX_INTEGER);
    let (total, before) = ask.store.chunks().counts(file_id, at.unwrap_or(0))?;
    let number = match at {
        Some(_) => before.min(total.saturating_sub(1)),
        None => (ask.values.number("page") - 1).saturating_mul(PAGE_CHUNKS).min(total.saturating_sub(1)),
    };
    let first = number / PAGE_CHUNKS * PAGE_CHUNKS;
    let after = ask.store.chunks().before_number(file_id, first)?;
    let rows = ask.store.chunks().page(file_id, after, PAGE_CHUNKS)?;
    let chunks = chunks::with_char_ranges(ask.store, file_id, rows)?;
    let start = chunks.first().map_or(0, |chunk| chunk.range.char_start as usize);
    let end = chunks.iter().map(|chunk| chunk.range.char_end as usize).max().unwrap_or(0);
    let text = match ask.store.texts().clean_facts(file_id)? {
        Some(facts) => {
            ask.store.text(file_id, TextVariant::Clean, &facts.version).page((start, end - start))?
        }
        None => String::new(),
    };
    let wanted = at.map(|_| number - first);
    Ok(TextRange { chunks, start, text: text.chars().collect(), first, total, wanted })
}

fn head(facts: &Document) -> Markup {
    let summary = &facts.summary;
    let title = facts.metadata.get("title").and_then(|titles| titles.first());
    let is_listed = |reason: &String| facts.errors.iter().any(|error| error.error_message == *reason);
    let reason = summary.status_reason.as_ref().filter(|reason| !is_listed(reason));
    html! {
        p .crumbs { a href="/docs" { "Documents" } @if let Some(parent) = &facts.parent { " / " (link(parent)) } }
        h1 .path { (name(&summary.name)) }
        @if let Some(title) = title { p .lead { (title) } }
        p .badges {
            span .status .{ "s-" (summary.processing_status) } { (readable(&summary.processing_status)) }
            @if let Some(reason) = reason { span .quiet { (reason) } }
            @if summary.needs_review { span .tag .warn { "review" } }
        }
        @if let Some(uid) = &summary.canonical_doc_uid {
            p .note { "A duplicate: its text is that of " a href=(document(uid)) { "the document that is read in its place" } "." }
        }
        @for reason in &facts.review_reasons {
            p .note { span .tag .warn { (readable(&reason.reason)) } " " (reason.detail) }
        }
        @for error in &facts.errors {
            p .note { span .tag .bad { (error.error_type) } " " (error.error_message) }
        }
        dl .short { @for (name, value) in facts_of(facts) { div { dt { (name) } dd { (value) } } } }
        details .links {
            summary { "Names and metadata" }
            dl .facts { @for (name, value, is_code) in details_of(facts) { dt { (name) } dd .mono[is_code] { (value) } } }
        }
        (links("Inside", &facts.members))
        (links("The same bytes", &facts.duplicates))
    }
}

/// The most important facts.
fn facts_of(facts: &Document) -> Vec<(&'static str, String)> {
    let summary = &facts.summary;
    let rows = [
        ("Size", Some(bytes(summary.size_bytes))),
        ("Format", summary.format.clone()),
        ("Tokens", summary.estimated_tokens.map(count)),
        ("Changed", summary.modification_date.as_deref().map(minute)),
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
        ("path", summary.full_filepath.clone()),
        ("mime type", summary.mime_type.clone()),
    ];
    let names = names.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?, true)));
    let metadata = facts.metadata.iter().filter(|(key, _)| *key != "title");
    names.chain(metadata.map(|(key, values)| (key.clone(), values.join("; "), false))).collect()
}

/// A stored time to the minute: `2026-11-21 16:45`.
fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

fn link(to: &DocumentLink) -> Markup {
    html! { a href=(document(&to.doc_uid)) { (name(&to.name)) } }
}

fn links(heading: &str, documents: &[DocumentLink]) -> Markup {
    html! {
        @if !documents.is_empty() {
            details .links open[documents.len() <= 5] {
                summary { (heading) " " span .number { (count(documents.len() as u64)) } }
                ul .plain { @for document in documents { li { (link(document)) } } }
            }
        }
    }
}

/// The thread of a mail, if it contains other mails.
fn mails_of(thread: &[MailLine], facts: &Document) -> Markup {
    let uid = &facts.summary.doc_uid;
    let is_here = |line: &MailLine| {
        line.doc_uid == *uid || facts.summary.canonical_doc_uid.as_ref() == Some(&line.doc_uid)
    };
    html! {
        @if thread.len() > 1 {
            details .links open[thread.len() <= 10] {
                summary { "Thread " span .number { (count(thread.len() as u64)) } }
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

fn pages(range: &TextRange, doc_uid: &str) -> Markup {
    let (page, pages) = (range.first / PAGE_CHUNKS + 1, range.total.div_ceil(PAGE_CHUNKS));
    let to = |page: usize| address(&document(doc_uid), &[("page", &page.to_string())]);
    html! {
        @if pages > 1 {
            nav .pages aria-label="Pages of the text" {
                @if page > 1 { a href=(to(page - 1)) rel="prev" { "Previous" } }
                span { "Page " (count(page as u64)) " of " (count(pages as u64)) }
                @if page < pages { a href=(to(page + 1)) rel="next" { "Next" } }
            }
        }
    }
}

fn chunk(page: &TextRange, at: usize) -> Markup {
    let chunk = &page.chunks[at];
    let range = &chunk.range;
    let (start, end) = (range.char_start as usize, range.char_end as usize);
    // Text that chunks before this one have shown is not shown again.
    let shown = page.chunks[..at].iter().map(|chunk| chunk.range.char_end as usize).max();
    let is_long = |shown: usize| shown < start && start - shown > MAX_GAP_CHARACTERS;
    let own = shown.map_or(start, |shown| if is_long(shown) { start } else { shown }).min(end);
    let next = page.chunks.get(at + 1).map_or(end, |next| next.range.char_start as usize);
    let shared = next.clamp(own, end);
    let part = |from: usize, to: usize| -> String {
        let at = |char: usize| char.saturating_sub(page.start).min(page.text.len());
        page.text[at(from)..at(to)].iter().collect()
    };
    let own_text = part(own, shared);
    let words = own_text.trim_start_matches('\n');
    let gap = &own_text[..own_text.len() - words.len()];
    let is_wanted = page.wanted == Some(at);
    let number = page.first + at + 1;
    html! {
        article .chunk .wanted[is_wanted] id=(if is_wanted { "found".to_owned() } else { format!("chunk-{number}") })
            aria-label={ "Chunk " (count(number as u64)) } {
            div .cite {
                a .ordinal href={ "/api/v3/chunks/" (chunk.chunk.content_hash) } title="This chunk as JSON" { (count(number as u64)) }
                span { (count(chunk.chunk.estimated_tokens)) " tokens" }
                @if let Some(locator) = &range.locator { span { (place(locator)) } }
                @if let (Some(start), Some(end)) = (range.source_start, range.source_end) {
                    span title=(if range.source_exact == Some(true) { "These bytes, decoded and normalised, are the chunk" } else { "The smallest range that the chunk comes from" }) {
                        (if range.source_exact == Some(true) { "bytes " } else { "within bytes " }) (count(start)) "–" (count(end))
                    }
                }
                @if let Some(headings) = &range.heading_path { span .headings { (headings) } }
                @if let Some(context) = &range.context { span .headings { (context) } }
            }
            div .words dir="auto" {
                // Blank lines between two chunks belong to the text; the rule between the chunks stands for them.
                span hidden { (gap) }
                (words)
                @if shared < end { span .overlap title="The next chunk begins here" { (part(shared, end)) } }
            }
        }
    }
}
