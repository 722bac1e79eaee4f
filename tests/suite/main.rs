//! The promises of Pensieve, tested from outside: the program is run as people run it, and what it leaves behind is
//! read with SQLite and zstd alone.
//!
//! `TEST_ROUNDS=10` repeats what is random ten times as often, `TEST_SEED=7` makes it random in
//! another way; a failure prints its seed.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

mod architecture;
mod archives;
mod audit;
mod changes;
mod cite;
mod cleaning;
mod collect;
mod bombs;
mod books;
mod commands;
mod config;
mod convert;
mod damage;
mod converted;
mod corpora;
mod delta;
mod docs;
mod document_rows;
mod editing;
mod embed;
#[cfg(target_os = "linux")]
mod escape;
mod eval;
mod examples;
mod expand;
mod filters;
mod folders;
mod golden;
mod guide;
mod gutenberg;
mod hidden_text;
mod hints;
mod hostile;
mod hostile_documents;
mod http;
mod kill;
mod laws;
mod layout;
mod listed;
mod mails;
mod material;
mod mcp;
mod mistakes;
mod merging;
mod members;
mod nights;
mod notices;
mod pack;
mod paging;
mod parquet;
mod planning;
mod problems;
mod process;
mod ragmd;
mod ragmd_books;
mod random_sessions;
mod recognized;
mod refusals;
mod repetition;
mod reports;
mod scanning;
mod secrets;
mod schema;
mod search;
mod search_export;
mod serve;
mod serve_guard;
mod serve_pages;
mod settings;
mod streams;
mod tables;
mod third_party;
mod threads;
mod tool_folders;
mod transcripts;
mod variable;
mod versions;
mod watching;
