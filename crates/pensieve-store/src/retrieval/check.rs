//! [`check_citation`]: the words of a citation, and whether the document still has them.

use super::moved_words::{MAX_HASHED_BYTES, WordSearch, find_words};
use super::source_check::{SourceCheck, check_source};
use crate::store::{ChunkPlace, Citation, DocumentRow, DocumentText, Store, StoreError};
use pensieve_text::model::ProcessingStatus;
use pensieve_text::model::numbers::counted;
use serde::{Serialize, Serializer};

/// What became of a citation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedCitation {
    /// The citation, as given.
    pub citation: Citation,
    /// The words; `None` if it does not hold.
    pub text: Option<String>,
    /// True if the document's current clean text has the words.
    pub holds: bool,
    /// True if it has them at another place.
    pub moved: bool,
    /// Why it does not hold.
    pub reason: Option<String>,
    /// The citation of the words where they are now, if they have moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<Citation>,
    /// True if the file on disk is the one that was read; `None` if that is not known.
    pub source_unchanged: Option<bool>,
    /// How it differs, or why that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reason: Option<String>,
    /// Where the words are now, or only the document if they are gone; `None` if there is no such document.
    #[serde(flatten, serialize_with = "source_keys")]
    pub place: Option<CitedPlace>,
}

/// What a citation leads to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CitedPlace {
    /// The words.
    Words(Box<ChunkPlace>),
    /// A document that does not have them.
    Document {
        /// Its public id.
        doc_uid: String,
        /// Its path below its root, for people.
        name: String,
        /// Its path below its root, in stored form.
        relative_path: String,
        /// Absolute path in stored form.
        path: String,
    },
}

/// The keys of a source without its own citation, whose name the given one has.
fn source_keys<S: Serializer>(place: &Option<CitedPlace>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut keys = serde_json::to_value(place).map_err(serde::ser::Error::custom)?;
    if let Some(keys) = keys.as_object_mut() {
        keys.remove("citation");
        return keys.serialize(serializer);
    }
    serde_json::Map::new().serialize(serializer)
}

impl CheckedCitation {
    /// Where the words are now.
    pub fn words_place(&self) -> Option<&ChunkPlace> {
        match &self.place {
            Some(CitedPlace::Words(place)) => Some(place),
            _ => None,
        }
    }

    /// The public id of the document; `None` if there is no such document.
    pub fn doc_uid(&self) -> Option<&str> {
        match self.place.as_ref()? {
            CitedPlace::Words(place) => Some(&place.doc_uid),
            CitedPlace::Document { doc_uid, .. } => Some(doc_uid),
        }
    }

    /// Takes out where the words are now.
    pub fn take_words_place(&mut self) -> Option<Box<ChunkPlace>> {
        match self.place.take() {
            Some(CitedPlace::Words(place)) => Some(place),
            _ => None,
        }
    }

    fn new(citation: &Citation) -> CheckedCitation {
        CheckedCitation {
            citation: citation.clone(),
            text: None,
            holds: false,
            moved: false,
            reason: None,
            moved_to: None,
            source_unchanged: None,
            source_reason: None,
            place: None,
        }
    }

    fn with_words(mut self, words: String, place: ChunkPlace) -> CheckedCitation {
        self.holds = true;
        self.moved = place.at.start != self.citation.span.start;
        self.moved_to = self.moved.then(|| place.citation.clone());
        self.text = Some(words);
        self.place = Some(CitedPlace::Words(Box::new(place)));
        self
    }
}

/// Looks for the words of a citation in the current clean text of its document: at their place, then anywhere.
///
/// Cost: unpacks the segments (at most 1 MiB of text each) that the words touch. Words that are not at their place
/// cost a pass over the text; if no chunk and no other version has them, up to 2 GiB are hashed, one to four seconds.
pub fn check_citation(store: &Store, citation: &Citation) -> Result<CheckedCitation, StoreError> {
    // Documents that were added later may have ids that begin like a short one; the words tell them apart.
    let mut first = None;
    for document in store.documents().with_uid(&citation.doc_uid)? {
        let checked = check_in(store, citation, document)?;
        if checked.holds {
            return Ok(checked);
        }
        first = first.or(Some(checked));
    }
    let reason = || Some("the database has no document of this id".to_owned());
    Ok(first.unwrap_or_else(|| CheckedCitation { reason: reason(), ..CheckedCitation::new(citation) }))
}

/// What became of a citation if it is one of this document.
fn check_in(
    store: &Store,
    citation: &Citation,
    document: DocumentRow,
) -> Result<CheckedCitation, StoreError> {
    let checked = CheckedCitation::new(citation);
    let SourceCheck { is_unchanged, reason } = check_source(store, document.file_id)?;
    let checked = CheckedCitation {
        source_unchanged: is_unchanged,
        source_reason: reason,
        place: Some(CitedPlace::Document {
            doc_uid: document.doc_uid.clone(),
            name: document.name.clone(),
            relative_path: document.relative_path.clone(),
            path: document.full_path.clone(),
        }),
        ..checked
    };
    match cited_words(store, &document, citation) {
        Ok(Ok((words, place))) => Ok(checked.with_words(words, place)),
        Ok(Err(reason)) => Ok(CheckedCitation { reason: Some(reason), ..checked }),
        // An unreadable text is the fault of one document; other citations are still checked.
        Err(StoreError::Damaged { detail, .. }) => Ok(CheckedCitation { reason: Some(detail), ..checked }),
        Err(error) => Err(error),
    }
}

