//! Finds the starts of sentences in running text.
//!
//! A segmenter by rules, good enough to choose places to cut: it knows stops of many scripts, closing quotes and
//! brackets, initials, decimals and common abbreviations of European languages. If in doubt it decides that
//! the sentence continues: a missed boundary costs a chunker one candidate, a wrong one splits a sentence. It ignores
//! lines and paragraphs, which the caller knows.

use crate::model::Span;

/// Words that a full stop follows without ending the sentence, sorted, in lower case.
const ABBREVIATIONS: [&str; 78] = [
    "a.d", "a.m", "abb", "adm", "al", "approx", "apr", "art", "aug", "b.c", "bd", "bzw", "ca", "capt", "cf",
    "ch", "chap", "cie", "co", "col", "comp", "corp", "dec", "dept", "dr", "e.g", "ed", "eds", "eq", "esq",
    "est", "feb", "fig", "figs", "gen", "gov", "hon", "i.e", "ibid", "inc", "jan", "jr", "lieut", "lt",
    "ltd", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms", "mt", "no", "nos", "nov", "nr", "oct", "op",
    "p.m", "pp", "prof", "ref", "rev", "sec", "sen", "sept", "sgt", "sra", "srta", "st", "ste", "u.a", "usw",
    "viz", "vol", "vols", "vs",
];

/// Bytes at which a stop may begin: 1 for the ASCII ones, 2 for the lead bytes of others.
const STOP: [u8; 256] = {
    let mut table = [0; 256];
    table[b'.' as usize] = 1;
    table[b'!' as usize] = 1;
    table[b'?' as usize] = 1;
    let leads = [0xd8, 0xdb, 0xe0, 0xe1, 0xe2, 0xe3, 0xef];
    let mut i = 0;
    while i < leads.len() {
        table[leads[i]] = 2;
        i += 1;
    }
    table
};

/// Calls `found` with the first byte of each sentence inside `span` except the first.
///
/// Cost: one pass over the bytes, and a closer look at each stop.
pub fn starts(text: &str, span: Span, mut found: impl FnMut(usize)) {
    let bytes = &text.as_bytes()[..span.end];
    let mut at = span.start;
    while at < bytes.len() {
        let class = STOP[usize::from(bytes[at])];
        if class == 0 {
            at += 1;
            continue;
        }
        let Some(stop) = stop_at(text, at) else {
            at += if class == 1 { 1 } else { char_at(text, at).map_or(1, char::len_utf8) };
            continue;
        };
        let width = char_at(text, at).map_or(1, char::len_utf8);
        let after = after_closers(text, at + width, span.end);
        let next = after_space(text, after, span.end);
        if next < span.end && begins(text, span.start, at, after, next, stop) {
            found(next);
        }
        at = after;
    }
}

/// The kinds of stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopKind {
    /// A full stop, which may belong to an abbreviation.
    Dot,
    /// A mark that needs white space after it.
    Mark,
    /// A mark of a script that writes without spaces.
    Wide,
}

