//! PowerPoint presentations of 97 to 2003: the current slides in order, each with its title, texts, tables, notes and
//! comments; text of masters is left out. Of PowerPoint 95 only the plain text is read, of older versions nothing.
//!
//! Format: [MS-PPT]. [`persist`] finds the current records, [`drawing`] the texts of a slide in their order, [`text`]
//! their paragraphs.

mod drawing;
mod persist;
mod records;
mod text;

use crate::limits::ppt::MAX_LINKS_AND_COMMENTS;
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES, Words};
use crate::settings::ReadSettings;
use crate::shared::back_matter::with_author;
use crate::shared::bytes::{has_lost_characters, u32_le};
use crate::shared::codepage;
use crate::shared::ole::{self, Compound};
use crate::source::{DocumentSink, DocumentSource};
use drawing::{SlideItem, items_on, table_of};
use pensieve_text::model::{
    Document, FoldKind, Locator, Problem, ProblemKind, ReviewReason, TextKind, Visibility,
};
use persist::{PresentationRecords, SlideEntry};
use records::{Record, Records, has_lost_records, kinds};
use std::collections::HashSet;
use text::{LinkTargets, ShapeText, TextRole, texts_in};

/// Reads a presentation.
///
/// # Errors
/// `Encrypted`; `Damaged` if there is no presentation in the file.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut compound = Compound::open(source)?;
    // Files for both PowerPoint 95 and 97 have the newer presentation in a storage of its own.
    let found = ["PP97_DUALSTORAGE/PowerPoint Document", "PowerPoint Document"]
        .iter()
        .find_map(|path| compound.find(path).map(|entry| (entry, compound.entries()[entry].parent)));
    let Some((entry, parent)) = found else { return Err(no_presentation(&compound)) };
    let stream = compound.read(entry)?;
    let current = match compound.child(parent, "Current User") {
        Some(entry) => compound.read(entry)?,
        None => Vec::new(),
    };
    let presentation = PresentationRecords::find(&stream, &current);
    if presentation.is_encrypted {
        return Err(Problem::new(ProblemKind::Encrypted, "the presentation is encrypted with a password"));
    }
    if presentation.slides.is_empty() && presentation.document.is_none() {
        if let Some(entry) = compound.child(parent, "Text_Content") {
            let text = compound.read(entry)?;
            return Ok(read_old(&text, ole::metadata(&mut compound)));
        }
        return Err(Problem::new(ProblemKind::Damaged, "the presentation has neither a document nor slides"));
    }
    let mut document = write(&presentation, settings, sink)?;
    document.metadata = ole::metadata(&mut compound);
    for damage in compound.damage() {
        document.report(Problem::new(ProblemKind::Damaged, damage.clone()));
    }
    Ok(document)
}

/// Reads a presentation of PowerPoint 95: it has a stream with all of its text for search programs.
fn read_old(bytes: &[u8], metadata: Vec<(String, String)>) -> Document {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    let words = &bytes[..end];
    let text = codepage::decode(codepage::WESTERN, words);
    let mut draft = MarkdownDraft::new();
    for line in text.split(['\r', '\n']) {
        let line: String = line.chars().filter(|c| *c >= ' ' || *c == '\t').collect();
        draft.push(&Block::Paragraph(Words::plain(line)));
    }
    let detail = "a presentation of PowerPoint 95: its text was read without slides";
    let mut document = Document {
        text: draft.finish(),
        kind: Some(TextKind::Markup),
        metadata,
        review_reasons: vec![ReviewReason::repaired(detail)],
        ..Document::default()
    };
    if has_lost_characters(words) || words.is_empty() && !bytes.is_empty() {
        document.note_damage("a block of the text is nothing but zeros");
    }
    document
}

/// Why a compound file has no presentation.
fn no_presentation(compound: &Compound<'_>) -> Problem {
    if compound.find("EncryptedPackage").is_some() {
        return Problem::new(
            ProblemKind::Encrypted,
            "the presentation is encrypted with a password (OOXML package)",
        );
    }
    if compound.find("PP40").is_some() || compound.find("PowerPoint").is_some() {
        let message = "a presentation of PowerPoint 95 or before; save it as a newer one";
        return Problem::new(ProblemKind::ExtractionFailed, message);
    }
    Problem::new(ProblemKind::Damaged, "the OLE2 compound file has no presentation")
}

fn write(
    presentation: &PresentationRecords<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let links = presentation.document.map(links_of).unwrap_or_default();
    let mut draft = MarkdownDraft::new();
    let mut footers = FooterTexts::default();
    let mut missing = 0;
    for (at, entry) in presentation.slides.iter().enumerate() {
        let is_hidden = entry.slide.is_some_and(is_left_out);
        let fold = is_hidden.then_some(Visibility::Folded(FoldKind::Slide));
        let place = Locator::slide(at as u64 + 1).marked(fold);
        draft.place(Some(place.clone()));
        missing += usize::from(entry.slide.is_none());
        write_slide(entry, &links, &mut draft);
        if let Some(notes) = presentation.notes_of(entry) {
            draft.place(Some(place.clone().marked(Some(Visibility::Folded(FoldKind::Note)))));
            for items in items_on(notes, &[]) {
                push_item(&items, &links, &mut draft);
            }
            draft.place(Some(place));
        }
        if let Some(slide) = entry.slide {
            footers.add(slide);
            if settings.office.comments {
                comments_of(slide).iter().for_each(|comment| draft.push(comment));
            }
        }
        if draft.len() > SEGMENT_BYTES {
            sink.text(draft.take())?;
        }
    }
    draft.place(None);
    if let Some(document) = presentation.document {
        footers.add(document);
    }
    if settings.office.headers {
        footers.texts.iter().for_each(|text| draft.push(&Block::Paragraph(Words::plain(text.clone()))));
    }
    let mut document = Document { text: draft.finish(), kind: Some(TextKind::Markup), ..Document::default() };
    if presentation.is_repaired {
        document.note_damage(
            "the directory of the presentation is broken; its slides were taken in the order of the file",
        );
    }
    if presentation.current().any(has_lost_records) {
        document.note_damage("a block of the presentation is nothing but zeros");
    }
    if missing > 0 {
        let message = format!("{missing} of {} slides are missing from the file", presentation.slides.len());
        document.report(Problem::new(ProblemKind::Damaged, message));
    }
    Ok(document)
}

