//! Pages of mails: quotations and signatures by the marks that mail programs leave. `blockquote` is a quotation
//! anywhere; what Outlook quotes stands without an element behind a head under a line, what Gmail and others forward in a
//! `div` of theirs. A mark that is not sure is left alone.

use super::main_content::Selection;
use super::parse;
use super::render::Renderer;
use super::tag::Tag;
use super::tree::Tree;
use crate::markdown::StreamWriter;
use pensieve_text::model::Segment;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Classes of elements that hold what is quoted or forwarded.
const QUOTES: &[&str] =
    &["gmail_quote", "moz-forward-container", "protonmail_quote", "yahoo_quoted", "zmail_extra"];

/// Elements by whose `id` Outlook's programs head what they quote.
const HEADS: &[&str] = &["divrplyfwdmsg", "x_divrplyfwdmsg"];

/// Classes and ids of signatures.
const SIGNATURES: &[&str] = &[
    "applemailsignature",
    "gmail_signature",
    "moz-signature",
    "protonmail_signature_block",
    "signature",
    "x_signature",
];

/// Bytes of the head of a quotation: who, when, to whom, what about.
const LONGEST_HEAD: usize = 4096;

/// Elements around a head in which nothing but it stands.
const MOST_WRAPPERS: usize = 8;

/// Reads the page of a mail as Markdown: all of it, since there is nothing around what it is about.
pub fn read_mail_body(decoded: Segment) -> Segment {
    let source = decoded.text.as_str();
    let tree = parse::parse(source, false);
    let selection = Selection::whole(&tree, source);
    let mut renderer = Renderer::new(&tree, source, &selection, StreamWriter::new(source, true));
    renderer.marks = Marks::of(&tree, source);
    renderer.finish().segment(&decoded)
}

/// Where quotations without an element of their own begin and end, and where signatures begin.
#[derive(Debug, Default)]
pub(super) struct Marks {
    quotes: BTreeMap<usize, usize>,
    signatures: BTreeSet<usize>,
}

impl Marks {
    /// Where the quotation ends that begins with this node.
    pub fn quote_end(&self, node: usize) -> Option<usize> {
        self.quotes.get(&node).copied()
    }

    /// True for a node with which a signature begins.
    pub fn signs(&self, node: usize) -> bool {
        self.signatures.contains(&node)
    }

    fn of(tree: &Tree, source: &str) -> Marks {
        let page = Page::of(tree, source);
        let mut marks = Marks::default();
        for node in 0..tree.len() {
            if !matches!(tree.tag(node), Some(Tag::Div | Tag::Pre | Tag::Span | Tag::Table | Tag::P)) {
                continue;
            }
            if is_named(tree, node, SIGNATURES) {
                marks.sign(&page, node);
            } else if is_class(tree, node, QUOTES) {
                let below = node..tree.end(node);
                if !holds(&page.blockquotes, &below) && page.has_words(&below) {
                    marks.quotes.insert(node, below.end);
                }
            } else if page.is_head(node) {
                marks.quote_behind(&page, node);
            }
        }
        marks
    }

    /// A signature inside a signature is the same one; one that has its line needs no other.
    fn sign(&mut self, page: &Page<'_>, node: usize) {
        let is_inside = self.signatures.last().is_some_and(|last| node < page.tree.end(*last));
        let first = page.words_in(&(node..page.tree.end(node))).next();
        if !is_inside && first.is_some_and(|words| !words.trim_start().starts_with("--")) {
            self.signatures.insert(node);
        }
    }

