//! The answers of the API: functions from a question to a reply, run on a working thread with a connection at hand.

pub mod chunks;
pub mod documents;
pub mod mails;
pub mod search;
pub mod stats;

use super::parameter::Values;
use super::problem::{Kind, Problem};
use super::served_corpus::{PathRedactor, ServedCorpus};
use crate::store::Store;

/// A question.
pub struct ApiRequest<'a> {
    /// The database, as of one moment.
    pub store: &'a Store,
    /// The server.
    pub site: &'a ServedCorpus,
    /// The varying parts of the path.
    pub parts: &'a [(String, String)],
    /// The parameters, checked.
    pub values: Values,
}

impl ApiRequest<'_> {
    /// A varying part of the path; empty where the path has none of that name.
    pub fn part(&self, name: &str) -> &str {
        self.parts.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// How paths are shown.
    pub fn veil(&self) -> Result<PathRedactor, Problem> {
        Ok(PathRedactor::over(self.store, self.site.options.show_paths)?)
    }
}

/// Nothing has this name.
fn nothing(what: &str) -> Problem {
    Problem::new(Kind::NotFound, format!("There is no {what} of this name."))
}

/// The rows of a page and the key of its last row, where rows follow; `rows` has one more than `limit` then.
pub fn page<T, K>(rows: &mut Vec<T>, limit: usize, key: impl Fn(&T) -> K) -> Option<K> {
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    rows.last().filter(|_| goes_on).map(key)
}
