//! The columns of a table: what their cells say about type, unit, and how numbers are written.

use super::date::{DateOrder, is_date_like, parse_date};
use super::rows::{CellDivision, TableSyntax};
use super::value::{
    CellStyle, NumberStyle, Separators, is_currency, is_nothing, is_year, western, with_number,
};
use crate::model::names;
use serde::{Deserialize, Serialize};

names! {
    /// What most cells of a column are.
    #[derive(Default)]
    ColumnKind {
        /// Words.
        #[default]
        Text = "text",
        /// Numbers; a cell that is none has no value.
        Number = "number",
        /// Percentages, as they are written: `12.5 %` is 12.5.
        Percent = "percent",
        /// Dates.
        Date = "date",
        /// Words and numbers, neither few.
        Mixed = "mixed",
        /// No cell has anything.
        Empty = "empty",
    }
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    /// Its name, from the header rows: no other column of the table has it, whatever the case of letters.
    pub name: String,
    /// What most of its cells are.
    #[serde(rename = "type")]
    pub kind: ColumnKind,
    /// The unit or currency of its numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What its numbers are to be multiplied by, if the document says so: 1000000 for "in millions".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<u64>,
    /// True if a comma is the decimal mark.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decimal_comma: bool,
    /// True if a space separates groups of digits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spaced: bool,
    /// True if the day comes first in `3/4/2021`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub day_first: bool,
    /// The first and the last cell of a row that make one of this column: a currency often has a cell of its own.
    pub cells: (usize, usize),
}

impl TableColumn {
    pub(super) fn style(&self) -> CellStyle {
        let numbers = if self.decimal_comma { NumberStyle::Comma } else { NumberStyle::Point };
        let dates = if self.day_first { DateOrder::DayFirst } else { DateOrder::MonthFirst };
        CellStyle { numbers, dates, has_spaces: self.spaced }
    }
}

/// How the cells of a table are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLayout {
    /// How its rows are written.
    pub syntax: TableSyntax,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Rows at its beginning that name the columns.
    pub header_rows: usize,
    /// How its cells are divided, where columns of a page share cells.
    #[serde(flatten)]
    pub division: CellDivision,
    /// True if a row with nothing but a label names the rows after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_sections: bool,
}

/// What a cell is, as far as it matters for its column and for the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellShape {
    Empty,
    /// A mark for nothing.
    Nothing,
    Year,
    Number,
    Date,
    /// A currency alone.
    Currency,
    /// A closing bracket or a percent sign alone.
    Closing,
    Text,
}

/// Units of one column, at most; more kinds are words after numbers.
const MAX_UNITS: usize = 4;

/// Marks for nothing and currencies in Latin letters are not longer: none has more than five.
const MAX_MARK_BYTES: usize = 8;
/// So many digits always have a value: those that a float holds exactly.
const MAX_PLAIN_DIGITS: usize = 15;
/// One code in so many cells makes codes of all. Numbers of states and postal codes begin with a zero in one of ten; that a
/// single cell of a column of amounts is mistyped shall not matter.
const MIN_CODE_SHARE: usize = 50;

/// Counts over the cells of a column.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnTally {
    pub filled: usize,
    pub nothing: usize,
    pub numbers: usize,
    pub years: usize,
    pub percents: usize,
    pub dates: usize,
    pub currencies: usize,
    /// The first of its cells that is a currency alone.
    pub symbol: Option<String>,
    pub closings: usize,
    /// Numbers that can be read with a point, or with a comma, as decimal mark only.
    pub point: usize,
    comma: usize,
    /// Numbers with spaces between groups of digits, and numbers with marks there.
    pub spaced: usize,
    pub grouped: usize,
    /// Numbers that can be read in both ways.
    pub either: usize,
    /// Digits that begin with a zero.
    codes: usize,
    /// Numbers that have four decimals or a note.
    raised: usize,
    pub day_first: usize,
    pub month_first: usize,
    units: Vec<String>,
    has_many_units: bool,
    is_first_percent: bool,
}

/// The shape of a cell alone.
pub(super) fn shape_of(text: &str) -> CellShape {
    ColumnTally::default().add(text)
}

impl ColumnTally {
    /// Counts a cell; returns what it is.
    pub fn add(&mut self, text: &str) -> CellShape {
        let text = text.trim();
        if text.is_empty() {
            return CellShape::Empty;
        }
        if let Some(shape) = self.add_plain(text) {
            return shape;
        }
        if is_currency(text) {
            self.currencies += 1;
            self.symbol.get_or_insert_with(|| text.to_owned());
            return CellShape::Currency;
        }
        if matches!(text, ")" | "%" | ")%") {
            self.closings += 1;
            return CellShape::Closing;
        }
        if !text.bytes().any(|byte| byte.is_ascii_digit()) && text.is_ascii() || text.len() > 64 {
            let is_nothing = is_nothing(text);
            *(if is_nothing { &mut self.nothing } else { &mut self.filled }) += 1;
            return if is_nothing { CellShape::Nothing } else { CellShape::Text };
        }
        let text = &*western(text);
        let is_code =
            text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        self.codes += usize::from(is_code);
        if let Some(shape) = with_number(text, |number| self.add_number(&number)).flatten() {
            return shape;
        }
        if is_date_like(text)
            && let Some(date) = parse_date(text, DateOrder::MonthFirst)
        {
            self.filled += 1;
            self.dates += 1;
            self.day_first += usize::from(date.order == Some(DateOrder::DayFirst));
            self.month_first += usize::from(date.order == Some(DateOrder::MonthFirst));
            return CellShape::Date;
        }
        if is_date_like(text) && parse_date(text, DateOrder::DayFirst).is_some() {
            self.filled += 1;
            self.dates += 1;
            self.day_first += 1;
            return CellShape::Date;
        }
        if is_nothing(text) {
            self.nothing += 1;
            return CellShape::Nothing;
        }
        self.filled += 1;
        CellShape::Text
    }

