//! Settings of readers, as the caller passes them to a worker.

use pensieve_text::layout::LayoutOptions;
use pensieve_text::model::{ContentHash, RecipeLine};
use pensieve_text::names;
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
    /// Tables, captions and boxes of laid-out pages are written where they are printed, instead of after the prose of
    /// their section.
    pub printed_order: bool,
    /// SVG images are read.
    pub svg: bool,
    /// Archives and packed files inside other documents are not read.
    pub skip_archives: bool,
    /// Credential stores, private keys and values of environment files inside other documents are read as they are.
    pub secrets: bool,
    /// What becomes of text that nobody can see.
    pub hidden_text: HiddenTextPolicy,
    /// Extensions for which the user chose a converter; members with one of them are returned as bytes.
    pub converters: Vec<String>,
    /// Documents inside the document at which a worker was lost; they are reported and not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostMember>,
    /// Pages without text are recognised by a program of the user's.
    pub ocr: OcrPass,
    /// What was recognised on pages of the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recognized: Vec<RecognizedPage>,
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

/// What a reader of PDF files does about pages that have a picture of text instead of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OcrPass {
    /// Nothing.
    #[default]
    Off,
    /// It lists them, as metadata named `page_without_text`, and reads nothing else.
    Find,
    /// It reads the document with what was recognised. PDF files inside the document are returned as bytes, so that they can
    /// be read the same way.
    Read,
}

/// The text that was recognised on a page, in the order in which the program has written it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecognizedPage {
    /// Counts from 1.
    pub page: u64,
    /// Width of the picture in pixels.
    pub width: f32,
    /// Height of the picture in pixels.
    pub height: f32,
    /// False if the program gave no boxes; those of the lines are then made up.
    pub has_boxes: bool,
    /// Its lines.
    pub lines: Vec<RecognizedLine>,
}

/// A recognised line, or a part of one that is separated by a wide gap.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecognizedLine {
    /// Its words.
    pub text: String,
    /// The box around it in pixels: left, top, right, bottom.
    pub bbox: [f32; 4],
    /// The height of its baseline at its left end, in pixels from the top.
    pub baseline: f32,
    /// The size of its letters in pixels.
    pub size: f32,
    /// Counts paragraphs of the page.
    pub paragraph: u32,
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

impl HtmlOptions {
    /// What the text of a page depends on.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        let HtmlOptions { markdown, main_content } = self;
        vec![("html.markdown", markdown.to_string()), ("html.main_content", main_content.to_string())]
    }
}

impl Default for HtmlOptions {
    fn default() -> HtmlOptions {
        HtmlOptions { markdown: true, main_content: true }
    }
}

names! {
    /// What becomes of text that nobody can see. It is listed in any case.
    #[derive(Default)]
    HiddenTextPolicy {
        /// It is left out of the text, and the document needs a review.
        #[default]
        LeaveOut = "leave_out",
        /// It follows the text of its document, with the reason in its locator, and the document needs a review.
        Mark = "mark",
        /// It follows the text of its document as any other.
        Keep = "keep",
    }
}

impl HiddenTextPolicy {
    /// The part of a recipe that says what a reader does with hidden text.
    pub fn recipe(self) -> &'static str {
        match self {
            HiddenTextPolicy::LeaveOut => "",
            HiddenTextPolicy::Mark => " hidden text marked",
            HiddenTextPolicy::Keep => " hidden text kept",
        }
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

impl OfficeOptions {
    /// What the text of an office document depends on.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        let OfficeOptions { comments, headers } = self;
        vec![("office.comments", comments.to_string()), ("office.headers", headers.to_string())]
    }
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

impl PdfOptions {
    /// What the text of a PDF file depends on; of passwords only a hash, because recipes are stored.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        let PdfOptions { passwords, layout, thresholds } = self;
        let secret = match passwords.is_empty() {
            true => "none".to_owned(),
            false => format!("{:016x}", ContentHash::of(passwords.join("\0").as_bytes()).prefix()),
        };
        let mut lines = vec![("pdf.passwords", secret), ("pdf.layout.enabled", layout.to_string())];
        lines.extend(thresholds.recipe_lines());
        lines
    }
}

impl Default for PdfOptions {
    fn default() -> PdfOptions {
        PdfOptions { passwords: Vec::new(), layout: true, thresholds: LayoutOptions::default() }
    }
}
