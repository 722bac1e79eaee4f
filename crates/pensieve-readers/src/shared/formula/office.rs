//! Office's formulas (OMML) to TeX, element by element, as Word, PowerPoint and RTF have them.
//!
//! Owns the structures of Office; how parts combine is shared with MathML. Source: ECMA-376 part 1, section 22.1 (Office
//! Math Markup Language).

use super::signs;
use super::tex::{
    TexKind, TexPart, fenced, fraction, in_font, name_part, prescripted, root, scripted, sign_part, table,
    text_part, under_over,
};
use crate::limits::opc::MAX_FORMULA_DEPTH;
use crate::shared::xml::{XmlEvent, XmlReader};

/// A structure that is open.
#[derive(Default)]
struct MathNode {
    name: String,
    parts: Vec<TexPart>,
    arguments: Vec<(String, TexPart)>,
    /// Values of properties, by the names of their elements.
    properties: Vec<(String, String)>,
}

/// Arguments of structures.
const ARGUMENTS: &[&str] = &["deg", "den", "e", "fName", "lim", "mr", "num", "sub", "sup"];

/// Structures, and runs of signs.
const STRUCTURES: &[&str] = &[
    "acc",
    "bar",
    "borderBox",
    "box",
    "d",
    "eqArr",
    "f",
    "func",
    "groupChr",
    "limLow",
    "limUpp",
    "m",
    "nary",
    "phant",
    "r",
    "rad",
    "sPre",
    "sSub",
    "sSubSup",
    "sSup",
];

/// Properties that change what is read.
const PROPERTIES: &[&str] = &["begChr", "chr", "endChr", "nor", "pos", "scr", "sepChr", "sty", "type"];

/// Puts a formula together.
pub(crate) struct OfficeMathBuilder {
    nodes: Vec<MathNode>,
    /// For each open element, whether it has a node.
    has_node: Vec<bool>,
    is_text: bool,
    /// The element that began last is a property.
    is_property: bool,
}

impl OfficeMathBuilder {
    pub fn new() -> OfficeMathBuilder {
        OfficeMathBuilder {
            nodes: vec![MathNode::default()],
            has_node: Vec::new(),
            is_text: false,
            is_property: false,
        }
    }

    /// An element of this name begins, without its prefix; `value` is its `val`.
    pub fn begin(&mut self, name: &str, value: Option<&str>) {
        self.is_text = name == "t";
        // A structure encloses its properties, which have no node.
        self.is_property = PROPERTIES.contains(&name);
        if self.is_property {
            self.property(name, value.unwrap_or_default());
        }
        let is_node =
            (ARGUMENTS.contains(&name) || STRUCTURES.contains(&name)) && self.nodes.len() < MAX_FORMULA_DEPTH;
        self.has_node.push(is_node);
        if is_node {
            self.nodes.push(MathNode { name: name.to_owned(), ..MathNode::default() });
        }
    }

    /// True for the names of elements that matter.
    pub fn knows(name: &str) -> bool {
        [ARGUMENTS, STRUCTURES, PROPERTIES].iter().any(|names| names.contains(&name))
    }

    /// Sets a property of the structure that is open.
    pub fn property(&mut self, name: &str, value: &str) {
        if let Some(node) = self.nodes.last_mut() {
            node.properties.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Text that no element marks as such: the value of a property, or signs.
    pub fn loose_text(&mut self, text: &str) {
        let Some(node) = self.nodes.last_mut() else { return };
        match node.properties.last_mut().filter(|_| self.is_property) {
            Some((_, value)) => value.push_str(text.trim()),
            None => {
                let part = run(node, text);
                node.parts.push(part);
            }
        }
    }

    /// Text of the element that began last.
    pub fn text(&mut self, text: &str) {
        if self.is_text
            && let Some(node) = self.nodes.last_mut()
        {
            let part = run(node, text);
            node.parts.push(part);
        }
    }

    /// The element that began last ends.
    pub fn end(&mut self) {
        (self.is_text, self.is_property) = (false, false);
        if self.has_node.pop() == Some(true)
            && let Some(node) = self.nodes.pop()
            && let Some(parent) = self.nodes.last_mut()
        {
            match ARGUMENTS.contains(&node.name.as_str()) {
                true => parent.arguments.push((node.name.clone(), structure(node))),
                false => parent.parts.push(structure(node)),
            }
        }
    }

    /// The formula as TeX.
    pub fn finish(self) -> String {
        TexPart::row(self.nodes.into_iter().map(structure).collect()).tex()
    }
}

/// Reads the formula in the element that began last, to its end.
pub(crate) fn read_office_math(reader: &mut XmlReader<'_>) -> String {
    let outer = reader.outer_depth();
    let mut builder = OfficeMathBuilder::new();
    while let Some(event) = reader.next_inside(outer) {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "del" | "moveFrom" => reader.pass(),
                name => builder.begin(name, tag.get("val").as_deref()),
            },
            XmlEvent::Text { text, .. } => builder.text(&text),
            XmlEvent::End(_) => builder.end(),
        }
    }
    builder.finish()
}

