//! Equations of Office (OMML) as text of one line: `x = (-b ± √(b^2 - 4ac))/(2a)`.
//!
//! Owns the structures of Office; the linear form is shared with MathML. Keeps no layout. Source: ECMA-376 part 1,
//! section 22.1 (Office Math Markup Language).

use crate::limits::opc::MAX_FORMULA_DEPTH;
use crate::shared::formula::linear::{self, grouped, is_enclosed, root_sign};
use crate::shared::xml::{XmlEvent, XmlReader};

/// A structure that is open.
#[derive(Default)]
struct MathNode {
    name: String,
    text: String,
    arguments: Vec<(MathArgument, String)>,
    sign: Option<String>,
    begin: Option<String>,
    end: Option<String>,
    separator: Option<String>,
}

/// An argument of a structure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MathArgument {
    Base,
    Numerator,
    Denominator,
    Lower,
    Upper,
    Degree,
    Function,
    Limit,
    Row,
}

fn argument_of(name: &str) -> Option<MathArgument> {
    match name {
        "e" => Some(MathArgument::Base),
        "num" => Some(MathArgument::Numerator),
        "den" => Some(MathArgument::Denominator),
        "sub" => Some(MathArgument::Lower),
        "sup" => Some(MathArgument::Upper),
        "deg" => Some(MathArgument::Degree),
        "fName" => Some(MathArgument::Function),
        "lim" => Some(MathArgument::Limit),
        "mr" => Some(MathArgument::Row),
        _ => None,
    }
}

/// Reads the equation in the element that began last, to its end.
pub(crate) fn read_math(reader: &mut XmlReader<'_>) -> String {
    let outer = reader.depth().saturating_sub(1);
    let mut nodes = vec![MathNode::default()];
    // For each open element, whether it has a node.
    let mut has_node: Vec<bool> = Vec::new();
    let mut is_text = false;
    while reader.depth() > outer {
        match reader.next() {
            Some(XmlEvent::Start(tag)) => {
                match tag.name() {
                    "del" | "moveFrom" => {
                        reader.pass();
                        continue;
                    }
                    "t" => is_text = true,
                    name @ ("chr" | "begChr" | "endChr" | "sepChr") => {
                        let value = Some(tag.get("val").unwrap_or_default());
                        // A structure encloses its properties, which have no node.
                        if let Some(node) = nodes.last_mut() {
                            match name {
                                "chr" => node.sign = value,
                                "begChr" => node.begin = value,
                                "endChr" => node.end = value,
                                _ => node.separator = value,
                            }
                        }
                    }
                    _ => {}
                }
                let is_node = is_structure(tag.name()) && nodes.len() < MAX_FORMULA_DEPTH;
                has_node.push(is_node);
                if is_node {
                    nodes.push(MathNode { name: tag.name().to_owned(), ..MathNode::default() });
                }
            }
            Some(XmlEvent::Text { text, .. }) if is_text => {
                if let Some(node) = nodes.last_mut() {
                    node.text.push_str(&text);
                }
            }
            Some(XmlEvent::Text { .. }) => {}
            Some(XmlEvent::End(_)) => {
                is_text = false;
                if has_node.pop() == Some(true)
                    && let Some(node) = nodes.pop()
                    && let Some(parent) = nodes.last_mut()
                {
                    match argument_of(&node.name) {
                        Some(slot) => parent.arguments.push((slot, linear(node))),
                        None => parent.text.push_str(&linear(node)),
                    }
                }
            }
            None => break,
        }
    }
    nodes.into_iter().map(linear).collect()
}

fn is_structure(name: &str) -> bool {
    argument_of(name).is_some()
        || matches!(
            name,
            "f" | "sSup"
                | "sSub"
                | "sSubSup"
                | "sPre"
                | "rad"
                | "nary"
                | "d"
                | "func"
                | "acc"
                | "bar"
                | "groupChr"
                | "limLow"
                | "limUpp"
                | "m"
                | "eqArr"
                | "box"
                | "borderBox"
                | "phant"
        )
}

/// The text of a structure whose arguments are read.
fn linear(mut node: MathNode) -> String {
    let own = std::mem::take(&mut node.text);
    own + &structure(node)
}