/// The words with their place, or why there are none.
fn cited_words(
    store: &Store,
    document: &DocumentRow,
    citation: &Citation,
) -> Result<Result<(String, ChunkPlace), String>, StoreError> {
    if document.status == ProcessingStatus::Deleted.as_str() {
        return Ok(Err(gone_reason(document)));
    }
    let Some(text) = store.documents().clean_text(&document.doc_uid)? else {
        return Ok(Err(no_text_reason(document)));
    };
    let words = text.words(citation.span.clone())?;
    if words.is_some_and(|words| citation.names(&words))
        && let Some(found) = text.place(citation.span.clone())?
    {
        return Ok(Ok(found));
    }
    match find_words(store, &text, citation)? {
        WordSearch::Found(span) => Ok(text.place(span)?.ok_or_else(|| absent_reason(&text, citation))),
        WordSearch::Absent => Ok(Err(absent_reason(&text, citation))),
        WordSearch::Stopped => Ok(Err(format!(
            "the text of `{}` does not have these words at their place; they were not looked for everywhere, \
             because that takes more than {} GiB of hashing, or because the hash is so short that other words may fit",
            document.name,
            MAX_HASHED_BYTES >> 30
        ))),
    }
}

fn gone_reason(document: &DocumentRow) -> String {
    let reason = document.reason.as_deref().unwrap_or("no longer there");
    format!("`{}` was deleted: {reason}", document.name)
}

fn no_text_reason(document: &DocumentRow) -> String {
    let reason = document.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("`{}` has no text now ({}{reason})", document.name, document.status)
}

fn absent_reason(text: &DocumentText<'_>, citation: &Citation) -> String {
    let name = &text.document.name;
    if citation.span.end <= text.bytes {
        return format!("the text of `{name}` does not have these words any more");
    }
    let (has, ended) = (counted(text.bytes as u64, "byte"), citation.span.end);
    format!(
        "the text of `{name}` does not have these words any more: it has {has}, and they ended at {ended}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{corpus, execute, only_uid};

    /// What becomes of the citation of words at a byte of the text `one two\n`.
    fn checked(prepare: &str, start: usize, words: &str) -> CheckedCitation {
        let store = corpus(&[("a.txt", &["one two"])]);
        execute(&store, prepare);
        check_citation(&store, &Citation::new(&only_uid(&store), start, words)).unwrap()
    }

    #[test]
    fn words_hold_at_their_place_or_have_moved() {
        let found = checked("", 4, "two");
        let Some(CitedPlace::Words(place)) = &found.place else { panic!("{found:?}") };
        assert_eq!((place.at.start, place.at.end, place.name.as_str()), (4, 7, "a.txt"));
        let expected = CheckedCitation {
            text: Some("two".to_owned()),
            holds: true,
            source_unchanged: Some(false),
            source_reason: Some("the file is no longer on disk".to_owned()),
            place: found.place.clone(),
            ..CheckedCitation::new(&found.citation)
        };
        assert_eq!(found, expected);
        let moved = checked("", 0, "two");
        assert!(moved.holds && moved.moved);
        assert_eq!(moved.moved_to.map(|citation| citation.span), Some(4..7));
    }

    #[test]
    fn words_that_are_gone_have_a_reason_and_their_document() {
        let check = |prepare: &str, start: usize, words: &str, expected: &str| {
            let found = checked(prepare, start, words);
            let Some(CitedPlace::Document { doc_uid, name, relative_path, path }) = &found.place else {
                panic!("{found:?}")
            };
            assert_eq!(doc_uid, &found.citation.doc_uid);
            assert_eq!([name, relative_path, path], ["a.txt", "a.txt", "/r/a.txt"]);
            assert_eq!(found.reason.as_deref(), Some(expected));
            assert!(!found.holds && !found.moved && found.text.is_none() && found.moved_to.is_none());
        };
        let gone = "the text of `a.txt` does not have these words any more";
        check("", 0, "xyz", gone);
        check("", 5, "xyz", gone);
        check("", 6, "xyz", &format!("{gone}: it has 8 bytes, and they ended at 9"));
        check("", 0, "one two three", &format!("{gone}: it has 8 bytes, and they ended at 13"));
        let status = |status: &str, reason: &str| {
            format!("UPDATE files SET processing_status = '{status}', status_reason = {reason}")
        };
        check(&status("Deleted", "NULL"), 0, "one", "`a.txt` was deleted: no longer there");
        check(&status("Deleted", "'moved away'"), 0, "one", "`a.txt` was deleted: moved away");
        let without = |reason: &str| status("Error", reason) + "; DELETE FROM text_versions";
        check(&without("NULL"), 0, "one", "`a.txt` has no text now (Error)");
        check(&without("'too large'"), 0, "one", "`a.txt` has no text now (Error: too large)");
    }

    #[test]
    fn a_citation_of_no_document_says_so() {
        let store = corpus(&[("a.txt", &["one two"])]);
        let citation = Citation::new("nobody", 0, "one");
        let expected = CheckedCitation {
            reason: Some("the database has no document of this id".to_owned()),
            ..CheckedCitation::new(&citation)
        };
        assert_eq!(check_citation(&store, &citation).unwrap(), expected);
    }
}
