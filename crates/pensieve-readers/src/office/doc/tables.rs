//! A Word document with its tables read: text, pieces, formats, styles, and where its other stories are.

use super::bytes::{Plc, counted_text, slice_at, u8_at};
use super::fib::{Fib, FibTable, StoryKind, WordVersion};
use super::pieces::{TextPiece, pieces_of};
use super::properties::{ParagraphFormat, RunModifiers, Sprms};
use super::property_runs::{PropertyPages, PropertyRuns};
use super::styles::{FontEntry, ResolvedStyle, fonts_of, styles_of};
use crate::limits::doc::MAX_DATA_STREAM_PARAGRAPHS;
use crate::shared::bytes::{has_lost_characters, u16_le, u32_le};
use crate::shared::codepage;
use crate::shared::ole::Compound;
use pensieve_text::model::{Problem, ProblemKind, ReviewReason};
use pensieve_text::text::decode::has_zero_block;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The code page of documents that were written on a Macintosh.
const MACINTOSH: u32 = 10_000;

/// A document whose tables are read.
pub(super) struct WordDocument {
    pub fib: Fib,
    pub stream: Vec<u8>,
    /// The stream of tables; `None` in Word 6, where they are in the document stream.
    tables: Option<Vec<u8>>,
    pub pieces: Vec<TextPiece>,
    /// The piece table is lost, so that positions in stories mean nothing.
    pub is_guessed: bool,
    pub character_formats: PropertyRuns<RunModifiers>,
    pub paragraphs: PropertyRuns<ParagraphFormat>,
    pub styles: Vec<ResolvedStyle>,
    pub fonts: Vec<FontEntry>,
    /// The code page of characters of one byte.
    pub code_page: u32,
    pub problems: Vec<Problem>,
    pub review_reasons: Vec<ReviewReason>,
}

/// What a character of the body refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AnchoredContent {
    /// A note with its label.
    Note(Arc<str>, Range<u32>),
    /// The text of a shape.
    TextBox(Range<u32>),
}

impl WordDocument {
    /// Reads the tables of a document.
    ///
    /// # Errors
    /// `Encrypted`, or the reason why its streams cannot be read.
    pub(super) fn read(
        compound: &mut Compound<'_>,
        fib: Fib,
        stream: Vec<u8>,
    ) -> Result<WordDocument, Problem> {
        if fib.is_encrypted {
            let how = if fib.is_obfuscated { "XOR obfuscation" } else { "RC4" };
            let message = format!("the document is encrypted with a password ({how})");
            return Err(Problem::new(ProblemKind::Encrypted, message));
        }
        let tables = match fib.version {
            WordVersion::Word97 => {
                let names = if fib.uses_second_table { ["1Table", "0Table"] } else { ["0Table", "1Table"] };
                let found = names.iter().find_map(|name| compound.find(name));
                Some(found.map(|entry| compound.read(entry)).transpose()?.unwrap_or_default())
            }
            _ => None,
        };
        let mut document = WordDocument::without_tables(fib, stream);
        document.tables = tables;
        document.read_pieces();
        document.character_formats = document.property_pages(FibTable::Looks).character_formats();
        document.paragraphs = document.property_pages(FibTable::Paragraphs).paragraphs();
        document.styles = styles_of(document.table(FibTable::Styles), document.fib.version);
        document.fonts = fonts_of(document.table(FibTable::Fonts), document.fib.version);
        document.read_far_paragraphs(compound)?;
        Ok(document)
    }

    /// A document whose text alone is read.
    pub(super) fn without_tables(fib: Fib, stream: Vec<u8>) -> WordDocument {
        let code_page = match fib.version {
            WordVersion::Word97 => codepage::WESTERN,
            _ if fib.is_macintosh => MACINTOSH,
            _ => codepage::of_language(fib.language),
        };
        let mut document = WordDocument {
            fib,
            stream,
            tables: None,
            pieces: Vec::new(),
            is_guessed: false,
            character_formats: PropertyRuns::default(),
            paragraphs: PropertyRuns::default(),
            styles: Vec::new(),
            fonts: Vec::new(),
            code_page,
            problems: Vec::new(),
            review_reasons: Vec::new(),
        };
        document.pieces = document.one_piece();
        document
    }

