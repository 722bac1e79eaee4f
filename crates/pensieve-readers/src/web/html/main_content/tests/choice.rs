//! Which element is chosen as the content, by the words that each has.

use super::{ids_of, paragraph, searched, with_id};
use crate::web::html::hints::page_kind::PageKind;
use crate::web::html::hints::prose::ProseLengths;
use crate::web::html::main_content::{ContentName, select};
use crate::web::html::metadata::PageMetadata;
use crate::web::html::parse::parse;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::visibility::content_selection::body;

#[test]
fn the_core_is_what_is_named_most_clearly_and_has_two_paragraphs() {
    let check = |page: &str, expected: &str| {
        searched(page, false, PageKind::Other, |search| {
            assert_eq!(ids_of(search.tree, search.core(body(search.tree))), expected, "of {page}");
        });
    };
    let [small, just, some, much] = [280, 281, 300, 400].map(paragraph);
    check(&format!("<main id=m>{small}</main>"), "");
    check(&format!("<main id=m>{just}</main>"), "m");
    check(&format!("<div id=d>{just}</div>"), "");
    check(&format!("<main id=m>{some}<article id=a>{just}</article></main>"), "a");
    check(&format!("<article id=a>{some}<div class=entry-content id=b>{just}</div></article>"), "b");
    check(&format!("<article id=a>{some}</article><article id=b>{much}</article>"), "b");
    check(&format!("<article id=a>{much}</article><article id=b>{some}</article>"), "a");
    check(&format!("<article id=a>{some}</article><article id=b>{some}</article>"), "a");
}

#[test]
fn a_page_with_hardly_any_paragraphs_is_written_in_lines() {
    let check = |page: &str, expected: ProseLengths, prose: f32| {
        searched(page, false, PageKind::Other, |mut search| {
            let body = body(search.tree);
            search.adapt(body);
            assert_eq!((search.lengths, search.measures[body].prose), (expected, prose), "of {page}");
        });
    };
    let page = |lines: usize| format!("{}{}", paragraph(80), paragraph(40).repeat(lines));
    let links = format!("<p><a href=/a>{}</a></p>", "x".repeat(400));
    check(&page(8), ProseLengths::PARAGRAPHS, 80.0);
    check(&page(9), ProseLengths::LINES, 440.0);
    check(&format!("{}{links}", page(8)), ProseLengths::PARAGRAPHS, 80.0);
    check(&format!("{}{links}", page(9)), ProseLengths::LINES, 440.0);
    check(&paragraph(90), ProseLengths::PARAGRAPHS, 90.0);
}

#[test]
fn a_part_with_the_title_and_prose_holds_the_title() {
    let check = |part: &str, expected: bool| {
        searched(&format!("<div id=x>{part}</div>"), false, PageKind::Other, |search| {
            assert_eq!(search.holds_title(with_id(search.tree, "x")), expected, "of {part}");
        });
    };
    let [less, more] = [400, 401].map(paragraph);
    check(&format!("<h1>T</h1>{less}"), false);
    check(&format!("<h1>T</h1>{more}"), true);
    check(&format!("<h2>T</h2>{more}"), false);
}

#[test]
fn one_text_with_a_byline_or_a_date_reads_like_an_article() {
    let check = |page: &str, expected: bool| {
        searched(page, false, PageKind::Other, |search| {
            assert_eq!(search.reads_like_article(body(search.tree)), expected, "of {page}");
        });
    };
    let time = "<time>2020</time>";
    let page = |inside: usize, outside: usize, sign: &str| {
        format!("<article>{}</article>{}{sign}", paragraph(inside), paragraph(outside))
    };
    check(&page(610, 390, time), true);
    check(&page(600, 400, time), false);
    check(&page(610, 390, ""), false);
    check(&page(610, 390, "<div class=byline>Ann</div>"), true);
    check(&page(610, 390, "<div class=date>2020</div>"), false);
    check(&format!("<div class=entry-content>{}</div>{}{time}", paragraph(610), paragraph(390)), true);
    check(&format!("<main>{}</main>{}{time}", paragraph(610), paragraph(390)), false);
    searched(&page(610, 390, "<time id=x>2020</time>"), false, PageKind::Other, |mut search| {
        let time = with_id(search.tree, "x");
        search.dropped[time] = true;
        assert!(!search.reads_like_article(body(search.tree)));
    });
}

