//! Formulas as a line of text: MathML read for its tokens, with fractions and scripts marked.
//!
//! Owns presentation MathML as office programs write it; content MathML and annotations are refused.
//! Source: MathML 3, chapter 3.

use crate::extract::xml::{XmlEvent, XmlReader};

/// A longer formula goes on as bare tokens.
const LONGEST: usize = 4000;

/// An element that is open.
struct Open<'x> {
    name: &'x str,
    children: usize,
    /// Where the text of its last child begins.
    child: usize,
}

/// The formula whose element began last, up to its end.
pub(super) fn read_formula(reader: &mut XmlReader<'_>) -> String {
    let outer = reader.depth().saturating_sub(1);
    let mut text = String::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    while reader.depth() > outer {
        match reader.next() {
            Some(XmlEvent::Start(tag)) => {
                if matches!(tag.name(), "annotation" | "annotation-xml") {
                    reader.pass();
                    continue;
                }
                begin_child(&mut open, &mut text);
                open.push(Open { name: known(tag.name()), children: 0, child: text.len() });
            }
            Some(XmlEvent::End(_)) => {
                open.pop();
                if let Some(parent) = open.last() {
                    end_child(parent, &mut text);
                }
            }
            Some(XmlEvent::Text { text: token, .. }) => push_token(&mut text, token.trim()),
            None => break,
        }
    }
    text.trim().to_owned()
}

/// The formula in a part of its own; `None` where the part holds something else.
pub(super) fn formula_of(part: &str) -> Option<String> {
    let mut reader = XmlReader::new(part);
    loop {
        match reader.next()? {
            XmlEvent::Start(tag) if tag.name() == "math" => return Some(read_formula(&mut reader)),
            XmlEvent::Start(_) | XmlEvent::End(_) => return None,
            XmlEvent::Text { .. } => {}
        }
    }
}

/// The elements whose children are more than a row.
fn known(name: &str) -> &'static str {
    const KNOWN: [&str; 8] = ["mfrac", "msup", "msub", "msubsup", "munder", "mover", "munderover", "msqrt"];
    KNOWN.into_iter().find(|known| *known == name).unwrap_or_default()
}

fn begin_child(open: &mut [Open<'_>], text: &mut String) {
    let Some(parent) = open.last_mut() else { return };
    let sign = match (parent.name, parent.children) {
        ("msqrt", 0) => "√",
        ("mfrac", 1) => "/",
        ("msup" | "mover", 1) | ("msubsup" | "munderover", 2) => "^",
        ("msub" | "munder" | "msubsup" | "munderover", 1) => "_",
        _ => "",
    };
    if sign == "√" && text.ends_with(|c: char| !c.is_whitespace()) {
        text.push(' ');
    }
    text.push_str(sign);
    parent.children += 1;
    parent.child = text.len();
}

/// A part of a fraction or script that is more than a token stands in parentheses.
fn end_child(parent: &Open<'_>, text: &mut String) {
    let is_group = !parent.name.is_empty() && text.len() < LONGEST;
    if let Some(child) = text.get(parent.child..).filter(|_| is_group)
        && child.trim().contains(|c: char| !c.is_alphanumeric() && c != '.')
        && child.trim().chars().count() > 1
        && !child.trim().starts_with('(')
    {
        let child = format!("({})", child.trim());
        text.truncate(parent.child);
        if parent.children == 1 && text.ends_with(|c: char| !leans(c)) {
            text.push(' ');
        }
        text.push_str(&child);
    }
}

/// True for what the next token follows without a space.
fn leans(c: char) -> bool {
    matches!(c, '^' | '_' | '/' | '√' | '(' | '[' | '{' | ' ')
}

/// Tokens are divided by a space, but for those that lean on their neighbours.
fn push_token(text: &mut String, token: &str) {
    let is_closing = token.starts_with([')', ']', '}', ',', '.', ';', '!']);
    if token.is_empty() || token.chars().all(|c| matches!(c, '\u{2061}'..='\u{2064}')) {
        return;
    }
    if !text.is_empty() && !text.ends_with(leans) && !is_closing {
        text.push(' ');
    }
    text.push_str(token);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_lines() {
        let part = "<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo>\
            <mi>b</mi></mrow><mi>c</mi></mfrac><msqrt><mi>y</mi></msqrt></mrow><annotation>x^2</annotation></semantics></math>";
        assert_eq!(formula_of(part).as_deref(), Some("x^2 = (a + b)/c √y"));
        assert_eq!(formula_of("<office:document/>"), None);
    }
}
