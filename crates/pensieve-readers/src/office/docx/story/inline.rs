//! The content of paragraphs: words, symbols, references, links, fields, descriptions of pictures, inserted parts.

use super::super::field::{BOXES, OpenField};
use super::super::inserted::{InsertedContent, read_inserted};
use super::super::properties::{HeaderFooterReference, run_properties};
use super::{OpenElement, StoryEvent, StoryReader};
use crate::limits::docx::{MAX_DESCRIPTIONS, MAX_PARAGRAPH_RUNS, MAX_SEARCHED_DEPTH};
use crate::markdown::{Block, TextRun, Words};
use crate::office::story::CharacterFormat;
use crate::shared::formula::formula_run;
use crate::shared::opc::{OpcPackage, drawing};
use crate::shared::symbols::SymbolFont;
use crate::shared::xml::{XmlReader, XmlTag};
use pensieve_text::model::{HiddenReason, Locator, ReviewReason, Span};
use std::borrow::Cow;
use std::sync::Arc;

impl StoryReader<'_, '_> {
    /// Adds characters of the part: white space is one space.
    pub(super) fn push_characters(&mut self, text: &str) {
        let text: Cow<'_, str> = match text.contains(['\n', '\r', '\t']) {
            true => text.replace(['\n', '\r', '\t'], " ").into(),
            false => text.into(),
        };
        if let Some(ticked) = self.inline.ticked.take().filter(|_| text.trim().chars().count() == 1) {
            return self.push_shown(ticked);
        }
        match self.inline.format.symbol_font {
            Some(symbol_font) => self.push_text(&symbol_font.text(&text)),
            None => self.push_text(&text),
        }
    }

    /// Adds text, unless it is hidden or belongs to a field code.
    pub(super) fn push_text(&mut self, text: &str) {
        self.push_run(TextRun { text: text.to_owned(), ..TextRun::default() });
    }

    /// Adds what a field or a control shows; a box is a mark.
    pub(super) fn push_shown(&mut self, text: &str) {
        let is_markup = BOXES.contains(&text);
        self.push_run(TextRun { text: text.to_owned(), is_markup, ..TextRun::default() });
    }

    pub(super) fn push_formula(&mut self, tex: &str, is_display: bool) {
        self.push_run(formula_run(tex, is_display));
    }

    /// Adds words, which get the current format and link.
    fn push_run(&mut self, content: TextRun) {
        let text = content.text.as_str();
        let format = self.inline.format;
        if text.is_empty() || self.inline.fields.iter().any(|field| !field.in_result) {
            return;
        }
        if let Some(reason) = format.look.hiding(|| self.is_on_paper()) {
            self.hide(reason, text);
            return;
        }
        if self.inline.is_reading {
            return self.inline.reading.push_str(text);
        }
        if !text.trim().is_empty() {
            self.content_count += 1;
        }
        let mut style = format.style();
        style.code &= !self.context.is_monospaced_throughout;
        let by_field = self.inline.fields.iter().rev().find_map(|field| field.link.clone());
        let link = by_field.or_else(|| self.inline.link.clone());
        let Some(words) = self.words() else { return };
        let is_full = words.0.len() >= MAX_PARAGRAPH_RUNS;
        words.push_within(TextRun { style, link, ..content }, is_full);
    }

    /// Lists words that nobody can see.
    fn hide(&mut self, reason: HiddenReason, text: &str) {
        let at = self.at;
        let start = self.open_paragraph().map_or(at, |paragraph| paragraph.start);
        let bytes = self.part.bytes(Span::new(start, at.max(start)));
        let place = Locator::part(self.name.clone(), Some(bytes));
        self.context.hidden.add(reason, Some(&place), text);
    }

    /// True where nothing but white paper can be behind words: styles of tables and shapes have colours of their own.
    fn is_on_paper(&mut self) -> bool {
        let is_apart =
            |open: &OpenElement| matches!(open, OpenElement::TextBox(_) | OpenElement::Picture { .. });
        self.tables.is_empty() && !self.open_elements.iter().any(is_apart) && self.context.is_paper_white()
    }

    /// The run has properties.
    pub(super) fn set_run(&mut self, reader: &mut XmlReader<'_>) {
        let properties = run_properties(reader);
        if !matches!(self.open_elements.last(), Some(OpenElement::Run(_))) {
            return;
        }
        let of_style =
            properties.style.as_deref().map(|id| self.context.styles.characters(id)).unwrap_or_default();
        self.inline.format = properties.format.over(of_style).over(self.inline.format);
    }

    /// The format of words without properties. Bold and italics of a paragraph's style are the look of all of it, not
    /// emphasis.
    pub(super) fn paragraph_format(&mut self) -> CharacterFormat {
        if self.open_paragraph().is_some_and(|paragraph| paragraph.style.is_none()) {
            self.resolve_paragraph();
        }
        let format = match self.open_paragraph().and_then(|paragraph| paragraph.style.as_ref()) {
            Some((style, _)) => style.format,
            None => CharacterFormat::default(),
        };
        let ground = self.open_paragraph().map(|paragraph| paragraph.properties.look).unwrap_or_default();
        CharacterFormat { strong: None, emphasis: None, look: ground.over(format.look), ..format }
    }

    pub(super) fn push_symbol(&mut self, tag: &XmlTag<'_>) {
        let code = tag.get("char").and_then(|code| u32::from_str_radix(code.trim(), 16).ok()).unwrap_or(0);
        let symbol_font = tag.get("font").as_deref().and_then(SymbolFont::of);
        let symbol = match symbol_font {
            Some(symbol_font) => symbol_font.symbol(code),
            None => char::from_u32(code).filter(|c| !c.is_control() && !matches!(code, 0xe000..=0xf8ff)),
        };
        match symbol {
            Some(symbol) => match self.inline.ticked.take() {
                Some(ticked) => self.push_shown(ticked),
                None => self.push_text(symbol.encode_utf8(&mut [0; 4])),
            },
            None => self.context.unmapped_symbols += 1,
        }
    }

    /// Adds a reference to a note.
    pub(super) fn refer(&mut self, tag: &XmlTag<'_>) {
        let is_hidden = self.inline.format.look.hidden == Some(true);
        if is_hidden || self.inline.fields.iter().any(|field| !field.in_result) {
            return;
        }
        let label =
            self.context.notes.label(tag.name() == "endnoteReference", &tag.get("id").unwrap_or_default());
        self.content_count += 1;
        if let (Some(label), Some(words)) = (label, self.words()) {
            words.push_note(label);
        }
    }

    /// The target of a hyperlink; `None` for targets inside the document.
    pub(super) fn link_of(&self, tag: &XmlTag<'_>) -> Option<Arc<str>> {
        let relation = self.relations.get(&tag.exact("r:id").or_else(|| tag.get("id"))?)?;
        let anchor = tag.get("anchor").filter(|anchor| !anchor.is_empty() && !relation.target.contains('#'));
        match (relation.is_external, anchor) {
            (false, _) => None,
            (true, Some(anchor)) => Some(format!("{}#{anchor}", relation.target).into()),
            (true, None) => Some(relation.target.clone()),
        }
    }

    pub(super) fn field_mark(&mut self, tag: &XmlTag<'_>) {
        let fields = &mut self.inline.fields;
        match tag.get("fldCharType").as_deref() {
            Some("begin") if fields.len() < MAX_SEARCHED_DEPTH => fields.push(OpenField::default()),
            Some("separate") => {
                if let Some(field) = fields.last_mut() {
                    field.separate();
                }
            }
            Some("end") => {
                if let Some(shown) = fields.pop().and_then(OpenField::ending) {
                    self.push_shown(&shown);
                }
            }
            _ => {}
        }
    }

    pub(super) fn add_code(&mut self, code: &str) {
        if let Some(field) = self.inline.fields.last_mut().filter(|field| !field.in_result) {
            field.add(code);
        }
    }

    /// Puts each of several equations of a paragraph on a line of its own.
    pub(super) fn separate_equations(&mut self) {
        if self.words().is_some_and(|words| !words.is_blank()) {
            self.push_text("\n");
        }
    }

    /// Keeps the description of a picture.
    pub(super) fn add_alternative(&mut self, text: Option<String>) {
        let Some(text) = text.and_then(|text| drawing::alternative(&text)) else { return };
        let near = self.open_elements.iter_mut().rev().take(MAX_SEARCHED_DEPTH);
        let found = near.into_iter().find_map(|element| match element {
            OpenElement::Picture { alternatives, .. } => Some(alternatives),
            _ => None,
        });
        if let Some(alternatives) = found.filter(|all| all.len() < MAX_DESCRIPTIONS && !all.contains(&text)) {
            alternatives.push(text);
        }
    }

    /// Adds the description of a picture as an image element; inside a link, only its words.
    pub(super) fn push_alternative_text(&mut self, text: &str) {
        let in_link =
            self.inline.link.is_some() || self.inline.fields.iter().any(|field| field.link.is_some());
        self.push_text(" ");
        match in_link {
            true => self.push_text(text),
            false => self.push_run(drawing::image(text)),
        }
        self.push_text(" ");
    }

    /// Adds a chart or diagram.
    pub(super) fn add_drawing(
        &mut self,
        id: Option<String>,
        read: fn(&mut OpcPackage<'_>, &str) -> Vec<Block>,
    ) {
        let Some(part) = id.and_then(|id| self.relations.part(&id)).cloned() else { return };
        if self.context.may_read_another() {
            let blocks = read(&mut self.context.package, &part);
            self.interrupt(blocks, 0, false);
        }
    }

    /// Adds an included part of another format.
    pub(super) fn insert_part(&mut self, tag: &XmlTag<'_>, position: usize) {
        let Some(part) = tag.get("id").and_then(|id| self.relations.part(&id)).cloned() else { return };
        if !self.context.may_read_another() {
            return;
        }
        let bytes = Span::new(tag.at, position);
        match read_inserted(self.context, &part) {
            InsertedContent::Markdown(text) if self.flows.len() == 1 => {
                (self.emit)(self.context, StoryEvent::Markdown(text, bytes))
            }
            InsertedContent::Markdown(text) => {
                for paragraph in text.split("\n\n") {
                    self.emit(Block::Paragraph(Words::plain(paragraph)), bytes);
                }
            }
            InsertedContent::Plain(text) => {
                for line in text.lines() {
                    self.emit(Block::Paragraph(Words::plain(line)), bytes);
                }
            }
            InsertedContent::Unread(why) => self.context.review_reasons.push(ReviewReason::skipped(why)),
        }
    }

    /// Records the headers and footers of a section.
    pub(super) fn add_headers_and_footers(&mut self, headers_and_footers: &[HeaderFooterReference]) {
        for reference in headers_and_footers {
            if let Some(part) = self.relations.part(&reference.relation) {
                self.context.add_header_or_footer(reference.is_footer, part);
            }
        }
    }
}
