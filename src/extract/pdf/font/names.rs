//! Characters from the names of glyphs that no list knows: `g41`, `C0065`, `uni0041.alt`, as font editors and
//! converters number them. A number is taken for a character code only where it is one in ASCII or Latin-1 range;
//! everything else stays unknown. Source: the Adobe Glyph List specification, and what other readers do.

use skrifa::raw::ps::agl;

/// The characters that a glyph name stands for by the glyph list.
pub(super) fn listed(name: &str) -> Option<String> {
    let text: String = agl::name_to_chars(name).collect();
    (!text.is_empty()).then_some(text)
}

/// A character by a number in the name.
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

#[cfg(test)]
mod tests {
    use super::*;

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
