//! Encodings that are recognised by zero bytes or escapes: UTF-16 and UTF-32 without a byte-order mark, ISO-2022, HZ,
//! UTF-7.

use super::encoding::{ByteOrder, Encoding, EncodingScheme, StatefulEncoding};
use super::language_models::CHARACTER_RANKS;
use super::utf7;
use super::utf8_evidence::Utf8Evidence;
use super::utf16_utf32::{unit16, unit32};
use memchr::memmem;

/// Maximum bytes that are examined.
const MAX_EXAMINED_BYTES: usize = 1 << 16;

/// UTF-16 or UTF-32 without a byte-order mark.
pub(super) fn wide(head: &[u8], utf8: &Utf8Evidence) -> Option<Encoding> {
    let head = &head[..head.len().min(MAX_EXAMINED_BYTES)];
    // Without zero bytes there are no spaces or line ends; `best_reading` decides then.
    if head.len() < 4 || !utf8.has_nul {
        return None;
    }
    for order in [ByteOrder::Little, ByteOrder::Big] {
        if is_utf32(head, order) {
            return Some(Encoding(EncodingScheme::Utf32(order)));
        }
    }
    // Two ASCII letters look like one Han character. Kana have the code of the digit zero in their upper half.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
    let plain =
        head.chunks_exact(2).filter(|pair| !pair.contains(&b'0') && pair.iter().all(is_plain)).count();
    // More than half of the pairs: ASCII with some zeros in it.
    if plain * 4 > head.len() {
        return None;
    }
    let (little, big) = (utf16_sense(head, ByteOrder::Little), utf16_sense(head, ByteOrder::Big));
    let (order, sense, other) =
        if little >= big { (ByteOrder::Little, little, big) } else { (ByteOrder::Big, big, little) };
    let is_wide = sense >= 0.7 && sense > other + 0.2;
    is_wide.then_some(Encoding(EncodingScheme::Utf16(order)))
}

/// True if the bytes look like UTF-16 without any ASCII character: letters of a single script.
pub(super) fn is_dense(head: &[u8]) -> bool {
    let head = &head[..head.len().min(MAX_EXAMINED_BYTES)];
    let (little, big) = (utf16_sense(head, ByteOrder::Little), utf16_sense(head, ByteOrder::Big));
    head.len() >= 16 && little.max(big) >= 0.95
}

/// True if nearly all units are characters of text, and neighbours are of one script more often than not: small numbers
/// of four bytes are characters too.
fn is_utf32(head: &[u8], order: ByteOrder) -> bool {
    let units = head.len() / 4;
    let (mut good, mut changes, mut before) = (0, 0, 1);
    let characters = (0..units).filter_map(|at| unit32(head, at * 4, order).and_then(char::from_u32));
    for script in characters.filter_map(script_of_text) {
        good += 1;
        if script > 1 {
            changes += usize::from(before > 1 && script != before);
            before = script;
        }
    }
    units > 0 && good * 100 >= units * 98 && changes * 2 <= good
}

/// The share of code units that make sense in this byte order: letters of common scripts, ASCII, spaces. It is halved
/// if the script changes at every step, which indicates the wrong order.
fn utf16_sense(head: &[u8], order: ByteOrder) -> f64 {
    let units = head.len() / 2;
    let (mut good, mut changes, mut before) = (0usize, 0usize, 0u16);
    let mut at = 0;
    while let Some(unit) = unit16(head, at * 2, order) {
        at += 1;
        let block = script(unit);
        if block == 0 {
            continue;
        }
        good += 1;
        if block > 1 && before > 1 && block != before {
            changes += 1;
        }
        if block > 1 {
            before = block;
        }
    }
    (good as f64 - changes as f64 / 2.0) / units.max(1) as f64
}

/// A number for the script of a code unit: 0 for units that are no text, 1 for those common to all scripts.
fn script(unit: u16) -> u16 {
    match unit {
        // In the wrong order, every ASCII character becomes one of these.
        _ if unit & 0xff == 0 => 0,
        // The letters and signs of Latin-1 occur in texts of any script.
        0x09 | 0x0a | 0x0c | 0x0d | 0x20..=0x7e | 0xa0..=0xff => 1,
        0x2000..=0x206f | 0x20a0..=0x20bf | 0x2100..=0x214f | 0x3000..=0x303f | 0xff00..=0xffef => 1,
        // Two surrogates are one character, mostly an emoji, which any text may have.
        0x2150..=0x23ff | 0x2500..=0x26ff | 0xd800..=0xdfff | 0xfe30..=0xfe4f => 1,
        0x0100..=0x024f | 0x1e00..=0x1eff | 0x0300..=0x036f => 2,
        0x0370..=0x03ff | 0x1f00..=0x1fff => 3,
        0x0400..=0x052f => 4,
        0x0530..=0x058f => 5,
        0x0590..=0x05ff => 6,
        0x0600..=0x06ff => 7,
        // The scripts of India have blocks of 128 characters.
        0x0900..=0x0dff => unit >> 7,
        0x0e00..=0x0e7f => 8,
        0x10a0..=0x10ff => 9,
        // Kana and Han are mixed in Japanese, so they count as one script.
        0x3040..=0x30ff | 0x4e00..=0x9fff => 10,
        0xac00..=0xd7a3 | 0x3130..=0x318f => 11,
        0xfeff => 1,
        _ => 0,
    }
}

