//! Recognises the text of pages of PDF files that have none (OCR) with two programs of the user's: one draws the page as an
//! image, one reads the image. Image files themselves are read by the second alone, as by a converter (`selection`).
//!
//! Nothing here recognises letters. A program may write hOCR, which has boxes for words, or plain text.

use crate::converter::{self, Conversion, ConversionFailure};
use crate::limits::ocr::{MAX_PAGES, MAX_REPORTED_PAGES};
use crate::process::{
    CommandTemplate, CommandTemplateError, ProcessLimits, RunFailure, VersionMemory, locate,
};
use pensieve_readers::hocr;
use pensieve_readers::pdf::PAGE_WITHOUT_TEXT;
use pensieve_readers::settings::{RecognizedLine, RecognizedPage};
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{Document, Problem, ProblemKind};
use serde::Deserialize;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Extensions of images that are recognised: what Tesseract reads.
pub const IMAGE_EXTENSIONS: &[&str] =
    &["bmp", "gif", "jp2", "jpeg", "jpg", "pbm", "pgm", "png", "pnm", "ppm", "tif", "tiff", "webp"];

/// The programs and what they are told.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OcrSettings {
    /// The command that reads an image, with `{input}` and perhaps `{lang}`.
    pub command: String,
    /// The command that writes the image of a page, with `{input}`, `{page}` and perhaps `{dpi}`.
    pub render: String,
    /// What `{lang}` stands for.
    pub lang: String,
    /// What `{dpi}` stands for.
    pub dpi: u32,
}

impl OcrSettings {
    /// The command that reads an image, without placeholders but `{input}`.
    pub fn recognizer(&self) -> String {
        self.command.replace("{lang}", &self.lang).replace("{dpi}", &self.dpi.to_string())
    }

    /// The command that writes the image of a page, without placeholders but `{input}`.
    pub fn renderer(&self, page: u64) -> String {
        self.render.replace("{dpi}", &self.dpi.to_string()).replace("{page}", &page.to_string())
    }
}

/// A page without text, and its size in points.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PageWithoutText {
    number: u64,
    width: f32,
    height: f32,
}

/// What was recognised in a document.
#[derive(Debug, Default)]
pub struct RecognizedText {
    /// The pages.
    pub pages: Vec<RecognizedPage>,
    /// Their numbers, from when the pages are given to a reader.
    pub numbers: Vec<u64>,
    /// Pages that could not be recognised.
    pub problems: Vec<Problem>,
}

/// Recognises pages of PDF files.
#[derive(Debug)]
pub struct OcrEngine {
    settings: OcrSettings,
    recognizer: OcrProgram,
    renderer: OcrProgram,
}

/// A program, looked up when it is needed first.
#[derive(Debug)]
struct OcrProgram {
    template: CommandTemplate,
    found: OnceLock<Option<(PathBuf, Option<String>)>>,
    versions: Arc<VersionMemory>,
}

impl OcrProgram {
    fn new(command: &str, versions: &Arc<VersionMemory>) -> Result<OcrProgram, CommandTemplateError> {
        let template = CommandTemplate::parse(command)?;
        Ok(OcrProgram { template, found: OnceLock::new(), versions: Arc::clone(versions) })
    }

    fn found(&self) -> Option<&(PathBuf, Option<String>)> {
        let look_up = || {
            let path = locate(self.template.program())?;
            let version = self.versions.version_of(&path);
            Some((path, version))
        };
        self.found.get_or_init(look_up).as_ref()
    }

    fn name(&self) -> String {
        match self.found() {
            Some((_, Some(version))) => format!("{} {version}", self.template.program_name()),
            _ => self.template.program_name().to_owned(),
        }
    }

