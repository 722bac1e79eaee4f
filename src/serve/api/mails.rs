//! Mails and threads.

use super::{Ask, nothing};
use crate::serve::answers::{Mail, Thread, ThreadList, ThreadSummary, ThreadedMail};
use crate::serve::cursor::{self, Key};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;

/// `/api/v3/mails/{uid}`
pub fn one(ask: &Ask<'_>) -> Result<Reply, Problem> {
    let view = ask.store.mail(ask.part("uid"))?.ok_or_else(|| nothing("mail"))?;
    Ok(Reply::json(&Mail::of(view, &ask.veil()?)))
}

/// `/api/v3/threads`
pub fn threads(ask: &Ask<'_>) -> Result<Reply, Problem> {
    let key = ask.values.text("cursor").map(|text| cursor::THREADS.read(text)).transpose()?;
    let place = key.map(|key| key.into_iter().map(Key::into_text).collect::<Vec<_>>().join(BETWEEN));
    let page = ask.store.threads(place.as_deref(), ask.values.number("limit"))?;
    let page = page.ok_or_else(|| nothing("page"))?;
    Ok(Reply::json(&ThreadList {
        threads: page.threads.into_iter().map(ThreadSummary::of).collect(),
        next_cursor: page.next.as_deref().map(cursor_of),
    }))
}

/// Between date and name in the places that the store gives.
const BETWEEN: &str = "~";

fn cursor_of(place: &str) -> String {
    let (date, name) = place.split_once(BETWEEN).unwrap_or((place, ""));
    cursor::THREADS.write(&[Key::Text(date.to_owned()), Key::Text(name.to_owned())])
}

/// `/api/v3/threads/{uid}`
pub fn thread(ask: &Ask<'_>) -> Result<Reply, Problem> {
    let offset = ask.values.text("cursor").map(|text| cursor::MAILS.read_number(text)).transpose()?;
    let (offset, limit) = (offset.unwrap_or(0) as usize, ask.values.number("limit"));
    let view = ask.store.thread(ask.part("uid"), offset, limit)?.ok_or_else(|| nothing("thread"))?;
    let reached = offset.saturating_add(view.mails.len());
    let goes_on = reached < view.total && !view.mails.is_empty();
    let veil = ask.veil()?;
    Ok(Reply::json(&Thread {
        thread_uid: view.thread_uid,
        subject: view.subject,
        total: view.total as u64,
        mails: view.mails.into_iter().map(|mail| ThreadedMail::of(mail, &veil)).collect(),
        next_cursor: goes_on.then(|| cursor::MAILS.write(&[Key::Number(reached as u64)])),
    }))
}
