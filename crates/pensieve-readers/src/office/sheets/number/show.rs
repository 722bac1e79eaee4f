//! Writes a number or date by one section of a format.

use super::code::{FormatSection, FormatToken, SectionKind};
use super::date::{DateEpoch, DateTimeParts, moment};
use super::decimal::{DecimalDigits, push_general};
use super::fraction::push_fraction;
use super::names::{CalendarNames, names_of};
use std::fmt::Write;

/// Writes a number, without its sign, as a section for numbers shows it.
pub(super) fn push_value(section: &FormatSection, value: f64, out: &mut String) {
    match section.kind {
        SectionKind::Fraction => push_fraction(section, value.abs(), out),
        SectionKind::General | SectionKind::Text => {
            for token in &section.tokens {
                match token {
                    FormatToken::Literal(text) => out.push_str(text),
                    FormatToken::General | FormatToken::Text => push_general(value.abs(), out),
                    FormatToken::Percent => out.push('%'),
                    _ => {}
                }
            }
        }
        SectionKind::Number | SectionKind::Date => push_digits(section, value.abs(), out),
    }
}

/// The placeholders of a section, counted.
#[derive(Default)]
struct DigitLayout {
    whole: i32,
    decimals: i32,
    exponent: Option<i32>,
    is_grouped: bool,
    thousands: i32,
    percents: i32,
}

fn layout_of(tokens: &[FormatToken]) -> DigitLayout {
    let mut layout = DigitLayout::default();
    let mut is_after_point = false;
    let mut commas = 0;
    for token in tokens {
        match token {
            FormatToken::Digit(_) => {
                match &mut layout.exponent {
                    Some(digits) => *digits += 1,
                    None if is_after_point => layout.decimals += 1,
                    None => {
                        layout.is_grouped |= commas > 0 && layout.whole > 0;
                        layout.whole += 1;
                    }
                }
                commas = 0;
            }
            FormatToken::Comma => commas += 1,
            FormatToken::Point => {
                layout.thousands += std::mem::take(&mut commas);
                is_after_point = true;
            }
            FormatToken::Exponent(_) => layout.exponent = Some(0),
            FormatToken::Percent => layout.percents += 1,
            _ => {}
        }
    }
    layout.thousands += commas;
    layout
}