    /// Counts a few digits with a point at most, or letters: most cells of a file of records. What [`with_number`] would say, in a
    /// tenth of the time.
    fn add_plain(&mut self, text: &str) -> Option<CellShape> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let has_point = whole.len() < digits.len();
        if !are_digits(whole) || !are_digits(part) || has_point && part.is_empty() {
            // Longer words are no mark for nothing, and no currency.
            let is_word = text.len() > MAX_MARK_BYTES
                && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
            self.filled += usize::from(is_word);
            return is_word.then_some(CellShape::Text);
        }
        if whole.is_empty() || whole.starts_with('0') && whole != "0" || digits.len() > MAX_PLAIN_DIGITS {
            return None;
        }
        let is_either = part.len() == 3 && whole.len() <= 3 && whole != "0";
        self.either += usize::from(is_either);
        self.grouped += usize::from(is_either);
        self.point += usize::from(has_point && !is_either);
        self.filled += 1;
        self.numbers += 1;
        let is_year = is_year(text);
        self.years += usize::from(is_year);
        Some(if is_year { CellShape::Year } else { CellShape::Number })
    }

    fn add_number(&mut self, number: &super::value::WrittenNumber<'_>) -> Option<CellShape> {
        let style = match number.separators() {
            Separators::Known(style) => style,
            Separators::Either => None,
            Separators::Raised => Some(NumberStyle::Comma),
        };
        if !number.is_plain() {
            number.value(style.unwrap_or_default())?;
        }
        match number.separators() {
            Separators::Known(Some(NumberStyle::Point)) => self.point += 1,
            Separators::Known(Some(NumberStyle::Comma)) => self.comma += 1,
            Separators::Known(None) => {}
            Separators::Either => self.either += 1,
            Separators::Raised => self.raised += 1,
        }
        if let Some(unit) = number.currency.or(number.unit)
            && self.units.iter().all(|known| known != unit)
        {
            match self.units.len() {
                0..MAX_UNITS => self.units.push(unit.to_owned()),
                // Amounts may be of any country.
                _ => self.has_many_units |= number.currency.is_none(),
            }
        }
        self.spaced += usize::from(number.has_spaces());
        self.grouped += usize::from(number.has_groups());
        self.is_first_percent |= self.numbers == 0 && number.is_percent;
        self.filled += 1;
        self.numbers += 1;
        self.percents += usize::from(number.is_percent);
        let is_year = number.is_year();
        self.years += usize::from(is_year);
        Some(if is_year { CellShape::Year } else { CellShape::Number })
    }

    /// Numbers in which a comma is the decimal mark. Four decimals are that of a column without three.
    pub fn commas(&self) -> usize {
        self.comma + if self.either == 0 && self.point == 0 { self.raised } else { 0 }
    }

    /// True if no cell has anything.
    pub fn is_empty(&self) -> bool {
        self.filled + self.nothing + self.closings + self.currencies == 0
    }

    /// True if it has nothing but currencies.
    pub fn has_only_currencies(&self) -> bool {
        self.currencies > 0 && self.filled + self.nothing + self.closings == 0
    }

    /// True if it has nothing but what closes a number.
    pub fn has_only_closings(&self) -> bool {
        self.closings > 0 && self.filled + self.nothing + self.currencies == 0
    }

    /// True if most of its cells are numbers.
    pub fn is_numeric(&self) -> bool {
        self.numbers > 0 && self.numbers * 2 > self.filled
    }

    /// What most of its cells are.
    pub fn kind(&self) -> ColumnKind {
        // More kinds of words after numbers than units of one column are words: `3 apples`, `5 pears`.
        // Where one of fifty begins with a zero, all are codes, and the zeros count: `01`, `02`, ..., `10`.
        let are_codes = self.codes * MIN_CODE_SHARE >= self.filled && self.codes > 0;
        let numbers = if self.has_many_units || are_codes { 0 } else { self.numbers };
        let texts = self.filled - numbers - self.dates;
        if self.filled + self.nothing == 0 {
            ColumnKind::Empty
        } else if numbers * 2 > self.filled {
            // In statements the first row alone has the sign.
            let is_percent = self.percents * 2 > numbers || self.is_first_percent && self.units.is_empty();
            if is_percent { ColumnKind::Percent } else { ColumnKind::Number }
        } else if self.dates * 2 > self.filled {
            ColumnKind::Date
        } else if (numbers + self.dates) * 5 >= self.filled && numbers > 1 && texts > 1 {
            // A fifth is more than the odd number among words.
            ColumnKind::Mixed
        } else {
            ColumnKind::Text
        }
    }

    /// The unit of its numbers: one that no other contradicts.
    pub fn unit(&self) -> Option<String> {
        match &self.units[..] {
            [unit] if !self.has_many_units => Some(unit.clone()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_count_as_others_do() {
        let counted = |text: &str| {
            let mut tally = ColumnTally::default();
            let shape = tally.add(text);
            format!("{shape:?} {tally:?}")
        };
        for text in ["5", "-5", "0", "1950", "1.234", "0.123", "12.5", "1234.567", "123456789.5", "1499"] {
            // A plus is not plain.
            assert_eq!(counted(text), counted(&format!("+{text}")), "{text}");
        }
        let shapes = ["none", "USD", "Long names", "007", "5.", "1.2.3"].map(shape_of);
        let [nothing, currency, text] = [CellShape::Nothing, CellShape::Currency, CellShape::Text];
        assert_eq!(shapes, [nothing, currency, text, text, text, text]);
    }
}