/// A number for the script of a character as [`script`] has it, or of its block; `None` for what is no text.
fn script_of_text(c: char) -> Option<u32> {
    match u32::from(c) {
        private @ 0xe000..0xf900 if script(private as u16) == 0 => None,
        low @ 0..0x10000 => match u32::from(script(low as u16)) {
            // Blocks that the table does not name are told apart by their upper byte.
            0 => (low >= 0x250).then_some(low | 0xff),
            known => Some(known),
        },
        // Emoji stand in every text; other characters above the first 65,536 are numbers more often than letters.
        0x1f000..0x1fb00 => Some(1),
        // Ideographs beyond the first plane, in blocks of 65,536.
        ideograph @ 0x20000..0x32000 => Some(ideograph | 0xffff),
        _ => None,
    }
}

/// Detects seven-bit encodings with escapes.
pub(super) fn stateful(head: &[u8], utf8: &Utf8Evidence) -> Option<Encoding> {
    // All of these encodings have seven bits and no zero bytes.
    if !utf8.is_ascii() || utf8.has_nul {
        return None;
    }
    let has = |sequence: &[u8]| memmem::find(head, sequence).is_some();
    let found = if memchr::memchr(0x1b, head).is_some() {
        // The header stands once at the beginning of the text (RFC 1557).
        if has(b"\x1b$)C") {
            Some(StatefulEncoding::Iso2022Kr)
        // RFC 1468, JIS X 0201 katakana, and JIS X 0212 of ISO-2022-JP-1 (RFC 2237). Other escapes colour
        // terminals.
        } else if has(b"\x1b$B") || has(b"\x1b$@") || has(b"\x1b(J") || has(b"\x1b(I") || has(b"\x1b$(D") {
            Some(StatefulEncoding::Iso2022Jp)
        } else {
            None
        }
    // HZ (RFC 1843) knows no escape. UTF-7 is asked last, since plus signs are frequent in ASCII.
    } else if has(b"~{") && is_hz(head) {
        Some(StatefulEncoding::Hz)
    } else if memchr::memchr(b'+', head).is_some() && is_utf7(head) {
        Some(StatefulEncoding::Utf7)
    } else {
        None
    };
    found.map(|stateful| Encoding(EncodingScheme::Stateful(stateful)))
}

/// True if every `~{` opens pairs from GB 2312 up to a `~}`; source code with `~{` does not continue like that.
fn is_hz(head: &[u8]) -> bool {
    let (mut pairs, mut broken) = (0, 0);
    for start in memmem::find_iter(head, b"~{") {
        let rest = &head[start + 2..];
        match memmem::find(rest, b"~}") {
            Some(len) if is_gb2312(&rest[..len]) => pairs += len / 2,
            // The head may be cut inside of a run, but no run goes over a line end (RFC 1843).
            None if rest.len() < 200 && !rest.contains(&b'\n') => {}
            _ => broken += 1,
        }
    }
    pairs >= 2 && broken == 0
}

fn is_gb2312(pairs: &[u8]) -> bool {
    // Rows 1 to 9 are signs, 16 to 87 characters; GB 2312 leaves the others empty.
    let fits = |pair: &[u8]| matches!(pair[0], 0x21..=0x29 | 0x30..=0x77) && (0x21..0x7f).contains(&pair[1]);
    !pairs.is_empty() && pairs.len().is_multiple_of(2) && pairs.chunks_exact(2).all(fits)
}

/// True if every `+` opens base 64 of UTF-16 letters, or is `+-`. A plus sign of ordinary text is followed by something
/// else, and one such place decides against UTF-7.
fn is_utf7(head: &[u8]) -> bool {
    let mut all = EncodedLetters::default();
    let mut rest = head;
    while let Some(at) = memchr::memchr(b'+', rest) {
        rest = &rest[at + 1..];
        let len = rest.iter().position(|byte| utf7::digit(*byte).is_none()).unwrap_or(rest.len());
        let (code, closed) = (&rest[..len], rest.get(len) == Some(&b'-'));
        rest = &rest[len..];
        // `+-` is the plus sign itself (RFC 2152).
        if code.is_empty() && closed {
            continue;
        }
        match encoded_letters(code) {
            Some(letters) => {
                all = EncodedLetters { usual: all.usual + letters.usual, rare: all.rare + letters.rare }
            }
            None => return false,
        }
    }
    // Version numbers (`5+g91df78e`) and features of processors (`avx512vnni+avx512bw`) decode to rare Han.
    all.usual >= 3 && all.usual >= all.rare
}

/// Number of characters outside of ASCII.
#[derive(Debug, Clone, Copy, Default)]
struct EncodedLetters {
    usual: usize,
    /// Number of rare East Asian characters: an ordinary word after a plus sign decodes to these.
    rare: usize,
}