/// Reads the equations in the paragraph of equations that began last, to its end.
pub(crate) fn read_equations(reader: &mut XmlReader<'_>) -> Vec<String> {
    let outer = reader.outer_depth();
    let mut equations = Vec::new();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "del" | "moveFrom" => reader.pass(),
            "oMath" => equations.push(read_office_math(reader)),
            _ => {}
        }
    }
    equations.retain(|tex| !tex.is_empty());
    equations
}

/// The signs of a run: letters are variables, unless the run says that they are upright or words.
fn run(node: &MathNode, text: &str) -> TexPart {
    if node.name == "r" && node.has("nor") {
        return text_part(text);
    }
    if node.value("sty") == Some("p") && is_name(text.trim()) {
        return name_part(text.trim());
    }
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (number, name) = (number_len(rest), applied_name(rest));
        let len = if number > 0 { number } else { name.map_or(c.len_utf8(), str::len) };
        parts.push(match c {
            _ if number > 0 => TexPart::atom(&rest[..number]),
            _ if name.is_some() => name_part(&rest[..len]),
            '&' => TexPart::new(TexKind::Space, "&"),
            _ if c.is_whitespace() => TexPart::new(TexKind::Space, " "),
            _ => sign_part(c),
        });
        rest = &rest[len..];
    }
    let part = TexPart::row(parts);
    let font = node.value("scr").or_else(|| node.value("sty")).and_then(signs::font);
    match font {
        Some(font) if !text.trim().is_empty() => in_font(font, part),
        _ => part,
    }
}

/// The length of the number that a text begins with: `45.0`.
fn number_len(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let part = text[whole..].strip_prefix(['.', ',']).map_or(0, digits);
    if whole > 0 && part > 0 { whole + 1 + part } else { whole }
}

/// The name that a text begins with, if it is applied to what follows.
fn applied_name(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphabetic())?;
    Some(&text[..end]).filter(|name| is_name(name) && text[end..].starts_with('\u{2061}'))
}

fn is_name(text: &str) -> bool {
    text.chars().count() > 1 && text.chars().all(char::is_alphabetic)
}

impl MathNode {
    fn value(&self, property: &str) -> Option<&str> {
        self.properties.iter().find(|(name, _)| name == property).map(|(_, value)| value.as_str())
    }

    /// True if a property is there and not switched off.
    fn has(&self, property: &str) -> bool {
        self.value(property).is_some_and(|value| !matches!(value, "0" | "off" | "false"))
    }

    fn take(&mut self, argument: &str) -> TexPart {
        let at = self.arguments.iter().position(|(name, _)| name == argument);
        at.map(|at| self.arguments.remove(at).1).unwrap_or_default()
    }

    /// The sign of an accent or an operator; `default` if the structure says nothing.
    fn sign(&self, default: char) -> TexPart {
        match self.value("chr") {
            Some(value) => value.chars().next().map(sign_part).unwrap_or_default(),
            None => sign_part(default),
        }
    }

    /// Everything in it, in order.
    fn all(self) -> TexPart {
        TexPart::row(self.parts.into_iter().chain(self.arguments.into_iter().map(|(_, part)| part)).collect())
    }
}

