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
