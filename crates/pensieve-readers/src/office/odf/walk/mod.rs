//! The body of an OpenDocument text or presentation, element by element, as blocks.
//!
//! Elements are identified by their local names; of unknown ones, the text inside counts. Nothing recurses: a stack
//! records what each open element restores at its end, and flows (cells, frames, notes) are on a stack of their own.
//! Source: OpenDocument 1.3 part 3, sections 4 to 10.

mod element_ends;

use super::flow::{FlowKind, OpenFlow, OpenHeading, OpenParagraph, OpenShape, PlacedBlock, TableBuilder};
use super::lists::{ContinuedLists, OpenItem, OpenList};
use super::object::EmbeddedObject;
use super::styles::{StyleFamily, Styles};
use super::writer::BlockWriter;
use crate::limits::odf::{MAX_HELD_ITEMS, MAX_OBJECTS, MAX_REPEATED_CELLS, MAX_REPEATED_SPACES};
use crate::markdown::{Block, TextRun, Words};
use crate::office::story::{CharacterFormat, ListCounters, ParagraphRole};
use crate::shared::formula::{formula_run, read_formula};
use crate::shared::slide_order::Frame;
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use pensieve_text::model::{FoldKind, HiddenReason, Problem, Span, Visibility};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The action at the end of an element; its values are restored.
enum OpenElement {
    Plain,
    Paragraph,
    Span(CharacterFormat),
    Link(Option<Arc<str>>),
    Ruby,
    List,
    Table,
    Row,
    Flow(CharacterFormat, Option<Arc<str>>),
    Slide,
}

/// Blocks that are written after the body.
#[derive(Default)]
pub(super) struct DeferredBlocks {
    /// Foot- and endnotes.
    pub notes: Vec<PlacedBlock>,
    pub comments: Vec<PlacedBlock>,
    /// Headers and footers.
    pub headers: Vec<PlacedBlock>,
}

#[derive(Default)]
struct OpenSlide {
    title: Option<Words>,
    notes: Vec<PlacedBlock>,
    /// Set if it is left out of the show.
    fold: Option<Visibility>,
    /// Where the shapes are, if no layout says it, and the first block of each.
    shapes: Vec<(Option<Frame>, usize)>,
}

/// What a walk needs from its caller.
pub(super) struct WalkContext<'w> {
    pub styles: &'w mut Styles,
    /// Returns the text of an embedded object by its address.
    pub object: &'w mut dyn FnMut(&str) -> Option<EmbeddedObject>,
    /// Comments are read.
    pub comments: bool,
}

/// Walks over one part.
pub(super) struct BodyWalker<'x, 'w, 's> {
    reader: XmlReader<'x>,
    context: WalkContext<'w>,
    writer: &'w mut BlockWriter<'s>,
    flows: Vec<OpenFlow>,
    tables: Vec<TableBuilder>,
    open: Vec<OpenElement>,
    format: CharacterFormat,
    link: Option<Arc<str>>,
    continued: ContinuedLists,
    outline: ListCounters,
    headings: HashMap<Rc<str>, ListCounters>,
    held: usize,
    /// How many more repetitions of cells may be written.
    repeats: usize,
    notes: usize,
    note: Option<Arc<str>>,
    slide: OpenSlide,
    slides: u64,
    /// What boxes of forms show, by their identifiers.
    check_boxes: HashMap<String, String>,
    at: usize,
    deferred: DeferredBlocks,
}

