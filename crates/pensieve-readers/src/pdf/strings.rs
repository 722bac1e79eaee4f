//! Text strings outside of content: titles, bookmarks, labels, values of form fields. UTF-16 and UTF-8 by their byte
//! order marks, PDFDocEncoding otherwise. Source: ISO 32000-2, 7.9.2.2 and Annex D.2.

/// PDFDocEncoding where it is not Latin-1: 0x18 to 0x1f.
const LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];

/// PDFDocEncoding where it is not Latin-1: 0x80 to 0xa0.
#[rustfmt::skip]
const HIGH: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł', 'Œ',
    'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// The text of a text string, trimmed, its control characters and language escapes left out.
pub(super) fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], join: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| join([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Not allowed, and common.
        _ if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        _ => bytes.iter().map(|byte| pdf_doc(*byte)).collect(),
    };
    let mut is_escaped = false;
    let kept = text.chars().filter(|&c| {
        let is_escape = c == '\u{1b}';
        is_escaped ^= is_escape;
        !is_escape && !is_escaped && (!c.is_control() || matches!(c, '\n' | '\r' | '\t'))
    });
    let kept: String = kept.collect();
    kept.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned()
}

fn pdf_doc(byte: u8) -> char {
    match byte {
        0x18..=0x1f => LOW[usize::from(byte - 0x18)],
        0x80..=0xa0 => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], text: &str) {
        assert_eq!(decode(bytes), text);
    }

    #[test]
    fn the_byte_order_mark_names_the_encoding() {
        check(b"Plain \x84 text\x92", "Plain — text™");
        check(b"\xfe\xff\x00A\x20\xac", "A€");
        check(b"\xff\xfeA\x00", "A");
        check(b"\xef\xbb\xbf\xc3\xa9", "é");
        check("é".as_bytes(), "é");
        check(b"\xe9t\xe9", "été");
        check(b"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00x", "x");
    }
}
