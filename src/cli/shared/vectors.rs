//! The flags that choose stored vectors.

use super::failure::Failure;
use clap::Args;
use pensieve_store::store::{Store, VectorModel};

/// Which vectors come with the chunks.
#[derive(Debug, Args)]
pub(crate) struct VectorArgs {
    /// With the vectors of this model, as `pensieve embed` has stored them.
    #[arg(long, value_name = "MODEL")]
    vectors: Option<String>,
    /// Vectors of this many numbers, of a model that has several.
    #[arg(long, value_name = "N", requires = "vectors")]
    dimensions: Option<usize>,
}

impl VectorArgs {
    /// True if vectors are asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.vectors.is_some()
    }

    /// The chosen vectors; `None` if none are asked for.
    ///
    /// # Errors
    /// The database cannot be read, or has no such vectors.
    pub(crate) fn choose(&self, store: &Store) -> Result<Option<VectorModel>, Failure> {
        let Some(model) = &self.vectors else { return Ok(None) };
        if let Some(found) = store.vectors().choose(model, self.dimensions)? {
            return Ok(Some(found));
        }
        let with_numbers = |model: &str, numbers: usize| format!("{model} ({numbers} dimensions)");
        let known = store.vectors().models()?.into_iter();
        Err(Failure::NoSuchModel {
            model: self.dimensions.map_or_else(|| model.clone(), |numbers| with_numbers(model, numbers)),
            database: store.path().to_string_lossy().into_owned(),
            known: known.map(|known| with_numbers(&known.model, known.dimensions)).collect(),
        })
    }
}
