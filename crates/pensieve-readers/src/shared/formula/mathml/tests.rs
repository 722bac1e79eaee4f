//! Formulas in MathML and their linear forms.

use super::*;
use crate::shared::xml::{XmlEvent, XmlReader};

fn read(source: &str) -> String {
    let mut reader = XmlReader::new(source);
    let mut builder = MathBuilder::new();
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => {
                let element = MathElement::from_name(tag.name());
                if !builder.begin(element, &|name| tag.get(name).map(|value| value.to_string())) {
                    reader.pass();
                }
            }
            XmlEvent::Text { text, .. } => builder.text(&text),
            XmlEvent::End(_) => builder.end(),
        }
    }
    builder.finish()
}

/// `x` is an identifier, `2` a number, other signs operators; elements as they are.
fn check(short: &str, expected: &str) {
    let mut source = String::new();
    let mut in_tag = false;
    for c in short.chars() {
        match c {
            '<' | '>' => in_tag = c == '<',
            _ if in_tag => {}
            ' ' => continue,
            _ if c.is_alphabetic() => {
                source.push_str(&format!("<mi>{c}</mi>"));
                continue;
            }
            _ if c.is_numeric() => {
                source.push_str(&format!("<mn>{c}</mn>"));
                continue;
            }
            _ => {
                source.push_str(&format!("<mo>{c}</mo>"));
                continue;
            }
        }
        source.push(c);
    }
    check_whole(&source, expected);
}

fn check_whole(source: &str, expected: &str) {
    assert_eq!(read(&format!("<math>{source}</math>")), expected, "of {source}");
}

#[test]
fn signs_and_names_are_tex() {
    check("a+b=c", "a+b=c");
    check("-x±1", "-x\\pm1");
    check("2\u{2062}a\u{2062}b", "2ab");
    check("2\u{2062}3", "2 3");
    check("f\u{2061}(x,y)", "f(x,y)");
    check("αb≤π", "\\alpha b\\leq\\pi");
    check_whole("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi><mo>+</mo><mi>y</mi>", "\\sin x+y");
    check_whole("<mn>2</mn><mi>log</mi><mo>(</mo><mi>x</mi><mo>)</mo>", "2\\log(x)");
    check_whole(
        "<mi>x</mi><mtext>&#xa0;if&#xa0;</mtext><mi>y</mi><mo>&lt;</mo><mn>0</mn>",
        "x\\text{ if }y<0",
    );
    check_whole("<mi>a</mi><mspace width='1em'/><mi>b</mi><mphantom><mi>c</mi></mphantom>", "a b");
    check_whole(
        "<mi mathvariant='bold'>v</mi><mo>∈</mo><mi mathvariant='double-struck'>R</mi>",
        "\\mathbf{v}\\in\\mathbb{R}",
    );
    check_whole("<mn>1.5</mn><mo>%</mo><mtext>a_b</mtext>", "1.5\\%\\text{a\\_b}");
    check("|x|+|y|", "|x|+|y|");
    check("∀x∈R:∃y", "\\forall x\\in R:\\exists y");
}

#[test]
fn fractions_and_roots() {
    check("<mfrac><mrow>a+b</mrow><mrow>2a</mrow></mfrac>", "\\frac{a+b}{2a}");
    check("<mfrac>1 2</mfrac>m<msup>v2</msup>", "\\frac{1}{2}mv^2");
    check("<msqrt>π</msqrt>", "\\sqrt{\\pi}");
    check("<msqrt>a+b</msqrt>c", "\\sqrt{a+b}c");
    check("<mroot>x3</mroot>+<mroot><mrow>x+1</mrow>n</mroot>", "\\sqrt[3]{x}+\\sqrt[n]{x+1}");
    check("(<mfrac linethickness='0'>n k</mfrac>)", "\\binom{n}{k}");
    check(
        "x=<mfrac><mrow>-b±<msqrt><msup>b2</msup>-4ac</msqrt></mrow><mrow>2a</mrow></mfrac>",
        "x=\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}",
    );
    check(
        "<menclose notation='radical'>2</menclose><menclose notation='box'>x</menclose>",
        "\\sqrt{2}\\boxed{x}",
    );
}

