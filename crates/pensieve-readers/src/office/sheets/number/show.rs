//! Numbers, dates and texts by a format.

use super::Format;
use super::code::{Compare, Condition, Kind, Piece, Section};
use super::date::{Epoch, Moment, moment};
use super::decimal::{Decimal, push_general};
use super::fraction::push_fraction;
use super::names::{Names, names_of};
use std::fmt::Write;

impl Format {
    /// Writes a number as a cell of this format shows it.
    pub fn push_number(&self, value: f64, epoch: Epoch, out: &mut String) {
        let start = out.len();
        let Some((section, is_signed)) = self.section(value) else { return push_general(value, out) };
        if !value.is_finite() {
            return push_general(value, out);
        }
        match section.kind {
            Kind::Date => push_date(section, value, epoch, out),
            _ => {
                if is_signed && value < 0.0 {
                    out.push('-');
                }
                push_value(section, value, out);
            }
        }
        // Room for a bracket in front or behind is no text.
        out.truncate(start + out[start..].trim_end().len());
        let blank = out[start..].len() - out[start..].trim_start().len();
        out.drain(start..start + blank);
    }

    /// Writes a text as a cell of this format shows it; a format that would hide it does not.
    pub fn push_text(&self, text: &str, out: &mut String) {
        let section = match &self.sections[..] {
            [.., last] if last.kind == Kind::Text => last,
            _ => return out.push_str(text),
        };
        for piece in &section.pieces {
            match piece {
                Piece::Text => out.push_str(text),
                Piece::Literal(literal) if !literal.trim().is_empty() => out.push_str(literal),
                _ => {}
            }
        }
    }

    /// The section for a number, and whether its sign is still to be written.
    fn section(&self, value: f64) -> Option<(&Section, bool)> {
        let numbers = match self.sections.len() {
            4 => &self.sections[..3],
            // A section for texts at the end is none for numbers.
            2 | 3 if self.sections.last().is_some_and(|last| last.kind == Kind::Text) => {
                &self.sections[..self.sections.len() - 1]
            }
            _ => &self.sections[..],
        };
        if numbers.iter().any(|section| section.condition.is_some()) {
            return conditional(numbers, value);
        }
        match numbers {
            [_, negative, ..] if value < 0.0 => Some((negative, false)),
            [_, _, zero] if value == 0.0 => Some((zero, false)),
            [first, ..] => Some((first, true)),
            [] => None,
        }
    }
}

fn conditional(sections: &[Section], value: f64) -> Option<(&Section, bool)> {
    let fits = |section: &Section| match section.condition {
        None => true,
        Some(Condition { compare, with }) => match compare {
            Compare::Less => value < with,
            Compare::LessOrEqual => value <= with,
            Compare::Equal => value == with,
            Compare::NotEqual => value != with,
            Compare::GreaterOrEqual => value >= with,
            Compare::Greater => value > with,
        },
    };
    // A section of negative numbers alone shows them without their sign.
    let is_negative_alone = |section: &Section| {
        section.condition.is_some_and(|condition| match condition.compare {
            Compare::Less => condition.with <= 0.0,
            Compare::LessOrEqual => condition.with < 0.0,
            _ => false,
        })
    };
    let found = sections.iter().find(|section| fits(section))?;
    Some((found, !is_negative_alone(found)))
}

fn push_value(section: &Section, value: f64, out: &mut String) {
    match section.kind {
        Kind::Fraction => push_fraction(section, value.abs(), out),
        Kind::General | Kind::Text => {
            for piece in &section.pieces {
                match piece {
                    Piece::Literal(text) => out.push_str(text),
                    Piece::General | Piece::Text => push_general(value.abs(), out),
                    Piece::Percent => out.push('%'),
                    _ => {}
                }
            }
        }
        Kind::Number | Kind::Date => push_digits(section, value.abs(), out),
    }
}

/// How the placeholders of a section lie.
#[derive(Default)]
struct Layout {
    whole: i32,
    decimals: i32,
    exponent: Option<i32>,
    is_grouped: bool,
    thousands: i32,
    percents: i32,
}

