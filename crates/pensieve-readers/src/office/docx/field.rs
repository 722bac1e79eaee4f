//! Field codes: what they determine about the results of fields. A code is not text.
//!
//! Source: ECMA-376 part 1, section 17.16.

use super::properties::is_on;
use crate::limits::docx::{MAX_FIELD_CODE_BYTES, MAX_FORM_ENTRIES};
use crate::shared::xml::XmlReader;
use std::sync::Arc;

/// After this many paragraphs a field without a result counts as broken, and its code as text.
const MAX_CODE_PARAGRAPHS: u32 = 40;

/// A field that is open.
#[derive(Debug, Default)]
pub(super) struct OpenField {
    code: String,
    /// Its result has begun; before that its text is code.
    pub in_result: bool,
    /// The link target of its result.
    pub link: Option<Arc<str>>,
    /// The text that it shows without a result: that of a form field.
    pub shown: Option<String>,
    paragraphs: u32,
}

impl OpenField {
    /// A field whose code is an attribute; its result begins immediately.
    pub fn simple(code: &str) -> OpenField {
        let mut field = OpenField::default();
        field.add(code);
        field.separate();
        field
    }

    pub fn add(&mut self, code: &str) {
        if self.code.len() + code.len() <= MAX_FIELD_CODE_BYTES {
            self.code.push_str(code);
        }
    }

    /// The result begins.
    pub fn separate(&mut self) {
        self.in_result = true;
        self.link = hyperlink_of(&self.code).map(Arc::from);
    }

    /// A paragraph ends inside the field.
    pub fn pass_paragraph(&mut self) {
        self.paragraphs += 1;
        self.in_result |= self.paragraphs > MAX_CODE_PARAGRAPHS;
    }

    /// The text of a field that ends without a result.
    pub fn ending(self) -> Option<String> {
        if self.in_result {
            return None;
        }
        self.shown.or_else(|| {
            let code = self.code.trim();
            let (name, rest) = code.split_once(char::is_whitespace)?;
            match name.to_ascii_uppercase().as_str() {
                // The name of a macro, followed by the text of the button.
                "MACROBUTTON" | "GOTOBUTTON" => {
                    rest.trim().split_once(char::is_whitespace).map(|(_, shown)| shown.to_owned())
                }
                "EQ" => Some(equation_text(rest)),
                _ => None,
            }
        })
    }
}

/// The address of a `HYPERLINK` field; `None` for a target inside the document.
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

/// The words of a code; a quoted text is one word, with `\\` for a backslash.
fn split_code(code: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = code;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let quote = rest.chars().next()?;
        let quoted = ['"', '\u{201c}', '\u{201d}'].contains(&quote);
        let word = if quoted {
            rest = &rest[quote.len_utf8()..];
            let end = rest.find(['"', '\u{201c}', '\u{201d}']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after.strip_prefix(['"', '\u{201c}', '\u{201d}']).unwrap_or(after);
            word.replace("\\\\", "\\")
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            word.to_owned()
        };
        Some(word)
    })
}

/// The characters that an `EQ` field shows. Its switches, with everything between backslash and parenthesis, are
/// layout.
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

/// Boxes that are ticked or not, as in the task lists of Markdown.
pub(super) const BOXES: [&str; 2] = ["[ ]", "[x]"];

/// The box that the properties of a content control (`sdtPr`) declare.
pub(super) fn box_of_control(reader: &mut XmlReader<'_>) -> Option<&'static str> {
    let outer = reader.outer_depth();
    let mut shown = None;
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "checkbox" => shown = Some(BOXES[0]),
            "checked" if shown.is_some() => shown = Some(BOXES[usize::from(is_on(&tag))]),
            _ => {}
        }
    }
    shown
}

