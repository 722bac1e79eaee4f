//! Vectors of chunks: stored by content, read by name, and scanned for those nearest to a question.
//!
//! Where vectors come from is not known here. A set of vectors has one model, one number of dimensions and one text that
//! was put before each chunk ([`VectorSet`]); several sets are kept side by side, and only one text for each model and
//! number of dimensions.

mod format;
mod half;
mod missing;
mod orphans;
mod scan;
mod similarity;
mod table;
#[cfg(test)]
mod tests;

pub use format::VectorFormat;
pub use missing::{MissingChunk, MissingTotals};
pub use scan::QueryVector;
pub(crate) use scan::{ComparedChunks, NearChunks, nearest};
pub use table::{ChunkFailure, ModelVectors, NewVector, VectorModel, VectorSet, VectorTable};
pub(crate) use table::{print_vector, stored_vector};
