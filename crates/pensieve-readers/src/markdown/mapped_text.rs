//! Text that is being written, with the map of its bytes to those of its source.

use super::escape::{EscapedPart, write_escaped};
use pensieve_text::model::{MapBuilder, SpanMap};
use std::ops::Range;

/// Text that is being written.
#[derive(Debug)]
pub(super) struct MappedText {
    text: String,
    /// `None` if no byte has a source: an unused map would take more memory than the text.
    map: Option<MapBuilder>,
}

impl MappedText {
    pub fn new(is_mapped: bool) -> MappedText {
        MappedText { text: String::new(), map: is_mapped.then(|| MapBuilder::new(0)) }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub fn is_mapped(&self) -> bool {
        self.map.is_some()
    }

    /// The place in the source of the next byte that is copied.
    pub fn source_place(&self) -> usize {
        self.map.as_ref().map_or(0, MapBuilder::src)
    }

    /// Goes to a place of the source; what is in between counts as blank.
    pub fn seek(&mut self, place: usize) {
        if let Some(map) = &mut self.map {
            map.seek(place);
        }
    }

    /// Goes to a later place of the source, whose words between are left out.
    pub fn skip_to(&mut self, place: usize, source: &str) {
        let Some(map) = &mut self.map else { return };
        let at = map.src();
        if self.text.is_empty() || place < at {
            map.seek(place);
        } else if place > at {
            match source[at..place].trim_start().is_empty() {
                true => map.skip_blank(place - at),
                false => map.skip(place - at),
            }
        }
    }

    /// Adds text that the source does not have.
    pub fn put(&mut self, text: &str) {
        match &mut self.map {
            Some(map) if text.trim_start().is_empty() => map.insert_blank(text.len()),
            Some(map) => map.insert(text.len()),
            None => {}
        }
        self.text.push_str(text);
    }

    /// Adds text as it is in the source at the current place.
    pub fn copy(&mut self, text: &str) {
        if let Some(map) = &mut self.map {
            map.copy(text.len());
        }
        self.text.push_str(text);
    }

    /// Adds text that replaces `source_bytes` bytes of the source.
    pub fn replace(&mut self, text: &str, source_bytes: usize) {
        if let Some(map) = &mut self.map {
            map.replace(text.len(), source_bytes);
        }
        self.text.push_str(text);
    }

    /// Adds a word of `text` with its escapes; `has_source` if the source has it at the current place.
    pub fn put_escaped(&mut self, text: &str, word: Range<usize>, escapes: &[usize], has_source: bool) {
        write_escaped(text, word, escapes, |part| match part {
            EscapedPart::Text(text) if has_source => self.copy(text),
            EscapedPart::Reference(reference) if has_source => self.replace(reference, 1),
            part => self.put(part.as_str()),
        });
    }

    /// Shortens a text without a map; a text with a map stays as it is.
    pub fn truncate(&mut self, len: usize) {
        if self.map.is_none() {
            self.text.truncate(len);
        }
    }

    pub fn finish(self) -> (String, SpanMap) {
        (self.text, self.map.unwrap_or_default().finish())
    }
}
