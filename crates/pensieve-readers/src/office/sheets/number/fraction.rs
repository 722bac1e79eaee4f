//! Numbers as fractions: `2 1/2`.

use super::code::{Piece, Section};
use std::fmt::Write;

/// A number as a section with a slash shows it.
pub(super) fn push_fraction(section: &Section, value: f64, out: &mut String) {
    let pieces = &section.pieces;
    let slash = pieces.iter().position(|piece| *piece == Piece::Slash).unwrap_or(pieces.len());
    let is_digit = |piece: &&Piece| matches!(piece, Piece::Digit(_));
    let upper = pieces[..slash].iter().rev().take_while(is_digit).count();
    let front = &pieces[..slash - upper];
    let has_whole = front.iter().any(|piece| is_digit(&piece));
    let (fixed, lower) = divisor(&pieces[slash..]);
    let whole = if has_whole { value.trunc() } else { 0.0 };
    let (over, under) = match fixed {
        Some(fixed) => (((value - whole) * fixed as f64).round() as u64, fixed),
        None => nearest(value - whole, 10_u64.pow(lower.clamp(1, 3) as u32) - 1),
    };
    // All that is left over may make up one more.
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
    let behind = pieces.iter().rposition(|piece| is_digit(&piece)).unwrap_or(slash).max(slash);
    if fixed.is_none() {
        push_literals(&pieces[(behind + 1).min(pieces.len())..], out);
    }
}

/// A divisor that is written out, and how many digits one that is not may have.
fn divisor(pieces: &[Piece]) -> (Option<u64>, usize) {
    let mut written = String::new();
    let mut places = 0;
    for piece in &pieces[1.min(pieces.len())..] {
        match piece {
            Piece::Digit(b'0') if !written.is_empty() => written.push('0'),
            Piece::Digit(_) => places += 1,
            Piece::Literal(text) if places == 0 => {
                written.extend(text.chars().take_while(char::is_ascii_digit).take(9));
            }
            _ => break,
        }
    }
    (written.parse().ok().filter(|&under| under > 0), places)
}

/// The literals in front, white space at the end left out.
fn push_literals(pieces: &[Piece], out: &mut String) {
    for piece in pieces {
        if let Piece::Literal(text) = piece {
            out.push_str(text.trim_end());
        }
    }
}

/// A fraction that is near a number, with a divisor of no more than that: the last step of its continued fraction that
/// fits. A nearer one may lie between two steps (1/9 for 1/16); Excel does not look for it either.
fn nearest(value: f64, most: u64) -> (u64, u64) {
    if !(0.0..1e9).contains(&value) {
        return (value.clamp(0.0, 1e15).round() as u64, 1);
    }
    let (mut before, mut now) = ((0_u64, 1_u64), (1_u64, 0_u64));
    let mut rest = value;
    loop {
        let whole = rest.floor();
        let under = before.1 as f64 + whole * now.1 as f64;
        if under > most as f64 {
            return now;
        }
        let over = before.0 as f64 + whole * now.0 as f64;
        (before, now) = (now, (over as u64, under as u64));
        // What calculation loses is no further step.
        if rest - whole < 1e-9 {
            return now;
        }
        rest = 1.0 / (rest - whole);
    }
}