/// True for a slide that is left out of the show: `fHidden` of its SlideShowSlideInfoAtom.
fn is_left_out(slide: Record<'_>) -> bool {
    slide.child(kinds::SHOW_INFO).and_then(|atom| atom.body.get(10)).is_some_and(|flags| flags & 4 != 0)
}

/// Writes the title first, and then the rest in drawing order.
fn write_slide(entry: &SlideEntry<'_>, links: &LinkTargets, draft: &mut MarkdownDraft) {
    let outline = texts_in(entry.outline.iter().copied());
    let mut items = entry.slide.map(|slide| items_on(slide, &outline)).unwrap_or_default();
    if items.is_empty() {
        // If the drawing of a slide is lost, the outline still has its words.
        items = outline.into_iter().map(SlideItem::Text).collect();
    }
    let title =
        items.iter().position(|items| matches!(items, SlideItem::Text(text) if is_title(text, links)));
    if let Some(at) = title
        && let SlideItem::Text(text) = items.remove(at)
    {
        draft.push(&Block::Heading { level: 2, words: text.title(links) });
    }
    for items in &items {
        push_item(items, links, draft);
    }
}

fn is_title(text: &ShapeText, links: &LinkTargets) -> bool {
    text.role == TextRole::Title && !text.title(links).is_blank()
}

fn push_item(items: &SlideItem, links: &LinkTargets, draft: &mut MarkdownDraft) {
    match items {
        SlideItem::Text(text) => text.blocks(links).iter().for_each(|block| draft.push(block)),
        SlideItem::Table(cells) => draft.push(&Block::Table(table_of(cells, links))),
    }
}

/// The targets of links. Format: [MS-PPT] section 2.10.16.
fn links_of(document: Record<'_>) -> LinkTargets {
    let objects = document.child(kinds::EXTERNAL_OBJECTS);
    let hyperlinks =
        objects.into_iter().flat_map(Record::inner).filter(|record| record.kind == kinds::HYPERLINK);
    let link = |record: Record<'_>| {
        let number = u32_le(record.child(kinds::HYPERLINK_ATOM)?.body, 0)?;
        let target = record.inner().find(|inner| inner.kind == kinds::STRING && inner.instance == 1)?.text();
        let target = target.trim_end_matches('\0').trim();
        target.contains(':').then(|| (number, target.into()))
    };
    hyperlinks.take(MAX_LINKS_AND_COMMENTS).filter_map(link).collect()
}

/// Headers and footers that are shown, each once.
#[derive(Default)]
struct FooterTexts {
    texts: Vec<String>,
    seen: HashSet<String>,
}

impl FooterTexts {
    fn add(&mut self, container: Record<'_>) {
        let groups = container.inner().filter(|record| record.kind == kinds::HEADERS_FOOTERS);
        for string in groups.flat_map(Record::inner).filter(|record| record.kind == kinds::STRING) {
            let text = string.text().trim().to_owned();
            // The first string is a date as the user wrote it.
            if string.instance != 0 && !text.is_empty() && self.seen.insert(text.clone()) {
                self.texts.push(text);
            }
        }
    }
}

/// The comments of a slide, which are in the binary tags of PowerPoint 2000. Format: [MS-PPT] section 2.5.22.
fn comments_of(slide: Record<'_>) -> Vec<Block> {
    let tags = slide.inner().filter(|record| record.kind == kinds::TAGS).flat_map(Record::inner);
    let data = tags
        .filter(|record| record.kind == kinds::BINARY_TAG)
        .filter_map(|tag| tag.child(kinds::BINARY_TAG_DATA));
    let comments =
        data.flat_map(|data| Records::new(data.body)).filter(|record| record.kind == kinds::COMMENT);
    let block = |comment: Record<'_>| {
        let string = |instance| {
            let found =
                comment.inner().find(|inner| inner.kind == kinds::STRING && inner.instance == instance);
            found.map(Record::text).unwrap_or_default().trim().to_owned()
        };
        let (author, text) = (string(0), string(1));
        let mut words = Words::default();
        words.push_plain(&text.replace('\r', "\n"));
        if !author.is_empty() {
            words = with_author(&author, words);
        }
        (!text.is_empty()).then_some(Block::Paragraph(words))
    };
    comments.take(MAX_LINKS_AND_COMMENTS).filter_map(block).collect()
}

#[cfg(test)]
mod tests;
