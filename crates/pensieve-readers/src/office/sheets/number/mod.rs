//! Numbers as a spreadsheet shows them: format codes, their built-in ones, dates, fractions, General.
//!
//! Owns the way from a value and a format code to the characters in the cell. What it refuses: colours, widths and
//! fill characters, which are no text. Sources: ECMA-376 part 1, 18.8.30 and 18.8.31; [MS-XLS] 2.4.126; what Excel
//! and LibreOffice show where these are silent.

mod builtin;
mod code;
mod date;
mod decimal;
mod fraction;
mod names;
mod show;

pub(super) use builtin::builtin_code;
pub(super) use date::{Epoch, serial_of};
pub(super) use decimal::push_general;

use code::Section;
use std::collections::HashMap;
use std::rc::Rc;

/// A format code, taken apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Format {
    sections: Vec<Section>,
    is_general: bool,
}

/// The formats of a workbook's cells by the number of their style, each code taken apart once.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: HashMap<u32, String>,
    parsed: HashMap<u32, Rc<Format>>,
    cells: Vec<Rc<Format>>,
    /// What the serial number 0 stands for.
    pub epoch: Epoch,
}

/// Cell styles that a workbook may have; Excel allows 65,490.
const MOST_STYLES: usize = 1 << 17;

/// Codes that a workbook may define; Excel allows about 250.
const MOST_CODES: usize = 2048;

/// A code longer than this is no format; Excel allows 255 characters.
const LONGEST_CODE: usize = 512;

impl Styles {
    /// Gives a number to a code of the workbook's own.
    pub fn define(&mut self, id: u32, code: String) {
        if self.by_id.len() < MOST_CODES && code.len() <= LONGEST_CODE {
            self.by_id.insert(id, code);
        }
    }

    /// Adds the next cell style, whose format has this number.
    pub fn push(&mut self, id: u32) {
        if self.cells.len() >= MOST_STYLES {
            return;
        }
        let code = self.by_id.get(&id).map(String::as_str).or_else(|| builtin_code(id)).unwrap_or("General");
        let format = self.parsed.entry(id).or_insert_with(|| Rc::new(Format::parse(code))).clone();
        self.cells.push(format);
    }

    /// The format of a cell style; General where there is no such style.
    pub fn of(&self, style: u32) -> Option<&Format> {
        self.cells.get(style as usize).map(Rc::as_ref).filter(|format| !format.is_general)
    }

    /// Writes a number as a cell of that style shows it.
    pub fn push_number(&self, value: f64, style: u32, out: &mut String) {
        match self.of(style) {
            Some(format) => format.push_number(value, self.epoch, out),
            None => push_general(value, out),
        }
    }
}

/// What an error code of the binary formats is written as.
pub(super) fn error_name(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0f => "#VALUE!",
        0x17 => "#REF!",
        0x1d => "#NAME?",
        0x24 => "#NUM!",
        0x2a => "#N/A",
        0x2b => "#GETTING_DATA",
        _ => "#ERR!",
    }
}

/// How a truth value is written.
pub(super) fn truth_name(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

#[cfg(test)]
mod tests;
