//! Characters that XML cannot contain, as Excel writes them.

use std::borrow::Cow;

/// Resolves `_x000D_` and the like.
pub(super) fn unescape_characters(text: &str) -> Cow<'_, str> {
    if !text.contains("_x") {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let is_hex = |code: &&str| code.bytes().all(|byte| byte.is_ascii_hexdigit());
        match code.filter(is_hex).and_then(|code| u32::from_str_radix(code, 16).ok()) {
            Some(code) => {
                out.push_str(&rest[..at]);
                rest = &rest[at + 7..];
                match char::from_u32(code) {
                    // A carriage return alone ends a line too.
                    Some('\r') if !rest.is_empty() && !rest.starts_with('\n') => out.push('\n'),
                    sign => out.extend(sign.filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))),
                }
            }
            None => {
                out.push_str(&rest[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_control_characters_are_resolved() {
        assert_eq!(unescape_characters("a_x000D_b_x000D_"), "a\nb");
        assert_eq!(unescape_characters("a_x000D_\n_x005F_x0041__xyz_x00"), "a\n_x0041__xyz_x00");
    }
}
