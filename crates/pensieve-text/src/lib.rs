//! The pure core of Pensieve: bytes to clean text, clean text to chunks, and every chunk back to its bytes.
//!
#![doc = include_str!("../README.md")]
//!
//! # How to read this crate
//!
//! Begin with [`model::Segment`]: a piece of text together with everything that is known about its origin. Its
//! [`model::SpanMap`] leads from bytes of the text to bytes of the file, its line anchors and locators to places that
//! a person understands. Every step of this crate takes segments and returns segments, and the maps of two steps
//! compose; that is why a chunk at the end can cite the bytes at the beginning.
//!
//! Then follow a file through [`text`]. [`text::decode`] detects the encoding and makes segments of the bytes.
//! [`text::clean`] applies named rules: it normalises characters, settles white space, joins wrapped lines and removes
//! page furniture. [`text::tokens`] counts tokens, exactly as the model that reads the chunks will.
//!
//! [`chunk`] divides clean text at its best places, so that an edit changes the chunks around it and no others. Pages
//! of a PDF file take the way through [`layout`] first, which separates the running prose from captions, tables and
//! page furniture. [`mod@format`] comes last, since its rows refer to the modules before it.
//!
//! The modules are listed bottom-up: a module uses only modules above it in this list, which a test proves.

#![forbid(unsafe_code)]

pub mod model;
pub mod text;
pub mod layout;
pub mod chunk;
pub mod tables;
pub mod format;