#[test]
fn a_named_element_is_the_content_if_it_has_most_of_the_prose() {
    let check = |level: ContentName, is_article: bool, page: &str, expected: &str| {
        searched(page, is_article, PageKind::Other, |search| {
            let found = search.narrowed(body(search.tree), level);
            assert_eq!(ids_of(search.tree, found), expected, "{level:?} {is_article} {page}");
        });
    };
    use ContentName::{Article, Body, Main};
    let shares = [
        (Main, true, 500, "x"),
        (Main, true, 490, ""),
        (Main, false, 500, "x"),
        (Main, false, 490, ""),
        (Article, true, 500, "x"),
        (Article, true, 490, ""),
        (Article, false, 910, "x"),
        (Article, false, 890, ""),
        (Body, true, 610, "x"),
        (Body, true, 590, ""),
        (Body, false, 910, "x"),
        (Body, false, 890, ""),
    ];
    for (level, is_article, share, expected) in shares {
        let (begin, end) = match level {
            Main => ("<main id=x>", "</main>"),
            Article => ("<article id=x>", "</article>"),
            Body => ("<div class=entry-content id=x>", "</div>"),
        };
        let page = format!("{begin}{}{end}{}", paragraph(share), paragraph(1000 - share));
        check(level, is_article, &page, expected);
    }
    let [few, some, much] = [80, 81, 1000].map(paragraph);
    let two = |first: &str, second: &str, classes: [&str; 2]| {
        let [one, other] = classes;
        format!(
            "<article id=a class='{one}'>{first}</article><article id=b class='{other}'>{second}</article>"
        )
    };
    // Of several parts none is the content, in whichever order they are.
    check(Article, true, &two(&much, &some, ["story-1", "story-2"]), "");
    check(Article, true, &two(&some, &much, ["story-1", "story-2"]), "");
    check(Article, true, &two(&much, &few, ["story-1", "story-2"]), "a");
    check(Article, true, &two(&few, &much, ["story-1", "story-2"]), "b");
    check(Article, true, &two(&much, &some, ["story-1", "teaser"]), "a");
    check(Article, true, &two(&much, &much, ["story-1", "teaser"]), "b");
    let nested = format!("<article id=a>{some}<article id=b>{much}</article></article>");
    check(Article, true, &nested, "a");
    check(Article, true, &format!("<article id=a><article id=b>{much}</article></article>"), "b");
    check(Main, true, &much, "");
}

#[test]
fn the_first_class_without_its_number_is_the_name_of_parts() {
    let check = |attributes: &str, expected: Option<&str>| {
        searched(&format!("<div id=x {attributes}>a</div>"), false, PageKind::Other, |search| {
            assert_eq!(search.first_name(with_id(search.tree, "x")), expected, "of {attributes}");
        });
    };
    check("class='story-body-2 wide'", Some("story-body"));
    check("class=part_12", Some("part"));
    check("class=h1x", Some("h1x"));
    check("class=' '", None);
    check("", None);
}

