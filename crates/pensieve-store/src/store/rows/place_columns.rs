//! The columns of `chunk_sources` that say where a chunk is, once: their names, their values, and how they are read, written,
//! hashed and printed.

use super::sql::offset;
use pensieve_text::model::SourceSpan;
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Their names in a table `s`, in the order of [`PlaceColumns::values`].
macro_rules! place_columns {
    () => {
        concat!("s.start_index, s.end_index, ", crate::store::rows::place_columns::source_columns!())
    };
}

/// The names of those that follow the span in the clean text.
macro_rules! source_columns {
    () => {
        "s.source_start, s.source_end, s.source_exact, s.locator, s.heading_path, s.context"
    };
}

pub(crate) use {place_columns, source_columns};

/// Where a chunk is in the text of a document, and what belongs to it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceColumns {
    /// First byte in the clean text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// Source bytes, where the format has them, and whether they are the chunk once they are decoded and normalised.
    pub source: Option<SourceSpan>,
    /// The locator as JSON: lines, pages, cells.
    pub locator: Option<String>,
    /// Headings above it: `Guide > Install`.
    pub heading_path: Option<String>,
    /// Text to repeat before the chunk, such as the header of a cut table.
    pub context: Option<String>,
}

impl PlaceColumns {
    /// Reads the columns, of which the first is `at`.
    pub(crate) fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<PlaceColumns> {
        let source = match (row.get_ref(at + 2)?, row.get_ref(at + 3)?) {
            (ValueRef::Null, _) | (_, ValueRef::Null) => None,
            _ => Some(SourceSpan {
                start: offset(row, at + 2)?,
                end: offset(row, at + 3)?,
                exact: row.get::<_, Option<bool>>(at + 4)? == Some(true),
            }),
        };
        Ok(PlaceColumns {
            start: offset(row, at)?,
            end: offset(row, at + 1)?,
            source,
            locator: row.get(at + 5)?,
            heading_path: row.get(at + 6)?,
            context: row.get(at + 7)?,
        })
    }

    /// The values as they are stored.
    pub(crate) fn values(&self) -> [ValueRef<'_>; 8] {
        let number = |number: usize| ValueRef::Integer(number as i64);
        let of_source = |value: fn(SourceSpan) -> usize| {
            self.source.map_or(ValueRef::Null, |source| number(value(source)))
        };
        let [locator, heading_path, context] = [&self.locator, &self.heading_path, &self.context]
            .map(|text| text.as_deref().map_or(ValueRef::Null, ValueRef::from));
        [
            number(self.start),
            number(self.end),
            of_source(|source| source.start),
            of_source(|source| source.end),
            of_source(|source| usize::from(source.exact)),
            locator,
            heading_path,
            context,
        ]
    }

    /// The locator as a value.
    pub fn locator_value(&self) -> Option<serde_json::Value> {
        self.locator.as_deref().and_then(|json| serde_json::from_str(json).ok())
    }
}

/// As `search --json`, `pack` and the ways out print a place.
impl Serialize for PlaceColumns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("start", &self.start)?;
        map.serialize_entry("end", &self.end)?;
        map.serialize_entry("source", &self.source.map(|source| (source.start, source.end)))?;
        map.serialize_entry("source_exact", &self.source.map(|source| source.exact))?;
        map.serialize_entry("locator", &self.locator_value())?;
        map.serialize_entry("heading_path", &self.heading_path)?;
        map.serialize_entry("context", &self.context)?;
        map.end()
    }
}
