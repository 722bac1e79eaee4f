//! The text of a book: from elements to blocks.

use super::description::{BookDescription, is_notes_body};
use crate::limits::fb2::SEGMENT_BYTES;
use crate::limits::xml_text::MAX_PARAGRAPH_RUNS;
use crate::markdown::{BaselineShift, Block, MarkdownDraft, TextRun, TextStyle, Words};
use crate::shared::open_table::OpenTable;
use crate::shared::xml::{LineIndex, XmlEvent, XmlReader, XmlTag, span_of};
use pensieve_text::model::{Problem, Segment, Span};
use std::sync::Arc;

/// Takes a segment of a book that is too large to be kept in memory.
pub(super) type SegmentCallback<'g> = &'g mut dyn FnMut(Segment) -> Result<(), Problem>;

/// Builds the text.
pub(super) struct BodyReader<'f> {
    description: &'f BookDescription,
    draft: MarkdownDraft,
    lines: LineIndex,
    words: Words,
    /// Styles of the enclosing elements; each includes the style of the one around it.
    styles: Vec<TextStyle>,
    links: Vec<Option<Arc<str>>>,
    sections: u8,
    has_title: bool,
    is_notes: bool,
    /// Inside a `title`: the level of the heading.
    heading: Option<u8>,
    quotes: usize,
    poems: u8,
    /// Inside a stanza, whose lines are one paragraph.
    stanzas: usize,
    notes: Vec<OpenFootnote>,
    /// For each open section, whether it is a note.
    are_notes: Vec<bool>,
    table: OpenTable,
}

/// A note that is being read.
struct OpenFootnote {
    label: String,
    blocks: Vec<Block>,
}