fn push_digits(section: &FormatSection, value: f64, out: &mut String) {
    let layout = layout_of(&section.tokens);
    let mut number = DecimalDigits::of(value);
    if !number.is_zero() {
        number.point += 2 * layout.percents - 3 * layout.thousands;
    }
    let mut exponent = 0;
    if layout.exponent.is_some() && !number.is_zero() {
        // With several digits before the point the exponent is a multiple of their number.
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
    let mut state = PlaceholderCursor {
        whole: layout.whole,
        decimal: 0,
        exponent: layout.exponent.unwrap_or(0),
        is_after_point: false,
        is_exponent: false,
    };
    for token in &section.tokens {
        match token {
            FormatToken::Literal(text) => out.push_str(text),
            FormatToken::Percent => out.push('%'),
            FormatToken::Point => {
                if layout.whole == 0 && !state.is_after_point {
                    push_excess(&number, &layout, 0, out);
                }
                state.is_after_point = true;
                out.push('.');
            }
            FormatToken::Exponent(has_plus) => {
                state.is_exponent = true;
                out.push('E');
                match (exponent < 0, has_plus) {
                    (true, _) => out.push('-'),
                    (false, true) => out.push('+'),
                    (false, false) => {}
                }
            }
            FormatToken::Digit(kind) => push_placeholder(&mut state, *kind, &number, &layout, exponent, out),
            _ => {}
        }
    }
}

/// The position of writing among the placeholders of a section.
struct PlaceholderCursor {
    whole: i32,
    decimal: i32,
    exponent: i32,
    is_after_point: bool,
    is_exponent: bool,
}

fn push_placeholder(
    state: &mut PlaceholderCursor,
    kind: u8,
    number: &DecimalDigits,
    layout: &DigitLayout,
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
    if state.is_after_point {
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
fn push_excess(number: &DecimalDigits, layout: &DigitLayout, from: i32, out: &mut String) {
    (from..number.point.min(400)).rev().for_each(|place| push_whole(number, layout, place, out));
}

fn push_whole(number: &DecimalDigits, layout: &DigitLayout, place: i32, out: &mut String) {
    out.push(char::from(b'0' + number.digit(place)));
    if layout.is_grouped && place > 0 && place % 3 == 0 {
        out.push(',');
    }
}

/// Writes a date or time as a section for dates shows it.
pub(super) fn push_date(section: &FormatSection, value: f64, epoch: DateEpoch, out: &mut String) {
    let is_elapsed = |token: &FormatToken| {
        matches!(
            token,
            FormatToken::ElapsedHours(_) | FormatToken::ElapsedMinutes(_) | FormatToken::ElapsedSeconds(_)
        )
    };
    let is_elapsed = section.tokens.iter().any(is_elapsed);
    let digits = section.tokens.iter().find_map(|token| match token {
        FormatToken::Fraction(digits) => Some(*digits),
        _ => None,
    });
    let has_seconds = section
        .tokens
        .iter()
        .any(|token| matches!(token, FormatToken::Second(_) | FormatToken::ElapsedSeconds(_)));
    // Seconds are rounded. Minutes without seconds are not, except for rounding errors.
    let digits = digits.unwrap_or(if has_seconds { 0 } else { 3 });
    let serial = if is_elapsed { value.abs() } else { value };
    let elapsed = match epoch {
        _ if !is_elapsed => epoch,
        _ => DateEpoch::Year1900,
    };
    let Some(moment) = moment(serial, elapsed, digits) else { return push_general(value, out) };
    if is_elapsed && value < 0.0 {
        out.push('-');
    }
    let has_half_day = section.tokens.iter().any(|token| matches!(token, FormatToken::HalfDay(_)));
    let shown = DisplayedDate { moment, has_half_day, names: names_of(section.language) };
    section.tokens.iter().for_each(|token| push_date_token(&shown, token, out));
}

/// A date, and the other facts that its tokens depend on.
struct DisplayedDate {
    moment: DateTimeParts,
    has_half_day: bool,
    names: &'static CalendarNames,
}

fn push_date_token(shown: &DisplayedDate, token: &FormatToken, out: &mut String) {
    let moment = &shown.moment;
    let padded = |out: &mut String, number: i64, width: usize| {
        let _ = write!(out, "{number:0width$}");
    };
    let hours = moment.days * 24 + moment.hour;
    match *token {
        FormatToken::Literal(ref text) => out.push_str(text),
        FormatToken::Year(width) if width <= 2 => padded(out, moment.year % 100, 2),
        FormatToken::Year(_) => padded(out, moment.year, 4),
        FormatToken::BuddhistYear(2) => padded(out, (moment.year + 543) % 100, 2),
        FormatToken::BuddhistYear(_) => padded(out, moment.year + 543, 4),
        FormatToken::Month(width @ 1..=2) => padded(out, moment.month as i64, width),
        FormatToken::Month(3) => out.push_str(shown.names.short_months[moment.month - 1]),
        FormatToken::Month(5) => out.extend(shown.names.months[moment.month - 1].chars().next()),
        FormatToken::Month(_) => out.push_str(shown.names.months[moment.month - 1]),
        FormatToken::Day(width) => padded(out, moment.day, width),
        FormatToken::Weekday(3) => out.push_str(shown.names.short_days[moment.weekday]),
        FormatToken::Weekday(_) => out.push_str(shown.names.days[moment.weekday]),
        FormatToken::Hour(width) => {
            let hour = match shown.has_half_day {
                true => (moment.hour + 11) % 12 + 1,
                false => moment.hour,
            };
            padded(out, hour, width.min(2));
        }
        FormatToken::Minute(width) => padded(out, moment.minute, width),
        FormatToken::Second(width) => padded(out, moment.second, width.min(2)),
        FormatToken::Fraction(digits) => {
            out.push('.');
            padded(out, moment.fraction / 10_i64.pow(4 - digits.min(4)), digits as usize);
        }
        FormatToken::HalfDay(is_long) => {
            out.push(if moment.hour < 12 { 'A' } else { 'P' });
            if is_long {
                out.push('M');
            }
        }
        FormatToken::ElapsedHours(width) => padded(out, hours, width),
        FormatToken::ElapsedMinutes(width) => padded(out, hours * 60 + moment.minute, width),
        FormatToken::ElapsedSeconds(width) => {
            padded(out, (hours * 60 + moment.minute) * 60 + moment.second, width)
        }
        FormatToken::Digit(b'0') => out.push('0'),
        _ => {}
    }
}
