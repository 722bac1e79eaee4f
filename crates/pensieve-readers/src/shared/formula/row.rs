//! Adjacent parts of a formula: which of them belong to their neighbours, and which need a space or parentheses.

use super::linear::enclosed;

/// The kind of a part, by how it joins its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum FormulaPartKind {
    /// Nothing.
    #[default]
    Empty,
    /// Adjacent parts, not yet joined.
    Row,
    Number,
    /// A name of one letter, or a part that is read like one.
    Letter,
    /// A name of several: `sin`.
    Word,
    /// Words between formulas.
    Text,
    /// Explicit white space.
    Space,
    Open,
    Close,
    /// Opens or closes: `|`.
    Bar,
    Infix,
    /// An operator without spaces around it: `/`.
    Tight,
    Prefix,
    Postfix,
    Comma,
    /// A sum or an integral.
    Big,
    /// The invisible operators.
    Apply,
    Times,
    Separator,
    Plus,
    Fraction,
    /// One thing above another, without a line between them.
    Stack,
    Scripted,
    Root,
    /// In fences of its own.
    Group,
    /// A name and its arguments: `f(x)`.
    Call,
    /// Cells of a matrix, without fences.
    Table,
    /// Several things.
    Several,
}

use FormulaPartKind::*;

/// Separates the two parts of a stack.
pub(super) const STACK: &str = "¦";

/// A part of a formula.
#[derive(Debug, Default)]
pub(super) struct FormulaPart {
    pub kind: FormulaPartKind,
    pub text: String,
    /// The parts of a row.
    pub row: Vec<FormulaPart>,
}

impl FormulaPart {
    pub fn new(kind: FormulaPartKind, text: impl Into<String>) -> FormulaPart {
        FormulaPart { kind, text: text.into(), row: Vec::new() }
    }

    /// Adjacent parts.
    pub fn row(parts: Vec<FormulaPart>) -> FormulaPart {
        let mut row = Vec::with_capacity(parts.len());
        for part in parts {
            match part.kind {
                Empty => {}
                Row => row.extend(part.row),
                _ => row.push(part),
            }
        }
        match row.len() {
            0 => FormulaPart::default(),
            1 => row.pop().unwrap_or_default(),
            _ => FormulaPart { kind: Row, text: String::new(), row },
        }
    }

    /// The same as one part.
    pub fn whole(self) -> FormulaPart {
        match self.kind {
            Row => joined(self.row),
            Table => FormulaPart::new(Group, format!("[{}]", self.text)),
            Stack => FormulaPart::new(Several, self.text.replace(STACK, "; ")),
            Apply | Times | Separator | Plus | Space => FormulaPart::default(),
            _ => self,
        }
    }

    /// The text with parentheses if it needs them above or below a fraction slash.
    pub fn beside_slash(self, is_below: bool) -> String {
        let part = self.whole();
        let is_one = match part.kind {
            Fraction | Text | Several => false,
            Call => !is_below,
            _ => true,
        };
        if is_one { part.text } else { enclosed(&part.text) }
    }

    /// The part with parentheses if it needs them as the base of scripts.
    pub fn into_base(self) -> FormulaPart {
        let part = self.whole();
        match part.kind {
            Fraction | Text | Several | Scripted | Root | Call => {
                FormulaPart::new(Group, enclosed(&part.text))
            }
            _ => part,
        }
    }

    /// True if it needs no parentheses as a script or below a root.
    pub fn is_one(&self) -> bool {
        match self.kind {
            Number | Letter | Empty => true,
            Group => self.text.starts_with('('),
            Word | Infix | Prefix | Postfix | Bar | Tight | Comma | Big => !self.text.contains(['^', '_']),
            _ => false,
        }
    }

    fn is_operand(&self) -> bool {
        matches!(
            self.kind,
            Number
                | Letter
                | Word
                | Text
                | Close
                | Postfix
                | Fraction
                | Stack
                | Scripted
                | Root
                | Group
                | Call
                | Table
        )
    }

    fn is_numeric(&self) -> bool {
        self.text.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | ','))
    }

    /// True if it ends in a script that would absorb what follows.
    fn is_loose(&self) -> bool {
        let mark = self.text.rfind(['^', '_']).filter(|_| matches!(self.kind, Scripted | Word));
        mark.is_some_and(|at| !self.text[at..].contains(['(', ')']))
    }
}

/// Puts the parts of a row together.
fn joined(mut parts: Vec<FormulaPart>) -> FormulaPart {
    resolve(&mut parts);
    let kind = kind_of(&parts);
    let mut text = String::new();
    let mut before: Option<usize> = None;
    // The invisible operator in between.
    let mut between = Empty;
    for at in 0..parts.len() {
        if matches!(parts[at].kind, Apply | Times | Separator | Plus | Space) {
            between = if between == Space { Space } else { parts[at].kind };
            continue;
        }
        if let Some(last) = before {
            text.push_str(gap(&parts[last], between, &parts[at]));
        }
        let after = parts[at + 1..].iter().find(|part| !matches!(part.kind, Apply | Times | Space));
        text.push_str(&part_text(before.map(|last| &parts[last]), &parts[at], after));
        (before, between) = (Some(at), Empty);
    }
    FormulaPart::new(kind, text)
}

