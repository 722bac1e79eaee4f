//! Mails: the list of threads, one thread, and the head of a mail.
//!
//! Mails are shown as the text that the corpus has of them; their HTML is for other programs.

use super::paging::next_link;
use super::template::page_template;
use super::words::{document, minute, readable};
use crate::serve::api::ApiRequest;
use crate::serve::api::mails::{thread_page, threads_page};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use maud::{Markup, html};
use pensieve_store::store::{MailView, ThreadMail, ThreadRow};
use pensieve_text::model::numbers::{bytes, count, counted};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters of a mail in a thread; its own page has the rest.
const MAX_BODY_CHARACTERS: usize = 4000;

/// The address of a thread.
pub fn thread_link(thread_uid: &str) -> String {
    format!("/threads/{}", utf8_percent_encode(thread_uid, NON_ALPHANUMERIC))
}

/// `/threads`
pub fn threads(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let list = threads_page(ask)?;
    let cursor = ask.values.text("cursor");
    let main = html! {
        h1 { "Threads of mails" }
        @if list.threads.is_empty() { p .quiet { "The corpus has no mails." } }
        @else { ul .entries { @for thread in &list.threads { (thread_line(thread)) } } }
        (next_link("/threads", &[], cursor, list.next_cursor.as_deref()))
    };
    Ok(page_template(ask.site, "Threads of mails", "/threads", main))
}

fn thread_line(thread: &ThreadRow) -> Markup {
    let (first, last) = (thread.first_date.as_deref(), thread.last_date.as_deref());
    html! {
        li {
            a .title href=(thread_link(&thread.thread_uid)) { bdi { (subject(thread.subject.as_deref())) } }
            p .where {
                span { bdi { (thread.from.as_deref().unwrap_or("unknown")) } }
                span { (counted(thread.mail_count, "mail")) }
                @if let Some(last) = last {
                    span { @if let Some(first) = first.filter(|first| *first != last) { (minute(first)) " to " } (minute(last)) }
                }
            }
        }
    }
}

/// `/threads/{uid}`
pub fn thread(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let thread = thread_page(ask)?;
    let (view, cursor) = (&thread.view, ask.values.text("cursor"));
    let title = subject(view.subject.as_deref());
    let main = html! {
        nav .crumbs aria-label="Above" { a href="/threads" { "Threads of mails" } }
        h1 .path { bdi { (title) } }
        p .count { (counted(view.total, "mail")) ", by date" }
        @for mail in &view.mails { (mail_of_thread(mail)) }
        (next_link(&thread_link(&view.thread_uid), &[], cursor, thread.next_cursor.as_deref()))
    };
    Ok(page_template(ask.site, title, "/threads", main))
}

fn mail_of_thread(mail: &ThreadMail) -> Markup {
    let end = mail.body_markdown.char_indices().nth(MAX_BODY_CHARACTERS);
    let body = &mail.body_markdown[..end.map_or(mail.body_markdown.len(), |(at, _)| at)];
    let is_cut = mail.text_truncated || body.len() < mail.body_markdown.len();
    html! {
        article .mail {
            h2 { a href=(document(&mail.doc_uid)) { bdi { (mail.from.as_deref().unwrap_or("unknown")) } } }
            (fields(mail, false))
            div .words dir="auto" { (body.trim_end()) @if is_cut { "…" } }
            @if is_cut { p { a href=(document(&mail.doc_uid)) { "The whole mail" } } }
            (attachments(mail))
        }
    }
}

/// The head of a mail and what is attached to it.
pub fn head(mail: &MailView) -> Markup {
    html! {
        (fields(&mail.mail, true))
        (attachments(&mail.mail))
    }
}

fn fields(mail: &ThreadMail, is_whole: bool) -> Markup {
    let rows = [
        ("From", mail.from.clone().filter(|_| is_whole)),
        ("To", mail.to.clone()),
        ("Cc", mail.cc.clone()),
        ("Date", mail.date.as_deref().map(minute)),
        ("Subject", mail.subject.clone()),
    ];
    html! {
        dl .facts .mail-head {
            @for (name, value) in rows {
                @if let Some(value) = value.filter(|value| !value.is_empty()) { dt { (name) } dd { bdi { (value) } } }
            }
        }
    }
}

fn attachments(mail: &ThreadMail) -> Markup {
    html! {
        @if !mail.attachments.is_empty() {
            details .links open[mail.attachments.len() <= 10] {
                summary { "Attachments " span .number { (count(mail.attachments.len() as u64)) } }
                ul .plain {
                    @for attachment in &mail.attachments {
                        @let status = attachment.processing_status.as_deref().unwrap_or_default();
                        li {
                            a href=(document(&attachment.doc_uid)) { bdi { (attachment.filename) } }
                            " " span .quiet { (bytes(attachment.size_bytes)) }
                            @if status != "Processed" { " " span .status .{ "s-" (status) } { (readable(status)) } }
                            @if let Some(reason) = &attachment.status_reason { " " span .quiet { (reason) } }
                        }
                    }
                }
            }
        }
    }
}

fn subject(subject: Option<&str>) -> &str {
    subject.filter(|subject| !subject.trim().is_empty()).unwrap_or("no subject")
}
