//! Which service makes vectors, and how it is asked.

use crate::store::VectorFormat;
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// The keys of `[embedding]`, which `default.toml` explains: which service makes vectors, and how it is asked.
#[derive(Debug, Clone, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct EmbeddingSettings {
    pub endpoint: Endpoint,
    pub model: String,
    #[serde(deserialize_with = "none_for_zero")]
    pub dimensions: Option<usize>,
    pub api_key_env: String,
    /// What the environment has under that name.
    #[serde(skip)]
    pub key: Option<ApiKey>,
    pub format: VectorFormat,
    pub prefix_document: String,
    pub prefix_query: String,
    pub batch: usize,
    pub concurrency: usize,
    #[serde(deserialize_with = "none_for_zero")]
    pub max_tokens_per_minute: Option<u64>,
    #[serde(deserialize_with = "seconds")]
    pub timeout: Duration,
    pub retries: u32,
    pub price_per_million: f64,
    pub keep_orphans: u32,
}

fn none_for_zero<'de, D: Deserializer<'de>, N: Deserialize<'de> + Default + PartialEq>(
    value: D,
) -> Result<Option<N>, D::Error> {
    N::deserialize(value).map(|number| Some(number).filter(|number| *number != N::default()))
}

fn seconds<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    u64::deserialize(value).map(Duration::from_secs)
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

/// The address of a service. That of a configuration may be empty, for none, and is checked with it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Endpoint(String);

impl From<String> for Endpoint {
    fn from(address: String) -> Endpoint {
        Endpoint(address.trim().to_owned())
    }
}

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
    /// An address that can be used.
    pub fn parse(address: &str) -> Result<Endpoint, EndpointError> {
        let endpoint = Endpoint(address.to_owned());
        match endpoint.is_empty() {
            true => Err(EndpointError::Scheme),
            false => endpoint.check().map(|()| endpoint),
        }
    }

    /// True where there is no service.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses an address that is none.
    pub fn check(&self) -> Result<(), EndpointError> {
        if self.is_empty() {
            return Ok(());
        }
        let address = &self.0;
        let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
        let rest = rest.filter(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace));
        let host = rest.ok_or(EndpointError::Scheme)?.split(['/', '?', '#']).next().unwrap_or_default();
        match host {
            "" => Err(EndpointError::Scheme),
            host if host.contains('@') => Err(EndpointError::Credentials),
            _ => Ok(()),
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
