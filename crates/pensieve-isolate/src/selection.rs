//! Selects what reads a document: plain text, a built-in reader, or a converter that the user configured for its extension.
//!
//! A converter takes precedence over a built-in reader. It is found by the extension of the document's name if the format
//! has that extension, else by the first extension of the format. Nothing here reads content.

use crate::converter::{self, Conversion, ConversionFailure, ConversionResult};
use crate::ocr::{IMAGE_EXTENSIONS, OcrEngine, OcrSettings};
use crate::process::{
    CommandTemplate, CommandTemplateError, ProcessLimits, RunFailure, VersionMemory, locate,
};
use pensieve_readers::registry::{DocumentReader, converter_key, first_key, reader_of};
use pensieve_text::format::{Format, ReaderKind, format_of_converter};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// What reads the bytes of a document.
#[derive(Debug, Clone, Copy)]
pub enum SelectedReader<'t> {
    /// As text, in this process.
    Text,
    /// A reader of documents, in a worker.
    Reader(&'static DocumentReader),
    /// An outside program.
    Converter(&'t Converter),
    /// Nothing: the format has no reader and no converter.
    Unread,
}

/// A configured converter.
#[derive(Debug)]
pub struct Converter {
    /// The extension that it is configured for.
    pub extension: String,
    /// The command as the user wrote it.
    pub command: String,
    /// The command, parsed.
    pub template: CommandTemplate,
    /// It recognises letters in images.
    pub is_ocr: bool,
    found: OnceLock<Option<(PathBuf, String)>>,
    versions: Arc<VersionMemory>,
}

impl Converter {
    /// The path of the program and its version; `None` if it is not installed. Looked up once.
    pub fn facts(&self) -> Option<&(PathBuf, String)> {
        self.found
            .get_or_init(|| {
                let path = locate(self.template.program())?;
                let version =
                    self.versions.version_of(&path).unwrap_or_else(|| "of unknown version".to_owned());
                Some((path, version))
            })
            .as_ref()
    }

    /// `pandoc 2.17.1.1`, as `files.extractor` names it.
    pub fn name(&self) -> String {
        let name = self.template.program_name();
        match self.facts() {
            Some((_, version)) => format!("{name} {version}"),
            None => name.to_owned(),
        }
    }

    /// Converts a file.
    ///
    /// # Errors
    /// The program is not installed, or did not do its work.
    pub fn convert(
        &self,
        file: &File,
        limits: ProcessLimits,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<ConversionResult, ConversionFailure> {
        let Some((program, _)) = self.facts() else {
            let failure = RunFailure::NotFound { program: self.template.program().into() };
            return Err(ConversionFailure::Run { program: self.template.program_name().to_owned(), failure });
        };
        let (template, extension) = (&self.template, self.extension.as_str());
        let conversion = Conversion { template, program, extension, limits, is_ocr: self.is_ocr };
        converter::convert(file, &conversion, interrupted)
    }
}

/// A command that cannot work.
#[derive(Debug, Error)]
#[error("converters.{extension}: {source}")]
pub struct ConverterError {
    /// The extension that it is configured for.
    pub extension: String,
    /// What is wrong with it.
    pub source: CommandTemplateError,
}

/// The format whose pages may be recognised.
const OCR_FORMAT: &str = "pdf";

/// The converters of a configuration.
#[derive(Debug, Default)]
pub struct Converters {
    tools: BTreeMap<String, Converter>,
    ocr: Option<OcrEngine>,
    versions: Arc<VersionMemory>,
}

impl Converters {
    /// From extensions and their commands. An extension that the table of formats does not have becomes a format.
    ///
    /// # Errors
    /// A command cannot work.
    pub fn new(converters: &BTreeMap<String, String>) -> Result<Converters, ConverterError> {
        let versions = Arc::default();
        let mut made = Converters { tools: BTreeMap::new(), ocr: None, versions };
        for (extension, command) in converters {
            made.add(extension, command, false)?;
        }
        Ok(made)
    }

    /// With programs that recognise text: they read images that no converter of the user's reads, and pages of PDF files.
    ///
    /// # Errors
    /// A command cannot work.
    pub fn with_ocr(mut self, settings: Option<&OcrSettings>) -> Result<Converters, ConverterError> {
        let Some(settings) = settings else { return Ok(self) };
        for extension in IMAGE_EXTENSIONS {
            if !self.tools.contains_key(*extension) {
                self.add(extension, &settings.recognizer(), true)?;
            }
        }
        let failed = |source| ConverterError { extension: "pdf".to_owned(), source };
        self.ocr = Some(OcrEngine::new(settings, &self.versions).map_err(failed)?);
        Ok(self)
    }

    fn add(&mut self, extension: &str, command: &str, is_ocr: bool) -> Result<(), ConverterError> {
        format_of_converter(extension);
        let failed = |source| ConverterError { extension: extension.to_owned(), source };
        let template = CommandTemplate::parse(command).map_err(failed)?;
        let tool = Converter {
            extension: extension.to_owned(),
            command: command.to_owned(),
            template,
            is_ocr,
            found: OnceLock::new(),
            versions: Arc::clone(&self.versions),
        };
        self.tools.insert(extension.to_owned(), tool);
        Ok(())
    }

    /// What recognises the pages of a document of this format, if it is read by the built-in reader.
    pub fn ocr_of(&self, format: &str) -> Option<&OcrEngine> {
        self.ocr.as_ref().filter(|_| format == OCR_FORMAT && !self.tools.contains_key(OCR_FORMAT))
    }

    /// The extensions that have a converter.
    pub fn extensions(&self) -> Vec<String> {
        self.tools.keys().cloned().collect()
    }

    /// What the programs answered when they were asked for their versions; may be filled from an earlier run.
    pub fn versions(&self) -> &VersionMemory {
        &self.versions
    }

    /// The converter of an extension.
    pub fn get(&self, extension: &str) -> Option<&Converter> {
        self.tools.get(extension)
    }

    /// What reads a document of this format and extension.
    pub fn select(&self, format: &'static Format, extension: &str) -> SelectedReader<'_> {
        if let Some(tool) = converter_key(format, extension, |key| self.tools.contains_key(key)) {
            return self.get(tool).map_or(SelectedReader::Unread, SelectedReader::Converter);
        }
        match format.reader {
            ReaderKind::Text => SelectedReader::Text,
            ReaderKind::Document => {
                reader_of(format.name).map_or(SelectedReader::Unread, SelectedReader::Reader)
            }
            ReaderKind::Converter => {
                self.get(first_key(format)).map_or(SelectedReader::Unread, SelectedReader::Converter)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::format::by_name;

    fn check(chosen: &[&str], format: &str, extension: &str, expected: &str) {
        let commands = chosen.iter().map(|key| ((*key).to_owned(), "tool {input}".to_owned())).collect();
        let converters = Converters::new(&commands).unwrap();
        let selected = match converters.select(by_name(format).unwrap(), extension) {
            SelectedReader::Text => "text".to_owned(),
            SelectedReader::Reader(reader) => format!("reader {}", reader.format),
            SelectedReader::Converter(tool) => format!("tool {}", tool.extension),
            SelectedReader::Unread => "unread".to_owned(),
        };
        assert_eq!(selected, expected, "{format} named .{extension} with {chosen:?}");
    }

    #[test]
    fn a_converter_is_selected_by_the_extension_of_the_document() {
        check(&[], "html", "htm", "reader html");
        check(&["htm"], "html", "htm", "tool htm");
        check(&["html"], "html", "htm", "reader html");
        check(&["html"], "html", "cgi", "tool html");
        check(&["log"], "log", "log", "tool log");
        check(&[], "log", "log", "text");
        check(&[], "postscript", "eps", "unread");
        check(&["ps"], "postscript", "eps", "tool ps");
    }

    #[test]
    fn a_command_that_cannot_work_is_named() {
        let converters = BTreeMap::from([("log".to_owned(), "tool".to_owned())]);
        assert!(Converters::new(&converters).unwrap_err().to_string().starts_with("converters.log: "));
    }
}