    fn run(
        &self,
        template: &CommandTemplate,
        input: &File,
        extension: &str,
        limits: ProcessLimits,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<u8>, ConversionFailure> {
        let Some((program, _)) = self.found() else {
            let failure = RunFailure::NotFound { program: template.program().into() };
            return Err(ConversionFailure::Run { program: template.program_name().to_owned(), failure });
        };
        let program: &Path = program;
        converter::output_of(
            input,
            &Conversion { template, program, extension, limits, is_ocr: true },
            interrupted,
        )
    }
}

impl OcrEngine {
    /// With these settings; `versions` remembers what programs answered.
    ///
    /// # Errors
    /// One of the commands cannot work.
    pub fn new(
        settings: &OcrSettings,
        versions: &Arc<VersionMemory>,
    ) -> Result<OcrEngine, CommandTemplateError> {
        Ok(OcrEngine {
            recognizer: OcrProgram::new(&settings.recognizer(), versions)?,
            renderer: OcrProgram::new(&settings.renderer(1), versions)?,
            settings: settings.clone(),
        })
    }

    /// `tesseract 5.3.0`, as `files.extractor` names it.
    pub fn name(&self) -> String {
        self.recognizer.name()
    }

    /// A string that changes whenever the result may change.
    pub fn recipe(&self) -> String {
        let settings = &self.settings;
        let programs = (self.recognizer.name(), self.renderer.name());
        format!("{} by {}, {} by {}", settings.recognizer(), programs.0, settings.renderer(0), programs.1)
    }

