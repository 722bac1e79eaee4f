//! What each part of a mail is used for: text of the mail, a document of its own, nothing. Of alternatives one is read.
//! Format: RFC 2046 section 5.1, RFC 2387 (related), RFC 1847 (signed, encrypted), RFC 2183 (disposition).

use super::mime::Part;
use crate::limits::mail::{MAX_ALTERNATIVE_TEXTS, MAX_PAGE_PART_BYTES, MAX_TEXT_PART_BYTES};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartRole {
    /// Its text belongs to the mail.
    Plain,
    /// Its text, without its markup, belongs to the mail.
    Page,
    /// The same, for the older markup of RFC 1896 and RFC 1341.
    Enriched,
    /// A document of its own.
    Member,
    /// A packet of Outlook that contains documents.
    Tnef,
    /// A signed or encrypted packet of S/MIME.
    CmsContent,
    /// A reference to content outside of the mail.
    External,
    Encrypted,
    /// Nothing: a multipart, a signature, the worse of two alternatives.
    None,
}

/// Letters that a page must have before the plain text beside it can be a stub.
const MIN_PAGE_LETTERS: usize = 200;

/// The order of preference among texts.
const PLAIN: u8 = 3;
const PAGE: u8 = 2;
const ENRICHED: u8 = 1;

pub(super) fn roles(bytes: &[u8], parts: &[Part]) -> Vec<PartRole> {
    let mut roles: Vec<PartRole> = Vec::with_capacity(parts.len());
    let mut has_text = false;
    for part in parts {
        let role = by_type(part, has_text);
        has_text |= is_text(role);
        roles.push(role);
    }
    let has_alternatives = parts.iter().any(|part| part.kind.main == "multipart/alternative");
    let worths: Vec<u8> = match has_alternatives {
        true => parts.iter().zip(&roles).map(|(part, role)| worth(bytes, part, *role)).collect(),
        false => Vec::new(),
    };
    // Multiparts come before their parts, so the outer ones decide first.
    for at in 0..parts.len() {
        match parts[at].kind.main.as_str() {
            "multipart/alternative" => keep_best(bytes, parts, &worths, &mut roles, at),
            "multipart/related" => keep_root(parts, &mut roles, at),
            "multipart/encrypted" => {
                roles[at..parts[at].end].fill(PartRole::None);
                roles[at] = PartRole::Encrypted;
            }
            _ => {}
        }
    }
    roles
}

/// The children of a multipart.
pub(super) fn children(parts: &[Part], at: usize) -> impl Iterator<Item = usize> + '_ {
    let mut next = at + 1;
    std::iter::from_fn(move || {
        let child = Some(next).filter(|child| *child < parts[at].end)?;
        next = parts[child].end;
        Some(child)
    })
}

/// The part that the others of a multipart/related belong to: the one it names, else the first.
pub(super) fn root(parts: &[Part], at: usize, bytes: &[u8]) -> Option<usize> {
    let start = parts[at].kind.bytes("start");
    let is_named = |child: &usize| {
        let id = parts[*child].header.value(bytes, "content-id").map(<[u8]>::trim_ascii);
        start.is_some() && id == start
    };
    children(parts, at).find(is_named).or_else(|| children(parts, at).next())
}

/// The page of the mail, with or without plain text beside it: the first page that is not attached.
pub(super) fn own_page(parts: &[Part]) -> Option<&Part> {
    let is_encrypted = parts.iter().any(|part| part.kind.main == "multipart/encrypted");
    parts.iter().find(|part| !is_encrypted && by_type(part, false) == PartRole::Page && !part.body.is_empty())
}

fn is_text(role: PartRole) -> bool {
    matches!(role, PartRole::Plain | PartRole::Page | PartRole::Enriched)
}

