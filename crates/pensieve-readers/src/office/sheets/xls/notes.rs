//! Notes, text boxes and titles of charts.

use super::super::annotations::{CellComment, TextAllowance, without_author};
use super::super::grid::SheetGrid;
use super::biff::BiffStream;
use super::book::XlsWorkbook;
use super::fields::{BiffFields, BiffVersion, ContinuedContent};
use crate::shared::codepage;
use pensieve_text::model::Problem;
use std::collections::HashMap;

/// The kind of object that contains a note.
const NOTE: u16 = 0x19;

/// The notes and texts of drawings of one sheet.
pub(super) struct XlsAnnotations {
    has_comments: bool,
    /// Kind and number of the last object.
    object: (u16, u16),
    /// Texts of notes by the number of their object.
    texts: HashMap<u16, String>,
    /// Notes, each with the number of the object that has its text, if there is one.
    comments: Vec<(CellComment, Option<u16>)>,
    boxes: Vec<String>,
    /// True inside the description of a title, false inside that of a series, whose name is in a cell.
    is_title: bool,
    allowance: TextAllowance,
}

impl XlsAnnotations {
    pub fn new(has_comments: bool) -> XlsAnnotations {
        XlsAnnotations {
            has_comments,
            object: (0, 0),
            texts: HashMap::new(),
            comments: Vec::new(),
            boxes: Vec::new(),
            is_title: false,
            allowance: TextAllowance::default(),
        }
    }

    /// Reads the record of an object or of a note.
    pub fn record(&mut self, kind: u16, book: &XlsWorkbook, mut fields: BiffFields<'_>) {
        if kind == 0x5d {
            let is_common = fields.u16() == 0x15;
            fields.skip(2);
            let object = (fields.u16(), fields.u16());
            self.object = if is_common { object } else { (0, 0) };
            return;
        }
        let (row, column) = (fields.u16(), u32::from(fields.u16()) + 1);
        if !self.allowance.take("") {
            return;
        }
        if book.version == BiffVersion::Biff8 {
            fields.skip(2);
            let object = fields.u16();
            let author = fields.text(book.version, book.code_page, true);
            if !self.allowance.take(&author) {
                return;
            }
            let comment = CellComment { row: u32::from(row) + 1, column, author, text: String::new() };
            self.comments.push((comment, Some(object)));
            return;
        }
        let length = usize::from(fields.u16());
        let text = codepage::decode(book.code_page, fields.bytes(length.min(2048)));
        match self.comments.last_mut() {
            // A long note continues in further records.
            Some((last, _)) if row == u16::MAX => {
                if self.allowance.take(&text) {
                    last.text.push_str(&text);
                }
            }
            _ => {
                let comment = CellComment { row: u32::from(row) + 1, column, author: String::new(), text };
                self.comments.push((comment, None));
            }
        }
    }

    /// Reads the text of the last object.
    pub fn text(&mut self, stream: &mut BiffStream<'_>) -> Result<(), Problem> {
        let mut fields = BiffFields::of(&stream.content);
        fields.skip(10);
        let length = usize::from(fields.u16());
        let mut text = String::new();
        if length > 0 {
            let end = stream.content.len();
            let mut chain = ContinuedContent::new(stream, end);
            chain.characters(length, 0, &mut text)?;
        }
        match self.object {
            (NOTE, number) if self.allowance.take(&text) => {
                self.texts.insert(number, text);
            }
            (NOTE, _) => {}
            _ if self.allowance.take(&text) => self.boxes.push(text),
            _ => {}
        }
        Ok(())
    }

    /// Reads a record of a chart; only titles are kept.
    pub fn chart(&mut self, book: &XlsWorkbook, stream: &mut BiffStream<'_>) -> Result<(), Problem> {
        match stream.kind {
            0x1003 | 0x1025 => {
                self.is_title = stream.kind == 0x1025;
                Ok(())
            }
            0x100d if self.is_title => {
                let mut fields = BiffFields::of(&stream.content);
                fields.skip(2);
                let text = fields.text(book.version, book.code_page, false);
                if self.allowance.take(&text) {
                    self.boxes.push(text);
                }
                Ok(())
            }
            0x1b6 => {
                self.object = (0, 0);
                self.text(stream)
            }
            _ => Ok(()),
        }
    }

    /// Writes text boxes and notes after the cells.
    ///
    /// # Errors
    /// The grid's.
    pub fn write(mut self, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        for text in self.boxes.drain(..) {
            if !text.trim().is_empty() {
                grid.drawing(&text)?;
            }
        }
        if !self.has_comments {
            return Ok(());
        }
        for (mut comment, object) in self.comments {
            if let Some(text) = object.and_then(|object| self.texts.remove(&object)) {
                comment.text = text;
            }
            if !comment.text.trim().is_empty() {
                grid.comment(&without_author(comment))?;
            }
        }
        Ok(())
    }
}
