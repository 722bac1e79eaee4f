//! What a browser shows: pages, drawings, notebooks.

pub mod html;
pub mod svg;
pub mod notebook;
