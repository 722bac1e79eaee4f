//! MathML that is XML of its own: the formulas of OpenDocument, and those in scripts and attributes of pages.

use super::element::MathElement;
use super::mathml::MathBuilder;
use crate::shared::xml::{XmlEvent, XmlReader};

/// Reads the formula whose element began last, up to its end.
pub(crate) fn read_formula(reader: &mut XmlReader<'_>) -> String {
    let outer = reader.outer_depth();
    let mut builder = MathBuilder::new();
    while let Some(event) = reader.next_inside(outer) {
        match event {
            XmlEvent::Start(tag) => {
                let attribute = |name: &str| tag.get(name).map(|value| value.to_string());
                if !builder.begin(MathElement::from_name(tag.name()), &attribute) {
                    reader.pass();
                }
            }
            XmlEvent::End(_) => builder.end(),
            XmlEvent::Text { text, .. } => builder.text(&text),
        }
    }
    builder.finish()
}

/// The formula of a part; `None` if the part is something else.
pub(crate) fn formula_of(part: &str) -> Option<String> {
    let mut reader = XmlReader::new(part);
    loop {
        match reader.next()? {
            XmlEvent::Start(tag) if tag.name() == "math" => return Some(read_formula(&mut reader)),
            XmlEvent::Start(_) | XmlEvent::End(_) => return None,
            XmlEvent::Text { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_tex() {
        let part = "<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo>\
            <mi>b</mi></mrow><mi>c</mi></mfrac><msqrt><mi>y</mi></msqrt></mrow><annotation>x^2</annotation></semantics></math>";
        assert_eq!(formula_of(part).as_deref(), Some("x^2=\\frac{a+b}{c}\\sqrt{y}"));
        assert_eq!(formula_of("<office:document/>"), None);
    }
}
