//! The configuration: every setting with its value and the place where that was written.
//!
//! Layers are merged in this order: `default.toml`, which is compiled in and the only home of defaults; the user's
//! file; the project's file; the environment; flags. A key that is misspelt, of the wrong type or contradictory is an
//! error with its place. Nothing here looks at the process: the caller passes the layers.

mod converters;
mod error;
mod keys;
mod layers;
mod merged_layers;
mod nearest;
mod trust;
mod value;

pub use converters::{BrokenConverter, Converter};
pub use error::{ConfigError, ConverterFault, Origin};
pub use keys::{DEFAULT, TOKEN_VARIABLE, layout_key, layout_keys};
pub use layers::{ConfigSources, FlagValue, ProjectConfigFile, UserConfigFile};
pub use merged_layers::commented_default;
pub use nearest::nearest;
pub use value::{ByteSize, ValueKind, parse_size};

use crate::ingest::{ConverterLimits, StoreOptions, children_share};
use crate::ragmd::rules::Footnotes;
use layers::ConfigEntry;
use merged_layers::MergedLayers;
use pensieve_isolate::ocr::OcrSettings;
use pensieve_isolate::process::CommandTemplate;
use pensieve_readers::settings::{HtmlOptions, OfficeOptions};
use pensieve_store::embedding::{EmbeddingSettings, EndpointError};
use pensieve_store::repetition::RepetitionSettings;
use pensieve_store::scan::ScanOptions;
use pensieve_store::store::SearchMode;
use pensieve_text::chunk::StrategyChoice;
use pensieve_text::layout::{LayoutOptions, WindowOptions};
use pensieve_text::model::AuxKind;
use pensieve_text::text::clean::CleanOptions;
use pensieve_text::text::review::ReviewOptions;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// All settings. The fields are the keys of `default.toml`, which describes them.
#[derive(Debug, Clone, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct Config {
    pub tokenizer_model: String,
    pub chunk_size: usize,
    pub chunk_overlap: usize,
    pub chunking_strategy: StrategyChoice,
    pub thread_count: usize,
    pub max_memory: u64,
    pub scan: ScanOptions,
    pub html: HtmlOptions,
    pub office: OfficeOptions,
    pub pdf: PdfConfig,
    pub clean: CleanOptions,
    pub review: ReviewOptions,
    pub rag: RagConfig,
    pub converter_limits: ConverterLimits,
    pub store: StoreOptions,
    pub ocr: OcrSettings,
    pub repetition: RepetitionSettings,
    pub embedding: EmbeddingSettings,
    pub search: SearchConfig,
    /// The converters, by extension.
    #[serde(skip)]
    pub converters: BTreeMap<String, Converter>,
    /// What a person should know although the configuration can be used: files that cannot be looked at, variables that set
    /// nothing.
    #[serde(skip)]
    pub warnings: Vec<String>,
    #[serde(skip)]
    origins: BTreeMap<String, Origin>,
}

/// `[pdf]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct PdfConfig {
    pub passwords: Vec<String>,
    pub layout: PdfLayoutConfig,
}

/// `[pdf.layout]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct PdfLayoutConfig {
    pub enabled: bool,
    #[serde(flatten)]
    pub thresholds: LayoutOptions,
    #[serde(flatten)]
    pub windows: WindowOptions,
}

/// `[rag]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct RagConfig {
    pub footnotes: Footnotes,
    pub off: Vec<String>,
    pub own: Vec<String>,
}

/// `[search]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct SearchConfig {
    pub mode: SearchMode,
}

/// Reads all layers. A file that nobody named and that cannot be looked at is left out, and so is a variable that names no
/// key: see [`Config::warnings`].
///
/// Converters that cannot work are not an error here, so that they can be listed: see [`Config::check_converters`].
///
/// # Errors
/// The first error, in the order of the layers and of the lines in a file.
pub fn load(sources: &ConfigSources) -> Result<Config, ConfigError> {
    let (mut merged, mut warnings) = (MergedLayers::built_in(), Vec::new());
    match &sources.user {
        Some(UserConfigFile::Named(path)) => merged.add_all(entries_of(path)?, true)?,
        Some(UserConfigFile::Home(path)) if !is_hidden(path, &mut warnings) => {
            merged.add_all(entries_of(path)?, true)?;
        }
        _ => {}
    }
    let user = sources.user.as_ref().map(UserConfigFile::path);
    match &sources.project {
        Some(ProjectConfigFile::Named(path)) => {
            let text = layers::read_file(path)?.ok_or_else(|| ConfigError::Unreadable {
                path: path.clone(),
                source: std::io::Error::new(std::io::ErrorKind::NotFound, "no such file"),
            })?;
            merged.add_all(layers::of_file(&text, path)?, false)?;
        }
        Some(ProjectConfigFile::Found(path))
            if !is_same_file(path, user) && !is_hidden(path, &mut warnings) =>
        {
            let entries = entries_of(path)?;
            trust::check_trust(&entries, path, &merged, sources.home.as_deref())?;
            merged.add_all(entries, false)?;
        }
        _ => {}
    }
    merged.add_all(layers::of_environment(&sources.environment, &mut warnings), false)?;
    merged.add_all(layers::of_flags(&sources.flags), false)?;
    Ok(Config { warnings, ..Config::from_layers(&merged)? })
}

