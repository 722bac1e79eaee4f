//! One part of the spine as text: a page, a drawing, or any other XML in the spine.

use super::container::Encryption;
use super::package::{ManifestItem, is_readable};
use super::plain;
use crate::limits::epub::{MAX_FIRST_ELEMENT_BYTES, MAX_PART_BYTES, MAX_TREE_PAGE_BYTES, MAX_TREE_TAGS};
use crate::settings::HtmlOptions;
use crate::shared::xml::{XmlEvent, XmlReader};
use crate::web::html::{BookContext, Chapter, StyleSheet, read_annotated};
use crate::web::svg;
use crate::web::svg::Drawing;
use pensieve_text::model::{HiddenReason, Problem, ProblemKind, Segment};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};

/// How far into a page its title is looked for.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// A part as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ChapterPage {
    /// Its text, with the map to the bytes of the part.
    pub text: Segment,
    /// Names of places in it, each with its offset in the text.
    pub anchors: Vec<(String, usize)>,
    /// What nobody can see on it.
    pub hidden: Vec<(HiddenReason, String)>,
    /// The title in its head.
    pub title: Option<String>,
    /// True if `anchors` has all its places.
    pub has_names: bool,
    /// Problems that did not prevent its text from being read.
    pub problems: Vec<Problem>,
}

/// The source of a part that is a page with a tree, as [`read`] decodes it; `None` for everything else.
pub(super) fn page_source(item: &ManifestItem, mut bytes: Vec<u8>) -> Option<String> {
    bytes.truncate(MAX_PART_BYTES);
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Html };
    let decoded = decode_all(&bytes, &hints).0.text;
    let is_page =
        (is_readable(item) || begins_markup(&bytes)) && kind_of(item, &decoded) == ChapterKind::ChapterPage;
    is_page.then_some(decoded)
}

/// The kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChapterKind {
    ChapterPage,
    Drawing,
    Xml,
    Text,
}

