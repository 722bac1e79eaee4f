//! [`find_words`]: the words of a citation somewhere else in their document.
//!
//! A citation has only the length of its words and 32 to 48 bits of their hash. If a chunk or another version of the text
//! has the words, they are searched for as a string. If none has, windows of their length are hashed: those that begin
//! and end where words of citations usually do first, then all, from the old place outwards, up to a limit.

use crate::store::{Citation, DocumentText, Store, StoreError};
use memchr::memmem;
use std::ops::Range;

/// Bytes that are hashed at most to find words that nothing but the citation knows: one to four seconds of work.
pub const MAX_HASHED_BYTES: u64 = 2 << 30;

/// What hashing a window costs beside its bytes: padding, and the calls.
const WINDOW_BYTES: u64 = 64;

/// Chunks whose starts are tried in one segment.
const MAX_CHUNK_STARTS: usize = 1 << 14;

/// How a search for words ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordSearch {
    /// The words are here; of several places, at the one nearest to the old place.
    Found(Range<usize>),
    /// The text does not have them.
    Absent,
    /// The limit was reached.
    Stopped,
}

/// Looks for the words of a citation anywhere in a text.
///
/// Cost: a pass over the text if the words are known, otherwise up to [`MAX_HASHED_BYTES`] of hashing.
pub fn find_words(
    store: &Store,
    text: &DocumentText<'_>,
    citation: &Citation,
) -> Result<WordSearch, StoreError> {
    if citation.span.len() > text.bytes {
        return Ok(WordSearch::Absent);
    }
    let parts = TextParts::new(text, citation)?;
    let words = match known_words(store, text, citation)? {
        Some(words) => words,
        None => match parts.hashed_words(max_hashed_bytes(citation))? {
            HashedWords::Found(words) => words,
            HashedWords::Absent => return Ok(WordSearch::Absent),
            HashedWords::Stopped => return Ok(WordSearch::Stopped),
        },
    };
    Ok(match parts.nearest(&words)? {
        Some(start) => WordSearch::Found(start..start + words.len()),
        None => WordSearch::Absent,
    })
}

/// Bytes that are hashed to find words again: of a short citation only as many windows as its hash tells apart.
fn max_hashed_bytes(citation: &Citation) -> u64 {
    let window = citation.span.len() as u64 + WINDOW_BYTES;
    MAX_HASHED_BYTES.min(citation.max_guesses().saturating_mul(window))
}

/// The words, if a chunk of any document or another version of this text has them.
fn known_words(
    store: &Store,
    text: &DocumentText<'_>,
    citation: &Citation,
) -> Result<Option<String>, StoreError> {
    if let Some(words) = store.chunks().cited(citation)? {
        return Ok(Some(words));
    }
    for version in text.other_versions()? {
        let words = version.words(citation.span.clone())?;
        if let Some(words) = words.filter(|words| citation.names(words)) {
            return Ok(Some(words));
        }
    }
    Ok(None)
}

/// What hashing found.
enum HashedWords {
    Found(String),
    Absent,
    Stopped,
}

/// Where the windows of one pass begin and end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WindowKind {
    /// At the start of a line or chunk.
    Lines,
    /// Between words at both ends.
    Words,
    /// Anywhere else.
    Characters,
}

/// The parts of a text, ordered by their distance from the old place of the words.
struct TextParts<'t, 's> {
    text: &'t DocumentText<'s>,
    citation: &'t Citation,
    parts: Vec<Range<usize>>,
}

