//! Which names of elements are hints, and where they are none.

use super::*;
use crate::web::html::parse::parse;

fn check(name: &str, expected: NameHints) {
    assert_eq!(NameHints::of(name), expected, "of {name}");
}

#[test]
fn tables_are_sorted() {
    for table in [
        BOILERPLATE,
        MENUS,
        PERHAPS_BOILERPLATE,
        BOILERPLATE_PARTS,
        COMMENTS,
        PERHAPS_COMMENTS,
        CREDITS,
        BYLINES,
        KINDS,
        BODIES,
        NOTES,
        UNSEEN,
        LINE_NUMBERS,
        REVIEWS,
        POSTERS,
        FOLDED,
        BOILERPLATE_HEADINGS,
    ] {
        assert!(table.windows(2).all(|pair| pair[0] < pair[1]), "{table:?}");
    }
}

#[test]
fn names_are_read_by_words() {
    check("entry-content", NameHints { body: true, ..NameHints::default() });
    check("articleBody", NameHints { body: true, ..NameHints::default() });
    check("post__related-links", NameHints { boilerplate: true, ..NameHints::default() });
    check("right-rail", NameHints { boilerplate: true, ..NameHints::default() });
    check("navheader", NameHints { menu: true, ..NameHints::default() });
    check("main-menu", NameHints { menu: true, ..NameHints::default() });
    check("comentarios", NameHints { comments: true, ..NameHints::default() });
    check("has-sidebar", NameHints::default());
    check("visually-hidden", NameHints { unseen: true, ..NameHints::default() });
    check("price-sr-only", NameHints { unseen: true, ..NameHints::default() });
    check("user-panel", NameHints { poster: true, folded: true, ..NameHints::default() });
    check("user-content", NameHints::default());
    check("adventure", NameHints::default());
}

#[test]
fn every_kind_of_name_has_its_hint() {
    let none = NameHints::default();
    for (name, expected) in [
        ("share-bar", NameHints { boilerplate: true, ..none }),
        ("readMore", NameHints { boilerplate: true, ..none }),
        ("leftsidebar", NameHints { boilerplate: true, ..none }),
        ("footerlinks", NameHints { boilerplate: true, ..none }),
        ("breadcrumb", NameHints { boilerplate: true, menu: true, ..none }),
        ("nav_bar", NameHints { menu: true, ..none }),
        ("top-bar", NameHints { menu: true, ..none }),
        ("page-banner", NameHints { perhaps_boilerplate: true, ..none }),
        ("comment-list", NameHints { comments: true, perhaps_comments: true, ..none }),
        ("full-comment", NameHints { perhaps_comments: true, ..none }),
        ("CommentForm", NameHints { comments: true, perhaps_comments: true, ..none }),
        ("date", NameHints { credits: true, ..none }),
        ("post-date", NameHints { credits: true, ..none }),
        ("posted-by", NameHints { byline: true, ..none }),
        ("author", NameHints { credits: true, byline: true, ..none }),
        ("news_text", NameHints { body: true, ..none }),
        ("entrytext", NameHints { body: true, ..none }),
        ("text", none),
        ("blog", none),
        ("textblog", none),
        ("foot-note", NameHints { perhaps_boilerplate: true, note: true, ..none }),
        ("line-no", NameHints { line_numbers: true, ..none }),
        ("line-numbers", NameHints { line_numbers: true, ..none }),
        ("line-height", none),
        ("lineno-x", none),
        ("screen-reader-text", NameHints { unseen: true, ..none }),
        ("reader-screen", none),
        ("sr-x-only", none),
        ("customer-reviews", NameHints { reviews: true, ..none }),
        ("user-info", NameHints { poster: true, note: true, ..none }),
        ("user-text", none),
        ("user-main", none),
        ("faq", NameHints { folded: true, ..none }),
        ("with-nav", none),
        ("without-ads", none),
        ("no-ads", none),
        ("is-hidden", none),
        ("js-menu", none),
        ("", none),
    ] {
        check(name, expected);
    }
    check(&format!("{}-nav", "x".repeat(116)), NameHints { menu: true, ..none });
    check(&format!("{}-nav", "x".repeat(117)), none);
}

#[test]
fn names_are_words_by_their_separators_and_capitals() {
    for (name, expected) in [
        ("entry-content", "entry content"),
        ("articleBody2x", "article body x"),
        ("post__meta", "post meta"),
        ("RSSFeed", "rssfeed"),
        ("aBC", "a bc"),
        ("über-uns", "ber uns"),
        ("12", ""),
    ] {
        let words = NameWords::of(name);
        assert_eq!(words.iter().collect::<Vec<_>>().join(" "), expected, "of {name}");
        assert_eq!(words.letters, expected.replace(' ', ""), "of {name}");
    }
}

