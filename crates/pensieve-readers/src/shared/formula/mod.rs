//! Formulas as text of one line: `x = (−b ± √(b^2 − 4 a c))/(2 a)`.
//!
//! Owns the linear form ([`linear`]), how the parts of a row are joined ([`row`]), and the reading of MathML
//! ([`mathml`], [`structure`]). The readers of formats hand over the elements of their trees. Keeps no layout;
//! content MathML is read for its tokens only. Sources: Unicode Technical Note 28, "A nearly plain-text encoding of
//! mathematics"; MathML 3, chapter 3 and appendix C (the operator dictionary).

mod element;
pub(crate) mod linear;
mod mathml;
mod operator;
mod part;
mod row;
mod structure;

pub(crate) use element::MathElement;
pub(crate) use mathml::MathBuilder;
pub(crate) use part::{formula_of, read_formula};