fn structure(mut node: MathNode) -> String {
    let mut take = |slot: MathArgument| {
        let at = node.arguments.iter().position(|(known, _)| *known == slot);
        at.map(|at| node.arguments.remove(at).1).unwrap_or_default()
    };
    match node.name.as_str() {
        "f" => format!(
            "{}/{}",
            grouped(&take(MathArgument::Numerator)),
            grouped(&take(MathArgument::Denominator))
        ),
        "sSup" | "sSub" | "sSubSup" => {
            let base = take(MathArgument::Base);
            let scripts = lowered(&take(MathArgument::Lower)) + &raised(&take(MathArgument::Upper));
            scripted(base, &scripts)
        }
        "sPre" => {
            lowered(&take(MathArgument::Lower))
                + &raised(&take(MathArgument::Upper))
                + &take(MathArgument::Base)
        }
        "rad" => {
            let degree = take(MathArgument::Degree);
            root_sign(&degree) + &grouped(&take(MathArgument::Base))
        }
        "nary" => {
            let limits = lowered(&take(MathArgument::Lower)) + &raised(&take(MathArgument::Upper));
            let sign = node.sign.clone().unwrap_or_else(|| "∫".to_owned());
            let space = if limits.is_empty() { "" } else { " " };
            format!("{sign}{limits}{space}{}", take(MathArgument::Base))
        }
        "d" => delimited(node),
        "func" => {
            let (name, base) = (take(MathArgument::Function), take(MathArgument::Base));
            let space = if base.starts_with(['(', '[', '{']) || name.ends_with(' ') { "" } else { " " };
            format!("{name}{space}{base}")
        }
        "acc" => {
            take(MathArgument::Base)
                + node.sign.as_deref().filter(|sign| sign.chars().count() == 1).unwrap_or("\u{302}")
        }
        "limLow" => {
            let base = take(MathArgument::Base);
            base + &lowered(&take(MathArgument::Limit))
        }
        "limUpp" => {
            let base = take(MathArgument::Base);
            base + &raised(&take(MathArgument::Limit))
        }
        "m" => format!("[{}]", joined(node, "; ")),
        "mr" => joined(node, ", "),
        "eqArr" => joined(node, "; "),
        // Bars, braces and boxes around a base, and what is itself an argument.
        _ => joined(node, ""),
    }
}

/// The arguments of a structure, in order.
fn joined(node: MathNode, by: &str) -> String {
    let all: Vec<String> = node.arguments.into_iter().map(|(_, text)| text).collect();
    all.join(by)
}

/// Arguments in brackets of any kind.
fn delimited(mut node: MathNode) -> String {
    let (begin, end) = (node.begin.take(), node.end.take());
    let separator = node.separator.take().unwrap_or_else(|| "|".to_owned());
    let inside = joined(node, &separator);
    format!("{}{inside}{}", begin.as_deref().unwrap_or("("), end.as_deref().unwrap_or(")"))
}

fn scripted(base: String, scripts: &str) -> String {
    let is_compound = base.contains(['/', ' ', '+', '-', '−', '^']) && !is_enclosed(&base);
    if is_compound { format!("({base}){scripts}") } else { base + scripts }
}

fn raised(text: &str) -> String {
    linear::raised(text, grouped)
}

