//! MathML, element by element: the reader of the tree reports starts, text and ends.
//!
//! Presentation MathML as in MathML 3, chapter 3. Nothing recurses; elements nested deeper than in any real formula
//! are transparent.

use super::element::{Attributes, ElementHints, MathElement};
use super::operator;
use super::row::{FormulaPart, FormulaPartKind};
use super::structure::structure;
use crate::limits::formula::MAX_ELEMENT_DEPTH;

/// An open element.
#[derive(Default)]
struct OpenElement {
    element: MathElement,
    text: String,
    parts: Vec<FormulaPart>,
    hints: ElementHints,
}

/// Puts a formula together.
pub(crate) struct MathBuilder {
    open: Vec<OpenElement>,
    /// Open elements that are too deep to be in `open`.
    passed: usize,
}

impl MathBuilder {
    /// An empty formula.
    pub fn new() -> MathBuilder {
        MathBuilder { open: vec![OpenElement::default()], passed: 0 }
    }

    /// An element begins. If this returns false, nothing inside it is read, and it has no end.
    pub fn begin(&mut self, element: MathElement, attribute: Attributes<'_>) -> bool {
        if element == MathElement::Unseen {
            self.push(FormulaPart::default());
            return false;
        }
        if self.open.len() >= MAX_ELEMENT_DEPTH {
            self.passed += 1;
            return true;
        }
        let name = match element {
            MathElement::Operator => "form",
            MathElement::Enclosed => "notation",
            _ => "separators",
        };
        let is_zero = |name: &str| attribute(name).is_some_and(|value| is_zero(&value));
        let hints = ElementHints {
            value: attribute(name),
            fences: match element {
                MathElement::Fenced => ["open", "close"].map(attribute),
                _ => [None, None],
            },
            is_void: match element {
                MathElement::Fraction => is_zero("linethickness"),
                // Readers of pages keep no widths.
                MathElement::Space => {
                    is_zero("width") || attribute("width").is_some_and(|width| width.starts_with('-'))
                }
                _ => false,
            },
            prescripts: None,
        };
        self.open.push(OpenElement { element, hints, ..OpenElement::default() });
        true
    }

    /// Text of the element that began last.
    pub fn text(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else { return };
        if open.element.is_token() || self.passed > 0 {
            open.text.push_str(text);
        } else if !text.trim().is_empty() {
            let part = FormulaPart::new(FormulaPartKind::Text, words(text));
            open.parts.push(part);
        }
    }

    /// The element that began last ends.
    pub fn end(&mut self) {
        if self.passed > 0 {
            self.passed -= 1;
            return;
        }
        if self.open.len() > 1
            && let Some(open) = self.open.pop()
        {
            self.close(open);
        }
    }

    /// The formula.
    pub fn finish(mut self) -> String {
        self.passed = 0;
        while self.open.len() > 1 {
            self.end();
        }
        let parts = self.open.pop().map(|open| open.parts).unwrap_or_default();
        let text = FormulaPart::row(parts).whole().text;
        text.trim().to_owned()
    }

    fn push(&mut self, part: FormulaPart) {
        let Some(open) = self.open.last_mut() else { return };
        match open.element.is_token() {
            // Pictures of letters, and markup inside of text.
            true => open.text.push_str(&part.whole().text),
            false => open.parts.push(part),
        }
    }

    fn close(&mut self, mut open: OpenElement) {
        if open.element == MathElement::Prescripts {
            if let Some(scripts) = self.open.last_mut() {
                scripts.hints.prescripts = Some(scripts.parts.len());
            }
            return;
        }
        if !open.element.is_token() && !open.text.trim().is_empty() {
            let text = words(&open.text);
            open.parts.push(FormulaPart::new(FormulaPartKind::Text, text));
        }
        let part = match open.element {
            element if element.is_token() => token(&open),
            MathElement::Space if open.hints.is_void => FormulaPart::default(),
            MathElement::Space => FormulaPart::new(FormulaPartKind::Space, ""),
            _ => structure(open.element, open.parts, open.hints),
        };
        self.push(part);
    }
}

fn is_zero(length: &str) -> bool {
    let number = length.trim().trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
    number.parse::<f32>().is_ok_and(|number| number == 0.0)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn token(open: &OpenElement) -> FormulaPart {
    let text = words(&open.text);
    let is_single = text.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}')).count() == 1;
    match open.element {
        _ if text.is_empty() && !open.text.is_empty() => FormulaPart::new(FormulaPartKind::Space, ""),
        _ if text.is_empty() => FormulaPart::default(),
        MathElement::Name if is_single => FormulaPart::new(FormulaPartKind::Letter, text),
        MathElement::Name => FormulaPart::new(FormulaPartKind::Word, text),
        MathElement::Number if text.starts_with(['-', '−', '+']) => {
            FormulaPart::new(FormulaPartKind::Several, text)
        }
        MathElement::Number => FormulaPart::new(FormulaPartKind::Number, text),
        MathElement::Operator => {
            let kind = operator::kind_of(&text, open.hints.value.as_deref());
            FormulaPart::new(kind, if text == "'" { "′".to_owned() } else { text })
        }
        MathElement::Literal => FormulaPart::new(FormulaPartKind::Group, format!("\"{text}\"")),
        _ => FormulaPart::new(FormulaPartKind::Text, text),
    }
}

#[cfg(test)]
mod tests;
