//! What is needed to read documents.

use pensieve_readers::process::ProcessLimits;
use pensieve_readers::selection::Converters;
use pensieve_readers::settings::ReadSettings;
use pensieve_readers::worker::WorkerPool;

/// What is needed to read documents.
pub(super) struct ReadingTools<'a> {
    /// Worker processes; without them documents are read in this process.
    pub pool: Option<&'a WorkerPool>,
    /// The user's converters with their limits.
    pub converters: &'a Converters,
    pub limits: ProcessLimits,
    pub settings: &'a ReadSettings,
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}
