//! The readers of documents: one row per format.

use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource, ReadFormat};
use SettingsGroup::{Html, Office, Pdf};
use pensieve_text::format::Format;
use pensieve_text::model::{Document, Problem, ProblemKind, RecipeLine, TextKind, recipe_text};

/// A reader of a format.
#[derive(Debug, Clone, Copy)]
pub struct DocumentReader {
    /// The format's name in the table.
    pub format: &'static str,
    /// Increased whenever the reader gives another result for the same document.
    pub edition: u32,
    /// The groups of settings on which its result depends.
    pub uses: &'static [SettingsGroup],
    /// The kind of its text.
    pub text: OutputMarkup,
    /// Its text has the roles and sentences of a layout, if the settings request one.
    pub lays_out: bool,
    /// It limits its text itself.
    pub has_own_limit: bool,
    /// Most of its documents have no words, and nothing is wrong with those.
    pub is_often_wordless: bool,
    /// Reads one document.
    pub read: ReadFormat,
}

/// A group of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsGroup {
    /// How pages are read.
    Html,
    /// How office documents are read.
    Office,
    /// How PDF files are read.
    Pdf,
}

/// The kind of text that a reader writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputMarkup {
    /// The kind that the row of the format names.
    AsFormat,
    /// Markdown or plain text, by [`HtmlOptions`](crate::settings::HtmlOptions).
    AsHtmlOptions,
    /// Markdown where pages are laid out, else plain text.
    AsLayout,
}

const fn reader(format: &'static str, edition: u32, read: ReadFormat) -> DocumentReader {
    DocumentReader {
        format,
        edition,
        uses: &[],
        text: OutputMarkup::AsFormat,
        lays_out: false,
        has_own_limit: false,
        is_often_wordless: false,
        read,
    }
}

impl DocumentReader {
    const fn using(self, uses: &'static [SettingsGroup]) -> DocumentReader {
        DocumentReader { uses, ..self }
    }

    const fn as_html_options(self) -> DocumentReader {
        DocumentReader { text: OutputMarkup::AsHtmlOptions, ..self }
    }

    const fn laying_out(self) -> DocumentReader {
        DocumentReader { lays_out: true, text: OutputMarkup::AsLayout, ..self }
    }

    const fn limiting(self) -> DocumentReader {
        DocumentReader { has_own_limit: true, ..self }
    }

    const fn often_wordless(self) -> DocumentReader {
        DocumentReader { is_often_wordless: true, ..self }
    }

    /// Its name with its version, as `files.extractor` shows it.
    pub fn name(&self) -> String {
        format!("{} {}", self.format, env!("CARGO_PKG_VERSION"))
    }

    /// A string that changes whenever the result of the reader may change.
    pub fn recipe(&self, settings: &ReadSettings) -> String {
        let lines = self.uses.iter().flat_map(|uses| match uses {
            Html => settings.html.recipe_lines(),
            Office => settings.office.recipe_lines(),
            Pdf => settings.pdf.recipe_lines(),
        });
        let lines: Vec<RecipeLine> = lines.collect();
        format!("{} {}\n{}", self.format, self.edition, recipe_text(&lines))
    }

    /// True if the text that it writes with these settings is laid out.
    pub fn lays_out(&self, settings: &ReadSettings) -> bool {
        self.lays_out && settings.pdf.layout
    }

    /// The kind of its text, if it is not that of the format's row.
    pub fn kind(&self, settings: &ReadSettings) -> Option<TextKind> {
        match (self.text, settings.html.markdown) {
            (OutputMarkup::AsFormat, _) => None,
            (OutputMarkup::AsHtmlOptions, true) => Some(TextKind::Markup),
            (OutputMarkup::AsHtmlOptions, false) => Some(TextKind::Prose),
            (OutputMarkup::AsLayout, _) => (!settings.pdf.layout).then_some(TextKind::Prose),
        }
    }
}

