//! Documents in the XML vocabularies of publishers, offices and feeds: JATS, DocBook, TEI, NITF, TTML, patents of the USPTO,
//! RSS, Atom and OPML, told by their root.
//!
//! One table gives elements their [`roles`]. An element without a role gives its words to the element around it. After JATS 1.3, DocBook 4 and 5, TEI P5, RSS 2.0, RFC
//! 4287 and OPML 2.0.

mod roles;

use super::html::read_mail_body;
use crate::limits::xml_text::MAX_PARAGRAPH_RUNS;
use crate::markdown::{BaselineShift, Block, ItemMarker, MarkdownDraft, TextRun, TextStyle, Words};
use crate::settings::ReadSettings;
use crate::shared::formula::{formula_run, read_formula};
use crate::shared::open_table::OpenTable;
use crate::shared::text_file::TextFile;
use crate::shared::xml::{LineIndex, XmlEvent, XmlReader, XmlTag};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, Segment, Span};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints};
use roles::{Role, role_of};
use std::sync::Arc;

/// Reads a document.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Xml };
    let file = TextFile::read(source, &hints)?;
    let mut body = BodyReader::new(&file.decoded.text);
    let broken = body.read(&file.decoded.text);
    let metadata = body.title.take().map(|title| ("title".to_owned(), title)).into_iter().collect();
    let text = body.draft.finish_mapped(&file.decoded);
    Ok(Document { metadata, ..file.document(text, broken) })
}

/// An open element with what its end restores.
struct OpenElement {
    role: Option<Role>,
    style: TextStyle,
    link: Option<Arc<str>>,
}

struct BodyReader {
    root: String,
    draft: MarkdownDraft,
    lines: LineIndex,
    words: Words,
    open: Vec<OpenElement>,
    style: TextStyle,
    link: Option<Arc<str>>,
    sections: u8,
    /// Inside of a heading: its level.
    heading: Option<u8>,
    title: Option<String>,
    quotes: usize,
    /// Open elements whose words are one paragraph.
    plain: usize,
    /// Open elements whose parts have blanks between them.
    spaced: usize,
    /// Open lists: the number of the next item, 0 for bullets.
    lists: Vec<u64>,
    /// The marker of the item that began last, until its first paragraph is written.
    marker: Option<ItemMarker>,
    listing: usize,
    field: Option<&'static str>,
    /// The words so far are a label.
    is_label: bool,
    /// The forms of a formula that are open have had one.
    has_formula: bool,
    table: OpenTable,
    /// Open elements of tables: one inside of a cell gives its words to the cell.
    tables: usize,
}

impl BodyReader {
    fn new(source: &str) -> BodyReader {
        BodyReader {
            root: String::new(),
            draft: MarkdownDraft::mapped(),
            lines: LineIndex::new(source),
            words: Words::default(),
            open: Vec::new(),
            style: TextStyle::default(),
            link: None,
            sections: 0,
            heading: None,
            title: None,
            quotes: 0,
            plain: 0,
            spaced: 0,
            lists: Vec::new(),
            marker: None,
            listing: 0,
            field: None,
            is_label: false,
            has_formula: false,
            table: OpenTable::default(),
            tables: 0,
        }
    }

    /// Reads all elements and returns what is broken, if anything.
    fn read(&mut self, source: &str) -> Option<String> {
        let mut reader = XmlReader::new(source);
        while let Some(event) = reader.next() {
            match event {
                XmlEvent::Start(tag) => {
                    if self.root.is_empty() {
                        self.root = match tag.name() {
                            "teiCorpus" => "TEI",
                            name if name.starts_with("TEI") => "TEI",
                            name if name.starts_with("us-patent") => "us-patent",
                            name => name,
                        }
                        .to_owned();
                    }
                    self.enter(&tag, &mut reader);
                }
                XmlEvent::End(_) => self.leave(),
                XmlEvent::Text { text, at, len } => self.text(&text, at, len),
            }
        }
        self.flush();
        reader.broken().map(str::to_owned)
    }

