//! The query language: text to tokens, tokens to a tree, the tree to an FTS5 expression.

pub(super) mod characters;
mod error;
mod fts;
mod lexer;
mod operators;
mod parser;
pub(super) mod parts;
mod tree;
pub(super) mod unfinished_run;
pub(super) mod words;

pub use error::{QueryError, QueryNote};
pub(super) use fts::{Script, expression};
pub(super) use lexer::filter_of;
pub(super) use parser::{parse, signs_only};
pub(super) use tree::{Expression, Query, QueryField, QueryFilter, QueryTerm};
