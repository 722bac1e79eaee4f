//! An answer as bytes: created on a working thread, sent on a network thread.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use serde::Serialize;

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its HTTP status.
    pub status: StatusCode,
    /// Its media type.
    pub kind: &'static str,
    /// The bytes.
    pub body: Vec<u8>,
    headers: Vec<(&'static str, String)>,
}

impl Reply {
    /// 200 with these bytes.
    pub fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Reply {
        Reply { status: StatusCode::OK, kind, body: body.into(), headers: Vec::new() }
    }

    /// 200 with a value as JSON.
    pub fn json(value: &impl Serialize) -> Reply {
        // Only maps whose keys are not strings fail, and no answer has one.
        let mut body = serde_json::to_vec(value).unwrap_or_default();
        body.push(b'\n');
        Reply::new("application/json", body)
    }

    /// 200 with text that is JSON already.
    pub fn json_text(text: String) -> Reply {
        Reply::new("application/json", text)
    }

    /// 200 with a page.
    pub fn html(page: String) -> Reply {
        Reply::new("text/html; charset=utf-8", page)
    }

    /// A redirect to another address of this server.
    pub fn redirect(to: impl Into<String>) -> Reply {
        Reply::new("text/plain; charset=utf-8", "").with_status(StatusCode::SEE_OTHER).with("location", to)
    }

    /// The same with another status.
    pub fn with_status(self, status: StatusCode) -> Reply {
        Reply { status, ..self }
    }

    /// The same with one more header.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }

    /// The reply as the network sends it.
    pub fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        for (name, value) in self.headers {
            // An invalid value is left out; no value contains foreign text.
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        response
    }
}
