//! What documents are read with.

use pensieve_readers::process::ProcessLimits;
use pensieve_readers::selection::Converters;
use pensieve_readers::settings::ReadSettings;
use pensieve_readers::worker::WorkerPool;

/// What documents are read with.
pub(super) struct ReadingTools<'a> {
    /// Worker processes; without them documents are read in this process.
    pub pool: Option<&'a WorkerPool>,
    /// The user's converters, and what one run of them may use.
    pub converters: &'a Converters,
    pub limits: ProcessLimits,
    pub settings: &'a ReadSettings,
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}
