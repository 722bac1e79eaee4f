//! Detects the encoding of a file: by its byte-order mark, then its declaration, then its bytes.

use super::best_reading;
use super::byte_patterns;
use super::declaration::{DeclarationFormat, declared};
use super::encoding::{ByteOrder, Encoding, EncodingScheme, StatefulEncoding};
use super::utf8_evidence::{Utf8Evidence, examine_utf8};

/// Facts about the encoding from outside of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncodingHints<'a> {
    /// An encoding declared outside of the document, such as in a MIME header.
    pub declared: Option<&'a str>,
    /// Where the document itself may declare its encoding.
    pub format: DeclarationFormat,
}

/// How an encoding was detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DetectionMethod {
    /// The file starts with a byte-order mark.
    Bom,
    /// It was declared, and the bytes do not contradict the declaration.
    Declared,
    /// All examined bytes are ASCII, which is UTF-8; if other bytes follow, the decoder decides by them.
    Ascii,
    /// The bytes are UTF-8, or nearly.
    Utf8,
    /// Zero bytes or escapes are in places that only one encoding explains.
    Pattern,
    /// It gives the most probable text.
    Guess,
}

/// The encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingDetection {
    /// The encoding.
    pub encoding: Encoding,
    /// Bytes of the byte-order mark, which is not text.
    pub bom_len: usize,
    /// How it was detected.
    pub how: DetectionMethod,
}

/// Detects the encoding from the first bytes of a file; `whole` means that these are all bytes.
///
/// Cost: one pass over the bytes for ASCII and UTF-8; some milliseconds more for anything else.
pub fn detect(head: &[u8], whole: bool, hints: &EncodingHints<'_>) -> EncodingDetection {
    // A mark outweighs every declaration, as on the Web (Encoding Standard, decode).
    if let Some((encoding, bom_len)) = bom(head) {
        return EncodingDetection { encoding, bom_len, how: DetectionMethod::Bom };
    }
    let found = |encoding, how| EncodingDetection { encoding, bom_len: 0, how };
    let utf8 = examine_utf8(head, whole);
    let outside = hints.declared.and_then(Encoding::from_name);
    let inside = || declared(head, hints.format);
    // What a mail or a server declares counts before the document's own words (HTML Standard; RFC 3023 for
    // XML).
    for claimed in [outside, inside()].into_iter().flatten() {
        if let Some(encoding) = agreed(claimed, head, whole, &utf8) {
            return found(encoding, DetectionMethod::Declared);
        }
    }
    // Before ASCII: UTF-16 without accents, ISO-2022, HZ and UTF-7 are ASCII bytes too.
    if let Some(encoding) = byte_patterns::wide(head, &utf8).or_else(|| byte_patterns::stateful(head, &utf8))
    {
        return found(encoding, DetectionMethod::Pattern);
    }
    if utf8.is_ascii() {
        return found(Encoding::UTF_8, DetectionMethod::Ascii);
    }
    // Before the guess, because text of another encoding is valid UTF-8 by chance only where it is very
    // short.
    if utf8.is_likely() {
        return found(Encoding::UTF_8, DetectionMethod::Utf8);
    }
    found(best_reading::legacy(head, whole), DetectionMethod::Guess)
}

/// The encoding of a file that began as ASCII, by the bytes that follow.
pub(super) fn settle(bytes: &[u8], whole: bool) -> Encoding {
    if examine_utf8(bytes, whole).is_likely() {
        return Encoding::UTF_8;
    }
    let encoding = best_reading::legacy(bytes, whole);
    // What was decoded so far were ASCII characters; in other encodings it would be something else.
    if encoding.is_ascii_based() { encoding } else { Encoding::UTF_8 }
}

/// Byte-order marks; that of UTF-32 precedes the mark of UTF-16 that it starts with.
pub(super) fn bom(head: &[u8]) -> Option<(Encoding, usize)> {
    const BOMS: &[(&[u8], EncodingScheme)] = &[
        (b"\xef\xbb\xbf", EncodingScheme::Utf8),
        (b"\xff\xfe\0\0", EncodingScheme::Utf32(ByteOrder::Little)),
        (b"\0\0\xfe\xff", EncodingScheme::Utf32(ByteOrder::Big)),
        (b"\xff\xfe", EncodingScheme::Utf16(ByteOrder::Little)),
        (b"\xfe\xff", EncodingScheme::Utf16(ByteOrder::Big)),
    ];
    BOMS.iter().find(|(bom, _)| head.starts_with(bom)).map(|(bom, scheme)| (Encoding(*scheme), bom.len()))
}