fn by_type(part: &Part, has_text: bool) -> PartRole {
    let is_attached = part.disposition.main == "attachment";
    let has_name = !is_attached && part.file_name().is_some();
    let size = part.body.len();
    let is_own = is_attached || has_name && has_text;
    match part.kind.main.as_str() {
        kind if kind.starts_with("multipart/") => PartRole::None,
        "text/html" | "application/xhtml+xml" if !is_own && size <= MAX_PAGE_PART_BYTES => PartRole::Page,
        "text/plain" | "text" if !is_own && size <= MAX_TEXT_PART_BYTES => PartRole::Plain,
        "text/enriched" | "text/richtext" if !is_own && size <= MAX_PAGE_PART_BYTES => PartRole::Enriched,
        "application/pgp-signature" | "application/pkcs7-signature" | "application/x-pkcs7-signature" => {
            PartRole::None
        }
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => PartRole::CmsContent,
        "application/ms-tnef" | "application/vnd.ms-tnef" => PartRole::Tnef,
        "application/applefile" => PartRole::None,
        "message/external-body" => PartRole::External,
        "message/delivery-status"
        | "message/global-delivery-status"
        | "message/disposition-notification"
        | "message/feedback-report"
        | "message/partial"
            if !is_attached && size <= MAX_TEXT_PART_BYTES =>
        {
            PartRole::Plain
        }
        kind if kind.starts_with("text/")
            && !is_own
            && !has_name
            && size <= MAX_TEXT_PART_BYTES
            && is_words(kind) =>
        {
            PartRole::Plain
        }
        _ => PartRole::Member,
    }
}

/// Types of text that belongs to the mail: other types have readers of their own, or none.
fn is_words(kind: &str) -> bool {
    const FILES: &[&str] = &[
        "calendar",
        "css",
        "csv",
        "directory",
        "html",
        "javascript",
        "rfc822-headers",
        "rtf",
        "vcard",
        "x-amp-html",
        "x-vcalendar",
        "x-vcard",
        "x-watch-html",
        "xml",
    ];
    kind.split_once('/').is_some_and(|(_, name)| !FILES.contains(&name))
}

/// How much a part is preferred as the text of the mail.
fn worth(bytes: &[u8], part: &Part, role: PartRole) -> u8 {
    match role {
        PartRole::Plain if !is_blank(bytes, part) => PLAIN,
        PartRole::Page if !is_blank(bytes, part) => PAGE,
        PartRole::Enriched if !is_blank(bytes, part) => ENRICHED,
        _ => 0,
    }
}

/// Of alternatives, the first one with plain text is read, else the first one with any text; but the page if the
/// plain text is a stub. Several plain texts are not alternatives, whatever their mail says: all are read.
/// Attachments stay.
fn keep_best(bytes: &[u8], parts: &[Part], worths: &[u8], roles: &mut [PartRole], at: usize) {
    let texts = |child: usize| (child..parts[child].end).filter(|held| is_text(roles[*held]));
    let worth = |child: usize| texts(child).map(|held| worths[held]).max().unwrap_or(0);
    let mut best: Option<(usize, u8)> = None;
    for child in children(parts, at) {
        let worth = worth(child);
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((child, worth));
        }
    }
    let Some((mut best, mut most)) = best else { return };
    let pages = || children(parts, at).filter(|child| worth(*child) == PAGE);
    if most == PLAIN
        && let Some(page) = pages().next()
    {
        let letters =
            |child| texts(child).map(|held| letters(bytes, &parts[held], roles[held])).sum::<usize>();
        let names_html = |child| texts(child).any(|held| names_html(bytes, &parts[held], roles[held]));
        let (plain, shown) = (letters(best), letters(page));
        let says_why = plain < shown.min(MIN_PAGE_LETTERS) && names_html(best) && !names_html(page);
        if is_stub(plain, shown) || says_why {
            (best, most) = (page, PAGE);
        }
    }
    let mut kept = vec![best];
    for child in children(parts, at).filter(|child| most == PLAIN && *child != best) {
        let content = |child: usize| parts[child].content(bytes);
        let is_new = || kept.iter().all(|kept| content(*kept).trim_ascii() != content(child).trim_ascii());
        if kept.len() < MAX_ALTERNATIVE_TEXTS
            && roles[child] == PartRole::Plain
            && worths[child] == PLAIN
            && is_new()
        {
            kept.push(child);
        }
    }
    for other in children(parts, at).filter(|child| !kept.contains(child)).collect::<Vec<_>>() {
        let held = &mut roles[other..parts[other].end];
        held.iter_mut().filter(|role| is_text(**role)).for_each(|role| *role = PartRole::None);
    }
}

