//! Characters of symbol fonts, which documents store as bytes or as U+F000 and the byte. The Symbol font is read as its
//! letters, by Adobe's encoding vector; marks of Wingdings and the like are bullets, arrows and boxes, of which the
//! usual ones are known and the others are a bullet.

/// The characters of the Symbol font from 0x20 to 0x7E.
const LOWER: &str =
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_\u{203e}αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";

/// The same from 0xA0 to 0xFE; what has no character is a space.
const UPPER: &str =
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

/// Marks of Wingdings that mean something.
const WINGDINGS: &[(u8, char)] = &[
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0xa8, '□'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

/// The character of a byte of a symbol font of this name.
pub fn char_of(byte: u8, font: &str) -> char {
    let is_blank = byte <= b' ' || byte == 0xa0;
    if is_blank {
        return if byte == b'\t' { '\t' } else { ' ' };
    }
    let font = font.trim_end_matches(';').trim();
    if font.starts_with("Wingdings") || font.starts_with("Webdings") || font.contains("Dingbats") {
        return WINGDINGS.iter().find(|row| row.0 == byte).map_or('•', |row| row.1);
    }
    let found = match byte {
        0x20..=0x7e => LOWER.chars().nth(usize::from(byte) - 0x20),
        0xa0..=0xfe => UPPER.chars().nth(usize::from(byte) - 0xa0),
        _ => None,
    };
    found.unwrap_or('•')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_the_letters_they_show() {
        assert_eq!(LOWER.chars().count(), 0x7f - 0x20);
        assert_eq!(UPPER.chars().count(), 0xff - 0xa0);
        assert_eq!(char_of(0xb7, "Symbol"), '•');
        assert_eq!(char_of(b'a', "Symbol"), 'α');
        assert_eq!(char_of(0xce, "Symbol"), '∈');
        assert_eq!(char_of(0xfc, "Wingdings"), '✓');
        assert_eq!(char_of(0xa7, "Wingdings"), '•');
    }
}
