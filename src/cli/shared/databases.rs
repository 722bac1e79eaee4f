//! The flag that names further databases for a question.

use super::context::CommandContext;
use super::failure::Failure;
use clap::Args;
use pensieve_store::embedding::QuestionEmbedder;
use pensieve_store::retrieval::corpus_names;
use pensieve_store::store::{SearchMode, Store};
use std::path::{Path, PathBuf};

/// Further databases.
#[derive(Debug, Args)]
pub(crate) struct MoreDatabases {
    /// Another database that answers too, each for itself; may be given several times. Hits take turns and name their database.
    #[arg(long = "with", value_name = "DB")]
    databases: Vec<PathBuf>,
}

/// A database that is asked.
pub(crate) struct AskedDatabase {
    /// Its short name among the others.
    pub name: String,
    /// The database.
    pub store: Store,
    /// Makes vectors of questions.
    pub embedder: QuestionEmbedder,
}

impl MoreDatabases {
    /// Opens a database and the others.
    ///
    /// # Errors
    /// A database cannot be read, or the configuration that was named cannot be used.
    pub(crate) fn open(
        &self,
        database: &Path,
        mode: Option<SearchMode>,
        config: Option<&Path>,
        context: &CommandContext,
    ) -> Result<Vec<AskedDatabase>, Failure> {
        let paths = || std::iter::once(database).chain(self.databases.iter().map(PathBuf::as_path));
        let open = |(path, name): (&Path, String)| {
            let store = Store::open_for_reading(path)?;
            let embedder = context.embedder(&store, mode, config)?;
            Ok(AskedDatabase { name, store, embedder })
        };
        paths().zip(corpus_names(paths())).map(open).collect()
    }
}
