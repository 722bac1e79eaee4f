//! The page: rendered here, readable without scripts, with nothing from elsewhere.
//!
//! Everything of the corpus passes through `maud`, which escapes it; no markup of a document ever gets here.

mod login;

pub use login::{login, login_form};

use super::guard::wants_page;
use super::problem::Problem;
use super::reply::Reply;
use axum::http::HeaderMap;
use maud::{DOCTYPE, Markup, html};

/// The one stylesheet.
pub const STYLE: &str = include_str!("style.css");

/// A page around its content.
pub fn shell(title: &str, main: Markup) -> Reply {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Pensieve" }
                link rel="stylesheet" href="/style.css";
            }
            body {
                a .skip href="#main" { "Skip to content" }
                main #main { (main) }
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
    shell(problem.kind.title(), content).with_status(problem.kind.status())
}
