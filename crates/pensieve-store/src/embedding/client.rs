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

#[cfg(test)]
mod tests {
    use super::super::testing::settings;
    use super::*;
    use ureq::Body;

    /// What an answer means, in words.
    fn described(answer: Answer) -> String {
        let waits =
            |wait: Option<Duration>| wait.map_or(String::new(), |wait| format!(" in {} s", wait.as_secs()));
        match answer {
            Answer::Vectors(answer) => format!("vectors {:?} {:?}", answer.vectors, answer.tokens),
            Answer::Busy { reason, wait } => format!("busy{}: {reason}", waits(wait)),
            Answer::Failed { reason, wait } => format!("failed{}: {reason}", waits(wait)),
            Answer::Rejected(reason) => format!("rejected: {reason}"),
            Answer::Fatal(error) => format!("fatal: {error}"),
        }
    }

    fn judged(status: u16, retry_after: Option<&str>, body: &str) -> String {
        let settings = settings();
        let client = EmbeddingClient::new(&settings, settings.timeout);
        let mut response = Response::builder().status(status);
        if let Some(wait) = retry_after {
            response = response.header("retry-after", wait);
        }
        described(client.judge(response.body(Body::builder().data(body)).unwrap(), 1))
    }

    #[test]
    fn a_status_says_what_an_answer_means() {
        let address = "http://127.0.0.1:1/v1/embeddings";
        let message = r#"{"error": {"message": "no sk-123"}}"#;
        for status in [401, 403] {
            let expected = format!("fatal: {address} refuses the request ({status}): no ***");
            assert_eq!(judged(status, None, message), expected);
        }
        for status in [300, 399, 402, 404, 405, 407, 410] {
            let expected = format!("fatal: {address} makes no vectors: answered {status}: no ***");
            assert_eq!(judged(status, Some("3"), message), expected);
        }
        for (kind, statuses) in [("busy", [429, 503, 503, 503, 503]), ("failed", [408, 425, 500, 502, 599])] {
            for status in statuses {
                assert_eq!(judged(status, None, message), format!("{kind}: answered {status}: no ***"));
                let expected = format!("{kind} in 3 s: answered {status}: no ***");
                assert_eq!(judged(status, Some("3"), message), expected);
            }
        }
        for status in [201, 299, 400, 406, 413, 422, 600] {
            assert_eq!(judged(status, None, message), format!("rejected: answered {status}: no ***"));
        }
    }

    #[test]
    fn a_long_message_about_a_failure_is_left_out() {
        let long = |length: usize| judged(429, Some("3"), &format!("{}x", " ".repeat(length - 1)));
        assert_eq!(long((64 << 10) - 1), "busy in 3 s: answered 429: x");
        assert_eq!(long((64 << 10) + 1), judged(429, Some("3"), ""));
    }

    #[test]
    fn a_good_answer_has_vectors() {
        let good = r#"{"data": [{"embedding": [1, 2]}], "usage": {"total_tokens": 7}}"#;
        assert_eq!(judged(200, None, good), "vectors [[1.0, 2.0]] Some(7)");
        let none = r#"{"data": []}"#;
        assert_eq!(judged(200, Some("9"), none), "failed in 9 s: the answer has 0 vectors for 1 texts");
    }

    #[test]
    fn a_service_that_is_not_there_may_come_back() {
        let settings = settings();
        let client = EmbeddingClient::new(&settings, settings.timeout);
        let check = |error: ureq::Error, expected: &str| {
            let found = described(client.unanswered(&error));
            assert!(found.starts_with(expected), "{found}");
        };
        check(ureq::Error::ConnectionFailed, "busy: ");
        check(ureq::Error::HostNotFound, "busy: ");
        check(ureq::Error::Timeout(Timeout::Connect), "busy: ");
        check(ureq::Error::Timeout(Timeout::Resolve), "busy: ");
        check(ureq::Error::Timeout(Timeout::Global), "failed: ");
        check(ureq::Error::Io(io::ErrorKind::ConnectionRefused.into()), "busy: ");
        check(ureq::Error::Io(io::ErrorKind::BrokenPipe.into()), "failed: ");
        check(
            ureq::Error::BadUri("sk-123".to_owned()),
            "fatal: http://127.0.0.1:1/v1/embeddings makes no vectors: ",
        );
        assert!(!described(client.unanswered(&ureq::Error::BadUri("sk-123".to_owned()))).contains("sk-123"));
    }

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        let check = |text: &str, expected: Option<f64>| {
            let mut headers = HeaderMap::new();
            headers.insert("retry-after", text.parse().unwrap());
            assert_eq!(retry_after(&headers).map(|wait| wait.as_secs_f64()), expected, "{text}");
        };
        check(" 3 ", Some(3.0));
        check("1.5", Some(1.5));
        check("-4", Some(0.0));
        check("2000000", Some(1e6));
        check("Thu, 01 Jan 1970 00:00:00 GMT", Some(0.0));
        check("Fri, 01 Jan 2100 00:00:00 GMT", Some(1e6));
        check("soon", None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
