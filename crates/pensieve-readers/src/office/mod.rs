//! Office documents: texts, presentations, spreadsheets.

pub mod doc;
pub mod docx;
pub mod iwork;
pub mod odf;
pub mod ppt;
pub mod pptx;
pub mod rtf;
pub mod sheets;
