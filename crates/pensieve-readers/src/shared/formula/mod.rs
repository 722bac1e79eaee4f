//! Formulas as TeX: `x=\frac{-b\pm\sqrt{b^2-4ac}}{2a}`.
//!
//! Owns how parts combine ([`tex`]), the signs ([`signs`]), and the reading of MathML ([`mathml`]) and of Office's
//! formulas ([`office`]). The readers of formats hand over the elements of their trees. Keeps no layout.

mod element;
mod mathml;
mod office;
mod part;
mod signs;
mod tex;

pub(crate) use element::MathElement;
pub(crate) use mathml::MathBuilder;
pub(crate) use office::{OfficeMathBuilder, read_equations, read_office_math};
pub(crate) use part::{formula_of, read_formula};

use crate::markdown::TextRun;

/// A formula among the words of a paragraph.
pub(crate) fn formula_run(tex: &str, is_display: bool) -> TextRun {
    TextRun { text: in_dollars(tex, is_display), is_markup: true, ..TextRun::default() }
}

/// A formula in a sentence, or on a line of its own.
pub(crate) fn in_dollars(tex: &str, is_display: bool) -> String {
    match is_display {
        _ if tex.is_empty() => String::new(),
        true => format!("$${tex}$$"),
        false => format!("${tex}$"),
    }
}
