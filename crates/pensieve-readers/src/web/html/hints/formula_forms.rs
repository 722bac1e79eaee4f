//! The forms in which a page has one formula: for the eye, for screen readers, for programs. One of them is read.
//!
//! Knows the elements of KaTeX, MathJax and MediaWiki; [`crate::web::html::render::formulas`] writes what is chosen here.

use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

/// Classes of the elements that KaTeX, MathJax 2 and MediaWiki put around the forms of a formula. MathJax 3 and later
/// have an element of their own.
const FORMULA_CLASSES: &[&str] = &[
    "katex",
    "mwe-math-element",
    "MathJax",
    "MathJax_CHTML",
    "MathJax_Display",
    "MathJax_PHTML",
    "MathJax_Preview",
    "MathJax_SVG",
    "MathJax_SVG_Display",
    "mjx-chtml",
];

/// Classes of pictures of formulas, whose alternative texts are TeX.
const PICTURE_CLASSES: &[&str] =
    &["latex", "mwe-math-fallback-image-display", "mwe-math-fallback-image-inline", "tex"];

/// Parts of the addresses from which pictures of formulas are served.
const PICTURE_ADDRESSES: &[&str] = &["latex.codecogs.com", "/latex.php?", "/mathtex.cgi?", "/math/render/"];

/// Attributes in which elements keep the TeX that they were made from.
pub(crate) const TEX_ATTRIBUTES: &[&str] = &["data-latex", "data-tex"];

/// How many siblings after a drawn formula may be its source: white space and the other drawn forms.
const MAX_FOLLOWING: usize = 5;

/// Leaves one form of each formula and drops the others; TeX is preferred.
pub(crate) fn choose_forms(tree: &PageTree, source: &str, dropped: &mut [bool]) {
    let mut at = 1;
    while at < tree.len() {
        // Scripts are dropped, but this one is text.
        if is_source(tree, at) {
            dropped[at] = false;
        }
        at = match shows_formula(tree, at) {
            true => {
                choose_form(tree, source, at, dropped);
                tree.end(at)
            }
            false => at + 1,
        };
    }
}

fn choose_form(tree: &PageTree, source: &str, around: usize, dropped: &mut [bool]) {
    let is_blank = |&node: &usize| tree.text(node).is_none_or(|text| text.resolve(source).trim().is_empty());
    let mut following = tree.following(around).take(MAX_FOLLOWING).take_while(is_blank);
    let is_preview =
        tree.attribute(around, "class").is_some_and(|class| has_word(class, &["MathJax_Preview"]));
    // The drawn formula is left out in favour of what comes after it.
    if following.any(|node| is_source(tree, node) || is_preview && shows_formula(tree, node)) {
        dropped[around] = true;
        return;
    }
    let maths = || tree.below(around).filter(|&node| tree.tag(node) == Some(HtmlTag::Math));
    let with_tex = maths().find(|&math| tex_of_math(tree, source, math).is_some());
    let script = || tree.below(around).find(|&node| is_source(tree, node));
    let picture = || tree.below(around).find(|&node| is_formula_picture(tree, node));
    // TeX as it was written first, then what can be made into TeX.
    if let Some(chosen) = with_tex.or_else(script).or_else(|| maths().next()).or_else(picture) {
        for node in tree.below(around) {
            let is_inside = chosen < node && node < tree.end(chosen);
            if !is_inside {
                dropped[node] = !(node <= chosen && chosen < tree.end(node));
            }
        }
    }
}

/// True for an element that a program made around the forms of one formula, not around paragraphs with formulas.
pub(crate) fn shows_formula(tree: &PageTree, node: usize) -> bool {
    let Some(tag) = tree.tag(node) else { return false };
    let is_named = || tree.attribute(node, "class").is_some_and(|class| has_word(class, FORMULA_CLASSES));
    let divides = |tag: HtmlTag| {
        use HtmlTag::{Article, Li, P, Section, Table};
        matches!(tag, Article | Li | P | Section | Table) || tag.heading_level().is_some()
    };
    let holds_text = || tree.below(node).any(|below| tree.tag(below).is_some_and(divides));
    tag == HtmlTag::DrawnFormula || matches!(tag, HtmlTag::Span | HtmlTag::Div) && is_named() && !holds_text()
}

/// True for a script that is the source of a formula (MathJax 2).
pub(crate) fn is_source(tree: &PageTree, node: usize) -> bool {
    let is_formula = |kind: &str| kind.trim_start().starts_with("math/");
    tree.tag(node) == Some(HtmlTag::Script) && tree.attribute(node, "type").is_some_and(is_formula)
}

/// True for the picture of a formula.
pub(crate) fn is_formula_picture(tree: &PageTree, node: usize) -> bool {
    let value = |name: &str| tree.attribute(node, name).unwrap_or_default();
    tree.tag(node) == Some(HtmlTag::Img)
        && !value("alt").trim().is_empty()
        && (has_word(value("class"), PICTURE_CLASSES)
            || PICTURE_ADDRESSES.iter().any(|part| value("src").contains(part)))
}

/// The TeX that MathML was made from.
pub(crate) fn tex_of_math(tree: &PageTree, source: &str, math: usize) -> Option<String> {
    let has_tex = |&node: &usize| {
        tree.tag(node) == Some(HtmlTag::Annotation) && tree.attribute(node, "encoding").is_some_and(is_tex)
    };
    let annotation = || tree.below(math).find(has_tex).map(|node| tree.text_below(node, source));
    let attribute = || TEX_ATTRIBUTES.iter().find_map(|name| tree.attribute(math, name)).map(str::to_owned);
    let alternative =
        // Some programs write a spoken formula there.
        || tree.attribute(math, "alttext").filter(|words| has_tex_signs(words)).map(str::to_owned);
    annotation().or_else(attribute).or_else(alternative).filter(|tex| !tex.trim().is_empty())
}

/// True for a name of TeX's notation, such as `application/x-tex` or `LaTeX`.
pub(crate) fn is_tex(encoding: &str) -> bool {
    let mut words = encoding.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case("tex") || word.eq_ignore_ascii_case("latex"))
}

/// True for what is written in signs, not spoken: `x^2`, not `x squared`.
pub(crate) fn has_tex_signs(text: &str) -> bool {
    text.contains(['\\', '^', '_', '{', '=', '+', '<', '>'])
}
