//! The linear form: fractions with a slash, scripts after `^` and `_`, parentheses only where they are needed.

/// Puts text in parentheses, unless it reads as one unit without them: a number, a name, text that is already in
/// parentheses.
pub(crate) fn grouped(text: &str) -> String {
    let text = text.trim();
    let is_number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_name = text.chars().all(|c| (c.is_alphanumeric() && !c.is_ascii_digit()) || c == '′');
    let is_sign = text.chars().count() == 1;
    if is_number || is_name || is_sign || is_enclosed(text) { text.to_owned() } else { enclosed(text) }
}

/// In parentheses.
pub(crate) fn enclosed(text: &str) -> String {
    format!("({text})")
}

/// The sign of a root of this degree.
pub(crate) fn root_sign(degree: &str) -> String {
    match degree.trim() {
        "" | "2" => "√".to_owned(),
        "3" => "∛".to_owned(),
        "4" => "∜".to_owned(),
        degree => raised(degree, grouped) + "√",
    }
}

/// True when the first parenthesis is closed by the last character.
pub(crate) fn is_enclosed(text: &str) -> bool {
    let mut depth = 0_i32;
    let count = text.chars().count();
    for (at, c) in text.chars().enumerate() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at > 0 && at + 1 == count;
        }
    }
    false
}

/// A superscript after `^`; `group` puts it into parentheses. Unicode's superscript digits are not used: they are
/// compatibility characters, and the normal form of clean text (NFKC) would turn `x²` into `x2`.
pub(crate) fn raised(text: &str, group: impl FnOnce(&str) -> String) -> String {
    match text.trim() {
        "" => String::new(),
        mark if mark.chars().all(|c| "′″‴*∗†°".contains(c)) => mark.to_owned(),
        text => format!("^{}", script(text, group)),
    }
}

/// A subscript after `_`, for the same reason.
pub(crate) fn lowered(text: &str, group: impl FnOnce(&str) -> String) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("_{}", script(text, group)),
    }
}

/// A number with its sign needs no parentheses: `10^-6`.
fn script(text: &str, group: impl FnOnce(&str) -> String) -> String {
    let digits = text.strip_prefix(['+', '-', '−']).unwrap_or(text);
    match !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) {
        true => text.to_owned(),
        false => group(text),
    }
}

/// A script without the spaces around its operators: `i=1`.
pub(crate) fn compact(text: &str) -> String {
    let is_tight = |c: char| !c.is_alphanumeric() && !"()[]{}|^_ \"".contains(c);
    let mut compact = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_between = |next: Option<&char>| {
            compact.ends_with(is_tight) || next.is_some_and(|&next| is_tight(next) && next != '√')
        };
        if c != ' ' || !is_between(chars.peek()) {
            compact.push(c);
        }
    }
    compact
}

/// An accent above: the sign that combines with the letter before it.
pub(crate) fn accent_above(sign: char) -> Option<char> {
    Some(match sign {
        '^' | 'ˆ' | '\u{302}' => '\u{302}',
        '~' | '˜' | '∼' | '\u{303}' => '\u{303}',
        '¯' | '‾' | '_' | '\u{304}' | '\u{305}' | '―' | '─' => '\u{304}',
        '˙' | '.' | '\u{307}' => '\u{307}',
        '¨' | '\u{308}' => '\u{308}',
        'ˇ' | '\u{30c}' => '\u{30c}',
        '˘' | '\u{306}' => '\u{306}',
        '´' | '\u{301}' => '\u{301}',
        '`' | '\u{300}' => '\u{300}',
        '˚' | '\u{30a}' => '\u{30a}',
        '→' | '⃗' => '\u{20d7}',
        '⇀' => '\u{20d1}',
        '←' => '\u{20d6}',
        '↔' => '\u{20e1}',
        '⃛' => '\u{20db}',
        _ => return None,
    })
}

/// A line below.
pub(crate) fn accent_below(sign: char) -> Option<char> {
    matches!(sign, '_' | '¯' | '‾' | '\u{332}' | '―' | '─').then_some('\u{332}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_several_is_grouped() {
        let check = |text: &str, expected: &str| assert_eq!(grouped(text), expected);
        check("3.14", "3.14");
        check("time", "time");
        check("x^2", "(x^2)");
        check("∞", "∞");
        check("2a", "(2a)");
        check("a + b", "(a + b)");
        check("(a)(b)", "((a)(b))");
        check("((a)(b))", "((a)(b))");
    }

    #[test]
    fn scripts_follow_their_marks() {
        let check = |text: &str, expected: [&str; 2]| {
            assert_eq!([raised(text, grouped), lowered(text, grouped)], expected);
        };
        check("2", ["^2", "_2"]);
        check("-12", ["^-12", "_-12"]);
        check("n+1", ["^(n+1)", "_(n+1)"]);
        check("′", ["′", "_′"]);
        check("max", ["^max", "_max"]);
        check("i=1", ["^(i=1)", "_(i=1)"]);
        assert_eq!(compact("n = 1, sin x → 0"), "n=1,sin x→0");
    }

    #[test]
    fn accents_combine_with_the_letter_before() {
        for (signs, accent) in [
            ("^ˆ\u{302}", '\u{302}'),
            ("~˜∼\u{303}", '\u{303}'),
            ("¯‾_\u{304}\u{305}―─", '\u{304}'),
            ("˙.\u{307}", '\u{307}'),
            ("¨\u{308}", '\u{308}'),
            ("ˇ\u{30c}", '\u{30c}'),
            ("˘\u{306}", '\u{306}'),
            ("´\u{301}", '\u{301}'),
            ("`\u{300}", '\u{300}'),
            ("˚\u{30a}", '\u{30a}'),
            ("→⃗", '\u{20d7}'),
            ("⇀", '\u{20d1}'),
            ("←", '\u{20d6}'),
            ("↔", '\u{20e1}'),
            ("⃛", '\u{20db}'),
        ] {
            assert!(signs.chars().all(|sign| accent_above(sign) == Some(accent)), "{signs}");
        }
        assert_eq!((accent_above('x'), accent_below('_'), accent_below('^')), (None, Some('\u{332}'), None));
    }

    #[test]
    fn roots_show_their_degree() {
        let roots = ["", "2", "3", " 4 ", "5", "n+1"].map(root_sign);
        assert_eq!(roots, ["√", "√", "∛", "∜", "^5√", "^(n+1)√"]);
        assert_eq!(
            [is_enclosed("(a)"), is_enclosed("(a)b"), is_enclosed("a"), is_enclosed("")],
            [true, false, false, false]
        );
        assert_eq!(compact("a + b (c) √2"), "a+b (c) √2");
    }
}
