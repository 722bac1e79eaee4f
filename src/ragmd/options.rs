//! How documents are converted: the engine, the converters, the limits, and the process that reads them.

use super::rules::CleanOptions;
use pensieve_isolate::ocr::OcrSettings;
use pensieve_isolate::process::ProcessLimits;
use pensieve_readers::settings::ReadSettings;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

/// How documents are converted.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// What reads the pages of books.
    pub engine: BookEngine,
    /// The user's converters, which take precedence over built-in readers: extension to command. Books are read by
    /// the engine.
    pub converters: BTreeMap<String, String>,
    /// Programs that recognise the text of images.
    pub ocr: Option<OcrSettings>,
    /// Limits of one run of pandoc or of a converter.
    pub limits: ProcessLimits,
    /// Begin with the metadata of the document, as YAML.
    pub front_matter: bool,
    /// Earlier files of the name of an output are replaced.
    pub replace: bool,
    /// How the Markdown is cleaned.
    pub cleaning: CleanOptions,
    /// How documents are read.
    pub reading: ReadSettings,
    /// The process that documents are read in.
    pub isolation: Isolation,
}

impl Default for ConvertOptions {
    fn default() -> ConvertOptions {
        let wall = Duration::from_secs(120);
        ConvertOptions {
            engine: BookEngine::default(),
            converters: BTreeMap::new(),
            ocr: None,
            limits: ProcessLimits { wall, cpu: Some(wall), memory: 512 << 20, output: 64 << 20 },
            front_matter: false,
            replace: true,
            cleaning: CleanOptions::default(),
            reading: ReadSettings::default(),
            isolation: Isolation::default(),
        }
    }
}

/// What reads the pages of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BookEngine {
    /// The built-in reader.
    #[default]
    Builtin,
    /// The user's own pandoc.
    Pandoc,
}

/// The process that documents are read in. Documents are untrusted: one may make a reader exhaust memory or hang.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Isolation {
    /// In this process, by readers with limits of their own; a crash of a reader ends the process.
    #[default]
    Here,
    /// In child processes with limits on time and memory, started by this command, such as `pensieve worker
    /// --protocol 1`. If the command is empty, it is the running program, which must then be `pensieve`.
    Workers(Vec<OsString>),
}
