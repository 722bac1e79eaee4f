//! The smallest pages of each kind, and what of them is content.

mod choice;

use super::ContentSearch;
use crate::settings::HtmlOptions;
use crate::web::html::chapter::tests::decoded;
use crate::web::html::hints::name_hints;
use crate::web::html::hints::page_kind::PageKind;
use crate::web::html::hints::prose::{PageTexts, ProseLengths};
use crate::web::html::parse::parse;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::read_html;
use crate::web::html::visibility::content_selection::{body, unseen};

const PROSE: &str =
    "The quick brown fox jumps over the lazy dog, and nobody who saw it knows why it did so, or how often. ";

/// What is found in a page of which nothing is left out yet.
pub(super) fn searched<T>(
    page: &str,
    is_article: bool,
    kind: PageKind,
    find: impl FnOnce(ContentSearch<'_>) -> T,
) -> T {
    let tree = parse(page, false);
    let hints = name_hints::all_hints(&tree, page);
    let texts = PageTexts::read(&tree, page, body(&tree));
    let unseen = unseen(&tree, page, &texts, &hints, body(&tree));
    let mut search = ContentSearch {
        tree: &tree,
        source: page,
        texts,
        formulas: tree.all(HtmlTag::Math).collect(),
        has_readers: ContentSearch::has_texts_of_readers(&tree, &hints),
        is_article,
        kind,
        lengths: ProseLengths::PARAGRAPHS,
        dropped: vec![false; tree.len()],
        unseen: unseen.dropped,
        hidden: unseen.hidden,
        folded: Vec::new(),
        hints,
        measures: Vec::new(),
    };
    search.measure();
    find(search)
}

/// The element with this id.
pub(super) fn with_id(tree: &PageTree, id: &str) -> usize {
    (0..tree.len()).find(|&node| tree.attribute(node, "id") == Some(id)).expect("the page has this id")
}

/// The ids of elements, with blanks between them.
pub(super) fn ids_of(tree: &PageTree, nodes: impl IntoIterator<Item = usize>) -> String {
    let ids = nodes.into_iter().filter_map(|node| tree.attribute(node, "id"));
    ids.collect::<Vec<_>>().join(" ")
}

/// A paragraph of this many letters: prose, if they are 80 or more.
pub(super) fn paragraph(letters: usize) -> String {
    format!("<p>{}</p>", "x".repeat(letters))
}

fn check(page: &str, kept: &[&str], left_out: &[&str]) {
    let text = read_html(decoded(page), &HtmlOptions { markdown: true, main_content: true }).text.text;
    kept.iter().for_each(|words| assert!(text.contains(words), "{words} not in {text}"));
    left_out.iter().for_each(|words| assert!(!text.contains(words), "{words} in {text}"));
}

#[test]
fn pages_without_prose_have_no_furniture() {
    check(
        "<body><header><a href=/in>Sign in</a></header><nav><a href=/a>Menu</a></nav>\
         <table><tr><th>River<th>Length<tr><td>Rhine<td>1230 km<tr><td>Danube<td>2850 km<tr><td>Elbe<td>1094 km<tr><td>Moselle<td>544 km</table><footer>Imprint</footer>",
        &["Rhine", "1094 km"],
        &["Sign in", "Menu", "Imprint"],
    );
}

#[test]
fn cards_are_content_and_an_island_of_prose_is_not_alone() {
    let card = |name: &str| {
        format!("<li><a href=/{name}><h3>{name} of the river</h3><p>From 20 to 30 euros a night</p></a>")
    };
    let cards: String =
        ["Castle", "Mill", "Inn", "Barn", "Tower", "Abbey", "Manor", "Lodge"].map(card).concat().repeat(3);
    check(
        &format!("<body><ul class=grid>{cards}</ul><div class=about><p>{PROSE}<p>{PROSE}</div>"),
        &["Castle of the river", "Lodge of the river", "quick brown"],
        &[],
    );
}

#[test]
fn closed_tabs_and_folded_parts_are_text() {
    check(
        &format!(
            "<body><h1>Fox</h1><p>{PROSE}<p>{PROSE}<div role=tabpanel hidden><p>{PROSE}tab</div>\
             <h3><button>What else</button></h3><button>Buy</button>\
             <div class=accordion-body style='display:none'><p>{PROSE}fold</div><p><span aria-hidden=true>20 euros</span><span \
             class=price-sr-only>spoken price</span><div hidden>{PROSE}secret</div>"
        ),
        &["tab", "### What else", "fold", "20 euros"],
        &["secret", "spoken", "Buy"],
    );
}

#[test]
fn a_dialog_is_no_content_however_long() {
    check(
        &format!(
            "<body><p>{PROSE}<p>{PROSE}</p><div role=dialog>{}consent</div>",
            format!("<p>{PROSE}").repeat(9)
        ),
        &["quick brown"],
        &["consent"],
    );
}

#[test]
fn posts_are_the_content_of_a_thread() {
    let post = |name: &str| {
        format!(
            "<div class=comment><div class=user-panel>{name} joined 2019</div><div class=user-content><p>{PROSE}{name} \
             wrote</div></div>"
        )
    };
    check(
        &format!(
            "<link rel=canonical href=https://x.org/forum/7><body><p>{PROSE}<div id=comments>{}{}</div>",
            post("Ann"),
            post("Ben")
        ),
        &["Ann wrote", "Ben wrote"],
        &["joined"],
    );
}

#[test]
fn reviews_are_no_content_of_a_product() {
    check(
        &format!(
            "<body><div itemscope itemtype=https://schema.org/Product><h1>Fox</h1><p>{PROSE}<p>{PROSE}<div \
             class=reviews>{}bought</div><ul><li><a href=/other>Another fox</a></ul></div>",
            format!("<p>{PROSE}").repeat(9)
        ),
        &["quick brown"],
        &["bought", "Another"],
    );
}

/// How often words are in what is read of a page, after a paragraph of prose.
fn count(page: &str, words: &str) -> usize {
    let page = format!("<body><main><h1>Fox</h1><p>{PROSE}<p>First. {PROSE}{page}<p>Last. {PROSE}</main>");
    let text = read_html(decoded(&page), &HtmlOptions { markdown: true, main_content: true }).text.text;
    text.matches(words).count()
}

#[test]
fn text_for_two_screens_is_there_once() {
    let note = "The harbour office is closed in winter.";
    assert_eq!(count(&format!("<p class=wide>{note}<p class=narrow>{note}"), note), 1);
    assert_eq!(
        count(&format!("<div class=a><h2>{note}</h2></div><div class=b><h2>{note}</h2></div>"), note),
        1
    );
    let pair = format!("<p>{note}<p>It opens in April, on the first day.");
    assert_eq!(count(&format!("<div id=a class=x>{pair}</div><section>{pair}</section>"), note), 1);
    // What stands twice in one place, under one name, was written twice; so were labels, code and rows.
    assert_eq!(count(&format!("<p>{note}<p>{note}"), note), 2);
    assert_eq!(count(&format!("<ul><li>{note}<li>{note}</ul>"), note), 2);
    assert_eq!(
        count(&format!("<ul><li><p>{note}</p><p>{PROSE}</p><li><p>{note}</p><p>{PROSE}</p></ul>"), note),
        2
    );
    assert_eq!(count("<p class=a>Out of stock<p class=b>Out of stock", "Out of stock"), 2);
    assert_eq!(count(&format!("<pre>{note}</pre><pre class=b>{note}</pre>"), note), 2);
    assert_eq!(count(&format!("<table><tr><td>{note}<tr class=b><td>{note}</table>"), note), 2);
    assert_eq!(count(&format!("<blockquote><p>{note}</blockquote><p class=b>{note}"), note), 2);
}

#[test]
fn sections_that_come_again_are_there_once() {
    let first = "The tower was built in 1870 of stones that came by boat, and it has never been painted since that year.";
    let second = "Its lamp has burned oil, gas and, since the year 1931, the electric current of the town of Saltmere.";
    let section = format!("<p>{first}<p>{second}");
    let other = format!("<div><p>Something else. {PROSE}</div>");
    assert_eq!(count(&format!("<div>{section}</div>{other}<div class=b>{section}</div>"), first), 1);
    assert_eq!(
        count(
            &format!("<div><h2>Tower</h2>{section}</div>{other}<div class=b><h2>Tower</h2>{section}</div>"),
            second
        ),
        1
    );
    // Another heading gives the same words another subject, and other words beside them another use.
    assert_eq!(count(&format!("<div>{section}</div><h2>Model B</h2><div class=b>{section}</div>"), first), 2);
    assert_eq!(count(&format!("<div>{section}</div>{other}<div>{section}<p>More. {PROSE}</div>"), first), 2);
    assert_eq!(count(&format!("<div><p>{first}</div>{other}<div class=b><p>{first}</div>"), first), 2);
    assert_eq!(count(&format!("<div>{section}</div>{other}<div>{section}</div>"), first), 2);
}

#[test]
fn pictures_are_described_where_that_says_something_new() {
    let boat = "<p><img src=a.png alt='A boat with two lamps'></p>";
    assert_eq!(count(boat, "A boat with two lamps"), 1);
    assert_eq!(
        count(&format!("{boat}<p>We saw a boat with two lamps at noon, and it went by. {PROSE}"), "A boat"),
        0
    );
    assert_eq!(
        count(&format!("{boat}<p>We saw a boat with two lampshades. {PROSE}"), "A boat with two lamps"),
        1
    );
    let views = "<p><img src=a.png alt='The lamp from above'><img src=b.png alt='The lamp from below'></p>";
    assert_eq!(count(views, "The lamp from"), 2);
    let product = "<div itemscope itemtype='https://schema.org/Product'></div>";
    assert_eq!(count(&format!("{product}{views}"), "The lamp from"), 0);
    assert_eq!(count(&format!("{product}{boat}"), "A boat with two lamps"), 1);
}

#[test]
fn entries_are_not_named_after_their_subjects() {
    let entry = |name: &str| {
        format!(
            "<li class='post type-post hentry category-cookies tag-related-ads'><h2><a href=/{name}>{name}</a></h2>\
             <p>What {name} is for, in a few words</li>"
        )
    };
    check(
        &format!(
            "<body><main><h1>Posts</h1><p>{PROSE}<ul>{}</ul></main>",
            ["Flour", "Butter"].map(entry).concat()
        ),
        &["Flour is for", "Butter is for"],
        &[],
    );
}

#[test]
fn what_is_called_a_menu_and_has_no_links_is_text() {
    let part = |links: &str| {
        format!(
            "<body><h1>Fox</h1><p>{PROSE}<p>{PROSE}<p>{PROSE}<p>{PROSE}<p>{PROSE}<div \
             class=nav-target><h2>Part</h2>{links}<p>Second. {PROSE}<p>Third. {PROSE}</div>"
        )
    };
    check(&part(""), &["Second.", "Third."], &[]);
    check(&part("<a href=/a>The first of many other pages</a>"), &["quick brown"], &["Second."]);
}

#[test]
fn a_page_that_scripts_reveal_is_read() {
    let furniture = format!("<footer>{}</footer>", format!("<p>{PROSE}").repeat(20));
    check(
        &format!(
            "<body><main><div style='display: none'><h1>Fox</h1>{}</div></main>{furniture}",
            "<p>Shown later, as soon as the script knows who reads this page and in which country.".repeat(8)
        ),
        &["Shown later"],
        &["quick brown"],
    );
}

#[test]
fn buttons_of_scripts_are_no_text() {
    check(
        &format!(
            "<body><h1>Fox</h1><p>{PROSE}<p>{PROSE}<a role=button tabindex=0>Expand it</a><p><a href=#>Previous</a> \
             <a href='javascript:go()'>Next</a><p>See <a href=#>the note</a> on it. {PROSE}<div role=button \
             aria-expanded=false>Which fox?</div><h2><a href=#>Question</a></h2><p>{PROSE}"
        ),
        &["the note", "Which fox?", "Question"],
        &["Expand", "Previous", "Next"],
    );
}

#[test]
fn pictures_of_links_with_words_are_not_described() {
    let picture = "<img src=a.png alt='A boat with two lamps'>";
    assert_eq!(count(&format!("<a href=/boat>{picture}The boat</a>"), "two lamps"), 0);
    assert_eq!(
        count(&format!("<a href=/boat>{picture}</a><h3><a href=/boat>The boat</a></h3>"), "two lamps"),
        0
    );
    assert_eq!(count(&format!("<a href=/boat>{picture}</a><a href=/ship>The ship</a>"), "two lamps"), 1);
    assert_eq!(count(&format!("<a href=#boat>{picture}</a><a href=#boat>The boat</a>"), "two lamps"), 1);
}

#[test]
fn captions_are_there_once() {
    let caption = "The old steps of the harbour at low water";
    let figure = format!("<figure><img src=a.png><figcaption>{caption} Photo: Wharton</figcaption></figure>");
    assert_eq!(count(&format!("{figure}<p>{caption}</p>"), caption), 1);
    assert_eq!(count(&format!("<p>{caption}</p>{figure}"), caption), 1);
    assert_eq!(count(&format!("{figure}<p>{caption}, and a gull.</p>"), caption), 2);
    assert_eq!(count(&format!("{figure}<p>Another thing. {PROSE}<p>{caption}</p>"), caption), 2);
}

#[test]
fn articles_leave_out_other_articles() {
    let article = |inside: &str| {
        format!(
            "<meta property=og:type content=article><body><article><h1>Fox</h1>{}{inside}<p>Last. {PROSE}</article>",
            format!("<p>{PROSE}").repeat(9)
        )
    };
    let other = "<p>In a few words, what the other page of this paper has to say.";
    check(&article("<p>Read more: <a href=/a>The other fox</a>"), &["Last."], &["Read more", "other fox"]);
    check(
        &article(&format!("<article><h3><a href=/a>Hare</a></h3>{other}</article>")),
        &["Last."],
        &["Hare", "few words"],
    );
    check(&article(&format!("<article><h3>Hare</h3>{other}</article>")), &["Hare", "few words"], &[]);
    let list = "<ul><li><a href=/a>Hares of the north</a><li><a href=/b>Hares of the south</a></ul>";
    check(
        &article(&format!("<section><h2>Elsewhere</h2>{list}</section>")),
        &["Last."],
        &["Elsewhere", "Hares"],
    );
    check(
        &article(&format!("<h2>Foxes</h2>{list}<h3>Red ones</h3><p>{PROSE}")),
        &["## Foxes", "Red ones"],
        &["Hares"],
    );
    let writer = format!("<div class=author-bio><p>Ann Fox writes. {PROSE}{PROSE}{PROSE}</div>");
    check(&article(&writer), &["Last."], &["Ann Fox"]);
}
