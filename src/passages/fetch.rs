//! Fetching over HTTP: politely, with retries, and so that an interruption loses nothing.
//!
//! A server may be slow, refuse, fail, redirect, stop in the middle or send a wrong length. Every failure that may be
//! temporary is retried, after twice the previous wait, varied a little so that many clients do not retry at the same
//! moment, or after the wait that the server asks for. What arrived is kept beside its destination, and the next
//! attempt requests only the rest, if the server can confirm that the text has not changed.

use super::files;
use super::manifest::SourceSettings;
use pensieve_text::model::{ContentHash, NoteLevel, Observer, ProgressEvent};
use pensieve_text::text::gutenberg::{GutenbergFinding, find_body};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;
use ureq::Agent;
use ureq::http::{HeaderMap, Response};

/// Largest text that is accepted, in bytes.
const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Limit on requests for one address: a request that continues a download is not counted as a failure.
const MAX_REQUESTS: u32 = 60;

/// Why nothing could be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// No address has the text.
    #[error("no server has it: {0}")]
    NotFound(String),
    /// Servers failed until the retries were used up.
    #[error("could not be fetched: {0}")]
    Failed(String),
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
    /// The download cannot be written.
    #[error("cannot write `{}`: {_1}", _0.display())]
    Unwritable(PathBuf, io::Error),
}

/// A text that was fetched.
#[derive(Debug)]
pub struct Fetched {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its address.
    pub url: String,
    /// The entity tag that the server sent.
    pub etag: Option<String>,
    /// Why the text may be incomplete.
    pub doubt: Option<String>,
}

/// What is recorded of an interrupted download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PartialDownload {
    url: String,
    /// Entity tag or date by which the server identifies the version.
    version: String,
}

/// How one request ended.
enum HttpAnswer {
    Whole(Option<String>),
    NotModified,
    /// Not here: another address may have the text.
    Absent(String),
    /// Failed for now: retry, after this wait if the server asks for one.
    Again(String, Option<Duration>),
    /// The transfer stopped in the middle; what arrived is kept.
    Cut(String),
    /// The server cannot be reached.
    Unreachable(String),
}

/// Fetches texts from the sources of a manifest.
pub struct TextFetcher<'s> {
    sources: &'s SourceSettings,
    observer: &'s dyn Observer,
    agent: Agent,
    last: Option<Instant>,
    dead: BTreeSet<String>,
}

