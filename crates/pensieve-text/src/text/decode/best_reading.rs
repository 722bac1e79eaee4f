//! Chooses the most probable legacy encoding: the one whose text has the lowest cost in some language.
//!
//! Encodings of one byte per character are judged by pairs of bytes, which are counted once for all candidates; East
//! Asian encodings are judged by their characters. ASCII costs the same in every encoding, but indicates the language
//! and therefore the expected letters.

use super::encoding::{Encoding, EncodingScheme, MultibyteEncoding};
use super::language_models::{LANGUAGE_MODELS, LanguageModel, language};
use super::multibyte;
use super::multibyte_costs;
use super::sign_costs::{beside, extra};
use super::single_byte::{SINGLE_BYTE_TABLES, SingleByteTable};
use super::utf8_evidence::{Utf8Evidence, examine_utf8};
use std::sync::LazyLock;

/// Maximum bytes that are judged.
const MAX_JUDGED_BYTES: usize = 256 << 10;

/// The weight of ASCII letters relative to others in the choice of the language.
// At 0 one of 525 beginnings of labelled texts is read wrongly (Esperanto in ISO 8859-3); 1 reads as many as
// this.
const ASCII_WEIGHT: f32 = 0.5;

/// The highest cost of ASCII letters for a language.
const MAX_ASCII_COST: f32 = 25.0;

/// The cost of a control character that does not occur in text.
const CONTROL_COST: f32 = 10.0;

/// The cost of an ASCII digit or sign, in addition to the word edge that it forms.
const SIGN_COST: f32 = 1.5;

/// The cost of scripts other than Latin if almost all bytes are ASCII.
const SPARSE_COST: f32 = 6.0;

/// The additional cost of the code pages of DOS and old Macs: few of their files are left, and among so many pages, one
/// nearly always gives a plausible reading of a few accented words.
const OLD_SYSTEM_COST: f32 = 3.0;

const WESTERN: &str = "en de fr es it pt nl da sv nb fi is ga ca sq";
const CENTRAL: &str = "pl cs sk hu ro hr sl de sq";
const TURKISH: &str = "tr";
const BALTIC: &str = "et lv lt";
const CYRILLIC: &str = "ru uk be bg sr mk";

/// Single-byte encodings, the cost of their rarity, and the languages that were written in them.
const CANDIDATES: &[(&str, f32, &str)] = &[
    // Of equal costs the first row counts, so the common page of a group stands before its rivals.
    // ISO-8859-15 differs from Windows-1252 in eight signs: a text without these is Windows'.
    ("windows-1252", 0.0, WESTERN),
    ("iso-8859-15", 0.5, WESTERN),
    ("mac-roman", 3.0, WESTERN),
    ("ibm850", 2.5, WESTERN),
    // Pages of one country (865, 861, 860, 863) have letters that 437 lacks.
    ("ibm437", 3.0, "en de fr es it nl da sv fi"),
    ("ibm865", 4.0, "da nb"),
    ("ibm861", 4.0, "is"),
    ("ibm860", 5.0, "pt"),
    ("ibm863", 5.0, "fr"),
    ("mac-iceland", 6.0, "is"),
    ("windows-1250", 1.0, CENTRAL),
    ("iso-8859-2", 1.3, CENTRAL),
    ("ibm852", 3.0, CENTRAL),
    ("mac-latin2", 4.0, CENTRAL),
    ("iso-8859-16", 4.0, "ro"),
    // ISO-8859-9 has no row: it is a label of this page, as ISO-8859-1 is of Windows-1252.
    ("windows-1254", 0.5, TURKISH),
    ("ibm857", 2.0, TURKISH),
    ("mac-turkish", 4.0, TURKISH),
    ("iso-8859-3", 3.0, "tr eo mt"),
    ("windows-1257", 1.0, BALTIC),
    ("iso-8859-13", 1.5, BALTIC),
    ("iso-8859-4", 2.5, BALTIC),
    ("cp775", 2.5, BALTIC),
    ("iso-8859-10", 5.0, "is"),
    ("iso-8859-14", 3.0, "cy"),
    // Windows-1258 writes tones as marks after the letter, so its Vietnamese has letter pairs of its own.
    ("windows-1258", 1.0, "vi-1258"),
    ("viscii", 1.5, "vi"),
    ("windows-1251", 0.0, CYRILLIC),
    // KOI8-R lacks letters of Ukrainian and Belarusian.
    ("koi8-r", 0.0, "ru bg"),
    ("koi8-u", 0.5, "uk"),
    ("iso-8859-5", 1.0, CYRILLIC),
    ("ibm866", 1.0, "ru bg be"),
    ("cp1125", 2.0, "uk"),
    ("ibm855", 2.0, CYRILLIC),
    ("mac-cyrillic", 1.5, CYRILLIC),
    ("windows-1253", 0.0, "el"),
    ("iso-8859-7", 0.3, "el"),
    ("cp737", 2.0, "el"),
    ("ibm869", 3.0, "el"),
    ("mac-greek", 3.0, "el"),
    ("windows-1255", 0.0, "he"),
    ("iso-8859-8", 0.3, "he"),
    ("ibm862", 2.0, "he"),
    ("windows-1256", 0.0, "ar fa"),
    ("iso-8859-6", 0.5, "ar"),
    ("cp720", 3.0, "ar"),
    ("cp874", 0.0, "th"),
];

