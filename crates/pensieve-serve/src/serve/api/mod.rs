//! The answers of the API: functions from a request to a reply, which run on a working thread with a connection.

pub mod changes;
pub mod chunks;
pub mod citations;
pub mod documents;
pub mod folders;
pub mod mails;
pub mod pack;
pub mod search;
pub mod stats;

use super::parameter::Values;
use super::problem::{Kind, Problem};
use super::served_corpus::ServedCorpus;
use crate::access::PathRedactor;
use pensieve_store::store::Store;

/// A request.
pub struct ApiRequest<'a> {
    /// The database, within one read transaction.
    pub store: &'a Store,
    /// The server.
    pub site: &'a ServedCorpus,
    /// The variable parts of the path.
    pub parts: &'a [(String, String)],
    /// The parameters, checked.
    pub values: Values,
}

impl ApiRequest<'_> {
    /// A variable part of the path; empty if the path has no part of that name.
    pub fn part(&self, name: &str) -> &str {
        self.parts.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The redactor of paths.
    pub fn redactor(&self) -> Result<PathRedactor, Problem> {
        Ok(PathRedactor::over(self.store, self.site.options.show_paths)?)
    }
}

/// The problem that nothing has this name.
fn nothing(what: &str) -> Problem {
    Problem::new(Kind::NotFound, format!("There is no {what} of this name."))
}

/// Cuts `rows` to `limit`. If rows follow, for which `rows` has one more than `limit`, returns the key of the last row
/// that is kept.
pub fn page<T, K>(rows: &mut Vec<T>, limit: usize, key: impl Fn(&T) -> K) -> Option<K> {
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    rows.last().filter(|_| has_more).map(key)
}
