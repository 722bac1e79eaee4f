//! The state that the readers of an IWA document share: its objects, the current unit, the writer, the use of limits.

use super::super::output::{ContentRegion, DocumentUnit, UnitContent, UnitLocation, UnitWriter};
use super::objects::{ObjectStore, STORAGE_TYPES};
use crate::markdown::{BaselineShift, TextStyle, Words};
use crate::settings::OfficeOptions;
use pensieve_text::model::Problem;
use std::collections::{HashMap, HashSet};

/// The state of a document that is being read.
pub(super) struct DocumentContext<'s, 'o> {
    pub store: &'s ObjectStore,
    pub unit: DocumentUnit,
    pub seen: HashSet<u64>,
    pub styles: HashMap<u64, StyleProperties>,
    pub notes: usize,
    pub is_pages: bool,
    /// Something was left out because there was too much of it.
    pub is_cut: bool,
    pub output: &'o mut UnitWriter<'s>,
    pub office: &'o OfficeOptions,
    pub location: UnitLocation,
    /// Bytes of shared objects that may still be read.
    pub work: usize,
    /// Bytes of referred text that may still be read.
    pub referred: usize,
    /// The first problem of the sink.
    pub failed: Option<Problem>,
    /// Reads a drawable that is embedded in a text, given its region and depth.
    pub read_drawable: fn(&mut DocumentContext<'_, '_>, u64, ContentRegion, usize),
}

impl DocumentContext<'_, '_> {
    /// Counts bytes of shared objects that are about to be read; false if the limit is reached.
    pub fn spend(&mut self, bytes: usize) -> bool {
        let left = self.work.checked_sub(bytes + 1);
        self.is_cut |= left.is_none();
        self.work = left.unwrap_or(0);
        left.is_some()
    }

    /// Adds content to the unit; a body that has grown too large is written.
    pub fn add(&mut self, region: ContentRegion, content: UnitContent, depth: usize) {
        self.unit.add(region, content);
        if self.unit.is_full() && depth == 0 {
            self.write_body();
        }
    }

    /// Writes the part of the unit's body that was read so far.
    pub fn write_body(&mut self) {
        let written = self.output.write_region(&mut self.unit, ContentRegion::Body, &self.location);
        self.keep(written);
    }

    /// Writes all of the unit.
    pub fn end_unit(&mut self) {
        let written = self.output.write(&mut self.unit, &self.location);
        self.keep(written);
    }

    /// Remembers the first problem of the sink, which ends the reading.
    pub fn keep(&mut self, written: Result<(), Problem>) {
        if let Err(problem) = written {
            self.failed.get_or_insert(problem);
        }
    }

    /// Writes the heading of a sheet or slide.
    pub fn heading(&mut self, words: Words) {
        let written = self.output.heading(2, words, &self.location);
        self.keep(written);
    }

    /// The text of a storage without its styles, such as that of a note or a cell.
    pub fn plain(&mut self, storage: u64) -> String {
        let object = self.store.get(storage).filter(|object| STORAGE_TYPES.contains(&object.kind));
        let Some(object) = object else { return String::new() };
        let size = object.message.0.len();
        if size > self.referred || !self.spend(size) {
            self.is_cut = true;
            return String::new();
        }
        self.referred -= size;
        self.seen.insert(storage);
        let text: String = object.message.all(3).map(String::from_utf8_lossy).collect();
        let text: String = text
            .chars()
            .map(|c| if matches!(c, '\u{2028}' | '\u{2029}' | '\r' | '\u{b}') { '\n' } else { c })
            .filter(|c| (!c.is_control() || matches!(c, '\n' | '\t')) && *c != '\u{fffc}')
            .collect();
        text.trim().to_owned()
    }
}

/// The properties that a style sets; `None` for those that it does not set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StyleProperties {
    pub strong: Option<bool>,
    pub emphasis: Option<bool>,
    pub strike: Option<bool>,
    pub shift: Option<BaselineShift>,
    pub heading: Option<u8>,
}

impl StyleProperties {
    /// A style of text with these properties on top.
    pub fn over(self, style: TextStyle) -> TextStyle {
        TextStyle {
            strong: self.strong.unwrap_or(style.strong),
            emphasis: self.emphasis.unwrap_or(style.emphasis),
            strike: self.strike.unwrap_or(style.strike),
            shift: self.shift.unwrap_or(style.shift),
            ..style
        }
    }
}
