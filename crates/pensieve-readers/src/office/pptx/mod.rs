//! Presentations: `.pptx`, `.pptm`, `.ppsx`, `.potx`, in both editions of the standard.
//!
//! Slides come in the order of the presentation, hidden ones too, each with its title as a heading; then its shapes,
//! its footer, its charts and diagrams, and the speaker's notes as quotations. Comments are metadata. The text of
//! hidden shapes and of those beside a slide is left out and listed. A place is the number of a slide. Prompts of layouts and
//! masters are not text. Refuses encrypted presentations and files that are not packages. Sources:
//! ECMA-376 part 1, chapter 19 (PresentationML); [MS-PPTX] 2.1 (comments of newer editions).

mod backdrop;
mod bullets;
mod drawings;
mod slide;

use crate::limits::pptx::{
    MAX_COMMENTS, MAX_PARTS_BYTES, MAX_PARTS_PER_FILE_BYTE, MAX_SLIDES, MIN_PARTS_LIMIT_BYTES,
};
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES};
use crate::settings::ReadSettings;
use crate::shared::hidden_text::HiddenText;
use crate::shared::opc::{OpcPackage, Relationships};
use crate::shared::xml::{XmlEvent, XmlReader};
use crate::source::{DocumentSink, DocumentSource};
use bullets::LayoutBullets;
use pensieve_text::model::{Document, FoldKind, Locator, Problem, ProblemKind, ReviewReason, Visibility};
use slide::{SlideContent, SlideContext, plain_text, read_slide};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Reads a presentation.
///
/// # Errors
/// `Encrypted`, `Damaged` if the file is not a package or has no presentation, and the limits of packages.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let by_size = (source.size() as usize).saturating_mul(MAX_PARTS_PER_FILE_BYTE);
    let max_parts = by_size.clamp(MIN_PARTS_LIMIT_BYTES, MAX_PARTS_BYTES);
    let mut package = OpcPackage::open(source)?;
    let main = package.main_part(".main+xml", "ppt/presentation.xml");
    let main = main.ok_or_else(|| Problem::new(ProblemKind::Damaged, "the package has no presentation"))?;
    let relations = package.relations(&main);
    let mut presentation = PresentationReader {
        with_comments: settings.office.comments,
        with_headers: settings.office.headers,
        footers: HashSet::new(),
        authors: HashMap::new(),
        layouts: HashMap::new(),
        draft: MarkdownDraft::new(),
        problems: Vec::new(),
        review_reasons: Vec::new(),
        facts: Vec::new(),
        hidden: HiddenText::default(),
        size: None,
        package,
    };
    let slides = presentation.slides(&main, &relations);
    if presentation.with_comments {
        presentation.read_authors(&relations);
    }
    for (at, part) in slides.iter().enumerate() {
        if presentation.package.unpacked_bytes() > max_parts {
            let detail = format!("slides from {} on: the package expands too far", at + 1);
            presentation.review_reasons.push(ReviewReason::skipped(detail));
            break;
        }
        presentation.add_slide(part, at + 1);
        if presentation.draft.len() >= SEGMENT_BYTES {
            sink.text(presentation.draft.take())?;
        }
    }
    let mut metadata = presentation.package.metadata();
    metadata.append(&mut presentation.facts);
    let mut document = Document {
        text: presentation.draft.finish(),
        metadata,
        problems: presentation.problems,
        review_reasons: presentation.review_reasons,
        ..Document::default()
    };
    presentation.hidden.note(&mut document);
    Ok(document)
}

/// A presentation that is being read.
struct PresentationReader<'a> {
    package: OpcPackage<'a>,
    with_comments: bool,
    with_headers: bool,
    /// Headers, footers and dates of notes that are already written.
    footers: HashSet<String>,
    /// Names of authors by identifiers.
    authors: HashMap<String, String>,
    layouts: HashMap<Arc<str>, Rc<LayoutBullets>>,
    draft: MarkdownDraft,
    problems: Vec<Problem>,
    review_reasons: Vec<ReviewReason>,
    /// Comments, as metadata rows of the presentation.
    facts: Vec<(String, String)>,
    hidden: HiddenText,
    /// Width and height of the slides, in EMU.
    size: Option<(i64, i64)>,
}