/// True for a file that may exist and cannot be looked at, which is noted: nobody named it, so a command works without.
fn is_hidden(path: &Path, warnings: &mut Vec<String>) -> bool {
    let reason = layers::hidden_by(path);
    warnings.extend(reason.iter().map(|reason| {
        format!("configuration `{}` cannot be looked at ({reason}) and is left out", path.display())
    }));
    reason.is_some()
}

fn entries_of(path: &Path) -> Result<Vec<ConfigEntry>, ConfigError> {
    match layers::read_file(path)? {
        Some(text) => layers::of_file(&text, path),
        None => Ok(Vec::new()),
    }
}

fn is_same_file(path: &Path, other: Option<&Path>) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    canonical(path).is_some_and(|path| other.and_then(canonical) == Some(path))
}

impl Config {
    fn from_layers(merged: &MergedLayers) -> Result<Config, ConfigError> {
        let mut config: Config =
            merged.document().try_into().expect("every key has a value of the kind that its row names");
        config.converters = converters::of(merged);
        config.origins = merged.values().map(|(key, _, origin)| (key.to_owned(), origin.clone())).collect();
        if !config.store.keeps("clean") {
            return Err(ConfigError::CleanNotKept { at: config.origin("store.keep").clone() });
        }
        config.check_cues()?;
        config.check_endpoint()?;
        config.settle_overlap()?;
        config.settle_windows()?;
        config.settle_memory()?;
        Ok(config)
    }

    /// The layer that the value of a key comes from.
    pub fn origin(&self, key: &str) -> &Origin {
        self.origins.get(key).unwrap_or(&Origin::BuiltIn)
    }

    /// True if a person chose the value of a key, in any layer.
    pub fn is_chosen(&self, key: &str) -> bool {
        self.origin(key).is_chosen()
    }

    /// The converters that cannot work, in the order of their extensions.
    pub fn broken_converters(&self) -> Vec<BrokenConverter> {
        converters::faults(&self.converters)
    }

    /// A warning for each extension of a converter that may be misspelt.
    pub fn converter_warnings(&self) -> Vec<String> {
        let warning = |(extension, at, meant): (&str, &Origin, &str)| {
            format!(
                "{at}: `converters.{extension}` reads files named `.{extension}`; did you mean `{meant}`?"
            )
        };
        converters::perhaps_misspelt(&self.converters).into_iter().map(warning).collect()
    }

    /// Rejects converters that cannot work.
    pub fn check_converters(&self) -> Result<(), ConfigError> {
        match self.broken_converters().into_iter().next() {
            None => self.check_ocr(),
            Some(BrokenConverter { extension, at, fault }) => {
                Err(ConfigError::Converter { at, extension, fault })
            }
        }
    }

