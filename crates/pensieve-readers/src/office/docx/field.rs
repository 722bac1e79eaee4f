//! Fields: what their codes say about their results. Codes themselves are no text.
//!
//! Source: ECMA-376 part 1, section 17.16.

use super::properties::is_on;
use crate::shared::xml::{XmlEvent, XmlReader};
use std::sync::Arc;

/// Bytes that are kept of a code.
const LONGEST_CODE: usize = 16 << 10;

/// Paragraphs after which a field that never came to a result is taken for a broken one, whose text is text.
const MOST_PARAGRAPHS: u32 = 40;

/// A field that is open.
#[derive(Debug, Default)]
pub(super) struct OpenField {
    code: String,
    /// Its result has begun; a field without has none.
    pub in_result: bool,
    /// Where its result leads.
    pub link: Option<Arc<str>>,
    /// What it shows by itself: a box of a form.
    pub shown: Option<String>,
    paragraphs: u32,
}

impl OpenField {
    /// A field whose code stands in an attribute; its result comes at once.
    pub fn simple(code: &str) -> OpenField {
        let mut field = OpenField::default();
        field.add(code);
        field.separate();
        field
    }

    /// Adds to the code.
    pub fn add(&mut self, code: &str) {
        if self.code.len() + code.len() <= LONGEST_CODE {
            self.code.push_str(code);
        }
    }

    /// Here the result begins.
    pub fn separate(&mut self) {
        self.in_result = true;
        self.link = hyperlink_of(&self.code).map(Arc::from);
    }

    /// A paragraph ends inside the field.
    pub fn pass_paragraph(&mut self) {
        self.paragraphs += 1;
        self.in_result |= self.paragraphs > MOST_PARAGRAPHS;
    }

    /// What a field shows that ends without a result.
    pub fn ending(self) -> Option<String> {
        if self.in_result {
            return None;
        }
        self.shown.or_else(|| {
            let code = self.code.trim();
            let (name, rest) = code.split_once(char::is_whitespace)?;
            match name.to_ascii_uppercase().as_str() {
                // A macro's name, and then what stands on the button.
                "MACROBUTTON" | "GOTOBUTTON" => {
                    rest.trim().split_once(char::is_whitespace).map(|(_, shown)| shown.to_owned())
                }
                "EQ" => Some(equation_text(rest)),
                _ => None,
            }
        })
    }
}

/// The address of a `HYPERLINK` field; none for one that leads to a place in the document.
fn hyperlink_of(code: &str) -> Option<String> {
    let mut words = split_code(code);
    words.next().filter(|name| name.eq_ignore_ascii_case("HYPERLINK"))?;
    let (mut address, mut anchor) = (None, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "\\l" => anchor = words.next(),
            "\\o" | "\\t" | "\\s" => drop(words.next()),
            switch if switch.starts_with('\\') && switch.len() == 2 => {}
            _ if address.is_none() => address = Some(word),
            _ => {}
        }
    }
    let address = address.filter(|address| !address.is_empty())?;
    Some(match anchor.filter(|anchor| !anchor.is_empty()) {
        Some(anchor) if !address.contains('#') => format!("{address}#{anchor}"),
        _ => address,
    })
}

/// The words of a code; those in quotes are one, with `\\` for a backslash.
fn split_code(code: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = code;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let quote = rest.chars().next()?;
        let quoted = ['"', '\u{201c}', '\u{201d}'].contains(&quote);
        let word = if quoted {
            rest = &rest[quote.len_utf8()..];
            let end = rest.find(['"', '\u{201c}', '\u{201d}']).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            rest = behind.strip_prefix(['"', '\u{201c}', '\u{201d}']).unwrap_or(behind);
            word.replace("\\\\", "\\")
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            rest = behind;
            word.to_owned()
        };
        Some(word)
    })
}

/// The characters that an `EQ` field sets: its switches, with what stands between backslash and parenthesis, are layout.
fn equation_text(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code.chars().peekable();
    let mut depth = 0_u32;
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.peek() {
                Some('(' | ')' | ',' | ';' | '\\') => text.extend(rest.next()),
                _ => while rest.next_if(|&c| !matches!(c, '(' | '\\')).is_some() {},
            },
            '(' => {
                depth += 1;
                if depth > 1 && text.chars().next_back().is_some_and(char::is_alphanumeric) {
                    text.push(' ');
                }
            }
            ')' => depth = depth.saturating_sub(1),
            ',' | ';' if depth > 0 => text.push(' '),
            c if depth > 0 => text.push(c),
            _ => {}
        }
    }
    text
}

/// What a box of a form shows (`ffData`): checked or not, or the chosen entry of a list.
pub(super) fn form_field_text(reader: &mut XmlReader<'_>) -> Option<String> {
    let outer = reader.depth().saturating_sub(1);
    let (mut is_box, mut is_checked, mut is_default) = (false, None, false);
    let (mut chosen, mut annotations) = (0_usize, Vec::new());
    while reader.depth() > outer {
        match reader.next() {
            Some(XmlEvent::Start(tag)) => match tag.name() {
                "checkBox" => is_box = true,
                "checked" => is_checked = Some(is_on(&tag)),
                "default" if is_box => is_default = is_on(&tag),
                "result" => chosen = tag.get("val").and_then(|value| value.parse().ok()).unwrap_or(0),
                "listEntry" if annotations.len() < 1000 => {
                    annotations.push(tag.get("val").unwrap_or_default())
                }
                _ => {}
            },
            Some(_) => {}
            None => break,
        }
    }
    match is_box {
        true => Some(if is_checked.unwrap_or(is_default) { "☒" } else { "☐" }.to_owned()),
        false => annotations.into_iter().nth(chosen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_link(code: &str, expected: Option<&str>) {
        assert_eq!(OpenField::simple(code).link.as_deref(), expected, "of {code}");
    }

    #[test]
    fn links_are_read_from_codes() {
        check_link(" HYPERLINK \"http://x/a b\" \\o \"tip\" ", Some("http://x/a b"));
        check_link("HYPERLINK http://x \\l \"y\"", Some("http://x#y"));
        check_link("HYPERLINK \\l \"_Toc1\"", None);
        check_link("PAGEREF _Toc1 \\h", None);
        check_link("HYPERLINK \"\\\\\\\\server\\\\share\"", Some("\\\\server\\share"));
    }

    fn check_ending(code: &str, expected: Option<&str>) {
        let mut field = OpenField::default();
        field.add(code);
        assert_eq!(field.ending().as_deref(), expected, "of {code}");
    }

    #[test]
    fn some_codes_are_what_is_seen() {
        check_ending("MACROBUTTON NoMacro [Click here]", Some("[Click here]"));
        check_ending("XE \"index\"", None);
        check_ending("EQ \\f(1,2)", Some("1 2"));
        check_ending("EQ \\* jc2 \\o\\ad(\\s\\up 9(かんじ),漢字)", Some("かんじ 漢字"));
    }

    #[test]
    fn boxes_of_forms_show_their_state() {
        let mut reader = XmlReader::new("<ffData><checkBox><default val='0'/><checked/></checkBox></ffData>");
        reader.next();
        assert_eq!(form_field_text(&mut reader).as_deref(), Some("☒"));
        let mut reader = XmlReader::new(
            "<ffData><ddList><result val='1'/><listEntry val='a'/><listEntry val='b'/></ddList></ffData>",
        );
        reader.next();
        assert_eq!(form_field_text(&mut reader).as_deref(), Some("b"));
    }
}