    /// The role of an element where it stands.
    fn role(&self, tag: &XmlTag<'_>) -> Option<Role> {
        let is_inside = |role: Role| self.open.iter().any(|open| open.role == Some(role));
        match (role_of(&self.root, tag.name())?, tag.name()) {
            // The title of a TEI header is that of the document, the others are names of works.
            (Role::Emphasis, "title") if self.title.is_none() && self.sections == 0 => Some(Role::Heading),
            (Role::Heading, _) if self.plain + self.quotes + self.tables > 0 => None,
            // HTML inside of Atom divides nothing; in JATS a reference is an item, not a link.
            (Role::Section, "div") if self.root == "feed" => None,
            (Role::Link, "ref") if self.root == "article" => Some(Role::Item),
            // A feed's Atom link has its address in an attribute.
            (Role::Field("Link"), _) if tag.get("href").is_some() => Some(Role::Skip),
            (Role::Page, _) if tag.get("type").as_deref() == Some("xhtml") => None,
            (Role::Page, "description") if self.sections == 0 => Some(Role::Paragraph),
            (Role::Row, "row") if !is_inside(Role::Table) => None,
            (Role::Cell, "entry" | "cell") if !self.table.is_open() => None,
            (Role::Label, _) if self.root == "TEI" => None,
            (role, _) => Some(role),
        }
    }

    fn enter(&mut self, tag: &XmlTag<'_>, reader: &mut XmlReader<'_>) {
        let role = self.role(tag);
        // What ends an element that was passed or read whole pops it.
        self.open.push(OpenElement { role, style: self.style, link: self.link.clone() });
        let Some(role) = role else { return };
        match role {
            Role::Skip => {
                self.open.pop();
                reader.pass();
            }
            Role::Page => {
                self.open.pop();
                self.flush();
                self.page(&reader.text_inside());
            }
            Role::Section => {
                self.flush();
                self.sections = self.sections.saturating_add(1);
            }
            Role::Heading => self.begin_heading(tag, reader),
            Role::Paragraph if self.plain > 0 => self.words.push_plain(" "),
            Role::Paragraph => self.flush_unless_label(),
            Role::Plain | Role::Parts => {
                self.flush_unless_label();
                self.plain += 1;
                self.spaced += usize::from(role == Role::Parts);
            }
            Role::Label => {
                self.flush();
                self.is_label = true;
            }
            Role::Quote => {
                self.flush();
                self.quotes += 1;
            }
            Role::Bullets | Role::Numbers => self.begin_list(tag, role == Role::Numbers),
            Role::Item => self.item(),
            Role::Table => self.begin_table(),
            Role::Row => self.table.begin_row(),
            Role::Cell => self.begin_cell(tag),
            Role::Listing => {
                self.flush();
                self.listing += 1;
            }
            Role::Emphasis => self.emphasize(tag),
            Role::Formula => {
                self.open.pop();
                let tex = read_formula(reader);
                self.formula(&tex);
            }
            Role::Tex => {
                self.open.pop();
                let text = reader.text_inside();
                self.formula(tex_of(&text));
            }
            Role::Equation => self.flush_unless_label(),
            Role::Alternatives => self.has_formula = false,
            Role::Strong => self.style.strong = true,
            Role::Code => self.style.code = true,
            Role::Raised => self.style.shift = BaselineShift::Raised,
            Role::Lowered => self.style.shift = BaselineShift::Lowered,
            Role::Link => self.begin_link(tag),
            Role::Break if !self.words.is_blank() => self.words.push_plain("\n"),
            Role::Break => {}
            Role::Field(label) => {
                self.flush();
                self.field = Some(label);
                self.spaced += 1;
            }
            Role::Outline => self.outline(tag),
        }
    }

    fn begin_heading(&mut self, tag: &XmlTag<'_>, reader: &mut XmlReader<'_>) {
        self.flush_unless_label();
        let is_title = self.sections == 0 && self.title.is_none();
        let level = if is_title { 1 } else { self.sections.saturating_add(1) };
        self.heading = Some(level.clamp(1, 6));
        if tag.get("type").as_deref() == Some("html") {
            self.open.pop();
            let text = markdown_of(reader.text_inside()).text.trim().to_owned();
            self.words.push(TextRun { text, is_markup: true, ..TextRun::default() });
            self.flush();
            self.heading = None;
        }
    }

    fn begin_list(&mut self, tag: &XmlTag<'_>, has_numbers: bool) {
        self.flush();
        let kind = tag.get("list-type").or_else(|| tag.get("type"));
        let is_ordered = |kind: &str| matches!(kind, "order" | "ordered" | "arabic");
        self.lists.push(u64::from(has_numbers || kind.is_some_and(|kind| is_ordered(&kind))));
    }