/// The most probable encoding of bytes that are not UTF-8 and have no declared encoding.
pub(super) fn legacy(head: &[u8], whole: bool) -> Encoding {
    let head = &head[..head.len().min(MAX_JUDGED_BYTES)];
    let counts = BytePairCounts::of(head);
    let ascii = AsciiCosts::of(&counts);
    let mut best = (damaged_utf8_cost(&examine_utf8(head, whole)), Encoding::UTF_8);
    for candidate in TABLE.iter() {
        let cost = candidate.cost(&counts, &ascii);
        if cost < best.0 {
            best = (cost, candidate.encoding);
        }
    }
    // One-byte encodings read this part as ASCII and leave it out of their sums. UTF-16 reads it as
    // characters, so it is subtracted there.
    let signs = counts.bytes[usize::from(b'.')] as f32 * SIGN_COST;
    let plain = ascii.least + signs + counts.controls * CONTROL_COST;
    for (encoding, cost) in multibyte_costs::costs(head, whole, best.0, plain) {
        let cost = cost + ascii.foreign;
        if cost < best.0 {
            best = (cost, encoding);
        }
    }
    variant(best.1, head)
}

/// The cost of the bytes as UTF-8 that was damaged or mixed with another encoding.
fn damaged_utf8_cost(utf8: &Utf8Evidence) -> f32 {
    match utf8.good {
        0 => f32::MAX,
        // A broken place costs as much as U+FFFD does in another encoding.
        // With 2 instead of 18, 51 of 525 beginnings of labelled texts become UTF-8, EUC-JP and EUC-KR among them.
        good => 2.0 + 7.0 * good as f32 + 18.0 * utf8.bad as f32,
    }
}

/// True if nearly all of the bytes are defined in this encoding.
pub(super) fn fits(claimed: Encoding, head: &[u8], whole: bool) -> bool {
    let head = &head[..head.len().min(MAX_JUDGED_BYTES)];
    let (bad, high) = match claimed.0 {
        EncodingScheme::SingleByte(index) => {
            let page = &SINGLE_BYTE_TABLES[usize::from(index)];
            let bad = head.iter().filter(|byte| page.char(**byte) == char::REPLACEMENT_CHARACTER).count();
            (bad, head.iter().filter(|byte| !byte.is_ascii()).count())
        }
        EncodingScheme::Multibyte(multi) => multibyte_costs::broken(multi, head, whole),
        _ => (0, 0),
    };
    // One undefined byte in fifty: a file with some damage keeps its declared encoding.
    bad * 50 <= high
}

/// True if some bytes are undefined in this encoding.
pub(super) fn breaks(multi: MultibyteEncoding, head: &[u8], whole: bool) -> bool {
    multibyte_costs::broken(multi, &head[..head.len().min(MAX_JUDGED_BYTES)], whole).0 > 0
}

/// Of the encodings that share a label, the one whose tables have all the characters.
pub(super) fn variant(encoding: Encoding, head: &[u8]) -> Encoding {
    match encoding.0 {
        EncodingScheme::Multibyte(multi) => {
            Encoding(EncodingScheme::Multibyte(multibyte::variant(multi, head)))
        }
        _ => encoding,
    }
}

/// How often bytes follow each other; all ASCII except letters counts as one byte.
struct BytePairCounts {
    bytes: [u32; 256],
    /// Pairs with a byte above 0x7F.
    high: Vec<(u8, u8, f32)>,
    /// Pairs of ASCII letters, or of an ASCII letter and the edge of a word.
    ascii: Vec<(u8, u8, f32)>,
    /// Control characters except blanks.
    controls: f32,
}

