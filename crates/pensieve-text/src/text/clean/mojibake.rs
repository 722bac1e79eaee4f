//! The rule `mojibake`: repairs UTF-8 that was decoded as CP1252.
//!
//! A sequence is a letter whose CP1252 byte is the first byte of a character in UTF-8 (`Ã`, `â`, `ð`), followed by as
//! many characters as that byte announces (`Ã©`, `â€™`, `ðŸ˜€`). The bytes of a sequence are always valid UTF-8; it
//! is repaired where people do not write it: a capital after a small letter or before one (`wÅ‚a`), a letter with a
//! currency sign or another sign that never follows a letter, several sequences in a row. A capital letter that a
//! quote, a dash or another mark may follow (`„Ö“`, `MANHÃ”`) stays. Text that was garbled twice is repaired twice.
//! Undefined bytes of CP1252 are the control characters that decoders make of them. Source: WHATWG Encoding Standard,
//! index windows-1252.

use super::byte_scanner::ByteScanner;
use super::controls::is_removed;
use crate::model::Segment;
use crate::text::edits::Edits;
use crate::text::normalize::UnicodeForm;

/// A longer run of non-ASCII CP1252 characters is left alone, which bounds what is held back.
const MAX_RUN_BYTES: usize = 4096;

/// Repairs one text.
#[derive(Debug)]
pub(super) struct MojibakeStep {
    /// True if characters that the rule `controls` removes are also removed from repaired text.
    drops_controls: bool,
    /// The normal form of repaired text.
    form: UnicodeForm,
    held: Segment,
    /// The last character that was returned.
    before: Option<char>,
    /// True if the text so far ends inside a run that is too long.
    is_skipping: bool,
}

impl MojibakeStep {
    pub(super) fn new(drops_controls: bool, form: UnicodeForm) -> MojibakeStep {
        MojibakeStep { drops_controls, form, held: Segment::default(), before: None, is_skipping: false }
    }

    /// Returns the text that is final.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        if self.held.text.is_empty() && !self.is_skipping && segment.text.is_ascii() {
            self.before = segment.text.chars().next_back().or(self.before);
            return segment;
        }
        self.held.append(segment);
        self.settle(false)
    }

    /// Returns the rest of the text.
    pub(super) fn finish(&mut self) -> Segment {
        self.settle(true)
    }

    fn settle(&mut self, is_last: bool) -> Segment {
        let mut all = std::mem::take(&mut self.held);
        let mut edits = Edits::default();
        let end = self.scan(&all.text, is_last, &mut edits);
        if end < all.text.len() {
            let end = boundary(&all, end);
            edits.keep_until(end);
            self.held = all.split_off(end);
        }
        self.before = all.text.chars().next_back().or(self.before);
        edits.apply(all)
    }

    /// Repairs each run and returns the end of the final text.
    fn scan(&mut self, text: &str, is_last: bool, edits: &mut Edits) -> usize {
        let mut at = 0;
        if self.is_skipping {
            at = run_end(text, 0);
            self.is_skipping = at == text.len();
        }
        let mut hits = ByteScanner::new(text.as_bytes(), |before, here| {
            // The letters of CP1252 that begin a sequence, 0xC2 to 0xF4, are C3 82 to C3 B4 in UTF-8.
            (before == 0xC3) & (0x82..=0xB4).contains(&here)
        });
        while let Some(hit) = hits.next(at) {
            let start = hit - 1;
            at = hit + 1;
            // In correct text, ASCII nearly always follows such a letter.
            if text.as_bytes().get(at).is_some_and(u8::is_ascii) {
                continue;
            }
            let end = run_end(text, at);
            if end == text.len() && !is_last {
                if end - start <= MAX_RUN_BYTES {
                    return start;
                }
                self.is_skipping = true;
                return end;
            }
            if end - start <= MAX_RUN_BYTES {
                let before = text[..start].chars().next_back().or(self.before);
                let run = &text[start..end];
                if let Some(repaired) = self.repair(run, before, text[end..].chars().next()) {
                    edits.replace(start, end, &self.form.of(repaired));
                }
            }
            at = end;
        }
        text.len()
    }

    /// A run, repaired as many times as possible; `None` if there is nothing to repair.
    fn repair(&self, run: &str, before: Option<char>, after: Option<char>) -> Option<String> {
        let mut now: Option<String> = None;
        loop {
            // What was garbled twice is garbled after the first repair.
            while let Some(next) = repair_once(now.as_deref().unwrap_or(run), before, after) {
                now = Some(next);
            }
            match &mut now {
                Some(now) if self.drops_controls && now.contains(is_removed) => {
                    // Without them, what stood around them may be garbled too.
                    now.retain(|c| !is_removed(c))
                }
                _ => return now,
            }
        }
    }
}