/// The characters of a run of base 64; `None` if it is not UTF-16 of text.
fn encoded_letters(code: &[u8]) -> Option<EncodedLetters> {
    let (mut bits, mut count, mut letters) = (0u32, 0, EncodedLetters::default());
    for byte in code {
        bits = bits << 6 | utf7::digit(*byte)?;
        count += 6;
        if count >= 16 {
            count -= 16;
            let unit = (bits >> count) as u16;
            bits &= (1 << count) - 1;
            if script(unit) == 0 {
                return None;
            }
            match unit {
                0..0x80 => {}
                _ if is_usual(unit) => letters.usual += 1,
                _ => letters.rare += 1,
            }
        }
    }
    // The bits after the last character are fewer than a digit, and zero (RFC 2152).
    (letters.usual + letters.rare > 0 && bits == 0 && count < 6).then_some(letters)
}

/// True for letters of alphabets, kana, and frequent East Asian characters.
fn is_usual(unit: u16) -> bool {
    let is_frequent = |c: char| CHARACTER_RANKS.iter().any(|language| language.rank(c).is_some());
    // Letters and signs below U+2E80, where the radicals of Han begin.
    matches!(unit, 0..0x2e80 | 0x3000..=0x30ff | 0xff00..)
        || char::from_u32(u32::from(unit)).is_some_and(is_frequent)
}

#[cfg(test)]
mod tests {
    use super::super::utf8_evidence::examine_utf8;
    use super::*;

    fn check(bytes: &[u8], expected: Option<&str>) {
        let utf8 = examine_utf8(bytes, true);
        let found = wide(bytes, &utf8).or_else(|| stateful(bytes, &utf8));
        assert_eq!(found.map(Encoding::name), expected, "{}", bytes.escape_ascii());
    }

    fn utf16(text: &str, order: ByteOrder) -> Vec<u8> {
        let bytes =
            |unit: u16| if order == ByteOrder::Little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn words_after_a_plus_sign_are_not_utf7() {
        check(b"Gr+APwA3w. +AOQ- +APY-", Some("utf-7"));
        check(b"+ZeVnLIqe-", Some("utf-7"));
        check(b"names=\"citation+withplus\" .. [citation+withplus] one plus", None);
        check(b"return \"avx512vnni+avx512bw\"; avx512vnni+avx512bw", None);
        check(b"\"7.0.2.dev5+g91df78e\"", None);
    }

    #[test]
    fn wide_encodings_show_by_their_zero_bytes() {
        for text in [
            "Hello, world\r\n",
            "Größe 12 m²\n",
            "Привет, мир!\n",
            "日本語の文章です。 abc\n",
            "한국어 문장입니다.\n",
        ] {
            check(&utf16(text, ByteOrder::Little), Some("utf-16-le"));
            check(&utf16(text, ByteOrder::Big), Some("utf-16-be"));
            let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
            let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
            check(&little, Some("utf-32-le"));
            check(&big, Some("utf-32-be"));
        }
        check(b"words\0with\0zero\0bytes", None);
        check(b"\0\x01\x02\x03", None);
        let numbers: Vec<u8> = (0..40u32).flat_map(|at| (300 + at * at * 3).to_le_bytes()).collect();
        check(&numbers, None);
        check(b"\0\x01\x02\x03\0\x07\0\x80", None);
    }

    #[test]
    fn escapes_show_seven_bit_encodings() {
        check(b"\x1b$B8@8l\x1b(B is a word", Some("iso2022_jp"));
        check(b"\x1b$)C\x0eGQ1[>n\x0f", Some("iso2022_kr"));
        check(b"\x1b[31mred\x1b[0m", None);
        check(b"word ~{VPNDV\\;*~} word", Some("hz"));
        check(b"let x = ~{ not chinese ~}", None);
        check(b"bash: ${a~{b}~} ~{}", None);
        check(b"Hi Mom -+Jjo--! Gr+APYA3w-e +- +AOQ-", Some("utf-7"));
        check(b"1+1=2 and C++ and +49 30 and +AOQ-", None);
        check(b"base64: aGVsbG8+d29ybGQ=", None);
    }

    #[test]
    fn signs_of_all_scripts_are_text_in_wide_encodings() {
        for text in [
            "“Quoted” – dash… € 5 №7 ℃",
            "中文，标点。「引号」　空格",
            "ＡＢＣ　１２３",
            "Հայերեն տառեր և բառեր",
            "אותיות עבריות ומילים",
            "حروف عربية وكلمات كثيرة",
            "हिन्दी अक्षर और शब्द",
            "ตัวอักษรไทย และคำ",
            "ქართული ასოები და სიტყვები",
            "Chữ tiếng Việt và từ",
            "→ ← ↑ ∑ ∫ ≤ ☎ ■ ─",
            "日本語のかなと漢字 です",
            "한글 글자와 낱말 들",
            "Česká písmena a slova",
        ] {
            let text = format!("{text}\r\n{text} {text}\n");
            check(&utf16(&text, ByteOrder::Little), Some("utf-16-le"));
            check(&utf16(&text, ByteOrder::Big), Some("utf-16-be"));
            let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
            check(&little, Some("utf-32-le"));
            let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
            check(&big, Some("utf-32-be"));
        }
    }
}