    /// What stands behind the head in its element is quoted, or behind the elements that hold nothing else.
    fn quote_behind(&mut self, page: &Page<'_>, head: usize) {
        let tree = page.tree;
        let mut start = head;
        for _ in 0..MOST_WRAPPERS {
            let parent = tree.parent(start);
            let is_body = matches!(tree.tag(parent), Some(Tag::Body | Tag::Html) | None);
            if is_body || page.has_words(&(tree.end(start)..tree.end(parent))) {
                break;
            }
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

/// A page with what is asked of every element of it, in one pass: hostile ones have a hundred thousand inside each other.
struct Page<'p> {
    tree: &'p Tree,
    source: &'p str,
    /// Texts that are not blank.
    words: Vec<usize>,
    blockquotes: Vec<usize>,
}

impl<'p> Page<'p> {
    fn of(tree: &'p Tree, source: &'p str) -> Page<'p> {
        let has_words =
            |node: &usize| tree.piece(*node).is_some_and(|piece| !piece.resolve(source).trim().is_empty());
        Page {
            tree,
            source,
            words: (0..tree.len()).filter(has_words).collect(),
            blockquotes: (0..tree.len()).filter(|node| tree.tag(*node) == Some(Tag::Blockquote)).collect(),
        }
    }

    fn has_words(&self, nodes: &Range<usize>) -> bool {
        holds(&self.words, nodes)
    }

    fn words_in(&self, nodes: &Range<usize>) -> impl Iterator<Item = &str> {
        let (first, end) = (self.words.partition_point(|word| *word < nodes.start), nodes.end);
        let words = self.words[first..].iter().take_while(move |word| **word < end);
        words.filter_map(|word| self.tree.piece(*word)).map(|piece| piece.resolve(self.source))
    }

    /// The head of what Outlook quotes: under a line, with at least three labels.
    fn is_head(&self, node: usize) -> bool {
        let id = self.tree.attribute(node, "id").unwrap_or_default().to_ascii_lowercase();
        let has_line = || {
            let style = self.tree.attribute(node, "style").unwrap_or_default().to_ascii_lowercase();
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            style.contains("border:none") && style.contains("border-top:solid")
        };
        if !HEADS.contains(&id.as_str()) && (self.tree.tag(node) != Some(Tag::Div) || !has_line()) {
            return false;
        }
        let (mut length, mut labels) = (0, 0);
        for words in self.words_in(&(node..self.tree.end(node))) {
            length += words.len();
            labels += words.matches([':', '：']).count();
            if length > LONGEST_HEAD {
                return false;
            }
        }
        labels >= 3
    }
}

/// True when one of the numbers, which are sorted, lies in the range.
fn holds(sorted: &[usize], range: &Range<usize>) -> bool {
    sorted.get(sorted.partition_point(|at| *at < range.start)).is_some_and(|at| *at < range.end)
}

fn is_class(tree: &Tree, node: usize, names: &[&str]) -> bool {
    let classes = tree.attribute(node, "class").unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| names.iter().any(|name| class.eq_ignore_ascii_case(name)))
}

fn is_named(tree: &Tree, node: usize, names: &[&str]) -> bool {
    let id = tree.attribute(node, "id").unwrap_or_default();
    names.iter().any(|name| id.eq_ignore_ascii_case(name)) || is_class(tree, node, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: &str) {
        let decoded = Segment { text: page.to_owned(), ..Segment::default() };
        assert_eq!(read_mail_body(decoded).text.trim_end(), expected, "{page}");
    }

    #[test]
    fn quotations_of_all_programs_are_quoted() {
        check("<p>a<blockquote type=cite>b<blockquote>c</blockquote></blockquote>", "a\n\n> b\n>\n> > c");
        let line = "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in";
        let head = format!("<div style='{line}'><p><b>From:</b> x<br><b>Sent:</b> y<br><b>To:</b> z</div>");
        let quoted = "> **From:** x\n> **Sent:** y\n> **To:** z\n>\n> old\n>\n> older";
        check(&format!("<div><p>new<div>{head}</div><p>old<p>older</div>"), &format!("new\n\n{quoted}"));
        check(&format!("<div><p>new</div>{head}<p>old<p>older"), &format!("new\n\n{quoted}"));
        check(
            "<p>a<hr><div id=divRplyFwdMsg>From: x Sent: y To: z</div><div>b</div>",
            "a\n\n---\n\n> From: x Sent: y To: z\n>\n> b",
        );
        check("<div>a</div><div class='gmail_quote x'>Forwarded<br>b</div>", "a\n\n> Forwarded\n> b");
        check(
            "<div class=gmail_quote><div>On y x wrote:</div><blockquote>b</blockquote></div>",
            "On y x wrote:\n\n> b",
        );
    }

    #[test]
    fn signatures_have_their_line() {
        check(
            "<p>a<div class=gmail_signature>b<div class=gmail_signature>c</div></div>",
            "a\n\n--\n\nb\n\nc",
        );
        check("<p>a<div class=moz-signature>-- <br>b</div>", "a\n\n--\nb");
        check("<p>a<div id=Signature> </div>", "a");
    }

    #[test]
    fn elements_inside_each_other_end_soon() {
        let page = "<div class=gmail_quote style='border:none;border-top:solid'>".repeat(20_000);
        let decoded = Segment { text: format!("{page}a"), ..Segment::default() };
        let text = read_mail_body(decoded).text;
        assert!(text.trim_end().ends_with("> a") && text.len() < 4096, "{} bytes", text.len());
    }

    #[test]
    fn lines_that_head_nothing_are_left_alone() {
        check("<p>a<div style='border:none;border-top:solid 1pt'>no head</div><p>b", "a\n\nno head\n\nb");
    }
}
