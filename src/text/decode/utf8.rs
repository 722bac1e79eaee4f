//! How much of some bytes is UTF-8.

/// What a look at bytes as UTF-8 shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Utf8Look {
    /// Bytes above 0x7F.
    pub high: usize,
    /// Whole sequences of two bytes and more.
    pub good: usize,
    /// Places that are no UTF-8.
    pub bad: usize,
    /// There are zero bytes.
    pub has_nul: bool,
}

/// How many broken places are counted: more change nothing.
const ENOUGH: usize = 1000;

impl Utf8Look {
    /// True when no byte is above 0x7F.
    pub fn is_ascii(&self) -> bool {
        self.high == 0
    }

    /// True when the bytes are UTF-8, or were before some were damaged.
    pub fn is_likely(&self) -> bool {
        self.bad == 0 || self.good >= self.bad * 4
    }

    /// True when the bytes are UTF-8 and could hardly be by chance.
    pub fn is_certain(&self) -> bool {
        self.bad == 0 && self.good > 0
    }
}

/// Looks at `head`; where it is not `whole`, it may end inside a character.
pub(super) fn look(head: &[u8], whole: bool) -> Utf8Look {
    let mut found = Utf8Look { has_nul: memchr::memchr(0, head).is_some(), ..Utf8Look::default() };
    let mut rest = head;
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(text) => {
                found.count(text.as_bytes());
                return found;
            }
            Err(error) => error,
        };
        found.count(&rest[..error.valid_up_to()]);
        rest = &rest[error.valid_up_to()..];
        let len = error.error_len().unwrap_or(rest.len());
        found.high += rest[..len].iter().filter(|byte| !byte.is_ascii()).count();
        if error.error_len().is_some() || whole {
            found.bad += 1;
        }
        rest = &rest[len..];
        if found.bad > ENOUGH && found.good == 0 {
            found.high += rest.iter().filter(|byte| !byte.is_ascii()).count();
            return found;
        }
    }
}

impl Utf8Look {
    fn count(&mut self, valid: &[u8]) {
        if valid.is_ascii() {
            return;
        }
        self.high += valid.iter().filter(|byte| !byte.is_ascii()).count();
        self.good += valid.iter().filter(|byte| **byte >= 0xc0).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_utf8_stays_it_and_what_never_was_does_not() {
        let check = |bytes: &[u8], whole, expected: bool| {
            assert_eq!(look(bytes, whole).is_likely(), expected, "{bytes:?}");
        };
        check(b"", true, true);
        check(b"plain", true, true);
        check("äöüßé".as_bytes(), true, true);
        check(b"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f and \xe4", true, true);
        check(b"caf\xe9", true, false);
        check(b"caf\xc3", false, true);
        check(b"\xe4\xf6\xfc \xc3\xa4", true, false);
    }
}
