//! [`Citation`]: words of a document, named so that anybody can check them later.

use pensieve_text::model::ContentHash;
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// The hexadecimal digits of a hash that a citation has: 48 bits, so that other words hardly ever fit.
const HASH_DIGITS: usize = 12;

/// The digits of a hash in a short citation. Words at their place, or of the same length in a chunk, are compared with
/// it, a few of them at most, and 32 bits are enough to tell those apart.
const SHORT_DIGITS: usize = 8;

/// The fewest digits of a document's id that name it.
pub(crate) const MIN_UID_DIGITS: usize = 8;

/// How every citation begins.
const SCHEME: &str = "pensieve:";

/// Words of a document's clean text: `pensieve:<doc_uid>/<start>-<end>/<hash>`.
///
/// `start` and `end` are bytes of the clean text; the hash is the first 12 hexadecimal digits of the SHA-256 of the
/// words. The document is named by its public id, which survives renames and edits.
///
/// A short citation has the beginning of the id, which no other document of the corpus has when it is made, and the first
/// 8 digits of the hash.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Citation {
    /// The public id of the document, or at least 8 digits of its beginning.
    pub doc_uid: String,
    /// The bytes of its clean text; never empty.
    pub span: Range<usize>,
    /// The first digits of the hash of the words, as a number.
    hash: u64,
    /// How many digits.
    digits: usize,
}

/// Why a text is no citation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{given}` is no citation; one looks like `{}`", Citation::FORM)]
pub struct CitationError {
    /// What was given.
    pub given: String,
}

impl Citation {
    /// What citations look like.
    pub const FORM: &str = "pensieve:<doc_uid>/<start>-<end>/<8 to 12 hex digits>";

    /// The citation of these words, which start at byte `start` of the document's clean text.
    pub fn new(doc_uid: &str, start: usize, words: &str) -> Citation {
        let hash = word_hash(words, HASH_DIGITS);
        Citation { doc_uid: doc_uid.to_owned(), span: start..start + words.len(), hash, digits: HASH_DIGITS }
    }

    /// The short form, with a beginning of the document's id.
    pub fn shortened(&self, doc_uid: &str) -> Citation {
        let digits = self.digits.min(SHORT_DIGITS);
        let hash = self.hash >> (4 * (self.digits - digits));
        Citation { doc_uid: doc_uid.to_owned(), span: self.span.clone(), hash, digits }
    }

    /// The citation of a whole chunk, whose hash is known.
    pub(crate) fn of_chunk(doc_uid: &str, span: Range<usize>, content_hash: &str) -> Citation {
        let digits = content_hash.get(..HASH_DIGITS).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let hash = digits.unwrap_or_default();
        Citation { doc_uid: doc_uid.to_owned(), span, hash, digits: HASH_DIGITS }
    }

    /// Every citation in a running text, in order; `Err` is what begins as one and is none.
    pub fn find_all(text: &str) -> Vec<Result<Citation, CitationError>> {
        text.match_indices(SCHEME).filter_map(|(at, _)| Citation::at_start(&text[at..])).collect()
    }

    /// The citation that a text begins with; `None` if the text only names the scheme, as `pensieve: a program`.
    fn at_start(text: &str) -> Option<Result<Citation, CitationError>> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '-');
        let run = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
        let run = run.trim_end_matches([':', '/', '-']);
        run.contains('/').then(|| run.parse())
    }

    /// The first hexadecimal digits of the SHA-256 of the words.
    pub(crate) fn hash_digits(&self) -> String {
        format!("{:0digits$x}", self.hash, digits = self.digits)
    }

    /// The number of other texts that may be compared with the hash so that one of them fits by chance hardly ever: once
    /// in ten thousand times.
    pub fn max_guesses(&self) -> u64 {
        (1 << (4 * self.digits)) / 10_000
    }

    /// True if these are the words, wherever they are.
    pub fn names(&self, words: &str) -> bool {
        words.len() == self.span.len() && word_hash(words, self.digits) == self.hash
    }

    fn parse(text: &str) -> Option<Citation> {
        let (doc_uid, rest) = text.strip_prefix(SCHEME)?.split_once('/')?;
        let (span, hash) = rest.split_once('/')?;
        let (start, end) = span.split_once('-')?;
        let span = number(start)?..number(end)?;
        let is_uid = !doc_uid.is_empty() && doc_uid.bytes().all(|byte| byte.is_ascii_graphic());
        let digits = hash.len();
        let is_hash = (SHORT_DIGITS..=HASH_DIGITS).contains(&digits)
            && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = u64::from_str_radix(hash, 16).ok().filter(|_| is_uid && is_hash && !span.is_empty())?;
        Some(Citation { doc_uid: doc_uid.to_owned(), span, hash, digits })
    }
}

