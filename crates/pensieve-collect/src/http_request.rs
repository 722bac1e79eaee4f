//! One HTTP request for a text: what the server answered, and the body in its file.

use crate::part_file::PartFile;
use crate::server_waits::retry_after;
use pensieve_text::model::Observer;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;
use ureq::Agent;
use ureq::http::Response;

/// Largest text that is accepted, in bytes.
const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Why a transfer ended the run.
#[derive(Debug, Error)]
pub enum TransferError {
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
    /// The download cannot be written.
    #[error("cannot write `{}`: {_1}", _0.display())]
    Unwritable(PathBuf, io::Error),
}

/// How one request ended; reasons are fragments about the address.
#[derive(Debug)]
pub enum HttpAnswer {
    /// The whole body is in the file; the server sent this entity tag.
    Whole(Option<String>),
    /// The text has not changed.
    NotModified,
    /// Not here: another address may have the text.
    Absent(String),
    /// Failed for now: retry.
    Again(String),
    /// Refused for now: no request to this server before that time has passed.
    Later(String, Duration),
    /// The transfer stopped in the middle; what arrived is kept.
    Cut(String),
    /// The server cannot be reached.
    Unreachable(String),
}

/// Sends requests for texts.
pub struct HttpRequester<'s> {
    /// The client, with its timeouts.
    pub agent: Agent,
    /// Who may stop a transfer.
    pub observer: &'s dyn Observer,
}

impl HttpRequester<'_> {
    /// Sends one request, for the rest of a text of which a part has arrived, or for one that differs from `tag`.
    ///
    /// # Errors
    /// The user stopped the transfer, or the file cannot be written.
    pub fn ask(&self, url: &str, part: &PartFile, tag: Option<&str>) -> Result<HttpAnswer, TransferError> {
        let partial = part.partial(url);
        let mut request =
            self.agent.get(url).header("Accept", "text/plain, */*").header("Accept-Encoding", "identity");
        if let Some((from, partial)) = &partial {
            request = request.header("Range", format!("bytes={from}-")).header("If-Range", &partial.version);
        } else if let Some(tag) = tag {
            request = request.header("If-None-Match", tag);
        }
        let response = match request.call() {
            Ok(response) => response,
            Err(error) => return Ok(failed(error)),
        };
        let status = response.status().as_u16();
        match status {
            304 => Ok(HttpAnswer::NotModified),
            200 | 206 => self.receive(url, part, partial.map_or(0, |(from, _)| from), response),
            416 => {
                part.forget();
                Ok(HttpAnswer::Again("answered 416".to_owned()))
            }
            408 | 425 | 429 | 500..=599 => Ok(match retry_after(response.headers()) {
                Some(wait) => {
                    let reason = format!("answered {status} and asks to wait {} s", wait.as_secs());
                    HttpAnswer::Later(reason, wait)
                }
                None => HttpAnswer::Again(format!("answered {status}")),
            }),
            _ => Ok(HttpAnswer::Absent(format!("answered {status}"))),
        }
    }

    /// Receives the body of a response.
    fn receive(
        &self,
        url: &str,
        part: &PartFile,
        wanted_from: u64,
        mut response: Response<ureq::Body>,
    ) -> Result<HttpAnswer, TransferError> {
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let etag = header("etag").filter(|tag| !tag.is_empty());
        let range = header("content-range");
        let from = if response.status().as_u16() == 206 { wanted_from } else { 0 };
        let begins = |range: &str| range.trim_start().starts_with(&format!("bytes {from}-"));
        if from > 0 && !range.as_deref().is_some_and(begins) {
            part.forget();
            return Ok(HttpAnswer::Again("sent another part than was asked for".to_owned()));
        }
        let length = header("content-length").and_then(|length| length.trim().parse::<u64>().ok());
        let whole = range.as_deref().and_then(|range| range.rsplit_once('/')?.1.trim().parse::<u64>().ok());
        let whole = whole.filter(|_| from > 0).or(length.map(|length| from + length));
        if whole.is_some_and(|whole| whole > MAX_TEXT_BYTES) {
            return Ok(HttpAnswer::Absent("is larger than any text".to_owned()));
        }
        let strong = etag.clone().filter(|tag| !tag.starts_with("W/")).or_else(|| header("last-modified"));
        let unwritable = |error| TransferError::Unwritable(part.path.clone(), error);
        part.begin(url, from, strong.as_deref()).map_err(unwritable)?;
        let ended = self.copy(part, from, response.body_mut().as_reader())?;
        let got = part.len();
        Ok(match (ended, whole) {
            (Ok(()), None) => HttpAnswer::Whole(etag),
            (_, Some(whole)) if got == whole => HttpAnswer::Whole(etag),
            (Ok(()), Some(whole)) => HttpAnswer::Cut(format!("ended after {got} of {whole} bytes")),
            (Err(reason), _) => HttpAnswer::Cut(format!("{reason} after {got} bytes")),
        })
    }

    /// Copies a body to its file; the inner error is a failure of the server.
    fn copy(
        &self,
        part: &PartFile,
        from: u64,
        mut body: impl Read,
    ) -> Result<Result<(), String>, TransferError> {
        let fail = |error| TransferError::Unwritable(part.path.clone(), error);
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(false).open(&part.path).map_err(fail)?;
        file.set_len(from).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let mut buffer = vec![0; 16 << 10];
        let mut total = from;
        loop {
            if self.observer.interrupted() {
                return Err(TransferError::Stopped);
            }
            match body.read(&mut buffer) {
                Ok(0) => return Ok(Ok(())),
                Ok(len) => {
                    file.write_all(&buffer[..len]).map_err(fail)?;
                    total += len as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Ok(Err(error.to_string())),
            }
            if total > MAX_TEXT_BYTES {
                return Ok(Err("is larger than any text".to_owned()));
            }
        }
    }
}

