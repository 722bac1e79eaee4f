//! Characters from the names of glyphs that no list knows: `g41`, `C0065`, `uni0041.alt`, as font editors and
//! converters number them. A number counts as a character code only if it is one in the ASCII or Latin-1 range;
//! everything else stays unknown. Source: the Adobe Glyph List specification, and what other readers do.

use pensieve_text::text::decode::{Encoding, decode_slice};
use rustc_hash::FxHashMap;
use skrifa::raw::ps::agl;

/// The characters of a glyph name in the glyph list.
pub(super) fn listed(name: &str) -> Option<String> {
    let text: String = agl::name_to_chars(name).collect();
    (!text.is_empty()).then_some(text)
}

/// The character whose number is in the name.
pub(super) fn numbered(name: &str) -> Option<char> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (prefix, decimal) = name.split_at(digits);
    let code = match prefix {
        // `G41` is hexadecimal in the fonts that have it.
        "G" | "g" if name.len() - prefix.len() == 2 => u32::from_str_radix(name.get(1..)?, 16).ok()?,
        "C" | "c" | "a" | "char" | "cid" | "glyph" | "chr" => decimal.parse().ok()?,
        _ => return None,
    };
    char::from_u32(code).filter(|c| matches!(c, '!'..='~' | '\u{a1}'..='\u{ff}'))
}

/// True if every glyph of a font is named by its own code, as some drivers name pictures of glyphs, and the codes are
/// those of a text: the space is among them, and of control characters only white space. Fonts that number their
/// glyphs from 0 or 1 do not count: their numbers mean nothing.
pub(super) fn are_codes(names: &FxHashMap<u8, String>) -> bool {
    let is_named = |(code, name): (&u8, &String)| name.parse() == Ok(*code) || name == ".notdef";
    let is_text =
        |(code, name): (&u8, &String)| *code >= b' ' || matches!(code, 9 | 10 | 13) || name == ".notdef";
    let has_space = names.get(&b' ').is_some_and(|name| name == "32");
    has_space && names.iter().all(is_named) && names.iter().all(is_text)
}

/// A character of the Western code page of Windows.
pub(super) fn western(code: u8) -> Option<char> {
    let encoding = Encoding::from_name("cp1252")?;
    decode_slice(encoding, &[code])?.chars().next().filter(|c| !c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_codes() {
        let check = |names: &[(u8, &str)], expected: bool| {
            let names = names.iter().map(|(code, name)| (*code, (*name).to_owned())).collect();
            assert_eq!(are_codes(&names), expected);
        };
        check(&[(9, "9"), (32, "32"), (65, "65"), (232, "232")], true);
        check(&[(0, "0"), (1, "1"), (32, "32"), (65, "65")], false);
        check(&[(32, "32"), (65, "66")], false);
        check(&[(65, "65"), (66, "66")], false);
        check(&[], false);
        assert_eq!([65, 232, 146, 10].map(western), [Some('A'), Some('è'), Some('’'), None]);
    }

    #[test]
    fn names_of_the_list_and_numbers() {
        assert_eq!(listed("f_f_i").as_deref(), Some("ffi"));
        assert_eq!(listed("uni20AC").as_deref(), Some("€"));
        assert_eq!(listed("g7"), None);
        assert_eq!(numbered("G41"), Some('A'));
        assert_eq!(numbered("C0065"), Some('A'));
        assert_eq!(numbered("c7"), None);
        assert_eq!(numbered("glyph999"), None);
        assert_eq!(numbered("nothing"), None);
    }
}