impl BodyReader<'_> {
    /// The text of a book, or what is left of it after the segments that were handed over, and what is broken in the
    /// book, if anything.
    pub fn read(
        decoded: &Segment,
        description: &BookDescription,
        hand_over: SegmentCallback<'_>,
    ) -> Result<(Segment, Option<String>), Problem> {
        let mut body = BodyReader {
            description,
            draft: MarkdownDraft::mapped(),
            lines: LineIndex::new(&decoded.text),
            words: Words::default(),
            styles: Vec::new(),
            links: Vec::new(),
            sections: 0,
            has_title: false,
            is_notes: false,
            heading: None,
            quotes: 0,
            poems: 0,
            stanzas: 0,
            notes: Vec::new(),
            are_notes: Vec::new(),
            table: OpenTable::default(),
        };
        let mut reader = XmlReader::new(&decoded.text);
        let mut bodies = 0_usize;
        while let Some(event) = reader.next() {
            match event {
                XmlEvent::Start(tag) if matches!(tag.name(), "description" | "binary" | "stylesheet") => {
                    reader.pass()
                }
                XmlEvent::Start(tag) if tag.name() == "body" => {
                    bodies += 1;
                    body.begin_body(&tag);
                }
                XmlEvent::Start(tag) if bodies > 0 => body.enter(&tag, &mut reader),
                XmlEvent::End(name) if bodies > 0 => body.leave(name),
                XmlEvent::Text { text, at, len } if bodies > 0 => body.text(&text, at, len),
                _ => {}
            }
            if body.draft.len() > SEGMENT_BYTES {
                let mut segment = body.draft.take();
                segment.map = segment.map.through(&decoded.map);
                hand_over(segment)?;
            }
        }
        body.flush();
        Ok((body.draft.finish_mapped(decoded), reader.broken().map(str::to_owned)))
    }

    fn begin_body(&mut self, tag: &XmlTag<'_>) {
        self.flush();
        self.is_notes = is_notes_body(tag);
        self.has_title = false;
        self.sections = 0;
    }

    fn enter(&mut self, tag: &XmlTag<'_>, reader: &mut XmlReader<'_>) {
        match tag.name() {
            "section" => {
                self.flush();
                self.sections = self.sections.saturating_add(1);
                let label =
                    tag.get("id").filter(|_| self.is_notes).and_then(|id| self.description.notes.get(&id));
                self.are_notes.push(label.is_some());
                self.notes
                    .extend(label.map(|label| OpenFootnote { label: label.clone(), blocks: Vec::new() }));
            }
            "title" => {
                self.flush();
                self.has_title |= self.sections == 0 && self.poems == 0;
                self.heading =
                    Some(self.sections.saturating_add(self.poems + u8::from(self.has_title)).clamp(1, 6));
            }
            "epigraph" | "cite" => {
                self.flush();
                self.quotes += 1;
            }
            "poem" => {
                self.flush();
                self.poems = (self.poems + 1).min(6);
            }
            "stanza" => {
                self.flush();
                self.stanzas += 1;
            }
            "table" => {
                self.flush();
                self.table.begin();
            }
            "tr" => self.table.begin_row(),
            "td" | "th" => {
                self.flush();
                let count = |name: &str| tag.get(name).and_then(|count| count.trim().parse::<u32>().ok());
                self.table.begin_cell(count("colspan"), count("rowspan"));
            }
            "p" | "v" | "subtitle" | "text-author" | "date" | "annotation" => self.flush_line(),
            "image" => self.image(tag),
            "a" => self.link(tag, reader),
            name => {
                if let Some(style) = style_of(name) {
                    self.add_style(style);
                }
            }
        }
    }

    fn leave(&mut self, name: &str) {
        match name {
            "section" => {
                self.flush();
                self.sections = self.sections.saturating_sub(1);
                if self.are_notes.pop() == Some(true)
                    && let Some(note) = self.notes.pop()
                {
                    self.emit(Block::Note { label: note.label.into(), blocks: note.blocks });
                }
            }
            "title" => {
                self.flush();
                self.heading = None;
            }
            "epigraph" | "cite" => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            "poem" => {
                self.flush();
                self.poems = self.poems.saturating_sub(1);
            }
            "stanza" => {
                self.flush();
                self.stanzas = self.stanzas.saturating_sub(1);
            }
            "td" | "th" => {
                self.flush();
                if let Some(part) = self.table.end_cell() {
                    self.emit(Block::Table(part));
                }
            }
            "table" => {
                self.flush();
                if let Some(table) = self.table.end() {
                    self.emit(Block::Table(table));
                }
            }
            "p" | "v" | "subtitle" | "text-author" | "date" | "annotation" | "body" => self.flush_line(),
            "a" => drop(self.links.pop()),
            name if style_of(name).is_some() => drop(self.styles.pop()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, at: usize, len: usize) {
        let source = (text.len() == len).then(|| Span::new(at, at + len));
        if self.words.0.len() > MAX_PARAGRAPH_RUNS {
            self.flush();
        }
        // Line ends of the file are white space.
        let text = text.replace(['\n', '\u{b}'], "\r");
        self.words.push(TextRun {
            text,
            style: self.style(),
            link: self.links.last().cloned().flatten(),
            source,
            note: None,
            is_markup: false,
        });
    }

    fn style(&self) -> TextStyle {
        self.styles.last().copied().unwrap_or_default()
    }

    fn add_style(&mut self, one: TextStyle) {
        let all = self.style();
        self.styles.push(TextStyle {
            strong: all.strong | one.strong,
            emphasis: all.emphasis | one.emphasis,
            strike: all.strike | one.strike,
            code: all.code | one.code,
            shift: if one.shift == BaselineShift::None { all.shift } else { one.shift },
        });
    }

    fn image(&mut self, tag: &XmlTag<'_>) {
        let words = tag.get("alt").or_else(|| tag.get("title")).unwrap_or_default();
        if words.chars().any(char::is_alphanumeric) {
            self.words.push_plain(&format!(" {} ", words.trim()));
        }
    }

    /// A link to a note becomes a reference; the sign that the book shows for it is left out.
    fn link(&mut self, tag: &XmlTag<'_>, reader: &mut XmlReader<'_>) {
        let href = tag.get("href").unwrap_or_default();
        let note = href.trim().strip_prefix('#').and_then(|id| self.description.notes.get(id));
        if let Some(label) = note {
            self.words.push_note(label.as_str());
            reader.pass();
            return;
        }
        let is_outside =
            ["http://", "https://", "mailto:", "ftp://"].iter().any(|start| href.starts_with(start));
        self.links.push(is_outside.then(|| href.as_str().into()));
    }

    /// Ends a line of a stanza or a title, after which more lines may follow, or a paragraph.
    fn flush_line(&mut self) {
        if self.words.is_blank() {
            return;
        }
        if self.stanzas > 0 {
            self.words.push_plain("\n");
        } else if self.heading.is_some() {
            self.words.push_plain(" ");
        } else {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        // The break after the last line of a stanza is not needed.
        while words.0.pop_if(|last| last.note.is_none() && last.text.trim().is_empty()).is_some() {}
        if words.is_blank() {
            return;
        }
        let note = self.notes.last();
        let is_label = || note.is_some_and(|note| words.to_plain().trim() == note.label);
        let block = match self.heading {
            Some(_) if is_label() => return,
            Some(_) if note.is_some() => Block::Paragraph(words),
            Some(level) => Block::Heading { level, words },
            None if self.quotes > 0 => Block::Quote(words),
            None => Block::Paragraph(words),
        };
        self.emit(block);
    }

    fn emit(&mut self, block: Block) {
        let Some(block) = self.table.add(block) else { return };
        if let Some(note) = self.notes.last_mut() {
            note.blocks.push(block);
        } else {
            self.draft.place(span_of_block(&block).map(|span| self.lines.of(span)));
            self.draft.push(&block);
        }
    }
}

fn style_of(name: &str) -> Option<TextStyle> {
    let plain = TextStyle::default();
    match name {
        "strong" => Some(TextStyle { strong: true, ..plain }),
        "emphasis" => Some(TextStyle { emphasis: true, ..plain }),
        "strikethrough" => Some(TextStyle { strike: true, ..plain }),
        "code" => Some(TextStyle { code: true, ..plain }),
        "sup" | "sub" => Some(TextStyle { shift: BaselineShift::written(name), ..plain }),
        _ => None,
    }
}

/// The span of the file from the first word of a block to the last.
fn span_of_block(block: &Block) -> Option<Span> {
    let mut spans = Vec::new();
    let mut waiting = vec![block];
    while let Some(block) = waiting.pop() {
        match block {
            Block::Heading { words, .. } | Block::Paragraph(words) | Block::Quote(words) => {
                spans.extend(span_of(words))
            }
            Block::Note { blocks, .. } => waiting.extend(blocks),
            Block::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                waiting.extend(cells.flat_map(|cell| &cell.blocks));
            }
            Block::Item { .. } | Block::Code { .. } | Block::Rule => {}
        }
    }
    spans.into_iter().reduce(|all, span| Span::new(all.start.min(span.start), all.end.max(span.end)))
}
