//! How an operator joins its neighbours. A small part of the operator dictionary: an operator that is not listed is
//! between two operands.

use super::row::FormulaPartKind;

/// The kind of an operator, by its sign and by the form that the document gives it.
pub(super) fn kind_of(text: &str, form: Option<&str>) -> FormulaPartKind {
    let mut chars = text.chars();
    let (first, is_single) = match (chars.next(), chars.next()) {
        (None, _) => return FormulaPartKind::Empty,
        (Some(first), second) => (first, second.is_none()),
    };
    if text.chars().all(char::is_alphabetic) {
        return if is_single { FormulaPartKind::Letter } else { FormulaPartKind::Word };
    }
    if text.chars().all(|c| matches!(c, '!' | '\'' | '′' | '″' | '‴' | '⁗' | '.' | '%' | '‰' | '°'))
    {
        return FormulaPartKind::Postfix;
    }
    let kind = if is_single { single(first) } else { FormulaPartKind::Infix };
    match (kind, form) {
        (FormulaPartKind::Bar, Some("prefix")) => FormulaPartKind::Open,
        (FormulaPartKind::Bar, Some("postfix")) => FormulaPartKind::Close,
        (FormulaPartKind::Bar, Some("infix")) => FormulaPartKind::Infix,
        (FormulaPartKind::Infix, Some("prefix")) => FormulaPartKind::Prefix,
        (FormulaPartKind::Infix, Some("postfix")) => FormulaPartKind::Postfix,
        (kind, _) => kind,
    }
}

fn single(sign: char) -> FormulaPartKind {
    match sign {
        '(' | '[' | '{' | '⟨' | '\u{2329}' | '\u{3008}' | '⌊' | '⌈' | '⟦' | '⟪' | '⦃' => {
            FormulaPartKind::Open
        }
        ')' | ']' | '}' | '⟩' | '\u{232a}' | '\u{3009}' | '⌋' | '⌉' | '⟧' | '⟫' | '⦄' => {
            FormulaPartKind::Close
        }
        '|' | '‖' | '∣' | '∥' | '❘' => FormulaPartKind::Bar,
        ',' | ';' => FormulaPartKind::Comma,
        '/' | '∕' | '⁄' => FormulaPartKind::Tight,
        '¬' | '∀' | '∃' | '∄' | '∂' | '∇' | '∆' | '√' | '∠' | '#' => FormulaPartKind::Prefix,
        '∑' | '∏' | '∐' | '∫' | '∬' | '∭' | '∮' | '∯' | '∰' => FormulaPartKind::Big,
        '⋀' | '⋁' | '⋂' | '⋃' | '⨀' | '⨁' | '⨂' | '⨄' | '⨅' | '⨆' => FormulaPartKind::Big,
        '…' | '⋯' | '⋮' | '⋱' | '∞' | '∅' | '□' | '⊤' | '⊥' => FormulaPartKind::Letter,
        '\u{2061}' => FormulaPartKind::Apply,
        '\u{2062}' => FormulaPartKind::Times,
        '\u{2063}' => FormulaPartKind::Separator,
        '\u{2064}' | '\u{200b}' | '\u{2060}' => FormulaPartKind::Plus,
        _ => FormulaPartKind::Infix,
    }
}
