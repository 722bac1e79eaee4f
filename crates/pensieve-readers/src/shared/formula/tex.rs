//! Parts of a formula as TeX, and how they combine: fractions, roots, scripts, fences, tables.
//!
//! Both notations of documents, MathML and Office's, end here, so one formula has one text wherever it stands. Braces are
//! only where TeX needs them (`x^2`, `x^{n+1}`), and spaces only after commands and where the document has them.

use super::signs;

/// The kind of a part, by how it combines with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum TexKind {
    /// Nothing.
    #[default]
    Empty,
    /// One letter, number, command or group.
    Atom,
    /// Several adjacent parts.
    Row,
    /// A base with scripts.
    Scripted,
    /// A sign between two sides.
    Relation,
    /// A sum, an integral, a function: limits become its scripts.
    Big,
    Open,
    Close,
    /// Opens or closes: `|`.
    Bar,
    Space,
    /// Rows of cells.
    Table,
    /// Equations below each other.
    Aligned,
    /// One thing above another, without a line between them.
    Stack,
}

/// A part of a formula.
#[derive(Debug, Clone, Default)]
pub(super) struct TexPart {
    pub kind: TexKind,
    pub text: String,
    /// The parts of a row.
    pub row: Vec<TexPart>,
}

impl TexPart {
    pub fn new(kind: TexKind, text: impl Into<String>) -> TexPart {
        TexPart { kind, text: text.into(), row: Vec::new() }
    }

    pub fn atom(text: impl Into<String>) -> TexPart {
        let text = text.into();
        TexPart::new(if text.is_empty() { TexKind::Empty } else { TexKind::Atom }, text)
    }

    /// Adjacent parts.
    pub fn row(parts: Vec<TexPart>) -> TexPart {
        let mut row = Vec::with_capacity(parts.len());
        for part in parts {
            match part.kind {
                TexKind::Empty => {}
                TexKind::Row if !part.row.is_empty() => row.extend(part.row),
                _ => row.push(part),
            }
        }
        match row.len() {
            0 => TexPart::default(),
            1 => row.pop().unwrap_or_default(),
            _ => TexPart { kind: TexKind::Row, text: String::new(), row },
        }
    }

    /// The same as one part.
    pub fn whole(self) -> TexPart {
        match self.kind {
            TexKind::Row if !self.row.is_empty() => joined(self.row),
            TexKind::Table => environment("matrix", &self.text),
            TexKind::Aligned => environment("aligned", &self.text),
            TexKind::Stack => TexPart::atom(format!("\\substack{{{}}}", self.text)),
            _ => self,
        }
    }

    /// Its TeX.
    pub fn tex(self) -> String {
        self.whole().text.trim().to_owned()
    }

    fn into_base(self) -> TexPart {
        let part = self.whole();
        match part.kind {
            TexKind::Empty | TexKind::Row | TexKind::Scripted => {
                TexPart::atom(format!("{{{}}}", part.text.trim()))
            }
            _ => part,
        }
    }

    fn only_char(&self) -> Option<char> {
        let mut chars = self.text.chars();
        chars.next().filter(|_| self.row.is_empty() && chars.next().is_none())
    }
}

/// One character as a part.
pub(super) fn sign_part(c: char) -> TexPart {
    let text = signs::sign(c);
    match c {
        _ if text.is_empty() => TexPart::default(),
        '(' | '[' | '{' | '⟨' | '⌊' | '⌈' | '⟦' => TexPart::new(TexKind::Open, text),
        ')' | ']' | '}' | '⟩' | '⌋' | '⌉' | '⟧' => TexPart::new(TexKind::Close, text),
        '|' | '‖' | '∣' | '∥' => {
            TexPart::new(TexKind::Bar, if c == '∣' { "|".to_owned() } else { text })
        }
        _ if signs::is_big(c) => TexPart::new(TexKind::Big, text),
        _ if signs::is_relation(c) => TexPart::new(TexKind::Relation, text),
        _ => TexPart::atom(text),
    }
}

/// A name of several letters: a function, or letters that stand upright.
pub(super) fn name_part(name: &str) -> TexPart {
    let text = signs::function(name).unwrap_or_else(|| format!("\\mathrm{{{}}}", signs_of(name)));
    TexPart::new(TexKind::Big, text)
}

/// Words.
pub(super) fn text_part(text: &str) -> TexPart {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return TexPart::new(TexKind::Space, " ");
    }
    let [before, after] = [text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)]
        .map(|has| if has { " " } else { "" });
    let mut escaped = String::new();
    for c in words.chars() {
        match c {
            '{' | '}' | '%' | '#' | '$' | '&' | '_' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str("\\textbackslash "),
            _ => escaped.push(c),
        }
    }
    TexPart::atom(format!("\\text{{{before}{escaped}{after}}}"))
}

