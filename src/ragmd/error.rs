//! Why a document did not become Markdown.

use super::rules::RuleError;
use pensieve_readers::selection::ConverterError;
use pensieve_text::model::{Problem, ProblemKind};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no output.
#[derive(Debug, Error)]
pub enum RagMdError {
    /// The input is not there.
    #[error("no such file: `{}`", path.display())]
    NotFound {
        /// Which.
        path: PathBuf,
    },
    /// The input cannot be read, or is no document that anything here reads.
    #[error("`{}`: {}", path.display(), problem.message)]
    Document {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The output cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// pandoc was asked for, and there is none.
    #[error("`pandoc` was not found in PATH")]
    PandocNotFound,
    /// A rule of the cleaning cannot be used.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A converter of the user's cannot be used.
    #[error(transparent)]
    Converter(#[from] ConverterError),
    /// Children that read cannot be started.
    #[error("cannot start a worker: {source}")]
    Start {
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl RagMdError {
    /// Its name in reports, which programs may rely on.
    pub fn name(&self) -> &'static str {
        match self {
            RagMdError::NotFound { .. } => "NotFound",
            RagMdError::Document { problem, .. } => problem.kind.as_str(),
            RagMdError::Unwritable { .. } => "Unwritable",
            RagMdError::PandocNotFound => "PandocNotFound",
            RagMdError::Rule(_) => "Rule",
            RagMdError::Converter(_) => "Converter",
            RagMdError::Start { .. } => "Start",
            RagMdError::Interrupted => "Interrupted",
        }
    }

    /// What the user can do, where there is something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            RagMdError::Document { problem, .. } if problem.kind == ProblemKind::Encrypted => Some(
                "the book is protected (DRM): only the reading system that it was sold for can open it, and Pensieve \
                 removes no protection; ask the seller for a copy without",
            ),
            RagMdError::PandocNotFound => {
                Some("install pandoc, or leave `--engine` out: the built-in reader needs nothing installed")
            }
            _ => None,
        }
    }
}
