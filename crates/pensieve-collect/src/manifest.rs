//! The manifest of a collection: works, keywords, rules and sources. TOML, strict: an unknown key is an error with
//! its line.
//!
//! A new author needs a new manifest and no code. The manual is `docs/collections.md`.

use pensieve_store::exit::command_error;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A collection as its manifest describes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name, description and date.
    pub collection: CollectionFacts,
    /// Where texts come from.
    #[serde(default)]
    pub sources: SourceSettings,
    /// How passages are made.
    #[serde(default)]
    pub rules: PassageRules,
    /// Keyword sets by name.
    pub keywords: BTreeMap<String, KeywordSet>,
    /// Words typical of an author, by author id: they add to the score but do not select passages.
    #[serde(default)]
    pub voices: BTreeMap<String, Vec<String>>,
    /// The works, in the order in which results list them.
    pub works: Vec<Work>,
}

/// Name, description and date of a collection.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionFacts {
    /// A short name.
    pub name: String,
    /// A line about it.
    #[serde(default)]
    pub description: String,
    /// The date of the results: `2026-01-31`, or a time. Without it, and without `--date`, the time of the run.
    #[serde(default)]
    pub extraction_date: Option<String>,
}

/// Where texts come from, and how they are requested.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SourceSettings {
    /// Servers, tried in order: the values of `{base}`.
    pub mirrors: Vec<String>,
    /// Templates of addresses, tried in order on each server. `{id}` is the number of the work, `{tree}` its digits
    /// except the last, separated by slashes.
    pub paths: Vec<String>,
    /// Template of the web page of a work.
    pub page: String,
    /// The `User-Agent` of requests.
    pub user_agent: String,
    /// Minimum number of seconds between two requests.
    pub delay_seconds: f64,
    /// Seconds that one request may take.
    pub timeout_seconds: f64,
    /// How often a request that failed for now is retried.
    pub retries: u32,
    /// Seconds before the first retry; each further one waits twice as long.
    pub retry_seconds: f64,
    /// Longest wait in seconds, whatever the server asks for.
    pub longest_wait_seconds: f64,
}

impl Default for SourceSettings {
    fn default() -> SourceSettings {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        SourceSettings {
            mirrors: list(&[
                "https://www.gutenberg.org",
                "https://gutenberg.pglaf.org",
                "https://aleph.gutenberg.org",
            ]),
            paths: list(&[
                "{base}/cache/epub/{id}/pg{id}.txt",
                "{base}/files/{id}/{id}-0.txt",
                "{base}/files/{id}/{id}-8.txt",
                "{base}/files/{id}/{id}.txt",
                "{base}/{tree}/{id}/{id}-0.txt",
                "{base}/{tree}/{id}/{id}-8.txt",
                "{base}/{tree}/{id}/{id}.txt",
            ]),
            page: "https://www.gutenberg.org/ebooks/{id}".to_owned(),
            user_agent: concat!(
                "pensieve/",
                env!("CARGO_PKG_VERSION"),
                " (collects a few public domain books; polite)"
            )
            .to_owned(),
            delay_seconds: 2.0,
            timeout_seconds: 60.0,
            retries: 4,
            retry_seconds: 1.0,
            longest_wait_seconds: 120.0,
        }
    }
}

/// How passages are made.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PassageRules {
    /// The preferred range of words in a passage.
    pub words: (usize, usize),
    /// The minimum and maximum number of words in a passage.
    pub bounds: (usize, usize),
    /// The score that a passage must reach; with a target, the score of the first step.
    pub min_score: f64,
    /// How many passages are wanted, at least and at most: the score is lowered step by step until there are enough.
    pub target: Option<(usize, usize)>,
    /// The scores of those steps.
    pub steps: Vec<f64>,
    /// Largest share of its words that a passage may have in common with another, in runs of words.
    pub max_overlap: f64,
    /// Whether `_italics_` keep their underscores.
    pub italics: MarkupPolicy,
    /// Whether `[Illustration: ...]` stays, or is removed with its caption.
    pub illustrations: MarkupPolicy,
    /// Whether the marks of notes (`word[12]`) stay.
    pub notes: MarkupPolicy,
    /// True if the lines of a paragraph are joined in passages.
    pub unwrap: bool,
}

impl Default for PassageRules {
    fn default() -> PassageRules {
        PassageRules {
            words: (200, 500),
            bounds: (100, 600),
            min_score: 8.0,
            target: None,
            steps: vec![7.0, 6.0, 5.0],
            max_overlap: 0.2,
            italics: MarkupPolicy::Keep,
            illustrations: MarkupPolicy::Drop,
            notes: MarkupPolicy::Drop,
            unwrap: false,
        }
    }
}