#[test]
fn scripts_belong_to_what_they_stand_at() {
    check("<msup>e<mrow>-<msup>x2</msup></mrow></msup>", "e^{-x^2}");
    check("<msup><mrow>(a+b)</mrow>2</msup>", "(a+b)^2");
    check("<msup><mrow>a+b</mrow>n</msup>", "{a+b}^n");
    check("<msup><msup>x2</msup>3</msup>", "{x^2}^3");
    check("<msup>x2</msup>3", "x^2 3");
    check_whole("<msup><mn>10</mn><mrow><mo>−</mo><mn>12</mn></mrow></msup>", "10^{-12}");
    check("<msub>a<mrow>i,j</mrow></msub>+<msubsup>x12</msubsup>", "a_{i,j}+x_1^2");
    check("<munderover>∑<mrow>i=0</mrow>n</munderover><msub>xi</msub>", "\\sum_{i=0}^nx_i");
    check("<msubsup>∫0∞</msubsup>f(x)dx", "\\int_0^\\infty f(x)dx");
    check_whole(
        "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>x</mi>",
        "\\lim_{x\\to0}x",
    );
    check_whole("<msup><mi>sin</mi><mn>2</mn></msup><mi>x</mi>", "\\sin^2x");
    check("A<mover>→f</mover>B", "A\\overset{f}{\\to}B");
    check("<mover>x^</mover>+<mover accent='true'><mrow>AB</mrow>→</mover>", "\\hat{x}+\\overrightarrow{AB}");
    check("<munder><munder><mrow>a+b</mrow>⏟</munder>2</munder>", "\\underbrace{a+b}_2");
    check("<mmultiscripts>C<none/><none/><mprescripts/>6<mrow>14</mrow></mmultiscripts>", "{}_6^{1 4}C");
    check_whole("<msup><mn>90</mn><mo>∘</mo></msup><msup><mi>f</mi><mo>′</mo></msup>", "90^\\circ f'");
}

#[test]
fn fences_and_tables() {
    check("<mfenced open='[' close=')'>a b</mfenced><msup><mfenced>x</mfenced>2</msup>", "[a,b)(x)^2");
    let table = "<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd/></mtr></mtable>";
    check(&format!("A={table}"), "A=\\begin{matrix} 1 & 2 \\\\ 3 &  \\end{matrix}");
    check(&format!("({table})"), "\\begin{pmatrix} 1 & 2 \\\\ 3 &  \\end{pmatrix}");
    check(
        "f={<mtable><mtr><mtd>x</mtd><mtd>x=0</mtd></mtr><mtr><mtd>-x</mtd><mtd>y</mtd></mtr></mtable>",
        "f=\\begin{cases} x & x=0 \\\\ -x & y \\end{cases}",
    );
    check(
        "<mtable><mtr><mtd>x</mtd><mtd>=1</mtd></mtr><mtr><mtd>y</mtd><mtd>=2</mtd></mtr></mtable>",
        "\\begin{aligned} x & =1 \\\\ y & =2 \\end{aligned}",
    );
}

#[test]
fn annotations_are_not_read() {
    check_whole(
        "<semantics><mrow><mi>x</mi></mrow><annotation encoding='application/x-tex'>y</annotation></semantics>",
        "x",
    );
    check_whole("<maction><mi>a</mi><mi>b</mi></maction>", "a");
    check_whole("", "");
}

#[test]
fn deep_ones_keep_their_text() {
    let deep = "<msqrt><mrow>".repeat(400) + "<mi>x</mi>" + &"</mrow></msqrt>".repeat(400);
    assert!(read(&deep).contains('x'));
}
