//! The number formats of a workbook's cells, by the number of their style.

use super::builtin::builtin_code;
use super::date::DateEpoch;
use super::decimal::push_general;
use super::format::NumberFormat;
use crate::limits::sheets::{MAX_CELL_STYLES, MAX_FORMAT_CODE_BYTES, MAX_FORMAT_CODES};
use pensieve_text::model::HiddenReason;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The number formats of a workbook's cells; each code is parsed once.
#[derive(Debug, Default)]
pub(in super::super) struct CellStyles {
    codes: HashMap<u32, String>,
    parsed: HashMap<u32, Rc<NumberFormat>>,
    cells: Vec<Rc<NumberFormat>>,
    /// Those whose words are in the colour of their cells.
    unseen: HashSet<u32>,
    /// The day of serial number 0.
    pub epoch: DateEpoch,
}

impl CellStyles {
    /// Gives a number to a format code that the workbook defines.
    pub fn define(&mut self, id: u32, code: String) {
        if self.codes.len() < MAX_FORMAT_CODES && code.len() <= MAX_FORMAT_CODE_BYTES {
            self.codes.insert(id, code);
        }
    }

    /// Adds the next cell style, whose format has this number.
    pub fn push(&mut self, id: u32) {
        if self.cells.len() >= MAX_CELL_STYLES {
            return;
        }
        let code = self.codes.get(&id).map(String::as_str).or_else(|| builtin_code(id)).unwrap_or("General");
        let format = self.parsed.entry(id).or_insert_with(|| Rc::new(NumberFormat::parse(code))).clone();
        self.cells.push(format);
    }

    /// The words of the last cell style are in the colour of its cells.
    pub fn hide_last(&mut self) {
        self.unseen.insert(self.cells.len().saturating_sub(1) as u32);
    }

    /// Why nobody can see numbers, or texts, in cells of a style. `is_plain`: nothing else colours the sheet.
    pub fn hides(&self, style: u32, is_text: bool, is_plain: bool) -> Option<HiddenReason> {
        if self.of(style).is_some_and(|format| format.hides(is_text)) {
            return Some(HiddenReason::NotDisplayed);
        }
        (is_plain && self.unseen.contains(&style)).then_some(HiddenReason::SameColour)
    }

    /// The format of a cell style; `None` for General and for an unknown style.
    pub fn of(&self, style: u32) -> Option<&NumberFormat> {
        self.cells.get(style as usize).map(Rc::as_ref).filter(|format| !format.is_general)
    }

    /// Writes a number as a cell of this style shows it.
    pub fn push_number(&self, value: f64, style: u32, out: &mut String) {
        match self.of(style) {
            Some(format) => format.push_number(value, self.epoch, out),
            None => push_general(value, out),
        }
    }

    /// Writes a text as a cell of this style shows it.
    pub fn push_text(&self, text: &str, style: u32, out: &mut String) {
        match self.of(style) {
            Some(format) => format.push_text(text, out),
            None => out.push_str(text),
        }
    }
}
