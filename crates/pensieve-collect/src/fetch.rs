//! Fetching over HTTP: politely, with retries, and so that an interruption loses nothing.
//!
//! A server may be slow, refuse, fail, redirect, stop in the middle, send a wrong length or a page in place of a text.
//! Every failure that may be temporary is retried, after twice the previous wait, varied a little so that many clients
//! do not retry at the same moment. A server that says when to come back is left alone until then, and the others are
//! asked meanwhile. What arrived is kept beside its destination, and the next attempt requests only the rest, if the
//! server can confirm that the text has not changed.

use crate::address_answers::AddressAnswers;
use crate::http_request::{HttpAnswer, HttpRequester, TransferError};
use crate::manifest::SourceSettings;
use crate::part_file::PartFile;
use crate::server_pages::ServerPages;
use crate::server_waits::ServerWaits;
use crate::stage_checks;
use pensieve_text::model::{ContentHash, NoteLevel, Observer, ProgressEvent};
use pensieve_text::text::gutenberg::{GutenbergFinding, find_body};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};
use thiserror::Error;
use ureq::Agent;

/// Limit on requests for one address: a request that continues a download is not counted as a failure.
const MAX_REQUESTS: u32 = 60;

/// A shorter wait for a server is not announced.
const ANNOUNCED_WAIT: Duration = Duration::from_secs(1);

/// Why nothing could be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// No address has the text; what each answered.
    #[error("no server has it: {0}")]
    NotFound(String),
    /// Servers failed until the retries were used up; what each address answered.
    #[error("could not be fetched: {0}")]
    Failed(String),
    /// The run cannot go on.
    #[error(transparent)]
    Transfer(#[from] TransferError),
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

/// What is to be fetched.
#[derive(Debug, Clone, Copy)]
pub struct FetchRequest<'r> {
    /// The number of the text.
    pub id: u32,
    /// The folder of raw texts.
    pub folder: &'r Path,
    /// The name of its file, without extension.
    pub stem: &'r str,
    /// The address it was fetched from before, with the tag it had.
    pub known: Option<&'r (String, String)>,
}

/// An address of a text.
struct Address {
    /// The server.
    base: String,
    url: String,
}

/// What was found so far.
#[derive(Default)]
struct FetchProgress {
    doubtful: Option<Fetched>,
    has_failed: bool,
}

impl FetchProgress {
    fn result(self, answers: &AddressAnswers) -> Result<Option<Fetched>, FetchError> {
        match (self.doubtful, self.has_failed) {
            (Some(fetched), _) => Ok(Some(fetched)),
            (None, true) => Err(FetchError::Failed(answers.summary())),
            (None, false) => Err(FetchError::NotFound(answers.summary())),
        }
    }
}

/// What follows from the answer of an address.
enum Step {
    /// The text, or nothing if the known one is current.
    Done(Option<Fetched>),
    /// The next address is asked.
    Next,
    /// This address is asked again after the wait of its server.
    Later,
}

