//! Pages from their bytes: decoded as they declare, parsed, made into Markdown or plain text.

use super::main_content::select_main;
use super::metadata;
use super::parse::tag::HtmlTag;
use super::parse::tree::PageTree;
use super::parse::{self, page_end, streaming};
use super::render::Renderer;
use super::render::page::ParsedPage;
use super::visibility::content_selection::ContentSelection;
use super::visibility::hidden::folded_spans;
use super::visibility::hidden_words::hidden_words;
use crate::limits::web::HEAD_BYTES;
use crate::markdown::{StreamWriter, WrittenText};
use crate::settings::HtmlOptions;
use crate::shared::hidden_text::HiddenText;
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{
    Document, HiddenReason, Locator, Problem, ReviewReason, ReviewReasonKind, Segment, TextKind,
};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};

/// Reads a page from its bytes: decoded as it declares, parsed, made into Markdown or plain text.
pub(crate) fn read_page(bytes: &[u8], options: &HtmlOptions) -> Document {
    in_one(|receive| read_page_to(bytes, options, receive))
}

/// The same. If a page is too large for a tree, all segments of its text but the last go to `receive`.
///
/// # Errors
/// Those of `receive`.
pub(crate) fn read_page_to(
    bytes: &[u8],
    options: &HtmlOptions,
    receive: SegmentReceiver<'_>,
) -> Result<Document, Problem> {
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Html };
    let (decoded, encoding, problems) = decode_all(bytes, &hints);
    let mut document = read(decoded, options, receive)?;
    document.encoding = Some(encoding.name().to_owned());
    document.problems.extend(problems);
    // Half of their bytes are zeros, and tags are not the bytes that are looked for.
    if !encoding.name().starts_with("utf-16") && !encoding.name().starts_with("utf-32") {
        page_end::damage(bytes).into_iter().for_each(|what| document.note_damage(what));
    }
    Ok(document)
}

/// Reads a page. Never fails: a browser shows something for any bytes, and so does this function.
///
/// Cost: about linear in the size of the page; a node of the tree takes some 60 bytes plus its attributes.
pub fn read_html(decoded: Segment, options: &HtmlOptions) -> Document {
    in_one(|receive| read(decoded, options, receive))
}

/// Takes a segment of text; if it fails, reading ends.
type SegmentReceiver<'r> = &'r mut dyn FnMut(Segment) -> Result<(), Problem>;