/// What happens to marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkupPolicy {
    /// They stay.
    Keep,
    /// They are removed.
    Drop,
}

/// A set of keywords.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordSet {
    /// Words, in every form that should be found.
    pub words: Vec<String>,
    /// Additional words for one author only, by author id.
    #[serde(default)]
    pub authors: BTreeMap<String, Vec<String>>,
    /// Phrases in which the words of the set do not count: `hurricane deck`.
    #[serde(default)]
    pub except: Vec<String>,
    /// Additional phrases for one author only, by author id.
    #[serde(default)]
    pub author_except: BTreeMap<String, Vec<String>>,
    /// The neighbours that tell the wanted sense of a word from others, by word.
    #[serde(default)]
    pub senses: BTreeMap<String, WordSense>,
}

/// The neighbours by which a word has the wanted sense. Each list that is there must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WordSense {
    /// The word counts only directly after one of these.
    pub after: Vec<String>,
    /// The word does not count directly after one of these.
    pub not_after: Vec<String>,
    /// The word counts only directly before one of these.
    pub before: Vec<String>,
    /// The word does not count directly before one of these.
    pub not_before: Vec<String>,
    /// The word counts only with one of these near it.
    pub near: Vec<String>,
    /// The word does not count with one of these near it.
    pub not_near: Vec<String>,
    /// How many words are near, on both sides; 8 if none is given.
    pub within: Option<usize>,
}

/// A work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The author's name as results show it; the last word is the last name.
    pub author: String,
    /// Short name of the author.
    pub author_id: String,
    /// Other names of the author that texts may have.
    #[serde(default)]
    pub author_aliases: Vec<String>,
    /// The title as results show it.
    pub title: String,
    /// Other titles of the work that texts may have.
    #[serde(default)]
    pub title_aliases: Vec<String>,
    /// Short name of the work, for files and ids: `tom_sawyer`.
    pub slug: String,
    /// Its number at Project Gutenberg.
    #[serde(alias = "id")]
    pub gutenberg_id: u32,
    /// Numbers of other editions, tried if the first cannot be fetched.
    #[serde(default)]
    pub alternatives: Vec<u32>,
    /// Names of sections to leave out, such as an editor's introduction.
    #[serde(default)]
    pub skip_sections: Vec<String>,
    /// Phrases in which keywords of any set do not count in this work.
    #[serde(default)]
    pub except: Vec<String>,
    /// Year of first publication.
    #[serde(alias = "year")]
    pub publication_year: i32,
    /// Its genres.
    #[serde(default, alias = "genres")]
    pub genre_tags: Vec<String>,
    /// Its language code: `en`.
    #[serde(default = "english")]
    pub language: String,
}

fn english() -> String {
    "en".to_owned()
}

impl Work {
    /// `twain_tom_sawyer`: file names and ids begin with it.
    pub fn stem(&self) -> String {
        format!("{}_{}", self.author_key(), self.slug)
    }

    /// The author's last name in lower case without accents; the author id if the name has none.
    pub fn author_key(&self) -> String {
        let last = self
            .author
            .split_whitespace()
            .rfind(|word| !matches!(*word, "Jr." | "Sr." | "Jr" | "Sr" | "II" | "III"));
        let plain: String = plain_letters(last.unwrap_or_default());
        if plain.is_empty() { self.author_id.clone() } else { plain }
    }

    /// Every number of the work, the best first.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        [self.gutenberg_id].into_iter().chain(self.alternatives.iter().copied())
    }
}

