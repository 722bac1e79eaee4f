//! Fractions, roots, scripts, fences and tables: how each element of MathML combines its parts.

use super::element::{ElementHints, MathElement};
use super::linear::{accent_above, accent_below, compact, enclosed, grouped, lowered, raised, root_sign};
use super::row::{FormulaPart, FormulaPartKind, STACK};
use crate::limits::formula::MAX_SCRIPTS;

/// The parts of an element that must have N of them.
fn arguments<const N: usize>(parts: Vec<FormulaPart>) -> [FormulaPart; N] {
    let mut parts = parts.into_iter();
    let mut arguments: [FormulaPart; N] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    // Further parts join the last one.
    let last = arguments.last_mut().map(std::mem::take).unwrap_or_default();
    let last = FormulaPart::row(std::iter::once(last).chain(parts).collect());
    arguments[N - 1] = last;
    arguments
}

/// Combines the parts of an element into one part.
pub(super) fn structure(element: MathElement, parts: Vec<FormulaPart>, hints: ElementHints) -> FormulaPart {
    let nothing = FormulaPart::default;
    match element {
        MathElement::Fraction => {
            let [top, bottom] = arguments(parts);
            match hints.is_void {
                true => {
                    FormulaPart::new(FormulaPartKind::Stack, top.whole().text + STACK + &bottom.whole().text)
                }
                false => FormulaPart::new(
                    FormulaPartKind::Fraction,
                    format!("{}/{}", top.beside_slash(false), bottom.beside_slash(true)),
                ),
            }
        }
        MathElement::SquareRoot => root(FormulaPart::row(parts), nothing()),
        MathElement::Enclosed
            if hints.value.as_deref().is_some_and(|notation| notation.contains("radical")) =>
        {
            root(FormulaPart::row(parts), nothing())
        }
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
        MathElement::Fenced => fenced(parts, hints.fences, hints.value),
        MathElement::Table => table(parts),
        MathElement::TableRow => {
            FormulaPart { kind: FormulaPartKind::Table, text: String::new(), row: parts }
        }
        MathElement::First => parts.into_iter().next().unwrap_or_default(),
        _ => FormulaPart::row(parts),
    }
}

fn root(base: FormulaPart, degree: FormulaPart) -> FormulaPart {
    let base = base.whole();
    let base = if base.is_one() { base.text } else { enclosed(&base.text) };
    FormulaPart::new(FormulaPartKind::Root, root_sign(&compact(&degree.whole().text)) + &base)
}

fn script(part: FormulaPart, write: impl FnOnce(&str, &dyn Fn(&str) -> String) -> String) -> String {
    let part = part.whole();
    if part.text.is_empty() {
        return String::new();
    }
    let text = if part.kind == FormulaPartKind::Text { part.text.clone() } else { compact(&part.text) };
    let is_one = part.is_one();
    write(&text, &|text| if is_one { text.to_owned() } else { grouped_again(text) })
}

/// Words without spaces need no parentheses; other groups do.
fn grouped_again(text: &str) -> String {
    if text.chars().all(char::is_alphabetic) { grouped(text) } else { enclosed(text) }
}

fn scripts(lower: FormulaPart, upper: FormulaPart) -> String {
    let lower = script(lower, |text, group| lowered(text, group));
    // Degrees are written with the sign of an operator.
    lower + &script(upper, |text, group| raised(if text == "∘" { "°" } else { text }, group))
}

fn scripted(base: FormulaPart, lower: FormulaPart, upper: FormulaPart) -> FormulaPart {
    let scripts = scripts(lower, upper);
    if scripts.is_empty() {
        return base;
    }
    let base = base.into_base();
    let kind = match base.kind {
        FormulaPartKind::Number
        | FormulaPartKind::Letter
        | FormulaPartKind::Group
        | FormulaPartKind::Empty => FormulaPartKind::Scripted,
        // Operators and names keep their kind.
        kind => kind,
    };
    FormulaPart::new(kind, base.text + &scripts)
}

fn under_over(base: FormulaPart, lower: FormulaPart, upper: FormulaPart) -> FormulaPart {
    let sign = |part: &FormulaPart| {
        let mut chars = part.text.chars();
        chars.next().filter(|_| part.row.is_empty() && chars.next().is_none())
    };
    let above = sign(&upper);
    let below = sign(&lower);
    let is_operand = !matches!(
        base.kind,
        FormulaPartKind::Infix | FormulaPartKind::Big | FormulaPartKind::Word | FormulaPartKind::Empty
    );
    if let Some(accent) = above.and_then(accent_above).filter(|_| is_operand) {
        return scripted(accented(base, accent), lower, FormulaPart::default());
    }
    if let Some(line) = below.and_then(accent_below).filter(|_| is_operand) {
        return scripted(accented(base, line), FormulaPart::default(), upper);
    }
    match [above, below].into_iter().flatten().find(|sign| "⏞⏟⏠⏡⎴⎵".contains(*sign)) {
        Some(brace) => {
            FormulaPart::new(FormulaPartKind::Group, format!("{brace}{}", enclosed(&base.whole().text)))
        }
        None => scripted(base, lower, upper),
    }
}

