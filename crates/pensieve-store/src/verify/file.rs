//! The laws of one file: its text, the places of its chunks, and the source bytes that they cite.

use super::token_counters::TokenCounters;
use crate::store::{CitedChunk, FileState, Store, StoreError, TextVariant, Violation};
use pensieve_isolate::files;
use pensieve_isolate::files::FileStat;
use pensieve_text::model::ContentHasher;
use pensieve_text::text::decode::{Encoding, decode_slice};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use unicode_normalization::UnicodeNormalization;

/// Places that are fetched at a time.
const PAGE_ROWS: usize = 256;

pub(super) struct FileCheck<'s> {
    store: &'s Store,
    file: &'s FileState,
    max_tokens: Option<usize>,
    with_source: bool,
    source: Option<(File, Encoding)>,
    pub sources: u64,
    pub cited: u64,
    pub exact: u64,
    pub source_read: bool,
    pub violations: Vec<Violation>,
}

/// Text that is kept for chunks that have not ended: a chunk of a million tokens of long words, and a segment.
const MAX_WINDOW_BYTES: usize = 64 << 20;

/// The part of the clean text that contains the places still to be checked.
#[derive(Default)]
struct TextWindow {
    text: String,
    start: usize,
}

impl TextWindow {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn slice(&self, start: usize, end: usize) -> Option<&str> {
        self.text.get(start.checked_sub(self.start)?..end.checked_sub(self.start)?)
    }

    /// Drops the text before `at`.
    fn drop_before(&mut self, at: usize) {
        let cut = at.saturating_sub(self.start).min(self.text.len());
        if cut > 0 && self.text.is_char_boundary(cut) {
            self.text.drain(..cut);
            self.start += cut;
        }
    }
}

