//! The tree of an IWA document: sheets, slides or pages, what is drawn on them, and the text in it.
//!
//! Each object is read once, however often it is referred to, and nothing deeper than [`MAX_DRAWABLE_DEPTH`]. If the
//! tree yields no text at all, every text storage is read. Source: `TN`, `KN`, `TP`, `TSD` messages of the programs'
//! descriptors.

use super::super::grid::Grid;
use super::super::output::{ContentRegion, DocumentUnit, UnitContent, UnitLocation, UnitWriter};
use super::context::DocumentContext;
use super::objects::{ObjectStore, STORAGE_TYPES};
use super::table::read_table;
use super::text::read_storage;
use super::wire::ProtobufMessage;
use crate::limits::iwork::{MAX_DRAWABLE_DEPTH, MAX_REFERRED_TEXT_BYTES, MAX_SHARED_BYTES, MAX_UNITS};
use crate::markdown::{Block, TextRun, TextStyle, Words};
use crate::settings::OfficeOptions;
use pensieve_text::model::Problem;
use std::collections::{HashMap, HashSet};

/// The root object of every document.
const ROOT: u64 = 1;

/// Reads a document; true if something had to be left out.
///
/// # Errors
/// The sink refuses the text.
pub(super) fn read_document<'s>(
    store: &'s ObjectStore,
    office: &OfficeOptions,
    output: &mut UnitWriter<'s>,
) -> Result<bool, Problem> {
    let root = store.get(ROOT).map(|object| object.message).unwrap_or_default();
    let mut context = DocumentContext {
        store,
        unit: DocumentUnit::default(),
        seen: HashSet::new(),
        styles: HashMap::new(),
        notes: 0,
        is_pages: root.bytes(15).is_some(),
        is_cut: false,
        output,
        office,
        read_drawable: |context, drawable, region, depth| context.read_drawable(drawable, region, depth),
        location: UnitLocation::Part("Index/Document.iwa".into()),
        work: MAX_SHARED_BYTES,
        referred: MAX_REFERRED_TEXT_BYTES,
        failed: None,
    };
    if context.is_pages {
        context.read_pages(root);
    } else if root.bytes(8).is_some() {
        context.read_sheets(root);
    } else {
        context.read_slides(root);
    }
    if context.output.is_empty() {
        context.read_left();
    }
    context.failed.map_or(Ok(context.is_cut), Err)
}

impl DocumentContext<'_, '_> {
    fn read_pages(&mut self, root: ProtobufMessage<'_>) {
        if let Some(body) = root.reference(4) {
            if self.office.headers {
                self.read_page_headers(root, body);
            }
            read_storage(self, body, ContentRegion::Body, 0);
        }
        let floating = self.store.follow(root, 3);
        let mut groups: Vec<ProtobufMessage<'_>> = floating.messages(1).collect();
        groups.sort_by_key(|group| group.number(1));
        for group in groups {
            for layer in [2, 3, 4] {
                for entry in group.messages(layer) {
                    if let Some(drawable) = entry.reference(1) {
                        self.read_drawable(drawable, ContentRegion::Shapes, 0);
                    }
                }
            }
        }
        for drawable in self.store.follow(root, 20).references(1) {
            self.read_drawable(drawable, ContentRegion::Shapes, 0);
        }
        self.end_unit();
    }

    /// Headers and footers of every section, which refers to up to three kinds of pages.
    fn read_page_headers(&mut self, root: ProtobufMessage<'_>, body: u64) {
        let body = self.store.get(body).map(|object| object.message).unwrap_or_default();
        let sections = body.message(17);
        let sections = sections.messages(1).filter_map(|entry| entry.reference(2)).chain(root.reference(5));
        for section in sections.take(MAX_UNITS) {
            if !self.seen.insert(section) {
                continue;
            }
            let Some(section) = self.store.get(section) else { continue };
            for master in [23, 24, 25].into_iter().flat_map(|field| section.message.references(field)) {
                let Some(master) = self.store.get(master) else { continue };
                for field in [1, 2] {
                    for storage in master.message.references(field) {
                        read_storage(self, storage, ContentRegion::Headers, 0);
                    }
                }
            }
        }
    }