fn stop_at(text: &str, at: usize) -> Option<StopKind> {
    match char_at(text, at)? {
        '.' => Some(StopKind::Dot),
        '!' | '?' | '…' | '‼' | '⁇' | '⁈' | '⁉' | '‽' | '؟' | '۔' | '।' | '॥' | '။' | '។' | '።' => {
            Some(StopKind::Mark)
        }
        '。' | '！' | '？' | '．' | '｡' => Some(StopKind::Wide),
        _ => None,
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The first byte after a run of stops and closing quotes and brackets.
fn after_closers(text: &str, at: usize, end: usize) -> usize {
    let closes = |c: char| {
        matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡' | '‼' | '⁉')
            || matches!(c, ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '»' | '›' | '*' | '_')
            || matches!(c, '」' | '』' | '）' | '】' | '》' | '〉' | '〕')
    };
    text[at..end].find(|c| !closes(c)).map_or(end, |by| at + by)
}

fn after_space(text: &str, at: usize, end: usize) -> usize {
    text[at..end].find(|c: char| !c.is_whitespace()).map_or(end, |by| at + by)
}

/// True if the sentence ends at `stop_at` and another begins at `next`.
fn begins(text: &str, start: usize, stop_at: usize, after: usize, next: usize, stop: StopKind) -> bool {
    if stop == StopKind::Wide {
        return true;
    }
    if next == after {
        return false;
    }
    let opening = char_at(text, next);
    if opening.is_none_or(|c| c.is_lowercase() || matches!(c, ',' | ';' | ':' | ')' | ']' | '}')) {
        return false;
    }
    stop != StopKind::Dot || after > stop_at + 1 || !is_abbreviated(&text[start..stop_at])
}

/// True when the text before a full stop ends in an abbreviation, an initial or the number of a list or a day.
fn is_abbreviated(before: &str) -> bool {
    let reach = before.len().saturating_sub(24);
    let from = before.as_bytes()[reach..]
        .iter()
        .rposition(|b| b.is_ascii_whitespace() || matches!(b, b'(' | b'[' | b'"' | b'\'' | b'-' | b'/'))
        .map_or(reach, |by| reach + by + 1);
    let Some(word) = before.get(from..) else { return false };
    let letters = word.chars().count();
    if letters == 0 || (letters == 1 && word.chars().all(char::is_alphabetic)) {
        return true;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return letters <= 2;
    }
    if is_initials(word) {
        return true;
    }
    word.is_ascii() && ABBREVIATIONS.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
}

/// True for `J.R` and `U.S`: single letters with stops between them.
fn is_initials(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|part| {
            let mut chars = part.chars();
            chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut cuts = vec![0];
        starts(text, Span::new(0, text.len()), |at| cuts.push(at));
        cuts.push(text.len());
        let found: Vec<&str> = cuts.windows(2).map(|pair| text[pair[0]..pair[1]].trim()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn stops_end_sentences() {
        check("One. Two! Three?  Four", &["One.", "Two!", "Three?", "Four"]);
        check("He left.\nShe stayed.", &["He left.", "She stayed."]);
        check("Wait... Go on.", &["Wait...", "Go on."]);
    }

    #[test]
    fn quotes_and_brackets_belong_to_the_sentence_that_they_close() {
        check(
            "\"Go.\" He went. (He ran.) “Run!” She ran.",
            &["\"Go.\"", "He went.", "(He ran.)", "“Run!”", "She ran."],
        );
        check("“Where?” she asked. No.", &["“Where?” she asked.", "No."]);
    }

    #[test]
    fn abbreviations_initials_and_numbers_go_on() {
        check("Mr. Smith met Dr. J. R. Jones. All fine.", &["Mr. Smith met Dr. J. R. Jones.", "All fine."]);
        check("See e.g. Fig. 3.14 and U.S. Law. Done.", &["See e.g. Fig. 3.14 and U.S. Law.", "Done."]);
        check("1. First point. 2. Second point.", &["1. First point.", "2. Second point."]);
        check("Born in 1999. Died in v1.2.", &["Born in 1999.", "Died in v1.2."]);
        check(
            "Visit example.com. It works, etc. So there.",
            &["Visit example.com.", "It works, etc.", "So there."],
        );
    }

    #[test]
    fn scripts_without_spaces_and_without_case() {
        check("彼は言った。「行く。」彼女も！終わり", &["彼は言った。", "「行く。」", "彼女も！", "終わり"]);
        check("यह है। वह था।", &["यह है।", "वह था।"]);
        check("هل هذا؟ نعم.", &["هل هذا؟", "نعم."]);
    }

    #[test]
    fn the_list_of_abbreviations_is_sorted() {
        assert!(ABBREVIATIONS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn hostile_text_does_no_harm() {
        for text in ["", ".", "....", ". . .", "\u{301}.\u{301} A", "…\u{a0}…A", "é.É", "x.\u{2003}Y"] {
            starts(text, Span::new(0, text.len()), |at| assert!(text.is_char_boundary(at)));
        }
    }
}