impl PresentationReader<'_> {
    /// The parts of the slides in the order of the presentation; all slides of the package, if it has no order.
    fn slides(&mut self, main: &str, relations: &Relationships) -> Vec<Arc<str>> {
        let mut slides = Vec::new();
        match self.package.text(main) {
            Ok(part) => {
                self.problems.extend(part.problem);
                let reader = XmlReader::new(&part.text);
                for event in reader {
                    let XmlEvent::Start(tag) = event else { continue };
                    if tag.name() == "sldSz" {
                        let number = |name: &str| tag.get(name).and_then(|value| value.parse().ok());
                        self.size = number("cx").zip(number("cy"));
                    }
                    if tag.name() == "sldId" && slides.len() < MAX_SLIDES {
                        let id = tag.attributes().find(|(name, _)| name.ends_with(":id")).map(|(_, id)| id);
                        slides.extend(id.and_then(|id| relations.part(&id)).cloned());
                    }
                }
            }
            Err(problem) => self.problems.push(problem),
        }
        if slides.is_empty() {
            slides = self.slides_by_name();
            if !slides.is_empty() {
                let detail = "slides are in the order of their names: the presentation names none";
                self.review_reasons.push(ReviewReason::repaired(detail));
            }
        }
        slides
    }

    fn slides_by_name(&mut self) -> Vec<Arc<str>> {
        let number = |name: &str| {
            let digits = name.rsplit('/').next()?.strip_prefix("slide")?.strip_suffix(".xml")?;
            digits.parse::<u32>().ok()
        };
        let names = self.package.archive().names().iter();
        let in_folder = names.filter(|name| name.contains("slides/") && !name.contains("_rels"));
        let mut found: Vec<(u32, Arc<str>)> =
            in_folder.filter_map(|name| Some((number(name)?, name.as_str().into()))).collect();
        found.sort();
        found.dedup();
        found.truncate(MAX_SLIDES);
        found.into_iter().map(|(_, name)| name).collect()
    }

    /// Adds a slide, whose number counts from 1, with its notes and comments.
    fn add_slide(&mut self, part: &str, number: usize) {
        let relations = self.package.relations(part);
        let layouts = self.layouts(&relations);
        let Some(slide) = self.shapes(part, &relations, &layouts, self.size) else { return };
        for (reason, text) in &slide.hidden {
            self.hidden.add(*reason, Some(&Locator::slide(number as u64)), text);
        }
        let place = Locator::slide(number as u64).marked(slide.fold);
        self.draft.place(Some(place.clone()));
        self.draft.push(&Block::Heading { level: 2, words: slide.title });
        let blocks = slide.blocks.iter().chain(&slide.footer).chain(&slide.drawings);
        blocks.for_each(|block| self.draft.push(block));
        if let Some(notes) = relations.of_kind("notesSlide").next() {
            let relations = self.package.relations(notes);
            if let Some(notes) = self.shapes(notes, &relations, &[], None) {
                // Text that is on every page of notes is written once.
                let footer = notes
                    .footer
                    .into_iter()
                    .filter(|block| self.with_headers && self.footers.insert(plain_text(block)));
                self.draft.place(Some(place.marked(Some(Visibility::Folded(FoldKind::Note)))));
                let all: Vec<Block> = notes.blocks.into_iter().chain(footer).map(quoted).collect();
                all.iter().for_each(|block| self.draft.push(block));
            }
        }
        if self.with_comments {
            for part in relations.of_kind("comments") {
                self.add_comments(part, number);
            }
        }
    }

    fn shapes(
        &mut self,
        part: &str,
        relations: &Relationships,
        layouts: &[Rc<LayoutBullets>],
        size: Option<(i64, i64)>,
    ) -> Option<SlideContent> {
        let text = match self.package.text(part) {
            Ok(text) => text,
            Err(problem) => {
                self.review_reasons.push(ReviewReason::skipped(problem.message));
                return None;
            }
        };
        let context = SlideContext { package: &mut self.package, relations, layouts, size };
        let slide = read_slide(&text.text, context);
        self.problems.extend(text.problem);
        if let Some(why) = &slide.broken {
            self.review_reasons.push(ReviewReason::repaired(format!("`{part}`: {why}")));
        }
        Some(slide)
    }

    /// The layout of a slide, and its master.
    fn layouts(&mut self, relations: &Relationships) -> Vec<Rc<LayoutBullets>> {
        let mut found = Vec::new();
        let Some(layout) = relations.of_kind("slideLayout").next() else { return found };
        found.extend(self.layout(layout));
        let of_layout = self.package.relations(layout);
        if let Some(master) = of_layout.of_kind("slideMaster").next() {
            found.extend(self.layout(master));
        }
        found
    }

    fn layout(&mut self, part: &Arc<str>) -> Option<Rc<LayoutBullets>> {
        if let Some(layout) = self.layouts.get(part) {
            return Some(layout.clone());
        }
        let source = self.package.text(part).ok()?.text;
        let mut layout = LayoutBullets::read(&source);
        layout.is_plain = backdrop::is_plain(&source);
        let theme = self.package.relations(part).of_kind("theme").next().map(|theme| theme.to_string());
        let theme = theme.and_then(|theme| self.package.text(&theme).ok());
        layout.is_white = theme.is_some_and(|theme| backdrop::is_white(&theme.text));
        let layout = Rc::new(layout);
        self.layouts.insert(part.clone(), layout.clone());
        Some(layout)
    }

    /// Reads the authors of comments, in the two forms in which they are listed.
    fn read_authors(&mut self, relations: &Relationships) {
        for part in ["commentAuthors", "authors"].into_iter().flat_map(|kind| relations.of_kind(kind)) {
            let Ok(text) = self.package.text(part) else { continue };
            for event in XmlReader::new(&text.text) {
                if let XmlEvent::Start(tag) = event
                    && matches!(tag.name(), "cmAuthor" | "author")
                    && let (Some(id), Some(name)) = (tag.get("id"), tag.get("name"))
                    && self.authors.len() < MAX_COMMENTS
                {
                    self.authors.insert(id, name);
                }
            }
        }
    }

    /// Adds comments, which are not text of the slide but metadata.
    fn add_comments(&mut self, part: &str, slide: usize) {
        let Ok(text) = self.package.text(part) else { return };
        for (author, text) in comments_in(&text.text) {
            let name = self.authors.get(&author).map(|name| format!("{}: ", name.trim()));
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let comment = format!("slide {slide}: {}{text}", name.unwrap_or_default());
            self.facts.push(("comment".to_owned(), comment));
        }
    }
}

/// The comments of a part: the author's identifier, and the text. A reply is a comment.
fn comments_in(source: &str) -> Vec<(String, String)> {
    let mut reader = XmlReader::new(source);
    let mut found: Vec<(String, String)> = Vec::new();
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "cm" | "reply" if found.len() < MAX_COMMENTS => {
                    found.push((tag.get("authorId").unwrap_or_default(), String::new()));
                }
                "text" | "t" => {
                    let more = reader.text_inside();
                    if let Some((_, text)) = found.last_mut() {
                        text.push_str(&more);
                    }
                }
                _ => {}
            },
            XmlEvent::End("p") => {
                if let Some((_, text)) = found.last_mut() {
                    text.push(' ');
                }
            }
            _ => {}
        }
    }
    found.retain(|(_, text)| !text.trim().is_empty());
    found
}

/// The speaker's notes become quotations, to distinguish them from the text of the slide.
fn quoted(block: Block) -> Block {
    match block {
        Block::Paragraph(words) | Block::Item { words, .. } => Block::Quote(words),
        other => other,
    }
}

#[cfg(test)]
mod tests;