impl<'t, 's> TextParts<'t, 's> {
    fn new(text: &'t DocumentText<'s>, citation: &'t Citation) -> Result<TextParts<'t, 's>, StoreError> {
        let starts = text.segment_starts()?;
        let ends = starts.iter().skip(1).copied().chain([text.bytes]);
        let mut parts: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(a, b)| a..b).collect();
        parts.sort_by_key(|part| distance(part, citation.span.start));
        Ok(TextParts { text, citation, parts })
    }

    /// The text of a part, and as much after it as a window that begins in it needs.
    fn read(&self, part: &Range<usize>) -> Result<String, StoreError> {
        let wanted = part.len() + self.citation.span.len() - 1;
        let mut found = String::new();
        self.text.each_text(part.start, &mut |_, text| {
            let cut = text.floor_char_boundary(wanted - found.len());
            found.push_str(&text[..cut]);
            cut == text.len() && found.len() < wanted
        })?;
        Ok(found)
    }

    /// The place of the words that is nearest to the old one.
    fn nearest(&self, words: &str) -> Result<Option<usize>, StoreError> {
        let old = self.citation.span.start;
        let mut best: Option<usize> = None;
        for part in &self.parts {
            if best.is_some_and(|best| best.abs_diff(old) <= distance(part, old)) {
                break;
            }
            let text = self.read(part)?;
            let at = old.clamp(part.start, part.end) - part.start;
            let (before, after) = nearest_in(text.as_bytes(), words.as_bytes(), at);
            let found = before.into_iter().chain(after).map(|found| part.start + found);
            best = best.into_iter().chain(found).min_by_key(|found| found.abs_diff(old));
        }
        Ok(best)
    }

    /// Hashes windows until one is the words. Each kind of windows leaves a share of the limit to the next, so that
    /// those near the old place are tried in every way, however long the text is.
    fn hashed_words(&self, limit: u64) -> Result<HashedWords, StoreError> {
        let kinds = [
            (WindowKind::Lines, limit / 2),
            (WindowKind::Words, limit / 4 * 3),
            (WindowKind::Characters, limit),
        ];
        let (mut hashed, mut is_stopped) = (0, false);
        for (kind, share) in kinds {
            for part in &self.parts {
                if let Some(words) = self.hashed_in_part(kind, part, share, &mut hashed)? {
                    return Ok(HashedWords::Found(words));
                }
                if hashed >= share {
                    is_stopped = true;
                    break;
                }
            }
        }
        Ok(if is_stopped { HashedWords::Stopped } else { HashedWords::Absent })
    }

    /// Hashes the windows of a kind that begin in a part, until `hashed` has reached `share`.
    fn hashed_in_part(
        &self,
        kind: WindowKind,
        part: &Range<usize>,
        share: u64,
        hashed: &mut u64,
    ) -> Result<Option<String>, StoreError> {
        let text = self.read(part)?;
        for start in self.starts(kind, part, &text)? {
            let Some(window) = text.get(start..start + self.citation.span.len()) else { continue };
            if *hashed >= share {
                break;
            }
            if self.citation.names(window) {
                return Ok(Some(window.to_owned()));
            }
            *hashed += window.len() as u64 + WINDOW_BYTES;
        }
        Ok(None)
    }

    /// Where the windows of a kind begin in the text of a part.
    fn starts<'w>(
        &self,
        kind: WindowKind,
        part: &Range<usize>,
        text: &'w str,
    ) -> Result<Box<dyn Iterator<Item = usize> + 'w>, StoreError> {
        let len = self.citation.span.len();
        let starts = (0..part.len()).filter(move |&start| window_kind(text.as_bytes(), start, len) == kind);
        if kind != WindowKind::Lines {
            return Ok(Box::new(starts));
        }
        let chunks = self.text.chunks_from(part.start, MAX_CHUNK_STARTS)?;
        let (first, end) = (part.start, part.end);
        let chunks = chunks.into_iter().map(|chunk| chunk.place.start).take_while(move |start| *start < end);
        Ok(Box::new(chunks.map(move |start| start - first).chain(starts)))
    }
}

/// The last place of the words that begins at `at` or before, and the first after it.
fn nearest_in(text: &[u8], words: &[u8], at: usize) -> (Option<usize>, Option<usize>) {
    let before = memmem::rfind(&text[..text.len().min(at + words.len())], words);
    let after = text.get(at + 1..).and_then(|rest| memmem::find(rest, words)).map(|found| at + 1 + found);
    (before, after)
}

/// How far a part is from a byte.
fn distance(part: &Range<usize>, at: usize) -> usize {
    part.start.saturating_sub(at).max(at.saturating_sub(part.end.saturating_sub(1)))
}

