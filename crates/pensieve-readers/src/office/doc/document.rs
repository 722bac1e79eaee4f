//! A Word document with its tables read: text, pieces, looks, paragraphs, styles, and where its other stories stand.

use super::bytes::{Plc, byte, counted_text, long, part, short};
use super::fib::{Fib, Part, Story, Version};
use super::pieces::{Piece, pieces_of};
use super::runs::{Pages, Runs};
use super::sprm::{Look, Paragraph, Sprms};
use super::styles::{Font, Style, fonts_of, styles_of};
use crate::shared::codepage;
use crate::shared::ole::Compound;
use pensieve_text::model::{Doubt, DoubtKind, Problem, ProblemKind};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Paragraphs whose properties stand in the data stream.
const MOST_FAR_PARAGRAPHS: usize = 5_000;

/// The code page of documents that were written on a Macintosh.
const MACINTOSH: u32 = 10_000;

/// A document.
pub(super) struct Opened {
    pub fib: Fib,
    pub stream: Vec<u8>,
    /// The stream of tables; that of the document itself in Word 6.
    tables: Option<Vec<u8>>,
    pub pieces: Vec<Piece>,
    /// The table of pieces is lost, so that places in stories mean nothing.
    pub is_guessed: bool,
    pub looks: Runs<Look>,
    pub paragraphs: Runs<Paragraph>,
    pub styles: Vec<Style>,
    pub fonts: Vec<Font>,
    /// Of characters of one byte.
    pub code_page: u32,
    pub problems: Vec<Problem>,
    pub doubts: Vec<Doubt>,
}

/// What a character of the body refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// A note with its label.
    Note(Arc<str>, Range<u32>),
    /// The text of a shape.
    TextBox(Range<u32>),
}

impl Opened {
    /// Reads the tables of a document.
    ///
    /// # Errors
    /// `Encrypted`, or what keeps its streams from being read.
    pub(super) fn read(compound: &mut Compound<'_>, fib: Fib, stream: Vec<u8>) -> Result<Opened, Problem> {
        if fib.is_encrypted {
            let how = if fib.is_obfuscated { "XOR obfuscation" } else { "RC4" };
            let message = format!("the document is encrypted with a password ({how})");
            return Err(Problem::new(ProblemKind::Encrypted, message));
        }
        let tables = match fib.version {
            Version::Word97 => {
                let names = if fib.uses_second_table { ["1Table", "0Table"] } else { ["0Table", "1Table"] };
                let found = names.iter().find_map(|name| compound.find(name));
                Some(found.map(|entry| compound.read(entry)).transpose()?.unwrap_or_default())
            }
            _ => None,
        };
        let mut opened = Opened::without_tables(fib, stream);
        opened.tables = tables;
        opened.read_pieces();
        opened.looks = opened.pages(Part::Looks).looks();
        opened.paragraphs = opened.pages(Part::Paragraphs).paragraphs();
        opened.styles = styles_of(opened.table(Part::Styles), opened.fib.version);
        opened.fonts = fonts_of(opened.table(Part::Fonts), opened.fib.version);
        opened.read_far_paragraphs(compound)?;
        Ok(opened)
    }

    /// A document of which only the text is understood.
    pub(super) fn without_tables(fib: Fib, stream: Vec<u8>) -> Opened {
        let code_page = match fib.version {
            Version::Word97 => codepage::WESTERN,
            _ if fib.is_macintosh => MACINTOSH,
            _ => codepage::of_language(fib.language),
        };
        let mut opened = Opened {
            fib,
            stream,
            tables: None,
            pieces: Vec::new(),
            is_guessed: false,
            looks: Runs::default(),
            paragraphs: Runs::default(),
            styles: Vec::new(),
            fonts: Vec::new(),
            code_page,
            problems: Vec::new(),
            doubts: Vec::new(),
        };
        opened.pieces = opened.one_piece();
        opened
    }