fn repair_once(run: &str, before: Option<char>, after: Option<char>) -> Option<String> {
    let chars: Vec<char> = run.chars().collect();
    let bytes: Vec<u8> = chars.iter().map(|&c| byte_of(c).unwrap_or_default()).collect();
    let mut repaired = String::with_capacity(run.len());
    let (mut at, mut is_changed, mut was_sequence) = (0, false, false);
    while at < chars.len() {
        let Some((c, len)) = sequence(&bytes[at..]) else {
            repaired.push(chars[at]);
            (at, was_sequence) = (at + 1, false);
            continue;
        };
        let context = SequenceContext {
            before: repaired.chars().next_back().or(before),
            after: chars.get(at + len).copied().or(after),
            is_in_row: was_sequence || sequence(&bytes[at + len..]).is_some(),
        };
        was_sequence = true;
        if !context.is_sure(&bytes[at..at + len]) {
            repaired.extend(&chars[at..at + len]);
        } else {
            is_changed = true;
            repaired.push(c);
        }
        at += len;
    }
    is_changed.then_some(repaired)
}

/// The last position up to `at` where the segment can be cut without splitting a unit of its map.
fn boundary(segment: &Segment, at: usize) -> usize {
    let is_boundary = |at: &usize| segment.text.is_char_boundary(*at) && segment.map.is_boundary(*at);
    (0..=at).rev().find(is_boundary).unwrap_or_default()
}

/// The characters around a sequence.
struct SequenceContext {
    before: Option<char>,
    after: Option<char>,
    /// True if another sequence is next to it.
    is_in_row: bool,
}

impl SequenceContext {
    /// True if the characters of the sequence do not occur in this order in normal text.
    fn is_sure(&self, bytes: &[u8]) -> bool {
        let is_lower = |c: Option<char>| c.is_some_and(char::is_lowercase);
        let may_be_marks = bytes[1..].iter().all(|&byte| may_follow_letter(byte));
        match bytes[0] {
            // Capitals. 0xD7 is the multiplication sign.
            0xC2..=0xDE if bytes[0] != 0xD7 => {
                let is_clash = is_lower(self.before) || is_lower(self.after);
                let in_capitals = self.before.is_some_and(char::is_uppercase);
                // The first bytes of Latin-1 and of Cyrillic.
                let is_common = matches!(bytes[0], 0xC2 | 0xC3 | 0xD0 | 0xD1);
                // No letter directly follows a closing quote.
                let is_inside =
                    matches!(bytes[1], 0x94 | 0x9B) && self.after.is_some_and(char::is_alphabetic);
                is_clash && !in_capitals
                    || self.is_in_row
                    || is_common && is_inside
                    || is_common && !in_capitals && !self.before.is_some_and(is_opening)
                    || !may_be_marks
            }
            0xD7 | 0xDF => self.is_in_row,
            // Quotes and dashes: `â€™`. No currency sign follows a letter.
            0xE2 => self.is_in_row || !may_follow_letter(bytes[1]),
            // The byte-order mark and the replacement character.
            0xEF if matches!(bytes, [0xEF, 0xBB, 0xBF] | [0xEF, 0xBF, 0xBD]) => true,
            0xE0..=0xEF => self.is_in_row || !may_follow_letter(bytes[1]) && !may_follow_letter(bytes[2]),
            _ => true,
        }
    }
}

fn is_opening(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '“' | '‘' | '„' | '‚' | '«' | '»' | '‹' | '›' | '‛' | '‟')
}

/// Bytes of CP1252 that are marks which may follow a letter: quotes, dashes, dots, superscript letters and digits,
/// trade mark signs, no-break space and soft hyphen.
fn may_follow_letter(byte: u8) -> bool {
    matches!(byte, 0x85..=0x87 | 0x8B | 0x91..=0x97 | 0x99 | 0x9B)
        || matches!(byte, 0xA0 | 0xA9..=0xAB | 0xAD..=0xAE | 0xB0 | 0xB2..=0xB3 | 0xB7 | 0xB9..=0xBB)
}

/// The character that the first bytes encode in UTF-8, if it has more than one byte and occurs in text.
fn sequence(bytes: &[u8]) -> Option<(char, usize)> {
    let len = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let c = std::str::from_utf8(bytes.get(..len)?).ok()?.chars().next()?;
    // A combining character that joins the letter before it could make further text look garbled.
    let is_undefined = matches!(c, '\u{81}' | '\u{8d}' | '\u{8f}' | '\u{90}' | '\u{9d}');
    let is_odd =
        // The Angstrom sign becomes Å in a normal form, which may begin a sequence.
        !is_undefined && matches!(c, '\u{80}'..='\u{9f}' | '\u{300}'..='\u{36f}' | '\u{212a}'..='\u{212b}');
    (!is_odd).then_some((c, len))
}

