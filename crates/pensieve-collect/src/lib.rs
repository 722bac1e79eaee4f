//! Literary collections: a manifest of works becomes a reviewed set of passages, the same on every run.
//!
//! [`collect()`] is the list of its stages: get the texts, read the books, choose passages, check them, write.
//! Everything after getting a text is pure ([`blocks`], [`sections`], [`units`], [`windows`], [`choice`]); only the supply of
//! texts knows files and servers. A work whose text is missing or is another book costs a warning and does not affect the
//! others.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.

#![forbid(unsafe_code)]

pub mod blocks;
pub mod choice;
mod files;
mod part_file;
mod address_answers;
pub mod manifest;
pub mod book;
mod server_waits;
mod http_request;
pub mod keywords;
pub mod names;
pub mod numbers;
mod labels;
pub mod headings;
pub mod score;
pub mod sections;
#[cfg(test)]
mod kinds;
pub mod units;
pub mod windows;
mod reading;
pub mod passage;
mod stage_checks;
mod database;
mod server_pages;
mod fetch;
mod metadata;
mod supply;
mod report;
mod collection;
mod readme;
mod output;
mod collect;

pub use collect::{CollectError, CollectSettings, collect};
pub use database::DatabaseError;
pub use manifest::{Manifest, ManifestError, read_manifest};
pub use metadata::CollectionMetadata;
pub use passage::ExtractionDate;
pub use report::{CollectReport, WorkReport, WorkStatus};
