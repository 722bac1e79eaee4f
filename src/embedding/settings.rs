//! Which service makes vectors, and how it is asked.

use crate::store::VectorFormat;
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// Which service makes vectors, and how it is asked. The keys of `[embedding]` in the configuration say what each means.
#[derive(Debug, Clone)]
pub struct EmbeddingSettings {
    /// The address of the service.
    pub endpoint: Endpoint,
    /// The name of the model.
    pub model: String,
    /// Numbers in a vector; `None` for as many as the model gives.
    pub dimensions: Option<usize>,
    /// The key of the service.
    pub key: Option<ApiKey>,
    /// How vectors are stored.
    pub format: VectorFormat,
    /// The text before every chunk.
    pub prefix_document: String,
    /// The text before every question.
    pub prefix_query: String,
    /// Chunks in a request at most.
    pub batch: usize,
    /// Requests at the same time.
    pub concurrency: usize,
    /// Tokens in a minute; `None` for no limit.
    pub max_tokens_per_minute: Option<u64>,
    /// How long a request may take.
    pub timeout: Duration,
    /// How often a request is sent again after a failure that may pass.
    pub retries: u32,
    /// What a million tokens cost.
    pub price_per_million: f64,
    /// For so many runs the vectors of chunks that are gone are kept.
    pub keep_orphans: u32,
}

impl EmbeddingSettings {
    /// What so many tokens cost.
    pub fn price(&self, tokens: u64) -> f64 {
        tokens as f64 * self.price_per_million / 1e6
    }
}

/// The key of a service. It is shown nowhere.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key; `None` for an empty one.
    pub fn new(key: &str) -> Option<ApiKey> {
        let key = key.trim();
        (!key.is_empty()).then(|| ApiKey(key.to_owned()))
    }

    /// The value of the header `Authorization`.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A message of the service without the key, which it may repeat.
    pub(super) fn redact(&self, message: &str) -> String {
        message.replace(&self.0, "***")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(***)")
    }
}

/// The address of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint(String);

/// Why an address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointError {
    /// Something else than an address of the web.
    #[error("is no address that begins with http:// or https://")]
    Scheme,
    /// A user name or password before the host.
    #[error(
        "has a user name or password in it; keys belong into the environment variable that `embedding.api_key_env` names"
    )]
    Credentials,
}

impl Endpoint {
    /// Checks an address.
    pub fn parse(address: &str) -> Result<Endpoint, EndpointError> {
        let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
        let rest = rest.filter(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace));
        let host = rest.ok_or(EndpointError::Scheme)?.split(['/', '?', '#']).next().unwrap_or_default();
        match host {
            "" => Err(EndpointError::Scheme),
            host if host.contains('@') => Err(EndpointError::Credentials),
            _ => Ok(Endpoint(address.to_owned())),
        }
    }

    /// The whole address.
    pub(super) fn url(&self) -> &str {
        &self.0
    }
}

/// The address for messages: without its query, which may hold a key.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.split(['?', '#']).next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_web_and_hold_no_secret() {
        let check = |address: &str, expected: Result<&str, EndpointError>| {
            let shown = Endpoint::parse(address).map(|endpoint| endpoint.to_string());
            assert_eq!(shown, expected.map(str::to_owned), "{address}");
        };
        check("http://127.0.0.1:8080/v1/embeddings", Ok("http://127.0.0.1:8080/v1/embeddings"));
        check("https://a.example/v1/embeddings?key=secret", Ok("https://a.example/v1/embeddings"));
        check("https://me:secret@a.example/v1", Err(EndpointError::Credentials));
        check("ftp://a.example/", Err(EndpointError::Scheme));
        check("a.example/v1", Err(EndpointError::Scheme));
        check("https://", Err(EndpointError::Scheme));
        check("https:///v1", Err(EndpointError::Scheme));
        check("https://a b/", Err(EndpointError::Scheme));
        check("", Err(EndpointError::Scheme));
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = ApiKey::new(" sk-123 \n").unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey(***)");
        assert_eq!(key.header(), "Bearer sk-123");
        assert_eq!(key.redact("no such key: sk-123!"), "no such key: ***!");
        assert!(ApiKey::new(" ").is_none());
    }

    #[test]
    fn a_million_tokens_have_the_price() {
        let settings = super::super::testing::settings();
        assert_eq!(
            [0, 1_000_000, 3_000_000, 10].map(|tokens| settings.price(tokens)),
            [0.0, 0.5, 1.5, 0.000_005]
        );
    }
}
