//! A book as blocks between blank lines, each with its kind: prose, verse, speech of a play, table, note.
//!
//! The kind is decided by layout alone: how long the lines are compared with the width of the book, how far they are
//! indented, what they begin and end with. It decides what may be cut and what must not; a wrong guess costs a worse
//! cut, never text.

use pensieve_text::model::Span;

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text.
    Prose,
    /// Running text that opens with a quotation mark.
    Dialogue,
    /// Lines that end before the margin: verse, addresses, signatures.
    Verse,
    /// `NAME. Words` of a play.
    Speech,
    /// Columns, or lines with page numbers.
    Table,
    /// A note below the text.
    Footnote,
    /// A note in brackets about the text: of illustrations, of transcribers.
    Mark,
    /// A row of stars.
    Rule,
}

impl BlockKind {
    /// True for words of the book that may be part of a passage.
    pub fn is_text(self) -> bool {
        matches!(self, BlockKind::Prose | BlockKind::Dialogue | BlockKind::Verse | BlockKind::Speech)
    }
}

/// Lines between blank lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// From the first line's first byte to the last line's last letter.
    pub span: Span,
    /// Each line, without trailing spaces.
    pub lines: Vec<Span>,
    /// Number of blank lines before it.
    pub gap: usize,
    /// Its kind.
    pub kind: BlockKind,
    /// Number of words, as separated by white space.
    pub words: usize,
}

impl Block {
    /// The text of the block.
    pub fn text<'t>(&self, book: &'t str) -> &'t str {
        &book[self.span.range()]
    }

    /// The words of the block on one line, separated by single spaces.
    pub fn joined(&self, book: &str) -> String {
        self.text(book).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The blocks of a book, in order.
///
/// Cost: a few passes over each line.
pub fn blocks(book: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut lines, mut gap, mut at) = (Vec::new(), 0, 0);
    for line in book.split_inclusive('\n') {
        let text = line.trim_end();
        if text.is_empty() {
            close(book, &mut lines, &mut gap, &mut found);
            gap += 1;
        } else {
            lines.push(Span::new(at, at + text.len()));
        }
        at += line.len();
    }
    close(book, &mut lines, &mut gap, &mut found);
    let width = width(book, &found);
    for block in &mut found {
        block.kind = kind(book, block, width);
    }
    found
}

fn close(book: &str, lines: &mut Vec<Span>, gap: &mut usize, found: &mut Vec<Block>) {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return };
    let span = Span::new(first.start, last.end);
    let words = book[span.range()].split_whitespace().count();
    found.push(Block {
        span,
        lines: std::mem::take(lines),
        gap: std::mem::take(gap),
        kind: BlockKind::Prose,
        words,
    });
}

/// The length of full lines: the 90th percentile of all lines that are not the last of their block.
fn width(book: &str, blocks: &[Block]) -> usize {
    let inner = blocks.iter().flat_map(|block| &block.lines[..block.lines.len().saturating_sub(1)]);
    let mut widths: Vec<usize> = inner.map(|line| book[line.range()].chars().count()).collect();
    widths.sort_unstable();
    widths.get(widths.len() * 9 / 10).copied().unwrap_or(70)
}

fn kind(book: &str, block: &Block, width: usize) -> BlockKind {
    let text = block.text(book).trim_start();
    if !text.contains(char::is_alphanumeric) {
        return BlockKind::Rule;
    }
    if is_footnote(text) {
        return BlockKind::Footnote;
    }
    if is_mark(text) {
        return BlockKind::Mark;
    }
    if is_table(book, block) {
        return BlockKind::Table;
    }
    if is_speech(text) {
        return BlockKind::Speech;
    }
    if is_verse(book, block, width) {
        return BlockKind::Verse;
    }
    if opens_quote(text) { BlockKind::Dialogue } else { BlockKind::Prose }
}

/// True for text that begins with a quotation mark, and so with direct speech.
pub fn opens_quote(text: &str) -> bool {
    let text = text.trim_start_matches('_');
    text.starts_with(['"', '“', '«', '„', '‘', '»'])
        || text.starts_with("--\"")
        || text.starts_with("—")
        || text.starts_with("``")
}