impl BytePairCounts {
    fn of(head: &[u8]) -> BytePairCounts {
        let mut bytes = [0; 256];
        let mut pairs = vec![0u32; 1 << 16];
        let mut before = b' ';
        for &byte in head.iter().chain(b" ") {
            let byte = match byte {
                0..=b' ' | 0x7f => b' ',
                _ if byte.is_ascii() && !byte.is_ascii_alphabetic() => b'.',
                _ => byte,
            };
            bytes[usize::from(byte)] += 1;
            pairs[usize::from(before) << 8 | usize::from(byte)] += 1;
            before = byte;
        }
        // Blanks and signs beside each other are the same in every encoding.
        for pair in [b"  ", b" .", b". ", b".."] {
            pairs[usize::from(pair[0]) << 8 | usize::from(pair[1])] = 0;
        }
        let seen = pairs.iter().enumerate().filter(|(_, count)| **count > 0);
        let seen = seen.map(|(pair, count)| ((pair >> 8) as u8, pair as u8, *count as f32));
        let (ascii, high) = seen.partition(|(a, b, _)| a.is_ascii() && b.is_ascii());
        let controls =
            // Not the escape (0x1B), which colours logs, nor tabs and line ends.
            head.iter().filter(|byte| matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f)).count() as f32;
        BytePairCounts { bytes, high, ascii, controls }
    }

    /// True if almost all bytes are ASCII.
    fn is_sparse(&self) -> bool {
        let count = |bytes: std::ops::Range<usize>| self.bytes[bytes].iter().sum::<u32>();
        let high = count(0x80..256);
        // `Ægir` alone would be Shift_JIS.
        high <= 3 || high * 4 < count(0x41..0x80)
    }
}

/// The costs of the ASCII letters in each language.
struct AsciiCosts {
    costs: Vec<f32>,
    /// The share of text in another script.
    foreign: f32,
    /// The total cost in the language that fits best.
    least: f32,
}

impl AsciiCosts {
    fn of(counts: &BytePairCounts) -> AsciiCosts {
        let cost = |language: &LanguageModel| {
            let letter = |byte: u8| language.letter(char::from(byte.to_ascii_lowercase()));
            counts
                .ascii
                .iter()
                .map(|(a, b, count)| language.cost(letter(*a), letter(*b)) * count)
                .sum::<f32>()
        };
        // Every language with a Latin alphabet in the table has an e, no other one has.
        let is_latin = |language: &LanguageModel| language.letter('e') > 0;
        let all: Vec<f32> = LANGUAGE_MODELS
            .iter()
            .map(|language| if is_latin(language) { cost(language) } else { f32::MAX })
            .collect();
        let least = all.iter().copied().fold(f32::MAX, f32::min);
        // `languages.txt` begins with English.
        let english = all[0];
        let share = |cost: f32| ((cost - least) * ASCII_WEIGHT).min(MAX_ASCII_COST);
        // ASCII in a text of another script is held against English.
        let foreign = share(english) + if counts.is_sparse() { SPARSE_COST } else { 0.0 };
        let costs = all.iter().map(|cost| if *cost == f32::MAX { foreign } else { share(*cost) }).collect();
        AsciiCosts { costs, foreign, least }
    }
}

/// A single-byte encoding with the languages that it may contain.
struct SingleByteCandidate {
    encoding: Encoding,
    prior: f32,
    chars: [char; 256],
    readings: Vec<LanguageReading>,
}

/// A language in an encoding: the letter of each byte, and the costs of single bytes.
struct LanguageReading {
    /// Index into the languages.
    language: usize,
    is_latin: bool,
    letters: [u8; 256],
    extra: [f32; 256],
}

static TABLE: LazyLock<Vec<SingleByteCandidate>> = LazyLock::new(|| {
    CANDIDATES
        .iter()
        .filter_map(|(name, prior, languages)| SingleByteCandidate::new(name, *prior, languages))
        .collect()
});

impl SingleByteCandidate {
    fn new(name: &str, prior: f32, languages: &str) -> Option<SingleByteCandidate> {
        let encoding = Encoding::from_name(name)?;
        let EncodingScheme::SingleByte(index) = encoding.0 else { return None };
        let page = &SINGLE_BYTE_TABLES[usize::from(index)];
        let is_old = ["cp7", "cp1125", "ibm", "mac"].iter().any(|system| name.starts_with(system));
        let prior = if is_old { prior + OLD_SYSTEM_COST } else { prior };
        let chars = std::array::from_fn(|byte| page.char(byte as u8));
        let readings = languages.split(' ').filter_map(|name| LanguageReading::new(page, name)).collect();
        Some(SingleByteCandidate { encoding, prior, chars, readings })
    }

