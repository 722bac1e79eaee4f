//! Unicode normalisation of a stream of text, with its map: NFKC or NFC. The result is exactly that of the whole text.
//!
//! The text is divided into *starter sequences*: a character that never joins the text before it, and all characters
//! up to the next such character. They are normalised independently of each other. Nearly every sequence of real text
//! is a single character that stays unchanged, so that ASCII costs one scan. White space is left to other rules.

use super::edits::Edits;
use crate::model::Segment;
use crate::model::names;
use std::sync::LazyLock;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

names! {
    /// The normal form.
    #[derive(Default)]
    UnicodeForm {
        /// Compatibility composition: ligatures, full-width letters, circled digits become plain ones.
        #[default]
        Nfkc = "nfkc",
        /// Canonical composition only.
        Nfc = "nfc",
        /// No normalisation.
        None = "none",
    }
}

/// A longer sequence is cut, so that memory stays bounded. Real sequences have a few dozen bytes, and two million
/// accents on one letter still fit.
const MAX_SEQUENCE_BYTES: usize = 4 << 20;

impl UnicodeForm {
    /// True if the character stays as it is in any context, and joins nothing before it.
    pub(super) fn is_plain(self, c: char) -> bool {
        if c.is_ascii() {
            return true;
        }
        let table = match self {
            UnicodeForm::Nfkc => &*PLAIN_NFKC,
            UnicodeForm::Nfc => &*PLAIN_NFC,
            UnicodeForm::None => return true,
        };
        match table.get(c as usize / 64) {
            Some(bits) => bits >> (c as usize % 64) & 1 == 1,
            None => self.look_up_plain(c),
        }
    }

    fn look_up_plain(self, c: char) -> bool {
        canonical_combining_class(c) == 0 && self.is_normal([c].into_iter())
    }

    /// True if a quick check shows that the characters are normalised; false if they are not or it cannot decide.
    fn is_normal(self, chars: impl Iterator<Item = char>) -> bool {
        match self {
            UnicodeForm::Nfkc => is_nfkc_quick(chars) == IsNormalized::Yes,
            UnicodeForm::Nfc => is_nfc_quick(chars) == IsNormalized::Yes,
            UnicodeForm::None => true,
        }
    }

    /// True if no character joins or passes the one before `c`, which is not plain.
    fn starts_sequence(self, c: char) -> bool {
        let mut first = None;
        let mut keep = |d| _ = first.get_or_insert(d);
        match self {
            UnicodeForm::Nfkc => decompose_compatible(c, &mut keep),
            UnicodeForm::Nfc => decompose_canonical(c, &mut keep),
            UnicodeForm::None => return true,
        }
        // A first part that may be the second half of a composition answers `Maybe`, a mark has a class.
        let first = first.unwrap_or(c);
        canonical_combining_class(first) == 0 && is_nfc_quick([first].into_iter()) == IsNormalized::Yes
    }

    /// A short text in this form.
    pub(super) fn of(self, text: String) -> String {
        match self {
            UnicodeForm::None => text,
            _ if self.is_normal(text.chars()) => text,
            _ => {
                let mut put = String::with_capacity(text.len());
                self.write(&text, &mut put);
                put
            }
        }
    }

    fn write(self, piece: &str, put: &mut String) {
        match self {
            UnicodeForm::Nfkc => put.extend(piece.nfkc()),
            UnicodeForm::Nfc => put.extend(piece.nfc()),
            UnicodeForm::None => put.push_str(piece),
        }
    }
}

/// One bit for each character of the basic plane. A look-up in the tables of the crate costs some 20 ns per character,
/// this one 1 ns. Filling it costs a millisecond, once, and only if a text is not ASCII.
type PlainBits = Box<[u64]>;

static PLAIN_NFKC: LazyLock<PlainBits> = LazyLock::new(|| plain_table(UnicodeForm::Nfkc));
static PLAIN_NFC: LazyLock<PlainBits> = LazyLock::new(|| plain_table(UnicodeForm::Nfc));

