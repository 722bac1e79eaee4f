//! Rows of dots that lead from the title of an entry of a table of contents to the number of its page.

/// Dots from which a row of them is a leader; an ellipsis has three, or four with a full stop.
const LEADER_DOTS: usize = 5;

fn is_dot(c: char) -> bool {
    matches!(c, '.' | '·' | '\u{2024}')
}

/// True for the entry of a table of contents.
pub(crate) fn has_leader(text: &str) -> bool {
    count(text) > 0
}

/// How many leaders a text has.
pub(crate) fn count(text: &str) -> usize {
    let mut dots = 0;
    let ends_leader = |c: &char| {
        dots = if is_dot(*c) { dots + 1 } else { 0 };
        dots == LEADER_DOTS
    };
    // Dots may have spaces between them.
    text.chars().filter(|c| !c.is_whitespace()).filter(ends_leader).count()
}

/// A text whose leaders are as short as an ellipsis.
pub(crate) fn shortened(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let row = rest.find(|c: char| !is_dot(c) && !c.is_whitespace()).unwrap_or(rest.len());
        let dots = rest[..row].chars().filter(|c| is_dot(*c)).count();
        let end = if dots >= LEADER_DOTS { row } else { c.len_utf8() };
        match dots >= LEADER_DOTS {
            true => {
                out.truncate(out.trim_end().len());
                out.push_str(if end == rest.len() { " ..." } else { " ... " });
            }
            false => out.push(c),
        }
        rest = &rest[end..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_are_rows_of_dots() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(has_leader(text), expected.is_some(), "{text}");
            assert_eq!(shortened(text), expected.unwrap_or(text));
        };
        assert_eq!(count("1 A ...... 7 2 B ....... 9"), 2);
        check("1 Introduction ............ 7", Some("1 Introduction ... 7"));
        check("Opening . . . . . . . xii", Some("Opening ... xii"));
        check("Dues.....", Some("Dues ..."));
        check("and so on....", None);
        check("v. 1.2.3", None);
        check("", None);
    }
}
