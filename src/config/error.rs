//! Errors in a configuration, each with the place where the value was written.

use super::value::{ByteSize, ValueKind};
use pensieve_isolate::process::CommandTemplateError;
use pensieve_store::exit::command_error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Where a value was written: the layer it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The default, which no layer overrides.
    BuiltIn,
    /// A configuration file.
    File {
        /// The file, as it was found or named.
        path: Arc<Path>,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        variable: String,
    },
    /// A flag of the command line.
    Flag {
        /// Its name, with dashes.
        name: &'static str,
    },
}

impl Origin {
    /// True when a person chose the value, in any layer.
    pub fn is_chosen(&self) -> bool {
        *self != Origin::BuiltIn
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::BuiltIn => f.write_str("built-in default"),
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::Environment { variable } => f.write_str(variable),
            Origin::Flag { name } => f.write_str(name),
        }
    }
}

/// Why a converter cannot work, known before any file is read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConverterFault {
    /// The key is no extension.
    #[error("`{extension}` is no extension: write it in lower case and without dots, as in `pdf`")]
    NoExtension {
        /// The key, as written.
        extension: String,
    },
    /// The command is not a valid template.
    #[error(transparent)]
    Template(#[from] CommandTemplateError),
}

/// Why a configuration cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file that exists, or was named, cannot be read.
    #[error("cannot read configuration `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// A file is not TOML.
    #[error("{at}: {message}")]
    Syntax {
        /// Where parsing stopped.
        at: Origin,
        /// What was expected.
        message: String,
    },
    /// A key that does not exist.
    #[error("{at}: unknown key `{key}`; did you mean `{nearest}`?")]
    UnknownKey {
        /// Where it was written.
        at: Origin,
        /// The key, as written, with its table.
        key: String,
        /// The most similar valid key.
        nearest: String,
    },
    /// A key that is allowed only in the user's own file.
    #[error("{at}: `{key}` counts in your own configuration file only")]
    UserOnly {
        /// Where it was written.
        at: Origin,
        /// The key.
        key: String,
    },
    /// A value of the wrong type, or out of bounds.
    #[error("{at}: `{key}` must be {expected}, not {found}")]
    WrongValue {
        /// Where it was written.
        at: Origin,
        /// The key.
        key: String,
        /// The values that the key accepts.
        expected: ValueKind,
        /// The value, as written.
        found: String,
    },
    /// A value where a table belongs.
    #[error("{at}: `{key}` must be a table, written `[{key}]`, not {found}")]
    NotATable {
        /// Where it was written.
        at: Origin,
        /// The table.
        key: String,
        /// The value, as written.
        found: String,
    },
    /// A file that was merely found names a program, or makes more be read.
    #[error("{at}: a configuration that was merely found may not {}: `{key}`", what_widens(key))]
    Untrusted {
        /// Where it was written.
        at: Origin,
        /// The first key that is refused.
        key: String,
        /// The file that was found.
        file: PathBuf,
        /// The folder that contains it.
        folder: PathBuf,
    },
    /// A converter that cannot work.
    #[error("{at}: `converters.{extension}`: {fault}")]
    Converter {
        /// Where it was written.
        at: Origin,
        /// Its extension.
        extension: String,
        /// What is wrong with it.
        fault: ConverterFault,
    },
    /// A program for OCR that cannot work.
    #[error("{at}: `{key}`: {fault}")]
    Ocr {
        /// Where it was written.
        at: Origin,
        /// Its key.
        key: &'static str,
        /// What is wrong with it.
        fault: CommandTemplateError,
    },
    /// Languages that cannot be part of a command.
    #[error("{at}: `ocr.lang`: `{lang}` has other signs than letters, digits and `+`, such as in `deu+eng`")]
    OcrLanguage {
        /// Where they were written.
        at: Origin,
        /// The languages.
        lang: String,
    },
    /// An overlap is half of a chunk or more.
    #[error("{at}: `{key}` {overlap} must be less than half of `{size_key}` {size} ({size_at})")]
    Overlap {
        /// Where the overlap was written.
        at: Origin,
        /// Its key.
        key: &'static str,
        /// The overlap.
        overlap: usize,
        /// The key of the size.
        size_key: &'static str,
        /// The size.
        size: usize,
        /// Where the size was written.
        size_at: Origin,
    },
    /// The smallest overlap is more than the largest.
    #[error(
        "{at}: `pdf.layout.min_overlap_tokens` {least} must not be more than `pdf.layout.overlap_tokens` {most}"
    )]
    LeastOverlap {
        /// Where the smallest was written.
        at: Origin,
        /// The smallest.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// The program that writes the images of pages is not told which.
    #[error("{at}: `ocr.render`: the template lacks `{{page}}`, the number of the page")]
    NoPage {
        /// Where it was written.
        at: Origin,
    },
    /// The memory limit of a converter leaves too little for the run.
    #[error(
        "{at}: `converter_limits.memory` {} does not fit in `max_memory` {} ({max_at}), which leaves {} for converters",
        ByteSize(*memory),
        ByteSize(*max_memory),
        ByteSize(*share)
    )]
    LimitDoesNotFit {
        /// Where the limit was written.
        at: Origin,
        /// The limit.
        memory: u64,
        /// What the run may use.
        max_memory: u64,
        /// Where that was written.
        max_at: Origin,
        /// The part of it that converters may use.
        share: u64,
    },
    /// A cue without a subtype for the AUX text that it marks.
    #[error("{at}: `pdf.layout.cues` has {cue:?}, which is not \"word = subtype\" with {kinds}")]
    Cue {
        /// Where it was written.
        at: Origin,
        /// The entry.
        cue: String,
        /// The valid subtypes.
        kinds: String,
    },
    /// No service for vectors is configured, or one that cannot be used.
    #[error("{at}: `{key}` {fault}")]
    Embedding {
        /// Where the value was written.
        at: Origin,
        /// The key.
        key: &'static str,
        /// What is wrong with its value.
        fault: String,
    },
    /// `store.keep` lacks clean text, which chunks point into.
    #[error("{at}: `store.keep` must have \"clean\": the chunks point into that text")]
    CleanNotKept {
        /// Where it was written.
        at: Origin,
    },
}