fn lowered(text: &str) -> String {
    linear::lowered(text, grouped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inside: &str, expected: &str) {
        let source = format!("<oMath>{inside}</oMath><after/>");
        let mut reader = XmlReader::new(&source);
        reader.next();
        assert_eq!(read_math(&mut reader), expected);
        assert!(matches!(reader.next(), Some(XmlEvent::Start(tag)) if tag.name() == "after"));
    }

    #[test]
    fn equations_stand_on_one_line() {
        check("<r><t>A=π</t></r><sSup><e><r><t>r</t></r></e><sup><r><t>2</t></r></sup></sSup>", "A=πr^2");
        check("<f><num><r><t>a+b</t></r></num><den><r><t>2c</t></r></den></f>", "(a+b)/(2c)");
        check("<rad><deg/><e><r><t>x+1</t></r></e></rad>", "√(x+1)");
        check(
            "<nary><naryPr><chr val='∑'/></naryPr><sub><r><t>n=1</t></r></sub><sup><r><t>∞</t></r></sup><e><r><t>x</t></r></e></nary>",
            "∑_(n=1)^∞ x",
        );
        check(
            "<d><dPr><begChr val='['/><endChr val=']'/></dPr><e><r><t>a</t></r></e><e><r><t>b</t></r></e></d>",
            "[a|b]",
        );
        check("<func><fName><r><t>cos</t></r></fName><e><r><t>x</t></r></e></func>", "cos x");
        check(
            "<m><mr><e><r><t>1</t></r></e><e><r><t>2</t></r></e></mr><mr><e><r><t>3</t></r></e><e/></mr></m>",
            "[1, 2; 3, ]",
        );
        check(
            "<sSup><e><f><num><r><t>x</t></r></num><den><r><t>v</t></r></den></f></e><sup><r><t>k</t></r></sup></sSup>",
            "(x/v)^k",
        );
        check("<r><t>x</t></r><del><r><t>gone</t></r></del><r><t> y</t></r>", "x y");
    }

    #[test]
    fn deep_equations_keep_their_text() {
        let deep = "<f><num>".repeat(500) + "<r><t>x</t></r>" + &"</num></f>".repeat(500);
        let source = format!("<oMath>{deep}</oMath>");
        let mut reader = XmlReader::new(&source);
        reader.next();
        assert!(read_math(&mut reader).contains('x'));
    }

    #[test]
    fn each_structure_has_its_form() {
        let (a, b) = ("<e><r><t>a</t></r></e>", "<e><r><t>b</t></r></e>");
        let (low, high) = ("<sub><r><t>1</t></r></sub>", "<sup><r><t>2</t></r></sup>");
        check(&format!("<sSubSup>{a}{low}{high}</sSubSup>"), "a_1^2");
        check(&format!("<sSub>{a}{low}</sSub>"), "a_1");
        check(&format!("<sPre>{low}{high}{a}</sPre>"), "_1^2a");
        check(&format!("<rad><deg><r><t>3</t></r></deg>{a}</rad>"), "∛a");
        check(&format!("<nary><sub/><sup/>{a}</nary>"), "∫a");
        check(&format!("<acc>{a}</acc>"), "a\u{302}");
        check(&format!("<acc><accPr><chr val='\u{303}'/></accPr>{a}</acc>"), "a\u{303}");
        check(&format!("<acc><accPr><chr val='xy'/></accPr>{a}</acc>"), "a\u{302}");
        check("<limLow><e><r><t>lim</t></r></e><lim><r><t>x→0</t></r></lim></limLow>", "lim_(x→0)");
        check("<limUpp><e><r><t>max</t></r></e><lim><r><t>n</t></r></lim></limUpp>", "max^n");
        check(&format!("<eqArr>{a}{b}</eqArr>"), "a; b");
        check(
            &format!("<bar>{a}</bar><groupChr><groupChrPr><chr val='⏟'/></groupChrPr>{b}</groupChr>"),
            "ab",
        );
        check(&format!("<box>{a}</box><r><t>=</t></r><borderBox>{b}</borderBox><phant>{a}</phant>"), "a=ba");
        check(&format!("<unknown>{a}</unknown>"), "a");
        check(&format!("<d><dPr><begChr val=''/><sepChr val=';'/></dPr>{a}{b}</d>"), "a;b)");
        check(&format!("<d>{a}</d>"), "(a)");
    }

    #[test]
    fn parentheses_and_spaces_are_only_where_they_are_needed() {
        let square = |base: &str| format!("<sSup><e>{base}</e><sup><r><t>2</t></r></sup></sSup>");
        check(&square("<r><t>a+b</t></r>"), "(a+b)^2");
        check(&square("<d><e><r><t>a+b</t></r></e></d>"), "(a+b)^2");
        let function =
            |name: &str, base: &str| format!("<func><fName><r><t>{name}</t></r></fName><e>{base}</e></func>");
        check(&function("sin", "<d><e><r><t>x</t></r></e></d>"), "sin(x)");
        check(&function("log ", "<r><t>x</t></r>"), "log x");
        check(
            "<moveFrom><r><t>gone</t></r></moveFrom><r><rPr>no</rPr><t>a</t></r><ins><r><t>b</t></r></ins>",
            "ab",
        );
    }

    #[test]
    fn structures_too_deep_are_only_text() {
        let nested = |depth: usize| "<d>".repeat(depth) + "<t>x</t>" + &"</d>".repeat(depth);
        let most = MAX_FORMULA_DEPTH - 1;
        check(&nested(most), &("x".to_owned() + &"()".repeat(most)));
        check(&nested(most + 1), &("x".to_owned() + &"()".repeat(most)));
    }
}