impl<'x, 'w, 's> BodyWalker<'x, 'w, 's> {
    pub fn new(
        part: &'x str,
        context: WalkContext<'w>,
        writer: &'w mut BlockWriter<'s>,
    ) -> BodyWalker<'x, 'w, 's> {
        BodyWalker {
            reader: XmlReader::new(part),
            context,
            writer,
            flows: vec![OpenFlow::new(FlowKind::Root)],
            tables: Vec::new(),
            open: Vec::new(),
            format: CharacterFormat::default(),
            link: None,
            continued: ContinuedLists::default(),
            outline: ListCounters::default(),
            headings: HashMap::new(),
            held: 0,
            repeats: MAX_REPEATED_CELLS,
            notes: 0,
            note: None,
            slide: OpenSlide::default(),
            slides: 0,
            check_boxes: HashMap::new(),
            at: 0,
            deferred: DeferredBlocks::default(),
        }
    }

    /// Reads the body to its end, or to the first error in its XML; returns the blocks that follow it, and why it
    /// ended early.
    ///
    /// # Errors
    /// The sink accepts no more text.
    pub fn read_body(self) -> Result<(DeferredBlocks, Option<String>), Problem> {
        self.read(BodyWalker::start)
    }

    /// Reads the headers and footers of the master pages.
    ///
    /// # Errors
    /// As [`BodyWalker::read_body`].
    pub fn read_headers(self) -> Result<(DeferredBlocks, Option<String>), Problem> {
        self.read(BodyWalker::start_header)
    }

    fn read(
        mut self,
        start: fn(&mut Self, &XmlTag<'x>) -> Option<OpenElement>,
    ) -> Result<(DeferredBlocks, Option<String>), Problem> {
        while let Some(event) = self.reader.next() {
            match event {
                XmlEvent::Start(tag) => {
                    self.at = tag.at;
                    if let Some(open) = start(&mut self, &tag) {
                        self.open.push(open);
                    }
                }
                XmlEvent::End(_) => {
                    if let Some(open) = self.open.pop() {
                        self.end(open)?;
                    }
                }
                XmlEvent::Text { text, at, len } => {
                    self.at = at + len;
                    self.push_characters(&text);
                }
            }
        }
        while let Some(open) = self.open.pop() {
            self.end(open)?;
        }
        self.end_paragraph();
        self.flush(0)?;
        Ok((self.deferred, self.reader.broken().map(str::to_owned)))
    }

    /// As [`BodyWalker::start`], but only headers and footers are read.
    fn start_header(&mut self, tag: &XmlTag<'x>) -> Option<OpenElement> {
        if self.flows.len() > 1 {
            return self.start(tag);
        }
        match tag.name() {
            "document-styles" | "document" | "master-styles" | "master-page" => Some(OpenElement::Plain),
            "header" | "header-left" | "header-first" | "footer" | "footer-left" | "footer-first"
                if tag.prefix() == "style" && tag.get("display").as_deref() != Some("false") =>
            {
                Some(self.begin_flow(FlowKind::Header))
            }
            _ => self.pass(),
        }
    }

    /// Skips the element that began last.
    fn pass(&mut self) -> Option<OpenElement> {
        self.reader.pass();
        None
    }

    /// An element begins; `None` if it was read to its end.
    fn start(&mut self, tag: &XmlTag<'x>) -> Option<OpenElement> {
        match (tag.prefix(), tag.name()) {
            ("text", name) => self.start_text(name, tag),
            ("table", name) => self.start_table(name, tag),
            ("draw" | "dr3d", name) => self.start_shape(name, tag),
            ("svg", "title" | "desc") => self.describe(tag),
            ("presentation", "notes") => Some(self.begin_flow(FlowKind::SlideNotes)),
            ("math", "math") | ("", "math") => {
                let formula = read_formula(&mut self.reader);
                self.push_formula(formula);
                None
            }
            ("office", "forms") => Some(OpenElement::Plain),
            ("form", "form") => Some(OpenElement::Plain),
            ("form", "checkbox") => self.add_check_box(tag),
            ("office", "annotation") if self.context.comments => {
                Some(self.begin_flow(FlowKind::Comment(String::new())))
            }
            (
                "office",
                "annotation" | "scripts" | "event-listeners" | "binary-data" | "settings" | "meta" | "styles"
                | "automatic-styles" | "master-styles" | "font-face-decls" | "change-info",
            )
            | ("dc", "date")
            | ("meta" | "loext", "creator-initials" | "date-string" | "sender-initials")
            | ("form" | "anim" | "script", _) => self.pass(),
            ("dc", "creator") => {
                let name = self.reader.text_inside();
                if let Some(OpenFlow { kind: FlowKind::Comment(by), .. }) = self.flows.last_mut() {
                    *by = name.trim().to_owned();
                }
                None
            }
            _ => Some(OpenElement::Plain),
        }
    }

    fn start_text(&mut self, name: &str, tag: &XmlTag<'x>) -> Option<OpenElement> {
        match name {
            "p" | "h" => self.begin_paragraph(tag),
            "span" => {
                let resolved =
                    self.context.styles.resolve(StyleFamily::Text, tag.get("style-name").as_deref());
                if resolved.format.look.hidden == Some(true) {
                    return self.hide_inside(tag.at);
                }
                let format = resolved.format.over(self.format);
                Some(OpenElement::Span(std::mem::replace(&mut self.format, format)))
            }
            "a" => {
                let address =
                    tag.get("href").filter(|address| !address.starts_with('#') && !address.trim().is_empty());
                let outer = self.link.take();
                self.link = address.map(Arc::from).or_else(|| outer.clone());
                Some(OpenElement::Link(outer))
            }
            "s" | "tab" | "line-break" | "ruby-text" => Some(self.push_sign(name, tag)),
            "list" => Some(self.begin_list(tag)),
            "list-item" | "list-header" => {
                self.begin_item(tag);
                Some(OpenElement::Plain)
            }
            "number" => {
                let number = self.reader.text_inside();
                if let Some(paragraph) = self.flow().paragraph.as_mut() {
                    paragraph.number = Some(number.trim().to_owned()).filter(|number| !number.is_empty());
                }
                None
            }
            "note-citation" => {
                self.reader.pass();
                self.refer_to_note();
                None
            }
            "note-body" => {
                if self.note.is_none() {
                    self.refer_to_note();
                }
                let label = self.note.take().unwrap_or_default();
                Some(self.begin_flow(FlowKind::Note(label)))
            }
            "section" if is_hidden(tag) => self.hide_inside(tag.at),
            "hidden-text" if tag.get("is-hidden").as_deref() != Some("false") => self.hide_inside(tag.at),
            "hidden-paragraph" => {
                let is_hidden = tag.get("is-hidden").as_deref() == Some("true");
                if let Some(paragraph) = self.flow().paragraph.as_mut() {
                    paragraph.is_hidden |= is_hidden;
                }
                Some(OpenElement::Plain)
            }
            "tracked-changes" | "script" => self.pass(),
            name if name.ends_with("-source") => self.pass(),
            _ => Some(OpenElement::Plain),
        }
    }

    /// Reads the element that began last to its end, and lists its words: nobody can see them.
    fn hide_inside(&mut self, start: usize) -> Option<OpenElement> {
        let outer = self.reader.outer_depth();
        let mut words = String::new();
        while let Some(event) = self.reader.next_inside(outer) {
            match event {
                XmlEvent::Text { text, .. } => words.push_str(&text),
                XmlEvent::End("p" | "h") => words.push(' '),
                _ => {}
            }
        }
        let span = Span::new(start, self.reader.position().max(start));
        self.writer.hide(HiddenReason::NotDisplayed, &words, span);
        None
    }

    /// True where nothing but white paper can be behind words: slides, cells and frames have colours of their own.
    fn is_on_paper(&self) -> bool {
        self.slides == 0
            && self.tables.is_empty()
            && self.flows.len() == 1
            && !self.context.styles.has_backdrop
    }

    /// Handles elements for white space and ruby text.
    fn push_sign(&mut self, name: &str, tag: &XmlTag<'x>) -> OpenElement {
        match name {
            "tab" => self.push_words("\t"),
            "line-break" => self.push_words("\n"),
            "ruby-text" => {
                self.push_words("(");
                return OpenElement::Ruby;
            }
            _ => {
                let count = tag.get("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                self.push_words(&" ".repeat(count.min(MAX_REPEATED_SPACES)));
            }
        }
        OpenElement::Plain
    }

    fn start_table(&mut self, name: &str, tag: &XmlTag<'x>) -> Option<OpenElement> {
        let number =
            |name: &str| tag.get(name).and_then(|value| value.parse::<u32>().ok()).unwrap_or(1).max(1);
        match name {
            "table" => {
                self.tables.push(TableBuilder { start: tag.at, ..TableBuilder::default() });
                Some(OpenElement::Table)
            }
            "table-row" => {
                if let Some(table) = self.tables.last_mut() {
                    table.row_start = tag.at;
                    table.row_repeat = number("number-rows-repeated");
                }
                Some(OpenElement::Row)
            }
            "table-cell" if !self.tables.is_empty() => Some(self.begin_flow(FlowKind::Cell {
                columns: number("number-columns-spanned"),
                rows: number("number-rows-spanned"),
                repeat: number("number-columns-repeated"),
            })),
            "covered-table-cell" | "title" | "desc" | "shapes" | "content-validations" => self.pass(),
            _ => Some(OpenElement::Plain),
        }
    }

    fn start_shape(&mut self, name: &str, tag: &XmlTag<'x>) -> Option<OpenElement> {
        match name {
            "page" => {
                self.slides += 1;
                let style = tag.get("style-name");
                let is_hidden = style.is_some_and(|style| self.context.styles.hidden_slides.contains(&style));
                let fold = is_hidden.then_some(Visibility::Folded(FoldKind::Slide));
                self.slide = OpenSlide { fold, ..OpenSlide::default() };
                self.flows.push(OpenFlow::new(FlowKind::Root));
                Some(OpenElement::Slide)
            }
            "control" if tag.get("control").is_some_and(|id| self.check_boxes.contains_key(&*id)) => {
                let shown =
                    tag.get("control").and_then(|id| self.check_boxes.remove(&*id)).unwrap_or_default();
                let run = TextRun { text: shown, is_markup: true, ..TextRun::default() };
                match self.flow().paragraph.is_some() {
                    true => self.push_run(run),
                    false => self.add(Block::Paragraph(Words(vec![run])), Span::new(tag.at, tag.at)),
                }
                self.pass()
            }
            "frame" | "g" | "custom-shape" | "rect" | "line" | "polyline" | "polygon" | "regular-polygon"
            | "path" | "circle" | "ellipse" | "connector" | "caption" | "measure" | "control" | "scene" => {
                let is_title = tag.exact("presentation:class").as_deref() == Some("title");
                let is_free = tag.exact("presentation:class").is_none();
                let frame = frame_of(tag).filter(|_| is_free);
                let shape = OpenShape { is_title, frame, ..OpenShape::default() };
                Some(self.begin_flow(FlowKind::Shape(shape)))
            }
            "object" => {
                match tag.get("href").and_then(|address| (self.context.object)(&address)) {
                    Some(EmbeddedObject::Formula(formula)) => self.push_formula(formula),
                    Some(EmbeddedObject::Blocks(blocks)) => {
                        let span = Span::new(tag.at, self.reader.position());
                        blocks.into_iter().for_each(|block| self.add(block, span));
                    }
                    None => {}
                }
                Some(OpenElement::Plain)
            }
            "page-thumbnail" | "image-map" | "plugin" | "applet" | "floating-frame" | "enhanced-geometry"
            | "glue-point" | "contour-polygon" | "contour-path" => self.pass(),
            _ => Some(OpenElement::Plain),
        }
    }

    /// Keeps what a box of a form shows, for the place where it is drawn.
    fn add_check_box(&mut self, tag: &XmlTag<'x>) -> Option<OpenElement> {
        let state = tag.get("current-state").or_else(|| tag.get("state"));
        let mark = if state.as_deref() == Some("checked") { "[x] " } else { "[ ] " };
        let label = tag.get("label").unwrap_or_default();
        if let Some(id) = tag.get("id").filter(|_| self.check_boxes.len() < MAX_OBJECTS) {
            self.check_boxes.insert(id.to_string(), mark.to_owned() + &label);
        }
        self.pass()
    }

    /// Keeps the description of a shape.
    fn describe(&mut self, tag: &XmlTag<'_>) -> Option<OpenElement> {
        let is_title = tag.name() == "title";
        let text = self.reader.text_inside();
        if let Some(OpenFlow { kind: FlowKind::Shape(shape), .. }) = self.flows.last_mut() {
            *(if is_title { &mut shape.title } else { &mut shape.description }) = text;
        }
        None
    }

    fn push_formula(&mut self, formula: String) {
        match self.flows.last_mut() {
            Some(OpenFlow { kind: FlowKind::Shape(shape), .. }) => shape.formula = formula,
            _ => self.push_run(formula_run(&formula, false)),
        }
    }

    fn flow(&mut self) -> &mut OpenFlow {
        self.flows.last_mut().expect("the flow of the document is never taken away")
    }

    fn is_full(&self) -> bool {
        self.held > MAX_HELD_ITEMS
    }

    fn begin_flow(&mut self, kind: FlowKind) -> OpenElement {
        self.flows.push(OpenFlow::new(kind));
        OpenElement::Flow(std::mem::take(&mut self.format), self.link.take())
    }

    fn begin_paragraph(&mut self, tag: &XmlTag<'x>) -> Option<OpenElement> {
        let resolved = self.context.styles.resolve(StyleFamily::Paragraph, tag.get("style-name").as_deref());
        if resolved.format.look.hidden == Some(true) {
            return self.hide_inside(tag.at);
        }
        self.end_paragraph();
        let number = |name: &str| tag.get(name).and_then(|value| value.parse::<u32>().ok());
        let heading = (tag.name() == "h").then(|| OpenHeading {
            level: number("outline-level").unwrap_or(1).clamp(1, 10) as u8,
            is_unnumbered: tag.get("is-list-header").as_deref() == Some("true"),
            restart: number("start-value")
                .or((tag.get("restart-numbering").as_deref() == Some("true")).then_some(1)),
        });
        let paragraph = OpenParagraph {
            words: Words::default(),
            role: resolved.role,
            heading,
            start: tag.at,
            is_hidden: false,
            number: None,
            list: resolved.list.clone(),
            outer_format: self.format,
        };
        self.format = CharacterFormat { code: None, ..resolved.format };
        self.flow().paragraph = Some(paragraph);
        Some(OpenElement::Paragraph)
    }

    /// Adds characters of the part: any white space is one space.
    fn push_characters(&mut self, text: &str) {
        let Some(paragraph) = &self.flow().paragraph else { return };
        let is_fresh = paragraph.words.0.is_empty();
        let is_code = paragraph.role == ParagraphRole::Code && paragraph.heading.is_none();
        if !is_code {
            match text.contains(['\n', '\r']) {
                true => self.push_words(&text.replace(['\n', '\r'], " ")),
                false => self.push_words(text),
            }
            return;
        }
        let mut collapsed = String::with_capacity(text.len());
        let mut was_space = is_fresh;
        for c in text.chars() {
            let is_space = matches!(c, ' ' | '\t' | '\n' | '\r');
            if !is_space || !was_space {
                collapsed.push(if is_space { ' ' } else { c });
            }
            was_space = is_space;
        }
        self.push_words(&collapsed);
    }

    fn push_words(&mut self, text: &str) {
        if let Some(reason) = self.format.look.hiding(|| self.is_on_paper()) {
            let at = self.at;
            let start = self.flow().paragraph.as_ref().map_or(at, |paragraph| paragraph.start);
            let span = Span::new(start, at.max(start));
            return self.writer.hide(reason, text, span);
        }
        let run = TextRun {
            text: text.to_owned(),
            style: self.format.style(),
            link: self.link.clone(),
            ..TextRun::default()
        };
        self.push_run(run);
    }

    fn push_run(&mut self, run: TextRun) {
        let is_full = self.is_full();
        self.held += 1;
        self.flow().push(run, is_full);
    }

    /// Gives the next number to a note; the numbers in the document may restart on each page.
    fn refer_to_note(&mut self) {
        self.notes += 1;
        let label: Arc<str> = self.notes.to_string().into();
        self.note = Some(label.clone());
        self.push_run(TextRun { note: Some(label), ..TextRun::default() });
    }

    fn begin_list(&mut self, tag: &XmlTag<'_>) -> OpenElement {
        self.end_paragraph();
        let named: Option<Rc<str>> = tag.get("style-name").map(Rc::from);
        let id = tag.exact("xml:id").or_else(|| tag.exact("text:id"));
        let level = self.flow().lists.len();
        let style = named.or_else(|| self.flow().lists.last().and_then(|list| list.style.clone()));
        if level == 0 {
            self.flow().counters = self.continued.begin(tag, style.as_deref());
        } else if tag.get("continue-numbering").as_deref() != Some("true") {
            self.flow().counters.restart(level);
        }
        self.flow().lists.push(OpenList { style, id, item: OpenItem::default() });
        OpenElement::List
    }

    fn begin_item(&mut self, tag: &XmlTag<'_>) {
        self.end_paragraph();
        let is_header = tag.name() == "list-header";
        let start = tag.get("start-value").and_then(|value| value.parse().ok());
        if let Some(list) = self.flow().lists.last_mut() {
            list.item = OpenItem { is_marked: false, is_header, start };
        }
    }
}

/// The place of a shape on its page, in hundredths of a millimetre.
fn frame_of(tag: &XmlTag<'_>) -> Option<Frame> {
    let length = |name: &str| {
        let value = tag.get(name)?;
        let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
        let number: f64 = value[..value.len() - unit.len()].parse().ok()?;
        let hundredths = match unit {
            "cm" => 1000.0,
            "mm" => 100.0,
            "in" => 2540.0,
            "pt" => 2540.0 / 72.0,
            _ => return None,
        };
        Some((number * hundredths) as i64)
    };
    Some([length("x")?, length("y")?, length("width")?, length("height")?])
}

/// True for a section that is not shown.
fn is_hidden(tag: &XmlTag<'_>) -> bool {
    match tag.get("display").as_deref() {
        Some("none") => true,
        Some("condition") => tag.get("is-hidden").as_deref() == Some("true"),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
