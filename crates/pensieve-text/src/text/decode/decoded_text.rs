//! Decoded text under construction: characters, their map to the source, and the number of replacements.

use crate::model::{MapBuilder, SpanMap};

/// Text, map and replacements of one slice of bytes.
pub(super) struct DecodedText {
    pub text: String,
    map: MapBuilder,
    /// Equal units that are not yet in the map.
    units: usize,
    out_unit: usize,
    src_unit: usize,
    /// True if slices of the source can be decoded alone.
    is_exact: bool,
    /// The number of inserted U+FFFD.
    pub replaced: u64,
    /// The source byte of the first U+FFFD.
    pub first: Option<usize>,
}

impl DecodedText {
    /// An empty text whose source continues at `source`; `is_exact` means that slices of the source can be decoded
    /// alone.
    pub fn new(source: usize, is_exact: bool, room: usize) -> DecodedText {
        DecodedText {
            text: String::with_capacity(room),
            map: MapBuilder::new(source),
            units: 0,
            out_unit: 1,
            src_unit: 1,
            is_exact,
            replaced: 0,
            first: None,
        }
    }

    /// Adds bytes that are already UTF-8.
    pub fn copy(&mut self, text: &str) {
        self.text.push_str(text);
        self.count(text.len(), 1, 1);
    }

    /// Adds one character from `src` bytes.
    pub fn char(&mut self, c: char, src: usize) {
        self.text.push(c);
        self.count(1, c.len_utf8(), src);
    }

    /// Adds `count` characters from one byte each, all of them `len` bytes long.
    pub fn letters(&mut self, letters: impl Iterator<Item = char>, count: usize, len: usize) {
        self.text.extend(letters);
        self.count(count, len, 1);
    }

    /// Adds several characters that come from `src` bytes together.
    pub fn chars(&mut self, text: &str, src: usize) {
        self.text.push_str(text);
        self.count(1, text.len(), src);
    }

    /// Adds one U+FFFD for `src` undecodable bytes.
    pub fn bad(&mut self, src: usize) {
        self.flush();
        self.first.get_or_insert(self.map.src());
        self.replaced += 1;
        self.text.push(char::REPLACEMENT_CHARACTER);
        self.map.replace(char::REPLACEMENT_CHARACTER.len_utf8(), src);
    }

    /// Skips a byte-order mark, which is not text.
    pub fn bom(&mut self, src: usize) {
        self.flush();
        self.map.skip_blank(src);
    }

    /// Skips bytes that change the state and are not text.
    pub fn escape(&mut self, src: usize) {
        self.flush();
        self.map.skip(src);
    }

    /// Returns text, map, and the source byte at which the next slice continues.
    pub fn finish(mut self) -> (String, SpanMap, usize) {
        self.flush();
        let next = self.map.src();
        (self.text, self.map.finish(), next)
    }

    fn count(&mut self, units: usize, out_unit: usize, src_unit: usize) {
        if (self.out_unit, self.src_unit) != (out_unit, src_unit) {
            self.flush();
            (self.out_unit, self.src_unit) = (out_unit, src_unit);
        }
        self.units += units;
    }

    fn flush(&mut self) {
        let units = std::mem::take(&mut self.units);
        if self.is_exact {
            self.map.units(units, self.out_unit, self.src_unit);
            return;
        }
        for _ in 0..units {
            self.map.replace(self.out_unit, self.src_unit);
        }
    }
}
