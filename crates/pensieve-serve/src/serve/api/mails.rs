//! Mails and threads.

use super::{ApiRequest, nothing};
use crate::access::PathRedactor;
use crate::serve::answers::{Thread, ThreadList};
use crate::serve::cursor::{self, Key};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::store::{MailView, ThreadMail};

/// `/api/v3/mails/{uid}`
pub fn one(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    Ok(Reply::json(&found(ask, ask.part("uid"))?.ok_or_else(|| nothing("mail"))?))
}

/// The mail of a document, if it is one.
pub fn found(ask: &ApiRequest<'_>, doc_uid: &str) -> Result<Option<MailView>, Problem> {
    let mut view = ask.store.mails().get(doc_uid)?;
    let redactor = ask.redactor()?;
    if let Some(view) = &mut view {
        finish(&mut view.mail, &redactor);
    }
    Ok(view)
}

/// Removes paths of this machine from the reasons of attachments, and adds the address of the rest of a long text.
fn finish(mail: &mut ThreadMail, redactor: &PathRedactor) {
    mail.text_next = mail
        .text_truncated
        .then(|| format!("/api/v3/docs/{}/text?offset={}", mail.doc_uid, mail.text_limit_chars));
    for reason in mail.attachments.iter_mut().filter_map(|attachment| attachment.status_reason.as_mut()) {
        *reason = redactor.message(reason);
    }
}

/// `/api/v3/threads`
pub fn threads(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    Ok(Reply::json(&threads_page(ask)?))
}

/// A page of the list of threads.
pub fn threads_page(ask: &ApiRequest<'_>) -> Result<ThreadList, Problem> {
    let key = ask.values.text("cursor").map(|text| cursor::THREADS.read(text)).transpose()?;
    let after = key.map(|key| key.into_iter().map(Key::into_text).collect::<Vec<_>>().join(SEPARATOR));
    let page = ask.store.mails().threads(after.as_deref(), ask.values.number("limit"))?;
    let page = page.ok_or_else(|| nothing("page"))?;
    Ok(ThreadList { threads: page.threads, next_cursor: page.next.as_deref().map(cursor_of) })
}

/// Separates date and name in the positions that the store returns.
const SEPARATOR: &str = "~";

fn cursor_of(position: &str) -> String {
    let (date, name) = position.split_once(SEPARATOR).unwrap_or((position, ""));
    cursor::THREADS.write(&[Key::Text(date.to_owned()), Key::Text(name.to_owned())])
}

/// `/api/v3/threads/{uid}`
pub fn thread(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    Ok(Reply::json(&thread_page(ask)?))
}

/// A page of the mails of a thread.
pub fn thread_page(ask: &ApiRequest<'_>) -> Result<Thread, Problem> {
    let offset = ask.values.text("cursor").map(|text| cursor::MAILS.read_number(text)).transpose()?;
    let (offset, limit) = (offset.unwrap_or(0) as usize, ask.values.number("limit"));
    let mut view =
        ask.store.mails().thread(ask.part("uid"), offset, limit)?.ok_or_else(|| nothing("thread"))?;
    let redactor = ask.redactor()?;
    view.mails.iter_mut().for_each(|mail| finish(mail, &redactor));
    let reached = offset.saturating_add(view.mails.len()) as u64;
    let has_more = reached < view.total && !view.mails.is_empty();
    let next_cursor = has_more.then(|| cursor::MAILS.write(&[Key::Number(reached)]));
    Ok(Thread { view, next_cursor })
}
