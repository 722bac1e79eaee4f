//! One request to the service, and what its answer means.

use super::error::EmbedError;
use super::parse::{ParsedAnswer, failure_message, parse};
use super::settings::EmbeddingSettings;
use serde::Serialize;
use std::io;
use std::time::Duration;
use ureq::http::{HeaderMap, Response};
use ureq::{Agent, Timeout};

/// Largest answer that is read, in bytes: several thousand vectors of several thousand numbers.
const MAX_ANSWER_BYTES: u64 = 256 << 20;

/// Bytes of an error message that are read.
const MAX_MESSAGE_BYTES: u64 = 64 << 10;

/// What one request led to.
#[derive(Debug)]
pub(super) enum Answer {
    /// A vector for each text.
    Vectors(ParsedAnswer),
    /// The service has no time, or is not there: the same request later.
    Busy {
        /// What happened.
        reason: String,
        /// How long the service wants to be left alone.
        wait: Option<Duration>,
    },
    /// A failure that may pass, or that a text may have caused.
    Failed {
        /// What happened.
        reason: String,
        /// How long the service wants to be left alone.
        wait: Option<Duration>,
    },
    /// The service does not take these texts.
    Rejected(String),
    /// No request can succeed.
    Fatal(EmbedError),
}

#[derive(Serialize)]
struct RequestBody<'t> {
    model: &'t str,
    input: &'t [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

/// Asks one service.
pub(super) struct EmbeddingClient<'s> {
    settings: &'s EmbeddingSettings,
    agent: Agent,
}

impl<'s> EmbeddingClient<'s> {
    /// A client whose requests take at most this long.
    pub fn new(settings: &'s EmbeddingSettings, timeout: Duration) -> EmbeddingClient<'s> {
        // A redirect would carry text, and the key, to an address that nobody chose.
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("pensieve/", env!("CARGO_PKG_VERSION")))
            .build();
        EmbeddingClient { settings, agent: config.into() }
    }

    /// Sends texts, at least one.
    pub fn send(&self, texts: &[String]) -> Answer {
        let body =
            RequestBody { model: &self.settings.model, input: texts, dimensions: self.settings.dimensions };
        let mut request =
            self.agent.post(self.settings.endpoint.url()).header("Content-Type", "application/json");
        if let Some(key) = &self.settings.key {
            request = request.header("Authorization", &key.header());
        }
        let body = serde_json::to_vec(&body).unwrap_or_default();
        match request.send(&body) {
            Ok(response) => self.judge(response, texts.len()),
            Err(error) => self.unanswered(&error),
        }
    }

    /// Without an answer: the service is not there, or it broke off.
    fn unanswered(&self, error: &ureq::Error) -> Answer {
        let reason = self.shown(&error.to_string());
        match error {
            ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => Answer::Busy { reason, wait: None },
            // No text was sent yet, so none is to blame.
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => Answer::Busy { reason, wait: None },
            ureq::Error::Io(io) if io.kind() == io::ErrorKind::ConnectionRefused => {
                Answer::Busy { reason, wait: None }
            }
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => Answer::Fatal(self.wrong_address(reason)),
            _ => Answer::Failed { reason, wait: None },
        }
    }

    fn judge(&self, mut response: Response<ureq::Body>, texts: usize) -> Answer {
        let status = response.status().as_u16();
        let wait = retry_after(response.headers());
        let limit = if status == 200 { MAX_ANSWER_BYTES } else { MAX_MESSAGE_BYTES };
        let body = response.body_mut().with_config().limit(limit).read_to_vec();
        let body = match body {
            Ok(body) => body,
            Err(error) if status == 200 => {
                return Answer::Failed {
                    reason: self.shown(&format!("the answer broke off: {error}")),
                    wait,
                };
            }
            Err(_) => Vec::new(),
        };
        if status == 200 {
            return match parse(&body, texts) {
                Ok(answer) => Answer::Vectors(answer),
                Err(reason) => Answer::Failed { reason, wait },
            };
        }
        let message = self.shown(&failure_message(&body));
        let reason = format!("answered {status}: {message}");
        match status {
            401 | 403 => Answer::Fatal(EmbedError::Refused {
                endpoint: self.settings.endpoint.clone(),
                status,
                reason: message,
            }),
            300..=399 | 402 | 404 | 405 | 407 | 410 => Answer::Fatal(self.wrong_address(reason)),
            429 | 503 => Answer::Busy { reason, wait },
            408 | 425 | 500..=599 => Answer::Failed { reason, wait },
            _ => Answer::Rejected(reason),
        }
    }

    fn wrong_address(&self, reason: String) -> EmbedError {
        EmbedError::WrongAddress { endpoint: self.settings.endpoint.clone(), reason }
    }

    /// A message without the key.
    fn shown(&self, message: &str) -> String {
        match &self.settings.key {
            Some(key) => key.redact(message),
            None => message.to_owned(),
        }
    }
}

/// The wait that a service asks for, given in seconds or as a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.clamp(0.0, 1e6)).ok();
    }
    let moment = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let seconds = moment.as_second() - jiff::Timestamp::now().as_second();
    Some(Duration::from_secs(seconds.clamp(0, 1_000_000) as u64))
}
