//! Names of a program's parts in a question: `HeaderMap::insert`, `Session.send`, `spawn_blocking`, `class Retry`.
//!
//! Whoever asks for a name wants to see where it is defined before where it is used.

use crate::store::query::QueryTerm;

/// Words before a name that say it is defined.
const KEYWORDS: &[&str] = &[
    "class",
    "const",
    "def",
    "enum",
    "fn",
    "func",
    "function",
    "impl",
    "interface",
    "macro",
    "method",
    "module",
    "namespace",
    "package",
    "record",
    "static",
    "struct",
    "trait",
    "type",
    "typedef",
    "union",
];

/// A name that a question asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CodeName {
    /// What is defined.
    pub name: String,
    /// What it is a part of.
    pub container: Option<String>,
    /// False for the only word of a question, which may as well be a word of prose.
    pub is_certain: bool,
}

/// The names among the terms of a question. A question of one word may always be one.
pub(crate) fn names(terms: &[&QueryTerm]) -> Vec<CodeName> {
    let mut found = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        let is_announced = at > 0 && KEYWORDS.contains(&terms[at - 1].text.as_str());
        let name = name_in(&term.text, is_announced);
        // Alone, any word may be a name; in a sentence it hardly is.
        found.extend(name.filter(|name| name.is_certain || terms.len() == 1));
    }
    found
}

fn name_in(text: &str, is_announced: bool) -> Option<CodeName> {
    // Quotes, backticks and points of the sentence.
    let text = text.trim_matches(|c: char| !is_identifier(c) && !"()".contains(c));
    let (text, is_call) = match text.find('(') {
        // `send(data)` asks for `send`.
        Some(at) if at > 0 => (&text[..at], true),
        _ => (text.trim_matches(['(', ')']), false),
    };
    let mut parts: Vec<&str> =
        text.split(|c: char| !is_identifier(c)).filter(|part| !part.is_empty()).collect();
    // Rust and C++, most others, C and PHP, Ruby and the documentation of Java.
    let joins = ["::", ".", "->", "#"];
    let is_path = parts.len() > 1 && joins.iter().any(|join| text == parts.join(join));
    let name = parts.pop()?;
    let is_alone = parts.is_empty();
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_certain = is_path || is_announced || is_call || has_inner_sign(name);
    ((is_path || is_alone) && begins).then(|| CodeName {
        name: name.to_owned(),
        container: parts.pop().map(str::to_owned),
        is_certain,
    })
}

fn is_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True for `spawn_blocking` and `HeaderMap`, which no prose has.
fn has_inner_sign(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let mut letters = inner.chars();
    let first = letters.next();
    inner.contains('_')
        || (first.is_some_and(char::is_alphabetic)
            // A capital after the first letter, and small ones: `NASA` is no name of code.
            && letters.clone().any(char::is_uppercase)
            && inner.chars().any(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_by_their_signs() {
        let check = |text: &str, expected: &[(&str, Option<&str>)]| {
            let terms: Vec<QueryTerm> = text
                .split(' ')
                .map(|word| QueryTerm { text: word.to_owned(), ..QueryTerm::default() })
                .collect();
            let found = names(&terms.iter().collect::<Vec<_>>());
            let found: Vec<_> =
                found.iter().map(|name| (name.name.as_str(), name.container.as_deref())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("HeaderMap::insert", &[("insert", Some("HeaderMap"))]);
        check("Session.send", &[("send", Some("Session"))]);
        check("a::b::c()", &[("c", Some("b"))]);
        check("where is spawn_blocking defined?", &[("spawn_blocking", None)]);
        check("how does getShippingMethodId work", &[("getShippingMethodId", None)]);
        check("class Retry", &[("Retry", None)]);
        check("Retry", &[("Retry", None)]);
        check("what does main() do", &[("main", None)]);
        check("is the lamp on?", &[]);
        check("FY2019 revenue / (average PP&E)", &[]);
        check("on 2026-03-31 at 10:30", &[]);
    }
}