/// What a form field shows (`ffData`): checked or not, or the chosen entry of a list.
pub(super) fn form_field_text(reader: &mut XmlReader<'_>) -> Option<String> {
    let outer = reader.outer_depth();
    let (mut is_box, mut is_checked, mut is_default) = (false, None, false);
    let (mut chosen, mut entries) = (0_usize, Vec::new());
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "checkBox" => is_box = true,
            "checked" => is_checked = Some(is_on(&tag)),
            "default" if is_box => is_default = is_on(&tag),
            "result" => chosen = tag.get("val").and_then(|value| value.parse().ok()).unwrap_or(0),
            "listEntry" if entries.len() < MAX_FORM_ENTRIES => {
                entries.push(tag.get("val").unwrap_or_default())
            }
            _ => {}
        }
    }
    match is_box {
        true => Some(BOXES[usize::from(is_checked.unwrap_or(is_default))].to_owned()),
        false => entries.into_iter().nth(chosen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::xml::XmlEvent;

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
        assert_eq!(form_field_text(&mut reader).as_deref(), Some("[x]"));
        let mut reader = XmlReader::new(
            "<ffData><ddList><result val='1'/><listEntry val='a'/><listEntry val='b'/></ddList></ffData>",
        );
        reader.next();
        assert_eq!(form_field_text(&mut reader).as_deref(), Some("b"));
    }

    #[test]
    fn switches_of_links_have_their_words() {
        for (code, expected) in [
            ("hyperlink http://x", Some("http://x")),
            ("HYPERLINK", None),
            ("HYPERLINK \"\"", None),
            ("HYPERLINK \\o \"tip\" \"http://x\"", Some("http://x")),
            ("HYPERLINK \\t _blank http://x", Some("http://x")),
            ("HYPERLINK \\s place http://x", Some("http://x")),
            ("HYPERLINK \\n http://x \\h http://y", Some("http://x")),
            ("HYPERLINK \\\\server", Some("\\\\server")),
            ("HYPERLINK http://x#a \\l b", Some("http://x#a")),
            ("HYPERLINK http://x \\l \"\"", Some("http://x")),
            ("HYPERLINK \u{201c}http://x y\u{201d} z", Some("http://x y")),
            ("HYPERLINK \"http://x", Some("http://x")),
            ("HYPERLINK\t\"a\"\"b\"", Some("a")),
        ] {
            check_link(code, expected);
        }
    }

    #[test]
    fn codes_without_result_are_text_if_they_are_seen() {
        for (code, expected) in [
            ("macrobutton x Click  here ", Some("Click  here")),
            ("GOTOBUTTON x There", Some("There")),
            ("MACROBUTTON x", None),
            ("MACROBUTTON", None),
            ("EQ", None),
            ("eq \\x(a;b)", Some("a b")),
            ("EQ \\s(a\\(b\\)\\,c)d", Some("a(b),c")),
            ("EQ \\a(a(b)(c))e", Some("a b c")),
            ("EQ (a)\\b((c))", Some("a c")),
            ("EQ \\f(1,\\r(3,x))", Some("1 3 x")),
            ("EQ a)b,(c", Some("c")),
        ] {
            check_ending(code, expected);
        }
        let mut field = OpenField::simple("MACROBUTTON x Click");
        assert!(field.in_result);
        field.shown = Some("shown".to_owned());
        assert_eq!(field.ending(), None);
        let field = OpenField { shown: Some("shown".to_owned()), ..OpenField::default() };
        assert_eq!(field.ending().as_deref(), Some("shown"));
    }

    #[test]
    fn fields_give_up_after_many_paragraphs() {
        let mut field = OpenField::default();
        (0..MAX_CODE_PARAGRAPHS).for_each(|_| field.pass_paragraph());
        assert!(!field.in_result);
        field.pass_paragraph();
        assert!(field.in_result);
    }

    #[test]
    fn codes_that_are_too_long_are_not_kept() {
        let ending = |length: usize| {
            let mut field = OpenField::default();
            field.add("EQ (");
            field.add(&"a".repeat(length));
            field.add("b");
            field.ending().map(|shown| shown.len())
        };
        assert_eq!(ending(MAX_FIELD_CODE_BYTES - 5), Some(MAX_FIELD_CODE_BYTES - 4));
        assert_eq!(ending(MAX_FIELD_CODE_BYTES - 4), Some(MAX_FIELD_CODE_BYTES - 4));
        assert_eq!(ending(MAX_FIELD_CODE_BYTES - 3), Some(1));
    }

    fn check_form(data: &str, expected: Option<&str>) {
        let xml = format!("<r><ffData>{data}</ffData><after/></r>");
        let mut reader = XmlReader::new(&xml);
        reader.next();
        reader.next();
        assert_eq!(form_field_text(&mut reader).as_deref(), expected, "{data}");
        let next = reader.next();
        assert!(matches!(next, Some(XmlEvent::Start(tag)) if tag.name() == "after"), "after {data}");
    }

    #[test]
    fn forms_show_boxes_and_chosen_entries() {
        let list = "<listEntry val='a'/><listEntry val='b'/><listEntry val='c'/>";
        for (data, expected) in [
            ("<checkBox/>", Some("[ ]")),
            ("<checkBox><default/></checkBox>", Some("[x]")),
            ("<checkBox><default val='0'/></checkBox>", Some("[ ]")),
            ("<checkBox><default/><checked val='0'/></checkBox>", Some("[ ]")),
            ("<checkBox><checked val='1'/><default val='0'/></checkBox>", Some("[x]")),
            // The default of a list is no box that is checked.
            ("<default/><checkBox/>", Some("[ ]")),
            (&format!("<ddList>{list}</ddList>"), Some("a")),
            (&format!("<ddList><result val='2'/>{list}</ddList>"), Some("c")),
            (&format!("<ddList>{list}<result val='1'/></ddList>"), Some("b")),
            (&format!("<ddList><result val='3'/>{list}</ddList>"), None),
            (&format!("<ddList><result val='x'/>{list}</ddList>"), Some("a")),
            ("<textInput><default val='x'/></textInput>", None),
        ] {
            check_form(data, expected);
        }
        for (count, expected) in [(MAX_FORM_ENTRIES, Some("z")), (MAX_FORM_ENTRIES + 1, None)] {
            let entries = "<listEntry val='a'/>".repeat(count - 1);
            let list = format!("<ddList><result val='{}'/>{entries}<listEntry val='z'/></ddList>", count - 1);
            check_form(&list, expected);
        }
    }
}