    /// The cost in the most probable language.
    fn cost(&self, counts: &BytePairCounts, ascii: &AsciiCosts) -> f32 {
        let shape: f32 = counts.high.iter().map(|(a, b, count)| self.shape(*a, *b) * count).sum();
        let readings = self.readings.iter().map(|reading| reading.cost(counts, ascii));
        self.prior + shape + readings.fold(f32::MAX, f32::min)
    }

    /// The cost of a pair in any language: case, signs on the wrong side, adjacent scripts.
    fn shape(&self, before: u8, after: u8) -> f32 {
        let (a, b) = (self.chars[usize::from(before)], self.chars[usize::from(after)]);
        let case = match (a.is_lowercase(), a.is_uppercase(), b.is_uppercase()) {
            // KOI8-R and Windows-1251 have small letters where the other has capitals.
            // Without this the first words of a Russian text in mac-cyrillic are read by another page.
            (true, _, true) => 5.0,
            (_, true, true) => 1.2,
            (_, true, false) if b.is_alphabetic() => 0.4,
            (false, false, true) => 1.6,
            _ => 0.0,
        };
        let touch =
            if a.is_alphabetic() && b.is_alphabetic() && is_latin(a) != is_latin(b) { 8.0 } else { 0.0 };
        case + touch + beside(a, b)
    }
}

impl LanguageReading {
    fn new(page: &SingleByteTable, name: &str) -> Option<LanguageReading> {
        let language = language(name)?;
        let at = LANGUAGE_MODELS.iter().position(|other| other.name == name)?;
        let is_latin = language.letter('e') > 0;
        let mut reading = LanguageReading { language: at, is_latin, letters: [0; 256], extra: [0.0; 256] };
        for byte in 0..=255u8 {
            let c = page.char(byte);
            let letter = language.letter(folded(c));
            reading.letters[usize::from(byte)] = letter;
            if letter == 0 && byte >= 0x80 {
                reading.extra[usize::from(byte)] = extra(c, is_latin);
            }
        }
        Some(reading)
    }

    fn cost(&self, counts: &BytePairCounts, ascii: &AsciiCosts) -> f32 {
        let language = &LANGUAGE_MODELS[self.language];
        let letter = |byte: u8| self.letters[usize::from(byte)];
        let mut pairs: f32 =
            counts.high.iter().map(|(a, b, count)| language.cost(letter(*a), letter(*b)) * count).sum();
        if !self.is_latin {
            // ASCII words among words of other scripts are English.
            let english = &LANGUAGE_MODELS[0];
            let letter = |byte: u8| english.letter(char::from(byte.to_ascii_lowercase()));
            pairs += counts
                .high
                .iter()
                .map(|(a, b, count)| english.cost(letter(*a), letter(*b)) * count)
                .sum::<f32>();
        }
        let extra: f32 = (0x80..256).map(|byte| self.extra[byte] * counts.bytes[byte] as f32).sum();
        pairs + extra + ascii.costs[self.language]
    }
}

/// The lower case, as in the letter tables.
fn folded(c: char) -> char {
    match c {
        'İ' => 'i',
        // Romanian is written with commas, and with cedillas where a page lacks these; the letter pairs have
        // cedillas.
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        c => c.to_lowercase().next().unwrap_or(c),
    }
}

