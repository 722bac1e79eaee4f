//! What an operator is to its neighbours. A small part of the operator dictionary: all that is not listed stands between two
//! operands.

use super::row::Kind;

/// The kind of an operator, by its sign and by the form that the document gives it.
pub(super) fn kind_of(text: &str, form: Option<&str>) -> Kind {
    let mut chars = text.chars();
    let (first, is_single) = match (chars.next(), chars.next()) {
        (None, _) => return Kind::Empty,
        (Some(first), second) => (first, second.is_none()),
    };
    if text.chars().all(char::is_alphabetic) {
        return if is_single { Kind::Letter } else { Kind::Word };
    }
    if text.chars().all(|c| matches!(c, '!' | '\'' | '′' | '″' | '‴' | '⁗' | '.' | '%' | '‰' | '°'))
    {
        return Kind::Postfix;
    }
    let kind = if is_single { single(first) } else { Kind::Infix };
    match (kind, form) {
        (Kind::Bar, Some("prefix")) => Kind::Open,
        (Kind::Bar, Some("postfix")) => Kind::Close,
        (Kind::Bar, Some("infix")) => Kind::Infix,
        (Kind::Infix, Some("prefix")) => Kind::Prefix,
        (Kind::Infix, Some("postfix")) => Kind::Postfix,
        (kind, _) => kind,
    }
}

fn single(sign: char) -> Kind {
    match sign {
        '(' | '[' | '{' | '⟨' | '\u{2329}' | '\u{3008}' | '⌊' | '⌈' | '⟦' | '⟪' | '⦃' => {
            Kind::Open
        }
        ')' | ']' | '}' | '⟩' | '\u{232a}' | '\u{3009}' | '⌋' | '⌉' | '⟧' | '⟫' | '⦄' => {
            Kind::Close
        }
        '|' | '‖' | '∣' | '∥' | '❘' => Kind::Bar,
        ',' | ';' => Kind::Comma,
        '/' | '∕' | '⁄' => Kind::Tight,
        '¬' | '∀' | '∃' | '∄' | '∂' | '∇' | '∆' | '√' | '∠' | '#' => Kind::Prefix,
        '∑' | '∏' | '∐' | '∫' | '∬' | '∭' | '∮' | '∯' | '∰' => Kind::Big,
        '⋀' | '⋁' | '⋂' | '⋃' | '⨀' | '⨁' | '⨂' | '⨄' | '⨅' | '⨆' => Kind::Big,
        '…' | '⋯' | '⋮' | '⋱' | '∞' | '∅' | '□' | '⊤' | '⊥' => Kind::Letter,
        '\u{2061}' => Kind::Apply,
        '\u{2062}' => Kind::Times,
        '\u{2063}' => Kind::Separator,
        '\u{2064}' | '\u{200b}' | '\u{2060}' => Kind::Plus,
        _ => Kind::Infix,
    }
}