impl<'s> FileCheck<'s> {
    /// The check of a file; its source is looked at if `with_source` says so.
    pub fn new(
        store: &'s Store,
        file: &'s FileState,
        max_tokens: Option<usize>,
        with_source: bool,
    ) -> FileCheck<'s> {
        FileCheck {
            store,
            file,
            with_source,
            max_tokens,
            source: None,
            sources: 0,
            cited: 0,
            exact: 0,
            source_read: false,
            violations: Vec::new(),
        }
    }

    pub fn run(&mut self, counters: &mut TokenCounters) -> Result<(), StoreError> {
        let checked = self
            .check_versions()
            .and_then(|()| self.open_source())
            .and_then(|()| self.check_places(counters))
            .and_then(|()| self.check_derived());
        match checked {
            // An unreadable text violates the laws of one file only; the other files are still checked.
            Err(StoreError::Damaged { detail, .. }) => {
                self.fail(6, detail);
                Ok(())
            }
            other => other,
        }
    }

    /// Tables are those of the current clean text, fields those of the text and the metadata.
    fn check_derived(&mut self) -> Result<(), StoreError> {
        if let Some(difference) = self.store.tables().difference(self.file.file_id)? {
            self.fail(6, difference);
        }
        if self.store.laws().has_other_fields(self.file.file_id)? {
            self.fail(6, "the fields by which it is found are not those of its text and metadata".to_owned());
        }
        Ok(())
    }

    fn fail(&mut self, law: u8, what: String) {
        self.violations.push(Violation::of_file(law, &self.file.relative_path, &what));
    }

    /// Hash and lengths of every stored version are those in `text_versions`, also of versions that are not current: a
    /// rollback may need them.
    fn check_versions(&mut self) -> Result<(), StoreError> {
        for version in self.store.texts().versions_of(self.file.file_id)? {
            let variant = version.variant;
            let (mut hasher, mut bytes, mut chars, mut has_gap) = (ContentHasher::new(), 0, 0, false);
            self.store.text(self.file.file_id, variant, &version.version).each_segment(&mut |stored| {
                has_gap |= stored.start != bytes || stored.char_start != chars;
                hasher.update(stored.segment.text.as_bytes());
                bytes += stored.segment.text.len();
                chars += stored.segment.text.chars().count();
                true
            })?;
            let same = hasher.finish() == version.sha256 && bytes == version.bytes && chars == version.chars;
            if has_gap || !same {
                self.fail(6, format!("{} is not what text_versions says", version.version));
            }
        }
        Ok(())
    }

    /// Opens the source if it still has the bytes that were read.
    fn open_source(&mut self) -> Result<(), StoreError> {
        if !self.with_source {
            return Ok(());
        }
        let facts = self.store.texts().content_facts(self.file.file_id)?;
        let Some(encoding) = facts.encoding.as_deref().and_then(Encoding::from_name) else { return Ok(()) };
        let expected = FileStat { inode: self.file.inode, device: self.file.device, ..FileStat::default() };
        let Ok(file) = files::open(&self.file.location, &expected) else { return Ok(()) };
        let Ok(identity) = files::identify(&self.file.location, &expected) else { return Ok(()) };
        if Some(identity.hash) == self.file.hash {
            self.source = Some((file, encoding));
            self.source_read = true;
        }
        Ok(())
    }

    fn check_places(&mut self, counters: &mut TokenCounters) -> Result<(), StoreError> {
        let Some(version) = self.store.texts().current(self.file.file_id, TextVariant::Clean)? else {
            return Ok(());
        };
        let store = self.store;
        let mut window = TextWindow::default();
        let mut places = CitedChunkPages::new(self.file.file_id);
        let mut covered = 0;
        let mut failure = None;
        store.text(self.file.file_id, TextVariant::Clean, &version.version).each_segment(&mut |stored| {
            window.text.push_str(&stored.segment.text);
            loop {
                match places.next_within(store, window.end()) {
                    Ok(Some(place)) => self.check_place(&place, &window, &mut covered, counters),
                    Ok(None) => break,
                    Err(error) => {
                        failure = Some(error);
                        return false;
                    }
                }
            }
            window.drop_before(covered.min(places.next_start().unwrap_or(covered)));
            // What no chunk of a possible size can begin before is not kept: a text may be longer than memory.
            window.drop_before(window.end().saturating_sub(MAX_WINDOW_BYTES));
            true
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        if window.slice(covered.max(window.start), window.end()).is_none_or(|rest| !rest.trim().is_empty()) {
            self.fail(4, format!("text after byte {covered} is in no chunk"));
        }
        if let Some(place) = places.next_within(store, usize::MAX)? {
            self.fail(1, format!("a chunk ends at byte {}, after the end of the text", place.end));
        }
        Ok(())
    }

    fn check_place(
        &mut self,
        place: &CitedChunk,
        window: &TextWindow,
        covered: &mut usize,
        counters: &mut TokenCounters,
    ) {
        self.sources += 1;
        if window.slice(place.start, place.end) != Some(place.content.as_str()) {
            self.fail(1, format!("bytes {}..{} are not chunk {}", place.start, place.end, place.chunk_id));
        }
        if place.start > *covered
            && window.slice(*covered, place.start).is_none_or(|gap| !gap.trim().is_empty())
        {
            self.fail(4, format!("bytes {covered}..{} are in no chunk", place.start));
        }
        *covered = (*covered).max(place.end);
        // A text that is far longer than its place is compared with nothing else: it may be as long as SQLite lets it be.
        if place.content.len() / 4 > place.end.saturating_sub(place.start) + 4096 {
            return;
        }
        self.check_context(place, counters);
        self.check_source(place);
    }

    /// The context of a chunk counts towards its `max_tokens`.
    fn check_context(&mut self, place: &CitedChunk, counters: &mut TokenCounters) {
        let (Some(context), Some(max_tokens)) = (&place.context, self.max_tokens) else { return };
        // After an interrupted run some chunks may still be counted in the former encoding.
        let Some(counter) = counters.get(&place.tokenizer) else { return };
        let count = counter.count(context) + counter.count(&place.content);
        if count > max_tokens {
            self.fail(3, format!("chunk {} with its context has {count} tokens", place.chunk_id));
        }
    }

    fn check_source(&mut self, place: &CitedChunk) {
        let Some((start, end, exact)) = place.source else { return };
        self.cited += 1;
        self.exact += u64::from(exact);
        let Some((file, encoding)) = &mut self.source else { return };
        let size = self.file.size as usize;
        if start > end || end > size {
            self.fail(5, format!("chunk {} cites bytes {start}..{end} of {size}", place.chunk_id));
            return;
        }
        if !exact {
            return;
        }
        let cited = read_slice(file, start, end).and_then(|bytes| decode_slice(*encoding, &bytes));
        if !cited.is_some_and(|text| is_same_text(&text, &place.content)) {
            self.fail(5, format!("source bytes {start}..{end} are not chunk {}", place.chunk_id));
        }
    }
}

/// The places of a file's chunks, fetched page by page.
struct CitedChunkPages {
    file_id: i64,
    page: std::collections::VecDeque<CitedChunk>,
    last: Option<(usize, i64)>,
    ended: bool,
}

impl CitedChunkPages {
    fn new(file_id: i64) -> CitedChunkPages {
        CitedChunkPages { file_id, page: Default::default(), last: None, ended: false }
    }

    fn next_start(&self) -> Option<usize> {
        self.page.front().map(|place| place.start)
    }

    /// The next place that ends at `end` or before.
    fn next_within(&mut self, store: &Store, end: usize) -> Result<Option<CitedChunk>, StoreError> {
        if self.page.is_empty() && !self.ended {
            let after = self.last.unwrap_or((0, -1));
            self.page = store.laws().chunks_after(self.file_id, after, PAGE_ROWS)?.into();
            self.ended = self.page.len() < PAGE_ROWS;
            self.last = self.page.back().map(|place| (place.start, place.chunk_id)).or(self.last);
        }
        match self.page.front() {
            Some(place) if place.end <= end => Ok(self.page.pop_front()),
            _ => Ok(None),
        }
    }
}

fn read_slice(file: &mut File, start: usize, end: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; end - start];
    file.seek(SeekFrom::Start(start as u64)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// True if two texts have the same NFKC form without white space, hyphens, soft hyphens and byte-order marks, by which
/// citations are compared. Most are equal as they are, and most others are ASCII, which NFKC leaves alone.
fn is_same_text(one: &str, other: &str) -> bool {
    let is_kept = |c: &char| !(c.is_whitespace() || matches!(c, '-' | '\u{ad}' | '\u{feff}'));
    if one == other {
        true
    } else if one.is_ascii() && other.is_ascii() {
        one.chars().filter(is_kept).eq(other.chars().filter(is_kept))
    } else {
        one.nfkc().filter(is_kept).eq(other.nfkc().filter(is_kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(start: usize, text: &str) -> TextWindow {
        TextWindow { text: text.to_owned(), start }
    }

    #[test]
    fn a_window_has_the_text_from_its_start_to_its_end() {
        let window = window(10, "größe");
        assert_eq!(window.end(), 17);
        let check = |start, end, expected: Option<&str>| {
            assert_eq!(window.slice(start, end), expected, "{start}..{end}")
        };
        check(10, 17, Some("größe"));
        check(10, 12, Some("gr"));
        check(12, 14, Some("ö"));
        check(17, 17, Some(""));
        check(9, 12, None);
        check(10, 18, None);
        check(12, 13, None);
        check(14, 12, None);
    }

    #[test]
    fn a_window_drops_whole_characters_before_a_place() {
        let check = |at: usize, start: usize, text: &str| {
            let mut window = window(10, "größe");
            window.drop_before(at);
            assert_eq!((window.start, window.text.as_str()), (start, text), "{at}");
        };
        check(0, 10, "größe");
        check(10, 10, "größe");
        check(11, 11, "röße");
        check(12, 12, "öße");
        check(13, 10, "größe");
        check(14, 14, "ße");
        check(17, 17, "");
        check(30, 17, "");
    }

    #[test]
    fn citations_are_compared_without_space_and_hyphens() {
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(is_same_text(one, other), expected, "{one:?} {other:?}");
        };
        check("fog lamp", "fog\n  lamp", true);
        check("fog lamp", "fog-lamp", true);
        check("foglamp", "fog\u{ad}lamp", true);
        check("foglamp", "\u{feff}foglamp", true);
        check("ﬁn", "fin", true);
        check("fog lamp", "Fog lamp", false);
        check("fog lamp", "fog_lamp", false);
        check("fog", "", false);
        check(" -\u{ad}", "", true);
    }
}
