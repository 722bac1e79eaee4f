//! Quotations and signatures in the pages of mails, by the marks that mail programs leave. `blockquote` is a
//! quotation anywhere; what Outlook quotes has no element of its own and follows a header below a line; what Gmail
//! and others forward is in a `div` with a class of theirs. An uncertain mark is ignored.

use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Classes of elements with quoted or forwarded text.
// Of Gmail, Thunderbird, Proton, Yahoo and Zoho.
const QUOTES: &[&str] =
    &["gmail_quote", "moz-forward-container", "protonmail_quote", "yahoo_quoted", "zmail_extra"];

/// Ids of the header that Outlook programs put before what they quote.
// Outlook writes `x_` before all names of a mail that it quotes.
const HEADER_IDS: &[&str] = &["divrplyfwdmsg", "x_divrplyfwdmsg"];

/// Classes and ids of signatures.
const SIGNATURES: &[&str] = &[
    "applemailsignature",
    "gmail_signature",
    "moz-signature",
    "protonmail_signature_block",
    "signature",
    "x_signature",
];

/// A longer text is not the header of a quotation (sender, date, recipients, subject).
const MAX_HEAD_BYTES: usize = 4096;

/// How many elements may wrap a header without other content.
const MAX_WRAPPERS: usize = 8;

/// Where quotations without an element of their own begin and end, and where signatures begin.
#[derive(Debug, Default)]
pub(crate) struct MailMarks {
    quotes: BTreeMap<usize, usize>,
    signatures: BTreeSet<usize>,
}

impl MailMarks {
    /// The end of the quotation that begins with this node.
    pub fn quote_end(&self, node: usize) -> Option<usize> {
        self.quotes.get(&node).copied()
    }

    /// True for a node with which a signature begins.
    pub fn begins_signature(&self, node: usize) -> bool {
        self.signatures.contains(&node)
    }

    /// The marks of a page.
    pub fn of(tree: &PageTree, source: &str) -> MailMarks {
        let page = MailPage::of(tree, source);
        let mut marks = MailMarks::default();
        for node in 0..tree.len() {
            if !matches!(
                tree.tag(node),
                Some(HtmlTag::Div | HtmlTag::Pre | HtmlTag::Span | HtmlTag::Table | HtmlTag::P)
            ) {
                continue;
            }
            if is_named(tree, node, SIGNATURES) {
                marks.add_signature(&page, node);
            } else if is_class(tree, node, QUOTES) {
                let below = node..tree.end(node);
                // A quotation inside would be marked twice.
                if !holds(&page.blockquotes, &below) && page.has_words(&below) {
                    marks.quotes.insert(node, below.end);
                }
            } else if page.is_head(node) {
                marks.quote_after(&page, node);
            }
        }
        marks
    }

    /// A signature inside a signature is the same one; one with its own separator line needs no other.
    fn add_signature(&mut self, page: &MailPage<'_>, node: usize) {
        let is_inside = self.signatures.last().is_some_and(|last| node < page.tree.end(*last));
        let first = page.words_in(&(node..page.tree.end(node))).next();
        if !is_inside && first.is_some_and(|words| !words.trim_start().starts_with("--")) {
            self.signatures.insert(node);
        }
    }

    /// What follows the header in its element is quoted, or else what follows the elements that wrap only the header.
    fn quote_after(&mut self, page: &MailPage<'_>, head: usize) {
        let tree = page.tree;
        let mut start = head;
        for _ in 0..MAX_WRAPPERS {
            let parent = tree.parent(start);
            let is_body = matches!(tree.tag(parent), Some(HtmlTag::Body | HtmlTag::Html) | None);
            if is_body || page.has_words(&(tree.end(start)..tree.end(parent))) {
                break;
            }
            // With words before it, the element is no wrapper, and its end not that of the quotation.
            if page.has_words(&(parent + 1..start)) {
                return;
            }
            start = parent;
        }
        let end = tree.end(tree.parent(start));
        if end > tree.end(start) {
            self.quotes.insert(start, end);
        }
    }
}

/// A page with the facts that are needed of each element, found in one pass: hostile pages nest a hundred thousand
/// elements.
struct MailPage<'p> {
    tree: &'p PageTree,
    source: &'p str,
    /// Texts that are not blank.
    words: Vec<usize>,
    blockquotes: Vec<usize>,
}

impl<'p> MailPage<'p> {
    fn of(tree: &'p PageTree, source: &'p str) -> MailPage<'p> {
        let has_words =
            |node: &usize| tree.text(*node).is_some_and(|text| !text.resolve(source).trim().is_empty());
        MailPage {
            tree,
            source,
            words: (0..tree.len()).filter(has_words).collect(),
            blockquotes: (0..tree.len())
                .filter(|node| tree.tag(*node) == Some(HtmlTag::Blockquote))
                .collect(),
        }
    }

    fn has_words(&self, nodes: &Range<usize>) -> bool {
        holds(&self.words, nodes)
    }

    fn words_in(&self, nodes: &Range<usize>) -> impl Iterator<Item = &str> {
        let (first, end) = (self.words.partition_point(|word| *word < nodes.start), nodes.end);
        let words = self.words[first..].iter().take_while(move |word| **word < end);
        words.filter_map(|word| self.tree.text(*word)).map(|text| text.resolve(self.source))
    }

    /// True for the header of what Outlook quotes: below a line, with at least three labels.
    fn is_head(&self, node: usize) -> bool {
        let id = self.tree.attribute(node, "id").unwrap_or_default().to_ascii_lowercase();
        // Outlook for Windows writes no id, but this style.
        let has_line = || {
            let style = self.tree.attribute(node, "style").unwrap_or_default().to_ascii_lowercase();
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            style.contains("border:none") && style.contains("border-top:solid")
        };
        if !HEADER_IDS.contains(&id.as_str()) && (self.tree.tag(node) != Some(HtmlTag::Div) || !has_line()) {
            return false;
        }
        let (mut length, mut labels) = (0, 0);
        for words in self.words_in(&(node..self.tree.end(node))) {
            length += words.len();
            labels += words.matches([':', '：']).count();
            if length > MAX_HEAD_BYTES {
                return false;
            }
        }
        // Sender, date and subject: whatever their language, they end in colons.
        labels >= 3
    }
}

/// True if one of the sorted numbers is in the range.
fn holds(sorted: &[usize], range: &Range<usize>) -> bool {
    sorted.get(sorted.partition_point(|at| *at < range.start)).is_some_and(|at| *at < range.end)
}

fn is_class(tree: &PageTree, node: usize, names: &[&str]) -> bool {
    let classes = tree.attribute(node, "class").unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| names.iter().any(|name| class.eq_ignore_ascii_case(name)))
}

fn is_named(tree: &PageTree, node: usize, names: &[&str]) -> bool {
    let id = tree.attribute(node, "id").unwrap_or_default();
    names.iter().any(|name| id.eq_ignore_ascii_case(name)) || is_class(tree, node, names)
}