/// True for a plain text that only says that there is a page: with less than a third of its letters.
fn is_stub(plain: usize, page: usize) -> bool {
    page >= MIN_PAGE_LETTERS && plain * 3 < page
}

/// True for a text about HTML. If its page does not have the word, it tells why there is no page to be seen: `Your program
/// does not show HTML.`
fn names_html(bytes: &[u8], part: &Part, role: PartRole) -> bool {
    let content = part.content(bytes);
    let shown = if role == PartRole::Plain { content.to_vec() } else { without_markup(&content) };
    let mut words = shown.split(u8::is_ascii_whitespace);
    words.any(|word| {
        let from = word.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
        let word = &word[from..];
        let (name, rest) = word.split_at(word.len().min(4));
        name.eq_ignore_ascii_case(b"html") && !rest.iter().any(u8::is_ascii_alphanumeric)
    })
}

/// Letters and digits of a text, without tags, addresses and what is not shown. Bytes of other scripts count one each.
fn letters(bytes: &[u8], part: &Part, role: PartRole) -> usize {
    let content = part.content(bytes);
    let shown = if role == PartRole::Plain { content.to_vec() } else { without_markup(&content) };
    let is_address = |word: &&[u8]| memchr::memmem::find(word, b"://").is_some();
    let words = shown.split(u8::is_ascii_whitespace).filter(|word| !is_address(word));
    words.flatten().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count()
}

/// A page without tags, comments, styles and references; good enough to count.
fn without_markup(page: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(page.len());
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'<', b'&', &page[at..]).map(|found| at + found) {
        shown.extend_from_slice(&page[at..found]);
        shown.push(b' ');
        let rest = &page[found..];
        let starts = |name: &[u8]| rest.len() > name.len() && rest[1..=name.len()].eq_ignore_ascii_case(name);
        let end: &[u8] = match rest[0] {
            b'&' => b"",
            _ if starts(b"!--") => b"-->",
            _ if starts(b"style") => b"</style",
            _ if starts(b"script") => b"</script",
            _ if starts(b"title") => b"</title",
            _ => b">",
        };
        let length = match end {
            b"" => {
                1 + rest[1..]
                    .iter()
                    .take(8)
                    .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
                    .count()
            }
            _ => memchr::memmem::find(rest, end).map_or(rest.len(), |length| length + end.len()),
        };
        at = found + length;
    }
    shown.extend_from_slice(&page[at..]);
    shown
}

/// Texts beside the root of a multipart/related belong to it, as pictures do.
fn keep_root(parts: &[Part], roles: &mut [PartRole], at: usize) {
    let Some(first) = children(parts, at).next() else { return };
    let has_named_root = parts[at].kind.bytes("start").is_some();
    if has_named_root || !roles[first..parts[first].end].iter().any(|role| is_text(*role)) {
        return;
    }
    for other in children(parts, at).skip(1).collect::<Vec<_>>() {
        let held = roles[other..parts[other].end].iter_mut();
        held.filter(|role| matches!(role, PartRole::Page | PartRole::Enriched))
            .for_each(|role| *role = PartRole::Member);
    }
}

/// True for a part without words: programs put an empty text beside a page.
fn is_blank(bytes: &[u8], part: &Part) -> bool {
    let raw = &bytes[part.body.clone()];
    if raw.len() > 64 << 10 {
        return false;
    }
    part.content(bytes).iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0xa0 || *byte == 0xc2)
}

#[cfg(test)]
mod tests {
    use super::super::mime::walk;
    use super::*;

    fn check(text: &str, expected: &[PartRole]) {
        let parts = walk(text.as_bytes(), 0, "").parts;
        assert_eq!(roles(text.as_bytes(), &parts), expected, "{text}");
    }

