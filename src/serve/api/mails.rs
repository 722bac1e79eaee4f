//! Mails and threads.

use super::{ApiRequest, nothing};
use crate::serve::answers::{Thread, ThreadList};
use crate::serve::cursor::{self, Key};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use crate::serve::served_corpus::PathRedactor;
use crate::store::ThreadMail;

/// `/api/v3/mails/{uid}`
pub fn one(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let mut view = ask.store.mails().get(ask.part("uid"))?.ok_or_else(|| nothing("mail"))?;
    veil(&mut view.mail, &ask.veil()?);
    Ok(Reply::json(&view))
}

/// No reason holds a path of this machine.
fn veil(mail: &mut ThreadMail, veil: &PathRedactor) {
    for reason in mail.attachments.iter_mut().filter_map(|attachment| attachment.status_reason.as_mut()) {
        *reason = veil.message(reason);
    }
}

/// `/api/v3/threads`
pub fn threads(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let key = ask.values.text("cursor").map(|text| cursor::THREADS.read(text)).transpose()?;
    let place = key.map(|key| key.into_iter().map(Key::into_text).collect::<Vec<_>>().join(BETWEEN));
    let page = ask.store.mails().threads(place.as_deref(), ask.values.number("limit"))?;
    let page = page.ok_or_else(|| nothing("page"))?;
    Ok(Reply::json(&ThreadList { threads: page.threads, next_cursor: page.next.as_deref().map(cursor_of) }))
}

/// Between date and name in the places that the store gives.
const BETWEEN: &str = "~";

fn cursor_of(place: &str) -> String {
    let (date, name) = place.split_once(BETWEEN).unwrap_or((place, ""));
    cursor::THREADS.write(&[Key::Text(date.to_owned()), Key::Text(name.to_owned())])
}

/// `/api/v3/threads/{uid}`
pub fn thread(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let offset = ask.values.text("cursor").map(|text| cursor::MAILS.read_number(text)).transpose()?;
    let (offset, limit) = (offset.unwrap_or(0) as usize, ask.values.number("limit"));
    let mut view =
        ask.store.mails().thread(ask.part("uid"), offset, limit)?.ok_or_else(|| nothing("thread"))?;
    let veil_over = ask.veil()?;
    view.mails.iter_mut().for_each(|mail| veil(mail, &veil_over));
    let reached = offset.saturating_add(view.mails.len()) as u64;
    let goes_on = reached < view.total && !view.mails.is_empty();
    let next_cursor = goes_on.then(|| cursor::MAILS.write(&[Key::Number(reached)]));
    Ok(Reply::json(&Thread { view, next_cursor }))
}