/// Decides which bars open and which close, and which signs are operators.
fn resolve(parts: &mut [FormulaPart]) {
    let mut is_open = false;
    for at in 0..parts.len() {
        let follows =
            parts[..at].iter().rev().find(|part| part.kind != Space).is_some_and(FormulaPart::is_operand);
        let bars_after = parts[at + 1..].iter().take(40).filter(|part| part.kind == Bar).count();
        let kind = match parts[at].kind {
            Bar if !follows => Open,
            Bar if is_open => Close,
            Bar if bars_after == 0 => Infix,
            Bar => Open,
            Infix if !follows && at + 1 < parts.len() && is_sign(&parts[at].text) => Prefix,
            Infix if at + 1 == parts.len() && follows && is_sign(&parts[at].text) => Postfix,
            kind => kind,
        };
        if parts[at].kind == Bar {
            is_open = kind == Open;
        }
        parts[at].kind = kind;
    }
}

fn is_sign(text: &str) -> bool {
    matches!(text, "+" | "-" | "−" | "±" | "∓" | "*" | "∗" | "~" | "∼" | "⊕" | "⊖" | "×")
}

/// The kind of several parts together.
fn kind_of(parts: &[FormulaPart]) -> FormulaPartKind {
    let visible: Vec<&FormulaPart> =
        parts.iter().filter(|part| !matches!(part.kind, Apply | Times | Separator | Plus | Space)).collect();
    match visible.as_slice() {
        [] => Empty,
        [one] => match one.kind {
            Table | Stack => Group,
            kind => kind,
        },
        // The differential of one variable: `dx`.
        [first, second] if is_differential(first) && matches!(second.kind, Letter | Scripted) => Scripted,
        [first, FormulaPart { kind: Postfix, .. }] if first.is_operand() => Scripted,
        rest if is_fenced(rest) => Group,
        [FormulaPart { kind: Letter | Word | Scripted, .. }, rest @ ..] if is_fenced(rest) => Call,
        _ => Several,
    }
}

/// True if the first part opens what the last one closes.
fn is_fenced(parts: &[&FormulaPart]) -> bool {
    if let [part] = parts {
        return part.kind == Group;
    }
    let mut depth = 0_usize;
    for (at, part) in parts.iter().enumerate() {
        match part.kind {
            Open => depth += 1,
            Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at > 0 && at + 1 == parts.len() && part.text.chars().count() == 1;
        }
    }
    false
}

/// The text of a part between its neighbours.
fn part_text(before: Option<&FormulaPart>, part: &FormulaPart, after: Option<&FormulaPart>) -> String {
    let is_fenced = before.is_some_and(|before| before.kind == Open);
    let follows = before.is_some_and(|before| before.is_operand() && before.kind != Text);
    let precedes = after.is_some_and(|after| {
        (after.is_operand() && !matches!(after.kind, Text | Close | Postfix)) || after.kind == Open
    });
    match part.kind {
        Table if is_fenced => part.text.clone(),
        Table => format!("[{}]", part.text),
        Stack if is_fenced => part.text.replace(STACK, " choose "),
        Stack => enclosed(&part.text.replace(STACK, "; ")),
        Fraction if part.is_numeric() && (!follows || before.is_some_and(FormulaPart::is_numeric)) => {
            part.text.clone()
        }
        Fraction if follows || precedes => enclosed(&part.text),
        _ => part.text.clone(),
    }
}

/// The text between two parts.
fn gap(before: &FormulaPart, between: FormulaPartKind, after: &FormulaPart) -> &'static str {
    let number_meets_number =
        || before.text.ends_with(char::is_numeric) && after.text.starts_with(|c: char| c.is_numeric());
    let is_prescript =
        || after.text.starts_with(|c: char| "^_⁺⁻₊₋".contains(c) || (c.is_numeric() && !c.is_ascii_digit()));
    match (before.kind, after.kind) {
        (Open, _) | (_, Close | Comma | Postfix) => "",
        (Prefix | Tight, _) | (_, Tight) => "",
        _ if between == Space => " ",
        (Comma | Infix | Big | Text, _) | (_, Infix | Big | Text) => " ",
        // A matrix in front of a parenthesis would read as a link.
        (_, Open | Group) if before.text.ends_with(']') => " ",
        (_, Open | Group) if between == Apply => "",
        (Word, Open | Group) if !before.is_loose() => "",
        (Word, _) | (_, Word) => " ",
        (Fraction, _) if before.is_numeric() => " ",
        (_, Fraction) if after.is_numeric() && before.is_numeric() => " ",
        (_, Fraction) | (Fraction, _) => "",
        _ if between == Apply || before.is_loose() => " ",
        _ if between == Separator && number_meets_number() => ",",
        _ if number_meets_number() => " ",
        (Root, Open | Group) => "",
        (Root, _) | (_, Prefix) | (Letter | Scripted, Number) => " ",
        _ if is_prescript() => " ",
        // Adjacent symbols stay separate words (`4 a c`), except in `dx`.
        (Number | Letter | Scripted, Letter | Scripted) if !is_differential(before) => " ",
        _ => "",
    }
}

fn is_differential(part: &FormulaPart) -> bool {
    matches!(part.text.as_str(), "d" | "∂" | "ⅆ")
}