/// Reads a part from its bytes. `styles` are the style sheets of the book by their file names.
///
/// # Errors
/// `Encrypted` if its bytes are encrypted, `ExtractionFailed` if it has no words.
pub(super) fn read(
    item: &ManifestItem,
    mut bytes: Vec<u8>,
    encryption: &Encryption,
    options: &HtmlOptions,
    styles: &[(String, StyleSheet<'_>)],
    marks: Option<&BookContext<'_>>,
) -> Result<ChapterPage, Problem> {
    let path = &item.path;
    let is_markup = begins_markup(&bytes);
    if encryption.covers(path) && !is_markup {
        let message = format!("`{path}` is encrypted with {}", encryption.scheme);
        return Err(Problem::new(ProblemKind::Encrypted, message));
    }
    if !is_readable(item) && !is_markup {
        let media = if item.media.is_empty() { "unknown type" } else { &item.media };
        return Err(Problem::new(
            ProblemKind::ExtractionFailed,
            format!("`{path}` is of {media}, which has no text"),
        ));
    }
    let mut problems = Vec::new();
    if bytes.len() > MAX_PART_BYTES {
        let message = format!("`{path}` has {} bytes, of which {MAX_PART_BYTES} were read", bytes.len());
        problems.push(Problem::new(ProblemKind::SizeLimit, message));
        bytes.truncate(MAX_PART_BYTES);
    }
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Html };
    let (decoded, _, undecodable) = decode_all(&bytes, &hints);
    drop(bytes);
    problems.extend(
        undecodable
            .into_iter()
            .map(|problem| Problem { message: format!("`{path}`: {}", problem.message), ..problem }),
    );
    let page = match kind_of(item, &decoded.text) {
        ChapterKind::ChapterPage => {
            let title = title_of(&decoded.text);
            let linked = linked_styles(&decoded.text, styles);
            let chapter = read_annotated(decoded, options, &linked, marks);
            let Chapter { text, anchors, hidden } = chapter;
            ChapterPage { text, anchors, hidden, title, has_names: true, problems }
        }
        ChapterKind::Drawing => {
            let drawing = Drawing::read(&decoded.text);
            let text = match options.markdown {
                true => drawing.into_text(&decoded),
                false => svg::plain(&drawing.lines, &decoded),
            };
            ChapterPage { text, problems, ..ChapterPage::default() }
        }
        ChapterKind::Xml => ChapterPage { text: plain::read(&decoded), problems, ..ChapterPage::default() },
        ChapterKind::Text => ChapterPage { text: decoded, problems, ..ChapterPage::default() },
    };
    Ok(page)
}

/// The style sheets that the head of a page names, the last first.
fn linked_styles<'s>(page: &str, styles: &'s [(String, StyleSheet<'s>)]) -> Vec<&'s StyleSheet<'s>> {
    let head = &page[..page.floor_char_boundary(MAX_HEAD_BYTES)];
    let named = styles.iter().filter_map(|(name, sheet)| Some((head.find(name.as_str())?, sheet)));
    let mut named: Vec<_> = named.collect();
    named.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    named.into_iter().map(|(_, sheet)| sheet).collect()
}

/// The title in the head of a page, if it is plain text.
fn title_of(page: &str) -> Option<String> {
    let head = &page[..page.floor_char_boundary(MAX_HEAD_BYTES)];
    let start = head.find("<title")?;
    let start = start + head[start..].find('>')? + 1;
    let title = head[start..].split('<').next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty() && !title.contains('&')).then_some(title)
}

/// True if the first character is a `<`, in any encoding of Unicode.
fn begins_markup(bytes: &[u8]) -> bool {
    let head = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = head.strip_prefix(b"\xff\xfe").or_else(|| head.strip_prefix(b"\xfe\xff")).unwrap_or(head);
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0;
    head.iter().take(MAX_FIRST_ELEMENT_BYTES).find(|byte| !is_blank(byte)) == Some(&b'<')
}

fn kind_of(item: &ManifestItem, text: &str) -> ChapterKind {
    let root = first_element(text);
    match root.as_deref() {
        Some("svg") => ChapterKind::Drawing,
        _ if item.media == "text/plain" => ChapterKind::Text,
        Some("html" | "body" | "dtbook" | "HTML" | "BODY") => page_or_xml(text),
        _ if item.media.ends_with("html") || text.contains("<p>") || text.contains("<p ") => {
            page_or_xml(text)
        }
        None => ChapterKind::Text,
        Some(_) => ChapterKind::Xml,
    }
}

fn page_or_xml(text: &str) -> ChapterKind {
    let is_heavy = text.len() > MAX_TREE_PAGE_BYTES
        || memchr::memchr_iter(b'<', text.as_bytes()).nth(MAX_TREE_TAGS).is_some();
    if is_heavy { ChapterKind::Xml } else { ChapterKind::ChapterPage }
}

/// The name of the first element, without prefix.
fn first_element(text: &str) -> Option<String> {
    let end = (0..=MAX_FIRST_ELEMENT_BYTES.min(text.len())).rev().find(|&at| text.is_char_boundary(at))?;
    XmlReader::new(&text[..end]).find_map(|event| match event {
        XmlEvent::Start(tag) => Some(tag.name().to_owned()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(media: &str, content: &str, expected: &str) {
        let item = ManifestItem { path: "a".to_owned(), media: media.to_owned(), ..ManifestItem::default() };
        let options = HtmlOptions { markdown: true, main_content: false };
        let page = read(&item, content.as_bytes().to_vec(), &Encryption::default(), &options, &[], None);
        assert_eq!(page.map(|page| page.text.text).unwrap_or_default(), expected, "of {content}");
    }

    #[test]
    fn parts_are_read_as_what_they_are() {
        check("application/xhtml+xml", "<html><body><h1>A</h1><p>b", "# A\n\nb\n");
        check("application/xhtml+xml", "<svg><text>a</text></svg>", "a\n");
        check(
            "application/xml",
            "<?xml version='1.0'?><moby><t>Hello</t><t>there</t></moby>",
            "Hello\n\nthere\n",
        );
        check("text/plain", "just text", "just text");
        check("image/jpeg", "\u{fffd}\u{fffd}", "");
        check("text/x-oeb1-document", "<html><p>a</html>", "a\n");
    }

    #[test]
    fn many_elements_need_no_tree() {
        let page = format!("<html>{}</html>", "<p>a</p>".repeat(MAX_TREE_TAGS));
        assert_eq!(kind_of(&ManifestItem::default(), &page), ChapterKind::Xml);
        let item = ManifestItem { media: "text/html".to_owned(), ..ManifestItem::default() };
        let page = read(&item, page.into_bytes(), &Encryption::default(), &HtmlOptions::default(), &[], None);
        assert_eq!(
            page.map(|page| page.text.text.lines().filter(|line| *line == "a").count()),
            Ok(MAX_TREE_TAGS)
        );
    }

    #[test]
    fn the_title_of_a_page_is_plain_text() {
        for (page, expected) in [
            ("<html><head><title>A \n book</title>", Some("A book")),
            ("<title lang='en'>Of one</title><title>Other</title>", Some("Of one")),
            ("<title> </title>", None),
            ("<title>A &amp; b</title>", None),
            ("<html><p>no title", None),
            ("<title", None),
        ] {
            assert_eq!(title_of(page).as_deref(), expected, "{page}");
        }
    }

    #[test]
    fn the_kind_of_a_part_is_that_of_its_first_element_or_its_type() {
        for (media, text, expected) in [
            ("text/html", "<svg><text>a", ChapterKind::Drawing),
            ("text/plain", "<svg:svg>", ChapterKind::Drawing),
            ("text/plain", "<html><p>a", ChapterKind::Text),
            ("", "<html>a", ChapterKind::ChapterPage),
            ("", "<BODY>a", ChapterKind::ChapterPage),
            ("", "<dtbook>a", ChapterKind::ChapterPage),
            ("text/html", "<x>a", ChapterKind::ChapterPage),
            ("", "<x><p>a", ChapterKind::ChapterPage),
            ("", "<x><p class='a'>b", ChapterKind::ChapterPage),
            ("", "<x><pa>b", ChapterKind::Xml),
            ("", "a", ChapterKind::Text),
        ] {
            let item = ManifestItem { media: media.to_owned(), ..ManifestItem::default() };
            assert_eq!(kind_of(&item, text), expected, "{media} {text}");
        }
    }

    #[test]
    fn a_page_that_is_too_large_needs_no_tree() {
        for (bytes, expected) in
            [(MAX_TREE_PAGE_BYTES, ChapterKind::ChapterPage), (MAX_TREE_PAGE_BYTES + 1, ChapterKind::Xml)]
        {
            assert_eq!(page_or_xml(&"a".repeat(bytes)), expected, "{bytes}");
        }
        for (tags, expected) in
            [(MAX_TREE_TAGS, ChapterKind::ChapterPage), (MAX_TREE_TAGS + 1, ChapterKind::Xml)]
        {
            assert_eq!(page_or_xml(&"<".repeat(tags)), expected, "{tags}");
        }
    }
}