    fn pages(&self, table: Part) -> Pages<'_> {
        Pages { stream: &self.stream, table: self.table(table), version: self.fib.version }
    }

    /// A table by its number; empty where there is none.
    pub(super) fn table(&self, which: Part) -> &[u8] {
        let (at, length) = self.fib.place(which);
        part(self.tables(), at, length)
    }

    /// The stream in which the tables stand.
    pub(super) fn tables(&self) -> &[u8] {
        self.tables.as_deref().unwrap_or(&self.stream)
    }

    /// The pieces; without them the text stands in one.
    fn read_pieces(&mut self) {
        let has_table = self.fib.version == Version::Word97 || self.fib.is_complex;
        if !has_table {
            return;
        }
        let pieces = pieces_of(self.table(Part::Pieces), self.fib.version, self.stream.len());
        if !pieces.is_empty() {
            self.pieces = pieces;
            return;
        }
        self.pieces = self.guessed_pieces();
        self.is_guessed = true;
        let message = "the table of text pieces is missing or broken; text was taken as it stands";
        self.problems.push(Problem::new(ProblemKind::Damaged, message));
        self.doubts.push(Doubt::new(DoubtKind::RepairedStructure, message));
    }

    /// Pieces by what their bytes look like: where there are zeros, characters take two.
    fn guessed_pieces(&self) -> Vec<Piece> {
        const STRETCH: usize = 64;
        let mut pieces: Vec<Piece> = Vec::new();
        let range = self.fib.text.clone();
        for start in range.clone().step_by(STRETCH) {
            let bytes = part(&self.stream, start, STRETCH.min(range.end - start));
            let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
            let is_wide = (zeros(0) + zeros(1)) * 8 > bytes.len();
            if pieces.last().is_none_or(|last| last.is_wide != is_wide) {
                let first = pieces.last().map_or(0, |last| last.characters.end);
                // Zeros are the upper halves of characters.
                let start = start + usize::from(is_wide && zeros(0) > zeros(1));
                pieces.push(Piece { characters: first..first, start: start as u32, is_wide });
            }
            if let Some(last) = pieces.last_mut() {
                let end = (start + bytes.len()) as u32;
                last.characters.end = last.characters.start + (end - last.start) / last.width();
            }
        }
        pieces
    }

    fn one_piece(&self) -> Vec<Piece> {
        let length = self.fib.text.len() as u32;
        vec![Piece { characters: 0..length, start: self.fib.text.start as u32, is_wide: false }]
    }

    /// Properties that are too long for their page, of wide tables as a rule.
    fn read_far_paragraphs(&mut self, compound: &mut Compound<'_>) -> Result<(), Problem> {
        let Some(entry) = compound.find("Data") else { return Ok(()) };
        let far = self.paragraphs.values_mut().filter(|paragraph| paragraph.more_at.is_some());
        for paragraph in far.take(MOST_FAR_PARAGRAPHS) {
            let at = u64::from(paragraph.more_at.take().unwrap_or(0));
            let bytes = compound.read_range(entry, at, 4096)?;
            let length = usize::from(short(&bytes, 0).unwrap_or(0));
            paragraph.apply(Sprms { bytes: part(&bytes, 2, length), version: Version::Word97 });
        }
        Ok(())
    }

    /// The characters that refer to notes and text boxes, by their places.
    pub(super) fn references(&self) -> HashMap<u32, Reference> {
        let mut references = HashMap::new();
        if self.is_guessed {
            return references;
        }
        let mut count = 0;
        let notes = [
            (Part::FootnoteReferences, Part::FootnoteTexts, Story::Footnotes),
            (Part::EndnoteReferences, Part::EndnoteTexts, Story::Endnotes),
        ];
        for (places, texts, story) in notes {
            let places = Plc::new(self.table(places), 2);
            for (at, range) in self.ranges(texts, 0, story).into_iter().enumerate().take(places.len()) {
                if let Some(place) = places.position(at) {
                    count += 1;
                    references.insert(place, Reference::Note(count.to_string().into(), range));
                }
            }
        }
        let boxes = Plc::new(self.table(Part::TextBoxes), 22);
        let ranges = self.ranges(Part::TextBoxes, 22, Story::TextBoxes);
        let shapes: HashMap<u32, Range<u32>> = ranges
            .into_iter()
            .enumerate()
            .filter_map(|(at, range)| Some((long(boxes.record(at), 14).filter(|shape| *shape != 0)?, range)))
            .collect();
        let anchors = Plc::new(self.table(Part::Shapes), 26);
        for at in 0..anchors.len() {
            let range = long(anchors.record(at), 0).and_then(|shape| shapes.get(&shape));
            if let (Some(place), Some(range)) = (anchors.position(at), range) {
                references.insert(place, Reference::TextBox(range.clone()));
            }
        }
        references
    }

    /// The stretches of a story that a table divides it into.
    pub(super) fn ranges(&self, table: Part, size: usize, story: Story) -> Vec<Range<u32>> {
        let whole = self.fib.story(story);
        let plc = Plc::new(self.table(table), size);
        let place = |at| plc.position(at).map(|at| whole.start.saturating_add(at).min(whole.end));
        let mut ranges = Vec::new();
        let mut before = whole.start;
        for at in 0..plc.len() {
            let (Some(start), Some(end)) = (place(at), place(at + 1)) else { break };
            // Stretches follow each other; what goes back would be read again and again.
            let start = start.max(before);
            ranges.push(start..end.max(start));
            before = end.max(start);
        }
        ranges
    }

    /// The comments: who, and where the words are.
    pub(super) fn comments(&self) -> Vec<(String, Range<u32>)> {
        let (size, owner_at) = if self.fib.version == Version::Word97 { (30, 20) } else { (20, 10) };
        let owners = self.owners();
        let references = Plc::new(self.table(Part::CommentReferences), size);
        let owner = |at| {
            let number = short(references.record(at), owner_at)?;
            owners.get(usize::from(number)).cloned()
        };
        let ranges = self.ranges(Part::CommentTexts, 0, Story::Comments);
        let count = references.len();
        ranges
            .into_iter()
            .take(count)
            .enumerate()
            .map(|(at, range)| (owner(at).unwrap_or_default(), range))
            .collect()
    }

    fn owners(&self) -> Vec<String> {
        let table = self.table(Part::CommentOwners);
        let mut owners = Vec::new();
        let mut at = 0;
        while at < table.len() {
            let next = match self.fib.version {
                Version::Word97 => counted_text(table, at),
                _ => byte(table, at).map(|length| {
                    let length = usize::from(length);
                    (codepage::decode(self.code_page, part(table, at + 1, length)), 1 + length)
                }),
            };
            let Some((owner, length)) = next else { break };
            owners.push(owner);
            at += length;
        }
        owners
    }
}
