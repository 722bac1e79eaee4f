//! Code pages by their numbers in Windows and its documents: Microsoft's list of code page identifiers and, for
//! fonts, the `charset` of a LOGFONT. Decoding itself belongs to `text::decode`.

use pensieve_text::text::decode::{Encoding, decode_slice};

/// The code page of documents that do not name one.
pub(crate) const WESTERN: u32 = 1252;

/// Code pages whose encodings have other names than `cp` and the number.
const NAMED: &[(u32, &str)] = &[
    (0, "cp1252"),
    (708, "iso-8859-6"),
    (932, "cp932"),
    (936, "gb18030"),
    (949, "cp949"),
    (950, "cp950"),
    (1200, "utf-16-le"),
    (1201, "utf-16-be"),
    (1361, "cp949"),
    (10000, "mac-roman"),
    (10001, "cp932"),
    (10002, "cp950"),
    (10003, "cp949"),
    (10006, "mac-greek"),
    (10007, "mac-cyrillic"),
    (10008, "gb18030"),
    (10017, "mac-cyrillic"),
    (10029, "mac-latin2"),
    (10079, "mac-iceland"),
    (10081, "mac-turkish"),
    (20127, "cp1252"),
    (20866, "koi8-r"),
    (20932, "euc_jp"),
    (20936, "gb18030"),
    (20949, "cp949"),
    (21866, "koi8-u"),
    (28591, "cp1252"),
    (28592, "iso-8859-2"),
    (28593, "iso-8859-3"),
    (28594, "iso-8859-4"),
    (28595, "iso-8859-5"),
    (28596, "iso-8859-6"),
    (28597, "iso-8859-7"),
    (28598, "iso-8859-8"),
    (28599, "cp1254"),
    (28603, "iso-8859-13"),
    (28605, "iso-8859-15"),
    (38598, "iso-8859-8"),
    (50220, "iso2022_jp"),
    (50221, "iso2022_jp"),
    (50222, "iso2022_jp"),
    (50225, "iso2022_kr"),
    (51932, "euc_jp"),
    (51936, "gb18030"),
    (51949, "cp949"),
    (52936, "hz"),
    (54936, "gb18030"),
    (65000, "utf-7"),
    (65001, "utf-8"),
];

pub(crate) fn encoding_of(code_page: u32) -> Option<Encoding> {
    match NAMED.binary_search_by_key(&code_page, |row| row.0) {
        Ok(at) => Encoding::from_name(NAMED[at].1),
        Err(_) => Encoding::from_name(&format!("cp{code_page}")),
    }
}

/// Decodes bytes of a code page; invalid ones become U+FFFD. An unknown code page is read as the western one.
pub(crate) fn decode(code_page: u32, bytes: &[u8]) -> String {
    if bytes.is_ascii() && !matches!(code_page, 1200 | 1201 | 50220..=50225 | 52936 | 65000) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let western = Encoding::from_name("cp1252").unwrap_or(Encoding::UTF_8);
    let encoding = encoding_of(code_page).filter(|encoding| !encoding.is_stateful()).unwrap_or(western);
    decode_slice(encoding, bytes).unwrap_or_default()
}

/// The code page of a font's character set; `None` for the default set and for symbols.
pub(crate) fn of_charset(charset: u8) -> Option<u32> {
    Some(match charset {
        0 => 1252,
        77 => 10000,
        78 => 10001,
        79 => 10003,
        80 => 10008,
        81 => 10002,
        83 => 10005,
        84 => 10004,
        85 => 10006,
        86 => 10081,
        88 => 10029,
        89 => 10007,
        128 => 932,
        129 => 949,
        130 => 1361,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        254 => 437,
        255 => 850,
        _ => return None,
    })
}