/// Every reader, sorted by format.
#[rustfmt::skip]
pub(crate) const READERS: &[DocumentReader] = &[
    reader("bzip2", 1, crate::containers::packed::read_bzip2).often_wordless(),
    reader("chat", 2, crate::chats::read),
    reader("doc", 10, crate::office::doc::read).using(&[Office]),
    reader("docx", 8, crate::office::docx::read).using(&[Office]),
    reader("eml", 14, crate::mail::eml::read),
    reader("epub", 12, crate::books::epub::read).using(&[Html]).as_html_options(),
    reader("fb2", 8, crate::books::fb2::read),
    reader("gzip", 1, crate::containers::packed::read_gzip).often_wordless(),
    reader("html", 15, read_page).using(&[Html]).as_html_options(),
    reader("ics", 1, crate::content_lines::calendar::read).often_wordless(),
    reader("keynote", 8, crate::office::iwork::read).using(&[Office, Pdf]),
    reader("lit", 11, crate::books::lit::read).using(&[Html]).as_html_options(),
    reader("mbox", 11, crate::mail::mbox::read),
    reader("mdx", 2, crate::web::mdx::read),
    reader("mhtml", 15, crate::mail::mhtml::read).using(&[Html]).as_html_options(),
    reader("mobi", 12, crate::books::palm_or_mobi::read_mobi).using(&[Html]).as_html_options(),
    reader("msg", 14, crate::mail::msg::read).using(&[Office]),
    reader("notebook", 11, crate::web::notebook::read).using(&[Html]),
    reader("numbers", 7, crate::office::iwork::read).using(&[Office, Pdf]),
    reader("odp", 9, crate::office::odf::read).using(&[Office]),
    reader("ods", 8, crate::office::sheets::ods::read).using(&[Office]).limiting(),
    reader("odt", 9, crate::office::odf::read).using(&[Office]),
    reader("pages", 8, crate::office::iwork::read).using(&[Office, Pdf]),
    reader("pdb", 9, crate::books::palm_or_mobi::read_pdb).using(&[Html]),
    reader("pdf", 15, crate::pdf::read).using(&[Pdf]).laying_out(),
    reader("ppt", 8, crate::office::ppt::read).using(&[Office]),
    reader("pptx", 9, crate::office::pptx::read).using(&[Office]),
    reader("rtf", 10, crate::office::rtf::read).using(&[Office]),
    reader("subtitles", 2, crate::subtitles::read).often_wordless(),
    reader("svg", 4, crate::web::svg::read).often_wordless(),
    reader("tar", 1, crate::containers::tar::read).often_wordless(),
    reader("tcr", 2, crate::books::tcr::read),
    reader("vcard", 1, crate::content_lines::card::read).often_wordless(),
    reader("webvtt", 2, crate::subtitles::read).often_wordless(),
    reader("xls", 11, crate::office::sheets::excel::read_xls).using(&[Office]).limiting(),
    reader("xlsx", 10, crate::office::sheets::excel::read_xlsx).using(&[Office]).limiting(),
    reader("xmldoc", 4, crate::web::xml_document::read),
    reader("xz", 1, crate::containers::packed::read_xz).often_wordless(),
    reader("zip", 1, crate::containers::zip::read).often_wordless(),
    reader("zstd", 1, crate::containers::packed::read_zstd).often_wordless(),
];

/// The reader of a format.
pub fn reader_of(format: &str) -> Option<&'static DocumentReader> {
    READERS.binary_search_by_key(&format, |reader| reader.format).ok().map(|at| &READERS[at])
}

/// Reads an HTML page: decodes it as it declares and writes Markdown or plain text.
fn read_page(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    crate::web::html::read_page_to(&source.bytes()?, &settings.html, &mut |segment| sink.text(segment))
}

/// The extension under which a converter is chosen for a document of this format and extension.
pub fn converter_key<'e>(
    format: &Format,
    extension: &'e str,
    is_chosen: impl Fn(&str) -> bool,
) -> Option<&'e str> {
    let own = format.extensions.contains(&extension);
    let key = if own { Some(extension) } else { format.extensions.first().copied() };
    key.filter(|key| is_chosen(key))
}

/// True for markup that is too large for its reader and is read as plain text instead.
pub fn reads_as_text(format: &Format, size: u64) -> bool {
    !format.is_binary() && is_too_large(format, size)
}

/// The message about a document whose format has no reader.
pub fn no_reader_message(format: &Format) -> String {
    format!("no reader for {}; set `converters.{}` to read it", format.label, first_key(format))
}

/// The problem of a document that is too large for its reader.
pub fn size_problem(format: &Format, size: u64) -> Option<Problem> {
    let limit = format.whole_limit.filter(|&limit| size > limit)?;
    let message = format!(
        "{size} bytes, larger than the limit of {limit} for {}; set `converters.{}` to read it",
        format.label,
        first_key(format)
    );
    Some(Problem::new(ProblemKind::SizeLimit, message))
}

fn is_too_large(format: &Format, size: u64) -> bool {
    format.whole_limit.is_some_and(|limit| size > limit)
}

/// The extension under which a converter for a format is configured.
pub fn first_key(format: &Format) -> &'static str {
    format.extensions.first().copied().unwrap_or(format.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::format::by_name;

    #[test]
    fn readers_are_sorted_and_found() {
        assert!(READERS.is_sorted_by(|a, b| a.format < b.format));
        assert!(READERS.iter().all(|reader| reader_of(reader.format).is_some()));
    }

    #[test]
    fn documents_that_are_too_large_are_reported_or_read_as_text() {
        let [html, docx] = ["html", "docx"].map(|name| by_name(name).unwrap());
        let above = |format: &Format| format.whole_limit.unwrap() + 1;
        assert!(reads_as_text(html, above(html)) && !reads_as_text(html, above(html) - 1));
        assert!(!reads_as_text(docx, above(docx)));
        assert_eq!(size_problem(docx, above(docx) - 1), None);
        let problem = size_problem(docx, above(docx)).unwrap();
        assert!(problem.message.ends_with("for Word document; set `converters.docx` to read it"));
    }
}
