//! Identifiers by which mails name each other. Format: RFC 5322 section 3.6.4; the form is that of RFC 8621 section
//! 4.1.2.5: without brackets, comments and white space. An identifier without brackets counts where it can be nothing else.

use crate::limits::mail::{MAX_ID_BYTES, MAX_REFERENCES};

pub(super) fn own_id(text: &str) -> Option<String> {
    let bracketed = in_brackets(text).next();
    bracketed.or_else(|| lone(text)).filter(|id| is_usable(id))
}

/// The mail that another one answers. Programs write addresses and other words beside or instead of its identifier:
/// only the first identifier counts, and not even that if it is one of the mail's `addresses`.
pub(super) fn answered_id(text: &str, addresses: &[String]) -> Option<String> {
    let is_address = |id: &String| {
        let id = id.to_lowercase();
        addresses.iter().any(|address| address.to_lowercase().contains(&id))
    };
    let bracketed = in_brackets(text).next();
    let found = bracketed.or_else(|| lone(text).filter(|id| id.contains('@')))?;
    Some(found).filter(|id| is_usable(id) && !is_address(id))
}

/// The identifiers in `References`, each once.
pub(super) fn references(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let mut add = |id: String| {
        if is_usable(&id) && !ids.contains(&id) {
            ids.push(id);
        }
    };
    match text.contains('<') {
        true => in_brackets(text).take(4 * MAX_REFERENCES).for_each(&mut add),
        false => {
            let words = text.split([' ', ',', ';']).filter(|word| word.contains('@'));
            words.take(4 * MAX_REFERENCES).for_each(|word| add(word.to_owned()));
        }
    }
    if ids.len() > MAX_REFERENCES {
        ids.drain(1..ids.len() - (MAX_REFERENCES - 1));
    }
    ids
}

/// The texts between angle brackets, outside of comments. A bracket that is not closed ends with the text or the next one.
fn in_brackets(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = outside_comments(rest)?;
        let inside = &rest[start + 1..];
        let end = inside.find(['>', '<']).unwrap_or(inside.len());
        rest = inside[end..].strip_prefix('>').unwrap_or(&inside[end..]);
        Some(inside[..end].chars().filter(|c| !c.is_whitespace()).collect())
    })
}

/// Where the next opening bracket is that is in no comment.
fn outside_comments(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'<' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    // A comment that is never closed does not count as one.
    text.find('<').filter(|_| depth > 0)
}

/// A text of one word.
fn lone(text: &str) -> Option<String> {
    let word = text.trim();
    (!word.is_empty() && !word.contains(char::is_whitespace)).then(|| word.to_owned())
}

fn is_usable(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_lose_brackets_blanks_and_comments() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(own_id(text).as_deref(), expected, "{text}");
        check("<a@b>", Some("a@b"));
        check("(of x <no@no>) < a. b@c >", Some("a.b@c"));
        check("a@b", Some("a@b"));
        check("<A@b", Some("A@b"));
        check("<>", None);
        check("", None);
        check("two words", None);
    }

    #[test]
    fn references_are_kept_once_the_first_and_the_last() {
        let check = |text: &str, expected: &[&str]| assert_eq!(references(text), expected, "{text}");
        check("<a@b> <c@d>\t<a@b>", &["a@b", "c@d"]);
        check("<a@b><c@d>, (e) <f", &["a@b", "c@d", "f"]);
        check("a@b c@d words", &["a@b", "c@d"]);
        let many: String = (0..1000).map(|n| format!("<{n}@x>")).collect();
        let kept = references(&many);
        assert_eq!((kept.len(), &*kept[0], &*kept[1]), (MAX_REFERENCES, "0@x", "601@x"));
    }

    #[test]
    fn what_is_answered_is_no_address_and_no_remark() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(answered_id(text, &["Ann <ann@x.org>".to_owned()]).as_deref(), expected, "{text}");
        };
        check("<a@b>", Some("a@b"));
        check("Your message of Monday <a@b> from <c@d>", Some("a@b"));
        check("Message from <Ann@x.org>", None);
        check("your mail of Monday", None);
        check("a@b", Some("a@b"));
    }
}