    fn emphasize(&mut self, tag: &XmlTag<'_>) {
        let look = tag.get("role").or_else(|| tag.get("rend")).unwrap_or_default();
        let has = |names: &[&str]| names.iter().any(|name| look.contains(name));
        match () {
            () if has(&["bold", "strong"]) => self.style.strong = true,
            () if has(&["sup"]) => self.style.shift = BaselineShift::Raised,
            () if has(&["sub"]) => self.style.shift = BaselineShift::Lowered,
            () => self.style.emphasis = true,
        }
    }

    fn leave(&mut self) {
        let Some(element) = self.open.pop() else { return };
        (self.style, self.link) = (element.style, element.link);
        let Some(role) = element.role else {
            if self.spaced > 0 {
                self.words.push_plain(" ");
            }
            return;
        };
        match role {
            Role::Section => {
                self.flush();
                self.sections = self.sections.saturating_sub(1);
            }
            Role::Heading => {
                self.flush();
                self.heading = None;
            }
            Role::Paragraph if self.plain > 0 => {}
            Role::Paragraph => self.flush(),
            Role::Plain | Role::Parts => {
                self.plain = self.plain.saturating_sub(1);
                self.spaced -= usize::from(role == Role::Parts).min(self.spaced);
                if self.plain == 0 {
                    self.flush();
                }
            }
            Role::Equation => self.flush(),
            Role::Label => self.words.push_plain(" "),
            Role::Quote => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            Role::Bullets | Role::Numbers => {
                self.flush();
                self.lists.pop();
                self.marker = None;
            }
            Role::Item | Role::Outline => self.flush(),
            Role::Table => self.end_table(),
            Role::Cell => self.end_cell(),
            Role::Listing => {
                self.flush();
                self.listing = self.listing.saturating_sub(1);
            }
            Role::Field(_) => {
                self.flush();
                self.field = None;
                self.spaced = self.spaced.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// Adds a formula; one of the forms that a document has of it.
    fn formula(&mut self, tex: &str) {
        let is_inside = |role: Role| self.open.iter().any(|open| open.role == Some(role));
        if is_inside(Role::Alternatives) && std::mem::replace(&mut self.has_formula, true) {
            return;
        }
        let is_display = is_inside(Role::Equation) && self.plain + self.tables == 0;
        self.words.push(formula_run(tex, is_display));
    }

    fn item(&mut self) {
        self.flush();
        self.marker = match self.lists.last_mut() {
            Some(number) if *number > 0 => {
                *number += 1;
                Some(ItemMarker::Number(format!("{}.", *number - 1)))
            }
            _ => Some(ItemMarker::Bullet),
        };
    }

    /// An item of an outline with its address; items inside of it are deeper.
    fn outline(&mut self, tag: &XmlTag<'_>) {
        self.flush();
        let depth = self.open.iter().filter(|open| open.role == Some(Role::Outline)).count();
        let link = tag.get("htmlUrl").or_else(|| tag.get("xmlUrl")).or_else(|| tag.get("url"));
        let text = tag.get("text").or_else(|| tag.get("title")).or_else(|| link.clone()).unwrap_or_default();
        let mut words = Words::default();
        words.push(TextRun { text, link: link.as_deref().map(Arc::from), ..TextRun::default() });
        if let Some(note) = tag.get("_note").filter(|note| !note.trim().is_empty()) {
            words.push_plain(&format!(" {note}"));
        }
        let place = Span::new(tag.at, tag.at + 1);
        self.draft.place(Some(self.lines.of(place)));
        let depth = depth.saturating_sub(1).min(usize::from(u8::MAX)) as u8;
        self.draft.push(&Block::Item { depth, marker: Some(ItemMarker::Bullet), words });
    }

    fn begin_link(&mut self, tag: &XmlTag<'_>) {
        let href = ["href", "url", "target"].iter().find_map(|name| tag.get(name)).unwrap_or_default();
        let is_outside = ["http://", "https://", "mailto:"].iter().any(|start| href.starts_with(start));
        if self.root == "feed" {
            let is_other = tag.get("rel").is_some_and(|rel| rel != "alternate");
            if is_outside && !is_other {
                self.flush();
                self.draft.push(&Block::Paragraph(Words::plain(format!("Link: {href}"))));
            }
            return;
        }
        self.link = is_outside.then(|| href.as_str().into());
    }

    fn begin_table(&mut self) {
        self.tables += 1;
        if self.tables == 1 {
            self.flush();
            self.table.begin();
        }
    }

    fn end_table(&mut self) {
        self.tables = self.tables.saturating_sub(1);
        if self.tables == 0
            && let Some(table) = self.table.end()
        {
            self.flush();
            self.emit(Block::Table(table));
        }
    }

    fn begin_cell(&mut self, tag: &XmlTag<'_>) {
        if self.tables != 1 {
            return;
        }
        self.flush();
        let count =
            |names: [&str; 2]| names.iter().find_map(|name| tag.get(name)?.trim().parse::<u32>().ok());
        let more = tag.get("morerows").and_then(|rows| rows.trim().parse::<u32>().ok());
        let rows = more.map(|more| more.saturating_add(1)).or_else(|| count(["rowspan", "rows"]));
        self.table.begin_cell(count(["colspan", "cols"]), rows);
    }

    fn end_cell(&mut self) {
        if self.tables != 1 {
            self.words.push_plain(" ");
            return;
        }
        self.flush();
        if let Some(part) = self.table.end_cell() {
            self.emit(Block::Table(part));
        }
    }

    /// The page that a feed has as text. Plain text is a page too.
    fn page(&mut self, html: &str) {
        self.draft.push_markdown(&markdown_of(html.to_owned()).text);
    }

    fn text(&mut self, text: &str, at: usize, len: usize) {
        if self.open.is_empty() {
            return;
        }
        let source = (text.len() == len).then(|| Span::new(at, at + len));
        if self.words.0.len() > MAX_PARAGRAPH_RUNS {
            self.flush();
        }
        // Line ends of the file are white space but for those of listings.
        let text = if self.listing > 0 { text.to_owned() } else { text.replace(['\n', '\u{b}'], "\r") };
        self.words.push(TextRun {
            text,
            style: self.style,
            link: self.link.clone(),
            source,
            ..TextRun::default()
        });
    }

    fn flush_unless_label(&mut self) {
        if !std::mem::take(&mut self.is_label) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        self.is_label = false;
        if words.is_blank() {
            return;
        }
        if self.listing > 0 {
            let text = words.to_plain();
            return self
                .emit(Block::Code { language: String::new(), text: text.trim_matches('\n').to_owned() });
        }
        let depth = self.lists.len().saturating_sub(1).min(usize::from(u8::MAX)) as u8;
        let block = match (self.heading, self.field) {
            (Some(level), _) => {
                if level == 1 && self.title.is_none() {
                    self.title = Some(words.to_plain().split_whitespace().collect::<Vec<_>>().join(" "));
                }
                Block::Heading { level, words }
            }
            (None, Some(label)) => {
                let mut labelled = Words::plain(format!("{label}: "));
                words.0.into_iter().for_each(|run| labelled.push(run));
                Block::Item { depth: 0, marker: Some(ItemMarker::Bullet), words: labelled }
            }
            _ if self.table.has_cell() => Block::Paragraph(words),
            _ if self.marker.is_some() => Block::Item { depth, marker: self.marker.take(), words },
            _ if !self.lists.is_empty() => Block::Item { depth, marker: None, words },
            _ if self.quotes > 0 => Block::Quote(words),
            _ => Block::Paragraph(words),
        };
        self.emit(block);
    }

    fn emit(&mut self, block: Block) {
        let Some(block) = self.table.add(block) else { return };
        let words = match &block {
            Block::Heading { words, .. }
            | Block::Paragraph(words)
            | Block::Quote(words)
            | Block::Item { words, .. } => Some(words),
            _ => None,
        };
        if let Some(place) = words.and_then(|words| self.lines.of_words(words)) {
            self.draft.place(Some(place));
        }
        self.draft.push(&block);
    }
}

fn markdown_of(html: String) -> Segment {
    read_mail_body(Segment { text: html, ..Segment::default() }, |_, _| {})
}

/// The formula in a document of TeX that has nothing else.
fn tex_of(text: &str) -> &str {
    let body = text.rsplit_once("\\begin{document}").map_or(text, |(_, body)| body);
    let body = body.split_once("\\end{document}").map_or(body, |(body, _)| body);
    body.trim().trim_matches('$').trim()
}

#[cfg(test)]
mod tests;
