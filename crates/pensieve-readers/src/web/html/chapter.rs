//! Pages that are chapters of a book: read whole, as XHTML if they are XML, with the names of their places.
//!
//! A book has no boilerplate. Words of drawings and of other media belong to the text; addresses inside the book are useless
//! outside of it and are left out.

use super::annotations::BookContext;
use super::parse;
use super::parse::dialect::PageDialect;
use super::render::Renderer;
use super::render::page::ParsedPage;
use super::visibility::concealment::style_sheet::StyleSheet;
use super::visibility::content_selection::ContentSelection;
use super::visibility::hidden::folded_spans;
use super::visibility::hidden_words::hidden_words;
use crate::markdown::StreamWriter;
use crate::settings::HtmlOptions;
use pensieve_text::model::{HiddenReason, Segment};

/// A document type is searched for in this many bytes of a page.
const DOCTYPE_BYTES: usize = 4096;

/// A chapter as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Chapter {
    /// Its text, with the map to the bytes of its page.
    pub text: Segment,
    /// Names of link targets, each with the offset of its position in the text.
    pub anchors: Vec<(String, usize)>,
    /// What nobody can see on it.
    pub hidden: Vec<(HiddenReason, String)>,
}

/// Reads a chapter. Never fails, like [`super::read_html`]; what is not well-formed is read as browsers read HTML.
pub(crate) fn read_chapter(decoded: Segment, options: &HtmlOptions) -> Chapter {
    read_annotated(decoded, options, &[], None)
}