fn layout_of(pieces: &[Piece]) -> Layout {
    let mut layout = Layout::default();
    let mut is_behind = false;
    let mut commas = 0;
    for piece in pieces {
        match piece {
            Piece::Digit(_) => {
                match &mut layout.exponent {
                    Some(digits) => *digits += 1,
                    None if is_behind => layout.decimals += 1,
                    None => {
                        layout.is_grouped |= commas > 0 && layout.whole > 0;
                        layout.whole += 1;
                    }
                }
                commas = 0;
            }
            Piece::Comma => commas += 1,
            Piece::Point => {
                layout.thousands += std::mem::take(&mut commas);
                is_behind = true;
            }
            Piece::Exponent(_) => layout.exponent = Some(0),
            Piece::Percent => layout.percents += 1,
            _ => {}
        }
    }
    layout.thousands += commas;
    layout
}

fn push_digits(section: &Section, value: f64, out: &mut String) {
    let layout = layout_of(&section.pieces);
    let mut number = Decimal::of(value);
    if !number.is_zero() {
        number.point += 2 * layout.percents - 3 * layout.thousands;
    }
    let mut exponent = 0;
    if layout.exponent.is_some() && !number.is_zero() {
        // With more than one digit in front the exponent is a multiple of their number.
        let step = layout.whole.max(1);
        exponent = (number.point - 1).div_euclid(step) * step;
        number.point -= exponent;
        let before = number.point;
        number.round(layout.decimals);
        if number.point > before && number.point > step {
            exponent += step;
            number.point -= step;
        }
    } else {
        number.round(layout.decimals);
    }
    let mut state = Places {
        whole: layout.whole,
        decimal: 0,
        exponent: layout.exponent.unwrap_or(0),
        is_behind: false,
        is_exponent: false,
    };
    for piece in &section.pieces {
        match piece {
            Piece::Literal(text) => out.push_str(text),
            Piece::Percent => out.push('%'),
            Piece::Point => {
                if layout.whole == 0 && !state.is_behind {
                    push_excess(&number, &layout, 0, out);
                }
                state.is_behind = true;
                out.push('.');
            }
            Piece::Exponent(has_plus) => {
                state.is_exponent = true;
                out.push('E');
                match (exponent < 0, has_plus) {
                    (true, _) => out.push('-'),
                    (false, true) => out.push('+'),
                    (false, false) => {}
                }
            }
            Piece::Digit(kind) => push_place(&mut state, *kind, &number, &layout, exponent, out),
            _ => {}
        }
    }
}

/// How many placeholders are still to come, or have been.
struct Places {
    whole: i32,
    decimal: i32,
    exponent: i32,
    is_behind: bool,
    is_exponent: bool,
}

fn push_place(
    state: &mut Places,
    kind: u8,
    number: &Decimal,
    layout: &Layout,
    exponent: i32,
    out: &mut String,
) {
    if state.is_exponent {
        let width = usize::try_from(state.exponent).unwrap_or(0);
        if width > 0 {
            let _ = write!(out, "{:0width$}", exponent.abs());
        }
        state.exponent = 0;
        return;
    }
    if state.is_behind {
        state.decimal += 1;
        match (state.decimal <= number.decimals(), kind) {
            (true, _) | (false, b'0') => out.push(char::from(b'0' + number.digit(-state.decimal))),
            (false, b'?') => out.push(' '),
            (false, _) => {}
        }
        return;
    }
    if state.whole == layout.whole {
        push_excess(number, layout, layout.whole, out);
    }
    state.whole -= 1;
    let place = state.whole;
    match (place < number.point, kind) {
        (true, _) | (false, b'0') => push_whole(number, layout, place, out),
        (false, b'?') => out.push(' '),
        (false, _) => {}
    }
}

/// The digits for which there are no placeholders.
fn push_excess(number: &Decimal, layout: &Layout, from: i32, out: &mut String) {
    (from..number.point.min(400)).rev().for_each(|place| push_whole(number, layout, place, out));
}

