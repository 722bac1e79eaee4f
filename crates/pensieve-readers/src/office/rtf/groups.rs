//! The starts and ends of groups: fields, styles, times, captures, flows; and skipped groups. Format: Rich Text
//! Format Specification 1.9.1, destinations.

use super::group_state::{CapturePurpose, Destination, DestinationAction, FlowKind, GroupRole, GroupState};
use super::reader::{InfoTime, OpenField, OpenFlow, RtfReader, StyleEntry};
use crate::limits::rtf::{MAX_FLOW_DEPTH, MAX_GROUP_DEPTH, MAX_LINKS, MAX_METADATA_ROWS};
use crate::markdown::Block;
use crate::office::story::{ParagraphRole, role_of};
use crate::shared::field_codes::{is_page_number, link_of, text_without_result};
use std::sync::Arc;

/// The type of a form field that is a box, and the result of one that has none.
const CHECK_BOX: i32 = 1;
const UNDEFINED: i32 = 25;

impl RtfReader<'_> {
    pub(super) fn open(&mut self) {
        self.flush();
        self.skip = 0;
        self.is_starred = false;
        if self.groups.len() >= MAX_GROUP_DEPTH || self.too_deep > 0 {
            self.too_deep += 1;
            self.skipped_groups = true;
            return;
        }
        self.groups.push(self.group);
        let is_style = self.group.destination == Destination::Styles;
        self.group = self.group.inner();
        if is_style {
            self.group.role = GroupRole::Style;
            self.style = StyleEntry::default();
        }
    }

    /// Ends a group. True after the last one: what follows is not part of the document.
    pub(super) fn close(&mut self) -> bool {
        self.flush();
        self.skip = 0;
        self.is_starred = false;
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return false;
        }
        let Some(outer) = self.groups.pop() else { return false };
        let ended = std::mem::replace(&mut self.group, outer);
        if self.groups.is_empty() {
            self.end_paragraph_of(ended);
            return true;
        }
        self.end_of(ended);
        false
    }

    /// Ends a paragraph with its group, whose format it has.
    fn end_paragraph_of(&mut self, ended: GroupState) {
        let outer = std::mem::replace(&mut self.group, ended);
        self.end_paragraph();
        self.group = outer;
    }

    fn end_of(&mut self, ended: GroupState) {
        match ended.role {
            GroupRole::Nothing => {}
            GroupRole::Field => self.end_field(),
            GroupRole::Formula => self.end_formula(ended.in_equations),
            GroupRole::FormulaElement => self.end_formula_element(),
            GroupRole::Style => self.end_style(),
            GroupRole::Time(key) => self.end_time(key),
            GroupRole::Capture(purpose) => {
                let text = self.captures.pop().unwrap_or_default();
                self.captured(purpose, text);
            }
            GroupRole::Flow(kind) => self.end_flow(kind, ended),
        }
    }

    fn end_field(&mut self) {
        let Some(field) = self.fields.pop().filter(|field| field.is_shown) else { return };
        if let [Some(CHECK_BOX), result, default] = field.form {
            // A box that nobody has touched is as its default says.
            let is_ticked = result.filter(|result| *result != UNDEFINED).or(default) == Some(1);
            return self.push_markup(if is_ticked { "[x]" } else { "[ ]" });
        }
        if field.has_result {
            return;
        }
        if let Some(shown) = text_without_result(&field.code) {
            self.push_text(shown);
        }
    }

    fn end_style(&mut self) {
        let style = std::mem::take(&mut self.style);
        let role =
            role_of(&style.name).unwrap_or_default().with_outline(style.outline.filter(|level| *level < 9));
        if role != ParagraphRole::Body {
            self.styles.insert(style.number, role);
        }
    }

    fn end_time(&mut self, key: &'static str) {
        let [year, month, day, hour, minute, second] = self.time.0;
        if (1900..2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day) {
            let (hour, minute, second) = (hour.clamp(0, 23), minute.clamp(0, 59), second.clamp(0, 59));
            let time = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
            self.metadata.push((key.to_owned(), time));
        }
    }

    fn captured(&mut self, purpose: CapturePurpose, text: String) {
        match purpose {
            CapturePurpose::Info(key) => {
                let text = text.trim().trim_end_matches(';').trim();
                if !text.is_empty() && self.metadata.len() < MAX_METADATA_ROWS {
                    self.metadata.push((key.to_owned(), text.to_owned()));
                }
            }
            CapturePurpose::Marker => {
                if let Some(open) = self.flows.last_mut() {
                    open.marker = Some(text.trim().to_owned());
                }
            }
            CapturePurpose::Code => {
                if let Some(field) = self.fields.last_mut() {
                    field.code.push_str(&text);
                }
            }
            CapturePurpose::CommentAuthor => text.trim().clone_into(&mut self.comment_author),
            CapturePurpose::PropertyName => self.property = text,
            CapturePurpose::PropertyValue => {
                if self.property == "wzDescription" && self.is_picture() {
                    let around = std::mem::replace(&mut self.group.destination, Destination::Body);
                    self.push_text(text.trim());
                    self.group.destination = around;
                }
                self.property.clear();
            }
        }
    }

    /// True inside a visible picture, whose description is read.
    fn is_picture(&self) -> bool {
        self.groups.iter().rev().take(4).any(|group| group.destination == Destination::Body)
    }

    fn end_flow(&mut self, kind: FlowKind, ended: GroupState) {
        self.end_paragraph_of(ended);
        let Some(open) = self.flows.pop() else { return };
        let blocks = open.flow.into_blocks();
        let paragraphs = self.open_paragraph();
        match kind {
            FlowKind::Header => self.headers.push(blocks),
            FlowKind::Footer => self.footers.push(blocks),
            FlowKind::Comment => {
                let author = std::mem::take(&mut self.comment_author);
                self.comments.push((author, blocks));
            }
            FlowKind::Note => {
                self.notes += 1;
                let label: Arc<str> = self.notes.to_string().into();
                if let Some(open) = self.flows.last_mut() {
                    open.words.push_note(label.clone());
                    open.flow.aside(Block::Note { label, blocks }, paragraphs);
                }
            }
            FlowKind::TextBox => {
                if let Some(open) = self.flows.last_mut() {
                    blocks.into_iter().for_each(|block| open.flow.aside(block, paragraphs));
                }
            }
        }
    }

    pub(super) fn destination(&mut self, what: DestinationAction) {
        let around = self.group.destination;
        match what {
            DestinationAction::Unicode => {
                self.group.destination = self.group.outer.take().unwrap_or(around);
            }
            _ if around == Destination::Skip => (),
            DestinationAction::To(destination) => self.group.destination = destination,
            DestinationAction::Through => {}
            DestinationAction::Both => {
                self.group.outer = Some(around);
                self.group.destination = Destination::Skip;
            }
            DestinationAction::Time(key) if around == Destination::Frame => {
                self.time = InfoTime::default();
                self.group.role = GroupRole::Time(key);
                self.group.destination = Destination::Time;
            }
            DestinationAction::Time(_) => self.group.destination = Destination::Skip,
            DestinationAction::Capture(CapturePurpose::Info(_)) if around != Destination::Frame => {}
            DestinationAction::Capture(purpose) if self.group.role == GroupRole::Nothing => {
                self.captures.push(String::new());
                self.group.role = GroupRole::Capture(purpose);
                self.group.destination = Destination::Capture;
            }
            DestinationAction::Capture(_) => {}
            DestinationAction::Field if self.group.role == GroupRole::Nothing => {
                self.fields.push(OpenField { is_shown: around == Destination::Body, ..OpenField::default() });
                self.group.role = GroupRole::Field;
            }
            DestinationAction::Field => {}
            DestinationAction::Formula => self.open_formula(),
            DestinationAction::Equations => self.group.in_equations = true,
            DestinationAction::Result => self.field_result(),
            DestinationAction::Flow(kind) => self.open_flow(kind),
        }
    }

    fn field_result(&mut self) {
        let is_apart = matches!(self.flows.len(), 2..);
        let Some(field) = self.fields.last_mut().filter(|field| field.is_shown) else { return };
        field.has_result = true;
        if is_apart && is_page_number(&field.code) {
            self.group.destination = Destination::Skip;
        } else if let Some(link) = link_of(&field.code).filter(|_| self.links.len() < MAX_LINKS) {
            self.links.push(link.into());
            self.group.run.link = self.links.len() as u32;
        }
    }

    fn open_flow(&mut self, kind: FlowKind) {
        let is_reachable = matches!(self.group.destination, Destination::Body | Destination::Frame);
        let can_open = self.group.role == GroupRole::Nothing && self.flows.len() < MAX_FLOW_DEPTH;
        // Notes of deleted or hidden text are left out too.
        if !is_reachable
            || !can_open
            || self.group.run.deleted
            || self.group.run.format.look.hidden == Some(true)
        {
            self.group.destination = Destination::Skip;
            return;
        }
        self.flows.push(OpenFlow::default());
        self.group.role = GroupRole::Flow(kind);
        self.group.destination = Destination::Body;
        self.group.paragraph = Default::default();
        self.group.run = Default::default();
    }
}