    /// Recognises the pages that a first reading of a PDF file has listed; `None` if the user stopped it.
    ///
    /// # Cost
    /// Two programs for each page, one after the other; the image of a page in memory.
    pub fn recognize(
        &self,
        file: &File,
        listed: &Document,
        limits: ProcessLimits,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Option<RecognizedText> {
        let pages: Vec<PageWithoutText> = listed.metadata.iter().filter_map(page_of).collect();
        let mut text = RecognizedText::default();
        let mut failed = FailedPages::default();
        for page in pages.iter().take(MAX_PAGES) {
            match self.recognize_page(file, *page, limits, interrupted) {
                Ok(found) => text.pages.push(found),
                Err(failure) if failure.is_interruption() => return None,
                Err(failure) => {
                    failed.add(page.number, failure.problem());
                    if failed.cannot_go_on {
                        break;
                    }
                }
            }
        }
        text.problems = failed.problems();
        if pages.len() > MAX_PAGES {
            let message = format!(
                "{} have no text, of which {MAX_PAGES} are recognised",
                counted(pages.len() as u64, "page")
            );
            text.problems.push(Problem::new(ProblemKind::SizeLimit, message));
        }
        Some(text)
    }

    fn recognize_page(
        &self,
        file: &File,
        page: PageWithoutText,
        limits: ProcessLimits,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<RecognizedPage, ConversionFailure> {
        let staging = |source| ConversionFailure::Staging {
            program: self.recognizer.template.program_name().to_owned(),
            source,
        };
        let template = CommandTemplate::parse(&self.settings.renderer(page.number))
            .unwrap_or_else(|_| self.renderer.template.clone());
        let image = self.renderer.run(&template, file, "pdf", limits, interrupted)?;
        let mut picture = tempfile::tempfile().map_err(staging)?;
        picture.write_all(&image).and_then(|()| picture.rewind()).map_err(staging)?;
        drop(image);
        let answer = self.recognizer.run(&self.recognizer.template, &picture, "png", limits, interrupted)?;
        let answer = String::from_utf8_lossy(&answer);
        let found = hocr::pages(&answer)
            .map(|mut pages| if pages.is_empty() { None } else { Some(pages.swap_remove(0)) });
        Ok(match found {
            Some(found) => RecognizedPage { page: page.number, ..found.unwrap_or_default() },
            None => plain_page(&answer, page),
        })
    }
}

/// A row of the metadata that lists pages: number, width and height.
fn page_of((name, value): &(String, String)) -> Option<PageWithoutText> {
    let mut words = value.split(' ');
    let number = words.next().filter(|_| name == PAGE_WITHOUT_TEXT)?.parse().ok()?;
    let mut size = || words.next()?.parse().ok();
    Some(PageWithoutText { number, width: size()?, height: size()? })
}

/// Lines of plain text on a made-up page: full lines reach over it, blank lines separate paragraphs.
fn plain_page(text: &str, page: PageWithoutText) -> RecognizedPage {
    const SIZE: f32 = 10.0;
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default().max(1) as f32;
    let step = page.height / (lines.len() + 2) as f32;
    let mut found = RecognizedPage {
        page: page.number,
        width: page.width,
        height: page.height,
        has_boxes: false,
        lines: Vec::new(),
    };
    let mut paragraph = 1;
    for (at, line) in (1_u16..).zip(&lines) {
        if line.is_empty() {
            paragraph += 1;
            continue;
        }
        let top = step * f32::from(at);
        let (left, room) = (page.width * 0.1, page.width * 0.8);
        let right = left + room * line.chars().count() as f32 / longest;
        let size = SIZE.min(step * 0.8);
        let bbox = [left, top, right, top + size];
        let text = line.trim_start().to_owned();
        found.lines.push(RecognizedLine { text, bbox, baseline: top + size * 0.8, size, paragraph });
    }
    found
}

/// Pages that could not be recognised.
#[derive(Debug, Default)]
struct FailedPages {
    problems: Vec<Problem>,
    more: u64,
    /// The next page would fail as well.
    cannot_go_on: bool,
}

impl FailedPages {
    fn add(&mut self, page: u64, problem: Problem) {
        self.cannot_go_on |= problem.kind == ProblemKind::MissingDependency;
        if self.problems.len() == MAX_REPORTED_PAGES {
            self.more += 1;
            return;
        }
        let message = match self.cannot_go_on {
            true => problem.message.replace("[converters]", "[ocr]"),
            false => format!("page {page} is not recognised: {}", problem.message),
        };
        self.problems.push(Problem::new(problem.kind, message));
    }

    fn problems(mut self) -> Vec<Problem> {
        if self.more > 0 {
            let message = format!("{} more are not recognised", counted(self.more, "page"));
            self.problems.push(Problem::new(ProblemKind::ExtractionFailed, message));
        }
        self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_lines_and_paragraphs_on_a_made_up_page() {
        let page = plain_page(
            "One line\nof text\n\n  Another\n\u{c}",
            PageWithoutText { number: 3, width: 600.0, height: 800.0 },
        );
        let lines: Vec<_> = page.lines.iter().map(|line| (line.text.as_str(), line.paragraph)).collect();
        assert_eq!(lines, [("One line", 1), ("of text", 1), ("Another", 2)]);
        assert!((page.page, page.has_boxes) == (3, false) && page.lines[0].bbox[2] <= 600.0);
        let empty = plain_page("", PageWithoutText { number: 1, width: 1.0, height: 1.0 });
        assert!(empty.lines.is_empty());
    }

    #[test]
    fn placeholders_are_filled_and_both_commands_are_checked() {
        let settings = |command: &str, render: &str| OcrSettings {
            command: command.to_owned(),
            render: render.to_owned(),
            lang: "deu+eng".to_owned(),
            dpi: 200,
        };
        let good = settings("tesseract {input} stdout -l {lang}", "draw -r {dpi} -p {page} {input}");
        assert_eq!(good.recognizer(), "tesseract {input} stdout -l deu+eng");
        assert_eq!(good.renderer(7), "draw -r 200 -p 7 {input}");
        let engine = |settings: &OcrSettings| OcrEngine::new(settings, &Arc::default());
        assert!(engine(&good).is_ok());
        assert!(engine(&settings("tesseract", "draw {input}")).is_err());
        assert!(engine(&settings("tesseract {input}", "draw {page}")).is_err());
    }

    #[test]
    fn many_failed_pages_are_counted() {
        let mut failed = FailedPages::default();
        for page in 1..=13 {
            failed.add(page, Problem::new(ProblemKind::Crashed, "`x` died of signal 6"));
        }
        let problems = failed.problems();
        assert_eq!(problems.len(), 11);
        assert_eq!(problems[0].message, "page 1 is not recognised: `x` died of signal 6");
        assert_eq!(problems[10].message, "3 pages more are not recognised");
    }
}