/// A page whose segments are joined again.
fn in_one(read: impl FnOnce(SegmentReceiver<'_>) -> Result<Document, Problem>) -> Document {
    let mut text = Segment::default();
    let read = read(&mut |segment| {
        text.append(segment);
        Ok(())
    });
    let mut document = read.expect("reading fails only where what receives does");
    if !text.text.is_empty() {
        text.append(std::mem::take(&mut document.text));
        document.text = text;
    }
    document
}

fn read(decoded: Segment, options: &HtmlOptions, receive: SegmentReceiver<'_>) -> Result<Document, Problem> {
    let source = decoded.text.as_str();
    // Servers call XHTML `text/html`, so its first line decides.
    let is_xml = source.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with("<?xml");
    let (written, entries, scripts, hidden) = if streaming::is_dense(source) {
        let mut receive = |written: WrittenText| receive(written.segment(&decoded));
        let written = streaming::read(source, options.markdown, &mut receive)?;
        // Nothing is selected without a tree, so nothing is hidden either.
        (written, head(source, is_xml), None, HiddenText::default())
    } else {
        whole(source, is_xml, options)
    };
    let text = written.segment(&decoded);
    let review_reasons = scripts.into_iter().collect();
    let mime = if is_xml { "application/xhtml+xml" } else { "text/html" };
    let mut document = Document {
        text,
        kind: Some(if options.markdown { TextKind::Markup } else { TextKind::Prose }),
        mime: Some(mime.to_owned()),
        metadata: entries,
        review_reasons,
        ..Document::default()
    };
    hidden.note(&mut document);
    Ok(document)
}

/// The metadata of the beginning of a page.
fn head(source: &str, is_xml: bool) -> Vec<(String, String)> {
    let head = &source[..source.floor_char_boundary(HEAD_BYTES)];
    metadata::read(&parse::parse(head, is_xml), head).entries
}

/// Reads a page by its tree, which is freed before the map is made: the map of a large page is as large.
fn whole(
    source: &str,
    is_xml: bool,
    options: &HtmlOptions,
) -> (WrittenText, Vec<(String, String)>, Option<ReviewReason>, HiddenText) {
    let tree = parse::parse(source, is_xml);
    let metadata = metadata::read(&tree, source);
    let selection = match options.main_content {
        true => select_main(&tree, source, &metadata),
        false => ContentSelection::whole(&tree, source),
    };
    let page = ParsedPage::new(&tree, source, &selection);
    let renderer = Renderer::new(page, StreamWriter::new(source, options.markdown));
    let written = renderer.finish().0.folded_in(folded_spans(page.tree(), &selection.folded));
    // A page with any text may still have scripts that do something else.
    let scripts = if written.is_blank() { scripts_of(page) } else { None };
    (written, metadata.entries, scripts, hidden_text(page))
}

/// What nobody can see on a page, with its lines.
fn hidden_text(page: ParsedPage<'_>) -> HiddenText {
    let source = page.source().as_bytes();
    let (mut hidden, mut line, mut counted) = (HiddenText::default(), 1, 0);
    let opens = opens_parts(page.tree());
    for words in hidden_words(page.tree(), page.source(), page.selection()) {
        // The tree may have moved words to before those that precede them in the page.
        let (from, to) = (counted.min(words.at), counted.max(words.at));
        let lines = memchr::memchr_iter(b'\n', &source[from..to]).count() as u64;
        line = if words.at >= counted { line + lines } else { line - lines };
        counted = words.at;
        let place = Locator::Lines { first: line, last: line };
        match words.reason {
            // Nothing that opens is hidden so.
            HiddenReason::Tiny | HiddenReason::SameColour => {
                hidden.add(words.reason, Some(&place), &words.text)
            }
            // Listed with the rest, but no reason for a review.
            reason if opens => drop(hidden.list(reason, Some(&place), &words.text)),
            reason => hidden.add(reason, Some(&place), &words.text),
        }
    }
    hidden
}

/// True for a page with scripts or with what a person operates: menus, dialogs, tabs and states are not displayed, moved
/// aside or transparent until they are opened, and nobody has to look at these. Of 58 pages of 690 with such parts none
/// had text that belongs to what the page is about; a page without controls shows at once all that it ever shows.
fn opens_parts(tree: &PageTree) -> bool {
    let is_control = |tag: HtmlTag| {
        matches!(
            tag,
            HtmlTag::Script
                | HtmlTag::Button
                | HtmlTag::Form
                | HtmlTag::Input
                | HtmlTag::Select
                | HtmlTag::Nav
        )
    };
    (0..tree.len()).any(|node| tree.tag(node).is_some_and(is_control))
}

/// The scripts that may write the text of a page without any: data in scripts writes nothing.
fn scripts_of(page: ParsedPage<'_>) -> Option<ReviewReason> {
    let is_program = |node: &usize| {
        let kind = page.attribute(*node, "type").unwrap_or_default();
        page.tag(*node) == Some(HtmlTag::Script) && !kind.contains("json")
    };
    let count = (0..page.tree().len()).filter(is_program).count();
    let detail = format!("no text, and {} that may write it", counted(count as u64, "script"));
    (count > 0).then(|| ReviewReason::new(ReviewReasonKind::NoTextWithoutScripts, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_scripts_write_is_to_be_reviewed() {
        let reasons = |page: &str| -> Vec<String> {
            let document = read_page(page.as_bytes(), &HtmlOptions { markdown: true, main_content: true });
            document.review_reasons.into_iter().map(|reason| reason.detail).collect()
        };
        let page = |body: &str| format!("<title>App</title><script src='a.js'></script><body>{body}");
        let expected = ["no text, and 1 script that may write it"];
        assert_eq!(reasons(&page("<div id='root'></div>")), expected);
        assert_eq!(
            reasons(&page("<noscript>You need to enable JavaScript.</noscript><div></div>")),
            expected
        );
        assert!(reasons(&page("<p>words")).is_empty());
        assert!(reasons("<script type='application/ld+json'>{}</script><img src='a.png'>").is_empty());
    }

    #[test]
    fn words_in_the_colour_of_their_background_are_hidden() {
        let check = |part: &str, passages: usize| {
            let page = format!("<p>words that are shown to all</p>{part}");
            let document = read_page(page.as_bytes(), &HtmlOptions::default());
            assert_eq!(document.hidden_text.len(), passages, "{part}");
        };
        check("<p style='color: #FFF; background: white'>a", 1);
        check("<p style='color:#fefefe;background-color:rgb(255, 255, 255)'>a", 1);
        check("<style>.x{color:#000;background:#010101}</style><p class=x>a", 1);
        check("<p style='color:#fff;background:#036'>a", 0);
        check("<p style='color:#fff;background:#fff url(a.png)'>a", 0);
        check("<p style='color:#fff;background:#fff'><a href=b>a</a>", 0);
        check("<p style='color:#fff'>a", 0);
        check("<body><p style='color:#fff'>a", 1);
        check("<body><font color='#FEFEFE'>a</font>", 1);
        check("<body><p style='color:transparent'>a", 1);
        check("<body><img alt=a src=b style='color:transparent'>", 0);
        check("<body bgcolor=navy><p style='color:#fff'>a", 0);
        check("<body><div style='visibility:hidden'><p style='visibility:visible'>a</div>", 0);
        check("<body><div style='visibility:hidden'><p>a</div>", 1);
        check("<style media=print>.x{display:none}</style><p class=x>a", 0);
    }

    #[test]
    fn parts_that_a_page_opens_are_listed_and_need_no_review() {
        let check = |page: &str, passages: usize, reasons: usize| {
            let document = read_page(page.as_bytes(), &HtmlOptions::default());
            let found = (document.hidden_text.len(), document.review_reasons.len());
            assert_eq!(found, (passages, reasons), "{page}");
        };
        let words = "<p>words that are shown to all";
        check(&format!("{words}<div hidden>menu</div>"), 1, 1);
        check(&format!("<button>open</button>{words}<div hidden>menu</div>"), 1, 0);
        check(&format!("<script>a</script>{words}<div style='opacity:0'>menu</div>"), 1, 0);
        check(&format!("<script>a</script>{words}<div style='font-size:1px'>secret</div>"), 1, 1);
    }

    fn read_as_markdown(bytes: &[u8]) -> Document {
        read_page(bytes, &HtmlOptions { markdown: true, main_content: false })
    }

    #[test]
    fn a_document_says_what_it_is_made_of() {
        let page = "<title>T</title><p>a";
        let document = read_as_markdown(page.as_bytes());
        assert_eq!((document.text.text.as_str(), document.kind), ("a\n", Some(TextKind::Markup)));
        assert_eq!(document.encoding.as_deref(), Some("utf-8"));
        assert_eq!(document.mime.as_deref(), Some("text/html"));
        assert_eq!(document.metadata, [("title".to_owned(), "T".to_owned())]);
        assert!(document.problems.is_empty() && document.review_reasons.is_empty());
        let plain = read_page(page.as_bytes(), &HtmlOptions { markdown: false, main_content: false });
        assert_eq!(plain.kind, Some(TextKind::Prose));
        let xml = read_as_markdown("\u{feff} \n<?xml version='1.0'?><p>a".as_bytes());
        assert_eq!(xml.mime.as_deref(), Some("application/xhtml+xml"));
    }

    #[test]
    fn what_is_lost_is_looked_for_in_bytes_of_one_unit() {
        let problems = |bytes: &[u8]| read_as_markdown(bytes).problems.len();
        assert_eq!(problems(b"<html><p>a"), 1);
        assert_eq!(problems(b"<html><p>a</html>"), 0);
        let wide = |text: &str| -> Vec<u8> {
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
        };
        assert_eq!(problems(&wide("<html><p>a")), 0);
        // Two of its bytes are one sign, whatever they would be alone.
        assert_eq!(problems(b"\xfe\xff<html>"), 0);
    }

    #[test]
    fn a_page_with_too_many_tags_is_read_in_segments() {
        let page = format!("<html lang=de><title>T</title>{}", "<p>a</p>".repeat(400_000));
        let mut count = 0;
        let document = read_page_to(page.as_bytes(), &HtmlOptions::default(), &mut |segment| {
            count += segment.text.matches('a').count();
            Ok(())
        });
        let document = document.unwrap();
        assert!(count > 0 && count + document.text.text.matches('a').count() == 400_000);
        let expected =
            [("title", "T"), ("language", "de")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(document.metadata, expected);
    }

    #[test]
    fn segments_are_joined_again() {
        let segment = |text: &str| Segment { text: text.to_owned(), ..Segment::default() };
        let joined = |segments: &[&str]| {
            let document = in_one(|receive| {
                for text in segments {
                    receive(segment(text))?;
                }
                Ok(Document { text: segment("last"), ..Document::default() })
            });
            document.text.text
        };
        assert_eq!([joined(&[]), joined(&["one ", "two "])], ["last", "one two last"]);
    }
}
