//! What is said inside paragraphs: words, signs, references, links, fields, alternatives of pictures, parts inside.

use super::super::field::Field;
use super::super::inserted::{Inserted, read_inserted};
use super::super::properties::{Look, Margin, run_properties};
use super::{Frame, Piece, Story};
use crate::markdown::{Block, TextRun, TextStyle as RunStyle, Words};
use crate::shared::opc::{Package, drawing};
use crate::shared::symbols::SignFont;
use crate::shared::xml::{Tag, XmlReader};
use pensieve_text::model::{Doubt, DoubtKind, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// Changes of style in one paragraph; text behind them looks like the last.
const MOST_RUNS: usize = 20_000;

/// Frames that are searched for the picture around an element.
const NEAR: usize = 64;

/// Alternatives of one picture, which may be a group of many.
const MOST_ALTERNATIVES: usize = 200;

impl Story<'_, '_> {
    /// Says characters as they stand in the part: white space is one space.
    pub(super) fn say_text(&mut self, text: &str) {
        let text: Cow<'_, str> = match text.contains(['\n', '\r', '\t']) {
            true => text.replace(['\n', '\r', '\t'], " ").into(),
            false => text.into(),
        };
        match self.inline.look.signs {
            Some(signs) => self.say(&signs.text(&text)),
            None => self.say(&text),
        }
    }

    /// Says something, unless it is hidden or stands in the code of a field.
    pub(super) fn say(&mut self, text: &str) {
        self.say_run(TextRun { text: text.to_owned(), ..TextRun::default() });
    }

    /// Says words, which get the style and the link that hold here.
    fn say_run(&mut self, said: TextRun) {
        let text = said.text.as_str();
        let look = self.inline.look;
        if text.is_empty()
            || look.hidden == Some(true)
            || self.inline.fields.iter().any(|field| !field.in_result)
        {
            return;
        }
        if !text.trim().is_empty() {
            self.said += 1;
        }
        let style = RunStyle {
            strong: look.strong == Some(true),
            emphasis: look.emphasis == Some(true),
            strike: look.strike == Some(true),
            code: look.mono == Some(true) && !self.context.is_mono,
        };
        let by_field = self.inline.fields.iter().rev().find_map(|field| field.link.clone());
        let link = by_field.or_else(|| self.inline.link.clone());
        let Some(words) = self.words() else { return };
        let mut run = TextRun { style, link, ..said };
        if words.0.len() >= MOST_RUNS
            && let Some(last) = words.0.last()
        {
            (run.style, run.link) = (last.style, last.link.clone());
        }
        words.push(run);
    }

    /// The run has properties.
    pub(super) fn set_run(&mut self, reader: &mut XmlReader<'_>) {
        let properties = run_properties(reader);
        if !matches!(self.frames.last(), Some(Frame::Run(_))) {
            return;
        }
        let of_style =
            properties.style.as_deref().map(|id| self.context.styles.characters(id)).unwrap_or_default();
        self.inline.look = properties.look.over(of_style).over(self.inline.look);
    }

    /// How words look that say nothing about it. Bold and italics of a paragraph's style are how all of it looks, not
    /// emphasis.
    pub(super) fn paragraph_look(&mut self) -> Look {
        if self.own_paragraph().is_some_and(|paragraph| paragraph.style.is_none()) {
            self.resolve_paragraph();
        }
        let look = match self.own_paragraph().and_then(|paragraph| paragraph.style.as_ref()) {
            Some((style, _)) => style.look,
            None => Look::default(),
        };
        Look { strong: None, emphasis: None, ..look }
    }

    pub(super) fn say_sign(&mut self, tag: &Tag<'_>) {
        let code = tag.get("char").and_then(|code| u32::from_str_radix(code.trim(), 16).ok()).unwrap_or(0);
        let signs = tag.get("font").as_deref().and_then(SignFont::of);
        let sign = match signs {
            Some(signs) => signs.sign(code),
            None => char::from_u32(code).filter(|c| !c.is_control() && !matches!(code, 0xe000..=0xf8ff)),
        };
        match sign {
            Some(sign) => self.say(sign.encode_utf8(&mut [0; 4])),
            None => self.context.unknown_signs += 1,
        }
    }

    /// A reference to a note.
    pub(super) fn refer(&mut self, tag: &Tag<'_>) {
        let is_hidden = self.inline.look.hidden == Some(true);
        if is_hidden || self.inline.fields.iter().any(|field| !field.in_result) {
            return;
        }
        let label =
            self.context.notes.label(tag.name() == "endnoteReference", &tag.get("id").unwrap_or_default());
        self.said += 1;
        if let (Some(label), Some(words)) = (label, self.words()) {
            words.push_note(label);
        }
    }

    /// Where a hyperlink leads; none for places in the document.
    pub(super) fn link_of(&self, tag: &Tag<'_>) -> Option<Arc<str>> {
        let relation = self.relations.get(&tag.exact("r:id").or_else(|| tag.get("id"))?)?;
        let anchor = tag.get("anchor").filter(|anchor| !anchor.is_empty() && !relation.target.contains('#'));
        match (relation.is_external, anchor) {
            (false, _) => None,
            (true, Some(anchor)) => Some(format!("{}#{anchor}", relation.target).into()),
            (true, None) => Some(relation.target.clone()),
        }
    }

    pub(super) fn field_mark(&mut self, tag: &Tag<'_>) {
        let fields = &mut self.inline.fields;
        match tag.get("fldCharType").as_deref() {
            Some("begin") if fields.len() < NEAR => fields.push(Field::default()),
            Some("separate") => {
                if let Some(field) = fields.last_mut() {
                    field.separate();
                }
            }
            Some("end") => {
                if let Some(shown) = fields.pop().and_then(Field::ending) {
                    self.say(&shown);
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

    /// Several equations of a paragraph stand on lines of their own.
    pub(super) fn part_equations(&mut self) {
        if self.words().is_some_and(|words| !words.is_blank()) {
            self.say("\n");
        }
    }

    /// What a picture shows, in words.
    pub(super) fn add_alternative(&mut self, text: Option<String>) {
        let Some(text) = text.and_then(|text| drawing::alternative(&text)) else { return };
        let near = self.frames.iter_mut().rev().take(NEAR);
        let found = near.into_iter().find_map(|frame| match frame {
            Frame::Picture { alternatives, .. } => Some(alternatives),
            _ => None,
        });
        if let Some(alternatives) = found.filter(|all| all.len() < MOST_ALTERNATIVES && !all.contains(&text))
        {
            alternatives.push(text);
        }
    }

    /// Says what a picture shows, as Markdown has it; inside of a link its words alone.
    pub(super) fn say_alternative(&mut self, text: &str) {
        let in_link =
            self.inline.link.is_some() || self.inline.fields.iter().any(|field| field.link.is_some());
        self.say(" ");
        match in_link {
            true => self.say(text),
            false => self.say_run(drawing::image(text)),
        }
        self.say(" ");
    }

    /// A chart or diagram.
    pub(super) fn add_drawing(&mut self, id: Option<String>, read: fn(&mut Package<'_>, &str) -> Vec<Block>) {
        let Some(part) = id.and_then(|id| self.relations.part(&id)).cloned() else { return };
        if self.context.may_read_another() {
            let blocks = read(&mut self.context.package, &part);
            self.interrupt(blocks, 0, false);
        }
    }

    /// A part of another format that Word shows in place.
    pub(super) fn insert_part(&mut self, tag: &Tag<'_>, position: usize) {
        let Some(part) = tag.get("id").and_then(|id| self.relations.part(&id)).cloned() else { return };
        if !self.context.may_read_another() {
            return;
        }
        let bytes = Span::new(tag.at, position);
        match read_inserted(self.context, &part) {
            Inserted::Markdown(text) if self.flows.len() == 1 => {
                (self.emit)(self.context, Piece::Markdown(text, bytes))
            }
            Inserted::Markdown(text) => {
                for paragraph in text.split("\n\n") {
                    self.emit(Block::Paragraph(Words::plain(paragraph)), bytes);
                }
            }
            Inserted::Plain(text) => {
                for line in text.lines() {
                    self.emit(Block::Paragraph(Words::plain(line)), bytes);
                }
            }
            Inserted::Unread(why) => self.context.doubts.push(Doubt::new(DoubtKind::SkippedParts, why)),
        }
    }

    /// Headers and footers of a section.
    pub(super) fn add_margins(&mut self, margins: &[Margin]) {
        for margin in margins {
            if let Some(part) = self.relations.part(&margin.relation) {
                self.context.add_margin(margin.is_footer, part);
            }
        }
    }
}
