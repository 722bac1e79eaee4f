//! Documents whose pages are pictures of text: what a program of the user's recognises on them is read like text.

use super::context::{ConversionResult, DocumentFile, ReaderContext};
use pensieve_isolate::ocr::RecognizedText;
use pensieve_isolate::worker::WorkerFailure;
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::registry::reader_of;
use pensieve_readers::settings::{OcrPass, ReadSettings};
use pensieve_text::format::{Format, by_name};
use pensieve_text::model::{Document, Problem, ProblemKind, ProcessingStatus, Segment};
use std::fmt::Write;
use std::fs::File;

impl ReaderContext<'_> {
    /// What is recognised on the pages of a document that have no text; `None` if the user stopped it. There is nothing where
    /// no program is configured, and where the document cannot be read, which reading it reports.
    pub fn recognize(&self, document: DocumentFile<'_>, format: &Format) -> Option<RecognizedText> {
        let Some(engine) = self.recipes().ocr_of(format) else { return Some(RecognizedText::default()) };
        let mut listed = Document::default();
        let settings = ReadSettings { ocr: OcrPass::Find, ..self.recipes().reading().clone() };
        let asked = self.ask(document, format, settings, &mut |event| {
            if let ReaderEvent::Document(found) = event {
                listed = *found;
            }
            true
        });
        match asked {
            Err(WorkerFailure::Interrupted) => return None,
            _ if listed.metadata.is_empty() => return Some(RecognizedText::default()),
            _ => {}
        }
        let limits = self.converter_limits();
        let _share = self.children_share(limits.memory);
        engine.recognize(document.file, &listed, limits, &|| self.observer.interrupted())
    }

    /// Reads a document inside another, with what is recognised on its pages; `None` if the user stopped it. Its reader comes
    /// with its name.
    pub fn read_recognized(
        &self,
        extension: &str,
        name: &str,
        file: &File,
    ) -> Option<(String, ConversionResult)> {
        let format = by_name(extension)?;
        let size = file.metadata().map_or(0, |found| found.len());
        let source = DocumentFile { file, path: None, name, size };
        let mut recognized = self.recognize(source, format)?;
        let (mut text, mut document, mut failure) = (Segment::default(), None, None);
        let settings = self.settings_with(&mut recognized);
        let asked = self.ask(source, format, settings, &mut |event| {
            match event {
                ReaderEvent::Text(segment) => text.append(segment),
                ReaderEvent::Document(found) => document = Some(*found),
                ReaderEvent::Failed(problem) => failure = Some(problem),
                ReaderEvent::Member(_) | ReaderEvent::Bytes(_) | ReaderEvent::End => {}
            }
            true
        });
        let reader = reader_of(format.name).map_or_else(|| format.name.to_owned(), |reader| reader.name());
        let reader = self.extractor_of(&reader, format, &recognized);
        let read = match (asked, failure, document) {
            (Err(WorkerFailure::Interrupted), ..) => return None,
            (_, None, Some(mut document)) => {
                text.append(std::mem::take(&mut document.text));
                document.text = text;
                self.add_facts(format, &recognized, &mut document.metadata, &mut document.problems);
                Ok(document)
            }
            (_, Some(problem), _) | (Err(WorkerFailure::Problem(problem)), ..) => Err(problem),
            _ => Err(Problem::new(ProblemKind::ExtractionFailed, "nothing was read")),
        };
        Some((reader, read.map_err(|problem| (ProcessingStatus::Error, problem))))
    }

    /// The settings of a reader that gets the recognised pages.
    pub fn settings_with(&self, recognized: &mut RecognizedText) -> ReadSettings {
        let pages = std::mem::take(&mut recognized.pages);
        recognized.numbers = pages.iter().map(|page| page.page).collect();
        ReadSettings { recognized: pages, ..self.recipes().reading().clone() }
    }

    /// The reader, and the program if it recognised something.
    pub fn extractor_of(&self, reader: &str, format: &Format, recognized: &RecognizedText) -> String {
        match self.recipes().ocr_of(format).filter(|_| !recognized.numbers.is_empty()) {
            Some(engine) => format!("{reader} + {}", engine.name()),
            None => reader.to_owned(),
        }
    }

    /// Adds what was recognised by which program, and what could not be recognised.
    pub fn add_facts(
        &self,
        format: &Format,
        recognized: &RecognizedText,
        metadata: &mut Vec<(String, String)>,
        problems: &mut Vec<Problem>,
    ) {
        if let Some(engine) = self.recipes().ocr_of(format).filter(|_| !recognized.numbers.is_empty()) {
            let value = format!("{}, pages {}", engine.name(), runs_of(&recognized.numbers));
            metadata.push(("ocr".to_owned(), value));
        }
        problems.extend(recognized.problems.iter().cloned());
    }
}

/// Numbers in order, runs as ranges: `1-3, 7`.
fn runs_of(numbers: &[u64]) -> String {
    let mut text = String::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = match run {
            [first, .., last] => write!(text, "{comma}{first}-{last}"),
            _ => write!(text, "{comma}{}", run[0]),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_pages_are_ranges() {
        assert_eq!(runs_of(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
        assert_eq!(runs_of(&[]), "");
    }
}
