//! The cost of bytes that are read as an East Asian encoding.

use super::encoding::{ByteOrder, Encoding, EncodingScheme, MultibyteEncoding};
use super::language_models::{CHARACTER_RANKS, CharacterRanks};
use super::multibyte::{DecodedCharacter, MultibyteDecoder};
use super::utf16_utf32::unit16;

/// Encodings, the cost of their rarity, and their language.
const CANDIDATES: &[(EncodingScheme, f32, &str)] = &[
    (EncodingScheme::Multibyte(MultibyteEncoding::Gb18030), 0.0, "zh-Hans"),
    // Readers of traditional characters used Big5; GB 18030 and EUC-TW are rare there.
    (EncodingScheme::Multibyte(MultibyteEncoding::Gb18030), 4.0, "zh-Hant"),
    (EncodingScheme::Multibyte(MultibyteEncoding::Big5), 0.0, "zh-Hant"),
    (EncodingScheme::Multibyte(MultibyteEncoding::ShiftJis), 0.0, "ja"),
    (EncodingScheme::Multibyte(MultibyteEncoding::EucJp), 0.0, "ja"),
    (EncodingScheme::Multibyte(MultibyteEncoding::Cp949), 0.0, "ko"),
    (EncodingScheme::Multibyte(MultibyteEncoding::EucTw), 4.0, "zh-Hant"),
    // Without a zero byte it has no space or line end: a name or a title.
    (EncodingScheme::Utf16(ByteOrder::Little), 3.0, "zh-Hans"),
    (EncodingScheme::Utf16(ByteOrder::Little), 3.0, "zh-Hant"),
    (EncodingScheme::Utf16(ByteOrder::Little), 3.0, "ja"),
    (EncodingScheme::Utf16(ByteOrder::Little), 3.0, "ko"),
    (EncodingScheme::Utf16(ByteOrder::Big), 3.0, "zh-Hans"),
    (EncodingScheme::Utf16(ByteOrder::Big), 3.0, "zh-Hant"),
    (EncodingScheme::Utf16(ByteOrder::Big), 3.0, "ja"),
    (EncodingScheme::Utf16(ByteOrder::Big), 3.0, "ko"),
];

/// Maximum non-ASCII bytes that are judged, since looking up characters is slow.
const MAX_JUDGED_BYTES: usize = 32 << 10;

/// The cost of an undecodable sequence.
const UNDECODABLE_COST: f32 = 30.0;

/// The cost of the bytes in each encoding, if it is below `limit`. `plain` is the part that other encodings read as
/// ASCII and omit from their sums.
pub(super) fn costs(head: &[u8], whole: bool, limit: f32, plain: f32) -> Vec<(Encoding, f32)> {
    let (mixed, dense) = (Sample::beyond_ascii(head, whole), Sample::of_length(head, whole));
    let cost = |&(scheme, prior, name): &(EncodingScheme, f32, &str)| {
        let language = CHARACTER_RANKS.iter().find(|language| language.name == name)?;
        let cost = match scheme {
            EncodingScheme::Multibyte(multi) => {
                mixed.scale * multi_cost(multi, &mixed, limit / mixed.scale, language)
            }
            EncodingScheme::Utf16(order) => {
                let limit = (limit + plain) / dense.scale;
                dense.scale * utf16_cost(order, dense.bytes, limit, language) - plain
            }
            _ => return None,
        };
        (prior + cost < limit).then_some((Encoding(scheme), prior + cost))
    };
    CANDIDATES.iter().filter_map(cost).collect()
}

/// The beginning of the bytes, which is judged in place of all bytes.
struct Sample<'a> {
    bytes: &'a [u8],
    /// True if these are all bytes.
    whole: bool,
    /// The ratio of all bytes to the judged ones.
    scale: f32,
}

