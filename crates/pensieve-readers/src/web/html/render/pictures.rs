//! The text that replaces pictures: their alternative texts, without repeated captions.

use super::page::{NEAR_NODES, ParsedPage};
use crate::markdown::StreamWriter;
use crate::web::html::parse::tag::HtmlTag;

/// Longer alternative texts are not descriptions of a picture.
const MAX_DESCRIPTION_BYTES: usize = 2000;

/// Longer descriptions of pictures with captions are left out.
const MAX_BESIDE_CAPTION_BYTES: usize = 120;

/// How many ancestors of a picture are searched for its figure and its link.
const MAX_ANCESTORS: usize = 8;

/// True for the case of a switch that is shown, exactly one: the first that is a formula, else the default.
pub(super) fn is_chosen_case(page: ParsedPage<'_>, node: usize) -> bool {
    let cases = || {
        let all = page.tree().children(page.tree().parent(node));
        all.filter(|&child| matches!(page.tag(child), Some(HtmlTag::Case | HtmlTag::DefaultCase)))
    };
    let is_formula = |&case: &usize| page.tree().find(case, HtmlTag::Math).is_some();
    let is_default = |&case: &usize| page.tag(case) == Some(HtmlTag::DefaultCase);
    // A case is for programs that know its vocabulary; this one knows formulas.
    let chosen = cases().find(is_formula).or_else(|| cases().find(is_default)).or_else(|| cases().next());
    chosen == Some(node)
}

