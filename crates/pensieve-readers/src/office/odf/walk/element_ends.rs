//! Handles the ends of elements: paragraphs become blocks, rows become tables, and blocks go to their flow.

use super::super::flow::{
    FlowKind, OpenHeading, OpenParagraph, OpenShape, PlacedBlock, TableBuilder, add_to, is_blank, join_blocks,
};
use super::{BodyWalker, OpenElement};
use crate::limits::odf::{MAX_HELD_ITEMS, MAX_ROW_REPEATS, MAX_TABLE_AREA_CELLS, MAX_WAITING_BLOCKS};
use crate::markdown::{Block, ItemMarker, Table, TableRow, Words};
use crate::office::story::{Paragraph, ParagraphRole, flatten_code};
use crate::shared::back_matter::with_author;
use crate::shared::formula::formula_run;
use crate::shared::slide_order::{Frame, seen_order};
use pensieve_text::model::{FoldKind, HiddenReason, Problem, Span, Visibility};

impl BodyWalker<'_, '_, '_> {
    /// # Errors
    /// The sink accepts no more text.
    pub(super) fn end(&mut self, open: OpenElement) -> Result<(), Problem> {
        match open {
            OpenElement::Plain => {}
            OpenElement::Paragraph => self.end_paragraph(),
            OpenElement::Span(outer) => self.format = outer,
            OpenElement::Link(link) => self.link = link,
            OpenElement::Ruby => self.push_words(")"),
            OpenElement::List => self.end_list(),
            OpenElement::Row => self.end_row()?,
            OpenElement::Table => self.end_table(),
            OpenElement::Flow(outer, link) => {
                self.end_paragraph();
                self.format = outer;
                self.link = link;
                self.end_flow();
            }
            OpenElement::Slide => self.end_slide()?,
        }
        // The last block waits: lines of code that follow are joined to it.
        if self.flows.len() == 1 && self.tables.is_empty() {
            self.flush(1)?;
        }
        Ok(())
    }

    fn end_list(&mut self) {
        self.end_paragraph();
        let flow = self.flow();
        let (Some(list), counters) = (flow.lists.pop(), flow.counters) else { return };
        if flow.lists.is_empty() {
            self.continued.save(&list, counters);
        }
    }

    /// Ends the open paragraph, if there is one; the blocks of its frames follow it.
    pub(super) fn end_paragraph(&mut self) {
        let Some(mut paragraph) = self.flow().paragraph.take() else { return };
        self.format = paragraph.outer_format;
        if paragraph.is_hidden {
            let span = Span::new(paragraph.start, self.at.max(paragraph.start));
            self.writer.hide(HiddenReason::NotDisplayed, &paragraph.words.to_plain(), span);
        }
        let after = std::mem::take(&mut self.flow().after);
        let is_shown = !paragraph.is_hidden
            && (!paragraph.words.is_blank()
                || paragraph.role == ParagraphRole::Code && !self.flow().blocks.is_empty());
        if is_shown {
            let words = std::mem::take(&mut paragraph.words);
            let span = Span::new(paragraph.start, self.at.max(paragraph.start));
            if let Some(block) = self.block_of(&paragraph, words) {
                self.add(block, span);
            }
        }
        for (block, span) in after {
            self.add(block, span);
        }
    }

    fn block_of(&mut self, paragraph: &OpenParagraph, words: Words) -> Option<Block> {
        let in_list = !self.flow().lists.is_empty();
        let by_style = match paragraph.role {
            ParagraphRole::Heading(level) => {
                Some(OpenHeading { level: level.clamp(1, 10), is_unnumbered: !in_list, restart: None })
            }
            _ => None,
        };
        let (role, item) = match paragraph.heading.or(by_style) {
            Some(heading) => {
                let number = self.heading_number(paragraph, heading).map(ItemMarker::Number);
                (ParagraphRole::Heading(heading.level), Some((0, number)))
            }
            None => (paragraph.role, self.item_of(paragraph)),
        };
        Paragraph { role, item, words }.into_block()
    }

    fn heading_number(&mut self, paragraph: &OpenParagraph, heading: OpenHeading) -> Option<String> {
        let level = usize::from(heading.level) - 1;
        let marker = if self.flow().lists.is_empty() {
            if heading.is_unnumbered {
                return None;
            }
            match paragraph.list.as_ref() {
                Some(name) if name.is_empty() => None,
                Some(name) => {
                    let style = self.context.styles.list(name)?;
                    let counters = self.headings.entry(name.clone()).or_default();
                    counters.next(level, heading.restart, |at| style.level(at))
                }
                None => {
                    let style = self.context.styles.outline();
                    self.outline.next(level, heading.restart, |at| style.level(at))
                }
            }
        } else {
            self.next_marker(paragraph)
        };
        match (&paragraph.number, marker) {
            (Some(number), _) => Some(number.clone()),
            (None, Some(ItemMarker::Number(number))) => Some(number),
            (None, _) => None,
        }
    }

    /// The marker of the open item; each is returned only once.
    fn next_marker(&mut self, paragraph: &OpenParagraph) -> Option<ItemMarker> {
        let flow = self.flows.last_mut()?;
        let level = flow.lists.len().checked_sub(1)?;
        let list = flow.lists.last_mut()?;
        if list.item.is_marked || list.item.is_header {
            return None;
        }
        list.item.is_marked = true;
        let name = list.style.as_ref().or(paragraph.list.as_ref());
        let style = name.and_then(|name| self.context.styles.list(name)).unwrap_or_default();
        flow.counters.next(level, list.item.start, |at| style.level(at))
    }

    /// If the paragraph is in a list: how deep, and what begins it.
    fn item_of(&mut self, paragraph: &OpenParagraph) -> Option<(u8, Option<ItemMarker>)> {
        let depth = self.flow().lists.len().checked_sub(1)?.min(20) as u8;
        let is_first =
            self.flow().lists.last().is_some_and(|list| !list.item.is_marked && !list.item.is_header);
        let marker = match (self.next_marker(paragraph), &paragraph.number) {
            (Some(ItemMarker::Number(_)), Some(number)) => Some(ItemMarker::Number(number.clone())),
            (marker, _) => marker,
        };
        match marker {
            None if is_first && depth == 0 => None,
            marker => Some((depth, marker)),
        }
    }

    pub(super) fn add(&mut self, block: Block, span: Span) {
        if !is_blank(&block) {
            let is_full = self.is_full();
            self.held += 1;
            self.flow().add(block, span, is_full);
        }
    }

    fn end_row(&mut self) -> Result<(), Problem> {
        let is_full = self.is_full();
        let is_outermost = self.flows.len() == 1 && self.tables.len() == 1;
        let Some(table) = self.tables.last_mut() else { return Ok(()) };
        let cells = table.end_row();
        if is_full && !is_outermost && (cells.is_empty() || table.can_join_rows()) {
            let blocks: Vec<Block> = cells.into_iter().flat_map(|cell| cell.blocks).collect();
            if !blocks.is_empty() {
                table.join_cell(blocks);
            }
            return Ok(());
        }
        let span = Span::new(table.row_start, self.at.max(table.row_start));
        let place = is_outermost.then(|| self.writer.place(span));
        let has_words = cells.iter().any(|cell| !cell.blocks.is_empty());
        let area = cells.iter().map(|cell| cell.columns as usize).sum::<usize>();
        let wanted = if has_words { table.row_repeat.clamp(1, MAX_ROW_REPEATS) } else { 1 };
        for _ in 1..wanted {
            if self.repeats < area {
                break;
            }
            self.repeats -= area;
            table.area += area;
            table.rows.push(TableRow { cells: cells.clone(), place: place.clone() });
        }
        table.rows.push(TableRow { cells, place });
        self.held += 1;
        if is_outermost && (table.area > MAX_TABLE_AREA_CELLS / 2 || self.held > MAX_HELD_ITEMS / 2) {
            self.end_table();
            self.flush(0)?;
            self.tables.push(TableBuilder { start: self.at, ..TableBuilder::default() });
        }
        Ok(())
    }

    fn end_table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        if self.is_full() && !self.tables.is_empty() {
            let cells = table.rows.into_iter().flat_map(|row| row.cells);
            for block in cells.flat_map(|cell| cell.blocks) {
                self.add(block, Span::new(self.at, self.at));
            }
            return;
        }
        if !table.rows.is_empty() {
            let span = Span::new(table.start, self.at.max(table.start));
            let mut table = Table { rows: table.rows };
            flatten_code(&mut table);
            self.add(Block::Table(table), span);
        }
    }

    fn end_flow(&mut self) {
        if self.flows.len() < 2 {
            return;
        }
        let Some(flow) = self.flows.pop() else { return };
        let is_full = self.is_full();
        let span = match (flow.blocks.first(), flow.blocks.last()) {
            (Some((_, first)), Some((_, last))) => Span::new(first.start, last.end.max(first.start)),
            _ => Span::new(self.at, self.at),
        };
        match flow.kind {
            FlowKind::Root => {}
            FlowKind::Cell { columns, rows, repeat } => {
                let blocks = flow.blocks.into_iter().map(|(block, _)| block).collect();
                self.held += 1;
                let Some(table) = self.tables.last_mut() else { return };
                match is_full {
                    true => table.join_cell(blocks),
                    false => {
                        let repeat = if self.repeats < repeat as usize { 1 } else { repeat };
                        self.repeats -= if repeat > 1 { repeat as usize } else { 0 };
                        table.add_cell(blocks, columns, rows, repeat);
                    }
                }
            }
            FlowKind::Shape(shape) => self.end_shape(&shape, flow.blocks, span),
            FlowKind::Note(label) => {
                let blocks: Vec<Block> = flow.blocks.into_iter().map(|(block, _)| block).collect();
                match self.deferred.notes.last_mut() {
                    Some((Block::Note { blocks: last, .. }, _)) if is_full => join_blocks(last, blocks),
                    _ => self.deferred.notes.push((Block::Note { label, blocks }, span)),
                }
            }
            FlowKind::Comment(by) => {
                for (at, (mut block, span)) in flow.blocks.into_iter().enumerate() {
                    if at == 0 && !by.is_empty() {
                        let words = block.words().cloned().unwrap_or_default();
                        block = Block::Paragraph(with_author(&by, words));
                    }
                    add_to(&mut self.deferred.comments, block, span, is_full);
                }
            }
            FlowKind::Header => self.deferred.headers.extend(flow.blocks),
            FlowKind::SlideNotes => self.slide.notes.extend(flow.blocks),
        }
    }

    fn end_shape(&mut self, shape: &OpenShape, blocks: Vec<PlacedBlock>, span: Span) {
        if self.slides > 0 && matches!(self.flow().kind, FlowKind::Root) {
            let first = self.flow().blocks.len();
            self.slide.shapes.push((shape.frame, first));
        }
        if shape.is_title && self.slide.title.is_none() && !blocks.is_empty() {
            self.slide.title = Some(Words::joined(blocks.iter().map(|(block, _)| block)));
            return;
        }
        if blocks.is_empty() {
            let substitute = shape.substitute();
            if self.flow().paragraph.is_some() {
                let substitute = substitute.replace('\n', " ");
                // A formula is a word of its sentence; the description of a picture is not.
                match (substitute.is_empty(), shape.formula.is_empty()) {
                    (true, _) => {}
                    (false, true) => self.push_words(&format!(" {substitute} ")),
                    (false, false) => self.push_run(formula_run(&substitute, false)),
                }
            } else if !shape.formula.is_empty() {
                self.add(Block::Paragraph(Words(vec![formula_run(&shape.formula, true)])), span);
            } else {
                self.add(Block::Paragraph(Words::plain(substitute)), span);
            }
            return;
        }
        for (block, span) in blocks {
            self.add(block, span);
        }
    }

    fn end_slide(&mut self) -> Result<(), Problem> {
        self.end_paragraph();
        let slide = std::mem::take(&mut self.slide);
        let blocks = if self.flows.len() > 1 { self.flows.pop().map(|flow| flow.blocks) } else { None };
        self.flush(0)?;
        self.writer.slide = Some(self.slides);
        self.writer.visibility = slide.fold;
        let none = Span::new(self.at, self.at);
        if let Some(words) = slide.title {
            self.writer.write(&(Block::Heading { level: 2, words }, none))?;
        }
        for placed in &in_seen_order(blocks.unwrap_or_default(), &slide.shapes) {
            self.writer.write(placed)?;
        }
        self.writer.visibility = slide.fold.max(Some(Visibility::Folded(FoldKind::Note)));
        for placed in &slide.notes {
            self.writer.write(placed)?;
        }
        self.writer.visibility = slide.fold;
        for comment in std::mem::take(&mut self.deferred.comments) {
            self.writer.write(&comment)?;
        }
        (self.writer.slide, self.writer.visibility) = (None, None);
        Ok(())
    }

    /// Writes the blocks of the document except for the last `but`.
    pub(super) fn flush(&mut self, but: usize) -> Result<(), Problem> {
        let Some(root) = self.flows.first_mut() else { return Ok(()) };
        let ready = root.blocks.len().saturating_sub(but);
        for placed in root.blocks.drain(..ready) {
            self.writer.write(&placed)?;
        }
        if self.flows.len() == 1 && self.flow().paragraph.is_none() && self.tables.is_empty() {
            self.held = 0;
        }
        for waiting in [&mut self.deferred.notes, &mut self.deferred.comments] {
            if waiting.len() > MAX_WAITING_BLOCKS {
                for placed in waiting.drain(..) {
                    self.writer.write(&placed)?;
                }
            }
        }
        Ok(())
    }
}

/// The blocks of a slide in the order in which its shapes are seen.
fn in_seen_order(blocks: Vec<PlacedBlock>, shapes: &[(Option<Frame>, usize)]) -> Vec<PlacedBlock> {
    // Of shapes that begin with the same block, all but the last have none.
    let ends = shapes.iter().skip(1).map(|(_, first)| *first).chain([blocks.len()]);
    let filled: Vec<_> = shapes.iter().zip(ends).filter(|((_, first), end)| first < end).collect();
    let frames: Vec<Option<Frame>> = filled.iter().map(|((frame, _), _)| *frame).collect();
    let is_all = filled.first().is_some_and(|((_, first), _)| *first == 0);
    let Some(order) = seen_order(&frames).filter(|_| is_all) else { return blocks };
    let mut waiting: Vec<Option<PlacedBlock>> = blocks.into_iter().map(Some).collect();
    let ranges = order.into_iter().map(|at| filled[at].0.1..filled[at].1);
    ranges.flatten().filter_map(|at| waiting.get_mut(at)?.take()).collect()
}