/// Fetches texts from the sources of a manifest.
pub struct TextFetcher<'s> {
    sources: &'s SourceSettings,
    observer: &'s dyn Observer,
    requester: HttpRequester<'s>,
    last: Option<Instant>,
    /// Servers that are asked no more, and why.
    dead: BTreeMap<String, &'static str>,
    pages: ServerPages,
    waits: ServerWaits,
    reported: BTreeSet<String>,
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
        TextFetcher {
            sources,
            observer,
            requester: HttpRequester { agent: config.into(), observer },
            last: None,
            dead: BTreeMap::new(),
            pages: ServerPages::default(),
            waits: ServerWaits::default(),
            reported: BTreeSet::new(),
        }
    }

    /// The text with a number, from the first address that has it; `None` where the server confirms that the known one
    /// is still current. What each address gave is added to `answers`.
    ///
    /// # Errors
    /// No address has it, or the run cannot go on.
    pub fn fetch(
        &mut self,
        request: &FetchRequest<'_>,
        answers: &mut AddressAnswers,
    ) -> Result<Option<Fetched>, FetchError> {
        self.waits.begin_work();
        let mut progress = FetchProgress::default();
        let mut addresses = self.addresses(request.id);
        while !addresses.is_empty() {
            let mut later = Vec::new();
            for address in addresses {
                match self.step(&address, request, answers, &mut progress)? {
                    Step::Done(fetched) => return Ok(fetched),
                    Step::Next => {}
                    Step::Later => later.push(address),
                }
            }
            addresses = self.wait_for(later, answers, &mut progress)?;
        }
        progress.result(answers)
    }

    /// Asks one address, unless its server is not to be asked now.
    fn step(
        &mut self,
        address: &Address,
        request: &FetchRequest<'_>,
        answers: &mut AddressAnswers,
        progress: &mut FetchProgress,
    ) -> Result<Step, TransferError> {
        let Address { base, url } = address;
        if let Some(why) = self.dead.get(base) {
            progress.has_failed = true;
            answers.note(url, format!("not asked: {why}"));
            return Ok(Step::Next);
        }
        if !self.waits.left(base).is_zero() {
            return Ok(Step::Later);
        }
        let part = PartFile::new(request.folder, request.stem);
        let tag = request.known.filter(|(from, _)| from == url).map(|(_, tag)| tag.as_str());
        match self.ask_with_retries(url, &part, tag)? {
            HttpAnswer::NotModified => return Ok(Step::Done(None)),
            HttpAnswer::Whole(etag) => return self.accept(address, &part, etag, answers, progress),
            HttpAnswer::Later(reason, wait) => {
                self.waits.add(base, wait);
                answers.note(url, reason);
                return Ok(Step::Later);
            }
            HttpAnswer::Absent(reason) => answers.note(url, reason),
            HttpAnswer::Unreachable(reason) => {
                self.dead.insert(base.clone(), "its server cannot be reached");
                progress.has_failed = true;
                answers.note(url, reason);
            }
            HttpAnswer::Again(reason) | HttpAnswer::Cut(reason) => {
                progress.has_failed = true;
                answers.note(url, reason);
            }
        }
        Ok(Step::Next)
    }

    /// Takes a body that has arrived whole, if it is a text: a page or an empty body is none, whatever the status says.
    fn accept(
        &mut self,
        Address { base, url }: &Address,
        part: &PartFile,
        etag: Option<String>,
        answers: &mut AddressAnswers,
        progress: &mut FetchProgress,
    ) -> Result<Step, TransferError> {
        let bytes = part.take().map_err(|error| TransferError::Unwritable(part.path.clone(), error))?;
        if let Some(reason) = stage_checks::raw(&bytes) {
            answers.note(url, reason);
            if let Some(what) = self.pages.note(base, &bytes) {
                self.dead.insert(base.clone(), "its server answers with pages");
                self.warn(&format!("{what}: it is asked no more"));
                progress.has_failed = true;
            }
            return Ok(Step::Next);
        }
        answers.note(url, format!("a text of {} bytes", bytes.len()));
        let findings = find_body(&String::from_utf8_lossy(&bytes)).findings;
        let has = |finding| findings.contains(&finding);
        // A header without a footer means that the server announced a length that is too short.
        let is_cut = !has(GutenbergFinding::NoHeader) && has(GutenbergFinding::NoFooter);
        let doubt = is_cut.then(|| "the text has no footer: it may be cut off".to_owned());
        let fetched = Fetched { bytes, url: url.clone(), etag, doubt };
        if !is_cut {
            return Ok(Step::Done(Some(fetched)));
        }
        progress.doubtful.get_or_insert(fetched);
        Ok(Step::Next)
    }

    /// Waits until the first of these servers may be asked again; addresses of servers for which a run does not wait
    /// are left out.
    fn wait_for(
        &mut self,
        addresses: Vec<Address>,
        answers: &mut AddressAnswers,
        progress: &mut FetchProgress,
    ) -> Result<Vec<Address>, TransferError> {
        let mut kept = Vec::new();
        for address in addresses {
            let Some(refusal) = self.waits.refusal(&address.base, self.sources) else {
                kept.push(address);
                continue;
            };
            progress.has_failed = true;
            if !answers.has(&address.url) {
                answers.note(&address.url, "not asked: its server asks to wait");
            }
            if self.reported.insert(address.base) {
                self.warn(&format!("{refusal}: it is left out until then"));
            }
        }
        let first = kept.iter().min_by_key(|address| self.waits.left(&address.base));
        let Some((base, wait)) = first.map(|first| (&first.base, self.waits.left(&first.base))) else {
            return Ok(kept);
        };
        if wait >= ANNOUNCED_WAIT {
            let note = format!("waiting {:.0} s, as {base} asks", wait.as_secs_f64());
            self.observer.on_event(&ProgressEvent::Note { level: NoteLevel::Info, text: &note });
        }
        self.sleep(wait)?;
        Ok(kept)
    }

    /// Every address of a number, in order.
    fn addresses(&self, id: u32) -> Vec<Address> {
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
                all.push(Address { base: base.to_owned(), url });
            }
        }
        all
    }

    /// Requests one address until it answers or the retries are used up.
    fn ask_with_retries(
        &mut self,
        url: &str,
        part: &PartFile,
        tag: Option<&str>,
    ) -> Result<HttpAnswer, TransferError> {
        let mut failures = 0;
        for _ in 0..MAX_REQUESTS {
            self.pause()?;
            let had = part.len();
            self.last = Some(Instant::now());
            let answer = self.requester.ask(url, part, tag)?;
            let (reason, is_progress) = match &answer {
                HttpAnswer::Cut(reason) => (reason, part.len() > had),
                HttpAnswer::Again(reason) | HttpAnswer::Unreachable(reason) => (reason, false),
                _ => return Ok(answer),
            };
            let wait = match is_progress {
                true => Duration::ZERO,
                false if failures >= self.sources.retries => return Ok(answer),
                false => {
                    failures += 1;
                    self.backoff(url, failures)
                }
            };
            let note = format!("{url}: {reason}; again in {:.1} s", wait.as_secs_f64());
            self.observer.on_event(&ProgressEvent::Note { level: NoteLevel::Debug, text: &note });
            self.sleep(wait)?;
        }
        Ok(HttpAnswer::Again(format!("no end after {MAX_REQUESTS} requests")))
    }

    /// Waits until the delay between two requests has passed.
    fn pause(&self) -> Result<(), TransferError> {
        let delay = Duration::from_secs_f64(self.sources.delay_seconds);
        self.sleep(self.last.map_or(Duration::ZERO, |last| delay.saturating_sub(last.elapsed())))
    }

    /// The wait before the n-th retry: twice the previous one, plus up to a quarter that depends on the address.
    fn backoff(&self, url: &str, failures: u32) -> Duration {
        let base = self.sources.retry_seconds * f64::from(1u32 << failures.saturating_sub(1).min(16));
        let seed = format!("{url} {failures} {}", std::process::id());
        let share = (ContentHash::of(seed.as_bytes()).prefix() % 1000) as f64 / 4000.0;
        Duration::from_secs_f64((base * (1.0 + share)).min(self.sources.longest_wait_seconds))
    }

    fn warn(&self, text: &str) {
        self.observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text });
    }

    fn sleep(&self, time: Duration) -> Result<(), TransferError> {
        let end = Instant::now() + time;
        loop {
            if self.observer.interrupted() {
                return Err(TransferError::Stopped);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Unobserved;

    impl Observer for Unobserved {
        fn on_event(&self, _event: &ProgressEvent<'_>) {}
    }

    #[test]
    fn addresses_are_made_of_servers_and_paths() {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let sources = SourceSettings {
            mirrors: list(&["http://a/", "http://b"]),
            paths: list(&["{base}/{id}.txt", "{base}/{tree}/{id}"]),
            ..SourceSettings::default()
        };
        let fetcher = TextFetcher::new(&sources, &Unobserved);
        let addresses = |id: u32| -> Vec<(String, String)> {
            fetcher.addresses(id).into_iter().map(|address| (address.base, address.url)).collect()
        };
        let expected = |urls: [&str; 4]| {
            let bases = ["http://a", "http://a", "http://b", "http://b"];
            bases
                .into_iter()
                .zip(urls)
                .map(|(base, url)| (base.to_owned(), url.to_owned()))
                .collect::<Vec<_>>()
        };
        let long = ["http://a/174.txt", "http://a/1/7/174", "http://b/174.txt", "http://b/1/7/174"];
        assert_eq!(addresses(174), expected(long));
        assert_eq!(
            addresses(7),
            expected(["http://a/7.txt", "http://a/0/7", "http://b/7.txt", "http://b/0/7"])
        );
    }

    #[test]
    fn each_retry_waits_twice_as_long_up_to_a_limit() {
        let sources =
            SourceSettings { retry_seconds: 0.5, longest_wait_seconds: 70.0, ..SourceSettings::default() };
        let fetcher = TextFetcher::new(&sources, &Unobserved);
        for (failures, least) in [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (8, 64.0)] {
            let wait = fetcher.backoff("http://a/1", failures).as_secs_f64();
            assert!(
                (least..least * 1.25).contains(&wait.min(least * 1.249)) && wait <= 70.0,
                "{failures}: {wait}"
            );
        }
        assert_eq!(fetcher.backoff("http://a/1", 9), Duration::from_secs(70));
        assert_eq!(fetcher.backoff("http://a/1", 99), Duration::from_secs(70));
    }

    #[test]
    fn a_body_is_accepted_if_it_is_a_whole_text() {
        let folder = tempfile::tempdir().unwrap();
        let words = "It was a wet night on the pier. ".repeat(10);
        let (start, end) = (
            "*** START OF THE PROJECT GUTENBERG EBOOK X ***",
            "*** END OF THE PROJECT GUTENBERG EBOOK X ***",
        );
        let sources = SourceSettings::default();
        let address = Address { base: "http://a".to_owned(), url: "http://a/1".to_owned() };
        let taken = |text: &str| {
            let mut fetcher = TextFetcher::new(&sources, &Unobserved);
            let part = PartFile::new(folder.path(), "a");
            std::fs::write(&part.path, text).unwrap();
            let (mut answers, mut progress) = (AddressAnswers::default(), FetchProgress::default());
            let step =
                fetcher.accept(&address, &part, Some("tag".to_owned()), &mut answers, &mut progress).unwrap();
            let done =
                matches!(&step, Step::Done(Some(found)) if found.doubt.is_none() && found.etag.is_some());
            assert!(done || matches!(step, Step::Next));
            (done, progress.doubtful.is_some(), answers.summary())
        };
        let whole = format!("{start}\n\n{words}\n\n{end}\n");
        assert_eq!(taken(&whole), (true, false, format!("http://a/1: a text of {} bytes", whole.len())));
        assert_eq!(taken(&words), (true, false, "http://a/1: a text of 320 bytes".to_owned()));
        let cut = format!("{start}\n\n{words}\n");
        assert_eq!(taken(&cut), (false, true, format!("http://a/1: a text of {} bytes", cut.len())));
        assert_eq!(taken(""), (false, false, "http://a/1: it is empty".to_owned()));
    }

    #[test]
    fn a_doubtful_text_is_better_than_none() {
        let answers = AddressAnswers::default();
        let fetched = || Fetched { bytes: Vec::new(), url: "a".to_owned(), etag: None, doubt: None };
        let result = |doubtful: Option<Fetched>, has_failed: bool| {
            FetchProgress { doubtful, has_failed }.result(&answers).map(|found| found.map(|found| found.url))
        };
        assert_eq!(result(Some(fetched()), true).unwrap().as_deref(), Some("a"));
        assert!(matches!(result(None, true), Err(FetchError::Failed(_))));
        assert!(matches!(result(None, false), Err(FetchError::NotFound(_))));
    }
}
