//! Superscripts of a page that are exponents; which words these are, [`markdown`](crate::markdown) says for all formats.

use super::page::ParsedPage;
use crate::markdown::BaselineShift;
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;

/// The mark before the words of a superscript or a subscript after what is written `before`. A link that leads out of the page
/// is written in brackets, which part it from the word before it.
pub(super) fn script_mark(
    page: ParsedPage<'_>,
    node: usize,
    shift: BaselineShift,
    before: &str,
) -> &'static str {
    let leads_out = |below: usize| {
        let href = page.attribute(below, "href").unwrap_or_default();
        page.tag(below) == Some(HtmlTag::A) && !href.is_empty() && !href.starts_with('#')
    };
    match page.tree().below(node).any(leads_out) {
        true => "",
        false => shift.mark(before, &page.words_below(node)),
    }
}

/// The mark before the words of a link that the page calls the sign of a note, where it is not raised by an element.
pub(super) fn note_mark(page: ParsedPage<'_>, node: usize, before: &str) -> &'static str {
    let is_sign = has_word(&page.types_of(node), &["noteref", "doc-noteref"]);
    let is_raised = |at: usize| page.tag(at) == Some(HtmlTag::Sup);
    let tree = page.tree();
    match is_sign && !tree.ancestors(node).take(3).chain(tree.below(node)).any(is_raised) {
        true => BaselineShift::Raised.mark(before, &page.words_below(node)),
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::HtmlOptions;
    use crate::web::html::read_chapter;
    use pensieve_text::model::Segment;

    fn check(source: &str, expected: &str) {
        let decoded = Segment { text: source.to_owned(), ..Segment::default() };
        let text = read_chapter(decoded, &HtmlOptions { markdown: true, main_content: false }).text.text;
        assert_eq!(text.trim_end(), expected, "of {source}");
    }

    #[test]
    fn exponents_are_marked_and_ordinals_are_not() {
        check("10<sup>5</sup> m, 10<sup>-6</sup>", "10^5 m, 10^-6");
        check(
            "m<sup>2</sup>, (a+b)<sup>2</sup>, <i>x</i><sup>n</sup>, Fe<sup>3+</sup>",
            "m^2, (a+b)^2, *x*^n, Fe^3+",
        );
        check("1<sup>st</sup>, M<sup>me</sup>, H<sub>2</sub>O", "1st, Mme, H2O");
        check("101<sub>2</sub>, x<sub>2</sub>", "101_2, x2");
        check("word.<sup>1</sup> <sup>2</sup>And", "word.^1 2And");
        check(
            "end<a role=doc-noteref href=#n>1</a>, 5<a epub:type=noteref href=#n><sup>2</sup></a> x<a href=#n>3</a>",
            "end^1, 5^2 x3",
        );
        check(
            "<p>x<sup>2</sup> x <sup>2</sup> )<sup>2</sup> ]<sup>2</sup> *<sup>2</sup> ,<sup>2</sup> x<sup> </sup> x<sup>-n</sup> x<sup>a</sup> x<sup><a href='#x'>2</a></sup></p>",
            "x^2 x 2 )^2 ]^2 \\*^2 ,^2 x x^-n xa x^2",
        );
    }
}
