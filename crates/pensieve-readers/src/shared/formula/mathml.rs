//! MathML to TeX, element by element: the reader of the tree reports starts, text and ends.
//!
//! Presentation MathML as in MathML 3, chapter 3; content MathML is read for its tokens only. Nothing recurses; elements
//! nested deeper than in any real formula are transparent.

use super::element::{Attributes, ElementHints, MathElement};
use super::signs;
use super::tex::{
    TexKind, TexPart, fenced, fraction, in_font, name_part, prescripted, root, scripted, sign_part, signs_of,
    table, text_part, under_over,
};
use crate::limits::formula::{MAX_ELEMENT_DEPTH, MAX_SCRIPTS};

/// An open element.
#[derive(Default)]
struct OpenElement {
    element: MathElement,
    text: String,
    parts: Vec<TexPart>,
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
            self.push(TexPart::default());
            return false;
        }
        if self.open.len() >= MAX_ELEMENT_DEPTH {
            self.passed += 1;
            return true;
        }
        let name = match element {
            MathElement::Enclosed => "notation",
            MathElement::Fenced => "separators",
            _ => "mathvariant",
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
            ..ElementHints::default()
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
            open.parts.push(text_part(text));
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

    /// The formula as TeX.
    pub fn finish(mut self) -> String {
        self.passed = 0;
        while self.open.len() > 1 {
            self.end();
        }
        TexPart::row(self.open.pop().map(|open| open.parts).unwrap_or_default()).tex()
    }

    fn push(&mut self, part: TexPart) {
        let Some(open) = self.open.last_mut() else { return };
        match open.element.is_token() {
            // Pictures of letters, and markup inside of text.
            true => open.text.push_str(&part.whole().text),
            false => open.parts.push(part),
        }
    }

    fn close(&mut self, mut open: OpenElement) {
        if let MathElement::Placing | MathElement::PlacingAbove | MathElement::PlacingScripts = open.element {
            // Lines and blanks that are only drawn are no parts.
            open.parts.retain(|part| part.kind != TexKind::Empty);
            if let Some(around) = self.open.last_mut() {
                around.hints.is_drawn_above |= open.element == MathElement::PlacingAbove;
                around.hints.is_drawn_swapped |=
                    open.element == MathElement::PlacingScripts && open.parts.len() > 1;
                around.parts.append(&mut open.parts);
            }
            return;
        }
        if open.element == MathElement::Prescripts {
            if let Some(scripts) = self.open.last_mut() {
                scripts.hints.prescripts = Some(scripts.parts.len());
            }
            return;
        }
        if !open.element.is_token() && !open.text.trim().is_empty() {
            open.parts.push(text_part(&open.text));
        }
        let part = match open.element {
            element if element.is_token() => token(&open),
            MathElement::Space if open.hints.is_void => TexPart::default(),
            MathElement::Space => TexPart::new(TexKind::Space, " "),
            _ => structure(open.element, open.parts, open.hints),
        };
        self.push(part);
    }
}

fn is_zero(length: &str) -> bool {
    let number = length.trim().trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
    number.parse::<f32>().is_ok_and(|number| number == 0.0)
}

fn token(open: &OpenElement) -> TexPart {
    let text = open.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut chars = text.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}'));
    let only = chars.next().filter(|_| chars.next().is_none());
    let part = match (open.element, only) {
        _ if text.is_empty() && open.text.is_empty() => TexPart::default(),
        _ if text.is_empty() => TexPart::new(TexKind::Space, " "),
        (MathElement::Text, _) => return text_part(&open.text),
        (MathElement::Literal, _) => return text_part(&format!("\"{text}\"")),
        // A number is one part, however many digits it has.
        (MathElement::Number, None) => TexPart::atom(signs_of(&text)),
        (_, Some(c)) => sign_part(c),
        (MathElement::Name, None) => name_part(&text),
        (MathElement::Operator, None) if text.chars().all(char::is_alphabetic) => name_part(&text),
        _ => TexPart::row(text.chars().map(sign_part).collect()).whole(),
    };
    let font = open.hints.value.as_deref().and_then(signs::font);
    match font.filter(|_| part.kind == TexKind::Atom) {
        Some(font) => in_font(font, part),
        None => part,
    }
}

