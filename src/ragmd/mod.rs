//! Documents to clean Markdown for language models: one `NAME.rag.md` per document, books with a table of contents in
//! which every link leads to its section.
//!
//! A document is read by the reader or converter that `ingest` uses ([`reading`]), or by the user's own pandoc;
//! documents inside it become sections ([`member`], [`mod@join`]). Its contents become links, each section gets its
//! anchor ([`compose`]), the rules of `rag_v1` clean the whole ([`rules`]), and the result is written completely or
//! not at all ([`output`]). Books are local files: nothing is fetched, and no encryption is removed.

mod compose;
mod error;
mod join;
mod member;
mod options;
mod output;
mod pandoc;
mod reading;
mod report;
mod tools;
pub mod rules;

pub use error::RagMdError;
pub use member::MemberOutcome;
pub use options::{BookEngine, ConvertOptions, Isolation};
pub use output::Names;
pub use reading::DocumentInput;
pub use report::{ConvertOutcome, OutputSection};
pub use rules::{CleanOptions, Footnotes, OwnRule};

use join::join;
use pandoc::Pandoc;
use pensieve_isolate::selection::Converters;
use pensieve_isolate::worker::WorkerPool;
use pensieve_isolate::worker::worker_pool;
use pensieve_readers::settings::HtmlOptions;
use pensieve_readers::settings::{BookMode, ReadSettings};
use reading::DocumentRequest;
use rules::Cleaner;
use std::cell::RefCell;
use std::path::Path;
use tools::ReadingTools;

/// Memory of one worker process, in bytes.
const WORKER_MEMORY: u64 = 384 << 20;

/// Converts any number of documents, from any number of threads.
pub struct Converter {
    options: ConvertOptions,
    cleaner: Cleaner,
    tools: Converters,
    pandoc: Option<Pandoc>,
    pool: Option<WorkerPool>,
}

impl Converter {
    /// Creates a converter with up to `slots` worker processes.
    ///
    /// # Errors
    /// A rule cannot be used, or worker processes cannot be started.
    pub fn new(options: ConvertOptions, slots: usize) -> Result<Converter, RagMdError> {
        let cleaner = Cleaner::new(&options.cleaning)?;
        let tools = Converters::new(&options.converters)?.with_ocr(options.ocr.as_ref())?;
        let pandoc = match options.engine {
            BookEngine::Builtin => None,
            BookEngine::Pandoc => Some(Pandoc::find(options.limits)?),
        };
        let pool = match &options.isolation {
            Isolation::Here => None,
            Isolation::Workers(command) => {
                let pool = worker_pool(command, slots, WORKER_MEMORY);
                Some(pool.map_err(|source| RagMdError::Start { source })?)
            }
        };
        Ok(Converter { options, cleaner, tools, pandoc, pool })
    }

    /// Converts one document of any format and writes the Markdown to `output`.
    ///
    /// # Errors
    /// The document is missing or unreadable, or the output cannot be written.
    pub fn convert(
        &self,
        input: DocumentInput<'_>,
        output: &Path,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<ConvertOutcome, RagMdError> {
        if !self.options.replace {
            output::refuse_occupied(output, input.path)?;
        }
        let (text, outcome) = self.markdown(input, output, interrupted)?;
        output::write(output, &text, input.path, self.options.replace)?;
        Ok(outcome)
    }

    /// The Markdown of one document of any format; `output` stands in the outcome.
    ///
    /// # Errors
    /// The document is missing or unreadable.
    pub fn markdown(
        &self,
        input: DocumentInput<'_>,
        output: &Path,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<(String, ConvertOutcome), RagMdError> {
        let html = HtmlOptions { markdown: true, ..self.options.reading.html.clone() };
        let converters = self.tools.extensions();
        let tools = ReadingTools {
            pool: self.pool.as_ref(),
            converters: &self.tools,
            limits: self.options.limits,
            settings: &ReadSettings { html, converters, printed_order: true, ..self.options.reading.clone() },
            interrupted,
            logs: RefCell::default(),
        };
        let book = if self.pandoc.is_some() { BookMode::Pages } else { BookMode::Marked };
        let document = input.path;
        let mut reading = DocumentRequest { document, input, book, tools: &tools }.read()?;
        if let Some(pandoc) = self.pandoc.as_ref().filter(|_| reading.is_epub()) {
            reading = pandoc.convert(reading, document, interrupted)?;
        }
        let page_markers = self.options.cleaning.page_markers;
        let name = document.file_name().unwrap_or_default().to_string_lossy();
        let made = compose::compose(join(reading, &name, page_markers), &self.cleaner, &self.options);
        let (text, outcome) = made.into_outcome(document, output);
        Ok((text, ConvertOutcome { converter_logs: tools.logs.into_inner(), ..outcome }))
    }
}

/// Converts one book into `BOOK.rag.md` in the folder `output`, which is created if necessary.
///
/// # Errors
/// As described in [`RagMdError`]; no partial output is left.
pub fn epub_to_rag_markdown(
    epub: &Path,
    output: &Path,
    options: &ConvertOptions,
) -> Result<ConvertOutcome, RagMdError> {
    let converter = Converter::new(options.clone(), 1)?;
    output::make_folder(output)?;
    let target = Names::in_folder(output, &[epub]).next(epub, Path::new("")).path;
    converter.convert(DocumentInput { format: "epub", ..DocumentInput::named(epub) }, &target, &|| false)
}
