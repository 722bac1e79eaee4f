//! The beginnings of list items: bullets, dashes, numbers.

/// Digits of the number of an item; four are a year.
pub(crate) const MAX_NUMBER_DIGITS: usize = 3;

/// True for a line that begins with a bullet.
pub(crate) fn is_bullet(text: &str) -> bool {
    bullet_end(text).is_some()
}

/// The byte at which the words after a bullet begin.
pub(crate) fn bullet_end(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let first = chars.next().filter(|c| is_bullet_mark(*c))?;
    let rest = chars.as_str();
    let words = rest.trim_start();
    (rest.is_empty() || words.len() < rest.len()).then(|| first.len_utf8() + rest.len() - words.len())
}

/// Signs of bullets. Fonts of symbols put theirs into the private use area.
pub(super) fn is_bullet_mark(c: char) -> bool {
    matches!(
        c,
        '•' | '◦'
            | '▪'
            | '▫'
            | '‣'
            | '⁃'
            | '∙'
            | '⋅'
            | '●'
            | '○'
            | '◉'
            | '⚫'
            | '⬤'
            | '■'
            | '□'
            | '◼'
            | '◾'
            | '►'
            | '▶'
            | '▸'
            | '➢'
            | '➤'
            | '➔'
            | '✓'
            | '✔'
            | '❖'
            | '◆'
            | '◇'
            | '❑'
            | '❒'
            | '·'
            | '\u{e000}'..='\u{f8ff}'
    )
}

/// True for a line that starts like a list item.
pub(crate) fn starts_item(text: &str) -> bool {
    if is_bullet(text) || starts_with_dash(text) {
        return true;
    }
    let text = text.strip_prefix('(').unwrap_or(text);
    let head = match digits(text) {
        // `a)` and `B.`
        0 if text.starts_with(|c: char| c.is_ascii_alphabetic()) => 1,
        0 => return false,
        digits if digits <= MAX_NUMBER_DIGITS => digits,
        _ => return false,
    };
    text[head..].strip_prefix(['.', ')']).is_some_and(|rest| rest.starts_with(' '))
}

pub(crate) fn starts_with_dash(text: &str) -> bool {
    text.starts_with("– ") || text.starts_with("— ") || text.starts_with("- ")
}

pub(crate) fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_begin_with_a_bullet_a_dash_or_a_number() {
        for (text, expected) in [
            ("• a", true),
            ("•a", false),
            ("\u{f0d8} a", true),
            ("- a", true),
            ("-a", false),
            ("— a", true),
            ("1. a", true),
            ("123) a", true),
            ("1234. a", false),
            ("(a) b", true),
            ("ab. c", false),
            ("1.2 a", false),
            ("o a", false),
            ("", false),
        ] {
            assert_eq!(starts_item(text), expected, "{text}");
        }
    }
}