/// Writes the alternative text of a picture.
pub(super) fn write_image(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize) {
    let Some(alt) = page.attribute(node, "alt").map(str::trim) else { return };
    let around = |tag: HtmlTag| {
        page.tree().ancestors(node).take(MAX_ANCESTORS).find(|&above| page.tag(above) == Some(tag))
    };
    let figure = around(HtmlTag::Figure);
    let caption = figure.and_then(|figure| page.tree().find(figure, HtmlTag::Figcaption));
    let in_caption = || {
        let is_inside = |caption: usize| caption < node && node < page.end(caption);
        caption.is_some_and(|caption| {
            is_inside(caption) || plain(&page.words_below(caption)).contains(&plain(alt))
        })
    };
    if page.book().is_some() {
        // In a book a picture of one letter or sign is a part of its text: a drop cap, a variable.
        let is_said = || in_caption() || plain(&words_of_next_block(page, node)) == plain(alt);
        if !alt.is_empty() && !is_file_name(alt) && !is_said() {
            writer.put_text(alt);
        }
        return;
    }
    // What the caption says is not repeated; in an article, a linked picture advertises another page.
    let in_link = around(HtmlTag::A).is_some();
    // A linked picture is a small one of what its caption names; long descriptions say what the text around says: with
    // them, pages of documentation had .890 instead of .892 of their words in common with their main text.
    let is_captioned = || {
        let is_beside = in_link || alt.len() > MAX_BESIDE_CAPTION_BYTES;
        caption.is_some() && is_beside || in_caption()
    };
    // Figures have one picture for each of several screens.
    let is_repeated = || {
        let is_same = |at: usize| {
            page.tag(at) == Some(HtmlTag::Img) && page.attribute(at, "alt").map(str::trim) == Some(alt)
        };
        figure.is_some_and(|figure| (figure..node).any(is_same))
    };
    // Only the text of an article counts.
    let is_aside = page.selection().bare_links && (in_link || figure.is_some());
    if !is_description(alt) || is_aside || is_captioned() || is_repeated() {
        return;
    }
    // Markdown has no picture in the words of a link that would stay readable.
    if writer.with_markup() && !in_link {
        // They would end the description, or the cell around it.
        let alt = alt.replace(['[', ']', '|'], " ");
        writer.put_words(&format!("![{}]()", alt.split_whitespace().collect::<Vec<_>>().join(" ")));
    } else {
        writer.put_text(alt);
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The words of the block that follows a picture: captions often repeat the alternative text.
fn words_of_next_block(page: ParsedPage<'_>, node: usize) -> String {
    let end = page.end(node);
    let first = (end..page.tree().len().min(end + NEAR_NODES)).find(|&at| page.has_words(at));
    let block = first.and_then(|first| page.block_around(first)).filter(|&block| block > node);
    block.map(|block| page.words_below(block)).unwrap_or_default()
}

/// True if an image's alternative text is a description; file names are not.
fn is_description(alt: &str) -> bool {
    // One sign is a bullet or a separator.
    alt.chars().filter(|c| c.is_alphanumeric()).count() > 1
        && !is_file_name(alt)
        && alt.len() < MAX_DESCRIPTION_BYTES
}

fn is_file_name(alt: &str) -> bool {
    // A sentence may end in the name of a file.
    !alt.contains(' ')
        && [".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp"]
            .iter()
            .any(|end| alt.to_ascii_lowercase().ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternative_texts_describe_pictures() {
        for (page, expected) in [
            ("<img alt=' a  [cat]|x '>", "![a cat x]()"),
            ("<img alt='a'>", ""),
            ("<img alt='ab'>", "![ab]()"),
            (
                "<img alt='a b.jpg'><img alt='ab.PNG'><img alt='ab.webp'><img alt=ab.txt>",
                "![a b.jpg]()![ab.txt]()",
            ),
            ("<a href=/x><img alt='a [cat]'></a>", "[a \\[cat\\]](/x)"),
            ("<figure><img alt='a cat'></figure>", "![a cat]()"),
            ("<figure><img alt='a cat'><figcaption>b</figcaption></figure>", "![a cat]()\n\nb"),
            ("<figure><img alt='a cat'><figcaption>This is  A CAT</figcaption></figure>", "This is A CAT"),
            // Pictures that load later, with and without words of their own.
            (
                "<p>words<img data-src=a.jpg alt='a cat'><noscript><img src=a.jpg alt='a cat'></noscript>",
                "words![a cat]()",
            ),
            (
                "<p>words<img data-src=a.jpg><noscript><img src=a.jpg alt='a cat'></noscript>",
                "words![a cat]()",
            ),
            ("<p>words<noscript><img src=pixel.gif alt='a cat'></noscript>", "words"),
            ("<figure><a href=/x><img alt='a cat'></a><figcaption>b</figcaption></figure>", "b"),
            ("<figure><img alt='a cat'><img alt='a cat'></figure>", "![a cat]()"),
            ("<p>words<img data-src=a.jpg><noscript>See <img alt='a cat'></noscript>", "words"),
            ("<h2>a <img alt='a cat'></h2>", "## a ![a cat]()"),
            ("<table><tr><td><img alt='a|cat'><td>b</table>", "| ![a cat]() | b |\n| - | - |"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn plain_text_has_plain_descriptions() {
        crate::web::html::tests::check_plain("<p>a <img alt='a cat'> b", "a a cat b");
    }

    #[test]
    fn in_a_chapter_formulas_are_their_signs() {
        for (page, expected) in [
            ("<math alttext='x squared'><mi>x</mi></math>", "$x$"),
            ("<math alttext='x squared'></math>", ""),
            ("<p><img alt='a cat'/></p>", "![a cat]()"),
            (
                "<epub:switch><epub:case>a</epub:case><epub:case><math><mi>b</mi></math></epub:case><epub:default>c</epub:default></epub:switch>",
                "$b$",
            ),
            ("<epub:switch><epub:case>a</epub:case><epub:case>b</epub:case></epub:switch>", "a"),
            ("<epub:switch><epub:default>a</epub:default><epub:default>b</epub:default></epub:switch>", "a"),
        ] {
            crate::web::html::chapter::tests::check(page, expected);
        }
    }

    #[test]
    fn in_a_book_pictures_and_formulas_are_words() {
        use crate::web::html::chapter::tests::check_book;
        for (page, expected) in [
            ("<p>one <img alt=' x '/> two</p>", "one x two"),
            ("<p>one <img alt='x.png'/> two</p>", "one two"),
            ("<p>one <img alt=' '/> two</p>", "one two"),
            ("<p>one <img/> two</p>", "one two"),
            ("<figure><img alt='A  Cat'/><figcaption>This is a cat.</figcaption></figure>", "This is a cat."),
            (
                "<figure><img alt='A dog'/><figcaption>This is a cat.</figcaption></figure>",
                "A dog\n\nThis is a cat.",
            ),
            ("<div><img alt='A cat'/></div><p>a <b>CAT</b></p>", "a **CAT**"),
            ("<div><img alt='A cat'/></div><p>A cat sat</p>", "A cat\n\nA cat sat"),
            ("<p><img alt='A cat'/> A cat</p>", "A cat A cat"),
            ("<math alttext='x squared'><mi>x</mi></math>", "$x$"),
            ("<math alttext=' '><mi>x</mi></math>", "$x$"),
        ] {
            check_book(page, expected);
        }
        let near =
            |nodes: usize| format!("<div><img alt='A cat'/></div>{}<p>A cat</p>", "<br/>".repeat(nodes));
        check_book(&near(NEAR_NODES - 2), "A cat");
        check_book(&near(NEAR_NODES - 1), "A cat\n\nA cat");
    }

    #[test]
    fn descriptions_have_words() {
        for (alt, expected) in
            [("a b", true), ("ab", true), ("a!", false), ("a.svg", false), ("a b.svg", true), ("", false)]
        {
            assert_eq!(is_description(alt), expected, "of {alt}");
        }
        assert!(is_description(&"x".repeat(MAX_DESCRIPTION_BYTES - 1)));
        assert!(!is_description(&"x".repeat(MAX_DESCRIPTION_BYTES)));
    }

    #[test]
    fn pictures_of_other_articles_are_not_described() {
        use crate::web::html::parse::parse;
        use crate::web::html::visibility::content_selection::ContentSelection;
        let check = |page: &str, bare_links: bool, expected: &str| {
            let tree = parse(page, false);
            let selection = ContentSelection { bare_links, ..ContentSelection::whole(&tree, page) };
            let parsed = ParsedPage::new(&tree, page, &selection);
            let mut writer = StreamWriter::new(page, true);
            write_image(parsed, &mut writer, tree.find(0, HtmlTag::Img).unwrap());
            let written = writer.finish().segment(&crate::web::html::chapter::tests::decoded(page));
            assert_eq!(written.text.trim_end(), expected, "of {page}");
        };
        let picture = "<img alt='a cat'>";
        for (page, in_article, elsewhere) in [
            (picture.to_owned(), "![a cat]()", "![a cat]()"),
            (format!("<figure>{picture}</figure>"), "", "![a cat]()"),
            (format!("<a href=/x>{picture}</a>"), "", "a cat"),
            (format!("<figure>{picture}<figcaption>A cat</figcaption></figure>"), "", ""),
            (format!("<a href=/x>{}{picture}", "<b>".repeat(7)), "", "a cat"),
            (format!("<a href=/x>{}{picture}", "<b><i>".repeat(4)), "![a cat]()", "![a cat]()"),
        ] {
            check(&page, true, in_article);
            check(&page, false, elsewhere);
        }
    }
}
