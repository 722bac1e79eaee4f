//! Settings of readers, as the caller passes them to a worker.

use pensieve_text::layout::LayoutOptions;
use serde::{Deserialize, Serialize};

/// The settings on which the result of a reader depends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadSettings {
    /// The name of the format; decided by content and file name if it is empty.
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
    /// Archives and packed files inside other documents are not read.
    pub skip_archives: bool,
    /// Extensions for which the user chose a converter; members with one of them are returned as bytes.
    pub converters: Vec<String>,
    /// Documents inside the document at which a worker was lost; they are reported and not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostMember>,
}

/// A document inside another at which a worker was lost: it crashed, took too long or too much memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostMember {
    /// Its path from the outermost document on.
    pub path: String,
    /// The kind of the problem.
    pub kind: String,
    /// Its message.
    pub message: String,
}

/// How pages are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HtmlOptions {
    /// Markdown; plain text otherwise.
    pub markdown: bool,
    /// Only the main content; the whole body otherwise.
    pub main_content: bool,
}

impl Default for HtmlOptions {
    fn default() -> HtmlOptions {
        HtmlOptions { markdown: true, main_content: true }
    }
}

/// What a reader makes of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookMode {
    /// Its text.
    #[default]
    Text,
    /// Its text with notes, page breaks and pictures marked.
    Marked,
    /// Its pages as they are, for another converter, with marks at the targets of its table of contents.
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
    /// Separates running prose from the rest; otherwise pages are read in order.
    pub layout: bool,
    /// The thresholds of the layout.
    pub thresholds: LayoutOptions,
}

impl Default for PdfOptions {
    fn default() -> PdfOptions {
        PdfOptions { passwords: Vec::new(), layout: true, thresholds: LayoutOptions::default() }
    }
}