/// The declared encoding, unless the bytes contradict it. Bytes that are certainly UTF-8 outweigh an encoding of one
/// byte per character, which fits any bytes, and a multibyte encoding in which some bytes are broken: files are
/// converted to UTF-8 and keep their old declaration.
fn agreed(claimed: Encoding, head: &[u8], whole: bool, utf8: &Utf8Evidence) -> Option<Encoding> {
    let agrees = match claimed.0 {
        EncodingScheme::Utf8 => utf8.is_likely() && !utf8.has_nul,
        EncodingScheme::Utf16(_) | EncodingScheme::Utf32(_) => {
            // Text without spaces and line ends has no zero byte that shows the order; the declaration says
            // it.
            let dense = !utf8.is_likely() && byte_patterns::is_dense(head);
            return byte_patterns::wide(head, utf8).or(dense.then_some(claimed));
        }
        EncodingScheme::Stateful(StatefulEncoding::Utf7) => utf8.is_ascii(),
        EncodingScheme::Stateful(_) => return byte_patterns::stateful(head, utf8),
        // Zero bytes are no text in these encodings.
        EncodingScheme::SingleByte(_) | EncodingScheme::Multibyte(_) if utf8.has_nul => false,
        EncodingScheme::SingleByte(_) => !utf8.is_certain() && best_reading::fits(claimed, head, whole),
        EncodingScheme::Multibyte(multi) => {
            let is_utf8 = utf8.is_certain() && best_reading::breaks(multi, head, whole);
            !is_utf8 && best_reading::fits(claimed, head, whole)
        }
    };
    // Pages declare `gb2312` and `shift_jis` whichever of the variants they use.
    agrees.then(|| best_reading::variant(claimed, head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        head: &[u8],
        declared: Option<&str>,
        format: DeclarationFormat,
        expected: (&str, usize, DetectionMethod),
    ) {
        let found = detect(head, true, &EncodingHints { declared, format });
        let found = (found.encoding.name(), found.bom_len, found.how);
        assert_eq!(found, expected, "{}", head.escape_ascii());
    }

    #[test]
    fn the_bom_comes_first() {
        let none = DeclarationFormat::None;
        check(b"\xef\xbb\xbfa\xff", Some("koi8-r"), none, ("utf-8", 3, DetectionMethod::Bom));
        check(b"\xff\xfea\0", None, none, ("utf-16-le", 2, DetectionMethod::Bom));
        check(b"\xfe\xff\0a", None, none, ("utf-16-be", 2, DetectionMethod::Bom));
        check(b"\xff\xfe\0\0a\0\0\0", None, none, ("utf-32-le", 4, DetectionMethod::Bom));
        check(b"\0\0\xfe\xff\0\0\0a", None, none, ("utf-32-be", 4, DetectionMethod::Bom));
    }

    #[test]
    fn a_declaration_is_believed_unless_the_bytes_contradict() {
        let none = DeclarationFormat::None;
        check(b"caf\xe9", Some("iso-8859-2"), none, ("iso-8859-2", 0, DetectionMethod::Declared));
        check(b"caf\xe9", Some("utf-8"), none, ("windows-1252", 0, DetectionMethod::Guess));
        check("café".as_bytes(), Some("iso-8859-1"), none, ("utf-8", 0, DetectionMethod::Utf8));
        check(b"plain", Some("utf-16"), none, ("utf-8", 0, DetectionMethod::Ascii));
        check(b"plain", Some("nonsense"), none, ("utf-8", 0, DetectionMethod::Ascii));
        let xml = b"<?xml version='1.0' encoding='koi8-r'?><a>\xf0\xd2\xc9</a>";
        check(xml, None, DeclarationFormat::Xml, ("koi8-r", 0, DetectionMethod::Declared));
        check(
            xml,
            Some("windows-1251"),
            DeclarationFormat::Xml,
            ("windows-1251", 0, DetectionMethod::Declared),
        );
        let utf16 = b"<?xml version='1.0' encoding='utf-16'?><a>\xc3\xa9</a>";
        check(utf16, None, DeclarationFormat::Xml, ("utf-8", 0, DetectionMethod::Declared));
        check(
            b"<meta charset=shift_jis>\x93\xfa\x87@",
            None,
            DeclarationFormat::Html,
            ("cp932", 0, DetectionMethod::Declared),
        );
        // The file was saved as UTF-8, but is hardly broken in its declared encoding: one place in a hundred
        // characters.
        let saved = format!("<meta charset=gb2312>{}", ("二十世纪".repeat(25) + "中 ").repeat(4));
        check(saved.as_bytes(), None, DeclarationFormat::Html, ("utf-8", 0, DetectionMethod::Utf8));
        // A character of the declared encoding whose bytes are UTF-8 by chance.
        check(
            b"<meta charset=gbk>\xc4\xa3",
            None,
            DeclarationFormat::Html,
            ("gb18030", 0, DetectionMethod::Declared),
        );
    }

    #[test]
    fn then_utf8_then_patterns_then_what_reads_best() {
        let none = DeclarationFormat::None;
        check(b"", None, none, ("utf-8", 0, DetectionMethod::Ascii));
        check("schöner".as_bytes(), None, none, ("utf-8", 0, DetectionMethod::Utf8));
        check("große schöne Häuser \u{fffd}".as_bytes(), None, none, ("utf-8", 0, DetectionMethod::Utf8));
        check(
            &[&"ä".repeat(20).into_bytes()[..], b"\xe4"].concat(),
            None,
            none,
            ("utf-8", 0, DetectionMethod::Utf8),
        );
        check(b"w\0o\0r\0d\0", None, none, ("utf-16-le", 0, DetectionMethod::Pattern));
        check(b"\x1b$B8@8l\x1b(B", None, none, ("iso2022_jp", 0, DetectionMethod::Pattern));
        check(b"sch\xf6ner Gr\xfc\xdfe", None, none, ("windows-1252", 0, DetectionMethod::Guess));
        let cut = |text: &str| {
            let head = &text.as_bytes()[..text.len() - 1];
            detect(head, false, &EncodingHints::default()).how
        };
        assert_eq!(cut("größer ö"), DetectionMethod::Utf8);
        // The last byte may begin any sequence; the decoder decides later.
        assert_eq!(cut("plain ö"), DetectionMethod::Ascii);
    }

    #[test]
    fn short_texts_are_distinguished_too() {
        let check = |encoding: &'static encoding_rs::Encoding, text: &str, expected: &str| {
            assert_eq!(best_reading::legacy(&encoding.encode(text).0, true).name(), expected, "{text}");
        };
        for text in ["café", "Müller", "Ægir", "¿Qué?", "déjà vu", "50 £"] {
            check(encoding_rs::WINDOWS_1252, text, "windows-1252");
        }
        for text in ["Привет", "мир", "Война и мир"] {
            check(encoding_rs::WINDOWS_1251, text, "windows-1251");
            check(encoding_rs::KOI8_R, text, "koi8-r");
        }
        for text in ["日本語", "これは本です", "カタカナ", "東京都 2024年", "abc 漢字 def"]
        {
            check(encoding_rs::SHIFT_JIS, text, "shift_jis");
            check(encoding_rs::EUC_JP, text, "euc_jp");
        }
        for text in ["안녕하세요", "한국어", "서울 2024"] {
            check(encoding_rs::EUC_KR, text, "cp949");
        }
        for text in ["你好，世界", "北京", "中文 2024 年"] {
            check(encoding_rs::GB18030, text, "gb18030");
        }
        for text in ["你好，世界", "中文 2024 年"] {
            check(encoding_rs::BIG5, text, "big5");
        }
        for text in ["Καλημέρα", "Αθήνα", "η ζωή"] {
            check(encoding_rs::WINDOWS_1253, text, "windows-1253");
        }
        for text in ["שלום", "עברית קלה"] {
            check(encoding_rs::WINDOWS_1255, text, "windows-1255");
        }
        for text in ["مرحبا", "السلام عليكم"] {
            check(encoding_rs::WINDOWS_1256, text, "windows-1256");
        }
        for text in ["Łódź", "Příliš žluťoučký kůň"] {
            check(encoding_rs::WINDOWS_1250, text, "windows-1250");
        }
    }
}
