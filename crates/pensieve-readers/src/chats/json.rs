//! JSON with the places of its values. Text that ends early is what is there of it; commas and colons are not checked.

use pensieve_text::model::Span;

/// Deeper data is no chat.
const MAX_DEPTH: usize = 64;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsonValue {
    /// A string: its place between the quotes.
    Text(Span),
    /// A number, `true`, `false` or `null`.
    Word(Span),
    List(Vec<JsonValue>),
    Map(Vec<(Span, JsonValue)>),
}

/// A list or an object that is open, with the key of its next value.
enum OpenValue {
    List(Vec<JsonValue>),
    Map(Vec<(Span, JsonValue)>, Option<Span>),
}

/// Reads a value, and whether the text ends before it does. `None` if there is none, or a deeper one than any chat has.
pub(super) fn parse(source: &str) -> Option<(JsonValue, bool)> {
    let bytes = source.as_bytes();
    let mut open: Vec<OpenValue> = Vec::new();
    let mut at = 0;
    let is_between = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
    loop {
        while bytes.get(at).is_some_and(|&byte| is_between(byte)) {
            at += 1;
        }
        let value = match bytes.get(at) {
            Some(b'{') => {
                open.push(OpenValue::Map(Vec::new(), None));
                None
            }
            Some(b'[') => {
                open.push(OpenValue::List(Vec::new()));
                None
            }
            Some(b'}' | b']') => Some(closed(open.pop()?)),
            Some(b'"') => {
                let start = at + 1;
                at = end_of_text(bytes, start);
                let span = Span::new(start, at);
                match open.last_mut() {
                    Some(OpenValue::Map(_, key @ None)) => {
                        *key = Some(span);
                        None
                    }
                    _ => Some(JsonValue::Text(span)),
                }
            }
            Some(_) => {
                let start = at;
                while bytes.get(at + 1).is_some_and(|&byte| {
                    !is_between(byte) && !matches!(byte, b'"' | b'{' | b'[' | b'}' | b']')
                }) {
                    at += 1;
                }
                Some(JsonValue::Word(Span::new(start, at + 1)))
            }
            None => break,
        };
        at += 1;
        if open.len() > MAX_DEPTH {
            return None;
        }
        if let Some(value) = value {
            match add(&mut open, value) {
                None => {}
                Some(value) => return Some((value, false)),
            }
        }
    }
    // What is open ends with the text.
    while let Some(last) = open.pop() {
        if let Some(value) = add(&mut open, closed(last)) {
            return Some((value, true));
        }
    }
    None
}

/// Adds a value to what is open; returns it if nothing is.
fn add(open: &mut [OpenValue], value: JsonValue) -> Option<JsonValue> {
    match open.last_mut() {
        Some(OpenValue::List(values)) => values.push(value),
        Some(OpenValue::Map(fields, key)) => {
            if let Some(key) = key.take() {
                fields.push((key, value));
            }
        }
        None => return Some(value),
    }
    None
}

fn closed(open: OpenValue) -> JsonValue {
    match open {
        OpenValue::List(values) => JsonValue::List(values),
        OpenValue::Map(fields, _) => JsonValue::Map(fields),
    }
}

/// Where the quote is that ends a string.
fn end_of_text(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

impl JsonValue {
    /// The value of a key of an object.
    pub fn get(&self, source: &str, key: &str) -> Option<&JsonValue> {
        match self {
            JsonValue::Map(fields) => {
                fields.iter().find(|(known, _)| &source[known.range()] == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The value at a path of keys: `author/role`; an empty path is the value itself.
    pub fn at(&self, source: &str, path: &str) -> Option<&JsonValue> {
        path.split('/').filter(|key| !key.is_empty()).try_fold(self, |value, key| value.get(source, key))
    }

    /// The elements of a list, or the values of an object.
    pub fn elements(&self) -> Vec<&JsonValue> {
        match self {
            JsonValue::List(values) => values.iter().collect(),
            JsonValue::Map(fields) => fields.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        }
    }

    /// A string or a word as it is written; nothing for `null`.
    pub fn written<'s>(&self, source: &'s str) -> Option<&'s str> {
        match self {
            JsonValue::Text(span) | JsonValue::Word(span) => {
                Some(&source[span.range()]).filter(|word| *word != "null")
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        let source = r#" {"a": [1, "b\"]", null], "c": {"d": true}} "#;
        let (value, is_cut) = parse(source).unwrap();
        assert!(!is_cut);
        let at = |path: &str| value.at(source, path).and_then(|value| value.written(source));
        assert_eq!((at("c/d"), at("c/e"), at("a")), (Some("true"), None, None));
        let elements = value.at(source, "a").map(JsonValue::elements).unwrap_or_default();
        let words: Vec<_> = elements.iter().map(|value| value.written(source)).collect();
        assert_eq!(words, [Some("1"), Some("b\\\"]"), None]);
    }

    #[test]
    fn a_text_that_ends_early_is_what_is_there() {
        for (source, expected) in [
            ("", None),
            ("}", None),
            ("[1", Some(true)),
            ("{\"a\": \"b", Some(true)),
            ("{\"a", Some(true)),
            ("\"a\\", Some(false)),
            ("[]]", Some(false)),
        ] {
            assert_eq!(parse(source).map(|(_, is_cut)| is_cut), expected, "of {source}");
        }
        assert_eq!(parse(&"[".repeat(MAX_DEPTH + 1)), None);
        assert!(parse(&"[".repeat(MAX_DEPTH)).is_some());
    }
}