/// A structure whose arguments are read.
fn structure(mut node: MathNode) -> TexPart {
    let nothing = TexPart::default;
    let name = std::mem::take(&mut node.name);
    let part = match name.as_str() {
        "f" => {
            let (top, bottom) = (node.take("num"), node.take("den"));
            match node.value("type") {
                Some("lin") => TexPart::row(vec![top, TexPart::atom("/"), bottom]),
                kind => fraction(top, bottom, kind != Some("noBar")),
            }
        }
        "sSup" | "sSub" | "sSubSup" => {
            let base = node.take("e");
            let function = signs::function(base.clone().whole().text.trim());
            let base = function.map_or(base, |command| TexPart::new(TexKind::Big, command));
            scripted(base, node.take("sub"), node.take("sup"))
        }
        "sPre" => prescripted(vec![(node.take("sub"), node.take("sup"))], node.take("e")),
        "rad" => root(node.take("e"), node.take("deg")),
        "nary" => {
            let sign = scripted(node.sign('∫'), node.take("sub"), node.take("sup"));
            TexPart::row(vec![sign, TexPart::new(TexKind::Space, " "), node.take("e")])
        }
        "func" => {
            let (name, base) = (function(node.take("fName")), node.take("e"));
            let space = TexPart::new(TexKind::Space, if name.text.ends_with(' ') { "" } else { " " });
            let is_fenced = base.clone().whole().text.starts_with(['(', '[']);
            TexPart::row(if is_fenced { vec![name, base] } else { vec![name, space, base] })
        }
        "limLow" => under_over(function(node.take("e")), node.take("lim"), nothing()),
        "limUpp" => under_over(function(node.take("e")), nothing(), node.take("lim")),
        "acc" => under_over(node.take("e"), nothing(), node.sign('\u{302}')),
        "bar" if node.value("pos") == Some("top") => under_over(node.take("e"), nothing(), sign_part('¯')),
        "bar" => under_over(node.take("e"), sign_part('‾'), nothing()),
        "groupChr" if node.value("pos") == Some("top") => {
            under_over(node.take("e"), nothing(), node.sign('⏞'))
        }
        "groupChr" => under_over(node.take("e"), node.sign('⏟'), nothing()),
        "borderBox" => in_font("\\boxed", node.take("e")),
        // Takes room, and shows nothing unless it says so.
        "d" => delimited(&mut node),
        "mr" => {
            let cells = std::mem::take(&mut node.arguments).into_iter().map(|(_, cell)| cell).collect();
            TexPart { kind: TexKind::Table, text: String::new(), row: cells }
        }
        "m" => table(std::mem::take(&mut node.arguments).into_iter().map(|(_, row)| row.row).collect()),
        "eqArr" => {
            let rows = std::mem::take(&mut node.arguments);
            table(rows.into_iter().map(|(_, row)| vec![row]).collect())
        }
        // Boxes around a base, and what is itself an argument.
        _ => return node.all(),
    };
    // What is left is not in its place, but it is text.
    TexPart::row(vec![part, node.all()])
}

/// A name of several letters in the place of a function.
fn function(name: TexPart) -> TexPart {
    let text = name.clone().whole().text;
    match is_name(text.trim()) {
        true => name_part(text.trim()),
        false => name,
    }
}