/// The end of the run of non-ASCII CP1252 characters that continues at `at`.
fn run_end(text: &str, at: usize) -> usize {
    let mut end = at;
    for c in text[at..].chars() {
        if byte_of(c).is_none() {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// The byte from 0x80 on that is this character in CP1252.
fn byte_of(c: char) -> Option<u8> {
    match c {
        '\u{a0}'..='\u{ff}' => Some(c as u8),
        // The bytes that CP1252 leaves undefined, as decoders of the Web give them.
        '\u{81}' | '\u{8d}' | '\u{8f}' | '\u{90}' | '\u{9d}' => Some(c as u8),
        // U+0085 is a line end.
        '\u{80}'..='\u{9f}' => Some(c as u8).filter(|&byte| byte != 0x85),
        _ => CP1252_HIGH.iter().position(|&high| high == c).map(|at| 0x80 + at as u8),
    }
}

/// The characters of 0x80 to 0x9F; NUL where there is none.
const CP1252_HIGH: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“',
    '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_bytes_of_the_windows_page() {
        let check = |c: char, expected: Option<u8>| assert_eq!(byte_of(c), expected, "{c:?}");
        check('\u{20ac}', Some(0x80));
        check('\u{178}', Some(0x9f));
        check('\u{a0}', Some(0xa0));
        check('\u{ff}', Some(0xff));
        // Bytes without a character in the page, and the others of their block, which decoders pass on as they are.
        check('\u{81}', Some(0x81));
        check('\u{80}', Some(0x80));
        check('\u{9f}', Some(0x9f));
        // The end of a line of other systems.
        check('\u{85}', None);
        check('\u{7f}', None);
        check('\u{100}', None);
    }

    fn check(text: &str, expected: &str) {
        for step in 1..=text.chars().count().max(1) {
            let mut rule = MojibakeStep::new(true, UnicodeForm::None);
            let mut got = String::new();
            let all: Vec<char> = text.chars().collect();
            for part in all.chunks(step) {
                let text: String = part.iter().collect();
                got.push_str(&rule.push(Segment { text, ..Segment::default() }).text);
            }
            got.push_str(&rule.finish().text);
            assert_eq!(got, expected, "{text:?} by {step}");
        }
    }

    fn check_stays(text: &str) {
        check(text, text);
    }

    /// The text as it looks after its UTF-8 was read as CP1252.
    fn garbled(text: &str) -> String {
        let c = |byte: u8| match byte {
            0x80..=0x9f if CP1252_HIGH[byte as usize - 0x80] != '\0' => CP1252_HIGH[byte as usize - 0x80],
            byte => byte as char,
        };
        text.bytes().map(c).collect()
    }

    #[test]
    fn what_was_garbled_is_repaired() {
        for text in [
            "café",
            "naïve façade",
            "“quoted” – it’s…",
            "Größe über Öl",
            "El Niño",
            "wł aściwy świat",
            "10 €",
            "5°C ±2 µm",
            "Привет, мир и я",
            "你好世界",
            "ελληνικά",
            "שלום",
            "مرحبا",
            "x 😀 y",
            "à la carte",
            "RÔLE",
            "« Été »",
            "¿Qué?",
            "© 2020",
            "ﬁn",
        ] {
            check(&garbled(text), text);
        }
        check(&garbled(&garbled("café “so”")), "café “so”");
        check("a\u{e2}\u{20ac}\u{2039}b", "ab");
        check("ï»¿Text", "Text");
    }

    #[test]
    fn what_people_write_stays() {
        for text in [
            "café",
            "“É”",
            "„Ö“",
            "AMANHÃ”",
            "ROMÂNIA",
            "SÃO PAULO",
            "CAFÉ»",
            "le café”—dit-il",
            "Größe",
            "NÃO",
            "CHÂ\u{ad}TEAU",
            "ÄÖÜ",
            "Ðað",
            "2×3",
            "ß",
            "Straße–Weg",
            "DÉJÀ…",
            "à",
            "É™",
            "MANHÃ…",
            "Ã",
            "ÃÃÃÂÂ",
        ] {
            check_stays(text);
        }
    }

    #[test]
    fn a_run_without_end_is_passed_on() {
        let long = "Ã©".repeat(5000);
        check_stays_in_parts(&long);
        let mut rule = MojibakeStep::new(true, UnicodeForm::None);
        rule.push(Segment { text: long.clone(), ..Segment::default() });
        assert!(rule.held.text.len() <= MAX_RUN_BYTES);
    }

    fn check_stays_in_parts(text: &str) {
        for step in [777, text.len()] {
            let mut rule = MojibakeStep::new(true, UnicodeForm::None);
            let mut got = String::new();
            let all: Vec<char> = text.chars().collect();
            for part in all.chunks(step) {
                got.push_str(&rule.push(Segment { text: part.iter().collect(), ..Segment::default() }).text);
            }
            got.push_str(&rule.finish().text);
            assert!(got == text);
        }
    }
}
