//! iWork '05 to '09: one part of XML (`index.xml`, `index.apxl`) with the whole document.
//!
//! Reads text storages by their region, tables cell by cell, sheets, slides and metadata. Templates, masters, charts
//! and everything of a style but its name and parent are left out. Source: Apple's "iWork Programming Guide" (APXL),
//! and what files of Pages '09, Numbers '09 and Keynote '09 contain.

use super::cells::{CellFormats, read_datasource};
use super::output::{ContentRegion, DocumentUnit, UnitContent, UnitLocation, UnitWriter, push_run};
use crate::limits::iwork::{MAX_NAMED_ENTRIES, MAX_XML_STYLE_DEPTH};
use crate::markdown::{ItemMarker, TextRun, Words};
use crate::office::story::{Paragraph, ParagraphRole};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use pensieve_text::model::{Problem, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// An open element, by the action of its end.
enum OpenElement {
    Plain,
    Region(ContentRegion),
    Text,
    Paragraph,
    Link(Option<Arc<str>>),
    Attachment(Option<String>),
    Theme,
    Sheet,
    Slide,
}

/// An open text storage.
#[derive(Default)]
struct OpenStorage {
    pieces: Vec<UnitContent>,
    paragraph: Option<OpenParagraph>,
    after: Vec<UnitContent>,
}

struct OpenParagraph {
    words: Words,
    heading: Option<u8>,
    level: Option<u8>,
    start: usize,
}

/// The names that show the purpose of a paragraph style.
struct ParagraphStyle {
    name: Option<String>,
    parent: Option<String>,
}

/// What reading a part gives besides its text: metadata, and why its XML breaks off, if it does.
#[derive(Default)]
pub(super) struct PartResult {
    pub metadata: Vec<(String, String)>,
    pub broken: Option<String>,
}

/// Reads the part element by element.
struct PartReader<'x, 'o, 's> {
    reader: XmlReader<'x>,
    output: &'o mut UnitWriter<'s>,
    part: Arc<str>,
    has_comments: bool,
    has_headers: bool,
    open: Vec<OpenElement>,
    flows: Vec<OpenStorage>,
    region: ContentRegion,
    in_theme: bool,
    is_pages: bool,
    link: Option<Arc<str>>,
    attachment: Option<String>,
    attachments: HashMap<String, Vec<UnitContent>>,
    styles: HashMap<String, ParagraphStyle>,
    formats: CellFormats,
    table: (String, bool),
    unit: DocumentUnit,
    sheet: Option<Arc<str>>,
    slides: u64,
    at: usize,
    found: PartResult,
}

/// Reads the part.
///
/// # Errors
/// The sink accepts no more.
pub(super) fn read_part(
    name: &str,
    part: &str,
    office: &crate::settings::OfficeOptions,
    output: &mut UnitWriter<'_>,
) -> Result<PartResult, Problem> {
    let walker = PartReader {
        reader: XmlReader::new(part),
        output,
        part: name.into(),
        has_comments: office.comments,
        has_headers: office.headers,
        open: Vec::new(),
        flows: Vec::new(),
        region: ContentRegion::Body,
        in_theme: false,
        is_pages: false,
        link: None,
        attachment: None,
        attachments: HashMap::new(),
        styles: HashMap::new(),
        formats: CellFormats::default(),
        table: (String::new(), false),
        unit: DocumentUnit::default(),
        sheet: None,
        slides: 0,
        at: 0,
        found: PartResult::default(),
    };
    walker.read()
}