/// Letters and signs, one after the other.
pub(super) fn signs_of(text: &str) -> String {
    let mut tex = String::new();
    text.chars().for_each(|c| push(&mut tex, &signs::sign(c)));
    tex
}

pub(super) fn in_font(font: &str, part: TexPart) -> TexPart {
    TexPart::atom(format!("{font}{{{}}}", part.tex()))
}

/// Adds TeX after TeX: a letter must not become part of the command before it.
fn push(tex: &mut String, next: &str) {
    let name = tex.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ends_command = name.len() < tex.len() && name.ends_with('\\');
    if ends_command && next.starts_with(|c: char| c.is_ascii_alphabetic()) {
        tex.push(' ');
    }
    tex.push_str(next);
}

/// Puts the parts of a row together.
fn joined(parts: Vec<TexPart>) -> TexPart {
    let kind = if is_fenced(&parts) { TexKind::Atom } else { TexKind::Row };
    let mut text = String::new();
    let mut at = 0;
    while at < parts.len() {
        let (next, len) = fenced_table(&parts[at..]).unwrap_or_else(|| (parts[at].clone().whole(), 1));
        match next.kind {
            TexKind::Space if text.ends_with(' ') => {}
            // Numbers side by side are two.
            _ if text.ends_with(is_digit) && next.text.starts_with(is_digit) => {
                text = text + " " + &next.text
            }
            _ => push(&mut text, &next.text),
        }
        at += len;
    }
    let text = text.trim().to_owned();
    TexPart::new(if text.is_empty() { TexKind::Empty } else { kind }, text)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// A table or stack between fences of its own, and how many parts that is.
fn fenced_table(parts: &[TexPart]) -> Option<(TexPart, usize)> {
    let [open, inside, rest @ ..] = parts else { return None };
    let close = rest.first().map_or("", |part| part.text.as_str());
    let name = match (inside.kind, open.text.as_str(), close) {
        (TexKind::Stack, "(", ")") => {
            let (top, bottom) = inside.text.split_once(" \\\\ ")?;
            return Some((TexPart::atom(format!("\\binom{{{top}}}{{{bottom}}}")), 3));
        }
        (TexKind::Table, "(", ")") => "pmatrix",
        (TexKind::Table, "[", "]") => "bmatrix",
        (TexKind::Table, "|", "|") => "vmatrix",
        (TexKind::Table, "\\|", "\\|") => "Vmatrix",
        (TexKind::Table | TexKind::Aligned, "\\{", close) if close != "\\}" => {
            return Some((environment("cases", &inside.text), 2));
        }
        _ => return None,
    };
    Some((environment(name, &inside.text), 3))
}

fn environment(name: &str, body: &str) -> TexPart {
    TexPart::atom(format!("\\begin{{{name}}} {body} \\end{{{name}}}"))
}

/// True if the first part opens what the last one closes.
fn is_fenced(parts: &[TexPart]) -> bool {
    let mut depth = 0_usize;
    for (at, part) in parts.iter().enumerate() {
        match part.kind {
            TexKind::Open => depth += 1,
            TexKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at > 0 && at + 1 == parts.len() && part.text.len() == 1;
        }
    }
    false
}

pub(super) fn fraction(top: TexPart, bottom: TexPart, has_line: bool) -> TexPart {
    match has_line {
        true => TexPart::atom(format!("\\frac{{{}}}{{{}}}", top.tex(), bottom.tex())),
        false => TexPart::new(TexKind::Stack, format!("{} \\\\ {}", top.tex(), bottom.tex())),
    }
}

pub(super) fn root(base: TexPart, degree: TexPart) -> TexPart {
    let (base, degree) = (base.tex(), degree.tex());
    TexPart::atom(match degree.as_str() {
        "" | "2" => format!("\\sqrt{{{base}}}"),
        _ => format!("\\sqrt[{degree}]{{{base}}}"),
    })
}

/// A script after its mark, in braces unless TeX takes it as one.
fn script(mark: char, part: TexPart) -> String {
    let text = part.tex();
    let is_prime = !text.is_empty() && text.chars().all(|c| c == '\'');
    let is_command =
        text.strip_prefix('\\').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic()));
    match text.strip_prefix("^\\circ") {
        _ if text.is_empty() => String::new(),
        _ if is_prime && mark == '^' => text,
        Some("") => text,
        _ if is_command || text.chars().count() == 1 => format!("{mark}{text}"),
        _ => format!("{mark}{{{text}}}"),
    }
}

