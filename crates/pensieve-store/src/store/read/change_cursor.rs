//! Where a follower of the changes stands, as text that it keeps.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A place in the feed of changes: `c120-5f3a09c1` or, within the whole state, `s120.7.2048.33-5f3a09c1`. The part after
/// the dash names the database: a cursor of another one is out of date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeCursor {
    /// Of which database.
    pub(crate) database: String,
    /// Where in its changes.
    pub(crate) position: CursorPosition,
}

/// Where a cursor points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CursorPosition {
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
}

impl FromStr for ChangesSince {
    type Err = ChangeCursorError;

    fn from_str(text: &str) -> Result<ChangesSince, ChangeCursorError> {
        match text.parse::<u32>() {
            Ok(run) => Ok(ChangesSince::Run(run.into())),
            Err(_) => text.parse().map(ChangesSince::Cursor),
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