fn delimited(node: &mut MathNode) -> TexPart {
    let arguments = std::mem::take(&mut node.arguments).into_iter().map(|(_, part)| part).collect();
    let separator: Vec<char> = node.value("sepChr").unwrap_or("|").chars().collect();
    let (open, close) = (node.value("begChr").unwrap_or("("), node.value("endChr").unwrap_or(")"));
    fenced(arguments, open, close, &separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inside: &str, expected: &str) {
        let source = format!("<oMath>{inside}</oMath><after/>");
        let mut reader = XmlReader::new(&source);
        reader.next();
        assert_eq!(read_office_math(&mut reader), expected, "of {inside}");
        assert!(matches!(reader.next(), Some(XmlEvent::Start(tag)) if tag.name() == "after"));
    }

    /// `a` is a run, the rest elements as they are.
    fn short(inside: &str) -> String {
        let mut source = String::new();
        let mut in_tag = false;
        for c in inside.chars() {
            in_tag = if in_tag { c != '>' } else { c == '<' };
            match c {
                _ if in_tag || c == '>' => source.push(c),
                _ => source.push_str(&format!("<r><t>{c}</t></r>")),
            }
        }
        source
    }

    #[test]
    fn equations_are_tex() {
        check("<r><t>A=π</t></r><sSup><e><r><t>r</t></r></e><sup><r><t>2</t></r></sup></sSup>", "A=\\pi r^2");
        check("<f><num><r><t>a+b</t></r></num><den><r><t>2c</t></r></den></f>", "\\frac{a+b}{2c}");
        check("<rad><deg/><e><r><t>x+1</t></r></e></rad>", "\\sqrt{x+1}");
        check(
            "<nary><naryPr><chr val='∑'/></naryPr><sub><r><t>n=1</t></r></sub><sup><r><t>∞</t></r></sup><e><r><t>x</t></r></e></nary>",
            "\\sum_{n=1}^\\infty x",
        );
        check(
            "<d><dPr><begChr val='['/><endChr val=']'/></dPr><e><r><t>a</t></r></e><e><r><t>b</t></r></e></d>",
            "[a|b]",
        );
        check(
            &short("<m><mr><e>1</e><e>2</e></mr><mr><e>3</e><e/></mr></m>"),
            "\\begin{matrix} 1 & 2 \\\\ 3 &  \\end{matrix}",
        );
        check(
            "<r><t>x</t></r><del><r><t>gone</t></r></del><moveFrom><r><t>gone</t></r></moveFrom><r><t> y</t></r><ins><r><t>b</t></r></ins>",
            "x yb",
        );
    }

    #[test]
    fn each_structure_has_its_form() {
        for (inside, expected) in [
            ("<sSubSup><e>a</e><sub>1</sub><sup>2</sup></sSubSup>", "a_1^2"),
            ("<sSub><e>a</e><sub>i+1</sub></sSub>", "a_{i+1}"),
            ("<sPre><sub>1</sub><sup>2</sup><e>a</e></sPre>", "{}_1^2a"),
            ("<rad><deg>3</deg><e>a</e></rad>", "\\sqrt[3]{a}"),
            ("<nary><sub/><sup/><e>a</e></nary>", "\\int a"),
            ("<acc><e>a</e></acc>", "\\hat{a}"),
            ("<acc><accPr><chr val='\u{303}'/></accPr><e>ab</e></acc>", "\\widetilde{ab}"),
            ("<acc><accPr><chr val='\u{20d7}'/></accPr><e>v</e></acc>", "\\vec{v}"),
            (
                "<bar><barPr><pos val='top'/></barPr><e>x</e></bar><bar><e>y</e></bar>",
                "\\bar{x}\\underline{y}",
            ),
            ("<groupChr><e>a+b</e></groupChr>", "\\underbrace{a+b}"),
            ("<limLow><e>lim</e><lim>x→0</lim></limLow>", "\\lim_{x\\to0}"),
            ("<limUpp><e>max</e><lim>n</lim></limUpp>", "\\max^n"),
            (
                "<func><fName>cos</fName><e>x</e></func><func><fName>tr</fName><e><d><e>A</e></d></e></func>",
                "\\cos x\\mathrm{tr}(A)",
            ),
            ("<func><fName><sSup><e>sin</e><sup>2</sup></sSup></fName><e>x</e></func>", "\\sin^2 x"),
            (
                "<eqArr><e>a&amp;=b</e><e>c&amp;=d</e></eqArr>",
                "\\begin{aligned} a&=b \\\\ c&=d \\end{aligned}",
            ),
            (
                "<d><dPr><begChr val='{'/><endChr val=''/></dPr><e><eqArr><e>x</e><e>y</e></eqArr></e></d>",
                "\\begin{cases} x \\\\ y \\end{cases}",
            ),
            ("<d><e><m><mr><e>1</e><e>2</e></mr></m></e></d>", "\\begin{pmatrix} 1 & 2 \\end{pmatrix}"),
            ("<d><e><f><fPr><type val='noBar'/></fPr><num>n</num><den>k</den></f></e></d>", "\\binom{n}{k}"),
            ("<d><dPr><begChr val=''/><sepChr val=';'/></dPr><e>a</e><e>b</e></d>", "a;b)"),
            ("<box><e>a</e></box>=<borderBox><e>b</e></borderBox>", "a=\\boxed{b}"),
            ("<sSup><e><f><num>x</num><den>v</den></f></e><sup>k</sup></sSup>", "\\frac{x}{v}^k"),
            ("<sSup><e>a+b</e><sup>2</sup></sSup>", "{a+b}^2"),
            ("<sSup><e><d><e>a+b</e></d></e><sup>-1</sup></sSup>", "(a+b)^{-1}"),
            ("<sSup><e><sSup><e>x</e><sup>2</sup></sSup></e><sup>3</sup></sSup>", "{x^2}^3"),
            ("<unknown><e>a</e></unknown>", "a"),
        ] {
            check(
                &short(inside).replace(
                    "<r><t>&</t></r><r><t>a</t></r><r><t>m</t></r><r><t>p</t></r><r><t>;</t></r>",
                    "<r><t>&amp;</t></r>",
                ),
                expected,
            );
        }
    }

    #[test]
    fn runs_have_their_look() {
        let run = |properties: &str, text: &str| format!("<r><rPr>{properties}</rPr><t>{text}</t></r>");
        check(&run("<nor/>", " if "), "\\text{ if }");
        check(&run("<sty val='p'/>", "sin"), "\\sin");
        check(&run("<sty val='p'/>", "kg"), "\\mathrm{kg}");
        check(&run("<sty val='b'/>", "v"), "\\mathbf{v}");
        check(&run("<scr val='double-struck'/>", "R"), "\\mathbb{R}");
        check(&run("", "x ≤ 12"), "x \\leq 12");
        check(&run("", "sin\u{2061}θ=1.5"), "\\sin\\theta=1.5");
        check("<eqArr><e><r><t>a=b</t></r></e></eqArr>", "a=b");
    }

    #[test]
    fn deep_equations_keep_their_text() {
        let deep = "<f><num>".repeat(500) + "<r><t>x</t></r>" + &"</num></f>".repeat(500);
        let source = format!("<oMath>{deep}</oMath>");
        let mut reader = XmlReader::new(&source);
        reader.next();
        assert!(read_office_math(&mut reader).contains('x'));
    }
}
