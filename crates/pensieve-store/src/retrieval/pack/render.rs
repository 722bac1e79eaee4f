//! A pack as Markdown or XML. The text of a piece is never altered beyond what its format needs: nothing in Markdown, in
//! XML a replacement for characters that XML cannot contain.

use super::options::PackFormat;
use super::piece::{Pack, PackPiece};
use pensieve_text::model::locator_words;
use pensieve_text::text::tokens::TokenCounter;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write;

/// Sets `output` and `tokens` of a pack: all of it in a format, with its exact number of tokens.
pub(super) fn render(pack: &mut Pack, format: PackFormat, counter: &mut TokenCounter) {
    pack.output = pack.pieces.iter().map(|one| piece(one, format)).collect();
    if format == PackFormat::Xml {
        pack.output = format!("<documents>\n{}</documents>\n", pack.output);
    }
    pack.tokens = counter.count(&pack.output);
}

/// One piece as it appears in the output.
pub(super) fn piece(piece: &PackPiece, format: PackFormat) -> String {
    if format == PackFormat::Xml { xml(piece) } else { markdown(piece) }
}

/// A part of a text as it appears in the output.
pub(super) fn text_form(text: &str, format: PackFormat) -> Cow<'_, str> {
    if format == PackFormat::Xml { xml_characters(text) } else { Cow::Borrowed(text) }
}

/// A heading with number, document, place and headings, and the citation; the text in a fence below it.
fn markdown(piece: &PackPiece) -> String {
    let after = [piece.heading_path.as_deref(), Some(piece.citation.as_str())];
    let heading = source_heading(&[Some(piece.shown_name())], piece.locator.as_ref(), &after);
    let context = piece.context.as_ref();
    let context = context.map(|context| format!("Repeated from above the text:\n{}", fenced(context)));
    format!("## {}. {heading}\n{}{}", piece.number, context.unwrap_or_default(), fenced(&piece.text))
}

/// What is known of a text in one line: what stands before its place, the place, what stands after it.
pub fn source_heading(before: &[Option<&str>], locator: Option<&Value>, after: &[Option<&str>]) -> String {
    let line = |names: &[Option<&str>]| names.iter().flatten().map(|name| one_line(name)).collect::<Vec<_>>();
    let place = locator.and_then(place).map(|place| one_line(&place));
    line(before).into_iter().chain(place).chain(line(after)).collect::<Vec<_>>().join(" | ")
}

/// A text in a fence that is longer than any in it, so that nothing in it can be taken for what is around it.
pub fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

fn longest_run(text: &str, sign: char) -> usize {
    text.split(|c| c != sign).map(str::len).max().unwrap_or_default()
}

/// The tags that vendors of models advise, with tags of our own for what they do not name.
fn xml(piece: &PackPiece) -> String {
    let mut out = format!("<document index=\"{}\">\n", piece.number);
    let mut field = |name: &str, text: &str| {
        let _ = writeln!(out, "<{name}>{}</{name}>", xml_text(text));
    };
    field("source", &one_line(piece.shown_name()));
    if let Some(place) = piece.locator.as_ref().and_then(place) {
        field("place", &one_line(&place));
    }
    if let Some(headings) = &piece.heading_path {
        field("heading", &one_line(headings));
    }
    field("citation", &piece.citation);
    if let Some(context) = &piece.context {
        field("context", &format!("\n{context}\n"));
    }
    let _ = write!(out, "<document_content>\n{}\n</document_content>\n</document>\n", xml_text(&piece.text));
    out
}

/// Text as it is, in a CDATA section if it has signs that mean something to XML.
fn xml_text(text: &str) -> String {
    let text = xml_characters(text);
    match text.contains(['<', '&']) || text.contains("]]>") {
        true => format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>")),
        false => text.into_owned(),
    }
}

