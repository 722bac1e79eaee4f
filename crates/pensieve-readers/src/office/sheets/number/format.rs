//! A format code, parsed: which of its sections shows a value.

use super::code::{Comparison, FormatSection, FormatToken, SectionCondition, SectionKind, parse_sections};
use super::date::DateEpoch;
use super::decimal::push_general;
use super::show::{push_date, push_value};

/// A number format of a cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in super::super) struct NumberFormat {
    sections: Vec<FormatSection>,
    pub(super) is_general: bool,
}

impl NumberFormat {
    /// Parses a format code. Every code is valid: what is not understood is literal.
    pub fn parse(code: &str) -> NumberFormat {
        let sections = parse_sections(code);
        let is_general = matches!(&sections[..], [only] if only.tokens == [FormatToken::General] && only.condition.is_none());
        NumberFormat { sections, is_general: is_general || code.trim().is_empty() }
    }

    /// True if it shows no number or, with `is_text`, no text: `;;;`.
    pub fn hides(&self, is_text: bool) -> bool {
        // A fourth section is that for texts; without one they are shown.
        let least = if is_text { 4 } else { 2 };
        self.sections.len() >= least && self.sections.iter().all(|section| section.tokens.is_empty())
    }

    /// Writes a number as a cell of this format shows it, or plainly if it hides it.
    pub fn push_number(&self, value: f64, epoch: DateEpoch, out: &mut String) {
        let start = out.len();
        if self.hides(false) {
            return push_general(value, out);
        }
        let Some((section, is_signed)) = self.section(value) else { return push_general(value, out) };
        if !value.is_finite() {
            return push_general(value, out);
        }
        match section.kind {
            SectionKind::Date => push_date(section, value, epoch, out),
            _ => {
                if is_signed && value < 0.0 {
                    out.push('-');
                }
                push_value(section, value, out);
            }
        }
        // Space that codes reserve for a bracket before or after the number is not text.
        out.truncate(start + out[start..].trim_end().len());
        let blank = out[start..].len() - out[start..].trim_start().len();
        out.drain(start..start + blank);
    }

    /// Writes a text as a cell of this format shows it; a format that would hide it is ignored.
    pub fn push_text(&self, text: &str, out: &mut String) {
        let section = match &self.sections[..] {
            [.., last] if last.kind == SectionKind::Text => last,
            _ => return out.push_str(text),
        };
        for token in &section.tokens {
            match token {
                FormatToken::Text => out.push_str(text),
                FormatToken::Literal(literal) if !literal.trim().is_empty() => out.push_str(literal),
                _ => {}
            }
        }
    }

    /// The section for a number, and whether its sign has yet to be written.
    fn section(&self, value: f64) -> Option<(&FormatSection, bool)> {
        let numbers = match self.sections.len() {
            4 => &self.sections[..3],
            // A last section for texts does not apply to numbers.
            2 | 3 if self.sections.last().is_some_and(|last| last.kind == SectionKind::Text) => {
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

fn conditional(sections: &[FormatSection], value: f64) -> Option<(&FormatSection, bool)> {
    let fits = |section: &FormatSection| match section.condition {
        None => true,
        Some(SectionCondition { comparison, with }) => match comparison {
            Comparison::Less => value < with,
            Comparison::LessOrEqual => value <= with,
            Comparison::Equal => value == with,
            Comparison::NotEqual => value != with,
            Comparison::GreaterOrEqual => value >= with,
            Comparison::Greater => value > with,
        },
    };
    // A section only for negative numbers shows them without their sign.
    let is_negative_alone = |section: &FormatSection| {
        section.condition.is_some_and(|condition| match condition.comparison {
            Comparison::Less => condition.with <= 0.0,
            Comparison::LessOrEqual => condition.with < 0.0,
            _ => false,
        })
    };
    let found = sections.iter().find(|section| fits(section))?;
    Some((found, !is_negative_alone(found)))
}
