//! Word documents: `.docx`, `.docm`, `.dotx`, `.dotm`, in both editions of the standard.
//!
//! The body becomes Markdown, with the numbers of lists and headings as Word shows them; notes, comments, headers and
//! footers follow it. What was deleted with change tracking is gone, what was inserted is there; codes of fields,
//! hidden words and layout are left out. A place is the bytes of a paragraph or row in its part. Refuses encrypted
//! documents and what is no package; broken parts give what they hold. Sources: ECMA-376 (Office Open XML) part 1, in
//! its transitional and strict form; [MS-DOCX].

mod field;
mod inserted;
mod numbering;
mod properties;
mod story;
mod styles;
mod table;

use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES, TextRun, TextStyle};
use crate::settings::{OfficeOptions, ReadSettings};
use crate::shared::opc::{Package, Relations};
use crate::source::{DocumentSink, DocumentSource};
use numbering::Numbering;
use pensieve_text::model::{Document, Doubt, DoubtKind, Locator, Problem, ProblemKind, Span};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use story::{Entry, Piece, Story};
use styles::Styles;

/// Parts beside the body that are read of one document: charts, diagrams, headers, inserted documents.
const MOST_PARTS: usize = 2_000;

/// Bytes of all these parts.
const MOST_BYTES: usize = 64 << 20;

/// Notes or comments of one document.
const MOST_ENTRIES: usize = 50_000;

/// Reads a document.
///
/// # Errors
/// `Encrypted`, `Damaged` where it is no package or has no body, and limits of packages.
pub fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read_at(source, settings.office.clone(), 0, sink)
}

/// Reads a document that lies so deep in others.
fn read_at(
    source: &mut DocumentSource<'_>,
    options: OfficeOptions,
    depth: usize,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut package = Package::open(source)?;
    let main = package.main_part("document.main+xml", "word/document.xml");
    let main = main.ok_or_else(|| Problem::new(ProblemKind::Damaged, "the package holds no document"))?;
    let body = package.text(&main)?;
    let relations = package.relations(&main);
    let mut context = Context::new(package, options, depth, &relations);
    let mut output =
        Output { name: main.as_str().into(), draft: MarkdownDraft::new(), code: None, sink, stopped: None };
    let broken = Story::read(&mut context, &main, &body, &relations, &mut |_, piece| {
        let piece = match piece {
            Piece::Block(block, bytes) => Piece::Block(block, body.bytes(bytes)),
            other => other,
        };
        output.add(piece);
    });
    output.flush();
    output.check()?;
    context.note_damage(&main, body.problem.clone(), broken);
    drop(body);
    context.add_notes(&relations, &mut output);
    if context.options.comments {
        context.add_comments(&relations, &mut output);
    }
    if context.options.headers {
        context.add_margins(&mut output);
    }
    output.check()?;
    let metadata = context.package.metadata();
    context.doubts.extend(context.package.archive().doubt());
    Ok(Document {
        text: output.draft.finish(),
        metadata,
        problems: context.problems,
        doubts: context.doubts,
        ..Document::default()
    })
}

/// What the stories of one document share.
struct Context<'a> {
    package: Package<'a>,
    options: OfficeOptions,
    /// How many documents lie around this one.
    depth: usize,
    styles: Styles,
    numbering: Numbering,
    /// All of the document stands in a font of one width, which says nothing then.
    is_mono: bool,
    notes: Notes,
    /// Headers and footers by their parts, in the order of their first section.
    margins: Vec<(bool, Arc<str>)>,
    parts_read: usize,
    has_too_many: bool,
    /// Bytes of inserted documents and pages, which cost more than other parts.
    inserted: usize,
    unknown_signs: usize,
    problems: Vec<Problem>,
    doubts: Vec<Doubt>,
}

/// Labels of notes in the order of their references.
#[derive(Default)]
struct Notes {
    labels: HashMap<(bool, String), String>,
    order: Vec<(bool, String)>,
    counts: [u32; 2],
}

