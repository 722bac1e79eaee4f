//! The encodings by name: what is stored, what documents declare, what belongs to what.

use super::pages::PAGES;
use std::fmt;

/// Which byte of a wide unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Order {
    Little,
    Big,
}

/// Encodings of East Asia with one to four bytes a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Multi {
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

/// Seven-bit encodings in which earlier bytes say what later ones mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shifting {
    Iso2022Jp,
    Iso2022Kr,
    Hz,
    Utf7,
}

/// How bytes become characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scheme {
    Utf8,
    Utf16(Order),
    Utf32(Order),
    /// Index into the table of pages.
    Page(u8),
    Multi(Multi),
    Shifting(Shifting),
}

/// An encoding, with a name that is stored and that Python's codecs know as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(pub(super) Scheme);

/// Everything that is no page of one byte a character. Labels are those of the Encoding Standard and older names;
/// what declares a subset is decoded as the set.
#[rustfmt::skip]
const OTHERS: &[(Scheme, &str, &[&str])] = &[
    (Scheme::Utf8, "utf-8", &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "cp65001", "utf8-sig", "utf8mb4"]),
    (Scheme::Utf16(Order::Little), "utf-16-le", &["utf-16", "ucs-2", "iso-10646-ucs-2", "csunicode", "unicode", "unicodefeff"]),
    (Scheme::Utf16(Order::Big), "utf-16-be", &["unicodefffe"]),
    (Scheme::Utf32(Order::Little), "utf-32-le", &["utf-32", "ucs-4"]),
    (Scheme::Utf32(Order::Big), "utf-32-be", &["iso-10646-ucs-4"]),
    (Scheme::Multi(Multi::ShiftJis), "shift_jis", &["sjis", "x-sjis", "csshiftjis", "ms_kanji"]),
    (Scheme::Multi(Multi::Cp932), "cp932", &["windows-31j", "ms932"]),
    (Scheme::Multi(Multi::EucJp), "euc_jp", &["x-euc-jp", "ujis", "cseucpkdfmtjapanese"]),
    (Scheme::Multi(Multi::Cp949), "cp949", &["euc-kr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean", "windows-949", "uhc", "ms949", "cseuckr", "iso-ir-149"]),
    (Scheme::Multi(Multi::Big5), "big5", &["x-x-big5", "cn-big5", "csbig5"]),
    (Scheme::Multi(Multi::Cp950), "cp950", &["windows-950", "ms950"]),
    (Scheme::Multi(Multi::Big5Hkscs), "big5hkscs", &[]),
    (Scheme::Multi(Multi::Gb18030), "gb18030", &["gbk", "x-gbk", "gb2312", "gb_2312-80", "chinese", "csgb2312", "cp936", "windows-936", "ms936", "euc-cn", "iso-ir-58"]),
    (Scheme::Multi(Multi::EucTw), "euc-tw", &["x-euc-tw", "cns11643"]),
    (Scheme::Shifting(Shifting::Iso2022Jp), "iso2022_jp", &["csiso2022jp", "iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3", "iso-2022-jp-ext"]),
    (Scheme::Shifting(Shifting::Iso2022Kr), "iso2022_kr", &["csiso2022kr"]),
    (Scheme::Shifting(Shifting::Hz), "hz", &["hz-gb-2312"]),
    (Scheme::Shifting(Shifting::Utf7), "utf-7", &["unicode-1-1-utf-7", "x-unicode20utf7", "csunicode11utf7"]),
];

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(Scheme::Utf8);

    /// The stored name, in lower case. `decode_slice` under this name, and Python's codec of this name, give the same
    /// text (Python lacks `viscii` and `euc-tw`).
    pub fn name(self) -> &'static str {
        if let Scheme::Page(index) = self.0 {
            return PAGES[usize::from(index)].name;
        }
        OTHERS.iter().find(|row| row.0 == self.0).map_or("utf-8", |row| row.1)
    }

    /// The encoding of a stored name, or of what a document calls its own; case and punctuation do not count.
    pub fn from_name(name: &str) -> Option<Encoding> {
        let wanted = bare(name);
        if wanted.is_empty() {
            return None;
        }
        let same = |label: &&str| bare(label) == wanted;
        let page = |found: &dyn Fn(usize) -> bool| (0..PAGES.len()).find(|&at| found(at));
        let by_name = OTHERS.iter().find(|row| same(&row.1)).map(|row| row.0);
        let page_by_name = || page(&|at| same(&PAGES[at].name)).map(|at| Scheme::Page(at as u8));
        let by_label = || OTHERS.iter().find(|row| row.2.iter().any(&same)).map(|row| row.0);
        let page_by_label =
            || page(&|at| PAGES[at].labels.iter().any(&same)).map(|at| Scheme::Page(at as u8));
        by_name.or_else(page_by_name).or_else(by_label).or_else(page_by_label).map(Encoding)
    }

    /// True when a slice of the bytes cannot be decoded alone.
    pub fn is_stateful(self) -> bool {
        matches!(self.0, Scheme::Shifting(_))
    }

    /// Every encoding there is.
    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = Encoding> {
        let pages = (0..PAGES.len()).map(|at| Scheme::Page(at as u8));
        pages.chain(OTHERS.iter().map(|row| row.0)).map(Encoding)
    }

    /// True when ASCII bytes are ASCII characters.
    pub(super) fn is_ascii_based(self) -> bool {
        matches!(self.0, Scheme::Utf8 | Scheme::Page(_) | Scheme::Multi(_))
    }
}

/// A label without what people write differently: case and everything but letters and digits.
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
    fn declared_names_lead_to_what_holds_them() {
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