fn is_latin(c: char) -> bool {
    c < '\u{250}' || ('\u{300}'..'\u{370}').contains(&c) || ('\u{1e00}'..'\u{1f00}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let encoding = Encoding::from_name(expected).expect("it is known");
        let EncodingScheme::SingleByte(index) = encoding.0 else { panic!("{expected} is no page") };
        let page = &SINGLE_BYTE_TABLES[usize::from(index)];
        let byte = |c: char| (0..=255).find(|byte| page.char(*byte) == c).expect("the page has it");
        let bytes: Vec<u8> = text.chars().map(byte).collect();
        assert_eq!(legacy(&bytes, true).name(), expected, "{text}");
    }

    #[test]
    fn letters_and_marks_of_latin_are_latin() {
        let latin = ['a', '\u{24f}', '\u{300}', '\u{36f}', '\u{1e00}', '\u{1eff}'];
        assert!(latin.into_iter().all(is_latin));
        let others = ['\u{250}', '\u{2ff}', '\u{370}', '\u{44f}', '\u{1dff}', '\u{1f00}'];
        assert!(!others.into_iter().any(is_latin));
    }

    #[test]
    fn western_code_pages_are_distinguished() {
        let german = "Die Straße führte über die alte Brücke, und überall blühten die Bäume.";
        let french = "Ça sentait le pain grillé, à l'école où l'on préparait un goûter d'été.";
        for page in ["windows-1252", "ibm850", "mac-roman"] {
            check(german, page);
            check(french, page);
        }
        check("“It’s no cliché — it’s the truth”, he said.", "windows-1252");
        check("Bob’s Burgers", "windows-1252");
        check("Les œufs et le cœur coûtent 5 € à la sœur.", "iso-8859-15");
    }

    #[test]
    fn code_pages_of_other_alphabets_are_distinguished() {
        let polish = "Rząd ogłosił wczoraj, że składki zostaną obniżone; większość posłów głosowała.";
        for page in ["windows-1250", "iso-8859-2", "ibm852", "mac-latin2"] {
            check(polish, page);
        }
        let russian = "Все счастливые семьи похожи друг на друга, каждая несчастливая по-своему.";
        for page in ["windows-1251", "koi8-r", "iso-8859-5", "ibm855", "ibm866", "mac-cyrillic"] {
            check(russian, page);
        }
        let greek = "Η κυβέρνηση ενέκρινε χθες το νομοσχέδιο για την αύξηση των συντάξεων.";
        for page in ["windows-1253", "cp737", "ibm869", "mac-greek"] {
            check(greek, page);
        }
        check("Hükümet dün emekli aylıklarının artırılmasını öngören yasayı kabul etti.", "windows-1254");
        check("Hükümet dün emekli aylıklarının artırılmasını öngören yasayı kabul etti.", "ibm857");
        check("La registaro hieraŭ aprobis la leĝon pri pensioj, kaj ĉiuj tion scias.", "iso-8859-3");
        check("Vyriausybė vakar patvirtino įstatymo projektą dėl didesnių pensijų.", "windows-1257");
        check("הממשלה אישרה אתמול את הצעת החוק להעלאת הקצבאות", "windows-1255");
        check("وافقت الحكومة أمس على مشروع قانون زيادة المعاشات", "windows-1256");
        check("เมื่อวานนี้รัฐบาลอนุมัติร่างกฎหมายเพิ่มเงินบำนาญ", "cp874");
        check("Hôm qua chính phủ đã thông qua dự luật tăng lương hưu", "viscii");
    }

    #[test]
    fn east_asian_text_is_distinguished_from_every_code_page() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(legacy(bytes, true).name(), expected);
        let japanese = "政府は昨日、年金を引き上げる法案を承認した。";
        check(&encoding_rs::SHIFT_JIS.encode(japanese).0, "shift_jis");
        check(&encoding_rs::SHIFT_JIS.encode("①政府は昨日、年金を引き上げた。").0, "cp932");
        check(&encoding_rs::EUC_JP.encode(japanese).0, "euc_jp");
        check(&encoding_rs::EUC_KR.encode("정부는 어제 연금을 인상하는 법안을 승인했다.").0, "cp949");
        check(&encoding_rs::BIG5.encode("政府昨天通過了提高退休金的法案。").0, "big5");
        check(&encoding_rs::GB18030.encode("政府昨天通过了提高退休金的法案。").0, "gb18030");
        let wide: Vec<u8> = japanese.encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&wide, "utf-16-le");
    }

    #[test]
    fn accents_that_come_late_say_as_much_as_early_ones() {
        let english = "The quick brown fox jumps over the lazy dog.\n".repeat(1_000);
        let check = |head: &str, tail: &str, expected: &str| {
            let bytes: Vec<u8> = format!("{head}{tail}").chars().map(|c| c as u8).collect();
            assert_eq!(legacy(&bytes, true).name(), expected, "of {tail:?} behind {} bytes", head.len());
        };
        for repeated in [1, 3, 100] {
            check(&english, &"Le café de l'école à Besançon est fermé.\n".repeat(repeated), "windows-1252");
            check(&english, &"17;Hôtel;Besançon\n".repeat(repeated), "windows-1252");
        }
        let chinese = encoding_rs::GB18030.encode("政府昨天通过了提高退休金的法案。").0.into_owned();
        assert_eq!(legacy(&[english.as_bytes(), &chinese].concat(), true).name(), "gb18030");
        assert_eq!(legacy(&chinese.repeat(4_000), true).name(), "gb18030");
    }

    #[test]
    fn what_fits_has_nearly_no_broken_place() {
        let check = |name: &str, bytes: &[u8], expected: bool| {
            let encoding = Encoding::from_name(name).expect("it is known");
            assert_eq!(fits(encoding, bytes, true), expected, "{name}");
        };
        check("windows-1252", b"caf\xe9", true);
        check("windows-1252", b"\x81\x8d", false);
        check("shift_jis", b"\x93\xfa\x96{", true);
        check("shift_jis", b"caf\xe9", false);
        check("gb18030", b"\xff\xff", false);
    }
}