impl Notes {
    /// The label of a note: numbers for footnotes, small Roman ones for endnotes.
    fn label(&mut self, is_endnote: bool, id: &str) -> Option<String> {
        let key = (is_endnote, id.to_owned());
        if let Some(label) = self.labels.get(&key) {
            return Some(label.clone());
        }
        if self.order.len() >= MOST_ENTRIES {
            return None;
        }
        let count = &mut self.counts[usize::from(is_endnote)];
        *count += 1;
        let label = match is_endnote {
            true => crate::shared::numerals::numeral(*count, "lowerRoman"),
            false => count.to_string(),
        };
        self.labels.insert(key.clone(), label.clone());
        self.order.push(key);
        Some(label)
    }
}

impl<'a> Context<'a> {
    fn new(
        mut package: Package<'a>,
        options: OfficeOptions,
        depth: usize,
        relations: &Relations,
    ) -> Context<'a> {
        let mut text_of = |kind: &str| {
            let part = relations.of_kind(kind).next()?;
            Some(package.text(part).ok()?.text)
        };
        let mut styles = text_of("styles").map(|text| Styles::read(&text)).unwrap_or_default();
        let numbering = text_of("numbering").map(|text| Numbering::read(&text)).unwrap_or_default();
        Context {
            package,
            options,
            depth,
            is_mono: styles.paragraph(None).look.mono == Some(true),
            styles,
            numbering,
            notes: Notes::default(),
            margins: Vec::new(),
            parts_read: 0,
            has_too_many: false,
            inserted: 0,
            unknown_signs: 0,
            problems: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// False where a document has led to so many parts that no more are read.
    fn may_read_another(&mut self) -> bool {
        let may_read = self.parts_read < MOST_PARTS && self.package.taken() < MOST_BYTES;
        self.parts_read += usize::from(may_read);
        if !may_read && !std::mem::replace(&mut self.has_too_many, true) {
            self.doubts.push(Doubt::new(DoubtKind::SkippedParts, "the document refers to too many parts"));
        }
        may_read
    }

    fn add_margin(&mut self, is_footer: bool, part: &Arc<str>) {
        let margin = (is_footer, part.clone());
        if self.margins.len() < MOST_PARTS && !self.margins.contains(&margin) {
            self.margins.push(margin);
        }
    }

    fn note_damage(&mut self, part: &str, problem: Option<Problem>, broken: Option<String>) {
        self.problems.extend(problem);
        if let Some(why) = broken {
            self.doubts.push(Doubt::new(DoubtKind::RepairedStructure, format!("`{part}`: {why}")));
        }
        if self.unknown_signs > 0 {
            let detail = format!("{} signs of fonts without a table", self.unknown_signs);
            self.doubts.push(Doubt::new(DoubtKind::UnmappedGlyphs, detail));
            self.unknown_signs = 0;
        }
    }

    /// Reads a part as a story of its own.
    fn story(&mut self, part: &str, mut take: impl FnMut(Piece)) {
        if !self.package.has(part) || !self.may_read_another() {
            return;
        }
        let text = match self.package.text(part) {
            Ok(text) => text,
            Err(problem) => return self.problems.push(problem),
        };
        let relations = self.package.relations(part);
        let broken = Story::read(self, part, &text, &relations, &mut |_, piece| take(piece));
        self.note_damage(part, text.problem.clone(), broken);
    }

    fn entries(&mut self, relations: &Relations, kind: &str) -> (Option<Arc<str>>, Vec<Entry>) {
        let Some(part) = relations.of_kind(kind).next().cloned() else { return (None, Vec::new()) };
        let mut entries = Vec::new();
        self.story(&part, |piece| match piece {
            Piece::Entry(entry) if !entry.is_separator && entries.len() < MOST_ENTRIES => entries.push(entry),
            _ => {}
        });
        (Some(part), entries)
    }

    /// The notes, in the order in which the text refers to them.
    fn add_notes(&mut self, relations: &Relations, output: &mut Output<'_>) {
        let mut found: HashMap<(bool, String), (Arc<str>, Vec<Block>)> = HashMap::new();
        for (is_endnote, kind) in [(false, "footnotes"), (true, "endnotes")] {
            if let (Some(part), entries) = self.entries(relations, kind) {
                let entries = entries.into_iter();
                found.extend(entries.map(|entry| ((is_endnote, entry.id), (part.clone(), entry.blocks))));
            }
        }
        for key in std::mem::take(&mut self.notes.order) {
            let Some((part, blocks)) = found.remove(&key) else { continue };
            let Some(label) = self.notes.label(key.0, &key.1) else { continue };
            output.draft.place(Some(Locator::part(part, None)));
            output.push(&Block::Note { label: label.into(), blocks });
        }
    }

    /// The comments, each as a quotation that begins with its author.
    fn add_comments(&mut self, relations: &Relations, output: &mut Output<'_>) {
        let (Some(part), entries) = self.entries(relations, "comments") else { return };
        output.draft.place(Some(Locator::part(part, None)));
        for entry in entries {
            let mut author = Some(entry.author).filter(|author| !author.trim().is_empty());
            for block in entry.blocks {
                let quote = match block {
                    Block::Paragraph(mut words)
                    | Block::Item { mut words, .. }
                    | Block::Heading { mut words, .. } => {
                        if let Some(author) = author.take() {
                            let style = TextStyle { strong: true, ..TextStyle::default() };
                            let run =
                                TextRun { text: format!("{}:", author.trim()), style, ..TextRun::default() };
                            words
                                .0
                                .splice(0..0, [run, TextRun { text: " ".to_owned(), ..TextRun::default() }]);
                        }
                        Block::Quote(words)
                    }
                    other => other,
                };
                output.push(&quote);
            }
        }
    }

    /// Headers, then footers, each wording once. One without letters is a page number.
    fn add_margins(&mut self, output: &mut Output<'_>) {
        let mut known = HashSet::new();
        let mut margins = std::mem::take(&mut self.margins);
        margins.sort_by_key(|(is_footer, _)| *is_footer);
        for (_, part) in margins {
            let mut blocks = Vec::new();
            self.story(&part, |piece| {
                if let Piece::Block(block, _) = piece {
                    story::push_block(&mut blocks, block);
                }
            });
            let mut draft = MarkdownDraft::new();
            blocks.iter().for_each(|block| draft.push(block));
            let text = draft.finish().text;
            if text.contains(char::is_alphabetic) && known.insert(text) {
                output.draft.place(Some(Locator::part(part, None)));
                blocks.iter().for_each(|block| output.push(block));
            }
        }
    }
}

/// What is written of a document. It is handed over in stretches: a long document need not fit into memory.
struct Output<'k> {
    name: Arc<str>,
    draft: MarkdownDraft,
    /// Lines of code that may go on.
    code: Option<(String, Span)>,
    sink: &'k mut dyn DocumentSink,
    /// Why nothing more is taken.
    stopped: Option<Problem>,
}

