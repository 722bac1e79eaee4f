//! Where a follower of the changes stands, as text that it keeps.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A place in the feed of changes: `c120-5f3a09c1` or, within the whole state, `s120.7.2048.33-5f3a09c1`. The part after
/// the dash names the database: a cursor of another one is out of date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeCursor {
    /// Of which database.
    pub(super) database: String,
    /// Where in its changes.
    pub(super) position: CursorPosition,
}

/// Where a cursor points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorPosition {
    /// After this row of the journal.
    Journal(i64),
    /// In the whole state, which is followed by the journal after `seq`.
    State {
        /// The last row of the journal when the state was begun.
        seq: i64,
        /// The last place: file, first byte, chunk.
        after: (i64, i64, i64),
    },
}

/// A place in the changes of several databases that are one corpus: `p12.40-5f3a09c1`, after these rows of their journals; or
/// within what one row of a journal leads to (`p12.40/1.0.33.0.9.0-...`), or within the whole state (`t12.40/0.33.0.9-...`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusCursor {
    /// Of which databases, in which order.
    pub(super) corpus: String,
    /// The row of each journal up to which everything was given.
    pub(super) seqs: Vec<i64>,
    /// What of the rest was given.
    pub(super) within: CorpusPosition,
}

/// Where a cursor of several databases points, besides their journals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CorpusPosition {
    /// Nothing else was given.
    Journals,
    /// Of the next row of a journal a part was given.
    Row {
        /// Whose journal.
        part: usize,
        /// The last place that was given.
        after: PlaceKey,
        /// Of this place, the ids of its document that were given.
        uids: usize,
    },
    /// The whole state is being given; the journals follow.
    State {
        /// The last place that was given.
        after: PlaceKey,
    },
}

/// A place of a chunk, by the rows of its database; they are sorted by part, file, position, chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct PlaceKey {
    pub part: usize,
    pub file: i64,
    pub start: i64,
    pub chunk: i64,
}

/// Text that is no cursor.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is neither a run's number nor a cursor: pass `0` for the whole state, or `cursor` of a row")]
pub struct ChangeCursorError(String);

impl fmt::Display for ChangeCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            CursorPosition::Journal(seq) => write!(f, "c{seq}-{}", self.database),
            CursorPosition::State { seq, after: (file, start, chunk) } => {
                write!(f, "s{seq}.{file}.{start}.{chunk}-{}", self.database)
            }
        }
    }
}

impl fmt::Display for PlaceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}.{}", self.part, self.file, self.start, self.chunk)
    }
}

impl fmt::Display for CorpusCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if matches!(self.within, CorpusPosition::State { .. }) { 't' } else { 'p' };
        let seqs: Vec<String> = self.seqs.iter().map(i64::to_string).collect();
        write!(f, "{kind}{}", seqs.join("."))?;
        match self.within {
            CorpusPosition::Journals => {}
            CorpusPosition::Row { part, after, uids } => write!(f, "/{part}.{after}.{uids}")?,
            CorpusPosition::State { after } => write!(f, "/{after}")?,
        }
        write!(f, "-{}", self.corpus)
    }
}

impl FromStr for ChangeCursor {
    type Err = ChangeCursorError;

    fn from_str(text: &str) -> Result<ChangeCursor, ChangeCursorError> {
        parsed(text).ok_or_else(|| ChangeCursorError(text.to_owned()))
    }
}

fn parsed(text: &str) -> Option<ChangeCursor> {
    let (place, database) = text.split_once('-')?;
    let numbers = numbers(place.get(1..)?)?;
    let position = match (place.get(..1)?, numbers.as_slice()) {
        ("c", &[seq]) => CursorPosition::Journal(seq),
        ("s", &[seq, file, start, chunk]) => CursorPosition::State { seq, after: (file, start, chunk) },
        _ => return None,
    };
    Some(ChangeCursor { database: database.to_owned(), position })
}

fn parsed_of_corpus(text: &str) -> Option<CorpusCursor> {
    let (place, corpus) = text.split_once('-')?;
    let (seqs, rest) = match place.get(1..)?.split_once('/') {
        Some((seqs, rest)) => (seqs, numbers(rest)?),
        None => (place.get(1..)?, Vec::new()),
    };
    let seqs = numbers(seqs)?;
    let key = |part: i64, file, start, chunk| PlaceKey { part: part as usize, file, start, chunk };
    let within = match (place.get(..1)?, rest.as_slice()) {
        ("p", &[]) => CorpusPosition::Journals,
        ("p", &[part, of, file, start, chunk, uids]) => {
            let (part, uids) = (part as usize, uids as usize);
            CorpusPosition::Row { part, after: key(of, file, start, chunk), uids }
        }
        ("t", &[part, file, start, chunk]) => CorpusPosition::State { after: key(part, file, start, chunk) },
        _ => return None,
    };
    Some(CorpusCursor { corpus: corpus.to_owned(), seqs, within })
}

/// Numbers with dots between them.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split('.').map(|number| number.parse().ok().filter(|number| *number >= 0)).collect()
}

/// From where on changes are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangesSince {
    /// After this run; 0 is the whole state.
    Run(i64),
    /// After the row that had this cursor.
    Cursor(ChangeCursor),
    /// After the row of several databases that had this cursor.
    Corpus(CorpusCursor),
}

impl FromStr for ChangesSince {
    type Err = ChangeCursorError;

    fn from_str(text: &str) -> Result<ChangesSince, ChangeCursorError> {
        match text.parse::<u32>() {
            Ok(run) => Ok(ChangesSince::Run(run.into())),
            Err(_) => match parsed_of_corpus(text) {
                Some(cursor) => Ok(ChangesSince::Corpus(cursor)),
                None => text.parse().map(ChangesSince::Cursor),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_read_as_they_are_written() {
        for text in ["c0-ab", "c17-5f3a09c1", "s17.3.0.9-5f3a09c1"] {
            assert_eq!(text.parse::<ChangeCursor>().unwrap().to_string(), text);
            assert!(matches!(text.parse(), Ok(ChangesSince::Cursor(_))));
        }
        for text in ["p7-ab", "p12.0.7-5f3a09c1", "p1.2/1.0.33.0.9.2-ab", "t1.2/0.33.0.9-ab"] {
            match text.parse() {
                Ok(ChangesSince::Corpus(cursor)) => assert_eq!(cursor.to_string(), text),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert_eq!("12".parse(), Ok(ChangesSince::Run(12)));
        for text in [
            "",
            "c",
            "c1",
            "c-1-ab",
            "x1-ab",
            "s1.2-ab",
            "c1.2-ab",
            "-1",
            "é",
            "c99999999999999999999-a",
            "p-ab",
            "p1/2-ab",
            "p1.-ab",
            "t1-ab",
            "t1/1.2.3-ab",
        ] {
            assert!(text.parse::<ChangesSince>().is_err(), "{text}");
        }
    }
}
