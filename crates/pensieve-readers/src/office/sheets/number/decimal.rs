//! Decimal digits of a number, to the fifteen that spreadsheets keep, rounded half up as they do.

use std::fmt::Write;

/// Digits of a number that spreadsheets keep.
const MAX_DIGITS: usize = 15;

/// The digits of a number without sign: `0.d1d2d3... * 10^point`. Zero has no digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DecimalDigits {
    digits: [u8; MAX_DIGITS],
    length: usize,
    /// The number of digits before the decimal point; may be negative.
    pub point: i32,
}

impl DecimalDigits {
    /// The digits of a number; its sign is left out. A value that is not finite has no digits.
    pub fn of(value: f64) -> DecimalDigits {
        let mut decimal = DecimalDigits { digits: [0; MAX_DIGITS], length: 0, point: 0 };
        if value == 0.0 || !value.is_finite() {
            return decimal;
        }
        let mut text = NumberBuffer::default();
        let _ = write!(text, "{:.14e}", value.abs());
        let written = text.bytes();
        let (mantissa, exponent) =
            written.split_at(written.iter().position(|&byte| byte == b'e').unwrap_or(0));
        for (place, digit) in
            decimal.digits.iter_mut().zip(mantissa.iter().filter(|byte| byte.is_ascii_digit()))
        {
            *place = digit - b'0';
        }
        let exponent = exponent.get(1..).and_then(|exponent| std::str::from_utf8(exponent).ok());
        decimal.point = exponent.and_then(|exponent| exponent.parse::<i32>().ok()).unwrap_or(0) + 1;
        decimal.length = MAX_DIGITS;
        decimal.trim();
        decimal
    }

    /// True for zero.
    pub fn is_zero(&self) -> bool {
        self.length == 0
    }

    /// The digit of a power of ten: 0 is the unit, -1 the tenth.
    pub fn digit(&self, place: i32) -> u8 {
        let index = self.point - 1 - place;
        usize::try_from(index)
            .ok()
            .and_then(|index| self.digits[..self.length].get(index))
            .copied()
            .unwrap_or(0)
    }

    /// The number of digits after the decimal point.
    pub fn decimals(&self) -> i32 {
        (self.length as i32 - self.point).max(0)
    }

    /// Rounds half up to this many digits after the decimal point.
    pub fn round(&mut self, decimals: i32) {
        let kept = self.point.saturating_add(decimals);
        if kept >= self.length as i32 {
            return;
        }
        let Ok(kept) = usize::try_from(kept) else {
            self.length = 0;
            return;
        };
        let goes_up = self.digits[kept] >= 5;
        self.length = kept;
        if goes_up {
            let mut at = kept;
            loop {
                if at == 0 {
                    self.digits[0] = 1;
                    self.length = 1;
                    self.point += 1;
                    break;
                }
                at -= 1;
                if self.digits[at] < 9 {
                    self.digits[at] += 1;
                    self.length = at + 1;
                    break;
                }
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.length > 0 && self.digits[self.length - 1] == 0 {
            self.length -= 1;
        }
        if self.length == 0 {
            self.point = 0;
        }
    }
}

/// Writes a number without format: up to fifteen digits, in scientific notation if it would be longer than twenty.
///
/// Excel cuts General to the width of the column, down to `1.2E+12`; readers need the digits. This is the rule of
/// LibreOffice.
pub(in super::super) fn push_general(value: f64, out: &mut String) {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        let _ = write!(out, "{}", value as i64);
        return;
    }
    let decimal = DecimalDigits::of(value);
    if !value.is_finite() {
        return out.push_str("#NUM!");
    }
    if value < 0.0 && !decimal.is_zero() {
        out.push('-');
    }
    if (-8..=15).contains(&decimal.point) {
        for place in (0..decimal.point.max(1)).rev() {
            out.push(char::from(b'0' + decimal.digit(place)));
        }
        push_decimals(&decimal, decimal.decimals(), out);
        return;
    }
    let exponent = decimal.point - 1;
    out.push(char::from(b'0' + decimal.digit(exponent)));
    let moved = DecimalDigits { point: 1, ..decimal };
    push_decimals(&moved, moved.decimals(), out);
    let _ = write!(out, "E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
}

fn push_decimals(decimal: &DecimalDigits, count: i32, out: &mut String) {
    if count > 0 {
        out.push('.');
    }
    (1..=count).for_each(|place| out.push(char::from(b'0' + decimal.digit(-place))));
}

/// A text on the stack, long enough for one number.
#[derive(Default)]
struct NumberBuffer {
    bytes: [u8; 32],
    length: usize,
}

impl NumberBuffer {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Write for NumberBuffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.bytes.get_mut(self.length..self.length + text.len()).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}