pub(super) fn scripted(base: TexPart, lower: TexPart, upper: TexPart) -> TexPart {
    let scripts = script('_', lower) + &script('^', upper);
    if scripts.is_empty() {
        return base;
    }
    let base = base.into_base();
    let kind = if base.kind == TexKind::Big { TexKind::Big } else { TexKind::Scripted };
    TexPart::new(kind, base.text + &scripts)
}

/// Scripts before their base.
pub(super) fn prescripted(scripts: Vec<(TexPart, TexPart)>, base: TexPart) -> TexPart {
    let before: String = scripts
        .into_iter()
        .map(|(lower, upper)| "{}".to_owned() + &script('_', lower) + &script('^', upper))
        .collect();
    TexPart::new(TexKind::Row, before + &base.tex())
}

/// What stands below and above a base: an accent, limits, or something else.
pub(super) fn under_over(base: TexPart, lower: TexPart, upper: TexPart) -> TexPart {
    if let Some(base) = accented(&base, &upper, true) {
        return scripted(base, lower, TexPart::default());
    }
    if let Some(base) = accented(&base, &lower, false) {
        return scripted(base, TexPart::default(), upper);
    }
    let base = base.whole();
    let is_brace = ["\\overbrace", "\\underbrace", "\\overbracket", "\\underbracket"]
        .iter()
        .any(|b| base.text.starts_with(b));
    if base.kind == TexKind::Big || is_brace || base.kind == TexKind::Scripted {
        return scripted(base, lower, upper);
    }
    let (lower, upper) = (lower.tex(), upper.tex());
    let mut tex = base.text;
    if !upper.is_empty() {
        tex = format!("\\overset{{{upper}}}{{{tex}}}");
    }
    if !lower.is_empty() {
        tex = format!("\\underset{{{lower}}}{{{tex}}}");
    }
    TexPart::new(TexKind::Relation, tex)
}

/// The base with the accent that this sign is.
fn accented(base: &TexPart, accent: &TexPart, is_above: bool) -> Option<TexPart> {
    // As the sign was before it became a command.
    let sign = match accent.text.as_str() {
        "\\to" => '→',
        "\\leftarrow" => '←',
        "\\leftrightarrow" => '↔',
        "\\sim" => '~',
        "\\_" => '_',
        _ => accent.only_char()?,
    };
    let base = Some(base.clone().whole())
        .filter(|base| !matches!(base.kind, TexKind::Relation | TexKind::Big | TexKind::Empty))?;
    let is_one = base.text.chars().count() == 1
        || base.text.starts_with('\\') && base.text[1..].chars().all(char::is_alphabetic);
    let command = if is_above { signs::accent_above(sign, is_one) } else { signs::accent_below(sign) }?;
    Some(TexPart::atom(format!("{command}{{{}}}", base.text)))
}

/// Parts between fences, with a sign between each two.
pub(super) fn fenced(parts: Vec<TexPart>, open: &str, close: &str, separators: &[char]) -> TexPart {
    let mut row = vec![TexPart::new(TexKind::Open, signs_of(open))];
    for (at, part) in parts.into_iter().enumerate() {
        if let Some(&sign) = separators.get(at.wrapping_sub(1)).or(separators.last()).filter(|_| at > 0) {
            row.push(TexPart::atom(signs::sign(sign)));
        }
        row.push(part);
    }
    row.push(TexPart::new(TexKind::Close, signs_of(close)));
    // Its fences belong to it.
    row.retain(|part| !part.text.is_empty() || !part.row.is_empty());
    joined(row)
}

/// Rows of cells.
pub(super) fn table(mut rows: Vec<Vec<TexPart>>) -> TexPart {
    // Of one cell there is nothing to align.
    if let [cells] = rows.as_mut_slice()
        && cells.len() == 1
    {
        return cells.remove(0);
    }
    let begins_relation =
        |cell: &TexPart| cell.row.first().map_or(cell.kind, |first| first.kind) == TexKind::Relation;
    let has_relation = |cell: &TexPart| cell.row.iter().any(|part| part.kind == TexKind::Relation);
    let is_column = rows.iter().all(|cells| cells.len() < 2);
    let is_aligned = rows.iter().flat_map(|cells| cells.iter().skip(1)).any(begins_relation)
        || is_column && rows.iter().flatten().any(has_relation);
    let line = |cells: Vec<TexPart>| cells.into_iter().map(TexPart::tex).collect::<Vec<_>>().join(" & ");
    let body = rows.into_iter().map(line).collect::<Vec<_>>().join(" \\\\ ");
    TexPart::new(if is_aligned { TexKind::Aligned } else { TexKind::Table }, body)
}
