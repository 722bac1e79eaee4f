//! Start tags of streamed XML: names, attributes, references.

use crate::shared::xml::unescape;
use memchr::memchr;
use std::borrow::Cow;

/// The beginning of an element.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct StreamTag<'b> {
    /// Its name without prefix.
    pub name: &'b [u8],
    /// How many elements are open, this one included.
    pub depth: usize,
    pub(super) attributes: &'b [u8],
}

impl<'b> StreamTag<'b> {
    /// Every attribute, its name with prefix, its value as written.
    pub fn attributes(&self) -> TagAttributes<'b> {
        TagAttributes { rest: self.attributes }
    }

    /// The value of the first attribute of this name, whatever its prefix, references resolved.
    pub fn get(&self, name: &str) -> Option<Cow<'b, str>> {
        let found = self.attributes().find(|(key, _)| local(key) == name.as_bytes());
        found.map(|(_, value)| resolve(value))
    }

    /// The value of an attribute by its name with prefix.
    pub fn exact(&self, name: &str) -> Option<Cow<'b, str>> {
        let found = self.attributes().find(|(key, _)| *key == name.as_bytes());
        found.map(|(_, value)| resolve(value))
    }

    /// The number in an attribute.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }

    /// True if the attribute is `1`, `true` or `on`.
    pub fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| matches!(&*value, "1" | "true" | "on"))
    }
}

/// The attributes of a tag.
pub(in super::super) struct TagAttributes<'b> {
    rest: &'b [u8],
}

impl<'b> Iterator for TagAttributes<'b> {
    type Item = (&'b [u8], &'b [u8]);

    fn next(&mut self) -> Option<(&'b [u8], &'b [u8])> {
        let rest = self.rest.trim_ascii_start();
        let equals = memchr(b'=', rest)?;
        let key = rest[..equals].trim_ascii();
        let after_equals = rest[equals + 1..].trim_ascii_start();
        let (&quote, value) = after_equals.split_first()?;
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let end = memchr(quote, value)?;
        self.rest = &value[end + 1..];
        Some((key, &value[..end]))
    }
}

/// Characters with their references resolved; bytes that are not UTF-8 become U+FFFD.
pub(in super::super) fn resolve(raw: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(raw) {
        Cow::Borrowed(text) => unescape(text),
        Cow::Owned(text) => Cow::Owned(unescape(&text).into_owned()),
    }
}

/// A name without its prefix.
pub(in super::super) fn local(name: &[u8]) -> &[u8] {
    memchr(b':', name).map_or(name, |colon| &name[colon + 1..])
}