/// A request without a response.
fn failed(error: ureq::Error) -> HttpAnswer {
    let reason = error.to_string();
    match error {
        ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => HttpAnswer::Unreachable(reason),
        ureq::Error::Io(io) if io.kind() == io::ErrorKind::ConnectionRefused => {
            HttpAnswer::Unreachable(reason)
        }
        ureq::Error::TooManyRedirects | ureq::Error::RedirectFailed | ureq::Error::BadUri(_) => {
            HttpAnswer::Absent(reason)
        }
        _ => HttpAnswer::Again(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_without_a_response_says_whether_to_ask_again() {
        let check = |error: ureq::Error, expected: &str| {
            let found = format!("{:?}", failed(error));
            assert!(found.starts_with(expected), "{found}");
        };
        check(ureq::Error::ConnectionFailed, "Unreachable");
        check(ureq::Error::HostNotFound, "Unreachable");
        check(ureq::Error::Io(io::ErrorKind::ConnectionRefused.into()), "Unreachable");
        check(ureq::Error::Io(io::ErrorKind::BrokenPipe.into()), "Again");
        check(ureq::Error::TooManyRedirects, "Absent");
        check(ureq::Error::RedirectFailed, "Absent");
        check(ureq::Error::BadUri("x".to_owned()), "Absent");
        check(ureq::Error::Timeout(ureq::Timeout::Global), "Again");
    }

    struct Unobserved;

    impl Observer for Unobserved {
        fn on_event(&self, _event: &pensieve_text::model::ProgressEvent<'_>) {}
    }

    /// What becomes of a response to a request for the bytes from `from` on, and what the part has then.
    fn received(status: u16, from: u64, headers: &[(&str, &str)], body: &str) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        let part = PartFile::new(folder.path(), "a");
        std::fs::write(&part.path, "0123456789").unwrap();
        let requester = HttpRequester { agent: Agent::new_with_defaults(), observer: &Unobserved };
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        let response = response.body(ureq::Body::builder().data(body)).unwrap();
        let answer = requester.receive("http://a", &part, from, response).unwrap();
        (format!("{answer:?}"), std::fs::read_to_string(&part.path).unwrap_or_default())
    }

    #[test]
    fn a_body_is_whole_if_it_has_the_length_that_was_announced() {
        let check = |status: u16, from: u64, headers: &[(&str, &str)], expected: (&str, &str)| {
            let (answer, kept) = received(status, from, headers, "abc");
            assert_eq!((answer.as_str(), kept.as_str()), expected, "{status} {from} {headers:?}");
        };
        check(200, 0, &[], ("Whole(None)", "abc"));
        check(200, 0, &[("etag", "\"x\"")], ("Whole(Some(\"\\\"x\\\"\"))", "abc"));
        check(200, 0, &[("etag", "")], ("Whole(None)", "abc"));
        check(200, 5, &[("content-length", "3")], ("Whole(None)", "abc"));
        check(200, 0, &[("content-length", "4")], ("Cut(\"ended after 3 of 4 bytes\")", "abc"));
        check(206, 10, &[("content-range", "bytes 10-12/13")], ("Whole(None)", "0123456789abc"));
        check(206, 4, &[("content-range", "bytes 4-6/7")], ("Whole(None)", "0123abc"));
        check(
            206,
            10,
            &[("content-range", "bytes 10-12/14")],
            ("Cut(\"ended after 13 of 14 bytes\")", "0123456789abc"),
        );
        check(
            206,
            10,
            &[("content-range", "bytes 10-12/*"), ("content-length", "3")],
            ("Whole(None)", "0123456789abc"),
        );
        let other = ("Again(\"sent another part than was asked for\")", "");
        check(206, 10, &[("content-range", "bytes 0-2/3")], other);
        check(206, 10, &[], other);
        let large = ("Absent(\"is larger than any text\")", "0123456789");
        check(200, 0, &[("content-length", "67108865")], large);
        check(200, 0, &[("content-length", "67108864")], ("Cut(\"ended after 3 of 67108864 bytes\")", "abc"));
    }
}
