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
fn spaces_stand_as_a_reader_writes_them() {
    check("a+b=c", "a + b = c");
    check("-x±1", "-x ± 1");
    check("2\u{2062}a\u{2062}b", "2 a b");
    check("2\u{2062}3", "2 3");
    check("f\u{2061}(x,y)", "f(x, y)");
    check_whole("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi><mo>+</mo><mi>y</mi>", "sin x + y");
    check_whole("<mn>2</mn><mi>log</mi><mo>(</mo><mi>x</mi><mo>)</mo>", "2 log(x)");
    check_whole("<mi>x</mi><mtext>&#xa0;if&#xa0;</mtext><mi>y</mi><mo>&lt;</mo><mn>0</mn>", "x if y < 0");
    check_whole("<mi>a</mi><mspace width='1em'/><mi>b</mi><mphantom><mi>c</mi></mphantom>", "a b");
    check("|x|+|y|", "|x| + |y|");
    check("P(A|B)=n!", "P(A | B) = n!");
    check("∀x∈R:∃y", "∀x ∈ R : ∃y");
}

#[test]
fn fractions_and_roots_are_grouped() {
    check("<mfrac><mrow>a+b</mrow><mrow>2a</mrow></mfrac>", "(a + b)/(2 a)");
    check("<mfrac><mrow>dy</mrow><mrow>dx</mrow></mfrac>", "dy/dx");
    check("<mfrac>1 2</mfrac>m<msup>v2</msup>", "1/2 m v^2");
    check("<mfrac>x y</mfrac>z", "(x/y)z");
    check("<mfrac><mfrac>a b</mfrac>c</mfrac>", "(a/b)/c");
    check("<msqrt>π</msqrt>", "√π");
    check("<msqrt>a+b</msqrt>c", "√(a + b) c");
    check("<mroot>x3</mroot>+<mroot><mrow>x+1</mrow>n</mroot>", "∛x + ^n√(x + 1)");
    check("(<mfrac linethickness='0'>n k</mfrac>)", "(n choose k)");
    check(
        "x=<mfrac><mrow>-b±<msqrt><msup>b2</msup>-4ac</msqrt></mrow><mrow>2a</mrow></mfrac>",
        "x = (-b ± √(b^2 - 4 a c))/(2 a)",
    );
    check("<menclose notation='radical'>2</menclose><menclose notation='box'>x</menclose>", "√2 x");
}

#[test]
fn scripts_belong_to_what_they_stand_at() {
    check("<msup>e<mrow>-<msup>x2</msup></mrow></msup>", "e^(-x^2)");
    check("<msup><mrow>(a+b)</mrow>2</msup>", "(a + b)^2");
    check("<msup><mrow>a+b</mrow>n</msup>", "(a + b)^n");
    check("<msup><msup>x2</msup>3</msup>", "(x^2)^3");
    check("<msup>xa</msup>y", "x^a y");
    check("<msub>a<mrow>i,j</mrow></msub>+<msubsup>x12</msubsup>", "a_(i,j) + x_1^2");
    check("<munderover>∑<mrow>i=0</mrow>n</munderover><msub>xi</msub>", "∑_(i=0)^n x_i");
    check("<msubsup>∫0∞</msubsup>f(x)dx", "∫_0^∞ f(x)dx");
    check_whole(
        "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>x</mi>",
        "lim_(x→0) x",
    );
    check_whole("<msup><mi>sin</mi><mn>2</mn></msup><mi>x</mi>", "sin^2 x");
    check("A<mover>→f</mover>B", "A →^f B");
    check("<mover>x^</mover>+<mover accent='true'><mrow>AB</mrow>→</mover>", "x̂ + (A B)⃗");
    check("<munder><munder><mrow>a+b</mrow>⏟</munder>2</munder>", "⏟(a + b)_2");
    check("<mmultiscripts>C<none/><none/><mprescripts/>6<mrow>14</mrow></mmultiscripts>", "_6^(1 4)C");
    check_whole("<msup><mn>90</mn><mo>∘</mo></msup>", "90°");
}

#[test]
fn fences_and_tables() {
    check("<mfenced open='[' close=')'>a b</mfenced><msup><mfenced>x</mfenced>2</msup>", "[a, b)(x)^2");
    let table = "<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd/></mtr></mtable>";
    check(&format!("A={table}"), "A = [1, 2; 3, ]");
    check(&format!("({table})+[{table}]"), "(1, 2; 3, ) + [1, 2; 3, ]");
    check(
        "f={<mtable><mtr><mtd>x</mtd><mtd>x>0</mtd></mtr><mtr><mtd>-x</mtd><mtd>y</mtd></mtr></mtable>",
        "f = {x, x > 0; -x, y",
    );
    check(
        "<mtable><mtr><mtd>x</mtd><mtd>=1</mtd></mtr><mtr><mtd>y</mtd><mtd>=2</mtd></mtr></mtable>",
        "x = 1; y = 2",
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

#[test]
fn neighbours_keep_their_distance() {
    check("a<mfrac><mn>1</mn><mn>2</mn></mfrac>", "a(1/2)");
    check("3<mfrac><mn>1</mn><mn>2</mn></mfrac>", "3 1/2");
    check("<mfrac><mn>1</mn><mn>2</mn></mfrac>a", "1/2 a");
    check("<mfrac><mi>a</mi><mi>b</mi></mfrac>(c)", "(a/b)(c)");
    check("<msqrt><mi>a</mi></msqrt>b", "√a b");
    check("<msqrt><mi>a</mi><mo>+</mo><mn>1</mn></msqrt>(b)", "√(a + 1)(b)");
    check("|a|+|b|", "|a| + |b|");
    check("a|b", "a | b");
    check("n!", "n!");
    check("a,b;c", "a, b; c");
    check("<mi>sin</mi>a", "sin a");
    check("<mi>f</mi>\u{2061}(a)", "f(a)");
    check("<msub><mi>a</mi><mn>1</mn></msub>\u{2063}2", "a_1 2");
    check("1\u{2063}2", "1,2");
    check("<mtext>if</mtext>a<mtext>or</mtext>b", "if a or b");
    check("da", "da");
    check("*a", "*a");
    check("a→b", "a → b");
}
