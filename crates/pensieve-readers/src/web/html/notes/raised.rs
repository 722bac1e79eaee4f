//! Raised signs of notes that no link names: in the text, and at the start of the notes below it.

use super::element::block_of;
use super::note_sign::NoteSign;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::render::page::NEAR_NODES;

/// Digits of the longest number of a note. Years and exponents of ten are longer or follow digits.
const MAX_DIGITS: usize = 3;

/// A raised number or star in the text, outside of every link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RaisedSign {
    /// Its element.
    pub node: usize,
    /// The block that contains it.
    pub block: usize,
    /// Its words.
    pub sign: String,
}

/// The sign at an element, if it directly follows a word or the end of a sentence and no word directly follows it. After
/// a digit or a lone letter it is an exponent: `10²`, `x²`.
pub(super) fn raised_sign(tree: &PageTree, source: &str, node: usize) -> Option<RaisedSign> {
    let sign = sign_of(tree, source, node)?;
    let block = block_of(tree, node);
    let first = node.saturating_sub(NEAR_NODES).max(block);
    let before: String =
        (first..node).filter_map(|at| tree.text(at)).map(|text| text.resolve(source)).collect();
    // An empty element or two may be between.
    let after = (tree.end(node)..tree.end(block)).take(3).find_map(|at| tree.text(at));
    let is_free = after.is_none_or(|text| !text.resolve(source).starts_with(char::is_alphanumeric));
    let mut last = before.chars().rev();
    let follows_word = match last.next()? {
        c if c.is_alphabetic() => last.next().is_some_and(char::is_alphabetic),
        c => ".,;:!?…)]»”’\"'".contains(c),
    };
    (is_free && follows_word).then_some(RaisedSign { node, block, sign })
}

/// The sign that a block begins with, raised, and its text with its length.
pub(super) fn leading_sign(tree: &PageTree, source: &str, block: usize) -> Option<(String, (usize, usize))> {
    let at = tree.below(block).find(|&at| has_words(tree, source, at))?;
    let text = tree.text(at)?.resolve(source);
    let raised =
        tree.ancestors(at).take_while(|&above| above != block).find(|&above| is_raised(tree, above))?;
    let others = tree.below(block).filter(|&at| is_raised(tree, at)).skip(1);
    // The numbers of verses stand inside their paragraphs too.
    let is_verse = others.filter_map(|at| sign_of(tree, source, at)).any(|sign| is_number(&sign));
    (!is_verse).then_some((sign_of(tree, source, raised)?, (at, text.len())))
}

/// The sign that is all of a raised element, which contains no link and is in none.
fn sign_of(tree: &PageTree, source: &str, node: usize) -> Option<String> {
    let is_link = |at: usize| tree.tag(at) == Some(HtmlTag::A);
    if !is_raised(tree, node) || tree.below(node).any(is_link) || tree.ancestors(node).any(is_link) {
        return None;
    }
    let sign = NoteSign::whole(tree.text_below(node, source).trim())?;
    let is_star = !sign.contains(char::is_alphanumeric);
    (is_star || is_number(&sign) && sign.len() <= MAX_DIGITS).then_some(sign)
}

fn is_raised(tree: &PageTree, node: usize) -> bool {
    tree.tag(node) == Some(HtmlTag::Sup)
}

fn is_number(sign: &str) -> bool {
    sign.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_words(tree: &PageTree, source: &str, at: usize) -> bool {
    tree.text(at).is_some_and(|text| !text.resolve(source).trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn raised_signs_follow_words() {
        let check = |page: &str, expected: Option<&str>| {
            let source = format!("<p>{page}");
            let tree = parse(&source, false);
            let node = tree.find(0, HtmlTag::Sup).unwrap();
            let found = raised_sign(&tree, &source, node);
            assert_eq!(found.as_ref().map(|found| found.sign.as_str()), expected, "of {page}");
            let block = tree.find(0, HtmlTag::P);
            assert!(found.is_none_or(|found| (found.node, Some(found.block)) == (node, block)), "of {page}");
        };
        for (page, expected) in [
            ("word<sup>1</sup> x", Some("1")),
            ("word<sup> * </sup>", Some("*")),
            ("he<sup>2</sup>", Some("2")),
            ("x<sup>2</sup>", None),
            ("a x<sup>2</sup>", None),
            ("10<sup>5</sup>", None),
            ("end.<sup>1</sup>", Some("1")),
            ("“end”<sup>1</sup>", Some("1")),
            ("a =<sup>1</sup>", None),
            ("word <sup>1</sup>", None),
            ("word<sup>1</sup>st", None),
            ("word<sup>1</sup><b></b><i></i>st", None),
            ("word<sup>1</sup>, and", Some("1")),
            ("<sup>1</sup> x", None),
            ("word<sup>123</sup>", Some("123")),
            ("word<sup>1234</sup>", None),
            ("word<sup>a</sup>", None),
            ("word<sup>see 1</sup>", None),
            ("word<a href=#n><sup>1</sup></a>", None),
            ("word<sup><a href=#n>1</a></sup>", None),
        ] {
            check(page, expected);
        }
        check(&format!("word{}<sup>1</sup>", "<b></b>".repeat(NEAR_NODES - 1)), Some("1"));
        check(&format!("word{}<sup>1</sup>", "<b></b>".repeat(NEAR_NODES)), None);
    }

    #[test]
    fn notes_begin_with_a_raised_sign() {
        let check = |page: &str, expected: Option<(&str, usize)>| {
            let page = format!("<p>{page}");
            let tree = parse(&page, false);
            let found = leading_sign(&tree, &page, tree.find(0, HtmlTag::P).unwrap());
            let label = |(at, len): (usize, usize)| (tree.text(at).unwrap().resolve(&page).len() == len, len);
            let found = found.map(|(sign, place)| (sign, label(place)));
            assert_eq!(found, expected.map(|(sign, len)| (sign.to_owned(), (true, len))), "of {page}");
        };
        check("<sup>1</sup> Note", Some(("1", 1)));
        check(" <b><sup> 12 </sup></b> Note", Some(("12", 4)));
        check("<sup>*</sup> Note", Some(("*", 1)));
        check("<sup><b>1</b></sup> Note", Some(("1", 1)));
        check("Note<sup>1</sup>", None);
        check("<b>1</b> Note", None);
        check("<sup>a</sup> Note", None);
        check("", None);
        // Numbers of verses stand in their paragraphs too.
        check("<sup>1</sup> In <sup>2</sup> And", None);
        check("<sup>1</sup> In <sup>*</sup> And the <sup>th</sup>", Some(("1", 1)));
    }
}