    fn read_sheets(&mut self, root: ProtobufMessage<'_>) {
        for identifier in root.references(1).take(MAX_UNITS) {
            let Some(object) = self.store.get(identifier) else { continue };
            if !self.seen.insert(identifier) {
                continue;
            }
            // A form contains its sheet.
            let sheet = if object.kind == 3 { object.message.message(1) } else { object.message };
            let name = sheet.text(1).into_owned();
            self.location = UnitLocation::Sheet(name.as_str().into(), "Index/Document.iwa".into());
            self.heading(Words::plain(name));
            for drawable in sheet.references(2) {
                self.read_drawable(drawable, ContentRegion::Body, 0);
                self.write_body();
            }
            if self.office.headers {
                for field in [15, 16, 18, 19] {
                    for storage in sheet.references(field) {
                        read_storage(self, storage, ContentRegion::Headers, 0);
                    }
                }
            }
            self.end_unit();
        }
    }

    fn read_slides(&mut self, root: ProtobufMessage<'_>) {
        let show = self.store.follow(root, 2);
        let tree = show.message(3);
        let mut nodes: Vec<u64> = tree.references(2).take(MAX_UNITS).collect();
        if nodes.is_empty() {
            nodes = self.nodes_below(tree.reference(1));
        }
        let mut count = 0;
        for node in nodes {
            let Some(node) = self.store.get(node) else { continue };
            let Some(slide) = node.message.reference(2).filter(|slide| self.seen.insert(*slide)) else {
                continue;
            };
            count += 1;
            self.location = UnitLocation::Slide(count);
            if let Some(slide) = self.store.get(slide) {
                self.read_slide(slide.message);
            }
        }
    }

    /// The slides of a tree, in the form of the first versions of the format.
    fn nodes_below(&self, root: Option<u64>) -> Vec<u64> {
        let mut found = Vec::new();
        let mut known = HashSet::new();
        let mut waiting: Vec<u64> = root.into_iter().collect();
        while let Some(node) = waiting.pop().filter(|_| found.len() < MAX_UNITS) {
            if let Some(object) = self.store.get(node).filter(|_| known.insert(node)) {
                found.push(node);
                let mut children: Vec<u64> = object.message.references(1).take(MAX_UNITS).collect();
                children.reverse();
                waiting.append(&mut children);
            }
        }
        found
    }

    fn read_slide(&mut self, slide: ProtobufMessage<'_>) {
        if let Some(number) = slide.reference(20) {
            self.seen.insert(number);
        }
        if let Some(title) = slide.reference(5) {
            self.read_drawable(title, ContentRegion::Title, 0);
        }
        if let Some(title) = self.unit.take_title() {
            self.heading(title);
        }
        let placeholders = [6, 30].into_iter().filter_map(|field| slide.reference(field));
        let drawables = [42, 7].into_iter().flat_map(|field| slide.references(field));
        for drawable in placeholders.chain(drawables) {
            self.read_drawable(drawable, ContentRegion::Body, 0);
        }
        let note = self.store.follow(slide, 27);
        if let Some(storage) = note.reference(1) {
            read_storage(self, storage, ContentRegion::Presenter, 0);
        }
        self.end_unit();
    }

    /// Reads a drawable, once: its text, its table or the drawables that it groups.
    fn read_drawable(&mut self, identifier: u64, region: ContentRegion, depth: usize) {
        if depth > MAX_DRAWABLE_DEPTH || self.failed.is_some() || !self.seen.insert(identifier) {
            return;
        }
        let Some(object) = self.store.get(identifier) else { return };
        let message = object.message;
        match object.kind {
            2011 => self.read_shape(message, region, depth),
            // Placeholders of Keynote, Numbers and Pages, and comments, are shapes themselves.
            7 | 12 | 10016 | 10017 | 2014 => self.read_shape(message.message(1), region, depth),
            3008 => {
                for child in message.references(2) {
                    self.read_drawable(child, region, depth + 1);
                }
            }
            6000 => {
                self.read_caption(message.message(1), region, depth);
                if let Some(model) = message.reference(2).filter(|model| self.seen.insert(*model)) {
                    self.read_model(model, region, depth);
                }
            }
            _ => self.read_described(message.message(1), region, depth),
        }
    }

