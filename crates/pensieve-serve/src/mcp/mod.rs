//! The Model Context Protocol: tools, resources and completions over one or several corpora, for programs that run
//! language models.
//!
//! Each tool is a plain function from checked arguments and a [`CorpusView`](corpora::CorpusView) to a result that can
//! be serialised ([`search`], [`fetch`], ...). [`calls`] chooses the corpora of a call and joins their results,
//! [`tools`] is the table of all tools, and [`handler`] is the thin layer between them and the protocol. [`stdio`] and
//! [`http`] carry it. Everything is read-only.

mod calls;
mod corpora;
mod corpus_info;
mod document_uri;
mod error;
mod fetch;
mod handler;
mod http;
mod list_documents;
mod pack;
mod parameters;
mod resources;
mod search;
mod shared_parameters;
mod stdio;
mod tables;
mod tools;

pub use corpora::Corpora;
pub use handler::McpHandler;
pub use http::{HttpEndpoint, MAX_BODY_BYTES};
pub use stdio::{McpError, StdioOptions, run};
