//! Descriptions of pictures that say nothing new: words that the page has anyway, and the many views of one product.

use crate::web::html::hints::formula_forms::is_formula_picture;
use crate::web::html::hints::page_kind::PageKind;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::visibility::content_selection::ContentSelection;
use memchr::memmem;
use rustc_hash::FxHashSet;

/// The most bytes that are searched for descriptions; later pictures keep theirs.
// Each picture is looked for in all words: pages with thousands of both would take seconds.
const MAX_SEARCHED_BYTES: usize = 64 << 20;

/// How many ancestors of a picture are searched for its link.
const MAX_ANCESTORS: usize = 8;

/// Leaves out pictures of the content whose descriptions say nothing new.
pub(crate) fn drop_known_pictures(
    tree: &PageTree,
    source: &str,
    kind: PageKind,
    selection: &mut ContentSelection,
) {
    if !tree.all(HtmlTag::Img).any(|picture| tree.attribute(picture, "alt").is_some_and(has_letters)) {
        return;
    }
    let (words, pictures) = words_and_pictures(tree, source, selection);
    if pictures.is_empty() {
        return;
    }
    let named = named_links(tree, source, selection);
    let mut searched = 0;
    for (at, picture) in pictures.iter().enumerate() {
        let is_view =
            |other: Option<&ContentPicture>| other.is_some_and(|other| other.offset == picture.offset);
        let before = at.checked_sub(1).and_then(|before| pictures.get(before));
        let is_one_of_many = kind == PageKind::Product && (is_view(before) || is_view(pictures.get(at + 1)));
        let is_known = || memmem::find(words.as_bytes(), picture.words.as_bytes()).is_some();
        searched += words.len();
        let is_named = link_around(tree, picture.node).is_some_and(|target| named.contains(target));
        // The cheap tests first.
        if is_one_of_many || is_named || searched <= MAX_SEARCHED_BYTES && is_known() {
            selection.dropped[picture.node] = true;
        }
    }
}

/// Where the link around a node leads.
fn link_around(tree: &PageTree, node: usize) -> Option<&str> {
    let link = tree.ancestors(node).take(MAX_ANCESTORS).find(|&above| tree.tag(above) == Some(HtmlTag::A))?;
    tree.attribute(link, "href")
}

/// Where links with words lead.
fn named_links<'a>(tree: &'a PageTree, source: &str, selection: &ContentSelection) -> FxHashSet<&'a str> {
    let mut named = FxHashSet::default();
    let links =
        (0..tree.len()).filter(|&node| tree.tag(node) == Some(HtmlTag::A) && !selection.dropped[node]);
    for link in links {
        let has_words = |node: usize| {
            let text = tree.text(node).filter(|_| !selection.dropped[node]);
            text.is_some_and(|text| has_letters(text.resolve(source)))
        };
        // Many parts link to one place of the page, such as its top.
        if let Some(href) = tree.attribute(link, "href").filter(|href| !href.starts_with('#'))
            && tree.below(link).any(has_words)
        {
            named.insert(href);
        }
    }
    named
}

/// A picture with a description.
struct ContentPicture {
    node: usize,
    /// Its description as words between blanks.
    words: String,
    /// Bytes of the words before it.
    offset: usize,
}

/// The words of the content, between blanks and in lower case, and its pictures.
fn words_and_pictures(
    tree: &PageTree,
    source: &str,
    selection: &ContentSelection,
) -> (String, Vec<ContentPicture>) {
    let (mut words, mut pictures) = (String::from(" "), Vec::new());
    for &root in &selection.roots {
        let mut at = root;
        while at < tree.end(root) {
            if selection.dropped[at] {
                at = tree.end(at);
                continue;
            }
            if let Some(text) = tree.text(at) {
                add_words(&mut words, text.resolve(source));
            } else if tree.tag(at) == Some(HtmlTag::Img)
                && !is_formula_picture(tree, at)
                && let Some(description) = tree.attribute(at, "alt")
            {
                // Blanks around, so that only whole words are found.
                let mut own = String::from(" ");
                add_words(&mut own, description);
                // Only signs: nothing to search for.
                if own.len() > 1 {
                    pictures.push(ContentPicture { node: at, words: own, offset: words.len() });
                }
            }
            at += 1;
        }
    }
    (words, pictures)
}

fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Adds words to others; each ends with a blank.
fn add_words(words: &mut String, text: &str) {
    words.reserve(text.len() + 1);
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            words.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() && c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;
    use crate::web::html::visibility::content_selection::body;

    /// The ids of what is left out; elements of the class `out` were before.
    #[track_caller]
    fn check(page: &str, kind: PageKind, expected: &str) {
        let tree = parse(page, false);
        let was_dropped = |node: usize| tree.attribute(node, "class") == Some("out");
        let dropped: Vec<bool> = (0..tree.len()).map(was_dropped).collect();
        let mut selection = ContentSelection::shown(body(&tree), dropped);
        drop_known_pictures(&tree, page, kind, &mut selection);
        let dropped = (0..tree.len()).filter(|&node| selection.dropped[node]);
        let ids: Vec<&str> = dropped.filter_map(|node| tree.attribute(node, "id")).collect();
        assert_eq!(ids.join(" "), expected, "of {page}");
    }

    const BOAT: &str = "<img id=1 alt='Two boats'>";

    #[test]
    fn words_that_the_page_has_are_no_news() {
        for (page, expected) in [
            ("<p>two, BOATS at sea", "1"),
            ("<p>two boatsmen", ""),
            ("<p>two old boats", ""),
            ("<p>two <b>boats", "1"),
            ("<p class=out>two boats", ""),
            ("<p>boats", ""),
            ("", ""),
        ] {
            check(&format!("{BOAT}{page}"), PageKind::Other, expected);
            check(&format!("{page}</p>{BOAT}"), PageKind::Other, expected);
        }
        check("<p>Été à la mer<img id=1 alt='ÉTÉ, à la mer'>", PageKind::Other, "1");
        check("<p>tà<img id=1 alt='tè'>", PageKind::Other, "");
        check(&format!("<p>Two–boats{BOAT}"), PageKind::Other, "1");
        check("<p>a<img id=1 alt=' - '><img id=2 alt='Two boats'>", PageKind::Other, "");
        check("<p>a<img id=1 alt=' - '><img id=2 alt=''><img id=3>", PageKind::Other, "");
    }

    #[test]
    fn views_of_one_product_follow_each_other() {
        let (above, below) = ("<img id=1 alt='From above'>", "<img id=2 alt='From below'>");
        check(&format!("<p>a{above} {below}"), PageKind::Product, "1 2");
        check(&format!("<p>a{above} {below}"), PageKind::Other, "");
        check(&format!("<p>a{above} b {below}"), PageKind::Product, "");
        check(&format!("<p>a{above}"), PageKind::Product, "");
        check(&format!("{above}{below}<p>a<img id=3 alt='A box'>"), PageKind::Product, "1 2");
    }

    #[test]
    fn a_link_with_words_describes_its_picture() {
        let link = |href: &str, inside: &str| format!("<a href={href}>{inside}</a>");
        let picture = |href: &str| link(href, BOAT);
        for (page, expected) in [
            (link("/a", &format!("{BOAT} See")), "1"),
            (format!("{}{}", picture("/a"), link("/a", "See")), "1"),
            (format!("{}{}", picture("/a"), link("/b", "See")), ""),
            (format!("{}{}", picture("/a"), link("/a", "!")), ""),
            (format!("{}{}", picture("#a"), link("#a", "See")), ""),
            (format!("{}{}", picture("/a"), link("/a class=out", "See")), ""),
            (format!("{BOAT}{}", link("/a", "See")), ""),
            (link("/a", &format!("{}{BOAT}See", "<b>".repeat(7))), "1"),
            (link("/a", &format!("{}{BOAT}See", "<b><i>".repeat(4))), ""),
        ] {
            check(&page, PageKind::Other, expected);
        }
    }
}