impl Output<'_> {
    fn add(&mut self, piece: Piece) {
        match piece {
            Piece::Block(Block::Code { text, .. }, bytes) => match &mut self.code {
                Some((code, span)) if code.len() < SEGMENT_BYTES => {
                    code.push('\n');
                    code.push_str(&text);
                    span.end = span.end.max(bytes.end);
                }
                _ => {
                    self.flush();
                    self.code = Some((text, bytes));
                }
            },
            Piece::Block(block, bytes) => {
                self.flush();
                self.place(bytes);
                self.push(&block);
            }
            Piece::Markdown(text, bytes) => {
                self.flush();
                self.place(bytes);
                self.draft.push_markdown(&text);
                self.hand_over();
            }
            Piece::Entry(entry) => entry.blocks.iter().for_each(|block| self.push(block)),
        }
    }

    fn place(&mut self, bytes: Span) {
        self.draft.place(Some(Locator::part(self.name.clone(), Some(bytes))));
    }

    fn push(&mut self, block: &Block) {
        self.draft.push(block);
        self.hand_over();
    }

    fn flush(&mut self) {
        if let Some((text, bytes)) = self.code.take() {
            self.place(bytes);
            self.push(&Block::Code { language: String::new(), text: text.trim_end().to_owned() });
        }
    }

    fn hand_over(&mut self) {
        if self.draft.len() >= SEGMENT_BYTES {
            let stretch = self.draft.take();
            if self.stopped.is_none() {
                self.stopped = self.sink.text(stretch).err();
            }
        }
    }

    /// Fails where the text is not taken any more.
    fn check(&mut self) -> Result<(), Problem> {
        self.stopped.take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests;
