//! Values as the binary formats encode them: numbers in four bytes, errors, truth values.

/// A number in four bytes: an integer or the upper half of a double, possibly multiplied by a hundred.
pub(in super::super) fn compact_number(raw: u32) -> f64 {
    let number = match raw & 2 {
        0 => f64::from_bits(u64::from(raw & !3) << 32),
        _ => f64::from((raw as i32) >> 2),
    };
    if raw & 1 == 1 { number / 100.0 } else { number }
}

/// The text of a cell with this error code.
pub(in super::super) fn error_name(code: u8) -> &'static str {
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

/// The text of a cell with this boolean.
pub(in super::super) fn truth_name(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}
