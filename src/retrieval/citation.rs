//! [`Citation`]: words of a document, named so that anybody can check them later.

use pensieve_text::model::ContentHash;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// The hexadecimal digits of a hash that a citation has: 48 bits, so that other words hardly ever fit.
const HASH_DIGITS: usize = 12;

/// How every citation begins.
const SCHEME: &str = "pensieve:";

/// Words of a document's clean text: `pensieve:<doc_uid>/<start>-<end>/<hash>`.
///
/// `start` and `end` are bytes of the clean text; the hash is the first 12 hexadecimal digits of the SHA-256 of the
/// words. The document is named by its public id, which survives renames and edits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Citation {
    /// The public id of the document.
    pub doc_uid: String,
    /// The bytes of its clean text; never empty.
    pub span: Range<usize>,
    /// The first digits of the hash of the words, lower case.
    hash: String,
}

/// Why a text is no citation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{given}` is no citation; one looks like `pensieve:<doc_uid>/<start>-<end>/<12 hex digits>`")]
pub struct CitationError {
    /// What was given.
    pub given: String,
}

impl Citation {
    /// The citation of these words, which start at byte `start` of the document's clean text.
    pub fn new(doc_uid: &str, start: usize, words: &str) -> Citation {
        Citation { doc_uid: doc_uid.to_owned(), span: start..start + words.len(), hash: word_hash(words) }
    }

    /// True if these are the words, wherever they are.
    pub fn names(&self, words: &str) -> bool {
        words.len() == self.span.len() && word_hash(words) == self.hash
    }

    fn parse(text: &str) -> Option<Citation> {
        let (doc_uid, rest) = text.strip_prefix(SCHEME)?.split_once('/')?;
        let (span, hash) = rest.split_once('/')?;
        let (start, end) = span.split_once('-')?;
        let span = number(start)?..number(end)?;
        let is_uid = !doc_uid.is_empty() && doc_uid.bytes().all(|byte| byte.is_ascii_graphic());
        let is_hash = hash.len() == HASH_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_uid && is_hash && !span.is_empty()).then(|| Citation {
            doc_uid: doc_uid.to_owned(),
            span,
            hash: hash.to_ascii_lowercase(),
        })
    }
}

fn word_hash(words: &str) -> String {
    let mut hex = ContentHash::of(words.as_bytes()).to_hex();
    hex.truncate(HASH_DIGITS);
    hex
}

/// Decimal digits without a sign.
fn number(digits: &str) -> Option<usize> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

impl fmt::Display for Citation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{SCHEME}{}/{}-{}/{}", self.doc_uid, self.span.start, self.span.end, self.hash)
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
    fn what_is_no_citation_is_refused() {
        for wrong in [
            "",
            "pensieve:",
            "pensieve:a/1-2",
            "pensieve:/1-2/d7b7f6ad1252",
            "pensieve:a/2-2/d7b7f6ad1252",
            "pensieve:a/3-2/d7b7f6ad1252",
            "pensieve:a/+1-2/d7b7f6ad1252",
            "pensieve:a/1-2/d7b7f6ad125",
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
