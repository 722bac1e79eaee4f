//! Whether JSON ends before its last bracket: brackets are counted outside of strings and comments. Also reads what
//! programs accept beyond the standard: comments, strings in single quotes, several values in a file.

use memchr::memchr2;

/// How many values a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonLayout {
    /// Values on as many lines as they like.
    Free,
    /// Each line is a value of its own.
    Lines,
}

/// Follows the brackets of JSON that arrives in parts.
#[derive(Debug)]
pub(super) struct JsonEnd {
    layout: JsonLayout,
    place: JsonPlace,
    /// Open braces and open square brackets.
    open: [i64; 2],
    has_begun: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonPlace {
    Outside,
    String(u8),
    /// After a backslash in a string.
    Escape(u8),
    /// After a slash outside of strings.
    Slash,
    LineComment,
    BlockComment,
    /// After a star in a comment.
    Star,
    /// After something that no JSON has.
    NoJson,
}

impl JsonEnd {
    pub(super) fn new(layout: JsonLayout) -> JsonEnd {
        JsonEnd { layout, place: JsonPlace::Outside, open: [0; 2], has_begun: false }
    }

    /// True if the text so far ends inside of a value.
    pub(super) fn is_open(&self) -> bool {
        self.place != JsonPlace::NoJson && self.has_begun && self.open.iter().any(|open| *open > 0)
    }

    pub(super) fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if let JsonPlace::String(quote) = self.place {
                at += memchr2(quote, b'\\', &bytes[at..]).unwrap_or(bytes.len() - at);
            } else if self.place == JsonPlace::NoJson && self.layout == JsonLayout::Free {
                return;
            }
            if let Some(&byte) = bytes.get(at) {
                self.step(byte);
            }
            at += 1;
        }
    }

    fn step(&mut self, byte: u8) {
        if byte == b'\n' && self.layout == JsonLayout::Lines {
            *self = JsonEnd::new(self.layout);
            return;
        }
        self.place = match (self.place, byte) {
            (JsonPlace::String(quote), _) if byte == quote => JsonPlace::Outside,
            (JsonPlace::String(quote), b'\\') => JsonPlace::Escape(quote),
            (JsonPlace::Escape(quote), _) => JsonPlace::String(quote),
            (JsonPlace::Slash, b'/') => JsonPlace::LineComment,
            (JsonPlace::Slash, b'*') => JsonPlace::BlockComment,
            (JsonPlace::LineComment, b'\n') => JsonPlace::Outside,
            (JsonPlace::BlockComment | JsonPlace::Star, b'*') => JsonPlace::Star,
            (JsonPlace::Star, b'/') => JsonPlace::Outside,
            (JsonPlace::Star, _) => JsonPlace::BlockComment,
            // A regular expression of a script.
            (JsonPlace::Slash, _) => JsonPlace::NoJson,
            (JsonPlace::Outside, _) => self.outside(byte),
            (place, _) => place,
        };
    }

    fn outside(&mut self, byte: u8) -> JsonPlace {
        let change = match byte {
            b'{' | b'[' => 1,
            b'}' | b']' => -1,
            b'/' => return JsonPlace::Slash,
            b' ' | b'\t' | b'\r' | b'\n' => 0,
            _ if !self.has_begun => return JsonPlace::NoJson,
            b'"' | b'\'' => return JsonPlace::String(byte),
            _ => 0,
        };
        let open = &mut self.open[usize::from(matches!(byte, b'[' | b']'))];
        *open += change;
        self.has_begun |= change != 0;
        if *open < 0 { JsonPlace::NoJson } else { JsonPlace::Outside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_as(layout: JsonLayout, text: &str, expected: bool) {
        for size in [1, 3, text.len().max(1)] {
            let mut end = JsonEnd::new(layout);
            text.as_bytes().chunks(size).for_each(|part| end.push(std::str::from_utf8(part).unwrap()));
            assert_eq!(end.is_open(), expected, "{text:?} in parts of {size}");
        }
    }

    fn check(text: &str, expected: bool) {
        check_as(JsonLayout::Free, text, expected);
    }

    #[test]
    fn a_value_whose_brackets_are_open_is_cut() {
        check(r#"{"a": [1, "two"]}"#, false);
        check(r#"{"a": [1, "tw"#, true);
        check(r#"{"a": [1, "two"]"#, true);
        check(r#" ["\"]", "]"#, true);
        check(r#"["}{", '"[']"#, false);
        check("{\"a\": 1 /* { */ // don't [\n}", false);
        check("{\"a\": 1 /* { **/, \"b\": [", true);
        check("{} {} [", true);
    }

    #[test]
    fn what_is_no_json_has_no_end() {
        check("", false);
        check("words {", false);
        check(")]}'\n{\"a\": [", false);
        check("\"a string", false);
        check("{% if x %} [}", false);
        check("{a: /[{]/", false);
    }

    #[test]
    fn of_lines_only_the_last_counts() {
        check_as(JsonLayout::Lines, "{\"a\": 1}\n{\"b\": \n{\"c\": 3}\n", false);
        check_as(JsonLayout::Lines, "{\"a\": 1}\n{\"b\": \"wo", true);
        check_as(JsonLayout::Lines, "words\n{\"b\": \"wo", true);
    }
}