fn plain_table(form: UnicodeForm) -> PlainBits {
    let mut table = vec![0u64; 0x10000 / 64].into_boxed_slice();
    for c in (0..=0xffff).filter_map(char::from_u32) {
        table[c as usize / 64] |= u64::from(form.look_up_plain(c)) << (c as usize % 64);
    }
    table
}

/// Normalises the segments of one text in order.
#[derive(Debug)]
pub struct Normalizer {
    form: UnicodeForm,
    /// The last sequence, which may continue, and what is one unit of the map with it.
    held: Segment,
    /// True if the held text begins with a unit that began before the last sequence.
    holds_more: bool,
}

impl Normalizer {
    /// A normaliser for one text.
    pub fn new(form: UnicodeForm) -> Normalizer {
        Normalizer { form, held: Segment::default(), holds_more: false }
    }

    /// The normalised text so far; its map leads to the source of `segment`.
    pub fn push(&mut self, segment: Segment) -> Segment {
        if self.form == UnicodeForm::None {
            return segment;
        }
        let known = if self.holds_more { 0 } else { self.held.text.len() };
        self.held.append(segment);
        let mut all = std::mem::take(&mut self.held);
        let mut scan = NormalizationPass { form: self.form, text: &all.text, edits: Edits::default() };
        let open = scan.sequences(known);
        let mut edits = scan.edits;
        // An earlier step may have made several characters of one unit: the held text begins before it.
        let is_boundary = |at: &usize| all.text.is_char_boundary(*at) && all.map.is_boundary(*at);
        let start = (0..=open).rev().find(is_boundary).unwrap_or_default();
        self.holds_more = start < open;
        edits.keep_until(start);
        self.held = all.split_off(start);
        edits.apply(all)
    }

    /// Returns the rest of the text.
    pub fn finish(&mut self) -> Segment {
        let all = std::mem::take(&mut self.held);
        let mut scan = NormalizationPass { form: self.form, text: &all.text, edits: Edits::default() };
        let open = if self.holds_more { scan.sequences(0) } else { 0 };
        scan.close(open, all.text.len());
        scan.edits.apply(all)
    }
}

/// One pass over a text that begins with a starter sequence.
struct NormalizationPass<'a> {
    form: UnicodeForm,
    text: &'a str,
    edits: Edits,
}

impl NormalizationPass<'_> {
    /// Normalises all sequences except the last and returns the start of that one. The first `known` bytes belong to
    /// one sequence.
    fn sequences(&mut self, known: usize) -> usize {
        let (mut at, mut piece) = (known, 0);
        let mut is_plain = known == 0;
        while let Some(&byte) = self.text.as_bytes().get(at) {
            if byte.is_ascii() {
                if !is_plain {
                    self.close(piece, at);
                }
                at = ascii_end(self.text.as_bytes(), at);
                piece = at - usize::from(!self.text.as_bytes()[at - 1].is_ascii_whitespace());
                is_plain = true;
                continue;
            }
            let Some(c) = self.text[at..].chars().next() else { break };
            let plain = self.form.is_plain(c);
            if plain || self.form.starts_sequence(c) {
                if !is_plain {
                    self.close(piece, at);
                }
                (piece, is_plain) = (at, plain);
            } else {
                is_plain = false;
            }
            at += c.len_utf8();
            if at - piece > MAX_SEQUENCE_BYTES {
                self.close(piece, at);
                (piece, is_plain) = (at, true);
            }
        }
        piece
    }

    fn close(&mut self, start: usize, end: usize) {
        let piece = &self.text[start..end];
        if !self.form.is_normal(piece.chars()) {
            self.edits.unit_unless_same(start, piece, |put| self.form.write(piece, put));
        }
    }
}