command_error! { ConfigError {
    Syntax | UnknownKey | WrongValue => Configuration, "`pensieve init -` prints every key with its default";
    UserOnly => Configuration, "it belongs into ~/.config/pensieve/pensieve.toml";
    Untrusted { file, folder } => Configuration, format!(
        "if you trust it, name it with `--config {}`, or list \"{}\" under `trusted` in your own pensieve.toml",
        file.display(),
        folder.display()
    );
    Converter => Configuration, "see `pensieve check-dependencies`";
    Overlap { at, key } if *at == Origin::BuiltIn => Configuration, format!("set {key} too");
    Overlap { size_key } => Configuration, format!("lower it, or raise {size_key}");
    LeastOverlap => Configuration, "lower it, or raise pdf.layout.overlap_tokens";
    NoPage => Configuration,
        "write {page} where the program takes the number, as in `pdftoppm -f {page} -l {page} -png {input}`";
    LimitDoesNotFit => Configuration, "raise max_memory or lower converter_limits.memory";
    Embedding => Configuration,
        "set `endpoint` and `model` under [embedding]; docs/embedding.md has the lines for common services";
    Unreadable | NotATable | Ocr | OcrLanguage | Cue | CleanNotKept => Configuration;
} }

fn what_widens(key: &str) -> &'static str {
    match key.split_once('.') {
        Some(("embedding" | "search", _)) => "decide where text is sent",
        _ if super::keys::is_converter(key) => "run programs",
        _ => "make more be read",
    }
}
