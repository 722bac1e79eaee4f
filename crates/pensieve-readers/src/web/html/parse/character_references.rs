//! Character references: `&amp;`, `&#233;`, `&#xE9;`, and those without their semicolon.
//!
//! The names are from html5ever's table; the rules for numbers are those of the standard (C1 controls are
//! windows-1252, invalid numbers are U+FFFD).

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// No name is longer, semicolon included.
const MAX_NAME_BYTES: usize = 33;

/// Decodes the `&` at the start of `text`: the length in bytes, and the value if it begins a reference.
pub(crate) fn decode(text: &str) -> (usize, Option<Box<str>>) {
    let found = if text.as_bytes().get(1) == Some(&b'#') { number(text) } else { name(text) };
    found.map_or((1, None), |(len, decoded)| (len, Some(decoded)))
}

/// A text with all its references decoded by the rules for attribute values.
pub(crate) fn decode_all(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let (len, character) = match decode(rest) {
            // `?a=1&copy=2` is an address, not a sign.
            (len, _) if len < rest.len() && bare_name_goes_on(rest, len) => (len, None),
            found => found,
        };
        decoded.push_str(character.as_deref().unwrap_or(&rest[..len]));
        rest = &rest[len..];
    }
    decoded.push_str(rest);
    decoded
}

fn bare_name_goes_on(rest: &str, len: usize) -> bool {
    let next = rest.as_bytes()[len];
    rest.as_bytes()[1] != b'#'
        && rest.as_bytes()[len - 1] != b';'
        // The rule of the standard for attributes, for the sake of old addresses.
        && (next == b'=' || next.is_ascii_alphanumeric())
}

fn number(text: &str) -> Option<(usize, Box<str>)> {
    let bytes = text.as_bytes();
    let is_hex = bytes.get(2).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'x'));
    let (start, radix) = if is_hex { (3, 16) } else { (2, 10) };
    let digits = bytes[start..].iter().take_while(|&&byte| (byte as char).is_digit(radix)).count();
    if digits == 0 {
        return None;
    }
    let end = start + digits;
    // More digits than a number holds are no character either.
    let value = u32::from_str_radix(&text[start..end], radix).unwrap_or(u32::MAX);
    let len = end + usize::from(bytes.get(end) == Some(&b';'));
    Some((len, character(value).to_string().into()))
}

fn character(value: u32) -> char {
    let replaced = match value {
        0 => None,
        0x80..=0x9f => C1_REPLACEMENTS[(value - 0x80) as usize].or(char::from_u32(value)),
        _ => char::from_u32(value),
    };
    replaced.unwrap_or('\u{fffd}')
}

/// The longest name at the start; only old names may lack the semicolon, and the table has them both ways.
fn name(text: &str) -> Option<(usize, Box<str>)> {
    let letters =
        text.as_bytes()[1..].iter().take(MAX_NAME_BYTES).take_while(|byte| byte.is_ascii_alphanumeric());
    let mut end = 1 + letters.count();
    end += usize::from(text.as_bytes().get(end) == Some(&b';'));
    while end > 1 {
        // The table also has the beginnings of names, without a character.
        if let Some(&(first, second)) = NAMED_ENTITIES.get(&text[1..end]).filter(|found| found.0 != 0) {
            let decoded: String =
                [first, second].into_iter().filter(|&c| c != 0).filter_map(char::from_u32).collect();
            return Some((end, decoded.into()));
        }
        // `&notit;` is `¬it;` by the standard.
        end -= 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(decode_all(text), expected, "of {text}");
    }

    #[test]
    fn references_stand_for_characters() {
        check("&amp;&lt;&eacute;&notin;&not", "&<é∉¬");
        check("&#65;&#x42;&#x1F600;&#150;", "AB😀–");
        check("&#0;&#xD800;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}");
        check("&NotEqualTilde;", "≂̸");
    }

    #[test]
    fn what_is_no_reference_stays() {
        check("a & b &; &# &#x; &nosuch;", "a & b &; &# &#x; &nosuch;");
        check("?a=1&copy=2&lt=3", "?a=1&copy=2&lt=3");
    }

    #[test]
    fn a_reference_is_read_to_its_end() {
        for (text, expected) in [
            ("&amp;x", (5, Some("&"))),
            ("&ampx", (4, Some("&"))),
            ("&notit;", (4, Some("¬"))),
            ("&notin;x", (7, Some("∉"))),
            ("&#65;x", (5, Some("A"))),
            ("&#65x", (4, Some("A"))),
            ("&#x41;", (6, Some("A"))),
            ("&#X41g", (5, Some("A"))),
            ("&#;", (1, None)),
            ("&#x;", (1, None)),
            ("&#xg", (1, None)),
            ("&#a", (1, None)),
            ("&", (1, None)),
            ("& x", (1, None)),
            ("&;", (1, None)),
            ("&x;", (1, None)),
            ("&#127;", (6, Some("\u{7f}"))),
            ("&#128;", (6, Some("€"))),
            ("&#129;", (6, Some("\u{81}"))),
            ("&#159;", (6, Some("Ÿ"))),
            ("&#160;", (6, Some("\u{a0}"))),
            ("&#0;", (4, Some("\u{fffd}"))),
            ("&#x110000;", (10, Some("\u{fffd}"))),
            ("&CounterClockwiseContourIntegral;", (33, Some("∳"))),
        ] {
            let (len, decoded) = decode(text);
            assert_eq!((len, decoded.as_deref()), expected, "of {text}");
        }
    }

    #[test]
    fn in_attributes_a_bare_name_ends_before_other_signs() {
        check("&copy", "©");
        check("&copy;=", "©=");
        check("&copy;a", "©a");
        check("&copy-a&copy&copy;", "©-a©©");
        check("?copy=1&copy=2", "?copy=1&copy=2");
        check("&copy2", "&copy2");
        check("&#65=&#65a", "A=Aa");
        check("a&", "a&");
    }
}