/// Text with U+FFFD for characters that XML 1.0 cannot contain, even escaped, or that its parsers change.
fn xml_characters(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    match text.contains(is_foreign) {
        true => Cow::Owned(text.replace(is_foreign, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// Page, lines, slide, cells.
fn place(locator: &Value) -> Option<String> {
    let words = locator_words(locator, "-").join(", ");
    (!words.is_empty()).then_some(words)
}

/// Foreign text as part of a line.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_any_kind_stays_apart_from_the_frame() {
        assert_eq!(fenced("plain"), "```text\nplain\n```\n");
        assert_eq!(fenced("```\ncode\n```"), "````text\n```\ncode\n```\n````\n");
        assert_eq!(fenced("a `````` b"), "```````text\na `````` b\n```````\n");
        assert_eq!(xml_text("a > b"), "a > b");
        assert_eq!(xml_text("a < b"), "<![CDATA[a < b]]>");
        assert_eq!(xml_text("x[y[0]]>1"), "<![CDATA[x[y[0]]]]><![CDATA[>1]]>");
        assert_eq!(xml_text("page\u{c}break\u{0}"), "page\u{fffd}break\u{fffd}");
        assert_eq!(one_line("a\nb\u{2028}c"), "a b c");
    }

    fn piece_of(number: usize) -> PackPiece {
        PackPiece {
            number,
            text: "a < b".to_owned(),
            tokens: 4,
            citation: "pensieve:u/2-7/0".to_owned(),
            corpus: None,
            doc_uid: "u".to_owned(),
            relative_path: "a.md".to_owned(),
            name: None,
            path: None,
            format: Some("markdown".to_owned()),
            start: 2,
            end: 7,
            source: None,
            source_exact: None,
            locator: None,
            heading_path: None,
            context: None,
        }
    }

    #[test]
    fn a_piece_has_its_frame() {
        let bare = piece_of(1);
        let full = PackPiece {
            name: Some("m » a.md".to_owned()),
            locator: Some(serde_json::json!({"page": 3})),
            heading_path: Some("A\nB".to_owned()),
            context: Some("| x |".to_owned()),
            ..piece_of(2)
        };
        let text = "```text\na < b\n```\n";
        let first = format!("## 1. a.md | pensieve:u/2-7/0\n{text}");
        let second = format!(
            "## 2. m » a.md | page 3 | A B | pensieve:u/2-7/0\nRepeated from above the text:\n```text\n| x |\n```\n{text}"
        );
        assert_eq!((piece(&bare, PackFormat::Markdown), piece(&full, PackFormat::Markdown)), (first, second));
        let content = "<document_content>\n<![CDATA[a < b]]>\n</document_content>\n</document>\n";
        let first = format!(
            "<document index=\"1\">\n<source>a.md</source>\n<citation>pensieve:u/2-7/0</citation>\n{content}"
        );
        let second = format!(
            "<document index=\"2\">\n<source>m » a.md</source>\n<place>page 3</place>\n<heading>A B</heading>\n\
             <citation>pensieve:u/2-7/0</citation>\n<context>\n| x |\n</context>\n{content}"
        );
        assert_eq!((piece(&bare, PackFormat::Xml), piece(&full, PackFormat::Xml)), (first, second));
    }

    #[test]
    fn text_has_the_form_of_its_format() {
        let check = |format: PackFormat, expected: &str| {
            assert_eq!(text_form("a\t\"<\u{c}", format), expected, "{format:?}");
        };
        check(PackFormat::Markdown, "a\t\"<\u{c}");
        check(PackFormat::Xml, "a\t\"<\u{fffd}");
        assert_eq!(xml_text("]]>"), "<![CDATA[]]]]><![CDATA[>]]>");
        assert_eq!(xml_text("a & b"), "<![CDATA[a & b]]>");
        assert_eq!((longest_run("a``b`", '`'), longest_run("ab", '`'), longest_run("", '`')), (2, 0, 0));
    }
}
