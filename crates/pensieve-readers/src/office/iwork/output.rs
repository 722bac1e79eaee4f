//! What a document of iWork is made of, before it is written: pieces in lists by what they are for.

use super::grid::Grid;
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES, TextRun, Words};
use crate::source::DocumentSink;
use pensieve_text::model::{Locator, Problem, Segment, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// Paragraphs and cells that may wait to be written; more paragraphs join the last one.
pub(super) const MOST_HELD: usize = 60_000;

/// Adds words to a paragraph; where there are too many runs they take the looks of those before.
pub(super) fn push_run(words: &mut Words, run: TextRun) {
    match words.0.len() > MOST_HELD {
        true => words.0.last_mut().into_iter().for_each(|last| last.text.push_str(&run.text)),
        false => words.push(run),
    }
}

/// Text or a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Block(Block, Option<Span>),
    Grid(Grid),
}

impl Piece {
    fn size(&self) -> usize {
        match self {
            Piece::Block(..) => 1,
            Piece::Grid(grid) => grid.cells.len() + 1,
        }
    }
}

/// What a list of pieces is for, in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Body,
    /// Text boxes that lie on pages.
    Shapes,
    /// The notes of a slide.
    Presenter,
    Footnotes,
    Comments,
    Headers,
    /// The title of a slide.
    Title,
}

const REGIONS: usize = 7;

/// A document, a sheet or a slide.
#[derive(Debug, Default)]
pub(super) struct Unit {
    pieces: [Vec<Piece>; REGIONS],
    held: usize,
}

impl Unit {
    /// Adds a piece; text is never lost, its paragraphs are where there are too many of them.
    pub fn add(&mut self, region: Region, piece: Piece) {
        let pieces = &mut self.pieces[region as usize];
        self.held += piece.size();
        if self.held > MOST_HELD
            && let (Some(words), Piece::Block(block, _)) = (pieces.last_mut().and_then(words_of), &piece)
            && let (Some(run), Some(more)) = (words.0.last_mut(), words_in(block))
        {
            run.text.push('\n');
            run.text.push_str(&more.to_plain());
            return;
        }
        pieces.push(piece);
    }

    /// True where it has grown so large that it is better written in parts.
    pub fn is_full(&self) -> bool {
        self.held > MOST_HELD
    }

    /// The words of its title, taken out.
    pub fn take_title(&mut self) -> Option<Words> {
        let mut title = Words::default();
        for piece in std::mem::take(&mut self.pieces[Region::Title as usize]) {
            let Piece::Block(Block::Paragraph(words) | Block::Item { words, .. }, _) = piece else {
                continue;
            };
            if !title.0.is_empty() {
                title.push_plain(" ");
            }
            words.0.into_iter().for_each(|run| title.push(run));
        }
        (!title.is_blank()).then_some(title)
    }
}

fn words_of(piece: &mut Piece) -> Option<&mut Words> {
    match piece {
        Piece::Block(Block::Paragraph(words) | Block::Item { words, .. }, _) => Some(words),
        Piece::Block(..) | Piece::Grid(_) => None,
    }
}

fn words_in(block: &Block) -> Option<&Words> {
    match block {
        Block::Paragraph(words) | Block::Item { words, .. } | Block::Heading { words, .. } => Some(words),
        _ => None,
    }
}

/// Where the unit that is written stands.
#[derive(Debug, Clone)]
pub(super) enum Stand {
    /// In a part of the package.
    Part(Arc<str>),
    Slide(u64),
    /// On a sheet; text on it stands in a part.
    Sheet(Arc<str>, Arc<str>),
}

/// Writes units.
pub(super) struct Output<'s> {
    pub draft: MarkdownDraft,
    sink: &'s mut dyn DocumentSink,
    headers: HashSet<String>,
    has_given: bool,
}

impl<'s> Output<'s> {
    pub fn new(sink: &'s mut dyn DocumentSink) -> Output<'s> {
        Output { draft: MarkdownDraft::new(), sink, headers: HashSet::new(), has_given: false }
    }

    /// Writes everything a unit holds.
    ///
    /// # Errors
    /// The sink wants no more.
    pub fn write(&mut self, unit: &mut Unit, stand: &Stand) -> Result<(), Problem> {
        unit.held = 0;
        for pieces in unit.pieces[..Region::Headers as usize].iter_mut() {
            for piece in pieces.drain(..) {
                self.write_piece(&piece, stand)?;
            }
        }
        for piece in std::mem::take(&mut unit.pieces[Region::Headers as usize]) {
            let Piece::Block(Block::Paragraph(words), _) = &piece else { continue };
            let text = words.to_plain().trim().to_owned();
            // A page number alone says nothing here.
            if text.contains(char::is_alphabetic) && self.headers.insert(text) {
                self.write_piece(&piece, stand)?;
            }
        }
        Ok(())
    }

    /// Writes the pieces of one list of a unit.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn write_region(&mut self, unit: &mut Unit, region: Region, stand: &Stand) -> Result<(), Problem> {
        for piece in unit.pieces[region as usize].drain(..) {
            unit.held = unit.held.saturating_sub(piece.size());
            self.write_piece(&piece, stand)?;
        }
        Ok(())
    }

    /// True where nothing was written.
    pub fn is_empty(&self) -> bool {
        self.draft.is_empty() && !self.has_given
    }

    /// Writes a heading.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn heading(&mut self, level: u8, words: Words, stand: &Stand) -> Result<(), Problem> {
        self.write_piece(&Piece::Block(Block::Heading { level, words }, None), stand)
    }

    fn write_piece(&mut self, piece: &Piece, stand: &Stand) -> Result<(), Problem> {
        let span = if let Piece::Block(_, span) = piece { *span } else { None };
        self.draft.place(Some(match stand {
            Stand::Part(part) | Stand::Sheet(_, part) => Locator::part(part.clone(), span),
            Stand::Slide(slide) => Locator::slide(*slide),
        }));
        match piece {
            Piece::Block(block, _) => self.draft.push(block),
            Piece::Grid(grid) => {
                let sheet = if let Stand::Sheet(sheet, _) = stand { Some(&**sheet) } else { None };
                grid.write(&mut self.draft, sheet, 3);
            }
        }
        if self.draft.len() > SEGMENT_BYTES {
            self.has_given = true;
            self.sink.text(self.draft.take())?;
        }
        Ok(())
    }

    /// What was not handed over.
    pub fn finish(self) -> Segment {
        self.draft.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ignore;

    impl DocumentSink for Ignore {
        fn text(&mut self, _: Segment) -> Result<(), Problem> {
            Ok(())
        }

        fn member(&mut self, _: pensieve_text::model::ContainerMember) -> Result<(), Problem> {
            Ok(())
        }
    }

    #[test]
    fn pieces_are_written_by_region_and_headers_once() {
        let mut unit = Unit::default();
        let piece = |text: &str| Piece::Block(Block::Paragraph(Words::plain(text)), None);
        for (region, text) in [
            (Region::Headers, "Head"),
            (Region::Headers, "Head"),
            (Region::Headers, "17"),
            (Region::Comments, "Remark"),
            (Region::Body, "Body"),
            (Region::Title, "Title"),
        ] {
            unit.add(region, piece(text));
        }
        assert_eq!(unit.take_title().map(|words| words.to_plain()).as_deref(), Some("Title"));
        let mut sink = Ignore;
        let mut output = Output::new(&mut sink);
        output.write(&mut unit, &Stand::Slide(1)).expect("the sink takes everything");
        assert_eq!(output.finish().text, "Body\n\nRemark\n\nHead\n");
    }
}
