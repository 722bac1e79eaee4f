//! Maps fonts whose letters are symbols to Unicode: Symbol and the Wingdings family.
//!
//! Office writes such symbols as characters of the private use area (U+F020 to U+F0FF) or as the bare byte. Owns the
//! tables; a symbol that Unicode lacks is absent. Sources: Adobe's encoding of the Symbol font; the mappings of the
//! Wingdings fonts proposed for Unicode 7 (L2/12-368), with the more common character if two look alike.

/// Symbol, from 0x20 on.
const SYMBOL: &str = concat!(
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼\0",
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭\0",
);

/// Wingdings, from 0x20 on.
const WINGDINGS: &str = concat!(
    " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍",
    "🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣🕱🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉",
    "♊♋♌♍♎♏♐♑♒♓🙰🙵●🔾■□🞐❑❒⬧⧫◆❖⬥⌧⮹⌘🏵🏶🙶🙷\0",
    "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿🙢🙠🙡🙣🙞🙜🙝🙟·•",
    "▪○🞆🞈◉◎🔿▪☐🟂✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘",
    "🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←",
    "→↑↓↖↗↙↘⬅➔⬆⬇⬉⬈⬋⬊⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂▭▫✗✓☒☑\0",
);

/// The symbols of Wingdings 2 that occur in forms and lists; most of the others are ornaments.
const WINGDINGS2: &[(u8, char)] = &[
    (0x4f, '✗'),
    (0x50, '✓'),
    (0x51, '☒'),
    (0x52, '☑'),
    (0x53, '☒'),
    (0x54, '☒'),
    (0x55, '☒'),
    (0x96, '•'),
    (0x97, '●'),
    (0x98, '●'),
    (0x9e, '⊙'),
    (0xa0, '■'),
    (0xa1, '□'),
    (0xa2, '□'),
    (0xa3, '☐'),
    (0xae, '◆'),
];

/// The arrows of Wingdings 3 that occur in texts.
const WINGDINGS3: &[(u8, char)] = &[
    (0x21, '→'),
    (0x22, '↑'),
    (0x23, '↓'),
    (0x66, '←'),
    (0x67, '→'),
    (0x68, '↑'),
    (0x69, '↓'),
    (0x70, '▲'),
    (0x71, '▼'),
    (0x74, '◀'),
    (0x75, '▶'),
    (0x7d, '▶'),
    (0x84, '◀'),
];

/// A font of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolFont {
    /// Greek letters and mathematics.
    Symbol,
    /// Check marks, hands, arrows.
    Wingdings,
    Wingdings2,
    Wingdings3,
}

impl SymbolFont {
    /// The symbol font of this name, if there is one.
    pub fn of(name: &str) -> Option<SymbolFont> {
        let is = |known: &str| name.trim().eq_ignore_ascii_case(known);
        match () {
            () if is("Symbol") || is("Standard Symbols L") => Some(SymbolFont::Symbol),
            () if is("Wingdings") => Some(SymbolFont::Wingdings),
            () if is("Wingdings 2") => Some(SymbolFont::Wingdings2),
            () if is("Wingdings 3") => Some(SymbolFont::Wingdings3),
            () => None,
        }
    }

    /// The character for a code of the font, given as its byte or as a character of the private use area.
    pub fn symbol(self, code: u32) -> Option<char> {
        let byte = u8::try_from(if code & 0xff00 == 0xf000 { code & 0xff } else { code }).ok()?;
        let at = usize::from(byte.checked_sub(0x20)?);
        let listed = |table: &[(u8, char)]| table.iter().find(|(known, _)| *known == byte).map(|&(_, c)| c);
        let found = match self {
            SymbolFont::Symbol => SYMBOL.chars().nth(at),
            SymbolFont::Wingdings => WINGDINGS.chars().nth(at),
            SymbolFont::Wingdings2 => listed(WINGDINGS2),
            SymbolFont::Wingdings3 => listed(WINGDINGS3),
        };
        found.filter(|&c| c != '\0')
    }

    /// The characters of a text in the font. Those of the private use area are symbols; letters stay, because the font
    /// may have been given to them by mistake.
    pub fn text(self, text: &str) -> String {
        let is_private = |c: char| matches!(u32::from(c), 0xf020..=0xf0ff);
        let symbol = |c: char| if is_private(c) { self.symbol(u32::from(c)) } else { Some(c) };
        text.chars().filter_map(symbol).collect()
    }
}

/// The character for a byte of a text in a symbol font of any name; a bullet where Unicode has no such symbol.
pub(crate) fn char_of(byte: u8, font: &str) -> char {
    if byte <= b' ' || byte == 0xa0 {
        return if byte == b'\t' { '\t' } else { ' ' };
    }
    let font = font.trim_end_matches(';').trim();
    let is_dingbats =
        font.starts_with("Wingdings") || font.starts_with("Webdings") || font.contains("Dingbats");
    let other = if is_dingbats { SymbolFont::Wingdings } else { SymbolFont::Symbol };
    SymbolFont::of(font).unwrap_or(other).symbol(u32::from(byte)).unwrap_or('•')
}

/// True for names of monospaced fonts.
pub(crate) fn is_monospaced(font: &str) -> bool {
    const NAMES: &[&str] = &[
        "andale mono",
        "cascadia code",
        "consolas",
        "courier",
        "fira code",
        "fixedsys",
        "inconsolata",
        "letter gothic",
        "lucida console",
        "lucida sans typewriter",
        "menlo",
        "monaco",
        "source code pro",
        "terminal",
    ];
    let font = font.to_ascii_lowercase();
    NAMES.iter().any(|name| font.starts_with(name)) || font.contains(" mono") && !font.contains("monotype")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_a_sign_for_each_code() {
        assert_eq!(SYMBOL.chars().count(), 0xe0);
        assert_eq!(WINGDINGS.chars().count(), 0xe0);
        let symbols = [0xf0b7, 0x61, 0xf0e5].map(|code| SymbolFont::Symbol.symbol(code));
        assert_eq!(symbols, [Some('•'), Some('α'), Some('∑')]);
        let symbols =
            [0xf0fc, 0xfe, 0xf0a7, 0xf0d8, 0xe0, 0x4a].map(|code| SymbolFont::Wingdings.symbol(code));
        assert_eq!(symbols, [Some('✓'), Some('☑'), Some('▪'), Some('➢'), Some('→'), Some('☺')]);
        assert_eq!(SymbolFont::Wingdings2.symbol(0xf052), Some('☑'));
        assert_eq!(SymbolFont::Symbol.symbol(0xf000), None);
        assert_eq!(SymbolFont::Symbol.text("x \u{f0b3} y"), "x ≥ y");
        assert_eq!((char_of(b'a', "Greek Math;"), char_of(0xfc, "Wingdings")), ('α', '✓'));
        assert_eq!(
            (char_of(b'\t', "Symbol"), char_of(0xa0, "Symbol"), char_of(0x80, "Symbol")),
            ('\t', ' ', '•')
        );
    }

    #[test]
    fn fonts_are_known_by_name() {
        assert_eq!(SymbolFont::of("wingdings 2"), Some(SymbolFont::Wingdings2));
        assert_eq!(SymbolFont::of("Arial"), None);
        assert!(is_monospaced("Courier New") && is_monospaced("DejaVu Sans Mono"));
        assert!(!is_monospaced("Monotype Corsiva") && !is_monospaced("Arial"));
    }
}
