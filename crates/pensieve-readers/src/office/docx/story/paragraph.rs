//! Paragraphs: their roles by style, outline and list, and what interrupts them.

use super::super::open_lists::OpenLists;
use super::super::properties::ParagraphProperties;
use super::super::styles::ResolvedStyle;
use super::{OpenParagraph, StoryReader};
use crate::markdown::{Block, ItemMarker};
use crate::office::story::Paragraph;
use pensieve_text::model::Span;

impl StoryReader<'_, '_> {
    pub(super) fn begin_paragraph(&mut self, start: usize) {
        // In broken documents, a paragraph inside a paragraph ends the outer one.
        if self.open_paragraph().is_some() {
            self.end_paragraph(start);
        }
        self.flush_loose(start);
        let carried = self.flows.last_mut().map(|flow| std::mem::take(&mut flow.carried));
        let flow = self.flows.len();
        self.paragraphs.push(OpenParagraph {
            flow,
            start,
            words: carried.unwrap_or_default(),
            ..OpenParagraph::default()
        });
    }

    /// The paragraph has properties; it is counted now, before what is inside it.
    pub(super) fn set_paragraph(&mut self, properties: ParagraphProperties) {
        self.add_headers_and_footers(&properties.headers_and_footers);
        let Some(paragraph) = self.open_paragraph() else { return };
        paragraph.properties = properties;
        self.resolve_paragraph();
    }

    pub(super) fn resolve_paragraph(&mut self) {
        let flow = self.flows.len();
        let Some(paragraph) = self.paragraphs.last_mut().filter(|paragraph| paragraph.flow == flow) else {
            return;
        };
        let properties = &paragraph.properties;
        let mut style = self.context.styles.paragraph(properties.style.as_deref());
        style.role = style.role.with_outline(properties.outline);
        let marker = marker_of(self.context, properties, &style);
        paragraph.style = Some((style, marker));
    }

    pub(super) fn end_paragraph(&mut self, position: usize) {
        if self.open_paragraph().is_some_and(|paragraph| paragraph.style.is_none()) {
            self.resolve_paragraph();
        }
        self.inline.fields.iter_mut().for_each(|field| field.pass_paragraph());
        let Some(mut paragraph) = self.paragraphs.pop() else { return };
        let bytes = Span::new(paragraph.start, position);
        for block in std::mem::take(&mut paragraph.before) {
            self.emit(block, bytes);
        }
        let after = std::mem::take(&mut paragraph.after);
        let is_open = paragraph.properties.mark.is_deleted || paragraph.properties.is_drop_cap;
        if is_open && after.is_empty() {
            if let Some(flow) = self.flows.last_mut() {
                flow.carried = paragraph.words;
            }
            return;
        }
        if let Some(block) = self.block(paragraph) {
            self.emit(block, bytes);
        }
        for block in after {
            self.emit(block, bytes);
        }
    }

    /// Adds blocks inside the open paragraph. If they divide it, the words after them begin a new one.
    pub(super) fn interrupt(&mut self, blocks: Vec<Block>, position: usize, divides: bool) {
        if blocks.is_empty() {
            return;
        }
        self.content_count += 1;
        let Some(paragraph) = self.open_paragraph() else {
            let bytes = Span::new(position, position);
            return blocks.into_iter().for_each(|block| self.emit(block, bytes));
        };
        if paragraph.words.is_blank() {
            return paragraph.before.extend(blocks);
        }
        if !divides {
            return paragraph.after.extend(blocks);
        }
        if paragraph.style.is_none() {
            self.resolve_paragraph();
        }
        let Some(mut paragraph) = self.paragraphs.pop() else { return };
        let (start, flow) = (paragraph.start, paragraph.flow);
        let style = paragraph.style.as_ref().map(|(style, _)| (*style, None));
        let properties = paragraph.properties.clone();
        let bytes = Span::new(start, position);
        let mut all = std::mem::take(&mut paragraph.before);
        let after = std::mem::take(&mut paragraph.after);
        all.extend(self.block(paragraph));
        all.extend(after);
        all.extend(blocks);
        all.into_iter().for_each(|block| self.emit(block, bytes));
        self.paragraphs.push(OpenParagraph { flow, start, properties, style, ..OpenParagraph::default() });
    }

    /// The block that a paragraph becomes.
    fn block(&mut self, paragraph: OpenParagraph) -> Option<Block> {
        let (style, marker) = paragraph.style.unwrap_or_default();
        let level = paragraph.properties.place.level.or(style.place.level).unwrap_or(0).min(8);
        let list = paragraph.properties.place.list.or(style.place.list);
        let indent = paragraph.properties.indent.or_else(|| self.context.numbering.indent(list?, level));
        let depth = |lists: &mut OpenLists| lists.depth(list.unwrap_or_default(), level, indent);
        let lists = self.flows.last_mut().map(|flow| &mut flow.lists);
        let item = marker.map(|marker| (lists.map_or(level, depth), Some(marker)));
        let block = Paragraph { role: style.role, item, words: paragraph.words }.into_block();
        if let (Some(flow), Some(block)) = (self.flows.last_mut(), &block)
            && !matches!(block, Block::Item { .. })
        {
            flow.lists = OpenLists::default();
        }
        block
    }
}

/// Counts the paragraph and returns what begins it.
fn marker_of(
    context: &mut super::super::context::DocumentContext<'_>,
    properties: &ParagraphProperties,
    style: &ResolvedStyle,
) -> Option<ItemMarker> {
    if properties.mark.is_deleted {
        return None;
    }
    let list = properties.place.list.or(style.place.list).filter(|&list| list != 0)?;
    let of_style = properties.style.as_deref().filter(|_| properties.place.list.is_none());
    let level = properties
        .place
        .level
        .or_else(|| context.numbering.level_of_style(list, of_style?))
        .or(style.place.level)
        .unwrap_or(0);
    context.numbering.next(list, level, &mut context.styles)
}