fn window_kind(text: &[u8], start: usize, len: usize) -> WindowKind {
    let is_word = |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let is_cut = |at: usize| at > 0 && is_word(at - 1) && is_word(at);
    match start == 0 || text[start - 1] == b'\n' {
        true => WindowKind::Lines,
        false if text[start] != b' ' && !is_cut(start) && !is_cut(start + len) => WindowKind::Words,
        false => WindowKind::Characters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{only_uid, text_in_segments};

    /// Where words that start at byte `old` of an earlier text are in these segments.
    fn found(segments: &[&str], old: usize, words: &str) -> Option<usize> {
        let store = text_in_segments(segments);
        let uid = only_uid(&store);
        let text = store.documents().clean_text(&uid).unwrap().unwrap();
        match find_words(&store, &text, &Citation::new(&uid, old, words)).unwrap() {
            WordSearch::Found(span) => Some(span.start),
            WordSearch::Absent => None,
            WordSearch::Stopped => panic!("stopped"),
        }
    }

    #[test]
    fn words_are_found_wherever_they_are() {
        let segments = ["one\ntwö lamps, ", "three\n", "four"];
        for words in
            ["one", "two lamps", "wö la", "ö", "lamps, three\nfour", ", t", "hr", "four", "hree\nfou"]
        {
            for old in [0, 7, 19, 1_000_000] {
                assert_eq!(found(&segments, old, words), segments.concat().find(words), "{words} {old}");
            }
        }
        assert_eq!(found(&segments, 0, &segments.concat()), Some(0));
        assert_eq!(found(&segments, 0, "Four"), None);
        assert_eq!(found(&segments, 0, &"x".repeat(1000)), None);
    }

    #[test]
    fn of_several_places_the_nearest_is_found() {
        let segments = ["fog. fog.\n", "a fog. ", "b fog."];
        for (old, nearest) in [(0, 0), (2, 0), (3, 5), (8, 5), (9, 12), (14, 12), (18, 19), (500, 19)] {
            assert_eq!(found(&segments, old, "fog."), Some(nearest), "{old}");
        }
        assert_eq!(found(&["aaaa", "aaaa", "aa"], 5, "aaa"), Some(5));
    }

    #[test]
    fn hashing_stops_at_its_limit() {
        let store = text_in_segments(&["some words, and then others"]);
        let uid = only_uid(&store);
        let text = store.documents().clean_text(&uid).unwrap().unwrap();
        let citation = Citation::new(&uid, 0, "words");
        let parts = TextParts::new(&text, &citation).unwrap();
        let has_found = |limit| matches!(parts.hashed_words(limit).unwrap(), HashedWords::Found(_));
        assert!(has_found(300));
        assert!(!has_found(60));
        let absent = Citation::new(&uid, 0, "Words");
        let parts = TextParts::new(&text, &absent).unwrap();
        assert!(matches!(parts.hashed_words(10_000).unwrap(), HashedWords::Absent));
        assert!(matches!(parts.hashed_words(300).unwrap(), HashedWords::Stopped));
    }

    #[test]
    fn windows_between_words_are_tried_before_others() {
        let kind = |start, len| window_kind(b"a word, x\nfour", start, len);
        assert!(kind(0, 3) == WindowKind::Lines && kind(10, 2) == WindowKind::Lines);
        assert!(kind(2, 4) == WindowKind::Words && kind(2, 5) == WindowKind::Words);
        assert!(kind(2, 3) == WindowKind::Characters && kind(3, 3) == WindowKind::Characters);
        assert!(kind(1, 5) == WindowKind::Characters);
    }

    #[test]
    fn each_kind_of_windows_leaves_a_share_of_the_limit() {
        let has_found = |segment: &str, limit: u64| {
            let store = text_in_segments(&[segment]);
            let uid = only_uid(&store);
            let text = store.documents().clean_text(&uid).unwrap().unwrap();
            let citation = Citation::new(&uid, 0, "words");
            let parts = TextParts::new(&text, &citation).unwrap();
            matches!(parts.hashed_words(limit).unwrap(), HashedWords::Found(_))
        };
        // One window at the start of a line has five bytes and 64 more.
        assert!(has_found("a line\nwords here", 140) && !has_found("a line\nwords here", 139));
        assert!(has_found("some words", 96) && !has_found("some words", 95));
        assert!(has_found("awords", 70) && !has_found("awords", 69));
        assert!(has_found("words", 2) && !has_found("words", 1));
    }

    #[test]
    fn parts_are_ordered_by_their_distance() {
        assert_eq!([0, 5, 9, 10, 12].map(|at| distance(&(5..10), at)), [5, 0, 0, 1, 3]);
        let check = |at: usize, expected: (Option<usize>, Option<usize>)| {
            assert_eq!(nearest_in(b"ab ab ab", b"ab", at), expected, "{at}");
        };
        check(0, (Some(0), Some(3)));
        check(2, (Some(0), Some(3)));
        check(3, (Some(3), Some(6)));
        check(6, (Some(6), None));
        check(9, (Some(6), None));
    }
}
