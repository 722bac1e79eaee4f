//! What a browser shows: pages, drawings, notebooks.

pub mod html;
pub mod svg;
pub mod notebook;
pub mod mdx;
pub mod xml_document;