/// The parts of an element that must have N of them.
fn arguments<const N: usize>(parts: Vec<TexPart>) -> [TexPart; N] {
    let mut parts = parts.into_iter();
    let mut arguments: [TexPart; N] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    // Further parts join the last one.
    let last = arguments.last_mut().map(std::mem::take).unwrap_or_default();
    arguments[N - 1] = TexPart::row(std::iter::once(last).chain(parts).collect());
    arguments
}

/// Combines the parts of an element into one part.
fn structure(element: MathElement, parts: Vec<TexPart>, hints: ElementHints) -> TexPart {
    let nothing = TexPart::default;
    let mut parts = parts;
    if hints.is_drawn_above && !parts.is_empty() {
        parts.rotate_left(1);
    }
    if hints.is_drawn_swapped && parts.len() > 2 {
        parts.swap(1, 2);
    }
    let element = match element {
        // What is under a drawn base is one part with it.
        MathElement::UnderOver if hints.is_drawn_above => MathElement::Over,
        element => element,
    };
    match element {
        MathElement::Fraction => {
            let [top, bottom] = arguments(parts);
            fraction(top, bottom, !hints.is_void)
        }
        MathElement::SquareRoot => root(TexPart::row(parts), nothing()),
        MathElement::Enclosed => enclosed(TexPart::row(parts), hints.value.as_deref().unwrap_or_default()),
        MathElement::Root => {
            let [base, degree] = arguments(parts);
            root(base, degree)
        }
        MathElement::Sub => {
            let [base, lower] = arguments(parts);
            scripted(base, lower, nothing())
        }
        MathElement::Sup => {
            let [base, upper] = arguments(parts);
            scripted(base, nothing(), upper)
        }
        MathElement::SubSup => {
            let [base, lower, upper] = arguments(parts);
            scripted(base, lower, upper)
        }
        MathElement::Under => {
            let [base, lower] = arguments(parts);
            under_over(base, lower, nothing())
        }
        MathElement::Over => {
            let [base, upper] = arguments(parts);
            under_over(base, nothing(), upper)
        }
        MathElement::UnderOver => {
            let [base, lower, upper] = arguments(parts);
            under_over(base, lower, upper)
        }
        MathElement::Multiscripts => multiscripts(parts, hints.prescripts),
        MathElement::Fenced => {
            let [open, close] = &hints.fences;
            let separators = hints.value.as_deref().unwrap_or(",").chars();
            let separators: Vec<char> = separators.filter(|c| !c.is_whitespace()).collect();
            fenced(
                parts,
                open.as_deref().unwrap_or("(").trim(),
                close.as_deref().unwrap_or(")").trim(),
                &separators,
            )
        }
        MathElement::Table => table(
            parts
                .into_iter()
                .map(|row| if row.kind == TexKind::Table { row.row } else { vec![row] })
                .collect(),
        ),
        MathElement::TableRow => TexPart { kind: TexKind::Table, text: String::new(), row: parts },
        MathElement::First => parts.into_iter().next().unwrap_or_default(),
        _ => TexPart::row(parts),
    }
}

fn enclosed(base: TexPart, notation: &str) -> TexPart {
    match notation {
        _ if notation.contains("radical") => root(base, TexPart::default()),
        _ if notation.contains("box") => in_font("\\boxed", base),
        _ if notation.contains("strike") => in_font("\\cancel", base),
        _ => base,
    }
}

fn multiscripts(mut parts: Vec<TexPart>, prescripts: Option<usize>) -> TexPart {
    if parts.is_empty() {
        return TexPart::default();
    }
    let before = parts.split_off(prescripts.unwrap_or(parts.len()).clamp(1, parts.len()));
    let mut following = parts.into_iter();
    let base = following.next().unwrap_or_default();
    let base = pairs(following).into_iter().fold(base, |base, (lower, upper)| scripted(base, lower, upper));
    match before.is_empty() {
        true => base,
        false => prescripted(pairs(before.into_iter()), base),
    }
}

fn pairs(mut parts: impl Iterator<Item = TexPart>) -> Vec<(TexPart, TexPart)> {
    let mut pairs = Vec::new();
    while let Some(lower) = parts.next() {
        // What is more than any base has belongs to the last script.
        let upper = match pairs.len() + 1 < MAX_SCRIPTS {
            true => parts.next().unwrap_or_default(),
            false => TexPart::row(parts.by_ref().collect()),
        };
        pairs.push((lower, upper));
    }
    pairs
}

#[cfg(test)]
mod tests;
