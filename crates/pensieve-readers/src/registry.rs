//! The readers of documents: one row each, by the name of its format.

use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource, ReadFormat};
use pensieve_text::model::{Document, Problem, TextKind};

/// A reader of a format.
#[derive(Debug, Clone, Copy)]
pub struct DocumentReader {
    /// The format's name in the table.
    pub format: &'static str,
    /// Counts up when it gives another result for the same document.
    pub edition: u32,
    /// The settings that its result depends on.
    pub uses: &'static [SettingsGroup],
    /// What its text is.
    pub text: OutputMarkup,
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

/// What the text of a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputMarkup {
    /// What the format's row says.
    AsRow,
    /// Markdown or plain text, as the settings of pages say.
    FromPages,
}

impl DocumentReader {
    /// Its name with its version, as `files.extractor` shows it.
    pub fn name(&self) -> String {
        format!("{} {}", self.format, env!("CARGO_PKG_VERSION"))
    }

    /// What the result depends on, in words that change when it does.
    pub fn recipe(&self, settings: &ReadSettings) -> String {
        let mut recipe = format!("{} {}", self.format, self.edition);
        for uses in self.uses {
            recipe.push_str(&match uses {
                SettingsGroup::Html => format!(" {:?}", settings.html),
                SettingsGroup::Office => format!(" {:?}", settings.office),
                SettingsGroup::Pdf => format!(" {:?}", settings.pdf),
            });
        }
        recipe
    }

    /// How white space of its text is understood, where that is not the row's word.
    pub fn kind(&self, settings: &ReadSettings) -> Option<TextKind> {
        match (self.text, settings.html.markdown) {
            (OutputMarkup::AsRow, _) => None,
            (OutputMarkup::FromPages, true) => Some(TextKind::Markup),
            (OutputMarkup::FromPages, false) => Some(TextKind::Prose),
        }
    }
}

/// Every reader, sorted by format.
#[rustfmt::skip]
pub const READERS: &[DocumentReader] = &[
    DocumentReader { format: "doc", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::doc::read },
    DocumentReader { format: "docx", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::docx::read },
    DocumentReader { format: "eml", edition: 2, uses: &[], text: OutputMarkup::AsRow, read: crate::mail::eml::read },
    DocumentReader { format: "epub", edition: 2, uses: &[SettingsGroup::Html], text: OutputMarkup::FromPages, read: crate::books::epub::read },
    DocumentReader { format: "fb2", edition: 1, uses: &[], text: OutputMarkup::AsRow, read: crate::books::fb2::read },
    DocumentReader { format: "html", edition: 1, uses: &[SettingsGroup::Html], text: OutputMarkup::FromPages, read: read_page },
    DocumentReader { format: "keynote", edition: 1, uses: &[SettingsGroup::Office, SettingsGroup::Pdf], text: OutputMarkup::AsRow, read: crate::office::iwork::read },
    DocumentReader { format: "lit", edition: 2, uses: &[SettingsGroup::Html], text: OutputMarkup::FromPages, read: crate::books::lit::read },
    DocumentReader { format: "mbox", edition: 2, uses: &[], text: OutputMarkup::AsRow, read: crate::mail::mbox::read },
    DocumentReader { format: "mhtml", edition: 1, uses: &[SettingsGroup::Html], text: OutputMarkup::FromPages, read: crate::mail::mhtml::read },
    DocumentReader { format: "mobi", edition: 2, uses: &[SettingsGroup::Html], text: OutputMarkup::FromPages, read: crate::books::mobi::read },
    DocumentReader { format: "msg", edition: 2, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::mail::msg::read },
    DocumentReader { format: "notebook", edition: 1, uses: &[SettingsGroup::Html], text: OutputMarkup::AsRow, read: crate::web::notebook::read },
    DocumentReader { format: "numbers", edition: 1, uses: &[SettingsGroup::Office, SettingsGroup::Pdf], text: OutputMarkup::AsRow, read: crate::office::iwork::read },
    DocumentReader { format: "odp", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::odf::read },
    DocumentReader { format: "ods", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::sheets::ods::read },
    DocumentReader { format: "odt", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::odf::read },
    DocumentReader { format: "pages", edition: 1, uses: &[SettingsGroup::Office, SettingsGroup::Pdf], text: OutputMarkup::AsRow, read: crate::office::iwork::read },
    DocumentReader { format: "pdb", edition: 1, uses: &[SettingsGroup::Html], text: OutputMarkup::AsRow, read: crate::books::palm::read },
    DocumentReader { format: "pdf", edition: 1, uses: &[SettingsGroup::Pdf], text: OutputMarkup::AsRow, read: crate::pdf::read },
    DocumentReader { format: "ppt", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::ppt::read },
    DocumentReader { format: "pptx", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::pptx::read },
    DocumentReader { format: "rtf", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::rtf::read },
    DocumentReader { format: "svg", edition: 1, uses: &[], text: OutputMarkup::AsRow, read: crate::web::svg::read },
    DocumentReader { format: "tcr", edition: 1, uses: &[], text: OutputMarkup::AsRow, read: crate::books::tcr::read },
    DocumentReader { format: "xls", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::sheets::xls::read },
    DocumentReader { format: "xlsx", edition: 1, uses: &[SettingsGroup::Office], text: OutputMarkup::AsRow, read: crate::office::sheets::xlsx::read },
];

/// The reader of a format.
pub fn reader_of(format: &str) -> Option<&'static DocumentReader> {
    READERS.binary_search_by_key(&format, |reader| reader.format).ok().map(|at| &READERS[at])
}

/// A page: decoded as it declares, parsed, made into Markdown or plain text.
fn read_page(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    crate::web::html::read_page_to(&source.bytes()?, &settings.html, &mut |stretch| sink.text(stretch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_sorted_and_found() {
        assert!(READERS.is_sorted_by(|a, b| a.format < b.format));
        assert!(READERS.iter().all(|reader| reader_of(reader.format).is_some()));
    }
}
