//! The other engine: the user's own pandoc converts each page of a book to Markdown.
//!
//! The built-in reader reads the package, its order and its contents in a worker; pandoc gets one page at a time,
//! like every converter: a copy under a neutral name, no network, limits.

use super::error::RagMdError;
use super::reading::DocumentReading;
use pensieve_isolate::converter::{Conversion, convert};
use pensieve_isolate::process::{CommandTemplate, ProcessLimits, locate};
use pensieve_readers::books::epub::{PageDepth, page_parts};
use pensieve_text::model::{Problem, Segment};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The command that runs pandoc.
const COMMAND: &str = "pandoc -f html -t gfm --wrap=none {input}";

/// The user's pandoc.
pub(super) struct Pandoc {
    program: PathBuf,
    template: CommandTemplate,
    limits: ProcessLimits,
}

impl Pandoc {
    /// Looks for pandoc in PATH.
    pub(super) fn find(limits: ProcessLimits) -> Result<Pandoc, RagMdError> {
        let template = CommandTemplate::parse(COMMAND).expect("the command is tested");
        let program = locate(template.program()).ok_or(RagMdError::PandocNotFound)?;
        Ok(Pandoc { program, template, limits })
    }

    /// Converts the pages that were read to Markdown.
    pub(super) fn convert(
        &self,
        mut reading: DocumentReading,
        document: &Path,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<DocumentReading, RagMdError> {
        let mut text = Segment::default();
        let mut depth = PageDepth::default();
        let mut made = std::mem::take(&mut reading.document);
        for page in page_parts(&reading.text) {
            let converted = match self.page(&page.source, interrupted) {
                Ok(converted) => converted,
                Err(None) => return Err(RagMdError::Interrupted),
                Err(Some(problem)) => {
                    made.problems.push(Problem {
                        message: format!("`{}`: {}", page.name, problem.message),
                        ..problem
                    });
                    String::new()
                }
            };
            let part = page.settled(converted, &mut depth);
            if !part.text.is_empty() && !text.text.is_empty() {
                text.append(Segment { text: "\n".to_owned(), ..Segment::default() });
            }
            text.append(part);
        }
        match made.problems.first() {
            Some(problem) if text.text.trim().is_empty() => {
                Err(RagMdError::Document { path: document.to_owned(), problem: problem.clone() })
            }
            _ => Ok(DocumentReading { text, document: made, ..reading }),
        }
    }

    /// Converts one page; the error is `None` when the user stopped the command.
    fn page(&self, source: &str, interrupted: &(dyn Fn() -> bool + Sync)) -> Result<String, Option<Problem>> {
        if source.trim().is_empty() {
            return Ok(String::new());
        }
        let unwritable = |error: std::io::Error| {
            Some(Problem::new(
                pensieve_text::model::ProblemKind::Io,
                format!("cannot hand it to pandoc: {error}"),
            ))
        };
        let mut file = tempfile::tempfile().map_err(unwritable)?;
        file.write_all(source.as_bytes()).map_err(unwritable)?;
        let conversion = Conversion {
            template: &self.template,
            program: &self.program,
            extension: "html",
            limits: self.limits,
            is_ocr: false,
        };
        match convert(&file, &conversion, interrupted) {
            Ok(converted) => Ok(converted.document.text.text),
            Err(failure) if failure.is_interruption() => Err(None),
            Err(failure) => Err(Some(failure.problem())),
        }
    }
}
