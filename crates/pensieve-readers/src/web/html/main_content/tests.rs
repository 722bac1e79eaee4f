//! The smallest pages of each kind, and what of them is content.

use crate::settings::HtmlOptions;
use crate::web::html::chapter::tests::decoded;
use crate::web::html::read_html;

const PROSE: &str =
    "The quick brown fox jumps over the lazy dog, and nobody who saw it knows why it did so, or how often. ";

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
