//! Saved web pages with their pictures and styles (`.mht`, `.mhtml`): the page is read like any page, the rest is left
//! out. Format: RFC 2557.

use super::eml::{mail_range, note_losses};
use super::head::MailHead;
use super::mail_text::placed;
use super::mime::{Part, walk};
use super::roles::root;
use crate::limits::mail::MAX_SAVED_PAGE_BYTES;
use crate::settings::HtmlOptions;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html::read_html;
use pensieve_text::model::{Document, Problem, ProblemKind};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::borrow::Cow;
use std::sync::Arc;

/// Reads a saved page.
///
/// # Errors
/// `Damaged` if it contains no page.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let range = mail_range(&bytes);
    let found = walk(&bytes[..range.end], range.start, "");
    let pages = pages(&bytes[..range.end], &found.parts);
    let mut document =
        Document { review_reasons: found.review_reasons, problems: found.problems, ..Document::default() };
    if pages.is_empty() {
        return Err(Problem::new(ProblemKind::Damaged, "no page in the saved page"));
    }
    let mut left = MAX_SAVED_PAGE_BYTES;
    // Pages after the first one are frames: they are read if the first one has no text.
    for part in pages {
        let content = part.content(&bytes);
        if !document.text.text.trim().is_empty() {
            break;
        }
        if content.len() > left {
            let message = format!("the page has more than {MAX_SAVED_PAGE_BYTES} bytes");
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        left -= content.len();
        read_part(&bytes, part, &settings.html, &mut document);
    }
    note_losses(&bytes, &MailHead::of(&bytes, &found.parts[0].header), &mut document);
    Ok(document)
}

/// The parts that are pages, the root first.
fn pages<'p>(bytes: &[u8], parts: &'p [Part]) -> Vec<&'p Part> {
    let is_page = |part: &Part| matches!(part.kind.main.as_str(), "text/html" | "application/xhtml+xml");
    let related = parts.iter().position(|part| part.kind.main == "multipart/related");
    let first = related.and_then(|at| root(parts, at, bytes));
    let first = first.and_then(|at| (at..parts[at].end).find(|held| is_page(&parts[*held])));
    let others = (0..parts.len()).filter(|at| Some(*at) != first && is_page(&parts[*at]));
    let mut pages: Vec<&Part> = first.into_iter().chain(others).map(|at| &parts[at]).collect();
    if pages.is_empty() {
        pages.extend(parts.iter().find(|part| part.kind.main == "text/plain"));
    }
    pages
}

fn read_part(bytes: &[u8], part: &Part, options: &HtmlOptions, document: &mut Document) {
    let content = part.content(bytes);
    let charset = part.kind.word("charset");
    let hints = EncodingHints { declared: charset.as_deref(), format: DeclarationFormat::Html };
    let (decoded, encoding, problems) = decode_all(&content, &hints);
    let read = read_html(decoded, options);
    let base = matches!(content, Cow::Borrowed(_)).then_some(part.body.start);
    let number: Arc<str> = part.number.as_str().into();
    document.text = placed(read.text, &number, content.len(), base);
    document.encoding = Some(encoding.name().to_owned());
    document.kind = read.kind;
    if document.metadata.is_empty() {
        document.metadata = read.metadata;
    }
    document.hidden_text = read.hidden_text;
    document.review_reasons.extend(read.review_reasons);
    document.problems.extend(read.problems);
    document.problems.extend(problems);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::{ContainerMember, Locator, Segment, Span};
    use std::io::Cursor;

    struct NoEvents;

    impl DocumentSink for NoEvents {
        fn text(&mut self, _: Segment) -> Result<(), Problem> {
            Ok(())
        }

        fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
            panic!("resources are left out")
        }
    }

    fn page(text: &str) -> Result<Document, Problem> {
        let mut file = Cursor::new(text.as_bytes());
        let mut source = DocumentSource::new(&mut file, "a.mht")?;
        let mut settings = ReadSettings::default();
        settings.html.main_content = false;
        super::read(&mut source, &settings, &mut NoEvents)
    }

    const PARTS: &str = "From: <Saved>\nContent-Type: multipart/related; boundary=b; start=\"<r>\"\n\n--b\n\
        Content-Type: text/css\n\np {}\n--b\nContent-Type: text/html\n\n<p>frame\n--b\n\
        Content-Type: text/html; charset=utf-8\nContent-ID: <r>\nContent-Transfer-Encoding: ";

    #[test]
    fn the_root_is_read_and_nothing_else() {
        let document =
            page(&format!("{PARTS}quoted-printable\n\n<title>T</title><p>caf=C3=A9=\n\n--b--\n")).unwrap();
        assert_eq!(document.text.text, "caf\u{e9}\n");
        assert!(document.metadata.contains(&("title".to_owned(), "T".to_owned())));
        let place = Locator::part("3", Some(Span::new(19, 24)));
        assert_eq!(document.text.places.of(Span::new(0, 5)), Some(place));
    }

    #[test]
    fn bytes_of_a_page_that_stands_as_it_is_are_cited() {
        let text = format!("{PARTS}8bit\n\n<p>caf\u{e9} au lait\n--b--\n");
        let document = page(&text).unwrap();
        let source = document.text.map.source(Span::new(0, 13)).unwrap();
        assert_eq!(&text[source.start..source.end], "caf\u{e9} au lait");
    }

    #[test]
    fn a_file_without_a_page_is_refused() {
        let text =
            "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: image/png\n\nx\n--b--\n";
        assert_eq!(page(text).unwrap_err().kind, ProblemKind::Damaged);
    }
}
