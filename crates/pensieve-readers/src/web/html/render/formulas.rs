//! Formulas of pages, once and in one notation: TeX between dollar signs, made from MathML where the page has no other.
//!
//! Which of the forms of a formula is read, [`crate::web::html::hints::formula_forms`] says.

use super::page::{NEAR_NODES, ParsedPage};
use crate::markdown::{SourceText, StreamWriter};
use crate::shared::formula::{MathBuilder, MathElement, formula_of, in_dollars};
use crate::web::html::hints::formula_forms::{
    TEX_ATTRIBUTES, has_tex_signs, is_formula_picture, is_source, is_tex, shows_formula, tex_of_math,
};
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;
use pensieve_text::model::Span;

/// Classes of formulas that stand on lines of their own.
const DISPLAY_CLASSES: &[&str] =
    &["katex-display", "MathJax_Display", "MathJax_SVG_Display", "mwe-math-fallback-image-display"];

/// How far above a formula its display is declared.
// KaTeX and MathJax wrap twice or three times.
const MAX_ANCESTORS: usize = 4;

/// How TeX is delimited in text, and whether it stands on a line of its own.
const DELIMITERS: &[(&str, &str, bool)] =
    // Longer signs first: `$$` begins with `$`.
    &[("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true), ("$", "$", false)];

/// A formula in one of the forms in which pages have them.
enum FormulaText {
    Tex(String),
    /// The same on a line of its own.
    DisplayTex(String),
    /// As it is spoken.
    Words(String),
}

/// Writes an element that is a formula; false if it is none.
pub(super) fn write_formula(
    page: ParsedPage<'_>,
    writer: &mut StreamWriter<'_>,
    node: usize,
    tag: HtmlTag,
) -> bool {
    let Some(formula) = formula_at(page, node, tag) else { return false };
    match formula {
        FormulaText::Tex(tex) => put_tex(writer, &tex, is_display(page, node)),
        FormulaText::DisplayTex(tex) => put_tex(writer, &tex, true),
        FormulaText::Words(text) => writer.put_text(&text),
    }
    true
}

fn formula_at(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> Option<FormulaText> {
    match tag {
        HtmlTag::Math => Some(of_math(page, node)),
        HtmlTag::Script if is_source(page.tree(), node) => Some(of_script(page, node)),
        HtmlTag::Img if is_formula_picture(page.tree(), node) => {
            page.attribute(node, "alt").map(|alt| FormulaText::Tex(alt.to_owned()))
        }
        HtmlTag::DrawnFormula => of_attributes(page, node),
        HtmlTag::Span | HtmlTag::Div | HtmlTag::P | HtmlTag::Other => {
            of_attributes(page, node).or_else(|| of_delimited(page, node))
        }
        _ => None,
    }
}

/// The formula of MathML: its TeX, else what its signs are in TeX, else its alternative text.
fn of_math(page: ParsedPage<'_>, node: usize) -> FormulaText {
    if let Some(tex) = tex_of_math(page.tree(), page.source(), node) {
        return FormulaText::Tex(tex);
    }
    // In a chapter without a book around it nobody asked for alternatives.
    let spoken = || {
        let is_read = page.book().is_some() || !page.selection().is_chapter;
        page.attribute(node, "alttext").filter(|words| is_read && !words.trim().is_empty())
    };
    // One name or number is the same in TeX.
    if let Some(name) = spoken().filter(|words| !words.trim().contains(char::is_whitespace)) {
        return FormulaText::Tex(name.to_owned());
    }
    let signs = signs_of(page, node);
    // Signs are exact, words are not.
    match spoken().filter(|_| signs.is_empty()) {
        Some(words) => FormulaText::Words(words.to_owned()),
        None => FormulaText::Tex(signs),
    }
}

fn of_script(page: ParsedPage<'_>, node: usize) -> FormulaText {
    let (kind, words) = (page.attribute(node, "type").unwrap_or_default(), page.words_below(node));
    match kind {
        _ if kind.contains("mode=display") => FormulaText::DisplayTex(words),
        _ if is_tex(kind) => FormulaText::Tex(words),
        _ if kind.contains("mml") => FormulaText::Tex(formula_of(&words).unwrap_or_default()),
        _ => FormulaText::Words(words),
    }
}

/// The formula of an element that keeps its source in an attribute, and has no other form of it.
fn of_attributes(page: ParsedPage<'_>, node: usize) -> Option<FormulaText> {
    if !shows_formula(page.tree(), node) || page.tree().find(node, HtmlTag::Math).is_some() {
        return None;
    }
    let is_container = page.tag(node) == Some(HtmlTag::DrawnFormula);
    let with_source = || std::iter::once(node).chain(page.tree().below(node).take(NEAR_NODES));
    let tex = || TEX_ATTRIBUTES.iter().find_map(|name| with_source().find_map(|at| page.attribute(at, name)));
    let mathml = || page.attribute(node, "data-mathml").and_then(formula_of);
    let drawn = || Some(signs_of(page, node)).filter(|tex| is_container && !tex.is_empty());
    tex().map(str::to_owned).or_else(mathml).or_else(drawn).map(FormulaText::Tex)
}

/// The formula of an element whose words are TeX between its signs. Single dollars are signs of money too, except in
/// elements that are called mathematics.
fn of_delimited(page: ParsedPage<'_>, node: usize) -> Option<FormulaText> {
    let is_near = page.end(node) - node <= NEAR_NODES && node + 1 < page.end(node);
    let first = page.words(node + usize::from(is_near)).filter(|_| is_near)?;
    first.trim_start().strip_prefix(['\\', '$'])?;
    let words = page.words_below(node);
    let is_math = || page.attribute(node, "class").is_some_and(|class| class.contains("math"));
    DELIMITERS.iter().find_map(|&(open, close, is_display)| {
        let inside = words.trim().strip_prefix(open)?.strip_suffix(close)?;
        let is_one = !inside.trim().is_empty() && !inside.contains(close) && (open != "$" || is_math());
        is_one.then(|| match is_display {
            true => FormulaText::DisplayTex(inside.to_owned()),
            false => FormulaText::Tex(inside.to_owned()),
        })
    })
}

/// Writes a text of the page, with the formulas in it.
pub(crate) fn put_words(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize, text: &SourceText) {
    let words = text.resolve(page.source());
    // A decoded text has no places to cut at.
    let is_plain = text.decoded.is_some() || !words.contains(['\\', '$']) || is_in_code(page, node);
    let mut rest = text.span;
    while let Some((before, formula)) =
        (!is_plain).then(|| next_formula(&page.source()[rest.range()])).flatten()
    {
        writer.words(&SourceText { span: Span::new(rest.start, rest.start + before), decoded: None });
        put_tex(writer, formula.tex, formula.is_display);
        rest.start += before + formula.len;
    }
    match rest == text.span {
        true => writer.words(text),
        false => writer.words(&SourceText { span: rest, decoded: None }),
    }
}

/// TeX inside of a text.
struct DelimitedTex<'t> {
    tex: &'t str,
    /// With its delimiters.
    len: usize,
    is_display: bool,
}

/// The first formula of a text and how many bytes are before it. Parentheses with backslashes are also regular expressions:
/// signs of TeX, or a single name, tell formulas.
fn next_formula(words: &str) -> Option<(usize, DelimitedTex<'_>)> {
    // Single dollars are amounts of money in running text.
    let found = DELIMITERS[..3].iter().filter_map(|&(open, close, is_display)| {
        let start = words.find(open)?;
        let inside = &words[start + open.len()..];
        let tex = &inside[..inside.find(close)?];
        let is_formula = has_tex_signs(tex) || tex.trim().chars().count() == 1;
        let len = open.len() + tex.len() + close.len();
        is_formula.then_some((start, DelimitedTex { tex, len, is_display }))
    });
    found.min_by_key(|(start, _)| *start)
}

fn is_in_code(page: ParsedPage<'_>, node: usize) -> bool {
    use HtmlTag::{Code, Kbd, Pre, Samp, Tt};
    page.tree().ancestors(node).any(|above| matches!(page.tag(above), Some(Code | Kbd | Pre | Samp | Tt)))
}

fn is_display(page: ParsedPage<'_>, node: usize) -> bool {
    let around = std::iter::once(node).chain(page.tree().ancestors(node).take(MAX_ANCESTORS));
    let declares = |at: usize| {
        let class = page.attribute(at, "class").unwrap_or_default();
        matches!(page.attribute(at, "display"), Some("block" | "true")) || has_word(class, DISPLAY_CLASSES)
    };
    around.into_iter().any(declares)
}

fn put_tex(writer: &mut StreamWriter<'_>, tex: &str, is_display: bool) {
    let tex = without_style(tex.trim());
    // In a cell a bar would end it.
    let tex = if writer.is_in_row() { tex.replace('|', "\\|") } else { tex.to_owned() };
    match writer.with_markup() {
        true => writer.put_words(&in_dollars(&tex, is_display)),
        false => writer.put_words(&tex),
    }
}

/// TeX without the group that MediaWiki puts around it: `{\displaystyle x}`.
fn without_style(tex: &str) -> &str {
    let inside = tex.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let styled = ["\\displaystyle", "\\textstyle"];
    let inside = inside.and_then(|inside| styled.iter().find_map(|style| inside.strip_prefix(style)));
    inside.filter(|inside| inside.starts_with([' ', '\\', '{'])).map_or(tex, str::trim)
}

/// The TeX of the signs of MathML.
fn signs_of(page: ParsedPage<'_>, node: usize) -> String {
    let mut builder = MathBuilder::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = node + 1;
    while at < page.end(node) {
        while open.pop_if(|end| *end <= at).is_some() {
            builder.end();
        }
        let next = match page.tag(at) {
            Some(tag) if tag.is_never_text() => page.end(at),
            Some(tag) => {
                let element = match tag {
                    HtmlTag::Formula(MathElement::Glyph) => {
                        builder.text(&drawn_sign(page.attribute(at, "class").unwrap_or_default()));
                        at = page.end(at);
                        continue;
                    }
                    HtmlTag::Formula(element) => element,
                    // It repeats the formula in another notation.
                    HtmlTag::Annotation => MathElement::Unseen,
                    _ => MathElement::default(),
                };
                let attribute = |name: &str| page.attribute(at, name).map(str::to_owned);
                match builder.begin(element, &attribute) {
                    true => {
                        open.push(page.end(at));
                        at + 1
                    }
                    false => page.end(at),
                }
            }
            None => {
                builder.text(page.words(at).unwrap_or_default());
                at + 1
            }
        };
        at = next;
    }
    builder.finish()
}

/// The sign that MathJax draws for a class: `mjx-c1D465` is an x.
fn drawn_sign(class: &str) -> String {
    let mut codes = class.split_ascii_whitespace().filter_map(|name| name.strip_prefix("mjx-c"));
    let sign = codes.find_map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
    sign.map(String::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::web::html::tests::{check, check_plain};

    #[test]
    fn one_form_of_a_formula_is_read() {
        let math = |inside: &str| format!("<math><semantics><mi>x</mi>{inside}</semantics></math>");
        let tex = math("<annotation encoding='application/x-tex'>x^2</annotation>");
        let katex = |mathml: &str| {
            format!(
                "<span class=katex><span class=katex-mathml>{mathml}</span><span class=katex-html aria-hidden=true>x2</span></span>"
            )
        };
        for (page, expected) in [
            (format!("a {} b", katex(&tex)), "a $x^2$ b"),
            (format!("a <span class=katex-display>{}</span> b", katex(&tex)), "a $$x^2$$ b"),
            (katex(&math("")), "$x$"),
            // Without a form that can be read, what is drawn stays.
            ("<span class=katex><span class=katex-html>x2</span></span>".to_owned(), "x2"),
            (format!("<div class=katex><p>a {tex} b</div>"), "a $x^2$ b"),
            (
                "<span class=MathJax_Preview>x²</span><span class=MathJax>x2</span><script type='math/tex'>x^2</script>".to_owned(),
                "$x^2$",
            ),
            (
                "<div class=MathJax_Display><span class=MathJax>x2</span></div> <script type='math/tex; mode=display'>x\n^2</script>".to_owned(),
                "$$x ^2$$",
            ),
            ("a <script type='math/tex'>1<2</script>".to_owned(), "a $1<2$"),
            ("a <script type='math/mml'><math><msup><mi>x</mi><mn>2</mn></msup></math></script>".to_owned(), "a $x^2$"),
            ("a <script type='math/asciimath'>x^2</script>".to_owned(), "a x^2"),
            (
                "<span class=MathJax data-mathml='<math><mi>q</mi></math>'><nobr>qq</nobr></span> b".to_owned(),
                "$q$ b",
            ),
            (
                "<mjx-container display=true><svg></svg><mjx-assistive-mml><math><mi>q</mi></math></mjx-assistive-mml></mjx-container>".to_owned(),
                "$$q$$",
            ),
            ("<mjx-container><mjx-math data-latex='q_1'><mjx-c></mjx-c></mjx-math></mjx-container>".to_owned(), "$q_1$"),
            (
                format!("<span class=mwe-math-element><span style='display: none'>{tex}</span><img class=mwe-math-fallback-image-inline alt='y'></span>"),
                "$x^2$",
            ),
            (
                "<span class=mwe-math-element><img class=mwe-math-fallback-image-inline alt='{\\displaystyle y}'></span> y".to_owned(),
                "$y$ y",
            ),
            (
                "<mjx-container><mjx-math><mjx-munderover><mjx-over><mjx-mi><mjx-c class='mjx-c6E'></mjx-c></mjx-mi></mjx-over><mjx-box><mjx-munder><mjx-row><mjx-base><mjx-mo><mjx-c class='mjx-c2211'></mjx-c></mjx-mo></mjx-base></mjx-row><mjx-row><mjx-under><mjx-mi><mjx-c class='mjx-c69 TEX-I'></mjx-c></mjx-mi></mjx-under></mjx-row></mjx-munder></mjx-box></mjx-munderover><mjx-msubsup><mjx-mi><mjx-c class='mjx-c1D465'></mjx-c></mjx-mi><mjx-script><mjx-mn><mjx-c class='mjx-c32'></mjx-c></mjx-mn><mjx-spacer></mjx-spacer><mjx-mi><mjx-c class='mjx-c69'></mjx-c></mjx-mi></mjx-script></mjx-msubsup></mjx-math></mjx-container>".to_owned(),
                "$\\sum_i^nx_i^2$",
            ),
            (
                "<mjx-container><mjx-math><mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut><mjx-mn><mjx-c class='mjx-c31'></mjx-c></mjx-mn></mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut></mjx-dstrut><mjx-msqrt><mjx-sqrt><mjx-surd><mjx-mo><mjx-c class='mjx-c221A'></mjx-c></mjx-mo></mjx-surd><mjx-box><mjx-mi><mjx-c class='mjx-c1D465'></mjx-c></mjx-mi></mjx-box></mjx-sqrt></mjx-msqrt></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math></mjx-container>".to_owned(),
                "$\\frac{1}{\\sqrt{x}}$",
            ),
            ("<p>y <img class=latex alt='y'>".to_owned(), "y $y$"),
            ("<img src='https://latex.codecogs.com/svg.latex?y' alt='y'>".to_owned(), "$y$"),
        ] {
            check(&page, expected);
        }
    }

    #[test]
    fn tex_between_its_signs_is_a_formula() {
        for (page, expected) in [
            ("a <span class='math inline'>\\(x_1 * y_2\\)</span>", "a $x_1 * y_2$"),
            ("<div>\\[x_1 &lt; y_2\\]</div>", "$$x_1 < y_2$$"),
            ("<span class=math-container>$x_1$</span> <span>$5 to 6$</span>", "$x_1$ $5 to 6$"),
            (
                "Raw \\(u_1 * v_2 * w\\) and $$\\sum_{i=1}^n i$$ stay.",
                "Raw $u_1 * v_2 * w$ and $$\\sum_{i=1}^n i$$ stay.",
            ),
            ("Let \\(n\\) be", "Let $n$ be"),
            ("the signs \\( and \\)", "the signs \\\\( and \\\\)"),
            ("<code>\\(x=1\\)</code>", "`\\(x=1\\)`"),
            ("\\(x=1", "\\\\(x=1"),
        ] {
            check(page, expected);
        }
    }

    #[test]
    fn mathml_is_its_tex_or_its_signs() {
        for (page, expected) in [
            ("<math alttext=' '><mi>x</mi></math>", "$x$"),
            ("<math alttext=' x^2 '><mi>x</mi></math>", "$x^2$"),
            ("<math alttext='{\\displaystyle x}'><mi>y</mi></math>", "$x$"),
            ("<math display=block alttext='x^2'></math>", "$$x^2$$"),
            ("<math alttext='x squared'><mi>x</mi></math>", "$x$"),
            ("<math alttext='x squared'></math>", "x squared"),
            ("<math data-latex='x^4'><mi>x</mi></math>", "$x^4$"),
            (
                "<math><semantics><annotation encoding='application/x-tex'>x^3</annotation></semantics></math>",
                "$x^3$",
            ),
        ] {
            check(page, expected);
        }
        check_plain("a <math alttext='x^2'></math>", "a x^2");
    }

    #[test]
    fn formulas_have_only_their_own_signs() {
        for (page, expected) in [
            ("<p>a <math><mi>x</mi></math>", "a $x$"),
            ("<math><annotation encoding='MathType'>x</annotation></math>", ""),
            ("<math><annotation encoding='text/plain'>x</annotation></math>", ""),
            ("<math><annotation encoding='TeX'>x</annotation></math>", "$x$"),
            ("<math><mi encoding='tex'></mi><annotation encoding='MathType'>x</annotation></math>", ""),
            ("<math><mtext>x<style>y</style></mtext></math>", "$\\text{x}$"),
            (
                "<table><tr><td>a<td><script type='math/tex'>|x|</script></table>",
                "| a | $\\|x\\|$ |\n| - | - |",
            ),
        ] {
            check(page, expected);
        }
    }
}