/// The hints of the element `x` of a page.
fn hints_of(page: &str, is_x: impl Fn(&PageTree, usize) -> bool) -> NameHints {
    let tree = parse(page, false);
    let node = (0..tree.len()).find(|&node| is_x(&tree, node)).unwrap();
    all_hints(&tree, page)[node]
}

#[test]
fn an_element_has_the_hints_of_all_its_names() {
    let all = [
        "ads",
        "nav",
        "banner",
        "comments",
        "discussion",
        "date",
        "postedby",
        "entry-content",
        "note",
        "hidden",
        "linenos",
        "review",
        "avatar",
        "faq",
    ];
    let is_main = |tree: &PageTree, node: usize| tree.tag(node) == Some(HtmlTag::Main);
    let every = NameHints {
        boilerplate: true,
        menu: true,
        perhaps_boilerplate: true,
        comments: true,
        perhaps_comments: true,
        credits: true,
        byline: true,
        body: true,
        note: true,
        unseen: true,
        line_numbers: true,
        reviews: true,
        poster: true,
        folded: true,
    };
    assert_eq!(hints_of(&format!("<main class='{}'>", all.join(" ")), is_main), every);
    assert_eq!(hints_of(&format!("<p class=x><main class='x {}'>", all.join(" ")), is_main), every);
    for name in all {
        let alone = NameHints::of(name);
        assert_eq!(hints_of(&format!("<main class='x {name}'>"), is_main), alone, "of {name}");
        assert_eq!(hints_of(&format!("<main class='{name}' id=x>"), is_main), alone, "of {name}");
        assert_eq!(hints_of(&format!("<main class='x' id='{name}'>"), is_main), alone, "of {name}");
        assert_eq!(hints_of(&format!("<b class='{name}'></b><main class=x>"), is_main), NameHints::default());
    }
    let none = NameHints::default();
    let ads = NameHints { boilerplate: true, ..none };
    for (class, expected) in [
        ("hentry category-ads tag-menu".to_owned(), none),
        ("type-post tag-ads".to_owned(), none),
        ("x category-ads".to_owned(), NameHints { boilerplate: true, credits: true, ..none }),
        ("hentry ads".to_owned(), ads),
        (format!("{}ads", "x ".repeat(39)), ads),
        (format!("{}ads", "x ".repeat(40)), none),
    ] {
        assert_eq!(hints_of(&format!("<main class='{class}'>"), is_main), expected, "of {class}");
    }
}

#[test]
fn an_id_that_repeats_a_heading_says_nothing() {
    let check = |page: &str, is_cue: bool| {
        let hints = hints_of(page, |tree, node| tree.attribute(node, "id").is_some());
        assert_eq!(hints != NameHints::default(), is_cue, "of {page}");
    };
    check("<div id=sharing-state><h2>Sharing State</h2>", false);
    check("<div id=sharing-state><p>a</p><p><b>Sharing</b> State", true);
    check("<h2 id=sharing>On sharing</h2>", false);
    check("<h2 id=sharing>On caring</h2>", true);
    check("<h2><a id=sharing></a>On sharing</h2>", false);
    check("<h2><b><i><a id=sharing></a></i></b>On sharing</h2>", true);
    check(&format!("<div id=sharing>{}<h2>Sharing</h2>", "<hr>".repeat(39)), false);
    check(&format!("<div id=sharing>{}<h2>Sharing</h2>", "<hr>".repeat(40)), true);
    check("<div id=my-sharing-bar><h2>Sharing</h2>", false);
    check("<div id=my-ad><h2>My</h2>", true);
    check("<div id=my-ads><h2>Ads</h2>", false);
    check("<div id=ad><h2>Bad ideas</h2>", true);
    check("<div id=ads><h2>Bad salt</h2>", false);
}

#[test]
fn roles_and_headings_of_boilerplate_are_known() {
    for (role, expected) in [
        ("navigation", true),
        ("presentation search", true),
        ("main", false),
        ("searchbox", false),
        ("", false),
    ] {
        assert_eq!(is_boilerplate_role(role), expected, "of {role}");
    }
    let long = |letters: usize| format!("Related {}", "x".repeat(letters));
    for (heading, expected) in [
        (" READ MORE: foxes", true),
        ("À lire aussi", true),
        ("How to read more", false),
        ("", false),
        (long(51).as_str(), true),
        (long(52).as_str(), false),
    ] {
        assert_eq!(is_boilerplate_heading(heading), expected, "of {heading}");
    }
    let elements = [HtmlTag::Html, HtmlTag::Body, HtmlTag::Main, HtmlTag::Tbody, HtmlTag::Thead];
    assert!(elements.into_iter().all(holds_everything));
    assert!(![HtmlTag::Div, HtmlTag::Table, HtmlTag::Article].into_iter().any(holds_everything));
}
