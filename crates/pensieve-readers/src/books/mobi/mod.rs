//! Books of the Kindle family: Mobipocket (`.mobi`, `.prc`, `.azw`) and KF8 (`.azw3`), also both in one file.
//!
//! A Palm database contains the first record ([`header`]), the text in packed records ([`text`], [`huff`]) and
//! indices ([`index`]). Old books are one page of HTML ([`old`]), KF8 books are assembled from skeletons and
//! fragments ([`kf8`]); if a file has both, the newer one is read. Pages go through the HTML reader, and contents
//! provide headings if a chapter has none ([`page`]). Encrypted books are refused with the name of their scheme;
//! Topaz and KFX are other formats with the same extensions, and are refused by name. Source: MobileRead wiki.

mod header;
mod huff;
mod index;
mod kf8;
mod old;
pub(crate) mod page;
mod text;

use crate::books::palm_database::{PalmDatabase, damaged};
use crate::limits::mobi::SEGMENT_BYTES;
use crate::settings::HtmlOptions;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use header::BookHeader;
use page::{ContentsTarget, HtmlPage};
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReasonKind, Segment, TextKind};
use text::RawText;

/// The record before the second book of a file begins with this.
const BOUNDARY: &[u8] = b"BOUNDARY";

/// Reads a book.
///
/// # Errors
/// `Encrypted` with the name of the scheme, `Damaged`.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut database = PalmDatabase::open(source)?;
    let mut book = MobiBook::open(&mut database)?;
    book.read(&settings.html, sink)
}

/// Refuses formats that share the extensions but not the container.
///
/// # Errors
/// `Encrypted` or `ExtractionFailed` with their names.
pub(crate) fn refuse_other_formats(source: &mut DocumentSource<'_>) -> Result<(), Problem> {
    let mut head = [0; 8];
    let file = source.file()?;
    let mut length = 0;
    while let Ok(count @ 1..) = std::io::Read::read(file, &mut head[length..]) {
        length += count;
    }
    let failed = |what: &str| Err(Problem::new(ProblemKind::ExtractionFailed, what));
    match &head[..length] {
        [b'T', b'P', b'Z', ..] => failed("a Topaz book, which is not read: its words are pictures of words"),
        [0xea, b'D', b'R', b'M', b'I', b'O', b'N', 0xee] => {
            Err(Problem::new(ProblemKind::Encrypted, "the book is encrypted with Kindle DRM (KFX)"))
        }
        [b'C', b'O', b'N', b'T', ..] => failed("a KFX book, which is not read"),
        _ => Ok(()),
    }
}

/// An open book.
struct MobiBook<'d, 'f> {
    database: &'d mut PalmDatabase<'f>,
    header: BookHeader,
    /// The older book of a file with two.
    older: Option<BookHeader>,
}

impl<'d, 'f> MobiBook<'d, 'f> {
    /// Reads the first record, and that of the newer book if there are two.
    fn open(database: &'d mut PalmDatabase<'f>) -> Result<MobiBook<'d, 'f>, Problem> {
        let record = database.record(0).ok_or_else(|| damaged("the first record is missing"))?;
        let header = BookHeader::read(&record, 0)?;
        let newer = header.boundary.filter(|&number| number > 0 && header.version < 8).and_then(|number| {
            let is_boundary = database.record(number - 1).is_some_and(|record| record.starts_with(BOUNDARY));
            let record = database.record(number).filter(|_| is_boundary)?;
            BookHeader::read(&record, number).ok().filter(|newer| newer.version >= 8)
        });
        Ok(match newer {
            Some(newer) => MobiBook { database, header: newer, older: Some(header) },
            None => MobiBook { database, header, older: None },
        })
    }

