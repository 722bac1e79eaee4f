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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_text_knows_where_its_bytes_came_from() {
        let source = "one, two <three";
        let mut text = MappedText::new(true);
        text.skip_to(0, source);
        text.copy("one");
        assert_eq!((text.is_mapped(), text.source_place()), (true, 3));
        text.put(" ");
        text.skip_to(5, source);
        text.put_escaped(source, 5..8, &[], true);
        text.put(" ");
        text.skip_to(9, source);
        text.put_escaped(source, 9..15, &[9], true);
        text.truncate(1);
        text.put_escaped("x<y", 0..3, &[1], false);
        let (written, map) = text.finish();
        assert_eq!(written, "one two &lt;threex&lt;y");
        let of = |from: usize, to: usize| {
            map.source(pensieve_text::model::Span::new(from, to)).map(|span| (span.start, span.end))
        };
        assert_eq!(
            [of(0, 3), of(4, 7), of(8, 12), of(12, 17)],
            [Some((0, 3)), Some((5, 8)), Some((9, 10)), Some((10, 15))]
        );
        assert_eq!(of(17, 23), None);
    }

    #[test]
    fn a_text_without_a_map_can_be_shortened() {
        let mut text = MappedText::new(false);
        text.put("one");
        text.skip_to(2, "abc");
        assert_eq!((text.is_mapped(), text.source_place()), (false, 0));
        text.truncate(1);
        assert_eq!((text.as_str(), text.len(), text.is_empty()), ("o", 1, false));
        assert!(text.finish().1.is_empty());
    }
}
