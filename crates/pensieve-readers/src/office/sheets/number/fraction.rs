//! Numbers as fractions: `2 1/2`.

use super::code::{FormatSection, FormatToken};
use std::fmt::Write;

/// A number as a section with a slash shows it.
pub(super) fn push_fraction(section: &FormatSection, value: f64, out: &mut String) {
    let tokens = &section.tokens;
    let slash = tokens.iter().position(|token| *token == FormatToken::Slash).unwrap_or(tokens.len());
    let is_digit = |token: &&FormatToken| matches!(token, FormatToken::Digit(_));
    let upper = tokens[..slash].iter().rev().take_while(is_digit).count();
    let front = &tokens[..slash - upper];
    let has_whole = front.iter().any(|token| is_digit(&token));
    let (fixed, lower) = divisor(&tokens[slash..]);
    let whole = if has_whole { value.trunc() } else { 0.0 };
    let (over, under) = match fixed {
        Some(fixed) => (((value - whole) * fixed as f64).round() as u64, fixed),
        None => nearest(value - whole, 10_u64.pow(lower.clamp(1, 3) as u32) - 1),
    };
    // The rest may round up to one more whole.
    let (whole, over) = if has_whole && over >= under { (whole + 1.0, 0) } else { (whole, over) };
    push_literals(front, out);
    if has_whole && (whole > 0.0 || over == 0) {
        let _ = write!(out, "{whole:.0}");
    }
    if over > 0 || !has_whole {
        if has_whole && whole > 0.0 {
            out.push(' ');
        }
        let _ = write!(out, "{over}/{under}");
    }
    let last_digit = tokens.iter().rposition(|token| is_digit(&token)).unwrap_or(slash).max(slash);
    if fixed.is_none() {
        push_literals(&tokens[(last_digit + 1).min(tokens.len())..], out);
    }
}

/// The divisor, if the code has one, and else the largest number of its digits.
fn divisor(tokens: &[FormatToken]) -> (Option<u64>, usize) {
    let mut written = String::new();
    let mut places = 0;
    for token in &tokens[1.min(tokens.len())..] {
        match token {
            FormatToken::Digit(b'0') if !written.is_empty() => written.push('0'),
            FormatToken::Digit(_) => places += 1,
            FormatToken::Literal(text) if places == 0 => {
                written.extend(text.chars().take_while(char::is_ascii_digit).take(9));
            }
            _ => break,
        }
    }
    (written.parse().ok().filter(|&under| under > 0), places)
}

/// Literals, without the white space at their ends.
fn push_literals(tokens: &[FormatToken], out: &mut String) {
    for token in tokens {
        if let FormatToken::Literal(text) = token {
            out.push_str(text.trim_end());
        }
    }
}

/// A fraction near a number, with a divisor of at most `max`: the last step of its continued fraction that fits. A
/// nearer one may be between two steps (1/9 for 1/16); Excel does not search for it either.
fn nearest(value: f64, max: u64) -> (u64, u64) {
    if !(0.0..1e9).contains(&value) {
        return (value.clamp(0.0, 1e15).round() as u64, 1);
    }
    let (mut before, mut now) = ((0_u64, 1_u64), (1_u64, 0_u64));
    let mut rest = value;
    loop {
        let whole = rest.floor();
        let under = before.1 as f64 + whole * now.1 as f64;
        if under > max as f64 {
            return now;
        }
        let over = before.0 as f64 + whole * now.0 as f64;
        (before, now) = (now, (over as u64, under as u64));
        // A remainder that is only a rounding error is not a further step.
        if rest - whole < 1e-9 {
            return now;
        }
        rest = 1.0 / (rest - whole);
    }
}