fn is_footnote(text: &str) -> bool {
    let Some(inner) = text.strip_prefix(['[', '{', '(']) else { return false };
    let Some(end) = inner.find([']', '}', ')', ':']) else { return false };
    let label = &inner[..end];
    let is_bracket = !text.starts_with('(');
    let is_number = !label.is_empty() && label.len() <= 4 && label.bytes().all(|b| b.is_ascii_digit());
    label.to_ascii_lowercase().starts_with("footnote")
        || is_bracket && (is_number || label == "*" || label == "A")
}

fn is_mark(text: &str) -> bool {
    const NAMES: &[&str] =
        &["illustration", "transcriber", "blank page", "music", "frontispiece", "note:", "page "];
    let Some(inner) = text.strip_prefix('[') else { return false };
    let inner = inner.trim_start_matches(['_', '*']).to_lowercase();
    text.ends_with(']') && NAMES.iter().any(|name| inner.starts_with(name))
}

/// Columns: at least half of the lines have a wide gap inside or leader dots.
fn is_table(book: &str, block: &Block) -> bool {
    if block.lines.len() < 2 {
        let line = book[block.span.range()].trim();
        return line.contains(".....") || line.contains(" . . . .") || wide_gaps(line) >= 2;
    }
    let is_row = |line: &&Span| {
        let text = book[line.range()].trim();
        wide_gaps(text) > 0 || text.contains("....") || text.contains(" . . . ")
    };
    let rows = block.lines.iter().filter(is_row).count();
    rows >= 2 && rows * 2 >= block.lines.len()
}

fn wide_gaps(line: &str) -> usize {
    line.split("    ").filter(|part| !part.trim().is_empty()).count().saturating_sub(1)
}

/// `HAMLET. To be`, or the name on its own line above the words.
fn is_speech(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().trim_matches('_');
    let Some(end) = first.find(['.', ':']) else { return false };
    let (name, rest) = (&first[..end], &first[end + 1..]);
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let is_name = letters >= 2
        && name.len() <= 30
        && name.chars().all(|c| !c.is_lowercase())
        && !name.contains(['"', '“']);
    let has_words = text.split_whitespace().count() > name.split_whitespace().count();
    let is_roman = name.chars().all(|c| "IVXLCDM".contains(c));
    let is_label = ["CHAPTER", "PART", "BOOK", "ACT", "SCENE", "VOLUME", "MR", "MRS", "DR"]
        .into_iter()
        .any(|label| name.split_whitespace().next() == Some(label));
    is_name
        && has_words
        && !is_roman
        && !is_label
        && (rest.is_empty() && text.lines().count() > 1 || rest.starts_with([' ', '_', '-', '—']))
}

/// Lines that end before the margin although more follow, and begin like lines of verse.
fn is_verse(book: &str, block: &Block, width: usize) -> bool {
    let text = |line: &Span| &book[line.range()];
    let indent = |line: &Span| text(line).chars().take_while(|c| *c == ' ').count();
    let indented = block.lines.iter().filter(|line| indent(line) >= 2).count();
    if block.lines.len() == 1 {
        return indented == 1 && indent(&block.lines[0]) >= 4;
    }
    let short = |line: &Span| text(line).trim().chars().count() * 5 <= width * 4;
    let inner = &block.lines[..block.lines.len() - 1];
    let shorts = inner.iter().filter(|line| short(line)).count();
    let total: usize = block.lines.iter().map(|line| text(line).trim().chars().count()).sum();
    let is_narrow = total * 10 <= block.lines.len() * width * 7;
    let capital = |line: &&Span| {
        text(line)
            .trim_start()
            .trim_start_matches(['"', '“', '_', '\'', '‘', '«'])
            .starts_with(char::is_uppercase)
    };
    let capitals = block.lines.iter().filter(capital).count();
    let all_indented = indented == block.lines.len();
    shorts == inner.len() && (capitals * 4 >= block.lines.len() * 3 || indented * 2 >= block.lines.len())
        || is_narrow && all_indented && shorts * 5 >= inner.len() * 4
}

#[cfg(test)]
mod tests;
