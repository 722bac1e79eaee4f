//! How documents are converted: the engine, the converters, the limits, where documents are read.

use super::rules::CleanOptions;
use pensieve_readers::process::ProcessLimits;
use pensieve_readers::settings::ReadSettings;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

/// How documents are converted.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// What reads the pages of books.
    pub engine: BookEngine,
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

impl Default for ConvertOptions {
    fn default() -> ConvertOptions {
        let wall = Duration::from_secs(120);
        ConvertOptions {
            engine: BookEngine::default(),
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
pub enum BookEngine {
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