#[test]
fn elements_are_named_as_the_content() {
    let check = |element: &str, expected: [bool; 3]| {
        searched(&format!("{element}a"), false, PageKind::Other, |mut search| {
            let node = with_id(search.tree, "x");
            let levels = [ContentName::Main, ContentName::Article, ContentName::Body];
            assert_eq!(levels.map(|level| search.is_named(node, level)), expected, "of {element}");
            assert_eq!(levels.map(|level| search.is_named(node + 1, level)), [false; 3], "of the text");
            search.dropped[node] = true;
            assert_eq!(levels.map(|level| search.is_named(node, level)), [false; 3], "of what is left out");
        });
    };
    check("<main id=x>", [true, false, false]);
    check("<div role=main id=x>", [true, false, false]);
    check("<article id=x>", [false, true, false]);
    check("<div role=article id=x>", [false, true, false]);
    check("<b itemprop='text articleBody' id=x>", [false, false, true]);
    check("<div itemprop=headline id=x>", [false; 3]);
    check("<div class=entry-content id=x>", [false, false, true]);
    check("<b class=entry-content id=x>", [false; 3]);
    check("<article class=post-body id=x>", [false, true, true]);
}

#[test]
fn the_element_with_most_prose_and_fewest_links_is_chosen() {
    let check = |is_article: bool, page: &str, expected: &str| {
        searched(page, is_article, PageKind::Other, |search| {
            let found = search.choose_root(body(search.tree));
            assert_eq!(ids_of(search.tree, [found]), expected, "of {page}");
        });
    };
    let prose = paragraph(300);
    let links = "<ul><li><a href=/a>Another page</a></ul>".repeat(9);
    let inner = format!("<div id=d><div id=e>{prose}</div>{links}</div>");
    check(false, &format!("<main id=m>{inner}</main>"), "m");
    check(true, &format!("<main id=m>{inner}</main>"), "e");
    check(false, &inner, "e");
    check(false, &format!("<div id=d><p id=p>{}</p></div>", "x".repeat(300)), "d");
    check(false, &format!("<body id=b><div>{prose}</div><div>{prose}</div>"), "b");
    // An element that is named as the body of the text has less than it, and is the text.
    let text = format!("<div class=entry-content id=t>{}</div>", paragraph(900));
    check(true, &format!("<article id=a>{prose}{text}</article>"), "t");
    check(false, &format!("<article id=a>{prose}{text}</article>"), "a");
    searched(&inner, false, PageKind::Other, |mut search| {
        let inner = with_id(search.tree, "e");
        search.dropped[inner] = true;
        assert_eq!(ids_of(search.tree, [search.choose_root(body(search.tree))]), "d");
    });
}

#[test]
fn only_what_is_below_is_left_out_and_nothing_inside_code() {
    let page = "<div id=a>1</div><div id=r><b id=b>2</b><pre id=c><b id=d>3</b></pre><i id=e><b id=f>4</b></i></div><b id=g>5";
    searched(page, false, PageKind::Other, |mut search| {
        let root = with_id(search.tree, "r");
        search.drop_where(root, |_, _, tag| tag == HtmlTag::B);
        let dropped = (0..search.tree.len()).filter(|&node| search.dropped[node]);
        assert_eq!(ids_of(search.tree, dropped), "b f");
        assert_eq!(search.measures[root].chars, 1.0);
        search.drop_where(root, |_, _, _| true);
        let dropped = (0..search.tree.len()).filter(|&node| search.dropped[node]);
        assert_eq!(ids_of(search.tree, dropped), "b c e f");
    });
}

#[test]
fn a_page_or_a_content_without_prose_is_taken_without_furniture() {
    let check = |page: &str, expected: &str| {
        let tree = parse(page, false);
        let selection = select(&tree, page, &PageMetadata::default());
        assert_eq!(ids_of(&tree, selection.roots), expected, "of {page}");
    };
    let page = |inside: usize| format!("<body id=b><div id=d>{}</div><h3>Title</h3>", paragraph(inside));
    check(&page(139), "b");
    check(&page(140), "d");
    let with_dialog = |dialog: usize, rest: usize| {
        format!("<body id=b><dialog>{}</dialog><div id=d>{}</div>", paragraph(dialog), paragraph(rest))
    };
    check(&with_dialog(1900, 139), "b");
    check(&with_dialog(1900, 140), "d");
    check(&with_dialog(4000, 210), "b");
    check(&with_dialog(3990, 210), "d");
    check(&with_dialog(4000, 211), "d");
}
