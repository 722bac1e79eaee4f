//! One HTTP request for a text: what the server answered, and the body in its file.

use super::part_file::PartFile;
use super::server_waits::retry_after;
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
