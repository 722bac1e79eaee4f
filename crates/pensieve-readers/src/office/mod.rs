//! Office documents: texts, presentations, spreadsheets.

pub(crate) mod story;
pub(crate) mod doc;
pub(crate) mod docx;
pub mod iwork;
pub(crate) mod odf;
pub(crate) mod ppt;
pub(crate) mod pptx;
pub(crate) mod rtf;
pub mod sheets;