impl<'x> PartReader<'x, '_, '_> {
    fn read(mut self) -> Result<PartResult, Problem> {
        while let Some(event) = self.reader.next() {
            match event {
                XmlEvent::Start(tag) => {
                    self.at = tag.at;
                    if let Some(open) = self.start(&tag)? {
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
                    self.push_text(&text);
                }
            }
        }
        while let Some(open) = self.open.pop() {
            self.end(open)?;
        }
        self.end_unit()?;
        self.found.broken = self.reader.broken().map(str::to_owned);
        Ok(self.found)
    }

    fn pass(&mut self) -> Option<OpenElement> {
        self.reader.pass();
        None
    }

    fn start(&mut self, tag: &XmlTag<'x>) -> Result<Option<OpenElement>, Problem> {
        let open = match tag.name() {
            "section-prototypes" | "tabular-prototypes" | "master-slides" | "master-slide" | "chart-info"
            | "chart-model-object" | "version-history" | "bezier-path" | "window-configs"
            | "menu-choices" | "ui-state" | "calc-engine" | "prototype" => self.pass(),
            "annotation" | "sticky-note" if !self.has_comments => self.pass(),
            "headers" | "footers" | "header-storage" | "footer-storage" if !self.has_headers => self.pass(),
            "theme-list" => {
                self.in_theme = true;
                Some(OpenElement::Theme)
            }
            "paragraphstyle" => {
                self.add_style(tag);
                Some(OpenElement::Plain)
            }
            "cell-style" => {
                self.formats.read_style(tag, &mut self.reader);
                None
            }
            "metadata" => {
                self.read_metadata();
                None
            }
            "document" => {
                self.is_pages = tag.prefix() == "sl";
                Some(OpenElement::Plain)
            }
            "workspace" => {
                self.end_unit()?;
                let name = tag.get("workspace-name").unwrap_or_default();
                let location = UnitLocation::Sheet(name.as_str().into(), self.part.clone());
                self.output.heading(2, Words::plain(name.as_str()), &location)?;
                self.sheet = Some(name.into());
                Some(OpenElement::Sheet)
            }
            "slide" if tag.prefix() == "key" => {
                self.end_unit()?;
                self.slides += 1;
                Some(OpenElement::Slide)
            }
            "drawables" if self.is_pages => Some(self.enter(ContentRegion::Shapes)),
            "annotation" | "sticky-note" => Some(self.enter(ContentRegion::Comments)),
            "headers" | "footers" | "header-storage" | "footer-storage" => {
                Some(self.enter(ContentRegion::Headers))
            }
            "footnotes" | "footnote" | "endnotes" => Some(self.enter(ContentRegion::Footnotes)),
            "title-placeholder" => Some(self.enter(ContentRegion::Title)),
            "notes" if tag.prefix() == "key" => Some(self.enter(ContentRegion::Presenter)),
            _ => self.start_object(tag),
        };
        Ok(open)
    }

    /// Objects in the text: attachments and tables.
    fn start_object(&mut self, tag: &XmlTag<'x>) -> Option<OpenElement> {
        match tag.name() {
            "attachment" => {
                let outer = self.attachment.take();
                self.attachment = tag.get("ID");
                Some(OpenElement::Attachment(outer))
            }
            "attachment-ref" => {
                let pieces = tag.get("IDREF").and_then(|id| self.attachments.remove(&id)).unwrap_or_default();
                pieces.into_iter().for_each(|piece| self.deliver(piece));
                Some(OpenElement::Plain)
            }
            "tabular-model" => {
                let shows_name = tag.get("name-is-visible").as_deref() == Some("true");
                self.table = (tag.get("name").unwrap_or_default(), shows_name);
                Some(OpenElement::Plain)
            }
            "datasource" => {
                self.read_table();
                None
            }
            _ => self.start_text(tag),
        }
    }

    fn start_text(&mut self, tag: &XmlTag<'x>) -> Option<OpenElement> {
        match tag.name() {
            "text-body" if self.in_theme => self.pass(),
            "text-body" => {
                self.flows.push(OpenStorage::default());
                Some(OpenElement::Text)
            }
            "p" if !self.flows.is_empty() => {
                self.end_paragraph();
                let heading = tag.get("style").and_then(|style| self.heading_of(style));
                let level = tag.get("list-level").and_then(|level| level.parse().ok());
                let paragraph = OpenParagraph { words: Words::default(), heading, level, start: tag.at };
                if let Some(flow) = self.flows.last_mut() {
                    flow.paragraph = Some(paragraph);
                }
                Some(OpenElement::Paragraph)
            }
            "link" => {
                let address = tag.get("href").filter(|address| address.contains(':'));
                let outer = self.link.take();
                self.link = address.map(Arc::from);
                Some(OpenElement::Link(outer))
            }
            "br" | "lnbr" | "crbr" => {
                self.push_words("\n");
                Some(OpenElement::Plain)
            }
            "tab" => {
                self.push_words("\t");
                Some(OpenElement::Plain)
            }
            _ => Some(OpenElement::Plain),
        }
    }

    fn enter(&mut self, region: ContentRegion) -> OpenElement {
        OpenElement::Region(std::mem::replace(&mut self.region, region))
    }

    fn end(&mut self, open: OpenElement) -> Result<(), Problem> {
        match open {
            OpenElement::Plain => {}
            OpenElement::Region(outer) => self.region = outer,
            OpenElement::Text => {
                self.end_paragraph();
                let pieces = self.flows.pop().map(|flow| flow.pieces).unwrap_or_default();
                pieces.into_iter().for_each(|piece| self.deliver(piece));
            }
            OpenElement::Paragraph => self.end_paragraph(),
            OpenElement::Link(outer) => self.link = outer,
            OpenElement::Attachment(outer) => self.attachment = outer,
            OpenElement::Theme => self.in_theme = false,
            OpenElement::Sheet | OpenElement::Slide => self.end_unit()?,
        }
        if self.unit.is_full() && self.flows.len() < 2 {
            let location = self.location();
            self.output.write_region(&mut self.unit, ContentRegion::Body, &location)?;
        }
        Ok(())
    }

    fn location(&self) -> UnitLocation {
        match (&self.sheet, self.slides) {
            (Some(sheet), _) => UnitLocation::Sheet(sheet.clone(), self.part.clone()),
            (None, 0) => UnitLocation::Part(self.part.clone()),
            (None, slide) => UnitLocation::Slide(slide),
        }
    }

    /// Writes the sheet, the slide or the document that ends.
    fn end_unit(&mut self) -> Result<(), Problem> {
        let location = self.location();
        let mut left: Vec<(String, Vec<UnitContent>)> = self.attachments.drain().collect();
        left.sort_by(|a, b| a.0.cmp(&b.0));
        for piece in left.into_iter().flat_map(|(_, pieces)| pieces) {
            self.unit.add(ContentRegion::Shapes, piece);
        }
        if let Some(title) = self.unit.take_title() {
            self.output.heading(2, title, &location)?;
        }
        self.output.write(&mut self.unit, &location)?;
        self.sheet = None;
        Ok(())
    }

    /// Adds content to its region, or after the paragraph that it is anchored in.
    fn deliver(&mut self, piece: UnitContent) {
        if let Some(flow) = self.flows.last_mut() {
            match flow.paragraph {
                Some(_) => flow.after.push(piece),
                None => flow.pieces.push(piece),
            }
        } else if let Some(id) = &self.attachment {
            if self.attachments.len() < MAX_NAMED_ENTRIES || self.attachments.contains_key(id) {
                self.attachments.entry(id.clone()).or_default().push(piece);
            }
        } else {
            self.unit.add(self.region, piece);
        }
    }

    fn push_text(&mut self, text: &str) {
        match text.contains(['\n', '\r']) {
            true => self.push_words(&text.replace(['\n', '\r'], " ")),
            // A line separator is a line break that Word and Pages write as a character.
            false => self.push_words(&text.replace(['\u{2028}', '\u{2029}'], "\n")),
        }
    }

    fn push_words(&mut self, text: &str) {
        let link = self.link.clone();
        if let Some(paragraph) = self.flows.last_mut().and_then(|flow| flow.paragraph.as_mut()) {
            push_run(&mut paragraph.words, TextRun { text: text.to_owned(), link, ..TextRun::default() });
        }
    }

    fn end_paragraph(&mut self) {
        let is_item_list = self.slides > 0 && self.region == ContentRegion::Body;
        let Some(flow) = self.flows.last_mut() else { return };
        let Some(paragraph) = flow.paragraph.take() else { return };
        let heading = paragraph.heading.filter(|_| self.is_pages);
        let role = heading.map_or(ParagraphRole::Body, ParagraphRole::Heading);
        let level = paragraph.level.filter(|level| is_item_list && *level > 0);
        let item = level.map(|level| (level.min(10) - 1, Some(ItemMarker::Bullet)));
        let block = Paragraph { role, item, words: paragraph.words }.into_block();
        let span = Span::new(paragraph.start, self.at.max(paragraph.start));
        let mut pieces: Vec<_> =
            block.map(|block| UnitContent::Block(block, Some(span))).into_iter().collect();
        pieces.append(&mut flow.after);
        // The outermost text is passed on before its end.
        if self.flows.len() > 1 || self.attachment.is_some() {
            self.flows.last_mut().into_iter().for_each(|flow| flow.pieces.append(&mut pieces));
        }
        for piece in pieces {
            self.unit.add(self.region, piece);
        }
    }

    fn add_style(&mut self, tag: &XmlTag<'_>) {
        for key in [tag.get("ident"), tag.get("ID")].into_iter().flatten() {
            if self.styles.len() < MAX_NAMED_ENTRIES {
                let named = ParagraphStyle { name: tag.get("name"), parent: tag.get("parent-ident") };
                self.styles.insert(key, named);
            }
        }
    }

    /// The level of a heading, by the name of its style or of one that it inherits from.
    fn heading_of(&self, style: String) -> Option<u8> {
        let mut next = Some(style);
        for _ in 0..MAX_XML_STYLE_DEPTH {
            let named = self.styles.get(&next?)?;
            match named.name.as_deref() {
                Some("Title") => return Some(1),
                Some(name) => return name.strip_prefix("Heading ").and_then(|level| level.parse().ok()),
                None => next = named.parent.clone(),
            }
        }
        None
    }

    fn read_table(&mut self) {
        let (name, shows_name) = self.table.clone();
        let mut grid = read_datasource(&mut self.reader, &self.formats);
        (grid.name, grid.shows_name) = (name, shows_name);
        if !self.in_theme {
            self.deliver(UnitContent::Grid(grid));
        }
    }

    fn read_metadata(&mut self) {
        let outer = self.reader.outer_depth();
        let mut key = None;
        while let Some(tag) = self.reader.next_tag_inside(outer) {
            match tag.name() {
                "title" => key = Some("title"),
                "authors" => key = Some("author"),
                "keywords" => key = Some("keywords"),
                "comment" => key = Some("description"),
                "string" => {
                    if let (Some(key), Some(value)) = (key, tag.get("string"))
                        && !value.trim().is_empty()
                        && self.found.metadata.len() < 200
                    {
                        self.found.metadata.push((key.to_owned(), value.trim().to_owned()));
                    }
                }
                "array" => {}
                _ => key = None,
            }
        }
    }
}
