//! Vectors of chunks and of questions, from the service that the user names: any that speaks the embeddings protocol of
//! OpenAI.
//!
//! [`embed`] sends the chunks of a corpus that have no vector yet. [`client`] makes one request and judges its answer,
//! [`sender`] repeats and divides requests until every chunk has a vector or a reason why not, [`pace`] keeps to the
//! limits of the service. Only chunks and questions leave the machine, and only to the address in the settings.

mod client;
mod dimensions;
mod error;
mod pace;
mod parse;
mod plan;
mod question;
mod run;
mod sender;
mod settings;
mod summary;
#[cfg(test)]
mod testing;

pub use error::EmbedError;
pub use plan::{EmbedPlan, plan};
pub use question::{QuestionEmbedder, QuestionError};
pub use run::embed;
pub use settings::{ApiKey, EmbeddingSettings, Endpoint, EndpointError};
pub use summary::EmbedSummary;
