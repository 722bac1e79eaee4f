//! The signs of mathematics in TeX: letters, operators, fences, names of functions, accents.
//!
//! A sign without a row is itself, since TeX of today reads Unicode. Sources: the operator dictionary of MathML 3 and
//! the names of LaTeX and its package `amssymb`.

use unicode_normalization::UnicodeNormalization;

/// Signs and their commands, sorted by sign.
const COMMANDS: &[(char, &str)] = &[
    ('¬', "\\neg"),
    ('°', "^\\circ"),
    ('±', "\\pm"),
    ('·', "\\cdot"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Υ', "\\Upsilon"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('ς', "\\varsigma"),
    ('σ', "\\sigma"),
    ('τ', "\\tau"),
    ('υ', "\\upsilon"),
    ('φ', "\\varphi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('ϑ', "\\vartheta"),
    ('ϕ', "\\phi"),
    ('ϖ', "\\varpi"),
    ('ϱ', "\\varrho"),
    ('ϵ', "\\epsilon"),
    ('‖', "\\|"),
    ('†', "\\dagger"),
    ('‡', "\\ddagger"),
    ('•', "\\bullet"),
    ('…', "\\ldots"),
    ('′', "'"),
    ('″', "''"),
    ('‴', "'''"),
    ('⁄', "/"),
    ('ℏ', "\\hbar"),
    ('ℓ', "\\ell"),
    ('℘', "\\wp"),
    ('ℵ', "\\aleph"),
    ('←', "\\leftarrow"),
    ('↑', "\\uparrow"),
    ('→', "\\to"),
    ('↓', "\\downarrow"),
    ('↔', "\\leftrightarrow"),
    ('↦', "\\mapsto"),
    ('⇌', "\\rightleftharpoons"),
    ('⇐', "\\Leftarrow"),
    ('⇒', "\\Rightarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('∀', "\\forall"),
    ('∂', "\\partial"),
    ('∃', "\\exists"),
    ('∄', "\\nexists"),
    ('∅', "\\emptyset"),
    ('∆', "\\Delta"),
    ('∇', "\\nabla"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('∋', "\\ni"),
    ('∏', "\\prod"),
    ('∐', "\\coprod"),
    ('∑', "\\sum"),
    ('−', "-"),
    ('∓', "\\mp"),
    ('∕', "/"),
    ('∖', "\\setminus"),
    ('∗', "*"),
    ('∘', "\\circ"),
    ('∙', "\\bullet"),
    ('√', "\\surd"),
    ('∝', "\\propto"),
    ('∞', "\\infty"),
    ('∠', "\\angle"),
    ('∣', "\\mid"),
    ('∥', "\\parallel"),
    ('∧', "\\land"),
    ('∨', "\\lor"),
    ('∩', "\\cap"),
    ('∪', "\\cup"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∭', "\\iiint"),
    ('∮', "\\oint"),
    ('∴', "\\therefore"),
    ('∵', "\\because"),
    ('∶', ":"),
    ('∼', "\\sim"),
    ('≃', "\\simeq"),
    ('≅', "\\cong"),
    ('≈', "\\approx"),
    ('≔', ":="),
    ('≜', "\\triangleq"),
    ('≠', "\\neq"),
    ('≡', "\\equiv"),
    ('≤', "\\leq"),
    ('≥', "\\geq"),
    ('≪', "\\ll"),
    ('≫', "\\gg"),
    ('⊂', "\\subset"),
    ('⊃', "\\supset"),
    ('⊆', "\\subseteq"),
    ('⊇', "\\supseteq"),
    ('⊕', "\\oplus"),
    ('⊗', "\\otimes"),
    ('⊢', "\\vdash"),
    ('⊤', "\\top"),
    ('⊥', "\\perp"),
    ('⊨', "\\models"),
    ('⋀', "\\bigwedge"),
    ('⋁', "\\bigvee"),
    ('⋂', "\\bigcap"),
    ('⋃', "\\bigcup"),
    ('⋅', "\\cdot"),
    ('⋆', "\\star"),
    ('⋮', "\\vdots"),
    ('⋯', "\\cdots"),
    ('⋱', "\\ddots"),
    ('⌈', "\\lceil"),
    ('⌉', "\\rceil"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⟨', "\\langle"),
    ('⟩', "\\rangle"),
    ('⟵', "\\longleftarrow"),
    ('⟶', "\\longrightarrow"),
    ('⟹', "\\Longrightarrow"),
    ('⟺', "\\Longleftrightarrow"),
    ('⟼', "\\longmapsto"),
    ('⨁', "\\bigoplus"),
    ('⨂', "\\bigotimes"),
    ('⩽', "\\leqslant"),
    ('⩾', "\\geqslant"),
];

/// Functions that have a command of their name.
const FUNCTIONS: &[&str] = &[
    "Pr", "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim",
    "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "sec",
    "sin", "sinh", "sup", "tan", "tanh",
];

/// The command of a font, its names, and its letters.
type MathFont = (&'static str, &'static [&'static str], &'static [(u32, u32)]);

/// Fonts of mathematical letters that mean something, by the names of MathML and Office and by the first and last
/// letter of Unicode's alphabets. Italic is how letters look anyway.
const FONTS: &[MathFont] = &[
    (
        "\\mathbf",
        &["bold", "bold-italic", "b", "bi"],
        &[(0x1d400, 0x1d433), (0x1d468, 0x1d49b), (0x1d6a8, 0x1d6e1), (0x1d71c, 0x1d755), (0x1d7ce, 0x1d7d7)],
    ),
    (
        "\\mathcal",
        &["script", "bold-script"],
        &[
            (0x1d49c, 0x1d503),
            (0x210a, 0x210b),
            (0x2110, 0x2110),
            (0x2112, 0x2112),
            (0x211b, 0x211b),
            (0x212c, 0x212c),
            (0x212f, 0x2131),
            (0x2133, 0x2134),
        ],
    ),
    (
        "\\mathfrak",
        &["fraktur", "bold-fraktur"],
        &[
            (0x1d504, 0x1d537),
            (0x1d56c, 0x1d59f),
            (0x210c, 0x210c),
            (0x2111, 0x2111),
            (0x211c, 0x211c),
            (0x2128, 0x2128),
            (0x212d, 0x212d),
        ],
    ),
    (
        "\\mathbb",
        &["double-struck"],
        &[
            (0x1d538, 0x1d56b),
            (0x1d7d8, 0x1d7e1),
            (0x2102, 0x2102),
            (0x210d, 0x210d),
            (0x2115, 0x2115),
            (0x2119, 0x211a),
            (0x211d, 0x211d),
            (0x2124, 0x2124),
        ],
    ),
    (
        "\\mathsf",
        &["sans-serif", "bold-sans-serif", "sans-serif-italic", "sans-serif-bold-italic"],
        &[(0x1d5a0, 0x1d66f), (0x1d756, 0x1d7cb), (0x1d7e2, 0x1d7f5)],
    ),
    ("\\mathtt", &["monospace"], &[(0x1d670, 0x1d6a3), (0x1d7f6, 0x1d7ff)]),
];

/// Signs that combine with what is below them; commands for one letter and for several.
const ACCENTS_ABOVE: &[(&str, &str, &str)] = &[
    ("^ˆ\u{302}", "\\hat", "\\widehat"),
    ("~˜∼\u{303}", "\\tilde", "\\widetilde"),
    ("¯‾_\u{304}\u{305}―─", "\\bar", "\\overline"),
    ("˙.\u{307}", "\\dot", "\\dot"),
    ("¨\u{308}", "\\ddot", "\\ddot"),
    ("\u{20db}", "\\dddot", "\\dddot"),
    ("ˇ\u{30c}", "\\check", "\\check"),
    ("˘\u{306}", "\\breve", "\\breve"),
    ("´\u{301}", "\\acute", "\\acute"),
    ("`\u{300}", "\\grave", "\\grave"),
    ("˚\u{30a}", "\\mathring", "\\mathring"),
    ("→⃗⇀\u{20d1}", "\\vec", "\\overrightarrow"),
    ("←\u{20d6}", "\\overleftarrow", "\\overleftarrow"),
    ("↔\u{20e1}", "\\overleftrightarrow", "\\overleftrightarrow"),
    ("⏞", "\\overbrace", "\\overbrace"),
    ("⎴", "\\overbracket", "\\overbracket"),
];

/// The same below.
const ACCENTS_BELOW: &[(&str, &str)] =
    &[("_¯‾\u{332}―─", "\\underline"), ("⏟", "\\underbrace"), ("⎵", "\\underbracket")];

/// Writes a sign as TeX.
pub(super) fn sign(c: char) -> String {
    if let Ok(at) = COMMANDS.binary_search_by_key(&c, |(sign, _)| *sign) {
        return COMMANDS[at].1.to_owned();
    }
    match c {
        '{' | '}' | '%' | '#' | '$' | '&' | '_' => format!("\\{c}"),
        '\\' => "\\backslash".to_owned(),
        '~' => "\\sim".to_owned(),
        // The invisible operators, joiners, and selectors of variants.
        '\u{2061}'..='\u{2064}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' => {
            String::new()
        }
        _ => letter(c),
    }
}

/// A letter of one of the alphabets of mathematics.
fn letter(c: char) -> String {
    if !matches!(c, '\u{2100}'..='\u{214f}' | '\u{1d400}'..='\u{1d7ff}') {
        return c.to_string();
    }
    let plain: String = c.nfkc().map(sign).collect();
    let code = u32::from(c);
    let is_inside =
        |ranges: &[(u32, u32)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&code));
    match FONTS.iter().find(|(_, _, ranges)| is_inside(ranges)) {
        Some((font, ..)) => format!("{font}{{{plain}}}"),
        None => plain,
    }
}

/// The command of a font of letters.
pub(super) fn font(name: &str) -> Option<&'static str> {
    FONTS.iter().find(|(_, names, _)| names.contains(&name)).map(|(command, ..)| *command)
}

/// The command of a function.
pub(super) fn function(name: &str) -> Option<String> {
    FUNCTIONS.binary_search(&name).is_ok().then(|| format!("\\{name}"))
}

/// An accent above one letter, or above several.
pub(super) fn accent_above(sign: char, is_one: bool) -> Option<&'static str> {
    let (_, one, several) = ACCENTS_ABOVE.iter().find(|(signs, ..)| signs.contains(sign))?;
    Some(if is_one { one } else { several })
}

/// A line or a brace below.
pub(super) fn accent_below(sign: char) -> Option<&'static str> {
    ACCENTS_BELOW.iter().find(|(signs, _)| signs.contains(sign)).map(|(_, command)| *command)
}

/// True for signs whose limits stand above and below them.
pub(super) fn is_big(c: char) -> bool {
    matches!(c, '∏' | '∐' | '∑' | '∫'..='∳' | '⋀'..='⋃' | '⨀'..='⨌')
}

/// True for signs between two sides: an equation is aligned at them.
pub(super) fn is_relation(c: char) -> bool {
    matches!(c, '=' | '<' | '>' | '←'..='⇿' | '∈'..='∍' | '∝' | '∼'..='⊋' | '⟵'..='⟿' | '⩽' | '⩾')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(COMMANDS.is_sorted_by(|one, other| one.0 < other.0));
        assert!(FUNCTIONS.is_sorted());
    }

    #[test]
    fn letters_have_their_fonts() {
        for (c, expected) in [
            ('ℝ', "\\mathbb{R}"),
            ('𝑥', "x"),
            ('𝛼', "\\alpha"),
            ('𝐱', "\\mathbf{x}"),
            ('ℒ', "\\mathcal{L}"),
            ('ℎ', "h"),
            ('𝔤', "\\mathfrak{g}"),
            ('≤', "\\leq"),
            ('é', "é"),
            ('%', "\\%"),
            ('\u{2062}', ""),
            ('𝟏', "\\mathbf{1}"),
        ] {
            assert_eq!(sign(c), expected, "{c}");
        }
    }
}
