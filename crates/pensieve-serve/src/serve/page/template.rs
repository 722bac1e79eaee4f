//! The common parts of all pages: head, navigation and body.

use crate::serve::reply::Reply;
use crate::serve::served_corpus::ServedCorpus;
use maud::{DOCTYPE, Markup, html};

/// The links at the top of every page.
const NAVIGATION: &[(&str, &str)] = &[
    ("/", "Overview"),
    ("/docs", "Documents"),
    ("/threads", "Mails"),
    ("/search", "Search"),
    ("/pack", "Pack"),
    ("/review", "Review"),
    ("/errors", "Errors"),
];

/// A page of a corpus around its content; `here` is its link in the navigation.
pub(super) fn page_template(site: &ServedCorpus, title: &str, here: &str, main: Markup) -> Reply {
    let corpus = site.options.title.as_str();
    bare_template(
        &format!("{title} · {corpus}"),
        html! {
            header .top {
                a .brand href="/" { bdi { (corpus) } }
                nav aria-label="Pages" {
                    @for (path, name) in NAVIGATION {
                        a href=(path) aria-current=[(*path == here).then_some("page")] { (name) }
                    }
                }
            }
            main #main tabindex="-1" { (main) }
        },
    )
}

pub(super) fn bare_template(title: &str, body: Markup) -> Reply {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Pensieve" }
                link rel="stylesheet" href="/style.css";
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                script src="/page.js" defer {}
            }
            body {
                a .skip href="#main" { "Skip to content" }
                (body)
            }
        }
    };
    Reply::html(page.into_string())
}