/// Lower-case letters without accents, and digits.
fn plain_letters(word: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    word.nfkd().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Why a manifest cannot be used.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read manifest `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// It is not TOML, or has the wrong structure.
    #[error("{}:{line}: {message}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Its values contradict each other or are out of bounds.
    #[error("{}: {what}: {message}", path.display())]
    Sense {
        /// The file.
        path: PathBuf,
        /// Which entry.
        what: String,
        /// What is wrong.
        message: String,
    },
}

command_error! { ManifestError {
    Unreadable => Input, KEYS_HINT;
    Form | Sense => Configuration, KEYS_HINT;
} }

const KEYS_HINT: &str = "docs/collections.md explains every key of a manifest";

/// Reads a manifest.
///
/// # Errors
/// The file cannot be read, has the wrong structure, or contradicts itself.
pub fn read_manifest(path: &Path) -> Result<Manifest, ManifestError> {
    let fail = |source| ManifestError::Unreadable { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(fail)?;
    parse(&text, path)
}

pub(super) fn parse(text: &str, path: &Path) -> Result<Manifest, ManifestError> {
    let manifest: Manifest = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = error.message().trim_end().replace('\n', ", ");
        ManifestError::Form { path: path.to_owned(), line, message }
    })?;
    let fail =
        |(what, message): (String, String)| ManifestError::Sense { path: path.to_owned(), what, message };
    check_values(&manifest).map_err(fail)?;
    Ok(manifest)
}

/// Checks the values; the error names the entry and what is wrong with it.
fn check_values(manifest: &Manifest) -> Result<(), (String, String)> {
    let refuse = |what: &str, message: &str| Err((what.to_owned(), message.to_owned()));
    let rules = &manifest.rules;
    let (words, bounds) = (rules.words, rules.bounds);
    if words.0 == 0 || bounds.0 == 0 || words.0 > words.1 || bounds.0 > words.0 || words.1 > bounds.1 {
        return refuse("rules", "needs bounds[0] <= words[0] <= words[1] <= bounds[1], none of them 0");
    }
    if !(0.0..=1.0).contains(&rules.max_overlap) {
        return refuse("rules.max_overlap", "is a share, from 0 to 1");
    }
    if rules.target.is_some_and(|(least, most)| least > most || most == 0) {
        return refuse("rules.target", "needs its least before its most");
    }
    if !rules.steps.is_sorted_by(|a, b| a >= b)
        || rules.steps.first().is_some_and(|first| *first > rules.min_score)
    {
        return refuse("rules.steps", "must fall, from below min_score on");
    }
    if manifest.keywords.is_empty()
        || manifest.keywords.values().any(|set| set.words.iter().all(|word| word.trim().is_empty()))
    {
        return refuse("keywords", "needs a set, and each set a word");
    }
    if let Some(name) = manifest.keywords.keys().find(|name| !is_slug(name)) {
        return refuse(&format!("keywords.{name}"), "is no name of small letters, digits and underscores");
    }
    check_exceptions(manifest)?;
    check_sources(&manifest.sources)?;
    check_works(&manifest.works)
}

/// Every exception contains a keyword that it excepts, and every sense belongs to a keyword.
fn check_exceptions(manifest: &Manifest) -> Result<(), (String, String)> {
    let lower = |text: &String| text.trim().to_lowercase();
    for (name, set) in &manifest.keywords {
        let words: BTreeSet<String> =
            set.words.iter().chain(set.authors.values().flatten()).map(lower).collect();
        if let Some(word) = set.senses.keys().find(|word| !words.contains(&lower(word))) {
            return Err((format!("keywords.{name}.senses.{word}"), "is no word of the set".to_owned()));
        }
        let is_idle = |phrase: &&String| !words.iter().any(|word| lower(phrase).contains(word.as_str()));
        let phrases = set.except.iter().chain(set.author_except.values().flatten());
        if let Some(phrase) = phrases.into_iter().find(is_idle) {
            return Err((format!("keywords.{name}.except"), format!("`{phrase}` has no word of the set")));
        }
    }
    Ok(())
}

fn check_sources(sources: &SourceSettings) -> Result<(), (String, String)> {
    let refuse = |what: &str, message: &str| Err((what.to_owned(), message.to_owned()));
    let is_web = |address: &String| address.starts_with("https://") || address.starts_with("http://");
    if !sources.mirrors.iter().all(is_web) || sources.mirrors.is_empty() {
        return refuse("sources.mirrors", "needs addresses that begin with https:// or http://");
    }
    if sources.paths.is_empty()
        || !sources.paths.iter().all(|path| path.starts_with("{base}/") && path.contains("{id}"))
    {
        return refuse("sources.paths", "needs forms that begin with {base}/ and have {id}");
    }
    let seconds =
        [sources.delay_seconds, sources.timeout_seconds, sources.retry_seconds, sources.longest_wait_seconds];
    if !seconds.iter().all(|seconds| (0.0..=86_400.0).contains(seconds)) || sources.timeout_seconds == 0.0 {
        return refuse("sources", "needs seconds from 0 to 86400, and a timeout above 0");
    }
    Ok(())
}

fn check_works(works: &[Work]) -> Result<(), (String, String)> {
    if works.is_empty() {
        return Err(("works".to_owned(), "needs at least one".to_owned()));
    }
    let mut stems = BTreeSet::new();
    for work in works {
        let refuse = |message: &str| Err((format!("works `{}`", work.slug), message.to_owned()));
        if !is_slug(&work.slug) || !is_slug(&work.author_id) {
            return refuse("slug and author_id have small letters, digits and underscores only");
        }
        if work.author.trim().is_empty() || work.title.trim().is_empty() {
            return refuse("needs an author and a title");
        }
        if work.ids().any(|id| id == 0) {
            return refuse("needs a number above 0 as gutenberg_id");
        }
        if !stems.insert(work.stem()) {
            return refuse("has the file name of another work: choose another slug");
        }
    }
    Ok(())
}

fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 80
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests;