/// The end of the ASCII run that begins at `at`, eight bytes at a time.
fn ascii_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let high = u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Span, SpanMap};

    fn segment(text: &str, source: usize) -> Segment {
        let map = SpanMap::identity(text.len(), source);
        Segment { text: text.to_owned(), map, ..Segment::default() }
    }

    /// Normalises in parts that end at every multiple of `step` characters.
    fn normalised(form: UnicodeForm, text: &str, step: usize) -> Segment {
        let mut normalizer = Normalizer::new(form);
        let mut whole = Segment::default();
        let mut from = 0;
        let ends = text.char_indices().map(|(at, _)| at).skip(step).step_by(step);
        for end in ends.chain([text.len()]) {
            whole.append(normalizer.push(segment(&text[from..end], from)));
            from = end;
        }
        whole.append(normalizer.finish());
        whole
    }

    fn check(text: &str) {
        let nfkc: String = text.nfkc().collect();
        let nfc: String = text.nfc().collect();
        for step in [1, 2, 3, 5, 1000] {
            assert_eq!(normalised(UnicodeForm::Nfkc, text, step).text, nfkc, "{text:?} by {step}");
            assert_eq!(normalised(UnicodeForm::Nfc, text, step).text, nfc, "{text:?} by {step}");
            assert_eq!(normalised(UnicodeForm::None, text, step).text, text);
        }
    }

    #[test]
    fn it_is_the_normal_form_of_the_whole_text() {
        for text in [
            "",
            "plain",
            "e\u{301}a\u{323}\u{302}",
            "\u{1100}\u{1161}\u{11a8}\u{1100}",
            "\u{fb01}\u{301}x",
            "\u{ff76}\u{ff9e}",
            "a\u{315}\u{300}\u{5ae}b",
            "\u{344}\u{301} \u{308}",
            "\u{9c7}\u{9be}",
            "\u{fdfa}\u{b4}\u{1d15e}",
            "<\u{338}\n\u{338}",
            "ｆｕｌｌ　ｗｉｄｔｈ…",
        ] {
            check(text);
        }
    }

    #[test]
    fn plain_characters_start_pieces_and_no_expansion_ends_in_white_space() {
        for c in ('\u{80}'..=char::MAX).filter(|&c| UnicodeForm::Nfkc.is_plain(c)) {
            assert!(UnicodeForm::Nfkc.starts_sequence(c), "{c:?}");
            assert!(UnicodeForm::Nfc.is_plain(c) && UnicodeForm::Nfc.starts_sequence(c), "{c:?}");
        }
        for c in '\u{80}'..=char::MAX {
            let whole: String = [c].into_iter().nfkd().collect();
            assert!(whole == " " || !whole.ends_with(' ') && !whole.contains("  "), "{c:?}");
            assert!(!whole.contains(['\n', '\r', '\t']), "{c:?}");
        }
    }

    #[test]
    fn a_changed_piece_is_one_unit_and_the_rest_is_copied() {
        let got = normalised(UnicodeForm::Nfkc, "caf\u{65}\u{301} \u{fb01}n \u{b4}", 1000);
        assert_eq!(got.text, "café fin  \u{301}");
        let source = |a, b| got.map.source(Span::new(a, b)).map(|s| (s.start, s.end, s.exact));
        assert_eq!(source(0, 5), Some((0, 6, true)));
        assert_eq!(source(3, 5), Some((3, 6, true)));
        assert_eq!(source(6, 9), Some((7, 11, true)));
        assert_eq!(source(6, 7), Some((7, 10, false)));
        assert_eq!(source(11, 13), Some((12, 14, true)));
        assert_eq!(source(9, 13), Some((11, 14, true)));
    }

    #[test]
    fn text_that_stays_is_not_copied() {
        let text = "Привет, 世界! été\n";
        let whole = segment(text, 0);
        let at = whole.text.as_ptr();
        assert_eq!(Normalizer::new(UnicodeForm::Nfkc).push(whole).text.as_ptr(), at);
    }

    #[test]
    fn hostile_runs_stay_exact() {
        let mut marks = "a".to_owned();
        for i in 0..20_000 {
            marks.push(['\u{301}', '\u{323}', '\u{35c}'][i % 3]);
        }
        let expected: String = marks.nfkc().collect();
        assert_eq!(normalised(UnicodeForm::Nfkc, &marks, 997).text, expected);
        let wide = "\u{fdfa}".repeat(2000);
        assert_eq!(normalised(UnicodeForm::Nfkc, &wide, 100).text.len(), 33 * 2000);
    }
}
