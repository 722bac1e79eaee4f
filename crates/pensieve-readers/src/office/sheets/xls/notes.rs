//! What lies over the cells: notes, text boxes, charts.

use super::super::grid::{Comment, Grid};
use super::super::package::without_author;
use super::super::row::Room;
use super::biff::Stream;
use super::book::Book;
use super::text::{Chain, Edition, Fields};
use crate::shared::codepage;
use pensieve_text::model::Problem;
use std::collections::HashMap;

/// The kind of object that holds a note.
const NOTE: u16 = 0x19;

/// What was found over the cells of a sheet.
pub(super) struct Notes {
    has_comments: bool,
    /// Kind and number of the object that was met last.
    object: (u16, u16),
    /// Texts of notes by the number of their object.
    texts: HashMap<u16, String>,
    /// Notes and the number of the object that holds their text, if it is not here yet.
    comments: Vec<(Comment, Option<u16>)>,
    boxes: Vec<String>,
    /// True inside the description of a title, false inside that of a series, whose name stands in a cell.
    is_title: bool,
    room: Room,
}

impl Notes {
    /// Nothing yet.
    pub fn new(has_comments: bool) -> Notes {
        Notes {
            has_comments,
            object: (0, 0),
            texts: HashMap::new(),
            comments: Vec::new(),
            boxes: Vec::new(),
            is_title: false,
            room: Room::default(),
        }
    }

    /// An object, or a note.
    pub fn record(&mut self, kind: u16, book: &Book, mut fields: Fields<'_>) {
        if kind == 0x5d {
            let is_common = fields.u16() == 0x15;
            fields.skip(2);
            let object = (fields.u16(), fields.u16());
            self.object = if is_common { object } else { (0, 0) };
            return;
        }
        let (row, column) = (fields.u16(), u32::from(fields.u16()) + 1);
        if !self.room.take("") {
            return;
        }
        if book.edition == Edition::Biff8 {
            fields.skip(2);
            let object = fields.u16();
            let author = fields.text(book.edition, book.code_page, true);
            if !self.room.take(&author) {
                return;
            }
            let comment = Comment { row: u32::from(row) + 1, column, author, text: String::new() };
            self.comments.push((comment, Some(object)));
            return;
        }
        let length = usize::from(fields.u16());
        let text = codepage::decode(book.code_page, fields.bytes(length.min(2048)));
        match self.comments.last_mut() {
            // A long note goes on in further records.
            Some((last, _)) if row == u16::MAX => {
                if self.room.take(&text) {
                    last.text.push_str(&text);
                }
            }
            _ => {
                let comment = Comment { row: u32::from(row) + 1, column, author: String::new(), text };
                self.comments.push((comment, None));
            }
        }
    }

    /// The text of the object that was met last.
    pub fn text(&mut self, stream: &mut Stream<'_>) -> Result<(), Problem> {
        let mut fields = Fields::of(&stream.content);
        fields.skip(10);
        let length = usize::from(fields.u16());
        let mut text = String::new();
        if length > 0 {
            let end = stream.content.len();
            let mut chain = Chain::new(stream, end);
            chain.characters(length, 0, &mut text)?;
        }
        match self.object {
            (NOTE, number) if self.room.take(&text) => {
                self.texts.insert(number, text);
            }
            (NOTE, _) => {}
            _ if self.room.take(&text) => self.boxes.push(text),
            _ => {}
        }
        Ok(())
    }

    /// A record of a chart: its titles.
    pub fn chart(&mut self, book: &Book, stream: &mut Stream<'_>) -> Result<(), Problem> {
        match stream.kind {
            0x1003 | 0x1025 => {
                self.is_title = stream.kind == 0x1025;
                Ok(())
            }
            0x100d if self.is_title => {
                let mut fields = Fields::of(&stream.content);
                fields.skip(2);
                let text = fields.text(book.edition, book.code_page, false);
                if self.room.take(&text) {
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

    /// Writes text boxes and notes behind the cells.
    ///
    /// # Errors
    /// The grid's.
    pub fn write(mut self, grid: &mut Grid<'_>) -> Result<(), Problem> {
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