    /// Rejects programs for OCR that cannot work.
    fn check_ocr(&self) -> Result<(), ConfigError> {
        let ocr = &self.ocr;
        let is_language = |sign: char| sign.is_ascii_alphanumeric() || "+_-/.".contains(sign);
        if !ocr.lang.chars().all(is_language) {
            let (at, lang) = (self.origin("ocr.lang").clone(), ocr.lang.clone());
            return Err(ConfigError::OcrLanguage { at, lang });
        }
        let check = |key: &'static str, command: String| {
            let fault = CommandTemplate::parse(&command);
            fault.map(drop).map_err(|fault| ConfigError::Ocr { at: self.origin(key).clone(), key, fault })
        };
        if !ocr.command.is_empty() {
            check("ocr.command", ocr.recognizer())?;
        }
        // Also without a command: who wrote it expects that it works.
        check("ocr.render", ocr.renderer(1))?;
        match ocr.render.contains("{page}") {
            true => Ok(()),
            false => Err(ConfigError::NoPage { at: self.origin("ocr.render").clone() }),
        }
    }

    /// Rejects a cue without a valid subtype.
    fn check_cues(&self) -> Result<(), ConfigError> {
        let Some(cue) = self.pdf.layout.thresholds.malformed_cue() else { return Ok(()) };
        let kinds = AuxKind::ALL.iter().filter(|kind| **kind != AuxKind::Furniture).map(|kind| kind.as_str());
        Err(ConfigError::Cue {
            at: self.origin("pdf.layout.cues").clone(),
            cue: cue.to_owned(),
            kinds: kinds.collect::<Vec<_>>().join(", "),
        })
    }

    /// Rejects an overlap of half a chunk or more; `size` may come from a database rather than from here.
    pub fn check_overlap(&self, size: usize) -> Result<(), ConfigError> {
        if self.chunk_overlap.saturating_mul(2) < size {
            return Ok(());
        }
        Err(self.overlap_error(("chunk_overlap", self.chunk_overlap), ("chunk_size", size)))
    }

    fn overlap_error(&self, overlap: (&'static str, usize), size: (&'static str, usize)) -> ConfigError {
        ConfigError::Overlap {
            at: self.origin(overlap.0).clone(),
            key: overlap.0,
            overlap: overlap.1,
            size_key: size.0,
            size: size.1,
            size_at: self.origin(size.0).clone(),
        }
    }

    /// Adapts default overlaps of windows to a chosen window, and rejects chosen ones that do not fit: into a window, into a
    /// chosen chunk, or among each other.
    fn settle_windows(&mut self) -> Result<(), ConfigError> {
        const OVERLAP: &str = "pdf.layout.overlap_tokens";
        const LEAST: &str = "pdf.layout.min_overlap_tokens";
        let (chunk, has_chunk) = (self.chunk_size, self.is_chosen("chunk_size"));
        let (has_overlap, has_least) = (self.is_chosen(OVERLAP), self.is_chosen(LEAST));
        let windows = &mut self.pdf.layout.windows;
        if !has_overlap {
            // By the window alone: the size of chunks may come from the database, and the chunker fits both to it.
            windows.overlap = windows.under(windows.window).overlap;
        }
        if !has_least {
            windows.min_overlap = windows.min_overlap.min(windows.overlap);
        }
        let WindowOptions { window, overlap, min_overlap } = *windows;
        let sizes = [("pdf.layout.window_tokens", window), ("chunk_size", chunk)];
        for size in sizes.into_iter().take(if has_chunk { 2 } else { 1 }) {
            if has_overlap && overlap.saturating_mul(2) >= size.1 {
                return Err(self.overlap_error((OVERLAP, overlap), size));
            }
        }
        match min_overlap <= overlap {
            true => Ok(()),
            false => Err(ConfigError::LeastOverlap {
                at: self.origin(LEAST).clone(),
                least: min_overlap,
                most: overlap,
            }),
        }
    }

    /// Rejects an address of a service that is none.
    fn check_endpoint(&self) -> Result<(), ConfigError> {
        // Not the address: it may have a password.
        let fault = |error: EndpointError| ConfigError::Embedding {
            at: self.origin("embedding.endpoint").clone(),
            key: "embedding.endpoint",
            fault: error.to_string(),
        };
        self.embedding.endpoint.check().map_err(fault)
    }

    /// Adapts a default overlap to a chosen chunk size; a chosen overlap is checked as soon as both are known.
    fn settle_overlap(&mut self) -> Result<(), ConfigError> {
        if !self.is_chosen("chunk_overlap") && self.check_overlap(self.chunk_size).is_err() {
            self.chunk_overlap = self.chunk_size / 10;
        }
        match self.is_chosen("chunk_size") {
            true => self.check_overlap(self.chunk_size),
            false => Ok(()),
        }
    }

    /// Adapts the default memory limit of converters to a chosen memory of the run.
    fn settle_memory(&mut self) -> Result<(), ConfigError> {
        let at = self.origin("converter_limits.memory").clone();
        let share = children_share(self.max_memory);
        if !at.is_chosen() {
            self.converter_limits.memory = self.converter_limits.memory.min(share);
        }
        if self.converter_limits.memory <= share {
            return Ok(());
        }
        Err(ConfigError::LimitDoesNotFit {
            at,
            memory: self.converter_limits.memory,
            max_memory: self.max_memory,
            max_at: self.origin("max_memory").clone(),
            share,
        })
    }
}

#[cfg(test)]
mod tests;