fn push_whole(number: &Decimal, layout: &Layout, place: i32, out: &mut String) {
    out.push(char::from(b'0' + number.digit(place)));
    if layout.is_grouped && place > 0 && place % 3 == 0 {
        out.push(',');
    }
}

fn push_date(section: &Section, value: f64, epoch: Epoch, out: &mut String) {
    let is_elapsed = |piece: &Piece| {
        matches!(piece, Piece::ElapsedHours(_) | Piece::ElapsedMinutes(_) | Piece::ElapsedSeconds(_))
    };
    let is_elapsed = section.pieces.iter().any(is_elapsed);
    let digits = section.pieces.iter().find_map(|piece| match piece {
        Piece::Fraction(digits) => Some(*digits),
        _ => None,
    });
    let has_seconds =
        section.pieces.iter().any(|piece| matches!(piece, Piece::Second(_) | Piece::ElapsedSeconds(_)));
    // Seconds are rounded; minutes without seconds are not, but for what calculation lost.
    let digits = digits.unwrap_or(if has_seconds { 0 } else { 3 });
    let serial = if is_elapsed { value.abs() } else { value };
    let elapsed = match epoch {
        _ if !is_elapsed => epoch,
        _ => Epoch::Year1900,
    };
    let Some(moment) = moment(serial, elapsed, digits) else { return push_general(value, out) };
    if is_elapsed && value < 0.0 {
        out.push('-');
    }
    let has_half_day = section.pieces.iter().any(|piece| matches!(piece, Piece::HalfDay(_)));
    let shown = Shown { moment, has_half_day, names: names_of(section.language) };
    section.pieces.iter().for_each(|piece| push_piece(&shown, piece, out));
}

/// What the pieces of a date are taken from.
struct Shown {
    moment: Moment,
    has_half_day: bool,
    names: &'static Names,
}

fn push_piece(shown: &Shown, piece: &Piece, out: &mut String) {
    let moment = &shown.moment;
    let padded = |out: &mut String, number: i64, width: usize| {
        let _ = write!(out, "{number:0width$}");
    };
    let hours = moment.days * 24 + moment.hour;
    match *piece {
        Piece::Literal(ref text) => out.push_str(text),
        Piece::Year(width) if width <= 2 => padded(out, moment.year % 100, 2),
        Piece::Year(_) => padded(out, moment.year, 4),
        Piece::BuddhistYear(2) => padded(out, (moment.year + 543) % 100, 2),
        Piece::BuddhistYear(_) => padded(out, moment.year + 543, 4),
        Piece::Month(width @ 1..=2) => padded(out, moment.month as i64, width),
        Piece::Month(3) => out.push_str(shown.names.short_months[moment.month - 1]),
        Piece::Month(5) => out.extend(shown.names.months[moment.month - 1].chars().next()),
        Piece::Month(_) => out.push_str(shown.names.months[moment.month - 1]),
        Piece::Day(width) => padded(out, moment.day, width),
        Piece::Weekday(3) => out.push_str(shown.names.short_days[moment.weekday]),
        Piece::Weekday(_) => out.push_str(shown.names.days[moment.weekday]),
        Piece::Hour(width) => {
            let hour = match shown.has_half_day {
                true => (moment.hour + 11) % 12 + 1,
                false => moment.hour,
            };
            padded(out, hour, width.min(2));
        }
        Piece::Minute(width) => padded(out, moment.minute, width),
        Piece::Second(width) => padded(out, moment.second, width.min(2)),
        Piece::Fraction(digits) => {
            out.push('.');
            padded(out, moment.fraction / 10_i64.pow(4 - digits.min(4)), digits as usize);
        }
        Piece::HalfDay(is_long) => {
            out.push(if moment.hour < 12 { 'A' } else { 'P' });
            if is_long {
                out.push('M');
            }
        }
        Piece::ElapsedHours(width) => padded(out, hours, width),
        Piece::ElapsedMinutes(width) => padded(out, hours * 60 + moment.minute, width),
        Piece::ElapsedSeconds(width) => padded(out, (hours * 60 + moment.minute) * 60 + moment.second, width),
        Piece::Digit(b'0') => out.push('0'),
        _ => {}
    }
}
