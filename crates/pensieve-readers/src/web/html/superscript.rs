//! Superscripts that are not notes: `10^5`, `m^2`, `x^n`; but `1st`, `Mme`, `H2O`.
//!
//! An exponent follows `^`: without it `m2` and `105` would be other words, and people search for `m` or `10`.
//! Superscript letters end an abbreviated word, and subscripts read well without a mark.

use super::page::ParsedPage;
use super::tag::HtmlTag;

/// True for numbers, signs and the letters of variables right after a letter, a number or a bracket.
pub(super) fn is_exponent(page: ParsedPage<'_>, node: usize, before: Option<char>) -> bool {
    let text = page.words_below(node);
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "+-−–nx".contains(c));
    let follows = before.is_some_and(|c| c.is_alphanumeric() || "*)]".contains(c));
    let in_link = page.tree().below(node).any(|below| page.tag(below) == Some(HtmlTag::A));
    follows && !in_link && is_number(text.trim())
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
        check("word.<sup>1</sup> <sup>2</sup>And", "word.1 2And");
        check(
            "<p>x<sup>2</sup> x <sup>2</sup> )<sup>2</sup> ]<sup>2</sup> *<sup>2</sup> ,<sup>2</sup> x<sup> </sup> x<sup>-n</sup> x<sup>a</sup> x<sup><a href='#x'>2</a></sup></p>",
            "x^2 x 2 )^2 ]^2 \\*^2 ,2 x x^-n xa x2",
        );
    }
}
