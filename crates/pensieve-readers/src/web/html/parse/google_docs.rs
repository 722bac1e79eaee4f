//! Pages that Google Docs exports: titles and bold words are there only by the classes of its style sheet.

use super::attributes::has_word;
use super::tag::HtmlTag;
use super::tree::TreeBuilder;
use rustc_hash::FxHashMap;

/// What the style sheet of an export begins with, or has for its lists.
// Its class names alone, such as `c3`, are also those of others.
const SIGNS: &[&str] = &["themes.googleusercontent.com/fonts", ".lst-kix_"];

/// Makes titles headings and marked words the elements that other pages have for them.
pub(super) fn name_styles(tree: &mut TreeBuilder, source: &str) {
    let sheets = (1..tree.len()).filter(|&node| tree.tag(node) == Some(HtmlTag::Style));
    let sheet: String = sheets.flat_map(|node| words_of(tree, source, node)).collect();
    if !SIGNS.iter().any(|sign| sheet.contains(sign)) {
        return;
    }
    let marks = marks_of(&sheet);
    for node in 1..tree.len() {
        let class = tree.attribute(node, "class").unwrap_or_default();
        let mark = || class.split_ascii_whitespace().find_map(|name| marks.get(name)).copied();
        let name = match tree.tag(node) {
            Some(HtmlTag::P) if has_word(class, &["title"]) => Some(HtmlTag::H1),
            // Paragraphs and cells have such classes for all their words.
            Some(HtmlTag::Span) => mark(),
            _ => None,
        };
        if let Some(name) = name {
            tree.rename(node, name);
        }
    }
}

fn words_of(tree: &TreeBuilder, source: &str, node: usize) -> Vec<String> {
    tree.children(node)
        .filter_map(|child| tree.text_of(child))
        .map(|text| text.resolve(source).to_owned())
        .collect()
}

/// The classes that mark words: `.c3{font-weight:700}`.
fn marks_of(sheet: &str) -> FxHashMap<&str, HtmlTag> {
    let mark = |rule| {
        let (selector, declarations): (&str, &str) = rule;
        let name = selector.rsplit(['}', ';']).next()?.trim().strip_prefix('.')?;
        let has = |declaration: &str| declarations.split(';').any(|one| one.replace(' ', "") == declaration);
        let tag = match () {
            // Markdown nests them, an element has one name: the stronger mark wins.
            () if has("font-weight:700") || has("font-weight:bold") => HtmlTag::B,
            () if has("font-style:italic") => HtmlTag::I,
            () if has("text-decoration:line-through") => HtmlTag::S,
            () => return None,
        };
        Some((name, tag))
    };
    sheet.split('}').filter_map(|rule| rule.split_once('{')).filter_map(mark).collect()
}

#[cfg(test)]
mod tests {
    use crate::web::html::tests::check;

    #[test]
    fn classes_of_exports_mark_words_and_titles() {
        let sheet = "@import url(https://themes.googleusercontent.com/fonts/css?kit=x);.c1{font-weight:700}\
            .c2{color:#000;font-style: italic}.c3{text-decoration:line-through}.c4{font-weight:400}";
        let words = "<p class='c9 title'><span class=c1>T</span></p><p><span class='c4 c1'>a</span> <span class=c2>b</span> \
            <span class=c3>c</span> <span class=c4>d</span>";
        check(&format!("<style>{sheet}</style>{words}"), "# T\n\n**a** *b* ~~c~~ d");
        check(&format!("<style>.c1{{font-weight:700}}</style>{words}"), "T\n\na b c d");
    }
}
