//! Measures how much of some bytes is UTF-8.

/// The properties of bytes that are read as UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Utf8Evidence {
    /// True if there are bytes above 0x7F.
    has_high: bool,
    /// Complete sequences of two or more bytes; at most one is counted if nothing is broken.
    pub good: usize,
    /// Places that are not UTF-8.
    pub bad: usize,
    /// True if there are zero bytes.
    pub has_nul: bool,
}

/// After this many broken places without a valid sequence, the rest is not examined: the result is certain.
const MAX_BROKEN_PLACES: usize = 1000;

impl Utf8Evidence {
    /// True when no byte is above 0x7F.
    pub fn is_ascii(&self) -> bool {
        !self.has_high
    }

    /// True if the bytes are UTF-8, perhaps with some damage.
    pub fn is_likely(&self) -> bool {
        self.bad == 0 || self.good >= self.bad * 4
    }

    /// True if the bytes are UTF-8, and hardly by chance.
    pub fn is_certain(&self) -> bool {
        self.bad == 0 && self.good > 0
    }
}

/// The length without an incomplete sequence at the end.
pub(super) fn without_cut_sequence(bytes: &[u8]) -> usize {
    // A sequence has at most four bytes, so one that is cut begins among the last three.
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let Some(at) = tail.iter().rposition(|byte| *byte >= 0xc0) else { return bytes.len() };
    let is_cut = std::str::from_utf8(&tail[at..]).is_err_and(|error| error.error_len().is_none());
    if is_cut { bytes.len() - (tail.len() - at) } else { bytes.len() }
}

/// Examines `head`; if it is not `whole`, it may end inside a character.
pub(super) fn examine_utf8(head: &[u8], whole: bool) -> Utf8Evidence {
    let has_nul = memchr::memchr(0, head).is_some();
    let head = if whole { head } else { &head[..without_cut_sequence(head)] };
    if simdutf8::basic::from_utf8(head).is_ok() {
        let has_high = !head.is_ascii();
        return Utf8Evidence { has_high, good: usize::from(has_high), bad: 0, has_nul };
    }
    let mut found = Utf8Evidence { has_high: true, has_nul, ..Utf8Evidence::default() };
    let mut rest = head;
    while let Err(error) = std::str::from_utf8(rest) {
        let (valid, broken) = rest.split_at(error.valid_up_to());
        found.good += sequences(valid);
        found.bad += 1;
        // A sequence that the end of the head cuts is no broken place.
        let Some(len) = error.error_len() else { return found };
        rest = &broken[len..];
        if found.bad > MAX_BROKEN_PLACES && found.good == 0 {
            return found;
        }
    }
    found.good += sequences(rest);
    found
}

/// Characters above ASCII in valid UTF-8.
fn sequences(valid: &[u8]) -> usize {
    valid.iter().filter(|byte| **byte >= 0xc0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_utf8_is_utf8_and_other_encodings_are_not() {
        let check = |bytes: &[u8], whole, expected: bool| {
            assert_eq!(examine_utf8(bytes, whole).is_likely(), expected, "{bytes:?}");
        };
        check(b"", true, true);
        check(b"plain", true, true);
        check("äöüßé".as_bytes(), true, true);
        check(b"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f and \xe4", true, true);
        check(b"caf\xe9", true, false);
        check(b"caf\xc3", false, true);
        check(b"caf\xe4\xb8", false, true);
        check(b"caf\xe4\xb8", true, false);
        check(b"caf\xf0\x9f\x98", false, true);
        check(b"\xe4\xf6\xfc \xc3\xa4", true, false);
    }
}
