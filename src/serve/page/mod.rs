//! The page: rendered here, readable without scripts, with nothing from elsewhere.
//!
//! Everything of the corpus passes through `maud`, which escapes it; no markup of a document ever gets here.

mod chart;
mod document;
mod documents;
mod lists;
mod login;
mod overview;
mod search;
mod words;

pub use login::{login, login_form};

use super::api::Ask;
use super::guard::wants_page;
use super::parameter::{Parameter, ParameterKind};
use super::problem::Problem;
use super::reply::Reply;
use super::routes::STATUS;
use axum::http::HeaderMap;
use maud::{DOCTYPE, Markup, html};

/// The one stylesheet.
pub const STYLE: &str = include_str!("style.css");

/// The mark in the browser's tab.
pub const ICON: &str = include_str!("icon.svg");

/// Search as one types; without it the forms work as forms.
pub const SCRIPT: &str = include_str!("page.js");

/// A page and where it is.
pub struct Page {
    /// Its path; names in braces are parts that vary.
    pub path: &'static str,
    /// What its forms and links may ask; empty values are as none.
    pub parameters: &'static [Parameter],
    /// Renders it.
    pub run: fn(&Ask<'_>) -> Result<Reply, Problem>,
}

const fn text(name: &'static str) -> Parameter {
    Parameter { name, about: "", kind: ParameterKind::Text }
}

/// Rows of a list.
const ROWS: Parameter =
    Parameter { name: "limit", about: "", kind: ParameterKind::Number { least: 1, most: 200, default: 50 } };

const HITS: Parameter =
    Parameter { name: "limit", about: "", kind: ParameterKind::Number { least: 1, most: 50, default: 20 } };

const ANY: u64 = 1 << 53;

/// Every page but that of the token.
pub const PAGES: &[Page] = &[
    Page { path: "/", parameters: &[], run: overview::page },
    Page {
        path: "/docs",
        parameters: &[
            text("query"),
            text("format"),
            Parameter { name: "status", about: "", kind: ParameterKind::OneOf(STATUS) },
            ROWS,
            text("cursor"),
        ],
        run: documents::page,
    },
    Page {
        path: "/docs/{doc_uid}",
        parameters: &[
            Parameter {
                name: "page",
                about: "",
                kind: ParameterKind::Number { least: 1, most: ANY, default: 1 },
            },
            Parameter {
                name: "at",
                about: "",
                kind: ParameterKind::Number { least: 0, most: ANY, default: ANY },
            },
        ],
        run: document::page,
    },
    Page {
        path: "/search",
        parameters: &[text("query"), text("path"), text("format"), HITS, text("cursor")],
        run: search::page,
    },
    Page { path: "/review", parameters: &[ROWS, text("cursor")], run: lists::review },
    Page { path: "/errors", parameters: &[text("type"), ROWS, text("cursor")], run: lists::errors },
];

/// Where the links at the head of every page lead.
const PLACES: &[(&str, &str)] = &[
    ("/", "Overview"),
    ("/docs", "Documents"),
    ("/search", "Search"),
    ("/review", "Review"),
    ("/errors", "Errors"),
];

/// A page around its content; `here` is the link at the head that leads to it.
fn shell(title: &str, here: &str, main: Markup) -> Reply {
    framed(
        title,
        html! {
            header .top {
                a .brand href="/" { "Pensieve" }
                nav aria-label="Pages" {
                    @for (path, name) in PLACES {
                        a href=(path) aria-current=[(*path == here).then_some("page")] { (name) }
                    }
                }
            }
            main #main tabindex="-1" { (main) }
        },
    )
}

fn framed(title: &str, body: Markup) -> Reply {
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

/// A problem for whoever asked: a page for a browser outside the API, else a problem document.
pub fn problem(problem: &Problem, path: &str, headers: &HeaderMap) -> Reply {
    if !wants_page(path, headers) {
        return problem.reply();
    }
    let content = html! {
        h1 { (problem.kind.title()) }
        p { (problem.detail) }
        p { a href="/" { "To the corpus" } }
    };
    shell(problem.kind.title(), "", content).with_status(problem.kind.status())
}
