//! The text of an output: the plainest of its forms, without colours and without overwritten characters.

use crate::limits::web::MAX_OUTPUT_TAGS;
use crate::settings::HtmlOptions;
use crate::web::html::read_html;
use pensieve_text::model::Segment;

/// Longer runs of base64 are data.
const MAX_DATA_BYTES: usize = 120;

/// An output as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputText {
    /// Lines whose white space is kept.
    Lines(String),
    /// Markdown.
    Markdown(String),
}

/// An output of a cell, in the forms that are text.
#[derive(Debug, Default)]
pub(super) struct CellOutput {
    pub text: Option<String>,
    pub markdown: Option<String>,
    pub html: Option<String>,
    pub latex: Option<String>,
    pub has_picture: bool,
    pub error: Option<String>,
    pub value: Option<String>,
    pub traceback: String,
}

impl CellOutput {
    /// True for the output of a stream, which comes in parts.
    pub fn is_stream(&self) -> bool {
        let has_other =
            self.has_picture || self.html.is_some() || self.markdown.is_some() || self.latex.is_some();
        self.text.is_some() && self.error.is_none() && self.traceback.is_empty() && !has_other
    }

    /// The words of this output, if it has any.
    pub fn shown(&self, html_options: &HtmlOptions) -> Option<OutputText> {
        if !self.traceback.trim().is_empty() {
            return Some(OutputText::Lines(without_controls(&self.traceback)));
        }
        if let Some(name) = &self.error {
            return Some(OutputText::Lines(without_controls(&format!(
                "{name}: {}",
                self.value.as_deref().unwrap_or_default()
            ))));
        }
        if let Some(text) = self.text.as_ref().filter(|text| !self.is_name(text)) {
            return Some(OutputText::Lines(without_controls(text)));
        }
        if let Some(markdown) = &self.markdown {
            return Some(OutputText::Markdown(without_data(markdown)));
        }
        let is_heavy =
            |html: &&String| memchr::memchr_iter(b'<', html.as_bytes()).nth(MAX_OUTPUT_TAGS).is_some();
        if let Some(html) = self.html.as_ref().filter(|html| !is_heavy(html)) {
            let decoded = Segment { text: html.clone(), ..Segment::default() };
            let options = HtmlOptions { main_content: false, ..html_options.clone() };
            return Some(OutputText::Markdown(read_html(decoded, &options).text.text));
        }
        self.latex.as_ref().map(|latex| OutputText::Markdown(latex.clone()))
    }

    /// `<Figure size 640x480 with 1 Axes>` is the name of an object that is shown in another form.
    fn is_name(&self, text: &str) -> bool {
        let text = text.trim();
        let has_other =
            self.has_picture || self.html.is_some() || self.markdown.is_some() || self.latex.is_some();
        has_other && text.starts_with('<') && text.ends_with('>') && !text.contains('\n')
    }
}

/// Removes terminal escape sequences, and keeps of each line what was written last.
pub(super) fn without_controls(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        let mut last = line.rsplit('\r').filter(|part| !part.trim().is_empty());
        push_uncoloured(&mut plain, last.next().unwrap_or_default());
        plain.push_str(end);
    }
    plain
}

/// Copies a line without escape sequences (ECMA-48) and other controls.
fn push_uncoloured(plain: &mut String, line: &str) {
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                // A sequence ends with a letter or its like.
                Some('[') => drop(chars.by_ref().find(|c| ('@'..='~').contains(c))),
                // A string ends with a bell, or with another escape.
                Some(']') => drop(chars.by_ref().find(|&c| c == '\u{7}' || c == '\\')),
                _ => {}
            },
            '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
}

/// Markdown without pictures that are embedded as data.
pub(super) fn without_data(markdown: &str) -> String {
    let mut kept = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find("data:") {
        let data = &rest[at..];
        let is_data = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | ';' | ',' | '+' | '=' | '-' | '.' | '%')
        };
        let length = data.find(|c| !is_data(c)).unwrap_or(data.len());
        let is_long = length > MAX_DATA_BYTES && data[..length].contains(";base64,");
        kept.push_str(&rest[..if is_long { at } else { at + length }]);
        rest = &rest[at + length..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> CellOutput {
        CellOutput { text: Some(text.to_owned()), ..CellOutput::default() }
    }

    fn other() -> Option<String> {
        Some("other".to_owned())
    }

    #[test]
    fn the_output_of_a_stream_is_text_only() {
        assert!(text("a").is_stream());
        for output in [
            CellOutput::default(),
            CellOutput { has_picture: true, ..text("a") },
            CellOutput { html: other(), ..text("a") },
            CellOutput { markdown: other(), ..text("a") },
            CellOutput { latex: other(), ..text("a") },
            CellOutput { error: other(), ..text("a") },
            CellOutput { traceback: "other".to_owned(), ..text("a") },
        ] {
            assert!(!output.is_stream(), "{output:?}");
        }
    }

    #[test]
    fn the_name_of_an_object_is_not_shown_beside_its_other_form() {
        let lines = |text: &str| Some(OutputText::Lines(text.to_owned()));
        for (words, shown) in [
            (" <Figure with 1 Axes>\n", None),
            ("<a>\n<b>", lines("<a>\n<b>")),
            ("<a", lines("<a")),
            ("a>", lines("a>")),
        ] {
            let output = CellOutput { has_picture: true, ..text(words) };
            assert_eq!(output.shown(&HtmlOptions::default()), shown, "{words}");
        }
        assert_eq!(text("<a>").shown(&HtmlOptions::default()), lines("<a>"));
        let markdown = |text: &str| Some(OutputText::Markdown(text.to_owned()));
        let named = |output: CellOutput| CellOutput { text: Some("<a>".to_owned()), ..output };
        let outputs = [
            CellOutput { markdown: other(), ..CellOutput::default() },
            CellOutput { latex: other(), ..CellOutput::default() },
        ];
        for output in outputs {
            assert_eq!(named(output).shown(&HtmlOptions::default()), markdown("other"));
        }
    }

    #[test]
    fn terminal_sequences_are_no_text() {
        for (text, expected) in [
            ("\u{1b}[1;31mred\u{1b}[0m\n", "red\n"),
            ("\u{1b}[2@a\u{1b}[3~b", "ab"),
            ("\u{1b}]0;title\u{7}words", "words"),
            ("\u{1b}]8;;link\u{1b}\\words", "words"),
            ("\u{1b}Mwords", "words"),
            ("a\u{8}b\tc", "ab\tc"),
            ("10 %\r20 %\r\nnext", "20 %\nnext"),
        ] {
            assert_eq!(without_controls(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_long_runs_of_base64_are_data() {
        let data = |kind: &str, length: usize| {
            let head = format!("data:image/png{kind}");
            format!("{head}{}", "A".repeat(length - head.len()))
        };
        let short = data(";base64,", MAX_DATA_BYTES);
        let long = data(";base64,", MAX_DATA_BYTES + 1);
        let other = data(",", MAX_DATA_BYTES + 9);
        assert_eq!(without_data(&format!("a ![]({short}) b")), format!("a ![]({short}) b"));
        assert_eq!(without_data(&format!("a ![]({other}) b")), format!("a ![]({other}) b"));
        assert_eq!(
            without_data(&format!("a ![]({long}) b ![]({long}) data: {short}")),
            format!("a ![]() b ![]() data: {short}")
        );
    }
}
