//! Why a document was not converted to Markdown.

use super::rules::RuleError;
use pensieve_isolate::selection::ConverterError;
use pensieve_store::exit::command_error;
use pensieve_text::model::{Problem, ProblemKind};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no output.
#[derive(Debug, Error)]
pub enum RagMdError {
    /// The input does not exist.
    #[error("no such file: `{}`", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The input cannot be read, or is not a document in a known format.
    #[error("`{}`: {}", path.display(), problem.message)]
    Document {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The input is no document.
    #[error("`{}` is no document: {reason}", path.display())]
    NoDocument {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// The output cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The output is there already, and not from this run.
    #[error("`{}` is there already; `{}` is not converted to it", path.display(), document.display())]
    Occupied {
        /// The file.
        path: PathBuf,
        /// What would have replaced it.
        document: PathBuf,
    },
    /// pandoc was requested but is not installed.
    #[error("`pandoc` was not found in PATH")]
    PandocNotFound,
    /// A cleaning rule cannot be used.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A converter that the user configured cannot be used.
    #[error(transparent)]
    Converter(#[from] ConverterError),
    /// Worker processes cannot be started.
    #[error("cannot start a worker: {source}")]
    Start {
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl RagMdError {
    /// The name of the error in reports, which programs may rely on.
    pub fn name(&self) -> &'static str {
        match self {
            RagMdError::NotFound { .. } => "NotFound",
            RagMdError::Document { problem, .. } => problem.kind.as_str(),
            RagMdError::NoDocument { .. } => ProblemKind::ExtractionFailed.as_str(),
            RagMdError::Unwritable { .. } => "Unwritable",
            RagMdError::Occupied { .. } => "Occupied",
            RagMdError::PandocNotFound => "PandocNotFound",
            RagMdError::Rule(_) => "Rule",
            RagMdError::Converter(_) => "Converter",
            RagMdError::Start { .. } => "Start",
            RagMdError::Interrupted => "Interrupted",
        }
    }
}

command_error! { RagMdError {
    Document { problem } if problem.kind == ProblemKind::Encrypted => Input,
        "save a copy without a password where you have it, since Pensieve removes no protection; a book with DRM is opened \
         by the reading system alone that it was sold for: ask the seller for a copy without";
    NotFound | Document | NoDocument | Unwritable => Input;
    Occupied => Input, "give --out another folder, or add --force to replace it";
    PandocNotFound => Configuration, "install pandoc, or leave `--engine` out: the built-in reader needs nothing installed";
    Rule | Converter => Configuration;
    Start => Bug;
    Interrupted => Interrupted;
} }