impl<'a> Sample<'a> {
    /// The bytes up to the last judged non-ASCII one: ASCII before the first accent does not indicate the encoding.
    fn beyond_ascii(head: &'a [u8], whole: bool) -> Sample<'a> {
        let high = || head.iter().enumerate().filter(|(_, byte)| !byte.is_ascii());
        match high().nth(MAX_JUDGED_BYTES) {
            None => Sample { bytes: head, whole, scale: 1.0 },
            Some((end, _)) => Sample {
                bytes: &head[..end],
                whole: false,
                // Scaled by the bytes beyond ASCII. By the length of the file, accents after a long head of
                // English cost next to nothing here, and a Latin-1 file was read as GB 18030.
                scale: high().count() as f32 / MAX_JUDGED_BYTES as f32,
            },
        }
    }

    /// This many bytes, for encodings with two bytes per character.
    fn of_length(head: &'a [u8], whole: bool) -> Sample<'a> {
        let bytes = &head[..head.len().min(MAX_JUDGED_BYTES)];
        let scale = head.len() as f32 / bytes.len().max(1) as f32;
        Sample { bytes, whole: whole && head.len() <= MAX_JUDGED_BYTES, scale }
    }
}

fn multi_cost(multi: MultibyteEncoding, sample: &Sample<'_>, limit: f32, language: &CharacterRanks) -> f32 {
    let Sample { bytes, whole, .. } = *sample;
    let mut decoder = MultibyteDecoder::new(multi);
    let (mut at, mut cost, mut before, mut run) = (0, 0.0, b' ', 0);
    while at < bytes.len() && cost <= limit {
        if bytes[at].is_ascii() {
            before = bytes[at];
            run = 0;
            at += 1;
            continue;
        }
        let len = match decoder.next(&bytes[at..]) {
            DecodedCharacter::Char(c, len) => {
                cost += character(c, language);
                len
            }
            DecodedCharacter::Two(_, len) => {
                cost += 14.0;
                len
            }
            DecodedCharacter::Bad(len) => {
                cost += UNDECODABLE_COST;
                len
            }
            DecodedCharacter::Cut if whole => {
                cost += UNDECODABLE_COST;
                bytes.len() - at
            }
            DecodedCharacter::Cut => bytes.len() - at,
        };
        at += len;
        let after = bytes.get(at).copied().unwrap_or(b' ');
        run += 1;
        cost += match (before.is_ascii_alphabetic(), after.is_ascii_alphabetic()) {
            // One character in the middle of a word is an accented letter of another encoding.
            (true, true) if run == 1 => 12.0,
            (false, false) => 0.0,
            _ => 2.5,
        };
        before = 0x80;
    }
    cost
}

fn utf16_cost(order: ByteOrder, bytes: &[u8], limit: f32, language: &CharacterRanks) -> f32 {
    // Half a unit is left over.
    if !bytes.len().is_multiple_of(2) {
        return f32::MAX;
    }
    let mut cost = 0.0;
    for unit in (0..bytes.len() / 2).filter_map(|at| unit16(bytes, at * 2, order)) {
        cost += match char::from_u32(u32::from(unit)) {
            Some(c @ ' '..) => character(c, language),
            _ => 15.0,
        };
        if cost > limit {
            break;
        }
    }
    cost
}

/// The cost of a character: by rank if it is frequent in the language.
fn character(c: char, language: &CharacterRanks) -> f32 {
    if let Some(rank) = language.rank(c) {
        // Zipf's law: frequency falls with a power of the rank. 3.6 is the first one's cost, one character in
        // 37.
        return 3.6 + 0.8 * f32::from(rank).ln();
    }
    let is_japanese = language.name == "ja";
    let is_korean = language.name == "ko";
    match c {
        // As frequent as a character of rank six; the ranks count letters only.
        '、' | '。' | '，' | '！' | '？' | '「' | '」' | '（' | '）' | '：' | '；' | '“' | '”' | '・'
        | '\u{3000}' => 5.0,
        '\u{3001}'..='\u{303f}' | '\u{ff01}'..='\u{ff5e}' | '‘' | '’' | '—' | '…' | '·' | '●' | '○' | '■' => {
            7.0
        }
        '\u{3040}'..='\u{30ff}' if is_japanese => 6.5,
        '\u{ff61}'..='\u{ff9f}' if is_japanese => 8.0,
        '\u{3040}'..='\u{30ff}' => 11.0,
        '\u{ac00}'..='\u{d7a3}' if is_korean => 10.5,
        '\u{4e00}'..='\u{9fff}' if is_korean => 11.5,
        '\u{4e00}'..='\u{9fff}' => 10.5,
        '\u{2000}'..='\u{2bff}' | '\u{3200}'..='\u{33ff}' => 10.0,
        // East Asian tables have these letters too, but no text of that region consists of them.
        'А'..='я' | 'Α'..='ω' => 10.5,
        _ => 14.0,
    }
}

/// The number of broken places, and of bytes that are not ASCII.
pub(super) fn broken(multi: MultibyteEncoding, head: &[u8], whole: bool) -> (usize, usize) {
    let mut decoder = MultibyteDecoder::new(multi);
    let (mut at, mut bad, mut high) = (0, 0, 0);
    while at < head.len() {
        if head[at].is_ascii() {
            at += 1;
            continue;
        }
        let len = match decoder.next(&head[at..]) {
            DecodedCharacter::Char(_, len) | DecodedCharacter::Two(_, len) => len,
            DecodedCharacter::Bad(len) => {
                bad += 1;
                len
            }
            DecodedCharacter::Cut => {
                bad += usize::from(whole);
                head.len() - at
            }
        };
        high += len;
        at += len;
    }
    (bad, high)
}
