//! Documents to clean Markdown for language models: one `NAME.rag.md` a document, books with a table of contents in
//! which every link is alive.
//!
//! A document is read by the reader or converter that `ingest` uses ([`reading`]), or by the user's own pandoc; documents
//! inside it become sections ([`inside`]). Its contents become links, each section gets its anchor ([`compose`]), the rules of `rag_v1` clean the whole ([`rules`]), and the result
//! is written whole or not at all ([`output`]). Books are local files: nothing is fetched, and no encryption removed.

mod compose;
mod error;
mod inside;
mod output;
mod pandoc;
mod reading;
mod report;
pub mod rules;

pub use error::RagMdError;
pub use inside::InsideOutcome;
pub use output::Names;
pub use report::{Outcome, Section};
pub use rules::{CleanOptions, Footnotes, OwnRule};

use inside::joined;
use pandoc::Pandoc;
use pensieve_readers::process::ProcessLimits;
use pensieve_readers::selection::Converters;
use pensieve_readers::settings::HtmlOptions;
use pensieve_readers::settings::{BookMode, ReadSettings};
use pensieve_readers::worker::WorkerPool;
use pensieve_readers::worker::worker_pool;
use reading::{Asked, Desk};
use rules::Cleaner;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Memory of one child that reads.
const WORKER_MEMORY: u64 = 384 << 20;

/// How documents are converted.
#[derive(Debug, Clone)]
pub struct Options {
    /// What reads the pages of books.
    pub engine: Engine,
    /// The user's converters, which stand before readers of ours: extension to command. Books are read by the engine.
    pub converters: BTreeMap<String, String>,
    /// What one run of pandoc or of a converter may use.
    pub limits: ProcessLimits,
    /// What the book says about itself stands first, as YAML.
    pub front_matter: bool,
    /// How the Markdown is cleaned.
    pub cleaning: CleanOptions,
    /// How documents are read.
    pub reading: ReadSettings,
    /// Where documents are read.
    pub isolation: Isolation,
}

impl Default for Options {
    fn default() -> Options {
        let wall = Duration::from_secs(120);
        Options {
            engine: Engine::default(),
            converters: BTreeMap::new(),
            limits: ProcessLimits { wall, cpu: Some(wall), memory: 512 << 20, output: 64 << 20 },
            front_matter: false,
            cleaning: CleanOptions::default(),
            reading: ReadSettings::default(),
            isolation: Isolation::default(),
        }
    }
}

/// What reads the pages of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The reader of ours.
    #[default]
    Builtin,
    /// The user's own pandoc.
    Pandoc,
}

/// Where documents are read. They are foreign: a reader may be made to eat memory or to hang.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Isolation {
    /// In this process, by readers that have limits of their own but share its fate.
    #[default]
    Here,
    /// In children of this command, such as `pensieve worker --protocol 1`, with limits on time and memory. Without
    /// any words it is the running program, which must then be `pensieve`.
    Workers(Vec<OsString>),
}

/// Converts any number of documents, from any number of threads.
pub struct Converter {
    options: Options,
    cleaner: Cleaner,
    tools: Converters,
    pandoc: Option<Pandoc>,
    pool: Option<WorkerPool>,
}

impl Converter {
    /// A converter with up to `slots` children.
    ///
    /// # Errors
    /// A rule cannot be used, children cannot be started.
    pub fn new(options: Options, slots: usize) -> Result<Converter, RagMdError> {
        let cleaner = Cleaner::new(&options.cleaning)?;
        let tools = Converters::new(&options.converters)?;
        let pandoc = match options.engine {
            Engine::Builtin => None,
            Engine::Pandoc => Some(Pandoc::find(options.limits)?),
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

    /// Converts one document of any format into the file `output`.
    ///
    /// # Errors
    /// The document is missing or unreadable, or the output cannot be written.
    pub fn convert(
        &self,
        document: &Path,
        output: &Path,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, RagMdError> {
        self.convert_as("", document, output, interrupted)
    }

    fn convert_as(
        &self,
        format: &str,
        document: &Path,
        output: &Path,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, RagMdError> {
        let html = HtmlOptions { markdown: true, ..self.options.reading.html.clone() };
        let converters = self.options.converters.keys().cloned().collect();
        let desk = Desk {
            pool: self.pool.as_ref(),
            tools: &self.tools,
            limits: self.options.limits,
            settings: &ReadSettings { html, converters, ..self.options.reading.clone() },
            interrupted,
        };
        let book = if self.pandoc.is_some() { BookMode::Pages } else { BookMode::Marked };
        let mut reading = Asked { document, format, book, desk: &desk }.read()?;
        if let Some(pandoc) = self.pandoc.as_ref().filter(|_| reading.is_epub()) {
            reading = pandoc.convert(reading, document, interrupted)?;
        }
        let page_markers = self.options.cleaning.page_markers;
        let name = document.file_name().unwrap_or_default().to_string_lossy();
        let made = compose::compose(joined(reading, &name, page_markers), &self.cleaner, &self.options);
        output::write(output, &made.text)?;
        Ok(made.outcome(document, output))
    }
}

/// Converts one book into `BOOK.rag.md` in the folder `output`, which is made where there is none.
///
/// # Errors
/// As [`RagMdError`] says; nothing is left behind then.
pub fn epub_to_rag_markdown(epub: &Path, output: &Path, options: &Options) -> Result<Outcome, RagMdError> {
    let converter = Converter::new(options.clone(), 1)?;
    output::make_folder(output)?;
    let target = Names::in_folder(output, &[epub]).next(epub).path;
    converter.convert_as("epub", epub, &target, &|| false)
}
