//! The encodings, their stored names, and the labels by which documents declare them.

use super::single_byte::SINGLE_BYTE_TABLES;
use std::fmt;

/// The byte order of UTF-16 and UTF-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// East Asian encodings with one to four bytes per character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum MultibyteEncoding {
    ShiftJis,
    Cp932,
    EucJp,
    Cp949,
    Big5,
    Cp950,
    Big5Hkscs,
    Gb18030,
    EucTw,
}

/// Seven-bit encodings in which escape sequences change the meaning of later bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum StatefulEncoding {
    Iso2022Jp,
    Iso2022Kr,
    Hz,
    Utf7,
}

/// How bytes are decoded to characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum EncodingScheme {
    Utf8,
    Utf16(ByteOrder),
    Utf32(ByteOrder),
    /// Index into [`SINGLE_BYTE_TABLES`].
    SingleByte(u8),
    Multibyte(MultibyteEncoding),
    Stateful(StatefulEncoding),
}

/// An encoding. Its stored name is also the name of a codec of Python.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(pub(super) EncodingScheme);

/// All encodings except those of one byte per character. Labels are those of the Encoding Standard and older names; a
/// declared subset is decoded as its superset.
#[rustfmt::skip]
const OTHER_ENCODINGS: &[(EncodingScheme, &str, &[&str])] = &[
    (EncodingScheme::Utf8, "utf-8", &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "cp65001", "utf8-sig", "utf8mb4"]),
    // Without a mark it is little-endian in practice (Encoding Standard), although RFC 2781 says big-endian.
    (EncodingScheme::Utf16(ByteOrder::Little), "utf-16-le", &["utf-16", "ucs-2", "iso-10646-ucs-2", "csunicode", "unicode", "unicodefeff"]),
    (EncodingScheme::Utf16(ByteOrder::Big), "utf-16-be", &["unicodefffe"]),
    (EncodingScheme::Utf32(ByteOrder::Little), "utf-32-le", &["utf-32", "ucs-4"]),
    (EncodingScheme::Utf32(ByteOrder::Big), "utf-32-be", &["iso-10646-ucs-4"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::ShiftJis), "shift_jis", &["sjis", "x-sjis", "csshiftjis", "ms_kanji"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::Cp932), "cp932", &["windows-31j", "ms932"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::EucJp), "euc_jp", &["x-euc-jp", "ujis", "cseucpkdfmtjapanese"]),
    // Pages declare EUC-KR and have the syllables that Windows added.
    (EncodingScheme::Multibyte(MultibyteEncoding::Cp949), "cp949", &["euc-kr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean", "windows-949", "uhc", "ms949", "cseuckr", "iso-ir-149"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::Big5), "big5", &["x-x-big5", "cn-big5", "csbig5"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::Cp950), "cp950", &["windows-950", "ms950"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::Big5Hkscs), "big5hkscs", &[]),
    // GB 18030 contains GBK, which contains GB 2312.
    (EncodingScheme::Multibyte(MultibyteEncoding::Gb18030), "gb18030", &["gbk", "x-gbk", "gb2312", "gb_2312-80", "chinese", "csgb2312", "cp936", "windows-936", "ms936", "euc-cn", "iso-ir-58"]),
    (EncodingScheme::Multibyte(MultibyteEncoding::EucTw), "euc-tw", &["x-euc-tw", "cns11643"]),
    (EncodingScheme::Stateful(StatefulEncoding::Iso2022Jp), "iso2022_jp", &["csiso2022jp", "iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3", "iso-2022-jp-ext"]),
    (EncodingScheme::Stateful(StatefulEncoding::Iso2022Kr), "iso2022_kr", &["csiso2022kr"]),
    (EncodingScheme::Stateful(StatefulEncoding::Hz), "hz", &["hz-gb-2312"]),
    (EncodingScheme::Stateful(StatefulEncoding::Utf7), "utf-7", &["unicode-1-1-utf-7", "x-unicode20utf7", "csunicode11utf7"]),
];

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(EncodingScheme::Utf8);

    /// The stored name, in lower case. `decode_slice` under this name, and Python's codec of this name, give the same
    /// text (Python lacks `viscii` and `euc-tw`).
    pub fn name(self) -> &'static str {
        if let EncodingScheme::SingleByte(index) = self.0 {
            return SINGLE_BYTE_TABLES[usize::from(index)].name;
        }
        OTHER_ENCODINGS.iter().find(|row| row.0 == self.0).map_or("utf-8", |row| row.1)
    }

    /// The encoding of a stored name or of a label in a document; case and punctuation do not count.
    pub fn from_name(name: &str) -> Option<Encoding> {
        let wanted = bare(name);
        if wanted.is_empty() {
            return None;
        }
        let same = |label: &&str| bare(label) == wanted;
        let page = |found: &dyn Fn(usize) -> bool| (0..SINGLE_BYTE_TABLES.len()).find(|&at| found(at));
        // Stored names first, so that none is found as the label of another encoding.
        let by_name = OTHER_ENCODINGS.iter().find(|row| same(&row.1)).map(|row| row.0);
        let page_by_name =
            || page(&|at| same(&SINGLE_BYTE_TABLES[at].name)).map(|at| EncodingScheme::SingleByte(at as u8));
        let by_label = || OTHER_ENCODINGS.iter().find(|row| row.2.iter().any(&same)).map(|row| row.0);
        let page_by_label = || {
            page(&|at| SINGLE_BYTE_TABLES[at].labels.iter().any(&same))
                .map(|at| EncodingScheme::SingleByte(at as u8))
        };
        by_name.or_else(page_by_name).or_else(by_label).or_else(page_by_label).map(Encoding)
    }

    /// True if a slice of the bytes cannot be decoded alone.
    pub fn is_stateful(self) -> bool {
        matches!(self.0, EncodingScheme::Stateful(_))
    }

    /// Every encoding.
    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = Encoding> {
        let pages = (0..SINGLE_BYTE_TABLES.len()).map(|at| EncodingScheme::SingleByte(at as u8));
        pages.chain(OTHER_ENCODINGS.iter().map(|row| row.0)).map(Encoding)
    }

    /// True if ASCII bytes are ASCII characters.
    pub(super) fn is_ascii_based(self) -> bool {
        matches!(self.0, EncodingScheme::Utf8 | EncodingScheme::SingleByte(_) | EncodingScheme::Multibyte(_))
    }
}

/// A label in lower case, with letters and digits only.
fn bare(label: &str) -> String {
    label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stored_name_reads_back() {
        for encoding in Encoding::all() {
            assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
            assert_eq!(encoding.name(), encoding.name().to_lowercase());
        }
    }

    #[test]
    fn declared_names_lead_to_their_encoding() {
        let check = |label: &str, expected: &str| {
            assert_eq!(Encoding::from_name(label).map(Encoding::name), Some(expected), "{label}");
        };
        check("UTF8", "utf-8");
        check(" ISO_8859-1 ", "windows-1252");
        check("us-ascii", "windows-1252");
        check("latin5", "windows-1254");
        check("GB2312", "gb18030");
        check("euc-kr", "cp949");
        check("Windows-31J", "cp932");
        check("cp866", "ibm866");
        check("macintosh", "mac-roman");
        check("x-mac-cyrillic", "mac-cyrillic");
        check("UTF-16", "utf-16-le");
        assert_eq!(Encoding::from_name("klingon"), None);
        assert_eq!(Encoding::from_name(" - "), None);
    }
}
