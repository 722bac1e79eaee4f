//! What is needed to read documents.

use pensieve_isolate::converter::ConversionFailure;
use pensieve_isolate::process::ProcessLimits;
use pensieve_isolate::selection::{Converter, Converters};
use pensieve_isolate::worker::WorkerPool;
use pensieve_readers::settings::ReadSettings;
use pensieve_text::model::Document;
use std::cell::RefCell;
use std::fs::File;

/// What is needed to read documents.
pub(super) struct ReadingTools<'a> {
    /// Worker processes; without them documents are read in this process.
    pub pool: Option<&'a WorkerPool>,
    /// The user's converters with their limits.
    pub converters: &'a Converters,
    pub limits: ProcessLimits,
    pub settings: &'a ReadSettings,
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// What converters that succeeded wrote on stderr, each as one text.
    pub logs: RefCell<Vec<String>>,
}

impl ReadingTools<'_> {
    /// Lets a converter read a file and keeps what it writes on stderr.
    ///
    /// # Errors
    /// The converter is not installed, or did not do its work.
    pub fn convert(&self, tool: &Converter, file: &File) -> Result<Document, ConversionFailure> {
        let converted = tool.convert(file, self.limits, self.interrupted)?;
        let log = converted.log.trim();
        if !log.is_empty() {
            self.logs.borrow_mut().push(format!("`{}` wrote on stderr: {log}", tool.name()));
        }
        Ok(converted.document)
    }
}
