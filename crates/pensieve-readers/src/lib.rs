//! Readers of documents: from a file to its text with places, one reader per format, within limits.
//!
//! # From a file to events
//!
//! [`nested::read_document`] is the entrance. It decides the format of a document from its first bytes and its name,
//! runs the reader of that format, and passes [`event::ReaderEvent`]s to the caller: segments of text, then the
//! document with its metadata and problems, then the documents inside it. Every segment carries places: pages,
//! paragraphs, cells, lines. A document that cannot be read is an event too; a reader that panics costs its document
//! a problem and nothing else.
//!
//! ```
//! use pensieve_readers::event::ReaderEvent;
//! use pensieve_readers::nested::read_bytes;
//! use pensieve_readers::settings::ReadSettings;
//!
//! let page = b"<html><body><h1>Rivers</h1><p>The Rhine ends in the North Sea.</p></body></html>";
//! let mut text = String::new();
//! read_bytes(page, "rivers.html", &ReadSettings::default(), &mut |event| {
//!     match event {
//!         ReaderEvent::Text(segment) => text.push_str(&segment.text),
//!         ReaderEvent::Document(document) => text.push_str(&document.text.text),
//!         _ => {}
//!     }
//!     true
//! });
//! assert_eq!(text.trim_end(), "# Rivers\n\nThe Rhine ends in the North Sea.");
//! ```
//!
//! # What reads which format
//!
//! [`plain_text`] streams text of any encoding and size in the caller's process. The readers of [`registry`] read
//! structured formats: [`web`] pages, [`office`] documents, [`books`], [`content_lines`] (calendars and cards),
//! [`subtitles`], [`chats`], [`mail`] and [`pdf`].
//!
//! # Hostile documents
//!
//! [`limits`] lists every limit with its reason. Only a process can be killed, so callers run readers in workers that
//! have limits on time, memory and output: the crate `pensieve-isolate`, which this one does not know. A reader opens no
//! file, starts no process and has no unsafe code.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.

// The examples of the README are compiled and run with the tests of the documentation.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

pub mod limits;
pub mod settings;
pub mod source;
pub mod event;
pub mod markdown;
pub mod shared;
pub mod web;
pub mod pdf;
pub mod office;
pub mod books;
pub mod content_lines;
pub mod subtitles;
pub mod chats;
pub mod mail;
pub mod containers;
pub mod plain_text;
pub mod registry;
pub mod hocr;
pub mod nested;
