//! Errors as RFC 9457 problem documents, with one table of kinds.
//!
//! A problem tells the caller what to do. It never contains a path of this machine or a message of SQLite.

use super::reply::Reply;
use crate::access::PoolError;
use axum::http::StatusCode;
use pensieve_store::store::{QueryError, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

/// Defines the kinds of problems with their names, statuses and titles.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $status:ident, $title:literal;)+) => {
        /// The kinds of problems.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind { $($(#[$doc])* $kind),+ }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind),+];

            /// The last part of its `type`.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name),+ }
            }

            /// Its HTTP status.
            pub fn status(self) -> StatusCode {
                match self { $(Kind::$kind => StatusCode::$status),+ }
            }

            /// The same words for every problem of this kind.
            pub fn title(self) -> &'static str {
                match self { $(Kind::$kind => $title),+ }
            }
        }
    };
}

kinds! {
    /// A query parameter has an invalid value, is missing, unknown, or given twice.
    BadParameter = "bad-parameter", BAD_REQUEST, "A parameter of the query is not as it should be";
    /// A cursor that is not of this list.
    BadCursor = "bad-cursor", BAD_REQUEST, "The cursor is none of this list";
    /// A search expression with a mistake.
    BadQuery = "bad-query", BAD_REQUEST, "The search expression has a mistake";
    /// No token, or a wrong one.
    NoToken = "no-token", UNAUTHORIZED, "A token is needed";
    /// A `Host` that this server does not answer to.
    WrongHost = "wrong-host", FORBIDDEN, "The server does not answer to this host name";
    /// Nothing exists at this address.
    NotFound = "not-found", NOT_FOUND, "There is nothing here";
    /// A document without text.
    NoText = "no-text", NOT_FOUND, "The document has no text";
    /// A cursor of changes that are no longer kept.
    Expired = "expired", GONE, "The changes since then are no longer kept";
    /// Only reading is possible.
    WrongMethod = "wrong-method", METHOD_NOT_ALLOWED, "The method is not possible here";
    /// A body that does not arrive in time.
    SlowRequest = "slow-request", REQUEST_TIMEOUT, "The request came too slowly";
    /// A body that is larger than any request needs.
    TooLarge = "too-large", PAYLOAD_TOO_LARGE, "The body of the request is too large";
    /// An address that is longer than any request needs.
    LongAddress = "long-address", URI_TOO_LONG, "The address is too long";
    /// The server is at its limits.
    Busy = "busy", SERVICE_UNAVAILABLE, "The server is busy";
    /// The answer took longer than the server allows.
    TooSlow = "too-slow", SERVICE_UNAVAILABLE, "The answer took too long";
    /// A first ingest has not ended, or the search table is off.
    NoSearch = "no-search", SERVICE_UNAVAILABLE, "The corpus cannot be searched";
    /// The database cannot be used.
    NoDatabase = "no-database", SERVICE_UNAVAILABLE, "The database cannot be read";
    /// A bug in the server.
    Bug = "bug", INTERNAL_SERVER_ERROR, "The server has made a mistake";
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub kind: Kind,
    /// What is wrong with this request, and what to do.
    pub detail: String,
    /// The parameter, if one is at fault.
    pub parameter: Option<&'static str>,
    /// The internal error, only for the log of the server.
    pub inside: Option<String>,
}

