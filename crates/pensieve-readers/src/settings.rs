//! Settings of readers, as the asker hands them to a worker.

use pensieve_text::layout::LayoutOptions;
use serde::{Deserialize, Serialize};

/// What the result of a reader depends on beside the document.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadSettings {
    /// The row of the format table; found by content and name where it is empty.
    pub format: String,
    /// How pages are read.
    pub html: HtmlOptions,
    /// How office documents are read.
    pub office: OfficeOptions,
    /// How PDF files are read.
    pub pdf: PdfOptions,
    /// How books are read.
    pub book: BookMode,
    /// SVG images are read.
    pub svg: bool,
    /// Extensions for which the user chose a converter: documents inside of these come back as bytes.
    pub converters: Vec<String>,
}

/// How pages are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HtmlOptions {
    /// Markdown; plain text otherwise.
    pub markdown: bool,
    /// Only what the page is about; the whole body otherwise.
    pub main_content: bool,
}

impl Default for HtmlOptions {
    fn default() -> HtmlOptions {
        HtmlOptions { markdown: true, main_content: true }
    }
}

/// What is made of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookMode {
    /// Its text.
    #[default]
    Text,
    /// Its text with notes, page breaks and pictures marked.
    Marked,
    /// Its pages as they are, for somebody else to convert, with marks where its contents lead.
    Pages,
}

/// How office documents are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OfficeOptions {
    /// Comments of reviewers, after the body.
    pub comments: bool,
    /// Headers and footers, once each, after the body.
    pub headers: bool,
}

impl Default for OfficeOptions {
    fn default() -> OfficeOptions {
        OfficeOptions { comments: true, headers: true }
    }
}

/// How PDF files are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PdfOptions {
    /// Tried after the empty password, in this order.
    pub passwords: Vec<String>,
    /// Running prose is told from the rest; otherwise pages are read as they come.
    pub layout: bool,
    /// By what the layout goes.
    pub thresholds: LayoutOptions,
}

impl Default for PdfOptions {
    fn default() -> PdfOptions {
        PdfOptions { passwords: Vec::new(), layout: true, thresholds: LayoutOptions::default() }
    }
}
