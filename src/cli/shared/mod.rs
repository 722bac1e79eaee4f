//! What commands share: the terminal, the settings, progress, and how failures are told.

pub(super) mod colour;
pub(super) mod context;
pub(super) mod databases;
pub(super) mod failure;
pub(super) mod file_lookup;
pub(super) mod filters;
pub(super) mod grid;
pub(super) mod hints;
pub(super) mod ingest_targets;
pub(super) mod log_lines;
pub(super) mod progress;
pub(super) mod report;
pub(super) mod settings;
pub(super) mod signal;
pub(super) mod source_line;
pub(super) mod status;
pub(super) mod summary;
pub(super) mod terminal;
pub(super) mod vectors;