    fn property_pages(&self, table: FibTable) -> PropertyPages<'_> {
        PropertyPages { stream: &self.stream, table: self.table(table), version: self.fib.version }
    }

    /// A table; empty if there is none.
    pub(super) fn table(&self, which: FibTable) -> &[u8] {
        let (at, length) = self.fib.place(which);
        slice_at(self.tables(), at, length)
    }

    /// The stream with the tables.
    pub(super) fn tables(&self) -> &[u8] {
        self.tables.as_deref().unwrap_or(&self.stream)
    }

    /// Reads the piece table; without it the text is one piece.
    fn read_pieces(&mut self) {
        let has_table = self.fib.version == WordVersion::Word97 || self.fib.is_complex;
        if !has_table {
            return;
        }
        let pieces = pieces_of(self.table(FibTable::Pieces), self.fib.version, self.stream.len());
        if !pieces.is_empty() {
            self.pieces = pieces;
            return;
        }
        self.pieces = self.guessed_pieces();
        self.is_guessed = true;
        let message =
            "the table of text pieces is missing or broken; text was taken in the order of the file";
        self.problems.push(Problem::new(ProblemKind::Damaged, message));
        self.review_reasons.push(ReviewReason::repaired(message));
    }

    /// True if zeros stand where the document has text.
    pub(super) fn has_lost_text(&self) -> bool {
        let bytes = |piece: &TextPiece| {
            let length = piece.characters.end.saturating_sub(piece.characters.start) * piece.width();
            slice_at(&self.stream, piece.start as usize, length as usize)
        };
        !self.is_guessed && self.pieces.iter().any(|piece| has_lost_characters(bytes(piece)))
    }

    /// True if zeros stand where the document has styles, formats, fonts or lists. Other tables have zeros of their own, and
    /// so has the head of the styles; of 26 undamaged documents none has more than 37 in a row in what is examined.
    pub(super) fn has_lost_tables(&self) -> bool {
        use FibTable::{Fonts, ListTable, ListUses, Looks, Paragraphs, Pieces, Styles};
        let styles = self.table(Styles);
        let head = 2 + usize::from(u16_le(styles, 0).unwrap_or(0));
        let tables = [Looks, Paragraphs, Fonts, Pieces, ListTable, ListUses].map(|table| self.table(table));
        // These begin with positions in the file, of which only the first may be zero.
        let is_blank = |table: &&[u8]| !table.is_empty() && table.iter().all(|byte| *byte == 0);
        has_zero_block(styles.get(head..).unwrap_or_default())
            || tables.into_iter().any(has_zero_block)
            || tables[..2].iter().any(is_blank)
    }

    /// Guesses pieces by their bytes: if there are zeros, a character takes two bytes.
    fn guessed_pieces(&self) -> Vec<TextPiece> {
        const SAMPLE_BYTES: usize = 64;
        let mut pieces: Vec<TextPiece> = Vec::new();
        let range = self.fib.text.clone();
        for start in range.clone().step_by(SAMPLE_BYTES) {
            let bytes = slice_at(&self.stream, start, SAMPLE_BYTES.min(range.end - start));
            let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|u8_at| **u8_at == 0).count();
            let is_wide = (zeros(0) + zeros(1)) * 8 > bytes.len();
            if pieces.last().is_none_or(|last| last.is_wide != is_wide) {
                let first = pieces.last().map_or(0, |last| last.characters.end);
                // Zeros are the upper halves of characters.
                let start = start + usize::from(is_wide && zeros(0) > zeros(1));
                pieces.push(TextPiece { characters: first..first, start: start as u32, is_wide });
            }
            if let Some(last) = pieces.last_mut() {
                let end = (start + bytes.len()) as u32;
                last.characters.end = last.characters.start + (end - last.start) / last.width();
            }
        }
        pieces
    }

    fn one_piece(&self) -> Vec<TextPiece> {
        let length = self.fib.text.len() as u32;
        vec![TextPiece { characters: 0..length, start: self.fib.text.start as u32, is_wide: false }]
    }

    /// Reads properties that are too long for their page, usually those of wide tables.
    fn read_far_paragraphs(&mut self, compound: &mut Compound<'_>) -> Result<(), Problem> {
        let Some(entry) = compound.find("Data") else { return Ok(()) };
        let far = self.paragraphs.values_mut().filter(|paragraph| paragraph.more_at.is_some());
        for paragraph in far.take(MAX_DATA_STREAM_PARAGRAPHS) {
            let at = u64::from(paragraph.more_at.take().unwrap_or(0));
            let bytes = compound.read_range(entry, at, 4096)?;
            let length = usize::from(u16_le(&bytes, 0).unwrap_or(0));
            paragraph.apply(Sprms { bytes: slice_at(&bytes, 2, length), version: WordVersion::Word97 });
        }
        Ok(())
    }

    /// The content that characters of the body refer to, by their positions.
    pub(super) fn references(&self) -> HashMap<u32, AnchoredContent> {
        let mut references = HashMap::new();
        if self.is_guessed {
            return references;
        }
        let mut count = 0;
        let notes = [
            (FibTable::FootnoteReferences, FibTable::FootnoteTexts, StoryKind::Footnotes),
            (FibTable::EndnoteReferences, FibTable::EndnoteTexts, StoryKind::Endnotes),
        ];
        for (places, texts, story) in notes {
            let places = Plc::new(self.table(places), 2);
            for (at, range) in self.ranges(texts, 0, story).into_iter().enumerate().take(places.len()) {
                if let Some(place) = places.position(at) {
                    count += 1;
                    references.insert(place, AnchoredContent::Note(count.to_string().into(), range));
                }
            }
        }
        let boxes = Plc::new(self.table(FibTable::TextBoxes), 22);
        let ranges = self.ranges(FibTable::TextBoxes, 22, StoryKind::TextBoxes);
        let shapes: HashMap<u32, Range<u32>> = ranges
            .into_iter()
            .enumerate()
            .filter_map(|(at, range)| {
                Some((u32_le(boxes.record(at), 14).filter(|shape| *shape != 0)?, range))
            })
            .collect();
        let anchors = Plc::new(self.table(FibTable::Shapes), 26);
        for at in 0..anchors.len() {
            let range = u32_le(anchors.record(at), 0).and_then(|shape| shapes.get(&shape));
            if let (Some(place), Some(range)) = (anchors.position(at), range) {
                references.insert(place, AnchoredContent::TextBox(range.clone()));
            }
        }
        references
    }

    /// The ranges into which a table divides a story.
    pub(super) fn ranges(&self, table: FibTable, size: usize, story: StoryKind) -> Vec<Range<u32>> {
        let whole = self.fib.story(story);
        let plc = Plc::new(self.table(table), size);
        let place = |at| plc.position(at).map(|at| whole.start.saturating_add(at).min(whole.end));
        let mut ranges = Vec::new();
        let mut before = whole.start;
        for at in 0..plc.len() {
            let (Some(start), Some(end)) = (place(at), place(at + 1)) else { break };
            // Ranges are in order: a range that goes back would be read again and again.
            let start = start.max(before);
            ranges.push(start..end.max(start));
            before = end.max(start);
        }
        ranges
    }

    /// The comments: the author, and the range of the text.
    pub(super) fn comments(&self) -> Vec<(String, Range<u32>)> {
        let (size, owner_at) = if self.fib.version == WordVersion::Word97 { (30, 20) } else { (20, 10) };
        let owners = self.owners();
        let references = Plc::new(self.table(FibTable::CommentReferences), size);
        let owner = |at| {
            let number = u16_le(references.record(at), owner_at)?;
            owners.get(usize::from(number)).cloned()
        };
        let ranges = self.ranges(FibTable::CommentTexts, 0, StoryKind::Comments);
        let count = references.len();
        ranges
            .into_iter()
            .take(count)
            .enumerate()
            .map(|(at, range)| (owner(at).unwrap_or_default(), range))
            .collect()
    }

    fn owners(&self) -> Vec<String> {
        let table = self.table(FibTable::CommentOwners);
        let mut owners = Vec::new();
        let mut at = 0;
        while at < table.len() {
            let next = match self.fib.version {
                WordVersion::Word97 => counted_text(table, at),
                _ => u8_at(table, at).map(|length| {
                    let length = usize::from(length);
                    (codepage::decode(self.code_page, slice_at(table, at + 1, length)), 1 + length)
                }),
            };
            let Some((owner, length)) = next else { break };
            owners.push(owner);
            at += length;
        }
        owners
    }
}
