//! Addresses of documents as resources: `pensieve://<corpus>/<path below the ingested folder>`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::fmt;

/// How every address begins.
const SCHEME: &str = "pensieve://";

/// The template of all addresses.
pub const TEMPLATE: &str = "pensieve://{corpus}/{+path}";

/// What is escaped in a name; a path keeps its slashes.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const ESCAPED_IN_PATHS: &AsciiSet = &ESCAPED.remove(b'/');

/// The address of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentUri {
    /// The corpus.
    pub corpus: String,
    /// The path below the ingested folder, in stored form.
    pub relative_path: String,
    /// The public id of the document, where several roots may have the path.
    pub doc_uid: Option<String>,
    /// Characters to skip: long documents are read in parts.
    pub offset: usize,
}

impl DocumentUri {
    /// Reads an address; `None` if it is none.
    pub fn read(uri: &str) -> Option<DocumentUri> {
        let rest = uri.strip_prefix(SCHEME)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (corpus, path) = rest.split_once('/')?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(|text| text.into_owned());
        let (corpus, relative_path) = (decoded(corpus)?, decoded(path)?);
        let mut address = DocumentUri { corpus, relative_path, doc_uid: None, offset: 0 };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=')? {
                ("doc", uid) => address.doc_uid = Some(decoded(uid)?),
                ("offset", offset) => address.offset = offset.parse().ok()?,
                _ => return None,
            }
        }
        Some(address)
    }
}

impl fmt::Display for DocumentUri {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let corpus = utf8_percent_encode(&self.corpus, ESCAPED);
        let path = utf8_percent_encode(&self.relative_path, ESCAPED_IN_PATHS);
        write!(out, "{SCHEME}{corpus}/{path}")?;
        let mut mark = '?';
        if let Some(uid) = &self.doc_uid {
            write!(out, "{mark}doc={}", utf8_percent_encode(uid, ESCAPED))?;
            mark = '&';
        }
        if self.offset > 0 {
            write!(out, "{mark}offset={}", self.offset)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_round_trip() {
        let address = DocumentUri {
            corpus: "my notes".into(),
            relative_path: "a b/50% ä?.md".into(),
            doc_uid: Some("0-1".into()),
            offset: 7,
        };
        let text = address.to_string();
        assert_eq!(text, "pensieve://my%20notes/a%20b/50%25%20%C3%A4%3F.md?doc=0-1&offset=7");
        assert_eq!(DocumentUri::read(&text), Some(address));
        for wrong in ["", "file:///etc/passwd", "pensieve://notes", "pensieve://n/a?x=1", "pensieve://n/%FF"]
        {
            assert_eq!(DocumentUri::read(wrong), None, "{wrong}");
        }
    }
}
