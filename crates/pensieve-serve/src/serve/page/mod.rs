//! The web pages: rendered on the server, readable without scripts, without resources of other sites.
//!
//! All text of the corpus passes through `maud`, which escapes it; no markup of a document reaches a page.

mod chart;
mod cited_words;
mod clean_text;
mod crumbs;
mod document;
mod documents;
mod facets;
mod lists;
mod login;
mod mails;
mod original;
mod overview;
mod pack;
mod paging;
mod rendered;
mod search;
mod template;
mod words;

pub use login::{login, login_form};

use super::api::ApiRequest;
use super::guard::wants_page;
use super::parameter::{MAX_INTEGER, Parameter, ParameterKind};
use super::problem::Problem;
use super::reply::Reply;
use super::routes::STATUS;
use super::served_corpus::ServedCorpus;
use axum::http::HeaderMap;
use maud::html;
use pensieve_store::retrieval::PackOptions;
use pensieve_store::store::{DocumentSort, LastWord, SearchMode};
use template::page_template;

/// The one stylesheet.
pub const STYLE: &str = include_str!("style.css");

/// The icon in the browser's tab.
pub const ICON: &str = include_str!("icon.svg");

/// Search while typing; without scripts the forms work as plain forms.
pub const SCRIPT: &str = include_str!("page.js");

/// A page and its path.
pub struct PageRoute {
    /// Its path; names in braces are variable parts.
    pub path: &'static str,
    /// The parameters of its forms and links; an empty value counts as missing.
    pub parameters: &'static [Parameter],
    /// Renders it.
    pub run: fn(&ApiRequest<'_>) -> Result<Reply, Problem>,
}

const fn text(name: &'static str) -> Parameter {
    Parameter { name, about: "", kind: ParameterKind::Text }
}

/// The number of rows of a list.
const ROWS: Parameter =
    Parameter { name: "limit", about: "", kind: ParameterKind::Number { least: 1, most: 200, default: 50 } };

const PAGE: Parameter = Parameter {
    name: "page",
    about: "",
    kind: ParameterKind::Number { least: 1, most: MAX_INTEGER, default: 1 },
};

const HITS: Parameter =
    Parameter { name: "limit", about: "", kind: ParameterKind::Number { least: 1, most: 50, default: 20 } };

/// What a question is compared with.
const MODE: Parameter = Parameter { name: "mode", about: "", kind: ParameterKind::OneOf(&SearchMode::NAMES) };

/// Whether the last word of a search is still being typed.
const LAST_WORD: Parameter =
    Parameter { name: "last_word", about: "", kind: ParameterKind::OneOf(&LastWord::NAMES) };

const PACK: &[Parameter] = &[
    text("question"),
    Parameter {
        name: "budget",
        about: "",
        kind: ParameterKind::Number {
            least: 1,
            most: pack::MAX_BUDGET,
            default: PackOptions::DEFAULT_BUDGET as u64,
        },
    },
    MODE,
    text("path"),
    text("format"),
];

/// Every page except the form for the token.
pub const PAGES: &[PageRoute] = &[
    PageRoute { path: "/", parameters: &[], run: overview::page },
    PageRoute {
        path: "/docs",
        parameters: &[
            text("query"),
            text("format"),
            Parameter { name: "status", about: "", kind: ParameterKind::OneOf(STATUS) },
            Parameter { name: "folder", about: "", kind: ParameterKind::Path },
            Parameter {
                name: "root",
                about: "",
                kind: ParameterKind::Number { least: 0, most: 1 << 31, default: 0 },
            },
            Parameter { name: "sort", about: "", kind: ParameterKind::OneOf(&DocumentSort::NAMES) },
            Parameter { name: "order", about: "", kind: ParameterKind::OneOf(documents::DIRECTIONS) },
            PAGE,
            ROWS,
        ],
        run: documents::page,
    },
    PageRoute {
        path: "/docs/{doc_uid}",
        parameters: &[
            PAGE,
            Parameter { name: "at", about: "", kind: ParameterKind::Path },
            Parameter { name: "cite", about: "", kind: ParameterKind::Path },
            Parameter { name: "view", about: "", kind: ParameterKind::OneOf(document::VIEWS) },
        ],
        run: document::page,
    },
    PageRoute { path: "/docs/{doc_uid}/original", parameters: &[], run: original::page },
    PageRoute { path: "/cite/{*citation}", parameters: &[], run: cited_words::redirect },
    PageRoute { path: "/pack", parameters: PACK, run: pack::page },
    PageRoute { path: "/pack.md", parameters: PACK, run: pack::download },
    PageRoute { path: "/threads", parameters: &[ROWS, text("cursor")], run: mails::threads },
    PageRoute { path: "/threads/{uid}", parameters: &[ROWS, text("cursor")], run: mails::thread },
    PageRoute {
        path: "/search",
        parameters: &[
            text("query"),
            LAST_WORD,
            MODE,
            text("repeats"),
            text("path"),
            text("format"),
            text("year"),
            text("from"),
            text("author"),
            text("lang"),
            text("tag"),
            HITS,
            text("cursor"),
        ],
        run: search::page,
    },
    PageRoute { path: "/review", parameters: &[ROWS, text("cursor")], run: lists::review },
    PageRoute { path: "/errors", parameters: &[text("type"), ROWS, text("cursor")], run: lists::errors },
];

/// A problem as the client expects it: a page for a browser outside the API, else a problem document.
pub fn problem(site: &ServedCorpus, problem: &Problem, path: &str, headers: &HeaderMap) -> Reply {
    if !wants_page(path, headers) {
        return problem.reply();
    }
    let content = html! {
        h1 { (problem.kind.title()) }
        p { (problem.detail) }
        p { a href="/" { "To the corpus" } }
    };
    page_template(site, problem.kind.title(), "", content).with_status(problem.kind.status())
}
