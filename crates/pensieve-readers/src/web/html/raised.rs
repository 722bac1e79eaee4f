//! What is raised and no note: `10^5`, `m^2`, `x^n`; but `1st`, `Mme`, `H2O`.
//!
//! An exponent stands behind `^`: `m2` and `105` are other words, and searched for is `m` or `10`. Letters that are
//! raised are the end of a shortened word, and what is lowered reads well without a mark.

use super::render::Renderer;
use super::tag::Tag;

impl Renderer<'_> {
    /// True for numbers, signs and the letters of variables right behind a letter, a number or a bracket.
    pub(super) fn is_exponent(&self, node: usize) -> bool {
        let text = self.tree.text_below(node, self.source);
        let is_number =
            |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "+-−–nx".contains(c));
        let follows = self.writer.last_char().is_some_and(|c| c.is_alphanumeric() || "*)]".contains(c));
        let in_link = self.tree.below(node).any(|below| self.tree.tag(below) == Some(Tag::A));
        follows && !in_link && is_number(text.trim())
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
        check("word.<sup>1</sup> <sup>2</sup>And", "word.1 2And");
    }
}
