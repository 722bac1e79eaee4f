//! Blocks of a document as readers of office formats emit them: paragraphs, list items, tables, with styled words.

use super::SEGMENT_BYTES;
use pensieve_text::model::{Locator, Span};
use pensieve_text::text::markdown::BaselineShift;
use std::sync::Arc;

/// The look of words, as far as Markdown can express it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextStyle {
    /// Bold.
    pub strong: bool,
    /// Italic.
    pub emphasis: bool,
    /// Struck through.
    pub strike: bool,
    /// Monospaced.
    pub code: bool,
    /// Above or below the line.
    pub shift: BaselineShift,
}

impl TextStyle {
    /// What marks around words express: powers have a mark of their own.
    pub(super) fn on_the_line(self) -> TextStyle {
        TextStyle { shift: BaselineShift::None, ..self }
    }
}

/// Words of one style.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextRun {
    /// The words as the document has them; a `\n` is a line break inside the paragraph, a tab is white space.
    pub text: String,
    /// How they look.
    pub style: TextStyle,
    /// The target of their link.
    pub link: Option<Arc<str>>,
    /// Their place in the source, for formats that are text themselves.
    pub source: Option<Span>,
    /// A reference to the note of this label; `text` is empty then.
    pub note: Option<Arc<str>>,
    /// The text is markup made by the reader, written without escapes.
    pub is_markup: bool,
}

/// Consecutive words. Neighbours of one style are one run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Words(pub Vec<TextRun>);

impl Words {
    /// Plain words.
    pub fn plain(text: impl Into<String>) -> Words {
        Words(vec![TextRun { text: text.into(), ..TextRun::default() }])
    }

    /// Adds words; they extend the last run if they have its style.
    pub fn push(&mut self, run: TextRun) {
        if let Some(last) = self.0.last_mut()
            && last.note.is_none()
            && run.note.is_none()
            && last.is_markup == run.is_markup
            && (last.style, &last.link) == (run.style, &run.link)
            && adjoin(last.source, run.source)
        {
            last.text.push_str(&run.text);
            last.source = last.source.zip(run.source).map(|(a, b)| Span::new(a.start, b.end));
        } else if !run.text.is_empty() || run.note.is_some() {
            // Most cells and paragraphs are one run, and tables have many cells.
            if self.0.is_empty() {
                self.0.reserve_exact(1);
            }
            self.0.push(run);
        }
    }

    /// Adds words without style.
    pub fn push_plain(&mut self, text: &str) {
        self.push(TextRun { text: text.to_owned(), ..TextRun::default() });
    }

    /// Adds a reference to a note.
    pub fn push_note(&mut self, label: impl Into<Arc<str>>) {
        self.0.push(TextRun { note: Some(label.into()), ..TextRun::default() });
    }

    /// Adds a line in the style of the last run.
    fn push_line(&mut self, line: &str) {
        match self.0.last_mut() {
            Some(last) => {
                last.text.push('\n');
                last.text.push_str(line);
            }
            None => self.push_plain(line),
        }
    }

    /// Adds words; if too much is in memory, they take the look of the run before and need none of their own.
    pub fn push_within(&mut self, mut run: TextRun, is_full: bool) {
        if let Some(last) = self.0.last().filter(|_| is_full) {
            (run.style, run.link) = (last.style, last.link.clone());
        }
        self.push(run);
    }

    /// The words of all paragraphs, as one line: those of a title.
    pub fn joined<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> Words {
        let mut joined = Words::default();
        for words in blocks.into_iter().filter_map(Block::words) {
            if !joined.0.is_empty() {
                joined.push_plain(" ");
            }
            words.0.iter().for_each(|run| joined.push(run.clone()));
        }
        joined
    }

    /// True if nothing would be visible.
    pub fn is_blank(&self) -> bool {
        self.0.iter().all(|run| run.note.is_none() && run.text.trim().is_empty())
    }

    /// The mark before the run at this index; empty for most. Words in a link are the sign of a note or a name.
    pub(super) fn mark_before(&self, at: usize) -> &'static str {
        let runs = self.0.get(at..).unwrap_or_default();
        let (Some(run), Some(before)) = (runs.first(), at.checked_sub(1).and_then(|at| self.0.get(at)))
        else {
            return "";
        };
        let shift = run.style.shift;
        if shift == BaselineShift::None || before.style.shift == shift || run.link.is_some() {
            return "";
        }
        // Programs cut words anywhere: a power may be several runs.
        let is_same = |other: &&TextRun| other.style.shift == shift && other.note.is_none();
        let words: String = runs.iter().take_while(is_same).map(|run| run.text.as_str()).collect();
        match words.starts_with(char::is_whitespace) {
            true => "",
            false => shift.mark(&before.text, &words),
        }
    }

    /// The words without styles.
    pub fn to_plain(&self) -> String {
        let runs = self.0.iter().enumerate();
        runs.flat_map(|(at, run)| [self.mark_before(at), run.text.as_str()]).collect()
    }
}

fn adjoin(one: Option<Span>, other: Option<Span>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one.end == other.start,
        _ => false,
    }
}

/// What begins an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemMarker {
    /// `-`
    Bullet,
    /// `3.`, as the document shows it; other shapes (`a)`, `IV.`, `1.2.3`) are words of the item after a bullet.
    Number(String),
}