    fn read_shape(&mut self, shape: ProtobufMessage<'_>, region: ContentRegion, depth: usize) {
        let drawable = shape.message(1).message(1);
        let flow = self.store.follow(shape, 3);
        let storages = [shape.reference(4), shape.reference(2), flow.reference(1)];
        for storage in storages.into_iter().flatten() {
            read_storage(self, storage, region, depth);
        }
        self.read_caption(drawable, region, depth);
    }

    /// Reads the description of a drawable without text.
    fn read_described(&mut self, drawable: ProtobufMessage<'_>, region: ContentRegion, depth: usize) {
        // The base of images and films is the first field; in other objects that field is something else.
        let description = drawable.text(8).trim().to_owned();
        if drawable.bytes(1).is_some() && !description.is_empty() && !description.contains('\0') {
            self.add(region, UnitContent::Block(Block::Paragraph(Words::plain(description)), None), depth);
        }
        self.read_caption(drawable, region, depth);
    }

    /// Reads title, caption and comment of a drawable.
    fn read_caption(&mut self, drawable: ProtobufMessage<'_>, region: ContentRegion, depth: usize) {
        for (field, hidden) in [(10, 12), (11, 13)] {
            if let Some(caption) = drawable.reference(field).filter(|_| !drawable.is(hidden)) {
                self.read_drawable(caption, region, depth + 1);
            }
        }
        if let Some(comment) = drawable.reference(6) {
            self.read_comment(comment);
        }
    }

    /// A comment and the answers to it.
    fn read_comment(&mut self, identifier: u64) {
        let mut waiting = vec![identifier];
        while let Some(comment) = waiting.pop().filter(|_| self.office.comments) {
            let Some(object) = self.store.get(comment).filter(|object| object.kind == 3056) else { continue };
            if !self.seen.insert(comment) {
                continue;
            }
            let text = object.message.text(1).trim().to_owned();
            let author = self.store.follow(object.message, 3).text(1).trim().to_owned();
            if !text.is_empty() {
                let mut words = Words::default();
                if !author.is_empty() {
                    let strong = TextStyle { strong: true, ..TextStyle::default() };
                    words.push(TextRun { text: format!("{author}:"), style: strong, ..TextRun::default() });
                    words.push_plain(" ");
                }
                words.push_plain(&text);
                self.unit.add(ContentRegion::Comments, UnitContent::Block(Block::Paragraph(words), None));
            }
            let mut replies: Vec<u64> = object.message.references(4).take(MAX_UNITS).collect();
            replies.reverse();
            waiting.append(&mut replies);
        }
    }

    fn read_model(&mut self, model: u64, region: ContentRegion, depth: usize) {
        let Some(model) = self.store.get(model).filter(|object| object.kind == 6001) else { return };
        let store = self.store;
        let mut found = read_table(store, model.message, &mut |bytes| self.spend(bytes));
        self.is_cut |= found.is_cut;
        for (cell, storage) in std::mem::take(&mut found.rich) {
            let text = self.plain(storage);
            if let Some(cell) = found.grid.cells.get_mut(cell) {
                cell.text = text;
            }
        }
        let Grid { name, shows_name, cells } = found.grid;
        let cells = cells.into_iter().filter(|cell| !cell.text.trim().is_empty()).collect();
        self.add(region, UnitContent::Grid(Grid { name, shows_name, cells }), depth);
        for comment in found.comments {
            self.read_comment(comment);
        }
    }

    /// Reads every text that was not reached, for documents whose tree is unknown.
    fn read_left(&mut self) {
        self.is_cut = true;
        let store = self.store;
        for storage in store.of_kinds(STORAGE_TYPES) {
            let is_header = store.get(storage).is_some_and(|object| object.message.number(1) == Some(1));
            let region = if is_header { ContentRegion::Headers } else { ContentRegion::Body };
            if !is_header || self.office.headers {
                read_storage(self, storage, region, 0);
            }
        }
        self.end_unit();
    }
}