/// An accent combines with the one letter below it, or with the parenthesis that ends what is below.
fn accented(base: FormulaPart, accent: char) -> FormulaPart {
    let base = base.whole();
    match base.text.chars().count() {
        1 => FormulaPart::new(base.kind, format!("{}{accent}", base.text)),
        _ => FormulaPart::new(FormulaPartKind::Group, format!("{}{accent}", enclosed(&base.text))),
    }
}

fn multiscripts(mut parts: Vec<FormulaPart>, prescripts: Option<usize>) -> FormulaPart {
    if parts.is_empty() {
        return FormulaPart::default();
    }
    let before = parts.split_off(prescripts.unwrap_or(parts.len()).clamp(1, parts.len()));
    let mut following = parts.into_iter();
    let base = following.next().unwrap_or_default();
    let (before, following) = (pairs(before.into_iter()), pairs(following));
    let base = base.into_base();
    let text = before + &base.text + &following;
    FormulaPart::new(
        if base.kind == FormulaPartKind::Big { FormulaPartKind::Big } else { FormulaPartKind::Scripted },
        text,
    )
}

fn pairs(mut parts: impl Iterator<Item = FormulaPart>) -> String {
    let mut text = String::new();
    for _ in 0..MAX_SCRIPTS {
        let Some(lower) = parts.next() else { break };
        text.push_str(&scripts(lower, parts.next().unwrap_or_default()));
    }
    let rest: Vec<String> = parts.map(|part| part.whole().text).collect();
    text + &rest.join(" ")
}

fn fenced(parts: Vec<FormulaPart>, fences: [Option<String>; 2], separators: Option<String>) -> FormulaPart {
    let [open, close] = fences;
    let separators: Vec<char> =
        separators.as_deref().unwrap_or(",").chars().filter(|c| !c.is_whitespace()).collect();
    let mut row = vec![FormulaPart::new(FormulaPartKind::Open, open.as_deref().unwrap_or("(").trim())];
    for (at, part) in parts.into_iter().enumerate() {
        if let Some(&sign) = separators.get(at.wrapping_sub(1)).or(separators.last()).filter(|_| at > 0) {
            let kind =
                if matches!(sign, ',' | ';' | '.') { FormulaPartKind::Comma } else { FormulaPartKind::Infix };
            row.push(FormulaPart::new(kind, sign));
        }
        row.push(part);
    }
    row.push(FormulaPart::new(FormulaPartKind::Close, close.as_deref().unwrap_or(")").trim()));
    // Its fences belong to it: a bar of the outer row does not close them.
    FormulaPart::row(row).whole()
}

/// Rows are separated by `; `, their cells by `, `; equations below each other keep their cells together.
fn table(rows: Vec<FormulaPart>) -> FormulaPart {
    let mut is_aligned = false;
    let mut lines: Vec<Vec<FormulaPart>> = Vec::with_capacity(rows.len());
    for row in rows {
        let cells: Vec<FormulaPart> = if row.kind == FormulaPartKind::Table { row.row } else { vec![row] };
        is_aligned |=
            cells.iter().skip(1).any(|cell| cell.kind == FormulaPartKind::Infix || begins_infix(cell));
        lines.push(cells);
    }
    let is_column = lines.iter().all(|cells| cells.len() < 2);
    let line = |cells: Vec<FormulaPart>| match is_aligned {
        true => FormulaPart::row(cells).whole().text,
        false => cells.into_iter().map(|cell| cell.whole().text).collect::<Vec<_>>().join(", "),
    };
    let texts: Vec<String> = lines.into_iter().map(line).collect();
    let text = texts.join("; ");
    match is_aligned || (is_column && text.contains(['=', '<', '>', '≤', '≥'])) {
        true => FormulaPart::new(FormulaPartKind::Several, text),
        false => FormulaPart::new(FormulaPartKind::Table, text),
    }
}

fn begins_infix(cell: &FormulaPart) -> bool {
    cell.row.first().is_some_and(|first| {
        first.kind == FormulaPartKind::Infix && !matches!(first.text.as_str(), "-" | "−" | "+" | "±")
    })
}