/// Reads a chapter with the style sheets that it links to, the last first, and marks notes, page breaks and pictures.
pub(crate) fn read_annotated(
    mut decoded: Segment,
    options: &HtmlOptions,
    linked: &[&StyleSheet<'_>],
    book: Option<&BookContext<'_>>,
) -> Chapter {
    // Before declarations become blanks: it reads the entities in them.
    let dialect = PageDialect::of_chapter(&decoded.text);
    blank_declarations(&mut decoded.text);
    let source = decoded.text.as_str();
    let tree = parse::parse_as(source, dialect);
    let selection = ContentSelection::chapter(&tree, source, linked);
    let page = ParsedPage::new(&tree, source, &selection).with_book(book);
    let (written, anchors) = Renderer::new(page, StreamWriter::new(source, options.markdown)).finish();
    let written = written.folded_in(folded_spans(&tree, &selection.folded));
    let hidden = hidden_words(&tree, source, &selection);
    let hidden = hidden.into_iter().map(|words| (words.reason, words.text)).collect();
    Chapter { text: written.segment(&decoded), anchors, hidden }
}

/// A document type may declare entities between brackets, which is not HTML: they become blanks, byte by byte.
pub(super) fn blank_declarations(text: &mut String) {
    let Some(start) = text.find("<!DOCTYPE").filter(|&at| at < DOCTYPE_BYTES) else { return };
    let head = &text[start..];
    // A document type without brackets is HTML.
    let Some(open) = head.find(['[', '>']).filter(|&at| head[at..].starts_with('[')) else { return };
    let Some(close) = head[open..].find(']').map(|at| open + at) else { return };
    let Some(end) = head[close..].find('>').map(|at| start + close + at + 1) else { return };
    // As many bytes, so that the places of all words stay right; line ends, so that line numbers do.
    let blank: String = text[start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(start..end, &blank);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::web::html::annotations::{NoteExtent, PageAnnotations};
    use pensieve_text::model::{LineAnchor, SpanMap};
    use std::collections::HashMap;

    /// A source as the decoder returns it.
    pub fn decoded(source: &str) -> Segment {
        Segment {
            text: source.to_owned(),
            map: SpanMap::identity(source.len(), 0),
            lines: vec![LineAnchor { out: 0, line: 1 }],
            ..Segment::default()
        }
    }

    fn read(source: &str) -> Chapter {
        read_chapter(decoded(source), &HtmlOptions { markdown: true, main_content: false })
    }

    /// The text of a chapter, for the tests of all parts of a chapter.
    #[track_caller]
    pub fn check(source: &str, expected: &str) {
        assert_eq!(read(source).text.text.trim_end_matches('\n'), expected, "of {source}");
    }

    /// The text of a chapter of a book. Ids say what the book knows of an element: it begins page 12 (`page-12`), is note
    /// 1 (`note-1`), refers to it (`ref-1`) or to a note that is left out (`ref-`), or begins with a text of which two
    /// bytes are left out (`cut-2`).
    pub fn read_book(source: &str) -> String {
        let tree = parse::parse_as(source, PageDialect::of_chapter(source));
        let mut annotations = PageAnnotations::default();
        for node in 0..tree.len() {
            let Some((kind, number)) = tree.attribute(node, "id").and_then(|id| id.split_once('-')) else {
                continue;
            };
            let count = number.parse::<usize>();
            match (kind, count) {
                ("page", _) => drop(annotations.pages.insert(node, number.to_owned())),
                ("note", Ok(number)) => {
                    annotations.notes.insert(node, NoteExtent { number, end: tree.end(node) });
                }
                ("ref", count) => drop(annotations.references.insert(node, count.ok())),
                ("cut", Ok(count)) => drop(annotations.cuts.insert(node + 1, count)),
                _ => {}
            }
        }
        let no = |_: &str| false;
        let book = BookContext { page: &annotations, has_entry_into: &no, is_target: &no };
        let options = HtmlOptions { markdown: true, main_content: false };
        let text = read_annotated(decoded(source), &options, &[], Some(&book)).text.text;
        text.trim_end_matches('\n').to_owned()
    }

    #[track_caller]
    pub fn check_book(source: &str, expected: &str) {
        assert_eq!(read_book(source), expected, "of {source}");
    }

    #[test]
    fn elements_close_themselves() {
        check("<html><head><title/><script src='x'/></head><body><p>a<a id='x'/>b</p></body></html>", "ab");
    }

    #[test]
    fn what_nobody_can_see_is_listed_unless_a_link_opens_it() {
        let page = "<p hidden=''>a</p><nav class='menu'>bcde</nav><p style='display:none'>f</p><p id='n' hidden=''>g</p>";
        check(page, "bcde\n\ng");
        let expected = ["a", "f"].map(|text| (HiddenReason::NotDisplayed, text.to_owned()));
        assert_eq!(read(page).hidden, expected);
        check("<p hidden=''>ab</p><p>ab</p>", "ab\n\nab");
        // Programs show contents that the page does not.
        check(
            "<nav><ol><li>a<ol hidden=''><li>b</li></ol></li></ol></nav><p>cdefg</p>",
            "1. a\n   1. b\n\ncdefg",
        );
        check(
            "<p>a<a href='#n'>*</a> <a href='n.xhtml#n'>2</a> <a href='http://x/'>y</a></p>",
            "a* 2 [y](http://x/)",
        );
    }

    #[test]
    fn signs_that_link_a_heading_to_itself_are_no_text() {
        check("<h1>A<a class='headerlink' href='#a'>¶</a></h1><p>b <a href='#x'>#</a></p>", "# A\n\nb");
    }

    #[test]
    fn drawings_and_formulas_have_words() {
        check("<svg><style>x</style><title>T</title><text>a</text><text>b</text></svg>", "T\na\nb");
        check("<math><mi>x</mi><mo>=</mo><msup><mi>b</mi><mn>2</mn></msup></math>", "$x=b^2$");
        check("<math><mfrac><mi>a</mi><mrow><mi>b</mi><mi>c</mi></mrow></mfrac></math>", "$\\frac{a}{bc}$");
    }

    #[test]
    fn declarations_are_no_text() {
        check("<!DOCTYPE html [<!ENTITY a 'b'>]><p>x</p>", "x");
        check("<!DOCTYPE html [<!ENTITY me 'My Entity'>]><p>&me; here, &you;</p>", "My Entity here, &you;");
    }

    #[test]
    fn prefixes_of_the_root_are_no_part_of_names() {
        check(
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head><h:title>t</h:title></h:head><h:body><h:h1>One</h:h1>\
             <h:p>Para <h:b>bold</h:b></h:p><h:p>Next</h:p></h:body></h:html>",
            "# One\n\nPara **bold**\n\nNext",
        );
    }

    #[test]
    fn one_case_of_a_switch_is_shown() {
        let switch = |case: &str| {
            format!(
                "<epub:switch><epub:case>{case}</epub:case><epub:default><p>D</p></epub:default></epub:switch>"
            )
        };
        check(&switch("<cml>C</cml>"), "D");
        check(&switch("<math><mi>x</mi></math>"), "$x$");
    }

    #[test]
    fn lists_may_count_down() {
        check("<ol reversed=''><li>c</li><li>b</li></ol>", "2. c\n1. b");
        check("<ol reversed='' start='9'><li>c</li><li>b</li></ol>", "9. c\n8. b");
    }

    #[test]
    fn places_have_names() {
        let chapter = read("<h1 id='a'>One</h1><p>two <b id='b'>three</b></p><a name='c'/>");
        let names: Vec<(&str, usize)> =
            chapter.anchors.iter().map(|(name, at)| (name.as_str(), *at)).collect();
        assert_eq!(chapter.text.text, "# One\n\ntwo **three**\n");
        assert_eq!(names, [("a", 0), ("b", 10), ("c", 20)]);
    }

    #[test]
    fn places_in_tables_and_code_have_names() {
        let table = "<table><tbody id='b'><tr><td>1</td><td>2</td></tr><tr id='r'><td id='d'>3</td><td>4</td></tr></tbody></table>";
        let chapter = read(&format!("<p>a</p>{table}<p>c</p><pre>x\n<a id='l'></a>y</pre>"));
        let at = |name: &str| chapter.anchors.iter().find(|(own, _)| own == name).map(|(_, at)| *at);
        let before = |name: &str| chapter.text.text[..at(name).unwrap()].lines().next_back();
        assert_eq!(["b", "r", "d", "l"].map(before), [Some("a"), Some("a"), Some("a"), Some("c")]);
    }

    /// The root, html, head and body are the nodes before the first element of the page.
    #[test]
    fn a_note_is_written_after_the_block_that_contains_it() {
        let page = "<p>x<a>1</a> y<span>Note</span> z</p><ul><li>i</li></ul><p>w</p>";
        let decoded = Segment { text: page.to_owned(), ..Segment::default() };
        let options = HtmlOptions { markdown: true, main_content: false };
        let annotations = PageAnnotations {
            references: HashMap::from([(6, Some(1))]),
            notes: HashMap::from([(9, NoteExtent { number: 1, end: 11 })]),
            ..PageAnnotations::default()
        };
        let no = |_: &str| false;
        let book = BookContext { page: &annotations, has_entry_into: &no, is_target: &no };
        let read = |book| read_annotated(decoded.clone(), &options, &[], book).text.text;
        assert_eq!(read(Some(&book)), "x[^1] y z\n\n[^1]: Note\n\n- i\n\nw\n");
        assert_eq!(read(None), "x1 yNote z\n\n- i\n\nw\n");
    }

    #[test]
    fn document_types_become_blanks_of_the_same_length() {
        let check = |source: &str, expected: &str| {
            let mut text = source.to_owned();
            blank_declarations(&mut text);
            assert_eq!(text, expected, "of {source}");
        };
        let declared = "<!DOCTYPE a [\n<!ENTITY b 'c'>\n]>";
        let blank = "             \n               \n  ";
        check(&format!("é{declared}d"), &format!("é{blank}d"));
        check(&format!("{declared} ]>d"), &format!("{blank} ]>d"));
        check("<!DOCTYPE a [\n] b>d", "             \n    d");
        check("<!DOCTYPE a>[b]>", "<!DOCTYPE a>[b]>");
        check("<!DOCTYPE a [b>", "<!DOCTYPE a [b>");
        check("<!DOCTYPE a [b]", "<!DOCTYPE a [b]");
        check("a [b]>", "a [b]>");
        let after = |bytes: usize, declaration: &str| format!("{}{declaration}", "x".repeat(bytes));
        check(&after(DOCTYPE_BYTES - 1, declared), &after(DOCTYPE_BYTES - 1, blank));
        check(&after(DOCTYPE_BYTES, declared), &after(DOCTYPE_BYTES, declared));
    }

    #[test]
    fn names_are_ids_or_those_of_links() {
        let chapter = read("<p id='a'>1</p><a id='b' name='c'>2</a><a name='d'>3</a><p name='e'>4</p>");
        let names: Vec<&str> = chapter.anchors.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b", "d"]);
    }
}