fn word_hash(words: &str, digits: usize) -> u64 {
    ContentHash::of(words.as_bytes()).prefix() >> (64 - 4 * digits)
}

/// Decimal digits without a sign.
fn number(digits: &str) -> Option<usize> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

impl fmt::Display for Citation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{SCHEME}{}/{}-{}/{}", self.doc_uid, self.span.start, self.span.end, self.hash_digits())
    }
}

impl Serialize for Citation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Citation {
    type Err = CitationError;

    fn from_str(text: &str) -> Result<Citation, CitationError> {
        Citation::parse(text.trim()).ok_or_else(|| CitationError { given: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_names_its_words_and_no_others() {
        let citation = Citation::new("0123-ab", 7, "fog over London");
        let text = citation.to_string();
        assert_eq!(text, "pensieve:0123-ab/7-22/d7b7f6ad1252");
        assert_eq!(text.parse(), Ok(citation.clone()));
        assert_eq!(format!(" {text}\n").parse(), Ok(citation.clone()));
        assert!(citation.names("fog over London"));
        assert!(!citation.names("fog over london") && !citation.names("fog"));
    }

    #[test]
    fn a_short_citation_names_the_same_words() {
        let citation = Citation::new("0123-ab", 7, "fog over London");
        let short = citation.shortened("0123");
        assert_eq!(short.to_string(), "pensieve:0123/7-22/d7b7f6ad");
        assert_eq!(short.to_string().parse(), Ok(short.clone()));
        assert_eq!(short.shortened("0123"), short);
        assert!(short.names("fog over London") && !short.names("fog over london"));
        let between: Citation = "pensieve:0123-ab/7-22/d7b7f6ad12".parse().unwrap();
        assert!(between.names("fog over London") && between.to_string().ends_with("/d7b7f6ad12"));
        assert_eq!((short.max_guesses(), citation.max_guesses()), (429_496, 28_147_497_671));
    }

    #[test]
    fn the_citation_of_a_chunk_needs_no_second_hash() {
        let words = "fog over London";
        let content_hash = ContentHash::of(words.as_bytes()).to_hex();
        assert_eq!(Citation::of_chunk("0123-ab", 7..22, &content_hash), Citation::new("0123-ab", 7, words));
    }

    #[test]
    fn citations_are_found_in_running_text() {
        let one = "pensieve:0123-ab/7-22/d7b7f6ad1252";
        let found = |text: &str| -> Vec<String> {
            let text_of = |found: Result<Citation, CitationError>| match found {
                Ok(citation) => citation.to_string(),
                Err(error) => format!("not {}", error.given),
            };
            Citation::find_all(text).into_iter().map(text_of).collect()
        };
        assert_eq!(found(&format!("Fog ({one}), and [mist]({one}).\n\n- {one}: yes; {one}/")), [one; 4]);
        assert_eq!(found(&format!("\u{201c}{one}\u{201d} 雾{one}。 <{one}>")), [one; 3]);
        assert_eq!(found("pensieve: a program; pensieve://; see pensieve:"), [""; 0]);
        assert_eq!(found("as in pensieve:0123-ab/7-22/d7b7."), ["not pensieve:0123-ab/7-22/d7b7"]);
    }

    #[test]
    fn what_is_no_citation_is_refused() {
        for wrong in [
            "",
            "pensieve:",
            "pensieve:a/1-2",
            "pensieve:/1-2/d7b7f6ad1252",
            "pensieve:a/2-2/d7b7f6ad1252",
            "pensieve:a/3-2/d7b7f6ad1252",
            "pensieve:a/+1-2/d7b7f6ad1252",
            "pensieve:a/1-2/d7b7f6a",
            "pensieve:a/1-2/d7b7f6ad12520",
            "pensieve:a/1-2/d7b7f6ad125g",
            "pensieve:a/1-2/d7b7f6ad1252/",
            "pensieve:a b/1-2/d7b7f6ad1252",
            "pensieve:a/1-99999999999999999999/d7b7f6ad1252",
            "http:a/1-2/d7b7f6ad1252",
        ] {
            let refused = wrong.parse::<Citation>().unwrap_err();
            assert!(refused.to_string().contains("one looks like"), "{wrong}");
        }
    }
}