impl Problem {
    /// A problem of a kind.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem { kind, detail: detail.into(), parameter: None, inside: None }
    }

    /// A problem of a parameter.
    pub fn parameter(name: &'static str, detail: impl Into<String>) -> Problem {
        Problem { parameter: Some(name), ..Problem::new(Kind::BadParameter, detail) }
    }

    /// A search expression with a mistake, and how to correct it.
    fn query(error: &QueryError) -> Problem {
        let detail = format!("{error}: {}", error.cure());
        Problem { parameter: Some("query"), ..Problem::new(Kind::BadQuery, detail) }
    }

    /// The same problem where the search expression has another name than `query`.
    pub fn about_parameter(self, name: &'static str) -> Problem {
        Problem { parameter: self.parameter.map(|_| name), ..self }
    }

    /// A bug in the server; the error itself goes to the log only.
    pub fn bug(inside: impl Into<String>) -> Problem {
        Problem {
            inside: Some(inside.into()),
            ..Problem::new(Kind::Bug, "The server's own log has the details.")
        }
    }

    /// The problem as a document.
    pub fn document(&self) -> ProblemDocument {
        ProblemDocument {
            kind: format!("urn:pensieve:problem:{}", self.kind.name()),
            title: self.kind.title(),
            status: self.kind.status().as_u16(),
            detail: self.detail.clone(),
            parameter: self.parameter,
        }
    }

    /// The problem as a reply.
    pub fn reply(&self) -> Reply {
        let mut reply = Reply::json(&self.document()).with_status(self.kind.status());
        reply.kind = "application/problem+json";
        match self.kind {
            Kind::NoToken => reply.with("www-authenticate", "Bearer realm=\"pensieve\""),
            Kind::Busy | Kind::TooSlow | Kind::NoSearch => reply.with("retry-after", "5"),
            _ => reply,
        }
    }
}

/// An RFC 9457 problem document.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemDocument {
    /// `urn:pensieve:problem:` and the name of the kind.
    #[serde(rename = "type")]
    kind: String,
    /// The same for every problem of a kind.
    title: &'static str,
    /// The HTTP status, repeated.
    status: u16,
    /// What is wrong with this request, and what to do.
    detail: String,
    /// The parameter, if one is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    parameter: Option<&'static str>,
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let (kind, detail) = match &error {
            StoreError::Query(error) => return Problem::query(error),
            StoreError::NoSearch { .. } => {
                (Kind::NoSearch, "It was made without a search table (`store.fts = false`).")
            }
            StoreError::Interrupted { .. } => (Kind::TooSlow, "Ask for less at once."),
            StoreError::Unfinished { run, .. } => {
                let run = run.map(|run| format!(" ({run})")).unwrap_or_default();
                let detail =
                    format!("A first ingest has not ended{run}: the search table is built at its end.");
                return Problem { inside: Some(error.to_string()), ..Problem::new(Kind::NoSearch, detail) };
            }
            StoreError::Locked { .. } => (Kind::Busy, "Another process has locked the database; try again."),
            _ => (Kind::NoDatabase, "The server's own log has the details."),
        };
        Problem { inside: Some(error.to_string()), ..Problem::new(kind, detail) }
    }
}

impl From<PoolError> for Problem {
    fn from(error: PoolError) -> Problem {
        match error {
            PoolError::Busy => {
                Problem::new(Kind::Busy, "Too many questions wait before this one; try again.")
            }
            PoolError::Panicked(_) => Problem::bug(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_that_was_interrupted_or_never_begun_is_answered_with_503() {
        let interrupted = StoreError::Interrupted { path: "/secret/a.db".into() };
        for (problem, kind) in
            [(Problem::from(interrupted), Kind::TooSlow), (Problem::from(PoolError::Busy), Kind::Busy)]
        {
            assert_eq!((problem.kind, kind.status()), (kind, StatusCode::SERVICE_UNAVAILABLE));
            assert!(!problem.detail.contains("/secret"), "{}", problem.detail);
        }
        assert_eq!(Kind::SlowRequest.status(), StatusCode::REQUEST_TIMEOUT);
    }

    #[test]
    fn names_of_kinds_differ() {
        let mut names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Kind::ALL.len());
    }

    #[test]
    fn what_happened_inside_stays_inside() {
        let error = StoreError::Locked { path: "/secret/place.db".into() };
        let problem = Problem::from(error);
        assert_eq!(problem.inside.as_deref(), Some("cannot open `/secret/place.db`: locked by another run"));
        let body = serde_json::to_string(&problem.document()).unwrap();
        assert!(!body.contains("secret"), "{body}");
    }
}