impl<'s> TextFetcher<'s> {
    /// Creates a fetcher.
    pub fn new(sources: &'s SourceSettings, observer: &'s dyn Observer) -> TextFetcher<'s> {
        let timeout = Duration::from_secs_f64(sources.timeout_seconds);
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .max_redirects(5)
            .http_status_as_error(false)
            .user_agent(&sources.user_agent)
            .build();
        TextFetcher { sources, observer, agent: config.into(), last: None, dead: BTreeSet::new() }
    }

    /// The text with this number, from the first address that has it; `None` where the server confirms that `known`,
    /// an address with its tag, is still current.
    pub fn fetch(
        &mut self,
        id: u32,
        folder: &Path,
        stem: &str,
        known: Option<&(String, String)>,
    ) -> Result<Option<Fetched>, FetchError> {
        let (mut last, mut failed, mut doubtful) = (String::new(), false, None);
        for (base, url) in self.addresses(id) {
            if self.dead.contains(&base) {
                continue;
            }
            let tag = known.filter(|(from, _)| *from == url).map(|(_, tag)| tag.as_str());
            match self.fetch_with_retries(&url, folder, stem, tag)? {
                Ok(None) => return Ok(None),
                Ok(Some(fetched)) if fetched.doubt.is_none() => return Ok(Some(fetched)),
                Ok(Some(fetched)) => _ = doubtful.get_or_insert(fetched),
                Err(HttpAnswer::Absent(reason)) => last = reason,
                Err(HttpAnswer::Unreachable(reason)) => {
                    self.dead.insert(base);
                    (last, failed) = (reason, true);
                }
                Err(HttpAnswer::Again(reason, _) | HttpAnswer::Cut(reason)) => {
                    (last, failed) = (reason, true)
                }
                Err(HttpAnswer::Whole(_) | HttpAnswer::NotModified) => {}
            }
        }
        match (doubtful, failed) {
            (Some(fetched), _) => Ok(Some(fetched)),
            (None, true) => Err(FetchError::Failed(last)),
            (None, false) => Err(FetchError::NotFound(if last.is_empty() {
                "none can be reached".to_owned()
            } else {
                last
            })),
        }
    }

    /// Every address of a number with its server, in order.
    fn addresses(&self, id: u32) -> Vec<(String, String)> {
        let digits = id.to_string();
        let tree: Vec<String> = match digits.len() {
            1 => vec!["0".to_owned()],
            len => digits[..len - 1].chars().map(String::from).collect(),
        };
        let mut all = Vec::new();
        for mirror in &self.sources.mirrors {
            let base = mirror.trim_end_matches('/');
            for path in &self.sources.paths {
                let url =
                    path.replace("{base}", base).replace("{id}", &digits).replace("{tree}", &tree.join("/"));
                all.push((base.to_owned(), url));
            }
        }
        all
    }

    /// Requests one address until it answers or the retries are used up.
    fn fetch_with_retries(
        &mut self,
        url: &str,
        folder: &Path,
        stem: &str,
        tag: Option<&str>,
    ) -> Result<Result<Option<Fetched>, HttpAnswer>, FetchError> {
        let part = PartFile::new(folder, stem);
        let mut failures = 0;
        for _ in 0..MAX_REQUESTS {
            self.pause()?;
            let had = part.len();
            let answer = self.ask(url, &part, tag)?;
            let (reason, wait) = match answer {
                HttpAnswer::NotModified => return Ok(Ok(None)),
                HttpAnswer::Whole(etag) => return Ok(Ok(Some(part.take(url, etag)?))),
                HttpAnswer::Absent(_) => return Ok(Err(answer)),
                HttpAnswer::Cut(reason) if part.len() > had => (reason, Some(Duration::ZERO)),
                HttpAnswer::Cut(_) | HttpAnswer::Unreachable(_) | HttpAnswer::Again(..)
                    if failures >= self.sources.retries =>
                {
                    return Ok(Err(answer));
                }
                HttpAnswer::Cut(reason) | HttpAnswer::Unreachable(reason) => {
                    failures += 1;
                    (reason, None)
                }
                HttpAnswer::Again(reason, wait) => {
                    failures += 1;
                    (reason, wait)
                }
            };
            let wait = wait
                .unwrap_or_else(|| self.backoff(url, failures))
                .min(Duration::from_secs_f64(self.sources.longest_wait_seconds));
            let note = format!("{url}: {reason}; again in {:.1} s", wait.as_secs_f64());
            self.observer.on_event(&ProgressEvent::Note { level: NoteLevel::Debug, text: &note });
            self.sleep(wait)?;
        }
        Ok(Err(HttpAnswer::Again(format!("{url}: no end after {MAX_REQUESTS} requests"), None)))
    }

    /// Sends one request.
    fn ask(&mut self, url: &str, part: &PartFile, tag: Option<&str>) -> Result<HttpAnswer, FetchError> {
        let partial = part.partial(url);
        let mut request =
            self.agent.get(url).header("Accept", "text/plain, */*").header("Accept-Encoding", "identity");
        if let Some((from, partial)) = &partial {
            request = request.header("Range", format!("bytes={from}-")).header("If-Range", &partial.version);
        } else if let Some(tag) = tag {
            request = request.header("If-None-Match", tag);
        }
        self.last = Some(Instant::now());
        let response = match request.call() {
            Ok(response) => response,
            Err(error) => {
                let reason = format!("{url}: {error}");
                return Ok(match error {
                    ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => {
                        HttpAnswer::Unreachable(reason)
                    }
                    ureq::Error::Io(io) if io.kind() == io::ErrorKind::ConnectionRefused => {
                        HttpAnswer::Unreachable(reason)
                    }
                    ureq::Error::TooManyRedirects | ureq::Error::RedirectFailed | ureq::Error::BadUri(_) => {
                        HttpAnswer::Absent(reason)
                    }
                    _ => HttpAnswer::Again(reason, None),
                });
            }
        };
        let status = response.status().as_u16();
        match status {
            304 => Ok(HttpAnswer::NotModified),
            200 | 206 => self.receive(url, part, partial.map_or(0, |(from, _)| from), response),
            416 => {
                part.forget();
                Ok(HttpAnswer::Again(format!("{url}: answered 416"), None))
            }
            408 | 425 | 429 | 500..=599 => {
                Ok(HttpAnswer::Again(format!("{url}: answered {status}"), retry_after(response.headers())))
            }
            _ => Ok(HttpAnswer::Absent(format!("{url}: answered {status}"))),
        }
    }

    /// Receives the body of a response.
    fn receive(
        &self,
        url: &str,
        part: &PartFile,
        wanted_from: u64,
        mut response: Response<ureq::Body>,
    ) -> Result<HttpAnswer, FetchError> {
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let etag = header("etag").filter(|tag| !tag.is_empty());
        let range = header("content-range");
        let from = if response.status().as_u16() == 206 { wanted_from } else { 0 };
        if from > 0
            && !range
                .as_deref()
                .is_some_and(|range| range.trim_start().starts_with(&format!("bytes {from}-")))
        {
            part.forget();
            return Ok(HttpAnswer::Again(format!("{url}: sent another part than was asked for"), None));
        }
        let length = header("content-length").and_then(|length| length.trim().parse::<u64>().ok());
        let whole = range.as_deref().and_then(|range| range.rsplit_once('/')?.1.trim().parse::<u64>().ok());
        let whole = whole.filter(|_| from > 0).or(length.map(|length| from + length));
        if whole.is_some_and(|whole| whole > MAX_TEXT_BYTES) {
            return Ok(HttpAnswer::Absent(format!("{url}: is larger than any text")));
        }
        let strong = etag.clone().filter(|tag| !tag.starts_with("W/")).or_else(|| header("last-modified"));
        part.begin(url, from, strong.as_deref())?;
        let ended = self.copy(part, from, response.body_mut().as_reader())?;
        let got = part.len();
        Ok(match (ended, whole) {
            (Ok(()), None) => HttpAnswer::Whole(etag),
            (Ok(()), Some(whole)) if got == whole => HttpAnswer::Whole(etag),
            (Ok(()), Some(whole)) => HttpAnswer::Cut(format!("{url}: ended after {got} of {whole} bytes")),
            (Err(_), Some(whole)) if got == whole => HttpAnswer::Whole(etag),
            (Err(reason), _) => HttpAnswer::Cut(format!("{url}: {reason} after {got} bytes")),
        })
    }

    /// Copies a body to its file; the inner error is a failure of the server.
    fn copy(
        &self,
        part: &PartFile,
        from: u64,
        mut body: impl Read,
    ) -> Result<Result<(), String>, FetchError> {
        let fail = |error| FetchError::Unwritable(part.path.clone(), error);
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(false).open(&part.path).map_err(fail)?;
        file.set_len(from).map_err(fail)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(fail)?;
        let mut buffer = vec![0; 16 << 10];
        let mut total = from;
        loop {
            if self.observer.interrupted() {
                return Err(FetchError::Stopped);
            }
            match body.read(&mut buffer) {
                Ok(0) => break,
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
        Ok(Ok(()))
    }

    /// Waits until the delay between two requests has passed.
    fn pause(&self) -> Result<(), FetchError> {
        let delay = Duration::from_secs_f64(self.sources.delay_seconds);
        self.sleep(self.last.map_or(Duration::ZERO, |last| delay.saturating_sub(last.elapsed())))
    }

    /// The wait before the n-th retry: twice the previous one, plus up to a quarter that depends on the address.
    fn backoff(&self, url: &str, failures: u32) -> Duration {
        let base = self.sources.retry_seconds * f64::from(1u32 << failures.saturating_sub(1).min(16));
        let seed = format!("{url} {failures} {}", std::process::id());
        let share = (ContentHash::of(seed.as_bytes()).prefix() % 1000) as f64 / 4000.0;
        Duration::from_secs_f64((base * (1.0 + share)).min(86_400.0))
    }

    fn sleep(&self, time: Duration) -> Result<(), FetchError> {
        let end = Instant::now() + time;
        loop {
            if self.observer.interrupted() {
                return Err(FetchError::Stopped);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }
}

/// The wait that a server asks for, given in seconds or as a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds.min(86_400)));
    }
    let moment = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let seconds = moment.as_second() - jiff::Timestamp::now().as_second();
    Some(Duration::from_secs(seconds.clamp(0, 86_400) as u64))
}

/// The file that a download is written to, and the note beside it from which the next request continues.
struct PartFile {
    path: PathBuf,
    note: PathBuf,
}

impl PartFile {
    fn new(folder: &Path, stem: &str) -> PartFile {
        PartFile {
            path: folder.join(format!(".{stem}.txt.part")),
            note: folder.join(format!(".{stem}.txt.part.json")),
        }
    }

    fn len(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |meta| meta.len())
    }

    /// The length of what has arrived from an address, if the server can tell whether the text has changed.
    fn partial(&self, url: &str) -> Option<(u64, PartialDownload)> {
        let partial: PartialDownload = serde_json::from_slice(&fs::read(&self.note).ok()?).ok()?;
        let len = self.len();
        (partial.url == url && len > 0).then_some((len, partial))
    }

    /// Prepares the file for a body that begins at `from`.
    fn begin(&self, url: &str, from: u64, version: Option<&str>) -> Result<(), FetchError> {
        let fail = |error| FetchError::Unwritable(self.path.clone(), error);
        fs::create_dir_all(self.path.parent().unwrap_or(Path::new("."))).map_err(fail)?;
        if from > 0 {
            return Ok(());
        }
        let _ = fs::remove_file(&self.path);
        match version {
            Some(version) => {
                let partial = PartialDownload { url: url.to_owned(), version: version.to_owned() };
                files::pretty(&partial).and_then(|bytes| files::write(&self.note, &bytes)).map_err(fail)
            }
            None => {
                let _ = fs::remove_file(&self.note);
                Ok(())
            }
        }
    }

    fn forget(&self) {
        let _ = fs::remove_file(&self.note);
        let _ = fs::remove_file(&self.path);
    }

    /// Returns the whole text and removes the files.
    fn take(&self, url: &str, etag: Option<String>) -> Result<Fetched, FetchError> {
        let bytes = fs::read(&self.path).map_err(|error| FetchError::Unwritable(self.path.clone(), error))?;
        self.forget();
        let findings = find_body(&String::from_utf8_lossy(&bytes)).findings;
        let has = |finding| findings.contains(&finding);
        // A header without a footer means that the server announced a length that is too short.
        let is_cut = !has(GutenbergFinding::NoHeader) && has(GutenbergFinding::NoFooter);
        let doubt = is_cut.then(|| "the text has no footer: it may be cut off".to_owned());
        Ok(Fetched { bytes, url: url.to_owned(), etag, doubt })
    }
}