/// A block of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading.
    Heading {
        /// From 1; deeper than 6 is 6.
        level: u8,
        /// Its words.
        words: Words,
    },
    /// A paragraph.
    Paragraph(Words),
    /// A paragraph that is an item of a list.
    Item {
        /// 0 for the outermost list.
        depth: u8,
        /// What begins it; `None` for a further paragraph of the item before.
        marker: Option<ItemMarker>,
        /// Its words.
        words: Words,
    },
    /// A paragraph of a quotation.
    Quote(Words),
    /// Preformatted lines: white space is kept.
    Code {
        /// The language for the fence; empty if unknown.
        language: String,
        /// The lines.
        text: String,
    },
    /// A table.
    Table(Table),
    /// The text of a note; its reference is a run with the same label.
    Note {
        /// The label.
        label: Arc<str>,
        /// Its text.
        blocks: Vec<Block>,
    },
    /// A rule between parts.
    Rule,
}

impl Block {
    /// The words of a block that is some kind of paragraph.
    pub fn words(&self) -> Option<&Words> {
        match self {
            Block::Heading { words, .. } | Block::Item { words, .. } => Some(words),
            Block::Paragraph(words) | Block::Quote(words) => Some(words),
            Block::Code { .. } | Block::Table(_) | Block::Note { .. } | Block::Rule => None,
        }
    }

    /// Takes over the next block, and says whether it did: lines of code follow each other; if too much is in memory,
    /// paragraphs are lines of the one before, so that no text is lost.
    pub fn absorb(&mut self, next: &Block, is_full: bool) -> bool {
        match (self, next) {
            (Block::Code { text, .. }, Block::Code { text: next, .. }) if text.len() < SEGMENT_BYTES => {
                text.push('\n');
                text.push_str(next);
                true
            }
            (Block::Paragraph(words) | Block::Quote(words) | Block::Item { words, .. }, next) if is_full => {
                next.words().map(|next| words.push_line(&next.to_plain())).is_some()
            }
            _ => false,
        }
    }
}

/// Rows of cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// From top to bottom.
    pub rows: Vec<TableRow>,
}

/// Cells from left to right.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableRow {
    /// The cells that begin in this row.
    pub cells: Vec<TableCell>,
    /// The place of the row, if it is known more exactly than that of its table.
    pub place: Option<Locator>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCell {
    /// Its content.
    pub blocks: Vec<Block>,
    /// How many columns it covers, at least one.
    pub columns: u32,
    /// How many rows it covers, at least one.
    pub rows: u32,
}

impl Default for TableCell {
    fn default() -> TableCell {
        TableCell { blocks: Vec::new(), columns: 1, rows: 1 }
    }
}

impl TableCell {
    /// A cell of plain words.
    pub fn plain(text: impl Into<String>) -> TableCell {
        TableCell { blocks: vec![Block::Paragraph(Words::plain(text))], ..TableCell::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::MarkdownDraft;
    use BaselineShift::{Lowered, None as Level, Raised};

    /// Writes runs; a run of capitals is in bold.
    fn check(runs: &[(BaselineShift, &str)], expected: &str) {
        let mut words = Words::default();
        for &(shift, text) in runs {
            let strong = text.contains(|c: char| c.is_ascii_uppercase());
            let style = TextStyle { shift, strong, ..TextStyle::default() };
            words.push(TextRun { text: text.to_owned(), style, ..TextRun::default() });
        }
        let mut draft = MarkdownDraft::new();
        draft.push(&Block::Paragraph(words.clone()));
        assert_eq!(draft.finish().text.trim_end(), expected);
        assert_eq!(words.to_plain().trim(), expected.replace("**", ""));
    }

    #[test]
    fn exponents_are_marked_and_ordinals_are_not() {
        check(&[(Level, "3 × 10"), (Raised, "6"), (Level, " kg")], "3 × 10^6 kg");
        check(&[(Level, "10"), (Raised, "−"), (Raised, "12 "), (Level, "m")], "10^−12 m");
        check(&[(Level, "1"), (Raised, "st")], "1st");
        check(
            &[(Level, "word."), (Raised, "1"), (Level, " "), (Raised, "2"), (Level, "and")],
            "word.^1 2and",
        );
        check(&[(Raised, "14"), (Level, "c")], "14c");
        check(&[(Level, "x"), (Raised, " 2")], "x 2");
    }

    #[test]
    fn an_index_is_marked_only_after_a_number() {
        check(&[(Level, "so"), (Lowered, "4"), (Raised, "2−")], "so4^2−");
        check(&[(Level, "101"), (Lowered, "2"), (Level, " = 5")], "101_2 = 5");
        check(&[(Level, "x"), (Lowered, "i")], "xi");
    }

    #[test]
    fn a_power_does_not_divide_the_marks_around_it() {
        check(&[(Level, "M"), (Raised, "2"), (Level, " a")], "**M**^2 a");
        let strong = |shift, text: &str| TextRun {
            text: text.to_owned(),
            style: TextStyle { strong: true, shift, ..TextStyle::default() },
            ..TextRun::default()
        };
        let mut draft = MarkdownDraft::new();
        draft.push(&Block::Paragraph(Words(vec![
            strong(Level, "m"),
            strong(Raised, "2"),
            strong(Level, " a"),
        ])));
        assert_eq!(draft.finish().text, "**m^2 a**\n");
    }
}