    fn read(&mut self, options: &HtmlOptions, sink: &mut dyn DocumentSink) -> Result<Document, Problem> {
        let text = match (text::read(self.database, &self.header), self.older.take()) {
            (Ok(text), _) => text,
            // If the newer book is broken, the older one may be intact.
            (Err(_), Some(older)) => {
                self.header = older;
                text::read(self.database, &self.header)?
            }
            (Err(problem), None) => return Err(problem),
        };
        let mut writing =
            BookWriter { options, sink, text: Segment::default(), has_text: false, replaced: 0 };
        let missing = match self.header.version {
            8.. => self.read_kf8(&text, &mut writing)?,
            _ => self.read_old(&text, &mut writing)?,
        };
        let mut document = Document {
            text: writing.text,
            kind: Some(if options.markdown { TextKind::Markup } else { TextKind::Prose }),
            encoding: Some(encoding_name(self.header.code_page)),
            mime: Some("application/x-mobipocket-ebook".to_owned()),
            metadata: std::mem::take(&mut self.header.metadata),
            problems: text.problems(),
            ..Document::default()
        };
        add_review_reasons(&mut document, &text, missing, writing.replaced);
        Ok(document)
    }

    /// Writes the parts of a KF8 book; returns the number of missing fragments.
    fn read_kf8(&mut self, text: &RawText, writing: &mut BookWriter<'_>) -> Result<usize, Problem> {
        let (parts, missing) = kf8::parts(self.database, &self.header, &text.bytes);
        for (number, part) in parts.iter().enumerate() {
            let name = format!("part{number:04}.xhtml");
            let (html, targets) = (part.html.as_slice(), part.targets.as_slice());
            writing.page(&HtmlPage { name: &name, html, code_page: self.header.code_page, targets })?;
        }
        Ok(missing)
    }

    /// Writes the pages of an older book.
    fn read_old(&mut self, text: &RawText, writing: &mut BookWriter<'_>) -> Result<usize, Problem> {
        let mut targets = old::contents(self.database, &self.header, &text.bytes);
        targets.sort_by_key(|target| target.at);
        let mut waiting = targets.into_iter().peekable();
        for (start, html) in old::sections(&text.bytes) {
            let mut here: Vec<ContentsTarget> = Vec::new();
            while let Some(target) = waiting.next_if(|target| target.at < start + html.len()) {
                here.push(ContentsTarget { at: target.at.saturating_sub(start), ..target });
            }
            let name = format!("filepos {start}");
            writing.page(&HtmlPage {
                name: &name,
                html,
                code_page: self.header.code_page,
                targets: &here,
            })?;
        }
        Ok(0)
    }
}

/// Writes the text of a book.
struct BookWriter<'w> {
    options: &'w HtmlOptions,
    sink: &'w mut dyn DocumentSink,
    text: Segment,
    has_text: bool,
    replaced: usize,
}

impl BookWriter<'_> {
    /// Adds a page after a blank line.
    fn page(&mut self, page: &HtmlPage<'_>) -> Result<(), Problem> {
        let (part, replaced) = page.read(self.options);
        self.replaced += replaced;
        if part.text.trim().is_empty() {
            return Ok(());
        }
        if self.has_text {
            self.text.append(Segment { text: "\n".to_owned(), ..Segment::default() });
        }
        self.has_text = true;
        self.text.append(part);
        if self.text.text.len() > SEGMENT_BYTES && self.options.markdown {
            self.sink.text(std::mem::take(&mut self.text))?;
        }
        Ok(())
    }
}

fn encoding_name(code_page: u32) -> String {
    let encoding = crate::shared::codepage::encoding_of(code_page);
    encoding.map_or_else(|| "cp1252".to_owned(), |encoding| encoding.name().to_owned())
}

fn add_review_reasons(document: &mut Document, text: &RawText, missing: usize, replaced: usize) {
    if text.broken > 0 {
        let detail = format!("{} of {} records", text.broken, text.records);
        document.note_skipped(detail);
    }
    if missing > 0 {
        document.note_damage(format!("{missing} fragments are missing or too short"));
    }
    if replaced > 0 {
        let detail = format!("{replaced} characters");
        document.note(ReviewReasonKind::ReplacedCharacters, detail);
    }
}

#[cfg(test)]
mod tests;
