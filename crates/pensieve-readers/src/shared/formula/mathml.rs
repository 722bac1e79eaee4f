//! MathML, element by element: whoever reads the tree says what begins, what stands there, and what ends.
//!
//! Presentation MathML as MathML 3 has it, chapter 3. Nothing recurses; elements nested deeper than any formula is are
//! transparent.

use super::element::{Attributes, ElementHints, MathElement};
use super::operator;
use super::row::{Kind, Part};
use super::structure::structure;

/// Elements inside each other; what is deeper is read as a row.
const DEEPEST: usize = 100;

/// An element that is open.
#[derive(Default)]
struct Open {
    element: MathElement,
    text: String,
    parts: Vec<Part>,
    hints: ElementHints,
}

/// Puts a formula together.
pub(crate) struct MathBuilder {
    open: Vec<Open>,
    /// Elements that are open without standing in `open`: too deep ones.
    passed: usize,
}

impl MathBuilder {
    /// An empty formula.
    pub fn new() -> MathBuilder {
        MathBuilder { open: vec![Open::default()], passed: 0 }
    }

    /// An element begins; where false, nothing inside of it is read, and it does not end.
    pub fn begin(&mut self, element: MathElement, attribute: Attributes<'_>) -> bool {
        if element == MathElement::Unseen {
            self.push(Part::default());
            return false;
        }
        if self.open.len() >= DEEPEST {
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
        self.open.push(Open { element, hints, ..Open::default() });
        true
    }

    /// Text of the element that began last.
    pub fn text(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else { return };
        if open.element.is_token() || self.passed > 0 {
            open.text.push_str(text);
        } else if !text.trim().is_empty() {
            let part = Part::new(Kind::Text, words(text));
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
        let text = Part::row(parts).whole().text;
        text.trim().to_owned()
    }

    fn push(&mut self, part: Part) {
        let Some(open) = self.open.last_mut() else { return };
        match open.element.is_token() {
            // Pictures of letters, and markup inside of text.
            true => open.text.push_str(&part.whole().text),
            false => open.parts.push(part),
        }
    }

    fn close(&mut self, mut open: Open) {
        if open.element == MathElement::Prescripts {
            if let Some(scripts) = self.open.last_mut() {
                scripts.hints.prescripts = Some(scripts.parts.len());
            }
            return;
        }
        if !open.element.is_token() && !open.text.trim().is_empty() {
            let text = words(&open.text);
            open.parts.push(Part::new(Kind::Text, text));
        }
        let part = match open.element {
            element if element.is_token() => token(&open),
            MathElement::Space if open.hints.is_void => Part::default(),
            MathElement::Space => Part::new(Kind::Space, ""),
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

fn token(open: &Open) -> Part {
    let text = words(&open.text);
    let is_single = text.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}')).count() == 1;
    match open.element {
        _ if text.is_empty() && !open.text.is_empty() => Part::new(Kind::Space, ""),
        _ if text.is_empty() => Part::default(),
        MathElement::Name if is_single => Part::new(Kind::Letter, text),
        MathElement::Name => Part::new(Kind::Word, text),
        MathElement::Number if text.starts_with(['-', '−', '+']) => Part::new(Kind::Several, text),
        MathElement::Number => Part::new(Kind::Number, text),
        MathElement::Operator => {
            let kind = operator::kind_of(&text, open.hints.value.as_deref());
            Part::new(kind, if text == "'" { "′".to_owned() } else { text })
        }
        MathElement::Literal => Part::new(Kind::Group, format!("\"{text}\"")),
        _ => Part::new(Kind::Text, text),
    }
}

#[cfg(test)]
mod tests;