/// The code page that Windows uses for a language, by the primary part of its identifier.
pub(crate) fn of_language(language: u16) -> u32 {
    match language & 0x3ff {
        0x01 | 0x29 | 0x20 => 1256,
        0x02 | 0x19 | 0x22 | 0x23 | 0x2f | 0x40 => 1251,
        0x04 if matches!(language, 0x0404 | 0x0c04 | 0x1404) => 950,
        0x04 => 936,
        0x05 | 0x0e | 0x15 | 0x18 | 0x1b | 0x1c | 0x24 => 1250,
        0x1a if matches!(language, 0x0c1a | 0x1c1a | 0x281a) => 1251,
        0x1a => 1250,
        0x08 => 1253,
        0x0d => 1255,
        0x11 => 932,
        0x12 => 949,
        0x1e => 874,
        0x1f | 0x2c => 1254,
        0x25..=0x27 => 1257,
        0x2a => 1258,
        _ => WESTERN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code_page: u32, bytes: &[u8], expected: &str) {
        assert_eq!(decode(code_page, bytes), expected, "{code_page}");
    }

    #[test]
    fn bytes_are_read_as_their_code_page_says() {
        check(1252, b"caf\xe9", "café");
        check(1251, b"\xcf\xf0", "Пр");
        check(932, b"\x93\xfa\x96\x7b", "日本");
        check(437, b"\x81", "ü");
        check(10000, b"\x8e", "é");
        check(1200, b"a\0b\0", "ab");
        check(12345, b"\xe9", "é");
    }

    #[test]
    fn the_table_is_sorted_and_every_row_names_an_encoding() {
        assert!(NAMED.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NAMED.iter().all(|row| Encoding::from_name(row.1).is_some()));
    }

    #[test]
    fn fonts_name_the_script_of_their_bytes() {
        let read = |charset: u8, bytes: &[u8]| decode(of_charset(charset).unwrap_or(1), bytes);
        for (charset, bytes, expected) in [
            (0, &b"\xe9"[..], "é"),
            (77, b"\x8e", "é"),
            (78, b"\x83\x41", "ア"),
            (79, b"\xb0\xa1", "가"),
            (80, b"\xb0\xa1", "啊"),
            (81, b"\xa4\x40", "一"),
            (85, b"\xe1", "α"),
            (86, b"\xdd", "ı"),
            (88, b"\x8b", "č"),
            (89, b"\x80", "А"),
            (128, b"\x93\xfa", "日"),
            (129, b"\xb0\xa1", "가"),
            (134, b"\xb0\xa1", "啊"),
            (136, b"\xa4\x40", "一"),
            (161, b"\xe1", "α"),
            (162, b"\xfd", "ı"),
            (163, b"\xfe", "₫"),
            (177, b"\xe0", "א"),
            (178, b"\xc7", "ا"),
            (186, b"\xe0", "ą"),
            (204, b"\xe4", "д"),
            (222, b"\xa1", "ก"),
            (238, b"\xe8", "č"),
            (254, b"\x81", "ü"),
            (255, b"\xd5", "ı"),
        ] {
            assert_eq!(read(charset, bytes), expected, "{charset}");
        }
        assert_eq!([83, 84, 130, 1, 2].map(of_charset), [Some(10005), Some(10004), Some(1361), None, None]);
    }

    #[test]
    fn languages_name_the_script_of_their_bytes() {
        for (language, bytes, expected) in [
            (0x0409, &b"\xe9"[..], "é"),
            (0x0401, b"\xc7", "ا"),
            (0x0429, b"\xc7", "ا"),
            (0x0420, b"\xc7", "ا"),
            (0x0402, b"\xe4", "д"),
            (0x0419, b"\xe4", "д"),
            (0x0422, b"\xe4", "д"),
            (0x0423, b"\xe4", "д"),
            (0x042f, b"\xe4", "д"),
            (0x0440, b"\xe4", "д"),
            (0x0404, b"\xa4\x40", "一"),
            (0x0c04, b"\xa4\x40", "一"),
            (0x0804, b"\xb0\xa1", "啊"),
            (0x0405, b"\xe8", "č"),
            (0x040e, b"\xf5", "ő"),
            (0x0415, b"\xb9", "ą"),
            (0x0418, b"\xe3", "ă"),
            (0x041b, b"\xe8", "č"),
            (0x041c, b"\xeb", "ë"),
            (0x0424, b"\xe8", "č"),
            (0x041a, b"\xe8", "č"),
            (0x0c1a, b"\xe4", "д"),
            (0x0408, b"\xe1", "α"),
            (0x040d, b"\xe0", "א"),
            (0x0411, b"\x93\xfa", "日"),
            (0x0412, b"\xb0\xa1", "가"),
            (0x041e, b"\xa1", "ก"),
            (0x041f, b"\xfd", "ı"),
            (0x042c, b"\xfd", "ı"),
            (0x0425, b"\xf0", "š"),
            (0x0427, b"\xe0", "ą"),
            (0x042a, b"\xfe", "₫"),
        ] {
            assert_eq!(decode(of_language(language), bytes), expected, "{language:x}");
        }
    }
}
