//! Whether XML ends before its first element: the end tag of the root is searched. A file with several elements on the
//! outermost level has the end of the first. SAMI subtitles are older than XML, and have one element around all too.

/// Bytes among which the start tag of the root ends; after more of them nothing is said about the end.
const MAX_START_BYTES: usize = 64 << 10;

/// Searches the end of the first element of a text that arrives in parts.
#[derive(Debug)]
pub(super) enum ElementEnd {
    /// The text so far: the start tag of the root has not ended.
    Start(String),
    /// The root is open: its end tag `</name`, and as many bytes of the text as may be a part of it.
    Open(Vec<u8>, Vec<u8>),
    /// The root ended, or there is none.
    Done,
}

/// What a text begins with.
#[derive(Debug, PartialEq, Eq)]
enum RootTag<'t> {
    /// The name in the start tag of an element, and the text after it.
    Open(&'t str, &'t str),
    /// Markup that has not ended.
    Unfinished,
    /// Complete markup before any element.
    Prolog,
    /// An empty element, or something else.
    Other,
}

impl ElementEnd {
    pub(super) fn new() -> ElementEnd {
        ElementEnd::Start(String::new())
    }

    /// True if the text so far ends inside of its first element, or of what stands before it.
    pub(super) fn is_open(&self) -> bool {
        match self {
            ElementEnd::Start(start) => start.starts_with("<?xml") && root_tag(start) == RootTag::Unfinished,
            ElementEnd::Open(..) => true,
            ElementEnd::Done => false,
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        match self {
            ElementEnd::Start(start) => {
                start.push_str(text);
                *self = ElementEnd::after(std::mem::take(start));
            }
            ElementEnd::Open(end_tag, tail) => {
                tail.extend_from_slice(text.as_bytes());
                if has_tag(tail, end_tag) {
                    *self = ElementEnd::Done;
                } else {
                    tail.drain(..tail.len().saturating_sub(end_tag.len()));
                }
            }
            ElementEnd::Done => {}
        }
    }

    /// The state after a text that may have the start tag of the root.
    fn after(start: String) -> ElementEnd {
        match root_tag(&start) {
            RootTag::Open(name, rest) => {
                let mut open = ElementEnd::Open(format!("</{name}").into_bytes(), Vec::new());
                open.push(rest);
                open
            }
            RootTag::Unfinished | RootTag::Prolog if start.len() <= MAX_START_BYTES => {
                ElementEnd::Start(start)
            }
            _ => ElementEnd::Done,
        }
    }
}

/// What stands at the start of a text, after white space, the XML declaration, comments and the document type.
fn root_tag(text: &str) -> RootTag<'_> {
    let mut rest = text.trim_start();
    loop {
        let end = match rest {
            "" => return RootTag::Prolog,
            _ if ["<!--", "<!DOCTYPE"].iter().any(|start| start.starts_with(rest)) => None,
            _ if rest.starts_with("<?") => rest.find("?>").map(|at| at + 2),
            _ if rest.starts_with("<!--") => rest.find("-->").map(|at| at + 3),
            _ if rest.starts_with("<!DOCTYPE") => doctype_length(rest),
            _ => return element(rest),
        };
        match end {
            Some(end) => rest = rest[end..].trim_start(),
            None => return RootTag::Unfinished,
        }
    }
}

/// The length of a document type; its own declarations are between square brackets.
fn doctype_length(text: &str) -> Option<usize> {
    let end = text.find(['[', '>'])?;
    if text[end..].starts_with('>') {
        return Some(end + 1);
    }
    let closes = |at: &usize| text[at + 1..].trim_start().starts_with('>');
    let bracket = text.match_indices(']').map(|(at, _)| at).find(closes)?;
    text[bracket..].find('>').map(|at| bracket + at + 1)
}

fn element(text: &str) -> RootTag<'_> {
    let Some(tag) = text.strip_prefix('<') else { return RootTag::Other };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.');
    let name = &tag[..tag.find(|c| !is_name(c)).unwrap_or(tag.len())];
    if !tag.is_empty() && !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return RootTag::Other;
    }
    let mut quote = None;
    for (at, c) in tag.char_indices().skip(name.len()) {
        match (quote, c) {
            (None, '>') if tag[..at].ends_with('/') => return RootTag::Other,
            (None, '>') => return RootTag::Open(name, &tag[at + 1..]),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    RootTag::Unfinished
}

/// True if an end tag is in the text, in any case of its letters, with what ends its name.
fn has_tag(text: &[u8], end_tag: &[u8]) -> bool {
    let is_tag = |at: usize| {
        let found = text[at..].split_at_checked(end_tag.len());
        found.is_some_and(|(tag, after)| {
            tag.eq_ignore_ascii_case(end_tag) && after.first().is_some_and(|byte| b"> \t\r\n".contains(byte))
        })
    };
    memchr::memchr_iter(b'<', text).any(is_tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        for size in [1, 7, text.len().max(1)] {
            let mut end = ElementEnd::new();
            text.as_bytes().chunks(size).for_each(|part| end.push(std::str::from_utf8(part).unwrap()));
            assert_eq!(end.is_open(), expected, "{text:?} in parts of {size}");
        }
    }

    #[test]
    fn an_element_without_its_end_is_cut() {
        check("<?xml version='1.0'?>\n<!-- a --><list a='>'>\n<item/></list>\n", false);
        check("<?xml version='1.0'?>\n<list><item>", true);
        check("<list><item></item></lis", true);
        check("<list><listing></listing>", true);
        check("<list></list \n>", false);
        check("<!DOCTYPE a [<!ENTITY b \"]c\">] ><a>", true);
        check("<!DOCTYPE a><a></a>", false);
        check("<SAMI><BODY>words</body></sami>", false);
    }

    #[test]
    fn what_stands_before_the_element_ends_too() {
        check("<?xml version='1.0'", true);
        check("<?xml version='1.0'?><!-- a", true);
        check("<?xml version='1.0'?><list a='b", true);
        check("<?xml version='1.0'?>", false);
    }

    #[test]
    fn files_without_a_root_have_no_end() {
        check("", false);
        check("words <b>", false);
        check("<list/>", false);
        check("<!ENTITY a '<b>'>", false);
        check("<% if x %><list>", false);
        check("<a>one</a><b>two</b>", false);
    }
}