    fn multipart(kind: &str, parts: &[&str]) -> String {
        let mark = kind.len();
        let mut text = format!("Content-Type: multipart/{kind}; boundary=b{mark}\n\n");
        parts.iter().for_each(|part| text.push_str(&format!("--b{mark}\n{part}\n")));
        text + &format!("--b{mark}--\n")
    }

    const PLAIN: &str = "Content-Type: text/plain\n\nwords";
    const EMPTY: &str = "Content-Type: text/plain\n\n \n";
    const PAGE: &str = "Content-Type: text/html\n\n<p>words";
    const PDF: &str = "Content-Type: application/pdf\n\n%PDF";

    #[test]
    fn pages_are_counted_without_their_markup() {
        let check = |page: &str, expected: &str| {
            let shown = String::from_utf8(without_markup(page.as_bytes())).unwrap();
            let words: Vec<&str> =
                shown.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            assert_eq!(words.join(" "), expected, "{page}");
        };
        check("<title>no</title><p>one<br>two</p><!-- a > b -->three", "one two three");
        check("<style>p { x: y }</style><SCRIPT>a < b</script>one &amp; two", "one two");
        // The beginning of a comment or an element at the end of the page.
        for end in ["<!-", "<!--", "<style", "<script", "<title", "<", "&", "<p"] {
            assert!(without_markup(format!("one {end}").as_bytes()).starts_with(b"one "), "{end}");
        }
    }

    #[test]
    fn of_alternatives_the_plain_text_is_read_unless_it_is_empty() {
        use PartRole::*;
        check(&multipart("alternative", &[PLAIN, PAGE]), &[None, Plain, None]);
        check(&multipart("alternative", &[PAGE, PLAIN]), &[None, None, Plain]);
        check(&multipart("alternative", &[EMPTY, PAGE]), &[None, None, Page]);
        check(&multipart("alternative", &[PLAIN, PAGE, PLAIN]), &[None, Plain, None, None]);
        check(&multipart("alternative", &[PLAIN, PAGE, "\nmore"]), &[None, Plain, None, Plain]);
        let nested = multipart("alternative", &[PLAIN, "\nmore"]).replace("b11", "c");
        check(&multipart("alternative", &[&nested, "\nless"]), &[None, None, Plain, Plain, Plain]);
        let long = format!("Content-Type: text/html\n\n<style>{0}</style><p>{0}", "words ".repeat(60));
        check(&multipart("alternative", &[PLAIN, &long]), &[None, None, Page]);
        let short = format!("\nhttps://{} {}", "x".repeat(999), "words ".repeat(30));
        check(&multipart("alternative", &[&short, &long]), &[None, Plain, None]);
        let why = "\nYour program does not show HTML.";
        let page = "Content-Type: text/html\n\n<p>The ferry leaves at nine from the east quay, and at noon.";
        check(&multipart("alternative", &[why, page]), &[None, None, Page]);
        check(&multipart("alternative", &[why, &format!("{page} HTML")]), &[None, Plain, None]);
        check(&multipart("alternative", &["\nSee https://a.org/b.html", page]), &[None, Plain, None]);
        let mixed = multipart("mixed", &[PAGE, PDF]);
        check(&multipart("alternative", &[PLAIN, &mixed]), &[None, Plain, None, None, Member]);
        check(&multipart("related", &[PAGE, PAGE, PDF]), &[None, Page, Member, Member]);
    }

    #[test]
    fn what_is_attached_is_a_document_and_what_is_encrypted_is_not_read() {
        use PartRole::*;
        let attached = "Content-Type: text/plain\nContent-Disposition: attachment\n\nwords";
        let named = "Content-Type: text/plain; name=a.txt\n\nwords";
        check(&multipart("mixed", &[PLAIN, PLAIN, attached, named]), &[None, Plain, Plain, Member, Member]);
        let (own, card) = ("Content-Type: text/x-own\n\na", "Content-Type: text/x-vcard\n\na");
        check(&multipart("mixed", &[own, card]), &[None, Plain, Member]);
        check(named, &[Plain]);
        check(&multipart("encrypted", &[PDF, PDF]), &[Encrypted, None, None]);
    }
}
