//! The state that the readers of one document's parts share: its package, styles and lists, the labels of its notes.

use super::numbering::Numbering;
use super::styles::Styles;
use crate::limits::docx::{MAX_ANNOTATIONS, MAX_PARTS, MAX_PARTS_BYTES};
use crate::settings::OfficeOptions;
use crate::shared::hidden_text::HiddenText;
use crate::shared::numerals::numeral;
use crate::shared::opc::{OpcPackage, Relationships};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, ReviewReason, ReviewReasonKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Reads a document that is nested in this many others.
pub(super) type ReadDocument =
    fn(&mut DocumentSource<'_>, OfficeOptions, usize, &mut dyn DocumentSink) -> Result<Document, Problem>;

/// The state that the readers of one document's parts share.
pub(super) struct DocumentContext<'a> {
    pub(super) package: OpcPackage<'a>,
    pub(super) options: OfficeOptions,
    /// How many documents this one is nested in.
    pub(super) depth: usize,
    /// Reads a document that is inserted into this one.
    pub(super) read_document: ReadDocument,
    pub(super) styles: Styles,
    pub(super) numbering: Numbering,
    /// The default font is monospaced, so that such a font does not mark code.
    pub(super) is_monospaced_throughout: bool,
    pub(super) notes: NoteLabels,
    /// Headers and footers by their parts, in the order of their first section.
    pub(super) headers_and_footers: Vec<(bool, Arc<str>)>,
    pub(super) parts_read: usize,
    pub(super) has_too_many: bool,
    /// Bytes of inserted documents and pages, which cost more than other parts.
    pub(super) inserted: usize,
    pub(super) unmapped_symbols: usize,
    pub(super) hidden: HiddenText,
    /// Headers and footers, whose drawings lie behind the text of the pages.
    backdrops: Vec<Arc<str>>,
    /// False if a background, or a drawing behind the text, may have any colour; found when it is first asked for.
    is_paper_white: Option<bool>,
    pub(super) problems: Vec<Problem>,
    pub(super) review_reasons: Vec<ReviewReason>,
}

/// True for a body with a background, or with drawings behind its text.
fn has_backdrop(body: &str) -> bool {
    let has = |word: &str| memchr::memmem::find(body.as_bytes(), word.as_bytes()).is_some();
    has(":background") || has("behindDoc=\"1\"") || has("behindDoc=\"true\"") || has("z-index:-")
}

/// True for a header or footer with drawings, which lie behind the text of the pages.
fn has_drawing(part: &str) -> bool {
    let has = |word: &str| memchr::memmem::find(part.as_bytes(), word.as_bytes()).is_some();
    has(":anchor") || has(":shape") || has(":rect")
}

/// Labels of notes in the order of their references.
#[derive(Default)]
pub(super) struct NoteLabels {
    labels: HashMap<(bool, String), String>,
    pub(super) order: Vec<(bool, String)>,
    counts: [u32; 2],
}

impl NoteLabels {
    /// The label of a note: Arabic numerals for footnotes, lower-case Roman ones for endnotes.
    pub(super) fn label(&mut self, is_endnote: bool, id: &str) -> Option<String> {
        let key = (is_endnote, id.to_owned());
        if let Some(label) = self.labels.get(&key) {
            return Some(label.clone());
        }
        if self.order.len() >= MAX_ANNOTATIONS {
            return None;
        }
        let count = &mut self.counts[usize::from(is_endnote)];
        *count += 1;
        let label = match is_endnote {
            true => numeral(*count, "lowerRoman"),
            false => count.to_string(),
        };
        self.labels.insert(key.clone(), label.clone());
        self.order.push(key);
        Some(label)
    }
}

impl<'a> DocumentContext<'a> {
    pub(super) fn new(
        mut package: OpcPackage<'a>,
        options: OfficeOptions,
        depth: usize,
        read_document: ReadDocument,
        relations: &Relationships,
        body: &str,
    ) -> DocumentContext<'a> {
        let backdrops =
            relations.of_kind("header").chain(relations.of_kind("footer")).take(MAX_PARTS).cloned();
        let backdrops = backdrops.collect();
        let mut text_of = |kind: &str| {
            let part = relations.of_kind(kind).next()?;
            Some(package.text(part).ok()?.text)
        };
        let mut styles = text_of("styles").map(|text| Styles::read(&text)).unwrap_or_default();
        let numbering = text_of("numbering").map(|text| Numbering::read(&text)).unwrap_or_default();
        DocumentContext {
            package,
            options,
            depth,
            read_document,
            is_monospaced_throughout: styles.paragraph(None).format.code == Some(true),
            styles,
            numbering,
            notes: NoteLabels::default(),
            headers_and_footers: Vec::new(),
            parts_read: 0,
            has_too_many: false,
            inserted: 0,
            unmapped_symbols: 0,
            hidden: HiddenText::default(),
            backdrops,
            is_paper_white: has_backdrop(body).then_some(false),
            problems: Vec::new(),
            review_reasons: Vec::new(),
        }
    }

    /// True if the paper of all pages is white.
    pub(super) fn is_paper_white(&mut self) -> bool {
        if let Some(known) = self.is_paper_white {
            return known;
        }
        let backdrops = std::mem::take(&mut self.backdrops);
        let is_plain = |part: &Arc<str>| self.package.text(part).is_ok_and(|part| !has_drawing(&part.text));
        *self.is_paper_white.insert(backdrops.iter().all(is_plain))
    }

    /// False if the document has referred to too many parts for more to be read.
    pub(super) fn may_read_another(&mut self) -> bool {
        let may_read = self.parts_read < MAX_PARTS && self.package.unpacked_bytes() < MAX_PARTS_BYTES;
        self.parts_read += usize::from(may_read);
        if !may_read && !std::mem::replace(&mut self.has_too_many, true) {
            self.review_reasons.push(ReviewReason::skipped("the document refers to too many parts"));
        }
        may_read
    }

    pub(super) fn add_header_or_footer(&mut self, is_footer: bool, part: &Arc<str>) {
        let reference = (is_footer, part.clone());
        if self.headers_and_footers.len() < MAX_PARTS && !self.headers_and_footers.contains(&reference) {
            self.headers_and_footers.push(reference);
        }
    }

    pub(super) fn note_damage(&mut self, part: &str, problem: Option<Problem>, broken: Option<String>) {
        self.problems.extend(problem);
        if let Some(why) = broken {
            self.review_reasons.push(ReviewReason::repaired(format!("`{part}`: {why}")));
        }
        if self.unmapped_symbols > 0 {
            let detail = format!("{} signs of fonts without a table", self.unmapped_symbols);
            self.review_reasons.push(ReviewReason::new(ReviewReasonKind::UnmappedGlyphs, detail));
            self.unmapped_symbols = 0;
        }
    }
}
