//! The flags that choose stored vectors.

use super::Failure;
use crate::store::{Store, VectorModel};
use clap::Args;

/// Which vectors come with the chunks.
#[derive(Debug, Args)]
pub(super) struct VectorArgs {
    /// With the vectors of this model, as `pensieve embed` has stored them.
    #[arg(long, value_name = "MODEL")]
    vectors: Option<String>,
    /// Vectors of this many numbers, of a model that has several.
    #[arg(long, value_name = "N", requires = "vectors")]
    dimensions: Option<usize>,
}

impl VectorArgs {
    /// True if vectors are asked for.
    pub(super) fn is_given(&self) -> bool {
        self.vectors.is_some()
    }

    /// The chosen vectors, of the first of the databases that has some; `None` if none are asked for.
    ///
    /// # Errors
    /// A database cannot be read, or none has such vectors.
    pub(super) fn choose(&self, databases: &[Store]) -> Result<Option<VectorModel>, Failure> {
        let Some(model) = &self.vectors else { return Ok(None) };
        for store in databases {
            if let Some(found) = store.vectors().choose(model, self.dimensions)? {
                return Ok(Some(found));
            }
        }
        let with_numbers = |model: &str, numbers: usize| format!("{model} ({numbers} dimensions)");
        let mut known = Vec::new();
        for store in databases {
            let models = store.vectors().models()?;
            known.extend(models.into_iter().map(|known| with_numbers(&known.model, known.dimensions)));
        }
        known.dedup();
        let paths: Vec<_> = databases.iter().map(|store| store.path().to_string_lossy()).collect();
        Err(Failure::NoSuchModel {
            model: self.dimensions.map_or_else(|| model.clone(), |numbers| with_numbers(model, numbers)),
            database: paths.join("`, `"),
            known,
        })
    }
}
